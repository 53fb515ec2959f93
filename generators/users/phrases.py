"""How people of different sorts put what they say, by their mood."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rlgym.core.rng import Rng
from rlgym.generators.users.readings import named_reading

MOST_QUOTED = 3
LONGEST_QUOTATION = 12
PERSONAS = ("brief", "chatty", "cross", "formal", "forgetful", "worried")
_OPENERS: Mapping[str, Sequence[str]] = {
    "brief": ("", "", "Sure. ", "OK. ", "Right. "),
    "chatty": ("Oh, good that you ask. ", "Well, where do I begin. ", "Good question. ", "Let me tell you. ", "Ah yes! "),
    "cross": ("Fine. ", "If I must. ", "All right, all right. ", "Honestly, these questions. ", ""),
    "formal": ("Certainly. ", "Of course. ", "With pleasure. ", "I am glad to answer. ", ""),
    "forgetful": ("Let me see... ", "Hm, now I have it. ", "Now it comes back to me. ", "Wait... now I know. ", ""),
    "worried": ("Hm. ", "Well, I am a bit nervous. ", "Let me get this right. ", "Excuse my nerves. ", ""),
}
_CLOSERS: Mapping[str, Sequence[str]] = {
    "brief": ("", "", "", ""),
    "chatty": (" I do like to talk to somebody.", " There you have it.", " That was easy to answer.", "", ""),
    "cross": (" Can we move on?", " And be quick, please.", " I have been waiting long enough.", "", ""),
    "formal": (" Thank you for asking.", " I hope this helps.", "", ""),
    "forgetful": (" It took me a while.", " Good that you asked.", "", ""),
    "worried": (" I hope you can help.", " I hope that is of use.", "", ""),
}
ANGRY = 2
"""Moods from -ANGRY downwards show."""
_ANGRY = ("I am losing my patience. ", "This is taking far too long. ", "I have had enough of this. ", "Really? ")
_PLEASED = ("Thank you, that is kind. ", "You are very friendly. ", "I appreciate it. ")
ASIDES: Mapping[str, Sequence[str]] = {
    "later": (
        "One moment, I must look for it. Please ask me again.",
        "It was on the tip of my tongue. Ask me once more, please.",
        "Wait, someone is at the door. Could you ask that again?",
        "I have it written down somewhere. Give me a second and ask again.",
    ),
    "unclear": (
        "Sorry, what do you mean?",
        "I do not understand what you want from me. What do you mean?",
        "Pardon? Could you put that another way?",
        "What do you mean by that?",
    ),
    "too_long": (
        "That is too much for me. Can you say it in a few words?",
        "I cannot follow all that. In short, please: what do you mean?",
    ),
    "many": (" One thing at a time, please; I have forgotten the rest.", " That was a lot of questions. Ask me the others again."),
    "small_talk": ("Thank you for asking.", "Kind of you to ask.", "A good day to you, too."),
    "thanks": ("You are welcome.", "Do not mention it.", "Glad to help."),
    "rest": (" I did not get the rest.", " The rest I did not understand.", " And what was the other thing? I did not get that."),
    "unknown_fact": ("I do not know that.", "I have no idea, sorry.", "I could not tell you.", "That I do not know."),
    "repeat": ("As I said: ", "I told you before: ", "Once again: ", "I have said that already. "),
    "acknowledge": ("OK.", "I see.", "All right.", "Understood.", "Mm-hm."),
    "wait": ("Sure, take your time.", "OK, I will wait.", "No problem.", "Fine, I am here."),
    "bye": ("Goodbye.", "Bye, then.", "Thank you, goodbye.", "See you."),
    "hurt": ("There is no need to be rude.", "I will not be spoken to like that.", "Excuse me?"),
    "hang_up": ("That is enough. Goodbye.", "I will try somewhere else. Goodbye.", "This leads nowhere. Goodbye."),
    "gone": ("(Nobody answers any more.)",),
    "by_the_way": ("By the way: ", "Before I forget: ", "Oh, and one more thing: ", "I should mention: "),
}


def aside(rng: Rng, kind: str) -> str:
    """A remark of a kind, such as `later` for somebody who cannot answer yet."""
    return rng.choice(ASIDES[kind])


def not_got(clauses: Sequence[str]) -> str:
    """What is said about the questions of a message that were not understood: exactly those, in the agent's words; nothing without any."""
    quoted = [f'"{_short(clause)}"' for clause in clauses[:MOST_QUOTED] if clause.strip()]
    return f" I did not get {' and '.join(quoted)}." if quoted else ""


def ask_back(intents: Sequence[str]) -> str:
    """What is added to "What do you mean?": the nearest readings of what was said, if there are any."""
    named = list(dict.fromkeys(map(named_reading, intents)))
    return f" Is it about {' or about '.join(named)}?" if named else ""


def _short(clause: str) -> str:
    """A clause in the length of a quotation."""
    words = clause.strip(" ?!.,;:\"'").split()
    return " ".join(words[:LONGEST_QUOTATION])[:80] + ("..." if len(words) > LONGEST_QUOTATION else "")


_DECIDED = re.compile(r"(?:yes|no|not|nothing|none|certainly not|never|fine|of course|sorry|ok|all right|done)\b", re.IGNORECASE)
_NOTHING_MORE = re.compile(
    r"(?:[Tt]hat (?:is|was) (?:all|everything)|(?:No, n|N)othing (?:else|more)|Nothing, then| as it is)(?:, thank you)?\.$"
)
_LOWER_START = re.compile(r"[a-z]+(?= |$|[,.!?])")


def spoken(rng: Rng, persona: str, mood: int, words: str) -> str:
    """Something said in the manner of a persona, with a sign of a bad or a good mood.

    What begins with a yes or a no stands without the opening words that might be taken for another answer, and without a hope for help. Where nothing
    more is wanted, any remark would be out of place.
    """
    opener = (
        rng.choice(_ANGRY) if mood <= -ANGRY else rng.choice(_PLEASED) if mood > 0 and rng.chance(0.3) else rng.choice(_OPENERS[persona])
    )
    closer = rng.choice(_CLOSERS[persona])
    decided = _DECIDED.match(words)
    if decided and mood > -ANGRY:
        opener = ""
    if decided and closer.startswith(" I hope"):
        closer = ""
    if _NOTHING_MORE.search(words):
        opener, closer = opener if mood <= -ANGRY else "", ""
    if _LOWER_START.match(words):
        words = words[0].upper() + words[1:]
    return f"{opener}{words}{closer}"
