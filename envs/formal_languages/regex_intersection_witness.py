"""Find a word that several regular expressions match, or prove that there is none.

The proof is a list of places in the expressions that reading one word can lead to together: from none of them may one get out of the list, or
be at the end everywhere.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from re import sub

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Regex, Words
from rlgym.answers.regex import Pattern
from rlgym.generators.languages import regex_overlaps
from rlgym.generators.languages import regex_positions as places
from rlgym.generators.languages.regex_positions import Place
from rlgym.generators.text.english import join_words, number_word
from rlgym.solutions import Checks, Derivation, Solution, Step

RING = Step("After {size:int} letter(s), these joint states are reached for the first time: {places:words}")
READ = Step("In {place} all expressions accept; a word that leads there is {word}")
STUCK = Step("No joint state is new after {size:int} letters, and in none of the {count:int} states found do all expressions accept")
MOST_WORD, MOST_PLACES = 300, 2000
Answer = tuple[str, ...]
SYMBOLS = {"|": "or", "*": "zero or more times", "+": "one or more times", "?": "zero or one time"}
PROOF = (
    ", or prove that there is no such word. For a proof, number the letters of each expression from 1, from left to right. While a word is "
    "read, the position of an expression is the number of its letter that matched the last letter read. A joint state is the list of the positions "
    "of {several} expressions, joined by hyphens. The proof is the word none followed by joint states such that every joint state to which "
    "the first letter of a word can lead is listed, every joint state to which one more letter can lead from a listed one is listed, and in no "
    "listed joint state can {several} expressions end. Separate its parts by spaces."
)


class Knobs(Config):
    length: int = knob(9, easy=4, hard=20, doc="letters of the word that the expressions are drawn around")
    expressions: int = knob(2, easy=2, hard=3, doc="how many expressions there are")
    nesting: int = knob(2, easy=1, hard=3, doc="how deep repetitions and choices stand inside each other")
    empty: int = knob(15, easy=0, hard=25, doc="percent of tasks in which no word is common")


class Data(TaskData):
    expressions: tuple[str, ...]
    alphabet: str

    @property
    def lead(self) -> str:
        return "A common word is" if _search(self.expressions)[1] else "So no word is common, and the proof is"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "folded")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Expressions that count: runs of one letter whose lengths leave remainders, with other letters between."""
    return _sample_task(rng, knobs, "counting")


def solve(task: Task[Data]) -> Answer:
    rings, word = _search(task.data.expressions)
    return (word,) if word else ("none", *map(places.render_place, sorted(place for ring in rings for place in ring)))


def verify(task: Task[Data], answer: Answer) -> Score:
    patterns = _patterns(task.data)
    if answer[0].strip(":") == "none":
        return _score_proof(patterns, answer[1:])
    if len(answer) != 1 or len(answer[0]) > MOST_WORD:
        return Score.wrong(f"expected one word of at most {MOST_WORD} letters, or the word none and the joint states of a proof")
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
    rings, _ = _search(task.data.expressions)
    return float(sum(map(len, rings)) * len(task.data.expressions))


def derive(task: Task[Data]) -> Derivation:
    patterns, (rings, word) = _patterns(task.data), _search(task.data.expressions)
    for k, ring in enumerate(rings, 1):
        yield RING(size=k, places=list(map(places.render_place, ring)))
    if word:
        end = next(place for place in rings[-1] if places.is_accepting(patterns, place))
        yield READ(place=places.render_place(end), word=" ".join(word))
    else:
        yield STUCK(size=len(rings), count=sum(map(len, rings)))


def checks(task: Task[Data]) -> Checks:
    patterns = _patterns(task.data)
    rings: list[set[Place]] = [{(-1,) * len(patterns)}]

    def is_ring(size: int, places_: tuple[str, ...]) -> bool:
        after = {following for place in rings[-1] for following in places.successors(patterns, place)} - set().union(*rings)
        rings.append(after)
        return size == len(rings) - 1 and sorted(places_) == sorted(map(places.render_place, after))

    def is_stuck(size: int, count: int) -> bool:
        reached = set().union(*rings[1:])
        closed = all(following in reached for place in rings[-1] for following in places.successors(patterns, place))
        return (
            closed
            and not any(places.is_accepting(patterns, place) for place in reached)
            and (size, count) == (len(rings) - 1, len(reached))
        )

    def is_reached(place: str, word: str) -> bool:
        ends = [end for end in rings[-1] if places.is_accepting(patterns, end)]
        letters = word.split(" ")
        reached = {(-1,) * len(patterns)}
        for letter in letters:
            reached = {
                following
                for old in reached
                for following in places.successors(patterns, old)
                if places.letter_at(patterns, following) == letter
            }
        return any(places.render_place(end) == place and end in reached for end in ends) and len(letters) == len(rings) - 1

    return {RING: lambda size, places: is_ring(size, places), STUCK: is_stuck, READ: is_reached}


def _sample_task(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    alphabet = "".join(sorted(rng.sample("abcdfgh", 2 if knobs.nesting < 3 else 3)))
    min_length = max(3, knobs.length * 2 // 5)
    while True:
        empty = rng.integer(1, 100) <= knobs.empty
        texts = regex_overlaps.sample_overlapping(rng, kind, alphabet, knobs.length, knobs.expressions, knobs.nesting)
        if empty:
            texts = (regex_overlaps.mutate(rng, texts[0], alphabet), *texts[1:])
        data = Data(expressions=texts, alphabet=alphabet)
        if len(set(texts)) < len(texts) or max(sum(map(str.isalpha, text)) for text in texts) > 2 * knobs.length + 10:
            continue
        rings, word = places.breadth_first_search(_patterns(data), 20 + knobs.length**2)
        shortest = places.shortest_common_word(_patterns(data), alphabet, 600) if rings else None
        if (
            shortest is not None
            and len(shortest) == len(word)
            and bool(shortest) != empty
            and (len(shortest) >= min_length or (empty and len(rings) > 2))
            and not any(_are_matched(data, guess) for guess in _unread_words(texts))
        ):
            break
    listing = "\n".join(f"{k}. {text}" for k, text in enumerate(texts, 1))
    several = number_word(len(texts))
    symbols = ", ".join(f"{symbol} means {meaning}" for symbol, meaning in SYMBOLS.items() if symbol in "".join(texts))
    prompt = (
        f"Here are {several} regular expressions over the letters {join_words(alphabet)}; {symbols}:\n{listing}\n\n"
        f"Give a word of at most {MOST_WORD} letters that each of them matches as a whole"
        f"{PROOF.format(several='both' if len(texts) == 2 else 'all three') if knobs.empty else '.'}"
    )
    return Task(prompt, data)


def _unread_words(texts: Sequence[str]) -> list[str]:
    """The letters of each expression as they stand, with those before a star left out, and the first choices alone."""
    words = []
    for text in texts:
        optional = sub(r"\([^()]*\)[*?]|[a-z][*?]", "", text)
        words += [text, optional, sub(r"\|[a-z]+", "", text), sub(r"[a-z]+\|", "", text)]
    return ["".join(filter(str.isalpha, word)) for word in words]


def _are_matched(data: Data, word: str) -> bool:
    return bool(word) and verify(Task("", data), (word,)).value == 1


@lru_cache(maxsize=256)
def _parse_regex(text: str) -> Pattern:
    return Regex().parse(text)


@lru_cache(maxsize=256)
def _search(expressions: tuple[str, ...]) -> tuple[list[list[Place]], str]:
    """The places that can be reached, ring by ring, and a common word if there is one."""
    return places.breadth_first_search([_parse_regex(text) for text in expressions])


def _patterns(data: Data) -> list[Pattern]:
    return [_parse_regex(text) for text in data.expressions]


def _score_proof(patterns: Sequence[Pattern], proof: Sequence[str]) -> Score:
    listed: set[Place] = set()
    for text in proof[:MOST_PLACES]:
        numbers = text.strip("().,;").split("-")
        if len(numbers) != len(patterns) or not all(number.isascii() and number.isdigit() and len(number) < 4 for number in numbers):
            return Score.wrong(f"{text[:20]!r} is not a joint state")
        place = tuple(int(number) - 1 for number in numbers)
        if not all(0 <= at < len(pattern.letters) for pattern, at in zip(patterns, place, strict=True)):
            return Score.wrong(f"{text[:20]!r} is not a joint state")
        listed.add(place)
    for place in ((-1,) * len(patterns), *sorted(listed)):
        if place[0] >= 0 and places.is_accepting(patterns, place):
            return Score.wrong(f"in {places.render_place(place)} all expressions accept")
        if not all(following in listed for following in places.successors(patterns, place)):
            return Score.wrong(
                f"a letter leads out of the list {'at the beginning' if place[0] < 0 else 'from ' + places.render_place(place)}"
            )
    return Score.exact(True)


def _other_answers(task: Task[Data]) -> Iterator[Answer]:
    """Words by sets of letters, and some longer ones; as a proof, all places from which no common end can be reached."""
    data, patterns, word = task.data, _patterns(task.data), None
    for alphabet in (data.alphabet, data.alphabet[::-1]):
        if word := places.shortest_common_word(patterns, alphabet, 100_000):
            yield (word,)
    if word:
        return
    rings, _ = _search(data.expressions)
    least = {place for ring in rings for place in ring}
    for place in product(*(range(min(6, len(pattern.letters))) for pattern in patterns)):
        more = {place}
        while new := {following for state in more for following in places.successors(patterns, state)} - more:
            more |= new
        if len(more) < 200 and not any(places.is_accepting(patterns, state) for state in more):
            yield ("none", *map(places.render_place, sorted(least | more, reverse=True)))


environment = Environment(
    Knobs, Words("the word, or a proof if there is no such word", max_items=MOST_PLACES, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "{lead} {answer}", checks), shift=shift, answers="many", solutions=_other_answers,
    shared_helpers="The helper steps through the positions of an expression, which defines what it matches.",
    concept="Go through all expressions at once, letter by letter, and keep a list of the joint states that can be reached.",
    version=4,
)  # fmt: skip
