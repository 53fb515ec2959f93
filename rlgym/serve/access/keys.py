"""API keys: a file of them, and looking one up without leaking timing."""

from __future__ import annotations

import hashlib
import hmac
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rlgym import RlgymError
from rlgym.serve.protocol.errors import ServiceError, describe_problems


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The permissions and quotas of one client; None means no limit.

    name                 identifies the client in logs, and owns its sessions
    reveal_answers       whether it may see answers: oracle, mistakes, hints
    max_sessions         open sessions at once
    steps_per_minute, scores_per_minute, requests_per_second   sustained rates; bursts may use one minute's or two seconds' worth at once
    """

    name: str
    reveal_answers: bool = False
    max_sessions: int | None = None
    steps_per_minute: float | None = None
    scores_per_minute: float | None = None
    requests_per_second: float | None = None


ANONYMOUS = ApiKey("anonymous", reveal_answers=True)
"""The client of a service without a key file."""


class KeyFileError(RlgymError, ValueError):
    """The key file is unusable."""


class _KeyEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(min_length=1, max_length=100)
    key: str | None = Field(None, min_length=8)
    sha256: str | None = Field(None, pattern="^[0-9a-f]{64}$")
    reveal_answers: bool = False
    max_sessions: int | None = Field(None, ge=0)
    steps_per_minute: float | None = Field(None, gt=0)
    scores_per_minute: float | None = Field(None, gt=0)
    requests_per_second: float | None = Field(None, gt=0)

    @model_validator(mode="after")
    def _check_one_secret(self) -> _KeyEntry:
        if (self.key is None) == (self.sha256 is None):
            raise ValueError("give either key or sha256")
        return self


class _KeyFile(BaseModel):
    model_config = ConfigDict(extra="forbid")
    keys: list[_KeyEntry] = Field(min_length=1)


class KeyStore:
    """The keys of a service, stored by hash only."""

    def __init__(self, by_digest: dict[bytes, ApiKey]) -> None:
        self._by_digest = by_digest

    @classmethod
    def load(cls, file: str | None) -> KeyStore | None:
        """Load a TOML or JSON file: a list `keys` of tables with a name, `key` or `sha256`, permissions and quotas."""
        if file is None:
            return None
        file_format = "JSON" if file.endswith(".json") else "TOML"
        try:
            text = Path(file).read_text(encoding="utf-8")
            parsed: Any = json.loads(text) if file_format == "JSON" else tomllib.loads(text)
            entries = _KeyFile.model_validate(parsed).keys
        except OSError as error:
            raise KeyFileError(f"cannot read the key file {file!r}: {error.strerror}") from None
        except ValidationError as error:
            problems = describe_problems(error.errors(include_url=False, include_input=False, include_context=False))
            raise KeyFileError(f"the key file {file!r} is invalid: {problems}") from None
        except ValueError as error:
            raise KeyFileError(f"the key file {file!r} is not {file_format}: {error}") from None
        by_digest: dict[bytes, ApiKey] = {}
        for entry in entries:
            digest = hashlib.sha256(entry.key.encode()).digest() if entry.key else bytes.fromhex(entry.sha256 or "")
            if digest in by_digest or entry.name in {key.name for key in by_digest.values()}:
                raise KeyFileError(f"the key file {file!r} lists {entry.name!r} or its key twice")
            by_digest[digest] = ApiKey(**entry.model_dump(exclude={"key", "sha256"}))
        return cls(by_digest)

    def find(self, secret: str) -> ApiKey:
        """Look up a key in constant time; ServiceError if it is unknown."""
        digest, match = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest(), None
        for known, key in self._by_digest.items():
            if hmac.compare_digest(known, digest):
                match = key
        if match is None:
            raise ServiceError("unauthorized", "this service does not know this key")
        return match

    def from_header(self, header: str | None) -> ApiKey:
        """The key of an Authorization header."""
        scheme, _, secret = (header or "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise ServiceError("unauthorized", "send a key in the header `Authorization: Bearer KEY`")
        return self.find(secret.strip())
