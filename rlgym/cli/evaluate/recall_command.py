"""`rlgym eval recall`: does a model know the tasks of a suite by heart?"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from rlgym.cli.output import Json, console, print_json, print_table


def recall(
    suite: Annotated[list[str], typer.Option(help="a pinned suite, or environments, domains or patterns")],
    model: Annotated[str | None, typer.Option(help="the model's name")] = None,
    base_url: Annotated[str | None, typer.Option(help="an OpenAI-compatible endpoint, such as http://localhost:8000/v1")] = None,
    api_key_env: Annotated[str, typer.Option(help="the environment variable that holds the API key")] = "OPENAI_API_KEY",
    transformers: Annotated[str | None, typer.Option(help="a Hugging Face folder to run with transformers")] = None,
    vllm: Annotated[str | None, typer.Option(help="a Hugging Face folder to run with vLLM")] = None,
    levels: Annotated[str | None, typer.Option(help="levels, separated by commas")] = None,
    limit: Annotated[int, typer.Option(min=1, help="only the first N tasks", metavar="N")] = 100,
    fraction: Annotated[float, typer.Option(help="share of a prompt's words that the model sees")] = 0.6,
    max_tokens: Annotated[int, typer.Option(min=1, help="maximum tokens of a response")] = 2048,
    seed: Annotated[int | None, typer.Option(min=0, help="seed of the fresh tasks; drawn anew by default")] = None,
    as_json: Json = False,
) -> None:
    """Show a model the beginnings of a suite's prompts and of fresh ones: does it complete and solve the suite's better?"""
    from rlgym.cli.evaluate.plan import Options, build_plan
    from rlgym.evaluate.episodes.episode import EpisodeConfig
    from rlgym.evaluate.models.base import Sampling
    from rlgym.evaluate.recall_probe import probe

    count = None if suite_is_pinned(suite) else limit
    options = Options(
        suite=suite, levels=levels, count=count, limit=limit, model=model, base_url=base_url, api_key_env=api_key_env, transformers=transformers, vllm=vllm
    )  # fmt: skip
    plan = build_plan(options, EpisodeConfig(Sampling()), dry_run=False)
    report = probe(plan.suite.rows, plan.model, fraction=fraction, seed=seed, max_tokens=max_tokens)
    if as_json:
        print_json(report.to_dict())
        return
    table = Table("measure", "suite", "fresh tasks", "difference", "95 %", box=None)
    for name in ("exact", "rouge_l", "answered"):
        row = getattr(report, name)
        table.add_row(
            name,
            f"{100 * row.suite:.1f} %",
            f"{100 * row.control:.1f} %",
            f"{100 * row.difference:+.1f}",
            f"{100 * row.low:+.1f} to {100 * row.high:+.1f}",
        )
    print_table(table)
    failed = f"; {report.failed} failed" if report.failed else ""
    console.print(
        f"{report.tasks} tasks and as many fresh ones of seed {report.seed}, {fraction:.0%} of the words shown{failed}", markup=False
    )
    if report.suspicious:
        console.print("the suite is recalled better than fresh tasks: the model may have seen it", style="yellow")


def suite_is_pinned(names: list[str]) -> bool:
    """Whether the option names one pinned suite, of which no number of tasks can be drawn."""
    from rlgym.evaluate import suites

    return len(names) == 1 and (names[0] in suites.names() or names[0].endswith(".json") or names[0].rpartition("-v")[2].isdigit())
