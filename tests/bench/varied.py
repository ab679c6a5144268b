# SPDX-License-Identifier: MIT
"""Reports as a day brings them: small and large ones, in text and JSON, no two alike."""

import json
import random
import re

import worker_fleet as fleet
from reports import UUID

SMALL, LARGE = 8450, 125000
LARGE_SHARE = 0.1
# Of the app's own code.
APP_OFFSETS = range(2300, 3700)
TEXT_BASE = 0x104f1e000
SYSTEM_BASE = 0x7ff820000000
HEADER, BODY = (fleet.SAMPLES / "demo.ips").read_text().split("\n", 1)
APP_FRAME = re.compile(r"0x0000000104f1e[0-9a-f]{3} 0x104f1e000 \+ \d+")
NAMES = ("CFRunLoopRunSpecific", "_dispatch_call_block_and_release", "start_wqthread",
         "-[UIView layoutSublayersOfLayer:]", "objc_msgSend", "_pthread_start",
         "__CFRunLoopDoSources0", "mach_msg2_trap", "-[UIApplication sendEvent:]")


def named(rng):
    """A system function that no other report need have."""
    return f"{rng.choice(NAMES)}_{rng.randrange(1000)}", rng.randrange(4, 4000, 4)


def app_frame(rng):
    offset = rng.choice(APP_OFFSETS)
    return f"{TEXT_BASE + offset:#018x} {TEXT_BASE:#x} + {offset}"


def text_thread(thread, images, rng):
    lines = [f"Thread {thread}:"]
    for i in range(rng.randrange(6, 40)):
        if rng.random() < 0.2:
            lines.append(f"{i:<4}{'Demo':<30}\t{app_frame(rng)}")
        else:
            name, more = named(rng)
            address = SYSTEM_BASE + rng.randrange(images + 1) * 0x100000 + more
            lines.append(f"{i:<4}{'libSystem.dylib':<30}\t{address:#018x} {name} + {more}")
    return "\n".join(lines) + "\n\n"


def in_text(number, size, images, rng):
    value = fleet.report(number, "whole").value
    value = APP_FRAME.sub(lambda _: app_frame(rng), value)
    listed = "".join(
        f"    {SYSTEM_BASE + i * 0x100000:#x} -     {SYSTEM_BASE + i * 0x100000 + 0xfffff:#x} "
        f"Library{i:03d} x86_64  <{(UUID % i).replace('-', '')}> /System/Library/Library{i:03d}\n"
        for i in range(images))
    threads = []
    while len(value) + len(listed) + sum(map(len, threads)) < size:
        threads.append(text_thread(3 + len(threads), images, rng))
    state, end = value.index("Thread 0 crashed with"), value.index("\nEOF")
    return value[:state] + "".join(threads) + value[state:end] + listed + value[end:]


def json_frames(images, rng):
    frames = []
    for _ in range(rng.randrange(6, 40)):
        if rng.random() < 0.2:
            frames.append({"imageOffset": rng.choice(APP_OFFSETS), "imageIndex": 0})
        else:
            name, more = named(rng)
            frames.append({"imageOffset": rng.randrange(1 << 20), "symbol": name,
                           "symbolLocation": more, "imageIndex": rng.randrange(3, 11 + images)})
    return frames


def in_json(number, size, images, rng):
    name = fleet.report(number, "whole").id
    header, body = json.loads(HEADER), json.loads(BODY)
    header["incident_id"] = body["incident"] = name
    for frame in body.pop("lastExceptionBacktrace"):
        if frame["imageIndex"] == 0:
            frame["imageOffset"] = rng.choice(APP_OFFSETS)
            body["threads"][0]["frames"].insert(0, frame)
    del body["threads"][1:]
    body["usedImages"] += [
        {"source": "P", "arch": "arm64", "base": SYSTEM_BASE + i * 0x100000, "size": 0x100000,
         "uuid": UUID % i, "name": f"Library{i:03d}", "path": f"/System/Library/Library{i:03d}"}
        for i in range(images)]

    # As the system writes it, or as small ones are sent.
    layout = {"indent": 1, "separators": (",", " : ")} if images else {"separators": (",", ":")}

    def written(value):
        return json.dumps(value, **layout)
    left = size - len(HEADER) - len(written(body))
    while left > 0:
        body["threads"].append({"id": 1000 + len(body["threads"]),
                                "frames": json_frames(images, rng)})
        left -= len(written(body["threads"][-1]))
    return json.dumps(header) + "\n" + written(body) + "\n"


def varied(number):
    rng = random.Random(number)
    is_large = rng.random() < LARGE_SHARE
    # Threads come whole: half of one is what a report has too much.
    mean = LARGE - 5000 if is_large else SMALL - 1200
    images = rng.randrange(150, 400) if is_large else 0
    write = rng.choice((in_text, in_json))
    return fleet.Report(number, "whole", fleet.report(number, "whole").id,
                        write(number, mean * rng.uniform(0.7, 1.3), images, rng))
