"""Writes the results of the study of transfer: study.json, matrix.csv, table.md, two pictures and report.html."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlgym.dataset.files import write_atomically
from rlgym.evaluate.report.tables import table, text
from rlgym.train.study.families import Families
from rlgym.train.study.folder import write_json
from rlgym.train.study.heatmap import plot_matrix
from rlgym.train.study.page import estimate_cell, markdown_cell, markdown_table, picture, study_page
from rlgym.train.study.transfer_summary import GROUPS, summarize_transfer

RESPONSES = {
    "worked": "share of responses with working",
    "worked_right": "right among those with working",
    "readable": "share of readable responses",
    "tokens": "tokens of a response",
}
Shown = tuple[list[str], list[list[Any]]]
"""The heads of a table, and its rows: a name, then estimates or None."""


def write_results(folder: Path, results: dict[str, Any], families: Families) -> dict[str, Any]:
    """Write everything that is derived from the measurements; the results with their summary. The same measurements give the same files."""
    summary = summarize_transfer(results, families)
    results = results | {"summary": summary}
    write_json(folder / "study.json", results)
    pictures = {
        "matrix.png": plot_matrix(
            summary["matrix"], families.main, "gain in points on held-out tasks; right of the line, domains apart", len(families.trained)
        )
    }
    if families.shifted:
        pictures["shift.png"] = plot_matrix(summary["matrix"], families.shifted, "gain in points on shifted families")
    tables = {
        "means": _means(summary, families),
        "matrix": _matrix(summary, families.main),
        "shift": _matrix(summary, families.shifted),
        "working": _working_table(summary),
        "responses": _responses(summary),
    }
    tables |= {f"support-{name}": _support(found) for name, found in summary["support"].items()}
    files = dict(pictures)
    files["matrix.csv"] = _csv(summary).encode()
    files["table.md"] = _markdown(results, tables).encode()
    files["report.html"] = _page(results, tables, pictures).encode()
    for name, data in files.items():
        write_atomically(folder / name, data)
    return results


def _means(summary: Mapping[str, Any], families: Families) -> Shown:
    names = [name for name in GROUPS if name in summary["overall"]]
    rows = [[row, summary["base"][row], *(summary["means"][row].get(name) for name in names)] for row in families.trained]
    return ["trained on", "base accuracy", *(f"gain: {name}" for name in names)], [
        *rows,
        ["mean", None, *(summary["overall"][name] for name in names)],
    ]


def _matrix(summary: Mapping[str, Any], places: tuple[str, ...]) -> Shown:
    rows = [[row, *(found[place] for place in places)] for row, found in summary["matrix"].items()]
    return ["trained on", *places], [["base accuracy", *(summary["base"][place] for place in places)], *rows]


def _working_table(summary: Mapping[str, Any]) -> Shown:
    heads = ["trained on", "base share with working", "change: own", "change: other trained families"]
    return heads, [[row, found["base"], found["own"], found["others"]] for row, found in summary["working"].items()]


def _responses(summary: Mapping[str, Any]) -> Shown:
    heads = ["measured", "own, base", "own, change", "others, base", "others, change"]
    rows = []
    for name, label in RESPONSES.items():
        found = [summary["responses"][which].get(name, {}) for which in ("own", "others")]
        rows.append([label, *(part.get(end) for part in found for end in ("before", "change"))])
    return heads, rows


def _support(found: Mapping[str, Any]) -> Shown:
    return ["k", "base", "trained", "change"], [[k, at["base"], at["trained"], at["change"]] for k, at in found["pass_at"].items()]


def _is_signed(head: str) -> bool:
    return not head.startswith(("base", "own, base", "others, base", "trained"))


def _csv(summary: Mapping[str, Any]) -> str:
    lines = ["trained_on,measured_on,base,gain,half_width"]
    for row, found in summary["matrix"].items():
        for place, value in found.items():
            half = "" if value["half_width"] is None else f"{value['half_width']:.4f}"
            lines.append(f"{row},{place},{summary['base'][place]['mean']:.4f},{value['mean']:.4f},{half}")
    return "\n".join(lines) + "\n"


def _markdown(results: Mapping[str, Any], tables: Mapping[str, Shown]) -> str:
    parts = ["# transfer", results["question"], _introduction(results), "![Matrix of gains](matrix.png)"]
    for name, (heads, rows) in tables.items():
        if len(heads) < 2:
            continue
        body = [
            [markdown_cell(value, _is_signed(head) and row[0] != "base accuracy") for head, value in zip(heads, row, strict=True)]
            for row in rows
        ]
        parts += [f"## {title_of(name, results)}", markdown_table(heads, body)]
        parts += [_only(results["summary"]["support"][name.removeprefix("support-")])] if name.startswith("support-") else []
    return "\n\n".join(parts) + "\n"


def title_of(name: str, results: Mapping[str, Any]) -> str:
    """The title of a table."""
    titles = {
        "means": "Mean gains",
        "matrix": "All families",
        "shift": "Shifted families",
        "working": "Responses with working, by the family trained on",
        "responses": "How the responses changed",
    }
    return titles.get(name) or f"pass@k on {name.removeprefix('support-')}, before and after training on it"


def _introduction(results: Mapping[str, Any]) -> str:
    settings, seeds = results["settings"], results["seeds"]
    over = f"{len(seeds)} seeds, mean ± half-width of the 95 % t interval over seeds" if len(seeds) > 1 else "one seed, so no interval"
    return (
        f"One model for each seed, after {settings['families']['sft_steps']} steps of SFT on all families; from it {settings['steps']} steps of GRPO on one "
        f"family ({settings['groups_per_step']} tasks with {settings['group_size']} rollouts a step). A gain is the accuracy after training minus that of the "
        f"base model of the same seed, on the same {settings['eval_tasks']} held-out tasks of a family ({over}). Bold: the interval excludes 0; of many "
        "cells, one in twenty would do so by chance."
    )


def _only(found: Mapping[str, Any]) -> str:
    return (
        f"Of {found['tasks']} tasks, over all seeds, {found['only_base']:.0f} were solved by samples of the base model alone, and "
        f"{found['only_trained']:.0f} by samples of the trained model alone."
    )


def _page(results: Mapping[str, Any], tables: Mapping[str, Shown], pictures: Mapping[str, bytes]) -> str:
    sections = []
    for name, (heads, rows) in tables.items():
        if len(heads) < 2:
            continue
        cells = [
            [
                text("–" if value is None else value)
                if value is None or isinstance(value, str)
                else estimate_cell(value, _is_signed(head) and row[0] != "base accuracy")
                for head, value in zip(heads, row, strict=True)
            ]
            for row in rows
        ]
        body = table(f"table-{name}", heads, cells)
        if f"{name}.png" in pictures:
            body = picture(pictures[f"{name}.png"], f"heat map: {title_of(name, results)}") + body
        if name.startswith("support-"):
            body += f"<p>{_only(results['summary']['support'][name.removeprefix('support-')])}</p>"
        if name == "means":
            body = f"<p>{_introduction(results)}</p>{body}"
        sections.append((name, title_of(name, results), body))
    return study_page(f"Transfer: {results['question']}", results, sections)
