"""Find the wrong statements of an article by a table, and write a correction notice that states what is right, and nothing else.

Some statements are read off the table, others are sums or differences of its figures. A notice that repeats a wrong figure, corrects what was right or lists
the whole table earns nothing.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.writing.composing import compose, grouped, in_words, write_sentence
from rlgym.rubrics import Fact, FactSheet, Term, rubric_of_facts
from rlgym.solutions import Derivation, Solution, Step

TOWNS = "Alderby Brixley Carsholt Denwick Elmstow Farnley Garside Hexby Ickworth Jarrow".split()
THINGS = {
    "schools": ("schools", "school"),
    "bridges": ("bridges", "bridge"),
    "farms": ("farms", "farm"),
    "shops": ("shops", "shop"),
    "parks": ("parks", "park"),
}
VALLEY_TOWNS = "Kelby Lowmoor Marston Norwick Oakley Penryn Quarley Rushden Selby Tarland".split()
VALLEY = {
    "wells": ("wells", "well"),
    "barns": ("barns", "barn"),
    "boats": ("boats", "boat"),
    "mills": ("mills", "mill"),
    "chapels": ("chapels", "chapel"),
}
ALL = ("together", "total", "altogether", "sum", "all", "combined")
MORE = ("more", "ahead", "exceeds", "outnumbers", "outnumber", "exceed")
ARTICLE = {
    "cell": ("{a} counts {n} {things}.", "One finds {n} {things} in {a}.", "The number of {things} in {a} is {n}."),
    "total": ("All towns together have {n} {things}.", "Taken together, the towns possess {n} {things}."),
    "more": ("{a} has {n} {things} more than {b}.", "Compared with {b}, the town of {a} has {n} more {things}."),
}
NOTICE = {
    "cell": (
        "{a} has {n} {things}.",
        "The right number for {a} is {n} {things}.",
        "In truth there are {n} {things} in {a}.",
        "We should have written that {a} owns {n} {things}.",
    ),
    "total": (
        "Together the towns have {n} {things}.",
        "The total of {things} is {n}.",
        "In all there are {n} {things}.",
        "The sum over {things} comes to {n}.",
    ),
    "more": ("{a} has {n} more {things} than {b}.", "{a} exceeds {b} by {n} {things}.", "In {things}, {a} is ahead of {b} by {n}."),
}  # fmt: skip
OPENINGS = (
    "We regret the errors in our article.",
    "Our article needs to be corrected.",
    "Readers have pointed us to mistakes in the article.",
)
CLOSINGS = ("We thank our readers.", "The online edition has been updated.", "The rest of the article stands.")
FOUND = Step("Statement {number:int} is {verdict}: by the table it is {right:int}, and the article says {said:int}.")
Table = dict[tuple[str, str], int]


class Knobs(Config):
    towns: int = knob(5, easy=3, hard=8, doc="rows of the table")
    things: int = knob(3, easy=2, hard=5, doc="columns of the table")
    statements: int = knob(7, easy=4, hard=18, doc="statements of the article")
    derived: float = knob(0.4, easy=0.0, hard=0.9, doc="share of statements on sums and differences")


class Statement(TaskData):
    kind: str
    a: str
    b: str
    things: str
    said: int
    right: int


class Data(TaskData):
    sheet: FactSheet
    statements: tuple[Statement, ...]
    most_words: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, TOWNS, THINGS)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Villages of a valley with wells, barns and boats."""
    return _sample_task(rng, knobs, VALLEY_TOWNS, VALLEY)


def solve(task: Task[Data]) -> str:
    return _written(task.prompt, 0)


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    required = list(dict.fromkeys(_name(each) for each in data.statements if each.said != each.right))
    return rubric_of_facts(data.sheet, required, data.most_words).score(answer)


def mistakes(task: Task[Data], right: str) -> list[str]:
    wrong = [each for each in task.data.statements if each.said != each.right]
    number = re.search(r"\d+", right)
    changed = right.replace(number[0], str(int(number[0]) + 1), 1) if number else ""
    repeated = f"{right} We wrote that it was {wrong[0].said}."
    listed = " ".join(f"{_name(each)}: {each.right}." for each in wrong)
    fine = next((each for each in task.data.statements if each.said == each.right), None)
    more = f"{right} {_sentence(Rng('more'), fine, 0)}" if fine else ""
    return [text for text in (changed, repeated, listed, more, " ".join(OPENINGS), task.prompt) if text]


def cost(task: Task[Data]) -> float:
    rows = len(re.findall(r"^\w+(?: +\d+)+$", task.prompt, re.MULTILINE))
    return sum({"cell": 2.0, "total": 2.0 + rows, "more": 5.0}[each.kind] for each in task.data.statements) + rows


def derive(task: Task[Data]) -> Derivation:
    for number, each in enumerate(task.data.statements, 1):
        yield FOUND(number=number, verdict="right" if each.said == each.right else "wrong", right=each.right, said=each.said)


def _name(each: Statement) -> str:
    return {
        "cell": f"{each.things} of {each.a}",
        "total": f"{each.things} of all towns",
        "more": f"{each.things} of {each.a} over {each.b}",
    }[each.kind]


def _sample_task(rng: Rng, knobs: Knobs, names: list[str], kinds: Mapping[str, tuple[str, ...]]) -> Task[Data]:
    towns, things = rng.sample(names, knobs.towns), rng.sample(list(kinds), knobs.things)
    while True:
        table = {(town, thing): rng.integer(2, 80) for town in towns for thing in things}
        every = [Statement(kind="cell", a=town, b="", things=thing, said=0, right=table[town, thing]) for town in towns for thing in things]
        derived = [
            Statement(kind="total", a="", b="", things=thing, said=0, right=sum(table[town, thing] for town in towns)) for thing in things
        ]
        for first, second in pairwise(towns):
            for thing in things:
                a, b = (first, second) if table[first, thing] > table[second, thing] else (second, first)
                derived.append(Statement(kind="more", a=a, b=b, things=thing, said=0, right=table[a, thing] - table[b, thing]))
        if all(each.right > 1 for each in derived):
            break
    count = min(len(derived), round(knobs.derived * knobs.statements))
    chosen = rng.shuffled(rng.sample(derived, count) + rng.sample(every, min(len(every), knobs.statements - count)))
    wrong = set(rng.sample(range(len(chosen)), rng.integer(max(2, len(chosen) // 4), max(2, len(chosen) // 2))))
    stated = [each.model_copy(update={"said": _slip(rng, each, table) if at in wrong else each.right}) for at, each in enumerate(chosen)]
    facts = tuple(_fact(each, kinds) for each in (*every, *derived))
    vocabulary = tuple(Term(aliases=words) for words in (*((town,) for town in towns), *(kinds[thing] for thing in things), MORE))
    width = max(len(thing) for thing in things) + 3
    header = f"{'':<10}" + "".join(f"{thing:>{width}}" for thing in things)
    rows = [f"{town:<10}" + "".join(f"{table[town, thing]:>{width}}" for thing in things) for town in towns]
    most = 16 * len(wrong) + 40
    article = " ".join(write_sentence(rng, ARTICLE, each.kind, a=each.a, b=each.b, n=each.said, things=each.things) for each in stated)
    prompt = (
        "This table is correct:\n\n" + "\n".join([header, *rows]) + f"\n\nThis article is not, in some places:\n\n{article}\n\n"
        "Write a correction notice. For each wrong statement it has exactly one sentence, which states in full what is right: the same towns, the "
        "same things, and the right figure. Differences keep their direction: more, never less or fewer. Such a sentence mentions no other town, thing or "
        "figure; the notice does not repeat a wrong figure and says nothing about statements that are right. Other sentences are allowed, "
        f"but they name no towns, things or figures. Write at most {most} words of plain text, without lists."
    )
    return Task(prompt, Data(sheet=FactSheet(facts=facts, vocabulary=vocabulary), statements=tuple(stated), most_words=most))


def _fact(each: Statement, kinds: Mapping[str, tuple[str, ...]]) -> Fact:
    things, number = Term(aliases=kinds[each.things]), Term(aliases=(str(each.right),))
    if each.kind == "cell":
        return Fact(name=_name(each), terms=(Term(aliases=(each.a,)), things, number), keys=2)
    if each.kind == "total":
        return Fact(name=_name(each), terms=(Term(aliases=ALL), things, number), keys=2)
    # The town that has more comes first, unless the sentence compares "with" or "to" the other.
    terms = (Term(aliases=(each.a,)), Term(aliases=MORE), Term(aliases=(each.b,)))
    return Fact(name=_name(each), terms=(terms[0], terms[2], terms[1], things, number), keys=4, ordered=2)


def _slip(rng: Rng, each: Statement, table: Table) -> int:
    """A figure near the right one, or that of another cell."""
    others = [
        value
        for (town, thing), value in table.items()
        if each.kind == "cell" and (thing == each.things) != (town == each.a) and value != each.right
    ]
    return (
        rng.choice(others)
        if others and rng.chance(0.5)
        else each.right + rng.choice([1, 2, 3, 10]) * rng.choice([1, 1, -1] if each.right > 11 else [1])
    )


def _sentence(rng: Rng, each: Statement, key: int) -> str:
    number = (str, grouped, in_words)[key % 3]
    return write_sentence(rng, NOTICE, each.kind, a=each.a, b=each.b, n=number(each.right), things=each.things)


def _written(prompt: str, key: int) -> str:
    """A notice, from what the prompt shows: each sentence of the article is computed from the table again."""
    rng, (_, table_text, _, article, *_) = Rng("notice", key, prompt), prompt.split("\n\n")
    lines = table_text.split("\n")
    things, table = lines[0].split(), Table()
    for line in lines[1:]:
        town, *cells = line.split()
        table.update({(town, thing): int(cell) for thing, cell in zip(things, cells)})
    towns, sentences = list(dict.fromkeys(town for town, _ in table)), list[str]()
    for text in re.split(r"(?<=\.)\s", article):
        said, thing = int(re.findall(r"\d+", text)[0]), next(thing for thing in things if thing in text)
        named = sorted((town for town in towns if town in text), key=text.index)
        if "ompared with" in text:
            named.reverse()
        values = [table[town, thing] for town in named]
        right = values[0] - values[1] if len(named) == 2 else values[0] if named else sum(table[town, thing] for town in towns)
        if said != right:
            kind = "more" if len(named) == 2 else "cell" if named else "total"
            a, b = (*named, "", "")[:2]
            sentences.append(_sentence(rng, Statement(kind=kind, a=a, b=b, things=thing, said=said, right=right), key))
    return compose(rng, rng.shuffled(sentences) if key else sentences, OPENINGS, CLOSINGS)


def _solutions(task: Task[Data]) -> Iterator[str]:
    yield from (_written(task.prompt, key) for key in range(1, 6))


environment = Environment(
    Knobs, Passage("the notice"), generate, solve, verify, mistakes, cost,
    shift=shift, answers="many", solutions=_solutions, solution=Solution(derive, "So this notice corrects the wrong statements:\n{answer}"),
    concept="Check every statement by the table first; then state the right figure for each wrong one, and leave the others alone.",
)  # fmt: skip
