// Keys that act on the whole page, while nothing is being typed.
import { html, useEffect, useRef } from "./vendor/preact.js";

const KEYS = [
  ["/", "search the environments"],
  ["↑ ↓", "move through the list"],
  ["Enter", "open the marked environment"],
  ["n", "another task: the next seed"],
  ["[ ]", "an easier or a harder level"],
  ["a", "write an answer"],
  ["Ctrl Enter", "send the answer"],
  ["t", "light, dark, or as the system has it"],
  ["Esc", "leave a field or close a box"],
  ["?", "show these keys"],
];

export function typing(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) || isText(target));
}

function isText(target) {
  return target.tagName === "INPUT" && !/^(checkbox|radio|button|range)$/.test(target.type);
}

/** Call actions[key] when a key is pressed outside of fields and boxes. */
export function useKeys(actions) {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const pressed = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === "Escape" && typing(event.target)) event.target.blur();
      if (typing(event.target) || document.querySelector("dialog[open]")) return;
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
      ${KEYS.map(([names, does]) => html`<tr><th scope="row">${names.split(" ").map((name) => html`<kbd>${name}</kbd> `)}</th><td>${does}</td></tr>`)}
    </tbody>
  </table>`;
}
