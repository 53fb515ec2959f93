"""The kernel of natural deduction accepts nothing that truth tables refute."""

from itertools import product

import pytest

from rlgym import Rng
from rlgym.generators.logic import formulas
from rlgym.generators.proofs import fitch, search
from rlgym.generators.proofs.notation import FALSE, parse

CONNECTIVES = ("and", "or", "implies", "iff")


def _value(formula, true):
    if formula == FALSE:
        return False
    if formula.head == "not":
        return not _value(formula.parts[0], true)
    if not formula.parts:
        return true[formula.head]
    a, b = (_value(part, true) for part in formula.parts)
    return {"and": a and b, "or": a or b, "implies": not a or b, "iff": a == b}[formula.head]


def _entails(premises, goal):
    for values in product((False, True), repeat=3):
        true = dict(zip("pqr", values, strict=True))
        if all(_value(premise, true) for premise in premises) and not _value(goal, true):
            return False
    return True


def _drawn(rng):
    premises = [formulas.random(rng, rng.integer(1, 3), 3, CONNECTIVES) for _ in range(rng.integer(1, 2))]
    return premises, formulas.random(rng, rng.integer(1, 3), 3, CONNECTIVES)


def test_a_proof_is_found_exactly_where_truth_tables_say_that_the_conclusion_follows():
    for seed in range(300):
        premises, goal = _drawn(Rng("fitch", seed))
        try:
            lines = search.proof(premises, goal, 4000)
        except search.Stuck:
            assert not _entails(premises, goal)
        else:
            assert _entails(premises, goal)
            assert fitch.fault(premises, goal, lines) == ""


def test_whatever_the_kernel_accepts_of_spoiled_proofs_is_true():
    accepted = 0
    for seed in range(300):
        rng = Rng("spoiled", seed)
        premises, goal = _drawn(rng)
        try:
            lines = search.proof(premises, goal, 4000)
        except search.Stuck:
            continue
        for _ in range(30):
            spoiled = _spoiled(rng, lines)
            claimed = parse(spoiled[-1].partition(". ")[2].partition(" : ")[0])
            if claimed is not None and not fitch.fault(premises, claimed, spoiled):
                accepted += 1
                assert _entails(premises, claimed), "\n".join(spoiled)
    assert accepted > 50


def _spoiled(rng, lines):
    """The lines with a bar, a reference, a rule or a formula of one of them changed, or with the end cut off."""
    out = list(lines)
    for _ in range(rng.integer(1, 2)):
        i = rng.integer(0, len(out) - 1)
        head, _, rule = out[i].partition(" : ")
        number, _, formula = head.partition(". ")
        match rng.integer(0, 4):
            case 0:
                formula = formula[2:] if formula.startswith("| ") else f"| {formula}"
            case 1:
                rule = " ".join([rule.split()[0], *(str(rng.integer(1, len(out))) for _ in rule.split()[1:])])
            case 2:
                rule = rng.choice(out).partition(" : ")[2]
            case 3:
                formula = rng.choice(out).partition(". ")[2].partition(" : ")[0]
            case _:
                out = out[: i + 1]
                continue
        out[i] = f"{number}. {formula} : {rule}"
    return out


P, Q = formulas.Formula("p"), formulas.Formula("q")


@pytest.mark.parametrize(
    "lines",
    [
        ["1. | q : assume", "2. q : copy 1"],
        ["1. | q : assume"],
        ["1. q : premise"],
        ["1. p : premise", "2. q : orI 1"],
        ["1. p : premise", "2. p or q : orI 1", "3. q : copy 3"],
        ["1. | q : assume", "2. | | q : copy 1", "3. q : copy 2"],
        ["1. | q : assume", "2. q -> q : ifI 1-1", "3. q : ifE 2 1"],
        ["1. | false : assume", "2. q : falseE 1"],
        ["2. p : premise"],
    ],
)
def test_shortcuts_are_refused(lines):
    assert fitch.fault([P], Q, lines)


def test_other_signs_are_read():
    lines = ["1) p ∧ (p → q) : premise", "2) p : ∧E 1.", "3) p → q : &E 1", "4) q : ->E 3, 2"]
    assert not fitch.fault([formulas.read("p and (p -> q)")], Q, lines)
