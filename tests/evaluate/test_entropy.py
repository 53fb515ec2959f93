"""Entropy of answers and of tokens, against counting by hand, and in a run from end to end."""

import json
import math
from dataclasses import replace

import pytest
from evaluate import result_rows
from evaluate.test_strategies import SUITE, Simulated

from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.episodes.results import load
from rlgym.evaluate.metrics.entropy import answer_entropy
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.certainty import LOGPROBS
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.report.html_report import render_report
from rlgym.evaluate.report.summary import summary
from rlgym.evaluate.run import evaluate


def answered(*answers):
    return [{"answer": answer} for answer in answers]


def test_the_entropy_of_answers_by_hand():
    # Shares 1/2, 1/4, 1/4: log 2 / 2 + log 4 / 2, and (3 - 1) / (2 * 4) for the few samples; log 4 is the most.
    assert answer_entropy(answered("a", "a", "b", None)) == (pytest.approx(math.log(2) * 1.5 + 0.25), 3)
    assert answer_entropy(answered("a", "b")) == (pytest.approx(math.log(2)), 2)
    assert answer_entropy(answered("a", "a", "a")) == (0.0, 1)


def test_a_report_has_the_entropies_of_right_and_wrong_samples():
    rows = [result_rows.row("sums-v1-0-00000000", n, n < 2, token_entropy=0.5 if n < 2 else 1.5, certainty=4.0 - n) for n in range(4)]
    results = summary(rows, result_rows.run(rows))
    found = results["entropy"]
    assert found["answers"]["mean"] == pytest.approx(math.log(2) * 1.5 + 0.25)
    assert found["different"]["mean"] == 3
    assert (found["tokens"]["right"]["mean"], found["tokens"]["wrong"]["mean"]) == (0.5, 1.5)
    assert (found["certainty"]["right"]["mean"], found["certainty"]["wrong"]["mean"]) == (3.5, 1.5)
    assert "Entropy of tokens, wrong" in render_report(results, rows)


def test_without_samples_and_log_probabilities_there_is_no_section():
    rows = [result_rows.row(f"sums-v1-{n}-00000000") for n in range(3)]
    results = summary(rows, result_rows.run(rows))
    assert results["entropy"] is None
    assert "Entropy of" not in render_report(results, rows)


def test_a_run_records_the_means_of_its_tokens(tmp_path):
    class Measured(Simulated):
        async def generate(self, messages, tools, sampling, seed):
            completion = await super().generate(messages, tools, sampling, seed)
            return replace(completion, certainty=2.5, token_entropy=0.75) if sampling.extra.get("logprobs") else completion

    for name, extra, expected in (("with", LOGPROBS, (2.5, 0.75)), ("without", {}, (None, None))):
        plan = EvaluationPlan(SUITE.first(3), Measured(), EpisodeConfig(Sampling(samples=2, extra=extra)))
        evaluate(plan, tmp_path / name)
        rows = load(tmp_path / name).rows
        assert {(row["certainty"], row["token_entropy"]) for row in rows} == {expected}
    log = (tmp_path / "with" / "episodes.jsonl").read_text().splitlines()
    assert all(json.loads(line)["token_entropy"] == 0.75 for line in log)
