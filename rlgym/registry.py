"""Finds environments: the file envs/<domain>/<name>.py is the environment <name>. A file is imported when its environment is first used."""

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

from rlgym.core import syntax
from rlgym.core.declare import Declaration, Environment, Game, Match
from rlgym.core.errors import DeclarationError, RlgymError, UnknownName, suggestion
from rlgym.derived.table import DERIVED, JUDGE_KINDS, LANGUAGES

PLUGINS = "rlgym.envs"
"""The entry-point group of outside packages. Each entry names a package that is laid out like `rlgym.envs` (folders are
domains), or like one domain (files only; the entry's name is the domain)."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where the file of an environment is."""

    name: str
    domain: str
    module: str
    file: str


def names(domain: str | None = None) -> list[str]:
    """The names of all environments, or of one domain's, sorted."""
    if domain is None:
        return sorted(locations())
    if domain not in domains():
        raise UnknownName(f"there is no domain {domain!r}.{suggestion(domain, domains())} The domains are {', '.join(domains())}")
    return sorted(name for name, location in locations().items() if location.domain == domain)


def domains() -> list[str]:
    """The domains that hold at least one environment, sorted."""
    return sorted({location.domain for location in locations().values()})


@cache
def environment(name: str) -> Declaration:
    """The declaration called `name`. UnknownName suggests the nearest name.

    NAME:shift is the same environment with its structurally different family of tasks; NAME:first_error, NAME:choose and NAME:grade are
    made from its tasks, its explanations and its verifier; NAME:prove_or_refute holds statements about its matter.
    """
    base, derived, kind = name.partition(":")
    if derived:
        return _make_derived(base, kind)
    module = locate(name).module
    try:
        declared = getattr(importlib.import_module(module), "environment", None)
    except RlgymError:
        raise
    except Exception as error:
        # An environment of a plug-in may fail in any way at all.
        raise DeclarationError(f"{module} cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(declared, Environment | Game | Match):
        raise DeclarationError(f"{module}.environment must be an Environment, a Game or a Match, got {type(declared).__name__}")
    return declared


def _make_derived(base: str, kind: str) -> Declaration:
    declared = environment(base)
    judged, mark, language = kind.partition(":")
    if mark:
        return _make_judge_in_language(base, declared, judged, language)
    if kind not in DERIVED:
        raise UnknownName(f"{base} derives no {kind!r}.{suggestion(kind, DERIVED)} There are {', '.join(DERIVED)}")
    derived = DERIVED[kind](declared)
    if derived is None:
        raise UnknownName(f"{base} derives no {kind!r}: it lacks the declarations that this needs")
    return derived


def _make_judge_in_language(base: str, declared: Declaration, kind: str, language: str) -> Declaration:
    if kind not in JUDGE_KINDS:
        raise UnknownName(f"{base}:{kind} has no other languages.{suggestion(kind, JUDGE_KINDS)} {', '.join(JUDGE_KINDS)} have")
    if language not in LANGUAGES:
        raise UnknownName(f"{base}:{kind} is not written in {language!r}; the languages are {', '.join(LANGUAGES)}")
    made: Declaration | None = importlib.import_module("rlgym.derived.judge_languages").judge_in_language(declared, kind, language)
    if made is None:
        raise UnknownName(f"{base} derives no {kind!r}: it lacks the declarations that this needs")
    return made


def derived(name: str) -> list[str]:
    """The names of the environments derived from this one, such as NAME:shift."""
    return _derived(name, tuple(DERIVED))


def derives(name: str, kind: str) -> bool:
    """Whether an environment derives a kind, such as `shift` or `pairwise:de`."""
    try:
        environment(f"{name}:{kind}")
    except UnknownName:
        return False
    return True


def own_families(name: str) -> list[str]:
    """The derived names whose tasks come from the environment's own file: NAME:shift and NAME:prove_or_refute."""
    return _derived(name, ("shift", "prove_or_refute"))


def _derived(name: str, kinds: tuple[str, ...]) -> list[str]:
    declared = environment(name)
    return [f"{name}:{kind}" for kind in kinds if DERIVED[kind](declared) is not None]


def split_name(name: str, split: str) -> str:
    """The name of a split of an environment: "main" is the environment itself, "shift" its shifted family."""
    if split not in SPLITS:
        raise UnknownName(f"there is no split {split!r}.{suggestion(str(split), SPLITS)} The splits are {', '.join(SPLITS)}")
    return name if split == "main" else f"{name}:{split}"


SPLITS = ("main", "shift")


def spec(name: str) -> dict[str, Any]:
    """Facts about an environment, as JSON-able data."""
    declared, location = environment(name), locate(name)
    own = declared if isinstance(declared, Environment) else None
    return {
        "id": f"rlgym/{location.name}-v{declared.version}",
        "name": name,
        "domain": location.domain,
        "version": declared.version,
        "doc": (sys.modules[location.module].__doc__ or "").strip(),
        "kind": declared.kind,
        "knobs": declared.config.knobs(),
        "answer": {"format": declared.answer.format, "instructions": declared.answer.instructions},
        "answers": own.answers if own else None,
        "planted": declared.planted,
        "partial": declared.partial,
        "guessable": declared.guessable,
        "explains": declared.explain is not None,
        "replays": own is not None and own.replay is not None,
        "pictures": declared.picture is not None,
        "derived": derived(name) if ":" not in name else [],
        "sandbox": {field: getattr(own.sandbox, field) for field in own.sandbox.__slots__} if own and own.sandbox else None,
    }


def locate(name: str) -> Location:
    """Where the file of the environment `name` is; for NAME:shift, the file of NAME."""
    name = name.partition(":")[0]
    if name not in locations():
        hint = suggestion(name, locations()) or " rlgym.names() lists them all."
        raise UnknownName(f"no environment is called {name!r}.{hint}")
    return locations()[name]


@cache
def version(name: str) -> int:
    """The version of an environment, read from its source without importing it."""
    with open(locate(name).file, encoding="utf-8") as file:
        text = file.read()
    if "version=" not in text:
        return 1
    for node in ast.walk(syntax.program(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Environment", "Game", "Match"):
            for keyword in node.keywords:
                if keyword.arg == "version" and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, int):
                    return keyword.value.value
    return 1


@cache
def locations() -> dict[str, Location]:
    """Every environment by name. Plug-ins come last and cannot replace an existing name."""
    by_name: dict[str, Location] = {}
    for location in _inside("rlgym.envs", None):
        if location.name in by_name:
            raise DeclarationError(f"two files are called {location.name}.py: {by_name[location.name].file} and {location.file}")
        by_name[location.name] = location
    for entry, package in _plugins():
        try:
            offered = _inside(package, entry)
        except Exception as error:  # a broken plug-in must not take the others away, but is never silent
            warnings.warn(f"the plug-in {entry!r} ({package}) could not be read: {error!r}", RuntimeWarning, stacklevel=2)
            continue
        for location in offered:
            if location.name in by_name:
                message = (
                    f"the plug-in {entry!r} offers {location.name!r}, a name already taken by {by_name[location.name].file}; it is left out"
                )
                warnings.warn(message, RuntimeWarning, stacklevel=2)
            else:
                by_name[location.name] = location
    return by_name


def _inside(package: str, domain: str | None) -> list[Location]:
    """The environments of a package: its own files, if `domain` names their domain, and those of its folders."""
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise DeclarationError(f"{package} is not a package")
    out = []
    for root in spec.submodule_search_locations:
        for entry in sorted(os.scandir(root), key=lambda entry: entry.name):
            if domain and entry.name.endswith(".py") and not entry.name.startswith("_"):
                out.append(Location(entry.name[:-3], domain, f"{package}.{entry.name[:-3]}", entry.path))
            elif entry.is_dir() and entry.name.isidentifier() and not entry.name.startswith("_"):
                out += [
                    Location(file[:-3], entry.name, f"{package}.{entry.name}.{file[:-3]}", os.path.join(entry.path, file))
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
