"""chrF and BLEU of one sentence against sacrebleu's values, and the partial reward of wrong translations."""

import pytest

from rlgym.rewards.lexical import METRICS, bleu, chrf

NAME = "translation_glossary_constraints"
SCORES = [  # text, reference, and sacrebleu 2.6.0: CHRF(), CHRF(word_order=2) and BLEU(effective_order=True), in percent
    ("mika toru sanel", "mika toru sanel", 100, 100, 100),
    ("mika toran sanel ke", "mika toru sanel", 59.693590832223066, 52.585198555545055, 18.99589214128981),
    ("mika toru sanel", "mika toran sanel ke", 51.636303917600046, 45.307747787212975, 24.840753130578644),
    ("toru mika", "mika toru sanel ke lo", 23.613959663891798, 23.39414029113459, 15.777684932819515),
    ("the old farmer did see two dogs", "the two old farmers did see a dog", 56.763041442710374, 52.43460285263492, 14.31720073264775),
    ("a", "mika toru", 15.151515151515152, 7.575757575757576, 0),
    ("zzz qqq xx", "mika toru sanel", 0, 0, 0),
]
TEXTS = sorted({text for text, *_ in SCORES} | {"ke ke ke ke mika", "mika sanel toru lo", "lo", "the two dogs did see the two old farmers"})


@pytest.mark.parametrize(("text", "reference", "characters", "both", "words"), SCORES)
def test_scores_are_sacrebleus(text, reference, characters, both, words):
    found = [metric(text, reference) for metric in METRICS.values()]
    assert found == pytest.approx([characters / 100, both / 100, words / 100])


def test_scores_of_all_pairs_are_those_of_the_installed_sacrebleu():
    metrics = pytest.importorskip("sacrebleu.metrics", reason="compared where sacrebleu is installed")
    theirs = (metrics.CHRF(), metrics.CHRF(word_order=2), metrics.BLEU(effective_order=True))
    for text in TEXTS:
        for reference in TEXTS:
            expected = [metric.sentence_score(text, [reference]).score / 100 for metric in theirs]
            assert [metric(text, reference) for metric in METRICS.values()] == pytest.approx(expected)


def test_an_empty_text_shares_nothing():
    assert bleu("", "mika") == chrf("", "mika") == chrf("mika", "") == bleu("mika", "") == 0


@pytest.fixture(scope="module")
def scored():
    """A function that scores responses to one task with a shaping."""
    pytest.importorskip("torch", reason="the trainer needs torch")
    pytest.importorskip("transformers")
    import rlgym
    from rlgym.train.rollout.scoring import ScoringJob, run_job
    from rlgym.train.tasks.spec import TaskSettings, TaskSpec

    def of(name, *edits, **options):
        settings = TaskSettings(0, 0.1, reward_shaping=(("lexical_similarity", tuple(options.items())),))
        task = TaskSpec(name, 0.5, 3, "train")
        first = run_job(ScoringJob(0, task, settings))[1]
        env = rlgym.make(name)
        env.restore(first.snapshot)
        right = env.oracle().removeprefix("<answer>").removesuffix("</answer>")
        texts = [edit(right) for edit in edits]
        given = [run_job(ScoringJob(0, task, settings, first.snapshot, f"<answer>{text}</answer>"))[1].reward for text in texts]
        return right, texts, given

    return of


@pytest.mark.parametrize("metric", METRICS)
def test_a_wrong_translation_earns_its_similarity_and_a_right_one_keeps_1(scored, metric):
    edits = (str, lambda text: text.rpartition(" ")[0], lambda text: text.split()[0], lambda _: "qqq", lambda _: "")
    right, texts, rewards = scored(NAME, *edits, metric=metric, highest=0.8)
    assert rewards[0] == 1
    assert rewards[1:4] == pytest.approx([0.8 * METRICS[metric](text, right) for text in texts[1:4]])
    assert 0.8 > rewards[1] > rewards[2] > rewards[3] == rewards[4] == 0


def test_passages_are_texts_too(scored):
    right, texts, rewards = scored("euphonic_translation", lambda text: text.partition(". ")[0] + ".")
    assert rewards == pytest.approx([0.9 * chrf(texts[0], right)])
    assert rewards[0] > 0.1


def test_it_needs_tasks_whose_answers_are_texts():
    pytest.importorskip("torch", reason="the trainer needs torch")
    from rlgym.train.config.schema import Config
    from rlgym.train.config.sections import TrainError
    from rlgym.train.validate.algorithms import check_algorithms

    given = {"model": "m", "output_dir": "run", "algorithm": {"reward_shaping": {"lexical_similarity": {}}}}
    check_algorithms(Config.from_dict(given | {"tasks": [{"names": [NAME, "chain_sum"]}]}))
    with pytest.raises(TrainError, match="lexical_similarity needs answers that are texts, and chain_sum has none"):
        check_algorithms(Config.from_dict(given | {"tasks": [{"names": ["chain_sum"]}]}))
