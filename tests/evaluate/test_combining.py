"""Strategies that vary the request or combine attempts, on a simulated model: what they choose, report and cost."""

import hashlib
import json
import math
from dataclasses import replace

import pytest
from evaluate.test_strategies import SUITE, Simulated, ran

from rlgym import RlgymError
from rlgym.evaluate.models.base import ModelUnavailable
from rlgym.evaluate.models.certainty import LOGPROBS, token_certainty, token_entropy, token_means
from rlgym.evaluate.models.streaming import StreamedCompletion, parse_completion
from rlgym.evaluate.strategies.combining import AGGREGATE, IMPROVE, INSTRUCTIONS

SMALL = SUITE.first(30)


class Certain(Simulated):
    """Its tokens are more certain where it is right, with probability `insight`; it returns no certainty unless log-probabilities are asked for."""

    async def generate(self, messages, tools, sampling, seed):
        completion = await super().generate(messages, tools, sampling, seed)
        if not sampling.extra.get("logprobs"):
            return completion
        assert sampling.extra["top_logprobs"] == LOGPROBS["top_logprobs"]
        text = completion.message["content"]
        chance = int(hashlib.sha256(f"{text} {seed}".encode()).hexdigest()[:6], 16) / 16**6
        knows = chance < self.insight
        return replace(completion, certainty=(2.0 if (text == self.answers[messages[0]["content"]]) == knows else 1.0) + chance / 10)


def test_the_certainty_of_a_token_is_its_divergence_from_the_uniform_distribution():
    # p = (1/2, 1/4, 1/8, 1/8): KL(U || p) = -log 4 - (log 1/2 + log 1/4 + 2 log 1/8) / 4 = log 2 * (9/4 - 2).
    assert token_certainty([math.log(p) for p in (1 / 2, 1 / 4, 1 / 8, 1 / 8)]) == pytest.approx(math.log(2) / 4)
    assert token_certainty([-3.0] * 5) == pytest.approx(0.0)
    # A part of the vocabulary counts as if it were all of it.
    assert token_certainty([math.log(p / 10) for p in (1 / 2, 1 / 4, 1 / 8, 1 / 8)]) == pytest.approx(math.log(2) / 4)


def test_means_over_tokens():
    # Entropy of (0.9, 0.1) and of a uniform pair, which is log 2.
    assert token_entropy([math.log(0.9), math.log(0.1)]) == pytest.approx(-0.9 * math.log(0.9) - 0.1 * math.log(0.1))
    assert token_entropy([-7.0, -7.0]) == pytest.approx(math.log(2))
    means = token_means([[-1.0, -1.0], [math.log(0.9), math.log(0.1)]])
    assert means.certainty == pytest.approx((0.0 - math.log(2) - math.log(0.09) / 2) / 2)
    assert means.entropy == pytest.approx((math.log(2) - 0.9 * math.log(0.9) - 0.1 * math.log(0.1)) / 2)
    assert token_means([]) is None
    assert token_means([[-1.0], []]) is None


def test_log_probabilities_of_an_endpoint_become_a_certainty():
    content = [
        {
            "token": "a",
            "logprob": -0.1,
            "top_logprobs": [{"token": "a", "logprob": math.log(0.9)}, {"token": "b", "logprob": math.log(0.1)}],
        }
    ]
    choice = {"message": {"role": "assistant", "content": "a"}, "finish_reason": "stop", "logprobs": {"content": content}}
    expected = -math.log(2) - math.log(0.09) / 2
    assert parse_completion(json.dumps({"choices": [choice]}).encode(), 100).certainty == pytest.approx(expected)
    streamed = StreamedCompletion(100)
    for text in ("a", "b"):
        event = {
            "choices": [{"delta": {"content": text}, "logprobs": {"content": content}, "finish_reason": "stop" if text == "b" else None}]
        }
        streamed.feed(f"data: {json.dumps(event)}\n\n".encode())
    streamed.feed(b"data: [DONE]\n\n")
    assert streamed.completion().certainty == pytest.approx(expected)
    damaged = [{"logprobs": None}, {"logprobs": {"content": [{"top_logprobs": None}]}}, {"logprobs": {"content": 3}}, {"logprobs": []}]
    for part in damaged:
        assert parse_completion(json.dumps({"choices": [choice | part]}).encode(), 100).certainty is None


def test_self_certainty_selects_better_than_one_sample_and_costs_no_further_call(tmp_path):
    summary = ran(tmp_path, "single,majority,self_certainty", Certain(0.4, 0.8), {"n": 8}, suite=SMALL)
    facts = summary["strategies"]
    assert facts["self_certainty"]["accuracy"] > facts["single"]["accuracy"] + 0.2
    assert facts["self_certainty"]["calls"] == facts["majority"]["calls"] == 8
    assert facts["self_certainty"]["ceiling"] == facts["majority"]["ceiling"]


def test_the_exponent_of_the_votes_lies_between_a_majority_and_the_most_certain_sample(tmp_path):
    accuracy = {}
    for power in (0.0, 1.0, None):
        facts = ran(tmp_path / str(power), "majority,self_certainty", Certain(0.35, 1.0), {"n": 8, "power": power}, suite=SMALL)[
            "strategies"
        ]
        accuracy[power] = facts["self_certainty"]["accuracy"]
        if power is None:
            assert accuracy[None] == facts["self_certainty"]["ceiling"]  # it knows, so it chooses a right sample wherever there is one
    assert accuracy[0.0] <= accuracy[1.0] <= accuracy[None]
    assert accuracy[0.0] < accuracy[None]


def test_a_model_without_log_probabilities_is_named(tmp_path):
    with pytest.raises(ModelUnavailable, match="returns no log-probabilities"):
        ran(tmp_path, "self_certainty", Simulated(), {"n": 2}, suite=SMALL.first(2))


def test_each_setting_of_the_bag_of_tricks_is_reported(tmp_path):
    class Instructed(Simulated):
        """Right if the instruction asks for a plan, or at a low temperature."""

        async def generate(self, messages, tools, sampling, seed):
            self.cold = sampling.temperature < 0.5
            return await super().generate(messages, tools, sampling, seed)

        def reply(self, messages, key):
            content = messages[0]["content"]
            plain = content
            for text in filter(None, INSTRUCTIONS.values()):
                plain = plain.removesuffix(f"\n\n{text}")
            right = self.cold or content.endswith(INSTRUCTIONS["plan"])
            return self.answers[plain] if right else "<answer>-77</answer>"

    options = {"n": 12, "temperatures": [0.2, 1.0], "instructions": ["plain", "plan", "check"]}
    summary = ran(tmp_path, "bag_of_tricks", Instructed(), options, suite=SMALL)
    settings = summary["settings"]["bag_of_tricks"]
    assert settings["plain, temperature 0.2"] == {"samples": 60, "accuracy": 1.0, "tokens": 10}
    assert settings["plan, temperature 1"] == {"samples": 60, "accuracy": 1.0, "tokens": 10}
    assert settings["check, temperature 1"] == {"samples": 60, "accuracy": 0.0, "tokens": 10}
    assert summary["strategies"]["bag_of_tricks"]["accuracy"] == 1.0  # eight of twelve samples are right


def test_attempts_are_combined_in_groups_until_one_is_left(tmp_path):
    class Comparing(Simulated):
        """Finds the right answer among its attempts wherever it is there."""

        def reply(self, messages, key):
            task, mark, listed = messages[0]["content"].partition(f"\n\n{AGGREGATE}\n\n")
            if not mark:
                return super().reply(messages, key)
            assert 2 <= listed.count("Attempt ") <= 4
            return self.answers[task] if self.answers[task] in listed else "<answer>-77</answer>"

    facts = ran(tmp_path, "single,majority,aggregate", Comparing(0.25), {"n": 9, "group": 4}, suite=SMALL)["strategies"]
    assert facts["aggregate"]["accuracy"] == facts["aggregate"]["ceiling"] > facts["majority"]["accuracy"]
    # 9 samples; groups of 4, 4 and 1 give two combinations, then one of the three that are left.
    assert facts["aggregate"]["calls"] == 12


class Refining(Simulated):
    """An improvement is right twice as often as a first attempt."""

    def reply(self, messages, key):
        if not messages[-1]["content"].startswith(IMPROVE):
            return super().reply(messages, key)
        chance = int(key[:6], 16) / 16**6
        return self.answers[messages[0]["content"]] if chance < 2 * self.skill else f"<answer>{200_000 + int(key[6:9], 16)}</answer>"


def test_refinement_starts_from_the_best_attempt_and_stops_once_the_verifier_accepts(tmp_path):
    model = Refining(0.15, 0.8)
    facts = ran(tmp_path / "verifier", "single,refine_best", model, {"n": 3, "rounds": 3, "select": "verifier"}, suite=SMALL)["strategies"]
    assert facts["refine_best"]["accuracy"] == facts["refine_best"]["ceiling"] > 0.8
    assert 3 < facts["refine_best"]["calls"] < 12
    own = ran(tmp_path / "own", "single,refine_best", Refining(0.15, 0.8), {"n": 3, "rounds": 3}, suite=SMALL)["strategies"]
    assert own["single"]["accuracy"] < own["refine_best"]["accuracy"] <= own["refine_best"]["ceiling"]


def test_a_noisy_or_rare_verdict_of_the_verifier_selects_worse_and_a_repeated_run_alike(tmp_path):
    def accuracy(name, **options):
        options = {"n": 3, "rounds": 3, "select": "verifier", **options}
        return ran(tmp_path / name, "refine_best", Refining(0.15, 0.8), options, suite=SMALL)["strategies"]["refine_best"]["accuracy"]

    exact, noisy, rare = accuracy("exact"), accuracy("noisy", noise=0.4), accuracy("rare", observed=0.1)
    assert exact > noisy
    assert exact > rare
    assert accuracy("again", noise=0.4) == noisy


def test_options_out_of_range_are_refused(tmp_path):
    for name, options in [
        ("self_certainty", {"power": -1}),
        ("bag_of_tricks", {"instructions": ["shout"]}),
        ("bag_of_tricks", {"temperatures": []}),
        ("aggregate", {"group": 1}),
        ("refine_best", {"noise": 2}),
    ]:
        with pytest.raises(RlgymError, match=next(iter(options))):
            ran(tmp_path, name, Simulated(), options, suite=SMALL)
