"""Builds, checks and times the trainer on one device, in one call, and prints a short table.

    python benchmarks/gpu/run.py                        all parts, on the GPU
    python benchmarks/gpu/run.py --parts checks,rollout only these
    python benchmarks/gpu/run.py --small --device cpu   every part at toy size, to see that it works

Each part runs in a process of its own on a GPU, so that one that fails takes nothing with it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
for place_of_code in (HERE, HERE.parents[1]):
    sys.path.insert(0, str(place_of_code))
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

PARTS = ("checks", "rollout", "training", "step", "compared with TRL", "learning")
SECONDS = 570
"""The longest that a part may take in a process of its own."""


def part_function(part: str) -> Callable[..., list[Any]]:
    """The function that does a part. What it imports is imported only then."""
    if part == "checks":
        from checks import checks as work
    elif part == "rollout":
        from rollouts import rollouts as work
    elif part == "training":
        from training import training as work
    elif part == "step":
        from steps import step as work
    elif part == "compared with TRL":
        from steps import compare_with_trl as work
    else:
        from learning import learning as work
    return work


def one_part(part: str, given: dict[str, Any]) -> dict[str, Any]:
    """The rows of a part, or why there are none."""
    start = time.perf_counter()
    out: dict[str, Any] = {"part": part, "rows": []}
    try:
        from measure import Place, Skip

        try:
            out["rows"] = [asdict(row) for row in part_function(part)(Place(**given))]
        except Skip as reason:
            out["skipped"] = str(reason)
    except Exception as error:  # a part that fails is a line of the table
        out |= {"failed": f"{type(error).__name__}: {error}", "traceback": traceback.format_exc()}
    return out | {"seconds": round(time.perf_counter() - start, 2)}


def run_in_subprocess(part: str, given: dict[str, Any]) -> dict[str, Any]:
    """The same in a process of its own, which may crash or hang."""
    result = Path(given["folder"]) / f"{part.replace(' ', '_')}.json"
    command = [sys.executable, str(Path(__file__).resolve()), "--one", json.dumps([part, given, str(result)])]
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        message = f"the process ended with code {done.returncode}: {done.stderr[-1500:]}"
    except subprocess.TimeoutExpired:
        message = f"it took more than {SECONDS} s"
    if result.is_file():
        measured: dict[str, Any] = json.loads(result.read_text())
        return measured
    return {"part": part, "rows": [], "failed": message, "seconds": round(time.perf_counter() - start, 2)}


def table(results: list[dict[str, Any]]) -> str:
    """All rows as text."""
    lines = [("part", "what", "value", "unit", "against", "share", "goal")]
    for result in results:
        for row in result["rows"]:
            value = "-" if row["value"] is None else f"{row['value']:,.4g}" if abs(row["value"]) < 1000 else f"{row['value']:,.0f}"
            share = "" if row["share"] is None else f"{100 * row['share']:.1f} %"
            lines.append((row["part"], row["what"], value, row["unit"], row["against"], share, row["goal"]))
        problems = [f"{kind.upper()}: {' '.join(result[kind].split())[:160]}" for kind in ("skipped", "failed") if kind in result]
        lines += [(result["part"], problem, "", "", "", "", "") for problem in problems]
        lines.append((result["part"], "this part took", f"{result['seconds']:,.1f}", "s", "", "", ""))
    widths = [max(len(line[column]) for line in lines if column != 1 or line[2]) for column in range(7)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def machine(device: str) -> dict[str, Any]:
    """What it ran on."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    import torch

    out: dict[str, Any] = {"device": torch.cuda.get_device_name() if device == "cuda" else platform.processor() or platform.machine()}
    for package in ("torch", "transformers", "triton", "vllm", "trl"):
        try:
            out[package] = version(package)
        except PackageNotFoundError:
            out[package] = None
    return out


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check and time the trainer on one device.")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--small", action="store_true", help="toy sizes: to see that it works, not how fast")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"some of: {','.join(PARTS)}")
    parser.add_argument("--minutes", type=float, help="of the learning run, at most 8")
    parser.add_argument("--out", default=os.environ.get("OUT", "bench-gpu"), help="the folder for results.json and table.txt")
    parser.add_argument("--apart", action="store_true", help="a process for each part also on a CPU")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    if options.one:
        part, given, result = json.loads(options.one)
        Path(result).write_text(json.dumps(one_part(part, given)))
        return 0
    parts = [part.strip() for part in options.parts.split(",")]
    if unknown := [part for part in parts if part not in PARTS]:
        print(f"there is no part {unknown[0]!r}: choose among {', '.join(PARTS)}", file=sys.stderr)
        return 2
    import torch

    if options.device == "cuda" and not torch.cuda.is_available():
        print("torch finds no GPU here: use --small --device cpu to try it out", file=sys.stderr)
        return 2
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    results: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="rlgym-gpu-") as folder:
        minutes = min(8.0, options.minutes if options.minutes is not None else 0.05 if options.small else 8.0)
        given = {"device": options.device, "small": options.small, "minutes": minutes, "folder": folder}
        for part in parts:
            results.append((run_in_subprocess if options.device == "cuda" or options.apart else one_part)(part, given))
            # Written after every part, so that what ends the run early costs only what was not yet done.
            (out / "results.json").write_text(
                json.dumps({"machine": machine(options.device), "small": options.small, "parts": results}, indent=1)
            )
            (out / "table.txt").write_text(table(results) + "\n")
            print(f"{part}: {results[-1]['seconds']:.1f} s", file=sys.stderr, flush=True)
    print(table(results))
    return 1 if any("failed" in result for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
