"""`rlgym audit`: output, exit codes, errors in one line, and the same numbers twice."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.audit import AuditOptions, ProcessOptions, audit
from rlgym.audit.page import render_page
from rlgym.cli import app

FILE = Path(__file__).parent / "planted_scorers.py"
QUICK = ["--quick", "--types", "integers", "--style", "tag", "--workers", "1", "--seconds", "60"]


def run(*arguments):
    return CliRunner().invoke(app, ["audit", *arguments])


@pytest.fixture(scope="module")
def measured():
    options = AuditOptions(effort="least", types=("integers",), style="tag", process=ProcessOptions(seconds=60, workers=1))
    return audit(f"{FILE}:substring", options)


def test_the_command_prints_tables_and_writes_a_page_and_failures(tmp_path):
    page, failures = tmp_path / "page.html", tmp_path / "failures.parquet"
    done = run(f"{FILE}:substring", *QUICK, "--html", str(page), "--failures", str(failures))
    assert done.exit_code == 0, done.output
    assert "answer_lists" in done.output
    assert "FAIL" in done.output
    rows = pq.read_table(failures).to_pylist()
    assert {"answer_lists"} <= {row["check"] for row in rows}
    assert all(row["response"] and row["prompt"] for row in rows if row["check"] == "answer_lists")
    text = page.read_text(encoding="utf-8")
    assert "answer_lists" in text
    assert "http://" not in text.replace("http://www.w3.org", "")


def test_json_is_the_report_and_thresholds_decide_the_exit_code(tmp_path):
    failures = tmp_path / "failures.jsonl"
    done = run(f"{FILE}:substring", *QUICK, "--json", "--max-false-positives", "0", "--failures", str(failures))
    assert done.exit_code == 1
    report = json.loads(done.output)
    assert report["exceeded"]
    assert report["false_positives"]["failures"] > 0
    assert {row["check"] for row in map(json.loads, failures.read_text().splitlines())} >= {"answer_lists"}
    assert run(f"{FILE}:substring", *QUICK, "--require", "answer_lists").exit_code == 1
    assert run(f"{FILE}:substring", *QUICK, "--require", "threads", "--max-false-positives", "0.9").exit_code == 0


def test_lint_runs_only_the_checks_of_reward_functions():
    done = run(f"{FILE}:consolation_for_tags", *QUICK, "--reward", "--json", "--strict")
    assert done.exit_code == 1
    report = json.loads(done.output)
    names = {check["name"] for check in report["checks"]}
    assert "consolation" in names
    assert "near_misses" not in names
    assert report["best_of_n"] == report["climb"] == report["by_type"] == []
    assert 0 < report["distance"] < 1


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (f"{FILE}:unknown_shape", "has no known shape; the shapes are (prompt, response, answer)"),
        (f"{FILE}:pays_nothing", "accepts no reference answer in any of the styles"),
        (f"{FILE}:missing", "has no 'missing'"),
        ("no_such_module:f", "importing 'no_such_module:f' raised ModuleNotFoundError"),
        ("nonsense", "package.module:function"),
    ],
)
def test_a_target_that_cannot_be_audited_is_one_line(target, message):
    with pytest.raises(RlgymError) as error:
        audit(target, AuditOptions(effort="least", types=("integers",)))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_same_seed_gives_the_same_numbers(measured):
    options = AuditOptions(effort="least", types=("integers",), style="tag", process=ProcessOptions(seconds=60, workers=2))
    again = audit(f"{FILE}:substring", options)
    machine = {"cost", "seconds"}
    assert again.model_dump(exclude=machine) == measured.model_dump(exclude=machine)


def test_another_seed_gives_other_cases(measured):
    options = AuditOptions(effort="least", types=("integers",), style="tag", seed=7, process=ProcessOptions(seconds=60, workers=1))
    other = audit(f"{FILE}:substring", options)
    assert [one.answer for one in other.failures] != [one.answer for one in measured.failures]


def test_the_page_shows_responses_without_running_them(measured):
    failure = measured.failures[0].model_copy(update={"response": "<script>alert(1)</script>"})
    check = measured.check("answer_lists").model_copy(update={"examples": [failure]})
    page = render_page(measured.model_copy(update={"checks": [check]}))
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_styles_are_detected_and_types_without_support_are_left_out():
    report = audit(f"{FILE}:exact_string", AuditOptions(effort="least", process=ProcessOptions(seconds=60, workers=1)))
    assert report.style == "tag"
    report = audit(f"{FILE}:parses_literals", AuditOptions(effort="least", style="tag", process=ProcessOptions(seconds=60, workers=1)))
    assert "matrices" not in report.unsupported_types  # it falls back to the sound scorer
