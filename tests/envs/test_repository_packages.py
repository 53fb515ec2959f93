"""Generated packages: their code means what the generator says, with faults, without parts, in other styles and in disguise."""

from dataclasses import replace

import pytest

from rlgym import Rng
from rlgym.generators.programs.repositories import program
from rlgym.generators.repository import tasks
from rlgym.generators.repository.components import one_of
from rlgym.generators.repository.helpers import STYLES
from rlgym.generators.repository.inputs import sample_inputs
from rlgym.generators.repository.layout import source_files
from rlgym.generators.repository.merging import merged_text
from rlgym.generators.repository.package import faults_of, sample_package
from rlgym.generators.repository.traces import FAILED, Cases, results
from rlgym.generators.repository.variants import disguise_files
from rlgym.generators.repository.world import CALL, LIMITS
from rlgym.sandbox import get_runner

SIZES = {"few": (4, 2, 3), "layers": (9, 5, 7), "deep": (18, 10, 11)}


@pytest.fixture(scope="module")
def runner():
    return get_runner(LIMITS)


@pytest.mark.parametrize("layout", SIZES)
def test_code_computes_what_its_meaning_says_with_faults_and_without(layout, runner):
    for seed in range(2):
        rng = Rng("meaning", layout, seed)
        right = sample_package(rng, *SIZES[layout], layout)
        inputs = sample_inputs(rng, right, 12, 8)
        for package in (right, *(right.with_fault(*fault) for fault in rng.sample(faults_of(right), 3))):
            calls = [(f"{package.theme.package}:run", lines) for lines in inputs]
            answers = runner.run(program(source_files(package), CALL), calls).outputs
            assert [getattr(answer, "value", FAILED) for answer in answers] == results(package, inputs)


@pytest.mark.parametrize("layout", SIZES)
def test_changed_packages_give_what_they_give_when_everything_is_computed_anew(layout):
    for seed in range(3):
        rng = Rng("traces", layout, seed)
        right = sample_package(rng, *SIZES[layout], layout)
        found = tasks.cases(rng, right, 16, 8)
        single = [right.with_fault(*fault) for fault in faults_of(right)]
        double = [package.with_fault(*rng.choice(faults_of(right))) for package in single]
        lacking = [right.without([rule.key for rule in rng.sample(right.layer("rules"), count)]) for count in (1, 2, 3)]
        styled = [replace(right, styles={name: style}) for name, styles in STYLES.items() for style in styles[1:]]
        halves = right.component("percent").sites["half"]
        other = replace(right.component("percent"), sites={"half": one_of(halves, list(halves)[1])})
        rounded = replace(right, components=tuple(other if each.key == "percent" else each for each in right.components))
        parts = [right.without([each.key]) for layer in ("reading", "reports") for each in right.layer(layer)]
        for package in (right, rounded, *single, *double, *lacking, *styled, *parts):
            assert found.results(package) == results(package, found.inputs)
        for package in lacking:  # and the other way around
            less = Cases(package, found.inputs)
            assert less.results(right) == found.right


@pytest.mark.parametrize("layout", SIZES)
def test_disguised_code_means_the_same(layout, runner):
    rng = Rng("disguise", layout)
    right = sample_package(rng, *SIZES[layout], layout)
    inputs = sample_inputs(rng, right, 20, 8)
    files = source_files(right)
    disguised = disguise_files(files, right.theme.package)
    answers = runner.run(program(files | disguised, CALL), [(f"{right.theme.package}:run", lines) for lines in inputs]).outputs
    assert [getattr(answer, "value", FAILED) for answer in answers] == results(right, inputs)


def test_merges_of_texts():
    base = "a\nb\nc\nd\n"
    assert merged_text(base, "a\nB\nc\nd\n", "a\nb\nc\nd\ne\n") == "a\nB\nc\nd\ne\n"
    assert merged_text(base, "a\nx\nc\nd\n", "a\ny\nc\nd\n") == "a\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\nc\nd\n"
    assert merged_text(base, base, "") == ""
