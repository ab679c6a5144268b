# SPDX-License-Identifier: MIT
"""T3, T4, T5, T9: inputs that are cut, changed, and made of wrong values."""

import copy
import gzip
import io
import json
import pathlib
import struct
import tarfile
import zipfile

from formats import (CRASHES, INPUTS, JETSAM, OBJECTS, PAIRS, SAMPLED, SESSIONS,
                     check_all, faults_of)
from harness import SAMPLES, TOP, sample, test
from matrix import check_output, find_commands, operands_for, takes_files
from pairwise import arguments_of

SMALL = 16 << 10
EDGE = 4096
BYTES = (0x00, 0xff, 0x7f, 0x80)


def write(battery, data):
    path = battery.scratch / "input"
    path.write_bytes(data)
    return path


def cuts(battery, data):
    """Every length of a small file, or of the ends of a larger one."""
    if len(data) <= SMALL:
        return range(len(data))
    return [*range(EDGE), *sorted(battery.random.sample(
        range(EDGE, len(data) - EDGE), min(4096, len(data) - 2 * EDGE))),
        *range(len(data) - EDGE, len(data))]


def counted(report):
    """How much a report holds; what a truncated one must not pretend."""
    try:
        value = json.loads(report)
    except ValueError:
        return 0, False
    frames = sum(len(thread.get("frames") or [])
                 for thread in value.get("threads") or [])
    return frames, bool(value.get("notes"))


@test("T3", "cuts", "samples truncated at every byte")
def truncated(battery):
    """No crash; and no JSON report with fewer frames and without a note."""
    whole = {name: battery.run(["convert", "-q", "--to", "json",
                                SAMPLES / name]) for name in CRASHES}
    for name in battery.some(CRASHES * (100 if battery.campaign else 1), 8):
        data = sample(name)
        frames, _ = counted(whole[name].out)
        for length in battery.some(sorted(battery.random.sample(
                list(cuts(battery, data)), 100)), 20):
            what = f"{name} truncated at {length}"
            done = battery.run(["convert", "-q", "--to", "json",
                                write(battery, data[:length])])
            battery.check(what, done)
            for fault in faults_of("json", done.out):
                battery.fault(what, fault)
            left, noted = counted(done.out)
            # Text may end anywhere without looking incomplete.
            if name.endswith(".ips") and data[:1] == b"{" and not \
                    done.status and left < frames and not noted:
                battery.fault(what, f"{left} of {frames} frames, and no note")
    for _ in battery.cases(40):
        command, name = battery.random.choice(PAIRS)
        data = sample(name)
        length = battery.random.randrange(len(data))
        list(check_all(battery, f"{name} truncated at {length}", command,
                       write(battery, data[:length]), gate=1))


def edit(pick, data, first, end):
    """One change of a bytearray between two places."""
    at = pick.randrange(first, end)
    kind = pick.randrange(6)
    if kind == 0:
        data[at] ^= 1 << pick.randrange(8)
    elif kind == 1:
        data[at] = pick.choice(BYTES)
    elif kind == 2:
        other = pick.randrange(first, end)
        data[at], data[other] = data[other], data[at]
    elif kind == 3:
        size = min(pick.choice((1, 4, 40)), end - at)
        data[at:at] = data[at:at + size]
    elif kind == 4:
        del data[at:at + pick.choice((1, 4, 40))]
    else:
        data[at:at + 4] = pick.choice((b"\0\0\0\0", b"\xff\xff\xff\xff",
                                       b"\xff\xff\xff\x7f", b"\0\0\0\x80"))


def dwarf_bounds(data):
    """Where debug information lies: random places mostly hit padding."""
    first = data.find(b"__debug_line\0")
    return (0, len(data)) if first < 0 else (
        first, min(len(data), first + (len(data) - first) // 2))


def damaged(pick, data, bounds=None):
    data = bytearray(data)
    for _ in range(pick.randint(1, 8)):
        if not data:
            break
        first, end = bounds or (0, len(data))
        if not bounds and pick.random() < 0.5:
            end = min(end, 1024)
        edit(pick, data, min(first, len(data) - 1), min(end, len(data)))
    return bytes(data)


# What else reads files than the commands of COMMANDS.
TAKES = {**INPUTS, "diff": CRASHES, "diff --stalls": SAMPLED, "atos": OBJECTS,
         "index": OBJECTS, "demangle": ["demo.crash", "lag/demo.folded"]}
CONFIG = (TOP / "tests/fuzz/corpus/config/all.yaml").read_bytes()


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def tarred(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


PACKINGS = (zipped, tarred, lambda members: gzip.compress(tarred(members)),
            lambda members: gzip.compress(members[0][1]))


def damaged_input(pick, name):
    """A sample alone, or in an archive with a whole one: either is damaged."""
    data = sample(name)
    if pick.random() < 0.5:
        return damaged(pick, data)
    inside = pick.random() < 0.5
    packed = pick.choice(PACKINGS)([
        (name, damaged(pick, data) if inside else data), (f"b/{name}", data)])
    return packed if inside else damaged(pick, packed)


def options_with_files(row):
    """Each option whose value is a file, or names one behind a `=`."""
    for option, value in row.items():
        path = pathlib.Path(str(value).rpartition("=")[2])
        # A store is a directory, and no file stands for it.
        if path.is_absolute() and option != "--store":
            yield option, path


def damage_option(battery, row, option, path):
    """The row with a damaged copy of the file in place of it."""
    if path.is_dir():
        path = SAMPLES / battery.random.choice(OBJECTS)
    copied = battery.scratch / "named"
    copied.write_bytes(damaged(battery.random, path.read_bytes()))
    before = row[option].rpartition("=")[:2]
    return {**row, option: "".join([*before, str(copied)])}


@test("T4", "damage", "bits and bytes changed: inputs, archives, files that "
      "options name, config; all commands, every two of their settings")
def flipped(battery):
    pick = battery.random
    # The others read nothing.
    commands = [command for command in find_commands(battery)
                if takes_files(command) or command.name in ("config", "doctor")]
    battery.begin()
    config = battery.scratch / "config"
    for number in battery.cases(400):
        command = commands[number % len(commands)]
        row = pick.choice(command.rows)
        key = command.name + " --stalls" * bool(row.get("--stalls"))
        name = pick.choice(TAKES.get(key, CRASHES))
        data, env = sample(name), {"APMTOOL_CACHE": battery.scratch / "cache"}
        named = list(options_with_files(row))
        where = pick.random()
        if where < 0.1 or not takes_files(command):
            env["APMTOOL_CONFIG"] = config
            config.write_bytes(damaged(pick, CONFIG))
        elif where < 0.4 and named:
            row = damage_option(battery, row, *pick.choice(named))
        else:
            data = damaged_input(pick, name)
        operands, stdin = operands_for(command, row, write(battery, data))
        if command.name == "diff" and pick.random() < 0.5:
            operands.reverse()
        done = battery.run([command.name, *arguments_of(row), *operands],
                           stdin=stdin, env=env)
        written = battery.scratch / "out"
        if written.exists():
            done.out += written.read_bytes()
            written.unlink()
        check_output(battery, f"case {number}: {name}: {command.name} "
                     f"{arguments_of(row)}", command, row, done)


@test("T4", "symbols", "dSYMs damaged where their debug information is")
def symbols(battery):
    reports = ["demo.crash", "demo-mac.crash", "demo.ips"]
    for number in battery.cases(100):
        data = sample(OBJECTS[number % 2])
        path = write(battery, damaged(battery.random, data,
                                      battery.random.choice(
                                          (None, dwarf_bounds(data)))))
        reader = battery.random.choice(("native", "libdwarf"))
        list(check_all(battery, f"{OBJECTS[number % 2]}, case {number}",
                       "symbolicate", SAMPLES / reports[number % 3], gate=1,
                       options=["-q", "--debug-info", reader, "-d", path]))


VALUES = [None, -1, 0, 1, 2 ** 31, 2 ** 53 + 1, 2 ** 64, 1e300, "", "x" * 5000,
          [], {}, True, [[]], [{}], {"a": 1}, "\x1b[31m", "-5", "0x10"]
RAW = ["1e400", "-0", "1E+2", '"\\ud800"', "00", "NaN", '"\\u0000"']


def documents(name):
    """The JSON documents of a sample, one after the other."""
    text, at = sample(name).decode(), 0
    decoder, found = json.JSONDecoder(), []
    while text[at:].strip().startswith(("{", "[")):
        at += len(text[at:]) - len(text[at:].lstrip())
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            break
        found.append(value)
    return found


def places(value, path=()):
    """Every place of a document; of long lists, the first two items."""
    items = (value.items() if isinstance(value, dict) else
             list(enumerate(value))[:2] if isinstance(value, list) else ())
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def changed(document, path, change):
    """A copy in which @p change was applied to the place's container."""
    document = copy.deepcopy(document)
    at = document
    for key in path[:-1]:
        at = at[key]
    change(at, path[-1])
    return document


def variants(document, path):
    """The document without the place, and with each other value there."""
    def put(value):
        def change(at, key):
            at[key] = value
        return change

    def remove(at, key):
        del at[key]

    yield "removed", json.dumps(changed(document, path, remove))
    for value in VALUES:
        yield f"{value!r:.20}", json.dumps(changed(document, path, put(value)))
    mark = json.dumps(changed(document, path, put("@raw@")))
    for raw in RAW:
        yield raw, mark.replace('"@raw@"', raw)
    if isinstance(path[-1], str):
        twice = json.dumps(changed(document, path, put("@raw@")))
        key = json.dumps(path[-1])
        yield "twice", twice.replace('"@raw@"', f'1, {key}: {{}}')


def backwards(value):
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [backwards(item) for item in value]
    return value


def structures():
    """Inputs in JSON, the command that reads them, and their documents."""
    for command, names in (("symbolicate", CRASHES), ("explain", CRASHES),
                           ("group", CRASHES), ("jetsam", JETSAM),
                           ("exit-reason", SESSIONS),
                           ("lag-aggregate", SAMPLED), ("fold", SAMPLED)):
        for name in names:
            found = documents(name) if name.endswith(
                (".ips", ".json", ".jsonl")) else []
            if found:
                yield command, name, found[:2]


@test("T5", "structure", "each field of JSON removed, or of another type")
def structure(battery):
    known = list(structures())
    for number in battery.cases(200):
        command, name, found = known[number % len(known)]
        which = battery.random.randrange(len(found))
        path = battery.random.choice(list(places(found[which])))
        texts = [json.dumps(document) for document in found]
        label, texts[which] = battery.random.choice(
            list(variants(found[which], path)))
        if battery.random.random() < 0.05:
            label, texts[which] = "backwards", json.dumps(
                backwards(found[which]))
        what = f"{name}: {'.'.join(map(str, path))} is {label}"
        list(check_all(battery, what, command, write(
            battery, "\n".join(texts).encode()), gate=1))


def numbers(size, bits):
    return sorted({0, 1, size - 1, size, size + 1, (1 << bits) - 1,
                   (1 << bits) - 2, 1 << (bits - 1), (1 << (bits - 1)) - 1,
                   0xffffffff, 0x80000000})


def words(data, end):
    """Offsets of header words, and their sizes."""
    for at in range(4, min(end, len(data) - 8), 4):
        yield at, 4
        if at % 8 == 0:
            yield at, 8


@test("T9", "counts", "each word of Mach-O headers and units set to extremes")
def extremes(battery):
    cases = [(name, at, size, value) for name in OBJECTS
             for data in [sample(name)]
             for at, size in [*words(data, 1200), *(
                 (data.find(b"\x04\0\0\0\0\0\x08", 4096) + i, 4)
                 for i in (-4, 0, 2))]
             for value in numbers(len(data), 8 * size) if at > 0]
    battery.random.shuffle(cases)
    for name, at, size, value in battery.some(cases, 200):
        data = bytearray(sample(name))
        data[at:at + size] = struct.pack(
            "<I" if size == 4 else "<Q", value & ((1 << 8 * size) - 1))
        what = f"{name}: {size} bytes at {at} are {value:#x}"
        path = write(battery, data)
        command = battery.random.choice(["uuid", "symbolicate"])
        arguments = ["uuid", "--format", "json", path] if command == "uuid" \
            else ["symbolicate", "-q", "--format", "json", "-d", path,
                  SAMPLES / battery.random.choice(INPUTS["symbolicate"][:3])]
        done = battery.run(arguments)
        battery.check(what, done)
        for fault in faults_of("json", done.out):
            battery.fault(what, fault)
