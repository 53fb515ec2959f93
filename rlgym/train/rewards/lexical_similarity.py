"""Partial rewards of wrong translations: how near they are to the reference by chrF or BLEU."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

import rlgym
from rlgym import Outcome
from rlgym.core.answer import Style, Unreadable
from rlgym.rewards.lexical import METRICS
from rlgym.train.registry import Options, reward
from rlgym.train.rewards.scored import ScoredResponse

FORMATS = ("words", "passage")
"""Formats of answers that are texts."""


class LexicalSimilarityOptions(Options):
    """Options of `lexical_similarity`."""

    metric: Literal["chrf", "chrf++", "bleu"] = Field("chrf", description="runs of characters, of characters and words, or of words")
    highest: float = Field(0.9, gt=0, lt=1, description="reward that a wrong text near the reference approaches")


@reward("lexical_similarity", paper="MT-R1-Zero: Advancing LLM-based Machine Translation via R1-Zero-like Reinforcement Learning")
def lexical_similarity(scored: ScoredResponse, options: LexicalSimilarityOptions) -> float:
    """highest m(text, reference) for a readable wrong translation, m chrF, chrF++ or BLEU of the answer; a right one keeps 1.

    The reference is the oracle's answer. Letter case counts as the task says. An unreadable response earns nothing, which is the gate on the
    format, and so do tasks with other answers.
    """
    if scored.score.outcome in (Outcome.RIGHT, Outcome.UNREADABLE, Outcome.REFUSED) or not has_text_answers(scored.task.name):
        return 0.0
    text, reference = (_text(scored.task.name, response) for response in (scored.response, scored.reference))
    return max(scored.score.value, options.highest * METRICS[options.metric](text, reference)) - scored.score.value


def has_text_answers(name: str) -> bool:
    """Whether the answers of an environment are words in order or a text."""
    return getattr(getattr(rlgym.environment(name), "answer", None), "format", "") in FORMATS


def _text(name: str, response: str) -> str:
    """The answer of a response as words and single spaces; empty where it is unreadable."""
    answer = rlgym.environment(name).answer
    for style in get_args(Style):
        try:
            parsed = answer.parse_response(response, style)
        except Unreadable:
            continue
        return " ".join(parsed.split() if isinstance(parsed, str) else map(str, parsed))
    return ""
