"""Design a prefix code of least length for given frequencies, with two or three digits and sometimes a limit on long words.

Any best code is accepted; its length alone is never an answer.
"""

import heapq
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.steps import Line, ended, first_wrong

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Pairs = tuple[tuple[str, str], ...]
JOIN = Line("Join the {many} smallest: {parts} = {sum}")
ROUND = Line(
    "Round {round}: all letters and the groups of the round before, in order: {line}. The first {many}, the next, and so on, make groups of {sums}"
)
PACKED = Line("Of the last round, the {groups} smallest groups: {parts}; a letter gets a digit for each time it is in one of them")
TOTAL = Line("The total is {total} digits")


class Knobs(Config):
    letters: int = knob(8, easy=3, hard=24, doc="letters that need a code word")
    digits: int = knob(2, easy=2, hard=3, doc="digits that code words are made of")
    limit: str = knob("none", easy="none", hard="tight", order=("none", "tight"), doc="whether code words may be of any length")
    skew: int = knob(40, easy=10, hard=400, scale="log", doc="how far frequencies lie apart, in hundredths of the smallest")


class Data(TaskData):
    digits: int
    frequencies: tuple[int, ...]
    longest: int
    """Most digits of a code word; 0 for no limit."""
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count, digits = knobs.letters, knobs.digits
    shortest = next(length for length in range(1, 40) if digits**length >= count)
    # Frequencies that are too even for a limit to matter are drawn again, further apart; few letters never need one.
    for more in range(12):
        frequencies = _frequencies(rng, count, knobs.skew * (2 + more) // 2)
        free = max(_merged(frequencies, digits))
        if knobs.limit == "none" or free > shortest:
            break
    longest = rng.integer(shortest, min(free - 1, shortest + 1)) if knobs.limit == "tight" and free > shortest else 0
    least = _least(frequencies, digits, longest or free)
    data = Data(digits=digits, frequencies=tuple(frequencies), longest=longest, least=least)
    listing = "\n".join(f"{letter}: {times}" for letter, times in zip(LETTERS, frequencies, strict=False))
    limit = f" No code word may have more than {longest} digits." if longest else ""
    prompt = (
        f"A text has these letters, each so many times:\n{listing}\n\nGive every letter a code word, one or more of the digits "
        f"{'0 and 1' if digits == 2 else '0, 1 and 2'}, so that no code word is the beginning of another letter's code word, nor equal to it.{limit} "
        "The text, coded letter by letter, must have as few digits as possible."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Pairs:
    data = task.data
    lengths = _packed(data) if data.longest else _merged(data.frequencies, data.digits)
    return _words(lengths, data.digits, False)


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = {name: "".join(word.split()) for name, word in answer}
    letters = [letter.lower() for letter in LETTERS[: len(data.frequencies)]]
    if sorted(given) != letters:
        return Score.wrong(f"each of the letters A to {letters[-1].upper()} needs one code word, and nothing else does")
    words = sorted(given.values())
    if any(len(word) > 60 or word.strip("012"[: data.digits]) for word in words):
        return Score.wrong("a code word has a character that is not one of the digits, or is needlessly long")
    if any(later.startswith(word) for word, later in pairwise(words)):
        return Score.wrong("a code word is the beginning of another one")
    if data.longest and max(map(len, words)) > data.longest:
        return Score.wrong(f"a code word has more than {data.longest} digits")
    total = sum(len(given[letter]) * times for letter, times in zip(letters, data.frequencies, strict=True))
    return Score.exact(total == data.least, f"the text has {total} digits, and fewer are possible")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    count = len(data.frequencies)
    flat = next(length for length in range(1, 40) if data.digits**length >= count)
    longer = tuple((name, word + "0") for name, word in right)
    return [_words([flat + 1] * count, data.digits, False), longer, right[1:], tuple((name, right[0][1]) for name, _ in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.frequencies) * (len(data.frequencies) + 4) * (1 + data.longest) * (data.digits - 1))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    steps = []
    if data.longest:
        letters = sorted([0] * (-(len(data.frequencies) - 1) % (data.digits - 1)) + list(data.frequencies))
        packed: list[int] = []
        for k in range(data.longest):
            line = sorted(letters + packed)
            packed = [sum(line[at : at + data.digits]) for at in range(0, len(line) - data.digits + 1, data.digits)]
            told = {key: ", ".join(map(str, numbers)) for key, numbers in (("line", line), ("sums", packed))}
            steps.append(ROUND.write(round=k + 1, many=data.digits, **told))
        wanted = (len(letters) - 1) // (data.digits - 1)
        steps.append(PACKED.write(groups=wanted, parts=" + ".join(map(str, packed[:wanted]))))
    else:
        heap = _padded(data.frequencies, data.digits)
        while len(heap) > 1:
            taken = [heapq.heappop(heap)[0] for _ in range(data.digits)]
            heapq.heappush(heap, (sum(taken), -len(steps) - 1, ()))
            steps.append(JOIN.write(many=len(taken), parts=" + ".join(map(str, taken)), sum=sum(taken)))
    steps.append(TOTAL.write(total=data.least))
    return [*steps, "Code words with this total are:\n" + environment.answer.render(right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    idle = -(len(data.frequencies) - 1) % (data.digits - 1)
    letters = sorted([0] * idle + list(data.frequencies))
    heap, rounds, total = letters.copy(), list[list[int]](), [0]

    def follows(step: str) -> bool:
        if read := JOIN.read(step):
            taken = [int(part) for part in read["parts"].split(" + ")]
            total[0] += sum(taken)
            smallest = heap[: data.digits]
            heap[:] = sorted([*heap[data.digits :], sum(taken)])
            return not data.longest and (int(read["many"]), taken, sum(taken)) == (data.digits, smallest, int(read["sum"]))
        if read := ROUND.read(step):
            line, sums = ([int(number) for number in read[key].split(", ")] for key in ("line", "sums"))
            true = line == sorted(letters + (rounds[-1] if rounds else [])) and int(read["round"]) == len(rounds) + 1
            rounds.append([sum(line[k : k + data.digits]) for k in range(0, len(line) - data.digits + 1, data.digits)])
            return true and sums == rounds[-1] and int(read["many"]) == data.digits
        if read := PACKED.read(step):
            parts = [int(part) for part in read["parts"].split(" + ")]
            total[0] = sum(parts)
            wanted = (len(letters) - 1) // (data.digits - 1)
            return len(rounds) == data.longest and parts == rounds[-1][:wanted] and int(read["groups"]) == wanted
        read = TOTAL.read(step)
        return read is not None and int(read["total"]) == total[0] and (len(heap) == 1 or data.longest > 0)

    return first_wrong(steps, follows, ended("Code words with this total are:\n", task, environment.answer, verify))


def _frequencies(rng: Rng, count: int, skew: int) -> list[int]:
    frequencies = [rng.integer(1, 4)]
    for _ in range(count - 1):
        last = frequencies[-1]
        frequencies.append(min(5000, last + rng.integer(0, 2 + last * skew // (100 * (1 + count // 6)))))
    return rng.shuffled(frequencies)


def _padded(frequencies: tuple[int, ...] | list[int], digits: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """The letters to be joined, with idle ones added so that the last step joins as many as there are digits."""
    idle = -(len(frequencies) - 1) % (digits - 1)
    heap: list[tuple[int, int, tuple[int, ...]]] = [(times, i, (i,)) for i, times in enumerate(frequencies)] + [
        (0, -1 - i, ()) for i in range(idle)
    ]
    heapq.heapify(heap)
    return heap


def _merged(frequencies: tuple[int, ...] | list[int], digits: int) -> list[int]:
    """How long each letter's word gets when the smallest groups are joined again and again (Huffman)."""
    lengths = [0] * len(frequencies)
    heap = _padded(frequencies, digits)
    while len(heap) > 1:
        total, members = 0, list[int]()
        for _ in range(digits):
            times, _, letters = heapq.heappop(heap)
            total += times
            members += letters
        for i in members:
            lengths[i] += 1
        heapq.heappush(heap, (total, len(frequencies) + len(heap), tuple(members)))
    return lengths


def _least(frequencies: list[int], digits: int, longest: int) -> int:
    """Fewest digits of the coded text, by how many inner nodes and letters lie at each depth of the tree of code words."""
    ranked = sorted(frequencies, reverse=True)
    count = len(ranked)
    weight = [sum(ranked[placed:]) for placed in range(count + 1)]
    # State: letters placed so far and nodes open at this depth; each depth costs one digit for every letter below it.
    states = {(0, 1): 0}
    best = 1 << 60
    for _ in range(longest):
        after: dict[tuple[int, int], int] = {}
        for (placed, opened), spent in states.items():
            total, nodes = spent + weight[placed], opened * digits
            if nodes >= count - placed:
                best = min(best, total)
            for more in range(min(nodes, count - placed + 1)):
                key = placed + more, min(nodes - more, count - placed - more)
                if key[0] < count and total < after.get(key, best):
                    after[key] = total
        states = after
    return best


def _packed(data: Data) -> list[int]:
    """Lengths under the limit: coins of every size are packed into ever larger ones, the cheapest first (package-merge)."""
    count, digits = len(data.frequencies), data.digits
    coins: list[tuple[int, tuple[int, ...]]] = sorted((times, (i,)) for i, times in enumerate(data.frequencies))
    idle = -(count - 1) % (digits - 1)
    coins = [(0, ())] * idle + coins
    packed: list[tuple[int, tuple[int, ...]]] = []
    for _ in range(data.longest):
        merged = sorted(coins + packed)
        packed = []
        for k in range(0, len(merged) - digits + 1, digits):
            group = merged[k : k + digits]
            packed.append((sum(times for times, _ in group), tuple(i for _, letters in group for i in letters)))
    lengths = [0] * count
    for _, letters in packed[: (count + idle - 1) // (digits - 1)]:
        for i in letters:
            lengths[i] += 1
    return lengths


def _words(lengths: list[int], digits: int, last_first: bool) -> Pairs:
    """Code words of these lengths, counted up from zero (Kraft)."""
    words, value, before = {}, 0, 0
    ranked = sorted(range(len(lengths)), key=lambda i: (lengths[i], -i if last_first else i))
    for i in ranked:
        value *= digits ** (lengths[i] - before)
        before = lengths[i]
        written, left = "", value
        for _ in range(lengths[i]):
            left, digit = divmod(left, digits)
            written = str(digits - 1 - digit if last_first else digit) + written
        words[LETTERS[i].lower()] = written
        value += 1
    return tuple(sorted(words.items()))


def _others(task: Task[Data]) -> Iterator[Pairs]:
    """The same lengths with other digits, and lengths found with the letters the other way round."""
    data = task.data
    turned = data.model_copy(update={"frequencies": data.frequencies[::-1]})
    lengths = _packed(turned) if data.longest else _merged(turned.frequencies, data.digits)
    yield _words(lengths[::-1], data.digits, False)
    yield _words(lengths[::-1], data.digits, True)


environment = Environment(
    Knobs,
    Mapping("one line `letter: code word` for each letter", most=60),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="many",
    solutions=_others,
    concept="The rarest letters get the longest words: join the smallest groups first; under a limit on length, pack coins of every size, cheapest first.",
)
