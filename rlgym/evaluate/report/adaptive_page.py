"""The report of an adaptive run: the expected accuracy and its interval after each batch, in one self-contained page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.evaluate.report.html_page import card, facts, page, share_card
from rlgym.evaluate.report.tables import bar, count, table, text


def adaptive_page(summary: Mapping[str, Any]) -> str:
    """The page of a summary as `evaluate_adaptively` writes it."""
    known = [("model", summary["model"]), ("suite", summary["suite"]), ("rlgym", summary["rlgym"])]
    cards = share_card("Expected accuracy", summary["accuracy"], "over all tasks of known difficulty", first=True)
    cards += card("Tasks played", str(summary["played"]), f"of {summary['tasks_of_known_difficulty']} of known difficulty")
    cards += card("Ability", f"{summary['ability']:.2f}", f"logits, standard error {summary['standard_error']:.2f}")
    steps = [
        [
            count(step["played"]),
            bar(step["accuracy"]),
            count((step["accuracy"]["high"] - step["accuracy"]["low"]) / 2),
            count(step["aimed_half_width"]),
        ]
        for step in summary["batches"]
    ]
    versions = table(
        "versions", ("Environment", "Version"), [[text(name), count(version)] for name, version in summary["versions"].items()], shown=20
    )
    method = (
        "<p class=note>The Rasch model: a task of difficulty b is solved with probability 1 / (1 + exp(b - ability)). Difficulties come from the runs of other "
        "models. The interval does not show that this model may find other tasks hard than they do.</p>"
    )
    sections = [
        ("accuracy", "Accuracy", f"<div class=cards>{cards}</div>"),
        ("batches", "After each batch", table("after", ("Tasks played", "Expected accuracy", "Half-width", "Aimed half-width"), steps)),
        ("method", "Method and versions", method + versions),
    ]
    return page(f"Adaptive evaluation of {summary['model']}", facts(known), sections, warnings(summary))


def warnings(summary: Mapping[str, Any]) -> Sequence[str]:
    """What a reader must know before the numbers."""
    found = []
    if summary["stopped"]:
        found.append(f"The run stopped early: {summary['stopped']}.")
    if summary["masked"] == summary["played"]:
        found.append("Every task failed, so that nothing is known of the model.")
    elif summary["masked"]:
        found.append(f"{summary['masked']} of {summary['played']} tasks failed and are in no number.")
    if not summary["reached"]:
        found.append(f"The interval is wider than that of a plain run of {summary['equal_to']} tasks.")
    return found
