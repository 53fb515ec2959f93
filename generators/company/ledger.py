"""The ledger: vendors, their invoices, payments, and entries in accounts and periods. Amounts are integer cents."""

from __future__ import annotations

from typing import Literal

from rlgym.generators.company.operations import CENTS, CODE, CURSOR, PAGE, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk


class SearchVendors(Listing):
    """Finds vendors whose name or tax number contains all the words. 5 per page."""

    system, table, shows, searched = "ledger", "vendors", ("name", "status"), ("name", "tax_number")
    words: str = WORDS
    page: int = PAGE


class GetVendor(Show):
    """Reads a vendor."""

    system, table = "ledger", "vendors"
    vendor: str = CODE


class SetVendorStatus(Write):
    """Sets the status of a vendor. A blocked vendor is not paid."""

    system, right = "ledger", "ledger.write"
    vendor: str = CODE
    status: Literal["active", "blocked"]

    def run(self, desk: Desk) -> object:
        return desk.write("vendors", self.vendor, status=self.status)


class SetBankAccount(Write):
    """Sets the bank account of a vendor."""

    system, right = "ledger", "ledger.write"
    vendor: str = CODE
    iban: str = WORDS

    def run(self, desk: Desk) -> object:
        return desk.write("vendors", self.vendor, iban=self.iban)


class ListInvoices(Listing):
    """Lists the invoices of a vendor, all of them or those in a status, 5 per call; `cursor` is what the call before gave as `next`."""

    system, table, by, shows = "ledger", "invoices", ("vendor", "status"), ("number", "order", "amount_cents", "status")
    vendor: str = CODE
    status: Literal["", "open", "approved", "held", "disputed", "paid", "rejected"] = ""
    cursor: str = CURSOR


class GetInvoice(Show):
    """Reads an invoice. amount_cents is the gross amount."""

    system, table = "ledger", "invoices"
    invoice: str = CODE


class SetInvoiceStatus(Write):
    """Sets the status of an invoice, and the cents of it that may be paid: all of them, or fewer. Error 409 for a paid invoice."""

    system, right = "ledger", "ledger.write"
    invoice: str = CODE
    status: Literal["approved", "held", "disputed", "rejected"]
    payable_cents: int = CENTS

    def run(self, desk: Desk) -> object:
        row = desk.get("invoices", self.invoice)
        desk.require(row["status"] != "paid", 409, "the invoice is paid")
        desk.require(0 <= self.payable_cents <= row["amount_cents"], 400, "payable_cents must be from 0 to the amount")
        return desk.write("invoices", self.invoice, status=self.status, payable_cents=self.payable_cents)


class ReassignInvoice(Write):
    """Books an invoice to another vendor. Error 409 for a paid invoice."""

    system, right = "ledger", "ledger.write"
    invoice: str = CODE
    vendor: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("vendors", self.vendor)
        desk.require(desk.get("invoices", self.invoice)["status"] != "paid", 409, "the invoice is paid")
        return desk.write("invoices", self.invoice, vendor=self.vendor)


class ListPayments(Listing):
    """Lists the payments of an invoice, returned ones included. 5 per page."""

    system, table, by, shows = "ledger", "payments", ("invoice",), ("amount_cents", "date", "state")
    invoice: str = CODE
    page: int = PAGE


class ListEntries(Listing):
    """Lists the entries of an account in a period such as 2026-Q1, 5 per call; `cursor` is what the call before gave as `next`."""

    system, table, by, shows = "ledger", "entries", ("account", "period"), ("date", "amount_cents", "reference", "status")
    account: str = CODE
    period: str = WORDS
    cursor: str = CURSOR


class FindEntries(Listing):
    """Finds the entries with exactly this reference in all accounts and periods. 5 per page."""

    system, table, by, shows = "ledger", "entries", ("reference",), ("account", "period", "date", "amount_cents", "status")
    reference: str = CODE
    page: int = PAGE


class GetEntry(Show):
    """Reads an entry."""

    system, table = "ledger", "entries"
    entry: str = CODE


class ListBankLines(Listing):
    """Lists the lines of a bank statement by the number of the statement, 5 per call; `cursor` is what the call before gave as `next`."""

    system, table, by, shows = "ledger", "bank_lines", ("statement",), ("date", "amount_cents", "reference", "text")
    statement: str = CODE
    cursor: str = CURSOR


class GetPeriod(Show):
    """Reads whether a period such as 2026-Q1 is open."""

    system, table = "ledger", "periods"
    period: str = WORDS


class PostEntry(Write):
    """Posts an entry of so many cents (negative for a credit) to an account in a period. Error 409 if the period is closed."""

    system, right = "ledger", "ledger.write"
    account: str = CODE
    period: str = WORDS
    amount_cents: int = CENTS
    reference: str = CODE

    def run(self, desk: Desk) -> object:
        desk.require(desk.get("periods", self.period)["state"] == "open", 409, "the period is closed")
        row = {"account": self.account, "period": self.period, "date": desk.today, "amount_cents": self.amount_cents}
        return desk.add("entries", "B", row | {"reference": self.reference, "status": "posted"})


class ReverseEntry(Write):
    """Marks an entry as reversed. Error 409 if the period of the entry is closed."""

    system, right = "ledger", "ledger.write"
    entry: str = CODE

    def run(self, desk: Desk) -> object:
        row = desk.get("entries", self.entry)
        desk.require(desk.get("periods", row["period"])["state"] == "open", 409, "the period is closed")
        return desk.write("entries", self.entry, status="reversed")


VENDORS = (SearchVendors, GetVendor, SetVendorStatus, SetBankAccount)
INVOICES = (ListInvoices, GetInvoice, SetInvoiceStatus, ReassignInvoice, ListPayments)
BOOKS = (ListEntries, FindEntries, GetEntry, ListBankLines, GetPeriod, PostEntry, ReverseEntry)
