"""`rlgym audit`: the test bench for a verifier, judge or reward function."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rlgym.cli.audit_source import Source
from rlgym.cli.output import Json, console, path_option, print_json
from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.audit.options import AuditOptions

SCORER, CASES, LIMITS, OUTPUT, THRESHOLDS = "Scorer", "Cases", "Limits of a call", "Output", "Thresholds"


def add_to(app: typer.Typer) -> None:
    app.command()(audit)


def audit(
    target: Annotated[str | None, typer.Argument(help="package.module:function, file.py:function, or an environment")] = None,
    command: Annotated[str | None, typer.Option(help="a command that reads and writes JSON lines", rich_help_panel=SCORER)] = None,
    url: Annotated[str | None, typer.Option(help="an HTTP endpoint that takes and returns JSON", rich_help_panel=SCORER)] = None,
    judge: Annotated[str | None, typer.Option(help="the name of a model that judges", rich_help_panel=SCORER)] = None,
    base_url: Annotated[str | None, typer.Option(help="the judge's OpenAI-compatible endpoint", rich_help_panel=SCORER)] = None,
    api_key_env: Annotated[
        str, typer.Option(help="the environment variable that holds the API key", rich_help_panel=SCORER)
    ] = "OPENAI_API_KEY",
    prompt_template: Annotated[
        Path | None, path_option("--prompt-template", help="the judge's prompt, a file", rich_help_panel=SCORER)
    ] = None,
    cache: Annotated[
        Path | None, path_option("--cache", help="a file of the judge's replies, to resume from", rich_help_panel=SCORER)
    ] = None,
    requests_per_minute: Annotated[float | None, typer.Option(help="most requests per minute to the judge", rich_help_panel=SCORER)] = None,
    style: Annotated[str, typer.Option(help="marks of the answer: auto, boxed, tag, hash, line or bare", rich_help_panel=SCORER)] = "auto",
    template: Annotated[str | None, typer.Option(help="marks of your own, with {answer} in them", rich_help_panel=SCORER)] = None,
    reward_range: Annotated[
        str, typer.Option("--range", help="least and greatest reward", metavar="LOW,HIGH", rich_help_panel=SCORER)
    ] = "0,1",
    accept: Annotated[
        float | None, typer.Option(help="least reward of an accepted response; by default the middle of --range", rich_help_panel=SCORER)
    ] = None,
    data_source: Annotated[str, typer.Option(help="data_source of a verl-style function", rich_help_panel=SCORER)] = "openai/gsm8k",
    chat: Annotated[bool, typer.Option("--chat", help="give a TRL-style function lists of messages", rich_help_panel=SCORER)] = False,
    reward_model: Annotated[
        Path | None, path_option("--reward-model", help="a folder of a sequence classifier of Transformers", rich_help_panel=SCORER)
    ] = None,
    sandbox: Annotated[
        bool,
        typer.Option("--sandbox", help="run a Python function that needs only the standard library in the sandbox", rich_help_panel=SCORER),
    ] = False,
    reward: Annotated[bool, typer.Option("--reward", help="only lint the reward function's behaviour", rich_help_panel=CASES)] = False,
    quick: Annotated[bool, typer.Option("--quick", help="a quarter of the tasks", rich_help_panel=CASES)] = False,
    types: Annotated[str | None, typer.Option(help="answer types, separated by commas; all by default", rich_help_panel=CASES)] = None,
    environment: Annotated[
        str | None, typer.Option(help="use the tasks, answers and mistakes of this environment", rich_help_panel=CASES)
    ] = None,
    run: Annotated[
        Path | None, path_option("--run", help="the folder of an evaluation; its responses are scored too", rich_help_panel=CASES)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="seed of the cases", rich_help_panel=CASES)] = 0,
    seconds: Annotated[float, typer.Option(min=0.01, help="time limit", rich_help_panel=LIMITS)] = 5.0,
    memory_mb: Annotated[int, typer.Option(min=16, help="memory limit in megabytes", rich_help_panel=LIMITS)] = 2048,
    workers: Annotated[int, typer.Option(min=1, help="number of processes", rich_help_panel=LIMITS)] = 2,
    html: Annotated[Path | None, path_option("--html", help="write a self-contained page", rich_help_panel=OUTPUT)] = None,
    failures: Annotated[
        Path | None, path_option("--failures", help="write failing cases, .jsonl or .parquet", rich_help_panel=OUTPUT)
    ] = None,
    max_false_negatives: Annotated[
        float | None, typer.Option(min=0, max=1, help="share of right responses", rich_help_panel=THRESHOLDS)
    ] = None,
    max_false_positives: Annotated[
        float | None, typer.Option(min=0, max=1, help="share of wrong responses", rich_help_panel=THRESHOLDS)
    ] = None,
    max_gap: Annotated[
        float | None, typer.Option(min=0, max=1, help="paid minus true reward, best of n", rich_help_panel=THRESHOLDS)
    ] = None,
    max_seconds: Annotated[float | None, typer.Option(min=0, help="seconds of the slowest call", rich_help_panel=THRESHOLDS)] = None,
    require: Annotated[list[str] | None, typer.Option(help="a check that must pass; repeatable", rich_help_panel=THRESHOLDS)] = None,
    strict: Annotated[bool, typer.Option("--strict", help="every check must pass", rich_help_panel=THRESHOLDS)] = False,
    as_json: Json = False,
) -> None:
    """Measure a verifier, judge or reward function. The exit code is 1 if a threshold is exceeded."""
    from rlgym.audit import AuditOptions, ProcessOptions
    from rlgym.audit.checks import CHECKS
    from rlgym.audit.thresholds import Thresholds

    if unknown := set(require or ()) - set(CHECKS):
        raise RlgymError(f"there is no check {min(unknown)!r}; the checks are {', '.join(CHECKS)}")
    process = ProcessOptions(seconds, memory_mb, workers, data_source=data_source, chat=chat)
    chosen: dict[str, Any] = {"types": tuple(types.split(","))} if types else {}
    options = AuditOptions(
        effort="quick" if quick else "standard", reward=reward, style=style, template=template, reward_range=_range(reward_range), accept=accept,
        seed=seed, process=process, environment=environment or "", run=run, **chosen,
    )  # fmt: skip
    thresholds = Thresholds(max_false_negatives, max_false_positives, max_gap, max_seconds, tuple(require or ()), strict)
    chosen_scorer = Source(
        target, command, url, judge, base_url, api_key_env, prompt_template, cache, requests_per_minute, sandbox, reward_model
    )
    _run(chosen_scorer, options, thresholds, html, failures, as_json)


def _run(source: Source, options: AuditOptions, thresholds: Any, html: Path | None, failures: Path | None, as_json: bool) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    from rlgym.audit.output import write_failures
    from rlgym.audit.page import write_page
    from rlgym.cli.audit_tables import print_report

    hidden = as_json or not console.is_terminal
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=hidden, transient=True) as progress:
        bar = progress.add_task("scoring", total=None)
        report = source.audit(options, lambda done, total: progress.update(bar, completed=done, total=total))
    if failures:
        write_failures(failures, report.failures)
    if html:
        write_page(html, report)
    exceeded = thresholds.exceeded(report)
    if as_json:
        print_json({**report.model_dump(mode="json"), "exceeded": exceeded})
    else:
        print_report(report)
        for line in exceeded:
            console.print(f"[red]exceeded[/] {line}")
    if exceeded:
        raise typer.Exit(1)


def _range(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise RlgymError(f"--range takes two numbers such as -1,1, got {text!r}") from None
    return low, high
