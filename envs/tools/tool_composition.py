"""Reach a value that takes several calls of unknown tools, whose names say nothing and whose manuals must be looked up.

Many tools do almost the same; some are busy when first called, some have handed their work to others. The value that is
handed in must be the one that the right chain of calls gives.
"""

from collections.abc import Callable, Mapping

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn, submit_in_the_same_turn
from rlgym.generators.toolbox.box import (
    Box,
    box,
    definitions,
    describe_reference,
    faulty,
    instrument_named,
    manual,
    refusal,
    result,
    values,
    with_invented_words,
)

LISTED = 12
FEW = 6
"""So many tools are listed in the task."""


class Tools(Tool):
    """Lists the tools that can be used: their names and the kinds of things they take and give, twelve a page."""

    page: int = Field(1, ge=1, le=20)


class Manual(Tool):
    """Says what a tool does."""

    tool: str = Field(max_length=30)


class Use(Tool):
    """Calls a tool with codes in the order in which it takes them."""

    tool: str = Field(max_length=30)
    codes: list[str] = Field(max_length=4)


class Submit(Tool):
    """Hands in the code asked for and ends the task."""

    code: str = Field(max_length=30)


TOOLS = ToolCalls((Tools, Manual, Use, Submit))


class Knobs(Config):
    calls: int = knob(4, easy=2, hard=8, doc="calls that the value takes")
    joins: int = knob(1, easy=0, hard=3, doc="calls of them that take two codes")
    distractors: int = knob(10, easy=3, hard=34, doc="tools that are not needed")
    faults: int = knob(1, easy=0, hard=3, doc="needed tools that are busy at first, and as many that were replaced")
    words: int = knob(0, easy=0, hard=2, doc="words of the question that stand for two calls")


class State(TaskData):
    box: Box
    listed: tuple[int, ...] = ()  # pages of the list that were shown
    read: tuple[str, ...] = ()  # tools whose manuals were shown
    used: tuple[tuple[str, str, str], ...] = ()  # tool, codes, and the code that came out, empty where it was busy
    submitted: str | None = None
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    sampled = faulty(rng, box(rng, knobs.calls, knobs.joins, knobs.distractors), knobs.faults, knobs.faults)
    return _first_state(with_invented_words(rng, sampled, knobs.words))


def shift(rng: Rng, knobs: Knobs) -> State:
    """As many joins as there can be, so that the calls form a bush and no chain."""
    sampled = faulty(rng, box(rng, knobs.calls, min(knobs.calls, 5), knobs.distractors), knobs.faults, knobs.faults)
    return _first_state(with_invented_words(rng, sampled, knobs.words))


def _first_state(box: Box) -> State:
    return State(box=box, listed=(1,) if len(box.tools) <= FEW else ())


def show(state: State) -> str:
    if state.told:
        return state.told
    box = state.box
    words = "".join(f"\n{line}" for line in definitions(box))
    tools = f" The box holds:\n{_list(box, 1)}\n\nYou can make these calls:" if state.listed else ""
    return (
        f"Find {describe_reference(box, _goal(box))}.{words}\n\n"
        f"Find it with a box of {len(box.tools)} tools. Things are named by codes such as {box.given[0]}; what a thing's code is can only "
        f"be learned from a tool.{tools}\n{TOOLS.manual()}\n\n"
        "Submit the code that is asked for, in a later turn than the call that gave it; a code that no call has given is wrong."
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(code for *_, code in state.used)
    return run_turn(state, calls, lambda now, call: _run(now, call, known), lambda now: now.submitted is not None)


def outcome(state: State) -> Score | None:
    if state.submitted is None:
        return None
    return Score.exact(state.submitted == values(state.box)[-1], "this is not the code that was asked for, or no call has given it before")


def best(state: State) -> Calls:
    box = state.box
    pages = -(-len(box.tools) // LISTED)
    if missing := [Tools(page=page) for page in range(1, pages + 1) if page not in state.listed]:
        return tuple(missing)[: TOOLS.max_calls]
    required = [box.tools[use.tool] for use in box.plan]
    kinds = {(tool.takes, tool.gives) for tool in required}
    unread = [tool for tool in box.tools if (tool.takes, tool.gives) in kinds and tool.name not in state.read]
    if unread:
        return tuple(Manual(tool=tool.name) for tool in unread)[: TOOLS.max_calls]
    known = [*box.given]
    done = {(tool, codes): code for tool, codes, code in state.used if code}
    ready: list[Call] = []
    for use in box.plan:
        tool, codes = box.tools[use.tool], [known[ref] for ref in use.takes]
        known.append(done.get((tool.name, " ".join(codes)), "") if all(codes) else "")
        if all(codes) and not known[-1]:
            ready.append(Use(tool=tool.name, codes=codes))
    return tuple(ready)[: TOOLS.max_calls] or (Submit(code=known[-1]),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {
        "given_by_a_call": lambda state: (Submit(code=values(state.box)[-1]),),
        "later_turn": lambda state: submit_in_the_same_turn(state, best, act, Submit),
    }


def mistakes(state: State) -> list[Calls]:
    # The right code before any call gave it; a given code, an intermediate one, one of a tool similar to the right one; names taken for meanings.
    box, calls = state.box, best(state)
    known = values(box)
    first = box.tools[box.plan[0].tool]
    named_so = Use(tool=f"{first.adjective} {first.gives}", codes=[box.given[0]])
    if not isinstance(calls[0], Submit):
        return [(Submit(code=known[-1]),), calls, calls, calls, (named_so,)]
    last = box.tools[box.plan[-1].tool]
    beside = result(box, last._replace(adjective="other"), [known[ref] for ref in box.plan[-1].takes])
    return [(Submit(code=box.given[0]),), (Submit(code=box.given[-1]),), (Submit(code=known[-2]),), (Submit(code=beside),), (named_so,)]


def cost(state: State) -> float:
    return _steps(state)


def turns(state: State) -> int:
    return _steps(state) + 6


def explain(state: State) -> list[str]:
    box, calls = state.box, best(state)
    match calls[0]:
        case Tools():
            steps = [f"What the {len(box.tools)} tools take and give must be known first."]
        case Manual():
            steps = ["Of the tools that take and give the right kinds, the manuals tell the right ones from those beside them."]
        case Use(tool=name):
            steps = [f"The codes that {name} takes are known by now, so it can be called."]
        case _:
            steps = ["The last call has given the code asked for."]
    return [*steps, TOOLS.render(calls)]


def _run(state: State, call: Tool, known: frozenset[str]) -> tuple[State, str]:
    box = state.box
    match call:
        case Tools(page=page):
            return state.model_copy(update={"listed": (*state.listed, page)}), _list(box, page) or f"there is no page {page} of the list"
        case Manual(tool=name):
            tool = instrument_named(box, name)
            if tool is None:
                return state, f"there is no tool {name!r}"
            return state.model_copy(update={"read": (*state.read, tool.name)}), f"{tool.name}: {manual(tool)}"
        case Use(tool=name, codes=codes):
            return _used(state, name, tuple(codes))
        case Submit(code=code):
            plain = code.strip().upper()
            return state.model_copy(update={"submitted": plain if plain in known else ""}), ""
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _list(box: Box, page: int) -> str:
    """The tools of a page with the kinds of things that they take and give."""
    shown = box.tools[LISTED * (page - 1) : LISTED * page]
    return "\n".join(f"{tool.name}: {', '.join(tool.takes)} -> {tool.gives}" for tool in shown)


def _used(state: State, name: str, codes: tuple[str, ...]) -> tuple[State, str]:
    box, plain = state.box, tuple(code.strip().upper() for code in codes)
    tool = instrument_named(box, name)
    if tool is None:
        return state, f"there is no tool {name!r}"
    if why := refusal(box, tool, plain):
        return state, why
    had = {*box.given, *(code for *_, code in state.used)}
    if strange := [code for code in plain if code not in had]:
        return state, f"nothing is known of {strange[0]!r}"
    busy = tool.busy and all(used != tool.name for used, *_ in state.used)
    code = "" if busy else result(box, tool, plain)
    used = (*state.used, (tool.name, " ".join(plain), code))
    return state.model_copy(update={"used": used}), f"{tool.name} is busy now; call it again" if busy else f"{tool.name} gives {code}"


def _goal(box: Box) -> int:
    return len(box.given) + len(box.plan) - 1


def _steps(state: State) -> int:
    """Look-ups and calls that are needed, one after the other."""
    box = state.box
    kinds = {(box.tools[use.tool].takes, box.tools[use.tool].gives) for use in box.plan}
    manuals = sum((tool.takes, tool.gives) in kinds for tool in box.tools)
    return -(-len(box.tools) // LISTED) + manuals + len(box.plan) + sum(box.tools[use.tool].busy for use in box.plan) + 1


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    concept="Work from the innermost thing outwards: for every of-phrase find the one tool whose manual says exactly that.",
    version=4,
    rules=rules,
)  # fmt: skip
