"""Trees of steps: values and choices by hand on a scripted tree, and what is learned from trees on simulated models."""

import asyncio
import hashlib
import json
from math import log, sqrt

import pytest
from evaluate.test_search import SMALL, Stepwise
from evaluate.test_strategies import ran
from evaluate.test_tree_search import LAKES, Player
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Completion, ModelUnavailable, RequestFailed, Sampling
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.steps import read_records
from rlgym.evaluate.steps.evolve import grow_trees
from rlgym.evaluate.steps.records import StepsError
from rlgym.evaluate.steps.tree import TreeNode, TreeOptions, critique, grow_tree, preference_rows, refinement_row, tree_records, uct
from rlgym.evaluate.strategies.refining import CRITICISE
from rlgym.evaluate.strategies.tree_search import PROMISE_OF_EPISODE
from rlgym.evaluate.suites import from_names

PROMPT = ({"role": "user", "content": "?"},)


class Scripted:
    """Two steps from each node; the scores of ends, and of what is played on to, are in a table."""

    def __init__(self, scores, played):
        self.scores, self.played, self.expanded = scores, played, []

    def root(self):
        return TreeNode(PROMPT, "")

    async def expand(self, node, number):
        if number == 0:
            self.expanded.append(node.text)
        text = f"{node.text}{'ab'[number]}"
        return TreeNode(node.prompt, text, node.depth + 1, self.scores.get(text))

    async def play_on(self, node):
        return self.played[node.text], f"{node.text}..."


def test_a_tree_grows_towards_right_ends_by_hand():
    growth = Scripted({"aa": 1.0, "ab": 0.0, "ba": 0.0, "bb": 1.0}, {"a": 1.0, "b": 0.0})
    root = asyncio.run(grow_tree(growth, TreeOptions(children=2, right_leaves=2)))
    a, b = root.children
    # a is expanded before b, whose play-on failed, and both are then complete.
    assert growth.expanded == ["", "a", "b"]
    assert [(node.visits, node.total) for node in (root, a, b)] == [(6, 3), (3, 2), (3, 1)]
    assert (root.value, a.value, b.value) == (1 / 2, 2 / 3, 1 / 3)
    assert uct(a, root.visits, 0.5) == pytest.approx(2 / 3 + 0.5 * sqrt(log(6) / 3))
    # The limits: one right end, or so many nodes.
    one = Scripted(growth.scores, growth.played)
    asyncio.run(grow_tree(one, TreeOptions(children=2, right_leaves=1)))
    assert one.expanded == ["", "a"]
    few = Scripted({}, dict.fromkeys(["a", "b", "aa", "ab", "ba", "bb"], 0.0))
    asyncio.run(grow_tree(few, TreeOptions(children=2, nodes=4)))
    assert few.expanded == ["", "a"]
    # At the greatest depth nothing is expanded, and the tree ends.
    flat = Scripted({}, {"a": 0.0, "b": 0.0})
    asyncio.run(grow_tree(flat, TreeOptions(children=2, max_depth=1)))
    assert flat.expanded == [""]


def test_rarely_visited_nodes_are_preferred_with_exploration():
    often, seldom = TreeNode(PROMPT, "a", visits=9, total=6), TreeNode(PROMPT, "b", visits=1, total=0.5)
    assert uct(often, 10, 0.0) > uct(seldom, 10, 0.0)
    assert uct(often, 10, 1.0) < uct(seldom, 10, 1.0)


def test_siblings_whose_values_differ_make_preferences_with_critiques():
    growth = Scripted({"aa": 1.0, "ab": 0.0, "ba": 0.0, "bb": 1.0}, {"a": 1.0, "b": 0.0})
    root = asyncio.run(grow_tree(growth, TreeOptions(children=2, right_leaves=2)))
    rows = preference_rows({"id": "t"}, root, 0.25)
    assert [(row["chosen"][0]["content"], row["rejected"][0]["content"]) for row in rows] == [("a", "b"), ("aa", "ab"), ("bb", "ba")]
    assert (rows[0]["chosen_value"], rows[0]["rejected_value"]) == (2 / 3, 1 / 3)
    assert len(preference_rows({"id": "t"}, root, 0.5)) == 2
    a, b = root.children
    said = critique(a, b)
    assert said == "Of 3 ways to go on from this step, 1 reach the goal; of 3 ways to go on from another step at this place, 2 do."
    b.feedback = "there is no such page"
    assert critique(a, b).endswith(" The environment replies: there is no such page")
    messages = refinement_row(rows[0])["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert (messages[1]["content"], messages[3]["content"]) == ("b", "a")
    assert messages[2]["content"].startswith(said)


def grown(place, model=None, suite=SMALL, **options):
    plan = EvaluationPlan(suite, model or Stepwise(), EpisodeConfig(Sampling()))
    return grow_trees(plan, TreeOptions(**options), place)


def test_self_evolution_writes_rates_right_responses_and_preferences(tmp_path):
    model = Stepwise()
    found = grown(tmp_path, model, nodes=16)
    assert found["trees"] == 30
    assert found["failed"] == 0
    assert found["solved"] > 25  # one sample is right in a fifth of the tasks
    records = read_records(tmp_path)
    assert len(records) == found["responses"]
    assert sum(record.right for record in records) == found["right"] > 30
    assert all(record.right == ("bad" not in record.response) for record in records)
    for record in records:
        rates = record.labels["rates"]
        assert rates[-1] == record.right
        # Nothing right comes after a wrong step.
        bad = next((k for k, step in enumerate(record.steps) if "bad" in step), len(rates))
        assert not any(rates[bad:])
    pairs = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert len(pairs) == found["pairs"] > 30
    # A preferred step has a right end below it, so that it is never wrong; a rejected one mostly is.
    assert not any("bad" in pair["chosen"][0]["content"] for pair in pairs)
    assert sum("bad" in pair["rejected"][0]["content"] for pair in pairs) > 0.5 * len(pairs)
    assert (tmp_path / "refinements.jsonl").read_text().count("\n") == len(pairs)
    nodes = [json.loads(line) for line in (tmp_path / "nodes.jsonl").read_text().splitlines()]
    assert all(0 <= node["value"] <= 1 <= node["visits"] for node in nodes)
    again = Stepwise()
    assert grown(tmp_path, again, nodes=16) == found
    assert not again.requests


def test_turns_of_episodes_have_success_rates_and_preferences(tmp_path):
    found = grown(tmp_path, Player(LAKES, 0.6), LAKES, nodes=12)
    assert found["responses"] == 0
    pairs = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert len(pairs) == found["pairs"] > 3
    for pair in pairs:
        assert pair["prompt"][-1]["role"] == "user"
        assert pair["chosen_value"] - pair["rejected_value"] >= 0.25
    # Sure moves are those of the oracle, or as good as those.
    assert any(len(pair["prompt"]) > 1 for pair in pairs)
    assert any(" The environment replies: " in pair["critique"] for pair in pairs)


QUESTIONS = from_names("wiki_search_qa", levels=[0.0], count=4)
GUESS = '<answer>{"tool": "submit", "arguments": {"answer": "Nobody", "evidence": []}}</answer>'


class Searcher(Player):
    """Searches as the oracle does with probability `skill`, and guesses an answer otherwise."""

    async def generate(self, messages, tools, sampling, seed):
        chance = hashlib.sha256(json.dumps([list(messages), seed]).encode()).digest()[0] / 256
        text = self.session(messages).oracle() if chance < self.skill else GUESS
        return Completion({"role": "assistant", "content": text}, 50, 10)


def test_turns_of_a_search_for_pages_are_preferred_to_guesses(tmp_path):
    found = grown(tmp_path, Searcher(QUESTIONS, 0.8), QUESTIONS, nodes=14)
    assert found["solved"] > 0
    pairs = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert pairs
    assert {pair["rejected"][0]["content"] for pair in pairs} == {GUESS}
    assert all(pair["rejected_value"] == 0 and pair["chosen"][0]["content"] != GUESS for pair in pairs)
    assert all(" ways to go on from this step, 0 reach the goal; " in pair["critique"] for pair in pairs)
    nodes = [json.loads(line) for line in (tmp_path / "nodes.jsonl").read_text().splitlines()]
    assert {node["value"] for node in nodes if node["text"] == GUESS} == {0}


class Refining(Player):
    """Its moves are poor at first, and the oracle's once it sees a critique; it knows a move of the oracle when it is asked."""

    async def generate(self, messages, tools, sampling, seed):
        last = messages[-1]["content"]
        if last == CRITICISE:
            return Completion({"role": "assistant", "content": "It leads nowhere."}, 50, 5)
        shown = "Critique: It leads nowhere." in last
        cut = [*messages[:-1], {"role": "user", "content": last.partition("\n\nHere is a move")[0]}] if shown else list(messages)
        if last.endswith(PROMISE_OF_EPISODE):
            asked = [message for message in cut if message["role"] == "assistant"]
            before = self.session(messages[: max(at for at, message in enumerate(messages) if message["role"] == "assistant")])
            best = before.oracle().removeprefix("<answer>").removesuffix("</answer>").split()[0]
            return Completion({"role": "assistant", "content": "90" if best in asked[-1]["content"] else "10"}, 50, 1)
        best = self.session(cut).oracle().removeprefix("<answer>").removesuffix("</answer>").split()[0]
        poor = {"north": "south", "south": "north", "east": "west", "west": "east"}[best]
        return Completion({"role": "assistant", "content": f"<answer>{best if shown else poor}</answer>"}, 50, 10)


def test_turns_of_little_promise_are_criticised_and_written_again(tmp_path):
    facts = ran(tmp_path, "episode,refine_turns", Refining(LAKES), suite=LAKES)["strategies"]
    assert facts["episode"]["accuracy"] == 0
    assert facts["refine_turns"]["accuracy"] == 1
    kept = ran(tmp_path / "kept", "refine_turns", Refining(LAKES), {"threshold": 0.0}, suite=LAKES)["strategies"]
    assert kept["refine_turns"]["accuracy"] == 0


def test_right_ends_of_trees_are_imitated(tmp_path):
    pytest.importorskip("torch")
    from rlgym.train.sft.rollouts import read_rows

    found = grown(tmp_path, nodes=8)
    rows = read_rows(tmp_path)
    assert rows == read_rows(tmp_path / "steps.jsonl")
    assert sum(row["right"] and not row["masked"] for row in rows) == found["right"]
    assert [message["role"] for message in rows[0]["messages"]] == ["user", "assistant"]
    assert {row["generator"] for row in rows} == {Stepwise.name}


def test_texts_of_a_tree_are_cut_where_its_nodes_are():
    root = TreeNode(PROMPT, "", visits=2, total=1)
    child = TreeNode(PROMPT, "x\n\n", 1, ending="x\n\ny\n\nz", end_score=1.0, visits=2, total=1)
    child.children = [TreeNode(PROMPT, "x\n\nw\n\n", 2, score=0.0, visits=1)]
    root.children = [child]
    row = dict(SMALL.rows[0])
    first, second = tree_records(row, root, "\n\n")
    assert (first.steps, first.labels["rates"], first.right) == (["x", "y", "z"], (0.5, None, 1.0), True)
    assert (second.steps, second.labels["rates"], second.right) == (["x", "w"], (0.5, 0.0), False)


def test_trees_that_cannot_grow_say_so(tmp_path):
    class Broken(Stepwise):
        async def generate(self, messages, tools, sampling, seed):
            raise RequestFailed("no answer")

    with pytest.raises(ModelUnavailable, match="no tree could be grown; the first error: no answer"):
        grown(tmp_path, Broken())
    for bad, message in (({"margin": 0.0}, "margin must be above 0"), ({"children": 0}, "children must be at least 1")):
        with pytest.raises(StepsError, match=message):
            TreeOptions(**bad)


def test_the_command_grows_trees(tmp_path):
    words = ["steps", "tree", "--suite", "chain_sum", "--count", "2", "--model", "oracle", "--out", str(tmp_path), "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, (done.output, done.exception)
    report = json.loads(done.stdout)
    assert (report["trees"], report["solved"]) == (2, 2)
