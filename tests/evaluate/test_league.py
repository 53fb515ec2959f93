"""Leagues: matches between players in all seats, and ratings from them."""

import asyncio
import json

import pytest
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.core.errors import RlgymError
from rlgym.evaluate.league.games import Start, play_game
from rlgym.evaluate.league.players import ModelPlayer, Policy
from rlgym.evaluate.league.ratings import play_league, played_alike
from rlgym.evaluate.models.base import Completion


class Scripted:
    """A model that gives the same text in every turn, and keeps what it was asked."""

    kind, max_concurrency = "scripted", 1

    def __init__(self, name, text):
        self.name, self.text, self.asked = name, text, []

    def metadata(self):
        return {}

    async def generate(self, messages, tools, sampling, seed):
        self.asked.append([dict(message) for message in messages])
        return Completion({"role": "assistant", "content": self.text})

    async def close(self):
        pass


def game(start, *players):
    return asyncio.run(play_game(start, dict(enumerate(players))))


def test_a_game_is_the_same_each_time_and_its_returns_add_up_to_nothing():
    start = Start("connect_four", 3, 0.5)
    first, again = (game(start, Policy("random"), Policy("engine:20")) for _ in range(2))
    assert first == again
    assert sum(first.returns) == 0
    assert first.moves > 3
    assert game(start, Policy("engine:20"), Policy("random")).returns != first.returns


def test_a_model_reads_its_seat_and_loses_by_an_illegal_move():
    model = Scripted("talker", "<answer>z9</answer>")
    result = game(Start("hex_large", 1, 0.0), Policy("best"), ModelPlayer(model))
    assert result.refused == 1
    assert result.returns == (1.0, -1.0)
    (messages,) = model.asked
    assert [message["role"] for message in messages] == ["user"]
    assert "We play hex" in messages[0]["content"]
    assert "<answer>" in messages[0]["content"]


def test_a_conversation_grows_turn_by_turn():
    model = Scripted("columns", "<answer>1</answer>")
    game(Start("connect_four", 2, 1.0), ModelPlayer(model), Policy("random"))
    lengths = [len(messages) for messages in model.asked]
    assert lengths[:3] == [1, 3, 5]
    assert [message["role"] for message in model.asked[1]] == ["user", "assistant", "user"]


def test_seats_that_follow_rules_are_played_by_the_match():
    assert played_alike("kayles")
    assert not played_alike("public_goods")
    assert not played_alike("pig_dice")
    result = asyncio.run(play_game(Start("public_goods", 1, 0.5), {0: Policy("best")}))
    assert len(result.returns) == 3
    assert dict(result.players) == {0: "best"}


@pytest.mark.parametrize("name", ["strong", "engine:0", "engine:x"])
def test_unknown_players_are_named(name):
    with pytest.raises(RlgymError, match="engine:N"):
        Policy(name)


def test_players_have_names_of_their_own():
    with pytest.raises(RlgymError, match="name of its own"):
        asyncio.run(play_league(["connect_four"], [Policy("greedy"), Policy("greedy")]))
    with pytest.raises(RlgymError, match="not a match"):
        asyncio.run(play_league(["chain_sum"], [Policy("greedy"), Policy("best")]))


def test_stronger_players_are_rated_higher():
    pytest.importorskip("openskill")
    players = [Policy("random"), Policy("greedy"), Policy("best")]
    league = asyncio.run(play_league(["connect_four", "public_goods"], players, starts=3, concurrency=3))
    again = asyncio.run(play_league(["connect_four", "public_goods"], players[:2], starts=1))
    assert [each.player for each in league.standings][-1] == "random"
    counts = [(each.won, each.drawn, each.lost) for each in league.standings]
    assert sum(won for won, _, _ in counts) == sum(lost for _, _, lost in counts)
    # Two others at two seats from three starts, and two others ranked at three starts.
    assert all(sum(each) == 2 * 2 * 3 + 2 * 3 for each in counts)
    assert len(again.games) == 2 + 2


def test_the_command_prints_standings_and_writes_the_games(tmp_path):
    pytest.importorskip("openskill")
    out = tmp_path / "league.json"
    ran = CliRunner().invoke(
        app, ["eval", "league", "connect_four", "--player", "greedy", "--player", "best", "-n", "1", "--out", str(out), "--json"]
    )
    assert ran.exit_code == 0, ran.output
    written = json.loads(out.read_text())
    assert json.loads(ran.output) == written
    assert {each["player"] for each in written["standings"]} == {"greedy", "best"}
    assert len(written["games"]) == 2
