"""Checks of `algorithm.reward_shaping`: shapings that have a meaning for some tasks alone, and the acceptance of a reward program."""

from __future__ import annotations

from collections.abc import Sequence

import rlgym
from rlgym.audit.reward_program import accept
from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.rewards.lexical_similarity import has_text_answers
from rlgym.train.rewards.responses import FIRST_ERROR
from rlgym.train.rewards.reward_program import RewardProgramOptions
from rlgym.train.rewards.sql_overlap import is_sql_task

FIELD = "algorithm.reward_shaping"


def check_reward_shaping(config: Config) -> None:
    """Raise TrainError for a shaping that would say nothing about any task, and for a reward program that is not accepted."""
    shaping = config.algorithm.reward_shaping
    names = sorted({name for part in config.tasks for name in part.environments()})
    shown = ", ".join(names[:3])
    if "hidden_tests" in shaping and not any(getattr(rlgym.environment(name), "sandbox", None) for name in names):
        raise TrainError(f"{FIELD}.hidden_tests needs answers that are programs, and {shown} has none: leave it out")
    if "error_distance" in shaping and not any(name.endswith(FIRST_ERROR) for name in names):
        raise TrainError(f"{FIELD}.error_distance needs a task NAME{FIRST_ERROR}, such as {names[0]}{FIRST_ERROR}")
    if "sql_overlap" in shaping and not any(map(is_sql_task, names)):
        raise TrainError(f"{FIELD}.sql_overlap needs answers that are SQL queries, and {shown} has none")
    if "lexical_similarity" in shaping and not any(map(has_text_answers, names)):
        raise TrainError(f"{FIELD}.lexical_similarity needs answers that are texts, and {shown} has none")
    if "reward_program" in shaping:
        _check_program(RewardProgramOptions.from_dict(shaping["reward_program"]), names)


def _check_program(options: RewardProgramOptions, names: Sequence[str]) -> None:
    """The program must rank the recorded episodes as the verifier does."""
    field = f"{FIELD}.reward_program"
    if options.env not in names:
        raise TrainError(
            f"{field}.env={options.env!r} is not in tasks, so that the program would pay nothing: choose one of {', '.join(names[:3])}"
        )
    if not isinstance(rlgym.environment(options.env), rlgym.Environment):
        raise TrainError(f"{field} pays single responses, and {options.env} has many turns: leave one of them out")
    try:
        accept(options.file, options.env, options.run, options.function)
    except RlgymError as error:
        raise TrainError(f"{field}: {error}") from None
