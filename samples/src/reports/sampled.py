"""Call trees in text: the output of `sample`, and a spindump of two processes.

Nothing in them was sampled; what they say follows from the stacks of the
stories, each with a number of samples."""

from .others import command
from .report import invented_uuid, system_image
from .stories import MAIN_QUEUE

GUIDES = "+!:|"


def tree(stacks):
    """[(frames, outermost first, samples)] as [(frame, samples, children)],
    the heaviest first."""
    children = []
    while stacks:
        first = stacks[0][0][0]
        mine = [it for it in stacks if it[0][0] == first]
        stacks = [it for it in stacks if it[0][0] != first]
        below = [(frames[1:], count) for frames, count in mine
                 if len(frames) > 1]
        children.append((first, sum(count for _, count in mine), tree(below)))
    return sorted(children, key=lambda it: -it[1])


def busy_main(report):
    """The main thread reads a feed; sometimes it waits for the next event."""
    main = next(it for it in report.threads if it.queue == MAIN_QUEUE)
    frames = list(reversed(main.frames))
    run = next(i for i, it in enumerate(frames)
               if it.symbol == "CFRunLoopRunSpecific")
    kernel = next(it for it in report.images if "kernel" in it.name)
    libc = next(it for it in report.images if it.name == "libsystem_c.dylib")
    core = frames[run].image
    waiting = [core.at(0x7d180, "__CFRunLoopRun", 1112),
               core.at(0x7c8b4, "__CFRunLoopServiceMachPort", 160),
               kernel.at(0xb48, "mach_msg2_trap", 8)]
    return [(frames, 1890),
            (frames[:-2] + [libc.at(0x3a1c, "fread", 116),
                            kernel.at(0x2d90, "read", 8)], 512),
            (frames[:run + 1] + waiting, 98)]


def scaler(report):
    thread = next(it for it in report.threads
                  if it.name == "com.example.demo.scaler")
    return [(list(reversed(thread.frames)), 2500)]


def sample_frame(it):
    if it.symbol:
        what = f"{it.symbol}  (in {it.image.name}) + {it.symbol_offset}"
    else:
        what = (f"???  (in {it.image.name})  load address "
                f"0x{it.image.base:x} + 0x{it.offset:x}")
    return f"{what}  [0x{it.address:x}]"


def sample_lines(nodes, indent, depth):
    for index, (frame, count, children) in enumerate(nodes):
        yield f"{indent}{count} {sample_frame(frame)}\n"
        more = index + 1 < len(nodes)
        guide = GUIDES[depth % len(GUIDES)] if more else " "
        yield from sample_lines(children, indent + guide + " ", depth + 1)


def sample_images(report):
    for it in sorted(report.images, key=lambda it: it.base):
        own = it.path.startswith(("/Applications", "/private"))
        name = it.bundle or it.name
        version = f"{it.short} - {it.build}" if it.bundle else it.short
        end = it.base + it.size - 1
        yield (f"{hex(it.base):>18} - {hex(end):>18} {'+' if own else ' '}"
               f"{name} ({version}) <{it.uuid}> {it.path}\n")


def sample(report):
    app = report.app
    main = "".join(sample_lines(tree(busy_main(report)), "    + ", 1))
    worker = "".join(sample_lines(tree(scaler(report)), "      ", 1))
    return (
        f"Sampling process {report.pid} for 3 seconds with 1 millisecond of "
        "run time between samples\n"
        "Sampling completed, processing symbols...\n"
        f"Analysis of sampling {app.name} (pid {report.pid}) every 1 "
        "millisecond\n"
        f"Process:         {app.name} [{report.pid}]\n"
        f"Path:            {app.path}\n"
        f"Load Address:    0x{app.base:x}\n"
        f"Identifier:      {app.bundle}\n"
        f"Version:         {app.short} ({app.build})\n"
        "Code Type:       ARM64\n"
        "Platform:        macOS\n"
        "Parent Process:  launchd [1]\n\n"
        "Date/Time:       2026-01-31 09:08:07.123 +0800\n"
        "Launch Time:     2026-01-31 09:06:01.456 +0800\n"
        f"OS Version:      {report.system} ({report.build})\n"
        "Report Version:  7\n"
        "Analysis Tool:   /usr/bin/sample\n\n"
        "Physical footprint:         52.4M\n"
        "Physical footprint (peak):  61.0M\n----\n\n"
        "Call graph:\n"
        f"    2500 Thread_4711   DispatchQueue_1: {MAIN_QUEUE}  (serial)\n"
        f"{main}"
        "    2500 Thread_4715: com.example.demo.scaler\n"
        f"{worker}\n"
        "Total number in stack (recursive counted multiple, when >=5):\n\n"
        "Sort by top of stack, same collapsed (when >= 5):\n"
        f"        ???  (in {app.name})  load address 0x{app.base:x} + ...  "
        "1890\n"
        "        read  (in libsystem_kernel.dylib)        512\n\n"
        "Binary Images:\n" + "".join(sample_images(report)))


def spindump_lines(nodes, depth):
    for frame, count, children in nodes:
        is_kernel = frame.address >= 0xfffffff000000000
        indent = "  " * depth + (" *" if is_kernel else "  ")
        name = (f"{frame.symbol} + {frame.symbol_offset}" if frame.symbol
                else "???")
        note = ("" if children or not is_kernel else
                " (blocked by turnstile waiting for Widget [701] thread "
                "0x77)")
        yield (f"{indent}{count:<2}  {name} ({frame.image.name} + "
               f"{frame.offset}) [0x{frame.address:x}]{note}\n")
        yield from spindump_lines(children, depth + 1)


def spindump_images(images):
    out = "  Binary Images:\n"
    for it in sorted(images, key=lambda it: it.base):
        is_kernel = it.name == "kernel"
        start = ("*" if is_kernel else "") + hex(it.base)
        # The end of an app is not always known.
        end = "???" if it.name == "Widget" else hex(it.base + it.size - 1)
        name = f"{it.name} ({it.short})"
        if it.bundle:
            name = f"{it.bundle} {it.short} ({it.build})"
        out += f"{start:>22} - {end:>18}  {name} <{it.uuid}>  {it.path}\n"
    return out


def process(name, path, pid, threads, images):
    out = (f"Process:          {name} [{pid}]\n"
           f"UUID:             {images[0].uuid}\n"
           f"Path:             {path}\n"
           "Architecture:     arm64e\n"
           "Parent:           launchd [1]\n"
           "Num samples:      40 (1-40)\n"
           "CPU Time:         0.402s (1204.6M cycles, 2410.2M "
           "instructions, 0.50c/i)\n"
           "Note:             1 idle work queue thread omitted\n\n")
    for header, stacks in threads:
        out += (f"  {header}    40 samples (1-40)    priority 46 (base 46)\n"
                + "".join(spindump_lines(tree(stacks), 0)) + "\n")
    return out + spindump_images(images)


def hang(report):
    """The app waits for another process, which has code at its addresses."""
    app = report.app
    kernel = system_image("/System/Library/Kernels/kernel",
                          0xfffffff007004000, 0x2000000, "arm64e")
    libraries = [it for it in report.images
                 if it.path.startswith(("/usr/lib", "/System"))]
    libkernel = next(it for it in libraries if "kernel" in it.name)
    pthread = next(it for it in libraries if "pthread" in it.name)
    widget = type(app)(name="Widget", path="/usr/libexec/Widget",
                       base=app.base, size=app.size, arch="arm64e",
                       uuid=invented_uuid("Widget"), short="7")
    blocked = [libkernel.at(0x2e5c, "__ulock_wait", 8),
               kernel.at(0x51ef0, "ulock_sleep", 0)]
    main = list(reversed(report.threads[0].frames))
    waiting = [widget.at(0xc54), widget.at(0xa0c),
               libkernel.at(0xb48, "mach_msg2_trap", 8)]
    name = report.system.replace(" 16.0", " 16.0 (Build 20A362)")
    return (
        "Date/Time:        2026-01-31 09:08:03.100 +0800\n"
        "End time:         2026-01-31 09:08:07.120 +0800\n"
        f"OS Version:       {name}\n"
        "Architecture:     arm64e\n"
        "Report Version:   40\n"
        f"Incident Identifier: {report.incident}\n\n"
        "Data Source:      Stackshots\n"
        f"{command(report)}"
        "Event:            hang\n"
        "Duration:         4.02s\n"
        "Steps:            40 (100ms sampling interval)\n\n"
        f"Hardware model:   {report.hardware}\n"
        "Active cpus:      6\n\n\n"
        "Heaviest stack for the target process:\n"
        + "".join(
            f"  36  {it.symbol + f' + {it.symbol_offset}' if it.symbol else '???'}"
            f" ({it.image.name} + {it.offset}) [0x{it.address:x}]\n"
            for it in main[:-2] + blocked[:1])
        + "\n\n"
        + process(app.name, app.path, report.pid, [
            (f'Thread 0x1267    DispatchQueue "{MAIN_QUEUE}"(1)', [
                (main[:-2] + blocked, 36), (main, 4)]),
            ('Thread 0x126b    Thread name "com.example.demo.scaler"',
             [(list(reversed(report.threads[1].frames)), 40)]),
        ], report.images + [kernel])
        + "\n\n"
        + process(widget.name, widget.path, 701, [
            ("Thread 0x77",
             [([pthread.at(0x1e68, "thread_start", 8)] + waiting, 40)]),
        ], [widget, pthread, libkernel, kernel]))
