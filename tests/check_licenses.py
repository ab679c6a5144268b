#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that each source file names its license.

    tests/check_licenses.py [--accept] [--reuse]

The first line of a source file, or the one after `#!`, is an SPDX line; --accept
adds it where it is missing. REUSE.toml speaks for all other files, whose bytes
matter: samples, goldens, what is embedded into pages. --reuse runs `reuse lint`
over the tree, and exits with 77 (skipped) without a `reuse` that knows REUSE.toml.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINE = "SPDX-License-" + "Identifier: MIT"
TOPS = [".ci", ".githooks", ".github", "cmake", "cmd", "debian", "dev", "formatters", "lib",
        "parsers", "tests", "CMakeLists.txt", "action.yml"]
# Inputs and outputs of tests.
DATA = ("tests/cli/", "tests/fuzz/corpus/", "tests/packages/")
COMMENTS = {
    ".c": "//", ".h": "//", ".cpp": "//", ".def": "//",
    ".py": "#", ".sh": "#", ".cmake": "#", ".yml": "#", ".rb": "#", ".awk": "#",
}
NO_SOURCE = {"tests/cli/run": "#"}
SKIPPED = 77


def comment_of(path):
    """How a line of this file becomes a comment; None: it is no source file."""
    name = path.relative_to(ROOT).as_posix()
    if name in NO_SOURCE:
        return NO_SOURCE[name]
    if name.startswith(DATA) or "__pycache__" in name:
        return None
    if path.name == "CMakeLists.txt":
        return "#"
    if path.suffix in COMMENTS:
        return COMMENTS[path.suffix]
    with path.open("rb") as file:
        return "#" if file.read(2) == b"#!" else None


def sources():
    """Source files and their comments."""
    for top in TOPS:
        path = ROOT / top
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in found:
            comment = comment_of(file) if file.is_file() and not file.is_symlink() else None
            if comment:
                yield file, comment


def check_lines(accept):
    count = missing = 0
    for path, comment in sources():
        count += 1
        lines = path.read_text().splitlines(keepends=True)
        at = 1 if lines and lines[0].startswith("#!") else 0
        line = f"{comment} {LINE}\n"
        if lines[at:at + 1] == [line]:
            continue
        if accept:
            lines.insert(at, line)
            path.write_text("".join(lines))
            continue
        missing += 1
        print(f"{path.relative_to(ROOT)}:{at + 1}: expected '{line.strip()}'"
              " (tests/check_licenses.py --accept adds it)")
    print(f"{count} source files, {missing} without their license")
    return 1 if missing else 0


def lint():
    """REUSE.toml came with version 4."""
    reuse = shutil.which("reuse")
    version = reuse and subprocess.run([reuse, "--version"], capture_output=True,
                                       text=True, check=False).stdout
    found = re.search(r"(\d+)\.", version or "")
    if not found or int(found.group(1)) < 4:
        print("skipped: no reuse 4 or newer (pipx install reuse)")
        return SKIPPED
    return subprocess.run([reuse, "--root", str(ROOT), "lint"], check=False).returncode


if __name__ == "__main__":
    sys.exit(lint() if "--reuse" in sys.argv else check_lines("--accept" in sys.argv))
