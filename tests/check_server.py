#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check apmtool-server: what it answers, whom it answers, and what harms it.

    tests/check_server.py --program build/dev/apmtool [--requests N]

Answers are those of `apmtool filter` and `apmtool atos`; clients that are slow, cut
off, wrong or too many take nothing from others; 10,000 requests have their own answers
while filters are killed. Exits with 77 (skipped) where the server is not built."""

import argparse
import base64
import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import check_filter
from checking import check, check_equal, failures
from serving import SAMPLES, Server

SKIPPED = 77
OPTIONS = ["-d", str(SAMPLES)]
DEMO = ("Demo", "4C4C44BD55553144A18B1D7A14ACC5380")
KIT = ("DemoKit", "4C4C44E655553144A113099D04B157FF0")
NOBODY = ("Nobody", "4C4C44BD55553144A18B1D7A14ACC5390")
FILES = {"Demo": "Demo.dSYM", "DemoKit": "DemoKit.framework.dSYM"}
PROFILER = "https://profiler.firefox.com"
BASE = 0x100000000


def run(*args, **kwargs):
    return subprocess.run([str(each) for each in args], capture_output=True, check=False,
                          env={**os.environ, "APMTOOL_AUTO": "0", "APMTOOL_CACHE": "none"},
                          **kwargs)


def filtered(program, frame, shape):
    """The answer of `apmtool filter`."""
    out = run(program, "filter", "--frame", "u32", "--shape", shape, *OPTIONS,
              input=check_filter.FRAMINGS["u32"](frame)).stdout
    return json.loads(next(check_filter.split("u32", out)))


# What it answers

def check_pages(server):
    for path, kind, part in (("/", "text/html", b"<form"),
                             ("/style.css", "text/css", b"prefers-color-scheme"),
                             ("/script.js", "text/javascript", b"requestSubmit")):
        status, headers, body = server.ask("GET", path)
        check_equal((status, headers["Content-Type"].partition(";")[0]), (200, kind), path)
        check(part in body, f"{path}: {body[:100]}")
        check("default-src 'none'" in headers["Content-Security-Policy"], f"{path}: policy")
        status, headers, body = server.ask("HEAD", path)
        check_equal((status, body), (200, b""), f"HEAD {path}")
    health = server.health()
    check_equal((health["status"], health["waiting"], health["lost"]), ("ok", 0, 0), "health")


def check_reports(server, program):
    statuses = {"ok": 200, "missing": 200, "partial": 200, "rejected": 422}
    for status, reason, documents, report in check_filter.kinds():
        if isinstance(report, dict):
            report = json.dumps(report).encode()
        what = f"{status} {reason} {report[:20]}"
        found, answer = server.post("/report", report)
        if reason == "E-empty":
            check_equal(found, 400, what)
            continue
        check_equal((found, answer["status"], len(answer["documents"])),
                    (statuses[status], status, documents), what)
        check_equal(answer, filtered(program, report, "event"), what)
        check_equal(server.post("/hash", report)[1], filtered(program, report, "hash"), what)
    crash = (SAMPLES / "demo.crash").read_bytes()
    for shape in "event", "full", "ips", "text", "hash":
        check_equal(server.post(f"/report?shape={shape}", crash),
                    (200, filtered(program, crash, shape)), shape)
    # Frames that cannot be signed have no hashes.
    for name in "demo-truncated.ips", "panic.ips":
        check_equal(server.post("/hash", (SAMPLES / name).read_bytes())[1]["documents"], [{}], name)
    # An envelope is no report: what it says about itself is not obeyed.
    check_equal(server.post("/report", b'{"apm":1,"id":7,"report":"x"}')[1]["id"], None, "id")
    for shape in "slim", "any", "", "<b>":
        status, answer = server.post(f"/report?shape={shape}", crash)
        check_equal(status, 400, f"shape {shape!r}: {answer}")


def check_examples(server):
    """The manual's and the README's commands, with their answers."""
    readme = (SAMPLES.parent / "README.md").read_text()
    shown = re.search(r"    \$ apmtool-server --dsym samples &\n(.*?)    \$ profiler-cli", readme, re.S)
    shown = "".join(line[4:] + "\n" for line in shown[1].splitlines())
    commands = re.findall(r"^\$ (.*?jq .*?)$", shown, re.M | re.S)
    answers = re.sub(r"^\$ .*?jq .*?$\n", "", shown, flags=re.M | re.S)
    page = (SAMPLES.parent / "man/apmtool-server.1").read_text()
    written = re.findall(r"^curl .*?'$", page, re.M | re.S)
    check_equal((len(commands), len(written)), (2, 3), "examples")

    def typed(command, sample):
        command = command.replace("127.0.0.1:3021", f"127.0.0.1:{server.port}").replace("\\e", "\\")
        done = run("sh", "-c", command.replace("@App.ips", f"@samples/{sample}"),
                   cwd=SAMPLES.parent)
        check_equal((done.returncode, done.stderr), (0, b""), command)
        return done.stdout.decode()

    check_equal("".join(typed(command, "") for command in commands), answers, "the README")
    for sample, lines, innermost in (("demo.ips", 3, "__pthread_kill"),
                                     ("demo-truncated.ips", 3, "__pthread_kill"),
                                     ("panic.ips", 2, None)):
        verdict, frames, hashed = (typed(command, sample) for command in written)
        check_equal(verdict.count("\n"), lines, f"{sample}: the verdict")
        check("null" not in verdict + frames, f"{sample}: {verdict} {frames}")
        check_equal(frames.split("\n")[0] if innermost else None, innermost, f"{sample}: frames")
        check_equal(bool(hashed), sample == "demo.ips", f"{sample}: hashes")


def check_queries(server):
    """A parameter that would be ignored is refused, and named."""
    crash = (SAMPLES / "demo.crash").read_bytes()
    for path, name in (("/hash?shape=html", "shape"), ("/hash?shape=hash", "shape"),
                       ("/hash?foo=bar", "foo"), ("/report?sahpe=event", "sahpe"),
                       ("/report?shape=event&x", "x"), ("/symbolicate/v5?shape=full", "shape"),
                       ("/report?shape=event&shape=full", "second parameter 'shape"),
                       ("/report?%3Cb%3E=1", "<b>")):
        status, answer = server.post(path, crash)
        check(status == 400 and f"{name}'" in answer["error"], f"{path}: {status} {answer}")
    for path in "/?a=b", "/style.css?v=1", "/script.js?v", "/healthcheck?foo=bar":
        check_equal(server.ask("GET", path)[0], 400, path)
    for path in "/?", "/healthcheck?":
        check_equal(server.ask("GET", path)[0], 200, path)


def check_symbols_gone(program):
    """Without its symbols, a server still answers, but it is not well."""
    with tempfile.TemporaryDirectory() as name:
        paths = {option: pathlib.Path(name) / option.strip("-")
                 for option in ("--store", "--dsym", "--symbols")}
        for path in paths.values():
            path.mkdir()
        options = [str(word) for pair in paths.items() for word in pair]
        with Server(program, *options, "-j", "1") as server:
            check("gone" not in server.health(), f"all is there: {server.health()}")
            for path in paths.values():
                path.rmdir()
                status, _, data = server.ask("GET", "/healthcheck")
                health = json.loads(data)
                check_equal((status, health["status"], health["gone"]),
                            (503, "no symbols", str(path)), f"{path} is gone")
                path.mkdir()
            check_equal(server.ask("GET", "/healthcheck")[0], 200, "it is there again")


def multipart(*fields, boundary="x" * 30):
    body = b"".join(b"--%s\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n%s\r\n"
                    % (boundary.encode(), field) for field in fields)
    return (body + b"--%s--\r\n" % boundary.encode(),
            {"Content-Type": f'multipart/form-data; boundary="{boundary}"'})


def check_forms(server, program):
    crash = (SAMPLES / "demo.crash").read_bytes()
    expected = filtered(program, crash, "event")
    for fields in (crash,), (b"", crash), (b" \r\n", crash, b"other"):
        body, headers = multipart(*fields)
        status, _, data = server.ask("POST", "/report", body, headers)
        check_equal((status, json.loads(data)), (200, expected), f"{len(fields)} fields")
    for fields in (), (b"",), (b"\r\n", b" "):
        body, headers = multipart(*fields)
        check_equal(server.ask("POST", "/report", body, headers)[0], 400, f"no report {fields}")
    body, headers = multipart(crash)
    for wrong in "multipart/form-data", "multipart/form-data; boundary=", \
                 "multipart/form-data; boundary=other", "multipart/form-data; boundary=" + 99 * "x":
        check_equal(server.ask("POST", "/report", body, {"Content-Type": wrong})[0], 400, wrong)


def check_explanations(server):
    crash = (SAMPLES / "demo.crash").read_bytes()
    status, headers, page = server.ask("POST", "/report?shape=html", crash)
    check_equal((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"), "html")
    check(b"<title>Demo used a null pointer</title>" in page, f"html: {page[:900]}")
    check("sandbox" in headers["Content-Security-Policy"], "a report is cut off from the page")
    status, _, page = server.ask("POST", "/report?shape=html",
                                 check_filter.zipped("demo.crash", "demo.ips"))
    check_equal((status, page.count(b"<iframe ")), (200, 2), "an archive")
    status, headers, page = server.ask("POST", "/report?shape=html", b"<script>alert(1)</script>")
    check_equal(status, 422, "no report")
    check(b"<script" not in page and b"not a crash report" in page, f"no report: {page}")


def ask_names(server, *jobs):
    status, answer = server.post("/symbolicate/v5", json.dumps({"jobs": list(jobs)}))
    check_equal(status, 200, f"names: {answer}")
    return answer["results"]


def atos_names(program, module, offsets):
    """Per offset, calls inside out, each `name (in image) (file:line)`."""
    done = run(program, "atos", "-o", SAMPLES / FILES[module], "-arch", "arm64", "-l", hex(BASE),
               "-i", "--fullPath", *[hex(BASE + offset) for offset in offsets])
    stacks, stack = [], []
    for line in done.stdout.decode().splitlines() + [""]:
        if line:
            stack.append(line)
        elif stack:
            stacks.append(stack)
            stack = []
    return stacks


def as_atos(frame, module):
    """A frame of a response in the words of atos."""
    calls = frame.get("inlines", []) + [frame]
    return [f"{call['function']} (in {module}) ({call['file']}:{call['line']})"
            for call in calls]


def check_names(server, program):
    offsets = range(0x280, 0xd60, 4)
    job = {"memoryMap": [KIT, NOBODY, DEMO],
           "stacks": [[[2, offset] for offset in offsets],
                      [[0, offset] for offset in offsets], [[1, 16]], []]}
    result = ask_names(server, job)[0]
    check_equal(result["found_modules"],
                {"/".join(KIT): True, "/".join(NOBODY): False, "/".join(DEMO): True}, "modules")
    named = {"Demo": 0, "DemoKit": 0}
    inlined = 0
    for module, stack in (("Demo", result["stacks"][0]), ("DemoKit", result["stacks"][1])):
        expected = atos_names(program, module, offsets)
        check_equal(len(stack), len(offsets), f"{module}: frames")
        check_equal(len(expected), len(offsets), f"{module}: answers of atos")
        for number, (offset, frame, lines) in enumerate(zip(offsets, stack, expected)):
            check_equal((frame["frame"], frame["module"], frame["module_offset"]),
                        (number, module, hex(offset)), f"{module}+{offset:#x}")
            if "function" not in frame:
                check(lines[0].startswith("0x"), f"{module}+{offset:#x}: {lines}")
                continue
            named[module] += 1
            inlined += "inlines" in frame
            if "line" in frame and all("line" in c for c in frame.get("inlines", [])):
                # Where no line is known, atos says so, and names go by the one before.
                check_equal([re.sub(r":\d+\)$", ":0)", found) if line.endswith(":0)") else found
                             for found, line in zip(as_atos(frame, module), lines)],
                            lines, f"{module}+{offset:#x}")
            start = offset - int(frame["function_offset"], 16)
            check(0 <= start <= offset, f"{module}+{offset:#x}: function_offset")
    check(named["Demo"] > 100 and named["DemoKit"] > 30 and inlined > 3,
          f"frames with names: {named}, with inlined calls: {inlined}")
    check_equal(result["stacks"][2:], [[{"frame": 0, "module": "Nobody", "module_offset": "0x10"}],
                                       []], "what has no name")


def check_jobs(server):
    """Of several jobs each has its own; none is asked of nobody."""
    one = {"memoryMap": [DEMO], "stacks": [[[0, 3260]]]}
    other = {"memoryMap": [NOBODY, DEMO], "stacks": [[[1, 3260], [0, 3260], [-1, 5], [1, 1 << 40],
                                                      [1, -5]]]}
    found = ask_names(server, one, other, one, {"memoryMap": [DEMO], "stacks": []})
    names = [[frame.get("function") for frame in stack]
             for result in found for stack in result["stacks"]]
    feed = "-[DemoApp openFeed:]"
    check_equal(names, [[feed], [feed, None, None, None, None], [feed]], "jobs")
    check_equal(found[3], {"stacks": [], "found_modules": {"/".join(DEMO): True}}, "no stacks")
    check_equal(server.post("/symbolicate/v5", json.dumps(one))[1]["results"], [found[0]],
                "a job without a list")
    check_equal(ask_names(server), [], "no jobs")
    check_equal(ask_names(server, {"memoryMap": [], "stacks": [[[-1, 3]]]}),
                [{"stacks": [[{"frame": 0, "module": "<unknown>", "module_offset": "0x3"}]],
                  "found_modules": {}}], "no modules")
    # A name is text, whatever is in it; an id of another system is unknown.
    name = '"</script>\\\n\u202e\U0001f600'
    found = ask_names(server, {"memoryMap": [[name, DEMO[1]], ["libc", "AB12"], ["", ""]],
                               "stacks": [[[0, 3260], [1, 3260], [2, 1]]]})[0]
    check_equal(found["found_modules"], {f"{name}/{DEMO[1]}": True, "libc/AB12": False, "/": False},
                "names")
    check_equal([frame["module"] for frame in found["stacks"][0]], [name, "libc", ""], "names")
    # As many as there may be, with as long a name of a module.
    long = ["x" * 255, DEMO[1]]
    many = ask_names(server, {"memoryMap": [long],
                              "stacks": [[[0, 3260]] * 50000]})[0]["stacks"][0]
    check_equal((len(many), {(frame["function"], frame["module"]) for frame in many}),
                (50000, {(feed, long[0])}), "many frames")


def check_wrong_jobs(server):
    frames = json.dumps([[0, 1]] * 1000)
    stack = "[" + ",".join([frames[1:-1]] * 51) + "]"
    for body, status, part in (
            ("", 400, "expected"), ("[]", 400, "expected an object, found an array"),
            ("{}", 400, "jobs[0]: no memoryMap"), ('{"jobs":[{}', 400, "ends early"),
            ('{"jobs":{}}', 400, "jobs: expected an array of jobs"),
            ('{"jobs":[{"memoryMap":[]}]}', 400, "jobs[0]: no stacks"),
            ('{"memoryMap":[],"memoryMap":[],"stacks":[]}', 400, "given twice"),
            ('{"memoryMap":[["a"]],"stacks":[]}', 400, "expected a name and an id"),
            ('{"memoryMap":[["a","b","c"]],"stacks":[]}', 400, "expected a name and an id"),
            ('{"memoryMap":[["a",{}]],"stacks":[]}', 400, "expected a name and an id"),
            ('{"memoryMap":[],"stacks":[[[0,1]]]}', 400, "not in memoryMap"),
            ('{"memoryMap":[["a","b"]],"stacks":[[[0,1.5]]]}', 400, "a whole number"),
            ('{"memoryMap":[["a","b"]],"stacks":[[["0",1]]]}', 400, "a whole number"),
            ('{"memoryMap":[["a","b"]],"stacks":[[[0,99999999999999999999]]]}', 400, "whole"),
            ('{"memoryMap":[["a","b"]],"stacks":[[0]]}', 400, "stacks[0][0]: expected"),
            ('{"memoryMap":[["a","b"]],"stacks":[[[0,1,2]]]}', 400, "a module and an offset"),
            ("[" * 100000, 400, "found an array"), ('{"a":' * 100000, 413, "deeper"),
            ('{"memoryMap":[["a","b"]],"stacks":[%s]}' % stack, 413, "more than 50000 frames"),
            ('{"memoryMap":[],"stacks":[%s]}' % ",".join(["[]"] * 50001), 413, "stacks"),
            ('{"memoryMap":[["%s","b"]],"stacks":[]}' % ("x" * 256), 413, "more than 255 bytes"),
            ('{"memoryMap":[["a","%s"]],"stacks":[]}' % ("0" * 256), 413, "more than 255 bytes"),
            ('{"memoryMap":[],"stacks":[]%s}' % (" " * (16 << 20)), 413, "larger than 16 MB"),
            ('{"memoryMap":[%s],"stacks":[]}' % ",".join(['["a","b"]'] * 16385), 413, "modules"),
            ('{"jobs":[%s]}' % ",".join(['{"memoryMap":[],"stacks":[]}'] * 16385), 413, "jobs")):
        found, answer = server.post("/symbolicate/v5", body)
        check_equal(found, status, f"{body[:60]}: {answer}")
        check(part in answer["error"], f"{body[:60]}: {answer['error'][:200]}")


# Whom it answers

def check_gate(server):
    body = json.dumps({"jobs": []})
    own = f"http://127.0.0.1:{server.port}"
    for method, path, headers, status in (
            ("GET", "/report", {}, 405), ("PUT", "/report", {}, 405), ("DELETE", "/", {}, 405),
            ("POST", "/", {}, 405), ("POST", "/healthcheck", {}, 405), ("OPTIONS", "/hash", {}, 405),
            ("PATCH", "/symbolicate/v5", {}, 405), ("BREW", "/", {}, 405),
            ("GET", "/favicon.ico", {}, 404), ("POST", "/symbolicate/v4", {}, 404),
            ("GET", "/../../etc/passwd", {}, 404), ("GET", "/%2e%2e/%2e%2e/etc/passwd", {}, 404),
            ("GET", "//etc/passwd", {}, 404), ("GET", "/style.css/", {}, 404),
            ("GET", "http://127.0.0.1/", {}, 404), ("GET", "/%00", {}, 200),
            ("GET", "/", {"Host": "evil.example"}, 421),
            ("POST", "/report", {"Host": "evil.example:80"}, 421),
            ("GET", "/", {"Host": "[::1]:80"}, 200), ("GET", "/", {"Host": "LOCALHOST:1"}, 200),
            ("GET", "/", {"Host": "symbols.example:443"}, 200),
            ("POST", "/symbolicate/v5", {"Origin": "https://evil.example"}, 403),
            ("POST", "/symbolicate/v5", {"Origin": "null"}, 403),
            ("POST", "/symbolicate/v5", {"Origin": PROFILER}, 200),
            ("POST", "/symbolicate/v5", {"Origin": "http://localhost:4242"}, 200),
            ("POST", "/symbolicate/v5", {"Origin": own}, 200),
            ("POST", "/report", {"Origin": PROFILER}, 403),
            ("POST", "/report", {"Origin": own}, 400),
            ("POST", "/report", {"Origin": "https://symbols.example", "Host": "symbols.example"}, 400),
            ("POST", "/symbolicate/v5", {"Content-Encoding": "gzip"}, 415),
            ("POST", "/symbolicate/v5", {"Content-Encoding": "identity"}, 200)):
        content = None
        if method == "POST":
            content = "" if path == "/report" else body
        found, answer, _ = server.ask(method, path, content, headers)
        what = f"{method} {path} {headers}"
        check_equal(found, status, what)
        if status == 405:
            check(answer["Allow"], f"{what}: Allow")
        allowed = answer["Access-Control-Allow-Origin"]
        shared = path == "/symbolicate/v5" and status == 200 and headers.get("Origin") != own
        check_equal(allowed, headers.get("Origin") if shared else None, f"{what}: origin")
    for path, part in (("/report", "allows '/symbolicate/v5' alone"),
                       ("/symbolicate/v5", "see --origin")):
        answer = server.post(path, body, Origin="http://localhost:4243")[1]
        check(part in answer["error"], f"another origin, {path}: {answer}")
    status, headers, _ = server.ask("OPTIONS", "/symbolicate/v5", None, {
        "Origin": PROFILER, "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Private-Network": "true"})
    check_equal((status, headers["Access-Control-Allow-Origin"],
                 headers["Access-Control-Allow-Private-Network"]), (204, PROFILER, "true"),
                "before the profiler asks")


# What harms it

def raw(server, data, timeout=20):
    """All that comes back for some bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=timeout) as sent:
        with contextlib.suppress(OSError):
            sent.sendall(data)
            sent.shutdown(socket.SHUT_WR)
        found = b""
        with contextlib.suppress(OSError):
            while part := sent.recv(65536):
                found += part
    return found


def status_of(found):
    match = re.match(rb"HTTP/1\.[01] (\d+) ", found)
    return int(match[1]) if match else 0


def check_wrong_bytes(server):
    rng = random.Random(7)
    host = b"Host: localhost\r\n"
    post = b"POST /report HTTP/1.1\r\n" + host
    for data, statuses in (
            (b"", {0}), (b"\r\n\r\n", {0, 400}), (b"GET", {0, 400}), (b"\x16\x03\x01" * 50, {0, 400}),
            (b"GET / HTTP/1.1\r\n" + host + b"X: " + b"a" * 100000 + b"\r\n\r\n", {0, 413, 431}),
            (b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n" + host + b"\r\n", {0, 400, 414}),
            (b"GET / HTTP/1.1\r\n" + host + b"A: b\r\n" * 20000 + b"\r\n", {0, 413, 431}),
            (post + b"Content-Length: 100\r\n\r\ncut", {0}),
            (post + b"Content-Length: -1\r\n\r\n", {0, 400}),
            (post + b"Content-Length: 99999999999999999999\r\n\r\n", {0, 400, 413}),
            (post + b"Content-Length: 67108865\r\n\r\n", {413}),
            (post + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", {0, 400}),
            (post + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", {0, 400, 413}),
            (post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", {0, 400}),
            (post + b"Transfer-Encoding: chunked\r\n\r\n3\r\nab", {0}),
            (post + b"Transfer-Encoding: gzip\r\n\r\nabc", {400}),
            (post + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", {400}),
            (post + b"Content-Length: 4\r\nContent-Length: 40\r\n\r\nJUNK", {400}),
            (post + b"Content-Length: 40\r\ncontent-length: 4\r\n\r\nJUNK", {400}),
            (post + 2 * b"Transfer-Encoding: chunked\r\n" + b"\r\n0\r\n\r\n", {400}),
            (b"GET / HTTP/1.1\r\n" + host + b"Host: evil.example\r\n\r\n", {400}),
            (post + 2 * b"Origin: http://localhost\r\n" + b"Content-Length: 4\r\n\r\nJUNK", {400}),
            (b"GET / HTTP/9.9\r\n" + host + b"\r\n", {0, 400, 505}),
            (b"GET / HTTP/1.1\r\n\r\n", {400}), (b"GET / HTTP/1.0\r\n\r\n", {200}),
            (post + b"Content-Length: 4\r\n\r\nJUNKjunk / HTTP/1.1\r\n" + host + b"\r\n",
             {0, 422})):
        found = status_of(raw(server, data))
        check(found in statuses, f"{data[:60]}: expected {statuses}, found {found}")
    # One request after the other, without waiting for answers.
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as sent:
        sent.sendall(3 * (post + b"Content-Length: 4\r\n\r\nJUNK") +
                     b"GET / HTTP/1.1\r\n" + host + b"Connection: close\r\n\r\n")
        found = b""
        while part := sent.recv(65536):
            found += part
    check_equal(re.findall(rb"HTTP/1\.1 (\d+) ", found), [b"422"] * 3 + [b"200"], "pipelining")
    for _ in range(200):
        raw(server, rng.randbytes(rng.randrange(1, 3000)))
    check_equal(server.health()["status"], "ok", "after wrong bytes")


def resident(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) << 10


def check_large(program):
    """Bodies beyond the limit, whether their size is told or not."""
    with Server(program, *OPTIONS, "--limit", "report=1MB") as server:
        large = b"x" * ((1 << 20) + 1)
        check_equal(server.ask("POST", "/report", large[:-1])[0], 422, "1 MB")
        for headers in {}, {"Transfer-Encoding": "chunked"}:
            connection = server.connect()
            try:
                connection.request("POST", "/report", iter([large]) if headers else large, headers,
                                   encode_chunked=bool(headers))
                answer = connection.getresponse()
                status, text = answer.status, answer.read().decode()
            except (BrokenPipeError, ConnectionResetError):
                status, text = 413 if not headers else 0, "--limit report=SIZE"
            check_equal(status, 413, f"beyond 1 MB {headers}")
            check("--limit report=SIZE" in text, f"the way out: {text}")
            connection.close()
        before = resident(server.process.pid)
        connection = server.connect()
        connection.request("POST", "/hash", (b"x" * 65536 for _ in range(800)),
                           {"Transfer-Encoding": "chunked"}, encode_chunked=True)
        check_equal(connection.getresponse().status, 413, "50 MB in chunks")
        connection.close()
        check(resident(server.process.pid) - before < 20 << 20, "what is refused is not kept")
        # Several at once are bounded together.
        part = b"POST /report HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048576\r\n\r\n"
        slow = []
        for _ in range(6):
            each = socket.create_connection(("127.0.0.1", server.port))
            each.sendall(part + large[:1000000])
            slow.append(each)
        time.sleep(0.5)
        statuses = []
        for each in slow:
            each.sendall(large[:48576])
            statuses.append(status_of(each.recv(65536)))
            each.close()
        check(statuses.count(503) in (1, 2, 3) and set(statuses) == {422, 503},
              f"six bodies of four: {statuses}")
    # So are those that a filter has, which are larger.
    with Server(program, *OPTIONS, "--limit", "report=1MB", "-j", "1", "--queue", "40") as server:
        stopped = server.filters()[0]
        os.kill(stopped, signal.SIGSTOP)
        with concurrent.futures.ThreadPoolExecutor(10) as pool:
            asked = [pool.submit(server.ask, "POST", "/report", large[:-1]) for _ in range(10)]
            server.wait_until(lambda: sum(each.done() for each in asked) >= 6)
            os.kill(stopped, signal.SIGCONT)
            statuses = [each.result()[0] for each in asked]
        check(statuses.count(503) >= 6 and set(statuses) == {422, 503},
              f"ten bodies at once: {statuses}")


def check_untaken(program):
    """Responses that clients do not take are kept up to a bound; new ones are sent."""
    job = json.dumps({"memoryMap": [DEMO], "stacks": [[[0, 3260]] * 40000]}).encode()
    head = b"POST /symbolicate/v5 HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(job)
    with Server(program, *OPTIONS, "--limit", "report=2MB") as server:
        asked, found = [], []
        for _ in range(8):
            each = socket.socket()
            # Else the system takes all of it for the client.
            each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            each.settimeout(60)
            each.connect(("127.0.0.1", server.port))
            each.sendall(head + job)
            # It has come as far as the client looks.
            found.append(each.recv(1))
            asked.append(each)
        for number, each in enumerate(asked):
            with contextlib.suppress(OSError):
                while part := each.recv(1 << 20):
                    found[number] += part
            each.close()
        whole = [data.endswith(b"}]}") for data in found]
        check(whole[-1] and not whole[0], f"eight responses of 6 MB, of which 8 MB are kept: {whole}")
        check_equal(server.health()["waiting"], 0, "after responses that nobody took")


def check_slow(program, server):
    """Hundreds of clients that send a byte now and then do not keep others out."""
    began = time.monotonic()
    head = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
    body = b"POST /report HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
    # More than there are places for.
    slow = []
    for number in range(600):
        each = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        each.sendall(body if number % 8 == 0 else head)
        each.setblocking(False)
        slow.append(each)
    is_over = threading.Event()

    def drip():
        while not is_over.wait(0.3):
            for each in slow:
                with contextlib.suppress(OSError):
                    each.send(b"a")

    dripping = threading.Thread(target=drip, daemon=True)
    dripping.start()
    crash = (SAMPLES / "demo.crash").read_bytes()
    asked = time.monotonic()
    status, answer = server.post("/hash", crash)
    took = time.monotonic() - asked
    check_equal((status, answer["status"]), (200, "missing"), "beside slow clients")
    check(took < 10, f"beside slow clients: {took:.1f} s")
    opened = asked - began
    left = len(slow)
    while left > 256 and time.monotonic() - began < 60:
        left = sum(is_open(each) for each in slow)
        time.sleep(0.5)
    check(left <= 256, f"slow clients after {time.monotonic() - began:.0f} s: {left}")
    is_over.set()
    dripping.join()
    for each in slow:
        each.close()
    print(f"600 slow clients in {opened:.1f} s: answered after {took:.1f} s, {left} left after "
          f"{time.monotonic() - asked:.0f} s")


def is_open(sent):
    try:
        return bool(sent.recv(65536))
    except BlockingIOError:
        return True
    except OSError:
        return False


def check_busy(program):
    """A full queue refuses, and says when to come again."""
    crash = (SAMPLES / "demo.crash").read_bytes()
    with Server(program, *OPTIONS, "-j", "1", "--queue", "2") as server:
        stopped = server.filters()[0]
        os.kill(stopped, signal.SIGSTOP)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(server.post, "/hash", crash) for _ in range(2)]
            server.wait_until(lambda: server.health()["waiting"] == 2)
            status, headers, body = server.ask("POST", "/report", crash)
            check_equal((status, headers["Retry-After"]), (503, "1"), f"a full queue: {body}")
            check_equal(server.ask("GET", "/")[0], 200, "the page beside a full queue")
            os.kill(stopped, signal.SIGCONT)
            for each in asked:
                check_equal(each.result()[0], 200, "after waiting")
        check_equal(server.health()["waiting"], 0, "nothing waits any more")
        # A client that went away takes its answer with it, and nothing else.
        os.kill(stopped, signal.SIGSTOP)
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", server.port)) as gone:
                gone.sendall(b"POST /hash HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                             % len(crash) + crash)
                time.sleep(0.2)
        os.kill(stopped, signal.SIGCONT)
        server.wait_until(lambda: server.health()["waiting"] == 0)
        check_equal(server.post("/hash", crash)[0], 200, "after clients went away")


def check_load(program, requests):
    """Each has its own answer, also where filters die and the queue is full."""
    reports = []
    for number in range(50):
        report = (SAMPLES / "kscrash-mach.json").read_bytes().replace(
            b"Demo", b"Demo%02d" % number)
        reports.append((report, filtered(program, report, "hash")))
    job = {"memoryMap": [DEMO], "stacks": [[[0, 3260]]]}
    counts = {"answers": 0, "busy": 0}
    lock = threading.Lock()

    def client(server, number):
        connection = server.connect()
        rng = random.Random(number)
        for turn in range(requests // 16):
            report, expected = rng.choice(reports)
            names = turn % 4 == 0
            path = "/symbolicate/v5" if names else "/hash"
            while True:
                status, _, data = server.ask("POST", path, json.dumps(job) if names else report,
                                             connection=connection)
                if status != 503:
                    break
                with lock:
                    counts["busy"] += 1
                time.sleep(rng.random() / 50)
            found = json.loads(data)
            if names:
                right = found["results"][0]["stacks"][0][0].get("function") == \
                    "-[DemoApp openFeed:]"
            else:
                right = found == expected
            check(status == 200 and right, f"request {turn} of {number}: {status} {data[:200]}")
            with lock:
                counts["answers"] += 1
        connection.close()

    with Server(program, *OPTIONS) as server:
        is_over = threading.Event()
        kills = []

        def kill():
            while not is_over.wait(1):
                with contextlib.suppress(OSError, IndexError):
                    if len(kills) < 5:
                        os.kill(server.filters()[0], signal.SIGKILL)
                        kills.append(1)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            for each in [pool.submit(client, server, number) for number in range(16)]:
                each.result()
        took = time.monotonic() - began
        is_over.set()
        killer.join()
        health = server.health()
        memory = resident(server.process.pid)
    check_equal(counts["answers"], requests // 16 * 16, "answers")
    check(health["lost"] >= min(len(kills), 1), f"{health}, killed {len(kills)}")
    check_equal((health["waiting"], server.process.returncode), (0, 0), "after the load")
    print(f"{counts['answers']} requests in {took:.1f} s, {counts['busy']} times 503, "
          f"{len(kills)} filters killed, {memory >> 20} MB")


# Its life

def check_end(program):
    crash = (SAMPLES / "demo.crash").read_bytes()
    with Server(program, *OPTIONS, "-j", "1") as server:
        before = server.filters()
        server.process.send_signal(signal.SIGHUP)
        server.wait_until(lambda: server.filters() and server.filters() != before)
        check(server.filters() != before, "SIGHUP: other filters")
        check_equal(server.post("/hash", crash)[0], 200, "after SIGHUP")
        server.wait_until(lambda: server.post("/hash", crash)[0] == 200)
        stopped = server.filters()[0]
        os.kill(stopped, signal.SIGSTOP)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            asked = pool.submit(server.post, "/hash", crash)
            server.wait_until(lambda: server.health()["waiting"] == 1)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            check(not is_listening(server), "SIGTERM: nobody is accepted any more")
            os.kill(stopped, signal.SIGCONT)
            check_equal(asked.result()[0], 200, "SIGTERM: what was accepted is answered")
        server.process.wait(20)
    check_equal((server.process.returncode, len(server.lines)), (0, 1), f"{server.lines}")
    # One that is stuck is not waited for.
    with Server(program, *OPTIONS, "-j", "1") as server:
        os.kill(server.filters()[0], signal.SIGSTOP)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            asked = pool.submit(server.post, "/hash", crash)
            server.wait_until(lambda: server.health()["waiting"] == 1)
            server.process.send_signal(signal.SIGTERM)
            check_equal(asked.result()[0], 503, "SIGTERM: what is stuck is refused")
        server.process.wait(20)
    check_equal(server.process.returncode, 0, "SIGTERM beside a stuck filter")


def is_listening(server):
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=5).close()
        return True
    except OSError:
        return False


def check_unix(program):
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "socket"
        with Server(program, *OPTIONS, listen=f"unix:{path}") as server:
            check_equal(path.stat().st_mode & 0o777, 0o660, "who may connect")
            with socket.socket(socket.AF_UNIX) as sent:
                sent.connect(str(path))
                sent.sendall(b"GET / HTTP/1.0\r\nHost: any.example\r\n\r\n")
                check_equal(status_of(sent.recv(100)), 200, "unix socket")
            done = run(*server.command)
            check(done.returncode == 5 and b"cannot listen" in done.stderr,
                  f"a socket in use: {done}")
            server.process.kill()
            server.process.wait()
        check(path.exists(), "a server that was killed leaves its socket")
        with Server(program, *OPTIONS, listen=f"unix:{path}") as server:
            pass
        check_equal((server.process.returncode, path.exists()), (0, False), "the socket goes")
        path.write_text("no socket")
        done = run(*server.command)
        check(done.returncode == 5 and path.read_text() == "no socket", f"a file: {done}")


def check_few_files(program):
    """Clients leave descriptors for filters; closed ones become none of ours."""
    crash = (SAMPLES / "demo.crash").read_bytes()
    server = Server(program, *OPTIONS, "-j", "4")
    server.command[:0] = ["sh", "-c", 'ulimit -n 50; exec "$@"', "sh"]
    with server:
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
        before = server.filters()
        # It accepts as many as it can, and then needs more.
        time.sleep(0.5)
        server.process.send_signal(signal.SIGHUP)
        server.wait_until(lambda: server.filters() and not set(server.filters()) & set(before))
        check_equal(server.post("/hash", crash)[0], 200, "new filters beside idle clients")
        for each in idle:
            each.close()
    check_equal((server.process.returncode, len(server.lines)), (0, 1), f"{server.lines}")
    done = run("sh", "-c", 'ulimit -n 16; exec "$@"', "sh", *Server(program, *OPTIONS).command)
    check(done.returncode == 5 and b"ulimit -n" in done.stderr, f"too few files: {done}")
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "socket"
        server = Server(program, *OPTIONS, listen=f"unix:{path}")
        with subprocess.Popen(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *server.command],
                              env={**os.environ, "APMTOOL_CACHE": "none"}) as process:
            server.wait_until(lambda: path.exists() or process.poll() is not None)
            found = b""
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as sent:
                sent.connect(str(path))
                sent.sendall(b"POST /hash HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(crash) +
                             crash)
                while part := sent.recv(65536):
                    found += part
            process.terminate()
        check_equal((status_of(found), process.returncode), (200, 0), "closed descriptors")


def check_options(program):
    server = Server(program).command[0]
    for words, status, part in (
            (["--help"], 0, "--listen"), (["--version"], 0, "libmicrohttpd"),
            (["extra"], 2, "unexpected operand"), (["-l", "nowhere"], 2, "expected an address"),
            (["-l", "127.0.0.1:99999"], 2, "expected"), (["-l", "[::1:80"], 2, "expected"),
            (["-l", "example.com:80"], 2, "expected"), (["-l", "unix:"], 2, "1 to"),
            (["-l", "unix:" + "x" * 200], 2, "1 to"), (["--queue", "0"], 2, "queue"),
            *((["-l", "127.0.0.1:0", "--origin", word], 2, "scheme://host")
              for word in ("foo", "", "null", "://a", "http://", "http://a/", "http://a:b",
                           "http://a:70000", "http://a b", "h_p://a", "http://[::1", "http://u@a")),
            *((["-l", "127.0.0.1:0", "--host", word], 2, "without a port")
              for word in ("", "a:80", "http://a", "[::1]:80", "a b", "[]", "::1")),
            (["-l", "127.0.0.1:0", "-d", "/nowhere/at/all"], 5, "refuses its options"),
            (["--redact-key", "/nowhere", "-l", "127.0.0.1:0"], 5, "refuses its options")):
        done = run(server, *words, timeout=60)
        text = (done.stdout + done.stderr).decode()
        check(done.returncode == status and part in text, f"{words}: {done.returncode} {text}")
    page = (SAMPLES.parent / "man/apmtool-server.1").read_text()
    told = set(re.findall(r"(?:^|, )--([a-z-]+)", run(server, "--help").stdout.decode(), re.M))
    told |= set(re.findall(r"^ +--([a-z-]+)", run(server, "--help").stdout.decode(), re.M))
    written = set(re.findall(r"Fl -([a-z-]+)", page.split(".Bl")[1].split(".Sh")[0]))
    check_equal(written - {"version"}, told, "options of the manual")
    with Server(program, *OPTIONS, listen="0.0.0.0:0") as found:
        check(any("every client that can connect" in line for line in found.lines), f"{found.lines}")
        check_equal(found.ask("GET", "/", None, {"Host": "any.example"})[0], 200, "any name")


def check_links(program):
    """The tool opens no network, and the server reads no reports."""
    server = Server(program).command[0]
    tool = run("ldd", program).stdout.decode()
    check("libc" in tool and "microhttpd" not in tool, f"apmtool links {tool}")
    linked = run("ldd", server).stdout.decode()
    check("microhttpd" in linked, f"the server links {linked}")
    for name in "dwarf", "yaml", "pcre", "expat", "stdc++":
        check(f"lib{name}" not in linked, f"the server links {name}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("--requests", type=int, default=10000)
    settings = parser.parse_args()
    program = settings.program
    if not Server(program).command[0].exists():
        print("skipped: apmtool-server is not built: libmicrohttpd is not there")
        return SKIPPED
    if not pathlib.Path(f"/proc/self/task/{os.getpid()}/children").exists():
        print("skipped: /proc does not list children")
        return SKIPPED
    check_links(program)
    check_options(program)
    with Server(program, *OPTIONS, "--host", "symbols.example",
                "--origin", "http://localhost:4242", "--origin", "app.x+y://[::1]:80",
                "--host", "[fe80::1]") as server:
        check_pages(server)
        check_reports(server, program)
        check_queries(server)
        if shutil.which("curl") and shutil.which("jq"):
            check_examples(server)
        check_forms(server, program)
        check_explanations(server)
        check_names(server, program)
        check_jobs(server)
        check_wrong_jobs(server)
        check_gate(server)
        check_wrong_bytes(server)
        check_slow(program, server)
        check_equal(server.health()["lost"], 0, "no filter was lost")
    check_equal((server.process.returncode, len(server.lines)), (0, 1), f"{server.lines}")
    check_symbols_gone(program)
    check_large(program)
    check_untaken(program)
    check_busy(program)
    check_end(program)
    check_unix(program)
    check_few_files(program)
    check_load(program, settings.requests)
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
