"""Second versions of the company's tools, amended rules, and the budget of tokens."""

from __future__ import annotations

import importlib
import json
import re

import pytest

import rlgym
from rlgym import Rng
from rlgym.envs.company import invoice_disputes, payroll_corrections
from rlgym.generators.company.budgets import tokens_of
from rlgym.generators.company.eyes import Eyes, Source
from rlgym.generators.company.mail import ListMail
from rlgym.generators.company.operations import Finish, Listing, Show, Write
from rlgym.generators.company.state import Work
from rlgym.generators.company.versions import Successor, in_manual, refusal, successors, tool_name
from rlgym.generators.company.work import Workflow
from rlgym.generators.company.world import Desk

NAMES = [name for name in rlgym.names("company") if not name.startswith("site_")]
RIGHTS = ("access", "directory", "files", "tickets", "ledger", "purchasing", "shop", "payroll")


def family(name: str):
    return importlib.import_module(f"rlgym.envs.company.{name}")


def first(name: str, level: float = 1.0, seed: int = 3, shift: bool = False, **knobs) -> Work:
    module = family(name)
    return (module.shift if shift else module.start)(Rng("versions", name, seed), module.Knobs.at(level, **knobs))


def results_of(desk: Workflow, state: Work) -> list[str]:
    """What the oracle reads, turn by turn."""
    told = []
    while not state.finished:
        state = desk.act(state, desk.best(state))
        told.append(state.told)
    assert desk.outcome(state).value == 1
    return told


@pytest.mark.parametrize("name", NAMES)
def test_the_second_version_of_a_tool_gives_the_same_facts_and_makes_the_same_changes(name: str):
    module, state = family(name), first(name, shift=True)
    tools = module.TOOLS.tools
    desk = Desk(state.base, {}, state.actor, state.today, tuple(f"{right}.write" for right in RIGHTS))
    compared = 0
    for old, new in successors(tools).items():
        if issubclass(old, Show):
            for code in list(state.base.get(old.table, {}))[:3]:
                call = old(**{next(iter(old.model_fields)): code})
                assert new.of(call).former() == call
                assert new.of(call).before(new.of(call).perform(desk)) == call.perform(desk)
                compared += 1
    for deed in module.desk.wanted(state):
        if isinstance(deed, Successor):
            assert type(deed).of(deed.former()) == deed
            apart = [Desk(state.base, {}, state.actor, state.today, desk.rights) for _ in range(2)]
            results = [deed.before(deed.perform(apart[0])), deed.former().perform(apart[1])]
            assert apart[0].changes == apart[1].changes
            assert results[0] == results[1]
            compared += 1
    assert compared


def test_every_second_version_belongs_to_the_system_of_the_first():
    found = {new: old for name in NAMES for old, new in successors(family(name).TOOLS.tools).items()}
    assert len(found) == 30
    for new, old in found.items():
        assert (new.system, new.right) == (old.system, old.right)
        assert tool_name(new) == f"{tool_name(old)}_v2"
        assert issubclass(new, Show) == issubclass(old, Show)
        assert issubclass(new, Write) == issubclass(old, Write)
        assert issubclass(new, Listing) == issubclass(old, Listing)
        paging = {"page", "offset", "cursor"}
        assert set(new.model_fields) - paging == set(new.named)
        assert set(old.model_fields) - paging == set(new.named.values())
        assert set(new.model_fields) != set(old.model_fields)
        if not issubclass(new, Write):
            assert new.table == old.table


@pytest.mark.parametrize("count", [0, 1, 5, 6, 23])
def test_a_list_in_its_second_version_has_each_record_once_under_the_old_names(count: int):
    mails = {
        f"M-{1000 + place}": {"folder": "inbox", "sender": "a@b.example", "subject": "s", "date": "2026-01-01"} for place in range(count)
    }
    tools = family("customer_refunds").TOOLS.tools
    rows = [
        Eyes(Source(tools, {"mails": mails}, facts, "P-1", "2026-01-02", ()), None).all(ListMail(folder="inbox"))
        for facts in ({}, {"api": "all"})
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == count


def test_a_version_that_does_not_work_says_which_one_does():
    name, seen = "invoice_disputes", set[bool]()
    for seed in range(8):
        state = first(name, 1.0, seed, outages=0, calls_per_turn=8)
        page = next(row["text"] for row in state.base["pages"].values() if row["title"] == "API changes")
        for tool, day in state.versions.items():
            assert f"{tool} is switched off on {day}" in page
            replaced = day <= state.today
            seen.add(replaced)
            old, new = next((old, new) for old, new in successors(invoice_disputes.TOOLS.tools).items() if tool_name(old) == tool)
            dead, alive = (old, new) if replaced else (new, old)
            fields = {
                field: "inbox" if field in ("folder", "mailbox") else "X-1"
                for field, facts in dead.model_fields.items()
                if facts.is_required()
            }
            if not issubclass(dead, Show | Listing):
                continue
            call = json.dumps({"tool": tool_name(dead), "arguments": fields})
            after = invoice_disputes.desk.act(state, invoice_disputes.TOOLS.parse(call))
            error = json.loads(after.told.split("\n")[0])
            assert error["error"] == 410
            assert error["message"].endswith(f"use {tool_name(alive)}")
            assert day in error["message"]
            assert (after.calls, after.changes) == (1, {})
            assert not refusal(state.versions, alive, invoice_disputes.TOOLS.tools, state.today)
    assert seen == {True, False}


@pytest.mark.parametrize("name", ["invoice_disputes", "meeting_series_moves", "incident_followup"])
def test_the_oracle_reads_which_versions_work_and_calls_no_other(name: str):
    used = 0
    for seed in range(3):
        state = first(name, 1.0, seed, outages=0)
        told = results_of(family(name).desk, state)
        assert not any('"error": 410' in text for text in told)
        used += any("is switched off on" in text for text in told)
    assert used


def test_the_manual_describes_the_versions_that_a_task_has():
    for name in NAMES:
        tools = family(name).TOOLS.tools
        prompt = family(name).desk.show(first(name, 0.0))
        assert not re.search(r"^- \w+_v2\(", prompt, re.MULTILINE)
        shifted = family(name).desk.show(first(name, 0.0, shift=True))
        assert {f"{old}_v2" for old in map(tool_name, successors(tools))} == set(re.findall(r"^- (\w+_v2)\(", shifted, re.MULTILINE))
        assert not any(f"- {tool_name(old)}(" in shifted for old in successors(tools))
        state = first(name, 1.0)
        listed = in_manual(state.versions, tools)
        assert {tool_name(tool) for tool in listed if issubclass(tool, Successor)} == {f"{tool}_v2" for tool in state.versions}
        assert "'API changes'" in family(name).desk.show(state)


@pytest.mark.parametrize("seed", range(6))
def test_the_amendment_in_force_is_the_last_one_by_today(seed: int):
    """Another route than the oracle's: straight from the texts of the pages."""
    state = first("payroll_corrections", 1.0, seed, shift=True)
    pages = {page["title"]: page["text"] for page in state.base["pages"].values()}
    assert all(page["status"] == "current" for page in state.base["pages"].values() if page["title"].startswith("Pay corrections"))
    percent = int(re.search(r"at (\d+) percent", pages["Pay corrections"])[1])
    changes = sorted(
        (re.match(r"In force from (\S+)\.", text)[1], int(re.search(r"at (\d+) percent", text)[1]))
        for title, text in pages.items()
        if title.startswith("Pay corrections, amendment")
    )
    in_force = [number for day, number in changes if day <= state.today]
    assert in_force
    assert changes[-1][0] > state.today
    assert changes[-1][1] != in_force[-1]
    eyes = Eyes(payroll_corrections.desk._source(state), None)
    assert payroll_corrections.BOOK.look_up(eyes, "").number("overtime") == in_force[-1]
    assert payroll_corrections.BOOK.look_up(eyes, "current_page").number("overtime") == percent != in_force[-1]


def test_once_the_tokens_are_used_up_no_call_is_run():
    desk, tools = invoice_disputes.desk, invoice_disputes.TOOLS
    state = first("invoice_disputes", 1.0, 1, outages=0, calls_per_turn=1, replaced_tools=0)
    assert f"may have {state.token_budget} tokens in all" in desk.show(state)
    state = state.model_copy(update={"token_budget": 90, "arrivals": ()})
    list_mail = tools.parse('{"tool": "list_mail", "arguments": {"folder": "inbox"}}')
    spent = 0
    while state.tokens < 90:
        state = desk.act(state, list_mail)
        spent += tokens_of(state.told.rpartition("\n")[0])
        assert state.tokens == spent
        assert state.told.endswith(f"Tokens left: {max(0, 90 - spent)}.")
    calls = state.calls
    late = desk.act(state, list_mail)
    assert json.loads(late.told.split("\n")[0]) == {"error": 429, "message": "the 90 tokens are used up"}
    assert (late.calls, late.tokens) == (calls, spent)
    assert desk.best(late) == (Finish(),)
    assert set(desk.milestones(late).values()) == {0.0}


def test_work_of_one_case_has_no_limit_of_tokens():
    state = first("invoice_disputes", 0.0)
    assert state.token_budget == 0
    assert "tokens" not in invoice_disputes.desk.show(state)
