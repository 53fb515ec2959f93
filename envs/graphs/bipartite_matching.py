"""Give people jobs they can do, one each, so that as many jobs as possible are filled or the total value is greatest.

Any best choice is accepted; its size or value alone is never an answer.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.drawing import pictures
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
RULE = Step(
    "If people and jobs have prices so that each possible pair is worth at most its two prices together, no choice is worth more than all prices"
)
OF_PEOPLE, OF_JOBS = Step("People: {prices:words}; together {sum:int}"), Step("Jobs: {prices:words}; together {sum:int}")
OFFER = Step("{job} is worth {value:int}, at most {one:int} + {two:int}")
PERSON = Step("{name}: {offers}")
SUM = Step(
    "No possible pair is worth more than its prices, and all are {one:int} + {two:int} = {best:int}, so a choice worth {best:int} is best"
)


class Knobs(Config):
    people: int = knob(8, easy=3, hard=26, doc="how many people there are, and as many jobs")
    choices: int = knob(30, easy=18, hard=45, doc="ten times the average number of jobs that a person can do")
    worth: str = knob("values", easy="alike", hard="values", order=("alike", "values"), doc="whether all pairs are worth the same")


class Data(TaskData):
    people: tuple[str, ...]
    offers: tuple[tuple[int, int, int], ...]
    """Person, job, and what the pair is worth."""
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, nearby=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Jobs in a row; each person can do only some that are close together."""
    return _sample_task(rng, knobs, nearby=True)


def solve(task: Task[Data]) -> Pairs:
    return _augment_by_longest_paths(task.data, range(len(task.data.people)))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    worth = {(data.people[i].lower(), f"j{j}"): value for i, j, value in data.offers}
    for name, job in answer:
        if (name, job) not in worth:
            return Score.wrong(f"{name[:20]!r} cannot do {job[:20]!r}")
    if len({job for _, job in answer}) < len(answer):
        return Score.wrong("a job is given to more than one person")
    return Score.exact(sum(worth[pair] for pair in answer) == data.best, "there is a better choice")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    firsts = {data.people[i].lower(): f"j{j}" for i, j, _ in reversed(data.offers)}
    greedy: dict[str, str] = {}
    for i, j, _ in sorted(data.offers, key=lambda offer: -offer[2]):
        if data.people[i].lower() not in greedy and f"j{j}" not in greedy.values():
            greedy[data.people[i].lower()] = f"j{j}"
    lost = right[1:] or ((right[0][0], "j0"),)
    return [lost, tuple(sorted(firsts.items())), tuple(sorted(greedy.items())), (("nobody", right[0][1]), *right[1:])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.offers) * len(data.people) * (2 if any(value > 1 for _, _, value in data.offers) else 1))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    of_people, of_jobs = _prices(data)
    sums = sum(of_people), sum(of_jobs)
    yield RULE()
    yield OF_PEOPLE(prices=[f"{name} {price}" for name, price in zip(data.people, of_people, strict=True)], sum=sums[0])
    yield OF_JOBS(prices=[f"J{j} {price}" for j, price in enumerate(of_jobs, 1)], sum=sums[1])
    for i, name in enumerate(data.people):
        offers = [OFFER.write(job=f"J{j}", value=value, one=of_people[i], two=of_jobs[j - 1]) for who, j, value in data.offers if who == i]
        if offers:
            yield PERSON(name=name, offers="; ".join(offers))
    yield SUM(one=sums[0], two=sums[1], best=data.best)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    worth = {(data.people[i], f"J{j}"): value for i, j, value in data.offers}
    people, jobs, covered = dict[str, int](), dict[str, int](), set[tuple[str, str]]()

    def prices_all(known: dict[str, int], names: Sequence[str], prices: tuple[str, ...], total: int) -> bool:
        pairs = [pair.rpartition(" ") for pair in prices]
        known.update((name, int(price)) for name, _, price in pairs)
        return [name for name, _, _ in pairs] == list(names) and min(known.values()) >= 0 and sum(known.values()) == total

    def is_lower_bound(one: int, two: int, best: int) -> bool:
        sums = sum(people.values()), sum(jobs.values())
        return covered == set(worth) and sums == (one, two) and sum(sums) == best

    def covers_offers(name: str, offers: str) -> bool:
        for offer in offers.split("; "):
            read = OFFER.read(offer)
            if not read:
                return False
            values = OFFER.values(read)
            job, prices = values["job"], (values["one"], values["two"])
            if (worth[name, job], people[name], jobs[job]) != (values["value"], *prices) or values["value"] > sum(prices):
                return False
            covered.add((name, job))
        return True

    job_names = [f"J{j + 1}" for j in range(len(data.people))]
    return {
        RULE: lambda: True,
        OF_PEOPLE: lambda prices, sum: prices_all(people, data.people, prices, sum),
        OF_JOBS: lambda prices, sum: prices_all(jobs, job_names, prices, sum),
        SUM: is_lower_bound,
        PERSON: covers_offers,
    }


def picture(task: Task[Data]) -> str:
    data = task.data
    many = any(value > 1 for _, _, value in data.offers)
    offers = [(data.people[i], f"J{j}", str(value) if many else "") for i, j, value in data.offers]
    return pictures.network([*data.people, *(f"J{j + 1}" for j in range(len(data.people)))], offers, marked=data.people)


def _sample_task(rng: Rng, knobs: Knobs, nearby: bool) -> Task[Data]:
    count, is_unweighted = knobs.people, knobs.worth == "alike"
    people = tuple(rng.sample(PEOPLE, count))
    all_pairs = [(i, j) for i in range(count) for j in range(1, count + 1)]
    if nearby:
        job, window = rng.shuffled(range(1, count + 1)), 1 + knobs.choices // 20
        all_pairs = sorted((i, job[j]) for i in range(count) for j in range(max(0, i - window), min(count, i + window + 1)))
    offered = sorted(rng.sample(all_pairs, max(2, min(len(all_pairs), count * knobs.choices // 10))))
    offers = tuple((i, j, 1 if is_unweighted else rng.integer(1, 20)) for i, j in offered)
    lines = []
    for i, name in enumerate(people):
        jobs = [f"J{j}" if is_unweighted else f"J{j} ({value})" for who, j, value in offers if who == i]
        lines.append(f"{name}: {', '.join(rng.shuffled(jobs)) or 'none'}")
    values = "" if is_unweighted else " The number behind a job is what it is worth when this person does it."
    goal = "as many jobs as possible are done" if is_unweighted else "the total worth is as great as possible"
    prompt = (
        f"These people can do these jobs:\n{chr(10).join(lines)}\n\nNobody does more than one job, and no job is done by more than one person.{values} "
        f"Choose who does which job so that {goal}. People without a job are left out."
    )
    return Task(prompt, Data(people=people, offers=offers, best=_dual_value(count, offers)))


def _table(count: int, offers: tuple[tuple[int, int, int], ...]) -> list[list[int]]:
    table = [[0] * count for _ in range(count)]
    for i, j, value in offers:
        table[i][j - 1] = value
    return table


def _hungarian(table: list[list[int]]) -> tuple[list[int], list[int]]:
    """Non-negative prices of rows and columns that cover every entry at the least total (Hungarian algorithm, Kuhn and Munkres)."""
    count = len(table)
    rows, columns = [0] * (count + 1), [0] * (count + 1)
    owner = [0] * (count + 1)
    for row in range(1, count + 1):
        owner[0], column = row, 0
        slack, predecessor, used = [1 << 60] * (count + 1), [0] * (count + 1), [False] * (count + 1)
        while owner[column]:
            used[column] = True
            least, nearest = 1 << 60, 0
            for j in range(1, count + 1):
                if not used[j]:
                    now = -table[owner[column] - 1][j - 1] - rows[owner[column]] - columns[j]
                    if now < slack[j]:
                        slack[j], predecessor[j] = now, column
                    if slack[j] < least:
                        least, nearest = slack[j], j
            for j in range(count + 1):
                if used[j]:
                    rows[owner[j]] += least
                    columns[j] -= least
                else:
                    slack[j] -= least
            column = nearest
        while column:
            owner[column], column = owner[predecessor[column]], predecessor[column]
    # Minus the potentials are prices; a shift makes all of them at least 0, since every entry is.
    shift = min(-price for price in columns[1:])
    return [-price + shift for price in rows[1:]], [-price - shift for price in columns[1:]]


def _dual_value(count: int, offers: tuple[tuple[int, int, int], ...]) -> int:
    rows, columns = _hungarian(_table(count, offers))
    return sum(rows) + sum(columns)


def _prices(data: Data) -> tuple[list[int], list[int]]:
    return _hungarian(_table(len(data.people), data.offers))


def _augment_by_longest_paths(data: Data, order: Sequence[int]) -> Pairs:
    """Augments the matching along the path that gains most until no path gains anything (Bellman-Ford)."""
    offers = [offer for i in order for offer in data.offers if offer[0] == i]
    of_person: dict[int, tuple[int, int]] = {}
    of_job: dict[int, int] = {}
    while True:
        gain: dict[int, int] = {i: 0 for i in order if i not in of_person}
        predecessor: dict[int, int] = {}
        reached: dict[int, int] = {}
        changed = True
        while changed:
            changed = False
            for i, j, value in offers:
                if i in gain and of_person.get(i, (0, 0))[0] != j and gain[i] + value > reached.get(j, 0):
                    reached[j], predecessor[j], changed = gain[i] + value, i, True
                    if j in of_job:
                        gain[of_job[j]] = reached[j] - of_person[of_job[j]][1]
        best = max((j for j in reached if j not in of_job), key=lambda j: (reached[j], -j), default=0)
        if not best:
            return tuple(sorted((data.people[i].lower(), f"j{j}") for i, (j, _) in of_person.items()))
        worth = {(i, j): value for i, j, value in offers}
        while best:
            i = predecessor[best]
            before = of_person.get(i, (0, 0))[0]
            of_person[i], of_job[best] = (best, worth[i, best]), i
            best = before


def _other_answers(task: Task[Data]) -> Iterator[Pairs]:
    """Best choices with the people in reverse order, and without each pair that is not essential."""
    data, count = task.data, len(task.data.people)
    yield _augment_by_longest_paths(data, range(count - 1, -1, -1))
    for left_out in data.offers[:12]:
        offers = tuple(offer for offer in data.offers if offer != left_out)
        if _dual_value(count, offers) == data.best:
            yield _augment_by_longest_paths(data.model_copy(update={"offers": offers}), range(count))


environment = Environment(
    Knobs, Mapping("one line `person: job` for each person who gets a job"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Such a choice is:\n{answer}", checks), shift=shift, picture=picture, answers="many",
    solutions=_other_answers,
    concept="Take a chain of people, each taking over the job of the next one, when the change gains something on the whole; stop when no chain does.",
)  # fmt: skip
