"""Search over steps on a simulated model that must take three right steps: what it finds, what it costs, and that a resumed run asks nothing twice."""

import hashlib
import json
from collections import Counter

import pytest
from evaluate.test_strategies import SUITE, ran
from pydantic import ValidationError

from rlgym.dataset import Session
from rlgym.evaluate.models.base import Completion
from rlgym.evaluate.strategies import STRATEGIES
from rlgym.evaluate.strategies.problem import CONFIDENCE, PROMISE
from rlgym.evaluate.strategies.search import RebaseOptions, shares

STEPS = 3
SMALL = SUITE.first(30)


class Stepwise:
    """Each step is right with probability `skill`; after three it answers, rightly if all were right. It knows a wrong step with `insight`."""

    kind, name, max_concurrency = "simulated", "stepwise", 4

    def __init__(self, skill=0.6, insight=1.0, kinds=40):
        self.skill, self.insight, self.kinds = skill, insight, kinds
        self.answers = {Session(row).observation: Session(row).oracle() for row in SMALL.rows}
        self.requests = Counter()

    def metadata(self):
        return {}

    async def close(self):
        pass

    async def generate(self, messages, tools, sampling, seed):
        key = hashlib.sha256(json.dumps([list(messages), seed]).encode()).digest()
        self.requests[key] += 1
        last = messages[-1]
        if last["content"] in (CONFIDENCE, PROMISE):
            sure = "bad" not in messages[-2]["content"]
            knows = key[0] / 256 < self.insight
            return Completion({"role": "assistant", "content": "90" if sure == knows else "10"}, 50, 1)
        text = last["content"] if last["role"] == "assistant" else ""
        added = []
        for place in range(text.count("\n\n"), STEPS + 1):
            added.append(self.line(messages[0]["content"], text + "".join(added), place, key))
            if "stop" in sampling.extra:
                break
        return Completion({"role": "assistant", "content": "\n\n".join(added)}, 50, 10 * len(added))

    def line(self, prompt, text, place, key):
        if place == STEPS:
            return "<answer>123456</answer>" if "bad" in text else self.answers[prompt]
        word = "good" if key[place + 1] / 256 < self.skill else "bad"
        return f"{word} {key[place + 8] % self.kinds}"


@pytest.mark.parametrize("name", ["beam", "lookahead", "rebase", "mcts"])
def test_a_search_by_right_estimates_beats_one_sample_and_a_vote(tmp_path, name):
    options = {"n": 8, "simulations": 24} if name == "mcts" else {"n": 8}
    summary = ran(tmp_path, f"single,majority,{name}", Stepwise(), options, suite=SMALL)
    facts = summary["strategies"]
    assert 0.05 < facts["single"]["accuracy"] < 0.5  # 0.6 ** 3 = 0.216
    assert facts[name]["accuracy"] > max(0.8, facts["majority"]["accuracy"])
    assert facts[name]["accuracy"] <= facts[name]["ceiling"]
    assert facts[name]["accuracy"] > facts["single"]["accuracy"] + 0.3
    assert facts[name]["calls"] > 8
    assert facts[name]["tokens"] > facts["single"]["tokens"]
    assert all(part["accuracy"][name] is not None for part in summary["quintiles"])


def test_estimates_without_insight_choose_no_better_than_chance(tmp_path):
    facts = ran(tmp_path, "beam", Stepwise(insight=0.5), {"n": 8, "beams": 2}, suite=SMALL)["strategies"]["beam"]
    assert facts["accuracy"] < 0.75


def test_equal_texts_are_one_state_and_cost_one_estimate(tmp_path):
    # One kind of good step and no bad one: the eight first steps are one text, and so are those after them.
    facts = ran(tmp_path, "beam", Stepwise(skill=1.0, kinds=1), {"n": 8, "beams": 4}, suite=SMALL)["strategies"]["beam"]
    # 8 + 1 for the first step, then three times 2 + 1.
    assert (facts["accuracy"], facts["calls"]) == (1.0, 18)


def test_a_resumed_search_requests_nothing_twice(tmp_path):
    first = ran(tmp_path, "rebase,mcts", Stepwise(), {"n": 4}, suite=SMALL)
    again = Stepwise()
    assert ran(tmp_path, "rebase,mcts", again, {"n": 4}, suite=SMALL)["strategies"] == first["strategies"]
    assert not again.requests
    log = (tmp_path / "run" / "calls.jsonl").read_text().splitlines()
    keys = [(line["id"], line["key"]) for line in map(json.loads, log)]
    assert len(keys) == len(set(keys))


def test_texts_that_never_answer_end_at_the_limit(tmp_path):
    class Endless(Stepwise):
        def line(self, prompt, text, place, key):
            return f"step {key[0]}"

    for name in ("beam", "lookahead", "rebase", "mcts"):
        options = {"max_steps": 2} | ({"simulations": 3} if name == "mcts" else {"n": 2})
        facts = ran(tmp_path / name, name, Endless(), options, suite=SMALL.first(3))["strategies"][name]
        assert (facts["accuracy"], facts["ceiling"], facts["masked"]) == (0.0, 0.0, 0)


def test_the_budget_is_divided_by_a_softmax():
    # exp(0) : exp(-1) : exp(-2) = 1 : 0.3679 : 0.1353 of 8 is 5.32, 1.96, 0.72.
    assert shares([0.9, 0.8, 0.7], 8, 0.1) == [5, 2, 1]
    assert shares([0.5, 0.5], 3, 0.1) == [2, 1]
    assert shares([0.5], 0, 0.1) == [0]
    assert shares([], 3, 0.1) == []
    assert sum(shares([0.1, 0.5, 0.9], 7, 1.0)) == 7


def test_search_options_have_ranges():
    with pytest.raises(ValidationError):
        RebaseOptions(balance=0.0)
    assert {"beam", "lookahead", "rebase", "mcts"} <= set(STRATEGIES)
