"""Callers who act on their phones: faults that hide others, patience, consent, and what must have been found before a call ends."""

from __future__ import annotations

import pytest

from rlgym import Rng
from rlgym.envs.tools import phone_support as world
from rlgym.generators.services.mobile_line import Account, Caller, Phone, Policy, served, settled, speed, status_bar
from rlgym.generators.services.phone_tools import BookRoaming, Close, GetAccount, LiftSuspension, OrderSim, Say, TopUp
from rlgym.generators.users.person import Person

PERSON = Person("C1", "Ann", "brief", "telecom", 4)
ABROAD = Caller(PERSON, 1, "Nothing loads.", "1234", "Peru", True, True)
ACCOUNT = Account("0712345678", "1234", "basic", True, 20, False, True)
RULES = Policy(("identify", "debt", "roaming", "top_up", "outage"), 30, ("Chile", "Japan"))
BROKEN = Phone(airplane_mode=True, loose_sim=True, data_off=True, roaming_off=True, vpn=True, data_saver=True, served=False)


def state(caller: Caller = ABROAD, phone: Phone = BROKEN, account: Account = ACCOUNT, outages: tuple[str, ...] = ()) -> world.State:
    goal = settled(phone, account, caller, caller.place in outages, RULES)
    drawn = world.start(Rng("phone", 1), world.Knobs.at(0.0))
    return drawn.model_copy(
        update={"policy": RULES, "callers": (caller,), "outages": outages, "goals": (goal,), "phones": (phone,), "accounts": (account,)}
    )


def said(now: world.State, text: str) -> world.State:
    return world.act(now, (Say(call="C1", text=text),))


def test_every_fault_hides_the_next_and_all_are_found():
    now, seen = state(), []
    while world.outcome(now) is None:
        now = world.act(now, world.best(now))
        seen += [note.bar for note in now.notes if note.bar and (not seen or seen[-1] != note.bar)]
    assert world.outcome(now).value == 1
    assert seen == ["plane", "no_sim", "no_service", "no_data", "key", "data"]
    assert set(now.goals[0].causes) == set(world_causes()) - {"outage"}
    assert set(now.deeds[0]) == {"lift_suspension", "book_roaming", "top_up"}


def world_causes() -> list[str]:
    from rlgym.generators.services.mobile_line import CAUSES

    return list(CAUSES)


def test_a_line_that_is_served_again_needs_a_restart():
    phone, account = Phone(served=False), ACCOUNT._replace(data_used_up=False, roaming=True)
    assert status_bar(phone, ABROAD) == "no_service"
    account = account._replace(suspended=False)
    assert served(account, ABROAD, False)
    assert speed(phone, account, ABROAD) == "none"
    assert speed(phone._replace(served=True), account, ABROAD) == "fast"


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (LiftSuspension(call="C1"), "agreed to 20 coins"),
        (BookRoaming(call="C1"), "agreed to 12 coins"),
        (TopUp(call="C1"), "agreed to 8 coins"),
        (OrderSim(call="C1"), "no caller needs"),
    ],
)
def test_changes_need_consent(call, problem):
    now = said(state(), "What is your PIN?")
    assert problem in world.act(now, (call,)).spoiled


def test_nothing_is_changed_or_closed_before_the_pin_is_heard():
    now = said(said(state(), "That costs 20 coins. Shall I go ahead?"), "Where are you?")
    assert now.notes[0].agreed == (20,)
    assert "PIN" in world.act(now, (LiftSuspension(call="C1"),)).spoiled
    assert "PIN" in world.act(now, (Close(call="C1", causes=now.goals[0].causes, solved=True),)).spoiled


def test_consent_to_another_amount_is_no_consent():
    now = said(said(state(), "What is your PIN?"), "Do you agree to pay 19 coins?")
    assert now.notes[0].agreed == ()
    assert world.act(now, (LiftSuspension(call="C1"),)).spoiled


def test_a_caller_hangs_up_after_too_many_needless_requests():
    now = state(phone=Phone(vpn=True), account=ACCOUNT._replace(suspended=False, roaming=True, data_used_up=False))
    now = said(now, "Please restart the phone.")
    assert not now.spoiled
    assert "hung up" in said(now, "Please turn off airplane mode.").spoiled


@pytest.mark.parametrize("text", ["Bonjour, quel est votre code ?", "x" * 4000, "?" * 4000, "\u202e\u0000 12", "你的手机显示什么？"])
def test_what_is_not_understood_changes_nothing(text):
    now = state()
    after = said(now, text)
    assert after.phones == now.phones
    assert after.told
    assert "PIN" not in after.told


def test_an_unsolved_end_needs_its_reason():
    chile = ABROAD._replace(place="Chile")
    now = state(chile, Phone(served=False), ACCOUNT._replace(suspended=False, data_used_up=False))
    assert now.goals[0].causes == ("no_roaming",)
    end = Close(call="C1", causes=("no_roaming",), solved=False)
    heard = said(now, "What is your PIN?")
    assert "reason" in world.act(heard, (end,)).spoiled
    known = world.act(said(heard, "Where are you?"), (GetAccount(call="C1"), end))
    assert world.outcome(known).value == 1


def test_several_requests_in_one_message_are_all_done():
    now = said(state(), "Please turn off airplane mode, take out the SIM card and put it back in. Then tell me what the status bar shows.")
    assert (now.phones[0].airplane_mode, now.phones[0].loose_sim) == (False, False)
    assert now.notes[0].bar == "no_service"
