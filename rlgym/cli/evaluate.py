"""`rlgym eval`: run a model over a suite of environments, report, and compare."""

from __future__ import annotations

import typer


def add_to(app: typer.Typer) -> None:
    room = typer.Typer(help="Run models over environments, report, and compare.", no_args_is_help=True)
    app.add_typer(room, name="eval")
