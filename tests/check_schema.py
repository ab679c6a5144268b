#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check JSON documents against the schemas in formatters/schema/.

    tests/check_schema.py FILE...        `-` is standard input

Each document names its schema in the key "schema". Says what is wrong, one
line a document, and exits 1; 77 (skipped) where python3-jsonschema is missing.
To import: errors_of(document) lists what is wrong with it.
"""

import functools
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "formatters/schema"
SKIPPED = 77


def urn_of(name):
    """apmtool.report/1 -> urn:apmtool:report:1"""
    return "urn:" + name.replace(".", ":").replace("/", ":")


@functools.cache
def schemas():
    """All schema files by their $id."""
    files = (json.loads(path.read_text()) for path in SCHEMAS.glob("*.json"))
    return {schema["$id"]: schema for schema in files}


def validator_of(schema):
    """A validator that finds the other schemas by their $id."""
    kind = jsonschema.Draft202012Validator
    try:
        import referencing
    except ImportError:  # jsonschema before 4.18
        resolver = jsonschema.RefResolver("", schema, store=schemas())
        return kind(schema, resolver=resolver)
    registry = referencing.Registry().with_contents(schemas().items())
    return kind(schema, registry=registry)


def errors_of(document):
    """What is wrong with a document, as lines; empty if it is valid."""
    name = document.get("schema") if isinstance(document, dict) else None
    schema = schemas().get(urn_of(name)) if isinstance(name, str) else None
    if schema is None:
        return [f"no schema for {name!r}"]
    return [f"{error.json_path}: {error.message[:200]}"
            for error in validator_of(schema).iter_errors(document)]


def check_text(text):
    """What is wrong with the text of a document, as lines."""
    try:
        return errors_of(json.loads(text, object_pairs_hook=unique_keys))
    except ValueError as error:
        return [f"not JSON: {error}"]


def unique_keys(pairs):
    """An object; a key that comes twice is an error, which json lets pass."""
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"key {key!r} comes twice")
    return dict(pairs)


def main(paths):
    """Check the schemas themselves, then every file."""
    if jsonschema is None:
        print("skipped: python3-jsonschema is not installed")
        return SKIPPED
    for schema in schemas().values():
        jsonschema.Draft202012Validator.check_schema(schema)
    status = 0
    for path in paths:
        text = (sys.stdin.buffer.read() if path == "-"
                else pathlib.Path(path).read_bytes()).decode()
        for line in check_text(text):
            print(f"{path}: {line}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
