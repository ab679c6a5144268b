#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build and test what is committed on other systems.

    tests/check_systems.py debian13 | arm64 | s390x

debian13: `./dev demo` and the quick tests, with the compiler, cmake and libdwarf of
that release, in a root file system that debootstrap makes. arm64, s390x: the unit
tests, built by Debian's cross compilers, under qemu-user; s390x is big-endian.
Exits with 77 (skipped) without root, debootstrap or, for qemu, binfmt_misc.
"""

import contextlib
import os
import shutil
import subprocess
import sys

from check_packages import ROOT, SKIPPED, Skip, bare_root, must, need, proc_in, registered, say

MACHINES = {"arm64": "aarch64", "s390x": "s390x"}
JOBS = str(os.cpu_count())
# qemu-user has threads of its own, neither limits of memory nor filters of system
# calls, and no signal for a mapped file that was truncated; it is twenty times slower,
# which is too slow for what may take a second (regex).
NOT_UNDER_QEMU = ("base/(file|parallel)$|text/regex$|"
                  "symbols/(child|confinement|debug_image|debug_worker|file|spawner)$")


def inside(root, script):
    """Run a script in the copy of the sources; its output is printed."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    env = {"PATH": path, "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(["chroot", str(root), "sh", "-euc", f"cd /work/src\n{script}"], env=env,
                          stdin=subprocess.DEVNULL, check=False).returncode


@contextlib.contextmanager
def terminals_in(root):
    """Some tests open one."""
    (root / "dev/pts").mkdir(exist_ok=True)
    must("mount", "-t", "devpts", "-o", "newinstance,ptmxmode=0666", "devpts", root / "dev/pts")
    (root / "dev/ptmx").unlink(missing_ok=True)
    (root / "dev/ptmx").symlink_to("pts/ptmx")
    try:
        yield
    finally:
        must("umount", root / "dev/pts")


@contextlib.contextmanager
def prepared(suite, kind):
    """A root file system with the sources of the commit in /work/src."""
    root = bare_root(suite, kind)
    shutil.rmtree(root / "work", ignore_errors=True)
    (root / "work").mkdir()
    must("sh", "-c", f"git -C '{ROOT}' archive --prefix=src/ HEAD | tar -C '{root}/work' -xf -")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    with proc_in(root), terminals_in(root):
        yield root


def check_debian13():
    need("debootstrap", "git")
    with prepared("trixie", "build") as root:
        say("Debian 13: ./dev demo, and the quick tests")
        # What the tests ask for is in the line of ./dev; some ask git for the files.
        return inside(root, f"""
git init -q . && git add -A &&
  git -c user.name=test -c user.email=test@example.org commit -qm test
./dev demo
apt-get install -qy python3-jsonschema python3-yaml zsh fish >/dev/null
cmake --preset dev -G Ninja
ninja -j{JOBS} -C build/dev
ctest --preset dev -j{JOBS} --timeout 300 -L quick
""")


def check_machine(name):
    need("debootstrap", "git")
    with prepared("bookworm", "cross") as root, registered(root, MACHINES[name]):
        say(f"{name}: unit tests under qemu-user, but for {NOT_UNDER_QEMU}")
        return inside(root, f"""
cmake -B /work/{name} -G Ninja --toolchain cmake/package/{name}.cmake \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1
ninja -j{JOBS} -C /work/{name}
ctest --test-dir /work/{name} -j{JOBS} --timeout 900 --output-on-failure \
  -R '^unit' -E '{NOT_UNDER_QEMU}'
""")


def main():
    name = sys.argv[1]
    try:
        return check_debian13() if name == "debian13" else check_machine(name)
    except Skip as missing:
        print(f"skipped {name}: no {missing}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
