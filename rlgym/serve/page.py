"""The playground page: its files, held in memory, with headers that let nothing from elsewhere run in it."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from rlgym.serve.settings import Settings

POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
)
"""What a browser may load and run on the page: files of this service only, and pictures written into the page."""

TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


class Held(NamedTuple):
    """A file of the page as it is sent."""

    content: bytes
    media: str
    etag: str


def held() -> dict[str, Held]:
    """Every file of the page by its path below the page's folder."""
    return {path: _hold(path, file.read_bytes()) for path, file in _below(files("rlgym.serve") / "page", "")}


def router(settings: Settings) -> APIRouter:
    """The routes of the page and its files; none where the settings leave the page out."""
    routes = APIRouter(include_in_schema=False)
    if not settings.page:
        return routes
    pages = held()

    @routes.api_route("/", methods=["GET", "HEAD"])
    async def index(request: Request) -> Response:
        return _answer(request, pages["index.html"])

    @routes.api_route("/page/{path:path}", methods=["GET", "HEAD"])
    async def file(request: Request, path: str) -> Response:
        # Only what was found in the folder is sent: a path is a key here, and never opened.
        found = pages.get(path)
        if found is None:
            raise HTTPException(404)
        return _answer(request, found)

    return routes


def _below(folder: Traversable, before: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += _below(entry, f"{before}{entry.name}/")
        else:
            found.append((before + entry.name, entry))
    return found


def _hold(path: str, content: bytes) -> Held:
    media = TYPES.get(path.rpartition(".")[2], "text/plain")
    return Held(content, f"{media}; charset=utf-8", f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def _answer(request: Request, page: Held) -> Response:
    headers = {
        # The names of files stay the same from release to release, so a browser asks each time whether its copy is still good.
        "Cache-Control": "no-cache",
        "ETag": page.etag,
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    known = request.headers.get("if-none-match", "")
    if page.etag in known.replace("W/", "").replace(" ", "").split(","):
        return Response(status_code=304, headers=headers)
    content = b"" if request.method == "HEAD" else page.content
    return Response(content, headers={**headers, "Content-Length": str(len(page.content))}, media_type=page.media)
