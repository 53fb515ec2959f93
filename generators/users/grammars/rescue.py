"""What callers of an emergency line are asked and told to do."""

from __future__ import annotations

from rlgym.generators.users.intents import PHONE, Grammar

_PERSON = r"(?:he|she|they|it|the (?:\w+ )?(?:person|man|woman|patient|victim|child|boy|girl)|(?:your|the|my) (?:mother|father|\w+))"
_OUT = r"(?:building|house|flat|apartment|home|room|place|car|area|premises)"
GRAMMAR = Grammar(
    asks={
        "where": r"\b(?:which|what) building\b|\bwhere (?:shall|should|do) (?:i|we) (?:send|come|go)\b|\b(?:the|your|what|which) (?:exact )?(?:place|"
        r"surroundings|position|whereabouts)\b|\bwhere (?:exactly |are|is|did|"
        r"should|do|can|at)\b|\bwhere(?:abouts)? (?:you|he|she|it|this|that|the)\b|\baddress\b|\blocation\b|"
        r"\b(?:what|which|the) (?:street|place|road|part of town)\b|\bhouse number\b|\blandmark\b",
        "awake": r"\b(?:awake|conscious|responsive|unconscious|alert)\b|\b(?:respond|react|responding|reacting|answer)\w*\b(?! (?:the|my))|"
        r"\bwake (?:him|her|them)\b|"
        rf"\b(?:can|does|is) {_PERSON} (?:talk|speak|hear|open)\w*\b",
        "breathing": rf"\b(?:take|takes|taking|draw\w*) (?:\w+ )?breaths?\b|\b(?:is|are|whether|if|does|do|"
        rf"can) {_PERSON} (?:\w+ )?breath\w*\b|\bconscious and breathing\b|\bawake and breathing\b|"
        r"\b(?:chest|belly) "
        r"(?:\w+ )?(?:rise|rises|rising|move|moves|moving)\b|\bgoing up and down\b|\bbreathing (?:normally|at all|properly|regularly)\b|\b(?:any|"
        r"check|signs? of|"
        r"about) (?:\w+ )?breath\w*\b",
        "bleeding": r"\b(?:is|are|does|do|how)\b.*\b(?:bleed\w*|blood)\b|\bblood\b|\bbleeding (?:heavily|badly|a lot|severely)\b",
        "inside": r"\b(?:any ?one|any ?body|some ?one|some ?body|people|persons?|every ?one|every ?body|all)\b.*\b(?:inside|in there|trapped|"
        r"out of|get out|got out|out|"
        r"in the (?:building|house|flat|apartment|home)|evacuated|stuck|left in)\b(?! of control)|\btrapped\b",
        "hurt": r"\b(?:hurt|injured|injur(?:y|ies)|wounded|casualt\w+)\b",
        "intruder": r"\b(?:burglars?|intruders?|thie(?:f|ves)|robbers?|who (?:broke|is breaking) in|breaking in|attacker)\b|\b(?:is|are) (?:he|"
        r"she|they) (?:still )?(?:there|"
        r"in (?:your|the) (?:house|home|flat|apartment|building)|around|inside)\b|\bhas (?:he|she) left\b|\bhave they left\b",
        "floor": r"\b(?:which|what|the) (?:floor|storey|level)\b|\bfloor\b(?!.*\b(?:lying|lies)\b)|\b(?:door|entry|access|gate) ?code\b|\bcode\b|"
        r"\bhow (?:do|can|will|should) (?:we|they|the \w+) get in(?:to)?\b",
        "phone": rf"{PHONE}|\b(?:reach|call|contact|ring|phone) you\b|\b(?:what|which) number (?:are you|is this)\b|\bnumber (?:you are|where|that "
        rf"you|are you)\b|\bcall you back\b",
        "name": r"\byour (?:\w+ )?name\b|\bwho (?:am i|is calling|is this)\b",
    },
    actions={
        "calm": r"(?:^|[,;:] )(?:just |now |please )*breathe\b(?! (?:normally|at))|\bstay (?:with me|strong|focused)\b|\blisten to (?:me|my voice)\b|"
        r"\bi am (?:right )?(?:with you|here)\b|\b(?:it|this|everything|you) (?:is|are|will) (?:going to )?(?:be )?(?:okay|ok|fine|all right|"
        r"alright)\b(?!\?)|"
        r"\btake it easy\b|\bcalm\b|\bdeep breath\b|\bbreathe (?:slowly|in|deeply|with me)\b|\b(?:help|we|someone|they) (?:is|"
        r"are) (?:already )?(?:on (?:its|the|their) way|coming)\b|"
        r"\bi am (?:right )?here (?:with|for|to help)\b|\byou are (?:doing|not alone)\b|\bgoing to help\b|\bdo not (?:panic|worry)\b|"
        r"\beverything will be\b|"
        r"\b(?:it is|it will be) (?:okay|ok|all right|alright)\b",
        "cpr": r"\bcpr\b|\bchest compressions?\b|\b(?:push|press|pump)\w*\b.*\b(?:chest|breastbone|hard and fast)\b|\bcompress(?:ions?|ing)\b|"
        r"\bhands?\b.*\bchest\b|\bresuscitat\w+\b|\bheart massage\b",
        "side": r"\b(?:on|onto|to|over on) (?:his|her|their|its|the|one) side\b|\brecovery position\b",
        "press": r"\bstop the (?:blood|bleeding)\b|\b(?:press\w*|push\w*|pressure|hold)\b.*\b(?:wound|cut|bleed\w*|bandage|cloth|towel|injury)\b|"
        r"\bpressure (?:on|to)\b|"
        r"\b(?:cloth|towel|bandage|something clean)\b.*\b(?:wound|cut|press\w*|push\w*|on it)\b|\bstop the bleeding\b",
        "leave": r"(?<!is )(?<!has )(?<!are )\b(?:everybody|everyone|all of you) out\b|^(?!(?:and |so |, )*(?:did|has|have|is|are|were|was)\b).*(?:"
        r"\b(?:get|go|come|walk|run|move|head|step|bring \w+|take \w+)\b.*\b(?:out(?:side|doors)?(?: of)?|into the open)\b(?! of sight)|"
        rf"(?<!not )\b(?:leave|exit|"
        rf"evacuate)\b(?! (?:any|him|her|the line|me|them)).*\b(?:{_OUT}|now|immediately|at once)\b|(?<!not )\bevacuate\b)",
        "hide": r"(?<!not )\b(?:hide|hidden|hiding)\b|\block (?:yourselves|yourself|the door|it|the room|that door)\b|"
        r"\broom (?:that )?you can lock\b|\block\w* (?:the )?door\b|"
        r"\b(?:keep|stay|be) (?:very |as |completely )?(?:quiet|silent|still)\b|\bbarricade\b",
    },
    opening=r"\bnature of the (?:incident|accident|event)\b|\bwhat is (?:your|the) emergency\b|"
    r"\bwhat (?:exactly )?(?:has )?happened\b|\bwhat is (?:going on|happening|wrong)\b|\bwhat is it\b|"
    r"\b(?:kind|type|nature) of (?:the |your )?emergency\b",
    hints={
        "ask:where": r"\bwhere\b|\bsend (?:help|someone|an?)\b",
        "anything_else": r"\belse\b|\bfurther\b",
        "open": r"\b(?:help|assist|happen\w*|emergency)\b",
    },
    excludes={
        "ask:breathing": ("do:calm",),
        "ask:intruder": ("ask:inside",),
        "do:cpr": ("do:press", "ask:breathing"),
        "do:side": ("ask:breathing",),
        "do:press": ("ask:bleeding", "do:hide"),
        "do:leave": ("ask:inside", "ask:where"),
        "do:hide": ("do:leave", "ask:where"),
    },
    states=("do:calm", "do:cpr", "do:side", "do:press", "do:leave", "do:hide"),
    slots={
        "ask:where": r"\b(?:you are|this is|he is|she is|it is) (?:at|in|near|on) (?:the )?\w+|\b\w+ (?:street|road|square|lane|avenue|alley)\b",
        "ask:breathing": r"\bbreath\w*\b",
    },
)
