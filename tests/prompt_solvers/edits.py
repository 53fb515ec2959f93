"""Texts that are edited, checked and tabulated, and matrices of pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise, product

from prompt_solvers.induction import composed
from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, listed, only

Line = tuple[int, tuple[str, ...]]  # the number that names the line, 0 for none, and its words


def edited(lines: list[Line], order: str, find: Callable[[list[Line], int], int]) -> list[Line]:
    """The lines after one instruction."""
    lines = list(lines)
    numbers = [int(number) for number in re.findall(r"\bline (\d+)", order)]
    at = find(lines, numbers[0])
    name, words = lines[at]
    if found := re.fullmatch(r"If line \d+ has more words than line \d+, (.*); otherwise (.*)\.", order):
        more = len(words) > len(lines[find(lines, numbers[1])][1])
        order = found[1 if more else 2]
        return edited(lines, order[0].upper() + order[1:] + ".", find)
    if found := re.fullmatch(r"Exchange line \d+ and line \d+\.", order):
        other = find(lines, numbers[1])
        lines[at], lines[other] = lines[other], lines[at]
    elif order.startswith("Move"):
        del lines[at]
        lines.insert(0 if order.endswith("to the top.") else len(lines), (name, words))
    elif re.fullmatch(r"Delete line \d+\.", order):
        del lines[at]
    elif order.startswith("Add a copy"):
        lines.append((0, words))
    elif re.fullmatch(r"Add the words of line \d+ at the end of line \d+, and delete line \d+\.", order):
        assert numbers[0] == numbers[2]
        other = find(lines, numbers[1])
        lines[other] = (lines[other][0], lines[other][1] + words)
        del lines[at]
    elif found := re.fullmatch(r'Insert a new line, "(.*)", right after line \d+\.', order):
        lines.insert(at + 1, (0, tuple(found[1].split())))
    else:
        if found := re.fullmatch(r"Delete word number (\d+) of line \d+\.", order):
            words = words[: int(found[1]) - 1] + words[int(found[1]) :]
        elif found := re.fullmatch(r'In line \d+, replace each word "(\w+)" with "(\w+)"\.', order):
            words = tuple(found[2] if word == found[1] else word for word in words)
        else:
            words = {
                "Reverse the order": lambda: words[::-1],
                "Put the words": lambda: tuple(sorted(words, key=str.lower)),
                "Write all of": lambda: tuple(word.upper() for word in words),
            }[next(start for start in ("Reverse the order", "Put the words", "Write all of") if order.startswith(start))]()
        lines[at] = (name, words)
    return lines


@prompt_solver("exact_edit")
def solve_exact_edit(prompt: str) -> str:
    lines: list[Line] = [(int(number), tuple(text.split())) for number, text in re.findall(r"^(\d+): (.*)$", prompt, re.M)]
    if not lines:
        raise ValueError("the prompt has no text")
    named = "always mean the line that had this number" in prompt

    def find(lines: list[Line], number: int) -> int:
        return [name for name, _ in lines].index(number) if named else number - 1

    history = [lines]
    for order in re.findall(r"^\d+\) (.*)$", prompt, re.M):
        if order == "Undo the instruction just before this one.":
            history.append(history[-2])
        else:
            history.append(edited(history[-1], order, find))
    return "\n".join(" ".join(words) for _, words in history[-1])


NUMBER_WORDS = set(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
    "twenty thirty forty fifty sixty seventy eighty ninety hundred".split()
)


def breaks(rule: str, texts: list[str], at: int) -> bool:
    """Whether the line at this place breaks a rule of a style card."""
    text, rows = texts[at], [re.findall(r"[a-z]+|\d+", text.lower()) for text in texts]
    words, before = rows[at], rows[at - 1] if at else []
    if found := re.fullmatch(r'(.*); a line that contains the word "(\w+)" is exempt from this rule', rule):
        return found[2] not in words and breaks(found[1], texts, at)
    if found := re.fullmatch(r"Each line has at (most|least) (\d+) words", rule):
        return len(words) > int(found[2]) if found[1] == "most" else len(words) < int(found[2])
    if found := re.fullmatch(r"Each line contains the letter (\w)", rule):
        return found[1] not in text.lower()
    if found := re.fullmatch(r'No line contains the word "(\w+)"', rule):
        return found[1] in words
    if found := re.fullmatch(r"No line contains a word of more than (\d+) letters", rule):
        return any(len(word) > int(found[1]) for word in words)
    if found := re.fullmatch(r'Wherever the word "(\w+)" occurs in a line, the next word of that line is "(\w+)"', rule):
        return any(word == found[1] and words[i + 1 : i + 2] != [found[2]] for i, word in enumerate(words))
    digits = [[int(word) for word in row if word.isdigit()] for row in rows]
    above = [numbers for numbers in digits[:at] if numbers]
    return {
        "Each line writes numbers in digits, not as words": lambda: bool(NUMBER_WORDS & set(words)),
        "Each line begins with a capital letter": lambda: not text[0].isupper(),
        "Each line contains exactly one comma": lambda: text.count(",") != 1,
        "Each line ends with a full stop": lambda: not text.endswith("."),
        "No line has a word in common with the line before": lambda: bool(set(words) & set(before)),
        "No line begins with the same letter as the line before": lambda: at > 0 and words[0][0] == before[0][0],
        "No line has the same number of words as the line before": lambda: at > 0 and len(words) == len(before),
        "No line contains a word twice": lambda: len(set(words)) < len(words),
        "If a line and some line above it contain numbers in digits, its number is larger than that of the nearest such line above": (
            lambda: bool(digits[at]) and bool(above) and digits[at][0] <= above[-1][-1]
        ),
    }[rule]()


@prompt_solver("style_card_check")
def solve_style_card_check(prompt: str) -> str:
    rules = listed(prompt)
    texts = re.findall(r"^\d+: (.*)$", prompt, re.M)
    faults = []
    for at in range(len(texts)):
        broken = [number for number, rule in rules.items() if breaks(rule, texts, at)]
        assert len(broken) < 2, (texts[at], broken)
        faults += [f"{at + 1}: {number}" for number in broken]
    return "\n".join(faults)


@prompt_solver("markdown_table_spec")
def solve_markdown_table_spec(prompt: str) -> str:
    records = [
        {"name": name} | {key: int(n) for key, n in re.findall(r"(\w+) (\d+)", row)}
        for name, row in re.findall(r"^- (\w+): (.*)$", prompt, re.M)
    ]
    columns = re.findall(r'the (\w+)(?: times the (\w+))? with the header "(\w+)"', prompt)
    if found := re.search(r"Only records with (\w+) (\d+) or more", prompt):
        records = [record for record in records if record[found[1]] >= int(found[2])]
    if found := re.search(r"sorted by (\w+), the (smallest|largest) first", prompt):
        records.sort(key=lambda record: ((1 if found[2] == "smallest" else -1) * record[found[1]], record["name"]))
    rows = [[record[one] * record[two] if two else record[one] for one, two, _ in columns] for record in records]
    if found := re.search(r'one more row with "(\w+)" for the name', prompt):
        rows.append([found[1] if one == "name" else sum(row[i] for row in rows) for i, (one, _, _) in enumerate(columns)])
    dashes = {"left": ":---", "right": "---:", "centre": ":---:"}
    aligned = group(r"aligned, in this order: ([\w, ]+)", prompt).split(", ")
    table = [[header for _, _, header in columns], [dashes[side] for side in aligned], *rows]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in table)


@prompt_solver("analogy_matrices")
def solve_analogy_matrices(prompt: str) -> str:
    features = {name: re.findall(r"\d+ (\w+)", row) for name, row in re.findall(r"^(\w+): (0 .*)$", prompt, re.M)}
    rows = [row.split(" | ") for row in re.findall(r"^Row \d: (.*)$", prompt, re.M)]
    kinds = set(re.findall(r"^- (\w+)", prompt, re.M))
    answer = []
    for place, values in enumerate(features.values()):
        size = len(values)
        known = [[values.index(cell.split(", ")[place]) for cell in row if cell != "?"] for row in rows]
        tests: dict[str, Callable[[list[list[int]]], bool]] = {
            "same": lambda grid: all(len(set(row)) == 1 for row in grid),
            "step": lambda grid, m=size: len(steps := {(b - a) % m for row in grid for a, b in pairwise(row)}) == 1 and 0 not in steps,
            "sum": lambda grid, m=size: all((row[0] + row[1] - row[2]) % m == 0 for row in grid),
            "difference": lambda grid, m=size: all((row[0] - row[1] - row[2]) % m == 0 for row in grid),
            "set": lambda grid: len(set(grid[0])) == 3 and all(sorted(row) == sorted(grid[0]) for row in grid),
        }
        assert kinds <= set(tests), kinds
        fits = {v for kind, v in product(sorted(kinds), range(size)) if tests[kind]([*known[:2], [*known[2], v]])}
        answer.append(values[only(fits)])
    return " ".join(answer)


LIST_OPERATIONS: dict[str, Callable[[tuple[int, ...]], tuple[int, ...]]] = {
    "Reverse the list": lambda row: row[::-1],
    "Remove the last number": lambda row: row[:-1],
    "Remove the first number": lambda row: row[1:],
    "Move the first number to the end": lambda row: row[1:] + row[:1],
    "Move the last number to the front": lambda row: row[-1:] + row[:-1],
    "Double every number": lambda row: tuple(2 * x for x in row),
    "Add 1 to every number": lambda row: tuple(x + 1 for x in row),
    "Swap the first and the last number": lambda row: (row[-1], *row[1:-1], row[0]) if len(row) > 1 else row,
    "Keep only the numbers at odd positions": lambda row: row[::2],
    "Keep only the numbers at even positions": lambda row: row[1::2],
    "Append a copy of the first number": lambda row: row + row[:1],
    "Replace every number with two copies of it": lambda row: tuple(x for x in row for _ in range(2)),
    "Keep only the first three numbers": lambda row: row[:3],
    "Add its position to every number": lambda row: tuple(x + i for i, x in enumerate(row, 1)),
    "Multiply every number by its position": lambda row: tuple(x * i for i, x in enumerate(row, 1)),
    "Swap the numbers at positions 1 and 2, those at positions 3 and 4, and so on": lambda row: tuple(
        row[i + 1 - 2 * (i % 2)] if i + 1 - 2 * (i % 2) < len(row) else row[i] for i in range(len(row))
    ),
    "Replace every number x with 10 - x": lambda row: tuple(10 - x for x in row),
    "Append the length of the list": lambda row: (*row, len(row)),
    "Swap the two halves of the list; if the length is odd, the middle number belongs to the first half": lambda row: (
        row[(len(row) + 1) // 2 :] + row[: (len(row) + 1) // 2]
    ),
    "Remove the middle number if the length is odd": lambda row: row[: len(row) // 2] + row[len(row) // 2 + 1 :] if len(row) % 2 else row,
    "Insert the sum of all numbers at the front": lambda row: (sum(row), *row),
    "Append a reversed copy of the list": lambda row: row + row[::-1],
}


@prompt_solver("list_function_induce")
def solve_list_function_induce(prompt: str) -> str:
    operations = [LIST_OPERATIONS[line] for line in listed(prompt).values()]
    return composed(
        prompt, operations, lambda text: tuple(int(number) for number in re.findall(r"-?\d+", text)), lambda row: ", ".join(map(str, row))
    )
