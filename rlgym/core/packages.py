"""Imports of optional packages, with an error that says what to install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rlgym.core.errors import PackageMissing


@contextmanager
def extra(name: str, *, source: str = "") -> Iterator[None]:
    """Turn a failed import inside the block into PackageMissing, which names the missing package and the extra that installs it.

    name    the extra, as in `pip install 'rlvrgym[NAME]'`
    source  for a package that is on no index: where it comes from, instead of the extra
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package == "rlgym":
            raise
        remedy = f"install {source}" if source else f"install it with `pip install 'rlvrgym[{name}]'`"
        raise PackageMissing(f"this needs the package {package!r}, which is not installed: {remedy}") from error
