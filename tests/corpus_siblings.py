# SPDX-License-Identifier: MIT
"""What other tools made of the reports of the corpus, beside what we make.

A report `X` of which `X_symbolicated` was kept was named with the same dSYMs,
by MacSymbolicator, which asks Apple's atos; one that a Mac named itself is the
sibling of the one whose names were taken out. Line by line both must say the
same. Left out of the comparison, because it is a choice and no answer:

- calls that were inlined, which are frames of their own for us (atos was asked
  without -i), and with them the numbers of frames;
- ` (in IMAGE)`, which atos prints where a report has the offset into the
  function.

What differs otherwise is listed here with its reason, and nothing else may; an
exception that is no longer needed is a fault as well.
"""

import collections
import difflib
import re

# The same line of both, without what is left out.
Difference = collections.namedtuple("Difference", "ours theirs reason")

NEAR = ("line 0 in the table: the trap, or the thunk, is the compiler's; a "
        "report has the nearest line before it in the same function and file")
REGISTER = ("it names whatever looks like an address; the value of a register "
            "is no frame, and Apple's reports leave it as it is")
SYSTEM = "the Mac had its system's symbols, the corpus has none"

EXCEPTIONS = {
    "inket__2019-10__ios-report.crash": [
        Difference(
            "iOSCrashingTest 0x0000000102bca2a4 specialized static "
            "CrashClass.pleaseCrash() (AppDelegate.swift:24)",
            "iOSCrashingTest 0x0000000102bca2a4 specialized static "
            "CrashClass.pleaseCrash() (<compiler-generated>:0)", NEAR),
        Difference(
            "iOSCrashingTest 0x0000000102bc9ed8 @objc "
            "ViewController.viewDidLoad() (<compiler-generated>:14)",
            "iOSCrashingTest 0x0000000102bc9ed8 @objc "
            "ViewController.viewDidLoad() (<compiler-generated>:0)", NEAR),
    ],
    "inket__2022-08__ios-crash.crash": [
        Difference(
            "iOSCrashingTest 0x1007da4bc specialized static "
            "CrashClass.pleaseCrash() (AppDelegate.swift:24)",
            "iOSCrashingTest 0x1007da4bc specialized static "
            "CrashClass.pleaseCrash() (<compiler-generated>:0)", NEAR),
        Difference(
            "iOSCrashingTest 0x1007da1cc @objc "
            "ViewController.viewDidLoad() (<compiler-generated>:14)",
            "iOSCrashingTest 0x1007da1cc @objc "
            "ViewController.viewDidLoad() (<compiler-generated>:0)", NEAR),
    ],
    "inket__2019-10__report.crash": [
        Difference(
            "rip: 0x00000001003dade1 rfl: 0x0000000000010206 "
            "cr2: 0x0000000000000001",
            "rip: 0x00000001003dade1 -[MyClass crashingMethod] (main.m:50)",
            REGISTER),
    ],
    "r00tify__crashspike-unsymbolicated.ips": [
        Difference("libswiftCore.dylib 0x194722d20 0x1945eb000 + 1277216",
                   "libswiftCore.dylib 0x194722d20 "
                   "_assertionFailure(_:_:file:line:flags:) + 364", SYSTEM),
        Difference("dyld 0x180de9d54 0x180de1000 + 36180",
                   "dyld 0x180de9d54 start + 7184", SYSTEM),
    ],
}

# Siblings of another name.
NAMED_BY_THE_MAC = {
    "r00tify__crashspike-unsymbolicated.ips": "r00tify__crashspike-stripped.ips",
}


def sibling_of(report):
    """The file beside a report that says how another tool names it."""
    other = NAMED_BY_THE_MAC.get(report.name)
    path = (report.with_name(other) if other else
            report.with_name(report.stem + "_symbolicated" + report.suffix))
    return path if path.is_file() else None


def compared(text):
    """The lines of a report as they are compared."""
    lines = []
    for line in text.decode(errors="replace").splitlines():
        if line.endswith(" [inlined]"):
            continue
        line = re.sub(r"^(\s*)\d+( +\S.*\s0x[0-9a-f]{8,16} )", r"\1\2", line)
        line = re.sub(r" \(in [^()]+\) ", " ", line)
        line = re.sub(r" \+ \d+ (\([^()]*:\d+)(, near)?\)$", r" \1)", line)
        lines.append(" ".join(line.split()))
    return lines


def faults(report, ours, theirs):
    """Where two texts differ beyond the exceptions of this report."""
    wanted = list(EXCEPTIONS.get(report.name, []))
    wrong = []
    a, b = compared(ours), compared(theirs)
    for kind, i, j, k, m in difflib.SequenceMatcher(
            None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        pairs = list(zip(a[i:j], b[k:m]))
        if kind != "replace" or j - i != m - k:
            pairs = [("\n".join(a[i:j]), "\n".join(b[k:m]))]
        for pair in pairs:
            known = [it for it in wanted if (it.ours, it.theirs) == pair]
            if known:
                wanted.remove(known[0])
            else:
                wrong.append(f"'{pair[0]}' where another tool has '{pair[1]}'")
    return wrong + [f"exception that is not needed: {it.theirs}"
                    for it in wanted]
