"""Say who shook hands with whom, given how many hands each shook, or prove by three numbers that it cannot be.

Any set of handshakes with the given numbers is accepted. Where there is none, the k busiest people shook more hands than the others could.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.names import PEOPLE
from rlgym.generators.steps import Line, first_wrong

Shakes = tuple[tuple[int, int], ...]


class Knobs(Config):
    people: int = knob(9, easy=5, hard=22, doc="how many people there are")
    percent: int = knob(45, easy=40, hard=50, doc="percent of all pairs that shook hands, about")
    certain: str = knob(
        "open", easy="possible", hard="open", order=("possible", "open"), doc="whether it is sure that the numbers are possible"
    )
    sides: str = knob("one", easy="one", hard="two", order=("one", "two"), doc="whether all people may meet, or only hosts and guests")


class Data(TaskData):
    people: tuple[str, ...]
    hosts: int  # the first so many people shook hands with the others only; 0 where all may
    shook: tuple[int, ...]
    possible: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Numbers from groups with few busy people, near the edge of what is possible."""
    return _made(rng, knobs, True)


def _made(rng: Rng, knobs: Knobs, steep: bool) -> Task[Data]:
    count = knobs.people
    hosts = count // 2 if knobs.sides == "two" else 0
    doomed = knobs.certain == "open" and rng.chance(0.3)
    while True:
        # Alike, a pair shakes hands with one chance; or steep, where their weights together are high enough.
        weight = [rng.integer(0, 60) if steep else 0 for _ in range(count)]
        pairs = [(a, b) for a in range(count) for b in range(a + 1, count) if not hosts or a < hosts <= b]
        limit = 110 - knobs.percent if steep else 100 - knobs.percent
        kept = [(a, b) for a, b in pairs if weight[a] + weight[b] + rng.integer(0, 25 if steep else 99) >= limit]
        shook = [sum(person in pair for pair in kept) for person in range(count)]
        for _ in range(count * 8 if doomed else 0):
            # Hands are moved from people with few to people with many, until it cannot be any more.
            giver, taker = rng.sample(range(count), 2)
            most = (count - hosts if taker < hosts else hosts) if hosts else count - 1
            same = not hosts or (giver < hosts) == (taker < hosts)
            if same and 0 < shook[giver] <= shook[taker] < most and _witness(shook, hosts) is None:
                shook[giver], shook[taker] = shook[giver] - 1, shook[taker] + 1
        if (_witness(shook, hosts) is not None) == doomed and sum(shook) > 0 and len(kept) < len(pairs) and len(set(shook)) > 1:
            break
    people = tuple(rng.sample(PEOPLE, count))
    data = Data(people=people, hosts=hosts, shook=tuple(shook), possible=not doomed)
    listing = ", ".join(f"{people[i]} {shook[i]}" for i in rng.shuffled(range(count)))
    rule = "No two people shook hands twice."
    if hosts:
        named = ", ".join(people[:hosts])
        rule = f"The hosts were {named}; the others were guests. Every handshake was between a host and a guest, and no two did it twice."
    ask = "Say who shook hands with whom: write each handshake as the two names with a hyphen between, in any order."
    busy = f"the k {'hosts' if hosts else 'people'} with the highest numbers"
    from_ = "the guests" if hosts else "each other and all others"
    bound = "k(k-1) plus the sum over all others of the smaller of k and their number"
    bound = "the sum over all guests of the smaller of k and the guest's number" if hosts else bound
    if knobs.certain == "open":
        ask += (
            f"\n\nIf the numbers cannot be right, this is proved by some k for which {busy} claim more handshakes than {from_} allow. Then answer "
            f"with the word impossible, k, the sum of these k numbers, and what is allowed at most: {bound}."
        )
    return Task(f"At a party people counted how many others they shook hands with: {listing}. {rule}\n\n{ask}", data)


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
    place = {name.lower(): i for i, name in enumerate(data.people)}
    seen, left = set(), list(data.shook)
    for word in answer:
        names = word.split("-", 2)
        if len(names) != 2 or not all(name in place for name in names) or names[0] == names[1]:
            return Score.wrong("a handshake joins the names of two different people with a hyphen")
        a, b = sorted(place[name] for name in names)
        if (a, b) in seen or (data.hosts and not a < data.hosts <= b):
            return Score.wrong(f"the handshake {word} is given twice or is not allowed")
        seen.add((a, b))
        left[a], left[b] = left[a] - 1, left[b] - 1
    wrong = next((i for i, rest in enumerate(left) if rest), None)
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


JOINED = Line("{name} has {left} left, and those with the most left are taken first: {others}")
CLAIMED = Line("The {k} with the highest numbers are {names}: together they claim {claimed}")
AMONG = Line("Handshakes among these {k} count for at most {among} of them")
GIVEN = Line("{name} with the number {number} can take part in at most {part} of them")
ALLOWED = Line("So at most {allowed} are allowed, and {claimed} are claimed")
END = Line("The answer is {answer}")


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    if data.possible:
        left = list(data.shook)
        for a, others in _havel_hakimi(data, 1):
            told = ", ".join(f"{data.people[b]} ({left[b]})" for b in others)
            steps.append(JOINED.write(name=data.people[a], left=left[a], others=told))
            left[a] = 0
            for b in others:
                left[b] -= 1
    else:
        k, claimed, allowed = _witness(data.shook, data.hosts) or (0, 0, 0)
        busy, others = _parts(data.shook, data.hosts, k)
        steps.append(CLAIMED.write(k=k, names=" ".join(data.people[i] for i in busy), claimed=claimed))
        steps += [] if data.hosts else [AMONG.write(k=k, among=k * (k - 1))]
        steps += [GIVEN.write(name=data.people[i], number=data.shook[i], part=min(k, data.shook[i])) for i in others]
        steps.append(ALLOWED.write(allowed=allowed, claimed=claimed))
    return [*steps, END.write(answer=environment.answer.render(solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, left = task.data, list(task.data.shook)
    place = {name: i for i, name in enumerate(data.people)}
    said_k: list[int] = []
    parts: dict[str, int] = {}

    def follows(step: str) -> bool:
        if (said := JOINED.read(step)) and data.possible:
            a = place[said["name"]]
            others = [(place[one.split(" ")[0]], int(one.split(" ")[1].strip("()"))) for one in said["others"].split(", ")]
            able = sorted(
                (rest for b, rest in enumerate(left) if b != a and (not data.hosts or (a < data.hosts) != (b < data.hosts))), reverse=True
            )
            fits = [rest for _, rest in others] == [left[b] for b, _ in others] == able[: left[a]] and left[a] == int(said["left"]) > 0
            fits = fits and a not in dict(others) and len(dict(others)) == len(others)
            fits = fits and (not data.hosts or all((a < data.hosts) != (b < data.hosts) for b, _ in others))
            left[a] = 0
            for b, _ in others:
                left[b] -= 1
            return fits
        if said := CLAIMED.read(step):
            said_k.append(int(said["k"]))
            busy, _ = _parts(data.shook, data.hosts, said_k[0])
            return said["names"].split() == [data.people[i] for i in busy] and int(said["claimed"]) == sum(data.shook[i] for i in busy)
        if said := AMONG.read(step):
            parts[""] = int(said["among"])
            return not data.hosts and said_k == [int(said["k"])] and parts[""] == said_k[0] * (said_k[0] - 1)
        if said := GIVEN.read(step):
            i, k = place[said["name"]], said_k[0]
            new = said["name"] not in parts and i in _parts(data.shook, data.hosts, k)[1]
            parts[said["name"]] = int(said["part"])
            return new and int(said["number"]) == data.shook[i] and int(said["part"]) == min(k, data.shook[i])
        said = ALLOWED.read(step)
        sums = _sums(data.shook, data.hosts, said_k[0])
        return bool(said and (int(said["claimed"]), int(said["allowed"])) == sums and sums[0] > sums[1] == sum(parts.values()))

    def ends(step: str) -> bool:
        said = END.read(step)
        return bool(said and not (data.possible and any(left)) and verify(task, tuple(said["answer"].split())).value == 1)

    return first_wrong(steps, follows, ends)


def _parts(shook: Sequence[int], hosts: int, k: int) -> tuple[list[int], list[int]]:
    """The k with the highest numbers (of the hosts, where there are some), and all that can limit them."""
    group = sorted(range(hosts or len(shook)), key=lambda i: (-shook[i], i))
    return group[:k], list(range(hosts, len(shook))) if hosts else group[k:]


def _sums(shook: Sequence[int], hosts: int, k: int) -> tuple[int, int]:
    """What the k busiest claim, and what is allowed (Erdos and Gallai; Gale and Ryser for two sides)."""
    busy, others = _parts(shook, hosts, k)
    return sum(shook[i] for i in busy), (0 if hosts else k * (k - 1)) + sum(min(k, shook[i]) for i in others)


def _witness(shook: Sequence[int], hosts: int) -> tuple[int, int, int] | None:
    for k in range(1, (hosts or len(shook) - 1) + 1):
        claimed, allowed = _sums(shook, hosts, k)
        if claimed > allowed:
            return k, claimed, allowed
    return None


def _havel_hakimi(data: Data, way: int) -> Iterator[tuple[int, list[int]]]:
    """Somebody and those whose hands are shaken: those with the most left. On two sides the hosts in turn, else the busiest first."""
    left = list(data.shook)
    while any(left[: data.hosts or None]):
        a = max(range(data.hosts or len(left)), key=lambda i: (left[i], -way * i))
        able = [b for b in range(data.hosts, len(left)) if b != a]
        others = sorted(able, key=lambda i: (-left[i], way * i))[: left[a]]
        yield a, others
        left[a] = 0
        for b in others:
            left[b] -= 1


def _answers(data: Data, way: int) -> Iterator[tuple[str, ...]]:
    if data.possible:
        yield tuple(f"{data.people[a]}-{data.people[b]}".lower() for a, others in _havel_hakimi(data, way) for b in others)
        return
    for k in range(1, (data.hosts or len(data.people) - 1) + 1)[::way]:
        claimed, allowed = _sums(data.shook, data.hosts, k)
        if claimed > allowed:
            yield ("impossible", str(k), str(claimed), str(allowed))


environment = Environment(
    Knobs,
    Words("the handshakes, separated by spaces", most=400, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=lambda task: _answers(task.data, -1),
    concept="Let the busiest person shake hands with those who have the most left, again and again; if that breaks down, the busiest few claim too much.",
)
