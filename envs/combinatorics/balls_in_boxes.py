"""Count the ways to put people into groups, or around tables, with a least number in each."""

from fractions import Fraction
from math import comb, factorial, perm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.draws import draw_short
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution
from rlgym.generators.text.english import count_noun

CONCEPT = "Look at one person: choose who is in the same group, and divide the others among one group less."
PEOPLE = """students players guests hikers dancers pupils sailors nurses singers clerks bakers cousins drummers editors fishers gardeners
hunters jugglers knights lawyers miners painters riders tailors weavers
actors boxers chefs divers farmers ghosts judges kings monks pilots poets porters robots spies twins vets wizards witches"""
TABLES = "round tables, campfires, round sofas, carousels, round beds, ring tents, hot tubs, wells"
GROUPS = "groups, boats, rooms, teams, cars, huts, tents, trains, camps, halls"
State = tuple[int, int, int]


class Knobs(Config):
    people: int = knob(8, easy=4, hard=15, doc="approximate number of people")
    groups: int = knob(3, easy=2, hard=5, doc="approximate number of groups")
    min_size: int = knob(1, easy=1, hard=3, doc="minimum number of people in a group")
    apart: int = knob(1, easy=0, hard=4, doc="people of whom no two may be together")


class Data(TaskData):
    people: int
    groups: int
    least: int
    most: int
    apart: int
    tables: bool
    labelled: bool
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_task(rng, knobs, tables=False), _count)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The groups sit around round tables, and who sits to whose left matters."""
    return draw_short(lambda: _sample_task(rng, knobs, tables=True), _count)


def _count(task: Task[Data]) -> int:
    return task.data.count


def _sample_task(rng: Rng, knobs: Knobs, tables: bool) -> Task[Data]:
    groups = max(2, knobs.groups + rng.integer(-1, 1))
    least = knobs.min_size
    people = max(groups * least + rng.integer(1, 3), knobs.people + rng.integer(-1, 3))
    most = max(people - groups * least + least - rng.integer(1, 4), -(-people // groups) + rng.integer(0, 2))
    separated = min(rng.integer(0, 1) + knobs.apart, groups)
    separated = separated if separated > 1 else 0
    data = Data(people=people, groups=groups, least=least, most=most, apart=separated, tables=tables, labelled=rng.chance(0.5), count=0)
    group_word = rng.choice((TABLES if tables else GROUPS).split(", "))
    people_word = rng.choice(PEOPLE.split())
    sit = " Two seatings in a circle are the same if everybody has the same neighbour on the left (seated in a circle)." if tables else ""
    same = (
        f"The {group_word} are numbered, and it matters who is in which."
        if data.labelled
        else f"The {group_word} are not numbered, so it does not matter which group is where."
    )
    alone = f" {separated} of the {people_word} have quarrelled with one another, and no two of these may be together." if separated else ""
    prompt = (
        f"{people} {people_word}, all different, are divided among {groups} {group_word}, at least {least} and at most {most} in each."
        f"{alone} {same}{sit} In how many ways can this be done?"
    )
    return Task(prompt, data.model_copy(update={"count": _recurrence(data).count}))


def solve(task: Task[Data]) -> int:
    """By exponential generating functions: those who keep apart each head a group."""
    data = task.data
    free = data.people - data.apart
    headed, plain = [Fraction(0)] * (free + 1), [Fraction(0)] * (free + 1)
    for size in range(free + 1):
        rounds = factorial(size) if data.tables else 1
        headed[size] = Fraction(rounds, factorial(size)) if data.least <= size + 1 <= data.most else Fraction(0)
        plain[size] = (
            Fraction(factorial(size - 1) if data.tables else 1, factorial(size)) if data.least <= size <= data.most else Fraction(0)
        )
    series = [Fraction(1)] + [Fraction(0)] * free
    for group in range(data.groups):
        miscounted = headed if group < data.apart else plain
        series = [sum((series[i] * miscounted[size - i] for i in range(size + 1)), Fraction(0)) for size in range(free + 1)]
    ways = series[free] * factorial(free) / factorial(data.groups - data.apart)
    return int(ways) * (factorial(data.groups) if data.labelled else 1)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of ways is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    miscounted = right // factorial(data.groups) if data.labelled else right * factorial(data.groups)
    return [miscounted, data.groups**data.people, comb(data.people, data.groups), right + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    return _recurrence(data).work * (1 + data.least) * (1 + data.apart)


def _recurrence(data: Data) -> Recurrence[State]:
    def parts(state: State) -> int | list[tuple[int, State]]:
        """People and groups left; the quarrelling ones, if any are left, head groups of their own."""
        people, groups, heads = state
        if groups < 0:  # the groups are numbered at the end
            return [(factorial(data.groups), (people, data.groups, heads))]
        if groups == 0 or people + heads < groups * data.least or heads > groups:
            return int(people == groups == heads == 0)
        company = people if heads else people - 1
        sizes = range(data.least, min(data.most, company + 1) + 1)
        arranged = [(comb(company, size - 1) if not data.tables else perm(company, size - 1), size) for size in sizes]
        return [(ways, (company - size + 1, groups - 1, max(0, heads - 1))) for ways, size in arranged]

    def name(state: State) -> str:
        quarrelling = f" and {state[2]} who keep apart" if data.apart else ""
        return (
            f"ways for {state[0]}{quarrelling} in {count_noun(state[1], 'group')}" if state[1] >= 0 else "ways with numbers on the groups"
        )

    free = data.people - data.apart
    return Recurrence((free, -1 if data.labelled else data.groups, data.apart), parts, name)


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=recurrence_solution(_recurrence),
    shift=shift,
    concept=CONCEPT,
    chains=True,
    version=4,
)
