"""The `rlgym` command: one short file per subcommand."""

from __future__ import annotations

import os
import sys

import typer

from rlgym.cli import bench, catalogue, check, dataset, demo, evaluate, new, play, playground, sandbox, serve, train
from rlgym.core.errors import RlgymError

app = typer.Typer(
    name="rlgym",
    help="Verifiable tasks for reinforcement learning on language models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for room in (catalogue, play, check, new, dataset, demo, bench, evaluate, sandbox, serve, playground, train):
    room.add_to(app)


def main() -> None:
    """Run the command; an error of ours is one line on standard error and exit code 2, never a traceback."""
    try:
        app()
    except RlgymError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:  # the reader (head, say) has gone; nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
        sys.exit(130)
