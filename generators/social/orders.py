"""Simultaneous orders of armies on a map: moves, supports and how they are resolved, neighbours who follow a rule, and requests for support."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

HOLD, MOVE, SUPPORT = "hold", "move", "support"
Adjacent = tuple[tuple[int, ...], ...]
"""Per province its neighbours in order."""


class Order(NamedTuple):
    """A move goes `to` a province. A support is for the army at `of` and its move `to` a province, or, with `to` equal to `of`, for its hold."""

    kind: str
    to: int = -1
    of: int = -1


STAY = Order(HOLD)
Armies = Mapping[int, int]
"""From the province of each army to its power."""


class Request(NamedTuple):
    """A power is asked to support the move of the army at `of` to a province."""

    power: int
    of: int
    to: int


def resolve(armies: Armies, orders: Mapping[int, Order]) -> tuple[dict[int, int], list[int]]:
    """The armies after all orders, and where armies are lost: those that stay in a province into which another power moves."""
    moves = {at: order.to for at, order in orders.items() if order.kind == MOVE}
    attacked = {(to, armies[at]) for at, to in moves.items()}
    backed: dict[tuple[int, int], int] = {}
    for at, order in orders.items():
        if order.kind == SUPPORT and not any(to == at and power != armies[at] for to, power in attacked):
            backed[order.of, order.to] = backed.get((order.of, order.to), 0) + 1
    strength = {at: 1 + backed.get((at, to), 0) for at, to in moves.items()}
    failed: set[int] = set()
    while True:
        new = {at for at in moves if at not in failed and _fails(at, armies, moves, strength, backed, failed)}
        if not new:
            break
        failed |= new
    after = {to: armies[at] for at, to in moves.items() if at not in failed}
    staying = [at for at in armies if at not in moves or at in failed]
    return {at: armies[at] for at in staying if at not in after} | after, [at for at in staying if at in after]


def _fails(
    at: int, armies: Armies, moves: Mapping[int, int], strength: Mapping[int, int], backed: Mapping[tuple[int, int], int], failed: set[int]
) -> bool:
    to, own = moves[at], strength[at]
    if any(other != at and moves[other] == to and strength[other] >= own for other in moves):
        return True
    if to not in armies:
        return False
    if moves.get(to) == at:
        return armies[to] == armies[at] or own <= strength[to]
    if to in moves and to not in failed:
        return False
    return armies[to] == armies[at] or own <= (1 if to in moves else 1 + backed.get((to, to), 0))


def usual(
    adjacent: Adjacent, armies: Armies, owners: Sequence[int], centres: frozenset[int], power: int, supporting: bool
) -> dict[int, Order]:
    """The orders of a neighbour: each army, in the order of provinces, moves to the first adjacent centre that is not the power's, or holds.

    supporting: instead of holding, an army supports the first other army of its power that moves to, or stays in, an adjacent province. An army that
    supports stays.
    """
    orders: dict[int, Order] = {}
    taken: set[int] = set()
    for at in sorted(armies):
        if armies[at] != power:
            continue
        target = next(
            (to for to in adjacent[at] if to in centres and owners[to] != power and to not in taken and armies.get(to) != power), None
        )
        orders[at] = STAY if target is None else Order(MOVE, target)
        if target is not None:
            taken.add(target)
    if not supporting:
        return orders
    ends = {at: order.to if order.kind == MOVE else at for at, order in orders.items()}
    backed = {at: next((of for of, to in ends.items() if of != at and to in adjacent[at]), None) for at in ends}
    return {at: order if order != STAY or (of := backed[at]) is None else Order(SUPPORT, ends[of], of) for at, order in orders.items()}


def helper(adjacent: Adjacent, armies: Armies, owners: Sequence[int], request: Request) -> int | None:
    """The army that would support as requested: the first one of the power next to the target. None if the power refuses."""
    if owners[request.to] == request.power or armies.get(request.to) == request.power:
        return None
    return next((at for at in sorted(armies) if armies[at] == request.power and request.to in adjacent[at]), None)


def requests(adjacent: Adjacent, armies: Armies, owners: Sequence[int], power: int) -> list[Request]:
    """What a power may ask for, that is not refused."""
    others = sorted({each for each in armies.values() if each != power})
    every = [Request(other, of, to) for of in sorted(armies) if armies[of] == power for to in adjacent[of] for other in others]
    return [each for each in every if armies.get(each.to) != power and helper(adjacent, armies, owners, each) is not None]


def joint(adjacent: Adjacent, own: Sequence[int]) -> list[dict[int, Order]]:
    """Orders of all armies of a power together: each holds or moves, or supports the move or the hold of another one."""
    single = {at: [STAY, *(Order(MOVE, to) for to in adjacent[at])] for at in own}
    out = []
    for chosen in product(*(single[at] for at in own)):
        orders = dict(zip(own, chosen, strict=True))
        targets = [order.to for order in chosen if order.kind == MOVE]
        if len(set(targets)) < len(targets):
            continue
        out.append(orders)
        for helping in own:
            if orders[helping] != STAY:
                continue
            for at in own:
                to = orders[at].to if orders[at].kind == MOVE else at
                if at != helping and to in adjacent[helping]:
                    out.append({**orders, helping: Order(SUPPORT, to, at)})
    return out
