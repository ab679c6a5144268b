#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Samples of stalls, folded by the program and by this script.

    check_lag.py --program build/dev/apmtool [--sanitized] [--seed N]

Random reports are folded here as simply as can be: lists of stacks, and the
rules of the key, of the most expensive stack and of trimming written down once
more from their definition. `fold` and `lag-aggregate` must say the same, any
number of jobs must give the same bytes, JSON must follow its schema, a cut
input must never end in a crash or in silence, and memory must not grow with
the samples. --sanitized leaves out the last, of which such a build says
nothing."""

import argparse
import collections
import concurrent.futures
import copy
import decimal
import fractions
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import check_schema
import measured

from checking import check, check_equal, failures

INTERVAL_US = 50_000
NO_KEY = "(no call stands out)"
DEPTH = 100
APP = "/private/var/containers/Bundle/Application/0/Demo.app/"
IMAGES = [
    {"base_addr": "0x200000000", "size": 0x10000,
     "name": "/usr/lib/libz.dylib",
     "uuid": "00000000-0000-0000-0000-0000000000C3"},
    {"base_addr": "0x100000000", "size": 0x10000, "name": APP + "Demo",
     "uuid": "00000000-0000-0000-0000-0000000000A1"},
    {"base_addr": "0x180000000", "size": 0x10000,
     "name": APP + "Frameworks/Kit.framework/Kit",
     "uuid": "00000000-0000-0000-0000-0000000000B2"},
]

class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C",
            **{key: value for key, value in os.environ.items()
               if key.endswith("SAN_OPTIONS")}}

    def run(self, *arguments, feed=b""):
        return subprocess.run([self.path, *map(str, arguments)], input=feed,
                              capture_output=True, cwd=self.folder,
                              env=self.environment, timeout=120, check=False)

    def text(self, *arguments):
        done = self.run(*arguments)
        # Their dSYMs do not exist.
        told = re.sub(rb"apmtool: warning: \d+ images? of the app [^\n]*\n(  [^\n]*\n)*",
                      b"", done.stderr)
        if "cost" in arguments:
            told = told.replace(b"apmtool: warning: costs are assumed, as the "
                                b"input has none\n", b"")
        check(done.returncode == 0 and not told,
              f"{arguments}: status {done.returncode}, {told[:300]}")
        return done.stdout.decode()

    def rows(self, *arguments):
        # Numbers as they are written: 0.1 is no binary fraction.
        table = json.loads(self.text(*arguments, "--format", "json"),
                           parse_float=decimal.Decimal)
        return table["rows"]


# What is sampled

Frame = collections.namedtuple("Frame", "written name is_app")


def bare_frames(rng):
    """Symbols alone: all of them count as the app's."""
    return [Frame(f"f{i}", f"f{i}", True) for i in range(rng.randint(2, 12))]


def placed_frames(rng):
    """Functions of images, some at several addresses, some without a name."""
    frames = []
    for i in range(rng.randint(3, 10)):
        image = rng.choice(IMAGES)
        short = image["name"].rpartition("/")[2]
        is_app = image["name"].startswith(APP)
        for call in range(rng.randint(1, 3)):
            offset = 64 * i + 4 * call
            address = hex(int(image["base_addr"], 16) + offset)
            if i % 3 == 0:
                frames.append(Frame(address, f"{short} + {offset}", is_app))
            else:
                name = f"{short}.f{i}"
                frames.append(Frame({"address": address, "symbol": name}, name,
                                    is_app))
    return frames


def make_stacks(rng, frames):
    """Stacks that share their beginnings, and now and then a deep one."""
    stacks = [[rng.choice(frames)]]
    for _ in range(rng.randint(0, 40)):
        stack = rng.choice(stacks)
        stack = stack[:rng.randint(0, len(stack))]
        stack = stack + rng.choices(frames, k=rng.randint(0, 4))
        if rng.random() < .02:
            stack = stack + rng.choices(frames, k=DEPTH)
        stacks.append(stack or [rng.choice(frames)])
    if rng.random() < .3:
        rng.shuffle(stacks)
    return stacks


class Report:
    """A report as it is written, and its samples: (stack, cost in us)."""

    def __init__(self, rng, number):
        placed = rng.random() < .5
        frames = placed_frames(rng) if placed else bare_frames(rng)
        self.id = f"r{number}"
        self.session = rng.choice([None, "A", "B", "C"])
        self.samples = []
        self.is_assumed = False
        written = []
        leaf_first = rng.random() < .4
        interval_us = rng.choice([None, None, 20_000, 1_500])
        stacks = make_stacks(rng, frames)
        if rng.random() < .3:
            stacks = stacks[:2]
        for stack in stacks:
            repeat = rng.choice([1, 1, 2, 5])
            for _ in range(repeat):
                cost_us = interval_us or INTERVAL_US
                is_assumed = not interval_us
                sample = {"stack": [frame.written for frame in
                                    (stack[::-1] if leaf_first else stack)]}
                if rng.random() < .2:
                    cost_us = rng.choice([0, 1, 999, 5_000, 300_000])
                    sample["cost_ms"] = cost_us / 1000
                    is_assumed = False
                self.is_assumed |= is_assumed
                self.samples.append((stack, cost_us))
                written.append(sample)
        self.document = {"id": self.id}
        if self.session:
            self.document["session"] = self.session
        if interval_us:
            self.document["interval_ms"] = interval_us / 1000
        # Whether the order stands before or behind must not matter.
        if leaf_first and rng.random() < .5:
            self.document["order"] = "leaf-first"
        if placed and rng.random() < .5:
            self.document["dyld_images"] = IMAGES
        self.document["samples"] = written
        if placed:
            self.document.setdefault("dyld_images", IMAGES)
        if leaf_first:
            self.document.setdefault("order", "leaf-first")

    def cost_us(self):
        return sum(cost for _, cost in self.samples)


def make_reports(rng, count):
    """Some of them tell of the same stall as the one before."""
    reports = []
    while len(reports) < count:
        report = Report(rng, len(reports))
        reports.append(report)
        while rng.random() < .15:
            report = copy.copy(report)
            report.id = f"r{len(reports)}"
            report.document = {**report.document, "id": report.id}
            reports.append(report)
    return reports


# What must come of it

class Node:
    made = itertools.count()

    def __init__(self, frame, depth):
        self.frame, self.depth = frame, depth
        self.number = next(self.made)
        self.samples = self.cost_us = 0
        self.calls = {}

    def all(self):
        for call in self.calls.values():
            yield call
            yield from call.all()


def tree_of(samples):
    """Inclusive numbers; calls in the order in which they came."""
    root = Node(None, 0)
    for stack, cost_us in samples:
        at = root
        for frame in stack:
            if frame.name not in at.calls:
                at.calls[frame.name] = Node(frame, at.depth + 1)
            at = at.calls[frame.name]
            at.samples += 1
            at.cost_us += cost_us
    return root


def keep(root, is_kept):
    """Take away calls, with all below them."""
    root.calls = {name: call for name, call in root.calls.items()
                  if is_kept(call)}
    for call in root.calls.values():
        keep(call, is_kept)


def trim(root, limit):
    keep(root, lambda node: node.depth <= DEPTH)
    costs = sorted(node.cost_us for node in root.all())
    for count in range(61):
        costs = [cost for cost in costs if cost >= 5000 * count]
        if len(costs) <= limit or count == 60:
            break
    # Calls cost no more than their callers: no other order of it differs.
    keep(root, lambda node: node.cost_us >= 5000 * count)
    if len(costs) <= limit:
        return
    ranked = sorted(root.all(), key=lambda node: (-node.cost_us,
                                                  -node.samples, node.number))
    kept = set(map(id, ranked[:limit]))
    keep(root, lambda node: id(node) in kept)


def key_of(root, siblings):
    """The name of the key, and whether it is the app's."""
    levels = collections.Counter(node.depth for node in root.all())
    at = root
    whole = sum(call.cost_us for call in root.calls.values())
    deepest = app = None
    while at.calls:
        n = levels[at.depth + 1] if siblings == "level" else len(at.calls)
        passed = [call for call in at.calls.values()
                  if (n == 1 or call.cost_us >
                      fractions.Fraction(whole * 11, 10 * n)) and
                  call.cost_us > fractions.Fraction(whole, 5)]
        if not passed:
            break
        at = max(passed, key=lambda call: (call.cost_us, call.samples))
        whole = at.cost_us
        deepest = at.frame
        app = at.frame if at.frame.is_app else app
    if not deepest:
        return None, None
    return (app or deepest).name, "app" if app else "system"


def point_of(samples, rule):
    """The most expensive stack, and how many samples are like it."""
    groups = {}
    run = 0
    last = None
    for i, (stack, _) in enumerate(samples):
        top = json.dumps(stack[-1].written)
        if rule == "run":
            run += top != last
            last = top
        like = {"top+depth": (top, len(stack)), "top": top, "run": run}[rule]
        count = groups.get(like, (0, 0))[0]
        groups[like] = (count + 1, i)
    count, newest = max(groups.values())
    return samples[newest][0], count


def joined(stack):
    return " - ".join(frame.name for frame in stack)


def ms(cost_us):
    return fractions.Fraction(cost_us, 1000)


# Checks

def write_lines(path, reports):
    path.write_text("".join(json.dumps(report.document) + "\n"
                            for report in reports))
    return path


def check_reports(program, reports, path):
    """Each report: its key by both readings, its stack by all three rules."""
    for siblings, rule in (("parent", "top+depth"), ("level", "top"),
                           ("parent", "run")):
        rows = program.rows("lag-aggregate", "--per-report", "--siblings",
                            siblings, "--point", rule, path)
        check_equal(len(rows), len(reports), f"{rule}: reports")
        for row, report in zip(rows, reports):
            tree = tree_of(report.samples)
            stack, count = point_of(report.samples, rule)
            key, kind = key_of(tree, siblings)
            expected = {
                "id": report.id, "samples": len(report.samples),
                "cost_ms": ms(report.cost_us()), "key": key, "kind": kind,
                "nodes": len(list(tree.all())), "point_stack": joined(stack),
                "point_count": count, "class2": joined(stack[-2:]),
                "class4": joined(stack[-4:]), "session": report.session}
            found = {name: row[name] for name in expected}
            found["cost_ms"] = fractions.Fraction(found["cost_ms"])
            check_equal(found, expected, f"{report.id}, {siblings}, {rule}")


def add_ends(node, path, lines):
    """What ended in a call and in what was taken away below it."""
    for name, call in node.calls.items():
        below = path + [name.replace(" + ", "+")]
        own = call.samples - sum(part.samples for part in call.calls.values())
        lines[";".join(below)] += own
        add_ends(call, below, lines)


def check_trimming(program, reports, path):
    for limit in (1, 2, 5, 13, 30, 1000):
        rows = program.rows("lag-aggregate", "--per-report", "--max-nodes",
                            limit, path)
        check_equal(len(rows), len(reports), f"trimmed to {limit}: reports")
        lines = collections.Counter()
        for row, report in zip(rows, reports):
            tree = tree_of(report.samples)
            trim(tree, limit)
            check_equal((row["nodes"], row["key"], row["kind"]),
                        (len(list(tree.all())), *key_of(tree, "parent")),
                        f"{report.id}, trimmed to {limit}")
            add_ends(tree, [], lines)
        found = program.text("fold", "--max-nodes", limit, path)
        check_equal(sorted(found.splitlines()),
                    sorted(f"{stack} {count}" for stack, count
                           in lines.items() if count),
                    f"fold, trimmed to {limit}")


def stalls_of(reports):
    """
    Those that do not repeat the one before of their session, each with all
    reports of it.
    """
    last = {}
    stalls = []
    for report in reports:
        stack, _ = point_of(report.samples, "top+depth")
        # The same place in the code, whatever it is called.
        like = [frame.written for frame in stack]
        before, parts = last.get(report.session, (None, None))
        if report.session and len(like) > 1 and before == like:
            parts.append(report)
            continue
        stalls.append((report, stack, [report]))
        last[report.session] = like, stalls[-1][2]
    return stalls


def most_frequent(names):
    counts = collections.Counter(names)
    return max(counts, key=counts.get)


def exact_us(parts):
    """What a stall and its repeats took, if none of it is assumed."""
    if any(part.is_assumed for part in parts):
        return 0
    return sum(part.cost_us() for part in parts)


def check_groups(program, reports, path):
    stalls = stalls_of(reports)
    check(len(stalls) < len(reports), "no random report repeats another")
    # What is assumed is in no share.
    whole = sum(exact_us(parts) for *_, parts in stalls)
    check(whole, "all costs of the random reports are assumed")
    for by in ("key", "class2", "class4"):
        groups = collections.defaultdict(list)
        for report, stack, parts in stalls:
            key, _ = key_of(tree_of(report.samples), "parent")
            name = {"key": key or NO_KEY, "class2": joined(stack[-2:]),
                    "class4": joined(stack[-4:])}[by]
            groups[name].append((report, stack, parts))
        expected = []
        for name, members in groups.items():
            parts = [part for *_, parts in members for part in parts]
            cost = sum(report.cost_us() for report in parts)
            worst = max(members, key=lambda member: member[0].cost_us())
            expected.append((
                -cost, -len(members), name.encode(), {
                    "key": name, "reports": len(members),
                    "samples": sum(len(report.samples) for report in parts),
                    "cost_ms": ms(cost), "example": worst[0].id,
                    "cost_origin": "assumed" if any(
                        part.is_assumed for part in parts) else "measured",
                    "class2": most_frequent(joined(stack[-2:])
                                            for _, stack, _ in members),
                    "class4": most_frequent(joined(stack[-4:])
                                            for _, stack, _ in members)}))
        expected = [row for *_, row in sorted(expected, key=lambda e: e[:3])]
        rows = program.rows("lag-aggregate", "--by", by, path)
        running = 0
        for row in rows:
            members = groups[row["key"]]
            exact = sum(exact_us(parts) for *_, parts in members)
            running += exact
            certain = any(not any(part.is_assumed for part in parts)
                          for *_, parts in members)
            for name, part in (("share", exact), ("running_share", running)):
                share = fractions.Fraction(part) * 100 / whole
                if not certain:
                    check_equal(row[name], None, f"by {by}: {name}")
                    continue
                check(abs(fractions.Fraction(row[name]) - share) <=
                      fractions.Fraction(1, 200),
                      f"by {by}: {name} of {row['key']!r}: {row[name]}")
        found = [{name: row[name] for name in expected[0]} for row in rows]
        for row in found:
            row["cost_ms"] = fractions.Fraction(row["cost_ms"])
        check_equal(found, expected, f"by {by}")


def collapse(reports, weigh):
    """As stackcollapse tools do it: one line a stack, and its sum."""
    lines = collections.Counter()
    for report in reports:
        for stack, cost_us in report.samples:
            # A number behind a blank would be read as a count.
            names = [frame.name.replace(" + ", "+") for frame in stack]
            lines[";".join(names)] += weigh(cost_us)
    return lines


def check_fold(program, reports, path):
    for weight, weigh in (("samples", lambda cost_us: 1),
                          ("cost", lambda cost_us: cost_us)):
        lines = collapse(reports, weigh)
        expected = sorted(f"{stack} {count}" for stack, count in lines.items()
                          if count)
        found = program.text("fold", "--weight", weight, path).splitlines()
        check_equal(sorted(found), expected, f"fold --weight {weight}")
    folded = program.folder / "again.folded"
    folded.write_text(program.text("fold", path))
    check_equal(program.text("fold", folded), folded.read_text(),
                "fold of what it wrote")
    array = program.folder / "array.json"
    array.write_text(json.dumps([report.document for report in reports],
                                indent=1))
    check_equal(program.text("fold", array), folded.read_text(),
                "fold of an array")


def make_nodes(rng):
    """A node list: no calls cost more than their caller, or tie."""
    nodes = []

    def add(depth, cost_ms, path):
        nodes.append({"depth": depth, "count": cost_ms,
                      "costTime": cost_ms, "symbol": path})
        rest = cost_ms
        for i in range(rng.choice([0, 1, 1, 2, 3, 4]) if depth < 7 else 0):
            part = rng.choice([rest, rest // 2, cost_ms // 4, cost_ms // 5])
            if not part or part > rest:
                break
            rest -= part
            add(depth + 1, part, f"{path}.{i}")

    for i in range(rng.choice([1, 1, 2, 3])):
        add(0, rng.choice([50, 1000, 1000, 1040]), f"n{i}")
    return nodes


def tree_of_nodes(nodes):
    root = Node(None, 0)
    path = [root]
    for node in nodes:
        del path[node["depth"] + 1:]
        frame = Frame(node["symbol"], node["symbol"], True)
        call = Node(frame, node["depth"] + 1)
        call.samples, call.cost_us = node["count"], node["costTime"] * 1000
        path[-1].calls[frame.name] = call
        path.append(call)
    return root


def check_nodes(program, rng):
    lists = [make_nodes(rng) for _ in range(300)]
    path = program.folder / "nodes.json"
    path.write_text("\n".join(map(json.dumps, lists)))
    for siblings in ("parent", "level"):
        done = program.run("lag-aggregate", "--per-report", "--siblings",
                           siblings, "--format", "json", path)
        rows = json.loads(done.stdout)["rows"]
        check_equal(len(rows), len(lists), f"node lists, {siblings}")
        for i, (row, nodes) in enumerate(zip(rows, lists)):
            check_equal((row["key"], row["nodes"]),
                        (key_of(tree_of_nodes(nodes), siblings)[0],
                         len(nodes)), f"node list {i}, {siblings}")


def check_documents(program, reports):
    if check_schema.jsonschema is None:
        print("schemas are not checked: python3-jsonschema is not installed")
        return
    # A validator takes its time.
    path = write_lines(program.folder / "few.jsonl", reports[:15])
    for arguments in (["lag-aggregate"], ["lag-aggregate", "--per-report"],
                      ["lag-aggregate", "--explain"],
                      ["lag-aggregate", "--format", "jsonl"], ["fold"],
                      ["flamegraph"], ["flamegraph", "--diff", path]):
        text = program.text(arguments[0], "--format", "json", *arguments[1:],
                            path)
        check_equal(check_schema.check_text(text), [], f"schema: {arguments}")


# Input of several blocks, of which little is to be folded: the rest is a
# member that is not read.
BLOCKS_BYTES = 17 << 20


def write_large(folder, reports):
    lines = folder / "large.jsonl"
    padding = " " * (BLOCKS_BYTES // len(reports))
    with lines.open("w") as out:
        for i, report in enumerate(reports):
            out.write(json.dumps({**report.document, "padding": padding}) +
                      "\n")
            if i % 40 == 0:
                out.write('{"samples":[{"stack":["a"}]}\n')
            if i % 50 == 0:
                out.write('{"id":"odd","samples":[{"stack":["a",null]}]}\n')
    return lines


def write_mixed(folder):
    """Lines of which few, and then very many, are in a block: one that makes a
    job wait, and is read when others have gone on."""
    path = folder / "mixed.jsonl"
    with path.open("w") as out:
        for size, count in ((200, 3000), (3 << 20, 1), (200, 6000), (40, 30000),
                            (3 << 20, 1), (200, 6000), (40, 30000)):
            for i in range(count):
                line = '{"id":"%x","samples":[{"stack":["f%d","g"]}]}' % (
                    i % 9000, i % 700)
                if i % 5000 == 99:
                    line = '{"samples":[{"stack":["a"}]}'
                out.write(line.ljust(size) + "\n")
    return path


def write_large_collapsed(folder, rng):
    path = folder / "large.folded"
    names = [f"{i} " + chr(97 + i % 26) * 2000 for i in range(40)]
    stacks = [";".join(rng.choices(names, k=rng.randint(1, 4)))
              for _ in range(60)]
    with path.open("w") as out:
        while out.tell() < BLOCKS_BYTES:
            out.write(f"{rng.choice(stacks)} {rng.randint(1, 9)}\n")
    return path


def check_jobs(program, lines, mixed, folded, small):
    """The same bytes, messages and status, whoever read which block."""
    wanted = [(["lag-aggregate", "--per-report", "--format", "json"], lines),
              (["fold"], folded), (["fold", "--format", "nodes"], lines),
              (["flamegraph", "--format", "svg"], lines),
              (["flamegraph", "--format", "html"], folded)]
    wanted += 2 * [(["lag-aggregate"], mixed), (["fold"], mixed)]
    # One block, but every form.
    wanted += [(["lag-aggregate", "--format", form], small)
               for form in ("text", "jsonl", "csv")]
    wanted += [(["fold", "--format", form], small)
               for form in ("text", "json", "csv", "speedscope")]
    for arguments, path in wanted:
        one = program.run(*arguments, "--jobs", 1, path)
        check(one.stdout and one.returncode in (0, 3),
              f"{arguments}: status {one.returncode}")
        for jobs in (2, 3, 7) if path != small else (3,):
            many = program.run(*arguments, "--jobs", jobs, path)
            what = f"{arguments}, {path.name}: {jobs} jobs"
            check(many.stdout == one.stdout, f"{what}: another output")
            check_equal(many.stderr, one.stderr, f"{what}: messages")
            check_equal(many.returncode, one.returncode, f"{what}: status")


CUT_LINES = (b'{"id":"one","samples":[{"stack":["main","a"]}]}\n'
             b'{"id":"two","interval_ms":20.5,"samples":[{"cost_ms":5,'
             b'"stack":["0x1040",{"address":"0x20","symbol":"s\\u00e9"}]}]}\n')
CUT_DOCUMENT = json.dumps(
    [{"id": f"r{i}", "order": "leaf-first", "samples":
      [{"time_ms": 50 * k, "stack": ["leaf", f"f{k}", "0x1000000f0", "main"]}
       for k in range(2)], "dyld_images": IMAGES[:1]}
     for i in range(2)]).encode()


def check_cut(program, whole, cut, complete):
    """What is there is counted, what is missing is said."""
    done = program.run("lag-aggregate", "--per-report", "--format", "json",
                       "-", feed=whole[:cut])
    what = f"cut at {cut} of {len(whole)}"
    check(done.returncode in (0, 3, 4), f"{what}: status {done.returncode}: "
          f"{done.stderr[-500:]}")
    if done.returncode == 4:
        check(done.stderr, f"{what}: nothing is said")
        check(not complete(cut), f"{what}: whole reports are lost")
        return
    rows = json.loads(done.stdout)["rows"]
    check(len(rows) >= complete(cut), f"{what}: {len(rows)} reports")
    if cut < len(whole) and whole[:cut].strip()[-2:] not in (b"]}", b"}]"):
        check(done.stderr, f"{what}: that it was cut is not said")


def check_truncation(program):
    # How many reports end before a cut.
    lines_ends = [match.end() - 1 for match in re.finditer(b"\n", CUT_LINES)]
    first_end = CUT_DOCUMENT.index(b', {"id": "r1"')

    def whole_lines(cut):
        return sum(end <= cut for end in lines_ends)

    def whole_reports(cut):
        return int(cut >= first_end)

    cases = [(CUT_LINES, cut, whole_lines)
             for cut in range(1, len(CUT_LINES))]
    cases += [(CUT_DOCUMENT, cut, whole_reports)
              for cut in range(1, len(CUT_DOCUMENT), 7)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(check_cut, program, *case) for case in cases]:
            done.result()


def peak_kib(program, arguments, chunk, count, frame=(b"", b"")):
    with subprocess.Popen(
            [*measured.BETWEEN, program.path, *arguments, "-"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, env=program.environment) as process:
        process.stdin.write(frame[0])
        for _ in range(count):
            process.stdin.write(chunk)
        process.stdin.write(frame[1])
        process.stdin.close()
        told = process.stderr.read()
    check(process.returncode == 0, f"{arguments}: {told}")
    return int(told.split()[-1])


def check_memory(program, reports):
    """Four times the samples of the same stacks, in nearly the same memory."""
    samples = b",".join(
        json.dumps({"stack": [frame.name for frame in stack]}).encode()
        for report in reports[:5] for stack, _ in report.samples) + b","
    lines = b"".join(json.dumps(report.document).encode() + b"\n"
                     for report in reports)
    last = json.dumps({"stack": ["main"]}).encode() + b"]}"
    for name, chunk, size, frame in (
            ("an array", samples, 8 << 20, (b'{"samples":[', last)),
            ("lines", lines, 16 << 20, (b"", b""))):
        count = size // len(chunk) + 1
        for arguments in (["lag-aggregate", "--jobs", "1"],
                          ["fold", "--jobs", "1"]):
            small = peak_kib(program, arguments, chunk, count, frame)
            large = peak_kib(program, arguments, chunk, 4 * count, frame)
            check(large < 1.5 * small, f"{arguments[0]} of {name}: "
                  f"{small} KiB, of four times as many {large} KiB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    reports = make_reports(rng, 160)
    with tempfile.TemporaryDirectory(prefix="apmtool-lag.") as folder:
        folder = pathlib.Path(folder)
        program = Program(arguments.program.resolve(), folder)
        path = write_lines(folder / "reports.jsonl", reports)
        check_reports(program, reports, path)
        check_trimming(program, reports, path)
        check_groups(program, reports, path)
        check_fold(program, reports, path)
        check_nodes(program, rng)
        check_documents(program, reports)
        check_jobs(program, write_large(folder, reports), write_mixed(folder),
                   write_large_collapsed(folder, rng), path)
        check_truncation(program)
        if not arguments.sanitized:
            check_memory(program, reports)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
