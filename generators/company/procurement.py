"""Purchasing: requests, cost centres, purchase orders and receipts of goods. Amounts are texts in euros, such as 120.50."""

from __future__ import annotations

from typing import Literal

from rlgym.generators.company.operations import CODE, PAGE, Listing, Show, Write
from rlgym.generators.company.world import Desk


class ListRequests(Listing):
    """Lists the purchase requests in a status. 5 per page."""

    system, table, by, shows = "purchasing", "requests", ("status",), ("title", "requester", "amount")
    status: Literal["new", "routed", "approved", "rejected"]
    page: int = PAGE


class ListRequestsOf(Listing):
    """Lists the purchase requests of a person, whatever their status. 5 per page."""

    system, table, by, shows = "purchasing", "requests", ("requester",), ("title", "vendor", "amount", "date", "status")
    requester: str = CODE
    page: int = PAGE


class GetRequest(Show):
    """Reads a purchase request."""

    system, table = "purchasing", "requests"
    request: str = CODE


class RouteRequest(Write):
    """Routes a purchase request to the person who must approve it."""

    system, right = "purchasing", "purchasing.write"
    request: str = CODE
    approver: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("people", self.approver)
        return desk.write("requests", self.request, status="routed", approver=self.approver)


class ApproveRequest(Write):
    """Approves a purchase request without a further approver."""

    system, right = "purchasing", "purchasing.write"
    request: str = CODE

    def run(self, desk: Desk) -> object:
        return desk.write("requests", self.request, status="approved")


class RejectRequest(Write):
    """Rejects a purchase request for a reason."""

    system, right = "purchasing", "purchasing.write"
    request: str = CODE
    reason: Literal["over_budget", "blocked_vendor", "duplicate", "no_quote"]

    def run(self, desk: Desk) -> object:
        return desk.write("requests", self.request, status="rejected", reason=self.reason)


class GetCostCentre(Show):
    """Reads a cost centre: its owner, its budget of the year, and what is spent of it."""

    system, table = "purchasing", "centres"
    centre: str = CODE


class GetPurchaseOrder(Show):
    """Reads a purchase order: net amount per unit, units, percent of tax."""

    system, table = "purchasing", "purchase_orders"
    order: str = CODE


class ListPurchaseOrders(Listing):
    """Lists the purchase orders to a vendor. 5 per page."""

    system, table, by, shows = "purchasing", "purchase_orders", ("vendor",), ("item", "date", "state")
    vendor: str = CODE
    page: int = PAGE


class ListReceipts(Listing):
    """Lists the receipts of goods for a purchase order; units sent back are negative. 5 per page."""

    system, table, by, shows = "purchasing", "receipts", ("order",), ("units", "date")
    order: str = CODE
    page: int = PAGE


class ReassignPurchaseOrder(Write):
    """Books a purchase order to another vendor."""

    system, right = "purchasing", "purchasing.write"
    order: str = CODE
    vendor: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("vendors", self.vendor)
        return desk.write("purchase_orders", self.order, vendor=self.vendor)


REQUESTS = (ListRequests, ListRequestsOf, GetRequest, RouteRequest, ApproveRequest, RejectRequest, GetCostCentre)
ORDERS = (GetPurchaseOrder, ListPurchaseOrders, ListReceipts)
