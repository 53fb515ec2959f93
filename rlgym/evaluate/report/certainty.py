"""The sections of a report on certainty and on length: abstention, questions left open, cover@tau, entropy, overthinking and underthinking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.evaluate.report.charts.curves import coverage_figure
from rlgym.evaluate.report.charts.svg import share
from rlgym.evaluate.report.html_page import card, figures, share_card
from rlgym.evaluate.report.tables import Cell, count, decimal, percent, table, text


def abstention_section(summary: Mapping[str, Any]) -> str:
    """Accuracy against coverage and cover@tau; empty without several samples and without stated confidences."""
    curves, cover = summary["abstention"], summary["cover"]
    cards = [
        card(f"Mean accuracy by {name}", share(curve["mean_accuracy"]), f"over all coverages; at best {share(curve['best'])}")
        for name, curve in curves.items()
    ]
    cards += [share_card(f"cover@{row['tau']:g}", row, "tasks solved at least so often") for row in cover]
    if not cards:
        return ""
    series = [(name, curve["curve"]) for name, curve in curves.items()]
    note = "The least certain answers are withheld. Agreement: the share of a task's samples that give its most frequent answer."
    return f"<div class=cards>{''.join(cards)}</div>" + (
        figures(coverage_figure("Accuracy against coverage", series, note)) if series else ""
    )


ANSWERABILITY = {
    "unreadable": "Unreadable",
    "error_rate": "Errors",
    "refusal_rate": "Refusals",
    "exact_match": "EM",
    "f1": "F1",
    "open_accuracy": "Left open rightly",
}
"""The columns of `answerability_section` that are shares."""


def answerability_section(answerability: Sequence[Mapping[str, Any]]) -> str:
    """Errors apart from refusals, EM and F1 of what the text decides, and abstaining; empty without such tasks."""
    if not answerability:
        return ""
    heads = ["Environment", "Samples", *ANSWERABILITY.values(), "F1 of abstaining", "Fitted threshold", "Accuracy with it", "without"]
    cells = []
    for row in answerability:
        fitted = row["threshold"] or {"threshold": None, "accuracy": None, "unfitted": None}
        shares = [percent(row[name]) for name in ANSWERABILITY]
        threshold = Cell("–" if fitted["threshold"] is None else f"{fitted['threshold']:.2f}", fitted["threshold"])
        accuracies = [percent(fitted["accuracy"]), percent(fitted["unfitted"])]
        cells.append([text(row["environment"]), count(row["samples"]), *shares, percent(row["abstention"]["f1"]), threshold, *accuracies])
    return (
        "<p class=note>Errors and refusals are shares of all questions or claims; a refusal leaves open what the text decides. EM and F1 cover what it "
        "decides. The threshold of confidence is fitted on half of the tasks, and both accuracies are those of the other half.</p>"
        + table("answerability", heads, cells)
    )


def variants_section(variants: Sequence[Mapping[str, Any]]) -> str:
    """Statements of which all variants are right, and the accuracy on each variant; empty without such tasks."""
    if not variants:
        return ""
    names = list(dict.fromkeys(name for row in variants for name in row["by_variant"]))
    heads = ["Environment", "Statements", "All variants right", "Accuracy", *(name.capitalize() for name in names)]
    cells = [
        [
            text(row["environment"]),
            count(row["statements"]),
            *(percent(value) for value in (row["all_right"], row["accuracy"], *(row["by_variant"].get(name) for name in names))),
        ]
        for row in variants
    ]
    return "<p class=note>A statement counts only if all of its variants are answered rightly.</p>" + table("variants", heads, cells)


def pairs_section(pairs: Sequence[Mapping[str, Any]]) -> str:
    """What the first outcome tells a model of the second, and what that says of its knowledge; empty without such tasks."""
    if not pairs:
        return ""
    heads = ["Environment", "Samples", "Unreadable", "Log-likelihood of a pair", "Gain by the first result", "Gain with the process known"]
    heads += ["Epistemic confidence", "Stated variance", "Squared error"]
    cells = []
    for row in pairs:
        known = row["known"] or dict.fromkeys(("confidence", "variance", "squared_error"))
        gains = [decimal(row["likelihood"]["pair"]), decimal(row["gain"]), decimal(row["process_gain"])]
        stated = [percent(known["confidence"]), decimal(known["variance"]), decimal(known["squared_error"])]
        cells.append([text(row["environment"]), count(row["samples"]), percent(row["unreadable"]), *gains, *stated])
    return (
        "<p class=note>Gains and likelihoods are in nats. The last three columns cover the processes whose runs are independent: whoever knows them "
        "learns nothing from the first result, and where the stated variance equals the squared error the pairs are calibrated of second order.</p>"
        + table("pairs", heads, cells)
    )


def thinking_section(thinking: Mapping[str, Any] | None) -> str:
    """Overthinking, underthinking and words of reflection; empty without token counts of several samples."""
    if not thinking:
        return ""
    notes = {
        "overthinking": "tokens of right samples beyond the task's shortest right one",
        "redundancy": "words of the working of right samples after it first concludes with the answer",
        "underthinking": "wrong samples that are shorter than every right one of their task",
    }
    cards = [share_card(name.capitalize(), thinking[name], note) for name, note in notes.items() if thinking[name]["mean"] is not None]
    for kind, value in thinking["reflections"].items():
        if value["mean"] is not None:
            cards.append(card(f"Reflections, {kind}", f"{value['mean']:.1f}", 'words such as "wait" in 1,000 words'))
    return f"<div class=cards>{''.join(cards)}</div>"


def entropy_section(entropy: Mapping[str, Any] | None) -> str:
    """Entropy of answers and of tokens, and self-certainty; empty without several samples and without log-probabilities."""
    if not entropy:
        return ""
    cards = []
    if entropy["answers"]["mean"] is not None:
        cards.append(card("Entropy of answers", f"{entropy['answers']['mean']:.2f} nats", "over the samples of a task"))
        cards.append(card("Different answers", f"{entropy['different']['mean']:.1f}", "to a task"))
    for name, title in (("tokens", "Entropy of tokens"), ("certainty", "Self-certainty")):
        for kind, value in (entropy[name] or {}).items():
            if value["mean"] is not None:
                cards.append(card(f"{title}, {kind}", f"{value['mean']:.2f} nats", f"mean over the tokens of {kind} samples"))
    return f"<div class=cards>{''.join(cards)}</div>"
