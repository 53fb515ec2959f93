"""Refuses what cannot work with second models: names that are not in `second_models`, folders without a model, questions that show nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rlgym
from rlgym.core.errors import suggestion
from rlgym.train.config.sections import TrainError
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.judge import PAIR_FIELDS, VERDICT_FIELDS, question_fields, question_of
from rlgym.train.rollout.trace_scores import QUESTION as TRACE_QUESTION
from rlgym.train.tasks.curriculum import with_transfer

if TYPE_CHECKING:
    from rlgym.train.config.schema import Config


def check_second_models(config: Config) -> None:
    """Raise TrainError for combinations that would fail or have no effect."""
    used = named_models(config)
    for field, name in used.items():
        if name not in config.second_models:
            known = sorted(config.second_models)
            there = f"there are {', '.join(known)}" if known else "it is empty"
            raise TrainError(f"{field}={name!r} is not in second_models, and {there}.{suggestion(name, known)}")
    for name, chosen in config.second_models.items():
        if name not in used.values():
            raise TrainError(f"second_models.{name} is not used: name it in the field `model` of a reward, or leave it out")
        if chosen.path and not (Path(chosen.path) / "config.json").is_file():
            raise TrainError(f"second_models.{name}.path={chosen.path!r} is not a Hugging Face folder: it has no config.json")
    _check_listener(config)
    _check_prover(config)
    _check_judge(config)
    _check_critique_reward(config)
    _check_trace_reward(config)
    _check_judge_training(config)


def named_models(config: Config) -> dict[str, str]:
    """The second models that rewards name, by the field that names them."""
    algorithm = config.algorithm
    sections = {
        "likelihood_reward": algorithm.likelihood_reward,
        "token_rewards": algorithm.token_rewards,
        "judge_reward": algorithm.judge_reward,
        "judge_training": algorithm.judge_training,
    }
    found = {
        f"algorithm.{field}.model": section.model
        for field, section in sections.items()
        if section is not None and section.model is not None
    }
    if algorithm.trace_reward is not None:
        found["algorithm.trace_reward.model"] = algorithm.trace_reward.model
        if algorithm.trace_reward.solver is not None:
            found["algorithm.trace_reward.solver"] = algorithm.trace_reward.solver
    return found


def _check_listener(config: Config) -> None:
    chosen = config.algorithm.likelihood_reward
    if chosen is None or chosen.model is None:
        return
    if chosen.answer_gradient or not chosen.own_answer_loss:
        raise TrainError(
            "algorithm.likelihood_reward.answer_gradient and own_answer_loss=false are of the policy's own probabilities: leave them out, "
            "or algorithm.likelihood_reward.model"
        )
    if "answer_rank" in config.algorithm.filters:
        raise TrainError(
            "the filter 'answer_rank' reads the policy's own probabilities: leave it out, or algorithm.likelihood_reward.model"
        )


def _check_prover(config: Config) -> None:
    """Continuations of the policy's own tokens need the same tokens."""
    chosen = config.algorithm.token_rewards
    if chosen is None or chosen.model is None:
        return
    if chosen.turn_reward == "captions":
        return
    if chosen.source not in ("prefix_values", "critiques"):
        raise TrainError(
            f"algorithm.token_rewards.model continues prefixes or writes critiques: set source='prefix_values' or 'critiques', not {chosen.source!r}"
        )
    if chosen.source == "critiques":
        return
    prover = config.second_models[chosen.model]
    if prover.path and load_tokenizer(Path(config.model.path)).get_vocab() != load_tokenizer(Path(prover.path)).get_vocab():
        raise TrainError(
            f"algorithm.token_rewards.model={chosen.model!r} continues the policy's tokens, and its tokenizer differs: use a model with the same tokenizer"
        )
    if prover.max_seq_len < config.rollout.max_seq_len:
        raise TrainError(
            f"second_models.{chosen.model}.max_seq_len={prover.max_seq_len} is below rollout.max_seq_len="
            f"{config.rollout.max_seq_len}, so that long prefixes have no value: raise it"
        )


def _check_judge(config: Config) -> None:
    chosen = config.algorithm.judge_reward
    if chosen is None:
        return
    try:
        shown = question_fields(question_of(chosen))
    except ValueError as error:
        raise TrainError(f"algorithm.judge_reward.question: {error}; write {{{{ and }}}} for braces") from None
    allowed = PAIR_FIELDS if chosen.kind != "verdict" else VERDICT_FIELDS
    if unknown := shown - allowed:
        raise TrainError(
            f"algorithm.judge_reward.question shows {{{min(unknown)}}}, which the kind {chosen.kind!r} does not have: there are "
            f"{', '.join(sorted(allowed))}"
        )
    needed = PAIR_FIELDS - {"prompt"} if chosen.kind != "verdict" else {"response"} | ({"criterion"} if chosen.criteria else set())
    if missing := needed - shown:
        raise TrainError(f"algorithm.judge_reward.question must show {{{min(missing)}}}: the judge could not tell responses apart")
    if chosen.kind in ("pairwise", "bootstrap") and config.rollout.group_size < 2:
        raise TrainError(
            f"algorithm.judge_reward.kind={chosen.kind!r} compares the responses of a group: set rollout.group_size to 2 or more"
        )
    for field, given in {"criteria": chosen.criteria, "threshold": chosen.threshold}.items():
        if given and chosen.kind != "verdict":
            raise TrainError(f"algorithm.judge_reward.{field} is of the kind 'verdict', not {chosen.kind!r}: leave it out")
    if chosen.kind == "bootstrap" and config.algorithm.advantage != "reinforce":
        raise TrainError(
            f"algorithm.judge_reward.kind='bootstrap' is itself an advantage: set algorithm.advantage='reinforce', not {config.algorithm.advantage!r}"
        )
    needs_oracle = chosen.kind == "exemplar" or {"answer", "solution"} & shown
    for name in sorted({name for part in config.tasks for name in part.environments()}) if needs_oracle else ():
        if not isinstance(rlgym.environment(name), rlgym.Environment):
            raise TrainError(
                f"algorithm.judge_reward shows a reference answer, and {name} has many turns and none: set another question, or leave one of them out"
            )


def _check_trace_reward(config: Config) -> None:
    chosen = config.algorithm.trace_reward
    if config.sft is not None and config.sft.trace_fraction < 1 and (chosen is None or not config.sft.rollouts):
        raise TrainError("sft.trace_fraction chooses among sft.rollouts by algorithm.trace_reward: set both, or leave it out")
    if chosen is None:
        return
    try:
        shown = question_fields(chosen.question or TRACE_QUESTION)
    except ValueError as error:
        raise TrainError(f"algorithm.trace_reward.question: {error}; write {{{{ and }}}} for braces") from None
    if unknown := shown - {"prompt", "before", "step", "response"}:
        raise TrainError(f"algorithm.trace_reward.question shows {{{min(unknown)}}}: there are prompt, before, step and response")
    if "step" not in shown:
        raise TrainError("algorithm.trace_reward.question must show {step}: the judge could not tell steps apart")
    if config.rollout.answer_style != "tag":
        raise TrainError(f"algorithm.trace_reward needs rollout.answer_style='tag', not {config.rollout.answer_style!r}")
    for name in sorted({name for part in with_transfer(config.tasks, config.evaluation) for name in part.environments()}):
        if not isinstance(rlgym.environment(name), rlgym.Environment):
            raise TrainError(f"algorithm.trace_reward scores single responses, and {name} has many turns: leave one of them out")


def _check_critique_reward(config: Config) -> None:
    chosen, algorithm = config.algorithm.critique_reward, config.algorithm
    if chosen is None:
        return
    if algorithm.token_rewards is None or algorithm.token_rewards.source != "critiques":
        raise TrainError(
            "algorithm.critique_reward counts the votes of critiques: set algorithm.token_rewards.source='critiques' and its model"
        )
    if not (chosen.verdict_weight or chosen.step_weight):
        raise TrainError("algorithm.critique_reward has no weight: set verdict_weight or step_weight above 0, or leave it out")
    if chosen.strict_format and config.rollout.answer_style != "tag":
        raise TrainError(
            f"algorithm.critique_reward.strict_format needs rollout.answer_style='tag', not {config.rollout.answer_style!r}: set it to false"
        )
    for name in ("likelihood_reward", "intrinsic_reward", "twin_reward", "judge_reward"):
        if getattr(algorithm, name) is not None:
            raise TrainError(f"algorithm.critique_reward and {name} both replace the reward: leave one of them out")


def _check_judge_training(config: Config) -> None:
    """What trains a judge must come from that judge."""
    algorithm, chosen = config.algorithm, config.algorithm.judge_training
    if chosen is None:
        return
    field, judged = f"algorithm.judge_training.objective={chosen.objective!r}", algorithm.judge_reward
    if chosen.objective in ("pairs", "solutions"):
        if judged is None or judged.kind != "verdict" or judged.model != chosen.model or judged.criteria:
            raise TrainError(
                f"{field} trains the judge of verdicts: set algorithm.judge_reward with kind 'verdict', model={chosen.model!r} and no criteria"
            )
        if chosen.objective == "solutions":
            if {"answer", "solution"} & question_fields(question_of(judged)):
                raise TrainError(
                    f"{field} trains a verifier without reference: set an algorithm.judge_reward.question that shows neither {{answer}} nor {{solution}}"
                )
            if chosen.alternate_steps is not None:
                raise TrainError(f"{field} has rounds of its own: set algorithm.judge_training.round_steps, and leave alternate_steps out")
        elif config.rollout.answer_style != "tag":
            raise TrainError(
                f"{field} replaces the answer between tags: set rollout.answer_style='tag', not {config.rollout.answer_style!r}"
            )
        for name in sorted({name for part in config.tasks for name in part.environments()} if chosen.objective == "pairs" else ()):
            if not isinstance(rlgym.environment(name), rlgym.Environment):
                raise TrainError(f"{field} corrupts single answers, and {name} has many turns: leave one of them out")
    else:
        token_rewards = algorithm.token_rewards
        if token_rewards is None or token_rewards.source != "critiques" or token_rewards.model != chosen.model:
            raise TrainError(f"{field} trains on critiques: set algorithm.token_rewards with source 'critiques' and model={chosen.model!r}")
        if token_rewards.continuations < 2:
            raise TrainError(f"{field} compares the critiques of a response: set algorithm.token_rewards.continuations to 2 or more")
    if chosen.format_reward and chosen.objective != "verdicts":
        raise TrainError(f"algorithm.judge_training.format_reward is of the objective 'verdicts', not {chosen.objective!r}: leave it out")
    if chosen.alternate_steps is not None and min(chosen.alternate_steps) < 1:
        raise TrainError(
            f"algorithm.judge_training.alternate_steps={list(chosen.alternate_steps)} must be numbers of steps of at least 1, or be left out"
        )
