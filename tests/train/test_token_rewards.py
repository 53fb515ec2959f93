"""Token rewards: where they come from, that they lie on the tokens of their steps, and what is refused."""

from __future__ import annotations

import pytest
from train.reward_cases import BRACKETS, oracle_working, respond_once, settings, start_episode

torch = pytest.importorskip("torch", reason="the trainer needs torch")
pytest.importorskip("transformers")
from train.scripted import sums

import rlgym
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.rewards import token_rewards
from rlgym.train.tasks.spec import TaskSettings
from rlgym.train.validate.token_rewards import check_token_rewards


def test_each_step_of_a_response_earns_what_its_verdict_is_worth():
    chosen = settings(source="steps", right=2.0, wrong=-3.0, unchecked=0.25)
    start = start_episode(BRACKETS, chosen)
    response = oracle_working(start)
    ended = respond_once(BRACKETS, chosen, start, response)
    assert {(span.kind, span.reward) for span in ended.spans} == {("right", 2.0)}
    assert [response[span.start : span.end] for span in ended.spans] == response.split("\n")[: len(ended.spans)]
    slipped = respond_once(BRACKETS, chosen, start, oracle_working(start, slip=True))
    assert slipped.spans[0].kind == "wrong"
    assert slipped.spans[0].reward == -3.0
    assert {(span.kind, span.reward) for span in slipped.spans[1:]} == {("unchecked", 0.25)}
    assert slipped.score == ended.score
    assert respond_once(BRACKETS, TaskSettings(0, 0.1), start, response).spans == ()


@pytest.mark.parametrize("wasted", [False, True])
def test_a_turn_is_wrong_where_the_oracle_can_no_longer_win(wasted):
    chosen = settings(source="turns")
    result, kinds = start_episode("household_text", chosen), []
    env = rlgym.make("household_text")
    while result.score is None:
        env.restore(result.snapshot)
        result = respond_once("household_text", chosen, result, "nonsense" if wasted else env.oracle())
        kinds += [span.kind for span in result.spans]
    if not wasted:
        assert set(kinds) == {"right"}
    else:
        lost = kinds.index("wrong")
        assert 0 < lost < len(kinds) - 1
        assert set(kinds[:lost]) == {"right"}
        assert set(kinds[lost:]) == {"wrong"}
    assert result.score.value == float(not wasted)


def test_the_oracle_still_wins_after_its_own_turns_and_the_state_stays(monkeypatch):
    env = rlgym.make("higher_lower", level=0.0)
    env.reset(seed=1)
    before = env.snapshot()
    assert token_rewards.is_winnable(env)
    assert env.snapshot() == before
    monkeypatch.setattr(rlgym.Env, "oracle", lambda self: "no idea")
    assert not token_rewards.is_winnable(env)


def test_an_unreadable_turn_is_not_valid():
    chosen = settings(source="turns", turn_reward="valid")
    start = start_episode("higher_lower", chosen)
    assert [span.kind for span in respond_once("higher_lower", chosen, start, "no idea").spans] == ["wrong"]
    env = rlgym.make("higher_lower")
    env.restore(start.snapshot)
    assert [span.kind for span in respond_once("higher_lower", chosen, start, env.oracle()).spans] == ["right"]


def test_progress_over_milestones_sums_to_the_score():
    chosen = settings(source="turns", turn_reward="milestones")
    env = rlgym.make("crm_update")
    for waste in (False, True):
        result, spans = start_episode("crm_update", chosen), []
        while result.score is None:
            env.restore(result.snapshot)
            earned = sum(span.reward for span in spans)
            result = respond_once("crm_update", chosen, result, "no idea" if waste and earned else env.oracle())
            spans += result.spans
        assert sum(span.reward for span in spans) == pytest.approx(result.score.value)
        assert result.score.value == float(not waste)
        assert any(span.reward > 0 for span in spans[:-1])
        assert (spans[-1].kind == "wrong") == waste


def test_each_tag_is_paid_by_its_own_rule():
    chosen = settings(source="turns", turn_reward="tags")
    start = start_episode("higher_lower", chosen)
    env = rlgym.make("higher_lower")
    env.restore(start.snapshot)

    def earned(result, text):
        (span,) = respond_once("higher_lower", chosen, result, text).spans
        return span.kind, span.reward

    move = env.oracle()
    assert earned(start, move) == ("untagged", 0.0)
    assert earned(start, f"<planning>halve</planning> {move}") == ("planning", 1.0)
    assert earned(start, f"<explore>look</explore> {move}") == ("explore", 1.0)
    assert earned(start, "<explore>look</explore> no idea") == ("explore", 0.0)
    assert earned(start, f"<reflection>hm</reflection> {move}") == ("reflection", 0.0)
    failed = respond_once("higher_lower", chosen, start, "no idea")
    assert earned(failed, f"<reflection>hm</reflection> {move}") == ("reflection", 1.0)
    assert earned(start, f"<monitor>on track</monitor> {move}") == ("monitor", 1.0)


def test_the_gains_over_the_milestones_sum_to_the_score():
    chosen = settings(source="turns", turn_reward="milestones")
    name = next(name for name in rlgym.names() if getattr(rlgym.environment(name), "milestones", None) is not None)
    result, gains = start_episode(name, chosen), []
    env = rlgym.make(name)
    while result.score is None:
        env.restore(result.snapshot)
        result = respond_once(name, chosen, result, env.oracle())
        gains += [span.reward for span in result.spans]
    assert sum(gains) == pytest.approx(result.score.value) == 1


def test_the_emotion_of_the_people_is_paid_turn_by_turn():
    chosen = settings(source="turns", turn_reward="emotion")
    result, gains = start_episode("bank_support", chosen), []
    env = rlgym.make("bank_support", turn_rewards="emotion")
    while result.score is None:
        env.restore(result.snapshot)
        response = env.oracle()
        result = respond_once("bank_support", chosen, result, response)
        gains += [span.reward for span in result.spans]
    *_, info = env.step(response)
    assert sum(gains) == pytest.approx(sum(info["moods"].values()) / len(info["moods"]) / 2 + 0.5)
    given = sums("m", "o", tasks=[{"names": ["maze_walk"]}], algorithm={"token_rewards": {"source": "turns", "turn_reward": "emotion"}})
    with pytest.raises(TrainError, match="maze_walk has no people"):
        check_token_rewards(Config.from_dict(given))


def test_a_machine_pays_the_turns_by_the_events_of_the_episode():
    machine = {
        "start": "idle",
        "transitions": [
            {"source": "idle", "when": ["unreadable"], "target": "idle", "reward": -0.5},
            {"source": "idle", "when": ["answer"], "target": "acted", "reward": 0.25},
            {"source": "acted", "when": ["end", "right"], "target": "done", "reward": 1},
        ],
    }
    chosen = settings(source="turns", turn_reward="machine", machine=machine)
    result, env, rewards = start_episode("calculator_and_lookup", chosen), rlgym.make("calculator_and_lookup"), []
    result = respond_once("calculator_and_lookup", chosen, result, "I do not know.")
    rewards += [span.reward for span in result.spans]
    while result.score is None:
        env.restore(result.snapshot)
        result = respond_once("calculator_and_lookup", chosen, result, env.oracle())
        rewards += [span.reward for span in result.spans]
    assert rewards[:2] == [-0.5, 0.25]
    assert rewards[-1] == 1
    assert not any(rewards[2:-1])
    hash(chosen)  # settings are keys of caches
    for given in ({"turn_reward": "machine"}, {"turn_reward": "valid", "machine": machine}):
        config = sums("m", "o", tasks=[{"names": ["maze_walk"]}], algorithm={"token_rewards": {"source": "turns", **given}})
        with pytest.raises(TrainError, match="belong together"):
            check_token_rewards(Config.from_dict(config))
    broken = sums("m", "o", algorithm={"token_rewards": {"source": "turns", "turn_reward": "machine", "machine": machine | {"start": "x"}}})
    with pytest.raises(TrainError, match="cannot be reached"):
        Config.from_dict(broken)


def test_the_calls_of_a_turn_are_compared_with_those_of_the_oracle():
    first = start_episode("calculator_and_lookup", settings(source="turns", turn_reward="tool_calls"))
    env = rlgym.make("calculator_and_lookup")
    env.restore(first.snapshot)
    right = env.oracle()
    for granularity, response, reward in [
        ("fine", right, 4.0),
        ("coarse", right, 4.0),
        ("fine", "I do not know.", -3.0),
        ("coarse", '<answer>{"tool": "submit", "arguments": {}}</answer>', -2.0),
    ]:
        chosen = settings(source="turns", turn_reward="tool_calls", call_granularity=granularity)
        ended = respond_once("calculator_and_lookup", chosen, first, response)
        assert [span.reward for span in ended.spans] == [reward]
        assert ended.snapshot.turn == 1, "the episode goes on from the response, not from the state before it"
    given = sums("m", "o", tasks=[{"names": ["maze_walk"]}], algorithm={"token_rewards": {"source": "turns", "turn_reward": "tool_calls"}})
    with pytest.raises(TrainError, match="maze_walk has no tools"):
        check_token_rewards(Config.from_dict(given))
