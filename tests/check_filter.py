#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check `apmtool filter`: one answer for each frame, in order, whatever it holds.

    tests/check_filter.py --program build/dev/apmtool [--frames N] [--memory MB]

Frames of every kind go through in each framing; a processor that takes the next
answer for that of its last frame is simulated; the reader is killed again and again;
a long stream and a frame of 100 MB take no more memory than a short one. Exits with
77 (skipped) where /proc does not tell which process is the reader.
"""

import argparse
import base64
import io
import json
import os
import pathlib
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

from checking import check, check_equal, failures
import measured

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
LARGE_BYTES = 100 << 20
KILLS = 5


def zipped(*names):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.write(SAMPLES / name, name)
    return out.getvalue()


def kinds():
    """(status, reason or None, documents, report) of reports of each kind."""
    crash = (SAMPLES / "demo.crash").read_bytes()
    whole = (SAMPLES / "kscrash-mach.json").read_text()
    yield "missing", None, 1, json.loads(whole)
    yield "missing", None, 1, crash
    yield "missing", None, 1, (SAMPLES / "demo.ips").read_bytes()
    yield "ok", None, 1, (SAMPLES / "jetsam/pressure.ips").read_bytes()
    yield "missing", None, 2, zipped("demo.crash", "demo.ips")
    yield "missing", None, 3, (SAMPLES / "demo-glued.txt").read_bytes()
    yield "partial", "E-damaged", 1, crash[:300]
    yield "rejected", "E-not-report", 0, b"no report at all"
    yield "rejected", "E-not-report", 0, bytes(range(256)) * 8
    yield "rejected", "E-empty", 0, b" "
    yield "rejected", "E-not-report", 0, {"some": "object"}


def envelope(number, report, rng):
    """A frame with an id, and its meta as it is written."""
    if isinstance(report, bytes):
        try:
            report = report.decode()
        except UnicodeDecodeError:
            report = {"base64": base64.b64encode(report).decode()}
    meta = rng.choice(['{"topic": "raw",  "n":%d}' % number, '[1.50, "é"]', "null"])
    members = [f'"apm":1', f'"id":{number}', f'"meta":{meta}',
               f'"report":{json.dumps(report)}']
    head, rest = members[:1], members[1:]
    rng.shuffle(rest)
    return ("{" + ",".join(head + rest) + "}").encode(), meta


def mixed(count, rng):
    """Frames: (bytes, what its answer has)."""
    known = list(kinds())
    for number in range(count):
        status, reason, documents, report = known[number % len(known)]
        form = rng.random()
        if form < 0.1:
            yield b"", ("rejected", "E-empty", 0, None, None)
        elif form < 0.2:
            yield b'{"apm":1,"id":%d}' % number, ("rejected", "E-envelope", 0, number, None)
        elif form < 0.3 and not isinstance(report, bytes):
            yield json.dumps(report).encode(), (status, reason, documents, None, None)
        else:
            data, meta = envelope(number, report, rng)
            yield data, (status, reason, documents, number, meta)


FRAMINGS = {
    "lines": lambda frame: frame + b"\n",
    "netstring": lambda frame: b"%d:%s," % (len(frame), frame),
    "u32": lambda frame: len(frame).to_bytes(4, "big") + frame,
}


def split(framing, data):
    """The answers in what was written."""
    while data:
        if framing == "lines":
            answer, _, data = data.partition(b"\n")
        elif framing == "netstring":
            size, _, data = data.partition(b":")
            answer, data = data[:int(size)], data[int(size) + 1:]
        else:
            size = int.from_bytes(data[:4], "big")
            answer, data = data[4:4 + size], data[4 + size:]
        yield answer


class Filter:
    def __init__(self, program, *options):
        self.command = [program, "filter", "-d", SAMPLES, "--no-cache", *options]
        self.environment = dict(os.environ, APMTOOL_AUTO="0")

    def pass_bytes(self, data, status=0):
        done = subprocess.run(self.command, input=data, capture_output=True,
                              env=self.environment, check=False)
        check_equal((done.returncode, done.stderr), (status, b""), f"{self.command[2:]}")
        return done.stdout

    def open(self):
        return subprocess.Popen(self.command, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=self.environment)


def check_answer(answer, expected, what):
    status, reason, documents, number, meta = expected
    found = json.loads(answer)
    check_equal((found["status"], found.get("reason"), len(found["documents"]), found["id"]),
                (status, reason, documents, number), what)
    if meta:
        check(b'"meta":' + meta.encode() in answer, f"{what}: meta byte for byte: {answer[:200]}")


def check_frames(program, count):
    for framing, pack in FRAMINGS.items():
        frames = list(mixed(count, random.Random(7)))
        filter_ = Filter(program, "--frame", framing)
        data = b"".join(pack(frame) for frame, _ in frames)
        out = filter_.pass_bytes(data)
        answers = list(split(framing, out))
        check_equal(len(answers), len(frames), f"{framing}: answers")
        for i, (answer, (_, expected)) in enumerate(zip(answers, frames)):
            check_answer(answer, expected, f"{framing}, frame {i}")
        check(out == filter_.pass_bytes(data), f"{framing}: two runs are the same")


def check_processor(program, count):
    """One that takes the next line for the answer to what it has sent."""
    child = Filter(program).open()
    for i, (frame, expected) in enumerate(mixed(count, random.Random(8))):
        child.stdin.write(frame + b"\n")
        child.stdin.flush()
        check_answer(child.stdout.readline(), expected, f"one by one, frame {i}")
    ready, _, _ = select.select([child.stderr], [], [], 0)
    check(not ready, "standard error is silent, and open")
    out, err = child.communicate()
    check_equal((out, err, child.returncode), (b"", b"", 0), "and nothing else")


def check_framings(program):
    for framing, data in (("netstring", b"5:hello!"), ("netstring", b"x"),
                          ("netstring", b"05:hello,"), ("netstring", b"9:hello,"),
                          ("u32", b"\0\0\0\x09hello"), ("u32", b"\0\0")):
        good = FRAMINGS[framing](b'{"apm":1,"id":1,"report":{}}')
        out = Filter(program, "--frame", framing).pass_bytes(good + data, 3)
        answers = [json.loads(answer) for answer in split(framing, out)]
        check_equal([answer.get("reason") for answer in answers],
                    ["E-not-report", "E-framing"], f"{framing} {data}")
    out = Filter(program).pass_bytes(b'{"apm":1,"id":2,"report":{}}')
    check_equal(json.loads(out)["id"], 2, "the last line may lack its newline")
    check_equal(Filter(program).pass_bytes(b""), b"", "no frame, no answer")


def reader_of(child):
    """The process id of its reader."""
    path = pathlib.Path(f"/proc/{child.pid}/task/{child.pid}/children")
    return [int(word) for word in path.read_text().split()]


def check_kills(program, count):
    """Frames that are on their way when the reader dies go again."""
    frames = list(mixed(count, random.Random(9)))
    child = Filter(program).open()

    def write():
        child.stdin.write(b"".join(frame + b"\n" for frame, _ in frames))
        child.stdin.close()

    writer = threading.Thread(target=write)
    writer.start()
    killed = 0
    for i, (_, expected) in enumerate(frames):
        check_answer(child.stdout.readline(), expected, f"after a kill, frame {i}")
        if i % (count // KILLS) == 0:
            for pid in reader_of(child):
                os.kill(pid, signal.SIGKILL)
                killed += 1
    writer.join()
    check_equal((child.stdout.read(), child.stderr.read(), child.wait()), (b"", b"", 0),
                "after all answers")
    check(killed >= KILLS - 1, f"a reader was killed {killed} times")


def check_large(program, limit_mb):
    """A frame beyond the limit is skipped as it comes."""
    for framing, pack in FRAMINGS.items():
        with tempfile.TemporaryFile() as file, tempfile.TemporaryFile() as out:
            file.write(pack(b"x" * LARGE_BYTES))
            file.write(pack(b'{"apm":1,"id":1,"report":{}}'))
            file.seek(0)
            done = measured.run([*Filter(program, "--frame", framing, "--limit",
                                         "report=8MB").command],
                                120, stdin=file, stdout=out)
            out.seek(0)
            answers = [json.loads(answer) for answer in split(framing, out.read())]
        check_equal([(answer.get("reason"), answer["id"]) for answer in answers],
                    [("E-size", None), ("E-not-report", 1)], f"{framing}: 100 MB")
        check(not limit_mb or done.memory_mb < limit_mb,
              f"{framing}: 100 MB skipped in {done.memory_mb:.0f} MB")


def check_log(program):
    with tempfile.TemporaryDirectory() as name:
        log = pathlib.Path(name, "log")
        Filter(program, "--log", log).pass_bytes(b"\n\n{}\n")
        check_equal(log.read_text(), "apmtool: warning: frame 1: E-empty\n"
                    "apmtool: warning: frame 2: E-empty\n"
                    "apmtool: warning: frame 3: E-not-report\n", "the log")
        done = subprocess.run([program, "filter", "-d", pathlib.Path(name, "none")],
                              input=b"", capture_output=True, check=False)
        check(done.returncode and b"none" in done.stderr,
              f"what is wrong before the first frame is on stderr: {done.stderr}")


def check_slow_consumer(program):
    """Node and others make their end of a pipe non-blocking, and so ours."""
    crash = envelope(1, (SAMPLES / "demo.crash").read_bytes(), random.Random(1))[0]
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with subprocess.Popen(Filter(program, "--shape", "full").command, stdin=subprocess.PIPE,
                          stdout=ours) as process:
        ours.close()
        writer = threading.Thread(target=lambda: (process.stdin.write((crash + b"\n") * 50),
                                                  process.stdin.close()))
        writer.start()
        time.sleep(0.5)
        with theirs.makefile("rb") as file:
            lines = file.read().splitlines()
        writer.join()
        check_equal((process.wait(), len(lines)), (0, 50), "a consumer that is slow to read")


def check_shapes(program):
    crash = envelope(1, (SAMPLES / "demo.crash").read_bytes(), random.Random(1))[0]
    expected = {"event": '"schema":"apmtool.event/1"', "slim": '"schema":"apmtool.report/1"',
                "full": '"schema":"apmtool.report/1"', "ips": "bug_type",
                "text": "Thread 0 Crashed", "hash": '"hashes":["'}
    sizes = {}
    for shape, word in expected.items():
        out = Filter(program, "--shape", shape).pass_bytes(crash + b"\n").decode()
        document = json.loads(out)["documents"][0]
        text = document if isinstance(document, str) else json.dumps(
            document, separators=(",", ":"))
        check(word in text, f"shape {shape}: {word} in {text[:200]}")
        check("demo.crash" not in out and '"input"' not in out, f"{shape}: no input name")
        sizes[shape] = len(text)
    check(sizes["hash"] < sizes["event"] < sizes["slim"] < sizes["full"],
          f"shapes by size: {sizes}")
    alone = {shape: Filter(program, "--shape", shape).pass_bytes(crash + b"\n")
             for shape in ("event", "full", "event+full")}
    both = json.loads(alone["event+full"])
    check_equal((both.pop("reports"), both),
                (json.loads(alone["full"])["documents"], json.loads(alone["event"])),
                "event+full: the events and the reports that others have alone")
    # With `any` each envelope has its own.
    names = [shape for shape in expected if shape != "slim"] + ["html"]
    frames = [crash[:-1] + b',"shape":"%s"}' % name.encode() for name in names]
    found = list(split("lines", Filter(program, "--shape", "any").pass_bytes(
        b"\n".join(frames + [crash]) + b"\n")))
    for name, answer in zip(names + ["event"], found):
        alone = Filter(program, "--shape", name).pass_bytes(crash + b"\n").rstrip(b"\n")
        check_equal(answer[:4000], alone[:4000], f"shape {name} of an envelope")
    for wrong in b'"slim"', b'"any"', b"1", b"[]", b'""':
        out = Filter(program, "--shape", "any").pass_bytes(
            crash[:-1] + b',"shape":%s}\n' % wrong)
        check_equal(json.loads(out)["reason"], "E-envelope", f"shape {wrong}")
    # Text is what `symbolicate` prints: no line of it is a command to a CI runner.
    log = ROOT / "tests/fuzz/corpus/log_line/syslog"
    out = Filter(program, "--frame", "u32", "--shape", "text").pass_bytes(
        FRAMINGS["u32"](log.read_bytes()))
    printed = subprocess.run([program, "symbolicate", "-q", "--no-auto", "--no-cache", log],
                             capture_output=True, text=True, check=False).stdout
    check_equal(json.loads(next(split("u32", out)))["documents"], [printed], "a text")
    check("\n:\\x3aerror::" in printed, f"a command in a text: {printed[:300]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=lambda path: pathlib.Path(path).resolve(),
                        required=True)
    parser.add_argument("--frames", type=int, default=1100)
    parser.add_argument("--memory", type=float, default=0)
    settings = parser.parse_args()
    if not pathlib.Path("/proc/self/task").is_dir():
        print("skipped: no /proc, which tells the reader's process")
        return 77
    check_framings(settings.program)
    check_log(settings.program)
    check_slow_consumer(settings.program)
    check_shapes(settings.program)
    check_frames(settings.program, settings.frames)
    check_processor(settings.program, settings.frames)
    check_kills(settings.program, settings.frames)
    check_large(settings.program, settings.memory)
    if failures:
        print(f"{len(failures)} checks failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
