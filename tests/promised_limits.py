# SPDX-License-Identifier: MIT
"""The limits that SECURITY.md promises, a trial for each row of its table.

A trial is tried one below the number in the table, at it, and one above it: it
makes the input, and says whether the answer is that of an input within the
limit. The same is done with a lower limit, which `--limit` sets: an option that
does nothing fails. What an input of reasonable size cannot reach has a unit
test, which is named instead, and has to be there."""

import io
import json
import pathlib
import random
import re
import struct
import tarfile
import zipfile
import zlib
from dataclasses import dataclass

from check_bombs import (ADDR, DATA8, HIGH, LOW, NAME, STR, TEXT_BASE, UUID,
                         abbrev, dsym, unit, whole)

TOP = pathlib.Path(__file__).resolve().parent.parent
UNITS = {"kB": 1 << 10, "MB": 1 << 20}
HEADER = b'{"bug_type":"309","timestamp":"2026-01-31 09:00:00.00 +0000"}\n'
BODY = b'{"threads":[{"id":1,"frames":[]}]}'
TRIALS = {}
UNIT_TESTS = {
    "pattern-steps": ("lib/text/regex_test.c",
                      "work_ends_at_the_limit_in_effect"),
}


@dataclass
class Row:
    name: str
    value: str   # as the program prints it: digits without commas
    numbers: list
    why: str


@dataclass
class Trial:
    make: object     # (count, numbers, folder) -> arguments
    within: object   # (count, stdout and stderr) -> bool
    lower: int       # what the option sets
    config: bool


def rows():
    text = (TOP / "SECURITY.md").read_text().split("\n## Limits\n")[1]
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or cells[1] in ("limit", "---"):
            continue
        value = re.sub(r"(?<=\d),(?=\d{3})", "", cells[1])
        numbers = [int(number) * UNITS.get(unit, 1) for number, unit in
                   re.findall(r"(\d+) *(\w*)", value)]
        yield Row(cells[0], value, numbers, cells[2])


def trial(name, lower, refusal=None, within=None, config=False):
    """Beyond the limit there is the message @p refusal, or @p within says what
    is missing."""
    def add(make):
        TRIALS[name] = Trial(make, within or (
            lambda count, said: refusal not in said), lower, config)
        return make
    return add


def saved(folder, name, data):
    path = folder / name
    path.write_bytes(data)
    return path


def padding(size):
    """Blanks, and now and then something that cannot be packed."""
    noise = random.Random(1)
    block = b"".join(b" " * 2000 + b"%d" % noise.getrandbits(30)
                     for _ in range(500))
    return (block * (size // len(block) + 1))[:size]


def report_of(size):
    """An .ips of exactly so many bytes."""
    start = HEADER + BODY[:-1] + b',"x":"'
    return start + padding(size - len(start) - 2) + b'"}'


def gz(data, size=None, after=False):
    """Gzip data; a name, or what follows it, makes it @p size bytes."""
    packer = zlib.compressobj(6, wbits=-15)
    body = packer.compress(data) + packer.flush()
    body += struct.pack("<II", zlib.crc32(data), len(data) & 0xffffffff)
    more = b"x" * (size - 10 - len(body)) if size else b""
    if size and not after:
        return b"\x1f\x8b\x08\x08" + bytes(6) + more[1:] + b"\0" + body
    return b"\x1f\x8b\x08" + bytes(7) + body + more


@trial("report", 5000, "is larger than")
def report(count, _, folder):
    return ["convert", "--to", "json", saved(folder, "a.ips", report_of(count))]


@trial("unpacked", 5000, "decompresses to more than")
def unpacked_report(count, _, folder):
    return ["convert", "--to", "json",
            saved(folder, "a.ips.gz", gz(report_of(count)))]


@trial("gzip-ratio", 100, "decompresses to more than")
def gzip_data(count, _, folder):
    # The checksum at its end is packed, too, when the last byte comes.
    size = 20000
    head = HEADER + BODY
    data = head + b" " * (count * (size - 8) - len(head))
    return ["convert", "--to", "json", saved(folder, "a.gz", gz(data, size))]


@trial("packed-samples", 3 << 20, "decompresses to more than")
def packed_samples(count, numbers, folder):
    size = 1 << 20
    data = b"main;a" * 100 + b" 1\n"
    most = count + numbers[1] * size
    data = (data * (most // len(data) + 1))[:most - 1] + b"\n"
    return ["fold", saved(folder, "a.gz", gz(data, size, after=True))]


@trial("section-text", 5000, "of text: the rest is left out")
def section_text(count, _, folder):
    user = {"a": "x" * (count - len('{\n    "a": ""\n}'))}
    return ["convert", "--to", "json", saved(folder, "a.json", json.dumps(
        {"report": {"id": "x", "type": "standard"}, "user": user,
         "crash": {"threads": [{"index": 0}]}}).encode())]


@trial("zip-files", 100, "zip archive of more than")
def zip_archive(count, _, folder):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for i in range(count):
            archive.writestr(zipfile.ZipInfo(f"{i}"), b"")
    return ["uuid", saved(folder, "a.zip", out.getvalue())]


def tar_head(name, size):
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.USTAR_FORMAT)


@trial("tar-files", 100, "archive of more than")
def tar_archive(count, _, folder):
    return ["uuid", saved(folder, "a.tar", tar_head("x", 0) * count +
                          bytes(1024))]


@trial("archive-symbols", 1 << 20, "unpacks to more than")
def archived_symbols(count, numbers, folder):
    # In blocks of an archive: heads, contents, and the one that ends it.
    size = 1 << 20
    step = 1 if count > numbers[0] else -1 if count < numbers[0] else 0
    most = numbers[0] + numbers[1] * size + step * 512
    data = tar_head("x", most - 1024) + bytes(most - 512)
    return ["uuid", saved(folder, "a.tgz", gz(data, size, after=True))]


@trial("json-depth", 16, "nested deeper than")
def json_nesting(count, _, folder):
    return ["convert", "--to", "json", saved(
        folder, "a.ips", HEADER + BODY[:-1] + b',"x":' + b"[" * (count - 1) +
        b"]" * (count - 1) + b"}")]


@trial("slices", 5,
       within=lambda count, said: said.count("UUID:") == count)
def universal_file(count, _, folder):
    thin = struct.pack("<IiiIIIII", 0xfeedfacf, 0x0100000c, 0, 6, 1, 24, 0, 0)
    thin += struct.pack("<II", 0x1b, 24) + UUID
    at = 0x1000
    # Of the other kind, so many would be the version of a Java class.
    table = struct.pack(">II", 0xcafebabf, count) + b"".join(
        struct.pack(">IIQQII", 0x0100000c, i, at + 64 * i, len(thin), 4, 0)
        for i in range(count))
    return ["uuid", saved(folder, "a", table + bytes(at - len(table)) +
                          (thin + bytes(-len(thin) % 64)) * count)]


def atos(path):
    return ["atos", "--no-cache", "-fullPath", "-o", path, "-arch", "arm64",
            "-offset", "0x10"]


@trial("sections", 20, within=lambda count, said: "f0" in said)
def macho_file(count, _, folder):
    form, first = whole()
    table = abbrev(1, 0x11, 1, form) + abbrev(
        2, 0x2e, 0, [(NAME, STR), (LOW, ADDR), (HIGH, DATA8)]) + b"\0"
    entry = b"\x02f0\0" + struct.pack("<QQ", TEXT_BASE, 0x100)
    # __text and these; the last two are those that are needed.
    sections = {f"__filler{i}": b"" for i in range(count - 3)}
    return atos(saved(folder, "a", dsym({
        **sections, "__debug_abbrev": table,
        "__debug_info": unit(first + entry + b"\0")})))


def with_symbols(names, count=None):
    """A file up to its names, at addresses 256 apart, and where they go:
    @p count symbols, if there are more than names."""
    count = count or len(names)
    head = dsym({})
    at = len(head) + 32
    strings = b"\0"
    table = b""
    for i, name in enumerate(names):
        table += struct.pack("<IBBHQ", len(strings), 0x0f, 1, 0,
                             TEXT_BASE + 256 * i)
        strings += name + b"\0"
    symtab = struct.pack("<IIIIII", 2, 24, at, count, at + 16 * count,
                         len(strings))
    commands = struct.unpack_from("<I", head, 16)[0]
    body = head[32:32 + 24 + 152] + symtab
    return (head[:16] + struct.pack("<II", commands, len(body)) +
            head[24:32] + body + bytes(at - 32 - len(body)) + table,
            at + 16 * count, strings)


@trial("symbols", 1000, within=lambda count, said: "first" in said)
def symbol_table(count, _, folder):
    head, at, strings = with_symbols([b"_first"], count)
    path = saved(folder, "a", head)
    # Almost all of it is a hole.
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(strings)
    return atos(path)


@trial("name", 100, within=lambda count, said: "B" * count in said)
def symbol_name(count, _, folder):
    head, _, strings = with_symbols([b"_" + b"B" * count])
    return atos(saved(folder, "a", head + strings))


def symbolicate(folder, symbols, offsets):
    """A report of one image, in threads of 50,000 frames."""
    threads = [{"triggered": not i, "frames": [
        {"imageOffset": offset, "imageIndex": 0}
        for offset in offsets[i:i + 50000]]}
               for i in range(0, len(offsets), 50000)]
    report = HEADER + json.dumps({
        "threads": threads,
        "usedImages": [{"base": 4096, "size": 4096, "name": "A", "arch":
                        "arm64", "uuid": UUID.hex()}]}).encode()
    return ["symbolicate", "--no-cache", "--format", "json", "-d", symbols,
            saved(folder, "a.ips", report)]


# What a frame counts, beside its name, which it has twice: as it is printed,
# and as it is in the file, with an underscore.
FRAME_BYTES = 65
ABRIDGED = "all of them would be too much for a report of this size"


def named(folder, frames, size, most):
    """So many frames with a name of @p size bytes, and one with what is left
    of @p most bytes, rounded up."""
    left = most - frames * (2 * size + FRAME_BYTES) - FRAME_BYTES
    head, _, strings = with_symbols([b"_" + b"B" * size,
                                     b"_" + b"C" * ((left + 1) // 2)])
    bundle = folder / "A.dSYM/Contents/Resources/DWARF"
    bundle.mkdir(parents=True, exist_ok=True)
    saved(bundle, "A", head + strings)
    return symbolicate(folder, folder / "A.dSYM", [16] * frames + [272])


@trial("names", 260000, ABRIDGED)
def report_names(count, numbers, folder):
    frames = 85
    return named(folder, frames, 2000, count + numbers[1] * (frames + 1))


@trial("names-total", 1 << 18, ABRIDGED)
def most_names(count, numbers, folder):
    # Almost all of it; an odd number, so that what is left is even.
    frames = numbers[0] // (2 * 447 + FRAME_BYTES) - 1 | 1
    return named(folder, frames, 447, count)


@trial("path", 100, within=lambda count, said: "p" * count in said)
def source_path(count, _, folder):
    """A GSYM of one function, as llvm-gsymutil writes it."""
    strings = b"\0f0\0" + b"p" * count + b"\0"
    files = struct.pack("<IIIII", 2, 0, 0, 0, 4)
    lines = b"\0\0\5\4\0"  # line 5, where the function begins
    info = (struct.pack("<II", 0x100, 1) + struct.pack("<II", 1, len(lines)) +
            lines)
    info += bytes(-len(info) % 4) + struct.pack("<II", 0, 0)
    tables = 48 + 4
    strings_at = tables + 4 + len(files)
    info_at = strings_at + len(strings)
    info_at += -info_at % 4
    head = struct.pack("<IHBBQIII", 0x4753594d, 1, 1, 16, TEXT_BASE, 1,
                       strings_at, len(strings)) + UUID + bytes(4)
    # The function begins after the image.
    data = head + b"\x10\0\0\0" + struct.pack("<I", info_at) + files + strings
    return symbolicate(folder, saved(folder, "a.gsym", data + bytes(
        info_at - len(data)) + info), [20])


@trial("config-file", 20000, "is larger than", config=True)
def config_file(count, _, folder):
    return saved(folder, "c.yaml", b"jobs: 1\n" + b"#" * (count - 8))


@trial("config-list", 3, "more than", config=True)
def config_list(count, _, folder):
    return saved(folder, "c.yaml", b"dsym:\n" + b"  - x\n" * count)


@trial("config-depth", 8, "nested deeper than", config=True)
def config_nesting(count, _, folder):
    return saved(folder, "c.yaml", b"x: " + b"[" * (count - 1) +
                 b"]" * (count - 1) + b"\n")


@trial("pattern", 2000, "pattern of more than")
def pattern(count, _, folder):
    rules = b"rules:\n  - symbol: regex:%s\n    action: system\n" % (
        b"a" * count)
    return ["lag-aggregate", "--rules", saved(folder, "r.yaml", rules),
            TOP / "samples/lag/reports.jsonl"]
