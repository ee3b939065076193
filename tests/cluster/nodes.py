"""A real OpenSearch cluster on this machine: two JVMs from Maven artifacts, on loopback only."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals
from typing import Any

HERE = Path(__file__).parent
START_SECONDS = 240
HEAP = "512m"


class CannotStart(Exception):
    """Why there is no cluster here, in a sentence."""


@dataclass
class Node:
    """One node. ``stop`` and ``start`` keep its data."""

    name: str
    http: int
    command: list[str]
    output: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                self.command, stdout=output, stderr=output, cwd=self.output.parent
            )

    def stop(self, how: Signals = SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(60)
            self.process = None


@dataclass
class Cluster:
    """The nodes, and what they say of themselves."""

    nodes: list[Node] = field(default_factory=list[Node])

    @property
    def url(self) -> str:
        """What names the cluster for ``--engine``."""
        hosts = ",".join(f"127.0.0.1:{node.http}" for node in self.nodes)
        return f"opensearch+http://{hosts}/bareloop?shards=2"

    def ask(self, path: str) -> Any:
        """An answer of whichever node is there."""
        for node in self.nodes:
            if node.process is None:
                continue
            try:
                with urllib.request.urlopen(
                    f"http://127.0.0.1:{node.http}{path}", timeout=30
                ) as told:
                    return json.load(told)
            except OSError:
                continue
        raise CannotStart(f"no node answers {path}")

    def wait(self, nodes: int = 2, status: str = "green") -> None:
        """Until so many nodes are together and every shard is where it belongs."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if any(
                each.process is not None and each.process.poll() is not None for each in self.nodes
            ):
                raise CannotStart(self._last_words())
            try:
                health = self.ask("/_cluster/health")
            except CannotStart:
                health = {}
            if health.get("number_of_nodes") == nodes and health.get("status") == status:
                return
            time.sleep(0.5)
        raise CannotStart(f"not {status} with {nodes} nodes in {START_SECONDS} s")

    def manager(self) -> Node:
        """The elected node."""
        (told,) = self.ask("/_cat/cluster_manager?format=json")
        return next(each for each in self.nodes if each.name == told["node"])

    def other(self, node: Node) -> Node:
        return next(each for each in self.nodes if each is not node)

    def _last_words(self) -> str:
        return "\n".join(each.output.read_text(errors="replace")[-2000:] for each in self.nodes)


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Two nodes with their data in ``folder``, until the block ends. Raises CannotStart."""
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            raise CannotStart(f"{program} is not installed")
    classes = _classes(folder)
    ports = _free_ports(4)
    transports = ",".join(f"127.0.0.1:{port}" for port in ports[2:])
    made = Cluster()
    for number, name in enumerate(("one", "two")):
        home = folder / name
        home.mkdir()
        settings = {
            "cluster.name": "bareloop-tests",
            "node.name": name,
            "path.home": home,
            "path.data": home / "data",
            "network.host": "127.0.0.1",
            "http.port": ports[number],
            "transport.port": ports[2 + number],
            "transport.type": "netty4",
            "http.type": "netty4",
            "discovery.seed_hosts": transports,
            "cluster.initial_cluster_manager_nodes": "one,two",
            # the disk of whoever runs this may be nearly full, which is not what is tested
            "cluster.routing.allocation.disk.threshold_enabled": "false",
        }
        command = [
            "java", f"-Xms{HEAP}", f"-Xmx{HEAP}", "-XX:+UseSerialGC", "-cp", classes,
            str(HERE / "ClusterNode.java"), *(f"{key}={value}" for key, value in settings.items()),
        ]  # fmt: skip
        made.nodes.append(Node(name, ports[number], command, home / "output"))
    with ExitStack() as running:
        for node in made.nodes:
            node.start()
            running.callback(node.stop, SIGKILL)
        made.wait()
        yield made


def _classes(folder: Path) -> str:
    """The class path that Maven resolves; it may take a while the first time."""
    told = folder / "classes"
    done = subprocess.run(
        ["mvn", "-B", "-q", "-f", str(HERE / "pom.xml"), "dependency:build-classpath",
         "-Dmdep.outputFile=" + str(told)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )  # fmt: skip
    if done.returncode:
        raise CannotStart(f"Maven cannot resolve OpenSearch: {done.stdout[-500:]}")
    return told.read_text().strip()


def _free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
