# SPDX-License-Identifier: MIT
"""T11, T12, T13, T35: what reports say must stay text.

Every string of a JSON report, or every word of a text, becomes hostile in turn,
or all at once."""

import copy
import csv
import io
import json
import re

from damage import structures, write
from formats import (COMMANDS, OPTIONS, Page, check_all, faults_of, formats_of,
                     runner_faults, with_format)
from harness import SAMPLES, sample, test

TERMINAL = ["\x1b[31mred", "\x1b]8;;http://x\x1b\\", "\x1b]52;c;eA==\x07",
            "\x1bPq\x1b\\", "a\x07b\x08c\rd", "\x9b31m\x90\x9c\x84",
            "\u202eevil\u202c", "\u2066x\u2069", "a\u2028b\u2029c",
            "\u200e\u200f\u061c", "\x00\x01\x7f"]
RAW = [b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\x9b31m", b"\xf4\x90\x80",
       b"\x1b[2J", b"\xe2\x80"]
MARKUP = ["<script>alert(1)</script>", "\"onload=\"alert(1)", "]]><x/>",
          "javascript:alert(1)", "</style><b>", "&#x3c;b&#x3e;", "<img src=x>",
          "</title><svg onload=x>", "--><script>", "' onclick='x"]
CELLS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "::error::x",
         "::set-output name=a::b", "%0A::error::x", "x\n::error::y",
         "a;b;c 1\nd 2", "a,\"b\"", "|x|\n|y|"]
# What decides how a report is read keeps its value.
KEPT = {"bug_type", "timestamp", "captureTime", "uuid", "slice_uuid", "arch",
        "type", "source", "version", "binaryUUID", "object_addr", "date",
        "crashVersion", "product", "os_version"}


def poisoned(value, change, only=None, path=()):
    """A copy with strings changed: all but KEPT, or the one at a place."""
    if isinstance(value, dict):
        return {key: poisoned(inner, change, only, (*path, key))
                for key, inner in value.items()}
    if isinstance(value, list):
        return [poisoned(inner, change, only, (*path, i))
                for i, inner in enumerate(value)]
    if isinstance(value, str) and (path == only if only else
                                   path[-1] not in KEPT):
        return change(value)
    return copy.copy(value)


def strings(value, path=()):
    items = (value.items() if isinstance(value, dict) else
             enumerate(value) if isinstance(value, list) else ())
    for key, inner in items:
        if isinstance(inner, str):
            yield (*path, key)
        else:
            yield from strings(inner, (*path, key))


def hostile_text(pick, data, payloads):
    """A text sample some of whose words have become payloads."""
    words = re.split(r"(\s+)", data.decode(errors="replace"))
    for _ in range(pick.choice((1, 3, 10))):
        words[pick.randrange(len(words) // 2) * 2] = pick.choice(payloads)
    return "".join(words).encode()


def hostile(battery, payloads):
    """Cases without end: (what it is, command, bytes of the input)."""
    pick = battery.random
    known = list(structures())
    texts = [(command, name) for command, _, inputs in COMMANDS
             for name in inputs
             if name.endswith((".crash", ".txt", ".hang", ".folded"))]
    while True:
        if pick.random() < 0.3:
            command, name = pick.choice(texts)
            yield name, command, hostile_text(pick, sample(name), payloads)
            continue
        command, name, found = pick.choice(known)
        payload = pick.choice(payloads)
        only = None
        if pick.random() < 0.6:
            only = pick.choice(list(strings(found[-1])) or [None])
        end = pick.choice(("", "x"))
        texts_out = [json.dumps(poisoned(
            document, lambda _, p=payload + end: p,
            only if document is found[-1] else None)
            if not only or document is found[-1] else document,
            ensure_ascii=pick.random() < 0.5) for document in found]
        yield f"{name} with {payload!r} at {only}", command, "\n".join(
            texts_out).encode(errors="surrogatepass")


def inject(battery, payloads, gate, formats=None):
    cases = hostile(battery, payloads)
    for _ in battery.cases(gate):
        what, command, data = next(cases)
        names = [name for name in formats_of(battery.program, command)
                 if not formats or name in formats]
        if not names:
            continue
        path = write(battery, data)
        name = battery.random.choice(names)
        done = battery.run([command, *with_format(command, name),
                            *OPTIONS[command], path])
        yield what, command, name, done


@test("T11", "terminal", "escape sequences, control characters, bidi and bad "
      "UTF-8 in every field")
def terminal(battery):
    cases = hostile(battery, TERMINAL)
    for _ in battery.cases(150):
        what, command, data = next(cases)
        if battery.random.random() < 0.3:
            at = battery.random.randrange(len(data))
            data = data[:at] + battery.random.choice(RAW) + data[at:]
        list(check_all(battery, what, command, write(battery, data), gate=1))


def allowed(battery, seen, command, name):
    """The elements and attributes of a page, for a harmless input."""
    if (command, name) not in seen:
        parts = set()
        inputs = next(inputs for one, _, inputs in COMMANDS if one == command)
        for path in inputs:
            parts |= Page(battery.run(
                [command, *with_format(command, name), *OPTIONS[command],
                 SAMPLES / path]).out).parts
        seen[command, name] = parts
    return seen[command, name]


@test("T12", "markup", "elements, attributes and scripts in every field, to "
      "HTML and SVG")
def markup(battery):
    seen = {}
    for what, command, name, done in inject(battery, MARKUP, 100,
                                            {"html", "svg", "junit"}):
        label = f"{what}: {command} --format {name}"
        battery.check(label, done)
        for fault in faults_of(name, done.out):
            battery.fault(label, fault)
        if done.out and name != "junit":
            more = Page(done.out).parts - allowed(battery, seen, command, name)
            # What a harmless input has no reason to show.
            more -= {part for part in more if re.fullmatch(
                r"(\w+ )?(class|title|scope|colspan|data-[a-z-]+|a|p|ul|li|dl|"
                r"dt|dd|h[1-4]|pre|code|section|details|summary|wbr)", part)}
            if more:
                battery.fault(label, f"has {sorted(more)}")


def cell_faults(data):
    for row in csv.reader(io.StringIO(data.decode(), newline="")):
        for cell in row:
            if re.match(r"[=+@\t\r]|-[^\d.\s]|-.*[^\d.eE+-]", cell) and \
                    not re.fullmatch(r"-?\s*\d*", cell) and cell != "-":
                yield f"a formula: {cell!r}"


@test("T13", "cells", "formulas in CSV, commands in annotations, lines in "
      "folded stacks and tables")
def cells(battery):
    for what, command, name, done in inject(
            battery, CELLS, 120, {"csv", "github", "markdown", "sarif",
                                  "es-bulk", "influx", "junit", "folded", "nodes", "speedscope"}):
        label = f"{what}: {command} --format {name}"
        battery.check(label, done)
        for fault in [*faults_of(name, done.out),
                      *(cell_faults(done.out) if name == "csv" else ())]:
            battery.fault(label, fault)


STEPS = ["::error::x", "\u00a0\u2003\u3000::add-mask::x", "x\n::error::x",
         "x\r \t::stop-commands::x", "\v\f::x", "\u2028::x", "a\n\n::x\n::y",
         "##[error]x", "x##[group]", "###[x", "##vso[task.x]y",
         "x\n##teamcity[y z='1']", "##", "[x", ":"]


def step_lines(battery, what, arguments, stdin=b""):
    """A command that writes lines of its own, to a pipe and to a file."""
    done = battery.run(arguments, stdin)
    battery.check(what, done)
    for fault in runner_faults(done.out) + runner_faults(done.err):
        battery.fault(what, fault)


@test("T35", "steps", "no line of stdout and stderr is a command of a CI "
      "runner: each text of each input, file names, symbols")
def steps(battery):
    payloads = [(step, place) for step in STEPS for place in STEPS]
    known = [(*one, path) for one in structures()
             for path in strings(one[2][-1])]
    for command, name, found, path in battery.some(known, 150):
        step = battery.random.choice(STEPS)
        texts = [*map(json.dumps, found[:-1]), json.dumps(
            poisoned(found[-1], lambda _, p=step: p, path))]
        list(check_all(battery, f"{name}: {step!r} at {path}", command,
                       write(battery, "\n".join(texts).encode()),
                       gate=None if battery.campaign else 1))
    for command, name, found in battery.some(list(structures()), 50):
        texts = [json.dumps(poisoned(document, lambda _: "".join(
            battery.random.choice(payloads)), None)) for document in found]
        list(check_all(battery, f"{name}: all of it", command,
                       write(battery, "\n".join(texts).encode()),
                       gate=None if battery.campaign else 2))
    for number in battery.cases(30):
        step = STEPS[number % len(STEPS)]
        lines = f"{step}\n {step} _ZN4Feed5parseEi\n{step}".encode()
        step_lines(battery, f"demangle {step!r}", ["demangle"], lines)
        step_lines(battery, f"demangle {step!r}", ["demangle", "--", step])
        step_lines(battery, f"fold {step!r}", ["fold", "-"],
                   f"{step.strip()};{step.strip()} 1\n".encode())
        path = battery.scratch / step.replace("/", "_")
        path.write_bytes(sample("demo.crash"))
        for command in ("symbolicate", "missing", "uuid", "group", "jetsam"):
            step_lines(battery, f"{command} {step!r}", [command, path.name])
            step_lines(battery, f"{command} {step!r}", [command, "--", step])
        path.unlink()
        symbol = step.encode().ljust(11, b"_")[:11]
        path = write(battery, sample("Plain.dylib").replace(
            b"_plain_store", b"_" + symbol))
        step_lines(battery, f"atos {step!r}", [
            "atos", "-o", path, "-arch", "arm64", "-offset", *map(
                hex, range(0, 0x1000, 16))])
