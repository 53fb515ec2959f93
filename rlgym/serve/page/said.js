// One text of a conversation, as it is: the environment's, or a response with its answer marked.
import { calls, parted } from "./marks.js";
import { brief } from "./knobs.js";
import { Copy } from "./ui.js";
import { html } from "./vendor/preact.js";

const value = (given) => (typeof given === "number" ? brief(given) : typeof given === "string" ? given : JSON.stringify(given));

export function Call({ tool, given }) {
  return html`<span class="call"><span class="tool">${tool}</span>(${Object.entries(given).map(([name, one], at) => html`${at > 0 && ", "}<span
    class="soft">${name}=</span><span class="given">${value(one)}</span>`)})</span>`;
}

/** What was answered: tool calls as calls, other answers with their marks faded. */
export function Response({ text, style }) {
  const [before, answer, after] = parted(text, style);
  const called = calls(answer);
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
