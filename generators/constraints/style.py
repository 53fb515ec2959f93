"""Rules of style for lines of a text: stated, checked line by line, kept by generated lines, and broken on purpose."""

import re

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.constraints.compose import Vocabulary, bank

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
DOUBTFUL = (
    "zero",
    "one",
    "second",
    "third",
    "half",
    "double",
    "quarter",
    "twin",
    "single",
    "eighty",
    "twenty",
    "thirty",
    "hundred",
    "thousand",
    "dozen",
    "couple",
)
"""Words of which one may doubt whether they are numbers; no line holds them."""
TOLD = {
    "most": "Each line{where} has at most {n} words",
    "least": "Each line{where} has at least {n} words",
    "capital": "Each line{where} begins with a capital letter",
    "stop": "Each line{where} ends with a full stop",
    "short": "No line{where} contains a word of more than {n} letters",
    "comma": "Each line{where} contains exactly one comma",
    "digits": "Each line{where} writes numbers in digits, not as words",
    "banned": 'No line{where} contains the word "{word}"',
    "after": 'Wherever the word "{word}" occurs in a line{where}, the next word of that line is "{other}"',
    "once": "No line{where} contains a word twice",
    "letter": "Each line{where} contains the letter {word}",
    "first": "No line{where} begins with the same letter as the line before",
    "shared": "No line{where} has a word in common with the line before",
    "sizes": "No line{where} has the same number of words as the line before",
    "rising": "If a line{where} and some line above it contain numbers in digits, its number is larger than that of the nearest such line above",
}
PLAIN, BEFORE = tuple(TOLD)[:11], tuple(TOLD)[11:]
_WORD = re.compile(r"[A-Za-z]+|[0-9]+")


class Rule(TaskData):
    """A rule for each line, or for those of one part; lines that hold the word `but` are free of it."""

    kind: str
    n: int = 0
    word: str = ""
    other: str = ""
    part: str = ""
    but: str = ""


def describe(rule: Rule) -> str:
    where = f" of part {rule.part}" if rule.part else ""
    free = f'; a line that contains the word "{rule.but}" is exempt from this rule' if rule.but else ""
    return f"{TOLD[rule.kind].format(n=rule.n, word=rule.word, other=rule.other, where=where)}{free}."


def words_of(line: str) -> list[str]:
    return _WORD.findall(line)


def keeps(rule: Rule, lines: list[str], at: int, part: str) -> bool:
    """Whether the line at a position, counted from 0 among the lines of its part, keeps a rule."""
    words = words_of(lines[at])
    low = [word.lower() for word in words]
    if (rule.part and rule.part != part) or (rule.but and rule.but in low):
        return True
    if rule.kind in BEFORE:
        return _keeps_before(rule, lines, at, low)
    match rule.kind:
        case "most":
            return len(words) <= rule.n
        case "least":
            return len(words) >= rule.n
        case "capital":
            return lines[at][0].isupper()
        case "stop":
            return lines[at].endswith(".")
        case "short":
            return all(len(word) <= rule.n for word in words)
        case "comma":
            return lines[at].count(",") == 1
        case "digits":
            return not set(low) & {*NUMBERS}
        case "banned":
            return rule.word not in low
        case "after":
            return all(low[i + 1 : i + 2] == [rule.other] for i, word in enumerate(low) if word == rule.word)
        case "once":
            return len(set(low)) == len(low)
        case "letter":
            return any(rule.word in word for word in low)
    raise ValueError(f"there is no rule {rule.kind!r}")


def _keeps_before(rule: Rule, lines: list[str], at: int, low: list[str]) -> bool:
    """The same for rules that look at the lines above; the first line keeps them."""
    if rule.kind == "rising":
        own = [int(word) for word in low if word.isdigit()]
        above = [int(word) for line in lines[:at] for word in words_of(line) if word.isdigit()]
        return not own or not above or own[-1] > above[-1]
    if not at:
        return True
    before = [word.lower() for word in words_of(lines[at - 1])]
    if rule.kind == "first":
        return low[0][0] != before[0][0]
    return not set(low) & set(before) if rule.kind == "shared" else len(low) != len(before)


def sample_rules(rng: Rng, count: int, style: str, parts: str) -> tuple[Rule, ...]:
    """Rules of different kinds; `style` is plain, before or exceptions."""
    kinds = rng.shuffled([*PLAIN, *(BEFORE if style != "plain" else ())])[:count]
    if style != "plain" and not set(kinds) & {*BEFORE}:
        kinds[0] = rng.choice(BEFORE)
    words = rng.sample(bank(Vocabulary(least=4, most=6)), 4)
    rules = []
    for kind in kinds:
        n = {"most": rng.integer(8, 9), "least": rng.integer(4, 5), "short": rng.integer(7, 8)}.get(kind, 0)
        word = rng.choice("aeot") if kind == "letter" else words[0] if kind == "banned" else words[1] if kind == "after" else ""
        but = rng.choice(("note", "draft")) if style == "exceptions" and rng.chance(0.5) else ""
        part = rng.choice(parts) if parts and rng.chance(0.7) else ""
        rules.append(Rule(kind=kind, n=n, word=word, other=words[2] if kind == "after" else "", part=part, but=but))
    return tuple(rules)


def sample_line(rng: Rng, rules: tuple[Rule, ...], number: int) -> str:
    """A line that is likely to keep the rules, with this number where it holds one."""
    of = {rule.kind: rule for rule in rules}
    kept = {rule.word for rule in rules if rule.kind in ("banned", "after")}
    size = rng.integer(5, 8)
    words = [
        word for word in rng.sample(bank(Vocabulary(least=3, most=7)), size + 8) if word not in kept and word not in (*NUMBERS, *DOUBTFUL)
    ]
    words = words[:size]
    if "after" in of and rng.chance(0.4):
        words[2:4] = [of["after"].word, of["after"].other]
    if rng.chance(0.4):
        words[3] = str(number)
    if any(rule.but for rule in rules) and rng.chance(0.4):
        words[1] = next(rule.but for rule in rules if rule.but)
    return dress(words, rng.integer(0, 2))


def dress(words: list[str], comma: int) -> str:
    """Words as a line with a capital, one comma and a full stop."""
    dressed = [word + "," * (i == comma) for i, word in enumerate(words)]
    return f"{' '.join(dressed).capitalize()}."


def broken(rng: Rng, rule: Rule, line: str, lines: list[str]) -> str:
    """The line changed so that it is likely to break the rule; `lines` are those above it in its part."""
    words = line.rstrip(".").split()
    before = words_of(lines[-1]) if lines else []
    extra = [word for word in rng.sample(bank(Vocabulary(least=3, most=6)), 12) if word not in (*NUMBERS, *DOUBTFUL)]
    at = rng.integer(1, len(words) - 1)
    match rule.kind:
        case "capital":
            return line[0].lower() + line[1:]
        case "stop":
            return line.rstrip(".") + rng.choice(("", "!", ";"))
        case "comma":
            return (
                line.replace(",", "")
                if rng.chance(0.5)
                else line.replace(" ", ", ", 1)
                if "," not in line.split()[0]
                else line.replace(".", ",.")
            )
        case "most":
            words[1:1] = extra[: max(0, rule.n + 1 - len(words))]
        case "least":
            words = words[: rule.n - 1]
        case "short":
            words[at] = rng.choice(bank(Vocabulary(least=rule.n + 1)))
        case "digits":
            words[at] = rng.choice(NUMBERS)
        case "banned" | "after":
            words[at] = rule.word
        case "once":
            words[at] = words[0].lower().strip(",")
        case "letter":
            words = [
                word if word.isdigit() else rng.choice(bank(Vocabulary(avoided=rule.word, most=6))) + "," * word.endswith(",")
                for word in words
            ]
        case "first" if before:
            words[0] = rng.choice(bank(Vocabulary(first=before[0][0].lower()))) + "," * words[0].endswith(",")
        case "shared" if before:
            words[at] = rng.choice(before[1:]).lower()
        case "sizes" if before:
            words = (words + extra)[: len(before)]
        case "rising":
            words = [str(rng.integer(1, 9)) if word.isdigit() else word for word in words]
    text = " ".join(words)
    return text[0].upper() + text[1:] + "."
