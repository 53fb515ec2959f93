"""What every answer format can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Generic, Literal, TypeVar

Style = Literal["tag", "boxed", "fence"]
STYLES: tuple[Style, ...] = ("tag", "boxed", "fence")

A = TypeVar("A")


class Unreadable(ValueError):
    """A response holds no answer in the asked-for format; the message may be shown to the model."""


class Answer(ABC, Generic[A]):
    """How an answer of type A is asked for, read out of a response, and written down.

    A format is a frozen dataclass. `parse` reads the text between the marks only, and raises Unreadable for
    everything it does not accept; it runs in time linear in the text, whatever the text is.
    """

    format: ClassVar[str]
    """The format's name in specs and datasets."""

    @property
    @abstractmethod
    def asks(self) -> str:
        """What stands between the marks, as a noun phrase: `one integer in decimal digits`."""

    @abstractmethod
    def parse(self, text: str) -> A:
        """The answer that the text spells, or Unreadable."""

    @abstractmethod
    def render(self, value: A) -> str:
        """The plainest spelling of an answer; `parse` reads it back as the same value."""

    def variants(self, value: A) -> Iterable[str]:
        """Other spellings of the same answer that `parse` must read."""
        text = self.render(value)
        yield f"  {text}\n"

    def nearby(self, value: A) -> Iterable[A]:
        """Different answers that are close to it: what an off-by-one, a lost sign or a swap would give."""
        return ()

    def closing(self, style: Style) -> str:
        """The closing line of a prompt: how to give the answer."""
        where = {
            "tag": "<answer>...</answer>",
            "boxed": "\\boxed{...}",
            "fence": "a fenced block that opens with ```answer and closes with ```",
        }[style]
        if style == "fence":
            return f"End your response with your final answer in {where}. Write in it {self.asks}."
        return f"End your response with your final answer as {where}, where ... is {self.asks}."

    def find(self, response: str, style: Style) -> list[str]:
        """The texts between the marks of a response, in order; formats with marks of their own override this."""
        from rlgym.core.marks import marked

        return marked(response, style)

    def read(self, response: str, style: Style) -> A:
        """The one answer of a whole response, or Unreadable."""
        found = self.find(response, style)
        if not found:
            raise Unreadable(f"the response has no answer given as {_SHOWN[style]}")
        if len(found) == 1 or len(set(found)) == 1:
            return self.parse(found[-1])
        different = list(dict.fromkeys(found))
        if len(different) > 20:
            raise Unreadable(f"the response gives {len(different)} different answers")
        answers = [self.parse(text) for text in different]
        if any(answer != answers[0] for answer in answers[1:]):
            raise Unreadable("the response gives several answers that contradict each other")
        return answers[-1]

    def write(self, value: A, style: Style) -> str:
        """A response that gives this answer."""
        return wrap(self.render(value), style)


_SHOWN = {"tag": "<answer>...</answer>", "boxed": "\\boxed{...}", "fence": "a fenced block marked answer"}


def wrap(text: str, style: Style) -> str:
    """Text between the marks of a style."""
    if style == "tag":
        return f"<answer>{text}</answer>"
    if style == "boxed":
        return f"\\boxed{{{text}}}"
    return f"```answer\n{text}\n```"
