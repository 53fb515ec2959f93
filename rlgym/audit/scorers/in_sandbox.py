"""The part of a sandboxed audit that runs in the sandbox: it loads a scorer from its source text and calls it.

The file is sent as text after that of `values.py`, whose import `sandboxed.py` removes, since only the standard library exists there.
SOURCE is the text of the scorer's file, FILE its name, and NAME the function.
"""

from __future__ import annotations

import copy
import inspect
import json
import sys
import time
from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any

from rlgym.audit.scorers.values import as_function, raised, read_reward, short

SOURCE, FILE, NAME, CANARY = "", "scorer.py", "", "rlgym_audit_canary"
WATCHED = ("open", "os.system", "os.posix_spawn", "os.exec", "subprocess.Popen")
executed: list[str] = []
loaded: dict[str, Callable[..., Any]] = {}


def load() -> Callable[..., Any]:
    """The function; LookupError if the file does not have it."""
    if NAME not in loaded:
        module = ModuleType(FILE.rpartition("/")[2].removesuffix(".py"))
        module.__file__ = FILE
        sys.modules[module.__name__] = module
        exec(compile(SOURCE, FILE, "exec"), module.__dict__)  # noqa: S102  this runs in the sandbox
        found: Any = module
        for part in NAME.split("."):
            if not hasattr(found, part):
                raise LookupError(f"{FILE!r} has no {NAME!r}")
            found = getattr(found, part)
        loaded[NAME] = as_function(found, NAME)
        sys.addaudithook(on_event)
    return loaded[NAME]


def describe() -> str:
    """The parameters of the function as JSON: name, kind, and whether it has a default."""
    try:
        parameters = inspect.signature(load()).parameters.values()
        return json.dumps([[each.name, each.kind.name, each.default is not each.empty] for each in parameters])
    except Exception as error:
        known = isinstance(error, LookupError) and str(error)
        return json.dumps(known or f"importing {FILE!r} in the sandbox, which holds only the standard library, raised {error!r:.200}")


def call(request: str) -> str:
    """One call with keyword arguments as JSON: the rewards, as texts so that NaN survives, and what was noticed."""
    given = json.loads(request)
    arguments, kept = given["arguments"], copy.deepcopy(given["arguments"])
    function = load()
    executed.clear()
    begun = time.perf_counter()
    try:
        value, error = function(**arguments), ""
    except BaseException as failed:  # a scorer may call sys.exit
        value, error = None, raised(failed)
    seconds = time.perf_counter() - begun
    values = [value]
    if given["batched"] and not error:
        values = list(value) if hasattr(value, "__iter__") and not isinstance(value, dict | str) else []
        if len(values) != given["rows"]:
            error = f"returned {short(value)} for {given['rows']} completions"
    if error:
        values = [None] * given["rows"]
    rewards = [(None, error) if error else read_reward(one) for one in values]
    return json.dumps(
        {
            "rewards": [[None if reward is None else repr(reward), problem] for reward, problem in rewards],
            "seconds": seconds,
            "mutated": arguments != kept,
            "executed": bool(executed),
        }
    )


def on_event(event: str, arguments: tuple[Any, ...]) -> None:
    """Notice code and commands that name the canary."""
    code = event == "exec" and isinstance(arguments[0], CodeType) and names_canary(arguments[0])
    if code or (event in WATCHED and any(CANARY in str(argument) for argument in arguments)):
        executed.append(event)


def names_canary(code: CodeType) -> bool:
    """Whether a code object or one inside it names the canary."""
    if any(CANARY in name for name in code.co_names):
        return True
    return any(
        (isinstance(const, str) and CANARY in const) or (isinstance(const, CodeType) and names_canary(const)) for const in code.co_consts
    )
