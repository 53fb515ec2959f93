"""A judge endpoint that is slow, dead, rude or inconsistent: no reply is lost, none is paid twice, and none counts that was not given."""

import json
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.audit.case import Case
from rlgym.audit.run import audit_scorer
from rlgym.audit.scorers.judge import JudgeOptions, JudgeScorer, template_for
from rlgym.cli import app
from rlgym.core.reply_file import ReplyFile
from rlgym.evaluate.models.base import Completion, ModelUnavailable, RequestFailed
from rlgym.evaluate.models.endpoint import Endpoint, RequestLimits
from rlgym.evaluate.models.rate_limit import Backoff
from rlgym.rubrics import CachedJudge, FunctionJudge
from rlgym.rubrics.judge import JudgeUnavailable


class Rude(BaseHTTPRequestHandler):
    """Misbehaves in turn before it answers a request: errors, garbage, an empty body, a closed connection, a late reply."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = body["messages"][0]["content"]
        with self.server.lock:
            self.server.attempts[text] += 1
            turn = self.server.attempts[text]
        manners = ("busy", "broken", "garbage", "empty", "closed", "late")
        manner = manners[(sum(map(ord, text)) + turn) % len(manners)] if turn <= 2 else "polite"
        if manner == "busy":
            return self.reply(429, b"{}", {"retry-after": "0"})
        if manner == "broken":
            return self.reply(500, b"<html>sorry</html>")
        if manner == "garbage":
            return self.reply(200, b"{not json")
        if manner == "empty":
            return self.reply(200, b"")
        if manner == "closed":
            return self.connection.close()
        if manner == "late":
            time.sleep(0.05)
        with self.server.lock:
            self.server.answered[text] += 1
        # Inconsistent: the number of answers so far decides about doubtful cases.
        verdict = "YES" if "<answer>7</answer>" in text else "NO"
        self.reply(200, json.dumps({"choices": [{"message": {"role": "assistant", "content": verdict}, "finish_reason": "stop"}]}).encode())

    def reply(self, status, data, headers=None):
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments): ...


@pytest.fixture
def server():
    found = ThreadingHTTPServer(("127.0.0.1", 0), Rude)
    found.lock, found.attempts, found.answered = threading.Lock(), Counter(), Counter()
    thread = threading.Thread(target=found.serve_forever)
    thread.start()
    yield found
    found.shutdown()
    thread.join()
    found.server_close()


def cases(count):
    return [Case("x", f"P{n}", f"<answer>{n % 10}</answer>", "7", n % 10 == 7, "integers", "arithmetic") for n in range(count)]


def endpoint(server):
    return Endpoint(
        f"http://127.0.0.1:{server.server_port}/v1", "m", stream=False, max_concurrency=8,
        limits=RequestLimits(seconds=20, retries=6), backoff=Backoff(0.001, 0.002),
    )  # fmt: skip


def test_a_rude_endpoint_loses_no_answer_and_is_paid_once_for_each(server, tmp_path):
    cache, asked = tmp_path / "replies.jsonl", cases(60)
    scorer = JudgeScorer(endpoint(server), JudgeOptions(cache=cache))
    verdicts = scorer.score(asked)
    assert [verdict.reward for verdict in verdicts] == [float(bool(case.right)) for case in asked]
    assert set(server.answered.values()) == {1}
    assert len(server.answered) == 60
    assert max(server.attempts.values()) > 1
    # The next run asks for nothing, even after a kill in the middle of a line.
    with cache.open("a") as file:
        file.write('{"key": "cut of')
    again = JudgeScorer(endpoint(server), JudgeOptions(cache=cache)).score(asked)
    assert [verdict.reward for verdict in again] == [verdict.reward for verdict in verdicts]
    assert sum(server.answered.values()) == 60


class Failing:
    """Answers the first requests, then fails."""

    kind, name, max_concurrency = "test", "failing", 1

    def __init__(self, answers):
        self.answers, self.error, self.asked = answers, RequestFailed("down", 3), Counter()

    async def generate(self, messages, tools, sampling, seed):
        self.asked[messages[0]["content"]] += 1
        if sum(self.asked.values()) > self.answers:
            raise self.error
        return Completion({"role": "assistant", "content": "NO"})

    async def close(self): ...


def test_failed_requests_are_masked_and_asked_again_next_time(tmp_path):
    options = JudgeOptions(cache=tmp_path / "replies.jsonl")
    first = JudgeScorer(Failing(5), options).score(cases(8))
    assert [verdict.masked for verdict in first] == [False] * 5 + [True] * 3
    assert all(verdict.reward is None for verdict in first[5:])
    model = Failing(100)
    second = JudgeScorer(model, options).score(cases(8))
    assert not any(verdict.masked for verdict in second)
    assert sum(model.asked.values()) == 3


def test_a_dead_endpoint_stops_the_audit_instead_of_failing_thousands_of_times():
    model = Failing(2)
    with pytest.raises(ModelUnavailable, match="20 requests in a row failed"):
        JudgeScorer(model, JudgeOptions()).score(cases(100))
    assert sum(model.asked.values()) == 22


class Flaky(Failing):
    """Compares the ends of the texts, and fails on every nth request."""

    async def generate(self, messages, tools, sampling, seed):
        self.asked[messages[0]["content"]] += 1
        if sum(self.asked.values()) % self.answers == 0:
            raise self.error
        response = messages[0]["content"].partition("Response:\n")[2].partition("\n\nIs the final")[0]
        reference = messages[0]["content"].partition("Reference answer:\n")[2].partition("\n")[0]
        return Completion({"role": "assistant", "content": "YES" if response.endswith(f"<answer>{reference}</answer>") else "NO"})


def test_masked_cases_count_nowhere_in_a_report():
    from rlgym.audit import AuditOptions

    options = AuditOptions(effort="least", types=("integers",), style="tag")
    reports = [
        audit_scorer("m", lambda process, model=model: JudgeScorer(model, JudgeOptions()), options, lambda done, total: None)
        for model in (Flaky(7), Flaky(10**9))
    ]
    masked, whole = reports
    assert masked.masked > 50
    assert whole.masked == 0
    assert masked.false_negatives.cases + masked.false_positives.cases < whole.false_negatives.cases + whole.false_positives.cases
    # A failed request is neither a refused right answer nor a crash nor a changed verdict.
    assert masked.check("exact_answers").rate.failures == whole.check("exact_answers").rate.failures == 0
    assert masked.check("crashes").rate.failures == masked.check("determinism").rate.failures == 0
    assert {cell.reply for cell in whole.grid} == {"verdict", "reasoned"}


def test_replies_of_an_audit_that_stops_are_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "rlgym.cli.audit_source.Source._judge", lambda self, process: JudgeScorer(Failing(30), JudgeOptions(cache=self.cache))
    )
    done = CliRunner().invoke(
        app, ["audit", "--judge", "m", "--base-url", "http://localhost/v1", "--quick", "--types", "integers", "--style", "tag"]
    )
    assert isinstance(done.exception, RlgymError)
    assert "resume with --cache audit-replies.jsonl" in str(done.exception)
    assert len(ReplyFile(tmp_path / "audit-replies.jsonl")) == 30
    other = ReplyFile()
    other.keep("another judge", "YES")
    other.save(tmp_path / "audit-replies.jsonl")
    assert len(ReplyFile(tmp_path / "audit-replies.jsonl")) == 31


def test_a_reply_after_a_cut_off_line_is_not_lost(tmp_path):
    file = tmp_path / "replies.jsonl"
    judge = CachedJudge(FunctionJudge(lambda prompt: "YES", "one"), file=file)
    judge.reply("a")
    file.write_text(file.read_text() + '{"key": "broken')
    second = CachedJudge(FunctionJudge(lambda prompt: "NO", "one"), file=file)
    assert (second.reply("a"), second.reply("b")) == ("YES", "NO")
    third = CachedJudge(FunctionJudge(lambda prompt: "asked again", "one"), file=file)
    assert (third.reply("a"), third.reply("b")) == ("YES", "NO")


def test_a_judge_of_criteria_that_fails_is_asked_again():
    calls = []

    def reply(prompt):
        calls.append(prompt)
        if len(calls) == 1:
            raise TimeoutError("slow")
        return "YES"

    judge = CachedJudge(FunctionJudge(reply, "one"))
    with pytest.raises(JudgeUnavailable, match="slow"):
        judge.reply("a")
    assert [judge.reply("a"), judge.reply("a")] == ["YES", "YES"]
    assert len(calls) == 2


def test_a_reasoned_reply_is_asked_for_by_the_template():
    plain = Case("grid", "P", "R", "A", True, "integers", "arithmetic", context={"reply": "verdict"})
    reasoned = Case("grid", "P", "R", "A", True, "integers", "arithmetic", context={"reply": "reasoned"})
    template = JudgeOptions().template
    assert template_for(plain, template) == template
    assert "nothing else" not in template_for(reasoned, template)
    assert template_for(reasoned, template).endswith("Give the verdict on the last line.")
    assert template_for(reasoned, "Own {response}").startswith("Own {response}\n\n")
