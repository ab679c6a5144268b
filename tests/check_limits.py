#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Limits on what an input may hold: what fits is read without a word, up to the
last, and one more gives the note that the manual promises.

    check_limits.py --program build/dev/apmtool [NAME...]

A case makes an input of any size. It is run at the limit, one before and one
beyond it, and says what is left of it and which note or error there is. Limits that an
input reaches only with gigabytes, or not at all, have unit tests, or none.

The table of SECURITY.md is read, too (promised_limits.py): each row is what
`doctor` prints, and has a trial."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace

sys.dont_write_bytecode = True
import promised_limits as promised  # noqa: E402

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples"
UUID = "4C4C44BD-5555-3144-A18B-1D7A14ACC538"
HEADER = '{"bug_type":"309","timestamp":"2026-01-31 09:00:00.00 +0000"}\n'
TEXT = ("Incident Identifier: 1\nHardware Model: iPhone14,2\n"
        "Process: Demo [1]\nIdentifier: com.example.demo\n"
        "Code Type: ARM-64\nDate/Time: 2026-01-31 09:00:00.000 +0000\n"
        "OS Version: iPhone OS 17.2 (21C62)\nReport Version: 104\n\n"
        "Exception Type: EXC_CRASH (SIGABRT)\n\n")
CASES = []


@dataclass
class Case:
    name: str
    most: int
    note: str       # where there is more; {most} and {more} are numbers
    kept: object    # answer -> what is left
    make: object    # count -> input
    row: str        # of SECURITY.md: the option changes it; or None
    beyond: int     # what is left where there is more


def limit(name, most, note, kept=None, row=None, beyond=None):
    """A function that makes the input, and one that counts what is left."""
    def add(make):
        CASES.append(Case(name, most, note, kept, make, row, beyond))
        return make
    return add


class Answer:
    def __init__(self, done):
        self.status = done.returncode
        self.stdout = done.stdout.decode(errors="replace")
        self.stderr = done.stderr.decode(errors="replace")

    def report(self):
        return json.loads(self.stdout)

    def notes(self):
        try:
            return "\n".join(note["text"] for note in self.report()["notes"])
        except (json.JSONDecodeError, KeyError, TypeError):
            return self.stdout + self.stderr


def count_of(key):
    return lambda answer: len(answer.report()[key])


def frames(answer):
    return len(answer.report()["threads"][0]["frames"])


def repeated(text, count, between=","):
    return between.join([text] * count)


# Apple's JSON

def ips(body):
    return HEADER + json.dumps(body)


@limit("IPS_HEADER_LINE_MAX", 64 << 10, "not a crash report")
def ips_header(count):
    line = HEADER.strip()[:-1] + ',"x":"%s"}'
    return (line % ("x" * (count + 2 - len(line))) + "\n" +
            json.dumps({"threads": [{"id": 1}]}))


@limit("threads of .ips", 10000,
       "only the first {most} of {more} threads were read", count_of("threads"),
       "threads")
def ips_threads(count):
    return ips({"threads": [{"id": i} for i in range(count)]})


@limit("frames of .ips", 100000,
       "{more} frames: only the first and the last 512 were read",
       frames, "frames", 1024)
def ips_frames(count):
    return HEADER + ('{"threads":[{"triggered":true,"frames":[%s]}],'
                     '"usedImages":[{"base":4096,"size":1000000,"uuid":"%s",'
                     '"name":"Demo"}]}' % (repeated("[0,8]", count), UUID))


@limit("lines of .ips", 700000,
       "more than {most} lines or frames in the file: the rest is left out",
       lambda answer: sum(len(thread["frames"])
                          for thread in answer.report()["threads"]), "lines")
def ips_lines(count):
    return HEADER + '{"threads":[%s]}' % ",".join(
        '{"frames":[%s]}' % repeated('{"imageOffset":8}',
                                     min(50000, count - done))
        for done in range(0, count, 50000))


@limit("images of .ips", 20000,
       "only the first {most} of {more} images were read", count_of("images"),
       "images")
def ips_images(count):
    return ips({"threads": [{"frames": []}], "usedImages": [
        {"base": 4096 + 16 * i, "size": 16, "name": "x"}
        for i in range(count)]})


@limit("VALUES_MAX", 200, "only the first 200 of 201 values are listed",
       lambda answer: answer.stdout.count('"value": "v'))
def other_values(count):
    return ('{"bug_type":"999","timestamp":"2026-01-31 09:00:00 +0000"}\n' +
            json.dumps({f"k{i}": f"v{i}" for i in range(count)}))


# Apple's text

@limit("threads of text", 10000, "more than {most} threads",
       count_of("threads"), "threads")
def text_threads(count):
    return TEXT + "".join(f"Thread {i}:\n0   Demo 0x1010 0x1000 + 16\n\n"
                          for i in range(count))


@limit("frames of text", 100000,
       "{more} frames; only the first and the last 512", frames, "frames", 1024)
def text_frames(count):
    return TEXT + "Thread 0 Crashed:\n" + "".join(
        f"{i:<3} Demo 0x1010 0x1000 + 16\n" for i in range(count))


@limit("lines of text", 700000,
       "more than {most} lines or frames in the file: the rest is left out",
       lambda answer: answer.stdout.count("\n"), "lines")
def text_lines(count):
    return TEXT + "".join(
        f"Thread {i}:\n" if not i % 50000 else "0   Demo 0x1010 0x1000 + 16\n"
        for i in range(count - TEXT.count("\n")))


@limit("images of text", 20000, "more than {most} images",
       count_of("images"), "images")
def text_images(count):
    return (TEXT + "Thread 0 Crashed:\n0   Demo 0x1010 0x1000 + 16\n\n"
            "Binary Images:\n" + "".join(
                f"0x{4096 * i:x} - 0x{4096 * i + 4095:x} x arm64  <{UUID}> "
                f"/x{i}\n" for i in range(1, count + 1)))


@limit("CHAIN_LIMIT", 64, None, lambda answer: 1 + sum(
    frame["inline"] for frame in answer.report()["threads"][0]["frames"]))
def text_inlined(count):
    return TEXT + "Thread 0 Crashed:\n" + "".join(
        f"{i:<3} Demo 0x0000000000001010 f{i} + 16 (a.c:1)"
        f"{' [inlined]' if i < count - 1 else ''}\n" for i in range(count))


@limit("STATE_LIMIT", 1000, None, lambda answer: sum(
    "registers" in thread for thread in answer.report()["threads"]))
def text_states(count):
    return text_threads(count) + "".join(
        f"Thread {i} crashed with ARM Thread State (64-bit):\n"
        "    x0: 0x0000000000000001\n\n" for i in range(count))


# KSCrash

def kscrash(**members):
    crash = {"error": {"type": "signal", "signal": {"signal": 6}},
             "threads": members.pop("threads", [{"index": 0}])}
    return json.dumps({"report": {"version": "3.3.0", "id": UUID,
                                  "type": "standard"},
                       "crash": crash, "binary_images": [], **members})


@limit("threads of KSCrash", 10000,
       "only the first {most} of {more} threads were read", count_of("threads"),
       "threads")
def kscrash_threads(count):
    return kscrash(threads=[{"index": i} for i in range(count)])


@limit("frames of KSCrash", 100000,
       "only the first {most} of {more} frames were read", frames, "frames")
def kscrash_frames(count):
    return kscrash(threads=[{"index": 0, "backtrace": {"contents": [
        {"instruction_addr": 4112}] * count}}])


@limit("lines of KSCrash", 700000,
       "more than {most} lines or frames in the file: the rest is left out",
       lambda answer: sum(len(thread["frames"])
                          for thread in answer.report()["threads"]), "lines")
def kscrash_lines(count):
    return kscrash(threads=[
        {"index": done, "backtrace": {"contents": [1] * min(50000,
                                                            count - done)}}
        for done in range(0, count, 50000)])


@limit("images of KSCrash", 20000,
       "only the first {most} of {more} images were read", count_of("images"),
       "images")
def kscrash_images(count):
    return kscrash(binary_images=[
        {"image_addr": 4096 * i, "image_size": 4096, "name": "/x"}
        for i in range(1, count + 1)])


@limit("SECTIONS_MAX", 100, None,
       lambda answer: len(set(re.findall(r"found-\d+", answer.stdout))))
def kscrash_sections(count):
    return kscrash(**{f"own_{i}": f"found-{i}" for i in range(count)})


@limit("REGISTERS_MAX", 100, None, lambda answer: len(
    answer.report()["threads"][0]["registers"]["values"]))
def kscrash_registers(count):
    return kscrash(threads=[{"index": 0, "crashed": True, "registers": {
        "basic": {f"own{i}": i for i in range(count)}}}])


@limit("FRAME_IMAGES_MAX", 500, None, count_of("images"))
def kscrash_frame_images(count):
    text = kscrash(threads=[{"index": 0, "backtrace": {"contents": [
        {"instruction_addr": (i << 20) + 16, "object_addr": i << 20,
         "object_name": f"x{i}"} for i in range(1, count + 1)]}}])
    return text.replace('"binary_images": []', '"x": 0')


@limit("LOOKS_MAX", 10000, "only the first 1000", None)
def matrix_looks(count):
    return kscrash(threads_profile=[{"profile": "x"}] * count)


# MetricKit

def frame(**members):
    return {"binaryName": "Demo", "binaryUUID": UUID, "address": 4112,
            "offsetIntoBinaryTextSegment": 16, **members}


def metrickit(stacks, count=1):
    one = {"version": "1.0.0", "callStackTree": {
        "callStackPerThread": True, "callStacks": stacks},
        "diagnosticMetaData": {"bundleIdentifier": "com.example.demo"}}
    return json.dumps({"timeStampBegin": "2026-01-30 16:00:00 +0000",
                       "timeStampEnd": "2026-01-31 15:59:00 +0000",
                       "crashDiagnostics": [one] * count})


def stack(*roots):
    return {"threadAttributed": True, "callStackRootFrames": list(roots)}


@limit("stacks of MetricKit", 10000, "only the first {most} stacks were read",
       count_of("threads"), "threads")
def metrickit_stacks(count):
    return metrickit([stack(frame())] * count)


@limit("METRICKIT_DIAGNOSTICS_MAX", 10000, "only the first 10000 were read",
       lambda answer: len(answer.report()["reports"]))
def metrickit_diagnostics(count):
    return metrickit([stack(frame())], count)


@limit("METRICKIT_IMAGES_MAX", 2000, "2000 images", count_of("images"))
def metrickit_images(count):
    return metrickit([stack(frame(
        binaryUUID=f"4C4C44BD-5555-3144-A18B-{i:012X}", binaryName=f"x{i}",
        address=i << 20)) for i in range(1, count + 1)])


@limit("METRICKIT_NOTES_MAX", 1000, "further notes are not listed")
def metrickit_notes(count):
    return metrickit([stack(frame())] + [7] * count)


@limit("lines of MetricKit", 700000,
       "more than {most} lines or frames in the file: the rest is left out",
       lambda answer: answer.stdout.count('"address": "0x1010"'), "lines")
def metrickit_lines(count):
    text = metrickit([stack("FRAMES")])
    return text.replace('"FRAMES"', repeated('{"address":4112}', count))


@limit("METRICKIT_LEVELS_MAX", 16, "nested too deeply")
def metrickit_levels(count):
    return ('{"crashDiagnostics":[' + '{"metaData":' * (count - 2) + "{}" +
            "}" * (count - 2) + "]}")


# Other texts

def log(lines):
    return (HEADER.replace("309", "145") + "".join(lines) +
            "\nThis log holds text that nobody reads.\n")


@limit("LOG_HEAD_FIELDS_MAX", 100, None,
       lambda answer: len(answer.report()["header"]))
def log_fields(count):
    return log(f"Label {i}: value\n" for i in range(count))


@limit("TREE_TEXT_DEPTH_MAX", 4096, "4,096", None)
def sampled_depth(count):
    head = (SAMPLES / "demo-sample.txt").read_text().split("Call graph:")[0]
    return (head + "Call graph:\n    9 Thread_1   DispatchQueue_1: main\n" +
            "".join(" " * (4 + 2 * i) + f"9 f{i}  (in Demo) + 1  [0x1000]\n"
                    for i in range(1, count + 1)) + "\n")


# Records of sessions, jetsam logs, flame graphs

@limit("RECORDS_MAX", 10000, "more than 10000 records",
       lambda answer: len(answer.report()["rows"]))
def session_records(count):
    return repeated('{"appState":"background","isExit":true}', count, "\n")


@limit("JETSAM_PROCESS_LINES", 233333,
       "more than 700000 lines or frames in the file: the rest is left out",
       lambda answer: len(answer.report()["jetsam"]["processes"]))
def jetsam_processes(count):
    return HEADER.replace("309", "298") + json.dumps({
        "memoryStatus": {"pageSize": 16384},
        "processes": [{"rpages": 9}] * count})


@limit("JETSAM_STATES_MAX", 32, None,
       lambda answer: len(set(re.findall(r"odd-\d+", answer.stdout))))
def jetsam_states(count):
    return HEADER.replace("309", "298") + json.dumps({
        "memoryStatus": {"pageSize": 16384}, "processes": [
            {"name": "Demo", "rpages": 9, "reason": "highwater",
             "states": [f"odd-{i}" for i in range(count)]}]})


@limit("JETSAM_PAGES_MAX", 1 << 40, "expected a count of pages")
def jetsam_pages(count):
    return HEADER.replace("309", "298") + json.dumps({
        "memoryStatus": {"pageSize": 16384},
        "processes": [{"name": "Demo", "rpages": count}]})


@limit("JETSAM_TREND_ROWS_MAX", 1000, "only the first 1000")
def jetsam_rows(count):
    return [HEADER.replace("309", "298") + json.dumps({
        "product": "iPhone12,3", "memoryStatus": {"pageSize": 16384},
        "processes": [{"name": f"x{i}", "rpages": 9, "pid": i,
                       "reason": "per-process-limit"} for i in range(most)]})
            for most in (count, 1)]


@limit("FLAME_NAME_MAX", 4096, "x" * 4096 + "…")
def flame_name(count):
    return "main;" + "x" * count + " 5\n"


# Records of memory

@limit("MEMORY_LIMITS_MAX", 10000, "more than 10000 limits",
       lambda answer: len(
           answer.report()["tables"][0]["table"]["rows"]))
def memory_records(count):
    faulty = {"phys_footprint": "?", "os_proc_available_memory": 1}
    return json.dumps([faulty] + [
        {"phys_footprint": 100000000, "os_proc_available_memory": 50000000}
    ] * count)


# Several reports in one text

@limit("SPLIT_PARTS_MAX", 50000, None,
       lambda answer: answer.stdout.count("\n"))
def split_parts(count):
    return repeated(TEXT + "Thread 0 Crashed:\n0   Demo 0x1010 0x1000 + 16\n",
                    count, "\n")


ARGUMENTS = {
    "lines of text": ["convert", "--to", "text"],
    "JETSAM_PROCESS_LINES": ["jetsam", "--format", "json"],
    "SPLIT_PARTS_MAX": ["convert", "--to", "jsonl"],
    "RECORDS_MAX": ["exit-reason", "--format", "json"],
    "MEMORY_LIMITS_MAX": ["jetsam", "--format", "json"],
    "JETSAM_STATES_MAX": ["jetsam", "--format", "json"],
    "JETSAM_PAGES_MAX": ["jetsam", "--format", "json"],
    "JETSAM_TREND_ROWS_MAX": ["jetsam", "--format", "csv",
                              "--table", "limits"],
    "FLAME_NAME_MAX": ["flamegraph", "--format", "svg"],
}


def run(program, name, text, folder, option=()):
    paths = []
    for number, part in enumerate(text if isinstance(text, list) else [text]):
        paths.append(folder / f"input-{number}")
        paths[-1].write_text(part)
    done = subprocess.run(
        [program, *ARGUMENTS.get(name, ["convert", "--to", "json"]), *option,
         *paths],
        capture_output=True, check=False)
    return Answer(done)


def check(program, folder, case, option=(), steps=(-1, 0, 1)):
    """What is wrong, a line each."""
    name = " ".join([case.name, *option])
    most = case.most
    kept = case.kept
    note = case.note and case.note.format(most=most, more=most + 1)
    for count in (most + step for step in steps):
        answer = run(program, case.name, case.make(count), folder, option)
        if answer.status not in (0, 3, 4):
            yield f"{name}: {count}: status {answer.status}: {answer.stderr}"
            continue
        left = case.beyond if case.beyond and count > most else min(count, most)
        if kept and kept(answer) != left:
            yield f"{name}: {count}: {kept(answer)} are left of {left}"
        if case.row and (f"--limit {case.row}=" in answer.notes()) != (
                count > most):
            yield f"{name}: {count}: how to raise it: {answer.notes()[-300:]}"
        if note and (note in answer.notes()) != (count > most):
            yield (f"{name}: {count}: '{note}' is "
                   f"{'missing' if count > most else 'there'}: "
                   f"{answer.notes()[-300:]}")


def check_option(program, folder, case):
    """The same at another limit, that the option sets."""
    for most, steps in (1500, (-1, 0, 1)), (case.most + 1, (0,)):
        yield from check(program, folder, replace(case, most=most),
                         ["--limit", f"{case.row}={most}"], steps)


def try_counts(program, folder, row, most, option=(), steps=(-1, 0, 1)):
    """The trial of a row, on both sides of its first number, where @p most is
    the limit."""
    trial = promised.TRIALS[row.name]
    for count in (row.numbers[0] + step for step in steps):
        made = trial.make(count, row.numbers, folder)
        env = {**os.environ, "APMTOOL_AUTO": "0", "APMTOOL_CACHE": "none",
               "APMTOOL_CONFIG": str(made) if trial.config else "none"}
        done = subprocess.run([program, *(["doctor"] if trial.config else
                                          made), *option], env=env,
                              check=False, capture_output=True, timeout=120)
        said = (done.stdout + done.stderr).decode(errors="replace")
        if done.returncode not in (0, 1, 2, 3, 4):
            yield f"{row.name}: {count}: status {done.returncode}"
        # What can be raised says how, and what cannot be, only below its most.
        if (f"--limit {row.name}=" in said) != (count > most and (
                bool(option) or "can only be lowered" not in row.why)):
            yield f"{row.name} {' '.join(option)}: {count}: {said[-300:]}"
        if trial.within(count, said) != (count <= most):
            yield (f"{row.name} {' '.join(option)}: {count}: "
                   f"{'refused' if count <= most else 'not refused'}: "
                   f"{said[-300:]}")


def try_row(program, folder, row):
    """A row at its default, at a lower limit, and at a higher one."""
    most = row.numbers[0]
    lower = promised.TRIALS[row.name].lower
    higher = most + max(1, most // 100)
    yield from try_counts(program, folder, row, most)
    yield from try_counts(
        program, folder, replace(row, numbers=[lower, *row.numbers[1:]]),
        lower, ["--limit", f"{row.name}={lower}"])
    option = ["--limit", f"{row.name}={higher}"]
    if "can only be lowered" not in row.why:
        yield from try_counts(program, folder, row, higher, option, (1,))
    elif subprocess.run([program, "doctor", *option], check=False,
                        capture_output=True).returncode != 2:
        yield f"{row.name}: can be raised"


def check_row(program, folder, row, printed, tries):
    """What is wrong with a row of SECURITY.md, a line each."""
    if printed.get(row.name) != row.value:
        yield (f"SECURITY.md: {row.name}: '{row.value}', and doctor prints "
               f"'{printed.get(row.name)}'")
    if row.name in promised.TRIALS:
        if tries:
            yield from try_row(program, folder, row)
    elif any(case.row == row.name for case in CASES):
        most = {case.most for case in CASES if case.row == row.name}
        if most != set(row.numbers):
            yield f"SECURITY.md: {row.name}: its cases have {most}"
    elif row.name in promised.UNIT_TESTS:
        path, function = promised.UNIT_TESTS[row.name]
        if f"({function})" not in (promised.TOP / "tests/unit" /
                                   path).read_text():
            yield f"SECURITY.md: {row.name}: there is no {path}: {function}"
    else:
        yield f"SECURITY.md: {row.name}: nothing tries it"


def limits_of_doctor(program):
    """Name and value of each limit that the program prints."""
    said = subprocess.run([program, "doctor"], capture_output=True, text=True,
                          check=False).stdout
    lines = re.split(r"\nlimits .*\n", said)[1].split("\n\n")[0].splitlines()
    return {line[:22].strip(): line[22:].strip() for line in lines}


def check_promises(program, names, every):
    """What is wrong with the table of SECURITY.md, and how long it is. Every row
    is compared, and each Nth one tried."""
    printed = limits_of_doctor(program)
    rows = list(promised.rows())
    faults = [f"SECURITY.md: '{name}' of doctor is not in the table"
              for name in printed if name not in {row.name for row in rows}]
    for number, row in enumerate(rows):
        if names and row.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            faults += check_row(program, pathlib.Path(folder), row, printed,
                                number % every == 0)
    return faults, len(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="take only every Nth limit")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES[::arguments.every]:
            if arguments.names and case.name not in arguments.names:
                continue
            faults = list(check(program, pathlib.Path(folder), case))
            if case.row:
                faults += check_option(program, pathlib.Path(folder), case)
            for line in faults:
                print(line)
            failures += len(faults)
    faults, count = check_promises(program, arguments.names,
                                   arguments.every)
    for fault in faults:
        print(fault)
    failures += len(faults)
    print(f"{len(CASES)} limits, {count} promised, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
