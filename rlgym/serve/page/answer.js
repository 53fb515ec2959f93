// Where an answer comes from: a text, a form of tools, the oracle, a mistake; and the hints.
import { isMarked, marked, shownMark } from "./marks.js";
import { useKeys } from "./keys.js";
import { ToolForm } from "./tools.js";
import { Segments } from "./ui.js";
import { html, useEffect, useRef, useState } from "./vendor/preact.js";

const TIERS = [["concept", "Concept"], ["plan", "Plan"], ["partial", "Half of it"], ["solution", "Solution"]];

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

function TextBox({ asks, style, send, busy, turn, children }) {
  const [text, setText] = useState("");
  const [wrap, setWrap] = useState(true);
  const box = useRef(null);
  // What was said in one turn is not for the next.
  useEffect(() => setText(""), [turn]);
  useKeys({ a: () => box.current.focus() });
  const give = () => !busy && send(wrap ? marked(text, style) : text);
  const pressed = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      give();
    }
  };
  const own = isMarked(text, style);
  return html`<form class="stack" onSubmit=${(event) => (event.preventDefault(), give())}>
    <label class="visually-hidden" for="answer">Your answer: ${asks}</label>
    <textarea id="answer" ref=${box} class="mono" rows="3" value=${text} placeholder=${`Your answer: ${asks}`} spellcheck="false" autocomplete="off"
      onInput=${(event) => setText(event.target.value)} onKeyDown=${pressed} data-test="answer"></textarea>
    <label class="check small-text"><input type="checkbox" checked=${wrap && !own} disabled=${own}
      onChange=${(event) => setWrap(event.target.checked)} data-test="wrap" />
      <span>${own ? "Sent as it is: it has the answer's marks" : html`Put it into <code>${shownMark(style)}</code> for me`}</span></label>
    <div class="row">
      <button class="primary" aria-disabled=${busy} data-test="submit">Send</button>
      ${children}
    </div>
  </form>`;
}

/** Everything with which the last turn can be answered. */
export function Answer({ episode, spec, tools, style }) {
  const [way, setWay] = useState("tools");
  const busy = Boolean(episode.state.busy);
  const hasTools = tools.length > 0;
  const send = (response) => episode.send(response, "you");
  const others = html`<span class="spring"></span>
    <button type="button" aria-disabled=${busy} onClick=${() => episode.oracle()} data-test="oracle" title="Let the oracle answer">Oracle</button>
    ${spec.kind === "environment" && html`<button type="button" aria-disabled=${busy} onClick=${() => episode.mistake()} data-test="mistake"
      title="Answer with what a tempted model would say">A mistake</button>`}`;
  return html`<section class="answer card stack" aria-label="Your answer">
    ${hasTools && html`<div class="row apart"><${Segments} label="How to answer" value=${way}
      options=${[["tools", "Call a tool"], ["text", "Write a response"]]} choose=${setWay} test="way" />
      ${way === "tools" && html`<button aria-disabled=${busy} onClick=${() => episode.oracle()} data-test="oracle"
        title="Let the oracle make this turn">Oracle</button>`}</div>`}
    ${hasTools && way === "tools"
      ? html`<${ToolForm} tools=${tools} busy=${busy} send=${(text) => send(marked(text, style))} />`
      : html`<${TextBox} asks=${spec.answer.asks} style=${style} send=${send} busy=${busy}
        turn=${episode.state.view?.turns > 1 ? episode.state.turns.length : 0}>${others}<//>`}
    <${Hints} episode=${episode} />
  </section>`;
}
