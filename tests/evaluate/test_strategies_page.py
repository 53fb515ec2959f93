"""The report of a run of strategies: who is best where, what it costs in time and operations, and what is missing, in one file."""

import json
import re

import pytest
from evaluate.test_strategies import Simulated, ran
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import RequestFailed, Sampling
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.strategies.page import render, warnings
from rlgym.evaluate.strategies.run import run_strategies
from rlgym.evaluate.strategies.summary import summarize
from rlgym.evaluate.suites import from_names

SUITE = from_names(["chain_sum", "gcd_lcm"], levels=[0.0, 0.3], count=20)


def row(task, strategy, right, **changes):
    values = {"id": task, "env": "e", "domain": "d", "level": 0.5, "strategy": strategy, "masked": False, "right": right, "ceiling": right}
    cost = {"candidates": [["1", right]], "calls": 2, "prompt_tokens": 30, "completion_tokens": 10, "seconds": 0.5}
    return values | cost | changes


def test_the_best_strategy_is_named_by_domain_environment_and_level():
    rows = [row("a", "one", True, domain="x"), row("a", "two", False, domain="x"), row("b", "one", True), row("b", "two", True)]
    by = summarize(rows)["by"]
    assert by["domain"] == [
        {"domain": "d", "tasks": 1, "accuracy": {"one": 1.0, "two": 1.0}, "best": None},
        {"domain": "x", "tasks": 1, "accuracy": {"one": 1.0, "two": 0.0}, "best": "one"},
    ]
    assert by["env"] == [{"env": "e", "tasks": 2, "accuracy": {"one": 1.0, "two": 0.5}, "best": "one"}]


def test_settings_of_rows_without_tokens_have_an_accuracy():
    settings = summarize([row("a", "one", True, settings=["t=1"]), row("b", "one", False, settings=["t=1"])])["settings"]["one"]
    assert settings == {"t=1": {"samples": 2, "accuracy": 0.5, "tokens": None}}


def cells(page, table):
    """The texts of the first row of a table."""
    first = re.search(rf'aria-label="{table} table".*?<tbody><tr>(.*?)</tr>', page, re.DOTALL)[1]
    return [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", first)]


def test_the_tables_of_the_page_by_hand():
    rows = [row("a", "one", True), row("b", "one", False, ceiling=True), row("a", "two", False), row("b", "two", False)]
    run = {
        "model": {"name": "m"},
        "suite": {"name": "s", "tasks": 5},
        "sampling": {"seed": 0},
        "rlgym": "0",
        "strategies": {},
        "versions": {},
    }
    summary = summarize(rows) | {"run": run, "tasks_left_out": 3}
    page = render(summary)
    assert cells(page, "strategies")[0] == "one"
    assert cells(page, "strategies")[1].startswith("50.0 %")
    assert cells(page, "strategies")[2:] == ["100.0 %", "–", "2", "10", "0.5", "–", "2", "0"]
    assert cells(page, "by-env") == ["e", "2", "50.0 %", "0.0 %", "one"]
    assert "3 tasks of the suite have another number of turns" in page
    tie = summarize([row("a", "one", True), row("a", "two", True)]) | {"run": run, "tasks_left_out": 0}
    assert cells(render(tie), "by-env")[-1] == "a tie"
    assert warnings(tie) == []


def test_operations_are_two_for_each_parameter_and_token_and_unknown_costs_stay_unknown():
    found = summarize([row("a", "one", True), row("b", "one", False, seconds=1.5, completion_tokens=30)], 100)
    assert found["strategies"]["one"]["flops"] == 2 * 100 * (30 + 20)
    assert found["seconds"] == {"one": 1.0}
    assert summarize([row("a", "one", True)])["strategies"]["one"]["flops"] is None
    unknown = summarize([row("a", "one", True, completion_tokens=None, seconds=None)], 100)
    assert (unknown["strategies"]["one"]["flops"], unknown["seconds"]["one"]) == (None, None)


def test_a_run_leaves_one_page_that_loads_nothing(tmp_path):
    model = Simulated(rows=SUITE.rows, delay=0.01)
    plan = EvaluationPlan(SUITE, model, EpisodeConfig(Sampling()), parameters=1000)
    summary = run_strategies(plan, ["single", "majority"], {"n": 4}, tmp_path)
    assert summary["strategies"]["majority"]["flops"] == 2 * 1000 * 4 * 60
    assert summary["seconds"]["majority"] > 4 * 0.009
    assert summary["seconds"]["majority"] > summary["seconds"]["single"] > 0.009
    page = (tmp_path / "report.html").read_text()
    assert 'name="viewport"' in page
    assert not re.search(r"(?:src|href)=.?(?:https?:)?//", page)
    for words in ("Which strategy is best where", "gcd_lcm", "majority votes", "Vote at equal tokens"):
        assert words in page
    again = run_strategies(
        EvaluationPlan(SUITE, model, EpisodeConfig(Sampling()), parameters=1000), ["single", "majority"], {"n": 4}, tmp_path
    )
    assert again["seconds"] == pytest.approx(summary["seconds"], abs=1e-3)


class FailingOnOne(Simulated):
    async def generate(self, messages, tools, sampling, seed):
        if "gcd" in messages[0]["content"] or "greatest" in messages[0]["content"]:
            raise RequestFailed("no answer")
        return await super().generate(messages, tools, sampling, seed)


def test_tasks_without_a_result_and_a_model_that_is_never_right_are_said_first(tmp_path):
    run_strategies(EvaluationPlan(SUITE, FailingOnOne(skill=0.0, rows=SUITE.rows), EpisodeConfig(Sampling())), ["single"], {}, tmp_path)
    summary = json.loads((tmp_path / "strategy_summary.json").read_text())
    masked = summary["strategies"]["single"]["masked"]
    assert masked > 0
    said = warnings(summary)
    assert f"single: {masked} of 20 tasks failed (no answer) and" in said[0]
    assert said[1].startswith("No attempt of any strategy is right")
    assert said[0] in (tmp_path / "report.html").read_text()


def test_the_command_says_first_that_a_model_is_never_right(tmp_path):
    arguments = [
        "eval",
        "--suite",
        "chain_sum",
        "--count",
        "6",
        "--model",
        "mistake",
        "--strategy",
        "single",
        "--out",
        str(tmp_path / "run"),
    ]
    assert CliRunner().invoke(app, arguments).output.startswith("No attempt of any strategy is right")


def test_votes_that_were_sampled_too_little_are_said_with_the_size_that_would_do(tmp_path):
    summary = ran(tmp_path, "majority,revise,single", Simulated(rows=SUITE.rows), {"n": 4, "rounds": 1}, SUITE.first(6))
    assert not [warning for warning in warnings(summary) if "vote" in warning]
    dear = summary["strategies"] | {"revise": summary["strategies"]["revise"] | {"tokens": 95.0}}
    # Four samples cost 40 tokens, so that 95 tokens are those of ten.
    assert any("revise: more tokens" in said and "over 10 samples" in said for said in warnings(summary | {"strategies": dear}))


def test_few_tasks_leave_quintiles_empty_and_the_page_says_so(tmp_path):
    summary = ran(tmp_path, "single", suite=SUITE.first(3), model=Simulated(rows=SUITE.rows))
    assert "2 of the 5 quintiles have no task" in render(summary)


def test_the_command_prints_where_the_report_is_and_estimates_operations(tmp_path):
    arguments = ["eval", "--suite", "chain_sum", "--count", "6", "--model", "oracle", "--out", str(tmp_path / "run")]
    result = CliRunner().invoke(app, [*arguments, "--strategy", "single", "--parameters", "7e9"])
    assert result.exit_code == 0, result.output
    assert "report.html" in result.output
    assert "; best: single" in result.output.replace("\n", " ")
    summary = json.loads((tmp_path / "run" / "strategy_summary.json").read_text())
    assert summary["strategies"]["single"]["flops"] > 7e9
    plain = CliRunner().invoke(app, [*arguments[:-1], str(tmp_path / "plain"), "--parameters", "1e9"])
    assert plain.exit_code == 0, plain.output
    usage = json.loads((tmp_path / "plain" / "summary.json").read_text())["usage"]
    assert usage["flops"] == 2e9 * (usage["prompt_tokens"] + usage["completion_tokens"])


@pytest.mark.parametrize("other", [["--adaptive", "--pass-rates", "rates.sqlite"], ["--pass-rates", "rates.sqlite"]])
def test_options_that_a_run_of_strategies_would_ignore_are_refused(tmp_path, monkeypatch, other):
    monkeypatch.chdir(tmp_path)
    arguments = ["eval", "run", "--suite", "chain_sum", "--count", "2", "--model", "oracle", "--strategy", "single", *other]
    refused = CliRunner().invoke(app, arguments)
    assert f"{other[0]} is for episodes" in str(refused.exception)
    assert not list(tmp_path.iterdir())
