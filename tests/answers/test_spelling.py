"""The oracle writes names as the prompt spells them, and nothing else changes."""

import pytest

import rlgym
from rlgym.answers import Words
from rlgym.core.spelling import spelled_as_in
from rlgym.dataset.rows import row_of
from rlgym.registry import environment


@pytest.mark.parametrize(
    ("prompt", "text", "spelled"),
    [
        ("Olga meets Pia.", "pia, olga", "Pia, Olga"),
        ("P2 waits for P10.", "p10 p2", "P10 P2"),
        ("The colour is Red or red.", "red", "red"),
        ("Write NAME = number.", "name = 4", "name = 4"),
        ("The groups C6 and D3.", "group: d3", "group: D3"),
        ("", "olga", "olga"),
    ],
)
def test_words_get_the_case_of_the_prompt(prompt: str, text: str, spelled: str) -> None:
    assert spelled_as_in(prompt, text) == spelled


def test_a_format_that_tells_cases_apart_keeps_its_answer() -> None:
    prompt = "Olga and Pia play."
    assert Words().render_for(("pia",), prompt) == "pia"
    assert Words(ignore_case=True).render_for(("pia",), prompt) == "Pia"


@pytest.mark.parametrize("name", ["assignment_costs", "bipartite_matching", "group_table_identify"])
def test_the_oracle_of_an_environment_writes_names_as_its_prompt_does(name: str) -> None:
    env = rlgym.make(name, level=0.3)
    prompt, _ = env.reset(seed=4)
    response = env.unwrapped.oracle()
    assert spelled_as_in(prompt, response) == response != response.lower()
    assert env.step(response)[1] == 1.0


def test_a_row_ends_its_explanation_as_it_answers() -> None:
    env = rlgym.make("bipartite_matching", level=0.3)
    env.reset(seed=4)
    task, response = env.unwrapped.task, env.unwrapped.oracle()
    row = row_of(environment("bipartite_matching"), task, "tag")
    assert row["oracle_response"] == response
    assert row["explanation"].endswith(response.removeprefix("<answer>").removesuffix("</answer>"))
