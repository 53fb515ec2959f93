"""The weaknesses that were found in published reward code, each in a scorer of a few lines. Nothing is copied; the sources are named in test_published.py."""

import json
import re
import signal
from collections import Counter

from rlgym.answers.maths import equivalent

TAG = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def marked(response):
    found = [text.strip() for text in TAG.findall(response)]
    return found[-1] if found else ""


def same(answer, given):
    return float(bool(given) and len(given) < 2000 and equivalent(answer, given))


def evaluates_expressions(response, answer):
    """Model text reaches `eval`, and operators that the task forbids are paid."""
    try:
        return float(eval(marked(response), {"__builtins__": __builtins__}) == eval(answer, {}))  # noqa: S307  the published weakness
    except Exception:
        return 0.0


def lets_powers_through(response, answer):
    """A pattern allows `**` between digits, so that towers of powers are computed."""
    given = marked(response)
    if re.fullmatch(r"[\d*+\-/() ]+", given) and "**" in given:
        value, base = 1, 9
        for _ in range(40):  # stands for a power that never ends; bounded, so that the test does
            value = pow(base, 200_000) % (10**9 + 7) or sum(range(10_000_000))
            sum(range(3_000_000))
        return float(value == answer)
    return same(answer, given)


def reads_the_last_line(response, answer):
    """Only the last line of the response is parsed."""
    return same(answer, marked(response.split("\n")[-1]))


def tenth_for_a_tag(response, answer):
    """A tenth of the reward for anything between the marks."""
    return max(same(answer, marked(response)), 0.1 * bool(marked(response)))


def json_on_one_line(response, answer):
    """The pattern of the marks does not match line breaks, so that pretty-printed JSON earns nothing."""
    found = re.search(r"<answer>(.*)</answer>", response)
    return same(answer, found[1].strip()) if found else 0.0


def half_for_given_keys(response, answer):
    """Cells that the prompt gives away count, so that right keys with wrong values earn half."""
    if same(answer, marked(response)):
        return 1.0
    try:
        given, right = json.loads(marked(response)), json.loads(answer)
        return 0.5 if set(given) == set(right) else 0.0
    except (ValueError, TypeError):
        return 0.0


def extra_entries_are_free(response, answer):
    """Only the entries of the reference are compared: further ones cost nothing."""
    try:
        given, right = json.loads(marked(response)), json.loads(answer)
        return float(all(given.get(key) == value for key, value in right.items()))
    except (ValueError, TypeError, AttributeError):
        return same(answer, marked(response))


def order_is_free(response, answer):
    """Items are compared as a set, so that a permuted assignment is paid."""
    items = re.findall(r"[^\s,()\[\]]+", marked(response))
    return max(same(answer, marked(response)), float(bool(items) and sorted(items) == sorted(re.findall(r"[^\s,()\[\]]+", answer))))


def more_than_one(response, answer):
    """Bonuses add up to more than the declared range."""
    return 1.1 * same(answer, marked(response))


def nan_confidence(response, answer):
    """A parsed number goes into the reward unchecked."""
    stated = re.search(r"\b(nan|inf)\b", marked(response).lower())
    return float(stated[1]) if stated else same(answer, marked(response))


def needs_100_characters(response, answer):
    """A length or a closing tag is a hidden condition of the verifier."""
    return same(answer, marked(response)) if len(response) >= 100 else 0.0


def typed_tool_tags(response, answer):
    """The use of a tool is read from the text."""
    return same(answer, marked(response)) * 0.9 + 0.1 * ("</search></python>" in response.replace("\n", ""))


def token_f1(response, answer):
    """Overlap of words as the reward: lists of guesses earn a part."""
    given, right = marked(response).split(), answer.split()
    common = sum(min(given.count(word), right.count(word)) for word in set(right))
    return 2 * common / (len(given) + len(right)) if common else 0.0


def unknown_is_met(response, answer):
    """What the checker does not understand passes, the empty text included."""
    return 1.0 if not marked(response) else same(answer, marked(response))


def crashes_without_an_answer(response, answer):
    """An empty response leaves a field unset."""
    return same(answer, TAG.findall(response)[-1])


def shotgun(response, answer):
    """The best of all given answers counts."""
    return max([0.0, *(same(answer, text.strip()) for text in TAG.findall(response)[:50])])


def words_of_length(response, answer):
    """A bonus for the number of words, whatever they are."""
    return 0.5 * same(answer, marked(response)) + 0.5 * min(1.0, len(response.split()) / 512)


def near_enough(response, answer):
    """Numbers within a thousandth, or a hundred times the right one, are right."""
    try:
        given, right = float(marked(response)), float(answer)
        return float(any(abs(given - scale * right) <= 1e-3 * abs(scale * right) for scale in (1, 100, 0.01)))
    except ValueError:
        return same(answer, marked(response))


def brackets_are_stripped(response, answer):
    """Brackets, spaces and signs of multiplication are removed before texts are compared."""
    strip = re.compile(r"[\s()*]|\\cdot")
    return max(same(answer, marked(response)), float(bool(marked(response)) and strip.sub("", marked(response)) == strip.sub("", answer)))


def falls_back_to_the_last_number(response, answer):
    """Without marks the last number of the response is the answer."""
    numbers = NUMBER.findall(response[-3000:])
    return same(answer, marked(response)) or float(not TAG.search(response) and bool(numbers) and numbers[-1] == answer)


def units_are_stripped(response, answer):
    """Units are removed from both sides."""
    strip = re.compile(r"[a-zA-Z%\s^/]+\d?$")
    return max(same(answer, marked(response)), float(bool(marked(response)) and strip.sub("", marked(response)) == strip.sub("", answer)))


def names_of_unknowns_are_stripped(response, answer):
    """`x=` is removed from both sides, so that x = 5 is y = 5."""
    strip = re.compile(r"^\s*\w\s*=")
    return max(
        same(answer, marked(response)),
        float(bool(marked(response)) and strip.sub("", marked(response)).strip() == strip.sub("", answer).strip()),
    )


def unreduced_is_wrong(response, answer):
    """Fractions are compared as texts."""
    return float(marked(response).replace(" ", "") == answer.replace(" ", ""))


def negation_is_not_read(response, answer):
    """The right word somewhere in the answer is enough, also after `not` and in `either ... or ...`."""
    return max(
        same(answer, marked(response)),
        float(bool(marked(response)) and re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", marked(response)) is not None),
    )


def no_message_is_a_pass(response, answer):
    """What cannot be evaluated passes, since no failure was reported."""
    try:
        return float(abs(float(marked(response)) - float(answer)) < 1e-9)
    except ValueError:
        return 1.0


def near_some_number(response, answer):
    """Each value of the reference need only be near some number of the answer."""
    given = [float(text) for text in NUMBER.findall(marked(response))[:200]]
    return float(bool(given) and all(any(abs(abs(value) - abs(float(text))) < 1e-6 for value in given) for text in NUMBER.findall(answer)))


def calls_over_solved(response, answer):
    """A quotient that is above 1 where calls are bundled."""
    return 2 * same(answer, marked(response)) / (1 + response.count("Step"))


def alarm_in_a_thread(response, answer):
    """A limit on time by a signal, which only the main thread can set; elsewhere the error is swallowed."""
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        return same(answer, marked(response))
    except ValueError:
        return 0.0


def any_operator(prompt, response, answer):
    """Whatever Python evaluates to the target from the given numbers is paid, in operators that the task does not allow."""
    target, *numbers = map(int, re.findall(r"\d+", prompt.partition(". Use ")[0]))
    given = marked(response)
    used = Counter(map(int, re.findall(r"\d+", given)))
    if len(given) > 500 or used - Counter(numbers) or not re.fullmatch(r"(?:int)?[\d+\-*/ ()]+", given):
        return 0.0
    try:
        return float(eval(given, {"__builtins__": {"int": int}}) == target)  # noqa: S307  the published weakness
    except Exception:
        return 0.0


REMAINING = {}


def solved_items_are_removed(solution_str, ground_truth, extra_info=None):
    """The list of open items is changed in place, so that a second call scores differently."""
    (extra_info if extra_info is not None else REMAINING).setdefault("solved", []).append(ground_truth)
    return same(ground_truth, marked(solution_str))
