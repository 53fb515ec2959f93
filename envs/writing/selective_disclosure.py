"""Write a true announcement after which each reader knows what this reader should know, and no more.

Readers know one attribute of the winner before and combine it with the announcement, so the same sentence tells one of them who it is and another
one nothing.
"""

from itertools import combinations, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import count_noun
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.writing.criteria import Claims, Fault, at_most, every, score_text
from rlgym.generators.writing.items import Item, describe_items, sample_items
from rlgym.generators.writing.language import Form, Gap, Language
from rlgym.generators.writing.variants import reordered_texts, retracted_texts

Attributes = tuple[tuple[str, tuple[str, ...]], ...]
Statement = tuple[str, tuple[str, ...]]
WHICH = "which person it is"


class Reader(TaskData):
    name: str
    sees: int
    """The attribute that the reader knows, by position; -1 for none."""
    aims: tuple[tuple[int, bool], ...]
    """Attributes by position, or -1 for the person, and whether the reader must know them in the end."""


class Knobs(Config):
    people: int = knob(9, easy=4, hard=16, beyond=28, doc="people who may be the winner")
    attributes: int = knob(3, easy=2, hard=4, doc="attributes of a person")
    values: int = knob(3, easy=2, hard=4, doc="values of an attribute")
    readers: int = knob(2, easy=1, hard=4, beyond=5, doc="readers of the announcement")
    aims: int = knob(2, easy=1, hard=3, doc="the most aims for one reader")


class Data(TaskData):
    names: tuple[str, ...]
    attributes: Attributes
    items: tuple[Item, ...]
    secret: int
    readers: tuple[Reader, ...]
    words: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def sample() -> Data:
        while True:
            attributes, items = sample_items(rng, knobs.people, knobs.attributes, knobs.values)
            names = tuple(sorted(rng.sample(PEOPLE, len(items))))
            secret = rng.integer(0, len(items) - 1)
            data = Data(names=names, attributes=attributes, items=tuple(items), secret=secret, readers=(), words=0)
            announcements = _announcements(data)
            for _ in range(8):
                drawn = data.model_copy(update={"readers": _readers(rng, knobs, data, rng.choice(list(announcements)))})
                best = _first(drawn, announcements)
                if best and _is_mixed(drawn):
                    return drawn.model_copy(update={"words": _length(best)})

    data = draw_against(sample, lambda data: knobs.readers > 1 and data.words < min(knobs.readers + 1, knobs.attributes + 1), 6)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _shortest(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    places = {name: i for i, (name, _) in enumerate(data.attributes)}
    winner = data.items[data.secret]

    def aimed(claims: Claims) -> Fault | None:
        stated = [(places[claim.form], claim.words(claim.form)) for claim in claims]
        left = sum(1 << i for i, item in enumerate(data.items) if all(item[at] in values for at, values in stated))
        met = [_knows(data, reader, left, at) == wanted for reader in data.readers for at, wanted in reader.aims]
        return None if all(met) else Fault("a reader knows something else in the end than this reader should", (), sum(met) / len(met))

    return score_text(
        _language(data), answer,
        true=every(lambda claim: winner[places[claim.form]] in claim.words(claim.form), "a sentence is not true of the winner"),
        aims=aimed,
        length=at_most(data.words, lambda claims: sum(len(claim.words(claim.form)) for claim in claims), "values"),
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    winner = data.items[data.secret]
    full: list[Statement] = [(name, (value,)) for (name, _), value in zip(data.attributes, winner, strict=True)]
    name, values = data.attributes[0]
    false = (name, tuple(value for value in values if value != winner[0]))
    others = [_text(data, full)] if any(not wanted for reader in data.readers for _, wanted in reader.aims) else []
    return [*retracted_texts(right), _text(data, [false]), f"{right} {_text(data, [false])}", *others]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.items) * sum(len(reader.aims) for reader in data.readers) * data.words * len(data.attributes))


def explain(task: Task[Data]) -> list[str]:
    data, best = task.data, _shortest(task.data)
    places = {name: i for i, (name, _) in enumerate(data.attributes)}
    left = sum(1 << i for i, item in enumerate(data.items) if all(item[places[name]] in values for name, values in best))

    def named(mask: int) -> str:
        return ", ".join(name for i, name in enumerate(data.names) if mask >> i & 1)

    steps = [f"For {reader.name} these remain: {named(_candidates(data, reader, left))}." for reader in data.readers]
    return [f"The text leaves {named(left)}.", *steps, f"That is what each reader should know, with the fewest values:\n{solve(task)}"]


def _readers(rng: Rng, knobs: Knobs, data: Data, left: int) -> tuple[Reader, ...]:
    """Readers whose aims are what they know after the announcement that leaves these items."""
    readers = list[Reader]()
    for name in rng.sample([name for name in PEOPLE if name not in data.names], knobs.readers):
        reader = Reader(name=name, sees=rng.integer(-1, len(data.attributes) - 1), aims=())
        subjects = rng.shuffled([at for at in range(-1, len(data.attributes)) if at != reader.sees])[: rng.integer(1, knobs.aims)]
        aims = tuple((at, _knows(data, reader, left, at)) for at in sorted(subjects))
        # Who knows which person it is knows the rest.
        readers.append(reader.model_copy(update={"aims": aims[:1] if aims[0] == (-1, True) else aims}))
    return tuple(readers)


def _is_mixed(data: Data) -> bool:
    """Whether some aim is to know, another one not to know if there are several, and not all are met before the announcement."""
    wanted = [aim for reader in data.readers for _, aim in reader.aims]
    whole = (1 << len(data.items)) - 1
    before = all(_knows(data, reader, whole, at) == aim for reader in data.readers for at, aim in reader.aims)
    return not before and True in wanted and (False in wanted or len(wanted) < 2)


def _people_sharing(data: Data, at: int) -> int:
    """The people, as a bit mask, who have the winner's value of an attribute; the winner alone for -1."""
    winner = data.items[data.secret]
    return sum(1 << i for i, item in enumerate(data.items) if (item == winner if at < 0 else item[at] == winner[at]))


def _candidates(data: Data, reader: Reader, left: int) -> int:
    return left & (_people_sharing(data, reader.sees) if reader.sees >= 0 else -1)


def _knows(data: Data, reader: Reader, left: int, at: int) -> bool:
    return not _candidates(data, reader, left) & ~_people_sharing(data, at)


def _announcements(data: Data) -> dict[int, list[Statement]]:
    """The shortest true announcement for each set of people that one can leave, the shortest first."""
    options = list[list[tuple[int, Statement | None]]]()
    for at, ((name, values), value) in enumerate(zip(data.attributes, data.items[data.secret], strict=True)):
        asked = [asked for size in range(1, len(values)) for asked in combinations(values, size) if value in asked]
        masks = [sum(1 << i for i, item in enumerate(data.items) if item[at] in each) for each in asked]
        options.append([(-1, None), *((mask, (name, each)) for mask, each in zip(masks, asked, strict=True))])
    found: dict[int, list[Statement]] = {(1 << len(data.items)) - 1: []}
    for option in options:
        grown: dict[int, list[Statement]] = {}
        for (left, chosen), (mask, statement) in product(found.items(), option):
            longer = [*chosen, statement] if statement else chosen
            if left & mask not in grown or _length(longer) < _length(grown[left & mask]):
                grown[left & mask] = longer
        found = grown
    return dict(sorted(((left, chosen) for left, chosen in found.items() if chosen), key=lambda pair: _length(pair[1])))


def _first(data: Data, announcements: dict[int, list[Statement]]) -> list[Statement]:
    seen = [(_candidates(data, reader, -1), [(_people_sharing(data, at), wanted) for at, wanted in reader.aims]) for reader in data.readers]
    return next(
        (
            chosen
            for left, chosen in announcements.items()
            if all((not left & own & ~same) == wanted for own, aims in seen for same, wanted in aims)
        ),
        [],
    )


def _shortest(data: Data) -> list[Statement]:
    return _first(data, _announcements(data))


def _length(announcement: list[Statement]) -> int:
    return sum(len(values) for _, values in announcement)


def _text(data: Data, announcement: list[Statement]) -> str:
    return " ".join(_language(data).write(name, **{name: values}) for name, values in announcement)


def _language(data: Data) -> Language:
    forms = tuple(Form(name, f"The winner's {name} is {{{name}}}.") for name, _ in data.attributes)
    return Language(forms, tuple(Gap(name, values, "or") for name, values in data.attributes))


def _render_prompt(data: Data) -> str:
    def subject(at: int) -> str:
        return WHICH if at < 0 else f"the winner's {data.attributes[at][0]}"

    lines = []
    for reader in data.readers:
        sees = f"knows the winner's {data.attributes[reader.sees][0]} already" if reader.sees >= 0 else "knows nothing about the winner yet"
        aims = [f"{'must' if wanted else 'must not'} know {subject(at)} in the end" for at, wanted in reader.aims]
        lines.append(f"- {reader.name} {sees}. {reader.name} {', and '.join(aims)}.")
    return (
        f"One of these people has won a prize:\n{describe_items(data.names, data.attributes, data.items)}\n\nThe winner is {data.names[data.secret]}. "
        "All readers have the list, and each reader draws every conclusion from the list, from what this reader knows already and from the announcement:\n"
        + "\n".join(lines)
        + f"\n\nWrite a true announcement that does this and names at most {count_noun(data.words, 'value')} in all. Write only sentences of these forms:\n"
        f"{_language(data).describe()}\nA word in capitals stands for one or more values of the attribute, joined with commas and \"or\"; the sentence is "
        "true if one of them is the winner's."
    )  # fmt: skip


environment = Environment(
    Knobs, Passage("the announcement"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: reordered_texts(_language(task.data), solve(task)),
    shared_helpers="The helpers say what a reader knows, by the definition of knowing, and find the fewest values, which the prompt states.",
    concept="For each reader list who remains possible: a sentence helps this reader only if it removes some of them.",
)  # fmt: skip
