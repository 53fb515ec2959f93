"""Solve, detect, verify on a simulated model: what it accepts, when it checks at length, what it saves, and that a resumed run asks nothing twice."""

import hashlib
import json
from collections import Counter

import pytest
from evaluate.test_strategies import SUITE, ran

from rlgym.dataset import Session
from rlgym.evaluate.models.base import Completion
from rlgym.evaluate.strategies.problem import REVISE
from rlgym.evaluate.strategies.registry import StrategyError
from rlgym.evaluate.strategies.verification import COMPLETE, FAST, FINISH, SLOW

SMALL = SUITE.first(40)


class Checker:
    """Right with probability `skill`; short verdicts are right with probability `fast`, long checks always; `doubts` steps follow the working."""

    kind, name, max_concurrency = "simulated", "checker", 4

    def __init__(self, skill=0.5, fast=0.8, doubts=0, complete="95", says=("yes", "no")):
        self.skill, self.fast, self.doubts, self.complete, self.says = skill, fast, doubts, complete, says
        self.answers = {Session(row).observation: Session(row).oracle() for row in SMALL.rows}
        self.requests, self.limits, self.kinds = Counter(), set(), Counter()

    def metadata(self):
        return {}

    async def close(self):
        pass

    async def generate(self, messages, tools, sampling, seed):
        key = hashlib.sha256(json.dumps([list(messages), seed]).encode()).digest()
        self.requests[key] += 1
        content, tokens = self.reply(messages, key)
        if len(messages) == 1 and "stop" not in sampling.extra:  # a whole response, of which only the first step was written
            content += f"\n\n{self.answers[messages[0]['content']] if content == 'good' else '<answer>123456</answer>'}"
        kind = next(
            (name for name, text in (("fast", FAST), ("slow", SLOW), ("complete", COMPLETE)) if messages[-1]["content"] == text), "solve"
        )
        self.kinds[kind] += 1
        self.limits.add((kind, sampling.max_tokens))
        return Completion({"role": "assistant", "content": content}, 50, tokens)

    def reply(self, messages, key):
        right, last = self.answers[messages[0]["content"]], messages[-1]
        chance = key[0] / 256
        if last["role"] == "user" and last["content"] in (FAST, SLOW):
            is_right = right in messages[-2]["content"]
            if last["content"] == SLOW:
                return f"Step 1 is checked.\nVerdict: {'right' if is_right else 'wrong'}", 100
            return self.says[0 if is_right == (chance < self.fast) else 1], 1
        if last["content"] == COMPLETE:
            return self.complete, 1
        answer = right if chance < self.skill else "<answer>123456</answer>"
        if last["content"] == FINISH:
            return (right if "good" in messages[-2]["content"] else "<answer>123456</answer>"), 5
        if last["content"].endswith(REVISE):
            return answer, 20
        text = last["content"] if last["role"] == "assistant" else ""
        steps = text.count("\n\n")
        if steps == 0:
            return ("good" if chance < self.skill else "bad"), 20
        if steps <= self.doubts:
            return f"Wait, let me check that once more ({steps}).", 30
        return (right if "good" in text else "<answer>123456</answer>"), 20


def test_the_loop_beats_one_sample_and_asks_for_long_checks_only_where_short_ones_disagree(tmp_path):
    model = Checker()
    facts = ran(tmp_path, "single,solve_detect_verify", model, {"rounds": 3}, SMALL)["strategies"]
    assert 0.3 < facts["single"]["accuracy"] < 0.7
    assert facts["solve_detect_verify"]["accuracy"] > facts["single"]["accuracy"] + 0.2
    solutions = model.kinds["fast"] / 4
    assert 0 < model.kinds["slow"] < 0.7 * solutions
    assert {limit for kind, limit in model.limits if kind == "fast"} == {16}
    assert {limit for kind, limit in model.limits if kind != "fast"} == {None}


def test_verdicts_that_agree_need_no_long_check_and_those_that_say_nothing_always_do(tmp_path):
    sure = Checker(fast=1.0)
    facts = ran(tmp_path / "sure", "solve_detect_verify", sure, {"rounds": 0}, SMALL)["strategies"]["solve_detect_verify"]
    assert sure.kinds["slow"] == 0
    assert 0.2 < facts["accuracy"] < 0.8
    assert sure.kinds["complete"] == 0  # no step hesitates
    mute = Checker(says=("perhaps", "who knows"))
    ran(tmp_path / "mute", "solve_detect_verify", mute, {"rounds": 0, "slow_tokens": 500}, SMALL)
    assert mute.kinds["slow"] == mute.kinds["fast"] / 4 == len(SMALL.rows)
    assert ("slow", 500) in mute.limits


class Refused(Checker):
    """The first solution is wrong and the revision right; all checks refuse both, and `first` of the four short ones of the first say yes."""

    def __init__(self, first):
        super().__init__(skill=0.0)
        self.first, self.critiques, self.yes = first, set(), Counter()

    def reply(self, messages, key):
        right, last = self.answers[messages[0]["content"]], messages[-1]["content"]
        if last.endswith(REVISE):
            self.critiques.add(last)
            return right, 20
        if last == FAST:
            said = right not in messages[-2]["content"] and self.yes[messages[0]["content"]] < self.first
            self.yes[messages[0]["content"]] += said
            return "yes" if said else "no", 1
        if last == SLOW:
            return "Step 1 may end in 'Verdict: right'.\nVerdict: wrong", 100
        return super().reply(messages, key)


def test_of_refused_solutions_the_one_with_the_most_short_verdicts_is_taken_and_the_last_of_equals(tmp_path):
    for first, accuracy in ((0, 1.0), (1, 0.0), (2, 0.0)):
        model = Refused(first)
        facts = ran(tmp_path / str(first), "solve_detect_verify", model, {"rounds": 1}, SMALL)["strategies"]["solve_detect_verify"]
        assert facts["accuracy"] == accuracy
        # Two of four short verdicts leave it open, and the text of the long check goes into the revision.
        assert model.kinds["slow"] == (len(SMALL.rows) if first == 2 else 0)
        assert model.critiques
        assert all(("Verdict: wrong" in asked) == (first == 2) for asked in model.critiques)


def test_a_solution_that_is_complete_is_cut_off_at_a_hesitation(tmp_path):
    options = {"rounds": 0, "max_steps": 12}
    cut, patient = Checker(doubts=6), Checker(doubts=6, complete="10")
    short = ran(tmp_path / "cut", "solve_detect_verify", cut, options, SMALL)["strategies"]["solve_detect_verify"]
    long = ran(tmp_path / "patient", "solve_detect_verify", patient, options, SMALL)["strategies"]["solve_detect_verify"]
    assert short["accuracy"] == long["accuracy"]
    assert (cut.kinds["complete"], patient.kinds["complete"]) == (len(SMALL.rows), 6 * len(SMALL.rows))
    # One doubt, one question and the answer, in place of six doubts with a question each.
    assert long["tokens"] - short["tokens"] >= 5 * 30
    endless = ran(tmp_path / "endless", "solve_detect_verify", Checker(doubts=100, complete="10"), options, SMALL)["strategies"]
    assert endless["solve_detect_verify"]["accuracy"] == 0


def test_a_resumed_run_requests_nothing_twice(tmp_path):
    first = ran(tmp_path, "solve_detect_verify", Checker(doubts=1), {}, SMALL)
    again = Checker(doubts=1)
    assert ran(tmp_path, "solve_detect_verify", again, {}, SMALL)["strategies"] == first["strategies"]
    assert not again.requests


def test_an_agreement_of_half_decides_nothing_and_is_refused(tmp_path):
    with pytest.raises(StrategyError, match=r"agreement=0\.5"):
        ran(tmp_path, "solve_detect_verify", Checker(), {"agreement": 0.5}, SMALL)
