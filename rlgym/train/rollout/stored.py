"""Rollouts from a file: the responses of an evaluation instead of sampled ones, for training without sampling.

A group is all responses to one task. Their log-probabilities are those under the initial model, which is taken to have written them, so that with
`update.old_logprobs: rollout` the ratio of a loss is new / initial. From "Tapered Off-Policy REINFORCE: Stable and efficient reinforcement learning for
LLMs", which trains on such a file.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rlgym import Outcome, Rng, Score
from rlgym.evaluate.episodes.results import load
from rlgym.train.config.combinations import refuse_together
from rlgym.train.config.sections import TrainError
from rlgym.train.data.collate import collate
from rlgym.train.rollout.async_rollout import RolloutBatch
from rlgym.train.rollout.episodes import Episode
from rlgym.train.sft.rollouts import example_of, is_usable, turns_of

if TYPE_CHECKING:
    from rlgym.train.config.schema import Config
    from rlgym.train.run import Run
    from rlgym.train.tasks.spec import TaskSpec


def stored_round(run: Run) -> RolloutBatch:
    """The groups of a step: every group once in a random order before any comes again. The step alone determines them."""
    start = time.perf_counter()
    groups = stored_groups(run)
    size = min(run.config.rollout.groups_per_step, len(groups))
    chosen: list[int] = []
    for place in range(run.step * size, (run.step + 1) * size):
        order = Rng("stored rollouts", run.config.seed, place // len(groups)).shuffled(range(len(groups)))
        chosen.append(order[place % len(groups)])
    cells, episodes = list[int](), list[Episode]()
    for group, number in enumerate(chosen):
        cells.append(_cell_of(run, groups[number][0].task))
        episodes += [replace(episode, group=group, key=len(episodes) + place) for place, episode in enumerate(groups[number])]
    assert run.reference is not None
    batch = collate(episodes, run.device)
    logprobs = iter(run.reference.forward(batch).logprob_T.tolist())
    known = [replace(episode, logprobs=[next(logprobs) for _ in episode.tokens], version=run.version) for episode in episodes]
    return RolloutBatch(cells, known, time.perf_counter() - start, 0.0, num_tokens=0)


def _cell_of(run: Run, task: TaskSpec) -> int:
    """The cell of the curriculum with the environment and the level of a task, or the first with the environment."""
    of_name = [place for place, cell in enumerate(run.curriculum.cells) if cell.name == task.name]
    levels = {place: run.curriculum.cells[place].levels for place in of_name}
    return next((place for place in of_name if isinstance(found := levels[place], tuple) and task.level in found), of_name[0])


def stored_groups(run: Run) -> list[list[Episode]]:
    """All groups of the file, read once. Raises TrainError if it has none."""
    if run.stored is None:
        run.stored = _read(run)
    return run.stored


def _read(run: Run) -> list[list[Episode]]:
    config, names = run.config, {cell.name for cell in run.curriculum.cells}
    groups: dict[tuple[Any, ...], list[Episode]] = {}
    rows = load(config.rollout.recorded).rows
    for row in rows:
        if row["env"] in names and is_usable(row, run.worker.settings):
            example = example_of(row, run.worker.chat)
            if len(example.tokens) <= config.rollout.max_seq_len:
                blank = [0.0] * len(example.tokens)
                episode = Episode(0, 0, example.task, list(example.tokens), list(example.loss_mask), blank, None, seed=example.task.seed)
                episode.messages = [(turn["role"], turn["content"]) for turn in turns_of(row)]
                score = Score(float(row["value"]), Outcome(row["outcome"]), row["reason"] or "")
                episode.finish(score, score.value)
                groups.setdefault((row["env"], row["level"], row["seed"], row.get("knobs")), []).append(episode)
    if not groups:
        raise TrainError(
            f"rollout.recorded={config.rollout.recorded!r} has no response to learn from: none of {len(rows)} rows is of a task for training of "
            f"{', '.join(sorted(names))} and has at most rollout.max_seq_len={config.rollout.max_seq_len} tokens"
        )
    return [groups[key] for key in sorted(groups, key=str)]


def check_stored(config: Config) -> None:
    """Refuse what samples, what changes the model that wrote the rollouts, and what is measured while a response is scored."""
    rollout, algorithm = config.rollout, config.algorithm
    if not rollout.recorded:
        return
    if config.update.old_logprobs != "rollout":
        raise TrainError(
            "the responses of rollout.recorded come from the initial model, so the ratio must be relative to it: set update.old_logprobs='rollout'"
        )
    refused = {
        "rollout.async_steps": rollout.async_steps,
        "rollout.segment_tokens": rollout.segment_tokens,
        "rollout.branching": rollout.branching,
        "algorithm.dynamic_sampling_rounds": algorithm.dynamic_sampling_rounds,
        "algorithm.max_group_size": algorithm.max_group_size,
        "algorithm.twin_reward": algorithm.twin_reward,
        "algorithm.token_rewards": algorithm.token_rewards,
        "algorithm.contrast": algorithm.contrast,
        "algorithm.replay": algorithm.replay,
        "algorithm.reference_reset_steps": algorithm.reference_reset_steps or algorithm.reference_reset_patience,
        "algorithm.reward_shaping": algorithm.reward_shaping,
        "log.thoughts": config.log.thoughts,
        "tasks.hint_fractions": any(part.hint_fractions for part in config.tasks),
    }
    refuse_together("rollout.recorded", refused)
