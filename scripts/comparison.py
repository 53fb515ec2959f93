"""Writes the tables of faults in docs/comparison.md and docs/index.md, from docs/peers/*.json and docs/certificates.json."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("comparison.md", "index.md")
BEGIN, END = "<!-- faults: written by scripts/comparison.py -->", "<!-- end of faults -->"
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


def main() -> None:
    """Write the tables, or with --check compare them with the pages."""
    stale = []
    for page in PAGES:
        file = DOCS / page
        text = file.read_text(encoding="utf-8")
        new = re.sub(rf"{BEGIN}.*?{END}", f"{BEGIN}\n{table()}\n{END}", text, flags=re.DOTALL)
        if BEGIN not in text:
            sys.exit(f"{file} has no line {BEGIN}")
        if sys.argv[1:] != ["--check"]:
            file.write_text(new, encoding="utf-8")
        elif new != text:
            stale.append(page)
    if stale:
        sys.exit(f"out of date: {', '.join(stale)}; run `python scripts/comparison.py`")


if __name__ == "__main__":
    main()
