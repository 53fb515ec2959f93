"""Unfold terms of a glossary that are defined by other terms, and count or compare what they come to.

Terms of an invented trade stand for so many of other terms, down to one plain measure; parts may be added, taken away and redefined for a place.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import stories
from rlgym.generators.facts import Bank, passage, read_statements, sample_filler
from rlgym.generators.text.names import invent
from rlgym.solutions import Checks, Derivation, Solution, Step

PLAIN = Step("{place}: by sentence {at:int}, {term} is {value:int} grains.")
SUM = Step("{place}: by sentence {at:int}, {term} is {formula} = {value:int} grains.")
BANK = Bank("""
here_plain: In {place}, a {term} is {number} grains. | In {place} they count {number} grains to a {term}.
here_plain: A {term} of {place} holds {number} grains.
here_plain: Whoever says {term} in {place} means {number} grains.
here_times: In {place}, a {term} is {number} times a {base}. | In {place} they count {number} times a {base} to a {term}.
here_times: A {term} of {place} holds {number} times a {base}. | Whoever says {term} in {place} means {number} times a {base}.
here_plus: In {place}, a {term} is a {base} and a {other} together. | In {place} they count a {base} and a {other} to a {term}.
here_plus: A {term} of {place} holds a {base} and a {other}. | Whoever says {term} in {place} means a {base} together with a {other}.
plain: A {term} is {number} grains. | A {term} means {number} grains. | {number} grains make a {term}.
plain: A {term} holds {number} grains.
times: A {term} is {number} times a {base}. | A {term} means {number} times a {base}. | {number} times a {base} make a {term}.
times: A {term} holds {number} times a {base}.
plus: A {term} is a {base} and a {other} together. | A {term} means a {base} together with a {other}.
plus: A {base} and a {other} make a {term}.
plus: A {term} holds a {base} and a {other}.
minus: A {term} is a {base} without a {other}. | A {term} means a {base} from which a {other} is taken.
minus: Take a {other} from a {base}, and a {term} is left.
minus: A {term} holds a {base} less a {other}.
""")


class Knobs(Config):
    terms: int = knob(8, easy=3, hard=24, doc="terms that are defined")
    fill: int = knob(6, easy=0, hard=40, doc="sentences that define nothing")
    places: str = knob(
        "one",
        easy="none",
        hard="several",
        order=("none", "one", "several"),
        doc="whether terms mean something else in one place, or in several",
    )


class Meaning(TaskData):
    at: int
    kind: str
    term: str
    place: str = ""
    number: int = 0
    base: str = ""
    other: str = ""


class Data(TaskData):
    meanings: tuple[Meaning, ...]
    asked: tuple[tuple[str, str], ...]  # place and term; no place for everywhere else
    values: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, deep=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long chains: nearly every term is defined by the one before it."""
    return _sample_task(rng, knobs, deep=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads the prompt; terms are expanded from the plain ones upwards, for each place in question.
    statements = [gaps | {"kind": kind.removeprefix("here_")} for _, (kind, gaps) in read_statements(task.prompt, BANK)]
    out = []
    for line in task.prompt.rpartition("\n\n")[2].split("\n")[1:]:
        term, _, place = line.partition(" are in a ")[2].removesuffix("?").partition(", in ")
        valid = {gaps["term"]: gaps for gaps in statements if "place" not in gaps} | {
            gaps["term"]: gaps for gaps in statements if place and gaps.get("place") == place
        }
        known: dict[str, int] = {}
        while term not in known:
            for name, definition in valid.items():
                parts = [known.get(definition[part]) for part in ("base", "other") if part in definition]
                if name in known or None in parts:
                    continue
                numbers = [part for part in parts if part is not None]
                match definition["kind"]:
                    case "plain":
                        known[name] = int(definition["number"])
                    case "times":
                        known[name] = int(definition["number"]) * numbers[0]
                    case "plus":
                        known[name] = sum(numbers)
                    case _:
                        known[name] = numbers[0] - numbers[1]
        out.append(known[term])
    return tuple(out)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.values):
        return Score.wrong(f"the answer must be {len(task.data.values)} numbers")
    wrong = next((at for at, (first, second) in enumerate(zip(answer, task.data.values), 1) if first != second), None)
    return Score.exact(wrong is None, f"number {wrong} is wrong")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    everywhere = tuple(_values(task.data, "", term)[term] for _, term in task.data.asked)
    return [everywhere, right[::-1], right[:-1], (*right[:-1], right[-1] + 1), tuple(10 * n for n in right)]


def cost(task: Task[Data]) -> float:
    unfolded = sum(len(_values(task.data, place, term)) for place, term in task.data.asked)
    return len(task.prompt) / 100 + 4 * unfolded + 3 * sum(bool(meaning.place) for meaning in task.data.meanings)


def derive(task: Task[Data]) -> Derivation:
    known: dict[str, dict[str, int]] = {}
    for place, term in task.data.asked:
        before = len(known.setdefault(place, {}))
        values = _values(task.data, place, term, known[place])
        for name, value in list(values.items())[before:]:
            meaning = _valid_definition(task.data, place, name)
            gaps = {"place": place or "Elsewhere", "at": meaning.at, "term": name, "value": value}
            yield PLAIN(**gaps) if meaning.kind == "plain" else SUM(**gaps, formula=_formula(meaning, values))


def checks(task: Task[Data]) -> Checks:
    known: dict[str, dict[str, int]] = {place: {} for place, _ in task.data.asked}

    def is_plain(place: str, at: int, term: str, value: int) -> bool:
        place = "" if place == "Elsewhere" else place
        meaning = _valid_definition(task.data, place, term)
        if meaning.at != at or meaning.kind != "plain" or meaning.number != value:
            return False
        known[place][term] = value
        return True

    def is_sum(place: str, at: int, term: str, formula: str, value: int) -> bool:
        place = "" if place == "Elsewhere" else place
        meaning, values = _valid_definition(task.data, place, term), known[place]
        if meaning.at != at or meaning.kind == "plain" or formula != _formula(meaning, values) or _value(meaning, values) != value:
            return False
        values[term] = value
        return True

    return {SUM: is_sum, PLAIN: is_plain}


def _valid_definition(data: Data, place: str, term: str) -> Meaning:
    """The definition of a term that is valid in a place."""
    candidates = [meaning for meaning in data.meanings if meaning.term == term and meaning.place in ("", place)]
    return max(candidates, key=lambda candidate: candidate.place)


def _formula(meaning: Meaning, values: dict[str, int]) -> str:
    if meaning.kind == "times":
        return f"{meaning.number} * {values[meaning.base]}"
    return f"{values[meaning.base]} {'+' if meaning.kind == 'plus' else '-'} {values[meaning.other]}"


def _value(meaning: Meaning, values: dict[str, int]) -> int:
    match meaning.kind:
        case "plain":
            return meaning.number
        case "times":
            return meaning.number * values[meaning.base]
        case "plus":
            return values[meaning.base] + values[meaning.other]
    return values[meaning.base] - values[meaning.other]


def _values(data: Data, place: str, term: str, values: dict[str, int] | None = None) -> dict[str, int]:
    """What a term comes to in a place, after all that it is made of."""
    values = {} if values is None else values
    if term not in values:
        meaning = _valid_definition(data, place, term)
        for part in (meaning.base, meaning.other):
            if part:
                _values(data, place, part, values)
        values[term] = _value(meaning, values)
    return values


def _fits(data: Data, places: Sequence[str], terms: Sequence[str]) -> bool:
    """Whether all terms come to something sensible in all places."""
    for place in places:
        values: dict[str, int] = {}
        for term in terms:
            if not 0 < _values(data, place, term, values)[term] < 20_000:
                return False
    return True


def _sample_task(rng: Rng, knobs: Knobs, deep: bool) -> Task[Data]:
    while True:
        terms = [noun[:-1] for noun in invent(rng, knobs.terms)]
        places = stories.places(rng, {"none": 1, "one": 2, "several": 4}[knobs.places])
        local_places = places[:-1] if knobs.places != "none" else []
        meanings = [Meaning(at=0, kind="plain", term=terms[0], number=rng.integer(2, 12))]
        spots = ["", *local_places]
        data = Data(meanings=tuple(meanings), asked=(), values=())
        k, tries = 1, 0
        while k < len(terms) and tries < 200:
            tries += 1
            more = data.model_copy(update={"meanings": (*data.meanings, _sample_meaning(rng, terms, k, terms[k], deep))})
            if _fits(more, ("",), terms[k : k + 1]):
                data, k = more, k + 1
        if k < len(terms):
            continue
        for place in local_places:
            for at in rng.sample(range(len(terms)), max(1, len(terms) // 4)):
                meaning = _sample_meaning(rng, terms, at, terms[at], deep) if at and rng.chance(0.7) else None
                if meaning is None or meaning.kind == "minus":
                    meaning = Meaning(at=0, kind="plain", term=terms[at], number=rng.integer(2, 12))
                more = data.model_copy(update={"meanings": (*data.meanings, meaning.model_copy(update={"place": place}))})
                if _fits(more, (place,), terms):
                    data = more
        meanings = list(data.meanings)
        late = rng.sample(terms[-max(3, len(terms) // 2) :], 3)
        queries = tuple((rng.choice(spots) if n else spots[-1], term) for n, term in enumerate(late))
        values = tuple(_values(data, place, term)[term] for place, term in queries)
        if len(set(values)) > 1:
            break
    texts: list[tuple[Meaning | None, str]] = []
    for meaning in meanings:
        kind = f"here_{meaning.kind}" if meaning.place else meaning.kind
        texts.append((meaning, BANK.say(rng, kind, **meaning.model_dump(exclude={"kind", "at"}))))
    texts += [(None, text) for text in sample_filler(rng, knobs.fill, [*places, *stories.places(rng, 3)], stories.people(rng, 8))]
    texts = rng.shuffled(texts)
    placed = tuple(meaning.model_copy(update={"at": at}) for at, (meaning, _) in enumerate(texts, 1) if meaning)
    rule = ""
    if local_places:
        rule = (
            " Where a term has a meaning of its own in some place, this meaning overrides the general one in that place, also inside other terms, and "
            "only in that place."
        )
    questions = "\n".join(
        f"({k}) How many grains are in a {term}{f', in {place}' if place else ''}?" for k, (place, term) in enumerate(queries, 1)
    )
    general = "Questions that name no place ask for the general meaning. " if local_places else ""
    prompt = (
        f"The terms of an old trade are explained by each other.{rule}\n\n{passage(rng, [text for _, text in texts])}\n\n"
        f"{general}Give the numbers that answer these questions, in their order:\n{questions}"
    )
    return Task(prompt, data.model_copy(update={"meanings": placed, "asked": queries, "values": values}))


def _sample_meaning(rng: Rng, terms: Sequence[str], k: int, term: str, deep: bool) -> Meaning:
    kind = rng.choice(("times", "plus", "minus") if k > 1 else ("times",))
    base, *rest = rng.shuffled(terms[max(0, k - 3) : k]) if not deep else [terms[k - 1], *rng.shuffled(terms[: k - 1])]
    return Meaning(
        at=0, kind=kind, term=term, number=rng.integer(2, 5) if kind == "times" else 0, base=base, other=rest[0] if kind != "times" else ""
    )


environment = Environment(
    Knobs, Numbers("the numbers in this order, separated by commas", max_items=20), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}", checks=checks),
    concept="Unfold each term down to plain numbers before you work upwards, and ask at every term whether the place gives it a meaning of its own.",
    version=2,
)  # fmt: skip
