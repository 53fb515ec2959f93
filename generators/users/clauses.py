"""What comes before the intents of a sentence: read-backs, corrections, reasons, conditions and roundabout ways to ask.

All grammars share this layer. It works on plain text, as `plain_text` of `generators.users.english` gives it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rlgym.generators.users.english import WORD

_GREETS = (
    r"(?:(?:ok|okay|great|good|perfect|fine|thanks|thank you|alright|all right|right|got it|i see|understood|well|and|so|now|then|sure|lovely|"
    r"ah|oh|hello|hi)\b[,.!:]? )*"
)
_TAG = (
    r"(?:(?:is|was) (?:that|this|it) (?:all (?=correct|accurate))?(?:correct|right|accurate)|(?:did|have|do) i (?:get |got |have |heard? |understood "
    r"|understand )+"
    r"(?:that |this |it |you |everything |all of that |all that )*(?:right|correctly|down correctly|properly)?|am i (?:right|correct)|"
    r"correct|(?<!all )right|yes|yeah|eh|huh|no|true|(?:do|does|did|are|is|was|were|have|has|had|will|would|can|could|should|shall|must) not "
    r"(?:you|it|he|she|they|that|there|this|i|we)|does that sound right|is "
    r"that what you (?:said|want|meant|mean|need))"
)
_TURNED_TAG = (
    r"(?:do|does|did|are|is|was|were|have|has|will|would|can|could) (?:you|it|he|she|they|that|there|this|i|we)|(?:no|or) (?:not|no)|or (?:did|do|have|am) "
    r"i (?:get (?:that|this|it) wrong|misunderstand\w*|mistaken|wrong)|or not"
)
"""Tags after a comma, which otherwise would begin or end a question, as in "She does not breathe, does she?"."""
_TAGGED = re.compile(rf"^(?P<claim>.+?)(?:(?:,| -|;|:|\.|\?)? {_TAG}|(?:,| -|;) {_TURNED_TAG})\W*$")
_ONLY_TAG = re.compile(rf"^{_GREETS}(?:and )?{_TAG}(?: so far)?\W*$")
_CHECK = (
    r"(?:(?:let me|let us|allow me to|can i|may i|could i|i (?:just )?(?:want|would like|need|have) to|i will|i am|just|only|quickly|please|to) )*"
    r"(?:confirm(?:ing)?|check(?:ing)?|double[- ]check(?:ing)?|be (?:sure|certain|clear)|make sure|verify(?:ing)?|recap(?:ping)?|repeat(?: back)?|"
    r"summari[sz]e|summari[sz]ing|read (?:that|this|it|everything) back)"
)
_CHECKED = re.compile(
    rf"^{_GREETS}{_CHECK}(?: (?:that )?(?:i (?:have |got |understood |understand |heard )+(?:this|that|it|you|everything)? ?(?:right|correctly|down)?"
    r"(?: correctly)?|this|it|with you))?(?: (?:that|whether|if))?[:,]? ?(?:so )?(?P<claim>(?!(?:what|which|who|whose|where|when|why|how|your|the|with|on|in|"
    r"for|a few|some|something|one|is|are|do|does|can|could|may|whether|if|my)\b(?! \w+ (?:is|are|was|were)\b)).+)$"
)
_RECALL = re.compile(
    rf"^{_GREETS}(?:if i (?:understand|understood|heard|remember) (?:you )?(?:correctly|right|well)|as i understand(?: it)?|you (?:have )?"
    r"(?:said|mentioned|told me|stated|indicated|reported)|i (?:understand|heard|gather|see|have noted|noted|have) (?:that|you))(?: that)?,? "
    r"(?P<claim>.+\?\W*)$"
)
_SO = re.compile(
    rf"^{_GREETS}(?:so|then),? (?P<claim>(?:that|this|it|you|he|she|they|the|your|there|we|nobody|somebody|\d)\b(?! then).+\?\W*)$"
)
_MEAN = re.compile(r"^(?:and |so |do |did )*you (?:mean|meant) (?P<claim>.+\?\W*)$")
_ASKS = re.compile(
    r"\b(?:what(?! you (?:ordered|said|want|need|asked))|which|who|whose|where|when|why|how)\b|\b(?:tell|give|let|send|provide|describe)\b|"
    r"\b(?:(?:shall|should|may|can|could) (?:i|we|you|he|"
    r"she|they)|would you|do you|are you|"
    r"will you|have you|did you|is there|are there)\b"
)


def claimed(sentence: str, following: str = "") -> str:
    """What a sentence reads back to be confirmed, as in "So that is two nights, is that correct?"; nothing where it reads nothing back.

    following  the next sentence, which may be the question alone: "You want two nights. Is that correct?"
    """
    bare = re.sub(r"\be\.g\.", "", sentence)
    if _ONLY_TAG.search(bare):
        return ""
    if checked := _CHECKED.search(bare):
        claim = tag[1] if (tag := _TAGGED.search(checked["claim"])) else checked["claim"]
        return claim if len(WORD.findall(claim)) > 1 and not _ASKS.search(claim) else ""
    if "?" in bare and (tagged := _TAGGED.search(bare)):
        claim = re.sub(rf"^{_GREETS}(?:so,? )?", "", tagged["claim"])
        return claim if WORD.search(claim) and not _ASKS.search(claim) else ""
    for pattern in (_RECALL, _SO, _MEAN):
        if (found := pattern.search(bare)) and not _ASKS.search(found["claim"]):
            return found["claim"]
    if following and "?" not in bare and _ONLY_TAG.search(following) and "?" in following and not _ASKS.search(bare):
        return re.sub(rf"^{_GREETS}(?:so,? )?", "", bare)
    return ""


_TURNS = (
    (re.compile(r"\b(?:nobody|no one|no-one)\b(?: is| has| was)?"), "is anybody"),
    (re.compile(r"\bnothing\b(?: is| has| was)?"), "is anything"),
    (re.compile(r"\b(?:no longer|never|not)\b "), ""),
    (re.compile(r"\b(you|we|they) (are|were|have|had|will|would|can|could|should) (?!to\b)"), r"\2 \1 "),
    (re.compile(r"\b(i|he|she|it|that|this|there|the \w+|your \w+|his \w+|her \w+) (is|was|has|will|would|can|could|should) "), r"\2 \1 "),
    (re.compile(r"^(?:\W*(?:so|then|and|well)\b)*\W*(you|we|they|he|she|it) (?=[a-z]+)"), r"do \1 "),
)


def as_question(claim: str) -> str:
    """A claim as the question that it answers: "is anybody left inside?" for "nobody is left inside"."""
    for place, (pattern, words) in enumerate(_TURNS):
        turned = pattern.sub(words, claim, count=1)
        if turned != claim and place > 2:
            claim = turned
            break
        claim = turned
    return re.sub(r"[ .,!?;:]+$", "", claim) + "?"


def only_confirms(sentence: str) -> bool:
    """Whether a sentence is no more than the question whether what was said before is right."""
    return _ONLY_TAG.search(sentence) is not None


_TAKEN_BACK = re.compile(
    r"[\s,.;:\u2013\u2014(-]*\b(?:no,? wait|wait,? no|scratch that|strike that|i mean(?=[,: ]+(?!that|what|is|it))|sorry,? i meant?|correction|or rather|"
    r"make that|actually,? no|no,? sorry|sorry,? no|oops|let me rephrase(?: that)?)\b[\s,.:;\u2013\u2014)-]*"
)
_VALUE = re.compile(
    r"(?:(?:on|at|for|of|from|until|about) )?(?:\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b(?:,? (?:at )?(?:\d{1,2}[:.]\d\d|"
    r"\d{1,2} ?[ap]m|"
    r"noon|half past \w+))?|(?:\bat )?\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?[ap]m\b|[$\u20ac\u00a3]?\b\d+\b(?: coins?| days?| cm| metres?| meters?| hours?| o.clock)?)"
)


def without_corrections(text: str) -> str:
    """A text without what it takes back: "Monday at 9:00, no wait, Tuesday at 10:00" is about Tuesday alone."""
    for _ in range(4):
        found = _TAKEN_BACK.search(text)
        if not found:
            break
        before, after = text[: found.start()], text[found.end() :]
        values, new = list(_VALUE.finditer(before)), _VALUE.search(after)
        if values and new:
            value = values[-1]
            before = f"{before[: value.start()].rstrip(' ,')} {before[value.end() :].strip(' ,')} "
        else:
            start = max(before.rfind(mark) for mark in ".!?\n") + 1
            before = before[:start] + " " if len(WORD.findall(after)) > 2 else before + ", "
        text = before + after
    return text


_IF_NOT = re.compile(
    r"\b(?:if|in case|should) (?:[^,.?!;]{0,60}\b)?(?:does not|do not|did not|is not|are not|cannot|can not|will not|would not|not) "
    r"(?:possible|suit|work|fit|convenient|good|ok|okay|fine|available|free|make it|do|any good|suitable|acceptable)\b[^,.?!;]{0,40},? ?(?:then )?"
)


def without_conditions(text: str) -> str:
    """A text without the times that it only offers to do without: "If Monday at 8:00 does not suit you, would Tuesday at 9:00?"."""
    return _IF_NOT.sub("", text)


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
    r",? (?:before (?:i|we) (?:can|could|may|go|do|continue|proceed|book|act|change|start|begin)|so that (?:i|we) (?:can|could|may|will|know)|so "
    r"(?:i|we) (?:can|could|may|will|know)|in order to|because (?:i|we|our|the policy|it is)|"
    r"for (?:security|verification|safety|identification) (?:reasons|purposes)|as (?:i|we) (?:need|have|must)|to (?:help me|make sure|ensure|be sure|"
    rf"speed))\b(?:(?!{_NEXT})[^?])*"
)


def plainly(sentence: str) -> str:
    """A sentence without its reasons and roundabout openings: what is left asks the same more plainly."""
    for rewrite in _REWRITES:
        sentence = rewrite.pattern.sub(rewrite.words, sentence)
    if (found := _REASON_FIRST.search(sentence)) and len(WORD.findall(found["rest"])) > 2:
        sentence = found["opener"] + found["rest"]
    sentence = _IF_SO.sub(" ", sentence)
    shorter = _REASON_LAST.sub("", sentence)
    return shorter if len(WORD.findall(shorter)) > 3 else sentence


_SMALL_TALK = re.compile(
    r"\bhow (?:are|is) (?:you|things|everything|your day)(?: (?:doing|feeling|going))?(?: (?:today|this morning|this afternoon|this evening))?\b|"
    r"\bhow do you do\b|"
    r"\bi hope (?:you are|that you are|this|your day)\b[^.?!]*\b(?:well|fine|finds|good)\b|\b(?:nice|lovely|good|pleased) to (?:meet|hear from|talk "
    r"to|speak (?:to|with)) you\b"
)
_ONLY_SMALL_TALK = re.compile(
    rf"^(?:(?:hi|hello|good (?:morning|afternoon|evening|day)|hey|and|so|well|then)\b[ ,.!]*(?:(?!how)\w+[ "
    rf",.!]+){{0,4}}){{0,2}}(?:{_SMALL_TALK.pattern})\W*(?:today|then)?\W*$"
)


def small_talk(text: str) -> bool:
    """Whether a text asks how somebody is, or says how nice it is to meet them."""
    return _SMALL_TALK.search(text) is not None


_THANKS = re.compile(r"\b(?:thanks|thank you|much appreciated|very helpful|that helps|great help)\b")


def is_thanks(text: str) -> bool:
    """Whether a text thanks."""
    return _THANKS.search(text) is not None


def only_small_talk(sentence: str) -> bool:
    return _ONLY_SMALL_TALK.search(sentence) is not None
