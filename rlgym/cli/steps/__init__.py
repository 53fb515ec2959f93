"""`rlgym steps`: label, compare and export the steps of recorded responses, grow trees of steps, and train and measure a scorer of steps."""

from __future__ import annotations

import typer

from rlgym.cli.steps import data_commands, eval_command, train_command, tree_command


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(help="Label the steps of recorded responses, and train and measure a scorer of steps.", no_args_is_help=True)
    group.command()(data_commands.label)
    group.command()(data_commands.compare)
    group.command()(data_commands.export)
    group.command()(tree_command.tree)
    group.command()(train_command.train)
    group.command("eval")(eval_command.evaluate)
    app.add_typer(group, name="steps")
