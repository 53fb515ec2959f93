"""Find out a hidden finite automaton by asking which words it accepts and by proposing automata, which are refuted by a word."""

from collections.abc import Callable, Mapping
from itertools import count, product

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run
from rlgym.generators.simulations.learning import Machine, accepts, distinguishing_word, effort, examples, machine, next_step, reversible

MOST_STATES, MOST_WORDS, LONGEST = 20, 16, 30


class Ask(Tool):
    """Says for each of up to 16 words whether the automaton accepts it; the empty word is "", and letters are written together."""

    words: list[str] = Field(min_length=1, max_length=MOST_WORDS)


class Propose(Tool):
    """Proposes an automaton: its accepting states, and a move for each state and letter, such as "0 a 1". States are numbers; 0 is the start."""

    accepting: list[int] = Field(max_length=MOST_STATES)
    moves: list[str] = Field(min_length=1, max_length=3 * MOST_STATES)


TOOLS = ToolCalls((Ask, Propose), max_calls=3)


class Knobs(Config):
    states: int = knob(4, easy=2, hard=6, beyond=9, doc="states of the automaton")
    letters: int = knob(2, easy=2, hard=3, doc="letters of its alphabet")
    examples: int = knob(8, easy=6, hard=12, doc="given words that are marked as accepted or rejected")
    spare: int = knob(5, easy=10, hard=0, doc="words beyond those that a good learner asks for")


class State(TaskData):
    hidden: Machine
    given: tuple[tuple[str, bool], ...]
    words: int  # that may be asked for
    proposals: int  # that may be made
    asked: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()
    wasted: int = 0  # proposals that were no automata
    right: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _start_with_hidden(rng, knobs, machine(rng, "abc"[: knobs.letters], knobs.states))


def shift(rng: Rng, knobs: Knobs) -> State:
    """Automata that forget nothing: each letter can be undone, and no state is a trap."""
    return _start_with_hidden(rng, knobs, reversible(rng, "abc"[: knobs.letters], knobs.states))


def _start_with_hidden(rng: Rng, knobs: Knobs, hidden: Machine) -> State:
    given = examples(rng, hidden, knobs.examples, 5)
    words, proposals = effort(hidden, given)
    return State(hidden=hidden, given=tuple(given.items()), words=words + knobs.spare, proposals=proposals + 1)


def show(state: State) -> str:
    if state.told:
        budget_text = (
            f"{state.words - len(state.asked)} words and {state.proposals - len(state.refuted) - state.wasted} proposals are left."
        )
        return f"{state.told}\n{budget_text}"
    yes = ", ".join(word for word, accepted in state.given if accepted) or "none"
    no = ", ".join(word for word, accepted in state.given if not accepted) or "none"
    return (
        f"I have a deterministic finite automaton over the letters {', '.join(state.hidden.letters)}. The smallest automaton for its language "
        f"has {len(state.hidden.moves)} states. Some words that it accepts: {yes}. Some that it does not accept: {no}.\n\n{TOOLS.manual()}\n\n"
        f"Find an automaton that accepts the same words; it may have up to {MOST_STATES} states. A proposal must have exactly one move for each of its "
        "states and each letter. After a wrong proposal I give a shortest word that shows the error. You may ask for "
        f"{state.words} words in all, repeated words included, and propose {state.proposals} automata; an invalid proposal counts too. You lose if your "
        "last proposal is wrong."
    )


def act(state: State, requested: Calls) -> State:
    after, reply = run(state, requested, _step, lambda state: state.right)
    return after.model_copy(update={"told": reply or " "})


def outcome(state: State) -> Score | None:
    if state.right:
        return Score.exact(True)
    return Score.wrong("no proposal was right") if len(state.refuted) + state.wasted >= state.proposals else None


def best(state: State) -> Calls:
    step = next_step(state.hidden.letters, _known_words(state), state.refuted)
    if isinstance(step, list):
        return (Ask(words=step[:MOST_WORDS]),)
    return (_proposal(step),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {"every_move": _leaves_a_move_out, "words": _asks_in_order, "proposals": _propose_immediately}


def _leaves_a_move_out(state: State) -> Calls:
    calls = best(state)[0]
    return (calls.model_copy(update={"moves": calls.moves[1:]}),) if isinstance(calls, Propose) and len(calls.moves) > 1 else (calls,)


def _asks_in_order(state: State) -> Calls:
    """Asks for all words, the shortest first, before it proposes anything."""
    if left := min(MOST_WORDS, state.words - len(state.asked)):
        known = _known_words(state)
        words = ("".join(word) for length in count() for word in product(state.hidden.letters, repeat=length))
        return (Ask(words=[word for word, _ in zip((word for word in words if word not in known), range(left))]),)
    return _propose_immediately(state)


def _propose_immediately(state: State) -> Calls:
    """Proposes an automaton that fits what is known, and takes all other words for not accepted."""
    known = _known_words(state)
    step = next_step(state.hidden.letters, known, state.refuted)
    while isinstance(step, list):
        known |= dict.fromkeys(step, False)
        step = next_step(state.hidden.letters, known, state.refuted)
    return (_proposal(step._replace(moves=step.moves[:MOST_STATES])),)


def mistakes(state: State) -> list[Calls]:
    # Accepts everything, or nothing, or one state too many; asks for ever.
    hidden = state.hidden
    all_of = Machine(hidden.letters, ((0,) * len(hidden.letters),), (True,))
    other = hidden._replace(accepting=(*hidden.accepting[:-1], not hidden.accepting[-1]))
    return [(_proposal(all_of),), (_proposal(all_of._replace(accepting=(False,))),), (_proposal(other),), (Ask(words=["a"]),)]


def cost(state: State) -> float:
    return len(state.hidden.moves) ** 2 * len(state.hidden.letters) + state.words


def turns(state: State) -> int:
    # One turn for a handful of words, and for each proposal; a learner of one table row at a time has enough too.
    return state.words // 3 + state.proposals + 8


def explain(state: State) -> list[str]:
    step = next_step(state.hidden.letters, _known_words(state), state.refuted)
    if isinstance(step, list):
        return [f"{len(step)} entries of the table of beginnings and endings are not known yet.", TOOLS.render(best(state))]
    return [f"The table is closed with {len(step.moves)} different rows, which are the states of an automaton.", TOOLS.render(best(state))]


def _known_words(state: State) -> dict[str, bool]:
    words = [*(word for word, _ in state.given), *state.asked, *state.refuted]
    return {word: accepts(state.hidden, word) for word in words}


def _proposal(machine: Machine) -> Propose:
    moves = [
        f"{state} {letter} {after}" for state, row in enumerate(machine.moves) for letter, after in zip(machine.letters, row, strict=True)
    ]
    return Propose(accepting=[state for state, accepts_state in enumerate(machine.accepting) if accepts_state], moves=moves)


def _step(state: State, call: Tool) -> tuple[State, str]:
    if isinstance(call, Ask):
        if len(call.words) + len(state.asked) > state.words:
            return state, "nothing was asked: so many words are not left"
        wrong = next((word for word in call.words if len(word) > LONGEST or not set(word) <= set(state.hidden.letters)), None)
        if wrong is not None:
            return state, f"nothing was asked: {wrong[:40]!r} is no word of at most {LONGEST} of the letters"
        reply = ", ".join(
            f"{word or 'the empty word'}: {'accepted' if accepts(state.hidden, word) else 'not accepted'}" for word in call.words
        )
        return state.model_copy(update={"asked": (*state.asked, *call.words)}), reply
    assert isinstance(call, Propose)
    if len(state.refuted) + state.wasted >= state.proposals:
        return state, "no proposal is left"
    proposed = _read(state.hidden.letters, call)
    if proposed is None:
        return state.model_copy(update={"wasted": state.wasted + 1}), "that is no automaton: one move for each state and letter is needed"
    counterexample = distinguishing_word(state.hidden, proposed)
    if counterexample is None:
        return state.model_copy(update={"right": True}), ""
    reply = "the hidden automaton accepts it" if accepts(state.hidden, counterexample) else "the hidden automaton does not accept it"
    return state.model_copy(
        update={"refuted": (*state.refuted, counterexample)}
    ), f"wrong: of the word {counterexample or '(the empty word)'} your automaton errs; {reply}"


def _read(letters: str, call: Propose) -> Machine | None:
    """The proposed automaton; None where a move is missing, given twice, or not such as `0 a 1`."""
    table: dict[tuple[str, str], str] = {}
    for move in call.moves:
        parts = move.split() if len(move) < 40 else []
        if len(parts) != 3 or parts[1] not in tuple(letters) or (parts[0], parts[1]) in table:
            return None
        table[parts[0], parts[1]] = parts[2]
    states = list(dict.fromkeys(["0", *(state for state, _ in table)]))
    if len(table) != len(states) * len(letters) or not set(table.values()) <= set(states) or len(states) > MOST_STATES:
        return None
    if not {str(state) for state in call.accepting} <= set(states):
        return None
    moves = tuple(tuple(states.index(table[state, letter]) for letter in letters) for state in states)
    return Machine(letters, moves, tuple(state in {str(accepted) for accepted in call.accepting} for state in states))


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    shift=shift,
    concept="Beginnings that some ending tells apart lead to different states; a table of beginnings and endings that is closed is an automaton.",
    version=4,
    rules=rules,
)  # fmt: skip
