"""Every environment obeys every law. Each gets the same small budget; run with `-n 2` they share the cores."""

import os

import pytest

import rlgym
from rlgym.core.errors import SandboxMissing
from rlgym.laws import LAWS, check
from rlgym.laws.freeze import frozen_file
from rlgym.laws.subject import Subject
from rlgym.registry import declared_with, place
from rlgym.sandbox import runner

SECONDS = float(os.environ.get("RLGYM_LAW_SECONDS", "4"))
WANTED = os.environ.get("RLGYM_LAWS", "").split() or None
# What a further family of tasks shares with its environment: the answer format, how it is read and judged. In a hurry these are not measured again.
SHARED = ("total", "spelled", "fast", "clean", "drawn", "unmistaken")
FURTHER = [other for name in rlgym.names() for other in declared_with(name)]


@pytest.mark.parametrize("name", [*rlgym.names(), *FURTHER])
def test_the_environment_obeys_every_law(name):
    _skipped_without_what_it_needs(name)
    # Where programs are run every law takes its least samples, and those take long: a hurried look.
    seconds = SECONDS if getattr(rlgym.environment(name), "sandbox", None) is None else min(SECONDS, 0.5)
    laws = WANTED
    if name in FURTHER:
        seconds /= 2
        laws = [law for law in WANTED or LAWS if law not in SHARED] if SECONDS < 1 else WANTED
    certificate = check(name, seconds=seconds, laws=laws)
    broken = {law: finding.failures for law, finding in certificate.findings.items() if not finding.passed}
    assert not broken


def _skipped_without_what_it_needs(name):
    for package in getattr(rlgym.environment(name), "needs", ()):
        pytest.importorskip(package)
    limits = getattr(rlgym.environment(name), "sandbox", None)
    if limits is not None:
        try:
            runner(limits)
        except SandboxMissing as why:
            pytest.skip(str(why))


@pytest.mark.parametrize("name", [*rlgym.names(), *FURTHER])
def test_its_samples_are_frozen(name):
    subject = Subject(name, rlgym.environment(name), place(name).file)
    assert frozen_file(subject).exists(), f"run `rlgym freeze {name}`"
