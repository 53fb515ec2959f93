"""`rlgym eval suites`: which pinned suites there are, what one holds, and whether this library makes its tasks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from rlgym.cli.output import Json, console, print_json

if TYPE_CHECKING:
    from rlgym.evaluate.suites import Pinned


def add_to(room: typer.Typer) -> None:
    room.command()(suites)


def suites(
    name: Annotated[str | None, typer.Argument(help="a suite, or a file of that form; all of them without it")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="make all tasks, and compare them with what is pinned")] = False,
    as_json: Json = False,
) -> None:
    """List the pinned suites, show one, or make its tasks and compare them with what is pinned."""
    from rlgym.evaluate.suites import names, read

    chosen = [read(one) for one in ([name] if name else names())]
    found = [told(pinned) | (checked(pinned) if verify else {}) for pinned in chosen]
    if as_json:
        print_json(found[0] if name else found)
    elif name:
        _show(chosen[0], found[0])
    else:
        _list(found)
        console.print("Besides these, --suite takes environments, domains and patterns; tasks of them are drawn.")
    if verify and not all(one["verified"] for one in found):
        raise typer.Exit(1)


def told(pinned: Pinned) -> dict[str, Any]:
    """What there is to say about a suite without making its tasks."""
    shifted = sum(len(seeds) for env, pin in pinned.environments.items() if env.endswith(":shift") for seeds in pin.seeds.values())
    return {
        "name": pinned.name,
        "tasks": pinned.tasks,
        "shifted": shifted,
        "environments": len(pinned.environments),
        "domains": pinned.domains,
        "levels": sorted({level for pin in pinned.environments.values() for level in pin.seeds}),
        "description": pinned.description,
        "hash": pinned.hash,
        "rlgym": pinned.rlgym,
    }


def checked(pinned: Pinned) -> dict[str, Any]:
    """Whether this library makes the tasks that are pinned, what it cannot judge here, and what else is wrong."""
    from rlgym.evaluate.suites import SuiteError, load_pinned

    try:
        suite = load_pinned(pinned)
    except SuiteError as error:
        return {"verified": False, "problem": str(error), "missing": {}}
    return {"verified": True, "problem": "", "missing": dict(suite.skipped)}


def _list(found: list[dict[str, Any]]) -> None:
    table = Table(box=None)
    for column in ("suite", "tasks", "environments", "domains", "what it holds"):
        table.add_column(column, justify="left" if column in ("suite", "what it holds") else "right", no_wrap=column == "suite")
    for one in found:
        domains = one["domains"][0] if len(one["domains"]) == 1 else str(len(one["domains"]))
        table.add_row(one["name"], str(one["tasks"]), str(one["environments"]), domains, one["description"] + _verdict(one))
    console.print(table)


def _show(pinned: Pinned, found: dict[str, Any]) -> None:
    console.print(f"{found['name']}: {found['description']}{_verdict(found)}")
    console.print(f"{found['tasks']} tasks, of which {found['shifted']} are of other families, made with rlvrgym {found['rlgym']}")
    console.print(f"hash {found['hash']}")
    table = Table(box=None)
    levels = found["levels"]
    for column in ("environment", "version", *(f"level {level:g}" for level in levels)):
        table.add_column(column, justify="left" if column == "environment" else "right", overflow="fold")
    for name, pin in sorted(pinned.environments.items()):
        counts = Counter({level: len(seeds) for level, seeds in pin.seeds.items()})
        table.add_row(name, str(pin.version), *(str(counts[level] or "") for level in levels))
    console.print(table)


def _verdict(found: dict[str, Any]) -> str:
    if "verified" not in found:
        return ""
    if not found["verified"]:
        return f" [red](not verified: {escape(found['problem'])})[/red]"
    left_out = found["missing"]
    return " (verified)" if not left_out else f" (verified, without {', '.join(left_out)}: {next(iter(left_out.values()))})"
