"""Writes the catalogue: a page for each environment, and the table that docs/catalogue.md filters."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import rlgym
from rlgym.episode.play import oracle_answer, render_svg, start_episode
from rlgym.registry import own_families

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "catalogue"
ASSETS = ROOT / "docs" / "assets"
KINDS = {"environment": "one turn", "game": "many turns", "match": "match against an opponent"}
MOST_STEPS = 40  # of a worked solution that a page shows
BAR = "\u2502"  # stands for the bar, which would end a cell of the table
CERTIFICATES = ROOT / "docs" / "certificates.json"
LEARNABILITY = ROOT / "docs" / "learnability.json"


def page(name: str, certificates: dict[str, dict[str, Any]]) -> str:
    """The page of one environment: what it asks, a drawing, whole tasks with answers and explanations, knobs, certificate."""
    spec = rlgym.spec(name)
    title, _, more = spec["doc"].partition("\n")
    lines = [f"# {name}", "", title, "", more.strip(), ""]
    lines += [
        f"`{spec['id']}` · {spec['domain'].replace('_', ' ')} · {KINDS[spec['kind']]}",
        "",
        "```python",
        f'env = rlgym.make("{name}", level=0.5)',
        "```",
        "",
    ]
    if rlgym.environment(name).picture is not None:
        (PAGES / f"{name}.svg").write_text(drawing(name), encoding="utf-8")
        lines += [f"![The task of level 0.5, seed 1]({name}.svg){{ .picture }}", ""]
    for level in (0.0, 0.5, 1.0):
        lines += sample(name, level)
    for further in own_families(name):
        lines += sample(further, 0.5)
    lines += ["## Knobs", "", "| knob | default | easy | hard | meaning |", "|---|---|---|---|---|"]
    lines += [
        f"| `{knob}` | {facts['default']} | {facts['easy']} | {facts['hard']}{_beyond(facts)} | {facts['doc']} |"
        for knob, facts in spec["knobs"].items()
    ]
    lines += ["", f"Answer format: `{spec['answer']['format']}`, {spec['answer']['instructions']}.", ""]
    lines += [f"**Why a constant answer earns something:** {spec['guessable']}", ""] if spec["guessable"] else []
    lines += ["The oracle reads a planted solution.", ""] if spec["planted"] else []
    if spec["derived"]:
        lines += ["", f"Derived environments: {', '.join(f'`{derived}`' for derived in spec['derived'])}.", ""]
    lines += learnability(name)
    for measured in (name, *own_families(name)):
        lines += certificate(measured, certificates[measured])
    return "\n".join(lines) + "\n"


def _beyond(facts: dict[str, Any]) -> str:
    return f" (by name up to {facts['beyond']})" if "beyond" in facts else ""


def drawing(name: str) -> str:
    declared, task = rlgym.environment(name), rlgym.task(name, 1, level=0.5)
    return render_svg(declared, start_episode(declared, task, "tag"))


def learnability(name: str) -> list[str]:
    """How a small model's accuracy rose in training, from docs/learnability.json, or that it was not measured."""
    rows = [row for row in json.loads(LEARNABILITY.read_text(encoding="utf-8")) if row["env"] == name]
    if not rows:
        return ["**Learnability:** not measured.", ""]
    lines = [
        "**Learnability:** held-out accuracy of a small model from scratch, after SFT on worked solutions and after reinforcement learning.",
        "",
        "| run | level | parameters | after SFT | rollouts | after reinforcement learning | 95 % interval | tasks |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        run = f"{row['run']}, {row['date']}" + (f", version {row['version']}" if row["version"] != rlgym.environment(name).version else "")
        level = f"{row['level']:g}" + (f", {row['knobs'].replace(',', ', ')}" if row["knobs"] else "")
        interval = f"{row['low']:.2f} to {row['high']:.2f}"
        cells = [
            run,
            level,
            f"{row['parameters']:,}",
            f"{row['middle']:.2f}",
            f"{row['rollouts']:,}",
            f"{row['avg']:.2f}",
            interval,
            str(row["tasks"]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def certificate(name: str, kept: dict[str, Any]) -> list[str]:
    lines = [f"## Certificate of {name}" if ":" in name else "## Certificate", ""]
    if kept["version"] != (present := rlgym.environment(name).version):
        lines += [
            f"Measured on version {kept['version']}. The present version {present} obeys the laws with their least samples; "
            "its certificate has not been measured.",
            "",
        ]
    if kept["effort"] == "least":
        lines += ["Measured with the least samples, which the tests draw.", ""]
    lines += ["| law | | measured |", "|---|---|---|"]
    for law, finding in kept["laws"].items():
        measured = ", ".join(f"{key} {value}" for key, value in finding["measured"].items() if value != "")
        sign = "holds" if finding["passed"] else "**BROKEN**"
        lines.append(f"| {law} | {sign} | {measured.replace('|', BAR)} |")
    return [*lines, ""]


def sample(name: str, level: float) -> list[str]:
    declared, task = rlgym.environment(name), rlgym.task(name, 1, level=level)
    position = start_episode(declared, task, "tag")
    answer = declared.answer.render_response(oracle_answer(declared, position), "tag")
    lines = [
        f"### {name}, level {level:g}, seed 1" if ":" in name else f"### Level {level:g}, seed 1",
        "",
        "`````text",
        position.observation,
        "`````",
        "",
        "Oracle response:",
        "",
        "`````text",
        answer,
        "`````",
        "",
    ]
    if declared.explain is not None:
        steps = declared.explain(task if isinstance(declared, rlgym.Environment) else task.data)
        shown = (
            steps if len(steps) <= MOST_STEPS else [*steps[: MOST_STEPS - 2], f"... ({len(steps) - MOST_STEPS + 1} more steps)", steps[-1]]
        )
        lines += ["Worked solution:", "", "`````text", *shown, "`````", ""]
    return lines


def main() -> None:
    kept = {certificate["name"]: certificate for certificate in json.loads(CERTIFICATES.read_text(encoding="utf-8"))["certificates"]}
    families = [name for base in rlgym.names() for name in (base, *own_families(base))]
    if missing := [name for name in families if name not in kept or not kept[name]["passed"]]:
        sys.exit(f"no valid certificate for {', '.join(missing)}: run `make certificates`")
    if stale := [name for name in families if kept[name]["version"] != rlgym.environment(name).version]:
        print(f"{len(stale)} of {len(families)} certificates are of an earlier version; `make certificates` measures them")
    PAGES.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(initializer=_load, initargs=(kept,)) as pool:
        rows = list(pool.map(_write, rlgym.names(), chunksize=8))
    (ASSETS / "environments.json").write_text(json.dumps(rows, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


_CERTIFICATES: dict[str, dict[str, Any]] = {}


def _load(kept: dict[str, dict[str, Any]]) -> None:
    _CERTIFICATES.update(kept)


def _write(name: str) -> dict[str, Any]:
    """Writes the page of one environment; its row in the table that the catalogue's page filters."""
    (PAGES / f"{name}.md").write_text(page(name, _CERTIFICATES), encoding="utf-8")
    spec, declared = rlgym.spec(name), rlgym.environment(name)
    return {
        "name": name,
        "what": spec["doc"].split("\n")[0],
        "domain": spec["domain"],
        "kind": spec["kind"],
        "format": spec["answer"]["format"],
        "speed": round(1 / _CERTIFICATES[name]["laws"]["speed"]["measured"]["generate_ms_0.5"], 2),
        "needs": list(getattr(declared, "needs", ())),
        "picture": declared.picture is not None,
        "shift": f"{name}:shift" in _CERTIFICATES,
        "worked": declared.explain is not None,
    }


if __name__ == "__main__":
    main()
