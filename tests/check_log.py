#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check `symbolicate --log` as a filter: when it writes, what it keeps.

    tests/check_log.py --program build/dev/apmtool [--memory MB]

A line is written before the writer goes on; what is no frame passes byte for
byte, whatever it is; the answer does not depend on how the log was cut into
writes; and neither a long log nor a long line takes more than so much memory.
"""

import argparse
import os
import pathlib
import random
import select
import subprocess
import sys
import tempfile
import threading

from checking import check, check_equal, failures
import measured

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
IMAGE = (b"       0x100e80000 -        0x100e87fff Demo arm64  "
         b"<4c4c44bd55553144a18b1d7a14acc538> /var/Demo.app/Demo\n")
FRAME = (b"Nov  1 10:00:00 iPhone Demo[612] <Error>: 5   Demo"
         b"                    0x0000000100e80ca4 Demo + 3236\n")
NAMED = FRAME.replace(b"Demo + 3236", b"-[DemoApp openFeed:] + 64 "
                      b"(DemoApp.m:60)")
LONG_LINE = 10 << 20
STREAM_BYTES = 200 << 20
WAIT_S = 60


class Filter:
    def __init__(self, program, cache):
        self.command = [program, "symbolicate", "--log", "-q", "-d", SAMPLES]
        self.environment = dict(os.environ, APMTOOL_AUTO="0",
                                XDG_CACHE_HOME=cache)

    def pass_bytes(self, data):
        done = subprocess.run(self.command, input=data, capture_output=True,
                              env=self.environment, check=False)
        check_equal((done.returncode, done.stderr), (0, b""), "a log passes")
        return done.stdout

    def open(self):
        return subprocess.Popen(self.command, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, env=self.environment)


def read_some(child, size):
    """So many bytes, if they come without another write."""
    got = b""
    while len(got) < size:
        if not select.select([child.stdout], [], [], WAIT_S)[0]:
            break
        piece = os.read(child.stdout.fileno(), size - len(got))
        if not piece:
            break
        got += piece
    return got


def check_lines_come_at_once(log):
    with log.open() as child:
        for given, expected in ((IMAGE, IMAGE), (b"a\n", b"a\n"),
                                (FRAME, NAMED), (b"half", b""),
                                (b" a line\r\n", b"half a line\r\n"),
                                (FRAME * 3, NAMED * 3)):
            child.stdin.write(given)
            child.stdin.flush()
            check_equal(read_some(child, len(expected)), expected,
                        f"before the next write after {given[:40]!r}")
        child.stdin.write(b"the end")
        child.stdin.close()
        check_equal(child.stdout.read(), b"the end", "at the end")


def check_bytes_pass(log):
    chance = random.Random(39)
    check_equal(log.pass_bytes(b""), b"", "nothing")
    for line in (b"::error::a\n##[group]b\n##vso[x]c\n", b"\0\n\0", b"\r\n\r",
                 b"\xff\xfe\x80\n", b"\x1b[31mred\x1b[0m\n",
                 b"(0x\n[ 0] \n<4c\n0x\n 0x1 + \n" * 3,
                 b"x" * LONG_LINE + b"\n" + b"y" * LONG_LINE):
        check(log.pass_bytes(line) == line, f"{line[:40]!r} passes")
    for size in (1, 100, 10000, 300000):
        data = chance.randbytes(size)
        check(log.pass_bytes(data) == data, f"{size} random bytes pass")
    for line in (b'"1  D 0x1234567' * 4000, b'"1  D 0x1234567 D + 1' * 20000,
                 b"\\n1  D 0x1234567 D + 1" * 3000,
                 b"a\n" * 40000 + b'"1  D 0x1234567 D + 1' * 9000):
        check(log.pass_bytes(line + b"\n") == line + b"\n",
              "many frames on a line pass")
    words = [b"0x", b"0x100e80ca4", b" ", b"Demo", b"\n", b"[", b"612]", b"+",
             b"3", b"<4c4c44bd", b'"', b"\\n", b"(", b")", b"\t", b"  "]
    for _ in range(20):
        data = b"".join(chance.choices(words, k=20000))
        check(log.pass_bytes(data) == data, "words of frames pass")


def check_cuts(log):
    """However a log is written, the answer is the same."""
    chance = random.Random(13)
    text = (SAMPLES / "demo.crash").read_bytes()
    data = (FRAME + IMAGE + FRAME * 2 + b"a" * 100000 + b"\n") * 2
    data += text[text.index(b"Binary Images"):] + text
    whole = log.pass_bytes(data)
    for _ in range(3):
        got = []
        with log.open() as child:
            # A writer that waits must not keep its reader from reading.
            reader = threading.Thread(
                target=lambda: got.append(child.stdout.read()))
            reader.start()
            at = 0
            while at < len(data):
                size = chance.choice((7, 300, 5000, 60000))
                child.stdin.write(data[at:at + size])
                child.stdin.flush()
                at += size
            child.stdin.close()
            reader.join()
        check(got == [whole], "a log in pieces gives the same")


def stream(path, size):
    """A log of that size, one of its lines half of it."""
    line = b"Nov  1 10:00:00 iPhone Demo[612] <Notice>: nothing of note\n"
    with open(path, "wb") as file:
        file.write(IMAGE + FRAME)
        for _ in range(size // 2 // (len(line) * 1000)):
            file.write(line * 1000)
        for _ in range(size // 2 // (1 << 20)):
            file.write(b"0x12345678 " * ((1 << 20) // 11))
        file.write(b"\n" + FRAME)


def check_memory(log, folder, limit_mb):
    path = folder / "long.log"
    stream(path, STREAM_BYTES)
    for how in ("pipe", "file"):
        with open(folder / "out", "wb") as out, open(path, "rb") as file:
            source = file
            writer = None
            if how == "pipe":
                writer = subprocess.Popen(["cat", path],
                                          stdout=subprocess.PIPE)
                source = writer.stdout
            done = subprocess.run([*measured.BETWEEN, *log.command],
                                  stdin=source, stdout=out,
                                  stderr=subprocess.PIPE, timeout=WAIT_S,
                                  env=log.environment, check=False)
            if writer:
                writer.stdout.close()
                writer.wait()
        check_equal(done.returncode, 0, f"status of a long log from a {how}")
        taken_mb = int(done.stderr.split()[-1]) / 1024
        check(taken_mb <= limit_mb,
              f"a long log from a {how} takes {taken_mb:.0f} MB")
        check_equal((folder / "out").stat().st_size,
                    path.stat().st_size + 2 * (len(NAMED) - len(FRAME)),
                    f"size of a long log from a {how}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--memory", type=float, metavar="MB",
                        help="what a long log may take; default: not measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="apmtool-log.") as name:
        folder = pathlib.Path(name)
        log = Filter(os.path.abspath(options.program), folder / "cache")
        check_lines_come_at_once(log)
        check_bytes_pass(log)
        check_cuts(log)
        if options.memory:
            check_memory(log, folder, options.memory)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
