"""Pieces of SVG: tags, a frame with axes, figures with a legend."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]
COLOURS = 7
"""The number of series colours (`--c0` ... in the page's style, after Okabe and Ito)."""
MARKS = 4


def tag(name: str, *inside: str, **attributes: object) -> str:
    """An element; `_` in an attribute's name stands for `-`, and a closing `_` is dropped. The content must be escaped."""
    attribute_text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(_format_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{attribute_text}>{''.join(inside)}</{name}>" if inside else f"<{name}{attribute_text}/>"


def _format_value(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def words(text: object, x: float, y: float, anchor: str = "middle", class_: str = "tick", turned: float | None = None) -> str:
    """Text at a position."""
    turn = None if turned is None else f"rotate({turned:g} {x:g} {y:g})"
    return tag("text", html.escape(str(text)), x=x, y=y, text_anchor=anchor, class_=class_, transform=turn)


def tip(text: str) -> str:
    """The tooltip of an element."""
    return tag("title", html.escape(text))


def path(points: Sequence[Point], closed: bool = False) -> str:
    """The `d` of a path through points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")


def mark(kind: int, x: float, y: float, size: float, *inside: str, class_: str) -> str:
    """A circle, square, triangle or diamond, so that series differ without colour."""
    if kind % MARKS == 0:
        return tag("circle", *inside, cx=x, cy=y, r=size, class_=class_)
    corners: list[list[Point]] = [
        [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        [(0, -1.3), (1.2, 1), (-1.2, 1)],
        [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)],
    ]
    shape = [(x + size * right, y + size * down) for right, down in corners[kind % MARKS - 1]]
    return tag("path", *inside, d=path(shape, closed=True), class_=class_)


@dataclass(frozen=True)
class Frame:
    """The plot area of a chart, and the mapping of values to it."""

    x_ends: Point
    y_ends: Point = (0.0, 1.0)
    width: int = 400
    height: int = 260
    left: int = 60
    right: int = 24
    top: int = 12
    bottom: int = 44

    def x(self, value: float) -> float:
        """The horizontal position of a value."""
        low, high = self.x_ends
        return self.left + (value - low) / ((high - low) or 1.0) * (self.width - self.left - self.right)

    def y(self, value: float) -> float:
        """The vertical position of a value."""
        low, high = self.y_ends
        return self.height - self.bottom - (value - low) / ((high - low) or 1.0) * (self.height - self.top - self.bottom)

    def axes(self, x_ticks: Sequence[tuple[float, str]], y_ticks: Sequence[tuple[float, str]], x_title: str, y_title: str) -> str:
        """Grid, ticks and titles of both axes."""
        ground, edge = self.height - self.bottom, self.width - self.right
        out = [tag("line", x1=self.left, x2=edge, y1=self.y(value), y2=self.y(value), class_="grid") for value, _ in y_ticks]
        out += [words(label, self.left - 6, self.y(value) + 4, "end") for value, label in y_ticks]
        out += [tag("line", x1=self.x(value), x2=self.x(value), y1=ground, y2=ground + 4, class_="axis") for value, _ in x_ticks]
        out += [words(label, self.x(value), ground + 16) for value, label in x_ticks]
        out.append(tag("line", x1=self.left, x2=edge, y1=ground, y2=ground, class_="axis"))
        out.append(words(x_title, (self.left + edge) / 2, self.height - 6, class_="name"))
        middle = (self.top + ground) / 2
        return "".join(out) + words(y_title, 12, middle, class_="name", turned=-90)


def drawing(width: float, height: float, label: str, *inside: str, class_: str = "chart") -> str:
    """A complete SVG with a description for screen readers."""
    return tag("svg", *inside, viewBox=f"0 0 {width:g} {height:g}", role="img", aria_label=label, class_=class_)


def figure(title: str, picture: str, note: str = "", keys: Sequence[tuple[str, int]] = (), class_: str = "") -> str:
    """A picture with its title, a legend of (name, number of the series), and a note."""
    legend = "".join(
        tag(
            "span",
            tag("svg", mark(number, 7, 6, 4, class_=f"dot s{number % COLOURS}"), viewBox="0 0 14 12", aria_hidden="true"),
            html.escape(name),
        )
        for name, number in keys
    )
    caption = f"<p class=note>{html.escape(note)}</p>" if note else ""
    shown = f"<div class=legend>{legend}</div>" if legend else ""
    return f'<figure class="{class_}"><figcaption>{html.escape(title)}</figcaption>{shown}{picture}{caption}</figure>'


def share(value: float | None, digits: int = 1) -> str:
    """A share as a percentage."""
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def number(value: float | None) -> str:
    """A number in a short format."""
    if value is None:
        return "–"
    if value == 0 or 1000 <= abs(value) < 1e7:
        return f"{value:,.0f}"
    return f"{value:.3g}"


SHARES = [(step / 4, f"{25 * step} %") for step in range(5)]
