// One environment: its description, its tasks and its measurements.
import { randomSeed, taskQuery, taskHref, nearestSample } from "./task_query.js";
import { backend } from "./backend.js";
import { Certificate, Curves } from "./certificate.js";
import { Code } from "./code.js";
import { useKeys } from "./shortcuts.js";
import { Badges, readable } from "./list.js";
import { go, href } from "./route.js";
import { Settings } from "./settings.js";
import { TaskView } from "./task.js";
import { Problem, useRequest } from "./ui.js";
import { html, useEffect } from "./vendor/preact.js";

const LANGUAGES = { de: "German", fr: "French", es: "Spanish", zh: "Chinese", ja: "Japanese", hi: "Hindi", ar: "Arabic" };

function Derived({ spec }) {
  const [base, , part] = spec.name.split(/(:)/);
  if (part) return html`<p class="derived">Derived from <a href=${href(["env", base])}>${base}</a></p>`;
  const kinds = spec.derived.map((name) => name.split(":")[1]);
  const link = (kind) => html`<a key=${kind} class="chip" href=${href(["env", `${spec.name}:${kind}`])}
    data-test="derived">${LANGUAGES[kind] ?? readable(kind)}</a>`;
  if (!kinds.length) return null;
  return html`<nav class="derived" aria-label="Derived environments"><span class="label">Derived</span>
    ${kinds.filter((kind) => !LANGUAGES[kind]).map(link)}${kinds.filter((kind) => LANGUAGES[kind]).map(link)}</nav>`;
}

function About({ spec }) {
  const [first, ...rest] = spec.doc.split(/\n\s*\n/);
  return html`<header class="about">
    <nav class="crumbs" aria-label="Breadcrumbs"><a href="#/">Environments</a> / <a
      href=${href([], { domain: spec.domain })}>${readable(spec.domain)}</a></nav>
    <div class="row"><h1 class="mono" data-test="name">${spec.name}</h1><span class="badge">version ${spec.version}</span><${Badges} one=${spec} />
      ${spec.certificate?.passed && html`<span class="badge good" title="All laws hold">✓ certified</span>`}</div>
    <p class="lead">${first}</p>
    ${rest.length > 0 && html`<details><summary>Details</summary><div class="stack doc">${rest.map((text) => html`<p
      key=${text}>${text}</p>`)}</div></details>`}
    ${spec.kind !== "environment" && html`<p><a href=${href(["watch", spec.name])} data-test="watch-link">Watch it played</a></p>`}
    <${Derived} spec=${spec} />
  </header>`;
}

function Tasks({ spec, query }) {
  const samples = backend.live ? null : backend.samples(spec.name);
  const request = nearestSample(taskQuery(spec, query), samples);
  const here = taskHref(request);
  useEffect(() => {
    // Write the defaults into the address, so that it identifies this very task.
    if (here !== location.hash) go(here, { replace: true });
  }, [here]);
  const change = (some) => go(taskHref({ ...request, ...some }), { replace: !("seed" in some) });
  const nearer = (step) => change({ level: Math.min(1, Math.max(0, Math.round((request.level + step) * 100) / 100)) });
  useKeys(backend.live ? { n: () => change({ seed: randomSeed() }), "[": () => nearer(-0.05), "]": () => nearer(0.05) } : {});
  return html`<div class="workbench">
      <${Settings} spec=${spec} request=${request} change=${change} samples=${samples} />
      <${TaskView} request=${request} spec=${spec} />
    </div>
    <${Code} request=${request} live=${backend.live} />
    <${Curves} certificate=${spec.certificate} level=${request.level} />
    <${Certificate} certificate=${spec.certificate} />`;
}

export function EnvironmentPage({ route }) {
  const name = route.path[1] ?? "";
  const { value: spec, error, again } = useRequest((signal) => backend.environment(name, { signal }), [name]);
  const shown = spec?.name === name ? spec : null;
  useEffect(() => {
    document.title = `${name} · rlgym playground`;
    window.scrollTo(0, 0);
  }, [name]);
  return html`<div class="environment stack">
    <${Problem} error=${error} again=${again} />
    ${error?.code === "not_found" && html`<p><a href="#/">All environments</a></p>`}
    ${shown ? html`<${About} spec=${shown} /><${Tasks} key=${name} spec=${shown} query=${route.query} />` : !error && html`<p
      class="soft first">Loading ${name} …</p>`}
  </div>`;
}
