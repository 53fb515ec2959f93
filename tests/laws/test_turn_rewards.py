"""The rewards of the turns of every many-turn environment sum to its score, whoever plays."""

from dataclasses import replace

import pytest
from thinning import thinned

import rlgym
from rlgym.answers.tools import Misuse
from rlgym.core.errors import DeclarationError
from rlgym.dataset import Session, sample
from rlgym.episode.env import Env
from rlgym.episode.turn_rewards import milestones, potential

MANY = [name for name in rlgym.names() if rlgym.environment(name).kind != "environment"]
WITH_MILESTONES = [name for name in MANY if getattr(rlgym.environment(name), "milestones", None)]


def played(name, level, seed, policy):
    """The rewards and the last info of an episode, after checks of every turn."""
    env = rlgym.make(name, level=level, turn_rewards=True)
    env.reset(seed=seed)
    names, rewards, over, info = set(milestones(env.declared, env.snapshot())), [], False, {}
    while not over:
        _, reward, over, _, info = env.step(policy(env, len(rewards)))
        rewards.append(reward)
        assert sum(rewards) == pytest.approx(potential(env.declared, env.snapshot()))
        assert -1e-9 <= sum(rewards) <= 1 + 1e-9
        assert set(info.get("milestones", {})) == names
    assert not info["masked"], info["score"].reason
    return rewards, info


def oracle(env, turn):
    return env.oracle()


def ending_apart(env, turn):
    """The oracle, but where its last turn holds several calls, the call that ends the episode comes in a turn of its own."""
    answer = env.declared.answer
    if not hasattr(answer, "schemas"):
        return env.oracle()
    [text] = answer.extract(env.oracle(), "tag")
    given = answer.parse(text)
    before = env.snapshot()
    env.step(env.oracle())
    ends = env.snapshot().score is not None
    env.restore(before)
    return answer.render_response(given[:-1], "tag") if ends and len(given) > 1 else env.oracle()


def silent(env, turn):
    return "I do not know."


def mistaken(which):
    def policy(env, turn):
        wrong = list(env.declared.mistakes(env.snapshot().state))
        return env.declared.answer.render_response(wrong[which % len(wrong)], "tag") if wrong else env.oracle()

    return policy


def half(env, turn):
    """Follows the oracle, but says nothing readable in every second turn."""
    return env.oracle() if turn % 2 else "..."


@pytest.mark.parametrize("name", thinned([*MANY, "chain_sum:try_again", "chain_sum:budgeted", "taxi_text:shift"], 5))
def test_turn_rewards_sum_to_the_score(name):
    level, policies = (0.5, (silent, half, *map(mistaken, range(3)))) if name in WITH_MILESTONES else (0.0, (silent, mistaken(0)))
    for policy in policies:
        rewards, info = played(name, level, 3, policy)
        assert sum(rewards) == pytest.approx(info["score"].value, abs=1e-9)
    rewards, _ = played(name, level, 3, oracle)
    assert sum(rewards) == pytest.approx(1)


@pytest.mark.parametrize("name", thinned(WITH_MILESTONES, 5))
def test_the_oracle_is_paid_before_the_last_turn(name):
    episodes = [played(name, level, 1, ending_apart if name != "repair_with_feedback" else mistaken(1)) for level in (0.5, 1.0)]
    assert any(reward > 0 for rewards, _ in episodes for reward in rewards[:-1])


def test_many_environments_have_milestones():
    assert len(WITH_MILESTONES) >= 38


def calls(env, *given):
    return env.declared.answer.render_response(given, "tag")


def test_undoing_and_redoing_is_paid_once():
    """Filling and emptying a cart again and again."""
    env = rlgym.make("web_shop", level=0.0, turn_rewards=True)
    env.reset(seed=1)
    tools = {tool.__name__: tool for tool in env.declared.answer.tools}
    paid = [env.step(env.oracle())[1]]
    while not paid[-1]:
        filling = env.oracle()
        paid.append(env.step(filling)[1])
    assert paid[-1] == pytest.approx(1)
    for _ in range(2):
        assert env.step(calls(env, tools["EmptyCart"]()))[1] == pytest.approx(-1)
        assert env.step(filling)[1] == pytest.approx(1)
    _, reward, over, _, info = env.step(env.oracle())
    assert (reward, over, info["score"].value) == (0, True, 1)


def test_a_fatal_mistake_costs_what_was_earned():
    """A change that rests on nothing read loses the work in that turn, and the final turn pays nothing back."""
    env = rlgym.make("crm_update", level=0.5, turn_rewards=True)
    env.reset(seed=1)
    earned = [env.step(env.oracle())[1] for _ in range(3)]
    assert sum(earned) > 0
    service = env.declared.milestones.__self__
    [deed, *_] = [
        deed for deed in service.wanted(env.snapshot().state) if env.declared.answer.render((deed,)) not in env.snapshot().state.done
    ]
    assert not isinstance(deed, Misuse)
    deeds = [deed] * 2
    lost = [env.step(calls(env, call))[1] for call in deeds]
    assert sum(earned) + sum(lost) == pytest.approx(0)


def test_the_reward_without_the_option_is_the_score_at_the_end():
    env = rlgym.make("taxi_text", level=0.5)
    env.reset(seed=1)
    rewards, over, info = [], False, {}
    while not over:
        _, reward, over, _, info = env.step(env.oracle())
        rewards.append(reward)
    assert rewards == [0.0] * (len(rewards) - 1) + [1.0]
    assert "milestones" not in info


def test_shaping_is_added_to_the_last_turn():
    env = rlgym.make("taxi_text", level=0.5, turn_rewards=True, rewards=lambda score, response: 10.0)
    env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, _ = env.step(env.oracle())
        total += reward
    assert total == pytest.approx(11)


def test_a_single_turn_response_has_verdicts_on_its_steps():
    env = rlgym.make("quadratic_equation" if "quadratic_equation" in rlgym.names() else _with_steps(), level=0.3, turn_rewards=True)
    env.reset(seed=1)
    steps = env.declared.explain(env.task)
    _, reward, over, _, info = env.step("\n".join(steps) + "\n\n" + env.oracle())
    assert (reward, over) == (1, True)
    assert len(info["steps"]) >= len(steps) - 1
    assert {step.verdict for step in info["steps"]} == {"right"}
    plain = rlgym.make(env.name, level=0.3)
    plain.reset(seed=1)
    assert "steps" not in plain.step("no")[4]


def _with_steps():
    return next(name for name in rlgym.names() if getattr(rlgym.environment(name), "solution", None))


def test_sessions_have_the_same_rewards():
    row = next(iter(sample("taxi_text", 1, levels=[0.5])))
    session = Session(row)
    assert session.turn_rewards == []
    while not session.done:
        session.step(session.oracle())
        assert len(session.turn_rewards) == len(session.messages) // 2
    assert sum(session.turn_rewards) == pytest.approx(1)
    assert session.milestones == {"picked_up": 1, "brought": 1}


def test_a_milestone_out_of_range_is_a_fault_of_the_declaration():
    env = Env("taxi_text", turn_rewards=True)
    env.declared = replace(env.declared, milestones=lambda state: {"points": 7.0})
    with pytest.raises(DeclarationError, match=r"the milestone 'points' must be from 0 to 1, got 7.0"):
        env.reset(seed=1)
