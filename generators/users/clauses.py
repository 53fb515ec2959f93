"""What comes before the intents of a sentence: read-backs, corrections, reasons, conditions and roundabout ways to ask.

All grammars share this layer. It works on plain text, as `plain_text` of `generators.users.english` gives it.
"""

from __future__ import annotations

import re

from rlgym.generators.users.english import WORD

_GREETS = (
    r"(?:(?:ok|okay|great|good|perfect|fine|thanks|thank you|alright|all right|right|got it|i see|understood|well|and|so|now|then|sure|lovely|"
    r"ah|oh|hello|hi)\b[,.!:]? )*"
)
_TAG = (
    r"(?:(?:is|was) (?:that|this|it) (?:all (?=correct|accurate))?(?:correct|right|accurate)|(?:did|have|do) i (?:get |got |have |heard? |understood "
    r"|understand )+"
    r"(?:(?:that|this|it|you|everything|all of that|all that)\b ?)*(?:right|correctly|down correctly|properly)?|am i (?:right|correct)|"
    r"(?:am|do) i (?:understanding|understand|hearing|reading) (?:that |this |it |you |everything )*(?:right|correctly|properly)?|"
    r"(?:have|did) i (?:noted?|recorded?|written|wrote|taken|took|put|caught|catch|captured?|picked|copied|copy) (?:that |this |it |you |everything |"
    r"all of it )*"
    r"(?:down |up )?(?:right|correctly|properly|accurately)|(?:if|unless) i (?:am not mistaken|understood (?:(?:you|that|it) )?(?:right|correctly|well)|"
    r"got (?:you|that|it) "
    r"right|heard (?:you|that) (?:right|correctly)|am mistaken)|if i am not mistaken|(?:have|did) i (?:got|get) (?:the|this|that) right \w+|have i "
    r"understood(?: (?:that|you|this|it))?(?: (?:right|correctly))?|"
    r"is that what you (?:told me|had in mind|are (?:saying|telling me))|is (?:that|the list|this list|it) complete|is that the case|is that so|is "
    r"that true|(?:is|was) that about right|about right|that is (?:right|correct)|does that match|is that accurate|is that (?:all|everything) "
    r"(?:that )?you (?:remember|recall|know|can remember|lost|had)|"
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
    r"(?:confirm(?:ing)?|(?<!please )check(?:ing)?|making sure|being sure|double[- ]check(?:ing)?|(?:(?<=me )|(?<=to ))be (?:sure|certain|clear)|"
    r"(?:(?<=me )|(?<=to ))make sure|"
    r"verify(?:ing)?|repeat that back|"
    r"read back|see if i (?:got|have) (?:this|that|it)|get this (?:right|straight)|run through (?:that|this|it)(?: again)?|recap(?:ping)?|repeat(?: "
    r"(?:that |this |it |everything )?back)?(?: to you)?|"
    r"summari[sz]e|summari[sz]ing|read (?:that|this|it|everything) back)"
)
_CHECKED = re.compile(
    rf"^{_GREETS}{_CHECK}(?: (?:that )?(?:i (?:have |got |understood |understand |heard )+(?:this|that|it|you|everything)? ?(?:right|correctly|down)?"
    r"(?: correctly)?|this|it|with you))?(?: (?:that|whether|if))?[:,]? ?(?:so )?(?P<claim>(?!(?:what|which|who|whose|where|when|why|how|your|the|with|on|in|"
    r"for|a few|some|something|one|is|are|do|does|can|could|may|whether|if|my)\b(?! \w+ (?:is|are|was|were)\b)).+)$"
)
_RECALL = re.compile(
    rf"^{_GREETS}(?:if i (?:understand|understood|heard|remember|have (?:got |understood )?|got) ?(?:you |this |that |it )?(?:correctly|right|well)|"
    r"as i understand(?: it)?|you (?:have )?"
    r"(?:said|mentioned|told me|stated|indicated|reported)|i (?:understand|heard|gather|see|have noted|noted|have|take it) ?(?:that|you)?|"
    r"(?:am i right|do i understand correctly|is it (?:right|correct|true|fair to say)|did i (?:get it right|understand correctly|hear correctly)|"
    r"would i be right)(?: in (?:thinking|saying|assuming|understanding))?)(?: that| if)?,? "
    r"(?P<claim>.+\?\W*)$"
)
_UNDERSTOOD = re.compile(
    rf"^{_GREETS}(?:(?:so|then|and),? )?(?:if i (?:understand|understood|heard|remember|have got|have understood|got) ?(?:you |this |that |it |"
    rf"everything )?(?:correctly|right|well)|"
    r"as i understand(?: it)?|to sum (?:it |this )?up|in summary|in short|to (?:recap|summari[sz]e|repeat(?: that)?(?: back)?(?: to you)?)|unless i "
    r"am mistaken|"
    r"am i (?:right|correct)(?: in (?:thinking|saying|assuming))?(?: that)?|let me see if i (?:have )?(?:got |understood )?(?:this|that|it|you)(?: "
    r"right| correctly)?)[,:]? (?:so )?"
    r"(?P<claim>(?!(?:what|which|who|where|when|why|how|could|can|would|please|i|we)\b).+)$"
)
"""What is said to have been understood, which needs no question mark to be a read-back."""
_SO = re.compile(
    rf"^{_GREETS}(?:so|then),? (?P<claim>(?:that|this|it|you|he|she|they|the|your|there|we|nobody|somebody|\d|\w+ (?:is|was|are|were))\b(?! then).+\?\W*)$"
)
_ABOUT = re.compile(
    r"^(?:(?:about|regarding|concerning|on|for|as for|with regard to|quick question (?:about|on)) )?(?:the |your )?(?:\w+ )?\w+: "
    r"(?=(?:\W*\w+){3})"
)
"""What a read-back is said to be about, as "About the lamp:"."""
_FRAGMENT = re.compile(
    rf"^{_GREETS}(?:(?:so|then|and|just)\b,? )*(?P<claim>(?!(?:or|any|your|the|which|what|when|where|who|how|why|is|are|was|were|do|does|did|have|"
    rf"has|had|can|could|"
    r"will|would|may|might|should|shall|not|no|please|for|more|else|please)\b)[\w.,:'@/-]+(?: [\w.,:'@/-]+){0,6}? ?)(?: then)?\?\W*$"
)
"""Words that are only a value with a question mark, as in "Flat 3, then?"."""
_MEAN = re.compile(r"^(?:and |so |do |did )*you (?:mean|meant) (?P<claim>.+\?\W*)$")
_ASKS = re.compile(
    r"\b(?:what(?! you (?:ordered|said|want|need|asked))|which|whose|where|when(?! (?:it|this|that|you|they|he|she|the)\b)|why|how)\b|(?:^|[,:;] |"
    r"\b(?:and|or|but|is|was|are|were|by|with|to|of|"
    r"so|for) )whom?\b|"
    r"(?:^|[,;:] |\b(?:please|you|and|to|then|kindly) )(?<!like to )(?<!want to )(?<!wish to )(?<!need to )(?:tell|give|let|send|provide|describe)\b|"
    r"\b(?:(?:shall|should|may|can|could) (?:i|we|you|he|"
    r"she|they)|would you|do you|are you|"
    r"will you|have you|did you|is there|are there)\b"
)


_REQUESTS = re.compile(
    r"\b(?:please|(?:could|can|would|will|may|might) (?:you|i|we)|(?:tell|give|let) (?:me|us))\b|^(?:and |so |also )*(?:tell|give|"
    r"send|describe|provide)\b"
)


def claimed(sentence: str, following: str = "") -> str:
    """What a sentence reads back to be confirmed, as in "So that is two nights, is that correct?"; nothing where it reads nothing back.

    following  the next sentence, which may be the question alone: "You want two nights. Is that correct?"
    """
    bare = _ABOUT.sub("", re.sub(r"\be\.g\.", "", sentence))
    if _ONLY_TAG.search(bare):
        return ""
    if checked := _CHECKED.search(bare):
        claim = tag[1] if (tag := _TAGGED.search(checked["claim"])) else checked["claim"]
        return claim if len(WORD.findall(claim)) > 1 and not _ASKS.search(claim) else ""
    if "?" in bare and (tagged := _TAGGED.search(bare)):
        claim = re.sub(rf"^{_GREETS}(?:so,? )?", "", tagged["claim"])
        return claim if WORD.search(claim) and not _ASKS.search(claim) else ""
    if (found := _UNDERSTOOD.search(bare)) and not _ASKS.search(found["claim"]):
        return found["claim"]
    for pattern in (_RECALL, _SO, _MEAN):
        if (found := pattern.search(bare)) and not _ASKS.search(found["claim"]):
            return found["claim"]
    if following and (fragment := _FRAGMENT.search(bare)) and _ONLY_TAG.search(following) and not _ASKS.search(fragment["claim"]):
        return fragment["claim"].strip(" ,")
    states = "?" not in bare and not _REQUESTS.search(bare)
    if following and states and _ONLY_TAG.search(following) and "?" in following:
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


_BARE = re.compile(
    r"^(?:(?:and|also|then|ok|okay|so|please|now|just|or|thanks|great|right|next|lastly|finally|first)\b[,:.]? )*(?P<words>(?!(?:is|are|was|were|do|"
    r"does|did|have|has|had|can|could|will|would|"
    r"may|might|should|shall|what|which|who|whose|where|when|why|how|tell|give|let|thanks|thank|no|yes|i|we|it|he|she|they|sorry|done|hello|hi|"
    r"bye)\b)[\w'/.-]+(?: [\w'/.-]+){0,4}? ?)"
    r"(?:,? (?:please|then|now|again))*(?P<mark>[?.!]*)$"
)


def as_questions(fragment: str) -> tuple[str, ...]:
    """The questions that a few words without a verb may stand for, as "Age?" for "What is your age?"; none where the words are no such fragment."""
    found = _BARE.search(fragment)
    if found is None or ("?" not in found["mark"] and "please" not in fragment):
        return ()
    words = re.sub(r"^(?:your|the|any) ", "", found["words"].strip())
    return (
        f"what is your {words}?",
        f"is {words}?",
        f"how many {words}?",
        f"is the {words}?",
        f"what {words}?",
        f"do you have any {words}?",
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
