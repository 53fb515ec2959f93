"""`rlgym steps tree`: grow trees of steps with verified leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rlgym.cli.output import Json, console, path_option, print_json


def tree(
    suite: Annotated[list[str], typer.Option(help="a pinned suite, or environments, domains or patterns; of one turn or of many")],
    out: Annotated[Path, path_option("--out", "-o", help="the folder of the trees")],
    levels: Annotated[str | None, typer.Option(help="levels, separated by commas")] = None,
    count: Annotated[int | None, typer.Option("--count", "-n", min=1, help="number of tasks, 200 by default")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="only the first N tasks", metavar="N")] = None,
    model: Annotated[str | None, typer.Option(help="the model's name")] = None,
    base_url: Annotated[str | None, typer.Option(help="its OpenAI-compatible endpoint")] = None,
    api_key_env: Annotated[str, typer.Option(help="the environment variable that holds its API key")] = "OPENAI_API_KEY",
    transformers: Annotated[str | None, typer.Option(help="a Hugging Face folder to run with transformers instead")] = None,
    vllm: Annotated[str | None, typer.Option(help="a Hugging Face folder to run with vLLM instead")] = None,
    nodes: Annotated[int, typer.Option(min=1, help="nodes of a tree at most, about")] = 60,
    right_leaves: Annotated[int, typer.Option(min=1, help="a tree stops at so many right ends")] = 4,
    children: Annotated[int, typer.Option(min=1, help="steps sampled in a node")] = 3,
    max_depth: Annotated[int, typer.Option(min=1, help="steps after which a text is only played on")] = 6,
    exploration: Annotated[float, typer.Option(min=0, help="weight of rarely visited nodes")] = 1.0,
    margin: Annotated[float, typer.Option(help="difference of success rates from which on a step is preferred to its sibling")] = 0.25,
    separator: Annotated[str, typer.Option(help="what ends a step; a blank line by default")] = "\n\n",
    temperature: Annotated[float | None, typer.Option(min=0, help="the model's default if not set")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="maximum tokens of a reply")] = None,
    seed: Annotated[int, typer.Option(min=0, help="seed of the requests and of drawn tasks")] = 0,
    max_concurrency: Annotated[int | None, typer.Option(min=1, help="concurrent requests")] = None,
    as_json: Json = False,
) -> None:
    """Grow a tree of steps for each task: success rates, right responses, preferences and critiques. Repeat the command to resume."""
    from rlgym.cli.evaluate.plan import Options, build_plan
    from rlgym.evaluate.episodes.episode import EpisodeConfig
    from rlgym.evaluate.models.base import Sampling
    from rlgym.evaluate.steps.evolve import grow_trees
    from rlgym.evaluate.steps.tree import TreeOptions

    options = TreeOptions(nodes, right_leaves, children, max_depth, exploration, margin, separator.replace("\\n", "\n"))
    given = Options(
        suite=suite, levels=levels, count=count, limit=limit, model=model, base_url=base_url, api_key_env=api_key_env,
        transformers=transformers, vllm=vllm, max_concurrency=max_concurrency,
    )  # fmt: skip
    plan = build_plan(given, EpisodeConfig(Sampling(temperature=temperature, max_tokens=max_tokens, seed=seed)), False)
    found = grow_trees(plan, options, out)
    if as_json:
        print_json({"folder": str(out), **found})
        return
    console.print(
        f"{out}: {found['trees']} trees of {found['nodes']} nodes; {found['solved']} have a right end; {found['responses']} ended texts, "
        f"{found['right']} of them right; {found['pairs']} preferences",
        markup=False,
    )
    if found["failed"]:
        console.print(f"{found['failed']} tasks failed; repeat the command to try them again", markup=False)
