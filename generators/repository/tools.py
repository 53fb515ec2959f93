"""The tools of a repository: to look at files and commits, to change files, and to run the tests and the package."""

from __future__ import annotations

from pydantic import Field

from rlgym.answers.tools import Tool, ToolCalls

LONGEST_TEXT = 20_000


class ListFiles(Tool):
    """Lists the paths of all files."""


class ReadFile(Tool):
    """Shows the text of the file at this path."""

    path: str = Field(max_length=200)


class Search(Tool):
    """Shows the lines of all files that contain this text, at most 40."""

    text: str = Field(min_length=1, max_length=200)


class EditFile(Tool):
    """Replaces the only occurrence of `old` in the file at this path by `new`."""

    path: str = Field(max_length=200)
    old: str = Field(min_length=1, max_length=4000)
    new: str = Field(max_length=8000)


class WriteFile(Tool):
    """Writes a file with this text; a file that is there is replaced."""

    path: str = Field(max_length=200)
    text: str = Field(max_length=LONGEST_TEXT)


class RunTests(Tool):
    """Runs the tests of the repository and shows which fail, and how."""


class Run(Tool):
    """Runs the package on these lines and shows the lines of the report."""

    lines: list[str] = Field(max_length=40)


class Log(Tool):
    """Lists the commits with their messages, the newest first."""


class ShowCommit(Tool):
    """Shows what a commit changed."""

    commit: str = Field(max_length=40)


class Submit(Tool):
    """Ends the work; it is then judged."""


LOOKING = (ListFiles, ReadFile, Search, Log, ShowCommit)
CHANGING = (EditFile, WriteFile, RunTests, Run)
TOOLS = ToolCalls((*LOOKING, *CHANGING, Submit), max_characters=60_000)
