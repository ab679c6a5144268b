# SPDX-License-Identifier: MIT
"""Crash reports of about 150 KB, of frames and images that do not exist."""

import json

THREADS, FRAMES, IMAGES = 40, 30, 460
BASE, STEP = 0x1a0000000, 0x100000
REGISTERS = {
    "flavor": "ARM_THREAD_STATE64",
    "x": [{"value": BASE + 16 * i} for i in range(29)],
    **{name: {"value": BASE} for name in ("fp", "lr", "sp", "pc", "far")},
    "cpsr": {"value": 0x40001000}, "esr": {"value": 0x56000080}}
UUID = "%08x-1234-3abc-8def-0123456789ab"


def image(number):
    return f"Library{number:03d}", BASE + number * STEP


def frames(thread):
    for i in range(FRAMES):
        number = (thread * 7 + i) % IMAGES
        yield number, 0x1000 + i * 0x44


def text_report():
    lines = ["Incident Identifier: 00000000-1234-3ABC-8DEF-0123456789AB",
             "Hardware Model:      iPhone14,2",
             "Process:             Demo [7]",
             "Identifier:          com.example.demo",
             "Version:             1 (1)",
             "Code Type:           ARM-64 (Native)",
             "OS Version:          iPhone OS 16.0 (20A362)",
             "Report Version:      104", "",
             "Exception Type:  EXC_CRASH (SIGABRT)",
             "Exception Codes: 0x0000000000000000, 0x0000000000000000",
             "Triggered by Thread:  0", ""]
    for thread in range(THREADS):
        lines.append(f"Thread {thread}{'' if thread else ' Crashed'}:")
        for index, (number, offset) in enumerate(frames(thread)):
            name, base = image(number)
            lines.append(f"{index:<4}{name:<30}\t{base + offset:#18x} "
                         f"{base:#x} + {offset}")
        lines.append("")
    lines.append("Binary Images:")
    for number in range(IMAGES):
        name, base = image(number)
        uuid = (UUID % number).replace("-", "")
        lines.append(f"{base:#18x} - {base + STEP - 1:#18x} {name} arm64  "
                     f"<{uuid}> /System/Library/Frameworks/{name}.framework/"
                     f"{name}")
    return "\n".join(lines + ["", "EOF", ""])


def system_thread(thread):
    return [{"imageOffset": offset, "imageIndex": number}
            for number, offset in frames(thread)]


def json_report(app=(), app_frames=()):
    """With `app_frames`, (image, offset) of the app's images, whose UUIDs are
    `app`, between those of the system."""
    header = {"app_name": "Demo", "bug_type": "309", "name": "Demo",
              "timestamp": "2026-01-31 09:00:00.00 +0000",
              "os_version": "iPhone OS 17.2 (21C62)",
              "incident_id": "00000000-1234-3ABC-8DEF-0123456789AB"}
    threads = [system_thread(thread) for thread in range(THREADS)]
    for i, (number, offset) in enumerate(app_frames):
        threads[i % THREADS].append({"imageOffset": offset,
                                     "imageIndex": IMAGES + number})
    images = [{"source": "P", "arch": "arm64", "base": image(number)[1],
               "size": STEP, "uuid": UUID % number, "name": image(number)[0],
               "path": "/System/Library/" + image(number)[0]}
              for number in range(IMAGES)]
    images += [{"source": "P", "arch": "arm64",
                "base": 0x100000000 + (number << 32), "size": 1 << 30,
                "uuid": uuid, "name": f"Part{number}",
                "path": "/private/var/containers/Bundle/Application/0/"
                        f"Demo.app/Part{number}"}
               for number, uuid in enumerate(app, 16)]
    body = {
        "procName": "Demo", "pid": 7, "cpuType": "ARM-64",
        "exception": {"type": "EXC_CRASH", "signal": "SIGABRT",
                      "codes": "0x0000000000000000, 0x0000000000000000"},
        "faultingThread": 0,
        "threads": [{"triggered": True, "threadState": REGISTERS, "id": 0,
                     "frames": threads[0]}] +
                   [{"id": thread, "frames": of_thread}
                    for thread, of_thread in enumerate(threads) if thread],
        "usedImages": images,
    }
    return (json.dumps(header) + "\n"
            + json.dumps(body, indent=1, separators=(",", " : ")) + "\n")


def jetsam_log():
    header = {"bug_type": "298", "timestamp": "2024-01-02 03:04:05.00 +0100",
              "os_version": "iPhone OS 17.2 (21C62)",
              "incident_id": "00000000-1234-3ABC-8DEF-0123456789AB"}
    body = {
        "product": "iPhone14,2", "build": header["os_version"],
        "incident": header["incident_id"],
        "date": "2024-01-02 03:04:05.12 +0100", "timeDelta": 12,
        "memoryStatus": {"pageSize": 16384, "compressorSize": 40000,
                         "memoryPages": {"active": 60000, "free": 4000,
                                         "inactive": 50000, "wired": 40000}},
        "largestProcess": "Demo",
        "processes": [{
            "uuid": UUID % number, "states": ["daemon", "idle"],
            "purgeable": 0, "age": number * 1000003, "fds": 100,
            "coalition": number + 10, "rpages": number * 37 % 20000,
            "priority": 40, "pid": number + 3, "cpuTime": number / 7,
            "physicalPages": {"internal": [number, number * 3]},
            "name": f"process{number:03d}", "lifetimeMax": number * 41}
            for number in range(400)],
    }
    body["processes"][0]["reason"] = "per-process-limit"
    return json.dumps(header) + "\n" + json.dumps(body, indent=2) + "\n"
