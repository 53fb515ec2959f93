"""`rlgym dataset grade-tests`: how well tests tell the wrong submissions of problems from the right ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from rlgym.cli.output import Json, console, decimal, path_argument, path_option, print_json


def grade_tests(
    file: Annotated[Path, path_argument(help="problems with tests and with right and wrong programs, JSON lines")],
    propose: Annotated[int, typer.Option(help="further tests to look for, for each problem", min=0)] = 0,
    out: Annotated[Path | None, path_option("--out", "-o", help="with --propose: the file of proposed tests to write, JSON lines")] = None,
    seed: Annotated[int, typer.Option(help="seed of the proposals")] = 0,
    as_json: Json = False,
) -> None:
    """Measure tests by their detection rate of wrong programs and their verifier accuracy; propose tests that catch more."""
    from rlgym.core.errors import RecipeError
    from rlgym.dataset.files import write_atomically
    from rlgym.evaluate.suite_quality import LIMITS, read_submissions, report_rows
    from rlgym.sandbox import get_runner

    if out and not propose:
        raise RecipeError("--out needs --propose N, the number of tests to look for")
    report = report_rows(read_submissions(file), get_runner(LIMITS), propose, seed)
    if out:
        write_atomically(out, "".join(json.dumps(row) + "\n" for row in report["proposed"]).encode())
    if as_json:
        print_json(report)
        return
    for name, title in (("tests", "the tests"), ("with_proposed", "with proposed tests")):
        if found := report.get(name):
            console.print(f"{title}: {found['problems']} problems", markup=False)
            for metric in ("detection_rate", "accepted", "verifier_accuracy", "auc", "diversity"):
                console.print(f"  {metric.replace('_', ' ')}: {decimal(found[metric])}", markup=False)
