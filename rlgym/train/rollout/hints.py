"""Help for unsolved groups: a retry with a hint in the prompt, and the oracle's own rollout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from rlgym import Score
from rlgym.train.rollout.corrections import corrected_episode
from rlgym.train.rollout.episodes import Episode
from rlgym.train.sft.data import build_example
from rlgym.train.tasks.spec import TaskSpec

if TYPE_CHECKING:
    from rlgym.train.config.algorithm import AlgorithmConfig
    from rlgym.train.run import Run


def hinted_tasks(
    groups: Mapping[int, TaskSpec], stage: int, algorithm: AlgorithmConfig, episodes: Sequence[Episode] = ()
) -> list[TaskSpec]:
    """The tasks of these groups with the hint of a stage in the prompt; stages count from 1.

    The tier `feedback` shows that on the last failed one of the group's episodes.
    """
    if algorithm.hint_tiers:
        share, tier = stage / len(algorithm.hint_tiers), algorithm.hint_tiers[stage - 1]
        said = {episode.group: episode.feedback for episode in episodes if episode.feedback and not episode.solved}
        feedback = said if tier == "feedback" else {}
        return [replace(task, hint_fraction=share, hint_tier=tier, feedback=feedback.get(group, "")) for group, task in groups.items()]
    return [replace(task, hint_fraction=algorithm.hint_fraction * stage / algorithm.hint_stages) for task in groups.values()]


def numbered_hints(episodes: Sequence[Episode], groups: Sequence[int], prompt: Literal["removed", "kept"]) -> list[Episode]:
    """Hinted episodes numbered as the groups that they retry, without the hint in their prompt or as they were sampled.

    Episodes whose prompt left no room for a response are dropped.
    """
    numbered = [replace(episode, group=groups[episode.group]) for episode in episodes if episode.num_sampled]
    return numbered if prompt == "kept" else [strip_hint(episode) for episode in numbered]


def join_hinted(episodes: Sequence[Episode], hinted: Sequence[Episode], join: Literal["all", "one"]) -> list[Episode]:
    """The episodes of a round with the hinted ones of their groups.

    `one` replaces the last episode of a group by its first right hinted one, so that the group keeps its size, and leaves groups without one as
    they are. From "Scaf-GRPO: Scaffolded Group Relative Policy Optimization for Enhancing LLM Reasoning".
    """
    if join == "all":
        return [*episodes, *hinted]
    out = list(episodes)
    for group in dict.fromkeys(episode.group for episode in hinted):
        right = next((episode for episode in hinted if episode.group == group and episode.solved), None)
        if right is not None:
            place = max(index for index, episode in enumerate(out) if episode.group == group)
            out[place] = replace(right, key=out[place].key)
    return out


def strip_hint(episode: Episode) -> Episode:
    """The episode with the hint removed from its prompt. Sampled tokens and their log-probabilities stay as they were."""
    start = episode.loss_mask.index(True)
    prompt = len(episode.prompt_without_hint)
    return replace(
        episode,
        tokens=[*episode.prompt_without_hint, *episode.tokens[start:]],
        loss_mask=[False] * prompt + episode.loss_mask[start:],
        logprobs=[0.0] * prompt + episode.logprobs[start:],
        hinted=True,
        spans=episode.spans and [replace(span, start=span.start + prompt - start, end=span.end + prompt - start) for span in episode.spans],
    )


def insert_oracle_rollouts(run: Run, episodes: Sequence[Episode], groups: Mapping[int, TaskSpec]) -> tuple[list[Episode], int, int]:
    """The episodes with the last ones of these groups replaced by the oracle's, the number of replaced episodes, and that of corrections among them.

    `algorithm.oracle_fraction` of a group is replaced, at least one episode; with `algorithm.oracle_prefix: right_steps` by a correction of a failed
    episode, where it has right steps. A group stays as it is if the oracle's episode exceeds the
    context. The reward of an oracle's episode is its score, without shaping; with `algorithm.oracle_reward: smoothed` it is, in a group that
    the policy solves, the mean reward of the group's own episodes, so that the oracle's is neither reinforced nor preferred there. From
    "ViSurf: Visual Supervised-and-Reinforcement Fine-Tuning for Large Vision-and-Language Models".
    """
    out, num_replaced, num_corrected = list(episodes), 0, 0
    for group, task in groups.items():
        corrected = None
        if run.config.algorithm.oracle_prefix == "right_steps":
            corrected = corrected_episode(run, group, task, [each for each in episodes if each.group == group and _is_failed(each)])
        written = corrected or oracle_episode(run, group, task)
        members = [index for index, episode in enumerate(out) if episode.group == group and not episode.hinted]
        count = max(1, round(run.config.algorithm.oracle_fraction * len(members))) if written else 0
        reward = _oracle_reward(run, [out[index] for index in members[: len(members) - count]])
        for index in members[len(members) - count :]:
            assert written is not None
            out[index] = replace(written, key=out[index].key, reward=reward)
            num_replaced += 1
            num_corrected += corrected is not None
    return out, num_replaced, num_corrected


def _is_failed(episode: Episode) -> bool:
    """True for a rollout of the policy alone that was not solved."""
    return episode.valid and not (episode.solved or episode.hinted or episode.oracle)


def _oracle_reward(run: Run, own: Sequence[Episode]) -> float:
    """The reward of the oracle's episode among the policy's own episodes of its group."""
    valid = [episode for episode in own if episode.valid]
    if run.config.algorithm.oracle_reward == "score" or not any(episode.solved for episode in valid):
        return 1.0
    return sum(episode.reward for episode in valid) / len(valid)


def oracle_episode(run: Run, group: int, task: TaskSpec) -> Episode | None:
    """The oracle's explanation and answer as an episode of a group; None if it exceeds the context."""
    example = build_example(run.worker.chat, task, run.worker.settings, explain=True)
    if len(example.tokens) > run.config.rollout.max_seq_len:
        return None
    tokens, loss_mask = list(example.tokens), list(example.loss_mask)
    # The probability under the source is unknown and taken to be 1.
    episode = Episode(0, group, task, tokens, loss_mask, [0.0] * len(tokens), None, version=run.version, oracle=True)
    episode.finish(Score.exact(True), 1.0)
    return episode
