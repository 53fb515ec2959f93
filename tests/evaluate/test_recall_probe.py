"""Models that know a suite by heart, and models that do not."""

import json

import pytest
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.dataset import Session
from rlgym.evaluate.models.base import Completion, RequestFailed
from rlgym.evaluate.recall_probe import compare, cut, fresh_row, instructions, measure, probe, rouge_l
from rlgym.evaluate.suites import from_names

SUITE = from_names("chain_sum,random_calculation", levels=[0.2], count=12).rows


class Reciter:
    """Continues the prompts of some rows word for word and solves them; of others it says nothing."""

    kind, name, max_concurrency = "test", "reciter", 4

    def __init__(self, rows, fraction=0.6, failing=()):
        self.known = {cut(row["prompt"], fraction)[0].rstrip(): row for row in rows}
        self.failing, self.fraction, self.closed = set(failing), fraction, False

    def metadata(self):
        return {}

    async def generate(self, messages, tools, sampling, seed):
        assert sampling.temperature == 0
        head = messages[0]["content"].removeprefix(instructions("tag"))
        row = self.known.get(head)
        if row is None:
            return Completion({"role": "assistant", "content": "I do not know. <answer>-999999</answer>"})
        if row["id"] in self.failing:
            raise RequestFailed("no")
        text = f"{cut(row['prompt'], self.fraction)[1]}\n{Session(row).oracle()}"
        return Completion({"role": "assistant", "content": text})

    async def close(self):
        self.closed = True


def test_a_prompt_is_cut_between_words():
    assert cut("one two  three four\nfive", 0.6) == ("one two  three ", "four\nfive")
    assert cut("one two", 0.01) == ("one ", "two")
    assert cut("one two", 0.99) == ("one ", "two")


def test_rouge_l_by_hand():
    # The longest common subsequence of a b c d and a c x d is a c d: recall and precision are 3 / 4.
    assert rouge_l(list("acxd"), list("abcd")) == pytest.approx(0.75)
    assert rouge_l(list("ad"), list("abcd")) == pytest.approx(2 * 2 / 6)
    assert rouge_l([], list("ab")) == 0


def test_the_measures_of_one_response():
    row = SUITE[0]
    hidden = cut(row["prompt"], 0.6)[1]
    assert measure(row, 0.6, f"{hidden.upper()} and more\n{Session(row).oracle()}") == (1.0, 1.0, 1.0)
    exact, overlap, right = measure(row, 0.6, f"{hidden.rpartition(' ')[0]} no <answer>-999999</answer>")
    assert (exact, right) == (0.0, 0.0)
    assert 0 < overlap < 1


def test_a_model_that_knows_the_suite_by_heart_is_found():
    model = Reciter(SUITE)
    report = probe(SUITE, model, seed=3)
    assert (report.tasks, report.failed) == (len(SUITE), 0)
    assert (report.exact.suite, report.answered.suite) == (1.0, 1.0)
    assert (report.exact.control, report.answered.control) == (0.0, 0.0)
    assert report.exact.suspicious
    assert report.suspicious
    assert model.closed


def test_a_model_that_knows_nothing_is_not_suspected():
    report = probe(SUITE, Reciter([]), seed=3)
    assert not report.suspicious
    assert report.exact.difference == 0
    assert report.exact.low < 0 < report.exact.high


def test_the_control_has_other_tasks_of_the_same_environment_and_level():
    fresh = [fresh_row(row, 3, number) for number, row in enumerate(SUITE)]
    assert [(row["env"], row["level"]) for row in fresh] == [(row["env"], row["level"]) for row in SUITE]
    assert not {row["prompt"] for row in fresh} & {row["prompt"] for row in SUITE}
    assert fresh == [fresh_row(row, 3, number) for number, row in enumerate(SUITE)]
    assert fresh != [fresh_row(row, 4, number) for number, row in enumerate(SUITE)]


def test_failed_requests_count_nowhere_and_wrong_arguments_are_refused():
    report = probe(SUITE, Reciter(SUITE, failing=[SUITE[0]["id"], SUITE[3]["id"]]), seed=3)
    assert (report.tasks, report.failed, report.exact.suite) == (len(SUITE) - 2, 2, 1.0)
    with pytest.raises(RlgymError, match="every request of the probe failed"):
        probe(SUITE, Reciter(SUITE, failing=[row["id"] for row in SUITE]), seed=3)
    with pytest.raises(RlgymError, match=r"fraction must lie between 0 and 1, got 1\.5"):
        probe(SUITE, Reciter([]), fraction=1.5)
    games = from_names("higher_lower", levels=[0.0], count=2).rows
    with pytest.raises(RlgymError, match="needs tasks of one turn"):
        probe(games, Reciter([]))


def test_the_interval_is_newcombes():
    # 9 of 10 against 3 of 10: Wilson's intervals are 0.596 to 0.982 and 0.108 to 0.603.
    found = compare([1.0] * 9 + [0.0], [1.0] * 3 + [0.0] * 7)
    assert found.difference == pytest.approx(0.6)
    assert found.low == pytest.approx(0.6 - (0.304**2 + 0.303**2) ** 0.5, abs=2e-3)
    assert found.high == pytest.approx(0.6 + (0.082**2 + 0.192**2) ** 0.5, abs=2e-3)


def test_the_command_asks_a_model(monkeypatch):
    monkeypatch.setattr("rlgym.cli.evaluate.plan._model", lambda options, suite, config: Reciter(suite.rows))
    arguments = ["eval", "recall", "--suite", "chain_sum", "--levels", "0.2", "--limit", "8", "--model", "oracle", "--seed", "5"]
    printed = CliRunner().invoke(app, arguments)
    assert printed.exit_code == 0, printed.output
    assert "8 tasks and as many fresh ones of seed 5, 60% of the words shown" in printed.output
    assert "the model may have seen it" in printed.output
    found = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)
    assert found["suspicious"] is True
    assert found["exact"]["suite"] == 1.0
