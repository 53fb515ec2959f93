"""Code, contract and proof of one function are scored apart, and nothing is paid for a contract or a proof that says nothing."""

from __future__ import annotations

import re

import pytest

import rlgym
from rlgym.answers import AnnotatedProgram, Unreadable
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.envs.code import verified_function
from rlgym.generators.programs import loop_functions, loop_quantities, proofs
from rlgym.generators.programs.loop_functions import Condition, LoopFunction
from rlgym.generators.programs.loop_quantities import Quantity
from rlgym.rewards import combined_shaping

pytest.importorskip("z3")
READ = AnnotatedProgram()
PARTS = verified_function.PARTS
# n times (2 x + 3), less 1, where n is at least 0 and x is not 4
PRODUCT = LoopFunction(
    inputs=("n", "x"),
    conditions=(Condition(words="n is at least 0", formula="n >= 0"), Condition(words="x is not 4", formula="x != 4")),
    quantities=(Quantity(name="a", kind="multiple", bound="n", of="x", by=2, odd=3),),
    test="",
    returned=(((1, "a"), (-1, "")), ()),
)
RIGHT = """def f(n, x):
    requires(n >= 0 and x != 4)
    ensures(result == n * (2 * x + 3) - 1)
    a = -1
    i = 0
    while i < n:
        invariant(a == i * (2 * x + 3) - 1)
        invariant(0 <= i <= n)
        decreases(n - i)
        a += 2 * x + 3
        i += 1
    return a"""


def score(text: str, function: LoopFunction = PRODUCT) -> Score:
    return verified_function.verify(Task("", function), READ.parse(text))


def failing(text: str, function: LoopFunction = PRODUCT) -> set[str]:
    found = score(text, function)
    assert (found.value == 1) == all(found.parts.values())
    return {part for part in PARTS if not found.parts[part]}


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("a = -1", "a = 0", {"code", "invariant", "termination"}),
        ("n >= 0 and x != 4", "n >= 0", {"precondition", "invariant", "termination"}),
        ("n >= 0 and x != 4", "n >= 0 and x != 4 and n != 99999", {"precondition", "invariant", "termination"}),
        ("result == n", "result >= n", {"postcondition", "invariant", "termination"}),
        ("result == n * (2 * x + 3) - 1", "result == n * (2 * x + 3) - 1 and n < 99999", {"postcondition", "invariant", "termination"}),
        ("result == n * (2 * x + 3) - 1", "result == n * (2 * x + 3) - 1 or n == 9999", {"postcondition", "invariant", "termination"}),
        ("invariant(0 <= i <= n)", "invariant(0 <= i)", {"invariant"}),
        ("invariant(0 <= i <= n)", "invariant(i > n)", {"invariant"}),
        ("invariant(0 <= i <= n)", "invariant(0 <= i <= n and a >= -1)", {"invariant"}),
        ("decreases(n - i)", "decreases(i)", {"termination"}),
        ("decreases(n - i)", "decreases(0 - i)", {"termination"}),
        ("decreases(n - i)", "decreases(7)", {"termination"}),
    ],
)
def test_each_part_is_scored_apart(old: str, new: str, parts: set[str]) -> None:
    assert failing(RIGHT) == set()
    assert failing(RIGHT.replace(old, new)) == parts


@pytest.mark.parametrize(
    ("requires", "ensures"),
    [("True", "True"), ("False", "False"), ("False", "True"), ("n != n", "result == 0"), ("n > 5 and n < 5", "True"), ("True", "False")],
)
def test_trivial_contracts_earn_nothing_whatever_the_code(requires: str, ensures: str) -> None:
    for body in ("return 0", "return n", "a = 0\n    while False:\n        invariant(False)\n        decreases(0)\n    return a"):
        assert failing(f"def f(n, x):\n    requires({requires})\n    ensures({ensures})\n    {body}") == set(PARTS)


@pytest.mark.parametrize("claim", ["False", "i == 0 and i == 1", "i != i", "1 > 2 or n < n"])
def test_contradictory_invariants_prove_nothing(claim: str) -> None:
    assert "invariant" in failing(RIGHT.replace("invariant(0 <= i <= n)", f"invariant({claim})"))
    endless = RIGHT.replace("while i < n:", "while True:").replace("invariant(0 <= i <= n)", f"invariant({claim})")
    assert {"code", "invariant"} <= failing(endless)


def test_code_that_only_knows_the_calls_that_are_tried_is_not_proved() -> None:
    table = "".join(f"    if n == {n} and x == {x}:\n        a = {n * (2 * x + 3) - 1}\n" for n in range(4) for x in range(3))
    head = "\n".join(RIGHT.split("\n")[:3])
    assert {"code", "invariant"} <= failing(f"{head}\n    a = 0\n{table}    return a")
    capped = RIGHT.replace("while i < n:", "while i < n and i < 5000:")
    assert failing(capped) == {"invariant"}


OTHER_PROOFS = {
    "downwards": """
    a = 0
    i = n
    while i > 0:
        invariant(a == (n - i) * (2 * x + 3) and i >= 0)
        decreases(i)
        i = i - 1
        a = a + x + x + 3
    return a - 1""",
    "until equal": """
    a = 2 * 0 - 1
    i = 0
    while not i == n:
        invariant(i <= n and a + 1 == 2 * i * x + 3 * i)
        decreases(2 * n - 2 * i)
        i += 1
        a -= -3 - 2 * x
    return a""",
    "a loop in a branch": """
    a = -1
    if n > 0:
        i = 0
        while i < n:
            invariant(i <= n and a == i * (2 * x + 3) - 1)
            decreases(n - i)
            i = i + 1
            a = a + 2 * x + 3
    return a""",
    "loops in a row": """
    a = -1
    i = 0
    while i + 1 < n:
        invariant(0 <= i and i <= n and a == i * (2 * x + 3) - 1)
        decreases(n - i)
        i = i + 2
        a = a + 4 * x + 6
    while i < n:
        invariant(0 <= i and i <= n and a == i * (2 * x + 3) - 1)
        decreases(n - i)
        i = i + 1
        a = a + 2 * x + 3
    return a""",
    "one loop in another": """
    a = -1
    i = 0
    while i < n:
        invariant(0 <= i <= n and a == i * (2 * x + 3) - 1)
        decreases(n - i)
        j = 0
        while j < 3:
            invariant(0 <= j <= 3 and a == i * (2 * x + 3) - 1 + j)
            decreases(3 - j)
            a = a + 1
            j = j + 1
        a = a + 2 * x
        i = i + 1
    return a""",
}


@pytest.mark.parametrize("name", OTHER_PROOFS)
def test_other_proofs_are_right(name: str) -> None:
    head = "def f(n, x):\n    requires(n > -1)\n    requires(x < 4 or 4 < x)\n    ensures(result + 1 == 2 * n * x + 3 * n)"
    assert failing(head + OTHER_PROOFS[name]) == set()


SUMS = {
    "squares": ("6 * a == i * (i - 1) * (2 * i - 1)", "a = a + s", "result == 4 * (n * (n - 1) * (2 * n - 1) // 6)", 4),
    "triangular": ("2 * a == i * (i - 1)", "a = a + i", "result == 5 * (n * (n - 1) // 2)", 5),
}


@pytest.mark.parametrize("kind", SUMS)
def test_divisions_of_polynomials_that_leave_no_remainder_are_understood(kind: str) -> None:
    """The prover alone does not know that n (n - 1) (2 n - 1) is divisible by 6."""
    invariant, step, ensures, factor = SUMS[kind]
    function = LoopFunction(
        inputs=("n",),
        conditions=(Condition(words="n is at least 0", formula="n >= 0"),),
        quantities=(Quantity(name="a", kind=kind, bound="n", by=1),),
        test="",
        returned=(((factor, "a"),), ()),
    )
    program = f"""def f(n):
    requires(n >= 0)
    ensures({ensures})
    a = 0
    s = 0
    i = 0
    while i < n:
        invariant(0 <= i and i <= n and s == i * i and {invariant})
        decreases(n - i)
        {step}
        s = s + 2 * i + 1
        i = i + 1
    return {factor} * a"""
    assert failing(program, function) == set()
    assert failing(program.replace("2 * i + 1", "2 * i"), function) >= ({"code"} if kind == "squares" else {"invariant"})


@pytest.mark.parametrize("seed", range(30))
def test_formulas_mean_what_the_words_say(seed: int) -> None:
    rng = Rng("words", seed)
    kind = loop_quantities.KINDS[seed % len(loop_quantities.KINDS)]
    quantity = loop_quantities.sample(rng, "a", kind, "n", ["x", "n"], 7)
    words = loop_quantities.words(quantity)
    for n in range(12):
        for x in (-3, 0, 5):
            assert proofs.evaluate(loop_quantities.value(quantity, "n"), {"n": n, "x": x}) == _meaning(words, n, x), words


def _meaning(words: str, n: int, x: int) -> int:
    """What the sentence says, read without the quantity."""
    if found := re.fullmatch(r"a is the largest integer k with (\d+) \* k <= n", words):
        return max(k for k in range(-1, 20) if int(found[1]) * k <= n)
    if found := re.fullmatch(r"a is the remainder, from 0 to \d+, when n is divided by (\d+)", words):
        return n - int(found[1]) * max(k for k in range(-1, 20) if int(found[1]) * k <= n)
    if found := re.fullmatch(
        r"a is the sum, over all integers j with 0 <= j < n, of (\S+) for each even j and (\S+) for each odd j .*", words
    ):
        return sum(int(found[1 + j % 2]) for j in range(n))
    found = re.fullmatch(r"a is the sum of (.*) over all integers j with 0 <= j < n \(0 if n is 0\)", words)
    assert found, words
    return sum(proofs.evaluate(found[1], {"j": j, "n": n, "x": x}) for j in range(n))


def test_what_is_paid_after_a_random_change_is_still_right() -> None:
    """A mutant that scores 1 returns the right value for calls far beyond those that the verifier tries."""
    paid = 0
    for seed in range(12):
        rng = Rng("mutants", seed)
        task = _sampled(seed)
        tokens = re.split(r"(\d+|<=|>=|==|[-+<>])", verified_function.solve(task))
        for _ in range(4):
            place = rng.choice([i for i, token in enumerate(tokens) if i % 2])
            changed = str(int(tokens[place]) + rng.choice((-1, 1))) if tokens[place].isdigit() else rng.choice(("<", "<=", "+", "-", "=="))
            mutant = "".join([*tokens[:place], changed, *tokens[place + 1 :]])
            try:
                answer = READ.parse(mutant)
            except Unreadable:
                continue
            if verified_function.verify(task, answer).value < 1:
                continue
            paid += 1
            program = verified_function.verified.plain(answer)
            for _ in range(30):
                point = {name: rng.integer(-40, 400) for name in task.data.inputs}
                if proofs.evaluate(task.data.requires, point):
                    ended = program.run(*point.values(), entry="f", fuel=100_000)
                    assert ended.value == proofs.evaluate(task.data.value, point), mutant
    assert paid < 16


def _sampled(seed: int) -> Task[LoopFunction]:
    return verified_function.generate(Rng("task", seed), verified_function.Knobs())


def test_two_quantities_need_two_loops_and_a_product() -> None:
    """They run up to different arguments, and the last one is no sum that a division replaces."""
    for seed in range(20):
        for level in (0.5, 1.0):
            first, last = rlgym.task("verified_function", seed, level=level).data.quantities
            assert first.bound != last.bound
            assert last.kind in loop_quantities.NONLINEAR


def test_calls_are_allowed_and_forbidden_and_both_cases_occur() -> None:
    for seed in range(10):
        task = verified_function.generate(Rng("cases", seed), verified_function.Knobs(cases=1, conditions=2))
        points = loop_functions.calls(task.data.inputs)
        allowed = [point for point in points if proofs.evaluate(task.data.requires, point)]
        assert 12 <= len(allowed) < len(points)
        assert len({bool(proofs.evaluate(task.data.test, point)) for point in allowed}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "return 0",
        RIGHT.replace("    return a", "    return a // 2"),
        RIGHT.replace("    return a", "    return a * n"),
        RIGHT.replace("    return a", "    print(a)\n    return a"),
        RIGHT.replace("    return a", "    n = 3\n    return a"),
        RIGHT.replace("    return a", "    return b"),
        RIGHT.replace("        decreases(n - i)\n", ""),
        RIGHT.replace("        a += 2 * x + 3", "        break"),
        RIGHT.replace("        a += 2 * x + 3", "        return 5"),
        RIGHT.replace("requires(n >= 0 and x != 4)", "requires(result >= 0)"),
        RIGHT.replace("invariant(0 <= i <= n)", "invariant(eval('0'))"),
        RIGHT + "\nf(1, 2)",
        "def f(n, x):\n    return " + "-" * 3000 + "n",
    ],
)
def test_other_programs_are_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        READ.parse(text)


def test_the_parts_are_a_ladder_of_rewards() -> None:
    """The configuration in docs/rewards.md pays each rung, and a wrong answer never as much as a right one."""
    terms = [{"weight": 0.55, "reward": "right"}, {"weight": 0.05, "reward": "readable"}]
    terms += [{"weight": 0.08, "reward": {"part": {"name": name}}} for name in PARTS]
    env = rlgym.make("verified_function", level=0, rewards=combined_shaping({"weighted": {"terms": terms}}))
    env.reset(seed=3)
    right = env.oracle()
    rungs = []
    for change in (
        lambda text: "nothing",
        lambda text: re.sub(r"return [^<]*", "return 7", re.sub(r"(requires|ensures)\(.*\)", r"\1(True)", text)),
        lambda text: re.sub(r"(requires|ensures)\(.*\)", r"\1(True)", text),
        lambda text: re.sub(r"ensures\(.*\)", "ensures(True)", text),
        lambda text: re.sub(r"invariant\(.*\)", "invariant(True)", re.sub(r"decreases\(.*\)", "decreases(1)", text)),
        lambda text: re.sub(r"decreases\(.*\)", "decreases(1)", text),
        lambda text: text,
    ):
        env.reset(seed=3)
        rungs.append(float(env.step(change(right))[1]))
    assert rungs == pytest.approx([0, 0.05, 0.13, 0.21, 0.29, 0.37, 1.0])
