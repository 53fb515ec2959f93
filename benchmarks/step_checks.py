"""How well `find_steps` judges worked solutions as models write them: recall on planted slips, and false alarms on right solutions.

    python benchmarks/step_checks.py            # writes docs/train/step_checks.md
    python benchmarks/step_checks.py --names chain_sum long_division --show
    python benchmarks/step_checks.py --sample 40 --first-seed 1000 --show   # other environments and tasks than those of the page

Each worked solution is written in several layouts that models use. A planted slip is one changed number or word that the environment's own
checker finds wrong at that step. It counts as found if the first step that is judged wrong is the changed one.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.declare import Environment
from rlgym.core.errors import RlgymError
from rlgym.core.rng import Rng
from rlgym.core.task import Task
from rlgym.solutions import FoundStep, find_steps
from rlgym.solutions.corrupted_steps import corrupted

PAGE = Path(__file__).parents[1] / "docs" / "train" / "step_checks.md"
OPENINGS = ("Let me work through this.", "Okay, step by step:", "I will solve it carefully.")
CLOSINGS = ("That completes it.", "So I am done.")
MOST_CHARACTERS = 6_000
"""Longer worked solutions are left out of the sample."""


def _labelled(steps: Sequence[str]) -> str:
    return "\n".join(f"Step {number}: {step}" for number, step in enumerate(steps, 1))


def _bold(steps: Sequence[str]) -> str:
    return "\n\n".join(f"**Step {number}:** {step}" for number, step in enumerate(steps, 1))


def _numbered(steps: Sequence[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def _bullets(steps: Sequence[str]) -> str:
    return "\n".join(f"- **{step}**" for step in steps)


def _headings(steps: Sequence[str]) -> str:
    return "\n\n".join(f"### Step {number}\n{step}" for number, step in enumerate(steps, 1))


def _joined(steps: Sequence[str]) -> str:
    return " ".join(step if step.endswith((".", "!", "?")) else f"{step}." for step in steps)


def _connected(steps: Sequence[str]) -> str:
    words = ("First, ", "Then, ", "Next, ", "So ")
    return "\n".join(
        f"{words[min(place, 2) if place < len(steps) - 1 else 3]}{step[:1].lower()}{step[1:]}" for place, step in enumerate(steps)
    )


def _spaced(steps: Sequence[str]) -> str:
    return "\n\n".join(f"  {step.replace(' ', '  ')}  " for step in steps)


def _cased(steps: Sequence[str]) -> str:
    # The dot of a grid's last cell is no full stop, and the case of a name such as g1 is part of it.
    stopped = [step[:-1] if step.endswith(".") and step[-2:-1].isalnum() else step for step in steps]
    return "\n".join(f"{step[:1].swapcase()}{step[1:]}" if step[:2].isalpha() else step for step in stopped)


LAYOUTS: dict[str, Callable[[Sequence[str]], str]] = {
    "plain lines": "\n".join,
    "Step 1: labels": _labelled,
    "bold labels": _bold,
    "1. numbers": _numbered,
    "bold bullets": _bullets,
    "headings": _headings,
    "sentences joined": _joined,
    "First, Then, So": _connected,
    "double spaces": _spaced,
    "other case, no full stop": _cased,
}


@dataclass
class Counts:
    """Planted slips and those found, right solutions and those with a false alarm, and right solutions in which no step was found."""

    slips: int = 0
    found: int = 0
    sound: int = 0
    alarms: int = 0
    unread: int = 0

    def add(self, other: Counts) -> None:
        """Add the counts of another."""
        for name in vars(other):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def recall(self) -> float:
        """The fraction of slips that were found."""
        return self.found / max(1, self.slips)

    @property
    def alarm_rate(self) -> float:
        """The fraction of right solutions with a wrong step."""
        return self.alarms / max(1, self.sound)


@dataclass
class Measured:
    """The counts of one environment by layout, and examples of what went wrong."""

    by_layout: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    examples: list[str] = field(default_factory=list)

    @property
    def total(self) -> Counts:
        """The counts over all layouts."""
        total = Counts()
        for counts in self.by_layout.values():
            total.add(counts)
        return total


def with_prose(rng: Rng, body: str, answer: str) -> str:
    """A worked solution between an opening and a closing sentence, with the answer."""
    return f"{rng.choice(OPENINGS)}\n\n{body}\n\n{rng.choice(CLOSINGS)}\n\n{answer}"


def is_found(steps: Sequence[FoundStep], sound: str, slipped: str) -> bool:
    """Whether the first wrong step is the one with the slip: it covers the first character in which the two responses differ."""
    first = next((step for step in steps if step.verdict == "wrong"), None)
    changed = next(
        (place for place, (one, two) in enumerate(zip(sound, slipped, strict=False)) if one != two), min(len(sound), len(slipped))
    )
    return first is not None and first.start <= changed <= first.end


def slips(
    declared: Environment[Any, Any, Any], task: Task[Any], steps: Sequence[str], rng: Rng, count: int
) -> Iterator[tuple[int, list[str]]]:
    """Corrupted solutions whose first wrong step, by the environment's own checker, is the changed one."""
    assert declared.replay is not None
    tried = islice(corrupted(rng, steps), 8 * count)
    yield from islice(((at, changed) for at, changed in tried if declared.replay(task, changed) == at), count)


def measure(name: str, seeds: Sequence[int], levels: Sequence[float]) -> Measured:
    """The counts of one environment."""
    declared, out = rlgym.environment(name), Measured()
    assert isinstance(declared, Environment)
    assert declared.explain is not None
    for level in levels:
        for seed in seeds:
            task = rlgym.task(name, seed, level=level)
            steps = declared.explain(task)
            if sum(map(len, steps)) > MOST_CHARACTERS:
                continue
            answer = declared.answer.render_response(declared.solve(task), "tag")
            rng = Rng("step_checks", name, level, seed)
            planted = list(slips(declared, task, steps, rng, 2))
            for layout, write in LAYOUTS.items():
                _count(out, layout, declared, task, (steps, planted), (write, rng, answer))
    return out


def _count(out: Measured, layout: str, declared: Any, task: Any, solution: Any, writing: Any) -> None:
    (steps, planted), (write, rng, answer) = solution, writing
    counts = out.by_layout[layout]
    response = with_prose(rng, write(steps), answer)
    sound = find_steps(declared, task, response)
    counts.sound += 1
    if any(step.verdict == "wrong" for step in sound):
        counts.alarms += 1
        wrong = next(step for step in sound if step.verdict == "wrong")
        out.examples.append(f"[{layout}] false alarm at {wrong.text!r} of {response!r}")
    elif not sound:
        counts.unread += 1
        out.examples.append(f"[{layout}] no step found in {response!r}")
    for at, changed in planted:
        slipped = response.replace(write(steps), write(changed))
        counts.slips += 1
        if is_found(find_steps(declared, task, slipped), response, slipped):
            counts.found += 1
        else:
            out.examples.append(f"[{layout}] slip in step {at} {changed[at]!r} (was {steps[at]!r}) missed in {slipped!r}")


def checked_names() -> list[str]:
    """All environments with a step checker that run here."""
    out = []
    for name in rlgym.names():
        try:
            declared = rlgym.environment(name)
        except RlgymError:
            continue
        if isinstance(declared, Environment) and declared.replay is not None and declared.explain is not None:
            out.append(name)
    return out


def page(results: dict[str, Measured], seeds: int, levels: Sequence[float], checked: int, command: str) -> str:
    """The page as Markdown, with the command that writes it."""
    domains: dict[str, list[str]] = defaultdict(list)
    for name in results:
        domains[rlgym.spec(name)["domain"]].append(name)
    total = Counts()
    layouts: dict[str, Counts] = defaultdict(Counts)
    for measured in results.values():
        total.add(measured.total)
        for layout, counts in measured.by_layout.items():
            layouts[layout].add(counts)
    lines = [
        "# Step checks",
        "",
        f"Written by `{command}`. Worked solutions are written in the layouts that models use, once as they are and twice with a planted",
        "slip (one changed number or word that makes its step wrong). Recall is the fraction of slips whose own step is the first that is judged wrong; a",
        "false alarm is a right solution in which a step is judged wrong; unread are right solutions in which no step is found.",
        "",
        f"{len(results)} of {checked} environments with a step checker, levels {', '.join(f'{level:g}' for level in levels)}, tasks per level: {seeds}. "
        f"Recall {total.recall:.3f} of {total.slips:,} slips, false alarms {total.alarm_rate:.4f} and unread "
        f"{total.unread / max(1, total.sound):.4f} of {total.sound:,} right solutions.",
        "",
        "| domain | environments | recall | false alarms | unread |",
        "|---|---|---|---|---|",
    ]
    for domain, names in sorted(domains.items()):
        counts = Counts()
        for name in names:
            counts.add(results[name].total)
        lines.append(
            f"| {domain} | {len(names)} | {counts.recall:.3f} | {counts.alarm_rate:.4f} | {counts.unread / max(1, counts.sound):.4f} |"
        )
    lines += ["", "| layout | recall | false alarms | unread |", "|---|---|---|---|"]
    for layout, counts in layouts.items():
        lines.append(f"| {layout} | {counts.recall:.3f} | {counts.alarm_rate:.4f} | {counts.unread / max(1, counts.sound):.4f} |")
    low = [name for name, measured in results.items() if measured.total.recall < 0.9 or measured.total.alarm_rate > 0.02]
    lines += [
        "",
        f"Below 0.9 recall or above 0.02 false alarms ({len(low)} environments): {', '.join(f'`{name}`' for name in low) or 'none'}.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", nargs="*", default=[])
    parser.add_argument("--every", type=int, default=1, help="measure every n-th environment only")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--levels", nargs="*", type=float, default=[0.0, 0.3])
    parser.add_argument("--show", action="store_true", help="print what went wrong, and write no page")
    parser.add_argument(
        "--sample", type=int, default=0, help="measure this many environments, drawn by --first-seed from those that --every 10 leaves out"
    )
    parser.add_argument("--first-seed", type=int, default=0, help="seed of the first task of each environment and level")
    options = parser.parse_args()
    results: dict[str, Measured] = {}
    names = options.names or checked_names()
    chosen = names[:: options.every]
    if options.sample:
        apart = [name for name in names if name not in names[::10]]
        chosen = sorted(Rng("step_checks sample", options.first_seed).shuffled(apart)[: options.sample])
    for name in chosen:
        results[name] = measure(name, range(options.first_seed, options.first_seed + options.seeds), options.levels)
        print(name, f"{results[name].total.recall:.3f}", f"{results[name].total.alarm_rate:.3f}", flush=True)
        total = results[name].total
        if options.show and results[name].examples:
            shown = dict.fromkeys(example.partition("]")[0] for example in results[name].examples)
            print(
                f"{name}: recall {total.recall:.3f}, false alarms {total.alarm_rate:.3f}, unread {total.unread / max(1, total.sound):.3f}, {list(shown)}"
            )
            for example in results[name].examples[:1]:
                print("   ", example[:700])
    command = " ".join(["python benchmarks/step_checks.py", *sys.argv[1:]])
    text = page(results, options.seeds, options.levels, len(checked_names()), command)
    if options.show or options.names:
        print(text)
    else:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
