"""Counts behaviours in the text of a response, by fixed patterns."""

from __future__ import annotations

import re

BEHAVIOURS = {
    "backtracking": r"\b(dead end|back:|back to|backtrack|undo|go back|take (that|this) back|try (again|another)|does(n't| not) work|instead[,.])",
    "checking": r"\b(check(ing|s|ed)?\b|verif(y|ies|ied)|let me confirm|is (that|this) right|double-check|indeed\b|sanity)",
    "subgoals": r"\b(next\b|subgoal|first\b|then\b|step \d+|the next step|now (i|we) need|plan\b)",
    "backward chaining": r"\b(work(ing)? backwards?|backwards? from|to (get|reach|make) (this|that|it|the target)|in reverse)",
}
"""Behaviours of reasoning by name, each with the pattern of one occurrence.

From "Cognitive Behaviors that Enable Self-Improving Reasoners, or, Four Habits of Highly Effective STaRs", whose counts are a model's; these are of
words, so that they find the form of a behaviour and not whether it helps.
"""


def count_behaviours(text: str) -> dict[str, int]:
    """The number of lines of a text that show each behaviour."""
    lines = [line for line in text.splitlines() if line.strip()]
    return {name: sum(bool(re.search(pattern, line, re.IGNORECASE)) for line in lines) for name, pattern in BEHAVIOURS.items()}
