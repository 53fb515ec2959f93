"""Writes the results of a study over rows: study.json, table.md and report.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from rlgym.dataset.files import write_atomically
from rlgym.evaluate.report.tables import table, text
from rlgym.train.study.families import Families
from rlgym.train.study.folder import write_json
from rlgym.train.study.measure import accuracy
from rlgym.train.study.page import estimate_cell, markdown_cell, markdown_table, study_page
from rlgym.train.study.studies import Change
from rlgym.train.study.transfer_summary import mean, over_seeds

HEADS = {
    "base": "base accuracy",
    "trained": "gain: families trained on",
    "shift": "gain: their shifted families",
    "others": "gain: other families of SFT",
    "apart": "gain: domains apart",
    "difference": "trained on, minus its pair",
    "tokens": "tokens of a response",
}


@dataclass(frozen=True)
class Row:
    """One way of training.

    on       the families that it trains on, which its gain on `trained` is measured on
    method   reinforcement learning, or SFT on the oracle's solutions
    level    level of its tasks, and of the measurement
    change   fields of the configuration that it sets
    pair     the row that it is compared with, if any
    """

    on: tuple[str, ...]
    method: Literal["rl", "sft"] = "rl"
    level: float = 0.0
    change: Change = field(default_factory=dict)
    pair: str = ""


def write_results(folder: Path, results: dict[str, Any], families: Families, rows: Mapping[str, Row]) -> dict[str, Any]:
    """Write everything that is derived from the measurements; the results with their summary."""
    summary = summarize_rows(results, families, rows)
    results = results | {"summary": summary}
    write_json(folder / "study.json", results)
    names = [name for name in HEADS if any(name in row for row in summary.values())]
    heads = ["row", *(HEADS[name] for name in names), "pair", "responses"]
    lines = [[label, *(row.get(name) for name in names), rows[label].pair, f"{row['responses']:.0f}"] for label, row in summary.items()]
    write_atomically(folder / "table.md", _markdown(results, heads, lines).encode())
    write_atomically(folder / "report.html", _page(results, heads, lines).encode())
    return results


def summarize_rows(results: Mapping[str, Any], families: Families, rows: Mapping[str, Row]) -> dict[str, dict[str, Any]]:
    """For each row the base accuracy, the mean gains over groups of families, and the difference of the gain from that of its pair."""
    trained = results["trained"]

    def places(row: Row) -> dict[str, list[str]]:
        return {
            "trained": list(row.on),
            "shift": [f"{name}:shift" for name in row.on if f"{name}:shift" in families.shifted],
            "others": [name for name in families.trained if name not in row.on],
            "apart": list(families.apart),
        }

    def base(label: str, seed: int, name: str) -> float:
        return accuracy(results["base"][f"{rows[label].level:g}"][seed][name])

    def gain(label: str, chosen: Sequence[str], seed: int) -> float:
        return mean([accuracy(trained[label][seed][name]) - base(label, seed, name) for name in chosen])

    summary = {}
    for label, row in rows.items():
        seeds = sorted(trained[label])
        found: dict[str, Any] = {"base": over_seeds(mean([base(label, seed, name) for name in row.on]) for seed in seeds)}
        found |= {group: over_seeds(gain(label, chosen, seed) for seed in seeds) for group, chosen in places(row).items() if chosen}
        if row.pair:
            found["difference"] = over_seeds(gain(label, row.on, seed) - gain(row.pair, row.on, seed) for seed in seeds)
        found["tokens"] = over_seeds(mean([trained[label][seed][name]["tokens"] for name in row.on]) for seed in seeds)
        found["responses"] = mean([results["runs"][label][seed]["responses"] for seed in seeds])
        summary[label] = found
    return summary


def _introduction(results: Mapping[str, Any]) -> str:
    settings, seeds = results["settings"], results["seeds"]
    over = f"{len(seeds)} seeds, mean ± half-width of the 95 % t interval over seeds" if len(seeds) > 1 else "one seed, so no interval"
    return (
        f"Every row starts from the model of its seed after {settings['families']['sft_steps']} steps of SFT, and makes {settings['steps']} steps of "
        f"{settings['groups_per_step'] * settings['group_size']} responses. A gain is the accuracy after minus that of the base model of the same seed, "
        f"on the same {settings['eval_tasks']} held-out tasks of a family ({over}); a row is compared with its pair on the same seeds."
    )


def _is_signed(head: str) -> bool:
    return head.startswith("gain") or head == HEADS["difference"]


def _markdown(results: Mapping[str, Any], heads: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    shown = [[markdown_cell(value, _is_signed(head)) for head, value in zip(heads, line, strict=True)] for line in lines]
    return "\n\n".join([f"# {results['study']}", results["question"], _introduction(results), markdown_table(heads, shown)]) + "\n"


def _page(results: Mapping[str, Any], heads: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    cells = [
        [
            text(value or "–") if value is None or isinstance(value, str) else estimate_cell(value, _is_signed(head))
            for head, value in zip(heads, line, strict=True)
        ]
        for line in lines
    ]
    section = ("rows", "Gains of the rows", f"<p>{_introduction(results)}</p>" + table("table-rows", heads, cells))
    return study_page(f"{results['study'].capitalize()}: {results['question']}", results, [section])
