#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Brokers of Apache Kafka on the loopback, for tests, and what they cost.

    tests/kafka.py            # three brokers: start-up, memory, a round trip each codec
    tests/kafka.py --brokers 1

They need Java 17, kcat, and the jars in build/kafka/jars, where Maven puts them:

    mvn -f tests/tools/kafka.xml dependency:copy-dependencies \\
        -DoutputDirectory=$PWD/build/kafka/jars

Without them the tests are skipped with a word. A broker is also a controller (KRaft);
its files are in a directory of the test's own. tests/tools/librdkafka builds a newer
librdkafka than the one that is installed."""

import argparse
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
JARS = ROOT / "build/kafka/jars"
POM = ROOT / "tests/tools/kafka.xml"
LIBRARY = ROOT / "build/librdkafka/src"
BUILD_LIBRARY = ROOT / "tests/tools/librdkafka"
CLUSTER = "YXBtdG9vbC10ZXN0LTAwMA"
START_SECONDS = 120
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
SKIPPED = 77
MAX_BYTES = 16 << 20


def missing(needs_brokers=True):
    """Why no broker can be started, or the mock not used; None: they can. Jars are
    fetched once."""
    for tool in ("java", "kcat") if needs_brokers else ("kcat",):
        if not shutil.which(tool):
            return f"there is no {tool}"
    if needs_brokers and not any(JARS.glob("kafka_2.13-*.jar")):
        if not shutil.which("mvn"):
            return "there are no jars in build/kafka/jars, and no mvn"
        done = subprocess.run(
            ["mvn", "-q", "-B", "-f", POM, "dependency:copy-dependencies",
             f"-DoutputDirectory={JARS}"], capture_output=True, timeout=300, check=False)
        if done.returncode:
            return "there are no jars in build/kafka/jars, and Maven cannot fetch them"
    return None


def newer_library():
    """The directory of a librdkafka that is newer than the one installed, and None; or
    None, and why there is none. It is built once."""
    if (LIBRARY / "librdkafka.so.1").exists():
        return LIBRARY, None
    for tool in ("npm", "make", "cc"):
        if not shutil.which(tool):
            return None, f"there is no {tool} to build a newer librdkafka with"
    done = subprocess.run([BUILD_LIBRARY], capture_output=True, timeout=600, check=False)
    if done.returncode:
        return None, f"{BUILD_LIBRARY.relative_to(ROOT)} cannot build a newer librdkafka"
    return LIBRARY, None


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def class_path():
    return os.pathsep.join(str(path) for path in sorted(JARS.glob("*.jar")))


def java(*args, heap="256m", **more):
    # One thread compiles, and no more than the first of its two stages.
    return ["java", f"-Xmx{heap}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            *more.get("options", ()), "-cp", class_path(), *map(str, args)]


class Broker:
    def __init__(self, cluster, number):
        self.cluster, self.number = cluster, number
        self.folder = cluster.folder / f"broker{number}"
        self.folder.mkdir()
        self.config = self.folder / "server.properties"
        self.log = self.folder / "log.txt"
        self.process = None

    def start(self):
        log4j = self.folder / "log4j2.yaml"
        log4j.write_text("Configuration:\n  Appenders:\n    Console:\n      name: C\n"
                         "  Loggers:\n    Root:\n      level: WARN\n"
                         "      AppenderRef:\n        - ref: C\n")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                java("kafka.Kafka", self.config,
                     options=[f"-Dlog4j2.configurationFile={log4j}",
                              *self.cluster.java_options]),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait()

    def memory_mb(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0
        line = next(line for line in status.read_text().splitlines()
                    if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024


class MockCluster:
    """The same of librdkafka's mock, in a process of its own (tests/tools/mock_kafka.c)."""
    session_ms = 6000

    def __init__(self, program, folder, brokers=3):
        self.program, self.folder, self.brokers = program, pathlib.Path(folder), brokers

    def __enter__(self):
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [self.program, str(self.brokers)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        self.servers = self.unguarded = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.communicate(timeout=60)

    def create(self, *topics, **_):
        for topic in topics:
            print(topic, file=self.process.stdin, flush=True)
            if self.process.stdout.readline().strip() != topic:
                raise SystemExit(f"the mock has no topic {topic}")


class Cluster:
    """A context: brokers that are ready. `more` is added to their properties."""
    # The least that brokers allow.
    session_ms = 6000

    def __init__(self, folder, brokers=3, more="", listener="PLAINTEXT", scram=()):
        self.folder = pathlib.Path(folder)
        self.listener = listener
        self.java_options = ()
        ports = free_ports(2 * brokers)
        self.ports, controllers = ports[:brokers], ports[brokers:]
        self.servers = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        voters = ",".join(f"{i + 1}@127.0.0.1:{port}" for i, port in enumerate(controllers))
        copies = min(3, brokers)
        self.copies = copies
        self.brokers = [Broker(self, i + 1) for i in range(brokers)]
        self.plain = None
        protocols = "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"
        if listener != "PLAINTEXT":
            protocols += f",{listener}:{listener}"
        for broker, port, controller in zip(self.brokers, self.ports, controllers):
            listeners = f"{listener}://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}"
            if listener != "PLAINTEXT":
                plain = free_ports(1)[0]
                self.plain = self.plain or f"127.0.0.1:{plain}"
                listeners += f",PLAINTEXT://127.0.0.1:{plain}"
            broker.config.write_text(f"""process.roles=broker,controller
node.id={broker.number}
controller.quorum.voters={voters}
listeners={listeners}
controller.listener.names=CONTROLLER
listener.security.protocol.map={protocols}
inter.broker.listener.name=PLAINTEXT
log.dirs={broker.folder}/data
num.partitions=4
default.replication.factor={copies}
min.insync.replicas={max(1, copies - 1)}
offsets.topic.replication.factor={copies}
offsets.topic.num.partitions=4
transaction.state.log.replication.factor={copies}
transaction.state.log.min.isr={max(1, copies - 1)}
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor={copies}
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
message.max.bytes={MAX_BYTES}
replica.fetch.max.bytes={MAX_BYTES}
num.network.threads=2
num.io.threads=2
auto.create.topics.enable=false
{more}
""")
        added = [word for each in scram for word in ("--add-scram", each)]
        for broker in self.brokers:
            done = subprocess.run(
                java("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", broker.config,
                     *added), capture_output=True, check=False, timeout=60)
            if done.returncode:
                raise SystemExit(f"cannot format: {(done.stdout + done.stderr).decode()}")

    def __enter__(self):
        self.began = time.monotonic()
        for broker in self.brokers:
            broker.start()
        self.wait(len(self.brokers))
        self.start_seconds = time.monotonic() - self.began
        self.print_cost("ready")
        return self

    def __exit__(self, *_):
        for broker in self.brokers:
            if broker.process and broker.process.poll() is None:
                broker.process.kill()
                broker.process.wait()

    def print_cost(self, what):
        memory = [round(broker.memory_mb()) for broker in self.brokers]
        print(f"Kafka: {len(self.brokers)} brokers {what} after {self.start_seconds:.1f} s, "
              f"memory {memory} MB", flush=True)

    @property
    def unguarded(self):
        """Where the tests themselves go in."""
        return self.plain or self.servers

    def wait(self, count):
        while True:
            done = subprocess.run(["kcat", "-L", "-b", self.unguarded, "-m", "5"],
                                  capture_output=True, check=False)
            if f" {count} brokers:".encode() in done.stdout:
                return
            if time.monotonic() - self.began > START_SECONDS or \
                    any(b.process.poll() is not None for b in self.brokers):
                logs = "".join(b.log.read_text()[-2000:] for b in self.brokers)
                raise SystemExit(f"the brokers did not start:\n{logs}")
            time.sleep(0.2)

    def tool(self, name, *args):
        # Not all of them have moved.
        main_class = name if name.startswith("kafka.") else f"org.apache.kafka.tools.{name}"
        done = subprocess.run(
            java(main_class, "--bootstrap-server", self.unguarded, *args),
            capture_output=True, check=False, timeout=120)
        if done.returncode:
            raise SystemExit(f"{name} {args}: {(done.stdout + done.stderr).decode()}")
        return done.stdout.decode()

    def create(self, *topics, partitions=4, **config):
        """A JVM for each would take two seconds: several in one go by a script."""
        args = [word for key, value in config.items()
                for word in ("--config", f"{key.replace('_', '.')}={value}")]
        for topic in topics:
            self.tool("TopicCommand", "--create", "--topic", topic, "--partitions", partitions,
                      "--replication-factor", self.copies, *args)


def produce(servers, topic, values, codec="none", *more):
    """Values without newlines, a message each."""
    subprocess.run(["kcat", "-P", "-b", servers, "-t", topic, "-z", codec, *more],
                   input=b"".join(value + b"\n" for value in values), check=True, timeout=300)


def stored_codecs(cluster, topic):
    """The codecs of the batches of a topic, as they are stored: the lowest three bits of
    a batch's attributes."""
    found = set()
    for path in cluster.folder.glob(f"broker*/data/{topic}-*/*.log"):
        data = path.read_bytes()
        while data:
            found.add(CODECS[int.from_bytes(data[21:23], "big") & 7])
            data = data[12 + int.from_bytes(data[8:12], "big"):]
    return found


def check_codecs(cluster):
    """A round trip of the installed librdkafka, and whether it was stored compressed."""
    version = subprocess.run(["kcat", "-V"], capture_output=True, check=True).stdout.decode()
    print("librdkafka", version.split("librdkafka ")[1].split()[0])
    failed = 0
    for codec in CODECS:
        topic = f"codec-{codec}"
        cluster.create(topic, partitions=1)
        values = [b"%d:%s" % (i, b"report " * 200) for i in range(1000)]
        produce(cluster.unguarded, topic, values, codec)
        done = subprocess.run(["kcat", "-C", "-b", cluster.unguarded, "-t", topic, "-e", "-q"],
                              capture_output=True, check=True, timeout=60)
        whole = done.stdout.splitlines() == values
        stored = stored_codecs(cluster, topic)
        good = whole and stored == {codec}
        failed += not good
        print(f"{codec}: {'good' if good else 'failed'}, stored as {', '.join(sorted(stored))}")
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--brokers", type=int, default=3)
    settings = parser.parse_args()
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder, \
            Cluster(folder, settings.brokers) as cluster:
        failed = check_codecs(cluster)
        cluster.print_cost("done")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
