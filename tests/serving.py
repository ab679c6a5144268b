# SPDX-License-Identifier: MIT
"""`apmtool-server`, started for a test and asked over HTTP."""

import http.client
import json
import os
import pathlib
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
PATIENCE_S = 60


class Server:
    """Runs within `with`; it must end by itself, with 0, when it is told to."""

    def __init__(self, program, *options, listen="127.0.0.1:0", name="apmtool-server"):
        self.command = [pathlib.Path(program).resolve().parent / name,
                        "-l", listen, *options]
        self.process = None
        self.lines = []
        self.address = ""

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "APMTOOL_AUTO": "0", "APMTOOL_CACHE": "none"})
        for line in self.process.stderr:
            self.lines.append(line)
            if "listening on" in line:
                break
        else:
            raise RuntimeError(f"{self.command}: {''.join(self.lines)}")
        self.address = self.lines[-1].split()[-1]
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM if not kind else signal.SIGKILL)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.lines += self.process.stderr.readlines()
        self.process.stderr.close()

    @property
    def port(self):
        return int(self.address.rpartition(":")[2])

    def connect(self, timeout=PATIENCE_S):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, connection=None):
        """Status, headers and body of a response."""
        asked = connection or self.connect()
        asked.request(method, path, body, headers or {})
        answer = asked.getresponse()
        data = answer.read()
        if not connection:
            asked.close()
        return answer.status, answer.headers, data

    def post(self, path, body, **headers):
        """Status, and what its JSON holds."""
        status, _, data = self.ask("POST", path, body, headers)
        return status, json.loads(data)

    def health(self):
        return json.loads(self.ask("GET", "/healthcheck")[2])

    def filters(self):
        """Its children, where /proc lists them."""
        pid = self.process.pid
        path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
        return [int(word) for word in path.read_text().split()]

    def wait_until(self, holds):
        end = time.monotonic() + PATIENCE_S
        while not holds() and time.monotonic() < end:
            time.sleep(0.05)
