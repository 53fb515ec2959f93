"""Things that differ in named attributes, such as people with a hat and a coat of some colour."""

from collections.abc import Sequence

from rlgym.core.rng import Rng

ATTRIBUTES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("hat", ("red", "blue", "green", "white", "brown")),
    ("coat", ("short", "long", "torn", "striped", "plain")),
    ("bag", ("leather", "linen", "paper", "canvas", "straw")),
    ("voice", ("loud", "soft", "hoarse", "high", "deep")),
    ("umbrella", ("wide", "small", "folded", "broken", "patched")),
)
"""All values differ, so that a value names its attribute."""

Item = tuple[str, ...]


def sample_items(rng: Rng, count: int, attributes: int, values: int) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], list[Item]]:
    """Attributes with so many values each, and at most so many different items."""
    chosen = tuple((name, tuple(rng.sample(options, values))) for name, options in rng.sample(ATTRIBUTES, attributes))
    items = dict.fromkeys(tuple(rng.choice(options) for _, options in chosen) for _ in range(3 * count))
    return chosen, list(items)[:count]


def describe_items(names: Sequence[str], attributes: Sequence[tuple[str, tuple[str, ...]]], items: Sequence[Item]) -> str:
    """One line for each item."""
    return "\n".join(
        f"- {name}: " + ", ".join(f"{attribute} {value}" for (attribute, _), value in zip(attributes, item, strict=True))
        for name, item in zip(names, items, strict=True)
    )
