"""The web shop: customers, orders, shipments and refunds. Amounts are texts in euros, such as 120.50."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.generators.company.operations import CODE, PAGE, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk


class SearchCustomers(Listing):
    """Finds customers whose name or e-mail contains all the words. 5 per page."""

    system, table, shows, searched = "shop", "customers", ("name", "email"), ("name", "email")
    words: str = WORDS
    page: int = PAGE


class GetCustomer(Show):
    """Reads a customer."""

    system, table = "shop", "customers"
    customer: str = CODE


class ListOrders(Listing):
    """Lists the orders of a customer. 5 per page."""

    system, table, by, shows = "shop", "orders", ("customer",), ("date", "status")
    customer: str = CODE
    page: int = PAGE


class GetOrder(Show):
    """Reads an order: the product, the units, and what was paid in all, delivery included."""

    system, table = "shop", "orders"
    order: str = CODE


class ListShipments(Listing):
    """Lists the shipments of an order and the parcels that came back. 5 per page."""

    system, table, by, shows = "shop", "shipments", ("order",), ("kind", "units", "date")
    order: str = CODE
    page: int = PAGE


class GetProduct(Show):
    """Reads a product."""

    system, table = "shop", "products"
    product: str = CODE


class ListRefunds(Listing):
    """Lists the refunds of an order. 5 per page."""

    system, table, by, shows = "shop", "refunds", ("order",), ("amount", "date")
    order: str = CODE
    page: int = PAGE


class CreateRefund(Write):
    """Refunds an amount of an order to the customer. The service does not check what was refunded before."""

    system, right = "shop", "shop.write"
    order: str = CODE
    amount: str = Field(pattern=r"^\d{1,7}\.\d\d$")

    def run(self, desk: Desk) -> object:
        desk.get("orders", self.order)
        return desk.add("refunds", "R", {"order": self.order, "amount": self.amount, "date": desk.today})


class SetOrderStatus(Write):
    """Sets the status of an order."""

    system, right = "shop", "shop.write"
    order: str = CODE
    status: Literal["open", "delivered", "refused", "closed"]

    def run(self, desk: Desk) -> object:
        return desk.write("orders", self.order, status=self.status)


class SetCustomerState(Write):
    """Sets the state of a customer: an erased one keeps only the code, a restricted one is kept for the books alone."""

    system, right = "shop", "shop.write"
    customer: str = CODE
    state: Literal["active", "restricted", "erased"]

    def run(self, desk: Desk) -> object:
        fields = {"name": "", "email": "", "city": ""} if self.state == "erased" else {}
        return desk.write("customers", self.customer, state=self.state, **fields)


class DeleteOrder(Write):
    """Deletes an order. The service does not check whether the books still need it."""

    system, right = "shop", "shop.write"
    order: str = CODE

    def run(self, desk: Desk) -> object:
        return desk.delete("orders", self.order)


CUSTOMERS = (SearchCustomers, GetCustomer, ListOrders, GetOrder)
REFUNDS = (ListShipments, GetProduct, ListRefunds, CreateRefund, SetOrderStatus)
ERASURE = (SetCustomerState, DeleteOrder)
