"""Deductions on candidate values in words: worked solutions, and a checker of their steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlgym.core.task import Task
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.domains import Masks, Puzzle, Rule, backtrack, bits_of, propagate
from rlgym.generators.grids.solutions import text_solution
from rlgym.solutions import Solution, Step

LAST = Step("{claim}: nothing else is left for it.")

RULE = Step("{claims}: {name} leaves no other way.")

FAIL = Step("Not {claim}: then {chain}; and no way is left for {name}.")

AT_ONCE = Step("Not {claim}: no way is left for {name}.")

CASES = Step("Not {claim}, since {cases}.")

_FAILING = " fails in each case ["


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
    """Rule a value out by a supposition that fails, or by further suppositions inside it where none does."""
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
    solution = next(backtrack(puzzle, sheet.can.copy(), Budget(10**9)))
    at = _branching(sheet)
    value = next(value for value in bits_of(sheet.can[at]) if value != solution[at])
    story = _story(sheet, at, value)
    sheet.can[at] ^= 1 << value
    sheet.close()
    return CASES.write(claim=puzzle.claim(at, 1 << value), cases=story)


def _branching(sheet: Sheet) -> int:
    """The unknown with the fewest values that do not fail at once."""
    fewest = (10**9, 10**9, -1)
    for at, mask in enumerate(sheet.can):
        if at not in sheet.done:
            left = 0
            for value in bits_of(mask):
                then = sheet.can.copy()
                then[at] = 1 << value
                left += propagate(sheet.puzzle, then, [at])
            fewest = min(fewest, (left, mask.bit_count(), at))
    return fewest[2]


def _story(sheet: Sheet, at: int, value: int) -> str:
    """Why a value cannot be: what follows one by one, and what then fails, or how each case of one more unknown fails."""
    puzzle, trial, chain = sheet.puzzle, sheet.copy(), list[tuple[int, int]]()
    trial.put(at, 1 << value)
    while not (broken := trial.broken()):
        deduction = trial.next()
        if deduction is None:
            break
        chain += deduction[1][:1]
        trial.put(*deduction[1][0])
    follows = "".join(f"{puzzle.claim(*link)}; then " for link in chain)
    if broken:
        return f"{follows}no way is left for {broken}"
    case = _branching(trial)
    cases = "".join(f"[{puzzle.claim(case, 1 << v)}, then {_story(trial, case, v)}]" for v in bits_of(trial.can[case]))
    return f"{follows}{puzzle.names[case]}{_FAILING[:-1]}{cases}"


def _fails_by(sheet: Sheet, at: int, mask: int, story: str) -> bool:
    """Whether a supposition fails as the story says."""
    puzzle, trial = sheet.puzzle, sheet.copy()
    trial.put(at, mask)
    head, _, rest = story.partition(_FAILING)
    *chain, last = head.split("; then ")
    for link in map(puzzle.read, chain):
        if not trial.says(*link):
            return False
        trial.put(*link)
    if not rest:
        return last.startswith("no way is left for ") and trial.fails(last.removeprefix("no way is left for "))
    case = puzzle.at[last]
    if case in trial.done:
        return False
    seen = 0
    for text in _split_brackets(f"[{rest}"):
        claim, _, inner = text.partition(", then ")
        other, value = puzzle.read(claim)
        if other != case or value & value - 1 or not value & trial.can[case] or seen & value or not _fails_by(trial, case, value, inner):
            return False
        seen |= value
    return seen == trial.can[case]


def _split_brackets(text: str) -> list[str]:
    """What stands in the outermost brackets, which must be all of the text."""
    parts, depth, begun = list[str](), 0, 0
    for i, sign in enumerate(text):
        if sign == "[":
            depth, begun = depth + 1, begun if depth else i + 1
        elif sign == "]":
            depth -= 1
            if not depth:
                parts.append(text[begun:i])
        if depth < 1 and sign != "]":
            raise ValueError(f"{text!r} is no list of cases in brackets")
    if depth:
        raise ValueError(f"{text!r} has a bracket that is not closed")
    return parts


def step_checker(puzzle: Puzzle, given: dict[int, int]) -> Callable[[str], bool]:
    """A judge of steps, one after the other: whether each follows from the rules and from the steps before it."""
    sheet = Sheet.of(puzzle, given)

    def follows(step: str) -> bool:
        if match := CASES.read(step):
            at, mask = puzzle.read(match["claim"])
            if mask & mask - 1 or not sheet.can[at] & mask or not _fails_by(sheet, at, mask, match["cases"]):
                return False
            sheet.can[at] ^= mask
            sheet.close()
            return True
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
