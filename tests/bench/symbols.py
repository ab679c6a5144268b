# SPDX-License-Identifier: MIT
"""Addresses to names, out of a dSYM of about 400 MB that no cache knows."""

import os
import random
import subprocess
import sys

import one_unit
from dsym_cache import generated
from macho_file import MachoFile
from measure import measure_each

UNITS, BODIES = 3000, 18
TEMPLATES = "records.cpp*8,shapes.cpp,flow.c"
# Addresses, runs, and how many times as fast as addr2line and llvm-symbolizer.
WORK = ((1, 20, 20, 50, 15e6), (100, 10, 4, 10, None), (10_000, 5, 2, 5, None))
ONE_UNIT_SECONDS = 0.008


def large_dsym(folder):
    print("generating, if it is not there yet (about a minute)", flush=True)
    path = generated(folder, f"large-{UNITS}", "--units", str(UNITS),
                     "--bodies", str(BODIES), "--dwarf", "4",
                     "--templates", TEMPLATES)
    return path or sys.exit("bench: there are no tools to generate with")


def functions_of(path):
    with open(path, "rb") as file:
        return MachoFile(file.read()).functions()


def write_addresses(functions, count, path):
    """Random addresses over all units; reading the file warms the cache."""
    pick = random.Random(count)
    with open(path, "w") as file:
        for low, high, _ in pick.choices(functions, k=count):
            file.write(f"{pick.randrange(low, high):#x}\n")
    return path


def address_files(path, folder):
    functions = functions_of(path)
    print(f"{os.path.getsize(path) / 1e6:.0f} MB, {UNITS} units, "
          f"{len(functions)} functions")
    return {count: write_addresses(
        functions, count, os.path.join(folder, f"addresses-{count}"))
        for count, *_ in WORK}


def names_found(command):
    """How many addresses got a name: failures are no benchmark."""
    out = subprocess.run(command, capture_output=True, text=True,
                         check=True).stdout
    chains = [chain for chain in out.split("\n\n") if chain.strip()]
    return sum(not chain.startswith(("??", "0x")) for chain in chains)


def atos(options, path, addresses=None):
    command = [options.apmtool, "atos", "-o", path, "-arch", "arm64", "-i"]
    return command + ["-f", addresses] if addresses else command


def streamed(command, path):
    return ["sh", "-c", f'exec "$@" <"{path}"', "sh", *command]


def check_names(ours, peers):
    for name, command in peers:
        if name == "llvm-symbolizer" and command and \
                names_found(ours) != names_found(command):
            raise SystemExit(f"apmtool names {names_found(ours)}, "
                             f"{name} {names_found(command)}")


def compare(options, path, addresses, work):
    count, runs, addr2line, llvm, most_bytes = work
    peers = options.peers.lookups(path, addresses)
    ours = atos(options, path, addresses)
    check_names(ours, peers)
    name = f"{count:,} address{'es' if count > 1 else ''}, cold"
    names, commands = [name], [ours]
    if count == WORK[-1][0]:
        names.append("the same, streamed to stdin")
        commands.append(streamed(atos(options, path), addresses))
    costs = measure_each(commands + [command for _, command in peers], runs)
    for (peer, _), theirs, goal in zip(peers, costs[len(names):],
                                       (addr2line, llvm)):
        for name, cost in zip(names, costs):
            options.goals.faster(name, cost, peer, theirs, goal, most_bytes)


def compare_one_unit(options):
    """Of one huge unit, an address must not cost as much as all of them. What
    it costs depends on how many functions come before its own: the goal is
    for one in the middle, the last one shows the most it can be."""
    path = one_unit.generated(options.work)
    functions = sorted(functions_of(path))
    title = f"1 address, unit of {one_unit.FUNCTIONS:,}"
    last = len(functions) - 1
    for name, place, goal in ((title, last // 2, ONE_UNIT_SECONDS),
                              ("the same, its last function", last, None)):
        addresses = write_addresses(
            [functions[place]], 1,
            os.path.join(options.work, f"addresses-unit-{place}"))
        peers = options.peers.lookups(path, addresses)
        ours, *costs = measure_each(
            [atos(options, path, addresses)] +
            [command for _, command in peers], 10)
        if goal:
            options.goals.at_most(name, ours, ours.wall, goal)
        for (peer, _), cost in zip(peers, costs):
            options.goals.faster(name, ours, peer, cost)


def measure_lookups(options):
    path = large_dsym(options.work)
    files = address_files(path, options.work)
    options.goals.title("addresses, without a cache")
    for work in WORK:
        compare(options, path, files[work[0]], work)
    compare_one_unit(options)
    return path, files
