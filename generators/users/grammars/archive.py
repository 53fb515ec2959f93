"""What somebody who left requests for files is asked about the files that they mean."""

from __future__ import annotations

from rlgym.generators.users.intents import AGREES, Grammar, either
from rlgym.generators.worlds.desk import TOWNS

_FILE = r"(?:file|document|contract|plan|report|invoice|photo|picture|one|item|record|copy)s?"
_SUBJECT, _TOWN, _YEAR, _STATE = (
    "(?:bridge|school|harbour|harbor|museum|tower|mill)",
    f"(?:{'|'.join(TOWNS).lower()}|quorn)",
    r"(?:19|20)\d\d",
    "(?:draft|final|signed|withdrawn)",
)


def _one_of(value: str) -> str:
    """A question that offers values to choose from."""
    return rf"{value}\b.{{0,40}}\bor\b.{{0,40}}\b{value}"


def _whether(value: str) -> str:
    """A question whether a file has a value."""
    words = "(?:already |still |meant |be |for |from |about |in |dated )*(?:the |a |an )?"
    end = r"(?: (?:one|version|file|state))?(?: (?:that )?you (?:need|want|mean|are after))?(?: in q\d+)?(?=\W*$)"
    return rf"(?:is|was|are|should|must|does|would|will) (?:it|that|this|the|your)\b(?:[^?]{{0,60}} )? ?{words}{value}{end}"


GRAMMAR = Grammar(
    asks={
        "subject": either(
            r"subjects?",
            r"topics?",
            r"themes?",
            r"subject[ -]matter",
            r"about (?:what|which)(?! (?:year|town|city|state|request))",
            r"what (?:is|was|does|are|should)\b.{0,50}\b(?:about|concern|cover|show|depict|deal with|relate to|refer to|describe|pertain to)"
            r"(?=(?: in| for)? ?(?:request|\W|$))",
            r"what (?:the|this|that|your) (?:\w+ ){1,4}(?:is|was|should be) about",
            r"what it (?:is about|concerns|covers|shows|deals with)",
            r"(?:which|what) (?:project|building|structure|construction|object|thing|matter|content|landmark|facility|site)s?(?! (?:is|are) you)",
            r"contents?",
            r"what (?:is|was|are) (?:it |that |there )?(?:shown|pictured|depicted|seen|visible|portrayed|described|discussed|to be seen)",
            r"what (?:the|this|that|your) (?:\w+ ){1,9}?(?:depicts?|shows?|is (?:about|of)|concerns?|covers?|deals with|portrays?|describes?)",
            r"what (?:can|do) (?:i|you|we|one) see",
            r"what (?:can|could) be (?:seen|made out)",
            r"what (?:is|was) (?:on|in) (?:the|that|this|your) (?:picture|photo|image|shot|drawing|plan)",
            r"what\b.{0,50}\b(?:picture|photo|image|shot|report|plan|drawing|document)s? (?:of|on|about)(?=\W*$)",
            r"what (?:is|was)\b.{0,40}\b(?:of|on)(?=\W*$)",
            _one_of(_SUBJECT),
            _whether(_SUBJECT),
        ),
        "town": either(
            r"towns?",
            "city|cities",
            "places?",
            r"locations?",
            r"(?:which|what) (?:spot|site)",
            rf"where (?:is|was|are) (?:it|that|the (?:\w+ )?(?:{_SUBJECT}|{_FILE}))\b(?! (?:now|kept|stored|saved))",
            "municipality|village|region",
            r"(?:which|what) (?:office|branch)",
            _one_of(_TOWN),
            _whether(_TOWN),
        ),
        "year": either(
            r"years?",
            r"when\b.*\b(?:from|made|written|dated|issued|created|signed|taken|drawn up|drafted)",
            r"dates?|dated",
            r"how (?:old|recent|long ago) (?:is|was|should)",
            r"from which time|time period",
            r"(?:from|since) when",
            r"(?:from|of) (?:what|which) (?:time|date|period)",
            r"how far back",
            _one_of(_YEAR),
            _whether(_YEAR),
        ),
        "state": either(
            r"(?:state|status|stage|condition)s?",
            r"versions?",
            r"(?:draft|final|signed)\b.{0,40}\bor\b(?: (?:rather|the|a|an|one|is it))*.{0,20}\b(?:draft|final|signed|unsigned|not)",
            r"(?:finali[sz]ed|completed|finished|signed off)",
            _whether(_STATE),
            r"(?:has|have) (?:it|that|the)\b.{0,30}\b(?:signed|finali[sz]ed)",
            r"(?:need|want|mean|prefer) (?:the|a) (?:one |version )?(?:that is |that (?:has|is) been )?(?:signed|withdrawn|final|"
            r"draft)(?: one| version)?(?=\W*$)",
        ),
        "which": either(
            rf"(?:which|what) (?!the\b|is\b|does\b|your\b)(?:\w+ ){{0,3}}{_FILE}",
            r"which (?:\w+ )?(?:did|do|would) you",
            r"more (?:specific|precise|details?|information|about)",
            r"(?:clarify|specify|narrow)\b",
            r"tell (?:them|the files) apart",
            r"which of (?:these|them|those|the)",
            r"code|name of the file|file ?name",
        ),
        "request": either(
            r"(?<!about )(?<!regarding )(?<!for )(?<!to )(?<!on )your requests?(?! q\d)",
            r"what (?:did|do) you (?:ask|request|want|need)",
            r"remind me",
        ),
        "sure": either(
            r"(?<!make )(?<!be )(?:sure|certain)",
            r"really(?! (?:mean|want|need|about))",
            r"(?:delete|send|deleted|sent|throw)\b.*\b(?:or|forever|permanently)",
            r"double[- ]check(?:ed)?(?! on)(?!ing)(?!.*\b(?:you mean|it is|you want|you need)\b)",
        ),
    },
    hints={
        "ask:year": r"\b(?:year|date)\b",
        "ask:town": r"\b(?:town|city|place)\b",
        "ask:state": r"\b(?:state|status|version)\b",
        "ask:subject": r"\b(?:subject|topic)\b",
        "ask:which": r"\b(?:several|multiple|more than one|which|differ\w*|mean|unclear|ambiguous)\b",
    },
    excludes={
        "ask:subject": ("ask:which", "ask:request", "ask:sure"),
        "ask:town": ("ask:which", "ask:request", "ask:sure"),
        "ask:year": ("ask:which", "ask:request", "ask:sure"),
        "ask:state": ("ask:which", "ask:request", "ask:sure"),
        "ask:which": ("ask:request", "ask:sure"),
    },
    vague=("ask:which",),
    things=r"\bq\d+\b",
    agrees=AGREES,
    first=("ask:subject", "ask:town", "ask:year", "ask:state"),
    slots={
        "ask:subject": rf"\b{_SUBJECT}\b",
        "ask:town": rf"\b{_TOWN}\b|\b(?:the (?:one|file|{_FILE}) (?:for|from|in)|it is (?:for|from)) (?!the\b|19|20|me\b|you\b|which\b|"
        rf"what\b)[a-z]+\b|\b(?:for|from|in) [a-z]+ or (?:is it )?(?:the one |rather |that )?(?:for |from |in )?[a-z]+\b",
        "ask:year": rf"\b{_YEAR}\b",
        "ask:state": rf"\b{_STATE}\b",
    },
)
