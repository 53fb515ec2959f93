"""Get a thing of a given kind from tools that all cost something, with no coin more than the cheapest way takes.

There are several ways to most things; things got on one way may serve another, some tools give two things at once, and a
pass may or may not be worth its price.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn, submit_in_the_same_turn
from rlgym.generators.toolbox.box import code_of, kind_of
from rlgym.generators.toolbox.market import Market, Offer, cheapest, hasty, hasty_order, market, price


class Use(Tool):
    """Pays for a call of a tool and gives it codes, in the order in which it takes them."""

    tool: str = Field(max_length=30)
    codes: list[str] = Field(max_length=4)


class BuyPass(Tool):
    """Buys the pass of a colour; from then on every call of a tool of this colour costs half."""

    colour: Literal["red", "blue"]


class Submit(Tool):
    """Hands in the code of a thing of the kind asked for and ends the task."""

    code: str = Field(max_length=30)


TOOLS = ToolCalls((Use, BuyPass, Submit))


class Knobs(Config):
    kinds: int = knob(8, easy=5, hard=13, beyond=16, doc="kinds of things, two of them given")
    tools_per_kind: int = knob(3, easy=2, hard=4, beyond=5, doc="most tools that give the same kind")
    bundles: int = knob(2, easy=0, hard=4, beyond=7, doc="tools that give two things at once")
    passes: int = knob(1, easy=0, hard=2, beyond=4, doc="rings of tools whose pass halves their prices")


class State(TaskData):
    market: Market
    key: int
    given: tuple[str, ...]
    budget: int
    spent: int = 0
    held: tuple[str, ...] = ()
    used: tuple[str, ...] = ()  # tools
    got: tuple[str, ...] = ()  # codes
    submitted: str | None = None
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, market(rng, knobs.kinds, knobs.tools_per_kind, knobs.bundles, knobs.passes, 2 + knobs.kinds // 3))


def shift(rng: Rng, knobs: Knobs) -> State:
    """A market in which taking the cheapest way to each thing by itself is too dear, wherever such a one is found."""
    for _ in range(12):
        world = market(rng, knobs.kinds, knobs.tools_per_kind, knobs.bundles + 2, knobs.passes, 2 + knobs.kinds // 3)
        if hasty(world) > cheapest(world)[0]:
            break
    return _state(rng, world)


def show(state: State) -> str:
    if state.told:
        return state.told
    market = state.market
    tools = "\n".join(f"- {_offer_text(offer)}" for offer in market.offers)
    passes = "".join(
        f"The {ring} pass costs {cost} coins and halves the price of every later call of a {ring} tool.\n" for ring, cost in market.passes
    )
    return (
        f"Get the code of a {market.goal}, whichever it is. You have {state.given[0]} and {state.given[1]}, and {state.budget} coins.\n\n"
        f"Each of these tools takes codes of the kinds before the arrow and gives codes of the kinds after it:\n{tools}\n{passes}\n"
        "A code can be used as often as you like. A call that costs more than the coins that are left is not made. Your coins are exactly what the "
        f"cheapest way to the goal costs.\n{_manual(market)}\n\nSubmit in a later turn than the call that gave the code."
    )


def _manual(market: Market) -> str:
    """The tools that this market has: passes only where there are any, and only of its colours."""
    colours = " or ".join(f'"{ring}"' for ring, _ in market.passes)
    lines = TOOLS.manual().replace('"red" or "blue"', colours).split("\n")
    return "\n".join(line for line in lines if market.passes or not line.startswith("- buy_pass"))


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.got)
    return run_turn(state, calls, lambda now, call: _run(now, call, known), lambda now: now.submitted is not None)


def outcome(state: State) -> Score | None:
    if state.submitted is None:
        return None
    return Score.exact(
        kind_of(state.submitted) == state.market.goal, "the code is of another kind than asked for, or no call had given it before"
    )


def best(state: State) -> Calls:
    bought = cheapest(state.market)[1]
    for name in bought:
        if name not in state.used and name not in state.held:
            return _call(state, name)
    return (Submit(code=next((code for code in state.got if kind_of(code) == state.market.goal), state.given[0])),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    market = first.market
    buys_none = {"passes": partial(_buys, cheapest(market._replace(passes=()))[1])} if market.passes else {}
    return {
        "coins": partial(_buys, hasty_order(market)),
        "later_turn": lambda state: submit_in_the_same_turn(state, best, act, Submit),
        **buys_none,
    }


def _buys(names: Sequence[str], state: State) -> Calls:
    """Buys these one after the other as far as the coins go."""
    left = [name for name in names if name not in state.used]
    return _call(state, left[0]) if left else best(state)


def mistakes(state: State) -> list[Calls]:
    # A given code, a made-up one, a way that costs too much, stopping early.
    goal, market, calls = state.market.goal, state.market, best(state)
    made_up = (Submit(code=code_of(state.key, goal, "made up")),)
    needless = next(
        (offer for offer in market.offers if offer.name not in cheapest(market)[1] and set(offer.takes) <= set(market.have)), None
    )
    waste = needless is not None and needless.name not in state.used
    first = _call(state, needless.name) if needless and waste and not state.used else calls
    early = (Submit(code=state.got[0] if state.got and kind_of(state.got[0]) != goal else state.given[1]),)
    dear = first if needless and not isinstance(calls[0], Submit) else made_up
    return [made_up, early, dear, (Submit(code=state.given[0]),)]


def cost(state: State) -> float:
    market = state.market
    return len(cheapest(market)[1]) * 2 + len(market.offers) * (1 + len(market.passes))


def turns(state: State) -> int:
    return len(cheapest(state.market)[1]) + 5


def explain(state: State) -> list[str]:
    least, bought = cheapest(state.market)
    left = [name for name in bought if name not in state.used and name not in state.held]
    first = f"Of all ways to the goal the cheapest costs {least} coins" + (
        f", and {len(left)} of its steps are still to be made." if left else "."
    )
    return [first, TOOLS.render(best(state))]


def _run(state: State, call: Tool, known: frozenset[str]) -> tuple[State, str]:
    market, left = state.market, state.budget - state.spent
    match call:
        case BuyPass(colour=ring):
            cost = dict(market.passes).get(ring)
            if cost is None or ring in state.held or cost > left:
                return (
                    state,
                    f"no pass was bought: {'there is none' if cost is None else f'it is yours already or costs more than {left} coins'}",
                )
            return state.model_copy(
                update={"held": (*state.held, ring), "spent": state.spent + cost}
            ), f"the {ring} pass is yours, {left - cost} coins left"
        case Use(tool=name, codes=codes):
            return _used(state, name, tuple(code.strip().upper() for code in codes))
        case Submit(code=code):
            plain = code.strip().upper()
            return state.model_copy(update={"submitted": plain if plain in known else ""}), ""
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _used(state: State, name: str, codes: tuple[str, ...]) -> tuple[State, str]:
    offer = next((offer for offer in state.market.offers if offer.name == name.strip().lower()), None)
    if offer is None:
        return state, f"there is no tool {name!r}"
    if tuple(map(kind_of, codes)) != offer.takes or not {*state.given, *state.got}.issuperset(codes):
        return state, f"nothing was paid: {offer.name} takes {', '.join(offer.takes)}, codes that you have"
    due, left = price(offer, state.held), state.budget - state.spent
    if due > left:
        return state, f"nothing was paid: {offer.name} costs {due} coins, and {left} are left"
    got = tuple(code_of(state.key, kind, offer.name, *codes) for kind in offer.gives)
    after = {"used": (*state.used, offer.name), "got": (*state.got, *got), "spent": state.spent + due}
    return state.model_copy(update=after), f"{offer.name} gives {' and '.join(got)}, {left - due} coins left"


def _call(state: State, name: str) -> Calls:
    if name in dict(state.market.passes):
        return (BuyPass.model_validate({"colour": name}),)
    offer = next(offer for offer in state.market.offers if offer.name == name)
    had = {kind_of(code): code for code in reversed((*state.given, *state.got))}
    return (Use(tool=name, codes=[had.get(kind, state.given[0]) for kind in offer.takes]),)


def _offer_text(offer: Offer) -> str:
    ring = f", {offer.ring}" if offer.ring else ""
    return f"{offer.name} ({offer.price} coins{ring}): {', '.join(offer.takes)} -> {', '.join(offer.gives)}"


def _state(rng: Rng, market: Market) -> State:
    key = rng.integer(0, 10**9)
    return State(market=market, key=key, given=tuple(code_of(key, kind, "given") for kind in market.have), budget=cheapest(market)[0])


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    concept="Count a thing that serves twice only once, weigh every pass and every tool that gives two things, and compare whole ways, not single steps.",
    version=3,
    rules=rules,
)  # fmt: skip
