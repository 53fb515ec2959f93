"""A graph of attempts: several parents, equal texts as one node, values, and what it chooses, on simulated models."""

import asyncio
import json

import pytest
from evaluate.step_cases import Fixed
from evaluate.test_strategies import SUITE, Simulated, ran

from rlgym import RlgymError
from rlgym.dataset import Session
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.strategies.combining import AGGREGATE, IMPROVE
from rlgym.evaluate.strategies.graph import GraphOptions, grow_graph
from rlgym.evaluate.strategies.problem import CallLog, Problem
from rlgym.evaluate.strategies.run import run_strategies

SMALL = SUITE.first(30)


class Combining(Simulated):
    """Combines to the right answer where an attempt has it, and its refinements change nothing."""

    def reply(self, messages, key):
        last = messages[-1]["content"]
        if AGGREGATE in last:
            oracle = self.answers[last.partition(f"\n\n{AGGREGATE}")[0]]
            return oracle if oracle in last else "<answer>1</answer>"
        if last.startswith(IMPROVE):
            return messages[-2]["content"]
        first = {"role": "user", "content": messages[0]["content"].partition(f"\n\n{AGGREGATE}")[0]}
        return super().reply([first, *messages[1:]], key)


def grown(tmp_path, model, scorer=None, **options):
    async def grow():
        log = CallLog(tmp_path)
        problem = Problem(SMALL.rows[0], model, Sampling(), log, asyncio.Semaphore(4), scorer=scorer)
        try:
            return problem, await grow_graph(problem, GraphOptions(**options))
        finally:
            log.close()

    return asyncio.run(grow())


def test_an_attempt_follows_from_several_others_and_equal_texts_are_one_node(tmp_path):
    oracle = Session(SMALL.rows[0]).oracle()
    given = iter([oracle, "<answer>7</answer>", "<answer>7</answer>", "<answer>8</answer>"])

    class Listed(Combining):
        def reply(self, messages, key):
            return next(given) if len(messages) == 1 and AGGREGATE not in messages[0]["content"] else super().reply(messages, key)

    values = {oracle: 0.3, "<answer>7</answer>": 0.9, "<answer>8</answer>": 0.5, "<answer>1</answer>": 0.1}
    scorer = Fixed(values.__getitem__)
    problem, thoughts = grown(tmp_path, Listed(rows=SMALL.rows), scorer, n=4, rounds=1, keep=2, combine=1, value="scorer")
    found = {thought.candidate.text: (thought.value, problem.parents[thought.candidate.text]) for thought in thoughts}
    # The best two of three nodes, 7 and 8, are combined; 7 is refined to itself, which adds no node and no parent.
    assert found == {
        oracle: (0.3, set()),
        "<answer>7</answer>": (0.9, set()),
        "<answer>8</answer>": (0.5, set()),
        "<answer>1</answer>": (0.1, {"<answer>7</answer>", "<answer>8</answer>"}),
    }
    # Four samples, one combined and one refined attempt, and one value of each of four texts.
    assert problem.calls == 4 + 2 + 4


def test_the_rows_of_a_run_have_the_edges_of_the_graph(tmp_path):
    ran(tmp_path, "graph,majority", Combining(0.3, 0.9), {"n": 3, "rounds": 1}, suite=SMALL)
    rows = [json.loads(line) for line in (tmp_path / "run" / "strategies.jsonl").read_text().splitlines()]
    graphs = [row for row in rows if row["strategy"] == "graph"]
    assert len(graphs) == len(SMALL.rows)
    for row in graphs:
        assert len(row["parents"]) == len(row["candidates"])
        assert all(place < len(row["candidates"]) for parents in row["parents"] for place in parents)
    assert any(len(parents) > 1 for row in graphs for parents in row["parents"])
    assert not any(parents for row in rows if row["strategy"] == "majority" for parents in row["parents"])


def test_the_graph_beats_one_sample_and_a_vote(tmp_path):
    facts = ran(tmp_path, "single,majority,graph", Combining(0.3, 0.9), {"n": 6}, suite=SMALL)["strategies"]
    assert facts["graph"]["accuracy"] > max(facts["single"]["accuracy"] + 0.3, facts["majority"]["accuracy"])
    assert facts["graph"]["accuracy"] <= facts["graph"]["ceiling"]
    plain = ran(tmp_path / "plain", "graph", Combining(0.3, 0.9), {"n": 6, "rounds": 0}, suite=SMALL)["strategies"]["graph"]
    assert plain["calls"] < facts["graph"]["calls"]


def test_trained_values_decide_in_the_graph(tmp_path):
    model = Combining(0.3, 0.5)
    scorer = Fixed(lambda step: 0.9 if step in model.answers.values() else 0.2)
    plan = EvaluationPlan(SMALL, model, EpisodeConfig(Sampling()), scorer=scorer)
    facts = run_strategies(plan, ["graph"], {"value": "scorer"}, tmp_path)["strategies"]["graph"]
    assert facts["accuracy"] == facts["ceiling"]
    with pytest.raises(RlgymError, match="'graph' needs a trained scorer"):
        ran(tmp_path / "other", "graph", model, {"value": "scorer"}, suite=SMALL)
