# SPDX-License-Identifier: MIT
"""T32: a working tree of strangers: whatever is found without being named may be
a link, a FIFO, a device, a socket, somebody else's, or endless."""

import os
import shutil
import socket
import subprocess
import time

from harness import SAMPLES, test

SECRET = b"BEGIN-PRIVATE-KEY-4711"
STRANGER = 12345
# The budget of an automatic search, and a run.
SEARCH_SECONDS = 5 + 3
OWN_CONFIG = {"APMTOOL_CONFIG": "unset"}
DWARF = "Demo.dSYM/Contents/Resources/DWARF/Demo"
MAC = SAMPLES / "demo-mac.crash"


def make_socket(path):
    here = os.getcwd()
    # The path of a socket has room for a hundred bytes.
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


def make_huge(path):
    with open(path, "wb") as file:
        file.truncate(1 << 40)


def kinds(target):
    """What may have the name of a file: (name, function of its path)."""
    return [
        ("link", lambda path: path.symlink_to(target)),
        ("dangling link", lambda path: path.symlink_to("nowhere/at/all")),
        ("loop", lambda path: path.symlink_to(path.name)),
        ("link to /dev/zero", lambda path: path.symlink_to("/dev/zero")),
        ("FIFO", os.mkfifo),
        ("socket", make_socket),
        ("directory", lambda path: path.mkdir()),
        ("endless file", make_huge),
    ]


def place(path, make):
    """Put something where maybe something else was."""
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    elif os.path.lexists(path):
        path.unlink()
    path.parent.mkdir(parents=True, exist_ok=True)
    if make:
        make(path)


def fresh(battery, name):
    folder = battery.scratch / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def run(battery, what, arguments, seconds=10, env=None, **more):
    """Ends as documented, in time, and without a word of the secret."""
    start = time.monotonic()
    done = battery.run(arguments, env={**OWN_CONFIG, **(env or {})}, **more)
    took = time.monotonic() - start
    battery.check(what, done)
    if SECRET in done.out + done.err:
        battery.fault(what, f"printed the secret: {done.err!r:.300}")
    if took > seconds and not battery.sanitized:
        battery.fault(what, f"took {took:.1f} s")
    return done


@test("T32", "config", "a project's config file that is a link, no file, or "
      "full of what is nobody's business")
def config(battery):
    tree = fresh(battery, "tree")
    (tree / "below").mkdir()
    secret = battery.scratch / "secret"
    secret.write_bytes(SECRET + b"\n")
    file = tree / ".apmtool.yaml"
    for name, make in kinds(secret):
        place(file, make)
        for cwd in (tree, tree / "below"):
            what = f".apmtool.yaml: {name}, in {cwd.name}"
            done = run(battery, what, ["config"], cwd=cwd)
            if done.status != 4:
                battery.fault(what, f"status {done.status}: {done.err!r}")
    # A hard link, and what else is a file.
    for text in (b"%s\n", b"%s: 1\n", b"jobs: %s\n", b"style: '%s\n",
                 b"limits: {%s: 1}\n", b"in-app: [{image: ^%s, app: true}]\n",
                 b"-----%s-----\n%s==\n"):
        place(file, None)
        file.write_bytes(text.replace(b"%s", SECRET))
        what = f".apmtool.yaml: {text!r}"
        done = run(battery, what, ["symbolicate", MAC], cwd=tree)
        if done.status != 4 or b".apmtool.yaml:" not in done.err:
            battery.fault(what, f"{done.status}: {done.err!r}")
    # The user's own may be kept elsewhere.
    place(file, None)
    home = fresh(battery, "home")
    (home / "dotfiles.yaml").write_text("style: raw\n")
    (home / ".config/apmtool").mkdir(parents=True)
    (home / ".config/apmtool/config.yaml").symlink_to(home / "dotfiles.yaml")
    done = run(battery, "a user's link", ["config"], cwd=tree,
               env={"HOME": home})
    if b"raw" not in done.out:
        battery.fault("a user's link", f"{done.out!r} {done.err!r}")
    if os.geteuid() == 0:
        file.write_text("style: raw\n")
        os.chown(file, STRANGER, 0)
        done = run(battery, "a stranger's", ["config"], cwd=tree)
        if b"raw" in done.out or b"another user" not in done.err:
            battery.fault("a stranger's", f"{done.out!r} {done.err!r}")


def deep(folder, levels):
    for _ in range(levels):
        folder = folder / "d"
        folder.mkdir()
    return folder


@test("T32", "search", "a project sends the search for dSYMs through the whole "
      "system")
def search(battery):
    tree = fresh(battery, "tree")
    file = tree / ".apmtool.yaml"
    deep(tree, 80)
    os.mkfifo(tree / "pipe.dSYM")
    wide = tree / "wide"
    wide.mkdir()
    for number in range(60000 if battery.campaign else 2000):
        (wide / f"{number}").mkdir()
    (tree / "root").symlink_to("/")
    places = ["/", "/proc", "/sys", "/dev", "/proc/self/root", "/proc/self",
              "/dev/zero", "root", "d", "wide", "pipe.dSYM", "nowhere",
              "~/../../.."]
    # One after the other, and all of them. Where there is much to find, each
    # search takes its five seconds.
    alone = places if battery.campaign else places[1:-1]
    for paths in [[path] for path in alone] + [places * 10]:
        file.write_text(f"dsym: [{', '.join(paths)}]\n")
        run(battery, f"dsym: {paths[:13]}", ["symbolicate", MAC],
            SEARCH_SECONDS, cwd=tree)
    file.unlink()
    for cwd in ("/", "/proc", tree) if battery.campaign else ("/proc", tree):
        run(battery, f"beside a report, in {cwd}", ["symbolicate", MAC],
            SEARCH_SECONDS, cwd=cwd,
            env={"APMTOOL_AUTO": "1", "APMTOOL_CONFIG": "none"})
    mounted(battery, fresh(battery, "mounts"))


def mounted(battery, folder):
    """Who names a directory does not name the system's files in it."""
    (folder / "proc").mkdir()
    script = ('mount --bind /proc "$1/proc" || exit 99; shift; exec "$@"')
    work = [battery.program, "symbolicate", "-q", "-d", folder, MAC]
    if not shutil.which("unshare"):
        return
    battery.runs += 1
    try:
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", script, "sh", folder,
             *map(str, work)], env=battery.environment(), timeout=20,
            capture_output=True, check=False)
        if done.returncode not in (0, 1, 3, 99):
            # A system without such namespaces.
            if b"unshare" not in done.stderr:
                battery.fault("/proc below -d", f"{done.stderr!r:.300}")
    except subprocess.TimeoutExpired:
        battery.fault("/proc below -d", "no end")


@test("T32", "found", "dSYMs, lists, symbol maps and the cache, found as what "
      "they should not be")
def found(battery):
    data = (SAMPLES / DWARF).read_bytes()
    outside = battery.scratch / "outside"
    outside.write_bytes(data)
    tree = fresh(battery, "tree")
    symbols = tree / DWARF
    # Beside the samples there are symbols.
    shutil.copy(MAC, tree)
    work = ["symbolicate", MAC.name]
    auto = {"APMTOOL_AUTO": "1"}
    plain = run(battery, "without symbols", work, cwd=tree)
    place(symbols, lambda path: path.write_bytes(data))
    named = run(battery, "a file", work, cwd=tree, env=auto)
    if named.out == plain.out:
        battery.fault("a file beside", "is not found")
    for name, make in kinds(outside):
        place(symbols, make)
        done = run(battery, f"a dSYM that is a {name}", work, cwd=tree,
                   env=auto)
        if done.out != plain.out:
            battery.fault(f"a dSYM that is a {name}", "is used")
    if os.geteuid() == 0:
        place(symbols, lambda path: path.write_bytes(data))
        os.chown(symbols, STRANGER, 0)
        done = run(battery, "a stranger's dSYM", work, cwd=tree, env=auto)
        if done.out != plain.out:
            battery.fault("a stranger's dSYM", "is used")
    # What lies beside symbols that were named.
    place(symbols, lambda path: path.write_bytes(data))
    uuid = "4C4C44BD-5555-3144-A18B-1D7A14ACC538"
    work = ["symbolicate", MAC, "-d", tree]
    for beside in (tree / "Demo.dSYM/Contents/Info.plist",
                   tree / f"Demo.dSYM/Contents/Resources/{uuid}.plist",
                   tree / f"{uuid}.bcsymbolmap"):
        for name, make in kinds(outside):
            place(beside, make)
            done = run(battery, f"{beside.name}: {name}", work)
            if done.out != named.out:
                battery.fault(f"{beside.name}: {name}", "changes the report")
        place(beside, None)
    cache(battery, tree, named)


def cache(battery, tree, expected):
    folder = fresh(battery, "cache")
    folder.chmod(0o700)
    env = {"APMTOOL_CACHE": folder}
    work = ["symbolicate", MAC]
    run(battery, "index", ["index", "--symbols", tree], env=env)
    names = [path.name for path in folder.iterdir()]
    if "uuids" not in names or len(names) < 4:
        battery.fault("the cache", f"has only {names}")
    for name in names:
        kept = (folder / name).read_bytes()
        target = battery.scratch / "kept"
        target.write_bytes(kept)
        for kind, make in kinds(target):
            what = f"{name} of the cache: {kind}"
            place(folder / name, make)
            done = run(battery, what, [*work, "-d", tree], env=env)
            if done.out != expected.out:
                battery.fault(what, "changes the report")
            for mode in ("--list", "--verify"):
                run(battery, f"{what}, {mode}", ["index", mode], env=env)
            if target.read_bytes() != kept:
                battery.fault(what, "was written through")
        place(folder / name, lambda path, data=kept: path.write_bytes(data))
    foreign(battery, folder, env)


def foreign(battery, folder, env):
    """What others keep in the directory stays there."""
    gsym = "4C4C4471-5555-3144-A165-859A782CD8BB.gsym"
    names = ["notes.txt", "App.gsym", gsym, f"x{gsym}", "my-uuids.old",
             "a.gsym.bak", f"{gsym}.1-x"]
    for name in names:
        (folder / name).write_bytes(b"GSYM of others")
        os.utime(folder / name, (1, 1))
    (folder / "sub").mkdir()
    (folder / "sub" / gsym).write_bytes(b"deeper")
    (folder / f"{gsym[:-6]}C.gsym").symlink_to(folder / gsym)
    for mode in (["--verify"], ["--prune", "1"], ["--clear"]):
        run(battery, f"index {mode}", ["index", *mode], env=env)
        for path in [*(folder / name for name in names), folder / "sub" / gsym,
                     folder / f"{gsym[:-6]}C.gsym"]:
            if not os.path.lexists(path):
                battery.fault(f"index {mode}", f"removed {path.name}")
    ours = [path.name for path in folder.glob("*-*.gsym")
            if path.is_file() and path.read_bytes()[-256:-248] == b"apmtseal"]
    if ours or (folder / "uuids").exists():
        battery.fault("index --clear", f"left {ours}")


@test("T32", "output", "links, FIFOs and devices in a directory of outputs")
def output(battery):
    tree = fresh(battery, "tree")
    victim = battery.scratch / "victim"
    work = ["convert", "--to", "json", "-o", "out/", SAMPLES / "demo.ips"]
    run(battery, "-o out/", work, cwd=tree)
    written = list((tree / "out").iterdir())
    if len(written) != 1:
        battery.fault("-o out/", f"wrote {written}")
        return
    expected = written[0].read_bytes()
    for name, make in kinds(victim):
        victim.write_bytes(b"untouched")
        place(written[0], make)
        done = run(battery, f"a {name} in the output directory", work,
                   cwd=tree)
        if victim.read_bytes() != b"untouched":
            battery.fault(f"a {name}", "was written through")
        if name == "directory":
            if done.status != 5:
                battery.fault("a directory", f"status {done.status}")
            written[0].rmdir()
        elif written[0].is_symlink() or written[0].read_bytes() != expected:
            battery.fault(f"a {name}", "was not replaced")
        for left in (tree / "out").iterdir():
            if left != written[0]:
                battery.fault(f"a {name}", f"left behind: {left.name}")
    swapped(battery, tree)


def swapped(battery, tree):
    """The directory becomes a link while the run goes on."""
    folder, moved = tree / "swapped", tree / "moved"
    elsewhere = fresh(battery, "elsewhere")
    battery.runs += 1
    with subprocess.Popen(
            [battery.program, "convert", "--to", "json", "-o", f"{folder}/",
             "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
            env=battery.environment()) as child:
        for _ in range(500):
            if folder.exists():
                break
            time.sleep(0.02)
        # It is open soon after it is there.
        time.sleep(0.5)
        folder.rename(moved)
        folder.symlink_to(elsewhere)
        said = child.communicate((SAMPLES / "demo.ips").read_bytes(),
                                 timeout=60)[1]
    if child.returncode or list(elsewhere.iterdir()) or \
            not list(moved.iterdir()):
        battery.fault("a directory that became a link",
                      f"status {child.returncode}: {said!r:.200}")
