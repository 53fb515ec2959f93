// The state of an episode on the page: its turns, their snapshots, and the session of the service that plays it.
//
// The session is opened by the first action that needs one, so that browsing tasks costs the service nothing.
import { backend } from "./backend.js";
import { useEffect, useReducer, useRef } from "./vendor/preact.js";

/** turns: [{observation, svg, snapshot, response, by, feedback, score}]; the last one is unanswered unless the episode is over. */
const initialState = (task) => ({
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
  constructor(query, task, hasPicture, rerender) {
    Object.assign(this, { query, task, hasPicture, rerender, state: initialState(task), closed: false });
  }

  update(changes) {
    if (this.closed) return;
    this.state = { ...this.state, ...changes };
    this.rerender();
  }

  get last() {
    return this.state.turns.at(-1);
  }

  updateLast(changes) {
    this.update({ turns: [...this.state.turns.slice(0, -1), { ...this.last, ...changes }] });
  }

  get done() {
    return Boolean(this.state.view?.done);
  }

  /** Run one action at a time; an error is kept together with a function that retries the action. */
  async runAction(description, action) {
    if (this.state.busy) return;
    this.update({ busy: description, error: null });
    try {
      await action();
      this.update({ busy: "" });
    } catch (error) {
      this.update({ busy: "", error, retry: () => this.runAction(description, action) });
    }
  }

  async ensureOpen() {
    if (this.state.session) return this.state.session;
    const view = await backend.open(this.query);
    this.update({ session: view.session, view, limit: view.max_turns });
    this.updateLast({ observation: view.observation, snapshot: await this.snapshot() });
    return view.session;
  }

  /** Open the session if needed; a finished episode of one turn is answered again from its start. */
  async ensureAnswerable() {
    const session = await this.ensureOpen();
    if (this.done) await this.returnTo(0);
    return session;
  }

  /** A snapshot of the current turn, or null if none can be saved; then the turn cannot be returned to. */
  async snapshot() {
    try {
      return await backend.snapshot(this.state.session);
    } catch (error) {
      if (error.code === "session_expired" || error.code === "session_lost") throw error;
      return null;
    }
  }

  send(response, by) {
    return this.runAction("scoring", async () => {
      await this.ensureAnswerable();
      await this.step(response, by);
    });
  }

  async step(response, by) {
    const { session, view: before } = this.state;
    const view = await backend.step(session, response, before.turn);
    const turns = [...this.state.turns.slice(0, -1), { ...this.last, response, by, feedback: view.feedback, score: view.score }];
    const svg = this.hasPicture && view.max_turns > 1 ? await backend.drawing(session).catch(() => null) : null;
    if (view.done) {
      this.update({ view, turns, finalSvg: svg, hints: this.remainingHints(view) });
      return;
    }
    this.update({ view, turns: [...turns, { observation: view.observation, svg, snapshot: null }], hints: [] });
    this.updateLast({ snapshot: await this.snapshot() });
  }

  async returnTo(index) {
    const { turns, past, session } = this.state;
    const view = await backend.restore(session, turns[index].snapshot);
    const { observation, svg, snapshot } = turns[index];
    const abandoned = turns.slice(index).filter((turn) => turn.response !== undefined);
    this.update({
      view,
      turns: [...turns.slice(0, index), { observation, svg, snapshot }],
      past: abandoned.length ? [...past, { at: index, turns: abandoned }] : past,
      hints: this.remainingHints(view),
      finalSvg: null,
    });
  }

  /** A hint applies to one turn, so it remains only in episodes of a single turn. */
  remainingHints(view) {
    return view.max_turns === 1 ? this.state.hints : [];
  }

  back(index) {
    return this.runAction("going back", () => this.returnTo(index));
  }

  /** Open a new session in the same state: the task from its seed, followed by the responses so far. */
  restart() {
    return this.runAction("restarting", async () => {
      const answered = this.done ? [] : this.state.turns.filter((turn) => turn.response !== undefined);
      this.update({ ...initialState(this.task), busy: "restarting", past: this.state.past });
      await this.ensureOpen();
      for (const { response, by } of answered) if (!this.done) await this.step(response, by);
    });
  }

  oracle() {
    return this.runAction("asking the oracle", async () => {
      const session = await this.ensureAnswerable();
      await this.step(await backend.oracle(session), "the oracle");
    });
  }

  /** Answer with the next mistake. */
  mistake() {
    return this.runAction("making a mistake", async () => {
      const session = await this.ensureAnswerable();
      const index = this.mistakeCount ? (this.mistakeIndex + 1) % this.mistakeCount : 0;
      const { response, count } = await backend.mistake(session, index);
      [this.mistakeIndex, this.mistakeCount] = [index, count];
      await this.step(response, `mistake ${index + 1} of ${count}`);
    });
  }

  hint(tier) {
    return this.runAction("asking for a hint", async () => {
      const session = await this.ensureAnswerable();
      const text = await backend.hint(session, tier);
      this.update({ hints: [...this.state.hints.filter((hint) => hint.tier !== tier), { tier, text }] });
    });
  }

  close() {
    this.closed = true;
    // The service would close the idle session anyway; this frees its slot earlier.
    if (this.state.session) backend.close(this.state.session).catch(() => null);
  }
}

/** The episode of a task. It lives as long as the component, which must be keyed by the task. */
export function useEpisode(query, task, hasPicture) {
  const [, rerender] = useReducer((count) => count + 1, 0);
  const episode = useRef(null);
  episode.current ??= new Episode(query, task, hasPicture, rerender);
  useEffect(() => () => episode.current.close(), []);
  return episode.current;
}
