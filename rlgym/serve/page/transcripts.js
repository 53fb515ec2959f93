// The episodes of a run, filtered by environment and score, one page at a time.
import { backend } from "./backend.js";
import { Problem, Segments, useRequest } from "./ui.js";
import { html, useState } from "./vendor/preact.js";

const PAGE = 20;
const SCORES = [["", "All"], ["true", "Right"], ["false", "Not right"]];

/** `environments` and `outcomes` are the options of the filters; `fresh` changes when there are new episodes. */
export function Transcripts({ id, environments = [], outcomes = [], fresh }) {
  const [filters, setFilters] = useState({ env: "", right: "", outcome: "", offset: 0 });
  const choose = (part) => setFilters({ ...filters, offset: 0, ...part });
  const result = useRequest((signal) => backend.transcripts(id, { ...filters, limit: PAGE }, { signal }), [id, JSON.stringify(filters), fresh]);
  const page = result.value;
  return html`<section class="transcripts" data-test="transcripts">
    <h2>Episodes</h2>
    <div class="row wrap">
      <label>Environment <select value=${filters.env} onChange=${(event) => choose({ env: event.target.value })} data-test="episode-env">
        <option value="">all</option>${environments.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select></label>
      <${Segments} label="Score" value=${filters.right} options=${SCORES} choose=${(right) => choose({ right })} test="episode-right" />
      ${outcomes.length > 1 && html`<label>Outcome <select value=${filters.outcome} onChange=${(event) => choose({ outcome: event.target.value })} data-test="episode-outcome">
        <option value="">any</option>${outcomes.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select></label>`}
      ${page && html`<span class="soft" data-test="episode-count" aria-live="polite">${countEpisodes(page.total)}</span>`}
    </div>
    <${Problem} error=${result.error} again=${result.again} />
    ${page && html`<div class="episodes">${page.transcripts.map((one) => html`<${Episode} key=${one.number} one=${one} />`)}</div>
      ${page.total > PAGE && html`<div class="row pager">
        <button disabled=${filters.offset === 0} onClick=${() => setFilters({ ...filters, offset: filters.offset - PAGE })}>Previous</button>
        <span>${page.offset + 1} to ${Math.min(page.total, page.offset + PAGE)} of ${page.total}</span>
        <button disabled=${filters.offset + PAGE >= page.total} onClick=${() => setFilters({ ...filters, offset: filters.offset + PAGE })} data-test="episodes-on">Next</button>
      </div>`}`}
  </section>`;
}

const countEpisodes = (count) => `${count} episode${count === 1 ? "" : "s"}`;

function Episode({ one }) {
  const [open, setOpen] = useState(false);
  const sign = one.right ? "right" : one.masked ? "masked" : one.value > 0 ? "partial" : "wrong";
  const facts = [one.step !== undefined && `step ${one.step}`, one.task ?? `${one.env} @ level ${one.level}`, one.sample > 0 && `sample ${one.sample + 1}`];
  return html`<details class="episode" data-test="episode" open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary><span class=${`sign ${sign}`}>${one.outcome ?? "?"}</span><span class="what">${facts.filter(Boolean).join(", ")}</span>
      <span class="soft reason">${one.reason || one.error || ""}</span></summary>
    ${open && html`<div class="messages">
      ${one.messages.map((message, k) => html`<${MessageView} key=${k} message=${message} />`)}
      <p class="scored">Score ${one.value ?? "–"} (${one.outcome})${one.reason ? `: ${one.reason}` : ""}${one.reward === undefined || one.reward === null ? "" : `; reward ${one.reward}`}
        ${one.error ? html`<br />${one.error}` : ""}</p>
      <p class="soft">${describeUsage(one)}</p>
    </div>`}
  </details>`;
}

function MessageView({ message }) {
  const calls = message.tool_calls ?? [];
  return html`<div class=${`message ${message.role}`}>
    <b>${message.role}</b>
    ${message.content && html`<pre>${typeof message.content === "string" ? message.content : JSON.stringify(message.content, null, 1)}</pre>`}
    ${calls.map((call, k) => html`<pre key=${k} class="call">${call.function?.name ?? call.name}(${call.function?.arguments ?? JSON.stringify(call.arguments)})</pre>`)}
  </div>`;
}

function describeUsage(one) {
  const parts = [];
  if (one.finish_reason) parts.push(`finish reason: ${one.finish_reason}`);
  if (one.completion_tokens !== null && one.completion_tokens !== undefined) parts.push(`${one.prompt_tokens} + ${one.completion_tokens} tokens`);
  if (typeof one.seconds === "number") parts.push(`${one.seconds.toFixed(1)} s`);
  if (typeof one.cost === "number") parts.push(`$${one.cost.toFixed(4)}`);
  return parts.join(", ");
}
