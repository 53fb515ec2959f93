// A training run: curves of its metrics, accuracy on held-out tasks, and episodes; updated while it runs.
import { Curves, short, smoothed } from "./metric_curves.js";
import { Transcripts } from "./transcripts.js";
import { html, useMemo, useState } from "./vendor/preact.js";

const LABELS = { start: "before", middle: "after SFT", end: "at the end" };
const FIRST = [
  ["solve_rate", "Solve rate", "share of correct samples"],
  ["reward", "Reward", "mean per episode"],
  ["response_length", "Length", "tokens per episode"],
  ["entropy", "Entropy", "of the policy, per token"],
  ["kl", "KL", "divergence from the reference, per token"],
];
const SHARES = new Set(["solve_rate", "groups_all_wrong", "groups_all_right", "groups_zero_std", "truncated"]);

export function Training({ run, id }) {
  const [smooth, setSmooth] = useState(0.8);
  const names = useMemo(() => Object.keys(run.metrics).filter((name) => name !== "phase" && name !== "step"), [run.metrics]);
  const shown = FIRST.filter(([name]) => names.includes(name));
  return html`<${Facts} run=${run} />
    <${HeldOut} run=${run} />
    <section>
      <div class="row wrap"><h2>Curves</h2><span class="spring"></span>
        <label class="slider">Smoothing <input type="range" min="0" max="0.98" step="0.02" value=${smooth} onInput=${(event) => setSmooth(Number(event.target.value))} data-test="smoothing" />
          <output>${smooth.toFixed(2)}</output></label>
      </div>
      <div class="grid">${shown.map(([name, title, what]) => html`<${Metric} key=${name} run=${run} name=${name} title=${title} what=${what} smooth=${smooth} />`)}</div>
      <${Chosen} run=${run} names=${names} smooth=${smooth} />
    </section>
    <${Transcripts} id=${id} environments=${environments(run)} fresh=${run.num_lines} />`;
}

function Facts({ run }) {
  const last = run.evaluations.at(-1);
  const mean = last?.accuracy?.mean;
  const facts = [
    ["Progress", run.phase === "sft" ? `SFT, step ${run.step}` : `step ${run.step} of ${run.steps}`],
    ["Training solve rate", short(run.solve_rate)],
    ["Held out", mean ? `${short(mean.avg)} (${short(mean.low)} to ${short(mean.high)})` : "–"],
    ["Algorithm", [run.config.algorithm?.advantage, run.config.algorithm?.loss].filter(Boolean).join(" + ") || "–"],
    ["Seed", String(run.config.seed ?? "–")],
    ["Model", String(run.config.model ?? "–")],
  ];
  return html`<dl class="headline" data-test="headline">${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The lines of RL, or those of SFT if only they have the metric. */
function points(run, name) {
  const { phase, step } = run.metrics;
  const values = run.metrics[name] ?? [];
  const inside = (which) => step.map((_, k) => k).filter((k) => phase[k] === which);
  const rl = inside("rl");
  const [which, places] = rl.some((k) => typeof values[k] === "number") ? ["rl", rl] : ["sft", inside("sft")];
  return { which, x: places.map((k) => step[k]), y: places.map((k) => values[k]) };
}

function Metric({ run, name, title, what, smooth }) {
  const { which, x, y } = points(run, name);
  const series = [{ name: title ?? name, x, y: smoothed(y, smooth), faint: smooth > 0 ? y : undefined }];
  if (name === "solve_rate") series.push(heldOut(run));
  const share = SHARES.has(name) || /^(solve_rate|outcome)\//.test(name);
  return html`<article class="card" data-test="curve" data-metric=${name}>
    <h3>${title ?? name}</h3><p class="soft">${what ?? (which === "sft" ? "during SFT" : "during RL")}</p>
    <${Curves} series=${series} label=${`${title ?? name} by step`} xLabel=${which === "sft" ? "SFT step" : "step"} range=${share ? [0, 1] : undefined} test="curve-drawn" />
  </article>`;
}

function heldOut(run) {
  const lines = run.evaluations.filter((line) => line.phase === "rl" && typeof line.accuracy?.mean?.avg === "number");
  const of = (part) => lines.map((line) => line.accuracy.mean[part]);
  return { name: "held out", x: lines.map((line) => line.step), y: of("avg"), low: of("low"), high: of("high"), dots: true };
}

function Chosen({ run, names, smooth }) {
  const [chosen, setChosen] = useState("");
  const name = chosen || names.find((one) => one === "loss") || names[0];
  if (!name) return null;
  return html`<div class="chosen"><label>Metric <select value=${name} onChange=${(event) => setChosen(event.target.value)} data-test="metric">
      ${names.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
    </select></label>
    <${Metric} run=${run} name=${name} smooth=${smooth} />
  </div>`;
}

/** Accuracy on held-out tasks by environment and level, one column per evaluation. */
function HeldOut({ run }) {
  const lines = run.evaluations;
  if (!lines.length) return html`<p class="soft">No evaluation on held-out tasks yet.</p>`;
  const found = [...new Set(lines.flatMap((line) => Object.keys(line.accuracy ?? {})))].filter((place) => place !== "mean");
  const shown = [...found, "mean"];
  return html`<section><h2>Held-out tasks</h2><p class="soft">Accuracy with 95 % confidence intervals over tasks.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Held-out accuracy"><table class="numbers" data-test="held-out">
      <thead><tr><th scope="col">environment @ level</th>${lines.map((line, k) => html`<th scope="col" key=${k}>${LABELS[line.label] ?? line.label}</th>`)}</tr></thead>
      <tbody>${shown.map((place) => html`<tr key=${place} class=${place === "mean" ? "total" : ""}><th scope="row">${place}</th>
        ${lines.map((line, k) => html`<${Accuracy} key=${k} of=${line.accuracy?.[place]} />`)}</tr>`)}</tbody>
    </table></div></section>`;
}

function Accuracy({ of }) {
  if (typeof of?.avg !== "number") return html`<td>–</td>`;
  return html`<td><span class="meter" style=${{ "--share": of.avg }}></span>${of.avg.toFixed(2)} <span class="soft">${of.low.toFixed(2)} to ${of.high.toFixed(2)}</span></td>`;
}

function environments(run) {
  const places = Object.keys(run.metrics).filter((name) => name.startsWith("solve_rate/")).map((name) => name.slice("solve_rate/".length).split("@")[0]);
  return [...new Set(places)].sort();
}
