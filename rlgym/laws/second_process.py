"""A second Python process with another hash seed, which draws and scores the same tasks.

It serves all environments that one process checks. `main` runs there: it reads one JSON request a line and writes one JSON reply a line.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

from rlgym.core.declare import Declaration
from rlgym.core.task import Origin, Task
from rlgym.laws.subject import Subject, fingerprint
from rlgym.registry import environment


def digest(fingerprint: str) -> str:
    """A hash of a task's fingerprint."""
    return hashlib.sha256(fingerprint.encode("utf-8", "surrogatepass")).hexdigest()


def elsewhere(subject: Subject, request: dict[str, Any]) -> Any:
    """The other process's reply to a request about this environment."""
    child = _child()
    assert child.stdin is not None
    assert child.stdout is not None
    registered = _is_registered(subject)
    child.stdin.write(json.dumps({"name": subject.name, "file": None if registered else subject.file, **request}) + "\n")
    child.stdin.flush()
    line = child.stdout.readline()
    if not line:
        raise RuntimeError("the second process of the laws ended without a reply; its last error is above")
    return json.loads(line)


def _is_registered(subject: Subject) -> bool:
    try:
        return environment(subject.name) is subject.declared
    except LookupError:
        return False


@cache
def _child() -> subprocess.Popen[str]:
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    other = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", "from rlgym.laws.second_process import main; main()"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=other)
    atexit.register(_end, child)
    return child


def _end(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate()


@cache
def load(name: str, file: str | None) -> Declaration:
    """The declaration in the registry, or the one of that name in a file outside it."""
    if file is None:
        return environment(name)
    spec = importlib.util.spec_from_file_location(f"outside_{name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    declared: Declaration = getattr(module, name, None) or module.environment
    return declared


def _reply(request: dict[str, Any]) -> Any:
    subject = Subject(request["name"], load(request["name"], request["file"]), request["file"] or "")
    if "draw" in request:
        return [digest(fingerprint(subject.fresh(seed, level))) for seed, level in request["draw"]]
    scores = []
    for saved, response in request["score"]:
        data = subject.declared.data.model_validate_json(json.dumps(saved["data"]))
        task = Task(saved["prompt"], data, Origin(**saved["origin"]))
        scores.append(subject.score_again(task, response).to_dict())
    return scores


def main() -> None:
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_reply(json.loads(line))) + "\n")
        sys.stdout.flush()
