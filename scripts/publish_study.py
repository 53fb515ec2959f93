"""Publish results of `rlgym train study` as pages of the documentation: publish_study.py FOLDER..., or --check for the published ones.

FOLDER is that of a study with its study.json and curves.png. docs/train/studies/NAME.md gets the question, the table, the curves and how it was run
from the numbers; what stands under "What it says" is written by hand, and kept. A new page says there only what the intervals say.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from rlgym.train.study.folder import mixed_code
from rlgym.train.study.run import Settings, introduction
from rlgym.train.study.studies import Study
from rlgym.train.study.summary import Estimate, table

PAGES = Path(__file__).parents[1] / "docs" / "train" / "studies"
READING = "## What it says"
END = "## How it was run"
TRADE_OFF = "length-rewards"
"""The study whose page shows accuracy against length as well."""

Results = dict[str, Any]


def page(results: Results, reading: str) -> str:
    """The page of a study, with a reading of its numbers."""
    name, seeds = results["study"], results["settings"]["seeds"]
    settings = Settings(**{**results["settings"], "seeds": tuple(seeds)})
    chosen = Study(results["question"], results["members"])
    toy = " --toy" if settings.toy else ""
    return "\n\n".join(
        [
            f"# Study: {name}",
            results["question"],
            introduction(chosen, settings),
            *mixed_code(results.get("code", [])),
            table(results["summary"]),
            f"![Solve rates]({name}.png)",
            *([f"![Accuracy and length]({name}-trade-off.png)"] if name == TRADE_OFF else []),
            READING,
            reading,
            END,
            f"`rlgym train study {name} --seeds {len(seeds)} --steps {settings.steps}{toy}`, one thread. The default of a study is {Settings().steps} steps. "
            f"[All numbers]({name}.json), with the solve rate of every step and the version of the code.\n",
        ]
    )


def intervals(results: Results) -> str:
    """What the intervals alone say, as a list."""
    summary = results["summary"]
    baseline = next(iter(results["members"]))
    gains = {label: Estimate(**row["gain"]) for label, row in summary.items()}
    low, high = (choose(gains.items(), key=lambda item: item[1].mean) for choose in (min, max))
    lines = [f"- The gains lie between {low[1].mean:+.3f} (`{low[0]}`) and {high[1].mean:+.3f} (`{high[0]}`)."]
    differences = {label: Estimate(**row["difference"]) for label, row in summary.items() if "difference" in row}
    apart = {label: value for label, value in differences.items() if value.half_width is not None and abs(value.mean) > value.half_width}
    for label, value in apart.items():
        lines.append(
            f"- `{label}` ends {'above' if value.mean > 0 else 'below'} `{baseline}`: {value.text(sign=True)}, an interval without 0."
        )
    rest = [f"`{label}`" for label in differences if label not in apart]
    if rest:
        lines.append(f"- No difference from `{baseline}` that its interval would support: {', '.join(rest)}.")
    lines.append(f"- These are {len(differences)} comparisons with one baseline, and no interval is corrected for their number.")
    return "\n".join(lines)


def written_reading(text: str) -> str:
    """What a page says under its reading."""
    found = re.search(rf"^{READING}\n(.*?)^{END}$", text, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def publish(folder: Path, pages: Path = PAGES) -> Path:
    """Copy the numbers and the curves of a study, and write its page; a reading that is there already is kept."""
    results = json.loads((folder / "study.json").read_text(encoding="utf-8"))
    name = results["study"]
    shutil.copy(folder / "study.json", pages / f"{name}.json")
    shutil.copy(folder / "curves.png", pages / f"{name}.png")
    if name == TRADE_OFF:
        shutil.copy(folder / "trade_off.png", pages / f"{name}-trade-off.png")
    target = pages / f"{name}.md"
    reading = written_reading(target.read_text(encoding="utf-8")) if target.exists() else ""
    target.write_text(page(results, reading or intervals(results)), encoding="utf-8")
    return target


def outdated(pages: Path = PAGES) -> list[str]:
    """The published studies whose page is not that of their numbers."""
    wrong = []
    for numbers in sorted(pages.glob("*.json")):
        text = numbers.with_suffix(".md").read_text(encoding="utf-8") if numbers.with_suffix(".md").exists() else ""
        if not written_reading(text) or text != page(json.loads(numbers.read_text(encoding="utf-8")), written_reading(text)):
            wrong.append(numbers.stem)
    return wrong


def main(arguments: list[str]) -> int:
    """Publish the given folders, or check what is published."""
    if arguments == ["--check"]:
        wrong = outdated()
        print(f"not the pages of their numbers: {', '.join(wrong)}" if wrong else "every page is that of its numbers")
        return bool(wrong)
    for folder in arguments:
        print(publish(Path(folder)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
