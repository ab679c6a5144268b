# SPDX-License-Identifier: MIT
"""What of the battery has programs of its own: this is how it is called."""

import shutil
import subprocess
import sys

from harness import TESTS_DIR, TOP, Skipped, test


def call(battery, *command):
    """Another test of the tree; its faults are what it prints."""
    battery.runs += 1
    done = subprocess.run(list(map(str, command)), capture_output=True,
                          text=True, errors="replace", cwd=TOP, check=False)
    if done.returncode == 77:
        raise Skipped(done.stdout.strip()[-200:])
    if done.returncode:
        battery.fault(command[0], (done.stdout + done.stderr)[-3000:])


def python(battery, name, *arguments):
    call(battery, sys.executable, TESTS_DIR / name, *arguments)


@test("T1", "fuzz", "every fuzz target, an equal share of the time each "
      "(gates: fuzz.*)", gate=False)
def fuzz(battery):
    targets = len(list((TESTS_DIR / "fuzz").glob("*_fuzz.c")))
    call(battery, TOP / "dev", "fuzz", "", max(battery.seconds // targets, 1))


@test("T10", "bombs", "small files that ask for much time and memory (gate: "
      "check.bombs)", gate=False)
def bombs(battery):
    python(battery, "check_bombs.py", "--program", battery.program)


@test("T15", "cache", "the cache, its writers killed, its entries damaged: "
      "T15 to T17 (gate: check.cache)", gate=False)
def cache(battery):
    # A round takes about two seconds.
    python(battery, "check_cache.py", "--program", battery.program, "--rounds",
           max(battery.seconds // 2, 1), "--seed",
           battery.random.randrange(1 << 30))


@test("T23", "static", "clang-tidy on every file, shellcheck on scripts",
      gate=False)
def static(battery):
    call(battery, TOP / "dev", "tidy")
    if shutil.which("shellcheck"):
        call(battery, "shellcheck", TOP / "dev", TOP / ".ci/run")


@test("T28", "mutants", "what no test notices (./dev mutate; gate: "
      "check.mutants)", gate=False)
def mutants(battery):
    call(battery, TESTS_DIR / "mutate")


@test("T24", "oracles", "addresses beside llvm-symbolizer, the long run (gate: "
      "differential.llvm-symbolizer)", gate=False)
def oracles(battery):
    tools = TOP / "build/release/tests"
    python(battery, "differential/run", "--resolve", tools / "resolve",
           "--readers", tools / "readers", "--full")
