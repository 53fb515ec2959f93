// The list of runs, and one run.
import { backend } from "./backend.js";
import { short } from "./metric_curves.js";
import { href } from "./route.js";
import { Evaluation } from "./run_eval.js";
import { Training } from "./run_train.js";
import { Problem, Segments, useRequest } from "./ui.js";
import { html, useEffect, useRef, useState } from "./vendor/preact.js";

const KINDS = [["", "All"], ["eval", "Evaluations"], ["train", "Trainings"]];
const KIND_NAMES = { eval: "evaluation", train: "training" };
const REFRESH_MS = 4000;

export function Runs({ route }) {
  if (!backend.live) {
    return html`<div class="runs"><h1>Runs</h1><p data-test="needs-service">This is a static copy of the catalogue. To show runs, start your own service:
      <code>rlgym serve --runs DIR</code>.</p></div>`;
  }
  return route.path[1] ? html`<${Run} key=${route.path[1]} id=${route.path[1]} />` : html`<${RunList} />`;
}

function RunList() {
  const [kind, setKind] = useState("");
  const [words, setWords] = useState("");
  const result = useRequest((signal) => backend.runs({ signal }), []);
  useEffect(() => {
    document.title = "Runs · rlgym";
    const later = setInterval(() => document.hidden || result.again(), 3 * REFRESH_MS);
    return () => clearInterval(later);
  }, [result.again]);
  const runs = result.value ?? [];
  const fits = (run) => (!kind || run.kind === kind) && `${run.title} ${run.path} ${run.model} ${run.suite}`.toLowerCase().includes(words.trim().toLowerCase());
  const shown = runs.filter(fits).sort((a, b) => b.modified_at - a.modified_at);
  return html`<div class="runs" data-test="runs">
    <h1>Runs</h1>
    <${Problem} error=${result.error} again=${result.again} />
    ${runs.length > 0 && html`<div class="row wrap">
      <input type="search" placeholder="Search" aria-label="Search the runs" value=${words} onInput=${(event) => setWords(event.target.value)} data-test="run-search" />
      <${Segments} label="Kind" value=${kind} options=${KINDS} choose=${setKind} test="run-kind" />
    </div>`}
    ${result.value && !runs.length && html`<${NoRuns} />`}
    ${runs.length > 0 && !shown.length && html`<p>No run matches.</p>`}
    <ul class="run-list">${shown.map((run) => html`<${RunLine} key=${run.id} run=${run} />`)}</ul>
  </div>`;
}

function NoRuns() {
  return html`<div class="plain" data-test="no-runs">
    <p>There are no runs in the directory of this service (<code>rlgym serve --runs DIR</code>).</p>
    <p><code>rlgym eval run</code> writes evaluations; <code>rlgym train quickstart</code> and <code>rlgym train CONFIG.yaml</code> write trainings.</p>
  </div>`;
}

function RunLine({ run }) {
  return html`<li data-test="run" class=${run.error ? "damaged" : ""}>
    <a href=${href(["runs", run.id])}>
      <span class=${`kind ${run.kind}`}>${KIND_NAMES[run.kind]}</span>
      <strong>${run.title}</strong>
      <${State} run=${run} />
      <span class="soft facts">${[run.title === run.path ? null : run.path, run.model, run.suite && `suite ${run.suite}`, progress(run), ago(run.modified_at)].filter(Boolean).join(" · ")}</span>
      ${run.error && html`<span class="why">${run.error}</span>`}
    </a>
  </li>`;
}

function State({ run }) {
  if (run.error) return html`<span class="sign wrong">corrupt</span>`;
  return html`<span class=${`sign ${run.finished ? "right" : "partial"}`} data-test="run-state">${run.finished ? "finished" : "unfinished"}</span>`;
}

function progress(run) {
  if (run.kind === "train" && run.steps) return run.phase === "sft" ? `SFT, step ${run.step}` : `step ${run.step} of ${run.steps}${run.solve_rate === null || run.solve_rate === undefined ? "" : `, solve rate ${short(run.solve_rate)}`}`;
  return run.episodes ? `${run.episodes} episodes requested` : null;
}

function ago(seconds) {
  const past = Math.max(0, Date.now() / 1000 - seconds);
  if (past < 90) return "just now";
  if (past < 5400) return `${Math.round(past / 60)} minutes ago`;
  if (past < 129600) return `${Math.round(past / 3600)} hours ago`;
  return new Date(seconds * 1000).toLocaleDateString();
}

/** A run, requested again while it grows; of a training only the new lines are sent. */
function useRun(id) {
  const [state, setState] = useState({ run: null, error: null });
  const latest = useRef(null);
  const refresh = async () => {
    try {
      const run = await backend.run(id, { after: latest.current?.kind === "train" ? latest.current.num_lines : undefined });
      latest.current = mergeLines(latest.current, run);
      setState({ run: latest.current, error: null });
    } catch (error) {
      setState({ run: latest.current, error });
    }
  };
  useEffect(() => {
    let later = null;
    let gone = false;
    const round = async () => {
      if (!document.hidden) await refresh();
      if (!gone && !latest.current?.finished) later = setTimeout(round, REFRESH_MS);
    };
    round();
    return () => {
      gone = true;
      clearTimeout(later);
    };
  }, [id]);
  return { ...state, again: refresh };
}

/** The known lines of a training, followed by the new ones. */
export function mergeLines(old, run) {
  if (!old || run.kind !== "train" || !run.first_line) return run;
  const names = new Set([...Object.keys(old.metrics), ...Object.keys(run.metrics)]);
  const count = run.metrics.step.length;
  const metrics = {};
  for (const name of names) {
    const before = (old.metrics[name] ?? []).slice(0, run.first_line);
    metrics[name] = [...(before.length ? before : Array(run.first_line).fill(null)), ...(run.metrics[name] ?? Array(count).fill(null))];
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
    ${!run && !error && html`<p class="soft">Loading the run …</p>`}
    ${run && html`<header class="run-head">
        <h1>${run.title}</h1><span class=${`kind ${run.kind}`}>${KIND_NAMES[run.kind]}</span><${State} run=${run} />
        <span class="spring"></span>
        ${run.report && html`<${Report} id=${id} />`}
      </header>
      <${run.kind === "train" ? Training : Evaluation} run=${run} id=${id} />`}
  </div>`;
}

/** The full report: in its own window, or as a file if the service requires a key, which a link cannot carry. */
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
