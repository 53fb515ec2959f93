"""Fields that had another name before, so that an old configuration gets an error with the new name."""

from __future__ import annotations

FIELDS: dict[str, str] = {
    "out": "output_dir",
    "held_out": "held_out_fraction",
    "sampling": "task_sampling",
    "tasks.levels.start": "tasks.levels.start_level",
    "tasks.levels.least": "tasks.levels.min_level",
    "tasks.levels.most": "tasks.levels.max_level",
    "tasks.levels.stride": "tasks.levels.step_size",
    "tasks.levels.band": "tasks.levels.solve_rate_band",
    "tasks.levels.sight": "tasks.levels.window",
    "sft.batch": "sft.batch_size",
    "sft.warmup": "sft.warmup_steps",
    "sft.explain": "sft.explanation_fraction",
    "rollout.groups": "rollout.groups_per_step",
    "rollout.group": "rollout.group_size",
    "rollout.tokens": "rollout.max_new_tokens",
    "rollout.context": "rollout.max_seq_len",
    "rollout.style": "rollout.answer_style",
    "rollout.ordered": "rollout.deterministic",
    "rollout.ahead": "rollout.async_steps",
    "rollout.chat": "rollout.chat_template_kwargs",
    "rollout.options": "rollout.engine_options",
    "algorithm.critic.rate": "algorithm.critic.lr_multiplier",
    "algorithm.critic.weight": "algorithm.critic.loss_coef",
    "algorithm.critic.options": "algorithm.critic.loss_options",
    "algorithm.kl": "algorithm.kl_coef",
    "algorithm.reference_reset": "algorithm.reference_reset_steps",
    "algorithm.entropy": "algorithm.entropy_coef",
    "algorithm.forks": "algorithm.entropy_top_fraction",
    "algorithm.skip_dead": "algorithm.filter_zero_std",
    "algorithm.skip_cut": "algorithm.mask_truncated",
    "algorithm.refill": "algorithm.dynamic_sampling_rounds",
    "algorithm.most_rollouts": "algorithm.max_group_size",
    "algorithm.pairs": "algorithm.pair_tasks",
    "algorithm.track": "algorithm.quantile_lr",
    "algorithm.hints": "algorithm.hint_fraction",
    "algorithm.oracle": "algorithm.oracle_fraction",
    "algorithm.oracle_options": "algorithm.oracle_loss_options",
    "algorithm.correction": "algorithm.noise_correction",
    "algorithm.noise_correction.false_positive": "algorithm.noise_correction.false_positive_rate",
    "algorithm.noise_correction.false_negative": "algorithm.noise_correction.false_negative_rate",
    "algorithm.noise_correction.rates": "algorithm.noise_correction.per_environment",
    "algorithm.overlong": "algorithm.overlong_penalty",
    "algorithm.shuffled": "algorithm.shuffle_rewards",
    "algorithm.shaping": "algorithm.reward_shaping",
    "update.warmup": "update.warmup_steps",
    "update.schedule": "update.lr_schedule",
    "update.betas": "update.adam_betas",
    "update.clip": "update.max_grad_norm",
    "update.minibatches": "update.num_minibatches",
    "update.epochs": "update.num_epochs",
    "update.tokens": "update.tokens_per_micro_batch",
    "update.old": "update.old_logprobs",
    "scoring.workers": "scoring.num_workers",
    "scoring.seconds": "scoring.timeout_seconds",
    "evaluation.every": "evaluation.every_steps",
    "evaluation.tasks": "evaluation.tasks_per_level",
    "evaluation.samples": "evaluation.samples_per_task",
    "checkpoints.every": "checkpoints.every_steps",
    "checkpoints.keep": "checkpoints.keep_last",
    "log.transcripts": "log.transcripts_per_step",
    "log.wandb": "log.wandb_project",
    "compute.threads": "compute.cpu_threads",
    "compute.recompute": "compute.gradient_checkpointing",
    "compute.sleep": "compute.engine_sleep",
    "compute.patience": "compute.dist_timeout_seconds",
}
"""Old field of a configuration -> new field."""

ENGINE_OPTIONS: dict[str, str] = {
    "rows": "max_num_seqs",
    "context": "max_seq_len",
    "exchange": "weights_dir",
    "key": "api_key",
    "seconds": "timeout_seconds",
    "sleeps": "enable_sleep_mode",
}
"""Old option of a rollout engine -> new option."""

RAY_OPTIONS: dict[str, str] = {
    "servers": "num_servers",
    "gpus": "gpus_per_server",
    "cpus": "cpus_per_server",
    "arguments": "extra_args",
    "seconds": "timeout_seconds",
}
"""Old option of `rollout.engine_options.ray` -> new option."""

OPTIONS: dict[str, dict[str, str]] = {
    "LossOptions": {"average": "aggregation", "constant": "aggregation_constant", "mismatch_cap": "tis_cap"},
    "ClipOptions": {"low": "clip_low", "high": "clip_high"},
    "GspoOptions": {"low": "clip_low", "high": "clip_high"},
    "CispoOptions": {"low": "clip_low", "high": "clip_high"},
    "DispoOptions": {
        "right_low": "positive_clip_low",
        "right_high": "positive_clip_high",
        "wrong_low": "negative_clip_low",
        "wrong_high": "negative_clip_high",
    },
    "ToprOptions": {"most": "max_weight"},
    "ValueOptions": {"clip": "clip_range"},
    "SignOptions": {"right_from": "success_threshold"},
    "LabelOptions": {"average": "aggregation"},
    "PacsOptions": {"scale": "beta"},
    "WReinforceOptions": {"right_weight": "positive_weight"},
    "ReinforcePlusPlusOptions": {"kl": "kl_coef"},
    "RankPenaltyOptions": {"drop_decided": "filter_zero_std"},
    "MvarOptions": {"low": "low_quantile", "high": "high_quantile", "bundle": "bundle_size", "quantiles": "tracked_quantiles"},
    "WeightedGrpoOptions": {"rare_success": "rare_success_weight", "rare_failure": "rare_failure_weight"},
    "PpoOptions": {"discount": "gamma", "trace": "gae_lambda"},
    "OverlongOptions": {"most": "max_tokens", "margin": "buffer_tokens"},
    "HintOptions": {"shares": "fractions"},
    "KlOptions": {"kind": "estimator", "weight": "coef"},
    "EntropyOptions": {"weight": "coef"},
    "EntropyMaskOptions": {"share": "top_fraction"},
    "MixedPolicyOptions": {"kind": "weighting", "focus": "focal_power"},
    "ResetOptions": {"better_by": "min_delta", "most_kl": "max_kl"},
}
"""Old option of an algorithm -> new option, by the class that declares it (subclasses included)."""


def new_field(field: str) -> str | None:
    """The new name of a dotted field, or None. A renamed section counts as well: `algorithm.correction.rates` is found."""
    current = field
    for old, new in FIELDS.items():
        if current == old or current.startswith(f"{old}."):
            current = new + current[len(old) :]
    return current if current != field else None


def new_option(options: type, name: str) -> str | None:
    """The new name of an option of an algorithm, or None."""
    for parent in options.__mro__:
        if name in OPTIONS.get(parent.__name__, {}):
            return OPTIONS[parent.__name__][name]
    return None
