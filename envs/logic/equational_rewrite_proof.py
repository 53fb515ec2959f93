"""Prove an equation from the laws of a monoid or a group, one use of one law at a time.

The proof is a chain of terms, and any chain is accepted. With the hard set of laws there is a unit and an inverse from the left
only: that they work from the right as well has to be derived on the way.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from rlgym import Config, Environment, Proposals, Refused, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines, Text
from rlgym.generators.proofs import rewriting
from rlgym.generators.proofs.terms import Term, parse, read_term, size, variables, write
from rlgym.solutions import Checks, Derivation, Solution, Step

Word = tuple[tuple[str, bool], ...]
MOST_SIZE, LETTERS = 50, "abcdghk"


OPENS, BY_LAW = Step("The chain opens with {term}"), Step("By law {law:int} from {way}, where {put}: {term}")
NOTHING = "nothing is put in"


class Knobs(Config):
    letters: int = knob(3, easy=2, hard=5, doc="letters of the word that both sides come down to")
    noise: int = knob(3, easy=2, hard=8, doc="units, inverse pairs and inverses of products put into the two sides together")
    laws: str = knob("group", easy="monoid", hard="left", order=("monoid", "group", "left"), doc="which laws may be used")


class Data(TaskData):
    laws: tuple[str, ...]
    left: str
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    laws, names = rewriting.THEORIES[knobs.laws], rng.sample(LETTERS, knobs.letters + 1)
    while True:
        word: Word = ()
        while len(word) < knobs.letters:
            letter = (rng.choice(names), knobs.laws == "monoid" or rng.chance(0.6))
            if not word or word[-1] != (letter[0], not letter[1]):
                word = (*word, letter)
        share = rng.integer(0, knobs.noise)
        left, right = (_noisy(rng, word, noise, knobs.laws, names) for noise in (share, knobs.noise - share))
        one_step = rewriting.apply([rewriting.law(text) for text in laws], left, right)
        if left != right and one_step is None and size(left) + size(right) <= 2 * MOST_SIZE:
            break
    return _stated(laws, left, right)


def _stated(laws: tuple[str, ...], left: Term, right: Term) -> Task[Data]:
    listing = "\n".join(f"{i}. {text}" for i, text in enumerate(laws, 1))
    prompt = (
        f"These laws hold for all x, y and z:\n{listing}\n\nProve from them that\n{write(left)} = {write(right)}\n\n"
        "Write a chain of terms, one per line, from the left side to the right side, both included. Each term must come from the one before it by "
        "replacing one part of it, or all of it, by what one law says is equal, in either direction, with any terms substituted for x, y and z. "
        f"The chain may have at most {rewriting.MOST_LINES} terms of at most 2000 characters each."
    )
    return Task(prompt, Data(laws=laws, left=write(left), right=write(right)))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Both sides of the equation in the prompt are made as simple as they get; `generate` only ever made them less simple.
    listing, equation = task.prompt.split("\n\n")[0].split("\n")[1:], task.prompt.split("\n\n")[1].split("\n")[1]
    laws = tuple(line.partition(". ")[2] for line in listing)
    theory = next(name for name, axioms in rewriting.THEORIES.items() if axioms == laws)
    return tuple(map(write, rewriting.chain(theory, *rewriting.law(equation))))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    left, right = rewriting.law(f"{data.left} = {data.right}")
    fault = rewriting.fault([rewriting.law(text) for text in data.laws], left, right, answer)
    return Score.exact(not fault, fault)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    return [(data.left, data.right), right[::-1], right[1:], right[:-1], right[:1] + right[2:], (f"{data.left} = {data.right}",)]


def cost(task: Task[Data]) -> float:
    return float(sum(len(term) for term in solve(task)))


def derive(task: Task[Data]) -> Derivation:
    laws, chain = [rewriting.law(text) for text in task.data.laws], solve(task)
    yield OPENS(term=chain[0])
    for left, right in pairwise(chain):
        use = rewriting.apply(laws, read_term(left), read_term(right))
        if use is not None:
            number, forwards, _, bindings = use
            put = ", ".join(f"{name} is {write(term)}" for name, term in sorted(bindings.items())) or NOTHING
            yield BY_LAW(law=number + 1, way="left to right" if forwards else "right to left", put=put, term=right)


def checks(task: Task[Data]) -> Checks:
    laws, chain = [rewriting.law(text) for text in task.data.laws], list[Term]()

    def opens(term: str) -> bool:
        chain.append(read_term(term))
        return len(chain) == 1 and write(chain[0]) == task.data.left

    def follows(law: int, way: str, put: str, term: str) -> bool:
        left, right = laws[law - 1] if law > 0 else laws[len(laws)]
        old, new = {"left to right": (left, right), "right to left": (right, left)}[way]
        bindings = {
            name: read_term(text) for name, text in (piece.split(" is ") for piece in re.split(r", (?=\w is )", put) if put != NOTHING)
        }
        before, after = chain[-1], read_term(term)
        if set(bindings) != {*variables(old), *variables(new)}:
            return False
        if after not in _replace(before, rewriting.instance(old, bindings), rewriting.instance(new, bindings)):
            return False
        chain.append(after)
        return True

    return {OPENS: opens, BY_LAW: follows}


def _replace(term: Term, part: Term, new: Term) -> Iterator[Term]:
    """The term with one part replaced, for each place where the part stands."""
    if term == part:
        yield new
    if not isinstance(term, str):
        parts: tuple[Term, ...] = term[1:]
        for i, inner in enumerate(parts):
            for replaced in _replace(inner, part, new):
                yield (term[0], *parts[:i], replaced, *parts[i + 1 :])


def _noisy(rng: Rng, word: Word, noise: int, laws: str, names: list[str]) -> Term:
    """A term that comes down to the word, with so many things in it that do not count."""
    if noise and laws != "monoid" and rng.chance(0.4):
        turned = tuple((name, not plain) for name, plain in reversed(word))
        return ("i", _noisy(rng, turned, noise - 1, laws, names))
    if noise and laws != "monoid" and rng.chance(0.5):
        at, letter = rng.integer(0, len(word)), (rng.choice(names), rng.chance(0.5))
        return _noisy(rng, (*word[:at], letter, (letter[0], not letter[1]), *word[at:]), noise - 1, laws, names)
    if noise and (not word or rng.chance(0.5)):
        parts = [("e",), _noisy(rng, word, noise - 1, laws, names)]
        return ("m", *rng.shuffled(parts))
    if len(word) < 2:
        rest = ("e",) if not word else (word[0][0],) if word[0][1] else ("i", (word[0][0],))
        return rest if not noise else ("m", ("e",), _noisy(rng, word, noise - 1, laws, names))
    at, share = rng.integer(1, len(word) - 1), rng.integer(0, noise)
    return ("m", _noisy(rng, word[:at], share, laws, names), _noisy(rng, word[at:], noise - share, laws, names))


def _proposed(task: Task[Data], proposal: str) -> Task[Data]:
    """The equation that a proposal states, under the laws of the task; normal forms decide whether it holds."""
    laws = task.data.laws
    theory = next(name for name, axioms in rewriting.THEORIES.items() if axioms == laws)
    sides = [parse(side) for side in proposal.split("=")]
    if len(sides) != 2 or sides[0] is None or sides[1] is None:
        raise Refused("the proposal is not one equation between two terms")
    left, right = sides[0], sides[1]
    if not all(_is_ground(side, theory) and size(side) <= MOST_SIZE for side in (left, right)):
        raise Refused(
            f"a side has other functions than the laws, a variable, a letter other than {LETTERS}, or more than {MOST_SIZE} letters and functions"
        )
    if left == right or rewriting.apply([rewriting.law(text) for text in laws], left, right) is not None:
        raise Refused("the two sides are the same, or one use of one law apart")
    try:
        rewriting.chain(theory, left, right)
    except ValueError:
        raise Refused("the two sides are not equal") from None
    return _stated(laws, left, right)


def _is_ground(term: Term, theory: str) -> bool:
    if isinstance(term, str):
        return False
    head = term[0]
    assert isinstance(head, str)
    arity = {"m": 2, "e": 0, **({} if theory == "monoid" else {"i": 1})}.get(head, 0 if head in LETTERS else -1)
    return len(term) == arity + 1 and all(_is_ground(part, theory) for part in term[1:])


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """A chain that makes outer parts simple first, and one with a detour."""
    theory = next(name for name, axioms in rewriting.THEORIES.items() if axioms == task.data.laws)
    yield tuple(map(write, rewriting.chain(theory, *rewriting.law(f"{task.data.left} = {task.data.right}"), inner=False)))
    right = solve(task)
    yield (right[0], f"m(e, {right[0]})", *right)


environment = Environment(
    Knobs, Lines("the terms of the chain, one below the other", max_items=rewriting.MOST_LINES), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The whole chain:\n{answer}", checks=checks),
    answers="many", solutions=_solutions,
    shared_helpers="The helper applies one rewriting rule, which is the calculus itself.",
    concept="Bring both sides to one simple term, and walk the second way back; derive first what the laws do not say outright.",
    version=3,
    proposals=Proposals(
        Text("one equation, as in m(a, e) = a"),
        f"It is an equation that follows from the laws of the task, between two different terms of at most {MOST_SIZE} letters and functions each, without "
        f"variables, with the functions of the laws and letters among {', '.join(LETTERS)}, and takes more than one use of one law to prove.",
        lambda task: f"{task.data.left} = {task.data.right}",
        _proposed,
    ),
)  # fmt: skip
