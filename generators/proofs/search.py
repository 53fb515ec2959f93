"""A complete search for Fitch proofs: goals are taken apart, facts are used up, and what is left is refuted case by case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from rlgym.generators.logic.formulas import Formula, write
from rlgym.generators.proofs.notation import FALSE


class Stuck(Exception):
    """There is no proof, or none within the work allowed."""


@dataclass(eq=False)
class Step:
    """A line of a proof that is being built; `uses` names other lines and whole subproofs."""

    formula: Formula
    rule: str
    uses: tuple[Step | Block, ...] = ()


@dataclass(eq=False)
class Block:
    """A subproof, or the whole proof: its first line is the assumption."""

    lines: list[Step | Block] = field(default_factory=list)
    last: Step | None = None


@dataclass
class _State:
    """What is known in a block, and the facts of this branch that are not used up yet."""

    block: Block
    known: dict[Formula, Step]
    pending: list[Formula]
    met: set[Formula]

    def inner(self) -> _State:
        return _State(Block(), dict(self.known), list(self.pending), set(self.met))

    def again(self) -> _State:
        return _State(self.block, self.known, list(self.pending), set(self.met))


def proof(premises: Sequence[Formula], goal: Formula, most: int, *, indirectly: bool = False) -> list[str]:
    """The lines of a proof; with `indirectly` the conclusion's negation is refuted. Stuck if it takes over `most` steps of work."""
    search = _Search(most)
    state = _State(Block(), {}, [], set())
    for premise in premises:
        search.learn(state, premise, "premise")
    last = search.by_contradiction(goal, state) if indirectly else search.prove(goal, state)
    if last not in state.block.lines:
        last = search.add(state, goal, "copy", last)
    return _number(state.block, last)


def _not(formula: Formula) -> Formula:
    return Formula("not", (formula,))


class _Search:
    def __init__(self, most: int) -> None:
        self._left = most

    def add(self, state: _State, formula: Formula, rule: str, *uses: Step | Block) -> Step:
        self._left -= 1
        if self._left < 0:
            raise Stuck
        step = Step(formula, rule, uses)
        state.block.lines.append(step)
        known = state.known
        known.setdefault(formula, step)
        # Facts that contradict each other are noticed at once, or one of them would be dropped as saying nothing new.
        denial = _not(formula)
        if formula != FALSE and FALSE not in known and (denial in known or (formula.head == "not" and formula.parts[0] in known)):
            pair = (step, known[denial]) if denial in known else (known[formula.parts[0]], step)
            self.add(state, FALSE, "notE", *pair)
        return step

    def learn(self, state: _State, formula: Formula, rule: str, *uses: Step | Block) -> None:
        if formula not in state.known:
            self.add(state, formula, rule, *uses)
        if formula not in state.met:
            state.met.add(formula)
            state.pending.append(formula)

    def supposing(self, state: _State, assumption: Formula, then: Callable[[_State], Step]) -> Block:
        """A subproof from the assumption to what `then` proves."""
        inner = state.inner()
        inner.known.pop(assumption, None)
        self.add(inner, assumption, "assume")
        if assumption not in inner.met:
            inner.met.add(assumption)
            inner.pending.append(assumption)
        last = then(inner)
        if last not in inner.block.lines:
            last = self.add(inner, last.formula, "copy", last)
        inner.block.last = last
        state.block.lines.append(inner.block)
        return inner.block

    def prove(self, goal: Formula, state: _State) -> Step:
        self._saturate(state)
        known = state.known
        if goal in known:
            return known[goal]
        if FALSE in known:
            return self.add(state, goal, "falseE", known[FALSE])
        match goal.head:
            case "and":
                parts = [self.prove(part, state.again()) for part in goal.parts]
                return self.add(state, goal, "andI", *parts)
            case "implies":
                return self.add(state, goal, "ifI", self._towards(state, goal.parts[0], goal.parts[1]))
            case "iff":
                a, b = goal.parts
                return self.add(state, goal, "iffI", self._towards(state, a, b), self._towards(state, b, a))
            case "not":
                return self.add(state, goal, "notI", self._towards(state, goal.parts[0], FALSE))
            case "or" if any(part in known for part in goal.parts):
                return self.add(state, goal, "orI", next(known[part] for part in goal.parts if part in known))
        if _not(goal) in known:
            return self.add(state, goal, "falseE", self.prove(FALSE, state))
        split = next((fact for fact in state.pending if fact.head == "or"), None)
        if split is not None:
            state.pending.remove(split)
            cases = [self._towards(state, part, goal) for part in split.parts]
            return self.add(state, goal, "orE", known[split], *cases)
        return self._refute(state) if goal == FALSE else self.by_contradiction(goal, state)

    def by_contradiction(self, goal: Formula, state: _State) -> Step:
        refuted = self.add(state, _not(_not(goal)), "notI", self._towards(state, _not(goal), FALSE))
        return self.add(state, goal, "dn", refuted)

    def _towards(self, state: _State, assumption: Formula, goal: Formula) -> Block:
        return self.supposing(state, assumption, lambda inner: self.prove(goal, inner))

    def _refute(self, state: _State) -> Step:
        """false, by using up a fact that is not a case distinction."""
        for fact in state.pending:
            if fact.head == "iff":
                state.pending.remove(fact)
                for a, b in (fact.parts, fact.parts[::-1]):
                    block = self.supposing(state, a, lambda inner, b=b: self.add(inner, b, "iffE", inner.known[fact], inner.known[a]))  # type: ignore[misc]  # noqa: B023
                    self.learn(state, Formula("implies", (a, b)), "ifI", block)
                return self.prove(FALSE, state)
        for fact in state.pending:
            if fact.head == "implies":
                state.pending.remove(fact)
                antecedent = self.prove(fact.parts[0], state.again())
                self.learn(state, fact.parts[1], "ifE", state.known[fact], antecedent)
                return self.prove(FALSE, state)
        for fact in state.pending:
            if fact.head == "not" and fact.parts[0].parts:
                state.pending.remove(fact)
                inner = self.prove(fact.parts[0], state.again())
                return self.add(state, FALSE, "notE", inner, state.known[fact])
        raise Stuck

    def _saturate(self, state: _State) -> None:
        """Everything that follows without a case distinction; facts that say nothing more are dropped."""
        moved = True
        while moved and FALSE not in state.known:
            moved = False
            for fact in list(state.pending):
                if self._used_up(fact, state):
                    state.pending.remove(fact)
                    moved = True

    def _used_up(self, fact: Formula, state: _State) -> bool:
        known, step = state.known, state.known[fact]
        match fact.head:
            case "and":
                for part in fact.parts:
                    self.learn(state, part, "andE", step)
                return True
            case "implies":
                a, b = fact.parts
                if a in known:
                    self.learn(state, b, "ifE", step, known[a])
                elif _not(b) in known and _not(a) not in known:
                    self._deny(state, a, lambda inner: self.add(inner, b, "ifE", step, inner.known[a]), known[_not(b)])
                return a in known or b in known or _not(a) in known
            case "iff":
                for a, b in (fact.parts, fact.parts[::-1]):
                    if a in known:
                        self.learn(state, b, "iffE", step, known[a])
                        return True
                    if _not(a) in known:
                        if _not(b) not in known:
                            self._deny(state, b, lambda inner, a=a, b=b: self.add(inner, a, "iffE", step, inner.known[b]), known[_not(a)])  # type: ignore[misc]
                        return True
            case "or":
                a, b = fact.parts
                for first, second in ((a, b), (b, a)):
                    if _not(first) in known and second not in known:
                        absurd = self.supposing(state, first, partial(self._absurd, first, second, known[_not(first)]))
                        cases = {first: absurd, second: self._towards(state, second, second)}
                        self.learn(state, second, "orE", step, cases[a], cases[b])
                return a in known or b in known
            case "not":
                return self._denial_used_up(fact, state)
        return False

    def _denial_used_up(self, fact: Formula, state: _State) -> bool:
        known, (inner,) = state.known, fact.parts
        if inner in known:
            self.add(state, FALSE, "notE", known[inner], known[fact])
            return True
        if inner.head == "not":
            self.learn(state, inner.parts[0], "dn", known[fact])
            return True
        if inner.head == "or":
            for part in inner.parts:
                if _not(part) not in known:
                    self._deny(state, part, lambda deep, part=part: self.add(deep, inner, "orI", deep.known[part]), known[fact])  # type: ignore[misc]
            return True
        return inner.head == "and" and any(_not(part) in known for part in inner.parts)

    def _deny(self, state: _State, what: Formula, leads_to: Callable[[_State], Step], denied: Step) -> None:
        """Not `what`, because it leads to something that is denied."""
        block = self.supposing(state, what, lambda inner: self.add(inner, FALSE, "notE", leads_to(inner), denied))
        self.learn(state, _not(what), "notI", block)

    def _absurd(self, first: Formula, second: Formula, denied: Step, state: _State) -> Step:
        return self.add(state, second, "falseE", self.add(state, FALSE, "notE", state.known[first], denied))


def _number(whole: Block, last: Step) -> list[str]:
    """The lines that the last one needs, numbered."""
    needed: set[int] = set()
    waiting: list[Step] = [last]
    while waiting:
        step = waiting.pop()
        if id(step) in needed:
            continue
        needed.add(id(step))
        for use in step.uses:
            if isinstance(use, Step):
                waiting.append(use)
            else:
                waiting += [line for line in (use.lines[0], use.last) if isinstance(line, Step)]
    numbers: dict[int, int] = {}
    spans: dict[int, str] = {}
    out: list[str] = []

    def emit(block: Block, depth: int) -> None:
        for line in block.lines:
            if isinstance(line, Block):
                if id(line.lines[0]) in needed:
                    first = len(out) + 1
                    emit(line, depth + 1)
                    spans[id(line)] = f"{first}-{numbers[id(line.last)]}"
            elif id(line) in needed:
                numbers[id(line)] = len(out) + 1
                named = " ".join(str(numbers[id(use)]) if isinstance(use, Step) else spans[id(use)] for use in line.uses)
                out.append(f"{len(out) + 1}. {'| ' * depth}{write(line.formula)} : {line.rule} {named}".rstrip())

    emit(whole, 0)
    return out
