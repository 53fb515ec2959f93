"""Invented languages: a glossary and a small grammar, stated in words, and sentences in them."""

from itertools import permutations
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

NOUNS = tuple("farmer bird river stone girl queen boat tree song horse letter star bridge teacher lamp garden".split())
VERBS = tuple("see follow carry hear find paint call help".split())
ADJECTIVES = tuple("old red small quiet bright strange heavy young".split())
NUMBERS = ("two", "three", "four", "five")
TENSES = ("did", "will", "may")
BACK, FRONT = "aou", "ei"


class Tongue(TaskData):
    """A language. Pairs of affixes are those after a back vowel (a, o, u) and after a front one (e, i)."""

    order: str
    adjective_after: bool
    plural: tuple[str, str]
    tenses: tuple[str, str, str]
    tense_before: bool
    not_: str
    not_after: bool
    and_: str
    definite: str
    object_: tuple[str, str]
    agree: tuple[str, str]
    counted_single: bool
    many: str
    """What a verb gets with more than one subject."""
    nouns: tuple[tuple[str, str, int, str], ...]
    """English, stem, class (0 or 1), and the plural where it is irregular."""
    verbs: tuple[tuple[str, str], ...]
    adjectives: tuple[tuple[str, str], ...]
    numbers: tuple[tuple[str, str], ...]
    on: str
    for_: str
    coins: str


class Phrase(TaskData):
    noun: int
    adjective: int
    """-1 for none."""
    count: int
    """0 for one, 1 for several, above that the place of a number word plus 2."""
    definite: bool


class Clause(TaskData):
    subject: Phrase
    object: Phrase
    verb: int
    tense: int
    negative: bool


class Word(NamedTuple):
    """A word with what it says in English, the stem that it is made from, and its part of speech where it is a noun, an adjective or a verb."""

    english: str
    stem: str
    form: str
    role: str = ""


def english(tongue: Tongue, clause: Clause) -> str:
    helper = TENSES[clause.tense] + (" not" if clause.negative else "")
    return f"{_english(tongue, clause.subject)} {helper} {tongue.verbs[clause.verb][0]} {_english(tongue, clause.object)}"


def _english(tongue: Tongue, phrase: Phrase) -> str:
    noun = tongue.nouns[phrase.noun][0] + ("s" if phrase.count else "")
    gloss = [tongue.adjectives[phrase.adjective][0], noun] if phrase.adjective >= 0 else [noun]
    if phrase.count > 1:
        gloss.insert(0, tongue.numbers[phrase.count - 2][0])
    if phrase.definite:
        return " ".join(["the", *gloss])
    return " ".join(gloss) if phrase.count else f"{'an' if gloss[0][0] in 'aeiou' else 'a'} {' '.join(gloss)}"


def words(tongue: Tongue, clause: Clause) -> list[Word]:
    """The sentence in the language."""
    parts = {"S": _phrase(tongue, clause.subject, False), "O": _phrase(tongue, clause.object, True), "V": _verb(tongue, clause)}
    return [word for part in tongue.order for word in parts[part]]


def _phrase(tongue: Tongue, phrase: Phrase, acted_on: bool) -> list[Word]:
    name, stem, kind, irregular = tongue.nouns[phrase.noun]
    form, plural = stem, phrase.count == 1 or (phrase.count > 1 and not tongue.counted_single)
    if plural:
        form = irregular or form + harmonic(form, tongue.plural)
    if acted_on:
        form += harmonic(form, tongue.object_)
    phrase_words = [Word(name + ("s" if phrase.count else ""), stem, (tongue.definite if phrase.definite else "") + form, "noun")]
    if phrase.adjective >= 0:
        gloss, base = tongue.adjectives[phrase.adjective]
        phrase_words.insert(1 if tongue.adjective_after else 0, Word(gloss, base, base + tongue.agree[kind], "adjective"))
    if phrase.count > 1:
        gloss, base = tongue.numbers[phrase.count - 2]
        phrase_words.insert(0, Word(gloss, base, base))
    return phrase_words


def _verb(tongue: Tongue, clause: Clause) -> list[Word]:
    gloss, stem = tongue.verbs[clause.verb]
    affix = tongue.tenses[clause.tense]
    form = affix + stem if tongue.tense_before else stem + affix
    clause_words = [Word(f"{TENSES[clause.tense]} {gloss}", stem, form + (tongue.many if clause.subject.count else ""), "verb")]
    if clause.negative:
        clause_words.insert(1 if tongue.not_after else 0, Word("not", tongue.not_, tongue.not_))
    return clause_words


def harmonic(form: str, pair: tuple[str, str]) -> str:
    """The affix that goes with the last vowel of a form."""
    last = next(letter for letter in reversed(form) if letter in BACK + FRONT)
    return pair[0 if last in BACK else 1]


def sample_tongue(rng: Rng, nouns: int, others: int, grammar: str) -> Tongue:
    """A language; `grammar` is order, affixes or harmony, each with what the one before has."""
    stems = _stems(rng, nouns * 2 + 2 * others + len(NUMBERS) + 5)
    affixes = rng.shuffled([a + b for a in "bdgklmnprstvz" for b in "aeiou"])
    ends = rng.shuffled([b + a for a in "lmnrst" for b in "aeiou"])
    rich, rules = grammar == "harmony", grammar != "order"

    def pair() -> tuple[str, str]:
        first, second = (next(x for x in affixes if x[1] in vowels) for vowels in (BACK, FRONT))
        affixes.remove(first)
        affixes.remove(second)
        return (first, second if rich else first)

    return Tongue(
        order="".join(rng.choice([order for order in permutations("SVO") if order != ("S", "V", "O")])),
        adjective_after=rng.chance(0.7),
        plural=pair(),
        tenses=(affixes.pop(), affixes.pop(), affixes.pop()),
        tense_before=rng.chance(0.5),
        not_=stems.pop(),
        not_after=rng.chance(0.5),
        and_=stems.pop(),
        definite=affixes.pop() if rules else "",
        object_=pair() if rules else ("", ""),
        agree=(ends.pop(), ends.pop()) if rich else ("", ""),
        counted_single=rich,
        many=ends.pop() if rich else "",
        nouns=tuple(
            (name, stems.pop(), rng.integer(0, 1), stems.pop() if rich and rng.chance(0.3) else "") for name in rng.sample(NOUNS, nouns)
        ),
        verbs=tuple((name, stems.pop()) for name in rng.sample(VERBS, others)),
        adjectives=tuple((name, stems.pop()) for name in rng.sample(ADJECTIVES, others)),
        numbers=tuple((name, stems.pop()) for name in NUMBERS),
        on=stems.pop(),
        for_=stems.pop(),
        coins=stems.pop(),
    )


def _stems(rng: Rng, count: int) -> list[str]:
    """Different invented stems, each ending in a consonant."""
    stems: dict[str, None] = {}
    while len(stems) < count:
        syllables = (rng.choice("bdfghklmnprstvz") + rng.choice("aeiou") for _ in range(rng.integer(1, 2)))
        stems["".join(syllables) + rng.choice("lmnrstkf")] = None
    return list(stems)


def sample_clause(rng: Rng, tongue: Tongue, grammar: str) -> Clause:
    subject, two = rng.sample(range(len(tongue.nouns)), 2)

    def phrase(noun: int) -> Phrase:
        count = rng.integer(0, 5) if grammar == "harmony" else rng.integer(0, 1)
        adjective = rng.integer(-1, len(tongue.adjectives) - 1)
        return Phrase(noun=noun, adjective=adjective, count=count, definite=grammar == "order" or rng.chance(0.5))

    return Clause(
        subject=phrase(subject),
        object=phrase(two),
        verb=rng.integer(0, len(tongue.verbs) - 1),
        tense=rng.integer(0, 2),
        negative=grammar != "order" and rng.chance(0.4),
    )


def describe_grammar(tongue: Tongue) -> list[str]:
    """The rules of the language, a sentence each."""
    names = {"S": "the subject", "V": "the verb", "O": "the object"}
    first, second, third = (names[part] for part in tongue.order)
    harmony = (
        " if the last vowel of the word so far is a, o or u, and in -{} if it is e or i" if tongue.plural[0] != tongue.plural[1] else ""
    )
    lines = [
        f"A sentence has {first} first, then {second}, then {third}.",
        f"An adjective stands right {'after' if tongue.adjective_after else 'before'} its noun.",
        f"The plural of a noun ends in -{tongue.plural[0]}{harmony.format(tongue.plural[1])}.",
        f"Verbs {'begin with' if tongue.tense_before else 'end in'} {_describe(tongue)}.",
    ]
    if not tongue.definite:
        return [*lines, 'There is no word for "the".']
    lines += [
        f'A noun with "the" begins with {tongue.definite}-; there is no word for "a" or "an".',
        f"The noun of the object ends in -{tongue.object_[0]}{harmony.format(tongue.object_[1])}; this ending comes after that of the plural.",
        f'The word for "not" stands right {"after" if tongue.not_after else "before"} the verb.',
    ]
    if tongue.many:
        lines += [
            "A plural that the glossary gives is used in place of the regular one.",
            "A number word, which is no adjective, stands before the noun and its adjective, and a noun with a number word is not put into the plural, "
            "but takes all other affixes.",
            f"An adjective ends in -{tongue.agree[0]} with a noun of class 1, in -{tongue.agree[1]} with one of class 2.",
            f"If the subject is a plural or has a number word, the verb also ends in -{tongue.many}, after any other ending.",
        ]
    return lines


def _describe(tongue: Tongue) -> str:
    dash = "{}-" if tongue.tense_before else "-{}"
    return ", ".join(f'{dash.format(affix)} for "{tense}"' for affix, tense in zip(tongue.tenses, TENSES, strict=True))


def describe_glossary(tongue: Tongue, dates: bool, amounts: bool, several: bool) -> str:
    rich = bool(tongue.many)
    nouns = [
        f"{name} = {stem}" + (f" (class {kind + 1}{f', plural {plural}' if plural else ''})" if rich else "")
        for name, stem, kind, plural in tongue.nouns
    ]
    others = [f"{name} = {stem}" for name, stem in (*tongue.verbs, *tongue.adjectives, *(tongue.numbers if rich else ()))]
    small = [f"not = {tongue.not_}"] if tongue.definite else []
    small += (
        [f"on = {tongue.on}"] * dates + [f"for = {tongue.for_}", f"coins = {tongue.coins}"] * amounts + [f"and = {tongue.and_}"] * several
    )
    return ", ".join([*nouns, *others, *small])
