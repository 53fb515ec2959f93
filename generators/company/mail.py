"""The mailbox that one works in."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.generators.company.operations import CODE, PAGE, TEXT, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk


class ListMail(Listing):
    """Lists the mails of a folder, the latest first. 5 per page."""

    system, table, by, shows, newest = "mail", "mails", ("folder",), ("sender", "subject", "date"), "date"
    folder: Literal["inbox", "archive", "sent"]
    page: int = PAGE


class SearchMail(Listing):
    """Finds mails of all folders whose sender, subject or body contains all the words, the latest first. 5 per page."""

    system, table, newest = "mail", "mails", "date"
    shows, searched = ("folder", "sender", "subject", "date"), ("sender", "subject", "body")
    words: str = WORDS
    page: int = PAGE


class ReadMail(Show):
    """Reads a mail."""

    system, table = "mail", "mails"
    mail: str = CODE


class SendMail(Write):
    """Sends a mail to one e-mail address. It cannot be taken back."""

    system = "mail"
    to: str = WORDS
    subject: str = WORDS
    body: str = TEXT

    def run(self, desk: Desk) -> object:
        desk.require("@" in self.to, 400, "the recipient is not an e-mail address")
        row = {
            "folder": "sent",
            "sender": desk.actor,
            "to": self.to.lower(),
            "subject": self.subject,
            "date": desk.today,
            "body": self.body,
        }
        return {"id": desk.add("mails", "M", row)["id"], "sent": True}


class ForwardMail(Write):
    """Forwards a mail to an e-mail address. It cannot be taken back."""

    system = "mail"
    mail: str = CODE
    to: str = WORDS

    def run(self, desk: Desk) -> object:
        mail = desk.get("mails", self.mail)
        desk.require("@" in self.to, 400, "the recipient is not an e-mail address")
        row = {"folder": "sent", "sender": desk.actor, "to": self.to.lower(), "subject": mail["subject"], "date": desk.today}
        return {"id": desk.add("mails", "M", row | {"body": f"Forwarded: {self.mail}"})["id"], "sent": True}


class MoveMail(Write):
    """Moves mails to a folder, up to 5 at a time."""

    system = "mail"
    mails: list[str] = Field(min_length=1, max_length=5)
    folder: Literal["inbox", "archive"]

    def run(self, desk: Desk) -> object:
        return [desk.write("mails", mail, folder=self.folder)["id"] for mail in self.mails]


MAIL = (ListMail, SearchMail, ReadMail, SendMail, ForwardMail, MoveMail)
