"""Reward machines: by hand, on the log of a tool world, and what is no machine."""

import json

import pytest

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.episode.play import Event
from rlgym.rewards.reward_machine import FIXED_LABELS, LONGEST_ANSWER, machine_of

ORDERED = {
    "start": "idle",
    "transitions": [
        {"source": "idle", "when": ["unreadable"], "target": "failed", "reward": -1},
        {"source": "idle", "when": ["call:look"], "unless": ["call:submit"], "target": "seen", "reward": 0.25},
        {"source": "seen", "when": ["end", "right"], "target": "done", "reward": 1},
    ],
}


@pytest.mark.parametrize(
    ("turns", "state", "rewards"),
    [
        ([], "idle", []),
        ([{"answer"}, {"answer", "call:look"}, {"end", "right"}], "done", [0, 0.25, 1]),
        ([{"end", "right"}], "idle", [0]),  # right, but without looking
        ([{"call:look", "call:submit"}], "idle", [0]),  # forbidden beside it
        ([{"unreadable", "call:look"}, {"call:look"}], "failed", [-1, 0]),  # the first edge that fits, and the end of all payment
        ([{"call:look"}, {"end", "wrong"}, {"call:look"}], "seen", [0.25, 0, 0]),
    ],
)
def test_runs_by_hand(turns, state, rewards):
    assert machine_of(ORDERED).run(turns) == (state, rewards)


def call(name, **arguments):
    return f"<answer>{json.dumps({'tool': name, 'arguments': arguments})}</answer>"


def test_the_labels_come_from_the_log_of_the_environment():
    env = rlgym.make("calculator_and_lookup", level=0.3)
    env.reset(seed=3)
    machine = machine_of(
        {
            "start": "a",
            "labels": [{"name": "two", "pattern": r"\b2\b"}],
            "transitions": [{"source": "a", "when": ["two"], "target": "a", "reward": 1}],
        }
    )
    env.step("I call look now.")
    env.step(call("calculate", expression="1 + 2"))
    while (now := env.snapshot()).score is None:
        env.step(env.oracle())
    first, second = (machine.turn_labels(now.events, turn) for turn in (1, 2))
    assert first == {"turn", "unreadable"}
    assert second == {"turn", "answer", "call:calculate", "two"}
    last = machine.turn_labels(now.events, now.turn, now.score)
    assert {"turn", "end", "right", "answer"} < last
    assert {label.partition(":")[0] for label in last} <= {*FIXED_LABELS, "call", "two"}
    assert machine.rewards(now.events, now.turn, now.score)[:2] == [0, 1]


def test_patterns_are_searched_in_the_first_part_of_an_answer():
    machine = machine_of(changed(labels=[{"name": "two", "pattern": "2"}]))
    for length, found in ((LONGEST_ANSWER - 1, True), (LONGEST_ANSWER, False)):
        assert ("two" in machine.turn_labels([Event(1, "answer", "x" * length + "2")], 1)) == found


def changed(**fields):
    return {**ORDERED, **fields}


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (changed(transitions=[]), "transitions"),
        (changed(start="nowhere"), "cannot be reached from 'nowhere'"),
        (changed(transitions=[{"source": "idle", "when": ["won"], "target": "idle"}]), "there is no label 'won'"),
        (changed(transitions=[{"source": "idle", "when": [], "target": "idle"}]), "when"),
        (changed(labels=[{"name": "a", "pattern": "("}]), "no regular expression"),
        (changed(labels=[{"name": "right", "pattern": "a"}]), "has a meaning already"),
        (changed(begin="idle"), "begin"),
    ],
)
def test_what_is_no_machine_is_refused(description, message):
    with pytest.raises(RlgymError, match=message):
        machine_of(description)
