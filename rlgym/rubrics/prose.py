"""Whether a sentence reads as one: a subject, a verb, an end, and no order of words that English does not have.

This is no grammar. It tells sentences from lists, labels and shuffled words, and it accepts any sentence that a writer would write.
"""

from __future__ import annotations

from itertools import pairwise

from rlgym.rubrics.sentences import Sentence, Token

DETERMINERS = frozenset("the a an its their our your my every each".split())
PREPOSITIONS = frozenset("of in at for from with into by on to than as during after before through".split())
CONJUNCTIONS = frozenset("and or but while whereas because so".split())
AUXILIARIES = frozenset("is are was were has had have will would can could does did do be been must may should shall might".split())
IRREGULAR = """
became began brought bought came caught chose drove drew ate fed fell fought found flew froze gave got went grew hung had heard hid held hurt kept knew
laid led left lent lost made meant met paid put ran rang rose said saw sold sent set shrank shut sank sat slept spoke spent stood stole struck swam
swept taught told thought threw took understood won woke wore wrote built cut cost hit let quit read rode split spread
"""
REGULAR = """
accept act add agree allow amount answer appear apply approve arrange arrive ask assign attend await award base beat become begin belong block book
borrow break bring build buy call cancel carry cause change charge check choose claim climb close collect come complete confirm connect contain continue
control cool cost count cover create cross cut deal decide decline decrease deliver demand depend describe deserve differ direct divide double draw
drive drop earn employ end enjoy enter equal exceed expect explain fail fall feed feel fill find finish fit fix follow force gain get give go grow
halt handle happen head heat help hire hold hope house include increase inform join keep know land last lead learn leave lend let lie lift like
limit list live load lock look lose love lower make manage match mean measure meet miss move name need note notice number occur offer open operate order
outsell owe own pass pay pick plan plant play point prefer prepare present press prevent produce promise prove provide pull push put raise reach
read receive recommend record reduce refund refuse regret reject release rely remain remember remove rent repair repay replace reply report represent
request require reserve rest result return reveal ring rise run sail save say see sell send serve set share ship show shrink shut sign sink sit
sleep slow spend stand start state stay stop store suffer suggest suit supply support suppose surpass swell switch take talk tell tend thank total
trail train travel treat trigger trip turn use visit wait want warm warn wash watch weigh welcome win wish work write yield
"""
VERBS = (
    AUXILIARIES
    | frozenset(IRREGULAR.split())
    | frozenset(form for verb in REGULAR.split() for form in (verb, f"{verb}s", f"{verb}es", f"{verb[:-1]}ies"))
)
_NEVER_LAST = DETERMINERS | frozenset("of in and or but for from with at into than because as whereas while".split())
_COPULAS = frozenset("is are was were".split())
_NEVER_AFTER_PREPOSITIONS = AUXILIARIES - {"may"} | frozenset(
    "became began brought bought came caught chose drove fell fought flew froze gave got went grew had heard held kept knew laid led lost made met paid rang "
    "said saw sold sent shrank sank sat spoke stood swam taught told thought took won wrote built recorded reported reached gained counts".split()
)
_SMALL_WORDS = (
    DETERMINERS | PREPOSITIONS | CONJUNCTIONS | AUXILIARIES - {"may", "will"} | frozenset("we it that this there altogether all".split())
)
MOST_WORDS = 45


def prose_fault(sentence: Sentence) -> str:
    """Why a sentence does not read as one; empty if it does."""
    words = sentence.words
    if not 4 <= len(words) <= MOST_WORDS:
        return f"a sentence has 4 to {MOST_WORDS} words, this one has {len(words)}"
    text = sentence.text.rstrip("\"'\u201d\u2019)] ")
    if not text.endswith((".", "!")):
        return "it does not end with a full stop"
    first = sentence.text.lstrip("\"'\u201c\u2018(")[:1]
    if not (first.isupper() or first.isdigit()):
        return "it does not begin with a capital letter"
    if sentence.text.count(",") + sentence.text.count(";") > max(3, len(words) // 5):
        return "it is a list"
    if any(mark in sentence.text for mark in ("|", "=", "=>", "->", "/", "\t", "_", "#", "*")) or sentence.text.count(":") > 1:
        return "it has marks of tables or lists"
    if not has_verb(words):
        return "it has no verb"
    return _capital_fault(sentence) or _number_fault(sentence) or _order_fault(words)


def has_verb(words: tuple[str, ...]) -> bool:
    """Whether a word is a verb of the list, or ends as verbs of the past do."""
    return any(word in VERBS or (len(word) > 4 and word.endswith("ed")) for word in words)


def _capital_fault(sentence: Sentence) -> str:
    """A small word with a capital letter inside the sentence, or a comma before the end."""
    if ",." in sentence.text or ", ." in sentence.text:
        return "it ends with a comma"
    for before, token in pairwise(sentence.tokens):
        written, between = _token_text(sentence, token), _between(sentence, before, token)
        if written[:1].isupper() and written[1:].islower() and token.text in _SMALL_WORDS and not between.strip():
            return f"{written!r} has a capital letter inside a sentence"
    return ""


def _number_fault(sentence: Sentence) -> str:
    """A noun in the plural with a number right after it: `units 412`."""
    for first, second in pairwise(sentence.tokens):
        plural = (
            first.text.endswith("s")
            and not first.text.endswith("ss")
            and first.text not in VERBS | PREPOSITIONS | DETERMINERS | {"this", "plus", "minus"}
        )
        if plural and second.is_number and not _between(sentence, first, second).strip() and _token_text(sentence, first).islower():
            return f"{first.text} {second.text} is not English"
    return ""


def _token_text(sentence: Sentence, token: Token) -> str:
    return sentence.text[token.start - sentence.start : token.end - sentence.start]


def _between(sentence: Sentence, first: Token, second: Token) -> str:
    return sentence.text[first.end - sentence.start : second.start - sentence.start]


def _order_fault(words: tuple[str, ...]) -> str:
    for first, second in pairwise(words):
        if first == second:
            return f"{first!r} stands twice"
        if first in DETERMINERS and (second in DETERMINERS or second in PREPOSITIONS or second in CONJUNCTIONS or second in AUXILIARIES):
            return f"{first} {second!r} is not English"
        if first in PREPOSITIONS and second in (
            _COPULAS if first in ("to", "than", "as", "before", "after") else _NEVER_AFTER_PREPOSITIONS
        ):
            return f"{first} {second!r} is not English"
        if first == "of" and (second in PREPOSITIONS or second in CONJUNCTIONS):
            return f"{first} {second!r} is not English"
        if first in ("has", "have", "had", "will", "be") and second in ("of", "will", "that", "for"):
            return f"{first} {second!r} is not English"
        if first in ("a", "an") and _wrong_article(first, second):
            return f"{first} {second!r} is not English"
        if first in AUXILIARIES - {"have", "had", "do", "be", "did"} and second in _COPULAS:
            return f"{first} {second!r} is not English"
    if words[-1] in _NEVER_LAST:
        return f"it ends with {words[-1]!r}"
    if words[0] in AUXILIARIES | {"of", "than", "and", "or"}:
        return f"it begins with {words[0]!r}"
    return ""


def _wrong_article(article: str, word: str) -> bool:
    """Whether the first letter of a word calls for the other of a and an; False where it does not tell."""
    vowel = word[0] in "aeio" and not word.startswith(("one", "eu"))
    consonant = word[0] in "bcdfgjklmnpqrstvwyz" and len(word) > 2
    return vowel if article == "a" else consonant
