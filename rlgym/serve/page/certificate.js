// The certificate of an environment: its laws, and measurements by level.
import { Chart } from "./chart.js";
import { brief } from "./knobs.js";
import { html } from "./vendor/preact.js";

const LAWS = {
  determinism: "a seed always gives the same task",
  oracle_accuracy: "the oracle's answer scores 1",
  completeness: "the only solution, or every right one, is accepted",
  no_free_reward: "junk and constant answers earn nothing",
  opponent_strength: "random and greedy play rarely win a match; a random first move loses it",
  random_policy: "playing without a plan earns nothing; random moves win few matches",
  mistakes_rejected: "plausible mistakes score 0",
  equivalent_spellings: "every spelling of a right answer is accepted",
  mutation_score: "hidden tests reject wrong programs and accept right ones",
  robustness: "any text is scored, without an exception and in bounded time",
  monotonic_difficulty: "tasks get harder as the level rises",
  diversity: "tasks hardly repeat",
  serialization: "a saved task is scored the same elsewhere",
  speed: "generating and scoring are fast",
  explanations_and_hints: "explanations lead to the answer; hints do not reveal it",
  step_verification: "the steps of a solution can be checked",
  pictures: "pictures are well-formed, load nothing, and differ as tasks do",
  clean_source: "the source evaluates no text and uses no clock, file or other randomness",
};

function formatValue(value) {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  if (value !== null && typeof value === "object") return Object.entries(value).map(([name, one]) => `${name} ${formatValue(one)}`).join(", ");
  return value === "" ? "–" : brief(value);
}

/** Merge measurements per level into one, with the values at the lowest and the highest level. */
function mergeLevels(measured) {
  const found = new Map();
  for (const [name, value] of Object.entries(measured ?? {})) {
    const level = /^(\w+_ms)_(?:0|1|0\.\d+)$/.exec(name);
    if (level && typeof value === "number") found.set(level[1], [found.get(level[1])?.[0] ?? value, value]);
    else found.set(name, value);
  }
  return [...found].map(([name, value]) => [name, Array.isArray(value) && !Array.isArray(measured[name]) ? `${formatValue(value[0])} to ${formatValue(value[1])}` : value]);
}

function Measured({ measured }) {
  return mergeLevels(measured).map(([name, value]) => html`<span class="fact" key=${name}><span
    class="soft">${name.replaceAll("_", " ")}</span> ${formatValue(value)}</span> `);
}

const share = (at, count) => at / (count - 1);

/** [[level, ms], ...] of the keys "generate_ms_0", "generate_ms_0.25" ... */
function perLevel(measured, prefix) {
  return Object.entries(measured ?? {}).filter(([name, value]) => name.startsWith(prefix) && typeof value === "number")
    .map(([name, value]) => [Number(name.slice(prefix.length)), value]).filter(([level]) => Number.isFinite(level)).sort(([a], [b]) => a - b);
}

export function Curves({ certificate, level }) {
  const cost = certificate?.laws?.monotonic_difficulty?.measured?.cost;
  const points = Array.isArray(cost) && cost.length > 1 ? cost.map((value, at) => [share(at, cost.length), value]) : [];
  const times = perLevel(certificate?.laws?.speed?.measured, "generate_ms_");
  if (!points.length && !times.length) return null;
  return html`<section class="card" aria-label="By level" data-test="curve">
    <h2>By level</h2>
    <div class="charts">
      ${points.length > 0 && html`<${Chart} title="Cost of an ideal solver" unit="mean steps" points=${points} mark=${level} test="curve-cost" />`}
      ${times.length > 1 && html`<${Chart} title="Time to generate a task" unit="ms" points=${times} mark=${level} test="curve-time" />`}
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
