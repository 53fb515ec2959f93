"""Plans under constraints: what to pack, when to meet, who works when, what to install."""

from __future__ import annotations

import re
from itertools import product

import z3

from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


@prompt_solver("knapsack")
def solve_knapsack(prompt: str) -> str:
    things = {name: dict(re.findall(r"(\w+) (\d+)", listed)) for name, listed in re.findall(r"^(\w+): (value .*)$", prompt, re.MULTILINE)}
    limits = {kind: int(most) for kind, most in re.findall(r"total (weight|size) of at most (\d+)", prompt)}
    exclusive = [set(names.split(", ")) for names in re.findall(r"^At most one of these may be taken: (.*)\.$", prompt, re.MULTILINE)]
    amounts = {name: [int(numbers[kind]) for kind in limits] for name, numbers in things.items()}
    value = {name: int(numbers["value"]) for name, numbers in things.items()}
    ordered = sorted(things, key=lambda name: -value[name] / sum(amounts[name]))
    dense = [
        sorted(range(len(ordered)), key=lambda at, kind=kind: -value[ordered[at]] / amounts[ordered[at]][kind])
        for kind in range(len(limits))
    ]
    best = (-1, [])

    def bound(place: int, room: list[int]) -> float:
        """At most this value fits into the room, if things may be cut and each limit is taken by itself."""
        bounds = []
        for kind, left in enumerate(room):
            total = 0.0
            for at in dense[kind]:
                if at >= place:
                    part = min(1.0, left / amounts[ordered[at]][kind])
                    total, left = total + part * value[ordered[at]], left - part * amounts[ordered[at]][kind]
                    if part < 1:
                        break
            bounds.append(total)
        return min(bounds)

    def pack(place: int, room: list[int], packed: list[str], worth: int) -> None:
        nonlocal best
        if worth > best[0]:
            best = (worth, packed)
        if place == len(ordered) or worth + bound(place, room) < best[0] + 1:
            return
        name = ordered[place]
        left = [here - amount for here, amount in zip(room, amounts[name], strict=True)]
        if min(left) >= 0 and not any(name in names and names & set(packed) for names in exclusive):
            pack(place + 1, left, [*packed, name], worth + value[name])
        pack(place + 1, room, packed, worth)

    pack(0, list(limits.values()), [], 0)
    return ", ".join(best[1])


@prompt_solver("travelling_salesman_small")
def solve_travelling_salesman(prompt: str) -> str:
    costs = {}
    for one, other, cost in re.findall(r"^(\w+) - (\w+): (\d+)$", prompt, re.MULTILINE):
        costs[one, other] = costs[other, one] = int(cost)
    for one, listed in re.findall(r"^from (\w+) to (.*)$", prompt, re.MULTILINE):
        costs.update({(one, other): int(cost) for other, cost in re.findall(r"(\w+) (\d+)", listed)})
    corners = {
        name: (int(street), int(avenue))
        for name, street, avenue in re.findall(r"^(\w+): street (\d+), avenue (\d+)$", prompt, re.MULTILINE)
    }
    costs |= {
        (one, other): sum(abs(a - b) for a, b in zip(corners[one], corners[other], strict=True)) for one in corners for other in corners
    }
    start = re.findall(r"that starts at (\w+)", prompt)[0]
    others = sorted({one for one, _ in costs} - {start})
    first = re.findall(r"(\w+) must be visited before (\w+)", prompt)
    best = {(frozenset[str](), start): (0, (start,))}
    for _ in others:
        following: dict = {}
        for (done, here), (cost, path) in best.items():
            for place in others:
                if place not in done and all(one in done for one, other in first if other == place):
                    entry = (cost + costs[here, place], (*path, place))
                    key = (done | {place}, place)
                    following[key] = min(following.get(key, entry), entry)
        best = following
    _, path = min((cost + costs[here, start], path) for (_, here), (cost, path) in best.items())
    return " ".join([*path, start])


@prompt_solver("meeting_scheduler")
def solve_meeting(prompt: str) -> str:
    hours, first, last, opens, closes = re.findall(r"takes (\d+) hours? .* from (\w+) to (\w+), between (\d+) and (\d+) o'clock", prompt)[0]
    days = DAYS[DAYS.index(first) : DAYS.index(last) + 1]
    busy = []
    for name, shift, way, listed in re.findall(
        r"^(\w+)(?: \(clock (\d+) hours? (ahead of|behind) ours\))? is busy: (.*)$", prompt, re.MULTILINE
    ):
        ahead = int(shift or 0) * (1 if way == "ahead of" else -1)
        busy += [(name, day, int(start) - ahead, int(end) - ahead) for day, start, end in re.findall(r"(\w{3}) (\d+)-(\d+)", listed)]
    reasons = []
    for day, hour in product(days, range(int(opens), int(closes) - int(hours) + 1)):
        kept = next((name for name, there, start, end in busy if there == day and start < hour + int(hours) and hour < end), None)
        if kept is None:
            return f"{day} {hour}"
        reasons.append(f"{day} {hour}: {kept}")
    return "\n".join(reasons)


@prompt_solver("nurse_roster")
def solve_nurse_roster(prompt: str) -> str:
    nurses = between(prompt, "The nurses ", " need a roster").split(", ")
    days = range(1, int(re.findall(r"for the days 1 to (\d+)", prompt)[0]) + 1)
    shifts = re.findall(r"([A-Z]) \(\w+\)", between(prompt, "by exactly one nurse: ", "."))
    works = {key: z3.Bool(str(key)) for key in product(nurses, days, shifts)}
    solver = z3.SolverFor("QF_FD")
    for day in days:
        for shift in shifts:
            solver.add(z3.PbEq([(works[nurse, day, shift], 1) for nurse in nurses], 1))
        for nurse in nurses:
            solver.add(z3.PbLe([(works[nurse, day, shift], 1) for shift in shifts], 1))
            if "who did a night does no shift on the next day" in prompt and day + 1 in days:
                solver.add(*[z3.Or(z3.Not(works[nurse, day, "N"]), z3.Not(works[nurse, day + 1, shift])) for shift in shifts])
    exact, listed = re.findall(r"Each nurse does (at most|exactly) this number of shifts in all: (.*?)\.", prompt)[0]
    for nurse, count in re.findall(r"(\w+) (\d+)", listed):
        terms = [(works[nurse, day, shift], 1) for day in days for shift in shifts]
        solver.add(z3.PbEq(terms, int(count)) if exact == "exactly" else z3.PbLe(terms, int(count)))
    for nurse, day in re.findall(r"^(\w+) does no shift on day (\d+)$", prompt, re.MULTILINE):
        solver.add(*[z3.Not(works[nurse, int(day), shift]) for shift in shifts])
    for nurse, word in re.findall(r"^(\w+) does no (day|night|evening) shift$", prompt, re.MULTILINE):
        solver.add(*[z3.Not(works[nurse, day, word[0].upper()]) for day in days])
    assert solver.check() == z3.sat
    model = solver.model()
    done = {(nurse, day): shift for (nurse, day, shift), variable in works.items() if z3.is_true(model.eval(variable))}
    return "\n".join(f"{nurse}: {''.join(done.get((nurse, day), 'O') for day in days)}" for nurse in nurses)


@prompt_solver("scheduling_with_conflicts")
def solve_timetable(prompt: str) -> str:
    slots = int(re.findall(r"time slots 1 to (\d+)", prompt)[0])
    rooms = int(re.findall(r"rooms? for at most (\d+) talks?", prompt)[0])
    talks = re.findall(
        r"^(\w+) takes (one|two) slots?(?: in a row)?(?:, (?:both|which must be) among slots (\d+) to (\d+)|, which must be slot (\d+))?$",
        prompt,
        re.MULTILINE,
    )
    length = {name: 1 if count == "one" else 2 for name, count, *_ in talks}
    starts: dict[str, dict[int, z3.BoolRef]] = {}
    solver = z3.SolverFor("QF_FD")
    for name, _, low, high, fixed in talks:
        starts[name] = {
            slot: z3.Bool(f"{name} {slot}") for slot in range(int(low or fixed or 1), int(high or fixed or slots) - length[name] + 2)
        }
        solver.add(z3.PbEq([(variable, 1) for variable in starts[name].values()], 1))
    for slot in range(1, slots + 1):
        running = [variable for name in starts for start, variable in starts[name].items() if start <= slot < start + length[name]]
        solver.add(z3.PbLe([(variable, 1) for variable in running], rooms))

    def forbid(one: str, other: str, clash: bool) -> None:
        for start, variable in starts[one].items():
            for begin, second in starts[other].items():
                together = start < begin + length[other] and begin < start + length[one]
                if together if clash else begin < start + length[one]:
                    solver.add(z3.Or(z3.Not(variable), z3.Not(second)))

    for one, other in re.findall(r"^(\w+) and (\w+) may not be at the same time\.$", prompt, re.MULTILINE):
        forbid(one, other, True)
    for one, other in re.findall(r"^(\w+) must be over before (\w+) starts\.$", prompt, re.MULTILINE):
        forbid(one, other, False)
    assert solver.check() == z3.sat
    model = solver.model()
    return "\n".join(
        f"{name}: {next(slot for slot, variable in choice.items() if z3.is_true(model.eval(variable)))}" for name, choice in starts.items()
    )


@prompt_solver("job_shop")
def solve_job_shop(prompt: str) -> str:
    jobs = [
        re.findall(r"(\w+) on machine (\d+) for (\d+) minutes?", listed) for listed in re.findall(r"^Job \w+: (.*)$", prompt, re.MULTILINE)
    ]
    end = int(re.findall(r"has ended by minute (\d+)", prompt)[0])
    start = {step: z3.Int(step) for job in jobs for step, _, _ in job}
    machines: dict[str, list[tuple[str, int]]] = {}
    solver = z3.Solver()
    for job in jobs:
        free = 0
        for step, machine, minutes in job:
            solver.add(start[step] >= free)
            free = start[step] + int(minutes)
            machines.setdefault(machine, []).append((step, int(minutes)))
        solver.add(free <= end)
    for steps in machines.values():
        for place, (one, minutes) in enumerate(steps):
            for other, length in steps[:place]:
                solver.add(z3.Or(start[one] + minutes <= start[other], start[other] + length <= start[one]))
    assert solver.check() == z3.sat
    model = solver.model()
    return "\n".join(f"{step}: {model.eval(variable)}" for step, variable in start.items())


@prompt_solver("dependency_resolver")
def solve_dependencies(prompt: str) -> str:
    needs: dict[tuple[str, int], list[list[tuple[str, int]]]] = {}
    for name, version, listed in re.findall(r"^(\w+) (\d+)(?: needs (.*))?$", prompt, re.MULTILINE):
        ranges = re.findall(r"(\w+) in (?:a version from (\d+) to (\d+)|version (\d+))", listed)
        needs[name, int(version)] = [
            [(other, at) for at in range(int(low or one), int(high or one) + 1)] for other, low, high, one in ranges
        ]
    for name, version in re.findall(r"^(\w+) (\d+) needs nothing", prompt, re.MULTILINE):
        needs[name, int(version)] = []
    mentioned = {option for groups in needs.values() for group in groups for option in group}
    chosen = {key: z3.Bool(str(key)) for key in needs}
    solver = z3.Solver()
    for key, groups in needs.items():
        for group in groups:
            solver.add(z3.Implies(chosen[key], z3.Or([chosen[option] for option in group if option in chosen])))
    names = {name for name, _ in needs}
    for name in names:
        solver.add(z3.AtMost(*[variable for (other, _), variable in chosen.items() if other == name], 1))
    for one, at, other, there in re.findall(r"^(\w+) (\d+) cannot be installed together with (\w+) (\d+)\.$", prompt, re.MULTILINE):
        solver.add(z3.Not(z3.And(chosen[one, int(at)], chosen[other, int(there)])))
    root = re.findall(r"Install (\w+) (\d+) together", prompt)[0]
    solver.add(chosen[root[0], int(root[1])])
    for (name, version), variable in chosen.items():
        if name != root[0]:
            users = [chosen[key] for key, groups in needs.items() if any((name, version) in group for group in groups)]
            solver.add(z3.Implies(variable, z3.Or(users)))
    assert mentioned
    assert solver.check() == z3.sat
    return "\n".join(f"{name}: {version}" for (name, version), variable in chosen.items() if z3.is_true(solver.model().eval(variable)))


@prompt_solver("project_critical_path")
def solve_critical_path(prompt: str) -> str:
    days = {name: int(count) for name, count in re.findall(r"^(\w+): (\d+) days?$", prompt, re.MULTILINE)}
    rules = []
    for task, lag, other, event in re.findall(
        r"^(\w+) cannot start until (?:(\d+) days? after )?(\w+) has (ended|started)\.$", prompt, re.M
    ):
        rules.append((task, other, int(lag or 0), event))
    for task, extra in re.findall(r"turns out that (\w+) takes (\d+) days? longer", prompt):
        days[task] += int(extra)

    def length(delayed: str = "", delay: int = 0) -> tuple[int, dict[str, int]]:
        """The length of the project and the starts, if a task starts later than it could."""
        starts: dict[str, int] = {}

        def start(task: str) -> int:
            if task not in starts:
                before = [
                    start(other) + lag + (days[other] if event == "ended" else 0) for name, other, lag, event in rules if name == task
                ]
                starts[task] = max([0, *before]) + (delay if task == delayed else 0)
            return starts[task]

        return max(start(task) + days[task] for task in days), starts

    whole, _ = length()
    if "sum of the slacks" not in prompt:
        return str(whole)
    # A delay of the whole project's length surely makes it longer; the slack is what is left of that.
    return str(sum(2 * whole - length(task, whole)[0] for task in days))
