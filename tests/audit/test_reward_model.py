"""Reward models in folders of Transformers, with weights set by hand."""

import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from rlgym import RlgymError
from rlgym.audit import AuditOptions
from rlgym.audit.case import Case
from rlgym.audit.scorers.base import ScorerUnavailable
from rlgym.audit.scorers.reward_model import RewardModelScorer, calibrated_threshold
from rlgym.audit.styles import STYLES
from rlgym.cli import app
from rlgym.cli.audit_source import Source
from rlgym.train.model.tokenizer import make_tokenizer


def reward_model(folder, paid, labels=1):
    """A model without layers, whose reward is high where the last token of the text is that of `paid`."""
    make_tokenizer(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = None
    tokenizer.save_pretrained(folder)
    (folder / "chat_template.jinja").unlink(missing_ok=True)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=8,
        intermediate_size=8,
        num_hidden_layers=0,
        num_attention_heads=1,
        num_labels=labels,
        max_position_embeddings=256,
    )
    model = transformers.LlamaForSequenceClassification(config)
    [token] = tokenizer.encode(paid, add_special_tokens=False)
    with torch.no_grad():
        model.model.embed_tokens.weight.zero_()
        model.model.embed_tokens.weight[:, 1] = 1.0
        model.model.embed_tokens.weight[token] = torch.tensor([1.0] + [0.0] * 7)
        model.score.weight.zero_()
        model.score.weight[-1, 0] = 3.0
        model.score.weight[-1, 1] = -3.0
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def bracket(tmp_path_factory):
    return reward_model(tmp_path_factory.mktemp("bracket"), "}")


def case(response):
    return Case("layouts", "2 + 1?", response, "3", True, "integers", "arithmetic")


@pytest.mark.parametrize("labels", [1, 2])
def test_rewards_are_probabilities_of_the_last_label(tmp_path, labels):
    scorer = RewardModelScorer(reward_model(tmp_path, "}", labels))
    paid, plain, strange = scorer.score([case("\\boxed{3}"), case("3"), case("\ud800}")])
    # Normalised embeddings have the length sqrt(8), so the logits are 3 sqrt(8) and -3 sqrt(8).
    assert paid.reward == strange.reward == pytest.approx(1 / (1 + 2.71828 ** (-3 * 8**0.5)), abs=1e-4)
    assert plain.reward == pytest.approx(1 - paid.reward, abs=1e-4)


def test_the_response_counts_where_the_prompt_is_too_long(bracket):
    [verdict] = RewardModelScorer(bracket, max_tokens=8).score([case("x" * 100 + "}")])
    assert verdict.reward > 0.9


def test_the_threshold_lies_between_right_and_wrong_answers(bracket):
    scorer = RewardModelScorer(bracket)
    assert calibrated_threshold(scorer, ("integers",), STYLES["boxed"], 0) > 0.9
    assert calibrated_threshold(scorer, ("integers",), STYLES["line"], 0) < 0.1


def test_a_model_that_pays_a_mark_is_found_out(bracket, capfd):
    source = Source(None, None, None, None, None, "", None, None, None, reward_model=bracket)
    report = source.audit(AuditOptions(effort="least", types=("integers",)), lambda done, total: None)
    passed = {check.name: check.passed for check in report.checks}
    assert (report.kind, report.shape, report.style) == ("reward_model", "prompt and response", "boxed")
    assert passed["exact_answers"] is passed["determinism"] is passed["crashes"] is True
    assert passed["near_misses"] is passed["layouts"] is False
    assert report.false_positives.mean > 0.3
    assert "Loading" not in "".join(capfd.readouterr())


def test_what_is_no_reward_model_is_one_line(tmp_path, bracket):
    with pytest.raises(ScorerUnavailable, match="it has no config"):
        RewardModelScorer(tmp_path)
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ScorerUnavailable, match="cannot be loaded"):
        RewardModelScorer(tmp_path)
    three = tmp_path / "three"
    three.mkdir()
    with pytest.raises(ScorerUnavailable, match="1 or 2 labels"):
        RewardModelScorer(reward_model(three, "}", 3))
    refused = CliRunner().invoke(app, ["audit", "a.py:f", "--reward-model", str(bracket)])
    assert isinstance(refused.exception, RlgymError)
