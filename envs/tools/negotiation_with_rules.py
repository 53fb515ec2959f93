"""Haggle with a seller whose way of giving in is known but for some secret numbers, and buy at a price that he can be brought to.

Judged by the price at which the deal was made.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.simulations.haggling import (
    BACKS,
    UNITS,
    Seller,
    Talk,
    bargain,
    begin_of,
    buys_at_once,
    buys_boldly,
    consistent_strategies,
    make_offer,
    next_rise,
    price_of,
)

GOODS = ("carpet", "bicycle", "piano", "boat", "clock", "camera", "painting", "sofa", "telescope", "horse")


class Offer(Tool):
    """Bids so many coins."""

    coins: int = Field(ge=1, le=1000000)


class Accept(Tool):
    """Buys at the seller's price as it is now."""


class WalkAway(Tool):
    """Leaves without a deal."""


TOOLS = ToolCalls((Offer, Accept, WalkAway), max_calls=1)


class Knobs(Config):
    gap: int = knob(110, easy=60, hard=220, doc="coins between the first price and the first bid")
    spare: int = knob(2, easy=6, hard=0, doc="coins by which the price may be above what a careful buyer pays")
    mood: str = knob("even", easy="even", hard="moody", order=("even", "moody"), doc="whether some offers count twice")
    floor: str = knob(
        "no", easy="no", hard="yes", order=("no", "yes"), doc="whether the price may come to a secret end before the bid does"
    )


class State(TaskData):
    good: str
    seller: Seller
    bound: int
    offers: int
    patience: int
    talk: Talk
    insults: int = 0
    price: int | None = None
    left: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        bid = rng.integer(40, 300)
        ask, unit, back = bid + knobs.gap + rng.integer(0, 20), rng.choice(UNITS), rng.choice(BACKS)
        seller = Seller(ask, bid, rng.integer(2, 4), rng.integer(18, 26), rng.integer(3, 5) if knobs.mood == "moody" else 0, unit, back, 0)
        if knobs.floor == "yes":
            low = bargain(seller).ask
            seller = seller._replace(floor=rng.integer(low, (low + ask) // 2))
        talk = bargain(seller)
        bound = price_of(talk) + knobs.spare
        begun = begin_of(seller, talk, len(talk.rises) - 3 if knobs.gap == 60 else 0)
        if knobs.gap == 60 and buys_at_once(seller, bound, begun):
            continue
        # One who does not care about the units should seldom buy as cheaply.
        if begun.ask - bound > 8 and 4 <= len(talk.rises) <= 40 and (not buys_boldly(seller, bound, begun) or rng.chance(0.1)):
            break
    return State(good=rng.choice(GOODS), seller=seller, bound=bound, offers=len(talk.rises) + 3, patience=2, talk=begun)


def show(state: State) -> str:
    if state.told:
        return state.told
    seller = state.seller
    mood = (
        f" On every {_nth(seller.mood)} offer (numbers {seller.mood}, {2 * seller.mood} and so on) he lowers it by twice as much."
        if seller.mood
        else ""
    )
    floor = "He has a secret lowest price, below which he never goes." if seller.floor else "He has no lowest price."
    rises = state.talk.rises
    bids = [seller.bid + sum(rise for rise, _ in rises[:number]) for number in range(1, len(rises) + 1)]
    lines = [
        f"- offer {number}: you bid {bid}, and he lowered his price by {lowered}"
        for number, (bid, (_, lowered)) in enumerate(zip(bids, rises), 1)
    ]
    so_far = (
        "\n".join(["", "", "So far:", *lines, f"His price is {state.talk.ask} now, and your bid is {state.talk.bid}."]) if rises else ""
    )
    return (
        f"You want to buy a {state.good} for at most {state.bound} coins. The seller {'first asked' if rises else 'asks'} for {seller.ask}, and you "
        f"{'first bid' if rises else 'have bid'} {seller.bid}.\n\nHis rule: for every full "
        "U coins by which an offer of yours is above your previous bid, he lowers his price by B coins; any remainder of the rise is "
        f"lost, also for later offers. U is a secret number from {UNITS[0]} to {UNITS[-1]}, and B one from {BACKS[0]} to {BACKS[-1]}.{mood} {floor} "
        "If an offer of yours is at or above his price, before or after he lowers it, you have bought at what you offered. He laughs at a rise of more "
        f"than {seller.most} coins and ignores it. An offer less than {seller.least} coins above your bid insults him: it "
        "changes nothing, and after the "
        f"{_nth(state.patience + 1)} insult he leaves, as he does after {state.offers} offers "
        f"{'in all ' if rises else ''}(insults and what he laughs at not counted) when you make another. Neither of these makes a deal.\n\n"
        f"{TOOLS.manual()}\n\nYou may accept his price at any time.{so_far}"
    )


def act(state: State, calls: Calls) -> State:
    return run_turn(state, calls, _step, lambda now: now.left or now.price is not None)


def outcome(state: State) -> Score | None:
    if state.left:
        return Score.wrong("there was no deal")
    if state.price is None:
        return None
    return Score.exact(state.price <= state.bound, f"{state.price} coins are more than you wanted to pay")


def best(state: State) -> Calls:
    rise = next_rise(state.seller, state.talk)
    return (Offer(coins=state.talk.bid + rise) if rise else Accept(),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    seller = first.seller
    always: dict[str, Callable[[State], Calls]] = {
        "full_units": _offers_all,
        "number_of_offers": partial(_raise_by, seller.least),
        "greatest_rise": partial(_raise_by, seller.most + 1),
        "insults": partial(_raise_by, seller.least - 1),
    }
    return always | ({"every_few_offers": _overlooks_the_mood} if seller.mood else {})


def _raise_by(coins: int, state: State) -> Calls:
    """Rises by so many coins as long as bid and price do not cross."""
    return (Offer(coins=state.talk.bid + coins) if state.talk.bid + coins < state.talk.ask else Accept(),)


def _offers_all(state: State) -> Calls:
    """Rises by as much as is taken seriously, up to the most that may be paid, whatever the units."""
    talk, most = state.talk, state.seller.most
    return (Offer(coins=min(state.bound, talk.bid + most)) if talk.bid < state.bound else Accept(),)


def _overlooks_the_mood(state: State) -> Calls:
    even = state.seller._replace(mood=0)
    rise = next_rise(even, state.talk)
    return (Offer(coins=state.talk.bid + rise) if rise else Accept(),)


def mistakes(state: State) -> list[Calls]:
    # Accepts at once; insults; rises by all that he takes seriously; offers the wanted price at once; leaves.
    seller, talk = state.seller, state.talk
    hasty = Accept() if talk.ask > state.bound else Offer(coins=talk.ask + 1)
    return [(hasty,), (Offer(coins=talk.bid),), (Offer(coins=max(state.bound, talk.bid) + seller.most + 1),), (WalkAway(),)]


def cost(state: State) -> float:
    seller = state.seller
    return (seller.ask - seller.bid) * (1 + bool(seller.mood)) * (1 + bool(seller.floor)) / (1 + state.bound - price_of(bargain(seller)))


def turns(state: State) -> int:
    return state.offers + state.patience + 3


def explain(state: State) -> list[str]:
    calls = best(state)
    left = consistent_strategies(state.seller, state.talk.rises)
    if isinstance(calls[0], Accept):
        return ["No rise makes the offer and the price meet below the price, or the price goes no lower.", TOOLS.render(calls)]
    if len(left) > 1:
        return [f"{len(left)} pairs of U and B fit what he did; this rise tells most of them apart.", TOOLS.render(calls)]
    return [f"U is {left[0][0]} and B is {left[0][1]}, so a rise that is a multiple of {left[0][0]} wastes nothing.", TOOLS.render(calls)]


def _step(state: State, call: Tool) -> tuple[State, str]:
    talk, seller = state.talk, state.seller
    match call:
        case Accept():
            return state.model_copy(update={"price": talk.ask}), ""
        case WalkAway():
            return state.model_copy(update={"left": True}), ""
    assert isinstance(call, Offer)
    rise = call.coins - talk.bid
    if rise > seller.most:
        return state, f"he laughs, and takes no notice; his price is {talk.ask}, your bid {talk.bid}"
    if rise < seller.least:
        insults = state.insults + 1
        return state.model_copy(
            update={"insults": insults, "left": insults > state.patience}
        ), f"he is insulted; his price is {talk.ask}, your bid {talk.bid}"
    if len(talk.rises) >= state.offers:
        return state.model_copy(update={"left": True}), ""
    after = make_offer(seller, talk, call.coins)
    if call.coins >= after.ask:
        return state.model_copy(update={"talk": after, "price": call.coins}), ""
    return state.model_copy(
        update={"talk": after}
    ), f"he lowers his price by {talk.ask - after.ask} to {after.ask}; your bid is {after.bid}"


def _nth(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Choose rises that tell the secret numbers apart, then rise by just what wastes nothing, and let bid and price meet as low as they can.",
    version=6,
    rules=rules,
)  # fmt: skip
