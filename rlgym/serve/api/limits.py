"""Limits of single requests."""

from __future__ import annotations

from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.settings import Settings


def check_batch_size(settings: Settings, count: int, items: str) -> None:
    """ServiceError if a request asks for too many items; `items` names them."""
    if count > settings.max_batch_items:
        raise ServiceError("too_large", f"a request may hold at most {settings.max_batch_items} {items}, got {count}")
