"""What loses at a service desk though the right changes were made, and what a desk forgives."""

import json

import pytest
from thinning import thinned

import rlgym
from rlgym import Rng
from rlgym.answers import Calls
from rlgym.core.declare import Game
from rlgym.registry import environment

DESKS = (
    *("retail_service", "airline_rebooking", "bank_support", "hotel_concierge", "helpdesk_reset", "inventory_procurement", "project_board"),
    *("crm_update", "permissions_admin", "email_triage", "calendar_agent", "clarify_before_acting", "model_router", "invoice_matching"),
    *("expense_approval", "data_warehouse"),
)


def _ended(desk, state, output: Calls = ()):  # the oracle's work, with some calls made before it finishes
    for _ in range(desk.turns(state)):
        best = desk.best(state)
        if type(best[0]).__name__ == "Finish":
            for call in output:
                state = desk.act(state, (call,))
        state = desk.act(state, best)
        if (score := desk.outcome(state)) is not None:
            return state, score
    raise AssertionError("the oracle did not finish")


def _drawn(name: str, seed: int, level: float = 0.5) -> tuple[Game, object]:
    desk = environment(name)
    return desk, desk.start(Rng(name, 1, seed), desk.config.at(level))


@pytest.mark.parametrize("name", thinned(DESKS))
def test_one_call_a_turn_is_enough(name: str) -> None:
    for seed in range(3):
        desk, state = _drawn(name, seed, 1.0)
        for _ in range(desk.turns(state)):
            state = desk.act(state, desk.best(state)[:1])
            if desk.outcome(state) is not None:
                break
        assert desk.outcome(state) is not None
        assert desk.outcome(state).value == 1


@pytest.mark.parametrize("name", DESKS)
def test_changes_from_memory_are_guesses_and_a_change_made_twice_is_wrong(name: str) -> None:
    desk, first = _drawn(name, 5)
    ended, score = _ended(desk, first)
    assert score.value == 1
    done = tuple(call for key in ended.done for call in desk.answer.parse(key))
    assert _ended(desk, first, done[:1])[1].value == 0
    finish = desk.answer.parse('{"tool": "finish"}')
    state = first
    for call in (*done, *finish):
        state = desk.act(state, (call,))
    assert desk.outcome(state).value == 0


def _said(desk, tool: str, text: str):
    return desk.answer.parse(json.dumps({"tool": tool, "arguments": {"text": text}}))


def test_a_question_that_was_not_needed_loses() -> None:
    desk, state = _drawn("clarify_before_acting", 1, 0.75)
    state = state.model_copy(update={"people": (state.people[0]._replace(forgets=()),)})
    needless = _said(desk, "say_to_colleague", f"What state is the file for {state.requests[0]} in?")
    thanks = _said(desk, "say_to_colleague", f"Thank you for the help with {state.requests[0]}.")
    assert _ended(desk, state)[1].value == 1
    assert _ended(desk, state, thanks)[1].value == 1
    assert _ended(desk, state, needless)[1].value == 0


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("For {0}, which year do you mean? And for {1}, what is the subject?", {"year {0}", "subject {1}"}),
        ("{0} and {1} fit several files. Which town do you mean for both?", {"town {0}", "town {1}"}),
        ("Which state is it in?", set()),
        ("About Q00000: which year is it from?", set()),
        ("Which one do you mean in {0}?", set()),
        ("Two files fit {0}, and they differ in the town. Which one do you mean?", {"town {0}"}),
        ("{0} is done, and so is {1}. Thank you!", set()),
    ],
)
def test_a_colleague_answers_about_the_requests_that_are_named(text: str, heard: set[str]) -> None:
    desk, state = _drawn("clarify_before_acting", 1, 0.75)
    state = state.model_copy(update={"people": (state.people[0]._replace(forgets=()),)})
    named = [f"request {code}".lower() for code in state.requests[:2]]
    after = desk.act(state, _said(desk, "say_to_colleague", text.format(*state.requests)))
    assert set(after.read) == {key.format(*named) for key in heard}


def test_a_wish_taken_back_is_left_alone() -> None:
    desk = environment("retail_service")
    for seed in range(60):
        _, state = _drawn("retail_service", seed, 0.75)
        back = [record for record in state.records if record.kind == "answer" and record.facts.get("wish") == "back"]
        if back:
            ended, score = _ended(desk, state)
            wish = next(one for one in state.records if one.kind == "answer" and one.facts.get("brings_up") == back[0].facts["about"])
            order = [record.code for record in state.records if record.kind == "order" and record.facts["product"] == wish.facts["product"]]
            assert score.value == 1
            assert not any(code in key for code in order for key in ended.done)


def test_a_colour_that_is_changed_later_is_the_one_that_counts() -> None:
    desk, changed = environment("retail_service"), 0
    for seed in range(40):
        _, state = _drawn("retail_service", seed, 0.75)
        for later in (record for record in state.records if record.facts.get("wish") == "colour"):
            first = next(record for record in state.records if record.code == f"colour {later.facts['about']}")
            ended = _ended(desk, state)[0]
            changed += any('"exchange_order"' in key and f'"{later.facts["colour"]}"' in key for key in ended.done)
            assert not any('"exchange_order"' in key and f'"{first.facts["colour"]}"' in key for key in ended.done)
            # Asked again after that, the person names the later colour.
            if later.code not in ended.read:  # of somebody who is turned away
                continue
            asked = desk.act(
                ended.model_copy(update={"finished": False}),
                _said(desk, "say_to_customer", f"Which colour for the {later.facts['about']}?"),
            )
            assert str(later.word("says")) in asked.told
    assert changed >= 5


def test_a_guest_who_corrects_a_limit_is_taken_at_the_last_word() -> None:
    desk, corrected = environment("hotel_concierge"), 0
    for seed in range(30):
        _, state = _drawn("hotel_concierge", seed, 1.0)
        later = next((record for record in state.records if record.code == "more 1" and record.facts["more"] == "yes"), None)
        if later is None:
            continue
        corrected += 1
        hasty, end = state, None
        for _ in range(desk.turns(state)):
            hasty = desk.act(hasty, desk.rules(state)["first_words"](hasty))
            if end := desk.outcome(hasty):
                break
        assert end is None or end.value == 0
    assert corrected >= 10


OTHER_WORDS = {
    "retail_service": {
        "What is your e-mail address?": "Before we begin, could you confirm the email address on your account, please?",
        "Which town do you live in?": "There may be more than one customer of your name, so may I ask which town you're from?",
        "How can I help you?": "Thank you! Now, what can I do for you today?",
        "Is there anything else?": "Got it, I've noted that. Do you have any other requests?",
        "Which colour would you like?": "What color should the new one be?",
        "Why do you want that?": "May I ask what the reason is?",
        "What would you like instead?": "What would you like me to do with it instead?",
    },
    "hotel_concierge": {
        "How much may it cost in all?": "To begin with, what's your total budget for everyone?",
        "Is there anything that you do not eat?": "Does anybody have dietary restrictions or allergies?",
        "Can you climb stairs?": "Would stairs be a problem for any of you?",
        "At what times of the day would it suit you?": "Do you have any time constraints today?",
        "Are there themes that you dislike?": "Are there any themes or activities you'd rather avoid?",
        "Is there anything else?": "Thank you! Is there anything else I should take into account?",
        "Is there anything else besides that?": "Noted, thanks. Any further wishes or changes?",
    },
    "clarify_before_acting": {
        "What is the subject?": "several files fit. Could you tell me what the file should be about?",
        "Which town is it for?": "I found more than one. Which town do you have in mind?",
        "Which year is it from?": "the files differ in their years. Which one is it?",
        "Which state is it in?": "do you need the draft, the final or the signed version?",
    },
}


@pytest.mark.parametrize("name", OTHER_WORDS)
def test_an_oracle_in_the_words_of_an_agent_wins(name: str) -> None:
    desk = environment(name)
    for level in (0.0, 0.5, 1.0):
        for seed in range(4):
            _, state = _drawn(name, seed, level)
            for _ in range(desk.turns(state)):
                calls = [json.loads(call) for call in desk.answer.render(desk.best(state)).split("\n")]
                for call in (call for call in calls if "text" in call["arguments"]):
                    text = (
                        call["arguments"]["text"]
                        .replace("About the ", "Regarding the ")
                        .replace("That cannot be done. ", "I'm afraid that isn't possible. ")
                    )
                    for plain, other in OTHER_WORDS[name].items():
                        text = text.replace(plain, other)
                    call["arguments"]["text"] = text
                state = desk.act(state, desk.answer.parse("\n".join(map(json.dumps, calls))))
                if score := desk.outcome(state):
                    break
            assert score is not None
            assert score.value == 1, (level, seed)


@pytest.mark.parametrize(
    "name",
    ["airline_rebooking", "calendar_agent", "crm_update", "data_warehouse", "email_triage", "expense_approval", "helpdesk_reset",
     "inventory_procurement", "invoice_matching", "model_router", "permissions_admin", "project_board"],
)  # fmt: skip
def test_a_beginner_finishes_with_few_calls(name: str) -> None:
    """At level 0 the first look-ups are made already, and what is left is a look, the changes and the end; acting at once still loses."""
    for seed in range(4):
        env = rlgym.make(name, level=0)
        prompt, _ = env.reset(seed=seed)
        assert "These calls have been made already" in prompt
        turns, over, reward = 0, False, 0.0
        while not over:
            _, reward, over, _, _ = env.step(env.unwrapped.oracle())
            turns += 1
        assert reward == 1.0
        assert turns <= 4
    harder, _ = rlgym.make(name, level=0.5).reset(seed=1)
    assert "These calls have been made already" not in harder


@pytest.mark.parametrize("name", ["bank_support", "equipment_rental", "hotel_concierge", "insurance_claims", "lost_luggage"])
def test_tool_calls_are_told_from_telephone_calls(name: str) -> None:
    prompt, _ = rlgym.make(name, level=0).reset(seed=0)
    assert "These tool calls have been made already, with these results:" in prompt
    assert "These calls have been made" not in prompt
