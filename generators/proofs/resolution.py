"""The kernel of first-order resolution, and a search for refutations."""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence

from rlgym.generators.proofs.terms import VARIABLES, Bindings, Term, TooMuch, frozen, parse, put, rename, size, unify, variables, write

Literal = tuple[bool, Term]
Clause = tuple[Literal, ...]
MOST_STEPS, MOST_LITERALS, MOST_TRIED = 200, 8, 4000

_LINE = re.compile(r"(\d{1,4})\s*[.):]?\s+(\d{1,4})\s*(?:,|\+|\s|and)\s*(\d{1,4})\s*:\s*(.+)", re.ASCII)
_OR = re.compile(r"\s+or\s+|\s*[∨|]\s*", re.IGNORECASE)
_NOT = re.compile(r"(?:not\s+|[¬~!−-]\s*)", re.IGNORECASE)
_EMPTY = frozenset(("empty", "false", "⊥", "□", "[]", "{}", "the empty clause", "empty clause"))


class Stuck(Exception):
    """No refutation within the work allowed."""


def clause_of(text: str) -> Clause | None:
    """The clause that a text spells, or None; `empty` is the clause without literals."""
    plain = text.strip().rstrip(".").strip()
    if plain.lower() in _EMPTY:
        return ()
    literals: list[Literal] = []
    for part in _OR.split(plain):
        denied = _NOT.match(part)
        atom = parse(part[denied.end() :] if denied else part)
        if atom is None or isinstance(atom, str) or len(literals) >= MOST_LITERALS:
            return None
        literals.append((not denied, atom))
    return tuple(dict.fromkeys(literals))


def show(clause: Clause) -> str:
    """A clause in words."""
    return " or ".join(f"{'' if sign else 'not '}{write(atom)}" for sign, atom in clause) or "empty"


def fault(clauses: Sequence[Clause], lines: Sequence[str]) -> str:
    """What is wrong with a refutation, or nothing."""
    if len(lines) > MOST_STEPS:
        return f"the refutation has more than {MOST_STEPS} steps"
    known = list(clauses)
    for line in lines:
        number = len(known) + 1
        match = _LINE.fullmatch(line) if len(line) < 600 else None
        if match is None or int(match[1]) != number:
            return f"the step that makes clause {number} must be written as `{number}. i j : clause`"
        i, j = int(match[2]), int(match[3])
        if not (1 <= i < number and 1 <= j < number):
            return f"the step that makes clause {number} must name two earlier clauses"
        clause = clause_of(match[4])
        if clause is None:
            return f"clause {number} cannot be read"
        if not follows(clause, known[i - 1], known[j - 1]):
            return f"clause {number} does not come from clauses {i} and {j} by one step"
        known.append(clause)
    return "" if lines and not known[-1] else "the last step must make the empty clause"


def follows(resolvent: Clause, first: Clause, second: Clause) -> bool:
    """Whether some instances of two clauses, resolved on one atom, leave only literals of the clause made."""
    resolvent_literals = [(sign, frozen(atom)) for sign, atom in resolvent]
    left = [(sign, rename(atom, ".1")) for sign, atom in first]
    right = [(sign, rename(atom, ".2")) for sign, atom in second]
    tries = [MOST_TRIED]
    try:
        for sign, pivot in left:
            for opposite, met in right:
                bindings = unify([(pivot, met)]) if sign != opposite else None
                if bindings is None:
                    continue
                rest = [(s, atom, s == sign) for s, atom in left if (s, atom) != (sign, pivot)]
                rest += [(s, atom, s == opposite) for s, atom in right if (s, atom) != (opposite, met)]
                if _place(rest, pivot, resolvent_literals, bindings, tries):
                    return True
    except TooMuch:
        pass
    return False


def _place(
    rest: list[tuple[bool, Term, bool]], pivot: Term, resolvent_literals: list[Literal], bindings: Bindings, tries: list[int]
) -> bool:
    """Whether each literal left over can become one of the wanted, or merge with the atom resolved on."""
    if not rest:
        return True
    sign, atom, merges = rest[0]
    places = [target for s, target in resolvent_literals if s == sign] + ([pivot] if merges else [])
    for target in places:
        tries[0] -= 1
        if tries[0] < 0:
            raise TooMuch
        extended = unify([(atom, target)], bindings)
        if extended is not None and _place(rest[1:], pivot, resolvent_literals, extended, tries):
            return True
    return False


def tidy(literals: list[Literal]) -> Clause:
    """Without repeats, in a fixed order, with its variables named anew."""
    ordered = sorted(dict.fromkeys(literals), key=lambda literal: (write(frozen(_blank(literal[1]))), literal[0], write(literal[1])))
    names: Bindings = {}
    for _, atom in ordered:
        for variable in variables(atom):
            names.setdefault(variable, f"{VARIABLES[len(names) % 6]}{len(names) // 6 or ''}")
    return tuple(dict.fromkeys((sign, _rename_variables(atom, names)) for sign, atom in ordered))


def _rename_variables(term: Term, names: Bindings) -> Term:
    return names[term] if isinstance(term, str) else (term[0], *(_rename_variables(part, names) for part in term[1:]))


def _blank(term: Term) -> Term:
    return "x" if isinstance(term, str) else (term[0], *map(_blank, term[1:]))


def resolvents(first: Clause, second: Clause) -> list[Clause]:
    """What two clauses make by resolving on one literal of each."""
    left = [(sign, rename(atom, ".1")) for sign, atom in first]
    right = [(sign, rename(atom, ".2")) for sign, atom in second]
    out = []
    for i, (sign, pivot) in enumerate(left):
        for j, (opposite, met) in enumerate(right):
            bindings = unify([(pivot, met)]) if sign != opposite else None
            if bindings is not None:
                rest = left[:i] + left[i + 1 :] + right[:j] + right[j + 1 :]
                out.append(tidy([(s, put(atom, bindings)) for s, atom in rest]))
    return out


def refutation(clauses: Sequence[Clause], most: int, order: int = 1) -> list[str]:
    """The steps of a refutation, found by resolving small clauses first; `order` -1 prefers the last of equals. Stuck if none is found."""
    known: list[Clause] = []
    queue: list[tuple[int, int, int]] = []
    for clause in clauses:
        known.append(clause)
        heapq.heappush(queue, (_weight(clause), order * len(known), len(known)))
    met = {tidy(list(clause)) for clause in clauses}
    done: list[int] = []
    parents: dict[int, tuple[int, int]] = {}
    while queue:
        _, _, here = heapq.heappop(queue)
        done.append(here)
        for there in done:
            most -= 1
            if most < 0:
                raise Stuck
            for clause in resolvents(known[there - 1], known[here - 1]):
                tautology = any((not sign, atom) in clause for sign, atom in clause)
                if clause in met or tautology or len(clause) > 5 or _weight(clause) > 40:
                    continue
                met.add(clause)
                known.append(clause)
                parents[len(known)] = (there, here)
                if not clause:
                    return _number(len(clauses), known, parents)
                heapq.heappush(queue, (_weight(clause), order * len(known), len(known)))
    raise Stuck


def _weight(clause: Clause) -> int:
    return 2 * len(clause) + sum(size(atom) for _, atom in clause)


def _number(given: int, known: list[Clause], parents: dict[int, tuple[int, int]]) -> list[str]:
    """The steps that the last clause needs, numbered."""
    used, waiting = set[int](), [len(known)]
    while waiting:
        number = waiting.pop()
        if number > given and number not in used:
            used.add(number)
            waiting += parents[number]
    new = {number: given + i for i, number in enumerate(sorted(used), 1)}
    return [
        f"{new[number]}. {' '.join(str(new.get(parent, parent)) for parent in parents[number])} : {show(known[number - 1])}"
        for number in sorted(used)
    ]
