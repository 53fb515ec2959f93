"""Find a most general unifier: what variables must stand for, and no more, so that terms become the same.

Every most general unifier is accepted, whichever variables it keeps; one that says more than is needed is not.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.proofs.terms import VARIABLES, Bindings, Term, TooMuch, parse, put, read_term, size, unify, variables, write
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

FUNCTIONS = (("f", 1), ("g", 2), ("h", 2), ("k", 3))
MOST_SIZE = 200


MUST = Step("{name} must be {term}; put in everywhere")
APART = Step("{one} and {other} are the same if their parts are, pair by pair")


class Knobs(Config):
    pairs: int = knob(2, easy=1, hard=5, doc="pairs of terms that must become the same at once")
    depth: int = knob(3, easy=2, hard=5, doc="how deep functions are nested")
    variables: int = knob(3, easy=2, hard=6, doc="how many variables there are")
    sharing: str = knob(
        "across", easy="apart", hard="across", order=("apart", "across"), doc="whether variables occur on both sides of a pair"
    )


class Data(TaskData):
    pairs: tuple[tuple[str, str], ...]
    unifier: tuple[tuple[str, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    names = VARIABLES[: knobs.variables]
    while True:
        # Terms that are put in for variables and taken out of a common term again, on each side in other places: so there is a unifier.
        stands = {
            name: _sample_term(rng, rng.integer(0, knobs.depth - 1), names[i + 1 :], i + 1 < len(names)) for i, name in enumerate(names)
        }
        halves = (names[::2], names[1::2]) if knobs.sharing == "apart" else (names, names)
        pairs = []
        for _ in range(knobs.pairs):
            common = _sample_common_instance(rng, knobs.depth, names)
            left, right = (_expand_bindings(rng, common, stands, half) for half in halves)
            pairs.append((left, right))
        unfit = any(left == right or size(left) + size(right) > MOST_SIZE for left, right in pairs)
        bindings = None if unfit else unify(pairs)
        occurring = sorted({name for pair in pairs for side in pair for name in variables(side)})
        if bindings is None or len(occurring) < len(names) or len(bindings) < (len(names) + 1) // 2:
            continue
        unifier = tuple((name, put(name, bindings)) for name in occurring)
        if sum(size(term) for _, term in unifier) <= MOST_SIZE and any(not isinstance(term, str) and len(term) > 1 for _, term in unifier):
            break
    shown = tuple((write(left), write(right)) for left, right in pairs)
    listing = "\n".join(f"{i}. {left} and {right}" for i, (left, right) in enumerate(shown, 1))
    prompt = (
        f"The letters {', '.join(occurring[:-1])} and {occurring[-1]} are variables, f, g, h and k are functions, and a, b and c are constants.\n{listing}\n\n"
        "Find a most general unifier: a term for each variable so that, when all variables are replaced at once by their terms, the two terms "
        f"of {'each pair' if knobs.pairs > 1 else 'the pair'} become identical, and every other such choice of terms results from yours by a further "
        "replacement. The replacement is done only once, so the terms must already be fully substituted. Write one line `variable = term` for each "
        "variable, in any order; for a variable that stays unchanged, write the variable itself. Use no other variables."
    )
    return Task(prompt, Data(pairs=shown, unifier=tuple((name, write(term)) for name, term in unifier)))


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _eliminate(task, 1)[0]


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    names = {name for name, _ in data.unifier}
    given: Bindings = {}
    for line in answer:
        name, sign, text = (part.strip() for part in line.replace(":=", "=").replace("->", "=").replace("→", "=").partition("="))
        term = parse(text) if len(text) < 2000 else None
        if not sign or name not in names or name in given or term is None:
            return Score.wrong("each line must be `variable = term`, one line for each variable")
        given[name] = term
    if len(given) < len(names):
        return Score.wrong("a variable has no line")
    if any(name not in names for term in given.values() for name in variables(term)):
        return Score.wrong("a term has a variable that does not occur in the task")
    for i, (left, right) in enumerate(data.pairs, 1):
        first, second = parse(left), parse(right)
        assert first is not None
        assert second is not None
        try:
            same = _replace(first, given) == _replace(second, given)
        except TooMuch:
            same = False
        if not same:
            return Score.wrong(f"the terms of pair {i} do not become the same")
    there: dict[str, str] = {}
    general = all(_renames(parse(text) or name, given[name], there) for name, text in data.unifier)
    return Score.exact(general and len(set(there.values())) == len(there), "the terms become the same, but more is said than is needed")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    names = [name for name, _ in task.data.unifier]
    return [
        tuple(f"{name} = {name}" for name in names),
        tuple(f"{name} = a" for name in names),
        right[:-1] or ("x",),
        tuple(f"{name} = {write(_ground(parse(text) or name))}" for name, text in task.data.unifier),
        tuple(f"{name} = f({text})" for name, text in task.data.unifier),
    ]


def cost(task: Task[Data]) -> float:
    return float(sum(len(text) for pair in (*task.data.pairs, *task.data.unifier) for text in pair))


def derive(task: Task[Data]) -> Derivation:
    return in_order(_eliminate(task, 1)[1])


def checks(task: Task[Data]) -> Checks:
    waiting = [(read_term(left), read_term(right)) for left, right in task.data.pairs]

    def take(left: Term, right: Term) -> None:
        waiting.remove((left, right) if (left, right) in waiting else (right, left))

    def decomposes(one: str, other: str) -> bool:
        left, right = read_term(one), read_term(other)
        if isinstance(left, str) or isinstance(right, str) or left[0] != right[0] or len(left) != len(right):
            return False
        take(left, right)
        waiting.extend(zip(left[1:], right[1:], strict=True))
        return True

    def eliminates(name: str, term: str) -> bool:
        value = read_term(term)
        if len(name) != 1 or name in variables(value):
            return False
        take(name, value)
        waiting[:] = [(_replace(left, {name: value}), _replace(right, {name: value})) for left, right in waiting]
        return True

    return {APART: decomposes, MUST: eliminates}


def _sample_term(rng: Rng, depth: int, names: str, variable: bool) -> Term:
    if depth == 0 or rng.chance(0.15):
        return rng.choice(names) if variable and names and rng.chance(0.6) else (rng.choice("abc"),)
    name, arity = rng.choice(FUNCTIONS)
    return (name, *(_sample_term(rng, depth - 1, names, variable) for _ in range(arity)))


def _sample_common_instance(rng: Rng, depth: int, names: str) -> Term:
    """A term whose leaves are mostly variables, to be taken for what they stand for on the two sides."""
    if depth == 0:
        return rng.choice(names) if rng.chance(0.8) else (rng.choice("abc"),)
    name, arity = rng.choice(FUNCTIONS)
    return (name, *(_sample_common_instance(rng, rng.integer(0, depth - 1), names) for _ in range(arity)))


def _expand_bindings(rng: Rng, term: Term, stands: Bindings, kept: str) -> Term:
    """The term with variables that may not be kept, and some that may, replaced by what they stand for."""
    if isinstance(term, str):
        return (
            term
            if (term in kept and rng.chance(0.6 if len(kept) < 4 else 0.35)) or term not in stands
            else _expand_bindings(rng, stands[term], stands, kept)
        )
    return (term[0], *(_expand_bindings(rng, part, stands, kept) for part in term[1:]))


def _replace(term: Term, given: Bindings) -> Term:
    return given.get(term, term) if isinstance(term, str) else (term[0], *(_replace(part, given) for part in term[1:]))


def _renames(first: Term, second: Term, there: dict[str, str]) -> bool:
    """Whether the second term is the first with its variables renamed."""
    if isinstance(first, str):
        return isinstance(second, str) and there.setdefault(first, second) == second
    if isinstance(second, str) or first[0] != second[0] or len(first) != len(second):
        return False
    return all(_renames(part, inner, there) for part, inner in zip(first[1:], second[1:], strict=True))


def _ground(term: Term) -> Term:
    return ("a",) if isinstance(term, str) else (term[0], *map(_ground, term[1:]))


def _eliminate(task: Task[Data], direction: int) -> tuple[tuple[str, ...], list[Due]]:
    """A unifier and how it comes about: variables are got rid of one by one, replaced everywhere at once."""
    rows = [line.partition(". ")[2].split(" and ") for line in task.prompt.split("\n\n")[0].split("\n")[1:]]
    waiting = [(parse(left) or left, parse(right) or right) for left, right in rows][::direction]
    names = sorted({name for pair in waiting for side in pair for name in variables(side)})
    substitution: Bindings = {}
    steps = list[Due]()
    while waiting:
        a, b = waiting.pop(0)[::direction]
        if a == b:
            continue
        if isinstance(b, str) and not isinstance(a, str):
            a, b = b, a
        if isinstance(a, str):
            steps.append(MUST(name=a, term=write(b)))
            now = {a: b}
            waiting = [(_replace(left, now), _replace(right, now)) for left, right in waiting]
            substitution = {**{name: _replace(term, now) for name, term in substitution.items()}, a: b}
        elif not isinstance(b, str):
            steps.append(APART(one=write(a), other=write(b)))
            waiting = [*zip(a[1:], b[1:], strict=True), *waiting]
    return tuple(f"{name} = {write(substitution.get(name, name))}" for name in names), steps


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Unifiers found from the last pair and the right sides, and one with the variables that are kept exchanged."""
    right = _eliminate(task, -1)[0]
    yield right
    names = [name for name, _ in task.data.unifier]
    turned: Bindings = dict(zip(names, (*names[1:], names[0]), strict=True))
    yield tuple(
        f"{name} = {write(_replace(parse(line.partition(' = ')[2]) or name, turned))}" for name, line in zip(names, right, strict=True)
    )


environment = Environment(
    Knobs, Lines("the lines `variable = term`", max_items=40), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Nothing is left to be made the same. The unifier is\n{answer}", checks=checks),
    version=2, answers="many", solutions=_solutions,
    concept="Compare the two terms part by part; where one side is a variable, put the other side in for it everywhere, and go on.",
)  # fmt: skip
