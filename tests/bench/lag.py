"""How fast samples are folded and drawn, beside the tools that do a part of
it: jq, and the scripts and programs that make flame graphs."""

import os
import shutil
import subprocess

from lag_samples import generated
from measure import peak_bytes, wall_seconds

SIZES = (100_000, 1_000_000)
# What each sample holds, read by a peer that knows JSON and nothing else.
JQ_STACKS = '.samples[] | .stack | join(";")'


def find_peers():
    """name of the work: (name of the peer, command without the input)"""
    peers = {}
    if shutil.which("jq"):
        peers["JSON to groups"] = peers["JSON to collapsed"] = (
            "jq", ["jq", "-r", JQ_STACKS])
    for name in ("inferno-flamegraph", "flamegraph.pl"):
        if shutil.which(name):
            peers["collapsed to SVG"] = (name, [name])
            break
    return peers


def row(*cells):
    widths = (31, 9, 10, 10, 9, 24)
    print("".join(f"{cell:<{width}}" if i == 0 else f"{cell:>{width}}"
                  for i, (cell, width) in enumerate(zip(cells, widths))),
          flush=True)


def measure(name, command, path, runs, peer):
    megabytes = os.path.getsize(path) / 1e6
    taken = wall_seconds(command + [path], runs)
    beside = ""
    if peer:
        theirs = wall_seconds(peer[1] + [path], 1)
        beside = f"{theirs / taken:.1f} x {peer[0]}"
    row(name, f"{megabytes:.0f} MB", f"{taken:.2f} s",
        f"{megabytes / taken:.0f} MB/s",
        f"{peak_bytes(command + [path]) / 1e6:.0f} MB", beside)


def added_up(options, reports):
    """The collapsed stacks of an input, each different one a line."""
    path = reports + ".folded"
    if not os.path.exists(path):
        subprocess.run([options.apmtool, "fold", "-q", "-o", path, reports],
                       check=True)
    return path


def measure_lag(options):
    peers = find_peers()
    print("\nsamples of 20 to 60 frames")
    row("", "input", "time", "speed", "memory", "")
    for samples in SIZES:
        reports, array, folded = (
            generated(options.work, kind, samples)
            for kind in ("reports", "array", "folded"))
        small = samples == SIZES[0]
        print(f"{samples:,}")
        for jobs in ("1", "2"):
            ours = [options.apmtool, "lag-aggregate", "-q", "-j", jobs]
            # jq needs minutes: it is measured once, on the smaller input.
            measure(f"JSON to groups, -j{jobs}", ours, reports, 3,
                    peers.get("JSON to groups")
                    if jobs == "1" and small else None)
        measure("one array to groups",
                [options.apmtool, "lag-aggregate", "-q"], array, 3, None)
        for jobs in ("1", "2"):
            measure(f"JSON to collapsed, -j{jobs}",
                    [options.apmtool, "fold", "-q", "-j", jobs], reports, 3,
                    peers.get("JSON to collapsed")
                    if jobs == "1" and small else None)
        draw = [options.apmtool, "flamegraph", "-q"]
        for jobs in ("1", "2"):
            measure(f"a line a sample to SVG, -j{jobs}", draw + ["-j", jobs],
                    folded, 3, peers.get("collapsed to SVG")
                    if jobs == "1" and small else None)
        measure("collapsed to SVG", draw, added_up(options, reports), 5,
                peers.get("collapsed to SVG"))
