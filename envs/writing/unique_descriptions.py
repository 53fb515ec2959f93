"""Describe objects on a table so that a reader who sees less, and from the other side, picks out exactly the right ones.

The reader may not tell red from green, and what is left for the writer is right for a reader opposite. Descriptions name a kind, traits and at most one other
object, in as few words as possible.
"""

from functools import lru_cache
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.text.english import join_words
from rlgym.generators.writing.criteria import Claims, Fault, at_most, score_text
from rlgym.generators.writing.language import Form, Gap, Language, count_words
from rlgym.generators.writing.variants import reordered_texts, retracted_texts, without_each

SIZES, COLOURS, STUFFS, NOUNS = ("small", "large"), ("red", "green", "blue", "white"), ("wooden", "metal"), ("cup", "box", "ball", "jar")
READERS = ("equal", "colour", "opposite")
RELATIONS = ("directly left of", "directly right of", "next to")
ALIKE = ("red", "green")
Thing = tuple[str, str, str, str]
"""Size, colour, material and kind; in a phrase, traits may be empty."""
Words = tuple[Thing, str, Thing | None]
NONE: Thing = ("", "", "", "")


class Knobs(Config):
    objects: int = knob(6, easy=3, hard=11, beyond=24, doc="objects in the row")
    targets: int = knob(2, easy=1, hard=4, beyond=8, doc="objects to describe")
    kinds: int = knob(3, easy=3, hard=2, doc="kinds of objects; fewer make them more alike")
    reader: str = knob("colour", easy="equal", hard="opposite", order=READERS, doc="what the reader sees, each with what stands before")


class Data(TaskData):
    objects: tuple[Thing, ...]
    targets: tuple[int, ...]
    reader: str
    words: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        objects = tuple(
            (rng.choice(SIZES), rng.choice(COLOURS), rng.choice(STUFFS), rng.choice(NOUNS[: knobs.kinds])) for _ in range(knobs.objects)
        )
        found = [(at, words) for at in range(len(objects)) if (words := _shortest(objects, knobs.reader, at))]
        # Objects that need another one to be told apart come first.
        found = sorted(rng.shuffled(found), key=lambda each: -_length(each[1]))
        if len(found) >= min(knobs.targets, len(objects) - 1):
            chosen = sorted(found[: knobs.targets])
            total = sum(_length(words) for _, words in chosen)
            data = Data(objects=objects, targets=tuple(at for at, _ in chosen), reader=knobs.reader, words=total)
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    data = task.data
    return " ".join(_sentence(at, words) for at in data.targets if (words := _shortest(data.objects, data.reader, at)))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data

    def picked(claims: Claims) -> Fault | None:
        wrong = []
        for claim in claims:
            phrase = _thing_of_phrase(claim.word("phrase"))
            related = (claim.word("relation"), _thing_of_phrase(claim.word("other"))) if claim.form == "related" else ("", None)
            if _matching_objects(data.objects, data.reader, (phrase, *related)) != [claim.number("place") - 1]:
                wrong.append(claim)
        return Fault("the reader does not find exactly the object meant", tuple(wrong), 1 - len(wrong) / len(claims)) if wrong else None

    def complete(claims: Claims) -> Fault | None:
        wanted = {at + 1 for at in data.targets}
        named = [claim.number("place") for claim in claims]
        missing = wanted - set(named)
        if missing:
            return Fault("an object is not described", (), 1 - len(missing) / len(wanted))
        return Fault("an object is described twice, or without need", claims) if sorted(named) != sorted(wanted) else None

    return score_text(
        _language(), answer, picked=picked, complete=complete, length=at_most(data.words, lambda claims: count_words(answer), "words")
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, found = task.data, list[str]()
    for reader in READERS:
        words = [_shortest(data.objects, reader, at) for at in data.targets]
        if any(each and _matching_objects(data.objects, data.reader, each) != [at] for at, each in zip(data.targets, words, strict=True)):
            found.append(" ".join(_sentence(at, each) for at, each in zip(data.targets, words, strict=True) if each))
    everything = " ".join(f"Object {at + 1} is the {_phrase(thing)}." for at, thing in enumerate(data.objects))
    return [*found, everything, *retracted_texts(right), *without_each(_language(), right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.objects) ** 2 * data.words * (1 + READERS.index(data.reader)))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps = [
        f"Only object {at + 1} fits, as the reader sees it: the {_phrase(words[0])}{_tail(words)}."
        for at in data.targets
        if (words := _shortest(data.objects, data.reader, at))
    ]
    return [*steps, f"No shorter description picks out one object alone:\n{solve(task)}"]


def _looks(reader: str, word: str, thing: Thing) -> bool:
    """Whether the reader takes a trait or kind to be one of an object."""
    alike = ALIKE if reader != "equal" and word in ALIKE else (word,)
    return not word or any(each in thing for each in alike)


def _fits(reader: str, phrase: Thing, thing: Thing) -> bool:
    return all(_looks(reader, word, thing) for word in phrase)


def _beside(count: int, reader: str, relation: str, at: int) -> list[int]:
    """The objects of which the one at a place is directly left, directly right, or beside, as the reader sees it."""
    right = -1 if reader == "opposite" else 1
    steps = {"directly left of": (right,), "directly right of": (-right,), "next to": (1, -1)}[relation]
    return [at + step for step in steps if 0 <= at + step < count]


def _matching_objects(objects: tuple[Thing, ...], reader: str, words: Words) -> list[int]:
    """The objects that a description fits, as the reader sees them."""
    phrase, relation, other = words
    found = [at for at, thing in enumerate(objects) if _fits(reader, phrase, thing)]
    if other is None:
        return found
    return [at for at in found if any(_fits(reader, other, objects[near]) for near in _beside(len(objects), reader, relation, at))]


@lru_cache(maxsize=4096)
def _shortest(objects: tuple[Thing, ...], reader: str, target: int) -> Words | None:
    """A shortest description that fits the target alone; None where there is none."""
    own = _phrases(objects[target], reader)
    found: list[Words] = [(phrase, "", None) for phrase in own if _matching_objects(objects, reader, (phrase, "", None)) == [target]]
    for relation in RELATIONS:
        for near in _beside(len(objects), reader, relation, target):
            found += [
                (phrase, relation, other)
                for phrase in own
                for other in _phrases(objects[near], reader)
                if _matching_objects(objects, reader, (phrase, relation, other)) == [target]
            ]
    return min(found, key=_length, default=None)


def _phrases(thing: Thing, reader: str) -> list[Thing]:
    """The phrases that describe a thing, without a colour that the reader confuses where that says nothing new."""
    size, colour, stuff, noun = thing
    return list(product(("", size), ("", colour), ("", stuff), (noun,)))


def _length(words: Words) -> int:
    return len(_sentence(0, words).split())


def _sentence(at: int, words: Words) -> str:
    return f"Object {at + 1} is the {_phrase(words[0])}{_tail(words)}."


def _tail(words: Words) -> str:
    return f" {words[1]} a {_phrase(words[2])}" if words[2] else ""


def _phrase(thing: Thing) -> str:
    return " ".join(word for word in thing if word)


@lru_cache(maxsize=1)
def _things_by_phrase() -> dict[str, Thing]:
    return {_phrase(thing): thing for thing in product(("", *SIZES), ("", *COLOURS), ("", *STUFFS), NOUNS)}


def _thing_of_phrase(phrase: str) -> Thing:
    return _things_by_phrase()[phrase]


@lru_cache(maxsize=1)
def _language() -> Language:
    phrases = tuple(_things_by_phrase())
    note = f"a noun after any of its traits, in the order size, colour, material: {'/'.join(SIZES)} {'/'.join(COLOURS)} {'/'.join(STUFFS)} {'/'.join(NOUNS)}"
    gaps = (
        Gap("place", note="the number of an object"), Gap("phrase", phrases, note=note), Gap("relation", RELATIONS, note=join_words(RELATIONS, "or")),
        Gap("other", phrases, note="formed like PHRASE"),
    )  # fmt: skip
    return Language(
        (Form("plain", "Object {place} is the {phrase}."), Form("related", "Object {place} is the {phrase} {relation} a {other}.")), gaps
    )


def _render_prompt(data: Data) -> str:
    lines = "\n".join(f"{at}. {_phrase(thing)}" for at, thing in enumerate(data.objects, 1))
    targets = ", ".join(str(at + 1) for at in data.targets)
    blind = "cannot tell red from green: for the reader both words fit every object of either colour."
    sees = {
        "equal": "The reader sees the same row from the same side.",
        "colour": f"The reader sees the row from the same side but {blind}",
        "opposite": f"The reader stands on the opposite side of the table, takes left and right from that side, and {blind}",
    }[data.reader]
    what = f"object {targets}" if len(data.targets) == 1 else f"each of the objects {targets}"
    return (
        f"Objects in a row on a table, from left to right as you see them:\n{lines}\n\n{sees} The reader does not see the numbers. Describe {what} in one "
        f"sentence, so that the description fits no other object, as the reader sees it. The text has at most {data.words} words. Write only sentences "
        f"of these forms:\n{_language().describe()}\nObjects are next to each other if nothing stands between them. Words are separated by spaces."
    )


environment = Environment(
    Knobs, Passage("the descriptions"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: reordered_texts(_language(), solve(task)),
    shared_helpers="The helpers say which objects a description fits for the reader, by its meaning, and find the fewest words, which the prompt states.",
    concept="List for each phrase which objects the reader takes it to fit, then add a trait or a neighbour until one object is left.",
)  # fmt: skip
