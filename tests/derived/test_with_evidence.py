"""NAME:with_evidence: the calls whose results prove that a task is done, in a world small enough to follow by hand, and in worlds of the library."""

import json
import time
from dataclasses import replace

import pytest

import rlgym
from rlgym import Config, Game, Rng, Score, TaskData
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.derived.with_evidence import SubmitEvidence, required_calls, with_evidence
from rlgym.generators.simulations.calls import run_turn
from rlgym.laws import check
from rlgym.registry import derived


class Write(Tool):
    """Sets a value."""

    key: str
    value: int


class Read(Tool):
    """Shows all values."""


class Count(Tool):
    """Shows how many calls were made."""


class Finish(Tool):
    """Ends the task."""


TOOLS = ToolCalls((Write, Read, Count, Finish))


class State(TaskData):
    values: tuple[tuple[str, int], ...] = ()
    calls: int = 0
    over: bool = False
    told: str = ""


def _start(rng: Rng, knobs: Config) -> State:
    return State()


def _run(state: State, call: Tool) -> tuple[State, str]:
    state = state.model_copy(update={"calls": state.calls + 1})
    if isinstance(call, Write):
        return state.model_copy(update={"values": tuple(sorted({**dict(state.values), call.key: call.value}.items()))}), "written"
    if isinstance(call, Read):
        return state, str(dict(state.values))
    if isinstance(call, Count):
        return state, f"{state.calls} calls"
    return state.model_copy(update={"over": True}), ""


def _act(state: State, calls: Calls) -> State:
    return run_turn(state, calls, _run, lambda now: now.over)


def _outcome(state: State) -> Score | None:
    return Score.exact(dict(state.values) == {"a": 1, "b": 2}, "other values") if state.over else None


def _best(state: State) -> Calls:
    return (Write(key="a", value=1), Write(key="b", value=2), Finish())


WORLD = Game(
    Config, TOOLS, _start, lambda state: state.told or "Set a to 1 and b to 2.", _act, _outcome, _best, lambda state: [(Finish(),)],
    cost=lambda state: 1.0, turns=lambda state: 8, no_rules="a world of tests",
)  # fmt: skip
A, B, LOOK, END = Write(key="a", value=1), Write(key="b", value=2), Read(), Finish()


def scored(turns, cited, world=WORLD):
    game = with_evidence(world)
    state = game.start(Rng("evidence", 1), Config())
    for calls in turns:
        assert game.outcome(state) is None
        state = game.act(state, calls)
    state = game.act(state, (SubmitEvidence(calls=cited),))
    return game.outcome(type(state).model_validate_json(state.model_dump_json()))


@pytest.mark.parametrize(
    ("turns", "cited", "value", "parts"),
    [
        # The changes themselves prove it; so does a look at the values after both, alone.
        ([(A, B), (END,)], [1, 2], 1.0, (1.0, 1.0)),
        ([(A,), (B, LOOK), (END,)], [3], 1.0, (1.0, 1.0)),
        # A look between the two proves the first alone, and nothing proves both.
        ([(A,), (LOOK,), (B,), (END,)], [2], 0.0, (0.5, 1.0)),
        ([(A,), (LOOK,), (B,), (END,)], [2, 3], 1.0, (1.0, 1.0)),
        ([(A, B), (END,)], [], 0.0, (0.0, 1.0)),
        ([(A, B), (END,)], [1], 0.0, (0.5, 1.0)),
        # More than there are required calls, or the end of the task, which proves nothing.
        ([(A, B, LOOK), (END,)], [1, 2, 3, 4], 0.5, (1.0, 0.5)),
        ([(A, B), (END,)], [3], 0.0, (0.0, 1.0)),
        # Doing a thing twice leaves one of the two to be proved, and a look proves it still.
        ([(A, B, A, B), (LOOK,), (END,)], [1, 2], 1.0, (1.0, 1.0)),
        ([(A, B, A, B), (LOOK,), (END,)], [], 0.0, (0.0, 1.0)),
        # Citing a call twice counts once.
        ([(A, B), (END,)], [1, 1, 2], 1.0, (1.0, 1.0)),
    ],
)
def test_evidence_is_judged_by_what_it_proves_and_by_its_size(turns, cited, value, parts):
    score = scored(turns, cited)
    assert score.value == pytest.approx(value)
    assert (score.parts["proved"], score.parts["concise"]) == parts


def test_a_task_that_is_not_done_earns_nothing_with_any_evidence():
    score = scored([(A,), (END,)], [1])
    assert (score.value, score.parts["task"]) == (0.0, 0.0)


def test_a_call_that_was_not_made_spoils_the_evidence():
    assert scored([(A, B), (END,)], [1, 2, 9]).reason == "the evidence cites a call that was not made"


def test_each_cited_call_costs_two_steps_of_a_replay_for_each_required_one():
    acted = []
    world = replace(WORLD, act=lambda state, calls: acted.append(calls) or _act(state, calls))
    turns, steps = [(A, B), (A,) * 8, (A,) * 7, (END,)], []
    for cited in ([3], [*range(3, 18)]):
        acted.clear()
        assert scored(turns, cited, world).parts["proved"] == 0.0
        steps.append(len(acted))
    # What the 14 further ones showed, and what they would show without the one or the other required call.
    assert steps[1] - steps[0] <= 14 * 2 * 3


def test_the_calls_so_far_and_the_reason_are_worded_by_their_number():
    game = with_evidence(WORLD)
    state = game.start(Rng("evidence", 1), Config())
    assert "You have made no calls so far." in game.show(game.act(state, (SubmitEvidence(calls=[1]),)))
    state = game.act(state, (A,))
    assert game.show(state).endswith("Your last call has the number 1.")
    assert game.show(game.act(state, (LOOK,))).endswith("Your last call has the number 2.")
    assert game.show(game.act(state, (LOOK, LOOK))).endswith("Your last calls have the numbers 2 to 3.")
    assert scored([(A, B, LOOK), (END,)], [1, 2, 3]).reason == "the evidence cites 3 calls where 2 suffice"
    one = replace(WORLD, outcome=lambda state: Score.exact(dict(state.values) == {"a": 1}, "other values") if state.over else None)
    assert scored([(A, LOOK), (END,)], [1, 2], one).reason == "the evidence cites 2 calls where 1 suffices"


def test_a_world_that_counts_calls_gives_no_proof_by_the_count():
    assert scored([(A, B, Count()), (END,)], [3]).parts["proved"] == 0.0


def test_evidence_beside_other_calls_or_before_the_end_is_not_read():
    game = with_evidence(WORLD)
    state = game.start(Rng("evidence", 1), Config())
    state = game.act(state, (SubmitEvidence(calls=[1]),))
    early = "submit_evidence was not run: evidence is submitted in a turn of its own, when the task is over."
    assert early in game.show(state)
    state = game.act(state, (A, B, END, SubmitEvidence(calls=[1, 2])))
    assert game.outcome(state) is None
    assert f"{early}\n\nThe task is over." in game.show(state)
    after = game.act(state, (LOOK,))
    assert game.show(after).startswith("Nothing was run: only submit_evidence is left.\n\nThe task is over.")
    assert game.outcome(game.act(state, (SubmitEvidence(calls=[1, 2]),))).value == 1.0


def test_the_prompt_lists_submit_evidence_among_the_tools():
    game = with_evidence(replace(WORLD, show=lambda state: f"Set a to 1.\n\n{TOOLS.manual()}\n\nGo."))
    line = "- submit_evidence(calls: list of integers): Cites calls by their numbers and ends the episode."
    prompt = game.show(game.start(Rng("evidence", 1), Config()))
    assert f"- finish(): Ends the task.\n{line}\n\nGo." in prompt
    # A world that does not list all of its tools gets the line below its own prompt.
    game = with_evidence(WORLD)
    assert f"One more tool:\n{line}" in game.show(game.start(Rng("evidence", 1), Config()))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "submit_evidence was not run: the argument calls is missing"),
        ({"calls": "4"}, 'submit_evidence was not run: calls: should be a valid array, got "4"'),
        ({"calls": 4}, "submit_evidence was not run: calls: should be a valid array, got 4"),
        ({"calls": ["4"]}, 'submit_evidence was not run: calls.0: should be a valid integer, got "4"'),
    ],
)
def test_malformed_evidence_is_answered_with_the_reason(arguments, reason):
    game = with_evidence(WORLD)
    malformed = game.answer.parse(json.dumps({"tool": "submit_evidence", "arguments": arguments}))
    state = game.act(game.start(Rng("evidence", 1), Config()), malformed)
    assert reason in game.show(state)
    # It is no call of the task, neither before its end nor after it.
    state = game.act(game.act(state, (A, B, END)), malformed)
    assert game.show(state).startswith(f"{reason}\n\nThe task is over.")
    assert game.outcome(game.act(state, (SubmitEvidence(calls=[1, 2]),))).value == 1.0


def test_results_are_labelled_by_the_numbers_of_the_episode_up_to_the_last():
    game = with_evidence(WORLD)
    state = game.act(game.start(Rng("evidence", 1), Config()), (LOOK, A))
    assert game.show(state).startswith("[1] {}\n[2] written\n\n")
    state = game.act(state, (LOOK, Count(), B))
    assert game.show(state).startswith("[3] {'a': 1}\n[4] 4 calls\n[5] written\n\nYour last calls have the numbers 3 to 5.")
    # What was run beside the end of the task is shown too.
    state = game.act(state, (LOOK, END))
    assert game.show(state) == (
        "[6] {'a': 1, 'b': 2}\n[7]\n\nThe task is over. Your last calls have the numbers 6 to 7. Submit the evidence."
    )


def test_results_that_hold_labels_themselves_are_left_and_explained():
    world = replace(WORLD, show=lambda state: f"{state.told}\n[2] a note" if state.told else "Set a to 1.")
    game = with_evidence(world)
    state = game.act(game.act(game.start(Rng("evidence", 1), Config()), (A,)), (LOOK, B))
    assert "[1] {'a': 1}\n[2] written\n[2] a note" in game.show(state)
    assert "The results labelled [1] to [2] are those of the calls 2 to 3." in game.show(state)


def test_the_required_calls_are_found_by_leaving_calls_out():
    assert required_calls(WORLD, State(), [(LOOK, A), (A, B), (END,)]) == [1, 3]


def test_the_required_calls_of_an_episode_twice_as_long_take_about_twice_as_long():
    times = []
    for length in (150, 300):
        turns = [(LOOK,)] * length + [(A,)] + [(LOOK, Count())] * length + [(B,)] + [(LOOK,)] * length + [(END,)]
        runs = []
        for _ in range(3):
            begun = time.process_time()
            assert required_calls(WORLD, State(), turns) == [length, 3 * length + 1]
            runs.append(time.process_time() - begun)
        times.append(min(runs))
    assert times[1] <= 2.6 * times[0]


def test_a_call_that_is_undone_needs_no_proof():
    wrong = Write(key="a", value=5)
    assert required_calls(WORLD, State(), [(A,), (wrong,), (A, B), (END,)]) == [2, 3]


def test_few_of_many_cited_calls_are_replayed_in_a_world_that_counts_calls():
    acted = []
    world = replace(WORLD, act=lambda state, calls: acted.append(calls) or _act(state, calls), turns=lambda state: 60)
    steps = []
    for turns in (20, 40):
        acted.clear()
        assert scored([(A, B), *[(Count(),)] * turns, (END,)], [*range(3, turns + 3)], world).parts["proved"] == 0.0
        steps.append(len(acted))
    assert steps[1] <= 2.6 * steps[0], steps


@pytest.mark.parametrize("name", ["web_shop", "wiki_search_qa", "crm_update", "bank_support", "household_text", "invoice_disputes"])
def test_the_oracle_proves_what_it_did_in_worlds_of_the_library(name):
    env = rlgym.make(f"{name}:with_evidence", level=0.3)
    env.reset(seed=2)
    over, calls = False, ""
    while not over:
        calls = env.unwrapped.oracle()
        before = env.unwrapped.snapshot()
        _, reward, over, _, info = env.step(calls)
    assert reward == 1.0
    # Every call of the episode as evidence is worth less wherever some were not required.
    env.unwrapped.restore(before)
    cited = json.loads(calls.removeprefix("<answer>").removesuffix("</answer>"))["arguments"]["calls"]
    made = sum(len(rlgym.registry.environment(name).answer.parse(turn)) for turn in before.state.turns)
    _, reward, _, _, info = env.step(
        f"<answer>{json.dumps({'tool': 'submit_evidence', 'arguments': {'calls': [*range(1, made + 1)]}})}</answer>"
    )
    assert reward == pytest.approx(len(cited) / made)
    assert info["score"].parts["proved"] == 1.0


def test_worlds_without_tools_and_those_that_run_programs_have_none():
    assert with_evidence(replace(WORLD, sandbox=rlgym.registry.environment("javascript_port").sandbox)) is None
    assert "higher_lower:with_evidence" not in derived("higher_lower")
    assert "chain_sum:with_evidence" not in derived("chain_sum")


def test_a_derived_world_obeys_the_laws():
    findings = check("smart_home:with_evidence", effort="least").findings
    assert not {law: finding.failures for law, finding in findings.items() if not finding.passed}
