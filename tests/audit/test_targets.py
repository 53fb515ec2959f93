"""Commands, HTTP endpoints, judges and our own environments as targets."""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.audit import AuditOptions, ProcessOptions, audit
from rlgym.audit.case import Case
from rlgym.audit.run import audit_scorer
from rlgym.audit.scorers.base import ScorerUnavailable
from rlgym.audit.scorers.command import CommandScorer
from rlgym.audit.scorers.http import HttpScorer
from rlgym.audit.scorers.judge import JudgeOptions, JudgeScorer, read_judgement
from rlgym.audit.scorers.lines import Patience
from rlgym.cli import app
from rlgym.evaluate.models.base import Completion

SCRIPT = Path(__file__).parent / "json_scorer.py"
OPTIONS = AuditOptions(effort="least", types=("integers",), style="tag", process=ProcessOptions(seconds=60, workers=1))


def quiet(done, total): ...


def command(*arguments):
    words = " ".join([sys.executable, str(SCRIPT), *arguments])
    return audit_scorer(words, lambda process: CommandScorer(words, process), OPTIONS, quiet)


def test_a_command_is_audited():
    report = command()
    assert report.kind == "command"
    assert "equivalent_spellings" in report.failed
    assert {"near_misses", "crashes", "code_execution", "answer_lists"}.isdisjoint(report.failed)


def test_a_command_that_runs_text_or_ends_is_found():
    assert "code_execution" in command("shell").failed
    crashed = command("crash").check("crashes")
    assert crashed.passed is False
    assert "exit code 3" in crashed.examples[0].detail


def test_a_program_that_does_not_exist_is_one_line():
    with pytest.raises(ScorerUnavailable, match="there is no program 'no_such_program'"):
        CommandScorer("no_such_program --flag", ProcessOptions())


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/v1/chat/completions":
            text = body["messages"][0]["content"]
            response = text.partition("Response:\n")[2].partition("\n\nIs the final")[0]
            reference = text.partition("Reference answer:\n")[2].partition("\n")[0]
            # A judge that believes a confident response.
            verdict = "YES" if f"<answer>{reference}</answer>" in response or "Verdict: CORRECT" in response else "NO"
            reply = {"choices": [{"message": {"role": "assistant", "content": verdict}, "finish_reason": "stop"}]}
            self.server.requests_seen += 1
        elif "NaN" in body["response"]:
            self.send_response(500)
            self.end_headers()
            return
        else:
            reply = {"score": float(body["response"].endswith(f"<answer>{body['answer']}</answer>"))}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments): ...


@pytest.fixture
def server():
    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.requests_seen = 0
    thread = threading.Thread(target=found.serve_forever)
    thread.start()
    yield found
    found.shutdown()
    thread.join()
    found.server_close()


def test_an_endpoint_is_audited(server):
    url = f"http://127.0.0.1:{server.server_port}/score"
    report = audit_scorer(url, lambda process: HttpScorer(url, process), OPTIONS, quiet)
    assert report.kind == "http"
    assert {"equivalent_spellings", "layouts", "crashes"} <= set(report.failed)
    assert "answered 500" in report.check("crashes").examples[0].detail


def test_an_endpoint_that_does_not_exist_stops_the_audit():
    scorer = HttpScorer("http://127.0.0.1:9/", ProcessOptions(seconds=5))
    with pytest.raises(ScorerUnavailable, match="cannot be reached"):
        scorer.score([Case("style", "P", "R", "A", True, "integers", "arithmetic")])
    scorer.close()


def test_a_judge_is_audited_and_resumes_from_its_cache(server, tmp_path):
    cache, arguments = tmp_path / "replies.jsonl", ["audit", "--judge", "m", "--base-url", f"http://127.0.0.1:{server.server_port}/v1"]
    arguments += ["--quick", "--types", "integers", "--style", "tag", "--cache", str(cache), "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    report = json.loads(done.output)
    failed = {check["name"] for check in report["checks"] if check["passed"] is False}
    assert "prompt_injection" in failed
    assert "near_misses" not in failed
    assert report["kind"] == "judge"
    asked = server.requests_seen
    assert asked > 100
    again = json.loads(CliRunner().invoke(app, arguments).output)
    assert server.requests_seen == asked
    assert again["checks"] == report["checks"]


@pytest.mark.parametrize(
    ("reply", "reward"),
    [
        ("YES", 1.0),
        ("No.", 0.0),
        ('{"score": 0.5}', 0.5),
        ("Score: 1", 1.0),
        ("<think>yes</think>NO", 0.0),
        ("1", 1.0),
        ("Perhaps", None),
        ("", None),
    ],
)
def test_judgements_are_read_and_a_reply_without_one_is_no_reward(reply, reward):
    assert read_judgement(reply) == reward


class Silent:
    kind, name, max_concurrency = "test", "silent", 2

    async def generate(self, messages, tools, sampling, seed):
        return Completion({"role": "assistant", "content": "I cannot say."})

    async def close(self): ...


def test_a_judge_without_a_verdict_is_an_error_and_not_a_low_reward():
    verdict = JudgeScorer(Silent(), JudgeOptions()).score([Case("style", "P", "R", "A", True, "integers", "arithmetic")])[0]
    assert verdict.reward is None
    assert "I cannot say" in verdict.error
    with pytest.raises(RlgymError, match="must contain"):
        JudgeOptions(template="Is it right?")


class Alternating(Silent):
    asked = 0

    async def generate(self, messages, tools, sampling, seed):
        self.asked += 1
        return Completion({"role": "assistant", "content": "YES" if self.asked % 2 else "NO"})


def test_a_judge_is_asked_again_for_a_repeated_request(tmp_path):
    case = Case("style", "P", "R", "A", True, "integers", "arithmetic")
    options = JudgeOptions(cache=tmp_path / "replies.jsonl")
    scorer = JudgeScorer(Alternating(), options)
    assert [scorer.score([case])[0].reward for _ in range(2)] == [1.0, 0.0]
    resumed = JudgeScorer(Silent(), options)
    assert [resumed.score([case])[0].reward for _ in range(2)] == [1.0, 0.0]


def test_our_environments_pass():
    report = audit("chain_sum", AuditOptions(effort="least", process=ProcessOptions(seconds=60, workers=1)))
    assert report.kind == "environment"
    assert report.failed == [], [report.check(name) for name in report.failed]
    assert report.false_negatives.cases > 50


def test_an_environment_without_one_answer_is_refused():
    with pytest.raises(RlgymError, match="rlgym check"):
        audit("mastermind", AuditOptions(effort="least", process=ProcessOptions(workers=1)))


def test_exactly_one_target_is_required():
    done = CliRunner().invoke(app, ["audit", "chain_sum", "--url", "http://localhost/"])
    assert "give one of" in str(done.exception)


class Busy(BaseHTTPRequestHandler):
    """Answers every case at the third request."""

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.server.requests_seen += 1
        data = b'{"reward": 1}' if self.server.requests_seen % 3 == 0 else b""
        self.send_response(200 if data else 503)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments): ...


class Stuck(Busy):
    """Answers the first request, and no other for a second."""

    def do_POST(self):
        if self.server.requests_seen:
            time.sleep(1)
        self.server.requests_seen = 2
        super().do_POST()


def test_a_busy_endpoint_is_asked_again(server):
    server.RequestHandlerClass = Busy
    scorer = HttpScorer(f"http://127.0.0.1:{server.server_port}/", ProcessOptions(seconds=20, workers=1))
    verdicts = scorer.score([Case("style", "P", "R", "A", True, "integers", "arithmetic")] * 2)
    scorer.close()
    assert [verdict.reward for verdict in verdicts] == [1.0, 1.0]


def test_an_endpoint_that_stopped_answering_costs_little_time(server):
    server.RequestHandlerClass = Stuck
    scorer = HttpScorer(f"http://127.0.0.1:{server.server_port}/", ProcessOptions(seconds=0.5, workers=1))
    first, *others = scorer.score([Case("style", "P", "R", "A", True, "integers", "arithmetic")] * (Patience.TIMEOUTS + 2))
    scorer.close()
    assert first.reward == 1.0
    assert all(verdict.timed_out for verdict in others)
    assert others[-1].seconds < 0.45 < others[0].seconds
