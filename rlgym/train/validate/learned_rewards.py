"""Refuses combinations with rewards that come from the policy or from a second model: likelihoods, certainty, twins, self-rewards."""

from __future__ import annotations

from pathlib import Path

import rlgym
from rlgym.train.config.combinations import refuse_together
from rlgym.train.config.rewards import LikelihoodRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.losses.common import LossOptions
from rlgym.train.model.backend import choose_backend
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.registry import LOSSES
from rlgym.train.tasks.curriculum import with_transfer

PROCESS_ADVANTAGES = ("prime", "oreal")
"""Advantages on the token rewards of a process model."""


def check_learned_rewards(config: Config) -> None:
    """Raise TrainError for combinations that would fail or have no effect."""
    for check in (
        _check_likelihood,
        _check_self_reward,
        _check_label_free,
        _check_process_model,
        _check_self_distillation,
        _check_thoughts,
        _check_summed,
        _check_outcome_head,
        _check_auxiliary_rewards,
    ):
        check(config)


def _check_likelihood(config: Config) -> None:
    """A reference answer must stand between tags in a single response; rewards of other kinds would be compared with the verifier's."""
    chosen = config.algorithm.likelihood_reward
    if chosen is None:
        for name in ("answer_spread", "answer_rank"):
            if name in config.algorithm.filters:
                raise TrainError(f"the filter {name!r} compares reference answers: set algorithm.likelihood_reward, or leave it out")
        return
    if "answer_spread" in config.algorithm.filters and chosen.kind != "reflective":
        raise TrainError(
            f"the filter 'answer_spread' needs algorithm.likelihood_reward.kind='reflective', not {chosen.kind!r}: leave it out"
        )
    if config.rollout.answer_style != "tag":
        raise TrainError(f"algorithm.likelihood_reward needs rollout.answer_style='tag', not {config.rollout.answer_style!r}")
    for name in sorted({name for part in config.tasks for name in part.environments()}):
        if not isinstance(rlgym.environment(name), rlgym.Environment):
            raise TrainError(f"algorithm.likelihood_reward compares single answers, and {name} has many turns: leave one of them out")
    used = {"noise_correction": config.algorithm.noise_correction is not None, "hint_fraction": config.algorithm.uses_hints}
    refuse_together("algorithm.likelihood_reward", {f"algorithm.{name}": given for name, given in used.items()})
    _check_answer_gradient(config, chosen)


def _check_answer_gradient(config: Config, chosen: LikelihoodRewardConfig) -> None:
    """The gradient through the reference answer: of rewards that are a smooth function of its probabilities, in a loss over tokens."""
    if chosen.answer_gradient and chosen.kind not in ("prob", "mean_prob", "logprob", "mean_logprob"):
        raise TrainError(
            f"algorithm.likelihood_reward.answer_gradient needs kind prob, mean_prob, logprob or mean_logprob, not {chosen.kind!r}: set it to 0"
        )
    if not chosen.own_answer_loss and chosen.kind == "self_aligned":
        raise TrainError("algorithm.likelihood_reward.own_answer_loss=false has no meaning for the kind 'self_aligned': leave it out")
    if not (chosen.answer_gradient or not chosen.own_answer_loss):
        return
    options = LOSSES[config.algorithm.loss].options.from_dict(config.algorithm.loss_options)
    refused = {
        "loss": not isinstance(options, LossOptions),
        "replay": config.algorithm.replay is not None,
        "oracle_fraction": config.algorithm.oracle_fraction > 0,
        "advantage": config.algorithm.advantage == "mvar",
    }
    for field, given in refused.items():
        if given:
            value = f"={getattr(config.algorithm, field)!r}" if field in ("loss", "advantage") else ""
            raise TrainError(
                f"algorithm.likelihood_reward.answer_gradient and own_answer_loss=false do not support algorithm.{field}{value}: leave one of them out"
            )


def _check_self_reward(config: Config) -> None:
    """Self-rewards are read from the trainer's own log-probabilities after the response as it was sampled."""
    algorithm = config.algorithm
    if algorithm.self_reward is None:
        return
    if config.update.old_logprobs == "rollout":
        raise TrainError("algorithm.self_reward needs log-probabilities from the trainer's forward pass: set update.old_logprobs='trainer'")
    refused = {
        "hint_fraction": algorithm.uses_hints,
        "oracle_fraction": algorithm.oracle_fraction > 0,
        "likelihood_reward": algorithm.likelihood_reward is not None,
        "advantage='mvar'": algorithm.advantage == "mvar",
    }
    refuse_together("algorithm.self_reward", {f"algorithm.{name}": given for name, given in refused.items()})


def _check_process_model(config: Config) -> None:
    """A process model is compared with the initial policy, token by token, on the policy's own rollouts."""
    algorithm = config.algorithm
    if (algorithm.process_model is None) != (algorithm.advantage not in PROCESS_ADVANTAGES):
        names = " or ".join(repr(name) for name in PROCESS_ADVANTAGES)
        raise TrainError(f"the advantage {names} and algorithm.process_model need each other: set both, or neither")
    if algorithm.process_model is None:
        return
    if algorithm.process_model.kind == "head" and (algorithm.advantage != "oreal" or algorithm.process_model.reduce != "mean"):
        raise TrainError(
            "algorithm.process_model.kind='head' scores tokens for the advantage 'oreal', by their mean: set advantage='oreal' and "
            "process_model.reduce='mean'"
        )
    refused = {
        "model.lora": config.model.lora is not None,
        "algorithm.hint_fraction": algorithm.uses_hints,
        "algorithm.oracle_fraction": algorithm.oracle_fraction > 0,
        "algorithm.reference_reset_steps": bool(algorithm.reference_reset_steps or algorithm.reference_reset_patience),
    }
    refuse_together("algorithm.process_model", refused)


def _check_self_distillation(config: Config) -> None:
    """The teacher is a copy of all weights, and reads the responses as they were sampled with weights of this step."""
    algorithm = config.algorithm
    if algorithm.self_distillation is None:
        return
    refused = {
        "model.lora": config.model.lora is not None,
        "algorithm.hint_fraction": algorithm.uses_hints,
        "algorithm.oracle_fraction": algorithm.oracle_fraction > 0,
        "algorithm.replay": algorithm.replay is not None,
        "algorithm.advantage='mvar'": algorithm.advantage == "mvar",
    }
    refuse_together("algorithm.self_distillation", refused)
    if algorithm.drops_equal_rewards and not algorithm.self_distillation.policy_loss_coef:
        raise TrainError(
            "algorithm.self_distillation also learns from groups of equal rewards, which hold feedback: set algorithm.filter_zero_std=false"
        )


def _check_thoughts(config: Config) -> None:
    """Corrected thoughts are auxiliary rollouts of their own, in a loss over tokens."""
    algorithm = config.algorithm
    if algorithm.thought_correction is None:
        return
    refused = {
        f"algorithm.loss={algorithm.loss!r}": not isinstance(LOSSES[algorithm.loss].options.from_dict(algorithm.loss_options), LossOptions),
        "algorithm.self_reward": algorithm.self_reward is not None,
        "algorithm.likelihood_reward": algorithm.likelihood_reward is not None,
        "algorithm.oracle_fraction": algorithm.oracle_fraction > 0,
        "algorithm.advantage='mvar'": algorithm.advantage == "mvar",
    }
    refuse_together("algorithm.thought_correction", refused)
    if algorithm.drops_equal_rewards:
        raise TrainError(
            "algorithm.thought_correction learns from failed rollouts, also where a whole group failed: set algorithm.filter_zero_std=false"
        )


def _check_summed(config: Config) -> None:
    """A sum has one trained model, and hidden states of several."""
    if not config.model.summed_with:
        return
    algorithm = config.algorithm
    refused = {
        "model.backend='transformers'": config.model.backend == "transformers" or choose_backend(config.model).name == "transformers",
        "model.lora": config.model.lora is not None,
        f"rollout.engine={config.rollout.engine!r}": config.rollout.engine != "native",
        "algorithm.advantage='ppo'": algorithm.uses_critic,
        "algorithm.process_model": algorithm.process_model is not None,
        "algorithm.self_distillation": algorithm.self_distillation is not None,
        "algorithm.flow_reward": algorithm.flow_reward is not None,
        "algorithm.token_influence": algorithm.token_influence is not None,
        "algorithm.effective_rank": algorithm.effective_rank is not None,
        "algorithm.reference_reset_steps": bool(algorithm.reference_reset_steps or algorithm.reference_reset_patience),
        "sft": config.sft is not None and (algorithm.uses_reference or config.rollout.recorded),
    }
    refuse_together("model.summed_with", refused)
    vocabulary = load_tokenizer(Path(config.model.path)).get_vocab()
    for other in config.model.summed_with:
        if load_tokenizer(Path(other)).get_vocab() != vocabulary:
            raise TrainError(
                f"model.summed_with={other!r} has another tokenizer than model.path={config.model.path!r}, so that one logit would be of two different "
                "tokens: use models with the same vocabulary"
            )
    for name, chosen in config.second_models.items():
        if not chosen.path:
            raise TrainError(
                f"second_models.{name}.path is empty, which is the run's initial model, but model.summed_with makes that a sum and model.path the "
                "trained part alone: set the path"
            )


def _check_auxiliary_rewards(config: Config) -> None:
    """Some groups judge the weights and others are learned from; the oracle's responses have no text for the terms."""
    if config.algorithm.auxiliary_rewards is None:
        return
    if config.rollout.groups_per_step < 2:
        raise TrainError(
            "algorithm.auxiliary_rewards holds a group out to judge the weights, so that none is left to learn from: set rollout.groups_per_step to 2 or more"
        )
    if config.algorithm.oracle_fraction:
        raise TrainError(
            "algorithm.auxiliary_rewards reads what the policy wrote, and rollouts of the oracle have no text: leave out algorithm.oracle_fraction"
        )
    if config.algorithm.drops_equal_rewards:
        raise TrainError(
            "algorithm.auxiliary_rewards also helps where a whole group failed, and such groups are dropped before: set "
            "algorithm.filter_zero_std=false"
        )


def _check_outcome_head(config: Config) -> None:
    """The controller needs the head, several samples, and prefixes of one response."""
    if config.evaluation.adaptive is None:
        return
    if config.algorithm.outcome_head is None:
        raise TrainError("evaluation.adaptive decides by predictions: set algorithm.outcome_head")
    if not 2 <= config.evaluation.samples_per_task <= 10 or not config.evaluation.temperature:
        raise TrainError(
            f"evaluation.adaptive chooses among samples: set evaluation.samples_per_task from 2 to 10, not {config.evaluation.samples_per_task}, and a "
            "temperature above 0"
        )
    for name in sorted({name for part in with_transfer(config.tasks, config.evaluation) for name in part.environments()}):
        if not isinstance(rlgym.environment(name), rlgym.Environment):
            raise TrainError(f"evaluation.adaptive continues single responses, and {name} has many turns: leave one of them out")


def _check_label_free(config: Config) -> None:
    """Rewards without labels replace one another; twins need a prompt in other words and one answer."""
    algorithm = config.algorithm
    used = [
        name for name in ("likelihood_reward", "intrinsic_reward", "twin_reward", "judge_reward") if getattr(algorithm, name) is not None
    ]
    if len(used) > 1:
        raise TrainError(f"algorithm.{used[0]} and {used[1]} both replace the reward: leave one of them out")
    if algorithm.twin_reward is None:
        return
    for name in sorted({name for part in config.tasks for name in part.environments()}):
        if not isinstance(rlgym.environment(name), rlgym.Environment):
            raise TrainError(f"algorithm.twin_reward compares single answers, and {name} has many turns: leave one of them out")
    for field in ("hint_fraction", "hint_tiers", "oracle_fraction", "pair_tasks", "shuffle_rewards", "token_rewards"):
        if getattr(algorithm, field):
            raise TrainError(f"algorithm.twin_reward does not support algorithm.{field}: leave one of them out")
