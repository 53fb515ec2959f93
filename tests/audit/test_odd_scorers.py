"""Unusual and hostile reward functions as targets."""

import time
from pathlib import Path

import pytest

from rlgym.audit import ProcessOptions
from rlgym.audit.case import Case
from rlgym.audit.scorers.base import ScorerUnavailable
from rlgym.audit.scorers.lines import Patience
from rlgym.audit.scorers.process import ProcessScorer
from rlgym.audit.scorers.sandboxed import SandboxScorer
from rlgym.core.errors import SandboxMissing

FILE = Path(__file__).parent / "odd_scorers.py"


def case(response, answer="3"):
    return Case("layouts", "P", response, answer, True, "integers", "arithmetic")


def verdicts(name, *responses, **options):
    scorer = ProcessScorer(f"{FILE}:{name}", ProcessOptions(**{"workers": 1, "seconds": 60, "batch": 2, **options}))
    try:
        return scorer.score([case(response) for response in responses])
    finally:
        scorer.close()


@pytest.mark.parametrize(
    "name",
    [
        "coroutine", "coroutine_of_a_batch", "generator_of_a_batch", "verl_batch", "positional", "Class", "instance", "scalar",
        "forks_properly", "writes_to_the_pipe",
    ],
)  # fmt: skip
def test_unusual_functions_are_scored(name):
    found = verdicts(name, "<answer>3</answer>", "<answer>4</answer>", "<answer>3</answer>")
    assert [(verdict.reward, verdict.error) for verdict in found] == [(1.0, ""), (0.0, ""), (1.0, "")]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("pair", r"returned (0.0, 'reason') instead of a number"),
        ("generator", "returned <generator object generator at"),
        ("other_key", "returned {'accuracy': 0.0}, which has no number under score, reward, value"),
        ("writes_other_replies", "a reply that is none of ours"),
        ("replaces_json", "a reply that is none of ours"),
        ("raises_without_text", "raised Silent, whose text raises RuntimeError"),
        ("returns_what_exits", "of which reading the number raises SystemExit"),
        ("comes_back_twice", "came back in a second process (os.fork)"),
    ],
)
def test_what_is_no_reward_is_an_error_that_says_why(name, error):
    first, second = verdicts(name, "<answer>4</answer>", "<answer>4</answer>")
    assert first.reward is second.reward is None
    assert error in first.error


@pytest.mark.parametrize("name", ["replaces_json", "raises_without_text", "returns_what_exits"])
def test_the_sandbox_takes_no_reply_for_a_verdict_that_is_none(name):
    try:
        scorer = SandboxScorer(f"{FILE}:{name}", ProcessOptions(workers=1))
    except SandboxMissing as why:
        pytest.skip(str(why))
    found = scorer.score([case("<answer>4</answer>")] * 2)
    assert [verdict.reward for verdict in found] == [None, None]
    assert all(verdict.error for verdict in found)


def test_a_class_that_needs_arguments_is_refused():
    with pytest.raises(ScorerUnavailable, match=r"class that cannot be made without arguments .*weight.*name an instance"):
        verdicts("WithArguments", "")


def test_processes_that_a_scorer_leaves_end_with_it(tmp_path):
    file = tmp_path / "written"
    verdicts("leaves_a_process", str(file))
    size = file.stat().st_size if file.exists() else 0
    time.sleep(0.3)
    assert (file.stat().st_size if file.exists() else 0) == size


def test_a_scorer_that_often_hangs_is_measured_to_the_end():
    hanging = ["loop"] * (Patience.TIMEOUTS + 2)
    found = verdicts("hangs", "<answer>3</answer>", *hanging, "<answer>3</answer>", seconds=1.0)
    assert [verdict.timed_out for verdict in found] == [False, *[True] * len(hanging), False]
    assert found[-2].seconds < 0.9 < found[1].seconds


def test_a_scorer_that_always_hangs_ends_the_audit():
    with pytest.raises(ScorerUnavailable, match=r"each of the first 8 calls took longer than the time limit of 0\.05 s"):
        verdicts("hangs", *["loop"] * 9, seconds=0.05)


def test_the_limit_falls_to_ten_times_the_slowest_call():
    patience = Patience(5.0)
    patience.finished(0.2)
    for _ in range(Patience.TIMEOUTS - 1):
        patience.timed_out()
    assert patience.seconds == 5.0
    patience.timed_out()
    assert patience.seconds == pytest.approx(2.0)


def test_an_interrupt_ends_all_children():
    scorer, scored = ProcessScorer(f"{FILE}:instance", ProcessOptions(workers=2, seconds=60)), []

    def interrupt(count):
        scored.append(count)
        raise KeyboardInterrupt

    try:
        with pytest.raises(KeyboardInterrupt):
            scorer.score([case("<answer>3</answer>")] * 1000, interrupt)
    finally:
        scorer.close()
    assert len(scored) <= 2
