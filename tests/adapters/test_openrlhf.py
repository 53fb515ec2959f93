"""OpenRLHF's own dataset and executors: they read our files and pay our scores."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import runpy
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("openrlhf", reason="needs openrlhf")

from adapters.agreement import cases, damaged, page, rows
from adapters.planted import broken_verifier
from adapters.tiny import CHATML, tiny

from rlgym.core.errors import RowError
from rlgym.dataset import Session, oracle_response, sample, to_task_json
from rlgym.dataset.export import write

with warnings.catch_warnings():
    # What OpenRLHF stands on warns while it is imported, before any mark of a test is read.
    warnings.simplefilter("ignore")
    from openrlhf.datasets.prompts_dataset import PromptDataset
    from openrlhf.datasets.utils import blending_datasets
    from openrlhf.utils.agent import AgentExecutorBase, SingleTurnAgentExecutor

    from rlgym.adapters import openrlhf

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
ROOM = 30000


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return tiny(tmp_path_factory.mktemp("openrlhf") / "model", CHATML)[1]


def read(file, tokenizer, **data):
    """The prompts and labels of a file, as OpenRLHF's own loader gives them."""
    given = {"input_key": "input", "label_key": "label", "apply_chat_template": True, **data}
    # Its real strategy wants DeepSpeed; the dataset asks it for these alone.
    strategy = SimpleNamespace(args=SimpleNamespace(data=SimpleNamespace(**given)), is_rank_0=lambda: True, print=lambda *_: None)
    data = PromptDataset(blending_datasets(str(file), None, strategy), tokenizer, strategy)
    return [data[place][1:3] for place in range(len(data))]


class Engine:
    """An engine that says given turns, and sees that what was said stays as it was."""

    def __init__(self, tokenizer, turns, ends=True):
        self.tokenizer, self.turns, self.before, self.ends = tokenizer, iter(turns), [], ends

    async def generate(self, tokens, params, multi_modal_data=None):
        assert tokens[: len(self.before)] == self.before
        text = next(self.turns)
        ids = self.tokenizer(text)["input_ids"] + [self.tokenizer.eos_token_id] * self.ends
        stopped = len(ids) <= params.max_tokens
        ids = ids[: params.max_tokens]
        self.before = tokens + ids
        text = text if stopped else self.tokenizer.decode(ids)
        chances = [{token: SimpleNamespace(logprob=-1.0)} for token in ids]
        created = SimpleNamespace(token_ids=ids, text=text, finish_reason="stop" if stopped else "length", logprobs=chances)
        return SimpleNamespace(outputs=[created])


def executor():
    """The agent, loaded as OpenRLHF loads the file of `--train.agent_func_path`."""
    spec = importlib.util.spec_from_file_location("agent_module", openrlhf.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert issubclass(module.AgentExecutor, AgentExecutorBase)
    return module.AgentExecutor()


def play(agent, prompt, label, turns, tokenizer, room=ROOM, **engine):
    params = SimpleNamespace(max_tokens=None, logprobs=1)
    return agent.execute(prompt, label, params, room, tokenizer, Engine(tokenizer, turns, **engine))


@pytest.fixture(scope="module")
def items(tmp_path_factory, tokenizer):
    """Prompt and label of every row, by its id."""
    file = tmp_path_factory.mktemp("items") / "rows.jsonl"
    write([*rows(), *rows(False), *rows(True)], "openrlhf", file)
    return {json.loads(label)["id"]: (prompt, label) for prompt, label in read(file, tokenizer)}


def test_the_page_writes_what_openrlhf_reads(tmp_path, monkeypatch, tokenizer, record):
    monkeypatch.chdir(tmp_path)
    Path("page.py").write_text(page("openrlhf"))
    run = runpy.run_path("page.py")
    options = run["options"]
    read_back = read(options["data.prompt_dataset"], tokenizer, **{key: options[f"data.{key}"] for key in ("input_key", "label_key")})
    assert len(read_back) == 300
    assert all(prompt.endswith("<|im_start|>assistant\n") for prompt, _ in read_back)
    assert Path(options["train.agent_func_path"]).name == "openrlhf.py"
    record("openrlhf", "openrlhf", example="PromptDataset reads the page's file; no training")


def test_the_reward_function_pays_what_scoring_pays(items, tokenizer, record):
    single = SingleTurnAgentExecutor(openrlhf.__file__)

    async def run():
        given = [(case, *items[case.row["id"]]) for case in cases(False)]
        return await asyncio.gather(*(play(single, prompt, label, [case.response], tokenizer) for case, prompt, label in given))

    for case, out in zip(cases(False), asyncio.run(run()), strict=True):
        assert out["reward"] == out["scores"] == case.score, (case.row["id"], case.kind)
    record("openrlhf", "openrlhf", single=f"SingleTurnAgentExecutor with the reward function, {len(cases(False))} responses")


def test_the_agent_pays_what_scoring_pays(items, tokenizer, record):
    agent = executor()

    async def run():
        given = [(case, *items[case.row["id"]]) for case in cases()]
        turns = [[case.response] if case.single else case.response for case in cases()]
        return await asyncio.gather(*(play(agent, prompt, label, text, tokenizer) for (_, prompt, label), text in zip(given, turns)))

    for case, out in zip(cases(), asyncio.run(run()), strict=True):
        assert out["reward"] == pytest.approx(case.score, abs=1e-6), (case.row["id"], case.kind)
        assert out["scores"] == case.score
        assert len(out["rollout_log_probs"]) == len(out["observation_tokens"])
        session = Session(case.row)
        for turn in [case.response] if case.single else case.response:
            if not session.done:
                session.step(turn)
        contents = [message["content"] for message in session.messages if message["role"] == "assistant"]
        actions = [tokenizer.decode(out["observation_tokens"][start:end]) for start, end in out["action_ranges"]]
        assert actions == [f"{text}<|im_end|>" for text in contents]
        full = tokenizer.apply_chat_template(session.messages, tokenize=False)
        assert tokenizer.decode(out["observation_tokens"]) == full.removesuffix("\n")
    record("openrlhf", "openrlhf", many="the agent's executor, with the model's chat template", tools="calls as text")
    many = sum(not case.single for case in cases())
    record(
        "openrlhf",
        "openrlhf",
        scored=len(cases()),
        agreement=f"equal for {len(cases()) - many} responses of one turn and {many} episodes of many",
    )


def test_an_episode_without_room_is_not_won(items, tokenizer):
    row = next(iter(row for row in rows(True) if len(oracle_response(row)) > 2))
    prompt, label = items[row["id"]]
    room = len(tokenizer(prompt)["input_ids"]) + 60
    out = asyncio.run(play(executor(), prompt, label, oracle_response(row), tokenizer, room))
    assert out["reward"] == 0


def test_what_is_not_the_models_fault_is_never_zero(items, tokenizer):
    row = rows(False)[0]
    prompt, label = items[row["id"]]
    with broken_verifier(row["env"]):
        with pytest.raises(RuntimeError, match=row["id"]):
            asyncio.run(play(executor(), prompt, label, [row["oracle_response"]], tokenizer))
        out = asyncio.run(play(SingleTurnAgentExecutor(openrlhf.__file__), prompt, label, [row["oracle_response"]], tokenizer))
        assert out["reward"] is None
        with pytest.raises(openrlhf.ScoringFailed, match=row["id"]):
            openrlhf.reward_func([prompt + row["oracle_response"]], [prompt], [label])


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_labels_are_refused(row, identity):
    with pytest.raises(RowError, match=identity):
        openrlhf.reward_func(["p1"], ["p"], [json.dumps(row)])
    with pytest.raises(RowError, match=identity):
        asyncio.run(openrlhf.Episode().reset({"label": json.dumps(row), "observation": "p"}))


def test_what_a_reward_function_cannot_know_is_refused():
    [row] = sample("chain_sum", 1)
    with pytest.raises(ValueError, match="does not begin"):
        openrlhf.reward_func(["cut"], ["a longer prompt"], [to_task_json(row)])
    with pytest.raises(ValueError, match="agent_func_path"):
        openrlhf.reward_func(["p1"], ["p"], [to_task_json(next(iter(sample("higher_lower", 1))))])
    two = openrlhf.reward_func([f"p{row['oracle_response']}<|im_end|>", "p no"], ["p", "p"], [to_task_json(row)] * 2)
    assert two["rewards"] == [1.0, 0.0]
