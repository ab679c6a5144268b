#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of apmtool-server in a browser: reports are dropped, chosen and pasted, and
their causes read.

    check_server_page.py --program build/dev/apmtool [--pictures DIR] [--axe FILE]

By mouse, by keyboard and without scripts; in light and dark windows, at the width of a
phone; nothing but the server is asked, nothing is complained of, and what a report says
stays text. Skipped as check_flame.py is, where Chromium is not installed, and where the
server is not built."""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile

import check_flame
import check_pages
from check_flame import check, check_equal
from serving import SAMPLES, Server

SKIPPED = 77
TITLE = "What does this report mean?"
CAUSE = "Demo used a null pointer"
HOSTILE = "</title><script>window.broken=1</script><img src=x onerror='window.broken=1'>"
# As a file that is dragged over the page and let go.
DROP = """
const transfer = new DataTransfer();
transfer.items.add(new File([arguments[0]], 'a.crash'));
const to = document.querySelector('.drop');
for (const kind of ['dragenter', 'dragover', 'drop'])
  to.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true,
                                         dataTransfer: transfer }));
return document.body.className;
"""


class Page:
    def __init__(self, browser, server, pictures):
        self.browser = browser
        self.server = server
        self.pictures = pictures

    def open(self):
        self.browser.post("/url", url=self.server.address + "/")
        self.browser.until(lambda title: title == TITLE, "return document.title")

    def read(self, expected, what):
        title = self.browser.until(lambda title: title == expected, "return document.title")
        check_equal(title, expected, what)

    def check_quiet(self, what, paths, status=200):
        console = [line for line in self.browser.console()
                   if status == 200 or f"a status of {status}" not in line]
        check_equal(console, [], f"{what}: console")
        found = self.browser.requests()
        wanted = {self.server.address + path for path in paths}
        check(found <= wanted, f"{what}: asked for {sorted(found - wanted)}")

    def check_looks(self, what):
        for width in (360, 1000):
            self.browser.command("Emulation.setDeviceMetricsOverride", width=width, height=900,
                                 deviceScaleFactor=1, mobile=False)
            for scheme in ("light", "dark"):
                self.browser.set_scheme(scheme)
                name = f"{what}, {width} px, {scheme}"
                wide = self.browser.run("return document.documentElement.scrollWidth")
                check(wide <= width, f"{name}: is {wide} px wide")
                texts = self.browser.run(check_pages.TEXTS)
                check(texts, f"{name}: there is no text")
                for text, ink, ground in texts:
                    ratio = check_flame.contrast(*map(check_flame.parse_colour, (ink, ground)))
                    check(ratio >= check_flame.CONTRAST,
                          f"{name}: {text!r} has a contrast of {ratio:.2f}")
                if self.pictures:
                    self.browser.save_picture(self.pictures / f"server-{name}.png".replace(" ", ""))
        self.browser.command("Emulation.clearDeviceMetricsOverride")
        self.browser.set_scheme("light")


def check_ways(page, folder):
    browser = page.browser
    crash = (SAMPLES / "demo.crash").read_text()
    paths = ("/", "/style.css", "/script.js", "/report?shape=html", "/favicon.ico")
    page.open()
    page.check_looks("page")
    browser.run(DROP, crash)
    page.read(CAUSE, "dropped")
    check_equal(browser.run("return document.querySelector('h1').textContent"), CAUSE,
                "dropped: the cause is read")
    check_equal(browser.run("return document.body.textContent.includes('-[DemoApp openFeed:]')"),
                True, "dropped: names from the server's symbols")
    page.check_looks("explanation")
    page.check_quiet("dropped", paths)

    # Back, and the next one.
    browser.post("/back")
    page.read(TITLE, "back")
    browser.type("#file", str(SAMPLES / "demo.ips"))
    browser.until(lambda title: title.startswith("Demo ended"), "return document.title")
    check(browser.run("return document.title").startswith("Demo ended because an Objective-C"),
          "chosen")

    # By keyboard: paste, leave the field, press the button.
    page.open()
    browser.run("document.getElementById('text').value = arguments[0];"
                "document.getElementById('text').focus()", crash)
    browser.press("\ue004")
    check_equal(browser.run("return document.activeElement.textContent"), "Explain", "tab")
    browser.press(check_flame.ENTER)
    page.read(CAUSE, "pasted")
    page.check_quiet("pasted", paths)

    # Several at once, and one without an app.
    page.open()
    browser.run(DROP, (SAMPLES / "demo-glued.txt").read_text())
    page.read("Several reports", "three in a file")
    check_equal(browser.run("return document.querySelectorAll('iframe').length"), 3, "reports")
    page.check_looks("several")
    page.check_quiet("several", paths)
    page.open()
    browser.run(DROP, (SAMPLES / "jetsam/pressure.ips").read_text())
    browser.until(lambda title: title.startswith("3 processes"), "return document.title")
    check_equal(browser.run("return document.querySelector('.about').textContent"),
                "iPad13,4 · iPhone OS 18.2 (22C152) · 2026-02-03 17:40:55.20 +0100",
                "a jetsam log is of no app")
    page.open()
    browser.run(DROP, "")
    page.read("No explanation", "an empty file")
    page.check_quiet("an empty file", paths, 400)

    # What is no report, and what is hostile.
    page.open()
    browser.run(DROP, HOSTILE)
    page.read("No explanation", "no report")
    page.check_looks("no report")
    browser.click("a")
    page.read(TITLE, "again")
    page.check_quiet("no report", paths, 422)
    browser.run(DROP, crash.replace("Demo", HOSTILE.replace("/", "") + "Demo"))
    browser.until(lambda title: title != TITLE, "return document.title")
    check_equal(browser.run("return [window.broken || 0, document.images.length]"), [0, 0],
                "hostile text stays text")
    # The explanation cannot reach the server that it came from.
    check_equal(browser.run("return window.origin"), "null", "its origin")
    page.check_quiet("hostile", paths)


def check_without_scripts(page):
    browser = page.browser
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.post("/url", url=page.server.address + "/")
        browser.type("#file", str(SAMPLES / "demo.crash"))
        browser.click("button")
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
    page.read(CAUSE, "without scripts")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--pictures", type=pathlib.Path)
    arguments = parser.parse_args()
    if not Server(arguments.program).command[0].exists():
        print("skipped: apmtool-server is not built: libmicrohttpd is not there")
        return SKIPPED
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        print("skipped: there is no", " and no ".join(
            ["chromium"] * (not chromium) + ["chromedriver"] * (not driver)))
        expected = chromium or driver or os.environ.get("APMTOOL_TEST_ALL")
        return 1 if expected else SKIPPED
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, \
            Server(arguments.program, "-d", str(SAMPLES)) as server:
        folder = pathlib.Path(folder)
        browser = check_flame.Browser(driver, chromium, folder / "profile")
        try:
            browser.requests()
            page = Page(browser, server, arguments.pictures)
            check_ways(page, folder)
            check_without_scripts(page)
        finally:
            browser.close()
    print(f"{len(check_flame.failures)} failures")
    return 1 if check_flame.failures else 0


if __name__ == "__main__":
    sys.exit(main())
