"""Best choices by dynamic programming."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations

import z3

from prompt_solvers.parsing import between, integers, problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("edit_distance_script")
def solve_edit_distance_script(prompt: str) -> str:
    text = problem(prompt)
    source, target = re.findall(r"Turn the text (\w+) into the text (\w+)\.", text)[0]
    cost = {name: int(price) for name, price in re.findall(r"^(\w+)(?::x)?: .*; cost (\d+)$", text, re.MULTILINE)}
    rows: list[list[tuple[int, str]]] = [[(0, "")] * (len(target) + 1) for _ in range(len(source) + 1)]
    for i in range(len(source) + 1):
        for j in range(len(target) + 1):
            options = [(0, "")] if i == j == 0 else []
            if i and j and source[i - 1] == target[j - 1] and "keep" in cost:
                options.append((rows[i - 1][j - 1][0] + cost["keep"], "keep"))
            if i and j and "replace" in cost:
                options.append((rows[i - 1][j - 1][0] + cost["replace"], f"replace:{target[j - 1]}"))
            if i and "delete" in cost:
                options.append((rows[i - 1][j][0] + cost["delete"], "delete"))
            if j and "insert" in cost:
                options.append((rows[i][j - 1][0] + cost["insert"], f"insert:{target[j - 1]}"))
            if i > 1 and j > 1 and "swap" in cost and source[i - 2 : i] == target[j - 2 : j][::-1]:
                options.append((rows[i - 2][j - 2][0] + cost["swap"], "swap"))
            rows[i][j] = min(options, default=(10**9, ""))
    script, i, j = [], len(source), len(target)
    back = {"keep": (1, 1), "replace": (1, 1), "delete": (1, 0), "insert": (0, 1), "swap": (2, 2)}
    while i or j:
        edit = rows[i][j][1]
        script.append(edit)
        di, dj = back[edit.split(":")[0]]
        i, j = i - di, j - dj
    return " ".join(reversed(script))


@prompt_solver("elementary_ca_predecessor")
def solve_elementary_ca_predecessor(prompt: str) -> str:
    text = problem(prompt)
    rule = dict(re.findall(r"^([01]{3}) -> ([01])$", text, re.MULTILINE))
    ring = "The row is a ring" in text
    assert ring or "Beyond both ends of the row, cells are always 0" in text
    times = re.search(r"the rule is applied (\d+) times", text)
    goal = text.splitlines()[-1]
    size, steps = len(goal), int(times[1]) if times else 1
    assert times or "applied once" in text
    solver = z3.Solver()
    cells = [[z3.Bool(f"c{t}_{i}") for i in range(size)] for t in range(steps + 1)]
    for t in range(steps):
        for i in range(size):
            around = [cells[t][j % size] if ring or 0 <= j < size else z3.BoolVal(False) for j in (i - 1, i, i + 1)]
            born = z3.Or(
                [
                    z3.And([c if bit == "1" else z3.Not(c) for c, bit in zip(around, key, strict=True)])
                    for key, new in rule.items()
                    if new == "1"
                ]
            )
            solver.add(cells[t + 1][i] == born)
    solver.add([cell == (bit == "1") for cell, bit in zip(cells[-1], goal, strict=True)])
    assert solver.check() == z3.sat
    model = solver.model()
    return "".join("1" if z3.is_true(model.eval(cell)) else "0" for cell in cells[0])


@prompt_solver("huffman_code")
def solve_huffman_code(prompt: str) -> str:
    """The best code lengths level by level, the heaviest letters first; then words of these lengths in order."""
    text = problem(prompt)
    counts = {letter: int(count) for letter, count in re.findall(r"^(\w): (\d+)$", text, re.MULTILINE)}
    digits = len(re.findall(r"\d", between(text, "of the digits ", ", so that")))
    limit = re.search(r"more than (\d+) digits", text)
    letters = sorted(counts, key=lambda letter: -counts[letter])
    size = len(letters)
    rest = [sum(counts[letter] for letter in letters[i:]) for i in range(size + 1)]

    @cache
    def best(done: int, slots: int, depth: int) -> tuple[int, tuple[int, ...]]:
        """The least cost of the letters from `done` on, if as many words of this length are free, and how many of each length end."""
        if done == size:
            return 0, ()
        if depth == 0:
            return 10**12, ()
        options = []
        for ending in range(min(slots, size - done) + 1):
            inner = min(slots - ending, size - done - ending)
            if done + ending < size and inner == 0:
                continue
            cost, ends = best(done + ending, min(inner * digits, size), depth - 1)
            options.append((cost + rest[done + ending], (ending, *ends)))
        return min(options, default=(10**12, ()))

    _, ends = best(0, digits, int(limit[1]) if limit else size)
    words, code, place = {}, 0, 0
    for length, ending in enumerate(ends, 1):
        code *= digits if length > 1 else 1
        for _ in range(ending):
            word, number = "", code
            for _ in range(length):
                word, number = str(number % digits) + word, number // digits
            words[letters[place]] = word
            code, place = code + 1, place + 1
    return "\n".join(f"{letter}: {words[letter]}" for letter in counts)


@prompt_solver("interval_scheduling_weighted")
def solve_interval_scheduling_weighted(prompt: str) -> str:
    text = problem(prompt)
    jobs = [(int(e), int(s), int(p), n) for n, s, e, p in re.findall(r"^(\w+): from (\d+) to (\d+), pays (\d+)$", text, re.MULTILINE)]
    gap = re.search(r"there must be at least (\d+) time units?", text)
    most = re.search(r"at most (\d+) jobs may be chosen", text)
    jobs.sort()

    @cache
    def best(before: int, left: int) -> tuple[int, tuple[str, ...]]:
        """The best of the first jobs, for a last one that ends in time."""
        options: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        for i, (_, start, pay, name) in enumerate(jobs[:before] if left else []):
            fitting = sum(end + int(gap[1] if gap else 0) <= start for end, *_ in jobs[:i])
            value, names = best(fitting, left - 1)
            options.append((value + pay, (*names, name)))
        return max(options)

    return " ".join(best(len(jobs), int(most[1]) if most else len(jobs))[1])


@prompt_solver("longest_common_subsequence")
def solve_longest_common_subsequence(prompt: str) -> str:
    texts = re.findall(r"^Text \d: (\w+)$", problem(prompt), re.MULTILINE)

    @cache
    def best(places: tuple[int, ...]) -> str:
        if any(place == len(text) for place, text in zip(places, texts, strict=True)):
            return ""
        if len({text[place] for place, text in zip(places, texts, strict=True)}) == 1:
            return texts[0][places[0]] + best(tuple(place + 1 for place in places))
        return max((best((*places[:i], place + 1, *places[i + 1 :])) for i, place in enumerate(places)), key=len)

    return best((0,) * len(texts))


@prompt_solver("longest_increasing_subsequence")
def solve_longest_increasing_subsequence(prompt: str) -> str:
    text = problem(prompt)
    numbers = integers(between(text, "A list of numbers: ", "\n").replace(",", " "))
    larger = re.search(r"each chosen number must be larger than the one chosen before it(?:, by at (most|least) (\d+))?\.", text)
    alternate = "must alternate between positive and negative" in text
    assert bool(larger) != alternate
    by_sum = "their sum is as large as possible" in text
    assert by_sum or "as many as possible" in text
    best: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
    for j, number in enumerate(numbers):
        weight = number if by_sum else 1
        for direction in (1, -1):
            best[j, direction] = (weight, (j,))
        for i in range(j):
            step = number - numbers[i]
            direction = 1 if step > 0 else -1
            if step == 0:
                continue
            if larger and (step < 0 or (larger[1] == "most" and step > int(larger[2])) or (larger[1] == "least" and step < int(larger[2]))):
                continue
            value, chain = best[i, -direction if alternate else direction]
            best[j, direction] = max(best[j, direction], (value + weight, (*chain, j)))
    return ", ".join(str(place + 1) for place in max(best.values())[1])


@prompt_solver("matrix_chain")
def solve_matrix_chain(prompt: str) -> str:
    text = problem(prompt)
    sizes = re.findall(r"(\w) is (\d+) x (\d+)", text)
    extra = re.search(r"costs p\*q\*r \+ (\d+)\*p\*r", text)
    assert extra or "costs p*q*r and" in text
    cap = re.search(r"may have at most (\d+) entries", text)

    @cache
    def best(i: int, j: int) -> tuple[int, str]:
        """The least cost of the product of the matrices from i up to j, j not included, and its brackets."""
        if j == i + 1:
            return 0, sizes[i][0]
        p, r = int(sizes[i][1]), int(sizes[j - 1][2])
        if cap and j - i < len(sizes) and p * r > int(cap[1]):
            return 10**12, ""
        options = []
        for k in range(i + 1, j):
            (one, left), (two, right) = best(i, k), best(k, j)
            options.append((one + two + p * int(sizes[k][1]) * r + (int(extra[1]) if extra else 0) * p * r, f"({left}{right})"))
        return min(options)

    return best(0, len(sizes))[1]


@prompt_solver("optimal_bst")
def solve_optimal_bst(prompt: str) -> str:
    text = problem(prompt)
    keys = [(int(key), int(count)) for key, count in re.findall(r"^(\d+): (\d+)$", text, re.MULTILINE)]
    gaps = [0] * (len(keys) + 1)
    place = {key: i for i, (key, _) in enumerate(keys)}
    for key, count in re.findall(r"^(?:below|between) (?:\d+ and )?(\d+): (\d+)$", text, re.MULTILINE):
        gaps[place[int(key)]] = int(count)
    above = re.search(r"^above \d+: (\d+)$", text, re.MULTILINE)
    gaps[-1] = int(above[1]) if above else 0
    levels = re.search(r"at most (\d+) levels", text)

    @cache
    def best(i: int, j: int, levels: int) -> tuple[int, tuple[int, ...]]:
        """The fewest comparisons below a node for the keys from i up to j, j not included, and these keys from the root on."""
        if i == j:
            return 0, ()
        if levels == 0:
            return 10**12, ()
        weight = sum(count for _, count in keys[i:j]) + sum(gaps[i : j + 1])
        options = []
        for root in range(i, j):
            (one, left), (two, right) = best(i, root, levels - 1), best(root + 1, j, levels - 1)
            options.append((one + two + weight, (keys[root][0], *left, *right)))
        return min(options)

    return " ".join(map(str, best(0, len(keys), int(levels[1]) if levels else len(keys))[1]))


@prompt_solver("subset_sum")
def solve_subset_sum(prompt: str) -> str:
    """All sums of one half of the numbers, and for each the sum that the other half must have."""
    text = problem(prompt)
    goal = int(between(text, "add up to ", ","))
    count = re.search(r"Choose exactly (\d+) of these", text)
    numbers = integers(text.splitlines()[1].replace(",", " "))
    halves = [numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]]
    sums: dict[tuple[int, int], tuple[int, ...]] = {}
    for size in range(len(halves[0]) + 1):
        for part in combinations(halves[0], size):
            sums.setdefault((sum(part), size if count else 0), part)
    for size in range(len(halves[1]) + 1):
        for part in combinations(halves[1], size):
            other = sums.get((goal - sum(part), int(count[1]) - size if count else 0))
            if other is not None and (other or part):
                return ", ".join(map(str, other + part))
    raise ValueError("no choice has this sum")
