"""The interface of every answer format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

from rlgym.core.answer_extraction import STYLES as STYLES
from rlgym.core.answer_extraction import Style as Style
from rlgym.core.answer_extraction import extract_marked
from rlgym.core.answer_extraction import wrap as wrap
from rlgym.core.layout import WRAPPERS, peeled, question_of, unknown_layout
from rlgym.core.layout.layers import Layers
from rlgym.core.spelling import spelled_as_in

A = TypeVar("A")


class Unreadable(ValueError):
    """A response holds no answer in the requested format. The message may be shown to the model."""


class Answer(ABC, Generic[A]):
    """How an answer of type A is requested, parsed and rendered.

    A format is a frozen dataclass. `parse` reads only the text between the marks and raises Unreadable for everything that it does
    not accept. It takes time linear in the text, whatever the text is.
    """

    format: ClassVar[str]
    """The format's name in specs and datasets."""

    @property
    @abstractmethod
    def instructions(self) -> str:
        """What belongs between the marks, as a noun phrase: `one integer in decimal digits`."""

    @abstractmethod
    def parse(self, text: str) -> A:
        """The answer that the text spells, or Unreadable."""

    @abstractmethod
    def render(self, value: A) -> str:
        """The plainest spelling of an answer; `parse` reads it back as the same value."""

    def variants(self, value: A) -> Iterable[str]:
        """Other spellings of the same answer that `parse` must accept."""
        text = self.render(value)
        yield f"  {text}\n"

    def near_misses(self, value: A) -> Iterable[A]:
        """Similar but different answers: the result of an off-by-one error, a lost sign or a swap."""
        return ()

    @property
    def layers(self) -> Layers:
        """The layout that may stand around an answer and is peeled off where the text is not the answer as it is."""
        return WRAPPERS

    def closing_line(self, style: Style) -> str:
        """The last line of a prompt: how to give the answer."""
        marks = {
            "tag": "<answer>...</answer>",
            "boxed": "\\boxed{...}",
            "fence": "a fenced block that opens with ```answer and closes with ```",
        }[style]
        if style == "fence":
            return f"End your response with your final answer in {marks}. Write in it {self.instructions}."
        return f"End your response with your final answer as {marks}, where ... is {self.instructions}."

    def extract(self, response: str, style: Style) -> list[str]:
        """The texts between the marks of a response, in order. Formats with marks of their own override this method."""
        return extract_marked(response, style)

    def readings(self, response: str, style: Style, prompt: str = "") -> list[A]:
        """What the one answer of a whole response can mean, or Unreadable: first as it is, then with its layout peeled off.

        A format that accepts any text parses a code fence or bold as content, so only the verifier can tell which reading is meant.
        The prompt says which names and units the answer may repeat.
        """
        texts = list(dict.fromkeys(self.extract(response, style)))
        if not texts:
            raise Unreadable(f"the response has no answer given as {_SHOWN[style]}")
        if len(texts) > 20:
            raise Unreadable(f"the response gives {len(texts)} different answers")
        readings = [self.read(text, prompt) for text in texts]
        if any(other[0] != readings[0][0] for other in readings[1:]):
            raise Unreadable("the response gives several answers that contradict each other")
        return readings[-1]

    def parse_response(self, response: str, style: Style, prompt: str = "") -> A:
        """The one answer of a whole response, or Unreadable."""
        return self.readings(response, style, prompt)[0]

    def unknown_layout(self, response: str, style: Style) -> str:
        """The layout around the answer of a response that the format cannot remove; empty where there is none."""
        return next((what for text in dict.fromkeys(self.extract(response, style)) if (what := unknown_layout(text, self.layers))), "")

    def read(self, text: str, prompt: str = "") -> list[A]:
        """The readings of the text between one pair of marks, at least one, or Unreadable."""
        readings: list[A] = []
        problem: Unreadable | None = None
        for peel in peeled(text, self.layers, question_of(prompt, self.instructions)):
            try:
                reading = self.parse(peel)
            except Unreadable as why:
                problem = problem or why
            else:
                if reading not in readings:
                    readings.append(reading)
        if not readings:
            raise problem or Unreadable(f"expected {self.instructions}")
        return readings

    def render_for(self, value: A, prompt: str) -> str:
        """`render`, with names in the letter case of the prompt where the format reads them in any case."""
        text = self.render(value)
        if (spelled := spelled_as_in(prompt, text)) != text:
            try:
                return spelled if self.parse(spelled) == value else text
            except Unreadable:
                pass
        return text

    def render_response(self, value: A, style: Style, prompt: str = "") -> str:
        """A response that gives this answer, with names as the prompt spells them."""
        return wrap(self.render_for(value, prompt), style)


_SHOWN = {"tag": "<answer>...</answer>", "boxed": "\\boxed{...}", "fence": "a fenced block marked answer"}
