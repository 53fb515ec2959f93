"""A board of cards that wait for one another, a team, and the rules by which cards move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.worlds.catalogue import KINDS, MATERIALS

COLUMNS = ("todo", "doing", "review", "done")
ROLES = ("maker", "checker", "lead")


class Card(NamedTuple):
    code: str
    column: str
    assignee: str
    needs: tuple[str, ...]  # cards that must be done before this one may be begun


class Member(NamedTuple):
    code: str
    role: str
    away: bool


class Move(NamedTuple):
    card: str
    column: str
    by: str


class Rules(NamedTuple):
    """most: cards that may be in doing at once; own: nobody checks their own card; stand_in: whether a lead acts for who is away"""

    most: int
    own: bool
    stand_in: bool


def card(record: Record) -> Card:
    return Card(record.code, record.word("column"), record.word("assignee"), record.names("waits for"))


def member(record: Record) -> Member:
    return Member(record.code, record.word("role"), record.word("here") == "no")


def may(rules: Rules, card: Card, column: str, team: Sequence[Member]) -> list[str]:
    """Who may move a card to the next column: its assignee up to review, from there a checker or lead; nobody who is away."""
    present = [member for member in team if not member.away]
    if column == "done":
        return [member.code for member in present if member.role != "maker" and not (rules.own and member.code == card.assignee)]
    mine = [member.code for member in present if member.code == card.assignee]
    return mine or ([member.code for member in present if member.role == "lead"] if rules.stand_in else [])


def needed(cards: Mapping[str, Card], goals: Sequence[str]) -> list[str]:
    """The cards that must be done for the goals, each after those that it waits for."""
    order: dict[str, None] = {}

    def visit(code: str) -> None:
        for other in cards[code].needs:
            if other not in order and cards[other].column != "done":
                visit(other)
        order.setdefault(code)

    for goal in goals:
        if cards[goal].column != "done":
            visit(goal)
    return list(order)


def plan(rules: Rules, cards: Mapping[str, Card], team: Sequence[Member], goals: Sequence[str]) -> list[Move]:
    """Moves that bring the goals to done, one card after the other: those that are in doing or review first, as they stand in the way."""
    required = needed(cards, goals)
    # What is begun may be finished at any time, and makes room.
    order = sorted(required, key=lambda code: cards[code].column == "todo")
    return [
        Move(code, column, may(rules, cards[code], column, team)[0])
        for code in order
        for column in COLUMNS[COLUMNS.index(cards[code].column) + 1 :]
    ]


def broken(rules: Rules, cards: Mapping[str, Card], team: Sequence[Member], goals: Sequence[str], moves: Sequence[Move]) -> str:
    """What is wrong with the moves, or "": each must be allowed when it is made, and at the end the goals and only what they need are done."""
    now = {code: card.column for code, card in cards.items()}
    required = needed(cards, goals)
    for move in moves:
        card = cards[move.card]
        if move.card not in required:
            return "a card was moved that the goals do not need"
        if now[move.card] == "done" or move.column != COLUMNS[COLUMNS.index(now[move.card]) + 1]:
            return "a card was not moved to the very next column"
        if move.by not in may(rules, card, move.column, team):
            return "a card was moved by someone who may not"
        if move.column == "doing" and any(now[other] != "done" for other in card.needs):
            return "a card was begun before what it waits for was done"
        now[move.card] = move.column
        if list(now.values()).count("doing") > rules.most:
            return "too many cards were in doing at once"
    return "" if all(now[goal] == "done" for goal in goals) else "not all that was to be done is done"


class Board(NamedTuple):
    records: tuple[Record, ...]
    goals: tuple[str, ...]
    rules: Rules


def board(rng: Rng, cards: int, depth: int, goals: int, people: int, tangled: bool) -> Board:
    """A board on which the goals can be reached in several moves."""
    depth = min(depth, cards // 2)
    while True:
        ids, crew = codes(rng, cards, "C"), codes(rng, people, "M")
        roles = ["lead", "checker", "maker", *(rng.choice(ROLES[:2]) for _ in range(people - 3))]
        team = [Member(code, role, away=role != "lead" and rng.chance(0.3)) for code, role in zip(crew, roles)]
        layer = {code: rng.integer(0, depth) for code in ids}
        cards_made: dict[str, Card] = {}
        for code in sorted(ids, key=lambda code: layer[code]):
            below = [other for other in cards_made if layer[other] < layer[code]]
            needs = tuple(sorted(rng.sample(below, min(len(below), rng.integer(1, 3 if tangled else 2))))) if below else ()
            ready = all(cards_made[other].column == "done" for other in needs)
            column = rng.weighted(COLUMNS, (5, 2, 1, 2)) if ready else "todo"
            cards_made[code] = Card(code, column, rng.choice(crew), needs)
        doing = sum(card.column == "doing" for card in cards_made.values())
        rules = Rules(max(1, doing) + (not tangled and rng.chance(0.5)), rng.chance(0.7), stand_in=True)
        open_cards = [code for code in ids if cards_made[code].column == "todo" and layer[code] >= min(depth, 1)]
        if len(open_cards) < goals:
            continue
        required = sorted(rng.sample(open_cards, goals), key=lambda code: layer[code])
        able = all(may(rules, card, column, team) for card in cards_made.values() for column in COLUMNS[1:])
        if (
            able
            and not broken(rules, cards_made, team, required, plan(rules, cards_made, team, required))
            and len(needed(cards_made, required)) > min(depth, cards // 3)
        ):
            break
    titles = rng.sample([f"{material} {kind}" for material in MATERIALS for kind in KINDS], cards)
    records = []
    for title, card in zip(titles, cards_made.values()):
        facts: dict[str, Fact] = {"title": title, "column": card.column, "assignee": card.assignee, "waits for": card.needs}
        records.append(Record("card", card.code, facts))
    for name, who in zip(full_names(rng, people), team):
        records.append(Record("member", who.code, {"name": name, "role": who.role, "here": "no" if who.away else "yes"}))
    return Board(tuple(rng.shuffled(records)), tuple(required), rules)
