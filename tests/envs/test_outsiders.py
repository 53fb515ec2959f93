"""How much is understood of sentences that were written from the prompts alone: intents, times and amounts, and what is read back."""

from pathlib import Path
from typing import NamedTuple

import pytest

from rlgym.generators.users.grammar import Meaning, understand

SETS = sorted((Path(__file__).parent / "data").glob("outsiders_*.txt"))
QUIET = {"empathy", "rest"}
ACTIVE = ("ask:", "do:", "offer", "go_ahead")


class Said(NamedTuple):
    grammar: str
    intents: frozenset[str]
    read_back: frozenset[str]
    values: tuple[tuple[str, str], ...]
    text: str


def _said(line: str) -> Said:
    grammar, labels, text = line.split(" | ", 2)
    parts = [label.partition("=") for label in labels.split(",")]
    names = [name.removesuffix("~") for name, _, _ in parts]
    read_back = frozenset(name.removesuffix("~") for name, _, _ in parts if name.endswith("~"))
    return Said(
        grammar, frozenset(names), read_back, tuple((name, value) for name, (_, _, value) in zip(names, parts, strict=True) if value), text
    )


def _sentences(path: Path) -> list[Said]:
    return [_said(line) for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def _in_full(said: Said, meanings: tuple[Meaning, ...]) -> bool:
    got = {meaning.intent for meaning in meanings} - {"empathy"}
    if got == {"confirm"} and said.read_back:  # what was said last is read back
        return True
    named = {(meaning.intent, str(meaning.when or meaning.amount)) for meaning in meanings}
    return got == said.intents and said.read_back <= {each.intent for each in meanings if each.claim} and set(said.values) <= named


def _misread(said: Said, meanings: tuple[Meaning, ...]) -> bool:
    return any(meaning.intent.startswith(ACTIVE) and meaning.intent not in said.intents for meaning in meanings)


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_sentences_of_outsiders_are_understood_in_full(path: Path) -> None:
    said = _sentences(path)
    missed = [each.text for each in said if not _in_full(each, understand(each.grammar, each.text))]
    assert len(said) >= 60
    assert len(missed) <= 0.03 * len(said), missed


def test_hardly_a_sentence_of_an_outsider_is_misread() -> None:
    said = [each for path in SETS for each in _sentences(path)]
    misread = [each.text for each in said if _misread(each, understand(each.grammar, each.text))]
    assert len(said) >= 600
    assert len(misread) <= 0.006 * len(said), misread
