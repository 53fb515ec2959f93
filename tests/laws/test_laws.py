"""Every environment obeys every law, with the least samples. A failure names the environment, the law and the seed.

The slow tests run the laws at the effort `quick`, with more samples, and on the further families.
"""

import hashlib
import os
from pathlib import Path

import pytest

import rlgym
from rlgym.core.errors import SandboxMissing
from rlgym.laws import LAWS, check
from rlgym.laws.freeze import frozen_file
from rlgym.laws.subject import Subject
from rlgym.registry import locate, own_families
from rlgym.sandbox import get_runner

WANTED = os.environ.get("RLGYM_LAWS", "").split() or None
# A further family shares these with its environment: the answer format, how it is parsed and scored, and the source.
SHARED = (
    "robustness",
    "equivalent_spellings",
    "answer_layout",
    "stated_precision",
    "speed",
    "clean_source",
    "pictures",
    "mistakes_rejected",
)
# These draw the same samples at the effort `quick` as at `least`.
SAME_SAMPLES = ("mutation_score", "clean_source")
# By what factor a time may exceed its limit here, since the machines that run the tests run other programs too. A certificate allows none.
SLACK = 2.0
# Not yet met by every further family: `rlgym check NAME:shift` measures them there.
GUESSES = ("constant_answer", "prompt_copying")
# Read from the names of the frozen samples, so that collecting the tests imports no environment; the last test compares the two.
FROZEN = Path(__file__).parents[1] / "frozen"
FURTHER = sorted(file.stem.replace(".", ":") for file in FROZEN.glob("*.*.json"))
# With 2, the slow tests below take every second family, the others with another version of the source.
IN_TURN = int(os.environ.get("RLGYM_LAWS_IN_TURN", "1"))


def in_turn(names, turns=IN_TURN, version=""):
    """The names whose turn it is; the same for a version of the source on every machine."""
    if turns == 1:
        return list(names)
    version = version or _version_of_the_source()
    return [name for name in names if int(hashlib.sha256(f"{version} {name}".encode()).hexdigest(), 16) % turns == 0]


def _version_of_the_source():
    digest = hashlib.sha256()
    for folder in ("rlgym/laws", "rlgym/core", "rlgym/answers", "envs", "generators"):
        for file in sorted((Path(__file__).parents[2] / folder).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


@pytest.mark.parametrize("name", rlgym.names())
def test_the_environment_obeys_every_law(name):
    _obeys(name, WANTED, "least")


@pytest.mark.slow
@pytest.mark.parametrize("name", in_turn(rlgym.names()))
def test_the_environment_obeys_every_law_with_more_samples(name):
    _obeys(name, [law for law in WANTED or LAWS if law not in SAME_SAMPLES], "quick")


@pytest.mark.slow
@pytest.mark.parametrize("name", in_turn(FURTHER))
def test_the_further_family_obeys_the_laws(name):
    _obeys(name, [law for law in WANTED or LAWS if law not in (*SHARED, *GUESSES)], "quick")


def _obeys(name, laws, effort):
    _skip_without_requirements(name)
    certificate = check(name, effort=effort, laws=laws)
    broken = {law: finding.failures for law, finding in certificate.findings.items() if not finding.passed}
    if "speed" in broken and 1 < certificate.findings["speed"].measured["share_of_limit"] <= SLACK:
        del broken["speed"]
    assert not broken, f"{name} breaks {', '.join(broken)}; `rlgym check {name} --effort {effort}` repeats this"


def _skip_without_requirements(name):
    for package in getattr(rlgym.environment(name), "needs", ()):
        pytest.importorskip(package)
    limits = getattr(rlgym.environment(name), "sandbox", None)
    if limits is not None:
        try:
            get_runner(limits)
        except SandboxMissing as why:
            pytest.skip(str(why))


def test_the_samples_of_every_environment_are_frozen():
    families = [other for name in rlgym.names() for other in own_families(name)]
    subjects = [Subject(name, rlgym.environment(name), locate(name).file) for name in [*rlgym.names(), *families]]
    missing = [subject.name for subject in subjects if not frozen_file(subject).exists()]
    assert not missing, f"run `rlgym freeze {' '.join(missing)}`"
    assert sorted(families) == FURTHER


def test_every_family_has_its_turn_with_some_version_of_the_source():
    names = list(rlgym.names())
    found = [set(in_turn(names, 2, str(version))) for version in range(12)]
    assert set().union(*found) == set(names)
    assert all(len(names) // 3 < len(turn) < 2 * len(names) // 3 for turn in found)
    assert in_turn(names, 1) == names
