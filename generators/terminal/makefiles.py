"""A site that make builds from pages, parts and tools, the Makefile that builds it rightly, and Makefiles with faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.terminal import names

KINDS = ("tab", "part", "settings", "extra", "render", "phony", "whole", "list", "order", "nested", "index")
"""Kinds of faults, plain ones first: most of them leave the first build right."""
SETTINGS, RENDER, INDEX = "settings.env", "tools/render.sh", "tools/index.sh"
RENDER_TEXT = """\
# Prints a page: each line "@include NAME" is replaced by parts/NAME.part, and the owner of settings.env comes last.
show() {
    while IFS= read -r line; do
        case "$line" in
            "@include "*) show "parts/${line#@include }.part" ;;
            *) printf '%s\\n' "$line" ;;
        esac
    done < "$1"
}
. ./settings.env
show "$1"
echo "-- $owner"
"""
INDEX_TEXT = """\
# Prints the name and the first line of every page that it is called with.
for page in "$@"; do
    echo "$(basename "$page" .txt): $(head -n 1 "$page")"
done
"""
Files = Mapping[str, str]


class Fault(NamedTuple):
    """A fault of a Makefile.

    page, part  the page whose line of parts is wrong and the part that it lacks, or has for nothing; empty for other kinds
    """

    kind: str
    page: str = ""
    part: str = ""


def site(rng: Rng, pages: int, parts: int, nested: bool) -> dict[str, str]:
    """The files of a site without its Makefile. Where `nested`, some parts include another one."""
    names_of_parts = rng.sample(names.SERVICES, parts)
    files = {SETTINGS: f"owner={rng.choice(names.PEOPLE)}\n", RENDER: RENDER_TEXT, INDEX: INDEX_TEXT}
    for number, part in enumerate(names_of_parts):
        inner = f"@include {rng.choice(names_of_parts[:number])}\n" if nested and number and rng.chance(0.6) else ""
        files[f"parts/{part}.part"] = f"{names.sentence(rng, 3)}\n{inner}"
    for stem in rng.sample(names.WORDS, pages):
        uses = rng.sample(names_of_parts, rng.integer(1, min(3, parts - 1)))
        files[f"src/{stem}.page"] = names.sentence(rng, 2) + "\n" + "".join(f"@include {part}\n{names.sentence(rng, 2)}\n" for part in uses)
    return files


def stems(files: Files) -> list[str]:
    """The names of the pages, in alphabetical order."""
    return sorted(path[4:-5] for path in files if path.startswith("src/") and path.endswith(".page"))


def included(files: Files, path: str) -> list[str]:
    """The names of the parts that a page or a part includes itself."""
    return [line.removeprefix("@include ") for line in files[path].splitlines() if line.startswith("@include ")]


def all_parts(files: Files, path: str) -> list[str]:
    """The names of the parts that a page or a part includes, those that its parts include too, in alphabetical order."""
    found = {*included(files, path)}
    for part in included(files, path):
        found |= {*all_parts(files, f"parts/{part}.part")}
    return sorted(found)


def results(files: Files) -> dict[str, str]:
    """What a right build makes of the files, by path."""
    owner = files[SETTINGS].splitlines()[0].removeprefix("owner=")
    pages = {f"out/{stem}.txt": f"{_rendered(files, f'src/{stem}.page')}-- {owner}\n" for stem in stems(files)}
    lines = [f"{stem}: {pages[f'out/{stem}.txt'].partition(chr(10))[0]}\n" for stem in stems(files)]
    return {**pages, "out/index.txt": "".join(lines)}


def _rendered(files: Files, path: str) -> str:
    lines = files[path].splitlines()
    return "".join(
        _rendered(files, f"parts/{line.removeprefix('@include ')}.part") if line.startswith("@include ") else f"{line}\n" for line in lines
    )


def dependents(files: Files, path: str) -> set[str]:
    """The results that depend on a file."""
    if path == INDEX:
        return {"out/index.txt"}
    if path in (SETTINGS, RENDER):
        return {*results(files)}
    used_by = [
        stem
        for stem in stems(files)
        if path == f"src/{stem}.page" or path in [f"parts/{part}.part" for part in all_parts(files, f"src/{stem}.page")]
    ]
    return {f"out/{stem}.txt" for stem in used_by} | ({"out/index.txt"} if used_by else set())


def faults(rng: Rng, files: Files, count: int, kinds: int) -> tuple[Fault, ...]:
    """Faults of different kinds, or of different pages; fewer than `count` where the site has no room for more, and one at least."""
    found: list[Fault] = []
    for kind in rng.shuffled(KINDS[:kinds]) * 2:
        if len(found) < count and (fault := _fault(rng, files, kind, found)):
            found.append(fault)
    return tuple(sorted(found, key=lambda fault: (KINDS.index(fault.kind), fault)))


def _fault(rng: Rng, files: Files, kind: str, found: Iterable[Fault]) -> Fault | None:
    if kind not in ("part", "extra", "nested"):
        return None if Fault(kind) in found else Fault(kind)
    every = sorted(path[6:-5] for path in files if path.startswith("parts/"))
    choices = []
    for stem in stems(files):
        own, all_of_them = included(files, f"src/{stem}.page"), all_parts(files, f"src/{stem}.page")
        inner = [part for part in all_of_them if part not in own]
        meant = {"part": own, "nested": inner, "extra": [part for part in every if part not in all_of_them]}[kind]
        choices += [Fault(kind, stem, part) for part in meant]
    # A page with two faults could hide one of them.
    left = [fault for fault in choices if all(fault.page != other.page for other in found)]
    return rng.choice(left) if left else None


def makefile(files: Files, found: Iterable[Fault] = ()) -> str:
    """The Makefile of a site with these faults; the right one without any."""
    kinds, by_page = {fault.kind for fault in found}, {fault.page: fault for fault in found if fault.page}
    pages = stems(files)
    listed = " ".join(f"out/{stem}.txt" for stem in pages[:-1] + pages[-1:]) if "list" in kinds else ""
    render = [path for path, kind in ((SETTINGS, "settings"), (RENDER, "render")) if kind not in kinds]
    index = [*([] if "order" in kinds else ["$(PAGES)"]), *([] if "index" in kinds else [INDEX])]
    lines = [
        f"PAGES = {listed or '$(sort $(patsubst src/%.page,out/%.txt,$(wildcard src/*.page)))'}",
        "",
        "all: out/index.txt",
        "",
        f"out/index.txt: {' '.join(index)}{' | $(PAGES)' if 'order' in kinds else ''}".rstrip(),
        f"\tsh {INDEX} {'$(filter out/%,$?)' if 'whole' in kinds else '$(PAGES)'} > $@",
        "",
        f"out/%.txt: {' '.join(['src/%.page', *render])} | out",
        f"{'    ' if 'tab' in kinds else chr(9)}sh {RENDER} $< > $@",
        "",
        "out:",
        "\tmkdir -p out",
        "",
    ]
    for stem in pages:
        fault, parts = by_page.get(stem), all_parts(files, f"src/{stem}.page")
        if fault:
            parts = sorted([*parts, fault.part]) if fault.kind == "extra" else [part for part in parts if part != fault.part]
        lines += [f"out/{stem}.txt:{''.join(f' parts/{part}.part' for part in parts)}"] if parts else []
    return "\n".join([*lines, "", "clean:", "\trm -rf out", "", f".PHONY: all{'' if 'phony' in kinds else ' clean'}", ""])
