"""Find a word that several regular expressions match, or prove that there is none.

The proof is a list of places in the expressions that reading one word can lead to together: from none of them may one get out of the list, or
be at the end everywhere.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Regex, Words
from rlgym.answers.regex import Pattern
from rlgym.generators import expression_places as places
from rlgym.generators import expressions
from rlgym.generators.expression_places import Place
from rlgym.generators.steps import Line, first_wrong

RING = Line("After {size} letters of a word, these places can be reached for the first time: {places}")
READ = Line("At {places} each expression may end; a way there reads {word}")
STUCK = Line("No place is new after {size} letters, and at none of the {count} places found may each expression end")
MOST_WORD, MOST_PLACES = 300, 2000
Answer = tuple[str, ...]


class Knobs(Config):
    length: int = knob(9, easy=4, hard=17, doc="letters of the word that the expressions are drawn around")
    expressions: int = knob(2, easy=2, hard=3, doc="how many expressions there are")
    nesting: int = knob(2, easy=1, hard=3, doc="how deep repetitions and choices stand inside each other")
    empty: int = knob(15, easy=0, hard=25, doc="percent of tasks in which no word is common")


class Data(TaskData):
    expressions: tuple[str, ...]
    alphabet: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, "folded")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Expressions that count: runs of one letter whose lengths leave remainders, with other letters between."""
    return _made(rng, knobs, "counting")


def solve(task: Task[Data]) -> Answer:
    rings, way = places.search(_patterns(task.data))
    return (way,) if way else ("none", *map(places.shown, sorted(place for ring in rings for place in ring)))


def verify(task: Task[Data], answer: Answer) -> Score:
    patterns = _patterns(task.data)
    if answer[0].strip(":") == "none":
        return _refuted(patterns, answer[1:])
    if len(answer) != 1 or len(answer[0]) > MOST_WORD:
        return Score.wrong(f"expected one word of at most {MOST_WORD} letters, or none and a proof")
    for k, pattern in enumerate(patterns, 1):
        positions = -1
        for letter in answer[0]:
            positions = pattern.after(positions, letter)
        if not pattern.accepts(positions):
            return Score.wrong(f"expression {k} does not match this word")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    data = task.data
    plain = tuple("".join(sign for sign in text if sign.isalpha()) for text in data.expressions)
    if right[0] == "none":
        return [("none",), right[:-1], ("none", *right[2:]), (plain[0],), (plain[1],)]
    word = right[0]
    return [(word[:-1],), (word[1:],), ("none",), (plain[0],), ("none", "1" + "-1" * (len(plain) - 1)), (word[::-1],), (word + word[0],)]


def cost(task: Task[Data]) -> float:
    rings, _ = places.search(_patterns(task.data))
    return float(sum(map(len, rings)) * len(task.data.expressions))


def explain(task: Task[Data]) -> list[str]:
    rings, way = places.search(_patterns(task.data))
    steps = [RING.write(size=k, places=", ".join(map(places.shown, ring))) for k, ring in enumerate(rings, 1)]
    if not way:
        steps.append(STUCK.write(size=len(rings), count=sum(map(len, rings))))
        return [*steps, f"So no word is common, and the proof is {' '.join(solve(task))}"]
    patterns = _patterns(task.data)
    end = next(place for place in rings[-1] if places.over(patterns, place))
    return [*steps, READ.write(places=places.shown(end), word=" ".join(way)), f"A common word is {way}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    patterns = _patterns(task.data)
    rings: list[set[Place]] = [{(-1,) * len(patterns)}]

    def follows(step: str) -> bool:
        if said := RING.read(step):
            after = {there for place in rings[-1] for there in places.nexts(patterns, place)} - set().union(*rings)
            rings.append(after)
            return int(said["size"]) == len(rings) - 1 and sorted(said["places"].split(", ")) == sorted(map(places.shown, after))
        if said := STUCK.read(step):
            every = set().union(*rings[1:])
            closed = all(there in every for place in rings[-1] for there in places.nexts(patterns, place))
            told = int(said["size"]), int(said["count"])
            return closed and not any(places.over(patterns, place) for place in every) and told == (len(rings) - 1, len(every))
        said = READ.read(step) or {}
        word = said["word"].split(" ")
        ends = [place for place in rings[-1] if places.over(patterns, place)]
        reached = {(-1,) * len(patterns)}
        for letter in word:
            reached = {there for place in reached for there in places.nexts(patterns, place) if places.letter(patterns, there) == letter}
        return any(places.shown(place) == said["places"] and place in reached for place in ends) and len(word) == len(rings) - 1

    def ends(step: str) -> bool:
        lead = next(lead for lead in ("So no word is common, and the proof is ", "A common word is ") if step.startswith(lead))
        answer = tuple(step.removeprefix(lead).split(" "))
        return (answer[0] == "none") == lead.startswith("So") and verify(task, answer).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    alphabet = "".join(sorted(rng.sample("abcdfgh", 2 if knobs.nesting < 3 else 3)))
    wanted = max(3, knobs.length * 2 // 5)
    while True:
        empty = rng.integer(1, 100) <= knobs.empty
        texts = expressions.drawn(rng, kind, alphabet, knobs.length, knobs.expressions, knobs.nesting)
        if empty:
            texts = (expressions.changed(rng, texts[0], alphabet), *texts[1:])
        data = Data(expressions=texts, alphabet=alphabet)
        if len(set(texts)) < len(texts) or max(sum(map(str.isalpha, text)) for text in texts) > 2 * knobs.length + 10:
            continue
        rings, way = places.search(_patterns(data), 20 + knobs.length**2)
        found = places.least(_patterns(data), alphabet, 600) if rings else None
        if found is not None and len(found) == len(way) and bool(found) != empty and (len(found) >= wanted or (empty and len(rings) > 2)):
            break
    listing = "\n".join(f"{k}. {text}" for k, text in enumerate(texts, 1))
    several = "two" if len(texts) == 2 else "three"
    prompt = (
        f"These are {several} regular expressions over the letters {', '.join(alphabet)}; | is a choice, * means any number of times (also none), + means "
        f"once or more often, ? means once or not at all:\n{listing}\n\nEither give a word of at most {MOST_WORD} letters that each of them matches as a "
        "whole, or prove that there is none. For the proof, number the letters written in each expression from 1 from left to right. Reading a word, each "
        f"expression is always at one of its letters, the one that read the last letter of the word; {several} such numbers joined by hyphens, in the order "
        "of the expressions, are a place. The proof is the word none and then places: all that the first letter of a word can lead to must be among them; "
        "all that one more letter can lead to from a place in the list must be in the list; and at no place in the list may each expression end."
    )
    return Task(prompt, data)


@lru_cache(maxsize=256)
def _read(text: str) -> Pattern:
    return Regex().parse(text)


def _patterns(data: Data) -> list[Pattern]:
    return [_read(text) for text in data.expressions]


def _refuted(patterns: Sequence[Pattern], said: Sequence[str]) -> Score:
    listed: set[Place] = set()
    for text in said[:MOST_PLACES]:
        numbers = text.strip("().,;").split("-")
        if len(numbers) != len(patterns) or not all(number.isascii() and number.isdigit() and len(number) < 4 for number in numbers):
            return Score.wrong(f"{text[:20]!r} is not a place")
        place = tuple(int(number) - 1 for number in numbers)
        if not all(0 <= at < len(pattern.letters) for pattern, at in zip(patterns, place, strict=True)):
            return Score.wrong(f"{text[:20]!r} is not a place")
        listed.add(place)
    for place in ((-1,) * len(patterns), *sorted(listed)):
        if place[0] >= 0 and places.over(patterns, place):
            return Score.wrong(f"at {places.shown(place)} each expression may end")
        if not all(there in listed for there in places.nexts(patterns, place)):
            return Score.wrong(f"a letter leads out of the list {'at the beginning' if place[0] < 0 else 'from ' + places.shown(place)}")
    return Score.exact(True)


def _solutions(task: Task[Data]) -> Iterator[Answer]:
    """Words by sets of letters, and some longer ones; as a proof, all places from which no common end can be reached."""
    data, patterns, word = task.data, _patterns(task.data), None
    for alphabet in (data.alphabet, data.alphabet[::-1]):
        if word := places.least(patterns, alphabet, 100_000):
            yield (word,)
    if word:
        return
    rings, _ = places.search(patterns)
    least = {place for ring in rings for place in ring}
    for place in product(*(range(min(6, len(pattern.letters))) for pattern in patterns)):
        more = {place}
        while new := {there for one in more for there in places.nexts(patterns, one)} - more:
            more |= new
        if len(more) < 200 and not any(places.over(patterns, one) for one in more):
            yield ("none", *map(places.shown, sorted(least | more, reverse=True)))


environment = Environment(
    Knobs,
    Words("the word, or none and the places of the proof, separated by spaces", most=MOST_PLACES, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_solutions,
    concept="Go through all expressions at once, letter by letter, and keep a list of the places where they can be together.",
)
