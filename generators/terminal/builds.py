"""A small site that a shell script builds from sources, and faults that break the build or its result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.terminal import names

KINDS = ("include", "variable", "ending", "listed", "mode", "number", "value")
BUILD = """\
#!/bin/sh
# Builds the pages of sources.txt into out/. Usage: sh build.sh
set -e
rm -rf out
mkdir out
python3 tools/page.py
tools/stamp.sh out
echo built
"""
STAMP = """\
#!/bin/sh
cat "$1"/*.txt | cksum | cut -d ' ' -f 1 > "$1/STAMP"
"""
PAGE = """\
import pathlib, re, sys

def fail(place, why):
    sys.exit(f'{place}: {why}')

def variables():
    found = {}
    for number, line in enumerate(pathlib.Path('variables.env').read_text().splitlines(), 1):
        name, sign, value = line.partition('=')
        if not sign or not re.fullmatch('[A-Z_]+', name):
            fail(f'variables.env:{number}', f'not NAME=value: {line!r}')
        found[name] = value
    return found

def render(path, known, depth=0):
    if not path.exists():
        fail(path, 'no such file')
    text = path.read_bytes().decode()
    if '\\r' in text:
        fail(path, 'carriage return')
    if depth > 3:
        fail(path, 'included too deep')
    numbers = []
    for number, line in enumerate(text.splitlines(), 1):
        where = f'{path}:{number}'
        if line.startswith('@include '):
            yield from render(pathlib.Path('parts') / (line[9:] + '.part'), known, depth + 1)
            continue
        for name in re.findall(r'\\$([A-Z_]+)', line):
            if name not in known:
                fail(where, f'unknown variable {name}')
        item = re.match(r'(\\d+)\\. ', line)
        if item:
            numbers.append(int(item[1]))
            if numbers != list(range(1, len(numbers) + 1)):
                fail(where, f'item {item[1]} out of order')
        yield re.sub(r'\\$([A-Z_]+)', lambda m: known[m[1]], line)

known = variables()
for name in pathlib.Path('sources.txt').read_text().split():
    lines = render(pathlib.Path('src') / (name + '.page'), known)
    pathlib.Path('out', name + '.txt').write_text(''.join(line + '\\n' for line in lines))
"""
README = """\
# How the site is built

`sh build.sh` builds every page that sources.txt lists, one per line in alphabetical order; each file src/NAME.page is a page and is
listed as NAME. A line `@include NAME` is replaced by parts/NAME.part. `$NAME` is replaced by the value in variables.env, which has a line
`NAME=value` for each variable. Items of a page are numbered from 1 in their order. Lines end in LF. tools/stamp.sh is run as a program.
The texts of the tools and of this file are right. To repair a build, no file is renamed, added or removed; where a name is used that
does not exist, the use is repaired, and not the file or the variable.
"""
Files = dict[str, str]


class Fault(NamedTuple):
    """A text of a file that was replaced by a wrong one. For the kind "mode" the program's mode is wrong instead."""

    kind: str
    path: str
    right: str
    wrong: str


def project(rng: Rng, pages: int) -> Files:
    """The files of a site that can be built."""
    parts, stems = rng.sample(names.SERVICES, 3), sorted(rng.sample(names.WORDS, pages))
    variables = [name.upper() for name in rng.sample(names.TOPICS, 4)]
    files = {"build.sh": BUILD, "tools/stamp.sh": STAMP, "tools/page.py": PAGE, "README.md": README}
    files["variables.env"] = "".join(f"{name}={rng.choice(names.PEOPLE)}\n" for name in variables)
    files |= {f"parts/{part}.part": f"-- {names.sentence(rng, 2)} for ${variables[0]}\n" for part in parts}
    for stem in stems:
        items = "".join(f"{number}. {names.sentence(rng, 2)}\n" for number in range(1, rng.integer(3, 5)))
        uses = f"${rng.choice(variables[1:])} {names.sentence(rng, 2)}\n"
        files[f"src/{stem}.page"] = f"{names.sentence(rng, 2)}\n@include {rng.choice(parts)}\n{uses}{items}"
    files["sources.txt"] = "".join(f"{stem}\n" for stem in stems)
    return files


def faults(rng: Rng, files: Mapping[str, str], count: int, kinds: int) -> tuple[Fault, ...]:
    """Faults of different pages, or of files beside them, the kinds in turn."""
    pages = rng.shuffled([path for path in files if path.startswith("src/")])
    found: list[Fault] = []
    offset = rng.integer(0, kinds - 1)
    for number in range(count):
        kind = KINDS[(number + offset) % kinds]
        if kind in ("listed", "mode", "order") and any(
            fault.kind in (kind, "listed", "order") for fault in found if kind != "mode" or fault.kind == kind
        ):
            kind = "include"
        if not pages:
            break
        fault = _fault(rng, files, kind, pages[-1])
        if fault.path == pages[-1]:
            pages.pop()
        found.append(fault)
    return tuple(found)


def _fault(rng: Rng, files: Mapping[str, str], kind: str, page: str) -> Fault:
    text = files[page]
    lines = text.splitlines()
    match kind:
        case "variable":
            use = next(line for line in lines if line.startswith("$")).split(" ")[0]
            return Fault(kind, page, f"{use} ", f"{use[:-2]}{use[-1]}{use[-2]} " if use[-1] != use[-2] else f"{use}S ")
        case "ending":
            return Fault(kind, page, text, text.replace("\n", "\r\n"))
        case "listed":
            listed = files["sources.txt"].splitlines()
            name = rng.choice(listed)
            return Fault(kind, "sources.txt", f"{name}\n", "")
        case "mode":
            return Fault(kind, "tools/stamp.sh", "", "")
        case "number":
            return Fault(kind, page, "\n2. ", "\n3. ")
        case "value":
            line = rng.choice(files["variables.env"].splitlines())
            return Fault(kind, "variables.env", f"{line}\n", f"{line.replace('=', ' ')}\n")
    used = next(line for line in lines if line.startswith("@include "))
    name = used.removeprefix("@include ")
    return Fault("include", page, f"{used}\n", f"@include {name[:-1]}\n" if rng.chance(0.5) else f"@include {name}{name[-1]}\n")


def results(files: Mapping[str, str]) -> Files:
    """What the build of a sound project makes."""
    known = dict(line.split("=", 1) for line in files["variables.env"].splitlines())

    def rendered(path: str) -> list[str]:
        lines = []
        for line in files[path].splitlines():
            if line.startswith("@include "):
                lines += rendered(f"parts/{line.removeprefix('@include ')}.part")
            else:
                for name, value in known.items():
                    line = line.replace(f"${name}", value)
                lines.append(line)
        return lines

    pages = {f"out/{stem}.txt": "".join(f"{line}\n" for line in rendered(f"src/{stem}.page")) for stem in files["sources.txt"].split()}
    return pages | {"out/STAMP": f"{cksum(''.join(pages[path] for path in sorted(pages)).encode())}\n"}


def cksum(data: bytes) -> int:
    """The checksum that the program cksum prints."""
    length, crc = len(data), 0
    size = length.to_bytes((length.bit_length() + 7) // 8, "little")
    for byte in data + size:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1) ^ (0x104C11DB7 if crc & 0x80000000 else 0)
    return crc ^ 0xFFFFFFFF


def insert_faults(files: Mapping[str, str], found: tuple[Fault, ...]) -> Files:
    """The files with the faults in them."""
    out = dict(files)
    for fault in found:
        if fault.kind != "mode":
            out[fault.path] = out[fault.path].replace(fault.right, fault.wrong, 1)
    return out
