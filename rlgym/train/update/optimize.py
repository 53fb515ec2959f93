"""The updates of one training step: old and reference log-probabilities, advantages, and optimizer steps.

Axes: T tokens of all rollouts, N rollouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from rlgym import Rng
from rlgym.train.advantages import ADVANTAGES
from rlgym.train.advantages.bundles import assign_bundles
from rlgym.train.advantages.per_rollout import SignedOptions, effective_positive_share, right_N
from rlgym.train.advantages.per_token import TempoOptions, prefix_gain
from rlgym.train.advantages.set_based import MvarOptions
from rlgym.train.data.collate import collate, keep_auxiliary, mask_off_policy, select_rollouts
from rlgym.train.data.segment_sums import used_T as used_tokens
from rlgym.train.losses import LOSSES, LossOptions
from rlgym.train.losses.auxiliary import reference_likelihood, self_reward_advantage, self_reward_loss, self_rewards_N
from rlgym.train.losses.mixed_policy import estimate_source, hint_free_ratio, mixed_policy_loss, mixed_policy_options
from rlgym.train.model.decoder import Decoder
from rlgym.train.regularizers.advantage_filter import AdvantageFilterOptions, advantage_filter
from rlgym.train.regularizers.entropy import EntropyMaskOptions, EntropyOptions, MasteredOptions, entropy_bonus, entropy_mask, mastered_mask
from rlgym.train.regularizers.kl import KlOptions, kl_penalty
from rlgym.train.regularizers.reference_reset import validation_scores
from rlgym.train.rollout.auxiliary import has_self_reward
from rlgym.train.update.checked import check_gradient, checked_advantage, checked_loss
from rlgym.train.update.critic import predict_values, value_loss_gradient
from rlgym.train.update.hidden_states import hidden_states, influence_advantage, mean_ranks, rank_advantage, rank_metrics, token_influence
from rlgym.train.update.policy import Objective, loss_gradients, unchanged_output
from rlgym.train.update.schedule import lr_at_step

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.schema import Config
    from rlgym.train.data.batch import Batch
    from rlgym.train.logging.timing import StepTimer
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.run import Run

ENTROPY_PERCENTILES = (50, 80, 95)
MAX_QUANTILE_TOKENS = 1 << 24
"""torch.quantile takes no larger tensors."""


def update_policy(run: Run, episodes: Sequence[Episode], timer: StepTimer) -> dict[str, float]:
    """All optimizer steps on the episodes of one step; their metrics. Without episodes the weights stay as they are."""
    config = run.config
    run.set_lr(lr_at_step(run.step, config, validation_scores(run.evaluations)))
    run.version += 1
    if not episodes:
        return {"updates": 0.0}
    run.seed_dropout()
    batch, entropy_T, metrics = prepare_batch(run, episodes)
    timer.mark("old_logprobs")
    advantage_T = mix_self_rewards(run, batch, compute_advantages(run, batch), episodes)
    metrics |= advantage_metrics(run.config, batch)
    advantage_T, hidden_metrics = change_by_hidden_states(
        run, batch, advantage_T, [each.score.value if each.score else 0.0 for each in episodes]
    )
    metrics |= hidden_metrics
    if run.distillation is not None:
        batch, distilled = run.distillation.add_targets(batch, run.policy, episodes, run.worker.chat, teacher_room(run))
        metrics |= distilled
    whole = batch
    if config.algorithm.entropy_top_fraction < 1:
        batch = entropy_mask(entropy_T, batch, EntropyMaskOptions(top_fraction=config.algorithm.entropy_top_fraction))
    before = used_tokens(batch).sum()
    if config.algorithm.max_advantage_std:
        batch = advantage_filter(batch, advantage_T, AdvantageFilterOptions(max_std=config.algorithm.max_advantage_std))
        metrics["advantage_outliers"] = float((before - used_tokens(batch).sum()) / before.clamp(min=1))
    if config.algorithm.mastered_probability < 1:
        before = used_tokens(batch).sum()
        options = MasteredOptions(min_probability=config.algorithm.mastered_probability, max_entropy=config.algorithm.mastered_max_entropy)
        batch = mastered_mask(entropy_T, batch, options)
        metrics["mastered_tokens"] = float((before - used_tokens(batch).sum()) / before.clamp(min=1))
    batch = keep_auxiliary(batch, whole)
    # Until the first update the old log-probabilities are the trainer's own, so that no forward pass is needed. Those of the rollout
    # engine are too if it shares the trainer's weights and precision, but not with hints or older weights.
    shares_weights = config.rollout.engine == "native" and run.model.lora is None and isinstance(run.model, Decoder)
    of_these_weights = not (config.rollout.async_steps or config.rollout.segment_tokens) and config.algorithm.replay is None
    engine_is_exact = shares_weights and run.policy.dtype == torch.float32 and of_these_weights
    on_policy = batch.hinted_N is None and (config.update.old_logprobs == "trainer" or engine_is_exact)
    logged: list[dict[str, float]] = []
    for epoch in range(config.update.num_epochs):
        for minibatch, minibatch_advantage_T in split_minibatches(
            batch, advantage_T, config.update.num_minibatches, run.seed(f"epoch {epoch}")
        ):
            logged.append(gradient_step(run, minibatch, minibatch_advantage_T, on_policy=on_policy and not logged))
    timer.mark("train")
    means = {name: sum(entry[name] for entry in logged) / len(logged) for name in logged[0]}
    return {**means, **metrics, "updates": float(len(logged))}


def teacher_room(run: Run) -> int:
    """Most tokens of a response after the longer prompt of a teacher."""
    return min(run.config.update.tokens_per_micro_batch, run.model.shape.max_seq_len)


def prepare_batch(run: Run, episodes: Sequence[Episode]) -> tuple[Batch, Tensor, dict[str, float]]:
    """The batch with old and reference log-probabilities and values, the entropies of its tokens, and metrics."""
    config = run.config
    metrics: dict[str, float] = {}
    batch = collate(episodes, run.device)
    options = ADVANTAGES[config.algorithm.advantage].options.from_dict(config.algorithm.advantage_options)
    if isinstance(options, MvarOptions):
        batch = assign_bundles(batch, options.bundle_size, run.seed("bundles"))
    entropy_T = torch.zeros_like(batch.rollout_logprobs_T)
    if config.update.old_logprobs == "trainer":
        output = run.policy.forward(batch)
        entropy_T = output.entropy_T
        batch = replace(batch, old_logprobs_T=output.logprob_T)
        metrics |= logprob_diff(batch, output.logprob_T) | entropy_metrics(entropy_T, mask_off_policy(batch))
        batch = estimate_source(batch, run.model.shape.vocab_size, config)
        batch, value_metrics = predict_values(batch, output.value_T, config)
        metrics |= value_metrics
    if run.reference is not None:
        batch = replace(batch, ref_logprobs_T=run.reference.forward(batch).logprob_T)
        metrics["kl"] = masked_mean(kl_k3_T(batch.old_logprobs_T, batch.ref_logprobs_T), mask_off_policy(batch))
    if run.process_model is not None:
        batch, process_metrics = run.process_model.score_and_train(batch)
        metrics |= process_metrics
    return hint_free_ratio(batch), entropy_T, metrics


def compute_advantages(run: Run, batch: Batch) -> Tensor:
    """The configured advantages."""
    algorithm = run.config.algorithm
    advantage = ADVANTAGES[algorithm.advantage]
    options = advantage.options.from_dict(algorithm.advantage_options)
    if isinstance(options, MvarOptions) and algorithm.quantile_lr:
        options = run.quantile_tracker.update(batch, options, algorithm.quantile_lr)
    return checked_advantage(algorithm.advantage, batch, options)


def mix_self_rewards(run: Run, batch: Batch, advantage_T: Tensor, episodes: Sequence[Episode]) -> Tensor:
    """The advantages with those of self-rewards in them, once their warm-up is over. The first step with self-rewards measures their offset."""
    options = run.config.algorithm.self_reward
    if options is None or batch.verdict_N is None:
        return advantage_T
    if run.self_reward_offset is None:
        measured = batch.old_logprobs_T[batch.loss_mask_T & ~batch.verdict_N.isnan()[batch.rollout_T]].mean()
        run.self_reward_offset = float(measured) if options.reference_logprob is None else options.reference_logprob
    if not options.advantage_weight or run.step < options.warmup_steps + options.advantage_warmup_steps:
        return advantage_T
    # Auxiliary rollouts stand after the responses, in their order.
    owners = [place for place, episode in enumerate(episodes) if has_self_reward(episode, run.config)]
    predicted_N = self_rewards_N(batch.old_logprobs_T, batch, options, run.self_reward_offset)
    return self_reward_advantage(advantage_T, batch, options, predicted_N, owners)


def change_by_hidden_states(run: Run, batch: Batch, advantage_T: Tensor, scores: Sequence[float]) -> tuple[Tensor, dict[str, float]]:
    """The advantages after `algorithm.token_influence`, `effective_rank` and `flow_reward`, and metrics.

    The outcome head learns from the same states, and from the verifier's scores of the rollouts.
    """
    influence, rank = run.config.algorithm.token_influence, run.config.algorithm.effective_rank
    metrics: dict[str, float] = {}
    if influence is not None:
        influence_T = token_influence(run.policy, batch, influence.success_threshold)
        advantage_T, metrics = influence_advantage(advantage_T, influence_T, influence)
    if rank is not None:
        found = [rank_metrics(hidden_LE, rank.stride) for hidden_LE in hidden_states(run.policy, batch)]
        counted = [values for values, valid in zip(found, batch.valid_N.tolist(), strict=True) if valid]
        run.rank_tracker.update(counted, rank.decay)
        if run.rank_tracker.averages is not None:
            advantage_T = rank_advantage(advantage_T, batch, found, run.rank_tracker.averages, rank)
        metrics |= mean_ranks(counted)
    if run.flow is not None:
        advantage_T, flow_metrics = run.flow.change(advantage_T, batch, hidden_states(run.policy, batch), run.step, run.seed("flow"))
        metrics |= flow_metrics
    if run.outcome_head is not None:
        metrics |= run.outcome_head.learn(batch, hidden_states(run.policy, batch), scores)
    return advantage_T, metrics


def advantage_metrics(config: Config, batch: Batch) -> dict[str, float]:
    """Metrics of single advantages.

    branch_tokens             of `tempo`: the fraction of tokens at which rollouts of different value part
    effective_positive_share  of `signed`: the share of right rollouts that would have the same effect without a baseline
    """
    options = ADVANTAGES[config.algorithm.advantage].options.from_dict(config.algorithm.advantage_options)
    if isinstance(options, TempoOptions):
        return {"branch_tokens": masked_mean((prefix_gain(batch) != 0).float(), batch)}
    if isinstance(options, SignedOptions):
        share = float(right_N(batch, options)[batch.valid_N].float().mean()) if bool(batch.valid_N.any()) else 0.0
        return {"effective_positive_share": effective_positive_share(share, options.baseline)}
    return {}


def make_objective(run: Run, batch: Batch, advantage_T: Tensor) -> Objective:
    """The configured loss, plus the KL penalty and the entropy bonus."""
    algorithm = run.config.algorithm
    loss = LOSSES[algorithm.loss]
    options = loss.options.from_dict(algorithm.loss_options)
    # The penalties are means over the same units as the loss, where it has an aggregation over tokens.
    aggregation: dict[str, Any] = (
        options.model_dump(include={"aggregation", "aggregation_constant"}) if isinstance(options, LossOptions) else {}
    )

    def objective(logprob_T: Tensor, entropy_T: Tensor) -> tuple[Tensor, dict[str, float]]:
        if batch.oracle_N is None:
            total, metrics = checked_loss(algorithm.loss, logprob_T, batch, advantage_T, options)
        else:
            total, metrics = mixed_policy_loss(
                logprob_T,
                batch,
                advantage_T,
                lambda new_T, part, part_advantage_T: checked_loss(algorithm.loss, new_T, part, part_advantage_T, options),
                mixed_policy_options(run.config),
            )
        if algorithm.self_distillation is not None:
            total = algorithm.self_distillation.policy_loss_coef * total
        if algorithm.kl_coef:
            kl_options = KlOptions(coef=algorithm.kl_coef, estimator=algorithm.kl_estimator, **aggregation)
            penalty, kl_metrics = kl_penalty(logprob_T, mask_off_policy(batch), kl_options)
            total, metrics = total + penalty, metrics | kl_metrics
        if algorithm.entropy_coef:
            total = total + entropy_bonus(entropy_T, mask_off_policy(batch), EntropyOptions(coef=algorithm.entropy_coef, **aggregation))[0]
        if batch.answer_weight_T is not None:
            term, answer_metrics = reference_likelihood(logprob_T, batch, LossOptions.from_dict(aggregation))
            total, metrics = total + term, metrics | answer_metrics
        if batch.verdict_N is not None and algorithm.self_reward is not None:
            term, self_metrics = self_reward_loss(logprob_T, batch, algorithm.self_reward, run.self_reward_offset or 0.0)
            total, metrics = total + term, metrics | self_metrics
        return total, {"loss": float(total.detach())} | {name: float(value) for name, value in metrics.items()}

    return objective


def gradient_step(run: Run, batch: Batch, advantage_T: Tensor, on_policy: bool) -> dict[str, float]:
    """One optimizer step: gradients of the objective with respect to log-probabilities, then backpropagation."""
    # If the policy has not changed since the old log-probabilities, they are its own and need no forward pass.
    output = unchanged_output(batch) if on_policy else run.policy.forward(batch)
    grad_logprob_T, grad_entropy_T, metrics = loss_gradients(make_objective(run, batch, advantage_T), output.logprob_T, output.entropy_T)
    check_gradient(run.config.algorithm.loss, grad_logprob_T, batch)
    grad_value_T, value_metrics = value_loss_gradient(batch, output.value_T, run.config)
    trained = run.policy.backward(batch, grad_logprob_T, grad_entropy_T, grad_value_T)
    if run.distillation is not None:
        metrics |= run.distillation.backward(run.policy, batch)
    grad_norm = run.optimizer_step(run.config.update.max_grad_norm)
    if run.distillation is not None:
        run.distillation.follow(run.model)
    trained_T = batch.loss_mask_T & (trained.logprob_T != 0)
    if batch.auxiliary_N is not None:
        trained_T = trained_T & ~batch.auxiliary_N[batch.rollout_T]
    trained_batch = replace(batch, loss_mask_T=trained_T)
    entropy = masked_mean(trained.entropy_T, trained_batch)
    return metrics | value_metrics | {"entropy": entropy, "grad_norm": grad_norm, **logprob_diff(trained_batch, trained.logprob_T)}


def split_minibatches(batch: Batch, advantage_T: Tensor, num_minibatches: int, seed: int) -> Iterator[tuple[Batch, Tensor]]:
    """The batch in random parts of whole groups."""
    num_groups = int(batch.group_N.max()) + 1
    count = min(num_minibatches, num_groups)
    if count == 1:
        yield batch, advantage_T
        return
    order = Rng("minibatches", seed).shuffled(range(num_groups))
    for number in range(count):
        selected_N = torch.isin(batch.group_N, torch.tensor(order[number::count], device=batch.group_N.device))
        yield select_rollouts(batch, selected_N), advantage_T[selected_N[batch.rollout_T]]


def logprob_diff(batch: Batch, logprob_T: Tensor) -> dict[str, float]:
    """The mean and largest difference between the engine's log-probabilities and the trainer's, and the KL divergence engine || trainer (k3)."""
    batch = mask_off_policy(batch)
    diff_T = (batch.rollout_logprobs_T - logprob_T).abs()
    largest = float(diff_T[batch.loss_mask_T].max()) if bool(batch.loss_mask_T.any()) else 0.0
    # The k3 estimator samples from the engine's policy, as the tokens were.
    divergence = masked_mean(kl_k3_T(batch.rollout_logprobs_T, logprob_T), batch)
    return {"logprob_diff": masked_mean(diff_T, batch), "logprob_diff_max": largest, "mismatch_kl": divergence}


def entropy_metrics(entropy_T: Tensor, batch: Batch) -> dict[str, float]:
    """The mean entropy of the sampled tokens in nats, and its percentiles: the share of forking tokens shows in the upper ones."""
    used_T = entropy_T[batch.loss_mask_T].float()
    levels = torch.tensor(ENTROPY_PERCENTILES, device=used_T.device) / 100
    found = torch.quantile(used_T[:MAX_QUANTILE_TOKENS], levels).tolist() if len(used_T) else [0.0] * len(levels)
    percentiles = {f"entropy_p{level}": value for level, value in zip(ENTROPY_PERCENTILES, found, strict=True)}
    return {"entropy": masked_mean(entropy_T, batch), **percentiles}


def masked_mean(value_T: Tensor, batch: Batch) -> float:
    """The mean over the sampled tokens."""
    return float(value_T[batch.loss_mask_T].mean()) if bool(batch.loss_mask_T.any()) else 0.0


def kl_k3_T(logprob_T: Tensor, ref_logprobs_T: Tensor | None) -> Tensor:
    """The KL divergence of the policy from the reference per token, by the k3 estimator: unbiased and never negative."""
    assert ref_logprobs_T is not None
    return (ref_logprobs_T - logprob_T).exp() - (ref_logprobs_T - logprob_T) - 1
