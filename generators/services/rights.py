"""Users, groups within groups, folders within folders, and who may do what where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.records import Record

LEVELS = ("read", "write")
_NAMES = ("plans", "bills", "staff", "press", "tools", "notes", "maps", "tests", "talks", "forms", "keys", "lists")


class Rule(NamedTuple):
    """Says that a group's members may, or may not, do something in a folder and in all folders inside it."""

    group: str
    folder: str
    level: str  # "read" or "write"
    allow: bool


Access = frozenset[tuple[str, str]]  # folders and levels


def inside(parents: Mapping[str, Sequence[str]], start: Iterable[str]) -> dict[str, None]:
    """Groups and all groups that these are members of, however far up."""
    reached = dict.fromkeys(start)
    waiting = list(reached)
    while waiting:
        for parent in parents.get(waiting.pop(), ()):
            if parent not in reached:
                reached[parent] = None
                waiting.append(parent)
    return reached


def access(rules: Sequence[Rule], above: Mapping[str, str], groups: Iterable[str]) -> Access:
    """What members of these groups may do: what a rule allows in a folder or above it, unless one forbids it there or above.

    To write includes to read; who may not read may not write either.
    """
    mine = [rule for rule in rules if rule.group in groups]
    allowed, forbidden = set[tuple[str, str]](), set[tuple[str, str]]()
    for folder in above:
        path, current = [folder], folder
        while above[current]:
            current = above[current]
            path.append(current)
        for rule in mine:
            if rule.folder in path:
                if rule.allow:
                    allowed |= {(folder, level) for level in LEVELS[: LEVELS.index(rule.level) + 1]}
                else:
                    forbidden |= {(folder, level) for level in LEVELS[LEVELS.index(rule.level) :]}
    return frozenset(allowed - forbidden)


class Ticket(NamedTuple):
    code: str
    user: str
    folder: str
    level: str
    grant: bool  # else to be taken away


class House(NamedTuple):
    records: tuple[Record, ...]
    tickets: tuple[str, ...]


def membership_changes(
    rules: Sequence[Rule],
    above: Mapping[str, str],
    parents: Mapping[str, Sequence[str]],
    mine: Sequence[str],
    want: tuple[str, str],
    grant: bool,
) -> list[tuple[int, int, str]]:
    """The single changes of a user's own groups that bring what is wanted.

    Each is (how much else changes that is bad, how much else changes at all, group): for a grant, what else the user would get
    is bad; for a removal, what else the user would lose.
    """
    before = access(rules, above, inside(parents, mine))
    options = []
    for group in [name for name in parents if name not in mine] if grant else mine:
        after = access(rules, above, inside(parents, [*mine, group] if grant else [name for name in mine if name != group]))
        if (want in after) == grant:
            gained, lost = len(after - before - {want}), len(before - after - {want})
            options.append((gained, lost, group) if grant else (lost, gained, group))
    return sorted(options)


def house(rng: Rng, tickets: int, groups: int, folders: int, depth: int, denials: float) -> House:
    """A house in which each ticket has exactly one best change, or none, or nothing to be changed."""
    while True:
        names = codes(rng, groups, "G")
        parents: dict[str, tuple[str, ...]] = {}
        for place, name in enumerate(names):
            # Only groups drawn earlier can be above one, so that none is inside itself.
            parents[name] = tuple(rng.sample(names[:place], min(place, rng.integer(0, depth)))) if place else ()
        places = rng.sample(_NAMES, folders)
        above = {name: rng.choice(places[:place]) if place and rng.chance(0.7) else "" for place, name in enumerate(places)}
        rules = list(dict.fromkeys(_rule(rng, names, places, denials) for _ in range(2 * groups)))
        users = {code: rng.sample(names, rng.integer(1, 3)) for code in codes(rng, tickets + 2, "U")}
        # Every other ticket comes out differently for one who does not heed groups within groups, the others for one who does not heed denials.
        flat: dict[str, tuple[str, ...]] = dict.fromkeys(names, ())
        lenient = [rule._replace(allow=True) for rule in rules]
        slips = [(rules, flat), (lenient, parents)][:: -1 if rng.chance(0.5) else 1]
        drawn = [
            _ticket(rng, user, users[user], rules, above, parents, *slips[place % 2]) for place, user in enumerate(list(users)[:tickets])
        ]
        tickets_drawn = [ticket for ticket, _ in drawn if ticket]
        if len(tickets_drawn) == tickets and (sum(decided for _, decided in drawn) >= min(2, tickets) or rng.chance(0.1)):
            break
    ids = codes(rng, tickets, "T")
    people = zip(users.items(), full_names(rng, len(users)))
    records = [Record("user", code, {"name": name, "member of": tuple(sorted(mine))}) for (code, mine), name in people]
    records += [Record("group", name, {"member of": tuple(sorted(parents[name]))}) for name in names]
    records += [Record("folder", name, {"inside": above[name] or "nothing"}) for name in places]
    for code, rule in zip(codes(rng, len(rules), "R"), rules):
        shown = {
            "group": rule.group,
            "folder": rule.folder,
            "says": f"{rule.group} {'may' if rule.allow else 'MAY NOT'} {rule.level} {rule.folder}",
        }
        records.append(Record("rule", code, {**shown, "level": rule.level, "effect": "allow" if rule.allow else "deny"}))
    for code, ticket in zip(ids, tickets_drawn):
        must = f"must be able to {ticket.level}" if ticket.grant else f"must no longer be able to {ticket.level}"
        facts = {"user": ticket.user, "folder": ticket.folder, "level": ticket.level, "grant": "yes" if ticket.grant else "no"}
        records.append(Record("ticket", code, {**facts, "says": f"{code}: user {ticket.user} {must} the folder {ticket.folder}."}))
    return House(tuple(rng.shuffled(records)), tuple(ids))


def _ticket(
    rng: Rng,
    user: str,
    mine: Sequence[str],
    rules: Sequence[Rule],
    above: Mapping[str, str],
    parents: Mapping[str, Sequence[str]],
    misread_rules: Sequence[Rule],
    misread_parents: Mapping[str, Sequence[str]],
) -> tuple[Ticket | None, bool]:
    """A ticket of one user with one best change, seldom one that needs none or that none can bring; None where none is found.

    Where such a one is found, it is settled differently with the misread rules and parents, and the second value is True.
    """
    rare = rng.chance(0.13)
    plain: Ticket | None = None
    for _ in range(16):
        ticket = Ticket("", user, rng.choice(tuple(above)), rng.choice(LEVELS), rng.chance(0.65))
        settled = _resolve_group(ticket, mine, rules, above, parents)
        if settled and (settled in ("unchanged", "rejected")) == rare:
            if settled != _resolve_group(ticket, mine, misread_rules, above, misread_parents):
                return ticket, True
            plain = plain or ticket
    return plain, False


def _resolve_group(
    ticket: Ticket, mine: Sequence[str], rules: Sequence[Rule], above: Mapping[str, str], parents: Mapping[str, Sequence[str]]
) -> str:
    """The group that settles a ticket, "unchanged", "rejected", or nothing where several groups are best."""
    want = (ticket.folder, ticket.level)
    if (want in access(rules, above, inside(parents, mine))) == ticket.grant:
        return "unchanged"
    paths = membership_changes(rules, above, parents, mine, want, ticket.grant)
    if not paths:
        return "rejected"
    return paths[0][2] if len(paths) == 1 or paths[0][:2] < paths[1][:2] else ""


def _rule(rng: Rng, groups: Sequence[str], folders: Sequence[str], denials: float) -> Rule:
    return Rule(rng.choice(groups), rng.choice(folders), rng.choice(LEVELS), not rng.chance(denials))
