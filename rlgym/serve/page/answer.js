// The ways to answer: a text, the tool form, the oracle, a mistake; and the hints.
import { hasAnswerTags, tagExample, wrapAnswer } from "./answer_tags.js";
import { useKeys } from "./shortcuts.js";
import { ToolForm } from "./tools.js";
import { Segments } from "./ui.js";
import { html, useEffect, useRef, useState } from "./vendor/preact.js";

const TIERS = [["concept", "Concept"], ["plan", "Plan"], ["partial", "Partial solution"], ["solution", "Solution"]];

function Hints({ episode }) {
  const { hints, busy } = episode.state;
  return html`<div class="hints" aria-label="Hints">
    <div class="row tight"><span class="label">Hints</span>
      ${TIERS.map(([tier, text]) => html`<button key=${tier} class="small" aria-disabled=${Boolean(busy)} aria-pressed=${hints.some((one) => one.tier === tier)}
        onClick=${() => episode.hint(tier)} data-test=${`hint-${tier}`}>${text}</button>`)}
    </div>
    <div aria-live="polite">
      ${hints.map(({ tier, text }) => html`<div class="hint" key=${tier} data-test="hint" data-tier=${tier}><span
        class="label">${TIERS.find(([one]) => one === tier)[1]}</span><pre>${text}</pre></div>`)}
    </div>
  </div>`;
}

function TextBox({ instructions, style, send, busy, turn, children }) {
  const [text, setText] = useState("");
  const [wrap, setWrap] = useState(true);
  const box = useRef(null);
  // The text of one turn is not kept for the next.
  useEffect(() => setText(""), [turn]);
  useKeys({ a: () => box.current.focus() });
  const submit = () => !busy && send(wrap ? wrapAnswer(text, style) : text);
  const pressed = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    }
  };
  const tagged = hasAnswerTags(text, style);
  return html`<form class="stack" onSubmit=${(event) => (event.preventDefault(), submit())}>
    <label class="visually-hidden" for="answer">Your answer: ${instructions}</label>
    <textarea id="answer" ref=${box} class="mono" rows="3" value=${text} placeholder=${`Your answer: ${instructions}`} spellcheck="false" autocomplete="off"
      onInput=${(event) => setText(event.target.value)} onKeyDown=${pressed} data-test="answer"></textarea>
    <label class="check small-text"><input type="checkbox" checked=${wrap && !tagged} disabled=${tagged}
      onChange=${(event) => setWrap(event.target.checked)} data-test="wrap" />
      <span>${tagged ? "Sent unchanged: it already has answer tags" : html`Wrap it in <code>${tagExample(style)}</code>`}</span></label>
    <div class="row">
      <button class="primary" aria-disabled=${busy} data-test="submit">Send</button>
      ${children}
    </div>
  </form>`;
}

/** All the ways to answer the current turn. */
export function Answer({ episode, spec, tools, style }) {
  const [mode, setMode] = useState("tools");
  const busy = Boolean(episode.state.busy);
  const hasTools = tools.length > 0;
  const send = (response) => episode.send(response, "you");
  const shortcuts = html`<span class="spring"></span>
    <button type="button" aria-disabled=${busy} onClick=${() => episode.oracle()} data-test="oracle" title="Let the oracle answer">Oracle</button>
    ${spec.kind === "environment" && html`<button type="button" aria-disabled=${busy} onClick=${() => episode.mistake()} data-test="mistake"
      title="Give a plausible wrong answer">A mistake</button>`}`;
  return html`<section class="answer card stack" aria-label="Your answer">
    ${hasTools && html`<div class="row apart"><${Segments} label="How to answer" value=${mode}
      options=${[["tools", "Call a tool"], ["text", "Write a response"]]} choose=${setMode} test="way" />
      ${mode === "tools" && html`<button aria-disabled=${busy} onClick=${() => episode.oracle()} data-test="oracle"
        title="Let the oracle answer this turn">Oracle</button>`}</div>`}
    ${hasTools && mode === "tools"
      ? html`<${ToolForm} tools=${tools} busy=${busy} send=${(text) => send(wrapAnswer(text, style))} />`
      : html`<${TextBox} instructions=${spec.answer.instructions} style=${style} send=${send} busy=${busy}
        turn=${episode.state.view?.max_turns > 1 ? episode.state.turns.length : 0}>${shortcuts}<//>`}
    <${Hints} episode=${episode} />
  </section>`;
}
