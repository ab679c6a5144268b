#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports as people paste them must be read as the reports that they were.

    tests/check_pasted.py --program build/dev/apmtool [--corpus DIRECTORY]
        [--pairs 150] [--only NAME] [--keep DIRECTORY]

Each report is put through what mail, chats, web pages, terminals and logs do to
text, alone and two after the other (chosen at random, always the same), and must
say all that the clean file says, with a note on standard error of what was
repaired. Clean files must give the same bytes as ever: their
text is their own. The corpus is used where it lies beside the tree.
"""

import argparse
import concurrent.futures
import html
import json
import pathlib
import quopri
import random
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared/corpus"
SAMPLES = ["samples/demo.crash", "samples/demo.ips"]
FROM_CORPUS = [
    "apple-crash/inket__2022-08__ios-crash_symbolicated.crash",
    "apple-crash/faisalmemon__icdab_ptr_ios.crash",
    "apple-crash/inket__2019-10__report.crash",
    "ips-crash/r00tify__nsexcrash.ips",
    "ips-crash/inket__2022-08__ios-crash.ips",
    "ips-crash/mobiledev__MemoryLeakingApp-2022-08-05-132419.ips",
]
SEEDS = (20260131, 99, 612)
TIMEOUT_S = 60
# All else must not depend on how it was pasted: these say how it was read.
NOT_COMPARED = {"input", "notes", "truncated"}

MAIL_ABOVE = ("Hi all,\n\nthis is what our tester sent. Any idea?\n\n"
              "On Sat, Jan 31, 2026 at 9:08 AM Ada <ada@example.com> wrote:\n\n")
MAIL_BELOW = "\n-- \nAda\nSent from my iPhone\n"


# Manglings: text in, text out

def each_line(change):
    return lambda text: "".join(change(line) + "\n" for line in text.splitlines())


def before_lines(prefix):
    """Blank lines keep the prefix without the blanks at its end."""
    return each_line(lambda line: (prefix + line).rstrip() if not line else prefix + line)


def logged(make):
    """A prefix that changes from line to line."""
    def mangle(text):
        lines = []
        for number, line in enumerate(text.splitlines()):
            seconds, part = divmod(number * 137, 1000)
            minutes, seconds = divmod(seconds, 60)
            lines.append(make(8 + minutes, seconds, part, number) + line)
        return "\n".join(lines) + "\n"
    return mangle


def wrap_words(width):
    def wrap(line):
        return "\n".join(textwrap.wrap(line, width, expand_tabs=False,
                                       replace_whitespace=False)) if line.strip() else line
    return each_line(wrap)


def wrap_at_blanks(width):
    """As `fold -s`: the blank stays at the end of the line."""
    def wrap(line):
        pieces = []
        while len(line) > width:
            at = line.rfind(" ", 1, width) + 1
            at = at if at and line[:at].strip() else width
            pieces.append(line[:at])
            line = line[at:]
        return "\n".join(pieces + [line])
    return each_line(wrap)


def wrap_hard(width):
    return each_line(lambda line: "\n".join(
        line[at:at + width] for at in range(0, len(line), width)) if line else line)


def wrap_columns(width):
    """As `fold` and terminals: at a column, to which a tab has its stops."""
    def wrap(line):
        pieces, piece, column = [], "", 0
        for char in line:
            end = column + 8 - column % 8 if char == "\t" else column + 1
            if end > width and piece:
                pieces.append(piece)
                piece, end = "", 8 if char == "\t" else 1
            piece, column = piece + char, end
        return "\n".join(pieces + [piece])
    return each_line(wrap)


def smart(text):
    text = re.sub(r'(^|[\s{\[(:,])"', "\\1\u201c", text, flags=re.M).replace('"', "\u201d")
    text = re.sub(r"(^|[\s{\[(:,])'", "\\1\u2018", text, flags=re.M).replace("'", "\u2019")
    return text.replace("-[", "\u2013[").replace("+[", "+[").replace(" - ", " \u2013 ")


def colored(text):
    lines = text.splitlines()
    return "".join(f"\x1b[3{n % 7 + 1}m{line}\x1b[0m\n" for n, line in enumerate(lines))


def colored_words(text):
    return re.sub(r"(0x[0-9a-f]+)", "\x1b[1;36m\\1\x1b[0m", text)


def quoted_printable(text):
    return quopri.encodestring(text.encode(), quotetabs=False).decode()


MANGLINGS = {
    "blanks-2": before_lines("  "),
    "blanks-4": before_lines("    "),
    "blanks-8": before_lines("        "),
    "tab": before_lines("\t"),
    "blanks-markdown": lambda t: "It crashed:\n\n" + before_lines("    ")(t) + "\nAny idea?\n",
    "quotes": lambda t: MAIL_ABOVE + before_lines("> ")(t) + MAIL_BELOW,
    "quotes-bare": before_lines(">"),
    "quotes-double": before_lines(">>"),
    "quotes-apart": lambda t: MAIL_ABOVE + before_lines("> > ")(t) + MAIL_BELOW,
    "quotes-mixed": before_lines(">> "),
    "html": html.escape,
    "html-brackets": lambda t: t.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
    "html-page": lambda t: "<pre>" + html.escape(t) + "</pre>\n",
    "html-breaks": lambda t: html.escape(t).replace(" ", "&nbsp;").replace("\n", "<br>\n"),
    "html-one-line": lambda t: html.escape(t).replace("\n", "<br>"),
    "html-twice": lambda t: html.escape(html.escape(t)),
    "no-break": lambda t: t.replace(" ", "\u00a0"),
    "no-break-runs": lambda t: re.sub(" {2,}", lambda m: "\u00a0" * len(m[0]), t),
    "no-break-turns": lambda t: t.replace("  ", "\u00a0 "),
    "figure-spaces": lambda t: t.replace(" ", "\u2007"),
    "narrow-spaces": lambda t: t.replace(" ", "\u202f"),
    "no-width": lambda t: each_line(lambda l: "\u200b" + l)(t).replace("0x", "0\u200bx"),
    "github": logged(lambda m, s, p, n: f"2026-01-31T09:{m:02}:{s:02}.{p:03}4567Z "),
    "github-step": logged(lambda m, s, p, n:
                          f"test\tRun UI tests\t2026-01-31T09:{m:02}:{s:02}.{p:03}4567Z "),
    "gitlab": logged(lambda m, s, p, n: f"2026-01-31T09:{m:02}:{s:02}.{p:03}456Z 01O "),
    "jenkins": logged(lambda m, s, p, n: f"[2026-01-31T09:{m:02}:{s:02}.{p:03}Z] "),
    "jenkins-short": logged(lambda m, s, p, n: f"09:{m:02}:{s:02}  "),
    "teamcity": logged(lambda m, s, p, n: f"[09:{m:02}:{s:02}]{' iW'[n % 3]}:\t [Step 1/2] "),
    "syslog": logged(lambda m, s, p, n: f"Jan {n % 3 + 8:2} 09:{m:02}:{s:02} mac-7 Demo[612]: "),
    "syslog-new": logged(lambda m, s, p, n:
                         f"<14>1 2026-01-31T09:{m:02}:{s:02}.{p:03}Z mac Demo 612 - - "),
    "nslog": logged(lambda m, s, p, n:
                    f"2026-01-31 09:{m:02}:{s:02}.{p:03}456+0800 Demo[612:{n + 9990}] "),
    "os-log": logged(lambda m, s, p, n:
                     f"2026-01-31 09:{m:02}:{s:02}.{p:03}456+0800 0x{n + 9990:<8x} "
                     f"{'Default' if n % 2 else 'Error'}     0x0                  612    0    "
                     "Demo: (Foundation) [com.example.demo:crash] "),
    "level": logged(lambda m, s, p, n: f"[{'INFO' if n % 4 else 'ERROR'}] "),
    "level-time": logged(lambda m, s, p, n: f"INFO  09:{m:02}:{s:02},{p:03} demo.Runner - "),
    "fastlane": logged(lambda m, s, p, n: f"[09:{m:02}:{s:02}]: \u25b8 "),
    "numbered": logged(lambda m, s, p, n: f"{n + 1:4} | "),
    "logfmt": logged(lambda m, s, p, n: f"time=2026-01-31T09:{m:02}:{s:02}Z level=error msg="),
    "compose": logged(lambda m, s, p, n: "app_1  | "),
    "colors": colored,
    "colors-words": colored_words,
    "mail": quoted_printable,
    "words-72": wrap_words(72),
    "words-75": wrap_words(75),
    "fold-76": wrap_at_blanks(76),
    "hard-72": wrap_hard(72),
    "hard-80": wrap_hard(80),
    "typographic": smart,
    "jira": lambda t: "Steps: start it.\n\n{code:title=demo.crash|borderStyle=solid}\n" + t + "{code}\nThanks\n",
    "jira-plain": lambda t: "{noformat}\n" + t + "{noformat}\n",
    "fence": lambda t: "It crashes at launch:\n\n```\n" + t + "```\n\nSee above.\n",
    "fence-language": lambda t: "```text\n" + t + "\n```\n",
    "fence-tight": lambda t: "```" + t.rstrip("\n") + "```\n",
    "details": lambda t: ("<details>\n<summary>Crash log</summary>\n\n  ```\n"
                          + before_lines("  ")(t) + "  ```\n\n</details>\n"),
}
BREAKING = {"words-72", "words-75", "fold-76", "hard-72", "hard-80"}
HTML = {name for name in MANGLINGS if name.startswith("html")}
# Known, and not undone: what to mend next.
NOT_UNDONE = {
    # Broken at hyphens, where no blank was: nothing says that none is missing.
    *((spaces, words) for spaces in ("no-break", "figure-spaces", "narrow-spaces")
      for words in ("words-72", "words-75")),
    # Its soft line ends were joined with what follows them.
    ("mail", "words-72"),
    # A prefix that is longer than most lines was broken itself.
    ("os-log", "words-72"), ("os-log", "words-75"), ("os-log", "fold-76"),
    # What is not seen has a width, but not on each line.
    ("no-width", "hard-72"), ("no-width", "words-72"), ("no-width", "words-75"),
    # One blank after a quote mark is the mark's, or the broken line's.
    ("hard-72", "quotes-bare"), ("hard-80", "quotes-bare"),
}
# Of JSON only: no line of it has a place of its own.
JSON_MANGLINGS = {
    "hard-40": wrap_hard(40),
    "hard-60": wrap_hard(60),
    "words-60": wrap_words(60),
}


# The tables in sections lose blanks: where lines were broken, and where a quote
# mark may have one after it. Their words are compared.
LOSES_BLANKS = BREAKING | set(JSON_MANGLINGS) | {"quotes-bare", "quotes-double"}


def mangle(name, text):
    return {**MANGLINGS, **JSON_MANGLINGS}[name](text)


# Running

class Checker:
    def __init__(self, program, keep):
        self.program = program
        self.keep = keep
        self.directory = tempfile.TemporaryDirectory()

    def convert(self, path):
        done = subprocess.run([self.program, "convert", "--to", "json", path],
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")

    def read(self, path):
        status, out, _ = self.convert(path)
        if status:
            return None
        report = json.loads(out)
        return said(report)

    def fault(self, clean, names, text):
        """What is wrong with a pasted report; None: nothing."""
        original = text
        for name in names:
            text = mangle(name, text)
        directory = self.keep or self.directory.name
        path = pathlib.Path(directory) / f"{clean['path'].name}-{'-'.join(names)}"
        path.write_bytes(text.encode())
        status, out, err = self.convert(path)
        if status:
            return f"exit status {status}: {err[:300]}"
        try:
            found = json.loads(out)
        except json.JSONDecodeError as problem:
            return f"no JSON: {problem}"
        if "reports" in found:
            return f"{len(found['reports'])} reports"
        wanted, found = clean["read"], without_chat(said(found))
        if LOSES_BLANKS.intersection(names):
            wanted, found = without_blanks(wanted), without_blanks(found)
        if found != wanted:
            return f"differs: {difference(wanted, found)}"
        if text != original and ": repaired: " not in err:
            return f"no note of what was repaired: {err[:200]!r}"
        return None


def said(report):
    return {key: value for key, value in report.items() if key not in NOT_COMPARED}


def without_chat(report):
    """What was written around the report is kept, and is not part of it."""
    other = [line for line in report.pop("other_text", ())
             if line["text"] != "Any idea?"]
    return {**report, "other_text": other} if other else report


def without_blanks(read):
    return {**read, "sections": [{**section, "text": "".join(section.get("text", "").split())}
                                 for section in read.get("sections") or []]}


def difference(wanted, found, place=""):
    """The first one, for people."""
    if isinstance(wanted, list) and isinstance(found, list):
        for number, (left, right) in enumerate(zip(wanted, found)):
            if left != right:
                return difference(left, right, f"{place}[{number}]")
        return f"{place}: {len(wanted)} wanted, {len(found)} found"
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in {**wanted, **found}:
            if wanted.get(key) != found.get(key):
                return difference(wanted.get(key), found.get(key), f"{place}.{key}")
    return f"{place}: wanted {wanted!r:.200}, found {found!r:.200}"


def load(checker, paths):
    reports = []
    for path in paths:
        text = path.read_bytes().decode(errors="replace").replace("\r\n", "\n")
        plain = pathlib.Path(checker.directory.name) / path.name
        plain.write_bytes(text.encode())
        read = checker.read(plain)
        if read is None:
            sys.exit(f"{path}: cannot be read")
        reports.append({"path": path, "text": text, "read": read})
    return reports


def frames_of(read):
    """Of all stacks, in the order of a text report."""
    stacks = [read.get("exception_backtrace") or {}]
    stacks += [thread for thread in read.get("threads") or []]
    stacks += [{"frames": frames} if isinstance(frames, list) else frames
               for frames in read.get("app_backtraces") or []]
    return [(frame.get("address"), frame.get("symbol"))
            for stack in stacks for frame in stack.get("frames", [])]


FOLDED = {
    "words": wrap_at_blanks,
    "fold": wrap_columns,
    "fold-then-quotes": lambda width: lambda text: before_lines("> ")(wrap_columns(width)(text)),
    "quotes-then-fold": lambda width: lambda text: wrap_columns(width)(before_lines("> ")(text)),
}


def text_samples():
    paths = [path for name in ("*.*", "console/*") for path in (ROOT / "samples").glob(name)]
    return sorted(path for path in paths if path.is_file())


QUOTED = {
    "quotes": before_lines("> "),
    "quotes-bare": before_lines(">"),
    "quotes-apart": before_lines("> > "),
    "quotes-mail": lambda text: "Bob wrote:\n\n" + before_lines("> ")(text),
    "bars": before_lines("| "),
}


def quoted_faults(checker):
    """All samples that are text, with a mark before each line, say what they said."""
    faults = []
    count = 0
    for sample in text_samples():
        raw = sample.read_bytes()
        clean = checker.read(sample)
        if raw[:2] in (b"\x1f\x8b", b"pl") or not clean or not frames_of(clean):
            continue
        for name, make in QUOTED.items():
            path = pathlib.Path(checker.directory.name) / f"{sample.name}-{name}"
            path.write_text(make(raw.decode()))
            read = checker.read(path)
            count += 1
            if not read or told(read) != told(clean):
                difference_of = difference(told(clean), told(read)) if read else \
                    "cannot be read"
                faults.append(f"{sample.name}: {name}: {difference_of}")
    print(f"{count - len(faults)} of {count} quoted samples say what they said")
    return faults


def told(read):
    """What matters of a report, however it was pasted."""
    return {"frames": frames_of(read),
            **{key: read.get(key) for key in ("exception", "thrown", "termination", "process")}}


# JSON of a line in which quotes were cut is not joined.
NOT_JOINED = ("swift-log.json",)


def folded_faults(checker):
    """All samples that are text, cut at a column: no name gets or loses a blank."""
    faults = []
    count = 0
    for sample in text_samples():
        raw = sample.read_bytes()
        clean = checker.read(sample)
        # Compressed ones and PLCrashReporter's have no lines.
        if (raw[:2] in (b"\x1f\x8b", b"pl") or not clean or not frames_of(clean)
                or sample.name in NOT_JOINED):
            continue
        for name, make in FOLDED.items():
            for width in (72, 80):
                path = pathlib.Path(checker.directory.name) / f"{sample.name}-{name}-{width}"
                path.write_text(make(width)(raw.decode()))
                read = checker.read(path)
                count += 1
                if not read or frames_of(read) != frames_of(clean):
                    difference_of = difference(frames_of(clean), frames_of(read)) if read else \
                        "cannot be read"
                    faults.append(f"{sample.name}: {name}-{width}: {difference_of}")
    print(f"{count - len(faults)} of {count} folded samples have the frames that they had")
    return faults


def part_faults(checker):
    """A text without its head, and frames without anything around them."""
    lines = (ROOT / SAMPLES[0]).read_text().splitlines(keepends=True)
    whole = frames_of(checker.read(ROOT / SAMPLES[0]))
    first = lines.index("Thread 0 Crashed:\n") + 1
    parts = {"headless": (lines[first + 5:], whole[5:]),
             "frames": (lines[first:first + 19], whole[:19]),
             "frames-quoted": (["> " + line for line in lines[first:first + 19]], whole[:19]),
             "frames-logged": ([f"09:08:0{n % 10} E " + line
                                for n, line in enumerate(lines[first:first + 19])], whole[:19])}
    faults = []
    for name, (text, wanted) in parts.items():
        path = pathlib.Path(checker.directory.name) / name
        path.write_text("".join(text))
        read = checker.read(path)
        found = frames_of(read) if read else None
        if found != wanted:
            faults.append(f"{name}: {difference(wanted, found)}")
    return faults


def clean_faults(checker, corpus):
    """Unchanged inputs: nothing is repaired, and text comes back as it was."""
    paths = text_samples()
    for name in ("apple-crash", "ips-crash", "jetsam", "kscrash", "other-ips"):
        paths += sorted((corpus / name).glob("*")) if corpus.is_dir() else []
    faults = []
    # Reports inside of other tools' YAML are pasted ones.
    for path in (path for path in paths if path.suffix not in (".snap", ".py")):
        status, _, err = checker.convert(path)
        if not status and ": repaired: " in err:
            faults.append(f"{path.name}: {err[:200]}")
    for name in SAMPLES:
        form = "ips" if name.endswith(".ips") else "text"
        out = subprocess.run([checker.program, "convert", "--to", form, ROOT / name],
                             capture_output=True, timeout=TIMEOUT_S, check=False).stdout
        if out != (ROOT / name).read_bytes():
            faults.append(f"{name}: printed otherwise than it was")
    print(f"{len(paths)} clean files are left as they are" if not faults else "")
    return faults


def is_lost(first, second):
    """What two of them took away is not in the text any more, or nothing looks for it."""
    # Lines broken at two widths do not show any more where blanks were.
    if first in BREAKING and second in BREAKING:
        return True
    # Escapes have a width of their own, and are broken in two.
    if first in HTML and second in BREAKING:
        return True
    return (first, second) in NOT_UNDONE


def cases_of(reports, pairs):
    cases = []
    for report in reports:
        names = list(MANGLINGS)
        if report["text"].startswith("{"):
            names += JSON_MANGLINGS
        cases += [(report, (name,)) for name in names]
    names = list(MANGLINGS)
    for turn, seed in enumerate(SEEDS):
        chance = random.Random(seed)
        left = pairs * (turn + 1) // len(SEEDS) - pairs * turn // len(SEEDS)
        while left:
            report = chance.choice(reports)
            pair = tuple(chance.sample(names, 2))
            if not is_lost(*pair):
                cases.append((report, pair))
                left -= 1
    return cases


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--corpus", type=pathlib.Path, default=CORPUS)
    parser.add_argument("--pairs", type=int, default=150)
    parser.add_argument("--only", help="run one mangling, or two with a comma")
    parser.add_argument("--keep", help="a directory for the mangled files")
    args = parser.parse_args()
    checker = Checker(args.program, args.keep)
    paths = [ROOT / name for name in SAMPLES]
    if args.corpus.is_dir():
        paths += [args.corpus / name for name in FROM_CORPUS]
    else:
        print("skipped: the files of the corpus, for there is none")
    reports = load(checker, paths)
    cases = cases_of(reports, args.pairs)
    if args.only:
        cases = [(report, tuple(args.only.split(","))) for report in reports]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(
            lambda case: checker.fault(case[0], case[1], case[0]["text"]), cases))
    others = (part_faults(checker) + quoted_faults(checker) + folded_faults(checker)
              + clean_faults(checker, args.corpus))
    failed = 0
    for (report, names), fault in zip(cases, faults):
        if fault:
            failed += 1
            print(f"{report['path'].name}: {' then '.join(names)}: {fault}")
    print(f"{len(cases) - failed} of {len(cases)} pasted reports are read as the clean file is")
    for fault in others:
        print(fault)
    return 1 if failed or others else 0


if __name__ == "__main__":
    sys.exit(main())
