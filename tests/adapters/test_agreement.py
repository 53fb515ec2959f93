"""The cases that all adapters are measured by, measured themselves; rows in memory, sessions and tickets."""

from __future__ import annotations

import pytest
from adapters.agreement import cases, damaged, rows

import rlgym
from rlgym.core.errors import EpisodeError, PackageMissing, RecipeError, RowError
from rlgym.dataset import Session, read_ticket, sample, ticket


def test_the_cases_are_what_they_say() -> None:
    assert len(rows()) == 200
    assert len({row["env"] for row in rows()}) == 40
    for case in cases():
        assert case.score == 1 if case.kind == "oracle" else case.score < 1, (case.row["id"], case.kind)


def test_a_session_gives_the_score_that_scoring_gives() -> None:
    for case in cases():
        session = Session(case.row)
        assert session.messages == case.row["messages"]
        for turn in [case.response] if case.single else case.response:
            if not session.done:
                session.say(turn)
        assert session.score is not None
        assert session.score.value == case.score, (case.row["id"], case.kind)


def test_a_session_that_follows_the_oracle_is_right() -> None:
    for row in rows(True):
        session = Session(row)
        while not session.done:
            session.say(session.oracle())
        assert session.score is not None
        assert session.score.value == 1
        with pytest.raises(EpisodeError, match="over"):
            session.say("again")


def test_a_session_tells_of_its_tools() -> None:
    row = next(iter(sample("calculator_and_lookup", 1)))
    assert {tool["function"]["name"] for tool in Session(row).tools} >= {"calculate"}
    assert Session(next(iter(sample("chain_sum", 1)))).tools == []


def test_a_ticket_scores_as_its_row_does() -> None:
    for case in cases():
        assert rlgym.score(read_ticket(ticket(case.row)), case.response).value == case.score


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused_by_their_id(row: dict[str, object], identity: str) -> None:
    for attempt in (lambda: rlgym.score(row, "1"), lambda: ticket(row), lambda: Session(row)):
        with pytest.raises(RowError, match=identity):
            attempt()


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "5", "not JSON", "[" * 100_000])
def test_what_is_no_ticket_is_refused(text: str) -> None:
    with pytest.raises(RowError):
        read_ticket(text)


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

    room._judgeable.cache_clear()
    monkeypatch.setattr("rlgym.episode.play.find_spec", lambda package: None)
    with pytest.raises(PackageMissing, match=r"pip install 'rlvrgym\[z3\]'"):
        list(sample("loop_invariant", 1))
