"""People in a house who are asked in free text where somebody was: what counts as a question, and what their answers say."""

from __future__ import annotations

import pytest

from rlgym import Rng
from rlgym.envs.tools import detective_interviews as world


def first(seed: int = 1, level: float = 0.5) -> world.State:
    return world.start(Rng("house", seed), world.Knobs.at(level))


def said(state: world.State, text: str, who: int = 0) -> world.State:
    names = {f"p{k}": name for k, name in enumerate(state.case.people)}
    return world.act(state, (world.Say(to=state.case.people[who], text=text.format(**names)),))


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Good evening, {p0}. Where were you last night?", [0]),
        ("{p0}, in which room was {p1}?", [1]),
        ("Where were {p1} and {p2}, please?", [1, 2]),
        ("Where were you, and where was {p2}?", [0, 2]),
        ("To your knowledge, which room was {p3} in?", [3]),
        ("{p1} says that she was in the attic. Where was she?", [1]),
        ("Where was everybody?", []),
        ("Who was in the vault?", []),
        ("Did you steal it, {p0}?", []),
        ("Are you lying about {p1}?", []),
        ("I have already spoken to {p1} and {p2}.", []),
        ("Wo war {p1} gestern Abend?", []),
        ("x" * 4000, []),
    ],
)
def test_only_questions_for_a_place_are_answered_and_counted(text: str, about: list[int]) -> None:
    state = first()
    after = said(state, text)
    assert sorted(after.seen) == sorted((0, of, state.case.says[0][of]) for of in about)
    for number, (_, of, room) in enumerate(after.seen, 1):
        assert f"[s{number}]" in after.told
        assert f"the {state.case.rooms[room]}" in after.told
        assert of == 0 or state.case.people[of] in after.told


def test_no_answer_comes_after_the_last_question() -> None:
    state = first()
    for _ in range(2 * state.most):
        state = said(state, "Where were {p1}, {p2} and {p3}?")
    assert len(state.seen) == state.most


def test_the_oracle_in_other_words_wins() -> None:
    for seed in range(4):
        for level in (0.0, 0.5, 1.0):
            state = first(seed, level)
            for _ in range(world.turns(state)):
                calls = world.best(state)
                if isinstance(call := calls[0], world.Say):
                    about = call.text.removeprefix("Where was ")
                    other = (
                        "And you, in which room were you?"
                        if "you" in call.text
                        else f"Could you tell me which room {about.removesuffix('?')} was in?"
                    )
                    calls = (call.model_copy(update={"text": f"Hello {call.to}. {other}"}),)
                state = world.act(state, calls)
                if score := world.outcome(state):
                    break
            assert score is not None
            assert score.value == 1
