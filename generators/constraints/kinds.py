"""Constraints on a text: stated, checked, and kept apart if they are incompatible."""

from pydantic import model_validator

from rlgym.core.task import TaskData
from rlgym.generators.constraints import letters_and_forms, sizes_and_places
from rlgym.generators.constraints.kind import Kind
from rlgym.generators.constraints.languages import NAMES
from rlgym.generators.constraints.views import ASTERISKS, NOTES, View

KINDS: dict[str, Kind] = {**sizes_and_places.KINDS, **letters_and_forms.KINDS}
"""Every kind by its name."""


class Constraint(TaskData):
    """One constraint: its kind with its arguments, never a phrase that has to be read back. `phrase` is its wording."""

    kind: str
    number: int = 0
    most: int = 0
    words: tuple[str, ...] = ()
    phrase: int = 0

    @model_validator(mode="after")
    def _known(self) -> "Constraint":
        if self.kind not in KINDS:
            raise ValueError(f"there is no kind of constraint called {self.kind!r}; there are {', '.join(KINDS)}")
        kind = KINDS[self.kind]
        given = ("n" if self.number > 0 else "") + ("m" if self.most > 0 else "") + ("w" if self.words else "")
        if given != kind.takes or not all(self.words) or not 0 <= self.phrase < len(kind.phrases):
            raise ValueError(f"a constraint {self.kind!r} takes {kind.takes or 'nothing'!r} (n: number, m: most, w: words), got {self!r}")
        return self


def describe(constraint: Constraint) -> str:
    """The constraint as a sentence."""
    exact = constraint.kind == "words_between" and constraint.number == constraint.most
    kind = KINDS["words_exact" if exact else constraint.kind]
    listed = ", ".join(f'"{word}"' for word in constraint.words)
    first = constraint.words[0] if constraint.words else ""
    is_single = constraint.number == 1
    words = {"words": listed, "letter": first.upper(), "s": "" if is_single else "s", "are": "is" if is_single else "are"}
    if constraint.kind == "language":
        words["language"] = NAMES[constraint.number - 1]
    phrases = kind.single if kind.single and len(constraint.words) == 1 else kind.phrases
    return phrases[constraint.phrase].format(n=constraint.number, m=constraint.most, **words)


def holds(constraint: Constraint, view: View) -> bool:
    """Whether a text meets a constraint; one without words meets none."""
    return bool(view.words) and KINDS[constraint.kind].check(view, constraint.number, constraint.most, constraint.words)


def agree(first: str, second: str) -> bool:
    """Whether two different kinds are compatible."""
    return second not in KINDS[first].against.split() and first not in KINDS[second].against.split()


def notes_of(constraints: tuple[Constraint, ...]) -> list[str]:
    """What the terms in some constraints mean."""
    used = {note for constraint in constraints for note in KINDS[constraint.kind].notes}
    bold = any(constraint.kind == "bold" for constraint in constraints)
    return [text if bold else text.replace(ASTERISKS, "") for note, text in NOTES.items() if note in used]
