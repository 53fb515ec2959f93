"""The calendar: meetings of people in rooms. Times are minutes of a day in the form HH:MM."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from rlgym.generators.company.operations import CODE, DATE, OFFSET, PAGE, TIME, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk, Row


class ListMeetings(Listing):
    """Lists the meetings of a person on a date. 5 per page. Blocked time that is no meeting is in busy_times only."""

    system, table, by, shows = "calendar", "meetings", ("attendees", "date"), ("title", "start", "end", "room", "series")
    attendees: str = CODE
    date: str = DATE
    page: int = PAGE


class ListSeries(Listing):
    """Lists the meetings of a series; `offset` counts meetings, 5 per call."""

    system, table, by, shows = "calendar", "meetings", ("series",), ("title", "date", "start", "end", "room")
    series: str = CODE
    offset: int = OFFSET


class SearchMeetings(Listing):
    """Finds meetings whose title contains all the words. 5 per page."""

    system, table, shows, searched = "calendar", "meetings", ("title", "date", "start", "series"), ("title",)
    words: str = WORDS
    page: int = PAGE


class GetMeeting(Show):
    """Reads a meeting with its attendees."""

    system, table = "calendar", "meetings"
    meeting: str = CODE


class BusyTimes(Show):
    """Lists the times at which a person is busy on a date, meetings and blocked time alike, without saying why."""

    system = "calendar"
    person: str = CODE
    date: str = DATE

    def run(self, desk: Desk) -> object:
        desk.get("people", self.person)
        meetings = [row for row in desk.rows("meetings").values() if row["date"] == self.date and self.person in row["attendees"]]
        blocks = [row for row in desk.rows("blocks").values() if row["date"] == self.date and row["person"] == self.person]
        return {"busy": sorted(f"{row['start']}-{row['end']}" for row in (*meetings, *blocks))}


class ListRooms(Listing):
    """Lists the rooms of a site. 5 per page."""

    system, table, by, shows = "calendar", "rooms", ("site",), ("name", "seats", "equipment")
    site: str = WORDS
    page: int = PAGE


class GetRoom(Show):
    """Reads a room."""

    system, table = "calendar", "rooms"
    room: str = CODE


class RoomBookings(Show):
    """Lists the times at which a room is booked on a date."""

    system = "calendar"
    room: str = CODE
    date: str = DATE

    def run(self, desk: Desk) -> object:
        desk.get("rooms", self.room)
        rows = [row for row in desk.rows("meetings").values() if row["date"] == self.date and row["room"] == self.room]
        return {"booked": sorted(f"{row['start']}-{row['end']}" for row in rows)}


class MoveMeeting(Write):
    """Moves a meeting to a date, a start and a room; its length stays. Error 409 if the room is booked then; people are not checked."""

    system, right = "calendar", "calendar.write"
    meeting: str = CODE
    date: str = DATE
    start: str = TIME
    room: str = CODE

    def run(self, desk: Desk) -> object:
        row = desk.get("meetings", self.meeting)
        desk.get("rooms", self.room)
        end = clock(minutes(self.start) + minutes(row["end"]) - minutes(row["start"]))
        moved = {**row, "date": self.date, "start": self.start, "end": end, "room": self.room}
        desk.require(not _is_taken(desk, self.meeting, moved), 409, "the room is booked at that time")
        return desk.write("meetings", self.meeting, **moved)


class CreateMeeting(Write):
    """Creates a meeting. Error 409 if the room is booked then; people are not checked."""

    system, right = "calendar", "calendar.write"
    title: str = WORDS
    attendees: list[str] = Field(min_length=1, max_length=12)
    date: str = DATE
    start: str = TIME
    end: str = TIME
    room: str = CODE

    def run(self, desk: Desk) -> object:
        for person in self.attendees:
            desk.get("people", person)
        desk.get("rooms", self.room)
        row: Row = {"title": self.title, "organizer": desk.actor, "attendees": sorted(set(self.attendees)), "room": self.room}
        row |= {"date": self.date, "start": self.start, "end": self.end, "series": ""}
        desk.require(minutes(self.start) < minutes(self.end), 400, "the end is not after the start")
        desk.require(not _is_taken(desk, "", row), 409, "the room is booked at that time")
        return desk.add("meetings", "E", row)


class CancelMeeting(Write):
    """Cancels a meeting."""

    system, right = "calendar", "calendar.write"
    meeting: str = CODE

    def run(self, desk: Desk) -> object:
        return desk.delete("meetings", self.meeting)


class InviteToSeries(Write):
    """Adds a person to all meetings of a series."""

    system, right = "calendar", "calendar.write"
    series: str = CODE
    person: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("people", self.person)
        rows = {code: row for code, row in desk.rows("meetings").items() if row["series"] == self.series}
        desk.require(rows, 404, "there is no such series")
        for code, row in rows.items():
            desk.write("meetings", code, attendees=sorted({*row["attendees"], self.person}))
        return {"series": self.series, "meetings": len(rows)}


class RemoveFromSeries(Write):
    """Removes a person from all meetings of a series."""

    system, right = "calendar", "calendar.write"
    series: str = CODE
    person: str = CODE

    def run(self, desk: Desk) -> object:
        rows = {code: row for code, row in desk.rows("meetings").items() if row["series"] == self.series}
        desk.require(rows, 404, "there is no such series")
        for code, row in rows.items():
            desk.write("meetings", code, attendees=[one for one in row["attendees"] if one != self.person])
        return {"series": self.series, "meetings": len(rows)}


def minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:])


def clock(number: int) -> str:
    return f"{number // 60:02}:{number % 60:02}"


def overlaps(spans: Any, start: int, end: int) -> bool:
    """Whether a time overlaps one of the spans in the form HH:MM-HH:MM."""
    return any(start < minutes(span[6:]) and minutes(span[:5]) < end for span in spans)


def _is_taken(desk: Desk, code: str, wanted: Row) -> bool:
    spans = [
        f"{row['start']}-{row['end']}"
        for other, row in desk.rows("meetings").items()
        if other != code and row["room"] == wanted["room"] and row["date"] == wanted["date"]
    ]
    return overlaps(spans, minutes(wanted["start"]), minutes(wanted["end"]))


SERIES = (SearchMeetings, ListSeries, GetMeeting, InviteToSeries, RemoveFromSeries)
CALENDAR = (*SERIES, ListMeetings, BusyTimes, ListRooms, GetRoom, RoomBookings, MoveMeeting, CreateMeeting, CancelMeeting)
