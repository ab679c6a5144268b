"""A report before it is written: what both writers are given."""

import copy
from dataclasses import dataclass, field
import hashlib
import uuid


@dataclass
class LoadedImage:
    name: str
    path: str
    base: int
    size: int
    arch: str
    uuid: str  # canonical
    bundle: str = ""
    short: str = ""
    build: str = ""

    def at(self, offset, symbol=None, symbol_offset=0):
        return Frame(self, offset, symbol, symbol_offset)


@dataclass
class Frame:
    image: LoadedImage
    offset: int
    symbol: str = None
    symbol_offset: int = 0
    place: str = None  # file.c:12
    inlined: bool = False

    @property
    def address(self):
        return self.image.base + self.offset


@dataclass
class Thread:
    frames: list
    name: str = None
    queue: str = None
    crashed: bool = False


@dataclass
class Report:
    app: LoadedImage
    images: list
    threads: list
    exception: dict  # type, signal, codes, subtype
    termination: dict  # namespace, code, indicator
    hardware: str
    system: str
    build: str
    platform: int
    code_type: str = "ARM-64 (Native)"
    registers: dict = field(default_factory=dict)
    thrown: list = None  # frames of the Last Exception Backtrace
    information: list = None  # (image name, text)
    parent: str = "launchd"
    coalition: str = "com.example.demo"
    coalition_id: int = 512
    pid: int = 612
    bug_type: str = "309"
    wide: bool = False  # 16 digits, as iOS 14 and before, and macOS
    tail: str = ""  # text after the report
    note: str = None
    rosetta: dict = None  # registers the translator adds

    @property
    def incident(self):
        return invented_uuid(f"incident {self.system} {self.pid}")

    @property
    def reporter(self):
        return hashlib.sha1(b"a device that does not exist").hexdigest()

    @property
    def crashed(self):
        return next((i for i, thread in enumerate(self.threads)
                     if thread.crashed), None)

    def copy(self):
        return copy.deepcopy(self)


def invented_uuid(name):
    return str(uuid.uuid3(uuid.NAMESPACE_DNS, name + ".example.com")).upper()


def system_image(path, base, size, arch, bundle="", version="1.0"):
    """An invented image of the system; its UUID follows from its name."""
    return LoadedImage(name=path.rsplit("/", 1)[1], path=path, base=base,
                       size=size, arch=arch, bundle=bundle, short=version,
                       build=version, uuid=invented_uuid(path + arch))


def arm64_registers(pc, lr, fault, story):
    """Invented values around the ones that mean something."""
    registers = {f"x{i}": (i * 0x1000003 + story) & 0xffff if i % 3 else 0
                 for i in range(29)}
    registers["x0"] = fault
    registers["x19"] = 0x283c04e60
    registers.update(fp=0x16f0a9d10, lr=lr, sp=0x16f0a9cf0, pc=pc,
                     cpsr=0x60001000, far=fault, esr=0x92000006)
    return registers


def x86_64_registers(pc, fault):
    names = ("rax rbx rcx rdx rdi rsi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15"
             .split())
    registers = {name: i * 0x20 for i, name in enumerate(names)}
    registers.update(rsi=fault, rbp=0x7ff7b5c43ab0, rsp=0x7ff7b5c43a70,
                     rip=pc, rfl=0x10246, cr2=fault)
    return registers
