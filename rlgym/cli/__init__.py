"""The `rlgym` command: one file per group of subcommands."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from rlgym.cli import (
    audit,
    bench,
    catalog,
    check,
    dataset,
    demo,
    evaluate,
    new,
    pass_rates,
    play,
    playground,
    sandbox,
    serve,
    steps,
    train,
    train_study,
)
from rlgym.core.errors import RlgymError

app = typer.Typer(
    name="rlgym",
    help="Verifiable tasks for reinforcement learning on language models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for group in (
    catalog,
    play,
    check,
    audit,
    new,
    dataset,
    pass_rates,
    demo,
    bench,
    evaluate,
    sandbox,
    serve,
    playground,
    steps,
    train,
    train_study,
):
    group.add_to(app)


def _print_version(requested: bool) -> None:
    if requested:
        from rlgym import __version__

        typer.echo(f"rlgym {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="print the version and exit")] = False,
) -> None:
    """Verifiable tasks for reinforcement learning on language models."""


def main() -> None:
    """Run the command. An RlgymError becomes one line on standard error and exit code 2, without a traceback."""
    try:
        app()
    except RlgymError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:  # the reader, for example `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        sys.exit(130)
