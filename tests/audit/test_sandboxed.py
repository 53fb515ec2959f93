"""Python functions that are audited in the sandbox."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.audit import AuditOptions, ProcessOptions
from rlgym.audit.case import Case
from rlgym.audit.run import audit, audit_scorer
from rlgym.audit.scorers import sandboxed
from rlgym.audit.scorers.base import ScorerUnavailable
from rlgym.audit.scorers.lines import Patience
from rlgym.audit.scorers.sandboxed import CALLS, SandboxScorer, find_source
from rlgym.cli import app
from rlgym.core.errors import SandboxMissing
from rlgym.sandbox import Limits, get_runner

FILE = Path(__file__).parent / "stdlib_scorers.py"
PROCESS = ProcessOptions(seconds=2, workers=2, memory_mb=256)
OPTIONS = AuditOptions(effort="least", types=("integers",), style="tag", process=PROCESS)

try:
    get_runner(Limits())
except SandboxMissing as why:
    pytest.skip(str(why), allow_module_level=True)


def case(response, answer="3"):
    return Case("layouts", "P", response, answer, True, "integers", "arithmetic")


def marked(text):
    return case(f"<answer>{text}</answer>")


def report_of(name):
    return audit_scorer(name, lambda process: SandboxScorer(f"{FILE}:{name}", process), OPTIONS, lambda done, total: None)


def scorer(name, **options):
    return SandboxScorer(f"{FILE}:{name}", ProcessOptions(seconds=1, workers=1, memory_mb=256, **options))


def test_the_sandbox_measures_what_a_process_measures():
    inside, outside = report_of("exact"), audit(f"{FILE}:exact", OPTIONS)
    assert inside.kind == "sandbox"
    assert inside.shape == outside.shape
    assert (inside.false_negatives, inside.false_positives) == (outside.false_negatives, outside.false_positives)
    same = {check.name: check.rate for check in inside.checks if check.name not in ("memory_limit", "time_limit")}
    assert same == {check.name: check.rate for check in outside.checks if check.name in same}
    assert "equivalent_spellings" in inside.failed


@pytest.mark.parametrize("name", ["evaluates", "runs_shell"])
def test_text_that_runs_is_noticed(name):
    assert "code_execution" in report_of(name).failed


def test_nothing_is_written_outside():
    left = Path("/tmp/left_by_a_scorer")
    left.unlink(missing_ok=True)
    [verdict] = scorer("writes_home").score([marked("3")])
    assert verdict.reward is None
    assert "raised" in verdict.error
    assert not left.exists()


def test_a_call_that_never_ends_costs_only_itself():
    cases = [marked("3"), case("((((((" + "<answer>3</answer>"), *[marked("3"), marked("4")] * CALLS]
    verdicts = scorer("hangs").score(cases)
    assert [verdict.reward for verdict in verdicts] == [1.0, None, *[1.0, 0.0] * CALLS]
    assert [verdict.timed_out for verdict in verdicts] == [False, True, *[False] * (2 * CALLS)]


def test_a_scorer_that_often_hangs_is_measured_to_the_end(monkeypatch):
    monkeypatch.setattr(Patience, "TIMEOUTS", 1)
    monkeypatch.setattr(sandboxed, "LEAST_SECONDS", 0.4)
    verdicts = scorer("hangs").score([marked("3"), case("(((((("), case("(((((("), marked("3")])
    assert [verdict.timed_out for verdict in verdicts] == [False, True, True, False]
    assert verdicts[2].seconds < verdicts[1].seconds  # less patience after the first


def test_a_coroutine_that_waits_for_nothing_needs_no_event_loop():
    verdicts = scorer("coroutine").score([marked("3"), marked("4")])
    assert [verdict.reward for verdict in verdicts] == [1.0, 0.0]
    [waiting] = scorer("waits").score([marked("3")])
    assert waiting.reward is None
    assert "event loop" in waiting.error


def test_memory_is_limited():
    first, second = scorer("eats_memory").score([case("x" * 200_000), marked("3")])
    assert first.reward is None
    assert "MemoryError" in first.error
    assert second.reward == 1.0


def test_rewards_that_are_no_numbers_and_texts_that_are_no_unicode_arrive():
    verdicts = scorer("nan").score([marked("3"), marked("\ud800"), case("\udcff<answer>4</answer>", "4")])
    assert verdicts[0].reward != verdicts[0].reward
    assert [verdict.reward for verdict in verdicts[1:]] == [0.0, 1.0]


def test_batches_and_changed_arguments():
    verdicts = scorer("batch", batch=4).score([marked("3"), marked("4")] * 3)
    assert [verdict.reward for verdict in verdicts] == [1.0, 0.0] * 3
    assert all(verdict.mutated for verdict in scorer("mutates", batch=3).score([marked("3")] * 3))
    assert not any(verdict.mutated for verdict in verdicts)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (f"{FILE}:absent", "has no 'absent'"),
        (f"{FILE}:number", "is a int, not a function"),
        (f"{FILE}:two", "has no known shape"),
        ("no_such_file.py:score", "there is no file"),
        ("no.such.module:score", "no Python file of the module"),
        (f"{Path(__file__).parent / 'planted_scorers.py'}:sound", "only the standard library"),
    ],
)
def test_what_cannot_be_loaded_is_one_line(place, message):
    with pytest.raises(ScorerUnavailable, match=message) as raised:
        SandboxScorer(place, PROCESS)
    assert "\n" not in str(raised.value)


def test_a_module_is_found_without_being_imported(monkeypatch):
    monkeypatch.syspath_prepend(str(FILE.parent))
    sys.modules.pop("stdlib_scorers", None)
    assert find_source("stdlib_scorers") == FILE
    assert "stdlib_scorers" not in sys.modules


def test_the_command_takes_the_sandbox():
    arguments = ["audit", f"{FILE}:exact", "--sandbox", "--quick", "--types", "integers", "--style", "tag", "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["kind"] == "sandbox"
    refused = CliRunner().invoke(app, ["audit", "--command", "true", "--sandbox"])
    assert isinstance(refused.exception, RlgymError)
    assert "--sandbox takes a Python function" in str(refused.exception)
