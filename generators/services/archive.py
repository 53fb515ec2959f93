"""Files of an office, and requests for them that leave something out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.users.desk import line
from rlgym.generators.users.matters import Matter
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS
from rlgym.generators.worlds.desk import TOWNS

SORTS = ("contract", "plan", "report", "invoice", "photo")
QUALITIES = ("subject", "town", "year", "state")
_SUBJECTS = ("bridge", "school", "harbour", "museum", "tower")
_STATES = ("draft", "final", "signed")


PATIENCE = 8


class Archive(NamedTuple):
    records: tuple[Record, ...]
    requests: tuple[str, ...]
    person: Person


def fitting(files: Sequence[Record], words: Mapping[str, Fact]) -> list[Record]:
    """The files that have every quality that the words name, and none that they rule out."""
    return [
        file
        for file in files
        if all(words[name] in ("", str(file.facts[name])) and words[f"not {name}"] != str(file.facts[name]) for name in QUALITIES)
    ]


def archive(rng: Rng, requests: int, files: int, vague: int, crossed: bool) -> Archive:
    """Files of all sorts, no two alike, and requests that leave out up to `vague` qualities; `crossed` requests say what is not meant."""
    spare, records, ids = codes(rng, len(SORTS) * files, "F"), list[Record](), codes(rng, requests, "Q")
    towns, subjects, years = rng.sample(TOWNS, 3), rng.sample(_SUBJECTS, 3), rng.sample(range(2004, 2024), 3)
    for sort in SORTS:
        file_keys: dict[tuple[str, str, int, str], None] = {}
        base = (rng.choice(subjects), rng.choice(towns), rng.choice(years), rng.choice(_STATES))
        while len(file_keys) < files:
            # Files that differ in one or two qualities from others of their sort leave the more to ask.
            fresh = (rng.choice(subjects), rng.choice(towns), rng.choice(years), rng.choice(_STATES))
            kept = [rng.chance(0.6) for _ in QUALITIES]
            variant = tuple(old if keep else new for old, new, keep in zip(base, fresh, kept))
            file_keys[variant] = None  # type: ignore[index]
        records += [_file(spare.pop(), sort, file_key) for file_key in file_keys]
    everything, persona, matters = tuple(records), rng.choice(PERSONAS), list[Matter]()
    for code in ids:
        unclear = rng.chance(0.75)
        for _ in range(60):
            drawn = _request(rng, code, rng.choice(everything), vague, crossed)
            of_sort = [file for file in everything if file.facts["sort"] == drawn[0].facts["sort"]]
            if (len(fitting(of_sort, drawn[0].facts)) > 1) == unclear:
                break
        records += drawn
        matters.append(Matter(matter(code), (code.lower(),)))
    asked = [f"{name} {matter(code)}" for code in ids for name in QUALITIES]
    forgets = tuple(rng.sample(asked, rng.integer(1, 4) if persona == "forgetful" else int(rng.chance(0.3))))
    return Archive(
        tuple(rng.shuffled(records)), tuple(ids), Person("", "your colleague", persona, "archive", PATIENCE, forgets, (), tuple(matters))
    )


def matter(request: str) -> str:
    """The key of what a request is about, as lines of the colleague name it."""
    return f"request {request}".lower()


def _file(code: str, sort: str, file_key: tuple[str, str, int, str]) -> Record:
    subject, town, year, state = file_key
    return Record("file", code, {"sort": sort, "subject": subject, "town": town, "year": year, "state": state})


def _request(rng: Rng, code: str, meant: Record, vague: int, crossed: bool) -> list[Record]:
    left_out = rng.sample(QUALITIES, rng.integer(1, vague))
    lost = rng.choice(QUALITIES) if rng.chance(0.1) else ""  # such a file is not there, or not in this state
    truth: dict[str, Fact] = {name: meant.facts[name] for name in QUALITIES}
    if lost:
        nowhere: dict[str, Fact] = {"subject": "mill", "town": "Quorn", "year": 1999, "state": "withdrawn"}
        truth[lost] = nowhere[lost]
    words: dict[str, Fact] = {name: "" if name in left_out else str(truth[name]) for name in QUALITIES}
    wrong: dict[str, Fact] = {f"not {name}": "" for name in QUALITIES}
    if crossed:
        name = rng.choice(left_out)
        others = {"subject": _SUBJECTS, "town": TOWNS, "year": tuple(range(2004, 2024)), "state": _STATES}[name]
        wrong[f"not {name}"] = str(rng.choice([other for other in others if other != truth[name]]))
    verb, sort = rng.choice(("send", "delete")), meant.word("sort")
    templates = {"subject": "about the {}", "town": "for {}", "year": "from {}", "state": "in the state {}"}
    parts = [templates[name].format(words[name]) for name in QUALITIES if words[name]]
    parts += [f"but not the one {templates[name].format(wrong[f'not {name}'])}" for name in QUALITIES if wrong[f"not {name}"]]
    asks = rng.choice(("Send me", "I need")) if verb == "send" else rng.choice(("Delete", "Throw away"))
    text = f"{asks} the {sort} {' '.join(parts)}".strip() + "."
    text = (
        rng.choice(("", "", "Hello! ", "Good morning. "))
        + text
        + rng.choice(("", "", " Thank you.", " Thanks!", " It is for this afternoon."))
    )
    answers = [
        line("", f"{name} {matter(code)}", f"I mean the one {templates[name].format(truth[name])}.", **{name: truth[name]})
        for name in QUALITIES
    ]
    return [Record("request", code, {"verb": verb, "sort": sort, **words, **wrong, "says": f"{code}: {text}"}), *answers]
