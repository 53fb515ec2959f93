"""The metrics of one step, computed from its episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import correlation
from typing import TYPE_CHECKING, Any

from rlgym.dataset.traces.behaviours import BEHAVIOURS, count_behaviours
from rlgym.train.tasks.grouping import rewards_are_equal

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode

GROUP_FATES = ("learned", "masked", "solved", "unsolved", "equal", "filtered")
"""What may become of a group; see `group_fates`."""


def episode_metrics(episodes: Sequence[Episode], version: int) -> dict[str, float]:
    """Metrics of the rollouts of a step: rewards, solve rates, lengths, groups without signal, masked episodes."""
    valid = [episode for episode in episodes if episode.valid]
    groups: dict[int, list[float]] = {}
    for episode in valid:
        groups.setdefault(episode.group, []).append(episode.reward)
    outcomes = Counter(episode.score.outcome.value.replace(" ", "_") for episode in episodes if episode.score)
    metrics = {
        "reward": _mean([episode.reward for episode in valid]),
        "solve_rate": _mean([float(episode.solved) for episode in valid]),
        "groups_all_wrong": _mean([float(max(rewards) <= 0) for rewards in groups.values()]),
        "groups_all_right": _mean([float(min(rewards) >= 1) for rewards in groups.values()]),
        "groups_zero_std": _mean([float(rewards_are_equal(rewards)) for rewards in groups.values()]),
        "masked": float(len(episodes) - len(valid)),
        "prompts_replaced": _mean([float(episode.task.retry > 0) for episode in episodes]),
        "truncated": _mean([float(episode.truncated) for episode in episodes]),
        "response_length": _mean([float(episode.num_sampled) for episode in episodes]),
        "response_length_solved": _mean([float(episode.num_sampled) for episode in valid if episode.solved]),
        "response_length_unsolved": _mean([float(episode.num_sampled) for episode in valid if not episode.solved]),
        **_solved_lengths(valid),
        "turns": _mean([float(sum(role == "assistant" for role, _ in episode.messages)) for episode in episodes]),
        **_staleness(episodes, version),
    }
    if any(episode.spans is not None for episode in episodes):
        metrics |= span_metrics(valid)
    metrics |= {f"outcome/{name}": count / len(episodes) for name, count in sorted(outcomes.items())}
    metrics |= part_means(valid)
    return metrics | {f"solve_rate/{label}": rate for label, rate in solve_rates(episodes).items()}


def behaviour_metrics(episodes: Sequence[Episode]) -> dict[str, float]:
    """How many lines of an episode show each behaviour of reasoning, on average."""
    counts = [count_behaviours("\n".join(text for role, text in episode.messages if role == "assistant")) for episode in episodes]
    return {f"behaviour/{name.replace(' ', '_')}": _mean([float(count[name]) for count in counts]) for name in BEHAVIOURS}


def reward_gap(episodes: Sequence[Episode]) -> float:
    """What wrong responses are paid beyond their score, on average over all responses of the policy itself: near 1 for a hacked reward.

    Bonuses and penalties of right responses do not count.
    """
    own = [episode for episode in episodes if episode.valid and episode.score and not episode.oracle and not episode.hinted]
    return _mean([0.0 if episode.solved else episode.reward - episode.score.value for episode in own if episode.score])


def reward_correlation(episodes: Sequence[Episode]) -> float:
    """The correlation of what the policy's responses are paid with their scores: it falls where a proxy is hacked; 0 where either is constant."""
    own = [episode for episode in episodes if episode.valid and not episode.oracle and not episode.hinted]
    paid, true = [episode.reward for episode in own], [episode.score.value for episode in own if episode.score]
    return correlation(paid, true) if len(set(paid)) > 1 and len(set(true)) > 1 else 0.0


def reward_accuracy(episodes: Sequence[Episode]) -> float:
    """The share of right responses among those that are paid most in their group, as a mean over the groups of the policy's own responses."""
    groups: dict[int, list[Episode]] = {}
    for episode in episodes:
        if episode.valid and not episode.oracle and not episode.hinted:
            groups.setdefault(episode.group, []).append(episode)
    best = [[episode for episode in group if episode.reward == max(other.reward for other in group)] for group in groups.values()]
    return _mean([_mean([float(episode.solved) for episode in group]) for group in best])


def part_means(episodes: Sequence[Episode]) -> dict[str, float]:
    """The mean of each named part of the scores, over the episodes whose score has it."""
    values: dict[str, list[float]] = {}
    for episode in episodes:
        for name, value in (episode.score.parts if episode.score else {}).items():
            values.setdefault(name, []).append(float(value))
    return {f"reward_part/{name}": _mean(found) for name, found in sorted(values.items())}


def group_fates(offered: Sequence[Episode], learned: Sequence[Episode]) -> dict[str, float]:
    """What became of the groups of a step, as shares that sum to 1.

    learned   at least one episode is in the update
    masked    no episode has a valid score
    solved    dropped, with all rewards equal and every valid episode solved
    unsolved  dropped, with all rewards equal and none solved
    equal     dropped, with other equal rewards
    filtered  dropped by a filter although the rewards differ
    """
    groups: dict[int, list[Episode]] = {}
    for episode in offered:
        groups.setdefault(episode.group, []).append(episode)
    kept = {episode.group for episode in learned}
    fates = Counter("learned" if group in kept else _fate_of_dropped(episodes) for group, episodes in groups.items())
    return {f"group_fate/{name}": fates[name] / max(1, len(groups)) for name in GROUP_FATES}


def _fate_of_dropped(episodes: Sequence[Episode]) -> str:
    valid = [episode for episode in episodes if episode.valid]
    if not valid:
        return "masked"
    if not rewards_are_equal([episode.reward for episode in valid]):
        return "filtered"
    solved = sum(episode.solved for episode in valid)
    return "solved" if solved == len(valid) else "equal" if solved else "unsolved"


def _staleness(episodes: Sequence[Episode], version: int) -> dict[str, float]:
    """The age of the sampled tokens in updates: the mean and the largest."""
    ages = [(version - sampled_by, tokens) for episode in episodes for sampled_by, tokens in episode.segments]
    total = sum(tokens for _, tokens in ages)
    mean = sum(age * tokens for age, tokens in ages) / max(1, total)
    return {"staleness": mean, "staleness_max": float(max((age for age, _ in ages), default=0))}


def _solved_lengths(episodes: Sequence[Episode]) -> dict[str, float]:
    """The shortest and the longest response among the solved rollouts of a group, as means over the groups that have one."""
    groups: dict[int, list[int]] = {}
    for episode in episodes:
        if episode.solved:
            groups.setdefault(episode.group, []).append(episode.num_sampled)
    return {
        "response_length_solved_min": _mean([float(min(lengths)) for lengths in groups.values()]),
        "response_length_solved_max": _mean([float(max(lengths)) for lengths in groups.values()]),
    }


def span_metrics(episodes: Sequence[Episode]) -> dict[str, float]:
    """Metrics of the steps (or turns) of rollouts: their number, the fraction of wrong ones, and how right answers were reached.

    cot_solve_rate        solved, with working whose checked steps are all right
    flawed_positive_rate  of the solved rollouts, those with a wrong step
    """
    kinds = [span.kind for episode in episodes for span in episode.spans or ()]
    solved = [episode for episode in episodes if episode.solved]
    return {
        "steps_found": len(kinds) / max(1, len(episodes)),
        "steps_wrong": kinds.count("wrong") / max(1, len(kinds)),
        "cot_solve_rate": _mean([float(episode.solved and episode.sound) for episode in episodes]),
        "flawed_positive_rate": _mean([float(any(span.kind == "wrong" for span in episode.spans or ())) for episode in solved]),
    }


def solve_rates(episodes: Sequence[Episode]) -> dict[str, float]:
    """The fraction of solved episodes by environment and level."""
    by_label: dict[str, list[float]] = {}
    for episode in episodes:
        if episode.valid:
            by_label.setdefault(episode.task.label, []).append(float(episode.solved))
    return {label: _mean(solved) for label, solved in sorted(by_label.items())}


def transcripts(episodes: Sequence[Episode], count: int, step: int) -> list[dict[str, Any]]:
    """Sample episodes as data, with the score and its reason; one per group, so that they show different tasks."""
    first = list({episode.group: episode for episode in reversed(episodes)}.values())[::-1]
    return [
        {"step": step, "task": episode.task.label, "messages": episode.messages, "score": episode.score.to_dict(), "reward": episode.reward}
        for episode in first[:count]
        if episode.score
    ]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
