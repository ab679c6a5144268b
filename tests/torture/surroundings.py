# SPDX-License-Identifier: MIT
"""T14, T18, T19, T20, T25: paths that lead elsewhere, a system that refuses,
readers that leave, signals, and other settings that must not matter."""

import errno
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from damage import documents, write
from formats import (COMMANDS, OPTIONS, SYMBOLS, check_all, formats_of,
                     with_format)
from harness import SAMPLES, Skipped, test

OUTSIDE = ["/etc/passwd", "../../../../etc/passwd", "/proc/self/mem",
           "/dev/zero", "~/.ssh/id_rsa", "..\\..\\x", "/dev/fd/0", "x\0y"]
OPENS = re.compile(r"^\d* *(?:openat|open)\(")
# Changes of directories, the network, and other programs.
CHANGES = re.compile(r"^\d* *(?:creat|mkdir|mkdirat|rename|renameat2?|unlink|"
                     r"unlinkat|link|linkat|symlink|symlinkat|socket|connect|"
                     r"bind|listen|execve|execveat)\(")


def one_of_each():
    return [(command, OPTIONS[command], SAMPLES / inputs[0])
            for command, _, inputs in COMMANDS]


@test("T14", "paths", "operands that are no files, and reports that name "
      "files elsewhere")
def paths(battery):
    folder = battery.scratch / "paths"
    folder.mkdir()
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "away").symlink_to("/etc/passwd")
    (folder / "directory").mkdir()
    (folder / "inner").symlink_to(folder)
    places = [folder / "loop", folder / "away", folder / "directory", folder,
              "/proc/self/mem", "/dev/null", folder / ("n" * 255),
              folder / "a\nb\x1b[31m", "", "-x", "/proc/self/fd"]
    for command, options, _ in one_of_each():
        for place in battery.some(places, len(places)):
            list(check_all(battery, f"{place} as input", command,
                           str(place), gate=1, options=[*options, "--"]))
    for where in places:
        done = battery.run(["symbolicate", "-d", str(where),
                            SAMPLES / "demo.crash"])
        battery.check(f"symbolicate -d {where}", done)
    # A pipe without a writer below a directory that is searched.
    os.mkfifo(folder / "pipe.dSYM")
    done = battery.run(["symbolicate", "-q", "-d", folder,
                        SAMPLES / "demo.crash"])
    battery.check("a pipe among the symbols", done)
    traced(battery)


def traced(battery):
    """Under strace: nothing outside is opened because a report names it, nothing
    is written but the output, or sent, and only the program itself executed."""
    strace = shutil.which("strace")
    header, body = documents("demo.ips")
    for number, place in enumerate(OUTSIDE):
        for image in body["usedImages"]:
            image["path"] = place
            image["name"] = place
        body["procPath"] = place
        report = write(battery, (json.dumps(header) + "\n" +
                                 json.dumps(body)).encode())
        command = [battery.program, "symbolicate", "-q", "-o", "result", report]
        log = battery.scratch / "trace"
        if not strace or battery.sanitized:
            battery.check(place, battery.run(command[1:]))
            continue
        done = subprocess.run(
            [strace, "-f", "-o", log, "-e", "trace=file,network",
             *map(str, command)],
            cwd=battery.scratch, env=battery.environment(APMTOOL_AUTO="1"),
            capture_output=True, check=False)
        battery.runs += 1
        if done.returncode not in (0, 1):
            if number == 0 and b"ptrace" in done.stderr:
                return
            battery.fault(place, f"ended with {done.returncode}")
        # The first call executes the program.
        for line in log.read_text(errors="replace").splitlines()[1:]:
            if (CHANGES.match(line) and
                    not re.search('[/"]result', line) and
                    'execve("/proc/self/exe", ["apmtool-reader"]' not in
                    line) or (
                    OPENS.match(line) and re.search(
                        "passwd|self/mem|dev/zero|id_rsa|O_CREAT", line)):
                battery.fault(place, line)


def closed(*numbers):
    def close():
        for number in numbers:
            os.close(number)
    return close


@test("T18", "refusals", "no HOME, a directory that is gone, closed "
      "descriptors, nothing that can be written")
def refusals(battery):
    gone = battery.scratch / "gone"
    settings = [{"HOME": "unset"}, {"HOME": "/proc/nothing"}, {"HOME": ""},
                {"TMPDIR": "/proc/nothing"}, {"APMTOOL_CACHE": "unset"},
                {"APMTOOL_CACHE": "/proc/nothing"}, {"PATH": "unset"},
                {"XDG_CACHE_HOME": "/dev/null", "APMTOOL_CACHE": "unset"},
                {"TERM": "x" * 5000}, {"COLUMNS": "-1"}, {"TZ": "\x1b/x"},
                {"LC_ALL": "no_SUCH.locale"}]
    for command, options, path in one_of_each():
        work = [command, *options, path]
        expected = battery.run(work)
        for env in battery.some(settings, len(settings)):
            done = battery.run(work, env=env)
            battery.check(f"{command} with {env}", done)
            if (done.status, done.out) != (expected.status, expected.out):
                battery.fault(f"{command} with {env}", f"{done.err!r:.200}")
        gone.mkdir()
        done = battery.run(work, preexec_fn=lambda: (os.chdir(gone),
                                                     os.rmdir(gone)))
        if done.out != expected.out:
            battery.fault(f"{command} in a directory that is gone",
                          f"{done.err!r:.200}")
        for numbers in ((0,), (0, 2), (2,)):
            done = battery.run(work, preexec_fn=closed(*numbers))
            if (done.status, done.out) != (expected.status, expected.out):
                battery.fault(f"{command} without descriptors {numbers}",
                              f"status {done.status}")
        for numbers in ((1,), (0, 1), (1, 2), (0, 1, 2)):
            done = battery.run(work, preexec_fn=closed(*numbers))
            if done.status != 5:
                battery.fault(f"{command} without descriptors {numbers}",
                              f"status {done.status}")
        done = battery.run([command, *options, "-o", "/proc/nothing/x", path])
        if command != "uuid" and done.status != 5:
            battery.fault(f"{command} -o /proc/nothing/x",
                          f"status {done.status}")


@test("T19", "pipes", "the reader of the output leaves")
def pipes(battery):
    for command, options, path in one_of_each():
        for size in battery.some((0, 1, 200), 3):
            battery.runs += 1
            reading, writing = os.pipe()
            with subprocess.Popen(
                    [battery.program, command, *options, path],
                    stdin=subprocess.DEVNULL, stdout=writing,
                    stderr=subprocess.PIPE, env=battery.environment(),
                    cwd=battery.scratch, restore_signals=True) as child:
                os.close(writing)
                if size:
                    os.read(reading, size)
                os.close(reading)
                said = child.stderr.read()
                status = child.wait()
            what = f"{command} whose reader takes {size} bytes"
            # What was written before the reader left went into the pipe.
            if status not in (-signal.SIGPIPE, 0, 1):
                battery.fault(what, f"status {status}: {said!r:.200}")
            if said.strip() and status == -signal.SIGPIPE:
                battery.fault(what, f"said {said!r:.200}")


@test("T20", "signals", "interrupted, stopped and ended at random moments")
def signals(battery):
    send_signals(battery, 60)


@test("T20", "some_signals", "the same, each signal once")
def some_signals(battery):
    send_signals(battery, 6)


def send_signals(battery, count):
    """Send @p count signals, of each kind as many."""
    folder = battery.scratch / "signals"
    folder.mkdir()
    output = folder / "output"
    command = [battery.program, "symbolicate", *SYMBOLS, "-o", output, *(
        SAMPLES / name for name in ("demo.crash", "demo.ips",
                                    "demo-mac.crash")), *[SAMPLES] * 2]
    start = time.monotonic()
    subprocess.run(command, capture_output=True, check=False,
                   env=battery.environment())
    most = (time.monotonic() - start) * 1.1
    expected = output.read_bytes()
    for number in battery.cases(count):
        output.write_bytes(b"old")
        kinds = [(signal.SIGINT,), (signal.SIGTERM,),
                 (signal.SIGINT, signal.SIGINT), (signal.SIGHUP,),
                 (signal.SIGTSTP, signal.SIGCONT),
                 (signal.SIGWINCH,)][number % 6]
        battery.runs += 1
        with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL,
                              env=battery.environment(),
                              start_new_session=True) as child:
            time.sleep(battery.random.uniform(0, most))
            for kind in kinds:
                child.send_signal(kind)
                time.sleep(0.001)
            child.send_signal(signal.SIGCONT)
            status = child.wait()
        what = f"{[kind.name for kind in kinds]}"
        if status not in (0, 1, 3, *(-kind for kind in kinds)):
            battery.fault(what, f"status {status}")
        if output.read_bytes() not in (b"old", expected):
            battery.fault(what, "the output is torn")
        for path in folder.iterdir():
            if path != output:
                battery.fault(what, f"left behind: {path.name}")
                path.unlink()
        try:
            # Every process of its session is gone, soon at least.
            for _ in range(100):
                os.killpg(child.pid, 0)
                time.sleep(0.02)
            battery.fault(what, "a child is still there")
        except (ProcessLookupError, PermissionError):
            pass


def started_and(battery, work, report, meddle, **more):
    """The outcome of a program that waits for its report, after `meddle()`."""
    battery.runs += 1
    with subprocess.Popen(work, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=battery.environment(),
                          **more) as child:
        meddle(child.pid)
        out, err = child.communicate(report, timeout=120)
    return child.returncode, out, err


def loader_of(program):
    """The loader that a dynamic program names; None: it has none."""
    found = re.search(rb"/lib[a-z0-9/]*/ld-[-.a-z0-9_]+",
                      pathlib.Path(program).read_bytes()[:1 << 16])
    return found and found.group().decode()


def no_children(battery):
    """Nothing is started for a report that has not come."""
    def check(pid):
        time.sleep(0.3)
        listed = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
        if listed.exists() and listed.read_text().split():
            battery.fault("before the report", "there are children")
    return check


@test("T20", "spawner", "what reads symbols is this program, executed again, "
      "however it was started, and no other")
def spawner(battery):
    report = (SAMPLES / "demo.crash").read_bytes()
    work = ["symbolicate", "--no-cache", *SYMBOLS, "-"]
    expected = battery.run(work, stdin=report)
    copy = battery.scratch / "program"

    def replace(_):
        copy.unlink()
        copy.write_text("#!/bin/sh\nexit 3\n")
        copy.chmod(0o755)

    cases = [("a report that comes late", [battery.program],
              no_children(battery), {}),
             ("deleted", [copy], lambda _: copy.unlink(), {}),
             ("replaced", [copy], replace, {})]
    if hasattr(os, "memfd_create"):
        memory = os.memfd_create("program", 0)
        os.write(memory, pathlib.Path(battery.program).read_bytes())
        cases.append(("in memory", [f"/proc/self/fd/{memory}"],
                      lambda _: None, {"pass_fds": [memory]}))
    loader = loader_of(battery.program)
    if loader:
        cases.append(("by its loader", [loader, battery.program],
                      lambda _: None, {}))
    # Not with sanitizers, which valgrind does not get on with.
    if shutil.which("valgrind") and battery.shim:
        cases.append(("by valgrind", ["valgrind", "-q", battery.program],
                      lambda _: None, {}))
    hidden = ["unshare", "-rm", "sh", "-c",
              'mount -t tmpfs none /proc && exec "$0" "$@"']
    if not subprocess.run([*hidden, "true"], check=False,
                          capture_output=True).returncode:
        cases.append(("without /proc", [*hidden, battery.program],
                      lambda _: None, {}))
    for what, program, meddle, more in cases:
        copy.unlink(missing_ok=True)
        shutil.copy(battery.program, copy)
        status, out, err = started_and(battery, [*program, *work], report,
                                       meddle, **more)
        if (status, out) != (expected.status, expected.out):
            battery.fault(what, f"status {status}, differs: {err!r:.300}")
    if not battery.shim:
        return
    done = battery.run(work, stdin=report, env={
        "LD_PRELOAD": battery.shim, "TORTURE_SPAWN": f"1+:{errno.EACCES}"})
    if b"cannot start the reader: permission denied" not in done.err:
        battery.fault("it may not be executed", f"{done.err!r:.300}")
    # Of the symbol table, names still come.
    if b"demo::Feed::process" not in done.out:
        battery.fault("it may not be executed", "names are missing")


@test("T25", "same", "the same bytes for any locale, zone, number of jobs, "
      "directory and memory layout")
def same(battery):
    settings = [{"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
                {"LC_ALL": "tr_TR.UTF-8"}, {"TZ": "Asia/Kathmandu"},
                {"TZ": "America/St_Johns"}, {"MALLOC_PERTURB_": "165"}]
    jobs = {command for command, _, _ in COMMANDS if b"--jobs" in
            battery.run([command, "--help"]).out}
    if not shutil.which("setarch"):
        raise Skipped("setarch is not installed")
    for command, options, inputs in COMMANDS:
        for name in battery.some(formats_of(battery.program, command), 4):
            work = [command, *with_format(command, name), *options, *(
                SAMPLES / one for one in inputs[:4])]
            expected = battery.run(work)
            tries = [(f"with {env}", work, {"env": env}) for env in settings]
            tries += [("again", work, {}), ("elsewhere", work, {"cwd": "/"})]
            if command in jobs:
                tries += [(f"with {count} jobs",
                           [*work, "--jobs", count], {}) for count in (1, 8)]
            for what, arguments, more in battery.some(tries, len(tries)):
                done = battery.run(arguments, **more)
                if (done.status, done.out) != (expected.status, expected.out):
                    battery.fault(f"{command} --format {name} {what}",
                                  "differs")
