#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make a large dSYM out of a few template units.

Each template is compiled once for each optimisation level; the objects are
then cloned by replacing a token of fixed length in all their names, linked,
and given to dsymutil. So hundreds of units cost a few compilations, and
thousands half a minute."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from armv7_layout import Layout  # noqa: E402

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                         "templates")
TOKEN = "QZ0000"
TARGETS = {"arm64": "arm64-apple-macos12", "x86_64": "x86_64-apple-macos12",
           "arm64_32": "arm64_32-apple-watchos7",
           "armv7": "armv7-apple-ios9"}
PLATFORMS = {"arm64_32": ("watchos", "7.0")}
PREAMBLES = {
    "shapes.cpp": '#include "shared.hpp"\n',
    "records.cpp": '#include "shared.hpp"\n',
    "flow.c": "unsigned outside(unsigned);\n",
    "actor.m": "unsigned outside(unsigned);\nvoid *outside_pointer(void *);\n",
}


def newest(tool):
    """A tool of the newest LLVM that has it; None: there is none."""
    return next((found for suffix in ("-19", "-14", "")
                 if (found := shutil.which(tool + suffix))), None)


CLANG, LINKER, DSYMUTIL = map(newest, ("clang", "ld64.lld", "dsymutil"))


def writes_sound_dwarf5():
    """LLVM 14's dsymutil leaves some addresses of DWARF 5 as they were in
    the objects; functions then overlap."""
    text = subprocess.run([DSYMUTIL, "--version"],
                          capture_output=True, text=True).stdout
    found = re.search(r"version (\d+)", text)
    return found is not None and int(found[1]) >= 17


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{command[0]}: {done.stderr.strip()[:2000]}")


def write_unit(template, bodies, path):
    with open(os.path.join(TEMPLATES, template + ".in")) as file:
        body = file.read()
    with open(path, "w") as file:
        file.write(PREAMBLES[template])
        for number in range(bodies):
            file.write(body.replace("@N@", str(number))
                       .replace("@FILE@", path))


def compile_template(work, template, level, options):
    """A template object: its name and its bytes."""
    # The token in the file's name makes every clone a file of its own.
    stem, kind = template.split(".")
    source = os.path.join(work, f"{stem}_{level}_{TOKEN}.{kind}")
    write_unit(template, options.bodies, source)
    run(CLANG, "-target", TARGETS[options.arch],
        f"-gdwarf-{options.dwarf}", "-" + level, "-c", "-fblocks",
        "-ffreestanding", "-fno-exceptions", "-fno-rtti",
        "-fno-threadsafe-statics",
        "-std=gnu++17" if kind == "cpp" else "-std=gnu11", "-I", TEMPLATES,
        "-fdebug-compilation-dir=/src/gen",
        f"-ffile-prefix-map={work}=/src/gen",
        f"-ffile-prefix-map={TEMPLATES}=/src/gen/include",
        source, "-o", source + ".o")
    with open(source + ".o", "rb") as file:
        return os.path.basename(source), file.read()


def compile_templates(work, options):
    """What to clone, in turn: each template at each level, as often as its
    weight says (`records.cpp*8`)."""
    objects = []
    for level in options.levels.split(","):
        for item in options.templates.split(","):
            template, _, weight = item.partition("*")
            compiled = compile_template(work, template, level, options)
            objects += [compiled] * int(weight or 1)
    return objects


def clone(work, objects, units):
    paths = []
    for number in range(units):
        token = f"QZ{number + 1:04d}"
        name, data = objects[number % len(objects)]
        path = os.path.join(work, name.replace(TOKEN, token) + ".o")
        with open(path, "wb") as file:
            file.write(data.replace(TOKEN.encode(), token.encode()))
        os.utime(path, (1, 1))
        paths.append(path)
    return paths


def link(work, paths, options):
    image = os.path.join(work, "image")
    if options.arch == "armv7":
        layout = Layout()
        for path in paths:
            layout.add(path)
        with open(image, "wb") as file:
            file.write(layout.image())
        return image
    with open(os.path.join(work, "objects"), "w") as file:
        file.write("\n".join(paths))
    system, version = PLATFORMS.get(options.arch, ("macos", "12.0"))
    run(LINKER, "-arch", options.arch,
        "-platform_version", system, version, version, "-dylib",
        "-undefined", "dynamic_lookup", "-o", image,
        "-filelist", os.path.join(work, "objects"))
    return image


def generate(options):
    work = tempfile.mkdtemp(prefix="generate-", dir=options.work)
    try:
        objects = compile_templates(work, options)
        paths = clone(work, objects, options.units)
        image = link(work, paths, options)
        run(DSYMUTIL, "--flat", "-o", image + ".dwarf", image)
        shutil.move(image + ".dwarf", options.output)
    finally:
        shutil.rmtree(work)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", help="the flat dSYM file to write")
    parser.add_argument("--arch", choices=sorted(TARGETS), default="arm64")
    parser.add_argument("--dwarf", type=int, choices=(2, 3, 4, 5), default=5)
    parser.add_argument("--units", type=int, default=60)
    parser.add_argument("--bodies", type=int, default=2,
                        help="how often a template repeats its code")
    parser.add_argument("--levels", default="O0,O1,O2")
    parser.add_argument("--templates", default=",".join(PREAMBLES),
                        help="which, with weights, as records.cpp*8,flow.c")
    parser.add_argument("--work", help="where to put the objects meanwhile")
    options = parser.parse_args()
    if not (CLANG and LINKER and DSYMUTIL):
        print("generate: clang, ld64.lld and dsymutil are needed",
              file=sys.stderr)
        return 77
    if options.dwarf == 5 and not writes_sound_dwarf5():
        print("generate: this dsymutil is too old for DWARF 5",
              file=sys.stderr)
        return 77
    generate(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
