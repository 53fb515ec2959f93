"""What people whose phone is not online are asked, and what they are asked to do with it."""

from __future__ import annotations

from rlgym.generators.users.intents import PHONE, Grammar

_NO_QUESTION = (
    r"^(?!(?:and |so |, )*(?:is|are|was|were|has|have|did|does|do you (?:have|use|see)|what|which|how|any|after|once i|"
    r"i(?! (?:would (?:suggest|recommend|advise|like you|want you|need you)|need you|want you)))\b)"
)
_SET = r"\b(?:turn|switch|flip|allow|put|set|make sure|check|ensure|go|toggle|confirm|verify)\w*\b"
_OFF = r"\b(?:off|end|ends?|disabl\w*|deactivat\w*|disconnect\w*|quit|close|stop|exit|out of)\b"
_ON = r"\b(?:on|allow\w*|enabl\w*|activat\w*)\b"


_WHETHER = r".*\b(?:check|see|tell|know|verify|confirm|look|find out|say)(?: \w+){0,4} (?:whether|if)\b(?!.*\b(?:if not|otherwise|turn it|switch it|then|so)\b)"
"""A request to find out whether something is on, which is none to change it."""


def _is_on(thing: str) -> str:
    """A question whether something is on."""
    return (
        rf"^(?:and |so |, )*(?:is|are|has|have|did|do you (?:happen to )?have|do you use|any)\b.*(?:{thing})|^{_WHETHER}.*(?:{thing})|"
        rf"\b(?:if|whether|possible that|chance that|could it be that)\b(?=.*\b(?:on|off|enabled|active|activated|disabled)\b)(?=.*(?:{thing})).*\?|"
        rf"\b(?:{thing}) (?:is )?(?:on|off|enabled) or (?:on|off|disabled|not)\b"
    )


def _switched(thing: str, how: str) -> str:
    """A request to switch something on or off."""
    return (
        rf"{_NO_QUESTION}(?!{_WHETHER})(?=.*\b(?:{thing}))(?=.*{how})"
        rf"(?:.*{_SET}|.*\b(?:enable|disable|activate|deactivate|disconnect|quit|close|stop|exit|leave)\b)"
    )


_PHONES = r"(?:phone|device|handset|mobile)"
_PLANE, _DATA, _SAVER = (
    r"(?:air ?plane|aeroplane|flight|plane)[- ]?mode",
    r"(?:mobile|cellular) data|data connection",
    r"(?:data|power|battery)[- ]?sav\w+",
)
_SWITCHES = {
    "airplane": "(?:airplane|aeroplane|flight) mode",
    "data": "(?<!saver )data(?! saver| roaming)",
    "roaming": "roaming",
    "vpn": "vpn",
    "saver": "(?:data )?saver",
}
"""What is either on or off."""
GRAMMAR = Grammar(
    asks={
        "pin": r"\bpin\b|\bpass ?code\b|\b(?:verify|confirm|prove) (?:your identity|who you are|it is you)\b|\b(?:security|secret|access) (?:code|number)\b",
        "location": r"\babroad\b|\bwhere(?:abouts)? (?:are|were) you\b|\b(?:place|town|city|country) (?:that |where |in which )?you are\b|"
        r"\bin which (?:place|town|city)\b|\bwhich country\b|\bwhat country\b|\boutside (?:of )?(?:the|your) country\b|\btravel\w*\b|"
        r"\byour (?:current )?location\b|\b(?:which|what) (?:city|town|place)\b|\bwhere (?:do|is) you\w*\b|\b(?:on|taking a) (?:holiday|vacation|trip)\b",
        "airplane": _is_on(_PLANE),
        "data": _is_on(_DATA),
        "roaming": _is_on("roaming"),
        "vpn": _is_on("vpn"),
        "saver": _is_on(_SAVER),
        "phone": PHONE,
    },
    actions={
        "airplane_off": _switched(_PLANE, _OFF),
        "reseat_sim": rf"{_NO_QUESTION}.*\b(?:(?:reseat|reinsert|re-seat|re-insert)\b.*\bsim|(?:remove|take|pull|pop|slide|eject|put|push|insert|pop)\w*\b"
        r".*\b(?:sim|card)\b)",
        "restart": rf"{_NO_QUESTION}.*\b(?:re-?start\w*|re-?boot\w*|power[- ]cycl\w+|power (?:it|the \w+|your \w+) down|start (?:it|the \w+|your "
        rf"\w+) (?:up )?again|(?:power|turn|switch)\w* (?:(?:the|your|it|this|{_PHONES}) ){{0,3}}off\b"
        rf"(?: (?:(?:the|your) )?{_PHONES})?(?! (?:(?:the|your|any) )?(?:air|flight|vpn|data|mobile))"
        r".*\b(?:back on|on again|and (?:back )?on|then (?:back )?on|(?:switch|turn|power) it (?:back )?on))\b",
        "data_on": rf"^(?!.*{_SAVER}){_switched(_DATA, _ON)}",
        "roaming_on": rf"^(?!.*\b(?:i|we) (?:can|could|will|go ahead|activate|enable)\b)(?!.*\b(?:coins?|your (?:line|account|contract)|on our)\b)"
        rf"{_switched('roaming', _ON)}",
        "vpn_off": _switched("vpn", _OFF),
        "saver_off": _switched(_SAVER, _OFF),
        "speed_test": r"\bspeed[ -]?(?:test|check)\b|\btest (?:your|the) (?:internet|connection|data|speed)|"
        r"\b(?:open|load|visit|try|browse)\w*\b.*\b(?:web ?)?(?:page|site|website)s?\b|"
        r"\b(?:is|are|does|do|if|whether)\b.*\b(?:internet|connection|data|everything|it|web)\b.*\b(?:work\w*|back|fast|normal|fine|better|up)\b(?! for)|"
        r"\b(?:pages?|sites?|websites?)\b.*\b(?:load|open)\w*\b|\bhow (?:fast|is the (?:speed|internet|connection))\b|\bare you (?:back )?online\b",
        "status_bar": r"\bsign of\b|\btop line\b|\bstatus bar\b|\btop (?:of|edge of|right|left)\b.*\b(?:screen|phone|display)\b|"
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
    priced=True,
    slots={
        "ask:location": r"\byou are (?:in|at|abroad)\b",
        "do:status_bar": r"\b(?:shows?|says?|see)\b",
        **{
            f"ask:{name}": rf"\b(?:{words})\b.{{0,20}}\b(?:on|off|enabled|disabled|active|activated)\b" for name, words in _SWITCHES.items()
        },
    },
)
