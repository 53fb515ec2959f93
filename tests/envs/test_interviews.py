"""People in a house who are asked in free text where somebody was: what counts as a question, and what their answers say."""

from __future__ import annotations

from collections.abc import Sequence

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


class Model:
    """A user model with fixed words that notes what it is asked."""

    def __init__(self, *chosen: str) -> None:
        self.chosen = chosen
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def interpret(self, message: str, choices: Sequence[str]) -> tuple[str, ...]:
        return tuple(choice for choice in choices if choice in self.chosen)

    def say(self, message: str, words: str, alternatives: Sequence[str] = ()) -> str:
        self.asked.append((words, tuple(alternatives)))
        return f"<{words}>"


def test_a_model_speaks_one_statement_after_the_other_and_each_keeps_its_number() -> None:
    state, model = first(), Model()
    p0, p1, p2 = state.case.people[:3]
    after = world.with_user(model)(state, (world.Say(to=p0, text=f"Where were {p1} and {p2}?"),))
    plain = world.act(state, (world.Say(to=p0, text=f"Where were {p1} and {p2}?"),))
    assert after.seen == plain.seen
    assert after.told.replace("<", "").replace(">", "") == plain.told
    for number, name in enumerate((p1, p2), 1):
        assert any(f"[s{number}] <{words}>" in after.told and name in words for words, _ in model.asked)
    for words, alternatives in model.asked:
        rooms = [room for room in state.case.rooms if f"the {room}" in words]
        assert len(alternatives) == len(rooms) * (len(state.case.rooms) - 1)
        assert words not in alternatives


def test_a_model_puts_an_unclear_message_in_plain_questions() -> None:
    state = first()
    p0, p1 = state.case.people[:2]
    riddle = world.Say(to=p0, text="Under which roof tile did the cat sleep?")
    assert world.act(state, (riddle,)).seen == ()
    assert [of for _, of, _ in world.with_user(Model(f"Where was {p1}?"))(state, (riddle,)).seen] == [1]
    assert world.with_user(Model())(state, (riddle,)).seen == ()
