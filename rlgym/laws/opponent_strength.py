"""A match is won by playing well: its opponent punishes random play, greedy play and a random first move, and leaves time to do so."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

from rlgym.core.declare import Match
from rlgym.core.rng import Rng
from rlgym.core.score import Outcome
from rlgym.episode.play import EpisodeState
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.margins import exceeds, significantly_more
from rlgym.laws.subject import Policy, Subject

MATCHES = Samples(least=4, quick=6, standard=24, certificate=100)  # at each level, for each player
ALL_MATCHES = 100
MOST_BY_RANDOM_PLAY = 0.1
MOST_BY_GREEDY_PLAY = 0.35
MOST_AFTER_RANDOM_MOVE = 0.5
LEAST_MOVES = 6
MOST_LENGTHS = 18
"""Matches whose median length decides where that of the first sample is below the limit."""
STRONG_LEVELS = (0.25, 0.5, 0.75, 1.0)
STRONG_LEVELS_AT_LEAST_EFFORT = (0.25, 0.5, 1.0)
GREEDY_LEVELS = (0.0, 0.15)


def opponent_strength(subject: Subject, effort: Effort) -> Finding:
    """From level 0.25 on, random legal play wins at most 0.1 of the matches and greedy play at most 0.35, at level 1 no more than at 0.5.

    At level 0.5, a random first move followed by perfect play loses at least half, unless `recoverable_first_move` says why not.
    At level 1, the oracle makes at least six moves in the median, unless `short_matches` says why not. Below level 0.25 the opponent is greedy.
    """
    finding, match = Finding(), subject.declared
    if not isinstance(match, Match):
        return finding
    levels = STRONG_LEVELS_AT_LEAST_EFFORT if effort.is_small else STRONG_LEVELS
    random = {level: _matches_won(subject, level, _random_play, MOST_BY_RANDOM_PLAY, effort, finding) for level in levels}
    greedy = {level: _matches_won(subject, level, _greedy_play, MOST_BY_GREEDY_PLAY, effort, finding) for level in levels}
    _require_at_most(finding, random, MOST_BY_RANDOM_PLAY, "random legal play")
    _require_at_most(finding, greedy, MOST_BY_GREEDY_PLAY, "greedy play")
    finding.require(
        not significantly_more(*greedy[1.0], *greedy[0.5]),
        f"greedy play wins {greedy[1.0][0]:g} of {greedy[1.0][1]} matches of level 1, more than {greedy[0.5][0]:g} of {greedy[0.5][1]} of level 0.5",
    )
    finding.measured = {"won_at_random": _shares(random), "won_by_greedy": _shares(greedy)}
    _random_first_move(subject, match, effort, finding)
    _length(subject, match, effort, finding)
    for level in GREEDY_LEVELS:
        who = match.opponent(subject.task(1, level).data)
        finding.require(who == "greedy", f"the opponent at level {level:g} is {who!r}, not 'greedy'")
    return finding


def _random_first_move(subject: Subject, match: Match[Any, Any, Any], effort: Effort, finding: Finding) -> None:
    # With a reason, nothing is decided, so that the first sample is enough.
    limit = 1.0 if match.recoverable_first_move else MOST_AFTER_RANDOM_MOVE
    won = _matches_won(subject, 0.5, _random_move_first, limit, effort, finding)
    finding.measured |= {"won_after_random_move": _shares({0.5: won}), "recoverable_first_move": match.recoverable_first_move}
    if not match.recoverable_first_move:
        _require_at_most(finding, {0.5: won}, MOST_AFTER_RANDOM_MOVE, "a random first move followed by perfect play")


def _length(subject: Subject, match: Match[Any, Any, Any], effort: Effort, finding: Finding) -> None:
    for count in (MATCHES.at(effort), max(MOST_LENGTHS, 3 * MATCHES.at(effort))):
        moves = statistics.median(subject.solved(seed, 1.0).turn for seed in range(1, count + 1))
        if moves >= LEAST_MOVES or match.short_matches:
            break
    finding.measured |= {"moves_at_level_1": moves, "short_matches": match.short_matches}
    finding.require(
        moves >= LEAST_MOVES or bool(match.short_matches),
        f"matches of level 1 last {moves:g} moves in the median, fewer than {LEAST_MOVES}: start earlier, or say in short_matches why not",
    )


Player = Callable[[Subject, Match[Any, Any, Any], Rng], Policy]
Won = tuple[float, int]
"""The matches won, and those played."""


def _matches_won(subject: Subject, level: float, player: Player, limit: float, effort: Effort, finding: Finding) -> Won:
    """The matches that a player wins. A first sample above the limit is enlarged to all matches, which decide."""
    assert isinstance(subject.declared, Match)
    won, first = 0.0, MATCHES.at(effort)
    for seed in range(1, ALL_MATCHES + 1):
        policy = player(subject, subject.declared, Rng("opponent strength", subject.name, seed))
        score = subject.play(subject.task(seed, level), policy).score
        raises = score is not None and score.outcome is Outcome.ERROR
        finding.require(not raises, f"the match raises, seed {seed} level {level:g}: {score.reason if score else ''}")
        won += score.value if score else 0.0
        if seed >= first and (won <= limit * seed or exceeds(won, seed, limit)):
            break
    return won, seed


def _random_play(subject: Subject, match: Match[Any, Any, Any], rng: Rng) -> Policy:
    return lambda position: subject.write(rng.choice(match.legal(position.state)))


def _greedy_play(subject: Subject, match: Match[Any, Any, Any], rng: Rng) -> Policy:
    return lambda position: subject.write(match.greedy(position.state))


def _random_move_first(subject: Subject, match: Match[Any, Any, Any], rng: Rng) -> Policy:
    def policy(position: EpisodeState) -> str:
        move = match.best(position.state) if position.turn else rng.choice(match.legal(position.state))
        return subject.write(move)

    return policy


def _require_at_most(finding: Finding, won: dict[float, Won], limit: float, who: str) -> None:
    for level, (count, played) in won.items():
        finding.require(
            not exceeds(count, played, limit), f"{who} wins {count:g} of {played} matches of level {level:g}, the limit is {limit:g}"
        )


def _shares(won: dict[float, Won]) -> dict[str, float]:
    return {f"{level:g}": round(count / played, 3) for level, (count, played) in won.items()}
