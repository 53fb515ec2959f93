"""verl's own dataset, reward loop and agent loop worker: they read our files and pay our scores."""

from __future__ import annotations

import asyncio
import json
import runpy
import warnings
from pathlib import Path

import pytest

pytest.importorskip("verl", reason="needs verl")

import numpy as np
from adapters.agreement import cases, damaged, page, rows
from adapters.planted import broken_verifier
from adapters.tiny import CHATML, tiny

from rlgym.core.errors import RowError
from rlgym.dataset import Session, sample, to_task_json
from rlgym.dataset.export import write

with warnings.catch_warnings():
    # What verl stands on warns while it is imported, before any mark of a test is read.
    warnings.simplefilter("ignore")
    import torch
    from hydra import compose, initialize_config_module
    from tensordict import TensorDict
    from verl import DataProto
    from verl.experimental.agent_loop.agent_loop import AgentLoopWorker
    from verl.experimental.reward_loop.reward_loop import RewardLoopWorker, migrate_legacy_reward_impl
    from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn
    from verl.workers.rollout.llm_server import LLMServerClient
    from verl.workers.rollout.replica import TokenOutput

    from rlgym.adapters.verl import AGENT_LOOPS, ScoringFailed, compute_score

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
RESPONSE = 20000


@pytest.fixture(scope="module", autouse=True)
def loop():
    """The event loop that verl's classes find; they would make one each, and never close it."""
    created = asyncio.new_event_loop()
    asyncio.set_event_loop(created)
    yield created
    asyncio.set_event_loop(None)
    created.run_until_complete(created.shutdown_default_executor())
    created.close()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verl") / "model"
    _, tokenizer = tiny(folder, CHATML)
    return folder, tokenizer


def settings(folder, *overrides):
    """verl's own configuration, as its command line makes it."""
    with initialize_config_module("verl.trainer.config", version_base=None):
        config = compose(
            "ppo_trainer",
            overrides=[
                f"actor_rollout_ref.model.path={folder}",
                "actor_rollout_ref.rollout.name=vllm",
                "data.max_prompt_length=8192",
                f"data.max_response_length={RESPONSE}",
                "reward.custom_reward_function.path=pkg://rlgym.adapters.verl",
                *overrides,
            ],
        )
    return migrate_legacy_reward_impl(config)


def read(chosen, folder, tokenizer, config):
    """The rows as verl's own loader gives them."""
    file = folder / "rows.parquet"
    write(chosen, "verl", file)
    data = RLHFDataset(str(file), tokenizer, config.data)
    return [data[place] for place in range(len(data))]


def told(item, response, tokenizer):
    """A response to an item, as the reward loop gets it."""
    prompt, said = [5], tokenizer(response)["input_ids"] + [tokenizer.eos_token_id]
    tensors = {"prompts": [prompt], "responses": [said], "attention_mask": [[1] * (1 + len(said))]}
    batch = TensorDict({name: torch.tensor(values) for name, values in tensors.items()}, batch_size=1)
    fields = {key: np.array([item[key]], dtype=object) for key in ("data_source", "reward_model", "extra_info")}
    return DataProto(batch=batch, non_tensor_batch=fields)


def test_the_page_writes_what_verl_reads(tmp_path, monkeypatch, model, record):
    monkeypatch.chdir(tmp_path)
    Path("page.py").write_text(page("verl"))
    run = runpy.run_path("page.py")
    folder, tokenizer = model
    config = settings(folder, *[given for given in run["overrides"] if "model.path" not in given])
    data = RLHFDataset(config.data.train_files, tokenizer, config.data)
    assert len(data) == 300
    assert {item["agent_name"] for item in data} == {"single_turn_agent", "rlgym"}
    assert [data[place]["index"] for place in range(3)] == [0, 1, 2]
    worker = AgentLoopWorker(config, Scripted(config, []))
    assert worker.config.data.max_response_length == 2048
    record("verl", "verl", example="RLHFDataset reads the page's files, and verl's configuration takes its options; no training")


def test_the_reward_loop_pays_what_scoring_pays(tmp_path, model, record):
    folder, tokenizer = model
    config = settings(folder)
    items = {item["extra_info"]["id"]: item for item in read(rows(False), tmp_path, tokenizer, config)}
    worker = RewardLoopWorker(config)

    async def score_all():
        return await asyncio.gather(*(worker.compute_score(told(items[c.row["id"]], c.response, tokenizer)) for c in cases(False)))

    for case, paid in zip(cases(False), worker.loop.run_until_complete(score_all()), strict=True):
        assert paid["reward_score"] == case.score, (case.row["id"], case.kind)
        assert paid["reward_extra_info"]["acc"] == (case.score == 1)
    record("verl", "verl", single=f"RewardLoopWorker and its naive manager, {len(cases(False))} responses")


class Scripted(LLMServerClient):
    """An engine that says the turns of given cases: whose turn it is, it knows by what has been said."""

    def __init__(self, config, given, tokenizer=None):
        super().__init__(config)
        self.left, self.tokenizer, self.contexts = list(given), tokenizer, {}

    async def generate(self, request_id, *, prompt_ids, sampling_params, **more):
        if request_id not in self.contexts:
            text = self.tokenizer.decode(prompt_ids)
            place = next(at for at, case in enumerate(self.left) if case.row["messages"][0]["content"] in text)
            self.contexts[request_id] = (iter(self.left.pop(place).response), [])
        turns, before = self.contexts[request_id]
        assert prompt_ids[: len(before)] == before, "what was said must stay as it was"
        ids = self.tokenizer(next(turns))["input_ids"] + [self.tokenizer.eos_token_id]
        self.contexts[request_id] = (turns, prompt_ids + ids)
        return TokenOutput(token_ids=ids, log_probs=[-1.0] * len(ids))


def play(given, folder, tokenizer, tmp_path, *overrides):
    (tmp_path / "agents.yaml").write_text(AGENT_LOOPS)
    place = f"actor_rollout_ref.rollout.agent.agent_loop_config_path={tmp_path}/agents.yaml"
    config = settings(folder, place, *overrides)
    items = {item["extra_info"]["id"]: item for item in read([case.row for case in given], tmp_path, tokenizer, config)}
    worker = AgentLoopWorker(config, Scripted(config, given, tokenizer))
    batch = DataProto.from_single_dict(collate_fn([items[case.row["id"]] for case in given]))
    return asyncio.get_event_loop().run_until_complete(worker.generate_sequences(batch))


def test_the_agent_loop_pays_what_scoring_pays(tmp_path, model, record):
    """Every case of many turns, played by verl's worker; and what the environment said is masked."""
    folder, tokenizer = model
    for kind in ("oracle", "mistake", "junk", "unreadable"):
        given = [case for case in cases(True) if case.kind == kind]
        out = play(given, folder, tokenizer, tmp_path)
        assert out.batch["rm_scores"].sum(1).tolist() == pytest.approx([case.score for case in given])
        spoken = [out.batch[name] for name in ("responses", "response_mask", "input_ids", "attention_mask")]
        for case, ids, mask, every, real in zip(given, *spoken, strict=True):
            session = Session(case.row)
            for turn in case.response:
                if not session.done:
                    session.step(turn)
            contents = "".join(f"{message['content']}<|im_end|>" for message in session.messages if message["role"] == "assistant")
            assert tokenizer.decode(ids[mask.bool()]) == contents
            full = tokenizer.apply_chat_template(session.messages, tokenize=False)
            assert tokenizer.decode(every[real.bool()]) == full.removesuffix("\n")
    count = len(cases(False)), len(cases(True))
    record("verl", "verl", many="AgentLoopWorker with Conversation", tools="calls as text, the tools' schemas in the chat template")
    record("verl", "verl", scored=sum(count), agreement=f"equal for {count[0]} responses of one turn and {count[1]} episodes of many")


def test_turn_scores_are_the_progress_of_each_turn(tmp_path, model, record):
    """verl's batch holds the rewards of the turns, which sum to what the episode pays; worlds with milestones pay before the end."""
    folder, tokenizer = model
    early = 0
    for kind in ("oracle", "mistake"):
        given = [
            case for case in cases(True) if case.kind == kind and case.row["env"] in ("file_system_tasks", "calculator_and_lookup", "nim")
        ]
        out = play(given, folder, tokenizer, tmp_path)
        for case, scores, paid in zip(given, out.non_tensor_batch["turn_scores"], out.batch["rm_scores"].sum(1).tolist(), strict=True):
            session = Session(case.row)
            for turn in case.response:
                if not session.done:
                    session.step(turn)
            assert list(scores) == session.turn_rewards, case.row["id"]
            assert sum(scores) == pytest.approx(paid)
            early += any(scores[:-1])
    assert early >= 3
    record("verl", "verl", many="AgentLoopWorker with Conversation; turn_scores are the progress of each turn")


def test_an_episode_without_room_is_not_won(tmp_path, model):
    folder, tokenizer = model
    given = [case for case in cases(True) if case.kind == "oracle" and len(case.response) > 2][:3]
    out = play(given, folder, tokenizer, tmp_path, "data.max_response_length=40")
    assert out.batch["rm_scores"].sum().item() == 0
    assert out.batch["responses"].shape[1] == 40


def test_what_is_not_the_models_fault_is_raised(tmp_path, model):
    folder, tokenizer = model
    config = settings(folder)
    row = next(iter(sample("chain_sum", 1)))
    [item] = read([row], tmp_path, tokenizer, config)
    worker = RewardLoopWorker(config)
    with broken_verifier("chain_sum"), pytest.raises(ScoringFailed, match=row["id"]):
        worker.loop.run_until_complete(worker.compute_score(told(item, row["oracle_response"], tokenizer)))
    case = next(case for case in cases(True) if case.row["env"] == "higher_lower")
    with broken_verifier("higher_lower"), pytest.raises(ScoringFailed, match=case.row["id"]):
        play([case], folder, tokenizer, tmp_path)


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_task_json_is_refused(row, identity):
    with pytest.raises(RowError, match=identity):
        compute_score("rlgym/x", "1", json.dumps(row))


def test_many_turns_are_not_scored_as_one():
    row = next(iter(sample("higher_lower", 1)))
    with pytest.raises(ValueError, match="agent_name"):
        compute_score("rlgym/higher_lower", "1", to_task_json(row))
