# SPDX-License-Identifier: MIT
"""T31: time, memory and output grow as the input does, whatever grows in it."""

import functools
import resource

from formats import formats_of, with_format
from growing import GROWING, bytes_of
from harness import Skipped, lower, test

TIMES = 4
SIZES = (200_000, 800_000, 3_200_000)
# Of the smallest size that can be measured, a byte may cost so much more.
FACTOR = 2.5
# Less than this is not measured: the start of the program, the page's style.
CPU_FLOOR = 0.05
MEMORY_FLOOR_MB = 16
OUTPUT_FLOOR = 1 << 18
# What grows without measure must not take the machine with it.
ADDRESS_SPACE = 2 << 30
TRIES = 3
GATE = 45


def cases(battery):
    """Of each kind each command in each of its formats, so that few of them,
    spread evenly, are of all kinds."""
    for kind, (commands, _) in GROWING.items():
        for command in commands:
            name = command.split()[0]
            for form in formats_of(battery.program, name):
                yield kind, command, with_format(name, form)


def costs(battery, command, form, path):
    """CPU seconds, MB beyond those of this process, bytes; and the status."""
    words = [str(path) if word == "SELF" else word for word in command.split()]
    done = battery.run([words[0], *form, *words[1:], path],
                       preexec_fn=lower(resource.RLIMIT_AS, ADDRESS_SPACE))
    return (done.cpu_seconds, done.memory_mb, len(done.out)), done


def grown(before, after, idle_mb):
    """What a byte costs more of than at a quarter of the size."""
    most = FACTOR * TIMES
    floors = (("s", CPU_FLOOR, 0), ("MB", MEMORY_FLOOR_MB, idle_mb),
              ("bytes of output", OUTPUT_FLOOR, 0))
    for (unit, floor, idle), one, other in zip(floors, before, after):
        if other - idle > most * max(one - idle, floor):
            yield unit


def check(battery, label, command, form, paths):
    def run(path):
        return costs(battery, command, form, path)

    idle, _ = costs(battery, "version", [], paths[0])
    sizes, found = [run(path) for path in paths], []
    for _ in range(TRIES):
        found = [unit for (one, _), (other, _) in zip(sizes, sizes[1:])
                 for unit in grown(one, other, idle[1])]
        if set(found) != {"s"}:
            break
        # Another program may be at work: the least of several counts.
        sizes = [(tuple(map(min, old, new)), done)
                 for (old, done), (new, _) in zip(sizes, map(run, paths))]
    for _, done in sizes:
        if done.status not in range(6):
            battery.fault(label, f"ended with {done.status}")
    for unit in found:
        battery.fault(label, f"{unit}: " + ", ".join(
            f"{cost[0]:.2f} s {cost[1]:.0f} MB {cost[2]} bytes"
            for cost, _ in sizes))


@test("T31", "growth", "four times the input takes four times as much, of each "
      "kind in each format")
def growth(battery):
    if battery.sanitized:
        raise Skipped("sanitizers have memory of their own")
    paths = [battery.scratch / f"input{size}" for size in SIZES]

    @functools.lru_cache(maxsize=1)
    def write(kind):
        for size, path in zip(SIZES, paths):
            path.write_bytes(bytes_of(kind, size))

    for kind, command, form in battery.some(cases(battery), GATE):
        write(kind)
        check(battery, f"{kind}: {command} {form[1]}", command, form, paths)
