"""Ideal gases: changes one after another, and chambers between free pistons."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science.quantities import Working

SAID = {
    "volume": (
        "At constant temperature the volume is changed to {a} L.",
        "A piston brings the gas to a volume of {a} L; the temperature stays the same.",
        "The gas is brought to {a} L without any change of temperature.",
        "Slowly, and at constant temperature, the volume becomes {a} L.",
    ),
    "heat": (
        "At constant volume the temperature is brought to {a}.",
        "With the volume kept, the gas is heated or cooled to {a}.",
        "The temperature becomes {a}; the volume stays the same.",
        "In the closed vessel of unchanged volume the gas comes to {a}.",
    ),
    "leak": (
        "{a}% of the gas is let out, at constant volume and temperature.",
        "Through a valve {a}% of the molecules leave; volume and temperature stay the same.",
        "The vessel loses {a}% of its molecules, at the same volume and temperature.",
        "A pump takes {a}% of the molecules out of the vessel, with volume and temperature unchanged.",
    ),
    "join": (
        "A valve to another vessel of {a} L is opened. That vessel holds gas at {b} and the same temperature; from then on both together count as the vessel.",
        "The vessel is permanently connected to one of {a} L that holds gas at {b} and the same temperature; from then on both together count as the vessel.",
        "The vessel is connected to another vessel of {a} L, which holds gas at {b} and the same temperature; from then on both together count as the vessel.",
    ),
    "warm": (
        "An empty vessel of {a} L, which is kept at {b}, is connected to this one until the pressures are equal, then closed and removed; the gas that stays "
        "behind keeps its temperature.",
        "Gas flows into an empty vessel of {a} L that is held at {b}, until the pressures are equal; then that vessel is closed and removed. The gas that "
        "stays behind keeps its temperature.",
    ),
}


class Part(TaskData):
    """A change, or a chamber (kind chamber: volume, pressure, first and last temperature)."""

    kind: str
    numbers: tuple[str, ...]  # litres, kilopascals, kelvins, percent
    celsius: bool
    bar: bool


def by_amounts(parts: Sequence[Part]) -> Fraction:
    """The final pressure by amounts of gas, pV/T."""
    volume, filled, warm, _ = map(Fraction, parts[0].numbers)
    if parts[-1].kind == "chamber":
        every = [[Fraction(number) for number in part.numbers] for part in parts]
        return sum((v * p / t * u for v, p, t, u in every), Fraction(0)) / sum((container[0] for container in every), Fraction(0))
    amount = volume * filled / warm
    for part in parts[1:]:
        first, *rest = map(Fraction, part.numbers)
        if part.kind == "volume":
            volume = first
        elif part.kind == "heat":
            warm = first
        elif part.kind == "leak":
            amount *= 1 - first / 100
        elif part.kind == "join":
            amount, volume = amount + first * rest[0] / warm, volume + first
        else:
            amount *= (volume / warm) / (volume / warm + first / rest[0])
    return amount * warm / volume


State = tuple[Fraction, Fraction, Fraction]  # pressure, volume and temperature


def change(state: State, part: Part) -> State:
    """The gas after a change."""
    pressure, volume, warm = state
    first, *rest = map(Fraction, part.numbers)
    if part.kind == "volume":
        return pressure * volume / first, first, warm
    if part.kind == "heat":
        return pressure * first / warm, volume, first
    if part.kind == "leak":
        return pressure * (100 - first) / 100, volume, warm
    if part.kind == "join":
        return (pressure * volume + first * rest[0]) / (volume + first), volume + first, warm
    return pressure * volume / (volume + first * warm / rest[0]), volume, warm


def best_order(parts: Sequence[Part], limit: int) -> tuple[Fraction, tuple[int, ...]] | None:
    """The greatest last pressure of all orders of the changes, with the order; the pressure is never above the limit. None if no order is possible."""
    volume, pressure, warm, _ = map(Fraction, parts[0].numbers)
    best: tuple[Fraction, tuple[int, ...]] | None = None
    stack: list[tuple[State, tuple[int, ...]]] = [((pressure, volume, warm), ())]
    while stack:
        state, order = stack.pop()
        if state[0] > limit:
            continue
        if len(order) == len(parts) - 1 and (best is None or state[0] > best[0]):
            best = state[0], order
        stack += [(change(state, parts[k]), (*order, k)) for k in range(1, len(parts)) if k not in order]
    return best


def best_by_amounts(parts: Sequence[Part], limit: int) -> Fraction:
    """The same pressure, by the amounts of gas after each beginning of each order."""
    last = Fraction(0)
    bearable: dict[tuple[int, ...], bool] = {}
    for order in permutations(range(1, len(parts))):
        for count in range(1, len(order) + 1):
            start = order[:count]
            if start not in bearable:
                bearable[start] = bearable.get(start[:-1], True) and by_amounts([parts[0], *(parts[k] for k in start)]) <= limit
            if not bearable[start]:
                break
        else:
            last = max(last, by_amounts([parts[0], *(parts[k] for k in order)]))
    return last


def chamber(rng: Rng, celsius: int, bars: int) -> Part:
    """A chamber; the chances of degrees Celsius and of bars are in percent."""
    numbers = (str(rng.integer(2, 40)), str(10 * rng.integer(3, 60)), kelvin(rng), kelvin(rng))
    return Part(kind="chamber", numbers=numbers, celsius=rng.chance(celsius / 100), bar=rng.chance(bars / 100))


def kelvin(rng: Rng) -> str:
    """Some temperature."""
    return str(rng.integer(20, 60) * 10 + rng.choice((0, 3)))


def temperature(kelvin: str, celsius: bool) -> str:
    """A temperature as the prompt says it."""
    return f"{int(kelvin) - 273} degrees Celsius" if celsius else f"{kelvin} K"


def pressure(kilopascals: str, bar: bool) -> str:
    """A pressure as the prompt says it."""
    return f"{format_decimal(Fraction(kilopascals) / 100)} bar" if bar else f"{kilopascals} kPa"


def working(parts: Sequence[Part], order: Sequence[int] = ()) -> Working:
    """The pressure from change to change, in an order of their numbers or in their own; or pV of every chamber."""
    work = Working("0 1 2 100 273")

    def convert_to_kelvin(name: str, value: str, celsius: bool) -> Fraction:
        return work.add(name, "K", "{} + 273", int(value) - 273) if celsius else Fraction(value)

    def convert_to_kilopascals(name: str, value: str, bar: bool) -> Fraction:
        return work.add(name, "kPa", "{} * 100", Fraction(value) / 100) if bar else Fraction(value)

    first = parts[0]
    if parts[-1].kind == "chamber":
        shares, volumes = list[Fraction](), [Fraction(part.numbers[0]) for part in parts]
        for k, part in enumerate(parts, 1):
            before, after = (
                convert_to_kelvin(f"{when} temperature of chamber {k}", part.numbers[i], part.celsius)
                for i, when in ((2, "first"), (3, "last"))
            )
            pressed = convert_to_kilopascals(f"pressure of chamber {k}", part.numbers[1], part.bar)
            shares.append(
                work.add(f"pV of chamber {k} at its last temperature", "kPa L", "{} * {} * {} / {}", volumes[k - 1], pressed, after, before)
            )
        total_volume = work.total("volume of the cylinder", "L", volumes)
        work.add("final pressure", "kPa", "{} / {}", work.total("all pV", "kPa L", shares), total_volume)
        return work
    volume, kelvin = Fraction(first.numbers[0]), convert_to_kelvin("first temperature", first.numbers[2], first.celsius)
    now = convert_to_kilopascals("first pressure", first.numbers[1], first.bar)
    for k in order or range(1, len(parts)):
        part = parts[k]
        a, name = Fraction(part.numbers[0]), f"pressure after change {k}"
        if part.kind == "volume":
            now, volume = work.add(name, "kPa", "{} * {} / {}", now, volume, a), a
        elif part.kind == "heat":
            new = convert_to_kelvin(f"temperature after change {k}", part.numbers[0], part.celsius)
            now, kelvin = work.add(name, "kPa", "{} * {} / {}", now, new, kelvin), new
        elif part.kind == "leak":
            now = work.add(name, "kPa", "{} * (100 - {}) / 100", now, a)
        elif part.kind == "join":
            other = convert_to_kilopascals(f"pressure of the vessel in change {k}", part.numbers[1], part.bar)
            both = work.add(f"volume after change {k}", "L", "{} + {}", volume, a)
            now, volume = work.add(name, "kPa", "({} * {} + {} * {}) / {}", now, volume, other, a, both), both
        else:
            new = convert_to_kelvin(f"temperature of the vessel in change {k}", part.numbers[1], part.celsius)
            now = work.add(name, "kPa", "{} * ({} / {}) / ({} / {} + {} / {})", now, volume, kelvin, volume, kelvin, a, new)
    return work
