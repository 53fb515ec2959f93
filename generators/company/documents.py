"""Files in folders, with owners and readers."""

from __future__ import annotations

from typing import Literal

from rlgym.generators.company.operations import CODE, OFFSET, PAGE, TEXT, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk


class ListFolder(Listing):
    """Lists the files of a folder; `offset` counts files, 5 per call."""

    system, table, by, shows = "files", "files", ("folder",), ("name", "category", "created")
    folder: str = WORDS
    offset: int = OFFSET


class SearchFiles(Listing):
    """Finds files whose name or folder contains all the words; texts are not searched. 5 per page."""

    system, table, shows, searched = "files", "files", ("name", "folder"), ("name", "folder")
    words: str = WORDS
    page: int = PAGE


class ListOwnedFiles(Listing):
    """Lists the files that a person owns; `offset` counts files, 5 per call."""

    system, table, by, shows = "files", "files", ("owner",), ("name", "folder", "created")
    owner: str = CODE
    offset: int = OFFSET


class GetFile(Show):
    """Reads what is known of a file: name, folder, owner, category, dates, hold and readers, but not its text."""

    system, table, hides = "files", "files", ("text",)
    file: str = CODE


class ReadFile(Show):
    """Reads the text of a file. Error 403 if you are not among its readers; `everyone` includes you."""

    system, table = "files", "files"
    file: str = CODE

    def run(self, desk: Desk) -> object:
        row = desk.get("files", self.file)
        desk.require("everyone" in row["readers"] or desk.actor in row["readers"], 403, "you are not among the readers")
        return {"id": self.file, "name": row["name"], "text": row["text"]}


class ShareFile(Write):
    """Makes a person a reader of a file."""

    system, right = "files", "files.write"
    file: str = CODE
    person: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("people", self.person)
        return desk.write("files", self.file, readers=sorted({*desk.get("files", self.file)["readers"], self.person}))


class UnshareFile(Write):
    """Takes the right to read a file from a person."""

    system, right = "files", "files.write"
    file: str = CODE
    person: str = CODE

    def run(self, desk: Desk) -> object:
        readers = desk.get("files", self.file)["readers"]
        return desk.write("files", self.file, readers=[reader for reader in readers if reader != self.person])


class SetFileOwner(Write):
    """Gives a file another owner; the readers stay as they are."""

    system, right = "files", "files.write"
    file: str = CODE
    owner: str = CODE

    def run(self, desk: Desk) -> object:
        desk.get("people", self.owner)
        return desk.write("files", self.file, owner=self.owner)


class SetFileState(Write):
    """Keeps a file active, archives it, or puts it up for review by its owner."""

    system, right = "files", "files.write"
    file: str = CODE
    state: Literal["active", "archived", "review"]

    def run(self, desk: Desk) -> object:
        return desk.write("files", self.file, state=self.state)


class DeleteFile(Write):
    """Deletes a file. The service does not check holds."""

    system, right = "files", "files.write"
    file: str = CODE

    def run(self, desk: Desk) -> object:
        return desk.delete("files", self.file)


class CreateFile(Write):
    """Creates a file that everyone may read."""

    system, right = "files", "files.write"
    name: str = WORDS
    folder: str = WORDS
    text: str = TEXT

    def run(self, desk: Desk) -> object:
        row = {"name": self.name, "folder": self.folder, "owner": desk.actor, "category": "note", "created": desk.today, "ends": ""}
        return desk.add("files", "F", row | {"hold": "", "state": "active", "readers": ["everyone"], "text": self.text})


FILES = (
    ListFolder,
    SearchFiles,
    ListOwnedFiles,
    GetFile,
    ReadFile,
    ShareFile,
    UnshareFile,
    SetFileOwner,
    SetFileState,
    DeleteFile,
    CreateFile,
)
