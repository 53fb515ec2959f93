"""Writes the catalogue: a page per environment from its file, with samples per level and its certificate."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import rlgym
from rlgym.episode.play import opening, oracle_answer, picture
from rlgym.registry import declared_with

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "catalogue"
BAR = "\u2502"  # stands for the bar, which would end a cell of the table
CERTIFICATES = ROOT / "docs" / "certificates.json"


def page(name: str, certificates: dict[str, dict[str, Any]]) -> str:
    spec = rlgym.spec(name)
    title, _, more = spec["doc"].partition("\n")
    lines = [f"# {name}", "", title, "", more.strip(), ""]
    lines += [f"`{spec['id']}`, {spec['kind']}, answer format `{spec['answer']['format']}`: {spec['answer']['asks']}.", ""]
    lines += [f"**Why a constant answer earns something:** {spec['guessable']}", ""] if spec["guessable"] else []
    lines += ["The oracle reads a planted solution.", ""] if spec["planted"] else []
    lines += ["## Knobs", "", "| knob | default | easy | hard | what |", "|---|---|---|---|---|"]
    lines += [
        f"| `{knob}` | {facts['default']} | {facts['easy']} | {facts['hard']} | {facts['doc']} |" for knob, facts in spec["knobs"].items()
    ]
    if spec["derived"]:
        lines += ["", f"Derived from it: {', '.join(f'`{derived}`' for derived in spec['derived'])}."]
    lines += ["", "## Samples", ""]
    if rlgym.environment(name).picture is not None:
        (PAGES / f"{name}.svg").write_text(drawing(name), encoding="utf-8")
        lines += [f"![The task of level 0.5, seed 1, drawn]({name}.svg)", ""]
    for level in (0.0, 0.5, 1.0):
        lines += sample(name, level)
    for further in declared_with(name):
        lines += sample(further, 0.5)
    for measured in (name, *declared_with(name)):
        lines += certificate(measured, certificates[measured])
    return "\n".join(lines) + "\n"


def drawing(name: str) -> str:
    declared, task = rlgym.environment(name), rlgym.task(name, 1, level=0.5)
    return picture(declared, opening(declared, task, "tag"))


def certificate(name: str, kept: dict[str, Any]) -> list[str]:
    lines = [f"## Certificate of {name}" if ":" in name else "## Certificate", "", "| law | | measured |", "|---|---|---|"]
    for law, finding in kept["laws"].items():
        measured = ", ".join(f"{key} {value}" for key, value in finding["measured"].items() if value != "")
        sign = "holds" if finding["passed"] else "**BROKEN**"
        lines.append(f"| {law} | {sign} | {measured.replace('|', BAR)} |")
    return [*lines, ""]


def sample(name: str, level: float) -> list[str]:
    declared, task = rlgym.environment(name), rlgym.task(name, 1, level=level)
    position = opening(declared, task, "tag")
    answer = declared.answer.write(oracle_answer(declared, position), "tag")
    lines = [
        f"### {name}, level {level:g}, seed 1" if ":" in name else f"### Level {level:g}, seed 1",
        "",
        "`````text",
        position.observation,
        "`````",
        "",
        "The oracle answers:",
        "",
        "`````text",
        answer,
        "`````",
        "",
    ]
    if declared.explain is not None:
        steps = declared.explain(task if isinstance(declared, rlgym.Environment) else task.data)
        shown = steps if len(steps) <= 14 else [*steps[:10], "...", *steps[-2:]]
        lines += ["It explains:", "", "`````text", *shown, "`````", ""]
    return lines


def main() -> None:
    kept = {certificate["name"]: certificate for certificate in json.loads(CERTIFICATES.read_text(encoding="utf-8"))["certificates"]}
    stale = [
        name
        for base in rlgym.names()
        for name in (base, *declared_with(base))
        if kept.get(name, {}).get("version") != rlgym.environment(name).version or not kept[name]["passed"]
    ]
    if stale:
        sys.exit(f"no valid certificate for {', '.join(stale)}: run `make certificates`")
    PAGES.mkdir(parents=True, exist_ok=True)
    index = ["# Catalogue", "", f"{len(rlgym.names())} environments, each with its certificate.", ""]
    for domain in rlgym.domains():
        index += [f"## {domain.replace('_', ' ').capitalize()}", "", "| name | what | tasks/ms at level 0.5 |", "|---|---|---|"]
        for name in rlgym.names(domain):
            (PAGES / f"{name}.md").write_text(page(name, kept), encoding="utf-8")
            speed = 1 / kept[name]["laws"]["fast"]["measured"]["generate_ms_0.5"]
            title = rlgym.spec(name)["doc"].split("\n")[0]
            index.append(f"| [{name}]({name}.md) | {title} | {speed:.2f} |")
        index.append("")
    (PAGES / "index.md").write_text("\n".join(index), encoding="utf-8")


if __name__ == "__main__":
    main()
