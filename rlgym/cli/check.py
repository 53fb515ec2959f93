"""`rlgym check` and `rlgym freeze`: run the laws over environments, and write their frozen samples."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from rlgym.cli.output import Json, console, print_json
from rlgym.core.errors import RlgymError

Names = Annotated[list[str] | None, typer.Argument(help="names of environments")]


def add_to(app: typer.Typer) -> None:
    app.command()(check)
    app.command()(freeze)


def check(
    names: Names = None,
    all_: Annotated[bool, typer.Option("--all", help="all environments")] = False,
    law: Annotated[list[str] | None, typer.Option("--law", help="only this law; repeatable")] = None,
    effort: Annotated[str, typer.Option(help="sample sizes: least, quick, standard or certificate")] = "standard",
    workers: Annotated[int, typer.Option(help="number of processes")] = 1,
    as_json: Json = False,
) -> None:
    """Run the laws over environments and their shifted families. The exit code is 1 if a law is broken."""
    from rich.progress import Progress

    import rlgym

    if bool(names) == all_:
        raise RlgymError("name the environments to check, or give --all")
    selected = [each for name in (rlgym.names() if all_ else names or []) for each in _with_own(name)]
    begun, certificates = time.perf_counter(), []
    with Progress(console=console, disable=as_json or len(selected) == 1, transient=True) as progress:
        bar = progress.add_task("checking", total=len(selected))
        for certificate in _certificates(selected, effort, law, workers):
            certificates.append(certificate)
            progress.advance(bar)
    certificates.sort(key=lambda certificate: certificate["name"])
    if as_json:
        print_json({"certificates": certificates, "bar": bar_table(certificates), "seconds": round(time.perf_counter() - begun, 1)})
    else:
        _show(certificates, several=all_ or len(names or []) > 1)
    if not all(certificate["passed"] for certificate in certificates):
        raise typer.Exit(1)


def _with_own(name: str) -> list[str]:
    """A name, and the names of the other task families in its file, which obey the laws too."""
    from rlgym.registry import own_families

    return [name] if ":" in name else [name, *own_families(name)]


def _certificates(names: list[str], effort: str, law: list[str] | None, workers: int) -> Iterator[dict[str, Any]]:
    if workers <= 1 or len(names) == 1:
        yield from (_certificate(name, effort, law) for name in names)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_certificate, name, effort, law) for name in names]):
            yield done.result()


def _certificate(name: str, effort: str, law: list[str] | None) -> dict[str, Any]:
    from rlgym.laws import check as run

    return run(name, effort=effort, laws=law).to_dict()


def _show(certificates: list[dict[str, Any]], several: bool) -> None:
    for certificate in certificates:
        sign = "[green]passed[/]" if certificate["passed"] else "[red]BROKEN[/]"
        console.print(f"{certificate['name']} v{certificate['version']}: {sign}")
        for law, finding in certificate["laws"].items():
            if several and finding["passed"]:
                continue
            console.print(f"  {_status(finding)} {law:<22} {_numbers(finding)}", markup=True)
            for text in [*finding["failures"], *(f"note: {note}" for note in finding.get("notes", ()))]:
                for line in text.splitlines():
                    console.print("         " + line, markup=False)
            if _lacks_frozen_samples(finding):
                console.print(
                    f"         no frozen samples yet: run `rlgym freeze {certificate['name']}` when the environment is done", markup=False
                )
    if several:
        console.print()
        for line, count in bar_table(certificates).items():
            console.print(f"  {line:<72} {count}")


def _status(finding: dict[str, Any]) -> str:
    if finding.get("not_measured"):
        return "[yellow]-     [/]"
    if not finding["passed"]:
        return "[red]BROKEN[/]"
    return "[yellow]todo  [/]" if _lacks_frozen_samples(finding) else "ok    "


def _numbers(finding: dict[str, Any]) -> str:
    if reason := finding.get("not_measured"):
        return f"not measured: {reason}"
    return ", ".join(f"{key}={value}" for key, value in finding["measured"].items() if value != "")


def _lacks_frozen_samples(finding: dict[str, Any]) -> bool:
    return bool(finding["passed"]) and finding["measured"].get("frozen") is False


def bar_table(certificates: list[dict[str, Any]]) -> dict[str, int]:
    """The number of environments with each fault that is known from published gyms."""

    def count(law: str, fault: Any) -> int:
        return sum(bool(fault(c["laws"][law]["measured"])) for c in certificates if c["laws"].get(law, {}).get("measured"))

    return {
        "environments": len(certificates),
        "do not give their own answer full reward": count("oracle_accuracy", lambda m: m["oracle_accuracy"] < 1),
        "pay something for a non-answer": count("no_free_reward", lambda m: m["junk_paid"] > 0),
        "pay full reward for a non-answer": count("no_free_reward", lambda m: m["junk_paid_in_full"] > 0),
        "run text through eval or its like": count("clean_source", lambda m: m["evaluates_text"]),
        "repeat more than 5 % of tasks within 1,000 seeds": count("diversity", lambda m: m["repeats"] > 0.05),
        "pay one constant answer more than 0.2 on average": count("constant_answer", lambda m: m["constant_answer"] > 0.2),
        "pay one constant answer more than 0.1 without declaring why": count(
            "constant_answer", lambda m: m["constant_answer"] > 0.1 and not m["guessable"]
        ),
        "share tasks between neighbouring seeds": count("diversity", lambda m: m["neighbours"] > 0),
        "change with the hash seed": count("determinism", lambda m: m["hash_seed_changes"] > 0),
        "break any law": sum(not certificate["passed"] for certificate in certificates),
    }


def freeze(names: Annotated[list[str], typer.Argument(help="names of environments")]) -> None:
    """Write the frozen samples of environments (tests/frozen/NAME.json), for a new environment or a new version."""
    import rlgym
    from rlgym.laws import Subject
    from rlgym.laws import freeze as write
    from rlgym.registry import locate

    for name in [both for base in names for both in _with_own(base)]:
        declared = rlgym.environment(name)
        console.print(f"wrote {write(Subject(name, declared, locate(name).file))}")
