"""Which configurations several ranks and asynchronous rollouts support."""

import pytest

torch = pytest.importorskip("torch")

pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.distributed.process_group import ProcessGroup
from rlgym.train.validate.scale import check_ranks_of_model, check_scale


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "start"
    small_model(folder)
    return folder


def test_the_native_engine_on_a_gpu_is_not_ahead(monkeypatch):
    given = {
        "model": "m",
        "output_dir": "o",
        "tasks": [{"names": ["chain_sum"]}],
        "rollout": {"async_steps": 1},
        "update": {"old_logprobs": "rollout"},
    }
    check_scale(Config.from_dict(given | {"compute": {"device": "cpu"}}), ProcessGroup())
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    with pytest.raises(TrainError, match="shares with the trainer"):
        check_scale(Config.from_dict(given), ProcessGroup())
    check_scale(
        Config.from_dict(given | {"rollout": {"async_steps": 1, "engine": "vllm", "engine_options": {"url": "http://a"}}}), ProcessGroup()
    )


REFUSED = [
    ({"rollout": {"async_steps": 1, "max_new_tokens": 8, "max_seq_len": 100}}, 1, "tis_cap"),
    ({"rollout": {"async_steps": 1, "deterministic": False}, "update": {"old_logprobs": "rollout"}}, 1, "depend on timing"),
    ({"rollout": {"async_steps": 1, "engine": "vllm"}, "update": {"old_logprobs": "rollout"}}, 1, "runs during the update"),
    (
        {
            "rollout": {"async_steps": 2, "groups_per_step": 8, "engine": "vllm", "engine_options": {"urls": ["http://a"]}},
            "update": {"old_logprobs": "rollout"},
        },
        4,
        "async_steps=2 does not support several ranks",
    ),
    ({"rollout": {"groups_per_step": 3}}, 4, "start fewer ranks"),
    ({"rollout": {"groups_per_step": 6}}, 4, "such as 8"),
    ({"rollout": {"groups_per_step": 8, "engine": "vllm"}}, 4, "rollout.engine_options.urls"),
]


@pytest.mark.parametrize(("more", "ranks", "message"), REFUSED)
def test_what_cannot_work_is_refused(more, ranks, message):
    given = {"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"]}]}
    with pytest.raises(TrainError, match=message):
        check_scale(Config.from_dict(given | more), ProcessGroup(0, ranks))


@pytest.mark.parametrize(
    ("more", "ranks"),
    [
        ({"rollout": {"groups_per_step": 8}}, 4),
        ({"rollout": {"groups_per_step": 8, "engine": "vllm", "engine_options": {"urls": ["http://a"]}}}, 4),
        ({"rollout": {"async_steps": 1}, "algorithm": {"loss_options": {"tis_cap": 2.0}}}, 1),
    ],
)
def test_what_can_work_is_not(more, ranks):
    check_scale(Config.from_dict({"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"]}]} | more), ProcessGroup(0, ranks))


ONE_RANK = {
    "auxiliary_rewards": {"terms": {"short": {"short": {"free_tokens": 4, "max_tokens": 30}}}},
    "process_model": {},
    "judge_training": {"model": "judge"},
    "outcome_head": {},
    "flow_reward": {},
    "self_distillation": {},
    "self_verification": {},
    "proposer": {},
    "trace_reward.solver": {"model": "judge", "solver": "judge"},
}


@pytest.mark.parametrize("field", ONE_RANK)
def test_what_every_rank_would_do_for_itself_is_refused(model, field):
    given = {"model": str(model), "output_dir": "o", "tasks": [{"names": ["chain_sum"]}]}
    config = Config.from_dict(given | {"algorithm": {field.partition(".")[0]: ONE_RANK[field]}})
    with pytest.raises(TrainError, match=rf"algorithm.{field} does not support 2 ranks: start one process"):
        check_ranks_of_model(config, 2)
    check_ranks_of_model(config, 1)
    if field == "trace_reward.solver":
        check_ranks_of_model(Config.from_dict(given | {"algorithm": {"trace_reward": {"model": "judge"}}}), 2)


def test_ranks_that_see_different_folders_do_not_go_on(monkeypatch):
    group = ProcessGroup(0, 2)
    monkeypatch.setattr(ProcessGroup, "all_gather", lambda self, mine: [mine, "1-rl-0000002"])
    group.require_equal("1-rl-0000002", "the last checkpoint")
    with pytest.raises(TrainError, match="different values of the last checkpoint"):
        group.require_equal("none", "the last checkpoint")


def test_processes_started_by_half_are_refused(monkeypatch):
    for name in ("RANK", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(TrainError, match="RANK is not set: start them with torchrun"):
        ProcessGroup.from_environment()
