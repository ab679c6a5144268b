# SPDX-License-Identifier: MIT
"""Lag reports for the benchmark: stalls of an invented app, 25 samples each,
of 20 to 60 frames that are symbols, as a lag monitor sends them."""

import json
import os
import random

PER_REPORT = 25
STACKS = 20_000
SYSTEM = ("start", "main", "UIApplicationMain", "GSEventRunModal",
          "CFRunLoopRunSpecific", "__CFRunLoopRun", "__CFRunLoopDoSources0",
          "__CFRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE0_PERFORM_FUNCTION__")
CLASSES = ("FeedViewController", "ImageCache", "ThemeManager", "SearchIndex",
           "MarkdownRenderer", "PlaybackQueue", "AccountStore", "MapOverlay")
VERBS = ("layoutSubviews", "reloadVisibleCellsAnimated:", "decodeImageAtURL:",
         "synchronouslyFetchObjects:", "applyThemeToView:", "prepareForReuse",
         "parseResponse:intoContext:error:", "updateConstraintsIfNeeded")


def functions():
    return [f"-[{name}{i} {verb}]" for name in CLASSES for verb in VERBS
            for i in range(12)]


def stacks(pick):
    """Stacks that begin alike and part here and there, as real ones do."""
    names = functions()
    trunk = list(SYSTEM)
    made = []
    for _ in range(STACKS):
        # Go back some way, and go on from there.
        trunk = trunk[:pick.randint(len(SYSTEM), max(len(SYSTEM), len(trunk)))]
        depth = pick.randint(20, 60)
        trunk = trunk[:depth]
        while len(trunk) < depth:
            trunk.append(pick.choice(names))
        made.append(tuple(trunk))
    return made


def write_reports(path, samples):
    """JSON Lines; returns the folded truth: samples and different stacks."""
    pick = random.Random(samples)
    made = stacks(pick)
    rendered = [f'{{"time_ms":%d,"stack":{json.dumps(stack)}}}'
                for stack in made]
    seen = set()
    with open(path, "w") as file:
        for i in range(samples // PER_REPORT):
            near = pick.randrange(STACKS)
            chosen = [(near + pick.randrange(8)) % STACKS
                      for _ in range(PER_REPORT)]
            seen.update(chosen)
            rows = ",".join(rendered[k] % (50 * j)
                            for j, k in enumerate(chosen))
            file.write(f'{{"id":"r{i}","session":"s{i // 3}",'
                       f'"interval_ms":50,"device":"iPhone{14 + i % 3},2",'
                       f'"os":"17.{i % 5}","samples":[{rows}]}}\n')
    return len({made[k] for k in seen})


def write_array(path, samples):
    """One array of samples, on one line."""
    pick = random.Random(samples)
    rendered = [f'{{"time_ms":%d,"stack":{json.dumps(stack)}}}'
                for stack in stacks(pick)]
    with open(path, "w") as file:
        file.write("[")
        for i in range(samples):
            file.write(("," if i else "") + pick.choice(rendered) % (50 * i))
        file.write("]\n")


def write_folded(path, samples):
    """Collapsed stacks, a line a sample, none of them added up."""
    pick = random.Random(samples)
    rendered = [";".join(stack) + " 1\n" for stack in stacks(pick)]
    with open(path, "w") as file:
        for _ in range(samples):
            file.write(pick.choice(rendered))


def generated(folder, kind, samples):
    """The path of an input, made where it is not there yet."""
    write, ending = {"reports": (write_reports, "jsonl"),
                     "array": (write_array, "json"),
                     "folded": (write_folded, "folded")}[kind]
    path = os.path.join(folder, f"lag-{kind}-{samples}.{ending}")
    if not os.path.exists(path):
        write(path + ".part", samples)
        os.rename(path + ".part", path)
    return path
