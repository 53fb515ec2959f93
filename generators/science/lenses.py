"""Thin lenses and mirrors on one axis: images one after another, and ray matrices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlgym.generators.science.quantities import Working

OPENINGS = (
    "A small upright arrow stands on the axis of an optical bench at 0 cm; the light goes to the right.",
    "On an optical axis an object stands at 0 cm and shines to the right.",
    "A candle is at 0 cm of a long ruler along the axis of some lenses; we follow its light to the right.",
    "An upright object stands at the zero mark of an optical bench, and its light starts to the right.",
)
LENS = (
    "- at {at} cm: a thin {kind} lens {strength}",
    "- a thin {kind} lens {strength}, standing at {at} cm",
    "- at the mark {at} cm a thin {kind} lens {strength}",
    "- {at} cm from the object: a thin {kind} lens {strength}",
)
ASKED = (
    "Where is the final image, and how large is it compared with the object?",
    "Find the place of the last image and the total magnification.",
    "At which mark does the last image lie, and what is the overall magnification?",
    "Work out the position and the magnification of the image that all of them together form.",
)

Element = tuple[Fraction, Fraction]  # distance from the element before (or from the object), and focal length, in cm


def by_matrices(elements: Sequence[Element]) -> tuple[Fraction, Fraction] | None:
    """Distance of the last image beyond the last element along the light, and the magnification; None where the rays leave parallel."""
    a, b, c, d = Fraction(1), Fraction(0), Fraction(0), Fraction(1)
    for gap, focus in elements:
        a, b = a + gap * c, b + gap * d
        c, d = c - a / focus, d - b / focus
    return (-b / d, a - b * c / d) if d else None


def by_images(elements: Sequence[tuple[Fraction, str, Fraction]], work: Working) -> tuple[Fraction, Fraction]:
    """The same, image by image, written down: of each element the distance, and how its focal length is found from a number."""
    image, size = Fraction(0), Fraction(1)
    for k, (gap, formula, number) in enumerate(elements, 1):
        focus = work.add(f"focal length of element {k}", "cm", formula, number)
        away = work.add(f"object distance of element {k}", "cm", "{} - {}", gap, image)
        image = work.add(f"image distance of element {k}", "cm", "1 / (1 / {} - 1 / {})", focus, away)
        size = work.add(f"magnification up to element {k}", "", "{} * (0 - {} / {})", size, image, away)
    return image, size
