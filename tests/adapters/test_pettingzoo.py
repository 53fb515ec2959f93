"""Matches in PettingZoo, checked by PettingZoo's own tests."""

from __future__ import annotations

import runpy
import warnings
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")

from adapters.agreement import RowError, cases, damaged, page, rows
from adapters.planted import broken_verifier
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from thinning import thinned

import rlgym
from rlgym.adapters.pettingzoo import aec_env, parallel_env
from rlgym.dataset import Session, sample

MATCHES = [name for name in rlgym.names() if rlgym.environment(name).kind == "match"]
# PettingZoo expects arrays and says so of any text.
TEXT = ("Observation is not a NumPy array", "Observation space for each agent probably", "Action space for each agent probably")


@pytest.mark.parametrize("level", [0.0, 0.6])
@pytest.mark.parametrize("name", thinned(MATCHES, 6))
def test_pettingzoo_finds_nothing_to_complain_of(name: str, level: float, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    with warnings.catch_warnings():
        for text in TEXT:
            warnings.filterwarnings("ignore", text)
        api_test(aec_env(name, level=level), num_cycles=60)
        seed_test(lambda: aec_env(name, level=level), num_cycles=60)
        parallel_api_test(parallel_env(name, level=level), num_cycles=60)
        parallel_seed_test(lambda: parallel_env(name, level=level), num_cycles=60)
    out = capsys.readouterr().out
    assert "Passed API test" in out
    assert "Passed Parallel API test" in out
    record("pettingzoo", "pettingzoo", many=f"{len(MATCHES)} matches: AEC and parallel, PettingZoo's own api, parallel and seed tests")


def played(env: Any, row: dict[str, Any], response: list[str]) -> tuple[dict[str, float], Any]:
    """The rewards and the seat's score when the seat gives `response` and the others what the built-in players do."""
    session = Session(row)
    env.reset(options={"row": row})
    rewards: dict[str, float] = {}
    for turn in response:
        seat = env.agent_selection
        session.step(turn)
        env.step(turn)
        replies = [event.what for event in session.events if event.kind == "opponent"]
        while env.agents and not any(env.terminations.values()) and env.agent_selection != seat:
            turns = [who for who, _ in env.unwrapped._moves if who != seat]
            env.step(f"<answer>{replies[len(turns)]}</answer>")
        if any(env.terminations.values()):
            rewards = dict(env.rewards)
            return rewards, env.infos[seat]["score"]
    raise AssertionError("the match did not end")


def test_scores_are_those_of_rlgym(record: Any) -> None:
    seen = 0
    for case in cases(True):
        if case.row["kind"] == "match":
            rewards, score = played(aec_env(case.row["env"]), case.row, case.response)
            assert score == rlgym.score(case.row, case.response)
            assert sum(rewards.values()) == 0
            if case.kind == "oracle":
                assert rewards["player_0"] >= 0
            if case.kind in ("junk", "unreadable"):
                assert rewards == {"player_0": -1, "player_1": 1}
            seen += 1
    assert seen == 40
    record("pettingzoo", "pettingzoo", scored=seen, agreement=f"{seen} cases of matches; the others have one player")


def test_self_play_by_the_oracle_ends_as_theory_says() -> None:
    for row in rows(True):
        if row["kind"] == "match":
            env: Any = aec_env(row["env"])
            env.reset(options={"row": row})
            while not any(env.terminations.values()):
                env.step(env.unwrapped.oracle())
            assert env.infos["player_0"]["score"].value == 1


def test_every_player_is_told_the_rules_before_its_first_move() -> None:
    env: Any = aec_env("nim", level=0.3)
    env.reset(seed=5)
    first = env.observe("player_0")
    assert "The player who takes the last counter" in first
    env.step(env.unwrapped.oracle())
    second = env.last()[0]
    assert "The player who takes the last counter" in second
    assert "I take" in second
    assert "<answer>" in second
    env.step(env.unwrapped.legal()[0])
    assert "The player who takes" not in env.last()[0]


def test_an_illegal_move_of_either_player_loses() -> None:
    env: Any = aec_env("nim")
    env.reset(seed=5)
    env.step(env.unwrapped.legal()[0])
    env.step("<answer>99, 99</answer>")
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert "score" not in env.infos["player_0"]


def test_rules_that_break_raise() -> None:
    env: Any = aec_env("nim")
    env.reset(seed=5)
    with broken_verifier("nim"), pytest.raises(ZeroDivisionError):
        env.step(env.unwrapped.legal()[0])


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        aec_env("nim").reset(options={"row": row})
    with pytest.raises(rlgym.RlgymError, match="chain_sum"):
        aec_env("nim").reset(options={"row": next(iter(sample("chain_sum", 1)))})


def test_only_matches_are_taken() -> None:
    with pytest.raises(rlgym.RlgymError, match="chain_sum is not a match but an environment"):
        aec_env("chain_sum")


def test_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    (tmp_path / "page.py").write_text(page("pettingzoo"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert "player_0" in capsys.readouterr().out
    record("pettingzoo", "pettingzoo", example="the page's example")
