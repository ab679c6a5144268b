"""Crash reports of about 150 KB, of frames and images that do not exist."""

import json

THREADS, FRAMES, IMAGES = 40, 30, 460
BASE, STEP = 0x1a0000000, 0x100000
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


def json_report():
    header = {"app_name": "Demo", "bug_type": "309", "name": "Demo",
              "os_version": "iPhone OS 17.2 (21C62)",
              "incident_id": "00000000-1234-3ABC-8DEF-0123456789AB"}
    body = {
        "procName": "Demo", "pid": 7, "cpuType": "ARM-64",
        "exception": {"type": "EXC_CRASH", "signal": "SIGABRT",
                      "codes": "0x0000000000000000, 0x0000000000000000"},
        "faultingThread": 0,
        "threads": [{"id": thread, "frames": [
            {"imageOffset": offset, "imageIndex": number}
            for number, offset in frames(thread)]}
            for thread in range(THREADS)],
        "usedImages": [{
            "source": "P", "arch": "arm64", "base": image(number)[1],
            "size": STEP, "uuid": UUID % number, "name": image(number)[0],
            "path": "/System/Library/" + image(number)[0]}
            for number in range(IMAGES)],
    }
    return (json.dumps(header) + "\n"
            + json.dumps(body, indent=1, separators=(",", " : ")) + "\n")
