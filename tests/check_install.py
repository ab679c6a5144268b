#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check what `cmake --install` installs: each file, and each link of the HTML.

    tests/check_install.py --program build/release/apmtool

The expected files are those of the tree, not a list of names: each manual, schema
and file of rules, and the samples but for what makes them.
"""

import argparse
import html.parser
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checking import check, check_equal, failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOC = "share/doc/apmtool"
COMPLETIONS = ["share/bash-completion/completions/apmtool", "share/zsh/site-functions/_apmtool",
               "share/fish/vendor_completions.d/apmtool.fish"]


class Links(html.parser.HTMLParser):
    """The targets of a page's links, and the places that links may name."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.places.add(attrs["id"])
        if attrs.get("href"):
            self.links.append(attrs["href"])


# They are built where their libraries are.
PROGRAMS = "apmtool-server", "apmtool-worker"


def expected_files(with_html, programs):
    names = {"bin/apmtool", "bin/apmtool-bulk", *COMPLETIONS}
    names |= {f"bin/{name}" for name in programs}
    names |= {f"{DOC}/{name}" for name in ("LICENSE", "CHANGELOG.md", "README.md", "SECURITY.md")}
    for page in (ROOT / "man").glob("*.[15]"):
        if page.stem in PROGRAMS and page.stem not in programs:
            continue
        names.add(f"share/man/man{page.suffix[1:]}/{page.name}")
        if with_html:
            names.add(f"{DOC}/html/{page.name}.html")
    if with_html:
        names.add(f"{DOC}/html/style.css")
    for folder, suffix, where in ("formatters/schema", "json", "schema"), ("data", "yaml", "rules"):
        names |= {f"share/apmtool/{where}/{path.name}"
                  for path in (ROOT / folder).glob(f"*.{suffix}")}
    names |= {f"share/apmtool/opensearch/{path.name}"
              for path in (ROOT / "data/opensearch").iterdir()}
    for path in (ROOT / "samples").rglob("*"):
        name = path.relative_to(ROOT)
        if path.is_file() and name.parts[1] not in ("src", "build") and path.suffix != ".py":
            names.add(f"{DOC}/examples/{name.as_posix()}")
    return {name for name in names if "__pycache__" not in name}


def check_links(folder):
    pages = {path.name: Links(path) for path in folder.glob("*.html")}
    count = 0
    for name, page in sorted(pages.items()):
        for link in page.links:
            count += 1
            target, _, place = link.partition("#")
            if target.endswith(".css"):
                check((folder / target).is_file(), f"{name}: no file '{target}'")
                continue
            to = pages.get(target or name)
            check(to is not None, f"{name}: link to '{link}': no such page")
            check(not place or to is None or place in to.places,
                  f"{name}: link to '{link}': no such place")
    check(count > len(pages), "the pages have links")
    return count


def check_version(program):
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    check_equal([line.split()[0] for line in lines], ["apmtool", "commit", "cJSON"], "--version")
    for library in "cJSON", "libdwarf", "libyaml", "pcre2", "expat", "zlib":
        check(library in lines[-1], f"--version names {library}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    build = parser.parse_args().program.resolve().parent
    with tempfile.TemporaryDirectory(prefix="apmtool-install.") as name:
        prefix = pathlib.Path(name)
        subprocess.run(["cmake", "--install", build, "--prefix", prefix],
                       check=True, stdout=subprocess.DEVNULL)
        found = {path.relative_to(prefix).as_posix() for path in prefix.rglob("*")
                 if path.is_file()}
        expected = expected_files(
            shutil.which("mandoc"), {name for name in PROGRAMS
                                     if (build / name).exists()})
        for path in sorted(expected - found):
            check(False, f"not installed: {path}")
        for path in sorted(found - expected):
            check(False, f"installed, and not expected: {path}")
        links = check_links(prefix / DOC / "html") if shutil.which("mandoc") else 0
        check_version(prefix / "bin/apmtool")
    print(f"{len(found)} files, {links} links, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
