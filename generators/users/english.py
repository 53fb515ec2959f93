"""English text before it is understood: lower case without contractions, cut into sentences."""

from __future__ import annotations

import re
import unicodedata

_SHORT_FORMS = {
    "u": "you", "ur": "your", "r": "are", "pls": "please", "plz": "please", "thx": "thanks", "ty": "thanks", "gonna": "going to", "wanna": "want to",
    "gimme": "give me", "lemme": "let me", "dunno": "do not know", "cuz": "because", "appt": "appointment", "apt": "apartment", "abt": "about", "nr": "number",
    "addr": "address", "whats": "what is", "wheres": "where is", "whos": "who is", "hows": "how is", "thats": "that is", "theres": "there is", "im": "i am",
    "ive": "i have", "youre": "you are", "youve": "you have", "theyre": "they are", "lets": "let us", "cant": "cannot", "wont": "will not",
    "d'you": "do you", "y'all": "you", "yep": "yes", "yup": "yes", "nope": "no", "cud": "could", "shud": "should", "wud": "would", "coz": "because",
}  # fmt: skip
"""Short forms of chats, and contractions without their apostrophe."""
_SHORT = re.compile(rf"(?<![\w.@'-])(?:{'|'.join(sorted(_SHORT_FORMS, key=len, reverse=True))})(?![\w'@-]|\.\w)")
_BARE_NOT = re.compile(r"\b((?:do|does|did|is|are|was|were|would|could|should|have|has|had)n)t\b")
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
_THOUSANDS = re.compile(
    rf"\b(?P<thousands>{'|'.join(reversed(_SMALL))}|a) thousand(?: (?:and )?(?P<rest>\d{{1,3}}|{'|'.join(reversed(_SMALL))}))?\b"
)
_SUM = re.compile(r"\d\s*[-+\u2212\u2013\u00d7]\s*\d")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?![\d,]))(?<![\d,]\d{3},)")
_SENTENCE = re.compile(r"[^.!?\n;@]*(?:(?:[.:](?=\d)|@\S*\w)[^.!?\n;@]*)*[.!?\n;]*")
WORD = re.compile(r"[a-z]+")
_MOST_MARKS, _LONGEST_SENTENCE = 12, 300
_MARKS = re.compile(rf"(\W{{{_MOST_MARKS}}})(\W+)")
_PIECE = re.compile(rf".{{1,{_LONGEST_SENTENCE}}}(?!\w)|.{{{_LONGEST_SENTENCE}}}|.+", re.DOTALL)
_ENGLISH = frozenset(
    "the a an and or but of to in on at for with from by is are was were be been am i you we they it he she this that there your my our their me us "
    "have has had do does did will would can could may not no yes ok okay so if as thank thanks please hello hi good great sure all set done".split()
)
_TIMES = re.compile(r"(?<=\d)\s*\*\s*(?=\d)")
_GREETING = re.compile(r"\b(?:hello|hi|good (?:morning|afternoon|evening|day)|welcome)\b")


def plain_text(text: str) -> str:
    """The text in lower case, with plain apostrophes, without contractions or marks of layout; of a long run of marks and spaces its beginning stays."""
    plain = (
        _TIMES.sub(" x ", unicodedata.normalize("NFKC", text).lower())
        .replace("\u2019", "'")
        .replace("*", "")
        .replace("_", " ")
        .replace("wi-fi", "wifi")
        .replace("one another", "each other")
    )
    plain = _MARKS.sub(_shortened, plain)
    plain = _GROUPED.sub("", plain)
    plain = _BARE_NOT.sub(r"\1't", _SHORT.sub(lambda match: _SHORT_FORMS[match[0]], plain))
    for pattern, words in _CONTRACTIONS:
        plain = pattern.sub(words, plain)
    return _THOUSANDS.sub(_thousands, _COMPOUND.sub(_in_digits, plain))


def _shortened(run: re.Match[str]) -> str:
    """A long run of marks by its beginning, and by the end of a sentence or a question that stands later in it."""
    return run[1] + "".join(mark for mark in "?\n" if mark in run[2] and mark not in run[1]) + " "


def _thousands(match: re.Match[str]) -> str:
    """A number of thousands in digits, as 1250 for "one thousand two hundred and fifty"."""
    rest = match["rest"] or "0"
    return str(1000 * _SMALL.get(match["thousands"], 1) + (int(rest) if rest.isdigit() else _SMALL[rest]))


def _in_digits(match: re.Match[str]) -> str:
    """A number of several words in digits, as 320 for "three hundred and twenty"."""
    if match["tens"]:
        return str(_TENS[match["tens"]] + _SMALL[match["ones"]])
    tens, _, ones = (match["rest"] or "").replace("-", " ").partition(" ")
    return str(100 * _SMALL.get(match["hundreds"], 1) + _TENS.get(tens, _SMALL.get(tens, 0)) + _SMALL.get(ones, 0))


def split_sentences(text: str) -> list[str]:
    """The sentences of a plain text that have a word or a sum; one of more than 300 characters in pieces, so that reading them takes linear time."""
    pieces = (piece for sentence in _SENTENCE.findall(text) for piece in _PIECE.findall(sentence))
    return [piece.strip(" ,") for piece in pieces if WORD.search(piece) or _SUM.search(piece)]


def is_english(text: str) -> bool:
    """Whether a quarter of the words are common English ones, or the text greets."""
    words = WORD.findall(text)
    return bool(words) and (4 * sum(word in _ENGLISH for word in words) >= len(words) or _GREETING.search(text) is not None)
