"""The grammars of the worlds with simulated users: what their agents ask for, and what they ask a person to do.

Patterns are regular expressions over lower-case English without contractions. Each names a concept by its synonyms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Grammar(NamedTuple):
    """The intents that a person understands, as patterns over lower-case English without contractions.

    asks       what is asked for, as `ask:` intents; found only in sentences that request something
    actions    what the person is asked to do, as `do:` intents
    opening    words that invite the person to say what they want
    offers     whether days and times are offered
    """

    asks: Mapping[str, str]
    actions: Mapping[str, str] = {}
    opening: str = ""
    offers: bool = False


OPENING = (
    r"\bhow (?:may|can|could|might) (?:i|we) (?:help|assist|be of|support)|\bwhat (?:can|may|could) (?:i|we) (?:do|help)|"
    r"\bwhat brings you|"
    r"\bwhat (?:is|are|was|seems to be) (?:the|your) (?:problem|issue|matter|trouble|request|concern|question)|"
    r"\bwhat (?:is )?(?:going on|happening|wrong|up)\b|"
    r"\b(?:describe|explain|tell me(?: more)? about|share) (?:me )?(?:the|your) (?:problem|issue|situation|request|concern)|"
    r"\bwhat (?:do you need|would you like|do you want|are you calling|is this about|happened)|\breason (?:for|of) (?:your|the|"
    r"this) (?:call|message|contact)|"
    r"\bhow can (?:this|our)|\btell me (?:more|what)|\bwhat (?:exactly )?(?:is it (?:about|that you))"
)
_TIMES = (
    r"\b(?:when(?! were you born)|wh(?:at|ich) (?:\w+ ){0,3}(?:days?|times?|slots?|hours?))\b.*\b(?:you|work|works|suit|suits|best|convenient|prefer|"
    r"fit|home|come)\b|"
    r"\bavailab(?:le|ility)\b|\b(?:days?|times?|time of day)\b.*\b(?:prefer\w*|suit\w*|convenient|cannot|unable|avoid|work\w*|free)\b|"
    r"\bprefer\w*\b.*\b(?:days?|times?|time of day|dates?)\b|\bwhen (?:are|would|will) you\b|\byou (?:are|would be) free\b|"
    r"\byour schedule\b"
)
_PHONE = (
    r"\b(?:phone|telephone|mobile|cell|cellphone|contact|callback|line) (?:number|no)\b|\bnumber\b.*\b(?:reach|contact|call)\b|"
    r"\b(?:what|which|confirm|share|give|provide|have|tell)\b.{0,30}\b(?:the|your) (?:phone |mobile )?number\b(?! (?:of|is wrong))|"
    r"\bwhich (?:phone )?line\b"
)
CLINIC = Grammar(
    asks={
        "birth_date": r"\bdate of birth\b|\bbirth ?(?:date|day)\b|\bdob\b|\byou born\b|\bborn\b",
        "phone": _PHONE,
        "cancel_which": r"\bwhich (?:of your |one of your )?(?:appointments?|visits?|bookings?|one)\b",
        "referral": r"\breferral\b|\breferred\b",
        "insurance": r"\binsur\w+|\bhealth plan\b|\bcoverage\b|\bcovered by\b",
        "doctor": r"\b(?:particular|specific|preferred|certain|favou?rite|usual|which|preference|prefer|rather)\b.*\b(?:doctor|"
        r"physician|dr|practitioner|provider)\b|"
        r"\b(?:doctor|physician|practitioner|provider)\b.*\b(?:prefer\w*|in mind|usually)\b",
        "reason": r"\bsymptoms?\b|\breason (?:for|of|behind) (?:your |the |this )?(?:visit|appointment|booking|consultation)|"
        r"\bwhy (?:do )?you\b|\bwhat\b.*\b(?:visit|appointment) (?:is |be )?(?:for|about)\b|"
        r"\bwhat (?:is|are|was) (?:your|the) (?:visit|appointment|complaint|reason|health concern)\b|\btrouble\b|"
        r"\bwhat\b.*\bsee (?:the|a|our) (?:doctor|physician|dr)\b|\bfeeling\b.*\?|"
        r"\bwhat\b.*\bappointment (?:for|about)\b|\bhealth (?:problem|issue|concern)\b|\bmedical\b|\bwhat (?:kind|type|"
        r"sort) of (?:problem|complaint|appointment|visit)\b|\bwhere does it hurt\b",
        "times": _TIMES,
    },
    offers=True,
)
GRAMMARS: Mapping[str, Grammar] = {"clinic": CLINIC}
