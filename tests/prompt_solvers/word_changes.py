"""Word problems that are simulated step by step: percentages, mixtures, purchases."""

from __future__ import annotations

import re
from fractions import Fraction

import sympy

from prompt_solvers.linear_stories import compiled, read_equations
from prompt_solvers.parsing import problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("percentage_chain")
def solve_percentage_chain(prompt: str) -> str:
    """The values after each step; a step is a sentence that says how a number changes the value."""
    text = problem(prompt)
    if "need not be the right one" in text:
        return _value_in_unknown_order(text)
    values = [Fraction(re.search(r"\d+", text)[0])]  # type: ignore[index]
    sentences = re.split(r"(?<=[.?]) ", text)
    for sentence in sentences[1:-1]:
        step = re.sub(r"^(?:(?:On|In) \w+ (\d+),|\w+ (\d+):) ", "", sentence)
        if step == sentence:
            assert sentence.endswith("?"), sentence
            continue
        amount = re.search(r"(\d+)(%)?", step)
        assert amount is not None
        number = Fraction(amount[1])
        if re.search(r"of its previous value", step):
            values.append(values[-1] * number / 100)
            continue
        label = re.search(r"(?:at the end of|right after) \w+ (\d+)", step)
        base = values[0] if "at the start" in step else values[int(label[1])] if label else values[-1]
        if amount[2]:
            number *= base / 100
        down = re.search(r"falls|goes down|decreases|drops", step)
        assert bool(down) != bool(re.search(r"rises|goes up|increases|grows", step)), step
        values.append(values[-1] - number if down else values[-1] + number)
    if re.search(r"\bpercent\b", text):
        return str((values[-1] / values[0] - 1) * 100)
    return str(values[-1])


def _value_in_unknown_order(text: str) -> str:
    """Every order of the changes, as a search from the start."""
    opening, *lines, closing = text.splitlines()
    changes: dict[str, tuple[Fraction, Fraction]] = {}
    for line in lines:
        amount = re.search(r"(\d+)(%?)", line)
        assert amount is not None
        number = Fraction(amount[1]) * (-1 if re.search(r"falls by|goes down|decreases|drops", line) else 1)
        if "of its previous value" in line:
            changes[line[0]] = (number / 100, Fraction(0))
        else:
            changes[line[0]] = (1 + number / 100, Fraction(0)) if amount[2] else (Fraction(1), number)
    start, end = Fraction(re.search(r"\d+", opening)[0]), Fraction(re.search(r"\d+(?:\.\d+)?", closing)[0])  # type: ignore[index]
    asked = re.search(r"right before change (\w)", closing)
    assert asked is not None
    found: set[Fraction] = set()

    def search(value: Fraction, left: frozenset[str], seen: Fraction) -> None:
        if not left:
            found.update({seen} if value == end else ())
        for letter in left:
            factor, number = changes[letter]
            search(value * factor + number, left - {letter}, value if letter == asked[1] else seen)

    search(start, frozenset(changes), start)
    (answer,) = found
    return str(answer)


@prompt_solver("word_problem_mixture")
def solve_word_problem_mixture(prompt: str) -> str:
    text = problem(prompt)
    content: dict[str, list[Fraction]] = {}
    starts = (
        r"At first the (?P<v>\w+) contains (?P<n>\d+) litres of .* that is (?P<p>\d+)% ",
        r"The (?P<v>\w+) holds (?P<n>\d+) litres of .* with (?P<p>\d+)% ",
        r"(?P<n>\d+) litres of .* are in the (?P<v>\w+); .* makes up (?P<p>\d+)% of them",
        r"In the (?P<v>\w+) there are (?P<n>\d+) litres of .*, of which (?P<p>\d+)% is ",
        r"The (?P<v>\w+) is filled with (?P<n>\d+) litres of .*, (?P<p>\d+)% of it ",
    )
    transfers = (
        r"poured from the (?P<a>\w+) into the (?P<b>\w+)",
        r"the contents of the (?P<a>\w+) go into the (?P<b>\w+)",
        r"of the mixture from the (?P<a>\w+) to the (?P<b>\w+)",
        r"the (?P<b>\w+) gets \d+ litres? from the (?P<a>\w+)",
    )
    *sentences, question = re.split(r"(?<=[.?]) ", text)
    for sentence in sentences:
        if begin := next((found for pattern in starts if (found := re.match(pattern, sentence))), None):
            content[begin["v"]] = [Fraction(begin["n"]), Fraction(begin["n"]) * int(begin["p"]) / 100]
            continue
        number = re.search(r"(\d+) (?:more )?litres?", sentence)
        if number is None:
            assert not re.search(r"\d", sentence), sentence
            continue
        litres = Fraction(number[1])
        percent = re.search(r"(\d+)%", sentence)
        if move := next((found for pattern in transfers if (found := re.search(pattern, sentence))), None):
            moved = content[move["a"]][1] * litres / content[move["a"]][0]
            content[move["a"]] = [content[move["a"]][0] - litres, content[move["a"]][1] - moved]
            content[move["b"]] = [content[move["b"]][0] + litres, content[move["b"]][1] + moved]
            continue
        (vessel,) = [name for name in content if re.search(rf"\b{name}\b", sentence)]
        volume, pure = content[vessel]
        if percent:
            content[vessel] = [volume + litres, pure + litres * int(percent[1]) / 100]
        elif re.search(r"evaporate|boil away|filter|loses", sentence):
            content[vessel] = [volume - litres, pure]
        elif re.search(r"dilutes|free of|without any|with no ", sentence):
            content[vessel] = [volume + litres, pure]
        else:
            assert re.search(r"thrown away|poured out|spills|leaks", sentence), sentence
            content[vessel] = [volume - litres, pure * (volume - litres) / volume]
        assert content[vessel][0] >= content[vessel][1] >= 0
    (asked,) = [name for name in content if re.search(rf"\b{name}\b", question)]
    return str(content[asked][1] / content[asked][0] * 100)


PRICES = compiled(
    [
        (r"You pay D cents for one A\.", "a - d"),
        (r"They sell each A for D cents\.", "a - d"),
        (r"The price tag on one A says D cents\.", "a - d"),
        (r"For D cents you get one A\.", "a - d"),
        (r"The price of a single A is D cents\.", "a - d"),
        (r"One A costs D cents\.", "a - d"),
        (r"One A costs D cents more than one B\.", "a - b - d"),
        (r"One B is D cents cheaper than one A\.", "a - b - d"),
        (r"Add D cents to the price of one B to get the price of one A\.", "a - b - d"),
        (r"The price of one A is the price of one B plus D cents\.", "a - b - d"),
        (r"Buying one B instead of one A saves D cents\.", "a - b - d"),
        (r"One A sells for K times the price of one B\.", "a - k*b"),
        (r"One A costs K times as much as one B\.", "a - k*b"),
        (r"The price of one A is K times that of one B\.", "a - k*b"),
        (r"One A costs K of what one B costs\.", "a - k*b"),
    ]
)
OFFERS = (
    r"Of each full set of (?P<n>\d+) (?P<t>\w+), only (?P<m>\d+) must be paid for\.",
    r"Every full set of (?P<n>\d+) (?P<t>\w+) is sold for the price of (?P<m>\d+);",
    r"Whoever buys (?P<n>\d+) (?P<t>\w+) pays for only (?P<m>\d+) of them;",
    r"There is an offer on (?P<t>\w+): (?P<n>\d+) for the price of (?P<m>\d+),",
)
PURCHASES = (
    r"[A-Z]\w+ (?:takes|buys|puts) (\d+) (\w+)(?: on the counter)?\.",
    r"(\d+) (\w+) go into \w+'s bag\.",
    r"\w+'s shopping list has (\d+) (\w+) on it, and \w+ buys them all\.",
)


@prompt_solver("shopping_change")
def solve_shopping_change(prompt: str) -> str:
    equations, rest = read_equations(problem(prompt), PRICES, [])
    names = sorted(set().union(*(equation.free_symbols for equation in equations)), key=str)
    (solution,) = sympy.linsolve(equations, names)
    price = {str(name): Fraction(str(value)) for name, value in zip(names, solution, strict=True)}

    def singular(plural: str) -> str:
        ends = (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"))
        forms = {plural.lower().removesuffix(end) + new for end, new in ends if plural.endswith(end)} | {plural.lower()}
        (name,) = forms & set(price)
        return name

    count: dict[str, int] = {}
    offer: dict[str, tuple[int, int]] = {}
    factor, fee, paid = Fraction(1), 0, None
    for sentence in rest[:-1]:
        number = re.search(r"\d+", sentence)
        if found := next((match for pattern in OFFERS if (match := re.match(pattern, sentence))), None):
            offer[singular(found["t"])] = (int(found["n"]), int(found["m"]))
        elif found := next((match for pattern in PURCHASES if (match := re.match(pattern, sentence))), None):
            assert singular(found[2]) not in count
            count[singular(found[2])] = int(found[1])
        elif number is None:
            continue
        elif "%" in sentence:
            assert re.search(r"discount|off|cut by", sentence), sentence
            factor = 1 - Fraction(number[0]) / 100
        elif "dollars" in sentence:
            paid = int(number[0]) * 100
        else:
            assert re.search(r"fee|charged|added|another|also pays", sentence), sentence
            fee = int(number[0])
    total = Fraction(0)
    for name, amount in count.items():
        size, charged = offer.get(name, (1, 1))
        total += price[name] * (amount // size * charged + amount % size)
    total = total * factor + fee
    change = re.search(r"change|get back|gets? back", rest[-1])
    assert bool(change) == (paid is not None), rest[-1]
    return str(paid - total if paid is not None else total)
