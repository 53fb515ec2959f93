"""Writes the tables of faults in docs/comparison.md and docs/index.md and the table of speed, from docs/peers/*.json and docs/certificates.json."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("comparison.md", "index.md")
BEGIN, END = "<!-- faults: written by scripts/comparison.py -->", "<!-- end of faults -->"
SPEED_BEGIN, SPEED_END = "<!-- speed: written by scripts/comparison.py -->", "<!-- end of speed -->"
SLOW = 0.5
"""Below this ratio a pair shows its reason."""
PEERS = {"reasoning-gym 0.1.25": "reasoning_gym", "RLVE (commit 73cccd9)": "rlve"}
FAULTS = {
    "do not give their own answer full reward": "Own answer not fully rewarded",
    "pay something for a non-answer": "A non-answer is rewarded",
    "pay full reward for a non-answer": "A non-answer is fully rewarded",
    "run text through eval or its like": "Source calls `eval`, `exec`, `sympify` or `parse_expr`",
    "repeat more than 5 % of tasks within 1,000 seeds": "More than 5 % of 1,000 tasks repeat",
    "pay one constant answer more than 0.2 on average": "A constant answer earns more than 0.2",
    "change with the hash seed": "Tasks depend on the hash seed",
}


def table() -> str:
    """The faults, one a row, and the gyms, one a column."""
    files = {title: DOCS / "peers" / f"{file}.json" for title, file in PEERS.items()}
    measured = {title: json.loads(file.read_text(encoding="utf-8"))["table"] for title, file in files.items() if file.exists()}
    ours: dict[str, Any] = json.loads((DOCS / "certificates.json").read_text(encoding="utf-8"))["bar"]
    lines = [f"| environments with this fault | {' | '.join(measured)} | rlgym |", f"|---|{'---:|' * (len(measured) + 1)}"]
    lines += [
        f"| {title} | {' | '.join(str(row[fault]) for row in measured.values())} | {ours[fault]} |" for fault, title in FAULTS.items()
    ]
    counts = " | ".join(f"{row['measured']} of {row['environments']}" for row in measured.values())
    lines.append(f"| *environments measured* | {counts} | {ours['environments']} |")
    return "\n".join(lines)


def speed_table() -> str:
    """Tasks per second of reasoning-gym and rlgym, one pair of families a row."""
    measured: dict[str, Any] = json.loads((DOCS / "peers" / "reasoning_gym_speed.json").read_text(encoding="utf-8"))
    lines = ["| rlgym | reasoning-gym | ours, tasks/s | theirs, tasks/s | ratio | what differs |", "|---|---|---:|---:|---:|---|"]
    for row in measured["families"]:
        remark = "; ".join(text for text in (row["difference"], row["reason"] if row["ratio"] < SLOW else "") if text)
        ours, theirs = _call(row["ours"], row["knobs"]), _call(row["theirs"], row["settings"])
        lines.append(f"| {ours} | {theirs} | {row['ours_per_s']:,.0f} | {row['theirs_per_s']:,.0f} | {row['ratio']:.2f} | {remark} |")
    datasets = len({row["theirs"] for row in measured["families"]})
    lines.append(f"| *geometric mean* | {len(measured['families'])} pairs, {datasets} datasets | | | {measured['ratio']:.2f} | |")
    return "\n".join(lines)


def _call(name: str, settings: dict[str, Any]) -> str:
    return f"`{name}` " + ", ".join(f"{key}={value}" for key, value in settings.items())


def main() -> None:
    """Write the tables, or with --check compare them with the pages."""
    stale = []
    blocks = [(page, BEGIN, END, table()) for page in PAGES] + [("comparison.md", SPEED_BEGIN, SPEED_END, speed_table())]
    for page, begin, end, rows in blocks:
        file = DOCS / page
        text = file.read_text(encoding="utf-8")
        if begin not in text:
            sys.exit(f"{file} has no line {begin}")
        new = re.sub(rf"{begin}.*?{end}", lambda _, block=f"{begin}\n{rows}\n{end}": block, text, flags=re.DOTALL)  # type: ignore[misc]
        if sys.argv[1:] != ["--check"]:
            file.write_text(new, encoding="utf-8")
        elif new != text:
            stale.append(page)
    if stale:
        sys.exit(f"out of date: {', '.join(stale)}; run `python scripts/comparison.py`")


if __name__ == "__main__":
    main()
