"""The image that containers are made of, by one of two ways.

From the Containerfile in `sandbox/images`, on top of a public Python image. Or, with no registry at all, out of the Python
that runs this: its interpreter, its standard library and the shared libraries they load, as a root file system of its own.
The second way needs Linux and a daemon for the same processor. Neither image holds any environment, reference or test.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any

import rlgym.core
from rlgym.sandbox.interface import SandboxError
from rlgym.sandbox.process.warm_interpreters import base_python

SANDBOX = Path(__file__).parents[1]
NAME = "rlgym-sandbox"
IMAGE = "RLGYM_DOCKER_IMAGE"
OURS = "/opt/rlgym"
SERVE = "rlgym.sandbox.docker.inside.serve"
CONTAINERFILE = SANDBOX / "images" / "Containerfile"
LEFT_OUT = {"site-packages", "dist-packages", "test", "tests", "idlelib", "ensurepip", "lib2to3", "turtledemo", "tkinter", "__pycache__"}
MOUNTED_ON = ("/dev", "/etc", "/proc", "/sys", "/tmp")
SHOWN_IN_MAPS = """
import ctypes, sys
for path in sys.argv[1:]:
    try:
        ctypes.CDLL(path)
    except OSError:
        pass
for line in open("/proc/self/maps"):
    print(line.split(maxsplit=5)[5].strip() if "/" in line else "")
"""


@cache
def sources() -> dict[str, bytes]:
    """What of this library a container needs, by its path below OURS; packages' own files of names only are left empty."""
    core = Path(rlgym.core.__path__[0])
    files = {"rlgym/__init__.py": b"", "rlgym/sandbox/docker/__init__.py": b""}
    for name in ("__init__", "errors", "limits"):
        files[f"rlgym/core/{name}.py"] = (core / f"{name}.py").read_bytes()
    for path in (
        SANDBOX / "__init__.py",
        SANDBOX / "interface.py",
        *(SANDBOX / "process").rglob("*.py"),
        *(SANDBOX / "docker" / "inside").glob("*.py"),
    ):
        files[f"rlgym/sandbox/{path.relative_to(SANDBOX).as_posix()}"] = path.read_bytes()
    return dict(sorted(files.items()))


@cache
def version() -> str:
    """A name for these sources: an image of others is refused."""
    return hashlib.sha256(b"".join(name.encode() + b"\0" + text + b"\0" for name, text in sources().items())).hexdigest()[:12]


def name() -> str:
    """The image that containers are started from."""
    return os.environ.get(IMAGE) or f"{NAME}:{version()}"


def context(file: IO[bytes]) -> None:
    """Write what an image is built from as a tar archive: `docker build - < FILE` takes it."""
    with tarfile.open(fileobj=file, mode="w") as archive:
        _text(archive, "Containerfile", CONTAINERFILE.read_bytes())
        _text(archive, "Dockerfile", CONTAINERFILE.read_bytes())
        _ours(archive, "opt/rlgym")


def build(client: Any, *, base: str = "", target: str = "", tag: str = "") -> str:
    """Build the image from the Containerfile, and say its name. The base must be pulled, or be there."""
    import docker

    arguments = {"BASE": base or f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"}
    with tempfile.TemporaryFile() as file:
        context(file)
        file.seek(0)
        try:
            what = {"fileobj": file, "custom_context": True, "dockerfile": "Containerfile", "target": target}
            client.images.build(**what, tag=tag or name(), buildargs=arguments, rm=True)
        except docker.errors.DockerException as error:
            raise SandboxError(
                f"the image could not be built from the Containerfile: {error}; `rlgym sandbox image --from-host` needs no registry"
            ) from None
    return tag or name()


def build_from_host(client: Any, *, tag: str = "") -> str:
    """Make the image of the Python that runs this, without any registry, and say its name."""
    import docker

    if sys.platform != "linux":
        raise SandboxError(f"an image is made of the running Python on Linux, not on {sys.platform}; build it from the Containerfile")
    repository, label = docker.utils.parse_repository_tag(tag or name())
    with tempfile.TemporaryFile() as file:
        root_file_system(file)
        file.seek(0)
        changes = [
            f'ENTRYPOINT ["{base_python()}", "-s", "-S", "-B", "-m", "{SERVE}"]',
            f"LABEL {NAME}={version()}",
            f"ENV PYTHONPATH={OURS} LANG=C.UTF-8 PATH={os.path.dirname(base_python())}:/usr/bin:/bin",
            "USER 65534:65534",
        ]
        try:
            reply = client.api.import_image_from_data(file, repository=repository, tag=label, changes=changes)
        except docker.errors.DockerException as error:
            raise SandboxError(f"the daemon did not take the image: {error}") from None
        if '"error"' in str(reply):
            raise SandboxError(f"the daemon did not take the image: {str(reply)[-300:]}")
    return tag or name()


def root_file_system(file: IO[bytes]) -> None:
    """Write the running Python as a root file system, a tar archive: interpreter, standard library, what they load, and our own."""
    library = {os.path.realpath(_place(kind)) for kind in ("stdlib", "platstdlib")}
    paths: set[Path] = set()
    for place in library:
        paths |= set(_below(Path(place)))
    extensions = [str(path) for path in paths if path.suffix == ".so"]
    engine = _engine()
    paths |= set(_with_links(Path(base_python()), "python*")) | set(_loaded([*extensions, *map(str, engine.values())]))
    paths |= {Path(link) for top in ("/lib", "/lib64", "/lib32", "/usr/lib64") for link in _links(Path(top)) if Path(link).is_symlink()}
    paths |= {path for path in (Path("/etc/ld.so.cache"),) if path.exists()}
    folders = {parent for path in paths for parent in path.parents} | set(map(Path, MOUNTED_ON))
    with tarfile.open(fileobj=file, mode="w") as archive:
        for folder in sorted(folders - paths - {Path("/")}):
            # What is mounted on /tmp takes the rights of the folder below it.
            _folder(archive, str(folder)[1:], 0o1777 if str(folder) == "/tmp" else 0o755)
        for path in sorted(paths):
            archive.add(path, str(path)[1:], recursive=False, filter=_plain)
        _ours(archive, OURS[1:])
        for inside, file_there in engine.items():
            archive.add(file_there, f"{OURS[1:]}/{inside}", recursive=False, filter=_plain)


def _place(kind: str) -> str:
    base = {"base": sys.base_prefix, "installed_base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    return sysconfig.get_path(kind, vars={**base, "installed_platbase": sys.base_exec_prefix})


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(folder for folder in folders if folder not in LEFT_OUT and not folder.startswith("config-"))
        for name in sorted(names):
            path = Path(place) / name
            if path.is_file() and path.suffix != ".a" and not name.startswith("_tkinter"):
                yield from map(Path, _links(path))


def _loaded(extensions: list[str]) -> Iterator[Path]:
    """The shared libraries that the interpreter and these modules load, under every name that they have."""
    command = [base_python(), "-s", "-S", "-E", "-c", SHOWN_IN_MAPS, *extensions]
    mapped = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout.split("\n")
    libraries = {Path(line) for line in mapped if ".so" in line and line not in extensions and os.path.isfile(line)}
    for library in libraries:
        yield from _with_links(library, "*")
    # The loader itself is named in every program by a path of its own.
    for pattern in ("lib64/ld-*", "lib/ld-*"):
        for loader in Path("/").glob(pattern):
            yield from map(Path, _links(loader))


def _with_links(path: Path, pattern: str) -> Iterator[Path]:
    """A file, and the links in its folder that lead to it."""
    for other in (path, *path.parent.glob(pattern)):
        if other.resolve() == path.resolve():
            yield from map(Path, _links(other))


def _links(path: Path) -> Iterator[str]:
    """A path's every link on the way, and where the last one leads."""
    current, parts = "/", list(path.parts[1:])
    while parts:
        part = parts.pop(0)
        there = os.path.normpath(os.path.join(current, part))
        if os.path.islink(there):
            yield there
            target = os.readlink(there)
            current, parts = ("/" if target.startswith("/") else current), [*[part for part in target.split("/") if part], *parts]
        else:
            current = there
    if os.path.exists(current):
        yield current


def _engine() -> dict[str, str]:
    """The JavaScript engine's files, by their paths below OURS, if it is installed."""
    import importlib.util

    extensions = {}
    for module in ("quickjs", "_quickjs"):
        spec = importlib.util.find_spec(module)
        if spec is None or not spec.origin:
            return {}
        root = Path(spec.origin).parents[1 if spec.submodule_search_locations else 0]
        extensions[Path(spec.origin).relative_to(root).as_posix()] = spec.origin
    return extensions


def _ours(archive: tarfile.TarFile, place: str) -> None:
    paths = {f"{place}/{name}": text for name, text in sources().items()} | {f"{place}/version": version().encode()}
    for folder in sorted({str(parent) for path in paths for parent in Path(path).parents} - {"."}):
        _folder(archive, folder)
    for path, text in paths.items():
        _text(archive, path, text)


def _folder(archive: tarfile.TarFile, path: str, mode: int = 0o755) -> None:
    entry = tarfile.TarInfo(path)
    entry.type, entry.mode = tarfile.DIRTYPE, mode
    archive.addfile(entry)


def _text(archive: tarfile.TarFile, path: str, text: bytes) -> None:
    entry = tarfile.TarInfo(path)
    entry.size, entry.mode = len(text), 0o644
    archive.addfile(entry, io.BytesIO(text))


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o777 if entry.issym() else 0o755 if entry.mode & 0o100 else 0o644
    return entry
