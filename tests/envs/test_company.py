"""The company: paging, permissions, errors, budgets, arrivals, and the comparison of the whole state at the end."""

from __future__ import annotations

import json

import pytest

import rlgym
from rlgym import Rng
from rlgym.envs.company import (
    access_offboarding,
    customer_refunds,
    employee_onboarding,
    invoice_disputes,
    payroll_corrections,
    quarter_end_reconciliation,
    site_fact_report,
)
from rlgym.generators.company.company import Company
from rlgym.generators.company.directory import GetPerson, SetPersonStatus
from rlgym.generators.company.documents import ListFolder, ReadFile
from rlgym.generators.company.eyes import Eyes, Source
from rlgym.generators.company.ledger import ListInvoices
from rlgym.generators.company.mail import ListMail, SendMail
from rlgym.generators.company.operations import Finish, Listing, Operation
from rlgym.generators.company.shop import CreateRefund
from rlgym.generators.company.work import Work
from rlgym.generators.company.world import Desk, Refused, cents, difference, effective, euros
from rlgym.generators.web.site import stated_value

NAMES = rlgym.names("company")
SYSTEMS = ("directory", "access", "mail", "calendar", "files", "tickets", "wiki", "chat", "ledger", "purchasing", "shop", "payroll", "web")


def first(module, level=1.0, seed=3, **knobs) -> Work:
    return module.start(Rng("company", module.__name__, seed), module.Knobs.at(level, **knobs))


def played(module, state: Work) -> Work:
    """The state after the oracle has done everything but finishing."""
    while not isinstance((calls := module.desk.best(state))[0], Finish):
        state = module.desk.act(state, calls)
    return state


def test_tools_of_all_systems_are_in_use():
    tools = {tool for name in NAMES for tool in rlgym.environment(name).answer.tools}
    assert len(tools) == 157
    assert {tool.system for tool in tools if tool is not Finish} == set(SYSTEMS)
    assert all(issubclass(tool, Operation) and tool.__doc__ for tool in tools)
    assert len({tool.__name__ for tool in tools}) == len(tools)


@pytest.mark.parametrize("listing", [ListMail(folder="inbox"), ListFolder(folder="f"), ListInvoices(vendor="V-1")])
@pytest.mark.parametrize("count", [0, 1, 5, 6, 23])
def test_every_way_of_paging_gives_each_record_once(listing: Listing, count: int):
    row = {"folder": listing.__dict__.get("folder"), "vendor": "V-1", "sender": "a", "subject": "s", "date": "2026-01-01", "name": "n"}
    row |= {"category": "c", "created": "d", "number": "1/2", "order": "PO-1", "amount_cents": 5, "status": "open"}
    base = {listing.table: {f"X-{1000 + k}": row for k in range(count)}}
    eyes = Eyes(Source((), base, {}, "P-1", "2026-01-02", ()), None)
    assert [found["id"] for found in eyes.all(listing)] == list(base[listing.table])
    assert len(eyes.used) == max(1, -(-count // 5))


def test_errors_of_the_services_are_results():
    state = first(invoice_disputes)
    for call, status in (
        ('{"tool": "get_invoice", "arguments": {"invoice": "I-0"}}', 404),
        ('{"tool": "get_invoice", "arguments": {"invoice": 5}}', 400),
        ('{"tool": "list_mail", "arguments": {"folder": "inbox", "page": 900}}', 400),
        ('{"tool": "list_invoices", "arguments": {"vendor": "V-1", "cursor": "x"}}', 400),
        ('{"tool": "no_such_tool", "arguments": {}}', 400),
    ):
        state = state.model_copy(update={"outages": ()})
        after = invoice_disputes.desk.act(state, invoice_disputes.TOOLS.parse(call))
        assert json.loads(after.told.split("\n")[0])["error"] == status
        assert (after.calls, after.changes) == (1, {})


def test_writes_need_rights_and_files_need_readers():
    base = {"people": {"P-1": {"status": "active"}}, "files": {"F-1": {"name": "n", "readers": ["P-2"], "text": "secret"}}}
    desk = Desk(base, {}, "P-1", "2026-01-02", ())
    for call in (SetPersonStatus(person="P-1", status="left"), ReadFile(file="F-1")):
        with pytest.raises(Refused) as refusal:
            call.perform(desk)
        assert refusal.value.status == 403
    SetPersonStatus(person="P-1", status="left").perform(held := Desk(base, {}, "P-1", "2026-01-02", ("directory.write",)))
    assert held.changes == {"people": {"P-1": {"status": "left"}}}
    assert base["people"]["P-1"]["status"] == "active"
    assert GetPerson(person="P-1").perform(held)["status"] == "left"


@pytest.mark.parametrize("name", NAMES)
def test_one_change_too_many_anywhere_fails(name: str):
    module = __import__(f"rlgym.envs.company.{name}", fromlist=["desk"])
    state = played(module, first(module, 0.5))
    assert module.desk.outcome(state.model_copy(update={"finished": True})).value == 1
    untouched = 0
    for table, rows in state.base.items():
        code, row = next(iter(rows.items()))
        known = state.changes.get(table, {})
        if code in known or not row:
            continue
        untouched += 1
        spoiled = {**state.changes, table: {**known, code: {**row, next(iter(row)): "changed"}}}
        assert module.desk.outcome(state.model_copy(update={"changes": spoiled, "finished": True})).value == 0, table
    assert untouched >= 1


def test_what_is_put_right_again_counts_as_unchanged_but_a_mail_stays_sent():
    module, state = access_offboarding, played(access_offboarding, first(access_offboarding, 0.5))
    state = state.model_copy(update={"budget": state.budget + 9})
    person = next(code for code, row in state.base["people"].items() if row["status"] == "active" and code not in state.changes["people"])
    wrong = module.desk.act(state, (SetPersonStatus(person=person, status="left"),))
    assert module.desk.outcome(wrong.model_copy(update={"finished": True})).value == 0
    back = module.desk.act(wrong, (SetPersonStatus(person=person, status="active"),))
    assert module.desk.outcome(back.model_copy(update={"finished": True})).value == 1
    assert module.desk.milestones(wrong)["changes_made"] > 0
    sent = module.desk.act(state, (SendMail(to="a@b.example", subject="s", body="Hello"),))
    assert module.desk.outcome(sent.model_copy(update={"finished": True})).value == 0
    assert set(module.desk.milestones(sent).values()) == {0.0}


def test_a_refund_is_judged_by_its_amount_and_a_text_by_the_facts_in_it():
    new = {"refunds": {"R-90001": {"order": "S-1234", "amount": "12.50"}}}
    assert difference({}, new, {"refunds": {"R-90007": {"order": "S-1234", "amount": "12.50"}}}) == ([], [], 1)
    assert difference({}, new, {"refunds": {"R-90007": {"order": "S-1234", "amount": "12.49"}}})[2] == 0

    def mail(body: str) -> dict:
        return {"mails": {"M-90001": {"to": "a@b.example", "subject": body[:3], "body": body}}}

    goal = mail("S-1234: 1250.00")
    for body in ("We refunded 1,250.00 for S-1234. Kind regards", "S-1234, order of 2 units: 1250.00 euros"):
        assert difference({}, goal, mail(body)) == ([], [], 1), body
    for body in ("S-1234", "1250.00", "S-1234: 1250.00 or 900.00", "S-12345: 1250.00", "S-1234: 250.00"):
        assert difference({}, goal, mail(body))[2] == 0, body


def test_calls_beyond_the_budget_and_beyond_the_turn_are_not_run():
    state = first(customer_refunds, 0.0, spare=25, calls_per_turn=2)
    order = state.facts["order"]
    after = customer_refunds.desk.act(state, (ListMail(folder="inbox"),) * 3)
    assert after.calls == 2
    assert "too many calls" in after.told
    for _ in range(9):
        after = customer_refunds.desk.act(after, (ListMail(folder="inbox"),))
    assert after.calls == after.budget
    late = customer_refunds.desk.act(after, (CreateRefund(order=order, amount="1.00"),))
    assert '"error": 429' in late.told
    assert late.changes == {}


@pytest.mark.parametrize("module", [invoice_disputes, employee_onboarding, quarter_end_reconciliation, payroll_corrections])
def test_what_others_write_changes_what_is_right(module):
    state = first(module)
    (arrival,) = state.arrivals
    before = module.desk.wanted(state)
    while state.calls < arrival.after:
        state = module.desk.act(state, (ListMail(folder="sent"),))
    assert f"created or changed {arrival.record} in" in state.told
    assert module.desk.wanted(state) != before
    assert effective(state.base, state.changes) == {}


def test_an_episode_forks_and_replays():
    env = rlgym.make("purchase_approvals", level=0.6)
    env.reset(seed=5)
    turns: list[str] = []
    over, middle = False, env.snapshot()
    while not over:
        turns.append(env.oracle())
        middle = env.snapshot() if len(turns) == 4 else middle
        *_, over, _, info = env.step(turns[-1])
    assert info["score"].value == 1
    last = env.snapshot()
    env.restore(middle)
    for turn in turns[3:]:
        env.step(turn)
    assert env.snapshot() == last


@pytest.mark.parametrize("seed", range(8))
def test_invoices_are_settled_as_the_tables_say(seed: int):
    """Another route than the oracle's: straight from the tables, without a tool."""
    state = first(invoice_disputes, 1.0, seed, replaced_tools=0)
    rows = state.base
    text = next(page["text"] for page in rows["pages"].values() if page["title"] == "Disputed invoices" and page["status"] == "current")
    percent = int(text.split("by at most ")[1].split()[0]) if "by at most " in text else 0
    senders = {mail["body"].split("'")[1]: mail for mail in rows["mails"].values() if mail["subject"] == "Unpaid invoice"}
    expected = {}
    for code, invoice in rows["invoices"].items():
        if invoice["number"] not in senders:
            continue
        order = rows["purchase_orders"][invoice["order"]]
        units = [row["units"] for row in rows["receipts"].values() if row["order"] == invoice["order"]]
        due = sum(units) * cents(order["net_price"]) * (100 + order["tax_percent"]) // 100
        twice = [one for one in rows["invoices"].values() if one["order"] == invoice["order"] and one["status"] == "paid"]
        amount = invoice["amount_cents"]
        if rows["vendors"][invoice["vendor"]]["status"] == "blocked":
            expected[code] = ("held", 0)
        elif twice:
            expected[code] = ("rejected", 0)
        elif amount * 100 <= due * (100 + percent):
            expected[code] = ("approved", amount)
        else:
            expected[code] = ("disputed", due)
    found = {
        deed.invoice: (deed.status, deed.payable_cents) for deed in invoice_disputes.desk.wanted(state) if hasattr(deed, "payable_cents")
    }
    assert found == expected


def test_a_browser_follows_links_goes_back_and_finds_lines_without_changing_the_judged_state():
    module, state = site_fact_report, first(site_fact_report, 1.0).model_copy(update={"outages": (), "calls_per_turn": 8, "budget": 99})

    def act(call: str) -> str:
        nonlocal state
        state = module.desk.act(state, module.TOOLS.parse(call))
        return state.told

    home = act('{"tool": "open_page", "arguments": {"path": "/"}}')
    town = home.split("[1] ")[1].split()[0]
    assert act('{"tool": "follow_link", "arguments": {"number": 1}}').startswith(f"{town} - Town: ")
    rows = [line for line in state.base["site"][town]["lines"] if "|" in line]
    assert act('{"tool": "find_on_page", "arguments": {"text": "| "}}').startswith(f"{len(rows)} lines found.")
    assert act('{"tool": "go_back", "arguments": {"steps": 1}}').startswith("/ - Home")
    assert '"error": 404' in act('{"tool": "go_back", "arguments": {"steps": 9}}')
    assert '"error": 404' in act('{"tool": "follow_link", "arguments": {"number": 900}}')
    assert act('{"tool": "search_site", "arguments": {"words": "Home"}}').split("\n")[1] == "/ - Home"
    assert effective(state.base, state.changes) == {}
    assert len(state.base["site"]) >= 200
    assert {page["section"] for page in state.base["site"].values()} >= {"news", "posts", "archive", "venues", "topics", "towns"}


@pytest.mark.parametrize("seed", range(6))
def test_a_report_states_what_the_pages_say(seed: int):
    """Another route than the oracle's: over all pages of the site, without topics and search."""
    state = first(site_fact_report, 1.0, seed)
    site = state.base["site"]
    assert set(state.rules) >= {"latest", "archived", "posts", "silent", "injection"}
    for number, line in enumerate(state.facts["questions"].split("\n"), 1):
        name, attribute, *_ = line.split("|")
        counted = [(row["updated"], path) for path, row in site.items() if not row["archived"] and row["section"] != "posts"]
        saying = [path for _, path in sorted(counted) if stated_value("\n".join(site[path]["lines"]), name, attribute)]
        deeds = [deed for deed in site_fact_report.desk.wanted(state) if deed.item == number]
        assert [deed.page for deed in deeds] == saying[-1:]
        assert [deed.value for deed in deeds] == [stated_value("\n".join(site[path]["lines"]), name, attribute) for path in saying[-1:]]


def test_codes_are_unique_and_in_no_order():
    company = Company(Rng("codes"), 30)
    codes = [code for rows in company.tables.values() for code in rows]
    assert len(set(codes)) == len(codes)
    assert codes != sorted(codes)
    assert euros(cents("-12.05")) == "-12.05"
