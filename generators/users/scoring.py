"""The readings of a question that no pattern covers, by its content words.

Each grammar has examples: sentences with the intents that they mean, in `generators/users/examples`. A word speaks for the intents in whose examples it stands,
weighed by how few intents use it (inverse document frequency). The score of an intent is the share of a sentence's weight that speaks for it, so that a
sentence of unknown words scores low for every intent. A reading is accepted when its score is high and well above the next.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from rlgym.generators.users.english import plain_text
from rlgym.generators.users.slots import WEEKDAYS

ACCEPTED = 0.36
"""The least score of a reading that is accepted."""
MARGIN = 1.8
"""How many times the score of the next reading that of an accepted one is."""
NEAR = 0.2
"""The least score of a reading that is worth asking back about."""
UNKNOWN = 2.0
"""How much more an unknown word weighs than the rarest known one."""
SINGLE = 0.6
"""The least share of an intent of which a sentence has a single word."""
MOST_WORDS = 40
_PLAIN = frozenset(
    "a an the and or but so of to in on at for from by with as is are was were be been being am do does did done have has had will would can could may might "
    "shall should must i you he she it we they me him her us them my your his its our their this that these those there here what which who whom "
    "whose when where "
    "why how please just also then now ok okay well hello hi thanks thank good great sure right not no yes if whether any some all one ones about "
    "let tell give "
    "say know need ask like want get got more than very really exactly could able happen mind first last next too up out into only still already yet "
    "ever".split()
)
_TOKEN = re.compile(r"how (?:much|many|long|old|far|deep|high|big|often|soon|late|early)\b|[a-z]+(?:'[a-z]+)?|\d[\d.,:]*")
ASKING = frozenset("when where who whose whom why how".split())
_DAYS = frozenset(day.lower() for day in (*WEEKDAYS, "Saturday", "Sunday"))
_MONTHS = frozenset("january february march april june july august september october november december".split())
_SAME = {
    word: group[0]
    for group in (
        (
            "price",
            "cost",
            "costs",
            "pay",
            "paying",
            "spend",
            "spending",
            "budget",
            "money",
            "afford",
            "expensive",
            "coins",
            "sum",
            "amount",
            "expense",
        ),
        ("tell", "inform", "let", "share", "mention"),
        ("ask", "inquire", "enquire", "inquiry", "enquiry"),
        ("rent", "hire", "lease", "borrow"),
        ("hard", "difficult", "tough", "tricky", "challenging", "challenge"),
        ("need", "require", "necessary", "requirement"),
        ("switch", "flip", "flick", "toggle", "turn"),
        ("hate", "dislike", "detest", "loathe"),
        ("damage", "harm"),
        ("happen", "occur"),
        ("bag", "holdall"),
        ("helmet", "hardhat"),
        ("prefer", "favour", "favor", "rather", "preference", "preferred"),
        ("picture", "photo", "photograph", "image"),
        ("color", "colour", "shade", "hue", "coloured", "colored"),
        ("reason", "cause", "motive", "grounds"),
        ("town", "city", "place", "location", "village"),
        ("job", "employment", "employed", "occupation", "profession"),
        ("trip", "holiday", "vacation", "journey", "travel", "travelling", "traveling"),
        ("luggage", "bag", "baggage", "suitcase"),
        ("license", "licence", "permit"),
        ("lift", "elevator"),
        ("flat", "apartment"),
        ("stolen", "taken", "robbed", "nicked", "pinched"),
        ("begin", "start", "commence", "starting", "beginning"),
        ("mobile", "cell", "cellphone", "smartphone", "handset", "phone", "telephone"),
        ("reboot", "restart"),
        ("hurt", "injured", "wounded"),
        ("deposit", "downpayment", "prepayment"),
        ("allergy", "allergic", "allergies", "intolerant", "intolerance"),
        ("injury", "wound", "cut"),
        ("maximum", "max", "most", "limit", "cap", "ceiling", "highest"),
        ("child", "kid", "children", "kids"),
        ("hotel", "accommodation", "lodging"),
        ("subtract", "minus"),
        ("multiply", "times"),
        ("add", "plus"),
        ("film", "movie"),
        ("doctor", "physician", "gp"),
        ("fridge", "refrigerator"),
        ("torch", "flashlight"),
    )
    for word in group
}
_ENDINGS = (
    "ations",
    "ation",
    "ingly",
    "ments",
    "ment",
    "ness",
    "ings",
    "ing",
    "edly",
    "ies",
    "ied",
    "est",
    "ers",
    "er",
    "ed",
    "es",
    "ly",
    "s",
    "e",
    "y",
)


class Scored(NamedTuple):
    """An intent with its score from 0 to 1."""

    intent: str
    score: float


def stem(word: str) -> str:
    """The word without its ending, under the name of its synonyms."""
    word = _SAME.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= (4 if ending == "ly" else 3):
            word = word[: -len(ending)]
            break
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt"
    return word[:-1] if doubled or word.endswith("v") else word


def content_words(text: str) -> list[str]:
    """The stems of the words of a plain text that say what it is about, and the types of its values; at most MOST_WORDS."""
    found = list[str]()
    for token in _TOKEN.findall(text):
        if token[0].isdigit():
            found.append("<time>" if ":" in token else "<number>")
        elif token in _DAYS or token in _MONTHS:
            found.append("<day>")
        elif " " in token or token in ASKING:
            found.append(token)
        elif token not in _PLAIN and len(token) > 1:
            found.append(stem(token.removesuffix("'s")))
        if len(found) >= MOST_WORDS:
            break
    return found


def examples(grammar: str) -> list[tuple[frozenset[str], str]]:
    """The examples of a grammar: the intents that each means, and its words."""
    lines = files("rlgym.generators.users").joinpath("examples", f"{grammar}.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ", 1) for line in lines if line and not line.startswith("#")]
    return [(frozenset(intents.split(",")), words) for intents, words in rows]


class Scorer:
    """How much the words of a sentence speak for each intent of a grammar."""

    def __init__(self, rows: Iterable[tuple[frozenset[str], str]]) -> None:
        by_intent: defaultdict[str, Counter[str]] = defaultdict(Counter)
        totals: Counter[str] = Counter()
        for intents, text in rows:
            intents = intents - {"empathy"}
            if len(intents) != 1:
                continue
            [intent] = intents
            totals[intent] += 1
            by_intent[intent].update(set(content_words(plain_text(text))))
        self.known = sorted({word for words in by_intent.values() for word in words})
        self.shares: dict[str, dict[str, float]] = {}
        self.weights: dict[str, float] = {}
        for word in self.known:
            rates = {intent: words[word] / (totals[intent] + 2) for intent, words in by_intent.items() if words[word]}
            total = sum(rates.values())
            self.shares[word] = {intent: rate / total for intent, rate in rates.items()}
            self.weights[word] = math.log(1 + len(by_intent) / len(rates))
        self.most = math.log(1 + len(by_intent)) if by_intent else 1.0

    def score(self, text: str) -> list[Scored]:
        """The intents for which the words of a plain text speak, the best first."""
        words = dict.fromkeys(content_words(text))
        scores: defaultdict[str, float] = defaultdict(float)
        total = 0.0
        for word in words:
            weight = self.weights.get(word, UNKNOWN * self.most)
            total += weight
            for intent, share in self.shares.get(word, {}).items():
                scores[intent] += weight * share
        return sorted((Scored(intent, value / total) for intent, value in scores.items()), key=lambda each: (-each.score, each.intent))


@lru_cache(maxsize=32)
def scorer(grammar: str) -> Scorer:
    return Scorer(examples(grammar))


def best_reading(grammar: str, text: str) -> str:
    """The intent that the words of a plain text clearly speak for, or nothing."""
    return accepted(scorer(grammar).score(text)) if len(set(content_words(text)) - ASKING) > 1 else ""


def accepted(scored: Sequence[Scored]) -> str:
    if not scored or scored[0].score < ACCEPTED or (len(scored) > 1 and scored[0].score < MARGIN * scored[1].score):
        return ""
    return scored[0].intent if scored[0].intent.startswith(("ask:", "do:", "open")) else ""


def supported(grammar: str, text: str) -> set[str]:
    """The intents for which the words of a plain text speak, and not faintly; a single word must speak clearly."""
    least = NEAR if len(set(content_words(text))) > 1 else SINGLE
    return {each.intent for each in scorer(grammar).score(text) if each.score >= least}


def nearest_readings(grammar: str, text: str) -> tuple[str, ...]:
    """The two intents that a text which was not understood may mean; none where nothing in it speaks for any."""
    scored = [each for each in scorer(grammar).score(text) if each.intent.startswith(("ask:", "do:"))]
    return tuple(each.intent for each in scored[:2] if each.score >= NEAR)
