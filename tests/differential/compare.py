"""Compare the calls that the symbol store finds with llvm-symbolizer's.

An address agrees when the chains are as long and every call has the same
linkage name, the same printed name, the same path and line. What differs for
a known reason is counted under the name of that reason (EXCEPTIONS below);
anything else is a mismatch."""

from dataclasses import dataclass
import json
import subprocess

from macho_file import CPU_ARM, MachoFile


@dataclass
class Call:
    linkage: str
    name: str
    path: str
    line: int
    borrowed: bool = False
    source: str = "dwarf"


# A reason: its name, and what it means.
EXCEPTIONS = {
    "alias": "several symbols share the address (constructors C1 and C2, "
             "destructors D1 and D2); LLVM prints the symbol table's, "
             "we the one of the debug info",
    "line-borrowed": "the line table says 0: LLVM prints 0, we the nearest "
                     "earlier line of the function, and mark it",
    "demangler": "the same linkage name, printed differently by LLVM and by "
                 "the C++ runtime's demangler",
}


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


class Comparison:
    def __init__(self, image):
        self.aliases = {}
        for _, _, symbols in image.functions():
            names = {symbol.name.removeprefix("_") for symbol in symbols}
            for name in names:
                self.aliases[name] = names
        self.agreed, self.exceptions = 0, 0
        self.reasons, self.mismatches = {}, []

    def _call(self, theirs, ours):
        """The reasons for which the two differ; None: for no known one."""
        reasons = set()
        if ours.linkage != theirs.linkage:
            if theirs.linkage not in self.aliases.get(ours.linkage, ()):
                return None
            reasons.add("alias")
        elif ours.name != theirs.name:
            reasons.add("demangler")
        if ours.path != theirs.path:
            return None
        if ours.line != theirs.line:
            if theirs.line != 0 or not ours.borrowed:
                return None
            reasons.add("line-borrowed")
        return reasons

    def add(self, address, theirs, ours):
        reasons = set()
        same = len(theirs) == len(ours)
        for pair in zip(theirs, ours) if same else ():
            found = self._call(*pair)
            if found is None:
                same = False
                break
            reasons |= found
        if not same:
            self.mismatches.append((address, theirs, ours))
        elif reasons:
            self.exceptions += 1
            for reason in reasons:
                self.reasons[reason] = self.reasons.get(reason, 0) + 1
        else:
            self.agreed += 1


def compare(path, arch, count, random, llvm, resolve, offset=0):
    """Compare at `count` random addresses; `offset` finds a fat slice."""
    with open(path, "rb") as file:
        image = MachoFile(file.read()[offset:])
    addresses = pick_addresses(image, count, random)
    result = Comparison(image)
    for address, theirs, ours in zip(
            addresses, llvm_chains(llvm, path, arch, addresses),
            our_chains(resolve, path, arch, addresses)):
        result.add(address, theirs, ours)
    return result
