#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the completion scripts in their own shells.

    tests/check_completion.py --program build/dev/apmtool SHELL

The shell parses the script, and is asked to complete some command lines: the
answers must hold the words listed here, and be nothing else where that is said.
Every command and option of --help must be offered. Exits 77 (skipped) where the
shell is not installed.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77

# A command line, its last word to be completed, and what must be offered;
# True: nothing else. Files lie in the working folder, see main().
CASES = [
    (["sym"], {"symbolicate"}, True),
    (["--v"], {"--version"}, True),
    (["symbolicate", "--format", "j"], {"json", "jsonl"}, True),
    (["symbolicate", "--style", "s"], {"side-by-side"}, True),
    (["symbolicate", "--for"], {"--format"}, True),
    (["symbolicate", "report"], {"report one.crash"}, True),
    (["symbolicate", "-d", "rep"], {"report one.crash"}, True),
    (["symbolicate", "-o", "rep"], {"report one.crash"}, True),
    (["symbolicate", "--strict", "rep"], {"report one.crash"}, True),
    # Not `-full`: fish takes that for -f and a file's name.
    (["atos", "-ar"], {"-arch"}, True),
    (["atos", "-arch", "rep"], set(), True),
    (["atos", "rep"], set(), True),
    (["completion", ""], {"bash", "zsh", "fish"}, True),
    (["help", "do"], {"doctor"}, True),
    (["schema", "rep"], {"report", "reports"}, True),
    (["diff", "--fail-on", ""], {"new", "grown"}, True),
    (["doctor", "rep"], set(), True),
    (["config", "--show"], {"--show-origin"}, True),
    (["doctor", "--limit", "thr"], {"threads"}, True),
]

# Give the words that bash offers, a line each; what `-o default` adds too.
BASH = r"""
source "$1"; shift
[[ $(complete -p apmtool) == 'complete -o default -F _apmtool apmtool' ]] || exit 9
plain=
compopt() { plain=1; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_apmtool
if ((${#COMPREPLY[@]})); then
	printf '%s\n' "${COMPREPLY[@]}"
elif [[ ! $plain ]]; then
	compgen -f -- "${!#}"
fi
"""

# zsh completes in its line editor only: type the line into one, list matches.
ZSH = r"""
zmodload zsh/zpty || exit 77
zpty shell zsh -f -i
zpty -w shell 'PS1= PS2= PROMPT_EOL_MARK= ; unsetopt zle_bracketed_paste'
zpty -w shell "fpath=(${(q)1:h} \$fpath); autoload -U compinit; compinit -u -D"
zpty -w shell 'zstyle ":completion:*" list-colors "no=<MATCH>" "fi=<MATCH>" "lc=" "rc=" "ec=</MATCH>"'
zpty -w shell 'zstyle ":completion:*" verbose false'
zpty -w shell 'setopt no_list_types no_list_packed; LISTMAX=9999; bindkey "^I" list-choices'
zpty -w shell 'list-all() { compstate[list]=list compstate[insert]= }; comppostfuncs=(list-all)'
zpty -w shell 'echo READY"_NOW"'
zpty -r -m shell out '*READY_NOW*'
zpty -n -w shell "$2"$'\t'
sleep 0.1
zpty -w shell $'\x15echo DONE"_NOW"'
zpty -r -m shell out '*DONE_NOW*'
print -r -- "$out" | grep -o '<MATCH>[^<]*</MATCH>' | sed 's/<[^>]*>//g'
exit 0
"""

FISH = 'source $argv[1]; complete -C "$argv[2]"'


def run(words, folder):
    env = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        words,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def offered(shell, script, words, folder):
    """The words that the shell offers for the last of the words."""
    line = " ".join(["apmtool", *words])
    if shell == "bash":
        command = ["bash", "-c", BASH, "bash", script, "apmtool", *words]
    elif shell == "zsh":
        command = ["zsh", "-f", "-c", ZSH, "zsh", script, line]
    else:
        command = ["fish", "--no-config", "-c", FISH, script, line]
    status, output, errors = run(command, folder)
    if status:
        return {f"(status {status}: {errors})"}
    # fish: the word, a tab, what it is.
    found = {text.split("\t")[0].strip() for text in output.splitlines()}
    return {word.replace("\\ ", " ").rstrip("=") for word in found if word}


def table_of(program, folder):
    """Each command, and its options, as --help tells."""
    commands = {}
    text = run([program, "--help"], folder)[1]
    listed = text.split("\ncommands:\n")[1].split("\n\n")[0]
    for name in re.findall(r"^  (\w[\w-]*)", listed, re.M):
        text = run([program, name, "--help"], folder)[1]
        rows = text.split("\noptions:\n")[1].split("\n\n")[0]
        commands[name] = set()
        for row in re.findall(r"^  +(-\S.*)", rows, re.M):
            commands[name] |= set(
                re.findall(r"(?:^|, )(-{1,2}[A-Za-z][\w-]*)", row)
            )
    return commands


def cases_of(shell, program, folder):
    """CASES, and a case for each command."""
    commands = table_of(program, folder)
    yield from CASES
    yield [""], set(commands), False
    for name, options in commands.items():
        # All of a line's words start with a dash; fish lists letters apart.
        long = {o for o in options if len(o) > 2}
        yield [name, "-"], options if shell == "bash" else long, False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    args = parser.parse_args()
    program, shell = str(args.program.resolve()), args.shell
    if not shutil.which(shell):
        print(f"skipped: {shell} is not installed")
        return SKIPPED
    faults = 0
    count = 0
    with tempfile.TemporaryDirectory(prefix="apmtool-completion.") as name:
        folder = pathlib.Path(name)
        (folder / "report one.crash").touch()
        scripts = folder.with_name(folder.name + ".d")
        scripts.mkdir()
        script = scripts / "_apmtool"
        try:
            script.write_text(run([program, "completion", shell], folder)[1])
            status, _, errors = run([shell, "-n", str(script)], folder)
            if status or errors:
                print(f"{shell} -n: {errors}")
                faults += 1
            for words, expected, is_all in cases_of(shell, program, folder):
                found = offered(shell, str(script), words, folder)
                count += 1
                if found == expected or (not is_all and found >= expected):
                    continue
                faults += 1
                print(f"apmtool {' '.join(words)}: expected {sorted(expected)}")
                print(f"  found {sorted(found)}")
        finally:
            shutil.rmtree(scripts)
    print(f"{shell}: {count} lines, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
