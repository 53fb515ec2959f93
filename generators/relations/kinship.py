"""Kinds of kin, and who is what to whom in a family of couples and their children."""

from collections.abc import Callable, Sequence

BASIC = {"parent": ("father", "mother"), "child": ("son", "daughter"), "spouse": ("husband", "wife"), "sibling": ("brother", "sister")}


BLOOD = {
    (1, 0): ("father", "mother"),
    (0, 1): ("son", "daughter"),
    (1, 1): ("brother", "sister"),
    (2, 0): ("grandfather", "grandmother"),
    (0, 2): ("grandson", "granddaughter"),
    (2, 1): ("uncle", "aunt"),
    (1, 2): ("nephew", "niece"),
    (2, 2): ("cousin", "cousin"),
    (3, 0): ("great-grandfather", "great-grandmother"),
    (0, 3): ("great-grandson", "great-granddaughter"),
    (3, 1): ("great-uncle", "great-aunt"),
    (1, 3): ("great-nephew", "great-niece"),
    (3, 3): ("second-cousin", "second-cousin"),
}


MARRIED = {
    "spouse": ("husband", "wife"),
    "parent": ("father-in-law", "mother-in-law"),
    "child": ("son-in-law", "daughter-in-law"),
    "sibling": ("brother-in-law", "sister-in-law"),
}


CLOSE = ("father", "mother", "son", "daughter", "brother", "sister", "husband", "wife")


WIDE = (
    "grandfather",
    "grandmother",
    "grandson",
    "granddaughter",
    "uncle",
    "aunt",
    "nephew",
    "niece",
    "cousin",
    *(w for k in MARRIED for w in MARRIED[k]),
)


FAR = tuple(word for pair, words in BLOOD.items() if 3 in pair for word in dict.fromkeys(words))


RULES = (
    "In this family, brothers and sisters have the same father and the same mother, who are husband and wife; nobody has children "
    "outside marriage, and nobody marries twice."
)
WIDE_RULES = (
    " An uncle or aunt is a brother or sister of a parent, and a nephew or niece is a child of a brother or sister; their husbands and wives do not "
    "count. Cousins are children of siblings. A brother-in-law or sister-in-law is the husband or wife of a brother or sister, or a brother or "
    "sister of one's husband or wife."
)
FAR_RULES = (
    " A great-uncle or great-aunt is a brother or sister of a grandparent, and a great-nephew or great-niece is a grandchild of a brother or sister. "
    "Second-cousins are children of cousins."
)


Couple = Callable[[str], object]


class Kin:
    """Who is what to whom, where it is known of everybody which couple they were born to, and which they are half of."""

    def __init__(self, people: Sequence[str], born: Couple, makes: Couple) -> None:
        self.people, self.born, self.makes = people, born, makes
        self.known: dict[str, dict[object, int]] = {}
        self.married: dict[str, list[str]] = {}

    def above(self, name: str) -> dict[object, int]:
        """The couples from whom somebody descends, and in which generation."""
        if name not in self.known:
            out, level = {self.born(name): 1}, [self.born(name)]
            for generation in (2, 3):
                level = [self.born(parent) for parent in self.people if self.makes(parent) in level]
                for couple in level:
                    out.setdefault(couple, generation)
            self.known[name] = out
        return self.known[name]

    def partners(self, person: str) -> list[str]:
        """Whom somebody is married to, at most one."""
        if person not in self.married:
            self.married[person] = [name for name in self.people if name != person and self.makes(name) == self.makes(person)]
        return self.married[person]

    def word(self, a: str, b: str, woman: bool) -> str:
        """What a is to b; an empty text where there is no word for it here."""
        over_a, over_b, born, makes = self.above(a), self.above(b), self.born, self.makes
        blood = [(over_b[couple], over_a[couple]) for couple in over_b if couple in over_a]
        if makes(a) in over_b:
            blood.append((over_b[makes(a)], 0))
        if makes(b) in over_a:
            blood.append((0, over_a[makes(b)]))
        if makes(a) == makes(b):
            return MARRIED["spouse"][woman]
        if blood:
            return BLOOD.get(min(blood, key=sum), ("", ""))[woman]
        of_a, of_b = self.partners(a), self.partners(b)
        if any(makes(a) == born(name) for name in of_b):
            return MARRIED["parent"][woman]
        if any(born(name) == makes(b) for name in of_a):
            return MARRIED["child"][woman]
        if any(born(a) == born(name) for name in of_b) or any(born(name) == born(b) for name in of_a):
            return MARRIED["sibling"][woman]
        return ""
