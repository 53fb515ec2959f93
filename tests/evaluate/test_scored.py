"""Best of n by critiques that check every step in words."""

from collections import Counter

import pytest
from evaluate.test_strategies import SUITE, Simulated

from rlgym import RlgymError
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.strategies.run import run_strategies


class Critic(Simulated):
    """Samples as `Simulated` does. Its critiques are true with the probability `insight`, and unreadable if `silent`."""

    def __init__(self, insight=0.9, silent=False):
        super().__init__(skill=0.4)
        self.truth, self.silent, self.critiques = insight, silent, Counter()

    def reply(self, messages, key):
        question = messages[0]["content"]
        if "Check the steps in order" not in question:
            return super().reply(messages, key)
        self.critiques[key] += 1
        task = next(prompt for prompt in self.answers if prompt in question)
        right = self.answers[task] in question
        if self.silent:
            return "I cannot tell."
        return f"Step 1: {'right' if right == (int(key[:6], 16) / 16**6 < self.truth) else 'wrong'}"


def run(place, model, names="single,best_of_n,critic_best_of_n", judge=None, **options):
    plan = EvaluationPlan(SUITE, model, EpisodeConfig(Sampling()), judge=judge)
    return run_strategies(plan, names.split(","), {"n": 6, **options}, place)


def test_the_sample_in_which_most_critiques_find_no_wrong_step_is_chosen(tmp_path):
    model = Critic()
    summary = run(tmp_path / "one", model)
    facts = summary["strategies"]
    assert facts["critic_best_of_n"]["accuracy"] > facts["single"]["accuracy"] + 0.2
    assert facts["critic_best_of_n"]["accuracy"] <= facts["critic_best_of_n"]["ceiling"]
    # Six samples, and one critique of each different text.
    assert 6 < facts["critic_best_of_n"]["calls"] <= 12
    assert all(set(part["accuracy"]) == {"single", "best_of_n", "critic_best_of_n"} for part in summary["quintiles"])
    more = run(tmp_path / "more", Critic(0.75), critiques=7)["strategies"]["critic_best_of_n"]
    few = run(tmp_path / "few", Critic(0.75))["strategies"]["critic_best_of_n"]
    assert more["accuracy"] > few["accuracy"]
    assert more["tokens"] > 3 * few["tokens"]
    vote = run(tmp_path / "vote", Critic(), vote=True)["strategies"]["critic_best_of_n"]
    assert vote["accuracy"] > facts["single"]["accuracy"] + 0.2


def test_unreadable_critiques_leave_the_first_sample(tmp_path):
    facts = run(tmp_path, Critic(silent=True))["strategies"]
    assert facts["critic_best_of_n"]["accuracy"] == facts["single"]["accuracy"]


def test_another_model_gives_the_critiques(tmp_path):
    judge, model = Critic(1.0), Critic(0.0)
    facts = run(tmp_path, model, "critic_best_of_n", judge, select="judge")["strategies"]["critic_best_of_n"]
    assert facts["accuracy"] == facts["ceiling"]
    assert judge.critiques
    assert not model.critiques
    with pytest.raises(RlgymError, match="'critic_best_of_n' with select=\"judge\" needs a judge"):
        run(tmp_path / "other", model, "critic_best_of_n", select="judge")
