"""Prove a conclusion from premises by natural deduction, as a Fitch proof that a kernel checks line by line.

Any valid proof is accepted, however long the way it takes. The conclusion follows in every task, and from no fewer premises.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.logic import formulas, truth_tables
from rlgym.generators.proofs import fitch, search
from rlgym.generators.proofs.notation import parse
from rlgym.solutions import Checks, Derivation, Solution, Step

CONNECTIVES = {"implies": ("and", "implies", "implies"), "cases": ("and", "or", "implies"), "all": ("and", "or", "implies", "iff")}
MOST_WORK = 4000


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
    listing = "\n".join(f"{i}. {formulas.write(premise)}" for i, premise in enumerate(premises, 1))
    prompt = (
        f"Prove {formulas.write(conclusion)} by natural deduction from\n{listing}\n\n"
        f"A proof has one line `n. formula : rule` for each step, numbered 1, 2, 3 and so on, at most {fitch.MOST_LINES} in all. "
        "A line in a subproof has one bar | before its formula for each subproof around it, as in `n. | formula : rule`. "
        "A line may name earlier lines only, and no line of a subproof that has ended. A subproof is named i-j, from its assumption i to a line "
        "j of its own, once it has ended; i-i stands for the assumption alone. The last line must be the conclusion, without bars. "
        "In formulas, false may be used; not binds more tightly than "
        f"and, then or, then ->{', then <->' if knobs.connectives == 'all' else ''}; where brackets are left out, and and or group to the left "
        "and arrows to the right. A formula has at most 400 characters. Formulas are the same only if they are written the same, apart from "
        f"unnecessary brackets. The rules, with the numbers of the lines they are used on after their names:\n{_rules(knobs)}"
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


def _rules(knobs: Knobs) -> str:
    unused = {"implies": ("orI", "orE", "iff"), "cases": ("iff",), "all": ()}[knobs.connectives]
    return "\n".join(line for line in fitch.RULES.split("\n") if not line.startswith(unused))


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
    version=5,
)  # fmt: skip
