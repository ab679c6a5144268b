#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check what is read of every input: verdicts, headlines, names.

    tests/check_reading.py --program build/dev/apmtool [--update] [--shared DIR]

Of each input of samples/ and tests/cli/, and of the corpus and the faults where they
lie beside the tree:

- its verdict is that of verdicts.tsv (input, status, form, cause, confidence,
  where); what changes is seen as a change of that file, which --update writes;
- a line that HEADLINES know as that of a failure is in what `convert` makes of it;
- each image and function of `convert` stands in the text: none is invented.
"""

import argparse
import base64
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
os.environ["APMTOOL_AUTO"] = "0"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from checking import check, failures  # noqa: E402

TESTS = pathlib.Path(__file__).resolve().parent
TOP = TESTS.parent
TABLE = TESTS / "verdicts.tsv"
SIZE_MOST = 2 << 20
TIMEOUT_S = 60
READ = {0, 3}
NO_INPUT = {".py", ".md", ".sh", ".c", ".cpp", ".m", ".txt.license"}
GOLDEN = {"cmd", "stdout", "stderr", "exit", "run", "files"}
SYMBOLS = {"dsym", "sourcemap", "src", "build"}
COLUMNS = ("form", "cause", "confidence", "where")

# As the runtimes print them; the group is what must not be lost.
HEADLINES = [re.compile(pattern, re.M) for pattern in (
    r"\*\*\* Terminating app due to uncaught exception '([^'\n]+)'",
    r"\*\*\* (-\[[^\]\n]+\]): message sent to deallocated instance",
    r"(?:^|\s)Main Thread Checker: UI API called on a background thread: (-\[[^\]\n]+\])",
    r"Fatal error: ([^\n\\\"]{3,60}?)(?:: file |$)",
    r"Uncaught Kotlin exception: ([\w.]+)",
    r"thread '[^'\n]*' (?:\(\d+\) )?panicked at ([^\n:,]{3,60})",
    r"^panic: ([^\n]{3,60})",
    r"Unhandled exception\. ([\w.]+)",
    r"ERROR: AddressSanitizer: ([\w-]+)",
    r"Unhandled JS Exception: ([^\n\\\"]{3,40})",
    r"^\*\*\* Program crashed: ([^\n]+?) \*\*\*$",
)]
WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
# Of names that a mangled one only abbreviates, and of those that are ours.
SPELLED = set("""swift string array dictionary optional double float bool character
    unsafe mutable pointer raw builtin implicit closure getter setter modify
    init deinit deallocating destroy partial apply forwarder reabstraction thunk
    helper generic specialization callee guaranteed escaping witness protocol conformance metadata
    accessor lazy global addressor initializer default argument static method
    extension merged outlined copy release retain initialize with take value
    type function operator unsigned long short char const void std basic allocator
    traits iterator vector nullptr anonymous namespace lambda guard variable
    vtable typeinfo name virtual non objc completion async await resume suspend
    throws from into subscript read error dispatch work item range sequence
    collection codable decodable encodable equatable hashable comparable never
    auto specialized unknown any self some each first second struct class enum for the""".split())


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True,
                          timeout=TIMEOUT_S, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def documents(text):
    """The reports of a document: itself, or those in it."""
    value = json.loads(text)
    return value.get("reports", [value])


def inputs(shared):
    folders = [("samples", TOP / "samples"), ("tests/cli", TESTS / "cli"),
               ("corpus", shared / "corpus"), ("faults", shared / "faults")]
    for name, folder in folders:
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            if (path.is_file() and path.stat().st_size <= SIZE_MOST
                    and path.suffix not in NO_INPUT
                    and path.name not in GOLDEN
                    and "README" not in path.name
                    and not SYMBOLS & set(parts)
                    and not any(".dsym" in part.lower() for part in parts)):
                yield "/".join((name, *parts)), path


def verdicts(program, path):
    status, out = run(program, "explain", "-q", "--no-auto", "-t", "json", path)
    found = [[str(report.get(column) or "-") for column in COLUMNS]
             for report in documents(out)] if status in READ else []
    return [[str(status), *row] for row in found or [["-"] * len(COLUMNS)]]


def plain(data):
    """All text that stands in it: unpacked, unescaped, out of base64; None: packed."""
    if data[:2] == b"PK" or data[257:262] == b"ustar":
        return None
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    text = data.decode("utf-8", "replace")
    texts = [text]
    for found in re.findall(r"[A-Za-z0-9+/]{200,}={0,2}", text):
        try:
            texts.append(base64.b64decode(found + "==").decode("utf-8", "replace"))
        except ValueError:
            pass
    if "\\" in text:
        texts += [re.sub(r'\\(["\\/])', r"\1", text.replace("\\n", "\n").replace("\\t", "\t"))]
    return "\n".join(texts)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def headline_faults(text, converted):
    """Headlines of the text that what was read does not have."""
    known = "\n".join(strings(converted))
    for pattern in HEADLINES:
        for found in pattern.findall(text):
            if found.strip() not in known:
                yield f"lost {found.strip()!r}"


def frames_of(report):
    for thread in report.get("threads", []):
        yield from thread.get("frames") or []
    backtrace = report.get("exception_backtrace") or {}
    yield from backtrace.get("frames") or []


def name_faults(text, converted):
    """Images and functions that are nowhere in the text."""
    for report in converted:
        names = {image.get("name") for image in report.get("images", [])}
        for frame in frames_of(report):
            names |= {frame.get("image"), frame.get("symbol")}
        for name in filter(None, names):
            missing = [word for word in WORD.findall(name)
                       if word not in text and word.lower() not in SPELLED]
            if name not in text and missing:
                yield f"invented {name!r}"


def look_at(program, key, path):
    rows = verdicts(program, path)
    faults = []
    status, out = run(program, "convert", "-q", "-t", "json", path)
    if status in READ:
        text, converted = plain(path.read_bytes()), list(documents(out))
        if text is not None:
            faults = [*headline_faults(text, converted), *name_faults(text, converted)]
    return [[key, *row] for row in rows], [f"{key}: {fault}" for fault in faults]


def check_table(rows, update):
    lines = ["\t".join(row) for row in rows]
    old = TABLE.read_text().splitlines() if TABLE.exists() else []
    here = {row[0].split("/")[0] for row in rows}
    kept = [line for line in old if line.split("/")[0] not in here]  # not beside us
    if update:
        TABLE.write_text("".join(line + "\n" for line in sorted(lines + kept)))
        return
    for line in sorted(set(old) - set(lines) - set(kept)):
        check(False, f"no more: {line}")
    for line in sorted(set(lines) - set(old)):
        check(False, f"now: {line}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--shared", type=pathlib.Path, default=TOP.parent / "shared")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        looks = list(pool.map(lambda pair: look_at(options.program, *pair),
                              inputs(options.shared)))
    check_table([row for rows, _ in looks for row in rows], options.update)
    for _, faults in looks:
        for fault in faults:
            check(False, fault)
    print(f"{len(looks)} inputs, {len(failures)} faults")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
