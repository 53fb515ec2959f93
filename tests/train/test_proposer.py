"""Tasks that the policy states and attempts in the same step, with an engine that knows who proves what."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import WaitingEngine, learned_from, opened, sums, train_interrupted
from train.small_models import small_model

import rlgym
from rlgym import Refused, Task
from rlgym.generators.programs.proposals import LIMITS, results
from rlgym.sandbox import get_runner
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.engines.base import Completion
from rlgym.train.sft.proposals import build_proposal
from rlgym.train.tasks.spec import TaskSettings, TaskSpec
from rlgym.train.validate.config import check_config

ASKED = "State another task of this kind"
LAWS = "Prove from them that\n"


@dataclass
class Player(WaitingEngine):
    """An engine whose responses are what `says` (prompt, how often this prompt came before) gives, at a log-probability of -1 for each token."""

    tokenizer: object
    says: object
    asked: list = field(default_factory=list)
    waiting: list = field(default_factory=list)

    def submit(self, key, prompt, sampling):
        text = self.tokenizer.decode(list(prompt), skip_special_tokens=True)
        said = self.says(text, self.asked.count(text))
        self.asked.append(text)
        tokens = [*self.tokenizer(said, add_special_tokens=False)["input_ids"], self.tokenizer.eos_token_id]
        self.waiting.append((key, Completion(tuple(tokens), (-1.0,) * len(tokens), True, self.version)))


def playing(monkeypatch, says):
    made = []
    monkeypatch.setattr(
        "rlgym.train.rollout.setup.make_engine",
        lambda config, *_: made.append(Player(load_tokenizer(Path(config.model.path)), says)) or made[-1],
    )
    return made


def configured(folder, name="equational_rewrite_proof", steps=2, knobs=None, **proposer):
    given = sums(
        folder / "start",
        folder / "run",
        tasks=[{"names": [name], "levels": [0.0], "knobs": {} if knobs is None else knobs}],
        rollout={"groups_per_step": 1, "group_size": 4, "max_new_tokens": 2500, "max_seq_len": 5000},
        update={"tokens_per_micro_batch": 5000},
        algorithm={"filter_zero_std": False, "proposer": proposer},
        steps=steps,
    )
    return Config.from_dict(given)


STATED = [
    "m(e, m(a, e)) = a",  # proved by one of four
    "m(e, m(b, e)) = b",  # proved by all
    "m(a, b) = m(b, a)",  # does not hold
    "m(e, m(a, e)) = a",  # stated before
]


def prove(prompt, number):
    """The oracle's chain of an equation; of one in a only every fourth attempt is right."""
    equation = prompt.partition(LAWS)[2].partition("\n")[0]
    if "b" not in equation and number % 4:
        return "<answer>e</answer>"
    declared = rlgym.environment("equational_rewrite_proof")
    return declared.answer.render_response(declared.solve(Task(prompt.strip(), None)), "tag")


def conjecture(prompt, number):
    return f"<answer>{STATED[number % 4]}</answer>" if ASKED in prompt else prove(prompt, number)


def run(tmp_path, monkeypatch, says=conjecture, **options):
    small_model(tmp_path / "start", max_seq_len=5000, num_layers=1, hidden_size=32)
    engines = playing(monkeypatch, says)
    train(configured(tmp_path, **options))
    return read_lines(tmp_path / "run" / "proposals.jsonl"), read_lines(tmp_path / "run" / "metrics.jsonl"), engines


def test_conjectures_are_proved_by_the_same_policy_and_paid_by_their_solve_rate(tmp_path, monkeypatch):
    learned = learned_from(monkeypatch)
    records, lines, _ = run(tmp_path, monkeypatch, reward="band", steps=1)
    assert [record["solve_rate"] for record in records] == [0.25, 1.0, None, None]
    assert [record["reward"] for record in records] == [1.0, 0.0, -0.5, -0.5]
    assert [record["reason"] for record in records] == ["", "", "the two sides are not equal", "the task has been stated before"]
    assert lines[0]["proposals"] == 4
    assert lines[0]["valid_proposals"] == 0.5
    assert lines[0]["rewarded_proposals"] == 0.25
    assert lines[0]["proposed_solve_rate"] == 0.625
    # Four rollouts of the task of the step, four conjectures, and four proofs of each of the two valid ones.
    [episodes] = learned
    assert len(episodes) == lines[0]["rollouts"] == 16
    assert len({episode.group for episode in episodes}) == 4
    proofs = [episode for episode in episodes if episode.group < 0 and episode.task.name == "equational_rewrite_proof"]
    assert sum(episode.solved for episode in proofs) == 5, "the kernel decides on the proofs"


def test_learnability_pays_rare_proofs_most_and_a_response_without_a_proposal_least(tmp_path, monkeypatch):
    records, _, _ = run(
        tmp_path, monkeypatch, lambda prompt, number: "None." if ASKED in prompt and number == 3 else conjecture(prompt, number), steps=1
    )
    assert [record["reward"] for record in records] == [0.75, 0.0, -0.5, -1.0]


def test_rewarded_conjectures_are_examples_of_later_prompts_and_of_a_resumed_run(tmp_path, monkeypatch):
    small_model(tmp_path / "start", max_seq_len=5000, num_layers=1, hidden_size=32)
    engines = playing(monkeypatch, conjecture)
    runs = opened(monkeypatch)
    train_interrupted(monkeypatch, configured(tmp_path, steps=2), step=1)
    prompts = [text for text in engines[-1].asked if ASKED in text]
    assert prompts
    assert all(f"Another task is stated as ---\n{STATED[0]}\n" in text for text in prompts)
    records = read_lines(tmp_path / "run" / "proposals.jsonl")
    assert [record["step"] for record in records] == [1] * 4 + [2] * 4
    assert {record["reason"] for record in records[4:]} == {"the two sides are not equal", "the task has been stated before"}
    assert runs[-1].proposals.kept == {"equational_rewrite_proof": [STATED[0]]}


PROGRAM = "def solve(values):\n    return {}\n# solve([3, 1, 2])"
FUNCTION = "def solve(values):\n    return sum(values) % 7\n" + "\n".join(f"# solve([{number}, {number}])" for number in range(8))


@pytest.mark.parametrize(
    ("name", "right", "refused"),
    [
        ("predict_output", PROGRAM.format("sorted(values)"), "import random\n" + PROGRAM.format("random.random()")),
        ("predict_input", PROGRAM.format("max(values)"), PROGRAM.format("open('/etc/passwd').read()")),
        ("induce_program", FUNCTION, FUNCTION.replace("sum(values) % 7", "0")),
        ("natural_deduction", "p -> q\np\ntherefore q", "p -> q\nq\ntherefore p"),
        ("resolution_proof", "P(a)\nnot P(x) or Q(x)\nnot Q(a)", "P(a)\nnot P(x) or Q(x)\nnot Q(b)"),
    ],
)
def test_statements_of_other_environments_become_tasks_that_their_oracle_solves(tmp_path, monkeypatch, name, right, refused):
    """Deduction, abduction and induction of programs, and sequents: the sandbox or truth tables decide what is valid."""

    def says(prompt, number):
        if ASKED in prompt:
            return f"<answer>{(right, refused)[number % 2]}</answer>"
        answer = {
            "predict_output": "[1, 2, 3]",
            "predict_input": "[3]",
            "induce_program": "def solve(values):\n    return sum(values) % 7",
            "resolution_proof": "4. 1 2 : Q(a)\n5. 4 3 : empty",
            "natural_deduction": "1. p -> q : premise\n2. p : premise\n3. q : ifE 1 2",
        }[name]
        return f"<answer>{answer}</answer>" if number % 2 else "<answer></answer>"

    records, _, _ = run(tmp_path, monkeypatch, says, name=name, steps=1, group_size=2)
    assert [record["solve_rate"] for record in records] == [0.5, None], [record["reason"] for record in records]
    assert records[1]["reason"]


@pytest.mark.parametrize(
    "proposal",
    [
        "P(a)\nnot P(a)",
        "P(a)",
        "P(a)\nP(a)\nnot P(a)",
        "V(a)\nnot V(x) or Q(x)\nnot Q(a)",
        "P(f(a, b))\nnot P(x) or Q(x)\nnot Q(x)",
        "P(a)\nhello there",
    ],
)
def test_clauses_that_state_no_task_are_refused(proposal):
    proposals = rlgym.environment("resolution_proof").proposals
    with pytest.raises(Refused):
        proposals.state(rlgym.task("resolution_proof", 1, level=0.0), proposals.answer.parse(proposal))


@pytest.mark.parametrize(
    "name", ["natural_deduction", "equational_rewrite_proof", "resolution_proof", "predict_output", "predict_input", "induce_program"]
)
def test_examples_of_proposals_are_statements_of_other_tasks(tmp_path, name):
    small_model(tmp_path / "start", max_seq_len=500, num_layers=1, hidden_size=32)
    chat = Chat(load_tokenizer(tmp_path / "start"))
    declared = rlgym.environment(name)
    example = build_proposal(chat, TaskSpec(name, 0.0, 1, "train"), TaskSettings(0, 0.1))
    texts = [
        chat.decode([token for token, mine in zip(example.tokens, example.loss_mask, strict=True) if mine is wanted])
        for wanted in (False, True)
    ]
    assert ASKED in texts[0]
    assert declared.proposals.rules in texts[0]
    stated = declared.proposals.answer.parse_response(texts[1], "tag", "")
    assert declared.proposals.answer.render(stated) not in texts[0]
    runner = () if declared.proposals.sandbox is None else (get_runner(declared.proposals.sandbox),)
    assert declared.proposals.state(rlgym.task(name, 1, level=0.0), stated, *runner).prompt


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "chain_sum"}, "chain_sum does not declare how its tasks are proposed"),
        ({"band": [0.5, 0.5]}, "algorithm.proposer.band must be two solve rates"),
        ({"prompts": 3}, "algorithm.proposer.prompts=3 shows a task of the step each"),
        ({"group_size": 1}, "algorithm.proposer.group_size=1 leaves 'grpo' nothing to compare"),
    ],
)
def test_what_cannot_be_proposed_is_refused(tmp_path, change, message):
    small_model(tmp_path / "start", max_seq_len=5000, num_layers=1, hidden_size=32)
    with pytest.raises(TrainError, match=message):
        check_config(configured(tmp_path, **change))


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        ("float('nan')", "no answer can state"),
        ("[1, float('inf')]", "no answer can state"),
        ("list(range(500))", "more than 400 characters"),
        ("(lambda: undefined)()", "does not return a value"),
    ],
)
def test_programs_whose_results_nobody_can_give_are_refused(ending, message):
    program = f"def solve(values):\n    return {ending}"
    with pytest.raises(Refused, match=message):
        results(program, [[3, 1, 2]], get_runner(LIMITS))


def test_a_program_that_fails_is_not_run_a_second_time():
    class Counting:
        runs = 0

        def run(self, program, inputs):
            self.runs += 1
            return get_runner(LIMITS).run(program, inputs)

    runner = Counting()
    with pytest.raises(Refused, match="does not return a value"):
        results("def solve(values):\n    return undefined", [[1], [2]], runner)
    assert runner.runs == 1
    assert results("def solve(values):\n    return [*values, -0.0]", [[1], [2]], runner) == ["[1, 0.0]", "[2, 0.0]"]
    assert runner.runs == 3
