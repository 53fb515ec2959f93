"""The tools of a bank's telephone: speech to callers, clients, accounts and holds, and what is done about a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rlgym.answers import ToolCalls
from rlgym.generators.services.records import AMOUNT, CODE, FIRST_PAGE, TEXT, Browse, Change, Finish, Read
from rlgym.generators.users.desk import SayTo


class SayToCaller(SayTo):
    """Says something to the caller of a call, in plain English, and gives the reply. Ask for at most three things in one message."""

    grammar = "bank"
    questions: ClassVar[Mapping[str, str]] = {
        "birthday": "What is your date of birth?",
        "pet": "What is the name of your pet?",
        "street": "On which street did you grow up?",
        "school": "Which school did you attend?",
        "name": "What is your name?",
        "account": "Which account is it about?",
        "amount": "How much should it be?",
        "payee": "Who should get the money?",
        "phone": "What is your phone number?",
    }


class FindClients(Browse):
    """Lists the clients with exactly this name."""

    kind, by, shows = "client", ("name",), ("name",)
    name: str = TEXT
    page: int = FIRST_PAGE


class GetClient(Read):
    """Reads a client's record, with the secret answers to the questions that are to be asked, in their order."""

    kind = "client"
    code: str = CODE


class ListAccounts(Browse):
    """Lists the accounts of a client."""

    kind, by, shows = "account", ("client",), ("kind",)
    client: str = CODE
    page: int = FIRST_PAGE


class GetAccount(Read):
    """Reads an account; the sums are in coins, and holds are not yet deducted from the balance."""

    kind = "account"
    code: str = CODE


class ListHolds(Browse):
    """Lists the holds on an account, in coins."""

    kind, by, shows = "hold", ("account",), ("amount",)
    account: str = CODE
    page: int = FIRST_PAGE


class Transfer(Change):
    """Sends coins from an account, as the call asks."""

    touches = {"call": "call", "account": "account"}
    call: str = CODE
    account: str = CODE
    payee: str = TEXT
    amount: int = AMOUNT


class SetLimit(Change):
    """Sets the daily limit of an account, as the call asks."""

    touches = {"call": "call", "account": "account"}
    call: str = CODE
    account: str = CODE
    amount: int = AMOUNT


class UnblockCard(Change):
    """Unblocks the card of an account, as the call asks."""

    touches = {"call": "call", "account": "account"}
    call: str = CODE
    account: str = CODE


class SetPhone(Change):
    """Notes a client's new phone number, as the call asks."""

    touches = {"call": "call", "client": "client"}
    call: str = CODE
    client: str = CODE
    phone: str = TEXT


class Hold(Change):
    """Holds back what a call asks, for the fraud team to look at."""

    touches = {"call": "call"}
    call: str = CODE


class Refuse(Change):
    """Refuses what a call asks, by the rule with this number; 0 means that the caller was not identified."""

    touches = {"call": "call"}
    call: str = CODE
    rule: int


class LockClient(Change):
    """Locks a client for the rest of the day."""

    touches = {"client": "client"}
    client: str = CODE


TOOLS = ToolCalls(
    (
        *(SayToCaller, FindClients, GetClient, ListAccounts, GetAccount, ListHolds),
        *(Transfer, SetLimit, UnblockCard, SetPhone, Hold, Refuse, LockClient, Finish),
    )
)
