#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The scripts of pages and pictures are JavaScript.

    tests/check_scripts.py build/dev/embedded

A page's script is joined of several files, where a name that two of them
declare is an error of the whole: the page then shows a picture that does
nothing. Node says so in a moment, where check.flame needs a browser. Without
Node the check is skipped."""

import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77


def main():
    node = shutil.which("node")
    if not node:
        print("skipped: there is no node")
        return SKIPPED
    scripts = sorted(pathlib.Path(sys.argv[1]).glob("*.js"))
    faults = not scripts
    for script in scripts:
        done = subprocess.run([node, "--check", script], capture_output=True,
                              text=True, check=False)
        if done.returncode:
            print(f"{script.name}:\n{done.stderr}")
            faults = True
    print(f"{len(scripts)} scripts{', faults' if faults else ''}")
    return int(faults)


if __name__ == "__main__":
    sys.exit(main())
