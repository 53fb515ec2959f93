"""Frozen models beside the policy: a judge, a listener and a prover, against probabilities computed by hand, and runs that learn from them."""

from dataclasses import replace
from itertools import pairwise
from statistics import fmean

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, opened, step_with_judge, sums
from train.small_models import by_hand, policy_and_judge, transformers_folder

from rlgym.train.config.schema import Config
from rlgym.train.config.second_models import JudgeRewardConfig, SecondModelConfig
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.registry import OptionError
from rlgym.train.rollout.judge import add_judge_rewards
from rlgym.train.rollout.questions import fitted
from rlgym.train.rollout.second_models import SecondModel, load_second_models
from rlgym.train.tasks.spec import TaskSettings
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.memory import second_model_bytes


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return policy_and_judge(tmp_path_factory.mktemp("models"))


def log_probability(model, chat, prompt, text):
    """The log-probability of a text after a prompt, by one plain forward pass."""
    answer = chat.encode(text)
    return float(by_hand(model, [*chat.prompt_tokens(prompt), *answer])[-len(answer) :].sum())


def test_the_verdict_of_a_judge_is_its_probability_of_yes(models, tmp_path, monkeypatch):
    from rlgym.train.model.tokenizer import load_tokenizer
    from rlgym.train.rollout.chat import Chat

    chosen = {
        "model": "judge",
        "question": "{prompt} {response} is it {answer}?",
        "answers": ["yes", "no"],
        "weight": 2.0,
        "verifier_weight": 0.5,
    }
    knowing(monkeypatch, lambda request: f"{'ab'[request.turn % 2]} " + answer(request.turn == 0, request))
    episodes, line = step_with_judge(models, tmp_path / "run", {"judge_reward": chosen}, monkeypatch)
    judge, chat = load_model(models / "judge"), Chat(load_tokenizer(models / "judge"))
    assert len(episodes) == 12
    for episode in episodes:
        prompt, response = episode.messages[0][1], episode.messages[1][1]
        total = sum(
            int(number) for number in prompt.partition("Compute ")[2].partition(".")[0].replace("- ", "-").replace("+ ", "").split()
        )
        asked = f"{prompt} {response} is it <answer>{total}</answer>?"
        yes, no = (log_probability(judge, chat, asked, text) for text in ("yes", "no"))
        expected = 1 / (1 + torch.tensor(no - yes).exp())
        assert episode.reward == pytest.approx(0.5 * episode.solved + 2 * float(expected), rel=1e-4)
    assert 0 <= line["judge_agreement"] <= 1
    assert line["judge_reward"] == pytest.approx(fmean((episode.reward - 0.5 * episode.solved) / 2 for episode in episodes), rel=1e-5)


class Fixed:
    """A judge that prefers the text with the higher number, by a fixed rule; what it was asked."""

    def __init__(self, rule):
        self.rule, self.asked = rule, []

    def score(self, continuations, temperature=1.0):
        out = []
        for place, continuation in enumerate(continuations):
            text = "".join(map(chr, continuation.prefix))
            self.asked.append(text)
            out.append((self.rule(text, place % 2 == 0),))
        return out


class Letters:
    """A chat of characters as tokens."""

    stop = (0,)

    def prompt_tokens(self, text):
        return [ord(letter) for letter in text]

    def encode(self, text):
        return [ord(letter) for letter in text]

    def decode(self, tokens):
        return "".join(map(chr, tokens))


def judged(given, rule, **options):
    """The rewards of responses that say these numbers, one group, and the judge."""
    from train.test_filters import episodes

    listed = [
        replace(episode, messages=[("user", "P"), ("assistant", text)])
        for episode, text in zip(episodes([1] * len(given)), given, strict=True)
    ]
    engine = Fixed(rule)
    judge = SecondModel("judge", engine, Letters(), 400)
    worker = type("Worker", (), {"settings": TaskSettings(0, 0.1)})()
    found, metrics = add_judge_rewards(judge, worker, listed, JudgeRewardConfig(model="judge", **options), seed=1)
    return [episode.reward for episode in found], metrics, engine.asked


def prefers_larger(text, first):
    """log P(A) - log P(B) is large where the first number is the larger one."""
    left, right = (int(part) for part in text.split("|")[1:3])
    return 0.0 if (left > right) == first and left != right else -50.0 if left != right else -1.0


def test_pairs_are_asked_in_both_orders_and_rewarded_by_hand():
    rewards, _, asked = judged(["1", "3", "2", "3"], prefers_larger, kind="pairwise", question="|{first}|{second}|")
    # 3 wins against 1 and 2 and ties with 3: (1 + 1 + 0.5) / 3.
    assert rewards == pytest.approx([0, 2.5 / 3, 1 / 3, 2.5 / 3])
    assert len(asked) == 2 * 2 * 6  # two answers, two orders, six pairs
    rewards, _, _ = judged(["1", "3", "2", "3"], prefers_larger, kind="bootstrap", question="|{first}|{second}|")
    assert sorted(rewards).count(0.0) == 1  # the reference has none
    reference = rewards.index(0.0)
    value = [1, 3, 2, 3]
    for place, reward in enumerate(rewards):
        assert reward == (0 if place == reference else 1 if value[place] > value[reference] else -1)


def test_a_judge_with_a_taste_for_the_first_of_two_prefers_none():
    """Both orders cancel what depends on the place alone."""
    rewards, _, _ = judged(["1", "3", "2"], lambda text, first: 0.0 if first else -3.0, kind="pairwise", question="|{first}|{second}|")
    assert rewards == pytest.approx([0.5, 0.5, 0.5])


def test_a_rubric_is_the_mean_over_its_criteria_and_a_threshold_makes_it_hard():
    def rule(text, first):
        likely = text.split("|")[1] in ("x", "y")
        return 0.0 if likely == first else -50.0

    options = {"question": "{response}|{criterion}|", "criteria": ("x", "y", "z")}
    rewards, metrics, _ = judged(["1", "2"], rule, **options)
    assert rewards == pytest.approx([2 / 3, 2 / 3])
    assert metrics["judge_agreement"] == 1
    assert judged(["1"], rule, threshold=0.6, **options)[0] == [1.0]
    assert judged(["1"], rule, threshold=0.7, **options)[0] == [0.0]


def test_a_long_response_is_cut_to_the_room_of_the_judge():
    _, _, asked = judged(["8" * 2000], lambda text, first: 0.0, question="{prompt} {response} right?")
    assert all(len(text) < 400 and text.startswith("P 888") and text.endswith("8 right?") for text in asked)


def test_parts_of_a_question_share_the_room_and_a_short_one_leaves_the_rest_to_the_others():
    judge = SecondModel("judge", Fixed(lambda text, first: 0.0), Letters(), 116)
    shown = {"first": "1" * 10, "second": "2" * 400, "third": "3" * 400}
    text = fitted(judge, "{first}|{second}|{third}", shown, ["first", "second", "third"])
    assert (text.count("1"), text.count("2"), text.count("3")) == (10, 41, 41)
    text = fitted(judge, "{first}|{second}|{third}", shown | {"third": "34"}, ["second"], ["third"], keep_end=frozenset({"third"}))
    assert (text.count("1"), text.count("2"), text[-2:]) == (10, 84, "34")
    text = fitted(judge, "{first}|{second}", {"first": "", "second": "2" * 99 + "!"}, ["first"], ["second"], keep_end=frozenset({"second"}))
    assert text == "|" + "2" * 96 + "!"


def test_a_long_reference_is_cut_as_well_where_the_responses_have_no_room():
    judge = SecondModel("judge", Fixed(lambda text, first: 0.0), Letters(), 100)
    text = fitted(judge, "{solution} {response}", {"solution": "s" * 300, "response": "r" * 5}, ["response"], ["solution"])
    assert "r" not in text
    assert 70 < len(text) <= 84


def test_a_reward_that_is_not_a_number_names_the_judge():
    with pytest.raises(OptionError, match=r"algorithm.judge_reward returned nan .* check second_models.judge"):
        judged(["1"], lambda text, first: float("nan"), question="{response}")


def test_an_exemplar_is_the_reference_solution(models, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.turn == 0, request))
    episodes, _ = step_with_judge(models, tmp_path / "run", {"judge_reward": {"model": "judge", "kind": "exemplar"}}, monkeypatch)
    assert all(0 < episode.reward < 1 for episode in episodes)
    assert len({round(episode.reward, 6) for episode in episodes if episode.group == 0}) > 1


def test_an_exemplar_is_compared_in_both_orders(models, tmp_path, monkeypatch):
    """A judge that likes the first of two, whichever it is, prefers none."""
    knowing(monkeypatch, lambda request: answer(request.turn == 0, request))
    monkeypatch.setattr(SecondModel, "choose", lambda judge, asked, answers: [0.9] * len(asked))
    episodes, _ = step_with_judge(
        models, tmp_path / "run", {"judge_reward": {"model": "judge", "kind": "exemplar"}, "filter_zero_std": False}, monkeypatch
    )
    assert [episode.reward for episode in episodes] == pytest.approx([0.5] * 12)


def test_a_listener_rewards_by_its_own_probabilities_and_logs_contradictions(models, tmp_path, monkeypatch):
    from rlgym.train.model.tokenizer import load_tokenizer
    from rlgym.train.rollout.chat import Chat

    knowing(monkeypatch, lambda request: f"think {request.turn}\n" + answer(request.turn == 0, request))
    # The listener scores, while the policy's engine cannot.
    chosen = {"model": "judge", "kind": "mean_prob", "verifier_weight": 1.0, "weight": 0.5}
    episodes, line = step_with_judge(models, tmp_path / "run", {"likelihood_reward": chosen}, monkeypatch)
    listener, chat = load_model(models / "judge"), Chat(load_tokenizer(models / "judge"))
    for episode in episodes:
        prompt, response = episode.messages[0][1], episode.messages[1][1]
        total = sum(
            int(number) for number in prompt.partition("Compute ")[2].partition(".")[0].replace("- ", "-").replace("+ ", "").split()
        )
        reasoning = response.partition("<answer>")[0]
        target = chat.encode(str(total))
        row = [*chat.prompt_tokens(prompt), *chat.encode(reasoning), *chat.encode("<answer>"), *target]
        heard = float(by_hand(listener, row)[-len(target) :].exp().mean())
        assert episode.reward == pytest.approx(episode.solved + 0.5 * heard, rel=1e-4)
    # A random listener finds nothing likely, so it contradicts the right quarter.
    assert line["listener_contradiction"] == 0.25


def test_a_prover_continues_the_prefixes_in_place_of_the_policy(models, tmp_path, monkeypatch):
    """The policy never solves a task, and a prover that does makes steps of value."""
    engines = knowing(monkeypatch, lambda request: "a\nb\n" + answer(False, request))
    small = {
        "advantage": "dr_grpo",
        "token_rewards": {"source": "prefix_values", "continuations": 2, "model": "judge"},
        "filter_zero_std": False,
    }

    def sample_prefixes(engine, contexts, samplings):
        assert engine not in engines  # the prover's own engine
        return [engine_says(context) for context in contexts]

    from rlgym.train.model.tokenizer import load_tokenizer
    from rlgym.train.rollout.engines.base import Completion

    tokenizer = load_tokenizer(models / "policy")

    def engine_says(context):
        text = tokenizer.decode(list(context), skip_special_tokens=True)
        right = "b\n" in text.partition("Compute")[2].partition("a\n")[2]
        numbers = text.partition("Compute ")[2].partition(".")[0].replace("- ", "-").replace("+ ", "").split()
        said = f"{sum(map(int, numbers)) + (not right)}</answer>"
        tokens = tokenizer(said, add_special_tokens=False)["input_ids"]
        return Completion(tuple(tokens), (-1.0,) * len(tokens), True, 0)

    monkeypatch.setattr("rlgym.train.rollout.prefix_values.sample_prefixes", sample_prefixes)
    episodes, line = step_with_judge(models, tmp_path / "run", small, monkeypatch)
    assert line["solve_rate"] == 0
    for episode in episodes:
        # Nothing after the first line, everything after the second, and nothing with the policy's own answer.
        assert [span.reward for span in episode.spans] == [0, 1, -1]


def test_the_models_stay_as_they_are(models, tmp_path, monkeypatch):
    seen = opened(monkeypatch)
    step_with_judge(
        models, tmp_path / "run", {"judge_reward": {"model": "judge", "question": "{response}?"}}, update={"lr": 0.1, "warmup_steps": 0}
    )
    before = dict(load_model(models / "judge").named_parameters())
    after = seen[0].second_models["judge"].engine.model
    for name, weight in after.named_parameters():
        torch.testing.assert_close(weight, before[name].detach())
        assert not weight.requires_grad


def test_a_model_of_transformers_judges_too(models, tmp_path):
    transformers_folder(tmp_path / "other", "gpt2")
    second = {"other": {"path": str(tmp_path / "other"), "max_seq_len": 500}}
    algorithm = {"advantage": "dr_grpo", "judge_reward": {"model": "other", "question": "{response}?"}, "filter_zero_std": False}
    train(Config.from_dict(sums(models / "policy", tmp_path / "run", algorithm=algorithm, steps=1) | {"second_models": second}))
    assert 0 < read_lines(tmp_path / "run" / "metrics.jsonl")[0]["judge_reward"] < 1


def test_a_model_reads_no_more_than_its_positions(models, tmp_path):
    given = sums(models / "policy", tmp_path) | {"second_models": {"judge": {"path": str(models / "judge"), "max_seq_len": 5000}}}
    found = load_second_models(Config.from_dict(given), torch.device("cpu"))
    assert found["judge"].max_seq_len == 900


def test_a_question_and_the_longer_answer_must_fit():
    judge = SecondModel("judge", Fixed(lambda text, first: 0.0), Letters(), 20)
    assert judge.choose(["q" * 16], ("Yes", "No")) == [0.5]
    with pytest.raises(OptionError, match=r"a question to second_models.judge has 17 tokens, and second_models.judge.max_seq_len=20"):
        judge.choose(["q" * 16, "q" * 17], ("Yes", "No"))


def test_memory_counts_weights_and_cache(models):
    count = sum(weight.numel() for weight in load_model(models / "judge").parameters())
    small, large = (second_model_bytes(SecondModelConfig(max_num_seqs=rows, max_seq_len=100), models / "judge", 4) for rows in (1, 3))
    assert small > 4 * count
    assert large - 4 * count == 3 * (small - 4 * count)
    assert second_model_bytes(SecondModelConfig(max_num_seqs=1, max_seq_len=100), models / "judge", 2) * 2 == small


VERDICT = {"model": "judge"}
REFUSED = [
    (
        {"judge_reward": {"model": "jugde"}},
        r"algorithm.judge_reward.model='jugde' is not in second_models, and there are judge. Did you mean 'judge'",
    ),
    ({}, r"second_models.judge is not used"),
    ({"judge_reward": VERDICT | {"question": "{prompt}?"}}, r"question must show \{response\}"),
    ({"judge_reward": VERDICT | {"question": "{reply}?"}}, r"shows \{reply\}, which the kind 'verdict' does not have"),
    ({"judge_reward": VERDICT | {"question": "{response?"}}, r"algorithm.judge_reward.question: expected '\}'"),
    ({"judge_reward": VERDICT | {"kind": "pairwise", "criteria": ["x"]}}, r"judge_reward.criteria is of the kind 'verdict'"),
    ({"judge_reward": VERDICT | {"kind": "bootstrap"}}, r"set algorithm.advantage='reinforce', not 'grpo'"),
    ({"judge_reward": VERDICT, "intrinsic_reward": {}}, r"both replace the reward"),
    ({"likelihood_reward": VERDICT | {"answer_gradient": 1.0}}, r"of the policy's own probabilities"),
    ({"token_rewards": {"source": "outcome", "model": "judge"}}, r"set source='prefix_values' or 'critiques', not 'outcome'"),
]


@pytest.mark.parametrize(("algorithm", "message"), REFUSED)
def test_what_cannot_work_is_refused(models, tmp_path, algorithm, message):
    second = {"judge": {"path": str(models / "judge"), "max_seq_len": 900}}
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(sums(models / "policy", tmp_path, algorithm=algorithm) | {"second_models": second}))


def test_a_folder_without_a_model_is_named(models, tmp_path):
    given = sums(models / "policy", tmp_path, algorithm={"judge_reward": VERDICT}) | {"second_models": {"judge": {"path": "nowhere"}}}
    with pytest.raises(TrainError, match=r"second_models.judge.path='nowhere' is not a Hugging Face folder"):
        check_algorithms(Config.from_dict(given))


def test_pairs_of_orders_are_complementary():
    """Swapping which of two is called first swaps their rewards."""
    forwards, _, _ = judged(["1", "2"], prefers_larger, kind="pairwise", question="|{first}|{second}|")
    backwards, _, _ = judged(["2", "1"], prefers_larger, kind="pairwise", question="|{first}|{second}|")
    assert forwards == pytest.approx(backwards[::-1])
    assert all(abs(sum(pair) - 1) < 1e-6 for pair in pairwise(forwards))
