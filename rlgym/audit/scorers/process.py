"""A Python function or one of our environments, scored in child processes with limits on time and memory."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rlgym
from rlgym.audit.case import Case, Verdict
from rlgym.audit.scorers.base import Progress, ScorerUnavailable, no_progress
from rlgym.audit.scorers.lines import TIMED_OUT, LineProcess, Patience
from rlgym.audit.scorers.values import short
from rlgym.audit.scorers.worker import CANARY

START_SECONDS = 120.0
"""How long a scorer may take to be imported."""


@dataclass(frozen=True)
class ProcessOptions:
    """How a scorer is run.

    seconds      wall-clock limit of one call; the process is killed and started again after it. The limit falls where many calls reach it
    memory_mb    address space that a call may use beyond what the process has after importing the scorer
    hash_seed    PYTHONHASHSEED of the processes
    thread       whether the scorer is called outside the main thread
    batch        responses in one call of a batched scorer
    data_source  the `data_source` that verl-style functions receive
    chat         whether TRL-style functions receive lists of messages
    """

    seconds: float = 5.0
    memory_mb: int = 2048
    workers: int = 2
    hash_seed: int = 0
    thread: bool = False
    batch: int = 1
    data_source: str = "openai/gsm8k"
    chat: bool = False


class ProcessScorer:
    """Runs the scorer in `workers` child processes. Cases are assigned to processes by their index, so that runs repeat exactly."""

    def __init__(self, path: str, options: ProcessOptions, environment: str = "") -> None:
        self.kind = "environment" if environment else "python"
        self._folder = tempfile.TemporaryDirectory(prefix="rlgym_audit_")
        self._children = [
            Child(path, options, environment, str(Path(self._folder.name) / f"{number}_{CANARY}")) for number in range(options.workers)
        ]
        self._options = options
        try:
            started = self._children[0].start()
        except ScorerUnavailable:
            self._folder.cleanup()
            raise
        self.shape, self.batched = started["shape"], started["batched"]

    def score(self, cases: Sequence[Case], progress: Progress = no_progress) -> list[Verdict]:
        """One verdict for each case."""
        size = self._options.batch if self.batched else 1
        batches = [list(range(first, min(first + size, len(cases)))) for first in range(0, len(cases), size)]
        verdicts: list[Verdict | None] = [None] * len(cases)
        stopped = threading.Event()

        def work(number: int) -> None:
            for batch in batches[number :: len(self._children)]:
                if stopped.is_set():
                    return
                for index, verdict in zip(batch, self._children[number].score([cases[index] for index in batch])):
                    verdicts[index] = verdict
                progress(len(batch))

        with ThreadPoolExecutor(len(self._children)) as pool:
            try:
                list(pool.map(work, range(len(self._children))))
            finally:
                stopped.set()  # after an interrupt the other children end too
        return [verdict for verdict in verdicts if verdict is not None]

    @property
    def canary_files(self) -> list[str]:
        """The file that executed text creates, for each process."""
        return [child.canary for child in self._children]

    def close(self) -> None:
        """End all processes."""
        for child in self._children:
            child.stop()
        self._folder.cleanup()


@dataclass
class Child:
    """One child process, started on demand."""

    path: str
    options: ProcessOptions
    environment: str
    canary: str
    _process: LineProcess | None = None

    def __post_init__(self) -> None:
        self._patience = Patience(self.options.seconds)

    def start(self) -> dict[str, Any]:
        """Start the process; returns what it says about the scorer. ScorerUnavailable if it cannot be loaded."""
        root = str(Path(rlgym.__file__).parents[1])
        path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
        environment = {**os.environ, "PYTHONHASHSEED": str(self.options.hash_seed), "PYTHONPATH": path}
        self._process = LineProcess([sys.executable, "-m", "rlgym.audit.scorers.worker"], environment)
        config = {
            "path": self.path, "environment": self.environment, "folder": os.getcwd(), "memory_mb": self.options.memory_mb,
            "canary": self.canary, "data_source": self.options.data_source, "chat": self.options.chat,
        }  # fmt: skip
        reply = self._process.ask(config, START_SECONDS)
        if not isinstance(reply, dict) or "failed" in reply:
            self.stop()
            raise ScorerUnavailable(reply["failed"] if isinstance(reply, dict) else f"importing {self.path!r} {reply}")
        return reply

    def score(self, cases: Sequence[Case]) -> list[Verdict]:
        """The verdicts of one request. A process that exceeds its time or ends is replaced."""
        if self._process is None:
            self.start()
        assert self._process is not None
        begun = time.perf_counter()
        request = {"rows": [row(case, self.canary) for case in cases], "thread": self.options.thread}
        reply = self._process.ask(request, self._patience.seconds * len(cases))
        verdicts = _verdicts(reply.get("verdicts"), len(cases)) if isinstance(reply, dict) else None
        if verdicts is not None:
            self._patience.finished((time.perf_counter() - begun) / len(cases))
            return verdicts
        if not isinstance(reply, str):  # the scorer reached what writes the replies
            reply = f"ended with a reply that is none of ours: {short(reply)}"
        seconds = time.perf_counter() - begun
        self.stop()
        if reply is TIMED_OUT:
            self._patience.timed_out()
        executed = Path(self.canary).exists()
        return [Verdict(None, f"the call {reply}", seconds, timed_out=reply is TIMED_OUT, executed=executed) for _ in cases]

    def stop(self) -> None:
        """Kill the process."""
        if self._process is not None:
            self._process.stop()
            self._process = None


def _verdicts(found: Any, count: int) -> list[Verdict] | None:
    """As many verdicts as there are cases; None where the reply is not one that the worker writes."""
    try:
        verdicts = [Verdict(**each) for each in found]
    except TypeError:
        return None
    sound = all(
        isinstance(each.reward, float | None) and isinstance(each.error, str)
        and isinstance(each.seconds, float) and isinstance(each.memory_mb, float)
        for each in verdicts
    )  # fmt: skip
    return verdicts if sound and len(verdicts) == count else None


def row(case: Case, canary: str) -> dict[str, Any]:
    """What a scorer receives of a case; executed text of the response would create the file `canary`."""
    return {
        "prompt": case.prompt, "response": case.response.replace(CANARY_FILE, canary), "answer": case.answer, "context": dict(case.context)
    }  # fmt: skip


CANARY_FILE = "{canary_file}"
"""Stands in a response for the file that the executed text would create."""
