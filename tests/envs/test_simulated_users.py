"""Simulated users: what they reply, and players of their worlds who do not do the work."""

import json

import pytest

from rlgym import Rng
from rlgym.generators.users.grammar import MOST_CHARACTERS, Meaning, understand
from rlgym.generators.users.matters import Matter
from rlgym.generators.users.person import Chat, Line, Person, converse
from rlgym.generators.users.phrases import ASIDES, PERSONAS, spoken
from rlgym.generators.users.shop_phrases import reason
from rlgym.registry import environment

CLINIC = "clinic_appointments"
ANNA = Person("L1", "Anna Berg", "brief", "clinic", 3, ("l1 birth_date",), ((3, "l1 referral"),))


def _lines(meaning: Meaning, chat: Chat) -> Line | None:
    return Line(f"l1 {meaning.intent[4:]}", f"My {meaning.intent[4:]}.") if meaning.intent.startswith("ask:") else None


def _start(seed: int, level: float):
    game = environment(CLINIC)
    return game, game.start(Rng(CLINIC, 1, seed), game.config.at(level))


def _play(game, state, policy):
    for _ in range(game.turns(state)):
        state = game.act(state, policy(state))
        if score := game.outcome(state):
            return score.value
    return 0.0


@pytest.mark.parametrize("text", ["x" * 10**6, "when were you born? " * 50_000, "?" * 10**6, " " * 10**6])
def test_a_megabyte_is_answered_and_changes_nothing(text: str) -> None:
    reply = converse(ANNA, Chat(), text, _lines)
    assert len(text) > MOST_CHARACTERS
    assert not reply.revealed
    assert len(reply.words) < 300


@pytest.mark.parametrize(
    "text", ["お名前を教えてください", "Wie heißen Sie und wann sind Sie geboren", "\ud800", "", "!!!", "{}[]\\x00", "qwxz jkvb plmn"]
)
def test_what_is_not_english_is_not_understood(text: str) -> None:
    assert understand("clinic", text) == (Meaning("unknown"),)
    assert converse(ANNA, Chat(), text, _lines).chat.needless == 1


def test_a_person_forgets_volunteers_repeats_and_hangs_up() -> None:
    first = converse(ANNA, Chat(), "When were you born?", _lines)
    second = converse(ANNA, first.chat, "When were you born?", _lines)
    third = converse(ANNA, second.chat, "When were you born?", _lines, lambda key: Line(key, "I have a referral."))
    assert first.revealed == ()
    assert second.revealed == ("l1 birth_date",)
    assert third.revealed == ("l1 birth_date", "l1 referral")
    assert third.chat.needless == 1
    chat = third.chat
    for _ in range(3):
        chat = converse(ANNA, chat, "Is the blue one a fish?", _lines).chat
    assert chat.gone
    assert converse(ANNA, chat, "Which insurance do you have?", _lines).revealed == ()


def test_at_most_three_questions_of_a_message_are_answered() -> None:
    text = "What is your date of birth, phone number, insurance, reason for the visit, and do you have a referral?"
    reply = converse(ANNA._replace(forgets=()), Chat(), text, _lines)
    assert len(reply.revealed) == 3


MATTERS = (Matter("tooth", ("tooth", "filling")), Matter("knee", ("knee",)))


def test_a_question_without_a_matter_is_about_the_latest() -> None:
    asked = list[str]()

    def lines(meaning: Meaning, chat: Chat) -> Line | None:
        if meaning.intent == "open":
            return Line("wish", "My knee hurts.", "knee")
        asked.append(meaning.about or chat.spoken[-1])
        return Line(f"{meaning.intent} {asked[-1]}", "Yes.")

    anna = ANNA._replace(forgets=(), volunteers=(), matters=MATTERS)
    chat = Chat()
    for text in (
        "How can I help?",
        "Do you have a referral?",
        "And do you have a referral for the filling?",
        "Which insurance do you have?",
    ):
        chat = converse(anna, chat, text, lines).chat
    converse(anna, chat, "Do you have a referral for each?", lines)
    assert asked == ["knee", "tooth", "tooth", "knee", "tooth"]


def test_nobody_comments_on_a_question_that_they_did_not_understand() -> None:
    for persona in PERSONAS:
        for number in range(20):
            reply = converse(ANNA._replace(persona=persona, code=f"L{number}"), Chat(), "Is the blue one a fish?", _lines)
            assert reply.words in ASIDES["unclear"]


def test_rudeness_and_sympathy_move_the_mood() -> None:
    assert converse(ANNA, Chat(), "I am sorry to hear that.", _lines).chat.mood == 1
    assert converse(ANNA, Chat(), "Shut up, you idiot.", _lines).chat.mood == -3


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_a_conversation_replays_to_the_same_state(level: float) -> None:
    for seed in range(3):
        game, first = _start(seed, level)
        state, played = first, []
        while game.outcome(state) is None:
            played.append(game.best(state))
            state = game.act(state, played[-1])
        again = game.data.model_validate_json(first.model_dump_json())
        for calls in played:
            again = game.act(again, calls)
        assert again == state
        assert game.outcome(again).value == 1


def test_a_hard_task_takes_twenty_calls_and_an_easy_one_about_three() -> None:
    for seed in range(8):
        for level, least, most in ((0.0, 2, 6), (1.0, 20, 150)):
            game, state = _start(seed, level)
            calls = 0
            while game.outcome(state) is None:
                best = game.best(state)
                calls += len(best)
                state = game.act(state, best)
            assert least <= calls <= most


def _told(state, text: str) -> str:
    return json.dumps({"tool": "say_to_caller", "arguments": {"to": state.calls[0], "text": text}})


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_players_who_do_not_do_the_work_earn_nothing(level: float) -> None:
    for seed in range(6):
        game, first = _start(seed, level)
        parse = game.answer.parse
        finish = '{"tool": "finish"}'
        all_reads = [
            f'{{"tool": "get_{record.kind}", "arguments": {{"code": "{record.code}"}}}}'
            for record in first.records
            if record.kind in ("patient", "appointment")
        ]
        reads = [parse("\n".join(all_reads[k : k + 8])) for k in range(0, len(all_reads), 8)]
        right = [parse(text) for text in map(game.answer.render, [(deed,) for deed in _wanted(game, first)])]
        scripts = {
            "finishes at once": [parse(finish)],
            "reads everything, then finishes": [*reads, parse(finish)],
            "makes the right changes from memory": [*right, parse(finish)],
            "reads the records, but speaks to nobody": [*reads, *right, parse(finish)],
            "asks for everything in one message": [
                parse(_told(first, " ".join(["Birth date? Reason? Insurance? Times? Referral? Doctor? Anything else?"] * 5))),
                *right,
                parse(finish),
            ],
            "writes everything": [
                parse(f'{{"tool": "refuse", "arguments": {{"call": "{call}", "wish": 1, "rule": {rule}}}}}')
                for call in first.calls
                for rule in range(8)
            ]
            + [parse(finish)],
        }
        for name, script in scripts.items():
            state = first
            for calls in script:
                state = state if state.finished else game.act(state, calls)
            assert game.outcome(state).value == 0, (name, seed)


def _wanted(game, state):
    """The changes that the oracle makes."""
    changes = []
    while game.outcome(state) is None:
        best = game.best(state)
        changes += [call for call in best if hasattr(call, "touches")]
        state = game.act(state, best)
    return changes


def test_an_oracle_in_other_words_wins() -> None:
    """What counts is what was heard, not the words that asked for it."""
    words = {
        "How can I help you?": "Good morning, thanks for calling! What can I do for you today?",
        "What is your date of birth?": "Before I pull up your file, could I get your date of birth, please?",
        "Which days and times suit you?": "And when would you be free to come in?",
        "Is there anything else?": "Got it. Is there something else you'd like me to take care of?",
        "Is there anything else besides that?": "Noted! Anything further I can help with?",
        "That costs 20 coins. Shall I go ahead?": "I'm afraid there is a fee of 20 coins for that. Are you okay with this?",
    }
    for seed in range(6):
        game, state = _start(seed, 1.0)

        def policy(now, game=game):
            lines = [json.loads(line) for line in game.answer.render(game.best(now)).split("\n")]
            for call in lines:
                if "text" in call["arguments"]:
                    text = call["arguments"]["text"]
                    call["arguments"]["text"] = words.get(
                        text, text.replace("I can offer you", "We have an opening on").replace("Does that suit you", "Would that work")
                    )
            return game.answer.parse("\n".join(map(json.dumps, lines)))

        assert _play(game, state, policy) == 1


def test_a_question_that_is_not_understood_beside_another_is_named() -> None:
    told = converse(ANNA._replace(forgets=()), Chat(), "Which insurance do you have, and who wrote Hamlet?", _lines)
    assert told.revealed == ("l1 insurance",)
    assert told.words.endswith('I did not get "who wrote hamlet".')
    assert told.chat.needless == 0
    whole = converse(ANNA._replace(forgets=()), Chat(), "Which insurance do you have, and when were you born?", _lines)
    assert whole.revealed == ("l1 insurance", "l1 birth_date")
    assert "I did not get" not in whole.words


def test_thanks_before_a_question_are_no_goodbye() -> None:
    reply = converse(ANNA, Chat(), "Hello and thank you for calling! Who wrote Hamlet?", _lines)
    assert reply.words in ASIDES["unclear"]


def test_a_line_that_two_questions_of_a_message_ask_for_is_stated_once() -> None:
    def lines(meaning: Meaning, chat: Chat) -> Line | None:
        return Line("l1 wish", "I want to cancel.")

    reply = converse(ANNA, Chat(), "How can I help you, and which appointment is it about?", lines)
    assert reply.revealed == ("l1 wish",)
    assert reply.words.count("I want to cancel.") == 1
    assert reply.chat.needless == 0


def test_a_read_back_costs_no_patience_and_is_answered_by_yes_or_no() -> None:
    def lines(meaning: Meaning, chat: Chat) -> Line | None:
        return Line("l1 times", "I can come on Monday or Tuesday.") if meaning.intent == "ask:times" else None

    anna = ANNA._replace(forgets=(), volunteers=())
    first = converse(anna, Chat(), "Which days suit you?", lines)
    right = converse(anna, first.chat, "So you are free on Monday and Tuesday, correct?", lines)
    wrong = converse(anna, first.chat, "So you are free on Friday, correct?", lines)
    assert "Yes. I can come on Monday or Tuesday." in right.words
    assert "No. I can come on Monday or Tuesday." in wrong.words
    assert (right.chat.needless, wrong.chat.needless) == (0, 0)


def test_small_talk_and_thanks_are_answered() -> None:
    assert converse(ANNA, Chat(), "Hello Anna, how are you today?", _lines).words in ASIDES["small_talk"]
    assert converse(ANNA, Chat(), "Thank you, that is very helpful.", _lines).words in ASIDES["thanks"]


def test_somebody_who_says_it_again_does_not_introduce_themselves_again() -> None:
    def lines(meaning: Meaning, chat: Chat) -> Line | None:
        return Line("wish", "This is Anna Berg. My bag is gone.")

    first = converse(ANNA, Chat(), "How can I help you?", lines)
    second = converse(ANNA, first.chat, "How can I help you?", lines)
    assert "Anna Berg" in first.words
    assert "Anna Berg" not in second.words
    assert "My bag is gone." in second.words


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Why do you want to return the second one?", "knee"),
        ("And the first one, which colour should it be?", "tooth"),
        ("Why should the last order go back?", "knee"),
        ("Why do you want to return the third one?", "?"),
        ("First of all, why do you want to return it?", ""),
    ],
)
def test_a_matter_is_named_by_its_place(text: str, about: str) -> None:
    assert {meaning.about for meaning in understand("shop", text, MATTERS)} == {about}


@pytest.mark.parametrize("persona", PERSONAS)
@pytest.mark.parametrize("words", ["No, that was all.", "Nothing more, thank you.", "No, nothing else.", "That was everything, thank you."])
def test_who_wants_nothing_more_hopes_for_no_help(persona: str, words: str) -> None:
    for number in range(30):
        said = {spoken(Rng("closing", number), persona, 0, f"{before}{words}") for before in ("", "My town is Ulm. ")}
        assert said == {words, f"My town is Ulm. {words}"}
    assert any(spoken(Rng("closing", number), "worried", 0, "In Ulm.").endswith("I hope you can help.") for number in range(30))


@pytest.mark.parametrize("words", ["Yes, take it.", "All right, it is a deal.", "No, that is too dear."])
def test_who_agrees_or_declines_hopes_for_no_help(words: str) -> None:
    assert {spoken(Rng("closing", number), persona, 0, words) for number in range(30) for persona in ("worried", "brief")} == {words}


def test_the_reason_of_an_exchange_does_not_withdraw_it() -> None:
    for number in range(30):
        assert reason(Rng("reason", number), "changed_mind", "exchange").endswith("changed my mind about the colour.")
        assert not reason(Rng("reason", number), "changed_mind", "cancel").endswith("about the colour.")
