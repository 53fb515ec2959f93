"""Models, engines and configurations of the transformers backend that several test modules use."""

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from rlgym.train.config.sections import ModelConfig
from rlgym.train.model.backend import load_policy_model

KINDS = ("gemma3", "qwen3_moe", "gpt2", "phi")


def load(folder, backend="transformers", **more):
    return load_policy_model(ModelConfig(path=str(folder), backend=backend), **more)


def generate(engine, requests):
    for key, (prompt, sampling) in enumerate(requests):
        engine.submit(key, prompt, sampling)
    done = {}
    while engine.pending:
        done |= dict(engine.step())
    return [done[key] for key in range(len(requests))]


def configuration(folder, out, **more):
    given = {
        "model": {"path": str(folder), "backend": "transformers"},
        "output_dir": str(out),
        "seed": 1,
        "tasks": [{"names": ["chain_sum"]}],
        "steps": 2,
        "rollout": {"groups_per_step": 2, "group_size": 3, "max_new_tokens": 8, "max_seq_len": 250, "engine_options": {"max_num_seqs": 6}},
        "update": {"lr": 1e-3, "warmup_steps": 0, "tokens_per_micro_batch": 2000},
        "algorithm": {"filter_zero_std": False, "advantage": "dr_grpo", "kl_coef": 0.01, "entropy_coef": 0.1},
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 1},
        "checkpoints": {"every_steps": 1, "keep_last": 9},
        "compute": {"device": "cpu", "cpu_threads": 1},
    }
    return given | more
