"""The child process in which a scorer runs: reads JSON lines from standard input, writes one JSON line per request.

    python -m rlgym.audit.scorers.worker

The first line names the target and its limits. Whatever the scorer prints goes to standard error.
"""

from __future__ import annotations

import copy
import importlib
import importlib.util
import json
import os
import resource
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from rlgym.audit.scorers.forks import ForkWatch
from rlgym.audit.scorers.shapes import Row, Shape, UnknownShape, recognise
from rlgym.audit.scorers.values import as_function, raised, read_reward, short

CANARY = "rlgym_audit_canary"
"""A name that stands in texts which only `eval` and its like would run."""
MEGABYTE = 1 << 20


class CanaryWatch:
    """Notices when code that contains the canary is executed, or when the canary file appears."""

    def __init__(self, file: str) -> None:
        self.executed = False
        self._file = Path(file)
        sys.addaudithook(self._on_event)

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "exec" and isinstance(arguments[0], CodeType) and _mentions(arguments[0]):
            self.executed = True

    def reset(self) -> None:
        self.executed = False
        self._file.unlink(missing_ok=True)

    def triggered(self) -> bool:
        return self.executed or self._file.exists()


def _mentions(code: CodeType) -> bool:
    if any(CANARY in name for name in code.co_names):
        return True
    return any(
        (isinstance(const, str) and CANARY in const) or (isinstance(const, CodeType) and _mentions(const)) for const in code.co_consts
    )


def load_function(path: str) -> Callable[..., Any]:
    """The function of `package.module:function` or `file.py:function`. LookupError or ImportError with one line if it is not there."""
    place, _, name = path.rpartition(":")
    if not place:
        raise LookupError(f"a Python function is named package.module:function or file.py:function, got {path!r}")
    sys.path.insert(0, os.getcwd())
    if place.endswith(".py"):
        spec = importlib.util.spec_from_file_location(Path(place).stem, place)
        if spec is None or spec.loader is None or not Path(place).is_file():
            raise LookupError(f"there is no file {place!r}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(place)
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            raise LookupError(f"{place!r} has no {name!r}")
        value = getattr(value, part)
    return as_function(value, path)


def load_environment(name: str) -> tuple[Callable[..., Any], Shape]:
    """A scorer of an environment's own tasks."""
    import rlgym

    tasks: dict[tuple[int, float], Any] = {}

    def score(response: str, context: dict[str, Any]) -> float:
        key = (context["seed"], context["level"])
        if key not in tasks:
            tasks[key] = rlgym.task(name, seed=key[0], level=key[1])
        found = rlgym.score(tasks[key], response)
        if found.outcome is rlgym.Outcome.ERROR:
            raise RuntimeError(found.reason)
        return found.value

    return score, Shape("environment", lambda rows: {"response": rows[0]["response"], "context": rows[0]["context"]})


def limit_memory(memory_mb: int) -> None:
    """Allow this process so much address space beyond what it has now."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return
    size = pages * resource.getpagesize() + memory_mb * MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


class Worker:
    """Calls the scorer and describes what happened."""

    def __init__(self, function: Callable[..., Any], shape: Shape, watch: CanaryWatch) -> None:
        self._function, self._shape, self._watch = function, shape, watch
        self._forks = ForkWatch()

    def verdicts(self, rows: Sequence[Row], thread: bool = False) -> list[dict[str, Any]]:
        """One verdict for each row; a batched scorer gets all rows in one call."""
        groups = [rows] if self._shape.batched else [[row] for row in rows]
        return [verdict for group in groups for verdict in self._call(group, thread)]

    def _call(self, rows: Sequence[Row], thread: bool) -> list[dict[str, Any]]:
        arguments = self._shape.arguments(rows)
        kept = copy.deepcopy(arguments)
        self._watch.reset()
        before, begun = _peak_mb(), time.perf_counter()
        values, error = _call_in_thread(self._function, arguments) if thread else _call_guarded(self._function, arguments)
        seconds = (time.perf_counter() - begun) / len(rows)
        if self._forks.came_back():
            error = "came back in a second process (os.fork)"
        common = {"seconds": seconds, "memory_mb": _peak_mb() - before, "mutated": arguments != kept, "executed": self._watch.triggered()}
        if not error and self._shape.batched:
            values = list(values) if hasattr(values, "__iter__") and not isinstance(values, dict | str) else values
            if not isinstance(values, list) or len(values) != len(rows):
                error = f"returned {short(values)} for {len(rows)} completions"
        if error:
            return [{"reward": None, "error": error, **common} for _ in rows]
        found = [read_reward(value) for value in (values if self._shape.batched else [values])]
        return [{"reward": reward, "error": problem, **common} for reward, problem in found]


def _call_guarded(function: Callable[..., Any], arguments: dict[str, Any]) -> tuple[Any, str]:
    try:
        return function(**arguments), ""
    except BaseException as error:  # a scorer may call sys.exit
        return None, raised(error)


def _call_in_thread(function: Callable[..., Any], arguments: dict[str, Any]) -> tuple[Any, str]:
    result: list[tuple[Any, str]] = []
    thread = threading.Thread(target=lambda: result.append(_call_guarded(function, arguments)))
    thread.start()
    thread.join()
    return result[0]


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Serve requests until standard input ends."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    config = json.loads(requests.readline())
    os.chdir(config["folder"])
    try:
        if config["environment"]:
            function, shape = load_environment(config["environment"])
        else:
            function = load_function(config["path"])
            shape = recognise(function, config["data_source"], config["chat"])
    except (Exception, SystemExit) as error:
        known = isinstance(error, LookupError | UnknownShape)
        text = str(error) if known else f"importing {config['path']!r} raised {type(error).__name__}: {error}"
        _reply(replies, {"failed": " ".join(text.split())})
        return
    limit_memory(config["memory_mb"])
    worker = Worker(function, shape, CanaryWatch(config["canary"]))
    _reply(replies, {"shape": shape.name, "batched": shape.batched})
    for line in requests:
        request = json.loads(line)
        _reply(replies, {"verdicts": worker.verdicts(request["rows"], request["thread"])})


def _reply(replies: Any, data: dict[str, Any]) -> None:
    replies.write(json.dumps(data) + "\n")
    replies.flush()


if __name__ == "__main__":
    main()
