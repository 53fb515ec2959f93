// The messages of an episode: observations, and responses with their answer highlighted.
import { parseCalls, splitResponse } from "./answer_tags.js";
import { brief } from "./knobs.js";
import { Copy } from "./ui.js";
import { html } from "./vendor/preact.js";

const value = (given) => (typeof given === "number" ? brief(given) : typeof given === "string" ? given : JSON.stringify(given));

export function Call({ tool, args }) {
  return html`<span class="call"><span class="tool">${tool}</span>(${Object.entries(args).map(([name, one], at) => html`${at > 0 && ", "}<span
    class="soft">${name}=</span><span class="given">${value(one)}</span>`)})</span>`;
}

/** A response: tool calls as calls, other answers with their tags faded. */
export function Response({ text, style }) {
  const [before, answer, after] = splitResponse(text, style);
  const called = parseCalls(answer);
  if (called && !before.trim() && !after.trim()) {
    return html`<div class="calls">${called.map((one, at) => html`<${Call} key=${at} ...${one} />`)}</div>`;
  }
  if (answer === null) return html`<pre>${text}</pre>`;
  return html`<pre><span class="faded">${before}</span><mark>${answer}</mark><span class="faded">${after}</span></pre>`;
}

export function Observed({ text, label, copy, test, waiting, children }) {
  return html`<div class=${`observed card ${waiting ? "waiting" : ""}`}>
    <div class="row apart head"><span class="label">${label}</span><span class="row tight">${children}${copy && html`<${Copy} text=${text}
      test="copy-prompt" />`}</span></div>
    <pre tabindex="0" aria-label=${label} data-test=${test}>${text}</pre>
  </div>`;
}
