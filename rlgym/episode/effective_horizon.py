"""How far ahead one must look from random play: the effective horizon of small tasks of many turns, whose states can be enumerated.

From "Bridging RL Theory and Practice with the Effective Horizon", and for `min_k` also "The Effective Horizon Explains Deep RL Performance in Stochastic
Environments" (SQIRL). In a task the other players' moves are a function of the state, so a task is a deterministic decision process.

What is computed is the upper bound of the first paper's Theorem 5.4, as `compute_simple_effective_horizon` of its authors' code (EffectiveHorizon.jl)
computes it: m = 16 log(2 T A^k) v / gap^2 samples of each sequence of k actions, where v = (Q - lowest Q) (highest Q - lowest Q), the highest over the
actions after the sequence, is at least the variance of a return with the mean Q. The effective horizon itself may be smaller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rlgym.core.declare import Game, Match
from rlgym.core.errors import RlgymError
from rlgym.episode.play import play_opponents
from rlgym.episode.sampling import task as sample
from rlgym.registry import environment

MAX_STATES = 100_000
PRECISION = 1e-9


class Edge(NamedTuple):
    """One action in a state: the number of the state that follows, None at the end, and the reward on the way."""

    child: int | None
    reward: float


States = Sequence[Sequence[Edge]]
"""The actions of each state that can be reached, from the first state on; a state comes before those that follow it."""
Values = list[list[float]]


@dataclass(frozen=True, slots=True)
class Lookahead:
    """What greedy play needs on Q^k. `gap` and `samples` are those of the state that needs most samples of each action."""

    k: int
    gap: float
    samples: int
    effective_horizon: float


@dataclass(frozen=True, slots=True)
class EffectiveHorizon:
    """The effective horizon of one task.

    states             states in which the model moves, counted apart at each time
    horizon            T, the most moves of the model
    actions            A, the most actions of a state
    min_k              the smallest k with which acting greedily on Q^k is optimal: Q^1 is the random policy's, Q^(k + 1) one backup further
    effective_horizon  an upper bound of it: the smallest k + log_A m over such k, at most T, where m samples of each action sequence are enough for GORP,
                       greedy play on samples of random play, to find the best actions with probability 1/2
    rollouts           T^2 A^H with that bound as H: as many samples are enough for GORP, up to rounding
    by_k               every k up to the one at which a further step cannot help
    """

    states: int
    horizon: int
    actions: int
    min_k: int
    effective_horizon: float
    rollouts: float
    by_k: tuple[Lookahead, ...]


def effective_horizon(
    name: str,
    seed: int = 0,
    *,
    level: float | None = None,
    actions: Callable[[Any], Sequence[Any]] | None = None,
    max_states: int = MAX_STATES,
    **knobs: Any,
) -> EffectiveHorizon:
    """The effective horizon of one task of a match, whose actions are its legal moves, or of a game with the given `actions` of a state.

    The reward is that of an episode. RlgymError for other environments, and where the task has more than `max_states` states.
    """
    declared, task = environment(name), sample(name, seed, level=level, **knobs)
    if isinstance(declared, Match):
        match, target = declared, declared.target_return(task.data)
        legal: Callable[[Any], Sequence[Any]] = actions or match.legal

        def step(state: Any, move: Any) -> tuple[Any, float]:
            assert task.origin is not None
            after, _ = play_opponents(match, match.act(state, move), task.origin)
            paid = match.returns(after)
            return (after, 0.0) if paid is None else (None, float(paid[match.seat(after)] >= target))

    elif isinstance(declared, Game) and actions is not None and declared.sandbox is None:
        game, legal = declared, actions

        def step(state: Any, move: Any) -> tuple[Any, float]:
            after = game.act(state, move)
            score = game.outcome(after)
            return (after, 0.0) if score is None else (None, score.value)

    else:
        raise RlgymError(f"{name} is no match: the effective horizon needs one, or a game without a sandbox and the `actions` of a state")
    turns = declared.turns(task.data)
    return horizon_of(enumerate_states(task.data, legal, step, turns, max_states, name))


def enumerate_states(
    first: Any,
    actions: Callable[[Any], Sequence[Any]],
    step: Callable[[Any, Any], tuple[Any, float]],
    turns: int,
    max_states: int = MAX_STATES,
    name: str = "the task",
) -> States:
    """All states that can be reached, time by time; after `turns` actions there is no further one. RlgymError beyond `max_states`."""
    states: list[list[Edge]] = []
    layer = [first]
    for turn in range(turns):
        start, following = len(states) + len(layer), dict[str, int]()
        after_layer: list[Any] = []
        for state in layer:
            edges = []
            found = list(actions(state))
            if not found:
                raise RlgymError(
                    f"{name} has a state after {turn} actions without any action: `actions` must give at least one where play goes on"
                )
            for action in found:
                after, reward = step(state, action)
                if after is None or turn + 1 == turns:
                    edges.append(Edge(None, reward))
                    continue
                key = after.model_dump_json()
                if key not in following:
                    following[key] = start + len(after_layer)
                    after_layer.append(after)
                edges.append(Edge(following[key], reward))
            if start + len(after_layer) > max_states:
                raise RlgymError(f"{name} has more than {max_states} states: take a lower level, smaller knobs, or a larger max_states")
            states.append(edges)
        layer = after_layer
        if not layer:
            break
    return states


def horizon_of(states: States) -> EffectiveHorizon:
    """The effective horizon of a deterministic decision process with a first state."""
    depth, num_actions = _depth(states), max(2, *map(len, states))
    random, best, worst = (_backward(states, choose) for choose in (lambda values: sum(values) / len(values), max, min))
    spread = [[(q - low) * (high - low) for q, low, high in zip(*rows, strict=True)] for rows in zip(random, worst, best, strict=True)]
    current, found, least, min_k = random, list[Lookahead](), float(depth), 0
    for k in range(1, depth + 1):
        gaps = _gaps(states, current, best)
        if gaps is not None:
            min_k = min_k or k
            factor = 16 * math.log(2 * depth * num_actions**k)
            needed = {place: max(1, math.ceil(factor * max(spread[place]) / gap**2)) for place, gap in gaps.items() if gap < math.inf}
            place = max(needed, key=lambda place: needed[place]) if needed else -1
            samples = needed.get(place, 1)
            found.append(Lookahead(k, gaps.get(place, math.inf), samples, k + math.log(samples, num_actions)))
            least = min(least, found[-1].effective_horizon)
        if min_k and k >= least:
            break
        current = [[edge.reward + (0.0 if edge.child is None else max(current[edge.child])) for edge in edges] for edges in states]
        spread = [[0.0 if edge.child is None else max(spread[edge.child]) for edge in edges] for edges in states]
    return EffectiveHorizon(len(states), depth, num_actions, min_k, least, depth**2 * num_actions**least, tuple(found))


def _depth(states: States) -> int:
    """The most actions on a way from the first state to an end."""
    depths = [0] * len(states)
    for place in reversed(range(len(states))):
        depths[place] = 1 + max(0 if edge.child is None else depths[edge.child] for edge in states[place])
    return depths[0]


def _backward(states: States, choose: Callable[[list[float]], float]) -> Values:
    """The Q-values of the policy whose value of a state is `choose` of its Q-values."""
    found: Values = [[] for _ in states]
    for place in reversed(range(len(states))):
        found[place] = [edge.reward + (0.0 if edge.child is None else choose(found[edge.child])) for edge in states[place]]
    return found


def _gaps(states: States, current: Values, best: Values) -> dict[int, float] | None:
    """For each state that greedy play may visit, by how much its best action exceeds the best suboptimal one; None where one does not.

    Greedy play may take every action that exceeds all suboptimal ones. The gap is infinite where all actions are optimal.
    """
    gaps, visited = dict[int, float](), {0}
    for place, edges in enumerate(states):
        if place not in visited:
            continue
        optimal = max(best[place])
        suboptimal = max((q for q, true in zip(current[place], best[place], strict=True) if true < optimal - PRECISION), default=-math.inf)
        gaps[place] = max(current[place]) - suboptimal
        if gaps[place] <= PRECISION:
            return None
        visited |= {edge.child for edge, q in zip(edges, current[place], strict=True) if q > suboptimal and edge.child is not None}
    return gaps
