// The controls that select a task: level, knobs, seed, split and answer style.
import { randomSeed, STYLES } from "./task_query.js";
import { at, brief, levelOf, read } from "./knobs.js";
import { Segments } from "./ui.js";
import { html } from "./vendor/preact.js";

function Field({ name, facts, value, change }) {
  const given = (text) => {
    const number = read(facts, text);
    if (number !== undefined) change(number);
  };
  if (facts.order) {
    return html`<select aria-label=${name} value=${value} onChange=${(event) => change(event.target.value)} data-test="knob-value">
      ${facts.order.map((option) => html`<option key=${option} value=${option}>${option}</option>`)}
    </select>`;
  }
  const [low, high] = [Math.min(facts.easy, facts.hard), Math.max(facts.easy, facts.hard)];
  const clamped = (text) => given(String(Math.min(high, Math.max(low, Number(text)))));
  return html`<input type="number" aria-label=${name} min=${low} max=${high} step=${facts.type === "int" ? 1 : "any"}
    value=${facts.type === "int" ? value : Number(value.toPrecision(6))}
    onChange=${(event) => clamped(event.target.value)} data-test="knob-value" />`;
}

function Knob({ name, facts, level, set, change }) {
  const value = set ?? at(facts, level);
  const slide = (event) => change(at(facts, Number(event.target.value)));
  return html`<div class=${`knob ${set === undefined ? "" : "set"}`} data-test="knob" data-name=${name}>
    <div class="knob-head">
      <code>${name}</code>
      ${set !== undefined && html`<button class="quiet small" onClick=${() => change(undefined)} title="Reset to the value of the level"
        aria-label=${`Reset ${name} to the value of the level`}>↺</button>`}
      <${Field} name=${name} facts=${facts} value=${value} change=${change} />
    </div>
    <input type="range" min="0" max="1" step="0.01" value=${levelOf(facts, value)} onInput=${slide} aria-label=${`${name}, from easy to hard`}
      aria-valuetext=${brief(value)} tabindex="-1" />
    <p><span class="soft">${facts.doc}</span> <span class="range">${brief(facts.easy)} → ${brief(facts.hard)}</span></p>
  </div>`;
}

function Seed({ request, change }) {
  const given = (text) => /^\d{1,15}$/.test(text.trim()) && change({ seed: Number(text) });
  return html`<div class="field seed">
    <label for="seed">Seed</label>
    <div class="row tight">
      <input id="seed" type="text" inputmode="numeric" value=${request.seed} onChange=${(event) => given(event.target.value)} data-test="seed" />
      <button onClick=${() => change({ seed: randomSeed() })} title="Another task (n)" data-test="another">Another</button>
    </div>
  </div>`;
}

function Level({ request, change }) {
  const slide = (event) => change({ level: Number(event.target.value) });
  return html`<div class="field level">
    <label for="level">Level</label><output for="level">${request.level.toFixed(2)}</output>
    <input id="level" type="range" min="0" max="1" step="0.01" value=${request.level} onInput=${slide} data-test="level" />
    <div class="ends soft" aria-hidden="true"><span>easy</span><span>hard</span></div>
  </div>`;
}

/** Selects one of the samples, if there is no service that generates other tasks. */
function Samples({ samples, request, change }) {
  const key = (one) => `${one.level} ${one.seed} ${one.split ?? "main"}`;
  const choose = (event) => {
    const { level, seed, split = "main" } = samples.find((one) => key(one) === event.target.value);
    change({ level, seed, split });
  };
  const named = (one) => `level ${one.level}, seed ${one.seed}${one.split === "shift" ? ", shift" : ""}`;
  return html`<div class="field">
    <label for="sample">Task</label>
    <select id="sample" value=${key(request)} onChange=${choose} data-test="sample">
      ${samples.map((one) => html`<option key=${key(one)} value=${key(one)}>${named(one)}</option>`)}
    </select>
  </div>`;
}

/** `change(parts)` changes parts of the query. */
export function Settings({ spec, request, change, samples }) {
  const knobs = Object.entries(spec.knobs);
  const setKnob = (name) => (value) => {
    const { [name]: old, ...rest } = request.knobs;
    change({ knobs: value === undefined ? rest : { ...rest, [name]: value } });
  };
  if (samples) return html`<aside class="settings card" aria-label="Task settings"><${Samples} samples=${samples} request=${request} change=${change} /></aside>`;
  return html`<aside class="settings card" aria-label="Task settings">
    <${Level} request=${request} change=${change} />
    <${Seed} request=${request} change=${change} />
    <details open=${matchMedia("(min-width: 901px)").matches}>
      <summary>Knobs and format${Object.keys(request.knobs).length > 0 && html` <span class="badge">${Object.keys(request.knobs).length} set</span>`}</summary>
      <div class="stack">
        ${knobs.map(([name, facts]) => html`<${Knob} key=${name} name=${name} facts=${facts} level=${request.level} set=${request.knobs[name]}
          change=${setKnob(name)} />`)}
        ${spec.has_shift && html`<div class="field"><span class="label">Split</span>
          <${Segments} label="Split" value=${request.split} options=${[["main", "main"], ["shift", "shift"]]}
            choose=${(split) => change({ split })} test="split" /></div>`}
        <div class="field"><span class="label">Answer style</span>
          <${Segments} label="Answer style" value=${request.answer_style} options=${STYLES.map((one) => [one, one])}
            choose=${(style) => change({ answer_style: style })} test="style" /></div>
      </div>
    </details>
  </aside>`;
}
