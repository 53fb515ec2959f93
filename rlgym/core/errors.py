"""Every exception this library raises on purpose: one small tree under RlgymError."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RlgymError(Exception):
    """Something was asked for that cannot be; the message says what, what was there, and what to do."""


class UnknownName(RlgymError, LookupError):
    """No environment, domain, law or knob has that name."""


class KnobError(RlgymError, ValueError):
    """A knob or level is out of its range, or of the wrong type."""


class EpisodeError(RlgymError, RuntimeError):
    """reset and step were called in an order that makes no sense, or with the wrong kind of action."""


class RowError(RlgymError, ValueError):
    """A dataset row or saved task is damaged, or belongs to another version or another library."""


class RecipeError(RlgymError, ValueError):
    """A dataset recipe cannot be followed."""


class DeclarationError(RlgymError, TypeError):
    """An environment file does not declare an environment properly."""


class PackageMissing(RlgymError, RuntimeError):
    """A verifier needs a package that is not installed."""


class SandboxMissing(RlgymError, RuntimeError):
    """A verifier needs to run untrusted code and no sandbox backend is available."""


def suggestion(wanted: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?`, or nothing where no known name is near."""
    near = difflib.get_close_matches(wanted, list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
