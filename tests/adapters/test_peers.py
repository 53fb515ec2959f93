"""Environments of verifiers played through reset and step: ours by way of theirs, and one that knows nothing of rlgym."""

from __future__ import annotations

import json
import math
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers.v1", reason="needs verifiers>=0.4")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

import gymnasium  # noqa: E402
from adapters.agreement import KINDS, cases, page, rows  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.peers import VerifiersEnv  # noqa: E402
from rlgym.adapters.verifiers import write_package  # noqa: E402
from rlgym.dataset import Session, sample  # noqa: E402

THEIRS = '''
import openai
import verifiers.v1 as vf
from verifiers.v1.configs.harness import HarnessConfig

class Data(vf.TaskData):
    answer: str

class Reverse(vf.Task[Data]):
    @vf.reward
    async def share(self, trace) -> float:
        said = trace.assistant_messages[-1].content
        if said == "break":
            raise ValueError("planted")
        return {"twice": 2.0}.get(said, sum(a == b for a, b in zip(said, self.data.answer)) / len(self.data.answer))

class Tasks(vf.Taskset[Reverse, vf.TasksetConfig]):
    def load(self):
        for number, word in enumerate(("lamp", "stone")):
            yield Reverse(Data(id=word, prompt=f"Reverse {word}.", answer=word[::-1]), vf.TaskConfig())

class Asks(vf.Harness[HarnessConfig]):
    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        messages = [{"role": "user", "content": data.prompt}]
        async with openai.AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as client:
            for more in ("Say it once more.", None):
                answer = await client.chat.completions.create(model=ctx.model, messages=messages)
                messages.append({"role": "assistant", "content": answer.choices[0].message.content})
                messages.append({"role": "user", "content": more})
        return vf.ProgramResult(0, "", "")

class Config(vf.SingleAgentEnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())

class Play(vf.SingleAgentEnv, vf.Env[Config]):
    """One agent."""

__all__ = ["Tasks", "Asks", "Play"]
'''


@pytest.fixture
def reverse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "reverse_words").mkdir()
    (tmp_path / "reverse_words" / "__init__.py").write_text(THEIRS)
    monkeypatch.syspath_prepend(str(tmp_path))
    verifiers_envs: list[VerifiersEnv] = []

    def make(**more: Any) -> VerifiersEnv:
        verifiers_envs.append(VerifiersEnv({"taskset": {"id": "reverse-words"}}, **more))
        return verifiers_envs[-1]

    yield make
    for env in verifiers_envs:
        env.close()


def test_their_reward_is_the_score(reverse: Any, record: Any) -> None:
    env = reverse()
    for seed, word, response, reward in ((0, "lamp", "pmal", 1.0), (1, "stone", "enoxx", 0.6), (2, "lamp", "xxxx", 0.0)):
        observation, info = env.reset(seed=seed)
        assert observation == f"Reverse {word}."
        observation, got, ended, cut, info = env.step("wait")
        assert (observation, got, ended, cut) == ("Say it once more.", 0.0, False, False)
        observation, got, ended, cut, info = env.step(response)
        assert (observation, ended, cut, info["masked"]) == ("", True, False, False)
        assert got == pytest.approx(reward)
        assert info["score"].parts == {"share": pytest.approx(reward)}
    assert [message["role"] for message in env.messages] == ["user", "assistant", "user", "assistant"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("again")
    record("peers", "verifiers", many="a taskset of two turns; each question of their harness is an observation")


def test_what_fails_there_is_masked(reverse: Any) -> None:
    env = reverse()
    for response, reason in (("break", "planted"), ("twice", "2.0")):
        env.reset(seed=0)
        env.step("wait")
        _, reward, ended, cut, info = env.step(response)
        assert math.isnan(reward)
        assert (ended, cut, info["masked"]) == (False, True, True)
        assert reason in info["score"].reason
    wide = reverse(rewards=(0.0, 2.0))
    wide.reset(seed=0)
    wide.step("wait")
    assert wide.step("twice")[1] == 1


def test_an_episode_may_be_given_up(reverse: Any) -> None:
    env = reverse()
    assert env.reset(seed=0)[0] == "Reverse lamp."
    assert env.reset()[0] == "Reverse stone."
    env.step("wait")
    env.close()
    assert env.reset(seed=0)[0] == "Reverse lamp."


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.syspath_prepend(str(tmp_path / "rlgym-peers"))
    return write_package(tmp_path / "rlgym-peers")


def test_our_tasks_by_way_of_theirs_have_our_scores(ours: str, record: Any) -> None:
    names = ["chain_sum", "zebra", "nim", "higher_lower"]
    recipe: dict[str, Any] = {"levels": [0.0, 0.3], "seed": 7}
    dealt = list(sample(names, 8, **recipe))
    env = VerifiersEnv({"taskset": {"id": ours, "names": names, "count": 8, **recipe}})
    known = {(case.row["env"], case.kind): case for case in cases()}
    seen = 0
    for number, row in enumerate(dealt):
        for kind in KINDS:
            assert (row["env"], kind) in known
            text = {
                "junk": "The answer is 42.",
                "unreadable": "<answer>1</answer> or <answer>two</answer>",
                "mistake": "<answer>1, 1</answer>",
            }
            observation, _ = env.reset(seed=number)
            session, turns, ended = Session(row), [], False
            assert observation == session.observation
            while not ended:
                turns.append(session.oracle() if kind == "oracle" else text[kind])
                session.step(turns[-1])
                observation, reward, ended, cut, info = env.step(turns[-1])
                assert not cut, info
                assert observation == session.observation
            assert reward == rlgym.score(row, turns[0] if row["kind"] == "environment" else turns).value
            seen += 1
    env.close()
    assert len(rows()) == 200
    record(
        "peers",
        "verifiers",
        single="one-turn tasks",
        scored=seen,
        agreement=f"{seen} episodes of ours, played by way of verifiers, scored as by rlgym.score",
    )


def test_tools_are_called_natively(ours: str, record: Any) -> None:
    row = next(sample("calculator_and_lookup", 1, levels=[0.0]))
    env = VerifiersEnv({"taskset": {"id": ours, "names": ["calculator_and_lookup"], "count": 1, "levels": [0.0]}})
    _, info = env.reset(seed=0)
    assert info["tools"][0]["function"]["name"] == "search"
    answer: Any = rlgym.environment("calculator_and_lookup").answer
    ended = False
    for turn in json.loads(row["oracle_response"]):
        calls = [json.loads(answer.render((call,))) for call in answer.parse_response(turn, "tag")]
        native = [
            {"id": f"c{i}", "type": "function", "function": {"name": call["tool"], "arguments": json.dumps(call["arguments"])}}
            for i, call in enumerate(calls)
        ]
        _, reward, ended, _, info = env.step(json.dumps({"tool_calls": native}))
    assert ended
    assert reward == 1
    env.close()
    record("peers", "verifiers", tools="native calls, as JSON in the response")


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.py").write_text(page("peers"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.split() == ["0.0", "0.0"]
    record("peers", "verifiers", example="the page's example")
