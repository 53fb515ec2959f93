"""What one sentence asks for or says: the intents of a grammar, and those of any conversation, found by patterns."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rlgym.generators.users.english import WORD
from rlgym.generators.users.intents import ELSE, OPENING, PURPOSE, Grammar, find_grammar

SOCIAL = ("hold", "tell", "bye", "empathy", "rude")
"""Intents that ask for nothing."""
_REQUEST = re.compile(
    r"\b(?:please|kindly|(?:could|can|would|will|might) (?:you|i|we)|may (?:i|we)|let (?:me|us) know|(?:tell|give|send|show|"
    r"remind) (?:me|us)|"
    r"provide|share with|(?<!everything )(?<!everything that )(?<!all )(?<!all that )"
    r"i (?:will |would |just |also |do )*(?:need|require|must know|have to (?:know|ask))|"
    r"i would (?:\w+ )?like to (?:know|ask|hear|confirm|check|understand)|i (?:want|wish|have) to (?:ask|know)|let me ask|"
    r"(?<!unable )(?:to|must) (?:confirm|verify)|let us|mention|helpful? (?:to know|if|us)|"
    r"next (?:up|comes) (?:is|comes)? ?your|make sure|ensure|(?:walk|take|talk|lead) (?:me|us) through|walk me|if you could|do you mind|help me|"
    r"if (?:you (?:(?:agree|accept|approve|consent)|(?:are|would be) (?:\w+ )?(?:happy|ok|okay|fine|satisfied|willing))|"
    r"(?:that|this|it) (?:is|sounds|works|suits|seems) (?!not)\w+))\b"
    r"|^(?:and |so |also |first |then |now |ok |okay |great |sure |thanks |thank you |alright |perfect |hi |hello |,|\s)*"
    r"(?:what|when(?! you [^?]*, )|which|who|how|where|why|do|does|did|are|is|was|were|have|has|any|confirm|verify|specify|"
    r"state|describe|share|name|say|report)\b"
)
_NAMED_FIRST = re.compile(
    r"^(?!.*\b(?:i|we|know|see|understand|found|depends?|sure|matters?|is|are|was|were|that|this)\b.*\b(?:what|which|where|when|who|"
    r"how)\b)\W*(?:[\w'-]+[^\w'-]+){1,3}"
    r"(?:what|which|where|when|who|how)\b (?:is|are|was|were|do|does|did|would|should|can|have|has|much|many|long|old|\w+ (?:do|is|are|did|was|were|"
    r"should|would))\b"
)
"""A question without its mark that begins with what it is about, as "mia where was she"."""
_HOLD = re.compile(
    r"\b(?:(?:one|just a|a|half a) (?:brief |quick |short )?(?:moment|second|minute|sec)\b(?! (?:if|to (?:tell|answer)))|"
    r"bear with me|hold on|hang on|hold the line|"
    r"let me (?:just |quickly |first |now )*(?:check|look|see|find|pull|verify|review|take a look|search)|please (?:wait|hold)|"
    r"i am (?:just )?checking|"
    r"i will (?:just |now |quickly )*(?:check|look|be right back)|(?:stay|remain) on the line|(?:mind|you) (?:holding|hold|waiting|wait)\b(?! for)|"
    r"holding (?:on )?for|(?:wait|hold) (?:briefly|for (?:a|just)|on)|give me (?:a few|just a few|some) (?:seconds|moments|minutes))\b"
)
_OFFER = re.compile(
    r"\b(?:could (?:bring|send|come|be|deliver|drop|visit|stop)|can (?:bring|send|come|be there|deliver|visit)|will be there|offer you|see you|fit "
    r"you in|(?:i|we) (?:do )?have|is (?:still )?(?:free|available|open)|opening|slot|book you)\b"
)
_WAIT = re.compile(r"\b(?:(?:hold|holding|stay|stand by|wait|waiting)\b.*\b(?:while|until) (?:i|we)\b|ask you to (?:wait|hold))")
_COMES_BY = re.compile(
    r"\bplease (?:pick (?:it|them|the \w+|your \w+) up|collect|come (?:to|by|in)|call (?:us )?(?:back|again)|visit|bear with)\b"
)
_BYE = re.compile(
    r"\b(?:good ?bye|bye|until next time|stay well|see you (?:then|soon)|"
    r"have a (?:great|nice|good|lovely|wonderful|pleasant)|take care(?! of)|enjoy your|(?:thanks|thank you) for (?:calling|"
    r"contacting|your (?!(?:answers?|help|information|reply|replies|honesty)\b)\w+))\b"
)
_EMPATHY = re.compile(
    r"\b(?:sorry|apologi[sz]e|apologies|i (?:completely |fully |totally )?understand|frustrating|my sympathies|that must be)\b"
)
_RUDE = re.compile(r"\b(?:stupid|idiot|shut up|moron|dumb|hurry up|not my problem|liar|nonsense)\b")
_CONSENT = re.compile(
    r"\b(?:(?:shall|should|may|can|could) (?:i|we) (?:please )?(?:go ahead|proceed|continue|cancel|book|do|charge|apply|add|process|"
    r"move|confirm|reserve|"
    r"send|enable|take(?! your))|go(?:ing)? ahead|proceed|would you (?:like|want|prefer) (?:me|us) to|do you (?:agree|accept|consent|approve|"
    r"authori[sz]e|confirm|want me|want to|still want|"
    r"wish)|would you (?:still |rather )?(?:like|want|prefer|agree|accept)|would you be (?:\w+ )?(?:willing|ok|okay|fine|happy|prepared|"
    r"comfortable)|are you (?:\w+ )?(?:ok|okay|fine|happy|alright|all right|comfortable|willing|good)|"
    r"(?:is|would|will) (?:that|this|"
    r"it) (?:be )?(?:\w+ )?(?:ok|okay|all right|alright|"
    r"fine|acceptable|good)|do we have (?:a deal|an agreement)|permission|consent|your (?:approval|agreement|confirmation)|agreeable|confirm that you)\b"
)
_ELSE, _PURPOSE = re.compile(ELSE), re.compile(PURPOSE)
_PRONOUN = re.compile(r"\b(?:it|that|this|them)\b")
_STATED = re.compile(
    r"\b(?:(?:i|we) (?:\w+ ){0,3}(?:must|have to|need to|ought to|should|would like to|am required to|are required to) (?:\w+ )?"
    r"(?:ask|know|have|get|hear|establish|note|record|write down|check|verify|confirm|take)|(?:i|we) (?:\w+ ){0,2}(?:need|"
    r"require|lack|am missing|are missing)|"
    r"(?:i|we) (?:am|are|was|were) (?:\w+ )?(?:wondering|curious|going to need)|(?:i|we) (?:would|will|"
    r"should) (?:\w+ )?(?:appreciate|be glad|be grateful|take)|"
    r"what (?:i|we) (?:\w+ )?need|(?:is|are) (?:\w+ )?(?:missing|needed|required|necessary)|it would (?:help|be \w+) (?:\w+ )?to (?:know|have|hear)|"
    r"i am (?:listening|all ears)|all ears|go ahead and|(?:fire|go) (?:away|on|ahead)$|i wonder|(?:i|we) am asking)\b"
)
"""Statements that may be requests, as in "I must ask you for your street."; they are where they name something that can be asked for."""
_WH = r"(?:(?:on|in|at|under|for|from|by|to|with|about|until|since|of|around) )?"
_WH += (
    r"(?:(?:what|how)(?! about)|which|why|when(?= (?:do|does|did|is|are|was|were|has|have|had|can|could|would|will|should|must|may|might|shall|"
    r"you)\b|\W*$| and|,)|where|who|whom|whose)\b"
)
_ASK = (
    r"(?:(?:have|has|had|may|shall) (?:you|i|we|it|there|that|this|the|your|he|she|they|any\w*)|"
    r"(?:do|does|did|is|are|was|were|can|could|would|will|should) "
    r"(?!(?:not|also|still|to|be|in|on|at|of|for|now|then|only|very|so|already|all|just|with|as|by|from|out|up|too)\b)\w+|"
    r"(?:please )?(?:let (?:me|us) (?:know|have)(?! (?:if|when|once|as soon|that)\b)|(?:tell|give|show|remind) (?:me|"
    r"us)(?! (?:if|when|once|(?:the|your) (?:result|answer)|what (?:you|it) (?:gets?|says?|shows?))\b)|"
    r"(?:name|describe|explain|list|state|say|share|provide)(?! (?:is|was)))|any(?:thing|one|body)?(?! else)(?=(?: \w+){1,6}(?:\?|,|$)))\b"
)
_LEAD = r"(?:also |then |so |and |please |now |finally |lastly |first |next |,|-|:|\s)*"
_PART = re.compile(
    rf"(?:,|;|:| -)? (?:(?:and|but|as well as) (?={_LEAD}(?:{_WH}|{_ASK}))|or (?={_LEAD}{_WH}))|(?:,|;|:| -) (?={_LEAD}(?:{_WH}|{_ASK}))"
)
_LEADS_UP = re.compile(r"^(?:and |so )?(?:regarding|about|concerning|as (?:for|to|regards)|to|before|for|with|on|after|since|because)\b")
_LEADING = re.compile(rf"^{_LEAD}")
_ELLIPTICAL = re.compile(
    rf"^{_LEAD}(?!who)(?:(?:for|since|from|on|in|at|by|until|to|with|under|of|about) )?(?:what|which|how|when|whom?)\b(?: \w+)?(?:,? (?:one|"
    rf"ones|then|to when|days?|times?|hours?|else|month))*\W*$"
)
_POINTS = re.compile(r"^(?=.*\b(?:it|that|this|them|one|those|they|these)\b)(?!.*\b(?:happen|occur|wrong)\w*)")
_QUESTION = re.compile(rf"^{_LEAD}(?:{_WH}|{_ASK})")
_SMALL_TALK = re.compile(
    r"\bhow (?:are you|do you do|is it going|is your day)\b|\bare you (?:still )?(?:there|with me|ready|okay|ok|all right|"
    r"alright)\b|\bcan you hear\b|"
    r"\b(?:good|convenient) time\b|\b(?:a|one|your) (?:moment|minute|second)s?\b|\b(?:if|how) (?:i|we) (?:may|might|could) (?:ask|put it)\b|"
    r"^(?:\w+ ){0,3}(?:(?:tell|give|show) (?:me|us)|(?:describe|explain)(?: it)? to (?:me|us)),?(?: please| now| then)*\W*$|"
    r"^(?!(?:what|where|who|how|when|which|whose|"
    r"why)\b)(?:\w+ ){0,3}(?:right|ok|okay|yes|no|please|really|correct|understood|agreed|alright|well|not|so|then|you|it|"
    r"that|this|is it|is that)\W*$|"
    r"\b(?:may|can|could|shall|should|might) (?:i|we)\b|\bdo you (?:see|understand|follow|know what i mean)\b|\bwhat (?:do|"
    r"can|would) you (?:say|think)\b|"
    r"\b(?:is|would|will|does|do) (?:that|this|it|they|these) (?:\w+ )?(?:possible|okay|ok|fine|right|all right|alright|"
    r"sound|suit|work|help|fit|clear|make)\b|"
    r"\b(?:do|would|if) you (?:still )?(?:know|remember|happen|mind)\b|\bcould you (?:help|repeat|say|confirm|check|do)\b|\bdo you have (?:it|that|them|this)\b"
)
_DIFFER = re.compile(r"\b(?:differ\w*|distinguish\w*|vary|varies|except for|apart from)\b(.*)")
_NEGATED = re.compile(r"\b(?:do not|does not|must not|should not|never|no need to|without)\b(?!.*\b(?:please|but)\b)")
_TROUBLE = re.compile(
    r"\bwhat (?:is |was |has |have )?(?:the |your |exactly )*(?:trouble|problem|matter|issue|wrong|happened|gone wrong|"
    r"broken|needs? (?:fixing|repair\w*))\b"
    r"|\bwhat (?:exactly )?(?:is|has) (?:been )?(?:broken|wrong|gone wrong|damaged)\b|\bwhat brings you\b"
)
_IMPERATIVE = re.compile(
    r"^(?:(?:and|so|also|first|then|next|now|ok|okay|after that|please|kindly|right|great|good|alright|all right|thanks|thank you|perfect)\b[,:.!-]* "
    r"|once .{0,60}, |as a first step|,|\s)*"
    r"(?:everybody|everyone|turn|switch|restart|reboot|power|remove|take|put|go|open|check|look|run|try|enable|disable|toggle|close|shut|reset|flip|"
    r"flick|tap|swipe|unplug|plug|begin|start|keep|place|power-cycle|i would (?:suggest|recommend|advise)|how about|what about|end|quit|stop|see "
    r"(?:if|whether|what)|grab|press|hold|get|read|test|disconnect|reseat|eject|slide|pull|flip|load|have)\b"
    r"|^(?:[^?]{0,60}, )?(?:now |then |so )?(?:you (?:\w+ )?(?:need|have|ought|should|must|will have)|(?:i|we) (?:need|want|would like) you)(?: to)?\b"
)


_FIGURE = re.compile(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")


class Patterns(NamedTuple):
    asks: tuple[tuple[str, re.Pattern[str]], ...]
    hints: tuple[tuple[str, re.Pattern[str]], ...]
    actions: tuple[tuple[str, re.Pattern[str]], ...]
    opening: re.Pattern[str]
    first: tuple[str, ...]
    states: tuple[str, ...]
    agrees: re.Pattern[str]
    things: re.Pattern[str] | None
    slots: tuple[tuple[str, re.Pattern[str]], ...]


@lru_cache(maxsize=32)
def patterns_of(name: str) -> Patterns:
    grammar: Grammar = find_grammar(name)
    return Patterns(
        tuple((f"ask:{topic}", re.compile(pattern)) for topic, pattern in grammar.asks.items()),
        tuple((intent, re.compile(pattern)) for intent, pattern in grammar.hints.items()),
        tuple((f"do:{action}", re.compile(pattern)) for action, pattern in grammar.actions.items()),
        re.compile(f"{OPENING}|{grammar.opening}" if grammar.opening else OPENING),
        grammar.first,
        grammar.states,
        re.compile(f"{_CONSENT.pattern}|{grammar.agrees}" if grammar.agrees else _CONSENT.pattern),
        re.compile(grammar.things) if grammar.things else None,
        tuple((intent, re.compile(pattern)) for intent, pattern in grammar.slots.items()),
    )


def is_request(sentence: str) -> bool:
    """Whether a sentence asks for something, as a question or not."""
    return "?" in sentence or _REQUEST.search(sentence) is not None or _NAMED_FIRST.search(sentence) is not None


def is_last(sentence: str) -> bool:
    """Whether a sentence asks whether that was all."""
    return _ELSE.search(sentence) is not None


def is_quiet(sentence: str) -> bool:
    """Whether a sentence that looks like a request only asks to wait or to come by, or ends the conversation."""
    return bool(_COMES_BY.search(sentence) and "?" not in sentence) or bool(
        _WAIT.search(sentence) or ("?" not in sentence and (_BYE.search(sentence) or _HOLD.search(sentence)))
    )


def offers_time(text: str) -> bool:
    """Whether a text offers something that is free."""
    return _OFFER.search(text) is not None


def has_pronoun(sentence: str) -> bool:
    """Whether a sentence points to something that was said before."""
    return _PRONOUN.search(sentence) is not None


def may_request(sentence: str) -> bool:
    """Whether a statement asks for something if it names something that can be asked for."""
    return _STATED.search(sentence) is not None


def split_questions(sentence: str) -> list[str]:
    """The parts of a sentence that ask one thing each; words such as "Regarding your request:" stay with what they lead up to."""
    parts, lead = list[str](), ""
    for part in _PART.split(sentence):
        lead = f"{lead}, {part}" if lead else part
        if (WORD.search(lead) and (_QUESTION.search(lead) or not _LEADS_UP.search(lead))) or (
            _LEADS_UP.search(lead) and _QUESTION.search(part)
        ):
            parts, lead = [*parts, lead], ""
    return [*parts, *([lead] if WORD.search(lead) else [])]


def is_question(part: str) -> bool:
    """Whether a part of a sentence asks something that an answer is expected to, and not only how somebody is."""
    return _QUESTION.search(part) is not None and _SMALL_TALK.search(part) is None and not (is_short(part) or points_back(part))


def starts_question(part: str) -> bool:
    """Whether a part of a sentence begins as a question or as a request to tell something does."""
    return _QUESTION.search(part) is not None


def points_back(part: str) -> bool:
    """Whether a short part only goes with what was said before it, as in "What was it called?"."""
    return starts_question(part) and len(WORD.findall(part)) <= 5 and _POINTS.search(part) is not None


def is_short(part: str) -> bool:
    """Whether a part of a sentence goes with the rest of it, as in "What does it look like, and since when?"."""
    words = len(WORD.findall(_LEADING.sub("", part)))
    return words <= 2 or (words <= 5 and _ELLIPTICAL.search(part) is not None)


def sentence_intents(patterns: Patterns, sentence: str, requested: bool) -> list[str]:
    """The intents of a sentence."""
    social = [name for name, pattern in (("empathy", _EMPATHY), ("rude", _RUDE)) if pattern.search(sentence)]
    if _WAIT.search(sentence):
        return [*social, "hold"]
    if requested and _ELSE.search(sentence):
        meant = [intent for intent, pattern in patterns.asks if intent in patterns.first and pattern.search(sentence)]
        return [*social, *(meant or ["anything_else"])]
    short = len(WORD.findall(sentence)) <= 4
    imperative = requested or _IMPERATIVE.search(sentence) is not None
    actions = [intent for intent, pattern in patterns.actions if (imperative or intent in patterns.states) and pattern.search(sentence)]
    asks = [intent for intent, pattern in patterns.asks if (requested or short or intent in patterns.states) and pattern.search(sentence)]
    if set(actions) - set(patterns.states) and _NEGATED.search(sentence):
        return [*social, "tell"]
    trouble = ["open"] if patterns.actions and requested and _TROUBLE.search(sentence) else []
    if actions or asks or trouble:
        beside = asks if patterns.actions or not actions else []
        beside += ["open"] if asks and _PURPOSE.search(sentence) else []
        return [*social, *trouble, *actions, *(intent for intent in beside if not (trouble and intent == "ask:times"))]
    if requested and patterns.opening.search(sentence):
        return [*social, "open"]
    if requested and patterns.agrees.search(sentence):
        return [*social, "go_ahead"]
    if _HOLD.search(sentence):
        return [*social, "hold"]
    if _BYE.search(sentence) and "?" not in sentence:
        return [*social, "bye"]
    return social


def claimed_intents(patterns: Patterns, claim: str) -> dict[str, str]:
    """The intents of what is read back, each with what is said of it: those whose values it has, else those that it names."""
    found = {
        intent: match[0] if _FIGURE.search(match[0]) else claim for intent, pattern in patterns.slots if (match := pattern.search(claim))
    }
    found = found or {intent: claim for intent, pattern in patterns.asks if pattern.search(claim)}
    found = found or ({"open": claim} if patterns.opening.search(claim) else {})
    return {intent: said for intent, said in found.items() if intent != "open"} or found


def differing_intents(patterns: Patterns, text: str) -> list[str]:
    """What a text says that things differ in: after "differ in", or as two values joined by "and"; nothing where that is not one thing."""
    differing = _DIFFER.search(text)
    intents = sentence_intents(patterns, differing[1] if differing else text.replace(" and ", " or "), True)
    asks = [intent for intent in intents if intent in patterns.first]
    return asks if len(asks) == 1 else []
