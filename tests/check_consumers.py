#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What apmtool writes, read by the programs that it is written for.

    check_consumers.py --program build/dev/apmtool

Each consumer is looked for in the PATH and in build/consumers, where npm puts
them:

    npm install --prefix build/consumers @microsoft/sarif-multitool \\
        @firefox-devtools/profiler-cli speedscope

One that is not there is skipped with a word; 77 where none is. `go tool pprof`
is asked by check_profiles.py."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checking import check, failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
MODULES = ROOT / "build/consumers/node_modules"
SKIPPED = 77

# The tool has no home page yet, which is all that may be missed.
PERMITTED = ("SARIF2005",)


def run(*args, env=None):
    return subprocess.run([str(each) for each in args],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120, check=False, env=env)


def write(program, path, *args):
    """What a command prints, in a file; 1 is the answer of a gate."""
    done = run(program, *args, env={**os.environ, "APMTOOL_CACHE": "none"})
    check(done.returncode in (0, 1), f"{args}: {done.stderr}")
    path.write_text(done.stdout)
    return path


def tables(format_name):
    """Commands that print tables, and something of each kind of row."""
    common = ["-q", "--path-map", "/src/Demo=", "-d", SAMPLES, "--format",
              format_name]
    crashes = [SAMPLES / "demo.crash", SAMPLES / "kscrash-mach.json"]
    return {
        "group": ["group", *common, *crashes, SAMPLES / "jetsam/pressure.ips"],
        "diff": ["diff", *common, "--fail-on", "new", SAMPLES / "demo.crash",
                 SAMPLES / "demo.ips"],
        "missing": ["missing", "-q", "--no-auto", "--format", format_name,
                    *crashes],
        "lag": ["lag-aggregate", "-q", "-d", SAMPLES, "--format", format_name,
                SAMPLES / "lag/reports.jsonl"],
    }


def find_sarif():
    tool = shutil.which("sarif")
    if not tool:
        found = list(MODULES.glob("@microsoft/sarif-multitool-*/Sarif.Multitool"))
        tool = found[0] if found else None
    return tool if tool and os.access(tool, os.X_OK) else None


def check_sarif(program, folder):
    tool = find_sarif()
    if not tool:
        return False
    for name, args in tables("sarif").items():
        path = write(program, folder / f"{name}.sarif", *args)
        done = run(tool, "validate", "--rule-kind", "Sarif;Gh;Ghas", "--level",
                   "Error;Warning", path)
        check("Analysis completed" in done.stdout, f"{name}: {done.stdout}")
        for line in done.stdout.splitlines():
            is_fault = ": error " in line or ": warning " in line
            check(not is_fault or any(rule in line for rule in PERMITTED),
                  f"{name}: {line}")
    return True


def check_xmllint(program, folder):
    tool = shutil.which("xmllint")
    if not tool:
        return False
    for name, args in tables("junit").items():
        path = write(program, folder / f"{name}.xml", *args)
        done = run(tool, "--noout", "--nonet", path)
        check(not done.returncode and not done.stderr, f"{name}: {done.stderr}")
    return True


def check_firefox(program, folder):
    script = MODULES / "@firefox-devtools/profiler-cli/dist/profiler-cli.js"
    tool = shutil.which("node")
    if not tool or not script.exists():
        return False
    path = write(program, folder / "firefox.json", "fold", "-q", "-d", SAMPLES,
                 "--format", "firefox", SAMPLES / "lag/reports.jsonl")
    env = {**os.environ, "HOME": str(folder)}
    loaded = run(tool, script, "load", path, env=env)
    listed = run(tool, script, "thread", "list", env=env)
    run(tool, script, "stop", "--all", env=env)
    check(not loaded.returncode and not loaded.stderr,
          f"profiler-cli: {loaded.stdout}{loaded.stderr}")
    check(not listed.returncode and listed.stdout.strip(),
          f"profiler-cli: no threads: {listed.stderr}")
    return True


def check_speedscope(program, folder):
    """By the schema in its package: its importer runs in a browser only."""
    schema = MODULES / "speedscope/dist/release/file-format-schema.json"
    try:
        import jsonschema
    except ImportError:
        return False
    if not schema.exists():
        return False
    path = write(program, folder / "speedscope.json", "fold", "-q", "-d",
                 SAMPLES, "--format", "speedscope",
                 SAMPLES / "lag/reports.jsonl")
    rules = jsonschema.Draft7Validator(json.loads(schema.read_text()))
    for error in rules.iter_errors(json.loads(path.read_text())):
        check(False, f"speedscope: {error.json_path}: {error.message[:200]}")
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    consumers = {"sarif-multitool": check_sarif, "xmllint": check_xmllint,
                 "profiler-cli": check_firefox, "speedscope": check_speedscope}
    read = 0

    with tempfile.TemporaryDirectory() as name:
        for consumer, ask in consumers.items():
            found = ask(program, pathlib.Path(name))
            read += found
            print(f"{consumer}: {'asked' if found else 'not there: skipped'}")
    if failures:
        sys.exit(f"{len(failures)} failures")
    sys.exit(0 if read else SKIPPED)


if __name__ == "__main__":
    main()
