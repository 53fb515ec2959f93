"""Whole runs: against a server, killed and gone on with, stopped, and read back."""

import json
from collections import Counter

import pyarrow.parquet as pq
import pytest
from evaluate.endpoint import Odd, error, lucky, serving
from evaluate.plans import SUITE, plan

import rlgym
from rlgym import RlgymError
from rlgym.dataset import Session
from rlgym.evaluate.episodes.episode import EpisodeConfig, TokenPrices
from rlgym.evaluate.episodes.results import COLUMNS, load
from rlgym.evaluate.models.base import ModelUnavailable, Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names


def test_a_noisy_model_is_right_exactly_as_often_as_its_server_counted(tmp_path):
    with serving(SUITE.rows) as server:
        done = evaluate(plan(server, "noisy", samples=3, prices=TokenPrices(1.0, 2.0)), tmp_path)
        request = [lucky(body) for body in server.asked]
    loaded = load(tmp_path)
    assert loaded.finished
    assert done.progress.right == server.right == sum(row["right"] for row in loaded.rows) == sum(request)
    assert 0 < server.right < 36 == len(loaded.rows) == done.progress.done
    assert done.progress.accuracy == server.right / 36
    assert server.most_under_way <= 4
    assert len({body["seed"] for body in server.asked}) == 36
    assert all(row["cost"] == pytest.approx((10 + 2 * 5) / 1e6) for row in loaded.rows)
    assert {(row["outcome"], row["value"]) for row in loaded.rows} == {("right", 1.0), ("wrong", 0.0)}


def test_results_have_the_columns_that_are_promised(tmp_path):
    with serving(SUITE.rows) as server:
        evaluate(plan(server, label="mine", system="Be brief.", temperature=0.5), tmp_path)
        assert server.asked[0]["messages"][0] == {"role": "system", "content": "Be brief."}
    table = pq.read_table(tmp_path / "results.parquet")
    assert table.column_names == list(COLUMNS)
    row = table.to_pylist()[0]
    [task] = [task for task in SUITE.rows if task["id"] == row["id"]]
    assert row["difficulty"] == task["difficulty"]
    assert (row["kind"], row["split"], row["turns"], row["requests"], row["finish_reason"]) == ("environment", "main", 1, 1, "stop")
    assert row["answer"] == Session(task).oracle()
    assert [message["role"] for message in json.loads(row["messages"])] == ["system", "user", "assistant"]
    info = json.loads((tmp_path / "run.json").read_text())
    assert info["suite"] == {"name": SUITE.name, "hash": SUITE.hash, "tasks": 12}
    assert info["model"] == {"kind": "openai", "name": "oracle", "url": server.url, "stream": True}
    assert info["sampling"] == {
        "samples": 1, "temperature": 0.5, "top_p": None, "max_tokens": None, "seed": 0, "system": "Be brief.", "extra": {},
    }  # fmt: skip
    assert (info["format"], info["label"], info["tools"], info["rlgym"]) == (1, "mine", "text", rlgym.__version__)
    assert info["started"] <= info["finished"]


@pytest.mark.parametrize("name", ["native", "oracle"])
def test_tools_are_called_natively_over_many_turns(tmp_path, name):
    suite = from_names("bank_support,higher_lower", levels=[0.0], count=4)
    with serving(suite.rows) as server:
        done = evaluate(plan(server, name, suite, native_tools=True), tmp_path)
        given = [body for body in server.asked if "tools" in body]
    assert done.progress.right == 4
    assert given
    assert all("<answer>" not in body["messages"][0]["content"] for body in given)
    for row in load(tmp_path).rows:
        messages = json.loads(row["messages"])
        assert row["turns"] == row["requests"] == sum(message["role"] == "assistant" for message in messages)
        assert row["completion_tokens"] == 5 * row["turns"]
        assert ("tool" in {message["role"] for message in messages}) == (name == "native" and row["env"] == "bank_support")


def test_stated_confidences_and_answers_are_kept(tmp_path):
    suite = from_names("chain_sum:with_confidence", levels=[0.0], count=2)
    evaluate(EvaluationPlan(suite, BuiltinModel("oracle", suite.rows), EpisodeConfig(Sampling())), tmp_path)
    for row in load(tmp_path).rows:
        assert row["confidence"] == 1.0
        assert "confidence" not in row["answer"]


def test_answers_in_other_spellings_are_one_answer(tmp_path):
    texts = iter(["So: <answer> 7 </answer>", "<answer>+7</answer>", "<answer>007</answer>", "I do not know"])
    with serving(SUITE.rows) as server:
        server.odd = lambda request, number: Odd(body=json.dumps({"choices": [{"message": {"content": next(texts)}}]}).encode())
        evaluate(plan(server, suite=SUITE.first(1), samples=4, max_concurrency=1), tmp_path)
    rows = load(tmp_path).rows
    assert [row["answer"] for row in rows if row["outcome"] == "wrong"] == ["<answer>7</answer>"] * 3
    [unread] = [row for row in rows if row["outcome"] == "unreadable"]
    assert unread["answer"] is None
    assert rows[0]["cost"] is None


def test_what_fails_for_good_is_masked_and_asked_again_next_time(tmp_path):
    tasks = [rlgym.task(row["env"], row["seed"], level=row["level"]).prompt for row in SUITE.rows[:2]]

    def odd(request, number):
        return Odd(body=b"<html>") if request["messages"][0]["content"].startswith(tuple(tasks)) else None

    with serving(SUITE.rows, odd) as server:
        done = evaluate(plan(server, retries=1), tmp_path)
        assert (done.progress.done, done.progress.failed, done.progress.masked, done.progress.accuracy) == (12, 2, 2, 1.0)
        failed = [row for row in load(tmp_path).rows if row["outcome"] == "failed"]
        assert [(row["masked"], row["right"], row["finish_reason"], row["requests"]) for row in failed] == [(True, False, "error", 2)] * 2
        assert all("not JSON" in row["error"] for row in failed)
        server.odd = lambda request, number: None
        before = len(server.asked)
        done = evaluate(plan(server, retries=1), tmp_path)
        assert (len(server.asked) - before, done.progress.failed, done.progress.right) == (2, 0, 12)
        assert len(load(tmp_path).rows) == 12
        evaluate(plan(server), tmp_path)
        assert len(server.asked) - before == 2


def test_many_failures_in_a_row_end_the_run_and_nothing_is_lost(tmp_path):
    with serving(SUITE.rows, lambda request, number: None if number < 6 else error(500, "oh no")) as server:
        with pytest.raises(ModelUnavailable, match=r"3 episodes in a row failed; the last error: HTTP 500: oh no"):
            evaluate(plan(server, retries=0, max_concurrency=1, max_consecutive_failures=3), tmp_path)
        half = load(tmp_path)
        assert not half.finished
        assert sum(row["right"] for row in half.rows) == 6
    # Another server: a request that was cancelled may still be on its way to the first.
    with serving(SUITE.rows) as sound:
        assert evaluate(plan(sound, retries=0, max_consecutive_failures=3), tmp_path).progress.right == 12
    assert all(count == 1 for count in Counter([*server.served, *sound.served]).values())
    assert len(server.served) == len(sound.served) == 6


def test_a_refused_key_ends_the_run_with_one_message(tmp_path):
    with (
        serving(SUITE.rows, lambda request, number: error(401, "bad key")) as server,
        pytest.raises(ModelUnavailable, match="rejects the API key"),
    ):
        evaluate(plan(server), tmp_path)
    assert load(tmp_path).rows == []


def test_a_task_that_is_refused_ends_a_run_only_where_nothing_was_ever_taken(tmp_path):
    with serving(SUITE.rows, lambda request, number: error(400, "no such field: seat")) as server:
        with pytest.raises(ModelUnavailable, match=r"rejects a request: HTTP 400: no such field: seat"):
            evaluate(plan(server, max_concurrency=1), tmp_path)
        assert len(server.asked) <= 5  # those under way
        server.odd = lambda request, number: error(400, "no such word") if number % 12 == 7 else None
        first = evaluate(plan(server), tmp_path).progress
        assert first.failed in (1, 2)
        server.odd = lambda request, number: error(400, "no such word")
        assert evaluate(plan(server), tmp_path).progress.failed == first.failed
        assert load(tmp_path).finished


def test_a_conversation_that_is_too_long_or_has_no_end_is_that_tasks_outcome(tmp_path):
    odds = [error(400, "prompt is too long: 9 tokens > 8 maximum"), Odd(forever=True)]
    with serving(SUITE.rows, lambda request, number: odds[number] if number < 2 else None) as server:
        done = evaluate(plan(server, max_concurrency=1, seconds=1.0), tmp_path)
    rows = {row["finish_reason"]: row for row in load(tmp_path).rows}
    assert set(rows) == {"context", "timed_out", "stop"}
    assert (rows["context"]["outcome"], rows["context"]["turns"], rows["context"]["masked"]) == ("unreadable", 0, False)
    assert (rows["timed_out"]["outcome"], rows["timed_out"]["value"], rows["timed_out"]["masked"]) == ("timed out", 0.0, False)
    assert done.progress.right == 10


def test_a_verifier_that_raises_is_masked_and_kept_apart(tmp_path, monkeypatch):
    def broken(format, response, style, prompt=""):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(type(rlgym.environment("gcd_lcm").answer), "readings", broken)
    suite = from_names("gcd_lcm", levels=[0.0], count=2)
    done = evaluate(
        EvaluationPlan(suite, BuiltinModel("mistake", []), EpisodeConfig(Sampling()), max_consecutive_failures=99), tmp_path / "unknown"
    )
    assert (done.progress.failed, done.progress.masked) == (2, 2)  # this player was not given the tasks
    with serving(suite.rows) as server:
        done = evaluate(plan(server, suite=suite), tmp_path / "broken")
    assert (done.progress.failed, done.progress.masked, done.progress.accuracy) == (0, 2, None)
    row = load(tmp_path / "broken").rows[0]
    assert (row["outcome"], row["error"], row["turns"]) == ("error", None, 1)
    assert "ZeroDivisionError: a bug" in row["reason"]


def test_the_cost_is_kept_below_its_limit_and_the_run_goes_on_later(tmp_path):
    prices = TokenPrices(100.0, 200.0)  # $0.002 an episode
    with serving(SUITE.rows) as server:
        done = evaluate(plan(server, prices=prices, max_cost=0.0091, max_concurrency=2), tmp_path)
        assert "might exceed the remaining budget of $0.0091" in done.stopped
        assert 0 < done.progress.cost <= 0.0091
        assert not load(tmp_path).finished
        done = evaluate(plan(server, prices=prices, max_concurrency=2), tmp_path)
    assert (done.stopped, done.progress.done, len(server.served)) == ("", 12, 12)
    with pytest.raises(RlgymError, match="needs prices"):
        evaluate(plan(server, max_cost=1.0), tmp_path / "other")
