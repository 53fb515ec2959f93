"""A home of devices and rules: what a change sets off, and how any state is reached."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng

NAMES = tuple("lamp heater fan boiler radio kettle pump oven gate fountain screen vent".split())
SIREN = 0  # the device that must never be on
VALUES = (("off", "on"), ("off", "low", "high"))
ROUNDS = 24  # homes drawn at most for one task
RINGING_SHARE = 0.5  # of the shortest plans of one who does not heed the siren, that set it off
DIRECT_CHANCE = 0.25  # at most, of reaching the goal by setting devices to what is wanted, in any order


class Device(NamedTuple):
    name: str
    values: tuple[str, ...]
    switch: bool  # it can be set by hand; others are set by rules alone


class Rule(NamedTuple):
    """When `device` changes to `value`, and `other` (if any, else -1) is `state`, then `target` is set to `new`."""

    device: int
    value: str
    other: int
    state: str
    target: int
    new: str


class Home(NamedTuple):
    devices: tuple[Device, ...]
    rules: tuple[Rule, ...]


States = tuple[str, ...]
Move = tuple[int, str]


def after(home: Home, states: States, move: Move) -> States:
    """The states after a device is set by hand. Changes are worked off in order, for each all rules in order, each rule once at most."""
    now = list(states)
    if now[move[0]] == move[1]:
        return states
    now[move[0]] = move[1]
    changed, fired = [move], set[int]()
    for change in changed:
        for number, rule in enumerate(home.rules):
            if (rule.device, rule.value) != change or number in fired or now[rule.target] == rule.new:
                continue
            if rule.other < 0 or now[rule.other] == rule.state:
                fired.add(number)
                now[rule.target] = rule.new
                changed.append((rule.target, rule.new))
    return tuple(now)


@lru_cache(256)
def breadth_first_search(home: Home, first: States) -> dict[States, tuple[Move, ...]]:
    """The fewest moves to every state that is reached without the siren."""
    plans: dict[States, tuple[Move, ...]] = {first: ()}
    queue = [first]
    moves = [(k, value) for k, device in enumerate(home.devices) if device.switch for value in device.values]
    for states in queue:
        for move in moves:
            there = after(home, states, move)
            if there not in plans and there[SIREN] == "off":
                plans[there] = (*plans[states], move)
                queue.append(there)
    return plans


def without_siren(home: Home) -> Home:
    return home._replace(rules=tuple(rule for rule in home.rules if rule.target != SIREN))


def ringing_shares(home: Home, first: States) -> dict[States, float]:
    """For every state, with the siren off, the share of its shortest plans that set the siren off, for one who does not heed it.

    The order in which the devices are listed does not count.
    """
    # The depth of a state, the number of its shortest plans, and of those without the siren.
    depths, plans, silent = {first: 0}, {first: 1}, {first: 1}
    moves = [(k, value) for k, device in enumerate(home.devices) if device.switch for value in device.values]
    queue = [first]
    for states in queue:
        for move in moves:
            siren, *others = after(home, states, move)
            there = ("off", *others)
            if there not in depths:
                depths[there], plans[there], silent[there] = depths[states] + 1, 0, 0
                queue.append(there)
            if depths[there] == depths[states] + 1:
                plans[there] += plans[states]
                silent[there] += silent[states] if siren == "off" else 0
    return {states: 1 - silent[states] / plans[states] for states in plans}


def chance_of_setting_directly(home: Home, first: States, goal: States, most: int) -> float:
    """The chance of one who does not know the rules: sets a device that differs to what is wanted, any of them, looks, and goes on, `most` times at most."""
    known: dict[tuple[States, int], float] = {}

    def chance(states: States, left: int) -> float:
        if states == goal or states[SIREN] == "on":
            return float(states == goal)
        wrong = [k for k, device in enumerate(home.devices) if device.switch and states[k] != goal[k]]
        if not left or not wrong:
            return 0.0
        if (states, left) not in known:
            known[states, left] = sum(chance(after(home, states, (k, goal[k])), left - 1) for k in wrong) / len(wrong)
        return known[states, left]

    return chance(first, most)


def home(rng: Rng, devices: int, rules: int, indirect: int, moves: int, spare: int) -> tuple[Home, States, States]:
    """A home, its states at first, and states that take `moves` moves or nearly so.

    Where such are found, most of the shortest plans to these states of one who does not heed the siren set it off, and one who sets devices directly to what
    is wanted, in any order, seldom gets there in `spare` moves more.
    """
    best: tuple[tuple[bool, int, float], Home, States, States] | None = None
    for _ in range(ROUNDS):
        names = rng.sample(NAMES, devices)
        hidden = rng.sample(range(devices), min(indirect, devices - 3))
        of_three = rng.integer(0, devices - 1)
        made = [Device("siren", VALUES[0], False)]
        made += [Device(name, VALUES[k == of_three], k not in hidden) for k, name in enumerate(names)]
        drawn = tuple(_rule(rng, made, number) for number in range(rules))
        candidate = Home(tuple(made), drawn)
        first = ("off", *(rng.choice(device.values) for device in made[1:]))
        plans = breadth_first_search(candidate, first)
        depth = min(moves, max(map(len, plans.values())))
        far, shares = [states for states, plan in plans.items() if len(plan) == depth], ringing_shares(candidate, first)
        ringing = [states for states in far if shares[states] >= RINGING_SHARE]
        goal = rng.choice(ringing or far)
        chance = chance_of_setting_directly(candidate, first, goal, depth + spare)
        mark = bool(ringing), depth, -max(chance, DIRECT_CHANCE)
        if best is None or mark > best[0]:
            best = mark, candidate, first, goal
        if mark == (True, moves, -DIRECT_CHANCE):
            break
    assert best is not None, "a home is drawn in each round"
    return best[1:]


def _rule(rng: Rng, devices: list[Device], number: int) -> Rule:
    device, other, target = rng.sample(range(1, len(devices)), 3)
    other = other if rng.chance(0.5) else -1
    # Every fourth rule sets the siren off.
    target, new = (SIREN, "on") if number % 4 == 3 else (target, rng.choice(devices[target].values))
    state = rng.choice(devices[other].values) if other >= 0 else ""
    return Rule(device, rng.choice(devices[device].values), other, state, target, new)
