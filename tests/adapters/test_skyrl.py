"""The SkyRL adapter, in skyrl-gym and in SkyRL's own generator."""

from __future__ import annotations

import asyncio
import json
import runpy
import typing
from pathlib import Path
from typing import Any

import pytest
import typing_extensions

skyrl_gym = pytest.importorskip("skyrl_gym", reason="needs skyrl-gym>=0.4")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

from adapters.agreement import Case, cases, damaged, page, rows  # noqa: E402
from adapters.tokens import BEGIN, byte_tokenizer  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.skyrl import register  # noqa: E402
from rlgym.adapters.skyrl import rows as skyrl_rows  # noqa: E402
from rlgym.core.errors import RowError  # noqa: E402
from rlgym.dataset import Session, sample, to_task_json  # noqa: E402


def made(row: dict[str, Any], **more: Any) -> Any:
    [given] = skyrl_rows([row])
    return skyrl_gym.make(register(), env_config={}, extras={"task_json": given["task_json"], "data_source": "rlgym"} | more)


def test_agreement_in_skyrl_gym(record: Any) -> None:
    for case in cases():
        env = made(case.row, max_turns=100)
        prompt, _ = env.init(case.row["messages"])
        assert prompt == case.row["messages"]
        for turn in [case.response] if case.single else case.response:
            step = env.step(turn)
            if step["done"]:
                break
            assert step["reward"] == 0
            assert step["observations"][0]["role"] == "user"
        assert step["reward"] == case.score, (case.row["id"], case.kind)
        assert env.get_metrics()["score"] == case.score
    record(
        "skyrl",
        "skyrl-gym",
        scored=len(cases()),
        agreement=f"{len(cases())} responses through skyrl_gym.make and step",
        tools="calls in the text",
    )


def test_agreement_in_the_generator_of_skyrl(record: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="SkyRL's generator needs torch")
    # skyrl 0.3.0 hands pydantic a TypedDict that it takes on Python 3.12 only.
    monkeypatch.setattr(typing, "TypedDict", typing_extensions.TypedDict)
    pytest.importorskip("skyrl.train.generators.skyrl_gym_generator", reason="needs skyrl>=0.3")
    from skyrl.train.config import GeneratorConfig, SkyRLGymConfig
    from skyrl.train.generators.skyrl_gym_generator import SkyRLGymGenerator

    chosen = [*cases(False)[::7], *cases(True)[::5]]
    coder = byte_tokenizer()

    class Engine:
        """An inference engine whose model says what a case says."""

        model_name = "scripted"

        def __init__(self, case: Case) -> None:
            self.turns = [case.response] if case.single else case.response
            self.opening = case.row["messages"][0]["content"]

        async def finish_session(self, session: Any) -> None:
            pass

        async def generate(self, request: Any, model: str | None = None) -> Any:
            seen = coder.decode(request["prompt_token_ids"][0])
            assert self.opening in seen
            text = self.turns[seen.count(f"{BEGIN}assistant") - 1]
            ids = [*coder.encode(text, add_special_tokens=False), coder.eos_token_id]
            return {"responses": [text], "response_ids": [ids], "stop_reasons": ["stop"], "response_logprobs": None}

    register()
    config = GeneratorConfig(max_turns=100, max_input_length=10**6)
    for case in chosen:
        [row] = skyrl_rows([case.row])
        generator = SkyRLGymGenerator(config, SkyRLGymConfig(max_env_workers=4), Engine(case), coder)
        batch = {
            "prompts": [row["prompt"]] * 2,
            "env_classes": [row["env_class"]] * 2,
            "env_extras": [{"task_json": row["task_json"], "data_source": row["data_source"]} for _ in range(2)],
            "sampling_params": None,
        }
        out = asyncio.run(generator.generate(batch, disable_tqdm=True))
        assert [sum(rewards) for rewards in out["rewards"]] == [case.score] * 2, (case.row["id"], case.kind)
        assert out["rollout_metrics"]["environment/score"] == case.score
    record("skyrl", "skyrl-gym", single="SkyRLGymGenerator, over tokens", many="SkyRLGymGenerator, over tokens")


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        skyrl_rows([row])
    good = json.loads(to_task_json(rows(False)[0]))
    spoilt = json.dumps(good | {key: row[key] for key in good})
    with pytest.raises(RowError, match=identity):
        skyrl_gym.make(register(), extras={"task_json": spoilt})


def test_what_is_not_the_models_fault_is_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    env = made(rows(False)[0])
    broken = rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")
    monkeypatch.setattr(Session, "score", property(lambda _: broken))
    with pytest.raises(RuntimeError, match="no sandbox"):
        env.step("1")


def test_too_few_turns_are_refused() -> None:
    row = rows(True)[0]
    with pytest.raises(ValueError, match=r"generator\.max_turns=1"):
        made(row, max_turns=1)
    assert made(row, max_turns=Session(row).max_turns)
    with pytest.raises(ValueError, match="'task_json'"):
        skyrl_gym.make(register(), extras={})


def test_the_page_runs(tmp_path: Path, record: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.py").write_text(page("skyrl"))
    runpy.run_path("page.py")
    assert len(capsys.readouterr().out.splitlines()) == 4
    monkeypatch.undo()
    record("skyrl", "skyrl-gym", example="run by the test")


def test_turn_rewards_sum_to_the_score() -> None:
    row = next(sample("taxi_text", 1, levels=[0.5]))
    for turns in (json.loads(row["oracle_response"]), ["I give up."] * 100):
        env, rewards, done = made(row, turn_rewards=True), list[float](), False
        while not done:
            step = env.step(turns[len(rewards)])
            rewards.append(step["reward"])
            done = step["done"]
        assert sum(rewards) == pytest.approx(env.get_metrics()["score"])
        assert (sum(reward > 0 for reward in rewards) > 1) == (turns[0] != "I give up.")
    assert skyrl_rows([row], turn_rewards=True)[0]["turn_rewards"]
