#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Profiles for other tools, read back by their documents.

    check_profiles.py --program build/dev/apmtool

What `fold` writes for pprof (profile.proto), the Firefox Profiler, Perfetto and
speedscope is decoded here, field by field as each format is documented, and
added up to stacks: they must be those of `--format folded`. The order of samples
is that of a report written here. Where `go` is installed, its pprof reads the
file as well."""

import argparse
import collections
import gzip
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checking import check, check_equal, failures

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent / "samples"

def run(program, *args):
    done = subprocess.run([program, *map(str, args)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=True)
    return done.stdout


def plain(name):
    """A name as the folded format can hold it."""
    name = name.replace(";", ":").replace("\t", " ")
    head, blank, tail = name.rpartition(" ")
    if blank and tail.isdigit():
        name = head + ("+" if head.endswith("+") else "_") + tail
        name = name.replace(" ++", "+").replace(" +" + tail, "+" + tail)
    return name


def folded(program, weight, args):
    stacks = collections.Counter()
    out = run(program, "fold", "-q", "--weight", weight, *args).decode()
    for line in out.splitlines():
        stack, _, count = line.rpartition(" ")
        stacks[stack] += int(count)
    return stacks


# pprof

def varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return number, at


def message(data):
    """Fields by number; a number, or bytes, each time it is there."""
    fields = collections.defaultdict(list)
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            assert tag & 7 == 2, f"wire type {tag & 7}"
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a field is truncated"
        fields[tag >> 3].append(value)
    return fields


def packed(values):
    numbers = []
    for value in values:
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            numbers.append(number - (number >> 63 << 64))
    return numbers


def one(fields, number):
    return fields[number][0] if fields[number] else 0


def by_id(messages, what):
    found = {one(each, 1): each for each in map(message, messages)}
    check(len(found) == len(messages) and 0 not in found, f"{what}: ids")
    return found


def check_pprof(data, what):
    """Returns stacks by samples and by cost, and those of the base."""
    profile = message(gzip.decompress(data))
    strings = [each.decode() for each in profile[6]]
    check_equal(strings[0], "", f"{what}: string_table[0]")
    check_equal(len(set(strings)), len(strings), f"{what}: strings")
    check_equal([(strings[one(t, 1)], strings[one(t, 2)])
                 for t in map(message, profile[1])],
                [("samples", "count"), ("time", "microseconds")],
                f"{what}: sample_type")
    check(strings[one(profile, 14)] in ("samples", "time"),
          f"{what}: default_sample_type")
    mappings = by_id(profile[3], f"{what}: mapping")
    functions = by_id(profile[5], f"{what}: function")
    locations = by_id(profile[4], f"{what}: location")
    for mapping in mappings.values():
        check(strings[one(mapping, 5)] and one(mapping, 7),
              f"{what}: mapping without file name or functions")
    names = {}
    for number, location in locations.items():
        line = message(one(location, 4))
        check(not location[2] or location[2][0] in mappings,
              f"{what}: mapping_id {location[2]}")
        names[number] = strings[one(functions[one(line, 1)], 2)]
    sums = [collections.Counter() for _ in range(4)]
    for sample in map(message, profile[2]):
        values = packed(sample[2])
        check_equal(len(values), 2, f"{what}: values of a sample")
        stack = [names[each] for each in packed(sample[1])]
        stack = ";".join(plain(name) for name in reversed(stack))
        is_base = bool(sample[3])
        if is_base:
            label = message(sample[3][0])
            check_equal([strings[one(label, 1)], strings[one(label, 2)]],
                        ["pprof::base", "true"], f"{what}: label")
        for i, value in enumerate(values):
            check(value <= 0 if is_base else value >= 0, f"{what}: sign")
            sums[2 * is_base + i][stack] += abs(value)
    return sums


def check_go(path, expected):
    """As pprof itself reads it."""
    go = shutil.which("go")
    if not go:
        print("go is not installed: its pprof was not asked")
        return
    out = subprocess.run([go, "tool", "pprof", "-raw", path],
                         stdout=subprocess.PIPE, check=True).stdout.decode()
    total = 0
    section = out.split("Samples:\n")[1].split("Locations\n")[0]
    for line in section.splitlines()[1:]:
        total += int(line.split()[0])
    check_equal(total, expected, "samples in go tool pprof")


# The Firefox Profiler

TABLES = {
    "samples": ["stack", "time", "weight"],
    "stackTable": ["frame", "prefix", "category", "subcategory"],
    "frameTable": ["address", "inlineDepth", "category", "subcategory", "func",
                   "nativeSymbol", "innerWindowID", "implementation", "line",
                   "column"],
    "funcTable": ["isJS", "relevantForJS", "name", "resource", "fileName",
                  "lineNumber", "columnNumber"],
    "resourceTable": ["lib", "name", "host", "type"],
    "markers": ["data", "name", "startTime", "endTime", "phase", "category"],
    "nativeSymbols": ["libIndex", "address", "name", "functionSize"],
}
THREAD = {"name", "processName", "processType", "isMainThread", "pid", "tid",
          "processStartupTime", "processShutdownTime", "registerTime",
          "unregisterTime", "pausedRanges", "stringArray", *TABLES}


def in_range(column, size, what, none=None):
    check(all(each == none or 0 <= each < size for each in column), what)


def check_thread(thread, profile, what):
    check_equal(set(thread), THREAD, f"{what}: members")
    for table, columns in TABLES.items():
        for column in columns:
            check_equal(len(thread[table][column]), thread[table]["length"],
                        f"{what}: {table}.{column}")
    check(isinstance(thread["pid"], str), f"{what}: pid")
    stacks, frames = thread["stackTable"], thread["frameTable"]
    funcs, resources = thread["funcTable"], thread["resourceTable"]
    strings = len(thread["stringArray"])
    categories = len(profile["meta"]["categories"])
    in_range(thread["samples"]["stack"], stacks["length"], f"{what}: stacks")
    in_range(stacks["frame"], frames["length"], f"{what}: frames")
    in_range(frames["func"], funcs["length"], f"{what}: funcs")
    in_range(funcs["name"], strings, f"{what}: names")
    in_range(funcs["fileName"], strings, f"{what}: file names")
    in_range(funcs["resource"], resources["length"], f"{what}: resources", -1)
    in_range(resources["lib"], len(profile["libs"]), f"{what}: libs")
    in_range(resources["name"], strings, f"{what}: names of resources")
    for table in (stacks, frames):
        in_range(table["category"], categories, f"{what}: categories")
    check(all(prefix is None or prefix < i
              for i, prefix in enumerate(stacks["prefix"])),
          f"{what}: a caller comes after what it calls")
    times = thread["samples"]["time"]
    check(times == sorted(times) and (not times or times[0] == 0),
          f"{what}: times")


def check_firefox(data, what):
    """Returns stacks by cost, and of each thread its stacks in order."""
    profile = json.loads(data)
    meta = profile["meta"]
    check_equal(meta["preprocessedProfileVersion"], 48, f"{what}: version")
    check("grey" in [each["color"] for each in meta["categories"]],
          f"{what}: the default category")
    for key in ("interval", "startTime", "processType", "product", "stackwalk",
                "version", "markerSchema"):
        check(key in meta, f"{what}: meta.{key}")
    for lib in profile["libs"]:
        check_equal(set(lib), {"arch", "name", "path", "debugName", "debugPath",
                               "breakpadId", "codeId"}, f"{what}: lib")
    sums = collections.Counter()
    order = {}
    for thread in profile["threads"]:
        check_thread(thread, profile, f"{what}: {thread['name']}")
        stacks = thread["stackTable"]
        samples = thread["samples"]
        track = []
        for stack, weight in zip(samples["stack"], samples["weight"]):
            names = []
            while stack is not None:
                func = thread["frameTable"]["func"][stacks["frame"][stack]]
                name = thread["funcTable"]["name"][func]
                names.append(plain(thread["stringArray"][name]))
                stack = stacks["prefix"][stack]
            track.append((";".join(reversed(names)), round(weight * 1000)))
            sums[track[-1][0]] += track[-1][1]
        order[thread["name"]] = track
    return sums, order


# Trace events

def check_chrome(data, what):
    trace = json.loads(data)
    sums = collections.Counter()
    order = {}
    stacks = collections.defaultdict(list)
    last = collections.defaultdict(int)
    names = {}

    def pass_to(thread, time):
        """End the calls that end by then."""
        stack = stacks[thread]
        while stack:
            end = min(stack[-1][1], time)
            passed = end - last[thread]
            if passed:
                path = ";".join(plain(name) for name, _ in stack)
                sums[path] += passed
                order[names[thread]].append((path, passed))
            last[thread] = end
            if stack[-1][1] > time:
                return
            stack.pop()
        last[thread] = max(last[thread], time)

    for event in trace["traceEvents"]:
        thread = event["tid"]
        if event["ph"] == "M":
            check_equal(event["name"], "thread_name", f"{what}: M")
            names[thread] = event["args"]["name"]
            order[names[thread]] = []
            continue
        check_equal(event["ph"], "X", f"{what}: phase")
        check(event["cat"] in ("app", "system"), f"{what}: cat")
        check(event["ts"] >= last[thread], f"{what}: time goes back")
        pass_to(thread, event["ts"])
        stack = stacks[thread]
        # A call ends half a microsecond before the next one begins.
        check(not event["dur"] or event["dur"] % 1 == .5, f"{what}: dur")
        end = event["ts"] + math.ceil(event["dur"])
        check(not stack or end <= stack[-1][1],
              f"{what}: a call ends after its caller")
        stack.append((event["name"], end))
    for thread, stack in stacks.items():
        pass_to(thread, stack[0][1] if stack else last[thread])
    return sums, order


# speedscope

def check_speedscope(data, what):
    scope = json.loads(data)
    frames = scope["shared"]["frames"]
    sums = collections.Counter()
    order = {}
    for profile in scope["profiles"]:
        check_equal(profile["type"], "sampled", f"{what}: type")
        check_equal(len(profile["samples"]), len(profile["weights"]),
                    f"{what}: weights")
        check(abs(sum(profile["weights"]) - profile["endValue"]) < 1e-6,
              f"{what}: endValue")
        if profile["unit"] != "milliseconds":
            continue
        track = []
        for stack, weight in zip(profile["samples"], profile["weights"]):
            path = ";".join(plain(frames[i]["name"]) for i in stack)
            track.append((path, round(weight * 1000)))
            sums[path] += track[-1][1]
        order[profile["name"]] = track
    return sums, order


def without_zeros(stacks):
    return {stack: count for stack, count in stacks.items() if count}


def check_input(program, args, what):
    samples = without_zeros(folded(program, "samples", args))
    # A cost that no report says is not folded, and may be drawn anyhow.
    is_known = json.loads(run(program, "fold", "-q", "--format", "json",
                              *args))["cost_origin"] != "unknown"
    cost = without_zeros(folded(program, "cost", args)) if is_known else {}

    def export(name):
        return run(program, "fold", "-q", "--format", name, *args)

    by_samples, by_cost, _, _ = check_pprof(export("pprof"), what)
    check_equal(without_zeros(by_samples), samples, f"{what}: pprof, samples")
    check_equal(without_zeros(by_cost), cost, f"{what}: pprof, cost")
    for name, read in (("firefox", check_firefox), ("chrome", check_chrome),
                       ("speedscope", check_speedscope)):
        sums, order = read(export(name), f"{what}: {name}")
        sums.pop("", None)
        # Without an order, the format shows plain numbers.
        if is_known and (sums or name != "speedscope"):
            check_equal(without_zeros(sums), cost, f"{what}: {name}, cost")
    return order


# Order

def write_ordered(path):
    def sample(stack, cost=None):
        ret = {"stack": stack}
        if cost is not None:
            ret["cost_ms"] = cost
        return ret

    a, b = ["main", "run", "a"], ["main", "run", "b"]
    forward = {"id": "forward", "interval_ms": 20,
               "samples": [sample(a), sample(b, 5.5), sample(a), sample(a, 1),
                           sample(["main"]), sample(b)]}
    # The order of the frames comes after the samples.
    backward = {"id": "backward", "interval_ms": 10,
                "samples": [sample(a[::-1]), sample(b[::-1]), sample(a[::-1])],
                "order": "leaf-first"}
    path.write_text(json.dumps(forward) + "\n" + json.dumps(backward) + "\n")


def check_order(program, directory):
    path = directory / "ordered.jsonl"
    write_ordered(path)
    expected = {
        "forward": [("main;run;a", 20000), ("main;run;b", 5500),
                    ("main;run;a", 21000), ("main", 20000),
                    ("main;run;b", 20000)],
        "backward": [("main;run;a", 10000), ("main;run;b", 10000),
                     ("main;run;a", 10000)],
    }
    readers = {"firefox": check_firefox, "chrome": check_chrome,
               "speedscope": check_speedscope}
    for jobs in ("1", "3"):
        for name, read in readers.items():
            out = run(program, "fold", "-q", "--jobs", jobs, "--format", name,
                      path)
            _, order = read(out, name)
            check_equal(order, expected, f"order in {name}, {jobs} jobs")
    return path


def check_base(program, old, new):
    out = run(program, "flamegraph", "-q", "--diff", "--format", "pprof", old,
              new)
    after, _, before, _ = check_pprof(out, "diff")
    check_equal(without_zeros(after), folded(program, "samples", [new]),
                "diff: what is new")
    check_equal(without_zeros(before), folded(program, "samples", [old]),
                "diff: the base")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    lag = SAMPLES / "lag"

    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        path = check_order(program, directory)
        for args in ([path], [lag / "reports.jsonl"],
                     [lag / "reports.jsonl", "--dsym", SAMPLES],
                     [lag / "demo.folded"], [lag / "matrix-lag.json"],
                     [SAMPLES / "metrickit-hang.json"],
                     [SAMPLES / "demo-sample.txt", lag / "bare.json"],
                     [lag / "reports.jsonl", "--max-nodes", "6"]):
            check_input(program, args, " ".join(pathlib.Path(a).name
                                                for a in map(str, args)))
        check_base(program, lag / "demo.folded", lag / "bare.json")
        packed_path = directory / "profile.pb.gz"
        packed_path.write_bytes(run(program, "fold", "-q", "--format", "pprof",
                                    lag / "reports.jsonl"))
        check_go(packed_path, sum(folded(program, "samples",
                                         [lag / "reports.jsonl"]).values()))
    if failures:
        sys.exit(f"{len(failures)} failures")
    print("profiles: what other tools read is what was sampled")


if __name__ == "__main__":
    main()
