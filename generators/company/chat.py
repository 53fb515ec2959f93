"""Chat channels and their messages."""

from __future__ import annotations

from rlgym.generators.company.operations import CODE, CURSOR, PAGE, TEXT, WORDS, Listing, Write
from rlgym.generators.company.world import Desk


class SearchChannels(Listing):
    """Finds channels whose name or topic contains all the words. 5 per page."""

    system, table, shows, searched = "chat", "channels", ("name", "topic"), ("name", "topic")
    words: str = WORDS
    page: int = PAGE


class ReadChannel(Listing):
    """Reads the messages of a channel, the latest first, 5 per call; `cursor` is what the call before gave as `next`."""

    system, table, by, shows, newest = "chat", "messages", ("channel",), ("author", "time", "body"), "time"
    channel: str = CODE
    cursor: str = CURSOR


class SearchChat(Listing):
    """Finds messages whose body contains all the words, the latest first, 5 per call; `cursor` is what the call before gave as `next`."""

    system, table, newest = "chat", "messages", "time"
    shows, searched = ("channel", "author", "time", "body"), ("body",)
    words: str = WORDS
    cursor: str = CURSOR


class PostMessage(Write):
    """Posts a message in a channel. It cannot be taken back."""

    system = "chat"
    channel: str = CODE
    body: str = TEXT

    def run(self, desk: Desk) -> object:
        desk.get("channels", self.channel)
        row = {"channel": self.channel, "author": desk.actor, "time": f"{desk.today} 12:00", "body": self.body}
        return {"id": desk.add("messages", "N", row)["id"], "posted": True}


class AddToChannel(Write):
    """Adds a person to a channel."""

    system = "chat"
    channel: str = CODE
    person: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("people", self.person)
        return desk.write("channels", self.channel, members=sorted({*desk.get("channels", self.channel)["members"], self.person}))


CHAT = (SearchChannels, ReadChannel, SearchChat)
CHAT_WRITE = (PostMessage, AddToChannel)
