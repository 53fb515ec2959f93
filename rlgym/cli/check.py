"""`rlgym check` and `rlgym freeze`: the laws, with measured numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Annotated, Any

import typer
from rich.progress import Progress

from rlgym.cli.output import Json, console, print_json
from rlgym.core.errors import RlgymError

Names = Annotated[list[str] | None, typer.Argument(help="names of environments")]


def add_to(app: typer.Typer) -> None:
    app.command()(check)
    app.command()(freeze)


def check(
    names: Names = None,
    all_: Annotated[bool, typer.Option("--all", help="every environment there is")] = False,
    law: Annotated[list[str] | None, typer.Option("--law", help="only this law; may be given several times")] = None,
    seconds: Annotated[float, typer.Option(help="about how long each environment may take")] = 12.0,
    workers: Annotated[int, typer.Option(help="processes")] = 1,
    as_json: Json = False,
) -> None:
    """Run the laws over environments, and over the further families that their files declare; the exit code is 1 if any is broken."""
    import rlgym

    if bool(names) == all_:
        raise RlgymError("name the environments to check, or say --all")
    wanted = [each for name in (rlgym.names() if all_ else names or []) for each in _with_own(name)]
    begun, certificates = time.perf_counter(), []
    with Progress(console=console, disable=as_json or len(wanted) == 1, transient=True) as progress:
        bar = progress.add_task("checking", total=len(wanted))
        for certificate in _certificates(wanted, seconds, law, workers):
            certificates.append(certificate)
            progress.advance(bar)
    certificates.sort(key=lambda certificate: certificate["name"])
    if as_json:
        print_json({"certificates": certificates, "bar": bar_table(certificates), "seconds": round(time.perf_counter() - begun, 1)})
    else:
        _show(certificates, len(wanted) > 1)
    if not all(certificate["passed"] for certificate in certificates):
        raise typer.Exit(1)


def _with_own(name: str) -> list[str]:
    """A name, and those of the other families of tasks that its file declares, which obey the laws too."""
    from rlgym.registry import declared_with

    return [name] if ":" in name else [name, *declared_with(name)]


def _certificates(names: list[str], seconds: float, law: list[str] | None, workers: int) -> Iterator[dict[str, Any]]:
    if workers <= 1 or len(names) == 1:
        yield from (_certificate(name, seconds, law) for name in names)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_certificate, name, seconds, law) for name in names]):
            yield done.result()


def _certificate(name: str, seconds: float, law: list[str] | None) -> dict[str, Any]:
    from rlgym.laws import check as run

    return run(name, seconds=seconds, laws=law).to_dict()


def _show(certificates: list[dict[str, Any]], several: bool) -> None:
    for certificate in certificates:
        sign = "[green]passed[/]" if certificate["passed"] else "[red]BROKEN[/]"
        console.print(f"{certificate['name']} v{certificate['version']}: {sign}")
        for law, finding in certificate["laws"].items():
            if several and finding["passed"]:
                continue
            numbers = ", ".join(f"{key}={value}" for key, value in finding["measured"].items())
            console.print(f"  {'ok    ' if finding['passed'] else '[red]BROKEN[/]'} {law:<14} {numbers}", markup=True)
            for failure in finding["failures"]:
                console.print("         " + failure, markup=False)
    if several:
        console.print()
        for line, count in bar_table(certificates).items():
            console.print(f"  {line:<72} {count}")


def bar_table(certificates: list[dict[str, Any]]) -> dict[str, int]:
    """How many environments show each fault that published gyms show."""

    def count(law: str, fault: Any) -> int:
        return sum(bool(fault(c["laws"][law]["measured"])) for c in certificates if c["laws"].get(law, {}).get("measured"))

    return {
        "environments": len(certificates),
        "do not give their own answer full reward": count("solvable", lambda m: m["oracle_accuracy"] < 1),
        "pay something for a non-answer": count("unpaid", lambda m: m["junk_paid"] > 0),
        "pay full reward for a non-answer": count("unpaid", lambda m: m["junk_paid_in_full"] > 0),
        "run text through eval or its like": count("clean", lambda m: m["evaluates_text"]),
        "repeat more than 5 % of tasks within 1,000 seeds": count("rich", lambda m: m["repeats"] > 0.05),
        "pay one constant answer more than 0.2 on average": count("unpaid", lambda m: m["constant_answer"] > 0.2),
        "pay one constant answer more than 0.05 without declaring why": count(
            "unpaid", lambda m: m["constant_answer"] > 0.05 and not m["guessable"]
        ),
        "share tasks between neighbouring seeds": count("rich", lambda m: m["neighbours"] > 0),
        "change with the hash seed": count("deterministic", lambda m: m["hash_seed_changes"] > 0),
        "break any law": sum(not certificate["passed"] for certificate in certificates),
    }


def freeze(names: Annotated[list[str], typer.Argument(help="names of environments")]) -> None:
    """Write the frozen samples of environments (tests/frozen/NAME.json), after a new one or a new version."""
    import rlgym
    from rlgym.laws import Subject
    from rlgym.laws import freeze as write
    from rlgym.registry import place

    for name in [both for given in names for both in _with_own(given)]:
        declared = rlgym.environment(name)
        console.print(f"wrote {write(Subject(name, declared, place(name).file))}")
