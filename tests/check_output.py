#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An output never takes the place of what the run reads.

    check_output.py --program build/dev/apmtool [--verbose] [COMMAND...]

For each command with --output, or with a file to log to, each of its options that
names a file, and each kind of operand: the output is the file itself, the same spelled in another way,
a symbolic link to it, or another name of it; all of these for the first command
that has the option, and one in turn for the others. That is refused, before
anything is written. Options are those that --help lists: one that is not known here
fails the test, as it may name a file."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
REPORT, SAMPLED = "demo.crash", "lag/demo.folded"
DWARF = "Demo.dSYM/Contents/Resources/DWARF/Demo"
INFO = "Demo.dSYM/Contents/Info.plist"
MAP = "maps/4C4C44BD-5555-3144-A18B-1D7A14ACC538.bcsymbolmap"
# A file that each command reads.
OPERANDS = {
    "symbolicate": REPORT, "convert": REPORT, "missing": REPORT,
    "group": REPORT, "explain": REPORT, "diff": REPORT,
    "jetsam": "jetsam/limit.ips", "exit-reason": "session/foreground.json",
    "lag-aggregate": SAMPLED, "fold": SAMPLED, "flamegraph": SAMPLED,
    # Standard input alone.
    "demangle": None, "filter": None,
}
OUTPUTS = ("--output <", "--log <")
TEXTS = {
    "key": "sixteen bytes are enough\n",
    "map": "BCSymbolMap Version: 2.0\n_main\n",
    "rules.yaml": "groups:\n  - signature: x\n    name: y\n",
    "owners": "* @all\n",
    "names": "_ZN3foo3barEv\n",
    "limits.csv": "iPhone14,2,100\n",
}
# Options that name files: the file, and how it is written.
FILES = {
    "--dsym": (DWARF, "{}"), "--symbols": (DWARF, "{}"),
    "--bcsymbolmap": ("map", "{}"), "--owners": ("owners", "{}"),
    "--redact-key": ("key", "{}"), "--source-root": ("key", "{}"),
    "--store": ("key", "{}"),
    "--rules": ("rules.yaml", "{}"), "--images": ("lag/images.txt", "{}"),
    "--limits": ("limits.csv", "{}"), "--baseline": (SAMPLED, "{}"),
    "--allow-uuid-mismatch":
        (DWARF, "4C4C44BD-5555-3144-A18B-1D7A14ACC538={}"),
}
# And directories in which they look, with a file there.
DIRECTORIES = {
    "--dsym": [DWARF, INFO, MAP],
    "--store": [DWARF],
    "--symbols": [DWARF, INFO],
    "--bcsymbolmap": [MAP],
    "--baseline": ["old/old.folded"],
    "--source-root": ["old/old.folded"],
}
# What stands for the value of an option that names none.
NO_FILES = {"crashed|all|<number>", "<format>", "<count>", "<number>", "<columns>", "<level>",
            "<name>", "<name>=<value>", "<title>", "<text>", "<percent>", "<points>",
            "<mib|percent>", "<old,new>", "<change>", "<key=value>",
            "<date>", "<duration>", "<seconds>", "<old=new>", "<app>", "<version>", "<build>"}
OPTION = re.compile(r"^ +(?:-\w, )?(--[a-z-]+) (\S+)")
REFUSED = re.compile("is also an input|holds symbols|is a property list|"
                     "belongs to the cache")
# Commands without a config of their own do not read any.
WITHOUT_CONFIG = {"jetsam", "exit-reason", "demangle"}


def run(program, arguments, where, stdin=None):
    done = subprocess.run(
        [program, *arguments], cwd=where, check=False, timeout=60,
        stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "APMTOOL_CACHE": str(where / "cache")})
    return done.returncode, done.stderr.decode(errors="replace")


def options_of(program, command):
    """Name and value of each option that has one; and which is the output."""
    text = subprocess.run([program, command, "--help"], check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    found = dict(match.groups() for line in text.splitlines()
                 if (match := OPTION.match(line)))
    output = next((name for name, value in found.items()
                   if f"{name} {value}".startswith(OUTPUTS)), None)
    found.pop(output, None)
    return found, output


def operands_of(command):
    operand = OPERANDS[command]
    return [operand] * (2 if command == "diff" else 1) if operand else []


def make_room(program, where):
    """A directory with everything that cases read."""
    for name in ("demo.crash", "Demo.dSYM", "lag", "jetsam", "session"):
        if (SAMPLES / name).is_dir():
            shutil.copytree(SAMPLES / name, where / name)
        else:
            shutil.copy(SAMPLES / name, where / name)
    for name, text in TEXTS.items():
        (where / name).write_text(text)
    for name in ("maps", "old", "many"):
        (where / name).mkdir()
    shutil.copy(where / "map", where / MAP)
    shutil.copy(where / SAMPLED, where / "old/old.folded")
    assert run(program, ["index", "--symbols", "Demo.dSYM"], where)[0] == 0


def spellings(where, name):
    """Names of one file: as it is, in another way, by links of both kinds."""
    os.symlink(name, where / "symbolic")
    os.link(where / name, where / "hard")
    return name, "./" + name, str(where / name), "symbolic", "hard"


class Checker:
    def __init__(self, program, verbose):
        self.program, self.verbose = program, verbose
        self.cases, self.found = 0, []
        self.seen = set()  # what was tried in every way
        self.output = None  # the option of the command

    def refuse(self, where, name, arguments, stdin=None, by_inode=True):
        """An output that is @p name in some way is refused."""
        before = (where / name).read_bytes()
        outputs = spellings(where, name)
        if not by_inode:
            outputs = outputs[:-1]
        kind = (name, *arguments[1:])
        if kind in self.seen:
            outputs = [outputs[self.cases % len(outputs)]]
        self.seen.add(kind)
        for output in outputs:
            with open(stdin or os.devnull, "rb") as file:
                status, said = run(self.program,
                                   [*arguments, self.output, output], where, file)
            what = " ".join([*arguments, self.output, output,
                             "<" + name if stdin else ""])
            self.cases += 1
            if self.verbose:
                print(f"{status}  {what}")
            if (where / name).read_bytes() != before:
                self.found.append(f"{what}: it was overwritten")
                (where / name).write_bytes(before)
            elif status != 2 or not REFUSED.search(said):
                self.found.append(f"{what}: status {status}, {said.strip()}")
        (where / "symbolic").unlink()
        (where / "hard").unlink()

    def check_option(self, where, command, option, value):
        operands = operands_of(command)
        if value in NO_FILES or "|" in value and "<" not in value:
            return
        if option not in FILES:
            self.found.append(f"{command} {option} {value}: not known here; "
                              "does it name a file?")
            return
        name, form = FILES[option]
        if name in operands:
            shutil.copy(where / name, where / "other")
            name = "other"
        self.refuse(where, name,
                    [command, option, form.format(name), *operands])
        for name in DIRECTORIES.get(option, ()):
            # Another name of a source takes nothing from its directory.
            self.refuse(where, name, [command, option, name.split("/")[0],
                                      *operands],
                        by_inode=option != "--source-root")

    def check_operands(self, where, command):
        operand = OPERANDS[command]
        if not operand:
            self.refuse(where, "names", [command], where / "names")
            return
        kinds = {"a file": ([operand], operand)}
        packed = where / "many" / "packed.zip"
        with zipfile.ZipFile(packed, "w") as archive:
            archive.write(where / operand, "report")
        shutil.copy(where / operand, where / "many" / "one")
        if command not in ("diff", "exit-reason"):
            kinds["of a directory"] = (["many"], "many/one")
            kinds["one of two"] = ([operand, "many/one"], "many/one")
        if command not in ("diff", "fold", "flamegraph", "lag-aggregate",
                           "exit-reason"):
            kinds["an archive"] = (["many/packed.zip"], "many/packed.zip")
        if command == "diff":
            kinds = {"older": ([operand, "many/one"], operand),
                     "newer": ([operand, "many/one"], "many/one"),
                     "of an older directory": (["many", operand], "many/one")}
        if command == "flamegraph":
            kinds["compared"] = (["--diff", operand, "many/one"], "many/one")
        for operands, name in kinds.values():
            self.refuse(where, name, [command, *operands])
        if command != "diff":
            self.refuse(where, operand, [command, "-"], where / operand)

    def check_config(self, where, command):
        if command in WITHOUT_CONFIG:
            return
        (where / ".apmtool.yaml").write_text("dsym:\n  - Demo.dSYM\n")
        operands = operands_of(command)
        self.refuse(where, ".apmtool.yaml", [command, *operands])
        self.refuse(where, DWARF, [command, *operands])
        # Another name of such a file takes nothing from the cache.
        for name in ("uuids", "CACHEDIR.TAG"):
            self.refuse(where, "cache/" + name, [command, *operands],
                        by_inode=False)
        (where / ".apmtool.yaml").unlink()

    def check(self, command):
        options, self.output = options_of(self.program, command)
        if not self.output:
            return
        if command not in OPERANDS:
            self.found.append(f"{command}: not known here, but has an output")
            return
        with tempfile.TemporaryDirectory(prefix="apmtool-output.") as room:
            where = pathlib.Path(room)
            make_room(self.program, where)
            for option, value in options.items():
                self.check_option(where, command, option, value)
            self.check_operands(where, command)
            self.check_config(where, command)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, type=os.path.abspath)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("commands", nargs="*")
    settings = parser.parse_args()
    checker = Checker(settings.program, settings.verbose)
    text = subprocess.run([settings.program, "--help"], check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    for command in re.findall(r"^  ([a-z-]+)  ", text, re.MULTILINE):
        if not settings.commands or command in settings.commands:
            checker.check(command)
    print(*checker.found, sep="\n", end="\n" if checker.found else "")
    print(f"{checker.cases} cases, {len(checker.found)} faults")
    return 1 if checker.found or not checker.cases else 0


if __name__ == "__main__":
    sys.exit(main())
