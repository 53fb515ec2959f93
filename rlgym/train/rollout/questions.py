"""Questions to a second model whose parts are cut to the room that it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlgym.train.rollout.second_models import SecondModel

ANSWER_ROOM = 16
"""Tokens that are left for the answer to a question."""


def fitted(judge: SecondModel, question: str, shown: Mapping[str, str], *cut: Sequence[str], keep_end: frozenset[str] = frozenset()) -> str:
    """A question with its fields filled in, cut until it leaves the judge room for an answer.

    shown     the text of each field of the question
    cut       which fields are cut, one set after the other: the next one only where the one before is empty and the question still too long.
              Fields of one set share the room; what a short one does not need goes to the others
    keep_end  fields that are cut at their beginning; the others are cut at their end
    """
    texts = dict(shown)
    for names in cut:
        while (excess := len(judge.chat.prompt_tokens(question.format(**texts))) + ANSWER_ROOM - judge.max_seq_len) > 0:
            tokens = {name: judge.chat.encode(texts[name]) for name in names}
            if not any(tokens.values()):
                break
            # Text that is cut inside a word can have more tokens than were kept, hence the two for each.
            length = _longest([len(found) for found in tokens.values()], excess + 2 * len(names))
            for name, found in tokens.items():
                if len(found) > length:
                    kept = found[len(found) - length :] if name in keep_end else found[:length]
                    texts[name] = judge.chat.decode(kept) if kept else ""
    return question.format(**texts)


def _longest(lengths: Sequence[int], excess: int) -> int:
    """The largest length to which all may be cut so that they lose `excess` together, and the longest at least one."""
    room = max(0, sum(lengths) - excess)
    for place, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - place)
        if length > share:
            return share
        room -= length
    return max(0, max(lengths) - 1)
