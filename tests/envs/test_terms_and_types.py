"""Terms and types are read generously in spelling and strictly in meaning."""

import pytest

from rlgym.generators import lambdas, types


@pytest.mark.parametrize("text", [r"\x. \y. x y", "λx.λy.xy", r"\x y. x y", r"(\u. (\v. (u v)))", r"\lambda x. \y. x y"])
def test_renamed_terms_are_the_same(text: str) -> None:
    assert lambdas.meaning(text) == lambdas.meaning(r"\x. \y. x y")


@pytest.mark.parametrize("text", ["", r"\x.", "(x", "x)", r"\. x", "x = y", "(" * 5000, "x " * 5000])
def test_other_texts_are_no_terms(text: str) -> None:
    assert lambdas.parsed(text) is None


def test_a_free_name_is_not_caught() -> None:
    way = lambdas.reduced(lambdas.parsed(r"(\x. \y. x) y"), 5, 50)
    assert way is not None
    assert lambdas.indexed(way[-1][2]) == lambdas.meaning(r"\z. y")


@pytest.mark.parametrize(
    ("text", "same"), [("(p -> q) -> p -> q", True), ("(a -> a) -> a -> a", False), ("a -> b -> a -> b", False), ("(", False)]
)
def test_types_are_compared_up_to_renaming(text: str, same: bool) -> None:
    right, given = types.parsed("(a -> b) -> a -> b"), types.parsed(text)
    assert right is not None
    assert (given is not None and types.renamed(right, given, {}, {})) == same
