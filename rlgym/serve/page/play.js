// An episode as the page knows it: its turns, where it can go back to, and the session of the service that plays it.
//
// The session is opened with the first thing that needs one, so that looking at tasks costs the service nothing.
import { backend } from "./backend.js";
import { useEffect, useReducer, useRef } from "./vendor/preact.js";

/** turns: [{observation, svg, snapshot, response, by, feedback, score}], the last one still to be answered unless the episode is over. */
const fresh = (task) => ({
  session: null,
  view: null,
  limit: null,
  turns: [{ observation: task.observation, svg: task.svg }],
  past: [],
  hints: [],
  busy: "",
  error: null,
});

class Episode {
  constructor(ask, task, drawn, tell) {
    Object.assign(this, { ask, task, drawn, tell, state: fresh(task), gone: false });
  }

  set(some) {
    if (this.gone) return;
    this.state = { ...this.state, ...some };
    this.tell();
  }

  get last() {
    return this.state.turns.at(-1);
  }

  setLast(some) {
    this.set({ turns: [...this.state.turns.slice(0, -1), { ...this.last, ...some }] });
  }

  get done() {
    return Boolean(this.state.view?.done);
  }

  /** Run one action at a time; what goes wrong is kept, with how to do it again. */
  async during(what, action) {
    if (this.state.busy) return;
    this.set({ busy: what, error: null });
    try {
      await action();
      this.set({ busy: "" });
    } catch (error) {
      this.set({ busy: "", error, retry: () => this.during(what, action) });
    }
  }

  async opened() {
    if (this.state.session) return this.state.session;
    const view = await backend.open(this.ask);
    this.set({ session: view.session, view, limit: view.turns });
    this.setLast({ observation: view.observation, snapshot: await this.snapshot() });
    return view.session;
  }

  /** Where the episode stands, to come back to; null where no more can be kept, which only takes the way back. */
  async snapshot() {
    try {
      return await backend.snapshot(this.state.session);
    } catch (error) {
      if (error.code === "session_expired" || error.code === "session_lost") throw error;
      return null;
    }
  }

  send(response, by) {
    return this.during("judging", async () => {
      await this.opened();
      // A finished episode of one turn is answered once more from its beginning.
      if (this.done) await this.returned(0);
      await this.stepped(response, by);
    });
  }

  async stepped(response, by) {
    const { session, view: before } = this.state;
    const view = await backend.step(session, response, before.turn);
    const turns = [...this.state.turns.slice(0, -1), { ...this.last, response, by, feedback: view.feedback, score: view.score }];
    const svg = this.drawn && view.turns > 1 ? await backend.drawing(session).catch(() => null) : null;
    if (view.done) {
      this.set({ view, turns, finalSvg: svg, hints: this.hintsAfter(view) });
      return;
    }
    this.set({ view, turns: [...turns, { observation: view.observation, svg, snapshot: null }], hints: [] });
    this.setLast({ snapshot: await this.snapshot() });
  }

  async returned(at) {
    const { turns, past, session } = this.state;
    const view = await backend.restore(session, turns[at].snapshot);
    const { observation, svg, snapshot } = turns[at];
    const left = turns.slice(at).filter((turn) => turn.response !== undefined);
    this.set({
      view,
      turns: [...turns.slice(0, at), { observation, svg, snapshot }],
      past: left.length ? [...past, { at, turns: left }] : past,
      hints: this.hintsAfter(view),
      finalSvg: null,
    });
  }

  /** A hint is for one turn; where there is only one, it goes on to hold. */
  hintsAfter(view) {
    return view.turns === 1 ? this.state.hints : [];
  }

  back(at) {
    return this.during("going back", () => this.returned(at));
  }

  /** A new session at the same place: the task is made again from its seed, and the responses so far are given again. */
  restart() {
    return this.during("starting again", async () => {
      const said = this.state.turns.filter((turn) => turn.response !== undefined);
      const again = this.done ? [] : said;
      this.set({ ...fresh(this.task), busy: "starting again", past: this.state.past });
      await this.opened();
      for (const { response, by } of again) if (!this.done) await this.stepped(response, by);
    });
  }

  /** Let the oracle answer, or one of the mistakes. */
  oracle() {
    return this.during("asking the oracle", async () => {
      const session = await this.opened();
      if (this.done) await this.returned(0);
      await this.stepped(await backend.oracle(session), "the oracle");
    });
  }

  mistake() {
    return this.during("making a mistake", async () => {
      const session = await this.opened();
      if (this.done) await this.returned(0);
      const which = this.mistakes ? (this.which + 1) % this.mistakes : 0;
      const { response, of } = await backend.mistake(session, which);
      [this.which, this.mistakes] = [which, of];
      await this.stepped(response, `mistake ${which + 1} of ${of}`);
    });
  }

  hint(tier) {
    return this.during("asking for a hint", async () => {
      const session = await this.opened();
      if (this.done) await this.returned(0);
      const text = await backend.hint(session, tier);
      this.set({ hints: [...this.state.hints.filter((one) => one.tier !== tier), { tier, text }] });
    });
  }

  end() {
    this.gone = true;
    // The service would let it go by itself; this only frees its place earlier.
    if (this.state.session) backend.close(this.state.session).catch(() => null);
  }
}

/** The episode of a task; it lives as long as the component, which is to be keyed by the task. */
export function useEpisode(ask, task, drawn) {
  const [, tell] = useReducer((count) => count + 1, 0);
  const kept = useRef(null);
  kept.current ??= new Episode(ask, task, drawn, tell);
  useEffect(() => () => kept.current.end(), []);
  return kept.current;
}
