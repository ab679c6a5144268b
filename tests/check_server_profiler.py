#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names from apmtool-server in the Firefox Profiler: npm's command line of it.

    check_server_profiler.py --program build/dev/apmtool

It is installed and looked for as check_consumers.py says. A profile with addresses of two modules,
and of one that nobody knows, is loaded; the functions, the inlined calls among them, are
listed. Exits with 77 (skipped) where the profiler or the server is not there."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import check_consumers
from check_server import DEMO, KIT, NOBODY
from checking import check, failures
from serving import SAMPLES, Server

SKIPPED = 77
SCRIPT = check_consumers.PROFILER
# Innermost last; at the second place of Demo, two calls are inlined.
PLACES = ((DEMO, 0xd48), (DEMO, 0xcbc), (KIT, 0x340), (NOBODY, 0x100), (DEMO, 0xa0c))
NAMES = ("-[DemoApp openFeed:]", "demo::Feed::decode(demo::Entry const&)",
         "unsigned short demo::Reader::take<unsigned short>()",
         "unsigned short demo::Reader::load<unsigned short>(unsigned char const*)",
         "demokit::(anonymous namespace)::scaleAll(demokit::Picture<3u>*, unsigned long)")


def table(names, rows):
    return {"schema": {name: number for number, name in enumerate(names)}, "data": rows}


def profile():
    """As Firefox writes it, before anything is named: a stack of addresses, ten samples."""
    modules = [DEMO, KIT, NOBODY]
    libs = [{"start": 0x100000000 + (number << 24), "end": 0x100100000 + (number << 24),
             "offset": 0, "arch": "arm64", "name": name, "path": f"/{name}", "debugName": name,
             "debugPath": f"/{name}", "breakpadId": uuid, "codeId": None}
            for number, (name, uuid) in enumerate(modules)]
    strings = ["(root)"] + [hex(libs[modules.index(module)]["start"] + offset)
                            for module, offset in PLACES]
    frames = [[number, False, 0, None, None, None, None, 0, 0] for number in range(len(strings))]
    stacks = [[number - 1 if number else None, number] for number in range(len(strings))]
    samples = [[len(strings) - 1, number, 0] for number in range(10)]
    thread = {"name": "GeckoMain", "processType": "default", "processName": "Demo", "pid": 1,
              "tid": 1, "registerTime": 0, "unregisterTime": None,
              "markers": table(["name", "startTime", "endTime", "phase", "category", "data"], []),
              "samples": table(["stack", "time", "eventDelay"], samples),
              "frameTable": table(["location", "relevantForJS", "innerWindowID", "implementation",
                                   "optimizations", "line", "column", "category", "subcategory"],
                                  frames),
              "stackTable": table(["prefix", "frame"], stacks), "stringTable": strings}
    meta = {"version": 24, "startTime": 0, "shutdownTime": None, "interval": 1, "stackwalk": 1,
            "debug": 0, "gcpoison": 0, "asyncstack": 0, "processType": 0, "product": "Demo",
            "categories": [{"name": "Other", "color": "grey", "subcategories": ["Other"]}],
            "markerSchema": [], "sampleUnits": {"time": "ms", "eventDelay": "ms",
                                                "threadCPUDelta": "ns"}}
    return {"meta": meta, "libs": libs, "threads": [thread], "pages": [], "pausedRanges": [],
            "processes": [], "counters": []}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    node = shutil.which("node")
    if not Server(program).command[0].exists():
        print("skipped: apmtool-server is not built: libmicrohttpd is not there")
        return SKIPPED
    reason = check_consumers.missing()
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name, \
            Server(program, "-d", str(SAMPLES)) as server:
        folder = pathlib.Path(name)
        path = folder / "profile.json"
        path.write_text(json.dumps(profile()))
        env = {**os.environ, "HOME": str(folder), "PROFILER_CLI_SESSION_DIR": str(folder)}

        def ask(*words):
            return subprocess.run([node, SCRIPT, *words], stdin=subprocess.DEVNULL, env=env,
                                  capture_output=True, text=True, timeout=120, check=False)

        # Its `load` gives the daemon half a second to start; a machine may be slower.
        with subprocess.Popen([node, SCRIPT, "--daemon", str(path), "--session", "test",
                               "--symbol-server", server.address], env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as daemon:
            log = folder / "test.log"
            server.wait_until(lambda: log.exists() and "Profile loaded" in log.read_text()
                              or daemon.poll() is not None)
            words = log.read_text() if log.exists() else ""
            tree = ask("thread", "samples-top-down", "--session", "test")
            listed = ask("thread", "functions", "--json", "--session", "test")
            ask("stop", "test")
            daemon.terminate()
    check("Symbolication complete" in words, f"the profiler: {words}")
    for wanted in NAMES:
        check(wanted in listed.stdout, f"no function {wanted}: {listed.stdout[:3000]}")
    # Inlined calls stand below the function that they were inlined into.
    at = [tree.stdout.find(part) for part in ("decode(demo::Entry", "take<", "load<")]
    check(-1 < at[0] < at[1] < at[2], f"order of calls: {tree.stdout}")
    # What nobody knows keeps its address.
    check("0x102000100" in listed.stdout, f"the unknown module: {listed.stdout[:3000]}")
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
