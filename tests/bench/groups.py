# SPDX-License-Identifier: MIT
"""How fast crashes are grouped: small reports, a line each, of invented
causes whose frames have names already."""

import os
import re
import sys

from measure import peak_bytes, wall_seconds

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
import check_groups  # noqa: E402

CAUSES, VARIANTS = 200, 25
SIZES = (20_000, 100_000)


def generated(folder, count):
    """The same 5,000 reports again and again, which is quick to write; each
    with an incident id of its own, for it is no duplicate."""
    path = os.path.join(folder, f"crashes-{count}.jsonl")
    if not os.path.exists(path):
        part = path + ".part"
        check_groups.write_reports(part, CAUSES, VARIANTS, 1)
        with open(part, "rb") as file:
            reports = file.read()
        with open(path + ".new", "wb") as file:
            for copy in range(count // (CAUSES * VARIANTS)):
                file.write(re.sub(rb'("incident": ?")..',
                                  rb"\g<1>%02X" % copy, reports))
        os.remove(part)
        os.rename(path + ".new", path)
    return path


def measure_groups(options):
    print(f"\ncrash reports to groups, of {CAUSES} causes")
    for count in SIZES:
        path = generated(options.work, count)
        megabytes = os.path.getsize(path) / 1e6
        for jobs in ("1", "2"):
            command = [options.apmtool, "group", "-q", "-j", jobs, path]
            taken = wall_seconds(command, 3)
            print(f"{count:>9,} -j{jobs} {megabytes:6.0f} MB {taken:6.2f} s "
                  f"{count / taken:9,.0f} reports/s "
                  f"{peak_bytes(command) / 1e6:6.0f} MB", flush=True)
