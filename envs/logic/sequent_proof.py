"""Prove a sequent of propositional logic by the rules of a sequent calculus, or refute it by a valuation.

A kernel checks the proof line by line; any proof with few enough lines is accepted. At the hard end the lines are counted closely.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.logic import formulas
from rlgym.generators.proofs import sequents, sequents_drawn
from rlgym.generators.proofs.sequents import Sequent
from rlgym.solutions import Checks, Derivation, Solution, Step

Answer = tuple[str, ...]
CONNECTIVES = {"one": ("implies", "and"), "three": ("and", "or", "implies"), "all": ("and", "or", "implies", "iff")}
MOST_WORK = 3000
STATED = Step("Line {number}: {sequent}, by {rule}")
FOUND = Step("With {true} true and all other variables false, {formula} is {value}, and it stands on the {side}")
PROVED, REFUTED = "The proof:\n", "So all formulas on the left are true and all on the right false: "


class Knobs(Config):
    formulas: int = knob(3, easy=2, hard=6, doc="formulas on both sides of the sequent")
    size: int = knob(2, easy=1, hard=4, doc="connectives of each formula")
    connectives: str = knob("three", easy="one", hard="all", order=tuple(CONNECTIVES), doc="which connectives occur besides not")
    lines: str = knob("free", easy="free", hard="close", order=("free", "close"), doc="whether the lines of a proof are counted closely")


class Data(TaskData):
    left: tuple[str, ...]
    right: tuple[str, ...]
    variables: int
    most: int

    @property
    def conclusion(self) -> str:
        return PROVED if next(_refutations(self), None) is None else REFUTED


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, chained=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Chains: each formula ties one variable to the next, and the sides are mixed."""
    return _sample_task(rng, knobs, chained=True)


def solve(task: Task[Data]) -> Answer:
    # Formulas are taken apart; `generate` knows by truth tables which answer there is.
    goal = _goal(task.data)
    try:
        return tuple(_shortest(goal))
    except sequents.Stuck:
        return (next(_refutations(task.data)),)


def verify(task: Task[Data], answer: Answer) -> Score:
    data = task.data
    if answer[0].lower().startswith("refuted"):
        true = _true_variables(data, answer)
        if true is None:
            return Score.wrong("a refutation is one line: refuted and the variables that are true, or refuted none")
        return Score.exact(_refutes(data, true), "this valuation does not make the left side true and the right side false")
    fault = sequents.fault(_goal(data), answer, data.most)
    return Score.exact(not fault, fault)


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    data = task.data
    goal = f"{', '.join(data.left)} |- {', '.join(data.right)}"
    return [
        (f"1. {goal} : ax",),
        ("1. p |- p : ax", f"2. {goal} : weak 1"),
        right[:-1] or (goal,),
        ("refuted none",),
        ("refuted " + " ".join(formulas.NAMES[: data.variables]),),
        (f"1. {goal} : weak 1",),
        (goal,),
    ]


def cost(task: Task[Data]) -> float:
    data, right = task.data, solve(task)
    close = data.most < sequents.MOST_LINES
    return float(sum(len(line.split()) for line in right) * (2 if close else 1) + sum(map(len, (*data.left, *data.right))))


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    if right[0].startswith("refuted"):
        true, names = _true_variables(data, right) or (), " and ".join(right[0].split()[1:])
        for side, formula in _places(data):
            yield FOUND(true=names, formula=formula, value="true" if _value(data, formula, true) else "false", side=side)
        return
    for line in right:
        stated, _, rule = line.partition(" : ")
        number, _, sequent = stated.partition(". ")
        yield STATED(number=number, sequent=sequent, rule=rule)


def checks(task: Task[Data]) -> Checks:
    data, known, valuations = task.data, list[Sequent](), list[str]()

    def is_value(true: str, formula: str, value: str, side: str) -> bool:
        names, place = _true_variables(data, ("refuted " + true.replace(" and ", " "),)), _places(data)[len(valuations)]
        if names is None or (side, formula) != place or true not in (valuations or [true]):
            return False
        holds = _value(data, formula, names)
        if value != ("true" if holds else "false") or holds != (side == "left"):
            return False
        valuations.append(true)
        return True

    def is_inference(number: str, sequent: str, rule: str) -> bool:
        line = sequents.accept(known, f"{number}. {sequent} : {rule}")
        if isinstance(line, str):
            return False
        known.append(line)
        return True

    return {FOUND: is_value, STATED: is_inference}


def _places(data: Data) -> list[tuple[str, str]]:
    """The side and the text of each formula, in the order of the sequent."""
    return [*(("left", formula) for formula in data.left), *(("right", formula) for formula in data.right)]


def _sample_task(rng: Rng, knobs: Knobs, chained: bool) -> Task[Data]:
    shape = sequents_drawn.Shape(knobs.formulas, knobs.size, CONNECTIVES[knobs.connectives], chained)
    while True:
        refuted = rng.chance(0.2)
        row = sequents_drawn.row(rng, shape, refuted)
        if not row:
            continue
        sides = [[formulas.write(formula) for formula, there in row if there == side] for side in (0, 1)]
        data = Data(left=tuple(sides[0]), right=tuple(sides[1]), variables=shape.variables, most=sequents.MOST_LINES)
        if refuted:
            break
        try:
            lines = len(_shortest(_goal(data)))
        except sequents.Stuck:
            continue
        if len(row) * knobs.size // 2 < lines < 60:
            data = data.model_copy(update={"most": lines}) if knobs.lines == "close" else data
            break
    if refuted and knobs.lines == "close":
        data = data.model_copy(update={"most": rng.integer(3, 12) + 2 * knobs.formulas * knobs.size})
    return Task(_render_prompt(data, knobs.connectives), data)


def _render_prompt(data: Data, connectives: str) -> str:
    rules = sequents.RULES if connectives == "all" else sequents.RULES.rpartition("\n")[0]
    return (
        f"Here is a sequent:\n{', '.join(data.left)} |- {', '.join(data.right)}".replace("\n |-", "\n|-")
        + "\n\nA sequent has a set of formulas on each side of |-, separated "
        "by commas; their order does not matter. It says: whenever all formulas on the left are true, at least one on the right is true. Either prove the "
        "sequent, or refute it by a valuation that makes all formulas on the left true and all on the right false.\n\n"
        f"A proof has one line `n. sequent : rule` for each step, numbered 1, 2, 3 and so on, at most {data.most} in all; the last line must be the sequent "
        f"above. After the rule's name come the numbers of the earlier lines that it is used on, in the order of the rule. A line may be used often. "
        "In the rules, X and Y are any sets of formulas, the same throughout a rule; a side may be empty. The earlier lines may lack any of the formulas "
        "that the rule shows in them, also those of X and Y: andL, for example, also leads from X, A |- Y to X, A and B |- Y. In formulas, "
        f"not binds more tightly than and, then or, then ->{', then <->' if connectives == 'all' else ''}; where brackets are left out, and and or group to "
        "the left "
        f"and arrows to the right. The rules:\n{rules}\n\nA refutation is one line: the word refuted and then the variables that are true, or refuted none if "
        "none is; all others are false."
    )


def _goal(data: Data) -> Sequent:
    return Sequent(frozenset(map(formulas.read, data.left)), frozenset(map(formulas.read, data.right)))


def _shortest(goal: Sequent) -> list[str]:
    return min((sequents.proof(goal, order, MOST_WORK) for order in sequents.ORDERS), key=len)


def _true_variables(data: Data, answer: Answer) -> tuple[str, ...] | None:
    """The variables that a refutation makes true, None where it is not written as one."""
    names = tuple(answer[0].lower().replace(",", " ").replace(":", " ").split()[1:])
    known = formulas.NAMES[: data.variables]
    if len(answer) > 1 or not names or len(set(names)) < len(names):
        return None
    return () if names == ("none",) else names if all(name in tuple(known) for name in names) else None


def _value(data: Data, formula: str, true: Sequence[str]) -> bool:
    return formulas.value(formulas.read(formula), {name: name in true for name in formulas.NAMES[: data.variables]})


def _refutes(data: Data, true: Sequence[str]) -> bool:
    return all(_value(data, formula, true) for formula in data.left) and not any(_value(data, formula, true) for formula in data.right)


def _refutations(data: Data) -> Iterator[str]:
    names = formulas.NAMES[: data.variables]
    for case in range(1 << data.variables):
        true = [name for k, name in enumerate(names) if case >> k & 1]
        if _refutes(data, true):
            yield f"refuted {' '.join(true) or 'none'}"


def _solutions(task: Task[Data]) -> Iterator[Answer]:
    """All valuations; proofs by other orders that are short enough, and those with formulas of the goal added to every line."""
    data, goal = task.data, _goal(task.data)
    refutations = [(line,) for line in _refutations(data)]
    yield from refutations
    for order in () if refutations else sequents.ORDERS[::-1]:
        lines = sequents.proof(goal, order, 10 * MOST_WORK)
        if len(lines) > data.most:
            continue
        yield tuple(lines)
        wider = []
        for line in lines:
            head, _, rule = line.partition(" : ")
            number, _, text = head.partition(". ")
            sequent = sequents.spell(text)
            assert sequent is not None
            wider.append(f"{number}. {sequents.show(Sequent(sequent.left | goal.left, sequent.right | goal.right))} : {rule}")
        yield tuple(wider)


environment = Environment(
    Knobs, Lines("the lines of the proof, or the line of the refutation", max_items=sequents.MOST_LINES),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "{conclusion}{answer}", checks=checks), answers="many", solutions=_solutions,
    shared_helpers="The helper reads a formula.",
    concept="Take formulas apart from the sequent upwards, those that make one premise first, until a formula stands on both sides.",
    version=6,
)  # fmt: skip
