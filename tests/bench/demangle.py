# SPDX-License-Identifier: MIT
"""How fast names are demangled: a million of each language, C++ beside
c++filt, which knows no Swift."""

import os
import shutil
import sys

from measure import peak_bytes, wall_seconds

COUNT = 1_000_000
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit",
                     "lib", "symbols", "demangle", "swift.txt")


def swift_names():
    with open(TABLE) as file:
        return [line.split(" | ")[0] for line in file
                if line.strip() and not line.startswith("#")]


def identifier(number):
    name = f"part{number}"
    return f"{len(name)}{name}"


def cxx_names():
    """Methods of nested classes and templates, as real programs have them."""
    names = []
    for i in range(400):
        path = "".join(identifier(i * k % 97) for k in range(1, 2 + i % 4))
        names.append(f"_ZN{path}7processERKNS_5EntryEPKcm")
        names.append(f"_ZNK{path}3getISt6vectorIiSaIiEEEERKT_v")
        names.append(f"_ZZN{path}3runEvENKUlvE_clEv")
    return names


def file_of(names, path):
    if not os.path.exists(path):
        with open(path, "w") as file:
            for i in range(COUNT):
                file.write(f"{names[i % len(names)]}\n")
    return path


def seconds_of(tool, path, runs=3):
    command = ["sh", "-c", f'exec "$@" <"{path}"', "sh", *tool]
    return wall_seconds(command, runs), peak_bytes(command)


def measure_demangle(options):
    print(f"\n{COUNT:,} names, one processor", flush=True)
    ours = [options.apmtool, "demangle"]
    for language, names in (("Swift", swift_names()), ("C++", cxx_names())):
        path = file_of(names, os.path.join(options.work, f"names-{language}"))
        taken, peak = seconds_of(ours, path)
        line = (f"{language:<6} {taken:.2f} s, {COUNT / taken / 1e6:.2f} "
                f"million a second, {peak / 1e6:.0f} MB")
        if language == "C++" and shutil.which("c++filt"):
            theirs, their_peak = seconds_of(["c++filt"], path)
            line += (f"; c++filt {theirs:.2f} s, {their_peak / 1e6:.0f} MB: "
                     f"{theirs / taken:.2f} x as long")
        print(line, flush=True)
    sys.stdout.flush()
