#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What apmtool-worker costs beside its filters: CPU seconds of all processes but the
broker's, for small reports.

    tests/bench/worker.py --program build/release/apmtool [--reports N]

The same reports go through `apmtool filter` alone, and through a broker of Apache Kafka
and apmtool-worker with one filter. Both are run three times; the best counts."""

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

RUNS = 3
BYTES = 8450
GOAL = 1.15


def small(number):
    """About as large as reports are in the field."""
    report = fleet.report(number, "whole")
    at = report.value.index("Binary Images:")
    line = "Thread {}:\n" + "".join(
        f"{i}   libsystem_kernel.dylib        \t0x00000001803f{i}104 0x1803f0000 + 2{i}\n"
        for i in range(8)) + "\n"
    more = "".join(line.format(50 + i) for i in range((BYTES - len(report.value)) // len(line) + 1))
    return report._replace(value=report.value[:at] + more + report.value[at:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=lambda path: pathlib.Path(path).resolve(),
                        required=True)
    parser.add_argument("--reports", type=int, default=50000)
    settings = parser.parse_args()
    reason = kafka.missing()
    if reason:
        print(f"skipped: {reason}")
        return 77
    reports = [small(number) for number in range(settings.reports)]
    environment = dict(os.environ, APMTOOL_AUTO="0")
    common = ["--dsym", fleet.SAMPLES]
    with tempfile.TemporaryDirectory() as name, kafka.Cluster(name, 1) as cluster:
        frames = pathlib.Path(name, "frames")
        with frames.open("wb") as file:
            for report in reports:
                data = report.value.encode()
                file.write(len(data).to_bytes(4, "big") + data)
        cluster.create("apm.raw", "apm.event", "apm.waiting", "apm.dead")
        fleet.produce(cluster.unguarded, "apm.raw", reports)
        alone, through = [], []
        for i in range(RUNS):
            with frames.open("rb") as file, open(os.devnull, "wb") as out:
                alone.append(measured.run(
                    [settings.program, "filter", "--frame", "u32", "--jobs", "1", *common], 600,
                    stdin=file, stdout=out, env=environment).cpu_seconds)
            done = measured.run(
                [settings.program.parent / "apmtool-worker", "--brokers", cluster.servers,
                 "--group", f"run{i}", "--until-end", "--jobs", "1", *common], 600,
                env=environment)
            if done.status:
                raise SystemExit("the worker failed")
            through.append(done.cpu_seconds)
    size = sum(len(report.value) for report in reports) / len(reports)
    ratio = min(through) / min(alone)
    print(f"{len(reports)} reports of {size:.0f} bytes: filter alone {min(alone):.2f} s, "
          f"worker and filter {min(through):.2f} s, {ratio:.2f} × (goal {GOAL}); "
          f"{len(reports) / min(through):.0f} reports a core and second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
