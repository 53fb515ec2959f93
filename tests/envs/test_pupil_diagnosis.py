"""Pupils with faulty procedures: what they answer, sums in words, and what proves a fault."""

from __future__ import annotations

import pytest

from rlgym import Rng
from rlgym.envs.tools import pupil_diagnosis as world
from rlgym.generators.services.tutoring import FAULTS, RULES, Heard, answer, candidates, gap, signs
from rlgym.generators.users.sums import Sum, sums


def first(seed: int, level: float = 1.0) -> world.State:
    return world.start(Rng("pupils", seed), world.Knobs.at(level))


@pytest.mark.parametrize(
    ("fault", "given", "said"),
    [
        ("smaller_from_larger", Sum(52, "-", 38), 26),
        ("free_borrow", Sum(52, "-", 38), 24),
        ("writes_zero", Sum(52, "-", 38), 20),
        ("zero_digit", Sum(400, "-", 163), 363),
        ("forgets_carry", Sum(47, "+", 38), 75),
        ("whole_sums", Sum(47, "+", 38), 715),
        ("always_carries", Sum(23, "+", 41), 74),
        ("multiplies_alone", Sum(34, "x", 6), 84),
        ("ones_only", Sum(34, "x", 6), 54),
    ],
)
def test_each_fault_gives_its_own_answers(fault: str, given: Sum, said: int) -> None:
    assert answer(fault, given) == said != given.result


def test_a_fault_changes_no_other_operation_and_nothing_where_it_does_not_matter() -> None:
    assert answer("smaller_from_larger", Sum(47, "+", 38)) == 85
    assert answer("free_borrow", Sum(58, "-", 32)) == 26
    assert all(answer(fault, Sum(0, FAULTS[fault].sign, 0)) == 0 for fault in FAULTS if fault != "whole_sums")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is forty-seven plus thirty-eight?", "47 + 38"),
        ("Subtract 38 from 72.", "72 - 38"),
        ("305 minus 148 and then 3 * 4", "305 - 148, 3 x 4"),
        ("a hundred and five take away sixteen", "105 - 16"),
        ("the difference between 83 and 57, the sum of 2 and 3", "83 - 57, 2 + 3"),
        ("47-38, 9\u00d78", "47 - 38, 9 x 8"),
        ("in 2024 we were 20-30 people of twenty-one", "20 - 30"),
        ("no sum at all", ""),
    ],
)
def test_sums_are_read_from_digits_and_words(text: str, found: str) -> None:
    assert ", ".join(map(str, sums(text))) == found


def test_an_answer_that_no_fault_explains_is_a_slip_and_the_last_answer_to_a_sum_counts() -> None:
    faults = ("smaller_from_larger", "free_borrow")
    slip = (Sum(52, "-", 38), 17)
    assert candidates([slip], faults) == list(faults)
    assert candidates([slip, (Sum(52, "-", 38), 26)], faults) == ["smaller_from_larger"]
    assert signs([slip, (Sum(52, "-", 38), 26)], "smaller_from_larger") == 1


def test_a_fault_that_is_right_but_not_proved_loses() -> None:
    faults = ("smaller_from_larger", "free_borrow")
    proved = Heard(answers=((Sum(52, "-", 38), 26), (Sum(91, "-", 45), 54)), topics=("explain",), praised=True)
    assert gap(proved, "smaller_from_larger", faults, RULES) == ""
    assert gap(proved._replace(answers=()), "smaller_from_larger", faults, RULES)
    assert gap(proved._replace(answers=proved.answers[:1]), "smaller_from_larger", faults, RULES)
    assert gap(proved._replace(praised=False), "smaller_from_larger", faults, RULES)
    assert gap(proved._replace(topics=()), "smaller_from_larger", faults, RULES)


def test_the_oracle_wins_and_a_rule_skipped_loses() -> None:
    for seed in range(4):
        for level, least, most in ((0.0, 2, 5), (1.0, 20, 60)):
            state = first(seed, level)
            assert least <= world.count_turns(state, world.act, world.best, world.outcome) <= most
            for policy in world.rules(state).values():
                played = state
                while world.outcome(played) is None:
                    played = world.act(played, policy(played))
                assert world.outcome(played).value == 0


def test_a_guess_and_too_many_sums_lose() -> None:
    state = first(1, 0.0)
    code = state.pupils[0].person.code
    assert world.act(state, (world.NameFault(pupil=code, fault=state.pupils[0].fault),)).spoiled
    for number in range(state.limit + 1):
        state = world.act(state, (world.Say(pupil=code, text=f"Well done! What is {60 + number} + 3?"),))
    assert state.spoiled


@pytest.mark.parametrize(
    "text", ["x" * 4000, "A-" * 590, "Was ist das denn?", "\u202e?" * 900, "Is the moon made of cheese?", "9" * 900 + " + 1?"]
)
def test_what_is_not_understood_reveals_nothing(text: str) -> None:
    state = first(0, 0.5)
    after = world.act(state, (world.Say(pupil=state.pupils[0].person.code, text=text),))
    assert after.heard[0].answers == ()
    assert after.told
