"""Rewards of steps that are measured after the rollouts: by continuations, by the reference solution, or by critiques."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlgym.train.rollout.captions import add_caption_rewards
from rlgym.train.rollout.critiques import Critique, add_critiques
from rlgym.train.rollout.prefix_values import add_prefix_values
from rlgym.train.rollout.rounds import claim_engine
from rlgym.train.rollout.solution_gain import add_solution_gains

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.run import Run


def add_step_rewards(run: Run, episodes: list[Episode], suffix: str) -> tuple[list[Episode], dict[str, float], list[Critique]]:
    """The episodes with the rewards of their steps, metrics, and the critiques if there are any. `suffix` distinguishes the seeds of the rounds."""
    chosen = run.config.algorithm.token_rewards
    if chosen is None:
        return episodes, {}, []
    if chosen.turn_reward == "captions":
        episodes, metrics = add_caption_rewards(run.second_models[chosen.model or ""], run.caption_labels, episodes, chosen)
        return episodes, metrics, []
    if chosen.source == "prefix_values":
        claim_engine(run)
        worker = run.worker if chosen.model is None else run.second_models[chosen.model].as_worker(run.worker)
        episodes, metrics, records = add_prefix_values(worker, episodes, chosen, run.seed(f"prefix values{suffix}"))
        for record in records if run.config.log.prefix_values else ():
            run.logger.write_line("prefix_values.jsonl", {"step": run.step + 1, **record})
        return episodes, metrics, []
    if chosen.source == "solution_gain":
        claim_engine(run)
        episodes, metrics = add_solution_gains(run.worker, episodes, chosen)
        return episodes, metrics, []
    if chosen.source == "critiques":
        judge, seed = run.second_models[chosen.model or ""], run.seed(f"critiques{suffix}")
        return add_critiques(judge, run.worker, episodes, chosen, seed, run.config.algorithm.critique_reward)
    return episodes, {}, []
