#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The JSON Schema of config files and apmtool itself accept the same files.

    check_config.py --program build/dev/apmtool

The template, with its fields no longer commented out, is valid for both, and so
are files that are right; wrong ones are refused by both. 77 where python3-yaml
or python3-jsonschema is missing."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checking import check, check_equal, failures

try:
    import jsonschema
    import yaml
except ImportError:
    jsonschema = yaml = None

SKIPPED = 77

RIGHT = [
    "", "dsym:\n", "dsym: [a, ~/b]", "in-app: [{image: A, app: true}]",
    "in-app: [{path: '/x/*', bundle: 'regex:^a', app: false}]",
    "path-map: [/a=b, '/a=']", "style: raw", "jobs: 3", "cache: false",
    "cache-size: 500 MB", "limits: {report: 100 MB, threads: 5}",
    "limits: {threads: '10,000'}",
]
WRONG = [
    "dsyms: [a]", "dsym: a", "dsym: {a: b}", "in-app: [{image: A}]",
    "in-app: [{app: true}]", "in-app: [{image: A, app: maybe}]",
    "in-app: [{imag: A, app: true}]", "path-map: [/a]", "path-map: ['=b']",
    "style: fancy", "jobs: 0", "jobs: 257", "jobs: many", "cache: perhaps",
    "limits: {thread: 5}", "limits: [5]", "[a]",
]


class Checker:
    def __init__(self, program, folder):
        self.program = pathlib.Path(program).resolve()
        self.folder = folder
        self.env = {**os.environ, "HOME": str(folder), "APMTOOL_CACHE": "none"}
        schema = json.loads(self.run("schema", "config").stdout)
        self.schema = jsonschema.Draft202012Validator(schema)

    def run(self, *args, **env):
        return subprocess.run([self.program, *args], cwd=self.folder,
                              env={**self.env, **env}, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True)

    def accepts(self, text):
        """Apmtool, and the schema."""
        (self.folder / "mine.yaml").write_text(text)
        done = self.run("config", APMTOOL_CONFIG="mine.yaml")
        return not done.returncode, self.schema.is_valid(yaml.safe_load(text))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    if not yaml:
        print("python3-yaml or python3-jsonschema is missing: skipped")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        checker = Checker(program, pathlib.Path(name))
        checker.run("config", "--init")
        template = (checker.folder / ".apmtool.yaml").read_text()
        whole = re.sub("^#(  |[a-z])", r"\1", template, flags=re.M)
        fields = set(checker.schema.schema["properties"])
        check_equal(set(yaml.safe_load(whole)), fields, "fields of the template")
        for text in [template, whole, *RIGHT]:
            check_equal(checker.accepts(text), (True, True), repr(text[:60]))
        for text in WRONG:
            check_equal(checker.accepts(text), (False, False), repr(text))
        listed = checker.run("doctor").stdout
        limits = checker.schema.schema["properties"]["limits"]["properties"]
        for limit in limits:
            check(re.search(rf"^ *{limit} ", listed, re.M), f"no limit {limit}")
    if failures:
        sys.exit(f"{len(failures)} failures")
    print("config: the schema and apmtool accept the same files")


if __name__ == "__main__":
    main()
