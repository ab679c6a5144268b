#!/usr/bin/env python3
"""Check which folder includes which, against tests/layers.txt.

Also: an include names a file from the root of the tree; the header of a foreign
library is included by one file only, its door; and where that door is a header,
it stays within its folder.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
DOORS = {
    "cJSON.h": "lib/text/json/json.c",
    "libdwarf.h": "lib/object/dwarf/shim.h",
    "dwarf.h": "lib/object/dwarf/shim.h",
    "yaml.h": "lib/text/yaml.c",
    "pcre2.h": "lib/text/regex.c",
}


def read_layers():
    """The folders that each folder may include, itself among them."""
    layers = {}
    for line in (ROOT / "tests/layers.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            layer, uses = line.split(":")
            layers[layer] = set(uses.split()) | {layer}
    return layers


def covers(allowed, folder):
    """Whether a list names a folder, or with `/*` all below one."""
    parents = [folder]
    while "/" in parents[-1]:
        parents.append(parents[-1].rpartition("/")[0])
    return folder in allowed or any(f"{p}/*" in allowed for p in parents)


def check_file(path, layers):
    """Yield what is wrong with the includes of a file."""
    name = path.relative_to(ROOT).as_posix()
    layer = path.parent.relative_to(ROOT).as_posix()
    allowed = layers.get(layer)
    if allowed is None:
        yield f"{name}: its folder is not in tests/layers.txt"
        return
    for quote, target in INCLUDE.findall(path.read_text()):
        folder, _, base = target.rpartition("/")
        if quote == "<":
            if DOORS.get(base, name) != name:
                yield f"{name}: <{target}> is only for {DOORS[base]}"
        elif not (ROOT / target).is_file():
            yield f"{name}: there is no {target}"
        elif not covers(allowed, folder):
            yield f"{name}: may not include {target}"
        elif target in DOORS.values() and folder != layer:
            yield f"{name}: {target} is only for {folder}"


def main():
    layers = read_layers()
    files = sorted(
        path
        for top in ("lib", "parsers", "formatters", "cmd")
        for path in (ROOT / top).rglob("*.[ch]")
    )
    faults = [fault for path in files for fault in check_file(path, layers)]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(files)} files, {len(faults)} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
