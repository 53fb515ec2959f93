"""A trained scorer of steps: training on each objective, and its scores in searches and best of n."""

import asyncio
import json
from math import log

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from evaluate.step_cases import Fixed, records, result, slipped, working
from evaluate.test_search import SMALL, Stepwise
from evaluate.test_strategies import ran
from safetensors.torch import load_file, save_file
from train.test_scorer_objectives import sigmoid
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.dataset import Session
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.step_scorer import StepScorer, encode_steps
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.step_texts import step_ends
from rlgym.evaluate.steps.records import StepRecord, StepsError, read_records, write_records
from rlgym.evaluate.strategies.run import run_strategies
from rlgym.evaluate.strategies.scored import reduce_scores, with_repairs
from rlgym.train.config.sections import ModelConfig
from rlgym.train.model.backend import load_policy_model
from rlgym.train.model.pretrained import make_model
from rlgym.train.model.tokenizer import load_tokenizer, make_tokenizer
from rlgym.train.scorer.data import balanced, examples_of, pair_examples, read_pairs
from rlgym.train.scorer.objectives import Example
from rlgym.train.scorer.train import TOKENS_PER_MICRO_BATCH, ScorerOptions, batch_of, scorer_outputs, train_scorer
from rlgym.train.update.policy import PolicyForward


def stepwise_records(count):
    """Responses of the simulated model, with exact labels: a step is right if it is called good, and no earlier one is bad."""

    async def sampled():
        model = Stepwise()
        return [
            (row, (await model.generate([{"role": "user", "content": Session(row).observation}], [], Sampling(), seed)).message["content"])
            for row in SMALL.rows
            for seed in range(count)
        ]

    found = []
    for number, (row, text) in enumerate(asyncio.run(sampled())):
        ends = step_ends(text, "\n\n")
        labels = [float("bad" not in text[:end]) for end in ends]
        plain = {name: row[name] for name in ("id", "env", "version", "level", "seed")}
        prompt = Session(row).observation
        found.append(StepRecord(**plain, sample=number, prompt=prompt, response=text, right="bad" not in text, ends=ends, separator="\n\n"))
        found[-1] = found[-1].with_labels("exact", labels)
    return found


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start") / "model"
    texts = [text for record in stepwise_records(2) for text in (record.prompt, record.response)]
    make_tokenizer(folder, texts, vocab_size=420, multi_word_tokens=True)
    make_model(folder, num_layers=1, hidden_size=64, max_seq_len=1024, seed=3)
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    file = tmp_path_factory.mktemp("data") / "steps.jsonl"
    write_records(file, stepwise_records(6))
    return file


@pytest.fixture(scope="module")
def trained(start, data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    losses = {}
    for objective in ("steps", "outcome"):
        options = ScorerOptions(objective, epochs=6, batch_size=12, lr=3e-3)
        losses[objective] = train_scorer(data, start, folder / objective, options)
    return folder, losses


def test_training_lowers_the_loss(trained):
    _, losses = trained
    assert losses["steps"][0] == pytest.approx(log(2), abs=1e-3)  # a new head says 0
    for objective in ("steps", "outcome"):
        assert sum(losses[objective][-5:]) / 5 < 0.4 * losses[objective][0]


def test_a_trained_scorer_tells_right_from_wrong_steps(trained):
    folder, _ = trained
    scorer = StepScorer([folder / "steps"])
    fresh = stepwise_records(8)[-40:]
    hits = []
    for record in fresh:
        scores, _ = scorer.scores([{"role": "user", "content": record.prompt}], record.response, record.ends)
        hits += [(score > 0.5) == bool(label) for score, label in zip(scores, record.labels["exact"], strict=True)]
    assert sum(hits) / len(hits) > 0.9


def test_scores_are_the_outputs_in_training_at_the_last_tokens_of_steps(trained):
    folder, _ = trained
    record = stepwise_records(1)[0]
    messages = [{"role": "user", "content": record.prompt}]
    network = load_policy_model(ModelConfig(path=str(folder / "steps" / "model")), value_head=True)
    tokenizer = load_tokenizer(folder / "steps" / "model")
    encoded = encode_steps(tokenizer, messages, record.response, record.ends)
    assert [tokenizer.decode(encoded.tokens[encoded.start : place + 1]) for place in encoded.places] == [
        record.response[:end] for end in record.ends
    ]
    example = Example("", encoded.tokens, encoded.start, encoded.places)
    output_T = scorer_outputs(PolicyForward(network, TOKENS_PER_MICRO_BATCH), batch_of([example]))
    scores, tokens = StepScorer([folder / "steps"]).scores(messages, record.response, record.ends)
    assert scores == pytest.approx([sigmoid(float(output_T[place])) for place in encoded.places], abs=1e-4)
    assert tokens == len(encoded.tokens)
    # Without scorer.json, as next to a checkpoint of PPO, the output is itself the value.
    (folder / "plain").mkdir()
    for name in ("model", "value_head.safetensors"):
        (folder / "plain" / name).symlink_to(folder / "steps" / name)
    plain, _ = StepScorer([folder / "plain"]).scores(messages, record.response, record.ends)
    assert plain == pytest.approx([min(1, max(0, float(output_T[place]))) for place in encoded.places], abs=1e-4)
    # An ensemble says the mean.
    mean, tokens = StepScorer([folder / "steps", folder / "plain"]).scores(messages, record.response, record.ends)
    assert mean == pytest.approx([(one + two) / 2 for one, two in zip(scores, plain, strict=True)])
    assert tokens == 2 * len(encoded.tokens)


def scored_run(place, names, scorer, options):
    plan = EvaluationPlan(SMALL, Stepwise(insight=0.5), EpisodeConfig(Sampling()), scorer=scorer)
    return run_strategies(plan, names.split(","), options, place)


def test_beam_search_by_the_value_head_beats_one_sample_and_the_models_own_estimates(trained, tmp_path):
    folder, _ = trained
    own = ran(tmp_path, "single,beam", Stepwise(insight=0.5), {"n": 8, "beams": 2}, suite=SMALL)["strategies"]
    options = {"n": 8, "beams": 2, "value": "scorer", "separator": "\n\n", "reduce": "last"}
    names = "single,scorer_best_of_n,beam,rebase"
    facts = scored_run(tmp_path / "scored", names, StepScorer([folder / "outcome"]), options)["strategies"]
    for name in ("beam", "rebase"):
        assert facts[name]["accuracy"] > max(0.8, facts["single"]["accuracy"] + 0.3)
    # With as many tokens, the search beats a choice among whole samples by the same values, which no choice takes above its ceiling.
    assert facts["beam"]["tokens"] == facts["scorer_best_of_n"]["tokens"]
    assert facts["beam"]["accuracy"] > facts["scorer_best_of_n"]["accuracy"]
    assert facts["beam"]["accuracy"] > own["beam"]["accuracy"] + 0.1
    assert json.loads((tmp_path / "scored" / "strategies.json").read_text())["scorer"].startswith("outcome-")


def test_an_ensemble_in_a_search_and_best_of_n_by_steps(trained, tmp_path):
    folder, _ = trained
    both = StepScorer([folder / "steps", folder / "outcome"])
    facts = scored_run(tmp_path, "single,majority,scorer_best_of_n,mcts", both, {"n": 8, "separator": "\n\n", "value": "scorer"})
    facts = facts["strategies"]
    assert facts["scorer_best_of_n"]["accuracy"] > max(0.55, facts["single"]["accuracy"] + 0.3)
    assert facts["mcts"]["accuracy"] > 0.8
    # Eight samples, and a reading of each different one; the scorer's replies have no tokens.
    assert 8 < facts["scorer_best_of_n"]["calls"] <= 16
    assert facts["scorer_best_of_n"]["tokens"] == facts["majority"]["tokens"]


def test_scores_of_steps_are_reduced_to_one():
    assert [reduce_scores([0.5, 0.8, 0.4], how) for how in ("min", "last", "mean", "product")] == pytest.approx([0.4, 0.4, 1.7 / 3, 0.16])
    assert reduce_scores([], "product") == 0


def test_a_repaired_error_does_not_count_where_windows_are_scored(tmp_path):
    assert with_repairs([0.9, 0.1, 0.8], [0.7, 0.6]) == [0.9, 0.6, 0.8]
    assert with_repairs([0.9], []) == [0.9]
    # The fixed scorer calls a wrong step right where it is one with the step after it.
    scorer = Fixed(lambda piece: 1.0 if "bad" not in piece or " good" in piece else 0.1)
    seen = scored_run(tmp_path, "scorer_best_of_n", scorer, {"n": 2, "separator": "\n\n", "window": 2})
    assert seen["strategies"]["scorer_best_of_n"]["calls"] > 4
    # Four steps have three pairs; each is asked for with the two steps in one piece.
    whole = next(text for text in scorer.asked if text.count("\n\n") == 3)
    first, second, *rest = whole.split("\n\n")
    assert "\n\n".join([f"{first} {second}", *rest]) in scorer.asked


def test_other_objectives_train_too(start, data, tmp_path):
    write_records(tmp_path / "few.jsonl", read_records(data)[:12])
    for objective in ("tokens", "td"):
        options = ScorerOptions(objective, decay=0.9, epochs=25, batch_size=12, lr=4e-3)
        losses = train_scorer(tmp_path / "few.jsonl", start, tmp_path / objective, options)
        assert losses[-1] < 0.6 * losses[0]
        assert json.loads((tmp_path / objective / "scorer.json").read_text())["output"] == "value"
    pairs = [
        {"prompt": [{"role": "user", "content": "?"}], "chosen": [{"role": "assistant", "content": f"good {n}"}],
         "rejected": [{"role": "assistant", "content": f"bad {n}"}]}
        for n in range(40)
    ]  # fmt: skip
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    losses = train_scorer(tmp_path, start, tmp_path / "ranked", ScorerOptions("pairs", epochs=4, batch_size=8, lr=3e-3))
    assert losses[0] == pytest.approx(log(2), abs=1e-3)
    assert losses[-1] < 0.2
    scorer = StepScorer([tmp_path / "ranked"])
    good, bad = (scorer.scores([{"role": "user", "content": "?"}], text, (len(text),))[0][0] for text in ("good 99", "bad 99"))
    assert good > bad


def test_labels_of_a_source_are_learned_with_merged_steps(start):
    steps = working(1)
    from rlgym.evaluate.steps.sources import exact_labels

    given = [record.with_labels("exact", exact_labels(record)) for record in records(result(1, steps), result(1, slipped(steps, 2)))]
    tokenizer = load_tokenizer(start)
    assert len(examples_of(given, tokenizer, 1024, "steps")) == 2
    assert len(examples_of(given, tokenizer, 1024, "steps", merge=True)) == 2 + 6 + 6 - 4 + 4  # all pairs of the seven steps
    with pytest.raises(StepsError, match="no labels of the source 'rates'"):
        examples_of(given, tokenizer, 1024, "steps", "rates")
    with pytest.raises(StepsError, match="none of 2 responses has at most 3 tokens"):
        examples_of(given, tokenizer, 3, "outcome")


def test_as_many_responses_end_in_a_wrong_step_as_in_a_right_one(start, data, tmp_path):
    def ending(number, *labels):
        return Example(str(number), (1, 2), 1, (1,) * len(labels), labels, True)

    # Four end in a right step, two in a wrong one; a step without a label is no end.
    given = [ending(0, 1.0), ending(1, 0.0, 1.0), ending(2, 1.0, 0.0), ending(3, 0.0, None), ending(4, 1.0, None), ending(5, 1.0)]
    kept = {tuple(int(example.group) for example in balanced(given, seed)) for seed in range(40)}
    assert all(len(one) == 4 and {2, 3} < set(one) for one in kept)
    assert {number for one in kept for number in one} == set(range(6))
    with pytest.raises(StepsError, match="of 2 responses 0 end in a wrong step"):
        balanced(given[:2], 0)
    with pytest.raises(StepsError, match="balance needs labels: it is for the objective 'steps', not for 'td'"):
        ScorerOptions("td", balance=True)
    found = read_records(data)
    wrong = [record for record in found if not record.labels["exact"][-1]]
    few = min(len(wrong), len(found) - len(wrong))
    assert 0 < few < len(found) / 2
    words = ["steps", "train", data, "--model", start, "--out", tmp_path / "scorer", "--batch-size", "100", "--balance"]
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, (done.output, done.exception)
    assert json.loads((tmp_path / "scorer" / "scorer.json").read_text())["examples"] == 2 * few


def test_bad_input_is_refused(start, data, tmp_path):
    for given, message in (({"objective": "step"}, "'step': use one of steps"), ({"objective": "td", "merge": True}, "merged steps")):
        with pytest.raises(StepsError, match=message):
            ScorerOptions(**given)
    with pytest.raises(StepsError, match=r"the training diverged, with a loss of .*: use a smaller lr"):
        train_scorer(data, start, tmp_path / "diverged", ScorerOptions(batch_size=4, lr=1e36))
    assert not (tmp_path / "diverged").exists()
    with pytest.raises(RlgymError, match=r"is no scorer: it has no value_head\.safetensors"):
        StepScorer([start])
    with pytest.raises(RlgymError, match="needs a trained scorer of steps: give its folder with --scorer"):
        ran(tmp_path, "beam", Stepwise(), {"value": "scorer"}, suite=SMALL)
    with pytest.raises(RlgymError, match="needs a trained scorer"):
        ran(tmp_path, "scorer_best_of_n", Stepwise(), suite=SMALL)
    (tmp_path / "pairs.jsonl").write_text('{"prompt": []}\n')
    with pytest.raises(StepsError, match="line 1"):
        read_pairs(tmp_path)
    with pytest.raises(StepsError, match="at most 2 tokens"):
        pair_examples(
            [{"prompt": [{"role": "user", "content": "?"}], "chosen": [{"content": "a"}], "rejected": [{"content": "b" * 9}]}],
            load_tokenizer(start),
            2,
        )


def test_the_command_trains_a_scorer(start, data, tmp_path):
    words = ["steps", "train", data, "--model", start, "--out", tmp_path / "scorer", "--batch-size", "60", "--lr", "0.003", "--json"]
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, (done.output, done.exception)
    report = json.loads(done.stdout)
    assert report["steps"] == 3
    assert report["last_loss"] < report["first_loss"]
    assert json.loads((tmp_path / "scorer" / "scorer.json").read_text())["source"] == "exact"
    named = StepScorer([tmp_path / "scorer"]).name
    assert named.startswith("scorer-")
    # Kept scores are found by the name: a scorer of the same folder name, or trained anew in place, has another.
    head = tmp_path / "scorer" / "value_head.safetensors"
    weights = load_file(head)["value_head.weight"]
    save_file({"value_head.weight": weights * 1e6}, head)
    scorer = StepScorer([tmp_path / "scorer"])
    assert scorer.name != named
    # Logits of any size are scores.
    record = stepwise_records(1)[0]
    scores, _ = scorer.scores([{"role": "user", "content": record.prompt}], record.response, record.ends)
    assert all(0 <= score <= 1 for score in scores)
    save_file({"value_head.weight": weights * -1e6}, head)
    flipped, _ = StepScorer([tmp_path / "scorer"]).scores([{"role": "user", "content": record.prompt}], record.response, record.ends)
    assert [one + other for one, other in zip(scores, flipped, strict=True)] == pytest.approx([1.0] * len(scores))
    assert min(*scores, *flipped) < 1e-30
