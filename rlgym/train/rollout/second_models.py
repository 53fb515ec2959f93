"""Frozen second models, of any size and with their own tokenizers: they score given texts and sample continuations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from rlgym.train.config.sections import ModelConfig
from rlgym.train.model.backend import engine_copy, load_policy_model
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.model.transformers_model import TransformersModel
from rlgym.train.registry import OptionError
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.engines.base import Continuation
from rlgym.train.rollout.engines.failures import SCORING, engine_failures
from rlgym.train.rollout.engines.native import NativeEngine
from rlgym.train.rollout.engines.transformers_engine import TransformersEngine

if TYPE_CHECKING:
    from rlgym.train.config.schema import Config
    from rlgym.train.config.second_models import SecondModelConfig
    from rlgym.train.rollout.engines.base import Engine
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.worker import RolloutWorker


@dataclass(frozen=True)
class SecondModel:
    """A frozen model with its engine and its own chat encoding; `max_seq_len` limits a prompt with what follows."""

    name: str
    engine: Engine
    chat: Chat
    max_seq_len: int

    def choose(self, questions: Sequence[str], answers: tuple[str, str]) -> list[float]:
        """For each question, the probability of the first of two answers relative to both. Raises OptionError for one that is too long."""
        prompts = [self.chat.prompt_tokens(question) for question in questions]
        options = [self.chat.encode(answer) for answer in answers]
        room = self.max_seq_len - 1 - max(map(len, options))
        if longest := max((len(prompt) for prompt in prompts if len(prompt) > room), default=0):
            raise OptionError(
                f"a question to second_models.{self.name} has {longest} tokens, and second_models.{self.name}.max_seq_len={self.max_seq_len}: "
                "raise it, or shorten the question"
            )
        asked = [Continuation(tuple(prompt), tuple(option)) for prompt in prompts for option in options]
        with engine_failures(self.engine, SCORING):
            scores = [sum(logprobs) for logprobs in self.engine.score(asked)]
        first, second = torch.tensor(scores[::2]), torch.tensor(scores[1::2])
        found: list[float] = torch.sigmoid(first - second).tolist()
        return found

    def as_worker(self, worker: RolloutWorker) -> RolloutWorker:
        """The worker of the policy with this model in the policy's place; tasks and scoring stay."""
        return replace(worker, engine=self.engine, chat=self.chat, max_seq_len=self.max_seq_len)

    def in_own_tokens(self, episode: Episode) -> Episode:
        """The episode of one turn, encoded by the tokenizer of this model."""
        response = self.chat.response_tokens(episode.messages[-1][1])
        prompt = self.chat.prompt_tokens(episode.messages[0][1])
        return replace(
            episode,
            tokens=[*prompt, *response],
            loss_mask=[False] * len(prompt) + [True] * len(response),
            logprobs=[0.0] * (len(prompt) + len(response)),
        )


def load_second_models(config: Config, device: torch.device) -> dict[str, SecondModel]:
    """All models of `second_models` by their names, in the precision of the forward passes."""
    dtype = torch.bfloat16 if config.compute.dtype_on(device.type) == "bfloat16" else torch.float32
    return {name: _load(name, chosen, folder_of(chosen, config), device, dtype) for name, chosen in config.second_models.items()}


def folder_of(chosen: SecondModelConfig, config: Config) -> Path:
    """The folder of a second model."""
    return Path(chosen.path or config.model.path)


def _load(name: str, chosen: SecondModelConfig, folder: Path, device: torch.device, dtype: torch.dtype) -> SecondModel:
    loaded = load_policy_model(ModelConfig(path=str(folder), backend=chosen.backend))
    model = engine_copy(loaded, dtype).to(device)
    limits = {"max_num_seqs": chosen.max_num_seqs, "max_seq_len": chosen.max_seq_len}
    engine: Engine = TransformersEngine(model, **limits) if isinstance(model, TransformersModel) else NativeEngine(model, **limits)
    chat = Chat(load_tokenizer(folder), **chosen.chat_template_kwargs)
    return SecondModel(name, engine, chat, min(chosen.max_seq_len, model.shape.max_seq_len))
