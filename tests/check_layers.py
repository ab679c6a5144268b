#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check which folder includes which, against tests/layers.txt.

Also: an include names a file from the root of the tree; the header of a foreign
library is included by one file only, its door; where that door is a header, it
stays within its folder, but that of cJSON, whose trees are read with cJSON's own
functions, and with those that only read; and there are no circles, neither of files, by the
functions that they use of each other and by their includes, a .c with its .h,
nor of folders, by their includes; but the files of a grammar, which is mutually
recursive, may call each other. Nothing but the files of cmd/ itself knows a terminal
or the environment. And that CONTRIBUTING.md's table of the house has
each folder, and none that is not there.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
# A function that others may call begins a line and is not static; its name has
# a prefix, as `main` has not.
FUNCTION = re.compile(
    r"^(?!static\b|typedef\b|extern\b)[A-Za-z_][^;={}()#]*?\b(\w+_\w+)\(",
    re.MULTILINE)
WORD = re.compile(r"(?<!struct )(?<!enum )\b[a-z]\w*_\w+\b")
DOORS = {
    "cJSON.h": "lib/text/json/json.h",
    "libdwarf.h": "lib/object/dwarf/shim.h",
    "dwarf.h": "lib/object/dwarf/shim.h",
    "yaml.h": "lib/text/yaml.c",
    "expat.h": "lib/text/plist/xml.c",
    "pcre2.h": "lib/text/regex.c",
    "rdkafka.h": "cmd/worker/kafka.h",
    "microhttpd.h": "cmd/server/http.c",
}
# Its nodes are what it gives, and they belong to a document.
OPEN_DOOR = "lib/text/json/json.h"
CHANGES_TREES = re.compile(
    r"\bcJSON_(?!Is|Get|ArrayForEach|Compare|Duplicate|Print|Version)[A-Z]\w+(?=\s*\()")
# What is for a terminal, or asks the process around: only cmd/ knows one.
TERMINAL = re.compile(
    r"\b(?:stdin|stdout|stderr|environ)\b|"
    r"\b(?:isatty|ttyname|tcgetattr|ioctl|getenv|setlocale|v?f?printf|v?dprintf|"
    r"perror|puts|fputs|putchar|fputc|putc|fwrite)(?=\s*\()|"
    r"<(?:termios|sys/ioctl|curses)\.h>")
MAY_USE = {
    # Text for a terminal is shown otherwise: who writes it asks for that.
    ("lib/base/out.c", "isatty"),
    # Without memory, no sink can take the message.
    ("lib/base/mem.c", "fwrite"),
    ("lib/base/mem.c", "stderr"),
    # What loader and sanitizers go by is handed on to the spawner.
    ("lib/symbols/worker/spawner.c", "environ"),
}
# Files that begin so are one grammar.
GRAMMARS = ("lib/symbols/demangle/swift", "lib/symbols/demangle/rust")


def tree_files(pattern):
    """The names of the files of the program, from the root of the tree."""
    return [
        path.relative_to(ROOT).as_posix()
        for top in ("lib", "parsers", "formatters", "cmd")
        for path in sorted((ROOT / top).rglob(pattern))
    ]


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


def check_file(name, includes, layers):
    """Yield what is wrong with the includes of a file."""
    layer = name.rpartition("/")[0]
    allowed = layers.get(layer)
    if allowed is None:
        yield f"{name}: its folder is not in tests/layers.txt"
        return
    for quote, target in includes:
        folder, _, base = target.rpartition("/")
        if quote == "<":
            if DOORS.get(base, name) != name:
                yield f"{name}: <{target}> is only for {DOORS[base]}"
        elif not (ROOT / target).is_file():
            yield f"{name}: there is no {target}"
        elif not covers(allowed, folder):
            yield f"{name}: may not include {target}"
        elif (target in DOORS.values() and folder != layer
              and target != OPEN_DOOR):
            yield f"{name}: {target} is only for {folder}"


def circles(edges):
    """The sets of nodes that reach each other, by Tarjan's algorithm."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for target in sorted(edges.get(node, ())):
            if target not in order:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], order[target])
        if low[node] == order[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in order:
            visit(node)
    return found


def without_comments(source):
    """The text of a C file without comments and the contents of strings."""
    source = re.sub(r"/\*.*?\*/|//[^\n]*",
                    lambda match: " " + "\n" * match.group().count("\n"),
                    source, flags=re.DOTALL)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', source)


def defined_functions(source):
    """The names of the functions that a C file defines for others."""
    for match in FUNCTION.finditer(source):
        at, depth = match.end(), 1
        while depth and at < len(source):
            depth += (source[at] == "(") - (source[at] == ")")
            at += 1
        if source[at:].lstrip().startswith("{"):
            yield match.group(1)


def call_edges():
    """Which .c file, or grammar, uses functions of which other one."""
    sources = {
        name: without_comments((ROOT / name).read_text())
        for name in tree_files("*.c")
    }
    owners = {
        function: name
        for name, source in sources.items()
        for function in defined_functions(source)
    }
    edges = {}
    for name, source in sources.items():
        used = {noun(owners[word]) for word in set(WORD.findall(source))
                if word in owners}
        edges.setdefault(noun(name), set()).update(used - {noun(name)})
    return edges


def noun(name):
    """The grammar of a file, or the file."""
    return next((grammar for grammar in GRAMMARS if name.startswith(grammar)),
                name)


def include_edges(files):
    """Which file includes which other one: a .c and its .h are one."""
    edges = {}
    for name, includes in files.items():
        node = name.rpartition(".")[0]
        targets = {t.rpartition(".")[0] for quote, t in includes if quote == '"'}
        edges.setdefault(node, set()).update(targets - {node})
    return edges


def folder_edges(files):
    """Which folder includes which other, be it above, below or beside it."""
    edges = {}
    for name, includes in files.items():
        here = name.rpartition("/")[0]
        folders = {t.rpartition("/")[0] for quote, t in includes if quote == '"'}
        edges.setdefault(here, set()).update(folders - {here})
    return edges


def terminal_words(source):
    """What of a source is about a terminal or the environment, line by line."""
    for number, line in enumerate(without_comments(source).split("\n"), 1):
        for match in TERMINAL.finditer(line):
            yield number, match.group()


def check_terminals():
    """Yield where something below cmd/ knows the terminal."""
    for good in ('snprintf(a, "printf(");', "PRINTF_LIKE(1, 2)", "// stderr",
                 "out_puts(a);"):
        assert not list(terminal_words(good)), good
    for bad in ("fprintf(stderr, a);", "if (isatty(0))", "#include <termios.h>",
                'getenv("HOME")', "puts(a);"):
        assert list(terminal_words(bad)), bad
    for name in tree_files("*.[ch]"):
        if name.rpartition("/")[0] == "cmd":
            continue
        for number, word in terminal_words((ROOT / name).read_text()):
            if (name, word) not in MAY_USE:
                yield (f"{name}:{number}: only cmd/*.c may use '{word}': give "
                       "a notice, or take a value of struct command_line")


def check_trees():
    """Yield where a function of cJSON is called that makes or changes a tree."""
    for bad in "cJSON_Delete(a);", "x = cJSON_Parse (t);":
        assert CHANGES_TREES.search(bad), bad
    for good in "cJSON_ArrayForEach (a, b)", "cJSON_GetArrayItem(a, 0)":
        assert not CHANGES_TREES.search(good), good
    for name in tree_files("*.[ch]"):
        source = without_comments((ROOT / name).read_text())
        for word in sorted(set(CHANGES_TREES.findall(source))):
            yield f"{name}: {word}() is not for the trees of {OPEN_DOOR}"


def expanded(name):
    """`a/{b,c}` is `a/b` and `a/c`."""
    match = re.fullmatch(r"(.*)\{(.*)\}", name)
    return ([match[1] + one for one in match[2].split(",")] if match
            else [name.rstrip("/")])


def folders_of_table():
    """The folders of the table: after a path, a bare name is beside it."""
    table = (ROOT / "CONTRIBUTING.md").read_text()
    table = table.partition("| directory |")[2].partition("\n\n")[0]
    folders = set()
    for line in table.splitlines()[2:]:
        parent = ""
        for name in re.findall(r"`([^`]+)`", line.split("|")[1]):
            for folder in expanded(name):
                if "/" in folder:
                    parent = folder.rpartition("/")[0] + "/"
                    folders.add(folder)
                else:
                    folders.add(parent + folder)
    return folders


def check_table(layers):
    """Yield what the table of CONTRIBUTING.md lacks, or should not have."""
    found = folders_of_table()
    for folder in sorted(layers.keys() - found):
        yield f"CONTRIBUTING.md: the table of directories lacks {folder}"
    for folder in sorted(found):
        if not (ROOT / folder).is_dir():
            yield f"CONTRIBUTING.md: there is no directory {folder}"


def main():
    layers = read_layers()
    files = {
        name: INCLUDE.findall((ROOT / name).read_text())
        for name in tree_files("*.[ch]")
    }
    faults = [
        fault
        for name, includes in files.items()
        for fault in check_file(name, includes, layers)
    ]
    faults += check_table(layers)
    faults += check_terminals()
    faults += check_trees()
    for kind, found in (
        ("files call", circles(call_edges())),
        ("folders include", circles(folder_edges(files))),
        ("files include", circles(include_edges(files))),
    ):
        for circle in found:
            faults.append(f"{kind} each other: {', '.join(circle)}")
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(files)} files, {len(faults)} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
