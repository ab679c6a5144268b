#!/usr/bin/env python3
"""Write the jetsam logs of samples/jetsam: samples/make-jetsam.py FOLDER

Invented, in the shapes that systems from iOS 7 to 18 write. The two limits are
those that the field knows: 92806 and 134278 pages of 16 KiB.
"""

import json
import pathlib
import sys
import uuid

TICKS_PER_S = 24_000_000
KERNELS = {
    9: "15.4.0: Fri Feb 19 13:54:52 PST 2016; root:xnu-3248.41.4~28",
    13: "19.3.0: Thu Jan  9 21:11:10 PST 2020; root:xnu-6153.82.3~1",
    14: "20.2.0: Fri Nov 13 01:00:00 PST 2020; root:xnu-7195.60.75~1",
    17: "23.2.0: Wed Nov 15 21:53:34 PST 2023; root:xnu-10002.62.5~1",
    18: "24.2.0: Fri Dec  6 18:41:00 PST 2024; root:xnu-11215.61.5~1",
}


def image(name):
    return str(uuid.uuid3(uuid.NAMESPACE_DNS, name))


def process(name, pid, rpages, states, priority, age_s, **more):
    entry = {
        "uuid": image(name),
        "states": states,
        "lifetimeMax": more.pop("lifetimeMax", rpages),
        "age": age_s * TICKS_PER_S,
        "purgeable": 0,
        "fds": more.pop("fds", 50),
        "coalition": more.pop("coalition", 1000 + pid),
        "rpages": rpages,
        "priority": priority,
        "pid": pid,
        "cpuTime": more.pop("cpuTime", age_s / 100),
        "name": name,
    }
    entry.update(more)
    if priority is None:
        del entry["priority"]
    return entry


def victim(entry, reason, delta=25440):
    return {**entry, "reason": reason, "killDelta": delta, "genCount": 1}


def body(product, build, major, date, largest, pages, processes, **status):
    names = ("free", "active", "inactive", "wired", "speculative",
             "throttled", "purgeable", "fileBacked", "anonymous")
    return {
        "crashReporterKey": "8eb912eeffaa7653999e2b23c345caa5d54ddeaf",
        "kernel": f"Darwin Kernel Version {KERNELS[major]}/RELEASE_ARM64",
        "product": product,
        "incident": image(product + date).upper(),
        "date": date,
        "build": build,
        "timeDelta": 9,
        "memoryStatus": {
            "compressorSize": status.pop("compressorSize", 40000),
            "compressions": 2809331,
            "decompressions": 1960025,
            "zoneMapCap": status.pop("zoneMapCap", 1472872448),
            "zoneMapSize": status.pop("zoneMapSize", 193200128),
            "largestZone": status.pop("largestZone", "APFS_4K_OBJS"),
            "largestZoneSize": status.pop("largestZoneSize", 41271296),
            "pageSize": 16384,
            "uncompressed": status.pop("uncompressed", 112000),
            "memoryPages": dict(zip(names, pages)),
        },
        "largestProcess": largest,
        "genCounter": 1,
        "processes": processes,
    }


def header(log):
    return json.dumps({"bug_type": "298", "timestamp": log["date"],
                       "os_version": log["build"],
                       "incident_id": log["incident"]},
                      separators=(",", ":"))


def text_of(log):
    text = json.dumps(log, indent=2, ensure_ascii=False,
                      separators=(",", " : "))
    return text.replace("~1/", "~1\\/") + "\n"


def ips(log):
    return header(log) + "\n" + text_of(log)


def limit():
    """134278 pages on an iPhone 11 Pro."""
    demo = process("Demo", 612, 134278, ["frontmost"], 100, 1000,
                   cpuTime=81.5, fds=200, coalition=625, mem_regions=2211,
                   csFlags=570434305)
    demo["freeze_skip_reason:"] = "none"
    return body(
        "iPhone12,3", "iPhone OS 17.2 (21C62)", 17,
        "2026-01-31 09:08:07.00 +0800", "Demo",
        (9042, 71230, 29005, 48110, 1204, 0, 12, 30110, 71329), [
            victim(demo, "per-process-limit"),
            process("DemoWidget", 640, 2210, ["suspended"], 0, 900,
                    coalition=625, idleDelta=7200000000),
            process("相机助手", 701, 9310, ["background", "audio"], 120, 512,
                    physicalPages={"internal": [6010, 3300]}),
            process("SpringBoard", 36, 11820, [], 160, 86400 * 2),
            process("backboardd", 34, 6071, ["daemon"], 180, 86400 * 2),
            process("mediaserverd", 40, 3502, ["daemon"], 180, 86400 * 2),
            process("assetsd", 411, 1930, ["daemon", "idle"], 0, 4210),
        ])


def limit_6s_plus():
    """92806 pages on an iPhone 6s Plus: more than tables say of it."""
    return body(
        "iPhone8,2", "iPhone OS 13.3.1 (17D50)", 13,
        "2026-01-30 21:14:03.41 +0800", "Demo",
        (1730, 20110, 9204, 21033, 310, 0, 5, 9020, 20604), [
            victim(process("Demo", 1107, 92806, ["frontmost", "active"], 10,
                           754), "per-process-limit"),
            process("SpringBoard", 57, 8204, [], 16, 86400),
            process("Mail", 990, 3011, ["suspended"], 0, 2210),
        ], compressorSize=14020, uncompressed=40300)


def pressure():
    """An iPad runs short: several die, the largest is spared."""
    return body(
        "iPad13,4", "iPhone OS 18.2 (22C152)", 18,
        "2026-02-03 17:40:55.20 +0100", "Canvas",
        (2044, 140311, 133020, 81202, 2033, 0, 310, 90122, 185242), [
            process("Canvas", 2210, 190233, ["frontmost"], 100, 3104,
                    fds=800, coalition=2001),
            victim(process("Demo", 2090, 30120, ["suspended"], 0, 5400,
                           lifetimeMax=60233), "vm-pageshortage"),
            victim(process("Demo", 2091, 4120, ["background"], 30, 600,
                           coalition=3090), "vm-pageshortage", 30110),
            victim(process("newsd", 388, 2033, ["daemon"], 30, 86400),
                   "highwater", 48020),
            process("com.apple.WebKit.WebContent", 2300, 22010, ["background"],
                    30, 1200, coalition=2001),
            process("kernel_task", 0, 60110, [], None, 0),
        ])


def no_victim():
    log = limit()
    log["date"] = "2026-02-01 10:00:00.00 +0800"
    log["incident"] = image(log["product"] + log["date"]).upper()
    log["largestProcess"] = "none"
    for key in ("reason", "killDelta", "genCount"):
        del log["processes"][0][key]
    return log


def zones():
    """An Apple TV's kernel has no room for its own objects."""
    return body(
        "AppleTV11,1", "tvOS 17.2 (21K365)", 17,
        "2026-02-02 20:11:12.00 +0000", "PineBoard",
        (30110, 60233, 51022, 70110, 900, 0, 3, 40110, 70233), [
            victim(process("socketd", 88, 1201, ["daemon"], 180, 86400 * 9,
                           fds=6400), "zone-map-exhaustion"),
            process("PineBoard", 50, 14020, [], 160, 86400 * 9),
        ], zoneMapSize=1410000000, largestZone="mbuf_cluster",
        largestZoneSize=880803840)


def watch():
    """watchOS, as pasted from a window: without its header line."""
    return body(
        "Watch6,2", "Watch OS 10.2 (21S364)", 17,
        "2026-02-02 07:30:00.00 +0800", "DemoWatch",
        (804, 7011, 6200, 9310, 44, 0, 0, 3011, 9020), [
            victim(process("DemoWatch", 310, 19210, ["background"], 30, 66),
                   "per-process-limit"),
            process("Carousel", 40, 4022, [], 160, 86400),
        ], compressorSize=6011, uncompressed=17033)


def ios_9():
    """Without bands, ages and coalitions; names are cut to 16 characters."""
    log = body(
        "iPhone8,1", "iPhone OS 9.3 (13E234)", 9,
        "2016-04-15 21:40:02.77 +0200", "DemoPhotoEditorW",
        (2290, 24493, 10955, 13007, 1580, 0, 127, 24113, 12915), [
            victim(process("DemoPhotoEditorW", 1518, 61040,
                           ["frontmost", "resume"], None, 300,
                           lifetimeMax=61500, cpuTime=4.5), "vm-thrashing"),
            process("backboardd", 52, 4100, ["daemon"], None, 86400,
                    lifetimeMax=-1),
        ], compressorSize=30679, uncompressed=85795)
    for key in ("zoneMapCap", "zoneMapSize", "largestZone", "largestZoneSize"):
        del log["memoryStatus"][key]
    for entry in log["processes"]:
        for key in ("age", "coalition", "killDelta", "genCount"):
            entry.pop(key, None)
    return log


def trend(day, hour, rpages, reason=None):
    demo = process("Demo", 612, rpages, ["frontmost"], 100, hour * 3600)
    return body(
        "iPhone12,3", "iPhone OS 17.2 (21C62)", 17,
        f"2026-01-{day} {hour:02}:00:00.00 +0800", "Demo",
        (9042, 71230, 29005, 48110, 1204, 0, 12, 30110, 71329), [
            victim(demo, reason) if reason else demo,
            victim(process("assetsd", 411, 1930, ["daemon", "idle"], 0, 4210),
                   "idle-exit"),
        ])


OLD = """\
Incident Identifier: 9A8B7C6D-5E4F-4A3B-9C2D-1E0F9A8B7C6D
CrashReporter Key:   3f2de4c5b6a7988970615243342516070819a2b3
Hardware Model:      iPad2,5
OS Version:          iPhone OS 7.0.4 (11B554a)
Kernel Version:      Darwin Kernel Version 14.0.0: Fri Sep 27 23:08:32 PDT 2013; \
root:xnu-2423.3.12~1/RELEASE_ARM_S5L8942X
Date:                2015-01-31 09:08:07 +0800
Time since snapshot: 56 ms

Free pages:                              922
Active pages:                            8404
Inactive pages:                          4100
Speculative pages:                       312
Throttled pages:                         60311
Purgeable pages:                         0
Wired pages:                             47617
File-backed pages:                       6122
Anonymous pages:                         6694
Compressions:                            0
Decompressions:                          0
Compressor Size:                         0
Uncompressed Pages in Compressor:        0
Largest process:   Demo

Processes
     Name                    <UUID>                       rpages       \
recent_max   fds      [reason]          (state)

            Demo <1a2b3c4d5e6f30718293a4b5c6d7e8f9>        22810            \
22810  200   [vm-pageshortage]  (frontmost) (resume)
      Demo Notes <2a2b3c4d5e6f30718293a4b5c6d7e8f9>         1204            \
 2810   50                      (suspended)
filecoordination <4fa03c4d5e6f30718293a4b5c6d7e8f9>          186            \
  186  200                      (daemon)

**End**
"""

OLDEST = """\
Incident Identifier: 5E4F9A8B-7C6D-4A3B-9C2D-1E0F9A8B7C6D
CrashReporter Key:   3f2de4c5b6a7988970615243342516070819a2b3
Hardware Model:      iPhone3,1
OS Version:          iPhone OS 5.1.1 (9B206)
Kernel Version:      Darwin Kernel Version 11.0.0: Sun Apr  8 21:51:26 PDT 2012; \
root:xnu-1878.11.10~1/RELEASE_ARM_S5L8930X
Date:                2012-09-14 18:02:11 +0200
Time since snapshot: 40 ms

Free pages:        1102
Wired pages:       18544
Purgeable pages:   0
Largest process:   Demo

Processes
         Name                    <UUID>                    \
Count resident pages
            Demo <1a2b3c4d5e6f30718293a4b5c6d7e8f9>        41020 \
(jettisoned) (active)
     SpringBoard <2a2b3c4d5e6f30718293a4b5c6d7e8f9>         5120 (active)
"""


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "trend").mkdir(parents=True, exist_ok=True)
    swapped = limit_6s_plus()
    files = {
        "limit.ips": ips(limit()),
        "limit-6s-plus.ips": ips(limit_6s_plus()),
        "pressure.ips": ips(pressure()),
        "no-victim.ips": ips(no_victim()),
        "zone-map.ips": ips(zones()),
        "watch.json": text_of(watch()),
        "swapped.ips": text_of(swapped) + header(swapped) + "\n",
        "ios-9.ips": ips(ios_9()),
        "old.txt": OLD,
        "old-ios-5.txt": OLDEST,
        "old-truncated.txt": OLD[:OLD.index("[vm-page") + 4],
        "truncated.ips": ips(limit())[:1900],
        "trend/1.ips": ips(trend(28, 8, 40110)),
        "trend/2.ips": ips(trend(28, 10, 52200)),
        "trend/3.ips": ips(trend(28, 16, 90400)),
        "trend/4.ips": ips(trend(28, 22, 134278, "per-process-limit")),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
