# SPDX-License-Identifier: MIT
"""T36: a report that kills, hangs or starves its reader costs its own answer."""

import json

from faults import need_shim
from harness import sample, test

MARK = "torture-mark"
FRAMES = 60
MARKED = (0, 25, 26, 59)
REASONS = {"kill": "E-crash", "hang": "E-time", "starve": "E-crash"}


def frame(number):
    report = json.loads(sample("kscrash-mach.json"))
    if number in MARKED:
        report["unknown"] = MARK
    return json.dumps({"apm": 1, "id": number, "report": report}).encode() + b"\n"


@test("T36", "filter", "a report that kills, hangs or starves the reader of a filter")
def filter_frames(battery):
    need_shim(battery)
    data = b"".join(map(frame, range(FRAMES)))
    whole = battery.run(["filter"], stdin=data).out.splitlines()
    for how, reason in REASONS.items():
        done = battery.run(["filter", "--time-limit", "1"], stdin=data,
                           env={"LD_PRELOAD": battery.shim,
                                "TORTURE_MARKED": f"{MARK}:{how}"})
        answers = done.out.splitlines()
        if (done.status, done.err, len(answers)) != (0, b"", FRAMES):
            battery.fault(how, f"ended with {done.status}, {len(answers)} answers, {done.err}")
            continue
        for number, answer in enumerate(answers):
            found = json.loads(answer)
            if number not in MARKED and answer != whole[number]:
                battery.fault(how, f"frame {number} has another answer: {answer[:200]}")
            elif number in MARKED and (found["id"], found.get("reason")) != (number, reason):
                battery.fault(how, f"frame {number}: {answer[:200]}")
