"""Riddles about people: who says the truth, who knows what, who lives or sits where."""

from __future__ import annotations

import re
from itertools import product

import z3

from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver


def listed(text: str) -> list[str]:
    """The names of a list such as `A, B and C`."""
    return re.split(r", | and ", text)


def kind_holds(text: str, kinds: dict[str, str]) -> bool:
    """The truth of what somebody says, if everybody is of the given kind."""

    def basic(part: str) -> bool:
        name, negation, kind = re.fullmatch(r"(\w+) is (not )?a (\w+)", part).groups()
        return (kinds[name] == kind) != bool(negation)

    if found := re.fullmatch(r"(\w+) and (\w+) are of (the same kind|different kinds)", text):
        return (kinds[found[1]] == kinds[found[2]]) == (found[3] == "the same kind")
    if found := re.fullmatch(r"If (.*), then (.*)", text):
        return not basic(found[1]) or basic(found[2])
    if found := re.fullmatch(r"(.*) exactly when (.*)", text):
        return basic(found[1]) == basic(found[2])
    if found := re.fullmatch(r"(.*), or (.*), or both", text):
        return basic(found[1]) or basic(found[2])
    if found := re.fullmatch(r"(\w+) would say that (.*)", text):
        return basic(found[2]) == (kinds[found[1]] == "knight")
    if found := re.fullmatch(r"Among (.*), the number of (\w+?)s is exactly (\d+)", text):
        kind = found[2].replace("spie", "spy")
        return sum(kinds[name] == kind for name in listed(found[1])) == int(found[3])
    return all(basic(part) for part in text.split(" and "))


def kinds_of_people(prompt: str, kinds: tuple[str, ...]) -> str:
    """The only way to give everybody a kind that agrees with all that is said."""
    said = re.findall(r'^(\w+) says: "(.*)\."$', prompt, re.MULTILINE)
    names = listed(re.findall(r"Each of (.*?) is ", prompt)[0])
    counts = {kind: int(count) for count, kind in re.findall(r"(\d+) (knight|knave|sp)", between(prompt + "exactly .", "exactly ", "."))}
    found = []
    for chosen in product(kinds, repeat=len(names)):
        if any(chosen.count("spy" if kind == "sp" else kind) != count for kind, count in counts.items()):
            continue
        of = dict(zip(names, chosen, strict=True))
        if all(of[name] == "spy" or kind_holds(text, of) == (of[name] == "knight") for name, text in said):
            found.append(of)
    assert len(found) == 1, f"{len(found)} ways"
    return "\n".join(f"{name}: {kind}" for name, kind in found[0].items())


@prompt_solver("knights_and_knaves")
def solve_knights_and_knaves(prompt: str) -> str:
    return kinds_of_people(prompt, ("knight", "knave"))


@prompt_solver("knights_with_spies")
def solve_knights_with_spies(prompt: str) -> str:
    return kinds_of_people(prompt, ("knight", "knave", "spy"))


@prompt_solver("muddy_children")
def solve_muddy_children(prompt: str) -> str:
    names = listed(between(prompt, "The children ", " have been playing"))
    seen = {name: set(listed(others)) for name, others in re.findall(r"^(\w+) sees (.*)\.$", prompt, re.MULTILINE)}
    if "Each child sees all the others" in prompt:
        seen = {name: set(names) - {name} for name in names}
    words = between(prompt, 'aloud: "', '"')
    group = set(listed(re.findall(r"Of (.*), (?:at|an) ", words)[0])) if words.startswith("Of ") else set(names)
    numbers = {int(number) for number in re.findall(r"\d+", words)}

    def allowed(count: int) -> bool:
        if "at least" in words.lower():
            return count >= max(numbers)
        if "at most" in words.lower():
            return count <= max(numbers)
        if re.search(r"\b(odd|even)\b", words):
            return count % 2 == ("odd" in words)
        return (count in numbers) != ("is not" in words)

    actual = frozenset(listed(re.findall(r"In fact (?:only )?(.*?) (?:is|are) muddy", prompt)[0]))
    worlds = [frozenset(name for name, mud in zip(names, muds, strict=True) if mud) for muds in product((0, 1), repeat=len(names))]
    worlds = [world for world in worlds if allowed(len(world & group))]
    first: dict[str, int] = {}
    for turn in range(1, int(re.findall(r"Then there (?:are|is) (\d+) rounds?", prompt)[0]) + 1):
        knowers = {}
        for name in names:
            views: dict[frozenset[str], set[bool]] = {}
            for world in worlds:
                views.setdefault(world & seen[name], set()).add(name in world)
            knowers[name] = {view for view, states in views.items() if len(states) == 1}
        states = {world: {name for name in names if world & seen[name] in knowers[name]} for world in worlds}
        first |= {name: turn for name in states[actual] if name not in first}
        worlds = [world for world in worlds if states[world] == states[actual]]
    return "\n".join(f"{name}: {first.get(name, 'never')}" for name in names)


@prompt_solver("zebra")
def solve_zebra(prompt: str) -> str:
    houses = int(re.findall(r"(\d+) houses", prompt)[0])
    kinds = [kind.split(", ") for kind in re.findall(r"^- \w+: (.*)$", prompt, re.MULTILINE)]
    place = {value: z3.Int(value) for kind in kinds for value in kind}
    solver = z3.Solver()
    for kind in kinds:
        solver.add(z3.Distinct([place[value] for value in kind]), *[z3.And(place[value] >= 1, place[value] <= houses) for value in kind])
    for clue in re.findall(r"^\d+\. (.*)\.$", prompt, re.MULTILINE):
        one, *others = (place[word] for word in re.findall(r"\w+", clue.lower()) if word in place)
        if "is number" in clue:
            solver.add(one == int(clue.split()[-1]))
        elif "the first or the last" in clue:
            solver.add(z3.Or(one == 1, one == houses))
        elif "somewhere between" in clue:
            solver.add(z3.Or(z3.And(others[0] < one, one < others[1]), z3.And(others[1] < one, one < others[0])))
        elif "directly to the left of" in clue:
            solver.add(one + 1 == others[0])
        elif "somewhere to the left of" in clue:
            solver.add(one < others[0])
        elif "next to" in clue:
            solver.add(z3.Or(one + 1 == others[0], one - 1 == others[0]))
        elif " is not " in clue:
            solver.add(one != others[0])
        else:
            assert re.search(r"is (the house|the \w+ house|\w+'s house)", clue), clue
            solver.add(one == others[0])
    assert solver.check() == z3.sat
    model = solver.model()
    at = {(model.eval(place[value]).as_long(), number): value for number, kind in enumerate(kinds) for value in kind}
    return "\n".join(" ".join(at[house, number] for number in range(len(kinds))) for house in range(1, houses + 1))


@prompt_solver("einstein_seating")
def solve_seating(prompt: str) -> str:
    seats = int(between(prompt, "There are ", " "))
    names = listed(re.findall(r"directly opposite seat \d+\. (.*) sit there", prompt)[0])
    seat = {name: z3.Int(name) for name in names}
    solver = z3.Solver()
    solver.add(z3.Distinct(list(seat.values())), *[z3.And(place >= 1, place <= seats) for place in seat.values()])

    def apart(one: str, other: str) -> z3.ArithRef:
        gap = z3.If(seat[one] > seat[other], seat[one] - seat[other], seat[other] - seat[one])
        return z3.If(gap * 2 > seats, seats - gap, gap)

    def meaning(clue: str) -> z3.BoolRef:
        name = "([A-Z][a-z]+)"
        forms = {
            f"{name} sits in seat (\\d+)": lambda a, n: seat[a] == int(n),
            f"{name} sits in the next seat clockwise from {name}": lambda a, b: seat[a] == z3.If(seat[b] == seats, 1, seat[b] + 1),
            f"{name} sits next to {name}": lambda a, b: apart(a, b) == 1,
            f"{name} does not sit next to {name}": lambda a, b: apart(a, b) != 1,
            f"{name} sits directly opposite {name}": lambda a, b: apart(a, b) * 2 == seats,
            f"{name} sits next to exactly one of {name} and {name}": lambda a, b, c: z3.Xor(apart(a, b) == 1, apart(a, c) == 1),
            f"{name} sits next to {name} and next to {name}": lambda a, b, c: z3.And(apart(a, b) == 1, apart(a, c) == 1),
            f"{name} sits two seats away from {name}: exactly one .*": lambda a, b: apart(a, b) == 2,
            f"{name} sits fewer seats away from {name} than from {name}, .*": lambda a, b, c: apart(a, b) < apart(a, c),
            f"{name} sits directly opposite {name} or next to {name}, or both": lambda a, b, c: z3.Or(
                apart(a, b) * 2 == seats, apart(a, c) == 1
            ),
        }
        fitting = [form(*found.groups()) for pattern, form in forms.items() if (found := re.fullmatch(pattern, clue))]
        assert len(fitting) == 1, clue
        return fitting[0]

    solver.add(*[meaning(clue) for clue in re.findall(r"^\d+\. (.*)\.$", prompt, re.MULTILINE)])
    assert solver.check() == z3.sat
    model = solver.model()
    return " ".join(sorted(names, key=lambda name: model.eval(seat[name]).as_long()))


@prompt_solver("logic_grid_story")
def solve_logic_grid(prompt: str) -> str:
    names = prompt.split(" each left", 1)[0].split(", ")
    columns = {kind: between(prompt, f"\n{kind}: ", "\n").split(", ") for kind in ("time", "price", "place")}
    minutes = {time: int(time.split("h")[0]) * 60 + int(time.split("h")[1]) for time in columns["time"]}
    euros = {price: int(price.removesuffix("euro")) for price in columns["price"]}
    owner = {value: z3.Int(value) for values in columns.values() for value in values}
    solver = z3.Solver()
    for values in columns.values():
        solver.add(
            z3.Distinct([owner[value] for value in values]), *[z3.And(owner[value] >= 0, owner[value] < len(names)) for value in values]
        )

    def person(text: str) -> z3.ArithRef:
        text = text[0].upper() + text[1:]
        if text in names:
            return z3.IntVal(names.index(text))
        found = re.fullmatch(r"Whoever (?:left at|paid|went to the) (\w+)", text)
        assert found, text
        return owner[found[1]]

    def value(who: z3.ArithRef, table: dict[str, int]) -> z3.ArithRef:
        return z3.Sum([z3.If(owner[name] == who, amount, 0) for name, amount in table.items()])

    def meaning(clue: str) -> z3.BoolRef:
        if found := re.fullmatch(r"Of (.*) and (.*), one is (.*) and the other is (.*)", clue):
            a, b, c, d = map(person, found.groups())
            return z3.And(a != b, z3.Or(z3.And(a == c, b == d), z3.And(a == d, b == c)))
        if found := re.fullmatch(r"(.*) is either (.*) or (.*), who are two different people", clue):
            a, b, c = map(person, found.groups())
            return z3.And(b != c, z3.Or(a == b, a == c))
        if found := re.fullmatch(r"(.*) and (.*), two different people, paid (\d+) euro together", clue):
            a, b = person(found[1]), person(found[2])
            return z3.And(a != b, value(a, euros) + value(b, euros) == int(found[3]))
        if found := re.fullmatch(r"(.*) left exactly (\d+) minutes after (.*)", clue):
            return value(person(found[1]), minutes) == value(person(found[3]), minutes) + int(found[2])
        if found := re.fullmatch(r"(.*) paid exactly (\d+) euro more than (.*)", clue):
            return value(person(found[1]), euros) == value(person(found[3]), euros) + int(found[2])
        if found := re.fullmatch(r"(.*) left later than (.*)", clue):
            return value(person(found[1]), minutes) > value(person(found[2]), minutes)
        if found := re.fullmatch(r"(.*) paid more than (.*)", clue):
            return value(person(found[1]), euros) > value(person(found[2]), euros)
        one, negation, other = re.fullmatch(r"(.*) is (not )?(.*)", clue).groups()
        return person(one) != person(other) if negation else person(one) == person(other)

    solver.add(*[meaning(clue) for clue in re.findall(r"^\d+\. (.*)\.$", prompt, re.MULTILINE)])
    assert solver.check() == z3.sat
    model = solver.model()
    of = {(model.eval(owner[value]).as_long(), kind): value for kind, values in columns.items() for value in values}
    return "\n".join(" ".join([name, *[of[number, kind] for kind in columns]]) for number, name in enumerate(names))
