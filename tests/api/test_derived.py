"""Names derived from environments: their tasks are sound for every environment, and they work wherever a name works."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import gymnasium
import pytest
from thinning import thinned

import rlgym
from rlgym import Environment, Outcome, Rng, Score
from rlgym.core.errors import RlgymError, UnknownName
from rlgym.dataset import sample
from rlgym.derived.multi_turn import budgeted, try_again
from rlgym.derived.uncertainty import with_confidence
from rlgym.laws import check
from rlgym.registry import derived

# `make test` takes one environment of 48, `make test-all` takes all.
NAMES = thinned(rlgym.names(), 48)
MADE = (
    "choose", "grade", "first_error", "grade_solution", "pairwise", "best_of", "rank_by_principle", "rank_by_new_principle", "match_tasks"
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_what_is_derived_from_an_environment_is_sound(name):
    for derived_name in derived(name):
        if derived_name.partition(":")[2] not in MADE:
            continue
        declared = rlgym.environment(derived_name)
        for seed in range(2):
            task = rlgym.task(derived_name, seed, level=0.5)
            assert task == rlgym.load_task(json.dumps(task.to_dict()))
            right = declared.solve(task)
            assert declared.verify(task, right).value == 1.0, derived_name
            assert right == declared.answer.parse(declared.answer.render(right))
            for mistake in declared.mistakes(task, right)[:4]:
                assert declared.verify(task, mistake).value == 0.0, derived_name
            assert declared.answer.render(right) in declared.explain(task)[-1]


PLAYED = (
    "try_again", "budgeted", "with_confidence", "n_guesses", "candidates", "choose_twice", "retrieve", "paraphrased", "de", "critique_refine", "name_flaws"
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_oracle_wins_what_is_derived(name):
    for derived_name in derived(name):
        if derived_name.partition(":")[2] not in PLAYED:
            continue
        try:
            env = rlgym.make(derived_name, level=0.4)
        except RlgymError as why:
            pytest.skip(str(why))
        env.reset(seed=1)
        over = False
        while not over:
            _, reward, over, _, info = env.step(env.oracle())
        assert reward == 1.0, (derived_name, info["score"])


def test_every_environment_of_one_turn_has_the_wrappers():
    for name in rlgym.names():
        if rlgym.spec(name)["kind"] == "environment":
            judged = {f"{name}:{kind}" for kind in ("n_guesses", "candidates", "choose_twice", "critique_refine", "retrieve", "name_flaws")}
            assert {f"{name}:{kind}" for kind in PLAYED} - judged <= set(derived(name))


def test_a_further_try_is_worth_less_and_a_repeated_answer_nothing():
    env = rlgym.make("chain_sum:try_again", level=0.3, tries=4)
    env.reset(seed=5)
    right = env.oracle()
    assert "That is not right" in env.step("<answer>123456</answer>")[0]
    assert "that you gave before" in env.step("<answer>123456</answer>")[0]
    assert env.step(right)[1] == pytest.approx(0.49)


def test_a_budget_counts_the_words_beside_the_answer():
    env = rlgym.make("chain_sum:budgeted", level=0.3, first_words=20)
    env.reset(seed=5)
    right = env.oracle()
    env.step("word " * 21 + right)
    env.step("no answer at all")
    score = env.step("word " * 300 + right)[4]["score"]
    assert score.parts == {"within_20_words": 0.0, "within_80_words": 0.0, "within_320_words": 1.0}
    assert score.value == pytest.approx(1 / 3)


@pytest.mark.parametrize(("stated", "when_right", "when_wrong"), [("1", 1.0, 0.0), ("0.5", 1 - 0.25 / 4, 0.25 * 0.75), ("0%", 0.75, 0.25)])
def test_confidence_is_paid_by_a_proper_rule(stated, when_right, when_wrong):
    env = rlgym.make("chain_sum:with_confidence", level=0.3)
    for answer, paid in ((None, when_right), ("<answer>123456</answer>", when_wrong)):
        env.reset(seed=5)
        response = (answer or env.oracle().partition("\n")[0]) + f"\n<confidence>{stated}</confidence>"
        assert env.step(response)[1] == pytest.approx(paid)
    for bad in ("nan", "1.5", "-0.1", "inf", "", "0.5</confidence><confidence>0.6"):
        env.reset(seed=5)
        assert env.step(f"<answer>1</answer><confidence>{bad}</confidence>")[1] == 0.0


@pytest.mark.parametrize("kind", [with_confidence, try_again, budgeted])
def test_a_verdict_that_failed_stays_masked(kind):
    failing = replace(rlgym.environment("chain_sum"), verify=lambda task, answer: Score.nothing(Outcome.ERROR, "the sandbox is gone"))
    declared, knobs = kind(failing), kind(failing).config.at(0.3)
    if isinstance(declared, Environment):
        task = declared.generate(Rng("masked"), knobs)
        score = declared.verify(task, declared.solve(task))
    else:
        state = declared.start(Rng("masked"), knobs)
        score = declared.outcome(declared.act(state, declared.best(state)))
    assert score.masked
    assert score.reason == "the sandbox is gone"


def test_guesses_are_paid_by_their_rank_and_may_not_be_more():
    env = rlgym.make("chain_sum:n_guesses", level=0.3)
    env.reset(seed=5)
    right, first, second = env.oracle().split("\n")
    paid = {
        (right, first, second): 1,
        (first, right, second): 2 / 3,
        (first, second, right): 1 / 3,
        (right,): 0,
        (right, first, second, "<answer>5</answer>"): 0,
    }
    for text, worth in paid.items():
        env.reset(seed=5)
        assert env.step("\n".join(text))[1] == pytest.approx(worth)


def test_other_words_and_languages_leave_the_task_as_it_is():
    for kind in ("paraphrased", "de", "fr", "es", "zh", "ja", "hi", "ar"):
        env = rlgym.make(f"sudoku:{kind}", level=0.3)
        prompt, _ = env.reset(seed=2)
        assert env.task.data.question.split("\n\n")[1] in prompt
        assert "<answer>...</answer>" in prompt
    prompts = {rlgym.task("chain_sum:paraphrased", seed, level=0.5).prompt.split("-")[0] for seed in range(40)}
    assert len(prompts) > 12


@pytest.mark.parametrize(
    "name",
    [
        "chain_sum:choose",
        "max_clique:grade",
        "sudoku:choose",
        "lru_cache:first_error",
        "natural_deduction:grade",
        "chain_sum:try_again",
        "sudoku:budgeted",
        "chain_sum:with_confidence",
        "max_clique:n_guesses",
        "sql_query:paraphrased",
        "sat_assignment:zh",
    ],
)
@pytest.mark.slow
def test_derived_environments_obey_the_laws(name):
    broken = {law: finding.failures for law, finding in check(name, effort="least").findings.items() if not finding.passed}
    if name.endswith(":choose"):
        broken.pop("prompt_quality", None)  # the form lists eight letters, and a task may have fewer options
    assert not broken


def test_a_shifted_family_is_reached_by_its_split_and_by_its_name():
    name = next(name for name in rlgym.names("graphs") if f"{name}:shift" in derived(name))
    assert rlgym.task(name, 3, level=0.4, split="shift") == rlgym.task(f"{name}:shift", 3, level=0.4)
    assert rlgym.task(name, 3, level=0.4).prompt != rlgym.task(f"{name}:shift", 3, level=0.4).prompt
    env = gymnasium.make(f"rlgym/{name}-v{rlgym.spec(name)['version']}", level=0.4, split="shift")
    env.reset(seed=3)
    assert env.unwrapped.task == rlgym.task(f"{name}:shift", 3, level=0.4)
    assert env.step(env.unwrapped.oracle())[1] == 1.0


def test_derived_names_are_sampled_and_scored_as_rows():
    rows = list(sample(["chain_sum:choose", "chain_sum:grade"], 4, seed=1))
    assert {row["env"] for row in rows} <= {"chain_sum:choose", "chain_sum:grade"}
    assert rlgym.spec("chain_sum:grade")["domain"] == "arithmetic"


@pytest.mark.parametrize(
    ("created", "message"),
    [
        (lambda: rlgym.make("chain_sum:nothing"), "derives no 'nothing'"),
        (lambda: rlgym.make("chain_sum", split="shfit"), "Did you mean 'shift'"),
        (lambda: rlgym.make("chain_sums:choose"), "chain_sum"),
        (lambda: rlgym.make("higher_lower:choose"), "lacks the declarations that this needs"),
        (lambda: rlgym.task("chain_sum", 1, split="test"), "The splits are main, shift"),
    ],
)
def test_a_wrong_derived_name_says_what_there_is(created, message):
    with pytest.raises(UnknownName, match=message):
        created()


def test_pictures_are_asked_for_by_the_render_mode():
    name = next(name for name in rlgym.names("puzzles") if rlgym.spec(name)["pictures"])
    env = gymnasium.make(f"rlgym/{name}-v{rlgym.spec(name)['version']}", render_mode="svg", level=0.3)
    env.reset(seed=1)
    assert env.render().startswith("<svg ")
    for other in ("chain_sum", "higher_lower", "nim"):
        env = rlgym.make(other, level=0.3, render_mode="svg")
        env.reset(seed=1)
        assert ElementTree.fromstring(env.render()).tag.endswith("svg")
