"""Answer a question about an invented world from a library that can only be searched and read, and prove the answer by its pages.

With the knob `access` set to `given`, the whole library stands in the prompt instead, and there is nothing to search: the same questions without
retrieval. The answer lies several pages away; pages contradict one another, and a stated rule says which of them counts. Where the
library is silent the right answer is `unanswerable`, proved by the very pages that ought to have said it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.corpus.library import Log, Open, Search, all_read, look, normalize
from rlgym.generators.corpus.questions import (
    Question,
    evidence,
    look_ups,
    make_unanswerable,
    plan,
    read,
    reasons,
    sample,
    trail,
    write_question,
)
from rlgym.generators.corpus.world import Corpus, about, corpus, introduce, misread, truth
from rlgym.generators.simulations.calls import run_turn

SILENT = "unanswerable"
LATER = (
    " Submit in a later turn than the last look-up: what was cited without having been read, and a silence of pages not read to their end, counts as a "
    "guess, and is wrong."
)
ERRORS = ("retrieval", "grounding")
"""The kinds of errors of KALMV (Knowledge-Augmented Language Model Verification)."""
ACCESS = ("search", "given")
RETRIES = ("none", "one", "two", "three")


class Submit(Tool):
    """Hands in the answer with the codes of the pages that prove it, and ends the task."""

    answer: str = Field(max_length=80)
    evidence: list[str] = Field(max_length=24)


TOOLS = ToolCalls((Search, Open, Submit))


class Knobs(Config):
    hops: int = knob(3, easy=1, hard=5, doc="facts between the question and its answer")
    pages: int = knob(60, easy=30, hard=150, scale="log", doc="pages in the library")
    disputes: str = knob(
        "latest", easy="none", hard="rank", order=("none", "latest", "rank"), doc="how the prompt states which page counts"
    )
    back: int = knob(0, easy=0, hard=1, doc="facts to be followed backwards, from the value to the thing")
    silent: float = knob(0.55, easy=0.5, hard=0.6, doc="share of questions that the library cannot answer")

    access: str = knob(
        "search", easy="search", hard="search", order=ACCESS, fixed=True, doc="whether the library is searched, or given in the prompt"
    )
    retries: str = knob(
        "none",
        easy="none",
        hard="none",
        order=RETRIES,
        fixed=True,
        doc="further submissions after a wrong one, whose kind of error is told",
    )


class State(TaskData):
    library: Corpus
    question: Question
    log: Log = Log()
    answer: str | None = None
    proof: tuple[str, ...] = ()
    guessed: bool = False
    retries: int = 0
    told: str = ""
    given: bool = False


def start(rng: Rng, knobs: Knobs, scattered: bool = False) -> State:
    library = corpus(rng, knobs.pages, knobs.disputes, scattered)
    question = sample(rng, library, knobs.hops, knobs.back)
    if rng.chance(knobs.silent):
        library = make_unanswerable(rng, library, question)
    given = knobs.access == "given"
    return State(
        library=library, question=question, log=all_read(library) if given else Log(), retries=RETRIES.index(knobs.retries), given=given
    )


def shift(rng: Rng, knobs: Knobs) -> State:
    return start(rng, knobs, scattered=True)


def show(state: State) -> str:
    if state.told:
        return state.told
    return (
        f"Find {write_question(state.library, state.question)}.\n\n"
        f"{_introduce_given(state.library) if state.given else f'{introduce(state.library)}{chr(10)}{TOOLS.manual()}'}\n\n"
        "Submit the name or the number that is asked for. The evidence is one page for each fact on the way from the question to the answer: the page "
        f"that counts for that fact; no other page may be cited. If the library is silent about a fact on the way, submit {SILENT!r}, and "
        "as evidence the pages for the facts before it together with every page about the thing whose fact is missing."
        + ("" if state.given else LATER)
        + _retries_left(state.retries)
    )


def _retries_left(retries: int) -> str:
    if not retries:
        return ""
    times = "once" if retries == 1 else f"{retries} times"
    return f" After a wrong submission you are told the kind of its error and may submit again, {times} at most."


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.log.opened)
    return run_turn(state, calls, lambda now, call: _run(now, call, known), lambda now: now.answer is not None)


def outcome(state: State) -> Score | None:
    if state.answer is None:
        return None
    error, reason = _error(state)
    parts = {f"{kind}_error": float(error == kind) for kind in ERRORS}
    return replace(Score.exact(not error, reason), parts={**parts, "retrieved": _retrieved(state.log)})


def _retrieved(log: Log) -> float:
    """How well the tools were used, whatever the answer: 0.75 for one search that found pages, 1 for several; nothing without a page opened.

    "UR²: Unify RAG and Reasoning through Reinforcement Learning" pays 3 and 4 for it in its first stage.
    """
    queries = {" ".join(query.lower().split()) for query, _ in log.searched}
    return min(1.0, 0.5 + len(queries) / 4) if queries and log.opened else 0.0


def _error(state: State) -> tuple[str, str]:
    """The kind of error of what was submitted, and the reason in words; both are empty where it is right.

    Retrieval: not everything that the answer rests on had been read, or other pages are cited. Grounding: the pages are right, and the answer is not
    what they say.
    """
    steps = trail(state.library, state.question)
    cited = frozenset(code.strip().lower() for code in state.proof)
    if state.guessed:
        return ERRORS[0], "the answer was submitted before everything that it rests on had been read"
    if normalize(state.answer or "") != normalize(steps[-1].found or SILENT):
        return ERRORS[cited == evidence(state.library, steps)], "the answer is another one"
    return ("", "") if cited == evidence(state.library, steps) else (ERRORS[0], "the pages cited are not those that prove the answer")


def best(state: State) -> Calls:
    pending = [] if state.given else look_ups(state.library, state.log, state.question)
    return tuple(pending)[: TOOLS.max_calls] or (_submission(state),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    false = {rule: partial(_skip_rule, rule) for rule in misread(first.library)}
    return {"read_first": lambda state: (_submission(state),), "no_other_page": _cites_all, "silence": _never_silent, **false}


def _skip_rule(rule: str, state: State) -> Calls:
    """Submits what the last fact is in a library in which this rule does not hold, and the pages that count in it."""
    calls, wrong = best(state), misread(state.library)[rule]
    steps = trail(state.library, state.question)
    found = [truth(wrong, step.thing, step.relation) for step in steps]
    if not isinstance(calls[0], Submit) or all(one and one[1].code == step.page for one, step in zip(found, steps, strict=True)):
        return calls
    return (Submit(answer=found[-1][0] if found[-1] else SILENT, evidence=sorted({one[1].code for one in found if one})),)


def _cites_all(state: State) -> Calls:
    calls = best(state)
    if not isinstance(calls[0], Submit):
        return calls
    pages = {page.code for step in trail(state.library, state.question) for page in about(state.library, step.thing)}
    return (Submit(answer=calls[0].answer, evidence=sorted(pages)),)


def _never_silent(state: State) -> Calls:
    calls = best(state)
    if not isinstance(calls[0], Submit) or calls[0].answer != SILENT:
        return calls
    return (Submit(answer=state.library.things[state.question.start].name, evidence=calls[0].evidence),)


def mistakes(state: State) -> list[Calls]:
    # The right answer as a guess; an older page believed; too much or too little cited; silence claimed or overlooked; stops half-way.
    calls, right = best(state), _submission(state)
    guess = (right,) if not isinstance(calls[0], Submit) else (Submit(answer="none", evidence=[]),)
    if not isinstance(calls[0], Submit):
        return [guess, calls, calls, calls, calls]
    steps, library = trail(state.library, state.question), state.library
    extra = next(page.code for page in library.pages if page.code not in right.evidence)
    half = library.things[steps[-1].thing].name if steps[-1].value else library.things[state.question.start].name
    other = half if right.answer == SILENT else SILENT
    return [
        guess,
        (Submit(answer=right.answer, evidence=[*right.evidence, extra]),),
        (Submit(answer=right.answer, evidence=right.evidence[1:]),),
        (Submit(answer=other, evidence=right.evidence),),
        (Submit(answer=f"{right.answer} or {half}", evidence=right.evidence),),
    ]


def cost(state: State) -> float:
    return len(plan(state.library, state.question)) + len(state.library.pages) / 50


def turns(state: State) -> int:
    return (0 if state.given else len(plan(state.library, state.question)) + 4) + 2 + 2 * state.retries


def explain(state: State) -> list[str]:
    steps = reasons(state.library, state.log, state.question)
    return [*steps, TOOLS.render(best(state))]


def _introduce_given(library: Corpus) -> str:
    pages = "\n".join(
        look(library, Log(), Open(page=page.code, section=k))[1] for page in library.pages for k in range(1, len(page.sections) + 1)
    )
    told = introduce(library).replace("which can only be read with tools", "which is given in full below")
    return f"{told}\n\n{pages}\n\nThere is one tool, and nothing to search:\n{ToolCalls((Submit,)).manual()}"


def _run(state: State, call: Tool, known: frozenset[tuple[str, int]]) -> tuple[State, str]:
    match call:
        case Search() | Open() if state.given:
            return state, "there is nothing to search or to open: the whole library is in the prompt"
        case Search() | Open():
            log, output = look(state.library, state.log, call)
            return state.model_copy(update={"log": log}), output
        case Submit(answer=answer, evidence=proof):
            guessed = not read(state.library, known, trail(state.library, state.question))
            submitted = state.model_copy(update={"answer": answer, "proof": tuple(proof), "guessed": guessed})
            error, _ = _error(submitted)
            if not error or not state.retries:
                return submitted, ""
            advice = "look further before you submit again" if error == ERRORS[0] else "the pages are right: read them again"
            left = state.retries - 1
            return state.model_copy(
                update={"retries": left}
            ), f"That is wrong, an error of {error}: {advice}. You may submit {left + 1} more time{'s' * bool(left)}."
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _submission(state: State) -> Submit:
    steps = trail(state.library, state.question)
    return Submit(answer=steps[-1].found or SILENT, evidence=sorted(evidence(state.library, steps)))


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    concept="Go from fact to fact, compare all pages about a thing before one of them is believed, and cite what counts.",
    version=6,
    rules=rules,
)  # fmt: skip
