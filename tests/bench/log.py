# SPDX-License-Identifier: MIT
"""How fast a log passes that holds no frames: syslog, `log stream`, and lines
with addresses that are none of a frame."""

import os

from goals import cost
from measure import measure_each

SIZE = 500_000_000
LEAST_MB_PER_SECOND = 300
# Of a file, which is read twice.
LEAST_OF_A_FILE = LEAST_MB_PER_SECOND / 2
MEMORY = 16_000_000
KINDS = {
    "syslog": ["Nov  1 10:00:{second:02d} iPhone Demo(UIKitCore)[{pid}] "
               "<Notice>: nothing of note happened here, {i}\n"],
    "syslog, objects": ["Nov  1 10:00:{second:02d} iPhone "
                        "Demo(UIKitCore)[{pid}] <Notice>: "
                        "<UIView: 0x104d08abc; frame = {i}>\n"],
    "log stream": [
        "2026-11-01 10:00:{second:02d}.{i:06d}+0100 {thread:<#10x} "
        "{level:<11} {activity:<#20x} {pid:<6} 0    Acme Shop: "
        "(libsystem_trace.dylib) [com.acme.shop:cart] " + message + "\n"
        for message in (
            "nothing of note happened here, {i}",
            "<UIView: 0x104d08abc; frame = (0 0; 375 812)>",
            "task 0x10a2b3c40 ended with error [{i}] Code=-999",
            "0x10a2b3c40 is in use")],
    "log stream, compact": [
        "2026-11-01 10:00:{second:02d}.{i:06d} Df Demo[{pid}:{thread:x}] "
        "(CoreFoundation) [com.apple.UIKit:Lifecycle] " + message + "\n"
        for message in ("size {thread:#x} of 0x4000",
                        "0x10a2b3c40 released")],
}


def line_of(kind, i):
    forms = KINDS[kind]
    return forms[i % len(forms)].format(
        i=i, second=i % 60, pid=612 + i // 50 % 3,
        thread=0x1000 + i * 2654435761 % 0x2000000,
        level=("Default", "Info", "Debug", "Error")[i % 4],
        activity=(0, 0, 0x8000000000000000 + i)[i % 3])


def generated(folder, kind, size):
    name = kind.replace(", ", "-").replace(" ", "-")
    path = os.path.join(folder, f"log-{name}-{size}")
    if not os.path.exists(path):
        part = "".join(line_of(kind, i) for i in range(20_000)).encode()
        with open(path + ".part", "wb") as file:
            for _ in range(size // len(part)):
                file.write(part)
        os.rename(path + ".part", path)
    return path


def through(program, path):
    return ["sh", "-c", f'cat "{path}" | "$0" symbolicate --log -q', program]


def measure_file(options, kind):
    path = generated(options.work, kind, SIZE)
    megabytes = os.path.getsize(path) / 1e6
    ours, grep = measure_each(
        [["sh", "-c", '"$0" symbolicate --log -q "$1" | cat',
          options.apmtool, path],
         ["sh", "-c", 'grep -c 0x "$0"', path]], 3)
    options.goals.at_least(f"{kind}, a file", ours, megabytes / ours.wall,
                           LEAST_OF_A_FILE, "MB/s")
    options.goals.row("grep -c 0x beside it", cost(grep))


def measure_log(options):
    options.goals.title("a log without frames, through a pipe")
    for kind in KINDS:
        path = generated(options.work, kind, SIZE)
        megabytes = os.path.getsize(path) / 1e6
        ours, cat = measure_each(
            [through(options.apmtool, path),
             ["sh", "-c", f'cat "{path}" | cat']], 3)
        options.goals.at_least(f"{kind}, {megabytes:.0f} MB", ours,
                               megabytes / ours.wall, LEAST_MB_PER_SECOND,
                               "MB/s")
        options.goals.row("cat beside it", cost(cat))
        options.goals.row("memory", f"{ours.peak / 1e6:.0f} MB", "", "",
                          f"<= {MEMORY / 1e6:.0f} MB",
                          reached=ours.peak <= MEMORY)
    measure_file(options, "log stream")
