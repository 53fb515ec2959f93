"""What two people are asked who want to travel together."""

from __future__ import annotations

from rlgym.generators.users.intents import Grammar
from rlgym.generators.users.travel_phrases import TOWNS

_TOWNS = "|".join(TOWNS).lower()
_WAYS = r"(?:train|plane|bus|ferry|flight|fly|flying)"
GRAMMAR = Grammar(
    asks={
        "propose": rf"^(?!.*\b(?:deposit|down ?payment|in advance)\b)(?!.*\b(?:is|are|was|have|has|i have) (?:now )?(?:booked|reserved|"
        rf"confirmed|settled)\b).*\b(?:{_TOWNS})\b",
        "yield": r"\bdispens\w+ with\b|\b(?:could|can|might|would) (?:you )?(?:be )?(?:dropped|dispense|spare|do away)\b|\b(?:do|live|manage|go) "
        r"without\b|\bgive (?:up|in)\b|\bcompromis\w+\b|\b(?:drop|relax|waive|sacrifice|let go|forgo)\b|"
        r"\bflexible\b|\bnot (?:so|that|very|too) important\b|"
        r"\b(?:least|less) important\b|\bnegotiable\b|\bmatters? least\b|\bready to change\b",
        "landscape": r"\b(?:sea|coast|seaside|beach|mountains?|lakes?|countryside)\b|\blandscapes?\b|\bsurroundings\b|\bdestinations?\b|\bscenery\b|"
        r"\b(?:kinds?|types?|sorts?) of (?:place|area|region|landscape|destination|location)s?\b|\bwhere (?:would|do|should|shall|did) (?:you|"
        r"the trip|it)\b.*\b(?:go|going|travel|be|stay|holiday)\b|"
        r"\b(?:what|which) (?:places?|regions?|spots?|locations?|areas?)\b",
        "budget": r"\btoo (?:expensive|dear|much|pricey)\b|\b(?:up to )?(?:what|which) (?:\w+ )?price\b|\bceiling\b|\b(?:money|price|cost|budget)[- "
        r"]?wise\b|\b(?:max|maximum|highest) "
        r"(?:price|cost|sum)\b|\bprice (?:limit|cap)\b|"
        r"\bwhat may (?:it|the \w+) cost\b|\bhow many coins\b|\b(?:go|pay|spend) (?:\w+ ){0,3}(?:higher|more)\b|\b(?:what|which) (?:sum|"
        r"amount)\b|\bbudgets?\b|\bhow "
        r"(?:much|expensive)\b|"
        r"\b(?:price|spending|upper|cost) (?:limit|"
        r"range)\b|\b(?:limit|maximum|"
        r"most)\b.*\b(?:price|cost|pay|spend|money|budget)\b|"
        r"\b(?:may|can|should) (?:it|the trip) cost\b|\bspend\b|\bafford\b|\b(?:highest|top|maximum|most) (?:\w+ )?(?:price|cost|amount|sum)\b",
        "travel": rf"\bhow\b.*\b(?:travel|get there|go there|getting there|going there|get around)\b|\b(?:means|modes?|ways?|forms?|kinds?) of "
        rf"(?:transport\w*|travel\w*|getting)\b|"
        r"\btransport\w*\b|\bby (?:what|which) means\b|"
        rf"\b(?:fly|flying)\b|\b{_WAYS}\b.*\bor\b.*\b{_WAYS}\b|\bby {_WAYS}\b",
        "hotel": r"\bhotels?\b|\baccommodations?\b|\blodgings?\b|\bamenit\w+\b|\bfacilities\b",
        "weeks": r"\bwhen\b|\b(?:which|what|the|any|of these|free|your) (?:of the )?(?:free )?weeks?\b|\bdates?\b|\bavailab\w+\b|"
        r"\byou (?:are )?free\b|\bhave time\b",
        "name": r"\byour (?:\w+ )?name\b|\bwho (?:am i|is this)\b",
    },
    opening=r"\bdream(?:ing)? of\b|\bwhat (?:are|were) you (?:hoping|looking) for\b|\b(?:what|which) (?:kind|sort|type) of (?:trip|"
    r"holiday|vacation)\b|"
    r"\babout your (?:plans|wishes|trip)\b|"
    r"\bwhat (?:would|do) you (?:like|want|expect|wish) (?:from|for|out of)\b",
    hints={
        "anything_else": r"\b(?:anything|something)\b.*\b(?:add|consider|matters)\b|\belse\b|\bfurther\b|\bother\b",
        "ask:hotel": r"\b(?:need|require\w*|must[- ]haves?)\b",
        "open": r"\b(?:help|assist|hope|trip|holiday)\b",
    },
    excludes={
        "ask:propose": ("ask:landscape", "ask:budget", "ask:travel", "ask:hotel", "ask:weeks", "ask:yield"),
        "ask:yield": ("ask:landscape", "ask:budget", "ask:travel", "ask:hotel", "ask:weeks"),
        "ask:hotel": ("ask:landscape",),
    },
    first=("ask:hotel", "ask:yield", "ask:travel"),
    states=("ask:propose",),
    agrees=r"\bcharge\b",
    priced=True,
    slots={
        "ask:landscape": r"\b(?:sea|coast|beach|mountains?|lakes?|city)\b",
        "ask:travel": r"\b(?:by|take the|no|not) (?:trains?|planes?|bus(?:es)?|ferr(?:y|ies))\b|\b(?:fly|flying)\b",
        "ask:budget": r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) ?coins\b|\b(?:at most|no more than|up to|budget of|"
        r"maximum of) (?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
        "ask:hotel": r"\b(?:pool|garden|kitchen|sauna|lift|hotel)\b",
        "ask:weeks": r"\bweeks? (?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
    },
)
