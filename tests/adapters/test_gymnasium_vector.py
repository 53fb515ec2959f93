"""Gymnasium's own vector environments and wrappers over our ids, and over rows."""

from __future__ import annotations

import math
import runpy
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from adapters.agreement import Case, RowError, cases, damaged, page, rows
from adapters.planted import broken_verifier
from gymnasium import wrappers
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import rlgym
from rlgym.adapters.gymnasium_vector import RowEnv, row_vector
from rlgym.dataset import sample

MODES = ("sync", "async")
KINDS = ("chain_sum", "nim", "calculator_and_lookup")


def vector_scores(given: tuple[Case, ...], mode: Any, together: int) -> list[float]:
    """The rewards of the cases' responses, played `together` at once."""
    played, out = [case.row for case in given], []
    envs = row_vector(played, together, mode, autoreset_mode=AutoresetMode.NEXT_STEP)
    for first in range(0, len(given), together):
        envs.reset(seed=first)
        batch = given[first : first + together]
        turns = [[case.response] if case.single else list(case.response) for case in batch] + [["-"]] * (together - len(batch))
        got: list[float | None] = [None] * together
        at = 0
        while any(score is None for score in got[: len(batch)]):
            _, rewards, ended, cut, infos = envs.step(tuple(turn[min(at, len(turn) - 1)] for turn in turns))
            assert not cut.any()
            at += 1
            for i in np.flatnonzero(ended):
                if got[i] is None:
                    got[i] = float(rewards[i])
                    assert infos["score"][i].value == rewards[i]
        out += got[: len(batch)]
    envs.close()
    return out


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("many", [False, True])
def test_rewards_are_the_scores(mode: str, many: bool, record: Any) -> None:
    given = cases(many)
    together = 20 if mode == "sync" else 3
    assert vector_scores(given, mode, together) == [case.score for case in given]
    record(
        "gymnasium_vector",
        "gymnasium",
        scored=len(given),
        agreement=f"{len(cases(False))} single and {len(cases(True))} many-turn cases, sync and async",
    )


@pytest.mark.parametrize("mode", MODES)
def test_what_is_not_the_models_fault_is_nan_and_truncated(mode: Any) -> None:
    dealt = list(sample("chain_sum", 2))
    with broken_verifier("chain_sum"):
        envs = row_vector(dealt, 2, mode)
        envs.reset(seed=0)
        _, rewards, ended, cut, infos = envs.step(("<answer>1</answer>",) * 2)
        envs.close()
    assert all(map(math.isnan, rewards))
    assert not ended.any()
    assert cut.all()
    assert infos["masked"].all()
    assert "planted" in infos["score"][0].reason


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        row_vector([rows(False)[1], row], 2)
    with pytest.raises(RowError, match=identity):
        RowEnv([row])


def test_all_rows_are_dealt_out_once() -> None:
    dealt = list(sample(["chain_sum", "gcd_lcm"], 12))
    envs = row_vector(dealt, 3, autoreset_mode=AutoresetMode.SAME_STEP)
    _, infos = envs.reset()
    seen = list(infos["id"])
    for _ in range(3):
        seen += list(envs.step(("-",) * 3)[4]["id"])
    assert sorted(seen) == sorted(row["id"] for row in dealt)


@pytest.mark.parametrize("name", KINDS)
def test_gymnasium_finds_nothing_to_complain_of(name: str) -> None:
    check_env(RowEnv(list(sample(name, 3, levels=[0.0])), render_mode="ansi"), skip_render_check=True)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("autoreset", list(AutoresetMode))
@pytest.mark.parametrize("name", KINDS)
def test_ids_play_in_every_mode(name: str, mode: str, autoreset: AutoresetMode, record: Any) -> None:
    envs = gymnasium.make_vec(
        rlgym.spec(name)["id"], num_envs=3, vectorization_mode=mode, vector_kwargs={"autoreset_mode": autoreset}, level=0.1
    )
    first, infos = envs.reset(seed=[4, 5, 6])
    repeated, _ = envs.reset(seed=[4, 5, 6])
    assert first == repeated
    assert len(set(first)) == 3
    if name == "calculator_and_lookup":
        assert infos["tools"][0][0]["function"]["name"] == "search"
        record("gymnasium_vector", "gymnasium", tools='the schemas lie in info["tools"], calls are written as text')
    response = tuple(rlgym.make(name, level=0.1).reset(seed=seed) and "unreadable" for seed in (4, 5, 6))
    observed, _, ended, _, infos = envs.step(response)
    if name != "calculator_and_lookup":
        assert ended.all()
        if autoreset is AutoresetMode.SAME_STEP:
            assert list(infos["final_obs"]) == ["", "", ""]
            assert all(observed)
        elif autoreset is AutoresetMode.NEXT_STEP:
            observed, *_ = envs.step(response)
            assert all(observed)
        else:
            observed, _ = envs.reset(options={"reset_mask": np.array([True, False, True])})
            assert [bool(text) for text in observed] == [True, False, True]
    envs.close()


def test_gymnasiums_wrappers_work() -> None:
    def env() -> Any:
        return gymnasium.make("rlgym/higher_lower-v2", level=0.2)

    limited = wrappers.TimeLimit(env(), 1)
    limited.reset(seed=1)
    assert limited.step("<answer>0</answer>")[2:4] == (False, True)
    counted = wrappers.RecordEpisodeStatistics(env())
    counted.reset(seed=1)
    while True:
        *_, ended, _, info = counted.step(counted.unwrapped.oracle())
        if ended:
            break
    assert info["episode"]["r"] == 1
    loud = wrappers.TransformObservation(env(), lambda text: text.upper(), None)
    assert loud.reset(seed=1)[0].isupper()
    request = wrappers.TransformAction(env(), lambda number: f"<answer>{number}</answer>", gymnasium.spaces.Discrete(100))
    request.reset(seed=1)
    assert "could not be read" not in request.step(3)[0]
    stacked = wrappers.FrameStackObservation(env(), 2)
    assert len(stacked.reset(seed=1)[0]) == 2
    assert wrappers.TransformReward(env(), lambda reward: reward - 1).reset(seed=1)
    with pytest.raises(TypeError, match="tokenizer"):
        wrappers.FlattenObservation(env())


@pytest.mark.parametrize("mode", MODES)
def test_gymnasiums_vector_wrappers_work(mode: Any, record: Any) -> None:
    dealt = list(sample("chain_sum", 4))
    envs: Any = row_vector(dealt, 2, mode)
    envs = wrappers.vector.RecordEpisodeStatistics(envs)
    envs = wrappers.vector.TransformObservation(envs, lambda texts: tuple(text.upper() for text in texts))
    envs = wrappers.vector.NormalizeReward(envs)
    envs = wrappers.vector.DictInfoToList(envs)
    observed, infos = envs.reset(seed=0)
    assert "COMPUTE" in observed[0]
    assert [info["id"] for info in infos] == [row["id"] for row in dealt[:2]]
    response = tuple(RowEnv([row]).reset() and row["oracle_response"] for row in dealt[:2])
    _, _, ended, _, infos = envs.step(response)
    assert ended.all()
    assert [info["episode"]["r"] for info in infos] == [1, 1]
    envs.close()
    record(
        "gymnasium_vector",
        "gymnasium",
        single="SyncVectorEnv, AsyncVectorEnv and make_vec in all three autoreset modes, with Gymnasium's wrappers",
        many="games and matches, a turn a step",
    )


def test_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    (tmp_path / "page.py").write_text(page("gymnasium_vector"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.split() == ["1.0"]
    record("gymnasium_vector", "gymnasium", example="the page's example")


@pytest.mark.parametrize(
    "created", [lambda: rlgym.make("nim", render_mode="jpeg"), lambda: RowEnv([next(sample("nim", 1))], render_mode="human")]
)
def test_an_unknown_render_mode_is_one_clear_error(created):
    with pytest.raises(rlgym.RlgymError, match=r"render_mode must be None or one of 'ansi'"):
        created()
