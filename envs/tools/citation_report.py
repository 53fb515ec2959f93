"""Write a report of many facts from a library, each with the very page that proves it, and leave out what no page proves.

A fact too many, a fact too few, and a page that speaks of the fact but does not count for it all make the report worthless.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Tool, ToolCalls
from rlgym.generators.corpus.library import Log, Open, Search, look, normalize
from rlgym.generators.corpus.questions import Question, agenda, full_plan, next_look_ups, read, read_on, reasons, trail, write_question
from rlgym.generators.corpus.world import Corpus, corpus, introduce, misread
from rlgym.generators.simulations.calls import run_turn


class State(Tool):
    """Puts a fact into the report: the number of the item, its value, and the code of the one page cited for it. It cannot be taken out."""

    item: int = Field(ge=1, le=99)
    value: str = Field(max_length=80)
    page: str = Field(max_length=12)


class Finish(Tool):
    """Hands in the report and ends the task."""


TOOLS = ToolCalls((Search, Open, State, Finish))


class Knobs(Config):
    items: int = knob(4, easy=2, hard=6, doc="facts that the report should hold")
    hops: int = knob(2, easy=1, hard=3, doc="most facts between an item and its value")
    pages: int = knob(60, easy=30, hard=140, scale="log", doc="pages in the library")
    disputes: str = knob(
        "latest", easy="none", hard="rank", order=("none", "latest", "rank"), doc="how the prompt states which page counts"
    )
    silent: float = knob(0.25, easy=0.15, hard=0.3, doc="share of items of which the library knows nothing")


class Entry(NamedTuple):
    item: int
    value: str
    page: str


class Report(TaskData):
    library: Corpus
    items: tuple[Question, ...]
    log: Log = Log()
    entries: tuple[Entry, ...] = ()
    guessed: bool = False
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs, scattered: bool = False) -> Report:
    library, items = agenda(rng, corpus(rng, knobs.pages, knobs.disputes, scattered), knobs.items, knobs.hops, knobs.silent)
    return Report(library=library, items=items)


def shift(rng: Rng, knobs: Knobs) -> Report:
    return start(rng, knobs, scattered=True)


def show(state: Report) -> str:
    if state.told:
        return state.told
    items = "\n".join(f"{number}. {write_question(state.library, item)}" for number, item in enumerate(state.items, 1))
    several = len(state.library.things) < len(state.library.pages)
    cited = "counts for" if several else "states"
    none = "no page that counts" if state.library.rule.void else "no page"
    return (
        f"Write a report with these facts:\n{items}\n\n"
        f"{introduce(state.library)}\n{TOOLS.manual()}\n\n"
        f"State once every item that the library can answer, with the name or number asked for as its value, and cite the page that {cited} the last "
        f"fact on the way to it. Leave out the items for which a fact on the way is on {none}, but only after reading to the end every page about the "
        "thing whose fact is missing. State an item in a later turn than its last look-up: what was stated or left out without having been read counts as a "
        "guess, and one guess makes the report worthless, as does one wrong entry. Finish when the report is complete."
    )


def act(state: Report, calls: Calls) -> Report:
    known = frozenset(state.log.opened)
    return run_turn(state, calls, lambda now, call: _run(now, call, known), lambda now: now.finished)


def outcome(state: Report) -> Score | None:
    if not state.finished:
        return None
    if state.guessed:
        return Score.wrong("an item was stated or left out before what it rests on had been read")
    right = {(entry.item, normalize(entry.value), entry.page) for entry in _proven_entries(state)}
    given = {(entry.item, normalize(entry.value), entry.page) for entry in state.entries}
    return Score.exact(
        given == right, f"{len(given - right)} entries do not belong in the report and {len(right - given)} that belong in it are not there"
    )


def milestones(state: Report) -> dict[str, float]:
    right = {(entry.item, normalize(entry.value), entry.page) for entry in _proven_entries(state)}
    given = {(entry.item, normalize(entry.value), entry.page) for entry in state.entries}
    return {"items_reported": 0.0 if state.guessed or given - right or not right else len(given) / len(right)}


def best(state: Report) -> Calls:
    missing = next_look_ups(state.library, state.log, state.items)
    if missing:
        return tuple(read_on(state.library, state.log, missing))[: TOOLS.max_calls]
    left = [_phrase(entry) for entry in _proven_entries(state) if all(entry.item != made.item for made in state.entries)]
    return (*left, Finish())[: TOOLS.max_calls]


def rules(first: Report) -> Mapping[str, Callable[[Report], Calls]]:
    false = {rule: partial(_misled_by_rule, rule) for rule in misread(first.library)}
    return {"read_first": _unread, "silence": _never_silent, **false}


def _unread(state: Report) -> Calls:
    return _next_calls(state, _proven_entries(state), ())


def _misled_by_rule(rule: str, state: Report) -> Calls:
    wrong = state.model_copy(update={"library": misread(state.library)[rule]})
    return _next_calls(state, _proven_entries(wrong), next_look_ups(state.library, state.log, state.items))


def _never_silent(state: Report) -> Calls:
    right = _proven_entries(state)
    known = {entry.item for entry in right}
    unknowns = [Entry(number, "unknown", state.library.pages[0].code) for number in range(1, len(state.items) + 1) if number not in known]
    return _next_calls(state, [*right, *unknowns], next_look_ups(state.library, state.log, state.items))


def _next_calls(state: Report, entries: Sequence[Entry], look_ups: Sequence[Call]) -> Calls:
    done = {entry.item for entry in state.entries}
    left = [_phrase(entry) for entry in entries if entry.item not in done]
    return tuple(look_ups or left)[: TOOLS.max_calls] or (Finish(),)


def mistakes(state: Report) -> list[Calls]:
    # Stops at once; guesses all; cites another page, states another value, states what is not known, or leaves one out.
    calls = best(state)
    blind = (*(_phrase(entry) for entry in _proven_entries(state)[: TOOLS.max_calls - 1]), Finish())
    if not isinstance(calls[0], State):
        return [(Finish(),), blind if not isinstance(calls[0], Finish) else calls, calls, calls, calls]
    entry = _proven_entries(state)[0]
    other = next(page.code for page in state.library.pages if page.code != entry.page)
    return [
        (Finish(),),
        (_phrase(entry._replace(page=other)), *calls[1:]),
        (_phrase(entry._replace(value=state.library.things[state.items[entry.item - 1].start].name)), *calls[1:]),
        (*(_phrase(Entry(number, entry.value, entry.page)) for number in range(1, len(state.items) + 1)), Finish()),
        calls[1:],
    ]


def cost(state: Report) -> float:
    return len(full_plan(state.library, state.items)) + len(state.library.pages) / 50


def turns(state: Report) -> int:
    return len(full_plan(state.library, state.items)) + len(state.items) + 6


def explain(state: Report) -> list[str]:
    calls = [f"Item {number}: {reasons(state.library, state.log, item)[-1]}" for number, item in enumerate(state.items, 1)]
    return [*calls, TOOLS.render(best(state))]


def _run(state: Report, call: Tool, known: frozenset[tuple[str, int]]) -> tuple[Report, str]:
    match call:
        case Search() | Open():
            log, output = look(state.library, state.log, call)
            return state.model_copy(update={"log": log}), output
        case State(item=item, value=value, page=page):
            if item > len(state.items):
                return state, f"there is no item {item}"
            if any(entry.item == item for entry in state.entries):
                return state, f"item {item} was stated before and stays as it is"
            guessed = not read(state.library, known, trail(state.library, state.items[item - 1]))
            entries = (*state.entries, Entry(item, value, page.strip().lower()))
            return state.model_copy(update={"entries": entries, "guessed": state.guessed or guessed}), f"item {item} is in the report"
        case Finish():
            given = {entry.item for entry in state.entries}
            left = [item for number, item in enumerate(state.items, 1) if number not in given]
            guessed = not all(read(state.library, known, trail(state.library, item)) for item in left)
            return state.model_copy(update={"finished": True, "guessed": state.guessed or guessed}), ""
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _proven_entries(state: Report) -> list[Entry]:
    ends = [(number, trail(state.library, item)[-1]) for number, item in enumerate(state.items, 1)]
    return [Entry(number, step.found, step.page) for number, step in ends if step.page]


def _phrase(entry: Entry) -> State:
    return State(item=entry.item, value=entry.value, page=entry.page)


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    rules=rules,
    concept="Trace every item to the page that counts for it, state it with that page alone, and leave out what no page proves.",
    milestones=milestones,
    version=6,
)  # fmt: skip
