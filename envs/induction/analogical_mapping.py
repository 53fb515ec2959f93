"""Find what corresponds to what in two stories of the same structure: names and verbs of the one for names and verbs of the other.

In the shifted family everybody takes part in each relation in the same number of facts, so that counting tells nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, answers, knob
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Solution, Step

Fact = tuple[str, str, str]  # who, does what, to whom
Pairs = tuple[tuple[str, str], ...]
VERBS = "admires calls drives envies feeds greets helps invites joins knows likes meets notices obeys praises teaches visits warns".split()
SAME = Step("{one} becomes {other}: it occurs in {facts:int} fact(s), the other in {images:int}")
FACT = Step("Fact {number:int}, {fact}, becomes {image}, which is fact {place:int} of the second story")
END = "The mapping:\n{answer}"


class Knobs(Config):
    people: int = knob(7, easy=4, hard=12, beyond=18, doc="people of each story")
    verbs: int = knob(2, easy=1, hard=4, doc="verbs of each story")
    facts: int = knob(12, easy=5, hard=26, beyond=44, doc="facts of the first story at least, where there is room")
    more: int = knob(2, easy=0, hard=6, beyond=12, doc="facts of the second story that correspond to none of the first")


class Data(TaskData):
    first: tuple[Fact, ...]
    second: tuple[Fact, ...]
    right: Pairs


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Any facts in which all people and verbs occur."""
    people, verbs = rng.sample(PEOPLE, knobs.people), rng.sample(VERBS, knobs.verbs)
    facts = {(who, rng.choice(verbs), rng.choice([whom for whom in people if whom != who])): None for who in people}
    facts |= {(people[0], verb, people[1]): None for verb in verbs}
    while len(facts) < min(knobs.facts, len(people) * (len(people) - 1) * len(verbs)):
        who, whom = rng.sample(people, 2)
        facts[who, rng.choice(verbs), whom] = None
    return _sample_task(rng, list(facts), knobs.more)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """For each verb the people in a circle, everybody doing it to the next, and to the next but one where many facts are wanted."""
    people, verbs = rng.sample(PEOPLE, knobs.people), rng.sample(VERBS, knobs.verbs)
    facts = list[Fact]()
    for verb in verbs:
        circle = rng.shuffled(people)
        for step in (1, 2) if 2 * knobs.facts > 3 * len(people) * len(verbs) else (1,):
            facts += [(who, verb, circle[(k + step) % len(circle)]) for k, who in enumerate(circle)]
    return _sample_task(rng, facts, knobs.more)


def _sample_task(rng: Rng, facts: list[Fact], more: int) -> Task[Data]:
    people, verbs = list(dict.fromkeys(fact[0] for fact in facts)), list(dict.fromkeys(fact[1] for fact in facts))
    people += [whom for whom in dict.fromkeys(fact[2] for fact in facts) if whom not in people]
    others = rng.sample([name for name in PEOPLE if name not in people], len(people))
    doings = rng.sample([verb for verb in VERBS if verb not in verbs], len(verbs))
    right = dict(zip(people, others)) | dict(zip(verbs, doings))
    second = [_image(right, fact) for fact in facts]
    room = [(who, verb, whom) for verb in doings for who in others for whom in others if who != whom and (who, verb, whom) not in second]
    second += rng.sample(room, min(more, len(room)))
    pairs = tuple(sorted((first.lower(), second.lower()) for first, second in right.items()))
    data = Data(first=tuple(rng.shuffled(facts)), second=tuple(rng.shuffled(second)), right=pairs)
    return Task(_render_prompt(data), data)


def _image(stands: Mapping[str, str], fact: Fact) -> Fact:
    who, verb, whom = fact
    return stands[who], stands[verb], stands[whom]


def _render_prompt(data: Data) -> str:
    first, second = ("\n".join(f"{k}. {' '.join(fact)}" for k, fact in enumerate(story, 1)) for story in (data.first, data.second))
    over = len(data.second) - len(data.first)
    left = f"; {over} of the facts of the second story {'corresponds' if over == 1 else 'correspond'} to none of the first" if over else ""
    return (
        f"First story:\n{first}\n\nSecond story:\n{second}\n\nMap each person of the first story to a person of the second and each verb of "
        "the first to a verb of the second, each to a different one, so that every fact of the first story becomes a fact of the "
        f"second{left}. If several mappings work, give any one of them."
    )


def _words(story: Sequence[Fact]) -> tuple[list[str], list[str]]:
    """People and verbs of a story, as they come."""
    people = dict.fromkeys(name for who, _, whom in story for name in (who, whom))
    return list(people), list(dict.fromkeys(verb for _, verb, _ in story))


def _mappings(data: Data, given: Mapping[str, str], backwards: bool = False) -> Iterator[dict[str, str]]:
    """All mappings that hold what is given: verbs first, then always the person with the fewest images left."""
    (people, verbs), (others, doings) = _words(data.first), _words(data.second)
    facts = set(data.second)
    if backwards:
        people, others, doings = people[::-1], others[::-1], doings[::-1]

    def grown(stands: dict[str, str], facts_left: dict[str, list[str]]) -> Iterator[dict[str, str]]:
        if not facts_left:
            yield stands
            return
        who = min(facts_left, key=lambda name: len(facts_left[name]))
        for image in facts_left[who]:
            now = stands | {who: image}
            rest = {name: [other for other in images if other != image] for name, images in facts_left.items() if name != who}
            for subject, verb, two in data.first:
                if subject == who and two in rest:
                    rest[two] = [other for other in rest[two] if (image, stands[verb], other) in facts]
                if two == who and subject in rest:
                    rest[subject] = [other for other in rest[subject] if (other, stands[verb], image) in facts]
            if all(rest.values()) and all(_image(now, fact) in facts for fact in data.first if who in fact and not {*fact} & {*rest}):
                yield from grown(now, rest)

    for order in permutations(doings):
        stands = dict(zip(verbs, order))
        if all(given.get(verb, image) == image for verb, image in stands.items()):
            yield from grown(stands, {who: [given[who]] if who in given else others for who in people})


def _pairs(stands: Mapping[str, str]) -> Pairs:
    return tuple(sorted((first.lower(), second.lower()) for first, second in stands.items()))


def solve(task: Task[Data]) -> Pairs:
    return _pairs(next(_mappings(task.data, {})))


def solutions(task: Task[Data]) -> Iterator[Pairs]:
    yield from map(_pairs, islice(_mappings(task.data, {}, backwards=True), 3))


def verify(task: Task[Data], answer: Pairs) -> Score:
    stands, facts = dict(answer), {tuple(map(str.lower, fact)) for fact in task.data.second}
    (people, verbs), (others, doings) = _words(task.data.first), _words(task.data.second)
    for names, images in ((people, others), (verbs, doings)):
        if sorted(stands.get(name.lower(), "") for name in names) != sorted(image.lower() for image in images):
            return Score.exact(False, "the people, or the verbs, are not mapped one to one to those of the second story")
    if len(stands) != len(people) + len(verbs):
        return Score.exact(False, "something is mapped that is not in the first story")
    kept = all(tuple(stands[word.lower()] for word in fact) in facts for fact in task.data.first)
    return Score.exact(kept, "some fact of the first story does not become a fact of the second")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    """Two exchanged, two the same, all turned round, and names in the order in which they come."""
    (word_a, first), (two, second), *rest = right
    counterparts = [dict(zip(names, images)) for names, images in zip(_words(task.data.first), _words(task.data.second))]
    turned = tuple(sorted((image, name) for name, image in right))
    return [
        ((word_a, second), (two, first), *rest),
        ((word_a, first), (two, first), *rest),
        turned,
        _pairs(counterparts[0] | counterparts[1]),
    ]


def cost(task: Task[Data]) -> float:
    people, verbs = _words(task.data.first)
    return float(len(people) * len(verbs) * len(task.data.second))


def derive(task: Task[Data]) -> Derivation:
    data, mapping = task.data, next(_mappings(task.data, {}))
    for first, second in mapping.items():
        yield SAME(one=first, other=second, facts=_occurrences(data.first, first), images=_occurrences(data.second, second))
    for number, fact in enumerate(data.first, 1):
        image = _image(mapping, fact)
        yield FACT(number=number, fact=" ".join(fact), image=" ".join(image), place=data.second.index(image) + 1)


def checks(task: Task[Data]) -> Checks:
    data, mapping = task.data, dict[str, str]()

    def same(one: str, other: str, facts: int, images: int) -> bool:
        counts = _occurrences(data.first, one), _occurrences(data.second, other)
        if one in mapping or not facts or (facts, images) != counts or not any(True for _ in _mappings(data, mapping | {one: other})):
            return False
        mapping[one] = other
        return True

    def corresponds(number: int, fact: str, image: str, place: int) -> bool:
        mapped = " ".join(_image(mapping, data.first[number - 1]))
        return place > 0 and fact == " ".join(data.first[number - 1]) and image == mapped == " ".join(data.second[place - 1])

    return {SAME: same, FACT: corresponds}


def _occurrences(facts: Sequence[Fact], word: str) -> int:
    return sum(word in fact for fact in facts)


environment = Environment(
    Knobs, answers.Mapping("each person and each verb of the first story, one per line, as `word of the first story: word of the second story`", max_items=40),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many", solutions=solutions,
    concept="Who does a thing how often, and to whom, tells names apart; then one sure name leads along the facts to the next.",
    version=3,
)  # fmt: skip
