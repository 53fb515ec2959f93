"""The HTML page of selective answering under a shift."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlgym.evaluate.report.charts.curves import coverage_figure
from rlgym.evaluate.report.charts.svg import share
from rlgym.evaluate.report.html_page import card, facts, figures, page
from rlgym.evaluate.report.tables import bar, count, percent, table, text

KEPT = {True: "kept", False: "broken", None: "nothing admitted"}


def render_selective(results: Mapping[str, Any], names: tuple[str, str]) -> str:
    """The page of the results of `selective`; `names` are those of the two sides."""
    sides = dict(zip(("calibration", "shifted"), names, strict=True))
    cards = [
        card(
            f"Accuracy of what is admitted, {name}",
            share(results[side]["accuracy"]["mean"]),
            f"coverage {share(results[side]['coverage'])}",
            side == "shifted",
        )
        for side, name in sides.items()
    ]
    curves = [(name, results[side]["curve"]) for side, name in sides.items()]
    rows = []
    for found in results["classes"]:
        for side, name in sides.items():
            part = found[side]
            costs = [percent(part["coverage"]), bar(part["accuracy"]), percent(part["accuracy_of_all"]), count(part["verdicts"])]
            rows.append([text(found["class"]), count(found["threshold"]), text(name), *costs, text(KEPT[part["kept"]])])
    heads = ("Class", "Threshold", "Side", "Coverage", "Accuracy of admitted", "Accuracy of all", "Verdicts", "Target")
    note = "The least certain verdicts are withheld. Thresholds come from the calibration side alone."
    body = f"<div class=cards>{''.join(cards)}</div>{figures(coverage_figure('Accuracy against coverage', curves, note))}"
    sections = [("overview", "Accuracy by coverage", body), ("classes", "By class of verdict", table("classes", heads, rows))]
    return page(
        "Selective answering under a shift", facts([("target", share(results["target"])), *sides.items()]), sections, results["notes"]
    )
