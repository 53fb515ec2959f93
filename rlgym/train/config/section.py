"""What all sections of a training configuration share."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A part of the configuration: frozen, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())
