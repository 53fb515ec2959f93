"""The tools of someone who keeps house: to go about, to open and shut places, and to move, wash, heat and cool things."""

from __future__ import annotations

from pydantic import Field

from rlgym.answers.tools import Tool, ToolCalls


class Go(Tool):
    """Goes to a room and looks around: says which places it has and what is on those that are open."""

    room: str = Field(max_length=40)


class Open(Tool):
    """Opens a place in this room and says what is in it."""

    place: str = Field(max_length=40)


class Shut(Tool):
    """Shuts a place in this room."""

    place: str = Field(max_length=40)


class Take(Tool):
    """Takes a thing from an open place in this room; only one thing is held at a time."""

    thing: str = Field(max_length=40)


class Put(Tool):
    """Puts the held thing on or in an open place in this room."""

    place: str = Field(max_length=40)


class Wash(Tool):
    """Makes the held thing clean, in the room with the sink."""


class Heat(Tool):
    """Makes the held thing hot, in the room with the stove."""


class Cool(Tool):
    """Makes the held thing cold, in the room with the fridge."""


class Finish(Tool):
    """Ends the work; the house is then judged."""


TOOLS = ToolCalls((Go, Open, Shut, Take, Put, Wash, Heat, Cool, Finish))
