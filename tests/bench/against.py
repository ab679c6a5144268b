# SPDX-License-Identifier: MIT
"""This program beside another build of it, row by row.

The two take turns, A B B A, at least nine pairs; medians count. First the other
program runs against itself: what differs there is noise. No row may take more than
its floor, of wall time, of CPU time or of memory (the peaks of all processes of a
run, added up)."""

import collections
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

import groups
import lag_samples
from cache import cache
from demangle import cxx_names, swift_names
from dsym_cache import generated
from goals import seconds
from measure import peaks, run_seconds
from reports import jetsam_log, json_report, text_report
from symbols import BODIES, TEMPLATES, functions_of, write_addresses

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
PAIRS_MIN, PAIRS_MAX, PAIRS_SECONDS = 9, 51, 1
PEAK_SECONDS = 0.5
NOISE = 1.03
FLOOR, SHORT, ARRAY = 1.15, 1.5, 2.2
# Below it, memory is measured by the process, and not as a ratio.
SMALL_BYTES, PROCESS_BYTES = 64e6, 8e6
# All of it, and what takes a few minutes.
SIZES = {"units": (3000, 600), "reports": (2000, 400),
         "samples": (200_000, 50_000), "crashes": (20_000, 10_000),
         "names": (500_000, 100_000)}
WIDTHS = (26, 26, 26, 8, 8, 8, 8)

Row = collections.namedtuple("Row", "name floor command begin is_warm",
                             defaults=(None, False))
Taken = collections.namedtuple("Taken", "wall cpu peak processes")


class Work:
    """Inputs, made where they are not there yet, and rows that read them."""

    def __init__(self, options):
        self.folder = options.work
        self.sizes = {name: small if options.small else full
                      for name, (full, small) in SIZES.items()}

    def path(self, name):
        return os.path.join(self.folder, name)

    def reports(self, name, extension, text):
        count = self.sizes["reports"]
        folder = self.path(f"against-{name}-{count}")
        if not os.path.isdir(folder):
            os.makedirs(folder + ".part", exist_ok=True)
            for i in range(count):
                path = os.path.join(folder + ".part", f"{i:04d}.{extension}")
                with open(path, "w") as file:
                    file.write(text)
            os.rename(folder + ".part", folder)
        return folder

    def names(self, language, names):
        path = self.path(f"against-{language}-{self.sizes['names']}")
        if not os.path.exists(path):
            pick = random.Random(1)
            with open(path, "w") as file:
                file.writelines(name + "\n" for name in pick.choices(
                    names, k=self.sizes["names"]))
        return path

    def dsym(self):
        units = self.sizes["units"]
        path = generated(self.folder, f"large-{units}", "--units", str(units),
                         "--bodies", str(BODIES), "--dwarf", "4",
                         "--templates", TEMPLATES)
        return path or sys.exit("bench: there are no tools to generate with")

    def addresses(self):
        dsym = self.dsym()
        functions = functions_of(dsym)
        for count in (1, 100, 10_000):
            listed = write_addresses(functions, count,
                                     self.path(f"against-addresses-{count}"))
            command = ["atos", "-o", dsym, "-arch", "arm64", "-i", "-f", listed]
            name = f"{count:,} address{'es' if count > 1 else ''}"
            yield Row(f"{name}, cold", SHORT if count == 1 else FLOOR, command)
            yield Row(f"{name}, warm", FLOOR if count == 100 else SHORT,
                      command, is_warm=True)
        yield Row("full index", FLOOR, ["index", "--symbols", "-q", dsym],
                  drop_cache)

    def small_report(self):
        samples = os.path.join(ROOT, "samples")
        yield Row("one small report", SHORT,
                  ["symbolicate", "-q", "-d", samples,
                   os.path.join(samples, "demo.crash")])

    def many_reports(self):
        for kind, text in (("ips", json_report()), ("crash", text_report())):
            folder = self.reports(kind, kind, text)
            for form in ("text", "json"):
                yield from with_jobs(
                    f".{kind} to {form}", FLOOR,
                    ["symbolicate", "--format", form, "-q", folder])
        yield Row("jetsam logs", FLOOR,
                  ["jetsam", "-q", self.reports("jetsam", "ips", jetsam_log())])

    def hangs(self):
        lines, array, folded = (
            lag_samples.generated(self.folder, kind, self.sizes["samples"])
            for kind in ("reports", "array", "folded"))
        yield from with_jobs("hangs, JSON lines", FLOOR,
                             ["lag-aggregate", "-q", lines])
        yield from with_jobs("hangs, one array", ARRAY,
                             ["lag-aggregate", "-q", array])
        yield from with_jobs("hangs, fold", FLOOR, ["fold", "-q", lines])
        yield Row("collapsed to SVG", FLOOR, ["flamegraph", "-q", folded])

    def demangling(self):
        for language, names in (("Swift", swift_names()), ("C++", cxx_names())):
            path = self.names(language, names)
            yield Row(f"demangle {language}", FLOOR, ["demangle", "<", path])

    def grouping(self):
        path = groups.generated(self.folder, self.sizes["crashes"])
        yield from with_jobs("group", FLOOR, ["group", "-q", path])

    def rows(self, words):
        """Those whose names have one of the words; all without any."""
        for make in (self.addresses, self.small_report, self.many_reports,
                     self.hangs, self.demangling, self.grouping):
            for row in make():
                if not words or any(word in row.name for word in words):
                    yield row


def with_jobs(name, floor, command):
    for jobs in ("1", "2"):
        yield Row(f"{name}, {jobs} job{'' if jobs == '1' else 's'}", floor,
                  [*command, "-j", jobs])


def drop_cache():
    shutil.rmtree(os.environ["APMTOOL_CACHE"], ignore_errors=True)


class Side:
    """One of the two programs, with a cache of its own."""

    def __init__(self, work, program, name):
        self.program = program
        self.cache = work.path(f"against-cache-{name}")
        self.warmed = set()

    def command(self, row):
        if "<" not in row.command:
            return [self.program, *row.command]
        words = row.command[:row.command.index("<")]
        return ["sh", "-c", f'exec "$@" <"{row.command[-1]}"', "sh",
                self.program, *words]

    def warm_up(self, dsym):
        if dsym not in self.warmed:
            drop_cache()
            subprocess.run([self.program, "index", "--symbols", "-q", dsym],
                           check=True, stdout=subprocess.DEVNULL)
            self.warmed.add(dsym)

    def take(self, row, measured):
        with cache(self.cache if row.is_warm or row.begin else "none"):
            if row.is_warm:
                self.warm_up(row.command[2])
            if row.begin:
                self.warmed.clear()
                row.begin()
            return measured(self.command(row))


def compare(row, one, other):
    """Medians of what the two take."""
    taken = {one: [], other: []}
    end = time.monotonic() + PAIRS_SECONDS
    pair = 0
    while pair < PAIRS_MIN or (pair < PAIRS_MAX and time.monotonic() < end):
        for side in (one, other) if pair % 2 else (other, one):
            taken[side].append(side.take(row, run_seconds))
        pair += 1
    for side in (one, other):
        memory = side.take(row, lambda command: peaks(command, PEAK_SECONDS))
        yield Taken(*map(statistics.median, zip(*taken[side])), *memory)


def cost(taken):
    return (f"{seconds(taken.wall)}, {seconds(taken.cpu)}, "
            f"{taken.peak / 1e6:.0f} MB")


def line(*cells):
    print("".join(f"{cell:<{width}}"
                  for cell, width in zip(cells, (*WIDTHS, 0))).rstrip(),
          flush=True)


def memory_is_within(before, now, floor):
    if before.peak < SMALL_BYTES:
        return now.peak <= before.peak + PROCESS_BYTES * now.processes
    return now.peak <= before.peak * floor


def print_row(row, before, now, judges_wall):
    """Whether the row is within its floor."""
    wall, cpu = now.wall / before.wall, now.cpu / before.cpu
    within = (cpu <= row.floor and
              (wall <= row.floor or not judges_wall) and
              memory_is_within(before, now, row.floor))
    line(row.name, cost(before), cost(now), f"{wall:.2f}", f"{cpu:.2f}",
         f"{now.peak / before.peak:.2f}", f"{row.floor:.2f}",
         "within" if within else "ABOVE ITS FLOOR")
    return within


def is_quiet(row, before, control):
    """Whether the program takes as long as itself, by the clock and in CPU
    time: where it does not, the wall time of no row is judged."""
    one, other = compare(row, before, control)
    ratios = other.wall / one.wall, other.cpu / one.cpu
    noise = [max(ratio, 1 / ratio) > NOISE for ratio in ratios]
    line("before against itself", cost(one), cost(other), f"{ratios[0]:.2f}",
         f"{ratios[1]:.2f}", f"{other.peak / one.peak:.2f}", f"{NOISE:.2f}",
         "noisy: trust no ratio" if noise[1] else
         "noisy: wall time is not judged" if noise[0] else "quiet")
    return not any(noise)


def measure_against(options):
    """Status 1: a row is above its floor."""
    work = Work(options)
    before = Side(work, os.path.abspath(options.against), "before")
    now = Side(work, os.path.abspath(options.apmtool), "now")
    above, quiet = [], None
    line("row", "before (wall, CPU, peak)", "now", "wall", "CPU", "memory",
         "floor")
    for row in work.rows(options.rows):
        if quiet is None:
            quiet = is_quiet(row, before,
                             Side(work, before.program, "before"))
        if not print_row(row, *compare(row, before, now), quiet):
            above.append(row.name)
    print("above their floor: " + "; ".join(above) if above
          else "all rows are within their floor")
    return 1 if above else 0
