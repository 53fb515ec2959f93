"""Carry a long look-up through changes of shift: every few turns all is forgotten but a small notebook.

A code that stands neither in the notebook nor in what was seen since the last change is not known any more, and no tool takes
it; so what is needed later must be written down in time, and what is not must make room.
"""

import re
from collections.abc import Callable, Mapping

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Misuse, Tool, ToolCalls
from rlgym.generators.simulations.calls import before_the_end
from rlgym.generators.toolbox.box import Box, box, describe_reference, goals, instrument_named, kind_of, manual, refusal, result, values

_CODE = re.compile(r"[A-Z]+-[0-9]{5}")


class Use(Tool):
    """Calls a tool of the box with codes in the order in which it takes them."""

    tool: str = Field(max_length=30)
    codes: list[str] = Field(max_length=4)


class Write(Tool):
    """Puts a text into the notebook, in place of all that stood there."""

    text: str = Field(max_length=2000)


class Submit(Tool):
    """Hands in the codes asked for, in the order of the list, and ends the task."""

    codes: list[str] = Field(max_length=12)


TOOLS = ToolCalls((Use, Write, Submit), max_calls=1)


class Knobs(Config):
    goals: int = knob(3, easy=2, hard=4, doc="values requested")
    calls: int = knob(4, easy=3, hard=7, doc="calls that each value takes")
    joins: int = knob(1, easy=0, hard=1, doc="calls of them that take two codes")
    distractors: int = knob(5, easy=2, hard=12, doc="tools that are not needed")
    span: int = knob(4, easy=5, hard=3, doc="turns between two changes of shift")


class State(TaskData):
    box: Box
    span: int
    room: int  # characters in the notebook
    hand: tuple[str, ...]  # codes that are known now
    given: tuple[str, ...] = ()  # codes that calls have given
    gone: int = 0  # turns of this shift
    notes: str = ""
    submitted: tuple[str, ...] | None = None
    begun: bool = False  # others have worked the first shifts, and the task starts within one
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    state = _state(box(rng, knobs.calls, knobs.joins, knobs.distractors, knobs.goals), knobs.span)
    return _begun(state) if knobs.calls == 3 else state


def shift(rng: Rng, knobs: Knobs) -> State:
    """One value at the end of a bush, so that many codes have to be kept until they meet."""
    calls = knobs.goals * knobs.calls
    return _state(box(rng, calls, min(calls - 1, 6), knobs.distractors), knobs.span)


def show(state: State) -> str:
    if state.told:
        return state.told
    if state.begun:
        return _show_begun(state)
    labels = "\n".join(f"{_label(ref)} = the {kind_of(code)} {code}" for ref, code in enumerate(state.box.given))
    return f"{_task(state)}\n\nThe letters in the list stand for these codes, which are given only now:\n{labels}"


def act(state: State, calls: Calls) -> State:
    state, output = _run(state, calls[0])
    turn = state.gone + 1
    if turn < state.span:
        return state.model_copy(update={"gone": turn, "told": f"{output}\n{_turns_left(state.span - turn)} of this shift."})
    hand = tuple(dict.fromkeys(_CODE.findall(state.notes)))
    fresh = f"The shift has changed, and what the last call of the old one said is lost.\n\n{_task(state)}\n\nThe notebook:\n{state.notes or '(empty)'}"
    return state.model_copy(update={"gone": 0, "hand": hand, "told": fresh})


def outcome(state: State) -> Score | None:
    if state.submitted is None:
        return None
    known = values(state.box)
    right = tuple(known[ref] for ref in goals(state.box))
    return Score.exact(state.submitted == right, "these are not the codes asked for, or they were not known any more")


def best(state: State) -> Calls:
    box = state.box
    known = values(box)
    needed = _needed_references(state)
    if all(known[ref] in state.hand for ref in goals(box)):
        return (Submit(codes=[known[ref] for ref in goals(box)]),)
    if state.gone == state.span - 1:
        return (Write(text=" ".join(f"{_label(ref)}={known[ref]}" for ref in needed)),)
    for k, use in enumerate(box.plan):
        if all(ref in needed for ref in use.takes) and known[len(box.given) + k] not in state.hand:
            return (Use(tool=box.tools[use.tool].name, codes=[known[ref] for ref in use.takes]),)
    return (Write(text=""),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {"write_down": _never_writes, "room": _writes_everything, "given_by_calls": _submit_immediately}


def _never_writes(state: State) -> Calls:
    return best(state.model_copy(update={"gone": 0}))


def _writes_everything(state: State) -> Calls:
    calls = best(state)
    everything = " ".join(f"{_label(ref)}={code}" for ref, code in enumerate(values(state.box)) if code in state.hand)
    return (Write(text=everything),) if isinstance(calls[0], Write) else calls


def _submit_immediately(state: State) -> Calls:
    known = values(state.box)
    return (Submit(codes=[known[ref] for ref in goals(state.box)]),)


def mistakes(state: State) -> list[Calls]:
    # Never writes anything down; writes the names and not the codes; hands in given codes, or the right ones before they are known.
    box, calls, known = state.box, best(state), values(state.box)
    right = [known[ref] for ref in goals(box)]
    use = (Use(tool=box.tools[box.plan[0].tool].name, codes=[known[ref] for ref in box.plan[0].takes]),)
    unwritten = use if isinstance(calls[0], Write | Submit) else calls
    nameless = (Write(text="all is well"),) if isinstance(calls[0], Write | Submit) else calls
    early = (Submit(codes=right),) if not isinstance(calls[0], Submit) else (Submit(codes=[*right, *right]),)
    return [early, (Submit(codes=list(box.given)[: len(right)]),), unwritten, nameless]


def cost(state: State) -> float:
    return _steps(state) + len(state.box.tools) / 4


def turns(state: State) -> int:
    return _steps(state) + 2 * state.span


def explain(state: State) -> list[str]:
    calls = best(state)
    match calls[0]:
        case Write():
            steps = ["The shift ends with this turn, so the codes that are still needed go into the notebook, and no others."]
        case Use(tool=name):
            steps = [f"{_turns_left(state.span - state.gone)} of this shift, and all that {name} takes is known."]
        case _:
            steps = ["All codes asked for are known."]
    return [*steps, TOOLS.render(calls)]


def _run(state: State, call: Call) -> tuple[State, str]:
    box = state.box
    match call:
        case Write(text=text):
            if len(text) > state.room:
                return state, f"nothing was written: the notebook takes {state.room} characters, the text has {len(text)}"
            return state.model_copy(update={"notes": text}), "it stands in the notebook"
        case Submit(codes=codes):
            plain = tuple(code.strip().upper() for code in codes)
            honest = all(code in state.hand and code in state.given for code in plain)
            return state.model_copy(update={"submitted": plain if honest else ()}), ""
        case Misuse(problem=problem):
            return state, problem
        case Use(tool=name, codes=codes):
            tool, taken = instrument_named(box, name), tuple(code.strip().upper() for code in codes)
            if tool is None:
                return state, f"there is no tool {name!r}"
            if why := refusal(box, tool, taken):
                return state, why
            if strange := [code for code in taken if code not in state.hand]:
                return state, f"nothing is known of {strange[0]!r}"
            code = result(box, tool, taken)
            hand = tuple(dict.fromkeys((*state.hand, code)))
            return state.model_copy(update={"hand": hand, "given": (*state.given, code)}), f"{tool.name} gives {code}"
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _task(state: State) -> str:
    box = state.box
    labels = [f"the {kind_of(code)} {_label(ref)}" for ref, code in enumerate(box.given)]
    goals_text = "\n".join(f"{number}. {describe_reference(box, ref, labels)}" for number, ref in enumerate(goals(box), 1))
    tools = "\n".join(f"- {tool.name}: {', '.join(tool.takes)} -> {tool.gives}. {manual(tool)}" for tool in box.tools)
    wanted = "code of this thing" if len(goals(box)) == 1 else "codes of these things"
    return (
        f"Find the {wanted}:\n{goals_text}\n\nThe box has these tools:\n{tools}\n\n"
        f"A shift has {state.span} turns, and one call is made in each. When it ends, everything is forgotten but the notebook, which takes {state.room} "
        "characters: a code that is neither in it nor returned by a later call counts as unknown, both to the tools and when it is submitted. The result "
        f"of the last call of a shift is not shown.\n{TOOLS.manual()}\n\nSubmit only codes that calls have given."
    )


def _turns_left(count: int) -> str:
    return "1 turn is left" if count == 1 else f"{count} turns are left"


def _label(ref: int) -> str:
    return chr(ord("A") + ref % 26) + ("" if ref < 26 else str(ref // 26))


def _needed_references(state: State) -> list[int]:
    """The references known now that a call still to be made takes, or that are asked for."""
    box, known = state.box, values(state.box)
    starts = len(box.given)
    have = [code in state.hand for code in known]
    open_refs = set(goals(box))
    for k in range(len(box.plan) - 1, -1, -1):
        if starts + k in open_refs and not have[starts + k]:
            open_refs |= set(box.plan[k].takes)
    return [ref for ref in sorted(open_refs) if have[ref]]


def _steps(state: State) -> int:
    uses = len(state.box.plan)
    return uses + -(-uses // (state.span - 1)) + 1


def _begun(state: State) -> State:
    """Four turns before the oracle's end, so that one call, the notebook, another call and the submission are left."""
    late = state.model_copy(update={"gone": state.span - 2})
    begun = before_the_end(late, best, act, lambda now: now.submitted is not None, 4)
    return begun.model_copy(update={"begun": True, "told": ""})


def _show_begun(state: State) -> str:
    box, known = state.box, values(state.box)
    labels = [f"the {kind_of(code)} {_label(ref)}" for ref, code in enumerate(box.given)]
    lines = [f"- {describe_reference(box, ref, labels)} = {code}" for ref, code in enumerate(known) if code in state.hand]
    return (
        f"{_task(state)}\n\nThe work has begun, and {_turns_left(state.span - state.gone)} of this shift. These codes are known now:\n"
        + "\n".join(lines)
        + f"\n\nThe notebook:\n{state.notes or '(empty)'}"
    )


def _state(box: Box, span: int) -> State:
    return State(box=box, span=span, room=17 * len(box.given) + 17, hand=box.given)


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    concept="Count the turns of the shift, and use its last one to write down exactly the codes that later calls need.",
    rules=rules, version=4,
)  # fmt: skip
