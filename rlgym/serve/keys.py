"""Who may do what, and how much of it: keys, and quotas over time."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rlgym import RlgymError
from rlgym.serve.errors import ServiceError, problems


@dataclass(frozen=True, slots=True)
class Key:
    """One client of the service. None is no limit.

    name                 what logs call it, and what owns its sessions
    reveal               whether it may see answers: oracle, mistakes, hints
    sessions             open at once
    steps_per_minute, scores_per_minute, requests_per_second   what it may do in the long run; twice a second's or one minute's at once
    """

    name: str
    reveal: bool = False
    sessions: int | None = None
    steps_per_minute: float | None = None
    scores_per_minute: float | None = None
    requests_per_second: float | None = None


EVERYBODY = Key("everybody", reveal=True)
"""Who asks a service that has no key file."""


class KeyFileError(RlgymError, ValueError):
    """The file of keys cannot be used."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(min_length=1, max_length=100)
    key: str | None = Field(None, min_length=8)
    sha256: str | None = Field(None, pattern="^[0-9a-f]{64}$")
    reveal: bool = False
    sessions: int | None = Field(None, ge=0)
    steps_per_minute: float | None = Field(None, gt=0)
    scores_per_minute: float | None = Field(None, gt=0)
    requests_per_second: float | None = Field(None, gt=0)

    @model_validator(mode="after")
    def _one_secret(self) -> _Entry:
        if (self.key is None) == (self.sha256 is None):
            raise ValueError("give either key or sha256")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    keys: list[_Entry] = Field(min_length=1)


class Keys:
    """The keys of a service; only their hashes are kept."""

    def __init__(self, found: dict[bytes, Key]) -> None:
        self._found = found

    @classmethod
    def read(cls, file: str | None) -> Keys | None:
        """The keys in a TOML or JSON file: a list `keys` of tables with a name, `key` or `sha256`, `reveal` and quotas."""
        if file is None:
            return None
        try:
            text = Path(file).read_text(encoding="utf-8")
            given: Any = json.loads(text) if file.endswith(".json") else tomllib.loads(text)
            entries = _File.model_validate(given).keys
        except OSError as error:
            raise KeyFileError(f"the key file {file!r} cannot be read: {error.strerror}") from None
        except ValidationError as error:
            said = problems(error.errors(include_url=False, include_input=False, include_context=False))
            raise KeyFileError(f"the key file {file!r} holds no keys: {said}") from None
        except ValueError as error:
            raise KeyFileError(f"the key file {file!r} is not {'JSON' if file.endswith('.json') else 'TOML'}: {error}") from None
        found: dict[bytes, Key] = {}
        for entry in entries:
            digest = hashlib.sha256(entry.key.encode()).digest() if entry.key else bytes.fromhex(entry.sha256 or "")
            if digest in found or entry.name in {key.name for key in found.values()}:
                raise KeyFileError(f"the key file {file!r} holds {entry.name!r} or its key twice")
            found[digest] = Key(**entry.model_dump(exclude={"key", "sha256"}))
        return cls(found)

    def find(self, given: str) -> Key:
        """The key that was given; ServiceError where there is none such. Takes as long for one as for another."""
        digest, match = hashlib.sha256(given.encode("utf-8", "surrogatepass")).digest(), None
        for known, key in self._found.items():
            if hmac.compare_digest(known, digest):
                match = key
        if match is None:
            raise ServiceError("unauthorized", "this key is not known here")
        return match

    def of_header(self, header: str | None) -> Key:
        """The key of an Authorization header."""
        kind, _, given = (header or "").partition(" ")
        if kind.lower() != "bearer" or not given.strip():
            raise ServiceError("unauthorized", "send a key in the header `Authorization: Bearer KEY`")
        return self.find(given.strip())


class Quotas(Protocol):
    """Counters that several workers may share. Both methods are called from event loops and must not wait."""

    def spend(self, name: str, what: str, amount: float, per_second: float, most: float) -> float:
        """Take `amount` from the bucket (name, what), which holds `most` and fills by `per_second`.

        Returns 0, or the seconds after which it would be there; then nothing is taken. An amount above `most` needs a full bucket only.
        """
        ...

    def hold(self, name: str, most: int | None) -> bool:
        """Count one more open session of `name`, unless it has `most` already."""
        ...

    def release(self, name: str) -> None:
        """Count one less."""
        ...


class LocalQuotas:
    """Quotas of one process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}
        self._held: dict[str, int] = {}

    def spend(self, name: str, what: str, amount: float, per_second: float, most: float) -> float:
        """See Quotas."""
        now = self._clock()
        left, since = self._buckets.get((name, what), (most, now))
        left = min(most, left + (now - since) * per_second)
        missing = min(amount, most) - left
        self._buckets[name, what] = (left if missing > 0 else left - amount, now)
        return max(0.0, missing / per_second)

    def hold(self, name: str, most: int | None) -> bool:
        """See Quotas."""
        count = self._held.get(name, 0)
        if most is not None and count >= most:
            return False
        self._held[name] = count + 1
        return True

    def release(self, name: str) -> None:
        """See Quotas."""
        self._held[name] = max(0, self._held.get(name, 0) - 1)


def spend(quotas: Quotas, key: Key, what: str, amount: int = 1) -> None:
    """Take `amount` "steps", "scores" or "requests" of a key; ServiceError("quota") where it has not that much now."""
    if what == "requests":
        per_second, most, said = key.requests_per_second, 2 * (key.requests_per_second or 0), "requests a second"
    else:
        a_minute = key.steps_per_minute if what == "steps" else key.scores_per_minute
        per_second, most, said = (None if a_minute is None else a_minute / 60), a_minute or 0, f"{what} a minute"
    if per_second is None:
        return
    wait = quotas.spend(key.name, what, amount, per_second, max(most, 1.0))
    if wait > 0:
        allowed = per_second if what == "requests" else per_second * 60
        raise ServiceError("quota", f"this key may make {allowed:g} {said}: wait {wait:.2f} seconds", retry_after=wait)
