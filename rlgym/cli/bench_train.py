"""`rlgym bench train`: a step of the trainer beside a step of TRL's GRPOTrainer."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

from rich.table import Table

from rlgym.cli.output import console, knobs, print_json
from rlgym.core.errors import KnobError, PackageMissing, RlgymError, suggestion


def show_training(sizes: list[str] | None, as_json: bool) -> None:
    """Measure both in turns and print seconds by phase, tokens a second, and the ratio."""
    if find_spec("torch") is None:
        raise PackageMissing("training needs torch: pip install 'rlvrgym[train,trl]'")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from transformers.utils import logging

    from rlgym.train.bench.beside import compare

    logging.disable_progress_bar()
    with console.status("measuring", spinner="line") as status:
        report = compare(setting(sizes), lambda done, of: status.update(f"step {done} of {of}"))
    print_json(report) if as_json else _show(report)


def setting(sizes: list[str] | None) -> Any:
    """The comparison's setting, from sizes given as NAME=VALUE."""
    from dataclasses import fields

    from rlgym.train.bench.setting import Setting

    given = knobs(sizes)
    known = {field.name: type(field.default) for field in fields(Setting)}
    for name, value in given.items():
        if name not in known:
            raise KnobError(f"this benchmark has no size {name!r};{suggestion(name, known)} set one of {', '.join(known)}")
        wanted = known[name]
        if not isinstance(value, int | float if wanted is float else wanted):
            raise RlgymError(f"{name} must be of type {wanted.__name__}, got {value!r}")
    return Setting(**given)


def _show(report: dict[str, Any]) -> None:
    ours, theirs = report["ours"], report["theirs"]
    table = Table("seconds a step", box=None)
    for column in ("rlgym", f"TRL {report['trl']}", "ratio"):
        table.add_column(column, justify="right")
    for part in ours["parts"]:
        mine, others = ours["parts"][part], theirs["parts"].get(part, float("nan"))
        table.add_row(part, f"{mine:.3f}", f"{others:.3f}", f"{others / mine:.2f}" if mine > 0 else "-")
    table.add_row("whole step", f"{ours['seconds']:.3f}", f"{theirs['seconds']:.3f}", f"{report['ratio']:.2f}")
    table.add_row("tokens sampled", f"{ours['sampled'][0]:,}", f"{theirs['sampled'][0]:,}", "")
    table.add_row("tokens trained", f"{ours['trained'][0]:,}", f"{theirs['trained'][0]:,}", "")
    table.add_row("tokens/s, whole step", f"{ours['tokens_per_s']:,.0f}", f"{theirs['tokens_per_s']:,.0f}", "")
    console.print(table)
    low, high = report["ratio_quartiles"]
    steps = len(ours["sampled"])
    console.print(
        f"ours is {report['ratio']:.2f} times as fast: the median of {steps} steps in turns (quartiles {low:.2f} to {high:.2f}, "
        f"least and most {report['ratio_range'][0]:.2f} and {report['ratio_range'][1]:.2f}), {report['threads']} thread(s)"
    )
