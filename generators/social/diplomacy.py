"""Seasons of simultaneous orders: a map, whose turn it is to order, neighbours with a rule, and a player who foresees their orders."""

from __future__ import annotations

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.social import orders as rules
from rlgym.generators.social.orders import HOLD, MOVE, STAY, SUPPORT, Order, Request
from rlgym.generators.text.english import join_words

Move = tuple[str, ...]
PROVINCES = ("ash", "bay", "cliff", "dune", "elm", "fen", "glen", "hill", "isle", "juniper", "knoll", "lake")
ASK, SILENT = "ask", ("silent",)


class State(TaskData):
    """Power 0 is the model's. `armies` are pairs of a province and its power; `given` are the orders of this season so far, in the order in which
    they are asked for; `asked` is the request of this season, and `spoken` says whether there was the chance to make one."""

    names: tuple[str, ...]
    adjacent: tuple[tuple[int, ...], ...]
    centres: tuple[int, ...]
    owners: tuple[int, ...]
    armies: tuple[tuple[int, int], ...]
    seasons: int
    liar: int
    supporting: bool = False
    need: int = 0
    season: int = 0
    spoken: bool = False
    asked: Request | None = None
    given: tuple[tuple[int, Order], ...] = ()
    broken: bool = False
    news: str = ""


def draw_map(rng: Rng, rows: int) -> tuple[tuple[int, ...], ...]:
    """A grid of three columns, with one diagonal or none in each square of four provinces."""
    links = set()
    for at in range(3 * rows):
        row, column = divmod(at, 3)
        if column < 2:
            links.add((at, at + 1))
        if row + 1 < rows:
            links.add((at, at + 3))
            if column < 2 and rng.chance(0.6):
                links.add((at, at + 4) if rng.chance(0.5) else (at + 1, at + 3))
    return tuple(tuple(sorted({b for a, b in links if a == at} | {a for a, b in links if b == at})) for at in range(3 * rows))


def turn(state: State) -> int:
    """The province of the army that is to be ordered next."""
    return sorted(state.armies, key=lambda army: (army[1], army[0]))[len(state.given)][0]


def rule(state: State, power: int) -> dict[int, Order]:
    return rules.usual(state.adjacent, dict(state.armies), state.owners, frozenset(state.centres), power, state.supporting)


def neighbours(state: State, request: Request | None, honest: bool) -> dict[int, Order]:
    """The orders of all neighbours; unless `honest`, the one who does not keep its word follows its rule only."""
    orders: dict[int, Order] = {}
    for power in range(1, len(state.names)):
        orders |= rule(state, power)
    if request is not None and (honest or request.power != state.liar):
        at = rules.helper(state.adjacent, dict(state.armies), state.owners, request)
        if at is not None:
            orders[at] = Order(SUPPORT, request.to, request.of)
    return orders


def resolve_season(state: State) -> State:
    """Resolves the season once all armies have orders."""
    if len(state.given) < len(state.armies):
        return state
    before, orders = dict(state.armies), dict(state.given)
    after, gone = rules.resolve(before, orders)
    owners = tuple(after.get(at, owner) for at, owner in enumerate(state.owners))
    given = "; ".join(f"{capital(PROVINCES[at])} ({state.names[before[at]]}) {' '.join(written(orders[at]))}" for at in sorted(before))
    lost = [f"the army of {state.names[before[at]]} in {PROVINCES[at]}" for at in sorted(gone)]
    news = f"The orders of season {state.season + 1}: {given}.{f' Lost: {join_words(lost)}.' if lost else ''}\n"
    broken = state.broken or (state.asked is not None and state.asked.power == state.liar)
    return state.model_copy(
        update={
            "armies": tuple(sorted(after.items())), "owners": owners, "season": state.season + 1, "spoken": False, "asked": None, "given": (),
            "news": news, "broken": broken,
        }
    )  # fmt: skip


def plan(state: State) -> tuple[Request | None, dict[int, Order]]:
    armies = dict(state.armies)
    own = [at for at, power in state.armies if power == 0]
    before = {at: order for at, order in state.given if armies[at] == 0}
    options: list[Request | None] = [state.asked]
    if not state.spoken:
        known = state.liar if state.broken else 0
        able = [each for each in rules.requests(state.adjacent, armies, state.owners, 0) if each.power != known]
        options = [None, *(each for each in able if each.to in state.centres and state.owners[each.to])]
    found: tuple[float, Request | None, dict[int, Order]] | None = None
    every = rules.joint(state.adjacent, own)
    for request in options:
        foreseen = neighbours(state, request, honest=not state.broken)
        for chosen in every:
            if any(chosen[at] != order for at, order in before.items()):
                continue
            if request is not None and not state.spoken and chosen[request.of] != Order(MOVE, request.to):
                continue
            worth = _worth(state, rules.resolve(armies, {**foreseen, **chosen})[0])
            if found is None or worth > found[0]:
                found = worth, request, chosen
    return (None, dict.fromkeys(own, STAY)) if found is None else (found[1], found[2])


def _worth(state: State, after: dict[int, int]) -> float:
    """Centres held count most, then armies, then how near they are to centres of others."""
    owners = [after.get(at, owner) for at, owner in enumerate(state.owners)]
    mine = [at for at, power in after.items() if power == 0]
    held = sum(owners[at] == 0 for at in state.centres)
    others = sum(owners[at] > 0 for at in state.centres)
    near = sum(any(to in state.centres and owners[to] for to in state.adjacent[at]) for at in mine)
    return 20 * held - 4 * others + 9 * len(mine) - 3 * sum(power > 0 for power in after.values()) + near


def spoken_request(state: State, request: Request) -> Move:
    return (ASK, state.names[request.power].lower(), PROVINCES[request.of], PROVINCES[request.to])


def named(state: State, word: str) -> str:
    return next(name for name in state.names if name.lower() == word)


def written(order: Order) -> Move:
    if order.kind == SUPPORT:
        return (SUPPORT, PROVINCES[order.of], PROVINCES[order.to])
    return (order.kind, PROVINCES[order.to]) if order.kind == MOVE else (HOLD,)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
