"""The toy size of a recipe: a small model from scratch, one easy environment and a few steps, on a CPU in a minute or two.

It shows that a recipe runs, learns something and resumes. Lengths and steps that a recipe relates to each other keep their proportions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import rlgym
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.model import checkpoint
from rlgym.train.recipes.recipe import Recipe

STEPS = 3
MEASURE_STEPS = 2
COMPARED_SAMPLES = 16
"""Most samples of a task in a comparison of models."""
SFT_STEPS = 20
LR = 5e-5
GROUPS, GROUP_SIZE = 8, 8
NUM_LAYERS, HIDDEN_SIZE = 2, 64
VOCAB_SIZE = 512
TOKENIZER_TASKS = 150
CONFIDENCE = "brier_penalty"
SECOND_LEVEL, MAX_LEVEL = 0.02, 0.1

FIXED: dict[str, dict[str, Any]] = {
    "scoring": {"num_workers": 0},
    "evaluation": {"every_steps": 0, "tasks_per_level": 8, "samples_per_task": 1, "levels": []},
    "checkpoints": {"every_steps": 1, "keep_last": 2},
    "log": {"transcripts_per_step": 1, "tensorboard": False, "wandb_project": "", "trackio_project": ""},
    "compute": {
        "device": "cpu",
        "dtype": "float32",
        "cpu_threads": 1,
        "gradient_checkpointing": False,
        "compile": False,
        "engine_sleep": False,
    },
}
"""Fields that are the same in every toy run."""


def toy_config(recipe: Recipe, config: Config) -> Config:
    """The configuration of a stage at the toy size."""
    data = config.model_dump(mode="json")
    stages = [recipe.stage_config(stage, "model", "run") for stage in recipe.stages]
    tokens = recipe.toy.max_new_tokens / max(stage.rollout.max_new_tokens for stage in stages)
    lr = LR / max(stage.update.lr for stage in stages)
    steps = min(1.0, STEPS / config.steps) if config.steps else 1.0
    data["tasks"] = [_toy_part(part, number, recipe) for number, part in enumerate(data["tasks"])]
    data["steps"] = min(config.steps, STEPS)
    if data["sft"]:
        data["sft"] |= {"steps": min(data["sft"]["steps"], SFT_STEPS), "batch_size": 16, "lr": 1e-3, "warmup_steps": 2}
    data["rollout"] = _toy_rollout(data["rollout"], tokens) | {"max_seq_len": recipe.toy.max_seq_len}
    data["algorithm"] = _toy_algorithm(_scale_options(data["algorithm"], tokens, steps), data["rollout"]["group_size"])
    update = data["update"]
    data["update"] |= {
        "lr": lr * update["lr"],
        "warmup_steps": 0,
        "num_minibatches": min(update["num_minibatches"], 2),
        "num_epochs": min(update["num_epochs"], 2),
        "tokens_per_micro_batch": 4096,
        "optimizer": "adamw",
    }
    for section, fields in FIXED.items():
        data[section] |= fields
    if any(isinstance(part["levels"], dict) and part["levels"]["rule"] == "step_up" for part in data["tasks"]):
        data["evaluation"]["every_steps"] = 1
    return Config.from_dict(data)


def has_learning_signal(folder: Path) -> bool:
    """Whether in some step of reinforcement learning rewards that are compared differed, and the step moved the weights.

    Rewards are compared within a group; where groups are of one, within the step.
    """
    file = folder / "config.json"
    alone = file.exists() and json.loads(file.read_text(encoding="utf-8"))["rollout"]["group_size"] == 1
    steps = [line for line in read_lines(folder / "metrics.jsonl") if line.get("phase") != "sft"]
    return any((0 < step["solve_rate"] < 1 if alone else step["groups_zero_std"] < 1) and step.get("grad_norm", 0) > 0 for step in steps)


def _toy_part(part: dict[str, Any], number: int, recipe: Recipe) -> dict[str, Any]:
    """A part of the mixture as tasks of the toy environment; the parts after the first are a little harder."""
    levels = part["levels"]
    if isinstance(levels, dict):
        levels = levels | {"start_level": 0.0, "min_level": 0.0, "max_level": MAX_LEVEL, "window": min(levels["window"], 4)}
    else:
        first = SECOND_LEVEL * min(number, 1)
        levels = [first, first + SECOND_LEVEL] if len(levels) > 1 else [first]
    recorded = part["recorded"]
    if recorded:
        # Nothing is dropped but what is always or never solved: a toy run cannot promise tasks within a narrow band.
        recorded = recorded | {"low": 0.05, "high": 0.95, "min_samples": 1, "count": min(recorded["count"], GROUPS)}
        recorded |= {"with_knobs": {}, "play_with": {}}
    return part | {
        "names": [recipe.toy.name],
        "knobs": {} if recorded else dict(recipe.toy.knobs),
        "levels": levels,
        "num_tasks": min(part["num_tasks"], GROUPS),
        "recorded": recorded,
    }


def _toy_rollout(rollout: dict[str, Any], tokens: float) -> dict[str, Any]:
    segment, group_size = rollout["segment_tokens"], min(rollout["group_size"], GROUP_SIZE)
    branching = rollout["branching"] and rollout["branching"] | {"initial_rollouts": max(1, group_size // 2)}
    return rollout | {
        "branching": branching,
        "groups_per_step": min(rollout["groups_per_step"], GROUPS) if rollout["group_size"] > 1 else GROUPS * GROUP_SIZE // 2,
        "group_size": group_size,
        "max_new_tokens": max(8, round(tokens * rollout["max_new_tokens"])),
        "segment_tokens": max(4, round(tokens * segment)) if segment else 0,
        "async_steps": min(rollout["async_steps"], 1),
        "engine": "native",
        "engine_options": {"max_num_seqs": GROUPS * GROUP_SIZE},
        "chat_template_kwargs": {},
    }


def _toy_algorithm(algorithm: dict[str, Any], group_size: int) -> dict[str, Any]:
    changes: dict[str, Any] = {"dynamic_sampling_rounds": min(algorithm["dynamic_sampling_rounds"], 2)}
    if algorithm["max_group_size"]:
        changes["max_group_size"] = 2 * group_size
    if algorithm["token_rewards"]:
        small = {"continuations": 2, "max_prefixes": 4, "continuation_tokens": 12, "best_of": min(algorithm["token_rewards"]["best_of"], 2)}
        changes["token_rewards"] = algorithm["token_rewards"] | small
    if judged := algorithm["judge_training"]:
        changes["judge_training"] = judged | {"updates": min(judged["updates"], 10), "batch_size": min(judged["batch_size"], GROUP_SIZE)}
    if proposer := algorithm["proposer"]:
        fewer = {"prompts": min(proposer["prompts"], GROUPS), "group_size": min(proposer["group_size"], GROUP_SIZE)}
        changes["proposer"] = proposer | fewer | {"attempts": min(proposer["attempts"], GROUP_SIZE)}
    return algorithm | changes


def _scale_options(options: Any, tokens: float, steps: float, name: str = "") -> Any:
    """The options with lengths and numbers of steps in proportion to the toy size; 0, which stands for off, stays."""
    if isinstance(options, dict):
        return {key: _scale_options(value, tokens, steps, key) for key, value in options.items()}
    if isinstance(options, list):
        return [_scale_options(value, tokens, steps) for value in options]
    if isinstance(options, bool) or not isinstance(options, int | float) or not options:
        return options
    if name.endswith(("_tokens", "_characters")):
        return max(1, round(options * tokens))
    return max(1, round(options * steps)) if name.endswith("_steps") else options


def make_toy_model(recipe: Recipe, folder: Path, seed: int, callback: ProgressCallback) -> Path:
    """A small model after SFT on the toy environment, at about the solve rate from which reinforcement learning learns; kept if it exists."""
    from rlgym.train.model.pretrained import make_model
    from rlgym.train.model.tokenizer import make_tokenizer
    from rlgym.train.run import Run
    from rlgym.train.sft.train import run_sft

    if (folder / "finished").exists():
        return checkpoint.last_model(folder / "run")
    start = folder / "start"
    if not (start / "config.json").is_file():
        make_tokenizer(start, _texts(recipe), vocab_size=VOCAB_SIZE, multi_word_tokens=True)
        make_model(start, num_layers=NUM_LAYERS, hidden_size=HIDDEN_SIZE, max_seq_len=recipe.toy.max_seq_len, seed=seed)
    run = Run.open(start_config(recipe, start, folder / "run", seed))
    try:
        if run.phase == "sft":
            callback.on_phase_start("sft", recipe.toy.sft_steps, run.step)
            run_sft(run, callback)
    finally:
        run.close()
    (folder / "finished").touch()
    return checkpoint.last_model(folder / "run")


def start_config(recipe: Recipe, start: Path, output_dir: Path, seed: int) -> Config:
    """SFT on the tasks of the first stage, half of it with the working."""
    first = toy_config(recipe, recipe.stage_config(recipe.stages[0], start, output_dir, seed))
    data = first.model_dump(mode="json") | {"steps": 0, "pass_rates": None, "second_models": {}, "model": {"path": str(start)}}
    # A reward that reads a stated confidence also asks for it in the prompt.
    data["algorithm"] = {
        "reward_shaping": {name: given for name, given in data["algorithm"]["reward_shaping"].items() if name == CONFIDENCE}
    }
    data["tasks"] = [part | {"recorded": None, "num_tasks": 0, "knobs": dict(recipe.toy.knobs)} for part in data["tasks"]]
    data["checkpoints"] |= {"every_steps": 100}
    data["sft"] = {"steps": recipe.toy.sft_steps, "batch_size": 32, "lr": 3e-3, "warmup_steps": 10, "explanation_fraction": 0.5}
    if first.algorithm.proposer is not None:
        data["sft"]["proposals_fraction"] = 0.5
    data["task_sampling"], data["task_sampling_options"] = "uniform", {}
    # The default advantage compares rollouts of a task, also where the recipe's own has no groups.
    data["rollout"] |= {"async_steps": 0, "segment_tokens": 0, "group_size": max(2, data["rollout"]["group_size"])}
    return Config.from_dict(data)


def _texts(recipe: Recipe) -> list[str]:
    """Prompts and explained answers of the toy environment, on which the tokenizer is trained."""
    from rlgym.train.sft.data import explanation

    env = rlgym.make(recipe.toy.name, level=0.0, **dict[str, Any](recipe.toy.knobs))
    out: list[str] = []
    for seed in range(TOKENIZER_TASKS):
        observation, _ = env.reset(seed=seed)
        over = False
        while not over:
            response = f"{explanation(env)}{env.oracle()}"
            out += [observation, response]
            observation, _, over, _, _ = env.step(response)
    return out
