"""Self-distillation: the policy learns from an averaged copy of itself whose prompt also contains a right response of the group, or feedback on a wrong one.

Every token of a response is scored by the teacher after the longer prompt; the loss is the divergence of both distributions over the policy's `top_k`
tokens and one more token for all others. From "Reinforcement Learning via Self-Distillation" (SDPO), by the formulas of its code.

Axes: T tokens of all rollouts, N rollouts, P tokens of a micro-batch, S scored tokens, E width, V vocabulary, K compared tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING, Any

import torch
from torch.utils.checkpoint import checkpoint

from rlgym.train.data.collate import collate
from rlgym.train.data.segment_sums import used_T
from rlgym.train.model.backend import load_policy_model
from rlgym.train.model.decoder import matmul_float32
from rlgym.train.model.logprobs import MAX_LOGITS_AT_ONCE, scored_chunks, token_chunks
from rlgym.train.model.state import copy_to_reference, load_reference_state, reference_state
from rlgym.train.update.policy import PolicyForward

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.distillation import SelfDistillationConfig
    from rlgym.train.config.schema import Config
    from rlgym.train.data.batch import Batch
    from rlgym.train.model.backend import PolicyModel
    from rlgym.train.model.packing import Pack
    from rlgym.train.rollout.chat import Chat
    from rlgym.train.rollout.episodes import Episode

SOLUTION = "\n\nCorrect solution:\n\n{solution}"
FEEDBACK = "\n\nThe following is feedback on your unsuccessful earlier attempt:\n\n{feedback}"
CLOSING = "\n\nSolve the task above correctly."
MIN_REST = 1e-7
"""The least probability of the tokens that are not compared."""


@dataclass
class SelfDistillation:
    """The passes of the teacher, and the options."""

    teacher: PolicyForward
    options: SelfDistillationConfig

    def restart(self, policy: PolicyModel) -> None:
        """Make the teacher a copy of the present policy."""
        copy_to_reference(policy, self.teacher.model)

    @torch.no_grad()
    def follow(self, policy: PolicyModel) -> None:
        """Move the teacher's weights towards the policy's."""
        for mine, new in zip(self.teacher.model.parameters(), policy.parameters(), strict=True):
            mine.lerp_(new.to(mine.dtype), self.options.teacher_rate)

    def add_targets(
        self, batch: Batch, policy: PolicyForward, episodes: Sequence[Episode], chat: Chat, max_tokens: int
    ) -> tuple[Batch, dict[str, float]]:
        """The batch with the compared tokens and the teacher's log-probabilities of them, and metrics.

        Rollouts whose longer prompt leaves no room within `max_tokens` have none.
        """
        prompts = teacher_prompts(episodes, self.options)
        taught = {place: with_longer_prompt(episodes[place], text, chat) for place, text in prompts.items()}
        taught = {place: episode for place, episode in taught.items() if len(episode.tokens) <= max_tokens}
        valid = sum(episode.valid for episode in episodes)
        metrics = {
            "distilled_fraction": len(taught) / max(1, valid),
            "distilled_by_solution": _with_solution(prompts, taught) / max(1, valid),
        }
        count = min(self.options.top_k, policy.model.shape.vocab_size)
        compared_TK = policy.measure(batch, _top_tokens(count), width=count).long()
        teacher_TK = torch.full(compared_TK.shape, float("nan"), device=compared_TK.device)
        if taught:
            chosen_N = torch.zeros_like(batch.valid_N)
            chosen_N[list(taught)] = True
            own_T = batch.loss_mask_T & chosen_N[batch.rollout_T]
            longer = collate([taught[place] for place in sorted(taught)], batch.tokens_T.device)
            asked_TK = compared_TK.new_zeros(len(longer.tokens_T), count)
            asked_TK[longer.loss_mask_T] = compared_TK[own_T]
            teacher_TK[own_T] = self.teacher.measure(longer, _log_probabilities(asked_TK), width=count)[longer.loss_mask_T]
        return replace(batch, compared_TK=compared_TK, teacher_TK=teacher_TK), metrics

    def backward(self, policy: PolicyForward, batch: Batch) -> dict[str, float]:
        """Accumulate the weight gradients of coef times the mean divergence over the tokens that have a teacher; the divergence as a metric."""
        assert batch.teacher_TK is not None
        distilled_T = used_T(batch) & ~batch.teacher_TK[:, 0].isnan()
        count = int(distilled_T.sum())
        if not count:
            return {"distillation_loss": 0.0}
        chosen_N = torch.zeros_like(batch.valid_N)
        chosen_N[batch.rollout_T[distilled_T]] = True
        total = policy.backward_of(batch, chosen_N, divergences(batch, distilled_T, self.options), self.options.coef / count)
        return {"distillation_loss": total / count}

    def state_dict(self) -> dict[str, Any]:
        """The teacher's weights, for a checkpoint."""
        return reference_state(self.teacher.model)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a `state_dict`."""
        load_reference_state(self.teacher.model, state)


def load_distillation(config: Config, device: torch.device, dtype: torch.dtype) -> SelfDistillation | None:
    """The configured self-distillation, with a teacher that is a copy of the initial policy; None if there is none."""
    options = config.algorithm.self_distillation
    if options is None:
        return None
    teacher = load_policy_model(config.model).requires_grad_(False).to(device)
    return SelfDistillation(PolicyForward(teacher, config.update.tokens_per_micro_batch, config.rollout.temperature, dtype), options)


# --- what the teacher reads


def teacher_prompts(episodes: Sequence[Episode], options: SelfDistillationConfig) -> dict[int, str]:
    """What follows the first prompt for the teacher, by the place of the episode; episodes without a solution or feedback have none."""
    solutions: dict[int, list[int]] = {}
    for place, episode in enumerate(episodes):
        if episode.valid and episode.reward >= options.success_threshold and not (episode.hinted or episode.oracle):
            solutions.setdefault(episode.group, []).append(place)
    out = {}
    for place, episode in enumerate(episodes):
        if not episode.valid or episode.hinted or episode.oracle or episode.auxiliary:
            continue
        others = [other for other in solutions.get(episode.group, ()) if other != place or options.own_solution]
        said = episode.feedback if episode.reward < options.success_threshold else ""
        shows = bool(said) and (options.feedback == "always" or (options.feedback == "without_solution" and not others))
        if others or shows:
            solution = SOLUTION.format(solution=episodes[others[0]].transcript) if others else ""
            out[place] = f"{solution}{FEEDBACK.format(feedback=said) if shows else ''}{CLOSING}"
    return out


def with_longer_prompt(episode: Episode, text: str, chat: Chat) -> Episode:
    """The episode with a text after its first prompt; the sampled tokens stay."""
    start = episode.loss_mask.index(True)
    prompt = chat.prompt_tokens(episode.messages[0][1] + text)
    return replace(
        episode,
        tokens=[*prompt, *episode.tokens[start:]],
        loss_mask=[False] * len(prompt) + episode.loss_mask[start:],
        logprobs=[0.0] * len(prompt) + episode.logprobs[start:],
        spans=None,
    )


def _with_solution(prompts: dict[int, str], taught: dict[int, Episode]) -> int:
    return sum(prompts[place].startswith(SOLUTION.partition("{")[0]) for place in taught)


# --- distributions over the compared tokens


def _top_tokens(count: int) -> Any:
    """A score of packs: the numbers of the most likely tokens at each place."""

    def score(model: PolicyModel, pack: Pack, mask_P: Tensor | None, temperature: float, hidden_PE: Tensor | None) -> tuple[Tensor, Tensor]:
        found_PK = torch.zeros(len(pack.tokens_T), count, device=pack.tokens_T.device)
        for index_S, _, logits_SV, _ in scored_chunks(model, pack, mask_P, temperature, hidden_PE):
            found_PK[index_S] = logits_SV.topk(count, 1).indices.float()  # exact for vocabularies below 2^24
        return found_PK, found_PK[:, 0]

    return score


def _log_probabilities(asked_TK: Tensor) -> Any:
    """A score of packs: the log-probabilities of these tokens at each place."""

    def score(model: PolicyModel, pack: Pack, mask_P: Tensor | None, temperature: float, hidden_PE: Tensor | None) -> tuple[Tensor, Tensor]:
        assert pack.source_T is not None
        found_PK = torch.zeros(len(pack.tokens_T), asked_TK.shape[1], device=pack.tokens_T.device)
        for index_S, _, logits_SV, _ in scored_chunks(model, pack, mask_P, temperature, hidden_PE):
            found_PK[index_S] = logits_SV.gather(1, asked_TK[pack.source_T[index_S]]) - logits_SV.logsumexp(1, keepdim=True)
        return found_PK, found_PK[:, 0]

    return score


def with_rest(logprob_SK: Tensor) -> Tensor:
    """The log-probabilities with that of all other tokens as the last column."""
    total_S1 = logprob_SK.logsumexp(1, keepdim=True).clamp(max=-MIN_REST)
    return torch.cat([logprob_SK, (-torch.expm1(total_S1)).log()], 1)


def divergence_S(student_SK: Tensor, teacher_SK: Tensor, alpha: float) -> Tensor:
    """KL(teacher || student) for alpha 0, KL(student || teacher) for 1; else (1 - alpha) KL(student || mixture) + alpha KL(teacher || mixture).

    The mixture is (1 - alpha) student + alpha teacher; 1/2 gives the Jensen-Shannon divergence.
    """
    if alpha == 0:
        return _kl_S(teacher_SK, student_SK)
    if alpha == 1:
        return _kl_S(student_SK, teacher_SK)
    mixture_SK = torch.logaddexp(student_SK + log(1 - alpha), teacher_SK + log(alpha))
    return (1 - alpha) * _kl_S(student_SK, mixture_SK) + alpha * _kl_S(teacher_SK, mixture_SK)


def _kl_S(left_SK: Tensor, right_SK: Tensor) -> Tensor:
    return (left_SK.exp() * (left_SK - right_SK)).sum(1)


def divergences(batch: Batch, distilled_T: Tensor, options: SelfDistillationConfig) -> Any:
    """A differentiable score of packs: min(new / old, max_ratio) times the divergence at each distilled token, 0 elsewhere."""
    assert batch.compared_TK is not None
    assert batch.teacher_TK is not None
    compared_TK, teacher_TK, old_T = batch.compared_TK, batch.teacher_TK, batch.old_logprobs_T

    def score(model: PolicyModel, pack: Pack, mask_P: Tensor | None, temperature: float, hidden_PE: Tensor | None) -> tuple[Tensor, Tensor]:
        assert pack.source_T is not None
        hidden_PE = model(pack.tokens_T, pack.positions_T, pack.attention) if hidden_PE is None else hidden_PE
        index_S = (distilled_T[pack.source_T] & (pack.positions_T > 0)).nonzero().squeeze(1)
        source_S = pack.source_T[index_S]
        previous_S = index_S - 1 if pack.prev_index_T is None else pack.prev_index_T[index_S]
        hidden_SE, head_VE, kind = hidden_PE.index_select(0, previous_S), model.head_VE, hidden_PE.device.type
        if torch.is_autocast_enabled(kind):
            hidden_SE, head_VE = (part.to(torch.get_autocast_dtype(kind)) for part in (hidden_SE, head_VE))

        def chunk_result(hidden_SE: Tensor, source_S: Tensor, target_S: Tensor) -> Tensor:
            logits_SV = matmul_float32(hidden_SE, head_VE)
            logits_SV = (logits_SV if model.head_transform is None else model.transformed(logits_SV)) / temperature
            normaliser_S1 = logits_SV.logsumexp(1, keepdim=True)
            student_SK = logits_SV.gather(1, compared_TK[source_S]) - normaliser_S1
            new_S = (logits_SV.gather(1, target_S[:, None]) - normaliser_S1).squeeze(1).detach()
            ratio_S = (new_S - old_T[source_S]).clamp(-20, 20).exp().clamp(max=options.max_ratio)
            return ratio_S * divergence_S(with_rest(student_SK), with_rest(teacher_TK[source_S]), options.divergence)

        with torch.autocast(kind, enabled=False):
            target_S = pack.tokens_T[index_S]
            parts = [
                checkpoint(chunk_result, hidden_SE[chunk], source_S[chunk], target_S[chunk], use_reentrant=False)
                for chunk in token_chunks(len(index_S), len(head_VE), MAX_LOGITS_AT_ONCE)
            ]
        zero_P = torch.zeros(len(pack.tokens_T), device=hidden_PE.device)
        found_P = zero_P.index_copy(0, index_S, torch.cat(parts)) if parts else zero_P + 0 * hidden_SE.sum()
        return found_P, zero_P

    return score
