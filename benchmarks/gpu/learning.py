"""Part 5: does it learn? A new model, a warm-up on explanations, then reinforcement learning, all by the clock.

The phases are those of the training loop; only how long they last is decided here.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measure import Place, Row

import rlgym
from rlgym.train.config.schema import Config
from rlgym.train.evaluations import run_evaluation
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import training_step
from rlgym.train.model.pretrained import make_model
from rlgym.train.model.tokenizer import make_tokenizer
from rlgym.train.run import Run
from rlgym.train.sft.data import SftData, SftExample, explanation
from rlgym.train.sft.train import sft_step
from rlgym.train.tasks.curriculum import Curriculum

NAMES = (
    "base_conversion", "bezout", "caesar_crack", "chain_sum", "chinese_remainder", "countdown", "definite_integral", "derivative",
    "dyck_completion", "gcd_lcm", "graph_colouring", "integral", "linear_system", "missing_digits", "modular_arithmetic", "modular_power",
    "polynomial_factorization", "polynomial_roots", "prime_factorization", "propositional_equivalence", "random_calculation",
    "sat_assignment", "shortest_path", "string_rewriting",
)  # fmt: skip
LEVELS = [0.0, 0.05]


def configuration(place: Place, folder: Path) -> Config:
    """24 environments, a model of about 27M parameters."""
    gpu = place.device == "cuda"
    rollout = {
        "groups_per_step": 128,
        "group_size": 16,
        "max_new_tokens": 256,
        "max_seq_len": 640,
        "engine_options": {"max_num_seqs": 1024, "max_seq_len": 640},
    }
    toy = {"groups_per_step": 2, "group_size": 2, "max_new_tokens": 6, "engine_options": {"max_num_seqs": 64}}
    return Config.from_dict(
        {
            "model": str(folder / "start"),
            "output_dir": str(folder / "run"),
            "tasks": [{"names": [name], "levels": LEVELS[:1] if place.small else LEVELS} for name in NAMES],
            "task_sampling": "learnability",
            "steps": 1_000_000,
            "sft": {
                "steps": 1_000_000,
                "batch_size": place.size(2, 256),
                "lr": 1e-3,
                "warmup_steps": place.size(1, 50),
                "explanation_fraction": 0.8,
            },
            "rollout": rollout | toy if place.small else rollout,
            "update": {
                "lr": 1e-4,
                "warmup_steps": place.size(1, 10),
                "tokens_per_micro_batch": place.size(2048, 32_768),
                "old_logprobs": "rollout",
            },
            "scoring": {"num_workers": place.size(0, 8)},
            "evaluation": {"tasks_per_level": place.size(1, 32)},
            "compute": {"device": place.device, "dtype": "bfloat16" if gpu else "float32"},
        }
    )


def learning(place: Place) -> list[Row]:
    """Held-out accuracy by environment and level: before, after the warm-up, and after reinforcement learning."""
    start = time.perf_counter()
    total = 60 * place.minutes
    with TemporaryDirectory(dir=place.folder) as name:
        folder = Path(name)
        config = configuration(place, folder)
        make_tokenizer(folder / "start", texts(place), vocab_size=place.size(300, 4096), multi_word_tokens=True)
        make_model(
            folder / "start", num_layers=place.size(1, 8), hidden_size=place.size(32, 512), max_seq_len=640, head_dim=place.size(32, 64)
        )
        run = Run.open(config)
        try:
            run_evaluation(run, "start", ProgressCallback())
            run_timed_sft(run, place, start + 0.5 * total)
            run_evaluation(run, "warm", ProgressCallback())
            steps, rewards = run_timed_rl(run, place, start + 0.9 * total)
            run_evaluation(run, "end", ProgressCallback())
        finally:
            run.close()
        return [*accuracy_rows(run), Row("learning", "steps of reinforcement learning", steps, f"last reward {rewards[-1]:.3f}, first {rewards[0]:.3f}"),
                Row("learning", "whole", time.perf_counter() - start, "s", f"at most {total:.0f} s")]  # fmt: skip


def texts(place: Place) -> list[str]:
    """Prompts and explained answers, from which the tokenizer learns its tokens."""
    out = []
    for name in NAMES:
        env = rlgym.make(name, level=0.0)
        for seed in range(place.size(2, 60)):
            observation, _ = env.reset(seed=seed)
            out += [observation, f"{explanation(env)}{env.oracle()}"]
    return out


def run_timed_sft(run: Run, place: Place, until: float) -> None:
    """Imitate the oracle until that time, at a rate that falls as the time runs out."""
    sft = run.config.sft
    assert sft is not None
    start = time.perf_counter()
    for batch in batches(run, place):
        done = (time.perf_counter() - start) / max(until - start, 1e-9)
        if done >= 1 and run.step:
            break
        run.set_lr(sft.lr * min(1.0, (run.step + 1) / sft.warmup_steps) * max(0.05, 1 - done))
        sft_step(run, batch)
        run.step += 1
    run.start_phase("rl")


def batches(run: Run, place: Place) -> Iterator[list[SftExample]]:
    """The traces of each step. They are functions of the step alone, so that other processes may make them ahead."""
    workers = place.size(0, 8)
    if not workers:
        traces = SftData(run.config, run.worker.chat, run.worker.settings)
        yield from (traces.batch(step) for step in count())
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (run.config.model_dump(mode="json"),)) as pool:
        ahead = [pool.submit(_batch, step) for step in range(2 * workers)]
        for step in count():
            batch = ahead.pop(0).result()
            ahead.append(pool.submit(_batch, step + 2 * workers))
            try:
                yield batch
            except GeneratorExit:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


_traces: list[SftData] = []


def _begin(given: dict[str, Any]) -> None:
    from rlgym.train.model.tokenizer import load_tokenizer
    from rlgym.train.rollout.chat import Chat
    from rlgym.train.tasks.spec import TaskSettings

    config = Config.from_dict(given)
    chat = Chat(load_tokenizer(config.model.path))
    _traces[:] = [SftData(config, chat, TaskSettings(config.seed, config.held_out_fraction, config.rollout.answer_style))]


def _batch(step: int) -> list[SftExample]:
    return _traces[0].batch(step)


def run_timed_rl(run: Run, place: Place, until: float) -> tuple[int, list[float]]:
    """Steps of the training loop until that time, at least one; how many, and their mean rewards."""
    run.curriculum = Curriculum(run.config.tasks, run.config.seed, run.config.task_sampling)
    rewards: list[float] = []
    while not rewards or time.perf_counter() < until:
        metrics, _ = training_step(run, ProgressCallback())
        rewards.append(metrics["reward"])
    return len(rewards), rewards


def accuracy_rows(run: Run) -> list[Row]:
    """A row for every environment and level, with the accuracy at the end and those before."""
    start, warm, end = (run.evaluations[label] for label in ("start", "warm", "end"))
    return [
        Row("learning", where, end[where].average, "held out", f"start {start[where].average:.2f}, warm {warm[where].average:.2f}")
        for where in end
    ]
