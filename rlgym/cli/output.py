"""Shared by the commands: the console, JSON and tables on standard output, and common options."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from rlgym.core.paths import local_path

console = Console(highlight=False, soft_wrap=True)

Json = Annotated[bool, typer.Option("--json", help="print JSON")]
Level = Annotated[float | None, typer.Option("--level", "-l", help="difficulty from 0 (easiest) to 1 (hardest)")]
Knob = Annotated[list[str] | None, typer.Option("--knob", "-k", help="set a knob, NAME=VALUE; repeatable")]
Seed = Annotated[int, typer.Option("--seed", "-s", help="seed of the task")]


def path_option(*names: str, help: str, metavar: str = "PATH", **more: Any) -> Any:
    """A `typer.Option` whose value is a path on this machine; a URL is an error instead of a folder with a colon in its name."""
    return typer.Option(*names, parser=local_path, metavar=metavar, help=help, **more)


def path_argument(*, help: str) -> Any:
    """A `typer.Argument` whose value is a path on this machine, as with `path_option`."""
    return typer.Argument(parser=local_path, help=help)


DatasetFolder = Annotated[Path, path_argument(help="the folder of a dataset")]


def print_json(data: Any) -> None:
    """Data as JSON on standard output, with nothing else around it."""
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def print_table(table: Table) -> None:
    """Print a table. The first column is never cut; in a pipe no column is cut or wrapped."""
    if table.columns:
        table.columns[0].no_wrap = True
        table.columns[0].overflow = "fold"
    if console.is_terminal:
        console.print(table)
        return
    wide = Console(highlight=False, width=UNLIMITED, file=console.file)
    for column in table.columns:
        column.no_wrap = True
    wide.print(table)


UNLIMITED = 100_000
"""A width that no table of ours reaches."""


def percent(value: float | None) -> str:
    """A share as a cell of a table; a dash where there is none."""
    return "-" if value is None else f"{100 * value:.1f} %"


def decimal(value: float | None) -> str:
    """A number with three digits after the point as a cell of a table; a dash where there is none."""
    return "-" if value is None else f"{value:.3f}"


def heading(text: str) -> None:
    """Print a heading with a line that fills the terminal, or 80 columns in a pipe."""
    width = console.width if console.is_terminal else 80
    console.print(f"── {text} ".ljust(width, "─"), markup=False)


def cut(text: str, width: int) -> str:
    """The text in at most `width` characters, with an ellipsis where it is cut."""
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def knobs(pairs: list[str] | None) -> dict[str, Any]:
    """Parse knobs given as NAME=VALUE."""
    from rlgym.core.errors import KnobError

    out: dict[str, Any] = {}
    for text in pairs or []:
        name, sign, value = text.partition("=")
        if not sign:
            raise KnobError(f"give a knob as NAME=VALUE, got {text!r}")
        out[name] = _number(value)
    return out


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
