"""What people are asked who want to rent a machine."""

from __future__ import annotations

from rlgym.generators.users.intents import ANY_DAY, Grammar

GRAMMAR = Grammar(
    asks={
        "size": r"\b(?:what|which) (?:reach|span|measurements?)\b|\bhow (?:deep|high|tall|thick|wide|far up|far down|big|large)\b|"
        r"\b(?:depth|height|thickness|diameter|size|dimensions?)\b|\bhow many (?:metres?|meters?|centimet(?:re|er)s?|cm)\b",
        "start": r"\b(?:what|which) date\b|(?<!until )(?<!till )(?<!by )\bwhen\b(?! (?:will|do|would|can) you (?:be )?(?:bring|return|giv|"
        r"hand))(?! you (?:are|have) (?:done|"
        r"finished))|\bstart(?:s|ing)?\b|\bbegin(?:s|ning)?\b|\b(?:which|what|first|from what|"
        r"from which) (?:first )?day\b|\bpick (?:it|the \w+) up\b",
        "days": r"\bwhen\b.*\b(?:return|bring|hand|giv)ing (?:it|the \w+|that)\b|\b(?:until|till|by|to) when\b|\b(?:bring|give|take|hand) (?:it|the \w+|"
        r"that) back\b|\breturn (?:it|the)\b|\b(?:length|"
        r"span) of time\b|\bhow (?:many|"
        r"much) time\b|\bhow (?:many days|long)\b(?! (?:is|are) the (?:branch\w*|wood|wall))|\bfor what (?:period|time)\b|"
        r"\b(?:rental )?period\b|"
        r"\bduration\b|\bnumber of days\b",
        "power": r"\b(?:electric\w*|sockets?|outlets?|plug\w*|mains|power (?:supply|outlet|socket|connection|point)|supply of power)\b|\bpower\b",
        "licence": r"\blicen[cs]ed?\b|\blicen[cs]es?\b|\bcertificate\b|\ballowed to (?:drive|operate|use)\b",
        "helmet": r"\bhelmets?\b|\bhard ?hats?\b|\bprotective gear\b|\bsafety (?:gear|equipment)\b",
        "insurance": r"\binsur\w+\b|\bcover(?:age)? (?:for|against)\b",
        "budget": r"\b(?:the )?(?:most|maximum)\b.*\bpay\b|\b(?:your|the) limit\b|\blimit (?:on|for) (?:money|the price|spending)\b|\bbudget\b|\bhow "
        r"much (?:would|do|are|can|"
        r"could|were|did) you\b|\bprice (?:did|do|range|you|would)\b|\bwhat would you pay\b|"
        r"\b(?:want|planned?|like|hope) to spend\b",
        "name": r"\byour (?:\w+ )?name\b|\bwho (?:am i|is this|is calling)\b",
    },
    opening=r"\bwhat needs (?:doing|to be done)\b|\bwhat is the (?:job|work|project|task)\b|\bwhat (?:will|would|are|do) you (?:\w+ ){0,3}(?:use|do|"
    r"going to do)\b|\b(?:what|which) "
    r"(?:kind|sort|type) of (?:job|work)\b|\bthe "
    r"(?:job|work|project|task)\b.*\b(?:have|do)\b|\bwhat for\b|"
    r"\b(?:what|which) (?:kind |sort |type )?(?:of )?(?:job|work|project|task)\b|\bwhat (?:do|are|would|"
    r"did) you (?:\w+ )?(?:need|want|"
    r"like|look\w*|plan\w*|intend\w*)\b|"
    r"\bwhat (?:you|would you like to|do you want to) (?:would like to |want to |need to )?(?:rent|do)\b|\byour (?:project|job|plans)\b|"
    r"\bwhat (?:is|will) (?:it|the machine) (?:be )?for\b",
    hints={
        "anything_else": r"\b(?:anything|something)\b.*\b(?:add|need)\b|\belse\b|\bfurther\b|\ball for today\b",
        "open": r"\b(?:help|assist|rent)\b|\b(?:need|want|which|kind|type|sort)\b.*\bmachine\b",
    },
    excludes={"ask:size": ("ask:budget",), "ask:power": ("ask:start",)},
    turns={"ask:budget": (r"(?:coins|\b\d{2,6})\b.*\b(?:is|would|does|sounds?) (?:that|this|it)\b", "go_ahead")},
    first=("ask:helmet", "ask:insurance"),
    states=("go_ahead",),
    agrees=r"\b(?:deal|agreed|take it|what do you say|does that work|want it)\b",
    priced=True,
    slots={
        "ask:size": r"\b(?:\d+|one|a|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) ?(?:m|cm|metres?|meters?|centimet(?:re|er)s?)\b",
        "ask:days": r"\b(?:(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|one|a single|a) ?days?\b|\ba week\b",
        "ask:start": rf"{ANY_DAY}|\bfrom the \d",
        "ask:power": r"\b(?:electricity|socket|power)\b",
        "ask:licence": r"\blicen[cs]e\b",
        "ask:helmet": r"\b(?:helmet|hard ?hat)\b",
        "ask:insurance": r"\binsur\w+\b",
        "open": r"\b(?:dig|cut|lift)\w*\b|\byou (?:want|need) to\b",
    },
)
