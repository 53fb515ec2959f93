// Small parts that every view uses.
import { explain } from "./errors.js";
import { html, useEffect, useRef, useState } from "./vendor/preact.js";

/** Ask the shell for the box in which a key is entered. */
export const askForKey = () => window.dispatchEvent(new CustomEvent("rlgym:key"));

/** An error in words, with the button that helps. `again` repeats what failed, `restart` starts the episode again. */
export function Problem({ error, again, restart }) {
  if (!error) return null;
  const { title, text, help } = explain(error);
  const act = help === "restart" ? restart : again;
  const label = help === "restart" ? "Start again" : "Try again";
  return html`<div class="problem" role="alert" data-test="problem" data-code=${error.code ?? "page"}>
    <div><strong>${title}</strong><p>${text}</p></div>
    <div class="row">
      ${help === "key" && html`<button class="primary" onClick=${askForKey} data-test="enter-key">Enter a key</button>`}
      ${help && help !== "key" && act && html`<button class="primary" onClick=${act} data-test="again">${label}</button>`}
    </div>
  </div>`;
}

/** A button that copies a text and says so. */
export function Copy({ text, label = "Copy", test }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!said) return undefined;
    const later = setTimeout(() => setSaid(""), 1500);
    return () => clearTimeout(later);
  }, [said]);
  const copy = async () => setSaid((await copied(text)) ? "Copied" : "Select and copy by hand");
  return html`<button class="small quiet copy" onClick=${copy} data-test=${test ?? "copy"}>
    <span aria-live="polite">${said || label}</span>
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

// The clipboard is closed to pages that were not loaded over https.
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

/** A box over the page. `open` shows it; Escape and a click beside it call `close`. */
export function Dialog({ open, close, title, test, children }) {
  const box = useRef(null);
  useEffect(() => {
    if (open && !box.current.open) box.current.showModal();
    if (!open && box.current.open) box.current.close();
  }, [open]);
  const beside = (event) => event.target === box.current && close();
  return html`<dialog ref=${box} onClose=${close} onClick=${beside} aria-label=${title} data-test=${test}>
    <div class="dialog">
      <header><h2>${title}</h2><button class="quiet small" onClick=${close} aria-label="Close">✕</button></header>
      ${open && children}
    </div>
  </dialog>`;
}

/** One choice of several, all of them visible. */
export function Segments({ label, value, options, choose, test }) {
  return html`<div class="segments" role="radiogroup" aria-label=${label} data-test=${test}>
    ${options.map(([option, said]) => html`<label key=${option} class=${option === value ? "on" : ""}>
      <input type="radio" name=${test} value=${option} checked=${option === value} onChange=${() => choose(option)} />${said}
    </label>`)}
  </div>`;
}

/** [value, error, again] of an asynchronous function; asked again when `inputs` change, and the old value stays meanwhile. */
export function useAsked(ask, inputs) {
  const [state, setState] = useState({ value: null, error: null, waiting: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((old) => ({ ...old, error: null, waiting: true }));
    Promise.resolve(ask(stop.signal)).then(
      (value) => stop.signal.aborted || setState({ value, error: null, waiting: false }),
      (error) => stop.signal.aborted || setState((old) => ({ ...old, error, waiting: false })),
    );
    return () => stop.abort();
  }, [...inputs, round]);
  return { ...state, again: () => setRound(round + 1) };
}
