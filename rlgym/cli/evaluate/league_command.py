"""`rlgym eval league`: matches between policies, engines and models, all against all, with ratings."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rlgym.cli.output import Json, path_option, print_json, print_table
from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.evaluate.league.players import ModelPlayer, Player
    from rlgym.evaluate.league.ratings import League
    from rlgym.evaluate.models.base import Sampling


def league(
    matches: Annotated[list[str], typer.Argument(help="the matches that are played, such as connect_four")],
    player: Annotated[
        list[str] | None, typer.Option(help="random, greedy, lookahead, best, or engine:N, which searches N positions")
    ] = None,
    model: Annotated[list[str] | None, typer.Option(help="a model that plays too, by its name at --base-url")] = None,
    base_url: Annotated[str | None, typer.Option(help="an OpenAI-compatible endpoint, such as http://localhost:8000/v1")] = None,
    api_key_env: Annotated[str, typer.Option(help="the environment variable that holds the API key")] = "OPENAI_API_KEY",
    level: Annotated[float, typer.Option(min=0, max=1, help="the level of the starts")] = 0.5,
    starts: Annotated[int, typer.Option("--starts", "-n", min=1, help="starts of each match")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="the seed of the first start")] = 1,
    temperature: Annotated[float | None, typer.Option(min=0, help="the models' temperature")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="maximum tokens per turn")] = None,
    max_concurrency: Annotated[int, typer.Option(min=1, help="matches that are played at once")] = 8,
    out: Annotated[Path | None, path_option("--out", "-o", help="write standings and matches to this JSON file")] = None,
    as_json: Json = False,
) -> None:
    """Play matches between policies, engines and models, all against all, and rate the players."""
    from rlgym.evaluate.league.players import Policy
    from rlgym.evaluate.league.ratings import play_league
    from rlgym.evaluate.models.base import Sampling

    if model and base_url is None:
        raise RlgymError("--model needs --base-url, the endpoint that serves it")
    models = _models(
        model or [], base_url, api_key_env, Sampling(temperature=temperature, max_tokens=max_tokens, seed=seed), max_concurrency
    )
    players: list[Player] = [*map(Policy, player or []), *models]

    async def play() -> League:
        try:
            return await play_league(matches, players, level=level, starts=starts, seed=seed, concurrency=max_concurrency)
        finally:
            for each in models:
                await each.model.close()

    result = asyncio.run(play())
    if out is not None:
        result.write(out)
    if as_json:
        print_json(result.to_dict())
    else:
        _print(result)


def _models(names: list[str], base_url: str | None, api_key_env: str, sampling: Sampling, concurrency: int) -> list[ModelPlayer]:
    from rlgym.evaluate.league.players import ModelPlayer
    from rlgym.evaluate.models.endpoint import Endpoint

    key = os.environ.get(api_key_env)
    return [ModelPlayer(Endpoint(str(base_url), name, key, max_concurrency=concurrency), sampling) for name in names]


def _print(result: League) -> None:
    table = Table(box=None)
    for column in ("player", "rating", "uncertainty", "won", "drawn", "lost", "refused"):
        table.add_column(column, justify="left" if column == "player" else "right")
    for each in result.standings:
        counts = (each.won, each.drawn, each.lost, each.refused)
        table.add_row(each.player, f"{each.rating:.1f}", f"{each.uncertainty:.1f}", *map(str, counts))
    print_table(table)
