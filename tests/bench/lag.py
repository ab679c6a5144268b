# SPDX-License-Identifier: MIT
"""How fast samples are folded and drawn, beside the tools that do a part of
it: jq, and the scripts and programs that make flame graphs."""

import os
import subprocess

from jobs import measure_jobs, two_jobs
from lag_samples import generated
from measure import measure

SIZES = (100_000, 1_000_000)
ARRAY_BYTES = 200e6
# So many times as fast; the memory is not to be more than that of inferno.
DRAWERS = {"inferno-flamegraph": 2, "flamegraph.pl": 30}
# What each sample holds, read by a peer that knows JSON and nothing else.
JQ_STACKS = '.samples[] | .stack | join(";")'


def add_up(options, reports):
    """The collapsed stacks of an input, each different one a line."""
    path = reports + ".folded"
    if not os.path.exists(path):
        subprocess.run([options.apmtool, "fold", "-q", "-o", path, reports],
                       check=True)
    return path


def measure_reports(options, reports, is_small):
    """jq needs minutes: it reads the smaller input only."""
    for name, command in (("JSON to groups", "lag-aggregate"),
                          ("JSON to collapsed", "fold")):
        one, ones, two, _ = measure_jobs(
            [options.apmtool, command, "-q", reports], 5)
        two_jobs(options, name, ones, two)
        jq = options.peers.jq
        if is_small:
            options.goals.faster(f"{name}, one job", one, "jq", measure(
                jq and [jq, "-r", JQ_STACKS, reports], 1))


def measure_drawing(options, name, path, is_all):
    ours = measure([options.apmtool, "flamegraph", "-q", path], 3)
    for peer, command in options.peers.drawers():
        if is_all or peer == "inferno-flamegraph":
            theirs = measure(command and [*command, path], 1)
            most = None
            if theirs and peer == "inferno-flamegraph":
                most = theirs.peak
            options.goals.faster(name, ours, peer, theirs, DRAWERS[peer], most)


def measure_lag(options):
    for samples in SIZES:
        options.goals.title(f"{samples:,} samples of 20 to 60 frames")
        reports, array, folded = (
            generated(options.work, kind, samples)
            for kind in ("reports", "array", "folded"))
        is_small = samples == SIZES[0]
        measure_reports(options, reports, is_small)
        whole = measure([options.apmtool, "lag-aggregate", "-q", array], 2)
        options.goals.at_most("one array to groups", whole, whole.peak,
                              ARRAY_BYTES, lambda b: f"{b / 1e6:.0f} MB")
        measure_drawing(options, "a line a sample to SVG", folded, is_small)
        measure_drawing(options, "collapsed to SVG", add_up(options, reports),
                        True)
