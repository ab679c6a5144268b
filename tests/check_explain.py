#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that `explain` finds the causes it should, and proves its claims.

    tests/check_explain.py --program build/dev/apmtool [--corpus DIR]

CASES are invented reports, each with the cause it must get; SAMPLES are those of
samples/. Of every report, the corpus' too where it is there, each claim has
evidence: a line that the text has, or a path that its JSON has. CORPUS lists what
reports of the team's corpus must get. The causes are the same in the manual, in
the schema and in the table of the program.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEAR = ROOT.parent / "shared/corpus"


def frame(symbol, image=0, offset=0x1000):
    return {"imageOffset": offset, "symbol": symbol, "symbolLocation": 4, "imageIndex": image}


def ips(exception, frames=(), termination=None, state=None, **more):
    """An .ips report: image 0 is the app, image 1 the system's."""
    thread = {"triggered": True, "id": 7, "queue": "com.apple.main-thread", "frames": list(frames) or [frame("demo()")]}
    if state:
        thread["threadState"] = dict({"flavor": "x86_THREAD_STATE" if "rax" in state else "ARM_THREAD_STATE64"}, **{k: {"value": v} for k, v in state.items()})
    body = {
        "procName": "Demo", "pid": 612, "cpuType": "ARM-64", "procPath": "/private/var/x/Demo.app/Demo",
        "exception": exception, "faultingThread": 0, "threads": [thread],
        "usedImages": [
            {"source": "P", "arch": "arm64", "base": 0x100000000, "size": 0x10000, "uuid": "4c4c44bd-5555-3144-a18b-1d7a14acc538", "path": "/private/var/x/Demo.app/Demo", "name": "Demo"},
            {"source": "P", "arch": "arm64e", "base": 0x180000000, "size": 0x10000, "uuid": "5c4c44bd-5555-3144-a18b-1d7a14acc538", "path": "/usr/lib/libobjc.A.dylib", "name": "libobjc.A.dylib"},
        ],
    }
    if termination:
        body["termination"] = termination
    body.update(more)
    head = {"app_name": "Demo", "bug_type": "309", "os_version": "iPhone OS 17.2 (21C62)", "incident_id": "9A"}
    return json.dumps(head) + "\n" + json.dumps(body)


def access(address, code=1, name="KERN_INVALID_ADDRESS", **more):
    exception = {"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV", "codes": f"0x{code:016x}, 0x{address:016x}", "rawCodes": [code, address], "subtype": f"{name} at 0x{address:016x}"}
    return ips(exception, **more)


def killed(space, code, **more):
    return ips({"type": "EXC_CRASH", "signal": "SIGKILL", "codes": "0x0, 0x0"}, termination=dict({"namespace": space, "code": code, "flags": 0}, **more))


def aborted(asi, **more):
    return ips({"type": "EXC_CRASH", "signal": "SIGABRT", "codes": "0x0, 0x0"}, asi={"lib": [asi]} if asi else {}, **more)


def trap(frames=(), asi=None):
    more = {"asi": {"lib": [asi]}} if asi else {}
    return ips({"type": "EXC_BREAKPOINT", "signal": "SIGTRAP", "codes": "0x1, 0x100001000"}, frames, **more)


def swift_without_names():
    nameless = frame("", 1)
    del nameless["symbol"], nameless["symbolLocation"]
    return trap([nameless, frame("applyDiscount(_:)")]).replace("libobjc.A.dylib", "libswiftCore.dylib")


def kscrash(error):
    return json.dumps({
        "report": {"version": "3.3.0", "id": "9A8B7C6D-0000-4000-8000-000000000001", "process_name": "Demo", "timestamp": 1769821687123456, "type": "standard"},
        "binary_images": [], "system": {"system_name": "iOS", "system_version": "17.2", "cpu_arch": "arm64", "process_name": "Demo"},
        "crash": {"error": error, "threads": [{"index": 0, "crashed": True, "backtrace": {"contents": [{"object_name": "Demo", "object_addr": 4294967296, "instruction_addr": 4294971392}], "skipped": 0}}]},
    })


def ended(reason):
    """What KSCrash 2.6 finds at the next launch: without threads."""
    return json.dumps({
        "report": {"version": "3.9.0", "process_name": "Demo", "timestamp": 1769821687123456, "monitor_id": "Termination", "run_id": "r"},
        "system": {"thermal_state": 3, "battery_level": 1, "battery_state": 1, "cpu_state": "critical", "cpu_average_usage_permil": 990,
                   "app_memory": {"memory_level": "terminal", "memory_pressure": "critical"}, "application_stats": {"application_in_foreground": True}},
        "crash": {"error": {"type": "termination", "termination_reason": reason, "is_fatal": True, "signal": {"signal": 9, "name": "SIGKILL"}}},
    })


def metrickit(stack, **diagnostics):
    """A payload with one diagnostic, or the call tree alone."""
    tree = {"callStacks": [{"threadAttributed": True, "callStackRootFrames": [stack]}], "callStackPerThread": True}
    if not diagnostics:
        return json.dumps(tree)
    (kind, metadata), = diagnostics.items()
    data = dict({"appVersion": "2.1", "osVersion": "iPhone OS 17.2 (21C62)", "bundleIdentifier": "com.example.demo", "platformArchitecture": "arm64e"}, **metadata)
    return json.dumps({"timeStampBegin": "2026-01-31 09:00:00", "timeStampEnd": "2026-01-31 10:00:00", kind: [{"version": "1.0.0", "callStackTree": tree, "diagnosticMetaData": data}]})


def sampled(*counts):
    """Frames of MetricKit below each other, with their samples."""
    inner = [sampled(*counts[1:])] if counts[1:] else []
    # Samples branch, a crash does not.
    if inner and counts[1] < counts[0]:
        inner.append(dict(sampled(counts[0] - counts[1]), address=4294975488, offsetIntoBinaryTextSegment=8192))
    return {"binaryUUID": "4C4C44BD-5555-3144-A18B-1D7A14ACC538", "binaryName": "Demo", "address": 4294971392, "offsetIntoBinaryTextSegment": 4096, "sampleCount": counts[0], "subFrames": inner}


def plcrash_text(name, images):
    """PLCrashReporter's text, which borrows Foundation's words for any exception."""
    frames = "\n".join(f"{i:<4}{image:<30} 0x{0x1000 + i:08x} 0x1000 + {i}" for i, image in enumerate(images))
    return f"""Incident Identifier: 9A
CrashReporter Key:   TODO
Hardware Model:      x86_64
Process:         Demo [612]
Version:         ??? (???)
Code Type:       X86

OS Version:      Mac OS X 9.3 (15E65)
Report Version:  104

Exception Type:  SIGABRT
Exception Codes: #0 at 0x9c54572
Crashed Thread:  0

Application Specific Information:
*** Terminating app due to uncaught exception '{name}', reason: 'bad.Xamarin Exception Stack:
  at Demo.Page.Throw () [0x0000d] in /x/Page.cs:105'

Last Exception Backtrace:
{frames}

Thread 0 Crashed:
0   libsystem_kernel.dylib         0x09c54572 0x9c3e000 + 91506
"""


def guarded(code):
    return ips({"type": "EXC_GUARD", "signal": "SIGKILL", "codes": f"0x{code:016x}, 0x0"})


def resource(code, subcode=0):
    return ips({"type": "EXC_RESOURCE", "codes": f"0x{code:016x}, 0x{subcode:016x}"})


def watchdog(app_s):
    return killed("FRONTBOARD", 0x8BADF00D, reasons=["scene-create watchdog transgression: app<com.example.demo>:612 exhausted real (wall clock) time allowance of 20.00 seconds", f'"Elapsed application CPU time (seconds): {app_s}, 1% CPU"'])


def spindump(threads, event="hang", more=()):
    """Samples of Demo [612]: of each thread its id, header, and the note of its last frame; (note, count) where not all."""
    lines = ["Date/Time:        2026-01-31 09:08:03.100 +0800", "OS Version:       iPhone OS 16.0 (Build 20A362)", "Report Version:   40",
             "Data Source:      Stackshots", "", "Command:          Demo", "Path:             /private/var/x/Demo.app/Demo", "PID:              612", "",
             f"Event:            {event}", "Duration:         4.02s", *more, "Steps:            40 (100ms sampling interval)", "",
             "Process:          Demo [612]", "Path:             /private/var/x/Demo.app/Demo", ""]
    for number, header, note in threads:
        note, count = note if isinstance(note, tuple) else (note, 40)
        lines += [f"  Thread 0x{number:x}    {header}    40 samples (1-40)    priority 46 (base 46)",
                  "  40  start + 520 (dyld + 88388) [0x1b2c15944]", f"    40  lock_{number:x} + 4 (Demo + 2228) [0x100e808b4]",
                  f"      {count}  __psynch_mutexwait + 8 (libsystem_kernel.dylib + 11868) [0x1b2d02e5c]",
                  f"       *{count}  psynch_mtxcontinue + 0 (kernel + 335600) [0xfffffff007055ef0]{f' ({note})' if note else ''}", ""]
    lines += ["  Binary Images:", "           0x100e80000 -        0x100e87fff  com.example.demo 2.1 (210) <4C4C44BD-5555-3144-A18B-1D7A14ACC538>  /private/var/x/Demo.app/Demo",
              "           0x1b2d00000 -        0x1b2d35fff  libsystem_kernel.dylib (1.0) <DE1FFA23-3661-32CE-8E47-7B89DCE10B4E>  /usr/lib/system/libsystem_kernel.dylib", ""]
    return "\n".join(lines)


def stackshot(bug_type, waits, **more):
    threads = {str(i): {"id": i, "state": ["TH_WAIT"], "userFrames": [[0, 4096]]} for i in (11, 22, 33)}
    body = dict({"build": "iPhone OS 16.2 (20C65)", "product": "iPhone11,8", "binaryImages": [["4c4c44bd-5555-3144-a18b-1d7a14acc538", 4294967296, "P"]],
                 "processByPid": {"612": {"pid": 612, "procname": "Demo", "threadById": threads, **waits}}}, **more)
    return json.dumps({"bug_type": bug_type, "os_version": "iPhone OS 16.2 (20C65)"}) + "\n" + json.dumps(body)


MAIN = 'DispatchQueue "com.apple.main-thread"(1)'
WAIT = "blocked by turnstile waiting for "
GUARD_REGION = "0x16f0a3ff0 is in 0x16f0a0000-0x16f0a4000;\n      REGION TYPE\n--->  STACK GUARD    16f0a0000-16f0a4000 [ 16K] ---/rwx SM=NUL\n      Stack"
READ_ONLY = "0x100000010 is in 0x100000000-0x100004000;\n--->  __TEXT    100000000-100004000 [ 16K] r-x/r-x SM=COW"
SWIFT = "_assertionFailure(_:_:file:line:flags:)"

OLD_WATCHDOG = """Incident Identifier: 9A
Process:         Demo [612]
OS Version:      iPhone OS 7.0 (11A465)

Exception Type:  00000020
Exception Codes: 0x000000008badf00d
Highlighted Thread:  0

Application Specific Information:
com.example.demo failed to launch in time

Elapsed total CPU time (seconds): 24.600 (user 24.600, system 0.000), 61% CPU
Elapsed application CPU time (seconds): 0.237, 1% CPU

Thread 0:
0   libsystem_kernel.dylib        \t0x38a0f0fc semaphore_wait_trap + 8
1   Demo                          \t0x000e0b1c 0xdf000 + 6940
"""

# A name, the cause, words that the verdict must have, the report.
OLD_SIGNATURE = """Process:               Acme [612]
Path:                  /Applications/Acme.app/Contents/MacOS/Acme
Code Type:             X86-64 (Native)
OS Version:            Mac OS X 10.14.5 (18F132)
Report Version:        12

Crashed Thread:        Unknown

Exception Type:        EXC_CRASH (Code Signature Invalid)
Exception Codes:       0x0000000000000000, 0x0000000000000000

Termination Signal:    Terminated: 15
Termination Reason:    Namespace SIGNAL, Code 0xf
Terminating Process:   launchd [1]
"""

CASES = [
    ("null", "null-dereference", "null pointer", access(0)),
    ("null and an offset", "null-dereference", "null plus 16", access(16)),
    ("a byte of null", "null-dereference", "or a small number used as a pointer", access(1)),
    ("last of null", "null-dereference", "null plus 16380", access(0x3FFC)),
    ("above null", "bad-access", "0x4000", access(0x4000)),
    ("null function", "bad-jump", "null function pointer", access(0, state={"pc": 0})),
    ("nowhere", "bad-access", "nothing is mapped", access(0x7000000, vmRegionInfo="0x7000000 is not in any region.  Bytes after previous region: 1")),
    ("read-only", "protected-memory", "does not permit", access(0x100000010, 2, "KERN_PROTECTION_FAILURE", vmRegionInfo=READ_ONLY)),
    ("data as code", "bad-jump", "", access(0x170000000, 2, "KERN_PROTECTION_FAILURE", state={"pc": 0x170000000})),
    ("misaligned", "misaligned-access", "misaligned", access(0x170000001, 0x101, "EXC_ARM_DA_ALIGN")),
    ("non-canonical", "non-canonical-address", "", access(0x6F6F667261620000)),
    ("scribbled", "use-after-free", "freed", access(0x5555555555555565)),
    ("unset", "bad-access", "never set", access(0xAAAAAAAAAAAAAAB2)),
    ("scribbled, in a register", "use-after-free", "after it was freed", ips({"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV", "codes": "EXC_I386_GPFLT"}, cpuType="X86-64", state={"rax": 0x5555555555555555})),
    ("scribbled class", "use-after-free", "likely, it was freed", access(0x7000000, frames=[frame("objc_msgSend", 1), frame("-[Demo run]")], state={"x16": 0x5555555555555555})),
    ("dead class", "use-after-free", "freed", access(0xDEADFACE)),
    ("tag", "mte-tag-fault", "memory tag", access(0x0A00000170001000, 0x106, "EXC_ARM_MTE_TAG_FAULT")),
    ("tag of a guard", "mte-tag-fault", "memory tag", ips({"type": "EXC_GUARD", "signal": "SIGKILL", "codes": "0x0000000000000106, 0x0a00000170001000"})),
    ("signature", "pac-failure", "authentication", access(0x100001000, 0x105, "EXC_ARM_PAC_FAIL")),
    ("signature, possibly", "pac-failure", "authentication", ips({"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV", "subtype": "KERN_INVALID_ADDRESS at 0x2000000100ae9df8 -> 0x0000000100ae9df8 (possible pointer authentication failure)", "codes": "0x1, 0x2000000100ae9df8"}).replace('"arm64"', '"arm64e"')),
    ("no signatures in arm64", "non-canonical-address", "overwritten", ips({"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV", "subtype": "KERN_INVALID_ADDRESS at 0x2000000100ae9df8 -> 0x0000000100ae9df8 (possible pointer authentication failure)", "codes": "0x1, 0x2000000100ae9df8"})),
    ("libobjc without a name", "use-after-free", "not an object", access(0x38, frames=[{"imageOffset": 0x1bd0, "imageIndex": 1}, frame("-[Demo run]")])),
    ("bad page", "code-signature", "signature", access(0x100001000, 50, "UNKNOWN_0x32")),
    ("message to no object", "use-after-free", "not an object", access(0x38023FF89C18, frames=[frame("objc_msgSend", 1), frame("-[Demo run]")])),
    ("zombie", "use-after-free", "deallocated instance", aborted("*** -[Demo run]: message sent to deallocated instance 0x280a1b2c0")),
    ("guard page", "stack-overflow", "out of stack", access(0x16F0A3FF0, 2, "KERN_PROTECTION_FAILURE", vmRegionInfo=GUARD_REGION)),
    ("recursion", "stack-overflow", "recursion in visit(_:)", access(0x16F0A3FF0, 2, "KERN_PROTECTION_FAILURE", frames=[frame("visit(_:)"), frame("walk(_:)")] * 20, vmRegionInfo=GUARD_REGION)),
    ("recursion, no region", "stack-overflow", "recursion", access(0x16F0A3FF0, 2, "KERN_PROTECTION_FAILURE", frames=[frame("visit(_:)")] * 20, state={"sp": 0x16F0A4000})),
    ("neighbour of a guard", "bad-access", "", access(0x7000000, vmRegionInfo="0x7000000 is not in any region.\n      STACK GUARD    6f0a0000-6f0a4000\n--->  \n      UNUSED SPACE")),
    ("exception", "objc-exception", "beyond bounds", aborted("*** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3 beyond bounds [0 .. 2]'")),
    ("exception, as fields", "objc-exception", "beyond bounds", aborted(None, exceptionReason={"name": "NSRangeException", "composed_message": "index 3 beyond bounds", "type": "objc-exception"})),
    ("exception without words", "objc-exception", "the stack shows -[Demo run])", aborted("abort() called", lastExceptionBacktrace=[frame("__exceptionPreprocess", 1), frame("objc_exception_throw", 1), frame("-[Demo run]")])),
    ("exception of a function without a name", "objc-exception", "does not give its reason", aborted("abort() called", lastExceptionBacktrace=[frame("__exceptionPreprocess", 1), frame("objc_exception_throw", 1), frame(None)])),
    ("background task", "background-task", "was not over in the time that it had", OLD_WATCHDOG.replace("Elapsed", "<BKNewProcess: 0x1; com.acme.Acme; pid: 7> has active assertions beyond permitted time:\nElapsed", 1)),
    ("background task of assertiond", "background-task", "was not over", killed("ASSERTIOND", 0x8badf00d)),
    ("signature at the start", "code-signature", "its code signature is not valid", OLD_SIGNATURE),
    ("C++", "uncaught-exception", "std::out_of_range", aborted("terminating with uncaught exception of type std::out_of_range: vector")),
    ("C++, by its stack", "cpp-exception", "not caught", aborted("abort() called", frames=[frame("__pthread_kill", 1), frame("abort", 1), frame("std::terminate()", 1), frame("__cxa_throw", 1), frame("demo()")])),
    ("Swift", "swift-trap", "Swift check", trap([frame(SWIFT, 1), frame("applyDiscount(_:)")])),
    ("Swift, inlined", "swift-trap", "arithmetic overflow", trap([dict(frame("Swift runtime failure: arithmetic overflow"), inline=True), frame("sum(_:)")])),
    ("Swift, in words", "swift-trap", "Index out of range", trap(asi="Demo/main.swift:10: Fatal error: Index out of range")),
    ("hardened C++", "assertion", "out of bounds", trap([dict(frame("vector:1393: assertion __n < size() failed: vector[] index out of bounds"), inline=True), frame("demo()")])),
    ("trap", "trap", "does not say", trap()),
    ("Swift, without names", "swift-trap", "a Swift check failed", swift_without_names()),
    ("instruction", "bad-instruction", "illegal instruction: something that is not code", ips({"type": "EXC_BAD_INSTRUCTION", "signal": "SIGILL", "codes": "0x1, 0x0"})),
    ("instruction of Intel", "bad-instruction", "a trap of the compiler", ips({"type": "EXC_BAD_INSTRUCTION", "signal": "SIGILL", "codes": "0x1, 0x0"}, cpuType="X86-64")),
    ("division", "arithmetic", "divided by zero", ips({"type": "EXC_ARITHMETIC", "signal": "SIGFPE", "codes": "0x1, 0x0"}, cpuType="X86-64")),
    ("abort", "abort", "does not say why", aborted("abort() called")),
    ("assertion", "assertion", "x > 0", aborted("Assertion failed: (x > 0), function f, file f.c, line 3.")),
    ("misuse", "api-misuse", "Semaphore", trap(asi="BUG IN CLIENT OF LIBDISPATCH: Semaphore object deallocated while in use")),
    ("deadlock", "deadlock", "held itself", trap(asi="BUG IN CLIENT OF LIBDISPATCH: dispatch_sync called on queue already owned by current thread")),
    ("two locks", "deadlock", "thread 0x11 (the main thread) of Demo [612] waits for thread 0x22 of Demo [612], which waits for thread 0x11 (the main thread)",
     spindump([(0x11, MAIN, WAIT + "Demo [612] thread 0x22"), (0x22, 'Thread name "work"', WAIT + "thread 0x11")])),
    ("three, by hops", "deadlock", "a deadlock: thread 0x22 of Demo [612] waits for thread 0x33 of Demo [612], which waits for thread 0x22",
     spindump([(0x11, MAIN, WAIT + "Demo [612] thread 0x22 after 2 hops"), (0x22, "", WAIT + "Demo [612] thread 0x33"), (0x33, "", "suspended, blocked by turnstile with priority 47 waiting for Demo [612] thread 0x22")])),
    ("its own lock", "deadlock", "waits for itself", spindump([(0x11, MAIN, WAIT + "this thread - part of a deadlock")])),
    ("not at once, perhaps", "deadlock", "a deadlock: thread 0x11", spindump([(0x11, MAIN, (WAIT + "Demo [612] thread 0x22", 12)), (0x22, "", WAIT + "thread 0x11")])),
    ("a chain", "hang", "did not respond for 4.02s", spindump([(0x11, MAIN, WAIT + "Demo [612] thread 0x22"), (0x22, "", WAIT + "smd [88] after 2 hops")])),
    ("words that are no wait", "hang", "did not respond", spindump([(0x11, MAIN, "waiting for this thread"), (0x22, "", WAIT), (0x33, "", WAIT + "thread 0x")])),
    ("locks of a kernel", "deadlock", "thread 0xb of Demo [612] waits for thread 0x16 of Demo [612], which waits for thread 0xb",
     stackshot("288", {"waitInfo": ["thread 11: kernel mutex 0x1 owned by thread 22", "thread 33: mach_msg receive on port set 0x2"], "turnstileInfo": ["thread 22: blocked on 11, hops: 1, priority: 46"]})),
    ("an owner that runs", "no-crash", "", stackshot("288", {"waitInfo": ["thread 11: kernel mutex 0x1 owned by thread 22", "thread 22: semaphore port 0x1 owned by pid 612"]})),
    ("a reset", "forced-reset", "reset by its user", stackshot("151", {}, string="panic(cpu 1 caller 0xfffffff02e156784): btn_rst")),
    ("CPU, no limit", "cpu-usage", "a record of CPU time by process", '{"bug_type":"202","app_name":"Demo","os_version":"iPhone OS 16.0 (20A362)"}\n' + spindump([(0x11, MAIN, "")], "cpu usage")),
    ("CPU, a kill", "cpu-limit", "more CPU time than the system permits, and was killed for it: 90 seconds", spindump([(0x11, MAIN, "")], "cpu usage", ["Action taken:     Process killed", "CPU:              90 seconds cpu time over 90 seconds (100% cpu average), exceeding limit of 50% cpu over 180 seconds"])),
    ("wakeups, samples", "wakeups-limit", "woke the processor", spindump([(0x11, MAIN, "")], "wakeups", ["Wakeups:          45001 wakeups over the last 174 seconds (259 wakeups per second average), exceeding limit of 150 wakeups per second over 300 seconds"])),
    ("a signal that was raised", "signal", "SIGSEGV", ips({"type": "EXC_CRASH", "signal": "SIGSEGV", "codes": "0x0, 0x0"})),
    ("main thread, in text", "deadlock", "reporter", "Incident Identifier: 9A\nProcess:         Demo [872]\nOS Version:      iPhone OS 4.3.3 (8J2)\n\nException Type:  0 (0)\nCrashed Thread:  0\n\nApplication main thread deadlocked\n\nThread 0 Crashed:\n0   libsystem_kernel.dylib          0x3618bc5c 0x3617c000 + 64604 (semaphore_wait_signal_trap + 8)\n1   libsystem_c.dylib               0x36262738 0x36231000 + 202552 (pthread_mutex_lock + 260)\n2   Demo                            0x000f61c8 0xee000 + 33224 (demo + 64)\n"),
    ("free", "invalid-free", "not allocated", aborted("Demo(612,0x1) malloc: *** error for object 0x1: pointer being freed was not allocated")),
    ("freed block", "memory-corruption", "after it was freed", aborted("malloc: incorrect checksum for freed object 0x1: probably modified after being freed.")),
    ("canary", "memory-corruption", "", aborted(None, frames=[frame("__pthread_kill", 1), frame("__stack_chk_fail", 1), frame("demo()")])),
    ("watchdog, waiting", "watchdog", "it was waiting", watchdog("0.237")),
    ("watchdog, busy", "watchdog", "it was busy", watchdog("19.1")),
    ("watchdog, undecided", "watchdog", "within 20 s", watchdog("8.0")),
    ("watchdog of old", "watchdog", "while it was to launch", OLD_WATCHDOG),
    ("lock", "file-lock", "lock", killed("RUNNINGBOARD", 0xDEAD10CC)),
    ("heat", "thermal", "too hot", killed("SPRINGBOARD", 0xC00010FF)),
    ("calls", "voip", "CallKit", killed("SPRINGBOARD", 0xBAADCA11)),
    ("force quit", "force-quit", "", killed("SPRINGBOARD", 0xDEADFA11)),
    ("background", "background-task", "took too long", killed("RUNNINGBOARD", 0x2182BAD2)),
    ("signing", "code-signature", "invalid page", killed("CODESIGNING", 2)),
    ("linker", "dyld", "library is missing", killed("DYLD", 1, indicator="Library missing")),
    ("privacy", "privacy-violation", "", killed("TCC", 0)),
    ("other namespace", "system-termination", "the sandbox", killed("SANDBOX", 77)),
    ("jetsam", "jetsam-per-process-limit", "hard limit", killed("JETSAM", 7, indicator="per-process-limit")),
    ("jetsam, soft limit", "jetsam-highwater", "soft limit", killed("JETSAM", 2, indicator="highwater")),
    ("jetsam, pressure", "jetsam-vm-pageshortage", "short of free pages", killed("JETSAM", 4, indicator="vm-pageshortage")),
    ("jetsam, files", "jetsam", "open files", killed("JETSAM", 3, indicator="vnode-limit")),
    ("security", "security-violation", "security policy", killed("SPRINGBOARD", 0x2BAD45EC)),
    ("storage", "disk-space", "storage", killed("RUNNINGBOARD", 0xBADDD15C)),
    ("start", "exec-failure", "not valid", killed("EXEC", 1)),
    ("out of memory", "out-of-memory", "likely", kscrash({"type": "memory_termination", "memory_termination": {"memory_pressure": "critical"}, "signal": {"signal": 9, "name": "SIGKILL"}})),
    ("memory limit", "memory-limit", "likely because its memory reached the limit", ended("memory_limit")),
    ("memory pressure", "memory-pressure", "killed in the foreground, likely because the system was short of memory", ended("memory_pressure")),
    ("heat", "thermal", "likely because the device was too hot", ended("thermal")),
    ("CPU", "cpu-limit", "likely because it used too much CPU time", ended("cpu")),
    ("battery", "low-battery", "the battery was empty", ended("low_battery")),
    ("hang at the end", "watchdog", "likely because its main thread did not respond", ended("hang")),
    ("unexplained", "unexplained", "nothing that was recorded explains it", ended("unexplained")),
    ("crashed", "crashed", "another report says how", ended("crash")),
    ("clean exit", "clean-exit", "ended by itself", ended("clean")),
    ("first launch", "first-launch", "for the first time", ended("first_launch")),
    ("system update", "os-update", "the system was updated", ended("os_upgrade")),
    ("app update", "app-update", "the app was updated", ended("app_upgrade")),
    ("reboot", "reboot", "the device was restarted", ended("reboot")),
    ("reason of tomorrow", "inconclusive", "gives the reason 'sunspots'", ended("sunspots")),
    ("fatal hang", "watchdog", "did not respond in time", kscrash({"type": "mach", "exit_reason": {"code": 0x8BADF00D}, "hang": {"hang_start_nanos": 10**9, "hang_end_nanos": 4 * 10**9}, "mach": {"exception": 10}, "signal": {"signal": 9}})),
    ("recovered hang", "hang", "did not respond for 3 s", kscrash({"type": "hang", "is_fatal": False, "hang": {"hang_start_nanos": 10**9, "hang_end_nanos": 4 * 10**9, "hang_recovered": True}})),
    ("hang before a crash", "null-dereference", "", kscrash({"type": "mach", "address": 8, "hang": {"hang_start_nanos": 1, "hang_end_nanos": 4 * 10**9, "hang_recovered": True}, "mach": {"exception": 1, "code": 1}, "signal": {"signal": 11}})),
    ("profile", "no-crash", "samples of a thread", kscrash({"type": "profile", "profile": {"frames": [{"instruction_addr": 1}], "samples": [{"frames": [0]}]}})),
    ("reported", "user-report", "no network", kscrash({"type": "user", "reason": "no network", "user_reported": {"name": "Offline"}})),
    ("C++, as fields", "cpp-exception", "std::runtime_error: bad thing", kscrash({"type": "cpp_exception", "reason": "bad thing", "cpp_exception": {"name": "St13runtime_error"}, "signal": {"signal": 6, "name": "SIGABRT"}})),
    ("main thread", "deadlock", "reporter", kscrash({"type": "deadlock"})),
    ("kill", "killed", "does not say by whom", ips({"type": "EXC_CRASH", "signal": "SIGKILL", "codes": "0x0, 0x0"})),
    ("terminate", "signal", "SIGTERM", ips({"type": "EXC_CRASH", "signal": "SIGTERM", "codes": "0x0, 0x0"})),
    ("CPU", "cpu-limit", "CPU time", resource(1 << 61 | 2 << 58 | 180 << 7 | 80, 93)),
    ("wakeups", "wakeups-limit", "wakeups", resource(2 << 61 | 1 << 58 | 300 << 20 | 150, 195)),
    ("memory", "memory-limit", "memory", resource(3 << 61 | 1 << 58 | 1450)),
    ("writes", "disk-writes-limit", "storage", resource(4 << 61 | 1 << 58 | 3600 << 15 | 1024, 2048)),
    ("threads", "threads-limit", "threads", resource(5 << 61 | 1 << 58 | 2048)),
    ("ports", "ports-limit", "Mach ports", resource(6 << 61 | 1 << 58 | 9000)),
    ("port", "guard", "invalid name", guarded(0x2000020000002703)),
    ("descriptor", "guard", "it was closed", guarded(2 << 61 | 1 << 32 | 5)),
    ("graphics signature", "graphics-error", "Graphics kernel error: 0xfffffffb", aborted("abort() called", asiSignatures=["Graphics kernel error: 0xfffffffb"])),
    ("graphics command", "graphics-error", "IOAF code 3", aborted("Execution of the command buffer was aborted due to an error during execution. Caused GPU Hang Error (IOAF code 3)")),
    ("graphics driver", "graphics-error", "in the background", access(1, frames=[frame("gpus_ReturnNotPermittedKillClient", 1), frame("gldUpdateDispatch", 1)])),
    ("raised", "signal", "Demo raised SIGSEGV itself", ips({"type": "EXC_CRASH", "signal": "SIGSEGV", "codes": "0x0, 0x0"}, frames=[frame("__pthread_kill", 1), frame("raise", 1), frame("demo()")])),
    ("managed exception", "objc-exception", "System.AggregateException: bad.", plcrash_text("System.AggregateException", ["CoreFoundation", "libobjc.A.dylib", "Demo"])),
    ("C++ in borrowed words", "uncaught-exception", "kaboom*: bad.", plcrash_text("kaboom*", ["libc++abi.dylib", "libobjc.A.dylib", "Demo"])),
    ("CPU exception", "cpu-limit", ": 20 sec within 60 sec", metrickit(sampled(7, 6), cpuExceptionDiagnostics={"totalCPUTime": "20 sec", "totalSampledTime": "60 sec"})),
    ("disk writes", "disk-writes-limit", ": 2,000 MB", metrickit(sampled(7, 6), diskWriteExceptionDiagnostics={"writesCaused": "2,000 MB"})),
    ("launch", "hang", ": 21 sec", metrickit(sampled(7, 6), appLaunchDiagnostics={"launchDuration": "21 sec"})),
    ("MetricKit hang", "hang", "did not respond for 3 sec", metrickit(sampled(7, 6), hangDiagnostics={"hangDuration": "3 sec"})),
    ("MetricKit crash", "file-lock", "SQLite", metrickit(sampled(1, 1), crashDiagnostics={"exceptionType": 10, "exceptionCode": 0, "signal": 9, "terminationReason": "Namespace RUNNINGBOARD, Code 0xdead10cc"})),
    ("MetricKit access", "null-dereference", "null plus 16", metrickit(sampled(1, 1), crashDiagnostics={"exceptionType": 1, "exceptionCode": 1, "signal": 11, "virtualMemoryRegionInfo": "0x10 is not in any region.  Bytes before following region: 4000"})),
    ("samples alone", "inconclusive", "whether it was sampled during a hang, a launch", metrickit(sampled(7, 6))),
    ("a tree alone", "inconclusive", "whether it was a crash or a hang", metrickit(sampled(1, 1))),
    ("stackshot: reason", "no-crash", "Power assertion timeout for \"Demo\". (exception 0xdeaffeed)", stackshot("288", {}, reason="Power assertion timeout for \"Demo\".\nBacktrace: pid 612", exception="0xdeaffeed")),
    ("measure with a stop", "hang", "respond for 3 secs", metrickit(sampled(7, 6), hangDiagnostics={"hangDuration": "3 secs."})),
    ("bytes", "disk-writes-limit", ": 2,000 bytes", metrickit(sampled(7, 6), diskWriteExceptionDiagnostics={"writesCaused": "2,000 byte"})),
    ("sleep", "no-crash", ": Sleep Wake Failure", spindump([(11, MAIN, "")], "Sleep Wake Failure")),
    ("nothing", "inconclusive", "inconclusive", ips({"type": "EXC_CRASH"})),
]

FOLDED = frame("<deduplicated_symbol>")
WHERE = [
    ("only compiler-made", "pay()", access(0x10, frames=[dict(frame(name), sourceFile="<compiler-generated>", sourceLine=0) for name in ("pay()", "@objc load()")])),
    ("folded", "applyDiscount(_:) in Demo, thread 0 ", access(0x10, frames=[FOLDED, frame("applyDiscount(_:)")])),
    ("heaviest", "Demo + 0x1000, the heaviest stack", metrickit(sampled(7, 6), hangDiagnostics={"hangDuration": "3 sec"})),
    ("compiler's check", "Cart.total() in Demo, thread 0 ", trap([frame("Swift runtime failure: Index out of range"), frame("Cart.total()")])),
    ("plumbing", "-[Demo run] in Demo, thread 0 ", aborted(None, frames=[frame("abort", 1), frame("konan::abort()"), frame("-[Demo run]")])),
    ("only folded", "Demo + 0x1000, thread 0 ", access(0x10, frames=[FOLDED, frame("objc_msgSend", 1)])),
]

def bare(*addresses):
    return "*** First throw call stack:\n(%s)\n" % " ".join(hex(a) for a in addresses)


def console(*lines):
    return "\n".join(lines) + "\n"


XCODE = "2026-11-03 08:15:02.300200+0100 Acme Shop[711:16062] "
CASES += [
    ("console: exception", "objc-exception", "Acme Shop ended", console(
        XCODE + "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3", "beyond bounds'",
        "*** First throw call stack:", "(", "\t0   CoreFoundation   0x00000001804ae0f8 __exceptionPreprocess + 172", ")", "after")),
    ("console: zombie", "use-after-free", "freed", console(XCODE + "*** -[Cart reload]: message sent to deallocated instance 0x6000017a1e40")),
    ("console: zombie without a class", "use-after-free", "freed", console("-[??? retain]: 0x6000017a1e40")),
    ("console: Rust, out of memory", "out-of-memory", "ran out of memory in Rust", console("memory allocation of 42949672960 bytes failed")),
    ("console: Rust, stack", "stack-overflow", "ran out of stack in Rust", console("thread 'main' has overflowed its stack", "fatal runtime error: stack overflow")),
    ("console: Rust, panic", "rust-panic", "empty cart", console("thread 'main' panicked at src/cart.rs:40:9:", "empty cart")),
    ("console: pure virtual", "pure-virtual-call", "called a pure virtual function", console(XCODE + "libc++abi: Pure virtual function called!")),
    ("console: sanitizer", "sanitizer", "AddressSanitizer found: heap-use-after-free", console("==612==ERROR: AddressSanitizer: heap-use-after-free on address 0x603000000010 at pc 0x1 bp 0x2 sp 0x3")),
    ("console: summary", "sanitizer", "AddressSanitizer found: heap-use-after-free", console("SUMMARY: AddressSanitizer: heap-use-after-free cart.c:12 in pay")),
    ("console: logcat", "dotnet-exception", "the process ended", console("01-31 10:00:00.123   612   777 E AndroidRuntime: Unhandled Exception: System.FormatException: boom")),
    ("console: class alone", "objc-exception", "an exception of class Foo", console("*** Terminating app due to uncaught exception of class 'Foo'")),
    ("console: class alone, without stars", "objc-exception", "an exception of class Foo", console("Terminating app due to uncaught exception of class 'Foo'")),
    ("console: Swift", "swift-trap", "Unexpectedly found nil", console("Acme/Cart.swift:44: Fatal error: Unexpectedly found nil while unwrapping an Optional value")),
    ("console: Swift, old", "swift-trap", "cart is empty", console("Fatal error: cart is empty: file Acme/Cart.swift, line 77")),
    ("console: dyld", "dyld", "Library not loaded: @rpath/Pay", console("dyld[711]: Library not loaded: @rpath/Pay.framework/Pay", "  Reason: tried: 'x' (no such file)")),
    ("console: main thread", "main-thread-checker", "-[UILabel setText:]", console(
        "Main Thread Checker: UI API called on a background thread: -[UILabel setText:]", "PID: 711, TID: 17000, Thread name: (none), Queue name: com.acme.net, QoS: 25",
        "Backtrace:", "5   Acme   0x0000000104a1c4c3 pay + 120", "6   Acme   0x0000000104a1c5c3 load + 20")),
    ("excerpt of a recursion", "stack-overflow", "ran out of stack", console(
        "Exception Message: Thread stack size exceeded due to excessive recursion", "shop  -[Cart pay:] + 300 (Cart.m:31)", "-------- RECURSION LEVEL 5803")),
    ("members without braces", "watchdog", "ended Shop", console('"termination" : {', '  "code" : 2343432205,', '  "namespace" : "FRONTBOARD",',
        '  "details" : ["scene-create watchdog transgression: app<com.acme>:612 exhausted real (wall clock) time allowance of 20.00 seconds"],', '  "flags" : 6', '}', '"procName" : "Shop"', "", "It began yesterday.")),
    ("members without an end", "stack-overflow", "ran out of stack", console('"exception": {"type":"EXC_BAD_ACCESS","signal":"SIGBUS","subtype":"KERN_PROTECTION_FAILURE at 0x000000016fcdfff8"},',
        '"vmRegionInfo": "0x16fcdfff8 is in 0x16fcdc000-0x16fce0000;', '--->  Stack Guard   16fcdc000-16fce0000    [   16K] ---/rwx SM=NUL')),
    ("console: zombie in a sentence", "use-after-free", "freed", console("It ends with *** -[Cart reload]: message sent to deallocated instance 0x6000017a1e40")),
    ("console: watchdog as JSON", "watchdog", "com.acme.shop", console(
        '"Termination Reason:": " Namespace SPRINGBOARD, Code 0x8badf00d",', '   "Termination Description:": " SPRINGBOARD, <x| explanation:process-launch watchdog transgression: '
        'app<com.acme.shop>:711 exhausted real (wall clock) time allowance of 20.00 seconds | ProcessVisibility: Foreground |')),
    ("console: killed for all", "memory-pressure", "system killed Acme", console(
        "Nov  3 08:15:03 kernel[0] <Notice>: memorystatus: killing_top_process pid 711 [Acme] (vm-pageshortage 100) 2150400KB - memorystatus_available_pages: 201")),
    ("console: over a limit", "memory-limit", "acmed exceeded", console("Nov  3 08:15:03 kernel[0] <Notice>: EXC_RESOURCE -> acmed[88] exceeded mem limit: ActiveSoft 50 MB (non-fatal)")),
    ("console: a kill and an exception", "objc-exception", "Acme Shop ended", console(
        "Nov  3 08:15:03 kernel[0] <Notice>: EXC_RESOURCE -> acmed[88] exceeded mem limit: ActiveHard 50 MB (fatal)",
        XCODE + "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'")),
    ("console: Kotlin", "kotlin-exception", "com.acme.CartException: cart", console(
        "Uncaught Kotlin exception: com.acme.CartException: cart", "    at 0   Shared   0x104fe04a0   kfun:com.acme.Cart#pay(){} + 119")),
    ("trace: JavaScript", "javascript-error", "ReferenceError: no cart", console("ReferenceError: no cart", "    at pay (address at main.jsbundle:1:99812)")),
    ("trace: Dart", "dart-exception", "build id 00ff", console("*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***", "build_id: '00ff'", "    #00 abs 0000000102ff04a0 _kDartIsolateSnapshotInstructions+0x4a0")),
    ("trace: .NET", "dotnet-exception", "System.ArgumentException: no cart", console("Unhandled exception. System.ArgumentException: no cart", "   at Acme.Cart.Pay() in /x/Cart.cs:line 20")),
    ("trace: Go", "go-panic", "no cart", console("panic: no cart", "", "goroutine 7 [running]:", "main.pay(...)", "\t/x/main.go:10 +0x20")),
    ("trace: Rust", "rust-panic", "no cart", console("thread 'main' panicked at src/main.rs:4:5:", "no cart", "stack backtrace:", "   0: rust_begin_unwind", "   1: acme::pay", "             at ./src/main.rs:4:5")),
    ("trace: sanitizer", "sanitizer", "heap-buffer-overflow, WRITE of size 8", console(
        "==711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6020000000b0 at pc 0x1 bp 0x2 sp 0x3", "WRITE of size 8 at 0x6020000000b0 thread T0", "    #0 0x104a1c4c3 in pay cart.cpp:11")),
]

CASES += [
    ("pure virtual call", "pure-virtual-call", "no message in the report; the stack shows __cxa_pure_virtual", aborted(None, frames=[frame("abort", 1), frame("__cxa_pure_virtual", 1), frame("-[Demo run]")])),
    ("text before the stack", "assertion", "Assertion failed: (items), function save", aborted("Assertion failed: (items), function save, file Store.m, line 7.", frames=[frame("abort", 1), frame("find_zone_and_free", 1), frame("-[Demo run]")])),
    ("panic: a list of tasks", "kernel-panic", "DCP SERROR Exception class=0x2f (SError interrupt), IL=1 - demo(20)", console(
        "panic(cpu 2 caller 0xfffffe002be4a5a8): DCP SERROR Exception class=0x2f (SError interrupt), IL=1 - demo(20)", "RTKit: RTKit-1826.40.9.debug - Client: demo.release",
        "Time: 0x00000000d15fea1b", "", "RTKit Task List:", "   name                    | pri     | stack use | status     | resource | warning",
        *(f" {i} rtk_task{i}               | 007     |   848/2048  | SEMWAIT    | 0x84c660 | \n      0x0000000000010294 0x00000000000117ec 0x00000000000214fc\n" for i in range(5)))),
    ("panic: quotes and colons within", "kernel-panic", 'Demo::start : no "root" found', console('panic(cpu 0 caller 0xfffffff01a2b3c4d): "Demo::start : no "root" found" @Demo.cpp:12', "Debugger message: panic")),
    ("stackshot: as text", "no-crash", "taken because of: asked for by two keys (exception 0xbaaaaaad)", console(
        '{"bug_type":"188","os_version":"iPhone OS 7.1 (11D167)"}', "Incident Identifier: 3B4C2A10-0000-4000-8000-0000000000A1", "Hardware Model:      iPhone6,1", "OS Version:          iPhone OS 7.1 (11D167)",
        "Date:                2014-03-14 14:57:08 -0500", "Exception Code:      0xbaaaaaad", "Reason:              asked for by two keys", "", "Thermal data unavailable")),
    ("panic: a colon at the end", "kernel-panic", "stopped the device: SEP Panic: :sks /sks", console("panic(cpu 0 caller 0xfffffff01a2b3c4d): SEP Panic: :sks /sks :", "Debugger message: panic")),
    ("Swift selector", "swift-trap", "Unrecognized selector -[Demo.Pay copyWithZone:]", aborted("Unrecognized selector -[Demo.Pay copyWithZone:]", frames=[frame("abort", 1), frame("-[Demo run]")])),
]

THROWN = "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'"
FAILED = "*** Assertion failure in -[Cart pay:], %s:35"
KOTLIN = "Uncaught Kotlin exception: com.acme.CartException: no"
# The text of a console, and what Where says; None: nothing.
CONSOLE_WHERE = [
    ("a panic of Rust", "src/cart.rs:40", "thread 'main' panicked at src/cart.rs:40:9:\nempty cart\n"),
    ("a panic within Rust's library", None, "thread 'main' panicked at /rustc/9a8b/library/core/src/option.rs:40:9:\nempty cart\n"),
    ("an assert()", "fill.c:12", "Assertion failed: (count > 0), function fill, file fill.c, line 12.\n"),
    ("an NSAssert", "-[CartController insert] (CartController.m:44)", "Assertion failure in -[CartController insert], CartController.m:44\n"),
    ("an NSAssert, with stars", "-[CartController insert] (CartController.m:44)", "*** Assertion failure in -[CartController insert], CartController.m:44\n"),
    ("assertion of the app", "-[Cart pay:] (Cart.m:35)", console(FAILED % "/Users/a/Cart.m", THROWN, bare(0x1CF13B3D, 0x892D3))),
    ("assertion of the system", "0x1cf13b3d", console(FAILED % "/BuildRoot/Library/Caches/com.apple.xbs/Sources/UIKit/Cart.m", THROWN, bare(0x1CF13B3D, 0x892D3))),
    ("below the libraries", "0x1002b8778, the backtrace", console(THROWN, bare(0x182E6422C, 0x194B300E4, 0x1002B8778, 0x1878F7D5C, 0x1002ED620))),
    ("all above", "0x182e6422c", console(THROWN, bare(0x182E6422C, 0x194B300E4))),
    ("the file of a library", None, "Swift/ContiguousArrayBuffer.swift:600: Fatal error: Index out of range\n"),
    ("the file of the app", "Acme/Cart.swift:44", "Acme/Cart.swift:44: Fatal error: Index out of range\n"),
    ("frames without numbers", "-[Cart pay:] (Cart.m:31) in shop, thread 0", console(
        "Exception Message: Thread stack size exceeded due to excessive recursion", "shop  -[Cart pay:] + 300 (Cart.m:31)", "-------- RECURSION LEVEL 5803")),
    ("an excerpt without images", "pay() (Cart.swift:44) in shop, thread 0", console(
        "Exception Type: EXC_CRASH (SIGABRT)", "Thread 0 Crashed:", "0   libsystem_kernel.dylib   0x00000001804ae0f8 __pthread_kill", "1   shop   0x0000000102fe5a9c pay() (Cart.swift:44)")),
    ("indented frames, addresses for names", "pay() (Cart.swift:44) in Shop, thread 0", console(
        "Thread 0 Crashed:", "  0   libsystem_c.dylib   0x0000000180139000   00000001801ad950 + 100", "  1   Shop   0x0000000102324000   pay()   (Cart.swift:44)",
        "  2   Shop   0x0000000102324000   0000000102325000 + 8", "  3   UIKitCore   0x0000000185156000   00000001864d2bf8 + 1196")),
    ("frames alone", "-[Cart pay:] (Cart.m:31) in shop, the backtrace", console(
        "0   shop    0x0000000102fe592c -[Cart pay:] + 300 (Cart.m:31)", "1   shop    0x0000000102fe5a9c main + 12 (main.m:3)")),
    ("constructors", "kfun:com.acme.Cart#pay(){} (Cart.kt:4) in shared", console(
        KOTLIN, "    at 0   shared   0x104fe0888   kfun:kotlin.Throwable#<init>(){} + 88 (/b/kotlin-native/runtime/src/main/kotlin/kotlin/Throwable.kt:24:37)",
        "    at 1   shared   0x104fe0777   kfun:com.acme.CartException#<init>(){} + 90",
        "    at 2   shared   0x104fe04a0   kfun:com.acme.Cart#pay(){} + 119 [inlined] (/b/kotlin/libraries/stdlib/src/kotlin/util/Preconditions.kt:143:56)",
        ">>  at 3   shared   0x104fe04a0   kfun:com.acme.Cart#pay(){} + 119 [inlined] (/x/Cart.kt:4:5)")),
    ("constructors only", "kfun:com.acme.CartException#<init>(){} in shared", console(
        KOTLIN, "    at 0   shared   0x104fe0888   kfun:kotlin.Throwable#<init>(){} + 88", "    at 1   shared   0x104fe0777   kfun:com.acme.CartException#<init>(){} + 90")),
]

SAMPLES = {
    "swift-log.txt": "null-dereference",
    "swift-log.json": "null-dereference",
    "swift-friendly.txt": "swift-trap",
    "sentry.json": "null-dereference",
    "bugsnag.json": "objc-exception",
    "crash-report-kit.json": "null-dereference",
    "lldb.txt": "null-dereference",
    "demo.crash": "null-dereference", "demo-partly.crash": "null-dereference", "demo-exception.crash": "objc-exception",
    "demo.ips": "objc-exception", "demo-fault.ips": "no-crash", "demo-resource.ips": "cpu-limit", "demo.plcrash": "null-dereference",
    "kscrash-mach.json": "null-dereference", "kscrash-exception.json": "objc-exception", "metrickit-crash.json": "null-dereference",
    "panic.ips": "kernel-panic", "cpu-resource.ips": "cpu-limit", "demo.hang": "hang", "jetsam/limit.ips": "jetsam-per-process-limit",
    "console/exception.txt": "objc-exception", "console/zombie.txt": "use-after-free", "console/main-thread.txt": "main-thread-checker",
    "console/thread-performance.txt": "thread-performance-checker", "console/watchdog.txt": "watchdog",
    "console/memory-kill.txt": "memory-limit", "console/react-native.txt": "javascript-error",
    "console/swift.txt": "swift-trap", "console/dyld.txt": "dyld", "console/kotlin.txt": "kotlin-exception",
    "console/javascript.txt": "javascript-error", "console/dart.txt": "dart-exception", "console/dotnet.txt": "dotnet-exception",
    "console/unity.txt": "dotnet-exception", "console/mono.txt": "signal", "console/go.txt": "go-panic",
    "console/rust.txt": "rust-panic", "console/asan.txt": "sanitizer",
    "jetsam/no-victim.ips": "no-crash", "jetsam/truncated.ips": None, "lag/matrix-lag.json": "hang",
}

CORPUS = {
    "apple-crash/doronz88__user_mode_crash_report_ios14_symbolicated.ips": "memory-corruption",
    "apple-crash/faisalmemon__SiriNCService_2018-06-24-095228_panic.crash": "objc-exception",
    "apple-crash/faisalmemon__adventure_crash_ios.crash": "pac-failure",
    "apple-crash/faisalmemon__icdab_as.crash": "bad-instruction",
    "apple-crash/faisalmemon__icdab_camera_iOSonMac.crash": "privacy-violation",
    "apple-crash/faisalmemon__icdab_nsdata_ios_14_2.crash": "objc-exception",
    "apple-crash/faisalmemon__icdab_planets.crash": "abort",
    "apple-crash/faisalmemon__icdab_ptr_ios.crash": "pac-failure",
    "apple-crash/faisalmemon__icdab_sema_ios_14_2.crash": "api-misuse",
    "apple-crash/faisalmemon__icdab_sema_osx_arm64.crash": "api-misuse",
    "apple-crash/faisalmemon__icdab_wrap_ios_14_2.crash": "swift-trap",
    "apple-crash/faisalmemon__jablotron_sigbus_align.crash": "bad-access",
    "apple-crash/faisalmemon__kdp_graphics.crash": "graphics-error",
    "apple-crash/faisalmemon__kiosk_startup_ios.crash": "watchdog",
    "apple-crash/faisalmemon__leakagent.crash": "null-dereference",
    "apple-crash/faisalmemon__mobile_sms_security_ios.crash": "security-violation",
    "apple-crash/faisalmemon__reportCrash_ios.crash": "code-signature",
    "apple-crash/faisalmemon__wakeups.crash": "voip",
    "apple-crash/faisalmemon__xmbc_sigbus.crash": "code-signature",
    "apple-crash/getsentry__xcode16.txt": "inconclusive",
    "apple-crash/mobiledev__MemoryLeakingApp-2022-08-05-132419.crash": "signal",
    "ips-crash/CharAznableX__crash.ips": "null-dereference",
    "ips-crash/lapfelix__source.ips": "assertion",
    "ips-crash/r00tify__crashspike-stripped.ips": "swift-trap",
    "ips-crash/r00tify__nsexcrash.ips": "objc-exception",
    "ips-crash/r00tify__synthetic-dead10cc.ips": "file-lock",
    "ips-crash/r00tify__synthetic-jetsam-per-process-limit.ips": "jetsam-per-process-limit",
    "ips-crash/r00tify__synthetic-stack-overflow.ips": "stack-overflow",
    "ips-crash/r00tify__synthetic-watchdog-scene-create.ips": "watchdog",
    "kscrash/bugsnag__RecrashReport.json": "null-dereference",
    "kscrash/getsentry__CPPException.json": "cpp-exception",
    "kscrash/getsentry__NX-Page.json": "bad-jump",
    "kscrash/getsentry__ReactNative.json": "user-report",
    "kscrash/getsentry__crash-bad-access.json": "misaligned-access",
    "kscrash/kstenerud__Abort.json": "abort",
    "kscrash/kstenerud__BadPointer.json": "bad-access",
    "kscrash/kstenerud__CorruptMemory.json": "memory-corruption",
    "kscrash/kstenerud__CorruptMemory.txt": "memory-corruption",
    "kscrash/kstenerud__MainThreadDeadlock.json": "deadlock",
    "kscrash/kstenerud__NSException.json": "objc-exception",
    "kscrash/kstenerud__StackOverflow.json": "stack-overflow",
    "kscrash/kstenerud__StackOverflow.txt": "stack-overflow",
    "kscrash/kstenerud__oom.json": "out-of-memory",
    "kscrash/kstenerud__sigterm.json": "signal",
    "plcrash/microsoft__live_report_call_abort.plcrash": "abort",
    "plcrash/microsoft__live_report_objc_exception.plcrash": "objc-exception",
    "plcrash/microsoft__live_report_smash_top.plcrash": "bad-jump",
    "plcrash/microsoft__macOS_report_corrupt_malloc_internal_info.plcrash": "non-canonical-address",
    "plcrash/microsoft__macOS_report_stack_overflow.plcrash": "stack-overflow",
    "plcrash/bitstadium__log_report_xamarin": "objc-exception",
    "plcrash/microsoft__live_report_xamarin.plcrash": "objc-exception",
    "plcrash/microsoft__macOS_report_throw_cpp_exception.plcrash": "uncaught-exception",
    "metrickit/ChimeHQ__xcode_simulated.json": "null-dereference",
    "metrickit/getsentry__tree-real.json": "inconclusive",
    "plcrash/microsoft__macOS_report_write_to_readonly_page.plcrash": "protected-memory",
    "other-ips/faisalmemon__snapshot_many_wakes_ios.crash": "wakeups-limit",
    "jetsam/faisalmemon__JetsamEvent-2020-10-15-172958.ips.synced": "jetsam-highwater",
    "jetsam/faisalmemon__jetsam_vm-pageshortage.crash": "jetsam-per-process-limit",
}


# Causes for which there is nothing to do, or the report says nothing to go by.
NO_NEXT = {"app-update", "clean-exit", "first-launch", "low-battery", "os-update", "reboot", "no-crash", "kernel-panic", "forced-reset", "inconclusive", "user-report", "cpu-usage", "system-termination"}


class Checker:
    def __init__(self, program):
        self.program = program.resolve()
        self.faults = []
        self.checked = 0

    def expect(self, truth, text):
        self.checked += 1
        if not truth:
            self.faults.append(text)

    def explain(self, path):
        run = subprocess.run([self.program, "explain", "-q", "--format", "jsonl", path], capture_output=True, text=True, cwd=ROOT / "samples")
        self.expect(run.returncode in (0, 3, 4), f"{path}: exit status {run.returncode}: {run.stderr[-400:]}")
        return [row for row in map(json.loads, run.stdout.splitlines()) if row["schema"] == "apmtool.explain/1"]

    def check_evidence(self, name, data, answers):
        for answer in answers:
            self.expect(answer["verdict"], f"{name}: no verdict")
            for claim in answer["claims"]:
                self.expect(claim["evidence"], f"{name}: no evidence: {claim['text']}")
                for place in claim["evidence"]:
                    self.expect(shows(data, place), f"{name}: {place!r} is not there: {claim['text']}")
                word = re.match(r"(EXC_|SIG)\w+", claim["text"])
                line = re.fullmatch(r"line (\d+)", claim["evidence"][0])
                # Of a text that was quoted, lines are those of the report.
                if word and line and not name.endswith(".snap"):
                    text = data.splitlines()[int(line[1]) - 1].decode("utf-8", "replace")
                    self.expect(word[0] in text, f"{name}: {line[0]} does not say {word[0]}: {text}")


def documents(data):
    """The JSON documents in it; none if it is no JSON, or not complete."""
    text = data.decode("utf-8", "replace").lstrip("\ufeff")
    decoder = json.JSONDecoder(strict=False)
    found, at = [], 0
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            return [] if text[at:].startswith("{") else found
        found.append(value)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return found


def follows(value, path):
    """Does a document have a value at this path, at any depth?"""
    if reaches(value, path):
        return True
    if isinstance(value, dict):
        return any(follows(v, path) for v in value.values())
    return isinstance(value, list) and any(follows(v, path) for v in value[:50])


def reaches(value, path):
    for key, index in re.findall(r"([^.\[\]]+)|\[(\d*)\]", path):
        if key:
            if not isinstance(value, dict) or key not in value:
                return False
            value = value[key]
        else:
            if not isinstance(value, list) or not value or (index and int(index) >= len(value)):
                return False
            value = value[int(index or 0)]
    return True


def shows(data, place):
    line = re.fullmatch(r"line (\d+)", place)
    if line:
        return int(line[1]) <= data.count(b"\n") + data.count(b"\r") + 1
    found = documents(data)
    # Binary formats, and JSON that was repaired, are not read here.
    return not found or not isinstance(found[-1], dict) or any(follows(d, place) for d in found)


def check_words(check, program):
    defs = (ROOT / "lib/analysis/crash/explain/causes.def").read_text()
    words = re.findall(r'^CAUSE\(\w+,\s*"([^"]+)"', defs, re.M)
    manual = re.findall(r"^\.It Sy (\S+)$", (ROOT / "man/apmtool-explain.1").read_text(), re.M)
    schema = json.loads((ROOT / "formatters/schema/explain.schema.json").read_text())
    check.expect(words == manual, f"causes of the manual: {set(words) ^ set(manual)}")
    check.expect(words == schema["properties"]["cause"]["enum"], "causes of the schema")
    proven = {case[1] for case in CASES} | set(SAMPLES.values())
    check.expect(not set(words) - proven, f"causes without a case: {', '.join(sorted(set(words) - proven))}")


def check_cases(check):
    with tempfile.TemporaryDirectory() as folder:
        for name, cause, words, text in CASES:
            path = pathlib.Path(folder) / "report.ips"
            path.write_text(text)
            answers = check.explain(path)
            check.expect(len(answers) == 1, f"{name}: {len(answers)} answers")
            for answer in answers:
                found = (answer["cause"], answer["verdict"])
                check.expect(found[0] == cause and words in found[1], f"{name}: expected {cause}, '{words}', found {found}")
                check.expect(answer.get("next") or cause in NO_NEXT or "SIGTERM" in found[1], f"{name}: what to do next is missing")
                # A code has one name, and a question mark is no fact.
                for word in ("UNKNOWN_0x", "???"):
                    # What a runtime wrote stays as it is.
                    check.expect(word not in json.dumps(answer).replace("-[??? ", ""), f"{name}: {word}")
                # Where is a function, not the message of a check.
                check.expect(": assertion " not in (answer.get("where") or ""), f"{name}: where: {answer.get('where')}")
            check.check_evidence(name, path.read_bytes(), answers)


def check_where(check):
    with tempfile.TemporaryDirectory() as folder:
        for name, words, text in WHERE:
            path = pathlib.Path(folder) / "report.ips"
            path.write_text(text)
            answers = check.explain(path)
            found = [answer.get("where") for answer in answers]
            check.expect(any("innermost frame of the app" in claim["text"] for answer in answers for claim in answer["claims"]), f"{name}: no claim says where")
            check.expect(len(found) == 1 and found[0] and found[0].startswith(words), f"{name}: expected '{words}', found {found}")


def check_console_where(check):
    with tempfile.TemporaryDirectory() as folder:
        for name, words, text in CONSOLE_WHERE:
            path = pathlib.Path(folder) / "console.txt"
            path.write_text(text)
            answers = check.explain(path)
            found = [answer.get("where") for answer in answers]
            check.expect(len(found) == 1 and (found[0].startswith(words) if words and found[0] else found[0] == words), f"{name}: expected '{words}', found {found}")


def check_files(check, folder, expected):
    for name, cause in expected.items():
        path = folder / name
        if not path.exists():
            check.expect(False, f"{path}: not there")
            continue
        answers = check.explain(path)
        check.expect(answers, f"{name}: no answer")
        check.expect(cause is None or (answers and answers[0]["cause"] == cause), f"{name}: expected {cause}, found {[a['cause'] for a in answers]}")


def check_corpus(check, corpus):
    check_files(check, corpus, CORPUS)
    for kind in ("apple-crash", "ips-crash", "kscrash", "plcrash", "metrickit", "other-ips", "lag", "jetsam"):
        for path in sorted((corpus / kind).iterdir()):
            if path.is_file():
                name = f"{kind}/{path.name}"
                check.check_evidence(name, path.read_bytes(), check.explain(path))


# In the kinds of reports whose advice is a command for them.
HEAVIEST = """\
Command:          Demo
Identifier:       com.example.demo
PID:              743

Event:            cpu usage
CPU:              90 seconds cpu time over 105 seconds (85% cpu average)

Heaviest stack for the target process:
  11  ??? (dyld + 82408)
  7   ??? (UIKitCore + 20484)
"""
BARE_HANG = """\
{"bug_type":"228","app_name":"Demo","app_version":"5.1"}
Reason:           UIKit-runloop-Demo: timeout 9850ms
Event:            Timed Out Runloop Hang
"""


def check_advice(check, path):
    """No advice names a command that refuses the same input."""
    lines = subprocess.run([check.program, "explain", "-q", "--format", "jsonl", path], capture_output=True, check=False).stdout
    advice = {json.loads(line).get("next") or "" for line in lines.splitlines()}
    commands = {command for text in advice if not text.startswith("look for")
                for command in re.findall(r"'apmtool ([a-z-]+)", text)}
    # Which takes addresses, not reports.
    for command in commands - {"atos"}:
        status = subprocess.run([check.program, command, "-q", path], capture_output=True, check=False).returncode
        check.expect(status == 0, f"{path.name}: the advice 'apmtool {command}' ends with {status}")
    return commands


def check_all_advice(check):
    found = set()
    for path in sorted((ROOT / "samples").rglob("*")):
        if path.suffix in (".crash", ".ips", ".json", ".plcrash", ".hang", ".txt"):
            found |= check_advice(check, path)
    check.expect("flamegraph" in found, "no advice names 'apmtool flamegraph'")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.txt"
        for text in (HEAVIEST, BARE_HANG):
            path.write_text(text)
            check_advice(check, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--corpus", type=pathlib.Path, default=NEAR)
    options = parser.parse_args()
    check = Checker(options.program)
    check_words(check, options.program)
    check_cases(check)
    check_where(check)
    check_console_where(check)
    check_all_advice(check)
    check_files(check, ROOT / "samples", SAMPLES)
    for path in sorted((ROOT / "samples").iterdir()):
        if path.suffix in (".crash", ".ips", ".json", ".plcrash", ".hang"):
            check.check_evidence(path.name, path.read_bytes(), check.explain(path))
    if options.corpus.is_dir():
        check_corpus(check, options.corpus)
    else:
        print("skipped: the files of the corpus, for there is none")
    for fault in check.faults:
        print(fault)
    print(f"{check.checked} checks, {len(check.faults)} faults")
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main())
