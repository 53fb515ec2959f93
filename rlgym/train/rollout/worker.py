"""The rollout worker: starts episodes, samples their responses, and has them scored, turn by turn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rlgym import Outcome, Score
from rlgym.train.config.branching import BranchingConfig
from rlgym.train.config.sections import TrainError
from rlgym.train.rewards.token_rewards import PAID_BY_CHANGE, RewardSpan, after_first_wrong, token_positions
from rlgym.train.rollout.branching import Branching
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.engines.base import Completion, Engine, SamplingParams
from rlgym.train.rollout.engines.failures import engine_failures
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.scoring import ScoringJob, ScoringPool, StepResult
from rlgym.train.rollout.self_play import self_play
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

MAX_REPLACEMENTS = 20
"""How many tasks in a row may be replaced because their prompts are too long."""

RolloutProgress = Callable[[int, int], None]
"""Called with the number of finished episodes and the number of all."""


@dataclass(frozen=True)
class RolloutWorker:
    """Samples episodes: the engine, the scoring pool, the chat encoding, and the limits.

    max_new_tokens  token limit of one response
    max_seq_len     token limit of a whole episode
    deterministic   start the next turns only when all current turns are done, so that the order of requests is reproducible
    branching       rollouts of a group branch after observations; None where all start from the prompt
    self_play       the policy plays all seats of matches, each of them an episode
    vocab_size      tokens of the vocabulary, which entropies are relative to
    """

    engine: Engine
    pool: ScoringPool
    chat: Chat
    settings: TaskSettings
    max_new_tokens: int
    max_seq_len: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    deterministic: bool = True
    branching: BranchingConfig | None = None
    self_play: bool = False
    vocab_size: int = 2

    def rollout(
        self,
        tasks: Sequence[TaskSpec],
        group_size: int,
        seed: int,
        on_progress: RolloutProgress | None = None,
        group_ids: Sequence[int] | None = None,
    ) -> list[Episode]:
        """Sample `group_size` episodes of each task, in the order of the tasks. `seed` determines what is sampled.

        `group_ids` are the numbers of the groups if the tasks are a part of a larger list; the samples of a group depend on its number.
        """
        episodes = self.start(tasks, group_size, group_ids)
        if self.self_play:
            return self_play(self, episodes, seed, on_progress)
        self.resume(episodes, seed, on_progress)
        return episodes

    def start(self, tasks: Sequence[TaskSpec], group_size: int, group_ids: Sequence[int] | None = None) -> list[Episode]:
        """`group_size` episodes of each task at their first prompt."""
        return _start_episodes(self, tasks, group_size, range(len(tasks)) if group_ids is None else group_ids)

    def resume(self, episodes: Sequence[Episode], seed: int, on_progress: RolloutProgress | None = None, segment_tokens: int = 0) -> None:
        """Continue episodes with the present weights, each until it ends or has sampled `segment_tokens` more tokens (0: no limit).

        An episode that reaches that limit is left without a score; its response may have begun.
        """
        unfinished = [episode for episode in episodes if episode.score is None]
        branches = self._branching(seed)
        running = {episode.key: episode for episode in (branches.hold_back(unfinished) if branches else unfinished)}
        left = {episode.key: segment_tokens or self.max_seq_len for episode in unfinished}
        self._submit(sorted(running), running, left, seed)
        next_turn: list[int] = []
        while running:
            jobs = []
            for key, completion in self._step():
                running[key].append_completion(completion)
                if branches:
                    branches.measure(running[key], completion)
                left[key] -= len(completion.tokens)
                if self._is_paused(running[key], left[key]):
                    del running[key]
                else:
                    jobs.append(self._scoring_job(running[key], seed))
            self.pool.submit(jobs)
            for key, result in self.pool.done(wait=self.engine.pending == 0):
                episode = running[key]
                self._apply(episode, result)
                if episode.score is None and left[key]:
                    next_turn.append(key)
                else:
                    del running[key]
            if next_turn and (not self.deterministic or self.engine.pending == self.pool.pending == 0):
                branched = branches.branch(sorted(next_turn), running) if branches else []
                running |= {episode.key: episode for episode in branched}
                self._submit(sorted([*next_turn, *(episode.key for episode in branched)]), running, left, seed)
                next_turn = []
            if branches and not running:
                running |= {episode.key: episode for episode in branches.release()}
                self._submit(sorted(running), running, left, seed)
            if on_progress:
                on_progress(len(episodes) - len(running), len(episodes))

    def sample_responses(self, episodes: Mapping[int, Episode], seed: int) -> None:
        """Sample the next response of each episode with the present weights, all of them before any is used."""
        running = dict(episodes)
        self._submit(sorted(running), running, dict.fromkeys(running, self.max_seq_len), seed)
        while self.engine.pending:
            for key, completion in self._step():
                running[key].append_completion(completion)

    def _step(self) -> list[tuple[int, Completion]]:
        """The requests that the engine finished. Raises TrainError if the engine fails; a run then resumes from its last checkpoint."""
        with engine_failures(self.engine, "while it sampled"):
            return self.engine.step()

    def _branching(self, seed: int) -> Branching | None:
        if self.branching is None:
            return None

        def uniform(episode: Episode, number: int) -> float:
            return hash_seed(f"{seed} {episode.key} {len(episode.tokens)} branch {number}") / 2**63

        return Branching(self.branching, self.vocab_size, uniform)

    def _submit(self, keys: Sequence[int], running: dict[int, Episode], left: Mapping[int, int], seed: int) -> None:
        for key in keys:
            episode = running[key]
            room = min(self.max_new_tokens - len(episode.open_response), self.max_seq_len - len(episode.tokens), left[key])
            request_seed = hash_seed(f"{seed} {key} {len(episode.tokens)}")
            params = SamplingParams(room, self.temperature, self.top_p, self.top_k, self.chat.stop, request_seed)
            with engine_failures(self.engine, "when it got a prompt"):
                self.engine.submit(key, episode.tokens, params)

    def _is_paused(self, episode: Episode, left: int) -> bool:
        """Whether the limit of this step, and no other, ended the response."""
        full = len(episode.open_response) >= self.max_new_tokens or len(episode.tokens) >= self.max_seq_len
        return left == 0 and episode.truncated and not full

    def _scoring_job(self, episode: Episode, seed: int) -> ScoringJob:
        episode.messages.append(("assistant", self.chat.decode(episode.open_response)))
        rollout_seed = hash_seed(f"{seed} {episode.key} reward")
        return ScoringJob(episode.key, episode.task, self.settings, episode.snapshot, episode.messages[-1][1], rollout_seed)

    def _apply(self, episode: Episode, result: StepResult) -> None:
        if self.settings.token_rewards is not None:
            self._add_spans(episode, result.spans, self.settings.token_rewards.unchecked)
        episode.feedback = result.feedback
        episode.invalid_turns += not result.valid
        if result.score is not None:
            episode.finish(result.score, result.reward)
            return
        episode.snapshot = result.snapshot
        tokens = self.chat.turn_tokens(result.observation, not episode.truncated)
        if len(episode.tokens) + len(tokens) >= self.max_seq_len:
            episode.truncated = True
            episode.finish(Score.wrong("the context had no room for another turn"), 0.0)
            return
        episode.append_observation(tokens)
        episode.messages.append(("user", result.observation))

    def _add_spans(self, episode: Episode, spans: Sequence[RewardSpan], unchecked: float) -> None:
        """Add the spans of the last response, as positions of its tokens."""
        episode.spans = episode.spans or []
        if not spans:
            return
        first = len(episode.tokens) - len(episode.open_response)
        ends = self.chat.character_ends(episode.tokens[first:])
        episode.spans += token_positions(spans, ends, first)
        chosen = self.settings.token_rewards
        if chosen is not None and chosen.source == "turns" and chosen.turn_reward not in PAID_BY_CHANGE:
            episode.spans = after_first_wrong(episode.spans, unchecked)


def hash_seed(key: str) -> int:
    """A seed below 2^63 from a text."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 1


def _start_episodes(worker: RolloutWorker, tasks: Sequence[TaskSpec], group_size: int, group_ids: Sequence[int]) -> list[Episode]:
    """The episodes of all tasks at their first prompt."""
    starts = _first_prompts(worker, tasks)
    episodes = []
    for index, group in enumerate(group_ids[: len(tasks)]):
        task, result, prompt = starts[index]
        without_hint = worker.chat.prompt_tokens(result.observation_without_hint) if task.hint_fraction else []
        fits = len(prompt) < worker.max_seq_len
        for member in range(group_size):
            key = group * group_size + member
            episode = Episode(key, group, task, [], [], [], result.snapshot, content=result.content, prompt_without_hint=without_hint)
            episode.seed = result.seed
            episode.append_observation(prompt if fits else prompt[:1])
            episode.messages.append(("user", result.observation))
            if result.score is not None:
                episode.finish(result.score, 0.0)
            elif not fits:
                reason = f"the prompt with its hint has {len(prompt)} tokens and rollout.max_seq_len is {worker.max_seq_len}"
                episode.finish(Score.nothing(Outcome.ERROR, reason), 0.0)
            episodes.append(episode)
    return episodes


def _first_prompts(worker: RolloutWorker, tasks: Sequence[TaskSpec]) -> dict[int, tuple[TaskSpec, StepResult, list[int]]]:
    """The first prompts of all tasks. A task whose prompt leaves no room for a response is replaced by another of its kind.

    A task with a hint stays, because the group that it retries is of this task. Raises TrainError after `MAX_REPLACEMENTS` in a row.
    """
    starts: dict[int, tuple[TaskSpec, StepResult, list[int]]] = {}
    waiting = dict(enumerate(tasks))
    while waiting:
        worker.pool.submit([ScoringJob(index, task, worker.settings) for index, task in waiting.items()])
        results: dict[int, StepResult] = {}
        while worker.pool.pending:
            results.update(worker.pool.done(wait=True))
        too_long: dict[int, TaskSpec] = {}
        for index, task in waiting.items():
            prompt = worker.chat.prompt_tokens(results[index].observation)
            starts[index] = task, results[index], prompt
            if len(prompt) < worker.max_seq_len or task.hint_fraction or results[index].score is not None:
                continue
            if task.retry == MAX_REPLACEMENTS:
                raise TrainError(
                    f"{MAX_REPLACEMENTS + 1} prompts of {task.label} in a row are too long, the last with {len(prompt)} tokens, but "
                    f"rollout.max_seq_len={worker.max_seq_len}: raise it, lower the level, or leave the environment out"
                )
            too_long[index] = replace(task, retry=task.retry + 1)
        waiting = too_long
    return starts
