"""Training of a second model along with the policy: a generative verifier by reinforcement or by its own votes, or a reward model on corrupted pairs.

verdicts  policy gradient on critiques whose reward is 1 where their verdict on the response is the verifier's, standardised over the critiques of a response,
          from "RL Tango: Reinforcing Generator and Verifier Together for Language Reasoning"
votes     likelihood of the critiques that agree with the vote on every step, from "SPARK: Stepwise Process-Aware Rewards for Reference-Free
          Reinforcement Learning"
pairs     -log sigmoid(logit of the right response - logit of its corrupted copy), from "Cooper: Co-Optimizing Policy and Reward Models in Reinforcement
          Learning for Large Language Models"
solutions after each round, from its initial weights, the logistic loss of its verdict on solutions of all rounds, from "Prover-Verifier Games improve
          legibility of LLM outputs"

Axes: T tokens of all sequences, N sequences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, logsigmoid

from rlgym.train.config.sections import ModelConfig
from rlgym.train.data.collate import collate
from rlgym.train.model.backend import load_policy_model
from rlgym.train.model.state import engine_weights, load_reference_state, reference_state
from rlgym.train.rollout.corrupted import CorruptedPair, corrupted_pairs
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.judge import answers_of, verdict_questions
from rlgym.train.rollout.second_models import folder_of
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.optimizers import clip_and_step
from rlgym.train.update.policy import PolicyForward, loss_gradients
from rlgym.train.update.solution_pool import SolutionPool

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.judge_training import JudgeTrainingConfig
    from rlgym.train.config.schema import Config
    from rlgym.train.config.second_models import JudgeRewardConfig
    from rlgym.train.rollout.collect import CollectedRollouts
    from rlgym.train.rollout.critiques import Critique
    from rlgym.train.rollout.second_models import SecondModel
    from rlgym.train.rollout.worker import RolloutWorker

EPSILON = 1e-6
"""Added to the standard deviation."""


@dataclass(frozen=True)
class WeightedText:
    """A continuation of a prompt, in tokens of the judge; the loss is minus the sum of weights times log-probabilities."""

    prompt: tuple[int, ...]
    tokens: tuple[int, ...]
    weight: float


@dataclass
class JudgeTraining:
    """The judge in the precision of its weights, its optimizer and its options; `second` is the copy that judges."""

    second: SecondModel
    passes: PolicyForward
    optimizer: torch.optim.Optimizer
    options: JudgeTrainingConfig
    version: int = 0
    pool: SolutionPool = field(default_factory=SolutionPool)
    initial: dict[str, Tensor] = field(default_factory=dict)

    def trains_policy(self, step: int) -> bool:
        """Whether the policy is trained in a step, counted from 0."""
        if self.options.objective == "solutions" and step < self.options.round_steps:
            return False
        alternate = self.options.alternate_steps
        return alternate is None or step % sum(alternate) < alternate[0]

    def trains_judge(self, step: int) -> bool:
        """Whether the judge is trained in a step, counted from 0."""
        return self.options.alternate_steps is None or not self.trains_policy(step)

    def learn(
        self, worker: RolloutWorker, rollouts: CollectedRollouts, judged: JudgeRewardConfig | None, seed: int, step: int
    ) -> dict[str, float]:
        """One optimizer step on the rollouts of a step, or at the end of a round several; the judging copy gets the weights. The metrics."""
        if self.options.objective == "solutions":
            assert judged is not None
            metrics = self._learn_solutions(worker, rollouts.sampled, judged, seed, step)
        elif self.options.objective == "pairs":
            assert judged is not None
            metrics = self._learn_pairs(worker, corrupted_pairs(worker, rollouts.sampled, seed), judged)
        else:
            weigh = reinforced if self.options.objective == "verdicts" else imitated
            texts, metrics = weigh(rollouts.critiques, self.options)
            metrics |= self._learn_texts(texts)
        return {f"judge_training/{name}": value for name, value in metrics.items()}

    def _learn_texts(self, texts: Sequence[WeightedText]) -> dict[str, float]:
        texts = [text for text in texts if text.weight and text.tokens]
        if not texts:
            return {"updates": 0.0}
        batch_weights = torch.tensor([text.weight for text in texts], device=self.passes.model.device)
        loss = self._step([(text.prompt, text.tokens) for text in texts], lambda logprob_N: -(batch_weights * logprob_N).sum())
        return {"loss": loss, "updates": 1.0}

    def _learn_pairs(self, worker: RolloutWorker, pairs: Sequence[CorruptedPair], judged: JudgeRewardConfig) -> dict[str, float]:
        """The answers of the judge to its question on both responses of each pair; its logit is log P(first) - log P(second)."""
        if not pairs:
            return {"pairs": 0.0, "updates": 0.0}
        episodes = [episode for pair in pairs for episode in (pair.right, pair.corrupted)]
        prompts = [tuple(self.second.chat.prompt_tokens(text)) for text in verdict_questions(self.second, worker, episodes, judged)]
        options = [tuple(self.second.chat.encode(answer)) for answer in answers_of(judged)]
        margins: list[Tensor] = []

        def pair_loss(logprob_N: Tensor) -> Tensor:
            logit_N = logprob_N[0::2] - logprob_N[1::2]
            margins.append((logit_N[0::2] - logit_N[1::2]).detach())
            return -logsigmoid(logit_N[0::2] - logit_N[1::2]).mean()

        loss = self._step([(prompt, option) for prompt in prompts for option in options], pair_loss)
        return {"pairs": float(len(pairs)), "accuracy": float((margins[0] > 0).float().mean()), "loss": loss, "updates": 1.0}

    def _learn_solutions(
        self, worker: RolloutWorker, episodes: Sequence[Episode], judged: JudgeRewardConfig, seed: int, step: int
    ) -> dict[str, float]:
        """Keep the solutions of a step; after the last step of a round, train the judge from its initial weights on those of all rounds."""
        valid, size = [episode for episode in episodes if episode.valid], self.options.round_steps
        questions = verdict_questions(self.second, worker, valid, judged)
        labelled = [(question, episode.solved) for question, episode in zip(questions, valid, strict=True)]
        self.pool.add(step // size, labelled, self.options.keep)
        metrics = {"solutions": float(sum(map(len, self.pool.rounds)))}
        if (step + 1) % size:
            return metrics
        load_reference_state(self.passes.model, self.initial)
        self.optimizer.state.clear()
        options = [tuple(self.second.chat.encode(answer)) for answer in answers_of(judged)]
        losses, accuracies = list[float](), list[float]()
        for batch in self.pool.batches(self.options.updates, self.options.batch_size, seed):
            sequences = [(tuple(self.second.chat.prompt_tokens(text)), option) for text, _ in batch for option in options]

            def labels_loss(logprob_N: Tensor, batch: Sequence[tuple[str, bool]] = batch) -> Tensor:
                logit_N = logprob_N[0::2] - logprob_N[1::2]
                right_N = torch.tensor([float(right) for _, right in batch], device=logit_N.device)
                accuracies.append(float(((logit_N > 0) == (right_N > 0)).float().mean()))
                return binary_cross_entropy_with_logits(logit_N, right_N)

            losses.append(self._step(sequences, labels_loss))
        last = losses[-10:]
        return metrics | {"loss": fmean(last or [0.0]), "accuracy": fmean(accuracies[-10:] or [0.0]), "updates": float(len(losses))}

    def _step(self, sequences: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], loss_of: Any) -> float:
        """One optimizer step on a function of the log-probabilities of continuations after their prompts; its value before the step.

        Gradients that are not finite change nothing.
        """
        batch = collate([_as_episode(place, *sequence) for place, sequence in enumerate(sequences)], self.passes.model.device)

        def objective(new_logprobs_T: Tensor, entropy_T: Tensor) -> tuple[Tensor, dict[str, float]]:
            zero_N = torch.zeros(len(sequences), device=new_logprobs_T.device)
            loss = loss_of(zero_N.index_add(0, batch.rollout_T, new_logprobs_T.where(batch.loss_mask_T, 0.0)))
            return loss, {"loss": float(loss.detach())}

        output = self.passes.forward(batch)
        gradient_T, _, metrics = loss_gradients(objective, output.logprob_T, output.entropy_T)
        self.passes.backward(batch, gradient_T)
        if math.isfinite(clip_and_step(self.passes.model, self.optimizer, self.options.max_grad_norm)):
            self.version += 1
            self._publish()
        return metrics["loss"]

    def _publish(self) -> None:
        """Give the present weights to the copy that judges."""
        self.second.engine.update_weights(engine_weights(self.passes.model, self.second.engine), self.version)

    def state_dict(self) -> dict[str, Any]:
        """Weights and optimizer, for a checkpoint."""
        state = {"weights": reference_state(self.passes.model), "optimizer": self.optimizer.state_dict(), "version": self.version}
        return state | {"pool": self.pool.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a `state_dict`; the copy that judges gets the weights too."""
        load_reference_state(self.passes.model, state["weights"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.version, self.pool = state["version"], SolutionPool.from_state_dict(state.get("pool"))
        self._publish()


def load_judge_training(
    config: Config, second_models: dict[str, SecondModel], device: torch.device, dtype: torch.dtype
) -> JudgeTraining | None:
    """The configured training of a second model; None if there is none."""
    options = config.algorithm.judge_training
    if options is None:
        return None
    chosen = config.second_models[options.model]
    model = load_policy_model(ModelConfig(path=str(folder_of(chosen, config)), backend=chosen.backend)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.lr, betas=(0.9, 0.95), weight_decay=0.0)
    passes = PolicyForward(model, config.update.tokens_per_micro_batch, 1.0, dtype)
    initial = {name: weight.clone() for name, weight in reference_state(model).items()} if options.objective == "solutions" else {}
    return JudgeTraining(second_models[options.model], passes, optimizer, options, initial=initial)


def reinforced(critiques: Sequence[Critique], options: JudgeTrainingConfig) -> tuple[list[WeightedText], dict[str, float]]:
    """Each critique with its standardised reward over the number of tokens of all critiques, and how often readable verdicts agree with the verifier.

    By hand: of four critiques of a right response, "none", "2", "none" and an unreadable one, the rewards are 1, 0, 1 and 0.
    """
    groups: dict[Any, list[Critique]] = {}
    for critique in critiques:
        groups.setdefault(critique.key, []).append(critique)
    total = max(1, sum(len(critique.tokens) for critique in critiques))
    texts = []
    for members in groups.values():
        rewards = [critique_reward(each, options.format_reward) for each in members]
        mean, deviation = fmean(rewards), pstdev(rewards)
        texts += [
            WeightedText(each.prompt, each.tokens, (reward - mean) / (deviation + EPSILON) / total)
            for each, reward in zip(members, rewards, strict=True)
        ]
    readable = [(not each.wrong) == each.solved for each in critiques if each.wrong is not None]
    return texts, {"agreement": fmean(readable) if readable else 0.0}


def critique_reward(critique: Critique, format_reward: float) -> float:
    """1 for a verdict on the response that is the verifier's, plus the reward of a readable one."""
    return 0.0 if critique.wrong is None else float((not critique.wrong) == critique.solved) + format_reward


def imitated(critiques: Sequence[Critique], options: JudgeTrainingConfig) -> tuple[list[WeightedText], dict[str, float]]:
    """The critiques that agree with the vote on every step, each token with the same weight, and their share."""
    chosen = [critique for critique in critiques if critique.agrees]
    total = max(1, sum(len(critique.tokens) for critique in chosen))
    texts = [WeightedText(critique.prompt, critique.tokens, 1 / total) for critique in chosen]
    return texts, {"imitated": len(chosen) / max(1, len(critiques))}


def _as_episode(place: int, prompt: tuple[int, ...], tokens: tuple[int, ...]) -> Episode:
    """A sequence as an episode, whose continuation is what is scored."""
    both = [*prompt, *tokens]
    mask = [False] * len(prompt) + [True] * len(tokens)
    return Episode(place, place, TaskSpec("judge", 0.0, 0, ""), both, mask, [0.0] * len(both), None)
