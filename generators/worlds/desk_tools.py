"""The tools of a shop's refund desk: look-ups of customers, orders and stock, and the decisions on an order."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.answers.tools import Tool, ToolCalls


class FindCustomer(Tool):
    """Lists the codes and towns of the customers with exactly this name."""

    name: str = Field(max_length=60)


class GetCustomer(Tool):
    """Reads a customer's record."""

    customer: str = Field(max_length=20)


class ListOrders(Tool):
    """Lists the orders of a customer: code, product and the day of ordering, five a page, in no chronological order."""

    customer: str = Field(max_length=20)
    page: int = Field(1, ge=1, le=1000)


class GetOrder(Tool):
    """Reads an order's record."""

    order: str = Field(max_length=20)


class CheckStock(Tool):
    """Says how many pieces of a product are in stock."""

    product: str = Field(max_length=60)


class Refund(Tool):
    """Decides on an order: pays this many coins back."""

    order: str = Field(max_length=20)
    amount: int = Field(ge=1, le=10**9)


class Exchange(Tool):
    """Decides on an order: sends a new piece of the same product."""

    order: str = Field(max_length=20)


class Refuse(Tool):
    """Decides on an order: pays nothing, for this reason."""

    order: str = Field(max_length=20)
    reason: Literal["not_delivered", "already_settled", "too_late", "clearance", "damaged"]


class Escalate(Tool):
    """Decides on an order: hands it to the manager."""

    order: str = Field(max_length=20)


class Finish(Tool):
    """Ends the work; what was decided is then judged."""


TOOLS = ToolCalls((FindCustomer, GetCustomer, ListOrders, GetOrder, CheckStock, Refund, Exchange, Refuse, Escalate, Finish))
