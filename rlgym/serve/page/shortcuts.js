// Keyboard shortcuts, active while no text field has the focus.
import { html, useEffect, useRef } from "./vendor/preact.js";

const SHORTCUTS = [
  ["/", "search the environments"],
  ["↑ ↓", "move through the list"],
  ["Enter", "open the selected environment"],
  ["n", "another task: a random seed"],
  ["[ ]", "an easier or a harder level"],
  ["a", "write an answer"],
  ["Ctrl Enter", "send the answer"],
  ["t", "switch between light, dark and system theme"],
  ["Esc", "leave a field or close a dialog"],
  ["?", "show these shortcuts"],
];

export function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) || isText(target));
}

function isText(target) {
  return target.tagName === "INPUT" && !/^(checkbox|radio|button|range)$/.test(target.type);
}

/** Call actions[key] when a key is pressed outside of text fields and dialogs. An action that returns false leaves the key to the browser. */
export function useKeys(actions) {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const pressed = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === "Escape" && isTyping(event.target)) event.target.blur();
      if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
      const act = latest.current[event.key];
      if (act && act(event) !== false) event.preventDefault();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}

export function KeysHelp() {
  return html`<table class="keys">
    <tbody>
      ${SHORTCUTS.map(([names, does]) => html`<tr><th scope="row">${names.split(" ").map((name) => html`<kbd>${name}</kbd> `)}</th><td>${does}</td></tr>`)}
    </tbody>
  </table>`;
}
