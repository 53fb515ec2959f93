"""Options of an invented service, its documents, a checker, and requests in words."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.terminal import names

KINDS = ("number", "switch", "milliseconds", "kilobytes", "level")
LEVELS = ("error", "warn", "info", "debug")
PATTERNS = {
    "number": r"[1-9][0-9]*",
    "switch": "enabled|disabled",
    "milliseconds": r"[1-9][0-9]*",
    "kilobytes": r"[1-9][0-9]*",
    "level": "|".join(map(str, range(4))),
}
ENDINGS = {"number": "count", "switch": "mode", "milliseconds": "timeout", "kilobytes": "limit", "level": "verbosity"}


class Option(NamedTuple):
    """An option: its name in the configuration, what it is about in words, and the kind of its value."""

    name: str
    about: str
    kind: str

    @property
    def pattern(self) -> str:
        return PATTERNS[self.kind]


def options(rng: Rng, count: int, kinds: int) -> tuple[str, tuple[Option, ...]]:
    """The name of a service, and its options."""
    words = rng.sample(names.WORDS, 2 * count)
    found = []
    for number in range(count):
        kind = KINDS[number % kinds]
        first, second = words[2 * number : 2 * number + 2]
        found.append(Option(f"{first[:3]}{second[:4]}_{ENDINGS[kind]}{number}", f"{first} {second}", kind))
    return f"{rng.choice(names.TOPICS)}d", tuple(found)


def value(rng: Rng, option: Option) -> str:
    """A value of an option, as the configuration writes it."""
    match option.kind:
        case "switch":
            return rng.choice(("enabled", "disabled"))
        case "milliseconds":
            return str(1000 * rng.integer(2, 90))
        case "kilobytes":
            return str(1024 * rng.integer(2, 64))
        case "level":
            return str(rng.integer(0, 3))
    return str(rng.integer(2, 64))


def other_value(rng: Rng, option: Option, than: str) -> str:
    """Another value of the option."""
    if option.kind == "switch":
        return "disabled" if than == "enabled" else "enabled"
    while (other := value(rng, option)) == than:
        pass
    return other


def request(option: Option, value: str) -> str:
    """A request for a value in words, in units that may not be those of the configuration."""
    match option.kind:
        case "switch":
            return f"the {option.about} is switched {'on' if value == 'enabled' else 'off'}"
        case "milliseconds":
            return f"the {option.about} times out after {int(value) // 1000} seconds"
        case "kilobytes":
            return f"the {option.about} holds at most {int(value) // 1024} MiB"
        case "level":
            return f"the {option.about} logs at the level {LEVELS[int(value)]}"
    return f"the {option.about} count is {value}"


def files(rng: Rng, app: str, options: Sequence[Option], implied: Mapping[str, tuple[str, str]], old: Mapping[str, str]) -> dict[str, str]:
    """The documents: a page of all options, what they need, and a page of changes that only the names concern."""
    meaning = {
        "number": "an integer",
        "switch": "`enabled` or `disabled`",
        "milliseconds": "a time in milliseconds",
        "kilobytes": "a size in KiB (1024 bytes); 1 MiB is 1024 KiB",
        "level": "0 for error, 1 for warn, 2 for info, 3 for debug",
    }
    rows = []
    for option in options:
        needs = implied.get(option.name)
        more = f" If it is set by a request, `{needs[0]}` must be `{needs[1]}` as well." if needs else ""
        rows.append(f"- `{option.name}` is about the {option.about}: {meaning[option.kind]}.{more}\n")
    changes = "".join(f"- `{former}` is now `{name}`; the old name is refused.\n" for name, former in old.items())
    pages = {"docs/options.md": f"# Options of {app}\n\n{''.join(rng.shuffled(rows))}", "docs/notes.md": f"{names.sentence(rng, 8)}\n"}
    return pages | ({"docs/changes.md": f"# Changes\n\n{changes}"} if old else {})


def parse_configuration(text: str) -> dict[str, str] | None:
    """The options of a configuration; None where a line cannot be read or an option comes twice."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, sign, setting = (part.strip() for part in line.partition("="))
        if not sign or not name or name in found:
            return None
        found[name] = setting
    return found


def proof(settings: Mapping[str, str]) -> str:
    """What the checker prints for a configuration."""
    return f"ok {zlib.crc32(''.join(f'{name}={settings[name]};' for name in sorted(settings)).encode()):08x}"


CHECKER = """\
import re, sys, zlib

OPTIONS = {options}
found = {{}}
for line in open(sys.argv[1]):
    if line.strip() and not line.lstrip().startswith('#'):
        name, sign, value = (part.strip() for part in line.partition('='))
        if name in found:
            sys.exit('an option comes twice: ' + name)
        if name not in OPTIONS:
            sys.exit('unknown option: ' + name)
        if not re.fullmatch(OPTIONS[name], value):
            sys.exit('bad value of ' + name + ': ' + value)
        found[name] = value
for name in OPTIONS:
    if name not in found:
        sys.exit('missing option: ' + name)
print('ok %08x' % zlib.crc32(''.join(name + '=' + found[name] + ';' for name in sorted(found)).encode()))
"""
