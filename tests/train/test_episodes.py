"""Episodes: what was sampled stays as it was, the mask covers exactly that, and nothing is encoded twice."""

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

import itertools

import rlgym
from rlgym import Outcome
from rlgym.train.config import TrainError
from rlgym.train.episodes import Chat, Player
from rlgym.train.rollout import Completion
from rlgym.train.scoring import Here, Pick, Rules
from rlgym.train.tokenizer import CHAT_TEMPLATE, make_tokenizer

RULES = Rules(seed=0, held_out=0.1)


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
            cut = tokens[: sampling.most_tokens]
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


def player(engine, chat, **more):
    return Player(engine, Here(), chat, RULES, **{"tokens": 400, "context": 8000, **more})


def oracle_of(chat, pick):
    """The oracle's answers to a pick, as token lists, by turn."""
    from rlgym.train.scoring import Job, do

    env = rlgym.make(pick.name)
    env.restore(do(Job(0, pick, RULES))[1].snapshot)
    said = []
    while True:
        said.append(env.oracle())
        _, _, over, cut, _ = env.step(said[-1])
        if over or cut:
            return said


@pytest.mark.parametrize("template", ["chat", "none"])
@pytest.mark.parametrize("split_letters", [True, False])
def test_many_turns_with_a_tokenizer_that_merges_across_seams(template, split_letters):
    tokenizer = merging_tokenizer()
    if template == "chat":
        tokenizer.chat_template = CHAT_TEMPLATE.replace("<|end|>", "<|end|>\n")
    chat = Chat(tokenizer)
    pick = Pick("mastermind", 0.0, 4, "train")
    answers = oracle_of(chat, pick)
    turns = []

    def says(key, prompt):
        # Letter by letter, as no encoding of the whole would give it; "a" at the end would merge with what follows.
        text = "\na" + answers[len(turns)] if len(turns) < len(answers) else "\na"
        tokens = [tokenizer.convert_tokens_to_ids(token) for token in tokenizer.tokenize(text)]
        if split_letters:
            tokens = [one for letter in text for one in tokenizer(letter, add_special_tokens=False)["input_ids"]]
        turns.append([*tokens, chat.stop[0]])
        return turns[-1]

    engine = Scripted(says)
    (episode,) = player(engine, chat).play([pick], 1, 0)
    assert episode.score.value == 1
    assert len(turns) == len(answers) > 1
    # The mask covers what was sampled, in order, and nothing else; each context begins with all of the one before.
    sampled = [token for token, mine in zip(episode.tokens, episode.mask, strict=True) if mine]
    assert sampled == [token for turn in turns for token in turn]
    assert [logprob for logprob, mine in zip(episode.logprobs, episode.mask, strict=True) if mine] == [
        -0.5 - place for turn in turns for place in range(len(turn))
    ]
    assert all(logprob == 0 for logprob, mine in zip(episode.logprobs, episode.mask, strict=True) if not mine)
    contexts = [prompt for _, prompt, _ in engine.seen]
    for number, (before, after) in enumerate(itertools.pairwise(contexts)):
        assert after[: len(before) + len(turns[number])] == before + turns[number]
    # Encoded anew, the whole would have other tokens: that is what must not happen.
    whole = tokenizer.decode(episode.tokens)
    assert not split_letters or tokenizer(whole, add_special_tokens=False)["input_ids"] != episode.tokens
    # What the environment said between the turns is all there, and read by the policy only.
    for who, text in episode.said:
        assert who in ("user", "assistant")
        assert text in whole.replace("<|end|>", "")


def test_a_context_of_several_turns_is_what_the_chat_template_writes(tmp_path):
    tokenizer = make_tokenizer(tmp_path)
    chat = Chat(tokenizer)
    tokens = [*chat.opening("How much?"), *tokenizer("three", add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]
    tokens += chat.following("No. Again?", stopped=True)
    said = [{"role": "user", "content": "How much?"}, {"role": "assistant", "content": "three"}, {"role": "user", "content": "No. Again?"}]
    assert tokenizer.decode(tokens) == tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True)
    # One that was cut off is closed for it, with a token that it did not sample.
    assert chat.following("x", stopped=False) == [tokenizer.eos_token_id, *chat.following("x", stopped=True)]


def test_groups_play_the_same_task_and_keep_their_order(tmp_path):
    chat = Chat(make_tokenizer(tmp_path))
    picks = [Pick("chain_sum", 0.0, index, "train") for index in (1, 2, 3)]
    answers = [oracle_of(chat, pick)[0] for pick in picks]
    engine = Scripted(lambda key, prompt: chat.response(answers[key // 4] if key % 4 < 2 else "<answer>x</answer>"))
    episodes = player(engine, chat).play(picks, 4, 0)
    assert [episode.group for episode in episodes] == [0] * 4 + [1] * 4 + [2] * 4
    assert [episode.score.value for episode in episodes] == [1, 1, 0, 0] * 3
    assert len({tuple(prompt) for _, prompt, _ in engine.seen}) == 3
    assert len({sampling.seed for _, _, sampling in engine.seen}) == 12


def test_limits_of_tokens_cut_and_a_prompt_that_does_not_fit_is_masked(tmp_path):
    chat = Chat(make_tokenizer(tmp_path))
    pick = Pick("chain_sum", 0.0, 1, "train")
    engine = Scripted(lambda key, prompt: [100] * 1000)
    (episode,) = player(engine, chat, tokens=7).play([pick], 1, 0)
    assert (episode.cut, episode.sampled, episode.valid, episode.reward) == (True, 7, True, 0.0)
    (episode,) = player(engine, chat, context=10).play([pick], 1, 0)
    assert not episode.valid
    assert episode.score.outcome is Outcome.ERROR
    assert "the context 10" in episode.score.reason
    assert not any(episode.mask)


def test_held_out_tasks_are_never_trained_on():
    from rlgym.train.scoring import Job, do

    seen = {}
    for split in ("train", "test"):
        stands = [do(Job(index, Pick("dyck_completion", 0.0, index, split), RULES))[1] for index in range(60)]
        seen[split] = {stand.content for stand in stands}
    assert len(seen["train"]) > 20
    assert len(seen["test"]) > 5
    assert not seen["train"] & seen["test"]


def test_a_tokenizer_without_an_end_and_a_template_that_forgets_are_refused(tmp_path):
    tokenizer = make_tokenizer(tmp_path)
    tokenizer.chat_template = "{{ messages[-1]['content'] }}"
    with pytest.raises(TrainError, match="leaves out"):
        Chat(tokenizer)
    tokenizer = merging_tokenizer()
    tokenizer.eos_token = None
    with pytest.raises(TrainError, match="end-of-text"):
        Chat(tokenizer)
