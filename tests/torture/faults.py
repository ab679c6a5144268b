# SPDX-License-Identifier: MIT
"""T6, T7: allocations and system calls that fail, one after the other."""

import errno
import signal

from formats import COMMANDS, OPTIONS, SYMBOLS, formats_of, with_format
from harness import SAMPLES, Skipped, test

OLD = b"what was there before\n"
# What fails, how, and the calls of which it is tried.
FAULTS = [("READ", [errno.EIO]), ("OPEN", [errno.EMFILE, errno.EACCES]),
          ("WRITE", [errno.ENOSPC, errno.EIO, errno.EDQUOT]),
          ("CLOSE", [errno.EIO, errno.ENOSPC]), ("FSYNC", [errno.EIO]),
          ("RENAME", [errno.EROFS, errno.EACCES]),
          ("LINK", [errno.EROFS, errno.EACCES]),
          ("FORK", [errno.EAGAIN, errno.ENOMEM]),
          ("SPAWN", [errno.EAGAIN, errno.ENOMEM, errno.EACCES]),
          ("MMAP", [errno.ENOMEM]), ("THREAD", [errno.EAGAIN])]
WRITING = {"WRITE", "CLOSE", "FSYNC", "RENAME", "LINK"}
WORK = [["symbolicate", *SYMBOLS, SAMPLES / "demo.crash"],
        ["symbolicate", "--debug-info", "libdwarf", *SYMBOLS,
         SAMPLES / "demo.ips", SAMPLES / "demo-mac.crash"],
        ["convert", "--to", "ips", SAMPLES / "demo.crash.gz"],
        ["group", "--format", "json", SAMPLES / "demo.ips",
         SAMPLES / "demo.crash"],
        ["explain", "--format", "html", SAMPLES / "demo.ips"],
        ["jetsam", SAMPLES / "jetsam/limit.ips"],
        ["exit-reason", SAMPLES / "session/killed.plist"],
        ["lag-aggregate", SAMPLES / "lag/reports.jsonl"],
        ["fold", *SYMBOLS, SAMPLES / "lag/reports.jsonl"],
        ["flamegraph", "--jobs", "2", SAMPLES / "lag/reports.jsonl"],
        ["missing", *SYMBOLS, SAMPLES / "demo.ips"],
        ["uuid", SAMPLES / "Plain.dylib"],
        ["diff", SAMPLES / "demo.ips", SAMPLES / "demo.crash"]]


def need_shim(battery):
    if not battery.shim:
        raise Skipped("it needs the shim, which sanitizers do not get on with")


def counts(battery, arguments, **env):
    """How many calls of each kind there are."""
    path = battery.scratch / "counts"
    path.unlink(missing_ok=True)
    battery.run(arguments, env={"LD_PRELOAD": battery.shim,
                                "TORTURE_COUNT": path, **env})
    found = {}
    for line in path.read_text().splitlines():
        kind, count = line.split()
        found[kind] = found.get(kind, 0) + int(count)
    return found


class Output:
    """A file that is there already, and its directory."""

    def __init__(self, battery):
        self.folder = battery.scratch / "out"
        self.folder.mkdir(exist_ok=True)
        self.path = self.folder / "output"
        self.path.write_bytes(OLD)

    def faults(self, done, expected, writing):
        """It holds the whole of the new or of the old, and is alone; where
        reading failed, the new may be less."""
        left = sorted(path.name for path in self.folder.iterdir())
        if left != ["output"]:
            yield f"left behind: {left}"
        data = self.path.read_bytes()
        if writing and done.status == 5 and data not in (OLD, expected):
            yield "status 5, and the old output is gone"
        if not done.status and data == OLD or not data:
            yield f"status {done.status}, and there is no output"


def one_fault(battery, arguments, expected, what, env):
    """Say it, or do without: never a result that is less without a word."""
    output = Output(battery)
    done = battery.run([*arguments, "-o", output.path] if
                       arguments[0] != "uuid" else arguments,
                       env={"LD_PRELOAD": battery.shim, **env})
    label = f"{' '.join(map(str, arguments[:3]))}: {what}"
    battery.check(label, done)
    data = done.out if arguments[0] == "uuid" else output.path.read_bytes()
    if done.status not in (0, expected.status) and not done.err.strip():
        battery.fault(label, f"status {done.status} without a message")
    # Rows of `missing` say it themselves, or are without a hint.
    if done.status == expected.status and data != expected.out and \
            done.err == expected.err and arguments[0] != "missing":
        battery.fault(label, "another result without a word")
    if arguments[0] != "uuid":
        for fault in output.faults(done, expected.out, any(
                name[8:] in WRITING for name in env)):
            battery.fault(label, fault)
    return done


@test("T6", "memory", "each allocation fails once, in every command")
def memory(battery):
    need_shim(battery)
    for arguments in WORK:
        expected = battery.run(arguments)
        count = counts(battery, arguments)["ALLOC"]
        for k in battery.some(range(1, count + 1), 20):
            done = one_fault(battery, arguments, expected,
                             f"allocation {k} of {count} fails",
                             {"TORTURE_ALLOC": k})
            # Where a child has none, its parent may have.
            if done.status not in (5, expected.status):
                battery.fault(f"{arguments[0]}: allocation {k}",
                              f"status {done.status}: {done.err[-300:]!r}")


@test("T7", "calls", "each system call fails once, in every command")
def calls(battery):
    need_shim(battery)
    for arguments in WORK:
        expected = battery.run(arguments)
        count = counts(battery, [*arguments, "-o", Output(battery).path] if
                       arguments[0] != "uuid" else arguments)
        cases = [(kind, code, k) for kind, codes in FAULTS for code in codes
                 for k in range(1, count.get(kind, 0) + 1)]
        for kind, code, k in battery.some(cases, 16):
            for on in ("", "+") if kind in ("OPEN", "WRITE", "FORK", "SPAWN") else ("",):
                one_fault(battery, arguments, expected,
                          f"{kind} {k}{on} fails: {errno.errorcode[code]}",
                          {f"TORTURE_{kind}": f"{k}{on}:{code}"})
        for kind in ("READ", "WRITE"):
            for k in battery.some(range(1, count.get(kind, 0) + 1), 2):
                done = one_fault(battery, arguments, expected,
                                 f"{kind} {k} is interrupted",
                                 {f"TORTURE_{kind}": f"{k}:{errno.EINTR}"})
                if done.status != expected.status:
                    battery.fault(f"{arguments[0]}: {kind} {k}",
                                  f"EINTR, status {done.status}")
        done = battery.run(arguments, env={"LD_PRELOAD": battery.shim,
                                           "TORTURE_SHORT": "7"})
        if (done.status, done.out) != (expected.status, expected.out):
            battery.fault(arguments[0], "differs with short reads and writes")


@test("T20", "endings", "a signal at each step of an output")
def endings(battery):
    need_shim(battery)
    arguments = ["symbolicate", *SYMBOLS, SAMPLES / "demo.crash"]
    expected = battery.run(arguments)
    for named in ({}, {"TORTURE_NAMED": "1"}):
        count = counts(battery, [*arguments, "-o", Output(battery).path],
                       **named)
        # These happen once or twice, and each is tried.
        final = [(kind, k) for kind in ("LINK", "FSYNC", "RENAME")
                 for k in range(1, count[kind] + 1)]
        others = [(kind, k) for kind in ("READ", "OPEN", "WRITE", "CLOSE")
                  for k in range(1, count[kind] + 1)]
        if len(final) < 2:
            battery.fault("symbolicate", f"it only calls {final}")
        for kind, k in [*final, *battery.some(others, 20)]:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                output = Output(battery)
                done = battery.run(
                    [*arguments, "-o", output.path],
                    env={"LD_PRELOAD": battery.shim, **named,
                         "TORTURE_SIGNAL": int(number),
                         f"TORTURE_{kind}": k})
                what = f"{number.name} before {kind} {k} {named}"
                if (kind, k) in final and done.status != -number:
                    battery.fault(what, f"status {done.status}")
                for path in output.folder.iterdir():
                    if path != output.path:
                        battery.fault(what, f"left behind: {path.name}")
                        path.unlink()
                written = output.path.read_bytes()
                wanted = OLD if done.status == -number else expected.out
                # The last files are closed when the output is in its place.
                if written != wanted and (kind, written) != ("CLOSE",
                                                             expected.out):
                    battery.fault(what, "the output is neither new nor old")


@test("T7", "full", "/dev/full as the output of every command and format")
def full(battery):
    for command, _, inputs in COMMANDS:
        for name in formats_of(battery.program, command):
            with open("/dev/full", "wb") as out:
                done = battery.run([command, *with_format(command, name),
                                    *OPTIONS[command], SAMPLES / inputs[0]],
                                   stdout=out)
            what = f"{command} --format {name} > /dev/full"
            battery.check(what, done)
            if done.status != 5 or b"no space left" not in done.err:
                battery.fault(what, f"status {done.status}: {done.err!r:.200}")
