#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What only Linux or glibc has is within an `#if`: the program is for macOS, too.

It needs no Mac and no headers of one: a list of functions, constants, tags and
headers, as far as programs like this one are tempted to use them. A name that a
file defines itself where the system has none may be used in it.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["lib", "parsers", "formatters", "cmd"]

FUNCTIONS = """
accept4 pipe2 dup3 renameat2 copy_file_range sendfile splice fallocate
posix_fallocate posix_fadvise sync_file_range memfd_create mremap prctl syscall
getrandom explicit_bzero secure_getenv getauxval
strchrnul memrchr mempcpy rawmemchr strverscmp qsort_r
canonicalize_file_name get_current_dir_name euidaccess fopencookie
sched_getaffinity sched_setaffinity get_nprocs gettid tgkill
pthread_setname_np pthread_setaffinity_np pthread_getaffinity_np
pthread_barrier_init pthread_barrier_wait pthread_spin_lock pthread_spin_unlock
pthread_mutex_timedlock pthread_timedjoin_np pthread_condattr_setclock
sem_init sem_timedwait sem_getvalue clock_nanosleep timer_create timerfd_create
eventfd signalfd epoll_create1 epoll_wait inotify_init1 ppoll sigtimedwait
sigwaitinfo fexecve execvpe process_vm_readv mallopt malloc_trim mallinfo
malloc_usable_size
""".split()
OTHERS = """
O_TMPFILE O_PATH MAP_POPULATE MREMAP_MAYMOVE MFD_CLOEXEC MADV_HUGEPAGE
MADV_POPULATE_READ SOCK_CLOEXEC SOCK_NONBLOCK MSG_NOSIGNAL MSG_CMSG_CLOEXEC MSG_MORE
CLOCK_BOOTTIME CLOCK_MONOTONIC_COARSE TEMP_FAILURE_RETRY
st_mtim st_ctim st_atim program_invocation_name program_invocation_short_name
environ
""".split()
HEADERS = """
linux/[a-z_]+ sys/prctl sys/syscall sys/sendfile sys/epoll sys/eventfd
sys/inotify sys/signalfd sys/timerfd sys/auxv sys/sysinfo sys/random sys/vfs
malloc endian byteswap error argp features gnu/[a-z-]+ sandbox
""".split()

NAMES = re.compile(
    # Of macOS's <stdlib.h> comes a `union wait`.
    r"struct\s+wait\b|"
    rf"\b(?:{'|'.join(FUNCTIONS)})(?=\s*\()|\b(?:{'|'.join(OTHERS)})\b|"
    rf"#\s*include\s*<(?:{'|'.join(HEADERS)})\.h>"
)
NO_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
DIRECTIVE = re.compile(r"\s*#\s*(if|ifdef|ifndef|endif|define)\b\s*(\w*)")


def blank(match):
    return "\n" * match.group().count("\n")


def faults(text):
    """Line and name of what is used on every system."""
    depth = 0
    known = set()
    guard = None
    for number, line in enumerate(NO_CODE.sub(blank, text).split("\n"), 1):
        found = DIRECTIVE.match(line)
        kind, name = found.groups() if found else (None, None)
        if kind == "endif":
            depth -= 1
        elif kind == "define":
            known.add(name)
        elif kind:
            # The guard of a header, around all of it, is no condition.
            if kind == "ifndef" and guard is None and name.endswith("_H"):
                depth -= 1
            guard = guard or name
            depth += 1
        if depth > 0:
            continue
        for match in NAMES.finditer(line):
            if match.group() not in known:
                yield number, match.group()


def check_itself():
    """The check must fail where it should, and only there."""
    bad = [
        "struct wait { int a; };\n",
        "#ifdef __linux__\n#endif\n\tprctl(PR_SET_DUMPABLE, 0);\n",
        "#ifndef LIB_A_H\n#define LIB_A_H\n#include <sys/prctl.h>\n#endif\n",
        "\tif (a)\n\t\treturn info->st_mtim.tv_sec;\n",
    ]
    good = [
        "// prctl(a)\n/* accept4(\n) */ struct wait_call a = { \"pipe2(\" };\n",
        "#ifdef __linux__\n#if 1\n#endif\n#include <linux/audit.h>\n#endif\n",
        "#ifndef MSG_NOSIGNAL\n#define MSG_NOSIGNAL 0\n#endif\nint a = MSG_NOSIGNAL;\n",
        "#include \"lib/base/error.h\"\nbool gettid;\n",
    ]
    for expected, cases in (1, bad), (0, good):
        for text in cases:
            found = [name for _, name in faults(text)]
            if len(found) != expected:
                yield f"check_portable.py: {text!r}: found {found}"


def main():
    wrong = list(check_itself())
    print(*wrong, sep="\n", end="\n" if wrong else "")
    files = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--", *(f"{f}/*.[ch]" for f in FOLDERS)],
        check=True, capture_output=True, text=True).stdout.split()
    count = len(wrong)
    for path in files:
        for number, name in faults((ROOT / path).read_text()):
            print(f"{path}:{number}: '{name}' is not the same everywhere: "
                  "it needs an #if, and another way")
            count += 1
    print(f"{len(files)} files, {count} faults")
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main())
