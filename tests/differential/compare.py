# SPDX-License-Identifier: MIT
"""Compare the calls that the symbol store finds with llvm-symbolizer's.

An address agrees when the chains are as long and every call has the same
linkage name, the same printed name, the same path and line. What differs for
a known reason is counted under the name of that reason (EXCEPTIONS below);
anything else is a mismatch."""

import bisect
from dataclasses import dataclass
import json
import re
import subprocess

from macho_file import CPU_ARM, CPU_ARM64, CPU_ARM64_32, MachoFile


@dataclass
class Call:
    linkage: str
    name: str
    path: str
    line: int
    borrowed: bool = False
    source: str = "dwarf"


# Why an answer may differ: a name, and what it means.
EXCEPTIONS = {
    "symbol-table": "for the function itself, LLVM prefers the name in the "
                    "symbol table to the one in the debug info",
    "line-borrowed": "the line table says 0: LLVM prints 0, we the nearest "
                     "earlier line of the function, and mark it; that this "
                     "is the nearest is checked",
    "header": "before the code lies the Mach-O header, which LLVM names "
              "_mh_execute_header; we give no name to what is no code",
    "spacing": "older LLVM prints A<B<C> > and int (int), we A<B<C>> and "
               "int(int)",
    "expression": "the name holds an expression (X...E), which the two "
                  "demanglers bracket differently",
    "inherited-constructor": "of D::D taken over from B (linkage name CI1, "
                             "CI2), the C++ runtime prints D::B",
}
EXPRESSION = re.compile(r"IX")
INHERITED = re.compile(r"CI[12]")
# How far apart instructions begin; x86's may begin anywhere.
INSTRUCTION_BYTES = {CPU_ARM: 2, CPU_ARM64: 4, CPU_ARM64_32: 4}


def pick_addresses(image, count, random):
    """Mostly inside functions, each as likely whatever its size; some
    anywhere, also before and behind the code."""
    functions = image.functions()
    low = min(f[0] for f in functions) - 64
    high = max(f[1] for f in functions) + 64
    picked = set()
    for number in range(count):
        if number % 10 == 0:
            address = random.randrange(max(low, 0), high)
        else:
            start, end, _ = random.choice(functions)
            address = random.choice(
                (start, end - 1, random.randrange(start, end)))
        # Bit 0 of an ARM address is the Thumb bit, not a place.
        picked.add(address & ~1 if image.cpu == CPU_ARM else address)
    return sorted(picked)


def ask_llvm(tool, path, arch, addresses, demangled):
    """A list of calls for each address."""
    text = "".join(f"{address:#x}\n" for address in addresses)
    done = subprocess.run(
        [tool, f"--obj={path}", f"--default-arch={arch}", "--inlines",
         "--output-style=JSON",
         "--demangle" if demangled else "--no-demangle"],
        input=text, capture_output=True, text=True, check=True)
    answers = []
    for line in done.stdout.splitlines():
        if not line:
            continue
        answer = json.loads(line)
        if "Error" in answer:
            raise SystemExit(f"llvm-symbolizer: {answer['Error']}")
        answers.append(answer["Symbol"])
    return answers


def llvm_chains(tool, path, arch, addresses):
    chains = []
    for linkage, printed in zip(
            ask_llvm(tool, path, arch, addresses, False),
            ask_llvm(tool, path, arch, addresses, True)):
        calls = [Call(a["FunctionName"], b["FunctionName"], a["FileName"],
                      a["Line"]) for a, b in zip(linkage, printed)]
        # "Nothing known" is one call without a name.
        chains.append([c for c in calls if c.linkage or c.path])
    return chains


def our_chains(resolve, path, arch, addresses):
    text = "".join(f"{address:#x}\n" for address in addresses)
    done = subprocess.run([resolve, path, arch], input=text,
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{path}: {done.stderr.strip()}")
    chains = {}
    for line in done.stdout.splitlines():
        address, source, *rest = line.split("\t")
        calls = chains.setdefault(int(address, 16), [])
        if source != "none":
            linkage, name, where, number, borrowed = rest
            if source == "symtab":
                # Mach-O puts one underscore before every C name.
                linkage = linkage.removeprefix("_")
            calls.append(Call(linkage, name, where, int(number),
                              borrowed == "1", source))
    return [chains[address] for address in addresses]


def demangler_reasons(theirs, ours):
    """Why the same linkage name is printed differently; None: unknown."""
    if INHERITED.search(ours.linkage):
        return {"inherited-constructor"}
    if EXPRESSION.search(ours.linkage):
        return {"expression"}
    theirs, ours = theirs.name, ours.name
    return {"spacing"} if theirs.replace(" ", "") == ours.replace(" ", "") \
        else {None}


class Comparison:
    def __init__(self, image):
        self.functions = image.functions()
        self.starts = [low for low, _, _ in self.functions]
        self.agreed, self.exceptions = 0, 0
        self.reasons, self.mismatches, self.borrowed = {}, [], []

    def _symbols_at(self, address):
        """The symbol table's names for the function at an address."""
        _, _, symbols = self.functions[
            bisect.bisect_right(self.starts, address) - 1]
        # Mach-O puts one underscore before every C name.
        return {symbol.name.removeprefix("_") for symbol in symbols}

    def _call(self, address, theirs, ours, outermost):
        """The reasons for which the two differ; None: for no known one."""
        reasons = set()
        if ours.linkage != theirs.linkage:
            known = outermost and theirs.linkage in self._symbols_at(address)
            reasons.add("symbol-table" if known else None)
        elif ours.name != theirs.name:
            reasons |= demangler_reasons(theirs, ours)
        if theirs.line == 0 and ours.borrowed:
            reasons.add("line-borrowed")
        elif (ours.path, ours.line) != (theirs.path, theirs.line):
            reasons.add(None)
        return reasons

    def add(self, address, theirs, ours):
        reasons = set() if len(theirs) == len(ours) else {None}
        if not ours and [c.linkage for c in theirs] == ["_mh_execute_header"]:
            reasons = {"header"}
        for depth, (one, other) in enumerate(zip(theirs, ours), 1):
            reasons |= self._call(address, one, other, depth == len(theirs))
        if None in reasons:
            self.mismatches.append((address, theirs, ours))
            return
        if "line-borrowed" in reasons:
            self.borrowed.append((address, theirs, ours))
        self.exceptions += bool(reasons)
        self.agreed += not reasons
        for reason in reasons:
            self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def check_borrowed(self, image, ask):
        """The borrowed line must be the nearest one before the address that
        is not 0, in the same function; calls inlined in between have lines
        of their own, which do not count. `ask` gives LLVM's calls."""
        step = INSTRUCTION_BYTES.get(image.cpu, 1)
        paths = {}  # address -> the addresses before it, nearest first
        for address, _, _ in self.borrowed:
            start = self.starts[
                bisect.bisect_right(self.starts, address) - 1]
            paths[address] = range(address - address % step, start - 1, -step)
        places = sorted({at for path in paths.values() for at in path})
        chains = dict(zip(places, ask(places)))
        for address, theirs, ours in self.borrowed:
            nearest = next(
                (chains[at][0] for at in paths[address]
                 if 0 < len(chains[at]) <= len(ours) and chains[at][0].line),
                None)
            found = nearest and (nearest.path, nearest.line)
            if found != (ours[0].path, ours[0].line):
                self.exceptions -= 1
                self.mismatches.append((address, theirs, ours))


def compare(path, arch, count, random, llvm, resolve, offset=0):
    """Compare at `count` random addresses; `offset` finds a fat slice."""
    with open(path, "rb") as file:
        image = MachoFile(file.read()[offset:])

    def ask(places):
        return llvm_chains(llvm, path, arch, places)

    addresses = pick_addresses(image, count, random)
    result = Comparison(image)
    for address, theirs, ours in zip(
            addresses, ask(addresses),
            our_chains(resolve, path, arch, addresses)):
        result.add(address, theirs, ours)
    result.check_borrowed(image, ask)
    return result
