"""What customers of a shop are asked in a chat."""

from __future__ import annotations

from rlgym.generators.users.intents import AGREES, ANY_COLOUR, PHONE, Grammar, either
from rlgym.generators.worlds.catalogue import KINDS, MATERIALS
from rlgym.generators.worlds.desk import TOWNS

_TOWN = f"(?:{'|'.join(TOWNS).lower()})"
_GOODS = r"(?:product|item|article|piece|purchase|goods)"
_DEED = r"(?:return|exchange|cancel|refund|swap|replace|send back|take back|give back)\w*"
_REFUSED = (
    r"(?:not possible|impossible|cannot|unable|refused?|declined?|not (?:allowed|eligible|permitted|able)|denied|rejected|does not work|no can do|"
    r"not an option|out of the question)"
)
_THAT = r"(?:it|this|that|them|these|the|your|order)"
GRAMMAR = Grammar(
    asks={
        "email": either(r"e-?mails?", "mail address", r"address (?:that )?(?:is |you (?:have |are )?)?(?:registered|signed up|on file)"),
        "town": either(
            "towns?",
            "city",
            r"where (?:do |are )?you (?:currently )?(?:live|living|based|located|reside)",
            r"home ?town",
            "place of residence",
            rf"{_TOWN}\b.{{0,30}}\bor\b.{{0,30}}\b{_TOWN}",
        ),
        "name": either(
            r"your (?:full |last |first |complete )*name",
            r"who (?:am i|i am) (?:speaking|chatting|talking)",
            r"name (?:on|of) (?:the|your) account",
        ),
        "order": either(
            r"order(?:'s)? (?:number|no|id|code|reference)s?",
            r"(?:number|code|reference|id) (?:of|for) (?:the|your|that|this) order",
            r"which (?:of your )?(?:orders?|purchases?)",
            "what order",
        ),
        "item": either(
            rf"(?:which|what) (?:\w+ )?{_GOODS}", rf"(?:name|description) of the {_GOODS}", r"what did you (?:order|buy|purchase)"
        ),
        "colour": either(
            r"(?<!for another )(?<!want another )(?<!in another )(?<!for a different )(?<!in a different )colou?rs?"
            r"(?! (?:is|are|was|has|costs?) (?:out|not|currently|too|sold|now|more|dearer|unavailable))",
            "shade",
            r"(?:red|blue|green|black|white|brown|grey|gray|yellow|orange|purple|pink|beige)\b.{0,20}\bor\b.{0,20}"
            r"\b(?:red|blue|green|black|white|brown|grey|gray|yellow|orange|purple|pink|beige)",
            "which version",
        ),
        "reason": either(
            r"why(?! (?:did|do|are|have|were) you (?:\w+ )?(?:writ|wrote|contact|call|get in touch|got in touch|messag|com|came|here))",
            "how come",
            r"(?<!security )(?<!safety )(?<!privacy )(?<!protection )(?<!verification )reasons?",
            r"what (?:is|was|went|has gone) wrong",
            "what happened",
            r"change(?:d)? (?:of|your) mind",
            r"(?:is|was|are|were|something)\b.{0,40}\b(?:faulty|defective|damaged|broken|wrong item|not what you ordered)",
            "defects?",
            "faults?",
            rf"(?:problem|issue|trouble|matter|wrong|fault|defect) with (?!(?:your|the|an?) (?:\w+ )?orders?\b){_THAT}",
            "(?:unhappy|not satisfied|dissatisfied|not happy)",
            r"what (?:made|makes|is making|led) you",
            r"what (?:do|did) you not like",
            r"prompt\w* (?:you|the|this)",
            "cause of",
            r"(?:what is|reason) behind",
            r"(?:on|for) what grounds",
            r"what (?:is|was) not (?:right|good|ok|okay|in order|working)",
            r"(?:your|the) (?:grounds|motive)s?",
            "explain (?:what|the)",
        ),
        "fallback": r"^(?!.*\b(?:what|which) (?:other )?colou?r)(?:.*(?:"
        + either(
            r"instead(?! of)",
            r"what now",
            r"what else would (?:be|work|suit|do|help)",
            r"what else (?:could|can) (?:i|we) (?:do|offer)(?! (?:for you )?today)",
            r"alternativ\w+",
            r"(?:other|another|different|second) (?:option|solution|choice|way)s?",
            "fall ?back",
            r"(?:any ?thing|something|what) else\b.*\b(?:with|about|regarding|on) (?:it|this|that|them|these|the)",
            r"(?:any ?thing|something|what) else\b.*\bfor (?:it|(?:this|that) (?:order|item|one))",
            rf"(?:if|since|as|because|given that|now that)\b.*\b{_REFUSED}\b.*\b(?:would|like|want|prefer|do|next|then|wish)",
            "rather",
            r"(?:choose|prefer|pick|select|like|want|suggest)\w* (?:to \w+ )?something else",
            "in (?:that|this|such a) case",
            r"in place of (?:it|that|this)",
            r"what (?:would|do) you have (?:us|me) do",
            r"how (?:would|do|should|shall|can|may) (?:you|i|we) (?:like |want |wish )?(?:me |us )?(?:to )?(?:proceed|continue|handle)",
        )
        + "))",
        "want": either(
            rf"{_DEED}.{{0,40}}\bor\b.{{0,30}}\b(?:{_DEED}|something|other\w*|refund|replacement)",
            r"what (?:exactly |precisely )?(?:would|do|should) (?:you|we|i) (?:like |want |wish |need )?(?:to )?(?:be )?(?:us |"
            r"me )?(?:to )?(?:do|done|happen)"
            r"\b.{0,20}\b(?:with|about|regarding)",
            r"what (?:should|shall|is to|must) (?:happen|be done)",
            r"what (?:you )?(?:would like|want) (?:me |us )?(?:to do|done) (?:with|about)",
            rf"(?:do|would) you (?:like|want|wish)(?: me| us)? to {_DEED}",
            r"(?:would|do) you (?:like|want|prefer) (?:a |an )?(?:refund|exchange|replacement|return|cancellation)",
        ),
        "records": either(
            r"when\b.*\b(?:deliver\w*|arriv\w*|receiv\w*|order\w*|bought|buy|purchas\w*|sent)",
            "how (?:long|many days)",
            "date (?:of|on)",
            "(?:order|delivery|purchase) date",
            "days ago",
            "(?:what|which) day",
            "price",
            "how much did",
            "delivered yet",
            "already (?:arrived|been delivered)",
            "(?:receipt|invoice|tracking|serial) ?(?:number)?",
            "customer (?:number|id|code)",
            "account number",
            "post ?code",
            "zip",
            "street",
            "(?:shipping|delivery|postal|home) address",
            "have you (?:already )?received",
            "gold",
        ),
        "paid": r"^(?!.*\bi (?:will|am going to|can|have)\b)(?:.*(?:"
        + either(
            "card",
            "voucher",
            "store credit",
            r"(?:refund\w*|money|paid back|reimburs\w*)\b.*\b(?:how|method|where|to which|receive|prefer\w*)",
            r"how\b.*\b(?:pay|paid|refund\w*)",
            "payment method",
        )
        + "))",
        "condition": either(
            r"packag\w+",
            "(?:un)?(?:used|opened|worn)",
            "original box",
            "tags",
            "condition",
            "photos?",
            "pictures?",
            "complete",
            "accessories",
        ),
        "phone": PHONE,
    },
    hints={
        "ask:email": r"\b(?:verify|identity|identify|identification|confirm (?:who|that you)|account|authenticate|security)\b",
        "ask:fallback": r"\b(?:option|proceed|prefer\w*)\b",
        "anything_else": r"\b(?:else|another|further|additional|other|more|next)\b",
        "ask:want": r"\b(?:return|exchange|cancel|refund|done|want|wish)\w*\b",
        "open": r"\b(?:help|assist|request|concern|order|issue|question|problem|detail)\w*\b",
    },
    excludes={
        "open": ("ask:order", "ask:item"),
        "ask:fallback": ("ask:want", "ask:colour", "ask:reason", "ask:paid", "ask:item"),
        "ask:email": ("ask:condition", "ask:name", "ask:order", "ask:records", "ask:want"),
        "ask:colour": ("ask:want", "ask:item"),
        "ask:order": ("ask:item", "ask:want"),
        "ask:reason": ("ask:condition", "ask:want", "ask:records", "ask:item"),
        "ask:item": ("ask:want",),
        "ask:want": ("ask:paid",),
        "ask:paid": ("ask:records",),
    },
    turns=dict.fromkeys(("open", "ask:want"), (rf"\b{_REFUSED}\b", "ask:fallback")),
    things=rf"\b(?:{'|'.join(MATERIALS)}) (?:{'|'.join(KINDS)})\b|\br\d{{4,}}\b",
    agrees=AGREES,
    first=("ask:fallback",),
    opening=either(
        r"what (?:is it )?(?:that )?you (?:need|would like|want)",
        "how (?:can|may) (?:i|we) (?:make|sort)",
        r"what (?:exactly )?(?:is|are) (?:your|the) (?:request|wish|matter)\w*",
        "what (?:do|would) you (?:need|want|like)",
        "what (?:can|could|may) (?:i|we) (?:sort|take care|assist)",
        "what (?:orders?|purchases?) (?:is|are) (?:it|this|these) about",
        "more (?:details|about)",
        "what needs",
        "your (?:first )?(?:request|concern|issue|wish)",
        "what (?:is|are) (?:it|this|that) (?:about|regarding)",
    ),
    slots={
        "ask:want": rf"\b(?:send|give|take|bring)\w* .{{1,30}}\bback\b|\b{_DEED}\b",
        "ask:reason": r"\bbecause\b|\b(?:is|was|are|were|arrived|came|it is)\b.{0,30}\b(?:faulty|defective|damaged|broken|wrong)\b|\bnot what you "
        r"ordered\b|\bchanged your mind\b",
        "ask:colour": ANY_COLOUR,
        "ask:email": r"\S+@\S+|\be-?mail\b",
    },
)
