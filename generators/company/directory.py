"""The directory: people and groups."""

from __future__ import annotations

from typing import Literal

from rlgym.generators.company.operations import CODE, PAGE, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk


class SearchPeople(Listing):
    """Finds people whose name, title, department or e-mail contains all the words. 5 per page."""

    system, table, shows, searched = "directory", "people", ("name", "title", "department"), ("name", "title", "department", "email")
    words: str = WORDS
    page: int = PAGE


class GetPerson(Show):
    """Reads a person of the directory by code."""

    system, table = "directory", "people"
    person: str = CODE


class ListReports(Listing):
    """Lists the people whose direct manager is this person. 5 per page."""

    system, table, by, shows = "directory", "people", ("manager",), ("name", "title", "status")
    manager: str = CODE
    page: int = PAGE


class SetManager(Write):
    """Gives a person another direct manager."""

    system, right = "directory", "directory.write"
    person: str = CODE
    manager: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("people", self.manager)
        return desk.write("people", self.person, manager=self.manager)


class SetPersonStatus(Write):
    """Sets the status of a person."""

    system, right = "directory", "directory.write"
    person: str = CODE
    status: Literal["active", "starting", "leaving", "left"]

    def run(self, desk: Desk) -> object:
        return desk.write("people", self.person, status=self.status)


class ListGroups(Listing):
    """Lists the groups that a person is a member of. 5 per page."""

    system, table, by, shows = "directory", "groups", ("members",), ("name", "owner")
    members: str = CODE
    page: int = PAGE


class ListOwnedGroups(Listing):
    """Lists the groups that a person owns. 5 per page."""

    system, table, by, shows = "directory", "groups", ("owner",), ("name",)
    owner: str = CODE
    page: int = PAGE


class SearchGroups(Listing):
    """Finds groups whose name contains all the words. 5 per page."""

    system, table, shows, searched = "directory", "groups", ("name", "kind"), ("name",)
    words: str = WORDS
    page: int = PAGE


class GetGroup(Show):
    """Reads a group with its owner and members."""

    system, table = "directory", "groups"
    group: str = CODE


class AddMember(Write):
    """Adds a person to a group. Error 409 if the person is a member already."""

    system, right = "directory", "directory.write"
    group: str = CODE
    person: str = CODE

    def run(self, desk: Desk) -> object:
        members = desk.get("groups", self.group)["members"]
        desk.get("people", self.person)
        desk.require(self.person not in members, 409, "the person is a member already")
        return desk.write("groups", self.group, members=[*members, self.person])


class RemoveMember(Write):
    """Removes a person from a group. Error 409 for its owner: set another owner first."""

    system, right = "directory", "directory.write"
    group: str = CODE
    person: str = CODE

    def run(self, desk: Desk) -> object:
        group = desk.get("groups", self.group)
        desk.require(self.person in group["members"], 404, "the person is no member")
        desk.require(self.person != group["owner"], 409, "the person owns the group")
        return desk.write("groups", self.group, members=[member for member in group["members"] if member != self.person])


class SetGroupOwner(Write):
    """Gives a group another owner, who must be a member. The former owner stays a member."""

    system, right = "directory", "directory.write"
    group: str = CODE
    owner: str = CODE

    def run(self, desk: Desk) -> object:
        desk.require(self.owner in desk.get("groups", self.group)["members"], 409, "the new owner is no member")
        return desk.write("groups", self.group, owner=self.owner)


PEOPLE_READ = (SearchPeople, GetPerson, ListReports)
GROUPS = (ListGroups, ListOwnedGroups, SearchGroups, GetGroup, AddMember, RemoveMember, SetGroupOwner)
DIRECTORY = (*PEOPLE_READ, SetManager, SetPersonStatus, *GROUPS)
