"""A generated company: people, vendors, customers and the records of all systems, and a builder that a family of work plants its cases with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.answers import Tool
from rlgym.core.config import knob
from rlgym.core.rng import Rng
from rlgym.generators.company.eyes import ALL
from rlgym.generators.company.operations import Listing, Show
from rlgym.generators.company.state import Arrival, Work, WorkKnobs
from rlgym.generators.company.versions import TITLE, all_replaced, change_page, refusal, successors, tool_name
from rlgym.generators.company.world import Row, Tables, add_days, weekday
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.worlds.desk import SURNAMES, TOWNS

DEPARTMENTS = ("Finance", "Sales", "Support", "Logistics", "Research", "Legal")
TITLES = ("analyst", "specialist", "engineer", "coordinator", "planner")
_FIRMS = (
    "Arden",
    "Birch",
    "Calder",
    "Dunmore",
    "Elgin",
    "Fenwick",
    "Garrow",
    "Hadley",
    "Irving",
    "Jarrow",
    "Kelso",
    "Lorne",
    "Marlow",
    "Norham",
)
_LINES = ("Metals", "Paper", "Logistics", "Optics", "Textiles", "Software", "Chemicals", "Tools")
_COMPANY = ("Harlow", "Brenton", "Quillan", "Tessaly", "Ostrava", "Meridian", "Corvin", "Laurel")
PAGES = (
    "Parking",
    "Travel booking",
    "Office plants",
    "Meeting etiquette",
    "Badge replacement",
    "Printer setup",
    "Holiday calendar",
    "Canteen",
)


class CompanyKnobs(WorkKnobs):
    """Knobs of the families of work in a company."""

    clauses: int = knob(3, easy=0, hard=6, doc="rules besides the basic ones, where the family has so many")
    outdated_pages: int = knob(
        1, easy=0, hard=2, doc="outdated pages beside the page of the rules; with none the briefing states the rules"
    )
    replaced_tools: int = knob(1, easy=0, hard=4, doc="tools that are listed in two versions, of which one works")


class Company:
    """The tables of a company while they are filled. A code says nothing about its record."""

    def __init__(self, rng: Rng, people: int, reader: str = "", migrated: bool = False) -> None:
        """migrated: all tools have been replaced by their second versions, and rules are amended where else their page is replaced."""
        self.rng, self.migrated = rng, migrated
        self.name = rng.choice(_COMPANY)
        self.tables: Tables = {}
        self._codes: set[str] = set()
        self.today = add_days("2025-01-06", 7 * rng.integer(0, 100) + rng.integer(0, 4))
        self._names = rng.sample([(first, last) for first in PEOPLE for last in SURNAMES], people + 30)
        self.departments = rng.sample(DEPARTMENTS, 4)
        self.sites = rng.sample(TOWNS, 2)
        self.heads: dict[str, str] = {}
        chief = self.person("Board", "chief executive", "")
        for department in self.departments:
            self.heads[department] = self.person(department, f"head of {department.lower()}", chief)
        self.staff = [self.hire() for _ in range(max(2, people - 5))]
        self.actor = reader or self.hire()

    def code(self, prefix: str) -> str:
        while True:
            code = f"{prefix}-{self.rng.integer(1000, 9999)}"
            if code not in self._codes:
                self._codes.add(code)
                return code

    def add(self, table: str, prefix: str, **row: Any) -> str:
        code = self.code(prefix)
        self.tables.setdefault(table, {})[code] = row
        return code

    def row(self, table: str, code: str) -> Row:
        return self.tables[table][code]

    def full_name(self) -> str:
        if not self._names:
            taken = {row["name"] for row in self.tables["people"].values()} | {
                row["name"] for row in self.tables.get("customers", {}).values()
            }
            pairs = [(first, last) for first in PEOPLE for last in SURNAMES if f"{first} {last}" not in taken]
            self._names = self.rng.sample(pairs, 40)
        first, last = self._names.pop()
        return f"{first} {last}"

    def person(self, department: str, title: str, manager: str, **fields: Any) -> str:
        name = self.full_name()
        row: Row = {"name": name, "email": f"{name.lower().replace(' ', '.')}@{self.name.lower()}.example", "title": title}
        row |= {"department": department, "site": self.rng.choice(self.sites), "manager": manager, "status": "active"}
        return self.add("people", "P", **(row | fields))

    def hire(self, **fields: Any) -> str:
        department = self.rng.choice(self.departments)
        return self.person(department, self.rng.choice(TITLES), self.heads[department], **fields)

    def email(self, person: str) -> str:
        return str(self.row("people", person)["email"])

    def full(self, person: str) -> str:
        return str(self.row("people", person)["name"])

    def others(self, *without: str) -> list[str]:
        return [person for person in self.staff if person not in without]

    def day(self, earliest: int, latest: int) -> str:
        """A date so many days before or after today, both ends included."""
        return add_days(self.today, self.rng.integer(earliest, latest))

    def working_day(self, days: int) -> str:
        day = add_days(self.today, days)
        return add_days(day, max(0, 7 - weekday(day))) if weekday(day) > 4 else day

    def mail(self, sender: str, subject: str, body: str, days: int = 0) -> str:
        row = self.mail_row(sender, subject, body, days)
        return self.add("mails", "M", **row)

    def mail_row(self, sender: str, subject: str, body: str, days: int = 0) -> Row:
        row = {"folder": "inbox", "sender": sender, "to": self.email(self.actor), "subject": subject, "date": add_days(self.today, -days)}
        return row | {"body": body}

    def plant_mails(self, mails: Sequence[Row], late: bool) -> list[Arrival]:
        """Puts mails into the inbox; one of them comes while one works, if wanted."""
        rows = self.rng.shuffled(mails)
        written = [self.arrival("mail", "mails", self.code("M"), rows.pop())] if late else []
        for row in rows:
            self.add("mails", "M", **row)
        return written

    def page(self, title: str, text: str, status: str = "current", days: int = 30) -> str:
        return self.add("pages", "W", title=title, space="Policies", status=status, revised=add_days(self.today, -days), text=text)

    def firm(self) -> str:
        """The name of a firm that no other vendor has."""
        taken = {row["name"] for row in self.tables.get("vendors", {}).values()}
        free = [f"{first} {line}" for first in _FIRMS for line in _LINES if f"{first} {line}" not in taken]
        return self.rng.choice(free)

    def vendor(self, name: str = "", **fields: Any) -> str:
        name = name or self.firm()
        row: Row = {"name": name, "email": f"billing@{name.lower().replace(' ', '-')}.example", "tax_number": self.tax_number()}
        row |= {"iban": self.iban(), "iban_verified": self.day(-700, -60), "status": "active"}
        return self.add("vendors", "V", **(row | fields))

    def tax_number(self) -> str:
        return f"TX{self.rng.integer(10_000_000, 99_999_999)}"

    def iban(self) -> str:
        return f"XB{self.rng.integer(10, 99)}{self.rng.integer(10**7, 10**8 - 1)}"

    def fill_mail(self, count: int) -> None:
        topics = (
            "Lunch on Friday",
            "Parking spaces",
            "New coffee machine",
            "Fire drill",
            "Newsletter",
            "Summer party",
            "Lost umbrella",
            "Desk move",
        )
        for _ in range(count):
            sender = self.email(self.rng.choice(self.staff))
            self.mail(sender, self.rng.choice(topics), "For your information; nothing to do.", self.rng.integer(1, 20))

    def fill_pages(self, count: int) -> None:
        for title in self.rng.sample(PAGES, min(count, len(PAGES))):
            self.page(title, f"How {title.lower()} works at {self.name}. Ask {self.full(self.rng.choice(self.staff))}.", "current", 90)

    def work(self, knobs: CompanyKnobs, briefing: str, facts: Mapping[str, str], rules: Sequence[str], rights: Sequence[str]) -> Work:
        """The first state, without its call budget. Tables are put in a random order, so that the order of planting says nothing."""
        base = {table: dict(self.rng.shuffled(list(rows.items()))) for table, rows in self.tables.items()}
        return Work(
            briefing=briefing,
            base=base,
            facts={**facts, "api": ALL} if self.migrated else dict(facts),
            rules=tuple(rules),
            rights=tuple(rights),
            actor=self.actor,
            today=self.today,
            calls_per_turn=knobs.calls_per_turn,
        )

    def disturbed(self, state: Work, tools: tuple[type[Tool], ...], knobs: CompanyKnobs, *written: Arrival) -> Work:
        """The first state with what others write while one works, tools that are replaced, and tools that fail at their first call."""
        replaceable = [] if self.migrated else list(successors(tools))
        drawn = self.rng.sample(replaceable, min(knobs.replaced_tools, len(replaceable)))
        versions = {tool_name(tool): self._day_of_replacement(place) for place, tool in enumerate(drawn)}
        update: dict[str, Any] = {"arrivals": written, "versions": versions}
        if drawn:
            row: Row = {"title": TITLE, "space": "Tools", "status": "current", "revised": self.day(-90, -60), "text": change_page(versions)}
            update["base"] = {**state.base, "pages": {**state.base.get("pages", {}), self.code("W"): row}}
            update["facts"] = {**state.facts, "api": TITLE}
        in_force = all_replaced(tools) if self.migrated else versions
        looks = [tool for tool in tools if issubclass(tool, Show | Listing) and not refusal(in_force, tool, tools, state.today)]
        outages = self.rng.sample([tool.__name__ for tool in looks], min(knobs.outages, len(looks)))
        return state.model_copy(update={**update, "outages": tuple(outages)})

    def _day_of_replacement(self, place: int) -> str:
        """The first tool has been replaced by now; of the others each second one will be."""
        return self.day(-50, -1) if place == 0 or self.rng.chance(0.5) else self.day(1, 50)

    def arrival(self, system: str, table: str, code: str, row: Row) -> Arrival:
        """Somebody writes a row early in the work."""
        return Arrival(self.rng.integer(2, 8), system, code, {table: {code: row}})
