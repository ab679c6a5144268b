"""The cache and the UUID index: what a second run has of a first."""

import contextlib
import os
import shutil
import struct
import subprocess

from measure import peak_bytes, wall_seconds

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SAMPLE = os.path.join(ROOT, "samples/DemoKit.framework.dSYM/Contents/"
                      "Resources/DWARF/DemoKit")
DSYMS = 5000


@contextlib.contextmanager
def cache(path):
    """Commands started in here use this cache."""
    before = os.environ["APMTOOL_CACHE"]
    os.environ["APMTOOL_CACHE"] = path
    try:
        yield
    finally:
        os.environ["APMTOOL_CACHE"] = before


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


def find_gsymutil():
    return next((found for suffix in ("-19", "-14", "")
                 if (found := shutil.which("llvm-gsymutil" + suffix))), None)


def beside(ours, theirs):
    return f"{theirs / ours:.1f} x as fast" if theirs else "no llvm-gsymutil"


def measure_whole(options, path, gsymutil):
    """All debug information read, and written as GSYM."""
    command = [options.apmtool, "index", "--symbols", "-q", path]
    image = os.path.join(options.work, "peer.gsym")
    taken = theirs = None
    for _ in range(2):
        shutil.rmtree(os.environ["APMTOOL_CACHE"], ignore_errors=True)
        once = wall_seconds(command, 1)
        taken = once if taken is None else min(taken, once)
    shutil.rmtree(os.environ["APMTOOL_CACHE"])
    peak = peak_bytes(command)
    if gsymutil:
        theirs = wall_seconds(
            [gsymutil, "--num-threads=2", "--convert", path, "-o", image], 1)
    print(f"index --symbols: {seconds(taken)}, {peak / 1e6:.0f} MB; "
          f"{beside(taken, theirs)}", flush=True)
    return image if gsymutil else None


def measure_warm(options, path, files, gsymutil, image):
    for count, file in sorted(files.items()):
        command = [options.apmtool, "atos", "-o", path, "-arch", "arm64", "-i",
                   "-f", file]
        taken = wall_seconds(command, 5)
        peak = peak_bytes(command)
        theirs = None
        if image:
            script = (f"sed 's,$, {image},' {file} | "
                      f"{gsymutil} --addresses-from-stdin")
            theirs = wall_seconds(["sh", "-c", script], 3)
        print(f"{count} addresses, warm: {seconds(taken)}, "
              f"{peak / 1e6:.0f} MB; {beside(taken, theirs)}", flush=True)


def make_dsyms(folder):
    """Many small dSYMs, each with a UUID of its own."""
    with open(SAMPLE, "rb") as file:
        data = bytearray(file.read())
    at, found = 32, None
    while found is None:
        command, size = struct.unpack_from("<2I", data, at)
        found = at + 8 if command == 0x1B else None
        at += size
    for i in range(DSYMS):
        path = os.path.join(folder, f"{i % 100:02d}",
                            f"Kit{i}.dSYM/Contents/Resources/DWARF")
        os.makedirs(path)
        struct.pack_into("<I", data, found, i)
        with open(os.path.join(path, "Kit"), "wb") as file:
            file.write(data)


def measure_index(options):
    folder = os.path.join(options.work, "dsyms")
    if not os.path.isdir(folder):
        make_dsyms(folder)
    report = os.path.join(ROOT, "samples/demo.crash")
    index = [options.apmtool, "index", "-q", folder]
    shutil.rmtree(os.environ["APMTOOL_CACHE"], ignore_errors=True)
    print(f"UUID index over {DSYMS} dSYMs: made in "
          f"{seconds(wall_seconds(index, 1))}, brought up to date in "
          f"{seconds(wall_seconds(index, 3))}", flush=True)
    command = [options.apmtool, "symbolicate", "-q", report]
    subprocess.run([options.apmtool, "index", "-q",
                    os.path.join(ROOT, "samples")], check=True,
                   stdout=subprocess.DEVNULL)
    warm = wall_seconds(command, 10)
    walk = wall_seconds(command + ["--no-cache", "-d", folder], 5)
    without = wall_seconds(command + ["--no-cache"], 10)
    print(f"a report, dSYMs by the index: {seconds(warm)}, of which "
          f"{seconds(max(0, warm - without))} to find them and to look up; "
          f"by a walk of --dsym: {seconds(walk)}", flush=True)


def measure_cache(options, path, files):
    print()
    gsymutil = find_gsymutil()
    with cache(os.path.join(options.work, "cache")):
        image = measure_whole(options, path, gsymutil)
        measure_warm(options, path, files, gsymutil, image)
        measure_index(options)
