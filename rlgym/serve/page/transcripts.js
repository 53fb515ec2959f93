// Episodes of a run, to be read: chosen by environment and verdict, a page at a time.
import { backend } from "./backend.js";
import { Problem, Segments, useAsked } from "./ui.js";
import { html, useState } from "./vendor/preact.js";

const PAGE = 20;
const VERDICTS = [["", "All"], ["true", "Right"], ["false", "Not right"]];

/** `environments` and `outcomes` are what can be chosen from; `fresh` changes when there is more to be read. */
export function Transcripts({ id, environments = [], outcomes = [], fresh }) {
  const [ask, setAsk] = useState({ env: "", right: "", outcome: "", offset: 0 });
  const choose = (part) => setAsk({ ...ask, offset: 0, ...part });
  const asked = useAsked((signal) => backend.transcripts(id, { ...ask, limit: PAGE }, { signal }), [id, JSON.stringify(ask), fresh]);
  const page = asked.value;
  return html`<section class="transcripts" data-test="transcripts">
    <h2>Episodes</h2>
    <div class="row wrap">
      <label>Environment <select value=${ask.env} onChange=${(event) => choose({ env: event.target.value })} data-test="episode-env">
        <option value="">all</option>${environments.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select></label>
      <${Segments} label="Verdict" value=${ask.right} options=${VERDICTS} choose=${(right) => choose({ right })} test="episode-right" />
      ${outcomes.length > 1 && html`<label>Outcome <select value=${ask.outcome} onChange=${(event) => choose({ outcome: event.target.value })} data-test="episode-outcome">
        <option value="">any</option>${outcomes.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select></label>`}
      ${page && html`<span class="soft" data-test="episode-count" aria-live="polite">${counted(page.total)}</span>`}
    </div>
    <${Problem} error=${asked.error} again=${asked.again} />
    ${page && html`<div class="episodes">${page.transcripts.map((one) => html`<${Episode} key=${one.number} one=${one} />`)}</div>
      ${page.total > PAGE && html`<div class="row pager">
        <button disabled=${ask.offset === 0} onClick=${() => setAsk({ ...ask, offset: ask.offset - PAGE })}>Earlier in the list</button>
        <span>${page.offset + 1} to ${Math.min(page.total, page.offset + PAGE)} of ${page.total}</span>
        <button disabled=${ask.offset + PAGE >= page.total} onClick=${() => setAsk({ ...ask, offset: ask.offset + PAGE })} data-test="episodes-on">Further</button>
      </div>`}`}
  </section>`;
}

const counted = (count) => `${count} episode${count === 1 ? "" : "s"}`;

function Episode({ one }) {
  const [open, setOpen] = useState(false);
  const sign = one.right ? "right" : one.masked ? "masked" : one.value > 0 ? "partial" : "wrong";
  const facts = [one.step !== undefined && `step ${one.step}`, one.task ?? `${one.env} @ level ${one.level}`, one.sample > 0 && `sample ${one.sample + 1}`];
  return html`<details class="episode" data-test="episode" open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary><span class=${`sign ${sign}`}>${one.outcome ?? "?"}</span><span class="what">${facts.filter(Boolean).join(", ")}</span>
      <span class="soft reason">${one.reason || one.error || ""}</span></summary>
    ${open && html`<div class="said">
      ${one.messages.map((message, k) => html`<${Said} key=${k} message=${message} />`)}
      <p class="scored">Score ${one.value ?? "–"} (${one.outcome})${one.reason ? `: ${one.reason}` : ""}${one.reward === undefined || one.reward === null ? "" : `; reward ${one.reward}`}
        ${one.error ? html`<br />${one.error}` : ""}</p>
      <p class="soft">${spent(one)}</p>
    </div>`}
  </details>`;
}

function Said({ message }) {
  const calls = message.tool_calls ?? [];
  return html`<div class=${`message ${message.role}`}>
    <b>${message.role}</b>
    ${message.content && html`<pre>${typeof message.content === "string" ? message.content : JSON.stringify(message.content, null, 1)}</pre>`}
    ${calls.map((call, k) => html`<pre key=${k} class="call">${call.function?.name ?? call.name}(${call.function?.arguments ?? JSON.stringify(call.arguments)})</pre>`)}
  </div>`;
}

function spent(one) {
  const said = [];
  if (one.finish) said.push(`finished by ${one.finish}`);
  if (one.completion_tokens !== null && one.completion_tokens !== undefined) said.push(`${one.prompt_tokens} + ${one.completion_tokens} tokens`);
  if (typeof one.seconds === "number") said.push(`${one.seconds.toFixed(1)} s`);
  if (typeof one.cost === "number") said.push(`$${one.cost.toFixed(4)}`);
  return said.join(", ");
}
