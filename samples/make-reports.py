#!/usr/bin/env python3
"""Write the sample reports that refer to the images of samples/build.

Everything in them is invented: no device wrote these reports. What is true is
the addresses: the app's frames are return addresses behind real calls in the
images, so that a reader of the dSYMs gets a story that makes sense."""

import argparse
import gzip
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "src"))
from reports import (ips, kscrash, metrickit, others,  # noqa: E402
                     plcrash, sampled, text)
from reports.image import Image  # noqa: E402
from reports.stories import Stories  # noqa: E402


def write(folder, name, contents):
    with open(os.path.join(folder, name), "w", newline="") as file:
        file.write(contents)


def write_bytes(folder, name, contents):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(contents)


def load_images(images, folder, suffix):
    demo = os.path.join(folder, "Demo.dSYM/Contents/Resources/DWARF/Demo")
    kit = os.path.join(
        folder, "DemoKit.framework.dSYM/Contents/Resources/DWARF/DemoKit")
    return {
        "Demo.arm64": Image(f"{images}/arm64/Demo", demo, "arm64", suffix),
        "Demo.x86_64": Image(f"{images}/x86_64/Demo", demo, "x86_64", suffix),
        "DemoKit": Image(f"{images}/arm64/DemoKit", kit, "arm64", suffix),
        "Plain": Image(f"{images}/arm64/Plain.dylib", None, "arm64", suffix),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", required=True,
                        help="the work directory of samples/build")
    parser.add_argument("--llvm-suffix", default="")
    parser.add_argument("folder", help="where the dSYMs are, reports go")
    arguments = parser.parse_args()

    folder = arguments.folder
    stories = Stories(load_images(arguments.images, folder,
                                  arguments.llvm_suffix))
    phone = stories.bad_access_on_phone()
    write(folder, "demo.crash", text.phone(phone))
    write(folder, "demo-partly.crash",
          text.phone(stories.named_in_part(phone)))
    write(folder, "demo-exception.crash",
          text.phone(stories.exception_on_phone()))
    write(folder, "demo-32bit.crash",
          text.phone(stories.abort_on_old_phone()))
    write(folder, "demo-simulator.crash",
          text.phone(stories.bad_access_in_simulator()))
    write(folder, "demo-mac.crash",
          text.mac(stories.bad_access_on_mac()))
    write(folder, "demo-catalyst.crash",
          text.mac(stories.bad_access_on_catalyst()))
    write(folder, "demo-rosetta.crash",
          text.mac(stories.abort_under_rosetta()))

    thrown = ips.report(stories.exception_on_new_phone())
    write(folder, "demo.ips", thrown)
    write(folder, "demo-truncated.ips", thrown[:thrown.index('"usedImages"')])
    write(folder, "demo-mac.ips", ips.report(stories.trap_on_new_mac()))
    write(folder, "demo-fault.ips", ips.report(stories.fault_on_phone()))
    write(folder, "demo-resource.ips",
          ips.report(stories.too_much_cpu()))
    write(folder, "demo-text.ips",
          ips.header(phone, "109") + text.phone(phone))

    write(folder, "panic.ips", others.panic(phone))
    write(folder, "stackshot.ips", others.stackshot(phone))
    write(folder, "cpu-resource.ips",
          others.cpu_usage(stories.too_much_cpu()))
    write(folder, "demo-sample.txt",
          sampled.sample(stories.trap_on_new_mac()))
    write(folder, "demo.hang", sampled.hang(phone))

    write(folder, "kscrash-mach.json", kscrash.bad_access(phone))
    write(folder, "kscrash-exception.json",
          kscrash.exception(stories.exception_on_new_phone()))
    write(folder, "kscrash-recrash.json", kscrash.recrash(phone))
    write(folder, "kscrash-damaged.json", kscrash.damaged(phone))

    write(folder, "metrickit-crash.json", metrickit.crash(phone))
    write(folder, "metrickit-hang.json", metrickit.hang(phone))
    write(folder, "metrickit-2027.json", metrickit.new_form(phone))

    write_bytes(folder, "demo.plcrash",
                plcrash.report(phone, "SEGV_MAPERR", 0))
    # No name and no time in it: the same bytes each time.
    write_bytes(folder, "demo.crash.gz",
                gzip.compress(text.phone(phone).encode(), mtime=0))
    # As exports do it: no line end between the first two.
    write(folder, "demo-glued.txt",
          text.phone(phone).rstrip("\n")
          + ips.report(stories.fault_on_phone())
          + text.phone(stories.abort_on_old_phone()))


if __name__ == "__main__":
    main()
