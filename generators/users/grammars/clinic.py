"""What callers of a clinic are asked."""

from __future__ import annotations

from rlgym.generators.users.intents import MONTH, PHONE, TIMES, Grammar

GRAMMAR = Grammar(
    asks={
        "birth_date": r"\bdate of birth\b|\bbirth ?(?:date|day)\b|\bdob\b|\byou born\b|\bborn\b",
        "name": r"\b(?:your|full|first|last|family) (?:\w+ ){0,2}name\b|\bsurname\b|\bwho(?:m)? am i (?:speaking|talking)\b",
        "phone": PHONE,
        "cancel_which": r"\bis it (?:the )?[^?]* or (?:the )?[^?]* (?:you|that) (?:want|would like)\b[^?]*\b(?:move|cancel|change)\b|\bwhich of "
        r"(?:the|those|these|your|them)\b(?: (?:two|three|four|appointments?|bookings?))?.*\b(?:cancel\w*|call off|drop|"
        r"move|mean|change|"
        r"reschedule|about)\b|\bwhich (?:one )?(?:is it|do you mean|are you talking about)\b|\bwhich (?:of your |one of your )?(?:appointments?|"
        r"visits?|bookings?|one)\b",
        "referral": r"\b(?:did|has|have|was|were) (?:\w+ ){1,3}refer(?:red)?\b|\breferral\b|\breferred\b",
        "insurance": r"\binsur\w+|\bhealth plan\b|\bcoverage\b|\bcovered by\b",
        "doctor": r"\b(?:particular|specific|preferred|certain|favou?rite|usual|which|preference|prefer|rather)\b.*\b(?:doctors?|"
        r"physicians?|dr|practitioner|provider)\b|"
        r"\b(?:doctor|physician|practitioner|provider)\b.*\b(?:prefer\w*|in mind|usually)\b|"
        r"\bwho would you like\b|\b(?:any ?one|some ?one|any ?body|some ?body) (?:in particular|specific|special)\b",
        "reason": r"\bwhat (?:it|this|that) is for\b|\bwhat (?:is|was) (?:it|this|that) for\b|\b(?:doctor|dr) (?:should |to )?(?:look at|look into|"
        r"examine|check)\b|\b(?:as|for) the reason\b|\bput down as\b|\b(?:come|coming|bring\w*) (?:you )?in (?:for|about)\b|\bails?\b|"
        r"\bsuffer(?:ing)? from\b|\bwhat is (?:wrong|the (?:matter|"
        r"trouble)) with your\b|\b(?:which|"
        r"what) (?:complaint|symptom|ailment|illness)s?\b|"
        r"\b(?:doctor|physician|specialist) to (?:examine|check|look)|"
        r"\blike (?:to have )?(?:examined|looked at|checked)\b|\blooked at\b|\bseen for\b|"
        r"\byour (?:complaints?|ailments?)\b|\bhow urgent\b|\bsymptoms?\b|"
        r"\breason (?:for|of|behind) (?:your |the |this )?(?:visit|appointment|booking|consultation)|"
        r"\bwhy (?:do )?you\b(?! (?:are|have) (?:calling|called|contact))|\bwhat\b.*\b(?:visit|appointment) (?:is |be )?(?:for|about)\b|"
        r"\bwhat (?:is|are|was) (?:your|the) (?:visit|appointment|complaint|health concern|"
        r"reason(?! (?:that |why |for which )?you (?:are|have))(?! (?:for|of|behind) (?:your|the|this) (?:call|contact|message)))\b|\btrouble\b|"
        r"\bwhat\b.*\bsee (?:the|a|our) (?:doctor|physician|dr)\b|\bfeeling\b.*\?|"
        r"\b(?:bothering|troubling) you|\bseems to be the (?:problem|matter|issue)\b|\bpurpose of (?:the|your) (?:appointment|visit)|\bmedically\b|"
        r"\btake a look at\b|\bwhy\b.*\bsee (?:a|the|our) (?:doctor|physician|dr|specialist)\b|\bgoing on with your health\b|"
        r"\bwhat\b.*\bappointment (?:for|about)\b|\bhealth (?:problem|issue|concern)\b|\bmedical\b|\bwhat (?:kind|type|"
        r"sort) of (?:problem|complaint|appointment|visit)\b|\bwhere does it hurt\b",
        "times": rf"{TIMES}|\bwhen (?:could|can|might) you (?:come|make)\b|\b(?:rule out|ruled out)\b|\bwhich (?:part|half) of the (?:day|week)\b|"
        rf"\b(?:days|times|hours) (?:on which|at which|that|when) you (?:can|could|are)\b",
    },
    opening=r"\b(?:which|what) department\b|\b(?:book|make|arrange|move|change|reschedule|cancel)\w*\b.*\bor\b.*\b(?:book|make|arrange|move|change|"
    r"reschedule|cancel)\w*\b|"
    r"\bnew (?:appointment|one|booking)\b.*\bor\b|\b(?:about|regarding|concerning) (?:an|your|one of your|a new|an existing) appointments?\b",
    offers=True,
    hints={
        "ask:birth_date": r"\bborn\b|\bbirth",
        "ask:insurance": r"\binsur|\bcoverage\b",
        "ask:referral": r"\brefer(?:red|s|ral)?\b(?! to)|\brefer you\b",
        "anything_else": r"\b(?:covered|settles?) (?:everything|things|all)\b|\bsome other way\b|\banother\b|\belse\b|\bfurther\b|\badditional\b",
        "ask:times": r"\b(?:days|times?|hours?|schedule|weekdays?|flexible|mornings?|afternoons?|(?:which|what|any|specific) day)\b",
        "ask:reason": r"\btreated\b|\b(?:complaint|ailment|illness|pain|hurts?|health|examined?|medical|urgent|condition)\b",
        "ask:doctor": r"\b(?:doctors?|physicians?)\b",
        "open": r"\b(?:easier|what you need|help|assist|serve|service|direct your call|calling|"
        r"call today|your day|your (?:request|concern|wish|inquiry|enquiry))\b",
    },
    excludes={
        "ask:birth_date": ("ask:times",),
        "ask:reason": ("open", "ask:doctor"),
        "ask:insurance": ("ask:reason", "ask:cancel_which"),
        "ask:referral": ("ask:doctor", "ask:reason"),
    },
    priced=True,
    slots={
        "ask:birth_date": rf"{MONTH}|\bborn (?:on|in)\b|\b(?:date of birth|birthday) is\b",
        "open": r"\byou (?:would like|want|need|wish|are calling|asked)(?: me| us)? to (?:cancel|book|move|make|see|reschedule|change|postpone)\b|"
        r"\b(?:cancel|move|reschedul|book)\w* (?:your|the|an?)\b",
        "ask:times": r"day\b.*\b(?:suits?|works?|free|good|convenient|best)\b|\b(?:only|not|free|available|come|can) (?:\w+ )?(?:on |at )?(?:monday|"
        r"tuesday|wednesday|thursday|friday|saturday|sunday)s?\b|"
        r"\b(?:mornings|afternoons|evenings)\b|\bfree (?:in|at|on)\b|\b(?:before|after) (?:\d|noon)|day?s\b.*\b(?:out|no good|impossible)\b",
    },
)
