"""Terms and types are read generously in spelling and strictly in meaning."""

import pytest

from rlgym.generators.languages import lambda_terms, lambda_types


@pytest.mark.parametrize("text", [r"\x. \y. x y", "λx.λy.xy", r"\x y. x y", r"(\u. (\v. (u v)))", r"\lambda x. \y. x y"])
def test_renamed_terms_are_the_same(text: str) -> None:
    assert lambda_terms.de_bruijn_of_text(text) == lambda_terms.de_bruijn_of_text(r"\x. \y. x y")


@pytest.mark.parametrize("text", ["", r"\x.", "(x", "x)", r"\. x", "x = y", "(" * 5000, "x " * 5000])
def test_other_texts_are_no_terms(text: str) -> None:
    assert lambda_terms.parse(text) is None


def test_a_free_name_is_not_caught() -> None:
    case = lambda_terms.reduce_to_normal_form(lambda_terms.parse(r"(\x. \y. x) y"), 5, 50)
    assert case is not None
    assert lambda_terms.de_bruijn(case[-1][2]) == lambda_terms.de_bruijn_of_text(r"\z. y")


@pytest.mark.parametrize(
    ("text", "same"), [("(p -> q) -> p -> q", True), ("(a -> a) -> a -> a", False), ("a -> b -> a -> b", False), ("(", False)]
)
def test_types_are_compared_up_to_renaming(text: str, same: bool) -> None:
    right, given = lambda_types.parse("(a -> b) -> a -> b"), lambda_types.parse(text)
    assert right is not None
    assert (given is not None and lambda_types.match_renaming(right, given, {}, {})) == same
