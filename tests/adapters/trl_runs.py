"""What the tests of TRL's trainers share: settings, scripted models, and the tasks in the trainer's columns."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import torch
import trl
from transformers import Qwen3ForCausalLM

from rlgym.dataset import Session
from rlgym.dataset.layouts import LAYOUTS

TEMPLATE = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text(encoding="utf-8")


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


def tasks_of(chosen):
    from datasets import Dataset

    return Dataset.from_list([record for row in chosen for record in LAYOUTS["trl"](row)])


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
