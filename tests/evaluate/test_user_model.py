"""People of tool worlds played by a model: the script stays the truth, whatever the model says."""

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import rlgym
from rlgym import Outcome
from rlgym.core.errors import EpisodeError
from rlgym.dataset import Session, sample
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names
from rlgym.users import EndpointJudge, FunctionJudge, ModelUser, find_changed_fact

WORLDS = (
    "clinic_appointments",
    "bank_support",
    "lost_luggage",
    "insurance_claims",
    "retail_service",
    "hotel_concierge",
    "clarify_before_acting",
    "tenant_repairs",
    "phone_support",
    "emergency_dispatch",
    "pupil_diagnosis",
    "detective_interviews",
    "clinic_appointments:shift",
)
UNCLEAR = "When did the stork bring you to your parents?"


def reply(prompt):
    """A model that starts a reply with another word, recognises that, and understands one unclear message."""
    if prompt.startswith("You play"):
        words = json.loads(re.search(r"^Your reply: (.*)$", prompt, re.MULTILINE)[1])
        return f"Well now. {words}"
    message = json.loads(re.search(r"^Message: (.*)$", prompt, re.MULTILINE)[1])
    choices = [json.loads(choice) for choice in re.findall(r"^\d+\. (.*)$", prompt, re.MULTILINE)]
    meant = "What is your date of birth?" if message == UNCLEAR else message.removeprefix("Well now. ")
    return "Thinking.\n" + (", ".join(str(number) for number, choice in enumerate(choices, 1) if choice == meant) or "0")


def user(function=reply, **options):
    return ModelUser(FunctionJudge(function, "test"), **options)


def play(name, model, level=0.5, seed=0):
    [row] = sample([name], 1, seed=seed, levels=[level])
    session = Session(row, user=model)
    while not session.done:
        session.step(session.oracle())
    return session


@pytest.mark.parametrize("name", WORLDS)
def test_the_oracle_wins_against_people_with_other_words(name):
    for level in (0.0, 0.5, 1.0):
        model = user()
        spoken, scripted = play(name, model, level), play(name, None, level)
        assert spoken.score.outcome is scripted.score.outcome is Outcome.RIGHT
        assert level == 0 or model.counts.spoken > 0  # at level 0 there may be nothing to ask
        assert (spoken.messages != scripted.messages) == (model.counts.spoken > 0)
        assert [text.replace("Well now. ", "") for text in map(str, spoken.messages)] == list(map(str, scripted.messages))


@pytest.mark.parametrize("lie", ["Monday at 9:00 on 1 May 1970, X77.", "", "It was Zebulon.", "no comment"])
def test_words_that_change_a_fact_are_replaced_by_the_script(lie):
    model = user(lambda prompt: lie if prompt.startswith("You play") else reply(prompt))
    assert play("bank_support", model).messages == play("bank_support", None).messages
    assert model.counts.scripted > 0
    assert model.counts.spoken == 0


def test_words_that_the_model_itself_reads_otherwise_are_replaced():
    def mumble(prompt):
        return "0" if prompt.startswith("Which") else reply(prompt)

    strict, trusting = user(mumble), user(mumble, verify=False)
    assert play("retail_service", strict).messages == play("retail_service", None).messages
    assert strict.counts.spoken == 0
    assert "Well now." in str(play("retail_service", trusting).messages)


def test_an_unclear_message_is_understood_by_the_model_and_answered_by_the_script():
    def ask(model):
        env = rlgym.make("clinic_appointments", level=0.5, user=model)
        text, _ = env.reset(seed=1)
        call = re.search(r"C\d+", text)[0] if re.search(r"C\d+", text) else ""
        code = env._position.state.calls[0]
        assert call or code
        said = json.dumps({"tool": "say_to_caller", "arguments": {"to": code, "text": UNCLEAR}})
        observation, *_ = env.step(f"<answer>{said}</answer>")
        return observation, env._position.state

    answer, state = ask(user())
    assert f"{state.calls[0]} birth_date".lower() in state.read
    birth = next(record for record in state.records if record.code == f"{state.calls[0]} birth_date".lower())
    assert birth.word("says") in answer or find_changed_fact(birth.word("says"), answer.removeprefix("Well now. ")) == ""
    deaf, unread = ask(None)
    assert unread.read == ()
    assert deaf != answer


def test_an_episode_replays_from_the_file_of_replies(tmp_path):
    first = user(cache=tmp_path / "replies.jsonl")
    played = play("clinic_appointments", first).messages
    second = ModelUser(FunctionJudge(lambda prompt: pytest.fail("asked again"), "test"), cache=tmp_path / "replies.jsonl")
    assert play("clinic_appointments", second).messages == played
    assert first.requests > 0
    assert second.requests == 0


def test_a_model_that_fails_masks_the_episode():
    def broken(prompt):
        raise OSError("gone")

    score = play("bank_support", user(broken)).score
    assert score.masked
    assert "gone" in score.reason


def test_environments_without_people_refuse_a_user():
    for name in ("chain_sum", "lines_in_a_row", "refund_desk"):
        with pytest.raises(EpisodeError, match=f"{name} has no people"):
            rlgym.make(name, user=user())
    with pytest.raises(EpisodeError, match="attempts must be at least 1"):
        user(attempts=0)


@pytest.mark.parametrize(
    ("words", "spoken", "problem"),
    [
        ("I was born on 3 May 1984.", "My birthday? 3 May 1984.", ""),
        ("I was born on 3 May 1984.", "My birthday? 4 May 1984.", "numbers"),
        ("I was born on 3 May 1984.", "My birthday? 3 June 1984.", "days"),
        ("Mondays from 9:00 to 12:00.", "On a Monday, 9:00 to 12:00.", ""),
        ("Mondays from 9:00 to 12:00.", "Mondays or Tuesdays, 9:00 to 12:00.", "added: tuesday"),
        ("In the morning suits me.", "In the afternoon suits me.", "afternoon"),
        ("Yes, that suits me.", "I cannot come then.", "deny"),
        ("No, I cannot come then.", "Sure, I will come.", "deny"),
        ("My order is X17.", "It is order X17, I think.", ""),
        ("My order is X17.", "It is order X18.", "codes"),
        ("This is Ada Stone.", "Hello, I am Ada Stone.", ""),
        ("This is Ada Stone.", "Hello, I am Ada.", "leaves out stone"),
        ("I see Dr Stone.", "I see Dr Stone and Dr Bell.", "adds bell"),
        ("Two of them.", "I want 2 of them.", ""),
        ("Two of them.", "I want three of them.", "numbers"),
        ("I think so.", "", "empty"),
    ],
)
def test_changed_facts_are_found(words, spoken, problem):
    found = find_changed_fact(words, spoken)
    assert (problem in found) if problem else found == ""


class Speaker(BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint over `reply`."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(body)
        failing = self.server.fails
        text = json.dumps({"choices": [{"message": {"role": "assistant", "content": reply(body["messages"][0]["content"])}}]}).encode()
        self.send_response(500 if failing else 200)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@contextmanager
def speaking():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Speaker)
    server.asked, server.fails = [], False
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def test_a_run_with_people_played_by_an_endpoint_resumes(tmp_path):
    suite = from_names(["clinic_appointments", "chain_sum"], levels=[0.5], count=4)

    def plan(server, name="speaker"):
        judge = EndpointJudge(f"http://127.0.0.1:{server.server_port}/v1", name, tries=1)
        return EvaluationPlan(suite, BuiltinModel("oracle", suite.rows), EpisodeConfig(Sampling()), user=ModelUser(judge))

    with speaking() as server:
        server.fails = True
        failed = evaluate(plan(server), tmp_path / "run").progress
        assert failed.failed == 2
        server.fails = False
        result = evaluate(plan(server), tmp_path / "run")
        assert result.progress.failed == 0
        rows = [json.loads(line) for line in (tmp_path / "run" / "user_replies.jsonl").read_text().splitlines()]
        assert any("Well now." in row["reply"] for row in rows)
        info = json.loads((tmp_path / "run" / "run.json").read_text())
        assert info["user"].startswith("speaker ")
        with pytest.raises(rlgym.RlgymError, match="user model"):
            evaluate(plan(server, "another"), tmp_path / "run")


def test_the_command_takes_a_user_model(tmp_path):
    from typer.testing import CliRunner

    from rlgym.cli import app

    def run(*more):
        return CliRunner().invoke(app, ["eval", "run", "--model", "oracle", "--out", str(tmp_path / "run"), "--count", "2", *more])

    assert "belong together" in str(run("--suite", "bank_support", "--user-model", "speaker").exception)
    with speaking() as server:
        people = ["--user-model", "speaker", "--user-base-url", f"http://127.0.0.1:{server.server_port}/v1"]
        assert "the suite has none" in str(run("--suite", "chain_sum", *people).exception)
        assert server.asked == []
        result = run("--suite", "bank_support", *people)
        assert result.exit_code == 0, result.output
        assert "2 of 2 episodes" in result.output
        assert server.asked
