// What was measured of an environment: its laws, and how it grows with the level.
import { Chart } from "./chart.js";
import { brief } from "./knobs.js";
import { html } from "./vendor/preact.js";

const LAWS = {
  deterministic: "the same seed makes the same task, everywhere and for ever",
  solvable: "the oracle's answer scores 1",
  complete: "one answer, proved so, or every right one accepted",
  unpaid: "junk earns nothing",
  aimless: "playing without a plan earns nothing; random moves win few matches",
  unmistaken: "tempting mistakes are not paid for",
  spelled: "every spelling of a right answer is accepted",
  telling: "hidden tests tell wrong programs from right ones",
  total: "any text is scored, without a crash and in time",
  harder: "tasks get harder with the level",
  rich: "tasks do not repeat",
  saved: "what was saved is judged alike elsewhere",
  fast: "making and judging take little time",
  helpful: "explanations lead to the answer",
  replayed: "the steps of a solution can be checked",
  drawn: "drawings are well-formed, load nothing, and differ as tasks do",
  clean: "its source evaluates no text and draws on no clock, file or other randomness",
};

function said(value) {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.map(said).join(", ");
  if (value !== null && typeof value === "object") return Object.entries(value).map(([name, one]) => `${name} ${said(one)}`).join(", ");
  return value === "" ? "–" : brief(value);
}

/** What was measured at each level becomes one fact: its values at the lowest and the highest level. */
function folded(measured) {
  const found = new Map();
  for (const [name, value] of Object.entries(measured ?? {})) {
    const level = /^(\w+_ms)_(?:0|1|0\.\d+)$/.exec(name);
    if (level && typeof value === "number") found.set(level[1], [found.get(level[1])?.[0] ?? value, value]);
    else found.set(name, value);
  }
  return [...found].map(([name, value]) => [name, Array.isArray(value) && !Array.isArray(measured[name]) ? `${said(value[0])} to ${said(value[1])}` : value]);
}

function Measured({ measured }) {
  return folded(measured).map(([name, value]) => html`<span class="fact" key=${name}><span
    class="soft">${name.replaceAll("_", " ")}</span> ${said(value)}</span> `);
}

const share = (at, count) => at / (count - 1);

/** [[level, ms], ...] of the keys "generate_ms_0", "generate_ms_0.25" ... */
function perLevel(measured, prefix) {
  return Object.entries(measured ?? {}).filter(([name, value]) => name.startsWith(prefix) && typeof value === "number")
    .map(([name, value]) => [Number(name.slice(prefix.length)), value]).filter(([level]) => Number.isFinite(level)).sort(([a], [b]) => a - b);
}

export function Curves({ certificate, level }) {
  const cost = certificate?.laws?.harder?.measured?.cost;
  const points = Array.isArray(cost) && cost.length > 1 ? cost.map((value, at) => [share(at, cost.length), value]) : [];
  const times = perLevel(certificate?.laws?.fast?.measured, "generate_ms_");
  if (!points.length && !times.length) return null;
  return html`<section class="card" aria-label="By level" data-test="curve">
    <h2>By level</h2>
    <div class="charts">
      ${points.length > 0 && html`<${Chart} title="Work of an ideal solver" unit="steps, on average" points=${points} mark=${level} test="curve-cost" />`}
      ${times.length > 1 && html`<${Chart} title="Time to make a task" unit="ms" points=${times} mark=${level} test="curve-time" />`}
    </div>
  </section>`;
}

export function Certificate({ certificate }) {
  if (!certificate) return html`<section class="card" data-test="certificate"><h2>Certificate</h2><p
    class="soft">This environment has no published certificate; <code>rlgym check</code> makes one.</p></section>`;
  const laws = Object.entries(certificate.laws);
  const held = laws.filter(([, one]) => one.passed).length;
  return html`<section class="card" aria-label="Certificate" data-test="certificate" data-passed=${certificate.passed}>
    <div class="row apart"><h2>Certificate</h2><span class=${`brief ${certificate.passed ? "good" : "bad"}`}>${held} of ${laws.length} laws hold</span></div>
    <table class="laws">
      <thead><tr><th scope="col">Law</th><th scope="col">Holds</th><th scope="col">Measured</th></tr></thead>
      <tbody>${laws.map(([name, { passed, measured }]) => html`<tr key=${name}>
        <th scope="row"><strong>${name}</strong><span class="soft">${LAWS[name]}</span></th>
        <td><span class=${`brief ${passed ? "good" : "bad"}`}>${passed ? "✓ yes" : "✕ no"}</span></td>
        <td><${Measured} measured=${measured} /></td>
      </tr>`)}</tbody>
    </table>
  </section>`;
}
