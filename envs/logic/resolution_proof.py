"""Refute clauses of first-order logic by resolution, each step an instance that a kernel checks by unification.

Any refutation is accepted; a step may merge literals, or state an instance of what it makes.
"""

from collections.abc import Iterator
from contextlib import suppress

from rlgym import Config, Environment, Proposals, Refused, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.proofs import resolution
from rlgym.generators.proofs.resolution import Clause, Literal
from rlgym.generators.proofs.terms import VARIABLES, Term, TooMuch, size, variables
from rlgym.solutions import Checks, Derivation, Solution, Step

PREDICATES = (("P", 1), ("Q", 1), ("R", 2), ("S", 1), ("T", 2), ("U", 2))
CONSTANTS = ("a", "b", "c", "d")
MOST_WORK = 500
MOST_CLAUSES, MOST_SIZE = 24, 16


MADE = Step("Clauses {i:int} and {j:int} make clause {number:int}, {clause}")


class Knobs(Config):
    steps: int = knob(5, easy=2, hard=12, doc="resolution steps that the clauses are drawn to need")
    extra: int = knob(2, easy=0, hard=6, doc="clauses that play no part in the planted refutation")
    terms: str = knob(
        "variables", easy="constants", hard="functions", order=("constants", "variables", "functions"), doc="what terms occur"
    )


class Data(TaskData):
    clauses: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        clauses = _sample_refutable_clauses(rng, knobs)
        if len(set(clauses)) < len(clauses) or any(len(clause) > 4 or not clause for clause in clauses):
            continue
        try:
            steps = resolution.refutation(clauses, MOST_WORK)
        except resolution.Stuck:
            continue
        if knobs.steps / 2 <= len(steps) <= resolution.MOST_STEPS // 4:
            break
    return _stated(clauses, knobs.terms)


def _stated(clauses: list[Clause], terms: str) -> Task[Data]:
    written = tuple(map(resolution.show, clauses))
    listing = "\n".join(f"{i}. {clause}" for i, clause in enumerate(written, 1))
    about = {
        "constants": "Lower-case letters are names of things.",
        "variables": "The letters u to z are variables, and each clause holds for all their values; other lower-case letters are names of things.",
        "functions": "The letters u to z are variables, and each clause holds for all their values; f and g are functions, other lower-case "
        "letters names of things.",
    }[terms]
    prompt = (
        f"Refute these clauses by resolution: they cannot all hold.\n{listing}\n\n{about}\n"
        "A step takes two clauses i and j, given or made before (i and j may be the same), and substitutes terms for the variables of each, where "
        "the variables of i are independent of those of j, so that a literal of one is then the negation of a literal of the other. It "
        "produces the clause of all other literals, each once. It is written `n. i j : clause`, where n is the number of the new clause; the first new "
        f"one has the number {len(clauses) + 1}, and so on in order. Clauses are written as above, and the clause without literals as empty; the "
        f"last step must produce it. There may be at most {resolution.MOST_STEPS} steps, and {resolution.MOST_LITERALS} literals in a clause."
    )
    return Task(prompt, Data(clauses=written))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # The clauses of the prompt are resolved blindly, small ones first; the planted refutation is not known here.
    listing = task.prompt.split("\n\n")[0].split("\n")[1:]
    return tuple(resolution.refutation(_read([line.partition(". ")[2] for line in listing]), MOST_WORK))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    fault = resolution.fault(_read(task.data.clauses), answer)
    return Score.exact(not fault, fault)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    first = len(task.data.clauses) + 1
    return [
        (f"{first}. 1 2 : empty",),
        (f"{first}. {first} {first} : empty",),
        (*right[:-1], right[-1].replace("empty", task.data.clauses[0])),
        right[1:] or ("empty",),
        right[:-1] or ("empty",),
        tuple(line.partition(". ")[2] for line in right),
    ]


def cost(task: Task[Data]) -> float:
    steps = solve(task)
    return float(len(steps) * len(task.data.clauses) + sum(map(len, task.data.clauses)) + sum(map(len, steps)))


def derive(task: Task[Data]) -> Derivation:
    for line in solve(task):
        number, _, rest = line.partition(". ")
        pair, _, clause = rest.partition(" : ")
        i, j = pair.split()
        yield MADE(i=i, j=j, number=number, clause=clause)


def checks(task: Task[Data]) -> Checks:
    known = _read(task.data.clauses)

    def is_resolvent(i: int, j: int, number: int, clause: str) -> bool:
        resolvent = resolution.clause_of(clause)
        if resolvent is None or number != len(known) + 1 or min(i, j) < 1 or not resolution.follows(resolvent, known[i - 1], known[j - 1]):
            return False
        known.append(resolvent)
        return True

    return {MADE: is_resolvent}


def _read(clauses: tuple[str, ...] | list[str]) -> list[Clause]:
    return [clause for clause in map(resolution.clause_of, clauses) if clause is not None]


def _sample_refutable_clauses(rng: Rng, knobs: Knobs) -> list[Clause]:
    """Ground clauses made by undoing resolution steps from the empty clause; each is then generalised on its own."""
    ground: list[Clause] = [()]
    for _ in range(knobs.steps):
        narrow = [i for i, clause in enumerate(ground) if len(clause) < 3]
        clause = ground.pop(rng.choice(narrow))
        atom = _atom(rng, knobs)
        sides: tuple[list[Literal], list[Literal]] = ([(True, atom)], [(False, atom)])
        for literal in clause:
            side = rng.integer(0, 4)
            if side in (0, 1, 4):
                sides[0].append(literal)
            if side in (2, 3, 4):
                sides[1].append(literal)
        ground += [tuple(dict.fromkeys(rng.shuffled(side))) for side in sides]
    for _ in range(knobs.extra):
        ground.append(tuple((rng.chance(0.5), _atom(rng, knobs)) for _ in range(rng.integer(1, 3))))
    clear = [clause for clause in ground if not any((not sign, atom) in clause for sign, atom in clause)]
    if len(clear) < len(ground) or knobs.terms == "constants":
        return rng.shuffled(clear) if len(clear) == len(ground) else [()]
    return [_general(rng, clause) for clause in rng.shuffled(clear)]


def _atom(rng: Rng, knobs: Knobs) -> Term:
    name, arity = rng.choice(PREDICATES)
    return (name, *(_sample_ground_term(rng, knobs.terms == "functions") for _ in range(arity)))


def _sample_ground_term(rng: Rng, deep: bool) -> Term:
    thing: Term = (rng.choice(CONSTANTS),)
    if deep and rng.chance(0.4):
        thing = ("g", thing, (rng.choice(CONSTANTS),)) if rng.chance(0.3) else ("f", thing)
    return thing


def _general(rng: Rng, clause: Clause) -> Clause:
    """A clause that has the given one as an instance: some of its things become variables wherever they occur."""
    things: dict[Term, None] = {}
    for _, atom in clause:
        for thing in atom[1:]:
            assert not isinstance(thing, str)
            things |= dict.fromkeys((thing, *thing[1:]))
    names = rng.shuffled(VARIABLES)
    chosen = {thing: names.pop() for thing in things if len(names) > 1 and rng.chance(0.4)}

    def lifted(term: Term) -> Term:
        if isinstance(term, str) or term in chosen:
            return chosen.get(term, term)
        return (term[0], *map(lifted, term[1:]))

    return tuple(dict.fromkeys((sign, lifted(atom)) for sign, atom in clause))


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Refutations found with another preference among clauses of one size, and with the two clauses of each step swapped."""
    with suppress(resolution.Stuck):
        yield tuple(resolution.refutation(_read(task.data.clauses), 5 * MOST_WORK, order=-1))
    swapped = []
    for line in solve(task):
        number, i, j, *rest = line.split(" ")
        swapped.append(" ".join((number, j, i, *rest)))
    yield tuple(swapped)


def _proposed(task: Task[Data], proposal: tuple[str, ...]) -> Task[Data]:
    """The clauses that a proposal states; the search must refute them, in more than one step."""
    read = [resolution.clause_of(line) for line in proposal]
    clauses = [clause for clause in read if clause]
    if len(clauses) < len(read) or not 2 <= len(clauses) <= MOST_CLAUSES or len(set(clauses)) < len(clauses):
        raise Refused(f"the proposal is not 2 to {MOST_CLAUSES} different clauses, one per line")
    atoms = [atom for clause in clauses for _, atom in clause]
    if any(len(clause) > 4 for clause in clauses) or not all(_is_atom(atom) and size(atom) <= MOST_SIZE for atom in atoms):
        raise Refused(
            f"a clause has more than 4 literals, other predicates or terms than the task may have, or an atom of more than {MOST_SIZE} names"
        )
    try:
        steps = resolution.refutation(clauses, MOST_WORK)
    except (resolution.Stuck, TooMuch):
        raise Refused("no refutation was found") from None
    if not 2 <= len(steps) <= resolution.MOST_STEPS // 4:
        raise Refused("the clauses are refuted in one step, or only in very many")
    deep = any(not isinstance(term, str) and len(term) > 1 for atom in atoms for term in atom[1:])
    terms = "functions" if deep else "variables" if any(set(variables(atom)) for atom in atoms) else "constants"
    return _stated(clauses, terms)


def _is_atom(atom: Term) -> bool:
    return not isinstance(atom, str) and (atom[0], len(atom) - 1) in PREDICATES and all(map(_is_term, atom[1:]))


def _is_term(term: Term) -> bool:
    if isinstance(term, str):
        return term in VARIABLES
    head = (term[0], len(term) - 1)
    return head in {("f", 1), ("g", 2), *((name, 0) for name in CONSTANTS)} and all(map(_is_term, term[1:]))


environment = Environment(
    Knobs, Lines("the steps, one below the other", max_items=resolution.MOST_STEPS), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Written as steps:\n{answer}", checks=checks),
    answers="many", solutions=_solutions,
    shared_helpers="The helper unifies two terms, which is the calculus itself.",
    concept="Look for clauses of one literal, resolve longer clauses with them, and put in for variables only what the two literals need.",
    version=2,
    proposals=Proposals(
        Lines("the clauses, one per line", max_items=MOST_CLAUSES),
        f"It is 2 to {MOST_CLAUSES} different clauses that cannot all hold, each of 1 to 4 literals over P, Q, S (of one term) and R, T, U (of two), with the "
        "names a to d, the variables u to z and the functions f (of one term) and g (of two). One step is not enough to refute them.",
        lambda task: task.data.clauses,
        _proposed,
    ),
)  # fmt: skip
