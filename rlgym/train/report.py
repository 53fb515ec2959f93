"""Pictures of a run: held-out accuracy before, between and after, and the curve of training, as PNG and as one HTML page."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rlgym.train.metrics import read_lines

SMOOTH = 0.9


def write_report(folder: Path, title: str, notes: Sequence[str] = ()) -> tuple[Path, Path]:
    """Write curve.png and report.html into the folder of a run; both stand alone."""
    steps = [line for line in read_lines(folder / "metrics.jsonl") if "solve" in line]
    evaluations = read_lines(folder / "evaluations.jsonl")
    picture = _picture(steps, evaluations, title)
    image, page = folder / "curve.png", folder / "report.html"
    image.write_bytes(picture)
    page.write_text(_page(title, notes, picture, evaluations, read_lines(folder / "transcripts.jsonl")), encoding="utf-8")
    return image, page


def _picture(steps: Sequence[dict[str, Any]], evaluations: Sequence[dict[str, Any]], title: str) -> bytes:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 4.5), layout="constrained")
    figure.suptitle(title)
    left.plot([line["step"] for line in steps], [line["solve"] for line in steps], color="tab:blue", alpha=0.25)
    left.plot([line["step"] for line in steps], smoothed([line["solve"] for line in steps]), color="tab:blue", label="sampled in training")
    held_out = [line for line in evaluations if line["phase"] == "rl"]
    middle = [line["accuracy"]["mean"] for line in held_out]
    off = [[accuracy["avg"] - accuracy["low"] for accuracy in middle], [accuracy["high"] - accuracy["avg"] for accuracy in middle]]
    left.errorbar(
        [line["step"] for line in held_out], [accuracy["avg"] for accuracy in middle], off, fmt="o-", color="tab:red", label="held out"
    )
    left.set(xlabel="step of reinforcement learning", ylabel="share of right answers", ylim=(0, 1))
    left.legend()
    _bars(right, evaluations)
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=110)
    pyplot.close(figure)
    return out.getvalue()


def _bars(axes: Any, evaluations: Sequence[dict[str, Any]]) -> None:
    """Held-out accuracy by environment and level, one colour per evaluation: the first, the one between, the last."""
    shown = [line for line in evaluations if not line["label"].startswith("step ")]
    if not shown:
        return
    places = list(shown[-1]["accuracy"])
    width = 0.8 / len(shown)
    for number, line in enumerate(shown):
        found = [line["accuracy"].get(place, {}) for place in places]
        at = [place + (number - (len(shown) - 1) / 2) * width for place in range(len(places))]
        heights = [accuracy.get("avg") or 0.0 for accuracy in found]
        off = [
            [height - accuracy.get("low", 0.0) for height, accuracy in zip(heights, found, strict=True)],
            [accuracy.get("high", 0.0) - height for height, accuracy in zip(heights, found, strict=True)],
        ]
        axes.bar(at, heights, width, label=NAMES.get(line["label"], line["label"]))
        axes.errorbar(at, heights, [[max(0.0, value) for value in side] for side in off], fmt="none", ecolor="black", elinewidth=0.8)
    axes.set(ylabel="held-out accuracy", ylim=(0, 1))
    axes.set_xticks(range(len(places)), places, rotation=30, ha="right")
    axes.legend()


NAMES = {"start": "before", "middle": "after the warm-up", "end": "after reinforcement learning"}
"""What the evaluations of a run are called in words."""


def smoothed(values: Sequence[float]) -> list[float]:
    """A running mean that forgets, corrected for its start."""
    out, kept, weight = [], 0.0, 0.0
    for value in values:
        kept, weight = SMOOTH * kept + (1 - SMOOTH) * value, SMOOTH * weight + (1 - SMOOTH)
        out.append(kept / weight)
    return out


def rows(evaluations: Sequence[dict[str, Any]]) -> list[list[str]]:
    """A table of evaluations: a heading, then a row for each environment and level, the mean last."""
    labels = [line["label"] for line in evaluations]
    places = list(dict.fromkeys(place for line in evaluations for place in line["accuracy"]))
    places = [place for place in places if place != "mean"] + ["mean"]
    table = [["held-out accuracy", *(NAMES.get(label, label) for label in labels)]]
    return table + [[place, *(cell(line["accuracy"].get(place)) for line in evaluations)] for place in places]


def cell(accuracy: dict[str, Any] | None) -> str:
    """An accuracy with its interval, in hundredths."""
    if accuracy is None or accuracy["avg"] is None:
        return "-"
    return f"{accuracy['avg']:.2f} ({accuracy['low']:.2f} to {accuracy['high']:.2f})"


def _page(
    title: str, notes: Sequence[str], picture: bytes, evaluations: Sequence[dict[str, Any]], transcripts: Sequence[dict[str, Any]]
) -> str:
    head, *body = rows(evaluations)
    table = "<tr>" + "".join(f"<th>{html.escape(text)}</th>" for text in head) + "</tr>"
    table += "".join("<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>" for row in body)
    episodes = [*transcripts[:3], *transcripts[-3:]] if len(transcripts) > 6 else list(transcripts)
    shown = "".join(_transcript(line) for line in episodes)
    said = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title><style>{_STYLE}</style>"
        f"<h1>{html.escape(title)}</h1>{said}"
        f'<img alt="curves of training and held-out accuracy" src="data:image/png;base64,{base64.b64encode(picture).decode()}">'
        f"<h2>Held-out accuracy</h2><p>With 95 % intervals over tasks.</p><table>{table}</table>"
        f"<h2>Episodes, from the first steps and the last</h2>{shown}</html>\n"
    )


def _transcript(line: dict[str, Any]) -> str:
    said = "".join(f"<dt>{html.escape(who)}</dt><dd><pre>{html.escape(text)}</pre></dd>" for who, text in line["messages"])
    score = line["score"]
    reason = f": {score['reason']}" if score["reason"] else ""
    verdict = html.escape(f"step {line['step']}, {line['task']}: score {score['value']:g} ({score['outcome']}){reason}")
    return f"<section><h3>{verdict}</h3><dl>{said}</dl></section>"


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}"
    "img{max-width:100%}table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #ddd}"
    "pre{white-space:pre-wrap;margin:0}dt{font-weight:600}dd{margin:0 0 .6rem 1rem}section{border-top:1px solid #ddd}h3{font-size:1rem}"
)
