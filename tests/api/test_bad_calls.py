"""Tool calls of wrong types, of other tools, of a megabyte, and of text that is none: worlds answer them, and the work goes on."""

import json
import time

import pytest
from thinning import thinned

import rlgym
from rlgym.answers import ToolCalls
from rlgym.core.declare import Game
from rlgym.core.errors import PackageMissing, SandboxMissing
from rlgym.core.score import Outcome

MEGABYTE = "x" * 1_000_000
WRONG = (None, 5, -1.5, True, [], {"a": 1}, [[None]], "", MEGABYTE, "\0", "\ud800", "你好，你能帮我吗？", "🙂" * 50)
OTHERS = (
    "",
    "\0",
    "\ud800",
    MEGABYTE,
    f"<answer>{MEGABYTE}</answer>",
    "<answer></answer>",
    "<answer>null</answer>",
    "<answer>[1]</answer>",
    "<answer>{}</answer>",
    '<answer>{"tool": 5, "arguments": []}</answer>',
    '<answer>{"tool": "no_such_tool", "arguments": {}}</answer>',
    f"<answer>{'[' * 100_000}</answer>",
)
DOMAINS = ("company", "notebooks", "repositories", "sql", "terminal", "tools")
WORLDS = [
    name
    for domain in DOMAINS
    for name in rlgym.names(domain)
    if isinstance(game := rlgym.environment(name), Game) and isinstance(game.answer, ToolCalls)
]


def call(tool, arguments):
    return f"<answer>{json.dumps({'tool': tool, 'arguments': arguments})}</answer>"


def bad_calls(response):
    """The first call of a response with each argument of another type, one more, and none."""
    said = json.loads(response.removeprefix("<answer>").removesuffix("</answer>").split("\n")[0])
    tool, arguments = said["tool"], said["arguments"]
    return [
        *(call(tool, {**arguments, name: value}) for name in arguments for value in WRONG),
        call(tool, {**arguments, "surprise": 1}),
        *([call(tool, {})] if arguments else []),
        call(tool, [arguments]),
        call(tool, None),
    ]


@pytest.mark.parametrize("name", thinned(WORLDS))
def test_a_bad_call_is_answered_and_the_work_goes_on(name):
    try:
        env = rlgym.make(name, level=0.0)
    except (PackageMissing, SandboxMissing) as why:
        pytest.skip(str(why))
    env.reset(seed=1)
    start = env.snapshot()
    for response in [*OTHERS, *bad_calls(env.oracle())]:
        env.restore(start)
        before = time.process_time()
        _, reward, over, _, info = env.step(response)
        assert time.process_time() - before < 5, response[:80]
        assert reward == 0, response[:80]
        if over:
            assert info["score"].outcome is not Outcome.ERROR, (response[:80], info["score"].reason)
    env.restore(start)
    env.step('<answer>{"tool": "no_such_tool", "arguments": {}}</answer>')
    over, reward = False, 0.0
    while not over:
        _, reward, over, *_ = env.step(env.oracle())
    assert reward > 0.5
