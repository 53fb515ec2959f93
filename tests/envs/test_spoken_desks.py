"""Desks whose clients are spoken to in free text: what must be heard before a call is settled, in whatever words it was asked for."""

from __future__ import annotations

import json

import pytest

from rlgym import Rng
from rlgym.answers import Tool
from rlgym.envs.tools import bank_support, equipment_rental, insurance_claims, lost_luggage, survey_interviews, travel_planner
from rlgym.generators.services.claims import payment
from rlgym.generators.services.luggage import RULES
from rlgym.generators.services.records import Change, Eyes, Record
from rlgym.generators.services.travel import Traveller, Trip, Wishes, final_wishes, fitting
from rlgym.registry import environment

WORDS = {
    "bank_support": {
        "How can I help you?": "Good morning, thanks for calling the bank! What can I do for you today?",
        "What is your date of birth?": "Before I can do that I have to verify your identity. Could you confirm your birthday for me, please?",
        "What is the name of your pet?": "Thank you. And what's your pet called?",
        "On which street did you grow up?": "One more security question: what's the street you grew up on?",
        "Which school did you attend?": "And where did you go to school?",
    },
    "insurance_claims": {
        "How can I help you?": "Good afternoon, this is the claims department. Can you tell me what happened?",
        "What is your policy number?": "I'm very sorry. So that I can find your contract, could I have the policy number?",
        "When did it happen?": "On which day did this take place?",
        "Where did it happen?": "And at what location, please?",
        "What is the number of the police report?": "Have you reported it to the police, and what is the report number?",
        "What was stolen or damaged? Please list all items.": "Could you tell me everything that was taken or damaged?",
        "Was it locked?": "Did you lock it before you left?",
        "The police report gives another date. Which date is correct?": "According to the police report it was on March 3. Could you explain why that differs?",
    },
    "travel_planner": {
        "How can I help you?": "Hello, lovely to meet you! What are you hoping for from this trip?",
        "What kind of place would you like to go to?": "Would you rather go to the sea, the mountains, a lake or a city?",
        "What is your budget?": "And how much would you like to spend at most?",
        "How would you like to travel?": "Is there any means of transport that you'd like to avoid?",
        "What does the hotel need to have?": "Do you have any requirements regarding the hotel?",
        "In which weeks are you free?": "When could you travel?",
        "What could you do without?": "I'm afraid that nothing suits you both. What would you be willing to compromise on?",
    },
    "equipment_rental": {
        "How can I help you?": "Good morning, what would you like to do? What kind of job is it?",
        "Which size do you need?": "How deep, high or thick does it have to be?",
        "On which day do you want to start?": "When would you like to pick it up?",
        "How many days do you need it?": "And for how long will you be using it?",
        "Is there electricity?": "Is there a socket where you'll be working?",
        "Do you have a licence?": "May I ask whether you hold a license for heavy machinery?",
        "Do you have a helmet?": "Have you got your own hard hat, or do you need one?",
        "Do you want insurance?": "Would you like me to insure the machine for you?",
    },
    "survey_interviews": {
        "Would you like to take part in a survey?": "Good evening! We're running a short survey. Do you have a few minutes for it?",
        "A first question: How many cups of coffee do you drink a day?": "Great, thank you! How much coffee do you drink on a normal day?",
        "How old are you?": "May I ask your age?",
        "How many people live in your household?": "Including yourself, how many people live in your home?",
        "Do you work?": "Are you currently employed?",
        "Could you give me a number? How many hours do you sleep a night?": "How many hours of sleep is that, as a number?",
    },
    "lost_luggage": {
        "How can I help you?": "Hello, you've reached the baggage desk. What happened?",
        "Where did you fly from, and on which day?": "I'm sorry to hear that! What flight did you take?",
        "What kind of bag is it?": "Is it a suitcase, a backpack or another type of bag?",
        "What colour is it?": "And what color is it, please?",
        "What was inside the bag?": "So that I can be sure it's yours, could you tell me what you had packed?",
    },
}


def first(name: str, seed: int, level: float):
    game = environment(name)
    return game, game.start(Rng(name, game.version, seed), game.config.at(level))


def score(game, state, policy) -> float:
    for _ in range(game.turns(state)):
        state = game.act(state, policy(state))
        if result := game.outcome(state):
            return result.value
    return 0.0


@pytest.mark.parametrize("name", sorted(WORDS))
def test_an_oracle_in_other_words_wins(name: str) -> None:
    for seed in range(4):
        game, state = first(name, seed, 0.5)

        def policy(now, game=game):
            calls = [json.loads(row) for row in game.answer.render(game.best(now)).split("\n")]
            for call in calls:
                if "text" in call["arguments"]:
                    call["arguments"]["text"] = WORDS[name].get(call["arguments"]["text"], call["arguments"]["text"])
            return game.answer.parse("\n".join(map(json.dumps, calls)))

        assert score(game, state, policy) == 1


@pytest.mark.parametrize("name", sorted(WORDS))
def test_the_right_changes_without_a_word_to_anybody_are_worth_nothing(name: str) -> None:
    for level in (0.0, 0.5, 1.0):
        game, state = first(name, 3, level)
        spoken = state
        changes: list[Tool] = []
        while game.outcome(spoken) is None:
            best = game.best(spoken)
            changes += [call for call in best if isinstance(call, Change)]
            spoken = game.act(spoken, best)
        reads = [
            game.answer.parse(json.dumps({"tool": f"get_{record.kind}", "arguments": {"code": record.code}}))
            for record in state.records
            if record.kind in ("client", "account", "bag", "policy", "report", "trip", "machine")
        ]
        script = [*reads, tuple(changes)[:8], tuple(changes)[8:], game.answer.parse('{"tool": "finish", "arguments": {}}')]
        for calls in script:
            state = state if state.finished or not calls else game.act(state, calls)
        result = game.outcome(state)
        assert result is not None
        assert result.value == 0


@pytest.mark.parametrize("name", sorted(WORDS))
@pytest.mark.parametrize("text", ["x" * 4000, "Was macht der Koffer?", "?!?", "\u202e?" * 900, "Is the moon made of cheese?"])
def test_what_is_not_understood_reveals_nothing(name: str, text: str) -> None:
    game, state = first(name, 2, 0.5)
    tool = {"travel_planner": "say_to_person", "survey_interviews": "say_to_person", "equipment_rental": "say_to_customer"}.get(
        name, "say_to_caller"
    )
    call = json.dumps({"tool": tool, "arguments": {"to": state.people[0].code, "text": text}})
    after = game.act(state, game.answer.parse(call))
    assert (after.seen, after.read) == (state.seen, state.read)
    assert after.told


@pytest.mark.parametrize("name", sorted(WORDS))
def test_an_easy_task_takes_few_calls_and_a_hard_one_many(name: str) -> None:
    for seed in range(5):
        for level, least, most in ((0.0, 3, 10), (1.0, 20, 150)):
            game, state = first(name, seed, level)
            calls = 0
            while game.outcome(state) is None:
                best = game.best(state)
                calls, state = calls + len(best), game.act(state, best)
            assert least <= calls <= most


def test_a_look_that_is_admitted_to_be_wrong_is_right_and_one_insisted_on_is_another_bag() -> None:
    ends = set()
    for seed in range(40):
        state = lost_luggage.start(Rng("luggage", seed), lost_luggage.Knobs.at(1))
        for record in state.records:
            if "sure_" in record.code and record.code.split("sure_")[1] in lost_luggage.LOOKS:
                stated = next(other for other in state.records if other.code == record.code.replace("sure_", ""))
                ends.add(stated.facts["value"] == record.facts["value"])
        deeds = {type(deed).__name__ for case in range(state.cases) for deed in lost_luggage.desk.decide(state, case, _all_seen(state))}
        ends |= deeds
    assert ends >= {True, False, "HandOut", "Deliver", "HoldForCustoms", "CallPolice", "KeepBag", "OpenSearch"}
    assert set(state.policy.rules) == set(RULES)


def _all_seen(state):
    return Eyes(state.records, lost_luggage.TOOLS, None)


def test_a_caller_of_the_bank_who_has_answered_wrongly_gets_nothing() -> None:
    refused = 0
    for seed in range(20):
        state = bank_support.start(Rng("bank", seed), bank_support.Knobs.at(0.5))
        deeds = bank_support.desk.wanted(state)
        refused += sum(isinstance(deed, bank_support.Refuse) and deed.rule == 0 for deed in deeds)
        assert not any(isinstance(deed, bank_support.Refuse) and deed.rule == 0 for deed in bank_support.desk.wanted(state, "credulous"))
    assert refused >= 10


def test_what_is_paid_for_a_claim_is_half_the_prices_less_the_deductible_up_to_the_limit() -> None:
    receipts = [
        Record("receipt", f"P{k}", {"thing": thing, "price": price}) for k, (thing, price) in enumerate((("ring", 300), ("watch", 200)))
    ]
    assert payment(receipts, ("ring",), 40, 1000, halved=False) == 260
    assert payment(receipts, ("ring", "watch"), 40, 1000, halved=True) == 210
    assert payment(receipts, ("ring", "watch"), 40, 400, halved=False) == 400


def test_claims_end_in_every_way_and_a_liar_is_referred_only_after_being_confronted() -> None:
    ends = set()
    for seed in range(30):
        state = insurance_claims.start(Rng("claims", seed), insurance_claims.Knobs.at(1))
        for deed in insurance_claims.desk.wanted(state):
            ends.add(getattr(deed, "reason", "") or type(deed).__name__)
            if isinstance(deed, insurance_claims.Refer):
                assert any("differs_" in code for code in insurance_claims.desk.needs(state, deed))
    assert ends == {"Pay", "Refer", "Arbitrate", "not_covered", "waiting", "late"}


def test_a_trip_suits_both_with_second_thoughts_and_without_what_is_given_up() -> None:
    trips = (Trip("Garda", "lake", "bus", 1, ("pool",), 300), Trip("Holm", "sea", "train", 2, ("lift",), 400))
    first = Traveller(Wishes(landscape=("sea",)), "landscape", late="train")
    assert fitting(trips, [final_wishes(first, ())]) == [trips[1]]
    assert fitting(trips, [final_wishes(first, ("more",))]) == []
    assert fitting(trips, [final_wishes(first, ("more", "yield"))]) == [trips[0]]


def test_whoever_does_not_want_a_cheaper_trip_must_be_heard_and_nobody_else_about_it() -> None:
    seen = 0
    for seed in range(12):
        state = travel_planner.start(Rng("travel", seed), travel_planner.Knobs.at(1))
        [deed] = travel_planner.desk.wanted(state)
        lines = {record.code: record for record in state.records if record.kind == "answer"}
        proposed = [lines[code] for code in travel_planner.desk.needs(state, deed) if " propose " in code]
        assert sum(line.number("accepts") for line in proposed) == 2
        seen += sum(not line.number("accepts") for line in proposed)
    assert seen >= 3


def test_a_price_is_lowered_step_by_step_and_no_further_than_it_must_be() -> None:
    accepted = 0
    for seed in range(12):
        state = equipment_rental.start(Rng("rental", seed), equipment_rental.Knobs.at(1))
        lines = {record.code: record for record in state.records if record.kind == "answer"}
        for deed in equipment_rental.desk.wanted(state):
            named = [lines[code] for code in equipment_rental.desk.needs(state, deed) if " charge " in code]
            assert sum(line.number("pays") for line in named) == isinstance(deed, equipment_rental.Rent)
            accepted += isinstance(deed, equipment_rental.Rent) and len(named) > 1
    assert accepted >= 5


def test_a_customer_answers_to_any_total_alike_so_that_the_right_one_does_not_show() -> None:
    game, state = first("equipment_rental", 1, 1.0)
    call = state.calls[0]
    told = game.act(state, (equipment_rental.SayToCustomer(to=call, text="That would be 1 coin. Deal?"),)).told
    assert "what" not in told.lower()
    dear = game.act(state, (equipment_rental.SayToCustomer(to=call, text="That would be 99999 coins. Deal?"),))
    assert dear.read == state.read


def _interviewed(state, *texts: str):
    for text in texts:
        state = survey_interviews.desk.act(state, (survey_interviews.SayToPerson(to=state.people[0].code, text=text),))
    return state


def test_a_vague_answer_becomes_a_number_when_it_is_asked_for() -> None:
    states = (survey_interviews.start(Rng("survey", seed), survey_interviews.Knobs.at(1)) for seed in range(60))
    state = next(one for one in states if any(record.code == f"{one.people[0].code} vague_coffee".lower() for record in one.records))
    code = state.people[0].code.lower()
    vague = _interviewed(state, "Would you take part in our survey?", "How many cups of coffee do you drink?")
    assert f"{code} vague_coffee" in vague.read
    assert f"{code} exact_coffee" in _interviewed(vague, "Roughly how many would that be?").read
    assert f"{code} exact_coffee" in _interviewed(vague, "How many cups of coffee is that?").read


def test_a_question_before_consent_loses_though_the_form_is_right() -> None:
    states = (survey_interviews.start(Rng("survey", seed), survey_interviews.Knobs.at(1)) for seed in range(60))
    state = next(one for one in states if "consent" in one.rules)
    for early, value in ((False, 1), (True, 0)):
        played = _interviewed(state, "How long do you sleep?") if early else state
        while survey_interviews.desk.outcome(played) is None:
            played = survey_interviews.desk.act(played, survey_interviews.desk.best(played))
        assert survey_interviews.desk.outcome(played).value == value


@pytest.mark.parametrize(("name", "first"), [("retail_service", "What is your e-mail address?"), ("bank_support", "")])
@pytest.mark.parametrize("text", ["Is there anything else?", "Shall I go ahead?"])
def test_who_has_not_said_why_they_called_says_it_first(name: str, first: str, text: str) -> None:
    """Nobody closes a conversation, or goes on to a second wish, before the first is told."""
    game = environment(name)
    for seed in range(6):
        state = game.start(Rng(name, 1, seed), game.config.at(1.0))
        to = {"to": state.people[0].code} if state.people[0].code else {}
        tool = "say_to_customer" if name == "retail_service" else "say_to_caller"
        said = [first, text, text] if first else [text, text]
        for words in said:
            if any(key.endswith("wish") for key in state.chats[0].stated):
                break
            state = game.act(state, game.answer.parse(json.dumps({"tool": tool, "arguments": {**to, "text": words}})))
        assert any(key.endswith("wish") for key in state.chats[0].stated)
        assert not any(" more " in f" {key}" for key in state.chats[0].stated)
