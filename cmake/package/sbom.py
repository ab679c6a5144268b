#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a static program contains, from the linker's map: a CycloneDX document, and
the licenses of the libraries.

    sbom.py --map FILE --version V --commit C --program FILE --output DIRECTORY

Writes DIRECTORY/sbom.cdx.json, and below DIRECTORY/share/doc/apmtool/licenses the
copyright file of each of Debian's packages that a part of the program comes from. A
library whose license is not in LICENSES is an error: somebody has to read it first.
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import uuid

# Debian's source packages, and the licenses of what is linked from them.
LICENSES = {
    "cjson": "MIT",
    "cross-toolchain-base": "LGPL-2.1-or-later",
    "dwarfutils": "LGPL-2.1-only",
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "libyaml": "MIT",
    "pcre2": "BSD-3-Clause",
    "zlib": "Zlib",
}
# Only the header of cJSON is used: no archive of it is in the map.
HEADERS = ["cJSON.h"]
COMMON = pathlib.Path("/usr/share/common-licenses")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def linked_files(text):
    """Archives of which a member is in the program, and object files."""
    members = text.split("Merging program properties")[0].split("Discarded input")[0]
    found = re.findall(r"^(/\S+\.a)\(", members, re.M)
    found += re.findall(r"^LOAD (/\S+\.o)$", text, re.M)
    return {os.path.realpath(path) for path in found if path.startswith("/usr/")
            or path.startswith("/lib/")}


def package_of(path):
    """The package that a file belongs to; it may know it by the name without /usr."""
    for name in path, path.removeprefix("/usr"):
        done = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.split(": ")[0].split(",")[0]
    raise SystemExit(f"sbom.py: no package has {path}")


def header_package(header):
    for line in run("dpkg", "-S", f"*/{header}").splitlines():
        package, path = line.split(": ")
        if path.startswith("/usr/include"):
            # Of several architectures the first: the header is the same in all.
            return package.split(", ")[0]
    raise SystemExit(f"sbom.py: no package has {header}")


def describe(package):
    fields = "${source:Package} ${source:Version} ${Version} ${Architecture} ${binary:Package}"
    source, revision, version, arch, name = run("dpkg-query", "-Wf", fields, package).split()
    upstream = re.sub(r"-\d+(-cross.*)?$|-cross.*$", "", source)
    if upstream not in LICENSES:
        raise SystemExit(f"sbom.py: {source}: read its license, and add it to LICENSES")
    return {
        "type": "library",
        "bom-ref": f"{name}@{version}",
        "name": name.split(":")[0],
        "version": version,
        "licenses": [{"expression": LICENSES[upstream]}],
        "purl": f"pkg:deb/debian/{name.split(':')[0]}@{version.replace('+', '%2B')}?arch={arch}",
        "properties": [{"name": "debian:source", "value": f"{source}={revision}"}],
    }


def document(options, components, program):
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    made = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    digest = hashlib.sha256(program).hexdigest()
    serial = uuid.uuid5(uuid.NAMESPACE_URL, f"apmtool:{digest}")
    ref = f"apmtool@{options.version}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": ref,
                "name": "apmtool",
                "version": options.version,
                "licenses": [{"license": {"id": "MIT"}}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "properties": [{"name": "git:commit", "value": options.commit}],
            },
        },
        "components": components,
        "dependencies": [{"ref": ref, "dependsOn": [c["bom-ref"] for c in components]}],
    }


def copy_licenses(packages, folder):
    """With the texts that they name instead of repeating them."""
    folder.mkdir(parents=True, exist_ok=True)
    named = set()
    for package in packages:
        name = package.split(":")[0]
        text = pathlib.Path("/usr/share/doc", name, "copyright").read_bytes()
        (folder / f"{name}.txt").write_bytes(text)
        named |= set(re.findall(rb"/usr/share/common-licenses/([\w.-]*\w)", text))
    for name in sorted(name.decode() for name in named if (COMMON / name.decode()).exists()):
        (folder / f"{name}.txt").write_bytes((COMMON / name).read_bytes())


def main():
    parser = argparse.ArgumentParser()
    for name in "map", "program", "output":
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in "version", "commit":
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    packages = {package_of(path) for path in linked_files(options.map.read_text())}
    packages |= {header_package(header) for header in HEADERS}
    components = sorted((describe(package) for package in packages), key=lambda c: c["name"])
    bom = document(options, components, options.program.read_bytes())
    (options.output / "sbom.cdx.json").write_text(json.dumps(bom, indent=2) + "\n")
    copy_licenses(packages, options.output / "share/doc/apmtool/licenses")


if __name__ == "__main__":
    main()
