"""Episodes: what was sampled stays as it was, the mask covers exactly that, and nothing is encoded twice."""

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

import itertools

import rlgym
from rlgym.train.config.sections import TrainError
from rlgym.train.model.tokenizer import CHAT_TEMPLATE, make_tokenizer
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.engines.base import Completion
from rlgym.train.rollout.scoring import InProcessPool
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

RULES = TaskSettings(seed=0, held_out_fraction=0.1)


class Scripted:
    """An engine that says what a function of (key, context so far) tells it to."""

    def __init__(self, says):
        self.says, self.waiting, self.seen = says, [], []

    def submit(self, key, prompt, sampling):
        self.seen.append((key, list(prompt), sampling))
        self.waiting.append((key, list(prompt), sampling))

    def step(self):
        ready, self.waiting = self.waiting, []
        out = []
        for key, prompt, sampling in ready:
            tokens = list(self.says(key, prompt))
            cut = tokens[: sampling.max_new_tokens]
            stopped = bool(cut) and cut[-1] in sampling.stop
            out.append((key, Completion(tuple(cut), tuple(-0.5 - place for place in range(len(cut))), stopped, 3)))
        return out

    @property
    def pending(self):
        return len(self.waiting)


def merging_tokenizer():
    """One that merges letters, and what a turn begins with with what stands before it, whenever they are encoded together."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate(["<|end|>", *letters])}
    newline = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str("\n")[0][0]
    merges = [("e", "r"), (newline, newline), (">", newline), (newline, "a")]
    for left, right in merges:
        vocabulary[left + right] = len(vocabulary)
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken("<|end|>", special=True, normalized=False)])
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>")


def worker(engine, chat, **more):
    return RolloutWorker(engine, InProcessPool(), chat, RULES, **{"max_new_tokens": 400, "max_seq_len": 8000, **more})


def oracle_of(chat, task):
    """The oracle's answers to a task, as token lists, by turn."""
    from rlgym.train.rollout.scoring import ScoringJob, run_job

    env = rlgym.make(task.name)
    env.restore(run_job(ScoringJob(0, task, RULES))[1].snapshot)
    text = []
    while True:
        text.append(env.oracle())
        _, _, over, cut, _ = env.step(text[-1])
        if over or cut:
            return text


@pytest.mark.parametrize("template", ["chat", "none"])
@pytest.mark.parametrize("split_letters", [True, False])
def test_many_turns_with_a_tokenizer_that_merges_across_seams(template, split_letters):
    tokenizer = merging_tokenizer()
    if template == "chat":
        tokenizer.chat_template = CHAT_TEMPLATE.replace("<|end|>", "<|end|>\n")
    chat = Chat(tokenizer)
    task = TaskSpec("mastermind", 0.0, 4, "train")
    answers = oracle_of(chat, task)
    turns = []

    def says(key, prompt):
        # Letter by letter, as no encoding of the whole would give it; "a" at the end would merge with what follows.
        text = "\na" + answers[len(turns)] if len(turns) < len(answers) else "\na"
        tokens = [tokenizer.convert_tokens_to_ids(token) for token in tokenizer.tokenize(text)]
        if split_letters:
            tokens = [item for letter in text for item in tokenizer(letter, add_special_tokens=False)["input_ids"]]
        turns.append([*tokens, chat.stop[0]])
        return turns[-1]

    engine = Scripted(says)
    (episode,) = worker(engine, chat).rollout([task], 1, 0)
    assert episode.score.value == 1
    assert len(turns) == len(answers) > 1
    # The mask covers what was sampled, in order, and nothing else; each context begins with all of the one before.
    sampled = [token for token, mine in zip(episode.tokens, episode.loss_mask, strict=True) if mine]
    assert sampled == [token for turn in turns for token in turn]
    assert [logprob for logprob, mine in zip(episode.logprobs, episode.loss_mask, strict=True) if mine] == [
        -0.5 - place for turn in turns for place in range(len(turn))
    ]
    assert all(logprob == 0 for logprob, mine in zip(episode.logprobs, episode.loss_mask, strict=True) if not mine)
    contexts = [prompt for _, prompt, _ in engine.seen]
    for number, (before, after) in enumerate(itertools.pairwise(contexts)):
        assert after[: len(before) + len(turns[number])] == before + turns[number]
    # Encoded anew, the whole would have other tokens: that is what must not happen.
    full = tokenizer.decode(episode.tokens)
    assert not split_letters or tokenizer(full, add_special_tokens=False)["input_ids"] != episode.tokens
    # What the environment said between the turns is all there, and read by the policy only.
    for who, text in episode.messages:
        assert who in ("user", "assistant")
        assert text in full.replace("<|end|>", "")


def test_a_context_of_several_turns_is_what_the_chat_template_writes(tmp_path):
    tokenizer = make_tokenizer(tmp_path)
    chat = Chat(tokenizer)
    tokens = [*chat.prompt_tokens("How much?"), *tokenizer("three", add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]
    tokens += chat.turn_tokens("No. Again?", stopped=True)
    text = [{"role": "user", "content": "How much?"}, {"role": "assistant", "content": "three"}, {"role": "user", "content": "No. Again?"}]
    assert tokenizer.decode(tokens) == tokenizer.apply_chat_template(text, tokenize=False, add_generation_prompt=True)
    # One that was cut off is closed for it, with a token that it did not sample.
    assert chat.turn_tokens("x", stopped=False) == [tokenizer.eos_token_id, *chat.turn_tokens("x", stopped=True)]


def test_groups_play_the_same_task_and_keep_their_order(tmp_path):
    chat = Chat(make_tokenizer(tmp_path))
    specs = [TaskSpec("chain_sum", 0.0, index, "train") for index in (1, 2, 3)]
    answers = [oracle_of(chat, task)[0] for task in specs]
    engine = Scripted(lambda key, prompt: chat.response_tokens(answers[key // 4] if key % 4 < 2 else "<answer>x</answer>"))
    episodes = worker(engine, chat).rollout(specs, 4, 0)
    assert [episode.group for episode in episodes] == [0] * 4 + [1] * 4 + [2] * 4
    assert [episode.score.value for episode in episodes] == [1, 1, 0, 0] * 3
    assert len({tuple(prompt) for _, prompt, _ in engine.seen}) == 3
    assert len({sampling.seed for _, _, sampling in engine.seen}) == 12


def test_limits_of_tokens_cut_and_prompts_that_never_fit_are_refused(tmp_path):
    chat = Chat(make_tokenizer(tmp_path))
    task = TaskSpec("chain_sum", 0.0, 1, "train")
    engine = Scripted(lambda key, prompt: [100] * 1000)
    (episode,) = worker(engine, chat, max_new_tokens=7).rollout([task], 1, 0)
    assert (episode.truncated, episode.num_sampled, episode.valid, episode.reward) == (True, 7, True, 0.0)
    with pytest.raises(TrainError, match=r"chain_sum@0 in a row are too long.*rollout\.max_seq_len=10: raise it"):
        worker(engine, chat, max_seq_len=10).rollout([task], 1, 0)


def test_a_prompt_that_does_not_fit_is_replaced_by_another_of_its_kind(tmp_path):
    chat = Chat(make_tokenizer(tmp_path))
    tasks = [TaskSpec("chain_sum", 0.5, index, "train") for index in range(20)]
    engine = Scripted(lambda key, prompt: [100])
    free = worker(engine, chat).rollout(tasks, 1, 0)
    lengths = sorted(len(episode.tokens) - episode.num_sampled for episode in free)
    limit = lengths[10]
    fitted = worker(engine, chat, max_seq_len=limit).rollout(tasks, 1, 0)
    assert lengths[0] < limit
    assert all(episode.valid for episode in fitted)
    assert [episode.task.index for episode in fitted] == list(range(20))
    assert all((new.task.retry > 0) == (len(old.tokens) - old.num_sampled >= limit) for new, old in zip(fitted, free, strict=True))
    repeated = worker(engine, chat, max_seq_len=limit).rollout(tasks, 1, 0)
    assert [episode.tokens for episode in repeated] == [episode.tokens for episode in fitted]


def test_held_out_tasks_are_never_trained_on():
    from rlgym.train.rollout.scoring import ScoringJob, run_job

    seen = {}
    for split in ("train", "test"):
        results = [run_job(ScoringJob(index, TaskSpec("dyck_completion", 0.0, index, split), RULES))[1] for index in range(60)]
        seen[split] = {result.content for result in results}
    assert len(seen["train"]) > 20
    assert len(seen["test"]) > 5
    assert not seen["train"] & seen["test"]


def test_a_tokenizer_without_an_end_and_a_template_that_forgets_are_refused(tmp_path):
    tokenizer = make_tokenizer(tmp_path)
    tokenizer.chat_template = "{{ messages[-1]['content'] }}"
    with pytest.raises(TrainError, match="drops earlier assistant messages"):
        Chat(tokenizer)
    tokenizer = merging_tokenizer()
    tokenizer.eos_token = None
    with pytest.raises(TrainError, match="end-of-text"):
        Chat(tokenizer)
