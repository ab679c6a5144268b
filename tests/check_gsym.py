#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""llvm-gsymutil must read the GSYM images we write, and find in them what our
reader finds; and what apmtool finds in a GSYM that llvm-gsymutil made of a
dSYM must be what it finds in the dSYM.

    check_gsym.py --dump build/tests/gsym_dump --program build/apmtool
                  [FILE ARCH]...

For each slice (by default the dSYMs of samples/) an image of all its debug
information is made. llvm-gsymutil prints it whole, which decodes every
record, then looks up both ends of every function and of every row of its line
tables. The same is read of the cache's entry, which has a seal behind it.
Without llvm-gsymutil the check says so and is skipped."""

import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SAMPLES = pathlib.Path(__file__).parent.parent / "samples"
SLICES = [
    ("Demo.dSYM/Contents/Resources/DWARF/Demo", "arm64"),
    ("Demo.dSYM/Contents/Resources/DWARF/Demo", "x86_64"),
    ("DemoKit.framework.dSYM/Contents/Resources/DWARF/DemoKit", "arm64"),
]
FUNCTION = re.compile(r"FunctionInfo @ \w+: \[(0x\w+) - (0x\w+)\)")
ROW = re.compile(r"  (0x\w+) .*:\d+$")
PLACE = re.compile(
    r"(?P<name>.*?)( \+ \d+)?( @ (?P<path>.*):(?P<line>\d+))?( \[inlined\])?$")
Call = collections.namedtuple("Call", "name path line borrowed",
                              defaults=[False])


def find_tool():
    names = ["llvm-gsymutil"]
    names += [f"llvm-gsymutil-{number}" for number in range(30, 13, -1)]
    return next(filter(None, map(shutil.which, names)), None)


def run(arguments, text="", **variables):
    return subprocess.run(arguments, input=text, text=True, check=True,
                          errors="surrogateescape", capture_output=True,
                          env={**os.environ, **variables}).stdout


def ask_us(dump, path, arch, image, addresses):
    """Addresses to their calls; writes the image."""
    answers = {}
    text = "".join(f"{address:#x}\n" for address in addresses)
    for line in run([dump, path, arch, image], text).split("\n")[:-1]:
        fields = line.split("\t")
        calls = answers.setdefault(int(fields[0], 16), [])
        if len(fields) == 5:
            calls.append(Call(fields[1], fields[2], int(fields[3]),
                              fields[4] == "1"))
    return answers


def ask_llvm(tool, image, addresses):
    """Addresses to their calls, or to the text of an error."""
    answers = {}
    text = "".join(f"{address:#x} {image}\n" for address in addresses)
    for block in run([tool, "--addresses-from-stdin"], text).split("\n\n"):
        if not block:
            continue
        address, rest = block.split(": ", 1)
        if rest.startswith("error: "):
            answers[int(address, 16)] = rest.strip()
            continue
        answers[int(address, 16)] = calls = []
        for line in rest.strip().split("\n"):
            place = PLACE.match(line.strip())
            calls.append(Call(place["name"], place["path"] or "",
                              int(place["line"] or 0)))
    return answers


def pick_addresses(listing):
    """Both sides of every edge that the listing shows."""
    edges = []
    for line in listing.split("\n"):
        if match := FUNCTION.match(line) or ROW.match(line):
            edges += [int(edge, 16) for edge in match.groups()]
    return sorted({address for edge in edges for address in (edge - 1, edge)})


def agrees(ours, theirs):
    if isinstance(theirs, str):
        # LLVM refuses where no row covers the address; we give the name.
        if "is not in the line table" in theirs:
            return len(ours) > 0 and not ours[0].path and not ours[0].line
        return not ours and "is not in GSYM" in theirs
    if len(ours) != len(theirs):
        return False
    for our, their in zip(ours, theirs):
        # LLVM prints line 0 as it is, with the file of its row.
        same_place = our[1:3] == their[1:3]
        if our.name != their.name or not (
                same_place or (our.borrowed and their.line == 0)):
            return False
    return True


def read_whole(tool, image):
    listing = run([tool, image])
    for line in listing.split("\n"):
        if line.startswith("FunctionInfo @") and not FUNCTION.match(line):
            raise ValueError(f"llvm-gsymutil cannot decode '{line}'")
    return listing


def without_path(listing):
    return listing.split("\n", 1)[1]


def check_sealed(tool, program, path, image, folder):
    """One of the entries of the cache is read as @image is."""
    run([program, "index", "--symbols", path], APMTOOL_CACHE="",
        XDG_CACHE_HOME=str(folder))
    expected = without_path(read_whole(tool, image))
    entries = [file for file in folder.rglob("*") if file.is_file()
               and file.read_bytes().startswith(b"MYSG")]
    if not any(without_path(read_whole(tool, file)) == expected
               for file in entries):
        raise ValueError(f"none of {len(entries)} entries of the cache is "
                         "read as the image is")


def check_foreign(tool, program, path, arch, addresses, folder):
    """What llvm-gsymutil made of a dSYM answers as the dSYM does, where debug
    information does: symbol tables are not compared."""
    # Named like it, since the answers say the name.
    folder.mkdir()
    image = folder / pathlib.Path(path).name
    run([tool, f"--convert={path}", f"--arch={arch}", f"--out-file={image}"])
    text = "".join(f"{address:#x}\n" for address in addresses)
    ours, theirs = (
        run([program, "atos", "--no-cache", "-i", "-fullPath", "-arch", arch,
             "-o", str(file)], text).split("\n") for file in (path, image))
    for our, their in zip(ours, theirs, strict=True):
        if our != their:
            raise ValueError(f"of the dSYM '{our}', of llvm-gsymutil's GSYM "
                             f"'{their}'")


def check_slice(tool, dump, path, arch, image):
    """The addresses with a place; raises ValueError on a difference."""
    ask_us(dump, path, arch, image, [])
    listing = read_whole(tool, image)
    addresses = pick_addresses(listing)
    if not addresses:
        raise ValueError("the image has no functions")
    ours = ask_us(dump, path, arch, image, addresses)
    theirs = ask_llvm(tool, image, addresses)
    for address in addresses:
        if not agrees(ours[address], theirs[address]):
            raise ValueError(f"{address:#x}: we say {ours[address]}, "
                             f"llvm-gsymutil {theirs[address]}")
    return [address for address in addresses
            if ours[address] and ours[address][0].path]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dump", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("slices", nargs="*", metavar="FILE ARCH")
    arguments = parser.parse_args()
    tool = find_tool()
    if not tool:
        print("skipped: there is no llvm-gsymutil")
        return SKIPPED
    slices = list(zip(arguments.slices[::2], arguments.slices[1::2])) or \
        [(SAMPLES / path, arch) for path, arch in SLICES]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for number, (path, arch) in enumerate(slices):
            image = f"{folder}/image.gsym"
            place = pathlib.Path(folder, str(number))
            try:
                addresses = check_slice(tool, arguments.dump, path, arch,
                                        image)
                check_foreign(tool, arguments.program, path, arch, addresses,
                              place)
                check_sealed(tool, arguments.program, path, image,
                             place / "cache")
                print(f"{path} {arch}: {len(addresses)} addresses agree")
            except ValueError as error:
                print(f"{path} {arch}: {error}")
                failed = True
            except subprocess.CalledProcessError as error:
                print(f"{path} {arch}: {error.stderr.strip() or error}")
                failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
