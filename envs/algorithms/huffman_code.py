"""Design a prefix code of least length for given frequencies, with two or three digits and sometimes a limit on long words.

Any best code is accepted; its length alone is never an answer.
"""

import heapq
from collections.abc import Iterator
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.solutions import Checks, Derivation, Solution, Step

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Pairs = tuple[tuple[str, str], ...]
JOIN = Step("Join the {many:int} smallest: {parts} = {weight:int}")
ROUND = Step(
    "Round {round:int}: all letters and the groups of the round before, in order: {line:ints}. "
    "The first {many:int}, the next, and so on, make groups of {sums:ints}"
)
PACKED = Step("Of the last round, the {groups:int} smallest groups: {parts}; a letter gets a digit for each time it is in one of them")
TOTAL = Step("The total is {total:int} digits")


class Knobs(Config):
    letters: int = knob(8, easy=6, hard=24, doc="letters that need a code word")
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
    return _sample_task(rng, knobs, chain=False)


def _sample_task(rng: Rng, knobs: Knobs, chain: bool) -> Task[Data]:
    count, digits = knobs.letters, knobs.digits
    shortest = next(length for length in range(1, 40) if digits**length >= count)
    # Frequencies that are too even for a limit to matter are drawn again, further apart; few letters never need one.
    for more in range(12):
        frequencies = _sample_skewed_frequencies(rng, count) if chain else _frequencies(rng, count, knobs.skew * (2 + more) // 2)
        free = max(_huffman_lengths(frequencies, digits))
        if knobs.limit == "none" or free > shortest:
            break
    longest = rng.integer(shortest, min(free - 1, shortest + 1)) if knobs.limit == "tight" and free > shortest else 0
    least = _least_total(frequencies, digits, longest or free)
    data = Data(digits=digits, frequencies=tuple(frequencies), longest=longest, least=least)
    listing = "\n".join(f"{letter}: {times}" for letter, times in zip(LETTERS, frequencies, strict=False))
    limit = f" No code word may have more than {longest} digits." if longest else ""
    prompt = (
        f"A text has these letters, with these counts:\n{listing}\n\nGive every letter a code word, one or more of the digits "
        f"{'0 and 1' if digits == 2 else '0, 1 and 2'}, so that no code word is a prefix of another letter's code word or equal to it.{limit} "
        "The text, coded letter by letter, must have as few digits as possible."
    )
    return Task(prompt, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Counts that are about the sums of the two before (as Fibonacci numbers), so that the code tree is nearly a chain."""
    return _sample_task(rng, knobs, chain=True)


def solve(task: Task[Data]) -> Pairs:
    data = task.data
    lengths = _package_merge(data) if data.longest else _huffman_lengths(data.frequencies, data.digits)
    return _canonical_code(lengths, data.digits, False)


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
    even_length = next(length for length in range(1, 40) if data.digits**length >= count)
    longer = tuple((name, word + "0") for name, word in right)
    return [
        _canonical_code([even_length + 1] * count, data.digits, False),
        longer,
        right[1:],
        tuple((name, right[0][1]) for name, _ in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.frequencies) * (len(data.frequencies) + 4) * (1 + data.longest) * (data.digits - 1))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.longest:
        letters = sorted([0] * (-(len(data.frequencies) - 1) % (data.digits - 1)) + list(data.frequencies))
        packages: list[int] = []
        for k in range(data.longest):
            line = sorted(letters + packages)
            packages = [sum(line[at : at + data.digits]) for at in range(0, len(line) - data.digits + 1, data.digits)]
            yield ROUND(round=k + 1, many=data.digits, line=line, sums=packages)
        package_count = (len(letters) - 1) // (data.digits - 1)
        yield PACKED(groups=package_count, parts=" + ".join(map(str, packages[:package_count])))
    else:
        weights = sorted(times for times, _, _ in _pad(data.frequencies, data.digits))
        while len(weights) > 1:
            smallest, rest = weights[: data.digits], weights[data.digits :]
            yield JOIN(many=data.digits, parts=" + ".join(map(str, smallest)), weight=sum(smallest))
            weights = sorted([*rest, sum(smallest)])
    yield TOTAL(total=data.least)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    letters = sorted([0] * (-(len(data.frequencies) - 1) % (data.digits - 1)) + list(data.frequencies))
    weights, rounds, digits = letters.copy(), list[list[int]](), [0]

    def joins(many: int, parts: str, weight: int) -> bool:
        smallest = weights[: data.digits]
        digits[0] += weight
        weights[:] = sorted([*weights[data.digits :], weight])
        return not data.longest and many == data.digits and _terms(parts) == smallest and sum(smallest) == weight

    def packs(round: int, line: tuple[int, ...], many: int, sums: tuple[int, ...]) -> bool:
        complete = list(line) == sorted(letters + (rounds[-1] if rounds else [])) and round == len(rounds) + 1
        rounds.append([sum(line[k : k + data.digits]) for k in range(0, len(line) - data.digits + 1, data.digits)])
        return complete and list(sums) == rounds[-1] and many == data.digits

    def takes_packages(groups: int, parts: str) -> bool:
        digits[0] = sum(_terms(parts))
        package_count = (len(letters) - 1) // (data.digits - 1)
        return len(rounds) == data.longest and _terms(parts) == rounds[-1][:package_count] and groups == package_count

    def is_total(total: int) -> bool:
        return total == digits[0] and (len(weights) == 1 or data.longest > 0)

    return {JOIN: joins, ROUND: packs, PACKED: takes_packages, TOTAL: is_total}


def _terms(parts: str) -> list[int]:
    return [int(part) for part in parts.split(" + ")]


def _frequencies(rng: Rng, count: int, skew: int) -> list[int]:
    frequencies = [rng.integer(1, 4)]
    for _ in range(count - 1):
        last = frequencies[-1]
        frequencies.append(min(5000, last + rng.integer(0, 2 + last * skew // (100 * (1 + count // 6)))))
    return rng.shuffled(frequencies)


def _sample_skewed_frequencies(rng: Rng, count: int) -> list[int]:
    frequencies = [rng.integer(1, 6), rng.integer(2, 9)]
    while len(frequencies) < count:
        frequencies.append(min(5000, sum(frequencies[-2:])) + rng.integer(0, 3))
    return rng.shuffled(frequencies)


def _pad(frequencies: tuple[int, ...] | list[int], digits: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """The letters to be joined, with idle ones added so that the last step joins as many as there are digits."""
    idle = -(len(frequencies) - 1) % (digits - 1)
    heap: list[tuple[int, int, tuple[int, ...]]] = [(times, i, (i,)) for i, times in enumerate(frequencies)] + [
        (0, -1 - i, ()) for i in range(idle)
    ]
    heapq.heapify(heap)
    return heap


def _huffman_lengths(frequencies: tuple[int, ...] | list[int], digits: int) -> list[int]:
    """The length of each code word by Huffman's algorithm."""
    lengths = [0] * len(frequencies)
    heap = _pad(frequencies, digits)
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


def _least_total(frequencies: list[int], digits: int, longest: int) -> int:
    """The least length of the coded text, by dynamic programming over the depths of the code tree."""
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


def _package_merge(data: Data) -> list[int]:
    """Code word lengths under the limit by the package-merge algorithm."""
    count, digits = len(data.frequencies), data.digits
    coins: list[tuple[int, tuple[int, ...]]] = sorted((times, (i,)) for i, times in enumerate(data.frequencies))
    idle = -(count - 1) % (digits - 1)
    coins = [(0, ())] * idle + coins
    packages: list[tuple[int, tuple[int, ...]]] = []
    for _ in range(data.longest):
        merged = sorted(coins + packages)
        packages = []
        for k in range(0, len(merged) - digits + 1, digits):
            group = merged[k : k + digits]
            packages.append((sum(times for times, _ in group), tuple(i for _, letters in group for i in letters)))
    lengths = [0] * count
    for _, letters in packages[: (count + idle - 1) // (digits - 1)]:
        for i in letters:
            lengths[i] += 1
    return lengths


def _canonical_code(lengths: list[int], digits: int, last_first: bool) -> Pairs:
    """Code words of these lengths, counted up from zero (Kraft)."""
    words, value, before = {}, 0, 0
    ranked = sorted(range(len(lengths)), key=lambda i: (lengths[i], -i if last_first else i))
    for i in ranked:
        value *= digits ** (lengths[i] - before)
        before = lengths[i]
        written, rest = "", value
        for _ in range(lengths[i]):
            rest, digit = divmod(rest, digits)
            written = str(digits - 1 - digit if last_first else digit) + written
        words[LETTERS[i].lower()] = written
        value += 1
    return tuple(sorted(words.items()))


def _other_answers(task: Task[Data]) -> Iterator[Pairs]:
    """The same lengths with other digits, and lengths found with the letters the other way round."""
    data = task.data
    reversed_data = data.model_copy(update={"frequencies": data.frequencies[::-1]})
    lengths = _package_merge(reversed_data) if data.longest else _huffman_lengths(reversed_data.frequencies, data.digits)
    yield _canonical_code(lengths[::-1], data.digits, False)
    yield _canonical_code(lengths[::-1], data.digits, True)


environment = Environment(
    Knobs, Mapping("one line `letter: code word` for each letter", max_items=60), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Code words with this total are:\n{answer}", checks), shift=shift,
    answers="many", solutions=_other_answers,
    concept="The rarest letters get the longest words: join the smallest groups first; under a limit on length, pack coins of every size, cheapest first.",
    version=3,
)  # fmt: skip
