"""`rlgym eval judge-gain`: is a judge that is more accurate also worth more?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from rlgym.cli.output import Json, console, path_argument, path_option, percent, print_json, print_table
from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.evaluate.judging_run import JudgedRun


def judge_gain(
    run: Annotated[Path, path_argument(help="the folder of a run with several samples of each task")],
    judge_model: Annotated[str | None, typer.Option(help="the model that judges each sample")] = None,
    judge_base_url: Annotated[str | None, typer.Option(help="its OpenAI-compatible endpoint")] = None,
    judge_api_key_env: Annotated[str, typer.Option(help="the environment variable that holds its API key")] = "OPENAI_API_KEY",
    cache: Annotated[
        Path | None, path_option("--cache", help="a file of the judge's replies; without it judge-replies.jsonl in RUN")
    ] = None,
    reward_model: Annotated[
        Path | None, path_option("--reward-model", help="the Hugging Face folder of a reward model, as `rlgym train verifier` writes")
    ] = None,
    simulate: Annotated[str | None, typer.Option(help="accuracies of simulated judges, such as 0.6,0.8", metavar="A,B,...")] = None,
    as_json: Json = False,
) -> None:
    """Measure judges on the samples of a run: accuracy on single responses, and the gain of best-of-n by their scores."""
    from rlgym.evaluate.episodes.results import load
    from rlgym.evaluate.judging_run import JUDGE_REPLIES, endpoint_scores, measure, simulated_scores

    if (judge_model is None) != (judge_base_url is None):
        raise RlgymError("--judge-model and --judge-base-url belong together: give both, or neither")
    if judge_model is None and simulate is None and reward_model is None:
        raise RlgymError("there is no judge: give --judge-model and --judge-base-url, --reward-model, or --simulate 0.7")
    rows = load(run).rows
    judges = {}
    if judge_model is not None and judge_base_url is not None:
        judges[judge_model] = endpoint_scores(rows, judge_base_url, judge_model, judge_api_key_env, cache or run / JUDGE_REPLIES)
    if reward_model is not None:
        judges[str(reward_model)] = _rewards(rows, reward_model)
    for accuracy in _numbers(simulate):
        judges[f"simulated, {accuracy:g}"] = simulated_scores(rows, accuracy)
    found = {name: measure(rows, scores) for name, scores in judges.items()}
    if as_json:
        print_json({name: one.to_dict() for name, one in found.items()})
        return
    for name, one in found.items():
        console.print(f"{name}: {len(rows) - one.unjudged} of {len(rows)} samples have a verdict", markup=False)
        sizes = [n for n in one.all.best_of if n > 1]
        table = Table("environment", "tasks", "accuracy", "pairs", "one sample", *(f"best of {n}" for n in sizes), box=None)
        for label, row in [*one.by_environment.items(), ("all", one.all)]:
            best = [f"{100 * row.best_of[n]:.1f} %" for n in sizes]
            table.add_row(label, str(row.tasks), percent(row.accuracy), percent(row.pairs), f"{100 * row.solve_rate:.1f} %", *best)
        print_table(table)
        _print_resampling(one)
    n = min(max(one.all.best_of) for one in found.values())
    points = [row for one in found.values() for row in one.by_environment.values()]
    if len(points) >= 3:
        from rlgym.evaluate.metrics.judge_gain import correlations

        known = {label: value for label, value in correlations(points, n).items() if value is not None}
        listed = "; ".join(f"{label} {value:.2f}" for label, value in known.items()) or "no correlation, since some measure is constant"
        console.print(f"over {len(points)} judges and environments, best of {n}: {listed}", markup=False)


def _rewards(rows: Sequence[Mapping[str, Any]], folder: Path) -> dict[tuple[str, int], float]:
    """The rewards of a reward model for the samples of a run that are not masked; none for a sample that it cannot score."""
    from rlgym.audit.case import Case
    from rlgym.audit.scorers.reward_model import RewardModelScorer
    from rlgym.dataset.labelled_solutions import task_and_response

    kept = [row for row in rows if not row["masked"]]
    shown = [task_and_response(row) for row in kept]
    cases = [
        Case("recorded", asked, given, "", bool(row["right"]), "", row["env"]) for row, (asked, given) in zip(kept, shown, strict=True)
    ]
    verdicts = RewardModelScorer(folder).score(cases)
    return {(row["id"], row["sample"]): verdict.reward for row, verdict in zip(kept, verdicts, strict=True) if verdict.reward is not None}


def _print_resampling(one: JudgedRun) -> None:
    from rlgym.evaluate.metrics.resampling import best_tries

    best, last = best_tries(one.resampling), one.resampling[-1]
    limit = (
        "the judge accepts no response" if one.ceiling is None else f"{percent(one.ceiling)} of accepted responses are right in the limit"
    )
    most = "1 try is" if best.tries == 1 else f"{best.tries} tries are"
    console.print(
        f"resampling until the judge accepts: {limit}; if a wrong one costs what a right one earns, {most} best (utility {best.utility:.2f}; "
        f"after {last.tries} tries {last.utility:.2f})",
        markup=False,
    )


def _numbers(text: str | None) -> list[float]:
    try:
        return [float(part) for part in text.split(",")] if text else []
    except ValueError:
        raise RlgymError(f"--simulate takes accuracies such as 0.6,0.8, got {text!r}") from None
