"""Questions about files of lines with four fields, put together from parts; each has words, a meaning, and commands of a shell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rlgym.core.rng import Rng

VALUES = {
    "name": ("ann", "anna", "dan", "dana", "jo", "joan", "mira", "miranda", "sam", "samir"),
    "team": ("red", "Red", "redo", "blue", "Blue", "sam", "north"),
    "city": ("rome", "romeo", "oslo", "Oslo", "bern", "berlin", "dan"),
}
Lines = list[str]


@dataclass(frozen=True)
class Part:
    """One step: its words, what it makes of the lines, commands that do it, in two ways, and others that do not."""

    words: str
    meaning: Callable[[Lines], Lines]
    commands: tuple[str, ...]
    other: tuple[str, ...]
    near: tuple[str, ...]  # what a careless reader would write


@dataclass(frozen=True)
class Layout:
    """The order of the fields and what stands between them."""

    fields: tuple[str, ...]
    mark: str

    def field(self, line: str, name: str) -> str:
        return line.split(self.mark)[self.fields.index(name)]

    def place(self, name: str) -> int:
        return self.fields.index(name) + 1

    def line(self, rng: Rng) -> str:
        return self.mark.join(str(rng.integer(1, 120)) if name == "amount" else rng.choice(VALUES[name]) for name in self.fields)


def layout(rng: Rng) -> Layout:
    return Layout(tuple(rng.shuffled(["name", "team", "city", "amount"])), rng.choice((":", ",", "/", "=")))


def sample(rng: Rng, shape: Layout, filters: int, view: str, ending: bool) -> list[Part]:
    """Parts: which lines are kept, what of them is shown and in which order, how many of these, and a change at the end."""
    makers = rng.sample((_equal, _equal, _holds, _keep_by_end_character, _unequal, _case_insensitive_filter), filters)
    parts = [maker(rng, shape) for maker in makers]
    parts += {"lines": _sort_parts, "values": _values, "tally": _tally_parts}[view](rng, shape)
    if rng.chance(0.7):
        parts.append(_keep_first_or_last(rng))
    if ending:
        parts.append(_substitution_part(rng, shape))
    return parts


def answer(parts: Sequence[Part], lines: Lines) -> Lines:
    """What is to be printed."""
    for part in parts:
        lines = part.meaning(lines)
    return lines


def pipeline(parts: Sequence[Part], file: str, other: bool = False) -> str:
    """Commands that print it."""
    return " | ".join([f"cat {file}", *(command for part in parts for command in (part.other if other else part.commands))])


def _field_pattern(shape: Layout, name: str, value: str) -> str:
    place = shape.place(name)
    before = "^" + f"[^{shape.mark}]*{shape.mark}" * (place - 1)
    return before + value + ("$" if place == len(shape.fields) else shape.mark)


def _text_field(rng: Rng) -> tuple[str, str]:
    name = rng.choice(("name", "team", "city"))
    return name, rng.choice(VALUES[name])


def _equal(rng: Rng, shape: Layout) -> Part:
    name, value = _text_field(rng)
    pattern = _field_pattern(shape, name, value)
    return Part(
        f"keep the lines whose {name} is exactly {value}",
        lambda lines: [line for line in lines if shape.field(line, name) == value],
        (f"grep '{pattern}'",),
        (f"grep {value}", f"grep '{pattern}'"),
        (f"grep {value}", f"grep -i '{pattern}'", f"grep '{shape.mark}{value}{shape.mark}'"),
    )


def _unequal(rng: Rng, shape: Layout) -> Part:
    name, value = _text_field(rng)
    pattern = _field_pattern(shape, name, value)
    return Part(
        f"leave out the lines whose {name} is exactly {value}",
        lambda lines: [line for line in lines if shape.field(line, name) != value],
        (f"grep -v '{pattern}'",),
        (f"grep -v -- '{pattern}'", "cat"),
        (f"grep -v {value}", f"grep '{pattern}'", f"grep -vi '{pattern}'"),
    )


def _case_insensitive_filter(rng: Rng, shape: Layout) -> Part:
    name, value = _text_field(rng)
    pattern = _field_pattern(shape, name, value.lower())
    return Part(
        f"keep the lines whose {name} is {value.lower()} when upper and lower case count as the same",
        lambda lines: [line for line in lines if shape.field(line, name).lower() == value.lower()],
        (f"grep -i '{pattern}'",),
        (f"grep -i {value}", f"grep -i '{pattern}'"),
        (f"grep -i {value}", f"grep '{pattern}'"),
    )


def _holds(rng: Rng, shape: Layout) -> Part:
    text = rng.choice(("an", "ro", "o", "m", "1", "2", "re", "er", "s"))
    return Part(
        f"keep the lines that contain {text}",
        lambda lines: [line for line in lines if text in line],
        (f"grep {text}",),
        (f"grep '{text}.*'",),
        (f"grep -v {text}", f"grep '^{text}'"),
    )


def _keep_by_end_character(rng: Rng, shape: Layout) -> Part:
    last = rng.chance(0.5)
    name = shape.fields[-1 if last else 0]
    letter = rng.choice("0123456789" if last else "123456789") if name == "amount" else rng.choice([value[-last] for value in VALUES[name]])
    return Part(
        f"keep the lines whose {'last' if last else 'first'} character is {letter}",
        lambda lines: [line for line in lines if line[-last] == letter],
        (f"grep '{letter}$'" if last else f"grep '^{letter}'",),
        (f"grep '.{letter}$'" if last else f"grep '^{letter}.'",),
        (f"grep {letter}", f"grep '^{letter}'" if last else f"grep '{letter}$'"),
    )


def _sort_parts(rng: Rng, shape: Layout) -> list[Part]:
    """Whole lines in an order, and then perhaps only some of their fields."""
    mark = shape.mark
    down, numeric = rng.chance(0.5), rng.chance(0.7)
    name = "amount" if numeric else rng.choice([field for field in shape.fields if field != "amount"])
    place = shape.place(name)
    flag = "n" * numeric + "r" * down
    first = ("largest first" if down else "smallest first") if numeric else ("from z to a" if down else "from a to z")

    def worth(line: str) -> tuple[int, str]:
        return (int(shape.field(line, name)), "") if numeric else (0, shape.field(line, name))

    def meaning(lines: Lines) -> Lines:
        # Equal ones keep their order when the rest is sorted backwards, too.
        return sorted(sorted(lines), key=worth, reverse=down)

    order = Part(
        f"sort them by {name}{' as a number' * numeric}, {first}, and those with the same {name} by the whole line, ascending",
        meaning,
        (f"sort -t '{mark}' -k {place},{place}{flag}",),
        ("sort", f"sort -t'{mark}' -k{place}{flag},{place} -k1"),
        (f"sort -t '{mark}' -k {place},{place}" + "r" * down, "sort", f"sort {'-n ' * numeric}-r -t '{mark}' -k {place},{place}"),
    )
    if rng.chance(0.4):
        return [order]
    kept = sorted(rng.sample(range(1, 5), rng.integer(1, 2)))
    names = " and ".join(shape.fields[i - 1] for i in kept)
    listed = ",".join(map(str, kept))
    cut = Part(
        f"of each line keep only the {names}, in the order of the file and with {mark!r} between them",
        lambda lines: [mark.join(line.split(mark)[i - 1] for i in kept) for line in lines],
        (f"cut -d '{mark}' -f {listed}",),
        (f"cut -f{listed} -d{mark}",),
        (f"cut -d '{mark}' -f {'1' if listed != '1' else '2'}", f"cut -d '{mark}' -f {kept[0]}-"),
    )
    return [order, cut]


def _values(rng: Rng, shape: Layout) -> list[Part]:
    """The different values of a field."""
    name = rng.choice(("name", "team", "city", "amount"))
    place, down, numeric = shape.place(name), rng.chance(0.5), name == "amount"
    flag, first = "n" * numeric + "r" * down, "descending" if down else "ascending"
    return [
        Part(
            f"list the different values of {name}, each once, {'as numbers, ' * numeric}{first}",
            lambda lines: sorted({shape.field(line, name) for line in lines}, key=lambda v: (int(v) if numeric else 0, v), reverse=down),
            (f"cut -d '{shape.mark}' -f {place}", f"sort -u{flag}"),
            (f"cut -d '{shape.mark}' -f {place}", "sort", "uniq", f"sort -{flag}" if flag else "cat"),
            (f"cut -d '{shape.mark}' -f {place} | sort {f'-{flag}' if flag else ''}", f"cut -d '{shape.mark}' -f {place} | uniq"),
        )
    ]


def _tally_parts(rng: Rng, shape: Layout) -> list[Part]:
    """How often each value of a field is there."""
    name, down = rng.choice(("name", "team", "city")), rng.chance(0.7)
    cut = f"cut -d '{shape.mark}' -f {shape.place(name)}"

    def meaning(lines: Lines) -> Lines:
        counts = Counter(shape.field(line, name) for line in lines)
        return [
            f"{count} {value}" for value, count in sorted(counts.items(), key=lambda entry: (-entry[1] if down else entry[1], entry[0]))
        ]

    most = "most frequent first" if down else "rarest first"
    return [
        Part(
            f"for each value of {name}, print in how many lines it occurs, a space, and the value: {most}, equally frequent ones by the value, ascending",
            meaning,
            (cut, "sort", "uniq -c", f"sort -k1,1n{'r' * down} -k2,2"),
            (cut, "sort", "uniq -c", "sed 's/^ *//'", "sort -t ' ' -k 2", f"sort -t ' ' -k 1,1n{'r' * down} -k 2"),
            (f"{cut} | uniq -c | sort -k1,1n{'r' * down} -k2,2", f"{cut} | sort | uniq -c"),
        )
    ]


def _keep_first_or_last(rng: Rng) -> Part:
    k = rng.integer(2, 5)
    kind = rng.choice(("first", "last", "after"))
    words = {
        "first": f"keep only the first {k} of these lines",
        "last": f"keep only the last {k} of these lines",
        "after": f"leave out the first {k - 1} of these lines" if k > 2 else "leave out the first of these lines",
    }[kind]
    commands = {
        "first": (f"head -n {k}", f"head -{k}"),
        "last": (f"tail -n {k}", f"tail -{k}"),
        "after": (f"tail -n +{k}", f"tail -n+{k}"),
    }[kind]
    meaning = {"first": lambda lines: lines[:k], "last": lambda lines: lines[-k:], "after": lambda lines: lines[k - 1 :]}[kind]
    wrong = {"first": f"tail -n {k}", "last": f"head -n {k}", "after": f"tail -n +{k - 1}"}[kind]
    return Part(words, meaning, commands[:1], commands[1:], (wrong, f"head -n {k + 1}"))


def _substitution_part(rng: Rng, shape: Layout) -> Part:
    letter, new = rng.choice("aeomnr"), rng.choice("_+@")
    parts = (
        Part(
            "print only how many lines there are now",
            lambda lines: [str(len(lines))],
            ("wc -l",),
            ("grep -c ''",),
            ("uniq", "sort -u | wc -l"),
        ),
        Part(
            "turn all letters into upper case",
            lambda lines: [line.upper() for line in lines],
            ("tr a-z A-Z",),
            ("tr 'a-z' 'A-Z'", "cat"),
            ("tr A-Z a-z",),
        ),
        Part(
            f"in each line replace the first {letter} by {new}",
            lambda lines: [line.replace(letter, new, 1) for line in lines],
            (f"sed 's/{letter}/{new}/'",),
            (f"sed s,{letter},{new},",),
            (f"sed 's/{letter}/{new}/g'", f"tr {letter} {new}"),
        ),
        Part(
            f"replace every {letter} by {new}",
            lambda lines: [line.replace(letter, new) for line in lines],
            (f"tr {letter} {new}",),
            (f"sed 's/{letter}/{new}/g'",),
            (f"sed 's/{letter}/{new}/'", f"tr -d {letter}"),
        ),
        Part(
            "remove all digits",
            lambda lines: ["".join(c for c in line if not c.isdecimal()) for line in lines],
            ("tr -d 0-9",),
            ("sed 's/[0-9]//g'",),
            ("sed 's/[0-9]//'", "tr -d 1-9"),
        ),
    )
    return rng.choice(parts)


def near(parts: Sequence[Part], file: str) -> list[str]:
    """Pipelines in which one part is taken for another, or is left out."""
    changed = [(i, wrong) for i, part in enumerate(parts) for wrong in (*part.near, "cat")]
    return [pipeline([*parts[:i], replace(parts[i], commands=(wrong,)), *parts[i + 1 :]], file) for i, wrong in changed]


def text(rng: Rng, shape: Layout, filters: Sequence[Part], count: int) -> Lines:
    """A file of which many lines meet the conditions, or all of them but one."""
    lines = []
    for _ in range(count):
        line, met = shape.line(rng), rng.choice((0, len(filters), len(filters) - 1))
        for _ in range(25):
            if sum(bool(part.meaning([line])) for part in filters) >= met:
                break
            line = shape.line(rng)
        lines.append(line)
    return lines
