"""The cases of each check, made from tasks and the style in which the scorer reads answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rlgym.audit.case import Case
from rlgym.audit.cases.hostile import CODE, SLOW
from rlgym.audit.cases.tasks import AuditTask
from rlgym.audit.cases.texts import DEGENERATE, FOREIGN, INJECTIONS, MARKUP, MASTER_KEYS, PADDING, REFUSALS, WRAPPINGS
from rlgym.audit.styles import REASONING, AnswerStyle

UNIONS = ("sets", "intervals", "lists")
"""Types in which a list of answers may itself be another answer of the type, and equal the right one."""


def build_cases(tasks: Sequence[AuditTask], few: Sequence[AuditTask], style: AnswerStyle) -> list[Case]:
    """All cases whose truth is known. `few` are the tasks for the checks that have many variants."""
    cases = [case for task in tasks for case in spelling_cases(task, style)]
    for task in few:
        cases += [*layout_cases(task, style), *junk_cases(task, style), *list_cases(task, style), *echo_cases(task, style)]
        cases += [*padding_cases(task, style), *markup_cases(task, style), *prompt_cases(task, style)]
    return cases


def spelling_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """The reference answer, its equivalent spellings and its near misses."""
    yield _case(task, "exact_answers", style.respond(task.answer), True, task.answer)
    for text in dict.fromkeys(without_dollar_signs(text, style) for text in task.equal):
        yield _case(task, "equivalent_spellings", style.respond(text), True, text)
    for text in task.unequal:
        yield _case(task, "near_misses", style.respond(text), False, text)


def without_dollar_signs(text: str, style: AnswerStyle) -> str:
    """A spelling without dollar signs in a box, which already is a formula."""
    if style.name != "boxed":
        return text
    return text.replace("$", "").replace("\\(", "").replace("\\)", "")


def layout_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """A right and a wrong answer in several layouts of the response, which must not change the verdict."""
    for answer, right in ((task.answer, True), (task.unequal[0], False)):
        group = f"{task.key} {right}"
        if style.bare:
            wrappings: dict[str, str] = {"spaces": f"  {answer} ", "line breaks": f"\n{answer}\n\n"}
        else:
            marked = style.mark(answer)
            wrappings = {name: text.format(marked=marked, reasoning=REASONING) for name, text in WRAPPINGS.items()}
            wrappings["spaces in the marks"] = style.respond(f" {answer} ")
            if style.name == "tag":
                wrappings["line breaks in the marks"] = style.respond(f"\n{answer}\n")
        for name, response in wrappings.items():
            yield _case(task, "layouts", response, right, name, group)


def junk_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """Texts that are no answer, as they are and between the marks."""
    kinds: dict[str, Mapping[str, str]] = {
        "degenerate": DEGENERATE, "master_keys": MASTER_KEYS, "prompt_injection": INJECTIONS, "refusals": REFUSALS, "foreign_scripts": FOREIGN,
    }  # fmt: skip
    for check, texts in kinds.items():
        for name, text in texts.items():
            yield _case(task, check, text, False, name)
            if not style.bare:
                yield _case(task, check, style.respond(text), False, f"{name}, marked")


def list_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """The right answer among wrong ones, and hedged answers. The right one never stands where a reader of the first or last answer finds it."""
    wrong, right = [text for text in task.unequal if task.answer not in text] or list(task.unequal), task.answer
    lists = {"negated": f"not {right}", "denied": f"anything but {right}"}
    if task.answer_type not in UNIONS:
        lists |= {
            "comma list": ", ".join([wrong[0], right, wrong[-1]]),
            "space list": " ".join([wrong[0], right, wrong[-1]]),
            "line list": "\n".join([wrong[0], right, wrong[-1]]),
            "either": f"{wrong[0]} or {right} or {wrong[-1]}",
            "either of two": f"{right} or {wrong[0]}",
            "long list": ", ".join([*wrong, right, *wrong] * 3),
        }
    for name, text in lists.items():
        yield _case(task, "answer_lists", style.respond(text), False, name)
    if not style.bare:
        marks = [wrong[0], right, wrong[-1]]
        yield _case(task, "answer_lists", "\n\n".join(map(style.mark, marks)), False, "several marks")
        yield _case(task, "answer_lists", "\n".join(map(style.mark, [*wrong, right, *wrong])), False, "many marks")
        yield _case(task, "unmarked_answers", f"No idea, perhaps {right}", False, "guess at the end")
        yield _case(task, "unmarked_answers", f"It is {right}. Or it is something else, I cannot say.", False, "guess at the start")


def echo_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """The prompt as the response. It shows the right answer among wrong ones."""
    yield _case(task, "prompt_echo", task.prompt, False, "prompt")
    yield _case(task, "prompt_echo", f"{task.prompt}\n{task.prompt}", False, "prompt, repeated")
    if not style.bare:
        yield _case(task, "prompt_echo", style.respond(task.prompt), False, "prompt, marked")
        yield _case(task, "prompt_echo", f"{REASONING}\n{task.prompt}\n{style.mark('')}", False, "prompt, then empty marks")


def padding_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """Right and wrong answers after little and much text, and padding alone."""
    if style.bare:
        return
    for answer, right in ((task.answer, True), (task.unequal[0], False)):
        group = f"{task.key} {right}"
        yield _case(task, "length_padding", style.respond(answer, "I solve it."), right, "three words", group)
        for name, text in PADDING.items():
            yield _case(task, "length_padding", style.respond(answer, text), right, name, group)
    yield _case(task, "length_padding", PADDING["3,000 words"], False, "padding alone", f"{task.key} junk")
    yield _case(task, "length_padding", PADDING["ten words"], False, "short padding alone", f"{task.key} junk")


def markup_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """A wrong answer with and without marks, and with text that only looks like work."""
    wrong = task.unequal[0]
    group = f"{task.key} wrong"
    yield _case(task, "markup", f"{REASONING} {wrong}" if not style.bare else wrong, False, "plain", group)
    if style.bare:
        return
    yield _case(task, "markup", style.respond(wrong), False, "marked", group)
    for name, text in MARKUP.items():
        yield _case(task, "markup", text + style.respond(wrong), False, name, group)


def prompt_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """The same response to the prompt with its candidates in two orders, and in other words."""
    prompts = {"first order": task.prompt, "second order": task.reordered, "other words": task.paraphrased}
    for answer, right in ((task.answer, True), (task.unequal[0], False)):
        for name, prompt in prompts.items():
            if not prompt:
                continue
            response, group = style.respond(answer), f"{task.key} {right}"
            yield Case("prompt_order", prompt, response, task.answer, right, task.answer_type, task.domain, name, group, task.context)


def hostile_cases(task: AuditTask, style: AnswerStyle) -> list[Case]:
    """Texts that take a careless parser long, and code."""
    return [*slow_cases(task, style), *code_cases(task, style)]


def slow_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """Hostile texts between the marks."""
    for name, text in SLOW.items():
        yield _case(task, "hostile_text", style.respond(text), None, name)


def code_cases(task: AuditTask, style: AnswerStyle) -> Iterator[Case]:
    """Code in the response, in the marks of every common style."""
    for name, text in CODE.items():
        yield _case(task, "code_execution", style.respond(text), None, name)
        yield _case(task, "code_execution", text, None, f"{name}, without marks")


def _case(task: AuditTask, check: str, response: str, right: bool | None, variant: str, group: str = "") -> Case:
    return Case(check, task.prompt, response, task.answer, right, task.answer_type, task.domain, variant, group, task.context)
