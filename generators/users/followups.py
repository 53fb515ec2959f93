"""Messages that only go with what was said before: the answer to a question back, a question asked again, and the same question about something else.

"Is it about the flight or about the passport?" - "The first one." "Which of them do you mean?" - "The lamp." "Please ask me again." - "Do you have it now?"
"Why do you want to return the lamp?" - "And the chair?" They are read only where the message means nothing by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlgym.generators.users.english import WORD
from rlgym.generators.users.matters import EVERY, FOREIGN, Matter, mentioned, placed
from rlgym.generators.users.reader import Meaning
from rlgym.generators.users.readings import named_reading
from rlgym.generators.users.scoring import content_words

LONGEST = 9
"""The most words of a message that only goes with what was said before."""
_EMPTY = {"unknown", "tell", "hold", "rest", "confirm", "empathy", "go_ahead"}
"""What a message means that says nothing by itself."""
_YES = re.compile(
    r"^(?:(?:oh|well|ok|okay|sorry|ah)\b[,. !]*)*(?:yes|yeah|right|exactly|correct|precisely|indeed|that is (?:right|it|what i (?:mean|meant))|i do|it is)\b"
)
_NO = re.compile(r"\b(?:no|neither|none|not|nothing)\b")
_FIRST = re.compile(r"\b(?:first|former|1st)\b|^(?:a|1|one)\W*$")
_SECOND = re.compile(r"\b(?:second|latter|last|2nd|other)\b|^(?:b|2|two)\W*$")
_BOTH = re.compile(r"\b(?:both|all|each|every)\b")
_AGAIN = re.compile(
    r"\b(?:(?:have|did|do|got) (?:you )?(?:got |found |find |have |remember\w* )?(?:it|that|this|them)\b(?: (?:now|yet|handy|ready|already))?|any "
    r"luck|and now|found it|ask(?:ing)? (?:you )?"
    r"(?:it |that )?(?:again|once more)|(?:so|well|ok|okay|now|sorry),? (?:what|when|where|which|who|how much|how many) (?:is|was|were|are) (?:it|"
    r"that|they)|are you back|"
    r"(?:can|could|would) you (?:tell|give|say) (?:me |us )?(?:it |that )?(?:now|again)|remember(?:ed)? (?:it )?now|come back to you|same question|"
    r"i will (?:ask|repeat|try)\b.*\b(?:again|it)|let me (?:ask|repeat)\b.*\b(?:again|it)|once (?:more|again)|ready now)\b"
)
_ALSO = re.compile(
    r"^(?:(?:ok|okay|great|thanks|thank you|good|right|alright|all right|got it|i see|understood|perfect)\b[,.! ]*)*(?:and|what about|how about|same "
    r"(?:question )?(?:for|about)|"
    r"(?:now|also|then) (?:for|the)|as for|likewise for)\b"
)


_STATES = re.compile(r"\b(?:is|are|was|were|has|have|had|will|cannot|been|did|do|i|we)\b")
"""What a follow-up without a question mark has not, as "And the chair is on its way"."""


def as_pending(intent: str, about: str = "") -> str:
    """An intent and the matter that it is about, in the form in which a conversation keeps them."""
    return f"{intent}|{about}"


def _meaning(pending: str, about: str = "") -> Meaning:
    intent, _, matter = pending.partition("|")
    return Meaning(intent, about=about or matter)


def answered_to(
    grammar: str, pending: Sequence[str], latest: Sequence[str], plain: str, meanings: Sequence[Meaning], matters: tuple[Matter, ...]
) -> tuple[Meaning, ...]:
    """What a plain text means after what was said before it; nothing where it has a meaning of its own, or none even so.

    pending  what the person left open, and latest what they answered last, as `as_pending` gives it
    """
    if any(meaning.intent not in _EMPTY or meaning.amount or meaning.when for meaning in meanings) or len(WORD.findall(plain)) > LONGEST:
        return ()
    about = mentioned(matters, plain) or placed(matters, plain)
    if pending:
        return _chosen(pending, plain, about)
    asks = "?" in plain or _STATES.search(plain) is None
    if latest and about and FOREIGN not in about and _ALSO.search(plain) and asks and latest[0].startswith("ask:"):
        return tuple(_meaning(latest[0], key) for key in about)
    return ()


def _chosen(pending: Sequence[str], plain: str, about: tuple[str, ...]) -> tuple[Meaning, ...]:
    """Those of the open questions that a text means."""
    if about and FOREIGN not in about and not _NO.search(plain):
        return tuple(_meaning(each, key) for each in pending[:1] for key in about)
    if _AGAIN.search(plain) and len(pending) == 1:
        return (_meaning(pending[0]),)
    if _NO.search(plain):
        return ()
    words = set(content_words(plain))
    named = [each for each in pending if words & set(content_words(named_reading(each.partition("|")[0])))]
    if len(named) == 1:
        return (_meaning(named[0]),)
    if _BOTH.search(plain) and EVERY not in about:
        return tuple(map(_meaning, pending))
    if len(pending) > 1 and _FIRST.search(plain):
        return (_meaning(pending[0]),)
    if len(pending) > 1 and _SECOND.search(plain):
        return (_meaning(pending[1]),)
    return (_meaning(pending[0]),) if len(pending) == 1 and _YES.search(plain) else ()
