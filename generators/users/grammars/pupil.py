"""What pupils are asked who get sums wrong."""

from __future__ import annotations

from rlgym.generators.users.intents import Grammar
from rlgym.generators.users.sums import ANY_SUM

GRAMMAR = Grammar(
    asks={
        "solve": ANY_SUM,
        "explain": r"\bhow (?:exactly )?(?:did|do|have) you\b|\b(?:your|the|what|which|first|show me the|tell me the|step by) steps?\b|"
        r"\bstep by step\b|\bthrough (?:your|the) (?:steps|working|thinking|method|calculation)\b|"
        r"\b(?:your|the) (?:work(?:ing|ings)?|thinking|method|reasoning|calculation|approach)\b|\bhow you (?:did|do|got|get|work\w*|came|"
        r"calculated|found|solved)\b|"
        r"\bwhy did you\b|\bwhat did you do\b|\bwhat you did\b|\b(?:tens|ones|hundreds|column|digits?)\b.*\?|\bcome to (?:that|this)\b",
        "tired": r"\btired\b|\bbreaks?\b|\b(?:stop|pause|rest) for\b|\brest\b",
        "topic": r"\b(?:sums?|calculations?|exercises?|problems?|maths?) (?:that )?you (?:do not like|dislike|hate|find|like least)\b|\bgiving you "
        r"(?:\w+ )?(?:trouble|problems|difficult\w+)\b|\bwhere (?:do|are) you (?:have|having|get) (?:\w+ )?(?:problems?|"
        r"trouble|difficult\w+)\b|\b(?:sums?|calculations?|exercises?|maths?|problems?)\b.*\b(?:challeng\w*|demanding)\b|\bchalleng\w*\b.*\b(?:sums?|"
        r"calculations?|"
        r"exercises?|maths?|problems?)\b|\bfor you (?:hard|difficult)\b|\bget stuck\b|\bstuck\b|\bconfus\w+\b|\bcauses? you (?:problems|"
        r"difficult\w+)\b|\bgo(?:es)? wrong for you\b|\bstruggle with\b|\b(?:hardest|toughest|trickiest|most difficult)\b|\b(?:struggle|difficult\w*|"
        r"trouble|tough)\b(?! (?:that|this|"
        r"one))(?=.*\b(?:sums?|calculat\w*|arithmetic|maths?|part|kind|you)\b)|\bstruggle with when\b|\b(?:find|gives?|"
        r"makes?) (?:\w+ ){0,3}(?:hard(?:er)?|difficult|trouble|trickier|tricky|easier)\b|\b(?:is|are) (?:\w+ ){0,3}(?:hard(?:er)?|easier|trickier|difficult|"
        r"tricky)\b|\b(?:hard|difficult|tricky) for you\b|\bmore trouble\b|"
        r"\b(?:kinds?|types?|sorts?|part) of (?:problems?|sums?|exercises?|tasks?|maths?)\b|\btopics?\b|\byou (?:get|got) wrong\b",
    },
    actions={
        "praise": r"\b(?:(?:try|trying|working) (?:so |very |really )?hard|you (?:worked|tried|work) (?:very |so |really )?hard|"
        r"(?:well|nicely|beautifully|brilliantly) (?:done|"
        r"worked|solved|explained|calculated)|"
        r"(?:did|do|doing|done|work\w*|calculat\w*|explain\w*) (?:\w+ )?(?:well|"
        r"nicely|great|beautifully|brilliantly)|"
        r"brave|impressive|clever|smart|well done|(?:good|great|nice|excellent|fantastic|super) (?:job|work|effort|going|"
        r"thinking|try)|very good|excellent|"
        r"fantastic|brilliant|bravo|perfect|"
        r"keep going|you are (?:doing|almost|so|very)|that is (?:right|great|correct|good|excellent)|you can do (?:it|this)|(?:do not|"
        r"no) worr(?:y|ies)|proud of|i like how|"
        r"i am (?:\w+ )?impressed|(?:lot|lots) of effort|good (?:boy|girl|lad|lass|one|stuff|work)|awesome|amazing|terrific|superb|wonderful|"
        r"marvellous|outstanding|spot on|you are an? (?:\w+ "
        r")?(?:star|genius|champ\w*|natural|legend|pro)|"
        r"(?:that|you) (?:was|were) (?:\w+ )?(?:quick|fast)|you (?:nailed|got) it|way to go|"
        r"nice)\b(?! (?:to meet|day))"
    },
    opening=r"\bstruggling with\b|\b(?:what|which) (?:would you like to|do you want to|shall we|should we) (?:practi[cs]e|work on|do|learn|start)\b|"
    r"\bwhat is the trouble\b|\bneed help with\b",
    hints={
        "anything_else": r"\belse\b|\bother questions\b",
        "ask:topic": r"\b(?:hard|difficult|trouble)\b",
        "ask:explain": r"\b(?:explain|how(?! many| much))\b",
        "open": r"\b(?:help|problem|homework|practi[cs]e)\b",
    },
    excludes={
        "ask:solve": ("ask:explain", "ask:topic", "open", "anything_else"),
        "ask:tired": ("do:praise",),
        "ask:topic": ("open",),
        "ask:explain": ("open",),
    },
    first=("ask:topic", "ask:solve"),
    states=("do:praise", "ask:solve"),
)
