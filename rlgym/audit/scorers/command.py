"""A command that reads JSON lines and writes JSON lines, in any language."""

from __future__ import annotations

import os
import shlex
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import which

from rlgym.audit.case import Case, Verdict
from rlgym.audit.scorers.base import Progress, ScorerUnavailable, no_progress
from rlgym.audit.scorers.lines import TIMED_OUT, LineProcess, Patience
from rlgym.audit.scorers.process import ProcessOptions, row
from rlgym.audit.scorers.values import read_reward
from rlgym.audit.scorers.worker import CANARY


class CommandScorer:
    """Sends one line `{"prompt", "response", "answer"}` for each case and reads one line `{"reward": number}`, or `{"score": number}`, in order.

    Each of `workers` processes gets every n-th case. A process that ends or exceeds the time limit is started again.
    """

    kind, shape, batched = "command", "JSON lines", False

    def __init__(self, command: str, options: ProcessOptions) -> None:
        self._words = shlex.split(command)
        if not self._words or which(self._words[0]) is None:
            raise ScorerUnavailable(f"there is no program {command.split(' ')[0]!r}")
        self._options = options
        self._folder = tempfile.TemporaryDirectory(prefix="rlgym_audit_")
        self._processes: dict[int, LineProcess] = {}
        self._patience = [Patience(options.seconds) for _ in range(options.workers)]

    def score(self, cases: Sequence[Case], progress: Progress = no_progress) -> list[Verdict]:
        """One verdict for each case."""
        verdicts: dict[int, Verdict] = {}
        stopped = threading.Event()

        def work(number: int) -> None:
            for index in range(number, len(cases), self._options.workers):
                if stopped.is_set():
                    return
                verdicts[index] = self._score_case(number, cases[index])
                progress(1)

        with ThreadPoolExecutor(self._options.workers) as pool:
            try:
                list(pool.map(work, range(self._options.workers)))
            finally:
                stopped.set()
        return [verdicts[index] for index in range(len(cases))]

    def _score_case(self, number: int, case: Case) -> Verdict:
        if number not in self._processes:
            self._processes[number] = LineProcess(self._words, os.environ)
        canary = Path(self._folder.name) / f"{number}_{CANARY}"
        begun = time.perf_counter()
        data = row(case, str(canary))
        reply = self._processes[number].ask({name: data[name] for name in ("prompt", "response", "answer")}, self._patience[number].seconds)
        seconds, executed = time.perf_counter() - begun, canary.exists()
        canary.unlink(missing_ok=True)
        if isinstance(reply, str):
            self._processes.pop(number).stop()
            if reply is TIMED_OUT:
                self._patience[number].timed_out()
            return Verdict(None, f"the command {reply}", seconds, timed_out=reply is TIMED_OUT, executed=executed)
        self._patience[number].finished(seconds)
        reward, error = read_reward(reply)
        return Verdict(reward, error, seconds, executed=executed)

    def close(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            process.stop()
        self._folder.cleanup()
