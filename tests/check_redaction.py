#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every string that is printed has a class in lib/model/redact/fields.def.

    tests/check_redaction.py

Compares that list with the strings of the JSON schemas, with those of the structs
that it names, and with the columns of all tables. A string that is in one alone
is a fault: what has no class would be printed as it is.
"""

import json
import re
import sys

from check_schema import SCHEMAS

ROOT = SCHEMAS.parent.parent
FIELDS = ROOT / "lib/model/redact/fields.def"
# Made of a report that was redacted before (explain, jetsam), or of our words.
DERIVED = {
    "jetsam.verdict", "jetsam.model", "jetsam.limit_hint.device",
    "jetsam.limit_hint.os", "jetsam.limit_hint.source",
    "jetsam.memory.rows.name", "jetsam.coalitions.name", "jetsam_process.band",
    "jetsam_victim.evidence", "jetsam_victim.meaning", "jetsam_victim.advice",
    # Lists, which are TEXT in report.c.
    "termination.reasons", "termination.details",
    # A letter.
    "image.kind",
}
# Commands that read no reports have no --redact.
OTHER_TABLES = re.compile(r"cmd/|symbolicate/slices\.c|explain/page\.c")
TEXT_KINDS = {"TEXT", "NAME", "PATH", "STACK", "PROSE", "LIST", "LEVELS",
              "COUNTS", "FRAMES", "CALLS"}


def entries(word):
    """The arguments of each FIELD(...), COLUMN(...) or KEY(...)."""
    for match in re.finditer(rf"^{word}\((.*)\)$", FIELDS.read_text(), re.M):
        yield [part.strip().strip('"') for part in match[1].split(",")]


def strings_of(schema, path=()):
    """The places of strings that may hold anything."""
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "string" in kinds and not {"pattern", "enum", "const"} & schema.keys():
        yield ".".join(path)
    for name, inner in schema.get("properties", {}).items():
        yield from strings_of(inner, (*path, name))
    for inner in (schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            yield from strings_of(inner, path)


def check_schema_strings():
    schema = json.loads((SCHEMAS / "report.schema.json").read_text())
    found = set(strings_of(schema))
    for name, inner in schema["$defs"].items():
        found |= set(strings_of(inner, (name,)))
    listed = {place for entry in entries("FIELD")
              for place in entry[4].split()} | DERIVED
    for place in sorted(found - listed):
        yield f"apmtool.report/1: '{place}' has no class"
    for place in sorted(listed - found):
        yield f"apmtool.report/1 has no string '{place}'"


def members_of(name):
    """The strings of a struct, wherever in lib/model it is."""
    for path in sorted((ROOT / "lib/model").rglob("*.h")):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.S)
        match = re.search(rf"^struct {name} {{(.*?)^}};", text, re.S | re.M)
        if match:
            return set(re.findall(r"const char\s*\*\s*(\w+);", match[1]))
    return set()


def check_structs():
    listed = {}
    for struct, member, *_ in entries("FIELD"):
        listed.setdefault(struct, set()).add(member)
    for struct, members in listed.items():
        found = members_of(struct)
        for member in sorted(found - members):
            yield f"struct {struct}: '{member}' has no class"
        for member in sorted(members - found):
            yield f"struct {struct} has no string '{member}'"


def check_columns():
    listed = {key for key, *_ in entries("COLUMN")}
    found = set()
    for path in sorted([*(ROOT / "lib").rglob("*.c"),
                        *(ROOT / "cmd").rglob("*.c")]):
        name = path.relative_to(ROOT).as_posix()
        for key, kind in re.findall(
                r'\{\s*"(\w+)",\s*(?:NULL|"[^"]*"),\s*TABLE_([A-Z]+)\s*\}',
                path.read_text()):
            if kind in TEXT_KINDS and not OTHER_TABLES.match(
                    name) and not OTHER_TABLES.search(name):
                found.add(key)
                if key not in listed:
                    yield f"{name}: column '{key}' has no class"
    for key in sorted(listed - found):
        yield f"no table has a column '{key}'"


def check_keys():
    for key, *_ in entries("KEY"):
        if not re.fullmatch("[a-z0-9]+", key):
            yield f"key '{key}': not in lower case, letters and digits alone"


def main():
    faults = [*check_schema_strings(), *check_structs(), *check_columns(),
              *check_keys()]
    print("\n".join(faults))
    print(f"{len(list(entries('FIELD')))} fields, "
          f"{len(list(entries('COLUMN')))} columns, "
          f"{len(list(entries('KEY')))} keys, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
