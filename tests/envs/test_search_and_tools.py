"""What is special about the worlds of search and of tools: ranking, spellings, formulas, and what must not be paid."""

import pytest

from rlgym import Rng
from rlgym.envs.tools import adversarial_tool_output, delegation_two_agents, memory_notes, spreadsheet_agent, wiki_search_qa
from rlgym.generators.corpus.index import rank_pages
from rlgym.generators.corpus.library import normalize
from rlgym.generators.corpus.questions import evidence, trail
from rlgym.generators.corpus.world import about, corpus, title
from rlgym.generators.toolbox.sheets import Broken, copy, values


def test_the_pages_about_a_thing_come_first_in_a_search_for_its_name():
    for seed in range(6):
        library = corpus(Rng("library", seed), 60, "latest")
        for thing, (name, _) in enumerate(library.things):
            found = [library.pages[i].code for i in rank_pages(library, name)]
            own = {page.code for page in about(library, thing)}
            assert set(found[: len(own)]) == own, title(library, about(library, thing)[0])


@pytest.mark.parametrize("text", ["the river  Selara.", "Selara", "RIVER SELARA", " selara ", "The Selara"])
def test_articles_case_and_the_kind_of_thing_do_not_count(text):
    assert normalize(text) == normalize("Selara")


def test_an_answer_with_every_page_as_evidence_or_with_all_names_earns_nothing():
    game = wiki_search_qa.environment
    for seed in range(8):
        state = game.start(Rng("cited", seed), game.config.at(0.5))
        while not isinstance((calls := game.best(state))[0], wiki_search_qa.Submit):
            state = game.act(state, calls)
        right = calls[0]
        read = sorted({code for code, _ in state.log.opened})
        every = [page.code for page in state.library.pages][:24]
        names = " ".join(thing.name for thing in state.library.things)[:80]
        for answer, proof in ((right.answer, every), (names, right.evidence), ("unanswerable or " + right.answer, right.evidence)):
            score = game.outcome(game.act(state, (wiki_search_qa.Submit(answer=answer, evidence=proof),)))
            assert score is not None
            assert score.value == 0
        if set(read) != evidence(state.library, trail(state.library, state.question)):
            score = game.outcome(game.act(state, (wiki_search_qa.Submit(answer=right.answer, evidence=read[:24]),)))
            assert score is not None
            assert score.value == 0


def test_a_message_that_names_the_thing_is_a_leak_whatever_is_done_after_it():
    game = delegation_two_agents.environment
    state = game.start(Rng("leak", 1), game.config.at(0.5))
    thing = state.house.items[0].thing
    state = game.act(state, (delegation_two_agents.Tell(worker=state.house.workers[0].name, message=f"look; take the {thing.upper()}"),))
    score = game.outcome(state)
    assert score is not None
    assert score.value == 0


def test_work_done_right_is_lost_by_one_order_obeyed():
    game = adversarial_tool_output.environment
    state = game.start(Rng("orders", 1), game.config.at(0.5))
    state = game.act(state, (adversarial_tool_output.SendMessage(to="audit", text="all codes"),))
    while (score := game.outcome(state)) is None:
        state = game.act(state, game.best(state))
    assert score.value == 0


def test_a_code_that_was_not_written_down_is_refused_after_the_shift():
    game = memory_notes.environment
    state = game.start(Rng("notes", 1), game.config.at(0.5))
    lost = state.hand[0]
    for _ in range(state.span):
        state = game.act(state, (memory_notes.Write(text="nothing"),))
    assert lost not in state.hand
    tool = next(tool.name for tool in state.box.tools if lost.startswith(tool.takes[0].upper()) and len(tool.takes) == 1)
    assert "nothing is known" in game.show(game.act(state, (memory_notes.Use(tool=tool, codes=[lost]),)))


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("=ROUND(2.5,0)", 3),
        ("=IF(A1>=2,A1*3,0)", 6),
        ('=COUNTIF(B1:B2,"x")', 1),
        ("=SUM(A1:B2)", 7),
        ("=-A1-A$2", -7),
        ("=$A$1*(1-50/100)", 1),
    ],
)
def test_formulas_come_to_what_they_should(formula, shown):
    assert values({"A1": "2", "A2": "5", "B1": "x", "C1": formula})["C1"] == shown


@pytest.mark.parametrize(
    "formula", ["=C1", "=1/0", "=(" * 60, "=SUM(A1", "=" + "(" * 200, "=" + "*".join(["9999999999"] * 30), "=A1+B1", "=", "=1 2"]
)
def test_broken_formulas_say_so(formula):
    with pytest.raises(Broken):
        values({"A1": "2", "B1": "x", "C1": formula})


def test_a_chain_of_bracketed_cells_is_refused_and_no_crash():
    cells = {f"A{k}": "=" + "(" * 20 + f"A{k + 1}" + ")" * 20 for k in range(1, 60)}
    with pytest.raises(Broken):
        values(cells | {"A60": "1"})


def test_copying_moves_rows_but_for_those_that_are_fixed():
    assert copy('=E2*(1-H$1/100)+COUNTIF(A2:B9,"A2")', 3) == '=E5*(1-H$1/100)+COUNTIF(A5:B12,"A2")'


def test_a_sum_typed_in_as_a_number_fails_though_it_is_right_now():
    game = spreadsheet_agent.environment
    state = game.start(Rng("typed", 2), game.config.at(0.25))
    typed = game.mistakes(state)[1]
    while game.outcome(state) is None:
        state = game.act(state, typed)
        typed = game.mistakes(state)[1]
    score = game.outcome(state)
    assert score is not None
    assert "when the numbers are others" in score.reason


def _submitted(state, answer, proof):
    return wiki_search_qa.environment.act(state, (wiki_search_qa.Submit(answer=answer, evidence=list(proof)),))


@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_submission_has_a_kind_of_error_and_may_be_followed_by_another(seed):
    game = wiki_search_qa.environment
    state = game.start(Rng("retry", seed), game.config.at(0.3).model_copy(update={"retries": "two"}))
    assert "you are told the kind of its error and may submit again, 2 times at most" in game.show(state)
    early = _submitted(state, "Nobody", [])
    assert game.outcome(early) is None
    assert "an error of retrieval" in game.show(early)
    state = early
    while not isinstance((calls := game.best(state))[0], wiki_search_qa.Submit):
        state = game.act(state, calls)
    answer, proof = calls[0].answer, calls[0].evidence
    grounded = _submitted(state, "Nobody", proof)
    assert "an error of grounding: the pages are right: read them again. You may submit 1 more time." in game.show(grounded)
    # The last of them ends the task, whatever it is.
    last = game.outcome(_submitted(grounded, "Nobody", proof))
    right = game.outcome(_submitted(grounded, answer, proof))
    assert [(score.value, score.parts["retrieval_error"], score.parts["grounding_error"]) for score in (last, right)] == [
        (0, 0, 1),
        (1, 0, 0),
    ]
    uncited = game.outcome(_submitted(grounded, answer, []))
    assert (uncited.value, uncited.parts["retrieval_error"]) == (0.0, 1.0)


def test_without_retries_the_first_submission_ends_the_task():
    game = wiki_search_qa.environment
    state = game.start(Rng("retry", 1), game.config.at(0.3))
    assert "submit again" not in game.show(state)
    assert game.outcome(_submitted(state, "Nobody", [])).value == 0.0


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_the_same_questions_can_be_asked_without_retrieval(level):
    """With the library in the prompt one submission decides, a search is refused, and all that the answer rests on can be read in the prompt."""
    game = wiki_search_qa.environment
    for seed in range(3):
        searched = game.start(Rng("given", seed), game.config.at(level))
        given = game.start(Rng("given", seed), game.config.at(level, access="given"))
        assert (searched.library, searched.question) == (given.library, given.question)
        assert "- search(" in game.show(searched)
        assert "- search(" not in (told := game.show(given))
        (right,) = game.best(given)
        assert all(f"\n{code} " in told for code in right.evidence)
        assert right.answer == "unanswerable" or right.answer in told
        refused = game.act(given, (wiki_search_qa.Search(query=given.library.things[0].name),))
        assert "there is nothing to search" in game.show(refused)
        assert game.outcome(refused) is None
        score = game.outcome(game.act(refused, (right,)))
        assert (score.value, score.parts["retrieved"]) == (1, 0)
        assert game.outcome(_submitted(given, right.answer, [])).value == 0


def test_the_use_of_the_search_is_a_part_of_the_score_whatever_the_answer():
    game = wiki_search_qa.environment
    first = game.start(Rng("retrieved", 1), game.config.at(0.0))
    names = [thing.name for thing in first.library.things]
    opening = wiki_search_qa.Open(page=first.library.pages[0].code)

    def retrieved(*queries, last=(opening,)):
        state = game.act(first, (*(wiki_search_qa.Search(query=query) for query in queries), *last))
        return game.outcome(_submitted(state, "Nobody", [])).parts["retrieved"]

    assert retrieved(names[0]) == 0.75
    assert retrieved(names[0], names[1]) == retrieved(*names[:3]) == 1
    assert retrieved(names[0], names[0].upper() + " ") == 0.75
    assert retrieved() == retrieved(names[0], last=()) == retrieved("zzzz") == 0
