"""The Gymnasium side: reset and step, as users of gymnasium expect them."""

import subprocess
import sys
import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import rlgym
from rlgym.core.errors import EpisodeError, KnobError, UnknownName

KINDS = ["chain_sum", "shortest_path", "higher_lower"]


@pytest.mark.parametrize("name", KINDS)
def test_gymnasium_finds_nothing_to_complain_of(name):
    env = gymnasium.make(rlgym.spec(name)["id"], level=0.3)
    check_env(env.unwrapped)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vector_environments_play(mode):
    envs = gymnasium.make_vec("rlgym/higher_lower-v2", num_envs=3, vectorization_mode=mode, level=0.2)
    observations, infos = envs.reset(seed=[1, 2, 3])
    assert observations == tuple(rlgym.make("higher_lower", level=0.2).reset(seed=seed)[0] for seed in (1, 2, 3))
    assert [task.origin.seed for task in infos["task"]] == [1, 2, 3]
    observations, rewards, terminated, truncated, infos = envs.step(("<answer>1</answer>", "junk \u0661", "<answer>7</answer>"))
    assert list(rewards) == [0, 0, 0]
    assert not any(terminated)
    assert not any(truncated)
    assert "could not be read" in observations[1]
    envs.close()


@pytest.mark.parametrize("order", ["import rlgym, gymnasium", "import gymnasium, rlgym"])
def test_ids_are_known_whichever_is_imported_first(order):
    code = f"{order}\nenv = gymnasium.make('rlgym/chain_sum-v1', level=0.2)\nenv.reset(seed=1)\nprint(env.step(env.unwrapped.oracle())[1])"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1.0"
    assert done.stderr == ""


def test_every_id_has_its_declared_version():
    assert {spec.id for spec in gymnasium.registry.values() if spec.id.startswith("rlgym/")} == {
        rlgym.spec(name)["id"] for name in rlgym.names()
    }


@pytest.mark.parametrize("style", ["tag", "boxed", "fence"])
@pytest.mark.parametrize("name", KINDS)
def test_the_oracle_wins_in_every_style(name, style):
    env = rlgym.make(name, level=0.4, answer_style=style)
    env.reset(seed=11)
    over = False
    while not over:
        _, reward, over, truncated, info = env.step(env.unwrapped.oracle())
        assert truncated is False
    assert reward == 1.0
    assert info["score"].outcome is rlgym.Outcome.RIGHT
    assert info["feedback"] == "Your answer is right."


def test_seeds_levels_and_knobs_say_what_is_drawn():
    env = rlgym.make("chain_sum", level=0.5)
    assert env.reset(seed=3)[0] == env.reset(seed=3)[0]
    assert env.reset(seed=3)[0] != env.reset(seed=4)[0]
    easy, info = env.reset(seed=3, options={"level": 0.0, "knobs": {"terms": 3}})
    assert info["task"].origin.knobs == {"terms": 3, "digits": 1}
    assert info["task"] == rlgym.task("chain_sum", 3, level=0.0, terms=3)
    assert easy.startswith(info["task"].prompt)
    assert rlgym.make("chain_sum", terms=7).reset(seed=1)[1]["task"].origin.knobs["terms"] == 7


def test_a_reset_without_a_seed_goes_on_from_the_last_seed():
    one, other = rlgym.make("chain_sum"), rlgym.make("chain_sum")
    first = [one.reset(seed=5)[0], one.reset()[0], one.reset()[0]]
    second = [other.reset(seed=5)[0], other.reset()[0], other.reset()[0]]
    assert first == second
    assert len(set(first)) == 3


def test_rewards_are_added_to_the_score():
    env = rlgym.make("chain_sum", rewards=[lambda score, response: -0.25 if len(response) > 100 else 0.0])
    env.reset(seed=1)
    right = env.oracle()
    assert env.step(right)[1] == 1.0
    env.reset(seed=1)
    assert env.step("x" * 200 + right)[1] == 0.75


def test_an_unreadable_turn_uses_up_a_turn():
    env = rlgym.make("higher_lower", level=0.0)
    observation, _ = env.reset(seed=1)
    assert "You have 5 turns" in observation
    for turn in range(1, 6):
        observation, reward, over, _, info = env.step("I think it is seven.")
        assert info["turn"] == turn
        assert reward == 0
        assert over == (turn == 5)
    assert [event.kind for event in env.events] == ["unreadable"] * 5


def test_a_snapshot_can_be_gone_back_to_any_number_of_times():
    env = rlgym.make("higher_lower", level=0.5)
    env.reset(seed=2)
    env.step("<answer>1</answer>")
    kept, text = env.snapshot(), env.render()
    ends = []
    for _ in range(2):
        observation = env.restore(kept)
        assert observation == kept.observation
        assert env.render() == text
        over = False
        while not over:
            _, _, over, _, _ = env.step(env.oracle())
        ends.append(env.render())
    assert ends[0] == ends[1]
    with pytest.raises(EpisodeError, match="of 'higher_lower', not of 'chain_sum'"):
        rlgym.make("chain_sum").restore(kept)


def test_hints_grow_and_only_the_last_holds_the_answer():
    env = rlgym.make("chain_sum", level=0.5)
    env.reset(seed=9)
    answer = env.oracle().removeprefix("<answer>").removesuffix("</answer>")
    concept, plan, partial, solution = (env.hint(tier) for tier in ("concept", "plan", "partial", "solution"))
    assert answer in solution
    assert not any(answer in text for text in (concept, plan, partial))
    assert len(concept) < len(partial) < len(solution)
    assert "_" in plan
    with pytest.raises(UnknownName, match="Did you mean 'concept'"):
        env.hint("concepts")


def test_render_and_messages_are_the_transcript():
    env = rlgym.make("chain_sum")
    observation, _ = env.reset(seed=1)
    env.step("no idea")
    assert env.messages == [{"role": "user", "content": observation}, {"role": "assistant", "content": "no idea"}]
    assert env.render() == f"[user]\n{observation}\n\n[assistant]\nno idea"


def test_wrong_use_is_answered_with_what_to_do():
    env = rlgym.make("chain_sum")
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) before step"):
        env.step("1")
    env.reset(seed=1)
    with pytest.raises(EpisodeError, match=r"must be a string.*got int"):
        env.step(5)
    env.step("1")
    with pytest.raises(EpisodeError, match="the episode is over"):
        env.step("1")
    with pytest.raises(UnknownName, match="Did you mean 'chain_sum'"):
        rlgym.make("chain_smu")
    with pytest.raises(KnobError, match="level must be from 0"):
        rlgym.make("chain_sum", level=7)
    with pytest.raises(KnobError, match="terms must be an integer from 2 to 40, got terms=99"):
        rlgym.make("chain_sum", terms=99)
    with pytest.raises(KnobError, match=r"there is no knob 'term'\. Did you mean 'terms'"):
        rlgym.make("chain_sum", term=9)
    with pytest.raises(KnobError, match="answer_style must be one of tag, boxed, fence"):
        rlgym.make("chain_sum", answer_style="xml")
    with pytest.raises(KnobError, match="seed must be an integer from 0"):
        env.reset(seed=-1)
    with pytest.raises(KnobError, match="may hold 'level' and 'knobs'"):
        env.reset(seed=1, options={"levels": 1})
    assert issubclass(UnknownName, rlgym.RlgymError)
    assert issubclass(EpisodeError, rlgym.RlgymError)
    assert issubclass(KnobError, rlgym.RlgymError)


def test_playing_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("rlgym/shortest_path-v2")
        env.reset(seed=1)
        env.step(env.unwrapped.oracle())
        env.close()
