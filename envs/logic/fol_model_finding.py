"""Give a finite model of sentences of first-order logic: say of which elements, and of which pairs, each predicate is to hold.

The prompt gives the domain and some facts; everything else is free as long as all sentences are true.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.logic import finite_models, model_sentences
from rlgym.generators.logic.finite_models import Model, Sentence
from rlgym.generators.logic.model_sentences import ARITY, PREFIXES
from rlgym.solutions import Derivation, Solution, Step

Answer = tuple[str, ...]
HELD = Step("Let {name} hold of {elements}")
CASES = Step("Sentence {k}, {said}: its conditions hold in the cases {cases}, and in each of these the rest is true")
FREE = Step("Sentence {k}, {said}: its conditions hold in no case")
TAKEN = Step("Sentence {k:int}, {said}: it is true when {last} is chosen so: {choices:words}")
END = Step("All sentences are true in this model:\n{answer}")


class Knobs(Config):
    size: int = knob(3, easy=3, hard=4, beyond=5, doc="how many elements the domain has")
    sentences: int = knob(6, easy=3, hard=12, beyond=16, doc="how many sentences there are")
    quantifiers: str = knob("two", easy="one", hard="three", order=tuple(PREFIXES), doc="how deep quantifiers stand inside each other")


class Data(TaskData):
    size: int
    names: str
    sentences: tuple[Sentence, ...]
    facts: tuple[tuple[str, tuple[int, ...], bool], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, model_sentences.mixed_sentences)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Sentences that say what kind of relation R is (an order, a colouring, a tournament ...), and others on top of it."""
    return _sample_task(rng, knobs, model_sentences.structured_sentences)


def solve(task: Task[Data]) -> Answer:
    return _answer(task.data, next(_find_models(task.data)))


def verify(task: Task[Data], answer: Answer) -> Score:
    data = task.data
    model: dict[str, frozenset[tuple[int, ...]]] = {}
    for line in answer:
        name, colon, text = line.partition(":")
        name = name.strip().strip("*`").upper()
        if not colon or name not in tuple(data.names) or name in model or len(text) > 2000:
            return Score.wrong("each predicate must have one line `name: elements`")
        elements = finite_models.elements(text, ARITY[name], data.size)
        if elements is None:
            return Score.wrong(f"the line of {name} does not list elements or pairs of elements of the domain, each once")
        model[name] = elements
    if len(model) != len(data.names):
        return Score.wrong("a predicate has no line")
    if not _agrees_with_facts(data, model):
        return Score.wrong("the model does not agree with what is known of some elements")
    for k, sentence in enumerate(data.sentences, 1):
        if not finite_models.is_true(sentence, model, data.size):
            return Score.wrong(f"sentence {k} is false in this model")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    data = task.data
    every = {name: frozenset(product(range(1, data.size + 1), repeat=ARITY[name])) for name in data.names}
    return [
        _answer(data, dict.fromkeys(data.names, frozenset())),
        _answer(data, every),
        right[:-1],
        tuple(f"{line.partition(':')[0]}: {data.size + 1}" for line in right),
        _answer(data, {name: frozenset(all_ for all_ in every[name] if len(set(all_)) == 1) for name in data.names}),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    atoms = sum(data.size ** ARITY[name] for name in data.names)
    return float(atoms * sum(data.size ** len(sentence.quantifiers) for sentence in data.sentences))


def derive(task: Task[Data]) -> Derivation:
    data, model = task.data, dict[str, frozenset[tuple[int, ...]]]()
    for line in _answer(data, next(_find_models(data))):
        step = HELD(name=line[0], elements=line[3:])
        taken = yield step.accepting(partial(_is_predicate, data, dict(model), line[0]))
        model[line[0]] = finite_models.elements(taken["elements"], ARITY[line[0]], data.size) or frozenset()
    for k, sentence in enumerate(data.sentences, 1):
        if not finite_models.is_true(sentence, model, data.size):
            return  # nothing follows from a model in which a sentence is false
        text = finite_models.write(sentence)
        if "E" in sentence.quantifiers:
            choices = [f"{_tuple(outer)} {value}".strip() for outer, value in finite_models.choices(sentence, model, data.size)]
            step = TAKEN(k=k, said=text, last="xyz"[sentence.quantifiers.index("E")], choices=choices)
            yield step.accepting(partial(_are_choices, data, model, sentence, k))
        elif cases := finite_models.cases(sentence, model, data.size):
            yield CASES(k=k, said=text, cases=", ".join(map(_tuple, cases)))
        else:
            yield FREE(k=k, said=text)
    yield END(answer="\n".join(_answer(data, model)))


def _is_predicate(data: Data, model: Model, due: str, /, name: str, elements: str) -> bool:
    """Whether a predicate may hold of these elements, as far as the facts go."""
    read = finite_models.elements(elements, ARITY[due], data.size)
    return name == due and read is not None and _agrees_with_facts(data, {**model, name: read})


def _are_choices(
    data: Data, model: Model, sentence: Sentence, number: int, /, k: int, said: str, last: str, choices: tuple[str, ...]
) -> bool:
    """Whether each value of the variables outside has a choice that makes the sentence true."""
    depth = sentence.quantifiers.index("E")
    outers = [_tuple(outer) for outer in product(range(1, data.size + 1), repeat=depth)]
    chosen = [choice.rpartition(" ") for choice in choices]
    inside = all(1 <= int(value) <= data.size for _, _, value in chosen)
    sound = all(finite_models.is_true(sentence, model, data.size, (*_numbers(outer), int(value))) for outer, _, value in chosen)
    named = (k, said, last) == (number, finite_models.write(sentence), "xyz"[depth])
    return named and inside and sound and [outer for outer, _, _ in chosen] == outers


def _sample_task(rng: Rng, knobs: Knobs, drawn: Callable[[Rng, str, str, Model], Iterator[Sentence]]) -> Task[Data]:
    size = knobs.size
    names = "PQ" if knobs.quantifiers == "one" else "PQR" if knobs.quantifiers == "two" else "PQRS"
    while True:
        planted = model_sentences.random(rng, size, names)
        others = model_sentences.plain_models(size, names) + [model_sentences.random(rng, size, names) for _ in range(5)]
        chosen: list[Sentence] = []
        for sentence in islice(drawn(rng, knobs.quantifiers, names, planted), 12 * knobs.sentences):
            if sentence in chosen or not finite_models.is_true(sentence, planted, size):
                continue
            models_left = [model for model in others if finite_models.is_true(sentence, model, size)]
            # each sentence must tell something, as long as there is anything left to tell from the planted model
            if len(models_left) < len(others) or not others or rng.chance(0.3):
                chosen.append(sentence)
                others = models_left
            if len(chosen) == knobs.sentences:
                break
        atoms = [(name, values) for name in names for values in product(range(1, size + 1), repeat=ARITY[name])]
        facts = tuple((name, values, values in planted[name]) for name, values in sorted(rng.sample(atoms, min(size + 2, len(atoms) - 2))))
        data = Data(size=size, names=names, sentences=tuple(chosen), facts=facts)
        # A model in which each predicate holds of nothing, of everything or of one plain set would be guessed.
        plain = (model for model in model_sentences.plain_models(size, names) if _agrees_with_facts(data, model))
        fits = any(all(finite_models.is_true(sentence, model, size) for sentence in chosen) for model in plain)
        if len(chosen) > 1 and not fits and next(_find_models(data), None):
            break
    listing = "\n".join(f"{k}. {finite_models.write(sentence)}" for k, sentence in enumerate(chosen, 1))
    pairs = [name for name in names if ARITY[name] == 2]
    kinds = f"{', '.join(name for name in names if ARITY[name] == 1)} hold of single elements" + (
        f", {' and '.join(pairs)} of ordered pairs of elements" if pairs else ""
    )
    return Task(
        f"The domain has the elements 1 to {size}. The predicates {kinds}. Different variables may stand for the same element.\n{listing}\n\n"
        f"It is known that {', '.join(finite_models.describe(*fact) for fact in facts)}. "
        f"State the elements{' and pairs' if pairs else ''} for which each predicate holds, so that this and all sentences are true.",
        data,
    )


def _tuple(values: Sequence[int]) -> str:
    """Values of x, y, z in order, such as (1 2)."""
    return f"({' '.join(map(str, values))})" if values else ""


def _agrees_with_facts(data: Data, model: Model) -> bool:
    """Whether the predicates that the model tells of agree with the facts."""
    return all((values in model[name]) == holds for name, values, holds in data.facts if name in model)


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.strip("()").split()]


def _find_models(data: Data, order: tuple[bool, ...] = (False, True)) -> Iterator[Model]:
    """Models found with one value tried first, then with the other."""
    for first in order:
        yield from finite_models.models(data.sentences, {name: ARITY[name] for name in data.names}, data.size, first, data.facts)


def _answer(data: Data, model: Model) -> Answer:
    return tuple(f"{name}: {' '.join('-'.join(map(str, values)) for values in sorted(model[name])) or 'none'}" for name in data.names)


def _solutions(task: Task[Data]) -> Iterator[Answer]:
    """Models found with the other value tried first, and others that differ from one in a single place."""
    data = task.data
    for model in _find_models(data, (True, False)):
        yield _answer(data, model)
        for name in data.names:
            for values in product(range(1, data.size + 1), repeat=ARITY[name]):
                other = {**model, name: model[name] ^ {values}}
                if _agrees_with_facts(data, other) and all(
                    finite_models.is_true(sentence, other, data.size) for sentence in data.sentences
                ):
                    yield _answer(data, other)


environment = Environment(
    Knobs,
    Lines(
        "one line `name: elements` for each predicate, with elements like 2 or pairs like 2-1 separated by spaces, or the word none if there are none",
        max_items=8,
    ),
    generate, solve, verify, mistakes, cost,
    version=3, shift=shift, solution=Solution(derive, END), answers="many", solutions=_solutions,
    concept="Begin with what sentences that say there is something ask for, add what the others make of it, and go back where two of them clash.",
)  # fmt: skip
