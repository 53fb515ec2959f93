"""The second versions of tools: other names of arguments and fields, other units, other paging."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from rlgym.answers import Tool
from rlgym.generators.company import access, chat, directory, documents, ledger, mail, payroll, procurement, schedule, shop, tickets
from rlgym.generators.company.operations import CODE, OFFSET, PAGE, TEXT, WORDS
from rlgym.generators.company.versions import ListingSuccessor, ShowSuccessor, Successor, WriteSuccessor, with_successors

EUROS: Any = Field(pattern=r"^-?\d{1,7}\.\d\d$")


class ListMailV2(ListingSuccessor):
    """Lists the mails of a mailbox, the latest first; `offset` counts mails, 5 per call."""

    system, table, replaces = "mail", "mails", mail.ListMail
    named, gives = {"mailbox": "folder"}, {"from": "sender"}
    mailbox: Literal["inbox", "archive", "sent"]
    offset: int = OFFSET


class ReadMailV2(ShowSuccessor):
    """Reads a message."""

    system, table, replaces = "mail", "mails", mail.ReadMail
    named, gives = {"message": "mail"}, {"from": "sender", "text": "body"}
    message: str = CODE


class SendMailV2(WriteSuccessor):
    """Sends a message to one e-mail address. It cannot be taken back."""

    system, replaces = "mail", mail.SendMail
    named = {"recipient": "to", "title": "subject", "text": "body"}
    recipient: str = WORDS
    title: str = WORDS
    text: str = TEXT


class SearchPeopleV2(ListingSuccessor):
    """Finds people whose name, title, department or e-mail contains all the words; `offset` counts people, 5 per call."""

    system, table, replaces = "directory", "people", directory.SearchPeople
    named = {"query": "words"}
    query: str = WORDS
    offset: int = OFFSET


class GetPersonV2(ShowSuccessor):
    """Reads an employee with the code of the direct manager as reports_to."""

    system, table, replaces = "directory", "people", directory.GetPerson
    named, gives = {"employee": "person"}, {"reports_to": "manager", "office": "site"}
    employee: str = CODE


class SetAccountStateV2(WriteSuccessor):
    """Activates, suspends or closes an account."""

    system, right, replaces = "access", "access.write", access.SetAccountState
    named = {"id": "account", "to": "state"}
    id: str = CODE
    to: Literal["active", "suspended", "closed"]


class ListAccountsV2(ListingSuccessor):
    """Lists the accounts that a person holds, closed ones included; `offset` counts accounts, 5 per call."""

    system, table, replaces = "access", "accounts", access.ListAccounts
    named, gives = {"holder": "person"}, {"system": "application"}
    holder: str = CODE
    offset: int = OFFSET


class GetFileV2(ShowSuccessor):
    """Reads the properties of a document, but not its text."""

    system, table, replaces = "files", "files", documents.GetFile
    named, gives = {"document": "file"}, {"title": "name"}
    document: str = CODE


class SetFileStateV2(WriteSuccessor):
    """Keeps a document active, archives it, or puts it up for review by its owner."""

    system, right, replaces = "files", "files.write", documents.SetFileState
    named = {"document": "file", "to": "state"}
    document: str = CODE
    to: Literal["active", "archived", "review"]


class SearchTicketsV2(ListingSuccessor):
    """Finds tickets whose title or text contains all the words; comments are not searched. 5 per page."""

    system, table, replaces = "tickets", "tickets", tickets.SearchTickets
    named, gives = {"query": "words"}, {"state": "status"}
    query: str = WORDS
    page: int = PAGE


class GetTicketV2(ShowSuccessor):
    """Reads an issue; its comments are listed by list_comments."""

    system, table, replaces = "tickets", "tickets", tickets.GetTicket
    named, gives = {"issue": "ticket"}, {"state": "status", "description": "text"}
    issue: str = CODE


class CreateTicketV2(WriteSuccessor):
    """Creates an open ticket."""

    system, right, replaces = "tickets", "tickets.write", tickets.CreateTicket
    named = {"title": "title", "board": "queue", "urgency": "priority", "owner": "assignee", "description": "text"}
    title: str = WORDS
    board: str = WORDS
    urgency: Literal["low", "normal", "high"]
    owner: str = CODE
    description: str = TEXT


class GetInvoiceV2(ShowSuccessor):
    """Reads an invoice. Amounts are texts in euros, such as 120.50; amount is the gross amount."""

    system, table, replaces = "ledger", "invoices", ledger.GetInvoice
    named, gives = {"code": "invoice"}, {"amount": "amount_cents", "payable": "payable_cents"}
    code: str = CODE


class SetInvoiceStatusV2(WriteSuccessor):
    """Sets the status of an invoice, and the euros of it that may be paid, such as 120.50: all of them, or fewer. Error 409 for a paid invoice."""

    system, right, replaces = "ledger", "ledger.write", ledger.SetInvoiceStatus
    named, gives = (
        {"code": "invoice", "status": "status", "payable": "payable_cents"},
        {"amount": "amount_cents", "payable": "payable_cents"},
    )
    code: str = CODE
    status: Literal["approved", "held", "disputed", "rejected"]
    payable: str = EUROS


class GetVendorV2(ShowSuccessor):
    """Reads a supplier."""

    system, table, replaces = "ledger", "vendors", ledger.GetVendor
    named, gives = {"supplier": "vendor"}, {"state": "status", "account": "iban"}
    supplier: str = CODE


class FindEntriesV2(ListingSuccessor):
    """Finds the entries with exactly this reference in all accounts and periods, amounts in euros; `offset` counts entries, 5 per call."""

    system, table, replaces = "ledger", "entries", ledger.FindEntries
    named, gives = {"text": "reference"}, {"amount": "amount_cents"}
    text: str = CODE
    offset: int = OFFSET


class PostEntryV2(WriteSuccessor):
    """Posts an entry of so many euros, such as 120.50 (-120.50 for a credit), to an account in a period. Error 409 if the period is closed."""

    system, right, replaces = "ledger", "ledger.write", ledger.PostEntry
    named = {"account": "account", "period": "period", "amount": "amount_cents", "reference": "reference"}
    gives = {"amount": "amount_cents"}
    account: str = CODE
    period: str = WORDS
    amount: str = EUROS
    reference: str = CODE


class GetRequestV2(ShowSuccessor):
    """Reads a purchase request; its amount is in integer cents."""

    system, table, replaces = "purchasing", "requests", procurement.GetRequest
    named, gives = {"code": "request"}, {"amount_cents": "amount", "asked_by": "requester"}
    code: str = CODE


class GetPurchaseOrderV2(ShowSuccessor):
    """Reads a purchase order: net amount per unit in integer cents, units, percent of tax."""

    system, table, replaces = "purchasing", "purchase_orders", procurement.GetPurchaseOrder
    named, gives = {"number": "order"}, {"net_price_cents": "net_price"}
    number: str = CODE


class ListReceiptsV2(ListingSuccessor):
    """Lists the receipts of goods for a purchase order; units sent back are negative. `offset` counts receipts, 5 per call."""

    system, table, replaces = "purchasing", "receipts", procurement.ListReceipts
    named, gives = {"number": "order"}, {"quantity": "units"}
    number: str = CODE
    offset: int = OFFSET


class GetOrderV2(ShowSuccessor):
    """Reads an order: the product, the units, and what was paid in all, delivery included. Amounts are in integer cents."""

    system, table, replaces = "shop", "orders", shop.GetOrder
    named = {"number": "order"}
    gives = {"unit_price_cents": "unit_price", "delivery_fee_cents": "delivery_fee", "paid_cents": "paid", "quantity": "units"}
    number: str = CODE


class CreateRefundV2(WriteSuccessor):
    """Refunds so many cents of an order to the customer. The service does not check what was refunded before."""

    system, right, replaces = "shop", "shop.write", shop.CreateRefund
    named, gives = {"number": "order", "amount_cents": "amount"}, {"amount_cents": "amount"}
    number: str = CODE
    amount_cents: int = Field(ge=0, le=999_999_999)


class SearchCustomersV2(ListingSuccessor):
    """Finds customers whose name or e-mail contains all the words; `offset` counts customers, 5 per call."""

    system, table, replaces = "shop", "customers", shop.SearchCustomers
    named = {"query": "words"}
    query: str = WORDS
    offset: int = OFFSET


class ListOrdersV2(ListingSuccessor):
    """Lists the orders of a customer; `offset` counts orders, 5 per call."""

    system, table, replaces = "shop", "orders", shop.ListOrders
    named, gives = {"buyer": "customer"}, {"state": "status"}
    buyer: str = CODE
    offset: int = OFFSET


class GetMeetingV2(ShowSuccessor):
    """Reads an event with its guests."""

    system, table, replaces = "calendar", "meetings", schedule.GetMeeting
    named, gives = {"event": "meeting"}, {"guests": "attendees", "begins": "start", "ends": "end"}
    event: str = CODE


class ListRoomsV2(ListingSuccessor):
    """Lists the rooms of a site; `offset` counts rooms, 5 per call."""

    system, table, replaces = "calendar", "rooms", schedule.ListRooms
    named, gives = {"office": "site"}, {"capacity": "seats"}
    office: str = WORDS
    offset: int = OFFSET


class ReadChannelV2(ListingSuccessor):
    """Reads the messages of a channel, the latest first; `offset` counts messages, 5 per call."""

    system, table, replaces = "chat", "messages", chat.ReadChannel
    named, gives = {"room": "channel"}, {"from": "author", "text": "body"}
    room: str = CODE
    offset: int = OFFSET


class GetTimesheetV2(ShowSuccessor):
    """Reads a timesheet: minutes of work and of overtime, and whether it is approved."""

    system, table, replaces = "payroll", "timesheets", payroll.GetTimesheet
    named, gives = {"sheet": "timesheet"}, {"employee": "person", "status": "state"}
    sheet: str = CODE


class GetPayslipV2(ShowSuccessor):
    """Reads a payslip; its amounts are texts in euros, such as 1200.50."""

    system, table, replaces = "payroll", "payslips", payroll.GetPayslip
    named, gives = {"slip": "payslip"}, {"employee": "person", "gross": "gross_cents"}
    slip: str = CODE


class PostCorrectionV2(WriteSuccessor):
    """Corrects what an employee was paid for a month by so many euros, such as 20.50 (-20.50 if too much was paid), with the payroll of an open month."""

    system, right, replaces = "payroll", "payroll.write", payroll.PostCorrection
    named = {"employee": "person", "worked_in": "month", "amount": "amount_cents", "paid_with": "pay_month"}
    gives = {"employee": "person", "amount": "amount_cents"}
    employee: str = CODE
    worked_in: str = WORDS
    amount: str = EUROS
    paid_with: str = WORDS


_ALL: tuple[type[Successor], ...] = (
    *(ListMailV2, ReadMailV2, SendMailV2, SearchPeopleV2, GetPersonV2, SetAccountStateV2, ListAccountsV2, GetFileV2, SetFileStateV2),
    *(SearchTicketsV2, GetTicketV2, CreateTicketV2, GetInvoiceV2, SetInvoiceStatusV2, GetVendorV2, FindEntriesV2, PostEntryV2),
    *(GetRequestV2, GetPurchaseOrderV2, ListReceiptsV2, GetOrderV2, CreateRefundV2, SearchCustomersV2, ListOrdersV2),
    *(GetMeetingV2, ListRoomsV2, ReadChannelV2, GetTimesheetV2, GetPayslipV2, PostCorrectionV2),
)


def versioned(*tools: type[Tool]) -> tuple[type[Tool], ...]:
    """The tools, each followed by its second version if it has one."""
    return with_successors(tools, _ALL)
