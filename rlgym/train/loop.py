"""The training loop, from the tasks of a step to a line of metrics.

    tasks of the curriculum -> a group of rollouts for each, scored during generation -> rewards -> advantages
    -> gradient of the loss in log-probabilities -> backpropagation -> optimizer step -> new weights for the rollout engine
    -> solve rates move the levels -> one line of metrics and a few transcripts; at times an evaluation or a checkpoint

Everything random is drawn from the seed and the step, so a resumed run repeats what an uninterrupted run would have done.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import Any

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.evaluate import Table
from rlgym.train.evaluations import evaluation_due, run_evaluation
from rlgym.train.logging.interference import Interference
from rlgym.train.logging.metrics import (
    behaviour_metrics,
    episode_metrics,
    group_fates,
    reward_accuracy,
    reward_correlation,
    reward_gap,
    transcripts,
)
from rlgym.train.logging.preferences import preference_pairs
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.logging.thoughts import thought_metrics
from rlgym.train.logging.timing import StepTimer
from rlgym.train.measurements import track_lengths, track_objectives, track_spread
from rlgym.train.model.backend import choose_backend
from rlgym.train.regularizers.reference_reset import validation_scores
from rlgym.train.rewards.part_weights import weigh_parts
from rlgym.train.rewards.role_baseline import role_metrics
from rlgym.train.rewards.transforms import appealed_rate, confidence_metrics, correct_rewards
from rlgym.train.rollout.auxiliary import with_auxiliary
from rlgym.train.rollout.collect import collect_rollouts
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.replay import replay_groups
from rlgym.train.rollout.rounds import claim_engine, start_next_rollouts, wait_for_next_rollout
from rlgym.train.rollout.thought_correction import corrected_thoughts
from rlgym.train.run import Run
from rlgym.train.sft.train import run_sft
from rlgym.train.tasks.grouping import filter_episodes, group_sizes, success_rates
from rlgym.train.tasks.recorded import record_step
from rlgym.train.update.optimize import update_policy
from rlgym.train.update.reward_weights import change_rewards
from rlgym.train.update.schedule import steps_since_reset


def train(config: Config, callback: ProgressCallback | None = None) -> dict[str, Table]:
    """Run a configuration to its end, or resume it from its last checkpoint; the evaluations by label.

    A folder that contains another run is refused and left untouched. Raises TrainError on a full disk, with nothing lost but the steps since the last
    checkpoint.
    """
    try:
        return _train(config, callback or ProgressCallback())
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise TrainError(
            f"output_dir={config.output_dir!r} cannot be written ({error.strerror}): free disk space; the same command then resumes the run from its last "
            "checkpoint"
        ) from error


def _train(config: Config, callback: ProgressCallback) -> dict[str, Table]:
    run = Run.open(config)
    callback.on_model_loaded(choose_backend(config.model).line())
    try:
        if config.sft is not None and run.phase == "sft":
            callback.on_phase_start("sft", config.sft.steps, run.step)
            if run.step == 0:
                run_evaluation(run, "start", callback)
            run_sft(run, callback)
        run_rl(run, callback)
        run.process_group.shutdown()
    finally:
        run.close()
    return run.evaluations


def run_rl(run: Run, callback: ProgressCallback) -> None:
    """The phase of reinforcement learning, with its evaluations and checkpoints."""
    config = run.config
    callback.on_phase_start("rl", config.steps, run.step)
    while True:
        if label := evaluation_due(run):
            run_evaluation(run, label, callback)
        if run.step == config.steps:
            return
        metrics, times = training_step(run, callback)
        run.logger.log_step(run.step, metrics, times)
        callback.on_step_end("rl", run.step, metrics | times)
        if run.step % config.checkpoints.every_steps == 0 or run.step == config.steps:
            claim_engine(run)
            run.save_checkpoint()


def training_step(run: Run, callback: ProgressCallback) -> tuple[dict[str, Any], dict[str, float]]:
    """One step of reinforcement learning; its metrics, and its times."""
    config, engine = run.config, run.worker.engine
    timer, flops_before = StepTimer(), run.flops()
    reset = run.step > 0 and steps_since_reset(run.step, config, validation_scores(run.evaluations)) == 0
    if reset:
        run.reset_optimizer_and_reference()

    # Sample a group of episodes for each task; scoring runs during generation.
    rollouts = collect_rollouts(run, callback.on_rollout_progress)
    timer.mark("rollout")

    # The curriculum and these metrics see the true scores, before any change of the rewards.
    metrics = episode_metrics(rollouts.sampled, run.version) | rollouts.metrics
    if config.log.behaviours:
        metrics |= behaviour_metrics(rollouts.sampled)
    if config.log.thoughts:
        metrics |= thought_metrics(rollouts.sampled)
    metrics |= role_metrics(rollouts.sampled)
    if run.worker.settings.asks_confidence:
        metrics |= confidence_metrics(rollouts.sampled)
    for transcript in transcripts(rollouts.sampled, config.log.transcripts_per_step, run.step + 1):
        run.logger.write_line("transcripts.jsonl", transcript)
    for pair in preference_pairs(rollouts.offered, run.step + 1) if config.log.preferences else ():
        run.logger.write_line("preferences.jsonl", pair)
    update_curriculum(run, rollouts.cells, rollouts.sampled)
    if run.process_group.is_main:
        record_step(config, run.step, rollouts.sampled)

    # Rewards -> advantages -> loss -> optimizer steps. Asynchronous runs sample the episodes of the next steps meanwhile.
    start_next_rollouts(run)
    if config.compute.engine_sleep and not run.async_rollouts:
        engine.sleep()
    gap = reward_gap(rollouts.offered)
    metrics |= {
        "reward_correlation": reward_correlation(rollouts.offered),
        "reward_gap": gap,
        "reward_alarm": float(run.logger.reward_alarm(gap)),
        "reward_accuracy": reward_accuracy(rollouts.offered),
    }
    kept = filter_episodes(rollouts.offered, config, run.spread_tracker)
    metrics |= track_spread(run, rollouts.spreads) | track_lengths(run, rollouts.sampled) | track_objectives(run, rollouts.sampled)
    metrics |= group_fates(rollouts.offered, kept)
    episodes, replay_metrics = replay_groups(run, kept)
    if config.algorithm.noise_correction and config.algorithm.noise_correction.appeal_fraction:
        metrics["appealed_false_negative_rate"] = appealed_rate(episodes, config)
    episodes = weigh_parts(correct_rewards(episodes, config), config)
    episodes, changes = change_rewards(run, episodes)
    metrics |= changes
    if run.interference is None:
        run.interference = Interference.start(run)
    learned = with_auxiliary(episodes, config, run.step)
    if config.algorithm.thought_correction is not None:
        learned += corrected_thoughts(run.worker, episodes, config.algorithm.thought_correction, run.seed("thoughts"))
        metrics["corrected_thoughts"] = float(sum(episode.auxiliary for episode in learned))
    judge = run.judge_training
    metrics |= replay_metrics | update_policy(run, learned if judge is None or judge.trains_policy(run.step) else [], timer)
    if judge is not None and judge.trains_judge(run.step):
        metrics |= judge.learn(run.worker, rollouts, config.algorithm.judge_reward, run.seed("judge training"), run.step)

    if run.interference is not None:
        metrics |= run.interference.measure(run)

    # The engine gets the new weights once it has finished sampling with the old ones.
    wait_for_next_rollout(run)
    timer.mark("wait")
    if not run.async_rollouts:
        run.sync_engine()
    timer.mark("sync")
    run.step += 1

    if config.algorithm.reference_reset_steps or config.algorithm.reference_reset_patience:
        metrics["reference_reset"] = float(reset)
    metrics |= {"kept_fraction": len(episodes) / max(1, len(rollouts.sampled)), "lr": run.lr}
    metrics |= {"rollouts": float(rollouts.num_rollouts), "rollout_tokens": float(rollouts.num_tokens)}
    metrics |= {f"level/{name}": level for name, level in run.curriculum.levels().items()}
    times = timer.seconds() | rollouts.times()
    times |= timer.training_rates(sum(len(episode.tokens) for episode in episodes), run.flops() - flops_before, run.peak_flops)
    return metrics, times | getattr(engine, "counts", {})


def update_curriculum(run: Run, cells: Sequence[int], episodes: Sequence[Episode]) -> None:
    """Record the solve rate of every group with a valid score and a task without a hint, that asks for a right answer, and without recombined knobs."""
    episodes = [episode for episode in episodes if not episode.task.hint_fraction and episode.task.role != "sneaky"]
    tasks = {episode.group: episode.task for episode in episodes}
    rates, sizes = success_rates(episodes), group_sizes(episodes)
    for group, cell in enumerate(cells):
        if group in rates and not run.curriculum.is_recombined(cell, tasks[group]):
            run.curriculum.record(cell, tasks[group].level, rates[group], sizes[group])
