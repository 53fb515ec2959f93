"""Batches are scored in parallel and within a time limit, with the scores that `rlgym.score` gives."""

import asyncio
import threading
import time

import pytest

import rlgym
from rlgym.adapters import trl
from rlgym.core.errors import KnobError, RowError
from rlgym.core.score import Outcome, Score
from rlgym.dataset import batch_scoring, sample, to_task_json, wrong_response
from rlgym.dataset.batch_scoring import default_workers, score_batch, score_batch_async

NAMES = ["chain_sum", "function_from_tests", "sql_query", "natural_deduction", "shortest_path"]


@pytest.fixture(scope="module")
def rows():
    return list(sample(NAMES, 15, levels=[0.2], seed=5))


def loops(count):
    """Programs that do not end, no two of them alike."""
    return [f"<answer>\ndef solve(*arguments):\n    while True:\n        spins = {number}\n</answer>" for number in range(count)]


def test_scores_are_those_of_score_whatever_the_number_of_threads(rows):
    given = [(row, response) for row in rows for response in (row["oracle_response"], wrong_response(row), "I do not know.")]
    listed, responses = [row for row, _ in given], [response for _, response in given]
    one_by_one = [rlgym.score(row, response) for row, response in given]
    assert score_batch(listed, responses, workers=1) == one_by_one
    assert score_batch(listed, responses, workers=8) == one_by_one
    assert asyncio.run(score_batch_async(listed, responses)) == one_by_one


def test_programs_that_do_not_end_do_not_wait_for_each_other(rows, monkeypatch):
    running, most, lock = 0, 0, threading.Lock()

    def slow(row, response):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.2)
        with lock:
            running -= 1
        return Score.wrong("slow")

    monkeypatch.setattr(batch_scoring, "score", slow)
    start = time.monotonic()
    score_batch([rows[0]] * 32, [str(number) for number in range(32)], workers=16)
    assert most == 16
    assert time.monotonic() - start < 3  # 6.4 s one after the other
    monkeypatch.setattr(batch_scoring, "default_workers", lambda: 5)
    most = 0
    trl.score([str(number) for number in range(20)], [to_task_json(rows[0])] * 20)
    assert most == 5


def test_looping_programs_and_right_ones_of_one_batch(rows):
    row = next(row for row in rows if row["env"] == "function_from_tests")
    scores = score_batch([row] * 5, [*loops(4), row["oracle_response"]])
    assert [score.outcome for score in scores] == [Outcome.TIMED_OUT] * 4 + [Outcome.RIGHT]


def test_equal_responses_are_scored_once(rows, monkeypatch):
    calls = []
    monkeypatch.setattr(batch_scoring, "score", lambda row, response: calls.append(response) or Score.wrong(response))
    other = {**rows[0], "data": rows[1]["data"]}
    scores = score_batch([rows[0], rows[0], other, rows[0]], ["a", "a", "a", "b"])
    assert sorted(calls) == ["a", "a", "b"]
    assert [score.reason for score in scores] == ["a", "a", "a", "b"]


def test_what_exceeds_the_time_limit_of_a_batch_is_masked(rows, monkeypatch):
    stop = threading.Event()
    monkeypatch.setattr(batch_scoring, "score", lambda row, response: (response == "slow" and stop.wait(20), Score.wrong("scored"))[1])
    start = time.monotonic()
    scores = score_batch([rows[0]] * 4, ["quick", "slow", "slower", "quick"], workers=2, limit_seconds=1)
    assert time.monotonic() - start < 5
    assert [score.masked for score in scores] == [False, True, False, False]
    assert "time limit of 1 s" in scores[1].reason
    reward = trl.reward_function(workers=1, limit_seconds=0.5)
    assert reward(["slow", "quick"], [to_task_json(rows[0])] * 2) == [None, None]
    stop.set()


def test_what_the_machine_is_to_blame_for_is_tried_again(rows, monkeypatch):
    calls = []

    def overloaded(row, response):
        calls.append(response)
        return Score.wrong("scored") if response == "a" or calls.count(response) > 1 else Score.nothing(Outcome.ERROR, "overloaded")

    monkeypatch.setattr(batch_scoring, "score", overloaded)
    assert [score.reason for score in score_batch([rows[0]] * 2, ["a", "b"])] == ["scored", "scored"]
    assert sorted(calls) == ["a", "b", "b"]


def test_errors_of_rows_are_raised(rows):
    with pytest.raises(RowError, match="2 rows but 1 responses"):
        score_batch(rows[:2], ["a"])
    with pytest.raises(RowError, match="prompt"):
        score_batch([{**rows[0], "prompt": 3}], ["a"])
    with pytest.raises(KnobError, match="workers must be 1 or more"):
        trl.reward_function(workers=0)
    with pytest.raises(KnobError, match="limit_seconds must be more than 0"):
        trl.reward_function(limit_seconds=0)
    assert 1 <= default_workers() <= 64


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_reward_function_of_trl_gives_the_rewards_of_score(rows, asynchronous):
    reward = trl.reward_function(workers=3, limit_seconds=60, asynchronous=asynchronous)
    assert reward.__name__ == "score"
    assert asyncio.iscoroutinefunction(reward) is asynchronous
    jsons = [to_task_json(row) for row in rows] * 2
    completion = [row["oracle_response"] for row in rows] + [[{"role": "assistant", "content": wrong_response(row)}] for row in rows]
    given = reward(completions=completion, task_json=jsons, prompts=completion, completion_ids=completion, trainer_state=None)
    rewards = asyncio.run(given) if asynchronous else given
    assert rewards == trl.score(completion, jsons)
    assert rewards[: len(rows)] == [1.0] * len(rows)
    assert max(rewards[len(rows) :]) < 1
