// Watch an episode of several turns, played by the oracle or with mistakes, one move at a time.
import { randomSeed, taskQuery, taskHref, nearestSample } from "./task_query.js";
import { backend } from "./backend.js";
import { Drawing } from "./drawing.js";
import { useKeys } from "./shortcuts.js";
import { splitResponse } from "./answer_tags.js";
import { go, href } from "./route.js";
import { Problem, useRequest } from "./ui.js";
import { html, useEffect, useReducer, useRef, useState } from "./vendor/preact.js";

const SPEEDS = [["slow", 2500], ["normal", 1100], ["fast", 350]];
const MAX_MOVES = 400;

/** The players. `wrong(turn)` says whether to make a mistake; `exact` sets the opponent to the oracle. */
const PLAYERS = {
  oracle: { label: "The oracle", wrong: () => false },
  both: { label: "The oracle on both sides", wrong: () => false, exact: true },
  slip: { label: "One mistake, then the oracle", wrong: (turn) => turn === 0 },
  mistakes: { label: "Only mistakes", wrong: () => true },
};

const exactKnob = (spec) => Object.entries(spec.knobs).find(([, facts]) => facts.order?.includes("exact") && facts.order.includes("greedy"))?.[0];

function players(spec) {
  const possible = { oracle: spec.kind === "match" ? "The oracle against the environment's own opponent" : "The oracle" };
  if (backend.live && spec.kind === "match" && exactKnob(spec)) possible.both = PLAYERS.both.label;
  if (backend.live) possible.slip = PLAYERS.slip.label;
  possible.mistakes = spec.kind === "match" ? "Only mistakes, against it" : PLAYERS.mistakes.label;
  return possible;
}

/** A watched episode: its frames so far, and the session that produces the next ones. */
class WatchedEpisode {
  constructor(request, player, drawn, rerender) {
    Object.assign(this, { request, player, drawn, rerender, frames: [], session: null, busy: false, error: null, gone: false, numEvents: 0 });
  }

  get over() {
    return Boolean(this.frames.at(-1)?.view.done);
  }

  /** Produce the next frame, unless one is being produced or the episode is over. */
  async advance() {
    if (this.busy || this.over || this.gone || this.frames.length > MAX_MOVES) return;
    this.busy = true;
    try {
      this.frames = [...this.frames, this.session ? await this.nextFrame() : await this.firstFrame()];
      this.error = null;
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
    if (this.gone) this.end();
    else this.rerender();
  }

  async firstFrame() {
    const view = await backend.open(this.request);
    this.session = view.session;
    return { view, moves: [], text: view.observation, svg: await this.drawing() };
  }

  async nextFrame() {
    const turn = this.frames.at(-1).view.turn;
    const wrong = this.player.wrong(turn);
    const response = wrong ? (await backend.mistake(this.session, 0)).response : await backend.oracle(this.session);
    const view = await backend.step(this.session, response, turn);
    const events = (await backend.getSession(this.session)).events;
    const replies = events.slice(this.numEvents).filter((event) => event.kind === "opponent");
    this.numEvents = events.length;
    const own = { who: wrong ? "mistake" : "oracle", move: answerOf(response, this.request.answer_style) };
    const text = view.observation || view.feedback;
    return { view, moves: [own, ...replies.map((event) => ({ who: "opponent", move: event.what }))], text, svg: await this.drawing() };
  }

  drawing() {
    return this.drawn ? backend.drawing(this.session).catch(() => null) : null;
  }

  end() {
    this.gone = true;
    if (this.session) backend.close(this.session).catch(() => null);
  }
}

/** The answer in a response, without its tags. */
function answerOf(response, style) {
  const [, answer] = splitResponse(response, style);
  return (answer ?? response).trim();
}

function useWatchedEpisode(request, player, drawn) {
  const [, rerender] = useReducer((count) => count + 1, 0);
  const kept = useRef(null);
  kept.current ??= new WatchedEpisode(request, player, drawn, rerender);
  useEffect(() => {
    kept.current.advance();
    return () => kept.current.end();
  }, []);
  return kept.current;
}

export function Watch({ route }) {
  const name = route.path[1];
  const result = useRequest((signal) => backend.environment(name, { signal }), [name]);
  const spec = result.value;
  useEffect(() => {
    document.title = `${name} played · rlgym`;
  }, [name]);
  if (!spec) return html`<${Problem} error=${result.error} again=${result.again} />`;
  const samples = backend.live ? null : backend.samples(name);
  if (spec.kind === "environment") {
    return html`<p>${name} has only one turn: <a href=${href(["env", name])}>answer it</a>.</p>`;
  }
  const player = route.query.player in players(spec) ? route.query.player : "oracle";
  const request = nearestSample(taskQuery(spec, route.query), samples);
  const change = (some) => go(addressOf({ ...request, ...some }, some.player ?? player), { replace: true });
  if (route.query.seed === undefined) change({});
  const key = JSON.stringify([request, player]);
  return html`<div class="watch" data-test="watch">
    <nav class="crumbs"><a href="#/">Environments</a> / <a href=${taskHref(request)}>${name}</a></nav>
    <h1>${name}, played</h1>
    <p class="soft">${spec.title}</p>
    <${Choice} spec=${spec} request=${request} player=${player} samples=${samples} change=${change} />
    <${Played} key=${key} spec=${spec} request=${withOpponent(spec, request, player)} player=${PLAYERS[player]} again=${() => change({ seed: randomSeed() })} />
  </div>`;
}

const addressOf = (request, player) => taskHref(request).replace("#/env/", "#/watch/") + (player === "oracle" ? "" : `&player=${player}`);

function withOpponent(spec, request, player) {
  return PLAYERS[player].exact ? { ...request, knobs: { ...request.knobs, [exactKnob(spec)]: "exact" } } : request;
}

function Choice({ spec, request, player, samples, change }) {
  const options = Object.entries(players(spec));
  return html`<div class="row card">
    <label>Played by <select value=${player} onChange=${(event) => change({ player: event.target.value })} data-test="player">
      ${options.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
    </select></label>
    ${samples
      ? html`<label>Task <select value=${`${request.level} ${request.seed}`} data-test="watch-sample" onChange=${(event) => change(Object.fromEntries(event.target.value.split(" ").map((text, k) => [["level", "seed"][k], Number(text)])))}>
          ${samples.map((one) => html`<option key=${`${one.level} ${one.seed}`} value=${`${one.level} ${one.seed}`}>level ${one.level}, seed ${one.seed}</option>`)}
        </select></label>`
      : html`<label>Level <input type="range" min="0" max="1" step="0.05" value=${request.level} onChange=${(event) => change({ level: Number(event.target.value) })} data-test="watch-level" /> <output>${request.level.toFixed(2)}</output></label>
        <span class="soft">seed ${request.seed}</span><button class="small" onClick=${() => change({ seed: randomSeed() })} data-test="watch-another">Another</button>`}
    <span class="spring"></span><a href=${taskHref(request)}>Play it yourself</a>
  </div>`;
}

function Played({ spec, request, player }) {
  const show = useWatchedEpisode(request, player, spec.has_picture);
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState("normal");
  const here = Math.min(at, show.frames.length - 1);
  const last = show.over && here === show.frames.length - 1;
  const forward = async () => {
    if (at + 1 >= show.frames.length) await show.advance();
    setAt((old) => Math.min(old + 1, show.frames.length - 1));
  };
  const back = () => (setPlaying(false), setAt(Math.max(0, here - 1)));
  const toggle = () => {
    if (last) setAt(0);
    setPlaying(!playing || last);
  };
  const toEnd = async () => {
    setPlaying(false);
    while (!show.over && !show.error && !show.gone && show.frames.length <= MAX_MOVES) await show.advance();
    setAt(show.frames.length - 1);
  };
  useEffect(() => {
    if (!playing) return undefined;
    if (last || show.error) return setPlaying(false);
    const later = setTimeout(forward, Object.fromEntries(SPEEDS)[speed]);
    return () => clearTimeout(later);
  }, [playing, here, speed, last, show.frames.length, show.error]);
  // A focused control handles its own keys.
  const free = (act) => (event) => (event.target.closest?.(event.key === " " ? "button, a, summary, input" : "input") ? false : void act());
  const keys = { " ": toggle, ArrowRight: () => (setPlaying(false), forward()), ArrowLeft: back, Home: () => (setPlaying(false), setAt(0)), End: toEnd };
  useKeys(Object.fromEntries(Object.entries(keys).map(([key, act]) => [key, free(act)])));
  const frame = show.frames[here];
  if (!frame) return html`<${Problem} error=${show.error} again=${() => show.advance()} />`;
  return html`<div class="watch-table">
    <section class="board card" aria-label="The board">
      ${spec.has_picture && frame.svg ? html`<${Drawing} svg=${frame.svg} now=${true} />` : html`<pre data-test="watch-text">${frame.text}</pre>`}
      <${Controls} ...${{ playing, toggle, back, forward: () => (setPlaying(false), forward()), toEnd, here, show, last, speed, setSpeed, setAt, setPlaying }} />
      <${Problem} error=${show.error} again=${() => show.advance()} />
      ${last && html`<${Result} view=${frame.view} kind=${spec.kind} />`}
      ${spec.has_picture && frame.svg && html`<details><summary>What the player reads</summary><pre data-test="watch-text">${frame.text}</pre></details>`}
    </section>
    <${Moves} frames=${show.frames} here=${here} choose=${(k) => (setPlaying(false), setAt(k))} spec=${spec} />
  </div>`;
}

function Controls({ playing, toggle, back, forward, toEnd, here, show, last, speed, setSpeed, setAt, setPlaying }) {
  return html`<div class="controls" role="group" aria-label="Playing">
      <button onClick=${back} disabled=${here === 0} aria-label="One move back" title="One move back (←)" data-test="watch-back">◀</button>
      <button class="primary play" onClick=${toggle} title="Play or pause (space)" data-test="watch-play">${playing ? "Pause" : last ? "Again" : "Play"}</button>
      <button onClick=${forward} disabled=${last || show.busy} aria-label="One move forward" title="One move forward (→)" data-test="watch-forward">▶</button>
      <button onClick=${toEnd} disabled=${last} title="To the end (End)" data-test="watch-end">To the end</button>
      <label>Speed <select value=${speed} onChange=${(event) => setSpeed(event.target.value)} data-test="watch-speed">${SPEEDS.map(([name]) => html`<option key=${name} value=${name}>${name}</option>`)}</select></label>
      <span class="soft" aria-live="polite" data-test="watch-at">move ${here}${show.over ? ` of ${show.frames.length - 1}` : ""}</span>
    </div>
    <input class="along" type="range" min="0" max=${Math.max(1, show.frames.length - 1)} value=${here} disabled=${show.frames.length < 2} aria-label="Move shown" onInput=${(event) => (setPlaying(false), setAt(Number(event.target.value)))} />`;
}

function Result({ view, kind }) {
  const score = view.score;
  const won = kind === "match" ? "Won" : "Solved";
  const paid = kind === "match" ? "The payoff is at least the value of the game under perfect play." : view.feedback;
  return html`<div class=${`result ${score.outcome}`} role="status" data-test="watch-result" data-outcome=${score.outcome}>
    <strong>${score.outcome === "right" ? `${won}: score 1` : `Score ${score.value} (${score.outcome})`}</strong>
    <span>${score.outcome === "right" ? paid : score.reason || view.feedback}</span>
  </div>`;
}

const WHO = { oracle: "the oracle", mistake: "a mistake", opponent: "the opponent" };

function Moves({ frames, here, choose, spec }) {
  const list = useRef(null);
  useEffect(() => {
    const current = list.current?.querySelector("[aria-current=true]");
    if (current) list.current.scrollTop = current.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, [here]);
  return html`<section class="card" aria-label="Moves"><h2>Moves</h2>
    <ol class="moves" ref=${list} data-test="moves">
      <li><button onClick=${() => choose(0)} aria-current=${here === 0}><span class="turn">0</span><span class="soft">${spec.kind === "match" ? "start of the match" : "start of the task"}</span></button></li>
      ${frames.slice(1).map((frame, k) => html`<li key=${k} data-test="move"><button onClick=${() => choose(k + 1)} aria-current=${here === k + 1}>
        <span class="turn">${k + 1}</span><span>${frame.moves.map((move, n) => html`<span key=${n} class="stack-move"><span class=${`who ${move.who === "opponent" || move.who === "mistake" ? "other" : ""}`}>${WHO[move.who]}</span><br /><span class="move">${move.move}</span><br /></span>`)}</span>
      </button></li>`)}
    </ol></section>`;
}
