"""A checker of search traces. It reads the prompt or the data of a task, and knows nothing of the rules as the searches state them."""

import re
from collections import Counter
from itertools import combinations, pairwise, product

GRIDS = {"sudoku", "jigsaw_sudoku", "futoshiki", "kakurasu", "binario", "survo", "star_battle"}
MOVES = {"countdown", "water_jugs"}
SIGNS = {"marked": "#", "star": "*", "empty": "."}


def cell(name):
    row, column = re.fullmatch(r"r(\d+)c(\d+)", name).groups()
    return int(row) - 1, int(column) - 1


def broken_grid(name, data, values):
    """Whether cells with values break a rule that they decide. `values` maps (row, column) to a text."""
    if name in ("sudoku", "jigsaw_sudoku", "futoshiki"):
        size = len(data.given)
        groups = [[(r, c) for c in range(size)] for r in range(size)] + [[(r, c) for r in range(size)] for c in range(size)]
        if name == "sudoku":
            corners = product(range(0, size, data.height), range(0, size, data.width))
            groups += [[(r + i, c + j) for i in range(data.height) for j in range(data.width)] for r, c in corners]
        if name == "jigsaw_sudoku":
            groups += [[divmod(place, size) for place in room] for room in data.rooms]
        if any(a in values and values.get(a) == values.get(b) for group in groups for a, b in combinations(group, 2)):
            return True
        pairs = [(divmod(a, size), divmod(b, size)) for a, b in data.below] if name == "futoshiki" else []
        return any(a in values and b in values and values[a] >= values[b] for a, b in pairs)
    if name == "survo":
        if len(set(values.values())) < len(values):
            return True
        width = len(data.given[0])
        lines = [[(r, c) for c in range(width) if data.given[r][c] != "#"] for r in range(len(data.given))]
        lines += [[(r, c) for r in range(len(data.given)) if data.given[r][c] != "#"] for c in range(width)]
        totals = [*data.rows, *data.columns]
        return any(
            all(at in values for at in line) and sum(int(values[at]) for at in line) != total
            for line, total in zip(lines, totals, strict=True)
        )
    size = data.size if name == "star_battle" else len(data.known if name == "kakurasu" else data.given)
    lines = [[(r, c) for c in range(size)] for r in range(size)] + [[(r, c) for r in range(size)] for c in range(size)]
    full = [line for line in lines if all(at in values for at in line)]
    if name == "kakurasu":
        for number, line in enumerate(lines):
            weights = data.across if number < size else data.down
            total = sum(weight for weight, at in zip(weights, line, strict=True) if values.get(at) == "marked")
            if line in full and data.told[number] not in (-1, total):
                return True
        return False
    if name == "binario":
        texts = [(number < size, "".join(values[at] for at in line)) for number, line in enumerate(lines) if line in full]
        runs = [line[i : i + 3] for line in lines for i in range(size - 2)]
        return (
            any(text.count("0") * 2 != size for _, text in texts)
            or len(set(texts)) < len(texts)
            or any(all(at in values for at in run) and len({values[at] for at in run}) == 1 for run in runs)
        )
    stars = [at for at, value in values.items() if value == "star"]
    units = [*lines, *([divmod(place, size) for place in region] for region in data.regions)]
    return any(max(abs(a[0] - b[0]), abs(a[1] - b[1])) < 2 for a, b in combinations(stars, 2)) or any(
        sum(at in stars for at in unit) > data.stars or (all(at in values for at in unit) and sum(at in stars for at in unit) < data.stars)
        for unit in units
    )


def broken(name, task, values):
    """Whether a partial assignment breaks a rule of the prompt that it decides."""
    if name in GRIDS:
        return broken_grid(name, task.data, {cell(each): value for each, value in values.items()})
    lines = task.prompt.splitlines()
    pairs = {tuple(line.split(" - ")) for line in lines if " - " in line}
    if name == "graph_colouring":
        return any(values.get(a) is not None and values.get(a) == values.get(b) for a, b in pairs)
    if name == "hamiltonian_path":
        stops = [values.get(f"stop {number}") for number in range(1, len(task.data.towns) + 1)]
        seen = [stop for stop in stops if stop]
        roads = pairs | {pair[::-1] for pair in pairs}
        return len(set(seen)) < len(seen) or any(a and b and (a, b) not in roads for a, b in pairwise(stops))
    for clause in re.findall(r"^\d+\. (.*)", task.prompt, re.MULTILINE):
        kind, _, listed = clause.rpartition(" of ")
        literals = [(part.removeprefix("not "), part.startswith("not ")) for part in re.split(r", | and | or ", listed)]
        if all(variable in values for variable, _ in literals):
            true = sum((values[variable] == "true") != negated for variable, negated in literals)
            if not {"": true > 0, "exactly one": true == 1, "exactly one or all three": true in (1, 3), "exactly three": true == 3}[kind]:
                return True
    return False


def given_values(name, task):
    data = task.data
    if name in GRIDS and name != "star_battle":
        if name == "kakurasu":
            signs = {sign: word for word, sign in SIGNS.items()}
            return {f"r{r + 1}c{c + 1}": signs[cell] for r, row in enumerate(data.known) for c, cell in enumerate(row) if cell != "?"}
        return {f"r{r + 1}c{c + 1}": value for r, row in enumerate(data.given) for c, value in enumerate(row) if value not in ".?#"}
    if name == "graph_colouring":
        return dict(re.findall(r"^(\w+) has the colour (\d+)\.", task.prompt, re.MULTILINE))
    return {}


def alphabet(name, task):
    if name in ("kakurasu", "star_battle"):
        return {"marked", "empty"} if name == "kakurasu" else {"star", "empty"}
    if name == "graph_colouring":
        return {str(colour) for colour in range(1, task.data.colours + 1)}
    if name == "hamiltonian_path":
        return set(task.data.towns)
    if name == "sat_assignment":
        return {"true", "false"}
    if name == "binario":
        return {"0", "1"}
    rows = task.data.given
    return {str(number) for number in range(1, 1 + (sum(each != "#" for row in rows for each in row) if name == "survo" else len(rows)))}


ASSIGNED = re.compile(r"(stop \d+|\w+) = (\w+)")


def check_reason(name, task, values, reason):
    """X = v with Y = w, ... is against a rule: the others have these values, and together they break a rule."""
    cited = dict(ASSIGNED.findall(reason.partition(" is against a rule: ")[0]))
    first = ASSIGNED.search(reason)
    others = {each: value for each, value in cited.items() if each != first[1]}
    assert others.items() <= values.items()
    assert broken(name, task, cited), reason
    return first[1], first[2]


def check_assignments(name, task, lines):
    """Replay the lines; the values at the end."""
    values, tried, order = given_values(name, task), {}, []
    for number, line in enumerate(lines):
        if found := re.fullmatch(rf"Try {ASSIGNED.pattern}\.", line):
            variable, value = found.groups()
            assert variable not in values
            assert value in alphabet(name, task)
            values[variable] = value
            order.append(variable)
            tried.setdefault(variable, []).append((dict(values), value))
        elif line.startswith("Check: "):
            assert line == f"Check: {order[-1]} = {values[order[-1]]} breaks no rule with what is set so far."
            assert not broken(name, task, values), line
        elif line.startswith("Dead end: nothing is left for "):
            variable, reasons = re.fullmatch(r"Dead end: nothing is left for (.*?): (.*)\.", line).groups()
            assert variable not in values
            found = [check_reason(name, task, values, reason) for reason in reasons.split("; ")]
            assert {one for one, _ in found} == {variable}
            assert {value for _, value in found} == alphabet(name, task)
        elif line.startswith("Dead end: "):
            assert check_reason(name, task, values, line.removeprefix("Dead end: ").rstrip(".")) == (order[-1], values[order[-1]])
        elif line.startswith("So nothing is left for "):
            variable = re.match(r"So nothing is left for (.*?):", line)[1]
            failed = {value for _, value in ASSIGNED.findall(line)}
            before = {value for at, value in tried[variable] if {k: v for k, v in at.items() if k != variable} == values}
            assert failed <= before
            # The values that are not named break a rule at once.
            assert all(broken(name, task, values | {variable: value}) for value in alphabet(name, task) - failed)
        elif line.startswith("Back: "):
            assert line == f"Back: {order[-1]} is open again."
            assert lines[number - 1].startswith(("Dead end: ", "So nothing "))
            del values[order.pop()]
        elif line.startswith("Next: "):
            assert re.match(r"Next: (.*?)[.,]", line)[1] not in values
        else:
            assert line == lines[-1] == "Final check: all that the task asks for holds."
    return values


def check_numbers(task, lines):
    numbers, stack = Counter(task.data.numbers), []
    for line in lines:
        if found := re.fullmatch(r"Try (\d+) ([-+*/]) (\d+) = (\d+), which leaves (.*)\.", line):
            left, sign, right, value = int(found[1]), found[2], int(found[3]), int(found[4])
            stack.append(numbers)
            assert not Counter([left, right]) - numbers
            assert {"+": left + right, "-": left - right, "*": left * right, "/": left / right}[sign] == value > 0
            numbers = numbers - Counter([left, right]) + Counter([value])
            assert numbers == Counter(map(int, found[5].split(", ")))
        elif line.startswith("Dead end: "):
            (last,) = numbers.elements()
            assert line == f"Dead end: only {last} is left, and {task.data.target} is wanted."
            assert last != task.data.target
        elif line.startswith("Back: "):
            numbers = stack.pop()
            assert Counter(map(int, re.findall(r"\d+", line))) == numbers
        elif line.startswith("Next: "):
            assert Counter(map(int, re.findall(r"\d+", line.partition(" from ")[2]))) == numbers
        else:
            assert line.startswith(("Check: ", "So nothing can be made of ", "Final check: "))
    assert task.data.target in numbers


def check_jugs(task, lines):
    sizes = [int(size) for size in re.findall(r"capacity (\d+)", task.prompt)]
    path = [[int(now) for now in re.findall(r"now (\d+)", task.prompt)]]
    for line in lines:
        if found := re.fullmatch(r"Try (fill|empty|pour) (\w) ?(\w)?: (.*)\.", line):
            after, jug = list(path[-1]), "ABCDE".index(found[2])
            if found[1] == "pour":
                other = "ABCDE".index(found[3])
                poured = min(after[jug], sizes[other] - after[other])
                after[jug], after[other] = after[jug] - poured, after[other] + poured
            else:
                after[jug] = sizes[jug] if found[1] == "fill" else 0
            assert after != path[-1]
            path.append(after)
            assert [int(amount) for amount in re.findall(r"\w (\d+)", found[4])] == after
        elif line.startswith("Check: "):
            assert path[-1] not in path[:-1]
        elif line.startswith("Dead end: the jugs have held "):
            assert path[-1] in path[:-1]
        elif line.startswith("Dead end: all "):
            assert len(path) - 1 == int(re.search(r"all (\d+) steps", line)[1]) == task.data.most
        elif line.startswith("Back: "):
            path.pop()
            assert [int(amount) for amount in re.findall(r"\w (\d+)", line.removeprefix("Back: "))] == path[-1]
        elif line.startswith("Next: step "):
            assert int(re.match(r"Next: step (\d+)", line)[1]) == len(path)
        else:
            assert line.startswith(("So no step from ", "Dead end: every step from ", "Final check: "))
    assert all(amount in path[-1] if jug < 0 else path[-1][jug] == amount for jug, amount in task.data.goal)
