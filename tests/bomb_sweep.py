# SPDX-License-Identifier: MIT
"""Files read by all commands that may take such a one, and what each took; for
check_bombs.py."""

import gzip
import os
import pathlib
import subprocess
import zipfile
import zlib

import measured

WALL_SECONDS = 60
DSYM = pathlib.Path(__file__).resolve().parent.parent / "samples" / "Demo.dSYM"

MAIN = "text json html".split()
TABLES = "text json jsonl csv markdown github sarif junit html".split()
REPORTS = "text json jsonl ips html".split()
ANSWERS = "text json jsonl csv html".split()
TREES = ("folded text json jsonl csv speedscope pprof firefox chrome nodes svg "
         "html").split()
BOTH = "svg text json jsonl csv pprof html".split()
JOBS = [1, 2]
# A command, its formats, and the numbers of jobs that it is run with. BOMB is
# the file, which takes the place of a report where it stands alone.
MATRIX = [
    ("symbolicate --no-cache BOMB", REPORTS, JOBS),
    ("convert BOMB", REPORTS, []),
    ("missing --no-cache BOMB", MAIN, JOBS),
    ("group --no-cache BOMB", TABLES, JOBS),
    ("diff --no-cache BOMB BOMB", MAIN, JOBS),
    ("explain --no-cache BOMB", ANSWERS, JOBS),
    ("exit-reason BOMB", MAIN, []),
    ("jetsam BOMB", MAIN, JOBS),
    ("uuid BOMB", MAIN, []),
    ("fold BOMB", TREES, JOBS),
    ("fold --threads all --max-nodes 1000 BOMB", ["folded"], JOBS),
    ("flamegraph BOMB", ["svg", "html", "text"], JOBS),
    ("flamegraph --fold-recursion BOMB", ["svg"], JOBS),
    ("flamegraph --order time BOMB", ["svg", "html"], JOBS),
    ("flamegraph --diff BOMB BOMB", BOTH, JOBS),
    ("lag-aggregate BOMB", TABLES, JOBS),
    ("lag-aggregate --stacks 1000000 BOMB", ["text", "html"], JOBS),
    ("lag-aggregate --by class4 BOMB", ["text", "json"], JOBS),
    ("lag-aggregate --by app BOMB", ["text"], JOBS),
    ("lag-aggregate --per-report BOMB", ["text", "json"], JOBS),
    ("lag-aggregate --explain BOMB", ["text", "json"], JOBS),
    ("lag-aggregate --threads all BOMB", ["text"], JOBS),
    ("lag-aggregate --baseline BOMB BOMB", ["text", "json", "html"], JOBS),
    ("diff --stalls BOMB BOMB", ["text", "json", "html"], JOBS),
    ("group --owners BOMB REPORT", ["text"], []),
    ("group --rules BOMB REPORT", ["text"], []),
    ("fold --rules BOMB SAMPLES", ["folded"], []),
    ("fold --images BOMB SAMPLES", ["folded"], []),
    ("jetsam --limits BOMB REPORT", ["text"], []),
    ("symbolicate --no-cache -d BOMB REPORT", ["text", "json"], JOBS),
    ("atos --no-cache -o BOMB 0x100000010", ["text"], []),
    ("atos --no-cache -o DSYM -f BOMB", ["text"], []),
    ("index --symbols BOMB", ["text"], []),
    ("demangle", ["text"], []),
]
# What a run ends with that read nothing.
REFUSED = range(2, 6)
# The machine may be busy: what took too long is run again.
TRIES = 3



def run(arguments, scratch, **more):
    """CPU seconds of it and its children, MB at most, bytes printed, status."""
    with open(scratch / "out", "wb") as out:
        done = measured.run(arguments, WALL_SECONDS, stdout=out,
                            stderr=subprocess.DEVNULL, **more)
    return (done.cpu_seconds, done.memory_mb,
            (scratch / "out").stat().st_size, done.status)


def unpacked_most(packed):
    """What of packed input is read at most: the limit `packed-samples`."""
    return (192 << 20) + 16 * packed


def size_of(path):
    """Of packed input what it unpacks to, as far as that is read: what the
    promise counts."""
    packed = path.stat().st_size
    most = unpacked_most(packed)
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return min(most, sum(f.file_size for f in archive.infolist()))
    if path.suffix != ".gz":
        return packed
    size = 0
    with gzip.open(path) as file:
        try:
            while size < most and (part := file.read(1 << 20)):
                size += len(part)
        except (EOFError, OSError, zlib.error):
            pass
    return max(packed, min(most, size))


def promised(size):
    return 2 + size / 10e6, 256 + 4 * size / 2 ** 20


def try_often(arguments, most_seconds, scratch, **more):
    best = run(arguments, scratch, **more)
    for _ in range(TRIES - 1):
        if best[0] <= most_seconds:
            break
        best = min(best, run(arguments, scratch, **more))
    return best


def faults_of(done, seconds, memory):
    if done[0] > seconds:
        yield "TIME"
    if done[1] > memory:
        yield "MEMORY"
    if not 0 <= done[3] <= 5:
        yield "STATUS"


def sweep_file(path, program, words, scratch):
    """Print a line for each run of one file; yield whether it is over."""
    seconds, memory = promised(size_of(path))
    words = {"BOMB": str(path), **words}
    more = {"env": {**os.environ, "XDG_CACHE_HOME": str(scratch)}}
    for command, formats, jobs in MATRIX:
        for form in formats:
            refused = False
            for count in jobs or [0]:
                arguments = [words.get(word, word) for word in command.split()]
                if len(formats) > 1:
                    arguments[1:1] = ["--format", form]
                if count:
                    arguments[1:1] = [f"-j{count}"]
                with open(path, "rb") as stdin:
                    done = try_often([program] + arguments, seconds, scratch,
                                     stdin=stdin, **more)
                over = list(faults_of(done, seconds, memory))
                print(f"| {path.name} | {command} | {form} | {count or ''} | "
                      f"{done[3]} | {done[0]:.2f} | {done[1]:.0f} | "
                      f"{seconds:.2f} | {memory:.0f} | {' '.join(over)} |",
                      flush=True)
                yield bool(over)
                refused = done[3] in REFUSED
            if refused:
                break


def sweep(files, program, scratch):
    (scratch / "samples").write_text("main;f 1\n")
    words = {"REPORT": str(scratch / "report.ips"),
             "SAMPLES": str(scratch / "samples"), "DSYM": str(DSYM)}
    print("| file | command | format | jobs | status | s | MB | promised s "
          "| promised MB | over |\n|" + "---|" * 10)
    found = [over for path in files
             for over in sweep_file(pathlib.Path(path), program, words,
                                    scratch)]
    print(f"\n{len(found)} runs, {sum(found)} over")
    return 1 if any(found) or not found else 0
