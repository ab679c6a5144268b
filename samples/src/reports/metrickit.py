"""MetricKit's diagnostic payloads: the form up to OS 26, and that of OS 27."""

import json

DAY = {"timeStampBegin": "2026-01-30 16:00:00 +0000",
       "timeStampEnd": "2026-01-31 15:59:00 +0000"}
EXCEPTIONS = {"EXC_BAD_ACCESS": 1, "EXC_CRASH": 10}
SIGNALS = {"SIGSEGV": 11, "SIGABRT": 6}


def dump(value):
    text = json.dumps(value, indent=2, separators=(",", " : "))
    return text.replace("/", "\\/") + "\n"


def frame(it, samples, named=True):
    out = {"binaryUUID": it.image.uuid,
           "offsetIntoBinaryTextSegment": it.offset,
           "sampleCount": samples,
           "address": it.address}
    if named:
        out["binaryName"] = it.image.name
    return out


def chain(frames, samples=1, end=None, named=True):
    """Frames below each other, the first one outside; `end` below the last."""
    inner = end or []
    for it in reversed(frames):
        out = frame(it, samples, named)
        if inner:
            out["subFrames"] = inner
        inner = [out]
    return inner


def facts(report):
    return {"appVersion": report.app.short,
            "appBuildVersion": report.app.build,
            "bundleIdentifier": report.app.bundle,
            "deviceType": report.hardware,
            "osVersion": f"{report.system} ({report.build})",
            "platformArchitecture": report.app.arch,
            "regionFormat": "NZ"}


def crash_facts(report):
    return facts(report) | {
        "exceptionType": EXCEPTIONS[report.exception["type"]],
        "exceptionCode": report.exception["rawCodes"][0],
        "signal": SIGNALS[report.exception["signal"]],
        "terminationReason": "Namespace SIGNAL, Code 0xb",
        "virtualMemoryRegionInfo":
            "0 is not in any region.  Bytes before following region: "
            f"{report.app.base}\n      REGION TYPE                 START - "
            "END      [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL\n      UNUSED "
            "SPACE AT START\n--->  \n      __TEXT                "
            f"{report.app.base:x}-{report.app.base + 0x8000:x} [   32K] "
            "r-x/r-x SM=COW  .../Demo.app/Demo"}


def crash(report):
    """A crash: innermost first, every frame below the one it called."""
    stacks = [{"threadAttributed": thread.crashed,
               "callStackRootFrames": chain(thread.frames)}
              for thread in report.threads]
    return dump(DAY | {"crashDiagnostics": [{
        "version": "1.0.0",
        "callStackTree": {"callStacks": stacks, "callStackPerThread": True},
        "diagnosticMetaData": crash_facts(report)}]})


def busy_and_waiting(report, system, named=True):
    """The main thread's samples, outermost first: it reads, then it waits."""
    main = list(reversed(report.threads[0].frames))
    fork = next(i for i, it in enumerate(main)
                if it.symbol == "__CFRunLoopRun")
    waiting = next(thread.frames for thread in report.threads
                   if thread.frames[0].symbol == "mach_msg2_trap")
    waiting = [it for it in reversed(waiting)
               if it.image is system["libsystem_kernel.dylib"]
               or it.symbol == "__CFRunLoopServiceMachPort"]
    below = (chain(main[fork + 1:], 14, named=named)
             + chain(waiting, 6, named=named))
    return chain(main[:fork + 1], 20, below, named)


def by_name(report):
    return {image.name: image for image in report.images}


def hang(report):
    """A hang and too much CPU: samples, outermost first."""
    roots = busy_and_waiting(report, by_name(report))
    return dump(DAY | {
        "hangDiagnostics": [{
            "version": "1.0.0",
            "diagnosticMetaData": facts(report) | {"hangDuration": "20 sec"},
            "callStackTree": {
                "callStackPerThread": True,
                "callStacks": [{"threadAttributed": True,
                                "callStackRootFrames": roots}]}}],
        "cpuExceptionDiagnostics": [{
            "version": "1.0.0",
            "diagnosticMetaData": facts(report) | {
                "totalCPUTime": "80 sec", "totalSampledTime": "120 sec"},
            "callStackTree": {
                "callStackPerThread": False,
                "callStacks": [{"callStackRootFrames": roots}]}}]})


def new_form(report):
    """OS 27: an object a kind, and the names of the images apart."""
    system = by_name(report)
    stacks = [{"threadAttributed": thread.crashed,
               "rootFrames": chain(thread.frames, named=False)}
              for thread in report.threads]
    used = [image for image in report.images
            if any(it.image is image for thread in report.threads
                   for it in thread.frames)]
    old = facts(report) | {"osVersion": "iPhone OS 27.0 (25A326)"}
    return dump(DAY | {
        "crashDiagnostic": {
            "diagnosticMetaData": crash_facts(report) | old | {
                "terminationCategory": "badAccess"},
            "callStackTree": {
                "callStackPerThread": True,
                "binaryInfo": {image.uuid: {"name": image.name}
                               for image in used},
                "callStackThreads": stacks}},
        "memoryExceptionDiagnostic": {
            "diagnosticMetaData": old | {"peakMemory": "2048 MB"},
            "callStackTree": {
                "callStackPerThread": False,
                "binaryInfo": [{"uuid": image.uuid, "name": image.name}
                               for image in used],
                "callStackThreads": [{
                    "rootFrames": busy_and_waiting(report, system, False)}]}},
    })
