#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that crashes of one cause are one group, and those of two are two.

    tests/check_groups.py --program build/dev/apmtool [--causes 200] [--variants 50]

Invents causes of crashes, and of each the reports that a fleet would send:
other load addresses, devices, systems and builds, other threads, moved lines,
renumbered and nested closures, other generic arguments, parts split off by the
compiler, thunks, calls inlined or not, frames of the system that are other
ones, without names, or in no image. Then counts pairs of reports: of one cause
in one group, and of two causes in two. Prints, for each algorithm, both shares
and what it confuses.

A second family also has calls inlined that its reports do not show, as without
debug information: the function is gone from the stack. Which of the two
innermost functions a report lost, no signature can know; so there, pairs count
as of one cause where both show the same of these, and the share of all pairs
is printed beside it.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

TOGETHER = 0.98
APART = 0.995

DEVICES = ["iPhone12,1", "iPhone14,2", "iPhone15,4", "iPad13,8"]
SYSTEMS = [("iPhone OS 15.8 (19H370)", 0), ("iPhone OS 16.5 (20F66)", 0),
           ("iPhone OS 16.7.8 (20H343)", 0), ("iPhone OS 17.2 (21C62)", 1),
           ("iPhone OS 17.4.1 (21E236)", 1), ("iPhone OS 18.1 (22B83)", 2),
           ("iPhone OS 18.1.1 (22B91)", 2), ("iPhone OS 26.0 (23A341)", 3)]
# Functions of the app in which several causes end.
SHARED = 8
# How reports know the frames of the system: three in ten do not.
NAMINGS = ["named"] * 14 + ["offset"] * 2 + ["redacted"] * 2 + ["nowhere"] * 2
SYSTEM_IMAGES = ["libobjc.A.dylib", "CoreFoundation", "UIKitCore",
                 "libdispatch.dylib", "libsystem_kernel.dylib",
                 "libsystem_pthread.dylib", "libsystem_c.dylib",
                 "libswiftCore.dylib", "dyld", "Foundation", "QuartzCore"]
TYPES = ["Cart", "Feed", "Player", "Account", "Photo", "Search", "Chat",
         "Upload", "Login", "Map", "Store", "Ticket", "Order", "Theme"]
VERBS = ["load", "update", "decode", "render", "merge", "refresh", "parse",
         "store", "fetch", "apply", "close", "resume", "sync", "layout"]
TAILS = ["Item", "Page", "Entry", "Row", "Image", "State", "Cache", "List"]


class Function:
    """A function of the app, and how a build prints its name."""

    def __init__(self, rng, number):
        self.language = rng.choice(["objc", "swift", "closure", "generic",
                                    "cxx", "template", "block", "lambda",
                                    "async", "extension", "anonymous",
                                    "category"])
        self.type = rng.choice(TYPES) + rng.choice(TAILS)
        self.verb = rng.choice(VERBS) + rng.choice(TAILS) + str(number)
        self.line = rng.randrange(20, 900)
        self.offset = 0x4000 + number * 0x200

    def name(self, build):
        """A build numbers closures and chooses generic arguments anew."""
        number = build.randrange(1, 60)
        what = build.choice(["Int", "String", "Foundation.Data", "[UInt8]",
                             "Swift.Dictionary<Swift.String, [App.Entry?]>",
                             "(Int, String) -> ()", "some View"])
        swift = f"{self.type}.{self.verb}(_:)"
        return {
            "objc": f"-[{self.type} {self.verb}:]",
            "swift": f"{self.type}.{self.verb}(_:with:)",
            "closure": build.choice([
                f"closure #{number} in {swift}",
                f"partial apply for closure #{number} in {swift}",
                f"specialized closure #{number} in {swift}",
                f"closure #1 in closure #{number} in {swift}",
                f"implicit closure #{number} in {swift}"]),
            "generic": build.choice([
                f"specialized {swift}", f"merged {swift}", swift,
                f"generic specialization <{what}> of {swift}",
                f"{self.type}<{what}>.{self.verb}(_:)",
                f"{self.type}.{self.verb}<A>(_:)"]),
            "async": build.choice([
                swift, f"({number}) suspend resume partial function for "
                f"{swift}", f"({number}) await resume partial function for "
                f"{swift}"]),
            "extension": build.choice([
                swift, f"(extension in App):{swift}"]),
            "category": f"-[NSString({self.type}) {self.verb}:]",
            "anonymous": "app::(anonymous namespace)::"
                         f"{self.type}::{self.verb}(int)"
                         + build.choice(["", " const", " [clone .cold]",
                                         " (.cold.1)"]),
            "cxx": f"app::{self.type}::{self.verb}"
                   + build.choice(["", "[abi:ne180100]"])
                   + "(app::Entry const&)" + build.choice(["", " (.llvm.123)"]),
            "template": f"void app::{self.type}<{number}u>::{self.verb}"
                        f"<{build.choice(['int', 'char const*'])}>(int)",
            "block": f"__{20 + number}-[{self.type} {self.verb}]"
                     f"_block_invoke_{number}",
            "lambda": f"app::{self.type}::{self.verb}(int)::"
                      + build.choice([f"$_{number}", "'lambda'(int)",
                                      f"'lambda{number}'(int)"])
                      + "::operator()(int) const",
        }[self.language]


class Cause:
    """Where and how the app crashes."""

    KINDS = ["access", "access", "trap", "exception", "abort", "watchdog",
             "system"]

    def __init__(self, rng, pool):
        self.kind = rng.choice(self.KINDS)
        self.callers = rng.sample(pool[SHARED:], 5)
        # Other callers of the same function are another cause.
        if rng.random() < 0.3:
            self.callers[0] = rng.choice(pool[:SHARED])
        self.first = rng.choice(["objc_retain", "objc_msgSend", "CFRelease",
                                 "_platform_memmove", "swift_release", None])
        self.own = [f"-[UI{rng.choice(TAILS)}{rng.choice(TYPES)}View "
                    f"_{rng.choice(VERBS)}{rng.choice(TAILS)}]"
                    for _ in range(4)]


class Report:
    """What a device sends."""

    def __init__(self, rng, cause, build, hidden=0):
        self.rng = rng
        self.hidden = hidden  # share of calls inlined that is not shown
        self.build = random.Random(build)
        self.version = build
        self.system = rng.choice(SYSTEMS)
        self.device = rng.choice(DEVICES)
        self.naming = rng.choice(NAMINGS)
        self.shift = self.build.randrange(-19, 300)
        self.code = self.build.randrange(0, 0x40) * 16
        self.images = [{"name": "App", "base": rng.randrange(1 << 16) * 0x4000
                        + 0x100000000, "size": 0x400000,
                        "path": "/private/var/containers/Bundle/Application/"
                                f"{rng.getrandbits(64):X}/App.app/App",
                        "uuid": f"{random.Random(build).getrandbits(128):032x}"}]
        for i, name in enumerate(SYSTEM_IMAGES):
            self.images.append({
                "name": name, "size": 0x800000,
                "base": 0x180000000 + i * 0x1000000
                + rng.randrange(1 << 10) * 0x4000,
                "path": f"/usr/lib/{name}",
                "uuid": f"{hash_of(name, self.system[0]):032x}"})
        self.images.append({"name": "", "base": 0, "size": 0, "path": "",
                            "uuid": 32 * "0"})
        self.lost = self.choose_lost(cause)
        self.seen = tuple(i for i in range(len(cause.callers))
                          if i not in self.lost)[:2]
        self.body = self.make(cause)

    def own(self, function, inlined=False):
        frame = {"imageIndex": 0,
                 "imageOffset": function.offset + self.code,
                 "symbol": function.name(self.build),
                 "symbolLocation": 24,
                 "sourceFile": f"{function.type}.swift",
                 "sourceLine": function.line + self.shift}
        if inlined:
            frame["inline"] = True
        return frame

    def theirs(self, image, symbol):
        frame = {"imageIndex": 1 + SYSTEM_IMAGES.index(image),
                 "imageOffset": hash_of(symbol, self.system[0]) % 0x700000}
        if self.naming == "nowhere":
            return {"imageIndex": len(self.images) - 1,
                    "imageOffset": self.rng.getrandbits(36)}
        if self.naming == "redacted":
            symbol = "<redacted>"
        if self.naming != "offset":
            frame.update(symbol=symbol, symbolLocation=self.system[1] * 4 + 8)
        return frame

    def choose_lost(self, cause):
        """Functions of which nothing is seen in this build."""
        lost = random.Random(f"{self.version}/{cause.callers[0].offset}")
        if cause.kind == "system":
            return frozenset()
        return frozenset(i for i in range(len(cause.callers) - 2)
                         if lost.random() < self.hidden)

    def app_frames(self, cause):
        """Calls may be inlined into their caller: then they share its place."""
        inlined = self.build.random() < 0.4
        kept = [f for i, f in enumerate(cause.callers) if i not in self.lost]
        frames = [self.own(f) for f in kept]
        if inlined:
            frames[0] = self.own(kept[0], inlined=True)
            frames[0]["imageOffset"] = frames[1]["imageOffset"]
        if self.build.random() < 0.2:
            # A part that is seldom run is a function of its own.
            frames.insert(0, dict(frames[0]))
            if kept[0].language in ("objc", "block", "category"):
                frames[0]["symbol"] += ".cold.1"
        # What the system does between two calls of the app's.
        between = [self.theirs("UIKitCore", "-[UIControl sendAction:to:"
                               "forEvent:]")] * self.system[1]
        if self.build.random() < 0.3:
            between.append({"imageIndex": 0, "imageOffset": 0x3000 + self.code,
                            "symbol": "thunk for @escaping @callee_guaranteed "
                            "() -> ()", "symbolLocation": 20})
        return frames[:1] + between + frames[1:]

    def tail(self):
        """Below the app's code: a run loop, another one in each system."""
        frames = [self.theirs("libdispatch.dylib",
                              "_dispatch_call_block_and_release"),
                  self.theirs("libdispatch.dylib",
                              "_dispatch_client_callout")]
        if self.system[1]:
            frames.append(self.theirs("libdispatch.dylib",
                                      "_dispatch_main_queue_drain"))
        frames += [self.theirs("CoreFoundation", "__CFRunLoopRun"),
                   self.theirs("CoreFoundation", "_CFRunLoopRunSpecific"
                               "WithOptions" if self.system[1] > 2 else
                               "CFRunLoopRunSpecific"),
                   self.theirs("UIKitCore", "-[UIApplication _run]"),
                   self.theirs("UIKitCore", "UIApplicationMain"),
                   {"imageIndex": 0, "imageOffset": 0x3f00 + self.code,
                    "symbol": "main", "symbolLocation": 64},
                   {"imageIndex": 1 + SYSTEM_IMAGES.index("dyld"),
                    "imageOffset": 0x1000 + self.system[1] * 64,
                    "symbol": "start", "symbolLocation": 520}]
        return frames

    def head(self, cause):
        """Above it: what the system does before the process is gone."""
        if cause.kind == "abort":
            return [self.theirs("libsystem_kernel.dylib", "__pthread_kill"),
                    self.theirs("libsystem_pthread.dylib", "pthread_kill"),
                    self.theirs("libsystem_c.dylib", "abort")]
        if cause.kind == "trap":
            return ([self.theirs("libswiftCore.dylib", "_assertionFailure("
                                 "_:_:file:line:flags:)")]
                    if self.rng.random() < 0.5 else [])
        if cause.kind == "access" and cause.first:
            return [self.theirs("libobjc.A.dylib", cause.first)]
        return []

    def stack(self, cause):
        if cause.kind == "system":
            # A crash inside of the system: only it is named then.
            self.naming = "named"
            return ([self.theirs("UIKitCore", name) for name in cause.own]
                    + self.tail())
        return self.head(cause) + self.app_frames(cause) + self.tail()

    def other_thread(self):
        return {"id": self.rng.randrange(1 << 20), "frames": [
            self.theirs("libsystem_kernel.dylib", "__workq_kernreturn"),
            self.theirs("libsystem_pthread.dylib", "start_wqthread")]}

    def exception(self, cause, processor):
        if cause.kind == "trap":
            return ({"type": "EXC_BAD_INSTRUCTION", "signal": "SIGILL"}
                    if processor == "X86-64" else
                    {"type": "EXC_BREAKPOINT", "signal": "SIGTRAP"})
        if cause.kind in ("access", "system"):
            address = self.rng.getrandbits(36)
            return {"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV",
                    "subtype": f"KERN_INVALID_ADDRESS at 0x{address:x}"}
        return {"type": "EXC_CRASH", "signal": "SIGKILL" if
                cause.kind == "watchdog" else "SIGABRT"}

    def make(self, cause):
        thread = {"triggered": True, "id": 1, "queue": "com.apple.main-thread",
                  "frames": self.stack(cause)}
        processor = "X86-64" if self.rng.random() < 0.2 else "ARM-64"
        body = {
            "procName": "App", "procPath": self.images[0]["path"],
            "bundleInfo": {"CFBundleIdentifier": "com.example.app",
                           "CFBundleVersion": str(self.version)},
            "modelCode": self.device, "pid": self.rng.randrange(9999),
            "osVersion": {"train": self.system[0].rsplit(" (")[0],
                          "build": self.system[0].split("(")[1][:-1]},
            "cpuType": processor, "captureTime": "2026-01-31 09:08:07.00 +0000",
            "incident": f"{self.rng.getrandbits(128):032X}",
            "crashReporterKey": f"{self.rng.getrandbits(32):08x}",
            "exception": self.exception(cause, processor), "faultingThread": 0,
            "threads": [thread] + [self.other_thread() for _ in
                                   range(self.rng.randrange(4))],
            "usedImages": [{"source": "P", "arch": "arm64", **image}
                           for image in self.images],
        }
        if cause.kind == "exception":
            body["lastExceptionBacktrace"] = [
                self.theirs("CoreFoundation", "__exceptionPreprocess"),
                self.theirs("libobjc.A.dylib", "objc_exception_throw"),
                self.theirs("CoreFoundation", "-[__NSArrayM objectAtIndex:]"),
            ] + thread["frames"]
            thread["frames"] = self.head(Abort) + self.tail()
        if cause.kind == "watchdog":
            body["termination"] = {
                "namespace": "FRONTBOARD", "code": 0x8badf00d,
                "reasons": ["scene-update watchdog transgression: app<com."
                            "example.app> exhausted real (wall clock) time "
                            f"allowance of {self.rng.randrange(5, 20)} s"]}
        return body


class Abort:
    kind = "abort"


def hash_of(*words):
    """Stable from run to run, other than hash()."""
    return random.Random("/".join(words)).getrandbits(128)


def write_reports(path, causes, variants, seed, hidden=0):
    """
    A report a line, all mixed; gives of each line the cause, and what of it is
    not seen.
    """
    rng = random.Random(seed)
    pool = [Function(rng, i) for i in range(3 * causes)]
    all_causes = [Cause(rng, pool) for _ in range(causes)]
    order = [i for i in range(causes) for _ in range(variants)]
    rng.shuffle(order)
    truth = []
    with open(path, "w") as file:
        for i in order:
            report = Report(rng, all_causes[i], rng.randrange(100, 112),
                            hidden)
            truth.append((i, report.seen))
            print(json.dumps(report.body, separators=(",", ":")), file=file)
    return truth


def pairs(count):
    return count * (count - 1) // 2


def group(program, path, order, options):
    """The causes of each group, counted."""
    command = [program, "group", "-q", "--members", "--format", "jsonl",
               *options, "-"]
    with open(path) as reports:
        result = subprocess.run(command, check=True, stdin=reports,
                                stdout=subprocess.PIPE, text=True)
    groups = {}
    for row in json.loads(result.stdout)["rows"]:
        counts = collections.Counter()
        for member in row["members"]:
            counts[order[int(member.rsplit(":", 1)[1]) - 1]] += 1
        groups[row["signature"], row["kind"], row["hashes"][1]] = counts
    found = sum(sum(counts.values()) for counts in groups.values())
    if found != len(order):
        sys.exit(f"{len(order)} reports, but {found} in groups")
    return groups


def inside(groups, key):
    """Pairs of one key, and those of them that are in one group."""
    all_of = collections.Counter()
    together = 0
    for counts in groups.values():
        here = collections.Counter()
        for truth, count in counts.items():
            here[key(truth)] += count
        all_of.update(here)
        together += sum(pairs(n) for n in here.values())
    return sum(pairs(n) for n in all_of.values()), together


def judge(groups):
    """
    Shares of pairs that are right: of one cause of which the same is seen, of
    two causes, and of one cause whatever is seen.
    """
    alike, alike_together = inside(groups, lambda truth: truth)
    of_one, together = inside(groups, lambda truth: truth[0])
    sizes = [sum(counts.values()) for counts in groups.values()]
    of_two = pairs(sum(sizes)) - of_one
    merged = sum(pairs(n) for n in sizes) - together
    return alike_together / alike, 1 - merged / of_two, together / of_one


def print_confusion(groups, most):
    split = collections.defaultdict(list)
    merged = []
    for (name, *_), counts in groups.items():
        causes = sorted({cause for cause, seen in counts})
        if len(causes) > 1:
            merged.append((name, causes))
        for truth, count in counts.items():
            split[truth].append((count, name))
    torn = [(cause, names) for cause, names in sorted(split.items())
            if len(names) > 1]
    print(f"  {len(merged)} groups hold several causes")
    for name, causes in merged[:most]:
        print(f"    {name}: {len(causes)} causes, as {causes[0]}")
    print(f"  {len(torn)} causes are in several groups")
    for (cause, _), names in torn[:most]:
        shown = "; ".join(f"{n} × {name}" for n, name in sorted(names)[-2:])
        print(f"    {cause}: {len(names)} groups, {shown}")


def try_family(args, path, hidden):
    """Prints what each algorithm makes of a family; gives what is wrong."""
    order = write_reports(path, args.causes, args.variants, args.seed, hidden)
    print(f"{args.causes} causes, {len(order)} reports, {100 * hidden:.0f} % "
          "of calls inlined without a trace")
    scores = {}
    for name in ("apm", "socorro", "innermost2"):
        groups = group(args.program, path, order, ["--algorithm", name])
        scores[name] = judge(groups)
        print(f"{name}: {100 * scores[name][0]:.2f} % of pairs of one cause "
              f"together, {100 * scores[name][1]:.2f} % of two apart, "
              f"{len(groups)} groups"
              + (f"; together whatever is inlined: "
                 f"{100 * scores[name][2]:.2f} %" if hidden else ""))
        print_confusion(groups, args.show)
    faults = []
    if scores["apm"][0] < TOGETHER or scores["apm"][1] < APART:
        faults.append("apm is not good enough")
    for name in ("socorro", "innermost2"):
        if sum(scores[name][:2]) >= sum(scores["apm"][:2]):
            faults.append(f"{name} is no worse than apm")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--causes", type=int, default=200)
    parser.add_argument("--variants", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--hidden", type=float, default=0.05,
                        help="share of calls inlined without a trace")
    parser.add_argument("--keep", help="write the reports to this file")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="apmtool-groups.") as folder:
        path = args.keep or str(pathlib.Path(folder) / "reports.jsonl")
        faults = (try_family(args, path, args.hidden)
                  + try_family(args, path, 0))
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
