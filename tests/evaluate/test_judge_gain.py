"""Judges that choose among samples, against numbers calculated by hand and by enumeration."""

import asyncio
import json
from itertools import combinations
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from rlgym import RlgymError, Rng
from rlgym.audit.case import Verdict
from rlgym.cli import app
from rlgym.core.reply_file import ReplyFile
from rlgym.evaluate.judging_run import measure, model_scores, simulated_scores
from rlgym.evaluate.metrics.correlation import pearson, ranks, spearman
from rlgym.evaluate.metrics.judge_gain import Judged, best_of, correlations, judge_gain, pools, simulated_score
from rlgym.evaluate.models.base import Completion, RequestFailed


def test_the_best_of_n_is_the_mean_over_all_subsets():
    rng = Rng("pools")
    for _ in range(20):
        pool = [Judged(rng.chance(0.4), rng.integer(0, 3) / 3) for _ in range(6)]
        for n in range(1, 7):
            subsets = list(combinations(pool, n))
            tops = [[one.right for one in chosen if one.score == max(other.score for other in chosen)] for chosen in subsets]
            assert best_of(pool, n) == pytest.approx(sum(sum(top) / len(top) for top in tops) / len(subsets))


def test_measures_by_hand():
    found = judge_gain([[Judged(True, 0.9), Judged(False, 0.2)], [Judged(True, 0.4), Judged(False, 0.4), Judged(False, 0.8)]])
    # Right: .9 accepted, .4 refused; wrong: .2 and .4 refused, .8 accepted.
    assert found.accuracy == pytest.approx((1 / 2 + 2 / 3) / 2)
    # Three pairs: ordered, tied, inverted.
    assert found.pairs == pytest.approx((1 + 0.5 + 0) / 3)
    assert found.solve_rate == pytest.approx((1 / 2 + 1 / 3) / 2)
    # Of the second task: the pair without the response of .8 is a tie, and it wins the other two.
    assert found.best_of == {1: pytest.approx(found.solve_rate), 2: pytest.approx((1 + 0.5 / 3) / 2)}
    assert found.pass_at[2] == pytest.approx((1 + 2 / 3) / 2)
    assert found.share(2) == pytest.approx(found.gain(2) / (found.pass_at[2] - found.solve_rate))
    with pytest.raises(RlgymError, match="there are none"):
        judge_gain([])


def test_a_perfect_judge_gains_all_and_an_inverted_one_loses():
    tasks = [[Judged(number == place, float(number == place)) for number in range(4)] for place in range(4)]
    perfect = judge_gain(tasks)
    assert (perfect.accuracy, perfect.pairs, perfect.share(4)) == (1, 1, 1)
    inverted = judge_gain([[Judged(one.right, 1 - one.score) for one in pool] for pool in tasks])
    assert inverted.accuracy == inverted.pairs == 0
    assert inverted.gain(4) < 0
    blind = judge_gain([[Judged(one.right, 0.5) for one in pool] for pool in tasks])
    assert blind.accuracy == blind.pairs == 0.5
    assert blind.gain(4) == pytest.approx(0)


def test_a_simulated_judge_has_its_accuracy_and_repeats_itself():
    verdicts = [simulated_score(0.8, bool(number % 2), "task", number) == number % 2 for number in range(2000)]
    assert sum(verdicts) / 2000 == pytest.approx(0.8, abs=0.045)
    assert simulated_score(0.8, True, "task", 3) == simulated_score(0.8, True, "task", 3)
    with pytest.raises(RlgymError, match="from 0 to 1"):
        simulated_score(1.2, True, "task")


def test_better_simulated_judges_gain_more():
    rng = Rng("samples")
    tasks = [[rng.chance(0.3) for _ in range(8)] for _ in range(300)]
    found = [
        judge_gain(
            [[Judged(right, simulated_score(accuracy, right, at, n)) for n, right in enumerate(pool)] for at, pool in enumerate(tasks)]
        )
        for accuracy in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    ]
    gains = [one.gain(8) for one in found]
    assert gains == sorted(gains)
    related = correlations(found, 8)
    assert related["accuracy, gain, ranks"] == 1
    assert related["pairs, share"] > 0.9
    assert correlations(found[:2], 8)["accuracy, gain"] is None


def test_correlations_by_hand():
    assert ranks([3.0, 1.0, 3.0]).tolist() == [2.5, 1, 2.5]
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert spearman([1, 2, 3], [1, 8, 2]) == pytest.approx(0.5)
    assert pearson([1, 1, 1], [1, 2, 3]) is None
    assert spearman([1, 2], [1, 2]) is None


def row(task, sample, right, masked=False, env="chain_sum"):
    messages = [{"role": "user", "content": f"Task {task}"}, {"role": "assistant", "content": f"{'right' if right else 'wrong'} {sample}"}]
    return {"env": env, "id": f"{env}-{task}", "sample": sample, "right": right, "masked": masked, "messages": json.dumps(messages)}


ROWS = [row(task, sample, sample == task % 4) for task in range(6) for sample in range(4)]


class Model:
    kind, name, max_concurrency = "test", "m", 3

    def __init__(self, failing=()):
        self.asked, self.failing = 0, failing

    async def generate(self, messages, tools, sampling, seed):
        self.asked += 1
        text = messages[0]["content"]
        if any(part in text for part in self.failing):
            raise RequestFailed("down", 1)
        return Completion({"role": "assistant", "content": "90" if '"right' in text else "I would say 20"})

    async def close(self): ...


def test_a_model_judges_each_sample_once(tmp_path):
    replies, model = tmp_path / "replies.jsonl", Model(failing=("Task 5",))
    scores = asyncio.run(model_scores([*ROWS, row(9, 0, True, masked=True)], model, ReplyFile(replies)))
    assert len(scores) == 20
    assert model.asked == 24
    found = measure(ROWS, scores)
    assert (found.unjudged, found.all.tasks, found.all.accuracy, found.all.best_of[4]) == (4, 5, 1, 1)
    again = Model()
    assert len(asyncio.run(model_scores(ROWS, again, ReplyFile(replies)))) == 24
    assert again.asked == 4


def test_tasks_with_one_sample_are_left_out():
    found = pools([row(1, 0, True), row(2, 0, True), row(2, 1, False), row(2, 2, True, masked=True)])
    assert [len(samples) for samples in found["chain_sum"].values()] == [2]
    assert [len(samples) for samples in pools(ROWS)["chain_sum"].values()] == [4] * 6
    with pytest.raises(RlgymError, match="--samples 8"):
        measure([row(1, 0, True)], simulated_scores([row(1, 0, True)], 0.9))


def test_a_sample_without_a_reward_is_not_judged(tmp_path, monkeypatch):
    class Scorer:
        def __init__(self, folder): ...

        def score(self, cases):
            return [Verdict(None if case.response.endswith(" 3") else float(case.right)) for case in cases]

    monkeypatch.setattr("rlgym.audit.scorers.reward_model.RewardModelScorer", Scorer)
    monkeypatch.setattr("rlgym.evaluate.episodes.results.load", lambda folder: SimpleNamespace(rows=ROWS))
    command = ["eval", "judge-gain", str(tmp_path), "--reward-model", str(tmp_path)]
    [found] = json.loads(CliRunner().invoke(app, [*command, "--json"]).output).values()
    # One of the four samples of each of six tasks has no reward.
    assert found["unjudged"] == 6
    assert found["all"]["accuracy"] == 1


def test_the_command_compares_simulated_judges(tmp_path, monkeypatch):
    class Run:
        rows = [*ROWS, *(row(task, sample, sample > 1, env="sudoku") for task in range(6) for sample in range(4))]

    monkeypatch.setattr("rlgym.evaluate.episodes.results.load", lambda folder: Run)
    done = CliRunner().invoke(app, ["eval", "judge-gain", str(tmp_path), "--simulate", "0.6,1", "--json"])
    found = json.loads(done.output)
    assert found["simulated, 1"]["all"]["best_of"]["4"] == 1
    assert found["simulated, 1"]["all"]["accuracy"] == 1
    assert set(found["simulated, 0.6"]["by_environment"]) == {"chain_sum", "sudoku"}
    shown = CliRunner().invoke(app, ["eval", "judge-gain", str(tmp_path), "--simulate", "0.6,1"])
    assert "over 4 judges and environments, best of 4" in shown.output
    # An environment with more samples of each task than another has no columns of its own.
    Run.rows = [*ROWS, *(row(task, sample, sample == 0, env="sudoku") for task in range(6) for sample in range(2))]
    lines = [line.split() for line in CliRunner().invoke(app, ["eval", "judge-gain", str(tmp_path), "--simulate", "1"]).output.splitlines()]
    assert [len(words) for words in lines if words[:1] in (["chain_sum"], ["sudoku"], ["all"])] == [10, 10, 10]
    Run.rows = [row(task, sample, False) for task in range(6) for sample in range(2)]
    never = " ".join(CliRunner().invoke(app, ["eval", "judge-gain", str(tmp_path), "--simulate", "1"]).output.split())
    assert "the judge accepts no response; " in never
    assert "1 try is best" in never
    assert "there is no judge" in str(CliRunner().invoke(app, ["eval", "judge-gain", str(tmp_path)]).exception)
    assert "--simulate takes" in str(CliRunner().invoke(app, ["eval", "judge-gain", str(tmp_path), "--simulate", "high"]).exception)
