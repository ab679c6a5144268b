# SPDX-License-Identifier: MIT
"""
No cost that is assumed, or the least that it can be, is shown without its mark:
in text, pages and tables before the number; in JSON and CSV the origin is beside
it. Collapsed stacks and profiles have no room for a mark: fold warns.
"""

import argparse
import csv
import html
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from checking import check, failures

# So many samples of 50 ms: a number that nothing else in an output is.
SAMPLES = 137
MS = SAMPLES * 50
NUMBER = re.compile(r"6[,.]?850(?![0-9])")
MARKED = ("text", "markdown", "html", "svg", "github", "junit")


def write_inputs(folder):
    report = {"id": "one",
              "samples": [{"stack": ["main", "-[Shop load]"]}] * SAMPLES}
    (folder / "assumed.json").write_text(json.dumps(report))
    least = [{"session": "A", "date": 1770000000 + second,
              "samples": [{"stack": ["main", "wait"]}]} for second in (0, 4.85)]
    (folder / "least.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in least))


def check_marked(text, mark, what):
    for found in NUMBER.finditer(text):
        before = text[max(0, found.start() - len(mark)):found.start()]
        # Coordinates of a drawing are no costs for people.
        if text[:found.start()].endswith('data-w="'):
            continue
        check(before == mark, f"{what}: {text[found.start() - 30:found.end()]!r}")


def objects_of(value):
    if isinstance(value, dict):
        yield value
        for member in value.values():
            yield from objects_of(member)
    elif isinstance(value, list):
        for item in value:
            yield from objects_of(item)


def check_objects(objects, origin, what, inherits=False):
    for item in objects:
        has = [name for name, number in item.items() if number in (MS, str(MS))]
        said = [text for name, text in item.items()
                if name.endswith("cost_origin")]
        check(not has or inherits or origin in said, f"{what}: {has}, {said}")


def check_output(text, name, mark, origin, what):
    if name in ("json", "jsonl", "sarif"):
        documents = [json.loads(text)]
        inherits = documents[0].get("cost_origin") == origin
        check_objects(objects_of(documents), origin, what, inherits)
    elif name == "csv":
        check_objects(csv.DictReader(io.StringIO(text)), origin, what)
    elif name in MARKED:
        check_marked(html.unescape(text), mark, what)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    program = parser.parse_args().program.resolve()
    cases = [(["lag-aggregate"], 1), (["lag-aggregate", "--per-report"], 1),
             (["lag-aggregate", "--explain"], 1),
             (["flamegraph", "--weight", "cost"], 1),
             (["diff", "--stalls"], 2),
             (["lag-aggregate", "--baseline", "assumed.json"], 1)]
    outputs = 0
    with tempfile.TemporaryDirectory(prefix="apmtool-marks.") as folder:
        folder = pathlib.Path(folder)
        write_inputs(folder)
        runs = [(arguments + ["assumed.json"] * count, "~", "assumed")
                for arguments, count in cases]
        runs.append((["lag-aggregate", "--threshold", "2s", "least.jsonl"],
                     "≥ ", "at_least"))
        for arguments, mark, origin in runs:
            for name in MARKED + ("json", "jsonl", "sarif", "csv"):
                command = [program, *arguments, "-q", "--format", name]
                result = subprocess.run(command, cwd=folder, text=True,
                                        capture_output=True, check=False)
                if result.returncode == 2:
                    continue  # the command has no such format
                what = f"{' '.join(arguments)} in {name}"
                check(result.returncode == 0, f"{what}: {result.stderr}")
                check_output(result.stdout, name, mark, origin, what)
                outputs += bool(NUMBER.search(result.stdout))
        result = subprocess.run([program, "fold", "-w", "cost", "assumed.json"],
                                cwd=folder, text=True, capture_output=True,
                                check=False)
        check("costs are assumed" in result.stderr, f"fold: {result.stderr}")
    check(outputs > 30, f"only {outputs} outputs have the number")
    print(f"{outputs} outputs with costs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
