"""The pairs of families that are compared with reasoning-gym."""

import json
from pathlib import Path

import pytest

import rlgym
from rlgym.cli.reasoning_gym_pairs import PAIRS

MEASURED = Path(__file__).parents[1] / "docs" / "peers" / "reasoning_gym_speed.json"


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.ours}-{pair.theirs}")
def test_the_knobs_of_a_pair_are_valid(pair):
    assert rlgym.task(pair.ours, 0, **pair.knobs).origin.knobs.items() >= pair.knobs.items()


def test_every_pair_appears_once_and_was_measured():
    keys = [json.dumps([pair.ours, dict(pair.knobs), pair.theirs, dict(pair.settings)]) for pair in PAIRS]
    rows = json.loads(MEASURED.read_text(encoding="utf-8"))["families"]
    assert len(set(keys)) == len(keys) >= 60
    assert keys == [json.dumps([row["ours"], row["knobs"], row["theirs"], row["settings"]]) for row in rows]


def test_a_pair_in_which_ours_is_below_half_as_fast_states_a_reason():
    rows = json.loads(MEASURED.read_text(encoding="utf-8"))["families"]
    assert [row["ours"] for row in rows if row["ratio"] < 0.5 and not row["reason"]] == []
