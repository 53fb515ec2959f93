"""In every world of many turns the state is a value: replays, branches and copies from JSON go on alike, whatever was tried in between."""

import json
from dataclasses import replace

import pytest
from thinning import thinned

import rlgym
from rlgym.answers import ToolCalls
from rlgym.core.errors import PackageMissing, SandboxMissing
from rlgym.core.score import Outcome

WORLDS = [name for name in rlgym.names() if rlgym.environment(name).kind != "environment"]
TOOL_WORLDS = [name for name in WORLDS if isinstance(rlgym.environment(name).answer, ToolCalls)]
LEVEL = 0.3
LONG = "long " * 200_000
OTHER_WRITING = "\u0e20\u0e32\u0e29\u0e32 \u65e5\u672c\u8a9e \u0627\u0644\u0639\u0631\u0628\u064a\u0629 \U0001f600 \u202e e\u0301 \x00"
TYPES = ("two", 2, 2.5, -1, True, None, [], [[1]], {"a": {}}, OTHER_WRITING, LONG)
"""Values of every JSON type; each argument of each tool gets all of them."""


@pytest.fixture
def make(request):
    def made(name):
        try:
            return rlgym.make(name, level=LEVEL)
        except (PackageMissing, SandboxMissing) as why:
            pytest.skip(str(why))

    return made


def _turn(env, response):
    observation, reward, over, truncated, info = env.step(response)
    return observation, reward, over, truncated, str(info.get("score"))


def _oracle_episode(env):
    """The responses, what each led to, and the states before each."""
    responses, seen, states, over = [], [], [], False
    while not over:
        states.append(env.snapshot())
        responses.append(env.oracle())
        seen.append(_turn(env, responses[-1]))
        over = seen[-1][2]
    return responses, seen, states


def _from_json(env, at):
    """A copy of an episode's state by way of JSON, as another process would get it."""
    state = env.declared.data.model_validate_json(at.state.model_dump_json())
    assert state == at.state
    return replace(at, state=state)


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(WORLDS))
def test_an_episode_replays_forks_and_goes_on_from_its_json(name, make):
    env = make(name)
    first, _ = env.reset(seed=3)
    responses, seen, states = _oracle_episode(env)
    assert seen[-1][1] == 1.0
    kept = [at.state.model_dump_json() for at in states]
    transcript, events = env.messages, env.events

    again = rlgym.make(name, level=LEVEL)
    assert again.reset(seed=3)[0] == first
    assert [_turn(again, response) for response in responses] == seen, "a replay differs"
    assert (again.messages, again.events) == (transcript, events)

    middle = len(responses) // 2
    elsewhere = rlgym.make(name, level=LEVEL)  # the client went away; another one goes on
    elsewhere.restore(_from_json(env, states[middle]))
    assert [_turn(elsewhere, response) for response in responses[middle:]] == seen[middle:], "a copy from JSON goes on differently"
    assert (elsewhere.messages, elsewhere.events) == (transcript, events)

    for place in {0, middle, len(states) - 1}:  # branches off with something else, twice, then goes on
        for other in ("<answer>nothing of the sort</answer>", responses[0], LONG, OTHER_WRITING):
            env.restore(states[place])
            env.step(other)
        env.restore(states[place])
        assert [_turn(env, response) for response in responses[place:]] == seen[place:], "a branch was disturbed"
    assert [at.state.model_dump_json() for at in states] == kept, "a state was changed in place"


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(TOOL_WORLDS))
def test_calls_with_wrong_arguments_are_answered_and_nothing_is_lost(name, make):
    env = make(name)
    env.reset(seed=4)
    responses, seen, states = _oracle_episode(env)
    start, middle = states[0], states[len(states) // 2]
    turns = 0
    for schema in env.declared.answer.schemas():
        tool, parameters = schema["function"]["name"], schema["function"]["parameters"]["properties"]
        wrong = [{}, {"no_such": 1}, *({argument: value} for argument in parameters for value in TYPES)]
        wrong += [dict.fromkeys(parameters, value) for value in TYPES]
        for arguments in wrong:
            env.restore(middle)
            _, reward, _, _, info = env.step(f"<answer>{json.dumps({'tool': tool, 'arguments': arguments})}</answer>")
            assert info.get("score") is None or info["score"].outcome is not Outcome.ERROR, (tool, str(arguments)[:80], info["score"])
            assert reward <= 1.0
            turns += 1
    assert turns
    env.restore(start)
    assert [_turn(env, response) for response in responses] == seen
