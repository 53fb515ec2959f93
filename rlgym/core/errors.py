"""Every exception this library raises on purpose: one small tree under RlgymError."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RlgymError(Exception):
    """The base of all errors of this library. The message states the problem, the value found and what to do."""


class UnknownName(RlgymError, LookupError):
    """No environment, domain, law or knob has that name."""


class KnobError(RlgymError, ValueError):
    """A knob or level is out of its range, or of the wrong type."""


class EpisodeError(RlgymError, RuntimeError):
    """reset and step were called in the wrong order, or with the wrong kind of action."""


class RowError(RlgymError, ValueError):
    """A dataset row or saved task is damaged, or belongs to another version or another library."""


class RecipeError(RlgymError, ValueError):
    """A dataset recipe cannot be followed."""


class DeclarationError(RlgymError, TypeError):
    """An environment file does not declare an environment properly."""


class PackageMissing(RlgymError, ImportError):
    """A verifier, an adapter or a command needs a package that is not installed."""


class SandboxMissing(RlgymError, RuntimeError):
    """A verifier needs to run untrusted code and no sandbox backend is available."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?`, or an empty text where no known name is similar."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


def check_render_mode(mode: str | None, modes: Iterable[str]) -> str | None:
    """The render mode of an Env; KnobError for one that it does not have."""
    if mode is not None and mode not in modes:
        raise KnobError(f"render_mode must be None or one of {', '.join(map(repr, modes))}, got {mode!r}")
    return mode
