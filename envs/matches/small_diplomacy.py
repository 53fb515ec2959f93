"""Give simultaneous orders to armies on a map, and ask neighbours for support; all follow stated rules, but one may not keep its word.

Orders are resolved at once: equal forces stop each other, supports add up, and an attack cuts a support. What is asked is what a player reaches who
foresees the neighbours' orders; habits reach less.
"""

from collections.abc import Callable

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.social import diplomacy, orders
from rlgym.generators.social.diplomacy import (
    PROVINCES,
    SILENT,
    Move,
    State,
    capital,
    draw_map,
    named,
    neighbours,
    plan,
    resolve_season,
    rule,
    spoken_request,
    written,
)
from rlgym.generators.social.orders import HOLD, MOVE, SUPPORT, Order, Request
from rlgym.generators.text.english import join_words
from rlgym.generators.text.names import PEOPLE

RANDOM_PLAYS = 6
ATTEMPTS = 100  # starts that are tried for one in which foresight reaches more than habits


class Knobs(Config):
    rows: int = knob(3, easy=2, hard=4, doc="rows of provinces, three in each")
    neighbours: int = knob(2, easy=1, hard=2, doc="neighbouring powers")
    armies: int = knob(2, easy=1, hard=2, doc="armies of each power")
    seasons: int = knob(5, easy=2, hard=7, doc="seasons")
    liars: int = knob(0, easy=0, hard=1, doc="neighbours who do not keep their word")
    idle: str = knob(
        "holds",
        easy="holds",
        hard="supports",
        order=("holds", "supports"),
        doc="what an army of a neighbour does that has no centre to move to",
    )


def start(rng: Rng, knobs: Knobs) -> State:
    count, powers = 3 * knobs.rows, knobs.neighbours + 1
    closest: tuple[int, State] | None = None
    for _ in range(ATTEMPTS):
        state = _sample_start(rng, knobs, count, powers)
        reached = _held(_played(state, best))
        if 2 * reached <= len(state.centres):
            if reached and closest is None:
                closest = 0, state.model_copy(update={"need": reached})
            continue
        most = 0
        for habit in (greedy, *HABITS, *([lambda now: rng.choice(legal(now))] * RANDOM_PLAYS)):
            most = max(most, _held(_played(state, habit)))
            if most >= reached:
                break
        fits = state.model_copy(update={"need": max(1, min(reached, (most + reached + 1) // 2))})
        if most < reached:
            return fits
        if closest is None or reached - most > closest[0]:
            closest = reached - most, fits
    assert closest is not None, "a player who foresees the orders holds a centre in some start"
    return closest[1]


def _sample_start(rng: Rng, knobs: Knobs, count: int, powers: int) -> State:
    adjacent = draw_map(rng, knobs.rows)
    places = rng.sample(range(count), powers * knobs.armies)
    armies = tuple(sorted((at, k // knobs.armies) for k, at in enumerate(places)))
    centres = tuple(sorted(rng.sample(range(count), count // 2 + 1)))
    owners = tuple(dict(armies).get(at, -1) for at in range(count))
    return State(
        names=("you", *rng.sample(PEOPLE, knobs.neighbours)), adjacent=adjacent, centres=centres, owners=owners, armies=armies,
        seasons=knobs.seasons, liar=rng.integer(1, knobs.neighbours) if knobs.liars else 0,
        supporting=knobs.idle == "supports" and knobs.armies > 1,
    )  # fmt: skip


def show(state: State, player: int) -> str:
    if state.season or (state.spoken if player == 0 else any(dict(state.armies)[at] == player for at, _ in state.given)):
        return _now(state, player)
    return f"{_rules(state, player)}\n\n{_now(state, player)}"


def player(state: State) -> int:
    if not state.spoken:
        return 0
    return dict(state.armies)[diplomacy.turn(state)]


def legal(state: State) -> list[Move]:
    if state.season == state.seasons:
        return []
    if not state.spoken:
        armies = dict(state.armies)
        return [SILENT, *(spoken_request(state, each) for each in orders.requests(state.adjacent, armies, state.owners, 0))]
    at = diplomacy.turn(state)
    supports = [
        (SUPPORT, PROVINCES[other], PROVINCES[to])
        for other, _ in state.armies
        for to in (other, *state.adjacent[other])
        if other != at and to in state.adjacent[at]
    ]
    return [(HOLD,), *((MOVE, PROVINCES[to]) for to in state.adjacent[at]), *supports]


def act(state: State, move: Move) -> State:
    if not state.spoken:
        asked = (
            None
            if move == SILENT
            else Request(state.names.index(named(state, move[1])), PROVINCES.index(move[2]), PROVINCES.index(move[3]))
        )
        return resolve_season(state.model_copy(update={"spoken": True, "asked": asked}))
    order = Order(move[0], *(PROVINCES.index(word) for word in reversed(move[1:])))
    return resolve_season(state.model_copy(update={"given": (*state.given, (diplomacy.turn(state), order))}))


def returns(state: State) -> tuple[float, ...] | None:
    if state.season < state.seasons:
        return None
    held = [sum(state.owners[at] == power for at in state.centres) for power in range(len(state.names))]
    return tuple(2 * each / len(state.centres) - 1 for each in held)


def best(state: State) -> Move:
    """The request and the orders after which most centres are held, if the neighbours do as foreseen; who broke a promise is not asked again."""
    if state.spoken and player(state):
        return greedy(state)
    request, chosen = plan(state)
    if not state.spoken:
        return SILENT if request is None else spoken_request(state, request)
    return written(chosen[diplomacy.turn(state)])


def greedy(state: State) -> Move:
    """The rule of the neighbours, and what they have promised; for the first power the same rule, without a request."""
    if not state.spoken:
        return SILENT
    at, armies = diplomacy.turn(state), dict(state.armies)
    return written(neighbours(state, state.asked, honest=False)[at] if armies[at] else rule(state, 0)[at])


def target_return(state: State) -> float:
    return 2 * state.need / len(state.centres) - 1


def opponent(state: State) -> str:
    return "greedy"


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[Move]:
    return [(HOLD, "ash"), (MOVE, "nowhere"), ("ask", "nobody", "ash", "bay")]


def cost(state: State) -> float:
    return float(state.seasons * len(state.adjacent) * len(state.armies) * (1 + (state.liar > 0)) * (1 + state.supporting))


def turns(state: State) -> int:
    return state.seasons * (1 + sum(power == 0 for _, power in state.armies))


def _rules(state: State, player: int) -> str:
    others = join_words(state.names[1:])
    borders = "\n".join(f"{capital(PROVINCES[at])}: {', '.join(PROVINCES[to] for to in near)}" for at, near in enumerate(state.adjacent))
    each = "Each of them" if len(state.names) > 2 else others
    word = (
        "One of them promises like the others but never does what it promised."
        if state.liar and len(state.names) > 2
        else f"{others} promises but never does what it promised."
        if state.liar
        else "A promise is kept."
    )
    idle = (
        "if there is none, it supports the first other army of its power, in alphabetical order of provinces, that moves to a province next to it or, "
        "if that army does not move, is in one; if there is no such army either, it holds"
        if state.supporting
        else "if there is none, it holds"
    )
    who = "" if player == 0 else f" You play {state.names[player]}."
    centres, asked = join_words([PROVINCES[at] for at in state.centres]), state.names[1]
    return (
        f"{capital(join_words(state.names))} have armies on a map of provinces. The provinces and their neighbours:\n{borders}\n\n"
        f"Centres are {centres}. A province belongs to the power whose army was last in it at the end of a season. There are {state.seasons} seasons. In "
        "each, all armies get one order, and all orders are carried out at once. Hold: the army stays. Move bay: the army goes to a neighbouring province, "
        "here bay. Support ash bay: the army stays and supports the move of the army in ash to bay; support ash ash supports the army in ash if it does not "
        "move. The supported move must lead to, or the supported army be in, a province next to the supporting army. A support is cut if an army of another "
        "power moves to the province of the supporting army. The strength of a move is 1 and 1 more for each support of it that is not cut. An army that "
        "does not move has strength 1 and 1 more for each support of it that is not cut; one whose move fails has strength 1. A move fails if another move "
        "to the same province is at least as strong, if the army there does not leave and is as strong or of the same power, or if two armies would change "
        "places and the other one is at least as strong or of the same power. An army into whose province an army of another power moves, and which has "
        f"not left, is lost.\n\n{each} gives these orders: each army, in alphabetical order of provinces, moves to the first neighbouring province in "
        "alphabetical order that is a centre, does not belong to its power, has no army of its power in it and is not yet the target of its power in this "
        f"season; {idle}. Before the orders of each season you may ask one power to support a move of yours: ask "
        f"{asked} ash bay asks {asked} to support your army in ash in its move to bay. A power promises to do so if bay does not belong to it and has no army "
        "of it, and an army of it is next to bay; of several, the first in alphabetical order gives the support instead of its usual order. "
        f"{word} You win if at least {state.need} of the {len(state.centres)} centres belong to you at the end.{who}"
    )


def _now(state: State, player: int) -> str:
    if state.season == state.seasons:
        return state.news
    names = [f"{capital(PROVINCES[at])} ({state.names[power]})" for at, power in state.armies]
    held = "; ".join(
        f"{name}: {', '.join(PROVINCES[at] for at in state.centres if state.owners[at] == power) or 'none'}"
        for power, name in enumerate(state.names)
    )
    head = f"{state.news}Season {state.season + 1}. Armies: {', '.join(names)}. Centres of {held}."
    if not state.spoken:
        return f"{head} Ask for a support that will be promised, or say silent."
    promise = f" {state.names[state.asked.power]} promises the support." if state.asked is not None and not state.given else ""
    return f"{promise[1:]}{' ' if promise else ''}Give the order of the army in {PROVINCES[diplomacy.turn(state)]}."


def explain(state: State) -> list[str]:
    foreseen = neighbours(state, state.asked, honest=not state.broken)
    said = "; ".join(f"{PROVINCES[at]} {' '.join(written(order))}" for at, order in sorted(foreseen.items()))
    return [f"The neighbours' orders will be: {said or 'none'}.", f"The move is {' '.join(best(state))}"]


def _held(state: State) -> int:
    return sum(state.owners[at] == 0 for at in state.centres)


def _played(state: State, choose: Callable[[State], Move]) -> State:
    """The end of the game if the first power chooses so."""
    while state.season < state.seasons:
        state = act(state, greedy(state) if player(state) else choose(state))
    return state


HABITS: tuple[Callable[[State], Move], ...] = tuple(
    lambda state, share=share: (moves := legal(state))[min(len(moves) * share // 4, len(moves) - 1)]  # type: ignore[misc]
    for share in range(5)
)
"""Players who always take the move at the same place of the list."""

environment = Match(
    Knobs, Words("your order or your request", max_items=4, ignore_case=True),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    players=3, seats=lambda state: len(state.names), explain=explain, version=2,
    recoverable_first_move="One order of many seasons may be made up for.",
    concept="Work out the neighbours' orders from their rule, then look for the move that two of your armies, or a neighbour's, make stronger than theirs.",
)  # fmt: skip
