"""What people are asked who make a claim on their insurance."""

from __future__ import annotations

from rlgym.generators.users.claims_phrases import PLACES, THINGS
from rlgym.generators.users.intents import ANY_DAY, PHONE, Grammar

_MONTHS = "january|february|march|april|may \\d+|\\d{1,2} may|june|july|august|september|october|november|december"
_PLACES = "|".join(place.removeprefix("the ") for place in PLACES)
_THINGS = "|".join(THINGS)
_DIFFERS = (
    r"^(?=.*\b(?:police|report|file|officers?|records?|mismatch\w*|discrepanc\w*|contradict\w*|inconsisten\w*|differ\w*|match\w*|account)\b)"
    r"(?=.*\b(?:says?|stat(?:es?|ed)|gives?|gave|names?|named|mentions?|mentioned|records?|recorded|wrote|written|noted?|notes|dated|according|"
    r"lists?|listed|"
    r"includ\w+|shows?|puts|differ\w*|discrepanc\w*|contradict\w*|inconsisten\w*|match\w*|agree with|tally|missing from|find|"
    r"in the (?:police )?report|"
    r"appears?|contains?|rather than|instead of|mismatch\w*|another|conflict\w*|disagree\w*|whereas|(?:report|police|it) ha(?:s|ve)(?! been))\b)"
)
_ABSENT = (
    r"(?=.*(?:\b(?:not|no|never|nothing)\b.*\b(?:mention\w*|list\w*|includ\w*|contain\w*|appear\w*|on the|in the|find|about|part of|name|there)\b|"
    r"\b(?:but (?:no|not)|missing from|absent from|only|without|fewer|leaves out|forget|cannot find|additional|extra)\b))"
)
_GONE = (
    r"(?:stolen|steal|stole|taken|take|took(?! place)|damaged?|missing|gone|destroy\w*|lost|lose|affected|burn\w*|vandali[sz]\w*|"
    r"wreck\w*|smash\w*|ruin\w*|broken|"
    r"(?:get|got|gotten) away with|(?:make|made|run|ran|go|went) off with|disappear\w*|vanish\w*|go(?:ne)? up in|harmed|hit|"
    r"insured for|lifted|swiped|robbed)"
)
_THING = r"(?:items?|things?|objects?|belongings|valuables|possessions?|property|goods|articles?|stuff|effects)"
_ITEM = rf"\b(?:items?|things?|objects?|belongings|valuables|list|{_THINGS})\b"
_WHERE = rf"\b(?:places?|locations?|where(?:abouts)?|streets?|address|{_PLACES}|square|station|park|bridge)\b"
_WHEN = rf"\b(?:dates?|days?|when|{_MONTHS})\b|\b\d{{1,2}}(?:st|nd|rd|th)\b"
_RIGHT = (
    r"\b(?:which|what) (?:is the )?(?:{0})(?: is)? (?:the )?(?:right|correct|true|real)\b|\b(?:which|what) is the (?:right|correct|true|"
    r"real) (?:{0})\b|"
    r"\b(?:sure|certain|mistaken|wrong) (?:about|of) the (?:{0})\b"
)
GRAMMAR = Grammar(
    asks={
        "differs_items": rf"{_DIFFERS}{_ABSENT}(?!.*\bnot at\b).*{_ITEM}",
        "differs_date": rf"^(?!.*\breport\w* (?:it |this |that |the \w+ )?to the police\b){_DIFFERS}.*(?:{_WHEN}|{ANY_DAY})|"
        rf"\bwhen did it (?:really|actually)\b|{_RIGHT.format('date|day')}",
        "differs_place": rf"^(?!.*\breport\w* (?:it |this |that |the \w+ )?to the police\b){_DIFFERS}.*{_WHERE}|{_RIGHT.format('place|location')}",
        "policy": r"\bpolicy(?:'s)? (?:number|no)\b|\bnumber (?:of|on) (?:your|the) (?:\w+ )?(?:policy|contract)\b|\b(?:which|what) policy\b|"
        r"\bcontract number\b",
        "report": r"\bhave you (?:\w+ )?told the police\b|\breport(?:'s)? (?:number|reference|no)\b|\b(?:the|what|your) reference\b|"
        r"\breference number\b|\b(?:number|"
        r"reference)\b.*\b(?:police|report)\b|"
        r"\bpolice\b.*\bnumber\b|"
        r"\b(?:fil(?:e|ed)|made?|have|lodged?) (?:you )?(?:a |the )?(?:police )?report\b|\bnumber on (?:it|the report)\b|\b(?:under|by) (?:which|"
        r"what) number\b|\bis there (?:a|any) (?:police )?report\b|\bits number\b|\breport(?:ed)? (?:it |this "
        r"|that |the \w+ )?to the police\b|"
        r"\b(?:inform\w*|call\w*|notif\w*|contact\w*|go to|went to) the police\b|\bcase number\b|\breport\b.*\bnumbered\b",
        "date": r"^(?!.*\b(?:where (?:was|were|had|did)|lock\w*)\b.*\bwhen (?:it|they|this|that|he|she)\b).*\bwhen\b(?! you (?:left|came))|"
        r"\bdates?\b|"
        r"\b(?:what|which|on what|on which|the|exact) day\b|\bhow long ago\b",
        "place": r"\bwhere(?:abouts)?\b(?! you kept)|\blocation\b|\b(?:what|which|the) (?!took )(?:\w+ )?(?:place|address|street)\b(?! (?:number|"
        r"where you kept))|\bplace (?:of|where)\b(?! you kept)|\b(?:what|which|the|at|exact) (?:spot|site|venue|scene)\b|"
        r"\b(?:which|what) (?:part of (?:the )?)?(?:town|city|area|neighbou?rhood)\b",
        "items": rf"\beverything (?:that )?(?:the |your )?\w+ (?:took|stole|damaged|destroyed|burnt)\b|\b(?:anything|something) (?:else |more "
        rf")?(?:that )?(?:was |were |has been )?{_GONE}\b|"
        r"\bwhat (?:exactly |else |all |things |items |exactly )*(?:was|were|is|has been|did they|did the \w+|have they|got|had been|"
        r"were the) (?:all )?"
        r"(?:exactly )?(?:stolen|taken|take|damaged|missing|gone|destroyed|lost|affected|steal|burn\w*)\b|\b(?:which|what|all|list|name|each|"
        r"every|stolen|damaged|exactly) "
        r"(?:of )?(?:the |your |exactly )*(?:other |stolen |damaged )?(?:items?|things?|objects?|belongings|valuables|possessions)\b|"
        r"\beverything (?:that )?(?:you|was|were|is|got|they)\b(?! (?:locked|secured))|"
        r"\b(?:items?|things?|objects?|belongings) (?:that |which )?(?:were|was|are|have been|you)\b(?! (?:\w+ )?(?:locked|secured))|"
        r"\bwhat (?:are you|do you) claim\w*\b|"
        rf"\bwhat (?!(?:date|day|time|place|spot|number|happened|kind|sort|type|has happened|is|went|did the (?:police|"
        rf"report))\b)[^,]{{0,50}}\b{_GONE}\b|"
        rf"\b(?:which|what|list|all|name|each|every|tell me) (?!(?:date|day|time|place|spot|location|"
        rf"street)\b)(?:\w+ ){{0,4}}{_THING}\b.{{0,25}}\b{_GONE}\b|"
        rf"\blist of (?:what|the|your|all|every)\b|\b(?:{_GONE}) (?:items|things|belongings|possessions|goods)\b",
        "lock": r"\b(?:un)?lock(?:ed|s|ing)?\b|\bsecured?\b|\b(?:left|leave it) (?:open|unattended)\b|\bchained\b",
        "wish": r"\band (?:tell me |describe )?what (?:\w+ )?happened\b|\band what (?:this|it|your (?:call|claim)) is about\b",
        "phone": PHONE,
        "name": r"\b(?:your|full|last|first) (?:\w+ ){0,2}name\b|\bwho(?:m)? am i\b|\bwho is (?:calling|this|speaking)\b|\bsurname\b",
    },
    first=("ask:items",),
    opening=r"\babout (?:your|the) (?:loss|damage|claim)\b|\bwhat was (?:the|your) (?:incident|accident|loss)\b|\b(?:a |the )?(?:theft|burglary|fire|"
    r"vandalism|robbery)\b.*\bor\b|\bwhat (?:kind|sort|type) of (?:damage|claim|loss|"
    r"incident)\b|\bwhat (?:would you like|do you want) to (?:report|claim)\b|"
    r"\bwhat is your claim\b|"
    r"\bwhat happened\b|\bwith your claim\b",
    hints={
        "anything_else": r"\b(?:anything|something)\b.*\badd\b|\belse\b|\banother\b|\bfurther\b",
        "ask:name": r"\bname\b",
        "open": r"(?<!cannot )\b(?:help|assist|happened|claim)\b",
    },
    excludes={
        "ask:differs_items": ("ask:differs_date", "ask:differs_place", "ask:items", "ask:report", "ask:place", "ask:date", "ask:name"),
        "ask:differs_date": ("ask:differs_place", "ask:date", "ask:place", "ask:report", "ask:items", "ask:name"),
        "ask:differs_place": ("ask:place", "ask:report", "ask:items", "ask:name"),
        "ask:policy": ("ask:name", "ask:phone"),
        "ask:report": ("ask:phone", "ask:name"),
        "ask:items": ("ask:name",),
    },
    states=("ask:differs_items", "ask:differs_date", "ask:differs_place"),
    agrees=r"\baccept\b|\bagree to (?:that|this|the)\b",
    priced=True,
    slots={
        "ask:items": rf"\b(?:{_THINGS})s?(?:,| and|, and) (?:the |an? |your )?(?:{_THINGS})s?\b|\b(?:{_THINGS})s?\b.*\b{_GONE}|\b{_GONE}.*\b(?:{_THINGS})s?\b",
        "ask:date": rf"{ANY_DAY}|\b(?:{_MONTHS})\b|\b\d{{1,2}}(?:st|nd|rd|th)\b",
        "ask:place": rf"\b(?:at|in|near|on) (?:the )?(?:{_PLACES}|station|park|market|street|square|office|garage|beach|hotel|cinema|theatre|museum|"
        rf"school|restaurant)\b|"
        r"\b(?:from|at|in|near|on) (?:the )?(?!\w+day\b)[a-z]+ or (?:from |at |in |near |on )?(?:the )?[a-z]+\b",
        "ask:policy": r"\bpolicy (?:number )?(?:is )?[a-z]?\d+",
        "ask:report": r"\breport (?:number )?(?:is )?[a-z]?\d+",
        "ask:lock": r"\b(?:un)?locked\b",
    },
)
