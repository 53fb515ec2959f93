"""TRL's own trainers on a tiny model: rewards are ours, whoever plays."""

from __future__ import annotations

import json
import os
import re
import runpy
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs trl")
pytest.importorskip("torch", reason="needs torch")

import trl
from adapters.agreement import cases, damaged, page, rows
from adapters.planted import broken_verifier
from adapters.tiny import CHATML, tiny
from adapters.trl_runs import TEMPLATE, seen, settings, tasks_of
from transformers import Qwen3ForCausalLM

import rlgym
from rlgym.adapters.trl import Rollout, dataset, environments, reward_function, score
from rlgym.core.errors import RowError
from rlgym.dataset import Session, from_task_json, sample, to_task_json

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:.*experimental feature.*:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*pin_memory.*:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*lr_scheduler.*:UserWarning"),
]
os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"


def test_the_page_trains_three_steps_with_our_rewards(tmp_path, monkeypatch, record):
    monkeypatch.chdir(tmp_path)
    tiny(tmp_path / "model", TEMPLATE)
    Path("page.py").write_text(page("trl"))
    run = runpy.run_path("page.py")
    task_jsons = {task["prompt"][0]["content"]: task["task_json"] for task in run["tasks"]}
    lines = seen("out")
    assert len(lines) == 12
    for line in lines:
        completion = line["completion"][0]["content"]
        assert line["score"] == rlgym.score(from_task_json(task_jsons[line["prompt"][0]["content"]]), completion).value
    assert run["trainer"].state.global_step == 3
    record("trl", "trl", example="the page's code ran 3 steps of GRPOTrainer; the reward column is that of rlgym.score")


def test_the_tutorial_trains_and_measures(tmp_path, monkeypatch, capsys):
    text = (Path(__file__).parents[2] / "docs" / "tutorials" / "grpo-with-trl.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    tiny(tmp_path / "model", TEMPLATE)
    Path("tutorial.py").write_text("\n".join(blocks))
    run = runpy.run_path("tutorial.py")
    printed = capsys.readouterr().out
    assert re.search(r"^```text\n(.*?)\n```", text, re.DOTALL | re.MULTILINE)[1] in printed
    assert run["trainer"].state.global_step == 3
    assert 0.0 <= run["metrics"]["eval_rewards/score/mean"] <= 1.0


@pytest.mark.parametrize("asynchronous", [False, True])
def test_the_trainer_pays_what_scoring_pays(tmp_path, record, asynchronous):
    """Every case of one turn as a completion of a real step, where a rollout_func says what the case says; long ones by hand."""
    model, tokenizer = tiny(tmp_path / "model", TEMPLATE, width=16)
    report, paid = {}, {}
    for case in cases(False):
        report.setdefault(case.row["messages"][0]["content"], []).append(case)
    chosen = [group[0].row for group in report.values() if max(len(case.response) for case in group) <= 150][:120]

    def scripted(prompts, trainer):
        response = [[case.response for case in report[prompt[0]["content"]]] for prompt in prompts[::4]]
        ids = [tokenizer(text)["input_ids"] + [tokenizer.eos_token_id] for group in response for text in group]
        # The loss is not what is tested: a short prompt keeps the step short.
        return {"prompt_ids": [[5]] * len(ids), "completion_ids": ids, "logprobs": None}

    config = settings(tmp_path, per_device_train_batch_size=60, gradient_accumulation_steps=8, max_completion_length=256)
    reward = reward_function(workers=4, asynchronous=asynchronous)
    trl.GRPOTrainer(model, reward, config, tasks_of(chosen), processing_class=tokenizer, rollout_func=scripted).train()
    for line in seen(tmp_path):
        paid[line["prompt"][0]["content"], line["completion"][0]["content"]] = line["score"]
    assert len(paid) > 400
    for case in cases(False):
        value = paid.get((case.row["messages"][0]["content"], case.response))
        if value is None:
            [value] = score([[{"role": "assistant", "content": case.response}]], [to_task_json(case.row)])
        assert value == pytest.approx(case.score, abs=1e-6), (case.row["id"], case.kind)
    record("trl", "trl", single=f"GRPOTrainer's reward column equals rlgym.score for {len(paid)} responses to {len(chosen)} tasks")


class Scripted:
    """Says the turns of given cases, whatever the order in which the live episodes are asked."""

    def __init__(self, tokenizer, given):
        self.tokenizer, self.given, self.contexts = tokenizer, given, None

    def __call__(self, trainer, contexts, most):
        if self.contexts is None:
            self.contexts = [(context, case, 0) for context, case in zip(contexts, self.given, strict=True)]
        else:
            found = []
            for context in contexts:
                place = next(at for at, (before, _, _) in enumerate(self.contexts) if context[: len(before)] == before)
                _, case, turn = self.contexts.pop(place)
                found.append((context, case, turn + 1))
            self.contexts = found
        response = [self.tokenizer(case.response[turn])["input_ids"] + [self.tokenizer.eos_token_id] for _, case, turn in self.contexts]
        self.contexts = [(context + ids, case, turn) for (context, case, turn), ids in zip(self.contexts, response)]
        return response


def test_conversations_pay_what_scoring_pays(tmp_path, record):
    """Every case of many turns through the rollout_func of a real trainer."""
    model, tokenizer = tiny(tmp_path / "model", CHATML)
    given = cases(True)
    tasks = tasks_of(rows(True))
    config = settings(tmp_path, max_completion_length=10**6)
    rollout = Rollout(tasks, generate=Scripted(tokenizer, given))
    trainer = trl.GRPOTrainer(model, score, config, tasks, processing_class=tokenizer, rollout_func=rollout)
    out = rollout([case.row["messages"] for case in given], trainer)
    assert score([None] * len(given), [to_task_json(case.row) for case in given], played=out["played"]) == [case.score for case in given]
    for case, before, ids, mask in zip(given, out["prompt_ids"], out["completion_ids"], out["env_mask"], strict=True):
        session = Session(case.row)
        for turn in case.response:
            if not session.done:
                session.step(turn)
        own = tokenizer.decode([token for token, ours in zip(ids, mask, strict=True) if ours])
        assert own == "".join(f"{message['content']}<|im_end|>" for message in session.messages if message["role"] == "assistant")
        full = tokenizer.apply_chat_template(session.messages, tokenize=False)
        assert tokenizer.decode(before + ids) == full.removesuffix("\n")
    record(
        "trl", "trl", scored=len(given), agreement=f"equal for {len(cases(False))} responses of one turn and {len(given)} episodes of many"
    )


def test_conversations_train_with_the_models_own_samples(tmp_path):
    model, tokenizer = tiny(tmp_path / "model", TEMPLATE)
    tasks = dataset("higher_lower", 4, levels=[0.0])
    config = settings(tmp_path / "out", max_steps=2, max_completion_length=400, temperature=0.3)
    lively = Qwen3ForCausalLM.generate

    def short(self, *given, max_new_tokens, **more):
        return lively(self, *given, max_new_tokens=min(8, max_new_tokens), **more)

    model.generate = short.__get__(model)
    trainer = trl.GRPOTrainer(model, score, config, tasks, processing_class=tokenizer, rollout_func=Rollout(tasks))
    before = [weight.detach().clone() for weight in model.parameters()]
    trainer.train()
    lines = seen(tmp_path / "out")
    assert len(lines) == 8
    assert {line["score"] for line in lines} == {0.0}
    assert all("could not be read" in line["completion"][0]["content"] for line in lines)
    assert len(before) == len(list(model.parameters()))


def test_what_is_not_the_models_fault_is_left_out(tmp_path):
    model, tokenizer = tiny(tmp_path / "model", TEMPLATE)
    tasks = dataset("chain_sum", 4)

    def scripted(prompts, trainer):
        ids = tokenizer("<answer>1</answer>")["input_ids"] + [tokenizer.eos_token_id]
        return {"prompt_ids": [[5]] * len(prompts), "completion_ids": [ids] * len(prompts), "logprobs": None}

    trainer = trl.GRPOTrainer(model, score, settings(tmp_path / "out"), tasks, processing_class=tokenizer, rollout_func=scripted)
    with broken_verifier("chain_sum"):
        trainer.train()
    for line in seen(tmp_path / "out"):
        assert line["score"] is None
        assert line["advantage"] == 0
    created = environments("higher_lower")["higher_lower"]()
    row = next(iter(sample("higher_lower", 1)))
    created.reset(task_json=to_task_json(row))
    with broken_verifier("higher_lower"):
        created.respond(response=Session(row).oracle())
    assert created.get_reward() is None


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_task_json_is_refused(row, identity):
    with pytest.raises(RowError, match=identity):
        score([[{"role": "assistant", "content": "1"}]], [json.dumps(row)])
    with pytest.raises(RowError, match=identity):
        environments("higher_lower")["higher_lower"]().reset(task_json=json.dumps(row))


def test_many_turns_are_not_scored_as_one():
    row = next(iter(sample("higher_lower", 1)))
    with pytest.raises(ValueError, match="many turns"):
        score(["<answer>1</answer>"], [to_task_json(row)])


@pytest.mark.parametrize("layout", ["sft", "dpo"])
def test_sft_and_dpo_take_a_step(tmp_path, layout):
    _, tokenizer = tiny(tmp_path / "model", TEMPLATE)
    tasks = dataset(["chain_sum", "higher_lower"], 8, levels=[0.0], layout=layout)
    given = {"output_dir": str(tmp_path), "max_steps": 1, "per_device_train_batch_size": 2, "report_to": "none", "save_strategy": "no"}
    config, created = {"sft": (trl.SFTConfig, trl.SFTTrainer), "dpo": (trl.DPOConfig, trl.DPOTrainer)}[layout]
    trainer = created(
        str(tmp_path / "model"), args=config(use_cpu=True, disable_tqdm=True, **given), train_dataset=tasks, processing_class=tokenizer
    )
    assert trainer.train().training_loss > 0
