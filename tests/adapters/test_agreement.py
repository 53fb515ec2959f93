"""The cases that all adapters are measured by, measured themselves; rows in memory, sessions and task_jsons."""

from __future__ import annotations

import json

import pytest
from adapters.agreement import cases, damaged, rows
from adapters.endpoint import native as natively
from adapters.planted import broken_verifier

import rlgym
from rlgym.core.errors import EpisodeError, PackageMissing, RecipeError, RowError
from rlgym.dataset import Session, from_task_json, sample, to_task_json
from rlgym.dataset.session import message_text, tool_calls_text


def test_the_cases_are_what_they_say() -> None:
    assert len(rows()) == 200
    assert len({row["env"] for row in rows()}) == 40
    assert (len(cases()), len(cases(False)), len(cases(True))) == (800, 660, 140)
    for case in cases():
        assert case.score == 1 if case.kind == "oracle" else case.score < 1, (case.row["id"], case.kind)


def test_a_session_gives_the_score_that_scoring_gives() -> None:
    for case in cases():
        session = Session(case.row)
        assert session.messages == case.row["messages"]
        for turn in [case.response] if case.single else case.response:
            if not session.done:
                session.step(turn)
        assert session.score is not None
        assert session.score.value == case.score, (case.row["id"], case.kind)


def test_a_session_that_follows_the_oracle_is_right() -> None:
    for row in rows(True):
        session = Session(row)
        while not session.done:
            session.step(session.oracle())
        assert session.score is not None
        assert session.score.value == 1
        with pytest.raises(EpisodeError, match="over"):
            session.step("again")


def test_a_session_tells_of_its_tools() -> None:
    row = next(iter(sample("calculator_and_lookup", 1)))
    assert {tool["function"]["name"] for tool in Session(row).tools} >= {"calculate"}
    assert Session(next(iter(sample("chain_sum", 1)))).tools == []


def test_native_calls_play_as_the_same_calls_in_text() -> None:
    row = next(sample("calculator_and_lookup", 1, levels=[0.3]))
    text, called = Session(row), Session(row)
    while not called.done:
        response = called.oracle()
        text.step(response)
        message = natively(response)
        answers = called.step_message(message)
        assert [answer["tool_call_id"] for answer in answers] == [call["id"] for call in message["tool_calls"] if not called.done]
        assert all(answer["role"] == "tool" and answer["content"] for answer in answers)
        assert called.observation == text.observation == (answers[0]["content"] if answers else "")
    assert called.score == text.score
    assert called.score is not None
    assert called.score.value == 1


def test_each_of_several_calls_is_answered_once() -> None:
    session = Session(next(sample("calculator_and_lookup", 1)))
    flat = [{"id": "a", "name": "calculate", "arguments": '{"expression": "1 + 1"}'}, {"id": "b", "name": "search", "arguments": {}}]
    first, second = session.step_message({"content": "Let me see.", "tool_calls": flat})
    assert (first["tool_call_id"], second["tool_call_id"]) == ("a", "b")
    assert first["content"] == session.observation
    assert "2" in first["content"]
    assert "missing" in first["content"]
    assert second["content"] == "(told with the first call)"


def test_a_message_without_calls_is_its_text() -> None:
    row = next(sample("higher_lower", 1))
    by_message, by_text = Session(row), Session(row)
    response = by_text.oracle()
    assert by_message.step_message({"role": "assistant", "content": response}) == (
        [{"role": "user", "content": by_text.step(response)}] if not by_text.done else []
    )
    assert message_text({"role": "assistant", "content": None}) == message_text({"tool_calls": []}) == ""


@pytest.mark.parametrize(
    "call", [{"type": "custom", "custom": {"name": "x", "input": "y"}}, {"function": {"name": "x", "arguments": "{"}}, {}]
)
def test_a_broken_native_call_uses_up_a_turn(call: dict[str, object]) -> None:
    session = Session(next(sample("calculator_and_lookup", 1)))
    [answer] = session.step_message({"tool_calls": [{"id": "1", **call}]})
    assert answer["role"] == "tool"
    assert not session.done
    assert any(word in answer["content"] for word in ("there is no tool", "could not be read"))


@pytest.mark.parametrize("style", ["tag", "boxed", "fence"])
@pytest.mark.parametrize(
    "text",
    ["<answer>{}</answer>", "</think>[]", "<tool_call>{}</tool_call>", "\\boxed{1}", "a\n```answer\n1\n```\n", '\\\\n \\u003c " ` \u00e9'],
)
def test_what_native_arguments_hold_is_no_mark(text: str, style: str) -> None:
    declared = rlgym.environment("calculator_and_lookup").answer
    for given in ({"words": text}, json.dumps({"words": text})):
        [call] = declared.parse_response(tool_calls_text([("search", given)]), style)
        assert call.words == text


def test_a_session_gives_the_feedback_that_an_env_gives() -> None:
    for case in cases()[::7]:
        session, env = Session(case.row), rlgym.make(case.row["env"], level=case.row["level"])
        env.reset(seed=case.row["seed"])
        assert session.feedback == ""
        for turn in [case.response] if case.single else case.response:
            session.step(turn)
            assert session.feedback == env.step(turn)[4]["feedback"]
            assert session.feedback
            if session.done:
                break


@pytest.mark.parametrize("name", ["chain_sum", "higher_lower"])
def test_the_feedback_on_what_could_not_be_judged_says_so(name: str) -> None:
    session = Session(next(sample(name, 1, levels=[0.5])))
    if name == "higher_lower":
        session.step("junk")
    with broken_verifier(name):
        session.step(session.oracle())
    assert session.feedback == "Your answer could not be scored."


def test_task_json_scores_as_its_row_does() -> None:
    for case in cases():
        assert rlgym.score(from_task_json(to_task_json(case.row)), case.response).value == case.score


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused_by_their_id(row: dict[str, object], identity: str) -> None:
    for attempt in (lambda: rlgym.score(row, "1"), lambda: to_task_json(row), lambda: Session(row)):
        with pytest.raises(RowError, match=identity):
            attempt()


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "5", "not JSON", "[" * 100_000])
def test_text_that_is_not_task_json_is_refused(text: str) -> None:
    with pytest.raises(RowError):
        from_task_json(text)


def test_samples_repeat_and_hold_no_task_twice() -> None:
    given = {"levels": [0.0, 0.5], "seed": 3}
    first = list(sample(["chain_sum", "gcd_lcm"], 60, **given))
    assert first == list(sample(["chain_sum", "gcd_lcm"], 60, **given))
    assert len({row["prompt"] for row in first}) == 60


def test_splits_of_samples_share_no_task() -> None:
    train = {row["prompt"] for row in sample("chain_sum", 300, levels=[0.2], split="train")}
    test = {row["prompt"] for row in sample("chain_sum", 100, levels=[0.2], split="test")}
    assert len(train) == 300
    assert len(test) == 100
    assert not train & test
    with pytest.raises(RecipeError, match="the splits are"):
        list(sample("chain_sum", 1, split="dev"))


def test_a_missing_package_is_named_and_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    from rlgym.dataset import rows as room

    room._scorable_environment.cache_clear()
    monkeypatch.setattr("rlgym.episode.play.find_spec", lambda package: None)
    with pytest.raises(PackageMissing, match=r"pip install 'rlvrgym\[z3\]'"):
        list(sample("loop_invariant", 1))
