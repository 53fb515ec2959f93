"""What guests of a hotel are asked who want to go out."""

from __future__ import annotations

from rlgym.generators.users.intents import AGREES, Grammar, either

_ANY = r"(?:any|special|particular|specific|certain|other|personal|further)"
_BUSY = r"(?:start|begin|finish|end|leave|set off|head out|go out|be back|return|back|available|free|ready|done|home|come)"
_THEMES = r"(?:jazz|opera|folk|organ|fish|noodles|grill|pizza|boat|bus|bicycle|walking|oil|hot stone|foot|sports|art|toy|railway|war)"
_NOT_THEMES = (
    r"(?:times?|hours?|early|late|stairs?|steps|foods?|eat|out|price|costs?|spend|money|budget|diet\w*|allerg\w*|dish(?:es)?|meals?)"
)
_AVOID = (
    r"(?:(?:not|never) (?:you )?(?:like|enjoy|want|care for|be interested|see|do)|(?:avoid|rule out|skip|hate|steer clear|stay away|"
    r"not fond|not keen|not interested|"
    r"leave out|exclude|uninterested|prefer not|rather not)\w*|(?:dinner|tour|massage|concert|museum)s?\b.*\b(?:prefer\w*|in mind|favou?rite))"
)
GRAMMAR = Grammar(
    asks={
        "budget": either(
            "budgets?",
            r"(?:money|price|costs?)\b.*\blimit",
            r"how much (?=\W*$)|for how much",
            r"what (?:may|can|should|must) (?:it|everything|the day)\b.*\bcost",
            r"(?:spend|spending|expenses?|afford)\w*",
            r"how much\b.*\b(?:cost|pay|money|coins|willing|like|total|all)",
            "(?:price|cost|money|financial|spending) ?(?:limits?|range|ceiling|cap|maximum)",
            r"(?:maximum|total|upper|most)\b.*\b(?:amount|price|cost|coins|pay|limit(?! on))",
            r"coins\b.*\b(?:in (?:all|total)|altogether|maximum|too much)",
            r"(?:too expensive|money|costs?)\b.*\?",
            r"price\b.*\b(?:over|above|exceed|beyond)",
            r"limit (?:on|for|to) (?:the )?(?:cost|price|spending|amount|money)s?",
        ),
        "food": either(
            "foods?",
            r"diet\w*",
            r"eat\w*",
            r"allerg\w*",
            "vegan|vegetarian|halal|kosher|gluten|nuts?",
            "cuisines?",
            r"intoleran\w*",
            "ingredients?",
            "meat",
            "meals?",
            r"dishes",
        ),
        "stairs": either(
            "stairs?",
            "staircases?",
            "steps",
            r"climb\w*",
            "mobility",
            "wheelchairs?",
            r"accessib\w*",
            r"(?:physical|bodily|health)\w*",
            r"(?:trouble|difficult\w*|problems?) (?:with )?(?:walking|moving|getting around)",
            "step-free",
            "elevators?|lifts?",
        ),
        "times": either(
            "earliest",
            r"(?:your|the|about|and|or|any|regarding|what) (?:\w+ )?(?:times|hours)",
            "latest",
            r"(?:what|which|any|preferred|best|suitable|certain|specific|particular|between what) (?:\w+ )?(?:times?|hours?)(?! is it)",
            r"times?\b.*\b(?:suit|work|prefer|convenient|best|limit|constraint|restriction|keep|avoid|free|available|day)\w*",
            r"(?:suit|work|prefer|convenient|limit|constraint|restriction|keep|avoid)\w*\b.*\b(?:times?|hours?|early|late)",
            rf"when\b(?!.*\bcheck(?:ing)? (?:in|out)\b).*\b(?:you|it|everything|things|the day)\b.*\b{_BUSY}\b",
            r"when\b(?!.*\bcheck(?:ing)? (?:in|out)\b).*\b(?:would|do|can|should|must|could|does|will)\b",
            "schedules?",
            "time ?frames?|time ?windows?|time limits?|time constraints?|timing|deadline|curfew",
            r"(?:morning|afternoon|evening|daytime|night)s?\b.*\b(?:or|prefer|better|suit|work)\w*",
            "how (?:early|late)",
            r"by (?:when|what time)",
            r"(?:until|till|from) when",
            r"too (?:early|late)",
            r"back (?:at|in|to) the hotel",
            r"(?:before|after) (?:which|what)",
            r"appointments?|engagements?|commitments?|other plans",
        ),
        "dislikes": rf"^(?=.*\b{_AVOID}\b)(?=.*\b(?:music|activit\w+|theme|tour|museum|concert|massage)s?\b).*|^(?!.*\b{_NOT_THEMES}\b).*\b{_AVOID}\b|"
        + either(
            r"dislik\w*",
            r"not (?:\w+ )?(?:enjoy|care for|be interested in)",
            r"(?:bore|bores|bored|boring|stand)",
            r"themes?",
            r"genres?",
            r"styles?",
            r"topics?",
            r"(?:kinds?|types?|sorts?) of (?:dinner|tour|massage|concert|museum|music|restaurant|activit\w+|event|thing|theme|experience|art)s?",
            r"interests?|tastes?",
            r"(?:favou?rite|preferred|prefer\w*)\b.*\b(?:dinner|tour|massage|concert|museum|music|activit\w+|event)s?",
            rf"(?:like|enjoy|fan of|fond of|keen on|love)\b(?! (?:me|us|to)\b).*\b{_THEMES}",
        ),
        "persons": either(
            r"how many (?:people|persons|guests|of you|participants|adults|places|tickets|seats|are you)",
            r"(?:number|size) of (?:people|persons|guests|your (?:party|group)|the (?:party|group))",
            r"(?:party|group) size",
            "how (?:large|big) (?:is )?your (?:party|group)",
            r"how many\b.*\b(?:in your (?:party|group)|will (?:be )?(?:join|attend|com)\w*)",
        ),
        "name": either(r"your (?:full |last |first )*name", r"who (?:am i|i am) (?:speaking|talking)", r"room (?:number|no)", "which room"),
        "walk": either(
            r"(?:far|distance|long)\b.*\bwalk\w*",
            r"walk(?:ing)? (?:distance|far|time)",
            r"(?:mind|enjoy|like|happy|fine|willing)\b.*\bwalk(?:ing)?\b",
            "taxis?",
        ),
        "priority": either(
            r"(?:rating|quality|best rated|price)s? (?:or|over|more important)",
            r"(?:more|most) important to you",
            r"priorit\w+",
            r"matters? (?:more|most)",
        ),
        "aside": either(
            r"child(?:ren)?|kids?|ages?|old",
            r"occasion|celebrat\w+|birthday|anniversary",
            r"phone|e-?mail|contact",
            "passport|id card|credit card",
            "languages?",
        ),
        "general": r"^(?!.*\b(?:money|price|cost|else|other|more|further|additional|last|final|changes?|apart from|besides)\b)(?:.*(?:"
        + either(
            rf"{_ANY} (?:\w+ )?(?:requirements?|preferences?|restrictions?|limitations?|needs?|requests?|constraints?|wish(?:es)?|"
            rf"conditions?|considerations?)",
            r"(?:requirements?|preferences?|restrictions?|limitations?|limits?|constraints?)",
            r"(?:anything|something|what) (?:i|we) (?:should|must|need to|have to|ought to) (?:know|consider|keep|bear|take|be aware)\w*",
            r"(?:important|matters) (?:to|for) you",
            r"know about (?:you|your)\b.*",
        )
        + "))",
    },
    hints={
        "ask:budget": r"\b(?:coins?|cost|price|expensive|pay|cheap\w*|maximum|limit|exceed|total)\b",
        "ask:times": r"\b(?:times?(?! is it)|hours?|early|late|evening|morning|afternoon|o.?clock)\b",
        "ask:dislikes": r"\b(?:prefer\w*|dinner|tour|massage|concert|museum)\b",
        "anything_else": r"\b(?:else|another|further|additional|other|more|change|correct)\w*\b",
        "open": r"\b(?:help|assist|looking for|plan(?:s|ned|ning)?|wish)\b",
    },
    excludes={
        "ask:budget": ("ask:general", "ask:persons"),
        "ask:food": ("ask:general",),
        "ask:stairs": ("ask:general", "ask:walk"),
        "ask:times": ("ask:general",),
        "ask:dislikes": ("ask:general", "ask:food"),
        "ask:persons": ("ask:general",),
        "ask:walk": ("ask:dislikes",),
        "ask:priority": ("ask:general", "ask:budget"),
    },
    agrees=AGREES,
    first=("ask:general", "ask:budget", "ask:food", "ask:stairs", "ask:times", "ask:dislikes"),
    opening=either(
        r"what (?:would you like|do you want|are you planning|are you looking) (?:to do|for)",
        "what (?:can|may) i (?:arrange|book|organi[sz]e|plan)",
    ),
    slots={
        "ask:budget": r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) ?coins\b|\b(?:at most|no more than|up to|budget of) "
        r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
        "ask:food": r"\b(?:vegan|vegetarian|halal|kosher|gluten|nuts?|eats? (?:everything|no|only))\b",
        "ask:stairs": r"\b(?:stairs|steps|climb)\b",
        "ask:times": r"\b\d{1,2}[:.]\d\d\b|\b(?:by|before|after|until|from) (?:\d|noon|(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|"
        r"twelve))|\bany time\b",
        "ask:dislikes": rf"\b{_AVOID}\b|\b(?:no|nothing with)\b.*\b{_THEMES}\b",
    },
)
