"""Small databases of two tables, parents and their children, in many settings."""

from __future__ import annotations

from dataclasses import dataclass

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

Cell = int | str | None
Record = tuple[Cell, ...]

NAMES = tuple(
    """Ada Bela Cleo Dara Egon Fay Gus Hana Ivo Jana Kai Lena Milo Nora Otis Pia Quin Rosa Sven Tara Ugo Vera Wim Xenia Yara Zeno Alma
    Boris Carla Dario Elsa Finn Greta Hugo Ines Jonas Kira Lars Mira Nils Olga Paul Rita Sam Tess Uma Viktor Wanda Yuri Zoe""".split()
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What the two tables are about. Every setting has the same shape, so that questions can be asked in any of them."""

    parents: str  # table
    parent: str  # one of them, in words
    group: str  # text column of the parents
    groups: tuple[str, ...]
    size: str  # integer column of the parents
    children: str  # table
    child: str
    link: str  # column of the children that holds a parent's id
    kind: str  # text column of the children
    kinds: tuple[str, ...]
    amount: str  # integer column of the children
    when: str  # integer column of the children

    @property
    def amount_words(self) -> str:
        """The amount in words, in the singular: the price, the number of pages."""
        return in_singular(self.amount)

    @property
    def amounts(self) -> str:
        """Amounts in words: price values."""
        return "values" if self.amount == "value" else f"{self.amount} values"

    @property
    def size_words(self) -> str:
        """The size in words, in the singular: the age, the number of years."""
        return in_singular(self.size)

    @property
    def their(self) -> str:
        """The possessive of one parent: a person's or a thing's."""
        return "its" if self.parent in ("field", "ship") else "their"


def integer_cell(cell: object) -> int:
    """A cell that holds an integer, typed as one."""
    assert isinstance(cell, int)
    return cell


def in_singular(column: str) -> str:
    """A column in words, as the subject of a verb in the singular: the price, the number of points."""
    return "value of born" if column == "born" else f"number of {column}" if column.endswith("s") else column


def article(noun: str) -> str:
    """A noun with its article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


SETTINGS = (
    Setting(
        "customers", "customer", "city", ("Oslo", "Lima", "Cairo", "Quito", "Hanoi"), "credit",
        "orders", "order", "customer_id", "item", ("lamp", "chair", "rug", "desk", "clock", "shelf"), "price", "day",
    ),
    Setting(
        "members", "member", "district", ("north", "south", "east", "west", "harbour"), "age",
        "loans", "loan", "member_id", "genre", ("crime", "poetry", "history", "travel", "drama", "comics"), "pages", "week",
    ),
    Setting(
        "doctors", "doctor", "ward", ("heart", "skin", "bone", "eye", "lung"), "years",
        "visits", "visit", "doctor_id", "reason", ("checkup", "fever", "injury", "rash", "cough", "vaccine"), "minutes", "day",
    ),
    Setting(
        "pupils", "pupil", "class", ("red", "blue", "green", "gold", "grey"), "height",
        "exams", "exam", "pupil_id", "subject", ("music", "maths", "latin", "sports", "art", "physics"), "points", "term",
    ),
    Setting(
        "fields", "field", "soil", ("clay", "sand", "loam", "chalk", "peat"), "area",
        "harvests", "harvest", "field_id", "crop", ("wheat", "rye", "oats", "maize", "beans", "flax"), "weight", "year",
    ),
    Setting(
        "ships", "ship", "flag", ("Malta", "Panama", "Norway", "Greece", "Japan"), "crew",
        "trips", "trip", "ship_id", "cargo", ("grain", "ore", "cars", "fruit", "timber", "salt"), "tons", "month",
    ),
    Setting(
        "artists", "artist", "country", ("Chile", "Kenya", "India", "Spain", "Tonga"), "born",
        "works", "work", "artist_id", "style", ("mosaic", "fresco", "print", "relief", "sketch", "mural"), "value", "room",
    ),
)  # fmt: skip


class Database(TaskData):
    """The rows of both tables: parents are (id, name, group, size), children (id, link, kind, amount, when)."""

    parents: tuple[Record, ...]
    children: tuple[Record, ...]


def schema(setting: Setting) -> tuple[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]]:
    """Both tables' names and column definitions."""
    s = setting
    parents = ("id INTEGER PRIMARY KEY", "name TEXT NOT NULL UNIQUE", f"{s.group} TEXT", f"{s.size} INTEGER NOT NULL")
    children = (
        "id INTEGER PRIMARY KEY",
        f"{s.link} INTEGER NOT NULL REFERENCES {s.parents}(id)",
        f"{s.kind} TEXT NOT NULL",
        f"{s.amount} INTEGER",
        f"{s.when} INTEGER NOT NULL",
    )
    return (s.parents, parents), (s.children, children)


def render_schema(setting: Setting) -> str:
    """The schema as CREATE TABLE statements."""
    return "\n".join(f"CREATE TABLE {name} ({', '.join(columns)});" for name, columns in schema(setting))


def render_rows(setting: Setting, database: Database) -> str:
    """Both tables with all their rows, as plain text."""
    blocks = []
    for (name, columns), rows in zip(schema(setting), (database.parents, database.children), strict=True):
        lines = [f"{name}: {' | '.join(column.split()[0] for column in columns)}"]
        lines += [" | ".join("NULL" if cell is None else str(cell) for cell in row) for row in rows]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def database(rng: Rng, setting: Setting, parents: int, children: int, unknown: int) -> Database:
    """Random rows. About `unknown` percent of the parents' groups and the children's amounts are NULL.

    Some parents have no children, amounts and groups repeat, so that ties, gaps and joins all matter.
    """
    names = rng.sample(NAMES, parents)
    groups, kinds = setting.groups[:4], setting.kinds[:5]
    people: list[Record] = [
        (i + 1, name, None if rng.integer(1, 100) <= unknown else rng.choice(groups), rng.integer(1, 9) * 5) for i, name in enumerate(names)
    ]
    lonely = {rng.integer(1, parents) for _ in range(1 + parents // 5)}
    busy = [i for i in range(1, parents + 1) if i not in lonely] or [1]
    rows: list[Record] = []
    for i in range(children):
        amount = None if rng.integer(1, 100) <= unknown else rng.integer(1, 20) * 10
        rows.append((i + 1, rng.choice(busy), rng.choice(kinds), amount, rng.integer(1, 12)))
    return Database(parents=tuple(people), children=tuple(rows))
