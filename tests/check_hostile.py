#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that what a report says stays text in every format.

    tests/check_hostile.py --program build/dev/apmtool

Invents reports and samples in which each name, path, message and version, and
the name of the file, is hostile: workflow commands, terminal escapes, HTML,
formulas, Markdown, characters that XML does not have. Runs the commands that
sum reports up, and reads all that they print with the eyes of what would read
it: a terminal, a spreadsheet, a CI runner, a browser, a JUnit reader. SARIF and
JUnit are also checked for what their specifications require.
"""

import argparse
import csv
import html.parser
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

NAMES = [
    "::error::pwned", "a\n::error file=a,line=1::pwned", "%0A::error::pwned",
    "a\r\n::stop-commands::pwned", "##[error]pwned", "a\n##[group]pwned",
    "\x1b[31mpwned\x1b[0m", "\x1b]0;pwned\x07", "\u009b31mpwned", "\x7f\x08",
    "\u202epwned\u2028pwned\ufeff", "a\x00b", "\ufffe\uffff\x01\x0b\x1f",
    "</script></title></style><pwned onpwned=1>", "\"><pwned>", "'><pwned>",
    "--><pwned>", "<!--<script>pwned", "]]><pwned/>", "&lt;pwned&gt;&#60;",
    "=HYPERLINK(\"http://a\",\"pwned\")", "+1+pwned", "-1+pwned", "@SUM(pwned)",
    "\t=pwned", "\r=pwned", "\n=pwned", "\uff1dpwned", "\uff0bpwned",
    "a,=pwned", "a\",=pwned,\"", "a;=pwned",
    "a|b `c` **d** [e](http://f) ![g](h) @pwned #1 <b>", "| --- |\n# pwned",
    "\\", "\\|", "\"", "{{7*7}}", "${pwned}", "$(pwned)",
]
FORMATS = ["text", "csv", "json", "jsonl", "es-bulk", "influx", "markdown",
           "github", "sarif", "junit", "html"]
PLACE = re.compile(r"apm-(events|rows-[a-z-]+)-(undated|\d{4}\.\d\d\.\d\d)")
# A backslash is before what separates, or keeps a command from a CI runner.
WORD = r"(\\[,= x]|[^\\,= ])+"
POINT = re.compile(rf"apm_\w+(,\w+={WORD})* \w+=\d+i(,\w+=\d+i)*( \d+)?")
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f"
                    "\u2028-\u202e\u2066-\u2069\ufeff]")
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
# Of a property the runner reads all up to the comma; `line` is a number.
PROPERTY = r"((file|title)=([^%:,]|%(25|0A|0D|3A|2C))+|line=[1-9][0-9]*)"
COMMAND = re.compile(rf"::(error|warning|notice)( {PROPERTY}(,{PROPERTY})*)?"
                     r"::([^%]|%(25|0A|0D))+")


class Fault(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Fault(message)


# Reports and samples

def crash(name, number):
    def image(kind, base, path):
        return {"name": name, "base": base, "size": 0x10000, "source": "P",
                "arch": "arm64", "path": path + name,
                "uuid": f"{number:030x}{kind:02x}"}

    app = "/private/var/containers/Bundle/Application/A/App.app/"
    frames = [{"imageIndex": 0, "imageOffset": 16 * i, "symbol": name + str(i),
               "symbolLocation": 4, "sourceFile": name, "sourceLine": i + 1}
              for i in range(2)]
    return {
        "procName": name, "procPath": app + name, "modelCode": name,
        "bundleInfo": {"CFBundleIdentifier": name, "CFBundleVersion": name,
                       "CFBundleShortVersionString": name},
        "osVersion": {"train": name, "build": name}, "pid": number,
        "incident": f"{name} {number}", "crashReporterKey": name,
        "captureTime": "2026-01-31 09:08:07.00 +0000",
        "exception": {"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV",
                      "subtype": "KERN_INVALID_ADDRESS at 0x0 " + name},
        "termination": {"namespace": name, "code": number, "indicator": name,
                        "reasons": [name]},
        "asi": {name: [name, "*** Terminating app due to uncaught exception '"
                       + name + "', reason: '" + name + "'"]},
        "faultingThread": 0, "vmRegionInfo": name,
        "threads": [{"triggered": True, "id": 1, "name": name, "queue": name,
                     "frames": frames + [{"imageIndex": 1, "imageOffset": 9},
                                         {"imageIndex": 0,
                                          "imageOffset": 999}]}],
        "usedImages": [image(0, 0x100000000, app),
                       image(1, 0x180000000, "/usr/lib/")],
    }


def hang(name, number):
    return {
        "id": name + str(number), "session": name, "app": name, "os": name,
        "device": name, "arch": "arm64", "interval_ms": 50,
        "samples": [{"stack": ["main", name, name + str(number)]}] * 3,
    }


def write_inputs(folder):
    (folder / "old").mkdir()
    (folder / "new").mkdir()
    for i, name in enumerate(NAMES):
        # All but the slash and NUL can be in the name of a file.
        file = name.translate({0: None, 0x2f: None}) + f"{i}.ips"
        for side in "old", "new":
            body = crash(name + ("old" if side == "old" and i % 2 else ""), i)
            (folder / side / file).write_text(json.dumps(body))
    for side in "old", "new":
        with open(folder / f"{side}.jsonl", "w") as lines:
            for i, name in enumerate(NAMES):
                # So many that what is new is not so by chance.
                for again in range(20 if side == "new" or i % 2 else 0):
                    body = hang(name, i)
                    body["id"] += f" {again}"
                    body["session"] += f" {again}"
                    print(json.dumps(body), file=lines)
    with open(folder / "CODEOWNERS", "w") as owners:
        print("* @pwned\x1b[31m|`<pwned> =pwned", file=owners)


# Readers

def check_text(text):
    check(not (found := HIDDEN.search(text)),
          f"acts on a terminal: {text[found.start() - 30:found.end()]!r}"
          if found else "")
    for line in text.split("\n"):
        check(not re.match(r"\s*(::|##\[)", line), f"a command: {line!r}")


def check_csv(text):
    check_text(text.replace("\r\n", "\n"))
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    for row in rows:
        check(len(row) == len(rows[0]), f"{len(row)} fields: {row}")
        for cell in row:
            check(cell == "-" or NUMBER.fullmatch(cell)
                  or not re.match("[=+@\t\r\n-]|\uff1d|\uff0b|\uff0d|\uff20",
                                  cell),
                  f"a formula: {cell!r}")


def check_json(text):
    check_text(text)
    json.loads(text)


def check_jsonl(text):
    check_text(text)
    for line in text.splitlines():
        json.loads(line)


def check_es_bulk(text):
    check_jsonl(text)
    for line in text.splitlines()[::2]:
        action = json.loads(line)
        check(list(action) == ["index"], f"another operation: {line}")
        check(sorted(action["index"]) == ["_id", "_index"], f"an action: {line}")
        check(PLACE.fullmatch(action["index"]["_index"]), f"an index: {line}")


def check_influx(text):
    check_text(text)
    for line in text.splitlines():
        check(POINT.fullmatch(line), f"not a point: {line!r}")


def check_markdown(text):
    check_text(text)
    table = [line for line in text.splitlines() if line.startswith("|")]
    for line in text.splitlines():
        # A code span ends at the next fence of its length; an unescaped pipe
        # would have ended its cell before.
        cells = re.split(r"(?<!\\)\|", line)
        bare = "|".join(re.sub(r"^ (`+)(?!`).*(?<!`)\1 $", "", cell)
                        for cell in cells)
        bare = re.sub("</?code>", "", bare)
        check(not re.search(r"[<>`*\[\]@\\_~]|&(?!#\d+;)|(?<!&)#", bare),
              f"Markdown: {line!r}")
        check(not line.startswith("|") or
              len(cells) == table[0].count("|") + 1, f"cells: {line!r}")


def check_github(text):
    check(not HIDDEN.search(text), "acts on a terminal")
    for line in text.splitlines():
        check(COMMAND.fullmatch(line), f"not one annotation: {line!r}")


# What SARIF 2.1.0 says of the properties that we write: those with "!" are
# required, others than these the schema forbids in every one of the objects.
# A text is a pattern of the whole value, a list is of any number of its one.
SARIF = {
    "$schema": r"https://.*/sarif-schema-2\.1\.0\.json",
    "version!": r"2\.1\.0",
    "runs!": [{
        "tool!": {"driver!": {
            "name!": r".+", "semanticVersion": r"\d+\.\d+\.\d+(-[\w.]+)?",
            "rules": [{"id!": r".+", "shortDescription!": {"text!": r".+"},
                       "fullDescription!": {"text!": r".+"},
                       "help!": {"text!": r".+"}}],
        }},
        "results": [{
            "ruleId": r".+", "level": r"none|note|warning|error",
            "message!": {"text!": r".+"},
            "locations": [{
                "physicalLocation": {
                    "artifactLocation!": {
                        "uri": r"(file://)?([\w/.~-]|%[0-9A-F]{2})+"},
                    "region": {"startLine!": int},
                },
                "logicalLocations": [{"fullyQualifiedName": r".+"}],
            }],
            "partialFingerprints": {"signature/v1": r"[0-9a-f]+"},
            "properties": dict,
        }],
    }],
}


def check_shape(value, shape, place):
    if shape is dict:
        # Numbers, and words of ours: `measured`, `ms`.
        check(value and all(type(each) in (int, float) or
                            re.fullmatch("[A-Za-z_ ]+", each)
                            for each in value.values()), f"{place}: {value}")
    elif isinstance(shape, dict):
        check(isinstance(value, dict), f"{place}: no object")
        known = {name.rstrip("!"): inner for name, inner in shape.items()}
        for name in shape:
            check(not name.endswith("!") or name[:-1] in value,
                  f"{place}: no {name}")
        for name, inner in value.items():
            check(name in known, f"{place}: {name} is not permitted")
            check_shape(inner, known[name], f"{place}.{name}")
    elif isinstance(shape, list):
        check(isinstance(value, list), f"{place}: no array")
        for i, inner in enumerate(value):
            check_shape(inner, shape[0], f"{place}[{i}]")
    elif shape is int:
        check(type(value) is int and value >= 1, f"{place}: {value!r}")
    else:
        check(isinstance(value, str) and
              re.fullmatch(shape, value, re.ASCII | re.DOTALL),
              f"{place}: {value!r}")


def check_sarif(text):
    check_json(text)
    log = json.loads(text)
    check_shape(log, SARIF, "log")
    for run in log["runs"]:
        ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        check(len(ids) == len(set(ids)), f"a rule twice: {ids}")
        for result in run["results"]:
            check(result["ruleId"] in ids, f"no rule {result['ruleId']}")
            check(result.get("locations"), f"no place: {result['message']}")


# The attributes of the schema that Jenkins publishes, as far as we use them.
JUNIT = {
    "testsuites": {"tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors"},
    "testcase": {"name", "classname"},
    "failure": {"message", "type"},
}


def check_junit(text):
    check_text(text)
    root = xml.etree.ElementTree.fromstring(text)
    check(root.tag == "testsuites", root.tag)
    for node in root.iter():
        check(set(node.attrib) <= JUNIT[node.tag],
              f"{node.tag}: {node.attrib}")
        check(not (node.text or "").strip() and not (node.tail or "").strip(),
              f"text in {node.tag}")
    for node in [root, *root]:
        tests = list(node.iter("testcase"))
        failures = [test for test in tests if test.find("failure") is not None]
        check(node.get("tests") == str(len(tests)), "tests")
        check(node.get("failures") == str(len(failures)), "failures")
        check(node.get("errors") == "0", "errors")
    for suite in root:
        check(suite.tag == "testsuite" and suite.get("name"), "suite")
        for test in suite:
            check(test.tag == "testcase" and test.get("name") and
                  test.get("classname"), f"test {test.attrib}")
            check(not NUMBER.fullmatch(test.get("name")), "name of a test")
            for part in test:
                check(part.tag == "failure" and part.get("message") and
                      part.get("type"), f"{part.tag} {part.attrib}")


class Browser(html.parser.HTMLParser):
    """Finds elements and attributes that only a report can have brought."""

    def handle_starttag(self, tag, attrs):
        check(tag != "pwned", "a tag of the report's")
        for name, value in attrs:
            check(name != "onpwned" and not name.startswith("on"),
                  f"attribute {name}")
            check(name not in ("href", "src") or
                  re.match("(#|file:|data:)", value or "#"),
                  f"{name}={value!r}")

    def handle_comment(self, data):
        check("pwned" not in data, "a comment of the report's")


def check_html(text):
    check(not HIDDEN.search(text), "acts on a terminal")
    check(text.count("<script") == text.count("</script>"), "scripts")
    browser = Browser()
    browser.feed(text)
    browser.close()


# Runs

COMMANDS = [
    ["group", "old"], ["group", "--owners", "CODEOWNERS", "new"],
    ["group", "--by", "app", "old"], ["group", "--by", "device", "old"],
    ["group", "--explain", "old"], ["group", "--members", "old"],
    ["diff", "old", "new"], ["diff", "--fail-on", "new", "old", "new"],
    ["diff", "--stalls", "old.jsonl", "new.jsonl"],
    ["explain", "old"], ["missing", "old"],
    ["lag-aggregate", "new.jsonl"], ["lag-aggregate", "--by", "device",
                                     "new.jsonl"],
    ["lag-aggregate", "--baseline", "old.jsonl", "new.jsonl"],
]


def run_one(program, folder, command, name):
    done = subprocess.run([program, command[0], "--no-auto", "--format", name,
                           *command[1:]], cwd=folder, capture_output=True,
                          check=False)
    text = done.stdout.decode()  # a byte that is not UTF-8 is a fault, too
    errors = done.stderr.decode()
    if done.returncode == 2 and ("option '--format'" in errors or
                                 "adds up counts" in errors):
        return False
    check(done.returncode in (0, 1, 3), f"status {done.returncode}: {errors}")
    # Sums of causes have no word of a report.
    check("pwned" in text or (command[0], name) == ("explain", "influx"),
          f"nothing of the report: {text[:200]!r} {errors}")
    check_text(errors)
    globals()[f"check_{name.replace('-', '_')}"](text)
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    program = str(parser.parse_args().program.resolve())
    faults = runs = 0
    with tempfile.TemporaryDirectory(prefix="apmtool-hostile.") as folder:
        write_inputs(pathlib.Path(folder))
        for command in COMMANDS:
            for name in FORMATS:
                try:
                    runs += run_one(program, folder, command, name)
                except (Fault, ValueError, KeyError,
                        xml.etree.ElementTree.ParseError) as fault:
                    print(f"{' '.join(command)} --format {name}: "
                          f"{type(fault).__name__}: {fault}")
                    faults += 1
    print(f"{runs} outputs, {faults} faults")
    return 1 if faults or runs < 5 * len(COMMANDS) else 0


if __name__ == "__main__":
    sys.exit(main())
