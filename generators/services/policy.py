"""Rules of a house as data, with their words: the first (or the last) that applies decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from rlgym.core.rng import Rng
from rlgym.generators.services.office import Eyes, Fact, Read

T = TypeVar("T")
DEFAULT = "default"


class Rule(NamedTuple):
    kind: str
    number: int = 0
    word: str = ""


class Policy(NamedTuple):
    rules: tuple[Rule, ...]  # from the top; the one called "default" always applies
    last: bool = False  # the last that applies decides, else the first


class Facts(Protocol):
    """Facts by name; a dict is one."""

    def __getitem__(self, name: str, /) -> Any: ...


class Clause(NamedTuple):
    """What a kind of rule says.

    words    with {number} and {word}; those of the default rule begin with what comes after "Otherwise: " or "In general: "
    holds    whether it applies
    verdict  what is to be done
    """

    words: str
    holds: Callable[[Facts, Rule], bool]
    verdict: str
    numbers: Sequence[int] = (0,)
    choices: Sequence[str] = ("",)


Book = Mapping[str, Clause]


class Seen:
    """Facts that are looked up only when a rule asks for them: `where` names the look-up that shows each, or a way to find it."""

    def __init__(self, eyes: Eyes, where: Mapping[str, Read | Callable[[], Fact]], given: Mapping[str, Fact]) -> None:
        self._eyes, self._where, self._given = eyes, where, given

    def __getitem__(self, name: str, /) -> Any:
        if name in self._given:
            return self._given[name]
        way = self._where[name]
        return self._eyes.read(way).facts[name] if isinstance(way, Read) else way()


def policy(rng: Rng, book: Book, count: int, last: bool = False, always: Sequence[str] = ()) -> Policy:
    """`count` rules of a book, or all it has, in a random order, those in `always` among them, and its default."""
    kinds = [kind for kind in book if kind != DEFAULT and kind not in always]
    drawn = rng.shuffled([*always, *rng.sample(kinds, min(len(kinds), max(0, count - len(always))))])
    rules = tuple(Rule(kind, rng.choice(book[kind].numbers), rng.choice(book[kind].choices)) for kind in drawn)
    default = Rule(DEFAULT, rng.choice(book[DEFAULT].numbers), rng.choice(book[DEFAULT].choices))
    return Policy((default, *rules), True) if last else Policy((*rules, default))


def deciding(book: Book, here: Policy, facts: Facts) -> Rule:
    """The rule that decides."""
    rules = here.rules[::-1] if here.last else here.rules
    return next(rule for rule in rules if rule.kind == DEFAULT or book[rule.kind].holds(facts, rule))


def hasty(book: Book, here: Policy, facts: Facts) -> Rule:
    """The rule that would decide if the order of the rules were the other way round."""
    rules = here.rules if here.last else here.rules[::-1]
    return next((rule for rule in rules if rule.kind != DEFAULT and book[rule.kind].holds(facts, rule)), Rule(DEFAULT))


def listed(book: Book, here: Policy) -> str:
    """The rules in words, one a line, under a line that says which of them decides."""
    which = (
        "of which the last that applies decides" if here.last else "of which the first that applies decides (go through them from the top)"
    )
    return f"Rules, {which}:\n" + "\n".join(f"{k}. {_words(book, here, rule)}" for k, rule in enumerate(here.rules, 1))


def aimed(rng: Rng, book: Book, here: Policy, draw: Callable[[], T], facts: Callable[[T], Facts], tries: int = 40) -> T:
    """Something drawn on which a rule drawn beforehand decides, so that each rule is met about as often, as far as it can be reached."""
    goal = rng.choice(here.rules)
    drawn = draw()
    for _ in range(tries):
        if deciding(book, here, facts(drawn)) == goal:
            break
        drawn = draw()
    return drawn


def _words(book: Book, here: Policy, rule: Rule) -> str:
    said = book[rule.kind].words.format(number=rule.number, word=rule.word)
    return f"{'In general' if here.last else 'Otherwise'}: {said}" if rule.kind == DEFAULT else said
