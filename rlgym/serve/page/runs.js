// The runs that the service knows of: the list, and one run.
import { backend } from "./backend.js";
import { short } from "./curves.js";
import { href } from "./route.js";
import { Evaluation } from "./run_eval.js";
import { Training } from "./run_train.js";
import { Problem, Segments, useAsked } from "./ui.js";
import { html, useEffect, useRef, useState } from "./vendor/preact.js";

const KINDS = [["", "All"], ["eval", "Evaluations"], ["train", "Trainings"]];
const SAID = { eval: "evaluation", train: "training" };
const REFRESH_MS = 4000;

export function Runs({ route }) {
  if (!backend.live) {
    return html`<div class="runs"><h1>Runs</h1><p data-test="needs-service">This is the catalogue as files. Runs are shown by a service of your own:
      <code>rlgym serve --runs FOLDER</code>.</p></div>`;
  }
  return route.path[1] ? html`<${Run} key=${route.path[1]} id=${route.path[1]} />` : html`<${RunList} />`;
}

function RunList() {
  const [kind, setKind] = useState("");
  const [words, setWords] = useState("");
  const asked = useAsked((signal) => backend.runs({ signal }), []);
  useEffect(() => {
    document.title = "Runs · rlgym";
    const later = setInterval(() => document.hidden || asked.again(), 3 * REFRESH_MS);
    return () => clearInterval(later);
  }, [asked.again]);
  const every = asked.value ?? [];
  const fits = (run) => (!kind || run.kind === kind) && `${run.title} ${run.place} ${run.model} ${run.suite}`.toLowerCase().includes(words.trim().toLowerCase());
  const shown = every.filter(fits).sort((a, b) => b.changed - a.changed);
  return html`<div class="runs" data-test="runs">
    <h1>Runs</h1>
    <${Problem} error=${asked.error} again=${asked.again} />
    ${every.length > 0 && html`<div class="row wrap">
      <input type="search" placeholder="Search" aria-label="Search the runs" value=${words} onInput=${(event) => setWords(event.target.value)} data-test="run-search" />
      <${Segments} label="Kind" value=${kind} options=${KINDS} choose=${setKind} test="run-kind" />
    </div>`}
    ${asked.value && !every.length && html`<${NoRuns} />`}
    ${every.length > 0 && !shown.length && html`<p>No run fits.</p>`}
    <ul class="run-list">${shown.map((run) => html`<${RunLine} key=${run.id} run=${run} />`)}</ul>
  </div>`;
}

function NoRuns() {
  return html`<div class="plain" data-test="no-runs">
    <p>There are no runs in the folder that this service was given (<code>rlgym serve --runs FOLDER</code>).</p>
    <p>Evaluations come from <code>rlgym eval run</code>, trainings from <code>rlgym train quickstart</code> or <code>rlgym train CONFIG.yaml</code>; write them there.</p>
  </div>`;
}

function RunLine({ run }) {
  return html`<li data-test="run" class=${run.problem ? "damaged" : ""}>
    <a href=${href(["runs", run.id])}>
      <span class=${`kind ${run.kind}`}>${SAID[run.kind]}</span>
      <strong>${run.title}</strong>
      <${State} run=${run} />
      <span class="soft facts">${[run.title === run.place ? null : run.place, run.model, run.suite && `suite ${run.suite}`, progress(run), ago(run.changed)].filter(Boolean).join(" · ")}</span>
      ${run.problem && html`<span class="why">${run.problem}</span>`}
    </a>
  </li>`;
}

function State({ run }) {
  if (run.problem) return html`<span class="sign wrong">damaged</span>`;
  return html`<span class=${`sign ${run.finished ? "right" : "partial"}`} data-test="run-state">${run.finished ? "finished" : "unfinished"}</span>`;
}

function progress(run) {
  if (run.kind === "train" && run.steps) return run.phase === "sft" ? `warm-up, step ${run.step}` : `step ${run.step} of ${run.steps}${run.solve === null || run.solve === undefined ? "" : `, solving ${short(run.solve)}`}`;
  return run.episodes ? `${run.episodes} episodes asked for` : null;
}

function ago(seconds) {
  const past = Math.max(0, Date.now() / 1000 - seconds);
  if (past < 90) return "just now";
  if (past < 5400) return `${Math.round(past / 60)} minutes ago`;
  if (past < 129600) return `${Math.round(past / 3600)} hours ago`;
  return new Date(seconds * 1000).toLocaleDateString();
}

/** A run that is asked for again while it grows; of a training only what is new is sent. */
function useRun(id) {
  const [state, setState] = useState({ run: null, error: null });
  const latest = useRef(null);
  const ask = async () => {
    try {
      const run = await backend.run(id, { after: latest.current?.kind === "train" ? latest.current.lines : undefined });
      latest.current = joined(latest.current, run);
      setState({ run: latest.current, error: null });
    } catch (error) {
      setState({ run: latest.current, error });
    }
  };
  useEffect(() => {
    let later = null;
    let gone = false;
    const round = async () => {
      if (!document.hidden) await ask();
      if (!gone && !latest.current?.finished) later = setTimeout(round, REFRESH_MS);
    };
    round();
    return () => {
      gone = true;
      clearTimeout(later);
    };
  }, [id]);
  return { ...state, again: ask };
}

/** What was known of a training with the lines that are new. */
export function joined(old, run) {
  if (!old || run.kind !== "train" || !run.first) return run;
  const names = new Set([...Object.keys(old.metrics), ...Object.keys(run.metrics)]);
  const count = run.metrics.step.length;
  const metrics = {};
  for (const name of names) {
    const before = (old.metrics[name] ?? []).slice(0, run.first);
    metrics[name] = [...(before.length ? before : Array(run.first).fill(null)), ...(run.metrics[name] ?? Array(count).fill(null))];
  }
  return { ...run, metrics };
}

function Run({ id }) {
  const { run, error, again } = useRun(id);
  useEffect(() => {
    document.title = `${run?.title ?? "Run"} · rlgym`;
  }, [run?.title]);
  return html`<div class="run" data-test="run-page">
    <nav class="crumbs"><a href="#/runs">Runs</a></nav>
    <${Problem} error=${error} again=${again} />
    ${!run && !error && html`<p class="soft">Reading the run …</p>`}
    ${run && html`<header class="run-head">
        <h1>${run.title}</h1><span class=${`kind ${run.kind}`}>${SAID[run.kind]}</span><${State} run=${run} />
        <span class="spring"></span>
        ${run.report && html`<${Report} id=${id} />`}
      </header>
      <${run.kind === "train" ? Training : Evaluation} run=${run} id=${id} />`}
  </div>`;
}

/** The full report: in a window of its own, where the service needs no key; else as a file, since a link carries none. */
function Report({ id }) {
  const [error, setError] = useState(null);
  const save = async () => {
    try {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([await backend.report(id)], { type: "text/html" }));
      link.download = `${id}.html`;
      link.click();
      setError(null);
    } catch (why) {
      setError(why);
    }
  };
  const link = backend.reportHref(id);
  return html`${link && html`<a class="button" href=${link} target="_blank" rel="noopener" data-test="report">Open the full report ↗</a>`}
    <button onClick=${save} data-test="report-save">Save the report</button>
    <${Problem} error=${error} again=${save} />`;
}
