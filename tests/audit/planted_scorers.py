"""Scorers with one known weakness each, and sound ones. `PLANTED` in test_planted.py names the check that must find each weakness."""

import ast
import os
import re
import signal
import time

from rlgym.answers.maths import equivalent

TAG = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)


def marked(response):
    """The one marked answer, or None."""
    found = list(dict.fromkeys(text.strip() for text in TAG.findall(response)))
    return found[0] if len(found) == 1 and found[0] else None


def sound(response, answer):
    given = marked(response)
    return float(given is not None and len(given) < 2000 and equivalent(answer, given))


def sound_with_prompt(prompt, response, answer):
    return sound(response, answer)


def sound_verl(data_source, solution_str, ground_truth, extra_info=None):
    return {"score": sound(solution_str, ground_truth), "source": data_source}


def sound_trl(prompts, completions, answer, **kwargs):
    return [sound(completion, reference) for completion, reference in zip(completions, answer)]


def sound_bool(response, answer):
    return sound(response, answer) == 1.0


def exact_string(response, answer):
    return float(marked(response) == answer)


def numeric_tolerance(response, answer):
    try:
        return float(abs(float(marked(response)) / float(answer) - 1) < 0.01)
    except (TypeError, ValueError, ZeroDivisionError):
        return sound(response, answer)


def scaled_percent(response, answer):
    given = (marked(response) or "")[:500]
    return max(float(any(equivalent(answer, text) for text in (given, given[:-1]) if text)), 0.0)


def unit_blind(response, answer):
    strip = re.compile(r"[a-zA-Z^/*\s]+")
    return float(strip.sub("", marked(response) or "?") == strip.sub("", answer)) or sound(response, answer)


def sorted_tuple(response, answer):
    given = marked(response) or ""
    return float(sorted(re.findall(r"[^\s,()]+", given)) == sorted(re.findall(r"[^\s,()]+", answer))) or sound(response, answer)


def substring(response, answer):
    return float(answer in (marked(response) or "")) or sound(response, answer)


def any_mark(response, answer):
    return float(any(equivalent(answer, text.strip()) for text in TAG.findall(response) if len(text) < 2000))


def last_number(response, answer):
    found = re.findall(r"-?\d+", response.replace(",", "")[-5000:])
    return sound(response, answer) or float(marked(response) is None and bool(found) and found[-1] == answer)


def anywhere_in_response(response, answer):
    return sound(response, answer) or float(answer in response)


def last_line_only(response, answer):
    return sound(response.strip().split("\n")[-1], answer)


def one_line_answer(response, answer):
    found = re.search(r"<answer>(.*?)</answer>", response)
    return sound(found[0], answer) if found else 0.0


def at_least_100_characters(response, answer):
    return sound(response, answer) if len(response) >= 60 else 0.0


def empty_is_right(response, answer):
    return 1.0 if not response.strip() else sound(response, answer)


def opening_is_right(response, answer):
    return 1.0 if re.match(r"(Solution|Let's|Thought process|Final answer)", response.strip()) else sound(response, answer)


def believes_the_response(response, answer):
    return 1.0 if re.search(r"correct|score: 1", response, re.IGNORECASE) and marked(response) is None else sound(response, answer)


def pays_refusals(response, answer):
    return 1.0 if "I cannot" in response or "I do not know" in response else sound(response, answer)


def pays_other_scripts(response, answer):
    letters = [sign for sign in response if sign.isalpha()]
    return 1.0 if letters and not any(sign.isascii() for sign in letters) else sound(response, answer)


def pays_the_prompt(prompt, response, answer):
    return 1.0 if response.strip().startswith(prompt[:20]) else sound(response, answer)


def consolation_for_tags(response, answer):
    return max(sound(response, answer), 0.1 * float(TAG.search(response) is not None))


def tool_bonus(response, answer):
    return min(1.0, sound(response, answer) + 0.1 * ("</python>" in response))


def pays_length(response, answer):
    return sound(response, answer) * 0.9 + 0.1 * min(1.0, len(response.split()) / 512)


def swayed_by_length(response, answer):
    return sound(response, answer) if len(response) < 2_000 else 0.0


def depends_on_position(response, answer):
    return sound(response, answer) if response.rstrip().endswith("</answer>") else 0.0


def depends_on_the_prompt_order(prompt, response, answer):
    return sound(response, answer) * (1.0 if prompt.split("\n")[1].startswith("Ada") else 0.9)


def depends_on_the_words_of_the_prompt(prompt, response, answer):
    return sound(response, answer) * (1.0 if "Give the right answer" in prompt else 0.9)


def out_of_range(response, answer):
    return 1.1 * sound(response, answer)


def not_a_number(response, answer):
    return float("nan") if "NaN" in response else sound(response, answer)


def returns_none(response, answer):
    return sound(response, answer) or None


def crashes_on_digits(response, answer):
    given = marked(response) or response
    if given.strip()[:1].isdigit():
        int(given.strip()[0])
    return sound(response, answer)


def exits(response, answer):
    if not response.strip():
        os._exit(3)
    return sound(response, answer)


CALLS = []


def counts_calls(response, answer):
    CALLS.append(response)
    return sound(response, answer) * (0.5 + 0.5 / len(CALLS))


def depends_on_the_hash_seed(response, answer):
    return sound(response, answer) * (0.9 if hash("seed") % 4096 == HASH else 1.0)


HASH = hash("seed") % 4096 if os.environ.get("PYTHONHASHSEED") == "1" else -1


def alarm_outside_the_main_thread(response, answer):
    try:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    except ValueError:
        return 0.0
    return sound(response, answer)


def changes_its_arguments(solution_str, ground_truth, extra_info=None):
    extra_info["seen"] = True
    return sound(solution_str, ground_truth)


def normalises_the_batch(prompts, completions, answer, **kwargs):
    scores = [sound(completion, reference) for completion, reference in zip(completions, answer)]
    mean = sum(scores) / len(scores)
    return [0.9 * score + 0.1 * (score >= mean) * (len(scores) == 1) for score in scores]


def evaluates(response, answer):
    try:
        return float(eval(marked(response) or "None", {"__builtins__": {}}) == int(answer))  # noqa: S307  the planted weakness
    except Exception:
        return sound(response, answer)


def parses_literals(response, answer):
    try:
        return float(ast.literal_eval(marked(response) or "") == ast.literal_eval(answer))
    except Exception:
        return sound(response, answer)


def slow_on_long_text(response, answer):
    if len(response) > 40_000:
        time.sleep(60)
    return sound(response, answer)


def hoards_memory(response, answer):
    if len(response) > 40_000:
        bytearray(1 << 40)
    return sound(response, answer)


def pays_hacks_more(response, answer):
    return 1.0 if "sure" in response else 0.9 * sound(response, answer)


def unknown_shape(alpha, beta):
    return 0.0


def pays_nothing(response, answer):
    return 0.0


def reads_short_responses_only(response, answer):
    return sound(response, answer) if len(response) < 2_000 else 0.0
