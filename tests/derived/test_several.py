"""NAME:several: all answers must be right, each section is read by the base's own format, and the rest of the package works with it."""

import pytest

import rlgym
from rlgym.core.score import Outcome
from rlgym.dataset import sample
from rlgym.laws import check


def played(name, response, level=0.0, seed=1):
    env = rlgym.make(name, level=level)
    env.reset(seed=seed)
    return env.step(response(env) if callable(response) else response)[4]["score"]


def sections(*texts):
    return "<answer>" + "\n".join(f"=== Task {number} ===\n{text}" for number, text in enumerate(texts, 1)) + "</answer>"


def answers(name, level=0.0, seed=1):
    declared, task = rlgym.environment(name), rlgym.task(name, seed, level=level)
    return [declared.answer.inner.render(readings[0]) for readings in declared.solve(task)]


def test_only_all_right_answers_score_and_each_task_has_a_part():
    first, second = answers("chain_sum:several")
    assert played("chain_sum:several", sections(first, second)).value == 1.0
    score = played("chain_sum:several", sections(first, int(second) + 1))
    assert (score.value, dict(score.parts)) == (0.0, {"task_1": 1.0, "task_2": 0.0})
    assert played("chain_sum:several", sections(first)).value == 0.0
    assert played("chain_sum:several", sections(first, second, second)).value == 0.0


@pytest.mark.parametrize("heading", ["## Task {}", "**Task {}:**", "Task {}:", "== task {} ==", "=== {} ===", "=== Answer {} ==="])
def test_headings_of_other_kinds_are_read(heading):
    texts = [f"{heading.format(number)}\n**{text}**." for number, text in enumerate(answers("chain_sum:several"), 1)]
    assert played("chain_sum:several", "<answer>" + "\n".join(texts) + "</answer>").value == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "{0} {1}",
        "=== Task 2 ===\n{0}\n=== Task 1 ===\n{1}",
        "=== Task 1 ===\n{0}\n=== Task 1 ===\n{0}\n=== Task 2 ===\n{1}",
        "The answers:\nnone\n=== Task 1 ===\n{0}\n=== Task 2 ===\n{1}",
        "=== Task 1 ===\n{0}\n=== Task 2 ===\nunknown",
    ],
)
def test_other_sections_are_unreadable(text):
    score = played("chain_sum:several", f"<answer>{text.format(*answers('chain_sum:several'))}</answer>")
    assert score.outcome is Outcome.UNREADABLE


def test_an_answer_that_looks_like_a_heading_stays_in_its_section():
    declared = rlgym.environment("string_task:several").answer
    programs = ("def solve(text):\n    # Task 2\n    return text", "def solve(text):\n    return ''")
    text = declared.render(tuple((program,) for program in programs))
    assert tuple(readings[0] for readings in declared.parse(text)) == programs


def test_programs_may_stand_in_fences():
    fenced = [f"```python\n{program}\n```" for program in answers("string_task:several")]
    assert played("string_task:several", sections(*fenced)).value == 1.0


def test_the_number_of_tasks_rises_and_the_tasks_differ():
    counts = [len(rlgym.task("chain_sum:several", 1, level=level).data.parts) for level in (0, 0.5, 1)]
    assert counts == [2, 5, 8]
    assert len(rlgym.task("chain_sum:several", 1, level=0.2, task_count=4).data.parts) == 4
    for seed in range(20):
        questions = [part.question for part in rlgym.task("chain_sum:several", seed, level=0, task_count=8).data.parts]
        assert len(set(questions)) == 8


def test_a_long_prompt_gets_no_further_task():
    data = rlgym.task("needle_in_haystack:several", 1, level=1.0).data
    assert 2 <= len(data.parts) <= 8
    assert sum(len(part.question) for part in data.parts[:-1]) < 60_000 or len(data.parts) == 2


def test_rows_hold_it_and_environments_of_many_turns_do_not_have_it():
    rows = list(sample(["chain_sum:several"], 3, seed=1))
    assert {row["env"] for row in rows} == {"chain_sum:several"}
    assert "chain_sum:several" in rlgym.spec("chain_sum")["derived"]
    assert "higher_lower:several" not in rlgym.spec("higher_lower")["derived"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gcd_lcm:several", "sudoku:several", "max_clique:several", "string_task:several"])
def test_it_obeys_the_laws(name):
    assert not {law: finding.failures for law, finding in check(name, effort="least").findings.items() if not finding.passed}
