"""The catalogue: which environments are installed, and the specification, tools and certificate of each."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock
from typing import Any

import rlgym
from rlgym.serve.protocol.encoding import JsonText, encode
from rlgym.serve.settings import Settings

CACHED_ENVIRONMENTS = 1024


class Catalogue:
    """The environments of this installation. Methods may import many modules: call them in threads until `is_built`."""

    def __init__(self, settings: Settings) -> None:
        self._certificates_file, self._cache_file = settings.certificates_file, settings.catalogue_cache
        self._entries_lock, self._certificates_lock = Lock(), Lock()
        self._entries: list[dict[str, Any]] | None = None
        self._certificates: dict[str, dict[str, Any]] | None = None
        self.spec_json = lru_cache(maxsize=CACHED_ENVIRONMENTS)(self._spec_json)
        self.tools_json = lru_cache(maxsize=CACHED_ENVIRONMENTS)(_tools_json)

    @property
    def is_built(self) -> bool:
        """Whether the list of environments is in memory, so that a search needs no thread."""
        return self._entries is not None

    def entries(self) -> list[dict[str, Any]]:
        """An entry for each environment, sorted by name."""
        with self._entries_lock:
            if self._entries is None:
                self._entries = self._read_cache() or self._build_once()
            return self._entries

    def search(self, query: str = "", domain: str = "", kind: str = "") -> JsonText:
        """The entries of a domain and kind whose name, domain or title contains every word of the query."""
        words = query.lower().split()
        matches = [
            entry
            for entry in self.entries()
            if (not domain or entry["domain"] == domain)
            and (not kind or entry["kind"] == kind)
            and all(word in f"{entry['name']} {entry['domain']} {entry['title']}".lower() for word in words)
        ]
        return encode({"environments": matches})

    def certificate(self, name: str, version: int) -> dict[str, Any] | None:
        """The certificate of this version of an environment, or None if there is none."""
        with self._certificates_lock:
            if self._certificates is None:
                self._certificates = _read_certificates(self._certificates_file)
        certificate = self._certificates.get(name)
        return certificate if certificate and certificate["version"] == version else None

    def _build_once(self) -> list[dict[str, Any]]:
        """Build the entries in one process only, even if several workers need them at once."""
        with suppress(OSError), open(f"{self._cache_file}.lock" if self._cache_file else os.devnull, "w") as lock:
            if self._cache_file:
                fcntl.flock(lock, fcntl.LOCK_EX)
            return self._read_cache() or self._build()
        return self._build()

    def _read_cache(self) -> list[dict[str, Any]] | None:
        """The cached entries, if they were built from the current sources."""
        try:
            cached = json.loads(Path(self._cache_file or "").read_text(encoding="utf-8")) if self._cache_file else {}
        except (OSError, ValueError):
            return None
        return cached["environments"] if isinstance(cached, dict) and cached.get("sources") == _sources_hash() else None

    def _build(self) -> list[dict[str, Any]]:
        entries = [catalogue_entry(rlgym.spec(name)) for name in rlgym.names()]
        if self._cache_file:
            # Several workers may write at once: each writes its own file and renames it, which is atomic.
            with suppress(OSError), NamedTemporaryFile("w", dir=Path(self._cache_file).parent, delete=False, encoding="utf-8") as file:
                file.write(encode({"sources": _sources_hash(), "environments": entries}))
                file.flush()
                os.replace(file.name, self._cache_file)
        return entries

    def _spec_json(self, name: str) -> JsonText:
        """The full specification of an environment."""
        spec = rlgym.spec(name)
        return encode(spec | catalogue_entry(spec) | {"certificate": self.certificate(name, spec["version"])})


def catalogue_entry(spec: dict[str, Any]) -> dict[str, Any]:
    """The catalogue entry of an environment."""
    return {
        "name": spec["name"],
        "id": spec["id"],
        "domain": spec["domain"],
        "kind": spec["kind"],
        "title": spec["doc"].partition("\n")[0],
        "answer_format": spec["answer"]["format"],
        "derived": spec["derived"],
        "has_shift": f"{spec['name']}:shift" in spec["derived"],
        "has_picture": spec["pictures"],
    }


def _sources_hash() -> str:
    """A hash that changes with any file of the library, and with any plug-in that is installed or removed."""
    root = Path(rlgym.__file__).parent
    stats = sorted((str(file), stat.st_mtime_ns, stat.st_size) for file in root.glob("**/*.py") for stat in [file.stat()])
    stats += sorted((str(file), stat.st_mtime_ns, stat.st_size) for file in (root / "envs").glob("*/*.py") for stat in [file.stat()])
    return hashlib.sha256(encode([rlgym.__version__, rlgym.names(), stats]).encode()).hexdigest()


def _tools_json(name: str) -> JsonText:
    """The encoded JSON schemas of an environment's tools."""
    declared = rlgym.environment(name)
    schemas = None if declared.kind == "environment" else getattr(declared.answer, "schemas", None)
    return encode(list(schemas()) if schemas else [])


def _read_certificates(file: str | None) -> dict[str, dict[str, Any]]:
    """Certificates by environment name."""
    source = Path(file) if file else files("rlgym.serve") / "certificates.json"
    if file is None and not source.is_file():
        return {}
    try:
        certificates = json.loads(source.read_text(encoding="utf-8"))["certificates"]
        return {
            certificate["name"]: {
                "version": certificate["version"],
                "passed": certificate["passed"],
                "laws": {law: {"passed": result["passed"], "measured": result["measured"]} for law, result in certificate["laws"].items()},
            }
            for certificate in certificates
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise rlgym.RlgymError(f"cannot read the certificates in {str(source)!r}: {type(error).__name__}: {error}") from None
