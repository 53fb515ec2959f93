"""Physical quantities with the dimensions of their units, and made-up units."""

from collections.abc import Sequence

BASES = ("kg", "m", "s", "A", "K", "mol")
# What is measured, and the powers of its unit in BASES.
KNOWN = tuple(
    (name, tuple(map(int, powers.split())))
    for name, powers in (
        line.split(":")
        for line in """a mass:1 0 0 0 0 0, a length:0 1 0 0 0 0, a time:0 0 1 0 0 0, an electric current:0 0 0 1 0 0, a temperature:0 0 0 0 1 0,
an amount of substance:0 0 0 0 0 1, a velocity:0 1 -1 0 0 0, an acceleration:0 1 -2 0 0 0, a force:1 1 -2 0 0 0, an energy:1 2 -2 0 0 0,
a power:1 2 -3 0 0 0, a pressure:1 -1 -2 0 0 0, a density:1 -3 0 0 0 0, a viscosity:1 -1 -1 0 0 0, a surface tension:1 0 -2 0 0 0,
an angular momentum:1 2 -1 0 0 0, a volume flow:0 3 -1 0 0 0, a frequency:0 0 -1 0 0 0, an electric charge:0 0 1 1 0 0,
a voltage:1 2 -3 -1 0 0, an electric resistance:1 2 -3 -2 0 0, a capacitance:-1 -2 4 2 0 0, an inductance:1 2 -2 -2 0 0,
a magnetic flux density:1 0 -2 -1 0 0, an electric field:1 1 -3 -1 0 0, a heat capacity:1 2 -2 0 -1 0,
a thermal conductivity:1 1 -3 0 -1 0, a specific heat:0 2 -2 0 -1 0, a molar mass:1 0 0 0 0 -1, a concentration:0 -3 0 0 0 1,
a molar energy:1 2 -2 0 0 -1, a molar heat capacity:1 2 -2 0 -1 -1, a diffusion constant:0 2 -1 0 0 0,
a gravitational constant:-1 3 -2 0 0 0""".replace("\n", " ").split(", ")
    )
)
NONSENSE = tuple(
    "blim drosk fennelcharge grult hovar jassity kelpflux lomb murk narth oblance prill quorn sarp tevel umbrance vark wimness".split()
)


def spell(bases: Sequence[str], powers: Sequence[int | str]) -> str:
    """kg m^2 s^(-1/2)."""
    factors = [(base, str(power)) for base, power in zip(bases, powers) if str(power) != "0"]
    return " ".join(base if power == "1" else f"{base}^{power}" if "/" not in power else f"{base}^({power})" for base, power in factors)
