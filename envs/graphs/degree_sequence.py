"""Say who shook hands with whom, given how many hands each shook, or prove by three numbers that it cannot be.

Any set of handshakes with the given numbers is accepted. Where there is none, the k busiest people shook more hands than the others could.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Solution, Step

Shakes = tuple[tuple[int, int], ...]


class Knobs(Config):
    people: int = knob(9, easy=5, hard=22, doc="how many people there are")
    percent: int = knob(45, easy=40, hard=50, doc="approximate percentage of pairs that shook hands")
    certain: str = knob(
        "open", easy="possible", hard="open", order=("possible", "open"), doc="whether the numbers are guaranteed to be possible"
    )
    sides: str = knob("one", easy="one", hard="two", order=("one", "two"), doc="whether all people may meet, or only hosts and guests")


class Data(TaskData):
    people: tuple[str, ...]
    hosts: int  # this many people, the first ones, shook hands with guests only; 0 where anybody may meet
    shook: tuple[int, ...]
    possible: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Groups with few busy people, so that the numbers are close to impossible."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, steep: bool) -> Task[Data]:
    count = knobs.people
    hosts = count // 2 if knobs.sides == "two" else 0
    doomed = knobs.certain == "open" and rng.chance(0.3)
    while True:
        # Alike, a pair shakes hands with one chance; or steep, where their weights together are high enough.
        weight = [rng.integer(0, 60) if steep else 0 for _ in range(count)]
        pairs = [(a, b) for a in range(count) for b in range(a + 1, count) if not hosts or a < hosts <= b]
        limit = 110 - knobs.percent if steep else 100 - knobs.percent
        handshakes = [(a, b) for a, b in pairs if weight[a] + weight[b] + rng.integer(0, 25 if steep else 99) >= limit]
        shook = [sum(person in pair for pair in handshakes) for person in range(count)]
        for _ in range(count * 8 if doomed else 0):
            # Handshakes are moved from people with few to people with many until the numbers become impossible.
            giver, taker = rng.sample(range(count), 2)
            most = (count - hosts if taker < hosts else hosts) if hosts else count - 1
            same = not hosts or (giver < hosts) == (taker < hosts)
            if same and 0 < shook[giver] <= shook[taker] < most and _erdos_gallai_violation(shook, hosts) is None:
                shook[giver], shook[taker] = shook[giver] - 1, shook[taker] + 1
        if (
            (_erdos_gallai_violation(shook, hosts) is not None) == doomed
            and sum(shook) > 0
            and len(handshakes) < len(pairs)
            and len(set(shook)) > 1
        ):
            break
    people = tuple(rng.sample(PEOPLE, count))
    data = Data(people=people, hosts=hosts, shook=tuple(shook), possible=not doomed)
    listing = ", ".join(f"{people[i]} {shook[i]}" for i in rng.shuffled(range(count)))
    rule = "No two people shook hands more than once."
    if hosts:
        named = ", ".join(people[:hosts])
        rule = f"The hosts were {named}; the others were guests. Every handshake was between a host and a guest. {rule}"
    question = "Say who shook hands with whom: write each handshake as the two names with a hyphen between them, in any order, with spaces "
    question += "between the handshakes."
    busiest = f"the k {'hosts' if hosts else 'people'} with the highest numbers"
    rest_of_them = "the guests" if hosts else "each other and all others"
    bound = "k(k-1) plus the sum over all others of the smaller of k and their number"
    bound = "the sum over all guests of the smaller of k and the guest's number" if hosts else bound
    if knobs.certain == "open":
        question += (
            f"\n\nIf no such handshakes exist, there is a k for which {busiest} claim more handshakes than {rest_of_them} allow. Then answer "
            f"with the word impossible, k, the sum of these k numbers, and the most that is allowed: {bound}."
        )
    return Task(f"At a party people counted how many others they shook hands with: {listing}. {rule}\n\n{question}", data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_answers(task.data, 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if answer[0] == "impossible":
        if data.possible:
            return Score.wrong("the numbers can be right")
        if len(answer) != 4 or not all(word.isascii() and word.isdigit() and len(word) < 5 for word in answer[1:]):
            return Score.wrong("three whole numbers must follow the word impossible")
        k, claimed, allowed = map(int, answer[1:])
        most = data.hosts or len(data.people) - 1
        proof = 1 <= k <= most and (claimed, allowed) == _sums(data.shook, data.hosts, k)
        return Score.exact(proof and claimed > allowed, "these three numbers prove nothing")
    index = {name.lower(): i for i, name in enumerate(data.people)}
    seen, degrees = set(), list(data.shook)
    for word in answer:
        names = word.split("-", 2)
        if len(names) != 2 or not all(name in index for name in names) or names[0] == names[1]:
            return Score.wrong("a handshake joins the names of two different people with a hyphen")
        a, b = sorted(index[name] for name in names)
        if (a, b) in seen or (data.hosts and not a < data.hosts <= b):
            return Score.wrong(f"the handshake {word} is given twice or is not allowed")
        seen.add((a, b))
        degrees[a], degrees[b] = degrees[a] - 1, degrees[b] - 1
    wrong = next((i for i, rest in enumerate(degrees) if rest), None)
    return Score.exact(wrong is None, "" if wrong is None else f"the number of {data.people[wrong]} is not met")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    in_order: list[str] = []
    left = list(data.shook)
    for a, name in enumerate(data.people):
        for b in range(a + 1, len(left)):
            if left[a] and left[b] and (not data.hosts or a < data.hosts <= b):
                left[a], left[b] = left[a] - 1, left[b] - 1
                in_order.append(f"{name}-{data.people[b]}".lower())
    claimed, allowed = _sums(data.shook, data.hosts, 1)
    k, total = len(data.people), sum(data.shook)
    return [
        tuple(in_order),
        right[:-1],
        (*right, right[-1]),
        ("impossible", "1", str(claimed), str(allowed)),
        ("impossible", str(k), str(total), "0"),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(data.shook) * len(data.people) * (1.5 if data.hosts else 1) * (1 if data.possible else 1.2)


JOINED = Step("{name} has {left:int} left, and those with the most left are taken first: {others:words}")
CLAIMED = Step("The {k:int} with the highest numbers are {names}: together they claim {claimed:int}")
AMONG = Step("Handshakes among these {k:int} count for at most {among:int} of them")
GIVEN = Step("{name} with the number {number:int} can take part in at most {part:int} of them")
ALLOWED = Step("So at most {allowed:int} are allowed, and {claimed:int} are claimed")
END = Step("The answer is {answer}")


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.possible:
        degrees = list(data.shook)
        for a, others in _havel_hakimi(data, 1):
            yield JOINED(name=data.people[a], left=degrees[a], others=[f"{data.people[b]} ({degrees[b]})" for b in others])
            degrees[a] = 0
            for b in others:
                degrees[b] -= 1
    else:
        k, claimed, allowed = _erdos_gallai_violation(data.shook, data.hosts) or (0, 0, 0)
        busiest, others = _parts(data.shook, data.hosts, k)
        yield CLAIMED(k=k, names=" ".join(data.people[i] for i in busiest), claimed=claimed)
        if not data.hosts:
            yield AMONG(k=k, among=k * (k - 1))
        for i in others:
            yield GIVEN(name=data.people[i], number=data.shook[i], part=min(k, data.shook[i]))
        yield ALLOWED(allowed=allowed, claimed=claimed)
    yield END(answer=" ".join(solve(task)))


def checks(task: Task[Data]) -> Checks:
    data, hands = task.data, list(task.data.shook)
    index = {name: i for i, name in enumerate(data.people)}
    sizes: list[int] = []  # the k that is tried
    parts: dict[str, int] = {}

    def may_meet(a: int, b: int) -> bool:
        return a != b and (not data.hosts or (a < data.hosts) != (b < data.hosts))

    def joins_the_most(name: str, left: int, others: tuple[str, ...]) -> bool:
        a = index[name]
        chosen = {index[other.split(" ")[0]]: int(other.split(" ")[1].strip("()")) for other in others}
        most = sorted((rest for b, rest in enumerate(hands) if may_meet(a, b)), reverse=True)[: hands[a]]
        fits = list(chosen.values()) == [hands[b] for b in chosen] == most and hands[a] == left > 0
        fits = fits and len(chosen) == len(others) and all(may_meet(a, b) for b in chosen)
        hands[a] = 0
        for b in chosen:
            hands[b] -= 1
        return data.possible and fits

    def is_claimed(k: int, names: str, claimed: int) -> bool:
        sizes.append(k)
        busiest, _ = _parts(data.shook, data.hosts, sizes[0])
        return names.split() == [data.people[i] for i in busiest] and claimed == sum(data.shook[i] for i in busiest)

    def is_among(k: int, among: int) -> bool:
        parts[""] = among
        return not data.hosts and sizes == [k] and among == k * (k - 1)

    def is_given(name: str, number: int, part: int) -> bool:
        i, k = index[name], sizes[0]
        new = name not in parts and i in _parts(data.shook, data.hosts, k)[1]
        parts[name] = part
        return new and number == data.shook[i] and part == min(k, number)

    def is_allowed(allowed: int, claimed: int) -> bool:
        return (claimed, allowed) == _sums(data.shook, data.hosts, sizes[0]) and claimed > allowed == sum(parts.values())

    return {
        JOINED: joins_the_most,
        CLAIMED: is_claimed,
        AMONG: is_among,
        GIVEN: is_given,
        ALLOWED: is_allowed,
        END: lambda answer: not (data.possible and any(hands)),
    }


def _parts(shook: Sequence[int], hosts: int, k: int) -> tuple[list[int], list[int]]:
    """The k with the highest numbers (of the hosts, where there are some), and all that can limit them."""
    group = sorted(range(hosts or len(shook)), key=lambda i: (-shook[i], i))
    return group[:k], list(range(hosts, len(shook))) if hosts else group[k:]


def _sums(shook: Sequence[int], hosts: int, k: int) -> tuple[int, int]:
    """What the k busiest claim, and what is allowed (Erdős-Gallai; Gale-Ryser for two sides)."""
    busiest, others = _parts(shook, hosts, k)
    return sum(shook[i] for i in busiest), (0 if hosts else k * (k - 1)) + sum(min(k, shook[i]) for i in others)


def _erdos_gallai_violation(shook: Sequence[int], hosts: int) -> tuple[int, int, int] | None:
    for k in range(1, (hosts or len(shook) - 1) + 1):
        claimed, allowed = _sums(shook, hosts, k)
        if claimed > allowed:
            return k, claimed, allowed
    return None


def _havel_hakimi(data: Data, direction: int) -> Iterator[tuple[int, list[int]]]:
    """Each person with the partners who have the most handshakes left (Havel-Hakimi): hosts in turn, or the busiest first."""
    degrees = list(data.shook)
    while any(degrees[: data.hosts or None]):
        a = max(range(data.hosts or len(degrees)), key=lambda i: (degrees[i], -direction * i))
        able = [b for b in range(data.hosts, len(degrees)) if b != a]
        others = sorted(able, key=lambda i: (-degrees[i], direction * i))[: degrees[a]]
        yield a, others
        degrees[a] = 0
        for b in others:
            degrees[b] -= 1


def _answers(data: Data, direction: int) -> Iterator[tuple[str, ...]]:
    if data.possible:
        yield tuple(f"{data.people[a]}-{data.people[b]}".lower() for a, others in _havel_hakimi(data, direction) for b in others)
        return
    for k in range(1, (data.hosts or len(data.people) - 1) + 1)[::direction]:
        claimed, allowed = _sums(data.shook, data.hosts, k)
        if claimed > allowed:
            yield ("impossible", str(k), str(claimed), str(allowed))


environment = Environment(
    Knobs, Words("what the question asks for, separated by spaces", max_items=400, ignore_case=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many", solutions=lambda task: _answers(task.data, -1),
    concept="Let the busiest person shake hands with those who have the most left, again and again; if that breaks down, the busiest few claim too much.",
    version=4,
)  # fmt: skip
