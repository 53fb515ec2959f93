"""Reward programs: accepted where they rank recorded episodes as the verifier does, and run on the typed state."""

import json
from dataclasses import replace

import pytest

import rlgym
from rlgym.audit.reward_program import Accepted, ProgramRefused, RewardProgram, accept, accepted_program, episode_value
from rlgym.dataset import row_without_oracle
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.episodes.results import load
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names

CLOSE = """
import re

def reward(state, response):
    found = re.search(r"<answer>(-?\\d+)</answer>", response)
    total = sum(state["terms"])
    return 1 / (1 + abs(int(found[1]) - total)) if found else 0.0
"""
LONG = "def reward(state, response):\n    return len(response)\n"


def row(seed, text, right, **more):
    found = {
        "env": "chain_sum",
        "version": rlgym.environment("chain_sum").version,
        "level": 0.0,
        "seed": seed,
        "masked": False,
        "right": right,
    }
    return (
        found
        | {"id": row_without_oracle("chain_sum", seed, 0.0)["id"], "messages": json.dumps([{"role": "assistant", "content": text}])}
        | more
    )


def data(seed):
    return rlgym.task("chain_sum", seed, level=0.0).data


def total(seed):
    return rlgym.environment("chain_sum").solve(rlgym.task("chain_sum", seed, level=0.0))


def rows(*seeds):
    texts = lambda seed: (f"<answer>{total(seed)}</answer>", f"I think, at length: <answer>{total(seed) + 3}</answer>")  # noqa: E731
    return [row(seed, text, place == 0) for seed in seeds for place, text in enumerate(texts(seed))]


@pytest.fixture
def close():
    [terms] = [name for name, value in data(1).model_dump(mode="json").items() if isinstance(value, list)]
    return RewardProgram(CLOSE.replace("terms", terms), "reward", "chain_sum")


def test_a_program_that_ranks_as_the_verifier_does_is_accepted_and_pays_on_the_typed_state(close):
    program = accepted_program(close, rows(1, 2))
    assert (program.accepted.tasks, program.accepted.episodes) == (2, 4)
    env = program.wrap(rlgym.make("chain_sum", level=0.0), weight=0.5)
    for off, score in ((0, 1.0), (3, 0.0)):
        env.reset(seed=1)
        _, reward, over, _, info = env.step(f"<answer>{total(1) + off}</answer>")
        assert over
        assert info["score"].value == score
        assert info["program_reward"] == pytest.approx(1 / (1 + off))
        assert reward == pytest.approx(score + 0.5 / (1 + off))


def test_a_program_that_pays_failures_more_is_refused_with_examples():
    with pytest.raises(
        ProgramRefused, match=r"ranks failures above successes: chain_sum-v\d+-1-\w+: a failure earns \d+, a success \d+; chain_sum-v"
    ):
        accepted_program(RewardProgram(LONG, "reward", "chain_sum"), rows(1, 2))


def test_a_constant_program_an_unaccepted_one_and_one_of_another_version_are_refused(close):
    with pytest.raises(ProgramRefused, match="pays failures and successes alike on all 2 tasks"):
        accepted_program(RewardProgram("def reward(state, response):\n    return 1\n", "reward", "chain_sum"), rows(1, 2))
    with pytest.raises(ProgramRefused, match="has not been accepted"):
        close.wrap(rlgym.make("chain_sum"))
    older = replace(close, accepted=Accepted(1, 2, 0))
    with pytest.raises(ProgramRefused, match="was accepted for version 0 of chain_sum"):
        older.wrap(rlgym.make("chain_sum"))
    for name in ("reward(1); import os", "class", ""):
        with pytest.raises(ProgramRefused, match="no name of a function"):
            RewardProgram(CLOSE, name, "chain_sum")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def reward(state, response):\n    return float('nan')\n", "returned nan: it must return a finite number"),
        ("def reward(state, response):\n    return state['no such field']\n", "the reward program 'reward' failed"),
        ("import numpy_that_is_not_there\ndef reward(state, response):\n    return 1\n", "the reward program 'reward' failed"),
        ("def other(state, response):\n    return 1\n", "the reward program 'reward' failed"),
    ],
)
def test_a_program_that_fails_is_refused(source, message):
    with pytest.raises(ProgramRefused, match=message):
        accepted_program(RewardProgram(source, "reward", "chain_sum"), rows(1))


def test_episodes_of_one_verdict_or_another_version_prove_nothing(close):
    for given in (rows(1)[:1], [one | {"version": 0} for one in rows(1)], [one | {"masked": True} for one in rows(1)]):
        with pytest.raises(ProgramRefused, match=r"no task of chain_sum .* with a success and a failure"):
            accepted_program(close, given)
    with pytest.raises(ProgramRefused, match="was accepted for 'chain_sum', not for 'higher_lower'"):
        accepted_program(close, rows(1)).wrap(rlgym.make("higher_lower"))


def test_a_game_is_paid_turn_by_turn_by_its_states_before_and_after(tmp_path):
    suite = from_names("higher_lower", levels=[0.0], count=2)
    found = []
    for kind in ("oracle", "mistake"):
        evaluate(EvaluationPlan(suite, BuiltinModel(kind, suite.rows), EpisodeConfig(Sampling())), tmp_path / kind)
        found += load(tmp_path / kind).rows
    source = "def reward(state, response):\n    return float(state['before'] != state['after']) - 1\n"
    # Every turn of these episodes changes the state, so that their sums are equal.
    with pytest.raises(ProgramRefused, match="pays failures and successes alike"):
        accepted_program(RewardProgram(source, "reward", "higher_lower"), found)
    program = RewardProgram(source, "reward", "higher_lower", Accepted(2, 4, rlgym.environment("higher_lower").version))
    env = program.wrap(rlgym.make("higher_lower", level=0.0))
    env.reset(seed=1)
    _, reward, over, _, info = env.step("nothing that can be read")
    assert (reward, over, info["program_reward"]) == (-1.0, False, -1.0)


def test_recorded_episodes_are_played_again_in_their_answer_style(tmp_path):
    suite = from_names("higher_lower", levels=[0.0], count=1, answer_style="boxed")
    evaluate(EvaluationPlan(suite, BuiltinModel("oracle", suite.rows), EpisodeConfig(Sampling())), tmp_path / "run")
    [found] = load(tmp_path / "run").rows
    program = RewardProgram("def reward(state, response):\n    return state['after'] != state['before']\n", "reward", "higher_lower")
    assert episode_value(program, found) == found["turns"] > 0


def test_a_file_and_the_folder_of_a_run(tmp_path):
    suite = from_names("chain_sum", levels=[0.0], count=2)
    evaluate(EvaluationPlan(suite, BuiltinModel("oracle", suite.rows), EpisodeConfig(Sampling())), tmp_path / "run")
    (tmp_path / "shaped.py").write_text(LONG)
    with pytest.raises(ProgramRefused, match="with a success and a failure"):
        accept(tmp_path / "shaped.py", "chain_sum", tmp_path / "run")
    with pytest.raises(ProgramRefused, match="cannot be read"):
        accept(tmp_path / "none.py", "chain_sum", tmp_path / "run")
