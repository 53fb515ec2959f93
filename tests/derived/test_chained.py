"""NAME:chained: each number that a symbol replaces follows from the answer before, and the answer depends on it."""

import re

import pytest

import rlgym
from rlgym.core.task import Task
from rlgym.derived.base_task import unwrap_all
from rlgym.laws import check
from rlgym.registry import derived

CHAINED = [name for name in rlgym.names() if getattr(rlgym.environment(name), "chains", False)]
_DEFINITION = re.compile(r"In this task, (\S+) = \(?(.+?)\)?(?: ([+-]) (\d+))?\.")


def value_of(description, answer):
    """The number that a definition names, read from its words alone."""
    if "the sum of the numbers" in description:
        answer = sum(answer)
    if "the absolute value" in description:
        answer = abs(answer)
    return answer % 997 if "divided by 997" in description else answer


def test_there_are_chained_environments():
    assert len(CHAINED) >= 20
    assert all(f"{name}:chained" in derived(name) for name in CHAINED)
    assert "sudoku:chained" not in derived("sudoku")


@pytest.mark.parametrize("name", CHAINED)
def test_the_definitions_give_back_the_tasks(name):
    declared = rlgym.environment(name)
    for seed, level in ((1, 0.0), (2, 0.5)):
        task = rlgym.task(f"{name}:chained", seed, level=level)
        bases = unwrap_all(task)
        for before, base, part in zip(bases, bases[1:], task.data.parts[1:]):
            definition, _, masked = part.shown.partition("\n\n")
            symbol, description, sign, shift = _DEFINITION.fullmatch(definition).groups()
            number = value_of(description, declared.solve(before)) + int(f"{sign or '+'}{shift or 0}")
            assert masked.count(symbol) == 1
            assert masked.replace(symbol, str(number)) == base.prompt
            assert part.shown in task.prompt
        assert rlgym.environment(f"{name}:chained").solve(task) == declared.solve(bases[-1])


def test_a_slip_in_the_first_answer_changes_the_last_one():
    declared, changed, total = rlgym.environment("modular_power"), 0, 0
    for seed in range(20):
        _, base = unwrap_all(rlgym.task("modular_power:chained", seed, level=0.3, chain_length=2))
        dumped = base.data.model_dump()
        masked = rlgym.task("modular_power:chained", seed, level=0.3, chain_length=2).data.parts[1].shown.partition("\n\n")[2]
        number = int(
            next(one for one, other in zip(re.findall(r"[0-9]+|K2", base.prompt), re.findall(r"[0-9]+|K2", masked)) if other == "K2")
        )
        slipped = {field: value + 1 if value == number else value for field, value in dumped.items()}
        total += 1
        changed += declared.solve(Task("", type(base.data)(**slipped))) != declared.solve(base)
    assert changed == total


def test_only_the_last_answer_is_scored_and_the_chain_grows():
    env = rlgym.make("chain_sum:chained", level=0.2)
    env.reset(seed=1)
    bases = unwrap_all(env.unwrapped.task)
    first = rlgym.environment("chain_sum").solve(bases[0])
    assert env.step(f"<answer>{first}</answer>")[1] == 0.0
    env.reset(seed=1)
    assert env.step(env.unwrapped.oracle())[1] == 1.0
    assert [len(rlgym.task("chain_sum:chained", 1, level=level).data.parts) for level in (0, 0.5, 1)] == [2, 4, 6]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chain_sum:chained", "gcd_lcm:chained", "word_problem_ages:chained"])
def test_it_obeys_the_laws(name):
    assert not {law: finding.failures for law, finding in check(name, effort="least").findings.items() if not finding.passed}
