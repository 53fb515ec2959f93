"""A home with rules: what the calls answer, and what a player reaches who does not read the rules."""

import pytest

from rlgym import Rng
from rlgym.envs.tools import smart_home as world
from rlgym.generators.simulations.home import (
    SIREN,
    VALUES,
    Device,
    Home,
    Rule,
    after,
    breadth_first_search,
    chance_of_setting_directly,
    ringing_shares,
)

DEVICES = (Device("siren", VALUES[0], False), *(Device(name, VALUES[name == "fan"], name != "gate") for name in ("lamp", "fan", "gate")))


def state_of(rules=(), first=("off",) * 4, wanted=("off", "on", "high", "on"), most=5):
    return world.State(home=Home(DEVICES, tuple(rules)), first=first, wanted=wanted, most=most, states=first)


def told(device, value):
    return world.act(state_of(), (world.SetDevice(device=device, value=value),)).told


@pytest.mark.parametrize(
    ("device", "value", "result"),
    [
        ("lamp", "on", "changed: lamp on"),
        (" Lamp", "ON ", "changed: lamp on"),
        ("lamp", "off", "changed: nothing"),
        ("Lamps", "on", "nothing was set: there is no device 'Lamps'"),
        ("gate", "on", "nothing was set: the gate has no switch"),
        ("fan", "on", "nothing was set: the fan has no state 'on', only off or low or high"),
    ],
)
def test_setting_a_device_accepts_letter_case_and_names_the_fault(device, value, result):
    assert told(device, value) == result


def test_what_a_fired_rule_sets_holds_for_later_rules_of_the_same_pass():
    home = Home(DEVICES, (Rule(1, "on", -1, "", 2, "high"), Rule(1, "on", 2, "high", 3, "on")))
    assert after(home, ("off",) * 4, (1, "on")) == ("off", "on", "high", "on")
    assert "A fired rule sets its device at once" in world.show(state_of())


def test_changes_are_named_in_the_order_of_the_list():
    rules = (Rule(2, "low", -1, "", 3, "on"), Rule(3, "on", -1, "", 1, "on"))
    after_all = world.act(state_of(rules), (world.SetDevice(device="fan", value="low"),))
    assert after_all.told == "changed: lamp on, fan low, gate on"
    assert "in the order of the list above" in world.show(state_of())


def test_the_chance_of_setting_directly_counts_every_order_and_stops_at_the_siren():
    # The lamp after the fan rings; the fan after the lamp does not.
    home = Home(DEVICES, (Rule(1, "on", 2, "high", SIREN, "on"),))
    assert chance_of_setting_directly(home, ("off",) * 4, ("off", "on", "high", "off"), 2) == 0.5
    assert chance_of_setting_directly(home, ("off",) * 4, ("off", "on", "high", "off"), 1) == 0.0
    assert ringing_shares(home, ("off",) * 4)["off", "on", "high", "off"] == 0.5


def direct(state, order):
    """Sets the devices that differ to what is wanted, in an order of their places."""
    now = state.first
    for k in order([k for k, device in enumerate(state.home.devices) if device.switch and now[k] != state.wanted[k]]):
        now = after(state.home, now, (k, state.wanted[k]))
        if now[SIREN] == "on":
            return False
    return now == state.wanted


@pytest.mark.parametrize(("level", "most"), [(0.0, 0.25), (0.5, 0.05), (1.0, 0.05)])
def test_who_sets_devices_in_any_order_without_the_rules_seldom_succeeds(level, most):
    rng = Rng("order", level)
    states = [world.start(Rng("home", level, seed), world.Knobs.at(level)) for seed in range(60)]
    for order in (list, lambda places: places[::-1], rng.shuffled):
        assert sum(direct(state, order) for state in states) / len(states) <= most
    directly = [chance_of_setting_directly(one.home, one.first, one.wanted, one.most) for one in states]
    assert sum(directly) / len(directly) <= most
    assert all(len(breadth_first_search(one.home, one.first)[one.wanted]) <= one.most for one in states)


def test_the_device_of_three_states_stands_anywhere_in_the_list():
    states = [world.start(Rng("home", seed), world.Knobs.at(0.0)) for seed in range(30)]
    places = {next(k for k, device in enumerate(one.home.devices) if len(device.values) == 3) for one in states}
    assert places == {1, 2, 3, 4}
