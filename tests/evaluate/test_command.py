"""`rlgym eval` as a user runs it, and the examples of its page."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app

PAGE = Path(__file__).parents[2] / "docs" / "evaluate.md"


def _run(*words, exit_code=0):
    done = CliRunner().invoke(app, ["eval", *words])
    assert done.exit_code == exit_code, (done.output, done.exception)
    return done


def test_the_command_tries_out_a_suite_without_a_model(tmp_path):
    report = json.loads(
        _run("--suite", "chain_sum", "--model", "oracle", "--limit", "3", "--count", "5", "--out", str(tmp_path), "--json").stdout
    )
    assert (report["total"], report["right"], report["accuracy"], report["stopped"]) == (3, 3, 1.0, None)
    assert "(first 3)" in json.loads((tmp_path / "run.json").read_text())["suite"]["name"]
    report = json.loads(_run("report", str(tmp_path), "--json").stdout)
    assert (report["rows"], report["expected"], report["finished"]) == (3, 3, True)
    wrong = _run("run", "--suite", "chain_sum", "--model", "mistake", "--count", "2", "--out", str(tmp_path / "wrong")).stdout
    assert "2 of 2 episodes: 0.0% right" in wrong


def test_a_dry_run_says_how_much_there_is_to_ask():
    report = json.loads(_run(
        "--suite", "chain_sum,higher_lower", "--count", "4", "--samples", "2", "--dry-run", "--max-tokens", "100",
        "--price-prompt", "1", "--price-completion", "2", "--json",
    ).stdout)  # fmt: skip
    assert (report["tasks"], report["episodes"]) == (4, 8)
    assert report["requests"] > 8
    assert report["completion_tokens"] == 100 * report["requests"]
    assert report["cost"] == pytest.approx((report["prompt_tokens"] + 2 * report["completion_tokens"]) / 1e6)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "gpt"], "the address of the model 'gpt' is missing"),
        ([], "choose a model"),
        (["--model", "x", "--base-url", "http://h", "--extra-body", "top_k"], "KEY=JSON"),
        (["--model", "x", "--base-url", "h:80"], "looks like http://localhost:8000/v1, got 'h:80'"),
        (["--model", "oracle", "--tools", "both"], "--tools must be 'native' or 'text'"),
        (["--model", "oracle", "--levels", "high"], "--levels takes numbers"),
        (["--model", "oracle", "--system-prompt", "@nothing.txt"], "cannot be read"),
        (["--model", "oracle", "--max-cost", "1"], "needs prices"),
        (["--model", "oracle", "--price-prompt", "1"], "set both prices"),
    ],
)
def test_what_is_asked_wrongly_is_said(tmp_path, words, message):
    done = _run("--suite", "chain_sum", "--count", "1", "--out", str(tmp_path), *words, exit_code=1)
    assert isinstance(done.exception, RlgymError)
    assert message in str(done.exception)


def test_the_examples_of_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text()
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(block, "example", "exec"), {"__name__": "example"})  # noqa: S102  our own text
    lines = [line for block in re.findall(r"```bash\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    # All but those that need a model.
    ran = [_run(*shlex.split(line)[2:]) for line in lines if "--model oracle" in line or "--model mistake" in line or "--dry-run" in line]
    assert len(ran) == 4
    assert "100.0% right" in ran[0].stdout
    assert "0.0% right" in ran[1].stdout
