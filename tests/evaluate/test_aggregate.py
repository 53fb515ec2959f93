"""Methods over several training seeds: intervals that hold seeds and tasks, ranks that need both, and runs that do not belong together."""

import json

import numpy as np
import pytest
from evaluate import result_rows
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.evaluate.comparison.aggregate import aggregate
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.report.aggregate_page import render_aggregate
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names

ENVIRONMENTS, TASKS = 6, 10


def run(rng, effect=0.0, label="run", tasks=None, tasks_of=TASKS, samples=2, **given):
    """A run of a policy whose logits of success are those of the tasks plus an effect of its training seed."""
    rows = []
    for environment in range(ENVIRONMENTS):
        for task in range(tasks_of):
            ease = (environment - 2.5) / 2 + (0.0 if tasks is None else tasks[environment, task]) + effect
            for sample in range(samples):
                right = bool(rng.random() < 1 / (1 + np.exp(-ease)))
                rows.append(result_rows.row(f"e{environment}-v1-{task}-00000000", sample, right))
    return rows, result_rows.run(rows, label=label, **given)


def seeds(rng, count, spread=0.0, effect=0.0):
    tasks = rng.normal(0, 1, (ENVIRONMENTS, TASKS))
    return [run(rng, effect + rng.normal(0, spread), f"seed {number}", tasks) for number in range(count)]


def test_intervals_over_seeds_hold_what_intervals_over_tasks_alone_miss():
    """Training seeds differ by 0.5 logits: the interval of one run misses the mean over seeds most of the time, that of four holds it."""
    rng = np.random.default_rng(0)
    ease = (np.arange(ENVIRONMENTS)[:, None] - 2.5) / 2 + np.random.default_rng(1).normal(0, (1 + 0.5**2) ** 0.5, (ENVIRONMENTS, 100_000))
    truth = float((1 / (1 + np.exp(-ease))).mean())
    held = {}
    for count in (1, 4):
        found = [aggregate({"m": seeds(rng, count, 0.5)}, draws=200)["methods"][0]["mean"] for _ in range(40)]
        held[count] = sum(each["low"] <= truth <= each["high"] for each in found)
    assert held[4] >= 34
    assert held[1] < held[4] - 5


def constant(rights, label="run"):
    """A run of one task and one sample in each environment."""
    rows = [result_rows.row(f"e{number}-v1-0-00000000", 0, bool(right)) for number, right in enumerate(rights)]
    return rows, result_rows.run(rows, label=label)


def test_a_draw_takes_one_run_less_than_there_are():
    """One run of four is right: three drawn runs are right in 1 of 64 draws and two of them in 9, four drawn runs would be three times in 13 of 256."""
    found = aggregate({"a": [constant([right]) for right in (1, 0, 0, 0)]}, draws=4000)["methods"][0]["mean"]
    assert (found["mean"], found["low"], found["high"]) == (0.25, 0.0, pytest.approx(2 / 3))


def test_tasks_of_the_shifted_family_do_not_count():
    rows, info = constant([1, 0])
    shifted = result_rows.row("e2-v1-0-00000000", 0, True, split="shift")
    assert aggregate({"a": [([*rows, shifted], info)]})["tasks"] == 2


def test_aggregates_by_hand():
    found = aggregate(
        {"a": [constant([1, 1, 0, 0], "1"), constant([1, 1, 1, 0], "2")], "b": [constant([0, 0, 0, 0], "3"), constant([1, 0, 0, 0], "4")]}
    )
    a, b = found["methods"]
    assert (a["mean"]["mean"], b["mean"]["mean"]) == (5 / 8, 1 / 8)
    # The middle half of 0, 0, 0, 1, 1, 1, 1, 1 and of 0, 0, 0, 0, 0, 0, 0, 1.
    assert (a["iqm"]["mean"], b["iqm"]["mean"]) == (3 / 4, 0.0)
    assert a["optimality_gap"]["mean"] == pytest.approx(3 / 8)
    assert a["by_run"] == [0.5, 0.75]
    profile = {point["threshold"]: point["mean"] for point in a["profile"]}
    assert (profile[0.0], profile[0.95]) == (5 / 8, 5 / 8)  # the share above a threshold, where 0 is not above 0
    # By environment: 1 > 0 twice and 1 = 1 twice; 1 > 0 four times; 0 = 0 twice and 1 > 0 twice; 0 = 0 four times.
    assert found["improvement"][0]["mean"] == pytest.approx((0.75 + 1 + 0.75 + 0.5) / 4)
    assert found["improvement"][0]["mean"] + found["improvement"][1]["mean"] == pytest.approx(1)


def test_ranks_are_shared_unless_seeds_and_tasks_leave_no_doubt_and_one_run_has_none():
    rng = np.random.default_rng(2)
    methods = {
        "strong": seeds(rng, 4, 0.1, 2.0),
        "weak": seeds(rng, 4, 0.1),
        "like weak": seeds(rng, 4, 0.1, 0.05),
        "once": seeds(rng, 1, 0.1, 4.0),
    }
    found = aggregate(methods, draws=300)
    assert {row["method"]: row["rank"] for row in found["methods"]} == {"strong": 1, "weak": 2, "like weak": 2, "once": None}
    assert [note.split(":")[0] for note in found["notes"]] == ["once has one run"]
    page = render_aggregate(found)
    assert "once has one run" in page
    assert "Performance profile" in page


def test_only_tasks_of_all_runs_count_and_the_rest_is_said():
    rng = np.random.default_rng(3)
    rows, info = run(rng, label="half", finished=None)
    half = ([row | {"masked": row["id"].startswith("e0")} for row in rows], info)
    found = aggregate({"a": [run(rng, label="whole"), half]})
    assert (found["tasks"], found["left_out"], found["environments"]) == (50, 10, 5)
    assert found["notes"] == [
        "a: unfinished runs (half) limit the common tasks to what they have.",
        "10 tasks are left out: some run has none of their samples unmasked.",
    ]


def test_runs_of_other_suites_or_versions_are_refused_unless_their_common_tasks_are_asked_for():
    rng = np.random.default_rng(4)
    methods = {"a": [run(rng, label="one"), run(rng, label="two", digest="1" * 64, tasks_of=5)]}
    with pytest.raises(RlgymError, match=r"other versions of their environments \(one: made \(00000000\), two: made \(11111111\)\)"):
        aggregate(methods)
    assert aggregate(methods, common=True)["tasks"] == 30
    other = [[row | {"id": row["id"].replace("-v1-", "-v2-")} for row in run(rng)[0]], run(rng)[1]]
    with pytest.raises(RlgymError, match="no unmasked task of the main split in common"):
        aggregate({"a": [run(rng), tuple(other)]})
    with pytest.raises(RlgymError, match="a method with a run or more"):
        aggregate({"a": []})


def test_the_command_takes_runs_of_methods_and_writes_a_page(tmp_path):
    suite = from_names(["chain_sum", "gcd_lcm"], levels=[0.0], count=8)
    for name in ("oracle", "mistake"):
        for seed in range(2):
            model = BuiltinModel(name, suite.rows)
            evaluate(EvaluationPlan(suite, model, EpisodeConfig(Sampling()), label=f"{name} {seed}"), tmp_path / f"{name}-{seed}")
    runs = [word for name in ("oracle", "mistake") for seed in range(2) for word in ("--run", f"{name}={tmp_path / f'{name}-{seed}'}")]
    result = CliRunner().invoke(app, ["eval", "aggregate", *runs, "--out", str(tmp_path / "page.html")])
    assert result.exit_code == 0, result.output
    assert "oracle over mistake: 100.0 %" in result.output
    assert 'name="viewport"' in (tmp_path / "page.html").read_text()
    found = json.loads(CliRunner().invoke(app, ["eval", "aggregate", *runs, "--json"]).output)
    assert [(row["method"], row["rank"], len(row["runs"])) for row in found["methods"]] == [("oracle", 1, 2), ("mistake", 2, 2)]
    twice = CliRunner().invoke(app, ["eval", "aggregate", *runs, *runs[:2]])
    assert "is given twice" in str(twice.exception)
    assert "METHOD=FOLDER" in str(CliRunner().invoke(app, ["eval", "aggregate", "--run", "folder"]).exception)
