"""Runs that stop in any way and go on, and what half a run and a damaged one are."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pyarrow.parquet as pq
import pytest
from evaluate.endpoint import lucky, serving
from evaluate.plans import SUITE, plan

from rlgym import RlgymError
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG, RunDamaged, RunLock
from rlgym.evaluate.episodes.results import load, write_results
from rlgym.evaluate.episodes.turn_log import TURN_LOG
from rlgym.evaluate.models.base import ModelUnavailable, Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names


def test_two_runs_do_not_write_into_one_folder(tmp_path):
    with serving(SUITE.rows) as server:
        with RunLock(tmp_path), pytest.raises(RlgymError, match=rf"another process \(process {os.getpid()}\) is writing to"):
            evaluate(plan(server), tmp_path)
        assert server.asked == []
        assert evaluate(plan(server), tmp_path).progress.right == 12


def test_half_a_run_is_read_and_written_as_far_as_it_goes(tmp_path):
    evaluate(EvaluationPlan(SUITE, BuiltinModel("oracle", SUITE.rows), EpisodeConfig(Sampling())), tmp_path)
    info = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps(info | {"finished": None}))
    lines = (tmp_path / EPISODE_LOG).read_bytes().splitlines(keepends=True)
    (tmp_path / EPISODE_LOG).write_bytes(b"".join(lines[:5]) + lines[5][:100])
    half = write_results(tmp_path)
    assert (len(half.rows), half.expected, half.finished) == (5, 12, False)
    assert pq.read_table(tmp_path / "results.parquet").num_rows == 5
    repeated = evaluate(EvaluationPlan(SUITE, BuiltinModel("oracle", SUITE.rows), EpisodeConfig(Sampling())), tmp_path)
    assert (repeated.progress.resumed, repeated.progress.done) == (5, 12)
    assert all(json.loads(line) for line in (tmp_path / EPISODE_LOG).read_bytes().splitlines())


def test_what_is_damaged_or_no_run_is_said(tmp_path):
    with pytest.raises(RunDamaged, match="is not a folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(RunDamaged, match=r"it has no run\.json"):
        load(tmp_path)
    evaluate(EvaluationPlan(SUITE, BuiltinModel("oracle", SUITE.rows), EpisodeConfig(Sampling())), tmp_path)
    journal, table = tmp_path / EPISODE_LOG, tmp_path / "results.parquet"
    full = table.read_bytes()
    table.write_bytes(full[: len(full) // 2])
    with pytest.raises(RunDamaged, match=r"results\.parquet is damaged .*`rlgym eval report"):
        load(tmp_path)
    write_results(tmp_path)
    assert len(load(tmp_path).rows) == 12
    table.unlink()
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:3], b"\0\0\0\n", *lines[3:]]))
    with pytest.raises(RunDamaged, match=r"line 4 of .*episodes\.jsonl is damaged"):
        load(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(RunDamaged, match=r"run\.json cannot be read"):
        load(tmp_path)
    (tmp_path / "run.json").write_text('{"format": 2}')
    with pytest.raises(RunDamaged, match="must have format 1, got 2"):
        load(tmp_path)


def test_a_run_of_something_else_is_refused_with_what_differs(tmp_path):
    suite = SUITE.first(2)
    with serving(SUITE.rows) as server:
        evaluate(plan(server, suite=suite), tmp_path)
        for other, text in (
            (plan(server, "noisy", suite), "model: stored 'oracle', requested 'noisy'"),
            (plan(server, suite=SUITE), "suite: "),
            (plan(server, suite=suite, temperature=1.0), "temperature: stored None, requested 1.0"),
            (plan(server, suite=suite, samples=2), "samples: stored 1, requested 2"),
            (plan(server, suite=suite, native_tools=True), "tools: stored 'text', requested 'native'"),
        ):
            with pytest.raises(RlgymError, match="holds a different run") as refused:
                evaluate(other, tmp_path)
            assert text in str(refused.value)
        assert len(server.asked) == 2
        (tmp_path / "notes").mkdir()
        (tmp_path / "notes" / "a.txt").write_text("mine")
        with pytest.raises(RlgymError, match=r"holds a\.txt but no run"):
            evaluate(plan(server), tmp_path / "notes")


def _command(server, out, *more):
    code = "from rlgym.cli import main; main()"
    words = [
        "eval",
        "--suite",
        "chain_sum,gcd_lcm",
        "--levels",
        "0,0.3",
        "--count",
        "12",
        "--samples",
        "4",
        "--model",
        "noisy",
        "--base-url",
        server.url,
    ]
    return [sys.executable, "-c", code, *words, "--max-concurrency", "3", "--out", str(out), *more]


def _lines(out):
    try:
        data = (out / EPISODE_LOG).read_bytes()
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def _until(running, enough, seconds=60):
    over = time.monotonic() + seconds
    while not enough() and running.poll() is None and time.monotonic() < over:
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_killed_goes_on_and_asks_nothing_again(tmp_path, how):
    with serving(SUITE.rows, delay=0.2) as server:
        # Where these tests run in the background of a shell, Ctrl-C is ignored, and children inherit that.
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)
        running = subprocess.Popen(_command(server, tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        signal.signal(signal.SIGINT, heard)
        _until(running, lambda: len(_lines(tmp_path)) >= 9)
        running.send_signal(how)
        _, report = running.communicate(timeout=60)
        finished = {(row["id"], row["sample"]) for row in _lines(tmp_path)}
        assert 9 <= len(finished) < 48
        if how is signal.SIGINT:
            assert (running.returncode, "repeat the command to resume" in report, "Traceback" in report) == (130, True, False)
        under_way = Counter(server.served)
        server.delay = 0.0
        repeated = subprocess.run(_command(server, tmp_path, "--json"), capture_output=True, text=True, timeout=120, check=False)
    assert repeated.returncode == 0, repeated.stderr
    report = json.loads(repeated.stdout)
    assert (report["resumed"], report["done"], report["failed"]) == (len(finished), 48, 0)
    loaded = load(tmp_path)
    assert loaded.finished
    assert len({(row["id"], row["sample"]) for row in loaded.rows}) == len(loaded.rows) == 48
    # Only what was under way when it was killed was asked twice: nothing finished was.
    twice = [key for key, count in Counter(server.served).items() if count > 1]
    assert len(twice) == len(server.served) - 48 <= 3 + len(under_way) - len(finished)
    assert len(set(server.served)) == 48
    meant = [lucky({"messages": [{"role": "user", "content": task}], "seed": seed}) for task, seed in set(server.served)]
    assert sum(row["right"] for row in loaded.rows) == sum(meant)


class Interrupted(BuiltinModel):
    """The oracle, which becomes unavailable after so many requests; it records the requests that it answered."""

    def __init__(self, rows, requests):
        super().__init__("oracle", rows)
        self.requests, self.answered = requests, []

    async def generate(self, messages, tools, sampling, seed):
        if len(self.answered) >= self.requests:
            raise ModelUnavailable("the model has gone")
        completion = await super().generate(messages, tools, sampling, seed)
        self.answered.append(json.dumps([messages, seed]))
        return completion


TURNS = from_names("higher_lower,calculator_and_lookup", levels=[0.0, 0.3], count=9)


def test_episodes_of_many_turns_resume_at_the_turn(tmp_path):
    config = EpisodeConfig(Sampling(samples=2))
    whole = Interrupted(TURNS.rows, 10**6)
    evaluate(EvaluationPlan(TURNS, whole, config), tmp_path / "whole")
    assert not (tmp_path / "whole" / TURN_LOG).exists()
    folder, answered, interruptions, result = tmp_path / "parts", [], 0, None
    while result is None:
        model = Interrupted(TURNS.rows, 7)
        try:
            result = evaluate(EvaluationPlan(TURNS, model, config), folder)
        except ModelUnavailable:
            interruptions += 1
        answered += model.answered
    assert interruptions >= 5
    assert result.progress.right == result.progress.done == 18
    # Every turn of every episode was answered once, whichever attempt it belonged to.
    assert Counter(answered) - Counter(whole.answered) == Counter()
    assert Counter(whole.answered) - Counter(answered) == Counter()
    assert not (folder / TURN_LOG).exists()
    for one, other in zip(load(folder).rows, load(tmp_path / "whole").rows, strict=True):
        ignored = {"seconds"}
        assert {key: one[key] for key in one if key not in ignored} == {key: other[key] for key in other if key not in ignored}


def test_a_cut_line_of_the_turn_log_costs_one_turn(tmp_path):
    suite = from_names("higher_lower", levels=[0.3], count=1)
    with pytest.raises(ModelUnavailable):
        evaluate(EvaluationPlan(suite, Interrupted(suite.rows, 3), EpisodeConfig(Sampling())), tmp_path)
    lines = (tmp_path / TURN_LOG).read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    (tmp_path / TURN_LOG).write_bytes(b"".join(lines[:2]) + lines[2][:40])
    model = Interrupted(suite.rows, 10**6)
    result = evaluate(EvaluationPlan(suite, model, EpisodeConfig(Sampling())), tmp_path)
    assert result.progress.right == 1
    assert len(model.answered) == load(tmp_path).rows[0]["turns"] - 2
