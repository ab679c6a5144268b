#!/usr/bin/env python3
"""Write the samples of Matrix: a lag file and a power record, with the app,
the images and the addresses of kscrash-mach.json."""

import json
import os
import sys

MAIN_QUEUE = "com.apple.main-thread"
WORKER_START = (7295213140, "start_wqthread")


def frames_of(report):
    """The main thread of the story, innermost first, as Matrix has it."""
    thread = report["crash"]["threads"][0]
    return [(frame["instruction_addr"], frame["symbol_name"])
            for frame in thread["backtrace"]["contents"]]


def backtrace(stack, counts=None):
    contents = []
    for index, (address, symbol) in enumerate(stack):
        frame = {"symbol_name": symbol, "instruction_addr": address}
        if counts:
            frame["repeat_count"] = counts[index]
        contents.append(frame)
    return {"contents": contents, "skipped": 0}


def call_tree(stacks):
    """Nodes of weighted stacks; the first frames of a stack are its roots."""
    roots = []
    for stack, weight, background in stacks:
        level = roots
        for address, symbol in stack:
            for node in level:
                if node["instruction_address"] == address:
                    break
            else:
                node = {"instruction_address": address,
                        "object_name": symbol, "sample": 0,
                        "sample_background": 0, "child": []}
                level.append(node)
            node["sample"] += weight
            node["sample_background"] += background
            level = node["child"]
    return trimmed(roots)


def trimmed(nodes):
    nodes.sort(key=lambda node: -node["sample"])
    for node in nodes:
        trimmed(node["child"])
        if not node["child"]:
            del node["child"]
    return nodes


def images_of(report, stacks):
    """Only the images that the stacks touch."""
    addresses = [address for stack in stacks for address, _ in stack]
    return [image for image in report["binary_images"]
            if any(image["image_addr"] <= address
                   < image["image_addr"] + image["image_size"]
                   for address in addresses)]


def lag(report):
    point = frames_of(report)
    other = point[3:]
    idle = [point[0]] + point[11:]
    ring = [(point, 12), (other, 5), (idle, 3)]
    counts = [sum(weight for stack, weight in ring if frame in stack)
              for frame in point]
    worker = [WORKER_START]
    return {
        "report": dict(report["report"],
                       id="9A8B7C6D-0000-4000-8000-00000000A001"),
        "binary_images": images_of(report, [point, worker]),
        "system": report["system"],
        "crash": {
            "error": {
                "type": "user", "address": 0, "reason": "",
                "user_reported": {
                    "name": "ANR", "dump_type": 2001,
                    "suspend_all_threads": True, "snapshot_status": 1}},
            "threads": [
                {"backtrace": backtrace(point, counts), "index": 0,
                 "name": "HandledThread", "crashed": False,
                 "current_thread": False},
                {"backtrace": backtrace(other), "index": 0,
                 "dispatch_queue": MAIN_QUEUE, "crashed": False,
                 "current_thread": False, "cpu_usage": 93.25},
                {"backtrace": backtrace(worker), "index": 1,
                 "crashed": False, "current_thread": False,
                 "cpu_usage": 0.5}],
            "threads_profile": [
                {"profile": {"stack_string": call_tree(
                    [(stack[::-1], weight, 0) for stack, weight in ring])},
                 "index": 0}]},
        "user": {"scene": "Timeline"},
    }


def power(report):
    point = frames_of(report)
    worker = point[2:7] + [point[7], WORKER_START]
    stacks = [(point, 18, 0), (worker, 12, 12), (point[1:], 2, 0)]
    return {
        "report": {"version": "0.5",
                   "id": "9A8B7C6D-0000-4000-8000-00000000A002",
                   "process_name": "Demo", "timestamp": 1769821800,
                   "type": "custom"},
        "binary_images": images_of(report, [point, worker]),
        "system": report["system"],
        "user": {},
        "dump_type": 2011,
        "stack_string": call_tree(stacks),
    }


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "kscrash-mach.json")) as file:
        report = json.load(file)
    os.makedirs(os.path.join(folder, "lag"), exist_ok=True)
    for name, contents in (("lag", lag(report)), ("power", power(report))):
        path = os.path.join(folder, "lag", f"matrix-{name}.json")
        with open(path, "w") as file:
            json.dump(contents, file)
            file.write("\n")


if __name__ == "__main__":
    sys.exit(main())
