"""Reports in PLCrashReporter's binary form: eight bytes, then a message of
Protocol Buffers. Fields are numbered as in its CrashReport.proto."""

import uuid

MAGIC = b"plcrash\x01"
CPU = {"arm64": (0x0100000c, 0), "arm64e": (0x0100000c, 2),
       "x86_64": (0x01000007, 3)}
CAPTURED, LAUNCHED = 1769821687, 1769821678  # 2026-01-31 01:08:07 UTC, -9 s
SYSTEMS = {1: 0, 2: 1, 3: 4}  # by platform; the simulator is 2


def varint(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number, value):
    """A number, text, bytes, or a message that is already encoded."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(*fields):
    """Encode (number, value) pairs; a value of None is left out."""
    return b"".join(field(number, value) for number, value in fields
                    if value is not None)


def cpu(arch):
    kind, subtype = CPU[arch]
    return message((1, 1), (2, kind), (3, subtype))


def frame(it):
    symbol = None
    if it.symbol:
        # As the linker has it: C names begin with an underscore.
        name = it.symbol if it.symbol[0] in "-+" else "_" + it.symbol
        symbol = message((1, name), (2, it.address - it.symbol_offset))
    return message((3, it.address), (6, symbol))


def thread(report, index, it):
    fields = [(1, index), (3, int(it.crashed))]
    if it.crashed:
        fields += [(4, message((1, name), (2, value)))
                   for name, value in report.registers.items()
                   if name not in ("far", "esr")]
    fields += [(2, frame(f)) for f in it.frames]
    return message(*fields)


def image(it):
    return message((2, it.size), (1, it.base), (3, it.path),
                   (4, uuid.UUID(it.uuid).bytes), (5, cpu(it.arch)))


def report(it, code, address):
    """`code` is the signal's: `SEGV_MAPERR`."""
    app = it.app
    version = it.system.split()[-1]
    mach = message((1, 1), *((2, code) for code in it.exception["rawCodes"]))
    fields = [
        (9, message((1, 0), (2, uuid.UUID(it.incident).bytes))),
        (1, message((1, SYSTEMS[it.platform]), (2, version), (5, it.build),
                    (3, 6), (4, CAPTURED))),
        (8, message((1, it.hardware), (2, cpu(app.arch)), (3, 6), (4, 6))),
        (2, message((1, app.bundle), (2, app.build), (3, app.short))),
        (7, message((1, app.name), (2, it.pid), (3, app.path),
                    (4, it.parent), (5, 1), (6, 1), (7, LAUNCHED))),
        *((3, thread(it, i, t)) for i, t in enumerate(it.threads)),
        *((4, image(i)) for i in it.images),
        (6, message((1, it.exception["signal"]), (2, code), (3, address),
                    (4, mach))),
    ]
    return MAGIC + message(*fields)
