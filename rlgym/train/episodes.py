"""Plays episodes with a rollout engine: tokens in, tokens out.

A policy's tokens are kept as they were sampled. What the environment says next is encoded by itself and put behind them, so
that a context only ever grows, nothing is encoded twice, and the mask covers exactly what the policy sampled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rlgym import Outcome, Score
from rlgym.train.config import TrainError
from rlgym.train.rollout import Completion, Engine, Sampling
from rlgym.train.scoring import Job, Pick, Pool, Rules, Stand

MARK = "\u241freply\u241f"


class Tokenizer(Protocol):
    """What is used of a Hugging Face tokenizer."""

    chat_template: Any
    eos_token_id: int | None

    def __call__(self, text: str, add_special_tokens: bool) -> Any: ...
    def decode(self, token_ids: list[int], skip_special_tokens: bool) -> str: ...
    def apply_chat_template(
        self, conversation: list[dict[str, str]], *, tokenize: bool, add_generation_prompt: bool, **options: Any
    ) -> Any: ...


class Chat:
    """A conversation as tokens, by the tokenizer's chat template; without one, texts are put below one another."""

    def __init__(self, tokenizer: Tokenizer, **options: Any) -> None:
        self.tokenizer, self.options = tokenizer, options
        if tokenizer.eos_token_id is None:
            raise TrainError("the tokenizer has no end-of-text token, so that a response could never end: set its eos_token")
        self.stop: tuple[int, ...] = (tokenizer.eos_token_id,)
        self._between = self._rendered("{}", "")[0] if tokenizer.chat_template else "\n\n"
        closing = self._encode(self._between.partition("{}")[0]) if tokenizer.chat_template else []
        # What the template puts behind a reply begins with the token that ends a turn.
        self._end = closing[0] if closing and closing[0] in self._special() else tokenizer.eos_token_id
        self.stop = tuple(sorted({tokenizer.eos_token_id, self._end}))

    def opening(self, text: str) -> list[int]:
        """The tokens up to where the policy begins its first response."""
        if not self.tokenizer.chat_template:
            return self._encode(f"{text}\n\n")
        said = [{"role": "user", "content": text}]
        return self._encode(self.tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True, **self.options))

    def following(self, text: str, stopped: bool) -> list[int]:
        """The tokens between a response and the next: its end unless the policy itself sampled it, and what it reads next."""
        between, _ = self._rendered(text, "") if self.tokenizer.chat_template else (f"\n\n{text}\n\n", "")
        tokens = self._encode(between)
        if not self.tokenizer.chat_template or tokens[:1] != [self._end]:
            return tokens if stopped else [self._end, *tokens]
        return tokens[1:] if stopped else tokens

    def response(self, text: str) -> list[int]:
        """The tokens of a response that is given as text, with the one that ends it."""
        return [*self._encode(text), self._end]

    def text(self, tokens: Sequence[int]) -> str:
        """The text of sampled tokens, without special ones."""
        return self.tokenizer.decode(list(tokens), skip_special_tokens=True)

    def _rendered(self, text: str, question: str) -> tuple[str, str]:
        """What the template puts behind a reply when `text` is said next, and what it puts before the reply."""
        said = [{"role": "user", "content": question}, {"role": "assistant", "content": MARK}, {"role": "user", "content": text}]
        whole = self.tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True, **self.options)
        before, found, behind = whole.partition(MARK)
        if not found:
            raise TrainError("the chat template leaves out what the assistant said before: episodes of many turns cannot be told with it")
        return behind, before

    def _encode(self, text: str) -> list[int]:
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def _special(self) -> frozenset[int]:
        return frozenset(getattr(self.tokenizer, "all_special_ids", ()))


@dataclass
class Episode:
    """One rollout: the tokens of the whole context, which of them the policy sampled, and how it ended.

    logprobs  natural logarithms from the engine; 0 where `mask` is False
    cut       it was ended by a limit of tokens
    score     None while it runs
    plain     of one with a hint: the tokens of the prompt without it
    hinted    it was sampled with a hint that is no longer in `tokens`
    oracle    the oracle wrote it, and not the policy
    """

    key: int
    group: int
    pick: Pick
    tokens: list[int]
    mask: list[bool]
    logprobs: list[float]
    snapshot: Any
    cut: bool = False
    score: Score | None = None
    reward: float = 0.0
    version: int = 0
    content: str = ""
    said: list[tuple[str, str]] = field(default_factory=list)
    plain: list[int] = field(default_factory=list)
    hinted: bool = False
    oracle: bool = False

    @property
    def sampled(self) -> int:
        """How many tokens the policy sampled."""
        return sum(self.mask)

    @property
    def valid(self) -> bool:
        """False where there is no score through no fault of the model."""
        return self.score is not None and not self.score.masked

    def see(self, tokens: Sequence[int]) -> None:
        """Add tokens that the policy reads."""
        self.tokens += tokens
        self.mask += [False] * len(tokens)
        self.logprobs += [0.0] * len(tokens)

    def say(self, completion: Completion) -> None:
        """Add tokens that the policy sampled."""
        self.tokens += completion.tokens
        self.mask += [True] * len(completion.tokens)
        self.logprobs += completion.logprobs
        self.cut = not completion.stopped

    def end(self, score: Score, reward: float) -> None:
        """Give it its score."""
        self.score, self.reward, self.snapshot = score, reward, None


@dataclass(frozen=True)
class Player:
    """All that playing needs: the engine, the scoring pool, the chat, and the limits."""

    engine: Engine
    pool: Pool
    chat: Chat
    rules: Rules
    tokens: int
    context: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    ordered: bool = True

    def play(
        self,
        picks: Sequence[Pick],
        group: int,
        seed: int,
        tick: Callable[[int, int], None] | None = None,
        numbers: Sequence[int] | None = None,
    ) -> list[Episode]:
        """Play `group` episodes of the task of each pick, in the order of the picks. `seed` decides what is sampled.

        `numbers` are those of the groups, where the picks are some of many; what is sampled in a group depends on its number.
        """
        episodes = _open(self, picks, group, range(len(picks)) if numbers is None else numbers)
        running = {episode.key: episode for episode in episodes if episode.score is None}
        self._submit(sorted(running), running, seed)
        turn_over: list[int] = []
        while running:
            self.pool.submit([self._judge(running[key], completion) for key, completion in self.engine.step()])
            for key, stand in self.pool.done(wait=self.engine.pending == 0):
                episode = running[key]
                self._moved(episode, stand)
                if episode.score is None:
                    turn_over.append(key)
                else:
                    del running[key]
            if turn_over and (not self.ordered or self.engine.pending == self.pool.pending == 0):
                self._submit(sorted(turn_over), running, seed)
                turn_over = []
            if tick:
                tick(len(episodes) - len(running), len(episodes))
        return episodes

    def _submit(self, keys: Sequence[int], running: dict[int, Episode], seed: int) -> None:
        for key in keys:
            episode = running[key]
            room = min(self.tokens, self.context - len(episode.tokens))
            own = int.from_bytes(hashlib.sha256(f"{seed} {key} {len(episode.tokens)}".encode()).digest()[:8], "big") >> 1
            how = Sampling(room, self.temperature, self.top_p, self.top_k, self.chat.stop, own)
            self.engine.submit(key, episode.tokens, how)

    def _judge(self, episode: Episode, completion: Completion) -> Job:
        if not any(episode.mask):
            episode.version = completion.version
        episode.say(completion)
        episode.said.append(("assistant", self.chat.text(completion.tokens)))
        return Job(episode.key, episode.pick, self.rules, episode.snapshot, episode.said[-1][1])

    def _moved(self, episode: Episode, stand: Stand) -> None:
        if stand.score is not None:
            episode.end(stand.score, stand.reward)
            return
        episode.snapshot = stand.snapshot
        following = self.chat.following(stand.observation, not episode.cut)
        if len(episode.tokens) + len(following) >= self.context:
            episode.cut = True
            episode.end(Score.wrong("the context had no room for another turn"), 0.0)
            return
        episode.see(following)
        episode.said.append(("user", stand.observation))


def _open(player: Player, picks: Sequence[Pick], group: int, numbers: Sequence[int]) -> list[Episode]:
    """The episodes of all picks at their first prompt. One that does not fit into the context is over, and masked."""
    player.pool.submit([Job(place, pick, player.rules) for place, pick in enumerate(picks)])
    stands: dict[int, Stand] = {}
    while player.pool.pending:
        stands.update(player.pool.done(wait=True))
    episodes = []
    for place, pick in enumerate(picks):
        stand = stands[place]
        prompt = player.chat.opening(stand.observation)
        plain = player.chat.opening(stand.plain) if pick.hint else []
        fits = len(prompt) < player.context
        for member in range(group):
            number = numbers[place]
            key = number * group + member
            episode = Episode(key, number, pick, [], [], [], stand.snapshot, content=stand.content, plain=plain)
            episode.see(prompt if fits else prompt[:1])
            episode.said.append(("user", stand.observation))
            if stand.score is not None:
                episode.end(stand.score, 0.0)
            elif not fits:
                reason = f"the prompt has {len(prompt)} tokens and the context {player.context}"
                episode.end(Score.nothing(Outcome.ERROR, reason), 0.0)
            episodes.append(episode)
    return episodes
