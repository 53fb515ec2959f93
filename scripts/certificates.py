"""Measures certificates anew and keeps them in docs/certificates.json: all of them, those that are not of the present version, or named ones.

Each certificate is written as soon as it is measured, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

import rlgym
from rlgym.cli.check import bar_table
from rlgym.laws import LAWS, check
from rlgym.laws.effort import Effort
from rlgym.registry import own_families

FILE = Path(__file__).parents[1] / "docs" / "certificates.json"
SAVE_EVERY = 20.0
"""Seconds between two writes of the file."""

Kept = dict[str, dict[str, Any]]


def families() -> list[str]:
    """Every environment and every further family of tasks."""
    return [family for name in rlgym.names() for family in (name, *own_families(name))]


def outdated(kept: Kept, effort: Effort) -> list[str]:
    """The families without a valid certificate of the present version that holds all laws, with at least this effort."""
    order = list(Effort)
    return [
        name
        for name in families()
        if name not in kept
        or not kept[name]["passed"]
        or kept[name]["version"] != rlgym.environment(name).version
        or order.index(Effort.of(kept[name]["effort"])) < order.index(effort)
        or set(LAWS) - set(kept[name]["laws"])
    ]


def read() -> Kept:
    """The kept certificates by name, without those of environments that are gone."""
    known = set(families())
    return {each["name"]: each for each in json.loads(FILE.read_text(encoding="utf-8"))["certificates"] if each["name"] in known}


def write(kept: Kept) -> None:
    """Write the certificates, a line each in the order of their names, and the table of faults; the old file stays until the new one is whole."""
    certificates = [kept[name] for name in sorted(kept)]
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in certificates)
    new = FILE.with_suffix(".json.new")
    new.write_text(f'{{"certificates": [\n{lines}\n],\n"bar": {json.dumps(bar_table(certificates))}}}\n', encoding="utf-8")
    os.replace(new, FILE)


def measure(name: str, effort: Effort) -> dict[str, Any]:
    """The certificate of one family."""
    return check(name, effort=effort).to_dict()


def main(
    names: Annotated[list[str] | None, typer.Argument(help="families to measure; without any, those that are outdated")] = None,
    all_: Annotated[bool, typer.Option("--all", help="every family, also those with a present certificate")] = False,
    effort: Annotated[Effort, typer.Option(help="sample sizes")] = Effort.CERTIFICATE,
    workers: Annotated[int, typer.Option(help="number of processes")] = 2,
    minutes: Annotated[float, typer.Option(help="begin no certificate after this time; 0 for no limit")] = 0.0,
    list_: Annotated[bool, typer.Option("--list", help="print the outdated names and measure nothing")] = False,
) -> None:
    """Measure certificates and keep them in docs/certificates.json. The exit code is 1 if a law is broken."""
    kept = read()
    selected = names or (families() if all_ else outdated(kept, effort))
    if list_:
        print(*selected, sep="\n")
        return
    end = time.monotonic() + 60 * minutes if minutes else float("inf")
    broken: list[str] = []
    saved = time.monotonic()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool, Progress(transient=True) as progress:
        bar = progress.add_task("measuring", total=len(selected))
        waiting, running = list(reversed(selected)), set[Future[dict[str, Any]]]()
        while running or (waiting and time.monotonic() < end):
            while waiting and len(running) < workers and time.monotonic() < end:
                running.add(pool.submit(measure, waiting.pop(), effort))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                certificate = each.result()
                kept[certificate["name"]] = certificate
                if not certificate["passed"]:
                    broken.append(certificate["name"])
                progress.advance(bar)
            if time.monotonic() - saved > SAVE_EVERY:
                write(kept)
                saved = time.monotonic()
    write(kept)
    if waiting:
        print(f"{len(waiting)} of {len(selected)} were not measured in {minutes:g} minutes; repeat the command to go on")
    if broken:
        print(f"broken: {' '.join(sorted(broken))}")
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
