// Components and hooks that every view uses.
import { explain } from "./errors.js";
import { html, useEffect, useRef, useState } from "./vendor/preact.js";

/** Ask the app to open the key dialog. */
export const askForKey = () => window.dispatchEvent(new CustomEvent("rlgym:key"));

/** The explanation of an error, with a button for its remedy: `again` retries the action, `restart` restarts the episode. */
export function Problem({ error, again, restart }) {
  if (!error) return null;
  const { title, text, help } = explain(error);
  const act = help === "restart" ? restart : again;
  const label = help === "restart" ? "Restart" : "Retry";
  return html`<div class="problem" role="alert" data-test="problem" data-code=${error.code ?? "page"}>
    <div><strong>${title}</strong><p>${text}</p></div>
    <div class="row">
      ${help === "key" && html`<button class="primary" onClick=${askForKey} data-test="enter-key">Enter a key</button>`}
      ${help && help !== "key" && act && html`<button class="primary" onClick=${act} data-test="again">${label}</button>`}
    </div>
  </div>`;
}

/** A button that copies a text and confirms it. */
export function Copy({ text, label = "Copy", test }) {
  const [message, setMessage] = useState("");
  useEffect(() => {
    if (!message) return undefined;
    const later = setTimeout(() => setMessage(""), 1500);
    return () => clearTimeout(later);
  }, [message]);
  const copy = async () => setMessage((await copied(text)) ? "Copied" : "Copy it manually");
  return html`<button class="small quiet copy" onClick=${copy} data-test=${test ?? "copy"}>
    <span aria-live="polite">${message || label}</span>
  </button>`;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedFromField(text);
  }
}

// The clipboard API is only available over https.
function copiedFromField(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position:fixed;opacity:0";
  document.body.append(field);
  field.select();
  const worked = document.execCommand("copy");
  field.remove();
  return worked;
}

/** A modal dialog. Escape and a click outside of it call `close`. */
export function Dialog({ open, close, title, test, children }) {
  const box = useRef(null);
  useEffect(() => {
    if (open && !box.current.open) box.current.showModal();
    if (!open && box.current.open) box.current.close();
  }, [open]);
  const clickedOutside = (event) => event.target === box.current && close();
  return html`<dialog ref=${box} onClose=${close} onClick=${clickedOutside} aria-label=${title} data-test=${test}>
    <div class="dialog">
      <header><h2>${title}</h2><button class="quiet small" onClick=${close} aria-label="Close">✕</button></header>
      ${open && children}
    </div>
  </dialog>`;
}

/** A choice between options that are all visible. */
export function Segments({ label, value, options, choose, test }) {
  return html`<div class="segments" role="radiogroup" aria-label=${label} data-test=${test}>
    ${options.map(([option, text]) => html`<label key=${option} class=${option === value ? "on" : ""}>
      <input type="radio" name=${test} value=${option} checked=${option === value} onChange=${() => choose(option)} />${text}
    </label>`)}
  </div>`;
}

/** {value, error, waiting, again} of an asynchronous function, called again when `inputs` change; the old value is kept meanwhile. */
export function useRequest(fetcher, inputs) {
  const [state, setState] = useState({ value: null, error: null, waiting: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((old) => ({ ...old, error: null, waiting: true }));
    Promise.resolve(fetcher(stop.signal)).then(
      (value) => stop.signal.aborted || setState({ value, error: null, waiting: false }),
      (error) => stop.signal.aborted || setState((old) => ({ ...old, error, waiting: false })),
    );
    return () => stop.abort();
  }, [...inputs, round]);
  return { ...state, again: () => setRound(round + 1) };
}
