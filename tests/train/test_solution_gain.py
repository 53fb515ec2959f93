"""Rewards of steps from the likelihood of the reference solution: by hand, and in a run."""

from math import exp
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, note, sums
from train.small_models import small_model

from rlgym import Outcome, Score
from rlgym.core.errors import RlgymError
from rlgym.train.config.rewards import TokenRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rollout import solution_gain
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.solution_gain import add_solution_gains, solution_suffixes
from rlgym.train.tasks.spec import TaskSettings, TaskSpec
from rlgym.train.validate.algorithms import check_algorithms

LETTERS = SimpleNamespace(
    decode=lambda tokens: "".join(map(chr, tokens)),
    encode=lambda text: list(map(ord, text)),
    character_ends=lambda tokens: list(range(1, len(tokens) + 1)),
    stop=(0,),
)
"""A tokenizer with one token for each character."""
SUFFIXES = ["ab<answer>1</answer>", "b<answer>1</answer>", "<answer>1</answer>"]


def episode(key, text, value=0.0, outcome=Outcome.WRONG, group=0):
    prompt = [1, 1]
    tokens = [*prompt, *map(ord, text)]
    made = Episode(key, group, TaskSpec("chain_sum", 0.0, 0, "train"), tokens, [False] * 2 + [True] * len(text), [0.0] * len(tokens), None)
    made.finish(Score(value, outcome), value)
    return made


class Table:
    """An engine whose mean log-probabilities of a text after a response are given."""

    def __init__(self, known):
        self.known, self.asked = known, []

    def score(self, continuations):
        named = [("".join(map(chr, part.prefix[2:])), "".join(map(chr, part.tokens))) for part in continuations]
        self.asked += named
        return [(self.known[pair] - 1, self.known[pair] + 1) for pair in named]


@pytest.fixture
def worker(monkeypatch):
    monkeypatch.setattr(solution_gain, "solution_suffixes", lambda worker, episode, most: [tuple(map(ord, text)) for text in SUFFIXES])
    return SimpleNamespace(chat=LETTERS, max_seq_len=200)


def rewards(found):
    return [[(span.start - 2, span.end - 2, span.reward) for span in one.spans] for one in found]


def test_rewards_by_hand(worker):
    known = {("", text): value for text, value in zip(SUFFIXES, (-5.0, -4.0, -3.0), strict=True)}
    known |= {("x\n", SUFFIXES[0]): -4.5, ("x\n", SUFFIXES[1]): -2.0, ("x\ny\n", SUFFIXES[2]): -2.5}
    known |= {("z", SUFFIXES[2]): -3.5}
    worker.engine = Table(known)
    options = TokenRewardConfig(source="solution_gain")
    found, metrics = add_solution_gains(worker, [episode(0, "x\ny\n<answer>7</answer>"), episode(1, "z<answer>7</answer>")], options)
    # After the first step the gains are 0.5 and 2 by suffix, so 2 with the weight sigmoid(-1/2); the reasoning raises the answer by 0.5 with the
    # weight sigmoid(1/2). The other response has one step, of the weight 1/2, which lowers the answer by 0.5.
    gains = [2.0 / (1 + exp(0.5)), 0.5 / (1 + exp(-0.5)), -0.25]
    mean = sum(gains) / 3
    assert [[reward for _, _, reward in row] for row in rewards(found)] == [
        pytest.approx([gains[0] - mean, gains[1] - mean]),
        pytest.approx([gains[2] - mean]),
    ]
    assert [[place[:2] for place in row] for row in rewards(found)] == [[(0, 2), (2, 22)], [(0, 19)]]
    assert metrics == {"solution_gain": pytest.approx(mean), "solution_gain_groups": 1.0}
    assert len(set(worker.engine.asked)) == len(worker.engine.asked) == 7


def test_an_answer_that_cannot_be_read_loses_and_solved_groups_are_left_alone(worker):
    known = {("", text): -3.0 for text in SUFFIXES} | {("z", SUFFIXES[2]): -1.0, ("w", SUFFIXES[2]): -1.0}
    worker.engine = Table(known)
    given = [
        episode(0, "z<answer>1</answer>", outcome=Outcome.UNREADABLE),
        episode(1, "w<answer>2</answer>"),
        episode(2, "w<answer>2</answer>", group=1),
        episode(3, "w<answer>1</answer>", 1.0, Outcome.RIGHT, group=1),
    ]
    found, metrics = add_solution_gains(worker, given, TokenRewardConfig(source="solution_gain"))
    # -1 and 2, with the weight 1/2 of an only step, less their mean.
    assert [[reward for _, _, reward in row] for row in rewards(found)] == [[-0.75], [0.75], [], []]
    assert metrics["solution_gain_groups"] == 1
    found, _ = add_solution_gains(worker, given, TokenRewardConfig(source="solution_gain", unsolved_only=False))
    assert [len(row) for row in rewards(found)] == [1, 1, 1, 1]


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=400)
    return folder


def test_suffixes_are_those_of_the_worked_solution(start):
    from rlgym.train.model.tokenizer import load_tokenizer

    chat = Chat(load_tokenizer(start))
    worker = SimpleNamespace(chat=chat, settings=TaskSettings(0, 0.1))
    one = episode(0, "x")
    texts = [chat.decode(suffix) for suffix in solution_suffixes(worker, one, 2)]
    assert texts[0].endswith(texts[1])
    assert texts[1].endswith(texts[2])
    assert texts[2].startswith("<answer>")
    assert len(solution_suffixes(worker, one, 100)) >= 3


def test_steps_of_the_reference_solution_earn_more_than_others(worker):
    """A model that copies: what stands in the reasoning already is likelier."""

    class Copying:
        def score(self, continuations):
            return [(-1.0 if set(part.tokens[:1]) & set(part.prefix) else -2.0,) for part in continuations]

    worker.engine = Copying()
    given = [episode(0, "a\n-\n<answer>2</answer>"), episode(1, "-\n-\n<answer>2</answer>")]
    found, _ = add_solution_gains(worker, given, TokenRewardConfig(source="solution_gain"))
    assert rewards(found)[0][0][2] > 0 > rewards(found)[1][0][2]


def test_a_run_learns_from_groups_that_nobody_solves(start, tmp_path, monkeypatch):
    gathered, _ = note(monkeypatch)
    engines = knowing(monkeypatch, lambda request: f"{'1 + 1 = 2' if request.key % 2 else 'no'}\nwell\n{answer(False, request)}")

    def score(continuations, temperature=1.0):
        return [tuple(-0.01 * len(part.prefix) for _ in part.tokens) for part in continuations]

    monkeypatch.setattr("train.scripted.Knowing.score", staticmethod(score), raising=False)
    algorithm = {"advantage": "progress", "token_rewards": {"source": "solution_gain"}}
    train(Config.from_dict(sums(start, tmp_path / "run", algorithm=algorithm, steps=1)))
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["solve_rate"] == 0
    assert line["solution_gain_groups"] == 3
    assert line["grad_norm"] > 1e-4
    assert all(one.spans for one in gathered[0].offered)
    assert len(engines) == 1


def test_environments_without_a_worked_solution_are_refused():
    given = sums("m", "o", algorithm={"advantage": "progress", "token_rewards": {"source": "solution_gain"}})
    with pytest.raises(RlgymError, match="mastermind has no worked solution of a single turn"):
        check_algorithms(Config.from_dict({**given, "tasks": [{"names": ["mastermind"]}]}))
    with pytest.raises(RlgymError, match=r"needs rollout.answer_style='tag'"):
        check_algorithms(Config.from_dict({**given, "rollout": {**given["rollout"], "answer_style": "boxed"}}))
