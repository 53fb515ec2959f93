"""`rlgym dataset adopt`: an environment from a file of questions with answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from rlgym.cli.output import Json, console, path_argument, path_option, print_json
from rlgym.core.errors import RowError


def adopt(
    file: Annotated[Path, path_argument(help="questions: JSONL, Parquet or CSV with prompt, answer and, if known, type and difficulty")],
    out: Annotated[Path, path_option("--out", "-o", help="the folder of the plug-in")] = Path("adopted"),
    name: Annotated[str, typer.Option(help="the name of the environment")] = "adopted_questions",
    domain: Annotated[str, typer.Option(help="the domain of the environment")] = "adopted",
    columns: Annotated[str, typer.Option(help="names of the file's columns, as in prompt=Problem,answer=Gold")] = "",
    against: Annotated[list[str] | None, typer.Option(help="leave out questions of this file of prompts or suite; repeatable")] = None,
    votes: Annotated[
        Path | None, path_option(help="answers of solvers, JSONL with row, solver and answer: labels that they contradict are dropped")
    ] = None,
    open_choices: Annotated[
        bool, typer.Option("--open-choices", help="drop the options of a multiple-choice question whose right option is a value")
    ] = False,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="let a row's solutions, such as r1_solution_1, vote on its label by their final answers")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="print the report and write nothing")] = False,
    as_json: Json = False,
) -> None:
    """Make an environment of the questions of a file that a verifier can judge; report why others are left out."""
    from rlgym.dataset.adopt import adopt as run
    from rlgym.dataset.adopt import read_questions, write_environment
    from rlgym.dataset.files import write_atomically
    from rlgym.evaluate.report.adoption_page import adoption_page

    questions = read_questions(file, _columns(columns))
    given = _votes(votes) if votes else None
    adoption = run(questions, _references(against or []), given, open_choices=open_choices, solutions_vote=solutions)
    source = {
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest()[:16],
        "decontaminated against": ", ".join(against or []),
    }
    report = adoption.to_dict()
    written = None
    if not dry_run:
        written = write_environment(adoption, out, name, domain, source=source)
        write_atomically(out / "report.html", adoption_page(name, report, source).encode())
    if as_json:
        print_json(report)
        return
    console.print(f"{report['rows']} questions, {report['kept']} kept" + (f", {report['opened']} opened" if open_choices else ""))
    console.print("types: " + ", ".join(f"{count} {kind}" for kind, count in report["types"].items()), markup=False)
    if solved := report["solutions"]["read"]:
        console.print(f"{solved} solutions of kept questions, {report['solutions']['right']} with the right answer")
    for reason, count in report["reasons"].items():
        example = next(rejected for rejected in adoption.rejected if rejected.reason == reason)
        console.print(f"{count} rejected, {reason}: row {example.row}, {example.detail}", markup=False)
    if written is not None:
        console.print(f"wrote {written}\nnext: pip install {out}, or add it to PYTHONPATH; then rlgym play {name}", markup=False)


def _columns(text: str) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    if any(not equals for _, equals, _ in pairs):
        raise RowError(f"--columns takes NAME=COLUMN pairs, got {text!r}")
    return {key.strip(): value.strip() for key, _, value in pairs}


def _references(sources: list[str]) -> Iterator[str]:
    from rlgym.cli.reference_prompts import reference_prompts

    for source in sources:
        yield from reference_prompts(source)


def _votes(file: Path) -> Any:
    from rlgym.dataset.adopt import Votes
    from rlgym.dataset.score import read_responses

    votes = Votes()
    for number, line in enumerate(read_responses(file), 1):
        if not isinstance(line.get("row"), int) or not isinstance(line.get("answer"), str) or not line.get("solver"):
            raise RowError(f"vote {number} of {str(file)!r} needs `row` (a number), `solver` and `answer` (texts)")
        votes.add(str(line["solver"]), line["row"], line["answer"])
    return votes
