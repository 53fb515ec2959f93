"""Checks of tasks, sizes, engine options and the model folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rlgym
from rlgym.core.errors import KnobError, RecipeError, suggestion
from rlgym.train.config.combinations import refuse_together
from rlgym.train.config.renamed import ENGINE_OPTIONS, RAY_OPTIONS
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.config.tasks import AdaptiveLevels
from rlgym.train.model.backend import choose_backend
from rlgym.train.registry import ADVANTAGES, import_plugins
from rlgym.train.shifts import shifted_parts
from rlgym.train.tasks.curriculum import environments_at
from rlgym.train.tasks.recorded import check_recorded
from rlgym.train.validate.proposer import check_proposer
from rlgym.train.validate.prover_roles import check_prover_roles
from rlgym.train.validate.self_play import check_self_play
from rlgym.train.validate.self_verification import check_self_verification

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rlgym.train.model.shape import ModelShape

NATIVE_OPTIONS = ("max_num_seqs", "max_seq_len")


def check_config(config: Config) -> None:
    """Raise TrainError for what would fail later, or the error of an environment that cannot run here."""
    import_plugins(config.plugins)
    _check_tasks(config)
    _check_shifts(config)
    check_recorded(config)
    _check_sizes(config)
    _check_branching(config)
    check_self_play(config)
    check_self_verification(config)
    check_proposer(config)
    check_prover_roles(config)
    if (sft := config.sft) is not None:
        if sft.agents is not None:
            others = {
                "sft.traces": sft.traces,
                "sft.rollouts": sft.rollouts,
                "sft.explanation_fraction below 1": sft.explanation_fraction < 1,
            }
            refuse_together("sft.agents", others)
            if sft.agents.slip_fraction and "reflection" not in sft.agents.roles:
                raise TrainError("sft.agents.slip_fraction plants mistakes that a reflection notes: add 'reflection' to sft.agents.roles")
        if sft.proposals_fraction:
            refuse_together("sft.proposals_fraction", {"sft.rollouts": sft.rollouts})
    _check_engine_options(config)
    _check_model(config)
    out = Path(config.output_dir)
    if out.exists() and not out.is_dir():
        raise TrainError(f"output_dir={config.output_dir!r} is a file: a run needs a folder")


def _check_tasks(config: Config) -> None:
    for part in config.tasks:
        if isinstance(part.levels, AdaptiveLevels):
            low, high = part.levels.solve_rate_band
            if not 0 <= low < high <= 1:
                raise TrainError(f"solve_rate_band must be two solve rates, 0 <= low < high <= 1, got {list(part.levels.solve_rate_band)}")
            if not part.levels.min_level <= part.levels.start_level <= part.levels.max_level:
                raise TrainError("adaptive levels need min_level <= start_level <= max_level")
            if part.levels.rule == "step_up" and not config.evaluation.every_steps:
                raise TrainError("levels of the rule 'step_up' follow held-out accuracy: set evaluation.every_steps")
        try:
            for name in part.environments():
                for level in part.all_levels() + list(config.evaluation.levels):
                    # Making an environment also reports missing sandbox backends and packages.
                    rlgym.make(name, level=level, answer_style=config.rollout.answer_style, **dict[str, Any](part.knobs))
        except (RecipeError, KnobError) as error:
            raise TrainError(f"tasks: {error}") from None
    measured = _environments(config, "evaluation.transfer", config.evaluation.transfer)
    trained = {name for part in config.tasks for name in part.environments()}
    if both := sorted(trained & set(measured)):
        raise TrainError(f"evaluation.transfer measures what is not trained on, and {both[0]} is in tasks: leave it out of one of them")
    if config.sft is not None and config.sft.domain_weights is not None:
        _environments(config, "sft.domain_weights.held_out_names", config.sft.domain_weights.held_out_names)


def _environments(config: Config, field: str, names: Sequence[str]) -> list[str]:
    """The environments of a field that names some beside the tasks. Raises TrainError for one that cannot be made."""
    if not names:
        return []
    part = environments_at(names, config.evaluation)
    try:
        for name in part.environments():
            for level in part.all_levels():
                rlgym.make(name, level=level, answer_style=config.rollout.answer_style)
    except (RecipeError, KnobError) as error:
        raise TrainError(f"{field}: {error}") from None
    return part.environments()


def _check_shifts(config: Config) -> None:
    for shift, part in shifted_parts(config.evaluation).items():
        try:
            for name in part.environments():
                for level in part.all_levels():
                    rlgym.make(name, level=level, answer_style=config.rollout.answer_style, **dict[str, Any](part.knobs))
        except (RecipeError, KnobError) as error:
            raise TrainError(f"evaluation.shifts.{shift}: {error}") from None


def _check_sizes(config: Config) -> None:
    rollout, update = config.rollout, config.update
    if rollout.group_size < 2 and ADVANTAGES[config.algorithm.advantage].group_relative:
        raise TrainError(
            f"rollout.group_size={rollout.group_size} leaves {config.algorithm.advantage!r} nothing to compare: "
            "set it to 2 or more, or choose an advantage without groups, such as 'reinforce_pp'"
        )
    if update.num_minibatches > rollout.groups_per_step:
        raise TrainError(
            f"update.num_minibatches={update.num_minibatches} exceeds rollout.groups_per_step={rollout.groups_per_step}, "
            "and a group is never split: lower the first or raise the second"
        )
    if config.algorithm.mastered_probability < 1 and update.old_logprobs == "rollout":
        raise TrainError("algorithm.mastered_probability needs entropies, which rollouts do not carry: set update.old_logprobs='trainer'")
    if config.algorithm.entropy_top_fraction < 1 and update.old_logprobs == "rollout":
        raise TrainError("algorithm.entropy_top_fraction needs entropies, which rollouts do not carry: set update.old_logprobs='trainer'")
    if rollout.max_new_tokens >= rollout.max_seq_len:
        raise TrainError(
            f"rollout.max_new_tokens={rollout.max_new_tokens} leaves no room for a prompt in rollout.max_seq_len={rollout.max_seq_len}"
        )
    if rollout.max_seq_len > update.tokens_per_micro_batch:
        raise TrainError(
            f"an episode of rollout.max_seq_len={rollout.max_seq_len} tokens does not fit into a forward pass of "
            f"update.tokens_per_micro_batch={update.tokens_per_micro_batch}: raise the second or lower the first"
        )


def _check_engine_options(config: Config) -> None:
    options = config.rollout.engine_options
    _refuse_renamed("rollout.engine_options", options, ENGINE_OPTIONS)
    if isinstance(options.get("ray"), dict):
        _refuse_renamed("rollout.engine_options.ray", options["ray"], RAY_OPTIONS)
    if config.rollout.engine == "native":
        for name in options:
            if name not in NATIVE_OPTIONS:
                known = ", ".join(NATIVE_OPTIONS)
                raise TrainError(f"unknown option {name!r} of the native engine.{suggestion(name, NATIVE_OPTIONS)} Known options: {known}")

    elif (rollout := config.rollout).temperature != 1 and (rollout.top_p < 1 or rollout.top_k > 0):
        raise TrainError(
            f"vLLM does not report log-probabilities before top_p and top_k at rollout.temperature={rollout.temperature:g}: "
            "set it to 1, or set rollout.top_p=1 and rollout.top_k=0"
        )


def _refuse_renamed(section: str, given: dict[str, Any], renamed: dict[str, str]) -> None:
    for name in given:
        if name in renamed:
            raise TrainError(f"{section}.{name} is now {section}.{renamed[name]}")


def _check_model(config: Config) -> None:
    folder = Path(config.model.path)
    if not (folder / "config.json").is_file():
        raise TrainError(f"model={str(folder)!r} is not a Hugging Face folder: it has no config.json")
    backend = choose_backend(config.model)
    if not any((folder / name).is_file() for name in ("tokenizer.json", "tokenizer.model", "vocab.json")):
        raise TrainError(f"model={str(folder)!r} has no tokenizer: put tokenizer.json and tokenizer_config.json next to config.json")
    kinds = ["*.safetensors", *(["pytorch_model*.bin"] if backend.name == "transformers" else [])]
    if not any(file for kind in kinds for file in folder.glob(kind)):
        raise TrainError(f"model={str(folder)!r} has no weights: it has no {' or '.join(kinds)} file")
    if config.compute.compile and backend.name == "transformers":
        raise TrainError("compute.compile=true needs the native backend: set compute.compile=false, or a model that it supports")


def _check_branching(config: Config) -> None:
    """Refuse branches of tasks without observations, and groups that leave no place for one."""
    branching, group_size = config.rollout.branching, config.rollout.group_size
    if branching is None:
        return
    if branching.initial_rollouts >= group_size:
        raise TrainError(
            f"rollout.branching.initial_rollouts={branching.initial_rollouts} leaves no place for a branch in rollout.group_size={group_size}: lower it"
        )
    for name in sorted({name for part in config.tasks for name in part.environments()}):
        if isinstance(rlgym.environment(name), rlgym.Environment):
            raise TrainError(f"rollout.branching needs tasks of many turns, and {name} has a single one: leave one of them out")


def check_self_reward_token(config: Config, shape: ModelShape) -> None:
    """Refuse a token of self-rewards that the model does not have."""
    chosen = config.algorithm.self_reward
    if chosen is not None and chosen.token >= shape.vocab_size:
        raise TrainError(f"algorithm.self_reward.token={chosen.token} is outside of the model's vocabulary of {shape.vocab_size}: lower it")


def check_positions(config: Config, shape: ModelShape) -> None:
    """Raise TrainError if episodes are longer than the model's positions."""
    if config.rollout.max_seq_len > shape.max_seq_len:
        raise TrainError(f"rollout.max_seq_len={config.rollout.max_seq_len} exceeds the model's {shape.max_seq_len} positions: lower it")
