"""Counting, and arrangements that exist by a counting argument."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import combinations
from math import comb, factorial, lcm

import sympy

from prompt_solvers.parsing import NUMBER_WORDS, after, between, integers, problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("ballot_paths")
def solve_ballot_paths(prompt: str) -> str:
    text = problem(prompt)
    one, votes, two, other = re.findall(r"In an election (\w+) got (\d+) votes? and (\w+) got (\d+)", text)[0]
    forbidden = {(int(x), int(y)) for x, y in re.findall(rf"(\d+) for {one} and (\d+) for {two}", text)}
    rules = after(text, "after every single vote ")
    if re.search(rf"{one}'s number of votes is at least {two}'s", rules):
        low = 0
    elif re.search(rf"{one}'s number of votes is (?:greater|more|larger) than {two}'s", rules):
        low = 1
    else:
        low = -int(between(rules, f"is not less than {two}'s minus ", ",").split()[0].rstrip("?"))
    high = re.search(rf"never more than (\d+) above {two}'s", rules)

    @cache
    def ways(a: int, b: int) -> int:
        if (a, b) == (0, 0):
            return 1
        if min(a, b) < 0 or a - b < low or (high and a - b > int(high[1])) or (a, b) in forbidden:
            return 0
        return ways(a - 1, b) + ways(a, b - 1)

    return str(ways(int(votes), int(other)))


@prompt_solver("balls_in_boxes")
def solve_balls_in_boxes(prompt: str) -> str:
    """Fills one box after the other; of the people who quarrel, a box gets at most one."""
    text = problem(prompt)
    total, boxes, low, high = map(int, re.findall(r"^(\d+) .* divided among (\d+) \w+, at least (\d+) and at most (\d+) in each", text)[0])
    quarrel = re.search(r"(\d+) of the \w+ have quarrelled", text)
    rivals = int(quarrel[1]) if quarrel else 0
    numbered = "are numbered" in text
    assert numbered or "are not numbered" in text

    @cache
    def ways(boxes: int, others: int, rivals: int) -> int:
        if boxes == 0:
            return int(others == rivals == 0)
        result = 0
        for size in range(low, high + 1):
            for rival in range(min(1, rivals) + 1):
                if size - rival <= others:
                    result += comb(others, size - rival) * comb(rivals, rival) * ways(boxes - 1, others - size + rival, rivals - rival)
        return result

    found = ways(boxes, total - rivals, rivals)
    assert low > 0 or numbered
    return str(found if numbered else found // factorial(boxes))


@prompt_solver("chromatic_count")
def solve_chromatic_count(prompt: str) -> str:
    """Colours the regions one by one, up to a renaming of the colours, and then counts the names."""
    text = problem(prompt)
    regions = between(text, "The regions ", " of a map").split(", ")
    colours = int(between(text, "coloured with ", " colours"))
    edges = [tuple(pair.split("-")) for pair in between(text, "Common borders: ", ".").split(", ")]
    neighbours = {name: {b if a == name else a for a, b in edges if name in (a, b)} for name in regions}

    def ways(chosen: dict[str, int]) -> int:
        if len(chosen) == len(regions):
            return 1
        name = regions[len(chosen)]
        used = max(chosen.values(), default=-1) + 1
        taken = {chosen[other] for other in neighbours[name] if other in chosen}
        return sum(ways({**chosen, name: c}) for c in range(used) if c not in taken) + (colours - used) * ways({**chosen, name: used}) * (
            used < colours
        )

    return str(ways({}))


@prompt_solver("domino_tilings")
def solve_domino_tilings(prompt: str) -> str:
    """Kasteleyn's determinant is for boards without holes, so this goes square by square with the open squares of one row."""
    rows = [line for line in problem(prompt).splitlines() if re.fullmatch(r"[.#]+", line)]
    width = len(rows[0])
    states = Counter({0: 1})
    for row in rows:
        for c, square in enumerate(row):
            following: Counter[int] = Counter()
            bit = 1 << c
            for covered, count in states.items():
                if covered & bit:
                    if square == ".":
                        following[covered ^ bit] += count
                elif square == "#":
                    following[covered] += count
                else:
                    following[covered | bit] += count
                    if c + 1 < width and row[c + 1] == "." and not covered & (bit << 1):
                        following[covered | (bit << 1)] += count
            states = following
    return str(states[0])


@prompt_solver("grid_paths")
def solve_grid_paths(prompt: str) -> str:
    text = problem(prompt)
    grid = [line for line in text.splitlines() if re.fullmatch(r"[.#*]+", line)]
    moves = []
    for move in between(text, "One move goes ", ".").split(", or "):
        down = re.search(r"(\d+) squares? down", move)
        right = re.search(r"(\d+) squares? (?:to the )?right", move)
        moves.append((int(down[1]) if down else 0, int(right[1]) if right else 0))
    star = next(((r, c) for r, row in enumerate(grid) for c, cell in enumerate(row) if cell == "*"), None)

    def count(start: tuple[int, int], end: tuple[int, int]) -> int:
        ways = Counter({start: 1})
        for r in range(start[0], end[0] + 1):
            for c in range(start[1], end[1] + 1):
                if (r, c) != start and grid[r][c] != "#":
                    ways[r, c] = sum(ways[r - dr, c - dc] for dr, dc in moves)
        return ways[end]

    end = (len(grid) - 1, len(grid[0]) - 1)
    return str(count((0, 0), star) * count(star, end) if star else count((0, 0), end))


@prompt_solver("inclusion_exclusion")
def solve_inclusion_exclusion(prompt: str) -> str:
    """Jordan's formula: exactly m of the properties hold for the sum of (-1)^(k-m) * C(k, m) * S_k."""
    text = problem(prompt)
    limit = int(between(text, "integers from 1 to ", " "))
    numbers = [int(n) for n in re.findall(r"\d+", after(text, "of the numbers "))]
    exactly = re.search(r"divisible by exactly (\w+) of the numbers", text)
    assert exactly or "are not divisible by any of" in text, text
    wanted = NUMBER_WORDS.index(exactly[1]) if exactly else 0
    total = 0
    for size in range(wanted, len(numbers) + 1):
        for part in combinations(numbers, size):
            total += (-1) ** (size - wanted) * comb(size, wanted) * (limit // lcm(*part))
    return str(total)


@prompt_solver("partitions_count")
def solve_partitions_count(prompt: str) -> str:
    text = problem(prompt)
    total, count = map(int, re.findall(r"can (\d+) be written as a sum of exactly (\d+) parts", text)[0])
    kind, low, high = re.findall(r"each part is an (odd |even )?integer from (\d+) to (\d+)", text)[0]
    other = re.search(r"other than ((?:\d+, )*\d+(?: or \d+)?)", text)
    banned = set(map(int, re.findall(r"\d+", other[1]))) if other else set()
    remainder = re.search(r"no part leaves the remainder (\d+) when divided by (\d+)", text)
    apart = re.search(r"any two parts differ by at least (\d+)", text)
    parts = [
        n
        for n in range(int(low), int(high) + 1)
        if n not in banned and (not kind or n % 2 == (kind == "odd ")) and not (remainder and n % int(remainder[2]) == int(remainder[1]))
    ]
    gap = int(apart[1]) if apart else int("no two parts are equal" in text)

    @cache
    def ways(total: int, count: int, least: int) -> int:
        if count == 0:
            return int(total == 0)
        return sum(ways(total - n, count - 1, n + gap) for n in parts if n >= least and n * count <= total)

    return str(ways(total, count, 0))


@prompt_solver("rook_placements")
def solve_rook_placements(prompt: str) -> str:
    text = problem(prompt)
    if "one circle" in text:
        refused = {
            name: set(re.findall(r"[A-Z]\w+", rule))
            for name, rule in re.findall(r"^(\w+): (not to .*|no present ruled out)$", text, re.MULTILINE)
        }

        @cache
        def ends(last: str, through: frozenset[str]) -> int:
            """Ways from the first person through these and then to the last."""
            if not through:
                return last not in refused["Ana"]
            return sum(ends(before, through - {before}) for before in through if last not in refused[before])

        return str(ends("Ana", frozenset(refused) - {"Ana"}))
    seats = int(between(text, "numbers 1 to ", "."))
    rules = [set(map(int, re.findall(r"\d+", rule))) for rule in re.findall(r"^\w+: (any|not .*)$", text, re.MULTILINE)]

    @cache
    def ways(person: int, taken: int) -> int:
        if person == len(rules):
            return 1
        return sum(ways(person + 1, taken | 1 << s) for s in range(1, seats + 1) if not taken >> s & 1 and s not in rules[person])

    return str(ways(0, 0))


@prompt_solver("subset_sum_count")
def solve_subset_sum_count(prompt: str) -> str:
    text = problem(prompt)
    if chosen := re.search(r"can (\d+) different .* from (\d+), \d+, \.\.\., (\d+) so .* remainder (\d+) when divided by (\d+)", text):
        size, first, last, rest, modulus = map(int, chosen.groups())
        if "no two of them are consecutive" in text:
            spread = Counter({(0, 0, first - 2): 1})
            for number in range(first, last + 1):
                for (taken, total, latest), ways in list(spread.items()):
                    if taken < size and latest < number - 1:
                        spread[taken + 1, (total + number) % modulus, number] += ways
            return str(sum(ways for (taken, total, _), ways in spread.items() if taken == size and total == rest))
        # In the product of 1 + y * x^number, powers of x are taken modulo x^modulus - 1; one row for each power of y.
        rows = [[0] * modulus for _ in range(size + 1)]
        rows[0][0] = 1
        for number in range(first, last + 1):
            for taken in range(size, 0, -1):
                rows[taken] = [a + rows[taken - 1][(i - number) % modulus] for i, a in enumerate(rows[taken])]
        return str(rows[size][rest])
    total = int(between(text, "can ", " be written"))
    limit = re.search(r"at most (\d+) times", text)
    numbers = integers(re.search(r"(?:once|times): (.*?)\?", text)[1].replace(",", " "))  # type: ignore[index]
    x = sympy.Symbol("x")
    coefficients = [1]
    for number in numbers:
        factor = [0] * (number * (int(limit[1]) if limit else 1) + 1)
        factor[::number] = [1] * len(factor[::number])
        coefficients = sympy.Poly(coefficients[::-1], x).mul(sympy.Poly(factor[::-1], x)).all_coeffs()[::-1]
    return str(coefficients[total] if total < len(coefficients) else 0)
