"""How much an update on some tasks changes the likelihood of right solutions of others.

From "The Reasoning Boundary Paradox": reinforcement learning on some problems may lower the likelihood of right solutions of others, which it never
samples again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlgym import Score
from rlgym.train.data.collate import collate
from rlgym.train.data.segment_sums import mean_N
from rlgym.train.rollout.episodes import Episode
from rlgym.train.sft.data import build_example
from rlgym.train.tasks.curriculum import eval_tasks

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.run import Run


@dataclass
class Interference:
    """The oracle's solutions of held-out tasks, and the mean log-probability of a token of each under the present policy."""

    batch: Batch
    logprob_N: Tensor

    @classmethod
    def start(cls, run: Run) -> Interference | None:
        """The solutions of `log.interference_tasks` held-out tasks of every environment and level, before the next update; None for none."""
        count = run.config.log.interference_tasks
        if not count:
            return None
        episodes = []
        for number, task in enumerate(eval_tasks(run.config.tasks, count, run.config.evaluation.levels, ())):
            example = build_example(run.worker.chat, task, run.worker.settings, explain=True)
            if len(example.tokens) <= run.config.rollout.max_seq_len:
                tokens, mask = list(example.tokens), list(example.loss_mask)
                episode = Episode(number, number, task, tokens, mask, [0.0] * len(tokens), None)
                episode.finish(Score.exact(True), 1.0)
                episodes.append(episode)
        if not episodes:
            return None
        batch = collate(episodes, run.device)
        return cls(batch, mean_N(run.policy.forward(batch).logprob_T, batch))

    def measure(self, run: Run) -> dict[str, float]:
        """Score the solutions after an update.

        interference        mean change of the log-probability of a token of a right solution, in nats; below 0 the update hurt
        interference_share  fraction of the solutions that became less likely
        """
        after_N = mean_N(run.policy.forward(self.batch).logprob_T, self.batch)
        change_N, self.logprob_N = after_N - self.logprob_N, after_N
        return {"interference": float(change_N.mean()), "interference_share": float((change_N < 0).float().mean())}
