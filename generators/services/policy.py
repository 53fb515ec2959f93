"""Rules of a house as data, with their words: the first (or the last) that applies decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from rlgym.core.rng import Rng
from rlgym.generators.services.records import Eyes, Fact, Read

T = TypeVar("T")
DEFAULT = "default"
HASTY = "hasty"


class Rule(NamedTuple):
    kind: str
    number: int = 0
    word: str = ""


class Policy(NamedTuple):
    rules: tuple[Rule, ...]  # from the top; the one called "default" always applies
    last: bool = False  # the last that applies decides, else the first


class Governed(Protocol):
    """A state with a policy."""

    @property
    def policy(self) -> Policy: ...


class Facts(Protocol):
    """Facts by name; a dict is one."""

    def __getitem__(self, name: str, /) -> Any: ...


class Clause(NamedTuple):
    """What a kind of rule says.

    words    with {number} and {word}; those of the default rule begin with what comes after "Otherwise: " or "In general: "
    holds    whether it applies
    verdict  what is to be done
    before   kinds of rules that leave it nothing to decide where they are checked first
    """

    words: str
    holds: Callable[[Facts, Rule], bool]
    verdict: str
    numbers: Sequence[int] = (0,)
    choices: Sequence[str] = ("",)
    before: tuple[str, ...] = ()


Book = Mapping[str, Clause]


class Seen:
    """Facts that are looked up only when a rule asks for them: `where` names the look-up that shows each, or a way to find it."""

    def __init__(self, eyes: Eyes, where: Mapping[str, Read | Callable[[], Fact]], given: Mapping[str, Fact]) -> None:
        self._eyes, self._where, self._given = eyes, where, given

    def __getitem__(self, name: str, /) -> Any:
        if name in self._given:
            return self._given[name]
        source = self._where[name]
        return self._eyes.read(source).facts[name] if isinstance(source, Read) else source()


def policy(rng: Rng, book: Book, count: int, last: bool = False, always: Sequence[str] = ()) -> Policy:
    """`count` rules of a book, or all it has, those in `always` among them, and its default.

    The order is random, but no rule is checked before one that it would leave nothing to decide. A rule with the default's verdict is
    drawn only with one that it overrules.
    """
    kinds = [kind for kind in book if kind != DEFAULT and kind not in always]
    drawn = list(always)
    for _ in range(100):
        drawn = [*always, *rng.sample(kinds, min(len(kinds), max(0, count - len(always))))]
        if all(book[kind].verdict != book[DEFAULT].verdict or any(other in drawn for other in book[kind].before) for kind in drawn):
            break
    drawn = _specific_first(book, rng.shuffled(drawn))[:: -1 if last else 1]
    rules = tuple(Rule(kind, rng.choice(book[kind].numbers), rng.choice(book[kind].choices)) for kind in drawn)
    default = Rule(DEFAULT, rng.choice(book[DEFAULT].numbers), rng.choice(book[DEFAULT].choices))
    return Policy((default, *rules), True) if last else Policy((*rules, default))


def deciding(book: Book, policy: Policy, facts: Facts, slip: str = "") -> Rule:
    """The rule that decides; with a slip the one that would if the rule of that kind, or the order of the rules (`hasty`), were ignored."""
    rules = policy.rules[::-1] if policy.last != (slip == HASTY) else policy.rules
    applicable = (rule for rule in rules if rule.kind not in (DEFAULT, slip) and book[rule.kind].holds(facts, rule))
    return next(applicable, next(rule for rule in rules if rule.kind == DEFAULT))


def clauses(state: Governed) -> tuple[str, ...]:
    """The kinds of the stated rules besides the default: each is the slip that ignores it."""
    return tuple(rule.kind for rule in state.policy.rules if rule.kind != DEFAULT)


def listed(book: Book, policy: Policy) -> str:
    """The rules in words, one a line, under a line that says which of them decides."""
    which = (
        "The last of these rules that applies decides"
        if policy.last
        else "The first of these rules that applies decides (check them from the top)"
    )
    return f"{which}:\n" + "\n".join(f"{k}. {_words(book, policy, rule)}" for k, rule in enumerate(policy.rules, 1))


def goals(rng: Rng, policy: Policy, count: int, first: Sequence[str] = ()) -> list[str]:
    """The kinds of rules that are to decide `count` cases, in a random order: those in `first`, then each other once, and so on."""
    kinds = [rule.kind for rule in policy.rules]
    drawn = rng.shuffled([kind for kind in kinds if kind in first])
    while len(drawn) < count:
        drawn += rng.shuffled([kind for kind in kinds if len(drawn) >= len(kinds) or kind not in drawn])
    return rng.shuffled(drawn[:count])


def aim(
    rng: Rng, book: Book, policy: Policy, goal: str, draw: Callable[[], T], effect: Callable[[T, Rule], Any] | None = None, tries: int = 100
) -> T:
    """A case that the rule of the kind `goal` decides, in half of the cases with another rule below it that applies too.

    Without the rule, or with the rules in the reverse order, something else would have to be done: `effect` says what, else the verdict
    of the rule does. Where no such case is found, one that comes close is taken.
    """

    def done(case: Any, slip: str) -> Any:
        rule = deciding(book, policy, case, slip)
        return effect(case, rule) if effect else book[rule.kind].verdict

    needed = 3 if goal == DEFAULT else 3 + rng.chance(0.6)
    best, most = draw(), -1
    for _ in range(tries):
        case: Any = draw()
        close = 0
        if deciding(book, policy, case).kind == goal:
            right = done(case, "")
            close = 1 + 2 * (goal == DEFAULT or done(case, goal) != right) + (done(case, HASTY) != right)
        if close > most:
            best, most = case, close
        if most >= needed:
            break
    return best


def _specific_first(book: Book, kinds: Sequence[str]) -> list[str]:
    kinds_left, ordered = list(kinds), list[str]()
    while kinds_left:
        free = (kind for kind in kinds_left if not any(kind in book[other].before for other in kinds_left))
        ordered.append(next(free, kinds_left[0]))
        kinds_left.remove(ordered[-1])
    return ordered


def _words(book: Book, policy: Policy, rule: Rule) -> str:
    text = book[rule.kind].words.format(number=rule.number, word=rule.word)
    return f"{'In general' if policy.last else 'Otherwise'}: {text}" if rule.kind == DEFAULT else text
