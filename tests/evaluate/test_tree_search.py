"""Tree search over states of episodes, on a simulated player of a maze: what it finds, that equal states are one, and that nothing is asked twice."""

import hashlib
import json
from collections import Counter

import pytest
from evaluate.test_strategies import ran

from rlgym import RlgymError
from rlgym.dataset import Session
from rlgym.evaluate.models.base import Completion
from rlgym.evaluate.strategies.tree_search import PROMISE_OF_EPISODE
from rlgym.evaluate.suites import from_names

MAZES = from_names("maze_walk", levels=[0.5], count=8)
LAKES = from_names("frozen_lake_text", levels=[0.25], count=12)


class Player:
    """Makes one move in each turn: the oracle's with probability `skill`, else any. It knows how an episode ended if it is asked."""

    kind, name, max_concurrency = "simulated", "player", 4

    def __init__(self, suite, skill=0.5):
        self.skill, self.rows = skill, {Session(row).observation: row for row in suite.rows}
        self.requests = Counter()

    def metadata(self):
        return {}

    async def close(self):
        pass

    def session(self, messages):
        session = Session(self.rows[messages[0]["content"].removesuffix(f"\n\n{PROMISE_OF_EPISODE}")])
        for message in messages[1:]:
            if message["role"] == "assistant" and not session.done:  # an imagined episode may go on after its end
                session.step(message["content"])
        return session

    async def generate(self, messages, tools, sampling, seed):
        key = hashlib.sha256(json.dumps([list(messages), seed]).encode()).digest()
        self.requests[key] += 1
        session = self.session(messages)
        if messages[-1]["content"].endswith(PROMISE_OF_EPISODE):
            return Completion({"role": "assistant", "content": "95" if session.score and session.score.value == 1.0 else "5"}, 50, 1)
        right = session.oracle().removeprefix("<answer>").removesuffix("</answer>").split()[0]
        move = right if key[0] / 256 < self.skill else ("north", "east", "south", "west")[key[1] % 4]
        text = f"<answer>{move}</answer>"
        return Completion({"role": "assistant", "content": text}, 50, 10)


@pytest.mark.parametrize("value", ["score", "confidence"])
def test_tree_search_beats_one_episode(tmp_path, value):
    options = {"simulations": 12, "value": value}
    facts = ran(tmp_path, "episode,tree_search", Player(LAKES, 0.6), options, suite=LAKES)["strategies"]
    assert facts["tree_search"]["accuracy"] >= facts["episode"]["accuracy"] + 0.3
    assert facts["tree_search"]["accuracy"] == facts["tree_search"]["ceiling"]
    assert facts["tree_search"]["calls"] > 3 * facts["episode"]["calls"]


def test_the_best_of_several_episodes(tmp_path):
    player = Player(LAKES, 0.6)
    facts = ran(tmp_path, "episode,best_episode", player, {"n": 4, "select": "verifier"}, suite=LAKES)["strategies"]
    assert facts["best_episode"]["accuracy"] == facts["best_episode"]["ceiling"] > facts["episode"]["accuracy"]
    assert set(player.requests.values()) == {1}  # the first of the episodes is shared
    own = ran(tmp_path / "own", "best_episode", Player(LAKES, 0.6), {"n": 4}, suite=LAKES)["strategies"]
    assert own["best_episode"]["accuracy"] == facts["best_episode"]["accuracy"]


def test_states_that_are_equal_after_as_many_turns_are_one_node():
    first, second = Session(MAZES.rows[0]), Session(MAZES.rows[0])
    assert first.state_key == second.state_key
    fork = first.fork()
    fork.step(fork.oracle())
    assert fork.state_key != first.state_key
    assert not first.messages[1:]
    second.step(f"Let us go.\n{second.oracle()}")
    assert second.state_key == fork.state_key  # other words, the same move


def test_a_search_without_rollouts_values_states_where_they_are(tmp_path):
    options = {"simulations": 6, "rollout": False, "value": "score"}
    facts = ran(tmp_path, "tree_search", Player(LAKES, 1.0), options, suite=LAKES.first(3))["strategies"]["tree_search"]
    assert facts["accuracy"] == 1.0  # the best state found is played on to its end


def test_a_resumed_tree_search_requests_nothing_twice(tmp_path):
    options = {"simulations": 4}
    first = ran(tmp_path, "tree_search", Player(LAKES), options, suite=LAKES.first(4))
    again = Player(LAKES)
    assert ran(tmp_path, "tree_search", again, options, suite=LAKES.first(4))["strategies"] == first["strategies"]
    assert not again.requests


def test_strategies_say_which_tasks_they_need(tmp_path):
    with pytest.raises(RlgymError, match="'tree_search' needs tasks of many turns"):
        ran(tmp_path, "tree_search", Player(LAKES), suite=from_names("chain_sum", count=2))
    with pytest.raises(RlgymError, match="'majority' needs tasks of one turn"):
        ran(tmp_path, "majority", Player(LAKES), suite=LAKES)
    summary = ran(tmp_path, "episode", Player(LAKES), suite=LAKES.first(2))
    assert summary["tasks_left_out"] == 0
