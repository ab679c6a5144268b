# SPDX-License-Identifier: MIT
"""The rows of the benchmark: some work of apmtool, the same work of another
tool, how much faster or slower, and whether that is what was aimed at.

A row is printed as soon as it is measured. A peer that is not installed has a
row as well, which says that it is missing."""

import os

WIDTHS = (34, 20, 38, 14, 18)


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


def cost(found):
    return f"{seconds(found.wall)}, {found.peak / 1e6:.0f} MB"


class Goals:
    def __init__(self):
        self.counts = {"reached": 0, "not reached": 0, "not measured": 0}

    def row(self, *cells, reached=None):
        if reached is not None:
            cells += ("reached" if reached else "NOT REACHED",)
            self.counts["reached" if reached else "not reached"] += 1
        print("".join(f"{cell:<{width}}"
                      for cell, width in zip(cells, (*WIDTHS, 0))).rstrip(),
              flush=True)

    def title(self, text):
        print(f"\n{text}")
        self.row("work", "apmtool", "beside", "is", "goal")

    def missing(self, work, ours, peer):
        self.counts["not measured"] += 1
        self.row(work, cost(ours), f"peer missing: {peer}")

    def faster(self, work, ours, peer, theirs, at_least=None, most_bytes=None):
        """So many times as fast as the peer; 1 / 1.5 is as slow at most."""
        if not theirs:
            self.missing(work, ours, peer)
            return
        ratio = theirs.wall / ours.wall
        goal, reached = "", None
        if at_least:
            goal = f">= {at_least:.3g} x"
            reached = ratio >= at_least
        if most_bytes:
            goal += f", {most_bytes / 1e6:.0f} MB"
            reached = reached is not False and ours.peak <= most_bytes
        self.row(work, cost(ours), f"{peer} {cost(theirs)}", f"{ratio:.2f} x",
                 goal, reached=reached)

    def at_most(self, work, ours, value, limit, form=seconds):
        """A value of its own, such as a time, that is not to be exceeded."""
        self.row(work, cost(ours), "", form(value), f"<= {form(limit)}",
                 reached=value <= limit)

    def at_least(self, work, ours, value, limit, unit):
        self.row(work, cost(ours), "", f"{value:.3g} {unit}",
                 f">= {limit:.3g} {unit}", reached=value >= limit)

    def close(self):
        print("\ngoals: " + ", ".join(f"{count} {name}" for name, count
                                      in self.counts.items())
              + "; load of the machine (1, 5, 15 minutes): "
              + " ".join(f"{load:.1f}" for load in os.getloadavg()))
