"""vLLM servers started by Ray, on the machines of a cluster or on this one."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlgym.core.errors import PackageMissing
from rlgym.train.config import TrainError
from rlgym.train.rollout.vllm_worker import EXTENSION

VLLM = (sys.executable, "-m", "vllm.entrypoints.openai.api_server")


@dataclass(frozen=True)
class Farm:
    """Servers that belong to a run, and end with it."""

    urls: list[str]
    close: Callable[[], None]


class Server:
    """One server, as an actor: it runs where Ray puts it, and with the GPUs that Ray gives it."""

    def __init__(self, command: Sequence[str]) -> None:
        import ray

        host = str(ray.util.get_node_ip_address())
        with socket.socket() as free:
            free.bind((host, 0))
            port = free.getsockname()[1]
        self._url = f"http://{host}:{port}"
        settings = {"VLLM_SERVER_DEV_MODE": "1"}
        self._log = tempfile.NamedTemporaryFile("w+", suffix=".log")  # noqa: SIM115 - it lives as long as the server
        self._process = subprocess.Popen(
            [*command, "--host", host, "--port", str(port)],
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env=os.environ | settings,
            start_new_session=True,
        )

    def url(self, seconds: float) -> str:
        """Where it listens, once it does. Raises RuntimeError with the end of its log if it ends before."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RuntimeError(f"it ended with {self._process.returncode}: {Path(self._log.name).read_text()[-2000:]}")
            try:
                urllib.request.urlopen(f"{self._url}/health", timeout=5).close()
                return self._url
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        raise RuntimeError(f"it did not answer within {seconds:g} s: {Path(self._log.name).read_text()[-2000:]}")

    def stop(self) -> None:
        """End the server."""
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(20)
        # Its own processes may outlive it, above all one that was ended before it had begun.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._log.close()


def farm(
    folder: str,
    *,
    context: int,
    rows: int,
    filters: bool,
    servers: int = 1,
    gpus: float = 1.0,
    cpus: float = 1.0,
    address: str | None = None,
    arguments: Sequence[str] = (),
    command: Sequence[str] = VLLM,
    seconds: float = 900.0,
) -> Farm:
    """Start vLLM servers with Ray.

    servers    how many; each takes `gpus` and `cpus` of what Ray has
    address    the cluster's, "auto" for one that runs on this machine; by default a new one on this machine
    arguments  further arguments of `vllm serve`
    seconds    how long a server may take until it answers

    They listen where the machines of the cluster see each other, to whoever asks: keep others out of that network. The model's folder,
    the exchange of weights and the packages rlgym and vllm must be there on all machines. Raises PackageMissing without Ray, and
    TrainError where a server does not start.
    """
    try:
        import ray
    except ImportError:
        raise PackageMissing(
            "rollout.options.ray needs the package ray: `pip install 'rlvrgym[ray]'`, or start servers and give urls"
        ) from None
    if servers < 1:
        raise TrainError(f"rollout.options.ray.servers must be 1 or more, got {servers!r}")
    ours = not ray.is_initialized()
    if ours:
        # Ray gives way to all other programs unless it is told not to, and a server would starve beside the trainer.
        os.environ.setdefault("RAY_worker_niceness", "0")
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    shown = "raw_logprobs" if filters else "processed_logprobs"
    wanted = ["--model", folder, "--max-model-len", str(context), "--max-num-seqs", str(rows), "--logprobs-mode", shown]
    wanted += ["--generation-config", "vllm", "--worker-extension-cls", EXTENSION, *arguments]
    actors = [ray.remote(num_gpus=gpus, num_cpus=cpus)(Server).remote([*command, *wanted]) for _ in range(servers)]
    return _gathered(ray, actors, ours, seconds)


def _gathered(ray: Any, actors: Sequence[Any], ours: bool, seconds: float) -> Farm:
    """The servers once all of them answer; where one does not, all are ended. `ours` says that Ray itself was started for them."""

    def close() -> None:
        ray.wait([actor.stop.remote() for actor in actors], num_returns=len(actors), timeout=30)
        for actor in actors:
            ray.kill(actor)
        if ours:
            ray.shutdown()

    try:
        return Farm(ray.get([actor.url.remote(seconds) for actor in actors], timeout=seconds + 60), close)
    except (ray.exceptions.RayError, TimeoutError) as error:
        have = ray.cluster_resources()
        close()
        raise TrainError(
            f"Ray, which has {have.get('GPU', 0):g} GPUs and {have.get('CPU', 0):g} CPUs, did not start all of {len(actors)} vLLM servers: "
            f"{str(error)[-1500:]}"
        ) from None
    except BaseException:
        close()
        raise
