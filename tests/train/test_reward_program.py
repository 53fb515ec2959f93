"""An accepted reward program pays the responses of a run, and one that is not accepted starts none."""

import re

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from audit.test_reward_program import CLOSE
from train.scripted import answer, knowing, learned_from, sums
from train.small_models import small_model

import rlgym
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.loop import train
from rlgym.train.validate.algorithms import check_algorithms


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, max_seq_len=300, loud=1.0)
    return folder


class InTurn:
    """Right and wrong by turns."""

    name, kind, max_concurrency = "in turn", "in turn", 1

    def __init__(self, rows):
        self.models, self.asked = [BuiltinModel(kind, rows) for kind in ("oracle", "mistake")], 0

    def metadata(self):
        return {}

    async def generate(self, *given):
        self.asked += 1
        return await self.models[self.asked % 2].generate(*given)

    async def close(self):
        pass


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A recorded evaluation, a program that pays near answers more, and one that pays them less."""
    folder = tmp_path_factory.mktemp("files")
    suite = from_names("chain_sum", levels=[0.0], count=3)
    evaluate(EvaluationPlan(suite, InTurn(suite.rows), EpisodeConfig(Sampling(samples=4))), folder / "recorded")
    data = rlgym.task("chain_sum", 1, level=0.0).data.model_dump(mode="json")
    [terms] = [name for name, value in data.items() if isinstance(value, list)]
    near = CLOSE.replace("terms", terms)
    (folder / "near.py").write_text(near)
    (folder / "far.py").write_text(near.replace("return 1 /", "return -1 /"))
    fails = "def reward(state, response):\n    assert 'Hm' not in response\n    return near(state, response)\n"
    (folder / "fails.py").write_text(near + "\nnear = reward\n" + fails)
    return folder


def shaping(files, program="near.py", **more):
    return {"reward_program": {"env": "chain_sum", "file": str(files / program), "run": str(files / "recorded"), **more}}


def test_a_run_pays_the_value_of_an_accepted_program(model, files, tmp_path, monkeypatch):
    learned = learned_from(monkeypatch)
    said = {0: "{}", 1: "{off}", 2: "nothing that can be read", 3: "Hm. {}"}
    texts = lambda asked: said[asked.turn % 4].format(answer(True, asked), off=answer(False, asked))  # noqa: E731
    knowing(monkeypatch, texts)
    algorithm = {"advantage": "dr_grpo", "reward_shaping": shaping(files, "fails.py", weight=0.5)}
    train(Config.from_dict(sums(model, tmp_path / "run", algorithm=algorithm, steps=1)))
    by_text = {}
    for episode in learned[0]:
        kind = "Hm" if "Hm" in episode.transcript else "unreadable" if "nothing" in episode.transcript else episode.score.value
        by_text.setdefault(kind, set()).add(episode.reward)
    # 1 + 0.5; one off: 0.5 / 2; and where the program fails, the score alone.
    assert by_text == {1.0: {1.5}, 0.0: {0.25}, "unreadable": {0.0}, "Hm": {1.0}}


@pytest.mark.parametrize(
    ("changes", "tasks", "message"),
    [
        ({"program": "far.py"}, ["chain_sum"], "reward_program: the reward program 'reward' ranks failures above successes"),
        ({"program": "none.py"}, ["chain_sum"], "none.py' cannot be read"),
        ({"function": "rewards"}, ["chain_sum"], "the reward program 'rewards' failed"),
        ({"env": "chain_sums"}, ["chain_sum"], "env='chain_sums' is not in tasks"),
        ({"env": "higher_lower"}, ["higher_lower"], "pays single responses, and higher_lower has many turns"),
    ],
)
def test_a_program_that_is_not_accepted_starts_no_run(model, files, tmp_path, changes, tasks, message):
    given = sums(model, tmp_path, tasks=[{"names": tasks}], algorithm={"reward_shaping": shaping(files, **changes)})
    with pytest.raises(TrainError, match=re.escape(message)):
        check_algorithms(Config.from_dict(given))


def test_an_accepted_program_passes_the_checks(model, files, tmp_path):
    check_algorithms(Config.from_dict(sums(model, tmp_path, algorithm={"reward_shaping": shaping(files)})))
