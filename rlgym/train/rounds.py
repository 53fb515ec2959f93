"""The episodes of one step: a round of play, and further rounds while groups with a signal are missing.

Each round draws tasks and plays them. What becomes of a round is decided from its seed and the verdicts alone, so that a step
that is made again comes out the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rlgym import Rng
from rlgym.train.config import Config
from rlgym.train.episodes import Episode
from rlgym.train.flight import Played, Tick, fetch, play
from rlgym.train.help import failed, with_hints, with_oracle, without_hints
from rlgym.train.rewarding import penalised
from rlgym.train.samplers import tasks_to_draw
from rlgym.train.sets import more_for_the_hard, paired

if TYPE_CHECKING:
    from rlgym.train.run import Run


@dataclass
class Gathered:
    """What was played in a step; groups are numbered through its rounds.

    arms     for each group its arm of the curriculum
    played   the policy's episodes as they were judged
    offered  those that an update may learn from, with the rewards that it is to see
    sampled  tokens that the policy sampled in all
    seconds  how long playing took, of several ranks the slowest
    judged   seconds that judging took, all scoring processes together
    hinted   episodes of groups that were tried again with a hint
    replaced how many episodes were replaced by the oracle's
    more     how many further episodes hard tasks got
    """

    arms: list[int] = field(default_factory=list)
    played: list[Episode] = field(default_factory=list)
    offered: list[Episode] = field(default_factory=list)
    sampled: int = 0
    seconds: float = 0.0
    judged: float = 0.0
    hinted: list[Episode] = field(default_factory=list)
    replaced: int = 0
    more: int = 0
    facts: dict[str, float] = field(default_factory=dict)

    def count(self, played: Played) -> None:
        """Add what playing cost."""
        self.sampled += sum(episode.sampled for episode in played.episodes)
        self.seconds += played.seconds
        self.judged += played.judged


def gather(run: Run, tick: Tick) -> Gathered:
    """Play the groups of a step; with `algorithm.refill`, others in place of those without a signal, in up to so many rounds.

    Of the groups with a signal the first `rollout.groups` are kept. From "DAPO: An Open-Source LLM Reinforcement Learning System
    at Scale", with the number of tasks drawn at once as in "CodeV-R1: Reasoning-Enhanced Verilog Generation".
    """
    config, out = run.config, Gathered()
    take(run, out, 0, fetch(run, tick), tick)
    if config.algorithm.refill:
        refill(run, out, tick)
    if config.algorithm.hints:
        right = [float(episode.score is not None and episode.score.value == 1) for episode in out.hinted if episode.valid]
        out.facts |= {"hinted": float(len(groups_of(out.hinted))), "hinted_solve": sum(right) / len(right) if right else 0.0}
    if config.algorithm.oracle:
        out.facts["oracle"] = float(out.replaced)
    if config.algorithm.most_rollouts:
        out.facts["more_rollouts"] = float(out.more)
    if config.algorithm.pairs:
        out.offered, found = paired(out.offered, run.seed("pairs"))
        out.facts["pairs"] = float(found)
    return out


def refill(run: Run, out: Gathered, tick: Tick) -> None:
    """Play further rounds until there are enough groups with a signal, and keep the first of them."""
    config, rounds = run.config, 1
    wanted = config.rollout.groups
    while (found := len(groups_of(with_signal(out.offered, config)))) < wanted and rounds <= config.algorithm.refill:
        chosen = run.curriculum.choose(run.step, tasks_to_draw(wanted - found, found / len(out.arms), wanted), rounds)
        seed = run.seed(f"rollout {rounds}")
        take(run, out, rounds, play(run, [arm for arm, _ in chosen], [pick for _, pick in chosen], seed, tick), tick)
        rounds += 1
    useful = with_signal(out.offered, config)
    first = set(groups_of(useful)[:wanted])
    out.offered = [episode for episode in useful if episode.group in first]
    out.facts |= {"rounds": float(rounds), "groups_drawn": float(len(out.arms)), "groups_kept": float(len(first))}


def take(run: Run, out: Gathered, number: int, played: Played, tick: Tick) -> None:
    """Take in the episodes of a round."""
    episodes = played.episodes
    again = f" {number}" if number else ""
    for episode in episodes:
        episode.group += len(out.arms)
    out.arms += played.arms
    out.played += episodes
    out.count(played)
    out.offered += helped(run, out, episodes, again, tick)


def helped(run: Run, out: Gathered, episodes: list[Episode], again: str, tick: Tick) -> list[Episode]:
    """The episodes of a round as they are offered: with further ones of hard tasks, penalties, hinted ones, and the oracle's."""
    config = run.config
    if config.algorithm.most_rollouts:
        more = more_for_the_hard(run, episodes, again, tick)
        out.count(more)
        out.more += len(more.episodes)
        episodes = episodes + more.episodes
    episodes = penalised(episodes, config)
    if config.algorithm.shuffled:
        episodes = shuffled(episodes, run.seed(f"shuffled{again}"))
    if config.algorithm.hints:
        groups = failed(episodes)
        retried = play(run, [], with_hints(run, groups), run.seed(f"hints{again}"), tick)
        out.count(retried)
        tried = without_hints(retried.episodes, list(groups))
        out.hinted += tried
        episodes = episodes + penalised(tried, config)
    if config.algorithm.oracle:
        episodes, replaced = with_oracle(run, episodes, failed(episodes))
        out.replaced += replaced
    return episodes


def groups_of(episodes: Sequence[Episode]) -> list[int]:
    """The groups that have an episode here, in order."""
    return list(dict.fromkeys(episode.group for episode in episodes))


def with_signal(episodes: Sequence[Episode], config: Config) -> list[Episode]:
    """The episodes that an update learns from: none that is masked, cut (if so wished), or in a group that is all alike."""
    kept = [episode for episode in episodes if episode.valid and not (config.algorithm.skip_cut and episode.cut)]
    if not config.algorithm.skip_dead:
        return kept
    rewards: dict[int, set[float]] = {}
    for episode in kept:
        rewards.setdefault(episode.group, set()).add(episode.reward)
    return [episode for episode in kept if len(rewards[episode.group]) > 1]


def shuffled(episodes: Sequence[Episode], seed: int) -> list[Episode]:
    """The episodes with their rewards dealt out at random among all that have one: the control that must not learn."""
    valid = [n for n, episode in enumerate(episodes) if episode.valid]
    dealt = dict(zip(valid, Rng("shuffled", seed).shuffled([episodes[n].reward for n in valid]), strict=True))
    return [replace(episode, reward=dealt.get(n, episode.reward)) for n, episode in enumerate(episodes)]
