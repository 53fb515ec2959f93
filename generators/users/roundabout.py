"""Roundabout ways to ask, and the reasons and conditions around a request: what is left asks the same more plainly.

All grammars share this layer. It works on plain text, as `plain_text` of `generators.users.english` gives it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rlgym.generators.users.english import WORD


class _Rewrite(NamedTuple):
    pattern: re.Pattern[str]
    words: str


_TELL = (
    r"(?:tell|give|let|provide|share|send|show|confirm|describe|explain|list|name|say|state|remind|read|spell|check|look|repeat|specify|clarify|"
    r"work|solve|calculate)"
)
_YOU_CAN = (
    r"(?:you (?:could|can|would|might|may)|you are able to|you were able to|it (?:would|might) be possible (?:for you )?to|it is possible "
    r"(?:for you )?to)"
)
_REWRITES = tuple(
    _Rewrite(re.compile(pattern), words)
    for pattern, words in (
        # "I was wondering whether you could tell me ..." is "Could you tell me ..."
        (
            rf"\b(?:i|we) (?:was|were|am|are) (?:just )?(?:wondering|curious) (?:whether|if) (?:{_YOU_CAN}|you would (?:be able|be willing|be so "
            rf"kind as|mind) (?:to )?)"
            r"(?: please| perhaps| maybe| possibly| just)?(?= )",
            "could you",
        ),
        (
            r"\b(?:i|we) (?:was|were|am|are) (?:just )?(?:wondering|curious)(?: to know)?,? (?=(?:what|which|who|where|when|why|how)\b)",
            "could you tell me ",
        ),
        (
            r"\b(?:i|we) (?:was|were|am|are) (?:just )?wondering (?:whether|if) (?=(?:you|there|he|she|it|that|this)\b)",
            "could you tell me whether ",
        ),
        (
            rf"\b(?:would|might|will) it (?:at all )?be (?:at all )?(?:possible|ok|okay|all right|alright) (?:for you )?(?:to|if you (?:could )?)(?= {_TELL})",
            "could you",
        ),
        (
            rf"\b(?:i|we) would (?:really |greatly )?(?:be (?:very |most )?(?:grateful|glad|happy)|appreciate it|like it) if {_YOU_CAN}",
            "could you",
        ),
        (rf"\bit would (?:really |also |greatly )?(?:help|be \w+)(?: me| us)?(?: a lot)?,? if {_YOU_CAN}", "could you"),
        (rf"\b(?:perhaps|maybe|if) {_YOU_CAN}(?: (?:just|also|kindly|please))*(?= {_TELL})", "could you"),
        (rf"\b(?:any|is there any|what is the) chance (?:that )?(?:{_YOU_CAN})", "could you"),
        (rf"\bwould you (?:be so (?:kind|good) (?:as )?to|be able to|be willing to|kindly)(?= {_TELL})", "could you"),
        (r"\b(?:would|do) you mind (?:just )?(?:telling|giving|letting)\b", "could you tell"),
        (
            r"\b(?:do|would|can) you (?:happen to |still |by any chance )*(?:recall|remember|know)\b(?=,? (?:what|which|who|where|when|why|how|if|whether)\b)",
            "could you tell me",
        ),
        (
            r"\b(?:do you have )?any (?:idea|clue)\b(?: as to| of)?(?=,? (?:what|which|who|where|when|why|how|if|whether)\b)",
            "could you tell me",
        ),
        (
            r"\b(?:it would (?:really |also |greatly )?(?:help|be (?:\w+ )?(?:good|great|nice|helpful|useful|handy|important|lovely|best|easier|"
            r"ideal))(?: for me| for us| me| us)?"
            r"(?: a lot| a great deal| enormously)?|i would (?:really |just |quite |also )?(?:like|love|want|need)|i want|i need|i am (?:keen|eager|"
            r"trying|looking)|"
            r"all i (?:need|want)|what i need) to (?:know|find out|hear|understand|learn|establish|work out|figure out)(?: from you)?,? (?=(?:what|"
            r"which|who|whose|where|when|why|how|"
            r"whether|if|your|the|about)\b)",
            "please tell me ",
        ),
        (
            r"\b(?:i|we) (?:still |also |just |only )*(?:do not|don't) (?:yet )?(?:know|have)(?: yet)? (?=(?:what|which|who|whose|where|when|why|how|"
            r"whether|your)\b)",
            "please tell me ",
        ),
        (
            r"\b(?:i|we) (?:just |also )?(?:wonder|am not sure|am unsure|are not sure|cannot tell|forgot to ask|meant to ask|should ask|have yet to "
            r"hear),? (?=(?:what|which|who|whose|where|when|"
            r"why|how|whether|if)\b)",
            "please tell me ",
        ),
        (
            r"\b(?:could|can|may|might) i (?:just |quickly |also )?(?:trouble|bother|ask|get|have) you (?:for|to tell me|to give me) ",
            "could you tell me ",
        ),
        (r"\b(?:i|we) would (?:really |greatly |very much )?appreciate (?:it if you told me|knowing|hearing) ", "please tell me "),
        (
            r"\b(?:i|we) would (?:really |greatly )?(?:appreciate it|be grateful|be glad|be happy) if you (?:told|gave|sent|let) (?:me|us)(?: know)? ",
            "please tell me ",
        ),
        (r"\bcould i get you to\b", "please"),
        (
            r"\b(?:i|we) (?:did not|do not|could not|cannot) (?:quite |really )?(?:catch|hear|get|find|see|make out|read) (?=(?:your|the)\b)|"
            r"\b(?:i|we) (?:am|are) (?:still |just |only )?(?:missing|lacking|short of|after|waiting for) (?=(?:your|the)\b)",
            "please tell me ",
        ),
        (r"\b(?:i|we) (?:was|were|am|are) (?:just |kind of )?hoping (?:that )?you (?:could|would|might|can)\b", "could you"),
        (
            r"\b(?:(?:i|we) (?:should|would|shall) (?:\w+ ){0,2}(?:like|love|wish|care|prefer) to (?:know|learn|hear|find out|be told)|(?:it|this) "
            r"would (?:assist|aid|oblige|serve|benefit) "
            r"(?:me|us)(?: \w+)? to (?:know|learn|hear)|(?:i|we) (?:must|have to|need to|should|would like to|wish to|want to) (?:just |also "
            r")?(?:ask|inquire|enquire|know|learn)|"
            r"(?:may|might|could|can) i (?:just |also |briefly )?(?:inquire|enquire|ask|know|learn|find out)(?: of you)?)(?: you)?,? (?=(?:what|"
            r"which|who|whose|where|when|why|how|whether|if)\b)",
            "please tell me ",
        ),
        (r"\bdo (?=(?:tell|let|give|describe|explain)\b)(?<!you do )(?<!to do )", ""),
        (
            r"\b(?:on earth|in the world|in heaven.s name|the (?:heck|hell|devil)|exactly|precisely)\b(?= (?:did|do|does|is|was|are|were|has|have|"
            r"would|should|happened|you|went))",
            "",
        ),
        (r"\bfanc(?:y|ied)\b", "want"),
        (r"\b(?:are|were) (?:you|we) (?:after|chasing)\b(?=\W|$)", "do you want"),
        (r"\binquir\w+\b|\benquir\w+\b", "ask"),
        (r"\brequisite\b", "necessary"),
        (r"\bin possession of\b", "having"),
        (
            r"^(?:(?:oh|ah|ooh|aw|hm+|um|er|uh|goodness|gosh|wow|dear|no|me|my|oh no|well|right|now then|you poor thing|bless you|blimey)\b[ "
            r",.!]*)+(?=(?:so |and |but )?(?:what|which|who|whose|where|"
            r"when|why|how|do|does|did|is|are|was|were|can|could|would|will|have|has|please|tell|let)\b)",
            "",
        ),
        (
            r"\bif (?:it|that|this) is not too much (?:trouble|to ask)\b|\bwhen(?:ever)? you (?:are ready|get (?:a chance|a moment)|have a (?:moment|"
            r"second))\b|"
            r"\bif you (?:would not mind|could be so kind|have a (?:second|moment|minute)|would be so kind|can)\b(?=\W|$)|\bfor me\b(?=\W*$)",
            "",
        ),
        (r"\bwould you say\b(?: that)?", ""),
        (r"\bif (?:you do not mind|that is ok(?:ay)?|that is all right|i may ask|i might ask|possible)\b", ""),
        (r"\bby any chance\b", ""),
    )
)
_REASON_FIRST = re.compile(
    r"^(?P<opener>(?:(?:ok|okay|great|thanks|thank you|alright|all right|hi|hello)\b[,.!]? )*)(?:because|since(?= (?:our|the|we|i|it|this|your)\b)|"
    r"as(?= (?:our|the policy|we|part)\b)|"
    r"in order to|so that (?:i|we)\b|so (?:i|we) can|due to|given (?:that|the)|according to (?:our|the) (?:rules|policy)|for (?:security|safety|"
    r"verification|legal|"
    r"our records|the records|quality|data protection|identification)\b)(?:(?!\b(?:not|cannot|refused|unable|ask|tell|impossible|declined)\b)[^,?!:]){0,120}, "
    r"(?P<rest>.+)$"
)
_IF_SO = re.compile(
    r"(?:(?<= and)|(?<= but)|(?<=^)|(?<=,)) (?:if (?:so|yes|not|it is|it was|you (?:do|did|have|are))|in that case|otherwise),? (?=\w)"
)
_NEXT = (
    r",? (?:and|as well as) (?:also |then |please |finally )*(?:what|which|who|whose|where|when|why|how|your|the|could|can|would|do|does|did|is|are|was|"
    r"were|have|has|whether|any)\b"
)
"""What follows a reason and is asked beside it."""
_REASON_LAST = re.compile(
    r",? (?:before (?:i|we) (?:can|could|may|go|do|continue|proceed|book|act|change|start|begin|hang|finish|end|wrap)|so that (?:i|we) (?:can|could|"
    r"may|will|know)|"
    r"so that (?:it|nothing|no one|nobody|you|they|the \w+|that|this) \w+|so (?:nothing|no one|nobody|it does|it will)|so "
    r"(?:i|we) (?:can|could|may|will|know)|in order to|because (?:i|we|our|the policy|it is)|"
    r"for (?:security|verification|safety|identification) (?:reasons|purposes)|as (?:i|we) (?:need|have|must)|to (?:help me|make sure|ensure|be sure|"
    rf"speed))\b(?:(?!{_NEXT})[^?])*"
)


_DISCOURSE = re.compile(
    r"^(?:(?:(?:great|good|perfect|fine|well|right)(?=[,:.!]| -)|ok|okay|alright|all right|thanks|thank you|sure|now|so|and|also|then|besides|additionally|"
    r"furthermore|moreover|plus|first|firstly|"
    r"second|secondly|third|thirdly|finally|lastly|next|oh|one more thing|another thing|one last thing|two questions|three questions|two things|"
    r"three things|a few questions|"
    r"(?:one |a |just one )?(?:more |last |final )?(?:quick |short |small )?question|if i may|"
    r"to move things along|to start|to begin with|for a start|for now|by the way|in addition|before (?:we|i) (?:go on|continue|start|begin|proceed|do that)|"
    r"(?:sorry|apologies|forgive me|excuse me)(?: to (?:keep asking|bother you|ask again|interrupt|be a pain|ask))?,? but|\d\))(?: -|[,:]|(?=\d\)))? *)+"
    r"(?=(?:please|kindly|could|can|would|will|do|does|did|is|are|was|were|have|has|had|what|which|who|whose|where|when|why|how|may|might|shall|"
    r"should|tell|let|give|any|"
    r"turn|switch|go|take|put|look|check|run|try|close|shut|restart|remove|press|stay|lie|lay|get|leave|hide|lock|read|open|work|solve|calculate|add|"
    r"subtract|multiply)\b)"
)
"""What leads a request in and says nothing itself, as "Okay, so" or "Sorry to keep asking, but"."""
_WOULD_HELP = re.compile(
    r"^(?:that|this|it) (?:would|will) (?:really |also |already )?(?:help|be (?:\w+ )?(?:great|helpful|lovely|perfect|appreciated|useful|wonderful|"
    r"enough|all i need))(?: me| us)?"
    r"(?: a lot| a great deal| enormously| very much)?\W*$"
)


_STATED_FIRST = re.compile(
    r"^(?:i|we|it|that|this|there|you|your \w+|the \w+)\b[^?]*?(?:, (?:so|therefore)|,? so now|;| -) (?=(?:now |then |next |"
    r"first )?(?:please|kindly|could you|can you|would you)\b)"
)
"""A statement that a request follows from, as in "I have booked roaming, so please restart the phone."."""
_POINTS_BACK = re.compile(r"\b(?:it|that|this|them|those|one)\b")
_LEAD_IN = re.compile(
    r"^(?:let us|let me|here (?:is|are|comes?)|just|one|two|three|first|next|now|a (?:few|couple)|i (?:have|need|just|also)|there (?:is|are)|"
    r"my)\b(?!.*\b(?:about|regarding|for|sum|right|correct|confirm|check|"
    r"sure|repeat|summari\w+|recap)\b)[^:?]{0,80}: (?=(?:please|could|can|would|will|do|does|did|is|are|was|were|have|has|what|which|who|whose|where|"
    r"when|why|how)\b)"
)
"""What announces a question, as in "Let us first rule out something simple: could you ...?"."""


def would_help(sentence: str) -> bool:
    """Whether a sentence only says that an answer would help."""
    return _WOULD_HELP.search(sentence) is not None


def plainly(sentence: str) -> str:
    """A sentence without its reasons and roundabout openings: what is left asks the same more plainly."""
    for rewrite in _REWRITES:
        sentence = rewrite.pattern.sub(rewrite.words, sentence)
    shorter = _STATED_FIRST.sub("", sentence)
    sentence = _LEAD_IN.sub("", sentence if _POINTS_BACK.search(shorter) else shorter)
    sentence = _DISCOURSE.sub("", re.sub(r" {2,}", " ", sentence).strip())
    if (found := _REASON_FIRST.search(sentence)) and len(WORD.findall(found["rest"])) > 2:
        sentence = found["opener"] + found["rest"]
    sentence = _IF_SO.sub(" ", sentence)
    shorter = _REASON_LAST.sub("", sentence)
    return shorter if len(WORD.findall(shorter)) > 3 else sentence
