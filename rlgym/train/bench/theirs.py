"""TRL's side: GRPOTrainer on the same model, prompts and verdicts, as fast as its settings make it.

It trains on what it has just sampled (one update a step, no second pass for old log-probabilities), without checkpoints, logs,
gradient checkpointing or autocast that nobody asked for.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rlgym.core.errors import PackageMissing
from rlgym.train.bench.setting import Setting, Work, dealt
from rlgym.train.scoring import Job, Pick, Rules, do

INSTALL = "this comparison needs TRL: pip install 'rlvrgym[train,trl]'"


def installed() -> str:
    """The version of TRL. Raises PackageMissing, with what to install."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        import trl  # noqa: F401

        return version("trl")
    except (ImportError, PackageNotFoundError) as error:
        raise PackageMissing(f"{INSTALL} ({error})") from None


class Theirs:
    """TRL's trainer. It leads its own loop: `run` calls back after each step, between two readings of the clock."""

    def __init__(self, setting: Setting, folder: Path, tasks: list[list[Pick]], rules: Rules) -> None:
        self.setting, self.rules = setting, rules
        self.picks = [pick for step in tasks for pick in step]
        self.stands = [do(Job(place, pick, rules))[1] for place, pick in enumerate(self.picks)]
        self.work = Work()
        self.trainer = _trainer(self, folder)

    def judge(self, completions: list[Any], completion_ids: list[list[int]], task: list[int], **_: Any) -> list[float]:
        """TRL's reward function: the same verdicts as ours, then the same rewards by the text."""
        self.work.sampled += sum(map(len, completion_ids))
        texts = [completion[0]["content"] for completion in completions]
        for key, (place, text) in enumerate(zip(task, texts, strict=True)):
            do(Job(key, self.picks[place], self.rules, self.stands[place].snapshot, text))
        return [dealt(text) for text in texts]

    def run(self, after_step: Callable[[Work], None]) -> None:
        """Train to the end. The time that `after_step` takes belongs to no step."""
        from transformers import TrainerCallback

        begun = 0.0

        class Turns(TrainerCallback):
            def on_train_begin(callback, *args: Any, **kwargs: Any) -> None:
                nonlocal begun
                begun = time.perf_counter()

            def on_step_end(callback, *args: Any, **kwargs: Any) -> None:
                nonlocal begun
                work, self.work = self.work, Work()
                work.seconds = _now(self.setting) - begun
                work.parts["training"] = work.seconds - sum(work.parts.values())
                after_step(work)
                begun = time.perf_counter()

        self.trainer.add_callback(Turns())
        self.trainer.train()


def _now(setting: Setting) -> float:
    if setting.device == "cuda":
        import torch

        torch.cuda.synchronize()
    return time.perf_counter()


def _trainer(side: Theirs, folder: Path) -> Any:
    from datasets import Dataset
    from transformers import AutoTokenizer
    from transformers.trainer_callback import PrinterCallback, ProgressCallback
    from trl import GRPOTrainer

    class Counting(GRPOTrainer):
        """Notes how long its phases took, and the tokens that it carries a gradient through."""

        def _generate(self, *args: Any, **kwargs: Any) -> Any:
            return _timed(side, "sampling", super()._generate, *args, **kwargs)

        def _calculate_rewards(self, *args: Any, **kwargs: Any) -> Any:
            return _timed(side, "tasks and verdicts", super()._calculate_rewards, *args, **kwargs)

        def compute_loss(self, model: Any, inputs: Any, **kwargs: Any) -> Any:
            prompts, answers = inputs["prompt_mask"], inputs["completion_mask"]
            moving = inputs["advantages"].reshape(len(answers), -1)[:, :1] != 0
            side.work.trained += int((answers * moving).sum())
            side.work.read += int(prompts.sum()) + int(answers.sum())
            return super().compute_loss(model, inputs, **kwargs)

    rows = [{"prompt": [{"role": "user", "content": stand.observation}], "task": place} for place, stand in enumerate(side.stands)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer = Counting(
            model=str(folder / "model"),
            reward_funcs=side.judge,
            args=_arguments(side.setting, folder),
            train_dataset=Dataset.from_list(rows),
            processing_class=AutoTokenizer.from_pretrained(str(folder / "model"), padding_side="left"),
        )
    for talker in (PrinterCallback, ProgressCallback):
        trainer.remove_callback(talker)
    return trainer


def _arguments(setting: Setting, folder: Path) -> Any:
    from trl import GRPOConfig

    steps = setting.steps + setting.unmeasured
    return GRPOConfig(
        output_dir=str(folder / "theirs"),
        max_steps=steps,
        per_device_train_batch_size=setting.rollouts // setting.passes,
        gradient_accumulation_steps=setting.passes,
        num_generations=setting.group,
        max_completion_length=setting.tokens,
        generation_kwargs={"min_new_tokens": setting.tokens},
        shuffle_dataset=False,
        learning_rate=1e-6,
        lr_scheduler_type="constant",
        adam_beta2=0.95,
        max_grad_norm=1.0,
        use_cpu=setting.device == "cpu",
        bf16=setting.dtype == "bfloat16",
        model_init_kwargs={"dtype": "float32"},
        gradient_checkpointing=False,
        logging_strategy="no",
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        seed=setting.seed,
    )


def _timed(side: Theirs, phase: str, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    begun = _now(side.setting)
    out = call(*args, **kwargs)
    side.work.parts[phase] = side.work.parts.get(phase, 0.0) + _now(side.setting) - begun
    return out
