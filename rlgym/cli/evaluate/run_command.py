"""`rlgym eval run`: play a suite with a model."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from rlgym.cli.evaluate.report_commands import print_summary
from rlgym.cli.output import Json, console, path_option, print_json, print_table
from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.evaluate.plan import EvaluationPlan
    from rlgym.evaluate.run import RunResult

TASKS, PEOPLE, LOCAL, SAMPLING, LIMITS, COST = "Tasks", "Simulated users", "Local models", "Sampling", "Rate and limits", "Cost"
DEFAULT = "the model's default if not set"


def run(
    suite: Annotated[list[str], typer.Option(help="a pinned suite, or environments, domains or patterns", rich_help_panel=TASKS)],
    model: Annotated[str | None, typer.Option(help="the model's name; oracle and mistake are built in")] = None,
    base_url: Annotated[str | None, typer.Option(help="an OpenAI-compatible endpoint, such as http://localhost:8000/v1")] = None,
    api_key_env: Annotated[str, typer.Option(help="the environment variable that holds the API key")] = "OPENAI_API_KEY",
    user_model: Annotated[str | None, typer.Option(help="a model that plays the people of tool worlds", rich_help_panel=PEOPLE)] = None,
    user_base_url: Annotated[str | None, typer.Option(help="its OpenAI-compatible endpoint", rich_help_panel=PEOPLE)] = None,
    user_api_key_env: Annotated[
        str, typer.Option(help="the environment variable that holds its API key", rich_help_panel=PEOPLE)
    ] = "OPENAI_API_KEY",
    transformers: Annotated[str | None, typer.Option(help="a Hugging Face folder to run with transformers", rich_help_panel=LOCAL)] = None,
    vllm: Annotated[str | None, typer.Option(help="a Hugging Face folder to run with vLLM", rich_help_panel=LOCAL)] = None,
    vllm_serve: Annotated[bool, typer.Option("--vllm-serve", help="run vLLM as a server process", rich_help_panel=LOCAL)] = False,
    engine_arg: Annotated[list[str] | None, typer.Option(help="KEY=JSON for transformers or vLLM", rich_help_panel=LOCAL)] = None,
    out: Annotated[Path | None, path_option("--out", "-o", help="the run's folder; evaluations/SUITE--MODEL by default")] = None,
    label: Annotated[str, typer.Option(help="the run's name in reports; the model's name by default")] = "",
    levels: Annotated[str | None, typer.Option(help="levels, separated by commas", rich_help_panel=TASKS)] = None,
    count: Annotated[
        int | None, typer.Option("--count", "-n", min=1, help="number of tasks, 200 by default", rich_help_panel=TASKS)
    ] = None,
    shift: Annotated[bool, typer.Option("--shift", help="include the shifted task families", rich_help_panel=TASKS)] = False,
    variants: Annotated[
        bool, typer.Option("--variants", help="every statement with its variants; other tasks are left out", rich_help_panel=TASKS)
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="only the first N tasks", metavar="N", rich_help_panel=TASKS)] = None,
    samples: Annotated[int, typer.Option(min=1, help="episodes per task", rich_help_panel=SAMPLING)] = 1,
    temperature: Annotated[float | None, typer.Option(min=0, help=DEFAULT, rich_help_panel=SAMPLING)] = None,
    top_p: Annotated[float | None, typer.Option(min=0, max=1, help=DEFAULT, rich_help_panel=SAMPLING)] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="maximum tokens per turn", rich_help_panel=SAMPLING)] = None,
    seed: Annotated[int, typer.Option(min=0, help="seed of the requests and of drawn tasks", rich_help_panel=SAMPLING)] = 0,
    system_prompt: Annotated[str | None, typer.Option(help="a system prompt, or @FILE", rich_help_panel=SAMPLING)] = None,
    tools: Annotated[str, typer.Option(help="native: function schemas; text: calls in the answer", rich_help_panel=SAMPLING)] = "text",
    logprobs: Annotated[
        bool, typer.Option("--logprobs", help="record the entropy and the self-certainty of the tokens", rich_help_panel=SAMPLING)
    ] = False,
    extra_body: Annotated[list[str] | None, typer.Option(help="KEY=JSON added to the request", rich_help_panel=SAMPLING)] = None,
    no_stream: Annotated[bool, typer.Option("--no-stream", help="do not stream responses", rich_help_panel=SAMPLING)] = False,
    max_concurrency: Annotated[int | None, typer.Option(min=1, help="concurrent requests; endpoints: 16", rich_help_panel=LIMITS)] = None,
    requests_per_minute: Annotated[float | None, typer.Option(help="maximum requests per minute", rich_help_panel=LIMITS)] = None,
    tokens_per_minute: Annotated[int | None, typer.Option(help="maximum tokens per minute", rich_help_panel=LIMITS)] = None,
    max_retries: Annotated[int, typer.Option(min=0, help="retries of a failed request", rich_help_panel=LIMITS)] = 6,
    timeout: Annotated[float, typer.Option(min=0.1, help="maximum seconds per turn", rich_help_panel=LIMITS)] = 600.0,
    max_characters: Annotated[int, typer.Option(min=1, help="maximum characters per turn", rich_help_panel=LIMITS)] = 400_000,
    price_prompt: Annotated[float | None, typer.Option(help="US dollars per million prompt tokens", rich_help_panel=COST)] = None,
    price_completion: Annotated[float | None, typer.Option(help="US dollars per million completion tokens", rich_help_panel=COST)] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, help="stop before the cost exceeds this", rich_help_panel=COST)] = None,
    parameters: Annotated[
        float | None,
        typer.Option(min=1, help="parameters of the model, such as 7e9, from which operations are estimated", rich_help_panel=COST),
    ] = None,
    strategy: Annotated[str | None, typer.Option(help="test-time strategies, comma-separated, such as majority,best_of_n,revise")] = None,
    strategy_option: Annotated[list[str] | None, typer.Option(help="KEY=JSON for the strategies that have it, such as n=16")] = None,
    judge_model: Annotated[str | None, typer.Option(help='a model that judges candidates, for best_of_n with select="judge"')] = None,
    judge_base_url: Annotated[str | None, typer.Option(help="its OpenAI-compatible endpoint")] = None,
    judge_api_key_env: Annotated[str, typer.Option(help="the environment variable that holds its API key")] = "OPENAI_API_KEY",
    scorer: Annotated[
        str | None, typer.Option(help="folders of trained scorers of steps, comma-separated: an ensemble for strategies that score steps")
    ] = None,
    adaptive: Annotated[
        bool, typer.Option("--adaptive", help="play only the tasks that tell most, by the difficulties of other models in --pass-rates")
    ] = False,
    pass_rates: Annotated[Path | None, path_option(help="record the solve rates of all tasks in this pass-rate store")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="only print the number of requests and the maximum cost")] = False,
    as_json: Json = False,
) -> None:
    """Play a suite with a model. Repeat the command to resume an interrupted run."""
    from rlgym.cli.evaluate.plan import Options, build_plan
    from rlgym.evaluate.episodes.episode import EpisodeConfig, TokenPrices
    from rlgym.evaluate.models.base import Sampling
    from rlgym.evaluate.models.certainty import LOGPROBS

    if tools not in ("native", "text"):
        raise RlgymError(f"--tools must be 'native' or 'text', got {tools!r}")
    extra = _key_value_pairs(extra_body, "--extra-body 'top_k=20'")
    if logprobs:
        extra = {**LOGPROBS, **extra}
    sampling = Sampling(samples, temperature, top_p, max_tokens, seed, _read_text(system_prompt), extra)
    options = Options(
        suite=suite, levels=levels, count=count, shift=shift, variants=variants, limit=limit, model=model, base_url=base_url, api_key_env=api_key_env,
        transformers=transformers, vllm=vllm, vllm_serve=vllm_serve,
        engine_args=_key_value_pairs(engine_arg, "--engine-arg 'max_model_len=8192'"), stream=not no_stream,
        max_concurrency=max_concurrency, requests_per_minute=requests_per_minute, tokens_per_minute=tokens_per_minute,
        max_retries=max_retries, timeout=timeout, max_characters=max_characters, label=label, max_cost=max_cost,
        user_model=user_model, user_base_url=user_base_url, user_api_key_env=user_api_key_env,
        judge_model=judge_model, judge_base_url=judge_base_url, judge_api_key_env=judge_api_key_env, parameters=parameters,
        scorer=scorer,
    )  # fmt: skip
    plan = build_plan(options, EpisodeConfig(sampling, tools == "native", TokenPrices(price_prompt, price_completion)), dry_run)
    if dry_run:
        _print_estimate(plan, as_json)
        return
    folder = out or Path("evaluations") / _folder_name(f"{plan.suite.name}--{plan.model.name}")
    if strategy is not None and (adaptive or pass_rates is not None):
        other = "--adaptive" if adaptive else "--pass-rates"
        raise RlgymError(f"{other} is for episodes of one sample after another, not for --strategy, whose attempts depend on each other")
    if adaptive:
        _run_adaptively(plan, pass_rates, folder, as_json)
        return
    if strategy is not None:
        if plan.user:
            raise RlgymError("--strategy plays tasks of one turn, which have no people: leave --user-model out")
        _run_strategies(plan, strategy, _key_value_pairs(strategy_option, "--strategy-option 'n=16'"), folder, as_json)
        return
    _run(plan, folder, as_json)
    if pass_rates is not None:
        from rlgym.evaluate.pass_rates import record_run

        record_run(folder, pass_rates)


def _run(plan: EvaluationPlan, folder: Path, as_json: bool) -> None:
    from rlgym.cli.evaluate.progress_bar import ProgressBar
    from rlgym.evaluate.models.base import ModelUnavailable
    from rlgym.evaluate.run import evaluate

    resume = f"finished episodes are kept in {folder}; repeat the command to resume"
    try:
        with ProgressBar(hidden=as_json) as callback:
            result = evaluate(plan, folder, callback)
    except ModelUnavailable as error:
        raise ModelUnavailable(f"{error}; {resume}") from None
    except KeyboardInterrupt:
        typer.echo(f"interrupted; {resume}", err=True)
        raise typer.Exit(130) from None
    _print_result(result, as_json)


def _run_adaptively(plan: EvaluationPlan, store: Path | None, folder: Path, as_json: bool) -> None:
    from rlgym.evaluate.adaptive import REPORT, evaluate_adaptively, suite_difficulties
    from rlgym.evaluate.report.adaptive_page import warnings
    from rlgym.evaluate.suites import Suite

    if store is None or not isinstance(plan.suite, Suite):
        raise RlgymError("--adaptive needs --pass-rates, the store with the runs of other models on this suite")
    summary = evaluate_adaptively(plan, suite_difficulties(store, plan.suite, plan.model.name), folder)
    if as_json:
        print_json({"folder": str(folder), **summary})
        return
    for warning in warnings(summary):
        console.print(warning, markup=False)
    accuracy = summary["accuracy"]
    interval = f"{_percent(accuracy['low'])} to {_percent(accuracy['high'])}"
    console.print(
        f"expected accuracy {_percent(accuracy['mean'])} (95 %: {interval}) over {summary['tasks_of_known_difficulty']} tasks", markup=False
    )
    aim = "as narrow as that of 1,000 tasks" if summary["reached"] else "wider than that of 1,000 tasks"
    console.print(f"{summary['played']} tasks played; the interval is {aim}\nreport: {folder / REPORT}", markup=False)


def _run_strategies(plan: EvaluationPlan, names: str, options: dict[str, Any], folder: Path, as_json: bool) -> None:
    from rlgym.evaluate.strategies.page import warnings
    from rlgym.evaluate.strategies.run import REPORT, run_strategies

    summary = run_strategies(plan, [name.strip() for name in names.split(",") if name.strip()], options, folder)
    if as_json:
        print_json({"folder": str(folder), **summary})
        return
    for warning in warnings(summary):
        console.print(warning, markup=False)
    table = Table(
        "strategy", "accuracy", "95 %", "ceiling", "vote at equal tokens", "calls", "tokens", "seconds", "tasks", "masked", box=None
    )
    for name, facts in summary["strategies"].items():
        shares = [_percent(facts.get(key)) for key in ("accuracy", "low", "high", "ceiling", "vote_at_equal_tokens")]
        costs = ["-" if cost is None else f"{cost:.1f}" for cost in (facts["calls"], facts["tokens"], summary["seconds"][name])]
        table.add_row(name, shares[0], f"{shares[1]} to {shares[2]}", *shares[3:], *costs, str(facts["tasks"]), str(facts["masked"]))
    print_table(table)
    for part in summary["quintiles"]:
        accuracies = ", ".join(f"{name} {_percent(value)}" for name, value in part["accuracy"].items())
        console.print(
            f"quintile {part['quintile']} (solve rate {part['solve_rate']:.2f}): {accuracies}; best: {part['best'] or 'a tie'}",
            markup=False,
        )
    for name, settings in summary["settings"].items():
        for setting, facts in settings.items():
            console.print(f"{name}, {setting}: {_percent(facts['accuracy'])} of {facts['samples']} samples", markup=False)
    for part in summary["by"]["domain"]:
        console.print(f"{part['domain']}: {part['best'] or 'a tie'} is best of {part['tasks']} tasks", markup=False)
    console.print(f"report: {folder / REPORT}", markup=False)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _print_result(result: RunResult, as_json: bool) -> None:
    from rlgym.cli.evaluate.progress_bar import describe
    from rlgym.evaluate.report.html_report import REPORT, SUMMARY

    progress = result.progress
    if as_json:
        print_json({"folder": str(result.folder), "stopped": result.stopped or None, "notes": list(result.notes), **progress.to_dict()})
        return
    for note in result.notes:
        console.print(f"note: {note}", markup=False)
    console.print(f"{progress.done} of {progress.total} episodes: {describe(progress) or 'none was scored'}", markup=False)
    if progress.failed:
        console.print(f"{progress.failed} episodes failed; repeat the command to retry them", markup=False)
    if result.stopped:
        console.print(f"stopped: {result.stopped}; raise the limit and repeat the command to resume", markup=False)
        return
    print_summary(json.loads((result.folder / SUMMARY).read_text(encoding="utf-8")))
    console.print(f"report: {result.folder / REPORT}", markup=False)


def _print_estimate(plan: EvaluationPlan, as_json: bool) -> None:
    from rlgym.evaluate.episodes.cost_estimate import estimate_cost

    bound = estimate_cost(plan.suite.rows, plan.config)
    if as_json:
        print_json({"suite": plan.suite.name, **asdict(bound)})
        return
    console.print(
        f"{plan.suite.name}: {bound.tasks:,} tasks, {bound.episodes:,} episodes, at most {bound.requests:,} requests", markup=False
    )
    completion = "an unlimited number of" if bound.completion_tokens is None else f"at most {bound.completion_tokens:,}"
    console.print(f"at most about {bound.prompt_tokens:,} prompt tokens, and {completion} completion tokens", markup=False)
    if bound.cost is not None:
        console.print(f"maximum cost: about ${bound.cost:.4g}", markup=False)
    elif plan.config.prices.prompt is not None:
        console.print("maximum cost: unlimited; set --max-tokens to limit it")


def _read_text(value: str | None) -> str | None:
    if value is None or not value.startswith("@"):
        return value
    try:
        return Path(value[1:]).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RlgymError(f"the system prompt {value[1:]!r} cannot be read: {error}") from None


def _key_value_pairs(arguments: list[str] | None, example: str) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    for text in arguments or []:
        key, sign, value = text.partition("=")
        try:
            parsed = json.loads(value)
        except ValueError:
            sign = ""
        if not sign or not key:
            raise RlgymError(f"give KEY=JSON, for example {example}; got {text!r}")
        pairs[key] = parsed
    return pairs


def _folder_name(text: str) -> str:
    return "".join(character if character.isalnum() or character in "-_." else "_" for character in text)[:120]
