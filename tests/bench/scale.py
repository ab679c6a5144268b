# SPDX-License-Identifier: MIT
"""What a report costs in a pipeline: `apmtool filter` on reports of several kinds
and sizes, beside `apmtool symbolicate` on the same; how many a caller gets that
waits for each answer; and what follows for a fleet."""

import json
import os
import subprocess
import time

from goals import cost
from measure import measure_each, peaks
from reports import json_report

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       "../../samples")
SMALL_BYTES = 8450
# Reports of each kind, and their share in a fleet (scale: most are small).
COUNTS = {"small": 20_000, "large": 1_500, "missing": 20_000, "damaged": 20_000}
WAITING = 10_000
LEAST_WAITING = 5_000
MOST_OF_SYMBOLICATE = 1.15
MOST_GROWTH = 5_000_000
# A fleet: reports a day, how much more than the mean a peak is, how busy a machine
# may be, and how many of ten reports are large.
FLEET, PEAK, LOAD, LARGE = 10 ** 9, 3, 0.4, 0.1


def envelope(number, report):
    return (json.dumps({"apm": 1, "id": number, "report": report},
                       separators=(",", ":")) + "\n").encode()


def small_report(number):
    """A crash of the sample app, filled up with what no one reads."""
    with open(os.path.join(SAMPLES, "demo.crash")) as file:
        text = file.read().replace("B05D348A", f"{number:08X}")
    return text + "\nfiller: " + "x" * max(SMALL_BYTES - len(text) - 10, 0)


def report_of(kind, number):
    if kind == "large":
        return json_report().replace("00000000-1234", f"{number:08X}-1234")
    text = small_report(number)
    if kind == "missing":
        return text.replace("4c4c44bd", f"{number:08x}")
    if kind == "damaged":
        return text[:len(text) // 3 + number % 1000]
    return text


def generated(options, kind, count):
    path = os.path.join(options.work, f"frames-{kind}-{count}")
    if not os.path.exists(path):
        with open(path + ".part", "wb") as file:
            for number in range(count):
                file.write(envelope(number, report_of(kind, number)))
        os.rename(path + ".part", path)
    return path


def plain(options, path):
    """The reports of a file of frames, each a file, for symbolicate."""
    folder = path + ".reports"
    if not os.path.exists(folder):
        os.makedirs(folder + ".part")
        with open(path, "rb") as file:
            for number, line in enumerate(file):
                name = os.path.join(folder + ".part", f"{number:06}.crash")
                with open(name, "w") as report:
                    report.write(json.loads(line)["report"])
        os.rename(folder + ".part", folder)
    return folder


def filtering(options, path, *more):
    return ["sh", "-c", '"$0" filter -j1 -d "$1" ' + " ".join(more) + ' <"$2"',
            options.apmtool, SAMPLES, path]


def measure_kinds(options):
    """CPU milliseconds of a report of each kind."""
    found = {}
    options.goals.title("a report in a filter, one processor")
    for kind, count in COUNTS.items():
        path = generated(options, kind, count)
        ours, theirs = measure_each(
            [filtering(options, path),
             [options.apmtool, "symbolicate", "-q", "-j1", "--no-auto", "-d", SAMPLES,
              "--format", "event", plain(options, path)]], 3, (0, 3))
        found[kind] = ours.cpu / count
        ratio = ours.wall / theirs.wall
        options.goals.row(
            f"{kind}, {os.path.getsize(path) / count / 1000:.1f} kB each",
            f"{count / ours.wall:,.0f}/s, {found[kind] * 1000:.3f} CPU ms",
            f"symbolicate, files: {cost(theirs)}", f"{ratio:.2f} x",
            f"<= {MOST_OF_SYMBOLICATE} x" if kind == "small" else "",
            reached=ratio <= MOST_OF_SYMBOLICATE if kind == "small" else None)
    return found


def measure_waiting(options):
    """A caller that waits for each answer before it sends the next report."""
    path = generated(options, "small", COUNTS["small"])
    child = subprocess.Popen([options.apmtool, "filter", "-d", SAMPLES],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with open(path, "rb") as file:
        lines = [file.readline() for _ in range(WAITING)]
    start = time.perf_counter()
    for line in lines:
        child.stdin.write(line)
        child.stdin.flush()
        child.stdout.readline()
    rate = WAITING / (time.perf_counter() - start)
    child.communicate()
    options.goals.row("one after the other", f"{rate:,.0f}/s", "", "",
                      f">= {LEAST_WAITING:,}/s",
                      reached=rate >= LEAST_WAITING)


def measure_growth(options):
    counts = 20_000, 200_000
    few, many = (peaks(filtering(options, generated(options, "small", count)),
                       0)[0] for count in counts)
    options.goals.row("memory, 20,000 and 200,000 frames",
                      f"{few / 1e6:.0f} and {many / 1e6:.0f} MB", "", "",
                      f"<= {MOST_GROWTH / 1e6:.0f} MB more",
                      reached=many - few <= MOST_GROWTH)


def print_fleet(found):
    """What so many reports a day ask for, by the costs above."""
    each = found["small"] * (1 - LARGE) + found["large"] * LARGE
    mean = FLEET / 86_400
    cores = mean * PEAK * each
    print(f"\n{FLEET:,} reports a day, {LARGE:.0%} of them large: "
          f"{mean:,.0f}/s, {mean * PEAK:,.0f}/s at the peak; "
          f"{each * 1000:.3f} CPU ms each: {cores:.1f} cores at the peak, "
          f"{cores / LOAD:.0f} at a load of {LOAD:.0%}")


def measure_scale(options):
    found = measure_kinds(options)
    measure_waiting(options)
    measure_growth(options)
    print_fleet(found)
