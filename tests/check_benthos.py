#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check `apmtool filter` behind Benthos, the core of Redpanda Connect.

    tests/check_benthos.py --program build/release/apmtool [--frames N]

Its subprocess processor takes the next message that the filter writes for the answer
to the one that it sent: the answer to each frame has to be that frame's. Benthos is
looked for in build/benthos/stream, and made there with Go by

    tests/check_benthos.py --build

Exits with 77 (skipped) where it is not there.
"""

import argparse
import pathlib
import random
import subprocess
import sys

from check_filter import SAMPLES, check_answer, mixed
from checking import check_equal, failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build/benthos"
STREAM = FOLDER / "stream"
MODULE = "github.com/redpanda-data/benthos/v4"
VERSION = "v4.60.0"
SKIPPED = 77
MAIN = f"""package main

import (
	"context"

	"{MODULE}/public/service"

	_ "{MODULE}/public/components/io"
	_ "{MODULE}/public/components/pure"
)

func main() {{
	service.RunCLI(context.Background())
}}
"""
CONFIG = """
input:
  stdin:
    scanner:
      lines:
        max_buffer_size: 16777216
pipeline:
  threads: 1
  processors:
    - subprocess:
        name: "{program}"
        args: [filter, --frame, {framing}, --no-cache, --dsym, "{samples}"]
        codec_send: {codec}
        codec_recv: {codec}
        max_buffer: 16777216
output:
  stdout:
    codec: lines
http:
  enabled: false
logger:
  level: ERROR
"""
CODECS = {"lines": "lines", "netstring": "netstring", "u32": "length_prefixed_uint32_be"}


def build():
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "main.go").write_text(MAIN)
    (FOLDER / "go.mod").write_text("module stream\n\ngo 1.24\n")
    for words in (["get", f"{MODULE}/public/service@{VERSION}"],
                  ["build", "-mod=mod", "-o", STREAM, "."]):
        subprocess.run(["go", *words], cwd=FOLDER, check=True)


def check_framing(program, framing, count):
    # Its scanner passes over empty lines.
    frames = [frame for frame in mixed(count, random.Random(11)) if frame[0]]
    config = FOLDER / f"{framing}.yaml"
    config.write_text(CONFIG.format(program=program, framing=framing, samples=SAMPLES,
                                    codec=CODECS[framing]))
    done = subprocess.run([STREAM, "run", config], capture_output=True, check=False, timeout=300,
                          input=b"".join(frame + b"\n" for frame, _ in frames))
    answers = done.stdout.splitlines()
    check_equal(len(answers), len(frames), f"{framing}: answers; {done.stderr[-500:]}")
    for i, (answer, (_, expected)) in enumerate(zip(answers, frames)):
        check_answer(answer, expected, f"{framing} behind Benthos, frame {i}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--frames", type=int, default=1100)
    parser.add_argument("--build", action="store_true")
    settings = parser.parse_args()
    if settings.build:
        build()
        return 0
    if not STREAM.exists():
        print("skipped: no build/benthos/stream, see check_benthos.py --build")
        return SKIPPED
    for framing in CODECS:
        check_framing(settings.program, framing, settings.frames)
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
