// Loads the selected task and creates its episode.
import { backend } from "./backend.js";
import { EpisodeView } from "./episode.js";
import { Problem } from "./ui.js";
import { html, useEffect, useRef, useState } from "./vendor/preact.js";

const DEBOUNCE_MS = 120;

/** {task, of, error, waiting, again}: the latest task, and the query it belongs to; requested after the last change with a delay. */
function useTask(request) {
  const wanted = JSON.stringify(request);
  const [state, setState] = useState({ task: null, of: null, error: null, waiting: true });
  const [round, setRound] = useState(0);
  const first = useRef(true);
  useEffect(() => {
    const stop = new AbortController();
    setState((old) => ({ ...old, error: null, waiting: true }));
    const later = setTimeout(async () => {
      try {
        const task = await backend.task(request, { signal: stop.signal });
        setState({ task, of: wanted, error: null, waiting: false });
      } catch (error) {
        if (!stop.signal.aborted) setState((old) => ({ ...old, error, waiting: false }));
      }
    }, first.current ? 0 : DEBOUNCE_MS);
    first.current = false;
    return () => {
      clearTimeout(later);
      stop.abort();
    };
  }, [wanted, round]);
  return { ...state, again: () => setRound(round + 1) };
}

export function TaskView({ request, spec, seen }) {
  const { task, of, error, waiting, again } = useTask(request);
  useEffect(() => seen?.(task), [task]);
  return html`<div class="stack task">
    <${Problem} error=${error} again=${again} />
    ${task && html`<${EpisodeView} key=${of} request=${JSON.parse(of)} spec=${spec} task=${task} waiting=${waiting} />`}
    ${!task && !error && html`<div class="card observed first" aria-busy="true"><p class="soft">Generating the task …</p></div>`}
  </div>`;
}
