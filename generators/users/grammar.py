"""What an agent's words mean to a person at the other end: intents with slots, found by patterns over ordinary English.

A grammar is a set of intents. The words are read sentence by sentence. A question that no intent covers means `unknown`, and so do
words that are not English; a plain statement means `tell`. At most MOST_CHARACTERS are read, so that any text takes a bounded time.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from rlgym.generators.users.intents import OPENING, Grammar, find_grammar
from rlgym.generators.users.slots import When, amounts, whens

MOST_CHARACTERS = 1200
SOCIAL = ("hold", "tell", "bye", "empathy", "rude")
"""Intents that ask for nothing."""


class Meaning(NamedTuple):
    """One thing that was said: its intent, the day and time or the amount that it names, and the key of the matter that it is about."""

    intent: str
    when: When | None = None
    amount: int | None = None
    about: str = ""


class Matter(NamedTuple):
    """One of several things that a person may be spoken to about: its key, and the names that a text in lower case may give it."""

    key: str
    names: tuple[str, ...]


EVERY = "*"
"""What a meaning is about that asks for the same of every matter, as in "What are the reasons for both?"."""
FOREIGN = "?"
"""What a meaning is about that names a matter which is none of the person's."""


_CONTRACTIONS = (
    (re.compile(r"\bcan'?t\b"), "cannot"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\b(what|that|it|there|where|when|who|how|here|which|why)'s\b"), r"\1 is"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(dr|mr|mrs|ms|no)\.(?= )"), r"\1"),
    (re.compile(r"\bd\.o\.b\b\.?"), "dob"),
    (re.compile(r"\b([ap])\.m\.?"), r"\1m"),
)
_SENTENCE = re.compile(r"[^.!?\n;]*(?:[.:](?=\d)[^.!?\n;]*)*[.!?\n;]*")
_WORD = re.compile(r"[a-z]+")
_REQUEST = re.compile(
    r"\b(?:please|kindly|(?:could|can|would|will|might) (?:you|i|we)|may (?:i|we)|let (?:me|us) know|(?:tell|give|send|show|"
    r"remind) (?:me|us)|"
    r"provide|share with|(?<!everything )(?<!everything that )(?<!all )(?<!all that )"
    r"i (?:will |would |just |also |do )*(?:need|require|must know|have to (?:know|ask))|"
    r"i would (?:\w+ )?like to (?:know|ask|hear|confirm|check|understand)|i (?:want|wish|have) to (?:ask|know)|let me ask|"
    r"(?<!unable )(?:to|must) (?:confirm|verify)|let us|mention|helpful? (?:to know|if|us)|"
    r"next (?:up|comes) (?:is|comes)? ?your|make sure|ensure|walk me|if you could|do you mind|help me)\b"
    r"|^(?:and |so |also |first |then |now |ok |okay |great |sure |thanks |thank you |alright |perfect |hi |hello |,|\s)*"
    r"(?:what|when(?! you [^?]*, )|which|who|how|where|why|do|does|did|are|is|was|were|have|has|any|confirm|verify|specify|state|describe|share|name)\b"
)
_HOLD = re.compile(
    r"\b(?:(?:one|just a|a|half a) (?:brief |quick |short )?(?:moment|second|minute|sec)\b(?! (?:if|to (?:tell|answer)))|"
    r"bear with me|hold on|hang on|hold the line|"
    r"let me (?:just |quickly |first |now )*(?:check|look|see|find|pull|verify|review|take a look|search)|please (?:wait|hold)|"
    r"i am (?:just )?checking|"
    r"i will (?:just |now |quickly )*(?:check|look|be right back)|(?:stay|remain) on the line|(?:mind|you) (?:holding|hold|waiting|wait)\b(?! for)|"
    r"holding (?:on )?for|(?:wait|hold) (?:briefly|for (?:a|just)|on)|give me (?:a few|just a few|some) (?:seconds|moments|minutes))\b"
)
_OFFER = re.compile(
    r"\b(?:offer you|see you|fit you in|(?:i|we) (?:do )?have|is (?:still )?(?:free|available|open)|opening|slot|book you)\b"
)
_WAIT = re.compile(r"\b(?:(?:hold|holding|stay|stand by|wait|waiting)\b.*\b(?:while|until) (?:i|we)\b|ask you to (?:wait|hold))")
_BYE = re.compile(
    r"\b(?:good ?bye|bye|until next time|stay well|see you (?:then|soon)|"
    r"have a (?:great|nice|good|lovely|wonderful|pleasant)|take care(?! of)|enjoy your|(?:thanks|thank you) for (?:calling|"
    r"contacting|your (?!(?:answers?|help|information|reply|replies|honesty)\b)\w+))\b"
)
_EMPATHY = re.compile(
    r"\b(?:sorry|apologi[sz]e|apologies|i (?:completely |fully |totally )?understand|frustrating|my sympathies|that must be)\b"
)
_RUDE = re.compile(r"\b(?:stupid|idiot|shut up|moron|dumb|hurry up|not my problem|liar|nonsense)\b")
_ELSE = re.compile(
    r"\b(?:(?:any ?thing|something|what|any ?one thing) (?:else|more|further|additional)|any (?:other|additional|last|final)|any more(?= [a-z])|"
    r"(?<!go )(?<!get )any further|"
    r"(?:will|would) that be (?:all(?! right)|everything)|is (?:that|this) (?:all(?! right)|everything)|"
    r"(?:was|were|is|are) there (?:anything|something)(?! wrong| (?:in )?particular)|"
    r"(?:other|another|further|additional) (?:questions?|issues?|concerns?|requests?|wish(?:es)?|matters?|things?)|"
    r"(?:need|want|require) anything|does that cover everything|"
    r"(?:change|add|correct|update|amend) (?:any(?:thing)?|something)|"
    r"anything (?:\w+ ){0,6}(?:to )?(?:change|add|correct|update|amend))\b|"
    r"\b(?:besides|apart from|other than|in addition to) (?:that|this)\b"
)
_CONSENT = re.compile(
    r"\b(?:(?:shall|should|may|can|could) (?:i|we) (?:please )?(?:go ahead|proceed|continue|cancel|book|do|charge|apply|add|process|"
    r"move|confirm|reserve|"
    r"send|enable|take)|go(?:ing)? ahead|proceed|would you (?:like|want|prefer) (?:me|us) to|do you (?:agree|accept|consent|approve|"
    r"authori[sz]e|confirm|want me|want to|still want|"
    r"wish)|would you (?:still |rather )?(?:like|want|prefer|agree|accept)|would you be (?:\w+ )?(?:willing|ok|okay|fine|happy|prepared|"
    r"comfortable)|are you (?:\w+ )?(?:ok|okay|fine|happy|alright|all right|comfortable|willing|good)|"
    r"(?:is|would|will) (?:that|this|"
    r"it) (?:be )?(?:\w+ )?(?:ok|okay|all right|alright|"
    r"fine|acceptable|good)|permission|consent|your (?:approval|agreement|confirmation)|agreeable|confirm that you)\b"
)
_ENGLISH = frozenset(
    "the a an and or but of to in on at for with from by is are was were be been am i you we they it he she this that there your my our their me us "
    "have has had do does did will would can could may not no yes ok okay so if as thank thanks please hello hi good great sure all set done".split()
)
_TIMES = re.compile(r"(?<=\d)\s*\*\s*(?=\d)")
_PRONOUN = re.compile(r"\b(?:it|that|this|them)\b")
_GREETING = re.compile(r"\b(?:hello|hi|good (?:morning|afternoon|evening|day)|welcome)\b")


def understand(grammar: str, text: str, matters: tuple[Matter, ...] = ()) -> tuple[Meaning, ...]:
    """What a text means under the grammar of this name in `rlgym.generators.users.grammars`, in the order of the text, each thing once.

    `too_long` stands alone for a text of more than MOST_CHARACTERS, `unknown` alone for one of which nothing was understood.
    """
    if len(text) > MOST_CHARACTERS:
        return (Meaning("too_long"),)
    return _understand(grammar, text, matters)


@lru_cache(maxsize=4096)
def _understand(name: str, text: str, matters: tuple[Matter, ...]) -> tuple[Meaning, ...]:
    patterns, grammar = _patterns(name), find_grammar(name)
    plain = _plain(text)
    sentences = [sentence.strip(" ,") for sentence in _SENTENCE.findall(plain) if _WORD.search(sentence)]
    sentences = [clause for sentence in sentences for clause in _clauses(sentence, matters)]
    requested = [sentence for sentence in sentences if "?" in sentence or _REQUEST.search(sentence)]
    found: dict[Meaning, None] = {}
    if grammar.offers and (requested or _OFFER.search(plain)):
        found |= dict.fromkeys(Meaning("offer", when) for when in whens(plain))
    about: tuple[str, ...] = ()
    matters_named: list[str] = []
    so_far = ""
    for earlier, before, sentence in zip(["", "", *sentences], ["", *sentences], sentences):
        here = mentioned(matters, sentence) or ((FOREIGN,) if matters and patterns.things and patterns.things.search(sentence) else ())
        # "The mug and the bench cannot be exchanged. What would you like instead for each of them?" is about these two.
        about = tuple(dict.fromkeys(matters_named)) if here == (EVERY,) and len(matters_named) > 1 else here or about
        matters_named += [key for key in here if key not in (EVERY, FOREIGN)]
        intents = _asked_in_parts(patterns, sentence, sentence in requested)
        refers = "?" in sentence or (grammar.actions and sentence in requested and _PRONOUN.search(sentence))
        if not intents and before and refers:  # "A referral is needed. Do you have one?"
            intents = _asked(patterns, f"{sentence} {before}" if grammar.actions else f"{before} {sentence}", True)
            if not intents and earlier and not grammar.actions:  # "The report says Tuesday. You said Monday. Are you sure?"
                intents = _asked(patterns, f"{earlier} {before} {sentence}", True)
        if grammar.vague and before and set(intents) <= set(grammar.vague):
            intents = _differing(patterns, before) or intents
        intents = [_turned(grammar, intent, f"{so_far} {sentence}") for intent in intents]
        so_far = f"{so_far} {sentence}"
        beside = {other for intent in intents for other in grammar.excludes.get(intent, ())}
        intents = [intent for intent in intents if intent not in beside]
        # A sentence that offers a time, or that asks about the one offered, asks for no times.
        if found and any(meaning.intent == "offer" for meaning in found):
            priced = "go_ahead" in intents and grammar.actions and amounts(sentence)
            intents = [intent for intent in intents if intent not in ("ask:times", "ask:doctor", "go_ahead", "open")]
            intents += ["go_ahead"] if priced else []
        for intent in intents:
            keys = about if about and intent.startswith("ask:") else ("",)
            found |= {Meaning(intent, None, _amount(intent, plain), key): None for key in keys}
    if {meaning.intent for meaning in found} - {*grammar.vague, *SOCIAL}:
        found = {meaning: None for meaning in found if meaning.intent not in grammar.vague}
    quiet = [
        sentence
        for sentence in requested
        if _WAIT.search(sentence) or ("?" not in sentence and (_BYE.search(sentence) or _HOLD.search(sentence)))
    ]
    asking = [sentence for sentence in requested if sentence not in quiet]
    if asking and not {meaning.intent for meaning in found} - set(SOCIAL):
        keys = about or ("",)
        hinted = _hinted(patterns, plain, " ".join(asking))
        hinted = [meaning._replace(intent=_turned(grammar, meaning.intent, plain)) for meaning in hinted]
        found |= {meaning._replace(about=key if meaning.intent.startswith("ask:") else ""): None for meaning in hinted for key in keys}
    said = {meaning.intent for meaning in found}
    if (said - {"go_ahead", *SOCIAL} and "go_ahead" in grammar.states) or said.intersection(grammar.states) - {
        "go_ahead"
    }:  # "The report says Tuesday. Would you like to correct your account?"
        found = {meaning: None for meaning in found if meaning != Meaning("go_ahead")}
    if "go_ahead" in grammar.states and not said - set(SOCIAL) and len(set(amounts(plain))) == 1:  # "My last offer is 160 coins."
        found |= {Meaning("go_ahead", None, amounts(plain)[0]): None}
        said = {meaning.intent for meaning in found}
    if len(named := set(amounts(plain))) == 1 and asking:  # "That costs 20 coins. What would you like me to do?"
        agree = Meaning("go_ahead", None, named.pop())
        found = {agree if meaning.intent in ("open", "ask:times") else meaning: None for meaning in found}
    if said - set(SOCIAL):
        # What an agent says beside a question only leads up to it.
        found = {meaning: None for meaning in found if meaning.intent not in ("hold", "bye", "tell")}
    if not said - {"empathy", "rude"}:
        found |= {Meaning("unknown" if requested or not _is_english(plain) else "tell"): None}
    return tuple(found)


def _hinted(patterns: _Patterns, text: str, requests: str) -> list[Meaning]:
    """What a request is about that no pattern knows: an amount of money that is to be agreed to, or the first hint that fits."""
    named = set(amounts(text))
    if len(named) == 1:
        return [Meaning("go_ahead", None, named.pop())]
    return [Meaning(intent) for intent, pattern in patterns.hints if pattern.search(requests)][:1]


def _differing(patterns: _Patterns, text: str) -> list[str]:
    """What a text says that things differ in: after "differ in", or as two values joined by "and"; nothing where that is not one thing."""
    differing = _DIFFER.search(text)
    intents = _asked(patterns, differing[1] if differing else text.replace(" and ", " or "), True)
    asks = [intent for intent in intents if intent in patterns.first]
    return asks if len(asks) == 1 else []


def _turned(grammar: Grammar, intent: str, text: str) -> str:
    """The intent, or the one that it turns into beside certain words."""
    words, other = grammar.turns.get(intent, ("", intent))
    return other if words and re.search(words, text) else intent


class _Patterns(NamedTuple):
    asks: tuple[tuple[str, re.Pattern[str]], ...]
    hints: tuple[tuple[str, re.Pattern[str]], ...]
    actions: tuple[tuple[str, re.Pattern[str]], ...]
    opening: re.Pattern[str]
    first: tuple[str, ...]
    states: tuple[str, ...]
    agrees: re.Pattern[str]
    things: re.Pattern[str] | None


@lru_cache(maxsize=32)
def _patterns(name: str) -> _Patterns:
    grammar: Grammar = find_grammar(name)
    return _Patterns(
        tuple((f"ask:{topic}", re.compile(pattern)) for topic, pattern in grammar.asks.items()),
        tuple((intent, re.compile(pattern)) for intent, pattern in grammar.hints.items()),
        tuple((f"do:{action}", re.compile(pattern)) for action, pattern in grammar.actions.items()),
        re.compile(f"{OPENING}|{grammar.opening}" if grammar.opening else OPENING),
        grammar.first,
        grammar.states,
        re.compile(f"{_CONSENT.pattern}|{grammar.agrees}" if grammar.agrees else _CONSENT.pattern),
        re.compile(grammar.things) if grammar.things else None,
    )


def mentioned(matters: tuple[Matter, ...], text: str) -> tuple[str, ...]:
    """The keys of the matters that a text in lower case names, in its order; EVERY where it means all of them without a name."""
    places = [(match.start(), matter.key) for matter in matters if (match := _names(matter.names).search(text))]
    if not places and len(matters) > 1 and _ALL.search(text):
        return (EVERY,)
    return tuple(key for _, key in sorted(places))


_ALL = re.compile(
    r"\b(?:both|each(?: one)?|all (?:of )?(?:them|these|those)|all (?:two|three|four|five|six|your)|respectively|every (?:one|item|order))\b"
)
_CLAUSE = re.compile(
    r"(?:,|;| -|,? and|,? also)\s+(?=(?:also |then )?(?:what|which|why|how|do|does|is|are|would|could|can|should|for|as for|regarding|about|concerning)\b)"
)


@lru_cache(maxsize=1024)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})\b")


def _clauses(sentence: str, matters: tuple[Matter, ...]) -> list[str]:
    """A sentence that names several matters in its parts, a part for each question; other sentences stay whole."""
    if len(mentioned(matters, sentence)) < 2:
        return [sentence]
    parts = [part for part in _CLAUSE.split(sentence) if _WORD.search(part)]
    end = "?" if "?" in sentence else ""
    named = [part for part in parts if mentioned(matters, part)]
    return [part if "?" in part else part + end for part in parts] if len(named) > 1 else [sentence]


_PART = re.compile(
    r",? (?:and|or|but) (?=(?:also |then )?(?:what|which|why|how|when|where|do you|does|is there|are there|are you|was there|may i|can i|can you|"
    r"could|would you|(?:please )?(?:let|tell) (?:me|us))\b)"
)


def _asked_in_parts(patterns: _Patterns, sentence: str, requested: bool) -> list[str]:
    """The intents of a sentence, question by question where each of its questions is understood alone."""
    parts = _PART.split(sentence) if requested else [sentence]
    intents = [_asked(patterns, part, True) for part in parts]
    if len(parts) > 1 and all(set(some) - set(SOCIAL) for some in intents):
        return list(dict.fromkeys(intent for some in intents for intent in some))
    return _asked(patterns, sentence, requested)


def _asked(patterns: _Patterns, sentence: str, requested: bool) -> list[str]:
    """The intents of a sentence."""
    social = [name for name, pattern in (("empathy", _EMPATHY), ("rude", _RUDE)) if pattern.search(sentence)]
    if _WAIT.search(sentence):
        return [*social, "hold"]
    if requested and _ELSE.search(sentence):
        meant = [intent for intent, pattern in patterns.asks if intent in patterns.first and pattern.search(sentence)]
        return [*social, *(meant or ["anything_else"])]
    short = len(_WORD.findall(sentence)) <= 4
    imperative = requested or _IMPERATIVE.search(sentence) is not None
    actions = [intent for intent, pattern in patterns.actions if (imperative or intent in patterns.states) and pattern.search(sentence)]
    asks = [intent for intent, pattern in patterns.asks if (requested or short or intent in patterns.states) and pattern.search(sentence)]
    if set(actions) - set(patterns.states) and _NEGATED.search(sentence):
        return [*social, "tell"]
    trouble = ["open"] if patterns.actions and requested and _TROUBLE.search(sentence) else []
    if actions or asks or trouble:
        beside = asks if patterns.actions or not actions else []
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


_DIFFER = re.compile(r"\b(?:differ\w*|distinguish\w*|vary|varies|except for|apart from)\b(.*)")
_NEGATED = re.compile(r"\b(?:do not|does not|must not|should not|never|no need to|without)\b(?!.*\b(?:please|but)\b)")
_TROUBLE = re.compile(
    r"\bwhat (?:is |was |has |have )?(?:the |your |exactly )*(?:trouble|problem|matter|issue|wrong|happened|gone wrong|broken|needs? (?:fixing|repair\w*))\b"
    r"|\bwhat (?:exactly )?(?:is|has) (?:been )?(?:broken|wrong|gone wrong|damaged)\b|\bwhat brings you\b"
)
_IMPERATIVE = re.compile(
    r"^(?:and |so |also |first |then |next |now |ok |okay |after that |once .{0,60}, |as a first step|,|\s)*"
    r"(?:turn|switch|restart|reboot|power|remove|take|put|go|open|check|look|run|try|enable|disable|toggle|close|shut|reset|flip|"
    r"read|test|disconnect|reseat|eject|slide|pull|flip|load|have)\b"
)


def _amount(intent: str, text: str) -> int | None:
    named = amounts(text) if intent == "go_ahead" else ()
    return named[0] if len(set(named)) == 1 else None


def _plain(text: str) -> str:
    """The text in lower case, with plain apostrophes, without contractions or marks of layout."""
    plain = (
        _TIMES.sub(" x ", unicodedata.normalize("NFKC", text).lower())
        .replace("\u2019", "'")
        .replace("*", "")
        .replace("_", " ")
        .replace("wi-fi", "wifi")
    )
    for pattern, words in _CONTRACTIONS:
        plain = pattern.sub(words, plain)
    return plain


def _is_english(text: str) -> bool:
    words = _WORD.findall(text)
    return bool(words) and (4 * sum(word in _ENGLISH for word in words) >= len(words) or _GREETING.search(text) is not None)
