# SPDX-License-Identifier: MIT
"""A stand-in for a linker on armv7, which lld does not link.

Code is laid out as it is, relocations are not applied: it is never run. What
dsymutil needs is there: a symbol table with the debug map (N_OSO, N_FUN),
final addresses, and of weak functions one copy."""

import hashlib
import os
import struct

from macho_file import CPU_ARM, MachoFile, N_EXT, N_STAB, N_WEAK_DEF

TEXT_BASE = 0x4000
HEADER_BYTES = 0x1000
N_SO, N_OSO, N_BNSYM, N_ENSYM, N_FUN = 0x64, 0x66, 0x2e, 0x4e, 0x24


class Strings:
    def __init__(self):
        self.data, self.known = bytearray(b"\0"), {"": 0}

    def add(self, text):
        if text not in self.known:
            self.known[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self.known[text]


class Layout:
    def __init__(self):
        self.code = bytearray()
        self.strings, self.symbols, self.stabs = Strings(), [], []
        self.weak = set()

    def _stab(self, kind, name="", section=0, description=0, value=0):
        self.stabs.append(struct.pack(
            "<IBBHI", self.strings.add(name), kind, section, description,
            value & 0xffffffff))

    def _function(self, symbols, low, high, moved):
        kept = [symbol for symbol in symbols if symbol.name[:1] not in "lL"]
        if not kept or kept[0].name in self.weak:
            return
        for symbol in kept:
            if symbol.description & N_WEAK_DEF:
                self.weak.add(symbol.name)
            self.symbols.append(struct.pack(
                "<IBBHI", self.strings.add(symbol.name),
                symbol.kind & ~N_STAB | symbol.kind & N_EXT, 1,
                symbol.description & 0x8, low + moved))
        self._stab(N_BNSYM, "", 1, 0, low + moved)
        self._stab(N_FUN, kept[0].name, 1, 0, low + moved)
        self._stab(N_FUN, "", 0, 0, high - low)
        self._stab(N_ENSYM, "", 1, 0, high - low)

    def add(self, path):
        with open(path, "rb") as file:
            data = file.read()
        image = MachoFile(data)
        self._stab(N_SO, "/src/gen/")
        self._stab(N_SO, os.path.basename(path)[:-2])
        self._stab(N_OSO, os.path.abspath(path), image.subtype, 1,
                   int(os.path.getmtime(path)))
        moved = {}
        for section in image.sections:
            if not section.has_code:
                continue
            align = 1 << section.align
            self.code += bytes(-len(self.code) % align)
            start = TEXT_BASE + HEADER_BYTES + len(self.code)
            moved[(section.address, section.address + section.size)] = \
                start - section.address
            self.code += data[section.offset:section.offset + section.size]
        for low, high, symbols in image.functions():
            delta = next(delta for (start, end), delta in moved.items()
                         if start <= low < end)
            self._function(symbols, low, high, delta)
        self._stab(N_SO, "", 1)

    def image(self):
        code = bytes(self.code) + bytes(-len(self.code) % 0x1000)
        text_size = HEADER_BYTES + len(code)
        entries = b"".join(self.stabs + self.symbols)
        strings = bytes(self.strings.data)
        uuid = hashlib.md5(code + entries + strings).digest()
        section = struct.pack("<16s16s9I", b"__text", b"__TEXT",
                              TEXT_BASE + HEADER_BYTES, len(self.code),
                              HEADER_BYTES, 2, 0, 0, 0x80000400, 0, 0)

        def segment(name, address, size, offset, taken, sections, count):
            return struct.pack(
                "<2I16s8I", 0x1, 56 + len(sections), name, address, size,
                offset, taken, 7, 5, count, 0) + sections

        link_size = len(entries) + len(strings)
        commands = [
            segment(b"__TEXT", TEXT_BASE, text_size, 0, text_size, section, 1),
            segment(b"__LINKEDIT", TEXT_BASE + text_size,
                    link_size + -link_size % 0x1000, text_size, link_size,
                    b"", 0),
            struct.pack("<6I", 0x2, 24, text_size,
                        len(self.stabs) + len(self.symbols),
                        text_size + len(entries), len(strings)),
            struct.pack("<2I", 0x1b, 24) + uuid,
        ]
        header = struct.pack("<7I", 0xfeedface, CPU_ARM, 9, 2, len(commands),
                             sum(map(len, commands)), 0x85)
        head = header + b"".join(commands)
        return (head + bytes(HEADER_BYTES - len(head)) + code + entries
                + strings)
