"""One run of a program: reads it and its inputs from the job's own socket, one input at a time, and answers with plain data."""

from __future__ import annotations

import io
import json
import os
import struct
import sys
import types
from typing import Any

from . import javascript, values

JOB = 3  # the descriptor of the socket
MOST_REASON = 400


def run() -> None:
    """Never returns; whatever happens, the process ends here."""
    code = 1
    try:
        code = _served()
    except SystemExit as exit_error:
        code = exit_error.code if isinstance(exit_error.code, int) else 0 if exit_error.code is None else 1
    except BaseException as error:
        _fail(_named(error))
    finally:
        try:
            sys.stdout.flush()
        finally:
            os._exit(code & 0xFF)


def warm() -> None:
    """Touch what every run touches, so that the pages it writes to are this process's own before the job comes."""
    module = types.ModuleType("program")
    exec(compile("import math\ndef solve(a):\n    return [a]", "<program>", "exec", dont_inherit=True), module.__dict__)
    _answer(module.__dict__["solve"], {"number": 0, "arguments": values.encode((1,)).decode()}, values.MOST_BYTES)
    json.loads(json.dumps({"program": "", "value": "x"}))
    io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8").read()


def _served() -> int:
    job = json.loads(_read())
    module = types.ModuleType("__main__" if job["entry"] is None else "program")
    sys.modules["__main__"] = sys.modules[module.__name__] = module
    sys.stdin = io.TextIOWrapper(io.BytesIO(job["stdin"].encode("utf-8", "replace")), encoding="utf-8")
    script = None
    try:
        if job["language"] == "javascript":
            script = javascript.loaded(job["program"], job["entry"])
        else:
            code = compile(job["program"], "<program>", "exec", dont_inherit=True)
            exec(code, module.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        _fail(_named(error))
        return 1
    if job["entry"] is None:
        _say({"loaded": True})
        return 0
    entry = module.__dict__.get(job["entry"]) if job["language"] == "python" else script
    if not callable(entry):
        _fail(["NameError", f"the program defines no function {job['entry']}"])
        return 1
    _say({"loaded": True})
    while request := _read():
        _say(_answer(entry, json.loads(request), job["most"]))
    return 0


def _answer(entry: Any, request: dict[str, Any], most: int) -> dict[str, Any]:
    try:
        value = entry(*values.decode(request["arguments"].encode()))
    except SystemExit:
        raise
    except BaseException as error:
        return {"number": request["number"], "raised": _named(error)}
    try:
        return {"number": request["number"], "value": values.encode(value, most).decode()}
    except BaseException as error:
        return {"number": request["number"], "unsendable": _named(error)}


def _fail(named: list[str]) -> None:
    """Report that there will be no answer. The other side ends the process then, so what was printed goes first."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        _say({"raised": named})


def _named(error: BaseException) -> list[str]:
    try:
        return [type(error).__name__[:80], str(error)[:MOST_REASON].encode("ascii", "replace").decode()]
    except BaseException:
        return ["Exception", ""]


def _read() -> bytes:
    """One frame: its length, then its bytes; empty when the other side has closed."""
    head = _exactly(4)
    return _exactly(struct.unpack("!I", head)[0]) if head else b""


def _exactly(count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = os.read(JOB, min(1 << 20, count - len(data)))
        if not piece:
            return b""
        data += piece
    return data


def _say(answer: dict[str, Any]) -> None:
    text = json.dumps(answer).encode()
    data = struct.pack("!I", len(text)) + text
    while data:
        data = data[os.write(JOB, data) :]
