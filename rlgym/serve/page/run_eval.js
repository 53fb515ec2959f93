// An evaluation run: its headline numbers, accuracy by level, and its episodes.
import { Curves, short } from "./metric_curves.js";
import { href } from "./route.js";
import { Transcripts } from "./transcripts.js";
import { html, useMemo, useState } from "./vendor/preact.js";

const LEAST_MASKED = 1;

export function Evaluation({ run, id }) {
  const environments = useMemo(() => [...new Set(run.cells.map((place) => place.env))].sort(), [run.cells]);
  return html`<${Facts} run=${run} />
    ${!run.finished && html`<p class="note" data-test="unfinished">This run is not finished. The numbers cover ${run.answers}${run.episodes ? ` of ${run.episodes}` : ""} episodes.</p>`}
    ${run.cells.length > 0 && html`<${Difficulty} run=${run} environments=${[...new Set(environments.map(baseOf))]} /><${Table} run=${run} environments=${environments} />`}
    <${Transcripts} id=${id} environments=${environments} outcomes=${Object.keys(run.outcomes)} fresh=${run.answers} />`;
}

const percent = (share) => (typeof share === "number" ? `${(100 * share).toFixed(1)} %` : "–");
const estimate = (one) => (one && typeof one.mean === "number" ? html`${percent(one.mean)} <small>${(100 * one.low).toFixed(1)} to ${(100 * one.high).toFixed(1)}</small>` : "–");
const baseOf = (env) => env.replace(/:shift$/, "");
const isShift = (place) => place.split === "shift";

function Facts({ run }) {
  const summary = run.summary;
  const model = run.run.model ?? {};
  const sampling = run.run.sampling ?? {};
  const main = run.cells.some((place) => !isShift(place)) ? run.cells.filter((place) => !isShift(place)) : run.cells;
  const masked = run.cells.reduce((sum, place) => sum + place.masked, 0);
  const cost = summary?.spend?.cost ?? null;
  const several = summary?.samples?.pass?.at(-1);
  const facts = [
    ["Accuracy", summary ? estimate(summary.overall?.accuracy) : percent(mean(main, "right"))],
    several && several.k > 1 && [`pass@${several.k}`, estimate(several)],
    ["Mean score", summary ? estimate(summary.overall?.score) : percent(mean(main, "value"))],
    ["Episodes", `${run.answers}${run.episodes ? ` of ${run.episodes}` : ""}`],
    masked >= LEAST_MASKED && ["Masked", `${masked} (not the model's fault)`],
    ["Model", [model.name, model.kind && `(${model.kind})`].filter(Boolean).join(" ") || "–"],
    ["Suite", run.run.suite?.name ?? "–"],
    ["Sampling", `${sampling.samples ?? 1} × at ${typeof sampling.temperature === "number" ? `temperature ${short(sampling.temperature)}` : "the model's default temperature"}`],
    typeof cost === "number" && ["Cost", `$${cost.toFixed(2)}`],
    ["rlgym", run.run.rlgym ?? "–"],
  ].filter(Boolean);
  return html`<dl class="headline" data-test="headline">${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <p class="outcomes">${Object.entries(run.outcomes).map(([name, count]) => html`<span key=${name} class=${`sign ${name.replaceAll(" ", "-")}`}>${name} ${count}</span> `)}</p>`;
}

/** The mean of a column over the tasks of some cells. */
function mean(places, column) {
  const counted = places.filter((place) => typeof place[column] === "number");
  const tasks = counted.reduce((sum, place) => sum + place.tasks, 0);
  return tasks ? counted.reduce((sum, place) => sum + place.tasks * place[column], 0) / tasks : null;
}

function Difficulty({ run, environments }) {
  const [env, setEnv] = useState("");
  const { series, xs } = useMemo(() => curves(run, env), [run, env]);
  return html`<section><div class="row wrap"><h2>Accuracy by level</h2><span class="spring"></span>
      <label>Environment <select value=${env} onChange=${(event) => setEnv(event.target.value)} data-test="difficulty-env">
        <option value="">all</option>${environments.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select></label></div>
    <article class="card"><${Curves} series=${series} label="Accuracy by level" xLabel="level" range=${[0, 1]} xRange=${[-0.03, 1.03]} xs=${xs} test="difficulty" /></article>
  </section>`;
}

/** Accuracy by level, with the summary's intervals if it has them, and a second curve for the shift split. */
function curves(run, env) {
  const main = run.cells.filter((place) => !isShift(place) && (!env || place.env === env));
  const shift = run.cells.filter((place) => isShift(place) && (!env || baseOf(place.env) === env));
  const xs = [...new Set([...main, ...shift].map((place) => place.level))].sort((a, b) => a - b);
  const at = (places, level) => mean(places.filter((place) => place.level === level), "right");
  const summarized = env ? run.summary?.environment_level?.filter((one) => one.environment === env) : run.summary?.by?.level;
  const known = xs.map((level) => summarized?.find((one) => one.level === level)).map((one) => one?.accuracy ?? one);
  const bars = known.every((one) => one && typeof one.low === "number" && typeof one.mean === "number");
  const first = { name: env || "all environments", x: xs, y: bars ? known.map((one) => one.mean) : xs.map((level) => at(main, level)), dots: true };
  if (bars) Object.assign(first, { low: known.map((one) => one.low), high: known.map((one) => one.high) });
  const series = [first];
  if (shift.length) series.push({ name: "shift split", x: xs, y: xs.map((level) => at(shift, level)), dots: true });
  return { series, xs };
}

function Table({ run, environments }) {
  const [order, setOrder] = useState("name");
  const rows = environments.map((env) => {
    const places = run.cells.filter((place) => place.env === env);
    return { env, domain: run.cells.find((place) => place.env === env).domain, places, right: mean(places, "right"), tasks: places.reduce((sum, place) => sum + place.tasks, 0) };
  });
  if (order === "right") rows.sort((a, b) => (a.right ?? 2) - (b.right ?? 2));
  const levels = [...new Set(run.cells.map((place) => place.level))].sort((a, b) => a - b);
  const sorter = (name, text) => html`<button class="quiet small" aria-pressed=${order === name} onClick=${() => setOrder(name)}>${text}</button>`;
  return html`<section><h2>Environments</h2><div class="scroll" tabindex="0" role="region" aria-label="Accuracy by environment"><table class="numbers" data-test="environments">
    <thead><tr><th scope="col">${sorter("name", "environment")}</th><th scope="col">domain</th><th scope="col">tasks</th><th scope="col">${sorter("right", "accuracy")}</th>
      ${levels.map((level) => html`<th scope="col" key=${level}>level ${short(level)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.env}><th scope="row"><a href=${href(["env", row.env])}>${row.env}</a></th><td>${row.domain}</td><td>${row.tasks}</td>
      <td><span class="meter" style=${{ "--share": row.right ?? 0 }}></span>${percent(row.right)}</td>
      ${levels.map((level) => html`<${Cell} key=${level} place=${row.places.find((place) => place.level === level)} />`)}</tr>`)}</tbody>
  </table></div></section>`;
}

function Cell({ place }) {
  return typeof place?.right === "number" ? html`<td><span class="meter" style=${{ "--share": place.right }}></span>${percent(place.right)}</td>` : html`<td>–</td>`;
}
