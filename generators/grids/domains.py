"""Puzzles of unknowns that are each one of several values: propagated, searched, worked on paper, and read back step by step.

What an unknown can be is a mask, bit v for its value v.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rlgym.core.rng import Rng
from rlgym.core.task import Task
from rlgym.generators.grids.clues import Budget, TooMuchWork
from rlgym.generators.grids.solutions import text_solution
from rlgym.solutions import Solution, Step

Masks = list[int]
Narrow = Callable[[Masks], bool]
"""Cut the masks at what a rule leaves, in place; False where nothing is left. It must not look at what it has itself just cut."""
REASONING = ("direct", "trying")
"""What suffices: what the rules leave at once; suppositions about one unknown that fail by such deductions as well."""

LAST = Step("{claim}: nothing else is left for it.")
RULE = Step("{claims}: {name} leaves no other way.")
FAIL = Step("Not {claim}: then {chain}; and no way is left for {name}.")
AT_ONCE = Step("Not {claim}: no way is left for {name}.")


@dataclass(frozen=True)
class Rule:
    """A rule by name over some unknowns.

    A rule of `ones`, pairs of an unknown and a mask, says that exactly one of these unknowns lies in its mask; any other has `narrow`.
    """

    name: str
    scope: tuple[int, ...]
    ones: tuple[tuple[int, int], ...] = ()
    narrow: Narrow | None = None

    def cut(self, can: Masks) -> bool:
        if self.narrow:
            return self.narrow(can)
        left = -1
        for at, mask in self.ones:
            if can[at] & mask:
                if left >= 0:
                    return True
                left, allowed = at, mask
        if left < 0:
            return False
        can[left] &= allowed
        return True


def exactly_one(name: str, ones: Sequence[tuple[int, int]]) -> Rule:
    return Rule(name, tuple(at for at, _ in ones), tuple(ones))


@dataclass(frozen=True)
class Puzzle:
    """Unknowns by name with their first masks, and the words for values.

    clash   for each unknown and value, what that value rules out: pairs of another unknown and a mask
    silent  a rule that is applied without being named, after each value that is written
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    whole: tuple[int, ...]
    clash: tuple[tuple[tuple[tuple[int, int], ...], ...], ...]
    rules: tuple[Rule, ...] = ()
    silent: Narrow | None = None

    @cached_property
    def within(self) -> tuple[tuple[int, ...], ...]:
        """The rules that each unknown is in."""
        by_variable: list[list[int]] = [[] for _ in self.names]
        for i, rule in enumerate(self.rules):
            for at in dict.fromkeys(rule.scope):
                by_variable[at].append(i)
        return tuple(map(tuple, by_variable))

    @cached_property
    def touched(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The rules that may tell more when an unknown loses values, by the highest of these."""
        alone = all(not mask & mask - 1 for pairs in self.clash for by_value in pairs for _, mask in by_value)
        choices = []
        for at, rules in enumerate(self.within):
            masks = [(i, sum({m for a, m in self.rules[i].ones if a == at}) if self.rules[i].ones and alone else -1) for i in rules]
            choices.append(tuple(tuple(i for i, mask in masks if mask >> v & 1) for v in range(self.whole[at].bit_length())))
        return tuple(choices)

    @cached_property
    def at(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def value(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.values)}

    @cached_property
    def rule(self) -> dict[str, Rule]:
        return {rule.name: rule for rule in self.rules}

    def claim(self, at: int, mask: int) -> str:
        return f"{self.names[at]} is {' or '.join(self.values[v] for v in bits_of(mask))}"

    def read(self, claim: str) -> tuple[int, int]:
        name, _, listed = claim.rpartition(" is ")
        mask = 0
        for word in listed.split(" or "):
            bit = 1 << self.value[word]
            if mask >= bit:
                raise ValueError(f"{claim!r} does not list values in order")
            mask |= bit
        return self.at[name], mask


def bits_of(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def different(near: Sequence[Sequence[int]], values: int) -> tuple[tuple[tuple[tuple[int, int], ...], ...], ...]:
    """The clashes of unknowns that must differ from those near them."""
    return tuple(tuple(tuple((other, 1 << v) for other in others) for v in range(values)) for others in near)


def propagate(puzzle: Puzzle, can: Masks, fresh: Sequence[int]) -> bool:
    """Constraint propagation: narrow the masks by all that follows when those of `fresh` have changed; False for a contradiction."""
    clash, within, touched, rules = puzzle.clash, puzzle.within, puzzle.touched, puzzle.rules
    known = [at for at in fresh if not can[at] & can[at] - 1]
    due = dict.fromkeys(i for at in fresh for i in within[at])
    if not all(can[at] for at in fresh) or (puzzle.silent and not _apply_silent_rule(puzzle, can, known, due)):
        return False
    while True:
        while known:
            at = known.pop()
            moved = False
            for other, mask in clash[at][can[at].bit_length() - 1]:
                old = can[other]
                if old & mask:
                    new = old & ~mask
                    if not new:
                        return False
                    can[other] = new
                    moved = True
                    if not new & new - 1:
                        known.append(other)
                    for i in touched[other][(old & mask).bit_length() - 1]:
                        due[i] = None
            if moved and puzzle.silent and not _apply_silent_rule(puzzle, can, known, due):
                return False
        if not due:
            return True
        i = next(iter(due))
        del due[i]
        rule = rules[i]
        if rule.ones:
            left = -1
            for at, mask in rule.ones:
                if can[at] & mask:
                    if left >= 0:
                        break
                    left, allowed = at, mask
            else:
                if left < 0:
                    return False
                new = can[left] & allowed
                if new == can[left]:
                    continue
                can[left] = new
                if not new & new - 1:
                    known.append(left)
                for k in within[left]:
                    due[k] = None
                if puzzle.silent and not _apply_silent_rule(puzzle, can, known, due):
                    return False
            continue
        before = [can[at] for at in rule.scope]
        if not rule.cut(can):
            return False
        changed = False
        for at, old in zip(rule.scope, before):
            new = can[at]
            if new != old:
                changed = True
                if not new:
                    return False
                if not new & new - 1:
                    known.append(at)
                for k in within[at]:
                    due[k] = None
        if changed and puzzle.silent and not _apply_silent_rule(puzzle, can, known, due):
            return False


def _apply_silent_rule(puzzle: Puzzle, can: Masks, known: list[int], due: dict[int, None]) -> bool:
    before = can.copy()
    assert puzzle.silent is not None
    if not puzzle.silent(can):
        return False
    for at, (old, new) in enumerate(zip(before, can)):
        if old != new:
            if not new:
                return False
            if not new & new - 1:
                known.append(at)
            due.update(dict.fromkeys(puzzle.within[at]))
    return True


def propagate_givens(puzzle: Puzzle, given: dict[int, int]) -> Masks | None:
    """The masks after all deductions from given values; None for a contradiction."""
    can = list(puzzle.whole)
    for at, value in given.items():
        can[at] &= 1 << value
    return can if propagate(puzzle, can, range(len(can))) else None


def backtrack(puzzle: Puzzle, can: Masks, budget: Budget, rng: Rng | None = None) -> Iterator[list[int]]:
    """Every solution within propagated masks, by backtracking, as values; an Rng shuffles the order of branches."""
    open_ones = [(mask.bit_count(), at) for at, mask in enumerate(can) if mask & mask - 1]
    if not open_ones:
        yield [mask.bit_length() - 1 for mask in can]
        return
    at = min(open_ones)[1]
    values = list(bits_of(can[at]))
    for value in rng.shuffled(values) if rng else values:
        budget.spend()
        then = can.copy()
        then[at] = 1 << value
        if propagate(puzzle, then, [at]):
            yield from backtrack(puzzle, then, budget, rng)


def solve(puzzle: Puzzle, given: dict[int, int]) -> list[int]:
    can = propagate_givens(puzzle, given)
    if can is None:
        raise ValueError("the puzzle contradicts itself")
    return next(backtrack(puzzle, can, Budget(10**9)))


def has_one_solution(puzzle: Puzzle, given: dict[int, int], steps: int) -> bool:
    """Whether there is one solution; False also when that takes more than `steps` suppositions to prove."""
    can = propagate_givens(puzzle, given)
    if can is None:
        return False
    try:
        solutions = backtrack(puzzle, can, Budget(steps))
        return next(solutions, None) is not None and next(solutions, None) is None
    except TooMuchWork:
        return False


def singleton_consistency(puzzle: Puzzle, can: Masks) -> int:
    """Singleton consistency: rule out, in place, each value that propagation refutes; how many were refuted."""
    failed, start, size = 0, 0, len(can)
    while any(mask & mask - 1 for mask in can):
        for k in range(size):
            at = (start + k) % size
            if can[at] & can[at] - 1 and _fails(puzzle, can, at):
                failed, start = failed + 1, at
                break
        else:
            return failed
    return failed


def _fails(puzzle: Puzzle, can: Masks, at: int) -> bool:
    for value in bits_of(can[at]):
        then = can.copy()
        then[at] = 1 << value
        if not propagate(puzzle, then, [at]):
            can[at] ^= 1 << value
            if not propagate(puzzle, can, [at]):
                raise ValueError("the puzzle contradicts itself")
            return True
    return False


def deducible(puzzle: Puzzle, given: dict[int, int], reasoning: str) -> bool:
    """Whether this kind of reasoning finds the solution, which proves it unique as well."""
    can = propagate_givens(puzzle, given)
    if can is None:
        return False
    if reasoning == "trying":
        singleton_consistency(puzzle, can)
    return not any(mask & mask - 1 for mask in can)


def add_givens(rng: Rng, puzzle: Puzzle, right: Sequence[int], given: dict[int, int], reasoning: str) -> dict[int, int]:
    """The given values, and more where the reasoning would be stuck otherwise."""
    givens, can = dict(given), propagate_givens(puzzle, given)
    assert can is not None
    while True:
        if reasoning == "trying":
            singleton_consistency(puzzle, can)
        left = [at for at, mask in enumerate(can) if mask & mask - 1]
        if not left:
            return givens
        most = max(can[at].bit_count() for at in left)
        at = rng.choice([at for at in left if can[at].bit_count() == most])
        givens[at] = right[at]
        can[at] = 1 << right[at]
        propagate(puzzle, can, [at])


def choose_givens(rng: Rng, puzzle: Puzzle, right: Sequence[int], least: int, reasoning: str, steps: int = 12) -> dict[int, int]:
    """At least `least` given values that leave one solution which the reasoning finds; few are superfluous."""
    given = add_givens(rng, puzzle, right, {}, "direct")
    if reasoning == "trying":
        for at in rng.shuffled(sorted(given)):
            if len(given) > least:
                fewer = {other: value for other, value in given.items() if other != at}
                given = fewer if has_one_solution(puzzle, fewer, steps) else given
        given = add_givens(rng, puzzle, right, given, "trying")
    more = rng.shuffled([at for at in range(len(right)) if at not in given])[: max(0, least - len(given))]
    return given | {at: right[at] for at in more}


def effort(puzzle: Puzzle, given: dict[int, int]) -> float:
    """Work of a good solver: values to rule out, and all unknowns to look at for each supposition that fails."""
    can = propagate_givens(puzzle, given)
    assert can is not None
    return sum(mask.bit_count() for mask in puzzle.whole) - len(given) + 2.0 * len(can) * singleton_consistency(puzzle, can)


class Sheet:
    """A puzzle under work on paper: what each unknown can be, and which are written in."""

    def __init__(self, puzzle: Puzzle, can: Masks, done: set[int]) -> None:
        self.puzzle, self.can, self.done = puzzle, can, done

    @classmethod
    def of(cls, puzzle: Puzzle, given: dict[int, int]) -> Sheet:
        sheet = cls(puzzle, list(puzzle.whole), set())
        for at, value in given.items():
            sheet.put(at, 1 << value)
        sheet.close()
        return sheet

    def copy(self) -> Sheet:
        return Sheet(self.puzzle, self.can.copy(), set(self.done))

    def put(self, at: int, mask: int) -> None:
        """Cut an unknown to a mask; a single value is written in, and what clashes with it is ruled out."""
        self.can[at] &= mask
        if self.can[at] and not self.can[at] & self.can[at] - 1 and at not in self.done:
            self.done.add(at)
            for other, out in self.puzzle.clash[at][self.can[at].bit_length() - 1]:
                self.can[other] &= ~out
            self.close()

    def close(self) -> None:
        if self.puzzle.silent:
            self.puzzle.silent(self.can)

    def left_by(self, rule: Rule) -> list[tuple[int, int]] | None:
        """What a rule newly says, as unknowns with their masks; None where it leaves nothing."""
        then = self.can.copy()
        if not rule.cut(then) or not all(then[at] for at in rule.scope):
            return None
        return [(at, then[at]) for at in dict.fromkeys(rule.scope) if then[at] != self.can[at]]

    def broken(self) -> str:
        """What no way is left for; empty where all is possible."""
        at = next((at for at, mask in enumerate(self.can) if not mask), None)
        if at is not None:
            return self.puzzle.names[at]
        return next((rule.name for rule in self.puzzle.rules if self.left_by(rule) is None), "")

    def fails(self, name: str) -> bool:
        if name in self.puzzle.at and not self.can[self.puzzle.at[name]]:
            return True
        return name in self.puzzle.rule and self.left_by(self.puzzle.rule[name]) is None

    def says(self, at: int, mask: int) -> bool:
        """Whether some rule, or what is left, cuts this unknown to exactly this mask, which is news."""
        if at in self.done or not mask:
            return False
        if self.can[at] == mask and not mask & mask - 1:
            return True
        return any((at, mask) in (self.left_by(self.puzzle.rules[i]) or ()) for i in self.puzzle.within[at])

    def next(self) -> tuple[str, list[tuple[int, int]]] | None:
        """One deduction: a rule's name, or "" for a last value, and what it says."""
        for at, mask in enumerate(self.can):
            if at not in self.done and mask and not mask & mask - 1:
                return "", [(at, mask)]
        rest: tuple[str, list[tuple[int, int]]] | None = None
        for rule in self.puzzle.rules:
            claims = self.left_by(rule)
            if claims and any(not mask & mask - 1 for _, mask in claims):
                return rule.name, claims
            rest = rest or (claims and (rule.name, claims)) or None
        return rest

    def refutation(self, at: int, value: int) -> tuple[list[tuple[int, int]], str] | None:
        """What follows one by one from a supposition, and what then fails; None where nothing does."""
        trial, chain = self.copy(), []
        trial.put(at, 1 << value)
        while not (broken := trial.broken()):
            deduction = trial.next()
            if deduction is None:
                return None
            # a rule with several conclusions is quoted one conclusion at a time
            chain += deduction[1][:1]
            trial.put(*deduction[1][0])
        return self._shorten(at, value, chain, broken), broken

    def _shorten(self, at: int, value: int, chain: list[tuple[int, int]], broken: str) -> list[tuple[int, int]]:
        k = len(chain) - 1
        while k >= 0:
            fewer = chain[:k] + chain[k + 1 :]
            chain = fewer if self.leads(at, value, fewer, broken) else chain
            k -= 1
        return chain

    def leads(self, at: int, value: int, chain: Sequence[tuple[int, int]], broken: str) -> bool:
        trial = self.copy()
        trial.put(at, 1 << value)
        for link in chain:
            if not trial.says(*link):
                return False
            trial.put(*link)
        return trial.fails(broken)


def explain(puzzle: Puzzle, given: dict[int, int]) -> list[str]:
    """The way to the only solution of a puzzle that `deducible` finds by trying, a deduction a step."""
    sheet, steps = Sheet.of(puzzle, given), []
    while len(sheet.done) < len(puzzle.names):
        if deduction := sheet.next():
            name, said = deduction
            claims = "; ".join(puzzle.claim(*claim) for claim in said)
            steps.append(RULE.write(claims=claims, name=name) if name else LAST.write(claim=claims))
            for claim in said:
                sheet.put(*claim)
        else:
            steps.append(_failed_literal(sheet))
    return steps


def _failed_literal(sheet: Sheet) -> str:
    """Rule a value out by a supposition that fails."""
    puzzle = sheet.puzzle
    order = sorted((mask.bit_count(), at) for at, mask in enumerate(sheet.can) if at not in sheet.done)
    for _, at in order:
        for value in bits_of(sheet.can[at]):
            then = sheet.can.copy()
            then[at] = 1 << value
            if propagate(puzzle, then, [at]):
                continue
            refutation = sheet.refutation(at, value)
            if refutation is not None:
                chain, name = refutation
                sheet.can[at] ^= 1 << value
                sheet.close()
                claim, chain_text = puzzle.claim(at, 1 << value), "; then ".join(puzzle.claim(*link) for link in chain)
                return FAIL.write(claim=claim, chain=chain_text, name=name) if chain else AT_ONCE.write(claim=claim, name=name)
    raise ValueError("suppositions about one unknown tell no more")


def step_checker(puzzle: Puzzle, given: dict[int, int]) -> Callable[[str], bool]:
    """A judge of steps, one after the other: whether each follows from the rules and from the steps before it."""
    sheet = Sheet.of(puzzle, given)

    def follows(step: str) -> bool:
        if match := FAIL.read(step) or AT_ONCE.read(step):
            at, mask = puzzle.read(match["claim"])
            chain = [puzzle.read(link) for link in match["chain"].split("; then ")] if "chain" in match else []
            if mask & mask - 1 or not sheet.can[at] & mask or not sheet.leads(at, mask.bit_length() - 1, chain, match["name"]):
                return False
            sheet.can[at] ^= mask
            sheet.close()
            return True
        if match := LAST.read(step):
            at, mask = puzzle.read(match["claim"])
            if at in sheet.done or sheet.can[at] != mask or mask & mask - 1:
                return False
            sheet.put(at, mask)
            return True
        if match := RULE.read(step):
            claims = [puzzle.read(claim) for claim in match["claims"].split("; ")]
            if match["name"] not in puzzle.rule or not claims or sheet.left_by(puzzle.rule[match["name"]]) != claims:
                return False
            for claim in claims:
                sheet.put(*claim)
            return True
        return False

    return follows


def plain_backtrack(puzzle: Puzzle, given: dict[int, int], right: Callable[[list[int]], bool]) -> Iterator[list[int]]:
    """Every solution by plain backtracking without propagation; the unknown with the fewest values left comes next.

    `right` judges full assignments by the rules of the puzzle; the rules with `ones` are used to stop early.
    """
    written: dict[int, int] = {}
    out = [[0] * len(puzzle.values) for _ in puzzle.names]  # how many written values rule this value out

    def put(at: int, value: int, sign: int) -> None:
        for other, mask in puzzle.clash[at][value]:
            for v in bits_of(mask):
                out[other][v] += sign

    def options(at: int) -> list[int]:
        allowed = [given[at]] if at in given else bits_of(puzzle.whole[at])
        return [v for v in allowed if not out[at][v]]

    def branches() -> list[tuple[int, int]]:
        best: list[tuple[int, int]] | None = None
        for at in range(len(puzzle.names)):
            if at not in written:
                candidates = [(at, v) for v in options(at)]
                if best is None or len(candidates) < len(best):
                    best = candidates
                    if len(candidates) < 2:
                        return candidates
        for rule in puzzle.rules:
            if rule.ones and not any(at in written and mask >> written[at] & 1 for at, mask in rule.ones):
                candidates = [(at, v) for at, mask in rule.ones if at not in written for v in options(at) if mask >> v & 1]
                if best is None or len(candidates) < len(best):
                    best = candidates
                    if len(candidates) < 2:
                        return candidates
        return best or []

    def going() -> Iterator[list[int]]:
        if len(written) == len(puzzle.names):
            full = [written[at] for at in range(len(written))]
            if right(full):
                yield full
            return
        for at, value in branches():
            written[at] = value
            put(at, value, 1)
            yield from going()
            put(at, value, -1)
            del written[at]

    yield from going()


def solution(
    puzzle: Callable[[Any], Puzzle], closing: str, opening: str, given: Callable[[Any], dict[int, int]] = lambda data: {}
) -> Solution[Any]:
    """The solution of tasks whose data `puzzle` and `given` read. The `opening` stands first, and may be repeated anywhere."""

    def write(task: Task[Any]) -> list[str]:
        return [opening, *explain(puzzle(task.data), given(task.data))]

    def checker(task: Task[Any]) -> Callable[[str], bool]:
        follows = step_checker(puzzle(task.data), given(task.data))
        return lambda step: step == opening or follows(step)

    return text_solution(write, checker, closing)
