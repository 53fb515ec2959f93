"""Every statement comes with an equivalent, a negated and a near one; a model that always says the same gets no statement right."""

import json

import pytest
from typer.testing import CliRunner

import rlgym
from rlgym.cli import app
from rlgym.evaluate.metrics.statement_variants import statement_variants
from rlgym.evaluate.statement_variants import variants_of, with_variants
from rlgym.evaluate.suites import SuiteError, from_names
from rlgym.generators.proofs.statement_variants import VARIANTS

NAMES = ["polynomial_interpolation:prove_or_refute", "primitive_root:prove_or_refute"]


def row(seed, variant, right, sample=0, masked=False, env="a:prove_or_refute"):
    knobs = json.dumps({"degree": 3, "variant": variant})
    return {"env": env, "level": 0.5, "seed": seed, "sample": sample, "knobs": knobs, "right": right, "masked": masked}


def test_a_statement_counts_only_if_all_variants_are_right():
    rows = [row(1, name, True) for name in VARIANTS] + [row(2, name, name != "negated") for name in VARIANTS]
    rows += [row(3, name, True, masked=name == "stated") for name in VARIANTS]  # nothing is known of a masked one
    rows += [row(4, "stated", True), {**row(5, "stated", True), "knobs": None}]  # a statement alone
    [found] = statement_variants(rows)
    assert (found["environment"], found["statements"], found["all_right"], found["accuracy"]) == ("a:prove_or_refute", 2, 0.5, 7 / 8)
    assert found["by_variant"] == {"stated": 1.0, "equivalent": 1.0, "negated": 0.5, "perturbed": 1.0}
    assert statement_variants([row(1, name, name == "stated", sample=i) for i in (0, 1) for name in VARIANTS])[0]["statements"] == 2
    assert statement_variants([row(4, "stated", True)]) == []


@pytest.mark.parametrize("name", NAMES)
def test_variants_have_the_truth_that_they_must_have(name):
    declared, perturbed = rlgym.environment(name), 0
    for seed in range(16):
        level = seed % 4 / 3
        tasks = {variant: rlgym.task(name, seed, level=level, variant=variant) for variant in VARIANTS}
        assert rlgym.task(name, seed, level=level).prompt == tasks["stated"].prompt
        answers = {variant: declared.solve(task) for variant, task in tasks.items()}
        truth = {variant: answer[0] for variant, answer in answers.items()}
        assert truth["stated"] == truth["equivalent"] != truth["negated"]
        assert tasks["negated"].data == tasks["stated"].data
        assert len({task.prompt for task in tasks.values()}) >= 3
        perturbed += truth["perturbed"] != truth["stated"]
        for variant, task in tasks.items():
            assert declared.verify(task, answers[variant]).value == 1
            assert all(declared.verify(task, other).value == 1 for other in declared.solutions(task))
            assert not any(
                declared.verify(task, wrong).value == 1 for wrong in declared.mistakes(task, answers[variant]) if wrong != answers[variant]
            )
        if declared.explain is not None:
            for task in tasks.values():
                assert declared.replay(task, declared.explain(task)) is None
        # An answer to the statement is none to its negation.
        assert declared.verify(tasks["negated"], answers["stated"]).value == 0
        assert declared.verify(tasks["stated"], answers["negated"]).value == 0
    assert perturbed >= 8


def test_a_suite_with_variants():
    suite = with_variants(from_names(NAMES, count=6))
    assert len(suite.rows) == 24
    assert len({(row["env"], row["level"], row["seed"]) for row in suite.rows}) == 6
    assert len({row["id"] for row in suite.rows}) == 24
    assert variants_of(NAMES[0]) == VARIANTS
    assert variants_of("chain_sum") == ()
    with pytest.raises(SuiteError, match="no environment of the suite has statements with variants"):
        with_variants(from_names("chain_sum", count=2))


@pytest.mark.parametrize(("model", "all_right"), [("oracle", 1.0), ("mistake", 0.0)])
def test_the_command_reports_all_variants_right(tmp_path, model, all_right):
    options = ["--suite", NAMES[0], "--model", model, "--count", "3", "--variants", "--out", str(tmp_path / "run"), "--json"]
    done = CliRunner().invoke(app, ["eval", "run", *options])
    assert done.exit_code == 0, done.output
    [found] = json.loads((tmp_path / "run" / "summary.json").read_text())["statement_variants"]
    assert (found["statements"], found["all_right"], set(found["by_variant"])) == (3, all_right, set(VARIANTS))
    assert "All variants right" in (tmp_path / "run" / "report.html").read_text()
