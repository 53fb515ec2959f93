"""People who each have one value of several kinds, numbers among them, and clues that compare, add and pair these."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.grids import domains, singleton_consistency
from rlgym.generators.grids.clues import drop_clues

Thing = tuple[int, int]
"""A category, 0 for the people, and a position in it."""


class Category(TaskData):
    """A category of things: its name, how its things read, and its numbers where it has any, rising.

    who    whom a thing stands for, with {0}: "whoever ate {0}"
    more, sum  how numbers are compared and added, with {0} and {1} for people
    """

    name: str
    values: tuple[str, ...]
    numbers: tuple[int, ...] = ()
    who: str = "{0}"
    unit: str = ""
    later: str = ""
    by: str = ""
    sum: str = ""


class Clue(TaskData):
    """A statement about people, each named by a thing.

    is, not    two things belong to the same person, or to two
    either     the first belongs to the second or to the third, which are two people
    pair       the first two are two people, the last two as well, and these are the same two
    later, by, sum   numbers of `category`: the first is larger than the second, larger by `amount`, or both add up to it
    """

    kind: str
    things: tuple[Thing, ...]
    category: int = 0
    amount: int = 0


class Story(TaskData):
    categories: tuple[Category, ...]
    clues: tuple[Clue, ...]


def holds(clue: Clue, owner: Callable[[Thing], int], story: Story) -> bool:
    """Whether a clue is true, when `owner` says which person each thing belongs to."""
    who = [owner(thing) for thing in clue.things]
    if clue.kind == "is":
        return who[0] == who[1]
    if clue.kind == "not":
        return who[0] != who[1]
    if clue.kind == "either":
        return who[1] != who[2] and who[0] in who[1:]
    if clue.kind == "pair":
        return who[0] != who[1] and who[2] != who[3] and {who[0], who[1]} == {who[2], who[3]}
    numbers = story.categories[clue.category].numbers
    first, second = (next(n for i, n in enumerate(numbers) if owner((clue.category, i)) == thing) for thing in who[:2])
    return who[0] != who[1] and compares(clue, first, second)


def compares(clue: Clue, first: int, second: int) -> bool:
    if clue.kind == "later":
        return first > second
    return first - second == clue.amount if clue.kind == "by" else first + second == clue.amount


def describe_clue(clue: Clue, story: Story) -> str:
    named = [story.categories[c].who.format(story.categories[c].values[i]) for c, i in clue.things]
    plain = [
        value if c == 0 else story.categories[c].who.format(value) for (c, i) in clue.things for value in [story.categories[c].values[i]]
    ]
    if clue.kind == "is":
        text = f"{named[0]} is {plain[1]}"
    elif clue.kind == "not":
        text = f"{named[0]} is not {plain[1]}"
    elif clue.kind == "either":
        text = f"{named[0]} is either {plain[1]} or {plain[2]}, who are two different people"
    elif clue.kind == "pair":
        text = f"of {named[0]} and {named[1]}, one is {plain[2]} and the other is {plain[3]}"
    else:
        category = story.categories[clue.category]
        form = {"later": category.later, "by": category.by, "sum": category.sum}[clue.kind]
        text = form.format(named[0], named[1], clue.amount)
    return text[0].upper() + text[1:] + "."


def puzzle(story: Story) -> domains.Puzzle:
    """The unknowns are the things, and their values the people."""
    return _without_clues(story).with_rules(_clue_rules(story))


def _without_clues(story: Story) -> domains.Puzzle:
    count = len(story.categories[0].values)
    things = [(c, i) for c in range(1, len(story.categories)) for i in range(count)]
    at = {thing: k for k, thing in enumerate(things)}
    rules = []
    for c in range(1, len(story.categories)):
        for p, person in enumerate(story.categories[0].values):
            ones = [(at[c, i], 1 << p) for i in range(count)]
            rules.append(domains.exactly_one(f"the {story.categories[c].name} of {person}", ones))
    return domains.Puzzle(
        tuple(f"the owner of {story.categories[c].values[i]}" for c, i in things),
        story.categories[0].values,
        ((1 << count) - 1,) * len(things),
        domains.different([[at[c, j] for j in range(count) if j != i] for c, i in things], count),
        tuple(rules),
    )


def _clue_rules(story: Story) -> list[domains.Rule]:
    count, rules = len(story.categories[0].values), []
    at = {(c, i): (c - 1) * count + i for c in range(1, len(story.categories)) for i in range(count)}
    for number, clue in enumerate(story.clues, 1):
        used = [at[thing] for thing in clue.things if thing[0]]
        if clue.category:
            used += [at[clue.category, i] for i in range(count)]
        rules.append(domains.Rule(f"clue {number}", tuple(dict.fromkeys(used)), narrow=_narrow(clue, story, at)))
    return rules


def _narrow(clue: Clue, story: Story, at: dict[Thing, int]) -> domains.Narrow:
    count = len(story.categories[0].values)
    pairs = [
        (a, b)
        for a in range(count)
        for b in range(count)
        if clue.category
        and a != b
        and compares(clue, story.categories[clue.category].numbers[a], story.categories[clue.category].numbers[b])
    ]

    def narrow(can: list[int]) -> bool:
        masks = [can[at[thing]] if thing[0] else 1 << thing[1] for thing in clue.things]
        cut = list(masks)
        if clue.kind == "is":
            cut = [masks[0] & masks[1]] * 2
        elif clue.kind == "not":
            a, b = masks
            cut = [a if b & b - 1 else a & ~b, b if a & a - 1 else b & ~a]
        elif clue.kind == "either":
            a, b, c = masks
            cut = [a & (b | c), b if a & c else a & b, c if a & b else a & c]
        elif clue.kind == "pair":
            a, b, c, d = masks
            straight, crossed = a & c and b & d, a & d and b & c
            cut = [
                a & ((c if straight else 0) | (d if crossed else 0)),
                b & ((d if straight else 0) | (c if crossed else 0)),
                c & ((a if straight else 0) | (b if crossed else 0)),
                d & ((b if straight else 0) | (a if crossed else 0)),
            ]
        else:
            own = [can[at[clue.category, i]] for i in range(count)]
            first = second = 0
            left, right = [0] * count, [0] * count
            for a, b in pairs:
                x, y = masks[0] & own[a], masks[1] & own[b]
                if x and y and (x != y or x & x - 1):
                    first, second = first | x, second | y
                    left[a], right[b] = left[a] | x, right[b] | y
            cut = [first, second]
            for i in range(count):
                # whoever certainly is the first, or the second, has only a number that fits
                for mask, kept in ((masks[0], left[i]), (masks[1], right[i])):
                    if not mask & mask - 1 and not kept:
                        can[at[clue.category, i]] &= ~mask
        for thing, mask in zip(clue.things, cut):
            if thing[0]:
                can[at[thing]] &= mask
            elif not mask:
                return False
        return all(cut)

    return narrow


def sample_story(
    rng: Rng, categories: tuple[Category, ...], kinds: Sequence[str], reasoning: str, suppositions: int = 0
) -> tuple[Story, dict[Thing, int]]:
    """A story whose clues leave one solution, few of them superfluous, and who owns what.

    By `search` it may take three times as many suppositions as are wanted to prove that there is one solution.
    """
    count = len(categories[0].values)
    owner = {(0, i): i for i in range(count)}
    for c in range(1, len(categories)):
        owner |= {(c, i): p for i, p in enumerate(rng.shuffled(range(count)))}
    plain, things = Story(categories=categories, clues=()), sorted(owner)
    numeric = [c for c, category in enumerate(categories) if category.numbers]
    clues: dict[Clue, None] = {}
    for kind in kinds:
        for _ in range(5 * count):
            four = rng.sample(things, 4)
            if kind in ("is", "not", "either", "pair"):
                used = four[: {"is": 2, "not": 2, "either": 3, "pair": 4}[kind]]
                if kind == "is" and rng.chance(0.5):
                    used[1] = rng.choice([thing for thing in things if owner[thing] == owner[used[0]] and thing != used[0]])
                if kind == "either":
                    used[rng.integer(1, 2)] = rng.choice([t for t in things if owner[t] == owner[used[0]] and t != used[0]])
                if kind == "pair":
                    used[2:] = [rng.choice([t for t in things if owner[t] == owner[u] and t != u]) for u in rng.shuffled(used[:2])]
                pairs = [(0, 1)] if kind != "pair" else [(0, 1), (2, 3)]
                pairs += [(1, 2), (0, 2)] if kind == "either" else []
                clue = Clue(kind=kind, things=tuple(used))
                fine = len(set(used)) == len(used) and all(used[i][0] != used[j][0] for i, j in pairs if kind != "pair" or i != j)
            else:
                c = rng.choice(numeric)
                first, second = four[:2]
                numbers = {owner[c, i]: n for i, n in enumerate(categories[c].numbers)}
                a, b = numbers[owner[first]], numbers[owner[second]]
                clue = Clue(kind=kind, things=(first, second), category=c, amount={"by": a - b, "sum": a + b}.get(kind, 0))
                fine = c not in (first[0], second[0]) and (kind != "sum" or bool(categories[c].sum)) and (kind != "by" or a > b)
            if fine and clue not in clues and holds(clue, owner.__getitem__, plain):
                clues[clue] = None
    full = Story(categories=categories, clues=tuple(clues))
    bare, rules = _without_clues(full), _clue_rules(full)

    def enough(kept: list[int]) -> bool:
        work = bare.with_rules([rules[i] for i in kept])
        if reasoning == "direct":
            return singleton_consistency.deducible(work, {}, "direct")
        return domains.has_one_solution(work, {}, 3 * suppositions if reasoning == "search" else 8)

    order = rng.shuffled(range(len(clues)))
    if reasoning == "search":
        # Clues that say most are dropped first, so that many weak ones are left.
        order.sort(key=lambda i: full.clues[i].kind not in ("is", "by", "sum"))
    if not enough(order):
        return sample_story(rng, categories, kinds, reasoning, suppositions)
    kept = drop_clues(order, 0, enough)
    spare = [i for i in order if i not in kept]
    while reasoning != "search" and not singleton_consistency.deducible(bare.with_rules([rules[i] for i in kept]), {}, reasoning):
        kept.append(spare.pop())
    return full.model_copy(update={"clues": tuple(full.clues[i] for i in kept)}), owner
