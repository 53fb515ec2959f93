"""What the JSON format reads, what it refuses, and that texts keep their lines."""

import pytest

from rlgym.answers import Json, Passage, Unreadable


def test_layout_and_order_of_keys_do_not_count_and_types_do() -> None:
    read = Json().parse
    assert read('{"b": 1.0, "a": [true, null]}') == read('```json\n{"a":[true,null],\n"b":1}\n```')
    assert len({read(text) for text in ("1", '"1"', "true", "null", "[1]", '{"1": 1}')}) == 6


@pytest.mark.parametrize(
    "text", ["", "[" * 19999, '{"a": 1, "a": 1}', "NaN", "-Infinity", "1e999", "9" * 5000, '"\\ud800"', "{'a': 1}", "1 2", "[" * 10**6]
)
def test_what_is_no_single_value_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        Json().parse(text)


def test_a_passage_keeps_lines_paragraphs_and_indents() -> None:
    read = Passage().parse
    assert read("\n\n a  b \r\n\n\n\n  c\n") == "a  b\n\n  c"
    for text in ("", " \n ", "x" * 8001, "\n" * 10**6):
        with pytest.raises(Unreadable):
            read(text)
