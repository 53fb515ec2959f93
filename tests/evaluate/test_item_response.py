"""Item-response fits recover simulated abilities and difficulties; an adaptive run needs at most 300 tasks for the interval of 1,000."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.dataset.pass_rates import Entry, PassRates, TaskKey
from rlgym.evaluate.adaptive import evaluate_adaptively, suite_difficulties
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.metrics.item_response import AdaptiveTest, fit_items
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.suites import from_names


def simulated(seed, models=8, tasks=200, samples=4, spread=2.5):
    rng = np.random.default_rng(seed)
    abilities, difficulties = np.linspace(-3, 3, models), rng.normal(0, spread, tasks)
    difficulties -= difficulties.mean()
    rates = 1 / (1 + np.exp(difficulties[None, :] - abilities[:, None]))
    right = rng.binomial(samples, rates)
    counts = {(f"m{m}", f"t{t:04d}"): (samples, int(right[m, t])) for m in range(models) for t in range(tasks)}
    return counts, abilities, difficulties


def test_abilities_and_difficulties_are_recovered_with_their_intervals():
    covered = []
    for seed in range(6):
        counts, abilities, difficulties = simulated(seed)
        fit = fit_items(counts)
        found = np.array([fit.difficulties[f"t{t:04d}"].mean for t in range(200)])
        assert np.corrcoef(found, difficulties)[0, 1] > 0.95
        assert [fit.abilities[f"m{m}"].mean for m in range(8)] == sorted(measure.mean for measure in fit.abilities.values())
        covered += [fit.difficulties[f"t{t:04d}"].low <= difficulties[t] <= fit.difficulties[f"t{t:04d}"].high for t in range(200)]
        assert max(abs(fit.abilities[f"m{m}"].mean - abilities[m]) for m in range(8)) < 0.6
    assert np.mean(covered) > 0.85


def test_tasks_that_all_or_none_solve_are_finite_and_bad_counts_are_refused():
    fit = fit_items({("a", "easy"): (4, 4), ("b", "easy"): (4, 4), ("a", "hard"): (4, 0), ("b", "hard"): (4, 0)})
    assert fit.difficulties["hard"].mean > 1 > -1 > fit.difficulties["easy"].mean
    for counts in ({}, {("a", "t"): (0, 0)}, {("a", "t"): (2, 3)}):
        with pytest.raises(ValueError, match="item-response fit needs samples"):
            fit_items(counts)


def played(difficulties, shown, ability, seed, **options):
    """An adaptive test of a simulated model; `shown` are the difficulties that the test believes."""
    rng = np.random.default_rng(seed)
    test = AdaptiveTest(shown, **options)
    while chosen := test.next_tasks(20):
        for task in chosen:
            test.record(task, bool(rng.random() < 1 / (1 + np.exp(difficulties[task] - ability))))
    return test


def test_at_most_300_tasks_give_the_interval_of_1000():
    counts, _, difficulties = simulated(1, models=12, tasks=1000, samples=8, spread=3.0)
    true = {f"t{t:04d}": float(difficulties[t]) for t in range(1000)}
    shown = {task: measure.mean for task, measure in fit_items(counts).difficulties.items()}
    covered, errors = [], []
    for number, ability in enumerate(np.linspace(-2.5, 2.5, 60)):
        test = played(true, shown, ability, number)
        accuracy = test.accuracy()
        expected = float(np.mean(1 / (1 + np.exp(difficulties - ability))))
        assert test.played <= 300
        assert test.reached
        covered.append(accuracy.low <= expected <= accuracy.high)
        errors.append(accuracy.mean - expected)
    plain = np.sqrt(0.25 / 1000)
    assert np.sqrt(np.mean(np.square(errors))) < 1.2 * plain
    assert abs(np.mean(errors)) < 0.01
    assert np.mean(covered) >= 0.88


def test_masked_outcomes_and_extreme_models():
    difficulties = {f"t{number}": number / 10 - 5 for number in range(100)}
    test = AdaptiveTest(difficulties, max_tasks=40)
    while chosen := test.next_tasks(20):
        for task in chosen:
            test.record(task, None if task == chosen[0] else True)
    assert test.played == 40
    assert 0.5 < test.accuracy().mean < 1
    with pytest.raises(ValueError, match="known difficulty"):
        AdaptiveTest({})


SUITE = from_names("chain_sum,gcd_lcm", levels=[0.0, 0.5], count=60)


def filled(tmp_path, models=3):
    store = tmp_path / "s.sqlite"
    with PassRates(store) as rates:
        for model in range(models):
            rates.record(
                f"run {model}", [Entry(TaskKey.of_row(f"m{model}", row), 4, (number + model) % 5) for number, row in enumerate(SUITE.rows)]
            )
    return store


def test_an_adaptive_run_is_resumed_without_requests(tmp_path):
    difficulties = suite_difficulties(filled(tmp_path), SUITE, "oracle")
    assert len(difficulties) == 60
    requested = []

    class Counted(BuiltinModel):
        async def generate(self, messages, tools, sampling, seed):
            requested.append(seed)
            return await super().generate(messages, tools, sampling, seed)

    def run():
        plan = EvaluationPlan(SUITE, Counted("oracle", SUITE.rows), EpisodeConfig(Sampling()))
        return evaluate_adaptively(plan, difficulties, tmp_path / "run", max_tasks=50)

    first = run()
    assert first["played"] == len(requested) == 50
    assert first["accuracy"]["mean"] > 0.9
    page = (tmp_path / "run" / "report.html").read_text()
    assert "<b>oracle</b>" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "wider than that of a plain run of 1000 tasks" in page or first["reached"]
    assert [step["played"] for step in first["batches"]] == [20, 40, 50]
    assert run() == first
    assert len(requested) == 50


def test_the_command_needs_other_models(tmp_path):
    store, out = filled(tmp_path), str(tmp_path / "out")
    arguments = [
        "eval",
        "--suite",
        "chain_sum,gcd_lcm",
        "--levels",
        "0,0.5",
        "--count",
        "60",
        "--model",
        "oracle",
        "--adaptive",
        "--out",
        out,
    ]
    result = CliRunner().invoke(app, [*arguments, "--pass-rates", str(store), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["tasks_of_known_difficulty"] == 60
    with pytest.raises(RlgymError, match="two other models"):
        suite_difficulties(filled(tmp_path / "one", models=1), SUITE, "oracle")
    assert "needs --pass-rates" in str(CliRunner().invoke(app, arguments).exception)
