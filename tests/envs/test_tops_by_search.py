"""Known values for what the upper levels of some environments search through."""

from fractions import Fraction

from rlgym.generators.geometry.integer_triangles import scalene_triangles, scalene_triangles_by_trial
from rlgym.generators.stories.unordered import Changes, answers_by_meeting, has_one_answer


def test_triangles_with_integer_sides_and_inradius_two_are_the_five_known_ones():
    known = {(5, 12, 13), (6, 8, 10), (6, 25, 29), (7, 15, 20), (9, 10, 17)}
    assert set(scalene_triangles(2)) == known == set(scalene_triangles_by_trial(2))


def test_changes_whose_order_does_not_show_have_two_answers():
    changes = Changes(percents=(("A", 50), ("B", -50)), numbers=(("C", 20),), after=(105, 1), asked="A", start=100)
    # 100 - 50% + 50% + 20 = 95; 20 before -50% and +50% gives 90; before +50% alone 105, in the order B C A.
    assert answers_by_meeting(changes) == {Fraction(70)}
    assert has_one_answer(changes)
    both = changes.model_copy(update={"after": (95, 1)})
    assert answers_by_meeting(both) == {Fraction(50), Fraction(100)}
    assert not has_one_answer(both)
