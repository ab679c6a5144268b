#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What apmtool-worker costs beside its filters: CPU seconds of all processes but the
broker's, for small reports.

    tests/bench/worker.py --program build/release/apmtool [--reports N] [--varied N]

The same reports go through `apmtool filter` alone, and through a broker of Apache Kafka
and apmtool-worker with one filter. Both are run three times; the best counts. Then
varied reports (varied.py), and what a day of a thousand million of them takes."""

import argparse
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import kafka  # noqa: E402 pylint: disable=wrong-import-position
import measured  # noqa: E402 pylint: disable=wrong-import-position
import worker_fleet as fleet  # noqa: E402 pylint: disable=wrong-import-position
from varied import varied  # noqa: E402 pylint: disable=wrong-import-position

RUNS = 3
BYTES = 8450
GOAL = 1.15
DAY_REPORTS = 10**9
PEAK, LOAD = 3, 0.4


def small(number):
    """About as large as reports are in the field."""
    report = fleet.report(number, "whole")
    at = report.value.index("Binary Images:")
    line = "Thread {}:\n" + "".join(
        f"{i}   libsystem_kernel.dylib        \t0x00000001803f{i}104 0x1803f0000 + 2{i}\n"
        for i in range(8)) + "\n"
    more = "".join(line.format(50 + i) for i in range((BYTES - len(report.value)) // len(line) + 1))
    return report._replace(value=report.value[:at] + more + report.value[at:])


def measure(cluster, settings, name, reports):
    """CPU seconds of the filter alone, and of worker and filter, and the bytes of all
    events: payloads, keys and headers."""
    environment = dict(os.environ, APMTOOL_AUTO="0")
    common = ["--dsym", fleet.SAMPLES]
    frames = cluster.folder / "frames"
    with frames.open("wb") as file:
        for report in reports:
            data = report.value.encode()
            file.write(len(data).to_bytes(4, "big") + data)
    topics = {topic: f"{name}.{topic}" for topic in ("raw", "event", "waiting", "dead")}
    cluster.create(*topics.values())
    config = cluster.folder / "worker.yaml"
    listed = ", ".join(f"{topic}: {full}" for topic, full in topics.items())
    config.write_text(f"topics: {{{listed}}}\n")
    fleet.produce(cluster.unguarded, topics["raw"], reports)
    alone, through = [], []
    for i in range(RUNS):
        with frames.open("rb") as file, open(os.devnull, "wb") as out:
            alone.append(measured.run(
                [settings.program, "filter", "--frame", "u32", "--jobs", "1", *common], 600,
                stdin=file, stdout=out, env=environment).cpu_seconds)
        done = measured.run(
            [settings.program.parent / "apmtool-worker", "--brokers", cluster.servers,
             "--config", config, "--group", f"{name}{i}", "--until-end", "--jobs", "1", *common],
            600, env=environment)
        if done.status:
            raise SystemExit("the worker failed")
        through.append(done.cpu_seconds)
    events = fleet.consume(cluster.unguarded, topics["event"])
    if len(events) != RUNS * len(reports):
        raise SystemExit(f"{len(events)} events of {RUNS} x {len(reports)} reports")
    sizes = sum(len(each["payload"].encode()) + len(each["key"]) +
                sum(len(key) + len(value) for key, value in each["headers"].items())
                for each in events)
    return min(alone), min(through), sizes / RUNS


def print_ratio(name, count, size, alone, through):
    goal = f" (goal {GOAL})" if name == "small" else ""
    print(f"{count} {name} reports of {size:.0f} bytes: filter alone {alone:.2f} s, worker and "
          f"filter {through:.2f} s, {through / alone:.2f} ×{goal}; "
          f"{count / through:.0f} reports a core and second")


def print_day(size, ms, event_size):
    """What a day of reports takes, by what one does."""
    mean = DAY_REPORTS / 86400
    peak = PEAK * mean
    cores = peak * ms / 1000
    print(f"{DAY_REPORTS:,} reports a day, {mean:,.0f} a second, {peak:,.0f} at the peak: "
          f"{ms:.3f} ms of CPU each, {cores:.1f} cores at the peak, {cores / LOAD:.0f} at "
          f"{LOAD:.0%} load; in {peak * size / 1e6:.0f} MB/s, events out "
          f"{peak * event_size / 1e6:.0f} MB/s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=lambda path: pathlib.Path(path).resolve(),
                        required=True)
    parser.add_argument("--reports", type=int, default=50000)
    parser.add_argument("--varied", type=int, default=10000)
    settings = parser.parse_args()
    reason = kafka.missing()
    if reason:
        print(f"skipped: {reason}")
        return 77
    with tempfile.TemporaryDirectory() as folder, kafka.Cluster(folder, 1) as cluster:
        for name, count, make in (("small", settings.reports, small),
                                  ("varied", settings.varied, varied)):
            reports = [make(number) for number in range(count)]
            alone, through, events = measure(cluster, settings, name, reports)
            size = sum(len(report.value) for report in reports) / count
            print_ratio(name, count, size, alone, through)
            if name == "varied":
                print_day(size, through / count * 1000, events / count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
