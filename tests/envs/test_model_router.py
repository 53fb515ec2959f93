"""Routing questions to models: the parts of the score, and a reward of answers and cost."""

from __future__ import annotations

import pytest

from rlgym import Rng, Score
from rlgym.envs.tools import model_router as world
from rlgym.generators.services.models import able, price
from rlgym.generators.services.records import Finish
from rlgym.rewards import combined_shaping

ALPHA = 0.3
ROUTER = {"gated": {"gate": "readable", "reward": {"parts": {"weights": {"answered": 1 - ALPHA, "cost": ALPHA}}}}}
"""Router-R1: a response that cannot be read gets nothing, any other the outcome and the cost, weighed by alpha."""


def first(seed: int, level: float = 0.5) -> world.State:
    return world.start(Rng("router", seed), world.Knobs.at(level))


def scored(state: world.State, route: list[tuple[str, str]]) -> Score:
    done = tuple(world.TOOLS.render((world.Send(question=what, model=to),)) for what, to in route)
    score = world.outcome(world.desk.act(state.model_copy(update={"done": done}), (Finish(),)))
    assert score
    return score


def reward(score: Score) -> float:
    return score.value + combined_shaping(ROUTER, wrong_may_outrank=True)(score, "")


@pytest.mark.parametrize("seed", range(4))
def test_the_parts_are_the_questions_answered_and_the_cost(seed: int) -> None:
    state = first(seed)
    models, questions, _ = world._sent(state)
    cheapest = [(deed.question, deed.model) for deed in world.desk.wanted(state) if isinstance(deed, world.Send)]
    right = scored(state, cheapest)
    assert (right.value, right.parts) == (1.0, {"answered": 1.0, "cost": 1.0})
    assert reward(right) == pytest.approx(1.0)
    # Every question goes to the dearest model that can answer it, or to one that cannot.
    dear = [
        (what, max((one for one in models.values() if able(one, asked)), key=lambda one: price(one, asked)).code)
        for what, asked in questions.items()
    ]
    spent = sum(price(models[to], questions[what]) for what, to in dear) + sum(models[to].loading for to in {to for _, to in dear})
    costly = scored(state, dear)
    assert costly.parts == {"answered": 1.0, "cost": pytest.approx(state.budget / spent)}
    assert costly.value == float(spent == state.budget)
    failing = next((what, to.code) for what, asked in questions.items() for to in models.values() if not able(to, asked))
    wrong = scored(state, [failing if what == failing[0] else (what, to) for what, to in cheapest])
    assert wrong.parts["answered"] == pytest.approx(1 - 1 / len(questions))
    one = scored(state, cheapest[:1])
    assert one.parts == {"answered": pytest.approx(1 / len(questions)), "cost": 0.0}, "one cheap question saves nothing"
    nothing = scored(state, [])
    assert nothing.parts == {"answered": 0.0, "cost": 0.0}
    assert reward(right) >= reward(costly) > reward(nothing) == 0.0
    assert reward(right) > reward(wrong)


def test_a_name_tells_nothing_of_a_model_so_that_every_pool_is_held_out() -> None:
    by_name: dict[str, list[object]] = {}
    for seed in range(8):
        for name, model in world._sent(first(seed))[0].items():
            by_name.setdefault(name, []).append(model)
    seen = [models for models in by_name.values() if len(models) > 1]
    assert seen
    assert all(one != other for models in seen for place, one in enumerate(models) for other in models[:place])
