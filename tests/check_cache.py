#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever happens to the cache, the output is that of --no-cache.

    check_cache.py --program build/dev/apmtool [--rounds N] [--seed S]
                   [--only TEST]

Writers are killed at random moments, eight processes share a cache, the disk is
full, the directory cannot be written, entries are cut, flipped, of another
version, of another file, or no files at all. After that, nothing but entries
may be left. --rounds says how many times the random ones are tried: a few for
ctest, 1,000 for a campaign."""

import argparse
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

SAMPLES = pathlib.Path(__file__).parent.parent / "samples"
DSYM = SAMPLES / "Demo.dSYM/Contents/Resources/DWARF/Demo"
SEAL_BYTES = 256
SEAL_VERSION = 3
PADDING_BYTES = 1 << 20
MASK = (1 << 64) - 1
NOBODY = 65534


def guard_sum(data):
    """As lib/symbols/gsym/guard.c has it."""
    seed, factor = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93

    def mix(state, word):
        product = (state ^ word) * factor
        return (product ^ product >> 64) & MASK

    lanes = [(seed + i) & MASK for i in range(4)]
    end = len(data) // 32 * 32
    for at in range(0, end, 32):
        words = struct.unpack_from("<4Q", data, at)
        lanes = [(mix(a, b) + seed) & MASK for a, b in zip(lanes, words)]
    total = len(data)
    for lane in lanes:
        total = mix((total + seed) & MASK, lane)
    for at in range(end, len(data), 8):
        word = int.from_bytes(data[at:at + 8], "little")
        total = mix((total + seed) & MASK, word)
    return total


def thin_slice(data, cpu_type):
    """One slice of a universal file."""
    for i in range(struct.unpack_from(">I", data, 4)[0]):
        cpu, _, offset, size, _ = struct.unpack_from(">5I", data, 8 + 20 * i)
        if cpu == cpu_type:
            return bytearray(data[offset:offset + size])
    raise ValueError("no such slice")


def padded(data):
    """The file with a larger last section: too much to be read whole."""
    at, count = 32, struct.unpack_from("<I", data, 16)[0]
    last = None
    for _ in range(count):
        command, size = struct.unpack_from("<2I", data, at)
        if command == 0x19 and data[at + 8:at + 16] == b"__DWARF\0":
            sections = range(struct.unpack_from("<I", data, at + 64)[0])
            last = max((at + 72 + 80 * i for i in sections),
                       key=lambda s: struct.unpack_from("<I", data, s + 48))
            for field in (at + 32, at + 48):
                value = struct.unpack_from("<Q", data, field)[0]
                struct.pack_into("<Q", data, field, value + PADDING_BYTES)
        at += size
    size = len(data) - struct.unpack_from("<I", data, last + 48)[0]
    struct.pack_into("<Q", data, last + 40, size + PADDING_BYTES)
    return bytes(data) + bytes(PADDING_BYTES)


class Torture:
    def __init__(self, program, folder, rounds, seed):
        self.program = program
        self.folder = folder
        self.rounds = rounds
        self.pick = random.Random(seed)
        self.faults = 0
        self.runs = 0
        self.cache = folder / "cache"
        self.symbols = folder / "symbols"
        self.symbols.mkdir()
        # Small ones are kept; of the large one too little is asked for that.
        data = DSYM.read_bytes()
        self.mac = self.symbols / "Mac.dSYM"
        self.mac.write_bytes(thin_slice(data, 0x01000007))
        (self.symbols / "Large.dSYM").write_bytes(
            padded(thin_slice(data, 0x0100000C)))
        shutil.copytree(SAMPLES / "DemoKit.framework.dSYM",
                        self.symbols / "DemoKit.framework.dSYM")
        self.work = [("demo-mac.crash", "text"), ("demo-mac.crash", "json"),
                     ("demo.crash", "text"), ("demo.ips", "json")]
        self.expected = {w: self.run(w, "--no-cache") for w in self.work}

    def command(self, work, *options):
        report, form = work
        return [self.program, "symbolicate", "--format", form, "-d",
                self.symbols, *options, SAMPLES / report]

    def environment(self, cache):
        env = {k: v for k, v in os.environ.items()
               if k.endswith("SAN_OPTIONS")}
        return {**env, "APMTOOL_CACHE": str(cache or self.cache),
                "APMTOOL_CONFIG": "none", "LC_ALL": "C",
                "PATH": os.environ["PATH"]}

    def run(self, work, *options, cache=None, **more):
        self.runs += 1
        done = subprocess.run(
            self.command(work, *options), capture_output=True, timeout=120,
            env=self.environment(cache), check=False, **more)
        return done.returncode, done.stdout, done.stderr

    def compare(self, what, work, found):
        if found == self.expected[work]:
            return
        self.faults += 1
        print(f"{what}: {work}: differs from --no-cache")
        for part, name in zip(range(3), ("status", "stdout", "stderr")):
            if found[part] != self.expected[work][part]:
                print(f"  {name}: {found[part]!r:.400}")

    def check(self, what, works=None, **more):
        for work in works or self.work:
            self.compare(what, work, self.run(work, **more))

    def entries(self):
        return sorted(self.cache.glob("*.gsym"))

    def fill(self, works=None):
        """A cache as some runs leave it."""
        shutil.rmtree(self.cache, ignore_errors=True)
        self.check("cold", works)
        self.check("warm", works)

    def some_entries(self):
        self.fill()
        names = [path.name for path in self.entries()]
        if len(names) < 2 or any(len(n) != 41 for n in names):
            self.faults += 1
            print(f"expected whole entries, found {names}")

    def leftovers(self, what):
        left = [p.name for p in self.cache.iterdir()
                if p.suffix != ".gsym" and p.name not in
                ("CACHEDIR.TAG", "uuids")]
        if left:
            self.faults += 1
            print(f"{what}: left behind: {left}")

    def killed(self):
        """kill -9 while the cache is written."""
        for _ in range(self.rounds):
            shutil.rmtree(self.cache, ignore_errors=True)
            work = self.pick.choice(self.work)
            process = subprocess.Popen(
                self.command(work), stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env=self.environment(None))
            time.sleep(self.pick.uniform(0, self.seconds * 1.2))
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.check("after a kill", [work])
            self.leftovers("after a kill")
        # What a kill between two system calls would leave.
        self.fill()
        entry = self.entries()[0]
        for name in (f"{entry.name}.{2 ** 22 + 1}-0", f"uuids.{2 ** 22 + 1}-3"):
            (self.cache / name).write_bytes(b"left")
            os.utime(self.cache / name, (1, 1))
        entry.unlink()
        self.check("with files left behind")
        self.leftovers("with files left behind")

    def together(self):
        for _ in range(max(1, self.rounds // 10)):
            shutil.rmtree(self.cache, ignore_errors=True)
            works = [self.pick.choice(self.work) for _ in range(8)]
            processes = [
                subprocess.Popen(self.command(work), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE,
                                 env=self.environment(None))
                for work in works]
            for work, process in zip(works, processes):
                out, err = process.communicate(timeout=120)
                self.compare("eight at once", work,
                             (process.returncode, out, err))
            self.leftovers("eight at once")

    def full_disk(self):
        for limit in (0, 100, 3000, 5000):
            shutil.rmtree(self.cache, ignore_errors=True)
            self.check(
                f"files of {limit} bytes at most",
                preexec_fn=lambda size=limit: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (size, size)))
            self.check("after that")
        if os.geteuid():
            return
        small = self.folder / "small"
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=12k", "none", small]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            return
        try:
            for _ in range(3):
                self.check("full disk", cache=small / "cache")
        finally:
            subprocess.run(["umount", small], check=True)

    def read_only(self):
        self.fill()
        before = {p.name: p.read_bytes() for p in self.cache.iterdir()}
        os.chmod(self.folder, 0o755)
        os.chmod(self.cache, 0o555)
        for entry in self.cache.iterdir():
            os.chmod(entry, 0o444)
        more = {} if os.geteuid() else {"user": NOBODY, "group": NOBODY}
        self.check("read-only", **more)
        self.entries()[0].chmod(0)
        self.check("unreadable", **more)
        os.chmod(self.cache, 0o755)
        self.entries()[0].chmod(0o644)
        if before != {p.name: p.read_bytes() for p in self.cache.iterdir()}:
            self.faults += 1
            print("a read-only cache was written")
        for place in ("/proc/apmtool", str(SAMPLES / "demo.ips"),
                      "/dev/null/x"):
            self.check(f"cache in {place}", cache=place)

    def damage(self, what, change):
        """Change an entry, run twice, and see that it was replaced."""
        entry = self.pick.choice(self.entries())
        whole = entry.read_bytes()
        entry.write_bytes(change(whole))
        work = self.pick.choice(self.work)
        self.check(what, [work])
        self.check(f"{what}, once more", [work])
        entry.unlink(missing_ok=True)
        entry.write_bytes(whole)

    def flipped(self):
        def flip(data):
            data = bytearray(data)
            for _ in range(self.pick.choice((1, 1, 1, 8))):
                bit = self.pick.randrange(len(data) * 8)
                data[bit // 8] ^= 1 << bit % 8
            return data

        def cut(data):
            return data[:self.pick.randrange(len(data))]

        def zeros(data):
            at = self.pick.randrange(len(data))
            end = min(len(data), at + self.pick.randrange(1, 4096))
            return data[:at] + bytes(end - at) + data[end:]

        def joined(data):
            return data + data[:self.pick.randrange(len(data))]

        self.fill()
        for _ in range(self.rounds):
            for change in (flip, cut, zeros, joined):
                self.damage(change.__name__, change)

    def resealed(self, data, offset, size, value):
        seal = bytearray(data[-SEAL_BYTES:])
        seal[offset:offset + size] = value.to_bytes(size, "little")
        seal[-8:] = guard_sum(bytes(seal[:-8])).to_bytes(8, "little")
        return data[:-SEAL_BYTES] + bytes(seal)

    def other_versions(self):
        """Seals that are right, of what is not ours."""
        self.fill()
        for path in self.entries():
            data = path.read_bytes()
            same = self.resealed(data, 8, 4, SEAL_VERSION)
            if same != data:
                self.faults += 1
                print(f"{path.name}: its seal is not what this script makes")
        for offset, size in ((8, 4), (12, 4), (16, 8), (24, 8), (40, 8),
                             (48, 8), (56, 8), (104, 8), (112, 8)):
            for value in (0, 1 if offset == 8 else 2, (1 << 8 * size) - 1):
                self.damage(f"seal[{offset}] = {value}",
                            lambda data, o=offset, s=size, v=value:
                            self.resealed(data, o, s, v))

    def no_files(self):
        """Something else where an entry should be."""
        for kind in ("directory", "fifo", "link", "empty", "others"):
            self.fill()
            entry = self.entries()[0]
            data = entry.read_bytes()
            entry.unlink()
            if kind == "directory":
                entry.mkdir()
            elif kind == "fifo":
                os.mkfifo(entry)
            elif kind == "link":
                (self.folder / "elsewhere").write_bytes(data)
                entry.symlink_to(self.folder / "elsewhere")
            else:
                entry.write_bytes(data if kind == "others" else b"")
                entry.chmod(0o666)
            self.cache.chmod(0o755)
            self.check(f"{kind} as an entry")
        # Anyone could have put entries here.
        self.fill()
        self.cache.chmod(0o777)
        self.check("directory of all")

    def other_source(self):
        """The symbols change, and keep their UUID."""
        self.fill()
        path = self.mac
        whole = path.read_bytes()
        times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
        work = self.work[0]
        for _ in range(max(2, self.rounds // 10)):
            data = bytearray(whole)
            at = self.pick.randrange(len(data) // 2, len(data))
            data[at] ^= 1
            path.write_bytes(data)
            os.utime(path, ns=times)
            found = self.run(work)
            self.expected[work] = self.run(work, "--no-cache")
            self.compare("another dSYM of the same UUID", work, found)
        path.write_bytes(whole)
        self.expected[work] = self.run(work, "--no-cache")
        self.check("the first dSYM again")

    def all(self, only):
        self.some_entries()
        start = time.monotonic()
        shutil.rmtree(self.cache)
        self.run(self.work[0])
        self.seconds = time.monotonic() - start
        for test in (self.killed, self.together, self.full_disk,
                     self.read_only, self.flipped, self.other_versions,
                     self.no_files, self.other_source):
            if only in (None, test.__name__):
                before = self.runs
                test()
                print(f"{test.__name__}: {self.runs - before} runs", flush=True)
        print(f"{self.runs} runs, {self.faults} faults")
        return self.faults != 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one test, such as killed")
    args = parser.parse_args()
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="apmtool-cache.") as name:
        return Torture(args.program.resolve(), pathlib.Path(name), args.rounds,
                       args.seed).all(args.only)


if __name__ == "__main__":
    sys.exit(main())
