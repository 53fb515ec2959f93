"""Answers of algebra that have the right value and are no answer, and right ones in another shape."""

import rlgym


def told(name, seed, level=0.5):
    declared, task = rlgym.environment(name), rlgym.task(name, seed, level=level)
    return task, declared.answer.render(declared.solve(task))


def paid(task, text):
    return rlgym.score(task, f"<answer>{text}</answer>").value


def test_an_expression_to_be_worked_out_is_no_answer():
    for name in ("complex_arithmetic", "quaternion_product", "finite_field_arithmetic"):
        for seed in range(5):
            task, right = told(name, seed)
            assert paid(task, right) == 1.0
            assert paid(task, task.data.formula) == 0.0


def test_a_fraction_that_is_no_simple_one_is_no_partial_fraction():
    for seed in range(5):
        task, right = told("partial_fractions", seed)
        assert paid(task, task.prompt.split("\n")[1]) == 0.0
        assert paid(task, f"{right} + 1/(x + 77) - 1/(x + 77)") == 0.0


def test_functions_put_into_each_other_are_no_answer():
    for seed in range(5):
        task, right = told("function_composition", seed, 0.0)
        shown = dict(line.split("(x) = ") for line in task.prompt.split("\n")[1:3])
        outer, inner = task.prompt.split("h(x) = ")[1][0], task.prompt.split("h(x) = ")[1][2]
        assert paid(task, shown[outer].replace("x", f"({shown[inner]})")) == 0.0
        assert paid(task, f"{right.replace('x', '(x)')}") == 1.0


def test_a_polynomial_through_points_must_be_multiplied_out():
    task, right = told("polynomial_interpolation", 3)
    assert paid(task, right) == 1.0
    assert paid(task, f"x*(x + 1) - x^2 - x + {right}") == 0.0


def test_any_basis_of_a_null_space_is_right_and_a_repeated_vector_is_not():
    for seed in range(5):
        task, _ = told("null_space", seed)
        item, *others = rlgym.environment("null_space").solve(task)
        shown = [str([str(5 * a) for a in item]).replace("'", "")] + [str(list(map(str, row))).replace("'", "") for row in others]
        assert paid(task, f"[{', '.join(shown)}]") == 1.0
        assert paid(task, f"[{', '.join([shown[0]] * len(shown))}]") == float(len(shown) == 1)
