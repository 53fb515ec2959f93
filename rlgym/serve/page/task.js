// Brings the task that is meant, and hands it to an episode of its own.
import { backend } from "./backend.js";
import { EpisodeView } from "./episode.js";
import { Problem } from "./ui.js";
import { html, useEffect, useRef, useState } from "./vendor/preact.js";

const MOMENT_MS = 120;

/** {task, of, error, waiting, again}: the newest task there is, and the ask it belongs to; asked for a moment after the last change. */
function useTask(ask) {
  const wanted = JSON.stringify(ask);
  const [state, setState] = useState({ task: null, of: null, error: null, waiting: true });
  const [round, setRound] = useState(0);
  const first = useRef(true);
  useEffect(() => {
    const stop = new AbortController();
    setState((old) => ({ ...old, error: null, waiting: true }));
    const later = setTimeout(async () => {
      try {
        const task = await backend.task(ask, { signal: stop.signal });
        setState({ task, of: wanted, error: null, waiting: false });
      } catch (error) {
        if (!stop.signal.aborted) setState((old) => ({ ...old, error, waiting: false }));
      }
    }, first.current ? 0 : MOMENT_MS);
    first.current = false;
    return () => {
      clearTimeout(later);
      stop.abort();
    };
  }, [wanted, round]);
  return { ...state, again: () => setRound(round + 1) };
}

export function TaskView({ ask, spec, seen }) {
  const { task, of, error, waiting, again } = useTask(ask);
  useEffect(() => seen?.(task), [task]);
  return html`<div class="stack task">
    <${Problem} error=${error} again=${again} />
    ${task && html`<${EpisodeView} key=${of} ask=${JSON.parse(of)} spec=${spec} task=${task} waiting=${waiting} />`}
    ${!task && !error && html`<div class="card observed first" aria-busy="true"><p class="soft">Making the task …</p></div>`}
  </div>`;
}
