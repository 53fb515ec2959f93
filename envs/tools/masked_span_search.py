"""Fill the masked names of a text from a library, where nothing but a number is left to begin with.

The number has to be searched for, the thing it belongs to found among others that share it or once did, and from there the
names follow one another, forwards and backwards. Every sentence must be proved by the page that counts.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.corpus.library import Log, Open, Search, look, normalize
from rlgym.generators.corpus.masks import Text, next_lookups, render_sentences, sample_masked_text, solve, words_for
from rlgym.generators.corpus.questions import make, read, read_whole
from rlgym.generators.corpus.world import Corpus, about, corpus, introduce, misread, thing_name, truth
from rlgym.generators.simulations.calls import run_turn


class Submit(Tool):
    """Hands in the masked names, in the alphabetical order of their letters, and the codes of the pages that prove the sentences, and ends the task."""

    words: list[str] = Field(max_length=12)
    evidence: list[str] = Field(max_length=24)


TOOLS = ToolCalls((Search, Open, Submit))


class Knobs(Config):
    masks: int = knob(3, easy=1, hard=5, doc="masked names")
    pages: int = knob(50, easy=30, hard=120, scale="log", doc="pages in the library")
    disputes: str = knob(
        "latest", easy="none", hard="rank", order=("none", "latest", "rank"), doc="how the prompt states which page counts"
    )


class State(TaskData):
    library: Corpus
    text: Text
    log: Log = Log()
    words: tuple[str, ...] | None = None
    proof: tuple[str, ...] = ()
    guessed: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs, scattered: bool = False) -> State:
    library = corpus(rng, knobs.pages, knobs.disputes, scattered, void=False)
    return State(library=library, text=sample_masked_text(rng, library, knobs.masks, scattered))


def shift(rng: Rng, knobs: Knobs) -> State:
    """Each name hangs on the one before, and no page tells most of what there is to say of a thing."""
    return start(rng, knobs, scattered=True)


def show(state: State) -> str:
    if state.told:
        return state.told
    letters = sorted(state.text.letters)
    names = f"name for {_format_list(letters)}" if len(letters) == 1 else f"names for {_format_list(letters)} in this order"
    return (
        f"Names are masked in this text, the same name with the same letter:\n{render_sentences(state.text)}\n\nFind {_format_list(letters)}.\n\n"
        f"{introduce(state.library)} The sentences of the text are true according to the pages that count.\n{TOOLS.manual()}\n\n"
        f"Submit the {names}. The evidence is, for every sentence of the text, the page that counts for what it "
        "says, and no other page. Submit in a later turn than the last look-up: what was cited without having been read is a guess, and is wrong."
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.log.opened)
    return run_turn(state, calls, lambda now, call: _run(now, call, known), lambda now: now.words is not None)


def outcome(state: State) -> Score | None:
    if state.words is None:
        return None
    if state.guessed:
        return Score.wrong("the words were submitted before the sentences that prove them had been read")
    right = _submission(state)
    if [normalize(word) for word in state.words] != [normalize(word) for word in right.words]:
        return Score.wrong("a masked word is another one")
    cited = {code.strip().lower() for code in state.proof}
    return Score.exact(cited == set(right.evidence), "the pages cited are not those that prove the sentences")


def best(state: State) -> Calls:
    look_ups = next_lookups(state.library, state.log, state.text)
    if not look_ups:
        return (_submission(state),)
    whole = read_whole(state.library, state.log, look_ups)
    return tuple(whole if len(whole) <= TOOLS.max_calls else look_ups)[: TOOLS.max_calls]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    false = {rule: partial(_skip_rule, rule) for rule in misread(first.library)}
    return {"read_first": lambda state: (_submission(state),), "no_other_page": _cites_all, **false}


def _skip_rule(rule: str, state: State) -> Calls:
    """Submits for every sentence what a library says in which this rule does not hold, and its page."""
    calls, wrong = best(state), misread(state.library)[rule]
    if not isinstance(calls[0], Submit):
        return calls
    words, proof = dict[str, str](), set[str]()
    for letter, fact, step in zip(state.text.letters, state.text.facts, solve(state.library, state.text.facts), strict=True):
        value, page = truth(wrong, step.thing, step.relation) or ("", None)
        words[letter] = step.found if fact.back and value == step.value else "" if fact.back else value
        proof |= {page.code} if page else set()
    return (Submit(words=[words[letter] for letter in sorted(words)], evidence=sorted(proof)),)


def _cites_all(state: State) -> Calls:
    calls = best(state)
    if not isinstance(calls[0], Submit):
        return calls
    pages = {page.code for step in solve(state.library, state.text.facts) for page in about(state.library, step.thing)}
    return (Submit(words=calls[0].words, evidence=sorted(pages)),)


def mistakes(state: State) -> list[Calls]:
    # The right words as a guess; another thing of the kind; a page too many or too few; the words in another order.
    calls, right = best(state), _submission(state)
    if not isinstance(calls[0], Submit):
        return [(right,), calls, calls, calls, (Search(query="the"),)]
    words, proof = right.words, right.evidence
    other = next(thing.name for thing in state.library.things if thing.name not in words)
    extra = next(page.code for page in state.library.pages if page.code not in proof)
    return [
        (Submit(words=[], evidence=[]),),
        (Submit(words=[other, *words[1:]], evidence=proof),),
        (Submit(words=words, evidence=[*proof, extra]),),
        (Submit(words=words, evidence=proof[1:]),),
        (Search(query="the"),),
    ]


def cost(state: State) -> float:
    return len(_plan(state)) + len(state.library.pages) / 50


def turns(state: State) -> int:
    return len(_plan(state)) + 6


def explain(state: State) -> list[str]:
    steps = []
    for number, (letter, step) in enumerate(zip(state.text.letters, solve(state.library, state.text.facts)), 1):
        if not read(state.library, frozenset(state.log.opened), (step,)):
            steps.append(f"Masks found: {number - 1} of {len(state.text.letters)}; [{letter}] is to be looked for next.")
            break
        steps.append(f"[{letter}]: by {step.page}, {step.relation} of {thing_name(state.library.things[step.thing])}.")
    return [*steps, TOOLS.render(best(state))]


def _run(state: State, call: Tool, known: frozenset[tuple[str, int]]) -> tuple[State, str]:
    match call:
        case Search() | Open():
            log, output = look(state.library, state.log, call)
            return state.model_copy(update={"log": log}), output
        case Submit(words=words, evidence=proof):
            guessed = not read(state.library, known, solve(state.library, state.text.facts))
            return state.model_copy(update={"words": tuple(words), "proof": tuple(proof), "guessed": guessed}), ""
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _submission(state: State) -> Submit:
    steps = solve(state.library, state.text.facts)
    return Submit(words=words_for(state.library, state.text), evidence=sorted({step.page for step in steps}))


def _plan(state: State) -> list[Search | Open]:
    """All look-ups that are needed, one after the other."""
    log, done = Log(), list[Search | Open]()
    while calls := next_lookups(state.library, log, state.text):
        done += calls
        log = make(log, calls)
    return done


def _format_list(letters: list[str]) -> str:
    marked = [f"[{letter}]" for letter in letters]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    concept="Search for the number, find whose it is by what counts, and let every sentence lead from a name that is known to one that is not.",
    version=6,
    rules=rules,
)  # fmt: skip
