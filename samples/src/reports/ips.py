"""Reports in JSON: `.ips` files of bug_type 309, 308 and 385."""

import json


def dump(value):
    """As the systems write it: one blank before the colon, `\\/` escaped."""
    text = json.dumps(value, indent=2, ensure_ascii=False,
                      separators=(",", " : "))
    return text.replace("/", "\\/")


def header(report, bug_type=None):
    app = report.app
    return json.dumps({
        "app_name": app.name,
        "timestamp": "2026-01-31 09:08:07.00 +0800",
        "app_version": app.short,
        "slice_uuid": app.uuid.lower(),
        "build_version": app.build,
        "platform": report.platform,
        "bundleID": app.bundle,
        "share_with_app_devs": 0,
        "is_first_party": 0,
        "bug_type": bug_type or report.bug_type,
        "os_version": f"{report.system} ({report.build})",
        "roots_installed": 0,
        "name": app.name,
        "incident_id": report.incident,
    }, separators=(",", ":")) + "\n"


def frame(report, it):
    out = {"imageOffset": it.offset}
    if it.symbol:
        out["symbol"] = it.symbol
        out["symbolLocation"] = it.symbol_offset
    out["imageIndex"] = report.images.index(it.image)
    return out


def thread_state(registers):
    if "rip" in registers:
        state = {name: {"value": value} for name, value in registers.items()}
        state["flavor"] = "x86_THREAD_STATE"
        state["rflags"] = state.pop("rfl")
        return state
    state = {"x": [{"value": registers[f"x{i}"]} for i in range(29)],
             "flavor": "ARM_THREAD_STATE64"}
    for name in ("lr", "cpsr", "fp", "sp", "esr", "pc", "far"):
        state[name] = {"value": registers[name]}
    state["esr"]["description"] = "(Data Abort) byte read Translation fault"
    state["pc"]["matchesCrashFrame"] = 1
    return state


def thread(report, index, it):
    out = {"id": 4711 + index}
    if it.crashed:
        out["triggered"] = True
    if it.name:
        out["name"] = it.name
    if it.queue:
        out["queue"] = it.queue
    if it.crashed and report.registers:
        out["threadState"] = thread_state(report.registers)
    out["frames"] = [frame(report, f) for f in it.frames]
    return out


def image(it, app):
    out = {"source": "P" if "arm64e" not in it.arch else "S",
           "arch": it.arch, "base": it.base, "size": it.size,
           "uuid": it.uuid.lower(), "path": it.path, "name": it.name}
    if it.bundle:
        out["CFBundleIdentifier"] = it.bundle
        out["CFBundleShortVersionString"] = it.short
        out["CFBundleVersion"] = it.build
    return out


def body(report):
    app = report.app
    out = {
        "uptime": 7800, "procRole": "Foreground", "version": 2,
        "userID": 501, "deployVersion": 210, "modelCode": report.hardware,
        "coalitionID": report.coalition_id,
        "osVersion": {
            "isEmbedded": report.platform != 1, "train": report.system,
            "releaseType": "User", "build": report.build},
        "captureTime": "2026-01-31 09:08:07.1234 +0800",
        "incident": report.incident,
        "pid": report.pid,
        "translated": False,
        "cpuType": report.code_type.split()[0],
        "bug_type": report.bug_type,
        "procLaunch": "2026-01-31 09:07:58.0021 +0800",
        "procStartAbsTime": 18446744073000000000,
        "procExitAbsTime": 18446744073500000000,
        "procName": app.name,
        "procPath": app.path,
        "bundleInfo": {
            "CFBundleShortVersionString": app.short,
            "CFBundleVersion": app.build,
            "CFBundleIdentifier": app.bundle},
        "parentProc": report.parent, "parentPid": 1,
        "coalitionName": report.coalition,
        "crashReporterKey": report.reporter,
        "exception": report.exception,
        "termination": report.termination,
    }
    if report.note == "EXC_CORPSE_NOTIFY":
        out["isCorpse"] = 1
    if report.bug_type == "308":
        out["isSimulated"] = 1
    if report.information:
        out["asi"] = {}
        for name, text in report.information:
            out["asi"].setdefault(name, []).append(text)
    if report.thrown:
        out["lastExceptionBacktrace"] = [frame(report, f)
                                         for f in report.thrown]
    if report.crashed is not None:
        out["faultingThread"] = report.crashed
    out["threads"] = [thread(report, i, t)
                      for i, t in enumerate(report.threads)]
    out["usedImages"] = [image(it, app) for it in report.images]
    out["sharedCache"] = {
        "base": 0x180000000, "size": 0x80000000,
        "uuid": "0f1e2d3c-4b5a-3697-8877-665544332211"}
    return out


def report(it):
    return header(it) + dump(body(it)) + "\n" + it.tail
