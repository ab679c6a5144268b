# SPDX-License-Identifier: MIT
"""T33: with --redact, nothing that says whose a report is comes out anywhere.

A canary, an arbitrary word, is in each field that says whose a report is, and in
the name of the input; patterns with a canary in them are in the other fields. No
output and no message may have it. What has no such pattern comes out as it was."""

import gzip
import io
import json
import pathlib
import re
import zipfile

from damage import documents
from formats import COMMANDS, OPTIONS, formats_of, with_format
from harness import SAMPLES, TOP, sample, test
from injection import KEPT, strings

CANARY = "zebracanary"
# Fields of JSON inputs that say whose they are.
WHOSE = re.compile(
    "^(crashReporterKey|incident|incident_id|parentProc|responsibleProc|byProc|"
    "coalitionName|userID|procname|largestProcess|device_app_hash|session|id|"
    "bootSessionUUID|sleepWakeUUID|deviceIdentifierForVendor)$")
# The same of texts.
LABELS = re.compile(
    rb"^(CrashReporter Key|Incident Identifier|Parent Process|Responsible|User ID|"
    rb"Coalition|Anonymous UUID|Terminating Process|Parent): *(.*)$", re.MULTILINE)
PATTERNS = [
    "/Users/{}/Library/x", "/USERS/{}/x", "/Users//{}/x", "/Users/./{}/x",
    "%2FUsers%2F{}%2Fx", "\\u002fUsers\\u002f{}\\u002fx", "\\/Users\\/{}\\/x",
    "C:\\Users\\{}\\x", "/Users/O'{}/x", "/Users/{}, Jr/x", "/Users/a<{}/x",
    "/home/{}/x", "mail {}.person@example.app", "{}@corp.swift",
    "{}%40example.org", "{}@b\u00fccher.example", "\"{} x\"@example.org",
    "TOKEN={}", "pwd={}!@$", "\"api_key\":\"{}\"", "\"accessToken\" : \"{}\"",
    "Authorization: Basic {}==", "authorization: bearer {}.x", "bearer {}0123",
    "Cookie: sid={}", "{{\\\"token\\\":\\\"{}\\\"}}", "password={}!@$",
    "?access_token={}&x=1", "ghp_{}0123456789012345", "udid={}", "hostname={}",
]
FIXED = {"AKIA": "AKIAZEBRACANARY01234", "phone": "+49 170 12345671",
         "mac": "a4:83:e7:12:34:71", "ip": "192.168.71.117",
         "udid": "cafebabe0123456789cafebabe0123456789cafe"}
VERSIONS = re.compile("version|build|^os$|^train$", re.IGNORECASE)


def key_of(path):
    return next(str(part) for part in reversed(path) if isinstance(part, str))


def is_whose(command, path):
    """In a log of jetsam, and in a record of it, all processes are others'."""
    key = key_of(path)
    return bool(WHOSE.match(key)) or (
        command in ("jetsam", "explain", "group") and "processes" in path and
        key == "name")


def words():
    """Each pattern, and what of it may not come out."""
    for pattern in PATTERNS:
        yield pattern.format(CANARY), CANARY
    for text in FIXED.values():
        yield text, text


def look(battery, what, done, secret, name):
    out = gzip.decompress(done.out) if name == "pprof" and done.out else done.out
    for stream, data in (("the output", out), ("a message", done.err)):
        at = data.lower().find(secret.lower().encode())
        if at >= 0:
            battery.fault(what, f"{stream} has {data[max(at - 60, 0):at + 40]!r}")


def archive(battery, command):
    """Files with telling names, one of which is damaged, and one no report."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        packed.writestr(f"{CANARY}/{CANARY} 1.ips", sample("demo.ips"))
        packed.writestr(f"{CANARY}2.ips", sample("demo.ips")[:2000])
        packed.writestr(f"{CANARY}3.json", b"{" + CANARY.encode())
        packed.writestr(f"{CANARY}4.jsonl", sample("lag/reports.jsonl"))
    run_all(battery, "an archive", command, data.getvalue(), CANARY, ".zip")


def run_all(battery, what, command, data, secret, ending):
    """Every format, of an input in a directory with a telling name."""
    folder = battery.scratch / f"{CANARY} dir"
    folder.mkdir(exist_ok=True)
    path = folder / f"{CANARY}'s{ending}"
    path.write_bytes(data)
    # Without --quiet: messages are output, too.
    options = [option for option in OPTIONS.get(command, ()) if option != "-q"]
    paths = [path, path] if command == "diff" else [path]
    for name in formats_of(battery.program, command):
        done = battery.run([command, "--redact", *with_format(command, name),
                            *options, *paths])
        label = f"{what}: {command} --format {name}"
        battery.check(label, done)
        look(battery, label, done, CANARY, name)
        if secret != CANARY:
            look(battery, label, done, secret, name)


def changed(found, change):
    """An input with the strings of its documents changed."""
    def walk(value, path=()):
        if isinstance(value, dict):
            return {key: walk(inner, (*path, key))
                    for key, inner in value.items()}
        if isinstance(value, list):
            return [walk(inner, (*path, i)) for i, inner in enumerate(value)]
        return change(value, path) if isinstance(value, str) else value
    return "\n".join(json.dumps(walk(document)) for document in found).encode()


def inputs():
    """(command, sample, its documents; none of a text)."""
    for command, _, names in COMMANDS:
        if command == "uuid":
            continue
        for name in names:
            if not name.endswith((".plist", ".plcrash", ".gz")):
                yield command, name, documents(name)
    yield "diff", "demo.ips", documents("demo.ips")


def whose(battery, command, name, found):
    if found:
        data = changed(found, lambda value, path: CANARY if is_whose(
            command, path) else value)
    else:
        data = LABELS.sub(rb"\1: " + CANARY.encode() + rb" [7]", sample(name))
    run_all(battery, f"{name}: a canary in each field", command, data, CANARY,
            pathlib.Path(name).suffix)


def pattern(battery, command, name, found, text, secret):
    """A pattern in one field of code, or all; or in one line."""
    if found:
        places = {path for path in strings(found[-1])
                  if key_of(path) not in KEPT and not is_whose(command, path)
                  # Of a version, `1.2.3.4` is one.
                  and not (secret == FIXED["ip"] and
                           VERSIONS.search(key_of(path)))}
        if not places:
            return
        if battery.random.random() < 0.7:
            places = {battery.random.choice(sorted(places, key=str))}
        data = changed(found, lambda value, path: text if path in places
                       else value)
        what = f"{name}: {text!r} at {sorted(places, key=str)[:2]}"
    else:
        lines = sample(name).decode(errors="replace").split("\n")
        at = battery.random.randrange(len(lines))
        label, colon, _ = lines[at].partition(": ")
        lines[at] = f"{label}: {text}" if colon else f"{lines[at]} {text}"
        data = "\n".join(lines).encode()
        what = f"{name}: {text!r} in line {at + 1}"
    run_all(battery, what, command, data, secret, pathlib.Path(name).suffix)


@test("T33", "secrets", "--redact: no canary of who, where and which device is "
      "left in any output or message")
def secrets(battery):
    known = list(inputs())
    for command, name, found in battery.some(known, 40) if not \
            battery.campaign else battery.random.sample(known, 8):
        whose(battery, command, name, found)
    for command in battery.some(sorted({one for one, *_ in known}), 12):
        archive(battery, command)
    patterns = list(words())
    for number in battery.cases(80):
        command, name, found = battery.random.choice(known)
        text, secret = patterns[number % len(patterns)]
        pattern(battery, command, name, found, text, secret)


def names_of(battery, path, options):
    done = battery.run(["convert", "-q", "--to", "jsonl", *options, path])
    return [call["symbol"] for line in done.out.splitlines()
            for part in frames_of(json.loads(line)) for call in part]


def frames_of(value):
    if isinstance(value, dict):
        for key in ("frames", "nodes"):
            if isinstance(value.get(key), list):
                yield value[key]
        for inner in value.values():
            yield from frames_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from frames_of(inner)


@test("T33", "names", "--redact: names of functions come out as they are")
def names(battery):
    corpus = TOP.parent / "shared/corpus"
    reports = [SAMPLES / name for command, _, found in COMMANDS
               for name in found if command == "convert"]
    if corpus.is_dir():
        reports += sorted(path for folder in ("apple-crash", "ips-crash",
                                              "kscrash", "plcrash")
                          for path in (corpus / folder).rglob("*")
                          if path.is_file())
    for path in battery.some(reports, 100):
        before = names_of(battery, path, [])
        after = names_of(battery, path, ["--redact"])
        for one, other in zip(before, after):
            if one != other:
                battery.fault(str(path), f"{one!r} became {other!r}")
        if len(before) != len(after):
            battery.fault(str(path), f"{len(before)} names, then {len(after)}")
