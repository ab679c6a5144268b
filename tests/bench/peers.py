# SPDX-License-Identifier: MIT
"""The other tools that apmtool is measured beside.

Each is looked for in the PATH and in build/bench/peers, where what no package
has can be put: flamegraph.pl, inferno-flamegraph, python/pycrashreport. gimli's
addr2line is built there from the sources that Debian packages: it is the
example of the crate. One that is not there is None, and its rows say so."""

import glob
import os
import re
import shutil
import subprocess
import sys

REGISTRY = "/usr/share/cargo/registry"
MANIFEST = """\
[package]
name = "peer"
version = "0.0.0"
edition = "2018"
[[bin]]
name = "addr2line"
path = "{example}"
[dependencies]
addr2line = "*"
clap = "3"
fallible-iterator = "*"
gimli = "*"
memmap2 = "*"
object = "*"
typed-arena = "*"
[workspace]
"""
SOURCES = """\
[source.crates-io]
replace-with = "packaged"
[source.packaged]
directory = "{registry}"
"""
NODE = """
const fs = require('fs'), folder = process.argv[1];
for (const name of fs.readdirSync(folder)) {
  const text = fs.readFileSync(folder + '/' + name, 'utf8');
  const end = text.indexOf('\\n');
  JSON.parse(text.slice(0, end));
  JSON.parse(text.slice(end + 1));
}
"""
CRASHREPORT = """
import os, sys
from pycrashreport.crash_report import get_crash_report_from_file
for name in os.listdir(sys.argv[1]):
    with open(os.path.join(sys.argv[1], name)) as file:
        print(get_crash_report_from_file(file))
"""


def works(command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False,
                          stderr=subprocess.DEVNULL).returncode == 0


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def build_addr2line(folder):
    """The path of the program; None where it cannot be built."""
    examples = sorted(glob.glob(
        os.path.join(REGISTRY, "addr2line-*/examples/addr2line.rs")))
    program = os.path.join(folder, "addr2line/target/release/addr2line")
    if os.path.exists(program):
        return program
    if not examples or not shutil.which("cargo"):
        return None
    print("building gimli's addr2line (about a minute)", flush=True)
    home = os.path.join(folder, "addr2line")
    write(os.path.join(home, "Cargo.toml"),
          MANIFEST.format(example=examples[-1]))
    write(os.path.join(home, ".cargo/config.toml"),
          SOURCES.format(registry=REGISTRY))
    subprocess.run(["cargo", "build", "--quiet", "--release", "--offline"],
                   cwd=home, check=False)
    return program if os.path.exists(program) else None


def newest(name):
    """LLVM's tools have the version in their names, where there are several."""
    found = {}
    for path in os.environ["PATH"].split(os.pathsep):
        for program in glob.glob(os.path.join(path, name + "-*")):
            version = re.fullmatch(re.escape(name) + r"-(\d+)",
                                   os.path.basename(program))
            if version:
                found[int(version[1])] = program
    return found[max(found)] if found else shutil.which(name)


class Peers:
    """name: how it is started, None where it is missing."""

    def __init__(self, work):
        folder = os.path.join(os.path.abspath(work), "peers")
        os.environ["PATH"] += os.pathsep + folder
        self.addr2line = build_addr2line(folder)
        self.llvm_symbolizer = newest("llvm-symbolizer")
        self.llvm_gsymutil = newest("llvm-gsymutil")
        self.node = shutil.which("node")
        self.jq = shutil.which("jq")
        self.inferno = shutil.which("inferno-flamegraph")
        self.flamegraph = shutil.which("flamegraph.pl")
        self.python = ["env", f"PYTHONPATH={folder}/python", sys.executable]
        self.has_pycrashreport = works(
            [*self.python, "-c", "import pycrashreport.crash_report"])

    def lookups(self, path, addresses):
        """(name, command or None) of those that name addresses of a file."""
        return (
            ("addr2line", self.addr2line and
             ["sh", "-c", 'exec "$1" -e "$2" -f -i -C -a <"$3"', "sh",
              self.addr2line, path, addresses]),
            ("llvm-symbolizer", self.llvm_symbolizer and
             [self.llvm_symbolizer, f"--obj={path}", "--inlines",
              f"@{addresses}"]))

    def readers(self, folder):
        """The same of those that read the JSON logs of a directory."""
        return (
            ("node JSON.parse", self.node and [self.node, "-e", NODE, folder]),
            ("jq .", self.jq and ["sh", "-c", f"cat {folder}/* | jq ."]))

    def printers(self, folder):
        """The same of those that print the crash reports of a directory."""
        return (("pycrashreport", [*self.python, "-c", CRASHREPORT, folder]
                 if self.has_pycrashreport else None),)

    def drawers(self):
        return (("inferno-flamegraph", self.inferno and [self.inferno]),
                ("flamegraph.pl", self.flamegraph and [self.flamegraph]))
