"""The metrics of record by hand: clipping by side, the mismatch of engine and trainer, fates of groups, parts of scores, trackers."""

import json
import math
import sys
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym import Outcome, Score
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.data.collate import collate
from rlgym.train.logging.metrics import GROUP_FATES, episode_metrics, group_fates
from rlgym.train.logging.metrics_logger import MetricsLogger, read_lines
from rlgym.train.loop import train
from rlgym.train.losses.policy_gradient import ClipOptions, pg_clip
from rlgym.train.rollout.episodes import Episode
from rlgym.train.scorer.data import read_pairs
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.optimize import logprob_diff

SEPARATORS = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"
"""Characters at which str.splitlines cuts, and which JSON leaves as they are or escapes."""


def episode(group, value, tokens=2, *, reward=None, logprob=-1.0, parts=None, segments=None):
    task = TaskSpec("chain_sum", 0.0, group, "train")
    given = Episode(0, group, task, [3] * (tokens + 1), [False] + [True] * tokens, [0.0] + [logprob] * tokens, None)
    given.segments = segments or [(0, tokens)]
    given.finish(Score(value, Outcome.RIGHT if value == 1 else Outcome.WRONG, "", parts or {}), value if reward is None else reward)
    return given


def test_clipped_tokens_are_counted_by_side():
    # Ratios 0.5, 1, 1.5, 2 with advantage 1: those above 1.28 are clipped. With advantage -1 the one below 0.8.
    batch = collate([episode(0, 1.0, 4)])
    ratios = torch.tensor([1.0, 0.5, 1.0, 1.5, 2.0])
    new = batch.old_logprobs_T + ratios.log()
    for advantage, low, high in ((1.0, 0.0, 0.5), (-1.0, 0.25, 0.0)):
        _, metrics = pg_clip(new, batch, torch.full((5,), advantage), ClipOptions())
        assert float(metrics["clip_fraction_low"]) == low
        assert float(metrics["clip_fraction_high"]) == high
        assert float(metrics["clip_fraction"]) == low + high


def test_the_mismatch_is_the_divergence_of_the_engine_from_the_trainer():
    batch = collate([episode(0, 1.0, 2)])
    trainer = batch.rollout_logprobs_T + torch.tensor([9.0, 0.0, math.log(2)])
    found = logprob_diff(batch, trainer)
    assert found["mismatch_kl"] == pytest.approx((0 + 2 - 1 - math.log(2)) / 2)
    assert found["logprob_diff"] == pytest.approx(math.log(2) / 2)


def test_every_group_has_one_fate():
    masked = Score.nothing(Outcome.ERROR, "broke")
    groups = {
        "learned": [episode(0, 1.0), episode(0, 0.0)],
        "solved": [episode(1, 1.0), episode(1, 1.0)],
        "unsolved": [episode(2, 0.0), episode(2, 0.0)],
        "equal": [episode(3, 1.0, reward=0.5), episode(3, 0.0, reward=0.5)],
        "filtered": [episode(4, 1.0), episode(4, 0.0)],
        "masked": [episode(5, 0.0), episode(5, 0.0)],
    }
    for item in groups["masked"]:
        item.finish(masked, 0.0)
    found = group_fates([item for members in groups.values() for item in members], groups["learned"][:1])
    assert found == {f"group_fate/{name}": pytest.approx(1 / 6) for name in GROUP_FATES}


def test_parts_lengths_and_ages_by_hand():
    given = [
        episode(0, 1.0, 4, parts={"tests": 1.0}, segments=[(1, 1), (3, 3)]),
        episode(0, 0.0, 8, parts={"tests": 0.5, "style": 1.0}, segments=[(3, 8)]),
    ]
    found = episode_metrics(given, 3)
    assert (found["reward_part/tests"], found["reward_part/style"]) == (0.75, 1.0)
    assert (found["response_length_solved"], found["response_length_unsolved"]) == (4, 8)
    assert (found["staleness"], found["staleness_max"]) == (pytest.approx(2 / 12), 2)


def test_a_run_writes_the_metrics_of_record_and_its_fates_sum_to_1(tmp_path, monkeypatch):
    small_model(tmp_path / "start", max_seq_len=300)
    # Of the three groups of a step, some are all right, some all wrong.
    knowing(monkeypatch, lambda request: answer(request.total % 2 == 0 or request.turn == 0, request))
    train(Config.from_dict(sums(tmp_path / "start", tmp_path / "run", steps=4)))
    for line in read_lines(tmp_path / "run" / "metrics.jsonl"):
        assert sum(line[f"group_fate/{name}"] for name in GROUP_FATES) == pytest.approx(1)
        assert line["group_fate/solved"] == line["groups_all_right"]
        assert line["group_fate/learned"] == 1 - line["groups_zero_std"]
        assert {"staleness_max", "response_length_unsolved"} <= set(line)
        if line["updates"]:
            assert {"clip_fraction_low", "clip_fraction_high", "mismatch_kl", "entropy_p95"} <= set(line)


def test_every_step_reaches_trackio(tmp_path, monkeypatch):
    seen = []
    fake = SimpleNamespace(
        init=lambda **given: seen.append(given), log=lambda numbers, step: seen.append((step, numbers)), finish=lambda: seen.append("end")
    )
    monkeypatch.setitem(sys.modules, "trackio", fake)
    config = Config.from_dict(sums("m", tmp_path / "run", log={"trackio_project": "sums"}))
    (tmp_path / "run").mkdir()
    logger = MetricsLogger(tmp_path / "run", config)
    logger.log_step(3, {"reward": 0.5, "label": "text"}, {"seconds": 1.0})
    logger.close()
    assert (seen[0]["project"], seen[0]["name"], seen[0]["resume"]) == ("sums", "run", "allow")
    assert seen[1:] == [(3, {"reward": 0.5, "seconds": 1.0}), "end"]
    monkeypatch.setitem(sys.modules, "trackio", None)
    with pytest.raises(TrainError, match=r"log.trackio_project needs the package trackio"):
        MetricsLogger(tmp_path / "run", config)


def test_responses_with_rare_line_separators_are_read_back(tmp_path):
    config = Config.from_dict(sums("model", tmp_path))
    logger = MetricsLogger(tmp_path, config)
    logger.write_line("transcripts.jsonl", {"messages": [["assistant", SEPARATORS]]})
    logger.write_line("transcripts.jsonl", {"messages": []})
    assert [line["messages"] for line in read_lines(tmp_path / "transcripts.jsonl")] == [[["assistant", SEPARATORS]], []]


def test_pairs_of_steps_with_rare_line_separators_are_read_back(tmp_path):
    pair = {"prompt": [{"role": "user", "content": SEPARATORS}], "chosen": SEPARATORS, "rejected": "b"}
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair, ensure_ascii=False) + "\n" for _ in range(2)), encoding="utf-8")
    assert read_pairs(tmp_path) == [pair, pair]
