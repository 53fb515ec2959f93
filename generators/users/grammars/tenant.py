"""What tenants are asked about a fault, and what they are asked to do about it."""

from __future__ import annotations

from rlgym.generators.users.intents import PHONE, TIMES, Grammar

GRAMMAR = Grammar(
    asks={
        "flat": r"\bwhere (?:do )?you live\b|\b(?:number on|of) your door\b|"
        r"(?<!in the )(?<!in your )(?<!leave the )(?<!leave your )\b(?:flat|apartment|unit|address|door) ?(?:number|no)?\b(?! (?:to|when|while|on))",
        "since": r"\bhow long\b|\bsince when\b|\bwhen (?:did|was)\b.*\b(?:start\w*|begin|began|notice\w*|happen\w*|occur\w*|first|"
        r"stop\w*|break|appear\w*)\b|"
        r"\bhow many days\b|\b(?:what|which) day did\b|\bsince (?:what|which)\b|\bfor how (?:long|many)\b",
        "cause": r"\bwho or what (?:broke|damaged|caused)\b|\bhow come\b|\b(?:led|lead) to\b|\bbrought (?:it |this |that )?about\b|\bresult of\b|"
        r"\bwhat happened to (?:the|your) "
        r"(?!caller)\w+\b|\bhow (?:the|your|it|this|that) (?:\w+ ){0,2}(?:ended|got|came|went|wound)\b|\bwho (?:or what )?(?:broke|did|damaged|"
        r"smashed|cracked|caused) "
        r"(?:it|"
        r"this|that)\b|(?<!you )\bcaused?\b|\bwhat brought (?:it|this|that) (?:on|about)\b|"
        r"\bhow (?:that|it|this|the \w+) (?:came about|came to be|got broken|happened)\b|\bhow did (?:this|that|it)\b|\bhow (?:did|was|were|has|"
        r"have) (?:the|your|it|this|that) (?:\w+ ){0,3}(?:get|got|break|broken|crack\w*|"
        r"damaged|smashed)\b|\bhow (?:the|this) \w+ (?:came about|happened)\b|\bcame about\b|\bbreak it\b|\bbroke it\b|"
        r"\bdid (?:anything|something|you|any ?one|some ?one|anybody|somebody|a guest|the children)\b.*\b(?:happen|do|break|damage|drop)\b|\bwhose "
        r"fault\b|\bresponsible for\b|"
        r"\bwhy\b(?! you)|\bhow (?:it|this|that) (?:happened|broke|came)\b",
        "danger": r"\bsafety (?:concerns?|issues?|risks?|problems?)\b|\bdanger\w*\b|\bgas\b|\bsparks?\b|\bsmoke\b|\bsmell\b|\bstill (?:running|"
        r"leaking|flowing|dripping|coming out|coming)\b|\bgetting worse\b|"
        r"\b(?:safe|unsafe|hurt|injured|emergency|hazard\w*|urgent)\b|\bflood\w*\b|\bwater (?:running|flowing)\b",
        "times": TIMES,
        "phone": PHONE,
    },
    actions={
        "breaker": r"\bfuse ?box\b|\bbreakers?\b|\bfuses?\b|\bcircuit\b|\bfuse panel\b",
        "valve": r"\bvalves?\b|\bstop ?cock\b|\bwater main\b|\bmain water\b|\b(?:turn|shut|switch|close)\w*\b.*\b(?:water|supply)\b",
        "gauge": r"\bgauge\b|\bpressure\b|\bbar reading\b|\bmanometer\b|\bhow many bars?\b",
    },
    opening=r"\bwhat needs (?:repair\w*|fixing|to be)|"
    r"\bwhat (?:is |has )?(?:broke|broken|damaged|the damage|wrong|not working)\b|"
    r"\bwhat (?:kind|sort|type) of (?:problem|damage|repair)",
    offers=True,
    hints={
        "ask:danger": r"\b(?:risk|danger)",
        "ask:times": r"\b(?:days|times?|hours?|schedule|home|mornings?|afternoons?)\b",
        "anything_else": r"\belse\b|\banother\b|\bfurther\b",
        "open": r"\b(?:help|assist|problem|trouble|report)\b",
    },
    excludes={
        "ask:flat": ("ask:phone",),
        "ask:since": ("ask:times",),
        "ask:danger": ("ask:cause",),
        "ask:cause": ("open",),
        "do:valve": ("ask:danger",),
    },
    priced=True,
    slots={
        "ask:since": r"\bfor (?:about |around |over |almost )?(?:(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|a) (?:days?|"
        r"weeks?)\b|\bdays? ago\b|\bsince\b",
        "ask:times": r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b",
        "ask:cause": r"\b(?:caused|broke it|damaged|by (?:your|a|the)|accident|kicked|nobody)\b",
        "ask:flat": r"\bflat f?\d+\b",
        "ask:danger": r"\b(?:gas|sparks|danger|water is)\b",
    },
)
