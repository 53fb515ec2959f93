"""Steps without their prose, or without their formulas: what does a scorer of steps look at?

From "What Are Step-Level Reward Models Rewarding? Counterintuitive Findings from MCTS-Boosted Mathematical Reasoning".
"""

from __future__ import annotations

import re
from dataclasses import replace

from rlgym.evaluate.step_texts import step_ends
from rlgym.evaluate.steps.records import StepRecord, StepsError

PARTS = ("prose", "formulas")
EMPTY = "..."
"""What a step becomes of which nothing is left."""
_TOKENS = re.compile(r"<answer>.*?</answer>|\\boxed\{[^{}]*\}|\\\[.*?\\\]|\\\(.*?\\\)|\$\$.*?\$\$|\$[^$\n]+\$|\S+", re.DOTALL)
_ANSWER = ("<answer>", "\\boxed{")
_LATEX = ("\\[", "\\(", "$")
_SIGNS = re.compile(r"[0-9=+*/^<>≤≥≠≈×·÷√∑∏∫∈∧∨¬→⇒]|^[-(){}\[\]|!%]+$|^[b-zB-HJ-Z][.,;:]?$")


def without(record: StepRecord, part: str) -> StepRecord:
    """The response whose steps lack their `prose` or their `formulas`. Final answers stay; a step of which nothing is left becomes "...".

    A formula is LaTeX between its marks, or a word with a digit, an operator or a relation, or a single letter other than a and I.
    Raises StepsError for another part.
    """
    if part not in PARTS:
        raise StepsError(f"steps have no part {part!r}: leave out one of {', '.join(PARTS)}")
    steps = [stripped(step, part) for step in record.steps]
    text = record.separator.join(steps)
    return replace(record, response=text, ends=step_ends(text, record.separator), chains=())


def stripped(step: str, part: str) -> str:
    """A step without its prose or its formulas, in one line."""
    kept = [token for token in _TOKENS.findall(step) if token.startswith(_ANSWER) or is_formula(token) == (part == "prose")]
    return " ".join(kept) or EMPTY


def is_formula(token: str) -> bool:
    """Whether a token is a formula or a part of one."""
    return token.startswith(_LATEX) or _SIGNS.search(token) is not None
