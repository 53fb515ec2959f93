"""vLLM servers started by Ray, on a cluster or on this machine."""

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
from rlgym.train.config.sections import TrainError
from rlgym.train.rollout.engines.vllm_worker import EXTENSION

VLLM = (sys.executable, "-m", "vllm.entrypoints.openai.api_server")


@dataclass(frozen=True)
class ServerGroup:
    """Servers that belong to a run and stop with it."""

    urls: list[str]
    close: Callable[[], None]


class Server:
    """One server, as a Ray actor: Ray decides on which machine and GPUs it runs."""

    def __init__(self, command: Sequence[str]) -> None:
        import ray

        host = str(ray.util.get_node_ip_address())
        with socket.socket() as free:
            free.bind((host, 0))
            port = free.getsockname()[1]
        self._url = f"http://{host}:{port}"
        settings = {"VLLM_SERVER_DEV_MODE": "1"}
        self._log = tempfile.NamedTemporaryFile("w+", suffix=".log")  # noqa: SIM115 - it stays open as long as the server runs
        self._process = subprocess.Popen(
            [*command, "--host", host, "--port", str(port)],
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env=os.environ | settings,
            start_new_session=True,
        )

    def url(self, timeout_seconds: float) -> str:
        """The address of the server, once it responds. Raises RuntimeError with the end of its log if it exits before."""
        deadline = time.monotonic() + timeout_seconds
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server exited with {self._process.returncode}: {Path(self._log.name).read_text()[-2000:]}")
            try:
                urllib.request.urlopen(f"{self._url}/health", timeout=5).close()
                return self._url
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        raise RuntimeError(f"the server did not respond within {timeout_seconds:g} s: {Path(self._log.name).read_text()[-2000:]}")

    def stop(self) -> None:
        """Stop the server."""
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(20)
        # Its child processes may outlive it, especially if it is stopped during start-up.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._log.close()


def start_servers(
    folder: str,
    *,
    max_seq_len: int,
    max_num_seqs: int,
    filtered: bool,
    num_servers: int = 1,
    gpus_per_server: float = 1.0,
    cpus_per_server: float = 1.0,
    address: str | None = None,
    extra_args: Sequence[str] = (),
    command: Sequence[str] = VLLM,
    timeout_seconds: float = 900.0,
) -> ServerGroup:
    """Start vLLM servers with Ray.

    num_servers      number of servers; each takes `gpus_per_server` and `cpus_per_server` of Ray's resources
    address          address of the cluster, "auto" for one running on this machine; by default a new one on this machine
    extra_args       further arguments of `vllm serve`
    timeout_seconds  time limit for a server to start

    The servers listen on the cluster's network without authentication: restrict access to that network. The model's folder, the
    folder for weights and the packages rlgym and vllm must be available on all machines. Raises PackageMissing without Ray, and
    TrainError if a server does not start.
    """
    try:
        import ray
    except ImportError:
        raise PackageMissing(
            "rollout.engine_options.ray needs the package ray: `pip install 'rlvrgym[ray]'`, or start servers yourself and set urls"
        ) from None
    if num_servers < 1:
        raise TrainError(f"rollout.engine_options.ray.num_servers must be at least 1, got {num_servers!r}")
    started_ray = not ray.is_initialized()
    if started_ray:
        # By default Ray lowers the priority of its workers, and a server would starve next to the trainer.
        os.environ.setdefault("RAY_worker_niceness", "0")
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    logprobs_mode = "raw_logprobs" if filtered else "processed_logprobs"
    args = ["--model", folder, "--max-model-len", str(max_seq_len), "--max-num-seqs", str(max_num_seqs), "--logprobs-mode", logprobs_mode]
    args += ["--generation-config", "vllm", "--worker-extension-cls", EXTENSION, *extra_args]
    actors = [ray.remote(num_gpus=gpus_per_server, num_cpus=cpus_per_server)(Server).remote([*command, *args]) for _ in range(num_servers)]
    return _wait_until_ready(ray, actors, started_ray, timeout_seconds)


def _wait_until_ready(ray: Any, actors: Sequence[Any], started_ray: bool, timeout_seconds: float) -> ServerGroup:
    """The servers once all of them respond; if one does not, all are stopped. `started_ray`: Ray itself was started for them."""

    def close() -> None:
        ray.wait([actor.stop.remote() for actor in actors], num_returns=len(actors), timeout=30)
        for actor in actors:
            ray.kill(actor)
        if started_ray:
            ray.shutdown()

    try:
        return ServerGroup(ray.get([actor.url.remote(timeout_seconds) for actor in actors], timeout=timeout_seconds + 60), close)
    except (ray.exceptions.RayError, TimeoutError) as error:
        resources = ray.cluster_resources()
        close()
        raise TrainError(
            f"Ray, with {resources.get('GPU', 0):g} GPUs and {resources.get('CPU', 0):g} CPUs, did not start all of {len(actors)} vLLM servers: "
            f"{str(error)[-1500:]}"
        ) from None
    except BaseException:
        close()
        raise
