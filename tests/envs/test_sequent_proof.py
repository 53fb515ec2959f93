"""The kernel of the sequent calculus takes no step from true sequents to a false one, whatever is written."""

from itertools import product

from rlgym.core.rng import Rng
from rlgym.generators.logic import formulas, truth_tables
from rlgym.generators.logic.formulas import Formula
from rlgym.generators.proofs import sequents
from rlgym.generators.proofs.sequents import Sequent

JOINED = ("and", "or", "implies", "iff")
RULES = ("ax", "weak", "cut", *(name + side for name, side in product(("not", "and", "or", "if", "iff"), "LR")))


def fails(sequent: Sequent) -> int:
    """The rows of the truth table in which the left side is true and the right side false."""
    rows = truth_tables.every(3)
    for formula in sequent.left:
        rows &= formulas.table(formula, 3)
    for formula in sequent.right:
        rows &= ~formulas.table(formula, 3)
    return rows


def test_every_accepted_step_is_sound_by_truth_tables() -> None:
    rng, accepted = Rng("kernel"), dict.fromkeys(RULES, 0)
    for _ in range(40_000):
        parts = [formulas.random(rng, rng.integer(0, 1), 3, JOINED) for _ in range(3)]
        created = rng.choice([Formula(head, (parts[0], parts[1])) for head in JOINED] + [Formula("not", (parts[0],))])

        def side(most: int, bank: list[Formula]) -> frozenset[Formula]:
            return frozenset(rng.choice(bank) for _ in range(rng.integer(0, most)))

        goal = Sequent(side(2, [created, parts[2]]), side(2, [created, parts[2]]))
        uses = [Sequent(side(3, parts), side(3, parts)) for _ in range(rng.integer(0, 2))]
        rule = rng.choice(RULES)
        if sequents.follows(goal, rule, uses):
            accepted[rule] += 1
            covered = 0
            for use in uses:
                covered |= fails(use)
            assert not fails(goal) & ~covered, (rule, sequents.show(goal), [sequents.show(use) for use in uses])
    assert all(accepted.values()), accepted


def test_lines_that_are_not_in_order_or_name_later_lines_are_refused() -> None:
    goal = sequents.spell("p and q |- q")
    assert goal is not None
    assert not sequents.fault(goal, ("1. p, q |- q : ax", "2. p and q |- q : andL 1"), 400)
    for lines in (
        ("1. p and q |- q : andL 1",),
        ("1. p and q |- q : andL 2", "2. p, q |- q : ax"),
        ("2. p, q |- q : ax", "3. p and q |- q : andL 2"),
        ("1. p, q |- q : ax", "2. p and q |- q : andL 1", "3. p |- p : ax"),
        ("1. p |- q : ax", "2. p and q |- q : andL 1"),
        ("1. p and q |- q : ax",),
    ):
        assert sequents.fault(goal, lines, 400)


def test_either_line_of_a_cut_may_lack_the_formula_that_is_cut() -> None:
    goal = sequents.spell("p |- p")
    assert goal is not None
    assert not sequents.fault(goal, ("1. p |- p : ax", "2. p, q |- p : weak 1", "3. p |- p : cut 1 2"), 400)
    assert not sequents.fault(goal, ("1. p |- p : ax", "2. p |- p, q : weak 1", "3. p |- p : cut 2 1"), 400)
    assert sequents.fault(goal, ("1. p |- p : ax", "2. p, q |- p, q : weak 1", "3. p |- p : cut 1 2"), 400)
