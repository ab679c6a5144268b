# SPDX-License-Identifier: MIT
"""The cache and the UUID index: what a second run has of a first."""

import contextlib
import os
import resource
import shutil
import struct
import subprocess

from goals import seconds
from measure import measure, measure_each, wall_seconds

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SAMPLE = os.path.join(ROOT, "samples/DemoKit.framework.dSYM/Contents/"
                      "Resources/DWARF/DemoKit")
DSYMS = 5000
OPEN_FILES = 64
LOOKUP_SECONDS = 0.001


@contextlib.contextmanager
def cache(path):
    """Commands started in here use this cache."""
    before = os.environ["APMTOOL_CACHE"]
    os.environ["APMTOOL_CACHE"] = path
    try:
        yield
    finally:
        os.environ["APMTOOL_CACHE"] = before


def measure_whole(options, path):
    """All debug information read, and written as GSYM."""
    command = [options.apmtool, "index", "--symbols", "-q", path]
    directory = os.environ["APMTOOL_CACHE"]
    image = os.path.join(options.work, "peer.gsym")
    gsymutil = options.peers.llvm_gsymutil
    again = ["sh", "-c", f'rm -rf "{directory}"; exec "$@"', "sh", *command]
    convert = gsymutil and [gsymutil, "--num-threads=2", "--convert", path,
                            "-o", image]
    ours, theirs = measure_each([again, convert], 3)
    options.goals.faster("full index to GSYM", ours,
                         "llvm-gsymutil --convert", theirs, 3, 300e6)
    return image


def measure_warm(options, path, files, image):
    gsymutil = options.peers.llvm_gsymutil
    for count, goal in ((1, 8), (10_000, 3)):
        file = files[count]
        ours = [options.apmtool, "atos", "-o", path, "-arch", "arm64", "-i",
                "-f", file]
        script = (f"sed 's,$, {image},' {file} | "
                  f"{gsymutil} --addresses-from-stdin")
        ours, theirs = measure_each(
            [ours, gsymutil and ["sh", "-c", script]], 10)
        options.goals.faster(f"{count:,} addresses, warm", ours,
                             "llvm-gsymutil", theirs, goal)


def uuid_place(data):
    """Where the UUID of a thin Mach-O file is."""
    at = 32
    while True:
        command, size = struct.unpack_from("<2I", data, at)
        if command == 0x1B:
            return at + 8
        at += size


def make_dsyms(folder):
    """Many small dSYMs, each with a UUID of its own."""
    with open(SAMPLE, "rb") as file:
        data = bytearray(file.read())
    found = uuid_place(data)
    for i in range(DSYMS):
        path = os.path.join(folder, f"{i % 100:02d}",
                            f"Kit{i}.dSYM/Contents/Resources/DWARF")
        os.makedirs(path)
        struct.pack_into("<I", data, found, i)
        with open(os.path.join(path, "Kit"), "wb") as file:
            file.write(data)


def with_few_files(command):
    """The command, where no more than 64 files may be open."""
    done = subprocess.run(
        command, check=False, stdout=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE,
                                              (OPEN_FILES, OPEN_FILES)))
    return done.returncode == 0


def measure_index(options):
    folder = os.path.join(options.work, "dsyms")
    if not os.path.isdir(folder):
        make_dsyms(folder)
    report = os.path.join(ROOT, "samples/demo.crash")
    index = [options.apmtool, "index", "-q", folder]
    shutil.rmtree(os.environ["APMTOOL_CACHE"], ignore_errors=True)
    made = measure(index, 1)
    print(f"UUID index over {DSYMS:,} dSYMs: made in {seconds(made.wall)}, "
          f"brought up to date in {seconds(wall_seconds(index, 3))}",
          flush=True)
    command = [options.apmtool, "symbolicate", "-q", "--no-auto", report]
    subprocess.run([options.apmtool, "index", "-q",
                    os.path.join(ROOT, "samples")], check=True,
                   stdout=subprocess.DEVNULL)
    warm = measure(command, 30)
    walk = measure(command + ["--no-cache", "-d", folder], 5)
    named = measure(command + ["-d", os.path.join(ROOT, "samples")], 30)
    goals = options.goals
    goals.faster("a report, dSYMs by the index", warm, "a walk of --dsym",
                 walk)
    goals.at_most("of which: to look up in the index", warm,
                  max(0.0, warm.wall - named.wall), LOOKUP_SECONDS)
    goals.at_least("the same, with 64 open files", warm,
                   with_few_files(index) and with_few_files(command), 1,
                   "works")


def measure_cache(options, path, files):
    options.goals.title("the cache and the UUID index")
    with cache(os.path.join(options.work, "cache")):
        measure_warm(options, path, files, measure_whole(options, path))
        measure_index(options)
