"""The grammars of the worlds with simulated users: what their agents ask for, and what they ask a person to do.

Patterns are regular expressions over lower-case English without contractions. Each names a concept by its synonyms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Grammar(NamedTuple):
    """The intents that a person understands, as patterns over lower-case English without contractions.

    asks       what is asked for, as `ask:` intents; found only in sentences that request something
    hints      words that decide what a request is about where nothing else does, by intent; the first that fits counts
    excludes   intents that are not meant beside another one, as the day in "On which day were you born?"
    actions    what the person is asked to do, as `do:` intents
    opening    words that invite the person to say what they want
    offers     whether days and times are offered
    """

    asks: Mapping[str, str]
    actions: Mapping[str, str] = {}
    opening: str = ""
    offers: bool = False
    hints: Mapping[str, str] = {}
    excludes: Mapping[str, tuple[str, ...]] = {}


OPENING = (
    r"\bhow (?:may|can|could|might) (?:i|we) (?:help|assist|be of|support)|\bwhat (?:can|may|could) (?:i|we) (?:do|help)|"
    r"\bwhat brings you|"
    r"\bwhat (?:is|are|was|seems to be) (?:the|your) (?:problem|issue|matter|trouble|request|concern|question)|"
    r"\bwhat (?:is )?(?:going on|happening|wrong|up)\b|"
    r"\b(?:describe|explain|tell me(?: more)? about|share) (?:me )?(?:the|your) (?:problem|issue|situation|request|concern)|"
    r"\bwhat (?:do you need|would you like|do you want|are you calling|is this about|happened)|\breason (?:for|of) (?:your|the|"
    r"this) (?:call|message|contact)|"
    r"\b(?:reason|why) (?:that |why |for which )?you (?:are|have) (?:calling|called|contact)|\bwhat can (?:i|we) \w+ for you\b|"
    r"\bi am listening\b|\bwhat can (?:i|we) take care of\b|"
    r"\babout what you (?:need|want)\b|\bpurpose of (?:your|the|this) (?:call|visit today)|"
    r"\b(?:tell|let) (?:me|us)(?: know)? how (?:i|we) (?:can|may|could|might)|"
    r"\b(?:is|was) (?:this|it|your call) (?:regarding|concerning|about)|\bcalling (?:about|regarding|for|to)\b|\blet (?:me|us) know what\b|"
    r"\b(?:describe|explain|say) what you (?:need|want)\b|"
    r""
    r"\bhow can (?:this|our)|\btell me (?:more|what)|\bwhat (?:exactly )?(?:is it (?:about|that you))"
)
_TIMES = (
    r"\b(?:when(?! were you born)|wh(?:at|ich) (?:\w+ ){0,3}(?:days?|times?|slots?|hours?))\b.*\b(?:you|work|works|suit|suits|best|convenient|prefer|"
    r"fit|home|come)\b|"
    r"\bavailab(?:le|ility)\b|\b(?:days?|times?|time of day)\b.*\b(?:prefer\w*|suit\w*|convenient|cannot|unable|avoid|work\w*|free)\b|"
    r"\bprefer\w*\b.*\b(?:days?|times?|time of day|dates?)\b|\bwhen (?:are|would|will) you\b|\byou (?:are|would be) free\b|"
    r"\byour schedule\b|\b(?:mornings?|afternoons?|evenings?)\b.*\b(?:better|prefer\w*|suits?|works?|best|easier)\b"
)
_PHONE = (
    r"\b(?:phone|telephone|mobile|cell|cellphone|contact|callback|line) (?:number|no)\b|\bnumber\b.*\b(?:reach|contact|call)\b|"
    r"\b(?:what|which|confirm|share|give|provide|have|tell)\b.{0,30}\b(?:the|your) (?:phone |mobile )?number\b(?! (?:of|is wrong))|"
    r"\bwhich (?:phone )?line\b"
)
CLINIC = Grammar(
    asks={
        "birth_date": r"\bdate of birth\b|\bbirth ?(?:date|day)\b|\bdob\b|\byou born\b|\bborn\b",
        "phone": _PHONE,
        "cancel_which": r"\bwhich (?:of your |one of your )?(?:appointments?|visits?|bookings?|one)\b",
        "referral": r"\breferral\b|\breferred\b",
        "insurance": r"\binsur\w+|\bhealth plan\b|\bcoverage\b|\bcovered by\b",
        "doctor": r"\b(?:particular|specific|preferred|certain|favou?rite|usual|which|preference|prefer|rather)\b.*\b(?:doctors?|"
        r"physicians?|dr|practitioner|provider)\b|"
        r"\b(?:doctor|physician|practitioner|provider)\b.*\b(?:prefer\w*|in mind|usually)\b|"
        r"\bwho would you like\b|\b(?:any ?one|some ?one|any ?body|some ?body) (?:in particular|specific|special)\b",
        "reason": r"\b(?:doctor|physician|specialist) to (?:examine|check|look)|"
        r"\blike (?:to have )?(?:examined|looked at|checked)\b|\blooked at\b|\bseen for\b|"
        r"\byour (?:complaints?|ailments?)\b|\bhow urgent\b|\bsymptoms?\b|"
        r"\breason (?:for|of|behind) (?:your |the |this )?(?:visit|appointment|booking|consultation)|"
        r"\bwhy (?:do )?you\b(?! (?:are|have) (?:calling|called|contact))|\bwhat\b.*\b(?:visit|appointment) (?:is |be )?(?:for|about)\b|"
        r"\bwhat (?:is|are|was) (?:your|the) (?:visit|appointment|complaint|health concern|"
        r"reason(?! (?:that |why |for which )?you (?:are|have)))\b|\btrouble\b|"
        r"\bwhat\b.*\bsee (?:the|a|our) (?:doctor|physician|dr)\b|\bfeeling\b.*\?|"
        r"\b(?:bothering|troubling) you|\bseems to be the (?:problem|matter|issue)\b|\bpurpose of (?:the|your) (?:appointment|visit)|\bmedically\b|"
        r"\btake a look at\b|\bwhy\b.*\bsee (?:a|the|our) (?:doctor|physician|dr|specialist)\b|\bgoing on with your health\b|"
        r"\bwhat\b.*\bappointment (?:for|about)\b|\bhealth (?:problem|issue|concern)\b|\bmedical\b|\bwhat (?:kind|type|"
        r"sort) of (?:problem|complaint|appointment|visit)\b|\bwhere does it hurt\b",
        "times": _TIMES,
    },
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
        "ask:insurance": ("ask:reason", "ask:cancel_which"),
        "ask:referral": ("ask:doctor", "ask:reason"),
    },
)
_NO_QUESTION = r"^(?!(?:and |so |, )*(?:is|are|was|were|has|have|did|does|do you (?:have|use|see)|what|which|how|any|after|once i|i)\b)"
_SET = r"\b(?:turn|switch|flip|allow|put|set|make sure|check|ensure|go|toggle|confirm|verify)\w*\b"
_OFF = r"\b(?:off|disabl\w*|deactivat\w*|disconnect\w*|quit|close|stop|exit|out of)\b"
_ON = r"\b(?:on|allow\w*|enabl\w*|activat\w*)\b"


def _switched(thing: str, how: str) -> str:
    """A request to switch something on or off."""
    return rf"{_NO_QUESTION}(?=.*\b(?:{thing}))(?=.*{how})(?:.*{_SET}|.*\b(?:enable|disable|activate|deactivate|disconnect|quit|close|stop|exit|leave)\b)"


_PHONES = r"(?:phone|device|handset|mobile)"
_PLANE, _DATA, _SAVER = (
    r"(?:air ?plane|aeroplane|flight|plane)[- ]?mode",
    r"(?:mobile|cellular) data|data connection",
    r"(?:data|power|battery)[- ]?sav\w+",
)
TELECOM = Grammar(
    asks={
        "pin": r"\bpin\b|\bpass ?code\b|\b(?:verify|confirm|prove) (?:your identity|who you are|it is you)\b|\b(?:security|secret|access) (?:code|number)\b",
        "location": r"\babroad\b|\bwhere(?:abouts)? (?:are|were) you\b|\b(?:place|town|city|country) (?:that |where |in which )?you are\b|"
        r"\bin which (?:place|town|city)\b|\bwhich country\b|\bwhat country\b|\boutside (?:of )?(?:the|your) country\b|\btravel\w*\b|"
        r"\byour (?:current )?location\b|\b(?:which|what) (?:city|town|place)\b|\bwhere (?:do|is) you\w*\b|\b(?:on|taking a) (?:holiday|vacation|trip)\b",
        "airplane": rf"(?:^(?:and |so |, )*(?:is|are|has|have|do you(?: happen to)? have)\b|\b(?:if|whether)\b).*{_PLANE}",
        "data": rf"^(?:and |so |, )*(?:is|are|has|have|do you have)\b.*(?:{_DATA})",
        "roaming": r"^(?:and |so |, )*(?:is|are|has|have|do you have)\b.*\broaming\b",
        "vpn": r"^(?:and |so |, )*(?:is|are|has|have|do you|any)\b.*\bvpn\b",
        "saver": rf"(?:^(?:and |so |, )*(?:is|are|has|have|do you(?: happen to)? have)\b|\b(?:if|whether)\b).*(?:{_SAVER})",
        "phone": _PHONE,
    },
    actions={
        "airplane_off": _switched(_PLANE, _OFF),
        "reseat_sim": rf"{_NO_QUESTION}.*\b(?:(?:reseat|reinsert|re-seat|re-insert)\b.*\bsim|(?:remove|take|pull|slide|eject|put|push|insert|pop)\w*\b"
        r".*\b(?:sim|card)\b)",
        "restart": rf"{_NO_QUESTION}.*\b(?:re-?start\w*|re-?boot\w*|power[- ]cycl\w+|(?:power|turn|switch)\w* (?:(?:the|your|it|this|{_PHONES}) ){{0,3}}off\b"
        rf"(?: (?:(?:the|your) )?{_PHONES})?(?! (?:(?:the|your|any) )?(?:air|flight|vpn|data|mobile))"
        r".*\b(?:back on|on again|and (?:back )?on|then (?:back )?on|(?:switch|turn|power) it (?:back )?on))\b",
        "data_on": rf"(?!.*{_SAVER}){_switched(_DATA, _ON)}",
        "roaming_on": rf"(?!.*\b(?:i|we) (?:can|could|will|go ahead|activate|enable)\b)(?!.*\b(?:coins?|your (?:line|account|contract)|on our)\b)"
        rf"{_switched('roaming', _ON)}",
        "vpn_off": _switched("vpn", _OFF),
        "saver_off": _switched(_SAVER, _OFF),
        "speed_test": r"\bspeed[ -]?(?:test|check)\b|\btest (?:your|the) (?:internet|connection|data|speed)|"
        r"\b(?:open|load|visit|try|browse)\w*\b.*\b(?:web ?)?(?:page|site|website)s?\b|"
        r"\b(?:is|are|does|do|if|whether)\b.*\b(?:internet|connection|data|everything|it|web)\b.*\b(?:work\w*|back|fast|normal|fine|better|up)\b(?! for)|"
        r"\b(?:pages?|sites?|websites?)\b.*\b(?:load|open)\w*\b|\bhow (?:fast|is the (?:speed|internet|connection))\b|\bare you (?:back )?online\b",
        "status_bar": r"\bstatus bar\b|\btop (?:of|edge of|right|left)\b.*\b(?:screen|phone|display)\b|"
        r"\b(?:signal )?bars?\b|\bicons?\b|\bsymbols?\b|\bsignal\b|"
        r"\bwhat (?:do you see|does (?:your|the) (?:phone|screen|display)(?:'s (?:screen|display))? (?:show|say)|"
        r"is (?:shown|displayed|on (?:your|the) (?:screen|display)))\b|"
        r"\b(?:look at|read)\b.*\b(?:screen|display)\b",
    },
    hints={
        "do:status_bar": r"\btop line\b|\bat the top\b|\btop of\b|\bwhat does (?:it|the display) (?:say|show)\b",
        "do:speed_test": r"\b(?:try|test|check) (?:it |that |everything )?(?:once more|again)\b",
        "ask:location": r"\bwhere\b|\bcountry\b",
        "anything_else": r"\belse\b|\banother\b|\bfurther\b|\bother\b",
        "open": r"\b(?:help|assist|calling|problem|trouble|happen\w*)\b",
    },
    excludes={
        "ask:pin": ("ask:phone",),
        "do:airplane_off": ("ask:airplane",),
        "do:data_on": ("ask:data",),
        "do:roaming_on": ("do:data_on", "ask:data", "ask:roaming", "ask:location"),
        "do:saver_off": ("do:data_on", "ask:data", "ask:saver"),
        "do:status_bar": ("ask:data",),
        "ask:saver": ("ask:data", "do:data_on"),
    },
)
TENANT = Grammar(
    asks={
        "flat": r"\bwhere (?:do )?you live\b|\b(?:number on|of) your door\b|"
        r"(?<!leave the )(?<!leave your )\b(?:flat|apartment|unit|address|door) ?(?:number|no)?\b(?! (?:to|when|while|on))",
        "since": r"\bhow long\b|\bsince when\b|\bwhen (?:did|was)\b.*\b(?:start\w*|begin|began|notice\w*|happen\w*|occur\w*|first|stop\w*|break|appear\w*)\b|"
        r"\bhow many days\b|\bfor how (?:long|many)\b",
        "cause": r"(?<!you )\bcaused?\b|"
        r"\bhow did (?:this|that|it)\b|\bhow (?:the|this) \w+ (?:came about|happened)\b|\bcame about\b|\bbreak it\b|\bbroke it\b|"
        r"\bdid (?:anything|something|you|any ?one|some ?one)\b.*\b(?:happen|do|break|damage|drop)\b|\bwhose fault\b|\bresponsible for\b|"
        r"\bwhy\b(?! you)|\bhow (?:it|this|that) (?:happened|broke|came)\b",
        "danger": r"\bdanger\w*\b|\bgas\b|\bsparks?\b|\bsmoke\b|\bsmell\b|\bstill (?:running|leaking|flowing|dripping)\b|\bgetting worse\b|"
        r"\b(?:safe|unsafe|hurt|injured|emergency|hazard\w*|urgent)\b|\bflood\w*\b|\bwater (?:running|flowing)\b",
        "times": _TIMES,
        "phone": _PHONE,
    },
    actions={
        "breaker": r"\bfuse ?box\b|\bbreakers?\b|\bfuses?\b|\bcircuit\b|\bfuse panel\b",
        "valve": r"\bvalves?\b|\bstop ?cock\b|\bwater main\b|\bmain water\b|\b(?:turn|shut|switch|close)\w*\b.*\b(?:water|supply)\b",
        "gauge": r"\bgauge\b|\bpressure\b|\bbar reading\b|\bmanometer\b|\bhow many bars?\b",
    },
    opening=r"\bwhat needs (?:repair\w*|fixing|to be)|"
    r"\bwhat is (?:broken|damaged|the damage|wrong|not working)\b|"
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
        "ask:danger": ("ask:since", "ask:cause"),
        "do:valve": ("ask:danger",),
    },
)
GRAMMARS: Mapping[str, Grammar] = {"clinic": CLINIC, "telecom": TELECOM, "tenant": TENANT}
