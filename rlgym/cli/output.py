"""What the commands share: a console, JSON on standard output, and options that several of them take."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer
from rich.console import Console

console = Console(highlight=False, soft_wrap=True)

Json = Annotated[bool, typer.Option("--json", help="print JSON for programs to read")]
Level = Annotated[float | None, typer.Option("--level", "-l", help="difficulty from 0 (easiest) to 1 (hardest)")]
Knob = Annotated[list[str] | None, typer.Option("--knob", "-k", help="set one knob: NAME=VALUE; may be given several times")]
Seed = Annotated[int, typer.Option("--seed", "-s", help="the task's seed")]


def print_json(data: Any) -> None:
    """Data as JSON on standard output, with nothing else around it."""
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def knobs(given: list[str] | None) -> dict[str, Any]:
    """The knobs given as NAME=VALUE."""
    from rlgym.core.errors import KnobError

    out: dict[str, Any] = {}
    for text in given or []:
        name, sign, value = text.partition("=")
        if not sign:
            raise KnobError(f"a knob is given as NAME=VALUE, got {text!r}")
        out[name] = _number(value)
    return out


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
