"""Names of people, and invented nouns, for tasks that should not lean on what is known of the world."""

import re

from rlgym.core.rng import Rng

PEOPLE: tuple[str, ...] = tuple(
    """
Ada Ben Cleo Dan Eva Finn Gia Hugo Ines Jack Kira Leo Mia Nils Olga Paul Quinn Rosa Sam Tara Uma Vera Will Xenia Yuri Zoe
Amir Bela Carl Dora Emil Faye Gus Hana Ivo Jana Kurt Lena Max Nora Otto Pia Ravi Suri Theo Ugo Vito Wanda Yara Zeno
""".split()
)

_STARTS = ("bl", "br", "d", "f", "fl", "g", "gr", "k", "l", "m", "n", "p", "pl", "r", "sn", "t", "tr", "v", "w", "z")
_MIDDLES = ("a", "e", "i", "o", "u", "oo", "ee")
_ENDS = ("b", "ck", "d", "g", "lb", "lt", "m", "mp", "n", "nt", "p", "rk", "rn", "t", "x", "zz")


def invent(rng: Rng, count: int) -> list[str]:
    """`count` different nouns in the plural that no dictionary has, such as `flimpiks` or `grooxoons`."""
    names: dict[str, None] = {}
    while len(names) < count:
        noun = rng.choice(_STARTS) + rng.choice(_MIDDLES) + rng.choice(_ENDS) + rng.choice(("ab", "ik", "o", "oon"))
        # A letter more takes a few out of the reach of rude words.
        names[re.sub("^(fu(?=ck)|di(?=ck)|fa(?=g)|ni(?=g))", r"\1r", noun) + "s"] = None
    return list(names)
