# SPDX-License-Identifier: MIT
"""Two jobs beside one.

The processors of a shared machine are not always equal: what another one does
on the same core can take a third of one's speed, for minutes. One job soon has
the quicker one; two jobs have both. So, where there are two, one job is
measured on each of them, and the mean of the two speeds is that of one."""

import os
import shutil

from measure import Cost, measure_each

FASTER = 1.7


def processors():
    """Both of them; none where there are more, or where none can be chosen."""
    if not hasattr(os, "sched_getaffinity") or not shutil.which("taskset"):
        return []
    found = sorted(os.sched_getaffinity(0))
    return found if len(found) == 2 else []


def mean(costs):
    return Cost(len(costs) / sum(1 / cost.wall for cost in costs),
                sum(cost.cpu for cost in costs) / len(costs),
                max(cost.peak for cost in costs))


def measure_jobs(command, runs, peers=()):
    """What one job costs where the system puts it, as it does the peers, which
    take turns with it; one on each of the processors; two jobs; the peers."""
    one = [*command, "-j", "1"]
    pinned = [["taskset", "-c", str(number), *one] for number in processors()]
    free, two, *costs = measure_each(
        [one, [*command, "-j", "2"], *pinned, *peers], runs)
    return (free, costs[:len(pinned)] or [free], two, costs[len(pinned):])


def two_jobs(options, name, ones, two):
    walls = ", ".join(f"{cost.wall:.2f}" for cost in ones)
    options.goals.faster(f"{name}, two jobs", two, f"one job ({walls})",
                         mean(ones), FASTER)
