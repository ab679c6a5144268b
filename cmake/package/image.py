#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An image for containers, FROM scratch: the static program and the licenses.

    image.py --program FILE --licenses DIRECTORY --version V --output FILE.tar

Writes an archive in Docker's format, as `docker save` does and `docker load` reads
it, without Docker: a layer, its configuration, and a list of both. The same inputs
give the same bytes.
"""

import argparse
import hashlib
import io
import json
import os
import pathlib
import platform
import tarfile
import time

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def add(tar, name, content, mode=0o644):
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), mode
    info.mtime = int(os.environ["SOURCE_DATE_EPOCH"])
    tar.addfile(info, io.BytesIO(content))


def add_directory(tar, name, mode=0o755):
    info = tarfile.TarInfo(name)
    info.type, info.mode = tarfile.DIRTYPE, mode
    info.mtime = int(os.environ["SOURCE_DATE_EPOCH"])
    tar.addfile(info)


def archive(add_files):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        add_files(tar)
    return data.getvalue()


def layer_of(options):
    def files(tar):
        add_directory(tar, "tmp", 0o1777)
        add_directory(tar, "work")
        for name in "usr", "usr/bin", "usr/share", "usr/share/licenses":
            add_directory(tar, name)
        for path in sorted(options.licenses.iterdir()):
            add(tar, f"usr/share/licenses/{path.name}", path.read_bytes())
        add(tar, "usr/bin/apmtool", options.program.read_bytes(), 0o755)
    return archive(files)


def configuration(layer):
    made = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))
    return json.dumps({
        "architecture": ARCHITECTURES[platform.machine()],
        "os": "linux",
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", made),
        # A user of no name: nothing in the image belongs to it.
        "config": {"Entrypoint": ["/usr/bin/apmtool"], "WorkingDir": "/work", "User": "65534"},
        "rootfs": {"type": "layers",
                   "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
    }, sort_keys=True).encode()


def main():
    parser = argparse.ArgumentParser()
    for name in "program", "licenses", "output":
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    options = parser.parse_args()
    layer = layer_of(options)
    config = configuration(layer)
    names = [hashlib.sha256(data).hexdigest() for data in (config, layer)]
    manifest = [{"Config": f"{names[0]}.json", "RepoTags": [f"apmtool:{options.version}"],
                 "Layers": [f"{names[1]}/layer.tar"]}]

    def files(tar):
        add(tar, f"{names[0]}.json", config)
        add_directory(tar, names[1])
        add(tar, f"{names[1]}/layer.tar", layer)
        add(tar, "manifest.json", json.dumps(manifest).encode())
    options.output.write_bytes(archive(files))


if __name__ == "__main__":
    main()
