#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flame graphs in a browser: SVG and HTML are opened from disk in headless
Chromium and used as people use them.

    check_flame.py --draw build/tests/flame [--program build/dev/apmtool]
                   [--pictures DIR]

Every frame must be there, zoom, search, reset and hovering work by mouse and
by keyboard, names of any kind stay text and within their frames, text is
readable in light and dark windows, nothing is requested and nothing complained
of. With --program, what `apmtool flamegraph` itself writes, of the samples and
of such names, is opened as well. --pictures keeps a screenshot of each step.

Nothing here waits for a time: each question is asked of a page that is loaded
and has drawn a frame since, and what comes when it comes is asked again until
it is there. Where neither Chromium nor its driver is installed the check says
so and is skipped; one without the other is a failure, and so is their absence
where APMTOOL_TEST_ALL is set, as `./dev test` does where it installs them."""

import argparse
import base64
import collections
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from checking import check, check_equal, failures

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples/lag"
SKIPPED = 77
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--window-size=1000,700",
]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER, ESCAPE, UP, RIGHT = "\ue007", "\ue00c", "\ue013", "\ue014"
CONTRAST = 4.5
# Not a time to wait, but to give up: a machine may be slow, not that slow.
PATIENCE_S = 120

STALLS = """\
main;UIKitCore`UIApplicationMain;Demo`-[Feed reload];libsystem`read 30
main;UIKitCore`UIApplicationMain;Demo`-[Feed reload] 10
main;UIKitCore`UIApplicationMain;Demo`-[Feed draw:];CoreText`read 15
main;UIKitCore`UIApplicationMain;Demo`-[Feed draw:];Demo`-[Feed reload] 5
main;UIKitCore`UIApplicationMain;UIKitCore`-[UIView layout] 39
worker;Demo`a.b 1
"""
OLDER = """\
main;UIKitCore`UIApplicationMain;Demo`-[Feed reload];libsystem`read 5
main;UIKitCore`UIApplicationMain;UIKitCore`-[UIView layout] 45
"""
# As written, and as it must be read.
HOSTILE = [
    ("</script><script>alert(1)</script>",) * 2,
    ("</title></svg><img src=x onerror=alert(1)>",) * 2,
    ("]]><b>bold</b>",) * 2,
    ("\"double\" and 'single'",) * 2,
    ("a && b &amp: <!-- c",) * 2,
    ("javascript:alert(1)",) * 2,
    ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
    ("evil\u202etxt.exe", "evil\\u{202e}txt.exe"),
    ("not \udcff utf-8", "not \\xff utf-8"),
    ("\uffff", "\\u{ffff}"),
    ("x" * 2048,) * 2,
    ("long " * 400 + "end",) * 2,
    ("שלום עולם, זו פונקציה עם שם ארוך",) * 2,
    ("مرحبا بالعالم هذا اسم طويل",) * 2,
    ("名前がとても長い関数です名前がとても長い",) * 2,
    ("${alert(1)} {{7*7}} %s %n",) * 2,
]

Frame = collections.namedtuple("Frame", "name image weight row")

# Ends with an answer when the page is loaded and has drawn a frame.
ASK = """
const done = arguments[arguments.length - 1];
const given = Array.prototype.slice.call(arguments, 0, -1);
function ask() {
  requestAnimationFrame(function () {
    setTimeout(function () {
      done((function () { %s }).apply(null, given));
    });
  });
}
function load() {
  document.fonts.ready.then(ask);
}
if (document.readyState === 'complete')
  load();
else
  window.addEventListener('load', load);
"""


class Browser:
    """A session of chromedriver, over its HTTP protocol."""

    def __init__(self, driver, chromium, folder):
        self.process = subprocess.Popen([driver, "--port=0"],
                                        stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)
        self.connection = None
        self.session = ""
        try:
            self.start(chromium, folder)
        except BaseException:
            self.stop()
            raise

    def start(self, chromium, folder):
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                break
        else:
            raise RuntimeError("chromedriver does not start")
        self.connection = http.client.HTTPConnection(
            "127.0.0.1", int(found[1]), timeout=2 * PATIENCE_S)
        options = {"binary": chromium,
                   "args": ARGUMENTS + [f"--user-data-dir={folder}"]}
        answer = self.post("/session", capabilities={"alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}})
        self.session = f"/session/{answer['sessionId']}"
        self.post("/timeouts", script=PATIENCE_S * 1000)

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def send(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        self.connection.request(method, self.session + path, data,
                                {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        value = json.load(answer)["value"]
        if answer.status != 200:
            raise RuntimeError(f"{path}: {value['message']}")
        return value

    def post(self, path, **body):
        return self.send("POST", path, body)

    def close(self):
        try:
            self.send("DELETE", "")
        finally:
            self.stop()

    def open(self, path):
        self.post("/url", url=path.as_uri())

    def run(self, script, *arguments):
        return self.post("/execute/async", script=ASK % script,
                         args=arguments)

    def until(self, holds, script, *arguments):
        """Ask again until the answer is as it should be, or return it."""
        end = time.monotonic() + PATIENCE_S
        while True:
            answer = self.run(script, *arguments)
            if holds(answer) or time.monotonic() > end:
                return answer

    def find(self, selector):
        return self.post("/element", using="css selector",
                         value=selector)[ELEMENT]

    def click(self, selector):
        self.post(f"/element/{self.find(selector)}/click")

    def type(self, selector, text):
        self.post(f"/element/{self.find(selector)}/value", text=text)

    def press(self, key):
        self.act("key", "key", [{"type": "keyDown", "value": key},
                                {"type": "keyUp", "value": key}])

    def hover(self, selector):
        self.act("pointer", "mouse", [{
            "type": "pointerMove", "duration": 0, "x": 0, "y": 0,
            "origin": {ELEMENT: self.find(selector)}}])

    def act(self, kind, name, actions):
        self.post("/actions", actions=[{"type": kind, "id": name,
                                        "actions": actions}])

    def command(self, name, **parameters):
        return self.post("/goog/cdp/execute", cmd=name, params=parameters)

    def set_scheme(self, scheme):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        self.until(bool, "return matchMedia('(prefers-color-scheme: ' + "
                   "arguments[0] + ')').matches", scheme)

    def set_width(self, width):
        self.post("/window/rect", width=width, height=700)
        self.until(lambda found: found == width, "return window.innerWidth")

    def console(self):
        return [entry["message"]
                for entry in self.post("/se/log", type="browser")]

    def requests(self):
        urls = set()
        for entry in self.post("/se/log", type="performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            # The browser's own first page is no concern of ours.
            if not message["params"]["documentURL"].startswith("chrome:"):
                urls.add(message["params"]["request"]["url"])
        return urls

    def save_picture(self, path):
        path.write_bytes(base64.b64decode(self.send("GET", "/screenshot")))


def expected_frames(stacks):
    """Depth first, by name and image, as the graph is laid out."""
    root = {"weight": 0, "calls": {}}
    for line in stacks.splitlines():
        stack, count = line.rsplit(" ", 1)
        at = root
        at["weight"] += int(count)
        for part in stack.split(";"):
            image, _, name = part.rpartition("`")
            at = at["calls"].setdefault((name, image),
                                        {"weight": 0, "calls": {}})
            at["weight"] += int(count)
    frames = [Frame("all", "", root["weight"], 0)]

    def walk(node, row):
        def order(key):
            return [part.encode("utf-8", "surrogateescape") for part in key]
        for key in sorted(node["calls"], key=order):
            call = node["calls"][key]
            frames.append(Frame(*key, call["weight"], row))
            walk(call, row + 1)

    walk(root, 1)
    return frames


# Where each frame stands, as the page has it after the script.
PLACES = """
const svg = document.querySelector('svg.flame');
const icicle = arguments[0];
const view = Array.from(svg.querySelectorAll('.frames')).find(
  function (frames) { return frames.style.display !== 'none'; });
const root = view.querySelector('rect').getAttribute('y');
return Array.from(view.children, function (group) {
  const rect = group.querySelector('rect'), title = group.querySelector('title');
  const lines = title ? title.textContent.split('\\n') : ['?', '?'];
  const row = (rect.getAttribute('y') - root) / svg.dataset.pitch;
  return {
    name: lines[0], image: group.dataset.p ? lines[1] : '', lines: lines,
    numbers: lines[group.dataset.p ? 2 : 1], weight: Number(group.dataset.w),
    row: Math.round(icicle ? row : -row),
    x: Number(rect.getAttribute('x')),
    width: Number(rect.getAttribute('width')),
    shown: getComputedStyle(group).display !== 'none',
    hit: group.classList.contains('hit')
  };
});
"""
# Of each label that is seen: its colours, and how far it stands out.
LABELS = """
return Array.from(document.querySelectorAll('.frames > g'), function (group) {
  const text = group.querySelector('text'), rect = group.querySelector('rect');
  if (!text || text.parentNode.style.display === 'none')
    return null;
  const inner = text.getBoundingClientRect();
  const outer = rect.getBoundingClientRect();
  return {
    text: text.textContent, ink: getComputedStyle(text).fill,
    ground: getComputedStyle(rect).fill, kind: group.getAttribute('class'),
    beyond: Math.max(outer.left - inner.left, inner.right - outer.right)
  };
}).filter(Boolean);
"""


def luminance(colour):
    def linear(part):
        part /= 255
        return part / 12.92 if part <= .03928 else ((part + .055) / 1.055) ** 2.4
    red, green, blue = map(linear, colour)
    return .2126 * red + .7152 * green + .0722 * blue


def contrast(one, other):
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + .05) / (dark + .05)


def parse_colour(text):
    return [float(part) for part in re.findall(r"[\d.]+", text)[:3]]


def check_labels(browser, what):
    labels = browser.run(LABELS)
    check(labels, f"{what}: there are no names")
    for label in labels:
        ink, ground = map(parse_colour, (label["ink"], label["ground"]))
        ratio = contrast(ink, ground)
        check(ratio >= CONTRAST, f"{what}: {label['text'][:40]!r} has a "
              f"contrast of {ratio:.2f}")
        check(label["beyond"] <= 1, f"{what}: {label['text'][:40]!r} leaves "
              f"its frame by {label['beyond']} px")
        if re.search("above|hit", label["kind"]):
            continue
        warm = ground[0] - ground[2]
        if re.match(r"a\d", label["kind"]):
            check(warm > 20, f"{what}: {label['text']!r} of the app is cold")
        if re.match(r"s\d", label["kind"]):
            check(warm < -10, f"{what}: {label['text']!r} is not cold")


def check_frames(browser, stacks, what, icicle=False):
    places = browser.run(PLACES, icicle)
    expected = expected_frames(stacks)
    found = [Frame(place["name"], place["image"], place["weight"],
                   place["row"]) for place in places]
    check_equal(found, expected, f"{what}: frames")
    total, whole = expected[0].weight, places[0]["width"]
    for place in places:
        check(place["shown"], f"{what}: {place['name']!r} is hidden")
        share = place["weight"] / total
        check(abs(place["width"] - whole * share) <= 1,
              f"{what}: {place['name']!r} is {place['width']} px wide")
        check(f" · {100 * share:.2f} %" in place["numbers"],
              f"{what}: {place['name']!r} says {place['numbers']!r}")
    return places


def shown_names(browser):
    return [place["name"] for place in browser.run(PLACES, False)
            if place["shown"]]


# The n-th frame that has a name.
def group(browser, name, number=0):
    names = [place["name"] for place in browser.run(PLACES, False)]
    at = [i for i, found in enumerate(names) if found == name][number]
    return f".frames > g:nth-child({at + 1})"


def check_zoom(browser, what):
    everything = shown_names(browser)
    inside = ["all", "main", "UIApplicationMain", "-[Feed draw:]",
              "-[Feed reload]", "read"]
    target = group(browser, "-[Feed draw:]")
    whole = browser.run(PLACES, False)[0]["width"]
    browser.click(target)
    check_equal(shown_names(browser), inside, f"{what}: zoom by click")
    places = {place["name"]: place for place in browser.run(PLACES, False)
              if place["shown"]}
    for name, share in (("-[Feed draw:]", 1), ("main", 1), ("read", .75)):
        check(abs(places[name]["width"] - whole * share) <= 1,
              f"{what}: zoomed, {name!r} is {places[name]['width']} px wide")
    browser.click("#flame-reset")
    check_equal(shown_names(browser), everything, f"{what}: reset by button")
    browser.run("document.querySelector(arguments[0]).focus()",
                group(browser, "UIApplicationMain"))
    browser.press(UP)
    browser.press(ENTER)
    check_equal(shown_names(browser), inside, f"{what}: zoom by keyboard")
    browser.press(ESCAPE)
    check_equal(shown_names(browser), everything, f"{what}: reset by Escape")


def check_search(browser, what):
    for wanted, hits, found in (
            ("READ", 2, "2 frames, 45.00 %"),
            # One of them within another: it counts once.
            ("feed", 3, "3 frames, 60.00 %"),
            ("main", 2, "2 frames, 99.00 %"),
            ("coretext", 1, "1 frame, 15.00 %"),
            ("a.b", 1, "1 frame, 1.00 %"),
            ("-[feed reload]", 2, "2 frames, 45.00 %"),
            ("/^-.*(reload|layout)/", 3, "3 frames, 84.00 %"),
            ("/(/", 0, "no regular expression"),
            ("nowhere", 0, "0 frames, 0.00 %")):
        browser.click("#flame-reset")
        browser.type("#flame-search", wanted)
        places = browser.run(PLACES, False)
        check_equal(sum(place["hit"] for place in places), hits,
                    f"{what}: search for {wanted!r}")
        check_equal(browser.run("return document.getElementById('flame-found')"
                                ".textContent"), found,
                    f"{what}: search for {wanted!r}")
    browser.click("#flame-reset")
    browser.type("#flame-search", "read")
    check_labels(browser, f"{what}, searched")
    browser.type("#flame-search", ESCAPE)
    check(not any(place["hit"] for place in browser.run(PLACES, False)),
          f"{what}: Escape ends the search")


TIP = """
const tip = document.getElementById('flame-tip');
const box = tip.getBoundingClientRect();
return tip.hidden ? null : {
  lines: Array.from(tip.children, function (line) { return line.textContent; }),
  inside: box.left >= 0 && box.right <= window.innerWidth && box.top >= 0 &&
    box.bottom <= (tip.closest('svg.flame') || document.documentElement)
      .getBoundingClientRect().bottom
};
"""


def check_hover(browser, selector, lines, what):
    browser.hover(selector)
    tip = browser.until(lambda tip: tip and tip["lines"] == lines, TIP)
    check(tip and tip["inside"], f"{what}: words leave the window")
    check_equal(tip and tip["lines"], lines, f"{what}: hover")


def check_flip(browser, stacks, what):
    browser.click("#flame-flip")
    check_frames(browser, stacks, f"{what}, flipped", icicle=True)
    browser.click("#flame-flip")
    check_frames(browser, stacks, what)


def check_theme(browser, what):
    ink = "return getComputedStyle(document.querySelector('.legend text')).fill"
    light = browser.run(ink)
    browser.click("#flame-theme")
    check(browser.run(ink) != light, f"{what}: it cannot be made dark")
    check_labels(browser, f"{what}, made dark")
    browser.click("#flame-theme")
    check_equal(browser.run(ink), light, f"{what}: made light again")


def check_width(browser, what):
    browser.set_width(600)
    widths = browser.run("return [document.documentElement.scrollWidth, "
                         "window.innerWidth, document.querySelector("
                         "'.frames rect').getAttribute('width')]")
    check(widths[0] <= widths[1], f"{what}: wider than the window: {widths}")
    check(float(widths[2]) <= widths[1], f"{what}: not laid out: {widths}")
    check_labels(browser, f"{what}, narrow")
    browser.set_width(1000)


def check_quiet(browser, path, what, link=None):
    check_equal(browser.console(), [], f"{what}: console")
    known = {path.as_uri(), link, "about:blank"}
    check_equal(browser.requests() - known, set(),
                f"{what}: requests")


class Pictures:
    def __init__(self, draw, folder, keep):
        self.draw, self.folder, self.keep = draw, folder, keep

    def make(self, name, *stacks, arguments=()):
        paths = []
        for i, text in enumerate(stacks):
            path = self.folder / f"{i}.folded"
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            paths.append(path)
        picture = self.folder / name
        with picture.open("wb") as out:
            subprocess.run([self.draw, "-f", picture.suffix[1:], *arguments,
                            *paths], stdout=out, stderr=subprocess.DEVNULL,
                           check=True)
        return picture

    def save(self, browser, name):
        if self.keep:
            browser.save_picture(self.keep / name)


def check_stalls(browser, pictures, form):
    path = pictures.make(f"stalls.{form}", STALLS,
                         arguments=["-t", "Stalls of <Demo>"])
    browser.open(path)
    check_frames(browser, STALLS, form)
    check_labels(browser, form)
    check_zoom(browser, form)
    check_search(browser, form)
    browser.type("#flame-search", "reload")
    check_hover(browser, group(browser, "-[Feed draw:]"),
                ["-[Feed draw:]", "Demo",
                 "20 samples · 1,000 ms · 20.00 % of all, 20.20 % of its "
                 "caller", "self 0 samples · 0 ms · 0.00 % of all"], form)
    pictures.save(browser, f"hover-{form}.png")
    browser.click("#flame-reset")
    check_flip(browser, STALLS, form)
    check_theme(browser, form)
    check_width(browser, form)
    check_quiet(browser, path, form)


# name weight row, of what is shown.
def shown_frames(browser, icicle=False):
    return [f"{place['name']} {place['weight']} {place['row']}"
            for place in browser.run(PLACES, icicle) if place["shown"]]


def found_text(browser):
    return browser.run(
        "return document.getElementById('flame-found').textContent")


def check_views(browser, pictures, form):
    """The app's frames alone, callers and callees; a step back from each."""
    path = pictures.make(f"views.{form}", STALLS)
    browser.open(path)
    whole = shown_frames(browser)
    app = ["all 100 0", "main 99 1", "-[Feed draw:] 20 2",
           "-[Feed reload] 5 3", "-[Feed reload] 40 2", "worker 1 1",
           "a.b 1 2"]
    browser.click("#flame-app")
    check_equal(shown_frames(browser), app, f"{form}: the app's frames")
    check_labels(browser, f"{form}, app only")
    browser.type("#flame-search", "reload")
    check_equal(found_text(browser), "2 frames, 45.00 %",
                f"{form}: search in the app's frames")
    browser.click("#flame-reset")
    check_equal(shown_frames(browser), whole, f"{form}: reset of the view")
    browser.click(group(browser, "-[Feed reload]"))
    browser.click("#flame-calls")
    # Two frames of it; whoever calls it is below, what it calls above.
    calls = ["-[Feed reload] 45 0", "-[Feed draw:] 5 -1",
             "UIApplicationMain 5 -2", "main 5 -3",
             "UIApplicationMain 40 -1", "main 40 -2", "read 30 1"]
    check_equal(shown_frames(browser), calls, f"{form}: callers and callees")
    check_labels(browser, f"{form}, callers")
    pictures.save(browser, f"callers-{form}.png")
    check_hover(browser, ".frames:not([style]) > g:nth-child(2)",
                ["-[Feed draw:]", "Demo", "5 samples · 5.00 % of all, "
                 "11.11 % of the function"], f"{form}, callers")
    link = browser.run("return location.href")
    browser.click(group_of_view(browser, "UIApplicationMain"))
    check_equal(shown_frames(browser),
                ["-[Feed reload] 45 0", "-[Feed draw:] 5 -1",
                 "UIApplicationMain 5 -2", "main 5 -3"],
                f"{form}: zoom in callers")
    browser.click("#flame-back")
    until_shown(browser, calls, f"{form}: a step back to the callers")
    browser.click("#flame-back")
    browser.click("#flame-back")
    until_shown(browser, whole, f"{form}: steps back to all")
    browser.post("/url", url="about:blank")
    browser.post("/url", url=link)
    check_equal(shown_frames(browser), calls, f"{form}: a link to a view")
    check_quiet(browser, path, form, link)


def check_calls_search(browser, pictures, form):
    """Around a function, a search finds shares of it, each sample once."""
    path = pictures.make(f"calls.{form}", STALLS +
                         "other;-[Feed reload];other 3\n")
    browser.open(path)
    browser.click(group(browser, "-[Feed reload]"))
    browser.click("#flame-calls")
    for wanted, found in (("draw:", "1 frame, 11.11 %"),
                          ("UIApplicationMain", "2 frames, 100.00 %"),
                          ("/draw:|read/", "2 frames, 77.78 %"),
                          ("/main|read/", "5 frames, 100.00 %"),
                          ("reload", "1 frame, 100.00 %")):
        browser.run("document.getElementById('flame-search').value = ''")
        browser.type("#flame-search", wanted)
        check_equal(found_text(browser), found,
                    f"{form}: search for {wanted!r} around a function")
    check_quiet(browser, path, form)


TIMES = [
    {"id": "first", "interval_ms": 50, "samples": [
        {"stack": ["main", "draw", "b"]}, {"stack": ["main", "draw", "b"]},
        {"stack": ["main", "draw", "a"]}, {"stack": ["main", "begin"]}]},
    {"id": "<b>second</b>", "interval_ms": 50, "samples": [
        {"stack": ["main", "draw", "a"]}, {"stack": ["main", "end"]}]},
    {"id": "a sum", "nodes": [
        {"depth": 0, "symbol": "main", "count": 1, "cost_ms": 50}]},
]

ROWS = """
return Array.from(document.querySelectorAll('.strip-row'), function (row) {
  const cells = row.querySelector('.strip-cells');
  return [row.querySelector('.strip-name').textContent,
    row.querySelector('.strip-time').textContent,
    cells.getAttribute('aria-valuemax'), cells.getAttribute('aria-valuetext'),
    row.className];
});
"""


def focus_row(browser, number):
    browser.run("document.querySelectorAll('.strip-cells')[arguments[0]]"
                ".focus()", number)


def check_origins(browser, pictures, program):
    """What is too narrow to be drawn says from which reports it is, too."""
    source = pictures.folder / "devices.jsonl"
    wide = [{"stack": ["main", "wide"]}] * 20_000
    thin = [{"stack": ["main", "thin", "leaf"]}]
    source.write_text("".join(json.dumps(report) + "\n" for report in (
        {"id": "a", "device": "iPhone14,2", "samples": wide + thin},
        {"id": "b", "device": "iPhone15,3", "samples": wide})))
    path = pictures.folder / "devices.html"
    run_program(program, "flamegraph", "-q", "--format", "html", "-o", path,
                source)
    browser.open(path)
    browser.run("location.hash = 'calls=thin'")
    until_shown(browser, ["thin 1 0", "leaf 1 1", "main 1 -1"], "origins")
    check_hover(browser, group_of_view(browser, "leaf"),
                ["leaf", "1 sample · 0.00 % of all, 100.00 % of its caller",
                 "self 1 sample · 0.00 % of all",
                 "in 1 of 2 reports", "device iPhone14,2"], "origins")
    # A caller is in the reports of what it calls here, not in all its own.
    check_hover(browser, group_of_view(browser, "main"),
                ["main",
                 "1 sample \u00b7 0.00 % of all, 100.00 % of the function",
                 "in 1 of 2 reports", "device iPhone14,2"],
                "origins of callers")


def check_strip(browser, pictures, program):
    """The samples in the order of time; a stretch of them alone."""
    source = pictures.folder / "times.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in TIMES))
    path = pictures.folder / "times.html"
    run_program(program, "flamegraph", "-q", "--order", "time", "--format",
                "html", "-o", path, source)
    browser.open(path)
    whole = ["all 7 0", "main 7 1", "draw 4 2", "b 2 3", "a 2 3", "begin 1 2",
             "end 1 2"]
    check_equal(shown_frames(browser), whole, "strip: the order of time")
    check_equal(browser.run(ROWS), [
        ["first", "200 ms", "3", "b, first, 0–100 ms, 2 samples", "strip-row"],
        ["<b>second</b>", "100 ms", "2",
         "a, <b>second</b>, 0–50 ms, 1 sample", "strip-row"]], "strip: rows")
    check("1 report without an order of samples is not in the strip" in
          browser.run("return document.querySelector('.strip p').textContent"),
          "strip: what is a sum is not told")
    # By keyboard: the second cell, then up to the third.
    focus_row(browser, 0)
    browser.press(RIGHT)
    browser.press(ENTER)
    check_equal(shown_frames(browser), ["all 1 0", "main 1 1", "draw 1 2",
                                        "a 1 3"], "strip: a stretch")
    check_equal(browser.run("return document.querySelector('.strip output')"
                            ".textContent"),
                "Only first, 100–150 ms, 1 sample", "strip: its words")
    check_equal([row[4] for row in browser.run(ROWS)],
                ["strip-row on", "strip-row off"], "strip: its row")
    browser.run("document.querySelectorAll('.strip-cells')[0].dispatchEvent("
                "new KeyboardEvent('keydown', {key: 'End', shiftKey: true}))")
    browser.press(ENTER)
    stretch = ["all 2 0", "main 2 1", "draw 1 2", "a 1 3", "begin 1 2"]
    check_equal(shown_frames(browser), stretch, "strip: a longer stretch")
    check_hover(browser, group_of_view(browser, "draw"),
                ["draw", "1 sample · 50.00 % of the stretch, 50.00 % of its "
                 "caller", "self 0 samples · 0.00 % of the stretch"], "strip")
    browser.type("#flame-search", "begin")
    check_equal(found_text(browser), "1 frame, 50.00 %", "strip: search")
    check_labels(browser, "strip")
    link = browser.until(lambda found: "search=begin" in found,
                         "return location.href")
    browser.post("/url", url="about:blank")
    browser.post("/url", url=link)
    check_equal(shown_frames(browser), stretch, "strip: a link to a stretch")
    browser.press(ESCAPE)
    check_equal(shown_frames(browser), stretch, "strip: Escape of a search")
    browser.press(ESCAPE)
    check_equal(shown_frames(browser), whole, "strip: Escape of a stretch")
    # By mouse: the middle of the second row, and its name.
    browser.act("pointer", "mouse", [
        {"type": "pointerMove", "duration": 0, "x": 0, "y": 0,
         "origin": {ELEMENT: browser.find(
             ".strip-row:nth-child(2) .strip-cells")}},
        {"type": "pointerMove", "duration": 0, "x": -30, "y": 0,
         "origin": "pointer"},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerMove", "duration": 0, "x": -200, "y": 0,
         "origin": "pointer"},
        {"type": "pointerUp", "button": 0}])
    both = ["all 2 0", "main 2 1", "draw 1 2", "a 1 3", "end 1 2"]
    check_equal(shown_frames(browser), both, "strip: dragged")
    pictures.save(browser, "strip.png")
    browser.click("#flame-app")
    check_equal(shown_frames(browser), both, "strip: the app's frames of it")
    browser.click("#flame-all")
    check_equal(shown_frames(browser), whole, "strip: all again")
    browser.click("#flame-app")
    browser.click(".strip-row:nth-child(2) .strip-name")
    check_equal(shown_frames(browser), both, "strip: a report by its name")
    browser.post("/url", url=path.as_uri() + "#time=7.0-9")
    check_equal(shown_frames(browser), whole, "strip: a link to nowhere")
    check_quiet(browser, path, "strip", path.as_uri() + "#time=7.0-9")


def group_of_view(browser, name):
    names = [place["name"] for place in browser.run(PLACES, False)]
    return f".frames:not([style]) > g:nth-child({names.index(name) + 1})"


def until_shown(browser, expected, what):
    end = time.monotonic() + PATIENCE_S
    while shown_frames(browser) != expected and time.monotonic() < end:
        pass
    check_equal(shown_frames(browser), expected, what)


def check_address(browser, pictures, form):
    """Zoom and search are in the address; Escape takes back one at a time."""
    path = pictures.make(f"address.{form}", STALLS)
    browser.open(path)
    whole = shown_frames(browser)
    browser.click(group(browser, "-[Feed draw:]"))
    browser.type("#flame-search", "read")
    zoomed = shown_frames(browser)
    browser.until(lambda found: "search=read" in found,
                  "return location.hash")
    link = browser.run("return location.href")
    check("zoom=" in link, f"{form}: no zoom in {link}")
    check_hover(browser, group(browser, "read"),
                ["read", "CoreText", "15 samples · 750 ms · 15.00 % of all, "
                 "75.00 % of its caller",
                 "self 15 samples · 750 ms · 15.00 % of all",
                 "75.00 % of the zoomed frame"], f"{form}, zoomed")
    browser.post("/url", url="about:blank")
    browser.post("/url", url=link)
    check_equal(shown_frames(browser), zoomed, f"{form}: a link to a zoom")
    check_equal(found_text(browser), "2 frames, 45.00 %",
                f"{form}: a link to a search")
    browser.press(ESCAPE)
    check_equal((shown_frames(browser), found_text(browser)), (zoomed, ""),
                f"{form}: Escape takes back the search alone")
    browser.press(ESCAPE)
    check_equal(shown_frames(browser), whole,
                f"{form}: Escape takes back the zoom")
    browser.click("#flame-app")
    browser.click(group_of_view(browser, "worker"))
    browser.press(ESCAPE)
    check(len(shown_frames(browser)) == 7, f"{form}: Escape in a view")
    browser.press(ESCAPE)
    check_equal(shown_frames(browser), whole,
                f"{form}: Escape takes back the view")
    browser.click(group(browser, "-[Feed draw:]"))
    browser.run("window.copied = []; navigator.clipboard.writeText = "
                "function (text) { window.copied.push(text); "
                "return Promise.resolve(); }")
    browser.click("#flame-copy")
    browser.press("c")
    browser.until(lambda text: text == "name copied",
                  "return document.getElementById('flame-found').textContent")
    check_equal(browser.run("return window.copied"),
                ["-[Feed draw:]"] * 2, f"{form}: copy the name")
    check_quiet(browser, path, form, link)


def check_hidden(browser, pictures, form):
    """What is too narrow counts in a search, and is drawn once it fits."""
    path = pictures.make(f"hidden.{form}", "main;wide 99994\nmain;read 3\n"
                         "main;deep;Demo`read 2\n")
    browser.open(path)
    check_equal(shown_names(browser), ["all", "main", "wide"],
                f"{form}: wide enough")
    browser.click("#flame-reset")
    browser.type("#flame-search", "read")
    check_equal(found_text(browser), "2 frames (2 not drawn), 0.01 %",
                f"{form}: search counts what is not drawn")
    browser.click("#flame-reset")
    browser.run("location.hash = '#zoom=4'")
    browser.until(lambda count: count > 3, "return document."
                  "querySelectorAll('.frames > g').length")
    check_equal(shown_names(browser), ["all", "main", "deep", "read"],
                f"{form}: zoomed, they are drawn")
    check_quiet(browser, path, form, path.as_uri() + "#zoom=4")


def open_leaves(browser, pictures, form, groups, leaves):
    """A page of many calls that are all too narrow, when it has read them."""
    path = pictures.make(
        f"leaves.{form}", "main;wide 1000000000\n" +
        "".join(f"main;group {i};<leaf {k}> 1\n" for i in range(groups)
                for k in range(leaves)))
    browser.open(path)
    browser.until(bool, "return document.querySelector('svg.flame')"
                  ".dataset.frames || ''")
    browser.click("#flame-reset")
    browser.type("#flame-search", "<leaf")
    found = found_text(browser)
    browser.click("#flame-reset")
    return path, found


def show_zoomed(browser, number):
    """The names that a link to a zoom shows, but for the root."""
    browser.run(f"location.hash = '#zoom={number}'")
    names = browser.until(lambda names: len(names) > 3,
                          "return Array.from(document.querySelectorAll("
                          "'.frames > g')).filter(function (g) { return "
                          "g.style.display !== 'none'; }).map(function (g) { "
                          "return g.querySelector('title').textContent"
                          ".split('\\n')[0]; })")
    return names[1:]


def check_leaves(browser, pictures, form):
    """Every frame is in the page; of too many, the lightest are in sums."""
    path, found = open_leaves(browser, pictures, form, 400, 300)
    check_equal(found, "120,000 frames (120,000 not drawn), 0.01 %",
                f"{form}: leaves that are packed")
    check_quiet(browser, path, f"{form}, packed")
    removed = browser.command("Page.addScriptToEvaluateOnNewDocument",
                              source="delete window.DecompressionStream")
    path, found = open_leaves(browser, pictures, form, 400, 300)
    check_equal(found, "99,600 frames (99,600 not drawn), 0.01 % or more",
                f"{form}: leaves, without DecompressionStream")
    browser.command("Page.removeScriptToEvaluateOnNewDocument", **removed)
    check_quiet(browser, path, f"{form}, not unpacked")
    path, found = open_leaves(browser, pictures, form, 400, 1500)
    check_equal(found, "499,600 frames (499,600 not drawn), 0.05 % or more",
                f"{form}: more leaves than there is room for")
    # After what is drawn, the groups are in the text with the first leaves.
    check_equal(sorted(show_zoomed(browser, 3)), sorted(
        ["main", "group 0"] + [f"<leaf {k}>" for k in range(1500)]),
        f"{form}: leaves that are in the text")
    check_equal(show_zoomed(browser, 100002),
                ["main", "group 399", "1,500 more"],
                f"{form}: leaves that are summed up")
    check_quiet(browser, path, f"{form}, summed up",
                path.as_uri() + "#zoom=100002")


def check_deep(browser, pictures, form):
    """A deep tree is seen from its root on, with the tools."""
    stack = ";".join(f"level {i}" for i in range(300))
    for layout in ([], ["-i"]):
        path = pictures.make(f"deep.{form}", stack + " 7\n",
                             arguments=layout)
        browser.open(path)
        boxes = browser.run(
            "return ['.frames > g > rect', '#flame-search'].map(function (s) {"
            "const box = document.querySelector(s).getBoundingClientRect();"
            "return [box.top, box.bottom, innerHeight]; })")
        for top, bottom, height in boxes:
            check(top >= 0 and bottom <= height,
                  f"{form} {layout}: root or tools are at {boxes}")
        pictures.save(browser, f"deep-{form}{''.join(layout)}.png")
        check_quiet(browser, path, form)


def check_phone(browser, pictures):
    """A deep tree in a narrow window: its leaves come first, in one scroller,
    and what a search finds moves nothing."""
    stack = ";".join(f"level {i}" for i in range(100))
    path = pictures.make("phone.html", stack + " 7\n")
    for width, is_phone in ((400, True), (1000, False)):
        browser.command("Emulation.setDeviceMetricsOverride", width=width,
                        height=800, deviceScaleFactor=1, mobile=is_phone)
        browser.open(path)
        tools = ("return Array.from(document.querySelectorAll('header button, "
                 "header input'), function (e) { const box = "
                 "e.getBoundingClientRect(); return [box.left, box.top]; })")
        before = browser.run(tools)
        browser.type("#flame-search", "level")
        check_equal(browser.run(tools), before, f"{width} px: tools move")
        if is_phone:
            check_equal(browser.run(
                "return Array.from(document.querySelectorAll('body *')).filter("
                "function (e) { return /auto|scroll/.test(getComputedStyle(e)"
                ".overflowY) && e.scrollHeight > e.clientHeight; }).length"),
                0, "phone: boxes that scroll")
            check_equal(browser.run(
                "const leaf = Array.from(document.querySelectorAll('.frames > "
                "g')).pop().getBoundingClientRect(); return leaf.top >= 0 && "
                "leaf.bottom < 400"), True, "phone: a leaf comes first")
    browser.command("Emulation.clearDeviceMetricsOverride")
    check_quiet(browser, path, "phone")


def check_dark(browser, pictures, form):
    path = pictures.make(f"dark.{form}", STALLS)
    browser.set_scheme("dark")
    browser.open(path)
    check_labels(browser, f"{form}, dark")
    browser.type("#flame-search", "read")
    check_labels(browser, f"{form}, dark, searched")
    browser.click(group(browser, "-[Feed draw:]"))
    check_labels(browser, f"{form}, dark, zoomed")
    pictures.save(browser, f"zoom-dark-{form}.png")
    browser.set_scheme("light")
    check_quiet(browser, path, f"{form}, dark")


def check_comparison(browser, pictures, form):
    path = pictures.make(f"diff.{form}", STALLS, OLDER)
    browser.open(path)
    check_frames(browser, STALLS, f"{form}, compared")
    check_hover(browser, group(browser, "-[UIView layout]"),
                ["-[UIView layout]", "UIKitCore", "39 samples · 1,950 ms · "
                 "39.00 % of all, 39.39 % of its caller",
                 "self 39 samples · 1,950 ms · 39.00 % of all",
                 "before 45 samples · 2,250 ms · 90.00 % of all",
                 "change −6 samples"], form)
    browser.hover(".legend")
    browser.until(lambda tip: not tip, TIP)
    kinds = dict(browser.run(
        "return Array.from(document.querySelectorAll('.frames > g'), function "
        "(g) { return [g.querySelector('title').textContent.split('\\n')[0], "
        "getComputedStyle(g.querySelector('rect')).fill]; })"))
    red, _, blue = parse_colour(kinds["-[Feed draw:]"])
    check(red > blue + 40, f"{form}: what takes more is not red")
    red, _, blue = parse_colour(kinds["-[UIView layout]"])
    check(blue > red + 40, f"{form}: what takes less is not blue")
    check_labels(browser, f"{form}, compared")
    browser.set_scheme("dark")
    check_labels(browser, f"{form}, compared, dark")
    pictures.save(browser, f"diff-dark-{form}.png")
    browser.set_scheme("light")
    check_quiet(browser, path, f"{form}, compared")


def check_hostile(browser, pictures, form):
    written = "".join(f"main;{name} {20 + i}\n"
                      for i, (name, _) in enumerate(HOSTILE))
    path = pictures.make(f"hostile.{form}", written, arguments=["-t", "]]> " +
                                                                HOSTILE[1][0]])
    browser.open(path)
    places = browser.run(PLACES, False)
    check_equal(sorted(place["name"] for place in places[2:]),
                sorted(name for _, name in HOSTILE), f"{form}: hostile names")
    check_equal(browser.run("return document.querySelectorAll("
                            "'img, b, script, iframe').length"), 1,
                f"{form}: elements out of names")
    check_labels(browser, f"{form}, hostile")
    longest = max((name for _, name in HOSTILE), key=len)
    check_hover(browser, group(browser, longest),
                next(place["lines"] for place in places
                     if place["name"] == longest),
                f"{form}, hostile")
    pictures.save(browser, f"hostile-{form}.png")
    check_quiet(browser, path, f"{form}, hostile")


def check_page(browser, pictures):
    path = pictures.make("page.html", STALLS)
    browser.open(path)
    names = browser.run(
        "return Array.from(document.querySelectorAll('section'), function (s) {"
        "return Array.from(s.querySelectorAll('tbody tr'), function (row) {"
        "return row.querySelector('.name').textContent + ' ' + "
        "row.querySelector('.number').textContent; }); })")
    check_equal(names, [
        ["-[UIView layout] 39", "read 30", "-[Feed reload] 15", "read 15",
         "a.b 1"],
        ["UIApplicationMain 99", "main 99", "-[Feed reload] 45",
         "-[UIView layout] 39", "read 30", "-[Feed draw:] 20", "read 15",
         "a.b 1", "worker 1"]], "page: heaviest functions")
    browser.click("section:nth-of-type(2) tr:nth-child(3) .name")
    check_equal(browser.run("return document.getElementById('flame-found')"
                            ".textContent"), "2 frames, 45.00 %",
                "page: a function is found in the picture")
    check_quiet(browser, path, "page")
    browser.run("const s = document.createElement('script');"
                "s.textContent = 'window.broken = true';"
                "document.body.appendChild(s)")
    check_equal(browser.run("return window.broken || false"), False,
                "page: its policy lets scripts in")
    browser.console()


def run_program(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True,
                          check=False)
    check(done.returncode == 0, f"{arguments}: {done.stderr.decode()}")
    return done.stdout


def place_of(node):
    """Where a function is, as the line below its name says it."""
    parts = [node["image"]]
    if node["file"]:
        name = node["file"].rpartition("/")[2]
        parts.append(f"{name}:{node['line']}" if node["line"] else name)
    return " · ".join(filter(None, parts))


def check_program(browser, pictures, program, form):
    """What the command itself writes of the samples: all of it is there."""
    for name, options in (("demo.folded", ()), ("bare.json", ()),
                          ("reports.jsonl", ("--dsym", SAMPLES.parent)),
                          ("nodes.json", ("--images", SAMPLES / "images.txt")),
                          ("matrix-lag.json", ())):
        path = pictures.folder / f"{name}.{form}"
        run_program(program, "flamegraph", "--format", form, *options, "-o",
                    path, SAMPLES / name)
        nodes = json.loads(run_program(program, "fold", "--format", "json",
                                       *options, SAMPLES / name))["nodes"]
        browser.open(path)
        places = browser.run(PLACES, False)
        check_equal(collections.Counter(
            (place["name"], place["image"], place["row"], place["weight"])
            for place in places[1:]),
            collections.Counter(
                (node["name"], place_of(node), node["depth"] + 1,
                 node["samples"]) for node in nodes),
            f"{form} of {name}: frames")
        check_labels(browser, f"{form} of {name}")
        inner = places[-1]["name"]
        browser.click(group(browser, inner))
        check(inner in shown_names(browser), f"{form} of {name}: zoom")
        browser.click("#flame-reset")
        browser.type("#flame-search", inner)
        check(any(place["hit"] for place in browser.run(PLACES, False)),
              f"{form} of {name}: search")
        pictures.save(browser, f"command-{name}-{form}.png")
        check_quiet(browser, path, f"{form} of {name}")


# What JSON can hold and a line of collapsed stacks cannot.
UNFOLDABLE = [("a;b 12",) * 2, ("two\nlines", "two\\x0alines"),
              ("`quoted`",) * 2, ("\u2028", "\\u{2028}")]


def check_program_names(browser, pictures, program, form):
    """Names of any kind, by both of their ways into the command."""
    folded = pictures.folder / "names.folded"
    folded.write_bytes("".join(
        f"main;{name} {20 + i}\n" for i, (name, _) in enumerate(HOSTILE))
        .encode("utf-8", "surrogateescape"))
    # Bytes that are no UTF-8 are replaced where the command reads them.
    names = [(name, shown) for name, shown in HOSTILE if "\udcff" not in name]
    replaced = [("", "not \ufffd utf-8")]
    report = pictures.folder / "names.json"
    report.write_text(json.dumps({"samples": [
        {"stack": ["main", name]} for name, _ in names + UNFOLDABLE]}))
    for source, expected in ((folded, names + replaced),
                             (report, names + UNFOLDABLE)):
        path = pictures.folder / f"{source.name}.{form}"
        run_program(program, "flamegraph", "--format", form, "--title",
                    "]]> " + HOSTILE[1][0], "-o", path, source)
        browser.open(path)
        places = browser.run(PLACES, False)
        what = f"{form} of {source.name}"
        check_equal(sorted(place["name"] for place in places[2:]),
                    sorted(shown for _, shown in expected), f"{what}: names")
        check_equal(browser.run("return document.querySelectorAll("
                                "'img, b, script, iframe').length"), 1,
                    f"{what}: elements out of names")
        check_labels(browser, what)
        pictures.save(browser, f"command-{source.name}-{form}.png")
        check_quiet(browser, path, what)


def check_image(browser, pictures):
    """As a picture in a page, where no script runs."""
    pictures.make("image.svg", STALLS, arguments=["-i", "-w", "800"])
    path = pictures.folder / "image.html"
    path.write_text("<!DOCTYPE html><body style='margin: 0'>"
                    "<img src='image.svg'>")
    browser.open(path)
    check_equal(browser.run("const i = document.images[0];"
                            "return [i.complete, i.naturalWidth]"),
                [True, 800], "image")
    pictures.save(browser, "image.png")
    check_equal(browser.console(), [], "image: console")
    browser.requests()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--draw", required=True)
    parser.add_argument("--program")
    parser.add_argument("--pictures", type=pathlib.Path)
    arguments = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        print("there is no", " and no ".join(
            ["chromium"] * (not chromium) + ["chromedriver"] * (not driver)))
        expected = chromium or driver or os.environ.get("APMTOOL_TEST_ALL")
        return 1 if expected else SKIPPED
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        pictures = Pictures(arguments.draw, folder, arguments.pictures)
        browser = Browser(driver, chromium, folder / "profile")
        try:
            browser.requests()
            for form in ("svg", "html"):
                check_stalls(browser, pictures, form)
                check_views(browser, pictures, form)
                check_calls_search(browser, pictures, form)
                check_address(browser, pictures, form)
                check_hidden(browser, pictures, form)
                check_leaves(browser, pictures, form)
                check_deep(browser, pictures, form)
                check_dark(browser, pictures, form)
                check_comparison(browser, pictures, form)
                check_hostile(browser, pictures, form)
                if arguments.program:
                    check_program(browser, pictures, arguments.program, form)
                    check_program_names(browser, pictures, arguments.program,
                                        form)
            check_page(browser, pictures)
            check_phone(browser, pictures)
            if arguments.program:
                check_strip(browser, pictures, arguments.program)
                check_origins(browser, pictures, arguments.program)
            check_image(browser, pictures)
        finally:
            browser.close()
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
