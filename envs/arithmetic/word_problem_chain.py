"""Find how many of something a person has, from comparisons with others.

Each sentence compares the numbers of two or three people (or of goods in a shop). On the upper levels up to four of nine sentences are false, so that
no sentence tells anything alone. In the shifted family the first number is unknown: a total is given, perhaps in dozens, and where all sentences are true, some
are irrelevant.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.stories import SHOPS, false_sentences, goods, linked, people, phrase, places
from rlgym.generators.stories.comparing import MEETINGS, OPENINGS, OWNED, STOCKED
from rlgym.generators.stories.false_sentences import Sentences
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, comparison, make_puzzle, weighted_sum
from rlgym.generators.text.english import join_words
from rlgym.solutions import Derivation, Solution, SolutionByTask

MOST = 3000
MOST_QUANTITIES = 24
RELATIONS = {"plain": ("more", "fewer", "times"), "mixed": ("more", "fewer", "times", "part", "over", "under")}
RELATIONS["joint"] = (*RELATIONS["mixed"], "both", "both")
CONCEPT = (
    "Start from the number that is given (or try 0 and 1 for one) and go from comparison to comparison, each time to a number that is new. "
    "Where sentences are false, suppose which, and see whether the others agree."
)


class Knobs(Config):
    quantities: int = knob(
        24,
        easy=2,
        hard=46,
        doc="how many numbers are compared, at most 24; where sentences are false there are 4, and a sixth of what exceeds 20 is false",
    )
    relations: str = knob("mixed", easy="plain", hard="joint", order=tuple(RELATIONS), doc="kinds of comparison")
    backwards: int = knob(30, easy=0, hard=60, doc="percent of comparisons stated from the unknown to the known")
    question: str = knob(
        "total", easy="one", hard="total", order=("one", "gap", "total"), doc="whether to find one number, a difference or a sum"
    )
    truth: str = knob("all true", easy="all true", hard="some false", order=("all true", "some false"), doc="whether sentences are false")


class Data(TaskData):
    puzzle: Puzzle | None = None
    sentences: Sentences | None = None
    wanted: Weighed
    right: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, shifted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, shifted=True)


def solve(task: Task[Data]) -> int:
    data = task.data
    if data.sentences:
        return _weighed(data.wanted, false_sentences.numbers_by_bases(data.sentences))
    return linked.solve(_puzzle_task(task))


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.right, "that number does not fit all the sentences")


def mistakes(task: Task[Data], right: int) -> list[int]:
    sentences = task.data.sentences
    if sentences is None:
        return linked.mistakes(_puzzle_task(task), right)
    numbers = false_sentences.numbers_by_bases(sentences)
    near = [_weighed(task.data.wanted, [*numbers[:i], numbers[i] + 1, *numbers[i + 1 :]]) for i in range(len(numbers))]
    return [answer for answer in (*near, right + 1, right - 1, 2 * right, *numbers) if answer != right]


def cost(task: Task[Data]) -> float:
    sentences = task.data.sentences
    if sentences is None:
        return linked.cost(_puzzle_task(task))
    return float(comb(len(sentences.said), sentences.false) * len(sentences.names) ** 3)


def derive(task: Task[Data]) -> Derivation:
    assert task.data.sentences is not None
    yield from false_sentences.derive(task.data.sentences)


def _puzzle_task(task: Task[Data]) -> Task[Puzzle]:
    assert task.data.puzzle is not None
    return Task(task.prompt, task.data.puzzle)


def _weighed(wanted: Weighed, numbers: Sequence[int]) -> int:
    return int(weighted_sum(wanted, dict(enumerate(map(Fraction, numbers)))))


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Data]:
    if knobs.truth == "some false":
        return _sample_false_sentences(rng, knobs, shifted)
    count = min(knobs.quantities, MOST_QUANTITIES) + shifted
    owned = rng.chance(0.5)
    bank = OWNED if owned else STOCKED
    thing, (town,) = goods(rng, 1)[0].many, places(rng, 1)
    names = people(rng, count) if owned else [good.many for good in goods(rng, count)]
    full_names = names if owned else [f"the {name}" for name in names]
    counts, links, sentences = [rng.integer(3, 40)], [], []
    for i in range(1, count):
        kind, link, number, gaps = _sample_link(rng, knobs, counts, i)
        counts.append(number)
        links.append(link)
        who = [names[j] for j in link.who]
        sentences.append(phrase(rng, bank[kind], a=who[0], b=who[1], c=who[-1], goods=thing, **gaps))
    total = sum(counts)
    if shifted:
        dozens = f"{total // 12} dozen and {total % 12}" if total > 12 and total % 12 > 1 and rng.chance(0.3) else str(total)
        sentences.append(phrase(rng, bank["total"], all=join_words(full_names), n=dozens, goods=thing))
        sentences += [phrase(rng, bank["aside"], who=rng.choice(names), n=rng.integer(3, 60), goods=thing) for _ in range(1 + count // 4)]
    else:
        sentences.append(phrase(rng, bank["is"], a=names[0], n=counts[0], goods=thing))
    kind, target = _question(rng, knobs, counts)
    ends = [names[i] for weight in (1, -1) for i in range(count) if target.weights[i] == weight]
    joint = join_words([full_names[i] for i in range(count) if target.weights[i]])
    question = phrase(rng, bank[kind], a=ends[0], b=ends[-1], all=joint, goods=thing)
    opening = phrase(rng, MEETINGS if owned else OPENINGS, town=town, goods=thing, shop=rng.choice(SHOPS))
    closing = Weighed(weights=(1,) * count, add=-total) if shifted else None
    puzzle = make_puzzle(names, links, counts, target, known=None if shifted else counts[0], closing=closing)
    if puzzle is None:
        return _sample_task(rng, knobs, shifted)
    return Task(" ".join([opening, *rng.shuffled(sentences), question]), Data(puzzle=puzzle, wanted=target, right=puzzle.right[0]))


def _sample_false_sentences(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Data]:
    size, false = 4, max(1, (knobs.quantities - 20) // 6)
    thing, (town,), names = goods(rng, 1)[0].many, places(rng, 1), people(rng, size)
    sentences, numbers = false_sentences.sample(rng, names, false, total_known=shifted)
    lines = [f"{i}. {false_sentences.render(rng, names, equation, thing)}" for i, equation in enumerate(sentences.said, 1)]
    chosen = sorted(rng.sample(range(size), rng.integer(1, 2)))
    target = Weighed(weights=tuple(int(i in chosen) for i in range(size)))
    asked = join_words([names[i] for i in chosen])
    question = f"How many {thing} do {asked} have in all?" if len(chosen) > 1 else f"How many {thing} does {asked} have?"
    known = [false_sentences.render(rng, names, equation, thing) + " This is true." for equation in sentences.certain]
    count = f"Exactly {len(lines) - false} of these {len(lines)} sentences are true:"
    opening = [phrase(rng, MEETINGS, town=town, goods=thing), f"{join_words(names)} have at least one each.", *known, count]
    return Task("\n".join([" ".join(opening), *lines, question]), Data(sentences=sentences, wanted=target, right=_weighed(target, numbers)))


def _question(rng: Rng, knobs: Knobs, counts: Sequence[int]) -> tuple[str, Weighed]:
    end = len(counts) - 1
    weights = [0] * end + [1]
    unequal = [i for i in range(end) if counts[i] != counts[end]]
    if knobs.question == "total" and end > 1:
        for i in rng.sample(range(end), rng.integer(1, end)):
            weights[i] = 1
        return "ask_total", Weighed(weights=tuple(weights))
    if knobs.question == "one" or not unequal:
        return "ask", Weighed(weights=tuple(weights))
    other = rng.choice(unequal)
    weights[other], weights[end] = (-1, 1) if counts[end] > counts[other] else (1, -1)
    return "ask_gap", Weighed(weights=tuple(weights))


def _sample_link(rng: Rng, knobs: Knobs, counts: Sequence[int], new: int) -> tuple[str, Link, int, dict[str, int]]:
    """A comparison of a new number with earlier ones: its kind, what it says, the number, and the numbers that the sentence names."""
    while True:
        kind = rng.choice(RELATIONS[knobs.relations])
        old, n, m = rng.integer(max(0, new - 3), new - 1), rng.integer(2, 6), rng.integer(2, 25)
        other = rng.integer(0, new - 1)
        if kind == "both":
            if other == old:
                continue
            number = Fraction(counts[old] + counts[other])
            link = Link(who=(new, old, other))
        else:
            times, add = comparison(kind, n, m)
            turned = rng.chance(knobs.backwards / 100)
            link = Link(who=(old, new) if turned else (new, old), times=times, add=add)
            number = (counts[old] - add) / Fraction(*times) if turned else counts[old] * Fraction(*times) + add
        if 2 <= number <= MOST and number.denominator == 1:
            return kind, link, int(number), {"n": m if kind in ("more", "fewer") else n, "m": m}


LINKED, FALSE = linked.solution_of(_puzzle_task), Solution(derive, "Answer: {answer}")

environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: FALSE if task.data.sentences else LINKED),
    shift=shift,
    concept=CONCEPT,
    version=4,
)
