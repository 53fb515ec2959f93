"""Services that ask each other over ports: what they must answer, their files, and faults of their configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from posixpath import join, normpath
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.terminal import names
from rlgym.generators.terminal.supervisor import PROGRAMS, SUPERVISOR

PLACES = ("lookup", "scale", "lookup", "route", "clamp", "total", "label")  # the programs of the services, those that are asked first
UPSTREAM = {1: {"upstream": 0}, 3: {"matching": 1, "others": 2}, 4: {"upstream": 3}, 5: {"upstream": 4}, 6: {"upstream": 5}}
KINDS = ("name", "port", "file", "value", "boot", "lock", "restart", "needs", "upstream", "retired")
UNITS = ("boxes", "crates", "euros", "grams", "hours", "miles", "points", "tons")
TABLE, SVC, SPEC = "run/table.json", "bin/svc.py", "docs/services.md"


class Service(NamedTuple):
    """A service as it must be.

    program   key of PROGRAMS
    settings  the lines of its configuration
    needs     the services that it asks
    asked     requests with the right answers; the documents show the first one
    """

    name: str
    program: str
    port: str
    settings: dict[str, str]
    needs: tuple[str, ...]
    asked: tuple[tuple[str, str], ...]


class Fault(NamedTuple):
    """A line of a file that was replaced by a wrong one; a line that is empty is not there."""

    kind: str
    service: str
    path: str
    right: str
    wrong: str


def sample_services(rng: Rng, count: int, keys: int) -> tuple[tuple[Service, ...], dict[str, str]]:
    """Services, each after those that it asks, and the files of their data."""
    titles, ports = rng.sample(names.SERVICES, count), [str(port) for port in rng.sample(range(7001, 7999), count + 1)]
    known = sorted(rng.sample(names.TOPICS, keys))
    data: dict[str, str] = {}
    found: list[Service] = []
    for place, (title, program) in enumerate(zip(titles, PLACES, strict=False)):
        needed = {option: found[at] for option, at in UPSTREAM.get(place, {}).items()}
        settings = {option: service.port for option, service in needed.items()} | _settings(rng, program, title, known)
        if program == "lookup":
            columns = rng.sample(names.WORDS, 2)
            settings["column"] = columns[0]
            rows = [f"{key},{rng.integer(10, 99)},{rng.integer(100, 999)}\n" for key in known]
            data[settings["file"]] = f"key,{','.join(columns)}\n{''.join(rows)}"
        needs = tuple(sorted(service.name for service in needed.values()))
        service = Service(title, program, ports[place], settings, needs, ())
        requests = _requests(rng, settings.get("separator", ""), found, service, known)
        found.append(service)
        right = tuple((request, answer(found, data, service.port, request)) for request in requests)
        found[-1] = service._replace(asked=right)
    return tuple(found), data


def _settings(rng: Rng, program: str, title: str, known: Sequence[str]) -> dict[str, str]:
    """The settings of a program that are no ports; the column of a file is set with the file."""
    match program:
        case "lookup":
            return {"file": f"data/{title}.csv"}
        case "scale":
            return {"times": str(rng.integer(3, 9)), "per": str(rng.integer(2, 7))}
        case "route":
            letters = sorted({key[0] for key in known})
            return {"letters": "".join(sorted(rng.sample(letters, len(letters) // 2)))}
        case "clamp":
            least = rng.integer(20, 40)
            return {"least": str(least), "most": str(least + rng.integer(15, 40))}
        case "total":
            return {"separator": rng.choice("+/,:")}
    return {"unit": rng.choice(UNITS)}


def _requests(rng: Rng, separator: str, before: Sequence[Service], service: Service, known: Sequence[str]) -> list[str]:
    """Requests to a service: all keys and an unknown one, or several keys at a time where it, or one that it asks, takes a sum."""
    by_port = {other.port: other for other in before}
    at = service
    while not separator and "upstream" in at.settings:
        at = by_port[at.settings["upstream"]]
        separator = at.settings.get("separator", "")
    if separator:
        return [*(separator.join(rng.sample(known, count)) for count in (2, 3, 1, 2, 4)), f"{known[0]}{separator}nothing"]
    return [*rng.shuffled(known), "nothing"]


def answer(services: Sequence[Service], data: Mapping[str, str], port: str, request: str) -> str:
    """What the service on a port must answer."""
    service = next(service for service in services if service.port == port)
    settings = service.settings
    match service.program:
        case "lookup":
            header, *rows = (line.split(",") for line in data[settings["file"]].splitlines())
            values = {row[0]: row[header.index(settings["column"])] for row in rows}
            return values.get(request, "unknown")
        case "route":
            return answer(services, data, settings["matching" if request[0] in settings["letters"] else "others"], request)
        case "total":
            parts = [answer(services, data, settings["upstream"], key) for key in request.split(settings["separator"])]
            return "unknown" if "unknown" in parts else str(sum(map(int, parts)))
    value = answer(services, data, settings["upstream"], request)
    if value == "unknown":
        return value
    match service.program:
        case "scale":
            return str(int(value) * int(settings["times"]) // int(settings["per"]))
        case "clamp":
            return str(sorted((int(settings["least"]), int(value), int(settings["most"])))[1])
    return f"{value} {settings['unit']}"


def describe(service: Service, services: Sequence[Service]) -> str:
    """What a service must do, in words."""
    titles = {other.port: other.name for other in services}
    settings = service.settings
    source = titles.get(settings.get("upstream", ""), "")
    request, right = service.asked[0]
    does = {
        "lookup": "looks a key up in {file} and answers with the column {column}",
        "scale": f"answers with what {source} answers, times {{times}} and divided by {{per}}, rounded down",
        "route": f"passes keys that begin with one of the letters {{letters}} to {titles.get(settings.get('matching', ''))}, and other keys to "
        f"{titles.get(settings.get('others', ''))}",
        "clamp": f"answers with what {source} answers, but at least with {{least}} and at most with {{most}}",
        "total": f"takes keys with `{{separator}}` between them, and answers with the sum of what {source} answers for them",
        "label": f"answers with what {source} answers, a blank and the word {{unit}}",
    }[service.program].format(**settings)
    needs = f" It needs {' and '.join(service.needs)}." if service.needs else ""
    return f"- {service.name}, on port {service.port}, {does}.{needs} To `{request}` it answers `{right}`.\n"


def files(services: Sequence[Service], data: Mapping[str, str]) -> dict[str, str]:
    """All files of the services as they must be, but for what runs."""
    spec = "".join(sorted(describe(service, services) for service in services))
    found = {SVC: SUPERVISOR, SPEC: f"# Services\n\nAll of them start at boot.\n\n{spec}", **data}
    for service in services:
        found[f"srv/{service.program}.py"] = PROGRAMS[service.program]
        found[f"etc/{service.name}.conf"] = lines({**service.settings})
        found[f"units/{service.name}.unit"] = lines(unit(service))
    return found


def unit(service: Service) -> dict[str, str]:
    """The lines of the unit of a service."""
    program, config = f"srv/{service.program}.py", f"etc/{service.name}.conf"
    return {"program": program, "config": config, "port": service.port, "needs": " ".join(service.needs), "boot": "yes"}


def lines(settings: Mapping[str, str]) -> str:
    return "".join(f"{name} = {value}".rstrip() + "\n" for name, value in settings.items())


def sample_faults(rng: Rng, services: Sequence[Service], count: int, kinds: int) -> tuple[Fault, ...]:
    """Faults of different services, the kinds in turn from a random one on; where none of a kind is possible, a wrong value."""
    left, found = rng.shuffled(services), list[Fault]()
    offset = rng.integer(0, kinds - 1)
    for number in range(min(count, len(services))):
        kind = KINDS[(number + offset) % kinds]
        fitting = [service for service in left if is_possible(kind, service)]
        kind, service = (kind, fitting[0]) if fitting else ("value", left[0])
        left.remove(service)
        found.append(_fault(rng, kind, service, services))
    return tuple(found)


def is_possible(kind: str, service: Service) -> bool:
    match kind:
        case "file":
            return service.program == "lookup"
        case "upstream":
            return "upstream" in service.settings
        case "needs":  # it would start too early
            return any(need > service.name for need in service.needs)
    return True


def _fault(rng: Rng, kind: str, service: Service, services: Sequence[Service]) -> Fault:
    config, started = f"etc/{service.name}.conf", f"units/{service.name}.unit"
    values = {option: value for option, value in service.settings.items() if option not in ("upstream", "matching", "others", "file")}
    option, value = rng.choice(sorted(values.items()))
    others = [other.port for other in services if other.port not in (service.port, service.settings.get("upstream"))]
    match kind:
        case "name":
            return Fault(kind, service.name, config, f"{option} = {value}", f"{option[:-2]}{option[-1]}{option[-2]} = {value}")
        case "port":
            other = others[0] if others else str(int(service.port) + 1)
            return Fault(kind, service.name, started, f"port = {service.port}", f"port = {other}")
        case "file":
            path = service.settings["file"]
            return Fault(kind, service.name, config, f"file = {path}", f"file = {path.replace('.csv', '.txt')}")
        case "boot":
            return Fault(kind, service.name, started, "boot = yes", "boot = no")
        case "lock":
            return Fault(kind, service.name, f"run/{service.name}.lock", "", str(rng.integer(300, 900)))
        case "restart":
            return Fault(kind, service.name, TABLE, f"{option} = {value}", f"{option} = {_other(option, value)}")
        case "needs":
            return Fault(kind, service.name, started, f"needs = {' '.join(service.needs)}", "needs =")
        case "upstream":
            right = service.settings["upstream"]
            return Fault(kind, service.name, config, f"upstream = {right}", f"upstream = {others[0] if others else int(right) + 1}")
        case "retired":
            retired = next(name for name in names.SERVICES if name not in [other.name for other in services])
            return Fault(kind, service.name, f"units/{retired}.unit", "", lines({**unit(service), "needs": ""}))
    return Fault("value", service.name, config, f"{option} = {value}", f"{option} = {_other(option, value)}")


def _other(option: str, value: str) -> str:
    """A wrong value of an option."""
    match option:
        case "separator":
            return "-" if value != "-" else "+"
        case "unit":
            return UNITS[(UNITS.index(value) + 1) % len(UNITS)]
        case "letters":
            return value[1:] if len(value) > 1 else "xyz"
        case "column":
            return "key"
    return str(int(value) + 2)


def agrees(service: Service, settings: object, program: object = None) -> bool:
    """Whether settings are the right ones, and the program, where one is given; letters may have any order, and a path any form."""
    if (
        not isinstance(settings, dict)
        or set(settings) != set(service.settings)
        or not all(isinstance(value, str) for value in settings.values())
        or (program is not None and not (isinstance(program, str) and _path(program) == _path(f"srv/{service.program}.py")))
    ):
        return False
    return all(_plain(option, settings[option]) == _plain(option, value) for option, value in service.settings.items())


def _plain(option: str, value: str) -> str:
    return "".join(sorted(set(value))) if option == "letters" else _path(value) if option == "file" else value


def _path(text: str) -> str:
    return normpath(join("/work", text))


def insert_faults(files: Mapping[str, str], found: Sequence[Fault]) -> dict[str, str]:
    """The files with the faults in them, but for those of what runs."""
    out = dict(files)
    for fault in found:
        if not fault.right:
            out[fault.path] = f"{fault.wrong.rstrip()}\n"
        elif fault.path != TABLE:
            out[fault.path] = out[fault.path].replace(f"{fault.right}\n", f"{fault.wrong}\n", 1)
    return out


def running(services: Sequence[Service], found: Sequence[Fault]) -> str:
    """The table of what runs at first: services without faults that need none with one, and services with settings of an earlier time."""
    broken = {fault.service for fault in found if fault.kind != "restart"}
    wrong = {fault.service: fault.wrong.partition(" = ")[::2] for fault in found if fault.kind == "restart"}
    entries: dict[str, object] = {}
    for service in services:
        if service.name in wrong or (service.name not in broken and all(need in entries for need in service.needs)):
            settings = service.settings | dict([wrong[service.name]] if service.name in wrong else [])
            program = f"srv/{service.program}.py"
            entries[service.name] = {"process": 101 + len(entries), "port": service.port, "program": program, "settings": settings}
    return json.dumps(entries, indent=1, sort_keys=True) + "\n"
