"""A fast index of all environments, read from their source files without importing them."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from rlgym.registry import Location, locations

_DOCSTRING = re.compile(r'\s*r?"""(.*?)"""', re.DOTALL)
_DECLARATION = re.compile(r"^environment = (Environment|Game|Match)\(", re.MULTILINE)
_NEEDS = re.compile(r"^    (?:.*, )?(?:needs|programs)=\(([^()]*)\)", re.MULTILINE)  # searched from the declaration on


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One environment. `needs` are the packages and programs that it requires in addition to the core installation."""

    name: str
    domain: str
    kind: str
    needs: tuple[str, ...]
    description: str

    def matches(self, words: list[str]) -> bool:
        """Whether every word occurs in the name, the domain, the kind or the description, in any case."""
        text = f"{self.name} {self.name.replace('_', ' ')} {self.domain} {self.kind} {self.description}".lower()
        return all(word.lower() in text for word in words)

    def to_dict(self) -> dict[str, Any]:
        """The entry as JSON-able data."""
        return asdict(self) | {"needs": list(self.needs)}


def environment_index(domain: str | None = None) -> list[IndexEntry]:
    """The environments of one domain, or all, sorted by domain and name. Raises UnknownName for an unknown domain."""
    from rlgym.registry import names

    chosen = set(names(domain))
    entries = [_read_entry(location) for name, location in locations().items() if name in chosen]
    return sorted(entries, key=lambda entry: (entry.domain, entry.name))


def _read_entry(location: Location) -> IndexEntry:
    with open(location.file, encoding="utf-8") as file:
        source = file.read()
    docstring, declaration = _DOCSTRING.match(source), _DECLARATION.search(source)
    if docstring is None or declaration is None:
        return _import_entry(location)
    needs = tuple(name for listed in _NEEDS.findall(source, declaration.start()) for name in re.findall(r"[\w.-]+", listed))
    return IndexEntry(location.name, location.domain, declaration[1].lower(), needs, _first_line(docstring[1]))


def _import_entry(location: Location) -> IndexEntry:
    """The entry of a file in an unusual form, as a plug-in may have it."""
    from rlgym.registry import environment, spec

    facts = spec(location.name)
    declared = environment(location.name)
    needs = (*getattr(declared, "needs", ()), *getattr(declared, "programs", ()))
    return IndexEntry(location.name, location.domain, facts["kind"], needs, _first_line(facts["doc"]))


def _first_line(docstring: str) -> str:
    return docstring.strip().partition("\n")[0]
