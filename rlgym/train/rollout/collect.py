"""Collects the episodes of one training step: a round of rollouts, and further rounds while useful groups are missing.

Each round samples tasks from the curriculum and rolls them out. What happens next depends only on the seed and the scores, so a
repeated step gives the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rlgym import Rng
from rlgym.train.rewards.group import add_group_rewards
from rlgym.train.rewards.group.context import GroupContext
from rlgym.train.rewards.group.objectives import ObjectiveOptions
from rlgym.train.rewards.transforms import apply_overlong_penalty, shuffle_rewards
from rlgym.train.rollout.async_rollout import RolloutBatch
from rlgym.train.rollout.auxiliary import add_answer_ranks
from rlgym.train.rollout.critiques import Critique
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.hints import hinted_tasks, insert_oracle_rollouts, join_hinted, numbered_hints
from rlgym.train.rollout.intrinsic import add_intrinsic_rewards
from rlgym.train.rollout.judge import add_judge_rewards
from rlgym.train.rollout.likelihood import add_likelihood_rewards, add_listener_rewards
from rlgym.train.rollout.own_tasks import own_tasks
from rlgym.train.rollout.partial import partial_metrics
from rlgym.train.rollout.prover_roles import role_rewards
from rlgym.train.rollout.rounds import claim_engine, first_round, rollout_groups
from rlgym.train.rollout.step_rewards import add_step_rewards
from rlgym.train.rollout.trace_scores import add_trace_rewards
from rlgym.train.rollout.twins import add_twin_rewards, twin_group, twin_tasks
from rlgym.train.rollout.worker import RolloutProgress
from rlgym.train.tasks.filters import AnswerRankOptions
from rlgym.train.tasks.grouping import filter_episodes, group_ids, success_rates, unsolved_groups
from rlgym.train.tasks.sampling import num_tasks_to_draw, pair_hard_with_easy, rollouts_for_success_rate
from rlgym.train.tasks.spread import group_spreads

if TYPE_CHECKING:
    from rlgym.train.run import Run


@dataclass
class CollectedRollouts:
    """The rollouts of a step; groups are numbered across its rounds.

    cells            the curriculum cell of each group
    sampled          the policy's episodes with their scores
    offered          the episodes that an update may learn from, with the rewards it uses
    num_rollouts     number of rollouts sampled, with extra and hinted ones
    num_tokens       number of tokens sampled
    seconds          duration of the sampling, on the slowest rank
    scoring_seconds  time spent on scoring, summed over all scoring processes
    hinted           episodes of groups that were retried with a hint
    num_oracle       number of episodes replaced by the oracle's
    num_corrected    number of those that keep the right steps of a failed rollout
    num_extra        number of extra episodes for hard tasks
    group_amounts    what each group reward added
    critiques        those of `algorithm.token_rewards.source: critiques`; `spreads` the standard deviation of the rewards of each group, before any is dropped
    """

    cells: list[int] = field(default_factory=list)
    sampled: list[Episode] = field(default_factory=list)
    offered: list[Episode] = field(default_factory=list)
    num_rollouts: int = 0
    num_tokens: int = 0
    seconds: float = 0.0
    scoring_seconds: float = 0.0
    hinted: list[Episode] = field(default_factory=list)
    num_oracle: int = 0
    num_corrected: int = 0
    num_extra: int = 0
    group_amounts: dict[str, list[float]] = field(default_factory=dict)
    critiques: list[Critique] = field(default_factory=list)
    spreads: list[float] = field(default_factory=list)
    metrics: dict[str, float] = field(default_factory=dict)

    def add_cost(self, batch: RolloutBatch) -> None:
        """Add the size and the time of a rollout batch."""
        self.num_rollouts += len(batch.episodes)
        own = sum(episode.num_sampled - episode.shared_tokens for episode in batch.episodes)
        self.num_tokens += own if batch.num_tokens is None else batch.num_tokens
        self.seconds += batch.seconds
        self.scoring_seconds += batch.scoring_seconds

    def times(self) -> dict[str, float]:
        """Times and rates: tokens per second of generation, verdicts per second of one scoring process."""
        verdicts = sum(role == "assistant" for episode in [*self.sampled, *self.hinted] for role, _ in episode.messages)
        return {
            "seconds_generation": self.seconds,
            "seconds_scoring": self.scoring_seconds,
            "rollout_tokens_per_s": self.num_tokens / max(self.seconds, 1e-9),
            "scores_per_s": verdicts / max(self.scoring_seconds, 1e-9),
        }


def collect_rollouts(run: Run, on_progress: RolloutProgress) -> CollectedRollouts:
    """The rollouts of a step. `algorithm.dynamic_sampling_rounds` replaces groups without a learning signal in further rounds.

    From "DAPO: An Open-Source LLM Reinforcement Learning System at Scale", with the number of tasks per round as in "CodeV-R1:
    Reasoning-Enhanced Verilog Generation".
    """
    algorithm, out = run.config.algorithm, CollectedRollouts()
    _add_round(run, out, 0, first_round(run, on_progress), on_progress)
    if run.config.rollout.segment_tokens:
        out.metrics |= partial_metrics(run, out.sampled)
    if run.config.rollout.branching is not None:
        out.metrics["branched_rollouts"] = sum(episode.shared_tokens > 0 for episode in out.sampled) / max(1, len(out.sampled))
    if algorithm.dynamic_sampling_rounds:
        _sample_more_groups(run, out, on_progress)
    if algorithm.uses_hints:
        solved = [float(episode.solved) for episode in out.hinted if episode.valid]
        rate = sum(solved) / len(solved) if solved else 0.0
        out.metrics |= {"hinted_groups": float(len(group_ids(out.hinted))), "hinted_solve_rate": rate}
    if algorithm.oracle_fraction:
        out.metrics["oracle_rollouts"] = float(out.num_oracle)
    if algorithm.oracle_prefix != "none":
        out.metrics["corrected_rollouts"] = float(out.num_corrected)
    if algorithm.max_group_size:
        out.metrics["extra_rollouts"] = float(out.num_extra)
    out.metrics |= {f"group_reward/{name}": sum(added) / max(1, len(added)) for name, added in out.group_amounts.items()}
    if algorithm.pair_tasks:
        pairs = pair_hard_with_easy(success_rates(out.offered), Rng("pairs", run.seed("pairs")))
        paired = {group for pair in pairs for group in pair}
        out.offered = [episode for episode in out.offered if episode.group in paired]
        out.metrics["task_pairs"] = float(len(pairs))
    return out


def _sample_more_groups(run: Run, out: CollectedRollouts, on_progress: RolloutProgress) -> None:
    """Sample further rounds until there are enough groups with a learning signal, and keep the first of them."""
    config, rounds = run.config, 1
    target = config.rollout.groups_per_step
    while (
        usable := len(group_ids(filter_episodes(out.offered, config, run.spread_tracker)))
    ) < target and rounds <= config.algorithm.dynamic_sampling_rounds:
        chosen = run.curriculum.sample(run.step, num_tasks_to_draw(target - usable, usable / len(out.cells), target), rounds)
        seed = run.seed(f"rollout {rounds}")
        batch = rollout_groups(run, [cell for cell, _ in chosen], [task for _, task in chosen], seed, on_progress)
        _add_round(run, out, rounds, batch, on_progress)
        rounds += 1
    useful = filter_episodes(out.offered, config, run.spread_tracker)
    first = set(group_ids(useful)[:target])
    out.offered = [episode for episode in useful if episode.group in first]
    out.metrics |= {"sampling_rounds": float(rounds), "groups_sampled": float(len(out.cells)), "groups_kept": float(len(first))}


def _add_round(run: Run, out: CollectedRollouts, number: int, batch: RolloutBatch, on_progress: RolloutProgress) -> None:
    """Add the episodes of a round; its groups are numbered after those of earlier rounds."""
    for episode in batch.episodes:
        episode.group += len(out.cells)
    out.cells += batch.cells
    out.sampled += batch.episodes
    out.add_cost(batch)
    offered = _augment(run, out, batch.episodes, f" {number}" if number else "", on_progress)
    out.spreads += group_spreads(offered).values()
    out.offered += offered


def _augment(run: Run, out: CollectedRollouts, episodes: list[Episode], suffix: str, on_progress: RolloutProgress) -> list[Episode]:
    """The episodes of a round as offered to the update: with extra rollouts, penalties, hinted rollouts and the oracle's.

    `suffix` distinguishes the seeds of the rounds.
    """
    config = run.config
    if config.algorithm.max_group_size:
        extra = _extra_rollouts(run, out, episodes, suffix, on_progress)
        out.num_extra += len(extra)
        # Step rewards tell the episodes of a round apart by their keys.
        first = 1 + max((episode.key for episode in episodes), default=-1)
        episodes = episodes + [replace(episode, key=first + place) for place, episode in enumerate(extra)]
    if config.algorithm.twin_reward is not None:
        episodes = _with_twins(run, out, episodes, suffix, on_progress)
    if config.algorithm.intrinsic_reward is not None:
        episodes = add_intrinsic_rewards(run, episodes, config.algorithm.intrinsic_reward)
    if config.algorithm.likelihood_reward is not None:
        claim_engine(run)
        if config.algorithm.likelihood_reward.model is None:
            episodes = add_likelihood_rewards(run.worker, episodes, config.algorithm.likelihood_reward)
        else:
            listener = run.second_models[config.algorithm.likelihood_reward.model]
            episodes, metrics = add_listener_rewards(listener, run.worker, episodes, config.algorithm.likelihood_reward)
            out.metrics |= metrics
        if "answer_rank" in config.algorithm.filters:
            options = AnswerRankOptions.from_dict(config.algorithm.filters["answer_rank"])
            episodes = add_answer_ranks(run.policy, episodes, run.device, options.worst_fraction)
    if (judged := config.algorithm.judge_reward) is not None:
        judge = run.second_models[judged.model]
        episodes, metrics = add_judge_rewards(judge, run.worker, episodes, judged, run.seed(f"judge{suffix}"))
        episodes, of_roles = role_rewards(episodes, judged.weight)
        out.metrics |= metrics | of_roles
    if config.algorithm.trace_reward is not None:
        traced, seed = config.algorithm.trace_reward, run.seed(f"traces{suffix}")
        solver = None if traced.solver is None else run.second_models[traced.solver]
        episodes, metrics = add_trace_rewards(run.second_models[traced.model], solver, run.worker, episodes, traced, seed)
        out.metrics |= metrics
    episodes, metrics, critiques = add_step_rewards(run, episodes, suffix)
    out.metrics |= metrics
    out.critiques += critiques
    if config.algorithm.contrast is not None:
        episodes = _with_contrast(run, out, episodes, suffix, on_progress)
    if "objectives" in config.algorithm.group_rewards:
        run.objective_monitor.start(episodes, ObjectiveOptions.from_dict(config.algorithm.group_rewards["objectives"]))
    episodes, amounts = add_group_rewards(
        apply_overlong_penalty(episodes, config), config, run.step, run.length_monitor.targets, run.objective_monitor.measured
    )
    for name, added in amounts.items():
        out.group_amounts.setdefault(name, []).extend(added)
    if config.algorithm.shuffle_rewards:
        episodes = shuffle_rewards(episodes, run.seed(f"shuffled{suffix}"))
    if config.algorithm.uses_hints and run.step >= config.algorithm.hint_start_step:
        episodes = join_hinted(episodes, _hinted_rollouts(run, out, episodes, suffix, on_progress), config.algorithm.hint_join)
    if config.algorithm.oracle_fraction:
        tasks = {episode.group: episode.task for episode in episodes if episode.valid and not episode.hinted}
        groups = tasks if config.algorithm.oracle_groups == "all" else unsolved_groups(episodes)
        episodes, replaced, corrected = insert_oracle_rollouts(run, episodes, groups)
        out.num_oracle += replaced
        out.num_corrected += corrected
    batches, metrics = own_tasks(run, episodes, suffix, on_progress)
    for batch in batches:
        out.add_cost(batch)
        episodes = episodes + batch.episodes
    out.metrics |= metrics
    return episodes


def _with_twins(run: Run, out: CollectedRollouts, episodes: list[Episode], suffix: str, on_progress: RolloutProgress) -> list[Episode]:
    """The episodes and those of the twins of their tasks, with the rewards of their agreement."""
    options = run.config.algorithm.twin_reward
    assert options is not None
    tasks = twin_tasks(episodes)
    batch = rollout_groups(run, [], list(tasks.values()), run.seed(f"twins{suffix}"), on_progress)
    out.add_cost(batch)
    groups = list(tasks)
    twins = [replace(episode, group=twin_group(groups[episode.group])) for episode in batch.episodes]
    both, metrics = add_twin_rewards([*episodes, *twins], options, GroupContext(run.step, run.config.rollout.answer_style))
    out.metrics |= metrics
    return both


def _with_contrast(run: Run, out: CollectedRollouts, episodes: list[Episode], suffix: str, on_progress: RolloutProgress) -> list[Episode]:
    """The episodes with the gain of the behaviour in their task, from rollouts prompted to show it and rollouts prompted to avoid it.

    From "GeometryZero: Advancing Geometry Solving via Group Contrastive Policy Optimization".
    """
    chosen = run.config.algorithm.contrast
    assert chosen is not None
    first = {episode.group: episode for episode in reversed(episodes) if episode.valid}
    rates: dict[str, dict[int, float]] = {}
    for name, text in (("with", chosen.with_behaviour), ("without", chosen.without_behaviour)):
        tasks = [replace(episode.task, seed=episode.seed, split="", retry=0, instruction=text) for episode in first.values()]
        batch = rollout_groups(run, [], tasks, run.seed(f"contrast {name}{suffix}"), on_progress, chosen.rollouts)
        out.add_cost(batch)
        found = success_rates(batch.episodes)
        rates[name] = {group: found[place] for place, group in enumerate(first) if place in found}
        out.metrics[f"contrast/{name}"] = sum(rates[name].values()) / max(1, len(rates[name]))
    gains = {group: rates["with"][group] - rates["without"][group] for group in rates["with"].keys() & rates["without"].keys()}
    return [replace(episode, behaviour_gain=gains.get(episode.group)) for episode in episodes]


def _hinted_rollouts(
    run: Run, out: CollectedRollouts, episodes: Sequence[Episode], suffix: str, on_progress: RolloutProgress
) -> list[Episode]:
    """Retries of the unsolved groups with a hint, in stages of `algorithm.hint_fraction` or `hint_tiers` until one is solved.

    From "GHPO: Adaptive Guidance for Stable and Efficient LLM Reinforcement Learning" (fractions) and "Scaf-GRPO: Scaffolded Group Relative Policy
    Optimization for Enhancing LLM Reasoning" (tiers).
    """
    algorithm, added = run.config.algorithm, list[Episode]()
    for stage in range(1, (len(algorithm.hint_tiers) or algorithm.hint_stages) + 1):
        groups = unsolved_groups([*episodes, *added])
        tasks = hinted_tasks(groups, stage, algorithm, [*episodes, *added])
        number = f" {stage}" if stage > 1 else ""
        retried = rollout_groups(run, [], tasks, run.seed(f"hints{suffix}{number}"), on_progress, algorithm.hint_group_size or None)
        out.add_cost(retried)
        hinted = numbered_hints(retried.episodes, list(groups), algorithm.hint_prompt)
        out.hinted += hinted
        added += apply_overlong_penalty(hinted, run.config)
    return added


def _extra_rollouts(
    run: Run, out: CollectedRollouts, episodes: Sequence[Episode], suffix: str, on_progress: RolloutProgress
) -> list[Episode]:
    """Extra episodes of tasks that are rarely solved, up to `algorithm.max_group_size` in all.

    From "Depth-Breadth Synergy in RLVR: Unlocking LLM Reasoning Gains with Adaptive Exploration".
    """
    config, extra = run.config, []
    tasks = {episode.group: episode.task for episode in episodes}
    groups_by_count: dict[int, list[int]] = {}
    for group, rate in success_rates(episodes).items():
        count = rollouts_for_success_rate(rate, config.rollout.group_size, config.algorithm.max_group_size) - config.rollout.group_size
        groups_by_count.setdefault(count, []).append(group)
    for count, groups in sorted(groups_by_count.items()):
        if count:
            batch = rollout_groups(run, [], [tasks[group] for group in groups], run.seed(f"more {count}{suffix}"), on_progress, count)
            extra += [replace(episode, group=groups[episode.group]) for episode in batch.episodes]
            out.add_cost(batch)
    return extra
