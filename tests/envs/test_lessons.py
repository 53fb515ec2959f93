"""Holes that were found in published verifiers by running them: none of ours has them.

Each test gives the text that was paid elsewhere (or the right one that was refused) to our environment of the same family.
"""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import rlgym


def told(name, seed=1, level=0.3, **knobs):
    declared, task = rlgym.environment(name), rlgym.task(name, seed, level=level, **knobs)
    return declared, task, declared.solve(task)


def paid(task, text):
    return rlgym.score(task, f"<answer>{text}</answer>").value


@pytest.mark.parametrize(
    "trick",
    [
        *("{0}**1", "{0}//1", "{0}%{1}", "{0}*({1}=={1})", "{0}.{1}", "{0}{1}", "9**9**9**9", "{0}e1", "{0}<<1", "({0},)"),
        *("__import__('math').prod([{0},{1}])", "ord(chr({0}))", "+".join(["1"] * 40)),
    ],
)
def test_countdown_takes_no_operator_that_the_prompt_does_not_name(trick):
    for seed in range(6):
        _, task, _ = told("countdown", seed)
        numbers = [str(number) for number in task.data.numbers]
        assert paid(task, trick.format(*numbers)) == 0.0


def test_countdown_takes_each_number_at_most_as_often_as_it_is_given():
    for seed in range(6):
        _, task, _ = told("countdown", seed)
        item = task.data.numbers[0]
        assert paid(task, f"{task.data.target}") in (0.0, 1.0 * (task.data.target in task.data.numbers))
        assert paid(task, f"{item} - {item} + {item} - {item} + {task.data.target}") == 0.0


@pytest.mark.parametrize("around", ["{}", "\n{}\n", "  {}  "])
def test_what_stands_after_the_answer_does_not_undo_it(around):
    for name in ("countdown", "sudoku", "zebra", "knights_and_knaves"):
        declared, task, right = told(name)
        text = around.format(declared.answer.render(right))
        for after in ("", "\nDone.", "\n\nI hope that this helps!\n", " So that is my answer."):
            assert rlgym.score(task, f"Let me see.\n<answer>{text}</answer>{after}").value == 1.0


def test_a_grid_is_right_in_every_layout_and_only_in_its_own_shape():
    for name in ("sudoku", "futoshiki", "binario", "killer_sudoku"):
        _, task, right = told(name)
        rows = [list(map(str, row)) for row in right]
        layouts = [
            json.dumps(rows),
            json.dumps(rows, indent=2),
            "\n".join("|".join(row) for row in rows),
            "\n".join(", ".join(row) for row in rows),
        ]
        assert all(paid(task, text) == 1.0 for text in layouts), name
        extra = [*rows, rows[0]]
        wider = [[*row, row[0]] for row in rows]
        turned = [list(column) for column in zip(*rows)]
        for wrong in (extra, wider, rows[:-1], [row[:-1] for row in rows], rows[1:] + rows[:1]):
            assert paid(task, "\n".join(" ".join(row) for row in wrong)) == 0.0
        assert paid(task, "\n".join(" ".join(row) for row in turned)) == (1.0 if turned == rows else 0.0)


def test_givens_that_are_copied_earn_nothing():
    for name in ("sudoku", "killer_sudoku", "futoshiki", "kakuro", "skyscrapers"):
        declared, task, right = told(name)
        digits = sorted({cell for row in right for cell in row if str(cell).isdigit()})
        for digit in digits:
            filled = [[digit if str(cell).isdigit() else cell for cell in row] for row in right]
            assert paid(task, declared.answer.render(tuple(map(tuple, filled)))) == 0.0


def test_no_order_of_the_houses_but_the_right_one_is_paid():
    declared, task, right = told("zebra", level=0.4)
    rows = list(right)
    for k in range(1, len(rows[0])):
        assert paid(task, declared.answer.render(tuple(row[:1] + row[1 + k :] + row[1 : 1 + k] for row in rows))) in (
            0.0,
            1.0 * (k == len(rows[0]) - 1),
        )
    assert paid(task, declared.answer.render(tuple((row[0], *[row[1]] * (len(row) - 1)) for row in rows))) == 0.0
    assert paid(task, declared.answer.render((*rows, rows[0]))) == 0.0
    assert paid(task, "") == 0.0


@pytest.mark.parametrize(
    "hedge",
    [
        "{0} is not a knight, {1} is not a knave",
        "{0} is a knight or a knave; {1} is a knave or a knight",
        "If {0} were a knight then {1} would be a knave",
        "{0}: knight, {0}: knave, {1}: knight",
        "{0}: knight, {1}: knight, {1}: knave",
        "{0}: knight knave",
        "everyone: knight",
    ],
)
def test_knights_and_knaves_takes_no_hedged_or_contradicting_sentence(hedge):
    for seed in range(5):
        _, task, _ = told("knights_and_knaves", seed, level=0.0)
        assert paid(task, hedge.format(*task.data.names)) == 0.0


def test_verdicts_are_the_same_in_worker_threads():
    jobs = []
    for name in ("zebra", "sudoku", "sat_decide", "natural_deduction", "shortest_path", "countdown"):
        declared, task, right = told(name)
        wrong = list(declared.mistakes(task, right))
        jobs += [(task, declared.answer.render_response(first, "tag")) for first in [right, *wrong[:3]]]
    local = [rlgym.score(task, text) for task, text in jobs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda job: rlgym.score(*job), jobs)) == local


def test_many_guesses_in_one_answer_earn_nothing():
    for name in ("shortest_path", "sat_assignment", "chain_sum", "chinese_remainder", "max_clique"):
        declared, task, right = told(name)
        wrong = [declared.answer.render(mistake) for mistake in declared.mistakes(task, right)][:6]
        response = declared.answer.render(right)
        for stuffed in (
            " ".join([*wrong, response]),
            "\n".join([response, *wrong]),
            ", ".join([response, *wrong]),
            f"{response} or {wrong[0]}",
        ):
            assert paid(task, stuffed) == 0.0, (name, stuffed)


def test_numbers_are_exact_and_finite():
    for seed in range(5):
        _, task, right = told("chain_sum", seed)
        for text in (
            f"{right}00",
            f"{right / 100:.4f}",
            f"{right + 1}",
            "nan",
            "inf",
            f"{right}e0x",
            f"{right}%",
            f"{right} apples",
            f"x={right + 1}",
            f"0x{right:x}",
        ):
            assert paid(task, text) == 0.0, text


def test_scores_are_between_0_and_1_whatever_is_answered():
    for name in rlgym.names("puzzles")[:12] + rlgym.names("logic")[:8]:
        declared, task, right = told(name)
        for answer in [right, *declared.mistakes(task, right)]:
            assert declared.verify(task, answer).value in (0.0, 1.0) or declared.partial


def test_a_piece_and_its_square_may_be_written_together():
    env = rlgym.make("chess_endgames", level=0.2)
    env.reset(seed=3)
    right = env.oracle()
    separate = env.step(right)
    env.reset(seed=3)
    together = right.replace(" ", "")
    assert together != right
    assert env.step(together)[:3] == separate[:3]
