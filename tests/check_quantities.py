#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Durations and sizes in all languages, against what ICU writes.

    tests/check_quantities.py --reader build/release/tests/quantities

Node's Intl.NumberFormat writes milliseconds, seconds, minutes, kB and MB in
every locale that it knows, in three widths and magnitudes
(tests/tools/quantity_units.mjs). None may be read wrongly. With the region of the
locale at least 95 % must be read exactly; without it less, as `1,234 s` is not
clear. Without Node the check is skipped."""

import argparse
import collections
import pathlib
import shutil
import subprocess
import sys

from checking import check, failures

SKIPPED = 77
LEAST_PERCENT = {"with the region": 95, "without a region": 90}
SCRIPT = pathlib.Path(__file__).resolve().parent / "tools/quantity_units.mjs"

Case = collections.namedtuple("Case", "locale region kind value text")


def read_all(reader, cases, where):
    with_region = where == "with the region"
    lines = "".join(f"{case.region if with_region else ''}\t{case.kind}\t{case.text}\n"
                    for case in cases)
    return subprocess.run([reader], input=lines, capture_output=True, text=True,
                          check=True).stdout.split("\n")[:-1]


def compare(reader, cases, where):
    said = read_all(reader, cases, where)
    unread = [case for case, value in zip(cases, said) if value == "-"]
    percent = 100 * (1 - len(unread) / len(cases))

    check(len(said) == len(cases), f"{where}: a line for each case")
    for case, value in zip(cases, said):
        check(value in ("-", case.value),
              f"{where}: {case.locale}: {case.text!r}: {value}, not {case.value}")
    check(percent >= LEAST_PERCENT[where], f"{where}: {percent:.2f} % are read; of the "
          f"others, {[case.text for case in unread[:20]]}")
    print(f"{where}: {percent:.2f} % of {len(cases)} are read")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reader", required=True)
    options = parser.parse_args()
    node = shutil.which("node")

    if not node:
        print("no node: skipped")
        sys.exit(SKIPPED)
    written = subprocess.run([node, SCRIPT, "cases"], capture_output=True, text=True,
                             check=True).stdout
    # A line may hold U+2028 and the like, but no line end.
    cases = [Case(*line.split("\t")) for line in written.split("\n")[:-1]]
    check(len(cases) > 10000, f"cases: {len(cases)}")
    for where in LEAST_PERCENT:
        compare(options.reader, cases, where)
    sys.exit(bool(failures))


main()
