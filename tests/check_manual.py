#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that manual, --help and README say the same, and that examples run.

    tests/check_manual.py --program build/dev/apmtool --mandoc mandoc

Each command has a page, its SYNOPSIS is the usage line of --help, its OPTIONS
are the options of --help; README lists the commands with their summaries and
the exit statuses of apmtool(1); apmtool-report(5) names the members of the JSON
Schema, apmtool-formats(5) the input formats, apmtool-rules(5) shows the sample of
a rules file. Examples of --help run and print something;
those of the pages and of README run and print what is shown there: in a literal
block of EXAMPLES, or a `console` block of README, a line that begins with "$ "
is a command, what follows is its output. --accept writes what they print into
the files: review the diff.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# apmtool(1) describes these; a page each would say nothing more.
WITHOUT_PAGE = {"help", "version"}
# What is installed beside the program, with pages of their own.
SCRIPTS = {"bulk", "server", "worker"}


class Checker:
    def __init__(self, program, mandoc):
        self.program = program.resolve()
        self.mandoc = mandoc
        self.faults = []
        self.checked = 0

    def expect(self, place, what, expected, found):
        self.checked += 1
        if expected != found:
            self.faults.append(
                f"{place}: {what}:\n  expected {expected!r}\n  found    {found!r}"
            )

    def shell(self, command, prepare=None):
        """Run a command line as a reader would, from the root of the tree."""
        with tempfile.TemporaryDirectory(prefix="apmtool-manual.") as name:
            folder = pathlib.Path(name)
            (folder / "samples").symlink_to(ROOT / "samples")
            if prepare:
                prepare(folder)
            env = {
                k: v
                for k, v in os.environ.items()
                if not k.startswith(("APMTOOL_", "XDG_"))
            }
            env["HOME"] = name  # no config of the caller's
            env["PATH"] = f"{self.program.parent}:{env['PATH']}"
            env["LC_ALL"] = "C"
            return subprocess.run(
                ["sh", "-c", command],
                cwd=folder,
                env=env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )

    def help(self, *words):
        done = self.shell(" ".join(["apmtool", *words, "--help"]))
        self.expect(" ".join(words), "status of --help", 0, done.returncode)
        return done.stdout


def squeeze(text):
    """A usage line without what only one of the two writes."""
    text = re.sub(r"[<>]", "", text)
    return re.sub(r"\s+", " ", text.replace(" ...", "...")).strip()


def section(text, name):
    match = re.search(rf"^{name}:?\n(.*?)(?=^\S|\Z)", text, re.M | re.S)
    return match.group(1) if match else ""


def rows(text):
    """The first column and the rest of a list as --help prints it."""
    return re.findall(r"^  (\S.*?)(?:  +|\n {8,})(\S.*(?:\n {8,}\S.*)*)", text, re.M)


def options_of_help(text):
    names = []
    for name in re.findall(r"^  +(-\S.*)", section(text, "options"), re.M):
        names += re.findall(r"(?:^|, )(-{1,2}[A-Za-z][\w-]*)", name)
    return sorted(names)


def options_of_page(source):
    options = source.split(".Sh OPTIONS")[-1].split(".Sh ")[0]
    names = []
    for line in re.findall(r"^\.It (.*Fl .*)", options, re.M):
        names += ["-" + name for name in re.findall(r"Fl (\S+)", line)]
    return sorted(names)


def formats_of_help(text):
    """What follows `output format:`, a list with its default in front."""
    match = re.search(r"output format: (\w.*?)(?=^ +-|\Z)",
                      section(text, "options"), re.M | re.S)
    return sorted(re.findall(r"[\w-]+", match.group(1).replace(
        "(default)", ""))) if match else []


class Page:
    """A file with examples: where they are, and how it escapes."""

    def __init__(self, path):
        self.path = path
        self.source = path.read_text()
        if path.suffix == ".md":
            self.block = re.compile(r"(^```console\n)(.*?)(^```)", re.M | re.S)
            self.examples = self.source
        else:
            self.block = re.compile(r"(^\.Bd -literal.*?\n)(.*?)(^\.Ed)", re.M | re.S)
            self.examples = self.source.split(".Sh EXAMPLES")[-1].split(".Sh ")[0]

    def escape(self, output):
        if self.path.suffix == ".md":
            return output
        return re.sub(r"^(?=[.'])", r"\\&", output.replace("\\", "\\e"), flags=re.M)

    def unescape(self, text):
        if self.path.suffix == ".md":
            return text
        return text.replace("\\&", "").replace("\\e", "\\")

    def pairs(self, block):
        """Each command of a block, and the output that the page shows."""
        for part in re.split(r"^\$ ", self.unescape(block), flags=re.M)[1:]:
            # A command goes on where its line ends with a backslash.
            yield re.match(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", part, re.S).groups()

    def accept(self, check):
        """Write what the examples print into the page."""

        def rewrite(match):
            text = "".join(
                self.escape(f"$ {command}{check.shell(command).stdout}")
                for command, _ in self.pairs(match.group(2))
            )
            # A block without commands is no output of any.
            text = text or match.group(2)
            return match.group(1) + text + match.group(3)

        examples = self.block.sub(rewrite, self.examples)
        self.path.write_text(self.source.replace(self.examples, examples))

    def check(self, check):
        name = self.path.name
        blocks = self.block.findall(self.examples)
        check.expect(name, "has examples", True, len(blocks) > 0)
        for block in blocks:
            for command, output in self.pairs(block[1]):
                done = check.shell(command)
                place = f"{name}: {command.strip()}"
                check.expect(place, "status", 0, done.returncode)
                check.expect(place, "output", output, done.stdout)
                # What a new user tries first must not warn.
                if self.path.suffix == ".md":
                    check.expect(place, "warnings", "", done.stderr)


def check_page(check, name, summary):
    page = ROOT / f"man/apmtool-{name}.1"
    if not page.exists():
        check.faults.append(f"{name}: there is no {page.name}")
        return
    source = page.read_text()
    text = check.help(name)
    rendered = subprocess.run(
        [check.mandoc, "-T", "ascii", "-O", "width=500", str(page)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rendered = re.sub(r".\x08", "", rendered)
    synopsis = section(rendered, "SYNOPSIS")
    usage = re.match(r"usage: (.*?)\n\n", text, re.S).group(1)
    check.expect(name, "SYNOPSIS", squeeze(usage), squeeze(synopsis))
    described = re.search(r"^\.Nd (.*)", source, re.M).group(1)
    check.expect(name, "summary", summary, described)
    check.expect(
        name, "OPTIONS", options_of_help(text), options_of_page(source)
    )
    words = set(re.findall(r"^\.(?:Cm|It Cm) ([\w-]+)", source, re.M))
    check.expect(name, "formats that are not in the manual", [],
                 [f for f in formats_of_help(text) if f not in words])


def check_help_examples(check, *name):
    """Those of a command; of the program, where none is named."""
    text = check.help(*name)
    name = " ".join(name) or "apmtool"
    # A long one goes on where its line ends with a backslash.
    commands = re.findall(
        r"^ {6}(\S(?:.*\\\n)*.*)", section(text, "examples"), re.M
    )
    check.expect(name, "has 3 examples", True, len(commands) >= 3)
    for command in commands:
        done = check.shell(command)
        place = f"{name} --help: {command}"
        check.expect(place, "status", 0, done.returncode)
        check.expect(place, "prints", True, bool(done.stdout) or ">" in command)


def check_readme(check, summaries):
    readme = (ROOT / "README.md").read_text()
    table = re.findall(r"^\| `([\w-]+)` \| (.*?) \|$", readme, re.M)
    check.expect("README.md", "commands", sorted(summaries), sorted(table))
    page = (ROOT / "man/apmtool.1").read_text()
    statuses = page.split(".Sh EXIT STATUS")[-1].split(".Sh ")[0]
    check.expect(
        "README.md",
        "exit statuses",
        re.findall(r"^\.It (\d+)\n(.*)", statuses, re.M),
        re.findall(r"^\| (\d+) \| (.*?) \|$", readme, re.M),
    )
    check_readme_commands(check, readme)
    named = set(re.findall(r"^\.It (?:Ic|Xr) (?:apmtool-)?([\w-]+)", page, re.M))
    check.expect("apmtool.1", "commands", sorted(n for n, _ in summaries), sorted(named))


CRASHLYTICS = """# Application: com.example.demo
# Platform: apple
# Version: 2.1 (210)
# Date: 2026-01-31T01:08:03Z

Crashed: com.apple.main-thread
0  Demo                           0x10a0c demo::Feed::decode(demo::Entry const&) + 11 (feed.cpp:11)
1  Demo                           0x10a50 demo::Feed::process(demo::Entry const&) + 19 (feed.cpp:19)
"""

# What README calls an input, by the sample that is one.
README_INPUTS = {
    "crash.ips": "demo.ips", "MyApp.hang": "demo.hang",
    "console.txt": "console/swift.txt", "test.log": "console/swift.txt",
    "payload.json": "metrickit-crash.json", "hang.txt": "demo-sample.txt",
    "JetsamEvent.ips": "jetsam/limit.ips", "logs/event.ips": "jetsam/limit.ips",
    "stalls.jsonl": "lag/reports.jsonl", "crashes/1.crash": "demo.crash",
    "reports/1.crash": "demo.crash", "last-week/1.ips": "demo.ips",
    "MyApp.dSYM": "Demo.dSYM", "MyApp.xcarchive/dSYMs/MyApp.dSYM": "Demo.dSYM",
}


def prepare_readme(folder):
    """The inputs that the commands of README name."""
    (folder / "samples").unlink()
    for name, sample in README_INPUTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / "samples" / sample).is_dir() else shutil.copy
        copy(ROOT / "samples" / sample, path)
    (folder / "crashlytics.txt").write_text(CRASHLYTICS)
    with tarfile.open(folder / "sysdiagnose.tar.gz", "w:gz") as archive:
        archive.add(folder / "crashes/1.crash", "sysdiagnose/crashes/1.crash")
    shutil.make_archive(folder / "MyApp.app.dSYM", "zip", folder, "MyApp.dSYM")
    (folder / "dsyms").mkdir()


def check_readme_commands(check, readme):
    """Those of the table, of blocks and of CI, with inputs of these names."""
    table = re.findall(r"^\| [^|]* \| (.*`apmtool .*) \|$", readme, re.M)
    commands = [command for row in table for command in re.findall(r"`(apmtool [^`]+ [^`]+)`", row)]
    commands += re.findall(
        r"^ {4}((?:\S+=\S+ |tail -f \S+ \| )?apmtool [^\n#]*)", readme, re.M)
    commands += re.findall(r"^ +run: (apmtool .*)", readme, re.M)
    check.expect("README.md", "has commands", True, len(commands) >= 20)
    for command in commands:
        command = command.replace("tail -f", "tail").replace(
            "last-week.json", "last-week/")
        # No server is there.
        command = re.sub(r" \| (apmtool-bulk|curl) .*", "", command)
        done = check.shell(command, prepare_readme)
        # 1 is the answer "no", of `missing` and of gates.
        check.expect(f"README.md: {command}", "status", "",
                     "" if done.returncode in (0, 1) else done.stderr)


def properties(schema):
    """The names of all members that a JSON Schema knows."""
    names = set()
    for key, value in schema.items():
        if key == "properties":
            names |= set(value)
        if isinstance(value, dict):
            names |= properties(value)
    return names


def check_report_page(check):
    """apmtool-report(5) names all members of its schemas, and no others."""
    folder = ROOT / "formatters/schema"
    page = ROOT / "man/apmtool-report.5"
    named = re.findall(r"^\.(?:It )?Va (.*)", page.read_text(), re.M)
    words = {word for line in named for word in re.findall(r"[\w@]+", line)}
    expected = set()
    for name in ("report", "explain", "event", "row", "answer", "calltree"):
        path = folder / f"{name}.schema.json"
        expected |= properties(json.loads(path.read_text()))
    check.expect(page.name, "missing members", [], sorted(expected - words))
    check.expect(page.name, "unknown members", [], sorted(words - expected))


def check_formats_page(check):
    """apmtool-formats(5) has a part for each format that doctor lists."""
    doctor = check.shell("apmtool doctor").stdout
    formats = {name for name, _ in rows(section(doctor, "report formats"))}
    page = (ROOT / "man/apmtool-formats.5").read_text()
    parts = set(re.findall(r"^\.Ss (.*)", page, re.M))
    check.expect("apmtool doctor", "lists formats", True, len(formats) > 0)
    check.expect("apmtool-formats.5", "formats", sorted(formats), sorted(formats & parts))


def check_rules_page(check):
    """The examples of apmtool-rules(5) are rules that work; nothing is left out."""
    page = Page(ROOT / "man/apmtool-rules.5")
    sample = (ROOT / "samples/lag/rules.yaml").read_text()
    crashes = (ROOT / "tests/crash-rules.yaml").read_text()
    shown = [page.unescape(block[1]) for block in page.block.findall(page.examples)]
    check.expect(page.path.name, "examples", [sample, crashes], shown)
    actions = page.source.split(".Ss Actions")[-1].split(".Ss ")[0]
    described = re.findall(r"^\.It Cm (.*)", actions, re.M)
    used = re.findall(r"action: ([\w-]+)", sample)
    check.expect(page.path.name, "actions", sorted(described), sorted(used))
    meanings = page.source.split(".Ss Patterns of crashes")[-1].split(".Ss Patterns\n")[0]
    fields = set(re.findall(r"^\.It Cm (.*)", meanings, re.M))
    table = (ROOT / "data/frame-meanings.yaml").read_text()
    used = set(re.findall(r"^    (\w+): ", table, re.M)) - {"action", "image"}
    check.expect(page.path.name, "fields", [], sorted(used - fields))


def check_lint(check):
    for page in sorted((ROOT / "man").glob("*.[15]")):
        done = subprocess.run(
            [check.mandoc, "-T", "lint", "-W", "warning", str(page)],
            capture_output=True,
            text=True,
            check=False,
        )
        check.expect(page.name, "mandoc -T lint", "", done.stdout + done.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--mandoc", default="mandoc")
    parser.add_argument("--accept", action="store_true")
    args = parser.parse_args()
    check = Checker(args.program, args.mandoc)
    summaries = rows(section(check.help(), "commands"))
    check.expect("apmtool", "has commands", True, len(summaries) > 0)
    check_help_examples(check)
    for name, summary in summaries:
        check_help_examples(check, name)
        if name not in WITHOUT_PAGE:
            check_page(check, name, summary)
    pages = {p.stem.removeprefix("apmtool-") for p in (ROOT / "man").glob("apmtool-*.1")}
    check.expect("man", "pages",
                 sorted({n for n, _ in summaries} - WITHOUT_PAGE | SCRIPTS), sorted(pages))
    check_readme(check, summaries)
    check_lint(check)
    check_report_page(check)
    check_formats_page(check)
    check_rules_page(check)
    pages = [*sorted((ROOT / "man").glob("*.1")), ROOT / "man/apmtool-report.5"]
    for path in [*pages, ROOT / "README.md"]:
        if args.accept:
            Page(path).accept(check)
        Page(path).check(check)
    print(*check.faults, sep="\n", end="\n" if check.faults else "")
    print(f"{check.checked} checks, {len(check.faults)} faults")
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main())
