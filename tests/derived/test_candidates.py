"""As many candidates as the model likes, a choice asked for twice, and the rewards that read their parts."""

import pytest

import rlgym
from rlgym.rewards import combined_shaping


def played(name, *texts, rewards=None, seed=5):
    env = rlgym.make(name, level=0.3, rewards=rewards)
    env.reset(seed=seed)
    for text in texts:
        _, reward, over, _, info = env.step(text if text is not None else env.oracle())
    assert over
    return reward, info["score"]


def right_of(name, seed=5):
    env = rlgym.make(name, level=0.3)
    env.reset(seed=seed)
    return env.oracle()


EXPLORING = combined_shaping("adaptive_exploration", wrong_may_outrank=True)


@pytest.mark.parametrize(
    ("wrong_before", "wrong_after", "reward"), [(0, 0, 1.0), (1, 0, 0.5), (0, 1, 2**-0.5), (1, 2, 8**-0.5), (3, 4, 32**-0.5)]
)
def test_candidates_are_paid_by_their_number_and_the_rank_of_the_right_one(wrong_before, wrong_after, reward):
    wrong = [f"<answer>{10**7 + number}</answer>" for number in range(8)]
    text = "\n".join([*wrong[:wrong_before], right_of("chain_sum:candidates"), *wrong[wrong_before : wrong_before + wrong_after]])
    paid, score = played("chain_sum:candidates", text, rewards=EXPLORING)
    assert paid == pytest.approx(reward)
    assert score.value == pytest.approx(reward)
    assert score.parts == {"share": 1 / (1 + wrong_before + wrong_after), "rank_share": 1 / (1 + wrong_before)}


def test_wrong_candidates_are_paid_less_the_fewer_they_are_and_too_many_are_unreadable():
    for count in (1, 2, 8):
        text = "\n".join(f"<answer>{10**7 + number}</answer>" for number in range(count))
        paid, score = played("chain_sum:candidates", text, rewards=EXPLORING)
        assert (paid, score.value) == (pytest.approx(-1 / count), 0)
    text = "\n".join(f"<answer>{10**7 + number}</answer>" for number in range(8)) + right_of("chain_sum:candidates")
    assert played("chain_sum:candidates", text)[1].outcome is rlgym.Outcome.UNREADABLE


def test_a_choice_must_survive_the_shuffling_of_its_options():
    consistent = combined_shaping({"answer_consistent": {"right_once": 0.25, "agree_only": 0.1}})
    env = rlgym.make("chain_sum:choose_twice", level=0.3, rewards=consistent)
    first = env.reset(seed=5)[0]
    letter = env.oracle()
    second = env.step(letter)[0]
    options = [dict(line.split(": ", 1) for line in text.splitlines() if line[1:3] == ": ") for text in (first, second)]
    assert sorted(options[0].values()) == sorted(options[1].values())
    assert [*options[0].values()] != [*options[1].values()]
    right = options[0][letter[8]]
    same_wrong = next(value for value in options[0].values() if value != right)
    other_wrong = next(value for value in options[0].values() if value not in (right, same_wrong))

    def said(one, two):
        return [
            f"<answer>{next(key for key, each in shown.items() if each == value)}</answer>" for shown, value in zip(options, (one, two))
        ]

    for (one, two), paid, parts in [
        ((right, right), 1.0, (1, 1, 1)),
        ((right, same_wrong), 0.25, (1, 0, 0)),
        ((same_wrong, same_wrong), 0.1, (0, 0, 1)),
        ((same_wrong, other_wrong), 0.0, (0, 0, 0)),
    ]:
        reward, score = played("chain_sum:choose_twice", *said(one, two), rewards=consistent)
        assert reward == pytest.approx(paid)
        assert score.parts == dict(zip(("first", "second", "agree"), parts))


def test_the_letter_of_the_right_option_moves():
    moved = 0
    for seed in range(20):
        env = rlgym.make("linear_system:choose_twice", level=0.2)
        env.reset(seed=seed)
        first = env.oracle()
        env.step(first)
        moved += env.oracle() != first
    assert moved >= 12
