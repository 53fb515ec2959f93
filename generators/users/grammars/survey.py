"""What people are asked in a survey about their days."""

from __future__ import annotations

from rlgym.generators.users.intents import Grammar

GRAMMAR = Grammar(
    asks={
        "consent": r"\blike to participate\b|\bto be interviewed\b|\bjoin (?:the|our|a|in)\b|\b(?:take|taking) part\b|\bparticipat\w+\b.*\b(?:in|"
        r"you)\b|\b(?:few|five|ten|"
        r"some|couple of) (?:minutes|questions)\b|"
        r"\binterview you\b|\b(?:good|right|convenient) (?:moment|time)\b|\bwill(?:ing)? (?:you )?(?:to )?participat\w+|\byou participate\b|"
        r"\b(?:ask|answer\w*) (?:you )?(?:a few|some|several) (?:short )?questions\b|^(?!.*\bhow (?:many|long|old|much)\b).*\bfor (?:a|our|"
        r"this) (?:short )?(?:survey|study)\b",
        "age": r"\b(?:what|which) age\b|\bhow many years\b.*\bold\b|\byears old\b|\bhow old\b|\byour age\b|\bage in years\b|\bborn\b",
        "household": r"\bwho (?:all |else )?(?:lives?|is living)\b|(?<!car in your )(?<!car in the )\bhousehold\b(?! (?:own|have|has))|\b(?:people|"
        r"persons|of you) (?:\w+ ){0,2}(?:live|"
        r"living)\b|\blive (?:with|alone)\b|\bhow many (?:of you|are you)\b|\b(?:people|persons)\b.*\b(?:live|home)\b",
        "hours": r"\bworking (?:week|day)\b|\bhours\b.*\bfor (?:sleep and (?:for )?)?work\b|\bhow many hours (?:a|per|each|in a) week\b|\bworking hours\b|"
        r"\bhours\b(?!.*\bsleep\b.*\bwork\b).*\b(?:work|job)\w*\b|\b(?:work|working)\b.*\bhours\b(?! of sleep)",
        "minutes": r"\bhow many minutes\b|\bhow long (?:does|do|will) .{0,20}\btake\b|\bcommut\w+\b|\b(?:get|way|journey|travel|go|reach|"
        r"trip) (?:\w+ )?(?:to )?(?:your )?(?:work|workplace|job|"
        r"office)\b(?=.*)(?<!do you go to work)(?<!do you go out to work)(?<!you currently go to work)",
        "work": r"\bin employment\b|\bwhether you (?:are )?work(?:ing)?\b|\bdo you (?:currently |still )?work\b(?! per| a week| weekly)|\bemployed\b|"
        r"\b(?:have|paid|in) (?:a |paid |any )?(?:job|"
        r"work)\b(?! weekly)|\bare you (?:currently )?"
        r"(?:working|retired|studying)\b|\bgo (?:out )?to work\b",
        "km": r"\b(?:kilomet(?:re|er)s?|km|miles)\b|\bhow (?:far|much) do you drive\b|\bdistance\b",
        "car": r"\bcars?\b",
        "coffee": r"\bcoffees?\b|\bcups\b",
        "sleep": r"\bsleep\w*\b|\b(?:a|per|each|every) night\b",
        "books": r"\bbooks?\b|\bread(?:er|ing)?\b",
        "name": r"\byour (?:\w+ )?name\b",
    },
    hints={
        "anything_else": r"\badd anything\b|\bto add\b|\belse\b",
        "ask:exact": r"\b(?:actual|concrete|single|specific|ballpark|average) (?:number|figure|value)\b|\bput (?:a|one|some) (?:number|figure)? ?on "
        r"(?:it|that)\b|\b(?:expressed|in terms) (?:in|of)\b|\bballpark\b|"
        r"\bin (?:hours|minutes|cups|years|kilometres|numbers|figures)\b|\bnail (?:that|it) down\b|\bpin (?:that|it) down\b|\bnarrow (?:that|it) "
        r"down\b|\bhow (?:many|much|often|long)\b|\bwhat do you mean\b|\b(?:be|little|bit|much) (?:a (?:bit|little) )?(?:more )?(?:precise|"
        r"specific|exact)\b|\b(?:a|exact|approximate|rough|what|"
        r"round) (?:number|figure|estimate)\b|"
        r"\broughly\b|\bin numbers\b|\bapproximately\b|\bhow many (?:exactly|would that be|is that)\b|\bexactly how many\b|\bestimate\b|\bnumber\b",
        "open": r"\b(?:help|survey)\b",
    },
    first=("ask:exact",),
    excludes={"ask:minutes": ("ask:work",), "ask:hours": ("ask:work",), "ask:km": ("ask:car",)},
    slots={
        "ask:work": r"\byou (?:do not |currently |still )*work(?=\W*$)|\byou (?:do not )?have (?:a|no|any) job\b|\byou are (?:not )?(?:employed|"
        r"working|retired)\b",
        "ask:coffee": r"\bcups?\b|\bcoffees?\b",
        "ask:sleep": r"\bsle\w+\b|\b(?:a|per|each|every) night\b",
        "ask:age": r"\byears old\b|\byou are (?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
        "ask:household": r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:people|persons|of you)\b|\blive alone\b",
        "ask:books": r"\bbooks?\b",
        "ask:hours": r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) hours (?:a|per|each) week\b|\bhours a week\b",
        "ask:minutes": r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) minutes\b",
        "ask:km": r"\b(?:km|kilomet(?:re|er)s?|miles)\b",
    },
)
