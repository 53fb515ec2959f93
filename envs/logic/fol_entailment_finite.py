"""Say which sentences of first-order logic follow from premises over a finite domain, with a counterexample for each that does not.

A structure in which the premises hold and the sentence does not is the only way to say that it does not follow; any such structure is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.logic import first_order, truth_tables
from rlgym.generators.logic.first_order import Sentence
from rlgym.generators.numbers.bitsets import places as set_bits
from rlgym.solutions import Derivation, Solution, Step

_LINE = re.compile(r"(\d{1,2}) ?[:.)] ?(.{1,300})")
_PART = re.compile(r"([A-Z]) ?[:=]? ?((?:none|empty|[\d ,(){}<>-])*)", re.IGNORECASE)
Facts = dict[tuple[str, tuple[int, ...]], bool]
PREMISES = Step("Of the {all} structures, {left} make true every premise up to number {number}")
FOLLOWS = Step("Sentence {number} holds in all of these")
FAILS = Step("Sentence {number:int} fails in {count:int} of these, one of which is {structure}")


class Knobs(Config):
    size: int = knob(2, easy=2, hard=3, doc="things in the domain")
    premises: int = knob(2, easy=1, hard=4, doc="premises")
    sentences: int = knob(4, easy=3, hard=6, doc="sentences to be judged")
    depth: int = knob(2, easy=1, hard=3, doc="most quantifiers inside each other")


class Data(TaskData):
    size: int
    predicates: tuple[tuple[str, int], ...]
    premises: tuple[str, ...]
    sentences: tuple[str, ...]
    follows: tuple[bool, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, first_order.sample)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _axiom)


def _sample_task(rng: Rng, knobs: Knobs, draw: Callable[[Rng, Mapping[str, int], int], Sentence]) -> Task[Data]:
    predicates = {"P": 1, "Q": 1} if knobs.depth == 1 else {"P": 1, "Q": 1, "R": 2}
    size = knobs.size
    atoms = first_order.atoms(predicates, size)
    spots = {atom: i for i, atom in enumerate(atoms)}
    every = truth_tables.every(len(atoms))

    def sentences(count: int) -> dict[str, int]:
        texts = dict[str, int]()
        while len(texts) < count:
            sentence = draw(rng, predicates, rng.integer(max(1, knobs.depth - 1), knobs.depth))
            table = first_order.table(sentence, spots, size)
            if table not in (0, every):
                texts[first_order.write(sentence)] = table
        return texts

    while True:
        premises, models = sentences(knobs.premises), every
        for table in premises.values():
            models &= table
        if not models:
            continue
        pool = {text: table for text, table in sentences(6 * knobs.sentences).items() if text not in premises}
        yes = [text for text, table in pool.items() if not models & ~table]
        # Sentences that fail in few structures take longest to refute.
        no = sorted((text for text, table in pool.items() if models & ~table), key=lambda text: (models & ~pool[text]).bit_count())
        if yes and len(no) >= knobs.sentences:
            break
    yes = yes[: rng.integer(1, max(1, knobs.sentences // 2))]
    queried = rng.shuffled([*yes, *no[: knobs.sentences - len(yes)]])
    follows = tuple(text in yes for text in queried)
    given = "\n".join(f"{i}. {text}" for i, text in enumerate(premises, 1))
    judged = "\n".join(f"{i}. {text}" for i, text in enumerate(queried, 1))
    pairs = "; and for each ordered pair of things, also of a thing with itself, whether R holds of it" if "R" in predicates else ""
    example = "P 1 2; Q none; R 1-2 2-2 (R holds of 1 with 2, and of 2 with 2)" if pairs else "P 1 2; Q none"
    prompt = (
        f"The domain consists of the things {', '.join(map(str, range(1, size + 1)))}. A structure says for each thing whether P and whether Q hold "
        f'of it{pairs}.\n\nPremises:\n{given}\n\nSentences:\n{judged}\n\n"A -> B" is false only where A is true and B is false. A sentence '
        "follows if it holds in every structure on this domain in which all premises hold. For each sentence, say that it follows, or give a "
        "structure on this domain in which all premises hold and the sentence does not. A structure is written by listing what each letter "
        f"holds of, as in {example}."
    )
    return Task(
        prompt, Data(size=size, predicates=tuple(predicates.items()), premises=tuple(premises), sentences=tuple(queried), follows=follows)
    )


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the prompt. On a small domain each counterexample is built atom by atom; on a larger one all structures are judged at once.
    data, parts = task.data, task.prompt.split("\n\n")
    premises, queried = ([first_order.read(line.partition(". ")[2]) for line in part.split("\n")[1:]] for part in parts[1:3])
    spots = {atom: i for i, atom in enumerate(reversed(list(_spots(data))))}
    models = truth_tables.every(len(spots))
    for premise in premises if data.size > 2 else ():
        models &= first_order.table(premise, spots, data.size)
    out = []
    for number, sentence in enumerate(queried, 1):
        against: Facts | None = None
        if data.size == 2:
            against = first_order.structure([*premises, Sentence("not", (), (sentence,))], dict(data.predicates), data.size)
        elif table := models & ~first_order.table(sentence, spots, data.size):
            row = (table & -table).bit_length() - 1
            against = {atom: bool(row >> spot & 1) for atom, spot in spots.items()}
        out.append(f"{number}: {'follows' if against is None else _render_structure(against, data)}")
    return tuple(out)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    lines = [_LINE.fullmatch(line) for line in answer]
    if [line and int(line[1]) for line in lines] != list(range(1, len(data.sentences) + 1)):
        return Score.wrong("there must be one line for each sentence, in order, opening with its number")
    for line, sentence, follows in zip(lines, data.sentences, data.follows, strict=True):
        assert line is not None
        if line[2].strip().lower().rstrip(".") == "follows":
            if not follows:
                return Score.wrong("a sentence that is said to follow does not")
            continue
        facts = _read(line[2], data)
        if facts is None:
            return Score.wrong(f"line {line[1]} is no structure that is written as asked")
        if not all(first_order.holds(first_order.read(text), facts, data.size) for text in data.premises):
            return Score.wrong(f"in the structure for sentence {line[1]} some premise does not hold")
        if first_order.holds(first_order.read(sentence), facts, data.size):
            return Score.wrong(f"in the structure for sentence {line[1]} the sentence holds")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    empty = dict.fromkeys(first_order.atoms(dict(data.predicates), data.size), False)
    full = dict.fromkeys(empty, True)
    numbers = range(1, len(data.sentences) + 1)
    return [
        tuple(f"{i}: follows" for i in numbers),
        tuple(f"{i}: {_render_structure(empty, data)}" for i in numbers),
        tuple(f"{i}: {_render_structure(full, data)}" for i in numbers),
        tuple(f"{i}: does not follow" for i in numbers),
        right[:-1] or ("1: no",),
        tuple(line if "follows" not in line else f"{line.partition(':')[0]}: {_render_structure(full, data)}" for line in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    atoms = sum(data.size**arity for _, arity in data.predicates)
    work = sum(data.size ** text.count("for ") for text in (*data.premises, *data.sentences))
    return float(atoms * work * len(data.sentences))


def derive(task: Task[Data]) -> Derivation:
    data, spots = task.data, _spots(task.data)
    models = truth_tables.every(len(spots))
    for number, text in enumerate(data.premises, 1):
        models &= first_order.table(first_order.read(text), spots, data.size)
        yield PREMISES(all=2 ** len(spots), left=models.bit_count(), number=number)
    for number, (text, line) in enumerate(zip(data.sentences, solve(task), strict=True), 1):
        against = models & ~first_order.table(first_order.read(text), spots, data.size)
        step = FAILS(number=number, count=against.bit_count(), structure=line.partition(": ")[2])
        yield step.accepting(partial(_fails_in, data, against, number)) if against else FOLLOWS(number=number)


def _fails_in(data: Data, against: int, sentence: int, /, number: int, count: int, structure: str) -> bool:
    """Whether the structure is one of those in which the sentence fails."""
    facts = _read(structure, data)
    return facts is not None and (number, count) == (sentence, against.bit_count()) and bool(against >> _place(facts, _spots(data)) & 1)


def _axiom(rng: Rng, predicates: Mapping[str, int], depth: int) -> Sentence:
    """A property that relations have or lack, on all things or among those of one kind."""
    if "R" not in predicates:
        return first_order.sample(rng, predicates, depth)
    some = rng.choice(("", "P", "Q", "not P", "not Q"))
    text = rng.choice(_AXIOMS[: 8 if depth < 3 else None])
    if rng.chance(0.3):
        text = text.replace("R(x, y)", "R(y, x)")
    if some and text.startswith("for every x: "):
        inner = text.removeprefix("for every x: ")
        text = f"for every x: ({some}(x) -> {inner})"
    return first_order.read(f"not {text}" if rng.chance(0.15) else text)


_AXIOMS = (
    "for every x: R(x, x)",
    "for every x: not R(x, x)",
    "for every x: for every y: (R(x, y) -> R(y, x))",
    "for every x: for every y: (R(x, y) -> not R(y, x))",
    "for every x: for some y: R(x, y)",
    "for some x: for every y: R(x, y)",
    "for every x: for every y: ((P(x) or Q(y)) -> R(x, y))",
    "for every x: for every y: (R(x, y) -> (P(x) or Q(y)))",
    "for every x: for every y: for every z: ((R(x, y) and R(y, z)) -> R(x, z))",
    "for every x: for every y: for every z: ((R(x, y) and R(x, z)) -> (y = z))",
    "for every x: for every y: for every z: ((R(x, y) and R(x, z)) -> R(y, z))",
    "for every x: for some y: for every z: (R(y, z) -> R(x, z))",
    "for every x: for every y: (R(x, y) -> for some z: (R(x, z) and R(z, y)))",
    "for some x: for every y: (R(x, y) -> for some z: (R(y, z) and P(z)))",
)


def _spots(data: Data) -> dict[tuple[str, tuple[int, ...]], int]:
    return {atom: i for i, atom in enumerate(first_order.atoms(dict(data.predicates), data.size))}


def _place(facts: Facts, spots: Mapping[tuple[str, tuple[int, ...]], int]) -> int:
    return sum(1 << spot for atom, spot in spots.items() if facts[atom])


def _render_structure(facts: Facts, data: Data) -> str:
    parts = []
    for name, _ in data.predicates:
        tuples = ["-".join(map(str, things)) for (other, things), value in sorted(facts.items()) if other == name and value]
        parts.append(f"{name} {' '.join(tuples) or 'none'}")
    return "; ".join(parts)


def _read(text: str, data: Data) -> Facts | None:
    """The structure that a line gives; None where a letter is missing or twice there, or something else is said."""
    facts = dict.fromkeys(first_order.atoms(dict(data.predicates), data.size), False)
    undefined = dict(data.predicates)
    for part in text.strip().rstrip(".").split(";"):
        match = _PART.fullmatch(part.strip())
        arity = undefined.pop(match[1].upper(), 0) if match else 0
        if match is None or not arity:
            return None
        digits = [int(digit) for digit in re.findall(r"\d", match[2])]
        if len(digits) % arity or (digits and re.search("none|empty", match[2], re.IGNORECASE)):
            return None
        for k in range(0, len(digits), arity):
            atom = (match[1].upper(), tuple(digits[k : k + arity]))
            if atom not in facts:
                return None
            facts[atom] = True
    return None if undefined else facts


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Counterexamples from the first and the last of all structures that are any, written in another way."""
    data = task.data
    spots = _spots(data)
    models = truth_tables.every(len(spots))
    for text in data.premises:
        models &= first_order.table(first_order.read(text), spots, data.size)
    for end in (0, -1):
        lines = []
        for number, text in enumerate(data.sentences, 1):
            against = models & ~first_order.table(first_order.read(text), spots, data.size)
            if against:
                row = set_bits(against)[0] if end == 0 else against.bit_length() - 1
                facts = {atom: bool(row >> spot & 1) for atom, spot in spots.items()}
                lines.append(f"{number}. {_render_structure(facts, data).replace('P ', 'P = ')}")
            else:
                lines.append(f"{number}: Follows")
        yield tuple(lines)


environment = Environment(
    Knobs, Lines("one line for each sentence, in order: its number, a colon, and then `follows` or the structure", max_items=20),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "In short:\n{answer}"), answers="many", solutions=_solutions,
    shared_helpers="The helper parses a sentence of the prompt into its tree.",
    concept="Try to build a structure that keeps the premises and breaks the sentence; where every choice runs into a contradiction, it follows.",
    version=4,
)  # fmt: skip
