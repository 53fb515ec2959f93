"""Reads the Dockerfiles of task folders as far as they only set a folder up: files, folders, variables and a working directory."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

BASES = ("alpine", "bash", "buildpack-deps", "busybox", "debian", "python", "ubuntu")
"""Images whose programs every Linux machine with Python has."""
IGNORED = ("CMD", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "LABEL", "MAINTAINER", "SHELL", "STOPSIGNAL")
NETWORK = re.compile(
    r"(?:^|[;&|({]|\bthen\b|\bdo\b)\s*(?:sudo\s+)?(?:\w+=\S*\s+)*"
    r"((?:apt-get|apt|apk|yum|dnf|pip3?|uvx?|pipx|conda|npm|npx|curl|wget|"
    r"go (?:get|install|mod)|cargo (?:add|install|fetch)|python3? -m pip|git clone)\b[^\n]*)",
    re.MULTILINE,
)
_HERE = re.compile(r"<<-?\s*['\"]?(\w+)")
_FOLDERS = re.compile(r"mkdir( -p)?( [\w./-]+)+")


@dataclass
class Image:
    """What a Dockerfile puts into an image.

    files     paths from the root, without the leading slash, and contents
    commands  shell commands of RUN that need no network, each with its working directory, to be run once all files are there
    late      files that are copied after a command, and may replace what it left
    folders   folders that exist although they may hold no file
    workdir   the absolute path where commands start
    env       variables of all commands
    problems  instructions that need a container, in words
    """

    files: dict[str, bytes] = field(default_factory=dict)
    commands: list[tuple[str, str]] = field(default_factory=list)
    late: dict[str, bytes] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    workdir: str = "/"
    env: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def read_dockerfile(file: Path, bases: Sequence[str] = ()) -> Image:
    """The image that a Dockerfile describes; the files that it copies lie beside it.

    bases  names of further base images whose programs this machine has
    """
    image = Image()
    for line in _instructions(file.read_text(encoding="utf-8")):
        word, _, rest = line.partition(" ")
        if word.upper() == "FROM":
            _check_base(image, rest.strip(), (*BASES, *bases))
        else:
            _apply(image, word.upper(), rest.strip(), file.parent)
    return image


def _check_base(image: Image, rest: str, bases: Sequence[str]) -> None:
    """A plain base image, and the only one: a second stage is another container."""
    name = rest if not rest.startswith("--") and len(rest.split()) == 1 else ""
    short = name.rpartition("/")[2].partition("@")[0].partition(":")[0]
    if short not in bases and name not in bases:
        image.problems.append(f"the image of `FROM {rest}`")


def _instructions(text: str) -> Iterator[str]:
    """The instructions, with continued lines joined and here-documents kept as further lines."""
    lines = iter(text.splitlines())
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        whole = line.strip()
        while whole.endswith("\\"):
            following = next(lines, "").strip()
            whole = whole if following.startswith("#") else f"{whole[:-1]}{following}"
        for delimiter in _HERE.findall(whole):
            for inside in lines:
                whole += f"\n{inside}"
                if inside.strip() == delimiter:
                    break
        yield whole


def _apply(image: Image, word: str, rest: str, context: Path) -> None:
    match word:
        case "WORKDIR":
            image.workdir = _absolute(rest, image.workdir)
            image.folders.append(image.workdir.strip("/"))
        case "ENV":
            image.env |= _variables(rest)
        case "COPY" | "ADD":
            _copy(image, word, rest, context)
        case "RUN" if all(_FOLDERS.fullmatch(command.strip()) for command in rest.split("&&")):
            made = [path for command in rest.split("&&") for path in shlex.split(command)[1:] if path != "-p"]
            image.folders += [_absolute(path, image.workdir).strip("/") for path in made]
        case "RUN":
            downloads = network_commands(rest)
            if downloads or rest.startswith(("--", "[", "<<")):
                image.problems.append(f"`RUN {[*downloads, rest][0]}`"[:120])
            else:
                image.commands.append((rest, image.workdir))
        case _ if word not in IGNORED:
            image.problems.append(f"`{word} {rest}`"[:120])


def network_commands(script: str) -> list[str]:
    """The commands of a script that install or download something."""
    return [command.strip() for command in NETWORK.findall(script)]


def _variables(rest: str) -> dict[str, str]:
    words = shlex.split(rest)
    if "=" not in words[0]:
        return {words[0]: " ".join(words[1:])}
    return dict(word.split("=", 1) for word in words if "=" in word)


def _copy(image: Image, word: str, rest: str, context: Path) -> None:
    words = [part for part in rest.split() if not re.fullmatch(r"--ch(mod|own)=\S+", part)]
    if len(words) < 2 or any(part.startswith(("--", "http:", "https:", "git@", "[", "<<")) for part in words):
        image.problems.append(f"`{word} {rest}`"[:120])
        return
    *sources, target = words
    place = _absolute(target, image.workdir).strip("/")
    found = [path for source in sources for path in _sources(context, source)]
    if not found:
        image.problems.append(f"`{word} {rest}`, whose files do not exist")
    inside = (
        target.endswith(("/", ".")) or len(found) > 1 or place in image.folders or any(path.startswith(f"{place}/") for path in image.files)
    )
    copied: dict[str, bytes] = {}
    for path in found:
        if path.is_dir():
            copied |= {posixpath.join(place, name): data for name, data in read_files(path).items() if name not in _OWN}
        else:
            copied[posixpath.join(place, path.name) if inside else place] = path.read_bytes()
    image.files |= copied
    if image.commands:
        image.late |= copied


_OWN = ("Dockerfile", ".dockerignore", "docker-compose.yaml", "docker-compose.yml")


def _sources(context: Path, source: str) -> list[Path]:
    relative = source.lstrip("/") or "."
    if ".." in Path(relative).parts:
        return []
    found = [context / relative] if (context / relative).exists() else sorted(context.glob(relative))
    return [path for path in found if path.resolve().is_relative_to(context.resolve())]


def read_files(folder: Path) -> dict[str, bytes]:
    """The files below a folder by their paths. Links are left out: they could lead anywhere."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _absolute(path: str, workdir: str) -> str:
    return posixpath.normpath(posixpath.join(workdir, path))
