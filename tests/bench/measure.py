# SPDX-License-Identifier: MIT
"""Wall time and peak memory of a command and all its children."""

import collections
import os
import threading
import time

Cost = collections.namedtuple("Cost", "wall cpu peak")
LONG_SECONDS = 5


def spawn(command):
    null = os.open(os.devnull, os.O_RDWR)
    try:
        return os.posix_spawnp(command[0], command, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)])
    finally:
        os.close(null)


def reap(pid, command, allowed=(0,)):
    _, status, usage = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in allowed:
        raise SystemExit(f"{' '.join(command[:4])}: ended with {code}")
    return usage


def run_seconds(command, allowed=(0,)):
    """Wall and CPU time of a run."""
    start = time.perf_counter()
    usage = reap(spawn(command), command, allowed)
    return (time.perf_counter() - start, usage.ru_utime + usage.ru_stime)


def best_of_each(commands, runs, allowed=(0,)):
    """Wall and CPU time, the best of a few runs: what is left is the work, not
    the noise. The commands take turns, so a machine that is slow for a while is
    so for all. One that takes long runs once: its noise evens out."""
    best = [(float("inf"),) * 2 for _ in commands]
    for turn in range(runs):
        for i, command in enumerate(commands):
            if turn > 1 and best[i][0] > LONG_SECONDS:
                continue
            best[i] = tuple(map(min, best[i], run_seconds(command, allowed)))
    return best


def wall_seconds(command, runs, allowed=(0,)):
    return best_of_each([command], runs, allowed)[0][0]


def measure_each(commands, runs, allowed=(0,)):
    """What commands cost that are compared; None for no command, a peer that
    is missing."""
    there = [command for command in commands if command]
    costs = iter([Cost(*best, peak_bytes(command, allowed)) for command, best
                  in zip(there, best_of_each(there, runs, allowed))])
    return [next(costs) if command else None for command in commands]


def measure(command, runs, allowed=(0,)):
    return measure_each([command], runs, allowed)[0]


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except (OSError, ValueError):
        return []


def high_water_bytes(pid):
    """The most this process has had in memory so far; None: it is gone."""
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


def watch(pid, peaks, done):
    while not done.is_set():
        waiting = [pid]
        while waiting:
            one = waiting.pop()
            # The latest is the highest, but for exec(): before it, the new
            # process has our own memory, which must not count.
            peaks[one] = high_water_bytes(one) or peaks.get(one, 0)
            waiting += children(one)


def peaks(command, at_least_seconds=2, allowed=(0,)):
    """The peaks of the command and of each of its children, added up, and how
    many processes these are.

    wait4() alone gives the largest of them, which would hide a child that
    works for its parent, and is never less than the memory of this program.
    Pages that two of them share count twice: the sum is never too kind. A
    child of a few milliseconds is easily missed: short commands run often."""
    highest, runs = (0, 0), 0
    end = time.monotonic() + at_least_seconds
    while not runs or (time.monotonic() < end and runs < 100):
        runs += 1
        pid = spawn(command)
        found, done = {}, threading.Event()
        watcher = threading.Thread(target=watch, args=(pid, found, done))
        watcher.start()
        reap(pid, command, allowed)
        done.set()
        watcher.join()
        highest = max(highest, (sum(found.values()), len(found)))
    return highest


def peak_bytes(command, allowed=(0,)):
    return peaks(command, allowed=allowed)[0]
