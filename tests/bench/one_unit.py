# SPDX-License-Identifier: MIT
"""A dSYM of one unit with 50,000 functions, as generated code has it."""

import argparse
import os
import shutil
import subprocess
import tempfile

from generate import CLANG, DSYMUTIL, link

FUNCTIONS = 50_000


def write_source(path):
    with open(path, "w") as file:
        file.write("int outside(int);\n")
        for i in range(FUNCTIONS):
            file.write(f"int part{i}(int x)\n{{\n\tint y = outside(x + {i});\n"
                       "\treturn y * x;\n}\n")


def make(path, work):
    source = os.path.join(work, "unit.c")
    write_source(source)
    subprocess.run(
        [CLANG, "-target", "arm64-apple-macos12", "-gdwarf-4", "-O1", "-c",
         source, "-o", source + ".o"], check=True)
    image = link(work, [source + ".o"], argparse.Namespace(arch="arm64"))
    subprocess.run([DSYMUTIL, "--flat", "-o", path + ".part", image],
                   check=True, capture_output=True)
    os.rename(path + ".part", path)


def generated(folder):
    path = os.path.join(folder, f"unit-{FUNCTIONS}.dwarf")
    if not os.path.exists(path):
        work = tempfile.mkdtemp(prefix="unit-", dir=folder)
        try:
            make(path, work)
        finally:
            shutil.rmtree(work)
    return path
