#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is sent to OpenSearch and InfluxDB, without either.

    check_bulk.py --program build/dev/apmtool

The lines of --format es-bulk and influx on samples; data/opensearch beside the
schema of events; and cmd/bulk/apmtool-bulk against a mock: a server that
answers as _bulk does, and refuses what the test marked."""

import argparse
import collections
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import check_schema
from checking import check, check_equal, failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
DATA = ROOT / "data/opensearch"
SCRIPT = ROOT / "cmd/bulk/apmtool-bulk"
REPORTS = [SAMPLES / name for name in (
    "demo.crash", "demo.ips", "metrickit-crash.json", "kscrash-mach.json",
    "panic.ips", "jetsam/limit.ips")]
# A point of InfluxDB's line protocol, and a tag or field of it.
# A backslash is there where a runner of CI would else find a command.
WORD = r"(?:\\[,= x]|[^\\,= \n])+"
POINT = re.compile(rf"({WORD})((?:,{WORD}={WORD})*) ({WORD}=\d+i(?:,{WORD}=\d+i)*)"
                   r"( \d+)?$")


def run(program, *args, data=None, expect=(0,)):
    done = subprocess.run([program, *(str(each) for each in args)],
                          input=data, capture_output=True, timeout=120,
                          env={**os.environ, "APMTOOL_CACHE": "none"},
                          check=False)
    check(done.returncode in expect,
          f"{args}: status {done.returncode}: {done.stderr.decode()[:300]}")
    return done.stdout.decode()


# Lines


def pairs_of(text, op="index"):
    """Each document with the index and the id that it is sent to."""
    lines = text.splitlines()
    check(text.endswith("\n") and len(lines) % 2 == 0, "a line without its pair")
    for action, document in zip(lines[::2], lines[1::2]):
        parts = json.loads(action)
        check_equal(list(parts), [op], "the operation")
        where = parts[op]
        check_equal(sorted(where), ["_id", "_index"], action)
        check(0 < len(where["_id"].encode()) <= 512, f"the id: {action}")
        check(re.fullmatch(r"apm-[a-z-]+-(\d{4}\.\d\d\.\d\d|undated)",
                           where["_index"]), f"the index: {action}")
        dated = "@timestamp" in json.loads(document)
        check_equal(where["_index"].endswith("-undated"), not dated, action)
        yield where, document


def check_valid(document):
    if check_schema.jsonschema:
        for fault in check_schema.errors_of(document):
            check(False, f"{fault}: {document}")


def check_events(program):
    text = run(program, "symbolicate", "-q", "--format", "es-bulk", *REPORTS[:-1])
    events = [json.loads(line) for line in run(
        program, "symbolicate", "-q", "--format", "event", *REPORTS[:-1]).splitlines()]
    found = list(pairs_of(text))
    check_equal(len(found), len(events), "events")
    for (where, document), event in zip(found, events):
        document = json.loads(document)
        check_valid(document)
        for name in ("input", "member", "input_index"):
            event.pop(name, None)
        stamp = document.pop("@timestamp", None)
        check(stamp in (None, event.get("time")), f"another time: {stamp}")
        check_equal(document, event, "an event")
        if "id" in event:
            check_equal(where["_id"], event["id"], "the id of a report")
    again = run(program, "convert", "-q", "--format", "es-bulk", "--bulk-op",
                "create", *REPORTS[:-1])
    for (where, document), (first, _) in zip(pairs_of(again, "create"), found):
        check("id" not in json.loads(document) or where == first,
              f"the place of a report by another command: {where}, {first}")


def check_ids(program):
    """The same report is the same document, wherever it was read from."""
    for path in REPORTS[:-1]:
        one = run(program, "convert", "-q", "--format", "es-bulk", path)
        other = run(program, "convert", "-q", "--format", "es-bulk", "-",
                    data=path.read_bytes())
        check_equal(one, other, f"{path.name} from standard input")
    # Ids that an index would refuse, and dates that name no day.
    report = json.loads((SAMPLES / "kscrash-mach.json").read_text())
    seen = set()
    for name in ("", "x" * 600, "\u4e00" * 300):
        report["report"]["id"] = name
        text = run(program, "convert", "-q", "--format", "es-bulk", "-",
                   data=json.dumps(report).encode())
        where = next(pairs_of(text))[0]
        check(re.fullmatch("[0-9a-f]{32}", where["_id"]), f"{name!r:.20}: {where}")
        seen.add(where["_id"])
    # Ids that are too long are none, and the rest of two reports is the same.
    check_equal(len(seen), 2, "ids of three reports")


def tables():
    crashes = [SAMPLES / "demo.crash", SAMPLES / "demo.ips", SAMPLES / "kscrash-mach.json"]
    return {
        "crash-groups": ["group", *crashes],
        "diff": ["diff", "--owners", SAMPLES / "CODEOWNERS", *crashes[:2]],
        "lag-groups": ["lag-aggregate", SAMPLES / "lag/reports.jsonl"],
        "jetsam-limits": ["jetsam", "--table", "limits", SAMPLES / "jetsam"],
        "jetsam-reasons": ["jetsam", "--table", "reasons", SAMPLES / "jetsam"],
        "explain-causes": ["explain", "--summary", *crashes],
    }


def check_rows(program):
    """A document for each row, with its columns, that the template knows."""
    fields = mapping_of("rows")
    for name, args in tables().items():
        rows = json.loads(run(program, *args, "-q", "--format", "json", expect=(0, 3)))["rows"]
        text = run(program, *args, "-q", "--format", "es-bulk", expect=(0, 3))
        found = list(pairs_of(text))
        check_equal(len(found), len(rows), f"{name}: rows")
        for (where, document), row in zip(found, rows):
            digest = hashlib.sha256((document + "\n").encode()).hexdigest()
            check_equal(where["_id"], digest[:32], f"{name}: id of a row")
            check(where["_index"].startswith(f"apm-rows-{name}-"), f"{name}: {where}")
            document = json.loads(document)
            check_valid(document)
            document.pop("@timestamp", None)
            check_equal(document.pop("table"), name, "the table")
            document.pop("schema")
            check_equal(document, row, f"{name}: a row")
        for tags, sums, _ in points_of(run(program, *args, "-q", "--format", "influx",
                                           expect=(0, 3)), name):
            for key in tags:
                check(fields.get(key, {}).get("type") == "keyword", f"{name}: tag {key}")
            for key in sums:
                check(fields.get(key, {}).get("type") == "long", f"{name}: sum {key}")


# InfluxDB


def points_of(text, name):
    for line in text.splitlines():
        found = POINT.match(line)
        check(found, f"{name}: not a point: {line!r}")
        if not found:
            continue
        check_equal(found[1], "apm_" + name.replace("-", "_"), "measurement")
        tags = dict(re.match(rf"({WORD})=({WORD})$", each).groups()
                    for each in re.findall(rf",({WORD}={WORD})", found[2]))
        sums = {key: int(value[:-1]) for key, value in
                (each.split("=") for each in found[3].split(","))}
        yield tags, sums, found[4]


def check_points(program):
    """Sums are those of the table; no point replaces another."""
    for name, args in tables().items():
        rows = json.loads(run(program, *args, "-q", "--format", "json", expect=(0, 3)))["rows"]
        points = list(points_of(run(program, *args, "-q", "--format", "influx",
                                    expect=(0, 3)), name))
        check(points or not rows, f"{name}: no points")
        whole = collections.Counter()
        for _, sums, _ in points:
            whole.update(sums)
        for key, total in whole.items():
            check_equal(total, sum(row[key] or 0 for row in rows), f"{name}: {key}")
        keys = [(tuple(sorted(tags.items())), time) for tags, _, time in points]
        check_equal(len(set(keys)), len(keys), f"{name}: points that replace others")
    for args in (["group", "--explain"], ["group", "--test-rules"],
                 ["lag-aggregate", "--per-report"], ["jetsam", "--victims"]):
        run(program, *args, "--format", "influx", SAMPLES / "demo.crash", expect=(2,))


def hostile_samples():
    """Calls whose names would end a tag, a point, or escape what follows."""
    names = ["a,b=c d", "end\\", "x\\,y", "new\nline", "\u2028", "=", ",,", "tab\there", "##[error]"]
    return "".join(f"main;{name} {i + 1}\n".replace("\nl", "\\nl")
                   for i, name in enumerate(names)).encode()


def check_hostile_points(program, folder):
    path = folder / "hostile.folded"
    path.write_bytes(hostile_samples())
    text = run(program, "lag-aggregate", "-q", "--format", "influx", path, expect=(0, 3))
    check(len(list(points_of(text, "lag-groups"))) >= 1, "points of hostile names")


# What is installed for OpenSearch


def mapping_of(name):
    template = json.loads((DATA / f"{name}-template.json").read_text())
    return template["template"]["mappings"]["properties"]


def types_of(schema):
    kind = schema.get("type", "string")
    kinds = set(kind if isinstance(kind, list) else [kind]) - {"null"}
    if "const" in schema and "type" not in schema:
        kinds = {"boolean" if schema["const"] is True else "string"}
    return kinds


def check_mapping(schema, fields, where):
    """The fields are the members of the schema, each of its type."""
    fitting = {"string": {"keyword", "text", "date"}, "integer": {"long", "unsigned_long"},
               "boolean": {"boolean"}, "array": {"keyword"}, "object": {None}}
    check_equal(sorted(fields), sorted(schema["properties"]), f"{where}: fields")
    for name, member in schema["properties"].items():
        field = fields.get(name, {})
        kind, = types_of(member)
        check(field.get("type") in fitting[kind], f"{where}.{name}: {field} for {kind}")
        # Longer words make the whole document fail.
        check(field.get("type") != "keyword" or field.get("ignore_above", 1e9) <= 8191,
              f"{where}.{name}: no ignore_above")
        if kind == "object":
            check_equal(field.get("dynamic"), False, f"{where}.{name}: dynamic")
            check_mapping(member, field["properties"], f"{where}.{name}")


def flat(fields, before=""):
    for name, field in fields.items():
        yield before + name
        yield from flat(field.get("properties", {}), f"{before}{name}.")


def fields_in(value):
    """Each field that a query or a chart names."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "field":
                yield inner
            elif key == "range":
                yield from inner
            else:
                yield from fields_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from fields_in(inner)


def check_data():
    known = set(flat(mapping_of("events")))
    for path in DATA.glob("*.json"):
        check(json.loads(path.read_text()), f"{path.name}: empty")
    for name in ("events", "rows"):
        template = json.loads((DATA / f"{name}-template.json").read_text())
        check_equal(template["index_patterns"], [f"apm-{name}-*"], f"{name}: patterns")
        check_equal(template["template"]["mappings"]["dynamic"], False, f"{name}: dynamic")
    schema = json.loads((ROOT / "formatters/schema/event.schema.json").read_text())
    check_mapping(schema, mapping_of("events"), "events")
    monitor = json.loads((DATA / "monitor.json").read_text())
    used = set(fields_in(monitor["inputs"]))
    check(used and used <= known, f"monitor: {sorted(used - known)}")
    policy = json.loads((DATA / "lifecycle.json").read_text())["policy"]
    states = {state["name"] for state in policy["states"]}
    targets = {to["state_name"] for state in policy["states"] for to in state["transitions"]}
    check({policy["default_state"]} | targets == states, f"lifecycle: {states}, {targets}")
    check_dashboards(known)


def check_dashboards(known):
    objects = [json.loads(line)
               for line in (DATA / "dashboards.ndjson").read_text().splitlines()]
    ids = {(each["type"], each["id"]) for each in objects}
    check_equal(len(ids), len(objects), "dashboards: ids")
    for each in objects:
        for to in each["references"]:
            check((to["type"], to["id"]) in ids, f"dashboards: no {to}")
        parts = [json.loads(value) for key, value in each["attributes"].items()
                 if key.endswith("JSON") or key == "visState"]
        used = set(fields_in(parts))
        check(used <= known, f"dashboards: {sorted(used - known)}")


# apmtool-bulk


class Mock(http.server.BaseHTTPRequestHandler):
    """Answers as _bulk does; what is asked of it is in its server."""

    def log_message(self, *_):
        pass

    def do_POST(self):  # pylint: disable=invalid-name
        server = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server.sizes.append(len(body))
        check_equal(self.headers["Content-Type"], "application/x-ndjson", "content type")
        check(self.path.startswith("/_bulk?"), f"path {self.path}")
        check(body.endswith(b"\n"), "a request that does not end its line")
        if server.busy:
            self.answer(server.busy.pop(0), b'{"error":"\x1b[31m"}')
            return
        lines = body.decode().splitlines()
        items = [self.take(json.loads(action), json.loads(document))
                 for action, document in zip(lines[::2], lines[1::2])]
        failed = any("error" in part for item in items for part in item.values())
        self.answer(200, json.dumps({"errors": failed, "items": items},
                                    separators=(",", ":")).encode())

    def take(self, action, document):
        (op, where), = action.items()
        plan = document.get("plan", [])
        tries = self.server.tries
        at = tries[where["_id"]]
        tries[where["_id"]] += 1
        status = plan[at] if at < len(plan) else 201
        if status == 201 and op == "create" and where["_id"] in self.server.known:
            status = 409
        if status == 201:
            self.server.known[where["_id"]] = document
            return {op: {"status": 201}}
        return {op: {"error": {"type": "invented", "reason": 'of "status":200, \\ }]'},
                     "status": status}}

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve(**more):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mock)
    server.known, server.tries = {}, collections.Counter()
    server.sizes, server.busy = [], more.get("busy", [])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def lines_for(documents, op="index"):
    return "".join(f'{{"{op}":{{"_index":"apm-events-undated","_id":"{key}"}}}}\n'
                   f"{json.dumps(document)}\n" for key, document in documents.items())


def send(server, folder, text, *args):
    done = subprocess.run(
        ["sh", SCRIPT, "--wait", "0", "--retries", "3", "--refused", folder / "refused",
         *args, f"http://127.0.0.1:{server.server_address[1]}/"],
        input=text.encode(), capture_output=True, timeout=120, check=False, cwd=folder)
    return done.returncode, done.stderr.decode()


def refused(folder):
    path = folder / "refused"
    found = [json.loads(line) for line in path.read_text().splitlines()] \
        if path.exists() else []
    path.unlink(missing_ok=True)
    return found


def check_sending(program, folder):
    server = serve()
    text = run(program, "convert", "-q", "--format", "es-bulk", *REPORTS[:-1])
    check_equal(send(server, folder, text), (0, ""), "reports")
    count = len(server.known)
    check_equal(count, len({where["_id"] for where, _ in pairs_of(text)}),
                "reports that are there")
    check_equal(send(server, folder, text), (0, ""), "the same again")
    check_equal(len(server.known), count, "reports after the second time")
    created = run(program, "convert", "-q", "--format", "es-bulk", "--bulk-op", "create",
                  *REPORTS[:-1])
    check_equal(send(server, folder, created), (0, ""), "409 is success")
    check_equal(send(server, folder, ""), (0, ""), "nothing")
    check_equal(refused(folder), [], "refused")


def check_items(folder):
    """Items are sent again, or refused, one by one."""
    server = serve()
    documents = {"a": {}, "b": {"plan": [429, 503]}, "c": {"plan": [400]},
                 "d": {"plan": [503, 400]}, "e": {"text": "\u00e9\\\"\u2028"}}
    status, errors = send(server, folder, lines_for(documents))
    check_equal(status, 1, f"some refused: {errors}")
    found = refused(folder)
    check_equal(sorted(each["action"]["index"]["_id"] for each in found), ["c", "d"], "refused")
    for each in found:
        check_equal((each["status"], each["error"]["type"]), (400, "invented"), "reason")
        check_equal(each["document"], documents[each["action"]["index"]["_id"]], "document")
    check_equal(sorted(server.known), ["a", "b", "e"], "documents that are there")
    check_equal(server.tries["a"], 1, "what is there is not sent again")
    endless = {"f": {"plan": [429] * 9}}
    check_equal(send(server, folder, lines_for(endless))[0], 5, "no end of 429")
    check_equal(server.tries["f"], 4, "three retries")


def check_requests(folder):
    """Whole requests: chunks, busy servers, and those that refuse."""
    server = serve(busy=[503, 429])
    documents = {f"id{i}": {"text": "x" * 1000} for i in range(100)}
    text = lines_for({**documents, "large": {"text": "y" * 30000}})
    status, _ = send(server, folder, text, "--bytes", "20000")
    check_equal(status, 1, "a document beyond --bytes")
    check_equal([each["status"] for each in refused(folder)], [413], "its reason")
    check_equal(len(server.known), 100, "documents in chunks")
    check(len(server.sizes) >= 6 and max(server.sizes) <= 20000, f"chunks: {server.sizes}")
    server = serve(busy=[401])
    status, errors = send(server, folder, lines_for(documents))
    check("\x1b" not in errors, f"an escape of the server: {errors!r}")
    check(status == 5 and "401" in errors, f"a server that refuses: {status} {errors}")
    server.shutdown()
    server.server_close()
    check_equal(send(server, folder, lines_for(documents))[0], 5, "no server")


def check_misuse(folder):
    server = serve()
    good = lines_for({"a": {}})
    status, errors = send(server, folder, good + '{"schema":"x"}\n{}\n')
    check(status == 2 and "line 3" in errors, f"other lines: {status} {errors}")
    check_equal(list(server.known), ["a"], "what was before them")
    status, _ = send(server, folder, good.splitlines()[0] + "\n")
    check_equal(status, 2, "an action without its document")
    for args in (["--bytes", "x"], ["--unknown"], ["one", "two"]):
        check_equal(send(server, folder, good, *args)[0], 2, f"{args}")


def check_script(folder):
    tool = shutil.which("shellcheck")
    if tool:
        done = subprocess.run([tool, "-s", "sh", SCRIPT], capture_output=True, text=True,
                              check=False)
        check(not done.returncode, done.stdout)
    else:
        print("skipped: there is no shellcheck")
    check_items(folder)
    check_requests(folder)
    check_misuse(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    program = parser.parse_args().program.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_events(program)
        check_ids(program)
        check_rows(program)
        check_points(program)
        check_hostile_points(program, folder)
        check_data()
        if shutil.which("curl"):
            check_sending(program, folder)
            check_script(folder)
        else:
            print("skipped: there is no curl")
    print(f"{len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
