#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Our text of KSCrash reports against KSCrash's own.

    tests/check_kscrash.py --program build/dev/apmtool

KSCrash's project keeps some reports twice: as JSON, and as its Apple-format
filter printed them in 2012. Those files are no part of this project: where
they are not beside it (../shared/corpus), the check is skipped. Both texts are
brought to one form by the rules below, each with its reason; after that they
must be equal line by line. A rule that applies nowhere hides nothing and has
to go: that is a fault too."""

import argparse
import datetime
import difflib
import pathlib
import re
import subprocess
import sys

SKIPPED = 77
CORPUS = (pathlib.Path(__file__).resolve().parent.parent.parent
          / "shared/corpus/kscrash")


def in_utc(match):
    moment = datetime.datetime.strptime(match[0], "%Y-%m-%d %H:%M:%S.%f %z")
    return moment.astimezone(datetime.timezone.utc).isoformat(" ")


# Reason, pattern, replacement; None takes the line away.
THEIRS = [
    ("columns are padded otherwise since iOS 15", r"(?<=\S)[ \t]+(?=\S)", " "),
    ("blanks at the ends of rows", r"^ +| +$", ""),
    ("addresses lost their leading zeros in iOS 15", r"0x0+(?=[0-9a-f])",
     "0x"),
    ("the mark of the app's images went with iOS 5",
     r"^(0x\w+ - 0x\w+) \+", r"\1 "),
    ("it printed the zone of the machine it ran on; the report has UTC",
     r"\d{4}-\S+ \S+ [+-]\d{4}$", in_utc),
    ("renamed in iOS 6", r"^Crashed Thread:", "Triggered by Thread:"),
    ("why there is no dump stands in the report", r"^\(null\)$",
     "Stack contents not accessible"),
    ("the reporter's crash is a report of its own here",
     r"^Recrash Diagnosis:", "CrashDoctor Diagnosis:"),
    ("the heading of what an app says is left out for deadlocks",
     r"^(?=Application main thread deadlocked$)",
     "Application Specific Information:\n"),
    ("the heading of what an app says is left out for this",
     r"^Handler crashed while reporting:$", None),
]
OURS = [
    ("columns", r"(?<=\S)[ \t]+(?=\S)", " "),
    ("blanks at the ends of rows", r"^ +| +$", ""),
    ("leading zeros of registers", r"0x0+(?=[0-9a-f])", "0x"),
    ("to compare dates", r"\d{4}-\S+ \S+ [+-]\d{4}$", in_utc),
    ("KSCrash says whether the app was in the foreground, and when it began",
     r"^(Role|Launch Time):.*", None),
    ("Apple adds whether the code was translated",
     r"(?<=^Code Type: ARM) \(Native\)$", ""),
    ("Apple's newer title of the registers", r"(?<=^Thread . crashed with ARM "
     r"Thread State) \(32-bit\)", ""),
    ("the address and status of the fault are registers too",
     r"^far: 0x\w+ fsr: 0x\w+$", None),
    ("said in the report, and not by KSCrash's text",
     r"^The stack has overflowed\.$", None),
    ("Apple's text has an end mark", r"^EOF$", None),
]
# Parts behind the end mark that KSCrash of 2012 did not print.
NEWER_PARTS = ("Application Stats", "Memory Statistics", "System", "User",
               "Report")


def without_parts(text):
    """The parts are divided by empty lines; dumps begin with one."""
    titles = "|".join(NEWER_PARTS)
    return re.sub(rf"\n(?:{titles}):\n(?:.+\n)+", "", text)


def join_reports(text):
    """Of the second report, what is not in the first."""
    first, *more = re.split(r"\n(?=Incident Identifier:)", text)
    for report in more:
        report = report[report.index("Exception Type:"):]
        report = report.replace("\nApplication Specific Information:\n"
                                "Handler crashed while reporting\n", "")
        images, end = report.split("\nBinary Images:\n")
        first += "\n" + images + "\n" + end[end.index("CrashDoctor"):]
    return first


def without_zeros(text):
    """KSCrash prints zeros for what a report does not have: the registers of a
    thread that threw, exception and signal of a deadlock."""
    text = re.sub(r"^Thread 0 crashed with.*\n(?:.*: 0x0+ *\n)+$", "", text,
                  flags=re.M)
    return re.sub(r"^Exception Type:  0 \(0\)\nException Codes:.*\n", "",
                  text, flags=re.M)


def normal(text, rules, used):
    lines = []
    for line in text.splitlines():
        for index, (_, pattern, replacement) in enumerate(rules):
            changed = re.sub(pattern, replacement or "", line)
            if changed != line:
                used.add(index)
            elif replacement is None and re.search(pattern, line):
                used.add(index)
            line = changed
        lines += [part for part in line.split("\n") if part]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    pairs = [(path, path.with_suffix(".json"))
             for path in sorted(CORPUS.glob("*.txt"))]
    if not pairs:
        print("skipped: the reports are not beside the project")
        return SKIPPED
    failed = False
    used = {"KSCrash's": set(), "ours": set()}
    for text, report in pairs:
        printed = subprocess.run(
            [program, "symbolicate", "-q", "--style", "side-by-side",
             "--demangle", "none", report],
            check=True, capture_output=True, text=True).stdout
        theirs = normal(without_zeros(text.read_text()), THEIRS,
                        used["KSCrash's"])
        ours = normal(join_reports(without_parts(printed)), OURS, used["ours"])
        difference = list(difflib.unified_diff(theirs, ours, str(text), "ours",
                                               lineterm="", n=1))
        failed |= bool(difference)
        print("\n".join(difference) or f"{text.name}: {len(ours)} lines")
    for name, rules in (("KSCrash's", THEIRS), ("ours", OURS)):
        for index, rule in enumerate(rules):
            if index not in used[name]:
                print(f"a rule for {name} text applies nowhere: {rule[0]}")
                failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
