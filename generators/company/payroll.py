"""Payroll: contracts, timesheets, payslips and corrections. Amounts are integer cents; times are integer minutes."""

from __future__ import annotations

from rlgym.generators.company.operations import CENTS, CODE, OFFSET, PAGE, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk


class ListContracts(Listing):
    """Lists the contracts of a person; one is valid from its first date up to the day before the next one. 5 per page."""

    system, table, by, shows = "payroll", "contracts", ("person",), ("valid_from", "cents_per_hour", "state")
    person: str = CODE
    page: int = PAGE


class ListTimesheets(Listing):
    """Lists the timesheets of a month such as 2026-02 in the state approved, hold or doubt; `offset` counts timesheets, 5 per call."""

    system, table, by, shows = "payroll", "timesheets", ("month", "state"), ("person",)
    month: str = WORDS
    state: str = WORDS
    offset: int = OFFSET


class GetTimesheet(Show):
    """Reads a timesheet: minutes of work and of overtime, and whether it is approved."""

    system, table = "payroll", "timesheets"
    timesheet: str = CODE


class FindTimesheets(Listing):
    """Lists the timesheets of a person. 5 per page."""

    system, table, by, shows = "payroll", "timesheets", ("person",), ("month", "state")
    person: str = CODE
    page: int = PAGE


class FindPayslips(Listing):
    """Lists the payslips of a person. 5 per page."""

    system, table, by, shows = "payroll", "payslips", ("person",), ("month", "gross_cents")
    person: str = CODE
    page: int = PAGE


class GetPayslip(Show):
    """Reads a payslip."""

    system, table = "payroll", "payslips"
    payslip: str = CODE


class ListCorrections(Listing):
    """Lists the corrections of a person that were posted before. 5 per page."""

    system, table, by, shows = "payroll", "corrections", ("person",), ("month", "amount_cents", "pay_month")
    person: str = CODE
    page: int = PAGE


class GetPayMonth(Show):
    """Reads whether the payroll of a month such as 2026-03 is open."""

    system, table = "payroll", "pay_months"
    month: str = WORDS


class PostCorrection(Write):
    """Corrects what a person was paid for a month by so many cents (negative if too much was paid), with the payroll of an open month."""

    system, right = "payroll", "payroll.write"
    person: str = CODE
    month: str = WORDS
    amount_cents: int = CENTS
    pay_month: str = WORDS

    def run(self, desk: Desk) -> object:
        desk.get("people", self.person)
        desk.require(desk.get("pay_months", self.pay_month)["state"] == "open", 409, "the payroll of that month is closed")
        row = {"person": self.person, "month": self.month, "amount_cents": self.amount_cents, "pay_month": self.pay_month}
        return desk.add("corrections", "K", row)


class SetTimesheetState(Write):
    """Sets the state of a timesheet: approved, hold or doubt."""

    system, right = "payroll", "payroll.write"
    timesheet: str = CODE
    state: str = WORDS

    def run(self, desk: Desk) -> object:
        desk.require(self.state in ("approved", "hold", "doubt"), 400, "the state must be approved, hold or doubt")
        return desk.write("timesheets", self.timesheet, state=self.state)


PAYROLL = (
    *(ListContracts, ListTimesheets, GetTimesheet, FindTimesheets, FindPayslips, GetPayslip, ListCorrections, GetPayMonth),
    *(PostCorrection, SetTimesheetState),
)
