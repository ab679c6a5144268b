# SPDX-License-Identifier: MIT
"""Many reports read and written, without symbols: how many MB of them a second,
beside what only reads their JSON."""

import os
import shutil

from jobs import measure_jobs, two_jobs
from measure import measure_each
from reports import jetsam_log, json_report, text_report

COUNT = 2000
RUNS = 5


def folder_of(options, name, extension, text):
    folder = os.path.join(options.work, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for i in range(COUNT):
        with open(os.path.join(folder, f"{i:04d}.{extension}"), "w") as file:
            file.write(text)
    return folder, len(text) * COUNT / 1e6


def measure_folder(options, kind, made, works_on, peers=()):
    """Each work with one job; where there is a speed for a core to reach, with
    two as well. The peers take turns with the first work."""
    folder, megabytes = made
    options.goals.title(f"{COUNT:,} {kind}, {megabytes:.0f} MB")
    for name, command, speed, goals in works_on:
        command = [options.apmtool, *command, "-q", folder]
        theirs = [peer_command for _, peer_command in peers]
        if not speed:
            one, *costs = measure_each([[*command, "-j", "1"], *theirs], RUNS)
        else:
            one, ones, two, costs = measure_jobs(command, RUNS, theirs)
            options.goals.at_least(name, one, megabytes / one.cpu, speed,
                                   "MB/s a core")
            two_jobs(options, name, ones, two)
        for (peer, _), cost in zip(peers, costs):
            options.goals.faster(name, one, peer, cost, goals.get(peer))
        peers = ()


def measure_reading(options):
    peers = {"pycrashreport": 2, "jq .": 2}
    outputs = [(f"to {form}", ["symbolicate", "--no-auto", "--format",
                               form], speed, peers)
               for form, speed in (("text", 200), ("ips", 200), ("json", 150))]
    made = folder_of(options, "many-ips", "ips", json_report())
    measure_folder(options, "reports in JSON", made, outputs,
                   options.peers.readers(made[0]) +
                   options.peers.printers(made[0]))
    measure_folder(options, "reports in text", folder_of(
        options, "many-crash", "crash", text_report()), outputs)
    made = folder_of(options, "many-jetsam", "ips", jetsam_log())
    measure_folder(options, "jetsam logs", made,
                   [("table", ["jetsam"], None, {"node JSON.parse": 1})],
                   options.peers.readers(made[0]))
