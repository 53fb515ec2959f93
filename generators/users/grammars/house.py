"""What people in a house are asked after a theft."""

from __future__ import annotations

from rlgym.generators.users.intents import Grammar, either

_PLACE = r"(?:room|place|location|part of the house|spot)"
GRAMMAR = Grammar(
    asks={
        "where": either(
            r"where(?:abouts)?",
            r"(?<=^and )(?!the\b|so\b|then\b)[a-z]+(?=\?)",
            rf"(?:which|what) {_PLACE}s?",
            rf"{_PLACE}s? (?:of|was|were|did|that)",
            r"location",
            "alibi",
            r"(?:what|how) about (?!the|that|this|it|you|your|a)\w+",
            r"(?:was|were) (?!any|some)\w+ in the",
            r"position",
            r"(?:see|saw|seen|spot|notice)\w*",
        ),
        "doing": either(
            r"what (?:were|was|did)\b.*\b(?:doing|do|up to)", r"what (?:do|did|can|could) you (?:know|tell|hear|remember)", "what happened"
        ),
        "thief": either(
            r"who (?:stole|took|did it|is the thief|committed|was it|do you)",
            r"(?:did|have) (?:you|\w+) (?:steal|stole|stolen|take|took|do it)",
            r"thief",
            r"suspect\w*",
            "guilty",
        ),
        "room": either(
            "(?:which|what) (?:people|persons|others|of (?:you|them))",
            r"who (?:else )?(?:was|were|went|came|has been|had been)(?! with you)",
            r"(?:anyone|anybody|someone|somebody) (?:was |were |else )?(?:in|inside|enter\w*)",
            r"how many",
        ),
        "truth": either(r"(?:lie|lies|lying|liar|lied|truth|truthful|honest|honestly|sure|certain|really)"),
        "alone": either(r"alone", r"(?:were|was) (?:you|\w+) (?:with|together)", r"with (?:whom|you)", "company"),
        "name": either(r"your (?:full |last |first )*name", r"who are you"),
    },
    hints={"ask:where": r"\b(?:was|were|room|evening|night)\b"},
    excludes={
        "ask:where": ("ask:doing", "ask:alone", "ask:truth", "ask:room"),
        "ask:thief": ("ask:where", "ask:room", "ask:truth"),
        "ask:room": ("ask:where", "ask:alone"),
    },
    slots={"ask:where": r"\b(?:was|were|is) (?:\w+ )?in (?:the )?\w+"},
)
