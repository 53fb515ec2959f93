"""Worked solutions as claims: every form of a step together with what makes it true."""

from collections.abc import Callable, Sequence

from rlgym.generators.steps import Line, first_wrong

Claim = tuple[Line, Callable[..., bool]]


def refuted(steps: Sequence[str], claims: Sequence[Claim], ends: Callable[[str], bool]) -> int | None:
    """The position of the first step that is no true claim; each claim is called with what fills its gaps, by name, and `ends` judges the last step."""

    def follows(step: str) -> bool:
        for line, holds in claims:
            if (said := line.read(step)) is not None:
                return holds(**said)
        return False

    return first_wrong(steps, follows, ends)
