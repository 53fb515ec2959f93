"""Examples in which one model plays several agents."""

import re

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.train.config.agents import AgentsConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.setup import task_settings
from rlgym.train.sft.agents import NOTED
from rlgym.train.sft.data import SftData, build_example
from rlgym.train.tasks.spec import TaskSettings, TaskSpec
from rlgym.train.validate.config import check_config

NAME = "calculator_and_lookup"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, max_seq_len=20_000, num_layers=1, hidden_size=32)
    return folder


def config(model, out, agents, name=NAME, **sft):
    return Config.from_dict(
        {
            "model": str(model),
            "output_dir": str(out),
            "tasks": [{"names": [name], "levels": [0.0]}],
            "steps": 0,
            "sft": {"steps": 1, "batch_size": 2, "warmup_steps": 0, "agents": agents} | sft,
            "rollout": {"groups_per_step": 1, "group_size": 2, "max_new_tokens": 4, "max_seq_len": 18_000},
            "update": {"tokens_per_micro_batch": 40_000},
            "evaluation": {"tasks_per_level": 1},
            "compute": {"device": "cpu", "cpu_threads": 1},
        }
    )


def turns_of(chat, example):
    """The texts of the example in order: what the policy reads and what it writes."""
    texts, kinds = [], []
    for token, mine in zip(example.tokens, example.loss_mask, strict=True):
        if not kinds or kinds[-1] != mine:
            kinds.append(mine)
            texts.append([])
        texts[-1].append(token)
    return [(mine, chat.decode(tokens)) for mine, tokens in zip(kinds, texts, strict=True)]


def test_agents_speak_between_their_tags_before_each_action_and_results_are_masked(model):
    chat = Chat(load_tokenizer(model))
    example = build_example(chat, TaskSpec(NAME, 0.3, 1, "train"), TaskSettings(0, 0.1), True, agents=AgentsConfig())
    turns = turns_of(chat, example)
    said, read = [text for mine, text in turns if mine], [text for mine, text in turns if not mine]
    assert len(said) == example.turns >= 2
    assert [re.findall(r"<(plan|reflection|think)>\n.+?\n</\1>", text, re.DOTALL) for text in said] == [
        ["plan", "think"],
        *[["reflection", "think"]] * (len(said) - 1),
    ]
    assert all("<plan>" not in text and "<think>" not in text for text in read)
    for text, result in zip(said[1:], read[1:], strict=True):
        quoted = re.search(r"<reflection>\nThe last action returned: (.+)\n</reflection>", text)[1]
        assert quoted in result, "a reflection quotes what the agent has read"
    env = rlgym.make(NAME, level=0.3)
    env.reset(seed=1)
    assert example.turns == len(said)


def test_a_slip_is_noted_and_made_up_for_and_is_not_imitated(model):
    chat = Chat(load_tokenizer(model))
    settings, agents = TaskSettings(0, 0.1), AgentsConfig(slip_fraction=1.0)
    example = build_example(chat, TaskSpec(NAME, 0.3, 1, "train"), settings, True, agents=agents)
    plain = build_example(chat, TaskSpec(NAME, 0.3, 1, "train"), settings, True, agents=AgentsConfig())
    turns = turns_of(chat, example)
    noted = [text for mine, text in turns if mine and NOTED in text]
    assert len(noted) == 1
    assert example.turns > plain.turns, "the mistake cost a turn, and the task was solved all the same"
    assert sum(mine for mine, _ in turns) == example.turns - 1, "the turn of the mistake carries no loss"
    assert any("<think>" in text for mine, text in turns if not mine)


def test_slips_come_in_any_turn(model):
    chat, found = Chat(load_tokenizer(model)), set()
    for index in range(8):
        task = TaskSpec(NAME, 0.6, index, "train")
        example = build_example(chat, task, TaskSettings(0, 0.1), True, agents=AgentsConfig(slip_fraction=1.0))
        said = [text for mine, text in turns_of(chat, example) if mine]  # the slip itself is not among them
        found |= {place for place, text in enumerate(said) if NOTED in text}
    assert len(found) > 1, "not always after the first action"


def test_only_the_chosen_agents_speak(model):
    chat = Chat(load_tokenizer(model))
    example = build_example(chat, TaskSpec(NAME, 0.0, 1, "train"), TaskSettings(0, 0.1), True, agents=AgentsConfig(roles=("plan",)))
    said = [text for mine, text in turns_of(chat, example) if mine]
    assert said[0].startswith("<plan>")
    assert not any("<think>" in text or "<reflection>" in text for text in said)


def test_a_run_warms_up_on_agents_and_short_tasks_are_left_out(model, tmp_path):
    chosen = config(model, tmp_path / "run", {"min_turns": 2})
    data = SftData(chosen, Chat(load_tokenizer(model)), task_settings(chosen))
    assert all(example.turns >= 2 for step in range(3) for example in data.batch(step))
    train(chosen)
    assert read_lines(tmp_path / "run" / "metrics.jsonl")[0]["phase"] == "sft"
    short = config(model, tmp_path / "none", {"min_turns": 2}, name="chain_sum")
    with pytest.raises(RlgymError, match=r"fewer turns than sft\.agents\.min_turns"):
        SftData(short, Chat(load_tokenizer(model)), task_settings(short)).batch(0)


def test_a_mistake_that_no_reflection_would_note_is_refused(model, tmp_path):
    with pytest.raises(TrainError, match=r"add 'reflection' to sft\.agents\.roles"):
        check_config(config(model, tmp_path / "run", {"roles": ["plan", "think"], "slip_fraction": 0.2}))


@pytest.mark.parametrize("other", [{"traces": {"behaviours": ["backtracking"]}}, {"rollouts": "somewhere"}, {"explanation_fraction": 0.5}])
def test_agents_do_not_go_with_other_texts(model, tmp_path, other):
    with pytest.raises(TrainError, match=f"sft.agents does not support sft.{next(iter(other))}"):
        check_config(config(model, tmp_path / "run", {}, **other))
