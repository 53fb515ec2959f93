"""`rlgym eval suites`: list the pinned suites, show one, or verify its tasks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from rlgym.cli.output import Json, console, print_json, print_table

if TYPE_CHECKING:
    from rlgym.evaluate.suites import Pinned


def suites(
    name: Annotated[str | None, typer.Argument(help="a suite or a suite file; all suites by default")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="generate all tasks and compare them with the pinned hashes")] = False,
    as_json: Json = False,
) -> None:
    """List the pinned suites, show one, or generate its tasks and compare them with the pinned hashes."""
    from rlgym.evaluate.suites import names, read

    chosen = [read(suite) for suite in ([name] if name else names())]
    descriptions = [describe(pinned) | (verify_tasks(pinned) if verify else {}) for pinned in chosen]
    if as_json:
        print_json(descriptions[0] if name else descriptions)
    elif name:
        _show(chosen[0], descriptions[0])
    else:
        _list(descriptions)
        console.print("--suite also takes environments, domains and patterns, and then draws tasks from them.")
    if verify and not all(description["verified"] for description in descriptions):
        raise typer.Exit(1)


def describe(pinned: Pinned) -> dict[str, Any]:
    """The facts of a suite that need none of its tasks."""
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


def verify_tasks(pinned: Pinned) -> dict[str, Any]:
    """Whether this version generates the pinned tasks, and which environments cannot run here."""
    from rlgym.evaluate.suites import SuiteError, load_pinned

    try:
        suite = load_pinned(pinned)
    except SuiteError as error:
        return {"verified": False, "problem": str(error), "missing": {}}
    return {"verified": True, "problem": "", "missing": dict(suite.skipped)}


def _list(descriptions: list[dict[str, Any]]) -> None:
    table = Table(box=None)
    for column in ("suite", "tasks", "environments", "domains", "description"):
        table.add_column(column, justify="left" if column in ("suite", "description") else "right", no_wrap=column == "suite")
    for description in descriptions:
        domains = description["domains"][0] if len(description["domains"]) == 1 else str(len(description["domains"]))
        table.add_row(
            description["name"],
            str(description["tasks"]),
            str(description["environments"]),
            domains,
            description["description"] + _verdict(description),
        )
    print_table(table)


def _show(pinned: Pinned, description: dict[str, Any]) -> None:
    console.print(f"{description['name']}: {description['description']}{_verdict(description)}")
    console.print(
        f"{description['tasks']} tasks ({description['shifted']} from shifted families), pinned with rlvrgym {description['rlgym']}"
    )
    console.print(f"hash {description['hash']}")
    table = Table(box=None)
    levels = description["levels"]
    for column in ("environment", "version", *(f"level {level:g}" for level in levels)):
        table.add_column(column, justify="left" if column == "environment" else "right", overflow="fold")
    for name, pin in sorted(pinned.environments.items()):
        counts = Counter({level: len(seeds) for level, seeds in pin.seeds.items()})
        by_name = f" ({', '.join(f'{knob}={value}' for knob, value in pin.knobs.items())})" if pin.knobs else ""
        table.add_row(name + by_name, str(pin.version), *(str(counts[level] or "") for level in levels))
    print_table(table)


def _verdict(description: dict[str, Any]) -> str:
    if "verified" not in description:
        return ""
    if not description["verified"]:
        return f" [red](not verified: {escape(description['problem'])})[/red]"
    left_out = description["missing"]
    return " (verified)" if not left_out else f" (verified, without {', '.join(left_out)}: {next(iter(left_out.values()))})"
