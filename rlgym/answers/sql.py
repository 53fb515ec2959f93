"""One SQL query."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import PROGRAM
from rlgym.core.layout.layers import Layers

_FENCED = re.compile(r"```(?:sql|sqlite)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Sql(Answer[str]):
    """One query that opens with SELECT or WITH, of at most 4,000 characters, with or without a closing semicolon.

    This format checks only its beginning; the verifier runs it read-only.
    """

    instructions: str = "one SQLite query"
    max_characters: int = 4000
    layers: ClassVar[Layers] = PROGRAM
    format: ClassVar[str] = "sql"

    def parse(self, text: str) -> str:
        plain = text.strip()
        if len(plain) > self.max_characters:
            raise Unreadable(f"expected a query of at most {self.max_characters} characters, got {len(plain)}")
        if fenced := _FENCED.fullmatch(plain):
            plain = fenced[1].strip()
        plain = plain.rstrip(";").rstrip()
        if plain[:6].lower() != "select" and plain[:4].lower() != "with":
            raise Unreadable(f"expected a query that opens with SELECT or WITH, got {text.strip()[:40]!r}")
        return plain

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield from (
            f"{value};",
            f"\n{value} ;\n",
            f"```sql\n{value}\n```",
            value.replace("SELECT", "select", 1),
            value.replace(" FROM ", "\nFROM "),
        )

    def near_misses(self, value: str) -> Iterator[str]:
        yield from (
            f"SELECT * FROM ({value}) LIMIT 0",
            f"SELECT 1, * FROM ({value})",
            f"SELECT * FROM ({value}) UNION ALL SELECT * FROM ({value})",
        )
