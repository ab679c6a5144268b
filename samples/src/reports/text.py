"""Reports in Apple's text form: iOS (layout 104) and macOS (layout 12)."""

ESR_NOTE = " (Data Abort) byte read Translation fault"


def labelled(width, pairs):
    return "".join(f"{label + ':':<{width}}{value}\n"
                   for label, value in pairs if value is not None)


def address(value, wide):
    return f"0x{value:016x}" if wide else f"{value:#18x}"


def frame_lines(frames, report, image_name):
    lines = ""
    for index, frame in enumerate(frames):
        if frame.symbol:
            what = f"{frame.symbol} + {frame.symbol_offset}"
            if frame.place:
                what += f" ({frame.place})"
            if frame.inlined:
                what += " [inlined]"
        elif frame.image.name == "???":
            what = "???"
        else:
            what = f"{frame.image.base:#x} + {frame.offset}"
        if report.app.arch == "armv7":
            where = f"0x{frame.address:08x}"
        else:
            where = address(frame.address, report.wide)
        lines += f"{index:<4}{image_name(frame.image):<30}\t{where} {what}\n"
    return lines


def rows(cells, lead, gap=""):
    rows = [cells[i:i + 4] for i in range(0, len(cells), 4)]
    return "".join(lead + gap.join(row) + "\n" for row in rows)


def x86_64_state(registers, unavailable):
    cells = []
    for name, value in registers.items():
        text = "<unavailable>" if name in unavailable else f"0x{value:016x}"
        cells.append(f"{name:>5}: {text}")
    return rows(cells, "")


def arm64_state(registers):
    def cells(*names):
        return [f"{name:>5}: 0x{registers[name]:016x}" for name in names]

    return (rows(cells(*(f"x{i}" for i in range(28))), " ")
            + rows(cells("x28", "fp", "lr"), " ")
            + rows(cells("sp", "pc")
                   + [f" cpsr: 0x{registers['cpsr']:08x}"], " ")
            + rows(cells("far")
                   + [f"  esr: 0x{registers['esr']:08x}" + ESR_NOTE], " "))


def armv7_state(registers):
    cells = [f"{name:>5}: 0x{value:08x}" for name, value in registers.items()]
    return rows(cells, " ", " ")


def state(report):
    if report.crashed is None or not report.registers:
        return ""
    if report.app.arch == "x86_64":
        title, text = "X86 Thread State (64-bit)", x86_64_state(
            report.registers | (report.rosetta or {}),
            ("rip",) if report.rosetta else ())
    elif report.app.arch == "armv7":
        title, text = "ARM Thread State (32-bit)", armv7_state(
            report.registers)
    else:
        title, text = "ARM Thread State (64-bit)", arm64_state(
            report.registers)
    return f"Thread {report.crashed} crashed with {title}:\n{text}\n"


def information(report):
    if not report.information:
        return ""
    lines = "\n".join(text for _, text in report.information)
    return f"Application Specific Information:\n{lines}\n\n"


def thrown(report):
    if not report.thrown:
        return ""
    addresses = " ".join(f"{frame.address:#x}" for frame in report.thrown)
    return f"Last Exception Backtrace:\n({addresses})\n\n"


def phone_exception(report):
    exception, end = report.exception, report.termination
    text = f"Exception Type:  {exception['type']} ({exception['signal']})\n"
    if "subtype" in exception:
        text += f"Exception Subtype: {exception['subtype']}\n"
    text += f"Exception Codes: {exception['codes']}\n"
    if report.note:
        text += f"Exception Note:  {report.note}\n"
    text += (f"Termination Reason: {end['namespace']} {end['code']} "
             f"{end['indicator']}\n")
    text += f"Terminating Process: exc handler [{report.pid}]\n\n"
    return text + f"Triggered by Thread:  {report.crashed}\n\n"


def phone_images(report):
    lines = "Binary Images:\n"
    for image in report.images:
        end = image.base + image.size - 1
        bare = image.uuid.replace("-", "").lower()
        lines += (f"{image.base:#18x} - {end:#18x} {image.name} {image.arch}"
                  f"  <{bare}> {image.path}\n")
    return lines + "\nEOF\n"


def phone(report):
    """Layout 104: iOS, its simulator, watchOS."""
    app = report.app
    text = labelled(21, [
        ("Incident Identifier", report.incident),
        ("CrashReporter Key", report.reporter),
        ("Hardware Model", report.hardware),
        ("Process", f"{app.name} [{report.pid}]"),
        ("Path", app.path),
        ("Identifier", app.bundle),
        ("Version", f"{app.short} ({app.build})"),
        ("Code Type", report.code_type),
        ("Role", "Foreground"),
        ("Parent Process", f"{report.parent} [1]"),
        ("Coalition", f"{report.coalition} [{report.coalition_id}]"),
    ]) + "\n" + labelled(21, [
        ("Date/Time", "2026-01-31 09:08:07.1234 +0800"),
        ("Launch Time", "2026-01-31 09:07:58.0021 +0800"),
        ("OS Version", f"{report.system} ({report.build})"),
        ("Release Type", "User"),
        ("Report Version", "104"),
    ]) + "\n"
    text += phone_exception(report) + information(report) + thrown(report)
    for index, thread in enumerate(report.threads):
        if thread.queue:
            text += (f"Thread {index} name:   "
                     f"Dispatch queue: {thread.queue}\n")
        elif thread.name:
            text += f"Thread {index} name:  {thread.name}\n"
        text += f"Thread {index}{' Crashed' if thread.crashed else ''}:\n"
        text += frame_lines(thread.frames, report, lambda i: i.name) + "\n"
    return text + state(report) + phone_images(report) + report.tail


def mac_exception(report):
    exception, end = report.exception, report.termination
    text = labelled(23, [
        ("Exception Type", f"{exception['type']} ({exception['signal']})"),
        ("Exception Codes", exception.get("subtype")),
        ("Exception Codes", exception["codes"]),
        ("Exception Note", report.note),
    ]) + "\n"
    text += labelled(23, [
        ("Termination Reason", f"Namespace {end['namespace']}, "
         f"Code {end['code']} {end['indicator']}"),
        ("Terminating Process", f"exc handler [{report.pid}]"),
    ])
    return text + "\n"


def mac_images(report):
    lines = "Binary Images:\n"
    for image in sorted(report.images, key=lambda image: image.base):
        end = image.base + image.size - 1
        mark = "+" if image is report.app else " "
        version = (f"({image.short} - {image.build})" if image.bundle
                   else "(*)")
        lines += (f"{image.base:#18x} - {end:#18x} {mark}"
                  f"{image.bundle or image.name} {version} "
                  f"<{image.uuid}> {image.path}\n")
    return lines


def mac(report):
    """Layout 12: macOS, Catalyst, Rosetta."""
    app = report.app
    thread = report.threads[report.crashed]
    text = labelled(23, [
        ("Process", f"{app.name} [{report.pid}]"),
        ("Path", app.path),
        ("Identifier", app.bundle),
        ("Version", f"{app.short} ({app.build})"),
        ("Code Type", report.code_type),
        ("Parent Process", f"{report.parent} [1]"),
        ("Responsible", f"{app.name} [{report.pid}]"),
        ("User ID", "501"),
    ]) + "\n" + labelled(23, [
        ("Date/Time", "2026-01-31 09:08:07.123 +0800"),
        ("OS Version", f"{report.system} ({report.build})"),
        ("Report Version", "12"),
        ("Anonymous UUID", report.incident),
    ]) + "\n"
    text += "Time Awake Since Boot: 7800 seconds\n\n"
    text += "System Integrity Protection: enabled\n\n"
    text += labelled(23, [
        ("Crashed Thread", f"{report.crashed}  "
         f"Dispatch queue: {thread.queue}")]) + "\n"
    text += mac_exception(report) + information(report) + thrown(report)
    for index, thread in enumerate(report.threads):
        label = " ".join(filter(None, [
            thread.name,
            thread.queue and f"Dispatch queue: {thread.queue}"]))
        crashed = " Crashed" if thread.crashed else ""
        text += f"Thread {index}{crashed}:{': ' + label if label else ''}\n"
        text += frame_lines(thread.frames, report,
                            lambda i: i.bundle or i.name) + "\n"
    return text + state(report) + mac_images(report) + report.tail
