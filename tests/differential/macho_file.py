# SPDX-License-Identifier: MIT
"""As much of Mach-O as the tests need: to lay out objects for an
architecture that lld cannot link, and to know where a file's functions are.
Little-endian, thin files that our own toolchain made: nothing is checked."""

import struct
from dataclasses import dataclass

CPU_ARM, CPU_ARM64, CPU_ARM64_32 = 12, 0x0100000c, 0x0200000c
TYPE_OBJECT, TYPE_EXECUTE = 1, 2
N_STAB, N_TYPE, N_SECT, N_EXT = 0xe0, 0x0e, 0x0e, 0x01
N_WEAK_DEF = 0x80
HAS_INSTRUCTIONS = 0x80000400


@dataclass
class Section:
    segment: str
    name: str
    address: int
    size: int
    offset: int
    align: int
    flags: int

    @property
    def has_code(self):
        return bool(self.flags & HAS_INSTRUCTIONS)


@dataclass
class Symbol:
    name: str
    kind: int
    section: int
    description: int
    value: int

    @property
    def defined(self):
        return not self.kind & N_STAB and self.kind & N_TYPE == N_SECT


def text_of(raw):
    return raw.split(b"\0", 1)[0].decode()


class MachoFile:
    def __init__(self, data):
        self.data = data
        self.is_64 = data[:4] == b"\xcf\xfa\xed\xfe"
        (self.cpu, self.subtype, self.type,
         count) = struct.unpack_from("<4I", data, 4)
        self.sections, self.symbols, self.text_address = [], [], 0
        at = 32 if self.is_64 else 28
        for _ in range(count):
            command, size = struct.unpack_from("<2I", data, at)
            if command in (0x1, 0x19):
                self._segment(at, command == 0x19)
            elif command == 0x2:
                self._symbols(*struct.unpack_from("<4I", data, at + 8))
            at += size

    def _segment(self, at, is_64):
        name = text_of(self.data[at + 8:at + 24])
        if name == "__TEXT":
            self.text_address, = struct.unpack_from(
                "<Q" if is_64 else "<I", self.data, at + 24)
        count, = struct.unpack_from("<I", self.data,
                                    at + (64 if is_64 else 48))
        form = "<16s16sQQ8I" if is_64 else "<16s16sII7I"
        for i in range(count):
            where = at + (72 if is_64 else 56) + i * struct.calcsize(form)
            (section, segment, address, size, offset, align, _, _, flags,
             *_) = struct.unpack_from(form, self.data, where)
            self.sections.append(Section(text_of(segment), text_of(section),
                                         address, size, offset, align, flags))

    def _symbols(self, offset, count, strings, _):
        form = "<IBBHQ" if self.is_64 else "<IBBHI"
        for i in range(count):
            name, *rest = struct.unpack_from(
                form, self.data, offset + i * struct.calcsize(form))
            end = self.data.index(b"\0", strings + name)
            self.symbols.append(Symbol(
                self.data[strings + name:end].decode(), *rest))

    def functions(self):
        """(low, high, symbols) of all code, ascending, without gaps."""
        found = []
        for number, section in enumerate(self.sections, 1):
            if not section.has_code:
                continue
            here = {}
            for symbol in self.symbols:
                # __mh_execute_header is in __text by number, not by address.
                if (symbol.defined and symbol.section == number
                        and symbol.value >= section.address):
                    here.setdefault(symbol.value, []).append(symbol)
            starts = sorted(here) + [section.address + section.size]
            found += [(low, high, here[low])
                      for low, high in zip(starts, starts[1:]) if high > low]
        return sorted(found, key=lambda function: function[0])
