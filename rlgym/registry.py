"""Finds environments: the file envs/<domain>/<name>.py is the environment <name>. Imports one only when it is asked for."""

from __future__ import annotations

import ast
import importlib
import os
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import Any

from rlgym.core import syntax
from rlgym.core.declare import Declaration, Environment, Game, Match
from rlgym.core.errors import DeclarationError, RlgymError, UnknownName, suggestion

PLUGINS = "rlgym.envs"
"""The entry-point group of outside packages. Each entry names a package that is laid out like `rlgym.envs` (folders are
domains), or like one domain (files only; the entry's name is the domain)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an environment lives."""

    name: str
    domain: str
    module: str
    file: str


def names(domain: str | None = None) -> list[str]:
    """The names of all environments, or of one domain's, sorted."""
    if domain is None:
        return sorted(places())
    if domain not in domains():
        raise UnknownName(f"there is no domain {domain!r};{suggestion(domain, domains())} the domains are {', '.join(domains())}")
    return sorted(name for name, place in places().items() if place.domain == domain)


def domains() -> list[str]:
    """The domains that hold at least one environment, sorted."""
    return sorted({place.domain for place in places().values()})


@cache
def environment(name: str) -> Declaration:
    """The declaration called `name`; UnknownName, with the nearest name, where there is none.

    NAME:shift is the same environment with its structurally different family of tasks; NAME:first_error, NAME:choose and NAME:grade are
    made from its tasks, its explanations and its verifier; NAME:prove_or_refute holds statements about its matter.
    """
    base, derived, kind = name.partition(":")
    if derived:
        return _derived(base, kind)
    module = place(name).module
    try:
        found = getattr(importlib.import_module(module), "environment", None)
    except RlgymError:
        raise
    except Exception as error:
        # An environment of a plug-in may fail in any way at all.
        raise DeclarationError(f"{module} cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(found, Environment | Game | Match):
        raise DeclarationError(f"{module}.environment must be an Environment, a Game or a Match, got {type(found).__name__}")
    return found


def _derived(base: str, kind: str) -> Declaration:
    declared = environment(base)
    if kind not in DERIVED:
        raise UnknownName(f"{base} derives no {kind!r};{suggestion(kind, DERIVED)} there are {', '.join(DERIVED)}")
    made = DERIVED[kind](declared)
    if made is None:
        raise UnknownName(f"{base} derives no {kind!r}: it declares nothing to make it from")
    return made


def _shifted(declared: Declaration) -> Declaration | None:
    """The declaration with its other family of tasks in the place of the usual one."""
    if isinstance(declared, Match) or declared.shift is None:
        return None
    if isinstance(declared, Environment):
        return replace(declared, generate=declared.shift, shift=None)
    return replace(declared, start=declared.shift, shift=None)


def _statement(declared: Declaration) -> Declaration | None:
    return declared.statement if isinstance(declared, Environment) else None


def _maker(module: str, kind: str) -> Callable[[Declaration], Declaration | None]:
    """A function of rlgym.derived, imported when it is first called."""

    def make(declared: Declaration) -> Declaration | None:
        made: Declaration | None = getattr(importlib.import_module(f"rlgym.derived.{module}"), kind)(declared)
        return made

    return make


def _language(code: str) -> Callable[[Declaration], Declaration | None]:
    def make(declared: Declaration) -> Declaration | None:
        made: Declaration | None = importlib.import_module("rlgym.derived.told").in_language(code)(declared)
        return made

    return make


DERIVED: dict[str, Callable[[Declaration], Declaration | None]] = {
    "shift": _shifted,
    "first_error": _maker("first_error", "first_error"),
    "choose": _maker("choose", "choose"),
    "grade": _maker("choose", "grade"),
    "prove_or_refute": _statement,
    "try_again": _maker("tries", "try_again"),
    "budgeted": _maker("tries", "budgeted"),
    "with_confidence": _maker("told", "with_confidence"),
    "n_guesses": _maker("told", "n_guesses"),
    "paraphrased": _maker("told", "paraphrased"),
    **{code: _language(code) for code in ("de", "fr", "es", "zh", "ja", "hi", "ar")},
}
"""What an environment may derive from itself, by the part of the name after the colon."""


def derived(name: str) -> list[str]:
    """The names of what an environment derives from itself, such as NAME:shift."""
    declared = environment(name)
    return [f"{name}:{kind}" for kind, make in DERIVED.items() if make(declared) is not None]


def declared_with(name: str) -> list[str]:
    """Of the derived names those whose tasks the environment's own file makes: NAME:shift and NAME:prove_or_refute."""
    return [other for other in derived(name) if other.partition(":")[2] in ("shift", "prove_or_refute")]


def of_split(name: str, split: str) -> str:
    """The name under which a split of an environment is played: "main" is the environment itself, "shift" its other family."""
    if split not in SPLITS:
        raise UnknownName(f"there is no split {split!r}.{suggestion(str(split), SPLITS)} The splits are {', '.join(SPLITS)}")
    return name if split == "main" else f"{name}:{split}"


SPLITS = ("main", "shift")


def spec(name: str) -> dict[str, Any]:
    """What there is to know about an environment, as JSON-able data."""
    declared, where = environment(name), place(name)
    one = declared if isinstance(declared, Environment) else None
    return {
        "id": f"rlgym/{where.name}-v{declared.version}",
        "name": name,
        "domain": where.domain,
        "version": declared.version,
        "doc": (sys.modules[where.module].__doc__ or "").strip(),
        "kind": declared.kind,
        "knobs": declared.config.knobs(),
        "answer": {"format": declared.answer.format, "asks": declared.answer.asks},
        "answers": one.answers if one else None,
        "planted": declared.planted,
        "partial": declared.partial,
        "guessable": declared.guessable,
        "explains": declared.explain is not None,
        "replays": one is not None and one.replay is not None,
        "pictures": declared.picture is not None,
        "derived": derived(name) if ":" not in name else [],
        "sandbox": {field: getattr(one.sandbox, field) for field in one.sandbox.__slots__} if one and one.sandbox else None,
    }


def place(name: str) -> Place:
    """Where the environment called `name` lives; of NAME:shift, where NAME does."""
    name = name.partition(":")[0]
    if name not in places():
        hint = suggestion(name, places()) or " rlgym.names() lists them all."
        raise UnknownName(f"no environment is called {name!r}.{hint}")
    return places()[name]


def version(name: str) -> int:
    """The version of an environment, read from its source without importing it."""
    with open(place(name).file, encoding="utf-8") as file:
        text = file.read()
    if "version=" not in text:
        return 1
    for node in ast.walk(syntax.program(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Environment", "Game", "Match"):
            for given in node.keywords:
                if given.arg == "version" and isinstance(given.value, ast.Constant) and isinstance(given.value.value, int):
                    return given.value.value
    return 1


@cache
def places() -> dict[str, Place]:
    """Every environment by name. Plug-ins come last, and cannot take a name that is taken."""
    found: dict[str, Place] = {}
    for where in _inside("rlgym.envs", None):
        if where.name in found:
            raise DeclarationError(f"two files are called {where.name}.py: {found[where.name].file} and {where.file}")
        found[where.name] = where
    for entry, package in _plugins():
        try:
            offered = _inside(package, entry)
        except Exception as error:  # a broken plug-in must not take the others away, but is never silent
            warnings.warn(f"the plug-in {entry!r} ({package}) could not be read: {error!r}", RuntimeWarning, stacklevel=2)
            continue
        for where in offered:
            if where.name in found:
                said = f"the plug-in {entry!r} offers {where.name!r}, a name already taken by {found[where.name].file}; it is left out"
                warnings.warn(said, RuntimeWarning, stacklevel=2)
            else:
                found[where.name] = where
    return found


def _inside(package: str, domain: str | None) -> list[Place]:
    """The environments of a package: its own files, if `domain` says what they are, and those of its folders."""
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise DeclarationError(f"{package} is not a package")
    out = []
    for root in spec.submodule_search_locations:
        for entry in sorted(os.scandir(root), key=lambda entry: entry.name):
            if domain and entry.name.endswith(".py") and not entry.name.startswith("_"):
                out.append(Place(entry.name[:-3], domain, f"{package}.{entry.name[:-3]}", entry.path))
            elif entry.is_dir() and entry.name.isidentifier() and not entry.name.startswith("_"):
                out += [
                    Place(file[:-3], entry.name, f"{package}.{entry.name}.{file[:-3]}", os.path.join(entry.path, file))
                    for file in sorted(os.listdir(entry.path))
                    if file.endswith(".py") and not file.startswith("_")
                ]
    return out


def _plugins() -> list[tuple[str, str]]:
    """(entry name, package) of every installed plug-in; importlib.metadata is loaded only if some package has one."""
    mark = re.compile(rf"^\[{re.escape(PLUGINS)}\]", re.MULTILINE)
    for folder in dict.fromkeys(sys.path):
        try:
            inside = os.listdir(folder or ".")
        except OSError:
            continue
        for entry in inside:
            if not entry.endswith((".dist-info", ".egg-info")):
                continue
            try:
                with open(os.path.join(folder, entry, "entry_points.txt"), encoding="utf-8") as file:
                    if mark.search(file.read()):
                        return _entry_points()
            except OSError:
                continue
    return []


def _entry_points() -> list[tuple[str, str]]:
    from importlib.metadata import entry_points

    return sorted({(entry.name, entry.value) for entry in entry_points(group=PLUGINS)})
