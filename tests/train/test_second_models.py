"""Frozen models beside the policy: a judge, a listener and a prover, against probabilities of plain passes, and runs that learn from them."""

from statistics import fmean

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, opened, step_with_judge, sums
from train.small_models import by_hand, policy_and_judge, transformers_folder
from train.test_judge_rewards import Fixed, Letters

from rlgym.train.config.schema import Config
from rlgym.train.config.second_models import SecondModelConfig
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.registry import OptionError
from rlgym.train.rollout.second_models import SecondModel, load_second_models
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
