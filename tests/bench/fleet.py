# SPDX-License-Identifier: MIT
"""Reports and the dSYMs of their app: one report and a large dSYM, and 2,000
reports of 150 KB with 5 dSYMs of 61 MB, beside what only names addresses."""

import os
import random
import shutil
import struct
import subprocess

from cache import cache, uuid_place
from dsym_cache import generated
from macho_file import MachoFile
from measure import measure_each
from reports import json_report
from symbols import TEMPLATES, large_dsym

REPORTS, APP_FRAMES, IMAGES, UNITS = 2000, 118, 5, 425


class Image:
    """A dSYM with its functions, and the addresses that reports have of it."""

    def __init__(self, path, number):
        with open(path, "rb") as file:
            data = file.read()
        macho = MachoFile(data)
        place = uuid_place(data)
        self.path = path
        self.number = number
        self.uuid = data[place:place + 16].hex()
        self.text = macho.text_address
        self.functions = macho.functions()
        self.addresses = set()

    def pick_offset(self, pick):
        low, high, _ = pick.choice(self.functions)
        address = pick.randrange(low, high)
        self.addresses.add(address)
        return address - self.text

    def listed(self, folder):
        path = os.path.join(folder, f"addresses-image-{self.number}")
        with open(path, "w") as file:
            file.writelines(f"{address:#x}\n"
                            for address in sorted(self.addresses))
        return path


def copies(folder):
    """The same dSYM with several UUIDs."""
    one = generated(folder, f"fleet-{UNITS}", "--units", str(UNITS),
                    "--bodies", "18", "--dwarf", "4",
                    "--templates", TEMPLATES)
    home = os.path.join(folder, "fleet-dsyms")
    os.makedirs(home, exist_ok=True)
    images = []
    for i in range(IMAGES):
        path = os.path.join(home, f"Part{i}.dSYM")
        if not os.path.exists(path):
            shutil.copy(one, path)
            with open(path, "r+b") as file:
                place = uuid_place(file.read())
                file.seek(place)
                file.write(struct.pack("<4I", i + 1, 7, 7, 7))
        images.append(Image(path, i))
    return home, images


def write_reports(folder, images, count):
    pick = random.Random(count)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for i in range(count):
        frames = []
        for k in range(APP_FRAMES):
            image = images[k % len(images)]
            frames.append((image.number, image.pick_offset(pick)))
        with open(os.path.join(folder, f"{i:04d}.ips"), "w") as file:
            file.write(json_report([image.uuid for image in images], frames))


def addresses_alone(options, images):
    """What the peers do: the addresses of all images, one after the other."""
    lists = [(image.path, image.listed(options.work)) for image in images]
    for at, (name, _) in enumerate(options.peers.lookups("", "")):
        commands = [options.peers.lookups(*pair)[at][1] for pair in lists]
        script = 'while [ $# -gt 0 ]; do sh -c "$1" || exit; shift; done'
        yield name, None if not commands[0] else [
            "sh", "-c", script, "sh", *map(quoted, commands)]


def quoted(command):
    return " ".join("'" + word.replace("'", "'\\''") + "'"
                    for word in command)


def compare(options, work, command, peers, goals, runs):
    peers = list(peers)
    ours, *costs = measure_each([command] + [theirs for _, theirs in peers],
                                runs)
    for (peer, _), cost, goal in zip(peers, costs, goals):
        options.goals.faster(work, ours, peer, cost, goal)


def measure_one(options):
    image = Image(large_dsym(options.work), 0)
    folder = os.path.join(options.work, "one-report")
    write_reports(folder, [image], 1)
    ours = [options.apmtool, "symbolicate", "-q", "-d", image.path,
            os.path.join(folder, "0000.ips")]
    compare(options, f"one .ips, {APP_FRAMES} frames, cold", ours,
            addresses_alone(options, [image]), (4, None), 10)


def measure_many(options):
    home, images = copies(options.work)
    folder = os.path.join(options.work, "fleet")
    write_reports(folder, images, REPORTS)
    different = sum(len(image.addresses) for image in images)
    plain = [options.apmtool, "symbolicate", "-q", "--no-auto", folder]
    command = plain + ["-d", home]
    compare(options, f"{REPORTS:,} .ips, {different:,} addresses", command,
            addresses_alone(options, images), (1 / 1.5, None), 3)
    with cache(os.path.join(options.work, "fleet-cache")):
        subprocess.run([options.apmtool, "index", "--symbols", "-q", home],
                       check=True, stdout=subprocess.DEVNULL)
        warm, without = measure_each([command, plain + ["--no-cache"]], 5)
    options.goals.faster("the same, warm", warm, "without any dSYM", without,
                         1 / 1.5)


def measure_fleet(options):
    options.goals.title("reports and the dSYMs of their app")
    measure_one(options)
    measure_many(options)
