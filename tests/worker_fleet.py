# SPDX-License-Identifier: MIT
"""Reports for apmtool-worker, and what has to come of each."""

import collections
import json
import random
import subprocess
import uuid

from kafka import ROOT

SAMPLES = ROOT / "samples"
TEMPLATE = (SAMPLES / "demo-simulator.crash").read_text()
OWN_ID = "1923FB8D-D14D-34B3-96E0-5DB6171BB3A9"
# Between messages and their keys, for kcat.
MESSAGE, KEY = "\x1e", "\x1f"

# `kind`: whole, missing, none (no report), kill or hang (of who reads it).
Report = collections.namedtuple("Report", "number kind id value")


def report(number, kind):
    name = str(uuid.uuid5(uuid.NAMESPACE_OID, str(number))).upper()
    if kind == "none":
        return Report(number, kind, None, f"no report {number}\n" * 100)
    value = TEMPLATE.replace(OWN_ID, name)
    if kind == "missing":
        value = value.replace(app_uuid(), f"{number + 1:032x}")
    if kind in ("kill", "hang"):
        value = value.replace("\n", f"\nNotes: apm-test-{kind}\n", 1)
    return Report(number, kind, name, value)


def app_uuid():
    """That of the image with the dSYM, in the template's own words."""
    lines = TEMPLATE[TEMPLATE.index("Binary Images:"):].splitlines()
    line = next(line for line in lines if "Demo" in line)
    return line[line.index("<") + 1:line.index(">")]


def fleet(count, poison=0, seed=1):
    """5 % are no reports, 5 % have no dSYM."""
    rng = random.Random(seed)
    kinds = ["none"] * (count // 20) + ["missing"] * (count // 20) + ["kill"] * poison
    kinds += ["whole"] * (count - len(kinds))
    rng.shuffle(kinds)
    return [report(number, kind) for number, kind in enumerate(kinds)]


def produce(servers, topic, reports, *more):
    """Each with its number as its key."""
    text = MESSAGE.join(f"{each.number}{KEY}{each.value}" for each in reports)
    subprocess.run(["kcat", "-P", "-b", servers, "-t", topic, "-z", "zstd", "-K", "\\x1f",
                    "-D", "\\x1e", *more], input=text.encode(), check=True, timeout=600)


def consume(servers, topic, *more):
    """All messages: key, payload, headers, partition, offset."""
    done = subprocess.run(["kcat", "-C", "-b", servers, "-t", topic, "-e", "-q", "-J", *more],
                          capture_output=True, check=True, timeout=600)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for each in found:
        pairs = each.get("headers") or []
        each["headers"] = dict(zip(pairs[::2], pairs[1::2]))
    return found
