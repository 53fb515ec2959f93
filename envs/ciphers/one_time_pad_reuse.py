"""Read two messages that were hidden with one and the same pad of random numbers, when the words that may occur are known.

The numbers sent are differences of each other wherever the pad was: a guess at one message tells what the other would be.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

SIGNS = "abcdefghijklmnopqrstuvwxyz "
TOLD = ("known", "start", "nothing")
MOST_LOOKS = 20_000
GAP = Step("From place {place} on, the numbers of {one} less those of {other} at the same places of the pad are, modulo 27: {gaps}")
GIVEN = Step("It is given that {one} goes on with {word}; then {other} has {signs} from place {place} on")
PICK = Step(
    "From place {place} on, {count} of the words can stand in {one} so that {other} still reads like words of the list; "
    "the one that can be gone on with is {word}, and then {other} has {signs}"
)
Answer = tuple[str, ...]


class Knobs(Config):
    words: int = knob(4, easy=2, hard=9, doc="words in each message")
    listed: int = knob(40, easy=8, hard=240, scale="log", doc="words that may occur")
    crib: str = knob("start", easy="known", hard="nothing", order=TOLD, doc="known part of the first message: all, its first word, nothing")


class Data(TaskData):
    sent: tuple[tuple[int, ...], tuple[int, ...]]
    words: tuple[str, ...]
    told: str
    backwards: bool
    plain: tuple[str, str]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, backwards=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The pad was used from its end for the second message."""
    return _sample_task(rng, knobs, backwards=True)


def solve(task: Task[Data]) -> Answer:
    return _plaintexts(task.data, [(which, word) for which, word, _ in _path(task.data)])


def verify(task: Task[Data], answer: Answer) -> Score:
    if len(answer) != 2:
        return Score.wrong("there must be two lines, one for each message")
    right = [line.lower() == plain for line, plain in zip(answer, task.data.plain, strict=True)]
    return Score.exact(all(right), "neither message is right" if not any(right) else "one of the messages is wrong")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    first, second = right
    shown = tuple("".join(SIGNS[number] for number in numbers).replace(" ", "_") for numbers in task.data.sent)
    return [
        (second, first),
        shown,
        (first, first),
        (" ".join(first.split()[::-1]), second),
        (first, second.rpartition(" ")[0]),
        (first[::-1], second[::-1]),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    tried = 1 if data.told == data.plain[0] else len(data.words) * (1 if data.told else 3)
    return float(len(data.sent[0]) * (4 + tried))


def derive(task: Task[Data]) -> Derivation:
    data, names, gaps = task.data, _names(task.data), _gaps(task.data)
    for start in range(0, len(gaps), 8):
        yield GAP(place=start + 1, one=names[0], other=names[1], gaps=" ".join(map(str, gaps[start : start + 8])))
    given, ends = len(data.told.split()), [0, 0]
    for which, word, count in _path(data):
        signs = _across(gaps, which, word, ends[which])
        gap = {"one": names[which], "other": names[1 - which], "place": ends[which] + 1, "word": _render(data, which, word)}
        ends[which] += len(word) + 1
        if given and not which:
            given -= 1
            yield GIVEN(**gap, signs=_mark(signs))
        else:
            yield PICK(**gap, signs=_mark(signs), count=count)


def _sample_task(rng: Rng, knobs: Knobs, backwards: bool) -> Task[Data]:
    bank = [word for word in WORDS if 3 <= len(word) <= 6]
    while True:
        words = sorted(rng.sample(bank, knobs.listed))
        first, second = (" ".join(rng.choice(words) for _ in range(knobs.words)) for _ in range(2))
        if len(first) != len(second) or first == second:
            continue
        pad = [rng.integer(0, 26) for _ in first]
        known_text = first if knobs.crib == "known" else first.split()[0] if knobs.crib == "start" else ""
        sent = _add(first, pad), _add(second, pad[::-1] if backwards else pad)
        data = Data(sent=sent, words=tuple(words), told=known_text, backwards=backwards, plain=(first, second))
        solutions = list(_search(data, MOST_LOOKS, 2))
        if solutions == [(first, second)]:
            return Task(_render_prompt(data), data)


def _render_prompt(data: Data) -> str:
    known = f" The {'whole first message' if ' ' in data.told else 'first word of the first message'} is: {data.told}." if data.told else ""
    turned = (
        "the first from its first number to its last, the second from its last number to its first"
        if data.backwards
        else "both starting at its first number"
    )
    return (
        "Characters are numbered: a is 0, b is 1, and so on to z, which is 25; a space is 26. A pad is a secret sequence of random numbers from 0 to 26. To "
        "encrypt a message, each of its characters in order takes the next number of the pad: the two numbers are added modulo 27, and the result is "
        "sent.\n\nTwo messages, each as long as the pad, were encrypted with the same "
        f"pad, {turned}. These numbers were sent:\nFirst message: {' '.join(map(str, data.sent[0]))}\n"
        f"Second message: {' '.join(map(str, data.sent[1]))}\n\nEach message consists of words from this list, with one space between words and none at the "
        f"ends; a word may occur more than once:\n{', '.join(data.words)}\n\n{known.strip()}{' ' if known else ''}What are the two messages?"
    )


def _add(plain: str, pad: Sequence[int]) -> tuple[int, ...]:
    return tuple((SIGNS.index(sign) + number) % 27 for sign, number in zip(plain, pad, strict=True))


def _names(data: Data) -> tuple[str, str]:
    return "the first message", "the second message read backwards" if data.backwards else "the second message"


def _gaps(data: Data) -> list[int]:
    first, second = data.sent
    return [(a - b) % 27 for a, b in zip(first, second[::-1] if data.backwards else second, strict=True)]


def _mark(signs: str) -> str:
    return signs.replace(" ", "_")


def _render(data: Data, which: int, word: str) -> str:
    return word[::-1] if which and data.backwards else word


def _across(gaps: Sequence[int], which: int, word: str, start: int) -> str:
    """What the other message has where this one has the word and a space (which is none at the end)."""
    turn = 1 if which else -1
    return "".join(SIGNS[(SIGNS.index(sign) + turn * gap) % 27] for sign, gap in zip(word + " ", gaps[start:], strict=False))


def _lists(data: Data) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return data.words, tuple(word[::-1] for word in data.words) if data.backwards else data.words


def _consistent_words(data: Data, gaps: Sequence[int], known: Sequence[str], which: int) -> list[str]:
    """The words with which a message can go on from its end, so that the other one still reads like words."""
    mine, theirs = _lists(data)[which], _lists(data)[1 - which]
    start, gap_count = len(known[which]), len(gaps)
    done = known[1 - which]
    ahead = _across(gaps, 1 - which, done[start:-1], start)[: len(done) - start] if len(done) > start else ""
    out = []
    for word in mine:
        end = start + len(word)
        if end > gap_count or not (word + " ").startswith(ahead[: len(word) + 1]) or (end < gap_count) != (end + 1 < gap_count):
            continue
        if len(ahead) > len(word) or (end == gap_count and len(ahead) == len(word)):
            out.append(word)
            continue
        rest = _across(gaps, which, word, start)[len(ahead) :]
        pieces = rest.split(" ")
        last_fits = pieces[-1] in theirs if end == gap_count else any(other.startswith(pieces[-1]) for other in theirs)
        if last_fits and all(piece in theirs for piece in pieces[:-1]):
            out.append(word)
    return out


def _path(data: Data) -> list[tuple[int, str, int]]:
    """The words in the order in which they are found: always of the message of which less is known. With each, how many would fit there."""
    gaps = _gaps(data)
    known_words = data.told.split()

    def going(known: list[str], out: list[tuple[int, str, int]]) -> list[tuple[int, str, int]] | None:
        which = int(len(known[1]) < len(known[0]))
        if len(known[which]) > len(gaps):
            return out
        fitting = _consistent_words(data, gaps, known, which)
        at = sum(1 for which, _, _ in out if not which)
        for word in fitting:
            if not which and at < len(known_words) and word != known_words[at]:
                continue
            longer = known.copy()
            longer[which] += word + " "
            if path := going(longer, [*out, (which, word, len(fitting))]):
                return path
        return None

    return going(["", ""], []) or []


def _plaintexts(data: Data, path: Sequence[tuple[int, str]]) -> Answer:
    first, second = (" ".join(word for which, word in path if which == k) for k in (0, 1))
    return first, second[::-1] if data.backwards else second


def _search(data: Data, looks: int, most: int) -> Iterator[Answer]:
    """Every pair of messages, sign by sign through the beginnings of words; nothing if that takes too many looks."""
    gaps, (one, other) = _gaps(data), _lists(data)
    follow: list[dict[str, dict[int, str]]] = []
    for words in (one, other):
        nexts: dict[str, dict[int, str]] = {}
        for word in words:
            for k in range(len(word)):
                nexts.setdefault(word[:k], {})[SIGNS.index(word[k])] = word[: k + 1]
            nexts.setdefault(word, {})[26] = ""
        follow.append(nexts)
    stack = [("", "", "", "")]
    while stack and looks > 0:
        looks -= 1
        first, second, begun, started = stack.pop()
        place = len(first)
        if place == len(gaps):
            if begun in one and started in other and first.startswith(data.told):
                yield first, second[::-1] if data.backwards else second
            continue
        if data.told and not (first + " ").startswith((data.told + " ")[:place]):
            continue
        for sign, longer in follow[0][begun].items():
            across = (sign - gaps[place]) % 27
            if across in follow[1][started]:
                stack.append((first + SIGNS[sign], second + SIGNS[across], longer, follow[1][started][across]))
    if looks <= 0:
        yield from [("", "")] * most


environment = Environment(
    Knobs, Lines("the first message on one line and the second message on the next line", max_items=4),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The messages:\n{answer}"), shift=shift, answers="unique",
    solutions=lambda task: _search(task.data, 1_000_000, 0),
    concept="The pad cancels out of the difference of the two rows: a word laid on one message shows what the other would be there.",
    version=3,
)  # fmt: skip
