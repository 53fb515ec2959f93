"""Pictures as pixels: SVG drawn on a white square of fixed size, with fonts of this package, so that every machine draws the same."""

from __future__ import annotations

import io
import re
from importlib import resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rlgym.core.errors import KnobError
from rlgym.core.packages import extra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

IMAGE_SIZE = 512
IMAGE_MODES = ("png", "rgb_array")
"""The render modes that need the extra `images`."""
_ROOT = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r'\s(?:width|height|preserveAspectRatio)="[^"]*"')


def check_image_size(size: int) -> int:
    """The edge of a square image in pixels; KnobError unless it is from 16 to 4096."""
    if isinstance(size, bool) or not isinstance(size, int) or not 16 <= size <= 4096:
        raise KnobError(f"image_size must be an integer from 16 to 4096, got image_size={size!r}")
    return size


def has_images() -> bool:
    """Whether the packages of the extra `images` are installed."""
    return find_spec("PIL") is not None and find_spec("resvg_py") is not None


def require_images() -> None:
    """Raise PackageMissing unless the packages of the extra `images` are installed."""
    with extra("images"):
        import PIL  # noqa: F401
        import resvg_py  # noqa: F401


def to_png(svg: str, size: int = IMAGE_SIZE) -> bytes:
    """An SVG as a PNG of `size` by `size` pixels: as large as fits, in the middle of a white ground."""
    with extra("images"):
        import resvg_py

    root = _ROOT.search(svg)
    assert root is not None, "a picture begins with an svg element"
    squared = _SIZE.sub("", root[0])[:-1] + f' width="{size}" height="{size}" preserveAspectRatio="xMidYMid meet">'
    fonts = resources.files("rlgym.episode") / "fonts"
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg[: root.start()] + squared + svg[root.end() :],
            background="white",
            skip_system_fonts=True,
            font_files=[str(fonts / "DejaVuSans.ttf"), str(fonts / "DejaVuSansMono.ttf")],
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans Mono",
        )
    )


def to_pixels(svg: str, size: int = IMAGE_SIZE) -> NDArray[np.uint8]:
    """An SVG as an array of shape (size, size, 3): rows, columns, and red, green, blue from 0 to 255."""
    import numpy as np

    pixels: Any = np.asarray(to_image(to_png(svg, size)))
    return pixels


def to_image(png: bytes) -> Any:
    """A PNG as a `PIL.Image.Image` in RGB."""
    with extra("images"):
        from PIL import Image

    return Image.open(io.BytesIO(png)).convert("RGB")
