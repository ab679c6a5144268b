#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check apmtool-worker beside real brokers of Apache Kafka (tests/kafka.py).

    tests/check_worker.py --program build/release/apmtool --preload LIBPOISON
    tests/check_worker.py --program build/release/apmtool --preload LIBPOISON \\
        --cluster [CASE...]
    tests/check_worker.py --program build/dev/apmtool --mock build/dev/tests/mock_kafka

Without --cluster: one broker, 5,000 reports, and the worker killed once. With it:
three brokers, and all that may befall a fleet; and a table of the results. Where the
installed librdkafka is too old for a case, its workers run with a newer one, or it is
skipped. With --mock: what librdkafka's mock of a cluster can show, and all that needs
none. --preload is what kills readers of some reports; the mock goes without where it
cannot be loaded. Exits with 77 (skipped), after a word, where the worker was not built
or brokers cannot be started."""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from checking import check, check_equal, failures
import kafka
import worker_fleet as fleet

SKIPPED = 77
# Versions of librdkafka: before them, brokers refuse SCRAM, the cooperative assignment
# has faults, and brokers cannot assign partitions themselves.
SCRAM, COOPERATIVE, BY_BROKERS = (2, 6, 1), (2, 10, 0), (2, 12, 0)
TOPICS = ("raw", "event", "waiting", "dead")
RUN_SECONDS = 240
POISON = 10

# What a case has found; `lost`: outputs that are not there.
Result = collections.namedtuple("Result", "reports lost repeats")


def environment(settings):
    """Of workers."""
    found = dict(os.environ, APMTOOL_AUTO="0")
    if settings.preload:
        found["LD_PRELOAD"] = str(settings.preload)
    if settings.library:
        found["LD_LIBRARY_PATH"] = str(settings.library)
    return found


class Setting:
    """Topics of a case, and workers for them."""

    def __init__(self, cluster, settings, name, more="", topics=TOPICS, partitions=6,
                 group=None, **config):
        self.cluster, self.name = cluster, name
        self.program = settings.program.parent / "apmtool-worker"
        self.environment = environment(settings)
        self.folder = cluster.folder / name
        self.folder.mkdir()
        self.names = {topic: f"{name}.{topic}" for topic in topics}
        for topic in self.names.values():
            cluster.create(topic, partitions=partitions, **config)
        self.config = self.folder / "worker.yaml"
        listed = ", ".join(f"{topic}: {full}" for topic, full in self.names.items())
        self.config.write_text(f"brokers: {cluster.servers}\ngroup: {name}\n"
                               f"topics: {{{listed}}}\nfilter: [--no-cache]\n"
                               "kafka:\n" +
                               (group or f"  session.timeout.ms: '{cluster.session_ms}'\n") +
                               "  transaction.timeout.ms: '10000'\n" + more)
        self.log = self.folder / "log"
        self.dsyms = ("--dsym", fleet.SAMPLES)

    def start(self, *args, hook=None, **more):
        hooks = {"APMTOOL_WORKER_HOOK": hook} if hook else {}
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [self.program, "--config", self.config, *self.dsyms, "--jobs", "2",
                 "--time-limit", "4", *map(str, args)], stdout=log, stderr=log,
                env=dict(self.environment, **hooks), **more)

    def run(self, *args, **more):
        self.expect_end(self.start(*args, **more), f"worker {args}")

    def expect_end(self, worker, what, seconds=RUN_SECONDS, status=0):
        """Within so many seconds, or it is killed."""
        try:
            check_equal(worker.wait(seconds), status,
                        f"{self.name}: {what}: {self.log_tail()}")
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
            check(False, f"{self.name}: {what} does not end: {self.log_tail()}")

    def log_tail(self):
        return self.log.read_text()[-500:] if self.log.exists() else ""

    def consume(self, topic, *more):
        return fleet.consume(self.cluster.unguarded, self.names[topic], *more)

    def produce(self, reports, *more):
        fleet.produce(self.cluster.unguarded, self.names["raw"], reports, *more)

    def wait_for(self, count, topic="event"):
        """Until a topic has so many messages."""
        subprocess.run(["kcat", "-C", "-b", self.cluster.unguarded, "-t", self.names[topic], "-q",
                        "-c", str(count), "-X", "isolation.level=read_uncommitted"],
                       stdout=subprocess.DEVNULL, check=False, timeout=RUN_SECONDS)


def by(messages, key):
    found = collections.defaultdict(list)
    for each in messages:
        found[key(each)].append(each)
    return found


def check_same(found, expected, what):
    """Of sets, or keys, that may be large. Returns how many are lost."""
    lost, more = set(expected) - set(found), set(found) - set(expected)
    for word, these in (("lost", lost), ("too many", more)):
        check(not these, f"{what}: {len(these)} {word}: {sorted(these)[:3]}")
    return len(lost)


def check_outputs(setting, reports, repeats=True):
    """What went in came out, and in no other way."""
    name = setting.name
    expected = {each.id: each for each in reports if each.kind in ("whole", "missing")}
    events = by(setting.consume("event"), lambda each: each["key"])
    lost = check_same(events, expected, f"{name}: events")
    for key, found in events.items():
        check_equal(len({(each["payload"], str(each["headers"]), each["ts"]) for each in found}),
                    1, f"{name}: repeats of {key} are identical")
        document = json.loads(found[0]["payload"])
        check_equal((document["schema"], document["id"]), ("apmtool.event/1", key),
                    f"{name}: an event")
    more = sum(len(found) - 1 for found in events.values())
    dead = by(setting.consume("dead"), lambda each: int(each["key"]))
    expected = {each.number: each for each in reports if each.kind not in ("whole", "missing")}
    lost += check_same(dead, expected, f"{name}: dead letters")
    reasons = {"none": "E-not-report", "kill": "E-crash", "hang": "E-time"}
    for number, found in dead.items():
        more += len(found) - 1
        if number in expected:
            check_equal({each["payload"] for each in found}, {expected[number].value},
                        f"{name}: its value is unchanged")
            check_equal({each["headers"].get("apm-error") for each in found},
                        {reasons[expected[number].kind]}, f"{name}: its reason")
    waiting = {json.loads(each["payload"])["id"] for each in setting.consume("waiting")
               if each["payload"]}
    lost += check_same(waiting, {each.id for each in reports if each.kind == "missing"},
                       f"{name}: what waits")
    check(repeats or not more, f"{name}: {more} repeats")
    print(f"{name}: {len(reports)} reports, {sum(map(len, events.values()))} events, "
          f"{len(dead)} dead, {len(waiting)} waiting, {more} repeats", flush=True)
    return Result(len(reports), lost, more)


def library_version(settings):
    """Of librdkafka, as workers find it."""
    done = subprocess.run([settings.program.parent / "apmtool-worker", "--version"],
                          capture_output=True, check=True, env=environment(settings))
    return tuple(map(int, done.stdout.decode().split("librdkafka ")[1].split(".")[:3]))


# Cases

def kill_and_finish(setting, reports, kills, done=0):
    """A worker that is killed has lost nothing, and repeats are identical."""
    status = setting.folder / "status"
    for kill in range(kills):
        worker = setting.start()
        setting.wait_for(done + (kill + 1) * (len(reports) - done) // (kills + 2))
        worker.kill()
        worker.wait()
    setting.run("--until-end", "--status", status)
    result = check_outputs(setting, reports)
    found = dict(line.rsplit(" ", 1) for line in status.read_text().splitlines()
                 if not line.startswith("#"))
    check_equal(found["apmtool_worker_in_flight"], "0", "status: nothing is in flight")
    check_equal(found["apmtool_worker_done_total"], found["apmtool_worker_messages_total"],
                "status: all is done")
    return result


def check_killed(cluster, settings, count, kills):
    setting = Setting(cluster, settings, "killed")
    reports = fleet.fleet(count, poison=POISON if settings.preload else 0)
    setting.produce(reports)
    return kill_and_finish(setting, reports, kills)


def check_mock(cluster, settings):
    """What one worker has committed, the next one does not repeat."""
    setting = Setting(cluster, settings, "mock")
    reports = fleet.fleet(1200, poison=POISON if settings.preload else 0)
    setting.produce(reports)
    setting.run("--max-messages", 600)
    repeats = kill_and_finish(setting, reports, 1, done=600).repeats
    check(repeats <= 600, f"mock: {repeats} repeats after 600 were committed")


def check_redacted(cluster, settings):
    """Ids are pseudonyms, the same in each run; or hashes; and it ends after a count."""
    setting = Setting(cluster, settings, "redacted")
    reports = [fleet.report(number, "whole") for number in range(100)]
    setting.produce(reports)
    key = setting.folder / "key"
    key.write_text("0123456789abcdef" * 4)
    key.chmod(0o600)
    for group in "ab":
        setting.run("--until-end", "--redact", "--redact-key", key, "--group", group)
    events = by(setting.consume("event"), lambda each: each["key"])
    check_equal((len(events), {len(each) for each in events.values()}), (100, {2}),
                "redacted: the same twice")
    check(not set(events) & {each.id for each in reports}, "redacted: ids")
    check_equal({len({each["payload"] for each in found}) for found in events.values()}, {1},
                "redacted: identical")
    setting.run("--max-messages", 10, "--id", "hash", "--group", "c")
    keys = [each["key"] for each in setting.consume("event") if each["key"] not in events]
    check_equal(len(keys), 10, "redacted: --max-messages")
    hashes = {hashlib.sha256(each.value.encode()).hexdigest()[:32] for each in reports}
    check(set(keys) <= hashes, f"redacted: --id hash: {keys}")


def check_whole(cluster, settings, count):
    """Three workers, nothing happens."""
    setting = Setting(cluster, settings, "whole")
    reports = fleet.fleet(count, poison=POISON) + [
        fleet.report(count + i, "hang") for i in range(2)]
    began = time.monotonic()
    setting.produce(reports)
    workers = [setting.start("--until-end") for _ in range(3)]
    for worker in workers:
        setting.expect_end(worker, "one of three")
    print(f"whole: {time.monotonic() - began:.0f} s")
    setting.run("--until-end")
    return check_outputs(setting, reports)


def describe(cluster, group):
    return cluster.tool("consumer.group.ConsumerGroupCommand", "--describe", "--group", group,
                        "--state")


def check_broker(cluster, settings, count):
    """A broker that leads and coordinates dies, and comes back."""
    setting = Setting(cluster, settings, "broker")
    reports = fleet.fleet(count)
    setting.produce(reports)
    worker = setting.start("--until-end")
    setting.wait_for(count // 5)
    described = describe(cluster, setting.name)
    found = re.search(r"127\.0\.0\.1:(\d+)", described)
    broker = cluster.brokers[cluster.ports.index(int(found.group(1)))]
    broker.kill()
    print(f"broker: {broker.number}, the coordinator, is killed", flush=True)
    time.sleep(5)
    broker.start()
    setting.expect_end(worker, "the worker")
    cluster.wait(len(cluster.brokers))
    setting.run("--until-end")
    return check_outputs(setting, reports)


def check_paused(cluster, settings, count):
    """A worker that has no room, and takes nothing more, shares its partitions with
    another one, and goes on."""
    setting = Setting(cluster, settings, "paused")
    reports = fleet.fleet(count) + [fleet.report(count, "hang")]
    setting.produce(reports[::-1])
    slow = ("--until-end", "--jobs", 1, "--time-limit", 24)
    workers = [setting.start(*slow)]
    # It pauses after 5 s without room; its filter is silent for 12 s.
    time.sleep(8)
    workers.append(setting.start(*slow))
    for worker in workers:
        setting.expect_end(worker, "one of two", 90)
    return check_outputs(setting, reports)


def strategy(cluster, group):
    """How the partitions of a group are assigned; for a moment it may have none."""
    for _ in range(10):
        described = describe(cluster, group)
        found = re.search(r"\s(range|cooperative-sticky|uniform)\s", described)
        if found:
            return found.group(1)
    return described


def check_rolling(cluster, settings, count, name, assignment, group=None):
    """SIGTERM ends three workers one after the other, and three others go on."""
    setting = Setting(cluster, settings, name, group=group)
    reports = fleet.fleet(count)
    producer = threading.Thread(target=lambda: [
        (setting.produce(reports[at::10]), time.sleep(1)) for at in range(10)])
    producer.start()
    workers = [setting.start() for _ in range(3)]
    setting.wait_for(count // 10)
    check_equal(strategy(cluster, setting.name), assignment, f"{name}: assignment")
    seconds = []
    for i in range(3):
        setting.wait_for((i + 1) * count // 5)
        began = time.monotonic()
        workers[i].send_signal(signal.SIGTERM)
        setting.expect_end(workers[i], "SIGTERM", 30)
        seconds.append(round(time.monotonic() - began, 1))
        workers.append(setting.start())
    check(max(seconds) <= 10, f"SIGTERM takes {seconds} s")
    print(f"{name}: stopped after {seconds} s", flush=True)
    producer.join()
    for worker in workers[3:]:
        worker.send_signal(signal.SIGTERM)
        setting.expect_end(worker, "SIGTERM", 30)
    setting.run("--until-end")
    return check_outputs(setting, reports, repeats=False)


def check_exactly(cluster, settings, count, places=("sent", "flushed", "offsets")):
    """Killed between the first delivery and the commit, of three workers in turn; then
    two workers have one slot."""
    setting = Setting(cluster, settings, "exactly")
    reports = fleet.fleet(count, poison=POISON)
    setting.produce(reports)
    for i, place in enumerate(places * 2):
        worker = setting.start("--exactly-once", "--slot", i % 2, hook=f"{place}:2")
        setting.expect_end(worker, f"killed at {place}", status=-signal.SIGKILL)
    setting.run("--exactly-once", "--slot", 0, "--until-end")
    return check_outputs(setting, reports, repeats=False)


def check_fenced(cluster, settings, count):
    """Of two workers with one slot, the older one ends, and nothing is there twice."""
    setting = Setting(cluster, settings, "fenced")
    reports = fleet.fleet(count)
    setting.produce(reports[:count // 2])
    older = setting.start("--exactly-once", "--slot", "a")
    setting.wait_for(count // 10)
    younger = setting.start("--exactly-once", "--slot", "a")
    time.sleep(3)
    setting.produce(reports[count // 2:])
    setting.expect_end(older, "the older one", 60, status=5)
    check("another worker has taken slot 'a'" in setting.log_tail(), "it says why")
    younger.send_signal(signal.SIGTERM)
    setting.expect_end(younger, "the younger one", 30)
    setting.run("--exactly-once", "--slot", "b", "--until-end")
    return check_outputs(setting, reports, repeats=False)


def check_redrive(cluster, settings, count):
    """What waits is repeated once its symbols are there; twice: once each."""
    store = cluster.folder / "store"
    store.mkdir()
    setting = Setting(cluster, settings, "redrive", topics=(*TOPICS, "report"),
                      segment_bytes=1 << 20, retention_ms=-1)
    setting.dsyms = ("--store", store)
    reports = [fleet.report(number, "none" if number % 20 == 0 else "whole")
               for number in range(count)]
    whole = {each.id for each in reports if each.kind == "whole"}
    setting.produce(reports)
    setting.run("--until-end")
    setting.run("--redrive")
    for topic in "event", "report":
        check_equal(len(setting.consume(topic)), len(whole),
                    f"redrive: what misses as much is not repeated: {topic}")
    attempts = {json.loads(each["payload"])["attempt"] for each in setting.consume("waiting")}
    check_equal(attempts, {0, 1}, "redrive: attempts")
    check_equal(subprocess.run([settings.program, "index", "--store", store, fleet.SAMPLES],
                               capture_output=True, check=False).returncode, 0, "index --store")
    # Raw messages of one partition are gone, as after their retention.
    gone = {each["key"] for each in setting.consume("raw") if each["partition"] == 0}
    spec = setting.folder / "delete.json"
    spec.write_text(json.dumps({"version": 1, "partitions": [
        {"topic": setting.names["raw"], "partition": 0, "offset": -1}]}))
    cluster.tool("DeleteRecordsCommand", "--offset-json-file", spec)
    for _ in range(2):
        setting.run("--redrive")
    found = by(setting.consume("event"), lambda each: each["key"])
    lost = {each.id for each in reports if str(each.number) in gone and each.kind == "whole"}
    result = Result(count, check_same(found, whole, "redrive: events"),
                    sum(max(0, len(each) - 2) for each in found.values()))
    check_same({key for key, each in found.items() if len(each) == 2}, whole - lost,
               "redrive: each that had its symbols once more, once")
    last = [each[-1]["payload"] for each in found.values() if len(each) == 2]
    check(all(json.loads(each)["missing"] == [] for each in last), "redrive: nothing is missing")
    last = {each["key"]: each["payload"] for each in setting.consume("waiting")}
    check_equal(set(last.values()), {None}, "redrive: nothing waits")
    dead = [each for each in setting.consume("dead")
            if each["headers"].get("apm-error") == "E-raw-gone"]
    check_equal(len(dead), len(lost), "redrive: what is past retention")
    print(f"redrive: {len(whole - lost)} repeated, {len(lost)} gone", flush=True)
    return result


def crash(size, number):
    """A report of many threads, about so large."""
    text = fleet.report(number, "whole").value
    at = text.index("Binary Images:")
    begin = text[:at].rindex("\nThread ") + 1
    state = text.find("\nThread 0 crashed with", begin)
    begin = state + 1 if state >= 0 else at
    line = "{} Demo {:#018x} 0x100000000 + {}\n"
    threads, used = [], 0
    while used < size:
        frames = "".join(line.format(i, 0x100000000 + len(threads) * 64 + i * 4,
                                     len(threads) * 64 + i * 4) for i in range(64))
        threads.append(f"Thread {100 + len(threads)}:\n{frames}\n")
        used += len(threads[-1])
    return fleet.Report(number, "whole", fleet.report(number, "whole").id,
                        text[:begin] + "".join(threads) + text[begin:])


def check_large(cluster, settings):
    """12 MB go in; a report that is too large is given in short, as is a dead letter."""
    setting = Setting(cluster, settings, "large", "  compression.type: none\n",
                      topics=(*TOPICS, "report"), max_message_bytes=12500000)
    limit = ("-X", "message.max.bytes=20000000")
    cluster.tool("kafka.admin.ConfigCommand", "--alter", "--entity-type", "topics", "--entity-name",
                 setting.names["raw"], "--add-config", "max.message.bytes=16000000")
    reports = [crash(12 << 20, 1), fleet.report(2, "whole"),
               fleet.report(3, "none")._replace(value="no report " * 1200000),
               fleet.report(4, "none")._replace(value="no report " * 1300000)]
    setting.produce(reports, *limit)
    setting.run("--until-end", "--time-limit", "60")
    events = by(setting.consume("event"), lambda each: each["key"])
    lost = check_same(events, {each.id for each in reports[:2]}, "large: events")
    notes = {each["key"]: each["headers"].get("apm-note", "") for each in setting.consume("report")}
    lost += check_same(notes, {each.id for each in reports[:2]}, "large: reports")
    check("slim" in notes.get(reports[0].id, "") and not notes.get(reports[1].id),
          f"large: notes {notes}")
    dead = {each["key"]: each for each in setting.consume("dead")}
    check_equal(len(dead["3"]["payload"] or ""), 12000000, "large: a dead letter of 12 MB")
    check_equal(dead["4"]["payload"], None, "large: one that is too large has no value")
    check("apm-source" in dead["4"]["headers"].get("apm-note", ""), "large: and says so")
    print(f"large: a raw message of {len(reports[0].value) / 1e6:.1f} MB", flush=True)
    return Result(len(reports), lost + len({"3", "4"} - set(dead)),
                  sum(map(len, events.values())) - len(events))


def check_symbols(cluster, settings):
    """A word in the symbols topic, and dSYMs that were added are found."""
    setting = Setting(cluster, settings, "symbols", topics=(*TOPICS, "symbols"))
    folder = setting.folder / "dsyms"
    folder.mkdir()
    setting.dsyms = ("--dsym", folder)
    worker = setting.start()
    setting.produce([fleet.report(1, "whole")])
    setting.wait_for(1)
    for path in fleet.SAMPLES.glob("*.dSYM"):
        shutil.copytree(path, folder / path.name)
    subprocess.run(["kcat", "-P", "-b", cluster.unguarded, "-t", setting.names["symbols"]],
                   input=b"more\n", check=True, timeout=60)
    deadline = time.monotonic() + 60
    while "children are replaced" not in setting.log_tail() and time.monotonic() < deadline:
        time.sleep(0.2)
    time.sleep(1)
    setting.produce([fleet.report(2, "whole")])
    setting.wait_for(2)
    worker.send_signal(signal.SIGTERM)
    setting.expect_end(worker, "SIGTERM", 30)
    events = setting.consume("event")
    missing = {each["key"]: bool(json.loads(each["payload"])["missing"]) for each in events}
    expected = {fleet.report(1, "whole").id: True, fleet.report(2, "whole").id: False}
    check_equal(missing, expected, "symbols: what is missing")
    return Result(2, len(set(expected) - set(missing)), len(events) - len(missing))


def make_keys(folder):
    """A key and certificate of a broker, and of who signed it."""
    def openssl(*args):
        subprocess.run(["openssl", *map(str, args)], check=True, capture_output=True, cwd=folder)
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 2, "-subj", "/CN=test",
            "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-keyout", "key.pem",
            "-out", "request.pem")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", 2,
            "-CAcreateserial", "-extfile", "names", "-out", "certificate.pem")
    (folder / "store.pem").write_text((folder / "key.pem").read_text() +
                                      (folder / "certificate.pem").read_text())


def check_secure(settings, name, mechanism):
    """TLS and a password, which is in a file of its own."""
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        make_keys(folder)
        more = f"""ssl.keystore.type=PEM
ssl.keystore.location={folder}/store.pem
sasl.enabled.mechanisms={mechanism}
listener.name.sasl_ssl.plain.sasl.jaas.config=\\
org.apache.kafka.common.security.plain.PlainLoginModule required user_apm="hunter2";
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=\\
org.apache.kafka.common.security.scram.ScramLoginModule required;
"""
        with kafka.Cluster(folder, settings.brokers, more=more, listener="SASL_SSL",
                           scram=["SCRAM-SHA-512=[name=apm,password=hunter2]"]) as cluster:
            setting = Setting(cluster, settings, name, f"""  security.protocol: SASL_SSL
  sasl.mechanism: {mechanism}
  sasl.username: apm
  ssl.ca.location: {folder}/ca.pem
""")
            reports = fleet.fleet(1000)
            setting.produce(reports)
            conf = folder / "secret"
            conf.touch(mode=0o600)
            conf.write_text("sasl.password=wrong\n")
            worker = setting.start("--kafka-conf", conf, "--until-end")
            setting.expect_end(worker, "a wrong password", 60, status=5)
            check("uthentication" in setting.log_tail(), f"{name}: why: {setting.log_tail()}")
            conf.write_text("# of the worker\nsasl.password=hunter2\n")
            setting.run("--kafka-conf", conf, "--until-end")
            check("hunter2" not in setting.log.read_text(), f"{name}: no password in the log")
            return check_outputs(setting, reports)


def check_undelivered(cluster, settings):
    """What could not be delivered is not committed: the next worker delivers it. Nothing is
    taken before all topics are there."""
    setting = Setting(cluster, settings, "undelivered",
                      "  topic.metadata.propagation.max.ms: '1000'\n"
                      "  topic.metadata.refresh.interval.ms: '500'\n")
    event = setting.names["event"]
    reports = [fleet.report(number, "whole") for number in range(200)]
    setting.produce(reports[:100])
    worker = setting.start()
    setting.wait_for(100)
    cluster.tool("TopicCommand", "--delete", "--topic", event)
    time.sleep(3)
    setting.produce(reports[100:])
    check_equal(worker.wait(60), 5, f"a topic is deleted: {setting.log_tail()}")
    worker = setting.start("--until-end")
    check_equal(worker.wait(60), 5, f"a topic is missing: {setting.log_tail()}")
    check(f"topic '{event}': Broker: Unknown topic" in setting.log_tail(), "it says which")
    cluster.create(event)
    setting.run("--until-end")
    found = [each["key"] for each in setting.consume("event")]
    return Result(len(reports), check_same(set(found), {each.id for each in reports[100:]},
                                           "undelivered: events"),
                  len(found) - len(set(found)))


def check_frozen(cluster, settings, count):
    """SIGTERM ends a worker whose brokers do not answer; the next one does the rest."""
    setting = Setting(cluster, settings, "frozen")
    reports = fleet.fleet(count)
    setting.produce(reports)
    seconds = []
    for options in (), ("--exactly-once", "--slot", "a"):
        worker = setting.start(*options)
        setting.wait_for(count // 50 * (len(seconds) + 1))
        for broker in cluster.brokers:
            broker.process.send_signal(signal.SIGSTOP)
        time.sleep(2)
        worker.send_signal(signal.SIGTERM)
        began = time.monotonic()
        try:
            worker.wait(60)
        except subprocess.TimeoutExpired:
            worker.kill()
        seconds.append(round(time.monotonic() - began, 1))
        for broker in cluster.brokers:
            broker.process.send_signal(signal.SIGCONT)
        cluster.wait(len(cluster.brokers))
    check(max(seconds) <= 12, f"frozen: SIGTERM takes {seconds} s")
    print(f"frozen: stopped after {seconds} s", flush=True)
    setting.run("--until-end")
    return check_outputs(setting, reports)


def check_links(settings):
    """apmtool has no network, the worker no reader of reports."""
    if not shutil.which("ldd"):
        return
    for program, absent in ((settings.program, ("librdkafka", "libssl", "libcurl")),
                            (settings.program.parent / "apmtool-worker", ("libdwarf",))):
        done = subprocess.run(["ldd", program], capture_output=True, check=True)
        for word in absent:
            check(word not in done.stdout.decode(), f"{program.name} links {word}")
    done = subprocess.run(["nm", settings.program.parent / "apmtool-worker"],
                          capture_output=True, check=True)
    for word in ("read_input", "symbolicate", "macho_"):
        check(word not in done.stdout.decode(), f"apmtool-worker has {word}")


def check_options(settings):
    worker = settings.program.parent / "apmtool-worker"
    with tempfile.TemporaryDirectory() as name:
        config = pathlib.Path(name, "worker.yaml")
        conf = pathlib.Path(name, "kafka.conf")
        for text, args, expected in (
                ("", [], "no brokers"),
                ("brokers: a\nkafka: {acks: '0'}\n", [], "'acks' is set by apmtool-worker"),
                ("brokers: a\nkafka: {sasl.password: hunter2}\n", [], "is a secret"),
                ("brokers: a\nkafka: {no.such: '1'}\n", [], "worker.yaml:2"),
                ("brokers: a\ntopic: b\n", [], "unknown field 'topic'"),
                ("brokers: a\n", ["--exactly-once"], "needs --slot"),
                ("brokers: a\n", ["--redact"], "needs --redact-key"),
                ("brokers: a\n", ["operand"], "unexpected operand"),
                ("brokers: a\n", ["--brokers", ""], "no brokers"),
                ("brokers: a\n", ["--group", ""], "--group: the name is empty"),
                ("brokers: a\n", ["--exactly-once", "--slot", ""], "--slot: the name is empty"),
                ("brokers: a\ntopics: {raw: b, dead: b}\n", [], "raw and dead are both 'b'"),
                ("brokers: a\nfilter: [--shape, full]\n", [], "'--shape' is set by"),
                ("brokers: a\nfilter: [--redact]\n", [], "'--redact' is set by"),
                ("brokers: a\n", ["--redrive", "--until-end"], "--redrive ends by itself"),
                ("brokers: a\n", ["--config", name], "is a directory"),
                ("brokers: 127.0.0.1:1\n", ["--dsym", "/none"], "cannot open '/none'"),
                ("brokers: a\n", ["--kafka-conf", conf], "kafka.conf:1: expected name=value")):
            config.write_text(text)
            conf.write_text("hunter2\n")
            done = subprocess.run([worker, "--config", config, *args], capture_output=True,
                                  check=False, timeout=60)
            message = done.stderr.decode()
            check(done.returncode == 2 and expected in message, f"{text!r} {args}: {message}")
            check("hunter2" not in message, f"a secret is in a message: {message}")


def ordinary(settings):
    with tempfile.TemporaryDirectory() as name, kafka.Cluster(name, 1) as cluster:
        check_killed(cluster, settings, 5000, 1)
        check_redacted(cluster, settings)


def mock(settings):
    check_links(settings)
    check_options(settings)
    with tempfile.TemporaryDirectory() as name, \
            kafka.MockCluster(settings.mock, name) as cluster:
        check_mock(cluster, settings)


# Each is called with the cluster, the settings and its own name. `Case.version` is the
# least that librdkafka has to be.
Case = collections.namedtuple("Case", "run version", defaults=((2, 0, 0),))
CASES = {
    "whole": Case(lambda c, s, _: check_whole(c, s, s.reports)),
    "killed": Case(lambda c, s, _: check_killed(c, s, s.reports, 20)),
    "broker": Case(lambda c, s, _: check_broker(c, s, s.reports)),
    "exactly": Case(lambda c, s, _: check_exactly(c, s, s.reports // 2)),
    "fenced": Case(lambda c, s, _: check_fenced(c, s, s.reports // 5)),
    "redrive": Case(lambda c, s, _: check_redrive(c, s, 2000)),
    "large": Case(lambda c, s, _: check_large(c, s)),
    "undelivered": Case(lambda c, s, _: check_undelivered(c, s)),
    "frozen": Case(lambda c, s, _: check_frozen(c, s, s.reports // 5)),
    "symbols": Case(lambda c, s, _: check_symbols(c, s)),
    "paused": Case(lambda c, s, _: check_paused(c, s, s.reports // 10)),
    "rolling": Case(lambda c, s, name: check_rolling(
        c, s, s.reports // 5, name,
        "range" if library_version(s) < COOPERATIVE else "cooperative-sticky")),
    "cooperative": Case(lambda c, s, name: check_rolling(
        c, s, s.reports // 5, name, "cooperative-sticky"), COOPERATIVE),
    "by-brokers": Case(lambda c, s, name: check_rolling(
        c, s, s.reports // 5, name, "uniform", "  group.protocol: consumer\n"), BY_BROKERS),
    "plain": Case(lambda _, s, name: check_secure(s, name, "PLAIN")),
    "scram": Case(lambda _, s, name: check_secure(s, name, "SCRAM-SHA-512"), SCRAM),
}


def run_case(cluster, settings, name):
    """Returns its row of the table."""
    case = CASES[name]
    settings.library = reason = None
    if library_version(settings) < case.version:
        settings.library, reason = kafka.newer_library()
    if reason:
        return f"{name:12} skipped: {reason}"
    began = time.monotonic()
    before = len(failures)
    result = case.run(cluster, settings, name)
    word = "good" if len(failures) == before else "failed"
    version = ".".join(map(str, library_version(settings)))
    return (f"{name:12} {version:>10} {settings.brokers:8} {result.reports:8} {result.lost:5} "
            f"{result.repeats:8} {time.monotonic() - began:8.0f}  {word}")


def run_cluster(settings):
    with tempfile.TemporaryDirectory() as name, kafka.Cluster(name, settings.brokers) as cluster:
        rows = [f"{'case':12} librdkafka  brokers  reports  lost  repeats  seconds"]
        for case in settings.cases or CASES:
            rows.append(run_case(cluster, settings, case))
            print(rows[-1], flush=True)
        cluster.print_cost("done")
    print("\n".join(rows))


def main():
    parser = argparse.ArgumentParser()
    for name in ("--program", "--preload", "--mock"):
        parser.add_argument(name, type=lambda path: pathlib.Path(path).resolve(),
                            required=name == "--program")
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--brokers", type=int, default=3)
    parser.add_argument("--reports", type=int, default=50000)
    parser.add_argument("cases", nargs="*")
    settings = parser.parse_args()
    settings.library = None
    if not (settings.program.parent / "apmtool-worker").exists():
        print("skipped: apmtool-worker was not built: librdkafka-dev is not installed")
        return SKIPPED
    reason = kafka.missing(needs_brokers=not settings.mock)
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    if settings.mock:
        mock(settings)
    elif settings.cluster:
        run_cluster(settings)
    else:
        ordinary(settings)
    print(f"{len(failures)} failures")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
