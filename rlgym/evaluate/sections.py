"""The parts of a report below its headline numbers, each as HTML; empty where there is nothing to tell."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from rlgym.evaluate.charts.bars import histogram, reliability, spread, stacked
from rlgym.evaluate.charts.curves import Line, difficulty, difficulty_figure
from rlgym.evaluate.charts.heat import heat_map, scale
from rlgym.evaluate.charts.svg import number, share
from rlgym.evaluate.shell import card, figures, number_card, share_card, tabs
from rlgym.evaluate.tables import Cell, bar, count, percent, points, table, text


def difficulty_section(found: Mapping[str, Any]) -> str:
    domains: dict[str, list[Any]] = {}
    for row in found["domain_level"]:
        domains.setdefault(row["domain"], []).append(row)
    if len(found["by"]["level"]) < 2:
        return ""
    everything = Line("all", difficulty(found["by"]["level"]).points, None)
    panels = [
        difficulty_figure(name.replace("_", " "), [everything, difficulty(rows, name)], small=True)
        for name, rows in sorted(domains.items())
    ]
    parts = {row["environment"]: row["domain"] for row in found["by"]["environment"]}
    grid = heat_map("Environments by level (accuracy in per cent)", found["environment_level"], "environment", parts)
    return (
        "<p class=note>Dashed: all environments. Bands: 95 % intervals over tasks.</p>"
        + figures(*panels, little=True)
        + f"<h3>Map</h3>{scale()}{grid}"
    )


def places(found: Mapping[str, Any]) -> str:
    parts = [(name, f"By {name}", _table(found, name)) for name in ("environment", "domain", "level", "kind")]
    domains = {row["environment"]: row["domain"] for row in found["by"]["environment"]}
    cells = [
        [text(row["environment"]), text(domains[row["environment"]]), count(row["level"]), bar(row), count(row["tasks"])]
        for row in found["environment_level"]
    ]
    each = table("each", ["Environment", "Domain", "Level", "Accuracy, 95 %", "Tasks"], cells, {"Domain": 1, "Level": 2}, shown=200)
    return tabs([*parts, ("each", "Environment and level", each if cells else "")])


def _table(found: Mapping[str, Any], by: str) -> str:
    rows, most = found["by"][by], found["samples"]["most"]
    if not rows:
        return ""
    wide, several = by == "environment", most > 1
    heads = [by.capitalize(), "Accuracy, 95 %", *(["Domain", "Kind"] if wide else []), "Score", *([f"pass@{most}"] if several else [])]
    heads += ["Tasks", "Samples", "Tokens", "Turns"]
    cells = []
    for row in rows:
        name = count(row[by]) if by == "level" else text(row[by])
        line = [name, bar(row["accuracy"]), *([text(row["domain"]), text(row["kind"])] if wide else []), percent(row["score"])]
        line += [percent(row["pass_most"])] if several else []
        cells.append([*line, count(row["tasks"]), count(row["samples"]), count(row["completion_tokens"]), count(row["turns"])])
    return table(by, heads, cells, {"Domain": 2, "Kind": 3} if wide else {}, shown=100)


def failures(found: Mapping[str, Any], shown: set[tuple[str, int]]) -> str:
    said, out = found["failures"], []
    kinds = list(said["outcomes"])
    if kinds:
        kinds = [kind for kind in ("right", "wrong") if kind in kinds] + [kind for kind in kinds if kind not in ("right", "wrong")]
        domain_of = {row["environment"]: row["domain"] for row in found["by"]["environment"]}
        by_domain: dict[str, dict[str, int]] = {}
        for env, counts in said["by_environment"].items():
            place = by_domain.setdefault(domain_of[env], {})
            for kind, total in counts.items():
                place[kind] = place.get(kind, 0) + total
        out.append(figures(stacked("Outcomes", {"all": said["outcomes"], **dict(sorted(by_domain.items()))}, kinds)))
    if said["reasons"]:
        cells = [_reason(row, said["wrong"], shown) for row in said["reasons"]]
        out.append(f"<h3>Reasons</h3><p class=note>Numbers and quotations in reasons are taken out, so that one kind counts together. "
                   f"{len(cells)} of {said['kinds_of_reasons']} kinds are shown.</p>")  # fmt: skip
        out.append(table("reasons", ["Outcome", "Reason", "Samples", "Share", "Mostly in", "Examples"], cells, {"Outcome": 0}, shown=20))
    masked = found["masked"]
    if masked["samples"]:
        lines = [[text(reason or "(none given)"), count(total)] for reason, total in masked["reasons"].items()]
        out.append(f"<h3>Masked: {masked['samples']} samples</h3><p class=note>Not the model's fault, so in no other number.</p>")
        out.append(table("masked", ["Reason", "Samples"], lines))
    return "".join(out)


def _reason(row: Mapping[str, Any], wrong: int, shown: set[tuple[str, int]]) -> list[Cell]:
    links = []
    for example in row["examples"]:
        name = html.escape(f"{example['id']}/{example['sample']}")
        inside = f"{html.escape(example['reason']) or '(no reason given)'}<br><small>{name}</small>"
        link = f'<a href="#transcripts" data-transcript="{name}">read</a>' if (example["id"], example["sample"]) in shown else ""
        links.append(f"<li>{inside} {link}</li>")
    examples = f"<details><summary>{len(links)}</summary><ul>{''.join(links)}</ul></details>"
    places = ", ".join(f"{env} ({total})" for env, total in list(row["environments"].items())[:3])
    return [
        text(row["outcome"]),
        text(row["reason"]),
        count(row["samples"]),
        percent(row["samples"] / max(1, wrong)),
        text(places),
        Cell(examples, str(len(links))),
    ]


def calibration(found: Mapping[str, Any] | None) -> str:
    if not found:
        return ""
    measures = {
        "brier": ("Brier score", "0 is best"),
        "ece": ("ECE, 10 bins", "0 is best"),
        "auroc": ("AUROC", "0.5 tells nothing, 1 is best"),
    }
    cards = []
    for name, (title, note) in measures.items():
        value = found[name]
        if value["mean"] is not None:
            between = "" if value["low"] is None else f"95 %: {value['low']:.3f} to {value['high']:.3f} · "
            cards.append(card(title, f"{value['mean']:.3f}", f"{between}{note}"))
    cards.append(card("Mean confidence", share(found["confidence"]), f"accuracy {share(found['accuracy'])}, {found['samples']} samples"))
    note = f"{found['without']} samples stated no confidence and are left out. " if found["without"] else ""
    picture = reliability(
        "Reliability",
        found["bins"],
        "On the diagonal what is said is what happens. Whiskers: Wilson's 95 % interval. Below: samples per bin.",
    )
    return f"<div class=cards>{''.join(cards)}</div><p class=note>{note}</p>{figures(picture)}"


def shift(found: Mapping[str, Any] | None) -> str:
    if not found:
        return ""
    note = f"{found['places']} places (environment and level) have both splits; each counts alike."
    cards = share_card("Gap", found["gap"], note, first=True) + card("Main", share(found["main"])) + card("Shift", share(found["shift"]))
    rows = found["environments"]
    cells = [_gap(row) for row in rows]
    largest = sorted(rows, key=lambda row: -row["gap"])[:20]
    ends = max([0.1] + [abs(row[end]) for row in largest for end in ("low", "high")])
    ends = min(1.0, round(ends + 0.05, 1))
    named = [(row["environment"], {"mean": row["gap"], "low": row["low"], "high": row["high"]}) for row in largest]
    picture = spread("Largest gaps", named, (-ends, ends), "main minus shift", "Points right of zero: worse on the shifted tasks.")
    listed = table("shift-table", ["Environment", "Main", "Shift", "Gap, points", "95 %", "Tasks main / shift"], cells)
    return f"<div class=cards>{cards}</div>{figures(picture)}{listed}"


def _gap(row: Mapping[str, Any]) -> list[Cell]:
    between = Cell(f"{100 * row['low']:+.1f} to {100 * row['high']:+.1f}", row["low"])
    tasks = text(" / ".join(map(str, row["tasks"])))
    return [text(row["environment"]), percent(row["main"]), percent(row["shift"]), points(row["gap"]), between, tasks]


def spent(found: Mapping[str, Any]) -> str:
    """Lengths of right and wrong samples, and what the run used."""
    names = {
        "completion_tokens": "tokens written",
        "prompt_tokens": "tokens read",
        "turns": "turns",
        "seconds": "seconds",
        "cost": "cost (USD)",
    }
    rows = []
    for name, title in names.items():
        kinds = [found["lengths"][name][kind] for kind in ("all", "right", "wrong")]
        if kinds[0]["mean"] is not None:
            rows.append([text(title), *(_measured(kind) for kind in kinds)])
    used = found["spend"]
    seconds = None if used["seconds"] is None else used["seconds"] / 3600
    cards = [number_card("Tokens written", used["completion_tokens"], f"{number(used['tokens_per_right'])} per right sample")]
    cards += [number_card("Tokens read", used["prompt_tokens"]), number_card("Requests", used["requests"])]
    cards += [number_card("Time of all samples, added up", seconds, "", " h"), number_card("Cost", used["cost"], "", " USD")]
    unknown = [
        f"{used[name]} samples have no {what}" for name, what in (("without_tokens", "token count"), ("without_cost", "cost")) if used[name]
    ]
    note = f"<p class=note>{html.escape('; '.join(unknown))}: totals and means are of the others.</p>" if unknown else ""
    pictures = histogram("Tokens written per sample", found["histograms"]["completion_tokens"], "tokens")
    pictures += histogram("Cost per sample", found["histograms"]["cost"], "USD")
    listed = table("lengths", ["Mean per sample", "All", "Right", "Wrong"], rows)
    return (
        f"<div class=cards>{''.join(cards)}</div>{note}{figures(pictures) if pictures else ''}<h3>Means, with 95 % intervals</h3>{listed}"
    )


def _measured(found: Mapping[str, Any]) -> Cell:
    between = "" if found["low"] is None else f" <small>{number(found['low'])} to {number(found['high'])}</small>"
    return Cell(f"{number(found['mean'])}{between}", found["mean"])


def reader(shown: int, total: int) -> str:
    """Where the page's script puts the transcripts."""
    if not shown:
        return ""
    chosen = (
        "all of them"
        if shown == total
        else f"{shown} of {total:,}, chosen so that environments and outcomes are all met as far as there is room"
    )
    menus = "".join(
        f'<label>{title} <select name="{name}"><option value="">all</option></select></label>'
        for name, title in (("env", "Environment"), ("outcome", "Outcome"))
    )
    verdicts = "".join(f"<option>{kind}</option>" for kind in ("right", "wrong", "masked"))
    menus += f'<label>Verdict <select name="verdict"><option value="">all</option>{verdicts}</select></label>'
    return (
        f"<p class=note>{html.escape(chosen.capitalize())}. Long texts are cut in the middle, and say by how much. "
        "In the list, the arrow keys (or j and k) go on.</p>"
        f'<div class=tools id="reader-tools">{menus}<output aria-live=polite></output></div>'
        '<div class=reader id="reader"><div class=scroll><ul aria-label="transcripts"></ul></div><div class=said aria-live=polite></div></div>'
        "<noscript><p class=warn>The transcripts need JavaScript.</p></noscript>"
    )


def how(found: Mapping[str, Any]) -> str:
    """How the numbers came about, in short."""
    made = found["intervals"]
    lines = [
        "Accuracy is the mean over tasks of the share of a task's samples that are right; every task counts alike.",
        f"Intervals are {100 * made['level']:.0f} %: {made['method']}; {made['draws']} draws with seed {made['seed']}, {made['strata']} strata, "
        f"{made['tasks']} tasks. Where all tasks of a group are right (or none is), the exact binomial limit is given. "
        "They hold for new tasks from the same environments and levels, not for new environments, nor for another training run.",
        "pass@k is 1 - C(n-c, k) / C(n, k), maj@k the chance that a vote of k samples is won by a right answer (ties shared), best of k "
        "the expected highest score of k samples; all three are means over subsets of the n samples of a task, not over a single draw.",
        "IQM is the mean of the middle half of the environments' accuracies, the optimality gap one less their mean.",
        "Masked samples (a verifier or sandbox that failed, a model that could not be reached) are in no number but the cost.",
    ]
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)
