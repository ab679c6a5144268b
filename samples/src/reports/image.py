"""What the report generator needs to know of a built image: its UUID, where
its functions begin, and where its calls return to. All of it is asked of
LLVM's tools, so that the samples do not depend on the program they test."""

import json
import re
import subprocess

FUNCTION = re.compile(r"^([0-9a-f]+) <(.*)>:$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*)$")


class Image:
    """A linked image and its dSYM (None where it ships without)."""

    def __init__(self, path, dsym, arch, suffix=""):
        self.path, self.dsym, self.arch = path, dsym, arch
        self.suffix = suffix
        self.functions = {}  # demangled name -> [(address, opcode, operands)]
        self._disassemble()
        self.text = 0x100000000 if min(self.starts()) >= 0x100000000 else 0
        self.uuid = self._uuid()

    def _run(self, tool, *arguments, stdin=None):
        return subprocess.run([tool + self.suffix, *arguments], check=True,
                              input=stdin, capture_output=True,
                              text=True).stdout

    def _disassemble(self):
        code = None
        text = self._run("llvm-objdump", "-d", "-C", "--no-show-raw-insn",
                         "--section=__text", self.path)
        for line in text.splitlines():
            if found := FUNCTION.match(line):
                code = self.functions.setdefault(found[2], [])
            elif (found := INSTRUCTION.match(line)) and code is not None:
                code.append((int(found[1], 16), found[2], found[3]))

    def _uuid(self):
        header = self._run("llvm-objdump", "--macho", "--private-headers",
                           self.path)
        return re.search(r"^\s*uuid ([0-9A-F-]{36})$", header, re.M)[1]

    def starts(self):
        return [code[0][0] for code in self.functions.values() if code]

    def function(self, name):
        """The one function whose demangled name contains `name`."""
        found = [f for f in self.functions if name in f]
        exact = [f for f in found if f.lstrip("_") == name] or found
        if len(exact) != 1:
            raise SystemExit(f"{self.path}: '{name}' is {found or 'absent'}")
        return self.functions[exact[0]]

    def after_call(self, caller, number=0):
        """Offset the call returns to: after the nth call in `caller`."""
        code = self.function(caller)
        calls = [i for i, (_, opcode, _) in enumerate(code)
                 if opcode in ("bl", "blr", "callq", "call")]
        return code[calls[number] + 1][0] - self.text

    def inlined_load(self, name, depth):
        """Offset of the first load of a byte that `depth` calls lead to."""
        loads = [address for address, opcode, _ in self.function(name)
                 if opcode.startswith(("ldrb", "movzb"))]
        for address in loads:
            if len(self.chain(address - self.text)) == depth:
                return address - self.text
        raise SystemExit(f"{self.path}: no such load in '{name}'")

    def chain(self, offset):
        """llvm-symbolizer's calls at an offset, innermost first."""
        out = self._run("llvm-symbolizer", f"--obj={self.dsym}:{self.arch}",
                        "--inlines", "--output-style=JSON",
                        stdin=hex(offset + self.text) + "\n")
        return json.loads(out)["Symbol"]

    def start_of(self, name):
        return self.function(name)[0][0] - self.text
