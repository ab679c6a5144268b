# SPDX-License-Identifier: MIT
"""That no format loses a frame: what is read again from Apple's text and from
.ips has the same threads, frames, images, offsets and symbols."""

import collections
import json

from formats import BANNED, SYMBOLS

OPTIONS = {"convert": [], "symbolicate": SYMBOLS}
Frame = collections.namedtuple(
    "Frame", "image offset symbol is_named is_moved form")
# Forms whose frames in .ips are an image's number and an offset.
PAIRS = ("stackshot", "panic")
# The reader of .ips adds a frame where a call through a null pointer left none.
ADDED = "was added as its caller"


def reports_of(data):
    try:
        found = json.loads(data)
    except ValueError:
        return []
    return found.get("reports", [found])


def bases_of(report):
    """The image at each index; of those at one base, text cannot say which."""
    images = report.get("images", [])
    known = collections.Counter(image["base"] for image in images)
    return {at: image["base"] for at, image in enumerate(images)
            if known[image["base"]] > 1}


def frame_of(frame, report, bases):
    """.ips names images otherwise than macOS's text: a UUID comes first."""
    index = frame["image_index"]
    name = None if frame["image"] == "???" else frame["image"]
    listed = {} if index is None else report["images"][index]
    moved = listed.get("base") and frame["offset"] is not None and \
        int(listed["base"], 16) + frame["offset"] != int(frame["address"], 16)
    return Frame(bases.get(index) or frame["uuid"] or name, frame["offset"],
                 frame["symbol"], bool(listed and name), bool(moved),
                 report["form"])


def threads_of(report, form):
    """The frames of each; without those that the reader added, and those that
    were inlined where a frame is two numbers."""
    added = {note["place"] for note in report["notes"] if ADDED in note["text"]}
    for which, thread in enumerate(report["threads"]):
        frames = thread["frames"]
        if f"threads[{which}].frames[0]" in added:
            frames = frames[:1] + frames[2:]
        if form == "ips" and report["form"] in PAIRS:
            frames = [frame for frame in frames if not frame["inline"]]
        yield which, frames


def frames_of(data, form):
    """By report, thread and frame; .ips has no numbers of threads."""
    return {(number, which, at): frame_of(frame, report, bases_of(report))
            for number, report in enumerate(reports_of(data))
            if "threads" in report
            for which, frames in threads_of(report, form)
            for at, frame in enumerate(frames)}


# What a format has no place for: each with its reason.
def has_no_base(before, after):
    """Text gives a function's name in place of the base of its image, which
    is looked up by name in Binary Images."""
    return before.symbol and not before.is_named and \
        after[:3] == (after.image, None, before.symbol) and \
        after.image in (before.image, None)


def has_moved(before, after):
    """MetricKit adds sessions up: the addresses of some frames are those of
    another one, and text has no offset but by the address."""
    return before.is_moved and (before.image, before.symbol) == (
        after.image, after.symbol)


def is_escaped(before, after):
    """What a terminal may act on, and the end of a line, text escapes."""
    return before.symbol and before[:2] == after[:2] and (
        BANNED.search(before.symbol) or "\n" in before.symbol)


def has_no_name(before, after):
    """.ips names an image by its entry in usedImages, and has no other."""
    return not before.is_named and not after.image and \
        before.symbol == after.symbol


def is_a_pair(before, after):
    """A frame of a stackshot is two numbers: it has no names."""
    return before.form in PAIRS and \
        after[:3] == (*before[:2], None)


EXCEPTIONS = {"text": [has_no_base, has_moved, is_escaped],
              "ips": [has_no_name, is_a_pair]}


def is_same(before, after, form):
    return bool(before and after) and (before[:3] == after[:3] or any(
        excused(before, after) for excused in EXCEPTIONS[form]))


def brief(frames, key):
    return frames[key][:3] if key in frames else "nothing"


def check(battery, command, path):
    options = ["-q", *OPTIONS[command]]
    first = battery.run([command, "--format", "json", *options, path])
    again = battery.scratch / "again"
    for form in EXCEPTIONS:
        what = f"{command} --format {form} {path}, read again"
        made = battery.run([command, "--format", form, *options, path])
        battery.check(what, made)
        again.write_bytes(made.out)
        expected = frames_of(first.out, form)
        found = frames_of(battery.run(
            ["convert", "-q", "--format", "json", again]).out, form)
        lost = [key for key in sorted({**expected, **found})
                if not is_same(expected.get(key), found.get(key), form)]
        if lost:
            battery.fault(what, f"{len(lost)} frames, the first of them "
                          f"{lost[0]}: {brief(expected, lost[0])} is "
                          f"{brief(found, lost[0])}")
