# SPDX-License-Identifier: MIT
"""The commands and their formats, and whether an output is valid in its format.

The formats of a command are those that its --help lists. HTML and SVG may have
no other elements and attributes than what the same command writes for a harmless
input, which is looked up once."""

import csv
import functools
import gzip
import html.parser
import io
import json
import re
import subprocess
import xml.etree.ElementTree

import check_schema
from harness import SAMPLES

CRASHES = ["demo.crash", "demo-partly.crash", "demo-exception.crash",
           "demo-32bit.crash", "demo-mac.crash", "demo-catalyst.crash",
           "demo-rosetta.crash", "demo-simulator.crash", "demo.ips",
           "demo-mac.ips", "demo-fault.ips", "demo-resource.ips",
           "demo-text.ips", "panic.ips", "stackshot.ips", "cpu-resource.ips",
           "demo.plcrash", "demo.crash.gz", "demo-glued.txt",
           "kscrash-mach.json", "kscrash-exception.json",
           "kscrash-recrash.json", "metrickit-crash.json",
           "metrickit-2027.json", "lag/matrix-lag.json"]
SAMPLED = ["lag/reports.jsonl", "lag/matrix-lag.json", "lag/matrix-power.json",
           "lag/nodes.json", "lag/bare.json", "lag/demo.folded",
           "demo-sample.txt", "demo.hang", "metrickit-hang.json"]
JETSAM = ["jetsam/limit.ips", "jetsam/pressure.ips", "jetsam/zone-map.ips",
          "jetsam/watch.json", "jetsam/swapped.ips", "jetsam/ios-9.ips",
          "jetsam/old.txt", "jetsam/old-ios-5.txt", "memory/footprint.json",
          "memory/priority.txt", "memory/warning.plist"]
SESSIONS = ["session/foreground.json", "session/killed.plist",
            "session/stalled.plist", "session/several.json"]
OBJECTS = ["DemoKit.framework.dSYM/Contents/Resources/DWARF/DemoKit",
           "Demo.dSYM/Contents/Resources/DWARF/Demo", "Plain.dylib"]
SYMBOLS = ["-d", str(SAMPLES / "Demo.dSYM"), "-d",
           str(SAMPLES / "DemoKit.framework.dSYM")]

# A command, its options, and what it reads.
COMMANDS = [("symbolicate", ["-q", *SYMBOLS], CRASHES + SAMPLED),
            ("convert", ["-q"], CRASHES),
            ("explain", ["-q"], CRASHES),
            ("group", ["-q"], CRASHES),
            ("missing", ["-q"], CRASHES),
            ("jetsam", ["-q"], JETSAM),
            ("exit-reason", ["-q"], SESSIONS),
            ("lag-aggregate", ["-q"], SAMPLED),
            ("fold", ["-q"], SAMPLED),
            ("flamegraph", ["-q"], SAMPLED),
            ("uuid", [], OBJECTS)]
OPTIONS = {name: options for name, options, _ in COMMANDS}
INPUTS = {name: inputs for name, _, inputs in COMMANDS}
PAIRS = [(name, one) for name, _, inputs in COMMANDS for one in inputs]
BINARY = {"pprof"}
JSON = {"speedscope", "firefox", "chrome", "nodes", "sarif"}
# What a terminal may act on, or show in another order.
BANNED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f"
                    "\u2028\u2029\u202a-\u202e\u2066-\u2069]")
# What GitHub's runner trims from a line, as .NET's Char.IsWhiteSpace().
WHITE = ("\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
         "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000")


@functools.cache
def formats_of(program, command):
    """What --help lists behind --format (or --to), in its order."""
    text = subprocess.run([program, command, "--help"], capture_output=True,
                          text=True, check=True).stdout
    found = re.search(r"output format: (.*?)\n +-", text, re.DOTALL)
    words = re.sub(r"\(default\)|\s+", "", found[1]) if found else ""
    return [word for word in words.split(",") if word]


def with_format(command, name):
    return ["--to" if command == "convert" else "--format", name]


def control_faults(data):
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return [f"not UTF-8: {error}"]
    return [f"control character {ord(found[0]):#x} at {found.start()}: "
            f"{text[max(found.start() - 30, 0):found.start()]!r}"
            for found in [BANNED.search(text)] if found]


def runner_faults(data, own=False):
    """Lines that a CI runner takes for commands; the annotations are ours."""
    return [f"a command: {line!r:.100}"
            for line in re.split("[\r\n]", data.decode(errors="replace"))
            if re.search(r"##[A-Za-z]*\[", line) or
            (line.lstrip(WHITE).startswith("::") and not own)][:3]


def refuse(name):
    raise ValueError(f"{name} is not JSON")


def json_faults(data):
    try:
        json.loads(data, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        return [f"not JSON: {error}"]
    return []


def schema_faults(data):
    if check_schema.jsonschema is None:
        return json_faults(data)
    return json_faults(data) or check_schema.check_text(data.decode())


def lines_of(check):
    return lambda data: [fault for line in data.splitlines()
                         for fault in check(line)][:3]


def csv_faults(data):
    try:
        rows = list(csv.reader(io.StringIO(data.decode(), newline=""),
                               strict=True))
    except csv.Error as error:
        return [f"not CSV: {error}"]
    widths = {len(row) for row in rows}
    return [f"rows of {sorted(widths)} fields"] if len(widths) > 1 else []


def bulk_faults(data):
    """An action before each document; ids and indexes that a server takes."""
    lines = data.decode().splitlines()
    faults = [] if len(lines) % 2 == 0 else ["a line without its pair"]
    for action, document in zip(lines[::2], lines[1::2]):
        found = re.fullmatch(
            r'{"(index|create)":{"_index":"(apm-[a-z-]+-(?:undated|\d{4}\.\d\d\.'
            r'\d\d))","_id":("[^"\\]+"|"(?:[^"\\]|\\.)+")}}', action)
        if not found or len(json.loads(found[3]).encode()) > 512:
            faults.append(f"not an action: {action!r:.100}")
        faults += schema_faults(document.encode())
    return faults[:3]


def influx_faults(data):
    word = r"(?:\\[,= x]|[^\\,= ])+"
    point = re.compile(rf"apm_\w+(,{word}={word})* \w+=\d+i(,\w+=\d+i)*( -?\d+)?")
    return [f"not a point: {line!r:.100}" for line in data.decode().split("\n")
            if line and not point.fullmatch(line)][:3]


def xml_faults(data):
    try:
        xml.etree.ElementTree.fromstring(data)
    except xml.etree.ElementTree.ParseError as error:
        return [f"not XML: {error}"]
    return []


def gzip_faults(data):
    try:
        return [] if gzip.decompress(data) else ["an empty profile"]
    except (OSError, EOFError) as error:
        return [f"not gzip: {error}"]


def github_faults(data):
    return [f"not an annotation: {line!r}" for line in data.decode().split("\n")
            if line and not re.match(r"::(notice|warning|error)( |::)", line)]


def folded_faults(data):
    return [f"not a stack and its count: {line!r:.80}"
            for line in data.decode().split("\n")
            if line and not re.search(r"[^ ] -?\d+( \d+)?$", line)][:3]


class Page(html.parser.HTMLParser):
    """The elements and attributes of a page, and where its links lead."""

    def __init__(self, data):
        super().__init__()
        self.parts, self.links = set(), set()
        self.feed(data.decode())

    def handle_starttag(self, tag, attrs):
        self.parts.add(tag)
        for name, value in attrs:
            self.parts.add(f"{tag} {name}")
            if name in ("href", "src", "action", "xlink:href"):
                self.links.add(value or "")


def page_faults(data):
    page = Page(data)
    return [f"has {part!r}" for part in sorted(page.parts)
            if re.search(r" on|^(img|iframe|object|embed|base|form$)", part)
            ] + [f"links to {link!r}" for link in page.links
                 if link.strip().lower().startswith(("javascript:", "data:",
                                                     "http", "//", "file:"))]


def ips_faults(data):
    """Header lines and bodies, one after the other; a body may be text."""
    text, decoder = data.decode(), json.JSONDecoder()
    try:
        _, end = decoder.raw_decode(text)
    except ValueError as error:
        return [f"the header is not JSON: {error}"]
    body = text[end:].lstrip()
    if body.startswith("{"):
        try:
            decoder.raw_decode(body)
        except ValueError as error:
            return [f"the body is not JSON: {error}"]
    return []


CHECKS = {"json": schema_faults, "jsonl": lines_of(schema_faults),
          "event": lines_of(schema_faults), "es-bulk": bulk_faults,
          "influx": influx_faults,
          "csv": csv_faults, "svg": xml_faults, "junit": xml_faults,
          "pprof": gzip_faults, "github": github_faults,
          "folded": folded_faults, "html": page_faults, "ips": ips_faults,
          **dict.fromkeys(JSON, json_faults)}


def faults_of(name, data):
    """What is wrong with an output of a format; nothing may be empty."""
    if not data:
        return []
    if name in BINARY:
        return CHECKS[name](data)
    # RFC 4180 ends the rows of CSV so.
    text = data.replace(b"\r\n", b"\n") if name == "csv" else data
    return (control_faults(text) or runner_faults(text, name == "github") or
            CHECKS.get(name, lambda _: [])(data))


def check_all(battery, what, command, path, gate=None, options=None):
    """Run a command on a file in its formats, and check each output."""
    names = formats_of(battery.program, command)
    if gate:
        names = battery.random.sample(names, min(gate, len(names)))
    for name in names:
        done = battery.run([command, *with_format(command, name), *(
            OPTIONS[command] if options is None else options), path])
        label = f"{what}: {command} --format {name}"
        battery.check(label, done)
        for fault in [*faults_of(name, done.out), *control_faults(done.err),
                      *runner_faults(done.err)]:
            battery.fault(label, fault)
        yield name, done
