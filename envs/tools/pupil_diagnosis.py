"""Find out by which faulty procedure pupils get sums wrong: give them sums that tell the faults apart, and name the fault only when it is proved.

The pupils are simulated people who understand ordinary English and any sum in it. Judged by the faults named; each must be proved by the
answers.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.services.tutoring import FAULTS, RULES, Heard, Pupil, answer, briefing, candidates, gap, reply, school_class, signs
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.users.calls import (
    NO_CALL,
    Step,
    calls_settled,
    count_turns,
    hung_up,
    of_call,
    open_call,
    settled,
    with_call,
    with_people,
)
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat
from rlgym.generators.users.sums import Sum
from rlgym.generators.users.translation.prompts import LANGUAGE, worded

CODE = Field(max_length=40)
TRIED = (
    *(Sum(52, "-", 38), Sum(47, "+", 38), Sum(34, "x", 6), Sum(305, "-", 148), Sum(268, "+", 157), Sum(400, "-", 163), Sum(57, "x", 8)),
    *(Sum(731, "-", 284), Sum(86, "+", 7), Sum(503, "-", 267), Sum(91, "-", 45), Sum(64, "-", 27), Sum(75, "+", 48), Sum(246, "x", 7)),
    *(Sum(120, "-", 64), Sum(23, "+", 41), Sum(39, "+", 26), Sum(83, "x", 4)),
    *(Sum(412, "+", 235), Sum(51, "+", 37), Sum(76, "x", 3)),
)
"""Sums from which the oracle takes the one that splits the faults left best."""


PLAINEST = ("What do you find hard?", "How did you work that out?", "Are you tired?", "Well done!", "Is there anything else?")


class Say(Tool):
    """Says something to the pupil with this code, in plain English, and gives the reply. Ask for at most three things in one message."""

    pupil: str = CODE
    text: str = Field(max_length=4000)


class NameFault(Tool):
    """Ends the work with a pupil: names the fault by its name in the list."""

    pupil: str = CODE
    fault: str = CODE


TOOLS = ToolCalls((Say, NameFault))


class Knobs(Config):
    pupils: int = knob(2, easy=1, hard=4, doc="pupils, one after the other")
    faults: int = knob(6, easy=3, hard=9, doc="faults in the list")
    rules: int = knob(2, easy=0, hard=4, doc="rules of tutoring")
    limit: int = knob(7, easy=8, hard=7, doc="sums that a pupil can be given")
    patience: int = knob(4, easy=6, hard=3, doc="needless messages that a pupil puts up with")
    slips: str = knob("no", easy="no", hard="yes", order=("no", "no", "yes"), doc="whether pupils miscount now and then")
    language: str = LANGUAGE


class State(TaskData):
    rules: tuple[str, ...]
    faults: tuple[str, ...]
    limit: int
    pupils: tuple[Pupil, ...]
    briefing: str
    chats: tuple[Chat, ...]
    heard: tuple[Heard, ...]
    ended: tuple[int, ...] = ()
    spoiled: str = ""
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    rules = tuple(sorted(rng.sample(RULES, knobs.rules), key=RULES.index))
    faults = tuple(rng.shuffled(list(FAULTS)[: knobs.faults] if knobs.faults < len(FAULTS) else list(FAULTS)))
    slips = knobs.slips == "yes"
    drawn = school_class(rng, knobs.pupils, faults, slips, knobs.patience)
    pupils = tuple(pupil._replace(person=pupil.person.speaking(knobs.language)) for pupil in drawn)
    return State(
        rules=rules, faults=faults, limit=knobs.limit, pupils=pupils, briefing=briefing(pupils, faults, rules, knobs.limit, slips),
        chats=(Chat(),) * len(pupils), heard=(Heard(),) * len(pupils),
    )  # fmt: skip


def show(state: State) -> str:
    return state.told or f"{state.briefing}\n\n{TOOLS.manual()}"


def act(state: State, turn: Calls, step: Step[State] | None = None) -> State:
    return run_turn(state, turn, step or _step, lambda now: outcome(now) is not None)


def outcome(state: State) -> Score | None:
    return settled(state, state.pupils, state.ended, "every fault was found")


def milestones(state: State) -> Mapping[str, float]:
    return calls_settled(state, state.pupils, state.ended, "faults_found")


def _step(state: State, call: Tool) -> tuple[State, str]:
    assert isinstance(call, Say | NameFault), f"{call!r} is no tool of this world"
    place = open_call([pupil.person for pupil in state.pupils], state.ended, call.pupil)
    if place is None:
        return state, NO_CALL
    pupil, heard = state.pupils[place], state.heard[place]
    if isinstance(call, Say):
        heard, said = reply(pupil, state.faults, state.rules, state.limit, state.chats[place], heard, call.text)
        return with_call(
            state, place, of_call(heard.broken, pupil.person) or hung_up(pupil.person, said.chat), chats=said.chat, heard=heard
        ), said.words
    fault = call.fault.strip().lower()
    if fault not in state.faults:
        return state, f"there is no fault {call.fault!r} in the list"
    problem = "a wrong fault was named" if fault != pupil.fault else gap(heard, fault, state.faults, state.rules)
    return state.model_copy(update={"ended": (*state.ended, place), "spoiled": of_call(problem, pupil.person)}), "done"


def best(state: State, skips: str = "") -> Calls:
    """The next call for the first pupil whose fault is open; `skips` names a rule that is ignored."""
    place = next(place for place in range(len(state.pupils)) if place not in state.ended)
    heard, code, rules = state.heard[place], state.pupils[place].person.code, {rule for rule in state.rules if rule != skips}

    def say(text: str) -> Calls:
        return (Say(pupil=code, text=text),)

    if "topic" in rules and "topic" not in heard.topics:
        return say("What do you find hard?")
    left = candidates(heard.answers, state.faults)
    if len(left) > 1 and skips != "proof":
        return say(f"What is {_telling(heard, left)}?")
    needed = 2 if "twice" in rules else 1
    shown = signs(heard.answers, left[0])
    if shown < needed and skips != "proof":
        return say(f"What is {_showing(heard, left[0])}?")
    if "praise" in rules and not heard.praised:
        return say("Well done!")
    if "explain" in rules and "explain" not in heard.topics:
        return say("How did you get that?")
    return (NameFault(pupil=code, fault=left[0]),)


def _telling(heard: Heard, left: list[str]) -> Sum:
    """The sum to which the faults left give the most different answers, not counting right ones."""
    asked = {each for each, _ in heard.answers}
    fresh = [each for each in TRIED if each not in asked] or list(TRIED)
    return max(
        fresh, key=lambda each: (len({answer(fault, each) for fault in left}), sum(answer(fault, each) != each.result for fault in left))
    )


def _showing(heard: Heard, fault: str) -> Sum:
    """A sum that shows a fault."""
    shown = {each for each, said in heard.answers if said == answer(fault, each)}
    return next(each for each in TRIED if each not in shown and answer(fault, each) != each.result)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: partial(best, skips=rule) for rule in (*first.rules, "proof")}


def mistakes(state: State) -> list[Calls]:
    # Names the right fault unproved; names another one; gives sums for ever.
    place = next(place for place in range(len(state.pupils)) if place not in state.ended)
    pupil, heard = state.pupils[place], state.heard[place]
    other = next(fault for fault in state.faults if fault != pupil.fault)
    unproved = gap(heard, pupil.fault, state.faults, state.rules)
    wrong: list[Calls] = [(NameFault(pupil=pupil.person.code, fault=other),), (Say(pupil=pupil.person.code, text="What is 2 + 2?"),) * 8]
    return [*wrong, (NameFault(pupil=pupil.person.code, fault=pupil.fault),)] if unproved else wrong


def cost(first: State) -> float:
    return float(count_turns(first, act, best, outcome) * (1 + len(first.rules)) + len(first.faults))


def turns(first: State) -> int:
    return 4 + 3 * count_turns(first, act, best, outcome) // 2


def explain(state: State) -> list[str]:
    place = next(place for place in range(len(state.pupils)) if place not in state.ended)
    left = candidates(state.heard[place].answers, state.faults)
    return [f"{state.pupils[place].person.name}: the answers so far leave {', '.join(left)}.", TOOLS.render(best(state))]


environment = Game(
    Knobs, TOOLS, start, worded(show, lambda state: [pupil.person for pupil in state.pupils]), act, outcome, best, mistakes, cost, turns, explain,
    concept="Work out what each fault would answer before you give a sum, and give the sum on which the faults left differ most.",
    rules=rules,
    milestones=milestones, moods=moods, with_user=with_people(act, _step, "pupil", PLAINEST),
    version=4,
)  # fmt: skip
