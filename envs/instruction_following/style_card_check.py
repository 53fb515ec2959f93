"""Find which lines of a text break which rule of a style card."""

from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.constraints.style import BEFORE, DOUBTFUL, Rule, broken, describe, keeps, sample_line, sample_rules, words_of
from rlgym.solutions import Derivation, Solution, Step

CLEAN = Step("Line {line:int} has {words:int} words from {first} to {last} and breaks no rule")
BREAKS = Step("Line {line:int} has {words:int} words from {first} to {last} and breaks rule {rule:int}")
Pairs = tuple[tuple[str, str], ...]


class Knobs(Config):
    lines: int = knob(9, easy=6, hard=24, beyond=50, doc="lines of the text")
    rules: int = knob(6, easy=2, hard=12, beyond=20, doc="rules on the card")
    breaches: int = knob(2, easy=2, hard=5, beyond=10, doc="lines that break a rule")
    style: str = knob(
        "before",
        easy="plain",
        hard="exceptions",
        order=("plain", "before", "exceptions"),
        doc="rules on a line, on the lines above too, with exceptions",
    )


class Data(TaskData):
    rules: tuple[Rule, ...]
    parts: tuple[tuple[str, ...], ...]
    right: tuple[tuple[str, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, parts="")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A text in parts, with rules that hold in one part only."""
    return _sample_task(rng, knobs, parts="AB" if knobs.lines < 12 else "ABC")


def solve(task: Task[Data]) -> Pairs:
    # Every rule is tried on every line; `generate` knows which ones it broke.
    return tuple(sorted((str(line), str(rule)) for line, rule in _find_violations(task.data).items() if rule))


def verify(task: Task[Data], answer: Pairs) -> Score:
    right = dict(task.data.right)
    wrong = sum(right.get(line) != rule for line, rule in answer)
    return Score.exact(dict(answer) == right, f"{wrong} of the {len(answer)} pairs are wrong, or some line is missing")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    lines, rules = sum(map(len, task.data.parts)), len(task.data.rules)
    first, rule = right[0]
    others = [
        ((first, str(int(rule) % rules + 1)), *right[1:]),
        ((str(int(first) % lines + 1), rule), *right[1:]),
        tuple((b, a) for a, b in right),
    ]
    return [*(tuple(sorted(dict(other).items())) for other in others), right[1:] or (("1", "1"), ("2", "1"))]


def cost(task: Task[Data]) -> float:
    return float(sum(map(len, task.data.parts)) * sum(1 + bool(rule.but) + (rule.kind in ("shared", "rising")) for rule in task.data.rules))


def derive(task: Task[Data]) -> Derivation:
    data, broken = task.data, _find_violations(task.data)
    places = [(part, at) for part, lines in enumerate(data.parts) for at in range(len(lines))]
    for number, (part, at) in enumerate(places, 1):
        words = words_of(data.parts[part][at])
        gaps = {"line": number, "words": len(words), "first": words[0], "last": words[-1]}
        step = BREAKS(**gaps, rule=broken[number]) if broken[number] else CLEAN(**gaps)
        yield step.accepting(partial(_is_line, data, number, part, at))


def _is_line(data: Data, number: int, part: int, at: int, /, line: int, words: int, first: str, last: str, rule: int = 0) -> bool:
    """Whether the words are counted right and the line breaks just this rule, or none."""
    right = words_of(data.parts[part][at])
    broken = [i for i, style_rule in enumerate(data.rules, 1) if not keeps(style_rule, list(data.parts[part]), at, "ABC"[part])]
    return (line, words, first, last) == (number, len(right), right[0], right[-1]) and broken == ([rule] if rule else [])


def _sample_task(rng: Rng, knobs: Knobs, parts: str) -> Task[Data]:
    while True:
        rules = sample_rules(rng, knobs.rules, knobs.style, parts)
        breaches_at = dict.fromkeys(rng.sample(range(knobs.lines), min(knobs.breaches, knobs.lines - 1)), 0)
        text: list[list[str]] = [[]]
        for line in range(knobs.lines):
            if parts and line and line % -(-knobs.lines // len(parts)) == 0:
                text.append([])
            drawn_line = _line(rng, rules, text, line in breaches_at, 10 + 7 * line)
            if not drawn_line:
                break
            text[-1].append(drawn_line[0])
            if line in breaches_at:
                breaches_at[line] = drawn_line[1]
        else:
            right = tuple(sorted((str(line + 1), str(rule)) for line, rule in breaches_at.items()))
            data = Data(rules=rules, parts=tuple(map(tuple, text)), right=right)
            if solve(Task("", data)) == right:
                return Task(_render_prompt(data), data)


def _line(rng: Rng, rules: tuple[Rule, ...], text: list[list[str]], breach: bool, number: int) -> tuple[str, int] | None:
    """A line that keeps all rules, or breaks exactly the given one; None if a few tries find none."""
    part, above = "ABC"[len(text) - 1], text[-1]
    for _ in range(60):
        line, rule = sample_line(rng, rules, number + rng.integer(0, 6)), rng.integer(1, len(rules))
        if breach:
            line = broken(rng, rules[rule - 1], line, above)
        broken_rules = [i for i, style_rule in enumerate(rules, 1) if not keeps(style_rule, [*above, line], len(above), part)]
        if broken_rules == ([rule] if breach else []) and not {*DOUBTFUL} & {word.lower() for word in words_of(line)}:
            return line, rule
    return None


def _find_violations(data: Data) -> dict[int, int]:
    """Of each line the rule that it breaks, 0 for none."""
    violations, number = dict[int, int](), 0
    for name, part in zip("ABC", data.parts, strict=False):
        for at in range(len(part)):
            number += 1
            violations[number] = next((i for i, rule in enumerate(data.rules, 1) if not keeps(rule, list(part), at, name)), 0)
    return violations


def _render_prompt(data: Data) -> str:
    number, lines = 0, list[str]()
    for name, part in zip("ABC", data.parts, strict=False):
        lines += [f"Part {name}"] * (len(data.parts) > 1)
        for line in part:
            number += 1
            lines.append(f"{number}: {line}")
    card = "\n".join(f"{i}. {describe(rule)}" for i, rule in enumerate(data.rules, 1))
    question = "Some lines break a rule; each of them breaks exactly one. Which lines are they, and which rule does each break?"
    if len(data.right) == 1:
        question = "One line breaks exactly one rule; no other line breaks any. Which line is it, and which rule does it break?"
    return (
        f"A style card says:\n\n{card}\n\n{_reading(data)}Here is a text; the line numbers before the colons are not part of it.\n\n"
        + "\n".join(lines)
        + f"\n\n{question}"
    )


def _reading(data: Data) -> str:
    """How the rules of this card are to be read."""
    kinds, notes = {rule.kind for rule in data.rules}, list[str]()
    exempting = any(rule.but for rule in data.rules)
    if exempting or kinds - {"capital", "stop", "comma", "letter", "first", "rising"}:
        notes.append("A word is a run of letters or a run of digits.")
    if exempting or kinds & {"banned", "after", "once", "letter", "first", "shared"}:
        notes.append("When words or letters are compared or looked for, letter case does not matter.")
    if kinds & {*BEFORE} and len(data.parts) > 1:
        notes.append("Only lines of the same part count as lines before or above a line.")
    if kinds & {"first", "shared", "sizes"}:
        notes.append(f"The first line{' of a part' if len(data.parts) > 1 else ''} always satisfies a rule about the line before.")
    return " ".join([*notes, ""])


environment = Environment(
    Knobs, Mapping("one line `line number: rule number` for each line that breaks a rule"), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Lines and the rules they break:\n{answer}", whole=True),
    concept="Take one line after the other through the whole card: count its words, look at its ends, and then at the lines above.",
    version=4,
)  # fmt: skip
