"""Find out who was alone in a room when something was stolen, by traces and by asking people, of whom some lie by a rule, and prove it.

The people understand ordinary English, or speak another `language`, in which they are asked where somebody was.

Judged by the person accused and the evidence given: it must have been seen, must leave no other person possible, and none of it may be
superfluous.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run
from rlgym.generators.simulations.suspects import Answered, heard, question, reply, said, trace, witness
from rlgym.generators.simulations.witnesses import LYING, TOLD, Case, Statement, all_statements, case, solve
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.users.desk import UserModel
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat
from rlgym.generators.users.translation.prompts import LANGUAGE, worded
from rlgym.generators.users.translation.speech import LANGUAGES

ROOMS = ("vault", "library", "kitchen", "garden room", "hall", "attic")
LEFT = 2
"""The questions that a beginner has to ask."""
KINDS: dict[str, LYING] = {"room": "room", "alone": "alone", "count": "count"}


class Say(Tool):
    """Says something to a person, in plain English. They say where they or others were, if you ask; each answer gets a number, such as s3."""

    to: str = Field(max_length=40)
    text: str = Field(max_length=4000)


class Inspect(Tool):
    """Looks for traces in a room: says, always correctly, how many people were there. That gets a number too."""

    room: str = Field(max_length=40)


class Accuse(Tool):
    """Ends the work: names the thief, and the numbers of the answers and traces that prove it."""

    person: str = Field(max_length=40)
    evidence: list[str] = Field(min_length=1, max_length=40)


TOOLS = ToolCalls((Say, Inspect, Accuse))


class Knobs(Config):
    people: int = knob(5, easy=4, hard=6, doc="people in the house")
    rooms: int = knob(4, easy=3, hard=5, doc="rooms, with the one that something was stolen from")
    lying: str = knob("alone", easy="room", hard="count", order=("room", "alone", "count"), doc="the rule by which people lie")
    language: str = LANGUAGE
    spare: int = knob(2, easy=4, hard=1, doc="questions beyond those that a careful asker needs")


class State(TaskData):
    case: Case
    language: str = LANGUAGES[0]
    most: int  # questions and inspections
    seen: tuple[Statement, ...] = ()
    chats: tuple[Chat, ...]
    accused: str = ""
    evidence: tuple[str, ...] = ()
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    people = rng.sample(PEOPLE, knobs.people)
    rooms = (ROOMS[0], *rng.sample(ROOMS[1:], knobs.rooms - 1))
    for _ in range(4):
        sampled = case(rng, people, rooms, KINDS[knobs.lying])
        state = State(case=sampled, language=knobs.language, most=100, chats=(Chat(),) * knobs.people)
        while not isinstance(call := best(state)[0], Accuse):
            state = _step(state, call)[0] if isinstance(call, Tool) else state
        # One who believes every answer should often be led astray.
        if _first_named(state) not in (None, sampled.at.index(0)):
            break
    first = State(case=sampled, language=knobs.language, most=len(state.seen) + knobs.spare, chats=(Chat(),) * knobs.people)
    if knobs.lying == "room":  # a beginner finishes what somebody else has begun
        for _ in range(len(state.seen) - LEFT):
            first = act(first, best(first)).model_copy(update={"told": ""})
    return first


def show(state: State) -> str:
    if state.told:
        return f"{state.told}\n{state.most - len(state.seen)} questions and inspections are left."
    case = state.case
    rooms = " and ".join(f"the {case.rooms[k]}" for k in case.liars) if case.lying == "room" else ""
    known = " or that are listed as known already. Only those that you give count; " if state.seen else "; "
    rule = TOLD[case.lying].format(rooms=rooms, count=case.liars[0] if case.lying == "count" else "")
    return (
        f"Last night something was stolen from the {case.rooms[0]} of a house. In the house were {', '.join(case.people)}. Each of them was in one of these "
        "rooms: "
        f"{', '.join(case.rooms)}. Exactly one of them was in the {case.rooms[0]}, and is the thief. All of them know where everybody was. {rule} To "
        "lie is to name a wrong room.\n\n"
        f"{TOOLS.manual()}\n\n{_known_already(state)}Find the thief. In all you may ask and inspect {state.most - len(state.seen)} times, not "
        "counting what is not understood; each answer about one person counts as one question. The evidence must be "
        f"numbers that you received in an earlier turn{known}together with what is said above about the theft and about lying they must leave one "
        "person alone as the thief, and none of them may be superfluous, that is, the others must not prove it without it."
    )


def _known_already(state: State) -> str:
    """The statements and traces that the work begins with, in words."""
    case, lines = state.case, []
    for number, (who, of, what) in zip(_numbers(len(state.seen)), state.seen):
        if who < 0:
            lines.append(f"{number}: {trace(case, of)}")
        else:
            lines.append(f"{number}: {case.people[who]} said: {'I' if who == of else case.people[of]} was in the {case.rooms[what]}.")
    return "\n".join(["This is known already:", *lines, "", ""]) if lines else ""


def act(state: State, calls: Calls, user: UserModel | None = None) -> State:
    known = len(state.seen)
    after, output = run(state, calls, partial(_step, user=user), lambda now: bool(now.accused))
    late = [name for name in after.evidence if name not in _numbers(known)]
    # Statements made in the same turn cannot have been known when they were given as evidence.
    return after.model_copy(update={"told": output, "evidence": (*after.evidence, "?") if late else after.evidence})


def with_user(user: UserModel) -> Callable[[State, Calls], State]:
    """`act`, in which a model hears and speaks for the people; where they were, and what they say about it, stays as it is."""
    return partial(act, user=user)


def outcome(state: State) -> Score | None:
    if not state.accused:
        return None
    numbers = _numbers(len(state.seen))
    if not set(state.evidence) <= set(numbers) or len(set(state.evidence)) < len(state.evidence):
        return Score.wrong("some of the evidence had not been told before, or is given twice")
    given = [state.seen[numbers.index(name)] for name in state.evidence]
    thief = solve(state.case, given)
    if thief is None or state.case.people[thief] != state.accused:
        return Score.wrong("the evidence does not show that this person is the thief")
    extra = sum(solve(state.case, [*given[:k], *given[k + 1 :]]) is not None for k in range(len(given)))
    return Score.exact(extra == 0, f"{extra} of {len(given)} pieces of evidence are superfluous")


def best(state: State) -> Calls:
    """Inspects and asks until one person alone is possible, then drops from the evidence what is not needed."""
    case = state.case
    if state.seen and (thief := solve(case, state.seen)) is not None:
        needed = list(dict.fromkeys(state.seen))
        for one in list(needed):
            if len(needed) > 1 and solve(case, [other for other in needed if other != one]) is not None:
                needed.remove(one)
        return (Accuse(person=case.people[thief], evidence=[f"s{state.seen.index(one) + 1}" for one in needed]),)
    left = [one for one in _interview_order(case) if one not in state.seen]
    who, of, _ = left[0]
    return (Inspect(room=case.rooms[of]),) if who < 0 else (_ask(case, who, of),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {"liars": _accuse_first_named, "earlier_turn": _accuses_in_the_same_turn, "superfluous": _cites_all, "questions": _asks_in_order}


def _accuse_first_named(state: State) -> Calls:
    """Accuses the first person who is said to have been where something was stolen."""
    calls, named = best(state), _first_named(state)
    if not isinstance(calls[0], Accuse) or named is None:
        return calls
    return (Accuse(person=state.case.people[named], evidence=calls[0].evidence),)


def _first_named(state: State) -> int | None:
    """The first person who is said to have been in the room that something was stolen from."""
    return next((of for who, of, room in state.seen if who >= 0 and room == 0), None)


def _accuses_in_the_same_turn(state: State) -> Calls:
    calls = best(state)
    after = best(_step(state, calls[0])[0]) if not isinstance(calls[0], Accuse) else ()  # type: ignore[arg-type]
    return (*calls, *after) if after and isinstance(after[0], Accuse) else calls


def _cites_all(state: State) -> Calls:
    calls = best(state)
    return (Accuse(person=calls[0].person, evidence=_numbers(len(state.seen))),) if isinstance(calls[0], Accuse) else calls


def _asks_in_order(state: State) -> Calls:
    """Asks one person after another about everybody, and looks for traces last."""
    calls, case = best(state), state.case
    if isinstance(calls[0], Accuse) or len(state.seen) >= state.most:
        return calls if isinstance(calls[0], Accuse) else (Accuse(person=case.people[0], evidence=["s1"]),)
    who, of = divmod(len(state.seen), len(case.people))
    if who >= len(case.people):
        return calls
    return (_ask(case, who, of),)


def mistakes(state: State) -> list[Calls]:
    # Accuses with all statements as evidence, with none that proves it, or another person; or repeats one question for ever.
    calls, case = best(state), state.case
    other = next(name for k, name in enumerate(case.people) if case.at[k] != 0)
    if isinstance(calls[0], Accuse):
        names = calls[0].evidence
        padded = [*names, *(name for name in _numbers(len(state.seen)) if name not in names)][: len(names) + 1]
        short = names[:-1] or ["s99"]
        return [
            (Accuse(person=other, evidence=names),),
            (Accuse(person=calls[0].person, evidence=padded if len(padded) > len(names) else ["s99"]),),
            (Accuse(person=calls[0].person, evidence=short),),
            (Say(to=other, text=question(other, other)),),
        ]
    return [
        calls,
        calls,
        calls,
        (Say(to=other, text=question(other, other)),),
        (Accuse(person=calls[0].to if isinstance(calls[0], Say) else other, evidence=["s1"]),),
    ]


def cost(state: State) -> float:
    case = state.case
    return len(case.people) * len(case.rooms) * {"room": 1, "alone": 2, "count": 3}[case.lying]


def turns(state: State) -> int:
    return state.most + 4


def explain(state: State) -> list[str]:
    calls = best(state)
    if isinstance(calls[0], Accuse):
        return ["The evidence leaves only one person as the thief, and no part of it is superfluous.", TOOLS.render(calls)]
    return [f"{len(state.seen)} answers and traces leave more than one person possible.", TOOLS.render(calls)]


def _interview_order(case: Case) -> list[Statement]:
    """Traces first, then people in turn, each asked first about those who were asked least."""
    people, found = len(case.people), all_statements(case)
    traces = [one for one in found if one[0] < 0]
    answers = [(who, (who + 1 + k) % people) for k in range(people) for who in range(people)]
    return [*traces, *((who, of, case.says[who][of]) for who, of in answers)]


def _ask(case: Case, who: int, of: int) -> Say:
    return Say(to=case.people[who], text=question(case.people[who], case.people[of]))


def _numbers(count: int) -> list[str]:
    return [f"s{k}" for k in range(1, count + 1)]


def _step(state: State, call: Tool, user: UserModel | None = None) -> tuple[State, str]:
    case, number = state.case, f"s{len(state.seen) + 1}"
    if isinstance(call, Accuse):
        if call.person not in case.people:
            return state, f"there is nobody called {call.person!r}"
        return state.model_copy(update={"accused": call.person, "evidence": tuple(call.evidence)}), ""
    if len(state.seen) >= state.most:
        return state, "no question is left: accuse"
    if isinstance(call, Inspect):
        if call.room not in case.rooms:
            return state, f"there is no room {call.room!r}"
        room = case.rooms.index(call.room)
        seen, output = (-1, room, case.at.count(room)), f"{number}: {trace(case, room)}"
    else:
        assert isinstance(call, Say)
        who = next((who for who, name in enumerate(case.people) if name.lower() == call.to.strip().lower()), None)
        if who is None:
            return state, f"there is nobody called {call.to!r}"
        return _converse(state, who, call.text, user)
    return state.model_copy(update={"seen": (*state.seen, seen)}), output


def _converse(state: State, who: int, text: str, user: UserModel | None) -> tuple[State, str]:
    """The state after words to a person, and the reply: an answer about each person who was asked about, while questions are left."""
    answers = Answered(len(state.seen), state.most, state.seen)
    case, language = state.case, state.language
    chat, answers, words = reply(case, who, state.chats[who], answers, heard(case, who, text, user, language) if user else text, language)
    words = said(state.case, text, words, user) if user else words
    chats = (*state.chats[:who], chat, *state.chats[who + 1 :])
    return state.model_copy(update={"chats": chats, "seen": answers.seen}), words


environment = Game(
    Knobs, TOOLS, start, worded(show, lambda state: [witness(state.case, 0, state.language)]), act, outcome, best, mistakes, cost, turns, explain,
    moods=moods, with_user=with_user,
    concept="Suppose of each speaker that he lies or does not, see what that makes of where he was, and keep only what rules out everybody else.",
    version=12,
    rules=rules,
)  # fmt: skip
