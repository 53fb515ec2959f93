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
from rlgym.train.config import Config
from rlgym.train.curriculum import Curriculum
from rlgym.train.loop import examine, imitate, one_step
from rlgym.train.model import make_model, make_tokenizer
from rlgym.train.run import Run
from rlgym.train.sft import Trace, Traces, explanation
from rlgym.train.watch import Watch

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
    rollout = {"groups": 128, "group": 16, "tokens": 256, "context": 640, "options": {"rows": 1024, "context": 640}}
    toy = {"groups": 2, "group": 2, "tokens": 6, "context": 640, "options": {"rows": 64, "context": 640}}
    return Config.of(
        {
            "model": str(folder / "start"),
            "out": str(folder / "run"),
            "tasks": [{"names": [name], "levels": LEVELS[:1] if place.small else LEVELS} for name in NAMES],
            "sampling": "weakness",
            "steps": 1_000_000,
            "sft": {"steps": 1_000_000, "batch": place.size(2, 256), "lr": 1e-3, "warmup": place.size(1, 50), "explain": 0.8},
            "rollout": toy if place.small else rollout,
            "update": {"lr": 1e-4, "warmup": place.size(1, 10), "tokens": place.size(2048, 32_768), "old": "sampler"},
            "scoring": {"workers": place.size(0, 8)},
            "evaluation": {"tasks": place.size(1, 32)},
            "compute": {"device": place.device, "dtype": "bfloat16" if gpu else "float32"},
        }
    )


def learning(place: Place) -> list[Row]:
    """Held-out accuracy by environment and level: before, after the warm-up, and after reinforcement learning."""
    begun = time.perf_counter()
    total = 60 * place.minutes
    with TemporaryDirectory(dir=place.folder) as name:
        folder = Path(name)
        config = configuration(place, folder)
        make_tokenizer(folder / "start", texts(place), vocabulary=place.size(300, 4096), phrases=True)
        make_model(folder / "start", layers=place.size(1, 8), width=place.size(32, 512), context=640, head_width=place.size(32, 64))
        run = Run.open(config)
        try:
            examine(run, "start", Watch())
            warm_up(run, place, begun + 0.5 * total)
            examine(run, "warm", Watch())
            steps, rewards = reinforce(run, place, begun + 0.9 * total)
            examine(run, "end", Watch())
        finally:
            run.close()
        return [*told(run), Row("learning", "steps of reinforcement learning", steps, f"last reward {rewards[-1]:.3f}, first {rewards[0]:.3f}"),
                Row("learning", "whole", time.perf_counter() - begun, "s", f"at most {total:.0f} s")]  # fmt: skip


def texts(place: Place) -> list[str]:
    """Prompts and explained answers, from which the tokenizer learns its tokens."""
    out = []
    for name in NAMES:
        env = rlgym.make(name, level=0.0)
        for seed in range(place.size(2, 60)):
            observation, _ = env.reset(seed=seed)
            out += [observation, f"{explanation(env)}{env.oracle()}"]
    return out


def warm_up(run: Run, place: Place, until: float) -> None:
    """Imitate the oracle until that time, at a rate that falls as the time runs out."""
    sft = run.config.sft
    assert sft is not None
    begun = time.perf_counter()
    for batch in batches(run, place):
        done = (time.perf_counter() - begun) / max(until - begun, 1e-9)
        if done >= 1 and run.step:
            break
        run.set_rate(sft.lr * min(1.0, (run.step + 1) / sft.warmup) * max(0.05, 1 - done))
        imitate(run, batch)
        run.step += 1
    run.begin("rl")


def batches(run: Run, place: Place) -> Iterator[list[Trace]]:
    """The traces of each step. They are functions of the step alone, so that other processes may make them ahead."""
    workers = place.size(0, 8)
    if not workers:
        traces = Traces(run.config, run.player.chat, run.player.rules)
        yield from (traces.batch(step) for step in count())
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (run.config.model_dump(mode="json"),)) as pool:
        ahead = [pool.submit(_batch, step) for step in range(2 * workers)]
        for step in count():
            made = ahead.pop(0).result()
            ahead.append(pool.submit(_batch, step + 2 * workers))
            try:
                yield made
            except GeneratorExit:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


_traces: list[Traces] = []


def _begin(given: dict[str, Any]) -> None:
    from rlgym.train.episodes import Chat
    from rlgym.train.scoring import Rules
    from rlgym.train.tokenizer import load_tokenizer

    config = Config.of(given)
    chat = Chat(load_tokenizer(config.model))
    _traces[:] = [Traces(config, chat, Rules(config.seed, config.held_out, config.rollout.style))]


def _batch(step: int) -> list[Trace]:
    return _traces[0].batch(step)


def reinforce(run: Run, place: Place, until: float) -> tuple[int, list[float]]:
    """Steps of the training loop until that time, at least one; how many, and their mean rewards."""
    run.curriculum = Curriculum(run.config.tasks, run.config.seed, run.config.sampling)
    rewards: list[float] = []
    while not rewards or time.perf_counter() < until:
        facts, _ = one_step(run, Watch())
        rewards.append(facts["reward"])
    return len(rewards), rewards


def told(run: Run) -> list[Row]:
    """A row for every environment and level, with the accuracy at the end and those before."""
    start, warm, end = (run.tables[label] for label in ("start", "warm", "end"))
    return [
        Row("learning", where, end[where].average, "held out", f"start {start[where].average:.2f}, warm {warm[where].average:.2f}")
        for where in end
    ]
