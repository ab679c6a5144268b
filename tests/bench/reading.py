"""Many reports read and written, without symbols: how many MB of them a second,
beside what only reads their JSON."""

import os
import shutil
import subprocess
import sys

from measure import peak_bytes, wall_seconds
from reports import jetsam_log, json_report, text_report

COUNT = 400
NODE = """
const fs = require('fs'), folder = process.argv[1];
for (const name of fs.readdirSync(folder)) {
  const text = fs.readFileSync(folder + '/' + name, 'utf8');
  const end = text.indexOf('\\n');
  JSON.parse(text.slice(0, end));
  JSON.parse(text.slice(end + 1));
}
"""
CRASHREPORT = """
import os, sys
from pycrashreport.crash_report import get_crash_report_from_file
for name in os.listdir(sys.argv[1]):
    with open(os.path.join(sys.argv[1], name)) as file:
        print(get_crash_report_from_file(file))
"""


def folder_of(options, name, extension, text):
    folder = os.path.join(options.work, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for i in range(COUNT):
        with open(os.path.join(folder, f"{i:04d}.{extension}"), "w") as file:
            file.write(text)
    return folder, len(text) * COUNT / 1e6


def works(command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False,
                          stderr=subprocess.DEVNULL).returncode == 0


def find_peers(folder):
    peers = {}
    if shutil.which("node"):
        peers["node JSON.parse"] = ["node", "-e", NODE, folder]
    if shutil.which("jq"):
        peers["jq ."] = ["sh", "-c", f"jq . {folder}/*"]
    if works([sys.executable, "-c", "import pycrashreport"]):
        peers["pycrashreport"] = [sys.executable, "-c", CRASHREPORT, folder]
    return peers


def row(name, megabytes, taken, memory, beside):
    print(f"{name:<26}{taken:>8.2f} s{megabytes / taken:>7.0f} MB/s"
          f"{memory:>8}  {beside}", flush=True)


def measure_folder(options, kind, made, works_on):
    """Each work with one job and with two; then the peers."""
    folder, megabytes = made
    print(f"{COUNT} {kind}, {megabytes:.0f} MB")
    first = None
    for name, command in works_on:
        one, two = (wall_seconds([options.apmtool, *command, "-q", "-j", jobs,
                                  folder], 3) for jobs in "12")
        first = first or one
        peak = peak_bytes([options.apmtool, *command, "-q", "-j", "1", folder])
        row(name, megabytes, one, f"{peak / 1e6:.0f} MB",
            f"two jobs: {one / two:.1f} x")
    for name, command in find_peers(folder).items():
        if kind != "reports in text":
            taken = wall_seconds(command, 2)
            row(name, megabytes, taken, "", f"{taken / first:.1f} x as long")


def measure_reading(options):
    print("\nmany reports, read and written")
    outputs = [(f"to {form}", ["symbolicate", "--format", form])
               for form in ("text", "ips", "json")]
    measure_folder(options, "reports in JSON", folder_of(
        options, "many-ips", "ips", json_report()), outputs)
    measure_folder(options, "reports in text", folder_of(
        options, "many-crash", "crash", text_report()), outputs)
    measure_folder(options, "jetsam logs", folder_of(
        options, "many-jetsam", "ips", jetsam_log()),
        [("table", ["jetsam"])])
