// The score of an answer.
import { brief } from "./knobs.js";
import { html } from "./vendor/preact.js";

const MARK = { right: "✓", partial: "◐", wrong: "✕" };
const TONE = { right: "good", partial: "half" };

function Parts({ parts }) {
  const named = Object.entries(parts ?? {});
  if (!named.length) return null;
  return html`<table class="parts" aria-label="Parts of the score">
    <tbody>${named.map(([name, value]) => html`<tr key=${name}>
      <th scope="row">${name.replaceAll("_", " ")}</th>
      <td class="bar"><span style=${`width:${100 * Math.min(1, Math.max(0, value))}%`}></span></td>
      <td class="number">${brief(value)}</td>
    </tr>`)}</tbody>
  </table>`;
}

export function Verdict({ score, feedback, by }) {
  const tone = score.masked ? "half" : TONE[score.outcome] ?? "bad";
  return html`<section class=${`judged ${tone}`} aria-label="Verdict" data-test="verdict" data-outcome=${score.outcome} data-value=${score.value}>
    <div class="value"><span aria-hidden="true">${MARK[score.outcome] ?? "–"}</span> ${brief(score.value)}</div>
    <div class="stack tight">
      <p><strong>${score.outcome}</strong>${by && html` <span class="soft">answered by ${by}</span>`}</p>
      ${score.reason && html`<p data-test="reason">${score.reason}</p>`}
      ${score.masked && html`<p>The answer could not be scored; training skips it.</p>`}
      <${Parts} parts=${score.parts} />
      ${feedback && html`<p class="soft feedback" data-test="feedback"><span class="label">Feedback for the model:</span> ${feedback}</p>`}
    </div>
  </section>`;
}

/** A score on one line, for earlier answers. */
export function Brief({ score }) {
  const tone = TONE[score.outcome] ?? "bad";
  return html`<span class=${`brief ${tone}`}>${MARK[score.outcome] ?? "–"} ${brief(score.value)} ${score.outcome}</span>`;
}
