"""Tenants who call: the order in which answers end a call, what must have been heard before, and visits that are turned down."""

from __future__ import annotations

import pytest

from rlgym import Rng
from rlgym.envs.tools import tenant_repairs as world
from rlgym.generators.services.repairs import RULES, Fault, Flat, Policy, comes, ending, suits, trade
from rlgym.generators.users.slots import WEEKDAYS


def first(seed: int, level: float = 1.0) -> world.State:
    return world.start(Rng("tenants", seed), world.Knobs.at(level))


def played(state: world.State, **skip: str) -> float:
    for _ in range(world.turns(state)):
        state = world.act(state, world.best(state, **skip))
        if score := world.outcome(state):
            return score.value
    return 0.0


def test_all_ends_occur_and_the_oracle_reaches_them():
    ends = set()
    for seed in range(30):
        state = first(seed)
        assert played(state) == 1
        ends |= {(goal.how, goal.reason) for goal in state.goals}
    assert ends == {("book", ""), ("alarm", ""), ("solved", ""), ("refuse", "not_the_tenant"), ("refuse", "not_paid")}


def test_a_gauge_decides_the_trade_of_a_heating():
    fault = Fault("heating", False, 9, "", False, 3)
    assert (trade(fault), trade(fault._replace(tenths=10))) == ("plumber", "heating engineer")


def test_rules_come_in_order_of_what_they_end():
    state = first(1)
    tenant, firms = state.tenants[0], state.firms
    policy, flat = Policy(RULES, 10), Flat(tenant.flat, tenant.person.name, "none", "none")
    sparks = Fault("socket", True, 10, "sparks", True, 30)
    assert ending(tenant, sparks, flat._replace(tenant="Somebody Else"), firms, policy).reason == "not_the_tenant"
    assert ending(tenant, sparks, flat, firms, policy).how == "alarm"
    assert ending(tenant, sparks._replace(danger=""), flat, firms, policy).how == "solved"
    broken = sparks._replace(danger="", tripped=False)
    assert ending(tenant._replace(pays=False), broken, flat, firms, policy).reason == "not_paid"
    booked = ending(tenant._replace(pays=True), broken, flat, firms, policy)
    assert (booked.how, booked.payer, booked.reported) == ("book", "tenant", True)
    dear = max((firm for firm in firms if firm.trade == "electrician"), key=lambda firm: firm.price)
    under = flat._replace(warranty=dear.firm, warranty_trade="electrician")
    assert ending(tenant._replace(pays=True), broken, under, firms, policy).firm == dear.firm != booked.firm


@pytest.mark.parametrize("seed", range(4))
def test_the_right_end_without_the_questions_before_it_is_wrong(seed):
    state = first(seed, 0.5)
    goal, call = state.goals[0], state.tenants[0].person.code
    end = {
        "book": world.Book(call=call, firm=goal.firm, visit=goal.visit, payer=goal.payer or "landlord", reported=goal.reported),
        "alarm": world.Alarm(call=call),
        "solved": world.Solved(call=call),
        "refuse": world.Refuse(call=call, reason=goal.reason or "x"),
    }[goal.how]
    assert world.act(state, (end,)).spoiled


def test_a_visit_that_was_turned_down_may_not_be_booked():
    state = next(state for seed in range(60) if (state := first(seed, 0.5)).goals[0].how == "book" and state.tenants[0].refuses)
    tenant = state.tenants[0]
    firm = next(firm for firm in state.firms if firm.firm == state.goals[0].firm)
    refused = [visit for visit in firm.visits if suits(tenant, visit) and not comes(tenant, visit)]
    assert all(f"{visit.day} at {visit.time}" in tenant.refuses for visit in refused)
    after = world.act(state, (world.Say(call=tenant.person.code, text=f"How about {WEEKDAYS[0]} at 7:15?"),))
    assert after.heard[0].accepted == ()
    assert after.heard[0].turned_down


@pytest.mark.parametrize("text", ["¿En qué piso vive?", "x" * 4000, "\u202e?" * 900, "7 7 7"])
def test_what_is_not_understood_reveals_nothing(text):
    state = first(2)
    after = world.act(state, (world.Say(call=state.tenants[0].person.code, text=text),))
    assert after.heard == state.heard
    assert after.told
