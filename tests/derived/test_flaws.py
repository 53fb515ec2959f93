"""NAME:name_flaws: critiques are paid by their overlap with the known flaws."""

import pytest

import rlgym
from rlgym.answers import Unreadable
from rlgym.derived.flaws import FlawList
from rlgym.laws import check

NAMES = ("chain_sum", "lru_cache", "knights_and_knaves")


@pytest.mark.parametrize("name", NAMES)
def test_the_known_flaws_are_the_first_wrong_steps_of_the_audit(name):
    audited, flawed = rlgym.environment(f"{name}:audit"), rlgym.environment(f"{name}:name_flaws")
    for seed in range(4):
        task, base = rlgym.task(f"{name}:name_flaws", seed, level=0.5), rlgym.environment(name)
        right = flawed.solve(task)
        assert tuple(letter for letter, _ in right) == audited.solve(task)
        for letter, number in right:
            part = task.data.parts["ABCDEFGH".index(letter)]
            assert base.replay(rlgym.core.task.Task(part.question, part.inner), part.steps) == number - 1
        assert flawed.verify(task, right).value == 1.0
        assert flawed.answer.render(right) in flawed.explain(task)[-1]


def test_the_score_is_the_overlap_with_the_known_flaws_beyond_blind_guesses():
    declared = rlgym.environment("chain_sum:name_flaws")
    task = next(task for seed in range(50) if len(declared.solve(task := rlgym.task("chain_sum:name_flaws", seed, level=0.5))) == 3)
    one, two, three = right = declared.solve(task)
    same = [sum(number == step for _, number in right) for step in range(1, 40)]
    last = sum(number == len(task.data.parts["ABCDEF".index(letter)].steps) for letter, number in right)
    blind = 2 * max(*same, last) / (6 + 3)
    assert declared.verify(task, (one,)).value == pytest.approx(max(0, 2 / 4 - blind))
    assert declared.verify(task, (one, two)).value == pytest.approx(4 / 5 - blind)
    elsewhere = tuple((letter, number + 1) for letter, number in right)
    moved = declared.verify(task, elsewhere)
    assert (moved.value, moved.parts["verdicts"]) == (0.0, 1.0)
    others = [(letter, 1) for letter in "ABCDEF" if letter not in dict(right)]
    shotgun = declared.verify(task, (one, two, three, *others))
    assert shotgun.value == pytest.approx(6 / 9 - blind)
    assert shotgun.parts == {"precision": 0.5, "recall": 1.0, "f1": pytest.approx(6 / 9), "verdicts": 0.0}
    assert declared.verify(task, ()).value == 0.0


@pytest.mark.parametrize("name", ["chain_sum", "lru_cache", "sudoku"])
def test_one_step_of_every_solution_earns_nothing(name):
    declared = rlgym.environment(f"{name}:name_flaws")
    for seed in range(12):
        task = rlgym.task(f"{name}:name_flaws", seed, level=0.0)
        for number in range(1, 4):
            guess = tuple((letter, number) for letter in "ABCD")
            assert declared.verify(task, guess).value == float(guess == declared.solve(task))


def test_solutions_without_a_flaw_are_none():
    declared = rlgym.environment("chain_sum:name_flaws")
    task = next(task for seed in range(400) if not declared.solve(task := rlgym.task("chain_sum:name_flaws", seed, level=0.0)))
    assert rlgym.score(task, "<answer>none</answer>").value == 1.0
    assert rlgym.score(task, "<answer>A1</answer>").value == 0.0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A3 C1", (("A", 3), ("C", 1))),
        ("c: step 1, a step 3", (("A", 3), ("C", 1))),
        ("Solution A: step 3 and Solution C: step 1.", (("A", 3), ("C", 1))),
        ("none", ()),
        ("A3 A4", None),
        ("A", None),
        ("A0", None),
        ("I3", None),
        ("A3 and more", None),
        ("", None),
    ],
)
def test_a_list_of_flaws_is_read(text, value):
    if value is None:
        with pytest.raises(Unreadable):
            FlawList().parse(text)
    else:
        assert FlawList().parse(text) == value
        assert all(FlawList().parse(form) == value for form in FlawList().variants(value))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lru_cache:name_flaws", "chain_sum:name_flaws"])
def test_it_obeys_the_laws(name):
    assert not {law: finding.failures for law, finding in check(name, effort="least").findings.items() if not finding.passed}
