"""Group rewards that compare pairs of responses, and the tiers of partial scores, by hand."""

from dataclasses import replace
from itertools import pairwise
from math import exp

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.group_cases import amounts, by_hand, episode, group

from rlgym import Rng, Score
from rlgym.train.registry import GROUP_REWARDS, REWARDS, OptionError
from rlgym.train.rewards.shaping import ScoredResponse
from rlgym.train.tasks.spec import TaskSpec


def test_par_is_the_mean_sigmoid_of_the_differences():
    episodes = group((1, 1), (Score.partial(0.5), 1), (0, 1))
    s = [1 / (1 + exp(-x)) for x in (0.5, 1.0)]
    expected = [(s[0] + s[1]) / 2, (1 - s[0] + s[0]) / 2, (1 - s[0] + 1 - s[1]) / 2]
    paid = [e.reward + amount for e, amount in zip(episodes, amounts("par", episodes), strict=True)]
    assert paid == by_hand(*expected)
    assert amounts("par", group((1, 1))) == by_hand(-0.5)


def test_par_is_bounded_centred_and_monotone():
    rng = Rng("par", 1)
    for _ in range(50):
        episodes = group(*((0, 1) for _ in range(rng.integer(2, 7))))
        for e in episodes:
            e.reward = rng.integer(-50, 50) / 7
        paid = [e.reward + a for e, a in zip(episodes, amounts("par", episodes, temperature=0.5), strict=True)]
        assert all(0 <= reward <= 1 for reward in paid)
        assert sum(paid) / len(paid) == pytest.approx(0.5)
        order = sorted(range(len(paid)), key=lambda place: episodes[place].reward)
        for low, high in pairwise(order):
            assert paid[low] <= paid[high] + 1e-12


def played(score, turns):

    return replace(episode(score), messages=[("user", "go"), *[("assistant", "x"), ("user", "on")] * turns])


def test_a_ranking_by_hand():
    right, wrong = Score.exact(True), Score.wrong("lost")
    games = [played(right, 3), played(right, 5), played(wrong, 1), played(wrong, 1)]
    paid = [game.reward + amount for game, amount in zip(games, amounts("ranking", games), strict=True)]
    # Won sooner, won, and two lost at once, which tie.
    assert paid == pytest.approx([1, 2 / 3, 1 / 6, 1 / 6])
    programs = [episode(Score.exact(True, speed=speed)) for speed in (0.25, 0.75)] + [episode(wrong)]
    paid = [each.reward + amount for each, amount in zip(programs, amounts("ranking", programs, by=["value", "parts.speed"]), strict=True)]
    assert paid == pytest.approx([0.5, 1, 0])
    with pytest.raises(OptionError, match=r"by holds value, turns, tokens or parts.NAME, got 'speed'"):
        GROUP_REWARDS["ranking"].options.from_dict({"by": ["speed"]})
    # A short wrong answer would earn more than a long right one.
    for by in (["tokens"], ["parts.speed", "value"]):
        with pytest.raises(OptionError, match="lets a wrong answer outrank a right one: put value first, or set wrong_may_outrank"):
            GROUP_REWARDS["ranking"].options.from_dict({"by": by})
        assert GROUP_REWARDS["ranking"].options.from_dict({"by": by, "wrong_may_outrank": True}).by == tuple(by)


def test_the_verifier_of_bytecode_ranks_right_programs_by_their_speed():
    """A program with an instruction that prints nothing is right, and slower."""
    import rlgym

    env = rlgym.make("bytecode_write", level=0.0)
    env.reset(seed=1)
    start, right = env.snapshot(), env.oracle()
    score = env.step(right)[4]["score"]
    assert score.value == 1
    assert 0 < score.parts["speed"] < 1
    env.restore(start)
    # Another load after the last instruction changes nothing that is printed.
    load = next(line for line in right.split("\n")[1:] if line.split()[-1].lstrip("-").isdigit())
    slower = env.step(right.replace("</answer>", f"\n{load}</answer>"))[4]["score"]
    assert slower.value == 1
    assert slower.parts["speed"] < score.parts["speed"]


def tiered(score, **given):
    chosen = REWARDS["tiers"]
    scored = ScoredResponse(score, "", TaskSpec("chain_sum", 0.0, 1, "train"), Rng("tiers", 1))
    return score.value + chosen(scored, chosen.options.from_dict(given))


def test_progress_falls_into_tiers_below_a_right_answer():
    # Of four parts of the range, the first earns nothing and the others 1/6, 2/6, 3/6.
    found = [tiered(Score.partial(value)) for value in (0, 0.2, 0.25, 0.5, 0.7, 0.75, 0.99)]
    assert found == by_hand(0, 0, 1 / 6, 1 / 3, 1 / 3, 0.5, 0.5)
    assert tiered(Score.exact(True)) == 1
    parts = Score.wrong("a test fails", test_1=1.0, test_2=1.0, test_3=0.0)
    assert tiered(parts) == 0
    assert tiered(parts, progress="parts", count=2, highest=0.8) == pytest.approx(0.8)


@pytest.mark.parametrize("count", [1, 3, 7])
def test_a_solved_state_always_outranks_an_unsolved_one(count):
    earned = [tiered(Score.partial(number / 100), count=count, highest=0.999) for number in range(100)]
    assert earned == sorted(earned)
    assert len(set(earned)) == count + 1
    assert max(earned) < tiered(Score.exact(True), count=count)
