#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that what users read uses the field's words, in plain English.

    tests/check_words.py

Looks at the manual pages, README and its companions, the JSON Schemas, and the
messages and help texts in the sources, and reports each word of WORDS with what to write instead.
Code is not looked at: literal blocks, macros and names between backquotes. The
phrases in ALLOWED may stay, for the reason given there.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "samples/README.md"]
SOURCES = ["cmd", "lib", "parsers", "formatters"]

# What not to write: what to write.
WORDS = {
    r"tells?|told|telling": "say, report, print; 'told apart': identified by",
    r"forms?": "format",
    r"folders?": "directory",
    r"stands?|standing|stood": "be, follow, precede",
    r"lack(s|ed|ing)?": "have no, be missing",
    r"heed(s|ed|ing)?": "honor, use",
    r"at hand": "available",
    r"cut(s|ting)?": "truncated",
    r"behind": "after",
    r"anew": "again",
    r"in front": "in the foreground",
    r"hints?": "reference limit",
    r"stall(s|ed)?": "hang",
    r"point stacks?": "heaviest stack",
    r"most expensive stacks?": "heaviest stack",
    r"run-time": "runtime",
    r"colou?rs?(?<!color)(?<!colors)": "color",
}
ALLOWED = [
    r"stands? (out|for)",  # English has no shorter words for these
    r"stall kill",  # a verdict of exit-reason, which programs compare
    r"stalled to death",  # the mark of a lag report, as the field writes it
    r"a shutdown stall report",  # Apple's name
    r"Can't form ",  # words of Swift's library
    r"cut-below|[|] cut -d",  # an action of rules files; a program
    r"[-\w/]+\.(svg|jsonl|json|plist)",  # files of the samples
    r"form-action",  # HTML
]
WORD = re.compile(rf"(?<![\w-])({'|'.join(WORDS)})(?![\w-])", re.I)
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
STRING = re.compile(rf"{LITERAL}(?:\s*\\?\n?\s*{LITERAL})*")
COMMENT = re.compile(rf"//[^\n]*|/\*.*?\*/|{LITERAL}|'(?:[^'\\\n]|\\.)+'", re.S)


def blank(match):
    """Nothing but the line ends, so that line numbers stay."""
    return re.sub(r"[^\n]", " ", match.group(0))


def prose_of_page(text):
    """mdoc: lines of text; macros and literal blocks are code."""
    text = re.sub(r"^\.Bd -literal.*?^\.Ed", blank, text, flags=re.M | re.S)
    return re.sub(r"^[.'](?!Nd ).*", blank, text, flags=re.M)


def prose_of_markdown(text):
    text = re.sub(r"^```.*?^```", blank, text, flags=re.M | re.S)
    text = re.sub(r"`[^`]*`|\]\([^)]*\)", blank, text)
    return re.sub(r"^    .*", blank, text, flags=re.M)


def prose_of_source(text):
    """Strings of several words; adjacent literals are one string."""
    text = COMMENT.sub(lambda m: m.group(0) if m.group(0)[0] == '"' else blank(m), text)
    text = re.sub(r"^\s*#\s*include.*", blank, text, flags=re.M)
    lines = [""] * (text.count("\n") + 1)
    for match in STRING.finditer(text):
        string = "".join(s[1:-1] for s in re.findall(LITERAL, match.group(0)))
        if " " in string.strip():
            lines[text.count("\n", 0, match.start())] += " " + string.replace("\\n", " ")
    return "\n".join(lines)


def prose_of_schema(text):
    """The descriptions."""
    return re.sub(r'^(?!.*"description": ).*|"(?!description")\w+":|".*?"(?=:)', blank, text, flags=re.M)


def faults_of(name, prose):
    prose = re.sub("|".join(ALLOWED), blank, prose)
    for match in WORD.finditer(prose):
        instead = next(v for k, v in WORDS.items() if re.fullmatch(k, match.group(0), re.I))
        line = prose.count("\n", 0, match.start()) + 1
        yield f"{name}:{line}: '{match.group(0)}': write {instead}"


def check_itself():
    """The check must fail where it should, and only there."""
    bad = [
        (prose_of_page, ".Nm x\nThe log tells it.\n"),
        (prose_of_markdown, "a folder of `files`\n"),
        (prose_of_source, 'f("the list is "\n  "cut off");\n'),
        (prose_of_source, 'f("reports of any form");\n'),
        (prose_of_schema, '"stand": { "enum": ["a"], "description": "The stand." }\n'),
    ]
    good = [
        (prose_of_page, ".Va form\nThe platform's format.\n.Bd -literal\ntold\n.Ed\n"),
        (prose_of_markdown, "`folder`\n\n    cut -c 1\n"),
        (prose_of_source, '// it tells\nf("form", "cut-below is no cut-above: information");\n'),
    ]
    for expected, cases in (1, bad), (0, good):
        for prose, text in cases:
            found = list(faults_of("itself", prose(text)))
            if len(found) != expected:
                yield f"check_words.py: {text!r}: expected {expected} faults, found {found}"


def main():
    faults = list(check_itself())
    files = [(ROOT / name, prose_of_markdown) for name in PAGES]
    files += [(path, prose_of_page) for path in sorted((ROOT / "man").glob("*.[15]"))]
    schemas = sorted((ROOT / "formatters/schema").glob("*.json"))
    files += [(path, prose_of_schema) for path in schemas]
    for source in SOURCES:
        files += [(p, prose_of_source) for p in sorted((ROOT / source).rglob("*.[ch]"))]
    for path, prose in files:
        faults += faults_of(path.relative_to(ROOT).as_posix(), prose(path.read_text()))
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(files)} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
