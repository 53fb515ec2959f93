"""TRL's side: GRPOTrainer on the same model, prompts and verdicts, with its fastest settings.

It trains on what it just sampled (one update per step, no second pass for old log-probabilities), without checkpoints, logs,
gradient checkpointing or autocast.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rlgym.core.errors import PackageMissing
from rlgym.train.bench.workload import StepStats, Workload, text_reward
from rlgym.train.rollout.scoring import ScoringJob, run_job
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

INSTALL = "this comparison needs TRL: pip install 'rlvrgym[train,trl]'"


def trl_version() -> str:
    """The installed version of TRL. Raises PackageMissing if there is none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        import trl  # noqa: F401

        return version("trl")
    except (ImportError, PackageNotFoundError) as error:
        raise PackageMissing(f"{INSTALL} ({error})") from None


class TrlSide:
    """TRL's trainer. It runs its own loop: `run` calls back after each step, outside the measured time."""

    def __init__(self, workload: Workload, folder: Path, tasks_by_step: list[list[TaskSpec]], settings: TaskSettings) -> None:
        self.workload, self.settings = workload, settings
        self.tasks = [task for step in tasks_by_step for task in step]
        self.results = [run_job(ScoringJob(index, task, settings))[1] for index, task in enumerate(self.tasks)]
        self.stats = StepStats()
        self.trainer = _trainer(self, folder)

    def score(self, completions: list[Any], completion_ids: list[list[int]], task: list[int], **_: Any) -> list[float]:
        """TRL's reward function: the same verdicts as ours, then the same rewards by the text."""
        self.stats.sampled += sum(map(len, completion_ids))
        texts = [completion[0]["content"] for completion in completions]
        for key, (index, text) in enumerate(zip(task, texts, strict=True)):
            run_job(ScoringJob(key, self.tasks[index], self.settings, self.results[index].snapshot, text))
        return [text_reward(text) for text in texts]

    def run(self, after_step: Callable[[StepStats], None]) -> None:
        """Train to the end. The time of `after_step` is not measured."""
        from transformers import TrainerCallback

        start = 0.0

        class StepCallback(TrainerCallback):
            def on_train_begin(callback, *args: Any, **kwargs: Any) -> None:
                nonlocal start
                start = time.perf_counter()

            def on_step_end(callback, *args: Any, **kwargs: Any) -> None:
                nonlocal start
                stats, self.stats = self.stats, StepStats()
                stats.seconds = _now(self.workload) - start
                stats.parts["training"] = stats.seconds - sum(stats.parts.values())
                after_step(stats)
                start = time.perf_counter()

        self.trainer.add_callback(StepCallback())
        self.trainer.train()


def _now(workload: Workload) -> float:
    if workload.device == "cuda":
        import torch

        torch.cuda.synchronize()
    return time.perf_counter()


def _trainer(side: TrlSide, folder: Path) -> Any:
    from datasets import Dataset
    from transformers import AutoTokenizer
    from transformers.trainer_callback import PrinterCallback, ProgressCallback
    from trl import GRPOTrainer

    class CountingTrainer(GRPOTrainer):
        """Measures its phases and counts the tokens in the backward pass."""

        def _generate(self, *args: Any, **kwargs: Any) -> Any:
            return _time_call(side, "sampling", super()._generate, *args, **kwargs)

        def _calculate_rewards(self, *args: Any, **kwargs: Any) -> Any:
            return _time_call(side, "tasks and verdicts", super()._calculate_rewards, *args, **kwargs)

        def compute_loss(self, model: Any, inputs: Any, **kwargs: Any) -> Any:
            prompts, answers = inputs["prompt_mask"], inputs["completion_mask"]
            moving = inputs["advantages"].reshape(len(answers), -1)[:, :1] != 0
            side.stats.trained += int((answers * moving).sum())
            side.stats.read += int(prompts.sum()) + int(answers.sum())
            return super().compute_loss(model, inputs, **kwargs)

    rows = [{"prompt": [{"role": "user", "content": result.observation}], "task": index} for index, result in enumerate(side.results)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer = CountingTrainer(
            model=str(folder / "model"),
            reward_funcs=side.score,
            args=_arguments(side.workload, folder),
            train_dataset=Dataset.from_list(rows),
            processing_class=AutoTokenizer.from_pretrained(str(folder / "model"), padding_side="left"),
        )
    for callback in (PrinterCallback, ProgressCallback):
        trainer.remove_callback(callback)
    return trainer


def _arguments(workload: Workload, folder: Path) -> Any:
    from trl import GRPOConfig

    steps = workload.steps + workload.warmup_steps
    return GRPOConfig(
        output_dir=str(folder / "trl"),
        max_steps=steps,
        per_device_train_batch_size=workload.rollouts // workload.micro_batches,
        gradient_accumulation_steps=workload.micro_batches,
        num_generations=workload.group_size,
        max_completion_length=workload.response_tokens,
        generation_kwargs={"min_new_tokens": workload.response_tokens},
        shuffle_dataset=False,
        learning_rate=1e-6,
        lr_scheduler_type="constant",
        adam_beta2=0.95,
        max_grad_norm=1.0,
        use_cpu=workload.device == "cpu",
        bf16=workload.dtype == "bfloat16",
        model_init_kwargs={"dtype": "float32"},
        gradient_checkpointing=False,
        logging_strategy="no",
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        seed=workload.seed,
    )


def _time_call(side: TrlSide, phase: str, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    start = _now(side.workload)
    out = call(*args, **kwargs)
    side.stats.parts[phase] = side.stats.parts.get(phase, 0.0) + _now(side.workload) - start
    return out
