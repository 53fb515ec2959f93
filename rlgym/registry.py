"""Finds environments: the file envs/<domain>/<name>.py is the environment <name>. Imports one only when it is asked for."""

from __future__ import annotations

import ast
import importlib
import os
import re
import sys
import warnings
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

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
    """The declaration called `name`; UnknownName, with the nearest name, where there is none."""
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


def spec(name: str) -> dict[str, Any]:
    """What there is to know about an environment, as JSON-able data."""
    declared, where = environment(name), place(name)
    one = declared if isinstance(declared, Environment) else None
    return {
        "id": f"rlgym/{name}-v{declared.version}",
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
        "sandbox": {field: getattr(one.sandbox, field) for field in one.sandbox.__slots__} if one and one.sandbox else None,
    }


def place(name: str) -> Place:
    """Where the environment called `name` lives."""
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
    for node in ast.walk(ast.parse(text)):
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
