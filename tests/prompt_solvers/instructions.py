"""Instructions carried out to the letter: lists, recipes, nested orders and formats."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import permutations, product

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, only

VOWELS = "aeiou"


@prompt_solver("acrostic_from_list")
def solve_acrostic_from_list(prompt: str) -> str:
    words = group(r"no other words:\n(.*)", prompt).split(", ")
    target = group(r"from top to bottom, spell \"(\w+)\"\.", prompt)
    size = int(group(r"Each line has (\d+) words", prompt))
    lengths_text = re.search(r"The lines have, from top to bottom, ([\d, ]+) letters", prompt)
    lengths = [int(n) for n in lengths_text[1].split(", ")] if lengths_text else [0] * len(target)
    chained = "begins with the letter that the word before it ends with" in prompt
    assert len(re.findall(r"^- ", prompt, re.M)) == 2 + (lengths_text is not None) + chained

    def lines(first: str, total: int, chosen: list[str], left: list[str]) -> list[list[str]]:
        """The ways to finish a line with words that are left."""
        have = sum(map(len, chosen))
        if len(chosen) == size:
            return [chosen] if have == total or not total else []
        if total and have >= total:
            return []
        found = []
        for word in left:
            if word not in chosen and word.startswith(first if not chosen else chosen[-1][-1] if chained else ""):
                found += lines(first, total, [*chosen, word], left)
                if found and not total and not chained:
                    break
        return found

    def search(row: int, left: list[str]) -> list[list[str]] | None:
        if row == len(target):
            return []
        # Words that a later line may have to begin with are used up last.
        order = sorted(left, key=lambda word: target[row + 1 :].count(word[0]))
        for line in lines(target[row], lengths[row], [], order):
            rest = search(row + 1, [word for word in left if word not in line])
            if rest is not None:
                return [line, *rest]
        return None

    return "\n".join(" ".join(line) for line in search(0, words) or [])


@prompt_solver("alphabetise_nested")
def solve_alphabetise_nested(prompt: str) -> str:
    body = prompt.split("\n\n")[1]
    tree: dict = {"word": "", "children": [], "fixed": False}
    path = [tree]
    for hyphens, word, star in re.findall(r"^(-+) (\w+)( \*)?$", body, re.M):
        node = {"word": word, "children": [], "fixed": bool(star)}
        del path[len(hyphens) :]
        path[-1]["children"].append(node)
        path.append(node)
    keys = {
        "in alphabetical order": lambda node: node["word"],
        "by length, the shortest first, those of the same length in alphabetical order": lambda node: (len(node["word"]), node["word"]),
        "in alphabetical order of the words read backwards": lambda node: node["word"][::-1],
        "in reversed alphabetical order, from z to a": lambda node: [-ord(c) for c in node["word"]] + [1],
        "by the number of items directly under them, the fewest first, ties in alphabetical order": lambda node: (
            len(node["children"]),
            node["word"],
        ),
        "by the number of their letters a, e, i, o and u, the most first, ties in alphabetical order": lambda node: (
            -sum(map(node["word"].count, VOWELS)),
            node["word"],
        ),
    }
    rules = {int(level): keys[rule] for level, rule in re.findall(r"^- level (\d+): (.*)$", prompt, re.M)}
    lines: list[str] = []

    def write(node: dict, level: int) -> None:
        moving = iter(sorted((child for child in node["children"] if not child["fixed"]), key=rules.get(level)))
        for child in node["children"]:
            shown = child if child["fixed"] else next(moving)
            lines.append(f"{'-' * level} {shown['word']}")
            write(shown, level + 1)

    write(tree, 1)
    return "\n".join(lines)


@prompt_solver("recipe_scaling")
def solve_recipe_scaling(prompt: str) -> str:
    if "whole batches" in prompt:
        return _best_menu(prompt)
    recipes, people = {}, Fraction(0)
    for name, serves, parts in re.findall(r"^One batch of (?:the )?(\w+)(?:, for (\d+) people)?: (.*)\.$", prompt, re.M):
        recipes[name] = [part.split(" ", 1) for part in parts.split(", ")]
        people = Fraction(serves) if serves else people

    def needed(name: str) -> Counter[str]:
        total: Counter[str] = Counter()
        for number, rest in recipes[name]:
            inner = re.fullmatch(r"of a batch of (\w+)|batch(?:es)? of (\w+)", rest)
            if inner:
                for thing, amount in needed(inner[1] or inner[2]).items():
                    total[thing] += Fraction(number) * amount
            else:
                total[rest.split(" of ")[1]] += Fraction(number)
        return total

    batch = needed("dish")
    made = re.search(r"Make it for (\d+) people", prompt)
    if made:
        batches = Fraction(made[1]) / people
    else:
        stock = re.findall(r"(\d+(?:/\d+)?) \w+ of (\w+)", group(r"there are only (.*?);", prompt))
        batches = min(Fraction(number) / batch[thing] for number, thing in stock)
    answers = {thing: amount * batches for thing, amount in batch.items()}
    if not made:
        answers["people"] = batches * people
    return "\n".join(f"{thing}: {amount}" for thing, amount in sorted(answers.items()))


def _best_menu(prompt: str) -> str:
    """All numbers of batches up to 12 of each dish."""
    dishes: dict[str, tuple[int, list[tuple[Fraction, str]], list[tuple[int, str]]]] = {}
    parts: dict[str, tuple[list[tuple[Fraction, str]], list[tuple[int, str]]]] = {}
    for name, serves, text in re.findall(r"^One batch of (\w+)(?:, for (\d+) people)?: (.*)\.$", prompt, re.M):
        stock = [(int(number), thing) for number, thing in re.findall(r"(\d+) g of (\w+)", text)]
        shares = [(Fraction(number), thing) for number, thing in re.findall(r"([\d/]+) of a batch of (\w+)", text)]
        if serves:
            dishes[name] = (int(serves), shares, stock)
        else:
            parts[name] = (shares, stock)
    pantry = {thing: int(number) for number, thing in re.findall(r"(\d+) g of (\w+)", group(r"The pantry holds (.*?)\.", prompt))}
    best: tuple[int, tuple[int, ...]] = (0, ())
    for plan in product(range(13), repeat=len(dishes)):
        people = sum(count * dish[0] for count, dish in zip(plan, dishes.values(), strict=True))
        if people <= best[0]:
            continue
        needed: dict[str, Fraction] = dict.fromkeys(parts, Fraction(0))
        left = Counter(pantry)
        for count, (_, used, stock) in zip(plan, dishes.values(), strict=True):
            for share, part in used:
                needed[part] += share * count
            left.subtract({thing: amount * count for amount, thing in stock})
        for part in parts:  # each stands before those that it needs
            batches = -(-needed[part] // 1)
            for share, inner in parts[part][0]:
                needed[inner] += share * batches
            left.subtract({thing: amount * batches for amount, thing in parts[part][1]})
        if min(left.values()) >= 0:
            best = (people, plan)
    return "\n".join(f"{name}: {count}" for name, count in sorted(zip(dishes, best[1], strict=True)))


def holds(text: str, words: list[str], start: list[str]) -> bool:
    """Whether a condition holds for a list of words."""
    if found := re.fullmatch(r"this was true at the very start, before any step: (.*)", text):
        return holds(found[1], start, start)
    if found := re.fullmatch(r"(.*?),? or (?!u\))(.*) \(or both\)", text):
        return holds(found[1], words, start) or holds(found[2], words, start)
    if found := re.fullmatch(r"(.*?) and (?!the last word)(.*)", text):
        return holds(found[1], words, start) and holds(found[2], words, start)
    if found := re.fullmatch(r"(.*?) and (the last word has .*)", text):
        return holds(found[1], words, start) and holds(found[2], words, start)
    if found := re.fullmatch(r"it is not the case that (.*)", text):
        return not holds(found[1], words, start)
    if found := re.fullmatch(r"some word has more than (\d+) letters?", text):
        return any(len(word) > int(found[1]) for word in words)
    if found := re.fullmatch(r"there are more than (\d+) words?", text):
        return len(words) > int(found[1])
    if found := re.fullmatch(r"the letter (\w) is in the first word", text):
        return found[1] in words[0]
    return {
        "the number of words is even": lambda: len(words) % 2 == 0,
        "the first word begins with a vowel (a, e, i, o or u)": lambda: words[0][0] in VOWELS,
        "the first word comes before the last word in the alphabet": lambda: words[0] < words[-1],
        "the last word has more letters than the first word": lambda: len(words[-1]) > len(words[0]),
    }[text]()


def changed(text: str, words: list[str]) -> list[str]:
    """The list after one simple instruction."""
    if found := re.fullmatch(r'Add the word "(\w+)" at the end\.', text):
        return [*words, found[1]]
    if found := re.fullmatch(r'Put the word "(\w+)" before the first word\.', text):
        return [found[1], *words]
    if found := re.fullmatch(r"Keep only the words with more than (\d+) letters?\.", text):
        return [word for word in words if len(word) > int(found[1])]
    if found := re.fullmatch(r"Keep only the words that have the letter (\w) in them\.", text):
        return [word for word in words if found[1] in word]
    return {
        "Move the first word to the end.": lambda: words[1:] + words[:1],
        "Put the words in alphabetical order.": lambda: sorted(words),
        "Take away the first letter of every word that has more than one letter.": lambda: [word[1:] or word for word in words],
        "Reverse the order of the words.": lambda: words[::-1],
        "Keep only the first, the third, the fifth word, and so on.": lambda: words[::2],
        "Exchange the first and the last word.": lambda: [words[-1], *words[1:-1], words[0]] if len(words) > 1 else words,
        "Take away the first word.": lambda: words[1:],
        "Remove the last word.": lambda: words[:-1],
        "Put the words in order of length, the shortest first; words of the same length keep their order.": lambda: sorted(words, key=len),
    }[text]()


@prompt_solver("and_chain_branch")
def solve_and_chain_branch(prompt: str) -> str:
    start = group(r"Here is a list of words: (.*)", prompt).split(", ")
    orders = dict(re.findall(r"^ *(\d+(?:\.\d+)*) (.*)$", prompt, re.M))

    def run(number: str, words: list[str]) -> list[str]:
        text = orders[number]
        parts = [other for other in orders if re.fullmatch(re.escape(number) + r"\.\d+", other)]
        if text.startswith("Do these in turn"):
            for part in parts:
                words = run(part, words)
            return words
        if text.startswith("Do each of these"):
            return [word for part in parts for word in run(part, words)]
        if found := re.fullmatch(r"If (.*), do ([\d.]+), otherwise do ([\d.]+)\.", text):
            return run(found[2] if holds(found[1], words, start) else found[3], words)
        return changed(text, words)

    return " ".join(run("1", start))


WRITTEN_WORDS = {
    "unchanged": str,
    "in capitals": str.upper,
    "backwards": lambda word: word[::-1],
    "its first letter": lambda word: word[0],
    "its first three letters": lambda word: word[:3],
    "without a, e, i, o and u": lambda word: re.sub("[aeiou]", "", word),
    "its number of letters": lambda word: str(len(word)),
}
WRITTEN_NUMBERS = {
    "unchanged": str,
    "padded with zeros to four digits": lambda number: number.zfill(4),
    "doubled": lambda number: str(2 * int(number)),
    "its last digit": lambda number: number[-1],
    "backwards": lambda number: number[::-1],
    "plus one": lambda number: str(int(number) + 1),
    "its remainder modulo nine": lambda number: str(int(number) % 9),
}
CONDITIONS = {
    "the number is even": lambda field: field.isdigit() and int(field) % 2 == 0,
    "the number is above 500": lambda field: field.isdigit() and int(field) > 500,
    "the number is a multiple of 3": lambda field: field.isdigit() and int(field) % 3 == 0,
    "the word begins with a, e, i, o or u": lambda field: field[0] in VOWELS,
    "the word has an even number of letters": lambda field: field.isalpha() and len(field) % 2 == 0,
    "the word has more than 5 letters": lambda field: field.isalpha() and len(field) > 5,
    "the word ends with e": lambda field: field.endswith("e"),
}


def formatted(new: list[str], examples: list[tuple[list[str], str]], left_out: int, prompt: str) -> set[str]:
    """What the formats that fit the examples make of a new record."""
    separators = {sep for sep in ("-", "/", "_", "+", "::", "=") if all(sep in line for _, line in examples)}
    ways = [{name: way for name, way in (WRITTEN_NUMBERS if field.isdigit() else WRITTEN_WORDS).items() if name in prompt} for field in new]
    lines = set()
    for separator in separators:
        parts = [line.split(separator) for _, line in examples]
        for order in permutations(range(len(new)), len(new) - left_out):
            if any(len(part) != len(order) for part in parts):
                continue
            fitting = [
                {
                    way(new[field])
                    for way in ways[field].values()
                    if all(way(row[field]) == part[i] for (row, _), part in zip(examples, parts, strict=True))
                }
                for i, field in enumerate(order)
            ]
            if all(fitting):
                lines |= {separator.join(only(options) for options in fitting)}
    return lines


@prompt_solver("many_shot_rule")
def solve_many_shot_rule(prompt: str) -> str:
    examples = [(record.split(", "), line) for record, line in re.findall(r"^(.*) => (.*)$", prompt, re.M)]
    new = group(r"make the same one\.\n(.*)", prompt).split(", ")
    left_out = 1 if "all fields except one" in prompt else 0
    if "There are two formats" not in prompt:
        return only(formatted(new, examples, left_out, prompt))
    answers = set()
    for field in range(len(new)):
        for name, test in CONDITIONS.items():
            if name not in prompt or new[field].isdigit() != ("number is" in name):
                continue
            groups = [[row for row in examples if test(row[0][field]) == side] for side in (True, False)]
            if not all(groups):
                continue
            others = groups[test(new[field])]
            if formatted(others[0][0], others, left_out, prompt):
                answers |= formatted(new, groups[not test(new[field])], left_out, prompt)
    return only(answers)
