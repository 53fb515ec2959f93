"""Writes the results of the study of methods: study.json, table.md and report.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlgym.dataset.files import write_atomically
from rlgym.evaluate.report.tables import table, text
from rlgym.train.study.families import Families
from rlgym.train.study.folder import write_json
from rlgym.train.study.measure import accuracy
from rlgym.train.study.page import estimate_cell, markdown_cell, markdown_table, study_page
from rlgym.train.study.transfer_summary import mean, over_seeds

HEADS = {
    "trained": "gain: families trained on",
    "shift": "gain: their shifted families",
    "others": "gain: other families of SFT",
    "apart": "gain: domains apart",
    "difference": "trained on, minus rl",
}


def write_results(folder: Path, results: dict[str, Any], families: Families, on: Sequence[str]) -> dict[str, Any]:
    """Write everything that is derived from the measurements; the results with their summary."""
    summary = summarize_methods(results, families, on)
    results = results | {"summary": summary}
    write_json(folder / "study.json", results)
    heads = ["method", *(head for name, head in HEADS.items() if name in summary["rl"] or name == "difference"), "working", "responses"]
    names = [name for name in HEADS if HEADS[name] in heads]
    rows: list[list[Any]] = [
        [label, *(row.get(name) for name in names), row["worked"], f"{row['responses']:.0f}"]
        for label, row in summary.items()
        if label != "base"
    ]
    by_family: list[list[Any]] = [[name, *(summary[label]["families"][name] for label in summary)] for name in families.main]
    shown = {"methods": (heads, rows), "families": (["family", *summary], by_family)}
    write_atomically(folder / "table.md", _markdown(results, shown).encode())
    write_atomically(folder / "report.html", _page(results, shown).encode())
    return results


def summarize_methods(results: Mapping[str, Any], families: Families, on: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For the base model its accuracies, and for each method, trained on the families `on`, the mean gains over groups of families."""
    base, seeds = results["base"], sorted(results["base"])
    groups = {
        "trained": list(on),
        "shift": [f"{name}:shift" for name in on if f"{name}:shift" in families.shifted],
        "others": [name for name in families.trained if name not in on],
        "apart": list(families.apart),
    }

    def gain(label: str, places: list[str], seed: int) -> float:
        return mean([accuracy(results["trained"][label][seed][place]) - accuracy(base[seed][place]) for place in places])

    summary: dict[str, dict[str, Any]] = {
        "base": {"families": {name: over_seeds(accuracy(base[seed][name]) for seed in seeds) for name in families.main}}
    }
    for label, by_seed in results["trained"].items():
        row: dict[str, Any] = {name: over_seeds(gain(label, places, seed) for seed in seeds) for name, places in groups.items() if places}
        if label != "rl":
            row["difference"] = over_seeds(gain(label, groups["trained"], seed) - gain("rl", groups["trained"], seed) for seed in seeds)
        row["worked"] = over_seeds(mean([by_seed[seed][place]["worked"] for place in on]) for seed in seeds)
        row["responses"] = mean([results["runs"][label][seed]["responses"] for seed in seeds])
        row["families"] = {name: over_seeds(accuracy(by_seed[seed][name]) for seed in seeds) for name in families.main}
        summary[label] = row
    return summary


def _introduction(results: Mapping[str, Any]) -> str:
    settings, seeds = results["settings"], results["seeds"]
    over = f"{len(seeds)} seeds, mean ± half-width of the 95 % t interval over seeds" if len(seeds) > 1 else "one seed, so no interval"
    responses = settings["groups_per_step"] * settings["group_size"]
    return (
        f"Every method starts from the model of its seed after {settings['families']['sft_steps']} steps of SFT, and makes {settings['steps']} "
        f"steps of {responses} responses on {', '.join(settings['on'])}. Distillation learns from the responses of its teacher that are right; "
        "what the teacher was trained on comes on top. A gain is the accuracy after minus that of the base model of the same seed, on the same "
        f"{settings['eval_tasks']} held-out tasks of a family ({over}). Working is the share of responses with text before the answer, on the "
        "families trained on."
    )


def _is_signed(head: str) -> bool:
    return head.startswith("gain") or head == HEADS["difference"]


def _markdown(results: Mapping[str, Any], tables: Mapping[str, tuple[list[str], list[list[Any]]]]) -> str:
    parts = ["# methods", results["question"], _introduction(results)]
    for name, (heads, rows) in tables.items():
        parts += ["## Accuracy by family"] if name == "families" else []
        parts.append(
            markdown_table(
                heads, [[markdown_cell(value, _is_signed(head)) for head, value in zip(heads, row, strict=True)] for row in rows]
            )
        )
    return "\n\n".join(parts) + "\n"


def _page(results: Mapping[str, Any], tables: Mapping[str, tuple[list[str], list[list[Any]]]]) -> str:
    titles = {"methods": "Gains of the methods", "families": "Accuracy by family"}
    sections = []
    for name, (heads, rows) in tables.items():
        cells = [
            [
                text(value or "–") if value is None or isinstance(value, str) else estimate_cell(value, _is_signed(head))
                for head, value in zip(heads, row, strict=True)
            ]
            for row in rows
        ]
        intro = f"<p>{_introduction(results)}</p>" if name == "methods" else ""
        sections.append((name, titles[name], intro + table(f"table-{name}", heads, cells)))
    return study_page(f"Methods: {results['question']}", results, sections)
