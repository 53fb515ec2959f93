"""One hardened container with a warm interpreter in it, and the stream that it is talked to over."""

from __future__ import annotations

import contextlib
import os
import platform
import secrets
import socket
import struct
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox.docker import image
from rlgym.sandbox.docker.inside import wire
from rlgym.sandbox.interface import RunResult, SandboxError
from rlgym.sandbox.process.backend import EncodedJob
from rlgym.sandbox.process.run_channel import WALL_EXTRA, WALL_FACTOR

RUNTIME, MEMORY = "RLGYM_DOCKER_RUNTIME", "RLGYM_DOCKER_MEMORY_MB"
LABEL = "rlgym.sandbox"
PID, STARTED, MACHINE = f"{LABEL}.owner.pid", f"{LABEL}.owner.started", f"{LABEL}.owner.machine"
STARTING, ANSWERING, GRACE = 60.0, 10.0, 40.0  # seconds that a start, a ping, and the end of a run beyond its wall time may take
IDLE = 10.0  # seconds after which a container must answer a ping before it receives a run
OVERHEAD_MB, PROCESSES, SCRATCH_MB = 256, 128, 16
USERS = (20000, 60000)  # limits on processes count per user, so that every container has one of its own
MOST_WORDS = 4000


def connected() -> Any:
    """A client of the daemon that DOCKER_HOST, or the default, names. SandboxError with the reason where none answers."""
    try:
        import docker
    except ImportError:
        raise SandboxError("the docker backend needs the package docker: pip install 'rlvrgym[docker]'") from None
    where = os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
    try:
        if where.startswith("unix://"):
            with socket.socket(socket.AF_UNIX) as probe:
                probe.settimeout(ANSWERING)
                probe.connect(where.removeprefix("unix://"))
        return docker.from_env(timeout=60)
    except PermissionError:
        why = f"this user may not talk to the Docker daemon at {where}: join the group that owns the socket"
    except (FileNotFoundError, ConnectionError, TimeoutError):
        why = f"no Docker daemon answers at {where}: start one, or say with DOCKER_HOST where it is"
    except (docker.errors.DockerException, OSError, ValueError) as error:
        why = f"the Docker daemon at {where} cannot be used: {error}"
    raise SandboxError(why)


class Container:
    """A container of the image, started and ready; serves one run at a time.

    `lost` says that it is of no more use. SandboxError where it cannot be started.
    """

    def __init__(self, client: Any, memory_mb: int = 0, runtime: str = "") -> None:
        import docker

        self.runs, self.lost, self.spoke = 0, False, time.monotonic()
        self.memory_mb = memory_mb or number(MEMORY, 2048)
        self._api, self._id, self._words = client.api, "", ""
        self._stream: Any = None
        self._heard, self._said = bytearray(), bytearray()
        try:
            try:
                self._id = self._api.create_container_from_config(self._config(runtime or os.environ.get(RUNTIME, "")))["Id"]
                params = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
                self._stream = self._api.attach_socket(self._id, params=params)
                self._socket: Any = getattr(self._stream, "_sock", self._stream)
                self._api.start(self._id)
            except docker.errors.ImageNotFound:
                raise SandboxError(f"there is no image {image.name()!r}: make it with `rlgym sandbox image`") from None
            except (docker.errors.DockerException, OSError) as error:
                raise SandboxError(f"a container could not be started: {error}") from None
            ready = self._answer(STARTING, 1 << 16)
            if "tier" not in ready:
                raise SandboxError(f"the warm interpreter in a container could not be confined: {ready.get('why')}")
            if ready.get("version") != image.version():
                raise SandboxError(f"the image {image.name()!r} is of another version: make it anew with `rlgym sandbox image`")
            self.tier, self.python = str(ready["tier"]), str(ready["python"])
            self.languages = tuple(map(str, ready["languages"]))
        except BaseException:
            self.close()
            raise

    def run(self, job: EncodedJob, limits: Limits) -> RunResult:
        """What a run gives there. SandboxError, and `lost`, where the container is no longer there or talks nonsense."""
        if limits.memory_mb + OVERHEAD_MB > self.memory_mb:
            raise SandboxError(
                f"a run that may use {limits.memory_mb} MB needs containers of {limits.memory_mb + OVERHEAD_MB} MB: set {MEMORY}, now {self.memory_mb}"
            )
        self.runs += 1
        self._send(wire.frame(wire.encode_run(job, limits)))
        reply = self._answer(WALL_FACTOR * limits.seconds + WALL_EXTRA + GRACE, wire.most(len(job.inputs), limits))
        if "broken" in reply:
            raise SandboxError(str(reply["broken"]))
        try:
            return wire.result(reply)
        except ValueError as error:
            self.lost = True
            raise SandboxError(f"a container answered with something else than a result: {str(error)[:100]}") from None

    def alive(self) -> bool:
        """Whether it answers. A container that answered recently is not probed again."""
        if self.lost or time.monotonic() - self.spoke < IDLE:
            return not self.lost
        question = secrets.randbits(48)
        try:
            self._send(wire.frame({"ping": question}))
            self.lost = self._answer(ANSWERING, 1 << 16).get("pong") != question
        except SandboxError:
            self.lost = True
        return not self.lost

    def rests(self) -> bool:
        """Never: a container has memory of its own, so it never uses more than its limit."""
        return False

    def facts(self) -> dict[str, Any]:
        """What the daemon says of it."""
        return dict(self._api.inspect_container(self._id))

    def close(self) -> None:
        """End and remove it, whatever runs there. Closing its input would do, but takes until nothing runs there any more."""
        self.lost = True
        if self._stream is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(OSError, AttributeError):
                self._stream._response.close()
            with contextlib.suppress(OSError):
                self._stream.close()
            self._stream = None
        if self._id:
            removed(self._api, self._id)
            self._id = ""

    def _config(self, runtime: str) -> dict[str, Any]:
        megabytes = self.memory_mb << 20
        environment = {wire.OWN_KERNEL: "1"} if "runsc" in runtime else {}
        user = USERS[0] + secrets.randbelow(USERS[1] - USERS[0])
        host = self._api.create_host_config(
            auto_remove=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            network_mode="none",
            ipc_mode="none",
            read_only=True,
            tmpfs={"/tmp": f"size={SCRATCH_MB}m,mode=1777,nosuid,nodev,noexec"},
            mem_limit=megabytes,
            memswap_limit=megabytes,
            pids_limit=PROCESSES,
            ulimits=[{"Name": "core", "Soft": 0, "Hard": 0}, {"Name": "nofile", "Soft": 4096, "Hard": 4096}],
            log_config={"Type": "none"},
            runtime=runtime or None,
        )
        return dict(
            self._api.create_container_config(
                image.name(),
                None,
                user=f"{user}:{user}",
                environment=environment,
                stdin_open=True,
                host_config=host,
                network_disabled=True,
                labels={LABEL: image.version(), **owner()},
                healthcheck={"test": ["NONE"]},
            ),
            StdinOnce=True,
            AttachStdin=True,
            AttachStdout=True,
            AttachStderr=True,
        )

    def _send(self, data: bytes) -> None:
        try:
            self._socket.settimeout(STARTING)
            self._socket.sendall(data)
        except OSError as error:
            self.lost = True
            raise SandboxError(f"a container is gone: {error}{self._ended()}") from None

    def _answer(self, seconds: float, most: int) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        try:
            message = wire.read(lambda count: self._exactly(count, deadline), most)
        except TimeoutError:
            why = f"a container did not answer within {seconds:.0f} seconds"
        except (OSError, EOFError) as error:
            why = f"a container ended while it was needed{f': {error}' if str(error) else ''}"
        except ValueError as error:
            why = f"a container sent something else than an answer: {str(error)[:100]}"
        except BaseException:
            self.lost = True
            raise
        else:
            self.spoke = time.monotonic()
            return message
        self.lost = True
        raise SandboxError(why + self._ended())

    def _exactly(self, count: int, deadline: float) -> bytes:
        """So many bytes of its standard output; what comes over standard error meanwhile is kept for messages."""
        while len(self._said) < count:
            while len(self._heard) >= 8 and len(self._heard) >= 8 + (size := struct.unpack_from("!I", self._heard, 4)[0]):
                if self._heard[0] == 2:
                    self._words = (self._words + self._heard[8 : 8 + size].decode("utf-8", "replace"))[-MOST_WORDS:]
                else:
                    self._said += self._heard[8 : 8 + size]
                del self._heard[: 8 + size]
            if len(self._said) >= count:
                break
            self._socket.settimeout(max(0.001, deadline - time.monotonic()))
            piece = self._socket.recv(1 << 18)
            if not piece:
                raise EOFError
            self._heard += piece
        data = bytes(self._said[:count])
        del self._said[:count]
        return data

    def _ended(self) -> str:
        last = self._words.strip().split("\n")[-1]
        return f" ({last[:300]})" if last else ""


def number(variable: str, otherwise: int) -> int:
    """What an environment variable says, where it is set. SandboxError for anything but a whole number from 1 on."""
    text = os.environ.get(variable) or str(otherwise)
    if not (text.isascii() and text.isdigit() and int(text)):
        raise SandboxError(f"{variable} must be a whole number from 1 on, got {text!r}")
    return int(text)


def removed(api: Any, identity: str) -> None:
    """End and remove a container, if it is still there."""
    import docker

    with contextlib.suppress(docker.errors.DockerException, OSError):
        api.remove_container(identity, force=True, v=True)


def orphans(client: Any) -> list[str]:
    """The containers on this daemon whose owners were processes of this machine and are gone."""
    containers = client.api.containers(all=True, filters={"label": [LABEL]})
    mine = [container for container in containers if container["Labels"].get(MACHINE) == _machine()]
    return [container["Id"] for container in mine if _started(int(container["Labels"].get(PID, 0))) != container["Labels"].get(STARTED)]


def owner() -> dict[str, str]:
    """Labels that say which process a container is of; a number alone may be another's by now."""
    return {PID: str(os.getpid()), STARTED: _started(os.getpid()), MACHINE: _machine()}


def _started(pid: int) -> str:
    """When a process began, as this machine tells it; nothing where there is none."""
    if sys.platform != "linux":
        return subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout.strip()
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]


@cache
def _machine() -> str:
    """This boot of this machine, and the name space that its process numbers are of."""
    if sys.platform != "linux":
        return platform.node()
    return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()} {os.readlink('/proc/self/ns/pid')}"
