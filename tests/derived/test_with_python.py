"""NAME:with_python runs programs before the answer, within a budget; NAME:without_tools is the same task with neither."""

import pytest

import rlgym
from rlgym.core.score import Outcome
from rlgym.laws import check
from rlgym.registry import derived


def played(responses, name="chain_sum:with_python", level=0.3, **knobs):
    """The observations after each response, and the last score."""
    env = rlgym.make(name, level=level, **knobs)
    env.reset(seed=1)
    seen, info = [], {}
    for response in responses:
        observation, _, over, truncated, info = env.step(env.unwrapped.oracle() if response is None else response)
        seen.append(observation)
        if over or truncated:
            break
    return seen, info.get("score")


def program(text):
    return f"<python>\n{text}\n</python>"


def test_a_program_is_run_and_its_output_is_shown_before_the_answer():
    seen, score = played([program("print(6 * 7)"), None])
    assert "The program printed:\n42" in seen[0]
    assert score.value == 1.0


def test_a_task_can_be_solved_with_a_program_alone():
    env = rlgym.make("chain_sum:with_python", level=0.5)
    env.reset(seed=3)
    expression = env.unwrapped.task.data.question.removeprefix("Compute ").rstrip(".")
    observation = env.step(program(f"print({expression})"))[0]
    answer = observation.split("The program printed:\n")[1].split("\n")[0]
    assert env.step(f"<answer>{answer}</answer>")[1] == 1.0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("print('a' * 5000)", "1000 further characters"),
        ("x = 1", "The program printed nothing."),
        ("def f(:", "SyntaxError"),
        ("```python\nprint(5 + 6)\n```", "11"),
    ],
)
def test_what_is_shown_of_a_run(text, shown):
    assert shown in played([program(text)])[0][0]


def test_programs_share_nothing():
    seen, _ = played(
        [program("x = 5\nopen('note', 'w').write('5')"), program("print('x' in globals())\nimport os\nprint(os.path.exists('note'))")]
    )
    assert "False\nFalse" in seen[1]


def test_the_budget_ends_and_the_answer_is_still_possible():
    seen, score = played([program("print(1)")] * 5 + [None], python_runs=4)
    assert "You may run one more program." in seen[2]
    assert "give your final answer" in seen[3]
    assert "was not run" in seen[4]
    assert score.value == 1.0
    _, score = played([program("print(1)")] * 9, python_runs=4)
    assert score.value == 0.0


def test_a_wrong_answer_ends_the_episode_and_a_program_with_an_answer_is_unreadable():
    assert played(["<answer>123456789</answer>"])[1].outcome is Outcome.WRONG
    seen, score = played([program("print(1)") + "<answer>1</answer>", program("print(1)") + program("print(2)")])
    assert all("not more" in text for text in seen)
    assert score is None


def test_a_layout_that_only_the_verifier_can_read_is_read():
    env = rlgym.make("string_task:with_python", level=0.2)
    env.reset(seed=1)
    answer = env.unwrapped.oracle().removeprefix("<answer>").removesuffix("</answer>")
    assert env.step(f"<answer>\n```python\n{answer}\n```\n</answer>")[1] == 1.0


def test_every_answer_style_has_programs():
    for style in ("tag", "boxed", "fence"):
        env = rlgym.make("chain_sum:with_python", level=0.3, answer_style=style)
        prompt, _ = env.reset(seed=1)
        assert "<python>...</python>" in prompt
        assert "42" in env.step(program("print(42)"))[0]
        assert env.step(env.unwrapped.oracle())[1] == 1.0


def test_without_tools_is_one_turn_and_says_so():
    env = rlgym.make("chain_sum:without_tools", level=0.3)
    prompt, _ = env.reset(seed=1)
    assert "no program can be run" in prompt
    assert env.step(env.unwrapped.oracle())[1:3] == (1.0, True)


def test_games_and_matches_have_neither():
    assert not {"higher_lower:with_python", "nim:without_tools"} & {*derived("higher_lower"), *derived("nim")}
    assert {"sudoku:with_python", "sudoku:without_tools"} <= set(derived("sudoku"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gcd_lcm:with_python", "string_task:with_python", "sudoku:without_tools"])
def test_they_obey_the_laws(name):
    assert not {law: finding.failures for law, finding in check(name, effort="least").findings.items() if not finding.passed}
