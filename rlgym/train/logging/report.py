"""The report of a run: one HTML page with plots, held-out accuracies and sample episodes."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.plots import LABELS, plot_run


def write_report(folder: Path, title: str, notes: Sequence[str] = ()) -> tuple[Path, Path]:
    """Write curve.png and the self-contained report.html into the folder of a run."""
    steps = [line for line in read_lines(folder / "metrics.jsonl") if "solve_rate" in line]
    evaluations = read_lines(folder / "evaluations.jsonl")
    plot = plot_run(steps, evaluations, title)
    image, page = folder / "curve.png", folder / "report.html"
    image.write_bytes(plot)
    page.write_text(_page(title, notes, plot, evaluations, read_lines(folder / "transcripts.jsonl")), encoding="utf-8")
    return image, page


def table_rows(evaluations: Sequence[dict[str, Any]]) -> list[list[str]]:
    """A table of evaluations: a heading, then a row for each environment and level, the mean last."""
    labels = [line["label"] for line in evaluations]
    cells = list(dict.fromkeys(cell for line in evaluations for cell in line["accuracy"]))
    cells = [cell for cell in cells if cell != "mean"] + ["mean"]
    table = [["held-out accuracy", *(LABELS.get(label, label) for label in labels)]]
    return table + [[cell, *(format_accuracy(line["accuracy"].get(cell)) for line in evaluations)] for cell in cells]


def format_accuracy(accuracy: dict[str, Any] | None) -> str:
    """An accuracy with its confidence interval, to two decimals."""
    if accuracy is None or accuracy["avg"] is None:
        return "-"
    return f"{accuracy['avg']:.2f} ({accuracy['low']:.2f} to {accuracy['high']:.2f})"


def _page(
    title: str, notes: Sequence[str], plot: bytes, evaluations: Sequence[dict[str, Any]], transcripts: Sequence[dict[str, Any]]
) -> str:
    head, *body = table_rows(evaluations)
    table = "<tr>" + "".join(f"<th>{html.escape(text)}</th>" for text in head) + "</tr>"
    table += "".join("<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>" for row in body)
    episodes = [*transcripts[:3], *transcripts[-3:]] if len(transcripts) > 6 else list(transcripts)
    shown = "".join(_transcript(line) for line in episodes)
    paragraphs = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title><style>{_STYLE}</style>"
        f"<h1>{html.escape(title)}</h1>{paragraphs}"
        f'<img alt="training curve and held-out accuracy" src="data:image/png;base64,{base64.b64encode(plot).decode()}">'
        f"<h2>Held-out accuracy</h2><p>With 95 % confidence intervals over tasks.</p><table>{table}</table>"
        f"<h2>Episodes of the first and the last steps</h2>{shown}</html>\n"
    )


def _transcript(line: dict[str, Any]) -> str:
    messages = "".join(f"<dt>{html.escape(role)}</dt><dd><pre>{html.escape(text)}</pre></dd>" for role, text in line["messages"])
    score = line["score"]
    reason = f": {score['reason']}" if score["reason"] else ""
    heading = html.escape(f"step {line['step']}, {line['task']}: score {score['value']:g} ({score['outcome']}){reason}")
    return f"<section><h3>{heading}</h3><dl>{messages}</dl></section>"


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}"
    "img{max-width:100%}table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #ddd}"
    "pre{white-space:pre-wrap;margin:0}dt{font-weight:600}dd{margin:0 0 .6rem 1rem}section{border-top:1px solid #ddd}h3{font-size:1rem}"
)
