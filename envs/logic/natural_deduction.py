"""Prove a conclusion from premises by natural deduction, as a Fitch proof that a kernel checks line by line.

Any valid proof is accepted, however long the way it takes. The conclusion follows in every task, and from no fewer premises.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Proposals, Refused, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.logic import formulas, truth_tables
from rlgym.generators.proofs import fitch, search
from rlgym.generators.proofs.notation import parse
from rlgym.solutions import Checks, Derivation, Solution, Step

CONNECTIVES = {"implies": ("and", "implies", "implies"), "cases": ("and", "or", "implies"), "all": ("and", "or", "implies", "iff")}
MOST_WORK = 4000
THEREFORE, ALL_NAMES = "therefore ", "pqrst"
MOST_PREMISES, MOST_CONNECTIVES = 6, 12


STATED = Step("Line {number}, inside {depth:int} subproof(s): {formula}, by {rule}")


class Knobs(Config):
    premises: int = knob(2, easy=1, hard=4, doc="how many premises there are")
    variables: int = knob(3, easy=3, hard=5, doc="propositional variables")
    size: int = knob(2, easy=1, hard=4, doc="connectives of each premise")
    conclusion: int = knob(2, easy=1, hard=5, doc="connectives of the conclusion")
    connectives: str = knob("cases", easy="implies", hard="all", order=tuple(CONNECTIVES), doc="which connectives occur besides not")


class Data(TaskData):
    premises: tuple[str, ...]
    conclusion: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        premises, conclusion = _sequent(rng, knobs)
        try:
            lines = search.proof(premises, conclusion, MOST_WORK)
        except search.Stuck:
            continue
        if len(lines) <= fitch.MOST_LINES // 4:
            break
    return _stated(premises, conclusion, knobs.connectives)


def _stated(premises: list[formulas.Formula], conclusion: formulas.Formula, connectives: str) -> Task[Data]:
    listing = "\n".join(f"{i}. {formulas.write(premise)}" for i, premise in enumerate(premises, 1))
    prompt = (
        f"Prove {formulas.write(conclusion)} by natural deduction from\n{listing}\n\n"
        f"A proof has one line `n. formula : rule` for each step, numbered 1, 2, 3 and so on, at most {fitch.MOST_LINES} in all. "
        "A line in a subproof has one bar | before its formula for each subproof around it, as in `n. | formula : rule`. "
        "A line may name earlier lines only, and no line of a subproof that has ended. A subproof is named i-j, from its assumption i to a line "
        "j of its own, once it has ended; i-i stands for the assumption alone. The last line must be the conclusion, without bars. "
        "In formulas, false may be used; not binds more tightly than "
        f"and, then or, then ->{', then <->' if connectives == 'all' else ''}; where brackets are left out, and and or group to the left "
        "and arrows to the right. A formula has at most 400 characters. Formulas are the same only if they are written the same, apart from "
        f"unnecessary brackets. The rules, with the numbers of the lines they are used on after their names:\n{_rules(connectives)}"
    )
    return Task(prompt, Data(premises=tuple(map(formulas.write, premises)), conclusion=formulas.write(conclusion)))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Only the prompt is read. `generate` knows by truth tables that there is a proof; the search takes formulas apart.
    head, *listing = task.prompt.partition("\n\n")[0].split("\n")
    premises = [formulas.read(line.partition(". ")[2]) for line in listing]
    conclusion = formulas.read(head.removeprefix("Prove ").removesuffix(" by natural deduction from"))
    return tuple(search.proof(premises, conclusion, MOST_WORK))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    premises = [formulas.read(premise) for premise in task.data.premises]
    fault = fitch.fault(premises, formulas.read(task.data.conclusion), answer)
    return Score.exact(not fault, fault)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    given = tuple(f"{i}. {premise} : premise" for i, premise in enumerate(data.premises, 1))
    n = len(given) + 1
    return [
        (f"1. {data.conclusion} : premise",),
        (*given, f"{n}. {data.conclusion} : ifE {' '.join(str(i) for i in range(1, n))}"),
        (f"1. | {data.conclusion} : assume", f"2. {data.conclusion} : copy 1"),
        (f"1. | {data.conclusion} : assume",),
        right[:-1] or (data.conclusion,),
        (data.conclusion,),
    ]


def cost(task: Task[Data]) -> float:
    return float(sum(len(line.split(":")[0].replace("(", " ").replace(")", " ").split()) for line in solve(task)))


def derive(task: Task[Data]) -> Derivation:
    for line in solve(task)[:-1]:
        stated, _, rule = line.partition(" : ")
        number, _, formula = stated.partition(". ")
        name, _, premises = rule.partition(" ")
        by = f"{name} from {premises}" if premises else name
        yield STATED(number=number, depth=formula.count("| "), formula=formula.replace("| ", ""), rule=by)


def checks(task: Task[Data]) -> Checks:
    premises, known = [formulas.read(premise) for premise in task.data.premises], list[fitch.Line]()

    def is_inference(number: str, depth: int, formula: str, rule: str) -> bool:
        name, _, lines = rule.partition(" from ")
        line = fitch.accept(premises, known, f"{number}. {'| ' * depth}{formula} : {name} {lines}".rstrip())
        if isinstance(line, str):
            return False
        known.append(line)
        return True

    return {STATED: is_inference}


def _sequent(rng: Rng, knobs: Knobs) -> tuple[list[formulas.Formula], formulas.Formula]:
    """Premises that can be true together, and what follows from all of them but from no fewer."""
    count, joined = knobs.variables, CONNECTIVES[knobs.connectives]
    every = truth_tables.every(count)
    while True:
        premises = [formulas.random(rng, knobs.size, count, joined) for _ in range(knobs.premises)]
        tables = [formulas.table(premise, count) for premise in premises]
        without = [_conjunction([*tables[:i], *tables[i + 1 :]], every) for i in range(len(tables))]
        met = _conjunction(tables, every)
        if not met or met in without:
            continue
        for _ in range(40):
            conclusion = formulas.random(rng, knobs.conclusion, count, joined)
            false = every ^ formulas.table(conclusion, count)
            if false and not met & false and all(fewer & false for fewer in without) and conclusion not in premises:
                return premises, conclusion


def _conjunction(tables: list[int], every: int) -> int:
    for table in tables:
        every &= table
    return every


def _rules(connectives: str) -> str:
    unused = {"implies": ("orI", "orE", "iff"), "cases": ("iff",), "all": ()}[connectives]
    return "\n".join(line for line in fitch.RULES.split("\n") if not line.startswith(unused))


def _proposed(task: Task[Data], proposal: tuple[str, ...]) -> Task[Data]:
    """The sequent that a proposal states. Whether it holds is decided by truth tables, so that no proof is sought for what has none."""
    *given, last = (parse(line.removeprefix(THEREFORE)) for line in proposal)
    if last is None or any(premise is None for premise in given) or not proposal[-1].startswith(THEREFORE):
        raise Refused(f"the proposal is not one formula per line with {THEREFORE.strip()!r} before the last")
    premises = [premise for premise in given if premise is not None]
    every = [*premises, last]
    heads = {part.head for formula in every for part in _parts(formula)}
    if not 1 <= len(premises) <= MOST_PREMISES or not heads <= {*ALL_NAMES, "not", *CONNECTIVES["all"]}:
        raise Refused("the proposal has too many premises, none, or letters other than p, q, r, s and t")
    if any(sum(1 for part in _parts(formula) if part.parts) > MOST_CONNECTIVES for formula in every):
        raise Refused(f"a formula has more than {MOST_CONNECTIVES} connectives")
    tables = [formulas.table(formula, len(ALL_NAMES)) for formula in every]
    met = _conjunction(tables[:-1], truth_tables.every(len(ALL_NAMES)))
    if not met or met & ~tables[-1]:
        raise Refused("the premises contradict each other" if not met else "the conclusion does not follow")
    if last in premises:
        raise Refused("the conclusion is one of the premises")
    connectives = next(name for name in ("implies", "cases", "all") if heads & set(CONNECTIVES["all"]) <= set(CONNECTIVES[name]))
    return _stated(premises, last, connectives)


def _parts(formula: formulas.Formula) -> Iterator[formulas.Formula]:
    yield formula
    for part in formula.parts:
        yield from _parts(part)


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Proofs that refute the conclusion's negation, and proofs from the premises in another order."""
    premises, conclusion = [parse(premise) for premise in task.data.premises], parse(task.data.conclusion)
    assert conclusion is not None
    for given in (premises, premises[::-1]):
        known = [premise for premise in given if premise is not None]
        for indirectly in (True, False):
            try:
                yield tuple(search.proof(known, conclusion, 10 * MOST_WORK, indirectly=indirectly))
            except search.Stuck:
                continue


environment = Environment(
    Knobs, Lines("the lines of the proof, one below the other", max_items=fitch.MOST_LINES), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Written out, and closed with the conclusion:\n{answer}", checks=checks),
    answers="many", solutions=_solutions,
    concept="Take the conclusion apart from the outside in, use each premise by its own rule, and refute the negation where nothing else helps.",
    version=7,
    proposals=Proposals(
        Lines(f"the premises, one per line, and below them the conclusion with the word {THEREFORE.strip()!r} before it", max_items=MOST_PREMISES + 1),
        f"It has 1 to {MOST_PREMISES} premises that can be true together, over the letters p, q, r, s and t, with at most {MOST_CONNECTIVES} connectives in a "
        "formula. The conclusion follows from them, and is none of them.",
        lambda task: (*task.data.premises, f"{THEREFORE}{task.data.conclusion}"),
        _proposed,
    ),
)  # fmt: skip
