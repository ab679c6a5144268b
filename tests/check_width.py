#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that text fits a terminal: no line is too long, no word is broken.

    tests/check_width.py --program build/dev/apmtool

Each command that has --width is run on samples at several widths, and each
--help, the messages on standard error, and what a terminal of 80 columns shows.
Beside words that were shortened, which hold an ellipsis, all words of a narrow
output must be words of the widest.
"""

import argparse
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTHS = [60, 80, 100, 132, 200]

# By command, each with its samples; every command with --width is here.
COMMANDS = {
    "config": ["", "--show-origin"],
    "diff": [
        "--dsym samples samples/demo.crash samples/demo.ips",
        "--stalls samples/lag/reports.jsonl samples/lag/bare.json",
    ],
    "doctor": [""],
    "exit-reason": ["samples/session"],
    "explain": ["-q -d samples samples/demo.crash", "-q samples/demo.ips"],
    "flamegraph": [
        "--format text samples/lag/reports.jsonl",
        "--format text --color always samples/lag/reports.jsonl",
        "--format text --diff samples/lag/demo.folded samples/lag/bare.json",
    ],
    "fold": [
        "--format text samples/lag/reports.jsonl",
        "--format text deep.folded",
    ],
    "group": [
        "--dsym samples samples/demo.crash samples/demo.ips samples/jetsam",
        "--owners samples/CODEOWNERS --dsym samples samples/demo.crash samples/demo.ips",
        "--explain --dsym samples samples/demo.crash",
        "--test-rules samples/demo.crash",
    ],
    "index": ["--dry-run samples"],
    "jetsam": [
        "samples/jetsam/limit.ips",
        "--color always samples/jetsam/limit.ips",
        "samples/jetsam",
        "samples/jetsam/trend",
        "--process Demo samples/jetsam/trend",
        "samples/memory/priority.txt",
        "--victims samples/jetsam",
    ],
    "lag-aggregate": [
        "samples/lag/reports.jsonl",
        "--dsym samples samples/lag/reports.jsonl",
        "--by class4 samples/lag/reports.jsonl",
        "--per-report samples/lag/reports.jsonl",
        "--explain samples/lag/reports.jsonl",
        "--explain samples/lag/nodes.json",
    ],
    "missing": ["samples --dsym samples", "samples/demo.crash"],
    "uuid": ["samples"],
}

# What a table says of itself.
NOTE = """columns that do not fit: image does not fit (--width=0 shows all) it)
symbols: evidence:"""


def width_of(text):
    """Columns of a terminal, by the tables of Unicode that Python has."""
    columns = 0
    for char in re.sub(r"\x1b\[[0-9;]*m", "", text):
        if unicodedata.category(char) in ("Mn", "Me", "Cf"):
            continue
        columns += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return columns


class Checker:
    def __init__(self, program, folder):
        self.folder = folder
        self.faults = []
        self.checked = 0
        self.env = {
            k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")
        }
        self.env.update(
            PATH=f"{program.resolve().parent}:{os.environ['PATH']}",
            HOME=str(folder),
            LC_ALL="C",
            TERM="xterm",
            APMTOOL_DSYM_PATH=f"samples/Demo.dSYM:samples/{'no/such/' * 9}dSYM",
        )

    def expect(self, place, true, what):
        self.checked += 1
        if not true:
            self.faults.append(f"{place}: {what}")

    def run(self, command):
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return done.stdout.decode()

    def run_at_terminal(self, command, columns, more=None):
        """What a terminal shows that has so many columns."""
        ours, theirs = pty.openpty()
        size = struct.pack("HHHH", 50, columns, 0, 0)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, size)
        child = subprocess.Popen(
            ["sh", "-c", command],
            cwd=self.folder,
            env={**self.env, **(more or {})},
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        shown = b""
        while True:
            try:
                data = os.read(ours, 65536)
            except OSError:  # Linux: no writer is left
                break
            if not data:
                break
            shown += data
        child.wait()
        os.close(ours)
        return shown.decode().replace("\r\n", "\n")

    def check_lines(self, place, text, columns, has_messages=False):
        self.expect(place, text, "nothing is printed")
        for line in text.splitlines():
            found = width_of(line)
            # A message names a file whole: it may be longer than a line.
            is_word = has_messages and len(line.split()) == 1
            # And a command that is to be copied stays in one line.
            is_word |= has_messages and line.startswith("  for details: ")
            self.expect(
                place,
                found <= columns or is_word,
                f"{found} columns, not {columns}: {line}",
            )
            self.expect(
                place, not line.endswith(" "), f"ends with a blank: {line!r}"
            )

    def check_words(self, place, text, whole):
        known = {word.rstrip(",:") for word in f"{whole} {NOTE}".split()}
        # Neither ellipses nor guides, and nothing like [12], a deep level.
        special = re.compile(r"[\u2026\u2500-\u259f]|^\[\d+\]$")
        for word in text.split():
            if not special.search(word):
                self.expect(
                    place, word.rstrip(",:") in known, f"a broken word: {word}"
                )

    def check_command(self, name, arguments):
        command = f"apmtool {name} {arguments}"
        piped = self.run(command)
        whole = self.run(f"{command} --width 0")
        self.expect(command, piped == whole, "a pipe gets less than all")
        for columns in WIDTHS:
            place = f"{command} --width {columns}"
            text = self.run(place)
            self.check_lines(place, text, columns)
            self.check_words(place, text, whole)
            self.expect(place, text == self.run(place), "differs the next time")
        shown = self.run_at_terminal(command, 80)
        self.check_lines(f"{command}, at a terminal", shown, 80, True)
        shown = self.run_at_terminal(command, 200, {"COLUMNS": "80"})
        self.check_lines(f"COLUMNS=80 {command}", shown, 80, True)

    def check_numbers(self):
        """The columns of numbers that stay are those of the wide table."""
        command = "apmtool jetsam samples/jetsam/limit.ips"
        number = re.compile(r"(?<![\w.-])\d+\.\d(?![\w.%])")
        wide = number.findall(self.run(command))
        for columns in WIDTHS:
            found = number.findall(self.run(f"{command} --width {columns}"))
            place = f"{command} --width {columns}"
            self.expect(place, set(found) <= set(wide), "a number changed")
            for shown in ("2098.1", "184.7", "1113.0"):
                self.expect(place, shown in found, f"{shown} is missing")


    def check_help(self):
        """Of all commands; those with --width are known here."""
        text = self.run("apmtool help").split("commands:\n")[1]
        names = re.findall(r"^  ([\w-]+) ", text.split("\n\n")[0], re.M)
        self.expect("apmtool help", len(names) > 10, "lists few commands")
        for name in ["", *names]:
            command = f"apmtool {name} --help"
            for columns in (80, 100):
                text = self.run_at_terminal(command, columns)
                self.check_lines(command, text, columns)
            has = "--width" in self.run(command)
            self.expect(command, has == (name in COMMANDS), "is not checked here")

    def check_messages(self):
        for command in [
            "schema",
            "symbolicate -q samples/demo.crash >out",
            f"jetsam no/such/{'file/' * 9}",
        ]:
            text = self.run_at_terminal(f"apmtool {command}; echo", 80)
            self.check_lines(command, text, 80, True)


    def check_order(self):
        """At a terminal, what is said of the run follows its result."""
        command = "apmtool explain samples/demo.crash samples/panic.ips no/file"
        shown = self.run_at_terminal(command, 200)
        at = [shown.find(text) for text in (
            "no/file", "apmtool: note: using", "apmtool: warning: ")]
        last = shown.rfind("File: ")
        self.expect(command, 0 <= at[0], "a failure is not said")
        self.expect(command, 0 < last < at[1], "a note is not last")
        self.expect(command, 0 < last < at[2], "a warning is not last")
        command = "apmtool explain -q - <samples/demo.crash"
        shown = self.run_at_terminal(command, 200)
        self.expect(command, "note:" not in shown, "is not quiet")


def write_deep_stacks(path):
    """Branches below branches, deeper than guides are drawn."""
    stack = [f"frame{i};other{i % 2}" for i in range(90)]
    lines = [f"{';'.join(stack)};a 1"]
    lines += [f"{';'.join(stack[:i])};side{i} 9" for i in range(1, 90)]
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="apmtool-width.") as name:
        folder = pathlib.Path(name)
        (folder / "samples").symlink_to(ROOT / "samples")
        write_deep_stacks(folder / "deep.folded")
        check = Checker(args.program, folder)
        check.check_help()
        for name, several in COMMANDS.items():
            for arguments in several:
                check.check_command(name, arguments)
        check.check_numbers()
        check.check_messages()
        check.check_order()
    print(*check.faults[:40], sep="\n", end="\n" if check.faults else "")
    print(f"{check.checked} checks, {len(check.faults)} faults")
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main())
