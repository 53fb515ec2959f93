"""Audit: measures any outside verifier, judge or reward function.

`audit("package.module:function")` runs the function in child processes over thousands of cases whose truth is known by construction, and
returns an AuditReport. `rlgym audit` is the command.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlgym.audit.measures.cliff import policy_cliff as policy_cliff
    from rlgym.audit.measures.distance import reward_distance as reward_distance
    from rlgym.audit.options import AuditOptions as AuditOptions
    from rlgym.audit.report import AuditReport as AuditReport
    from rlgym.audit.run import audit as audit
    from rlgym.audit.scorers.process import ProcessOptions as ProcessOptions

_LAZY = {
    "AuditOptions": "options",
    "AuditReport": "report",
    "audit": "run",
    "ProcessOptions": "scorers.process",
    "policy_cliff": "measures.cliff",
    "reward_distance": "measures.distance",
}


def __getattr__(name: str) -> Any:
    # A child process that runs a scorer imports this package, and must start fast.
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f"rlgym.audit.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'rlgym.audit' has no attribute {name!r}")
