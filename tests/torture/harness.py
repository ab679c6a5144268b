# SPDX-License-Identifier: MIT
"""What the tests of the battery share: their list, and running the program.

A test is a function of a Battery, with its number in the table of promises
(T1 to T35). It runs a fixed number of cases as a gate, and cases without end,
until its time is over, as a campaign:

    @test("T4", "damage", "bits and bytes of samples changed at random")
    def damage(battery):
        for _ in battery.cases(200):
            battery.check("what was done", battery.run([...]))
"""

import os
import pathlib
import random
import resource
import time
from dataclasses import dataclass

import measured

TESTS_DIR = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS_DIR.parent
SAMPLES = TOP / "samples"

STATUSES = {0, 1, 2, 3, 4, 5}
CPU_SECONDS = 3
MEMORY_MB = 256
WALL_SECONDS = 60
# Sanitizers: a tenth of the cases, more time, and memory of their own.
SANITIZED_SHARE = 10
FAULTS_MOST = 40
REGISTERED = {}


@dataclass
class Test:
    number: str
    name: str
    summary: str
    run: object
    gate: bool


def test(number, name, summary, gate=True):
    """Without a gate a test is a campaign only."""
    def add(function):
        REGISTERED[name] = Test(number, name, summary, function, gate)
        return function
    return add


class Skipped(Exception):
    """Something that the test needs is not installed."""


@dataclass
class Done:
    status: int  # negative: the signal that ended it
    out: bytes
    err: bytes
    cpu_seconds: float
    memory_mb: float


class Battery:
    """One run of one test."""

    def __init__(self, settings, scratch):
        self.program = str(settings.program.resolve())
        self.shim = settings.shim
        self.sanitized = settings.sanitized
        self.seconds = settings.seconds
        self.beside = settings.beside
        # Another program, of which what differs is wanted.
        self.against = settings.against and str(settings.against.resolve())
        self.scratch = scratch
        self.seed = settings.seed
        self.random = random.Random(settings.seed)
        self.end = time.monotonic() + (settings.seconds or 0)
        self.runs = 0
        self.found = []

    @property
    def campaign(self):
        return self.seconds is not None

    def begin(self):
        """What was done so far was to get ready: the time begins now."""
        self.end = time.monotonic() + (self.seconds or 0)

    def cases(self, gate):
        """Numbers of cases: @p gate of them, or until the time is over."""
        if self.sanitized and not self.campaign:
            gate = max(gate // SANITIZED_SHARE, 1)
        number = 0
        while (time.monotonic() < self.end if self.campaign
               else number < gate) and len(self.found) < FAULTS_MOST:
            yield number
            number += 1

    def some(self, items, gate):
        """All of a list in a campaign, else so many of them, spread evenly."""
        items = list(items)
        if self.campaign:
            for item in items:
                if time.monotonic() < self.end:
                    yield item
            return
        if self.sanitized:
            gate = max(gate // SANITIZED_SHARE, 1)
        step = max(len(items) / gate, 1)
        for i in range(min(gate, len(items))):
            yield items[int(i * step)]

    def environment(self, **more):
        kept = {key: value for key, value in os.environ.items()
                if key == "PATH" or key.endswith("SAN_OPTIONS")}
        changes = {"APMTOOL_CACHE": "none", "APMTOOL_CONFIG": "none",
                   "APMTOOL_AUTO": "0", "HOME": str(self.scratch),
                   "TMPDIR": str(self.scratch), "LC_ALL": "C", "TZ": "UTC"}
        kept.update(changes)
        kept.update({key: str(value) for key, value in more.items()})
        return {key: value for key, value in kept.items() if value != "unset"}

    def run(self, arguments, stdin=b"", env=None, **more):
        """Run the program; output goes to files, so that nothing waits."""
        self.runs += 1
        paths = [self.scratch / f".{name}" for name in ("in", "out", "err")]
        paths[0].write_bytes(stdin)
        with open(paths[0], "rb") as source, open(paths[1], "wb") as out, \
                open(paths[2], "wb") as err:
            done = measured.run(
                [self.program, *map(str, arguments)], WALL_SECONDS, **{
                    "stdin": source, "stdout": out, "stderr": err,
                    "cwd": self.scratch, **more},
                env=self.environment(**(env or {})))
        return Done(done.status, paths[1].read_bytes(), paths[2].read_bytes(),
                    done.cpu_seconds, done.memory_mb)

    def fault(self, what, why):
        self.found.append(f"{what}: {why}")

    def check(self, what, done, statuses=frozenset(STATUSES)):
        """The promise for any input: a documented end, in time and memory."""
        said = done.err[-2000:].decode(errors="replace")
        if done.status not in statuses:
            self.fault(what, f"ended with {done.status}: {said}")
        if b"Sanitizer" in done.err or b"runtime error" in done.err:
            self.fault(what, said)
        if self.sanitized:
            return
        if done.cpu_seconds > CPU_SECONDS:
            self.fault(what, f"took {done.cpu_seconds:.1f} s")
        if done.memory_mb > MEMORY_MB:
            self.fault(what, f"took {done.memory_mb:.0f} MB")


def lower(kind, value):
    """For preexec_fn: a limit of this process."""
    return lambda: resource.setrlimit(kind, (value, value))


def sample(name):
    return (SAMPLES / name).read_bytes()
