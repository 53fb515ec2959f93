"""Proposals: the policy states new tasks, attempts those that are valid, and learns from both in one update.

From "STP: Self-play LLM Theorem Provers with Iterative Conjecturing and Proving" (conjectures that few attempts prove) and "Absolute Zero:
Reinforced Self-play Reasoning with Zero Data" (programs, and learnability as reward).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

import rlgym
from rlgym import Outcome, Refused, Rng, Score, Task
from rlgym.core.answer import Unreadable
from rlgym.core.task import Origin
from rlgym.dataset.proposed import proposals_of, proposed_start, proposer_prompt
from rlgym.dataset.rows import content_hash, split_of
from rlgym.sandbox import get_runner
from rlgym.train.rollout.async_rollout import RolloutBatch
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.scoring import start_of
from rlgym.train.rollout.worker import hash_seed

if TYPE_CHECKING:
    from rlgym.train.config.proposer import ProposerConfig
    from rlgym.train.rollout.worker import RolloutProgress, RolloutWorker

ROLE = "propose"


@dataclass
class ProposalStore:
    """The proposals of a run that were rewarded, by environment and as they are written, the newest last; and all that were valid."""

    kept: dict[str, list[str]] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def add(self, name: str, written: str, most: int) -> None:
        """Keep a proposal, and drop the oldest beyond `most`."""
        self.kept[name] = [*self.kept.get(name, []), written][-most:]

    def state_dict(self) -> dict[str, Any]:
        """The store as plain data, for a checkpoint."""
        return {"kept": self.kept, "seen": sorted(self.seen)}

    @classmethod
    def from_state_dict(cls, state: dict[str, Any] | None) -> ProposalStore:
        """The store of a checkpoint."""
        return cls(dict(state["kept"]), set(state["seen"])) if state else cls()


@dataclass
class _Stated:
    """A proposal: the episode that made it, its text, and the task that it states; otherwise why it states none."""

    episode: Episode
    written: str = ""
    task: Task[Any] | None = None
    reason: str = ""
    rate: float | None = None


def propose(
    worker: RolloutWorker,
    episodes: Sequence[Episode],
    options: ProposerConfig,
    store: ProposalStore,
    group_size: int,
    seed: int,
    on_progress: RolloutProgress | None = None,
) -> tuple[RolloutBatch, dict[str, float], list[dict[str, Any]]]:
    """The proposals of a step and the attempts at the valid ones, as episodes with groups of their own; metrics; and a record of each proposal.

    Tasks of the step are shown as examples. A proposal counts as valid if it is a task of the environment that no prompt of the run has stated before
    and that the run does not hold out. Groups have negative numbers, those of proposers first. Metrics are `proposals`, `valid_proposals` and
    `rewarded_proposals` (shares of them), and `proposed_solve_rate`, that of the attempts.
    """
    worker = replace(worker, settings=replace(worker.settings, reward_shaping=(), token_rewards=None), branching=None)
    scoring, start = worker.pool.seconds, time.perf_counter()
    asked = _asked(worker, episodes, options, store, seed)
    worker.sample_responses({episode.key: episode for episode, _ in asked}, hash_seed(f"{seed} propose"))
    found = [_stated(worker, episode, example, store) for episode, example in asked]
    attempts = _attempt(worker, found, options.attempts or group_size, seed, on_progress)
    for proposal in found:
        _pay(proposal, options, store)
    valid = [proposal for proposal in found if proposal.rate is not None]
    metrics = {"proposals": float(len(found))}
    if found:
        metrics["valid_proposals"] = len(valid) / len(found)
        metrics["rewarded_proposals"] = sum(proposal.episode.solved for proposal in found) / len(found)
    if valid:
        metrics["proposed_solve_rate"] = fmean(proposal.rate for proposal in valid if proposal.rate is not None)
    made = [*(proposal.episode for proposal in found), *attempts]
    return (
        RolloutBatch([], made, time.perf_counter() - start, worker.pool.seconds - scoring),
        metrics,
        [_record(proposal) for proposal in found],
    )


def _asked(
    worker: RolloutWorker, episodes: Sequence[Episode], options: ProposerConfig, store: ProposalStore, seed: int
) -> list[tuple[Episode, Task[Any]]]:
    """The episodes at their prompts, each with the task that it shows. Prompts that leave no room for a response are left out."""
    first = {episode.group: episode for episode in reversed(episodes) if episode.valid and episode.group >= 0}
    rng, out = Rng("proposals", seed), list[tuple[Episode, Task[Any]]]()
    for number, group in enumerate(rng.shuffled(sorted(first))[: options.prompts]):
        shown = first[group]
        example = start_of(replace(shown.task, seed=shown.seed, hint_fraction=0.0), worker.settings).task
        store.seen.add(_hash(shown.task.name, example))
        kept, proposals = store.kept.get(shown.task.name, []), proposals_of(shown.task.name)
        assert proposals is not None
        text = proposer_prompt(proposals, example, rng.sample(kept, min(options.examples, len(kept))), worker.settings.answer_style)
        tokens = worker.chat.prompt_tokens(text)
        if len(tokens) >= worker.max_seq_len:
            continue
        task = replace(shown.task, name=f"{shown.task.name}:{ROLE}", seed=shown.seed, split="", retry=0, hint_fraction=0.0)
        for _ in range(options.group_size):
            episode = Episode(len(out), -1 - number, task, [], [], [], None, seed=shown.seed)
            episode.append_observation(tokens)
            episode.messages.append(("user", text))
            out.append((episode, example))
    return out


def _stated(worker: RolloutWorker, episode: Episode, example: Task[Any], store: ProposalStore) -> _Stated:
    """What a response proposes."""
    name = episode.task.name.removesuffix(f":{ROLE}")
    proposals = proposals_of(name)
    assert proposals is not None
    text = worker.chat.decode(episode.open_response)
    episode.messages.append(("assistant", text))
    try:
        proposal = proposals.answer.parse_response(text, worker.settings.answer_style, "")
    except Unreadable as why:
        return _Stated(episode, reason=str(why))
    written = proposals.answer.render(proposal)
    try:
        stated = proposals.state(example, proposal, *(() if proposals.sandbox is None else (get_runner(proposals.sandbox),)))
    except Refused as why:
        return _Stated(episode, written, reason=str(why))
    hashed, held_out = _hash(name, stated), worker.settings.held_out_fraction
    if hashed in store.seen:
        return _Stated(episode, written, reason="the task has been stated before")
    if split_of(hashed, {"train": 1 - held_out, "test": held_out}) != "train":
        return _Stated(episode, written, reason="the run holds this task out")
    store.seen.add(hashed)
    origin = Origin(name, rlgym.environment(name).version, hash_seed(hashed), {}, episode.task.level)
    return _Stated(episode, written, replace(stated, origin=origin))


def _attempt(worker: RolloutWorker, found: Sequence[_Stated], size: int, seed: int, on_progress: RolloutProgress | None) -> list[Episode]:
    """`size` attempts at every valid proposal, scored by its environment. One whose prompt leaves no room for a response becomes invalid."""
    attempts: list[Episode] = []
    first = max((-proposal.episode.group for proposal in found), default=0)
    for number, proposal in enumerate(found):
        if proposal.task is None:
            continue
        origin = proposal.task.origin
        assert origin is not None
        state = proposed_start(proposal.task, worker.settings.answer_style)
        tokens = worker.chat.prompt_tokens(state.observation)
        if len(tokens) >= worker.max_seq_len:
            proposal.task, proposal.reason = None, "the task has no room in rollout.max_seq_len"
            continue
        for _ in range(size):
            task = replace(proposal.episode.task, name=origin.name)
            episode = Episode(len(attempts), -1 - first - number, task, [], [], [], state, seed=origin.seed)
            episode.append_observation(tokens)
            episode.messages.append(("user", state.observation))
            attempts.append(episode)
    worker.resume(attempts, hash_seed(f"{seed} attempts"), on_progress)
    solved, counted = Counter[int](), Counter[int]()
    for episode in attempts:
        counted[episode.group] += episode.valid
        solved[episode.group] += episode.solved
    for number, proposal in enumerate(found):
        group = -1 - first - number
        if proposal.task is not None and counted[group]:
            proposal.rate = solved[group] / counted[group]
    return attempts


def _pay(proposal: _Stated, options: ProposerConfig, store: ProposalStore) -> None:
    """Score a proposal: right if it is rewarded. One whose attempts have no valid score has none either."""
    episode, rate = proposal.episode, proposal.rate
    if not proposal.written:
        episode.finish(Score.nothing(Outcome.UNREADABLE, proposal.reason), options.unreadable_reward)
    elif proposal.task is None:
        episode.finish(Score.wrong(proposal.reason), options.invalid_reward)
    elif rate is None:
        episode.finish(Score.nothing(Outcome.ERROR, "no attempt has a valid score"), 0.0)
    else:
        low, high = options.band
        reward = float(low < rate <= high) if options.reward == "band" else (1 - rate if 0 < rate < 1 else 0.0)
        episode.finish(Score.exact(reward > 0, f"the solve rate is {rate:g}"), reward)
        if reward > 0:
            store.add(episode.task.name.removesuffix(f":{ROLE}"), proposal.written, options.keep)


def _record(proposal: _Stated) -> dict[str, Any]:
    episode = proposal.episode
    name, text = episode.task.name.removesuffix(f":{ROLE}"), proposal.written or episode.transcript
    return {"env": name, "proposal": text, "reason": proposal.reason, "solve_rate": proposal.rate, "reward": episode.reward}


def _hash(name: str, task: Task[Any]) -> str:
    return content_hash({"env": name, "prompt": task.prompt})
