"""Programs in JavaScript, run by an engine embedded in this process; only JSON goes in and out."""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

STACK = 4 << 20
_engine: Any = None


def load(folder: str) -> bool:
    """Import the engine from its folder, before the process is confined; whether it is there."""
    global _engine
    sys.path.insert(0, folder)
    try:
        _engine = importlib.import_module("quickjs")
    except ImportError:
        return False
    finally:
        sys.path.remove(folder)
        for name in [name for name in sys.modules if name.split(".")[0] in ("quickjs", "_quickjs")]:
            del sys.modules[name]
    return True


class Missing(RuntimeError):
    """There is no engine in this interpreter."""


def loaded(program: str, entry: str | None) -> Any:
    """The program's function as a Python one, after the program has run."""
    if _engine is None:
        raise Missing("no JavaScript engine is installed")
    context = _engine.Context()
    context.set_max_stack_size(STACK)
    context.add_callable("__print", _print)
    context.eval("globalThis.console = { log: (...parts) => __print(parts.map(String).join(' ')) }")
    context.eval(program)
    if entry is None:
        return None
    # A function declared with const is no property of the global object, but a name in its scope.
    if context.eval(f"typeof {entry} === 'function'") is not True:
        return None
    return lambda *arguments: json.loads(context.eval(f"JSON.stringify([{entry}(...{json.dumps(list(arguments))})])"))[0]


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
