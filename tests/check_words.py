#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that users and readers of the source get the field's words, in plain English.

    tests/check_words.py

Reads the manual pages, README and its companions, the JSON Schemas, and in the sources
messages, help texts and comments. Reports each word of WORDS, and in comments of PRIVATE,
too, with what to write instead. Skips code: literal blocks, macros and names between
backquotes. The phrases in ALLOWED may stay, for the reason given there.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "samples/README.md"]
SOURCES = ["cmd", "lib", "parsers", "formatters"]

# What not to write: what to write.
WORDS = {
    r"anew": "again",
    r"at hand": "available",
    r"behind": "after",
    r"heed(s|ed|ing)?": "honor, use",
    r"stall(s|ed)?": "hang",
    r"point stacks?": "heaviest stack",
    r"most expensive stacks?": "heaviest stack",
    r"whoever": "the program, the caller, the reader",
    r"what (came|comes) of": "the result of",
    r"run-time": "runtime",
    r"colou?rs?(?<!color)(?<!colors)": "color",
}
# Words that only this source used, and notes that nobody else has.
PRIVATE = {
    r"beside": "in the same directory, next to, with",
    r"nobody|somebody": "no caller, unused; or the active voice",
    r"(is|are) (said|asked|told)": "the active voice: the report has, the caller requests",
    r"not said": "unknown, missing",
    r"so (many|much)": "the number itself",
    r"swallow(s|ed|ing)?": "skip, ignore, include",
    r"who (has|asks|calls|reads|is|does)": "the noun: the owner, the caller, the reader",
    r"(formats|design|field|records|reliability|ecosystem)\.md": "apmtool-formats(5)",
}
ALLOWED = [
    r"stall kill",  # a verdict of exit-reason, which programs compare
    r"stalled to death",  # the mark of a lag report, as the field writes it
    r"a shutdown stall report",  # Apple's name
    r"stall the processor",  # of a processor, that is the word
    r"CHANGELOG-formats\.md",  # of the Firefox Profiler
    r"[-\w/]+\.(svg|jsonl|json|plist)",  # files of the samples
]
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


def prose_of_comments(text):
    """Comments without names, quotations and sketches of code, which are indented."""
    ends, at = [], 0
    for match in COMMENT.finditer(text):
        if match.group(0)[0] == "/":
            ends += [blank(re.match(r"[^\0]*", text[at : match.start()])), match.group(0)]
        else:
            ends += [blank(re.match(r"[^\0]*", text[at : match.end()]))]
        at = match.end()
    text = "".join(ends)
    text = re.sub(r"`[^`]*`|\"[^\"\n]*\"|@p \w+|@param +\w+", blank, text)
    return re.sub(r"^\s*\* {5,}.*", blank, text, flags=re.M)


def prose_of_schema(text):
    """The descriptions."""
    return re.sub(r'^(?!.*"description": ).*|"(?!description")\w+":|".*?"(?=:)', blank, text, flags=re.M)


def faults_of(name, prose, words):
    prose = re.sub("|".join(ALLOWED), blank, prose)
    for match in re.finditer(rf"(?<![\w-])({'|'.join(words)})(?![\w-])", prose, re.I):
        instead = next(v for k, v in words.items() if re.fullmatch(k, match.group(0), re.I))
        line = prose.count("\n", 0, match.start()) + 1
        yield f"{name}:{line}: '{match.group(0)}': write {instead}"


def check_itself():
    """The check must fail where it should, and only there."""
    bad = [
        (prose_of_page, ".Nm x\nThe app stalls.\n"),
        (prose_of_markdown, "behind `files`\n"),
        (prose_of_source, 'f("the list is "\n  "at hand");\n'),
        (prose_of_schema, '"stall": { "enum": ["a"], "description": "The stall." }\n'),
        (prose_of_comments, "/**\n * As nobody asks.\n */\nint a;\n"),
        (prose_of_comments, 'f("`"); // whoever reads\n'),
    ]
    good = [
        (prose_of_page, ".Va stall\nThe platform's format.\n.Bd -literal\nbehind\n.Ed\n"),
        (prose_of_markdown, "`stall`\n\n    behind -c 1\n"),
        (prose_of_source, '// behind\nf("stall", "cut-below is no cut-above: information");\n'),
        (prose_of_comments, '/** @param beside  `nobody` */\nf("nobody asks");\n'),
        (prose_of_comments, "/**\n * Use:\n *\n *     anew(beside);\n */\n"),
    ]
    for expected, cases in (1, bad), (0, good):
        for prose, text in cases:
            found = list(faults_of("itself", prose(text), WORDS | PRIVATE))
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
        faults += faults_of(path.relative_to(ROOT).as_posix(), prose(path.read_text()), WORDS)
    for path in (p for d in SOURCES for p in sorted((ROOT / d).rglob("*.[ch]"))):
        prose = prose_of_comments(path.read_text())
        faults += faults_of(path.relative_to(ROOT).as_posix(), prose, WORDS | PRIVATE)
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(files)} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
