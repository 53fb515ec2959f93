"""English text before it is understood: lower case without contractions, cut into sentences."""

from __future__ import annotations

import re
import unicodedata

_CONTRACTIONS = (
    (re.compile(r"\bcan'?t\b"), "cannot"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\b((?:some|any|every|no)(?:body|one)|he|she|what|that|it|there|where|when|who|how|here|which|why)'s\b"), r"\1 is"),
    (re.compile(r"\bis (been|happened|occurred|got)\b"), r"has \1"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(dr|mr|mrs|ms|no)\.(?= )"), r"\1"),
    (re.compile(r"\bd\.o\.b\b\.?"), "dob"),
    (re.compile(r"\b([ap])\.m\.?"), r"\1m"),
)
_TENS = {word: 10 * number for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_SMALL = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_ONES = "|".join(list(_SMALL)[1:10])
_COMPOUND = re.compile(
    rf"\b(?:(?P<hundreds>{_ONES}|a) hundred(?: (?:and )?(?P<rest>(?:{'|'.join(_TENS)})(?:[- ](?:{_ONES}))?|{'|'.join(reversed(_SMALL))}))?"
    rf"|(?P<tens>{'|'.join(_TENS)})[- ](?P<ones>{_ONES}))\b(?! (?:past|to)\b)"
)
_SENTENCE = re.compile(r"[^.!?\n;@]*(?:(?:[.:](?=\d)|@\S*\w)[^.!?\n;@]*)*[.!?\n;]*")
WORD = re.compile(r"[a-z]+")
_ENGLISH = frozenset(
    "the a an and or but of to in on at for with from by is are was were be been am i you we they it he she this that there your my our their me us "
    "have has had do does did will would can could may not no yes ok okay so if as thank thanks please hello hi good great sure all set done".split()
)
_TIMES = re.compile(r"(?<=\d)\s*\*\s*(?=\d)")
_GREETING = re.compile(r"\b(?:hello|hi|good (?:morning|afternoon|evening|day)|welcome)\b")


def plain_text(text: str) -> str:
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
    return _COMPOUND.sub(_in_digits, plain)


def _in_digits(match: re.Match[str]) -> str:
    """A number of several words in digits, as 320 for "three hundred and twenty"."""
    if match["tens"]:
        return str(_TENS[match["tens"]] + _SMALL[match["ones"]])
    tens, _, ones = (match["rest"] or "").replace("-", " ").partition(" ")
    return str(100 * _SMALL.get(match["hundreds"], 1) + _TENS.get(tens, _SMALL.get(tens, 0)) + _SMALL.get(ones, 0))


def split_sentences(text: str) -> list[str]:
    """The sentences of a plain text that have a word."""
    return [sentence.strip(" ,") for sentence in _SENTENCE.findall(text) if WORD.search(sentence)]


def is_english(text: str) -> bool:
    """Whether a quarter of the words are common English ones, or the text greets."""
    words = WORD.findall(text)
    return bool(words) and (4 * sum(word in _ENGLISH for word in words) >= len(words) or _GREETING.search(text) is not None)
