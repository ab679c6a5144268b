#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build each kind of package, install and use it, and remove it.

    tests/check_packages.py KIND...     deb, static, static-arm64, brew, image

Packages are those of the commit, in build/package; `cmake/package/package` builds
them. They are used in root file systems that debootstrap made: nothing of this system
can help them. Prints a row a package: its size, the seconds that it takes to install,
and what was tried. Exits with 77 (skipped) where debootstrap or root is missing.
"""

import contextlib
import filecmp
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

from checking import check, check_equal, failures
import kafka
import serving
import worker_fleet

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build/package"
ROOTS = OUT / "root"
PACKAGE = ROOT / "cmake/package/package"
EXAMPLES = "share/doc/apmtool/examples/samples"
SKIPPED = 77
COMMON = "/usr/share/common-licenses"
VERDICT = "reader.hpp:33"


class Skip(Exception):
    """What is missing."""


def say(text):
    print(f"==> {text}", flush=True)


def run(*command, **options):
    options = {"check": False, "text": True, "stdin": subprocess.DEVNULL,
               "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **options}
    return subprocess.run([str(word) for word in command], **options)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode:
        raise SystemExit(f"failed: {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def need(*programs):
    if os.geteuid():
        raise Skip("root, for chroot")
    for program in programs:
        if not shutil.which(program):
            raise Skip(program)


def build(kind, out=OUT):
    say(f"building {kind} in {out}")
    must(PACKAGE, kind, out)


def version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(apmtool VERSION (\S+)", text).group(1)


def bare_root(suite, kind="bare"):
    must(ROOT / "cmake/package/root", suite, kind)
    return ROOTS / f"{suite}-{kind}"


@contextlib.contextmanager
def fresh_root(suite):
    """A copy of a root file system, without /proc."""
    source = bare_root(suite)
    with tempfile.TemporaryDirectory(prefix="apmtool-root.", dir=OUT) as name:
        root = pathlib.Path(name, "root")
        must("cp", "-a", source, root)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        yield root


@contextlib.contextmanager
def proc_in(root):
    must("mount", "-t", "proc", "proc", root / "proc")
    try:
        yield
    finally:
        must("umount", root / "proc")


def inside(root, *command, **env):
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return run("chroot", root, *command,
               env={"PATH": path, "HOME": "/root", "LC_ALL": "C",
                    "DEBIAN_FRONTEND": "noninteractive", **env})


def must_inside(root, *command, **env):
    done = inside(root, *command, **env)
    check_equal(done.returncode, 0, f"{' '.join(map(str, command))}: {done.stdout[-2000:]}")
    return done.stdout


def explain(root, program, samples, what):
    """A verdict with a line of the dSYM, without /proc and with it."""
    command = [program, "explain", "--no-cache", "--dsym", samples, f"{samples}/demo.crash"]
    without = inside(root, *command)
    known = VERDICT in without.stdout or "/proc" in without.stdout
    check(known, f"{what}: without /proc it works, or says so: {without.stdout}")
    say(f"{what}: without /proc it " +
        ("works" if VERDICT in without.stdout else "says that /proc is missing"))
    with proc_in(root):
        check(VERDICT in must_inside(root, *command), f"{what}: {VERDICT} in the verdict")


def row(package, seconds, what):
    size = package.stat().st_size
    print(f"{package.name}\t{size / 1e6:.1f} MB\t{seconds:.1f} s\t{what}", flush=True)


def only(pattern, folder=OUT):
    found = sorted(folder.glob(pattern))
    check_equal(len(found), 1, f"files {pattern} in {folder}")
    return found[-1]


def check_sums(out=OUT):
    must("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=out)


# Debian -------------------------------------------------------------------------


def files_of(root):
    """What a package might leave, but for the system's own notes, and the user's."""
    notes = ("var/lib/dpkg", "var/lib/apt", "var/cache", "var/log", "proc", "tmp",
             "etc/ld.so.cache", "root/.cache")
    names = (path.relative_to(root).as_posix() for path in root.rglob("*"))
    return {name for name in names if not name.startswith(notes)}


def check_debug_symbols(program):
    note = must("readelf", "-n", program)
    build_id = re.search(r"Build ID: (\w+)", note).group(1)
    package = only(f"apmtool-dbgsym_{version()}-*.deb")
    names = must("dpkg", "--contents", package)
    check(f".build-id/{build_id[:2]}/{build_id[2:]}.debug" in names,
          "the debug symbols are those of the program")


def check_deb():
    need("debootstrap", "dpkg-buildpackage", "lintian")
    build("deb")
    package = only(f"apmtool_{version()}-*.deb")
    with fresh_root("bookworm") as root:
        must_inside(root, "apt-get", "-q", "update")
        # What is removed with the last that needs it is not there before, either.
        before = files_of(root)
        shutil.copy(package, root / "tmp")
        start = time.monotonic()
        must_inside(root, "apt-get", "-q", "install", "-y", "--no-install-recommends",
                    f"/tmp/{package.name}")
        seconds = time.monotonic() - start
        explain(root, "apmtool", f"/usr/{EXAMPLES}", "Debian package")
        check_debug_symbols(root / "usr/bin/apmtool")
        install_worker(root)
        with proc_in(root):
            check_server(root)
            check_worker(root)
            run_autopkgtests(root)
        must_inside(root, "apt-get", "-q", "purge", "-y", "--auto-remove",
                    "apmtool-worker", "apmtool")
        left = files_of(root) - before
        left = {name for name in left if "apmtool" in name}
        check_equal(left, set(), "files left by purging")
    row(package, seconds, "lintian --pedantic, installed, explains a sample, server and "
        "worker beside it, autopkgtest, purged (bookworm)")


def install_worker(root):
    """The second package: programs that get reports over a network."""
    package = only(f"apmtool-worker_{version()}-*.deb")
    shutil.copy(package, root / "tmp")
    must_inside(root, "apt-get", "-q", "install", "-y", "--no-install-recommends",
                f"/tmp/{package.name}")
    for program in "apmtool-worker", "apmtool-server":
        check(f"{program} {version()}" in must_inside(root, program, "--version"),
              f"{program}'s version")
        check(f"usage: {program}" in must_inside(root, program, "--help"), f"{program}'s help")


def check_server(root):
    """It answers, and ends when it is told to."""
    crash = (root / "usr" / EXAMPLES / "demo.crash").read_bytes()
    server = serving.Server("/usr/bin/apmtool", "--dsym", f"/usr/{EXAMPLES}")
    server.command[:0] = ["chroot", root]
    with server:
        health = server.health()
        check_equal((health["status"], health["version"]), ("ok", version()), "its health")
        status, _, page = server.ask("GET", "/")
        check(status == 200 and b"What does this report mean?" in page, f"its page: {page}")
        status, answer = server.post("/report?shape=text", crash)
        check(status == 200 and VERDICT in answer["documents"][0], f"its report: {answer}")
        status, answer = server.post("/hash", crash)
        check(status == 200 and answer["documents"][0]["hashes"], f"its hashes: {answer}")
    check_equal((server.process.returncode, len(server.lines)), (0, 1),
                f"its end: {server.lines}")


def check_worker(root):
    """Beside a broker outside of the root, where there is one."""
    reason = kafka.missing()
    if reason:
        say(f"skipped: apmtool-worker beside a broker: {reason}")
        return
    with tempfile.TemporaryDirectory() as name, kafka.Cluster(name, 1) as cluster:
        cluster.create("apm.raw", "apm.event", "apm.waiting", "apm.dead")
        reports = worker_fleet.fleet(200)
        worker_fleet.produce(cluster.servers, "apm.raw", reports)
        must_inside(root, "apmtool-worker", "--brokers", cluster.servers, "--dsym",
                    f"/usr/{EXAMPLES}", "--until-end")
        events = worker_fleet.consume(cluster.servers, "apm.event")
        check_equal({each["key"] for each in events},
                    {each.id for each in reports if each.id}, "apmtool-worker's events")


def run_autopkgtests(root):
    """debian/tests, as autopkgtest runs them: in the sources, beside the package."""
    shutil.copytree(ROOT / "debian/tests", root / "work/debian/tests")
    for name in "tests", "samples":
        shutil.copytree(ROOT / name, root / "work" / name, symlinks=True,
                        ignore=shutil.ignore_patterns("__pycache__"))
    control = (ROOT / "debian/tests/control").read_text()
    needed = {name for line in re.findall(r"^Depends: (.*)", control, re.M)
              for name in line.split(", ") if not name.startswith("apmtool")}
    # The runner of the golden tests takes jq where it is.
    must_inside(root, "apt-get", "-q", "install", "-y", "--no-install-recommends",
                "jq", *sorted(needed))
    for name in re.findall(r"^Tests: (.*)", control, re.M):
        must_inside(root, "sh", "-c", f"cd /work && AUTOPKGTEST_TMP=/tmp debian/tests/{name}")


# Linux, static ------------------------------------------------------------------


def check_bom(folder, bom):
    """What CycloneDX asks of a document, and what we promise in it."""
    document = json.loads(bom.read_text())
    check_equal((document["bomFormat"], document["specVersion"]), ("CycloneDX", "1.5"), "the BOM")
    check(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", document["serialNumber"]), "its number")
    names = {component["name"] for component in document["components"]}
    for prefix in "libc6-dev", "libdwarf-dev", "libyaml-dev", "libpcre2-dev", "zlib1g-dev", \
            "libcjson-dev", "libexpat1-dev", "libstdc++", "libgcc":
        check(any(name.startswith(prefix) for name in names), f"the BOM has {prefix}: {names}")
    licenses = folder / "share/doc/apmtool/licenses"
    for component in document["components"]:
        check(component["version"] and component["purl"].startswith("pkg:deb/debian/"),
              f"a version of Debian's: {component}")
        check((licenses / f"{component['name']}.txt").stat().st_size > 100,
              f"the license of {component['name']}")
    for name in "LGPL-2.1", "GPL-3":
        check((licenses / f"{name}.txt").stat().st_size > 10000, f"the text of {name}")
    for path in licenses.glob("*.txt"):
        for name in re.findall(r"common-licenses/([\w.-]*\w)", path.read_text(errors="replace")):
            check((licenses / f"{name}.txt").exists() or name not in os.listdir(COMMON),
                  f"{path.name} names {name}, which is there")
    for name in "README", "LICENSE", "RELINK.md":
        check((folder / name).stat().st_size > 500, f"{name} at the top")
    program = (folder / "bin/apmtool").read_bytes()
    check_equal(document["metadata"]["component"]["hashes"][0]["content"],
                hashlib.sha256(program).hexdigest(), "the program's sum in the BOM")


def check_program(program, folder):
    """No libraries, no paths of the build."""
    check("NEEDED" not in must("readelf", "-d", program), "no shared libraries")
    content = program.read_bytes()
    for path in str(ROOT), "/tmp/", "obj-x86_64":
        check(path.encode() not in content or path == "/tmp/", f"no path of the build: {path}")


def unpack(package, folder):
    with tarfile.open(package) as tar:
        tar.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") \
            else tar.extractall(folder)
    return only("apmtool-*", folder)


def link_again(work):
    """With RELINK.md's option, another file of libdwarf, the program is the same."""
    tree = only("apmtool-[0-9]*.[0-9]", work)
    library = work / "libdwarf.a"
    found = must("cc", "-print-file-name=libdwarf.a").strip()
    shutil.copy(found, library)
    must("cmake", "--preset", "static", f"-DLIBDWARF_LIBRARY={library}", cwd=tree)
    must("cmake", "--build", "build/static", cwd=tree)
    program = tree / "build/static/apmtool"
    must("strip", program)
    return program


def check_static():
    need("debootstrap", "git", "cmake")
    build("static")
    package = only(f"apmtool-{version()}-linux-x86_64.tar.gz")
    check_sums()
    with tempfile.TemporaryDirectory(prefix="apmtool-static.") as name:
        top = pathlib.Path(name)
        start = time.monotonic()
        folder = unpack(package, top)
        seconds = time.monotonic() - start
        check_program(folder / "bin/apmtool", folder)
        check_bom(folder, folder / "sbom.cdx.json")
        again = top / "a directory with a longer name"
        build("static", again)
        check(filecmp.cmp(package, again / package.name, shallow=False),
              "two builds in two directories are identical")
        program = link_again(again / "work/static-x86_64")
        check(filecmp.cmp(program, folder / "bin/apmtool", shallow=False),
              "linked again with a library of one's own, it is the same program")
        with fresh_root("bookworm") as root:
            shutil.copytree(folder, root / "opt/apmtool")
            explain(root, "/opt/apmtool/bin/apmtool", f"/opt/apmtool/{EXAMPLES}", "static")
    row(package, seconds, "two builds identical, linked again, BOM and licenses, "
        "explains a sample (bare bookworm)")


@contextlib.contextmanager
def registered(root, machine):
    """Programs of another machine run under qemu, while this lasts."""
    binfmt = pathlib.Path("/proc/sys/fs/binfmt_misc")
    mounted = (binfmt / "register").exists()
    if not mounted and run("mount", "-t", "binfmt_misc", "none", binfmt).returncode:
        raise Skip("binfmt_misc, to run programs of another machine")
    number = {"aarch64": r"\xb7", "s390x": r"\x16"}[machine]
    name = f"apmtool-test-{machine}"
    if machine == "aarch64":
        head, kind = r"\x7fELF\x02\x01\x01", r"\x02\x00" + number + r"\x00"
        mask = r"\xff\xff\xff\xff\xff\xff\xff\x00" + r"\xff" * 8 + r"\xfe\xff\xff\xff"
    else:
        head, kind = r"\x7fELF\x02\x02\x01", r"\x00\x02\x00" + number
        mask = r"\xff\xff\xff\xff\xff\xff\xff\x00" + r"\xff" * 8 + r"\xff\xfe\xff\xff"
    magic = head + r"\x00" * 9 + kind
    interpreter = root / f"usr/bin/qemu-{machine}-static"
    (binfmt / "register").write_text(f":{name}:M::{magic}:{mask}:{interpreter}:F\n")
    try:
        yield
    finally:
        (binfmt / name).write_text("-1")
        if not mounted:
            must("umount", binfmt)


def check_static_arm64():
    need("debootstrap", "git")
    build("static-arm64")
    package = only(f"apmtool-{version()}-linux-arm64.tar.gz")
    cross = bare_root("bookworm", "cross")
    with tempfile.TemporaryDirectory(prefix="apmtool-static.") as name, \
            fresh_root("bookworm") as root:
        start = time.monotonic()
        folder = unpack(package, pathlib.Path(name))
        seconds = time.monotonic() - start
        check("AArch64" in must("readelf", "-h", folder / "bin/apmtool"), "a program for arm64")
        check_bom(folder, folder / "sbom.cdx.json")
        shutil.copytree(folder, root / "opt/apmtool")
        with registered(cross, "aarch64"):
            explain(root, "/opt/apmtool/bin/apmtool", f"/opt/apmtool/{EXAMPLES}", "static-arm64")
    row(package, seconds, "explains a sample under qemu-user, which cannot show confinement")


# Homebrew, containers -----------------------------------------------------------


def check_brew():
    """The lines of the formula, by hand: Homebrew itself is not run."""
    need("cmake", "ninja")
    build("brew")
    formula = (OUT / "apmtool.rb").read_text()
    if shutil.which("ruby"):
        must("ruby", "-c", OUT / "apmtool.rb")
    url = re.search(r'url "file://(.*)"', formula).group(1)
    tarball = pathlib.Path(url)
    check_equal(re.search(r'sha256 "(.*)"', formula).group(1),
                hashlib.sha256(tarball.read_bytes()).hexdigest(), "the formula's sum")
    with tempfile.TemporaryDirectory(prefix="apmtool-brew.") as name:
        top = pathlib.Path(name)
        tree, prefix = unpack(tarball, top), top / "prefix"
        standard = f"-DCMAKE_INSTALL_PREFIX={prefix} -DCMAKE_BUILD_TYPE=Release"
        start = time.monotonic()
        for words in re.findall(r"^    system (.*)", formula, re.M):
            command = [word for word in re.findall(r'"([^"]*)"', words)]
            if "*std_cmake_args" in words:
                command += standard.split()
            must(*command, cwd=tree)
        seconds = time.monotonic() - start
        program = prefix / "bin/apmtool"
        samples = prefix / EXAMPLES
        check(f"apmtool {version()}" in must(program, "--version"), "the formula's version test")
        check(VERDICT in must(program, "explain", "--dsym", samples, samples / "demo.crash"),
              "the formula's test")
    row(OUT / "apmtool.rb", seconds, "its install and test lines by hand, on Linux; "
        "not run by Homebrew")


def check_image():
    need("debootstrap", "git", "cmake")
    build("image")
    package = only(f"apmtool-{version()}-image.tar")
    with tempfile.TemporaryDirectory(prefix="apmtool-image.") as name:
        root = pathlib.Path(name, "root")
        start = time.monotonic()
        with tarfile.open(package) as image:
            manifest, = json.load(image.extractfile("manifest.json"))
            config_bytes = image.extractfile(manifest["Config"]).read()
            config = json.loads(config_bytes)
            layer, = manifest["Layers"]
            content = image.extractfile(layer).read()
            with tarfile.open(fileobj=image.extractfile(layer)) as files:
                files.extractall(root)
        seconds = time.monotonic() - start
        check_equal(manifest["Config"], hashlib.sha256(config_bytes).hexdigest() + ".json",
                    "the name of the configuration")
        check_equal(config["rootfs"]["diff_ids"], [f"sha256:{hashlib.sha256(content).hexdigest()}"],
                    "the layer's sum")
        shutil.copytree(ROOT / "samples", root / "work/samples")
        (root / "proc").mkdir()
        os.chmod(root.parent, 0o755)
        command = ["chroot", f"--userspec={config['config']['User']}", root,
                   *config["config"]["Entrypoint"], "explain", "--dsym", "/work/samples",
                   "/work/samples/demo.crash"]
        env = {"PATH": os.environ["PATH"]}
        done = run(*command, env=env)
        check(VERDICT in done.stdout or "/proc" in done.stdout, f"the image: {done.stdout}")
        with proc_in(root):
            done = run(*command, env=env)
        check(VERDICT in done.stdout, f"the image, with /proc: {done.stdout}")
    row(package, seconds, "its root file system in chroot, as its user; not run in Docker")


CHECKS = {"deb": check_deb, "static": check_static, "static-arm64": check_static_arm64,
          "brew": check_brew, "image": check_image}


def main(kinds):
    skipped = 0
    for kind in kinds or CHECKS:
        try:
            CHECKS[kind]()
        except Skip as missing:
            print(f"skipped {kind}: no {missing}")
            skipped += 1
    print(f"{len(failures)} failures")
    if skipped == len(kinds or CHECKS):
        return SKIPPED
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
