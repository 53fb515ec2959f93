"""`rlgym eval`: run a model over a suite of environments, report, and compare."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from rlgym.cli import evaluate_report, evaluate_suites
from rlgym.cli.output import Json, console, print_json
from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.evaluate.run import Done, Plan

SUITE, LOCAL, ASKING, LIMITS, COST = "What is asked", "Models that run here", "How the model is asked", "How fast", "What it costs"


class Group(TyperGroup):
    """`rlgym eval --suite ...` is `rlgym eval run --suite ...`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and args[0] not in ("--help", "-h"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


group = typer.Typer(cls=Group, help="Run models over environments, report, and compare.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    evaluate_report.add_to(group)
    evaluate_suites.add_to(group)
    app.add_typer(group, name="eval")


@group.command()
def run(
    suite: Annotated[list[str], typer.Option(help="a pinned suite, or environments, domains or patterns", rich_help_panel=SUITE)],
    model: Annotated[str | None, typer.Option(help="the model's name; or oracle or mistake, which need no model")] = None,
    url: Annotated[str | None, typer.Option(help="an OpenAI-compatible address, such as http://localhost:8000/v1")] = None,
    key_env: Annotated[str, typer.Option(help="the environment variable that holds the key")] = "OPENAI_API_KEY",
    folder: Annotated[str | None, typer.Option(help="a Hugging Face folder, to run here with transformers", rich_help_panel=LOCAL)] = None,
    vllm: Annotated[str | None, typer.Option(help="a Hugging Face folder, to run here with vLLM", rich_help_panel=LOCAL)] = None,
    served: Annotated[bool, typer.Option("--served", help="vLLM as a server of its own", rich_help_panel=LOCAL)] = False,
    engine: Annotated[list[str] | None, typer.Option(help="an option of transformers or vLLM: KEY=JSON", rich_help_panel=LOCAL)] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="the folder of the run; evaluations/SUITE--MODEL unless given")] = None,
    label: Annotated[str, typer.Option(help="what reports call the run; the model's name unless given")] = "",
    levels: Annotated[str | None, typer.Option(help="levels, separated by commas", rich_help_panel=SUITE)] = None,
    count: Annotated[
        int | None, typer.Option("--count", "-n", min=1, help="how many tasks; 200 unless given", rich_help_panel=SUITE)
    ] = None,
    shift: Annotated[bool, typer.Option("--shift", help="tasks of the shifted families too", rich_help_panel=SUITE)] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="only the first so many tasks", rich_help_panel=SUITE)] = None,
    samples: Annotated[int, typer.Option(min=1, help="how often each task is played", rich_help_panel=ASKING)] = 1,
    temperature: Annotated[float | None, typer.Option(min=0, help="the model's own unless given", rich_help_panel=ASKING)] = None,
    top_p: Annotated[float | None, typer.Option(min=0, max=1, help="the model's own unless given", rich_help_panel=ASKING)] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="tokens of a turn at most", rich_help_panel=ASKING)] = None,
    seed: Annotated[int, typer.Option(min=0, help="of the askings, and of tasks that are drawn", rich_help_panel=ASKING)] = 0,
    system: Annotated[str | None, typer.Option(help="a system prompt, or @FILE", rich_help_panel=ASKING)] = None,
    tools: Annotated[str, typer.Option(help="native: tools are given as tools; text: calls are written", rich_help_panel=ASKING)] = "text",
    extra: Annotated[list[str] | None, typer.Option(help="a further field of the request: KEY=JSON", rich_help_panel=ASKING)] = None,
    no_stream: Annotated[bool, typer.Option("--no-stream", help="for endpoints that cannot stream", rich_help_panel=ASKING)] = False,
    concurrency: Annotated[int | None, typer.Option(min=1, help="requests at once: 16 of an endpoint", rich_help_panel=LIMITS)] = None,
    requests_per_minute: Annotated[float | None, typer.Option(help="requests a minute at most", rich_help_panel=LIMITS)] = None,
    tokens_per_minute: Annotated[int | None, typer.Option(help="tokens a minute at most", rich_help_panel=LIMITS)] = None,
    retries: Annotated[int, typer.Option(min=0, help="of a request that failed", rich_help_panel=LIMITS)] = 6,
    max_seconds: Annotated[float, typer.Option(min=0.1, help="of a turn at most", rich_help_panel=LIMITS)] = 600.0,
    max_characters: Annotated[int, typer.Option(min=1, help="of a turn at most", rich_help_panel=LIMITS)] = 400_000,
    price_prompt: Annotated[float | None, typer.Option(help="US dollars for a million tokens read", rich_help_panel=COST)] = None,
    price_completion: Annotated[float | None, typer.Option(help="US dollars for a million tokens said", rich_help_panel=COST)] = None,
    max_cost: Annotated[
        float | None, typer.Option(min=0, help="US dollars; the run stops before it costs more", rich_help_panel=COST)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="only say how much there is to ask, and the most that it costs")] = False,
    as_json: Json = False,
) -> None:
    """Play a suite with a model. Stopped in any way, the same command goes on where it was."""
    from rlgym.cli.evaluate_plan import Options, planned
    from rlgym.evaluate.episode import Asking, Prices
    from rlgym.evaluate.models import Sampling

    if tools not in ("native", "text"):
        raise RlgymError(f"--tools is native or text, got {tools!r}")
    sampling = Sampling(samples, temperature, top_p, max_tokens, seed, _text(system), _fields(extra))
    options = Options(
        suite=suite, levels=levels, count=count, shift=shift, limit=limit, model=model, url=url, key_env=key_env, folder=folder, vllm=vllm,
        served=served, engine=_fields(engine), stream=not no_stream, at_once=concurrency, requests=requests_per_minute,
        tokens=tokens_per_minute, retries=retries, seconds=max_seconds, characters=max_characters, label=label, max_cost=max_cost,
    )  # fmt: skip
    plan = planned(options, Asking(sampling, tools == "native", Prices(price_prompt, price_completion)), dry_run)
    if dry_run:
        _tell_estimate(plan, as_json)
        return
    _run(plan, out or Path("evaluations") / _named(f"{plan.suite.name}--{plan.model.name}"), as_json)


def _run(plan: Plan, folder: Path, as_json: bool) -> None:
    from rlgym.cli.watch_eval import Progress
    from rlgym.evaluate.models import ModelStops
    from rlgym.evaluate.run import evaluate

    try:
        with Progress(hidden=as_json) as watch:
            done = evaluate(plan, folder, watch)
    except ModelStops as error:
        raise ModelStops(f"{error}; what is finished is kept in {folder}, and the same command goes on") from None
    except KeyboardInterrupt:
        typer.echo(f"stopped; what is finished is kept in {folder}, and the same command goes on", err=True)
        raise typer.Exit(130) from None
    _tell(done, as_json)


def _tell(done: Done, as_json: bool) -> None:
    from rlgym.cli.watch_eval import said
    from rlgym.evaluate.report import REPORT, SUMMARY

    if as_json:
        print_json({"folder": str(done.folder), "stopped": done.stopped or None, "notes": list(done.notes), **done.tally.to_dict()})
        return
    for note in done.notes:
        console.print(f"note: {note}", markup=False)
    console.print(f"{done.tally.done} of {done.tally.total} episodes: {said(done.tally) or 'nothing was judged'}", markup=False)
    if done.tally.failed:
        console.print(f"{done.tally.failed} could not be asked; the same command asks them again", markup=False)
    if done.stopped:
        console.print(f"stopped: {done.stopped}; the same command with a higher limit goes on", markup=False)
        return
    evaluate_report.tell_summary(json.loads((done.folder / SUMMARY).read_text(encoding="utf-8")))
    console.print(f"see {done.folder / REPORT}", markup=False)


def _tell_estimate(plan: Plan, as_json: bool) -> None:
    from rlgym.evaluate.estimate import estimate

    found = estimate(plan.suite.rows, plan.asking)
    if as_json:
        print_json({"suite": plan.suite.name, **asdict(found)})
        return
    console.print(f"{plan.suite.name}: {found.tasks} tasks, {found.episodes} episodes, at most {found.requests} requests", markup=False)
    said = "any number of" if found.completion_tokens is None else f"at most {found.completion_tokens}"
    console.print(f"about {found.prompt_tokens} tokens to read at most, and {said} tokens to say", markup=False)
    if found.cost is not None:
        console.print(f"it costs about ${found.cost:.4g} at most", markup=False)
    elif plan.asking.prices.prompt is not None:
        console.print("what it costs at most can be told with --max-tokens")


def _text(given: str | None) -> str | None:
    if given is None or not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RlgymError(f"the system prompt {given[1:]!r} cannot be read: {error}") from None


def _fields(given: list[str] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in given or []:
        key, sign, value = text.partition("=")
        try:
            found[key] = json.loads(value)
        except ValueError:
            raise RlgymError(f"a further field is given as KEY=JSON, such as --extra 'top_k=20', got {text!r}") from None
        if not sign or not key:
            raise RlgymError(f"a further field is given as KEY=JSON, got {text!r}")
    return found


def _named(text: str) -> str:
    """A text as the name of a folder."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in text)[:120]
