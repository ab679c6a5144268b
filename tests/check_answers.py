#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check lib/answers: many children `apmtool filter`, which die and are replaced.

    tests/check_answers.py --program build/dev/apmtool --tool build/dev/ask_filters

The tool passes frames to children and prints their answers (tests/tools/ask_filters.c).
Exits with 77 (skipped) where /proc does not list the children of a process."""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from check_filter import FRAMINGS, SAMPLES, mixed
from checking import check, check_equal, failures

KILLS = 6
OPTIONS = ["-d", str(SAMPLES), "--no-cache", "--jobs", "1"]


def children_of(pid):
    path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()]


def check_line(line, expected, what):
    status, reason, documents, number, meta = expected
    words = line.split(" ", 5)
    check_equal((words[1], words[2], int(words[3])), (status, reason or "-", documents), what)
    answer = json.loads(line[line.index('{"schema":"apmtool.answer/1"'):])
    check_equal((answer["status"], answer["id"]), (status, number), what)
    check_equal(int(words[4]), len(answer["missing"]), f"{what}: missing")
    ids = [document["id"] for document in answer["documents"] if "id" in document]
    for each in ids:
        check(f" {each} " in line, f"{what}: {each} is read")
    check(not meta or f'"meta":{meta}' in line, f"{what}: meta")


def run(tool, frames, children, while_running=None):
    """Its lines by number, and what it wrote on standard error."""
    with subprocess.Popen([tool, str(children), *OPTIONS], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, APMTOOL_AUTO="0")) as child:
        def write():
            for frame, _ in frames:
                child.stdin.write(FRAMINGS["u32"](frame))
            child.stdin.close()

        writer = threading.Thread(target=write)
        writer.start()
        lines = {}
        for line in child.stdout:
            number = int(line.split()[0])
            check(number not in lines, f"frame {number} has one answer")
            lines[number] = line.decode()
            if while_running:
                while_running(child, len(lines))
        writer.join()
        errors = child.stderr.read().decode()
    check_equal(child.returncode, 0, f"{children} children: {errors[-500:]}")
    return lines, errors


def check_all(lines, frames, what):
    check_equal(sorted(lines), list(range(len(frames))), f"{what}: answers")
    for number, line in lines.items():
        check_line(line, frames[number][1], f"{what}, frame {number}")


def check_kills(tool, frames):
    """Whichever child is killed, each frame has its answer."""
    step = len(frames) // KILLS
    rng = random.Random(5)

    def kill(child, done):
        found = children_of(child.pid)
        if done % step == 0 and found:
            os.kill(rng.choice(found), signal.SIGKILL)

    lines, errors = run(tool, frames, 3, kill)
    check_all(lines, frames, "after kills")
    lost = int(re.search(r"lost (\d+)", errors).group(1))
    check(lost >= KILLS - 2, f"children were lost: {errors}")


def check_silence(tool, frames):
    """A child that stops is replaced, and so is its work."""
    stopped = []

    def stop(child, _):
        if not stopped:
            stopped.append(children_of(child.pid)[0])
            os.kill(stopped[0], signal.SIGSTOP)

    began = time.monotonic()
    lines, errors = run(tool, frames, 2, stop)
    check_all(lines, frames, "after silence")
    check("lost 1" in errors, f"one child was lost: {errors}")
    check(time.monotonic() - began < 30, "silence takes no longer than its limit")


def check_program(program, tool):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        alone = shutil.copy(tool, folder)
        for script, expected in (
                (None, "cannot execute"),
                ("#!/bin/sh\necho apmtool 9.9\n", "another version: expected 'apmtool 0"),
                ("#!/bin/sh\n" + f"'{program}' version | sed 's/^commit.*/commit 1/'\n",
                 "expected 'commit"),
                ("#!/bin/sh\nexit 3\n", "version' failed"),
                ("#!/bin/sh\nyes apmtool\n", "version' failed")):
            if script:
                (folder / "apmtool").write_text(script)
                (folder / "apmtool").chmod(0o755)
            done = subprocess.run([alone, "find"], capture_output=True, check=False, timeout=60)
            check(done.returncode == 1 and expected in done.stderr.decode(),
                  f"{script}: {done.stderr.decode()}")
    done = subprocess.run([tool, "2", "--no-such"], stdin=subprocess.DEVNULL,
                          capture_output=True, check=False, timeout=60)
    check(done.returncode == 1 and done.stderr.count(b"'--no-such'") == 1 and
          b"refuses its options" in done.stderr, f"options that are wrong: {done.stderr.decode()}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--program", "--tool"):
        parser.add_argument(name, type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("--frames", type=int, default=1100)
    settings = parser.parse_args()
    if not pathlib.Path(f"/proc/self/task/{os.getpid()}/children").exists():
        print("skipped: /proc does not list children")
        return 77
    frames = list(mixed(settings.frames, random.Random(3)))
    check_program(settings.program, settings.tool)
    for count in (1, 3):
        check_all(run(settings.tool, frames, count)[0], frames, f"{count} children")
    check_kills(settings.tool, frames)
    check_silence(settings.tool, frames)
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
