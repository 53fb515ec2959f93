"""Write a regular expression for a language that is described in words.

Any expression of the language is accepted; it is compared exactly with the automaton of the description.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Regex, Unreadable
from rlgym.answers.regex import Pattern
from rlgym.generators.languages import automata
from rlgym.generators.languages.automata import Automaton, Condition
from rlgym.solutions import Derivation, Solution, Step

CONCEPT = (
    "Think of an automaton for the language first, then take out its states one by one, writing on the arrows what was read on the way."
)
MOST_PAIRS = 20_000  # of a state and a set of positions, looked at in a comparison
MOST_CHARACTERS = 900  # of the oracle's expression
STATE = Step(
    "State {state:int} of an automaton for the language stands for strings such as {word}, which {whether} accepted; from it {arrows}"
)
ELIMINATED = Step("Without state {state:int}, with what was read on the way through it on the arrows: {arrows}")
END = "The arrow from the beginning to the end is {answer}"


class Knobs(Config):
    conditions: int = knob(2, easy=1, hard=3, doc="conditions on the strings")
    word: int = knob(2, easy=2, hard=3, doc="longest word that a condition speaks of")
    number: int = knob(2, easy=2, hard=3, doc="largest number that a condition speaks of")
    kinds: str = knob("counts", easy="ends", hard="all", order=tuple(automata.KINDS), doc="what kinds of conditions are joined")
    states: int = knob(6, easy=4, hard=9, doc="most states of the smallest automaton of the language")


class Data(TaskData):
    alphabet: str
    conditions: tuple[Condition, ...]
    some: bool  # one of the conditions is enough
    states: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    alphabet = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", 2)))
    while True:
        conditions, some, least = automata.sample_language(
            rng, alphabet, knobs.conditions, knobs.kinds, knobs.word, knobs.number, max(3, knobs.states)
        )
        if any(least.accepting) and len(_expression(least, alphabet)) <= MOST_CHARACTERS:
            break
    prompt = (
        f"Write a regular expression over the alphabet {', '.join(alphabet)} that matches, as a whole, exactly the strings "
        f"{automata.render_language(conditions, some)}. The empty string is a string of length 0. You may use letters, | for a choice, *, +, ?, {{m}} and "
        f"{{m,n}} for repetitions, round brackets, classes such as [{alphabet}], a dot for any letter of the alphabet, and () for the empty string; "
        "nothing else, no lookahead and no backreferences."
    )
    return Task(prompt, Data(alphabet=alphabet, conditions=conditions, some=some, states=len(least.steps)))


def solve(task: Task[Data]) -> Pattern:
    return ANSWER.parse(_expression(automata.minimise_by_reversal(_language(task.data)), task.data.alphabet))


def verify(task: Task[Data], answer: Pattern) -> Score:
    data = task.data
    if any(letters not in data.alphabet and len(letters) == 1 for letters in answer.letters):
        return Score.wrong(f"only the letters {', '.join(data.alphabet)} may occur")
    counterexample = _distinguishing_string(answer, _language(data), data.alphabet)
    if counterexample is None:
        return Score.exact(True)
    return Score.wrong(
        f"the expression is wrong about the string {counterexample or 'of length 0'}" if counterexample != TOO_LARGE else counterexample
    )


def mistakes(task: Task[Data], right: Pattern) -> list[Pattern]:
    data = task.data
    both = f"({data.alphabet[0]}|{data.alphabet[1]})*"
    first = data.conditions[0]
    texts = [
        both,
        f"({right.text})*",
        f"({right.text})?",
        f"{both}{first.word}{both}",
        f"{first.word or data.alphabet[0]}{both}",
        data.alphabet[0],
    ]
    patterns = []
    for text in texts:
        try:
            patterns.append(ANSWER.parse(text))
        except Unreadable:
            continue
    return [pattern for pattern in patterns if verify(task, pattern).value == 0]


def cost(task: Task[Data]) -> float:
    return float(task.data.states**2 * len(task.data.conditions))


def derive(task: Task[Data]) -> Derivation:
    """A minimal automaton for the language, then state elimination."""
    alphabet, least = task.data.alphabet, automata.minimise_by_reversal(_language(task.data))
    words = {0: ""}
    for state in iter(queue := [0]):
        for letter, following in zip(alphabet, least.steps[state], strict=True):
            if following not in words:
                words[following] = words[state] + letter
                queue.append(following)
    for state in queue:
        arrows = ", ".join(f"{letter} leads to {following}" for letter, following in zip(alphabet, least.steps[state], strict=True))
        yield STATE(state=state, word=words[state] or "()", whether="are" if least.accepting[state] else "are not", arrows=arrows)
    edges = _arrows(least, alphabet)
    for state in _elimination_order(least):
        edges = _eliminate_state(edges, state)
        shown = "; ".join(f"{_name(a)} to {_name(b)}: {text or '()'}" for (a, b), text in sorted(edges.items()))
        yield ELIMINATED(state=state, arrows=shown)


def _language(data: Data) -> Automaton:
    return _minimal_automaton(data.conditions, data.some, data.alphabet)


@lru_cache(maxsize=256)
def _minimal_automaton(conditions: tuple[Condition, ...], some: bool, alphabet: str) -> Automaton:
    return automata.minimise(
        automata.product_automaton([automata.condition_automaton(condition, alphabet) for condition in conditions], some)
    )


TOO_LARGE = "the expression is too large to be compared"


def _distinguishing_string(pattern: Pattern, automaton: Automaton, alphabet: str) -> str | None:
    """A shortest string about which the expression is wrong; None if there is none."""
    seen, queue = {(-1, 0)}, [(-1, 0, "")]
    for positions, state, text in queue:
        if pattern.accepts(positions) != automaton.accepting[state]:
            return text
        for letter, following in zip(alphabet, automaton.steps[state], strict=True):
            after = pattern.after(positions, letter)
            if (after, following) not in seen:
                seen.add((after, following))
                queue.append((after, following, text + letter))
        if len(seen) > MOST_PAIRS // (1 + len(pattern.letters) // 100):
            return TOO_LARGE
    return None


def _expression(least: Automaton, alphabet: str) -> str:
    """By taking out state after state; what is left is one arrow from the beginning to the end."""
    edges = _arrows(least, alphabet)
    for state in _elimination_order(least):
        edges = _eliminate_state(edges, state)
    return edges[-1, -2]


def _arrows(least: Automaton, alphabet: str) -> dict[tuple[int, int], str]:
    """Arrows between states, -1 the beginning and -2 the end; the empty text is the empty string."""
    edges: dict[tuple[int, int], str] = {(-1, 0): ""}
    for state, row in enumerate(least.steps):
        for letter, following in zip(alphabet, row, strict=True):
            edges[state, following] = _union(edges.get((state, following)), letter)
        if least.accepting[state]:
            edges[state, -2] = ""
    return edges


def _elimination_order(least: Automaton) -> list[int]:
    """States with few ways through them first."""
    path_counts = {state: sum(row.count(state) for row in least.steps) * len(set(row)) for state, row in enumerate(least.steps)}
    return sorted(path_counts, key=lambda state: (path_counts[state], -state))


def _eliminate_state(edges: dict[tuple[int, int], str], state: int) -> dict[tuple[int, int], str]:
    loop = _star(edges.get((state, state)))
    edges_left = {pair: text for pair, text in edges.items() if state not in pair}
    for (a, before), first in edges.items():
        if before == state != a:
            for (after, b), second in edges.items():
                if after == state != b:
                    edges_left[a, b] = _union(edges_left.get((a, b)), _group(first) + loop + _group(second))
    return edges_left


def _union(first: str | None, second: str) -> str:
    if first is None or first == second:
        return second
    if not first or not second:
        return _optional(first or second)
    return f"{first}|{second}"


def _optional(text: str) -> str:
    return text if text.endswith("*") and _is_atom(text[:-1]) else f"{text}?" if _is_atom(text) else f"({text})?"


def _star(text: str | None) -> str:
    if not text:
        return ""
    return f"{text}*" if _is_atom(text) else f"({text})*"


def _group(text: str) -> str:
    """Brackets where a choice lies open."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            return f"({text})"
    return text


def _is_atom(text: str) -> bool:
    """Whether a repetition sign after the text takes all of it."""
    if len(text) == 1:
        return True
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return i == len(text) - 1
    return False


def _name(state: int) -> str:
    return {-1: "the beginning", -2: "the end"}.get(state, str(state))


def _other_answers(task: Task[Data]) -> Iterator[Pattern]:
    """Expressions with the states taken out in other orders."""
    least, alphabet = _language(task.data), task.data.alphabet
    for order in (_elimination_order(least)[::-1], list(range(len(least.steps)))):
        edges = _arrows(least, alphabet)
        for state in order:
            edges = _eliminate_state(edges, state)
        if len(edges[-1, -2]) <= 2000:
            yield ANSWER.parse(edges[-1, -2])
    yield ANSWER.parse(f"({_expression(least, alphabet)})|({_expression(least, alphabet)})")


ANSWER = Regex()

environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    answers="many",
    solutions=_other_answers,
    shared_helpers="The helper builds the automaton that decides whether two languages are equal.",
    concept=CONCEPT,
    version=2,
)
