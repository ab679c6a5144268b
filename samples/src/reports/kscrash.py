"""Reports of KSCrash, as its versions 2 and 3 write them."""

import json

# 2026-01-31 01:08:07.123456 UTC, in microseconds: the unit since 3.3.
CRASHED_AT = 1769821687123456
EXCEPTIONS = {"EXC_BAD_ACCESS": 1, "EXC_CRASH": 10}
SIGNALS = {"SIGSEGV": 11, "SIGABRT": 6}
CPU_TYPES = {"arm64": (16777228, 0), "arm64e": (16777228, -2147483646)}


def frame(it):
    """Exported names only, and none of an app that was stripped."""
    out = {"object_name": it.image.name, "object_addr": it.image.base}
    if it.symbol:
        out["symbol_name"] = it.symbol
        out["symbol_addr"] = it.address - it.symbol_offset
    else:
        out["symbol_name"] = "<redacted>"
    out["instruction_addr"] = it.address
    return out


def backtrace(frames):
    return {"contents": [frame(it) for it in frames], "skipped": 0}


def registers(values):
    fault = ("far", "esr")
    return {"basic": {name: value for name, value in values.items()
                      if name not in fault},
            "exception": {"exception": 0} | {name: values[name]
                                             for name in fault}}


def stack(values):
    pointer = values["sp"]
    return {"grow_direction": "-", "dump_start": pointer - 16,
            "dump_end": pointer + 32, "stack_pointer": pointer,
            "overflow": False, "contents": "00" * 16 + "5AC3" * 16}


def threads(report, with_registers=True):
    out = []
    for index, it in enumerate(report.threads):
        frames = it.frames
        if it.crashed and report.thrown:
            frames = report.thrown
        thread = {"backtrace": backtrace(frames)}
        if it.crashed and with_registers and report.registers:
            thread["registers"] = registers(report.registers)
        thread["index"] = index
        if it.name:
            thread["name"] = it.name
        if it.queue:
            thread["dispatch_queue"] = it.queue
        thread["crashed"] = it.crashed
        thread["current_thread"] = False
        if "registers" in thread:
            thread["stack"] = stack(report.registers)
            thread["notable_addresses"] = {
                "x19": {"address": report.registers["x19"],
                        "type": "objc_object", "class": "DemoFeed"}}
        out.append(thread)
    return out


def image(it):
    cpu_type, cpu_subtype = CPU_TYPES[it.arch]
    return {"image_addr": it.base, "image_vmaddr": 0, "image_size": it.size,
            "name": it.path, "uuid": it.uuid, "cpu_type": cpu_type,
            "cpu_subtype": cpu_subtype, "major_version": 0,
            "minor_version": 0, "revision_version": 0}


def system(report):
    app = report.app
    return {
        "system_name": "iOS", "system_version": report.system.split()[-1],
        "machine": report.hardware, "model": "D63AP",
        "kernel_version": "Darwin Kernel Version 0: an invented one",
        "os_version": report.build, "jailbroken": False,
        "app_start_time": "2026-01-31T01:07:58Z",
        "CFBundleExecutablePath": app.path, "CFBundleExecutable": app.name,
        "CFBundleIdentifier": app.bundle, "CFBundleName": app.name,
        "CFBundleVersion": app.build,
        "CFBundleShortVersionString": app.short, "app_uuid": app.uuid,
        "cpu_arch": "arm64", "cpu_type": 16777228, "cpu_subtype": 2,
        "binary_cpu_type": 16777228, "binary_cpu_subtype": 0,
        "process_name": app.name, "process_id": report.pid,
        "parent_process_id": 1, "device_app_hash": report.reporter,
        "build_type": "app store",
        "memory": {"size": 6000000000, "usable": 5600000000,
                   "free": 210000000},
        "application_stats": {
            "application_active": True, "application_in_foreground": True,
            "launches_since_last_crash": 3, "sessions_since_last_crash": 4,
            "active_time_since_last_crash": 61.25,
            "background_time_since_last_crash": 0,
            "sessions_since_launch": 1, "active_time_since_launch": 9.125,
            "background_time_since_launch": 0}}


def error(report, kind, address=0, reason=None):
    name, signal = report.exception["type"], report.exception["signal"]
    codes = report.exception["rawCodes"]
    mach = {"exception": EXCEPTIONS[name], "exception_name": name,
            "code": codes[0], "subcode": 0}
    if name == "EXC_BAD_ACCESS":
        mach["code_name"] = "KERN_INVALID_ADDRESS"
    out = {"mach": mach,
           "signal": {"signal": SIGNALS[signal], "name": signal, "code": 0},
           "address": address}
    if reason:
        out["reason"] = reason
    return out | {"type": kind}


def head(report, version, timestamp, kind="standard"):
    return {"version": version, "id": report.incident,
            "process_name": report.app.name, "timestamp": timestamp,
            "type": kind}


def body(report, version, timestamp, failure, diagnosis=None):
    crash = {"error": failure, "threads": threads(report)}
    if diagnosis:
        crash["diagnosis"] = diagnosis
    return {
        "report": head(report, version, timestamp),
        "binary_images": [image(it) for it in report.images],
        "process": {}, "system": system(report), "crash": crash,
        "user": {"tier": "gold"},
        "debug": {"console_log": ["feed: 3 entries", "feed: opening 2"]}}


def dump(value):
    return json.dumps(value, indent=1) + "\n"


def bad_access(report):
    """A Mach exception, version 3.3."""
    return dump(body(report, "3.3.0", CRASHED_AT, error(report, "mach"),
                     "Attempted to dereference null pointer."))


def exception(report):
    """An NSException, version 2: its backtrace stands in for the thread."""
    report = report.copy()
    report.registers = {}
    failure = error(report, "nsexception",
                    reason="-[DemoApp pictureAtIndex:]: unrecognized selector "
                    "sent to instance 0x283c04e60")
    failure["nsexception"] = {"name": "NSInvalidArgumentException"}
    return dump(body(report, {"major": 2, "minor": 0}, "2026-01-31T01:08:07Z",
                     failure))


def recrash(report):
    """The reporter itself crashed while it wrote: a minimal report around
    the first, which ends in the middle."""
    first = body(report, "3.2.0", CRASHED_AT // 1000000,
                 error(report, "mach"))
    first["crash"]["threads"] = first["crash"]["threads"][:1]
    del first["user"], first["debug"]
    second = report.copy()
    second.exception = second.exception | {"codes": "0x2, 0x10"}
    failure = error(second, "mach", 16)
    thread = threads(second)[1]
    thread["crashed"] = True
    return dump({
        "recrash_report": first,
        "report": head(second, "3.2.0", CRASHED_AT // 1000000 + 1, "minimal"),
        "crash": {"error": failure, "crashed_thread": thread}})


def damaged(report):
    """Written by a device that died: no end, a comma too many, no value."""
    text = bad_access(report)
    text = text.replace('"launches_since_last_crash": 3', '"launches": NaN')
    text = text.replace('"process": {}', '"process":')
    return text[:text.index('"user"')]
