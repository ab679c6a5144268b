"""How fast a log passes that holds no frames: syslog, and lines with addresses
that are none of a frame."""

import os

from goals import cost
from measure import measure_each

SIZE = 500_000_000
LEAST_MB_PER_SECOND = 300
MEMORY = 16_000_000
KINDS = {
    "syslog": "Nov  1 10:00:{:02d} iPhone Demo(UIKitCore)[{}] <Notice>: "
              "nothing of note happened here, {}\n",
    "syslog, objects": "Nov  1 10:00:{:02d} iPhone Demo(UIKitCore)[{}] "
                       "<Notice>: <UIView: 0x104d08abc; frame = {}>\n",
}


def generated(folder, kind, size):
    name = kind.replace(", ", "-")
    path = os.path.join(folder, f"log-{name}-{size}")
    if not os.path.exists(path):
        part = "".join(KINDS[kind].format(i % 60, 612 + i // 50 % 3, i)
                       for i in range(20_000)).encode()
        with open(path + ".part", "wb") as file:
            for _ in range(size // len(part)):
                file.write(part)
        os.rename(path + ".part", path)
    return path


def through(program, path):
    return ["sh", "-c", f'cat "{path}" | "$0" symbolicate --log -q', program]


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
