"""Terms of the lambda calculus with typed constants: written and read."""

from typing import Any

CONSTANTS = {
    "zero": "int",
    "yes": "bool",
    "inc": "int -> int",
    "odd": "int -> bool",
    "less": "int -> int -> bool",
    "pick": "bool -> a -> a -> a",
    "twice": "(a -> a) -> a -> a",
    "flip": "(a -> b -> c) -> b -> a -> c",
}


FORMS = {"pure": (), "constants": tuple(CONSTANTS), "let": tuple(CONSTANTS)}


def names_in(term: Any) -> set[str]:
    return {term} if isinstance(term, str) else set().union(*(names_in(part) for part in term))


def render_term(term: Any) -> str:
    if isinstance(term, str):
        return term
    if len(term) == 4:
        return f"let {term[1]} = {render_term(term[2])} in {render_term(term[3])}"
    if len(term) == 3:
        return f"\\{term[1]}. {render_term(term[2])}"
    left, right = term
    first = f"({render_term(left)})" if not isinstance(left, str) and len(left) > 2 else render_term(left)
    return f"{first} {right if isinstance(right, str) else f'({render_term(right)})'}"


def parse_term(text: str) -> Any:
    """The term that the prompt spells; never used on an answer."""
    words = text.replace("(", " ( ").replace(")", " ) ").replace("\\", " \\ ").replace(".", " . ").split()

    def read_application() -> Any:
        term_read: Any = None
        while words and words[0] not in (")", "in"):
            word = words.pop(0)
            part: Any = word
            if word == "\\":
                name = words.pop(0)
                words.pop(0)
                part = ("\\", name, read_application())
            elif word == "let":
                name = words.pop(0)
                words.pop(0)
                value = read_application()
                words.pop(0)
                part = ("let", name, value, read_application())
            elif word == "(":
                part = read_application()
                words.pop(0)
            term_read = part if term_read is None else (term_read, part)
        return term_read

    return read_application()
