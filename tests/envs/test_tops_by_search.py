"""Known values for what the upper levels of some environments search through."""

from fractions import Fraction

from rlgym.generators.geometry.integer_triangles import condition_text, scalene_triangles, scalene_triangles_by_trial
from rlgym.generators.stories.false_sentences import Equation, Sentences, numbers_by_bases, only_numbers
from rlgym.generators.stories.ingredients import pantry_amount, written_unit
from rlgym.generators.stories.menus import Dish, Menu, best_by_branching, best_plans, needs
from rlgym.generators.stories.unordered import Changes, answers_by_meeting, has_one_answer


def test_triangles_with_integer_sides_and_inradius_two_are_the_five_known_ones():
    known = {(5, 12, 13), (6, 8, 10), (6, 25, 29), (7, 15, 20), (9, 10, 17)}
    assert set(scalene_triangles(2)) == known == set(scalene_triangles_by_trial(2))


def test_a_condition_that_follows_from_another_is_not_stated():
    assert condition_text("all angles acute and no right angle") == "all angles acute"
    assert condition_text("no right angle and an obtuse angle") == "an obtuse angle"
    assert condition_text("no right angle and an odd longest side") == "no right angle and an odd longest side"


def test_a_pantry_holds_natural_amounts():
    assert [pantry_amount("butter", Fraction(1220, 3)), pantry_amount("oil", Fraction(7, 2)), pantry_amount("milk", Fraction(1))] == [
        410,
        4,
        10,
    ]
    assert [written_unit("oil", Fraction(n, 2)) for n in (1, 2, 3)] == ["spoon", "spoon", "spoons"]


def test_changes_whose_order_does_not_show_have_two_answers():
    changes = Changes(percents=(("A", 50), ("B", -50)), numbers=(("C", 20),), after=(105, 1), asked="A", start=100)
    # 100 - 50% + 50% + 20 = 95; 20 before -50% and +50% gives 90; before +50% alone 105, in the order B C A.
    assert answers_by_meeting(changes) == {Fraction(70)}
    assert has_one_answer(changes)
    both = changes.model_copy(update={"after": (95, 1)})
    assert answers_by_meeting(both) == {Fraction(50), Fraction(100)}
    assert not has_one_answer(both)


def test_numbers_of_which_too_many_sentences_are_true_are_not_the_ones():
    said = [Equation(weights=weights, total=total) for weights, total in (((1, 1), 7), ((1, -1), 1), ((1, 0), 4), ((1, 1), 9), ((0, 1), 2))]
    sentences = Sentences(names=("Ann", "Ben"), said=tuple(said), certain=(), false=2)
    assert only_numbers(sentences) == numbers_by_bases(sentences) == (4, 3)
    assert only_numbers(sentences.model_copy(update={"false": 1})) is None


def test_what_is_left_of_a_part_is_wasted():
    dish = Dish(name="pie", people=4, parts=(("dough", 2, 3),), stock=(("nuts", 10),))
    menu = Menu(dishes=(dish,), parts=(("dough", (("flour", 100),)),), inner=(), pantry=(("flour", 300), ("nuts", 90)))
    assert needs(menu, (2,)) == {"flour": 200, "nuts": 20}  # 4/3 of a batch of dough
    assert best_plans(menu) == [(4,)]  # 8/3 of a batch are 3; 5 pies would need 4
    assert best_by_branching(menu) == (4,)
