"""The files of an OpenEnv environment folder: Dockerfile, manifest, project and server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from rlgym.adapters.openenv.server import application

DOCKERFILE = """\
FROM python:3.11-slim
{copy}RUN useradd --create-home player && pip install --no-cache-dir "{requirement}"
USER player
ENV RLGYM_OPENENV='{arguments}'
EXPOSE 8000
HEALTHCHECK CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health')"
CMD ["uvicorn", "--factory", "rlgym.adapters.openenv:from_environment_variables", "--host", "0.0.0.0", "--port", "8000"]
"""

APP = '''\
"""The server of this environment."""

import json

import uvicorn

from rlgym.adapters.openenv import application

app = application(**json.loads({arguments!r}))


def main(host: str = "0.0.0.0", port: int = 8000) -> None:
    """Serve until interrupted."""
    uvicorn.run(app, host=host, port=port)


if __name__ == "__main__":
    main()
'''

PROJECT = """\
[project]
name = "openenv-{name}"
version = "0.1.0"
description = "Verifiable tasks of rlgym over OpenEnv"
requires-python = ">=3.11"
dependencies = ["rlvrgym[openenv]=={version}", "openenv-core>=0.3"]

[project.scripts]
server = "server.app:main"

[build-system]
requires = ["setuptools>=80"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
packages = ["server"]
"""

SOURCE = """
[tool.uv.sources]
rlvrgym = {{ path = "wheels/{wheel}" }}
"""

MANIFEST = """\
spec_version: 1
name: {name}
type: space
runtime: fastapi
app: server.app:app
port: 8000
"""


def write_container(folder: str | Path, names: str | list[str] = "all", *, wheel: str | Path | None = None, **arguments: Any) -> Path:
    """Write an environment folder as `openenv init` would. Its name is the environment's.

    wheel      a wheel of rlgym that the container installs, from `pip wheel --no-deps .` in a clone; without one it installs the
               published package
    arguments  those of `application`, which the server starts with
    """
    from rlgym import __version__

    folder = Path(folder)
    given = json.dumps({"names": names, **arguments})
    if "'" in given:
        raise ValueError(f"the arguments go into a container file and must hold no single quote, got {given}")
    application(**json.loads(given))  # refuses what no server would start with
    (folder / "server").mkdir(parents=True, exist_ok=True)
    requirement, copy, source = f"rlvrgym[openenv]=={__version__}", "", ""
    if wheel is not None:
        file = Path(wheel)
        (folder / "wheels").mkdir(exist_ok=True)
        shutil.copy(file, folder / "wheels" / file.name)
        requirement, copy, source = f"/wheels/{file.name}[openenv]", "COPY wheels /wheels\n", SOURCE.format(wheel=file.name)
    files = {
        "server/Dockerfile": DOCKERFILE.format(requirement=requirement, copy=copy, arguments=given),
        "server/__init__.py": "",
        "server/app.py": APP.format(arguments=given),
        "pyproject.toml": PROJECT.format(version=__version__, name=folder.name) + source,
        "openenv.yaml": MANIFEST.format(name=folder.name),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder
