"""Adoption: questions become an environment; planted leaks, duplicates and wrong labels are found, and clean questions are kept."""

import json
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from rlgym import Rng, registry, task
from rlgym.answers.questions import answer_type, same_answer
from rlgym.cli import app
from rlgym.core.answer import Unreadable
from rlgym.core.errors import RowError
from rlgym.dataset.adopt import Question, Votes, adopt, read_questions, suspects, write_environment
from rlgym.dataset.adopt.verifiable import rejection

FAMILIES = (
    "chain_sum linear_equation gcd_lcm fraction_sum percent_change grid_paths knights_and_knaves bayes_update truth_table_query binomial_probability "
    "unit_conversion modular_inverse polynomial_roots matrix_determinant age_puzzle calendar_weekday river_crossing expected_value base_conversion "
    "optics_thin_lens genetics_cross josephus necklaces bond_pricing degree_sequence syllogism family_relations graph_isomorphism seating_order "
    "balance_equation balls_in_boxes discrete_log truth_value interval_scheduling_weighted"
).split()
SYNONYMS = {
    "the": "this",
    "compute": "calculate",
    "find": "determine",
    "what": "which",
    "each": "every",
    "exactly": "precisely",
    "is": "equals",
}


@pytest.fixture(scope="module")
def clean():
    """Distinct questions of many families, of which several share a template, with right answers."""
    questions, seen = [], set()
    known = [name for name in FAMILIES if name in registry.names() and registry.environment(name).kind == "environment"]
    assert len(known) >= 15
    for name in known:
        declared = registry.environment(name)
        for seed in range(16):
            drawn = task(name, seed=seed, level=0.25)
            question = Question(len(questions) + 1, drawn.prompt, declared.answer.render(declared.solve(drawn)))
            if drawn.prompt not in seen and rejection(question) is None:
                seen.add(drawn.prompt)
                questions.append(question)
    return questions


def disguised(text, rng):
    """The same question in another dress."""
    words = text.split(" ")
    places = [place for place, word in enumerate(words) if word.lower() in SYNONYMS]
    for place in rng.shuffled(places)[:2]:
        words[place] = SYNONYMS[words[place].lower()]
    forms = [
        text.upper(), "  ".join(text.split()), re.sub(r"(\d+(?:\.\d+)?)", r"$\1$", text), f"Problem {rng.integer(1, 400)}: {text}",
        f"{text} Give only the result.", re.sub(r"(?<=\w)[,;:.](?=\s|$)", "", text), " ".join(words), f"Please read carefully. {text}",
    ]  # fmt: skip
    return rng.choice(forms)


def test_planted_duplicates_are_found_and_clean_questions_are_kept(clean):
    rng = Rng(1)
    kept = adopt(clean)
    assert len(clean) > 200
    false = len(kept.rejected)
    assert false / len(clean) < 0.01, kept.rejected[:3]
    sources = rng.shuffled(clean)[:150]
    planted = [Question(10_000 + number, disguised(source.prompt, rng), source.answer) for number, source in enumerate(sources)]
    found = {rejected.row for rejected in adopt([*clean, *planted]).rejected}
    assert len({question.row for question in planted} & found) / len(planted) >= 0.98
    assert len(found - {question.row for question in planted}) / len(clean) < 0.01


def test_planted_leaks_are_found_and_clean_questions_are_kept(clean):
    rng = Rng(2)
    held, rest = clean[::2], clean[1::2]
    sources = rng.shuffled(held)[:80]
    planted = [Question(10_000 + number, disguised(source.prompt, rng), source.answer) for number, source in enumerate(sources)]
    adoption = adopt([*rest, *planted], [question.prompt for question in held])
    leaks = {rejected.row for rejected in adoption.rejected if rejected.reason == "leak"}
    gone = {rejected.row for rejected in adoption.rejected}
    assert len(leaks & {question.row for question in planted}) / len(planted) >= 0.98
    assert len(gone & {question.row for question in rest}) / len(rest) < 0.01
    assert adoption.references == len(held)


def simulated_votes(truths, rng, solvers=7):
    votes = Votes()
    accuracies = [0.6 + 0.32 * rng.integer(0, 100) / 100 for _ in range(solvers)]
    for solver, accuracy in enumerate(accuracies):
        for key, truth in truths.items():
            wrong = str(int(truth) + rng.choice([-2, -1, 1, 2, 5, 10]))
            votes.add(f"solver {solver}", key, truth if rng.chance(accuracy) else wrong)
    return votes


@pytest.mark.parametrize("seed", range(5))
def test_planted_wrong_labels_are_found_by_vote(seed):
    rng = Rng(seed)
    truths = {key: str(rng.integer(100, 999)) for key in range(1000)}
    wrong = set(rng.shuffled(sorted(truths))[:100])
    labels = {key: str(int(truth) + rng.choice([-1, 1, 10])) if key in wrong else truth for key, truth in truths.items()}
    found = {suspect.key for suspect in suspects(labels, simulated_votes(truths, rng), lambda key: str.__eq__)}
    assert len(found & wrong) / len(wrong) >= 0.98
    assert len(found - wrong) / (len(truths) - len(wrong)) < 0.01


def test_one_voter_judges_no_label():
    votes = Votes()
    votes.add("one", 1, "7")
    assert suspects({1: "8"}, votes, lambda key: str.__eq__) == []


def test_contradicting_labels_are_both_left_out():
    rows = [
        Question(1, "How many legs has a spider?", "8"),
        Question(2, "how many legs has a  spider", "6"),
        Question(3, "What is $2+2$?", "4"),
    ]
    adoption = adopt(rows)
    assert [question.row for question in adoption.kept] == [3]
    assert [(rejected.row, rejected.reason) for rejected in adoption.rejected] == [(1, "contradiction"), (2, "contradiction")]
    assert "'6'" in adoption.rejected[0].detail


def test_questions_that_differ_in_one_word_and_in_the_answer_are_both_kept():
    rows = [Question(1, "What is the largest of 3, 8 and 5?", "8"), Question(2, "What is the smallest of 3, 8 and 5?", "3")]
    assert len(adopt(rows).kept) == 2


@pytest.mark.parametrize(
    ("prompt", "answer", "kind"),
    [
        ("?", "42", "integer"), ("?", "-3/4", "rational"), ("?", "\\frac{1}{2}", "rational"), ("?", "0.25", "decimal"), ("?", "2\\sqrt{3}", "constant"),
        ("?", "50%", "percentage"), ("?", "3 \\text{ cm}", "quantity"), ("?", "x^2+1", "expression"), ("?", "y = 2x + 1", "equation"),
        ("?", "x > 3", "inequality"), ("?", "[0, 1)", "interval"), ("?", "\\{1, 2\\}", "set"), ("?", "1, 2", "list"), ("?", "(1, 2)", "tuple"),
        ("?", "\\begin{pmatrix} 1 & 2 \\end{pmatrix}", "matrix"), ("Which? (A) 1 (B) 2", "B", "choice"), ("?", "Yes", "boolean"),
        ("?", "Marie Curie", "words"), ("?", "5!", "integer"),
    ],
)  # fmt: skip
def test_the_type_of_an_answer_is_detected(prompt, answer, kind):
    assert answer_type(prompt, answer) == kind
    assert same_answer(kind, prompt, answer, f" {answer} ")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (Question(1, "", "3"), "no prompt"), (Question(1, "How many?", ""), "no answer"), (Question(1, "Prove that 2 is prime.", "2"), "proof"),
        (Question(1, "What is the area in the figure below?", "3"), "picture"), (Question(1, "Which of the following is prime?", "B"), "no options"),
        (Question(1, "How far is it?", "about 3.2"), "approximate"), (Question(1, "(a) Find x. (b) Find y.", "3"), "several parts"),
        (Question(1, "Why?", "Because the sum of all the angles of a triangle is fixed"), "unreadable"),
        (Question(1, "How many?", "x + 1", type="integer"), "type"), (Question(1, "Which? (A) 1 (B) 2", "E"), "unreadable"),
    ],
)  # fmt: skip
def test_questions_that_no_verifier_can_judge_are_rejected_with_a_reason(question, reason):
    found = rejection(question)
    assert found is not None
    assert found[0] == reason
    assert found[1]


@pytest.mark.parametrize(
    ("kind", "prompt", "expected", "given", "equal"),
    [
        ("choice", "(A) 1 (B) 2", "B", "(B)", True), ("choice", "(A) 1 (B) 2", "B", "A", False), ("boolean", "?", "yes", "True", True),
        ("boolean", "?", "yes", "no", False), ("percentage", "?", "50%", "1/2", True), ("percentage", "?", "50%", "50", True),
        ("percentage", "?", "50%", "5%", False), ("decimal", "?", "0.5", "50%", True), ("decimal", "?", "0.5", "0.5%", False),
        ("integer", "What percent?", "50", "50%", True), ("words", "?", "Marie Curie", "marie curie", True), ("words", "?", "Curie", "Curia", False),
    ],
)  # fmt: skip
def test_answers_are_compared_by_the_rules_of_their_type(kind, prompt, expected, given, equal):
    assert same_answer(kind, prompt, expected, given) is equal


ROWS = [
    {"question": "What is 2 + 3?", "answer": "some steps #### 5", "difficulty": 1},
    {"question": "What is $\\binom{6}{2}$?", "answer": "The value is \\boxed{15}.", "difficulty": 3},
    {"question": "Is 91 prime?", "answer": "no", "difficulty": 2},
    {"question": "Prove that 7 is prime.", "answer": "7", "difficulty": 2},
]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_files_of_three_kinds_are_read(tmp_path, suffix):
    file = tmp_path / f"questions.{suffix}"
    if suffix == "jsonl":
        file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    elif suffix == "csv":
        lines = [f"{row['question']},{row['answer']},{row['difficulty']}" for row in ROWS]
        file.write_text("\n".join(["question,answer,difficulty", *lines]) + "\n")
    else:
        pa = pytest.importorskip("pyarrow")
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(ROWS), file)
    assert [(each.answer, each.difficulty) for each in read_questions(file)] == [("5", 1), ("15", 3), ("no", 2), ("7", 2)]


def test_a_file_without_the_columns_is_refused(tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text('{"Frage": "?", "Antwort": "3"}\n')
    with pytest.raises(RowError, match="no column for the prompt"):
        list(read_questions(file))
    assert next(read_questions(file, {"prompt": "Frage", "answer": "Antwort"})).answer == "3"
    file.write_text("")
    with pytest.raises(RowError, match="no question"):
        adopt(read_questions(file))


PROBE = """
import rlgym
env = rlgym.make("my_questions", level=0.5)
seen = set()
for seed in range(40):
    text, _ = env.reset(seed=seed)
    seen.add(text.splitlines()[0])
    assert env.step(env.unwrapped.oracle())[1] == 1.0
    env.reset(seed=seed)
    assert env.step("<answer>no idea</answer>")[1] == 0.0
print(len(seen), rlgym.registry.locate("my_questions").domain, rlgym.registry.version("my_questions") > 0)
"""


def test_the_command_writes_an_environment_that_is_played_without_installation(tmp_path):
    file, out = tmp_path / "questions.jsonl", tmp_path / "plug-in"
    rows = [{"question": row["question"], "answer": row["answer"]} for row in ROWS]
    file.write_text("".join(json.dumps(row) + "\n" for row in [*rows, rows[0]]))
    result = CliRunner().invoke(app, ["dataset", "adopt", str(file), "--out", str(out), "--name", "my_questions", "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.output)
    assert (report["rows"], report["kept"], report["reasons"]) == (5, 3, {"duplicate": 1, "proof": 1})
    assert [json.loads(line)["row"] for line in (out / "rejected.jsonl").read_text().splitlines()] == [4, 5]
    code = f"import sys; sys.path.insert(0, {str(out)!r})\n{PROBE}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["3", "adopted", "True"], ran.stderr


def test_the_command_reads_references_and_votes(tmp_path):
    file, held, votes = (tmp_path / name for name in ("questions.jsonl", "held.jsonl", "votes.jsonl"))
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    held.write_text(json.dumps({"prompt": "WHAT IS 2+3"}) + "\n")
    votes.write_text("".join(json.dumps({"row": 2, "solver": f"s{n}", "answer": "20"}) + "\n" for n in range(4)))
    arguments = ["dataset", "adopt", str(file), "--against", str(held), "--votes", str(votes), "--dry-run", "--out", str(tmp_path / "none")]
    result = CliRunner().invoke(app, [*arguments, "--json"])
    reasons = json.loads(result.output)["reasons"]
    assert reasons == {"leak": 1, "proof": 1, "suspect label": 1}
    assert not (tmp_path / "none").exists()
    assert "suspect label: row 2" in " ".join(CliRunner().invoke(app, arguments).output.split())


def test_nothing_is_written_where_nothing_is_kept(tmp_path):
    with pytest.raises(RowError, match="no question is left"):
        write_environment(adopt([Question(1, "Prove it.", "1")]), tmp_path / "out", "nothing")
    with pytest.raises(RowError, match="lower-case"):
        write_environment(adopt([Question(1, "What is 1?", "1")]), tmp_path / "out", "../up")


def test_an_answer_that_cannot_be_read_says_why():
    with pytest.raises(Unreadable, match="no option E"):
        answer_type("(A) 1 (B) 2", "E")


def test_an_adopted_file_has_a_card_and_a_page_that_say_what_was_left_out_and_what_was_not_checked(tmp_path):
    rows = [
        {"prompt": f"What is {number} times {number + 2}?", "answer": str(number * (number + 2)), "topic": "products"}
        for number in range(11, 31)
    ]
    rows += [{"prompt": "Prove that 2 is prime.", "answer": "It is."}, {"prompt": rows[0]["prompt"], "answer": rows[0]["answer"]}]
    rows += [{"prompt": rows[1]["prompt"], "answer": "7"}, {"prompt": "", "answer": "1"}]
    file, out = tmp_path / "q.jsonl", tmp_path / "out"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = CliRunner().invoke(app, ["dataset", "adopt", str(file), "--out", str(out), "--name", "card_questions"])
    assert result.exit_code == 0, result.output
    card, page = (out / "README.md").read_text(), (out / "report.html").read_text()
    assert "19 questions of 24" in card
    # 24 rows: one without a prompt, one proof, two that contradict each other, one duplicate.
    assert re.findall(r"\| (\d+) \| (\d+) \|\n", card)[:6] == [("1", "23"), ("1", "22"), ("2", "20"), ("1", "19"), ("0", "19"), ("0", "19")]
    assert "| products | 19 |" in card
    assert "Not decontaminated" in card
    assert "Not audited by votes" in card
    assert "Not decontaminated: no reference was given." in page
    assert "Prove" in page
    assert "src=" not in page
    assert json.loads((out / "report.json").read_text())["voters"] == 0
