"""Word problems about speeds, times and units."""

from __future__ import annotations

import re
from collections import deque
from fractions import Fraction

from prompt_solvers.parsing import problem
from prompt_solvers.registry import prompt_solver

ACTOR = r"(?:[Tt]he )?(?P<a>[A-Z]\w+|\w+ (?:hose|pipe|tap))"
PAUSES = (
    rf"{ACTOR} stops at minute (?P<f>\d+) and starts again at minute (?P<t>\d+)\.",
    rf"From minute (?P<f>\d+) to minute (?P<t>\d+), {ACTOR} does nothing\.",
    rf"{ACTOR} has a break that begins at minute (?P<f>\d+) and ends at minute (?P<t>\d+)\.",
    rf"{ACTOR} pauses between minute (?P<f>\d+) and minute (?P<t>\d+)\.",
    rf"Until minute (?P<t>\d+), {ACTOR} does nothing\.",
    rf"{ACTOR} (?:does not begin until|does not start before|starts at) minute (?P<t>\d+)\.",
)
RATES = (
    rf"(?P<n>\d+) litres a minute come out of {ACTOR} into the tank\.",
    rf"{ACTOR} adds (?P<n>\d+) litres to the tank in a minute\.",
    rf"{ACTOR} lets in (?P<n>\d+) litres per minute\.",
    rf"Through {ACTOR}, (?P<n>\d+) litres flow into the tank each minute\.",
    rf"The pace of {ACTOR} is (?P<n>\d+) metres per minute\.",
    rf"{ACTOR} covers (?P<n>\d+) metres in each minute of moving\.",
    rf"{ACTOR} makes (?P<n>\d+) metres a minute\.",
    rf"In one minute, {ACTOR} gets (?P<n>\d+) metres further\.",
)
OUTFLOWS = (
    rf"(?P<n>\d+) litres a minute leave the tank through {ACTOR}\.",
    rf"{ACTOR} takes (?P<n>\d+) litres from the tank in a minute\.",
    rf"{ACTOR} lets out (?P<n>\d+) litres per minute\.",
    rf"Through {ACTOR}, (?P<n>\d+) litres flow out of the tank each minute\.",
)
ALONE = (
    rf"If {ACTOR} worked alone without a break, the job would take (?P<n>\d+) minutes\.",
    rf"{ACTOR} can do all of it alone in (?P<n>\d+) minutes\.",
    rf"(?P<n>\d+) minutes are what {ACTOR} would take without help\.",
    rf"Alone, {ACTOR} would need (?P<n>\d+) minutes for the whole job\.",
)
CHASES = (
    r"(?P<lead>\w+) is (?P<n>\d+) metres ahead of (?P<back>\w+) on",
    r"(?P<back>\w+) wants to catch up with (?P<lead>\w+), who has a lead of (?P<n>\d+) metres",
    r"(?P<lead>\w+) is (?P<n>\d+) metres in front of (?P<back>\w+)",
    r"(?P<back>\w+) follows (?P<lead>\w+) on a long road; at first (?P<n>\d+) metres lie between them",
)


def first(patterns: tuple[str, ...], sentence: str) -> re.Match[str] | None:
    """The match of the first pattern that fits."""
    return next((found for pattern in patterns if (found := re.match(pattern, sentence))), None)


@prompt_solver("word_problem_rates")
def solve_word_problem_rates(prompt: str) -> str:
    """Goes from one start or end of a break to the next; in between, everything changes evenly."""
    text = problem(prompt)
    rate: dict[str, Fraction] = {}
    pauses: dict[str, list[tuple[int, int]]] = {}
    goal: Fraction | None = None
    for sentence in re.split(r"(?<=[.?]) ", text):
        if found := first(PAUSES, sentence):
            pauses.setdefault(found["a"], []).append((int(found.groupdict().get("f") or 0), int(found["t"])))
        elif found := first(RATES, sentence):
            rate[found["a"]] = Fraction(found["n"])
        elif found := first(OUTFLOWS, sentence):
            rate[found["a"]] = -Fraction(found["n"])
        elif found := first(ALONE, sentence):
            rate[found["a"]], goal = 1 / Fraction(found["n"]), Fraction(1)
        elif found := re.search(r"(\d+) (?:metres|litres)", sentence):
            goal = Fraction(found[1])
    chase = next((found for pattern in CHASES if (found := re.search(pattern, text))), None)
    if chase:
        rate[chase["lead"]] *= -1
    assert goal is not None
    assert set(pauses) <= set(rate)
    times = sorted({0, *(time for spans in pauses.values() for span in spans for time in span)})
    done = Fraction(0)
    for i, start in enumerate(times):
        speed = sum(value for name, value in rate.items() if not any(a <= start < b for a, b in pauses.get(name, [])))
        end = times[i + 1] if i + 1 < len(times) else None
        if speed > 0 and (end is None or done + speed * (end - start) >= goal):
            return str(start + (goal - done) / speed)
        assert end is not None
        done += speed * (end - start)
        if "tank" in text:
            done = max(done, Fraction(0))
    raise ValueError("never")


@prompt_solver("unit_conversion")
def solve_unit_conversion(prompt: str) -> str:
    """Walks along the equations of the table from one unit to another."""
    text = problem(prompt)
    worth: dict[str, list[tuple[str, Fraction]]] = {}
    question = []
    for sentence in re.split(r"(?<=[.?]) ", text):
        numbers = re.findall(r"(\d+) (\w+)", sentence)
        if len(numbers) == 2:
            (n, one), (m, two) = ((int(count), unit.removesuffix("s")) for count, unit in numbers)
            worth.setdefault(one, []).append((two, Fraction(m, n)))
            worth.setdefault(two, []).append((one, Fraction(n, m)))
        else:
            question.append(sentence)

    def ratio(start: str, end: str) -> Fraction:
        """How many of the second unit one of the first is."""
        seen, queue = {start: Fraction(1)}, deque([start])
        while queue:
            unit = queue.popleft()
            for other, factor in worth[unit]:
                if other not in seen:
                    seen[other] = seen[unit] * factor
                    queue.append(other)
        return seen[end]

    asked = " ".join(question)
    units = [word.removesuffix("s") for word in re.findall(r"[a-z]+", asked) if word.removesuffix("s") in worth]
    amount = re.search(r"(\d+) (?:square |cubic )?(\w+)(?: (?:per|in each) (\w+))?", asked)
    assert amount is not None
    source = [unit.removesuffix("s") for unit in amount.groups()[1:] if unit]
    target = list(units)
    place = next(i for i in range(len(units)) if units[i : i + len(source)] == source)
    del target[place : place + len(source)]
    assert len(target) == len(source), asked
    power = 2 if "square" in asked else 3 if "cubic" in asked else 1
    value = int(amount[1]) * ratio(source[0], target[0]) ** power
    return str(value / ratio(source[1], target[1]) if len(source) == 2 else value)


@prompt_solver("timezone_meeting")
def solve_timezone_meeting(prompt: str) -> str:
    """Tries every minute of the day in the place of the answer."""
    text = problem(prompt)
    clock = r"(\d\d):(\d\d)"
    length = int(re.search(r"a call of (\d+) minutes", text)[1])  # type: ignore[index]
    offset = {
        city: (1 if sign == "+" else -1) * (int(hours) * 60 + int(minutes))
        for city, sign, hours, minutes in re.findall(rf"(\w+) is on UTC([+-]){clock}", text)
    }
    home, hours, busy = {}, {}, {}  # type: ignore[var-annotated]
    for sentence in re.split(r"(?<=[.?]) ", text):
        times = [int(h) * 60 + int(m) for h, m in re.findall(clock, sentence)]
        if len(times) != 2:
            continue
        words = re.findall(r"[A-Z]\w+", sentence.replace("From ", "").replace("In ", "").replace("The ", ""))
        cities = [word for word in words if word in offset]
        (person,) = [word for word in words if word not in offset]
        if cities:
            home[person], hours[person] = cities[0], times
        else:
            busy.setdefault(person, []).append(times)
    answer_city = re.search(r"in the local time of (\w+)\?", text)
    assert answer_city is not None
    for minute in range(24 * 60):
        for person, (begin, end) in hours.items():
            start = minute - offset[answer_city[1]] + offset[home[person]]
            if start < begin or start + length > end or any(start < b and start + length > a for a, b in busy.get(person, [])):
                break
        else:
            return f"{minute // 60:02}:{minute % 60:02}"
    raise ValueError("no time fits")
