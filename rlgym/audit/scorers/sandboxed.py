"""A Python function of which nothing runs outside the sandbox: neither the import of its file nor its calls."""

from __future__ import annotations

import contextlib
import inspect
import json
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rlgym.audit.case import Case, Verdict
from rlgym.audit.scorers import in_sandbox, values
from rlgym.audit.scorers.base import Progress, ScorerUnavailable, no_progress
from rlgym.audit.scorers.lines import Patience
from rlgym.audit.scorers.process import ProcessOptions, row
from rlgym.audit.scorers.shapes import Shape, UnknownShape, recognise
from rlgym.audit.scorers.worker import CANARY
from rlgym.sandbox import Limits, Returned, RunResult, SandboxError, Stop, get_runner

FUTURE = "from __future__ import annotations\n"
IMPORT = "from rlgym.audit.scorers.values import as_function, raised, read_reward, short\n"
CALLS = 32
"""Calls of one run, which share its limits; a call that was not answered is repeated alone."""
TRIES = 4
"""Runs of the same calls, if the sandbox fails."""
LEAST_SECONDS = 1.0
"""To which the limit falls at most where many calls reach it; a run starts an interpreter in this time."""
PATH = f"/tmp/{CANARY}"


class SandboxScorer:
    """Scores in `rlgym.sandbox`: `package.module:function` or `file.py:function`, a file that imports only the standard library.

    ScorerUnavailable if the function cannot be loaded there, has no known shape, or the sandbox cannot be started.
    """

    kind = "sandbox"

    def __init__(self, path: str, options: ProcessOptions) -> None:
        self._options = options
        self._patience = Patience(options.seconds, LEAST_SECONDS)
        get_runner(self._limits())
        place, _, name = path.rpartition(":")
        file = find_source(place)
        self._program = program(file.read_text(encoding="utf-8"), file.name, name)
        self._shape = self._recognise(path)
        self.shape, self.batched = self._shape.name, self._shape.batched

    def _recognise(self, path: str) -> Shape:
        answer = self._run("describe", [()]).answer()
        if not isinstance(answer, Returned):
            raise ScorerUnavailable(f"{path!r} cannot be loaded in the sandbox: {answer.name}: {answer.reason}")
        found = json.loads(answer.value)
        if isinstance(found, str):
            raise ScorerUnavailable(found)
        parameters = [
            inspect.Parameter(name, inspect._ParameterKind[kind], default=None if optional else inspect.Parameter.empty)
            for name, kind, optional in found
        ]
        try:
            return recognise(_WithSignature(inspect.Signature(parameters)), self._options.data_source, self._options.chat)
        except UnknownShape as error:
            raise ScorerUnavailable(str(error)) from None

    def score(self, cases: Sequence[Case], progress: Progress = no_progress) -> list[Verdict]:
        """One verdict for each case, in order."""
        size = self._options.batch if self.batched else 1
        calls = [list(cases[first : first + size]) for first in range(0, len(cases), size)]
        runs = [calls[first : first + CALLS] for first in range(0, len(calls), CALLS)]
        lock = threading.Lock()

        def work(run: list[list[Case]]) -> list[Verdict]:
            found = self._verdicts(run)
            with lock:
                progress(len(found))
            return found

        with ThreadPoolExecutor(self._options.workers) as pool:
            return [verdict for found in pool.map(work, runs) for verdict in found]

    def _verdicts(self, calls: Sequence[list[Case]]) -> list[Verdict]:
        """The verdicts of all calls. After a run that ended early, the first call without an answer runs alone, then the rest together."""
        verdicts: list[Verdict] = []
        left = list(calls)
        while left:
            result = self._run("call", [(self._request(call),) for call in left])
            answered = [answer for answer in result.outputs if isinstance(answer, Returned)][: len(left)]
            for call, answer in zip(left, answered):
                verdicts += self._read(answer.value, len(call))
            left = left[len(answered) :]
            if left and (result.stopped_by is not Stop.FINISHED or not answered):
                verdicts += self._alone(left.pop(0))
        return verdicts

    def _alone(self, call: list[Case]) -> list[Verdict]:
        result = self._run("call", [(self._request(call),)])
        answer = result.answer()
        if isinstance(answer, Returned):
            return self._read(answer.value, len(call))
        if timed_out := result.stopped_by is Stop.TIME:
            self._patience.timed_out()
        memory = "MemoryError: " if result.stopped_by is Stop.MEMORY else ""
        error = (
            "the call took longer than the time limit" if timed_out else f"the call ended the run: {memory}{answer.reason or answer.name}"
        )
        return [Verdict(None, error, result.seconds, result.kilobytes / 1024, timed_out=timed_out) for _ in call]

    def _request(self, call: Sequence[Case]) -> str:
        arguments = self._shape.arguments([row(case, PATH) for case in call])
        return json.dumps({"arguments": arguments, "batched": self.batched, "rows": len(call)})

    def _run(self, entry: str, inputs: Sequence[tuple[Any, ...]]) -> RunResult:
        for _ in range(TRIES - 1):
            with contextlib.suppress(SandboxError):  # such as a machine that is too busy to give a run its processor time
                return get_runner(self._limits()).run(self._program, inputs, entry=entry)
        return get_runner(self._limits()).run(self._program, inputs, entry=entry)

    def _limits(self) -> Limits:
        return Limits(seconds=self._patience.seconds, memory_mb=self._options.memory_mb)

    def _read(self, reply: str, rows: int) -> list[Verdict]:
        verdicts = _read(reply, rows)
        self._patience.finished(verdicts[0].seconds)
        return verdicts

    def close(self) -> None:
        """Nothing stays open: the sandbox is shared."""


class _WithSignature:
    """Stands for a function that exists only in the sandbox."""

    def __init__(self, signature: inspect.Signature) -> None:
        self.__signature__ = signature

    def __call__(self, **arguments: Any) -> Any:
        raise TypeError("the function exists only in the sandbox")


def program(source: str, file: str, name: str) -> str:
    """The program of the sandbox: the file `values.py`, then `in_sandbox.py`, then what names the scorer."""
    own = inspect.getsource(in_sandbox)
    assert FUTURE in own
    assert IMPORT in own
    own = own.replace(FUTURE, "").replace(IMPORT, "")
    return f"{inspect.getsource(values)}\n{own}\nSOURCE, FILE, NAME = {source!r}, {file!r}, {name!r}\n"


def find_source(place: str) -> Path:
    """The file of a module or path, found without importing anything. ScorerUnavailable if there is none."""
    if place.endswith(".py"):
        if Path(place).is_file():
            return Path(place)
        raise ScorerUnavailable(f"there is no file {place!r}")
    inner = Path(*place.split(".")) if place else Path("?")
    for folder in ("", *sys.path):
        for file in (Path(folder) / inner.with_suffix(".py"), Path(folder) / inner / "__init__.py"):
            if file.is_file():
                return file
    raise ScorerUnavailable(
        f"there is no Python file of the module {place!r}; a function is named package.module:function or file.py:function"
    )


def _read(reply: Any, rows: int) -> list[Verdict]:
    """The verdicts in a reply. A scorer that reaches what writes the replies gets an error for each of its rows."""
    try:
        verdicts = _parse_reply(reply, rows)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        verdicts = []
    if len(verdicts) == rows:
        return verdicts
    return [Verdict(None, f"the call ended with a reply that is none of ours: {values.short(reply)}") for _ in range(rows)]


def _parse_reply(reply: Any, rows: int) -> list[Verdict]:
    found = json.loads(reply)
    return [
        Verdict(
            None if reward is None else float(reward), error, found["seconds"] / rows, mutated=found["mutated"], executed=found["executed"]
        )
        for reward, error in found["rewards"]
    ]
