"""The training loop: what one step does, from the choice of tasks to a line of metrics.

    tasks at the curriculum's levels -> a group of episodes for each, sampled by the rollout engine and judged beside it
    -> rewards -> advantages -> the loss's gradient, carried through the network -> optimizer -> weights back to the engine
    -> solve rates move the levels -> one line of metrics, a few transcripts, now and then an evaluation or a checkpoint

Everything that chance decides is drawn from the seed and the step, so that a run that is resumed repeats what it would have done.

Axes: T tokens of all rollouts, N rollouts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch

from rlgym import Rng
from rlgym.train import checkpoint, metrics
from rlgym.train.config import Config
from rlgym.train.critic import foretell, value_slope
from rlgym.train.curriculum import exam
from rlgym.train.episodes import Episode, Player
from rlgym.train.evaluate import Table, evaluate
from rlgym.train.extras.entropy import ForkOptions, entropy_mask
from rlgym.train.extras.hints import hint_free_ratio
from rlgym.train.flight import land, set_out
from rlgym.train.rewarding import confidences, corrected
from rlgym.train.rounds import Gathered, gather, with_signal
from rlgym.train.run import Run
from rlgym.train.sets import bundled
from rlgym.train.sft import Trace, Traces
from rlgym.train.update import as_batch, as_before, own, part, slopes, with_old
from rlgym.train.watch import Watch

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch


def train(config: Config, watch: Watch | None = None) -> dict[str, Table]:
    """Run a configuration to its end, or go on with it where it stopped; the evaluations by label.

    A folder that holds another run is refused, and nothing in it is touched.
    """
    watch = watch or Watch()
    run = Run.open(config)
    try:
        if config.sft is not None and run.phase == "sft":
            warm_up(run, watch)
        reinforce(run, watch)
        run.team.leave()
    finally:
        run.close()
    return run.tables


def warm_up(run: Run, watch: Watch) -> None:
    """The supervised phase: imitate the oracle's explanations."""
    sft = run.config.sft
    assert sft is not None
    traces = Traces(run.config, run.player.chat, run.player.rules)
    watch.phase("sft", sft.steps, run.step)
    if run.step == 0:
        examine(run, "start", watch)
    while run.phase == "sft":
        begun = time.perf_counter()
        share_done = run.step / sft.steps
        run.set_rate(sft.lr * warmth(run.step, sft.warmup) * (0.05 + 0.95 * (1 - share_done)))
        batch = traces.batch(run.step)
        made = time.perf_counter()
        loss = imitate(run, batch)
        run.step += 1
        facts = {"phase": "sft", "loss": loss, "tokens": sum(len(trace.tokens) for trace in batch)}
        times = {"seconds": time.perf_counter() - begun, "seconds_traces": made - begun}
        run.book.step(run.step, facts, times)
        watch.step("sft", run.step, facts | times)
        if run.step == sft.steps:
            run.begin("rl")
            run.sync()
        if run.phase == "rl" or run.step % run.config.checkpoints.every == 0:
            save(run)


def imitate(run: Run, traces: Sequence[Trace]) -> float:
    """One supervised update: the mean over all the oracle's tokens of minus their log-probability."""
    episodes = [
        Episode(n, n, trace.pick, list(trace.tokens), list(trace.mask), [0.0] * len(trace.tokens), None) for n, trace in enumerate(traces)
    ]
    batch = as_batch(episodes, run.device)
    slope_T = torch.where(batch.mask_T, -1.0 / batch.mask_T.sum(), 0.0)
    logprob_T, _ = run.scorer.descend(batch, slope_T, None)
    run.optimizer_step(run.config.update.clip)
    return float(-logprob_T[batch.mask_T].mean())


def reinforce(run: Run, watch: Watch) -> None:
    """The reinforcement phase, evaluations included."""
    config = run.config
    watch.phase("rl", config.steps, run.step)
    while True:
        if run.step == config.steps:
            examine(run, "end", watch)
            return
        if run.step == 0:
            examine(run, "middle" if config.sft else "start", watch)
        elif config.evaluation.every and run.step % config.evaluation.every == 0:
            examine(run, f"step {run.step}", watch)
        facts, times = one_step(run, watch)
        run.book.step(run.step, facts, times)
        watch.step("rl", run.step, facts | times)
        if run.step % config.checkpoints.every == 0 or run.step == config.steps:
            save(run)


def one_step(run: Run, watch: Watch) -> tuple[dict[str, Any], dict[str, float]]:
    """One step of reinforcement learning; its metrics, and its times."""
    config, clock, worked = run.config, Clock(), run.flops()
    if run.step and since_reset(run.step, config) == 0:
        run.start_anew()

    # 1. Tasks at the levels of the curriculum, and a group of episodes for each, judged while others are still sampled.
    gathered = gather(run, watch.tick)
    clock.mark("rollout")

    # 2. What the episodes say by themselves. The curriculum hears of true solve rates, whatever the rewards are turned into.
    facts = metrics.of_episodes(gathered.played, run.version) | gathered.facts
    if run.player.rules.asks_confidence:
        facts |= confidences(gathered.played)
    for line in metrics.transcripts(gathered.played, config.log.transcripts, run.step + 1):
        run.book.write("transcripts.jsonl", line)
    teach_curriculum(run, gathered.arms, gathered.played)

    # 3. Rewards become advantages, and those a change of the weights; beside it the engine may sample the next step's episodes.
    set_out(run)
    if config.compute.sleep and run.flight is None:
        run.player.engine.sleep()
    kept = corrected(with_signal(gathered.offered, config), config)
    facts |= learn(run, kept, clock) | {"kept": len(kept) / len(gathered.played), "lr": run.rate}

    # 4. The engine takes over the new weights, once it has sampled all that it was to sample with the old.
    land(run)
    clock.mark("wait")
    run.sync()
    clock.mark("sync")
    run.step += 1

    facts |= {f"level/{name}": level for name, level in run.curriculum.levels().items()}
    trained = sum(len(episode.tokens) for episode in kept)
    return facts, clock.rates(gathered, trained, run.flops() - worked, run.ceiling) | getattr(run.player.engine, "counts", {})


def teach_curriculum(run: Run, arms: Sequence[int], episodes: Sequence[Episode]) -> None:
    """Tell the curriculum the solve rate of every group that has one."""
    for group, arm in enumerate(arms):
        counted = [episode for episode in episodes if episode.group == group and episode.valid and episode.score]
        right = [episode.score is not None and episode.score.value == 1 for episode in counted]
        if right:
            run.curriculum.learn(arm, counted[0].pick.level, sum(right) / len(right))


def learn(run: Run, episodes: Sequence[Episode], clock: Clock) -> dict[str, float]:
    """All updates that one step makes of its episodes. Without any that carries a signal, the weights stay as they are."""
    config = run.config
    run.set_rate(rate_at(run.step, config))
    run.version += 1
    if not episodes:
        return {"updates": 0.0}
    batch = bundled(as_batch(episodes, run.device), config, run.seed("bundles"))
    facts: dict[str, float] = {}
    entropy_T = torch.zeros_like(batch.sampled_T)
    if config.update.old == "trainer":
        seen = run.scorer.look(batch)
        entropy_T = seen.entropy_T
        batch = with_old(batch, seen.logprob_T)
        facts |= mismatch(batch, seen.logprob_T) | {"entropy": mean_T(entropy_T, own(batch))}
        batch, foretold = foretell(batch, seen.value_T, config)
        facts |= foretold
    if run.reference is not None:
        batch = replace(batch, reference_T=run.reference.read(batch)[0])
        facts["kl"] = mean_T(k3_T(batch.old_T, batch.reference_T), own(batch))
    batch = hint_free_ratio(batch)
    clock.mark("old")
    advantage_T = run.advantage(batch)
    if config.algorithm.forks < 1:
        batch = entropy_mask(entropy_T, batch, ForkOptions(share=config.algorithm.forks))
    logged: list[dict[str, float]] = []
    for epoch in range(config.update.epochs):
        for number, (small, small_advantage_T) in enumerate(minibatches(batch, advantage_T, config, run.seed(f"epoch {epoch}"))):
            # Before the first update the sampler's policy is the trainer's, unless it saw a hint, or sampled with older weights.
            first = epoch == number == 0 and batch.hinted_N is None and (config.update.old == "trainer" or not config.rollout.ahead)
            logged.append(update(run, small, small_advantage_T, on_policy=first))
    clock.mark("train")
    means = {name: sum(entry[name] for entry in logged) / len(logged) for name in logged[0]}
    return {**means, **facts, "updates": float(len(logged))}


def update(run: Run, batch: Batch, advantage_T: Tensor, on_policy: bool) -> dict[str, float]:
    """One step of the optimizer: the gradient of the objective in log-probabilities, then of the network."""
    # Before the first update the policy is the old policy, so that its log-probabilities are known without another pass.
    seen = as_before(batch) if on_policy else run.scorer.look(batch)
    slope_T, entropy_slope_T, facts = slopes(run.objective(batch, advantage_T), seen.logprob_T, seen.entropy_T)
    value_slope_T, value_facts = value_slope(batch, seen.value_T, run.config)
    met_T, met_entropy_T = run.scorer.descend(batch, slope_T, entropy_slope_T, value_slope_T)
    norm = run.optimizer_step(run.config.update.clip)
    met = batch.mask_T & (met_T != 0)
    entropy = float(met_entropy_T[met].mean()) if bool(met.any()) else 0.0
    return facts | value_facts | {"entropy": entropy, "gradient": norm, **mismatch(replace(batch, mask_T=met), met_T)}


def minibatches(batch: Batch, advantage_T: Tensor, config: Config, seed: int) -> list[tuple[Batch, Tensor]]:
    """The batch in parts of whole groups, in random order."""
    groups = int(batch.group_N.max()) + 1
    count = min(config.update.minibatches, groups)
    if count == 1:
        return [(batch, advantage_T)]
    order = Rng("minibatches", seed).shuffled(range(groups))
    out = []
    for number in range(count):
        chosen_N = torch.isin(batch.group_N, torch.tensor(order[number::count], device=batch.group_N.device))
        out.append((part(batch, chosen_N), advantage_T[chosen_N[batch.rollout_T]]))
    return out


def mismatch(batch: Batch, trainer_T: Tensor) -> dict[str, float]:
    """How far the engine's log-probabilities are from the trainer's at the same weights."""
    batch = own(batch)
    off_T = (batch.sampled_T - trainer_T).abs()
    most = float(off_T[batch.mask_T].max()) if bool(batch.mask_T.any()) else 0.0
    return {"mismatch": mean_T(off_T, batch), "mismatch_most": most}


def mean_T(value_T: Tensor, batch: Batch) -> float:
    """The mean over the sampled tokens."""
    return float(value_T[batch.mask_T].mean()) if bool(batch.mask_T.any()) else 0.0


def k3_T(logprob_T: Tensor, reference_T: Tensor | None) -> Tensor:
    """The divergence of the policy from the reference, estimated per token without bias and never below 0."""
    assert reference_T is not None
    return (reference_T - logprob_T).exp() - (reference_T - logprob_T) - 1


def warmth(step: int, warmup: int) -> float:
    """The share of the learning rate at a step of the warm-up, 1 after it."""
    return min(1.0, (step + 1) / warmup) if warmup else 1.0


def since_reset(step: int, config: Config) -> int:
    """How many steps before this one began with the present reference and optimizer."""
    return step % config.algorithm.reference_reset if config.algorithm.reference_reset else step


def rate_at(step: int, config: Config) -> float:
    """The learning rate of a step of reinforcement learning. It is warmed up again where the optimizer was made to forget."""
    done = step / max(1, config.steps)
    fall = {"constant": 1.0, "linear": 1 - done, "cosine": 0.5 * (1 + math.cos(math.pi * done))}[config.update.schedule]
    return config.update.lr * warmth(since_reset(step, config), config.update.warmup) * fall


def examine(run: Run, label: str, watch: Watch) -> None:
    """Measure held-out accuracy, and write it down."""
    config = run.config.evaluation
    player: Player = replace(run.player, temperature=config.temperature)
    picks = exam(run.config.tasks, config.tasks, config.levels)
    table = evaluate(player, picks, config.samples, run.config.seed, watch.tick, run.team)
    run.tables[label] = table
    facts = {place: accuracy.to_dict() for place, accuracy in table.items()}
    run.book.write("evaluations.jsonl", {"label": label, "phase": run.phase, "step": run.step, "accuracy": facts})
    watch.evaluated(label, table)


def save(run: Run) -> None:
    """Write a checkpoint that the run can go on from."""
    saved = run.saved()
    if run.team.leads:
        checkpoint.save(run.folder / "checkpoints", saved, run.save_model, run.config.checkpoints.keep)
    else:
        # A divided model is put together by all ranks, for the one that writes.
        for _ in run.weights():
            pass
    run.team.wait()


@dataclass
class Clock:
    """Seconds by part of a step."""

    begun: float = field(default_factory=time.perf_counter)
    parts: dict[str, float] = field(default_factory=dict)

    def mark(self, name: str) -> None:
        """The part that ends now took the time since the last mark."""
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        now = time.perf_counter()
        self.parts[name] = self.parts.get(name, 0.0) + now - self.begun - sum(self.parts.values())

    def rates(self, played: Gathered, trained: int, flops: float, ceiling: float) -> dict[str, float]:
        """Times and rates: tokens a second of sampling and of training, verdicts a second of one scoring process.

        `mfu` is the share of the devices' best rate of floating-point operations that training reached, all its passes counted.
        """
        parts = self.parts
        training = parts.get("old", 0.0) + parts.get("train", 0.0)
        out = {"seconds": sum(parts.values()), **{f"seconds_{name}": value for name, value in parts.items()}}
        out |= {"seconds_playing": played.seconds, "seconds_scoring": played.judged}
        out["rollout_tokens_per_s"] = played.sampled / max(played.seconds, 1e-9)
        verdicts = sum(who == "assistant" for episode in [*played.played, *played.hinted] for who, _ in episode.said)
        out["verdicts_per_s"] = verdicts / max(played.judged, 1e-9)
        if training > 0:
            out |= {"train_tokens_per_s": trained / training, "train_tflops": flops / training / 1e12, "mfu": flops / training / ceiling}
        return out
