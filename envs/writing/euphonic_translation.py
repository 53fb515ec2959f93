"""Translate a text into an invented language in which words may be chosen and moved, but must sound well together.

The glossary has several words for most things, and word order is free except that an adjective stands beside its noun. Which words and orders are right depends
on the neighbours and on the rest of the text, since no word may return.
"""

from collections.abc import Iterator
from itertools import pairwise, permutations, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.writing.criteria import Claims, Fault, score_text
from rlgym.generators.writing.language import Form, Gap, Language
from rlgym.generators.writing.variants import retracted_texts, without_each

NOUNS = ("farmer", "dog", "singer", "king", "child", "baker")
ADJECTIVES = ("old", "happy", "tall", "small")
VERBS = ("sees", "hears", "calls", "follows")
VOWELS = "aeiou"
Role = tuple[str, str]
"""The English word, and its role in the sentence: subject, object or verb."""
Order = tuple[tuple[Role, str], ...]
"""Roles with the words for them, in order."""


class Sentence(TaskData):
    subject: str
    subject_adjective: str
    verb: str
    object: str
    object_adjective: str

    def english(self) -> str:
        first, second = (
            f"the {a} {n}".replace("  ", " ") for a, n in ((self.subject_adjective, self.subject), (self.object_adjective, self.object))
        )
        return f"{first.capitalize()} {self.verb} {second}."

    def phrases(self) -> list[list[Role]]:
        """The words of each part with their roles: noun and adjective, or the verb."""
        first = [(self.subject, "subject"), *([(self.subject_adjective, "subject")] if self.subject_adjective else [])]
        second = [(self.object, "object"), *([(self.object_adjective, "object")] if self.object_adjective else [])]
        return [first, [(self.verb, "verb")], second]


class Knobs(Config):
    sentences: int = knob(3, easy=1, hard=5, doc="sentences of the text")
    adjectives: float = knob(0.4, easy=0.0, hard=0.8, doc="share of nouns with an adjective")
    rules: int = knob(3, easy=1, hard=4, doc="rules of sound and style")


class Data(TaskData):
    glossary: tuple[tuple[str, tuple[str, ...]], ...]
    ending: str
    sentences: tuple[Sentence, ...]
    rules: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        stems = _stems(rng)
        glossary = tuple((word, (next(stems), next(stems))) for word in (*NOUNS, *ADJECTIVES, *VERBS))
        sentences = tuple(_sentence(rng, knobs) for _ in range(knobs.sentences))
        ending = rng.choice(VOWELS[:4]) + rng.choice("nrsk")
        data = Data(glossary=glossary, ending=ending, sentences=sentences, rules=knobs.rules)
        plain = [next(iter(_options(data, sentence))) for sentence in sentences]
        english = [word for sentence in sentences for part in sentence.phrases() for word, _ in part]
        returns = max(english.count(word) for word in english)
        # Word by word, with the first word of each entry, must not do.
        if (returns < 3 or knobs.rules < 3) and _faults(data, plain) and _translation(data):
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(_translation(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    known = {form: role for roles, form in _forms(data) for role in [roles]}

    def read(claims: Claims) -> list[Order]:
        return [tuple((known[str(word)], str(word)) for word in claim.values.values()) for claim in claims]

    def meaning(claims: Claims) -> Fault | None:
        wrong = [claim for claim, order, sentence in zip(claims, read(claims), data.sentences, strict=False) if not _means(order, sentence)]
        if len(claims) != len(data.sentences):
            return Fault("the text has another number of sentences", (), 0.0)
        return Fault("a sentence does not say what the original says", tuple(wrong), 1 - len(wrong) / len(claims)) if wrong else None

    def sound(claims: Claims) -> Fault | None:
        faults = _faults(data, read(claims))
        return Fault(faults[0]) if faults else None

    return score_text(_language(data), answer, meaning=meaning, sound=sound)


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, best = task.data, _translation(task.data)
    exchanged = {"subject": "object", "object": "subject", "verb": "verb"}
    words = dict(data.glossary)
    turned = [tuple(((word, exchanged[role]), _form(data, words[word][0], exchanged[role])) for (word, role), _ in order) for order in best]
    plain = [next(iter(_options(data, sentence))) for sentence in data.sentences]
    return [
        _text(turned),
        _text(best + best[:1]),
        *([_text(plain)] if _faults(data, plain) else []),
        *retracted_texts(right),
        *without_each(_language(data), right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(sum(len(part) for part in sentence.phrases()) for sentence in data.sentences) * data.rules * len(data.sentences))


def explain(task: Task[Data]) -> list[str]:
    steps = [
        f"{sentence.english()} becomes {' '.join(form for _, form in order)}: {', '.join(f'{form} is {word} ({role})' for (word, role), form in order)}."
        for sentence, order in zip(task.data.sentences, _translation(task.data), strict=True)
    ]
    return [*steps, f"All rules hold:\n{solve(task)}"]


def _stems(rng: Rng) -> Iterator[str]:
    """Different stems; about half begin, and half end, with a vowel."""
    seen = set[str]()
    while True:
        stem = rng.choice(("", rng.choice("bdfgklmnprstv"))) + rng.choice(VOWELS) + rng.choice("bdgklmnrst") + rng.choice(VOWELS)
        stem += rng.choice(("", rng.choice("klmnrst")))
        if len(stem) > 3 and stem not in seen:
            seen.add(stem)
            yield stem


def _sentence(rng: Rng, knobs: Knobs) -> Sentence:
    subject, acted = rng.sample(NOUNS, 2)
    traits = [rng.choice(ADJECTIVES) if rng.chance(knobs.adjectives) else "" for _ in range(2)]
    return Sentence(subject=subject, subject_adjective=traits[0], verb=rng.choice(VERBS), object=acted, object_adjective=traits[1])


def _form(data: Data, stem: str, role: str) -> str:
    return stem + data.ending * (role == "object")


def _forms(data: Data) -> list[tuple[Role, str]]:
    """Every word form of the language with what it means."""
    found = [((word, "verb"), stem) for word, stems in data.glossary if word in VERBS for stem in stems]
    for role in ("subject", "object"):
        found += [((word, role), _form(data, stem, role)) for word, stems in data.glossary if word not in VERBS for stem in stems]
    return found


def _options(data: Data, sentence: Sentence) -> Iterator[Order]:
    """All ways of saying a sentence, as the glossary and the word order allow."""
    words = dict(data.glossary)
    for parts in permutations(sentence.phrases()):
        for turned in product(*((part, part[::-1]) if len(part) > 1 else (part,) for part in parts)):
            roles = [role for part in turned for role in part]
            for stems in product(*(words[word] for word, _ in roles)):
                yield tuple((role, _form(data, stem, role[1])) for role, stem in zip(roles, stems, strict=True))


def _means(order: Order, sentence: Sentence) -> bool:
    """Whether the words are those of the sentence, and every adjective stands beside its noun."""
    roles = [role for role, _ in order]
    if sorted(roles) != sorted(role for part in sentence.phrases() for role in part):
        return False
    pairs = [part for part in sentence.phrases() if len(part) > 1]
    return all(abs(roles.index(noun) - roles.index(adjective)) == 1 for noun, adjective in pairs)


def _faults(data: Data, text: list[Order]) -> list[str]:
    """The rules of sound and style that a text breaks."""
    stem_of = {_form(data, stem, role): stem for _, stems in data.glossary for stem in stems for role in ("subject", "object")}
    found = list[str]()
    for order in text:
        neighbours = [(first, second) for (_, first), (_, second) in pairwise(order)]
        if any(first[-1] in VOWELS and second[0] in VOWELS for first, second in neighbours):
            found.append("a vowel meets a vowel")
        if data.rules > 1 and any(first[-1] == second[0] for first, second in neighbours):
            found.append("a letter meets itself")
    stems = [stem_of[form] for order in text for _, form in order]
    if data.rules > 2 and len(set(stems)) < len(stems):
        found.append("a word returns")
    begins = [order[0][0][1] for order in text]
    if data.rules > 3 and any(first == second for first, second in pairwise(begins)):
        found.append("two sentences in a row begin with the same part")
    return found


def _translation(data: Data) -> list[Order]:
    """The first translation that a search sentence by sentence finds; empty where there is none."""
    stem_of = {_form(data, stem, role): stem for _, stems in data.glossary for stem in stems for role in ("subject", "object")}
    choices = list[dict[tuple[frozenset[str], str], Order]]()
    for sentence in data.sentences:
        # Orders of the same stems that begin with the same part are as good as each other for the rest of the text.
        found: dict[tuple[frozenset[str], str], Order] = {}
        for order in _options(data, sentence):
            key = (frozenset(stem_of[form] for _, form in order), order[0][0][1])
            if key not in found and not _faults(data, [order]):
                found[key] = order
        choices.append(found)

    def search(place: int, used: frozenset[str], before: str) -> list[Order] | None:
        if place == len(choices):
            return []
        for (stems, begin), order in choices[place].items():
            if (data.rules < 3 or not stems & used) and (data.rules < 4 or begin != before):
                rest = search(place + 1, used | stems, begin)
                if rest is not None:
                    return [order, *rest]
        return None

    return search(0, frozenset(), "") or []


def _text(text: list[Order]) -> str:
    return " ".join(" ".join(form for _, form in order).capitalize() + "." for order in text)


def _language(data: Data) -> Language:
    words = tuple(dict.fromkeys(form for _, form in _forms(data)))
    forms = tuple(Form(f"{count} words", " ".join(f"{{word{i}}}" for i in range(count)) + ".") for count in (3, 4, 5))
    return Language(forms, tuple(Gap(f"word{i}", words) for i in range(5)))


def _render_prompt(data: Data) -> str:
    glossary = "\n".join(f"- {word}: {' or '.join(stems)}" for word, stems in data.glossary)
    text = " ".join(sentence.english() for sentence in data.sentences)
    rules = (
        "No word that ends in a vowel (a, e, i, o, u) stands directly before a word of the same sentence that begins with a vowel.",
        "No word stands directly before a word of the same sentence that begins with the letter with which the first one ends.",
        "No word of the glossary is used twice in the text, in whatever form.",
        "Two sentences in a row never begin with the same part. The parts are the subject with its adjective, the verb, and the object with its adjective.",
    )[: data.rules]
    described = any(len(part) > 1 for sentence in data.sentences for part in sentence.phrases())
    taking = "The object and its adjective take" if described else "The object takes"
    free = "in any order, except that an adjective stands directly before or after its noun" if described else "in any order"
    listed = "\n".join(f"- {rule}" for rule in rules)
    return (
        f"Glossary of an invented language:\n{glossary}\n\n{taking} the ending -{data.ending}, added to the whole word; nothing else takes an "
        f'ending, and there is no word for "the". A sentence may have its words {free}. Rules of sound and style:\n{listed}\n\n'
        "Translate this text sentence by sentence, in the same order:"
        f"\n\n{text}\n\nEvery sentence ends with a full stop; capital letters do not matter."
    )


environment = Environment(
    Knobs, Passage("the translation"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: [solve(task), solve(task).lower().replace(". ", ".\n")],
    shared_helpers="The helpers form words by the glossary and list the stated rules that a text breaks.",
    concept="Write down the first and last letters of all words, choose an order that lets them meet, and keep the words that later sentences need.",
)  # fmt: skip
