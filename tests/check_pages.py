#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports, tables and pages in HTML: opened from disk in headless Chromium and used as
people use them.

    check_pages.py --program build/dev/apmtool [--pictures DIR] [--axe FILE]

All rows are there, sorting and search work by mouse and by keyboard, hostile
text stays text, nothing is wider than a window of a phone, text is readable in
light and dark windows, nothing is requested and nothing complained of. Skipped
as check_flame.py is, where Chromium is not installed. --axe is axe.min.js of npm's
axe-core, by default $APMTOOL_AXE or the one that is installed globally: no page
may have a serious violation of its rules. Where there is none, that is left out."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import check_flame
from check_flame import check, check_equal

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples"
REPORTS = ["demo.crash", "demo.ips", "demo-mac.ips", "demo-resource.ips",
           "metrickit-hang.json"]
HOSTILE = ("</title></td><img src=x onerror=alert(1)><script>window.broken=1"
           "</script>\"'&amp;<!--")
VALUES = """
const name = arguments[0];
const at = Array.from(document.querySelectorAll('.list th')).findIndex(
  function (th) { return th.textContent === name; });
return Array.from(document.querySelectorAll('.list > tbody:not([hidden])'),
  function (body) { return body.rows[0].cells[at].textContent; });
"""
# Of each element with text of its own that is seen: its colours.
TEXTS = """
function ground(element) {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour !== 'rgba(0, 0, 0, 0)')
      return colour;
  }
  return 'rgb(255, 255, 255)';
}
return Array.from(document.body.querySelectorAll('*')).filter(function (e) {
  return e.checkVisibility() && !e.closest('svg, script') &&
    Array.from(e.childNodes).some(function (node) {
      return node.nodeType === 3 && node.textContent.trim(); });
}).map(function (e) {
  return [e.textContent.slice(0, 40), getComputedStyle(e).color, ground(e)];
});
"""


def make(arguments, path, *command):
    done = subprocess.run([arguments.program, *command, "-q", "--format",
                           "html", "-o", path], capture_output=True,
                          check=False)
    check(done.returncode == 0, f"{command}: {done.stderr.decode()}")


def check_looks(browser, arguments, path):
    """At four widths, in both schemes."""
    for width in (400, 800, 1000, 1600):
        browser.command("Emulation.setDeviceMetricsOverride", width=width,
                        height=1000, deviceScaleFactor=1, mobile=False)
        for scheme in ("light", "dark"):
            browser.set_scheme(scheme)
            browser.open(path)
            what = f"{path.name}, {width} px, {scheme}"
            wide = browser.run("return document.documentElement.scrollWidth")
            check(wide <= width, f"{what}: is {wide} px wide")
            # Rows are cards there: nothing is to be scrolled sideways.
            boxes = browser.run(
                "return [...document.querySelectorAll('.wide:has(.list)')]"
                ".map(box => box.scrollWidth - box.clientWidth)")
            check(width > 920 or not any(boxes),
                  f"{what}: tables are wider than the page: {boxes}")
            texts = browser.run(TEXTS)
            check(texts, f"{what}: there is no text")
            for text, ink, ground in texts:
                ratio = check_flame.contrast(
                    *map(check_flame.parse_colour, (ink, ground)))
                check(ratio >= check_flame.CONTRAST,
                      f"{what}: {text!r} has a contrast of {ratio:.2f}")
            check_access(browser, arguments, what)
            if arguments.pictures:
                browser.save_picture(
                    arguments.pictures / f"{path.stem}-{width}-{scheme}.png")
    browser.command("Emulation.clearDeviceMetricsOverride")
    browser.set_scheme("light")


# What axe-core finds that keeps people from using a page: [impact, rule, places].
AXE = """
axe.run(document, { resultTypes: ['violations'] }).then(function (found) {
  return JSON.stringify(found.violations.map(function (one) {
    return [one.impact, one.id, one.nodes.map(function (node) {
      return node.html.slice(0, 200); })]; })); })
"""


def check_access(browser, arguments, what):
    """No serious violation of the rules of axe-core, where that is given."""
    if not arguments.axe:
        return

    def evaluate(script):
        return browser.post("/goog/cdp/execute", cmd="Runtime.evaluate",
                            params={"expression": script, "awaitPromise": True,
                                    "returnByValue": True})
    evaluate(arguments.axe.read_text())
    for impact, rule, places in json.loads(evaluate(AXE)["result"]["value"]):
        check(impact not in ("serious", "critical"),
              f"{what}: {impact}: {rule}: {places[:3]}")


def find_axe():
    """axe.min.js of npm's axe-core: $APMTOOL_AXE, or beside npm's packages."""
    named = os.environ.get("APMTOOL_AXE")
    if named:
        return pathlib.Path(named)
    npm = shutil.which("npm")
    if not npm:
        return None
    root = subprocess.run([npm, "root", "--global"], capture_output=True,
                          text=True, check=False).stdout.strip()
    path = pathlib.Path(root, "axe-core/axe.min.js")
    return path if root and path.is_file() else None


def check_quiet(browser, path):
    check_equal(browser.console(), [], f"{path.name}: console")
    check_equal(browser.requests(), {path.as_uri()}, f"{path.name}: requests")


def rows_of(arguments, *command):
    done = subprocess.run([arguments.program, *command, "-q", "--format",
                           "json"], capture_output=True, check=True)
    return json.loads(done.stdout)["rows"]


def check_drawings(browser, rows):
    """How often over time, also in words, and the stacks of each group."""
    # One day alone is no course of time.
    dated = [row for row in rows if row["first_seen"] and
             row["first_seen"][:10] != row["last_seen"][:10]]
    check(dated, "group: no report is of another day")
    days = browser.run("return Array.from(document.querySelectorAll('time'), "
                       "function (e) { return [e.textContent, e.dateTime]; })")
    check_equal(days, [[row[key][:10], row[key]] for row in rows
                       if row["first_seen"]
                       for key in ("first_seen", "last_seen")],
                "group: dates")
    words = browser.run("return Array.from(document.querySelectorAll('.spark'),"
                        " function (e) { return e.getAttribute('aria-label') +"
                        " '|' + e.querySelectorAll('rect').length; })")
    check_equal(len(words), len(dated), "group: charts")
    for word in words:
        counts = [int(n) for n in word.split("|")[0].split(": ")[-1].split(",")]
        check_equal(int(word.split("|")[1]), sum(n > 0 for n in counts),
                    "group: bars of a chart")
    check_equal(sum(sum(int(n) for n in word.split("|")[0].split(": ")[-1]
                        .split(",")) for word in words),
                sum(row["count"] for row in dated), "group: counts")
    stacks = browser.run("return Array.from(document.querySelectorAll("
                         "'.more .flame'), function (e) { return "
                         "e.textContent; })")
    check_equal(len(stacks), len(rows), "group: flame graphs")
    for row, text in zip(sorted(rows, key=lambda row: -row["count"]), stacks):
        check(text, f"group: {row['signature']} has no stacks")
    check(any("UIApplicationMain" in text for text in stacks),
          "group: a stack is not whole")


def check_table(browser, arguments, folder):
    path = folder / "group.html"
    command = ["group", "--dsym", SAMPLES,
               *(SAMPLES / name for name in
                 REPORTS + ["crash-report-kit.json"])]
    make(arguments, path, *command)
    rows = rows_of(arguments, *command)
    browser.open(path)
    signatures = [row["signature"] for row in rows]
    check(len(signatures) > 2, "group: too few groups for a test")
    check_equal(browser.run(VALUES, "signature"), signatures, "group: rows")
    head = ".list th:first-child button"
    browser.click(head)
    check_equal(browser.run(VALUES, "signature"),
                sorted(signatures, key=str.lower), "group: sorted by a click")
    browser.press(check_flame.ENTER)
    check_equal(browser.run(VALUES, "signature"),
                sorted(signatures, key=str.lower, reverse=True),
                "group: sorted by a key, the other way")
    check_equal(browser.run("return document.querySelector('[aria-sort]')"
                            ".getAttribute('aria-sort')"), "descending",
                "group: the order is not announced")
    browser.click(".list th:nth-child(2) button")
    counts = browser.run(VALUES, "reports")
    check_equal(counts, sorted(counts, key=int, reverse=True),
                "group: numbers begin with the largest")
    browser.press("/")
    browser.type("#search", "hang |")
    wanted = [name for name in signatures if "HANG |" in name]
    check_equal(browser.run(VALUES, "signature"), wanted, "group: search")
    check_equal(browser.run("return document.getElementById('found')"
                            ".textContent"),
                f"{len(wanted)} of {len(signatures)} rows", "group: found")
    browser.press(check_flame.ESCAPE)
    check_equal(len(browser.run(VALUES, "signature")), len(signatures),
                "group: Escape ends the search")
    check_drawings(browser, rows)
    browser.click("#unfold")
    check(browser.run("return Array.from(document.querySelectorAll('details'))"
                      ".every(function (d) { return d.open; })"),
          "group: not all is unfolded")
    check("apm/1" in browser.run("return document.querySelector('.more')"
                                 ".innerText"), "group: more is not shown")
    check_looks(browser, arguments, path)
    check_graphs(browser, path)
    check_quiet(browser, path)


# Of one of several flame graphs: its widest frame that is not the root, what
# all its frames take, and what a search found.
GRAPH = """
const picture = document.querySelectorAll('.more .picture')[arguments[0]];
const frames = Array.from(picture.querySelectorAll('.frames > g')).filter(
  function (g) { return g.style.display !== 'none'; });
const tools = picture.parentNode.querySelector('.flame-tools');
return {
  tools: tools ? tools.querySelectorAll('button').length : 0,
  found: tools ? tools.querySelector('output').textContent : '',
  above: frames.filter(function (g) {
    return g.classList.contains('above'); }).length,
  hits: frames.filter(function (g) {
    return g.classList.contains('hit'); }).length,
  frames: frames.length,
  scale: picture.querySelector('svg').getBoundingClientRect().width /
    Number(picture.querySelector('svg').getAttribute('width')),
  width: Number(picture.querySelector('svg').getAttribute('width')) -
    picture.clientWidth
};
"""


def check_graphs(browser, path):
    """Each flame graph of a table can be zoomed and searched by itself."""
    browser.open(path)
    check_equal(browser.run(GRAPH, 0)["tools"], 0, "graphs: not seen yet")
    browser.run("document.querySelectorAll('.more .picture').forEach("
                "function (p) { p.parentNode.id = 'g' + Array.from(document."
                "querySelectorAll('.more .picture')).indexOf(p); })")
    for fold in ("#g0", "#g1"):
        browser.click(f"{fold} > summary")
    shown = browser.until(lambda now: now["tools"], GRAPH, 0)
    check(shown["tools"] >= 4, f"graphs: {shown['tools']} tools")
    check_equal(shown["width"], 0, "graphs: the picture fills its place")
    browser.set_width(400)
    narrow = browser.until(lambda now: now["width"] == 0, GRAPH, 0)
    check(narrow["width"] == 0 and narrow["scale"] == 1,
          f"graphs: in a narrow window {narrow}")
    browser.set_width(1000)
    browser.run("document.getElementById('g1').scrollIntoView()")
    other = browser.until(lambda now: now["tools"], GRAPH, 1)
    check(other["tools"], "graphs: the second one has no tools")
    browser.click("#g0 .frames > g:nth-child(3)")
    check_equal(browser.run(GRAPH, 0)["above"], 2, "graphs: a click zooms")
    check_equal(browser.run(GRAPH, 1), other, "graphs: the other one, too")
    check_equal(browser.run("return location.hash"), "",
                "graphs: the address is the page's")
    browser.press(check_flame.ESCAPE)
    check_equal(browser.run(GRAPH, 0)["above"], 0, "graphs: Escape")
    browser.press("/")
    check(browser.run("return document.activeElement.closest('#g0') !== null"),
          "graphs: / leads to another search")
    browser.type("#g0 .flame-tools input", "/./")
    found = browser.run(GRAPH, 0)
    check(found["hits"] and found["found"].endswith("%"),
          f"graphs: nothing is found: {found}")
    check_equal(browser.run(VALUES, "signature"),
                browser.run(VALUES.replace(":not([hidden])", ""), "signature"),
                "graphs: a search in one is not one of the page")
    browser.press("/")
    check_equal(browser.run("return document.activeElement.value"), "/.//",
                "graphs: a / is typed")
    browser.type("#search", "Icicle")
    check_equal(browser.run(VALUES, "signature"), [],
                "graphs: tools are no words of a report")


def check_explanation(browser, arguments, folder):
    path = folder / "explain.html"
    command = ["explain", "--dsym", SAMPLES, SAMPLES / "demo.crash",
               SAMPLES / "demo.ips"]
    make(arguments, path, *command)
    done = subprocess.run([arguments.program, *command, "-q", "--format",
                           "jsonl"], capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    browser.open(path)
    check_equal(browser.run("return Array.from(document.querySelectorAll('h1'),"
                            "function (h) { return h.textContent; })"),
                [answer["verdict"] for answer in answers] + ["Causes"],
                "explain: verdicts")
    check_equal(browser.run(
        "return Array.from(document.querySelectorAll('.claims li'), function ("
        "li) { return [li.querySelector('bdi').textContent, Array.from("
        "li.querySelectorAll('.evidence'), function (e) { "
        "return e.textContent; })]; })"),
        [[claim["text"], claim["evidence"]] for answer in answers
         for claim in answer["claims"]], "explain: claims")
    check_equal(browser.run("return document.querySelectorAll('html, title')"
                            ".length"), 2, "explain: one document")
    check_looks(browser, arguments, path)
    check_quiet(browser, path)


def check_diff(browser, rows):
    """Rows, numbers and order are those of the other formats."""
    for key, title in (("signature", "signature"), ("status", "status"),
                       ("old", "old"), ("new", "new")):
        check_equal(browser.run(VALUES, title), [str(row[key]) for row in rows],
                    f"diff: {title}")
    browser.click(".list th:first-child button")
    check_equal(browser.run(VALUES, "status"),
                sorted(row["status"] for row in rows), "diff: sorted")
    browser.press("/")
    browser.type("#search", "gone")
    check_equal(browser.run(VALUES, "status"), ["gone"], "diff: search")
    browser.press(check_flame.ESCAPE)


def check_others(browser, arguments, folder):
    logs = sorted((SAMPLES / "jetsam").glob("*.ips"))
    for name, command in (
            ("jetsam.html", ["jetsam", logs[0]]),
            ("diff.html", ["diff", "--dsym", SAMPLES, SAMPLES / "demo.crash",
                           SAMPLES / "demo.ips"]),
            ("lag.html", ["lag-aggregate", "--dsym", SAMPLES,
                          SAMPLES / "lag/reports.jsonl"])):
        path = folder / name
        make(arguments, path, *command)
        browser.open(path)
        check(browser.run("return document.querySelectorAll('.list > tbody')"
                          ".length") > 1, f"{name}: rows")
        if name == "diff.html":
            check_diff(browser, rows_of(arguments, *command))
        check_looks(browser, arguments, path)
        check_quiet(browser, path)


LINKS = """
return Array.from(document.querySelectorAll(arguments[0]), function (link) {
  const target = document.getElementById(link.hash.slice(1));
  return [link.textContent, target ? target.textContent : null];
});
"""


def frames_of(browser, selector):
    return browser.run(
        "return Array.from(document.querySelectorAll(arguments[0]), "
        "function (e) { return [e.textContent, e.checkVisibility()]; })",
        f"{selector} .symbol")


def check_claims(browser, answer, what):
    """Each claim is said once, at what it rests on, or leads there."""
    check_equal(browser.run("return document.querySelector('h1').textContent"),
                answer["verdict"], f"{what}: the verdict")
    said = browser.run(
        "return Array.from(document.querySelectorAll('.remark, .claims li'), "
        "function (e) { return [e.querySelector('bdi').textContent, "
        "Array.from(e.querySelectorAll('.evidence'), function (at) { "
        "return at.textContent; })]; })")
    check_equal(sorted(said), sorted([claim["text"], claim["evidence"]]
                                     for claim in answer["claims"]),
                f"{what}: claims, each once")
    for text, target in browser.run(LINKS, "a.evidence"):
        check(target is not None, f"{what}: {text} leads nowhere")
    below = browser.run("return innerHeight - document.querySelector('.stack')"
                        ".getBoundingClientRect().top")
    check(below > 100, f"{what}: the first stack is {-below} px below the "
                       "first screen")


def check_search(browser):
    """By keyboard alone: what is folded is found, and folded again."""
    def is_seen():
        return dict(frames_of(browser, "#r1-t0"))["UIApplicationMain"]
    check(not is_seen(), "report: system frames are not folded")
    browser.press("/")
    browser.type("#search", "uiapplicationmain")
    check(is_seen(), "report: search does not unfold")
    check_equal(browser.run("return document.querySelectorAll("
                            "'.thread:not([hidden])').length"), 0,
                "report: threads without a hit are there")
    browser.press(check_flame.ENTER)
    check_equal(browser.run("return document.querySelector('.current .symbol')"
                            ".textContent"), "UIApplicationMain",
                "report: Enter leads to no place")
    browser.press(check_flame.ESCAPE)
    check(not is_seen(), "report: Escape does not fold again")
    browser.click("#r1-t0 .run summary")
    check(is_seen(), "report: a run of system frames does not open")
    browser.click("#r1-t0 .run summary")


def name_of(frame):
    base = int(frame["address"], 16) - frame["offset"]
    return frame["symbol"] or f"{base:#x} + {frame['offset']}"


def check_report(browser, arguments, folder):
    path = folder / "report.html"
    command = ["--dsym", SAMPLES, SAMPLES / "demo.crash"]
    make(arguments, path, "symbolicate", *command)
    done = subprocess.run([arguments.program, "explain", "-q", "--format",
                           "json", *command], capture_output=True, check=True)
    answer = json.loads(done.stdout)
    done = subprocess.run([arguments.program, "symbolicate", "-q", "--format",
                           "json", *command], capture_output=True, check=True)
    report = json.loads(done.stdout)
    browser.open(path)
    check_claims(browser, answer, "report")
    for thread in report["threads"]:
        found = frames_of(browser, f"#r1-t{thread['index']}")
        check_equal([name for name, _ in found],
                    [name_of(frame) for frame in thread["frames"]],
                    f"report: frames of thread {thread['number']}")
        check(found[0][1] == thread["crashed"],
              f"report: thread {thread['number']} is open, or closed")
    check_search(browser)
    browser.run("scrollTo(0, 0)")
    check("esr" in browser.run("return document.getElementById('r1-c1')"
                               ".closest('div').textContent"),
          "report: a claim about a register is elsewhere")
    check_looks(browser, arguments, path)
    browser.open(path)
    browser.click("#unfold")
    check(browser.run("return document.querySelector('details:not([open])')")
          is None, "report: not all is unfolded")
    check_quiet(browser, path)


def check_truncated(browser, arguments, folder):
    """Before the cause, the page says what it does not know."""
    path = folder / "truncated.html"
    make(arguments, path, "convert", SAMPLES / "demo-truncated.ips")
    browser.open(path)
    check_equal(browser.run("return [...document.querySelectorAll('.answer dt')]"
                            ".map(dt => dt.innerText)")[:2], ["Incomplete", "Cause"],
                "truncated: the head")
    check("usedImages" in browser.run("return document.querySelector('.answer dd').innerText"),
          "truncated: where the report ends")
    check_looks(browser, arguments, path)
    check_quiet(browser, path)


def check_several(browser, arguments, folder):
    path = folder / "reports.html"
    make(arguments, path, "convert", *(SAMPLES / name for name in REPORTS))
    browser.open(path)
    titles = browser.run("return Array.from(document.querySelectorAll('h1'), "
                         "function (h) { return h.textContent; })")
    links = browser.run(LINKS, ".reports a")
    check(len(titles) > len(REPORTS), "reports: too few")
    check_equal([name for name, _ in links], titles, "reports: the list")
    for name, target in links:
        check(name in target, f"reports: {name} leads elsewhere")
    check(browser.run("return document.querySelector('main').firstElementChild"
                      ".id"), "reports: the list is not on top")
    check_looks(browser, arguments, path)
    check_quiet(browser, path)


def check_long_places(browser, arguments, folder):
    """A name of 500 letters is broken; short ones are not."""
    report, page = folder / "long.crash", folder / "long.html"
    text = (SAMPLES / "demo.crash").read_text()
    frame = "0x100e80000 + 2572"
    check(frame in text, "long: the frame that gets another place")
    report.write_text(text.replace(
        frame, f"main (in Demo) ({500 * 'a'}.c:12)", 1))
    make(arguments, page, "symbolicate", report)
    check_looks(browser, arguments, page)
    browser.set_width(1400)
    browser.open(page)
    check(browser.run("return Array.from(document.querySelectorAll('.place'))"
                      ".some(e => e.textContent.length > 500)"),
          "long: the place is not there")
    wide = browser.run("return document.documentElement.scrollWidth")
    check(wide <= 1400, f"long: is {wide} px wide at 1400")
    check_quiet(browser, page)


def check_hostile(browser, arguments, folder):
    """A report whose every name would like to be markup."""
    report = folder / "hostile.crash"
    text = (SAMPLES / "demo.crash").read_text()
    check(text.count("Demo") > 3, "demo.crash has changed")
    report.write_text(text.replace("Demo", HOSTILE)
                      .replace("iPhone14,2", HOSTILE))
    # A page with flame graphs has their script, too.
    for command, scripts in (("explain", 1), ("group", 2), ("convert", 1)):
        path = folder / f"hostile-{command}.html"
        make(arguments, path, command, report)
        browser.open(path)
        check_equal(browser.run("return document.querySelectorAll('img').length"
                                " + document.scripts.length"), scripts,
                    f"{command}: elements out of a report")
        check_equal(browser.run("return window.broken || 0"), 0,
                    f"{command}: a script of a report ran")
        check("onerror=alert(1)" in browser.run("return document.body."
                                                "textContent"),
              f"{command}: the name is lost")
        check_quiet(browser, path)
    path = folder / "hostile-diff.html"
    make(arguments, path, "diff", SAMPLES / "demo.crash", report)
    browser.open(path)
    check_equal(browser.run("return document.querySelectorAll('img').length + "
                            "document.scripts.length + (window.broken || 0)"),
                1, "diff: elements out of a report")
    check_quiet(browser, path)


def main():
    # A dSYM of the sample elsewhere would be found.
    os.environ["APMTOOL_AUTO"] = "0"
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--axe", type=pathlib.Path, default=find_axe())
    arguments = parser.parse_args()
    if not arguments.axe:
        print("axe-core is not installed: its rules are not checked")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        print("there is no chromium, or no chromedriver")
        expected = chromium or driver or os.environ.get("APMTOOL_TEST_ALL")
        return 1 if expected else check_flame.SKIPPED
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        browser = check_flame.Browser(driver, chromium, folder / "profile")
        try:
            browser.requests()
            check_table(browser, arguments, folder)
            check_explanation(browser, arguments, folder)
            check_report(browser, arguments, folder)
            check_truncated(browser, arguments, folder)
            check_several(browser, arguments, folder)
            check_others(browser, arguments, folder)
            check_long_places(browser, arguments, folder)
            check_hostile(browser, arguments, folder)
        finally:
            browser.close()
    print(f"{len(check_flame.failures)} failures")
    return 1 if check_flame.failures else 0


if __name__ == "__main__":
    sys.exit(main())
