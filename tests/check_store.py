#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Symbol stores: writers at once, symbols that come later, and servers.

    tests/check_store.py --program build/release/apmtool [ENGINE]
    tests/check_store.py --build

Without an engine: `index --store` by several processes at once, some of which are
killed; symbols that are stored while a stream is read; a program of `fetch:` whose run is
interrupted. With `nginx` or `s3`, a real server has the store, and curl is the program of
`fetch:`; with `sentry-cli`, that looks at what is stored.

nginx is Debian's nginx-light. moto, a server of S3, and sentry-cli are PyPI's: those in
PATH are used, or those that --build installs into build/store. Exits with 77 (skipped)
where an engine, or curl, is not there."""

import argparse
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from checking import check, check_equal, failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
VENV = ROOT / "build/store"
PACKAGES = ["moto[server]==5.2.1", "sentry-cli==3.8.2"]
SKIPPED = 77
UUID = "4C4C44BD-5555-3144-A18B-1D7A14ACC538"
NAMED = "reader.hpp:33"
START_SECONDS = 60
WRITERS = 6
ROUNDS = 12
NGINX = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    root {store};
    location /hang/ {{ rewrite ^/hang(/.*)$ $1 break; limit_rate 1; }}
  }}
}}
"""


def find(name):
    for path in (shutil.which(name), VENV / "bin" / name, pathlib.Path("/usr/sbin") / name):
        if path and os.access(path, os.X_OK):
            return str(path)
    return None


class Apmtool:
    """The program, in a folder with a home and a cache of its own."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.env = {**os.environ, "HOME": str(folder), "APMTOOL_AUTO": "0",
                    "APMTOOL_CACHE": str(folder / "cache")}
        self.env.pop("APMTOOL_CONFIG", None)

    def start(self, *args, **more):
        return subprocess.Popen(  # pylint: disable=consider-using-with
            [self.program, *map(str, args)], cwd=self.folder, env=self.env,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run(self, *args):
        process = self.start(*args, stdin=subprocess.DEVNULL)
        out, err = process.communicate(timeout=120)
        return process.returncode, out.decode(), err.decode()

    def store(self, *args):
        status, _, err = self.run("index", "-q", "--store", "store", *args)
        check_equal((status, err), (0, ""), f"index --store {args}")

    def configure(self, *command, **more):
        path = self.folder / ".config/apmtool/config.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"fetch": list(command), **more}))

    def names(self, *args):
        """Is the sample named? And what is said."""
        status, out, err = self.run("symbolicate", *args, SAMPLES / "demo.crash")
        check(status in (0, 1), f"symbolicate {args}: status {status}: {err}")
        return NAMED in out, err


def unified(uuid):
    digits = uuid.replace("-", "").lower()
    return f"{digits[:2]}/{digits[2:]}"


# Without a server


def files_of(store):
    return sorted(path.relative_to(store).as_posix()
                  for path in store.rglob("*") if path.is_file())


def check_writers(apmtool):
    """Several write one build; some are killed, and what is there is whole."""
    store = apmtool.folder / "store"
    args = ["index", "-q", "--store", "store", "--name", "Demo", "--app-version", "1",
            "--build", "2", SAMPLES / "Demo.dSYM", SAMPLES / "Plain.dylib",
            SAMPLES / "DemoKit.framework.dSYM"]
    check_equal(apmtool.run(*args)[0], 0, "one writer")
    expected = {name: (store / name).read_bytes() for name in files_of(store)
                if not name.endswith((".gsym", ".json"))}
    whole = files_of(store)
    for turn in range(ROUNDS):
        shutil.rmtree(store)
        writers = [apmtool.start(*args, stdin=subprocess.DEVNULL) for _ in range(WRITERS)]
        time.sleep(0.002 * turn)
        for writer in writers[:WRITERS // 2]:
            writer.send_signal(signal.SIGKILL)
        for writer in writers:
            writer.communicate(timeout=120)
        check_equal([writer.returncode for writer in writers[WRITERS // 2:]],
                    [0] * (WRITERS - WRITERS // 2), f"round {turn}: status")
        for name, content in expected.items():
            check((store / name).read_bytes() == content, f"round {turn}: {name}")
        # What killed ones leave has another name.
        check(set(whole) <= set(files_of(store)), f"round {turn}: {files_of(store)}")
        check(all(any(name == each or name.startswith(f"{each}.") for each in whole)
                  for name in files_of(store)), f"round {turn}: {files_of(store)}")
        record = json.loads((store / "apps/Demo/1+2/macos.json").read_text())
        check_equal(len(record["images"]), 4, f"round {turn}: images")
    check_equal(apmtool.names("-q", "--store", "store")[0], True, "after all of them")
    shutil.rmtree(store)


def check_stream(apmtool, command, *args):
    """A report, symbols for it, and the same report again, to one process."""
    report = json.dumps({"apm": 1, "report": (SAMPLES / "demo.crash").read_text()}) + "\n"
    (apmtool.folder / "store").mkdir()
    process = apmtool.start(command, "--store", "store", *args, stdin=subprocess.PIPE)
    answers = []
    for turn in range(3):
        if turn == 1:
            apmtool.store(SAMPLES / "Demo.dSYM")
        process.stdin.write(report.encode())
        process.stdin.flush()
        answers.append(json.loads(process.stdout.readline()))
    process.communicate(timeout=60)
    missing = [UUID in answer["missing"] for answer in answers]
    check_equal(missing, [True, False, False], f"{command}: missing")
    check_equal(["reader.hpp" in json.dumps(answer) for answer in answers],
                [False, True, True], f"{command}: names")
    shutil.rmtree(apmtool.folder / "store")


def check_interrupted(apmtool):
    """Who is stopped while it fetches leaves nothing that is used, and has asked."""
    apmtool.store(SAMPLES / "Demo.dSYM")
    script = apmtool.folder / "slow"
    script.write_text("#!/bin/sh\necho $$ >>pids\nhead -c 1000 store/$2/debuginfo >$1\n"
                      "sleep 20\ncp store/$2/debuginfo $1\n")
    script.chmod(0o755)
    apmtool.configure(str(script), "{file}", "{path}")
    process = apmtool.start("symbolicate", SAMPLES / "demo.crash", stdin=subprocess.DEVNULL)
    fetched = apmtool.folder / "cache/fetched"
    deadline = time.monotonic() + 20
    while not list(fetched.glob("*/*/partial.*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=20)
    # Its program goes with it, where the system can do that.
    time.sleep(0.2)
    pid = int((apmtool.folder / "pids").read_text().split()[0])
    if sys.platform == "linux":
        state = pathlib.Path(f"/proc/{pid}/stat")
        check(not state.exists() or state.read_text().split()[2] == "Z", "the program goes on")
    left = {path.name.split(".")[0]: path for path in fetched.glob("*/*/*")}
    check_equal(sorted(left), ["miss", "partial"], "after the end")
    apmtool.configure("/bin/cp", str(apmtool.folder / "store/{path}/debuginfo"), "{file}")
    check(not apmtool.names("-q")[0], "the next run")
    left["miss"].unlink()
    check(apmtool.names("-q")[0], "an hour later")


def plain(apmtool, _):
    check_writers(apmtool)
    check_stream(apmtool, "filter", "--shape", "full")
    check_interrupted(apmtool)
    return 0


# Servers


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A process that answers on a port."""

    def __init__(self, folder, port, *command):
        self.port = port
        self.log = (folder / "server.log").open("wb+")
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, cwd=folder,
            env={**os.environ, "HOME": str(folder)})

    def __enter__(self):
        began = time.monotonic()
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() - began > START_SECONDS:
                self.__exit__()
                self.log.seek(0)
                raise SystemExit("it did not start:\n" + self.log.read().decode()[-2000:])
            time.sleep(0.1)
        print(f"ready after {time.monotonic() - began:.1f} s")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def answers(self):
        try:
            self.request("GET", "/")
            return True
        except OSError:
            return False

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path, body)
        status = connection.getresponse().status
        connection.close()
        return status


def check_fetched(apmtool, curl, count_requests):
    """What curl gets is used, kept, and what it does not get is not asked for again."""
    apmtool.configure(*curl)
    named, err = apmtool.names()
    check(named, f"not named: {err}")
    check("fetch: nothing for" in err and "404" in err, f"misses: {err}")
    check("of which the first is" in err, f"misses: {err}")
    first = count_requests()
    check(first > 1, f"{first} requests")
    check_equal(apmtool.names("-q")[0], True, "again")
    check_equal(count_requests(), first, "requests of the second run")
    kept = apmtool.folder / "cache/fetched" / unified(UUID) / "debuginfo"
    check_equal(kept.read_bytes(),
                (apmtool.folder / "store" / unified(UUID) / "debuginfo").read_bytes(), "kept")
    # A server that is gone costs no more than its images.
    shutil.rmtree(apmtool.folder / "cache")
    apmtool.configure(*(each.replace(str(count_requests.port), "1") for each in curl))
    named, err = apmtool.names()
    check(not named, "from a server that is gone")
    check("fetch: nothing for 9 UUIDs" in err, f"gone: {err}")


def nginx(apmtool, engine):
    curl = find("curl")
    port = free_port()
    apmtool.store("--name", "Demo", "--app-version", "1.0", "--build", "7",
                  SAMPLES / "Demo.dSYM", SAMPLES / "Plain.dylib")
    config = apmtool.folder / "nginx.conf"
    config.write_text(NGINX.format(folder=apmtool.folder, port=port,
                                   store=apmtool.folder / "store"))
    os.chmod(apmtool.folder, 0o755)
    with Server(apmtool.folder, port, engine, "-c", config) as server:
        def requests():
            return (apmtool.folder / "access.log").read_text().count("debuginfo")
        requests.port = port
        check_fetched(apmtool, [curl, "-fsSL", "-o", "{file}",
                                f"http://127.0.0.1:{port}/{{path}}/debuginfo"], requests)
        # Records are found by the name of the app, too.
        check_equal(server.request("GET", "/apps/Demo/1.0+7/macos.json"), 200, "record")
        # A page instead of a file, as of a login, is no file of that UUID.
        (apmtool.folder / "store" / "page").write_text("<html>please log in</html>")
        shutil.rmtree(apmtool.folder / "cache")
        apmtool.configure(curl, "-fsSL", "-o", "{file}", f"http://127.0.0.1:{port}/page?{{uuid}}")
        named, err = apmtool.names()
        check(not named, "from a page")
        check("made a file that has no symbols of this UUID" in err, f"page: {err}")
        marks = list((apmtool.folder / "cache/fetched").glob("*/*/malformed"))
        check_equal(len(marks), 9, "marks")
        # A byte a second is too slow.
        shutil.rmtree(apmtool.folder / "cache")
        apmtool.configure("/bin/sh", "-c",
                          f"[ {{uuid}} = {UUID} ] && exec {curl} -fsS -o $0 "
                          f"http://127.0.0.1:{port}/hang/{{path}}/debuginfo", "{file}")
        began = time.monotonic()
        named, err = apmtool.names()
        check(not named and "at the time limit" in err, f"slow: {err}")
        check(29 < time.monotonic() - began < 40, f"slow: {time.monotonic() - began:.0f} s")
    return 0


def s3(apmtool, engine):
    port = free_port()
    apmtool.store(SAMPLES / "Demo.dSYM", SAMPLES / "Plain.dylib")
    store = apmtool.folder / "store"
    with Server(apmtool.folder, port, engine, "-H", "127.0.0.1", "-p", str(port)) as server:
        check_equal(server.request("PUT", "/symbols"), 200, "bucket")
        for name in files_of(store):
            check_equal(server.request("PUT", f"/symbols/{name}", (store / name).read_bytes()),
                        200, name)

        def requests():
            return (apmtool.folder / "server.log").read_text().count("/debuginfo HTTP")
        requests.port = port
        before = requests()
        check_fetched(apmtool, [find("curl"), "-fsSL", "--aws-sigv4", "aws:amz:us-east-1:s3",
                                "--user", "key:secret", "-o", "{file}",
                                f"http://127.0.0.1:{port}/symbols/{{path}}/debuginfo"],
                      requests)
        check(before >= 2, "nothing was stored")
    return 0


def sentry_cli(apmtool, engine):
    """What is stored is one debug information file, with the id of its path."""
    apmtool.store(SAMPLES / "Demo.dSYM", SAMPLES / "DemoKit.framework.dSYM",
                  SAMPLES / "Plain.dylib")
    store = apmtool.folder / "store"
    stored = [path for path in store.rglob("*") if path.name in ("debuginfo", "executable")]
    check_equal(len(stored), 4, "files")
    for path in stored:
        done = subprocess.run([engine, "debug-files", "check", "--json", path],
                              capture_output=True, check=False, timeout=60,
                              env={**os.environ, "HOME": str(apmtool.folder)})
        found = json.loads(done.stdout)
        name = path.parent.relative_to(store).as_posix()
        check_equal([unified(each["debug_id"]) for each in found["variants"]], [name], name)
        if path.name == "debuginfo":
            check_equal((found["type"], found["is_usable"]), ("dsym", True), name)
    print("skipped: the layout of symsorter, which is in no registry that ships it")
    return 0


ENGINES = {"nginx": (nginx, ["nginx", "curl"]), "s3": (s3, ["moto_server", "curl"]),
           "sentry-cli": (sentry_cli, ["sentry-cli"])}


def build():
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    subprocess.run([VENV / "bin/pip", "install", "-q", *PACKAGES], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--build", action="store_true")
    parser.add_argument("engine", nargs="?", choices=ENGINES)
    args = parser.parse_args()
    if args.build:
        return build()
    test, needs = ENGINES[args.engine] if args.engine else (plain, [])
    for need in needs:
        if not find(need):
            print(f"skipped: there is no {need}")
            return SKIPPED
    with tempfile.TemporaryDirectory(prefix="apmtool-store.") as name:
        apmtool = Apmtool(args.program.resolve(), pathlib.Path(name).resolve())
        test(apmtool, find(needs[0]) if needs else None)
    print(f"{len(failures)} failed")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
