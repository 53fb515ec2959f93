"""Find the right substance of an invented laboratory by experiments on few samples, and melt it without boiling it away.

Judged by what is in the vessel at the end and how hot it is. What is put into the vessel cannot be taken out.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import before_the_end, run_turn
from rlgym.generators.simulations.lab import LIQUIDS, Row, Substance, Wish, behaviour, describe_tests, foreseen, halve, lab, target


class Float(Tool):
    """Puts a sample into a liquid: says whether it floats or sinks. Uses up the sample."""

    jar: str = Field(max_length=40)
    liquid: Literal["oil", "water", "brine", "syrup"]


class Heat(Tool):
    """Heats a sample to so many degrees: says whether it is solid, liquid or gas then. Uses up the sample."""

    jar: str = Field(max_length=40)
    degrees: int = Field(ge=0, le=1000)


class Mix(Tool):
    """Puts samples of two jars together: says whether they foam. Uses up a sample of each."""

    jar: str = Field(max_length=40)
    other: str = Field(max_length=40)


class Fill(Tool):
    """Puts what is left in a jar into the vessel."""

    jar: str = Field(max_length=40)


class HeatVessel(Tool):
    """Brings the vessel to so many degrees. Can be done once."""

    degrees: int = Field(ge=0, le=1000)


class Finish(Tool):
    """Ends the work; the vessel is then judged."""


TOOLS = ToolCalls((Float, Heat, Mix, Fill, HeatVessel, Finish))


class Knobs(Config):
    jars: int = knob(6, easy=4, hard=9, doc="jars with substances")
    span: int = knob(120, easy=60, hard=400, scale="log", doc="degrees in which the melting points lie")
    margin: int = knob(6, easy=10, hard=2, doc="degrees by which the vessel may be hotter than the melting point")
    spare: int = knob(2, easy=3, hard=0, doc="samples of each jar beyond those that halving needs")
    wish: str = knob(
        "alone", easy="alone", hard="partner", order=("alone", "partner"), doc="whether another substance must be found that foams with it"
    )


class State(TaskData):
    jars: tuple[Substance, ...]
    wish: Wish
    span: int
    margin: int
    samples: int  # in each jar at first
    log: tuple[Row, ...] = ()
    vessel: tuple[int, ...] = ()
    degrees: int | None = None
    guessed: bool = False
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    jars, wish = lab(rng, knobs.jars, knobs.span, knobs.wish)
    mixes = knobs.jars - 1 if wish.partner else 0
    samples = 3 + knobs.span.bit_length() + mixes + knobs.spare
    state = State(jars=jars, wish=wish, span=knobs.span, margin=knobs.margin, samples=samples)
    if knobs.span > 60:
        return state
    begun = before_the_end(state, best, act, lambda now: now.finished, 4)
    return begun.model_copy(update={"told": ""})


def show(state: State) -> str:
    if state.told:
        return state.told
    wish = state.wish
    extreme = "lowest" if wish.lowest else "highest"
    tests = f"\n\nThe notebook of the experiments so far:\n{describe_tests(state.jars, state.log)}" if state.log else ""
    partner = " Also fill in the jar of the one substance that foams with it." if wish.partner else ""
    both = "if in earlier turns its samples were tried in both of these liquids"
    tried = f"Fill in a jar only {both}."
    if wish.partner:
        tried = f"Fill in the first substance only {both}, and the other only if in an earlier turn samples of the two foamed."
    return (
        f"In a laboratory there are jars with the solid substances {', '.join(jar.name for jar in state.jars)}, {state.samples} samples in "
        f"each{' at first' if state.log else ''}. Every substance melts at a whole number of degrees from 5 to {state.span} (from that degree "
        "on it is liquid) and boils at least 12 degrees above that (it is a gas from there on). What floats in one of oil, water, brine and "
        "syrup floats in all that come later in this order. Each substance foams with one other at most.\n\n"
        f"Of the substances that sink in {LIQUIDS[wish.floats - 1]} and float in {LIQUIDS[wish.floats]}, fill the one with the {extreme} melting "
        f"point into the vessel.{partner} Then bring the vessel to a temperature at which the first substance is liquid, at most {state.margin} "
        f"degrees above its melting point, and finish. Nothing else may get into the vessel. {tried} Bring the vessel only to a temperature at "
        "which in an earlier turn a sample of a substance in it was seen to be liquid. Anything else is a guess, and a guess loses the work."
        f"\n\n{TOOLS.manual()}\n\nA jar without samples is empty and can no longer be filled in.{tests}"
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.log)
    return run_turn(state, calls, lambda now, call: _step(now, call, known), lambda now: now.finished)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    if state.guessed:
        return Score.wrong("a jar was filled in, or the vessel heated, by guess")
    first = target(state.jars, state.wish)
    required = {first, *state.jars[first].reacts} if state.wish.partner else {first}
    if set(state.vessel) != required:
        return Score.wrong("the vessel does not hold just the right substances")
    above = -1 if state.degrees is None else state.degrees - state.jars[first].melts
    return Score.exact(0 <= above <= state.margin, "the vessel is too cold or too hot")


def best(state: State) -> Calls:
    """Sorts the jars by floating, halves the melting points of those that matter, tries partners, then fills and heats."""
    jars = range(len(state.jars))
    floats = [
        (k, place)
        for place in (state.wish.floats, state.wish.floats - 1)
        for k in jars
        if place == state.wish.floats or k in _floaters(state)
    ]
    if missing := [(k, place) for k, place in floats if not _observation(state, "float", k, LIQUIDS[place])]:
        return tuple(Float.model_validate({"jar": state.jars[k].name, "liquid": LIQUIDS[place]}) for k, place in missing[: TOOLS.max_calls])
    alike = [k for k in _floaters(state) if _observation(state, "float", k, LIQUIDS[state.wish.floats - 1]) == "sinks"]
    bounds = {k: _bounds(state, k) for k in alike}
    sign = 1 if state.wish.lowest else -1
    rivals = [
        k
        for k in alike
        if not any(sign * bounds[other][state.wish.lowest] < sign * bounds[k][not state.wish.lowest] for other in alike if other != k)
    ]
    unsure = [k for k in rivals if bounds[k][1] - bounds[k][0] > (0 if len(rivals) > 1 else state.margin)]
    if unsure:
        return tuple(Heat(jar=state.jars[k].name, degrees=sum(bounds[k]) // 2) for k in unsure[: TOOLS.max_calls])
    first = rivals[0]
    if _observation(state, "heat", first, str(bounds[first][1])) != "liquid":
        return (Heat(jar=state.jars[first].name, degrees=bounds[first][1]),)
    partner = next((k for k in jars if _observation(state, "mix", first, state.jars[k].name) == "foams"), None)
    if state.wish.partner and partner is None:
        untried = [jar.name for k, jar in enumerate(state.jars) if k != first and not _observation(state, "mix", first, jar.name)]
        return (Mix(jar=state.jars[first].name, other=untried[0]),)
    fills = [k for k in (first, partner if state.wish.partner else None) if k is not None and k not in state.vessel]
    if fills:
        return tuple(Fill(jar=state.jars[k].name) for k in fills)
    return (Finish(),) if state.degrees is not None else (HeatVessel(degrees=bounds[first][1]),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    tries = {"try_jars": "float", "see_it_melt": "heat"} | ({"try_partner": "mix"} if first.wish.partner else {})
    untried = {rule: partial(_tries_nothing, what) for rule, what in tries.items()}
    return {"samples": _heats_in_steps, "nothing_else": _fills_another, **untried}


def _tries_nothing(what: str, state: State) -> Calls:
    """What the oracle does who knows how all experiments of a kind would turn out."""
    return best(state.model_copy(update={"log": (*state.log, *foreseen(state.jars, state.wish, what))}))


def _heats_in_steps(state: State) -> Calls:
    """Looks for melting points from the lowest degree upwards instead of by halves."""
    calls = best(state)
    heated = [call for call in calls if isinstance(call, Heat)]
    names = [jar.name for jar in state.jars]
    ranges = {call.jar: _bounds(state, names.index(call.jar)) for call in heated}
    steps = [Heat(jar=jar, degrees=min(high, low + state.margin)) for jar, (low, high) in ranges.items()]
    return tuple(steps) or calls


def _fills_another(state: State) -> Calls:
    calls = best(state)
    other = next(jar.name for k, jar in enumerate(state.jars) if k not in state.vessel and k != target(state.jars, state.wish))
    return (Fill(jar=other), *calls) if isinstance(calls[0], HeatVessel) else calls


def mistakes(state: State) -> list[Calls]:
    # Fills in any jar; heats too far; fills in all; stops at once.
    calls, first = best(state), target(state.jars, state.wish)
    wrong = next(k for k in range(len(state.jars)) if k != first and k not in state.jars[first].reacts)
    fill = Fill(jar=state.jars[wrong].name)
    hot = HeatVessel(degrees=state.jars[first].melts + state.margin + 1)
    everything = tuple(Fill(jar=jar.name) for jar in state.jars[: TOOLS.max_calls])
    if isinstance(calls[0], HeatVessel):
        return [(fill, *calls), (hot,), everything, (Finish(),), (HeatVessel(degrees=0),)]
    return [(fill, *calls[:4]), calls, everything, (Finish(),), calls]


def cost(state: State) -> float:
    return len(state.jars) * state.span.bit_length() * (1 + len(state.jars) * state.wish.partner) / (1 + state.margin)


def turns(state: State) -> int:
    return 60


def explain(state: State) -> list[str]:
    calls = best(state)
    match calls[0]:
        case Float():
            step = "Only what sinks in the first liquid and floats in the second comes into question."
        case Heat():
            step = "Each sample, heated to the middle of where the melting point can be, halves that."
        case Mix():
            step = "The partner is found by trying what foams with the substance that was found."
        case Fill():
            step = "What was found is filled in."
        case _:
            step = "The melting point is known well enough to melt it and not more."
    return [step, TOOLS.render(calls)]


def _floaters(state: State) -> list[int]:
    return [k for k in range(len(state.jars)) if _observation(state, "float", k, LIQUIDS[state.wish.floats]) == "floats"]


def _bounds(state: State, jar: int) -> tuple[int, int]:
    return halve([(int(given), seen) for what, one, given, seen in state.log if what == "heat" and one == jar], state.span)


def _observation(state: State, what: str, jar: int, given: str) -> str:
    return next((seen for did, one, other, seen in state.log if (did, one, other) == (what, jar, given)), "")


def _step(state: State, call: Tool, known: frozenset[Row]) -> tuple[State, str]:
    if isinstance(call, Finish):
        return state.model_copy(update={"finished": True}), ""
    if isinstance(call, HeatVessel):
        if state.degrees is not None or not state.vessel:
            return state, "nothing was done: the vessel is empty, or was heated already"
        melted = any(("heat", k, str(call.degrees), "liquid") in known for k in state.vessel)
        return state.model_copy(update={"degrees": call.degrees, "guessed": state.guessed or not melted}), "done"
    assert isinstance(call, Float | Heat | Mix | Fill)
    used = [call.jar, call.other] if isinstance(call, Mix) else [call.jar]
    names = [jar.name for jar in state.jars]
    if not set(used) <= set(names) or len(set(used)) < len(used):
        return state, "nothing was done: there is no such jar"
    jars = [names.index(name) for name in used]
    if empty := next((names[k] for k in jars if _samples_left(state, k) < 1), None):
        return state, f"nothing was done: the jar of {empty} is empty"
    one = state.jars[jars[0]]
    row: Row
    match call:
        case Fill():
            if state.degrees is not None:
                return state, "nothing was done: the vessel was heated already"
            update = {"vessel": (*state.vessel, jars[0]), "guessed": state.guessed or not _is_tested(state, jars[0], known)}
            return state.model_copy(update=update), f"{one.name} is in the vessel"
        case Float(liquid=liquid):
            row = ("float", jars[0], liquid, "floats" if LIQUIDS.index(liquid) >= one.floats else "sinks")
        case Heat(degrees=degrees):
            row = ("heat", jars[0], str(degrees), behaviour(one, degrees))
        case _:
            row = ("mix", jars[0], names[jars[1]], "foams" if jars[1] in one.reacts else "does nothing")
    output = f"{' and '.join(used)}: {row[3]}; {_samples_left(state, jars[0]) - 1} samples of {one.name} are left"
    return state.model_copy(update={"log": (*state.log, row)}), output


def _is_tested(state: State, jar: int, known: frozenset[Row]) -> bool:
    """Whether it is known how a jar's substance floats in both liquids, or of the second substance that it foams with the first."""
    if state.wish.partner and jar != target(state.jars, state.wish):
        return any(what == "mix" and seen == "foams" and (one == jar or other == state.jars[jar].name) for what, one, other, seen in known)
    liquids = LIQUIDS[state.wish.floats - 1 : state.wish.floats + 1]
    return all(any(row[:3] == ("float", jar, liquid) for row in known) for liquid in liquids)


def _samples_left(state: State, jar: int) -> int:
    name = state.jars[jar].name
    used = sum(row[1] == jar or (row[0] == "mix" and row[2] == name) for row in state.log)
    return 0 if jar in state.vessel else state.samples - used


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    version=7,
    rules=rules,
    concept="First leave out what floats or sinks wrongly, then halve the range of each melting point that still matters, and never waste a sample.",
)  # fmt: skip
