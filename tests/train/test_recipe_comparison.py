"""Stages of recipes that compare models or keep the responses of a teacher."""

import json
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

import rlgym
from rlgym import Outcome, Score
from rlgym.cli.watch import ProgressBars
from rlgym.core.errors import RlgymError
from rlgym.evaluate.episodes.results import load
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.recipes import comparison
from rlgym.train.recipes.comparison import answers_by_label, compare_models, comparison_table, pass_at_k, single_run_sd, summarize
from rlgym.train.recipes.recipe import Recipe, recipe
from rlgym.train.recipes.responses import finish_responses, keep_responses, model_name
from rlgym.train.recipes.run import run_recipe, stage_config
from rlgym.train.rollout.episodes import Episode
from rlgym.train.tasks.spec import TaskSpec

COMMON = {
    "tasks": [{"names": ["chain_sum"]}, {"names": ["roman_numerals"]}],
    "rollout": {"max_new_tokens": 4, "max_seq_len": 400, "groups_per_step": 2, "group_size": 2},
    "evaluation": {"tasks_per_level": 3, "samples_per_task": 4},
    "scoring": {"num_workers": 0},
    "compute": {"device": "cpu", "cpu_threads": 1, "peak_tflops": 1.0},
}


def made(*stages, **changes):
    words = {"title": "T", "paper": "P", "theme": "Several stages", "idea": "I", "same": ["s"], "differs": ["d"]}
    return Recipe.model_validate({"name": "made", **words, "common": COMMON | changes, "stages": list(stages)})


TRAINED = {"name": "rl", "config": {"steps": 1}}
COMPARED = {"name": "report", "kind": "compare", "models": ["model", "rl"], "groups": {"own": [0]}}


def test_averages_weigh_labels_equally_and_changes_are_paired():
    yes, no = [True, True], [False, False]
    answers = {"model": [{"a@0": [yes, no]}, {"b@0": [no, no, no, no]}], "rl": [{"a@0": [yes, [True, False]]}, {"b@0": [yes, no, no, no]}]}
    found = summarize(answers, {"first part": [0]})
    assert found["models"]["model"]["accuracy"] == 0.25
    assert found["models"]["rl"]["accuracy"] == pytest.approx((0.75 + 0.25) / 2)
    group = found["models"]["rl"]["groups"]["first part"]
    assert (group["accuracy"], group["change"]) == (0.75, 0.25)
    assert group["half_width"] == pytest.approx(1.959964 * 0.25)  # The differences of the two tasks are 0 and 0.5.
    assert found["labels"]["1: b@0"] == {"model": 0.0, "rl": 0.25}
    table = comparison_table(found)
    assert "| rl | 0.500 (+0.250 ± " in table
    assert "pass@2" in table


def test_pass_at_k_and_the_spread_of_single_runs_by_hand():
    cells = [[[True, False, False, False], [True, True, False, False]]]
    assert pass_at_k(cells) == pytest.approx({1: 0.375, 2: (0.5 + 5 / 6) / 2, 4: 1.0})
    # Runs with one sample per task have the accuracies 1, .5, 0 and 0.
    assert single_run_sd(cells) == pytest.approx(0.478714)
    assert single_run_sd([[[True], [False]]]) is None


def test_samples_without_a_score_are_left_out():
    masked = replace(episode(0, "", True), score=Score.nothing(Outcome.ERROR, "no sandbox"))
    given = [episode(0, "", True), masked, episode(1, "", False), episode(1, "", True), replace(masked, group=2)]
    assert list(answers_by_label(given).values()) == [[[True], [False, True], []]]
    with pytest.raises(RlgymError, match="no response to chain_sum"):
        answers_by_label([masked])
    yes, no = [True, True], [False, False]
    answers = {"model": [{"a@0": [yes, no, [], no]}], "rl": [{"a@0": [yes, [True], yes, []]}]}
    model, rl = summarize(answers, {})["models"].values()
    # The change is over the two tasks that both have scores of.
    assert (model["accuracy"], rl["accuracy"], rl["groups"]["all"]["change"]) == (pytest.approx(1 / 3), 1.0, 0.5)
    assert rl["groups"]["all"]["half_width"] == pytest.approx(1.959964 * 0.5)
    assert rl["pass_at"] == {1: 1.0, 2: 1.0}
    assert "| rl | 1.000 " in comparison_table(summarize(answers, {}))


def test_models_answer_the_same_tasks_and_none_is_measured_twice(tmp_path, monkeypatch):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32, max_seq_len=512)
    chosen = made(TRAINED, COMPARED)
    config = stage_config(chosen, chosen.stages[1], tmp_path / "model", tmp_path / "2-report", 0, False)
    models = {"model": tmp_path / "model", "rl": tmp_path / "model"}
    with ProgressBars() as callback:
        found = compare_models(config, models, {"own": [0]}, callback)
    saved = json.loads((tmp_path / "2-report" / "comparison.json").read_text())
    assert found.keys() == saved["models"].keys() == {"model", "rl"}
    counts = tmp_path / "2-report" / "models"
    assert (counts / "model.json").read_bytes() == (counts / "rl.json").read_bytes()
    assert set(saved["models"]["rl"]["pass_at"]) == {"1", "2", "4"}
    assert saved["models"]["rl"]["groups"]["own"]["change"] == 0
    assert saved["settings"]["samples_per_task"] == config.evaluation.samples_per_task
    assert saved["seeds"] == [config.seed]
    assert saved["environments"].keys() == {name for part in config.tasks for name in part.environments()}
    assert len(saved["code"]) == 1
    page = (tmp_path / "2-report" / "report.html").read_text()
    assert all(part in page for part in ("pass@2", "version of chain_sum", "+0.000 ±", saved["code"][0]))
    assert "src=" not in page
    before = (tmp_path / "2-report" / "comparison.md").read_bytes()
    monkeypatch.setattr(comparison, "_measure", lambda *_: pytest.fail("a finished measurement is repeated"))
    compare_models(config, models, {"own": [0]}, ProgressCallback())
    assert (tmp_path / "2-report" / "comparison.md").read_bytes() == before


def test_a_model_of_self_play_is_compared_on_the_games_own_opponent_and_a_stage_may_be_called_comparison(tmp_path, monkeypatch):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32, max_seq_len=1024)
    trained, report = TRAINED | {"name": "comparison"}, COMPARED | {"models": ["model", "comparison"], "groups": {}}
    chosen = made(trained, report, tasks=[{"names": ["nim"]}], rollout={**COMMON["rollout"], "max_seq_len": 800, "self_play": True})
    config = stage_config(chosen, chosen.stages[1], tmp_path / "model", tmp_path / "2-report", 0, False)
    workers = []

    def episodes(worker, *rest):
        workers.append(worker)
        return [episode(0, "", True)]

    monkeypatch.setattr(comparison, "evaluation_episodes", episodes)
    for _ in range(2):  # the second time everything is measured already
        found = compare_models(config, dict.fromkeys(("model", "comparison"), tmp_path / "model"), {}, ProgressCallback())
        assert found == {"model": 1.0, "comparison": 1.0}
    assert [worker.self_play for worker in workers] == [False, False]


@pytest.mark.parametrize(
    ("stages", "words"),
    [
        ([COMPARED | {"models": ["model"]}], "at least two different ones"),
        ([COMPARED], "compares 'rl', which is no earlier stage that trains: there are model"),
        ([TRAINED, COMPARED | {"groups": {"own": [2]}}], "group 'own' of stage 'report' needs positions from 0 to 1"),
        ([TRAINED | {"models": ["model", "rl"]}], "only a stage of the kind 'compare'"),
        ([TRAINED | {"keep_responses": True}], "only a stage of the kind 'measure'"),
        ([TRAINED | {"start_from": "teacher"}], "starts from 'teacher', which is no earlier stage"),
        (
            [{"name": "sft", "config": {"sft": {"rollouts": "teach"}}}],
            "sft.rollouts='teach', which is no earlier stage with keep_responses",
        ),
    ],
)
def test_stages_that_make_no_sense_are_refused(stages, words):
    with pytest.raises(ValueError, match=words):
        made(*stages)


def test_a_teacher_is_asked_for_where_it_is_needed_and_refused_elsewhere(tmp_path):
    with pytest.raises(RlgymError, match="'phi4_reasoning' imitates another model: pass its Hugging Face folder with --teacher"):
        run_recipe(recipe("phi4_reasoning"), tmp_path / "out", tmp_path)
    with pytest.raises(RlgymError, match="no stage of the recipe 'dapo' starts from a teacher"):
        run_recipe(recipe("dapo"), tmp_path / "out", tmp_path, teacher=tmp_path)
    assert not list(tmp_path.iterdir())


def episode(group, text, right):
    seed = 10 + group
    prompt = rlgym.task("chain_sum", seed, level=0.0).prompt
    score = Score(1.0, Outcome.RIGHT) if right else Score.wrong("no")
    messages = [("user", prompt), ("assistant", text)]
    return Episode(
        group,
        group,
        TaskSpec("chain_sum", 0.0, group, "train"),
        [1, 2],
        [False, True],
        [0.0, 0.0],
        None,
        score=score,
        seed=seed,
        messages=messages,
    )


def test_kept_responses_are_an_evaluation_and_a_step_replaces_its_own(tmp_path):
    for _ in range(2):
        keep_responses(tmp_path, 0, [episode(0, "<answer>1</answer>", True), episode(1, "<answer>2</answer>", False)])
    keep_responses(tmp_path, 1, [episode(0, "<answer>3</answer>", True), episode(1, "<answer>4</answer>", True)])
    finish_responses(tmp_path, "teacher")
    run = load(tmp_path)
    assert run.info["model"]["name"] == "teacher"
    assert len(run.info["suite"]["hash"]) == 64
    assert {row["answer_style"] for row in run.rows} == {"tag"}
    assert model_name(str(tmp_path / "2-rl" / "checkpoints" / "000040" / "model")) == "2-rl/000040"
    assert model_name("models/large") == "large"
    assert run.finished
    assert sorted((row["seed"], row["sample"], row["right"]) for row in run.rows) == [
        (10, 0, True),
        (10, 1_000_000, True),
        (11, 1, False),
        (11, 1_000_001, True),
    ]
    assert json.loads(run.rows[0]["messages"])[1]["content"].startswith("<answer>")


def test_a_stage_imitates_the_right_responses_of_its_teacher(tmp_path):
    from rlgym.train.model.tokenizer import load_tokenizer
    from rlgym.train.rollout.chat import Chat
    from rlgym.train.rollout.setup import task_settings
    from rlgym.train.sft.rollouts import RolloutData

    chosen = recipe("hundred_days")
    (tmp_path / "1-teach").mkdir()
    keep_responses(tmp_path / "1-teach", 0, [episode(group, f"<answer>{group}</answer>", group % 2 == 0) for group in range(20)])
    finish_responses(tmp_path / "1-teach", "teacher")
    small_model(tmp_path / "model", num_layers=1, hidden_size=32, max_seq_len=5000)
    config = stage_config(chosen, chosen.stage("distil"), tmp_path / "model", tmp_path / "2-distil", 0, False)
    tokenizer = load_tokenizer(tmp_path / "model")
    examples = RolloutData(config, Chat(tokenizer), task_settings(config)).examples
    assert 0 < len(examples) <= 10
    texts = [tokenizer.decode([token for token, mine in zip(one.tokens, one.loss_mask, strict=True) if mine]) for one in examples]
    assert all(int(text.partition("<answer>")[2].partition("<")[0]) % 2 == 0 for text in texts)


def reports():
    return {
        name: recipe(name) for name in ("one_shot", "warm_up", "negative_reinforcement", "recap", "guru", "phi4_reasoning", "hundred_days")
    }


def compared(name):
    chosen = reports()[name]
    last = chosen.stages[-1]
    assert last.kind == "compare"
    return chosen, last, chosen.stage_config(last, "model", "run")


def test_one_example_is_measured_across_families():
    _, last, config = compared("one_shot")
    assert last.models == ["model", "one-task"]
    domains = [{rlgym.spec(name)["domain"] for name in part.names} for part in config.tasks]
    assert not domains[0] & domains[2]
    assert set(last.groups) == {"family of the example", "other mathematics", "other domains"}


def test_a_warm_start_is_compared_with_the_base_model_at_the_same_number_of_tasks():
    chosen, last, _ = compared("warm_up")
    warm, base = (chosen.stage_config(chosen.stage(name), "model", "run") for name in ("target", "target-from-base"))
    assert warm == base
    assert {part.num_tasks for part in base.tasks} == {100}
    assert [chosen.previous(chosen.stage(name)) for name in ("target", "target-from-base")] == ["warm-up", "model"]
    assert {"target", "target-from-base"} <= set(last.models)


def test_pass_at_256_is_measured_of_every_sign():
    chosen, last, config = compared("negative_reinforcement")
    advantages = {name: chosen.stage_config(chosen.stage(name), "m", "r").algorithm.advantage for name in last.models[1:]}
    assert advantages == {"psr": "psr", "nsr": "nsr", "w-reinforce": "w_reinforce", "grpo": "grpo"}
    assert {chosen.previous(chosen.stage(name)) for name in advantages} == {"model"}
    assert config.evaluation.samples_per_task == 256


def test_retained_abilities_are_replayed_from_a_fixed_suite_and_their_loss_is_reported():
    chosen, last, config = compared("recap")
    measured, rl = (chosen.stage_config(chosen.stage(name), "m", "r") for name in ("retention-suite", "rl"))
    suite = {name for part in rl.tasks if part.recorded and part.recorded.model == "initial" for name in part.names}
    assert suite == set(measured.tasks[0].names)
    assert all(part.recorded.low >= 0.5 and part.recorded.count for part in rl.tasks[1:])
    assert rl.task_sampling == "recap"
    assert suite <= {name for part in config.tasks for name in part.names}
    assert last.models == ["model", "rl"]


def test_domains_seen_and_rarely_seen_in_pretraining_are_told_apart():
    chosen, last, config = compared("guru")
    alone = [chosen.stage_config(chosen.stage(name), "m", "r").tasks[0].names for name in ("mathematics-alone", "logic-alone")]
    seen, rarely = ([config.tasks[part].names[0] for part in last.groups[name]] for name in ("seen in pretraining", "rarely seen"))
    assert alone[0][0] in seen
    assert alone[1][0] in rarely
    assert not set(seen) & set(rarely)
    assert config.evaluation.samples_per_task == 16


def test_traces_are_a_teachers_on_prompts_at_the_edge_and_runs_are_repeated():
    chosen, _, config = compared("phi4_reasoning")
    teach = chosen.stage("teach")
    assert (teach.start_from, teach.keep_responses) == ("teacher", True)
    edge = chosen.stage_config(teach, "m", "r").tasks[0].recorded
    assert (edge.model, edge.low > 0, edge.high < 1) == ("initial", True, True)
    assert chosen.stage_config(chosen.stage("sft"), "m", "r").sft.rollouts == "teach"
    assert config.evaluation.samples_per_task >= 50


def test_a_distilled_start_is_compared_with_the_base_model():
    chosen, last, _ = compared("hundred_days")
    assert chosen.previous(chosen.stage("rl-short")) == "distil"
    assert chosen.previous(chosen.stage("rl-from-base")) == "model"
    short, long, base = (chosen.stage_config(chosen.stage(name), "m", "r") for name in ("rl-short", "rl-long", "rl-from-base"))
    assert short.steps + long.steps == base.steps
    assert {"rl-long", "rl-from-base"} <= set(last.models)
