"""What environments there are, and what is known of each."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock
from typing import Any

import rlgym
from rlgym.serve.reply import encode
from rlgym.serve.settings import Settings


class Catalogue:
    """The environments of this installation. Methods may import many files: call them in threads, until `ready`."""

    def __init__(self, settings: Settings) -> None:
        self._file, self._kept = settings.certificates, settings.catalogue
        self._lock, self._reading = Lock(), Lock()
        self._entries: list[dict[str, Any]] | None = None
        self._certificates: dict[str, dict[str, Any]] | None = None
        self.details = lru_cache(maxsize=1024)(self._details)
        self.tools = lru_cache(maxsize=1024)(_tools)

    @property
    def ready(self) -> bool:
        """Whether the list is made, so that it may be asked for without a thread."""
        return self._entries is not None

    def entries(self) -> list[dict[str, Any]]:
        """Every environment in a line, by name."""
        with self._lock:
            if self._entries is None:
                self._entries = self._read_entries() or self._in_turn()
            return self._entries

    def _in_turn(self) -> list[dict[str, Any]]:
        """The list, made by one worker only where several are asked for it at once."""
        with suppress(OSError), open(f"{self._kept}.lock" if self._kept else os.devnull, "w") as turn:
            if self._kept:
                fcntl.flock(turn, fcntl.LOCK_EX)
            return self._read_entries() or self._make_entries()
        return self._make_entries()

    def _read_entries(self) -> list[dict[str, Any]] | None:
        """The list as it was kept, if it is of these very sources."""
        try:
            kept = json.loads(Path(self._kept or "").read_text(encoding="utf-8")) if self._kept else {}
        except (OSError, ValueError):
            return None
        return kept["environments"] if isinstance(kept, dict) and kept.get("sources") == _sources() else None

    def _make_entries(self) -> list[dict[str, Any]]:
        made = [_entry(name) for name in rlgym.names()]
        if self._kept:
            # Several workers may write at once: each its own file, which takes the place of the other in one move.
            with suppress(OSError), NamedTemporaryFile("w", dir=Path(self._kept).parent, delete=False, encoding="utf-8") as file:
                file.write(encode({"sources": _sources(), "environments": made}))
                file.flush()
                os.replace(file.name, self._kept)
        return made

    def listed(self, search: str = "", domain: str = "", kind: str = "") -> str:
        """Those of a domain and kind whose name or title holds every word of `search`, as JSON."""
        words = search.lower().split()
        found = [
            entry
            for entry in self.entries()
            if (not domain or entry["domain"] == domain)
            and (not kind or entry["kind"] == kind)
            and all(word in f"{entry['name']} {entry['domain']} {entry['title']}".lower() for word in words)
        ]
        return encode({"environments": found})

    def _details(self, name: str) -> str:
        """All about one environment, as JSON."""
        spec = rlgym.spec(name)
        shift = f"{name}:shift" in spec["derived"]
        facts = {"title": _title(spec), "picture": spec["pictures"], "shift": shift, "certificate": self.certificate(name, spec["version"])}
        return encode(spec | facts)

    def certificate(self, name: str, version: int) -> dict[str, Any] | None:
        """What the laws found of this version of an environment; None where it was not examined."""
        with self._reading:
            if self._certificates is None:
                self._certificates = _read(self._file)
        found = self._certificates.get(name)
        return found if found and found["version"] == version else None


def _sources() -> str:
    """A mark that changes with any file of the library, and with any plug-in that comes or goes."""
    root = Path(rlgym.__file__).parent
    files = sorted((str(file), stat.st_mtime_ns, stat.st_size) for file in root.glob("**/*.py") for stat in [file.stat()])
    files += sorted((str(file), stat.st_mtime_ns, stat.st_size) for file in (root / "envs").glob("*/*.py") for stat in [file.stat()])
    return hashlib.sha256(encode([rlgym.__version__, rlgym.names(), files]).encode()).hexdigest()


def _entry(name: str) -> dict[str, Any]:
    spec = rlgym.spec(name)
    return {
        "name": name,
        "id": spec["id"],
        "domain": spec["domain"],
        "kind": spec["kind"],
        "title": _title(spec),
        "format": spec["answer"]["format"],
        "derived": spec["derived"],
        "shift": f"{name}:shift" in spec["derived"],
        "picture": spec["pictures"],
    }


def _title(spec: dict[str, Any]) -> str:
    title: str = spec["doc"].partition("\n")[0]
    return title


def _tools(name: str) -> str:
    """The schemas of an environment's tools, as JSON."""
    declared = rlgym.environment(name)
    schemas = None if declared.kind == "environment" else getattr(declared.answer, "schemas", None)
    return encode(list(schemas()) if schemas else [])


def _read(file: str | None) -> dict[str, dict[str, Any]]:
    """Certificates by name."""
    found = Path(file) if file else Path(__file__).parent / "certificates.json"
    if file is None and not found.is_file():
        return {}
    try:
        given = json.loads(found.read_text(encoding="utf-8"))["certificates"]
        return {
            one["name"]: {
                "version": one["version"],
                "passed": one["passed"],
                "laws": {law: {"passed": told["passed"], "measured": told["measured"]} for law, told in one["laws"].items()},
            }
            for one in given
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise rlgym.RlgymError(f"the file of certificates {str(found)!r} cannot be read: {type(error).__name__}: {error}") from None
