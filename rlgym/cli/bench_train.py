"""`rlgym bench train`: compares a training step with one of TRL's GRPOTrainer."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

from rich.table import Table

from rlgym.cli.output import console, knobs, print_json
from rlgym.core.errors import KnobError, PackageMissing, RlgymError, suggestion


def show_training(sizes: list[str] | None, as_json: bool) -> None:
    """Run both in turns and print seconds by phase, tokens per second, and the ratio."""
    if find_spec("torch") is None:
        raise PackageMissing("training needs torch: pip install 'rlvrgym[train,trl]'")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from transformers.utils import logging

    from rlgym.train.bench.compare import compare

    logging.disable_progress_bar()
    with console.status("measuring", spinner="line") as status:
        report = compare(make_workload(sizes), lambda done, of: status.update(f"step {done} of {of}"))
    print_json(report) if as_json else _show(report)


def make_workload(sizes: list[str] | None) -> Any:
    """The workload, with sizes given as NAME=VALUE."""
    from dataclasses import fields

    from rlgym.train.bench.workload import Workload

    values = knobs(sizes)
    known = {field.name: type(field.default) for field in fields(Workload)}
    for name, value in values.items():
        if name not in known:
            raise KnobError(f"unknown size {name!r}.{suggestion(name, known)} Use one of {', '.join(known)}")
        type_ = known[name]
        if not isinstance(value, int | float if type_ is float else type_):
            raise RlgymError(f"{name} must be of type {type_.__name__}, got {value!r}")
    return Workload(**values)


def _show(report: dict[str, Any]) -> None:
    rlgym, trl = report["rlgym"], report["trl"]
    table = Table("seconds per step", box=None)
    for column in ("rlgym", f"TRL {report['trl_version']}", "ratio"):
        table.add_column(column, justify="right")
    for part in rlgym["parts"]:
        ours, theirs = rlgym["parts"][part], trl["parts"].get(part, float("nan"))
        table.add_row(part, f"{ours:.3f}", f"{theirs:.3f}", f"{theirs / ours:.2f}" if ours > 0 else "-")
    table.add_row("whole step", f"{rlgym['seconds']:.3f}", f"{trl['seconds']:.3f}", f"{report['ratio']:.2f}")
    table.add_row("tokens sampled", f"{rlgym['sampled'][0]:,}", f"{trl['sampled'][0]:,}", "")
    table.add_row("tokens trained", f"{rlgym['trained'][0]:,}", f"{trl['trained'][0]:,}", "")
    table.add_row("tokens/s, whole step", f"{rlgym['tokens_per_s']:,.0f}", f"{trl['tokens_per_s']:,.0f}", "")
    console.print(table)
    low, high = report["ratio_quartiles"]
    steps = len(rlgym["sampled"])
    console.print(
        f"rlgym is {report['ratio']:.2f} times as fast: the median of {steps} steps in turns (quartiles {low:.2f} to {high:.2f}, "
        f"range {report['ratio_range'][0]:.2f} to {report['ratio_range'][1]:.2f}), {report['cpu_threads']} thread(s)"
    )
