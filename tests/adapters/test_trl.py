"""TRL's own trainers on a tiny model: rewards are ours, whoever plays."""

from __future__ import annotations

import json
import os
import re
import runpy
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs trl")
pytest.importorskip("torch", reason="needs torch")

import pyarrow.parquet as pq
import torch
import trl
from adapters.agreement import WORLDS, cases, damaged, page, rows
from adapters.planted import broken_verifier
from adapters.tiny import CHATML, tiny
from transformers import Qwen3ForCausalLM

import rlgym
from rlgym.adapters.trl import OwnTasks, Rollout, dataset, environments, reward_function, score
from rlgym.core.errors import RowError
from rlgym.dataset import Session, from_task_json, sample, to_task_json
from rlgym.dataset.layouts import LAYOUTS

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:.*experimental feature.*:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*pin_memory.*:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*lr_scheduler.*:UserWarning"),
]
TEMPLATE = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text(encoding="utf-8")
os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"


def settings(folder, **more):
    given = {"max_steps": 1, "per_device_train_batch_size": 4, "num_generations": 4, "max_completion_length": 32, "log_completions": True}
    given |= {
        "report_to": "none",
        "save_strategy": "no",
        "use_cpu": True,
        "disable_tqdm": True,
        "logging_steps": 1,
        "num_completions_to_print": 0,
    }
    return trl.GRPOConfig(output_dir=str(folder), **given | more)


def seen(folder):
    """What the trainer wrote down of its completions, step by step."""
    files = sorted((Path(folder) / "completions").glob("*.parquet"))
    return [line for file in files for line in pq.read_table(file).to_pylist()]


@cache
def by_prompt():
    return {row["messages"][0]["content"]: row for row in rows()}


def tasks_of(chosen):
    from datasets import Dataset

    return Dataset.from_list([record for row in chosen for record in LAYOUTS["trl"](row)])


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


class CallsTools(Qwen3ForCausalLM):
    """Calls tools as a script says; the first half of a group follows the oracle, the other breaks off."""

    script = None

    def generate(self, input_ids, attention_mask, **given):
        text = [self.script(ids[mask.bool()]) for ids, mask in zip(input_ids, attention_mask, strict=True)]
        width = max(map(len, text))
        pad = self.config.pad_token_id
        return torch.cat([input_ids, torch.tensor([ids + [pad] * (width - len(ids)) for ids in text])], 1)


def calls_of(row):
    """The calls with which the oracle plays a row."""
    session, calls = Session(row), []
    tools = session.tools
    while not session.done:
        response = session.oracle()
        if tools:
            inside = response.partition("<answer>")[2].partition("</answer>")[0]
            request = [json.loads(line) for line in inside.strip().split("\n")]
            calls += [{"name": call["tool"], "arguments": call.get("arguments", {})} for call in request]
        else:
            calls.append({"name": "respond", "arguments": {"response": response}})
        session.step(response)
    return calls


@pytest.mark.parametrize("names", [("calculator_and_lookup", "maze_walk", "chain_sum"), WORLDS[1:]], ids=["mixed", "worlds"])
def test_tools_are_called_by_the_trainer(names, tmp_path, record):
    """TRL's own loop of tool calls plays tool environments, a game, and a single-turn task in one run."""
    chosen = {name: next(iter(sample(name, 1, levels=[0.0]))) for name in names}
    scripts = {row["prompt"].split("\n")[0][:60]: (row, [] if name == "chain_sum" else calls_of(row)) for name, row in chosen.items()}
    plain, tokenizer = tiny(tmp_path / "model", TEMPLATE, width=16, context=65536)
    model = CallsTools(plain.config)
    request = {}

    def script(ids):
        text = tokenizer.decode(ids)
        row, calls = next(found for start, found in scripts.items() if start in text)
        turn = text.count("<tool_response>")
        if not turn:
            request[row["id"]] = request.get(row["id"], 0) + 1
        if not calls:
            response = row["oracle_response"] if request[row["id"]] % 2 else "I do not know."
        elif (not turn and request[row["id"]] % 2 == 0) or turn >= len(calls):
            response = "I give up."
        else:
            response = f"<tool_call>\n{json.dumps(calls[turn])}\n</tool_call>"
        return tokenizer(response)["input_ids"] + [tokenizer.eos_token_id]

    model.script = script
    config = settings(tmp_path / "out", per_device_train_batch_size=2 * len(names), num_generations=2, max_completion_length=8000)
    trainer = trl.GRPOTrainer(
        model, score, config, tasks_of(chosen.values()), processing_class=tokenizer, environment_factory=environments(names)
    )
    trainer.train()
    lines = seen(tmp_path / "out")
    assert len(lines) == 2 * len(names)
    paid = {name: sorted(line[column] for line in lines if line[column] is not None) for name, column in columns(names).items()}
    assert paid == {name: [0, 1] for name in names}
    record("trl", "trl", many="GRPOTrainer's environment_factory and rollout_func played whole episodes", tools="TRL's loop of tool calls")


class Answers(CallsTools):
    """Calls `respond` with the oracle's response, or with nonsense for every second completion."""


def test_environments_own_their_tasks(tmp_path, record):
    """A GRPOTrainer without a dataset: the members of a group share a task, groups and steps have other ones."""
    plain, tokenizer = tiny(tmp_path / "model", TEMPLATE)
    model = Answers(plain.config)
    config = settings(tmp_path / "out", max_steps=2, per_device_train_batch_size=6, num_generations=3, max_completion_length=8000)
    own = OwnTasks(["chain_sum", "gcd_lcm"], config, levels=[0.0], split="train", seed=5)
    rows = {row["messages"][0]["content"]: row for row in map(own.stream.row, range(8))}
    calls = []

    def script(ids):
        text = tokenizer.decode(ids)
        if "<tool_response>" in text:
            return tokenizer("Done.")["input_ids"] + [tokenizer.eos_token_id]
        row = next(row for prompt, row in rows.items() if prompt in text)
        calls.append(row["id"])
        said = Session(row).oracle() if len(calls) % 2 else "I do not know."
        call = {"name": "respond", "arguments": {"response": said}}
        return tokenizer(f"<tool_call>\n{json.dumps(call)}\n</tool_call>")["input_ids"] + [tokenizer.eos_token_id]

    model.script = script
    trl.GRPOTrainer(model, args=config, processing_class=tokenizer, environment_factory=own).train()
    lines = seen(tmp_path / "out")
    ids = [row["id"] for row in rows.values()]
    assert calls == [ids[k] for k in (0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3)]
    assert [line["rlgym"] for line in lines] == [1, 0] * 6
    assert own.state_dict() == {"batches": 2}
    resumed = OwnTasks(["chain_sum", "gcd_lcm"], config, levels=[0.0], split="train", seed=5)
    resumed.load_state_dict({"batches": 2})
    players = [resumed() for _ in range(6)]
    prompts = [player.reset(prompt=[]) for player in players]
    assert [prompt.startswith(list(rows)[k]) for prompt, k in zip(prompts, (4, 4, 4, 5, 5, 5), strict=True)] == [True] * 6
    record("trl", "trl", own="GRPOTrainer without a dataset; groups share their task")


def test_the_page_trains_without_a_dataset(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain, tokenizer = tiny(tmp_path / "model", TEMPLATE)
    plain.save_pretrained("model")
    tokenizer.save_pretrained("model")
    code = page("trl", 2)
    assert "OwnTasks(" in code
    Path("page.py").write_text(code)
    given = runpy.run_path("page.py", {"GRPOTrainer": trl.GRPOTrainer, "config": settings(tmp_path / "out", max_completion_length=16)})
    given["trainer"].train()
    assert given["own"].state_dict() == {"batches": 1}
    assert len(seen(tmp_path / "out")) == 4


def test_a_tool_environment_that_owns_its_tasks_has_its_own_tools(tmp_path):
    config = settings(tmp_path)
    player = OwnTasks("calculator_and_lookup", config, levels=[0.0])()
    assert hasattr(player, "submit")
    assert not hasattr(player, "respond")
    with pytest.raises(ValueError, match="no column 'task_json'"):
        environments("calculator_and_lookup")["calculator_and_lookup"]().reset()


def test_an_endless_dataset_trains(tmp_path):
    model, tokenizer = tiny(tmp_path / "model", TEMPLATE)
    tasks = dataset(["chain_sum"], levels=[0.0], seed=2)
    trl.GRPOTrainer(model, score, settings(tmp_path / "out", max_steps=2), tasks, processing_class=tokenizer).train()
    lines = seen(tmp_path / "out")
    assert len(lines) == 8
    assert len({line["prompt"][0]["content"] for line in lines}) == 2
    with pytest.raises(ValueError, match="endless datasets"):
        dataset("chain_sum", layout="sft")


def test_pictures_are_in_the_columns_of_vision_trainers(tmp_path):
    pytest.importorskip("resvg_py", reason="needs resvg-py")
    from trl.data_utils import prepare_multimodal_messages

    for tasks in (list(dataset("sudoku", 3, levels=[0.2], image_size=96)), list(dataset("sudoku", levels=[0.2], image_size=96).take(3))):
        images = [task["images"][0] for task in tasks]
        assert {image.size for image in images} == {(96, 96)}
        assert len({image.tobytes() for image in images}) == 3
        [message] = prepare_multimodal_messages(tasks[0]["prompt"], images=tasks[0]["images"])
        assert [part["type"] for part in message["content"]] == ["image", "text"]
        oracle = Session(from_task_json(tasks[0]["task_json"])).oracle()
        assert score([oracle], [tasks[0]["task_json"]]) == [1]
    assert [task["images"] for task in dataset("chain_sum", 2, image_size=96)] == [[], []]
    player = OwnTasks("snake_text", settings(tmp_path), image_size=64, levels=[0.2])()
    shown = player.reset(prompt=[])
    assert [part["type"] for part in shown] == ["image", "text"]
    after = player.respond(response=player._session.oracle())
    assert after[0]["image"].tobytes() != shown[0]["image"].tobytes()


def columns(names):
    return {name: "score" if name == "chain_sum" else name for name in names}


def test_transformers_reads_every_tool():
    """The schemas that a model is shown are made of the methods; they must ask for the same."""
    from transformers.utils import get_json_schema

    created, read = environments("all"), 0
    for name in rlgym.names():
        declared = rlgym.environment(name)
        if declared.kind == "environment" or not hasattr(declared.answer, "schemas"):
            continue
        for tool in declared.answer.schemas():
            request = tool["function"]
            report = get_json_schema(getattr(created[name](), request["name"]))["function"]
            assert report["description"] == request["description"]
            assert list(report["parameters"]["properties"]) == list(request["parameters"]["properties"])
            assert report["parameters"].get("required", []) == request["parameters"].get("required", [])
            for field, facts in request["parameters"]["properties"].items():
                assert report["parameters"]["properties"][field]["type"] == facts["type"], (name, request["name"], field)
            read += 1
    assert read > 20


def test_played_by_tools_episodes_pay_what_scoring_pays():
    created = environments(sorted({case.row["env"] for case in cases(True)}))
    compared = 0
    for name, create in environments(WORLDS).items():
        row, player = next(iter(sample(name, 1, levels=[0.2]))), create()
        player.reset(task_json=to_task_json(row), prompt=[], id=row["id"])
        for call in calls_of(row):
            getattr(player, call["name"])(**call["arguments"])
        assert player.get_reward() == 1, row["id"]
    for case in cases(True):
        player = created[case.row["env"]]()
        player.reset(task_json=to_task_json(case.row), prompt=[], id=case.row["id"])
        if not Session(case.row).tools:
            for turn in case.response:
                player.respond(response=turn)
            assert player.get_reward() == case.score, (case.row["id"], case.kind)
        elif case.kind == "oracle":
            for call in calls_of(case.row):
                getattr(player, call["name"])(**call["arguments"])
            assert player.get_reward() == 1, case.row["id"]
        compared += 1
    assert compared == 140


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
