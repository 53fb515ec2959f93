"""A home of devices and rules: what a change sets off, and how any state is reached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng

NAMES = tuple("lamp heater fan blinds radio kettle pump oven gate fountain screen vent".split())
SIREN = 0  # the device that must never be on
VALUES = (("off", "on"), ("off", "low", "high"))


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


def _rings(home: Home, first: States, moves: Sequence[Move]) -> bool:
    """Whether the siren goes on in the course of these moves."""
    for move in moves:
        first = after(home, first, move)
        if first[SIREN] == "on":
            return True
    return False


def home(rng: Rng, devices: int, rules: int, indirect: int, moves: int) -> tuple[Home, States, States]:
    """A home, its states at first, and states that take `moves` moves or nearly so.

    Where such are found, the fewest moves to these states for one who does not heed the siren set it off.
    """
    best: tuple[tuple[bool, int], Home, States, States] | None = None
    for _ in range(12):
        names = rng.sample(NAMES, devices)
        hidden = rng.sample(range(devices), min(indirect, devices - 3))
        made = [Device("siren", VALUES[0], False)]
        made += [Device(name, VALUES[k == 0], k not in hidden) for k, name in enumerate(names)]
        drawn = tuple(_rule(rng, made, number) for number in range(rules))
        candidate = Home(tuple(made), drawn)
        first = ("off", *(rng.choice(device.values) for device in made[1:]))
        plans = breadth_first_search(candidate, first)
        depth = min(moves, max(map(len, plans.values())))
        far, loud = [states for states, plan in plans.items() if len(plan) == depth], breadth_first_search(without_siren(candidate), first)
        ringing = [states for states in far if _rings(candidate, first, loud[states])]
        goal, mark = rng.choice(ringing or far), (bool(ringing), depth)
        if best is None or mark > best[0]:
            best = mark, candidate, first, goal
        if mark == (True, moves):
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
