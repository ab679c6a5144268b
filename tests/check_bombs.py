#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small files that ask for much work or memory: each is read in a time and with
a memory that fit its size.

    check_bombs.py --program build/release/apmtool [--verbose] [NAME...]
    check_bombs.py --program build/release/apmtool --files FILE...

The promise is 2 seconds and 1 second per 10 MB of all input, 256 MB and 4 times
the largest one (SECURITY.md). Most files here have at most some 4 MB, so that
one limit serves for all; it leaves room for a slow machine, on which what takes
2.7 seconds has been seen to take 4.3 for a while. Of larger ones, it is what is
promised. What takes longer is run again: another program may be at work on the
machine. A case is a file and the commands that read it; where a bomb used to go
off, its limit fails by a factor of two or more. A case may have a
limit of memory of its own, lower than what is promised.

With --files, any files are read by all commands that take such a one, in all
formats, by one job and by two, and held against the promise itself: a table of
what each took. Where a command refuses a file, its other formats are left out."""

import argparse
import gzip
import io
import json
import multiprocessing
import os
import pathlib
import struct
import sys
import tempfile
import zipfile
import zlib

import bomb_sweep
import measured

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples"
CPU_SECONDS = 6
TRIES = 3
MEMORY_MB = 300
OUTPUT_MB = 100

UUID = bytes(range(1, 17))
UUID_TEXT = "01020304-0506-0708-090A-0B0C0D0E0F10"
TEXT_BASE = 0x100000000
HEADER = '{"bug_type":"309","timestamp":"2026-01-31 09:00:00.00 +0000"}\n'
REPORT = ["symbolicate", "symbolicate --format json", "convert --to ips",
          "missing", "group", "explain"]
SAMPLED = ["fold", "lag-aggregate", "flamegraph"]
# Few addresses are read by the process itself, and not by a child.
ATOS = "atos --no-cache -arch arm64 -i -offset 100 -o"
SYMBOLS = ["symbolicate --no-cache -d", ATOS]
# With a report of many frames.
NAMED = ["symbolicate --no-cache -d", "symbolicate --format json -d",
         "explain --no-cache -d",
         "atos --no-cache -arch arm64 -offset -i -f ADDRESSES -o", ATOS]
FRAMES, MANY_FRAMES = 1_000, 20_000
HOLE_BYTES = 50 << 30
CASES = []


def bomb(name, commands, memory=MEMORY_MB):
    def add(make):
        CASES.append((name, commands, make, memory))
        return make
    return add


# Reports

def image(number=0, **more):
    return {"source": "P", "arch": "arm64", "base": TEXT_BASE + number,
            "size": 0x7fffffff, "uuid": UUID_TEXT, "path": "/usr/lib/E",
            "name": f"E{number}", **more}


def ips(threads, images, **more):
    return HEADER + json.dumps({"procName": "E", "faultingThread": 0,
                                "threads": threads, "usedImages": images,
                                **more}, separators=(",", ":"))


@bomb("deep JSON", REPORT)
def deep_json():
    return HEADER + "[" * 1_000_000


@bomb("frames without end", REPORT)
def many_frames():
    return ips([{"frames": [{"imageOffset": 16, "imageIndex": 0}] * 99_999}],
               [image()])


@bomb("images that overlap", REPORT)
def many_images():
    frames = [{"imageOffset": i, "imageIndex": i % 9_999}
              for i in range(30_000)]
    return ips([{"frames": frames}], [image(i) for i in range(9_999)])


@bomb("overlapping images in text", REPORT)
def text_images():
    frames = "".join(f"{i}  I{i}  0x{TEXT_BASE + i:016x} 0x100000000 + {i}\n"
                     for i in range(20_000))
    images = "".join(f"0x{TEXT_BASE + i:x} - 0x17fffffff I{i} arm64 "
                     f"<{i + 1:032x}> /I{i}\n" for i in range(19_999))
    return ("Process: E [1]\nException Type: EXC_CRASH (SIGABRT)\n\n"
            f"Thread 0 Crashed:\n{frames}\nBinary Images:\n{images}")


@bomb("one long line", REPORT)
def long_line():
    return ("Process: E [1]\nException Type: EXC_CRASH (SIGABRT)\n\n"
            "Thread 0 Crashed:\n0  " + "A " * 2_000_000)


@bomb("a long version for each image", ["missing", "missing --format json"])
def long_version():
    frames = [{"imageOffset": 1, "imageIndex": i} for i in range(900)]
    images = [image(i, uuid=f"01020304-0506-0708-090A-0B0C0D0E{i:04X}")
              for i in range(900)]
    return ips([{"frames": frames}], images,
               osVersion={"train": "9" * 200_000, "build": "21C62"})


@bomb("control bytes", ["convert --to ips", "symbolicate"])
def control_bytes():
    return (b'{"bug_type":"210"}\n{"panicString":"' + b"\x1b" * 4_000_000 +
            b'"}')


@bomb("keys that repeat", ["symbolicate"])
def repeated_keys():
    return '{"crash":{"threads":[]},%s}' % ",".join(
        ['"crash":{"error":{}}'] * 100_000)


@bomb("many reports in one", ["explain", "explain --format json"])
def many_reports():
    # Beyond 50,000 they count as one.
    return "".join(
        f"Incident Identifier: X\nProcess: E [{i}]\n\nThread 0 Crashed:\n0  E"
        "  0x100000010 0x100000000 + 16\n\n" for i in range(49_000))


# A line, a frame or a process takes more memory than its bytes: 32 to 350.

TEXT_HEAD = ("Process: E [1]\nReport Version: 104\n"
             "Exception Type: EXC_CRASH (SIGABRT)\n\n")


@bomb("three million frames of ten bytes", ["symbolicate", "missing", "group"])
def short_frames():
    return TEXT_HEAD + "".join(
        f"Thread {i}:\n" + "0 A 0x1 x\n" * 100_000 + "\n" for i in range(30))


@bomb("twenty million empty lines", ["symbolicate", "convert --to json"])
def empty_lines():
    return TEXT_HEAD + "Thread 0:\n0 A 0x1 x\n" + "\n" * 20_000_000


@bomb("stacks of empty frames", ["symbolicate", "convert --to json"])
def empty_frames():
    return HEADER + '{"threads":[%s]}' % ",".join(
        ['{"frames":[%s]}' % ",".join(["{}"] * 50_000)] * 43)


# 12 MB: the promise for it is 256 MB and 4 times that.
@bomb("700,000 processes", ["jetsam", "jetsam --format json", "explain"],
      memory=304)
def many_processes():
    return HEADER.replace("309", "298") + (
        '{"memoryStatus":{"pageSize":16384},"processes":[%s]}' %
        ",".join(f'{{"rpages":{i}}}' for i in range(700_000)))


@bomb("reports with as much as one may have", ["missing", "convert --to json"])
def many_full_reports():
    return "".join(HEADER + '{"%s":[%s]}\n' % (name, ",".join([item] * most)) *
                   count for name, item, most, count in (
                       ("threads", "{}", 10_000, 200),
                       ("usedImages", "1", 999, 1_000)))


@bomb("42 MB that somebody broke at 76 columns",
      ["symbolicate", "convert --to ips", "missing", "group", "explain"])
def hard_wrapped():
    frame = ('{"imageOffset":16,"symbol":"a_function_of_a_longer_name","symbolLocation":12,'
             '"imageIndex":0}')
    # Fewer than the values that JSON of a report may have.
    text = HEADER + '{"threads":[%s],"usedImages":[%s]}' % (",".join(
        ['{"frames":[%s]}' % ",".join([frame] * 86_000)] * 5),
        json.dumps(image()))
    return "\n".join(text[at:at + 76] for at in range(0, len(text), 76))


# Packed

def squeezed(data, count):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(data) for _ in range(count)) + \
        packer.flush()


@bomb("a zip archive of 59,000 reports",
      ["group --format html -j2", "diff --format html -j2 SELF"])
def many_files():
    text = ("Incident Identifier: X\nProcess: E [1]\n"
            "Exception Type: EXC_CRASH (SIGABRT)\n\nThread 0 Crashed:\n" +
            "".join(f"{i}  E  0x{TEXT_BASE + i:016x} 0x100000000 + {i}\n"
                    for i in range(10)))[:400]
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(59_000):
            archive.writestr(f"r{i}.crash", text)
    return data.getvalue()


@bomb("250,000 truncated reports", ["group -j2"], 250)
def many_truncated():
    # Each waits for a whole report of the same incident.
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, True, 1) as archive:
        for i in range(5):
            archive.writestr(f"{i}.ips", "".join(
                '{"bug_type":"309","incident_id":"01020304-0506-0708-090A-%012X'
                '"}\n{"threads":[\n' % (i << 32 | j) for j in range(49_000)))
    return data.getvalue()


@bomb("a zip archive of 60,000 tiny files",
      ["fold -j2", "symbolicate -j2", "lag-aggregate -j2"])
def tiny_files():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for i in range(60_000):
            archive.writestr(f"{i}", "main;a 1\n" if i % 2 else "x")
    return data.getvalue()


@bomb("50 GB that are a hole", [
    *REPORT, *SAMPLED, "uuid", "jetsam", "exit-reason", *SYMBOLS,
    f"atos -o {SAMPLES}/Plain.dylib 0x10 -f",
    *(f"fold {SAMPLES}/lag/bare.json {option}"
      for option in ("--rules", "--images")),
    *(f"group {SAMPLES}/demo.crash {option}"
      for option in ("--rules", "--owners", "--symbols"))])
def hole():
    return HOLE_BYTES


@bomb("4 GB of zeros", ["symbolicate", "fold", "uuid"])
def zeros():
    return squeezed(bytes(1 << 24), 256)


@bomb("1 GB of zeros in members", ["fold", "lag-aggregate", "flamegraph"])
def zero_members():
    return squeezed(bytes(1 << 20), 1) * 1_000


@bomb("empty members", ["symbolicate"])
def empty_members():
    return gzip.compress(b"", 9) * 200_000


# Property lists, protobuf

@bomb("a list that holds itself", ["exit-reason", "symbolicate"])
def plist_cycle():
    objects = [b"\xaf\x11" + struct.pack(">H", 1000) +
               struct.pack(">H", i + 1) * 1000 for i in range(60)] + [b"\x51a"]
    data, places = b"bplist00", []
    for one in objects:
        places.append(len(data))
        data += one
    table = len(data)
    data += b"".join(struct.pack(">I", place) for place in places)
    return data + bytes(6) + bytes([4, 2]) + struct.pack(
        ">QQQ", len(objects), 0, table)


@bomb("deep protobuf", ["symbolicate"])
def protobuf():
    data = b""
    for _ in range(10_000):
        data = b"\x1a" + uleb(len(data)) + data
    return b"plcrash\x01" + data


# Samples

@bomb("a stack without end", SAMPLED)
def deep_stack():
    return ";".join(f"f{i}" for i in range(300_000)) + " 1\n"


@bomb("rules that are slow on each of 25,000 functions",
      ["fold --rules RULES", "lag-aggregate --rules RULES -j2"])
def slow_rules():
    return "".join(f"main;{'a' * 24}{i} 1\n" for i in range(25_000))


@bomb("stacks that have nothing in common",
      ["fold", "fold -j2", "lag-aggregate", "flamegraph --format html",
       "flamegraph --diff SELF", "flamegraph --diff -j2 SELF"])
def many_stacks():
    # A million names: what only reading needs must be gone before others do.
    return "".join(f"main;a{i % 1000};b{i} 1\n" for i in range(1_000_000))


@bomb("names that are all different",
      ["fold", "fold --format pprof", "flamegraph", "flamegraph --diff SELF",
       "symbolicate", "group"])
def many_names():
    # A million of them: there must not be two or three of each.
    return '{"id":"a","samples":[%s]}' % ",".join(
        '{"stack":["main","f%d"]}' % i for i in range(1_000_000))


@bomb("deep stacks that begin alike nowhere",
      ["fold -j2", "fold -j1", "lag-aggregate", "flamegraph --fold-recursion",
       "lag-aggregate --baseline SELF", "diff --stalls SELF"])
def deep_stacks():
    # 6 million nodes of 56 bytes: there must not be two of each.
    return "".join(";".join(f"f{j}" for j in range(i, i + 300)) + " 1\n"
                   for i in range(20_000))


@bomb("a sample of a million calls", ["symbolicate", "missing"])
def many_calls():
    # Two arrays that grow: what they have outgrown must be gone.
    return ("Analysis of sampling E (pid 1) every 1 millisecond\n"
            "Process:         E [1]\nPath:            /usr/E\n"
            "Date/Time:       2026-01-31 09:00:00.000 +0000\n\n"
            "Call graph:\n    1000000 Thread_1\n") + "".join(
                f"    + 1 f{i}  (in E) + {i}  [{TEXT_BASE + i:#x}]\n"
                for i in range(1_000_000))


@bomb("a spindump of 1.1 million calls", ["fold", "lag-aggregate"])
def many_dumped_calls():
    # The report and its stacks are in memory at once, without its text.
    return ("Date/Time:        2026-01-31 09:00:00.000 +0000\n"
            "OS Version:       macOS 14.2 (Build 23C64)\n"
            "Architecture:     arm64e\nReport Version:   35\n\n"
            "Command:          E\nDuration:         10.00s\n"
            "Steps:            1000 (10ms sampling interval)\n\n"
            f"Process:          E [1]\nUUID:             {UUID_TEXT}\n"
            "Path:             /usr/E\n\n"
            '  Thread 0x1    DispatchQueue "com.apple.main-thread"(1)    '
            "1000 samples (1-1000)    priority 46 (base 46)\n") + "".join(
                f"  1    f{i} + {i} (E + {i}) [{TEXT_BASE + i:#x}]\n"
                for i in range(1_100_000))


@bomb("a spindump of 1.1 million short lines", SAMPLED)
def short_calls():
    head, _ = many_dumped_calls().split("  1    f0 ")
    return head + "".join(f"  1 {i:x}g\n" for i in range(1_100_000))


@bomb("400,000 reports of a sample each",
      ["fold -j2", "flamegraph --diff -j2 SELF",
       "lag-aggregate --format csv -j2", "lag-aggregate --per-report -j2"])
def many_samples():
    # Half of them in one line: a block of lines may hold any number.
    reports = ['{"id":"%d","samples":[{"stack":["f%d"]}]}' % (i, i)
               for i in range(400_000)]
    return "\n".join(reports[:200_000]) + "\n" + "".join(reports[200_000:])


@bomb("200,000 reports on both sides, each with a function of its own",
      ["diff --stalls -j1 SELF", "lag-aggregate --baseline SELF -j1"], 140)
def own_functions():
    # What is compared is kept, and neither what it was read with nor what is
    # found out as it is printed.
    return "".join('{"id":"%d","samples":[{"stack":["f%d"]}]}\n' % (i, i)
                   for i in range(200_000))


def long_named(reports):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a" * 65_000, "".join(reports))
        archive.writestr("b", "a 1\n")  # of a lone file, no name is said
    return data.getvalue()


@bomb("a long name of a file, and reports without an id",
      ["lag-aggregate --format csv -j1", "lag-aggregate --per-report -j1",
       "lag-aggregate --baseline SELF"])
def long_name():
    # Each is a group: what says where it is repeats the name.
    return long_named('{"samples":[{"stack":["f%d"]}]}\n' % i
                      for i in range(100_000))


@bomb("a long name of a file, and reports with and without an id",
      ["lag-aggregate -j1", "lag-aggregate --per-report -j1"])
def long_name_again():
    # Each is the costliest of the group so far, whose example it becomes.
    return long_named('{%s"samples":[{"stack":["f"],"cost_ms":%d}]}\n' % (
        "" if i % 2 else '"id":"%d",' % i, i + 1) for i in range(400_000))


@bomb("a call of 200,000 others",
      ["lag-aggregate --explain", "lag-aggregate --explain --format json"])
def wide_calls():
    return '{"hangDiagnostics":[{"callStackTree":{"callStacks":[' \
        '{"callStackRootFrames":[%s]}]},"diagnosticMetaData":' \
        '{"hangDuration":"20 sec"}}]}' % ",".join(
            '{"binaryName":"E","offsetIntoBinaryTextSegment":%d,'
            '"sampleCount":1,"address":%d}' % (i, i) for i in range(200_000))


def samples(count):
    return ",".join('{"stack":["main","f%d"]}' % (i % 10)
                    for i in range(count))


@bomb("samples that many jobs read in vain", ["fold -j16"], 90)
def odd_samples():
    # What all jobs have read must not become more each time.
    return "[%s]" % ',{"stack":["a"],"cost_ms":"b"},'.join(
        [samples(120_000)] * 20)


@bomb("arrays that end while many jobs read on", ["fold -j16"], 90)
def small_arrays():
    return "[%s]" % ",".join(['{"id":"a","samples":[%s]}' %
                              samples(28_000)] * 80)


# Debug information

def uleb(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


STR, STRP, ADDR, DATA1, DATA8, FLAG, SEC = (
    0x08, 0x0e, 0x01, 0x0b, 0x07, 0x19, 0x17)
NAME, LOW, HIGH, LINES, RANGES, CALL_FILE, CALL_LINE = (
    0x03, 0x11, 0x12, 0x10, 0x55, 0x58, 0x59)
START = struct.pack("<Q", TEXT_BASE)


def abbrev(code, tag, children, attributes):
    return uleb(code) + uleb(tag) + bytes([children]) + b"".join(
        uleb(name) + uleb(form) for name, form in attributes) + b"\0\0"


def unit(entries):
    body = struct.pack("<HIB", 4, 0, 8) + entries
    return struct.pack("<I", len(body)) + body


def dsym(sections, symbols=b"", strings=b""):
    """A thin Mach-O of type dSYM with these sections in __DWARF, and a symbol
    table."""
    has_symbols = bool(symbols)
    commands = 72 + 80 + 72 + 80 * len(sections) + 24 + 24 * has_symbols
    at = (32 + commands + 15) & ~15
    data = struct.pack("<IiiIIIII", 0xfeedfacf, 0x0100000c, 0, 10,
                       3 + has_symbols, commands, 0, 0)
    data += struct.pack("<II", 0x1b, 24) + UUID
    data += struct.pack("<II16sQQQQiiII", 0x19, 152, b"__TEXT", TEXT_BASE,
                        0x10000000, 0, 0, 5, 5, 1, 0)
    data += struct.pack("<16s16sQQIIIIIIII", b"__text", b"__TEXT", TEXT_BASE,
                        0x10000000, 0, 0, 0, 0, 0, 0, 0, 0)
    size = sum(map(len, sections.values()))
    data += struct.pack("<II16sQQQQiiII", 0x19, 72 + 80 * len(sections),
                        b"__DWARF", TEXT_BASE + 0x10000000, size, at, size, 7,
                        3, len(sections), 0)
    place = at
    for name, body in sections.items():
        data += struct.pack("<16s16sQQIIIIIIII", name.encode(), b"__DWARF",
                            TEXT_BASE + 0x10000000 + place - at, len(body),
                            place, 0, 0, 0, 0, 0, 0, 0)
        place += len(body)
    if has_symbols:
        data += struct.pack("<IIIIII", 2, 24, place, len(symbols) // 16,
                            place + len(symbols), len(strings))
    return (data + bytes(at - len(data)) + b"".join(sections.values()) +
            symbols + strings)


def whole(lines=False):
    """The entry of a unit that covers all of the code."""
    form = [(LOW, ADDR), (HIGH, DATA8)] + ([(LINES, SEC)] if lines else [])
    return form, (b"\x01" + START + struct.pack("<Q", 0x1000000) +
                  (bytes(4) if lines else b""))


@bomb("entries of one byte with 500 attributes", SYMBOLS)
def empty_attributes():
    form, first = whole()
    table = abbrev(1, 0x11, 1, form) + abbrev(
        2, 0x2e, 0, [(0x2000 + i, FLAG) for i in range(500)]) + b"\0"
    return dsym({"__debug_abbrev": table,
                 "__debug_info": unit(first + b"\x02" * 1_000_000 + b"\0")})


@bomb("calls named by suffixes of one name", SYMBOLS)
def suffixes():
    form, first = whole()
    named = [(NAME, STRP), (LOW, ADDR), (HIGH, DATA8)]
    table = (abbrev(1, 0x11, 1, form) + abbrev(2, 0x2e, 1, named) +
             abbrev(3, 0x1d, 0, named) + b"\0")
    entries = first + b"\x02" + bytes(4) + START + struct.pack("<Q", 0x1000000)
    for i in range(900):
        entries += b"\x03" + struct.pack("<IQQ", i + 1, TEXT_BASE + i * 4, 4)
    return dsym({"__debug_abbrev": table, "__debug_info": unit(
        entries + b"\0\0"), "__debug_str": b"A" * (4 << 20) + b"\0"})


@bomb("entries of one byte, and libdwarf",
      ["symbolicate --debug-info libdwarf --no-cache -d"])
def empty_attributes_again():
    return empty_attributes()


# Of either reader, whichever the first one is.
READERS = [command.replace("--no-cache", f"--no-cache --debug-info {reader}")
           for command in SYMBOLS for reader in ("native", "libdwarf")]


def long_table(count, units):
    """Units that share a table of abbreviations; the last one has a form that
    only another reader may know."""
    form, first = whole()
    table = b"".join(uleb(count + 1 - i) + b"\x2e\0\x03\x08\0\0"
                     for i in range(count - 1))
    table += abbrev(1, 0x11, 1, form) + abbrev(
        count + 5, 0x2e, 0, [(NAME, 0x7f)]) + b"\0"
    return dsym({"__debug_abbrev": table,
                 "__debug_info": unit(first + b"\0") * units})


@bomb("units that share a table of 500,000 abbreviations", READERS)
def shared_table():
    return long_table(500_000, 1_000)


@bomb("abbreviations whose codes leave one remainder", READERS)
def equal_remainders():
    form, first = whole()
    count = 100_000
    codes = [uleb(2 * count * i) for i in range(1, count + 1)]
    table = abbrev(1, 0x11, 1, form) + b"".join(
        code + b"\x13\0\0\0" for code in codes) + abbrev(
            2, 0x2e, 0, [(NAME, 0x7f)]) + b"\0"
    entries = b"".join(codes[i * 7919 % count] for i in range(500_000))
    return dsym({"__debug_abbrev": table,
                 "__debug_info": unit(first + entries + b"\0")})


@bomb("names that are suffixes of one string, and libdwarf", READERS)
def long_suffixes():
    form, first = whole()
    names = (NAME, 0x6e, 0x2007)
    table = (abbrev(1, 0x11, 1, form) +
             abbrev(2, 0x2e, 0, [(name, STRP) for name in names] +
                    [(LOW, ADDR), (HIGH, DATA1)]) +
             abbrev(3, 0x34, 0, [(NAME, 0x7f)]) + b"\0")
    entries = first + b"".join(
        b"\x02" + struct.pack("<IIIQB", *[i + 1] * 3, TEXT_BASE + i * 4, 4)
        for i in range(2_000))
    return dsym({"__debug_abbrev": table,
                 "__debug_info": unit(entries + b"\0"),
                 "__debug_str": b"A" * (8 << 20) + b"\0"})


@bomb("a call with many ranges, cut by many functions",
      ["missing -d", "symbolicate --no-cache -d"])
def many_cuts():
    form, first = whole()
    named = [(NAME, STR), (LOW, ADDR), (HIGH, DATA8)]
    table = (abbrev(1, 0x11, 1, form) + abbrev(2, 0x2e, 1, named) +
             abbrev(3, 0x1d, 0, [(NAME, STR), (RANGES, SEC)]) +
             abbrev(4, 0x2e, 0, [(NAME, STR), (LOW, ADDR), (HIGH, DATA1)]) +
             b"\0")
    entries = (first + b"\x02f\0" + START + struct.pack("<Q", 0x1000000) +
               b"\x03i\0" + bytes(4) + b"\0")
    for i in range(50_000):
        entries += b"\x04g\0" + struct.pack("<Q", TEXT_BASE + i * 4) + b"\x02"
    ranges = b"".join(struct.pack("<QQ", place, place + 4)
                      for place in range(0x800000, 0xf00000, 64))
    return dsym({"__debug_abbrev": table,
                 "__debug_info": unit(entries + b"\0"),
                 "__debug_ranges": ranges + bytes(16)})


@bomb("large units that begin in each other",
      ["symbolicate --no-cache -d",
       "atos --no-cache -arch arm64 -offset -f ADDRESSES -o", ATOS])
def overlapping_units():
    count, size = 100_000, 8 << 20
    table = abbrev(1, 0x11, 0, []) + b"\0"
    head = struct.pack("<IHIB", size | 1, 4, 0, 8)
    sets = (struct.pack("<IHIBBIQQ", 28, 2, len(head) * i, 8, 0, 0, TEXT_BASE,
                        0x1000000) for i in range(count))
    return dsym({"__debug_abbrev": table,
                 "__debug_info": head * count + bytes(size + 16),
                 "__debug_aranges": b"".join(sets)})


@bomb("many units with one list of lines", SYMBOLS)
def shared_lines():
    form, first = whole(lines=True)
    table = abbrev(1, 0x11, 0, form) + b"\0"
    header = (struct.pack("<BBBbBB", 1, 1, 1, -5, 14, 13) +
              bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"\0" +
              b"x\0\0\0\0" * 200_000 + b"\0")
    body = struct.pack("<HI", 2, len(header)) + header + b"\0\1\1"
    return dsym({"__debug_abbrev": table, "__debug_info": unit(first) * 10_000,
                 "__debug_line": struct.pack("<I", len(body)) + body})


def inlined(depth, name_size):
    """A function, with calls inlined into each other, each named by a suffix
    of one name."""
    named = [(NAME, STRP), (LOW, ADDR), (HIGH, DATA8)]
    form, first = whole(lines=True)
    size = struct.pack("<Q", 0x1000000)
    table = (abbrev(1, 0x11, 1, form) + abbrev(2, 0x2e, 1, named) +
             abbrev(3, 0x1d, 1, named + [(CALL_FILE, DATA1),
                                         (CALL_LINE, DATA1)]) + b"\0")
    entries = first + b"\x02" + bytes(4) + START + size
    for i in range(depth):
        entries += b"\x03" + struct.pack("<I", i + 1) + START + size + b"\1\7"
    header = (struct.pack("<BBBbBB", 1, 1, 1, -5, 14, 13) +
              bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"\0a.c\0\0\0\0\0")
    lines = (struct.pack("<HI", 4, len(header)) + header + b"\0\x09\x02" +
             START + b"\x01\x02" + uleb(0x1000000) + b"\0\1\1")
    return dsym({"__debug_abbrev": table,
                 "__debug_info": unit(entries + bytes(depth + 2)),
                 "__debug_line": struct.pack("<I", len(lines)) + lines,
                 "__debug_str": b"A" * name_size + b"\0"})


@bomb("60 inlined calls everywhere", NAMED)
def deep_inlined():
    return inlined(60, 100)


@bomb("60 inlined calls everywhere, with long names", NAMED)
def deep_long():
    return inlined(60, 65_000)


@bomb("ranges of a million places, shared by 28 calls", SYMBOLS)
def shared_ranges():
    form, first = whole()
    table = (abbrev(1, 0x11, 1, form) +
             abbrev(2, 0x2e, 1, [(NAME, STR), (LOW, ADDR), (HIGH, DATA8)]) +
             abbrev(3, 0x1d, 0, [(NAME, STR), (RANGES, SEC)]) + b"\0")
    pairs = b"".join(bytes([4, 2 * i, 2 * i + 1]) for i in range(60))
    lists = b"".join(b"\5" + struct.pack("<Q", TEXT_BASE + i * 128) + pairs
                     for i in range(1_000_000 // 60)) + b"\0"
    head = struct.pack("<IHBBI", len(lists) + 8, 5, 8, 0, 0)
    body = (struct.pack("<HBBI", 5, 1, 8, 0) + first + b"\2f\0" + START +
            struct.pack("<Q", 0x1000000) +
            (b"\3g\0" + struct.pack("<I", len(head))) * 28 + b"\0\0")
    return dsym({"__debug_abbrev": table,
                 "__debug_info": struct.pack("<I", len(body)) + body,
                 "__debug_rnglists": head + lists})


@bomb("60,000 functions that one long symbol may name",
      ["symbolicate --no-cache -d",
       "atos --no-cache -arch arm64 -offset 7fffff -o"])
def long_linkage_name():
    count, end = 60_000, 0x800000
    form, first = whole()
    table = (abbrev(1, 0x11, 1, form) +
             abbrev(2, 0x2e, 0, [(NAME, STR), (LOW, ADDR), (HIGH, 0x06)]) +
             b"\0")
    entries = first + b"".join(
        b"\2x\0" + struct.pack("<QI", TEXT_BASE + i * 2, end - i * 2)
        for i in range(count))
    symbols = b"".join(struct.pack("<IBBHQ", 1, 0x0e, 1, 0, TEXT_BASE + i * 2)
                       for i in range(count))
    name = b"$s1a1byy" + b"Si_" * 9_000 + b"Sit_tF"
    return dsym({"__debug_abbrev": table,
                 "__debug_info": unit(entries + b"\0")},
                symbols, b"\0_" + name + b"\0")


@bomb("a symbol with a name of 64 kB", NAMED)
def long_symbol():
    return dsym({}, struct.pack("<IBBHQ", 1, 0x0f, 1, 0, TEXT_BASE),
                b"\0_" + b"B" * 65_536 + b"\0")


@bomb("a list of files that take no bytes", SYMBOLS)
def empty_files():
    form, first = whole(lines=True)
    table = abbrev(1, 0x11, 0, form) + b"\0"
    header = (struct.pack("<BBBbBB", 1, 1, 1, -5, 14, 13) +
              bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) +
              bytes([1, 1, FLAG]) + uleb(1 << 31) + bytes([1, 1, FLAG, 1]))
    body = struct.pack("<HBBI", 5, 8, 0, len(header)) + header + b"\0\1\1"
    return dsym({"__debug_abbrev": table, "__debug_info": unit(first),
                 "__debug_line": struct.pack("<I", len(body)) + body})


@bomb("slices of one UUID, each with a bomb", SYMBOLS)
def slices():
    thin = empty_attributes()
    count = 30
    table = struct.pack(">II", 0xcafebabe, count) + b"".join(
        struct.pack(">IIIII", 0x0100000c, i, 0x4000, len(thin), 14)
        for i in range(count))
    return table + bytes(0x4000 - len(table)) + thin


# Running

def size_of(file):
    """A hole is no input: what is in it is refused at once."""
    size = file.stat().st_size
    return 0 if size == HOLE_BYTES else size


def seconds_allowed(arguments):
    """A file that is given twice is read twice."""
    files = map(pathlib.Path, arguments[1:])
    size = sum(size_of(file) for file in files if file.is_file())
    return max(CPU_SECONDS, 2 + size / 10e6)


def quickest(arguments, scratch, allowed):
    """What takes too long is run again: whatever else the machine does at the
    time makes memory slow."""
    done = bomb_sweep.run(arguments, scratch)
    for _ in range(TRIES - 1):
        if done[0] <= allowed:
            break
        done = min(done, bomb_sweep.run(arguments, scratch))
    return done


def faults(name, command, done, allowed, size, most):
    seconds, memory, printed, status = done
    if status < 0 or status > 5:
        yield f"{name}: {command}: ended with {status}"
    if seconds > allowed:
        yield f"{name}: {command}: took {seconds:.1f} s"
    if most == MEMORY_MB:
        most = max(most, 256 + 4 * (size >> 20))
    if memory > most:
        yield f"{name}: {command}: took {memory:.0f} MB"
    if printed > OUTPUT_MB << 20:
        yield f"{name}: {command}: printed {printed >> 20} MB"


def framed(count):
    frames = [{"imageOffset": i * 4, "imageIndex": 0} for i in range(count)]
    return ips([{"frames": frames}], [image(size=0x10000000)])


def write(path, make):
    """In small pieces: then the system keeps it in small pages, and what asks
    for many of them again and again is as slow as it gets."""
    data = make()
    if isinstance(data, int):
        path.write_bytes(b"")
        os.truncate(path, data)
        return
    data = memoryview(data if isinstance(data, bytes) else data.encode())
    with path.open("wb", buffering=0) as file:
        for at in range(0, len(data), 4096):
            file.write(data[at:at + 4096])


def write_apart(path, make):
    """Write it in a process of its own, for what this one has in memory counts
    as that of each child that it starts. Gives the size."""
    child = multiprocessing.get_context("fork").Process(target=write,
                                                        args=(path, make))
    child.start()
    child.join()
    if child.exitcode:
        raise SystemExit(f"{path.name}: ended with {child.exitcode}")
    return size_of(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--files", nargs="+", metavar="FILE")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="take only every Nth case")
    parser.add_argument("names", nargs="*")
    settings = parser.parse_args()
    found, runs = [], 0
    with tempfile.TemporaryDirectory(prefix="apmtool-bombs.") as directory:
        scratch = pathlib.Path(directory)
        if settings.files:
            (scratch / "report.ips").write_text(ips(
                [{"frames": [{"imageOffset": 16, "imageIndex": 0}]}],
                [image()]))
            return bomb_sweep.sweep(settings.files, settings.program, scratch)
        for count in (FRAMES, MANY_FRAMES):
            write_apart(scratch / f"{count}.ips", lambda: framed(count))
        (scratch / "list").write_text(
            "".join(f"{i * 4:#x}\n" for i in range(2 * MANY_FRAMES)))
        (scratch / "rules").write_text("rules:\n" + "".join(
            f"  - {{symbol: 'regex:^(a|aa)+[{c}-z]$', action: ignore}}\n"
            for c in "bcdefghi"))
        for name, commands, make, most in CASES[::settings.every]:
            if settings.names and name not in settings.names:
                continue
            size = write_apart(scratch / "bomb", make)
            for command in commands:
                words = command.replace("ADDRESSES", str(scratch / "list"))
                words = words.replace("SELF", str(scratch / "bomb"))
                words = words.replace("RULES", str(scratch / "rules"))
                arguments = [settings.program, *words.split(),
                             str(scratch / "bomb")]
                if command.endswith("-d"):
                    count = MANY_FRAMES if commands is NAMED else FRAMES
                    arguments.append(str(scratch / f"{count}.ips"))
                allowed = seconds_allowed(arguments)
                done = quickest(arguments, scratch, allowed)
                runs += 1
                if settings.verbose:
                    print(f"{done[0]:5.1f} s {done[1]:5.0f} MB "
                          f"{done[2] >> 10:7} kB  {done[3]}  {name}: {command}")
                found += faults(name, command, done, allowed, size, most)
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{runs} runs, {len(found)} faults")
    return 1 if found or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
