"""Graded rewards for tool calls, by hand, and on a tool world."""

import json

import pytest

from rlgym.core.answer import Unreadable
from rlgym.dataset import Session
from rlgym.evaluate.suites import from_names
from rlgym.rewards.tool_calls import ToolCallReward, read_calls, reward_turn


def calls(*listed):
    return "<answer>" + "\n".join(json.dumps({"tool": name, "arguments": arguments}) for name, arguments in listed) + "</answer>"


RIGHT = calls(("find", {"city": "Oslo", "nights": 2}), ("book", {"room": 7}))
FINE = ToolCallReward()


@pytest.mark.parametrize(
    ("response", "share"),
    [
        (RIGHT, 1.0),
        (calls(("book", {"room": 7}), ("find", {"nights": 2, "city": "Oslo"})), 1.0),
        # S_max = 1 + (1 + 2) + (1 + 1) = 6. Names 1; find: keys 1 and one value of two; book: keys 1 and its value.
        (calls(("find", {"city": "Oslo", "nights": 3}), ("book", {"room": 7})), 5 / 6),
        # Names: 1 of 2; find alone, in full: 3.
        (calls(("find", {"city": "Oslo", "nights": 2})), 3.5 / 6),
        # Names 1; find: one key of three (city; nights, days), one value; book in full.
        (calls(("find", {"city": "Oslo", "days": 2}), ("book", {"room": 7})), (1 + 1 / 3 + 1 + 2) / 6),
        (calls(("sell", {"room": 7})), 0.0),
        # true is not 1, and "7" is not 7.
        (calls(("find", {"city": "Oslo", "nights": 2}), ("book", {"room": "7"})), 5 / 6),
    ],
)
def test_calls_are_graded_by_names_parameters_and_values(response, share):
    assert FINE.share(read_calls(response), read_calls(RIGHT)) == pytest.approx(share)
    assert FINE(response, RIGHT) == pytest.approx(1 + 3 * (2 * share - 1))


def test_each_right_call_takes_its_best_unused_match():
    right = calls(("add", {"a": 1, "b": 2}), ("add", {"a": 3, "b": 4}))
    swapped = calls(("add", {"a": 3, "b": 4}), ("add", {"a": 1, "b": 2}))
    assert FINE.share(read_calls(swapped), read_calls(right)) == 1.0
    twice = calls(("add", {"a": 1, "b": 2}), ("add", {"a": 1, "b": 2}))
    assert FINE.share(read_calls(twice), read_calls(right)) == pytest.approx((1 + 3 + 1) / 7)


def test_coarser_rewards():
    near = calls(("find", {"city": "Oslo", "nights": 3}), ("book", {"room": 7}))
    coarse, intermediate = ToolCallReward("coarse"), ToolCallReward("intermediate")
    assert (coarse(near, RIGHT), coarse(RIGHT, RIGHT)) == (1 - 3, 1 + 3)
    assert intermediate.share(read_calls(near), read_calls(RIGHT)) == pytest.approx((1 + 2) / 6)
    assert intermediate.share(read_calls(RIGHT), read_calls(RIGHT)) == 1.0


@pytest.mark.parametrize(
    ("response", "f1"),
    [
        (RIGHT, 1.0),
        (calls(("book", {"room": 7})), 2 / 3),  # precision 1, recall 1/2
        (calls(("find", {"city": "Oslo", "nights": 2}), ("book", {"room": 8})), 1 / 2),
        # The right calls among all that one could try: precision 2/4, recall 1.
        (calls(("find", {"city": "Oslo", "nights": 2}), ("book", {"room": 7}), ("book", {"room": 8}), ("book", {"room": 9})), 2 / 3),
        (calls(*[("book", {"room": 7})] * 3), 2 / 5),  # a call that is repeated counts once
        (calls(("find", {"city": "Rome", "nights": 2})), 0.0),
    ],
)
def test_the_f1_of_calls_weighs_solved_sub_questions_against_calls(response, f1):
    reward = ToolCallReward("f1")
    assert reward.share(read_calls(response), read_calls(RIGHT)) == pytest.approx(f1)
    assert reward(response, RIGHT) == pytest.approx(1 + 3 * (2 * f1 - 1))


def test_what_cannot_be_read_gets_the_least_and_no_reward_for_its_format():
    for response in ("", "I would call find.", "<answer>find(city)</answer>"):
        assert FINE(response, RIGHT) == -3.0
    with pytest.raises(Unreadable):
        FINE(RIGHT, "no calls")


def test_the_weight_moves_from_the_format_to_the_correctness():
    wrong = calls(("sell", {}))
    assert [FINE(wrong, RIGHT, progress=progress) for progress in (0.0, 0.5, 1.0)] == [1.0, 0.5 - 1.5, -3.0]
    assert FINE(RIGHT, RIGHT, progress=1.0) == 3.0


def test_the_oracle_of_a_tool_world_earns_the_most_in_every_turn():
    session = Session(from_names("tool_composition", levels=[0.5], count=1).rows[0])
    paid = []
    while not session.done:
        response = session.oracle()
        paid.append(reward_turn(session, response))
        assert reward_turn(session, "<answer>{}</answer>") == -3.0
        session.step(response)
    assert len(paid) > 1
    assert set(paid) == {4.0}
