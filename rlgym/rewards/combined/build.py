"""Combined rewards from their descriptions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from rlgym.core.errors import KnobError, UnknownName, suggestion
from rlgym.core.score import Score
from rlgym.rewards.combined import combiners, lengths, terms
from rlgym.rewards.combined.reward import CombinedReward

Description = str | Mapping[str, Any]
"""The name of a term, or a mapping of one name to its options."""

TERMS: dict[str, Callable[..., CombinedReward]] = {
    function.__name__: function
    for function in (
        terms.right, terms.correct, terms.readable, terms.part, terms.parts, terms.tiers, terms.adaptive_exploration, terms.answer_consistent,
        lengths.short, lengths.within, lengths.within_by_difficulty, lengths.exploring, lengths.length_budget, lengths.relative_short,
        lengths.length_surrogate,
    )
}  # fmt: skip
COMBINERS: dict[str, Callable[..., CombinedReward]] = {
    function.__name__: function
    for function in (
        combiners.weighted, combiners.product, combiners.minimum, combiners.nominal_and_worst, combiners.gated, combiners.lexicographic,
        combiners.penalised, combiners.concise, combiners.relative, combiners.standardised,
    )
}  # fmt: skip
NAMES = (*TERMS, *COMBINERS)
"""The names of all terms and combiners."""


def combined_reward(description: Description, wrong_may_outrank: bool = False) -> CombinedReward:
    """The reward of a description such as `{"product": {"terms": ["right", {"short": {"free_tokens": 100, "max_tokens": 400}}]}}`.

    KnobError for unknown or missing options, and for a reward by which a wrong answer may outrank a right one, unless `wrong_may_outrank`.
    UnknownName for an unknown term or combiner.
    """
    reward = _build(description)
    if not (wrong_may_outrank or reward.never_outranked):
        raise KnobError(
            f"with this reward, a wrong answer may outrank a right one: right answers have {reward.right.low:.3g} to {reward.right.high:.3g}, others "
            f"{reward.wrong.low:.3g} to {reward.wrong.high:.3g}. Use `right`, gate a term by it, give it a smaller weight, or set wrong_may_outrank"
        )
    return reward


def combined_shaping(
    description: Description, *, wrong_may_outrank: bool = False, count_tokens: Callable[[str], int] = lambda text: len(text.split())
) -> Callable[[Score, str], float]:
    """The combined reward for `rlgym.make(..., rewards=...)`: it replaces the score, and a response is a group by itself.

    `count_tokens` counts the tokens of a response: words, unless a tokenizer is given. The errors are those of `combined_reward`.
    """
    reward = combined_reward(description, wrong_may_outrank)
    return lambda score, text: reward.of(score, text, count_tokens(text)) - score.value


def _build(description: Any) -> CombinedReward:
    name, options = _split(description)
    if name not in NAMES:
        raise UnknownName(f"no term or combiner of rewards is called {name!r}.{suggestion(name, NAMES)} There are {', '.join(NAMES)}")
    function = TERMS.get(name) or COMBINERS[name]
    given = (_build,) if name in COMBINERS else ()
    try:
        inspect.signature(function).bind(*given, **options)
    except TypeError as error:
        allowed = [option for option in inspect.signature(function).parameters if option != "build"]
        raise KnobError(f"{name}: {error}. Its options are {', '.join(allowed) or 'none'}") from None
    try:
        return function(*given, **options)
    except KnobError as error:
        raise KnobError(f"{name}: {error}") from None


def _split(description: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(description, str):
        return description, {}
    if isinstance(description, Mapping) and len(description) == 1:
        [(name, options)] = description.items()
        if isinstance(name, str) and isinstance(options, Mapping):
            return name, options
    raise KnobError(f"expected a name, or a mapping of one name to its options, got {description!r}")
