"""Check the claims in a colleague's draft against a library before it goes out, and cite the page that decides each of them.

Some claims are right, some rest on a page that does not count, and some cannot be settled at all. The draft may only be sent
when every claim has been read up on.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Tool, ToolCalls
from rlgym.generators.corpus.library import Log, Open, Search, look, normalize
from rlgym.generators.corpus.questions import (
    Question,
    agenda,
    full_plan,
    next_look_ups,
    read,
    read_on,
    reasons,
    rumoured_answer,
    trail,
    write_question,
)
from rlgym.generators.corpus.relations import NAMED, RELATIONS
from rlgym.generators.corpus.world import Corpus, corpus, introduce, misread
from rlgym.generators.simulations.calls import run_turn


class Confirm(Tool):
    """Marks a claim as right, with the code of the page that proves it."""

    claim: int = Field(ge=1, le=99)
    page: str = Field(max_length=12)


class Correct(Tool):
    """Marks a claim as wrong, with the right name or number and the code of the page that proves it."""

    claim: int = Field(ge=1, le=99)
    value: str = Field(max_length=80)
    page: str = Field(max_length=12)


class Strike(Tool):
    """Strikes a claim that the library cannot settle, and names where the trail ends: the thing or person whose fact no page states."""

    claim: int = Field(ge=1, le=99)
    silent_about: str = Field(max_length=80)


class Send(Tool):
    """Sends the checked draft and ends the task."""


TOOLS = ToolCalls((Search, Open, Confirm, Correct, Strike, Send))


class Knobs(Config):
    claims: int = knob(4, easy=2, hard=6, doc="claims in the draft")
    hops: int = knob(2, easy=1, hard=3, doc="most facts behind a claim")
    pages: int = knob(60, easy=30, hard=140, scale="log", doc="pages in the library")
    disputes: str = knob(
        "latest", easy="none", hard="rank", order=("none", "latest", "rank"), doc="how the prompt states which page counts"
    )
    silent: float = knob(0.2, easy=0.15, hard=0.3, doc="share of claims that cannot be settled")


class Claim(NamedTuple):
    about: Question
    value: str


class Verdict(NamedTuple):
    claim: int
    kind: Literal["confirm", "correct", "strike"]
    value: str = ""
    page: str = ""


class State(TaskData):
    library: Corpus
    claims: tuple[Claim, ...]
    log: Log = Log()
    verdicts: tuple[Verdict, ...] = ()
    guessed: bool = False
    sent: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs, scattered: bool = False) -> State:
    library, items = agenda(rng, corpus(rng, knobs.pages, knobs.disputes, scattered), knobs.claims, knobs.hops, knobs.silent)
    claims = []
    for item in items:
        right, false = trail(library, item)[-1].found, rumoured_answer(rng, library, item)
        claims.append(Claim(item, right if right and rng.chance(0.4) else false))
    return State(library=library, claims=tuple(claims))


def shift(rng: Rng, knobs: Knobs) -> State:
    return start(rng, knobs, scattered=True)


def show(state: State) -> str:
    if state.told:
        return state.told
    claims = "\n".join(f"{number}. {_sentence(state.library, claim)}" for number, claim in enumerate(state.claims, 1))
    return (
        f"A colleague has drafted this:\n{claims}\n\nCheck every claim before the draft is sent. "
        f"{introduce(state.library)}\n{TOOLS.manual()}\n\n"
        "Decide once on each claim; a decision cannot be taken back. The page cited is the one that counts for the last of the facts that the claim "
        "rests on. Strike a claim only if a fact that it rests on is stated on no page that counts, after every page about the thing whose fact is "
        "missing was read to its end. Decide in a later turn than the look-ups that the decision rests on: what was not read before is a guess, and "
        "one guess or one wrong decision spoils the draft. Send when all is decided."
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.log.opened)
    return run_turn(state, calls, lambda now, call: _run(now, call, known), lambda now: now.sent)


def outcome(state: State) -> Score | None:
    if not state.sent:
        return None
    if state.guessed:
        return Score.wrong("a claim was decided on before what it rests on had been read")
    given = {verdict._replace(value=normalize(verdict.value)) for verdict in state.verdicts}
    right = {verdict._replace(value=normalize(verdict.value)) for verdict in _verdicts(state)}
    return Score.exact(given == right, f"{len(right - given)} of {len(right)} claims were left undecided or decided wrongly")


def milestones(state: State) -> dict[str, float]:
    given = {verdict._replace(value=normalize(verdict.value)) for verdict in state.verdicts}
    right = {verdict._replace(value=normalize(verdict.value)) for verdict in _verdicts(state)}
    return {"claims_decided": 0.0 if state.guessed else len(given & right) / len(right)}


def best(state: State) -> Calls:
    missing = next_look_ups(state.library, state.log, tuple(claim.about for claim in state.claims))
    if missing:
        return tuple(read_on(state.library, state.log, missing))[: TOOLS.max_calls]
    done = {verdict.claim for verdict in state.verdicts}
    left = [_call(verdict) for verdict in _verdicts(state) if verdict.claim not in done]
    return (*left, Send())[: TOOLS.max_calls]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    false = {rule: partial(_skip_rule, rule) for rule in misread(first.library)}
    return {"read_first": _unread, "silence": _never_silent, **false}


def _unread(state: State) -> Calls:
    return _next_calls(state, _verdicts(state), ())


def _skip_rule(rule: str, state: State) -> Calls:
    wrong = state.model_copy(update={"library": misread(state.library)[rule]})
    return _next_calls(state, _verdicts(wrong), next_look_ups(state.library, state.log, tuple(claim.about for claim in state.claims)))


def _never_silent(state: State) -> Calls:
    code = state.library.pages[0].code
    verdicts = [one._replace(kind="confirm", value="", page=code) if one.kind == "strike" else one for one in _verdicts(state)]
    return _next_calls(state, verdicts, next_look_ups(state.library, state.log, tuple(claim.about for claim in state.claims)))


def _next_calls(state: State, verdicts: Sequence[Verdict], look_ups: Sequence[Call]) -> Calls:
    done = {verdict.claim for verdict in state.verdicts}
    left = [_call(verdict) for verdict in verdicts if verdict.claim not in done]
    return tuple(look_ups or left)[: TOOLS.max_calls] or (Send(),)


def mistakes(state: State) -> list[Calls]:
    # Sends unread; guesses all; confirms a wrong claim or corrects a right one; cites another page; strikes what can be settled.
    calls, right = best(state), _verdicts(state)
    if isinstance(calls[0], Search | Open):
        return [(Send(),), (*map(_call, right), Send()), calls, calls, calls]
    if isinstance(calls[0], Send):
        return [calls] * 5
    first = next(verdict for verdict in right if verdict.kind != "strike")
    others = [_call(verdict) for verdict in right if verdict != first]
    other = next(page.code for page in state.library.pages if page.code != first.page)
    opposite = Correct(claim=first.claim, value=state.claims[first.claim - 1].value, page=first.page)
    turned = opposite if first.kind == "confirm" else Confirm(claim=first.claim, page=first.page)
    silent = Strike(claim=first.claim, silent_about=state.library.things[state.claims[first.claim - 1].about.start].name)
    return [(Send(),), *((wrong, *others, Send()) for wrong in (turned, _call(first._replace(page=other)), silent)), (*others, Send())]


def cost(state: State) -> float:
    return len(full_plan(state.library, tuple(claim.about for claim in state.claims))) + len(state.library.pages) / 50


def turns(state: State) -> int:
    return len(full_plan(state.library, tuple(claim.about for claim in state.claims))) + len(state.claims) + 6


def explain(state: State) -> list[str]:
    calls = [f"Claim {number}: {reasons(state.library, state.log, claim.about)[-1]}" for number, claim in enumerate(state.claims, 1)]
    return [*calls, TOOLS.render(best(state))]


def _run(state: State, call: Tool, known: frozenset[tuple[str, int]]) -> tuple[State, str]:
    match call:
        case Search() | Open():
            log, output = look(state.library, state.log, call)
            return state.model_copy(update={"log": log}), output
        case Send():
            return state.model_copy(update={"sent": True}), ""
        case Confirm(claim=claim, page=page):
            verdict = Verdict(claim, "confirm", page=page.strip().lower())
        case Correct(claim=claim, value=value, page=page):
            verdict = Verdict(claim, "correct", value, page.strip().lower())
        case Strike(claim=claim, silent_about=value):
            verdict = Verdict(claim, "strike", value)
        case _:
            raise AssertionError(f"unreachable: {call!r} is no declared tool")
    if claim > len(state.claims):
        return state, f"there is no claim {claim}"
    if any(verdict.claim == claim for verdict in state.verdicts):
        return state, f"claim {claim} was decided on before, and that stands"
    guessed = state.guessed or not read(state.library, known, trail(state.library, state.claims[claim - 1].about))
    return state.model_copy(update={"verdicts": (*state.verdicts, verdict), "guessed": guessed}), f"claim {claim}: noted"


def _verdicts(state: State) -> list[Verdict]:
    out = []
    for number, claim in enumerate(state.claims, 1):
        last = trail(state.library, claim.about)[-1]
        if not last.page:
            out.append(Verdict(number, "strike", state.library.things[last.thing].name))
        elif last.found == claim.value:
            out.append(Verdict(number, "confirm", page=last.page))
        else:
            out.append(Verdict(number, "correct", last.found, last.page))
    return out


def _call(verdict: Verdict) -> Call:
    if verdict.kind == "strike":
        return Strike(claim=verdict.claim, silent_about=verdict.value)
    if verdict.kind == "confirm":
        return Confirm(claim=verdict.claim, page=verdict.page)
    return Correct(claim=verdict.claim, value=verdict.value, page=verdict.page)


def _sentence(library: Corpus, claim: Claim) -> str:
    question = write_question(library, claim.about)
    kind = RELATIONS[claim.about.hops[-1].relation].value
    return f"{question[:1].upper()}{question[1:]} is {NAMED.get(kind, '{}').format(claim.value)}."


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    rules=rules,
    concept="Trust no claim: follow it to the page that counts, compare, and tell what is wrong from what cannot be known.",
    milestones=milestones,
    version=6,
)  # fmt: skip
