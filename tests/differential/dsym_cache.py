# SPDX-License-Identifier: MIT
"""Generated dSYMs, kept from run to run, until the generator changes."""

import hashlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77  # as ctest and automake count it


def fingerprint():
    """Of everything that a generated dSYM is made by."""
    names = ["generate.py", "armv7_layout.py", "macho_file.py"]
    names += sorted(os.path.join("templates", name) for name in
                    os.listdir(os.path.join(HERE, "templates")))
    digest = hashlib.sha256()
    for name in names:
        with open(os.path.join(HERE, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:8]


def generated(folder, name, *arguments):
    """The path of a dSYM made with `arguments`; None: no tools for it."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{name}-{fingerprint()}.dwarf")
    if not os.path.exists(path):
        for old in os.listdir(folder):
            if old.startswith(name + "-") and old.endswith(".dwarf"):
                os.remove(os.path.join(folder, old))
        done = subprocess.run(
            [sys.executable, os.path.join(HERE, "generate.py"), path,
             "--work", folder, *arguments])
        if done.returncode == SKIPPED:
            return None
        if done.returncode:
            raise SystemExit(f"cannot generate '{path}'")
    return path
