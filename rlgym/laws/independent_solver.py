"""A solver that reads the prompt alone agrees with an environment whose parts share code."""

from __future__ import annotations

from rlgym.laws.call_graph import shared_helpers
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import Subject

TASKS = Samples(least=2, standard=10, certificate=40, programs=2)


def independent_solver(subject: Subject, effort: Effort) -> Finding:
    """The `prompt_solver` uses no helper of the rest of the declaration, and each of its answers scores 1.

    An error in a helper that `generate` shares with `solve`, `verify` or `solutions` is invisible to the other laws: the parts err alike.
    Such helpers are measured for every environment. Where all three use one, a `prompt_solver` or a reason in `shared_helpers` is required.
    """
    single = subject.single
    if single is None:
        return Finding({"shared_helpers": "not measured"})
    finding = Finding()
    parts = {"solve": single.solve, "verify": single.verify, "solutions": single.solutions}
    shared = {name: shared_helpers(single.generate, part) for name, part in parts.items() if part is not None}
    solver = single.prompt_solver
    finding.measured = {
        "shared_helpers": sum(len(helpers) for helpers in shared.values()),
        "prompt_solver": "yes" if solver else "no",
        "reason": single.shared_helpers,
    }
    if solver is None:
        common = set(shared["solve"]) & set(shared["verify"])
        finding.require(
            not common or bool(single.shared_helpers),
            f"generate, solve and verify share {', '.join(sorted(common)[:3])}: declare a prompt_solver, or say in shared_helpers why there is none",
        )
        return finding
    finding.require(not single.shared_helpers, "a declaration with a prompt_solver needs no reason in shared_helpers: remove it")
    for name, part in {"generate": single.generate, **parts}.items():
        if part is not None and name != "solutions":  # `solutions` may offer what the prompt_solver finds
            used = shared_helpers(solver, part)
            finding.require(not used, f"prompt_solver and {name} share {', '.join(used[:3])}")
    right = 0
    for seed, level in subject.sample(TASKS, effort):
        task = subject.task(seed, level)
        score = subject.score(task, subject.write(solver(task.prompt)))
        right += score.value == 1.0
        finding.require(score.value == 1.0, f"the prompt_solver's answer is rejected, seed {seed} level {level}: {score.reason}")
    finding.measured["agreed"] = right
    return finding
