"""Our side: the steps of the training loop itself, with a count of what they did."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from rlgym.train.bench.setting import Dealing, Setting, Work, configuration, picks
from rlgym.train.episodes import Chat
from rlgym.train.loop import one_step
from rlgym.train.run import Run
from rlgym.train.scoring import Job, Rules, do
from rlgym.train.tokenizer import load_tokenizer
from rlgym.train.update import Scorer
from rlgym.train.watch import Watch

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch


@dataclass(frozen=True, kw_only=True)
class Counting(Scorer):
    """Notes the tokens that it carries a gradient through."""

    count: Work

    def descend(
        self, batch: Batch, slope_T: Tensor, entropy_slope_T: Tensor | None, value_slope_T: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        needed_T = slope_T != 0
        lengths_N = torch.bincount(batch.rollout_T, minlength=len(batch.reward_N))
        self.count.trained += int(needed_T.sum())
        self.count.read += int(lengths_N[batch.rollout_T[needed_T].unique()].sum())
        return super().descend(batch, slope_T, entropy_slope_T, value_slope_T)


def longest_prompt(setting: Setting, folder: Path) -> int:
    """Tokens of the longest prompt of all steps."""
    probe = configuration(setting, folder, 1)
    chat, rules = Chat(load_tokenizer(probe.model)), Rules(probe.seed, probe.held_out, probe.rollout.style)
    return max(len(chat.opening(do(Job(0, pick, rules))[1].observation)) for step in picks(probe) for pick in step)


class Ours:
    """A run of ours that is led step by step."""

    def __init__(self, setting: Setting, folder: Path, longest_prompt: int, out: Path | None = None) -> None:
        self.setting = setting
        self.run = Run.open(configuration(setting, folder, longest_prompt, out))
        self.run.player.pool.close()
        self.run.player = replace(self.run.player, pool=Dealing())
        self.run.player.chat.stop = ()  # every response has its full length

    def step(self) -> Work:
        """One step of reinforcement learning."""
        work, run = Work(), self.run
        run.scorer = Counting(**{field.name: getattr(run.scorer, field.name) for field in fields(Scorer)}, count=work)
        begun = time.perf_counter()
        facts, times = one_step(run, Watch())
        # By our own clock: the step's leaves out what it does after its last mark.
        work.seconds = time.perf_counter() - begun
        work.sampled = round(facts["length"] * self.setting.rollouts)
        judged = times["seconds_scoring"]
        work.parts = {"sampling": times["seconds_rollout"] - judged, "tasks and verdicts": judged}
        work.parts["training"] = work.seconds - sum(work.parts.values())
        return work

    def close(self) -> None:
        """End the run."""
        self.run.close()
