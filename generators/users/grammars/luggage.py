"""What travellers are asked about a bag that did not arrive."""

from __future__ import annotations

from rlgym.generators.users.intents import ANY_COLOUR, TIMES, Grammar
from rlgym.generators.users.luggage_phrases import BRANDS

_SURE = (
    r"^(?=.*\b(?:(?:are|were) you (?:\w+ )?(?:sure|certain|positive|confident)|(?:absolutely|quite|really|completely|how) (?:sure|certain|positive|confident)|"
    r"mistaken|misremember\w*|(?:be|are|were|been) wrong|been mistaken|could (?:the \w+|it) be (?:different|another|wrong)|be (?:different|another)|"
    r"instead of|rather than|(?:any|some) chance|could it (?:\w+ )?be|might it (?:\w+ )?be|"
    r"(?:is|it) (?:\w+ )?possible|double[- ]?check|mix(?:ed|ing) up|confus\w+|remember (?:\w+ )?(?:correctly|right)|really (?:a|black|green))\b)"
)
_KINDS = r"\b(?:suitcases?|backpacks?|rucksacks?|duffels?|trunks?|garment bags?|holdalls?)\b"
_KIND = (
    r"\b(?:what|which) (?:type|kind|sort)\b|\b(?:kinds?|types?|sorts?) of (?:bag|luggage|baggage|item|suitcase)\b|\b(?:bag|"
    r"luggage)'?s? type\b|\b(?:the|its|your) (?:kind|type|sort)\b"
)
_COLOUR = r"\bcolou?r(?:ed|s)?\b|\b(?:black|navy|blue|gr[ea]y|green|brown|purple|beige)\b"
_BRAND = (
    rf"\bbrand\b|\bmanufactur\w+\b|\b(?:what|which) (?:make|maker|company)\b|\bmake (?:of|is)\b|\bmade by\b|\bwho (?:made|"
    rf"makes|produced|manufactured) (?:it|the|this|your)\b|\bwhose make\b|\b(?:{'|'.join(BRANDS).lower()})\b"
)
_MARK = (
    r"\bmark(?:s|ings?|ed)?\b|\bstickers?\b|\bribbons?\b|\bstraps?\b|\b(?:torn|pocket)\b|\bstripes?\b|\b(?:name |luggage |wooden )?tags?\b|"
    r"\b(?:distinguish\w*|distinctive|identif(?:y|ying)|unique|special|particular|unusual|noticeable) (?:\w+ )?(?:features?|marks?|markings?|"
    r"characteristics?|details?|signs?|things?|about|on)\b|\btell (?:it|yours|your \w+) (?:apart|from)\b|\bstands? out\b|"
    r"\bstriking\b|\b(?:apart|different) from (?:other|the other)s?\b|\bsigns?\b|\bcharacteristics?\b|\brecogni[sz]e\b|"
    r"\bset it apart\b|"
    r"\b(?:anything|something) (?:special|unusual|distinctive|unique|that (?:makes|distinguishes|identifies))\b"
)
_LOOKS = (
    r"\blooks? like\b|\bdescription\b|\bappearance\b|\bdescribe (?:the |your |it|its |this |me )*(?:missing |lost )?"
    r"(?:bags?|suitcase|luggage|baggage|backpack|item|appearance|it)\b(?!'s (?:contents|content))"
)
_ASKED = r"^(?!.*\byou (?:have )?(?:mentioned|said|told|described)\b(?!.*\?))"
_PLAIN = ("ask:kind", "ask:colour", "ask:brand", "ask:mark")
GRAMMAR = Grammar(
    asks={
        "sure_mark": rf"{_SURE}.*(?:{_MARK})",
        "sure_brand": rf"{_SURE}.*(?:{_BRAND})",
        "sure_colour": rf"{_SURE}.*(?:{_COLOUR})",
        "sure_kind": rf"{_SURE}.*(?:{_KIND}|{_KINDS})",
        "flight": r"\bflights?\b(?! (?:has|had|is delayed))|\b(?:where|from where|which (?:city|town|airport|country)|(?:city|town|"
        r"airport)) (?:\w+ ){0,2}"
        r"(?:you|your)\b.*\b(?:fly|flew|flown|from|travel\w*|depart\w*|come|came|coming)\b|\b(?:fly|flew|travel\w*|coming|come|came) (?:in )?from\b|"
        r"\b(?:when|what day|which day) did you (?:arrive|land|fly|travel)\b|\bfrom where\b",
        "kind": rf"(?:^|, )(?:the )?(?:kind|type)(?=,| and)|{_KIND}|{_LOOKS}|\b(?:is|was) (?:it|the bag|your bag) a {_KINDS[2:]}",
        "colour": rf"\bcolou?r(?:ed|s)?\b|{_LOOKS}",
        "brand": rf"\bmaker\b|\bknow the make\b|{_ASKED}.*(?:{_BRAND})",
        "mark": rf"{_ASKED}.*(?:{_MARK})",
        "contents": r"\b(?:items|things|stuff|belongings)\b.*\b(?:carry|carrying|carried|transport\w*)\b|\bcontents?\b|\b(?:carry(?:ing)?|"
        r"transport(?:ing)?|keep(?:ing)?|have) in (?:it|there|the \w+|your \w+)\b|\bwas in (?:it|there|the \w+|your \w+)\b|\binside\b|\b(?:items|"
        r"things|objects|belongings)\b.*\b(?:in|inside|"
        r"packed|contain\w*)\b|\bpack(?:ed)?\b|"
        r"\b(?:put|carr(?:y|ied)|keep|kept|had|have) (?:in|inside|into) (?:it|the|your|there)\b|\bwhat (?:belongings|things|"
        r"items|possessions|stuff|objects)? ?(?:did|does|do|had|was|were|is|are) (?:\w+ )?(?:hold|carry|carried|have)\b|"
        r"\bwhat (?:is|was|were|did you have|do you have|else is|things are|items are) in\b|\bwhat(?: is| was)? in (?:it|the|your)\b|"
        r"\b(?:what|which) (?:does|did) (?:it|the bag|your \w+) (?:contain|hold)\b|\b(?:items|things) (?:in|from|you)\b|\bcontain\w*\b",
        "passport": r"\bpassport\b|\b(?:identity|id) (?:card|document|number)\b|\b(?:verify|confirm|prove) your identity\b",
        "name": r"\bwho are you\b|\b(?:your|full|last|first) (?:\w+ ){0,2}name\b|\bwho(?:m)? am i\b|\bwho is (?:calling|this|speaking)\b|\bsurname\b",
        "times": TIMES,
    },
    opening=r"\bhow did you lose\b|\b(?:bag|suitcase|luggage|backpack|baggage|trunk|case) (?:is|has|was|went|got) (?:\w+ )?(?:gone|lost|missing|"
    r"disappeared|vanished)\b|\bgone missing\b|\bwhat (?:are|is) (?:you )?missing\b|\bwhat (?:have|did) you los[et]\b",
    offers=True,
    hints={
        "anything_else": r"\belse\b|\banother\b|\bfurther\b",
        "ask:name": r"\bname\b",
        "ask:contents": r"\bin (?:it|there|the bag|your bag)\b",
        "open": r"(?<!cannot )\b(?:help|assist|problem|happened|lost|missing)\b",
    },
    excludes={
        "ask:sure_mark": (*_PLAIN, "ask:sure_colour", "ask:sure_kind", "ask:sure_brand"),
        "ask:sure_colour": (*_PLAIN, "ask:sure_kind"),
        "ask:sure_brand": (*_PLAIN, "ask:sure_kind", "ask:sure_colour"),
        "ask:sure_kind": _PLAIN,
        "ask:flight": ("ask:times",),
        "ask:passport": ("ask:name",),
        "ask:brand": ("ask:name",),
        "ask:contents": ("ask:name",),
    },
    first=("ask:kind", "ask:mark", "ask:contents"),
    agrees=r"\b(?:pay|settle) (?:it|that|this|the)\b",
    priced=True,
    slots={
        "ask:kind": _KINDS,
        "ask:colour": rf"(?:{_COLOUR}|{ANY_COLOUR})(?! (?:\w+ )?(?:ribbons?|stickers?|straps?|stripes?|tags?|labels?|belts?|pockets?)\b)",
        "ask:brand": _BRAND,
        "ask:mark": _MARK,
        "ask:flight": r"\bflight\b|\bfrom [a-z]+ on\b|\b(?:flew|fly|flown|came|arrived|landed) (?:in )?from\b",
        "ask:contents": r"\b(?:in it|inside|contain\w*|packed)\b",
        "ask:passport": r"\bpassport\b",
        "ask:times": r"\b(?:mornings|afternoons|evenings)\b|\b(?:suits?|free|home)\b.*\b(?:morning|afternoon|evening)\b",
    },
)
