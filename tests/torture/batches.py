# SPDX-License-Identifier: MIT
"""T8, T21, T22: deep inputs on a small stack, many inputs with bad ones among
them, and threads."""

import json
import os
import resource
import shutil
import subprocess

from damage import write
from formats import SYMBOLS
from harness import SAMPLES, TOP, Skipped, lower, sample, test

HEADER = b'{"bug_type":"309","timestamp":"2026-01-31 09:00:00.00 +0000"}\n'
DEEP = 1_000_000


def deep_inputs():
    yield "lists", "symbolicate", HEADER + b"[" * DEEP
    yield "objects", "symbolicate", HEADER + b'{"a":' * DEEP
    yield "objects of a sample", "lag-aggregate", b'[{"a":' * DEEP
    yield "XML lists", "exit-reason", (
        b'<?xml version="1.0"?><plist version="1.0">' + b"<array>" * DEEP)
    yield "a stack", "fold", b";".join([b"f"] * DEEP) + b" 1\n"
    yield "a tree", "fold", b"Analysis of sampling x\nCall graph:\n" + b"".join(
        b" " * i + b"+ 1 f  (in x)\n" for i in range(4, 1500))
    yield "generic names", "demangle", b"_Z1f" + b"I1a" * 100_000
    yield "Swift names", "demangle", b"$s1a" + b"Say" * 100_000
    yield "Rust names", "demangle", b"_R" + b"TNv" * 100_000


@test("T8", "depth", "a million levels of everything, on a stack of 256 kB")
def depth(battery):
    stack = None if battery.sanitized else lower(resource.RLIMIT_STACK,
                                                 256 << 10)
    for name, command, data in deep_inputs():
        path = write(battery, data)
        done = battery.run([command, *([] if command == "demangle" else
                                       [path])], preexec_fn=stack,
                           stdin=data if command == "demangle" else b"")
        battery.check(f"{name}: {command}", done)


def make_reports(battery, count):
    """Reports good and bad, and which are bad."""
    folder = battery.scratch / f"reports{count}"
    folder.mkdir()
    good = [sample("demo.ips"), sample("demo.crash"), sample("demo-mac.ips"),
            sample("demo-exception.crash")]
    bad = [b"", b"\0" * 100, b"{", b"nothing to see\n", b"\xff" * 64]
    paths, wrong = [], set()
    for i in range(count):
        path = folder / f"{i:04}"
        if i % 2:
            wrong.add(path)
        path.write_bytes(bad[i // 2 % len(bad)] if i % 2 else
                         good[i // 2 % len(good)])
        paths.append(path)
    return paths, wrong


@test("T21", "batch", "hundreds of inputs, half of them bad, with few "
      "descriptors and any number of jobs")
def batch(battery):
    paths, wrong = make_reports(battery, 300 if battery.campaign else 60)
    work = ["symbolicate", *SYMBOLS, "--format", "jsonl"]
    lines = battery.run([*work, "-q", *(path for path in paths
                                        if path not in wrong)])
    battery.check("good ones", lines)
    singles = [battery.run([*work, "-q", path]).out for path in paths[:12]
               if path not in wrong]
    if [json.loads(line)["threads"] for line in
            lines.out.splitlines()[:len(singles)]] != \
            [json.loads(one)["threads"] for one in singles]:
        battery.fault("a batch", "differs from single runs")
    expected = None
    for jobs in (1, 2, 8):
        for files in (64, 1024):
            done = battery.run([*work, "--jobs", jobs, *paths],
                               preexec_fn=lower(resource.RLIMIT_NOFILE, files))
            what = f"half of them bad, {jobs} jobs, {files} descriptors"
            battery.check(what, done)
            said = done.err.decode(errors="replace")
            if done.status != 3:
                battery.fault(what, f"status {done.status}: {said[-300:]}")
            silent = [path.name for path in wrong if str(path) not in said]
            if silent:
                battery.fault(what, f"nothing is said of {silent[:5]}")
            if (expected or done.out) != done.out:
                battery.fault(what, "the output differs")
            expected = done.out
    done = battery.run([*work, *sorted(wrong)])
    if done.status != 4:
        battery.fault("all bad", f"status {done.status}")
    os.chmod(paths[0], 0)
    if os.geteuid():
        done = battery.run([*work, *paths[:4]])
        if done.status != 3:
            battery.fault("unreadable", f"status {done.status}")


THREADED = [["symbolicate", *SYMBOLS], ["group"], ["missing"], ["explain"],
            ["lag-aggregate"], ["fold"], ["flamegraph"]]


@test("T22", "threads", "ThreadSanitizer on commands with 8 jobs (builds "
      "build/tsan)", gate=False)
def threads(battery):
    build = TOP / "build/tsan"
    options = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DAPMTOOL_TESTS=OFF",
               "-DAPMTOOL_SANITIZE=thread", "-DAPMTOOL_CALL_FILTER=OFF"]
    for command in (["cmake", "-S", TOP, "-B", build, *options],
                    ["cmake", "--build", build, "--target", "apmtool",
                     "--parallel", "2"]):
        done = subprocess.run(list(map(str, command)), capture_output=True,
                              check=False)
        if done.returncode:
            raise Skipped(f"it does not build: {done.stdout[-300:]!r}")
    battery.program, battery.sanitized = str(build / "apmtool"), True
    battery.begin()
    paths, _ = make_reports(battery, 60)
    inputs = {"lag-aggregate", "fold", "flamegraph"}
    for _ in battery.cases(1):
        for work in THREADED:
            files = [SAMPLES / "lag/reports.jsonl"] * 8 if work[0] in inputs \
                else paths
            cache = battery.scratch / "cache"
            done = battery.run([*work, "--jobs", "8", *files],
                               env={"APMTOOL_CACHE": cache,
                                    "TSAN_OPTIONS": "exitcode=66"})
            battery.check(work[0], done)


@test("T22", "valgrind", "every command under valgrind", gate=False)
def valgrind(battery):
    if not shutil.which("valgrind"):
        raise Skipped("valgrind is not installed")
    from formats import COMMANDS
    program, battery.program = battery.program, "valgrind"
    battery.sanitized = True
    for command, options, inputs in COMMANDS:
        for name in battery.some(inputs, 1):
            # It cannot follow the child through its filter of calls.
            kept = [] if command == "symbolicate" else options
            done = battery.run(["-q", "--error-exitcode=66", program, command,
                                *kept, SAMPLES / name])
            battery.check(f"{command} {name}", done)
