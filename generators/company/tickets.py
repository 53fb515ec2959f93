"""Tickets in queues, with comments and links."""

from __future__ import annotations

from typing import Literal

from rlgym.generators.company.operations import CODE, OFFSET, TEXT, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk


class ListTickets(Listing):
    """Lists the tickets of a queue in a status; `offset` counts tickets, 5 per call."""

    system, table, by, shows = "tickets", "tickets", ("queue", "status"), ("title", "priority", "assignee")
    queue: str = WORDS
    status: Literal["open", "waiting", "closed"]
    offset: int = OFFSET


class SearchTickets(Listing):
    """Finds tickets whose title or text contains all the words; comments are not searched. `offset` counts tickets, 5 per call."""

    system, table, shows, searched = "tickets", "tickets", ("title", "queue", "status"), ("title", "text")
    words: str = WORDS
    offset: int = OFFSET


class ListAssigned(Listing):
    """Lists the tickets that are assigned to a person, closed ones included; `offset` counts tickets, 5 per call."""

    system, table, by, shows = "tickets", "tickets", ("assignee",), ("title", "queue", "status")
    assignee: str = CODE
    offset: int = OFFSET


class GetTicket(Show):
    """Reads a ticket; its comments are listed by list_comments."""

    system, table = "tickets", "tickets"
    ticket: str = CODE


class ListComments(Listing):
    """Lists the comments on a ticket, oldest first; `offset` counts comments, 5 per call."""

    system, table, by, shows = "tickets", "comments", ("ticket",), ("author", "date", "text")
    ticket: str = CODE
    offset: int = OFFSET


class CreateTicket(Write):
    """Creates an open ticket."""

    system, right = "tickets", "tickets.write"
    title: str = WORDS
    queue: str = WORDS
    priority: Literal["low", "normal", "high"]
    assignee: str = CODE
    text: str = TEXT

    def run(self, desk: Desk) -> object:
        desk.get("people", self.assignee)
        row = {"title": self.title, "queue": self.queue, "status": "open", "priority": self.priority, "assignee": self.assignee}
        return desk.add("tickets", "T", row | {"reporter": desk.actor, "opened": desk.today, "links": [], "text": self.text})


class SetTicketStatus(Write):
    """Sets the status of a ticket."""

    system, right = "tickets", "tickets.write"
    ticket: str = CODE
    status: Literal["open", "waiting", "closed"]

    def run(self, desk: Desk) -> object:
        return desk.write("tickets", self.ticket, status=self.status)


class SetTicketPriority(Write):
    """Sets the priority of a ticket."""

    system, right = "tickets", "tickets.write"
    ticket: str = CODE
    priority: Literal["low", "normal", "high"]

    def run(self, desk: Desk) -> object:
        return desk.write("tickets", self.ticket, priority=self.priority)


class AssignTicket(Write):
    """Assigns a ticket to a person."""

    system, right = "tickets", "tickets.write"
    ticket: str = CODE
    assignee: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("people", self.assignee)
        return desk.write("tickets", self.ticket, assignee=self.assignee)


class LinkTicket(Write):
    """Adds a link from a ticket to another ticket; the other one is not changed."""

    system, right = "tickets", "tickets.write"
    ticket: str = CODE
    to: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("tickets", self.to)
        return desk.write("tickets", self.ticket, links=sorted({*desk.get("tickets", self.ticket)["links"], self.to}))


class CommentTicket(Write):
    """Adds a comment to a ticket. It cannot be taken back."""

    system, right = "tickets", "tickets.write"
    ticket: str = CODE
    text: str = TEXT

    def run(self, desk: Desk) -> object:
        desk.get("tickets", self.ticket)
        return desk.add("comments", "C", {"ticket": self.ticket, "author": desk.actor, "date": desk.today, "text": self.text})


TICKETS = (ListTickets, SearchTickets, ListAssigned, GetTicket, ListComments)
TICKETS_WRITE = (CreateTicket, SetTicketStatus, SetTicketPriority, AssignTicket, LinkTicket, CommentTicket)
