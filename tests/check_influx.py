#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --format influx prints, taken by a real InfluxDB, and asked for again.

    check_influx.py --program build/dev/apmtool

It needs influxd of InfluxDB 1, as Debian's package influxdb has it; without it
the check is skipped with a word."""

import argparse
import collections
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
import urllib.parse
import urllib.request

from checking import check, check_equal, failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
START_SECONDS = 60
SKIPPED = 77
CONFIG = """
reporting-disabled = true
bind-address = "127.0.0.1:{rpc}"
[meta]
dir = "{folder}/meta"
[data]
dir = "{folder}/data"
wal-dir = "{folder}/wal"
[http]
bind-address = "127.0.0.1:{http}"
log-enabled = false
[monitor]
store-enabled = false
"""


def free_ports(count):
    with_ports = [socket.socket() for _ in range(count)]
    for each in with_ports:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in with_ports]
    for each in with_ports:
        each.close()
    return ports


class Server:
    def __init__(self, folder):
        http, rpc = free_ports(2)
        self.url = f"http://127.0.0.1:{http}"
        (folder / "config").write_text(CONFIG.format(folder=folder, http=http, rpc=rpc))
        self.log = (folder / "log").open("wb+")
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            ["influxd", "-config", folder / "config"], stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log, env={**os.environ, "HOME": str(folder)})

    def __enter__(self):
        began = time.monotonic()
        while True:
            try:
                self.ask("create database apm", "POST")
                break
            except OSError:
                if self.process.poll() is not None or \
                        time.monotonic() - began > START_SECONDS:
                    self.__exit__()
                    self.log.seek(0)
                    raise SystemExit("influxd did not start:\n" +
                                     self.log.read().decode()[-2000:]) from None
                time.sleep(0.2)
        print(f"InfluxDB: ready after {time.monotonic() - began:.1f} s")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def ask(self, query, method="GET"):
        words = urllib.parse.urlencode({"db": "apm", "q": query})
        request = urllib.request.Request(f"{self.url}/query?{words}", method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())["results"][0].get("series", [])

    def write(self, text):
        request = urllib.request.Request(f"{self.url}/write?db=apm", data=text.encode())
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return f"{error.code}: {error.read().decode()}"


def output(program, *args):
    done = subprocess.run(
        [program, *(str(each) for each in args)], capture_output=True, timeout=60,
        env={**os.environ, "APMTOOL_CACHE": "none"}, check=False)
    check(done.returncode in (0, 1, 3), f"{args}: {done.stderr.decode()}")
    return done.stdout.decode()


def tables(folder):
    crashes = [SAMPLES / "demo.crash", SAMPLES / "demo.ips", SAMPLES / "metrickit-crash.json"]
    hostile = folder / "hostile.folded"
    hostile.write_text("".join(f"main;{name} {i + 1}\n" for i, name in enumerate(
        ["a, b=c", "end\\", "x\\,y", "=", ",,", "\u4e00 \u2028", '"', "tab\tq", "##[error]"])))
    return {
        "crash_groups": ["group", *crashes],
        "diff": ["diff", "--owners", SAMPLES / "CODEOWNERS", *crashes[:2]],
        "lag_groups": ["lag-aggregate", hostile, SAMPLES / "lag/reports.jsonl"],
        "jetsam_limits": ["jetsam", SAMPLES / "jetsam"],
        "jetsam_reasons": ["jetsam", "--table", "reasons", SAMPLES / "jetsam"],
        "explain_causes": ["explain", *crashes],
    }


def totals_of(server, name):
    """The sum of each field, and how many points there are."""
    found = collections.Counter()
    for series in server.ask(f"select sum(*) from apm_{name}"):
        for key, value in zip(series["columns"][1:], series["values"][0][1:]):
            found[key.removeprefix("sum_")] += value or 0
    points = sum(len(series["values"])
                 for series in server.ask(f"select * from apm_{name} group by *"))
    return found, points


def check_table(server, program, name, args):
    text = output(program, *args, "-q", "--format", "influx")
    arguments = [*args, "--summary"] if args[0] == "explain" else \
        [*args, "--table", "limits"] if name == "jetsam_limits" else args
    rows = json.loads(output(program, *arguments, "-q", "--format", "json"))["rows"]
    check_equal(server.write(text), 204, f"{name}: lines")
    found, points = totals_of(server, name)
    check_equal(points, text.count("\n"), f"{name}: points")
    check(found, f"{name}: no sums")
    for key, total in found.items():
        check_equal(total, sum(row[key] or 0 for row in rows), f"{name}: {key}")
    # A point without a time gets that of the server.
    if text.splitlines()[0].rsplit(" ", 1)[-1].isdigit():
        server.write(text)
        check_equal(totals_of(server, name), (found, points), f"{name}: twice")


def check_tags(server, program):
    """Owners and signatures come back as they are printed."""
    rows = json.loads(output(program, "group", "-q", "--format", "json", SAMPLES / "demo.crash",
                             SAMPLES / "demo.ips"))["rows"]
    found = {series["tags"]["signature"]
             for series in server.ask("select * from apm_crash_groups group by *")}
    check({row["signature"] for row in rows} <= found, f"signatures: {found}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    program = parser.parse_args().program.resolve()
    if not shutil.which("influxd"):
        print("skipped: there is no influxd")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with Server(folder) as server:
            for table, args in tables(folder).items():
                check_table(server, program, table, args)
            check_tags(server, program)
    print(f"{len(failures)} failed")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
