"""`rlgym eval`: run a model over a suite of environments, write reports, compare runs, and list the pinned suites."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from rlgym.cli.evaluate import (
    aggregate_command,
    horizon_command,
    judge_gain_command,
    league_command,
    rank_command,
    recall_command,
    report_commands,
    run_command,
    selective_command,
    suites_command,
)


class Group(TyperGroup):
    """`rlgym eval --suite ...` is short for `rlgym eval run --suite ...`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and args[0] not in ("--help", "-h"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(
        cls=Group, help="Run models over environments, write reports, compare, export and import runs.", no_args_is_help=True
    )
    group.command()(run_command.run)
    group.command()(report_commands.report)
    group.command()(report_commands.compare)
    group.command()(rank_command.rank)
    group.command()(aggregate_command.aggregate)
    group.command("judge-gain")(judge_gain_command.judge_gain)
    group.command()(selective_command.selective)
    group.command()(report_commands.export)
    group.command("import")(report_commands.import_log)
    group.command()(league_command.league)
    group.command()(horizon_command.horizon)
    group.command()(recall_command.recall)
    group.command()(suites_command.suites)
    app.add_typer(group, name="eval")
