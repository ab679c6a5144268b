#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run `apmtool symbolicate` on every report of a corpus of real ones.

    tests/check_corpus.py --program build/dev/apmtool [--corpus FOLDER]

Each file must be read, or named for what it is: a documented exit status,
something printed whenever that is 0, JSON that its schema allows, and a second
run that changes nothing, with the corpus' dSYMs and without. As `.ips` each says
which process it was and what ended it, as LLDB's reader demands. Named with
their dSYMs, outputs of `sample` must equal what another tool made of them, and
crash reports say the same, but for the exceptions that corpus_siblings.py lists
with their reasons. Where no corpus lies beside the tree the check is skipped
(77).
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
# Only symbols that are named.
os.environ["APMTOOL_AUTO"] = "0"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check_schema  # noqa: E402
import corpus_siblings  # noqa: E402

CORPUS = pathlib.Path(__file__).resolve().parent.parent.parent / "shared/corpus"
SKIPPED = 77
DONE, ALL_FAILED = 0, 4
TIMEOUT_S = 120
# Symbols, and what other commands read.
NO_REPORTS = {"dsym", "sourcemap", "swift"}
# What a message says of an input that it cannot name.
UNKNOWN = ("some other text", "JSON of another kind", "binary data")
# Lie among the reports but are not reports: what others' tests expect of them, and
# a file that says it has no example.
NONE = ("*.snap", "*-golden.json", "faisalmemon__jetsam_jettisoned.crash")


def run(program, report, *options, text=None):
    """Exit status (negative: a signal), standard output, standard error."""
    done = subprocess.run(
        [program, "symbolicate", *options, "-" if text is not None else report],
        input=text, capture_output=True, timeout=TIMEOUT_S, check=False)
    return done.returncode, done.stdout, done.stderr


def outcome_faults(status, out, err):
    """What is wrong with how a run ended."""
    if status < 0:
        return [f"killed by signal {-status}"]
    if status not in (DONE, ALL_FAILED):
        return [f"exit status {status}: {err[:200]!r}"]
    if status == DONE and not out.strip():
        return ["nothing printed, and exit status 0"]
    if status == ALL_FAILED and not err.startswith(b"apmtool: "):
        return [f"exit status {status} without a message"]
    return []


def json_faults(out):
    if check_schema.jsonschema is None:
        return []
    return check_schema.check_text(out.decode())


def repeat_faults(program, report, *options):
    """A second run over the text of the first must give it back."""
    status, once, err = run(program, report, *options)
    faults = outcome_faults(status, once, err)
    if status != DONE or faults:
        return faults
    status, twice, err = run(program, None, *options, text=once)
    faults = outcome_faults(status, twice, err)
    if status == ALL_FAILED:
        faults.append(f"own text not read: {err[:200]!r}")
    elif twice != once:
        faults.append("a second run changes its own text")
    return faults


def documents_of(text):
    """Every JSON value of a text; what follows the first damage is left out."""
    decoder = json.JSONDecoder()
    at = 0
    while True:
        while text[at:at + 1].isspace():
            at += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            return
        yield value


def ips_faults(program, report):
    """A body without what LLDB's reader of `.ips` files cannot do without."""
    done = subprocess.run([program, "convert", "-q", "--to", "ips", report],
                          capture_output=True, timeout=TIMEOUT_S, check=False)
    bodies = [it for it in documents_of(done.stdout.decode(errors="replace"))
              if isinstance(it, dict) and "usedImages" in it]
    return [f"as .ips without {what}" for it in bodies for what, value in (
        ("exception.type", it.get("exception", {}).get("type")),
        ("pid", it.get("pid")), ("procName", it.get("procName")))
        if value is None]


def sibling_faults(program, report, dsyms):
    """Named, a report must say what another tool made of it."""
    sibling = corpus_siblings.sibling_of(report)
    if not sibling:
        return []
    _, out, _ = run(program, report, "-q", "-d", dsyms)
    theirs = sibling.read_bytes()
    if sibling.name in corpus_siblings.NAMED_BY_THE_MAC.values():
        _, theirs, _ = run(program, sibling, "-q")
    if report.match("lag/*"):
        return [] if out == theirs else [f"differs from {sibling.name}"]
    return [f"{sibling.name}: {line}"
            for line in corpus_siblings.faults(report, out, theirs)]


def forms_of(out):
    """The forms of a JSON document's reports."""
    document = json.loads(out)
    reports = document.get("reports", [document])
    return "+".join(sorted({it.get("form", "none") for it in reports}))


def check(program, report, dsyms):
    """The form of a report, or why it was not read; and what is wrong."""
    status, out, err = run(program, report, "-q", "--format", "json")
    faults = outcome_faults(status, out, err)
    if faults:
        return "failed", faults
    if status == ALL_FAILED:
        message = err.decode(errors="replace").strip()
        if any(word in message for word in UNKNOWN) and not any(
                report.match(pattern) for pattern in NONE):
            faults.append(f"not named: {message}")
        return "not read: " + message.split(": ", 2)[-1], faults
    faults += json_faults(out)
    faults += repeat_faults(program, report, "-q")
    faults += repeat_faults(program, report, "-q", "-d", dsyms)
    faults += sibling_faults(program, report, dsyms)
    faults += ips_faults(program, report)
    return forms_of(out), faults


def reports_of(corpus):
    return sorted(path for folder in corpus.iterdir()
                  if folder.is_dir() and folder.name not in NO_REPORTS
                  for path in folder.rglob("*") if path.is_file())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--corpus", type=pathlib.Path, default=CORPUS)
    parser.add_argument("--table", action="store_true",
                        help="print what became of each file")
    args = parser.parse_args()
    if not args.corpus.is_dir():
        print("skipped: there is no corpus")
        return SKIPPED
    program = args.program.resolve()
    reports = reports_of(args.corpus)
    forms = collections.defaultdict(list)
    faults = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(
            lambda path: check(program, path, args.corpus / "dsym"), reports)
        for path, (form, wrong) in zip(reports, results):
            name = path.relative_to(args.corpus)
            forms[form].append(name)
            faults += [f"{name}: {line}" for line in wrong]
    for line in faults:
        print(line)
    if faults or args.table:
        for form, names in sorted(forms.items()):
            print(f"{len(names):4} {form}")
            print("".join(f"       {name}\n" for name in names), end="")
    print(f"{len(reports)} files, {len(faults)} faults")
    return 1 if faults or not reports else 0


if __name__ == "__main__":
    sys.exit(main())
