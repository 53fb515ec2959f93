"""Serves the playground page: its files, held in memory, with headers that allow no external content."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from rlgym.serve.settings import Settings

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
)
"""The page loads and runs files of this service only; drawings are inlined as data URLs."""

MEDIA_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


class PageFile(NamedTuple):
    """A file of the page, ready to be sent."""

    content: bytes
    media_type: str
    etag: str


def load_page_files() -> dict[str, PageFile]:
    """Every file of the page by its path below the page's directory."""
    return {path: _load(path, file.read_bytes()) for path, file in _walk(files("rlgym.serve") / "page", "")}


def create_page_router(settings: Settings) -> APIRouter:
    """The routes of the page; none if the settings disable it."""
    router = APIRouter(include_in_schema=False)
    if not settings.serve_page:
        return router
    page_files = load_page_files()

    @router.api_route("/", methods=["GET", "HEAD"])
    async def index(request: Request) -> Response:
        return _respond(request, page_files["index.html"])

    @router.api_route("/page/{path:path}", methods=["GET", "HEAD"])
    async def page_file(request: Request, path: str) -> Response:
        # The path is only looked up among the loaded files, never opened.
        file = page_files.get(path)
        if file is None:
            raise HTTPException(404)
        return _respond(request, file)

    return router


def _walk(directory: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    entries: list[tuple[str, Traversable]] = []
    for entry in sorted(directory.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            entries += _walk(entry, f"{prefix}{entry.name}/")
        else:
            entries.append((prefix + entry.name, entry))
    return entries


def _load(path: str, content: bytes) -> PageFile:
    media_type = MEDIA_TYPES.get(path.rpartition(".")[2], "text/plain")
    return PageFile(content, f"{media_type}; charset=utf-8", f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def _respond(request: Request, file: PageFile) -> Response:
    headers = {
        # File names are the same in every release, so browsers must revalidate their copies.
        "Cache-Control": "no-cache",
        "ETag": file.etag,
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    cached = request.headers.get("if-none-match", "")
    if file.etag in cached.replace("W/", "").replace(" ", "").split(","):
        return Response(status_code=304, headers=headers)
    content = b"" if request.method == "HEAD" else file.content
    return Response(content, headers={**headers, "Content-Length": str(len(file.content))}, media_type=file.media_type)
