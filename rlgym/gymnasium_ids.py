"""Registers the environments with gymnasium: `gymnasium.make("rlgym/<name>-v<version>")`.

Importing rlgym before or after gymnasium is enough and imports nothing heavy: the ids are registered once both are loaded.
Versions of gymnasium that load plug-ins by entry point call `register_all` themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any


def register_all() -> None:
    """Register every environment with gymnasium; a second call does nothing."""
    from gymnasium.envs.registration import EnvSpec, registry

    from rlgym.registry import names, version

    for name in names():
        env_spec = EnvSpec(f"rlgym/{name}-v{version(name)}", entry_point="rlgym.episode.env:Env", kwargs={"name": name})
        registry.setdefault(env_spec.id, env_spec)


def when_gymnasium_is_imported() -> None:
    """Register now if gymnasium is loaded, else right after its import."""
    if "gymnasium" in sys.modules:
        register_all()
    else:
        sys.meta_path.insert(0, _GymnasiumFinder())


class _GymnasiumFinder(MetaPathFinder):
    """Finds gymnasium the ordinary way and runs `register_all` after its import."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _RegisteringLoader(spec.loader)
        return spec


class _RegisteringLoader(Loader):
    def __init__(self, loader: Any) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self.loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        register_all()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)
