"""The second versions of tools: other names of arguments and fields, other units, other paging."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, create_model

from rlgym.answers import Tool
from rlgym.generators.company import access, chat, directory, documents, ledger, mail, payroll, procurement, schedule, shop, tickets
from rlgym.generators.company.operations import OFFSET, PAGE, Listing, Operation, Show
from rlgym.generators.company.versions import ListingSuccessor, ShowSuccessor, Successor, WriteSuccessor, with_successors

AMOUNT: Any = Field(ge=0, le=999_999_999)
EUROS: Any = Field(pattern=r"^-?\d{1,7}\.\d\d$")


def _second(first: type[Operation], text: str, named: Mapping[str, str], gives: Mapping[str, str] | None = None) -> type[Successor]:
    """The second version of a tool.

    text   its docstring, as the manual has it
    named  all arguments but those of the paging, with their names in the first version; the types stay, but for amounts whose unit changes.
           A list is paged by `offset`, or by `page` where the first version is paged by `offset`.
    gives  the fields of a result that have another name, with their names in the first version
    """
    kind: type[Successor] = WriteSuccessor
    if issubclass(first, Show):
        kind = ShowSuccessor
    elif issubclass(first, Listing):
        kind = ListingSuccessor
    fields: dict[str, Any] = {new: _argument(first, old, new) for new, old in named.items()}
    if kind is ListingSuccessor:
        fields |= {"page": (int, PAGE)} if "offset" in first.model_fields else {"offset": (int, OFFSET)}
    second = create_model(f"{first.__name__}V2", __base__=kind, __doc__=text, __module__=__name__, **fields)
    second.replaces, second.named, second.gives = first, named, gives or {}
    for name in ("system", "right", "table"):
        if hasattr(first, name):
            setattr(second, name, getattr(first, name))
    return second


def _argument(first: type[Operation], old: str, new: str) -> tuple[Any, Any]:
    """The type of an argument and its limits."""
    if new.endswith("_cents") == old.endswith("_cents"):
        field = first.model_fields[old]
        return field.annotation, field
    return (int, AMOUNT) if new.endswith("_cents") else (str, EUROS)


_ALL: tuple[type[Successor], ...] = (
    _second(
        mail.ListMail,
        "Lists the mails of a mailbox, the latest first; `offset` counts mails, 5 per call.",
        {"mailbox": "folder"},
        {"from": "sender"},
    ),
    _second(mail.ReadMail, "Reads a message.", {"message": "mail"}, {"from": "sender", "text": "body"}),
    _second(
        mail.SendMail,
        "Sends a message to one e-mail address. It cannot be taken back.",
        {"recipient": "to", "title": "subject", "text": "body"},
    ),
    _second(
        directory.SearchPeople,
        "Finds people whose name, title, department or e-mail contains all the words; `offset` counts people, 5 per call.",
        {"query": "words"},
    ),
    _second(
        directory.GetPerson,
        "Reads an employee with the code of the direct manager as reports_to.",
        {"employee": "person"},
        {"reports_to": "manager", "office": "site"},
    ),
    _second(access.SetAccountState, "Activates, suspends or closes an account.", {"id": "account", "to": "state"}),
    _second(
        access.ListAccounts,
        "Lists the accounts that a person holds, closed ones included; `offset` counts accounts, 5 per call.",
        {"holder": "person"},
        {"system": "application"},
    ),
    _second(documents.GetFile, "Reads the properties of a document, but not its text.", {"document": "file"}, {"title": "name"}),
    _second(
        documents.SetFileState,
        "Keeps a document active, archives it, or puts it up for review by its owner.",
        {"document": "file", "to": "state"},
    ),
    _second(
        tickets.SearchTickets,
        "Finds tickets whose title or text contains all the words; comments are not searched. 5 per page.",
        {"query": "words"},
        {"state": "status"},
    ),
    _second(
        tickets.GetTicket,
        "Reads an issue; its comments are listed by list_comments.",
        {"issue": "ticket"},
        {"state": "status", "description": "text"},
    ),
    _second(
        tickets.CreateTicket,
        "Creates an open ticket.",
        {"title": "title", "board": "queue", "urgency": "priority", "owner": "assignee", "description": "text"},
    ),
    _second(
        ledger.GetInvoice,
        "Reads an invoice. Amounts are texts in euros, such as 120.50; amount is the gross amount.",
        {"code": "invoice"},
        {"amount": "amount_cents", "payable": "payable_cents"},
    ),
    _second(
        ledger.SetInvoiceStatus,
        "Sets the status of an invoice, and the euros of it that may be paid, such as 120.50: all of them, or fewer. Error 409 for a paid invoice.",
        {"code": "invoice", "status": "status", "payable": "payable_cents"},
        {"amount": "amount_cents", "payable": "payable_cents"},
    ),
    _second(ledger.GetVendor, "Reads a supplier.", {"supplier": "vendor"}, {"state": "status", "account": "iban"}),
    _second(
        ledger.FindEntries,
        "Finds the entries with exactly this reference in all accounts and periods, amounts in euros; `offset` counts entries, 5 per call.",
        {"text": "reference"},
        {"amount": "amount_cents"},
    ),
    _second(
        ledger.PostEntry,
        "Posts an entry of so many euros, such as 120.50 (-120.50 for a credit), to an account in a period. Error 409 if the period is closed.",
        {"account": "account", "period": "period", "amount": "amount_cents", "reference": "reference"},
        {"amount": "amount_cents"},
    ),
    _second(
        procurement.GetRequest,
        "Reads a purchase request; its amount is in integer cents.",
        {"code": "request"},
        {"amount_cents": "amount", "asked_by": "requester"},
    ),
    _second(
        procurement.GetPurchaseOrder,
        "Reads a purchase order: net amount per unit in integer cents, units, percent of tax.",
        {"number": "order"},
        {"net_price_cents": "net_price"},
    ),
    _second(
        procurement.ListReceipts,
        "Lists the receipts of goods for a purchase order; units sent back are negative. `offset` counts receipts, 5 per call.",
        {"number": "order"},
        {"quantity": "units"},
    ),
    _second(
        shop.GetOrder,
        "Reads an order: the product, the units, and what was paid in all, delivery included. Amounts are in integer cents.",
        {"number": "order"},
        {"unit_price_cents": "unit_price", "delivery_fee_cents": "delivery_fee", "paid_cents": "paid", "quantity": "units"},
    ),
    _second(
        shop.CreateRefund,
        "Refunds so many cents of an order to the customer. The service does not check what was refunded before.",
        {"number": "order", "amount_cents": "amount"},
        {"amount_cents": "amount"},
    ),
    _second(
        shop.SearchCustomers,
        "Finds customers whose name or e-mail contains all the words; `offset` counts customers, 5 per call.",
        {"query": "words"},
    ),
    _second(
        shop.ListOrders, "Lists the orders of a customer; `offset` counts orders, 5 per call.", {"buyer": "customer"}, {"state": "status"}
    ),
    _second(
        schedule.GetMeeting,
        "Reads an event with its guests.",
        {"event": "meeting"},
        {"guests": "attendees", "begins": "start", "ends": "end"},
    ),
    _second(schedule.ListRooms, "Lists the rooms of a site; `offset` counts rooms, 5 per call.", {"office": "site"}, {"capacity": "seats"}),
    _second(
        chat.ReadChannel,
        "Reads the messages of a channel, the latest first; `offset` counts messages, 5 per call.",
        {"room": "channel"},
        {"from": "author", "text": "body"},
    ),
    _second(
        payroll.GetTimesheet,
        "Reads a timesheet: minutes of work and of overtime, and whether it is approved.",
        {"sheet": "timesheet"},
        {"employee": "person", "status": "state"},
    ),
    _second(
        payroll.GetPayslip,
        "Reads a payslip; its amounts are texts in euros, such as 1200.50.",
        {"slip": "payslip"},
        {"employee": "person", "gross": "gross_cents"},
    ),
    _second(
        payroll.PostCorrection,
        "Corrects what an employee was paid for a month by so many euros, such as 20.50 (-20.50 if too much was paid), with the payroll of an open month.",
        {"employee": "person", "worked_in": "month", "amount": "amount_cents", "paid_with": "pay_month"},
        {"employee": "person", "amount": "amount_cents"},
    ),
)


def versioned(*tools: type[Tool]) -> tuple[type[Tool], ...]:
    """The tools, each followed by its second version if it has one."""
    return with_successors(tools, _ALL)
