"""Right answers in spellings that people and models use besides the requested one."""

import pytest

import rlgym


def _says(name, change, level=0.3):
    for seed in range(5):
        task = rlgym.task(name, seed, level=level)
        plain = rlgym.environment(name).answer.render(rlgym.environment(name).solve(task))
        yield task, f"<answer>{change(plain)}</answer>"


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("minimum_spanning_tree", lambda text: ", ".join(word.replace("-", " - ") for word in text.split())),
        ("max_flow", lambda text: text.upper().replace(">", " -> ")),
        ("scheduling_with_conflicts", lambda text: text.title().replace(": ", ": slot ")),
        ("graph_colouring", lambda text: text.upper().replace(": ", ": color ")),
        ("blocksworld", lambda text: "\n".join(f"{i}. Move {line.replace(' ', ' to ')}." for i, line in enumerate(text.split("\n"), 1))),
        ("blocksworld", lambda text: "\n".join(f"({line.replace(' ', ', ')})" for line in text.split("\n"))),
        ("knights_and_knaves", lambda text: "\n".join(f"- **{line.title()}**".replace(": ", "**: **") for line in text.split("\n"))),
        ("sokoban", lambda text: ", ".join(text.lower())),
        ("countdown", lambda text: f"{text} = 17"),
        ("derivative", lambda text: f"${text.replace('*', ' ')}$"),
        ("integral", lambda text: f"{text} + C"),
        ("regex_write", lambda text: f"^({text})$"),
        ("dfa_design", lambda text: text.replace("start: ", "Start: ").replace("accept: ", "ACCEPT: ")),
        ("polynomial_factorization", lambda text: text.replace(")*(", ")(").replace("*", "")),
        ("sat_assignment", lambda text: text.replace(": true", " = True").replace(": false", " = False")),
        ("propositional_equivalence", lambda text: text.upper()),
        ("zebra", lambda text: "\n".join(f"| {' | '.join(line.title().split())} |" for line in text.split("\n"))),
    ],
)
def test_other_spellings_are_right(name, change):
    for task, response in _says(name, change):
        score = rlgym.score(task, response)
        assert score.value == 1, (response, score)


def test_a_number_with_its_name_is_a_number():
    for seed in range(8):
        task = rlgym.task("chinese_remainder", seed, level=0.0)
        right = rlgym.environment("chinese_remainder").solve(task)
        if right[0] != "clash":
            assert rlgym.score(task, f"<answer>x = {right[0]}</answer>").value == 1
            assert rlgym.score(task, f"<answer>x={right[0]}</answer>").value == 1
