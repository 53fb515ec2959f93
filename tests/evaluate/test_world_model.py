"""Planning in an imagined world, on a simulated player of a maze that knows more or less well what its moves lead to."""

import hashlib
import json

import pytest
from evaluate.test_strategies import ran
from evaluate.test_tree_search import Player
from pydantic import ValidationError

from rlgym.evaluate.models.base import Completion
from rlgym.evaluate.strategies.tree_search import PROMISE_OF_EPISODE
from rlgym.evaluate.strategies.world_model import IMAGINE, ImagineOptions
from rlgym.evaluate.suites import from_names

LAKES = from_names("frozen_lake_text", levels=[0.25], count=12)


class Dreamer(Player):
    """As the player, but it knows an environment's reply with probability `knowledge`, and judges an episode by the replies that it reads."""

    def __init__(self, skill=0.6, knowledge=1.0):
        super().__init__(LAKES, skill)
        self.knowledge, self.imagined = knowledge, []

    async def generate(self, messages, tools, sampling, seed):
        key = hashlib.sha256(json.dumps([list(messages), seed]).encode()).digest()
        last = messages[-1]["content"]
        if last == IMAGINE:
            self.requests[key] += 1
            before, after = self.session(messages[:-2]), self.session(messages[:-1])
            won = after.score is not None and after.score.value == 1.0
            closer = won or (not after.done and len(after.oracle()) < len(before.oracle()))
            knows = key[0] / 256 < self.knowledge
            reply = "You are nearer to the goal." if closer == knows else "That was a mistake."
            self.imagined.append(reply)
            return Completion({"role": "assistant", "content": reply}, 50, 8)
        if last.endswith(PROMISE_OF_EPISODE):
            self.requests[key] += 1
            return Completion({"role": "assistant", "content": "90" if "nearer to the goal" in last else "10"}, 50, 1)
        return await super().generate(messages, tools, sampling, seed)


def test_a_model_that_knows_the_world_plays_better_than_one_sample_and_one_that_does_not_gains_nothing(tmp_path):
    facts = ran(tmp_path, "episode,imagine", Dreamer(), {"children": 4}, suite=LAKES)["strategies"]
    assert facts["imagine"]["accuracy"] >= facts["episode"]["accuracy"] + 0.3
    assert facts["imagine"]["accuracy"] == facts["imagine"]["ceiling"]  # one real episode is played
    wrong = ran(tmp_path / "wrong", "imagine", Dreamer(knowledge=0.0), {"children": 4}, suite=LAKES)["strategies"]
    assert wrong["imagine"]["accuracy"] <= facts["episode"]["accuracy"]


def test_futures_cost_their_calls_and_a_resumed_run_asks_nothing_again(tmp_path):
    short = ran(tmp_path / "short", "imagine", Dreamer(), {"children": 2}, suite=LAKES.first(4))["strategies"]["imagine"]
    options = {"children": 2, "imaginations": 2, "depth": 2}
    first = Dreamer()
    long = ran(tmp_path / "long", "imagine", first, options, suite=LAKES.first(4))
    assert first.imagined
    assert long["strategies"]["imagine"]["calls"] > short["calls"]
    again = Dreamer()
    assert ran(tmp_path / "long", "imagine", again, options, suite=LAKES.first(4))["strategies"] == long["strategies"]
    assert not again.requests


def test_one_response_needs_no_imagination(tmp_path):
    model = Dreamer()
    ran(tmp_path, "imagine", model, {"children": 1}, suite=LAKES.first(3))
    assert not model.imagined
    with pytest.raises(ValidationError):
        ImagineOptions(depth=0)
