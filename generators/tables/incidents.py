"""Security logs of a small company with one incident in them, and the way back from an alert to where it came from."""

from __future__ import annotations

from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.sandbox.sqlite import Row, Table

COLUMNS = {
    "alerts": ("id", "time", "host", "pid", "title"),
    "processes": ("key", "host", "pid", "parent_pid", "started", "image", "account"),
    "files": ("time", "host", "pid", "action", "path", "hash"),
    "sessions": ("time", "host", "pid", "account", "source_host", "source_pid"),
    "mails": ("time", "sender", "recipient", "subject", "hash"),
    "downloads": ("time", "host", "pid", "address", "hash"),
}
NUMBERS = ("time", "pid", "parent_pid", "started", "source_pid")
_IMAGES = "sync report backup viewer agent updater printer editor chat codec indexer player".split()
_SUBJECTS = ("invoice", "minutes of the meeting", "holiday plan", "parcel", "offer", "salary")
_PEOPLE = "amir bea carl dina emil fatma gina hugo iris jon kim lea".split()
_TITLES = ("unusual traffic", "password store read", "many files encrypted", "unknown service started", "data sent out")
MINUTES = 20_000


class Logs(NamedTuple):
    """The rows of every table, in the order of COLUMNS."""

    alerts: tuple[Row, ...]
    processes: tuple[Row, ...]
    files: tuple[Row, ...]
    sessions: tuple[Row, ...]
    mails: tuple[Row, ...]
    downloads: tuple[Row, ...]


class Origin(NamedTuple):
    """Where an incident came from, the processes from the alerted one back to the first, and for each the moment that its pid is about."""

    entity: str
    processes: tuple[Row, ...]
    moments: tuple[int, ...]

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in self.processes)


def schema() -> str:
    """The tables as CREATE TABLE statements."""
    return "\n".join(f"CREATE TABLE {name} ({', '.join(_columns(name))});" for name in COLUMNS)


def tables(logs: Logs) -> list[Table]:
    """The tables, ready to be queried."""
    return [Table(name, _columns(name), rows) for name, rows in zip(COLUMNS, logs, strict=True)]


RULES = ("pids_used_again", "sessions", "writes", "last_write", "latest_origin", "before_the_write")


def trace(logs: Logs, ignored: str = "") -> Origin | None:
    """Back from the alert by the rules of the task, but for an ignored one of RULES; None where they lead nowhere."""
    _, time, host, pid, _ = logs.alerts[0]
    path, moments = list[Row](), list[int]()
    again = ignored != "pids_used_again"
    while (process := _running_process(logs, host, pid, time, again)) is not None and len(path) < 60:
        path.append(process)
        moments.append(_int(time))
        _, host, _, parent, started, image, _ = process
        session = next((row for row in logs.sessions if row[:3] == (started, host, process[2])), None)
        writes = [row for row in logs.files if row[1] == host and row[3] == "write" and row[4] == image and _int(row[0]) < _int(started)]
        if session is not None and ignored != "sessions":
            time, host, pid = started, session[4], session[5]
        elif writes and ignored != "writes":
            written = (min if ignored == "last_write" else max)(writes, key=lambda row: _int(row[0]))
            time, pid = written[0], written[2]
            cause = _running_process(logs, host, pid, time, again)
            if cause is not None and (entity := _source(logs, cause, written, ignored)):
                return Origin(entity, (*path, cause), (*moments, _int(time)))
        else:
            time, pid = started, parent
    return None


def logs(rng: Rng, hops: int, noise: int, kinds: tuple[str, ...], reuse: int, *, few: bool = False) -> Logs:
    """Logs with an incident of so many hops between processes; `again` percent of the pids were used before.

    With `few` there are only three hosts and the incident comes back to the same ones.
    """
    while True:
        candidate = _make(rng, hops, noise, kinds, reuse, few)
        path = trace(candidate)
        if path and len(path.processes) == hops + 1:
            return candidate


def _make(rng: Rng, hops: int, noise: int, kinds: tuple[str, ...], reuse: int, few: bool) -> Logs:
    hosts = [f"{kind}-{rng.integer(10, 99)}" for kind in ("pc", "srv", "lab", "desk", "web", "db")][: 3 if few else 6]
    keys = iter([f"P{number}" for number in rng.sample(range(1000, 10000), 2 * hops + 4 * noise + 40)])
    times = iter(sorted(rng.sample(range(10, MINUTES), 4 * hops + 8 * noise + 62)))
    paths = [f"/opt/{name}/{name}{rng.integer(2, 9)}" for name in _IMAGES]
    rows: dict[str, list[Row]] = {name: [] for name in COLUMNS}
    used: list[tuple[str, int]] = []

    def fresh(host: str) -> int:
        old = [pid for where, pid in used if where == host]
        pid = rng.choice(old) if old and rng.integer(1, 100) <= reuse else rng.integer(100, 4000)
        used.append((host, pid))
        return pid

    def starts(host: str, parent: int | None, image: str, account: str) -> tuple[int, int]:
        pid, time = fresh(host), next(times)
        rows["processes"].append((next(keys), host, pid, parent, time, image, account))
        return pid, time

    def benign() -> None:
        host, account = rng.choice(hosts), rng.choice(_PEOPLE)
        old = [pid for where, pid in used if where == host]
        doing = rng.choice(("process", "process", "write", "session", "mail", "download"))
        image, digest = rng.choice(paths), f"{rng.integer(16**7, 16**8 - 1):x}"
        if doing == "process" or not old:
            starts(host, rng.choice(old) if old else None, image, account)
        elif doing == "write":
            rows["files"].append((next(times), host, rng.choice(old), rng.choice(("write", "read", "delete")), image, digest))
        elif doing == "session":
            source = rng.choice(used)
            pid, time = starts(host, None, image, account)
            rows["sessions"].append((time, host, pid, account, *source))
        elif doing == "mail":
            known = [row[5] for row in rows["files"]] or [digest]
            rows["mails"].append((next(times), _address(rng), account, rng.choice(_SUBJECTS), rng.choice((digest, rng.choice(known)))))
        else:
            rows["downloads"].append((next(times), host, rng.choice(old), _number(rng), digest))

    def arrives(host: str, pid: int, account: str, digest: str) -> None:
        if rng.chance(0.5):
            rows["mails"].append((next(times), _address(rng), account, rng.choice(_SUBJECTS), digest))
        else:
            rows["downloads"].append((next(times), host, pid, _number(rng), digest))

    def quiet(share: int) -> None:
        for _ in range(share):
            benign()

    quiet(noise)
    host, account = rng.choice(hosts), rng.choice(_PEOPLE)
    pid, _ = starts(host, None, rng.choice(paths), account)
    digest = f"{rng.integer(16**7, 16**8 - 1):x}"
    for hop in range(hops):
        quiet(max(1, 2 * noise // hops) if noise else 0)
        link = "file" if hop == 0 else rng.choice(kinds)
        image = rng.choice(paths)
        for _ in range(1 + rng.chance(0.75) if hop == 0 else 0):
            arrives(host, pid, account, digest)
        if link == "file":
            if rng.chance(0.6):
                other = rng.choice([number for where, number in used if where == host])
                rows["files"].append((next(times), host, other, "write", image, f"{rng.integer(16**7, 16**8 - 1):x}"))
            rows["files"].append((next(times), host, pid, "write", image, digest if hop == 0 else f"{rng.integer(16**7, 16**8 - 1):x}"))
            if hop == 0 and rng.chance(0.75):
                arrives(host, pid, account, digest)
            old = [number for where, number in used if where == host]
            pid, _ = starts(host, rng.choice(old), image, account)
        elif link == "session":
            before, source = host, pid
            host = rng.choice([other for other in hosts if other != host])
            account = rng.choice(_PEOPLE)
            pid, time = starts(host, None, image, account)
            rows["sessions"].append((time, host, pid, account, before, source))
        else:
            pid, _ = starts(host, pid, image, account)
    rows["alerts"].append((f"A{rng.integer(100, 999)}", next(times), host, pid, rng.choice(_TITLES)))
    quiet(max(1, noise // 2) if noise else 0)
    return Logs(*(tuple(rng.shuffled(rows[name])) for name in COLUMNS))


def _running_process(logs: Logs, host: object, pid: object, time: object, again: bool = True) -> Row | None:
    """The process that has a number on a host at a time: the one that started last with it, before that time.

    Without `again` no number is taken to be used again: of all processes that ever have it, the last counts.
    """
    found = [row for row in logs.processes if row[1] == host and row[2] == pid and (not again or _int(row[4]) < _int(time))]
    return max(found, key=lambda row: _int(row[4])) if found else None


def _source(logs: Logs, process: Row, written: Row, ignored: str) -> str:
    """The sender or address that a written file came from, by the rules but for an ignored one; empty where it came from neither."""
    time, host, pid, _, _, digest = written
    latest, before = ignored != "latest_origin", MINUTES if ignored == "before_the_write" else _int(time)
    loads = [row for row in logs.downloads if row[1:3] == (host, pid) and row[4] == digest and _int(process[4]) < _int(row[0]) < before]
    mails = [row for row in logs.mails if row[2] == process[6] and row[4] == digest and _int(row[0]) < before]
    pairs = [*((row, 3) for row in loads), *((row, 1) for row in mails)]
    last = (max if latest else min)(pairs, key=lambda pair: _int(pair[0][0]), default=None)
    return str(last[0][last[1]]) if last else ""


def _columns(name: str) -> tuple[str, ...]:
    return tuple(f"{column} {'INTEGER' if column in NUMBERS else 'TEXT'}" for column in COLUMNS[name])


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def _address(rng: Rng) -> str:
    return f"{rng.choice(_PEOPLE)}{rng.integer(10, 99)}@{rng.choice(('post', 'mail', 'fast', 'blue', 'north'))}.example"


def _number(rng: Rng) -> str:
    return f"10.{rng.integer(1, 250)}.{rng.integer(1, 250)}.{rng.integer(1, 250)}"
