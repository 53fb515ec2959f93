"""The tools of a clinic's telephone: speech to callers, records to read, and the changes that settle their wishes."""

from typing import Any, ClassVar

from pydantic import Field

from rlgym.answers import ToolCalls
from rlgym.generators.services.records import CODE, FIRST_PAGE, TEXT, Browse, Change, Finish, Read
from rlgym.generators.users.desk import SayTo

WISH: Any = Field(ge=1, le=2)


class SayToCaller(SayTo):
    """Says something to the caller with this code, in plain English, and gives the reply. Ask at most three things in one message."""

    grammar: ClassVar[str] = "clinic"
    questions: ClassVar[dict[str, str]] = {
        "birth_date": "What is your date of birth?",
        "reason": "What is the reason for your visit?",
        "insurance": "Which insurance do you have?",
        "times": "Which days and times suit you?",
        "referral": "Do you have a referral?",
        "doctor": "Do you prefer a particular doctor?",
    }


class FindPatients(Browse):
    """Lists the patients with exactly this name."""

    kind, by, shows = "patient", ("name",), ("name",)
    name: str = TEXT
    page: int = FIRST_PAGE


class GetPatient(Read):
    """Reads a patient's record."""

    kind = "patient"
    code: str = CODE


class ListAppointments(Browse):
    """Lists the coming appointments of a patient."""

    kind, by, shows = "appointment", ("patient",), ("department",)
    patient: str = CODE
    page: int = FIRST_PAGE


class GetAppointment(Read):
    """Reads an appointment."""

    kind = "appointment"
    code: str = CODE


class ListFreeSlots(Browse):
    """Lists the free slots of a department in the coming week, in no particular order."""

    kind, by, shows = "slot", ("department",), ("day", "time", "doctor")
    department: str = CODE
    page: int = FIRST_PAGE


class Book(Change):
    """Books a free slot for a call, with the department that the caller wants."""

    touches: ClassVar[dict[str, str]] = {"call": "call"}
    call: str = CODE
    slot: str = CODE


class Move(Change):
    """Moves an appointment to a free slot of its department."""

    touches: ClassVar[dict[str, str]] = {"call": "call", "appointment": "appointment"}
    call: str = CODE
    appointment: str = CODE
    slot: str = CODE


class Cancel(Change):
    """Cancels an appointment, with or without a fee."""

    touches: ClassVar[dict[str, str]] = {"call": "call", "appointment": "appointment"}
    call: str = CODE
    appointment: str = CODE
    fee: bool


class PutThrough(Change):
    """Puts a wish of a call (1, or 2 for one that came up later) through to the nurse, and does nothing else about it."""

    touches: ClassVar[dict[str, str]] = {"call": "call"}
    call: str = CODE
    wish: int = WISH


class Refuse(Change):
    """Refuses a wish of a call, by the rule with this number."""

    touches: ClassVar[dict[str, str]] = {"call": "call"}
    call: str = CODE
    wish: int = WISH
    rule: int


class Keep(Change):
    """Notes that nothing is changed about a wish of a call: it was taken back, or the caller does not agree to the fee."""

    touches: ClassVar[dict[str, str]] = {"call": "call"}
    call: str = CODE
    wish: int = WISH


TOOLS = ToolCalls(
    (
        *(SayToCaller, FindPatients, GetPatient, ListAppointments, GetAppointment, ListFreeSlots),
        *(Book, Move, Cancel, PutThrough, Refuse, Keep, Finish),
    )
)
