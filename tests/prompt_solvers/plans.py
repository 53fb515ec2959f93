"""Plans found by searches over states: blocks, an elevator, boxes, robots, packages, flips, walks with goals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import pairwise

from prompt_solvers.grid_models import STEPS
from prompt_solvers.networks import neighbours, pairs
from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver
from prompt_solvers.searching import shortest

Stacks = frozenset[tuple[str, ...]]


@prompt_solver("blocksworld")
def solve_blocksworld(prompt: str) -> str:
    now, goal = (
        frozenset(tuple(line.split()) for line in part.strip().splitlines())
        for part in (between(prompt, "Now:\n", "\n\n"), between(prompt, "in any order:\n", "\n\n"))
    )
    under = {block: stack[:place] for stack in goal for place, block in enumerate(stack)}

    def moves(stacks: Stacks) -> Iterator[tuple[str, Stacks]]:
        """A block moves to its goal at once if it can; else some block that is in the way goes to the table."""
        for stack in sorted(stacks):
            for other in stacks | {()}:
                if other != stack and other == under[stack[-1]] != stack[:-1]:
                    yield (
                        f"{stack[-1]} {other[-1] if other else 'table'}",
                        stacks - {stack, other} | {(*other, stack[-1])} | ({stack[:-1]} - {()}),
                    )
                    return
        for stack in sorted(stacks):
            if len(stack) > 1 and under[stack[-1]] != stack[:-1]:
                yield f"{stack[-1]} table", stacks - {stack} | {stack[:-1], stack[-1:]}

    found = shortest(now, moves, lambda stacks: stacks == goal)
    assert found
    return "\n".join(found)


@prompt_solver("elevator")
def solve_elevator(prompt: str) -> str:
    room, start, lowest, highest = re.findall(
        r"room for (\d+ people|everyone) stands on floor (\d+) of a building with the floors (\d+) to (\d+)", prompt
    )[0]
    people = [(int(one), int(other)) for one, other in re.findall(r"waits on floor (\d+) and wants to go to floor (\d+)", prompt)]
    places = len(people) if room == "everyone" else int(room.split()[0])
    State = tuple[int, tuple[str, ...]]

    def stop(floor: int, where: tuple[str, ...]) -> tuple[str, ...]:
        """Who waits, rides or is done after a stop."""
        after_stop = ["done" if state == "rides" and goal == floor else state for state, (_, goal) in zip(where, people, strict=True)]
        for number, (origin, _) in enumerate(people):
            if after_stop[number] == "waits" and origin == floor and after_stop.count("rides") < places:
                after_stop[number] = "rides"
        return tuple(after_stop)

    first: State = (int(start), stop(int(start), ("waits",) * len(people)))
    best, queue = {first: 0}, [(0, first, ())]
    while queue:
        cost, (floor, where), path = heappop(queue)
        if set(where) <= {"done"}:
            return ", ".join(map(str, path))
        if cost > best[floor, where]:
            continue
        for other in range(int(lowest), int(highest) + 1):
            following = (other, stop(other, where))
            far = cost + abs(other - floor)
            if other != floor and following[1] != where and far < best.get(following, 10**6):
                best[following] = far
                heappush(queue, (far, following, (*path, other)))
    raise ValueError("nobody gets there")


@prompt_solver("pancake_sort")
def solve_pancakes(prompt: str) -> str:
    stack = tuple(int(size) for size in re.findall(r"from top to bottom, are:\n(.*)", prompt)[0].split(", "))
    burnt = "Each pancake has a burnt side" in prompt
    limit = int(re.findall(r"with at most (\d+) flips?", prompt)[0])
    ranks = {size: rank for rank, size in enumerate(sorted(map(abs, stack)), 1)}
    start = tuple(ranks[abs(size)] * (-1 if size < 0 else 1) for size in stack)
    goal = tuple(range(1, len(stack) + 1))

    def flipped(state: tuple[int, ...], k: int) -> tuple[int, ...]:
        return tuple(-size if burnt else size for size in state[:k][::-1]) + state[k:]

    def gaps(state: tuple[int, ...]) -> int:
        """Each flip mends one pair of neighbours at most."""
        below = (*state, len(state) + 1)
        return sum((other - one if burnt else abs(other - one)) != 1 for one, other in pairwise(below))

    def search(state: tuple[int, ...], left: int) -> list[int] | None:
        if state == goal:
            return []
        if gaps(state) > left:
            return None
        for k in sorted(range(1, len(state) + 1), key=lambda k: gaps(flipped(state, k))):
            found = search(flipped(state, k), left - 1)
            if found is not None:
                return [k, *found]
        return None

    for most in range(limit + 1):
        if (found := search(start, most)) is not None:
            return ", ".join(map(str, found))
    raise ValueError("it takes more flips")


@prompt_solver("sokoban")
def solve_sokoban(prompt: str) -> str:
    rows = [line for line in prompt.splitlines() if re.fullmatch(r"[#@$.*+-]+", line)]
    cells = {(row, column): sign for row, line in enumerate(rows) for column, sign in enumerate(line)}
    floor = {cell for cell, sign in cells.items() if sign != "#"}
    goals = {cell for cell, sign in cells.items() if sign in ".*+"}
    boxes = frozenset(cell for cell, sign in cells.items() if sign in "$*")
    player = next(cell for cell, sign in cells.items() if sign in "@+")

    def moves(state: tuple) -> Iterator[tuple[str, tuple]]:
        (row, column), there = state
        for letter, (down, right) in zip("UDLR", STEPS, strict=True):
            to, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if to in there:
                if beyond in floor and beyond not in there:
                    yield letter, (to, there - {to} | {beyond})
            elif to in floor:
                yield letter, (to, there)

    found = shortest((player, boxes), moves, lambda state: state[1] <= goals)
    assert found
    return "".join(found)


@prompt_solver("multi_agent_paths")
def solve_multi_agent_paths(prompt: str) -> str:
    rows = [line for line in prompt.splitlines() if re.fullmatch(r"[.#]+", line)]
    free = {(row, column) for row, line in enumerate(rows, 1) for column, sign in enumerate(line, 1) if sign == "."}
    robots = re.findall(r"(\w) starts at (\d+)/(\d+) and must get to (\d+)/(\d+)", prompt)
    start = tuple((int(row), int(column)) for _, row, column, _, _ in robots)
    goal = tuple((int(row), int(column)) for _, _, _, row, column in robots)
    limit = int(re.findall(r"After minute (\d+) every robot", prompt)[0])
    near = {
        cell: [("W", cell)] + [(letter, (cell[0] + down, cell[1] + right)) for letter, (down, right) in zip("UDLR", STEPS, strict=True)]
        for cell in free
    }
    far = []
    for cell in goal:
        distance, front = {cell: 0}, [cell]
        while front:
            front = list(dict.fromkeys(other for here in front for _, other in near[here] if other in free and other not in distance))
            distance.update(dict.fromkeys(front, max(distance.values()) + 1))
        far.append(distance)
    dead: set[tuple] = set()

    def steps(state: tuple, minutes: int, chosen: tuple = ()) -> Iterator[tuple[str, tuple]]:
        """Joint moves after which every robot can still be in time, one robot after the other."""
        number = len(chosen)
        if number == len(state):
            yield "".join(letter for letter, _ in chosen), tuple(cell for _, cell in chosen)
            return
        options = [option for option in near[state[number]] if far[number].get(option[1], minutes + 1) <= minutes]
        for letter, cell in sorted(options, key=lambda option: far[number][option[1]]):
            if all(cell != other and not (cell == state[at] and other == state[number]) for at, (_, other) in enumerate(chosen)):
                yield from steps(state, minutes, (*chosen, (letter, cell)))

    def search(state: tuple, minutes: int) -> list[str] | None:
        if state == goal:
            return []
        if minutes == 0 or (state, minutes) in dead:
            return None
        for label, following in steps(state, minutes - 1):
            found = search(following, minutes - 1)
            if found is not None:
                return [label, *found]
        dead.add((state, minutes))
        return None

    found = search(start, limit)
    assert found
    return "\n".join(f"{robot[0]}: {''.join(step[number] for step in found)}" for number, robot in enumerate(robots))


@prompt_solver("temporal_goal_automaton")
def solve_temporal_goals(prompt: str) -> str:
    colours = dict(re.findall(r"(\w) (\w+)", between(prompt, "Places have colours: ", ".")))
    near = neighbours(pairs(prompt), both="can be walked both ways" in prompt, places=colours)
    wanted: list[tuple[str, int]] = []
    orders = []
    for rule in re.findall(r"^\d+\. (.*)\.$", prompt, re.MULTILINE):
        if found := re.fullmatch(r"It visits an? (\w+) place", rule):
            wanted.append((found[1], 1))
        elif found := re.fullmatch(r"It is at an? (\w+) place at least (\d+) times \(.*\)", rule):
            wanted.append((found[1], int(found[2])))
        else:
            found = re.fullmatch(r"It visits no (\w+) place before it has visited an? (\w+) place", rule)
            assert found, rule
            orders.append(found.groups())
    most = {colour: max(number for other, number in wanted if other == colour) for colour, _ in wanted}
    start = re.findall(r"A walk starts at (\w)", prompt)[0]
    State = tuple[str, tuple[int, ...], frozenset[str]]

    def arrive(place: str, counts: tuple[int, ...], seen: frozenset[str]) -> State | None:
        if any(colours[place] == late and early not in seen for late, early in orders):
            return None
        counts = tuple(min(need, number + (colour == colours[place])) for number, (colour, need) in zip(counts, most.items(), strict=True))
        return place, counts, seen | {colours[place]}

    def moves(state: State) -> Iterator[tuple[str, State]]:
        for other in near[state[0]]:
            if following := arrive(other, state[1], state[2]):
                yield other, following

    first = arrive(start, (0,) * len(most), frozenset())
    assert first
    found = shortest(first, moves, lambda state: list(state[1]) == list(most.values()))
    assert found is not None
    return " ".join([start, *found])
