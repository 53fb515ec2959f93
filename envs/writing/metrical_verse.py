"""Write a poem whose lines keep a metre, rhyme by a scheme, repeat no word, and say only what is true.

Stress patterns and rhymes are stated in tables, so that nothing depends on pronunciation. A line that scans may use up the word that a later line needs for its
rhyme, so lines cannot be chosen one by one.
"""

from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.text.english import count_noun
from rlgym.generators.writing.criteria import Claims, Fault, every, score_text
from rlgym.generators.writing.language import Claim, Form, Gap, Language
from rlgym.generators.writing.variants import retracted_texts, without_each

NOUNS = {
    "fox": "/", "owl": "/", "goat": "/", "otter": "/x", "badger": "/x", "rabbit": "/x", "giraffe": "x/", "baboon": "x/", "raccoon": "x/",
    "elephant": "/xx", "antelope": "/xx", "buffalo": "/xx",
}  # fmt: skip
ADJECTIVES = {
    "old": "/", "grey": "/", "tall": "/", "gentle": "/x", "quiet": "/x", "hungry": "/x", "serene": "x/", "polite": "x/", "alert": "x/",
    "curious": "/xx", "delicate": "/xx",
}  # fmt: skip
VERBS = {
    "slept": "/",
    "ran": "/",
    "hid": "/",
    "wandered": "/x",
    "waited": "/x",
    "listened": "/x",
    "arose": "x/",
    "returned": "x/",
    "remained": "x/",
}
ADVERBS = {
    "away": "x/", "today": "x/", "astray": "x/", "around": "x/", "aground": "x/", "underground": "/x/", "inside": "x/", "outside": "x/", "aside": "x/",
    "ahead": "x/", "instead": "x/", "slow": "/", "below": "x/", "soon": "/", "then": "/", "again": "x/",
}  # fmt: skip
RHYMES = (
    ("away", "today", "astray"), ("around", "aground", "underground"), ("inside", "outside", "aside"), ("ahead", "instead"), ("slow", "below"),
    ("then", "again"),
)  # fmt: skip
METRES = ("x/x/x/", "x/xx/x/", "x/x/x/x/", "x/x/xx/x/", "x/x/x/xx/")
SCHEMES = {1: "A", 2: "AA", 3: "ABA", 4: "ABAB", 5: "ABABA"}
STRESS = NOUNS | ADJECTIVES | VERBS | ADVERBS
Line = tuple[tuple[str, ...], str, str, str]
"""Adjectives, noun, verb, adverb."""


class Knobs(Config):
    lines: int = knob(3, easy=1, hard=5, doc="lines of the poem")
    nouns: int = knob(5, easy=2, hard=8, doc="animals that it may tell of")


class Data(TaskData):
    metres: tuple[str, ...]
    scheme: str
    facts: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    """Animal, its traits, its deeds."""
    adverbs: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    size = 3 if knobs.lines < 5 else 4
    while True:
        nouns = rng.sample(list(NOUNS), max(knobs.nouns, knobs.lines + 2))
        facts = tuple((noun, tuple(rng.sample(list(ADJECTIVES), size)), tuple(rng.sample(list(VERBS), size))) for noun in nouns)
        groups = rng.sample(RHYMES, len(set(SCHEMES[knobs.lines])) + 1)
        adverbs = tuple(sorted({"soon", *(word for group in groups for word in group)}))
        first, second = rng.sample(METRES[2:] if knobs.lines > 4 else METRES[:4], 2)
        metres = tuple(first if at % 2 == 0 or knobs.lines < 3 else second for at in range(knobs.lines))
        data = Data(metres=metres, scheme=SCHEMES[knobs.lines], facts=facts, adverbs=adverbs)
        needs = sorted((data.scheme.count(letter) for letter in set(data.scheme)), reverse=True)
        sizes = sorted((len(group) for group in groups), reverse=True)
        if all(need <= size for need, size in zip(needs, sizes, strict=False)) and not _is_plain(data) and _poem(data):
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _poem(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    known = {noun: (set(traits), set(deeds)) for noun, traits, deeds in data.facts}

    def is_true(claim: Claim) -> bool:
        adjectives, noun, verb, _ = _read(claim)
        return set(adjectives) <= known[noun][0] and verb in known[noun][1]

    def metre(claims: Claims) -> Fault | None:
        wrong = tuple(claim for claim, metre in zip(claims, data.metres, strict=False) if _stress(_read(claim)) != metre)
        return Fault("a line does not keep its metre", wrong, 1 - len(wrong) / len(claims)) if wrong else None

    def rhyme(claims: Claims) -> Fault | None:
        ends = [_rhyme(_read(claim)[3]) for claim in claims[: len(data.scheme)]]
        fits = all((ends[i] == ends[j]) == (data.scheme[i] == data.scheme[j]) for i in range(len(ends)) for j in range(i))
        return None if fits else Fault("the lines do not rhyme by the scheme")

    def fresh(claims: Claims) -> Fault | None:
        words = [word for claim in claims for word in _words(_read(claim))]
        return Fault("a word other than the is used twice", (), len(set(words)) / len(words)) if len(set(words)) < len(words) else None

    return score_text(
        _language(data), answer,
        true=every(is_true, "a line says something that is not stated of its animal"),
        lines=lambda claims: None if len(claims) == len(data.metres) else Fault("the poem has another number of lines"),
        metre=metre, rhyme=rhyme, fresh=fresh,
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, poem = task.data, _poem(task.data)
    first = poem[0]
    deeds = next(deeds for noun, _, deeds in data.facts if noun == first[1])
    false = next(verb for verb in VERBS if verb not in deeds)
    return [
        _text(data, [(first[0], first[1], false, first[3]), *poem[1:]]), _text(data, [poem[0]] * len(poem)) if len(poem) > 1 else "The fox slept.",
        *retracted_texts(right), *without_each(_language(data), right),
    ]  # fmt: skip


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(len(metre) for metre in data.metres) * len(data.facts) * len(data.metres))


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    for line, metre in zip(_poem(task.data), data.metres, strict=True):
        steps.append(
            f"{_text(data, [line])} The stresses are {' '.join(['x', *(STRESS[word] for word in _words(line))])}, which is {metre}."
        )
    return [*steps, f"The ends follow the scheme {data.scheme}, and no word is repeated:\n{solve(task)}"]


def _words(line: Line) -> list[str]:
    return [*line[0], *line[1:]]


def _stress(line: Line) -> str:
    return "x" + "".join(STRESS[word] for word in _words(line))


def _rhyme(adverb: str) -> int:
    return next((i for i, group in enumerate(RHYMES) if adverb in group), -1)


def _lines(data: Data, metre: str) -> list[Line]:
    """All true lines of a metre."""
    ends: dict[str, list[str]] = {}
    for adverb in data.adverbs:
        ends.setdefault(STRESS[adverb], []).append(adverb)
    found = list[Line]()
    for noun, traits, deeds in data.facts:
        pairs = [(a, b) for a, b in product(traits, repeat=2) if a != b]
        for adjectives in [(), *((trait,) for trait in traits), *pairs]:
            begin = "x" + "".join(STRESS[word] for word in (*adjectives, noun))
            if metre.startswith(begin):
                found += [
                    (adjectives, noun, verb, adverb) for verb in deeds for adverb in ends.get(metre.removeprefix(begin + STRESS[verb]), ())
                ]
    return found


def _poem(data: Data) -> list[Line]:
    """The first poem that a search line by line finds; empty where there is none."""
    fitting = {metre: [(line, set(_words(line))) for line in _lines(data, metre)] for metre in set(data.metres)}
    ends = [[at for at in range(place) if data.scheme[at] == data.scheme[place]] for place in range(len(data.scheme))]
    nodes = 0

    def search(poem: list[Line], used: set[str]) -> list[Line]:
        nonlocal nodes
        place = len(poem)
        if place == len(data.metres):
            return poem
        for line, words in fitting[data.metres[place]]:
            nodes += 1
            if nodes > 250:
                return []
            rhymes = [_rhyme(other[3]) == _rhyme(line[3]) for other in poem]
            fits = not words & used and all(same == (at in ends[place]) for at, same in enumerate(rhymes))
            if fits and (whole := search([*poem, line], used | words)):
                return whole
        return []

    return search([], set())


def _is_plain(data: Data) -> bool:
    """Whether an animal with its first deed and the first of the last words makes the whole poem."""
    plain: list[Line] = [((), noun, deeds[0], data.adverbs[0]) for noun, _, deeds in data.facts]
    return len(data.metres) == 1 and any(_stress(line) == data.metres[0] for line in plain)


def _read(claim: Claim) -> Line:
    adjectives = [claim.word(gap) for gap in ("trait", "second") if gap in claim.values]
    return tuple(adjectives), claim.word("animal"), claim.word("deed"), claim.word("end")


def _text(data: Data, poem: list[Line]) -> str:
    language = _language(data)
    return "\n".join(
        language.write(
            f"line{len(adjectives)}", animal=noun, deed=verb, end=adverb, **dict(zip(("trait", "second"), adjectives, strict=False))
        )
        for adjectives, noun, verb, adverb in poem
    )


def _language(data: Data) -> Language:
    forms = (
        Form("line0", "The {animal} {deed} {end}."), Form("line1", "The {trait} {animal} {deed} {end}."),
        Form("line2", "The {trait}, {second} {animal} {deed} {end}."),
    )  # fmt: skip
    gaps = (
        Gap("animal", tuple(noun for noun, _, _ in data.facts), note="an animal"), Gap("deed", tuple(VERBS), note="a deed of the animal"),
        Gap("end", data.adverbs, note="one of the last words"), Gap("trait", tuple(ADJECTIVES), note="a trait of the animal"),
        Gap("second", tuple(ADJECTIVES), note="another trait of it"),
    )  # fmt: skip
    return Language(forms, gaps)


def _render_prompt(data: Data) -> str:
    def marked(words: tuple[str, ...]) -> str:
        return ", ".join(f"{word} ({STRESS[word]})" for word in words)

    facts = "\n".join(f"- {noun} ({STRESS[noun]}). Traits: {marked(traits)}. Deeds: {marked(deeds)}." for noun, traits, deeds in data.facts)
    groups = [*(group for group in RHYMES if group[0] in data.adverbs), ("soon",)]
    several = len(data.metres) > 1
    if several:
        ends = "Last words; those on one line rhyme with each other:\n" + "\n".join(f"- {marked(group)}" for group in groups)
        lines = "\n".join(
            f"{at}. {metre}, rhyme {letter}" for at, (metre, letter) in enumerate(zip(data.metres, data.scheme, strict=True), 1)
        )
        stresses = (
            f"with these stresses from the first to the last syllable of each line:\n{lines}\nLines with the same letter rhyme, and lines with different "
            "letters do not. Each line"
        )
    else:
        ends = f"Last words: {marked(data.adverbs)}."
        stresses = f"with the stresses {data.metres[0]} from the first to the last syllable. The line"
    return (
        f"Animals, with what is true of them; x is an unstressed syllable and / a stressed one:\n{facts}\n\n{ends}\n\nWrite a poem of "
        f"{count_noun(len(data.metres), 'line')} that says only what is true, {stresses} is a sentence of one of these forms:\n{_language(data).describe()}\n"
        'The word "the" is unstressed (x). No other word is used twice in the poem.'
    )


environment = Environment(
    Knobs, Passage("the poem, one sentence on each line"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: [solve(task), solve(task).replace("\n", " ")],
    shared_helpers="The helpers read the stresses of a line and the rhymes from the tables that the prompt has.",
    concept="Find for each animal the lines that scan, then choose the ends by the scheme before the words before them.",
)  # fmt: skip
