"""How fast samples are folded and drawn, beside the tools that do a part of
it: jq, and the scripts and programs that make flame graphs."""

import os
import shutil

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
    widths = (22, 9, 10, 10, 9, 9, 20)
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


def measure_lag(options):
    peers = find_peers()
    print("\nsamples of 20 to 60 frames")
    row("", "input", "time", "speed", "memory", "")
    for samples in SIZES:
        reports, array, folded = (
            generated(options.work, kind, samples)
            for kind in ("reports", "array", "folded"))
        runs = 3 if samples == SIZES[0] else 1
        print(f"{samples:,}")
        for jobs in ("1", "2"):
            ours = [options.apmtool, "lag-aggregate", "-q", "-j", jobs]
            # A peer is measured once, on the smaller input: jq needs minutes.
            measure(f"JSON to groups, -j{jobs}", ours, reports, runs,
                    peers.get("JSON to groups")
                    if jobs == "1" and samples == SIZES[0] else None)
        measure("one array to groups",
                [options.apmtool, "lag-aggregate", "-q"], array, runs, None)
        measure("JSON to collapsed", [options.apmtool, "fold", "-q"], reports,
                runs, peers.get("JSON to collapsed")
                if samples == SIZES[0] else None)
        measure("collapsed to SVG", [options.apmtool, "flamegraph", "-q"],
                folded, runs, peers.get("collapsed to SVG"))
