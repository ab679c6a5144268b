#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the steps of action.yml as a runner of GitHub Actions does.

    tests/check_action.py --program build/release/apmtool

Each `run` step is executed by bash, with its `env`, `if` and outputs, and with the
files that GITHUB_OUTPUT, GITHUB_PATH and GITHUB_STEP_SUMMARY name; `uses` steps are
for others' programs, and only listed. The program is installed from a release in a
directory, by its sum. Exits with 77 (skipped) without PyYAML, bash or curl.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

from checking import check, check_equal, failures

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
SKIPPED = 77

# Where samples/demo.crash and samples/demo-exception.crash crashed.
CRASHED = "value |= static_cast<T>(from[i]) << (8 * i);"
GONE = "return loaded + [self pictureAtIndex:1];"


class Runner:
    """As much of a runner as the action asks for."""

    def __init__(self, folder, inputs):
        self.folder = folder
        self.action = yaml.safe_load((ROOT / "action.yml").read_text())
        declared = self.action["inputs"]
        unknown = set(inputs) - set(declared)
        assert not unknown, f"no inputs of action.yml: {unknown}"
        self.inputs = {name: inputs.get(name, str(row.get("default", "")))
                       for name, row in declared.items()}
        self.outputs, self.path, self.log = {}, [], ""
        self.statuses, self.used = {}, []
        self.summary = folder / "summary"

    def value(self, expression):
        """inputs.NAME, github.NAME, steps.ID.outputs.NAME; `a || b`."""
        for part in expression.split("||"):
            words = part.strip().split(".")
            if words[0] == "inputs":
                found = self.inputs[words[1]]
            elif words[0] == "steps":
                found = self.outputs.get(words[1], {}).get(words[3], "")
            else:
                found = {"github.repository": "someone/apmtool"}.get(part.strip(), "")
            if found:
                return found
        return ""

    def text(self, template):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda match: self.value(match.group(1).strip()),
                      str(template))

    def holds(self, condition):
        """`always()`, and `VALUE != ''`, joined by &&."""
        for part in condition.split("&&"):
            part = part.strip()
            if part == "always()":
                continue
            match = re.fullmatch(r"(\S+) != ''", part)
            assert match, f"cannot read the condition '{condition}'"
            if not self.value(match.group(1)):
                return False
        return True

    def run(self):
        """@return Whether the job passes."""
        passes = True
        for step in self.action["runs"]["steps"]:
            condition = step.get("if", "")
            if not passes and "always()" not in condition:
                continue
            if condition and not self.holds(condition):
                continue
            if "uses" in step:
                self.used.append(step["uses"].split("@")[0])
                continue
            status = self.run_step(step)
            self.statuses[step["id"]] = status
            passes = passes and not status
        return passes

    def run_step(self, step):
        assert step["shell"] == "bash" and "${{" not in step["run"], step["id"]
        output, path = self.folder / "output", self.folder / "path"
        for file in output, path:
            file.write_text("")
        env = {key: value for key, value in os.environ.items() if not key.startswith("APMTOOL_")}
        env.update({key: self.text(value) for key, value in step.get("env", {}).items()})
        env.update(
            CI="true", GITHUB_ACTIONS="true", RUNNER_OS="Linux", RUNNER_ARCH="X64",
            GITHUB_OUTPUT=str(output), GITHUB_PATH=str(path),
            GITHUB_STEP_SUMMARY=str(self.summary), RUNNER_TEMP=str(self.folder / "temp"),
            GITHUB_SERVER_URL="https://github.invalid", GITHUB_WORKSPACE=str(self.folder), HOME=str(self.folder),
            APMTOOL_CACHE="none", PATH=":".join([*self.path, env["PATH"]]))
        # As the runner starts a step's script.
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c",
                               step["run"]], cwd=self.folder, env=env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=300)
        self.log += done.stdout
        self.outputs[step["id"]] = dict(line.split("=", 1)
                                        for line in output.read_text().splitlines())
        self.path = path.read_text().splitlines() + self.path
        return done.returncode


def make_release(folder, program, version):
    """A tarball as cmake/package/package makes it, and its sum."""
    folder.mkdir()
    name = f"apmtool-{version}-linux-x86_64"
    with tarfile.open(folder / f"{name}.tar.gz", "w:gz", compresslevel=1) as tar:
        tar.add(program, f"{name}/bin/apmtool")
    digest = hashlib.sha256((folder / f"{name}.tar.gz").read_bytes()).hexdigest()
    (folder / "SHA256SUMS").write_text(f"{digest}  {name}.tar.gz\n")
    return digest


def run(release, folder, sources=None, **inputs):
    """@param sources  Where the repository has what the samples were built from."""
    folder.mkdir()
    if sources:
        shutil.copytree(SAMPLES / "src", folder / sources)
    (folder / "samples").symlink_to(SAMPLES)
    (folder / "dsyms; $(touch injected)").symlink_to(SAMPLES)
    inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
    runner = Runner(folder, {"url": release.as_uri(), **inputs})
    return runner, runner.run()


def check_results(release, top):
    """Reports in, names, groups, changes and a summary out."""
    runner, passes = run(
        release, top / "all", reports="samples/demo.crash\nsamples/demo-mac.ips\n",
        dsym="dsyms; $(touch injected)", baseline="samples/demo-exception.crash")
    folder = pathlib.Path(runner.outputs["install"]["directory"])
    check(passes, f"the job passes: {runner.statuses} {runner.log}")
    check_equal(runner.used, ["github/codeql-action/upload-sarif", "actions/upload-artifact"],
                "steps of others")
    names = sorted(path.name for path in (folder / "symbolicated").rglob("*") if path.is_file())
    check_equal(len(names), 2, f"symbolicated reports {names}")
    check("reader.hpp:33" in (folder / "symbolicated/samples/demo.crash").read_text()
          if (folder / "symbolicated/samples").is_dir() else
          any("reader.hpp:33" in path.read_text()
              for path in (folder / "symbolicated").rglob("*.crash")), "lines of the dSYM")
    for name in "groups.json", "groups.sarif", "diff.xml":
        check((folder / name).stat().st_size > 100, f"{name} is written")
    summary = runner.summary.read_text()
    for heading in "### dSYMs", "### Crashes", "### Changes":
        check(heading in summary, f"the summary has '{heading}'")
    check(not (top / "all/injected").exists(), "an input is no command")
    check(re.search(r"^::\w+ .*file=.*reader\.hpp,line=33", runner.log, re.M),
          f"an annotation of a line: {runner.log}")


def check_gates(release, top):
    baseline = {"dsym": "samples", "baseline": "samples/demo-exception.crash"}
    runner, passes = run(release, top / "new", reports="samples/demo.crash", fail_on="new",
                         **baseline)
    check(not passes and runner.statuses["result"] == 1, "a new crash fails the job")
    check("::error title=apmtool::crashes changed" in runner.log, "and is an error of it")
    _, passes = run(release, top / "same", reports="samples/demo-exception.crash", fail_on="new",
                    **baseline)
    check(passes, "the same crash does not")
    runner, passes = run(release, top / "missing", reports="samples/demo-32bit.crash",
                         fail_on="missing")
    check(not passes, f"a missing dSYM fails the job where that is asked: {runner.log}")
    runner, passes = run(release, top / "absent", reports="samples/absent.crash")
    check(not passes and "symbolicate: no input could be read" in runner.log,
          f"a report that is not there fails it, and says so: {runner.log}")


def check_beginnings(release, top):
    """The first week, a good week, and files by a pattern."""
    (top / "none").mkdir()
    runner, passes = run(release, top / "good", reports=str(top / "none"),
                         baseline="samples/demo.crash")
    check(passes and "there are no reports" in runner.log and
          set(runner.statuses) == {"install", "result"},
          f"no report is no failure: {runner.statuses} {runner.log}")
    runner, passes = run(release, top / "first", reports="samples/demo.crash",
                         baseline="last.json", fail_on="new")
    check(passes and "no baseline yet" in runner.log, f"the first run: {runner.log}")
    runner, passes = run(release, top / "pattern", reports="samples/demo-m*.ips\n")
    folder = pathlib.Path(runner.outputs["install"]["directory"])
    lines = (folder / "arguments/reports").read_text().splitlines()
    check(passes and lines == sorted(f"samples/{path.name}"
                                     for path in SAMPLES.glob("demo-m*.ips")),
          f"a pattern is its files: {lines}")


def check_sum(release, digest, top):
    _, passes = run(release, top / "pinned", reports="samples/demo.crash", sha256=digest)
    check(passes, "the sum that the job names")
    runner, passes = run(release, top / "other", reports="samples/demo.crash", sha256="0" * 64)
    check(not passes and list(runner.statuses) == ["install"],
          "a program with another sum is not run")


def line_of(runner, path, number):
    """The line of a file of the repository; None where it has none."""
    if path.startswith("/") or not (runner.folder / path).is_file():
        return None
    lines = (runner.folder / path).read_text().splitlines()
    return lines[number - 1].strip() if number <= len(lines) else None


def source_lines(runner):
    """Level, file, number and line of the annotations of source lines."""
    found = re.findall(r"^::(\w+) file=([^,]+),line=(\d+),", runner.log, re.M)
    return [(level, path, int(number), line_of(runner, path, int(number)))
            for level, path, number in found]


def check_path_map(release, program, top):
    usage = subprocess.run([program, "diff", "--help"], capture_output=True, text=True, check=True)
    if "--path-map" not in usage.stdout:
        print("skipped: --path-map, which this program does not have")
        return
    # A repository whose build of today crashes where that of yesterday did not.
    runner, passes = run(
        release, top / "map", sources="Sources", reports="samples/demo.crash", dsym="samples",
        baseline="samples/demo-exception.crash", path_map="/src/Demo=Sources", fail_on="new")
    check(not passes, f"a broken build fails the job: {runner.log}")
    marked = source_lines(runner)
    new = [(path, line) for level, path, _, line in marked if level == "error"]
    check_equal(new, [("Sources/reader.hpp", CRASHED)], "the line that crashed, as an error")
    gone = [(path, line) for level, path, _, line in marked if level == "notice"]
    check_equal(gone, [("Sources/DemoApp.m", GONE)], "the line that no longer does, as a notice")
    results = json.loads((pathlib.Path(runner.outputs["install"]["directory"])
                          / "groups.sarif").read_text())["runs"][0]["results"]
    places = [each["physicalLocation"] for result in results for each in result["locations"]]
    check_equal([line_of(runner, place["artifactLocation"]["uri"],
                         place["region"]["startLine"]) for place in places],
                [CRASHED], "the line of the SARIF result")
    # Without the map, no annotation names a file that the repository has.
    runner, _ = run(release, top / "unmapped", sources="Sources", reports="samples/demo.crash",
                    dsym="samples", baseline="samples/demo-exception.crash")
    check_equal([path for _, path, _, _ in source_lines(runner)],
                ["/src/Demo/reader.hpp", "/src/Demo/DemoApp.m"], "nothing is guessed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    program = parser.parse_args().program.resolve()
    if yaml is None or not shutil.which("bash") or not shutil.which("curl"):
        print("skipped: PyYAML, bash or curl is not installed")
        return SKIPPED
    version = re.search(r"project\(apmtool VERSION (\S+)",
                        (ROOT / "CMakeLists.txt").read_text()).group(1)
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    check_equal(action["inputs"]["version"]["default"], version, "the version of action.yml")
    with tempfile.TemporaryDirectory(prefix="apmtool-action.") as name:
        top = pathlib.Path(name)
        digest = make_release(top / "release", program, version)
        check_results(top / "release", top)
        check_gates(top / "release", top)
        check_beginnings(top / "release", top)
        check_sum(top / "release", digest, top)
        check_path_map(top / "release", program, top)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
