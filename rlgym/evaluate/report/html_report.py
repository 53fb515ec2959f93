"""Writes the report of a run: summary.json and the self-contained report.html."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlgym.evaluate.metrics.task_table import rows_as_dicts
from rlgym.evaluate.report import certainty, sections
from rlgym.evaluate.report.charts.curves import by_k, difficulty, difficulty_figure, k_figure, profile_figure
from rlgym.evaluate.report.charts.radar import radar
from rlgym.evaluate.report.charts.svg import number, share
from rlgym.evaluate.report.html_page import card, facts, figures, number_card, page, share_card
from rlgym.evaluate.report.summary import summary
from rlgym.evaluate.report.transcripts import MOST, embedded_json, select_transcripts

SUMMARY, REPORT = "summary.json", "report.html"
SHOWN_CELLS = 5


def write_report(folder: str | Path) -> Path:
    """Write summary.json and report.html into the folder of a finished or unfinished run; returns the report's path."""
    from rlgym.dataset.files import write_atomically
    from rlgym.evaluate.episodes.results import load

    loaded = load(folder)
    results = summary(loaded.rows, loaded.info)
    path = Path(folder) / REPORT
    write_atomically(
        Path(folder) / SUMMARY, (json.dumps(results, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace")
    )
    write_atomically(path, render_report(results, loaded.rows).encode("utf-8", "replace"))
    return path


def render_report(results: Mapping[str, Any], rows: Any, most: int = MOST) -> str:
    """The HTML page of a summary, with transcripts from the rows."""
    listed = rows_as_dicts(rows)
    shown = select_transcripts(listed, most)
    parts = [
        ("overview", "Overview", _overview(results)),
        ("difficulty", "By difficulty", sections.difficulty_section(results)),
        ("environments", "By environment, domain and level", sections.groups_section(results)),
        ("failures", "Failures", sections.failures_section(results, {(row["id"], row["sample"]) for row in shown})),
        ("calibration", "Calibration", sections.calibration_section(results["calibration"])),
        ("abstention", "Abstention and cover", certainty.abstention_section(results)),
        ("answerability", "Questions left open", certainty.answerability_section(results["answerability"])),
        ("variants", "Statements and their variants", certainty.variants_section(results["statement_variants"])),
        ("pairs", "Forecasts of pairs", certainty.pairs_section(results["pairs"])),
        ("judging", "Judge tasks", sections.judging_section(results["judging"])),
        ("shift", "Structural shift", sections.shift_section(results["shift"])),
        ("spending", "Length, time and cost", sections.usage_section(results)),
        ("entropy", "Entropy of answers and tokens", certainty.entropy_section(results["entropy"])),
        ("thinking", "Overthinking and underthinking", certainty.thinking_section(results["thinking"])),
        ("transcripts", "Transcripts", sections.transcripts_section(len(shown), len(listed))),
        ("method", "Method", sections.method_section(results)),
    ]
    label = str(results["run"].get("label") or "evaluation")
    return page(label, _facts(results["run"]), parts, warnings(results), embedded_json(shown) if shown else "")


def warnings(results: Mapping[str, Any]) -> list[str]:
    """Warnings above the numbers."""
    progress, out = results["progress"], []
    if not progress["finished"]:
        out.append(
            f"unfinished: {progress['done']:,} of {progress['requested']:,} episodes. The numbers below cover these only and may change."
        )
    if results["split"] == "shift":
        out.append("The run has only tasks of the shift split: all numbers refer to them.")
    if results["masked"]["samples"]:
        share_out = results["masked"]["samples"] / max(1, progress["done"])
        if share_out > 0.05:
            out.append(
                f"{share(share_out)} of the episodes are masked (not the model's fault) and excluded from all metrics: see Failures."
            )
    if empty := results.get("empty_cells"):
        cells = [f"{cell['environment']}{':shift' * (cell['split'] == 'shift')} at level {cell['level']:g}" for cell in empty]
        more = f" and {len(cells) - SHOWN_CELLS} more" if len(cells) > SHOWN_CELLS else ""
        out.append(f"No number covers {', '.join(cells[:SHOWN_CELLS])}{more}: every sample there is masked.")
    samples = results["failures"]["samples"]
    if samples and results["failures"]["outcomes"].get("unreadable") == samples:
        out.append(
            f"None of {samples:,} counted episodes has a readable answer: the accuracy says whether the model answers in the requested format, "
            "not what it can solve. See Failures and the transcripts."
        )
    return out


def _facts(run: Mapping[str, Any]) -> str:
    model, suite, sampling = (run.get(name) or {} for name in ("model", "suite", "sampling"))
    pairs = [
        ("model", model.get("name")),
        ("interface", model.get("kind")),
        ("suite", suite.get("name")),
        ("hash", str(suite.get("hash") or "")[:12]),
    ]
    pairs += [("samples", sampling.get("samples")), ("temperature", sampling.get("temperature")), ("top p", sampling.get("top_p"))]
    pairs += [("max tokens", sampling.get("max_tokens")), ("tools", run.get("tools")), ("rlgym", run.get("rlgym"))]
    return facts([*pairs, ("started", _to_minute(run.get("started"))), ("finished", _to_minute(run.get("finished")) or "not yet")])


def _to_minute(time: Any) -> str:
    """A time to the minute."""
    return str(time or "")[:16].replace("T", " ")


def _overview(results: Mapping[str, Any]) -> str:
    overall, several, profile, used = results["overall"], results["samples"], results["profile"] or {}, results["usage"]
    most = several["most"]
    accuracy = f"{overall['tasks']} tasks, {overall['samples']} samples"
    cards = [share_card("Accuracy" if most < 2 else f"Accuracy (avg@{most})", overall["accuracy"], accuracy, first=True)]
    if overall["score"]["mean"] != overall["accuracy"]["mean"]:
        cards.append(share_card("Mean score with partial credit", overall["score"]))
    if most > 1:
        cards += [
            share_card(f"pass@{most}", several["pass"][-1]),
            share_card(f"maj@{most}", several["maj"][-1], f"{several['maj'][-1]['tasks']} tasks"),
        ]
        cards.append(card("Never / always right", f"{overall['never_right']} / {overall['always_right']}", f"of {overall['tasks']} tasks"))
    if several["cot"]:
        last = several["cot"][-1]
        shares = f"of {share(last['pass'])} with a right answer, over {last['tasks']} tasks whose working is checked"
        cards.append(share_card(f"CoT-pass@{last['k']}", {"mean": last["cot_pass"], "low": last["low"], "high": last["high"]}, shares))
    if profile:
        cards += [share_card("IQM over environments", profile["iqm"]), share_card("Optimality gap", profile["optimality_gap"], "0 is best")]
    if results["shift"]:
        cards.append(share_card("Shift gap", results["shift"]["gap"], "main minus shift"))
    if results["calibration"]:
        cards.append(share_card("Calibration error (ECE)", results["calibration"]["ece"]))
    tokens = results["lengths"]["completion_tokens"]
    cards.append(number_card("Tokens per sample", tokens["all"]["mean"], f"right ones: {number(tokens['right']['mean'])}"))
    cards.append(number_card("Cost", used["cost"], f"{number(used['cost_per_right'])} USD per right sample", " USD"))
    masked = results["masked"]["samples"]
    cards.append(card("Masked", f"{masked}", "samples excluded above") if masked else "")
    domains = {row["domain"]: row["accuracy"] for row in results["by"]["domain"]}
    pictures = [
        difficulty_figure("Accuracy by level", [difficulty(results["by"]["level"])]),
        radar("Accuracy by domain", [("accuracy", domains)]),
    ]
    return f"<div class=cards>{''.join(cards)}</div>" + figures(*pictures, _k_curves(results), _profile(results), pairs=True)


def _k_curves(results: Mapping[str, Any]) -> str:
    several = results["samples"]
    if several["most"] < 2:
        return ""
    series = [by_k("pass@k", several["pass"], 0), by_k("maj@k", several["maj"], 1)]
    if any(abs((best["mean"] or 0) - (passed["mean"] or 0)) > 1e-9 for best, passed in zip(several["best"], several["pass"], strict=True)):
        series.append(by_k("best of k (score)", several["best"], 2))
    return k_figure("More samples per task", series, several["most"], "Expectation over all subsets of k samples of a task.")


def _profile(results: Mapping[str, Any]) -> str:
    if not results["profile"] or results["profile"]["environments"] < 3:
        return ""
    return profile_figure(
        "Performance profile", [("run", results["profile"]["profile"])], "The share of environments with an accuracy above τ."
    )
