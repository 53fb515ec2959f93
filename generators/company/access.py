"""Accounts of people in the systems of a company."""

from __future__ import annotations

from typing import Literal

from rlgym.generators.company.operations import CODE, PAGE, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk


class ListAccounts(Listing):
    """Lists the accounts of a person, closed ones included. 5 per page."""

    system, table, by, shows = "access", "accounts", ("person",), ("application", "role", "state")
    person: str = CODE
    page: int = PAGE


class ListAccountsOf(Listing):
    """Lists all accounts in an application. 5 per page."""

    system, table, by, shows = "access", "accounts", ("application",), ("person", "role", "state")
    application: str = WORDS
    page: int = PAGE


class GetAccount(Show):
    """Reads an account."""

    system, table = "access", "accounts"
    account: str = CODE


class OpenAccount(Write):
    """Opens a personal account with a role in an application. Error 409 if the person has one there, even a closed one."""

    system, right = "access", "access.write"
    person: str = CODE
    application: str = WORDS
    role: Literal["reader", "editor", "admin"]

    def run(self, desk: Desk) -> object:
        desk.get("people", self.person)
        held = any(one["person"] == self.person and one["application"] == self.application for one in desk.rows("accounts").values())
        desk.require(not held, 409, "the person has an account there")
        row = {"person": self.person, "application": self.application, "role": self.role, "state": "active", "kind": "personal"}
        return desk.add("accounts", "A", row)


class SetAccountRole(Write):
    """Sets the role of an account."""

    system, right = "access", "access.write"
    account: str = CODE
    role: Literal["reader", "editor", "admin"]

    def run(self, desk: Desk) -> object:
        return desk.write("accounts", self.account, role=self.role)


class SetAccountState(Write):
    """Activates, suspends or closes an account."""

    system, right = "access", "access.write"
    account: str = CODE
    state: Literal["active", "suspended", "closed"]

    def run(self, desk: Desk) -> object:
        return desk.write("accounts", self.account, state=self.state)


class TransferAccount(Write):
    """Makes another person responsible for an account."""

    system, right = "access", "access.write"
    account: str = CODE
    person: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("people", self.person)
        return desk.write("accounts", self.account, person=self.person)


ACCESS = (ListAccounts, ListAccountsOf, GetAccount, OpenAccount, SetAccountRole, SetAccountState, TransferAccount)
