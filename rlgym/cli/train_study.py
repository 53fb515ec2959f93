"""`rlgym train study`."""

from __future__ import annotations

from pathlib import Path

from rich.markdown import Markdown
from rich.table import Table

from rlgym.cli.output import console, print_json


def run_or_list(name: str | None, out: Path, seeds: int | None, steps: int | None, as_json: bool) -> None:
    """Run the study called `name` in a folder below `out`, or list the studies."""
    from rlgym.train.study.studies import STUDIES, study

    if name is None:
        if as_json:
            print_json({label: {"question": known.question, "members": list(known.members)} for label, known in STUDIES.items()})
            return
        listing = Table("study", "question", "members", box=None)
        for label, known in STUDIES.items():
            listing.add_row(label, known.question, ", ".join(known.members))
        console.print(listing)
        return
    study(name)
    from rlgym.cli.watch import ProgressBars
    from rlgym.train.study.run import Settings, run_study
    from rlgym.train.study.summary import table

    defaults = Settings()
    settings = Settings(steps=steps or defaults.steps, seeds=tuple(range(seeds)) if seeds else defaults.seeds)
    with ProgressBars(hidden=as_json) as callback:
        results = run_study(name, out, settings, callback)
    if as_json:
        print_json(results)
        return
    console.print(Markdown(table(results["summary"])))
    console.print(f"{out / name} holds table.md, curves.png, study.json and every run")
