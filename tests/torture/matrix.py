# SPDX-License-Identifier: MIT
"""T30: every command with every two of its settings, on every input.

The rows of a command are those of pairwise.py; its inputs are all files of the
samples and the tests that it takes, and, as a campaign, of the corpus and the
faults where these lie beside the tree. The order spreads over both, so that a
shorter run is a fair sample. Against another program, both are run and what
differs is listed by its kind."""

import base64
import collections
import concurrent.futures
import copy
import json
import multiprocessing
import random
import re
import shlex
from dataclasses import dataclass

import check_filter
import losses
from formats import control_faults, faults_of, runner_faults
from harness import SAMPLES, STATUSES, TOP, test
from pairwise import (ROWS_MOST, Unknown, arguments_of, commands_of,
                      operands_of, options_of, rows_of)

WORKERS = 2
SEED = 1
INPUT_MOST = 4 << 20
SEEDS = TOP / "tests/fuzz/corpus"
SEEDS_STEP = 8
GATE = 4000
GOLDEN = {"cmd", "stdout", "stderr", "exit"}
TAKEN = {0, 1, 3}
USAGE = 2
# How a row and its input become operands: by the first one of the usage.
FILES = {"<report>", "<samples>", "<path>", "<file>"}
# No input: they run once a row, with these operands.
ALONE = {"completion": ["bash"], "schema": ["report"], "help": ["convert"]}
MODES_OF_INDEX = ("--list", "--verify", "--prune", "--clear")
# Not varied by options: from text and .ips back to what they were made of.
AGAIN = "again"
# What an envelope asks `filter --shape any` for; None: nothing.
ASKED = (None, "event", "full", "ips", "text", "hash", "html")
# A document of the other shapes is JSON, as the answer is.
TEXTS = ("ips", "text", "html")
COLORS = re.compile(rb"\x1b\[[0-9;]*m")


@dataclass
class Command:
    name: str
    operands: list
    rows: list


@dataclass
class Case:
    command: Command
    row: object  # a row of settings, or AGAIN
    path: object  # None: the command takes no inputs


def shapes_of(row):
    """The shape of each answer of a filter; it is given a frame for each."""
    shape = row.get("--shape") or "event"
    return ASKED if shape == "any" else (shape,)


def frames_of(row, path):
    """The same report, in an envelope for each shape."""
    report = {"base64": base64.b64encode(path.read_bytes()).decode()}
    frames = [json.dumps({"apm": 1, "report": report, **({"shape": shape} if shape else {})})
              for shape in shapes_of(row)]
    pack = check_filter.FRAMINGS[row.get("--frame") or "lines"]
    return b"".join(pack(frame.encode()) for frame in frames)


def answer_faults(row, out):
    """An answer for each frame, and documents that are valid in their shape."""
    answers = list(check_filter.split(row.get("--frame") or "lines", out))
    shapes = shapes_of(row)
    if len(answers) != len(shapes):
        return [f"{len(answers)} answers to {len(shapes)} frames"]
    found = [fault for answer in answers for fault in faults_of("json", answer)]
    for answer, shape in zip(answers, shapes):
        if shape in TEXTS and not found:
            found += [f"{shape}: {fault}" for text in json.loads(answer)["documents"]
                      for fault in faults_of(shape, text.encode())]
    return found


def operands_for(command, row, path):
    """What comes behind the options, and the standard input."""
    if command.name == "filter":
        return [], frames_of(row, path)
    first = command.operands[0] if command.operands else None
    if command.name in ALONE or first is None:
        return ALONE.get(command.name, []), b""
    if command.name == "demangle":
        return [], path.read_bytes()
    if command.name == "atos":
        return ["-o", path, "0x100000a0c", "0x4"], b""
    if first == "<old>":
        old = "lag/bare.json" if row.get("--stalls") else "demo.crash"
        return [SAMPLES / old, path], b""
    if command.name == "index" and any(map(row.get, MODES_OF_INDEX)):
        return [], b""
    if first not in FILES:
        raise Unknown(f"{command.name}: operand {first}")
    return [path, path] if row.get("--diff") else [path], b""


def takes_files(command):
    return command.name == "filter" or \
        bool(command.operands) and command.name not in ALONE


def find_commands(battery):
    found = []
    for name in commands_of(battery.program):
        try:
            command = Command(name, operands_of(battery.program, name),
                              rows_of(options_of(battery.program, name), SEED))
            operands_for(command, {}, SAMPLES / "demo.crash")
        except Unknown as what:
            battery.fault(f"{what}", "pairwise.py knows no value of it")
            continue
        if len(command.rows) > ROWS_MOST:
            battery.fault(name, f"{len(command.rows)} rows")
        found.append(command)
    return found


def files_below(folder, step=1):
    return [path for path in sorted(folder.rglob("*"))[::step]
            if path.is_file() and path.stat().st_size <= INPUT_MOST]


def find_inputs(beside):
    found = [*files_below(SAMPLES), *(
        path for path in files_below(TOP / "tests/cli")
        if path.name not in GOLDEN),
        *files_below(SEEDS, SEEDS_STEP)]
    if beside is None:
        return found
    extra = [path for name in ("faults", "corpus")
             for path in files_below(beside / name)]
    if not extra:
        print("matrix: no corpus beside the tree: samples and tests only")
    return [*found, *extra]


def cases_in_order(commands, inputs, seed):
    """Each row with each input. In a turn, each input meets one row."""
    for turn in range(max(len(command.rows) for command in commands)):
        cases = []
        for command in commands:
            count = len(command.rows)
            if turn >= count:
                continue
            if not takes_files(command):
                cases.append(Case(command, command.rows[turn], None))
                continue
            cases += [Case(command, command.rows[(at + turn) % count], path)
                      for at, path in enumerate(inputs)]
            if turn == 0 and command.name in ("convert", "symbolicate"):
                # Seeds of fuzzing are damaged in ways that text escapes.
                cases += [Case(command, AGAIN, path) for path in inputs
                          if SEEDS not in path.parents]
        random.Random(f"{seed} {turn}").shuffle(cases)
        yield from cases


def number_of_cases(commands, inputs):
    return sum(len(command.rows) * (len(inputs) if takes_files(command) else 1)
               for command in commands)


def check_output(battery, what, command, row, done):
    """A documented status, and an output that is valid in its format."""
    # Of a file with several slices, atos wants to know which.
    battery.check(what, done, STATUSES if command.name == "atos"
                  else STATUSES - {USAGE})
    form = row.get("--format", "text")
    out = COLORS.sub(b"", done.out) if row.get("--color") == "always" \
        else done.out
    # What copies what it is given.
    is_copy = row.get("--log") or (command.name == "demangle" and
                                   form == "text")
    if command.name == "filter":
        faults = answer_faults(row, out)
    else:
        faults = [] if is_copy else faults_of(form, out)
    for fault in [*faults, *control_faults(done.err),
                  *runner_faults(done.err)]:
        battery.fault(what, fault)


class Worker:
    """One of several that share the cases; all of an input and a command."""

    def __init__(self, battery, number):
        self.battery = copy.copy(battery)
        self.battery.scratch = battery.scratch / f"worker{number}"
        self.battery.scratch.mkdir()
        self.battery.found = []
        self.battery.runs = 0
        self.number = number
        self.taken = {}
        self.done = 0
        # By command, format and kind: how often, and a command line.
        self.differences = {}
        self.messages = 0

    def is_mine(self, case):
        key = f"{case.command.name} {case.path}"
        return sum(key.encode()) % WORKERS == self.number

    def run(self, case, row, program=None):
        """Standard output, or the file that was asked for instead."""
        battery = self.battery
        operands, stdin = operands_for(case.command, row, case.path)
        which = "1" if program is None else "2"
        # Only `index` changes what a later run finds.
        cache = battery.scratch / (("index" if case.command.name == "index"
                                    else "cache") + which)
        kept, battery.program = battery.program, program or battery.program
        done = battery.run([case.command.name, *arguments_of(row), *operands],
                           stdin=stdin, env={"APMTOOL_CACHE": cache})
        battery.program = kept
        written = battery.scratch / "out"
        if written.exists():
            done.out += written.read_bytes()
            written.unlink()
        done.out = done.out.replace(str(cache).encode(), b"CACHE")
        return done

    def takes(self, case):
        """Found out once, with no option given; that run is checked, too."""
        key = (case.command.name, case.path)
        if key not in self.taken:
            status = self.try_row(case, {})
            self.taken[key] = case.path is None or status in TAKEN
        return self.taken[key]

    def compare(self, case, row, mine):
        other = self.run(case, row, self.battery.against)
        self.messages += mine.err != other.err
        kind = difference(mine, other)
        if kind:
            key = (case.command.name, row.get("--format", "-"), kind)
            count, example = self.differences.get(key, (0, shown(case, row)))
            self.differences[key] = (count + 1, example)

    def try_row(self, case, row):
        done = self.run(case, row)
        if self.battery.against:
            self.compare(case, row, done)
        else:
            check_output(self.battery, shown(case, row), case.command, row,
                         done)
        return done.status

    def work(self, cases):
        mine = (case for case in cases if self.is_mine(case))
        for case, _ in zip(mine, self.battery.cases(GATE // WORKERS)):
            self.done += 1
            if not self.takes(case):
                continue
            if case.row != AGAIN:
                self.try_row(case, case.row)
            elif not self.battery.against:
                losses.check(self.battery, case.command.name, case.path)


def shown(case, row):
    """As a command that can be run again, in the tree."""
    operands, stdin = operands_for(case.command, row, case.path)
    words = ["apmtool", case.command.name, *arguments_of(row),
             *map(str, operands)]
    text = shlex.join(word.replace(f"{TOP}/", "") for word in words)
    if case.command.name == "filter":
        return f"{text} <(frames of {case.path})"
    return f"{text} <{case.path}" if stdin else text


def normalised(line):
    """What is said, without what differs from input to input."""
    text = line.decode(errors="replace")
    text = re.sub(r"/[\w./@-]+", "PATH", text)
    return re.sub(r"0x[0-9a-f]+|[0-9]+", "N", text)[:100]


def difference(one, other):
    """The kind of difference of two runs; None: there is none."""
    if one.status != other.status:
        return f"status {other.status} is {one.status} now"
    if one.out == other.out:
        return None
    lines = [done.out.split(b"\n") for done in (other, one)]
    at = next((at for at, (old, new) in enumerate(zip(*lines))
               if old != new), min(map(len, lines)))
    old, new = (normalised(text[at]) if at < len(text) else "(end)"
                for text in lines)
    return f"stdout: {old!r} is {new!r} now"


def work(battery, number, commands, inputs):
    worker = Worker(battery, number)
    worker.work(cases_in_order(commands, inputs, battery.seed))
    return (worker.battery.runs, worker.battery.found, worker.done,
            worker.differences, worker.messages)


def report(battery, results, total):
    differences = collections.defaultdict(lambda: [0, None])
    for runs, found, _, differing, _ in results:
        battery.runs += runs
        battery.found += found
        for kind, (count, example) in differing.items():
            differences[kind][0] += count
            differences[kind][1] = differences[kind][1] or example
    for (name, form, kind), (count, example) in sorted(
            differences.items(), key=lambda item: (-item[1][0], item[0])):
        battery.fault(f"{count} times: {name} {form}",
                      f"{kind}\n    {example}")
    if battery.against:
        print(f"matrix: {sum(result[4] for result in results)} "
              "differ on standard error")
    print(f"matrix: {sum(result[2] for result in results)} of {total} cases")


@test("T30", "matrix", "all commands, every two of their settings, on all "
      "inputs")
def matrix(battery):
    commands = find_commands(battery)
    inputs = find_inputs(battery.beside if battery.campaign else None)
    battery.begin()
    with concurrent.futures.ProcessPoolExecutor(
            WORKERS, multiprocessing.get_context("fork")) as pool:
        report(battery, list(pool.map(
            work, [battery] * WORKERS, range(WORKERS),
            [commands] * WORKERS, [inputs] * WORKERS)),
            number_of_cases(commands, inputs))
