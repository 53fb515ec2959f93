"""Colour a map so that neighbours differ, with few colours and some countries already coloured.

Any colouring that keeps the rules is accepted. On the upper levels colours have prices and countries sizes, and a cheapest colouring is wanted, of a smaller
map: greedy choices cost more, and the least total is proved by cases with a bound.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import sample_hard
from rlgym.generators.graphs import colourings, node_groups
from rlgym.generators.graphs.adjacency import adjacency_lists
from rlgym.generators.text.english import join_words
from rlgym.solutions import Checks, Derivation, Solution, Step

NAMES = tuple(f"{letter}{number}".rstrip("0") for number in range(3) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
Pairs = tuple[tuple[str, str], ...]
GIVEN, FREE = Step("{name} has the given colour {colour:int}"), Step("{name} may have the colour {colour:int}")
BECAUSE = Step("{name} may have the colour {colour:int} because {seen:words}")


TRIES = 8


class Knobs(Config):
    countries: int = knob(
        14, easy=7, hard=45, beyond=54, doc="countries on the map; two fifths as many where a cheapest colouring is wanted"
    )
    colours: int = knob(3, easy=3, hard=4, doc="how many colours there are")
    degree: int = knob(34, easy=28, hard=44, doc="ten times the average number of neighbours of a country")
    fixed: int = knob(2, easy=0, hard=6, doc="countries whose colour is given; none where a cheapest colouring is wanted")
    wanted: str = knob("any", easy="any", hard="cheapest", order=("any", "cheapest"), doc="any colouring, or one of the least total price")
    nodes: int = knob(
        8,
        easy=1,
        hard=400,
        beyond=3000,
        scale="log",
        doc="nodes of a branch and bound search, at least, if one of 8 maps with prices has as many",
    )


class Data(TaskData):
    countries: int
    colours: int
    borders: tuple[tuple[int, int], ...]
    fixed: tuple[tuple[int, int], ...]
    prices: tuple[int, ...]  # of the colours; none where any colouring will do
    sizes: tuple[int, ...]  # of the countries, by which the prices are multiplied; none where any colouring will do
    least: int

    def priced(self) -> colourings.PricedMap:
        neighbours = tuple(node_groups.neighbour_masks(self.countries, self.borders))
        return colourings.PricedMap(neighbours, self.prices, self.sizes, tuple((place, colour - 1) for place, colour in self.fixed))


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, reach=knobs.countries)


def _sample_task(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    """A map in which countries share a border only if at most `reach` steps lie between them on a ring."""
    if knobs.wanted == "any":
        return _render_task(rng, _sample_map(rng, knobs, knobs.countries, reach))
    count = max(7, knobs.countries * 2 // 5)

    def measure(data: Data) -> int:
        nodes = colourings.search_cheapest(data.priced()).nodes
        return nodes // 4 if colourings.local_search(data.priced()) == data.least else nodes

    return _render_task(rng, sample_hard(lambda: _sample_priced_map(rng, knobs, count, reach), measure, knobs.nodes, TRIES))


def _sample_priced_map(rng: Rng, knobs: Knobs, count: int, reach: int) -> Data:
    data = _sample_map(rng, knobs.model_copy(update={"fixed": 0}), count, reach)
    prices = [rng.integer(1, 3)]
    for _ in range(data.colours - 1):
        prices.append(prices[-1] + rng.integer(1, 2))
    sizes = tuple(rng.integer(2, 9) for _ in range(count))
    data = data.model_copy(update={"prices": tuple(rng.shuffled(prices)), "sizes": sizes})
    return data.model_copy(update={"least": colourings.search_cheapest(data.priced()).total})


def _sample_map(rng: Rng, knobs: Knobs, count: int, reach: int) -> Data:
    planted = [1 + place * knobs.colours // count for place in rng.shuffled(range(count))]
    possible = [
        (a, b) for a in range(count) for b in range(a + 1, count) if planted[a] != planted[b] and min(b - a, count - b + a) <= reach
    ]
    borders = tuple(sorted(rng.sample(possible, min(len(possible), max(count - 1, count * knobs.degree // 20)))))
    fixed = tuple(sorted((place, planted[place]) for place in rng.sample(range(count), min(knobs.fixed, count // 2))))
    return Data(countries=count, colours=knobs.colours, borders=borders, fixed=fixed, prices=(), sizes=(), least=0)


def _render_task(rng: Rng, data: Data) -> Task[Data]:
    listing = "\n".join(f"{NAMES[a]} - {NAMES[b]}" for a, b in rng.shuffled(data.borders))
    given = "\n" * bool(data.fixed) + "".join(f"\n{NAMES[place]} has the colour {colour}." for place, colour in data.fixed)
    priced = ""
    if data.prices:
        costs = join_words([f"{price} for the colour {colour}" for colour, price in enumerate(data.prices, 1)])
        sizes = ", ".join(f"{name} {size}" for name, size in zip(NAMES, data.sizes, strict=False))
        priced = (
            f" Colouring a country costs its size times a price: {costs}. The sizes are: {sizes}.\n"
            "Make the total cost as small as possible."
        )
    prompt = (
        f"A map has the countries {', '.join(NAMES[: data.countries])}. These pairs share a border:\n{listing}{given}\n\n"
        f"Give every country one of the colours 1 to {data.colours} so that no two countries with a common border have the same colour"
        + (" and the given colours stay as they are." if data.fixed else ".")
        + priced
    )
    return Task(prompt, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Countries along a ring, with borders to near ones only."""
    return _sample_task(rng, knobs, reach=5)


def solve(task: Task[Data]) -> Pairs:
    if task.data.prices:
        return _pairs(colourings.search_cheapest(task.data.priced()).colours)
    return next(_colourings(task.data, range(1, task.data.colours + 1)))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    if len(given) != data.countries:
        return Score.wrong(f"{data.countries} countries need a colour, got {len(given)}")
    colours = []
    for name in NAMES[: data.countries]:
        colour = given.get(name.lower(), "").removeprefix("colour ").removeprefix("color ")
        if colour not in COLOUR_WORDS[: data.colours]:
            return Score.wrong(f"{name} has no colour from 1 to {data.colours}")
        colours.append(colour)
    for place, wanted in data.fixed:
        if colours[place] != str(wanted):
            return Score.wrong(f"{NAMES[place]} must keep its colour")
    for a, b in data.borders:
        if colours[a] == colours[b]:
            return Score.wrong(f"{NAMES[a]} and {NAMES[b]} share a border and a colour")
    total = sum(size * data.prices[int(colour) - 1] for size, colour in zip(data.sizes, colours, strict=False))
    return Score.exact(total == data.least, "there is a cheaper colouring")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    # One colour for all, two countries across a border alike, one country left out.
    colours = dict(right)
    a, b = task.data.borders[0]
    same_colour = tuple((name, colours[NAMES[a].lower()] if name == NAMES[b].lower() else colour) for name, colour in right)
    return [tuple((name, "1") for name, _ in right), same_colour, right[1:], tuple((name, "0") for name, _ in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    nodes = colourings.search_cheapest(data.priced()).nodes if data.prices else 0
    return (len(data.borders) * data.colours + data.countries) * (1 + nodes / 2)


def derive(task: Task[Data]) -> Derivation:
    data, colours = task.data, dict(solve(task))
    if data.prices:
        yield from colourings.derive_least(data.priced(), NAMES, data.least)
        return
    neighbours = adjacency_lists(data.borders, range(data.countries))
    for country, colour in data.fixed:
        yield GIVEN(name=NAMES[country], colour=colour)
    coloured = {country for country, _ in data.fixed}
    for country in sorted(range(data.countries), key=lambda country: (-len(neighbours[country]), country)):
        if country in coloured:
            continue
        seen = [f"{NAMES[other]} has {colours[NAMES[other].lower()]}" for other in neighbours[country] if other in coloured]
        coloured.add(country)
        colour = int(colours[NAMES[country].lower()])
        yield BECAUSE(name=NAMES[country], colour=colour, seen=seen) if seen else FREE(name=NAMES[country], colour=colour)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    if data.prices:
        return colourings.case_checks(data.priced(), NAMES, data.least)
    neighbours, number = adjacency_lists(data.borders, range(data.countries)), {name: i for i, name in enumerate(NAMES[: data.countries])}
    colours: dict[int, int] = {}

    def is_given(name: str, colour: int) -> bool:
        colours[number[name]] = colour
        return (number[name], colour) in data.fixed

    def is_allowed(name: str, colour: int, seen: tuple[str, ...] = ()) -> bool:
        country = number[name]
        around = {other: colours[other] for other in neighbours[country] if other in colours}
        new = country not in colours and 1 <= colour <= data.colours
        colours[country] = colour
        return new and list(seen) == [f"{NAMES[other]} has {used}" for other, used in around.items()] and colour not in around.values()

    return {GIVEN: is_given, BECAUSE: is_allowed, FREE: is_allowed}


def picture(task: Task[Data]) -> str:
    data = task.data
    given = dict(data.fixed)
    names = [f"{NAMES[i]}: {given[i]}" if i in given else NAMES[i] for i in range(data.countries)]
    return pictures.network(names, [(names[a], names[b]) for a, b in data.borders])


COLOUR_WORDS = ("1", "2", "3", "4", "5", "6")


def _colourings(data: Data, preference: range) -> Iterator[Pairs]:
    """Every colouring by backtracking; the next country is one with the fewest colours left, ties broken by degree."""
    neighbours = adjacency_lists(data.borders, range(data.countries))
    options = [(1 << data.colours) - 1] * data.countries
    for place, colour in data.fixed:
        options[place] = 1 << colour - 1
    stack: list[tuple[list[int], frozenset[int]]] = [(options, frozenset())]
    while stack:
        options, done = stack.pop()
        if len(done) == data.countries:
            yield tuple(sorted((NAMES[place].lower(), str(mask.bit_length())) for place, mask in enumerate(options)))
            continue
        place = min((i for i in range(data.countries) if i not in done), key=lambda i: (options[i].bit_count(), -len(neighbours[i]), i))
        for colour in reversed(preference):
            bit = 1 << colour - 1
            if options[place] & bit:
                after = options.copy()
                after[place] = bit
                for other in neighbours[place]:
                    after[other] &= ~bit
                if all(after[other] for other in neighbours[place]):
                    stack.append((after, done | {place}))


def _other_answers(task: Task[Data]) -> Iterator[Pairs]:
    data = task.data
    if data.prices:
        return iter([_pairs(colourings.search_cheapest(data.priced(), backwards=True).colours)[::-1]])
    return _colourings(data, range(data.colours, 0, -1))


def _pairs(colours: tuple[int, ...]) -> Pairs:
    return tuple(sorted((NAMES[place].lower(), str(colour + 1)) for place, colour in enumerate(colours)))


environment = Environment(
    Knobs, Mapping("one line `country: colour` for each country, the colour as a number"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "All together: {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Colour next the country that has the fewest colours left; when none is left for some country, take the last choice back.",
    version=4,
)  # fmt: skip
