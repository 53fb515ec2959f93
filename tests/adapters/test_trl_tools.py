"""TRL plays our environments with its own loop of tool calls: it gives the rewards that we give."""

from __future__ import annotations

import json
import os
import runpy
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs trl")
pytest.importorskip("torch", reason="needs torch")

import trl
from adapters.agreement import WORLDS, cases, page
from adapters.tiny import tiny
from adapters.trl_runs import TEMPLATE, CallsTools, calls_of, seen, settings, tasks_of

import rlgym
from rlgym.adapters.trl import OwnTasks, dataset, environments, score
from rlgym.dataset import Session, from_task_json, sample, to_task_json

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:.*experimental feature.*:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*pin_memory.*:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*lr_scheduler.*:UserWarning"),
]
os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"


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

    read = 0
    for name, create in environments("all").items():
        declared = rlgym.environment(name)
        if declared.kind == "environment" or not hasattr(declared.answer, "schemas"):
            continue
        for tool in declared.answer.schemas():
            request = tool["function"]
            report = get_json_schema(getattr(create(), request["name"]))["function"]
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
