"""Find which lines of a text break which rule of a style card."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.constraints.style import DOUBTFUL, Rule, broken, keeps, line_drawn, rules_drawn, told, words_of
from rlgym.generators.steps import Line, ended, first_wrong

CLEAN = Line("Line {line} has {words} words from {first} to {last} and breaks no rule")
BREAKS = Line("Line {line} has {words} words from {first} to {last} and breaks rule {rule}")
LAST = "Lines and the rules they break:\n"
Pairs = tuple[tuple[str, str], ...]


class Knobs(Config):
    lines: int = knob(9, easy=4, hard=24, doc="lines of the text")
    rules: int = knob(6, easy=2, hard=12, doc="rules on the card")
    breaches: int = knob(2, easy=1, hard=5, doc="lines that break a rule")
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
    return _made(rng, knobs, parts="")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A text in parts, with rules that hold in one part only."""
    return _made(rng, knobs, parts="AB" if knobs.lines < 12 else "ABC")


def solve(task: Task[Data]) -> Pairs:
    # Every rule is tried on every line; `generate` knows which ones it broke.
    return tuple(sorted((str(line), str(rule)) for line, rule in _found(task.data).items() if rule))


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


def explain(task: Task[Data]) -> list[str]:
    found, steps = _found(task.data), list[str]()
    for number, line in enumerate((line for part in task.data.parts for line in part), 1):
        words = words_of(line)
        form, rule = (BREAKS, {"rule": found[number]}) if found[number] else (CLEAN, {})
        steps.append(form.write(line=number, words=len(words), first=words[0], last=words[-1], **rule))
    return [*steps, LAST + environment.answer.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, seen = task.data, [0]
    placed = [(part, at) for part in range(len(data.parts)) for at in range(len(data.parts[part]))]

    def follows(step: str) -> bool:
        said = BREAKS.read(step) or CLEAN.read(step) or {}
        part, at = placed[seen[0]]
        seen[0] += 1
        words = words_of(data.parts[part][at])
        same = (said["line"], said["words"], said["first"], said["last"]) == (str(seen[0]), str(len(words)), words[0], words[-1])
        broke = [i for i, rule in enumerate(data.rules, 1) if not keeps(rule, list(data.parts[part]), at, "ABC"[part])]
        return same and broke == ([int(said["rule"])] if "rule" in said else [])

    def ends(step: str) -> bool:
        return seen[0] == len(placed) and ended(LAST, task, environment.answer, verify)(step)

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, parts: str) -> Task[Data]:
    while True:
        rules = rules_drawn(rng, knobs.rules, knobs.style, parts)
        wanted = dict.fromkeys(rng.sample(range(knobs.lines), min(knobs.breaches, knobs.lines - 1)), 0)
        text: list[list[str]] = [[]]
        for line in range(knobs.lines):
            if parts and line and line % -(-knobs.lines // len(parts)) == 0:
                text.append([])
            made = _line(rng, rules, text, line in wanted, 10 + 7 * line)
            if not made:
                break
            text[-1].append(made[0])
            if line in wanted:
                wanted[line] = made[1]
        else:
            right = tuple(sorted((str(line + 1), str(rule)) for line, rule in wanted.items()))
            data = Data(rules=rules, parts=tuple(map(tuple, text)), right=right)
            if solve(Task("", data)) == right:
                return Task(_prompt(data), data)


def _line(rng: Rng, rules: tuple[Rule, ...], text: list[list[str]], breach: bool, number: int) -> tuple[str, int] | None:
    """A line that keeps all rules, or breaks exactly the one that is told with it; None where a few tries find none."""
    part, above = "ABC"[len(text) - 1], text[-1]
    for _ in range(60):
        line, rule = line_drawn(rng, rules, number + rng.integer(0, 6)), rng.integer(1, len(rules))
        if breach:
            line = broken(rng, rules[rule - 1], line, above)
        found = [i for i, one in enumerate(rules, 1) if not keeps(one, [*above, line], len(above), part)]
        if found == ([rule] if breach else []) and not {*DOUBTFUL} & {word.lower() for word in words_of(line)}:
            return line, rule
    return None


def _found(data: Data) -> dict[int, int]:
    """Of each line the rule that it breaks, 0 for none."""
    found, number = dict[int, int](), 0
    for name, part in zip("ABC", data.parts, strict=False):
        for at in range(len(part)):
            number += 1
            found[number] = next((i for i, rule in enumerate(data.rules, 1) if not keeps(rule, list(part), at, name)), 0)
    return found


def _prompt(data: Data) -> str:
    number, lines = 0, list[str]()
    for name, part in zip("ABC", data.parts, strict=False):
        lines += [f"Part {name}"] * (len(data.parts) > 1)
        for line in part:
            number += 1
            lines.append(f"{number}: {line}")
    card = "\n".join(f"{i}. {told(rule)}" for i, rule in enumerate(data.rules, 1))
    above = " Lines above and before a line are those of its own part only." if len(data.parts) > 1 else ""
    return (
        f"A style card says:\n\n{card}\n\nA word is a run of letters or a run of digits; small and capital letters of a word named on the card count alike. "
        f"The first line has no line before it and keeps the rules about it.{above} Here is a text; the line numbers before the colons do not belong to it.\n\n"
        + "\n".join(lines)
        + "\n\nSome lines break a rule, each of these exactly one. Which lines are they, and which rule does each break?"
    )


environment = Environment(
    Knobs,
    Mapping("one line `line number: rule number` for each line that breaks a rule"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Take one line after the other through the whole card: count its words, look at its ends, and then at the lines above.",
)
