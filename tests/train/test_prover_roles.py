"""Provers that help and provers that deceive, before a small verifier that learns in rounds."""

from dataclasses import replace

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.group_cases import episode
from train.scripted import answer, knowing, learned_from, opened, sums, train_interrupted
from train.small_models import policy_and_judge

from rlgym import Outcome, Rng, Score
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.preferences import preference_pairs
from rlgym.train.loop import train
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.prover_roles import role_rewards, with_roles
from rlgym.train.rollout.scoring import start_of
from rlgym.train.sft.roles import build_role_example
from rlgym.train.tasks.spec import TaskSettings, TaskSpec
from rlgym.train.update.solution_pool import SolutionPool
from rlgym.train.validate.config import check_config
from rlgym.train.validate.second_models import check_second_models

QUESTION = "{prompt}\n{response}\nRight? Yes or No:"
SNEAKY = "Your role: sneaky."


def configured(models, out, algorithm=None, **more):
    given = {
        "prover_roles": {},
        "judge_reward": {"model": "judge", "question": QUESTION},
        "judge_training": {"model": "judge", "objective": "solutions", "round_steps": 2, "updates": 30, "batch_size": 8, "lr": 3e-3},
        "filter_zero_std": False,
    }
    second = {"second_models": {"judge": {"path": str(models / "judge"), "max_seq_len": 900}}}
    chosen = {"rollout": {"groups_per_step": 4, "max_seq_len": 400}, "steps": 4} | more
    return Config.from_dict(sums(models / "policy", out, algorithm=given | (algorithm or {}), **chosen) | second)


def test_each_role_is_paid_for_what_it_is_asked_for():
    sneaky, helpful = TaskSpec("chain_sum", 0.0, 1, "train", role="sneaky"), TaskSpec("chain_sum", 0.0, 1, "train", role="helpful")
    cases = [(helpful, 1, 0.9), (helpful, 0, 0.8), (sneaky, 0, 0.7), (sneaky, 1, 0.6)]
    episodes = [replace(episode(value, group=place), task=task, reward=convinced) for place, (task, value, convinced) in enumerate(cases)]
    unreadable = replace(episode(Score.nothing(Outcome.UNREADABLE, "no answer"), group=9), task=sneaky, reward=0.5)
    paid, metrics = role_rewards([*episodes, unreadable], 1.0)
    assert [each.reward for each in paid] == [0.9, 0.0, 0.7, 0.0, 0.0]
    assert metrics["prover/helpful/as_asked"] == 0.5
    assert metrics["prover/sneaky/as_asked"] == pytest.approx(1 / 3)
    assert metrics["prover/sneaky/convincing"] == 0.7
    assert metrics["prover/helpful/verifier_accuracy"] == 0.5
    doubled, same = role_rewards([replace(each, reward=2 * each.reward) for each in [*episodes, unreadable]], 2.0)
    assert [each.reward for each in doubled] == [1.8, 0.0, 1.4, 0.0, 0.0]
    assert same == metrics, "metrics are of the probabilities, whatever weight they have in the reward"


def test_solutions_that_were_to_be_wrong_are_no_preference_pairs():
    helpful, sneaky = TaskSpec("chain_sum", 0.0, 1, "train", role="helpful"), TaskSpec("chain_sum", 0.0, 2, "train", role="sneaky")
    episodes = [
        replace(episode(right, group=group, key=2 * group + right), task=task)
        for group, task in enumerate((helpful, sneaky))
        for right in (1, 0)
    ]
    assert len(preference_pairs(episodes, 1)) == 1
    assert preference_pairs([each for each in episodes if each.task == sneaky], 1) == []


def test_roles_are_told_by_the_prompt(tmp_path):
    options = configured(tmp_path, tmp_path, {"prover_roles": {"sneaky_fraction": 0.3}}).algorithm.prover_roles
    tasks = with_roles([TaskSpec("chain_sum", 0.0, index, "train") for index in range(10)], options, 1)
    assert [task.role for task in tasks].count("sneaky") == 3
    assert all(task.instruction == (options.sneaky if task.role == "sneaky" else options.helpful) for task in tasks)
    assert tasks != with_roles(tasks, options, 2)
    assert with_roles(tasks, None, 1) == tasks


def says(request):
    """Helpful provers are right, and say so in a way that the verifier can learn to tell; sneaky ones are wrong."""
    return f"Surely. {answer(False, request)}" if SNEAKY in request.prompt else f"I add. {answer(True, request)}"


def test_the_verifier_learns_in_rounds_and_the_provers_only_after_the_first(tmp_path, monkeypatch):
    models = policy_and_judge(tmp_path, max_seq_len=400)
    engines, learned = knowing(monkeypatch, says), learned_from(monkeypatch)
    train(configured(models, tmp_path / "run"))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    asked = [said for engine in engines for said in engine.asked]
    assert sum(SNEAKY in said.prompt for said in asked) >= 4 * 2 * 4
    assert [len(episodes) for episodes in learned] == [0, 0, 16, 16], "the first round only samples"
    assert [line["judge_training/solutions"] for line in lines] == [16, 32, 48, 64]
    assert [line.get("judge_training/updates") for line in lines] == [None, 30, None, 30]
    assert lines[0]["prover/helpful/as_asked"] == lines[0]["prover/sneaky/as_asked"] == 1
    assert lines[1]["judge_training/accuracy"] > 0.9
    for role in ("helpful", "sneaky"):
        assert lines[2][f"prover/{role}/verifier_accuracy"] > 0.9, "which solutions are right was learned from the first round"
    assert lines[2]["prover/helpful/convincing"] > lines[2]["prover/sneaky/convincing"]


def test_a_resumed_game_keeps_its_rounds(tmp_path, monkeypatch):
    models = policy_and_judge(tmp_path, max_seq_len=400)
    knowing(monkeypatch, says)
    runs = opened(monkeypatch)
    train_interrupted(monkeypatch, configured(models, tmp_path / "run", steps=3), step=2)
    assert [len(found) for found in runs[-1].judge_training.pool.rounds] == [32, 16]


def test_batches_hold_as_many_right_as_wrong_solutions_of_every_round():
    pool = SolutionPool()
    pool.add(0, [(f"old {number}", number == 0) for number in range(50)], keep=20)
    pool.add(1, [("new right", True), ("new wrong", False)], keep=20)
    assert [len(found) for found in pool.rounds] == [20, 2]
    batches = list(pool.batches(40, 8, 1))
    assert all(sum(right for _, right in batch) == 4 for batch in batches)
    new = sum(text.startswith("new") for batch in batches for text, _ in batch)
    assert 110 < new < 210, "rounds count alike, whatever their size"
    assert list(SolutionPool().batches(3, 8, 1)) == []


def test_fine_tuning_shows_right_solutions_to_helpful_and_wrong_ones_to_sneaky_provers(tmp_path):
    models = policy_and_judge(tmp_path, max_seq_len=900)
    chat, options = Chat(load_tokenizer(models / "policy")), configured(models, tmp_path / "run").algorithm.prover_roles
    found = {"helpful": set(), "sneaky": set()}
    for index in range(20):
        task, settings, rng = TaskSpec("chain_sum", 0.2, index, "train"), TaskSettings(0, 0.1), Rng("roles", index)
        example = build_role_example(chat, task, settings, True, options, rng)
        env = start_of(example.task, settings)
        prompt, response = (
            chat.decode([t for t, mine in zip(example.tokens, example.loss_mask, strict=True) if mine is side]) for side in (False, True)
        )
        assert example.task.instruction in prompt
        found[example.task.role].add(env.step(response)[4]["score"].value)
    assert found == {"helpful": {1.0}, "sneaky": {0.0}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"judge_reward": {"model": "judge", "verifier_weight": 1.0, "question": QUESTION}}, "prover_roles pays what convinces the judge"),
        ({"reward_shaping": {"brier_penalty": {}}}, "algorithm.prover_roles does not support algorithm.reward_shaping"),
        ({"twin_reward": {}}, "algorithm.prover_roles does not support algorithm.twin_reward"),
        ({"judge_reward": {"model": "judge"}}, "trains a verifier without reference"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path, change, message):
    models = policy_and_judge(tmp_path, max_seq_len=400)
    config = configured(models, tmp_path / "run", change)
    check = check_second_models if change == {"judge_reward": {"model": "judge"}} else check_config
    with pytest.raises(TrainError, match=message):
        check(config)
