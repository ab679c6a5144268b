# SPDX-License-Identifier: MIT
"""Running a program to its end, and what it cost."""

import collections
import os
import subprocess
import sys
import threading

# What the program itself ended with, and what it took with the children that
# it waited for: CPU seconds, and at most how many MB.
Measured = collections.namedtuple("Measured", "status cpu_seconds memory_mb")


def run(arguments, wall_seconds, **more):
    """Run it, killed after a time; the rest is for subprocess.Popen()."""
    # A function to call makes it fork(): after vfork(), the memory that this
    # process took at most would count as the child's.
    more.setdefault("preexec_fn", lambda: None)
    child = subprocess.Popen(arguments, **more)
    timer = threading.Timer(wall_seconds, child.kill)
    timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Measured(child.returncode, usage.ru_utime + usage.ru_stime,
                    usage.ru_maxrss / scale)


# A process keeps the peak of the one it was forked from, so a small one stands
# between where a few MB matter. Its last line on standard error is the peak in KB.
BETWEEN = [sys.executable, "-S", "-c", """
import os, resource, sys
pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(abs(status))
"""]
