"""Find several values with tools in few rounds: whatever does not wait for a result must be asked in the same turn.

Some tools must be woken one round before they answer, so that one has to think of them before they are needed.
"""

from collections.abc import Callable, Mapping

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run, submit_in_the_same_turn
from rlgym.generators.toolbox.box import Box, box, describe_reference, goals, instrument_named, manual, refusal, result, values


class Use(Tool):
    """Calls a tool of the box with codes in the order in which it takes them."""

    tool: str = Field(max_length=30)
    codes: list[str] = Field(max_length=4)


class Wake(Tool):
    """Wakes a sleeping tool; it answers from the next round on."""

    tool: str = Field(max_length=30)


class Submit(Tool):
    """Hands in the codes asked for, in their order, and ends the task."""

    codes: list[str] = Field(max_length=12)


TOOLS = ToolCalls((Use, Wake, Submit))


class Knobs(Config):
    goals: int = knob(3, easy=2, hard=4, doc="values requested")
    calls: int = knob(4, easy=2, hard=7, doc="calls that each value takes")
    joins: int = knob(1, easy=0, hard=1, doc="calls of them that take two codes")
    asleep: int = knob(2, easy=0, hard=6, doc="needed tools that sleep at first")
    slack: int = knob(0, easy=1, hard=0, doc="rounds more than are needed")


class State(TaskData):
    box: Box
    asleep: tuple[str, ...]
    rounds: int  # that may be used
    woken: tuple[str, ...] = ()
    used: tuple[tuple[str, str, str], ...] = ()  # tool, codes, result
    gone: int = 0  # rounds
    submitted: tuple[str, ...] | None = None
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, box(rng, knobs.calls, knobs.joins, 2 * knobs.goals, knobs.goals))


def shift(rng: Rng, knobs: Knobs) -> State:
    """One value at the end of a bush of calls, instead of several at the ends of chains."""
    return _state(rng, knobs, box(rng, knobs.goals * knobs.calls, min(7, knobs.goals * knobs.calls - 1), 4))


def show(state: State) -> str:
    if state.told:
        return state.told
    box = state.box
    goals_text = "\n".join(f"{number}. {describe_reference(box, ref)}" for number, ref in enumerate(goals(box), 1))
    tools = "\n".join(f"- {tool.name}: {', '.join(tool.takes)} -> {tool.gives}. {manual(tool)}" for tool in box.tools)
    sleeping = f"These tools sleep until they are woken, and waking works from the next round on: {', '.join(state.asleep)}.\n"
    wanted = "code of this thing" if len(goals(box)) == 1 else "codes of these things"
    return (
        f"Find the {wanted}:\n{goals_text}\n\nThe box has these tools:\n{tools}\n{sleeping if state.asleep else ''}\n"
        f"Every turn in which you call use or wake is a round. There are {state.rounds} rounds in all, and after the last of them the box is closed. "
        f"Calls of the same round do not wait for one another's results; up to {TOOLS.max_calls} go into one round.\n{TOOLS.manual()}\n\n"
        "Submit the codes in the order of the list, in a later turn than the calls that gave them; submitting is no round."
    )


def act(state: State, calls: Calls) -> State:
    after, results = run(state, calls, lambda now, call: _run(now, call, state), lambda now: now.submitted is not None)
    rounds_used = state.gone + any(isinstance(call, Use | Wake) for call in calls)
    if rounds_used > state.gone:
        results += f"\n{max(0, state.rounds - rounds_used)} rounds are left."
    return after.model_copy(update={"told": results, "gone": rounds_used})


def outcome(state: State) -> Score | None:
    if state.submitted is None:
        return None
    known = values(state.box)
    right = [known[ref] for ref in goals(state.box)]
    given = {code for *_, code in state.used}
    honest = all(code in given for code in state.submitted)
    return Score.exact(honest and list(state.submitted) == right, "these are not the codes asked for, or no call has given them")


def best(state: State) -> Calls:
    box = state.box
    known, urgent = _known_codes(state), _urgency(box)
    late = [k for k in range(len(box.plan)) if not known[len(box.given) + k]]
    if not late:
        return (Submit(codes=[known[ref] for ref in goals(box)]),)
    ready: list[tuple[int, int, Call]] = []
    for k in late:
        use, tool = box.plan[k], box.tools[box.plan[k].tool]
        if tool.name in state.asleep and tool.name not in state.woken:
            ready.append((-urgent[k] - 1, k, Wake(tool=tool.name)))
        elif all(known[ref] for ref in use.takes):
            ready.append((-urgent[k], k, Use(tool=tool.name, codes=[known[ref] for ref in use.takes])))
    return tuple(call for _, _, call in sorted(ready, key=lambda one: one[:2]))[: TOOLS.max_calls]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    wakes = {"wake_early": _wakes_late} if first.asleep else {}
    return {"rounds": lambda state: best(state)[:1], "later_turn": lambda state: submit_in_the_same_turn(state, best, act, Submit), **wakes}


def _wakes_late(state: State) -> Calls:
    """Wakes a tool only when all that it takes is known."""
    box, known = state.box, _known_codes(state)
    ready = {box.tools[use.tool].name for use in box.plan if all(known[ref] for ref in use.takes)}
    return tuple(call for call in best(state) if not isinstance(call, Wake) or call.tool in ready)


def mistakes(state: State) -> list[Calls]:
    # One call a turn; a sleeping tool called at once; the codes in another order; the right codes before any call gave them.
    box, calls = state.box, best(state)
    known = values(box)
    right = [known[ref] for ref in goals(box)]
    first = box.tools[box.plan[0].tool]
    hasty = Use(tool=first.name, codes=[box.given[ref] for ref in box.plan[0].takes])
    if isinstance(calls[0], Submit):
        mixed = right[::-1] if len(right) > 1 else [*right, *right]
        early = Submit(codes=[known[-2] if code == known[-1] else code for code in right])
        return [(early,), (Submit(codes=mixed),), (Submit(codes=right[:-1]),), (early,)]
    return [calls[:1], calls, (Submit(codes=right),), (hasty,)]


def cost(state: State) -> float:
    return len(state.box.plan) + 2 * _rounds(state) + len(state.asleep)


def turns(state: State) -> int:
    return state.rounds + 3


def explain(state: State) -> list[str]:
    calls = best(state)
    if isinstance(calls[0], Submit):
        return ["All codes asked for have come out of calls.", TOOLS.render(calls)]
    wakes = sum(isinstance(call, Wake) for call in calls)
    return [
        f"{len(calls) - wakes} calls have all their codes by now, and {wakes} sleeping tools can be woken in time: all go into this round.",
        TOOLS.render(calls),
    ]


def _run(state: State, call: Tool, before: State) -> tuple[State, str]:
    box = state.box
    match call:
        case Submit(codes=codes):
            known = {code for *_, code in before.used}
            plain = tuple(code.strip().upper() for code in codes)
            return state.model_copy(update={"submitted": plain if known.issuperset(plain) else ()}), ""
        case Use() | Wake():
            if before.gone >= state.rounds:
                return state, "the box is closed: all rounds are used up"
            tool = instrument_named(box, call.tool)
            if tool is None:
                return state, f"there is no tool {call.tool!r}"
            if isinstance(call, Wake):
                return state.model_copy(update={"woken": (*state.woken, tool.name)}), f"{tool.name} will be awake in the next round"
            taken = tuple(code.strip().upper() for code in call.codes)
            if why := refusal(box, tool, taken):
                return state, why
            if tool.name in state.asleep and tool.name not in before.woken:
                return state, f"{tool.name} is asleep"
            if strange := [code for code in taken if code not in {*box.given, *(code for *_, code in before.used)}]:
                return state, f"nothing is known of {strange[0]!r}"
            code = result(box, tool, taken)
            return state.model_copy(update={"used": (*state.used, (tool.name, " ".join(taken), code))}), f"{tool.name} gives {code}"
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _state(rng: Rng, knobs: Knobs, box: Box) -> State:
    needed = list(dict.fromkeys(box.tools[use.tool].name for use in box.plan))
    asleep = tuple(sorted(rng.sample(needed, min(knobs.asleep, len(needed)))))
    state = State(box=box, asleep=asleep, rounds=100)
    return state.model_copy(update={"rounds": _rounds(state) + knobs.slack})


def _rounds(state: State) -> int:
    """The rounds that are used by one who always calls what is most urgent."""
    ahead = State(box=state.box, asleep=state.asleep, rounds=100)
    while not isinstance((calls := best(ahead))[0], Submit):
        ahead = act(ahead, calls)
    return ahead.gone


def _known_codes(state: State) -> list[str]:
    """The codes behind all references, empty where they have not come out of a call yet."""
    box, known = state.box, [*state.box.given]
    done = {(tool, codes): code for tool, codes, code in state.used}
    for use in box.plan:
        codes = [known[ref] for ref in use.takes]
        known.append(done.get((box.tools[use.tool].name, " ".join(codes)), "") if all(codes) else "")
    return known


def _urgency(box: Box) -> list[int]:
    """For every call of the plan, how many calls after it wait for one another."""
    starts, after = len(box.given), [0] * len(box.plan)
    for k in range(len(box.plan) - 1, -1, -1):
        for ref in box.plan[k].takes:
            if ref >= starts:
                after[ref - starts] = max(after[ref - starts], after[k] + 1)
    return after


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    concept="Draw which call waits for which, and put into every round all that waits for nothing any more, what is woken for later included.",
    rules=rules, version=3,
)  # fmt: skip
