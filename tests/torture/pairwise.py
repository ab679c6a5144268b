# SPDX-License-Identifier: MIT
"""Rows of settings in which every two values of two options meet.

The options of a command and their choices are those that its --help lists, so
that a new one is covered without a line here. What a value may be that has no
choices, VALUES says by its name; and what an option asks of another, NEEDS.
"""

import itertools
import random
import re
import subprocess

from formats import formats_of
from harness import SAMPLES, TOP

ROWS_MOST = 150
ABSENT, PRESENT = None, True
CASES = TOP / "tests/cli"
GROUP_RULES = [str(TOP / "data/frame-meanings.yaml")]

# By option, or by its placeholder. What is empty is not varied: the help is
# printed instead of all else, and atos is asked for the input itself.
VALUES = {
    "--help": [],
    "atos -o": [],
    "-arch": ["arm64", "x86_64"],
    "-uuid": ["01020304-0506-0708-090A-0B0C0D0E0F10"],
    "-l": ["0x100000000"],
    "-s": ["0x4000"],
    "-f": [str(SAMPLES / "README.md")],
    "-delimiter": [", "],
    "--allow-uuid-mismatch": [
        "1A2B3C4D-5E6F-3071-8293-A4B5C6D7E8F9="
        f"{SAMPLES}/Plain.dylib"],
    "--arch": ["arm64", "x86_64"],
    "--baseline": [str(SAMPLES / "lag/bare.json")],
    # None is among the samples: "no such file" is all that could be seen.
    "--bcsymbolmap": [],
    "--dsym": [str(SAMPLES / "Demo.dSYM"), str(SAMPLES)],
    "--fail-on": ["new", "grown", "grown:10"],
    "--images": [str(SAMPLES / "lag/images.txt")],
    "--jobs": ["1", "2"],
    "--level": ["1", "4"],
    "--limit": ["frames=1024", "name=64", "json-depth=16"],
    "--limits": [str(TOP / "data/device-limits.yaml")],
    "--max-nodes": ["1", "40"],
    "--min-duration": ["100ms"],
    "--min-percent": ["0", "10"],
    "--min-share": ["5"],
    "--output": ["out"],
    "--owners": [str(SAMPLES / "CODEOWNERS")],
    "--process": ["Demo"],
    "--prune": ["1 MB"],
    # Any file is a key, and always the same one is comparable.
    "--redact-key": [str(TOP / "LICENSE")],
    "--rules": [str(CASES / "lag-aggregate/rules" / name)
                for name in ("all.yaml", "business.yaml")],
    "--sessions": ["100,200"],
    "--since": ["2026-01-31"],
    "--source-root": [str(SAMPLES / "src")],
    "--stacks": ["2"],
    "--store": [str(SAMPLES)],
    "--symbols": [str(SAMPLES)],
    "--path-map": ["/src/Demo=Demo"],
    "--threshold": ["2s"],
    "--title": ["a <b> & c"],
    "--until": ["2026-08-09"],
    "--where": ["app=Demo", "os=16"],
    "--width": ["0", "60"],
    "<count>": ["1", "5"],
    "<number>": ["0", "7"],
    "<seconds>": ["60"],
    "symbolicate --images": [str(SAMPLES / "demo.crash")],
    "group --fail-on": ["none", "launch"],
    "group --rules": GROUP_RULES,
    "diff --rules": GROUP_RULES,
    # What is in a log is not what is printed.
    "filter --log": [],
    # It takes none of the others.
    "index --store": [], "index --name": [], "index --app-version": [],
    "index --build": [], "index --keep": [],
    "jetsam --fail-over": ["50%"],
    "lag-aggregate --fail-over": ["5"],
    "flamegraph --width": ["300", "1200"],
}

OF_GROUPS = ("--baseline", "--by", "--min-duration", "--min-share", "--stacks", "--top")
# What an option, or one value of it, asks of others.
NEEDS = {
    "--all": {"--top": [ABSENT]},
    "--array": {"--format": ["json"]},
    "--bulk-op": {"--format": ["es-bulk"]},
    "--by=owner": {"--owners": VALUES["--owners"]},
    "--clear": {"--symbols": [ABSENT]},
    "--color=always": {"--format": ["text"]},
    "--cross-check": {"--verify": [PRESENT]},
    "--diff-mode": {"--diff": [PRESENT]},
    "--explain": dict.fromkeys(
        ("--test-rules", "--per-report", *OF_GROUPS), [ABSENT]),
    "--fail-over": {"--process": VALUES["--process"],
                    "--baseline": VALUES["--baseline"]},
    "--format=chrome": {"--diff": [ABSENT]},
    "--format=firefox": {"--diff": [ABSENT]},
    "--format=influx": dict.fromkeys(
        ("--explain", "--test-rules", "--per-report", "--victims", "--process"),
        [ABSENT]),
    "--format=nodes": {"--diff": [ABSENT]},
    "--list": dict.fromkeys(("--symbols", "--verify", "--prune", "--clear"),
                            [ABSENT]),
    "--images": {"--log": [PRESENT]},
    "--log": {"--format": ["text"], **dict.fromkeys(
        ("--style", "--array", "--threads", "--redact", "--redact-key",
         "--allow-uuid-mismatch", "--where", "--since", "--until",
         "--source-root"), [ABSENT])},
    "--min-percent": {"--format": ["text"]},
    "--min-share": {"--baseline": [ABSENT]},
    "--order=time": {"--format": ["svg", "html"], "--diff": [ABSENT],
                     "--max-nodes": [ABSENT]},
    "--per-report": dict.fromkeys(OF_GROUPS, [ABSENT]),
    "--prune": {"--symbols": [ABSENT], "--clear": [ABSENT]},
    "--redact": {"--redact-key": VALUES["--redact-key"]},
    "--redact-key": {"--redact": [PRESENT]},
    "--sessions": {"--baseline": VALUES["--baseline"]},
    "--source-root": {"--format": ["html"]},
    "--stalls": dict.fromkeys(
        ("--algorithm", "--level", "--owners", "--rules"), [ABSENT]),
    "--style": {"--format": ["text"]},
    "--verify": dict.fromkeys(("--symbols", "--prune", "--clear"), [ABSENT]),
    "--victims": {"--table": [ABSENT]},
    "-l": {"-s": [ABSENT], "-offset": [ABSENT]},
    "-s": {"-offset": [ABSENT]},
}


class Unknown(Exception):
    """An option of which no value is known."""


def help_of(program, command):
    return subprocess.run([program, command, "--help"], capture_output=True,
                          text=True, check=True).stdout


def commands_of(program):
    """The commands, in the order of --help."""
    listed = subprocess.run([program, "--help"], capture_output=True,
                            text=True, check=True).stdout
    table = listed.split("\ncommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  ([\w-]+) ", table, re.MULTILINE)


def operands_of(program, command):
    """What --help names behind the options: `<old>`, `<new>`."""
    usage = help_of(program, command).split("\n\n")[0]
    words = re.sub(r"\[-[^]]*\]|-o <file>", "", usage).split()[3:]
    return [word.strip("[].") for word in words if word.strip("[].")]


def values_of(program, command, option, placeholder):
    for key in (f"{command} {option}", option):
        if key in VALUES:
            return VALUES[key]
    if option == "--format":
        return formats_of(program, command)
    if not placeholder:
        return [PRESENT]
    found = []
    for word in placeholder.split("|"):
        known = VALUES.get(word, []) if word.startswith("<") else [word]
        if not known:
            raise Unknown(f"{command} {option} {placeholder}")
        found += known
    return found


def options_of(program, command):
    """Each option with its values; a format is always given."""
    listed = help_of(program, command).split("\noptions:\n")[1]
    listed = listed.split("\nexamples:\n")[0]
    found = {}
    for letter, name, placeholder in re.findall(
            r"^ {2,6}(?:(-\w), )?(--?[\w-]+)(?: (\S+))?(?:  .*)?$", listed,
            re.MULTILINE):
        values = values_of(program, command, name, placeholder)
        if values:
            found[name] = values if name == "--format" else [ABSENT, *values]
    return found


def fits(row):
    """Does nothing in it ask for what it has not?"""
    for key, needs in NEEDS.items():
        option, _, value = key.partition("=")
        given = row.get(option, ABSENT)
        if given is ABSENT or (value and given != value):
            continue
        for other, allowed in needs.items():
            if other in row and row[other] not in allowed:
                return False
    return True


def completed(options, row, left, pick):
    """The row with a value for each option, such that many pairs are new."""
    names = [name for name in options if name not in row]
    pick.shuffle(names)
    for name in names:
        best, most = None, -1
        for value in pick.sample(options[name], len(options[name])):
            tried = {**row, name: value}
            new = sum(pair_of(name, value, *other) in left
                      for other in row.items())
            if new > most and fits(tried):
                best, most = tried, new
        if best is None:
            return None
        row = best
    return row


def pair_of(*both):
    """Both settings, in one order."""
    first, second = both[:2], both[2:]
    return (first, second) if first[0] < second[0] else (second, first)


def rows_of(options, seed):
    """Few rows in which all pairs of values meet that can."""
    if len(options) < 2:
        return [{name: value} for name in options for value in options[name]]
    pick = random.Random(seed)
    left = dict.fromkeys(
        pair_of(one, value, other, second)
        for one, other in itertools.combinations(options, 2)
        for value in options[one] for second in options[other])
    rows = []
    while left:
        begin = dict(next(iter(left)))
        tried = [completed(options, begin, left, pick) for _ in range(4)] \
            if fits(begin) else []
        tried = [{name: row[name] for name in options}
                 for row in tried if row]
        if not tried:
            del left[next(iter(left))]
            continue
        best = max(tried, key=lambda row: sum(
            pair_of(*one, *other) in left
            for one, other in itertools.combinations(row.items(), 2)))
        for one, other in itertools.combinations(best.items(), 2):
            left.pop(pair_of(*one, *other), None)
        rows.append(best)
    return rows


def arguments_of(row):
    found = []
    for name, value in row.items():
        if value is not ABSENT:
            found += [name] if value is PRESENT else [name, value]
    return found
