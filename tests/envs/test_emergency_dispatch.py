"""Emergency calls: the order of questions, panic, what callers are told, and units that are too few."""

from __future__ import annotations

import pytest

from rlgym import Rng
from rlgym.envs.tools import emergency_dispatch as world
from rlgym.generators.services.rescue import DISTRICTS, RULES, Caller, Heard, Unit, plan
from rlgym.generators.users.person import Person


def first(seed: int, level: float = 1.0) -> world.State:
    return world.start(Rng("rescue", seed), world.Knobs.at(level))


def score(state: world.State, **skip: str) -> float:
    for _ in range(world.turns(state)):
        state = world.act(state, world.best(state, **skip))
        if result := world.outcome(state):
            return result.value
    return 0.0


def caller(kind: str, grave: bool, district: str = "North") -> Caller:
    return Caller(Person("C1", "", "brief", "rescue", 3), kind, grave, 1, "1 Berg Street", district, 0, 5, 1, 1111, "07")


def said(state: world.State, text: str) -> world.State:
    return world.act(state, (world.Say(call=state.callers[0].person.code, text=text),))


def test_grave_calls_get_the_scarce_units_and_others_wait():
    units = (Unit("U1", "ambulance", (9,) * len(DISTRICTS)),)
    callers = (caller("collapse", grave=False), caller("wound", grave=True))
    assert plan(callers, units, by_gravity=True) == (("queue ambulance",), ("send U1",))
    assert plan(callers, units, by_gravity=False) == (("send U1",), ("queue ambulance",))


def test_the_nearest_unit_depends_on_the_district_and_a_fire_with_people_inside_needs_two():
    units = (Unit("U1", "fire engine", (5, 9, 9, 9, 9)), Unit("U2", "fire engine", (9, 5, 9, 9, 9)), Unit("U3", "ambulance", (1,) * 5))
    assert plan((caller("fire", grave=False, district="East"),), units, by_gravity=False) == (("send U2",),)
    assert plan((caller("fire", grave=True),), units, by_gravity=False) == (("send U1", "send U3"),)
    assert plan((caller("nuisance", grave=False),), units, by_gravity=True) == (("transfer",),)


def test_a_caller_in_panic_answers_only_when_calmed():
    state = first(1)
    place = 0
    heard = Heard(panic=2)
    state = state.model_copy(update={"heard": (heard, *state.heard[1:]), "chats": state.chats})
    cried = said(state, "Where are you?")
    assert cried.heard[place].topics == ()
    calmed = said(said(cried, "Take a deep breath, help is on its way."), "You're doing great, stay calm. Where exactly are you?")
    assert calmed.heard[place].topics == ("where",)
    assert state.callers[place].place in calmed.told


def test_too_many_questions_to_a_caller_in_panic_end_the_call():
    state = first(1)
    state = state.model_copy(update={"heard": (Heard(panic=2), *state.heard[1:])})
    for _ in range(state.callers[0].cries + 1):
        state = said(state, "Where are you?")
    assert state.spoiled


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("What is your emergency?", True),
        ("Where are you and what happened?", False),
        ("Is she breathing?", True),
        ("Where are you, what happened, and is anyone hurt?", False),
        ("Stay calm, I'm here. Where are you?", False),
        ("Where are you? Is anyone hurt?", True),
    ],
)
def test_the_place_comes_first_and_then_what_has_happened(text: str, broken: bool):
    state = first(2)
    assert "order" in state.rules
    assert bool(said(state, text).spoiled) is broken


def test_chest_compressions_for_somebody_who_breathes_lose_the_task():
    state = next(state for seed in range(40) if (state := first(seed)).callers[0].kind == "collapse" and not state.callers[0].grave)
    while not set(state.heard[0].topics) >= {"where", "open", "breathing"}:
        state = world.act(state, world.best(state))
    state = said(state, "Begin CPR right now.")
    while world.outcome(state) is None:
        state = world.act(state, world.best(state))
    assert world.outcome(state).value == 0


def test_every_rule_matters_and_the_oracle_needs_few_calls_at_the_bottom_and_many_at_the_top():
    for seed in range(4):
        state = first(seed)
        assert state.rules == RULES
        assert score(state) == 1
        assert all(score(state, skips=rule) == 0 for rule in RULES)
        assert world.count_turns(state, world.act, world.best, world.outcome) >= 20
        easy = first(seed, 0.0)
        assert world.count_turns(easy, world.act, world.best, world.outcome) <= 5


def test_a_unit_that_is_sent_unheard_loses():
    for level in (0.0, 0.5, 1.0):
        state = first(3, level)
        state = world.act(state, tuple(world.ListUnits(district=district) for district in DISTRICTS))
        unit = state.goal[0][0].partition(" ")[2] or state.units[0].code
        assert world.act(state, (world.Send(call=state.callers[0].person.code, unit=unit),)).spoiled


@pytest.mark.parametrize("text", ["x" * 4000, "Wo sind Sie denn?", "\u202e?" * 900, "Is the moon made of cheese?"])
def test_what_is_not_understood_reveals_nothing(text: str):
    state = first(0, 0.5)
    after = said(state, text)
    assert after.heard[0].topics == ()
    assert after.told
