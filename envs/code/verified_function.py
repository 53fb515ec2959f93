"""Write a function with its contract and its proof: the code, what it requires and ensures, and an invariant and a measure for each loop.

The code has no products of variables and no division, so it needs loops; annotations have both. Hidden calls try the code; z3 decides
for all integers whether the contract equals the one that the text describes, and whether the annotations prove it. The parts of the
score are `code`, `precondition`, `postcondition`, `invariant` and `termination`; the score is 1 where all of them are 1.
"""

from rlgym import Audit, Config, Environment, Outcome, Rng, Score, Task, knob
from rlgym.answers import AnnotatedProgram
from rlgym.generators.programs import loop_functions, loop_quantities, products, proofs, verified
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.loop_functions import LoopFunction, Point
from rlgym.solutions import Derivation, Solution, Step, any_order

FUEL = 20_000
FORM = """def f({names}):
    requires(CONDITION)
    ensures(CONDITION)
    STATEMENTS
    while CONDITION:
        invariant(CONDITION)
        decreases(TERM)
        STATEMENTS
    STATEMENTS
    return TERM"""
PARTS = ("code", "precondition", "postcondition", "invariant", "termination")
VALUE = Step("As a term of the arguments, {name} is {value}")
LOOP = Step("A loop finds {name}; it preserves {invariant}, and {measure} decreases")
CONTRACT = Step("The contract requires {requires} and ensures {ensures}")
END = "Written as one function:\n{answer}"


class Knobs(Config):
    inputs: int = knob(2, easy=1, hard=3, doc="arguments")
    quantities: int = knob(1, easy=1, hard=2, doc="loops that are needed")
    kinds: int = knob(4, easy=2, hard=6, doc="kinds of loops, those with linear invariants first")
    conditions: int = knob(1, easy=0, hard=2, doc="conditions on the arguments besides those that keep bounds from being negative")
    cases: int = knob(0, easy=0, hard=1, doc="whether the value depends on a condition")
    largest: int = knob(6, easy=4, hard=9, doc="largest factor")


def generate(rng: Rng, knobs: Knobs) -> Task[LoopFunction]:
    return _sample_task(rng, knobs, chained=False)


def shift(rng: Rng, knobs: Knobs) -> Task[LoopFunction]:
    """The second loop counts up to what the first has found, or divides it."""
    return _sample_task(rng, knobs.model_copy(update={"quantities": max(2, knobs.quantities)}), chained=True)


def _sample_task(rng: Rng, knobs: Knobs, *, chained: bool) -> Task[LoopFunction]:
    data = loop_functions.sample(
        rng, knobs.inputs, knobs.quantities, knobs.kinds, knobs.conditions, knobs.cases, knobs.largest, chained=chained
    )
    return Task(_render_prompt(data), data)


def solve(task: Task[LoopFunction]) -> str:
    # Programs and invariants come from the quantities; what is returned in each case is compared with the terms of the contract.
    data = task.data
    ensures = " and ".join(f"(not ({test}) or result == {value})" if test != "True" else f"result == {value}" for test, value in data.cases)
    return AnnotatedProgram().parse(_write(data, [data.requires], [ensures]))


def _write(data: LoopFunction, requires: list[str], ensures: list[str]) -> str:
    body = [*(f"requires({claim})" for claim in requires), *(f"ensures({claim})" for claim in ensures)]
    body += [line for quantity in data.quantities for line in loop_quantities.loop(quantity)]
    first, second = (loop_quantities.linear(terms) for terms in data.returned)
    body += [f"if {data.test}:", f"    r = {first}", "else:", f"    r = {second}", "return r"] if data.test else [f"return {first}"]
    return "\n".join([f"def f({', '.join(data.inputs)}):", *(f"    {line}" for line in body)])


def verify(task: Task[LoopFunction], answer: str) -> Score:
    data, contract = task.data, verified.contract(answer)
    parts = dict.fromkeys(PARTS, 0.0)
    if contract.inputs != data.inputs:
        return Score.wrong(f"the arguments of f must be {', '.join(data.inputs)}", **parts)
    expected = _expected(data)
    faults = {"code": _code_fault(data, answer, expected)}
    undecided = ""
    try:
        faults["precondition"] = _precondition_fault(data, contract)
        faults["postcondition"] = _postcondition_fault(data, contract, expected)
        if not any(faults.values()):
            faults |= _proof_faults(data, answer)
    except proofs.Undecided as why:
        undecided = str(why)
    parts |= {part: float(not fault) for part, fault in faults.items()}
    if undecided:
        return Score(0.0, Outcome.TIMED_OUT, undecided, parts)
    return Score.exact(all(parts.values()), next((fault for fault in faults.values() if fault), ""), **parts)


def _expected(data: LoopFunction) -> list[tuple[Point, int]]:
    """The calls that are tried and allowed, with the values to be returned."""
    requires, value = data.requires, data.value
    points = [point for point in loop_functions.calls(data.inputs) if proofs.evaluate(requires, point)]
    return [(point, proofs.evaluate(value, point)) for point in points]


def _code_fault(data: LoopFunction, answer: str, expected: list[tuple[Point, int]]) -> str:
    program = verified.plain(answer)
    for point, right in expected:
        try:
            ended = program.run(*(point[name] for name in data.inputs), entry="f", fuel=FUEL)
        except Stopped:
            return "the code runs for too long with some arguments"
        if ended.value != right:
            return "the code returns a wrong value"
    return ""


def _precondition_fault(data: LoopFunction, contract: verified.Contract) -> str:
    values = proofs.variables(data.inputs)
    theirs, right = proofs.formula(contract.requires, values), proofs.formula(data.requires, values)
    if not products.always(theirs, [right]):
        return "what is required forbids a call that is allowed"
    return "" if products.always(right, [theirs]) else "what is required allows a call that is not allowed"


def _postcondition_fault(data: LoopFunction, contract: verified.Contract, expected: list[tuple[Point, int]]) -> str:
    incomplete, unsound = "what is ensured also holds for a wrong value", "what is ensured does not hold for the right value"
    for point, right in expected[::5]:  # what calls refute, the solver need not look at
        if not proofs.evaluate(contract.ensures, {**point, "result": right}):
            return unsound
        others = {right - 1, right + 1, right + 60, 0, -right} - {right}
        if any(proofs.evaluate(contract.ensures, {**point, "result": other}) for other in others):
            return incomplete
    values = proofs.variables([*data.inputs, "result"])
    given, value = proofs.formula(data.requires, values), proofs.formula(data.value, values)
    if not products.always(proofs.formula(contract.ensures, {**values, "result": value}), [given]):
        return unsound
    return "" if products.always(values["result"] == value, [given, proofs.formula(contract.ensures, values)]) else incomplete


def _proof_faults(data: LoopFunction, answer: str) -> dict[str, str]:
    faults = {"invariant": "", "termination": ""}
    for obligation in verified.obligations(answer, proofs.variables(data.inputs)):
        if not faults[obligation.part] and not products.always(obligation.claim, obligation.known):
            faults[obligation.part] = obligation.fault
    return faults


def mistakes(task: Task[LoopFunction], right: str) -> list[str]:
    lines, wrong = right.split("\n"), list[list[str]]()
    for kind, claims in (("requires", ("True", "False")), ("ensures", ("True", "False", "result == 0", "result >= 0"))):
        wrong += [[f"    {kind}({claim})" if line.startswith(f"    {kind}(") else line for line in lines] for claim in claims]
    for claim in ("True", "False"):
        wrong.append([f"        invariant({claim})" if "invariant(" in line else line for line in lines])
    wrong.append(["        decreases(0)" if "decreases(" in line else line for line in lines])
    wrong.append([*lines[:-1], "    return 0"])
    ensures = next(line for line in lines if line.startswith("    ensures("))
    wrong.append([lines[0], "    requires(False)", ensures, "    return 0"])
    return ["\n".join(text) for text in wrong]


def cost(task: Task[LoopFunction]) -> float:
    data = task.data
    loops = sum(2 + loop_quantities.KINDS.index(quantity.kind) for quantity in data.quantities)
    return float(loops * (1 + bool(data.test)) * len(data.inputs) + 2 * len(data.conditions)) + len(data.value) / 100


def derive(task: Task[LoopFunction]) -> Derivation:
    data = task.data
    yield from any_order([VALUE(name=name, value=value) for name, value in data.values.items()])
    invariant, measure = loop_quantities.invariant, loop_quantities.decreases
    yield from any_order([LOOP(name=each.name, invariant=invariant(each), measure=measure(each)) for each in data.quantities])
    yield CONTRACT(requires=data.requires, ensures=verified.contract(solve(task)).ensures)


def _solutions(task: Task[LoopFunction]) -> list[str]:
    """The oracle's function, and one whose contract is stated claim by claim, the value between two bounds."""
    data, read = task.data, AnnotatedProgram().parse
    requires = [f"not not {condition.formula}" for condition in data.conditions]
    ensures = [f"not ({test}) or result <= {value} <= result" for test, value in data.cases]
    return [solve(task), read(_write(data, requires, ensures))]


def audit(task: Task[LoopFunction]) -> Audit:
    """Contracts and programs that differ for a call that is tried, or that lack a part of the proof."""
    data, read = task.data, AnnotatedProgram().parse
    right = solve(task)
    close = [f"result >= {data.cases[0][1]}", f"result == {data.cases[0][1]} + 1"]
    wrong = [_write(data, [data.requires], [claim]) for claim in close]
    wrong += [
        _write(data, [each.formula for each in data.conditions if each is not left_out], [verified.contract(right).ensures])
        for left_out in data.conditions
    ]
    wrong += mistakes(task, right)
    return Audit(tuple(map(read, wrong)), tuple(_solutions(task)))


def _render_prompt(data: LoopFunction) -> str:
    names = ", ".join(data.inputs)
    conditions = "\n".join(f"- {condition.words}" for condition in data.conditions)
    allowed = f"when all of these conditions hold:\n{conditions}" if len(data.conditions) > 1 else f"when {data.conditions[0].words}."
    defined = [loop_quantities.words(quantity) for quantity in data.quantities]
    first, second = (loop_quantities.linear(terms) for terms in data.returned)
    returns = f"f({names}) returns {first} if {data.test}, and {second} otherwise" if data.test else f"f({names}) returns {first}"
    return (
        f"Write a function f({names}) on integers of arbitrary size, with its contract and its proof. It may be called exactly {allowed}\n\n"
        f"{returns}. Here {', and '.join(defined)}.\n\n"
        f"Use this form of Python, in which STATEMENTS may be empty and `while` may occur any number of times:\n\n{FORM.format(names=names)}\n\n"
        f"- `requires` holds for exactly those calls that are allowed. `ensures` is a condition on {names} and result: for every call that is allowed, it "
        "holds if result is the value described above, and for no other integer.\n"
        "- STATEMENTS are assignments to variables other than the arguments, if, elif and else, and while. In the code, a TERM has integers, variables, +, "
        "- and * by an integer constant; a CONDITION has comparisons, and, or, not. There are no calls, and `return` is the last statement only.\n"
        "- Also allowed: brackets, unary - and +, chained comparisons such as 0 <= i < j, True and False as conditions, += and -=, pass, comments, and any "
        "number of `requires` and `ensures` lines (all `requires` first) and of `invariant` lines, which hold together. A variable has a value on every "
        "path to its use; it is not named result or like an annotation. Integers have at most 9 digits.\n"
        "- The invariants of a loop hold when it is reached, and every iteration preserves them. `decreases` occurs once in each loop. "
        "The term in `decreases` is at least 0 "
        "when an iteration begins, and smaller when it ends. When an iteration begins, all that is known of the variables that the loop assigns is that "
        "the invariants and the loop condition hold; after the loop, that the invariants hold and the loop condition does not.\n"
        "- `requires`, `ensures`, `invariant` and `decreases` may also multiply variables, and use // and % by a positive integer constant.\n\n"
        "A prover checks for all integers that the contract is the one described, and that the invariants prove the code correct and the loops finite. "
        "What it cannot settle "
        "within its limit of work counts as not proved."
    )


environment = Environment(
    Knobs, AnnotatedProgram("the function, without explanations"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END), shift=shift, answers="many", solutions=_solutions, audit=audit,
    concept="What does each loop know after i iterations? Say it with the counter, so that it gives the value where the counter has come to its end.",
    needs=("z3",),
    version=2,
)  # fmt: skip
