#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the promise of apmtool-report(5): within version 1, JSON documents only grow.

    tests/check_promise.py --program build/release/apmtool
    tests/check_promise.py --accept VERSION

tests/schemas has the schemas of the last release. Each of their members is still
there, of the same types, and is still required if it was; and what the program
prints today is valid by them, but for members and words that were added since.
--accept stores today's schemas, as the last step of a release. Exits with 77
(skipped) without python3-jsonschema.
"""

import argparse
import contextlib
import io
import json
import pathlib
import shutil
import subprocess
import sys

import check_schema
from checking import check, check_equal, failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASED = ROOT / "tests/schemas"
TODAY = ROOT / "formatters/schema"
SAMPLES = ROOT / "samples"
# One command at least for each schema; none on the samples prints a page as JSON.
COMMANDS = {
    "report": ["symbolicate --format json -d samples samples/demo.crash",
               "convert --format json samples/kscrash-mach.json",
               "convert --format json samples/metrickit-hang.json"],
    "reports": ["symbolicate --format json samples/demo-glued.txt"],
    "error": ["symbolicate --format jsonl samples/README.md samples/demo.crash"],
    "explain": ["explain --format json -d samples samples/demo.crash",
                "explain --format json samples/panic.ips"],
    "table": ["group --format json samples/demo.crash samples/demo.ips",
              "missing --format json samples/demo.crash",
              "lag-aggregate --format json samples/lag/reports.jsonl"],
    "calltree": ["fold --format json samples/lag/reports.jsonl"],
    "uuids": ["uuid --format json samples"],
}


def grown(schema):
    """A schema that lets members and words be added."""
    if isinstance(schema, list):
        return [grown(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    loose = {key: grown(value) for key, value in schema.items()}
    for closed in "additionalProperties", "unevaluatedProperties":
        if loose.get(closed) is False:
            del loose[closed]
    if isinstance(loose.get("enum"), list):
        kinds = {str: "string", bool: "boolean", int: "integer", type(None): "null"}
        loose["type"] = sorted({kinds[type(word)] for word in loose.pop("enum")})
    return loose


def types_of(schema):
    kind = schema.get("type")
    return {kind} if isinstance(kind, str) else set(kind or ())


def compare(old, new, place):
    """What was promised of a schema, and is not so any more."""
    check_equal(types_of(new), types_of(old), f"{place}: types")
    for name in old.get("required", []):
        check(name in new.get("required", []), f"{place}: '{name}' is still required")
    for group in "properties", "$defs":
        for name, part in old.get(group, {}).items():
            there = name in new.get(group, {})
            check(there, f"{place}: '{name}' is still there")
            if there and isinstance(part, dict):
                compare(part, new[group][name], f"{place}.{name}")
    if isinstance(old.get("items"), dict) and isinstance(new.get("items"), dict):
        compare(old["items"], new["items"], f"{place}[]")


def documents_of(program, command):
    done = subprocess.run([program, *command.split()], cwd=ROOT, capture_output=True,
                          text=True, check=False)
    text = done.stdout
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


def check_program(program):
    # validator_of() finds the schemas by their $id, here those of the release.
    released = {schema["$id"]: grown(schema) for schema in
                (json.loads(path.read_text()) for path in RELEASED.glob("*.json"))}
    check_schema.schemas = lambda: released
    seen = set()
    for name, commands in COMMANDS.items():
        for command in commands:
            documents = documents_of(program, command)
            seen |= {document.get("schema") for document in documents}
            for document in documents:
                for line in check_schema.errors_of(document):
                    check(False, f"{command}: {line}")
        check(f"apmtool.{name}/1" in seen, f"a document of apmtool.{name}/1 is checked: {seen}")


def check_itself():
    """A changed type, and a member that is gone, are noticed."""
    old = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
    for new in {"type": "object", "required": [], "properties": {"a": {"type": "string"}}}, \
            {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}, \
            {"type": "object", "required": ["a"], "properties": {}}:
        before = len(failures)
        with contextlib.redirect_stdout(io.StringIO()):
            compare(old, new, "itself")
        noticed = len(failures) > before
        del failures[before:]
        check(noticed, f"{new} breaks the promise")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--accept", metavar="VERSION")
    options = parser.parse_args()
    if options.accept:
        for path in TODAY.glob("*.json"):
            shutil.copy(path, RELEASED)
        (RELEASED / "VERSION").write_text(options.accept + "\n")
        return 0
    if check_schema.jsonschema is None:
        print("skipped: python3-jsonschema is not installed")
        return check_schema.SKIPPED
    check_itself()
    for path in sorted(RELEASED.glob("*.json")):
        there = (TODAY / path.name).exists()
        check(there, f"{path.name} is still there")
        if there:
            compare(json.loads(path.read_text()), json.loads((TODAY / path.name).read_text()),
                    path.name)
    check_program(options.program.resolve())
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
