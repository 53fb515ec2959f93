"""The tools of a mobile operator's telephone: speech to callers, the account, changes of the line, and the end of a call."""

from collections.abc import Mapping

from pydantic import Field

from rlgym.answers import Tool, ToolCalls

CODE = Field(max_length=20)


class Say(Tool):
    """Says something to the caller with this code, in plain English, and gives the reply. At most three requests in one message."""

    call: str = CODE
    text: str = Field(max_length=4000)


class GetAccount(Tool):
    """Reads the account of the line from which a caller calls."""

    call: str = CODE


class ListOutages(Tool):
    """Lists the places that have an outage now."""


class LiftSuspension(Tool):
    """Lifts the suspension of a line."""

    call: str = CODE


class BookRoaming(Tool):
    """Books roaming for a line."""

    call: str = CODE


class TopUp(Tool):
    """Adds data for the rest of the month to a line."""

    call: str = CODE


class OrderSim(Tool):
    """Orders a new SIM card for a line; the old one stops working."""

    call: str = CODE


class Close(Tool):
    """Closes a call: the causes that were found, and whether the phone is online again."""

    call: str = CODE
    causes: tuple[str, ...] = Field(max_length=12)
    solved: bool


TOOLS = ToolCalls((Say, GetAccount, ListOutages, LiftSuspension, BookRoaming, TopUp, OrderSim, Close))
CHANGES: Mapping[type[Tool], str] = {LiftSuspension: "lift_suspension", BookRoaming: "book_roaming", TopUp: "top_up"}
