"""Bring the devices of a home into wanted states, though every change may set off rules that change others, and a siren must stay silent.

Judged by the states at the end, by the siren, and by how often devices were set.
"""

from collections.abc import Callable, Mapping

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run
from rlgym.generators.simulations.home import SIREN, Home, Rule, States, after, breadth_first_search, home, without_siren
from rlgym.generators.simulations.search import going_on

PAGE = 4


class Status(Tool):
    """Lists the devices with their states now."""


class Rules(Tool):
    """Lists the rules of the home, four a page."""

    page: int = Field(1, ge=1, le=1000)


class SetDevice(Tool):
    """Sets a device that has a switch. The result names the devices that have changed since before the call, in the order of the list above."""

    device: str = Field(max_length=40)
    value: str = Field(max_length=20)


class Finish(Tool):
    """Ends the work; the home is then judged."""


TOOLS = ToolCalls((Status, Rules, SetDevice, Finish))


class Knobs(Config):
    devices: int = knob(5, easy=4, hard=7, beyond=10, doc="devices besides the siren")
    rules: int = knob(8, easy=4, hard=16, beyond=26, doc="rules")
    indirect: int = knob(1, easy=0, hard=3, beyond=5, doc="devices without a switch, where there are enough others")
    moves: int = knob(4, easy=3, hard=8, beyond=14, doc="how often devices must be set at least, where a home has states so far away")
    spare: int = knob(1, easy=2, hard=0, doc="how much oftener they may be set")


class State(TaskData):
    home: Home
    first: States
    wanted: States
    most: int
    states: States
    done: tuple[tuple[int, str], ...] = ()
    looked: tuple[int, ...] = ()  # pages of rules; 0 for the status
    rang: bool = False
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    sampled, first, goal = home(rng, knobs.devices, knobs.rules, knobs.indirect, knobs.moves, knobs.spare)
    return State(home=sampled, first=first, wanted=goal, most=len(breadth_first_search(sampled, first)[goal]) + knobs.spare, states=first)


def show(state: State) -> str:
    if state.told:
        return state.told
    home = state.home
    devices = "\n".join(
        f"- {device.name} ({' or '.join(device.values)}){'' if device.switch else ', without a switch'}" for device in home.devices
    )
    goal = ", ".join(f"{device.name} {value}" for device, value in zip(home.devices, state.wanted, strict=True))
    return (
        f"A home has these devices:\n{devices}\n\nIts rules say: when one device changes to a state, and another is in some state, then a third is set. "
        "After a device is set by hand the changes are processed in the order in which they happened: for each of them all rules are gone through in "
        "their order, and each that is about this change fires, if what it asks for holds at that moment and its own device is not yet in that state. "
        "A fired rule sets its device at once, and what it sets is a change too. A rule fires at most once for each setting by hand. A device that is "
        f"set to the state it is in does not change.\n\nBring the home to these states and finish: {goal}. The siren must never go on, not even for a "
        "moment. You may set devices "
        f"{state.most} times at most, including settings that change nothing.\n\n{TOOLS.manual()}"
    )


def act(state: State, calls: Calls) -> State:
    after, output = run(state, calls, _step, lambda now: now.finished or now.rang)
    return after.model_copy(update={"told": output or " "})


def outcome(state: State) -> Score | None:
    if state.rang:
        return Score.wrong("the siren went on")
    if not state.finished:
        return None
    wrong = sum(now != goal for now, goal in zip(state.states, state.wanted, strict=True))
    return Score.exact(wrong == 0, f"{wrong} devices are not as wanted")


def milestones(state: State) -> dict[str, float]:
    right = sum(now == goal for now, goal in zip(state.states, state.wanted, strict=True))
    return {"devices_right": 0.0 if state.rang else right / len(state.wanted)}


def best(state: State) -> Calls:
    look_ups: list[tuple[int, Tool]] = [(0, Status()), *((page, Rules(page=page)) for page in range(1, _pages(state) + 1))]
    if missing := [call for number, call in look_ups if number not in state.looked]:
        return tuple(missing[: TOOLS.max_calls])
    if state.states == state.wanted:
        return (Finish(),)
    planned = breadth_first_search(state.home, state.first)[state.wanted]
    left = going_on(planned, state.done, lambda: breadth_first_search(state.home, state.states).get(state.wanted))
    return tuple(SetDevice(device=state.home.devices[k].name, value=value) for k, value in left[: TOOLS.max_calls]) or (Finish(),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {"siren": _overhears_the_siren, "times": _tries_first, "read_the_rules": _sets_directly}


def _overhears_the_siren(state: State) -> Calls:
    return best(state.model_copy(update={"home": without_siren(state.home)}))


def _tries_first(state: State) -> Calls:
    """Sets every device that differs to what is wanted, without a thought to the rules, and then goes on as the oracle."""
    tries = [k for k, device in enumerate(state.home.devices) if device.switch and state.first[k] != state.wanted[k]]
    if len(state.done) >= len(tries):
        return best(state)
    k = tries[len(state.done)]
    return (SetDevice(device=state.home.devices[k].name, value=state.wanted[k]),)


def _sets_directly(state: State) -> Calls:
    """Goes on setting devices that differ to what is wanted."""
    devices = zip(state.home.devices, state.states, state.wanted, strict=True)
    wrong = [SetDevice(device=device.name, value=goal) for device, now, goal in devices if device.switch and now != goal]
    return tuple(wrong[:1]) if len(state.done) < state.most and wrong else (Finish(),)


def mistakes(state: State) -> list[Calls]:
    # Stops at once; sets every device to what is wanted, in order; sets what is set; looks on for ever.
    home = state.home
    plain = tuple(
        SetDevice(device=device.name, value=value) for device, value in zip(home.devices, state.wanted, strict=True) if device.switch
    )
    now = state.states
    for call in plain:
        k = next(k for k, device in enumerate(home.devices) if device.name == call.device)
        now = after(home, now, (k, call.value))
    lucky = now == state.wanted or len(plain) > TOOLS.max_calls
    switch = next(k for k, device in enumerate(home.devices) if device.switch)
    idle = SetDevice(device=home.devices[switch].name, value=state.states[switch])
    return [
        (Finish(),) if state.states != state.wanted else (idle,),
        (Status(),) if lucky else (*plain[:7], Finish()),
        (idle,),
        (Rules(page=1),),
    ]


def cost(state: State) -> float:
    return len(breadth_first_search(state.home, state.first)[state.wanted]) * len(state.home.rules) * len(state.home.devices)


def turns(state: State) -> int:
    return 2 * state.most + _pages(state) + 4


def explain(state: State) -> list[str]:
    calls = best(state)
    if not isinstance(calls[0], SetDevice):
        return [
            "The states and all rules must be known." if isinstance(calls[0], Status | Rules) else "All is as wanted.",
            TOOLS.render(calls),
        ]
    now, steps = state.states, []
    for call in calls:
        assert isinstance(call, SetDevice)
        k = next(k for k, device in enumerate(state.home.devices) if device.name == call.device)
        before, now = now, after(state.home, now, (k, call.value))
        changed = [f"{device.name} {new}" for device, old, new in zip(state.home.devices, before, now, strict=True) if old != new]
        steps.append(f"Setting {call.device} to {call.value} changes: {', '.join(changed) or 'nothing'}.")
    return [*steps, TOOLS.render(calls)]


def _step(state: State, call: Tool) -> tuple[State, str]:
    home = state.home
    match call:
        case Finish():
            return state.model_copy(update={"finished": True}), ""
        case Status():
            output = ", ".join(f"{device.name} {value}" for device, value in zip(home.devices, state.states, strict=True))
            return state.model_copy(update={"looked": (*state.looked, 0)}), output
        case Rules(page=page):
            rules = [f"{k}. {_describe(home, rule)}" for k, rule in enumerate(home.rules, 1)][(page - 1) * PAGE : page * PAGE]
            output = "\n".join([f"page {page} of {_pages(state)}", *rules])
            return (state.model_copy(update={"looked": (*state.looked, page)}) if rules else state), output
    assert isinstance(call, SetDevice)
    name, value = call.device.strip().lower(), call.value.strip().lower()
    k = next((k for k, device in enumerate(home.devices) if device.name == name), None)
    if k is None:
        return state, f"nothing was set: there is no device {call.device!r}"
    if not home.devices[k].switch:
        return state, f"nothing was set: the {name} has no switch"
    if value not in home.devices[k].values:
        return state, f"nothing was set: the {name} has no state {call.value!r}, only {' or '.join(home.devices[k].values)}"
    if len(state.done) >= state.most:
        return state, "nothing was set: devices may not be set any more"
    states = after(home, state.states, (k, value))
    changed = [f"{device.name} {new}" for device, old, new in zip(home.devices, state.states, states, strict=True) if old != new]
    update = {"states": states, "done": (*state.done, (k, value)), "rang": states[SIREN] == "on"}
    return state.model_copy(update=update), f"changed: {', '.join(changed) or 'nothing'}"


def _pages(state: State) -> int:
    return -(-len(state.home.rules) // PAGE)


def _describe(home: Home, rule: Rule) -> str:
    also = f" and {home.devices[rule.other].name} is {rule.state}" if rule.other >= 0 else ""
    return f"When {home.devices[rule.device].name} changes to {rule.value}{also}, {home.devices[rule.target].name} is set to {rule.new}."


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Work out what each setting sets off, and search for the order of settings that ends as wanted without the siren.",
    milestones=milestones,
    version=4,
    rules=rules,
)  # fmt: skip
