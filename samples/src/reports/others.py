"""Reports that are no crashes, in `.ips` files: a panic and a stackshot (JSON)
and a CPU usage report (text)."""

import json

from .ips import dump
from .report import invented_uuid

KERNEL = {"uuid": invented_uuid("kernel").lower(), "base": 0xfffffff007004000}
KERNEL_VERSION = ("Darwin Kernel Version 22.0.0: Fri Jan  2 03:04:05 PST 2026;"
                  " root:xnu-8792.1.1~1/RELEASE_ARM64_T8110")
WAITING = [[0, 0x5a1c], [0, 0x7b20], [0, 0x8c34]]


def header(report, bug_type, **more):
    return json.dumps({
        "bug_type": bug_type,
        "timestamp": "2026-01-31 09:08:07.00 +0800",
        "os_version": f"{report.system} ({report.build})",
        "roots_installed": 0,
        "incident_id": report.incident,
    } | more, separators=(",", ":")) + "\n"


def facts(report):
    return {
        "build": f"{report.system} ({report.build})",
        "product": report.hardware,
        "socId": "0x00008110",
        "kernel": KERNEL_VERSION,
        "incident": report.incident,
        "crashReporterKey": report.reporter,
        "date": "2026-01-31 09:08:07.12 +0800",
    }


def memory():
    return {
        "compressorSize": 4711, "compressions": 90210,
        "decompressions": 80210, "busyBufferCount": 0, "pageSize": 16384,
        "memoryPressure": False,
        "memoryPages": {"active": 35400, "throttled": 0, "fileBacked": 37820,
                        "wired": 22193, "purgeable": 12, "inactive": 33100,
                        "free": 1980, "speculative": 2650},
    }


def images(report):
    """Without names: a stackshot knows a UUID and a load address."""
    return ([[KERNEL["uuid"], KERNEL["base"], "T"],
             ["00000000-0000-0000-0000-000000000000", 0, "A"]]
            + [[it.uuid.lower(), it.base, "P"] for it in report.images])


def thread(report, number, it):
    out = {"id": number, "state": ["TH_WAIT"], "basePriority": 31,
           "userTime": 0.25, "systemTime": 0.125}
    if it.name:
        out["name"] = it.name
    if it.queue:
        out["queue"] = it.queue
    out["kernelFrames"] = WAITING
    # The last frame lies in no image: the end of the stack.
    out["userFrames"] = [[report.images.index(f.image) + 2, f.offset]
                         for f in it.frames] + [[1, 0]]
    return out


def process(name, pid, threads):
    return {"pid": pid, "procname": name, "residentMemoryBytes": 52428800,
            "pageFaults": 20480, "copyOnWriteFaults": 512,
            "timesThrottled": 0, "userTimeTask": 1.5, "systemTimeTask": 0.5,
            "threadById": {str(it["id"]): it for it in threads}}


def processes(report):
    kernel = [{"id": 342, "name": "watchdog.timer", "state": ["TH_RUN"],
               "kernelFrames": WAITING}]
    app = [thread(report, 4711 + index, it)
           for index, it in enumerate(report.threads)]
    return {"0": process("kernel_task", 0, kernel),
            str(report.pid): process(report.app.name, report.pid, app)}


def panic(report):
    text = (
        "panic(cpu 1 caller 0xfffffff0071a2b3c): userspace watchdog timeout: "
        "no successful checkins from com.example.service (1 induced crashes) "
        "in 180 seconds\n"
        "service: com.example.service, total successful checkins since load "
        "(3600 seconds ago): 341, last successful checkin: 180 seconds ago\n"
        "Debugger message: panic\nMemory ID: 0x1\nOS release type: User\n"
        f"OS version: {report.build}\nKernel version: {KERNEL_VERSION}\n"
        "Paniclog version: 14\nKernel slide:      0x0000000000000000\n"
        "Panicked task 0xffffffe19a1b2c30: 3422 pages, 1 threads: "
        "pid 0: kernel_task\n"
        "Panicked thread: 0xffffffe19b0d1e20, backtrace: "
        "0xffffffe8017b3530, tid: 342\n"
        "\t\t  lr: 0xfffffff00700ba1c  fp: 0xffffffe8017b3670\n"
        "\t\t  lr: 0xfffffff00700cb20  fp: 0x0000000000000000\n")
    return header(report, "210") + dump(facts(report) | {
        "panicString": text,
        "panicFlags": "0x102",
        "otherString":
            "\n** Stackshot Succeeded ** Bytes Traced 36368 **\n",
        "memoryStatus": memory(),
        "processByPid": processes(report),
        "binaryImages": images(report),
        "notes": ["Source: (null)"],
    }) + "\n"


def stackshot(report):
    return header(report, "288") + dump(facts(report) | {
        "exception": "0xbaaaaaad",
        "reason": "a person held down both buttons",
        "frontmostPids": [report.pid],
        "memoryStatus": memory(),
        "processByPid": processes(report),
        "binaryImages": images(report),
        "notes": [],
    }) + "\n"


def tree(frames):
    """Outermost first, each two columns further in."""
    return "".join(
        f"  {'  ' * depth}17  {it.symbol or '???'}"
        + (f" + {it.symbol_offset}" if it.symbol else "")
        + f" ({it.image.name} + {it.offset}) [0x{it.address:x}]\n"
        for depth, it in enumerate(reversed(frames)))


def command(report):
    """What the heads of spindumps and microstackshots say of the process."""
    app = report.app
    return (
        "Shared Cache:     0F1E2D3C-4B5A-3697-8877-665544332211 slid base "
        "address 0x180000000, slide 0x0\n\n"
        f"Command:          {app.name}\n"
        f"Path:             {app.path}\n"
        f"Identifier:       {app.bundle}\n"
        f"Version:          {app.short} ({app.build})\n"
        "Parent:           launchd [1]\n"
        f"PID:              {report.pid}\n\n")


def cpu_usage(report):
    app = report.app
    main = report.threads[0]
    lines = "".join(
        f"        0x{it.base:x} - 0x{it.base + it.size - 1:x}  {it.name} "
        f"({it.short or '1.0'}) <{it.uuid}>  {it.path}\n"
        for it in report.images)
    return header(report, "202", app_name=app.name, name=app.name,
                  app_version=app.short, build_version=app.build,
                  bundleID=app.bundle, slice_uuid=app.uuid.lower()) + (
        "Date/Time:        2026-01-31 09:06:37.100 +0800\n"
        "End time:         2026-01-31 09:08:07.120 +0800\n"
        f"OS Version:       {report.system} (Build {report.build})\n"
        "Architecture:     arm64e\n"
        "Report Version:   32\n"
        f"Incident Identifier: {report.incident}\n\n"
        "Data Source:      Microstackshots\n"
        f"{command(report)}"
        "Event:            cpu usage\n"
        "Action taken:     none\n"
        "CPU:              90 seconds cpu time over 90 seconds (100% cpu "
        "average), exceeding limit of 50% cpu over 180 seconds\n"
        "CPU limit:        90s\n"
        "Duration:         90.02s\n"
        "Duration Sampled: 84.50s\n"
        "Steps:            17\n\n"
        f"Hardware model:   {report.hardware}\n"
        "Active cpus:      6\n\n\n"
        "Heaviest stack for the target process:\n"
        + "".join(
            f"  17  ??? ({it.image.name} + {it.offset}) [0x{it.address:x}]\n"
            for it in reversed(main.frames))
        + f"\n\nPowerstats for:   {app.name} [{report.pid}]\n"
        f"UUID:             {app.uuid}\n"
        f"Path:             {app.path}\n"
        "Footprint:        52.4 MB\n"
        "Num samples:      17\n"
        f"{tree(main.frames)}\n"
        f"  Binary Images:\n{lines}")
