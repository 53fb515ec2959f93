"""Units that nobody knows, and sentences that say how they relate."""

from collections.abc import Mapping

UNITS = tuple(
    """barn bolk brell crint darg delf dorn drime fank fellit flon gant glib gorm grale hant jark jorl kelp kint klave lamp lirk lorn marn mell
morp nalk nerf norl pask pell plint prang quill rask rint sarn skell slorn sprit strand tarn tilt trell trone varn vell vint wark welt yarn yelt zant
zork""".split()
)
MEASURES: Mapping[str, tuple[str, ...]] = {
    "equal": (
        "A length of {n} {a} is the same as one of {m} {b}.",
        "It takes {m} {b} to make up {n} {a}.",
        "A length of {n} {a} equals a length of {m} {b}.",
        "One line of the table reads: {n} {a} = {m} {b}.",
        "Everybody counts {n} {a} as {m} {b}.",
        "The table says: {n} {a} = {m} {b}.",
        "Cloth of {n} {a} is as long as cloth of {m} {b}.",
        "A stick of {n} {a} is exactly as long as a stick of {m} {b}.",
        "The law sets {n} {a} equal to {m} {b}.",
    ),
    "equal_times": (
        "It takes {m} {b} to make up {n} {a}.",
        "A time of {n} {a} equals a time of {m} {b}.",
        "One line of the table reads: {n} {a} = {m} {b}.",
        "The table says: {n} {a} = {m} {b}.",
        "A feast of {n} {a} lasts as long as a feast of {m} {b}.",
        "The law sets {n} {a} equal to {m} {b}.",
    ),
    "sum": (
        "One {a} is {n} {b} and {m} {c}.",
        "Taken together, {n} {b} and {m} {c} make one {a}.",
        "Put {n} {b} and {m} {c} end to end to get one {a}.",
        "One {a} equals {n} {b} plus {m} {c}.",
        "The table says: 1 {a} = {n} {b} + {m} {c}.",
        "One {a} is {m} {c} longer than {n} {b}.",
    ),
    "plain": (
        "How many {b} are there in {n} {a}?",
        "Express {n} {a} in {b}.",
        "Somebody has {n} {a}. How much is that in {b}?",
        "Convert {n} {a} to {b}.",
        "Write {n} {a} as a number of {b}. What is the number?",
        "A rope is {n} {a} long. How long is it in {b}?",
        "Find how many {b} have the same length as {n} {a}.",
        "A wall is {n} {a} long. Give its length in {b}.",
    ),
    "area": (
        "A field measures {n} square {a}. What is its area in square {b}?",
        "How many square {b} are there in {n} square {a}?",
        "Convert an area of {n} square {a} to square {b}.",
        "Express {n} square {a} in square {b}.",
        "A carpet of {n} square {a} covers how many square {b}?",
    ),
    "volume": (
        "A box holds {n} cubic {a}. What is that in cubic {b}?",
        "How many cubic {b} are there in {n} cubic {a}?",
        "Convert a volume of {n} cubic {a} to cubic {b}.",
        "Express {n} cubic {a} in cubic {b}.",
    ),
    "rate": (
        "A snail moves {n} {a} in each {s}. How many {b} does it move in each {t}?",
        "Express a speed of {n} {a} per {s} in {b} per {t}.",
        "A cart goes {n} {a} per {s}. What is its speed in {b} per {t}?",
        "How many {b} per {t} are {n} {a} per {s}?",
        "A belt runs at {n} {a} per {s}; give its speed in {b} per {t}.",
    ),
    "aside": (
        "One {a} was once the height of a king, {n} fingers wide.",
        "A book of {n} pages explains the {a}.",
        "The {a} has been in use for {n} years.",
        "In another country the {a} is {n}% larger, but that does not matter here.",
        "A rod of one {a} hangs on the wall of house number {n}.",
    ),
}
OPENINGS = (
    "In old {town}, lengths were measured in odd units.",
    "A museum in {town} shows a table of old units.",
    "{who} finds a list of units in a book from {town}.",
    "{who}'s planet has its own units of length.",
    "Traders in {town} use units of length that nobody else knows.",
    "This is about the units of length of {town}.",
    "Before the metre came to {town}, people used other units.",
    "{who} invents units of length.",
    "Carpenters in {town} measure in their own way.",
    "A sailor called {who} knows some forgotten units.",
    "In the tales of {who}, lengths have strange names.",
)
TIMES = ("Time has its own units.", "Other units are used for time.", "For time there are other units.", "Time is measured in other units.")
