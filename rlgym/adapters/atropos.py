"""An environment server for Atropos: plays any of rlgym's environments against its inference servers, and scores groups."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Iterator
from typing import Any

import rlgym
from rlgym.answers import Style
from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, sample, to_task_json

with extra("atropos"):
    from atroposlib.envs.base import APIServerConfig, BaseEnv, BaseEnvConfig, ScoredDataGroup, ScoredDataItem

logger = logging.getLogger(__name__)


class RlgymEnvConfig(BaseEnvConfig):
    """Which tasks are played, and how. `count` tasks are drawn in one pass; the next pass draws others."""

    names: list[str] = ["all"]
    levels: list[float] = [0.0, 0.25, 0.5, 0.75, 1.0]
    seed: int = 0
    count: int = 10000
    answer_style: Style = "tag"
    temperature: float = 1.0
    eval_count: int = 100


class RlgymEnv(BaseEnv):
    """Tasks of the train split to train on, those of the test split to evaluate with."""

    name = "rlgym"
    env_config_cls = RlgymEnvConfig

    def __init__(self, config: RlgymEnvConfig, server_configs: Any, slurm: bool = False, testing: bool = False) -> None:
        super().__init__(config, server_configs, slurm, testing)
        self._tasks: Iterator[str] = self._train_tasks()
        self._new_metrics: dict[str, float] = {}

    @classmethod
    def config_init(cls) -> tuple[RlgymEnvConfig, list[APIServerConfig]]:
        """A start: name tokenizer, model and server on the command line, with --env.* and --openai.*"""
        return RlgymEnvConfig(use_wandb=False), [APIServerConfig(server_type="vllm", base_url="http://localhost:9001/v1", api_key="none")]

    async def setup(self) -> None:
        """Sample the first task, so that an invalid recipe fails at once."""
        self._tasks = itertools.chain([next(self._tasks)], self._tasks)

    async def get_next_item(self) -> str:
        """The task JSON of the next task."""
        return next(self._tasks)

    async def collect_trajectory(self, item: str) -> tuple[ScoredDataItem | None, list[str]]:
        """One played task with its tokens; nothing where its score is not the model's fault."""
        return await self._play(item, self.config.temperature), []

    async def collect_trajectories(self, item: str) -> tuple[ScoredDataGroup | None, list[str]]:
        """A group of played tasks. Samples that say nothing about the model are dropped, and the group size shrinks accordingly."""
        played = await asyncio.gather(*(self._play(item, self.config.temperature) for _ in range(self.config.group_size)))
        kept = [group_data for group_data in played if group_data is not None]
        if not kept:
            return None, []
        group = {key: [group_data[key] for group_data in kept] for key in ("tokens", "masks", "scores", "messages", "inference_logprobs")}
        smaller = {"group_size": len(kept)} if len(kept) < len(played) else {}
        return {**group, "group_overrides": smaller}, []

    async def evaluate(self, *args: Any, **kwargs: Any) -> None:
        """Play tasks of the test split once, without chance; what is not the model's fault is counted apart."""
        played = await asyncio.gather(*(self._play(item, 0.0, "eval") for item in self._test_tasks()))
        scores = [group_data["scores"] for group_data in played if group_data is not None]
        metrics = {"eval/left_out": float(len(played) - len(scores))}
        if scores:
            metrics |= {"eval/score": sum(scores) / len(scores), "eval/right": sum(score == 1 for score in scores) / len(scores)}
        self._new_metrics |= metrics
        await self.evaluate_log(metrics=metrics, generation_parameters={"temperature": 0.0, "max_tokens": self.config.max_token_length})

    async def wandb_log(self, wandb_metrics: dict[str, Any] | None = None) -> None:
        """Log the metrics of the last evaluation, too."""
        metrics, self._new_metrics = self._new_metrics, {}
        await super().wandb_log({**(wandb_metrics or {}), **metrics})

    async def _play(self, item: str, temperature: float, split: str = "train") -> dict[str, Any] | None:
        row = from_task_json(item)
        session, turns = Session(row), list[str]()
        messages = [{"role": "user", "content": session.observation}]
        async with self.server.managed_server(tokenizer=self.tokenizer, preserve_think_blocks=True) as managed:
            used = 0
            while not session.done and used < self.config.max_token_length:
                left = self.config.max_token_length - used
                answer = await managed.chat_completion(messages=messages, n=1, max_tokens=left, temperature=temperature, split=split)
                turns.append(answer.choices[0].message.content or "")
                # Verifiers that run programs block, and this loop serves many rollouts.
                observation = await asyncio.to_thread(session.step, turns[-1])
                messages.append({"role": "assistant", "content": turns[-1]})
                if observation:
                    messages.append({"role": "user", "content": observation})
                used = max(len(node.tokens) for node in managed.get_state()["nodes"])
            nodes = managed.get_state()["nodes"]
        if len(nodes) != 1:
            raise RuntimeError(
                f"the chat template of {self.config.tokenizer_name!r} changes earlier turns, so that {row['id']!r} is no single sequence: "
                "use a template that only adds to what there is"
            )
        # An episode that the token limit cut short counts as it stands.
        score = session.score
        if score is None:
            score = await asyncio.to_thread(rlgym.score, row, turns)
        if score.masked:
            logger.warning("the row %r is left out: %s", row["id"], score.reason)
            return None
        [node] = nodes
        return {
            "tokens": node.tokens,
            "masks": node.masked_tokens,
            "scores": score.value,
            "messages": messages,
            "inference_logprobs": node.logprobs,
        }

    def _train_tasks(self) -> Iterator[str]:
        seed = self.config.seed
        while True:
            for row in self._rows(self.config.count, "train", seed):
                yield to_task_json(row)
            seed += 1

    def _test_tasks(self) -> list[str]:
        return [to_task_json(row) for row in self._rows(self.config.eval_count, "test", self.config.seed)]

    def _rows(self, count: int, split: str, seed: int) -> Iterator[dict[str, Any]]:
        config = self.config
        return sample(config.names, count, split=split, seed=seed, levels=config.levels, answer_style=config.answer_style)


if __name__ == "__main__":
    RlgymEnv.cli()
