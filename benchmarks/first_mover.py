"""What moving first is worth in every match: the mean payoff of the first mover when all seats are played alike.

    python benchmarks/first_mover.py [--starts 40] [--write docs/matches.md]

Perfect players all play `best`, greedy ones `greedy`, random ones a legal move of an `Rng`. Start positions are those of the environment's tasks, which
hold those only that the model's seat can win or reach its goal from; so the first mover's advantage is reported together with how often the model moves first.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rlgym
from rlgym import Match, Rng

Player = Callable[[Any], Any]


def payoffs(match: Match[Any, Any, Any], state: Any, player: Player) -> tuple[float, ...]:
    """The payoffs when one way of playing moves for every seat."""
    while (paid := match.returns(state)) is None:
        state = match.act(state, player(state))
    return paid


def row(name: str, starts: int, level: float = 0.5) -> dict[str, Any]:
    match = rlgym.environment(name)
    assert isinstance(match, Match)
    states = [rlgym.task(name, seed, level=level).data for seed in range(starts)]
    figures: dict[str, Any] = {"name": name, "model_first": sum(match.player(state) == match.seat(state) for state in states) / starts}
    for kind, player in (("perfect", match.best), ("greedy", match.greedy), ("random", None)):
        first = []
        for seed, state in enumerate(states):
            rng = Rng("first mover", name, seed)
            moves: Player = player or (lambda now, rng=rng: rng.choice(match.legal(now)))  # type: ignore[misc]
            first.append(payoffs(match, state, moves)[match.player(state)])
        figures[kind] = round(sum(first) / starts, 2)
    return figures


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| match | the model moves first | perfect | greedy | random |",
        "|---|---|---|---|---|",
        *(
            f"| {entry['name']} | {entry['model_first']:.2f} | {entry['perfect']:+.2f} | {entry['greedy']:+.2f} | {entry['random']:+.2f} |"
            for entry in rows
        ),
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--starts", type=int, default=40)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    names = [name for name in rlgym.names() if rlgym.environment(name).kind == "match"]
    rows = []
    for name in names:
        rows.append(row(name, given.starts))
        print(table(rows[-1:]).splitlines()[-1], flush=True)
    if given.write:
        text = given.write.read_text()
        begin, end = "<!-- first mover -->", "<!-- end -->"
        before, _, rest = text.partition(begin)
        given.write.write_text(f"{before}{begin}\n{table(rows)}\n{end}{rest.partition(end)[2]}")


if __name__ == "__main__":
    main()
