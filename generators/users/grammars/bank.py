"""What callers of a bank are asked."""

from __future__ import annotations

from rlgym.generators.users.intents import MONTH, PHONE, Grammar

GRAMMAR = Grammar(
    asks={
        "birthday": r"\bbirth(?: ?(?:date|day)s?)?\b|\bdob\b|^(?!.*\b(?:town|city|place|where|country|maiden)\b.*\bborn\b).*\bborn\b|\bcome into the world\b",
        "pet": r"\bpets?(?:'s)?\b|\b(?:dog|cat|animal)(?:'s)?\b",
        "street": r"\bstreets?\b|\b(?:road|avenue)\b|\bwhere (?:did )?you (?:grow|grew|lived?)\b|\bgr[eo]w up\b|\bchildhood (?:home|address)\b",
        "school": r"\bschools?\b|\bschooling\b|\b(?:educated|pupil|attended?)\b",
        "name": r"\bname\b.{0,20}\baccount\b|\bwhose call\b|\b(?:your|full|first|last|caller's|client's) (?:\w+ ){0,3}(?:sur|last |full |first )?name\b(?! of)|"
        r"\bsurname\b|\bwho (?:am i|"
        r"are you|is (?:calling|this|speaking|there|"
        r"on the line))\b|\bwho(?:m|se)? (?:do )?i(?: am| have)? (?:the pleasure|speaking|talking)|\bin whose name\b|\bwhom am i\b|"
        r"\bwhat are you called\b|\bwhom? (?:do|have) i (?:have|got)\b|\bwho (?:it is|(?<!verify who )(?<!check who )(?<!confirm who )you are|i "
        r"am)\b|\b(?:what|which|whose) name\b(?! of)|"
        r"\bidentify yourself\b|\bintroduce yourself\b",
        "wish": r"\b(?:what (?:it is|this is|is it|is this) (?:about|regarding|concerning))\b|\b(?:and|as well as) (?:the reason|why|what|"
        r"how)\b.*\b(?:calling|call|needs?|want|help)\b|\b(?:do you (?:want|wish|need)|"
        r"would you like|are you (?:calling|here|looking)) (?:me |us )?(?:to|about)\b"
        r"[^?]{2,60}\bor (?:to |about |rather )*(?:a |an |your |the )?(?:change|raise|set|unblock|make|transfer|send|note|update|card|limit|phone|something)\b",
        "account": r"\b(?:which|what|type of|kind of) (?:of your |one of your |of the |bank )?(?:accounts?|one of your accounts)\b|"
        r"\bcurrent (?:account )?or\b|\bsavings (?:account )?or\b|"
        r"\baccount (?:is|does|should|shall|do|would) (?:this|it|the|that|i|we|you)\b",
        "amount": r"\bnumber of coins\b|\bwhat\b.*\blimit\b|\bhow (?:much|many coins)\b|\b(?:what|which|exact|the) (?:exact )?(?:amount|sum|figure)\b|"
        r"\b(?:amount|sum) (?:of|to|you)\b|"
        r"\bwhat (?:should|shall|is|would) (?:\w+ ){0,4}(?:daily |new )limit\b|\bhow (?:high|large)\b|\b(?:what|which) (?:\w+ ){0,3}limit (?:do|"
        r"would|should|shall|will)\b|\b(?:new|daily|desired) limit (?:be|you)\b",
        "payee": r"\b(?:person|people|someone|somebody) (?:that |whom? )?(?:you|the money|it|this)\b.*\b(?:send|pay|transfer|goes?|get)\b|\bwho "
        r"(?:am i|are we) (?:sending|paying|transferring)\b|\b(?:which|what) (?:person|payee|recipient|people)\b|\bwho(?:m)? (?:is|are|was) (?:it|"
        r"this|that|the \w+) (?:going|for|meant|intended)\b|\bwho(?:m)? (?:are|shall|should|do) (?:we|i) "
        r"pay\w*\b|\bpayee\b|\brecipient\b|\bbeneficiary\b|\bwho(?:m|se)?\b.{0,60}\b(?:money|"
        r"transfer|payment|go|goes|pay|send|receive|receives|"
        r"coins|funds|paid)\b|\b(?:money|sum|transfer|payment|coins) (?:is |goes? |be )?(?:for|to) whom\b|\bwho (?:should|will|"
        r"is to|shall|would) (?:get|have|receive) (?:it|this|that)\b|\bto whom\b(?! (?:am i|i am|do i|i))",
        "phone": rf"{PHONE}|\bnew (?:\w+ )?number\b|\bnumber\b.*\b(?:note|put|save|store|record|write)\b(?! (?:of|to) )",
    },
    opening=r"\bwhat (?:exactly |else )?(?:you|do you|would you) (?:exactly |actually )?(?:need|want|like)\b|\bwhat it is about\b",
    hints={
        "anything_else": r"\belse\b|\banother\b|\bfurther\b",
        "ask:name": r"\bname\b",
        "open": r"(?<!cannot )(?<!unable to )\b(?:help|assist|calling|call)\b",
    },
    excludes={
        "ask:wish": ("ask:payee", "ask:amount", "ask:phone"),
        "ask:pet": ("ask:name",),
        "ask:street": ("ask:name", "ask:account"),
        "ask:school": ("ask:name",),
        "ask:payee": ("ask:name", "ask:wish"),
        "ask:amount": ("ask:wish",),
        "ask:phone": ("ask:name",),
    },
    slots={
        "ask:amount": r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) ?(?:coins|euros|dollars|pounds)\b|\b(?:amount|limit) "
        r"(?:of|to|is) (?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
        "ask:street": r"\b\w+ (?:street|road|lane|avenue|square)\b",
        "ask:school": r"\bschool\b",
        "ask:pet": r"\b(?:pet|dog|cat|hamster|rabbit)\b",
        "ask:payee": r"\b(?:recipient|payee|beneficiary) (?:is|will be|should be) [a-z]+ [a-z]+\b|(?<!used )\bpay [a-z]+ [a-z]+\b|(?<!used )\b(?:to|"
        r"for) (?!(?:be|sum|repeat|recap|the|your|a|an|do|have|send|transfer|set|pay|"
        r"change|note|unblock|my|our|my|this|that|it|us|me|you|"
        r"\d)\b)[a-z]+ [a-z]+\b",
        "ask:phone": r"\b(?:phone|number)\b.*\b\d{3,}|\b\d{4} \d{4,}\b",
        "ask:account": r"\b(?:current|savings) account\b",
        "ask:birthday": rf"{MONTH}|\bborn (?:on|in)\b|\bbirthday\b",
        "ask:name": r"\byou are [a-z]+ [a-z]+(?=\W*$)|\bname is\b",
        "open": r"\byou (?:would like|want|need|wish|are calling|asked)(?: me| us)? to (?:unblock|block|set|change|note|raise|lower)|\b(?:card|"
        r"limit)\b.*\b(?:unblock\w*|changed|raised|lowered|working)\b",
    },
)
