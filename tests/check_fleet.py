#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A fleet whose causes are known, as a person would look at it.

    check_fleet.py --program build/dev/apmtool [--reports 2000] [--seed N]

Writes hang reports of several builds, systems and devices with seven causes,
one of them three times as common in one build as in the others, and asks
lag-aggregate: the groups have to be the causes, with their counts, and the
first screen of 24 lines of 100 columns has to name that one with its build. The
same against the builds before: it comes first, and the gate fails."""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

BUILDS = ["Demo 3.0 (300)", "Demo 3.1 (310)", "Demo 3.2 (320)",
          "Demo 3.3 (330)"]
WORSE = BUILDS[2]
SYSTEMS = ["iPhone OS 16.7.5 (20H307)", "iPhone OS 17.2 (21C62)",
           "iPhone OS 17.5.1 (21F90)", "iPhone OS 18.0 (22A3354)"]
DEVICES = ["iPhone12,1", "iPhone13,2", "iPhone14,5", "iPhone15,3", "iPad13,4"]
APP = "/private/var/containers/Bundle/Application/0/Demo.app/Demo"
BASE = 0x100000000

# The key, and the calls of the system below it that vary.
CAUSES = {
    "-[ThumbnailStore decodeAll]": ["png_read_row", "inflate", "memmove"],
    "-[SearchIndex rebuild]": ["sqlite3_step", "pread"],
    "-[FeedModel parseResponse:]": ["objc_msgSend", "malloc"],
    "-[SettingsStore synchronize]": ["fsync", "open"],
    "-[LoginController waitForToken]": ["__psynch_mutexwait"],
    "-[MapView layoutAnnotations]": ["CGRectUnion", "objc_msgSend"],
    "-[AudioSession activate]": ["mach_msg2_trap"],
}
GROWN = "-[SettingsStore synchronize]"
KEYS = list(CAUSES)

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print(f"failed: {what}")


def frame(name, is_app):
    ret = {"symbol": name}
    if is_app:
        ret["image"] = "Demo"
    else:
        ret["image"] = "libsystem_kernel.dylib"
    return ret


def samples(rng, key):
    outer = [frame("start", False), frame("main", True),
             frame("UIApplicationMain", False),
             frame("-[Controller update]", True)]
    ret = []
    for number in range(rng.randint(8, 40)):
        # Too few to be the cause of any report.
        if number % 9 == 4:
            stack = outer + [frame("-[Controller refresh]", True)]
        else:
            stack = outer + [frame(key, True),
                             frame(rng.choice(CAUSES[key]), False)]
        ret.append({"stack": stack})
    return ret


def report(rng, number, build, key):
    return {
        "id": f"report-{number}", "session": f"session-{number}",
        "app": build, "os": rng.choice(SYSTEMS), "device": rng.choice(DEVICES),
        "interval_ms": 50,
        "dyld_images": [
            {"name": APP, "base_addr": hex(BASE), "size": 1 << 20},
            {"name": "/usr/lib/system/libsystem_kernel.dylib",
             "base_addr": "0x1a0000000", "size": 1 << 20}],
        "samples": samples(rng, key),
    }


def write_fleet(path, rng, count):
    """One report in 13 is of each cause, but in the worse build."""
    counted = collections.Counter()
    with open(path, "w") as out:
        for number in range(count):
            build = rng.choice(BUILDS)
            weights = [3 if key == GROWN and build == WORSE else 1
                       for key in KEYS]
            if build == WORSE:
                # Of its 21 parts, 9 are the one: thrice 3 of 21 elsewhere.
                weights = [9 if key == GROWN else 2 for key in KEYS]
            key = rng.choices(KEYS, weights)[0]
            counted[key] += 1
            out.write(json.dumps(report(rng, number, build, key)) + "\n")
    return counted


def run(program, *args):
    return subprocess.run([program, "lag-aggregate", "-q", *map(str, args)],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          check=False)


def check_fleet(program, path, counted):
    rows = json.loads(run(program, "--format", "json", path).stdout)["rows"]
    found = {row["key"]: row["reports"] for row in rows}
    check(found == dict(counted), f"causes: {counted}, found {found}")
    standing = {row["key"]: row["stands_out"] for row in rows
                if row["stands_out"]}
    check(standing == {GROWN: WORSE}, f"stands out: {standing}")
    times = [float(row["stands_out_times"]) for row in rows
             if row["key"] == GROWN]
    check(times and 2 <= times[0] <= 4.5, f"times: {times}")
    screen = run(program, "--width", 100, path).stdout.decode()
    lines = screen.splitlines()[:24]
    check(any(GROWN in line and "(320)" in line for line in lines),
          "the first screen: " + screen)
    for jobs in (1, 3):
        check(run(program, "--jobs", jobs, "--width", 100,
                  path).stdout.decode() == screen, f"{jobs} jobs")


def check_baseline(program, path, directory):
    old, new = directory / "old.jsonl", directory / "new.jsonl"
    with open(path) as lines, open(old, "w") as before, \
            open(new, "w") as after:
        for line in lines:
            build = json.loads(line)["app"]
            if build == WORSE:
                after.write(line)
            elif build < WORSE:
                before.write(line)
    done = run(program, "--baseline", old, "--format", "json", "--fail-over",
               "10", new)
    rows = json.loads(done.stdout)["rows"]
    check(done.returncode == 1, f"the gate: status {done.returncode}")
    check(rows[0]["key"] == GROWN, f"grew most: {rows[0]['key']}")
    check(rows[0]["rate"] > 2 * rows[0]["old_rate"] > 0,
          f"rates: {rows[0]['rate']}, {rows[0]['old_rate']}")
    check(run(program, "--baseline", old, "--fail-over", "60",
              new).returncode == 0, "a wide gate")
    check(run(program, "--baseline", new, "--fail-over", "0",
              new).returncode == 0, "nothing grew")
    first = run(program, "--baseline", old, "--width", 100, new)
    lines = first.stdout.decode().splitlines()
    check(any(GROWN in line for line in lines[:6]),
          "the first line: " + first.stdout.decode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--reports", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="write the fleet to this file")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        path = pathlib.Path(args.keep or directory / "fleet.jsonl")
        counted = write_fleet(path, random.Random(args.seed), args.reports)
        check_fleet(args.program, path, counted)
        check_baseline(args.program, path, directory)
    if failures:
        sys.exit(f"{len(failures)} failures")
    print(f"fleet: {args.reports} reports, seven causes, and the build that "
          "has one of them more often")


if __name__ == "__main__":
    main()
