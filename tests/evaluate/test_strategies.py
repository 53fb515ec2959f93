"""Test-time strategies on a simulated model: what they choose and what they cost."""

import asyncio
import hashlib
import json
from collections import Counter

import pytest
from pydantic import Field
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.core.intervals import wilson
from rlgym.dataset import Session
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Completion, ModelUnavailable, RequestFailed, Sampling
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.strategies import STRATEGIES, StrategyOptions, strategy
from rlgym.evaluate.strategies.problem import CONFIDENCE, REVISE
from rlgym.evaluate.strategies.registry import UnknownStrategy
from rlgym.evaluate.strategies.run import run_strategies
from rlgym.evaluate.strategies.summary import summarize
from rlgym.evaluate.suites import from_names

SUITE = from_names("chain_sum", levels=[0.0, 0.3], count=40)


class Simulated:
    """Right with probability `skill`, else one of many wrong answers; its confidence says whether it was right with probability `insight`."""

    kind, name, max_concurrency = "simulated", "simulated", 4

    def __init__(self, skill=0.5, insight=0.8, rows=SUITE.rows, log=None, delay=0.0, fails=False):
        self.skill, self.insight, self.log, self.delay, self.fails = skill, insight, log, delay, fails
        self.answers = {Session(row).observation: Session(row).oracle() for row in rows}
        self.requests = Counter()

    def metadata(self):
        return {}

    async def close(self):
        pass

    async def generate(self, messages, tools, sampling, seed):
        if self.fails:
            raise RequestFailed("no answer")
        if self.delay:
            await asyncio.sleep(self.delay)
        key = hashlib.sha256(json.dumps([list(messages), seed]).encode()).hexdigest()
        self.requests[key] += 1
        if self.log:
            with open(self.log, "a") as out:
                out.write(key + "\n")
        return Completion({"role": "assistant", "content": self.reply(messages, key)}, 50, 10)

    def reply(self, messages, key):
        chance = int(key[:6], 16) / 16**6
        oracle = self.answers[messages[0]["content"]]
        last = messages[-1]["content"]
        if last == CONFIDENCE:
            knows = chance < self.insight
            return str(90 if (messages[-2]["content"] == oracle) == knows else 10)
        if last.endswith(REVISE):
            return oracle
        return oracle if chance < self.skill else f"<answer>{100_000 + int(key[6:9], 16) % 50}</answer>"


def ran(tmp_path, names, model=None, options=None, suite=SUITE, **sampling):
    plan = EvaluationPlan(suite, model or Simulated(), EpisodeConfig(Sampling(**sampling)))
    return run_strategies(plan, names.split(","), options or {}, tmp_path / "run")


def test_votes_and_selection_beat_one_sample_and_none_the_ceiling(tmp_path):
    model = Simulated()
    facts = ran(tmp_path, "single,majority,weighted,pessimistic,best_of_n", model, {"n": 8})["strategies"]
    assert all(part["tasks"] == 40 and part["masked"] == 0 for part in facts.values())
    assert facts["majority"]["accuracy"] > facts["single"]["accuracy"] + 0.2
    for name in ("majority", "weighted", "pessimistic", "best_of_n"):
        assert facts[name]["accuracy"] <= facts[name]["ceiling"]
        assert facts[name]["accuracy"] > facts["single"]["accuracy"]
        assert facts[name]["low"] <= facts[name]["accuracy"] <= facts[name]["high"]
    assert [(facts[name]["calls"], facts[name]["tokens"]) for name in ("single", "majority")] == [(1, 10), (8, 80)]
    # Equal texts of a task share one statement of confidence.
    assert 8 < facts["weighted"]["calls"] <= 16
    assert facts["weighted"]["tokens"] == 10 * facts["weighted"]["calls"]
    # Samples and confidences are shared: 8 samples and 8 confidences of each of the 40 tasks.
    assert set(model.requests.values()) == {1}
    assert sum(model.requests.values()) <= 40 * 16


def test_repeated_verdicts_on_a_solution_select_better_and_cost_their_tokens(tmp_path):
    """With four in five verdicts right, the mean of seven tells right from wrong answers better than one."""
    found = {}
    for verdicts in (1, 7):
        model = Simulated(0.3, 0.7)
        facts = ran(tmp_path / str(verdicts), "best_of_n,pessimistic,weighted", model, {"n": 6, "verdicts": verdicts})["strategies"]
        assert set(model.requests.values()) == {1}
        found[verdicts] = {name: (part["accuracy"], part["tokens"]) for name, part in facts.items()}
    for name in ("best_of_n", "pessimistic", "weighted"):
        (few, cheap), (many, dear) = found[1][name], found[7][name]
        assert many > few
        assert dear > 3 * cheap


def test_the_verifier_reaches_the_ceiling_exactly(tmp_path):
    facts = ran(tmp_path, "best_of_n", Simulated(0.2), {"n": 4, "select": "verifier"})["strategies"]["best_of_n"]
    assert facts["accuracy"] == facts["ceiling"] > 0.3


class Judge(Simulated):
    """Says how likely a solution is right, truly with the probability `insight`; it sees the task and the text alone."""

    name = "judge"

    async def generate(self, messages, tools, sampling, seed):
        (message,) = messages
        self.requests[message["content"]] += 1
        task = next(question for question in self.answers if json.dumps(question) in message["content"])
        right = json.dumps(self.answers[task]) in message["content"]
        knows = int(hashlib.sha256(message["content"].encode()).hexdigest()[:6], 16) / 16**6 < self.insight
        return Completion({"role": "assistant", "content": "90" if right == knows else "10"}, 50, 3)


def test_another_model_judges_the_candidates(tmp_path):
    judge, model = Judge(insight=0.95), Simulated(0.4, 0.5)

    def run(place, **more):
        plan = EvaluationPlan(SUITE, model, EpisodeConfig(Sampling()), **more)
        return run_strategies(plan, ["single", "best_of_n"], {"n": 6, "select": "judge"}, tmp_path / place)

    facts = run("run", judge=judge)["strategies"]
    assert facts["best_of_n"]["accuracy"] > max(0.85 * facts["best_of_n"]["ceiling"], facts["single"]["accuracy"] + 0.2)
    # The judge's tokens count, and equal texts of a task are judged once.
    assert 6 < facts["best_of_n"]["calls"] <= 12
    assert facts["best_of_n"]["tokens"] == pytest.approx(60 + 3 * (facts["best_of_n"]["calls"] - 6))
    assert set(judge.requests.values()) == {1}
    assert json.loads((tmp_path / "run" / "strategies.json").read_text())["judge"] == "judge"
    run("run", judge=judge)
    assert set(judge.requests.values()) == {1}
    with pytest.raises(RlgymError, match="needs a judge: give --judge-model"):
        run("other")


def test_a_vote_that_cannot_be_overtaken_stops_early(tmp_path):
    facts = ran(tmp_path, "majority", Simulated(1.0), {"n": 16, "early_stop": True, "batch": 3})["strategies"]["majority"]
    assert (facts["accuracy"], facts["calls"]) == (1.0, 9)
    mixed = ran(tmp_path / "b", "majority", Simulated(0.6), {"n": 16, "early_stop": True})["strategies"]["majority"]
    full = ran(tmp_path / "c", "majority", Simulated(0.6), {"n": 16})["strategies"]["majority"]
    assert mixed["accuracy"] == full["accuracy"]
    assert mixed["calls"] < full["calls"] == 16


def test_revision_with_feedback_stops_once_it_is_right(tmp_path):
    facts = ran(tmp_path, "revise", Simulated(0.5), {"rounds": 3, "feedback": True})["strategies"]["revise"]
    assert facts["accuracy"] == 1.0
    assert 1 < facts["calls"] < 2
    blind = ran(tmp_path / "b", "revise", Simulated(0.5), {"rounds": 3})["strategies"]["revise"]
    assert (blind["accuracy"], blind["calls"]) == (1.0, 4)


def test_budget_forcing_continues_the_text_of_the_assistant(tmp_path):
    seen = []

    class Continued(Simulated):
        async def generate(self, messages, tools, sampling, seed):
            seen.append((messages[-1]["role"], messages[-1]["content"][-6:], dict(sampling.extra)))
            if messages[-1]["role"] == "user":
                return Completion({"role": "assistant", "content": "I think"}, 5, 2)
            return Completion({"role": "assistant", "content": f", so {self.answers[messages[0]['content']]}"}, 5, 3)

    facts = ran(tmp_path, "budget_forcing", Continued(), {"rounds": 1}, suite=SUITE.first(4))["strategies"]["budget_forcing"]
    assert (facts["accuracy"], facts["calls"], facts["tokens"]) == (1.0, 2, 5)
    assert ("assistant", "\n\nWait", {"continue_final_message": True, "add_generation_prompt": False}) in seen


def test_the_accuracy_of_a_judge_is_known_after_each_forced_continuation(tmp_path):
    """A judge that is right after two further thoughts, and wrong again after three."""
    suite = from_names("chain_sum:pairwise", levels=[0.3], count=6, seed=2)
    wrong = "<answer>A A A A A A A</answer>"
    continued = []

    class Reflects(Simulated):
        async def generate(self, messages, tools, sampling, seed):
            answer = self.answers[messages[0]["content"]]
            thoughts = messages[-1]["content"].count("Wait") if messages[-1]["role"] == "assistant" else 0
            continued.append(messages[-1]["content"])
            text = f" {answer}" if thoughts == 2 else f" {wrong}"
            return Completion({"role": "assistant", "content": text}, 5, 10 + thoughts)

    judge = Reflects()
    judge.answers = {Session(row).messages[0]["content"]: Session(row).oracle() for row in suite.rows}
    summary = ran(tmp_path, "budget_forcing", judge, {"rounds": 3}, suite=suite)
    curve = summary["settings"]["budget_forcing"]
    assert {name: found["accuracy"] for name, found in curve.items()} == {
        "0 continuations": 0, "1 continuation": 0, "2 continuations": 1, "3 continuations": 0
    }  # fmt: skip
    assert [found["tokens"] for found in curve.values()] == [10, 21, 33, 46]
    assert not any("<answer>A" in text for text in continued), "an answer that is thought over again is left out"
    assert "2 continuations" in (tmp_path / "run" / "report.html").read_text()


def test_the_vote_at_equal_tokens_is_interpolated_from_the_samples(tmp_path):
    summary = ran(tmp_path, "majority,revise", Simulated(0.5), {"n": 8, "rounds": 3})
    curve = {point["samples"]: point["accuracy"] for point in summary["votes"]}
    assert [point["tokens"] for point in summary["votes"]] == [10 * k for k in range(1, 9)]
    assert summary["strategies"]["revise"]["vote_at_equal_tokens"] == pytest.approx(curve[4])
    rates = [part["solve_rate"] for part in summary["quintiles"]]
    assert rates == sorted(rates, reverse=True)
    assert sum(part["tasks"] for part in summary["quintiles"]) == 40


def test_bad_input_is_said(tmp_path):
    with pytest.raises(UnknownStrategy, match="Did you mean 'majority'"):
        ran(tmp_path, "majorty")
    with pytest.raises(RlgymError, match="has an option 'rounds'"):
        ran(tmp_path, "majority", options={"rounds": 2})
    with pytest.raises(RlgymError, match="n=0"):
        ran(tmp_path, "majority", options={"n": 0})
    with pytest.raises(RlgymError, match="tasks of one turn"):
        ran(tmp_path, "single", suite=from_names("higher_lower", levels=[0.0], count=2))
    with pytest.raises(ModelUnavailable, match="no strategy finished any task"):
        ran(tmp_path / "b", "single", Simulated(fails=True))


def test_masked_tasks_are_counted_apart():
    row = {
        "id": "a",
        "strategy": "s",
        "masked": True,
        "right": False,
        "ceiling": False,
        "candidates": [],
        "calls": 0,
        "completion_tokens": 0,
    }
    facts = summarize([row])["strategies"]["s"]
    assert (facts["tasks"], facts["masked"], facts["accuracy"]) == (0, 1, None)
    assert wilson(0, 10)[0] == 0


class ShortestOptions(StrategyOptions):
    n: int = Field(2, ge=1, description="samples")


def test_a_strategy_of_your_own_is_registered_and_checked(tmp_path):
    @strategy("shortest")
    async def shortest(problem, options: ShortestOptions):
        return min(await problem.sample(0, options.n), key=lambda candidate: len(candidate.text))

    try:
        assert ran(tmp_path, "shortest", suite=SUITE.first(3))["strategies"]["shortest"]["calls"] == 2
        with pytest.raises(RlgymError, match="needs a parameter `options`"):
            strategy("without")(lambda problem, options: None)
    finally:
        STRATEGIES._by_name.pop("shortest")


def test_the_command_prints_a_table(tmp_path):
    arguments = ["eval", "--suite", "chain_sum", "--count", "6", "--model", "oracle", "--out", str(tmp_path / "run")]
    arguments += ["--strategy", "single,majority", "--strategy-option", "n=3"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "majority 100.0 %" in " ".join(result.output.split())
    assert json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)["strategies"]["single"]["accuracy"] == 1.0
