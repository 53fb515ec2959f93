"""Environments for the Tinker cookbook: groups of episodes of a row, and the datasets of such groups."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import rlgym
from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, sample, to_task_json
from rlgym.dataset.session import tool_calls_text

with extra("tinker"):
    import chz
    import tinker
    from tinker_cookbook.renderers import Renderer, get_renderer, get_text_content
    from tinker_cookbook.rl.types import Env, EnvGroupBuilder, RLDataset, RLDatasetBuilder, StepResult
    from tinker_cookbook.tokenizer_utils import get_tokenizer


class RlgymEnv(Env):
    """One episode of a row. The reward comes with its last turn, or with `turn_rewards` as the progress of each turn, with the same sum.

    What is not the model's fault is raised, and is no reward.
    """

    def __init__(self, task_json: str, renderer: Renderer, turn_rewards: bool = False) -> None:
        self._turn_rewards = turn_rewards
        self._session, self._renderer, self._turns = Session(from_task_json(task_json)), renderer, list[str]()
        self._messages: list[Any] = [{"role": "user", "content": self._session.observation}]

    async def initial_observation(self) -> tuple[tinker.ModelInput, Any]:
        """The prompt's tokens, and where the model's turn stops."""
        return await self._prompt(), self._renderer.get_stop_sequences()

    async def step(self, action: list[int], *, extra: Any = None) -> StepResult:
        """Take the model's turn. A truncated turn is scored as it stands, and is the last."""
        message, ending = self._renderer.parse_response(action)
        whole = ending.is_clean and (extra or {}).get("stop_reason", "stop") == "stop"
        self._turns.append(spoken(message))
        # Verifiers that run programs block, and this loop serves many rollouts.
        observation = await asyncio.to_thread(self._session.step, self._turns[-1])
        score, row = self._session.score, self._session.row
        if score is None and not whole:
            score = await asyncio.to_thread(rlgym.score, row, self._turns)
        if score is not None and score.masked:
            raise RuntimeError(f"the row {row['id']!r} cannot be scored: {score.reason}")
        self._messages.append(message)
        if score is None:
            self._messages.append({"role": "user", "content": observation})
        value = score.value if score else 0.0
        if self._turn_rewards:
            rewards = await asyncio.to_thread(lambda: self._session.turn_rewards)
            # An episode that was cut short has a score that its session lacks.
            value = value - sum(rewards[:-1]) if score else rewards[-1]
        done = {"right": float(score.value == 1), "turns": len(self._turns)} if score else {}
        return StepResult(
            reward=value,
            episode_done=score is not None,
            next_observation=tinker.ModelInput.empty() if score else await self._prompt(),
            next_stop_condition=self._renderer.get_stop_sequences(),
            metrics={**done, "cut_short": float(not whole)},
            logs={"row": row["id"], "outcome": score.outcome.value, "reason": score.reason} if score else {},
        )

    async def _prompt(self) -> tinker.ModelInput:
        return await asyncio.to_thread(self._renderer.build_generation_prompt, self._messages)


def spoken(message: Any) -> str:
    """What a message says: its text or, where the renderer read tool calls out of it, these calls as JSON."""
    if calls := message.get("tool_calls"):
        return tool_calls_text((call.function.name, call.function.arguments) for call in calls)
    return "\n".join([get_text_content(message), *(call.raw_text for call in message.get("unparsed_tool_calls") or [])])


@dataclass(frozen=True)
class RlgymGroupBuilder(EnvGroupBuilder):
    """A group of episodes of one row. It holds a text and a renderer, and can be pickled."""

    task_json: str
    renderer: Renderer
    group_size: int
    turn_rewards: bool = False

    async def make_envs(self) -> Sequence[Env]:
        """Fresh episodes; RowError for damaged task JSON."""
        return [RlgymEnv(self.task_json, self.renderer, self.turn_rewards) for _ in range(self.group_size)]

    def logging_tags(self) -> list[str]:
        """The environment's name, and rlgym's."""
        return [from_task_json(self.task_json)["env"], "rlgym"]


class RlgymDataset(RLDataset):
    """`batches` batches of tasks, sampled on request: the same arguments give the same ones, also after a restart."""

    def __init__(
        self,
        names: Sequence[str],
        renderer: Renderer,
        *,
        batch_size: int,
        batches: int,
        group_size: int,
        turn_rewards: bool = False,
        **recipe: Any,
    ) -> None:
        self._turn_rewards = turn_rewards
        self._renderer, self._group_size, self._size, self._batches = renderer, group_size, batch_size, batches
        self._drawn: list[str] = []
        self._rows: Iterator[dict[str, Any]] = sample(list(names), batch_size * batches, **recipe)

    def get_batch(self, index: int) -> list[RlgymGroupBuilder]:
        """The groups of a batch."""
        if not 0 <= index < self._batches:
            raise IndexError(f"there are {self._batches} batches, got index={index}")
        first, last = index * self._size, (index + 1) * self._size
        while len(self._drawn) < last:
            self._drawn.append(to_task_json(next(self._rows)))
        return [RlgymGroupBuilder(row, self._renderer, self._group_size, self._turn_rewards) for row in self._drawn[first:last]]

    def __len__(self) -> int:
        return self._batches


@chz.chz
class RlgymDatasetBuilder(RLDatasetBuilder):
    """Tasks of the train split to train on and, with `test_count`, one batch of the test split."""

    model_name_for_tokenizer: str
    renderer_name: str
    names: Sequence[str] = ("all",)
    levels: Sequence[float] = (0.0, 0.25, 0.5, 0.75, 1.0)
    seed: int = 0
    batch_size: int = 64
    batches: int = 100
    group_size: int = 8
    test_count: int = 0
    turn_rewards: bool = False

    async def __call__(self) -> tuple[RlgymDataset, RlgymDataset | None]:
        """The datasets of training and, if requested, of testing."""
        renderer = get_renderer(self.renderer_name, get_tokenizer(self.model_name_for_tokenizer))
        given: dict[str, Any] = {"levels": list(self.levels), "seed": self.seed, "turn_rewards": self.turn_rewards}
        train = RlgymDataset(
            self.names, renderer, batch_size=self.batch_size, batches=self.batches, group_size=self.group_size, split="train", **given
        )
        if not self.test_count:
            return train, None
        return train, RlgymDataset(self.names, renderer, batch_size=self.test_count, batches=1, group_size=1, split="test", **given)


__all__ = ["RlgymDataset", "RlgymDatasetBuilder", "RlgymEnv", "RlgymGroupBuilder", "spoken"]
