#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --format es-bulk prints, taken by a real OpenSearch.

    check_opensearch.py --program build/dev/apmtool

It needs Java 17 with its compiler, curl, and the jars in build/opensearch/jars,
where Maven puts them:

    mvn -f tests/tools/opensearch.xml dependency:copy-dependencies \\
        -DoutputDirectory=$PWD/build/opensearch/jars

Without them it is skipped with a word. The node is tests/tools/OpenSearchNode.java;
plugins for lifecycle and alerts are not there: of the monitor, its query runs."""

import argparse
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from checking import check, check_equal, failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
DATA = ROOT / "data/opensearch"
SCRIPT = ROOT / "cmd/bulk/apmtool-bulk"
JARS = ROOT / "build/opensearch/jars"
NODE = ROOT / "tests/tools/OpenSearchNode.java"
START_SECONDS = 120
SKIPPED = 77
DAY_MS = 24 * 3600 * 1000
REPORTS = [SAMPLES / name for name in (
    "demo.crash", "demo.ips", "metrickit-crash.json", "demo-mac.crash", "jetsam/limit.ips")]


def class_path():
    # With its random numbers, a node runs within its own tests alone.
    return [str(path) for path in sorted(JARS.glob("*.jar"))
            if not path.name.startswith("randomizedtesting")]


class Node:
    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        (folder / "home").mkdir()
        jars = class_path()
        subprocess.run(["javac", "-cp", os.pathsep.join(jars), "-d", folder, NODE],
                       check=True, capture_output=True, timeout=120)
        self.log = (folder / "log").open("wb+")
        self.began = time.monotonic()
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            ["java", "-Xmx512m", "-XX:+UseSerialGC", "-cp",
             os.pathsep.join([str(folder), *jars]), "OpenSearchNode", folder / "home",
             str(port)],
            stdin=subprocess.PIPE, stdout=self.log, stderr=self.log)

    def __enter__(self):
        while True:
            try:
                version = self.ask("GET", "/")["version"]["number"]
                break
            except OSError:
                if self.process.poll() is not None or \
                        time.monotonic() - self.began > START_SECONDS:
                    self.__exit__()
                    self.log.seek(0)
                    raise SystemExit("the node did not start:\n" +
                                     self.log.read().decode()[-2000:]) from None
                time.sleep(0.2)
        status = pathlib.Path(f"/proc/{self.process.pid}/status")
        memory = next(line for line in status.read_text().splitlines()
                      if line.startswith("VmHWM")).split(":")[1].strip() \
            if status.exists() else "unknown"
        print(f"OpenSearch {version}: ready after {time.monotonic() - self.began:.1f} s, "
              f"memory {memory}")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def ask(self, method, path, body=None, kind="application/json"):
        if isinstance(body, dict):
            body = json.dumps(body)
        request = urllib.request.Request(
            self.url + path, method=method, data=body.encode() if body else None,
            headers={"Content-Type": kind})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def bulk(self, text):
        return self.ask("POST", "/_bulk", text, "application/x-ndjson")

    def count(self, index):
        self.ask("POST", f"/{index}/_refresh")
        return self.ask("GET", f"/{index}/_count")["count"]


def lines(program, *args):
    done = subprocess.run(
        [program, *(str(each) for each in args)], capture_output=True, timeout=60,
        env={**os.environ, "APMTOOL_CACHE": "none"}, check=False)
    check(done.returncode in (0, 1), f"{args}: {done.stderr.decode()}")
    return done.stdout.decode()


def statuses(answer):
    return [part["status"] for item in answer["items"] for part in item.values()]


def send(node, folder, text, **more):
    return subprocess.run(
        ["sh", SCRIPT, "--wait", "0", "--refused", folder / "refused", node.url],
        input=text.encode(), timeout=120, check=False, cwd=folder, **more).returncode


def check_templates(node):
    for name in ("events", "rows"):
        answer = node.ask("PUT", f"/_index_template/apm-{name}",
                          (DATA / f"{name}-template.json").read_text())
        check(answer.get("acknowledged"), f"{name}: {answer}")


def check_events(node, program, folder):
    """The same twice is there once; `create` is refused then."""
    text = lines(program, "symbolicate", "-q", "-d", SAMPLES, "--format", "es-bulk",
                 *REPORTS[:-1])
    ids = {json.dumps(json.loads(line)["index"]) for line in text.splitlines()[::2]}
    answer = node.bulk(text)
    check(not answer["errors"], f"events: {answer}")
    count = node.count("apm-events-*")
    check_equal(count, len(ids), "events that are there")
    node.bulk(text)
    check_equal(node.count("apm-events-*"), count, "events after the second time")
    check_equal(send(node, folder, text), 0, "apmtool-bulk")
    check_equal(node.count("apm-events-*"), count, "events after apmtool-bulk")
    created = text.replace('{"index":', '{"create":')
    check_equal(set(statuses(node.bulk(created))), {409}, "create of what is there")
    check_equal(send(node, folder, created), 0, "409 is success")
    fields = node.ask("GET", "/apm-events-*/_mapping")
    known = json.loads((DATA / "events-template.json").read_text())
    for index, found in fields.items():
        check_equal(sorted(found["mappings"]["properties"]),
                    sorted(known["template"]["mappings"]["properties"]), f"{index}: fields")
    found = node.ask("POST", "/apm-events-*/_search", {
        "size": 0, "query": {"range": {"@timestamp": {"gte": "2026-01-31", "lt": "2026-02-01"}}},
        "aggs": {"cause": {"terms": {"field": "cause"}},
                 "line": {"max": {"field": "where_frame.line"}}}})
    buckets = found["aggregations"]["cause"]["buckets"]
    check(buckets and found["aggregations"]["line"]["value"], f"aggregations: {found}")


def check_faults(node, folder):
    """A wrong type, or a hostile one, is refused alone."""
    def event(key, **more):
        where = {"index": {"_index": "apm-events-2026.02.01", "_id": key}}
        return f"{json.dumps(where)}\n{json.dumps({'schema': 'apmtool.event/1', **more})}\n"
    text = (event("good") + event("wrong", truncated="perhaps") +
            event("long", signature="s" * 100000, verdict="v " * 100000) +
            event("x" * 512, kind="crash") + event("more", unknown={"deep": [1, {"a": 2}]}))
    check_equal(statuses(node.bulk(text)), [201, 400, 201, 201, 201], "faults")
    check_equal(send(node, folder, text), 1, "apmtool-bulk of faults")
    found = [json.loads(line) for line in (folder / "refused").read_text().splitlines()]
    check_equal([each["action"]["index"]["_id"] for each in found], ["wrong"], "refused")
    check("parsing" in found[0]["error"]["type"], f"its reason: {found}")


def check_rows(node, program):
    common = ["-q", "--format", "es-bulk"]
    crashes = REPORTS[:2]
    for name, args in {
            "crash-groups": ["group", "-d", SAMPLES, *common, *crashes],
            "diff": ["diff", "-d", SAMPLES, *common, *crashes],
            "lag-groups": ["lag-aggregate", *common, SAMPLES / "lag/reports.jsonl"],
            "jetsam-reasons": ["jetsam", "--table", "reasons", *common, REPORTS[-1]],
            "explain-causes": ["explain", "--summary", *common, *crashes]}.items():
        text = lines(program, *args)
        answer = node.bulk(text)
        check(not answer["errors"], f"{name}: {answer}")
        node.bulk(text)
        check_equal(node.count(f"apm-rows-{name}-*"), text.count("\n") // 2, name)


def fill_in(value, end_ms):
    """The monitor's query as the plugin has it at the end of a period."""
    return json.loads(json.dumps(value).replace("{{period_end}}", str(end_ms)))


def check_monitor(node):
    """Of what is new, and what is not, the query counts what triggers ask for."""
    end_ms = 1769990400000
    days = {"new": [0.5], "old": [0.2, 3, 4], "gone": [2]}
    text = ""
    for name, ages in days.items():
        for i, age in enumerate(ages):
            where = {"index": {"_index": "apm-events-2026.02.01", "_id": f"{name}{i}"}}
            document = {"@timestamp": int(end_ms - age * DAY_MS), "signature": name, "app": "a"}
            text += f"{json.dumps(where)}\n{json.dumps(document)}\n"
    check(not node.bulk(text)["errors"], "events of the monitor")
    node.ask("POST", "/apm-events-*/_refresh")
    search = json.loads((DATA / "monitor.json").read_text())["inputs"][0]["search"]
    found = node.ask("POST", f"/{search['indices'][0]}/_search", fill_in(search["query"], end_ms))
    counts = {bucket["key"]["signature"]:
              (bucket["now"]["doc_count"], bucket["before"]["doc_count"])
              for bucket in found["aggregations"]["signatures"]["buckets"]}
    for name, expected in {"new": (1, 0), "old": (1, 2), "gone": (0, 1)}.items():
        check_equal(counts.get(name), expected, f"monitor: {name}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    program = parser.parse_args().program.resolve()
    for tool in ("java", "javac", "curl"):
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            return SKIPPED
    if not class_path():
        print("skipped: there are no jars in build/opensearch/jars")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with Node(folder) as node:
            check_templates(node)
            check_events(node, program, folder)
            check_faults(node, folder)
            check_rows(node, program)
            check_monitor(node)
    print(f"{len(failures)} failed")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
