#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What apmtool writes, read by the programs that it is written for.

    check_consumers.py --program build/dev/apmtool

Each consumer is looked for in the PATH and in build/consumers, where npm puts those of
tests/tools/package.json, once. By hand:

    install -D tests/tools/package.json -t build/consumers
    npm install --prefix build/consumers --ignore-scripts

speedscope is a page, and needs chromium and its driver, too. sqlite3 and duckdb
run the recipes of apmtool-report(5). One that is not there is skipped with a
word; 77 where none is. `go tool pprof` is asked by check_profiles.py."""

import argparse
import base64
import fcntl
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import check_flame
from checking import check, failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
LIST = ROOT / "tests/tools/package.json"
CONSUMERS = ROOT / "build/consumers"
MODULES = CONSUMERS / "node_modules"
PROFILER = MODULES / "@firefox-devtools/profiler-cli/dist/profiler-cli.js"
SPEEDSCOPE = MODULES / "speedscope/dist/release"
SKIPPED = 77
FETCH_SECONDS = 60

# Formats that speedscope imports, under names as users give; its importer for
# Firefox reads raw profiles, not the processed ones that the profiler opens.
IMPORTED = {"speedscope": "a.json", "folded": "a.txt", "pprof": "a.pb.gz",
            "chrome": "a.json"}

# The tool has no home page yet, which is all that may be missed.
PERMITTED = ("SARIF2005",)


def install(npm):
    """Let npm install what LIST has, unless it did; whether all is there."""
    installed = CONSUMERS / "package.json"
    # npm writes the hidden file last.
    if (MODULES / ".package-lock.json").exists() and installed.exists() and \
            installed.read_text() == LIST.read_text():
        return True
    if not npm:
        return False
    shutil.copy(LIST, installed)
    try:
        subprocess.run([npm, "install", "--prefix", CONSUMERS, "--no-audit", "--no-fund",
                        "--ignore-scripts", "--fetch-retries=0"], stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=FETCH_SECONDS, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        installed.unlink()
        return False
    return True


def missing():
    """Why npm's programs are not there; None: they are. They are fetched once."""
    npm = shutil.which("npm")
    if not shutil.which("node"):
        return "there is no node"
    CONSUMERS.mkdir(parents=True, exist_ok=True)
    # Tests that run at the same time fetch once, too.
    with (CONSUMERS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if install(npm):
            return None
    return "there are no packages in build/consumers, and " + \
        ("npm cannot fetch them" if npm else "no npm")


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
        "lag": ["lag-aggregate", *common, SAMPLES / "lag/reports.jsonl"],
    }


def find_sarif():
    tool = shutil.which("sarif")
    if not tool:
        found = list(MODULES.glob("@microsoft/sarif-multitool-*/Sarif.Multitool"))
        tool = found[0] if found else None
        # Its package has it without the permission, and no script of it was run.
        if tool and not os.access(tool, os.X_OK):
            tool.chmod(0o755)
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


def recipes(database):
    """The examples of apmtool-report(5) that ask a database."""
    page = (ROOT / "man/apmtool-report.5").read_text()
    blocks = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", page, re.M | re.S)
    return [block.replace("\\e", "\\") for block in blocks
            if f"\n{database} " in block]


def check_database(database, program, folder):
    """Each recipe answers, of all samples, and says nothing else."""
    if not shutil.which(database):
        return False
    for name, source in ("apmtool", pathlib.Path(program).resolve()), (
            "samples", SAMPLES), ("crashes", SAMPLES), ("hangs", SAMPLES / "lag"):
        if not (folder / name).exists():
            (folder / name).symlink_to(source)
    found = recipes(database)
    check(found, f"apmtool-report(5) has recipes for {database}")
    for block in found:
        for recipe in block.strip().split("\n\n"):
            env = {**os.environ, "APMTOOL_CACHE": "none",
                   "PATH": f"{folder}:{os.environ['PATH']}"}
            done = subprocess.run(["sh", "-c", recipe], cwd=folder, text=True,
                                  stdin=subprocess.DEVNULL, check=False,
                                  capture_output=True, timeout=120, env=env)
            words = [line for line in done.stderr.splitlines()
                     if not line.startswith("apmtool: ")]
            check(not words and not done.returncode,
                  f"{recipe}: {done.returncode} {words[:3]}")
            check(re.search(r"\d", done.stdout), f"{recipe}: no answer")
    return True


def check_xmllint(program, folder):
    tool = shutil.which("xmllint")
    if not tool:
        return False
    # Pages are HTML, not XHTML: check_pages.py opens them in a browser.
    pictures = {"svg": ["flamegraph", "-q", "-d", SAMPLES,
                        SAMPLES / "lag/reports.jsonl"]}
    for name, args in {**tables("junit"), **pictures}.items():
        path = write(program, folder / f"{name}.xml", *args)
        done = run(tool, "--noout", "--nonet", path)
        check(not done.returncode and not done.stderr, f"{name}: {done.stderr}")
    return True


def check_firefox(program, folder):
    tool, script = shutil.which("node"), PROFILER
    if not tool or not script.exists():
        return False
    path = write(program, folder / "firefox.json", "fold", "-q", "-d", SAMPLES,
                 "--format", "firefox", SAMPLES / "lag/reports.jsonl")
    env = {**os.environ, "HOME": str(folder)}
    # It gives its daemon half a second to start, and says to try again.
    for _ in range(10):
        loaded = run(tool, script, "load", path, env=env)
        if "did not become ready" not in loaded.stdout + loaded.stderr:
            break
    listed = run(tool, script, "thread", "list", env=env)
    run(tool, script, "stop", "--all", env=env)
    check(not loaded.returncode and not loaded.stderr,
          f"profiler-cli: {loaded.stdout}{loaded.stderr}")
    check(not listed.returncode and listed.stdout.strip(),
          f"profiler-cli: no threads: {listed.stderr}")
    return True


# Run by the page of speedscope: what it would only show or print is kept.
IMPORT = """\
window.complaints = [];
console.warn = console.error = window.alert = function (...words) {
  window.complaints.push(words.join(" "));
};
speedscope.loadFileFromBase64(%s, %s);
"""


def import_profile(browser, folder, name, data):
    """What the importer of speedscope says of a file, and what it calls it."""
    script = folder / "import.js"
    script.write_text(IMPORT % (json.dumps(name),
                                json.dumps(base64.b64encode(data).decode())))
    page = (SPEEDSCOPE / "index.html").as_uri()
    # The page reads the fragment of its address once.
    browser.post("/url", url="about:blank")
    browser.post("/url", url=f"{page}#localProfilePath={script}")
    return browser.until(lambda found: found[0] or found[1] != "speedscope",
                         "return [window.complaints || [], document.title]")


def check_speedscope(program, folder):
    """Its importer is part of its page."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not chromium or not driver or not SPEEDSCOPE.exists():
        return False
    browser = check_flame.Browser(driver, chromium, folder / "chromium")
    try:
        for source in "reports.jsonl", "bare.json", "demo.folded":
            for format_name, name in IMPORTED.items():
                made = subprocess.run(
                    [program, "fold", "-q", "-d", str(SAMPLES), "--format",
                     format_name, str(SAMPLES / "lag" / source)],
                    stdin=subprocess.DEVNULL, capture_output=True, check=True)
                complaints, title = import_profile(browser, folder, name,
                                                   made.stdout)
                what = f"speedscope: {format_name} of {source}"
                check(not complaints, f"{what}: {complaints[:3]}")
                check(title.endswith(" - speedscope"), f"{what}: {title}")
    finally:
        browser.close()
    return True


def check_speedscope_schema(program, folder):
    schema = SPEEDSCOPE / "file-format-schema.json"
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
                 "profiler-cli": check_firefox, "speedscope": check_speedscope,
                 "speedscope's schema": check_speedscope_schema,
                 "sqlite3": functools.partial(check_database, "sqlite3"),
                 "duckdb": functools.partial(check_database, "duckdb")}
    read = 0
    reason = missing()

    if reason:
        print(f"npm's: {reason}")
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
