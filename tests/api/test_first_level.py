"""Level 0 of the long worlds is done in three turns and the end of the work."""

import json

import pytest
from thinning import thinned

import rlgym
from rlgym.core.declare import Game
from rlgym.core.errors import PackageMissing, SandboxMissing

LONG = [name for domain in ("company", "notebooks", "repositories") for name in rlgym.names(domain)]
ENDS = ("finish", "submit", "done")
FEW = 3


PEOPLE = [
    name
    for name in rlgym.names("tools")
    if isinstance(game := rlgym.environment(name), Game) and game.with_user and name not in ("phone_support", "survey_interviews")
]
"""Worlds with people. In phone_support one message can ask for three things, and survey_interviews asks several persons in one turn."""


SINGLE_PLAYER = ("memory_notes", "negotiation_with_rules", "household_text", "science_lab_text")


def _start(name, seed):
    try:
        env = rlgym.make(name, level=0.0)
    except (PackageMissing, SandboxMissing) as why:
        pytest.skip(str(why))
    env.reset(seed=seed)
    return env


def _turns(env):
    """The oracle's calls of each turn, and the last reward."""
    turns, over, reward = [], False, 0.0
    while not over:
        response = env.oracle()
        turns.append([json.loads(line) for line in response.removeprefix("<answer>").removesuffix("</answer>").split("\n")])
        _, reward, over, _, _ = env.step(response)
    return turns, reward


@pytest.mark.parametrize("name", thinned(LONG))
def test_the_first_level_takes_three_turns_besides_the_end(name):
    for seed in range(3):
        turns, reward = _turns(_start(name, seed))
        assert reward == 1.0
        working = [calls for calls in turns if any(call["tool"] not in ENDS for call in calls)]
        assert len(working) <= FEW, [call["tool"] for calls in turns for call in calls]


@pytest.mark.parametrize("name", SINGLE_PLAYER)
def test_the_first_level_starts_in_the_middle_of_the_work(name):
    for seed in range(6):
        turns, reward = _turns(_start(name, seed))
        assert reward == 1.0
        assert len(turns) <= FEW + 1


@pytest.mark.parametrize("name", thinned(PEOPLE))
def test_the_first_level_with_people_takes_three_calls_besides_the_end(name):
    spoken = 0
    for seed in range(5):
        turns, reward = _turns(_start(name, seed))
        assert reward == 1.0
        working = [call["tool"] for calls in turns for call in calls if call["tool"] not in ENDS]
        assert len(working) <= FEW
        spoken += sum(tool.startswith("say") for tool in working)
    assert spoken


def test_the_first_level_of_phone_support_takes_three_calls():
    env = _start("phone_support", 2)
    code = json.loads(env.oracle().removeprefix("<answer>").removesuffix("</answer>"))["arguments"]["call"]
    observation = ""
    for text in (
        "What does your status bar show?",
        "Take the SIM card out and put it back in. What does it show now? Please run a speed test.",
    ):
        observation, *_ = env.step(f"<answer>{json.dumps({'tool': 'say', 'arguments': {'call': code, 'text': text}})}</answer>")
    assert "loose" in observation
    close = {"tool": "close", "arguments": {"call": code, "causes": ["loose_sim"], "solved": True}}
    _, reward, over, *_ = env.step(f"<answer>{json.dumps(close)}</answer>")
    assert over
    assert reward == 1.0


@pytest.mark.parametrize("name", rlgym.names("terminal"))
def test_the_first_level_of_a_terminal_is_one_script(name):
    env = _start(name, 1)
    start = env.snapshot()
    turns, reward = _turns(env)
    assert reward == 1.0
    script = "\n".join(call["arguments"]["command"] for calls in turns for call in calls if call["tool"] == "bash")
    env.restore(start)
    for call in ({"tool": "bash", "arguments": {"command": script}}, {"tool": "done", "arguments": {}}):
        _, reward, over, _, _ = env.step(f"<answer>{json.dumps(call)}</answer>")
    assert over
    assert reward == 1.0


@pytest.mark.parametrize(
    "name",
    [
        "archive_dedup", "broken_build", "mode_audit", "service_chain", "jobs_schedule", "c_port", "makefile_repair", "crash_reduction",
        "database_reconcile", "disk_cleanup",
    ],
)  # fmt: skip
def test_the_first_level_of_these_terminals_takes_three_commands_of_the_oracle(name):
    for seed in range(4):
        turns, reward = _turns(_start(name, seed))
        assert reward == 1.0
        assert len(turns) <= FEW + 1


@pytest.mark.parametrize(
    "name",
    [
        "verify_before_submit",
        "incident_response",
        "incident_investigation",
        "citation_report",
        "phone_support",
        "masked_span_search",
        "network_diagnosis",
        "tool_composition",
    ],
)
def test_the_first_level_of_these_takes_three_turns_and_the_end(name):
    for seed in range(8):
        turns, reward = _turns(_start(name, seed))
        assert reward == 1.0
        assert len(turns) <= FEW + 1
