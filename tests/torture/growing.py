# SPDX-License-Identifier: MIT
"""Inputs of any size, a kind each: what grows is in its name.

A kind is a function of how many there are, and the commands that read it."""

import json

from harness import SAMPLES, sample

BASE = 0x100000000
CRASH = ["symbolicate --no-cache -q", "convert -q", "explain -q", "group -q",
         "missing --no-cache -q", "diff -q SELF"]
JETSAM = ["jetsam -q", "explain -q"]
SAMPLED = ["fold -q", "flamegraph -q", "flamegraph -q --diff SELF",
           "lag-aggregate -q", "lag-aggregate -q --per-report",
           "lag-aggregate -q --baseline SELF", "diff -q --stalls SELF"]
SESSION = ["exit-reason -q"]
GROWING = {}


def growing(name, commands):
    def add(make):
        GROWING[name] = (commands, make)
        return make
    return add


def bytes_of(kind, size):
    """An input of a kind that has about this many bytes."""
    _, make = GROWING[kind]
    data = make(int(size / (len(make(1200)) / 1200)))
    return data if isinstance(data, bytes) else data.encode()


# Crash reports as text

def image_line(i):
    return (f"0x{BASE + i * 65536:x} - 0x{BASE + i * 65536 + 65535:x} I{i} "
            f"arm64 <{i + 1:032x}> /usr/lib/I{i}\n")


def frame_line(i, image=0):
    return f"{i}   I{image}   0x{BASE + image * 65536 + 16:016x} f{i} + 16\n"


def crash(head="", threads="", images=1):
    return ("Process: E [1]\nVersion: 1\nReport Version: 104\n"
            "Exception Type: EXC_CRASH (SIGABRT)\nTriggered by Thread: 0\n"
            f"{head}\n{threads or 'Thread 0 Crashed:' + chr(10) + frame_line(0)}"
            "\nBinary Images:\n" + "".join(map(image_line, range(images))))


@growing("frames of text", CRASH)
def text_frames(count):
    return crash(threads="Thread 0 Crashed:\n" + "".join(
        frame_line(i) for i in range(count)))


@growing("threads of text", CRASH)
def text_threads(count):
    return crash(threads="".join(
        f"Thread {i}{' Crashed' * (not i)}:\n{frame_line(0)}\n"
        for i in range(count)))


@growing("images of text", CRASH)
def text_images(count):
    return crash(images=count, threads="Thread 0 Crashed:\n" + "".join(
        frame_line(i, i) for i in range(count)))


@growing("header lines of text", CRASH)
def text_fields(count):
    return crash("".join(f"Field {i}: value {i}\n" for i in range(count)))


@growing("lines of text without a label", CRASH)
def text_lines(count):
    return crash("".join(f"  nobody knows line {i}\n" for i in range(count)))


@growing("what the app said, in text", CRASH)
def text_said(count):
    return crash("\nApplication Specific Information:\n" + "".join(
        f"abort() called {i}\n" for i in range(count)))


@growing("passages between threads of text", CRASH)
def text_passages(count):
    return crash(threads="".join(
        f"Thread {i}:\n{frame_line(0)}\nPassage {i}\n\n"
        for i in range(count // 2)))


@growing("reports of text in one file", CRASH)
def text_reports(count):
    return "".join(f"Incident Identifier: X{i}\n" + crash(
        threads=f"Thread 0 Crashed:\n{frame_line(i % 50)}")
        for i in range(count // 3))


@growing("stop reasons of Xcode above what a console says", CRASH)
def text_stops(count):
    return (f"Thread 1: signal SIGABRT\n{'-' * 400}\n" * count +
            "*** Terminating app due to uncaught exception 'E', reason: 'x'\n")


@growing("the same report of text again and again", CRASH)
def text_same(count):
    return "".join(f"Incident Identifier: X{i}\n" + crash()
                   for i in range(count // 3))


# `.ips`

def header(bug_type="309"):
    return json.dumps({"app_name": "E", "bug_type": bug_type,
                       "timestamp": "2026-01-31 09:00:00.00 +0000"}) + "\n"


def image(i=0):
    return {"source": "P", "arch": "arm64", "base": BASE + i * 65536,
            "size": 65536, "uuid": f"01020304-0506-0708-090A-{i:012X}",
            "path": f"/usr/lib/I{i}", "name": f"I{i}"}


def frame(i=0, of=0):
    return {"imageOffset": i % 65536, "imageIndex": of}


def ips(frames=None, images=None, **more):
    return header() + json.dumps({
        "procName": "E", "faultingThread": 0,
        "exception": {"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV",
                      "subtype": "KERN_INVALID_ADDRESS at 0x0"},
        "threads": [{"triggered": True, "frames": frames or [frame()]}],
        "usedImages": images or [image()], **more})


@growing("frames", CRASH)
def ips_frames(count):
    return ips([frame(i) for i in range(count)])


@growing("frames in many images", CRASH)
def ips_images(count):
    return ips([frame(16, i) for i in range(count)],
               [image(i) for i in range(count)])


@growing("images that overlap", CRASH)
def ips_overlapping(count):
    return ips([frame(i, i) for i in range(count)],
               [{**image(i), "base": BASE + i, "size": 0x7fffffff}
                for i in range(count)])


@growing("threads", CRASH)
def ips_threads(count):
    return ips(threads=[{"name": f"thread {i}", "queue": "q",
                         "frames": [frame(i)]} for i in range(count)])


@growing("registers", CRASH)
def ips_registers(count):
    return ips(threads=[{"triggered": True, "frames": [frame()],
                         "threadState": {"flavor": "ARM_THREAD_STATE64", "x": [
                             {"value": i} for i in range(count)],
                             "pc": {"value": BASE}}}])


@growing("lines of a VM region", CRASH)
def ips_region(count):
    return ips(vmRegionInfo="0x0 is not in any region.  Bytes before following "
               "region: 4304502784\n" * count)


@growing("labels of a VM region", CRASH)
def ips_labels(count):
    return ips(vmRegionInfo="0x0 is not in any region\n" + "".join(
        f"Label {i}: value\n" for i in range(count)))


@growing("lines of a VM summary", CRASH)
def ips_summary(count):
    return ips(vmSummary="".join(f"REGION {i}   {i}K  1\n"
                                 for i in range(count)))


@growing("reasons of the end", CRASH)
def ips_reasons(count):
    return ips(termination={
        "namespace": "FRONTBOARD", "code": 2343432205, "reasons": [
            "scene-create watchdog transgression: exhausted real time allowance "
            f"of {i} seconds" for i in range(count)]})


@growing("details of the end", CRASH)
def ips_details(count):
    return ips(termination={"namespace": "DYLD", "code": 1, "details": [
        f"(terminated at launch; ignore backtrace) {i}" for i in range(count)]})


@growing("what libraries said", CRASH)
def ips_said(count):
    return ips(asi={f"lib{i}.dylib": [f"abort() called {i}"]
                    for i in range(count)})


@growing("backtraces that the app recorded", CRASH)
def ips_backtraces(count):
    return ips(asiBacktraces=[f"0   E   0x{BASE + 16:016x} f + {i}\n"
                              for i in range(count)])


@growing("notes", CRASH)
def ips_notes(count):
    return ips(threads=[{"triggered": True, "frames": [
        {"imageOffset": "n/a", "imageIndex": 0} for _ in range(count)]}])


@growing("one long line of a VM region", CRASH)
def ips_long_line(count):
    return ips(vmRegionInfo="not in any region " * (4 * count))


@growing("a long name of the process", CRASH)
def ips_long_name(count):
    return ips(procName="E<b>" * (20 * count), procPath="/x" * (20 * count))


@growing("long names of symbols", CRASH)
def ips_symbols(count):
    return ips([{**frame(i), "symbol": f"f{i}" + "x" * 60, "symbolLocation": 1,
                 "sourceFile": f"a{i}.c", "sourceLine": 1}
                for i in range(count)])


@growing("reports in one file", CRASH)
def ips_reports(count):
    return "".join(ips([frame(i)]) + "\n" for i in range(count // 4))


@growing("lines of a panic", CRASH)
def panic(count):
    return header("210") + json.dumps({
        "build": "iPhone OS 16.0 (20A362)", "product": "iPhone14,2",
        "panicString": "panic(cpu 1 caller 0xfffffff0071a2b3c): x\n" + "".join(
            f"\t\t  lr: 0xfffffff0{i:08x}  fp: 0xffffffe8017b3670\n"
            for i in range(count))})


@growing("processes of a stackshot", CRASH)
def stackshot(count):
    first, rest = sample("stackshot.ips").split(b"\n", 1)
    body = json.loads(rest)
    body["processByPid"] = {str(i): {
        "pid": i, "procname": f"p{i}", "residentMemoryBytes": i,
        "threadById": {str(i): {"id": i, "userFrames": [[2, i]]}}}
        for i in range(count // 2)}
    return first.decode() + "\n" + json.dumps(body)


# Of crash reporters

def kscrash(**more):
    return json.dumps({
        "report": {"version": "3.3.0", "id": "X", "process_name": "E"},
        "binary_images": more.pop("images", [kscrash_image()]),
        "crash": {"error": {"type": "signal", "signal": {"signal": 6}},
                  "threads": [{"index": 0, "crashed": True, "backtrace": {
                      "contents": [{"instruction_addr": BASE + 16}]}}],
                  **more}})


def kscrash_image(i=0):
    return {"image_addr": BASE + i * 65536, "image_size": 65536,
            "name": f"/usr/lib/I{i}", "cpu_type": 16777228, "cpu_subtype": 0,
            "uuid": f"01020304-0506-0708-090A-{i:012X}"}


@growing("frames of KSCrash", CRASH)
def kscrash_frames(count):
    return kscrash(images=[kscrash_image(i) for i in range(count)], threads=[
        {"index": 0, "crashed": True, "backtrace": {"contents": [
            {"instruction_addr": BASE + i * 65536 + 16}
            for i in range(count)]}}])


@growing("threads of KSCrash", CRASH)
def kscrash_threads(count):
    return kscrash(threads=[{"index": i, "crashed": not i, "backtrace": {
        "contents": [{"instruction_addr": BASE + i}]}} for i in range(count)])


@growing("the reason of KSCrash, in lines", CRASH)
def kscrash_reason(count):
    return kscrash(error={"type": "nsexception", "nsexception": {"name": "N"},
                          "reason": "".join(f"line {i} of the reason\n"
                                            for i in range(count))})


def metrickit_frame(i, **more):
    return {"binaryUUID": f"01020304-0506-0708-090A-{i % 99:012X}",
            "offsetIntoBinaryTextSegment": i, "sampleCount": 1,
            "binaryName": f"E{i % 99}", "address": BASE + i, **more}


def metrickit(kind, trees):
    return json.dumps({
        "timeStampBegin": "2026-01-30 16:00:00 +0000",
        "timeStampEnd": "2026-01-31 15:59:00 +0000", f"{kind}Diagnostics": [{
            "version": "1.0.0", "diagnosticMetaData": {
                "appVersion": "1", "hangDuration": "20 sec"},
            "callStackTree": {"callStackPerThread": True, "callStacks": tree}}
            for tree in trees]})


@growing("threads of MetricKit", CRASH)
def metrickit_threads(count):
    return metrickit("crash", [[
        {"threadAttributed": not i, "callStackRootFrames": [
            metrickit_frame(i, subFrames=[metrickit_frame(i + 1)])]}
        for i in range(count // 2)]])


@growing("crashes of MetricKit", CRASH)
def metrickit_crashes(count):
    return metrickit("crash", [[{"threadAttributed": True,
                                 "callStackRootFrames": [metrickit_frame(i)]}]
                               for i in range(count // 2)])


@growing("calls of a hang of MetricKit", CRASH + SAMPLED)
def metrickit_calls(count):
    return metrickit("hang", [[{"threadAttributed": True,
                                "callStackRootFrames": [
                                    metrickit_frame(i)
                                    for i in range(count)]}]])


def uleb(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, data):
    return uleb(number << 3 | 2) + uleb(len(data)) + data


@growing("threads of PLCrashReporter", CRASH)
def plcrash_threads(count):
    return sample("demo.plcrash") + b"".join(
        field(3, b"\x08" + uleb(i + 9) + field(2, b"\x18" + uleb(BASE + i)) +
              b"\x18\x00") for i in range(count))


@growing("images of PLCrashReporter", CRASH)
def plcrash_images(count):
    return sample("demo.plcrash") + b"".join(
        field(4, b"\x08" + uleb(BASE + i * 256) + b"\x10" + uleb(256) +
              field(3, b"/I%d" % i) + field(4, bytes(16)))
        for i in range(count))


# Memory

@growing("processes of a jetsam event", JETSAM)
def jetsam(count):
    return header("298") + json.dumps({
        "memoryStatus": {"pageSize": 16384, "memoryPages": {"free": 1}},
        "largestProcess": "p1", "processes": [
            {"uuid": f"01020304-0506-0708-090A-{i:012X}", "rpages": i,
             "states": ["suspended"], "name": f"p{i}", "pid": i,
             **({"reason": "per-process-limit"} if i == 1 else {})}
            for i in range(count)]})


@growing("processes of a jetsam event of text", JETSAM)
def jetsam_text(count):
    text = sample("jetsam/old.txt").decode()
    line = next(line for line in text.split("\n") if "Demo Notes" in line)
    return text.replace(line, "\n".join(
        line.replace("Demo Notes", f"p{i:9}") for i in range(count)))


@growing("jetsam events in one file", JETSAM)
def jetsam_events(count):
    return "".join(header("298") + json.dumps({
        "memoryStatus": {"pageSize": 16384}, "largestProcess": f"p{i % 9}",
        "processes": [{"rpages": i, "name": f"p{i % 9}", "pid": i,
                       "reason": "vm-pageshortage"}]}) + "\n"
        for i in range(count // 2))


@growing("processes of a list of priorities", ["jetsam -q"])
def priorities(count):
    return "".join(f"PID: {i}\tPriority:{i % 21}\tUser Data: 0\tLimit:200\t"
                   "State:\n" for i in range(count))


# Samples

@growing("calls of a sample", CRASH + SAMPLED)
def sample_calls(count):
    head = sample("demo-sample.txt").decode().split("Call graph:\n")[0]
    return head + f"Call graph:\n    {count} Thread_1\n" + "".join(
        f"    + 1 f{i}  (in E) + {i}  [{BASE + i:#x}]\n" for i in range(count))


@growing("threads of a sample", CRASH + SAMPLED)
def sample_threads(count):
    head = sample("demo-sample.txt").decode().split("Call graph:\n")[0]
    return head + "Call graph:\n" + "".join(
        f"    9 Thread_{i}\n      9 f  (in E) + {i}  [{BASE + i:#x}]\n"
        for i in range(count))


def spindump_head():
    return sample("demo.hang").decode().split("Heaviest stack")[0]


def spindump_process(i):
    return (f"Process:          p{i} [{i + 1}]\nPath:             /usr/p{i}\n\n"
            '  Thread 0x1    DispatchQueue "com.apple.main-thread"(1)    '
            "40 samples (1-40)    priority 46 (base 46)\n")


@growing("calls of a spindump", CRASH + SAMPLED)
def spindump_calls(count):
    return spindump_head() + spindump_process(611) + "".join(
        f"  1    f{i} + {i} (E + {i}) [{BASE + i:#x}]\n" for i in range(count))


@growing("processes of a spindump", CRASH + SAMPLED)
def spindump_processes(count):
    return spindump_head() + "".join(
        f"{spindump_process(i)}  40  f + {i} (E + {i}) [{BASE + i:#x}]\n\n"
        for i in range(611, 611 + count // 3))


@growing("the heaviest stack of a spindump", CRASH)
def spindump_heaviest(count):
    return (spindump_head() + "Heaviest stack for the target process:\n" +
            "".join(f"  36  f{i} + {i} (E + {i}) [{BASE + i:#x}]\n"
                    for i in range(count)) + "\n\n" + spindump_process(611))


@growing("stacks that have nothing in common", SAMPLED)
def folded(count):
    return "".join(f"main;a{i % 97};b{i % 1009};c{i} {i % 5 + 1}\n"
                   for i in range(count))


@growing("deep stacks", SAMPLED)
def folded_deep(count):
    return "".join(";".join(f"f{j % 99}" for j in range(i, i + 60)) + " 1\n"
                   for i in range(count // 4))


@growing("a stack without end", SAMPLED)
def folded_one(count):
    return ";".join(f"f{i}" for i in range(5 * count)) + " 1\n"


@growing("samples of a report", SAMPLED)
def lag_samples(count):
    return json.dumps({"id": "a", "samples": [
        {"stack": ["main", f"f{i}"], "cost_ms": 50} for i in range(count)]})


@growing("reports of a sample each", SAMPLED)
def lag_reports(count):
    return "".join(json.dumps({"id": str(i), "app": f"E {i % 9}", "samples": [
        {"stack": ["main", f"f{i}"], "cost_ms": 50}]}) + "\n"
        for i in range(count))


@growing("nodes of a tree", SAMPLED)
def lag_nodes(count):
    return json.dumps([{"depth": i % 40, "count": 1, "costTime": 50,
                        "methodId": 0, "methodAddress": hex(BASE + i)}
                       for i in range(count)])


@growing("records of a session", SESSION)
def sessions(count):
    return (SAMPLES / "session/several.json").read_text() * (count // 3)
