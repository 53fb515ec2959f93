// The backend that is a running service: each method is one request of its HTTP API.
import { ApiError } from "./errors.js";

const STORED = "rlgym-key";
const PATIENCE_MS = 90_000;
// A service that has just been installed imports every environment before it can list them.
const LIST_PATIENCE_MS = 600_000;
const TRIES = 4;

/** The key of this tab; it is forgotten when the tab closes. */
export const key = {
  get: () => sessionStorage.getItem(STORED) ?? "",
  set: (text) => (text ? sessionStorage.setItem(STORED, text) : sessionStorage.removeItem(STORED)),
};

/** The address of a part of the API, beside the page itself. */
export const address = (path) => new URL(path, document.baseURI).href;

async function once(method, path, body, signal, patience) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key.get()) headers.Authorization = `Bearer ${key.get()}`;
  const late = AbortSignal.timeout(patience);
  const stop = signal && AbortSignal.any ? AbortSignal.any([signal, late]) : signal ?? late;
  let response;
  try {
    response = await fetch(address(path), { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal: stop });
  } catch (why) {
    if (signal?.aborted) throw why;
    throw new ApiError({ code: "unreachable", message: "the service does not answer", retryable: true });
  }
  if (response.status === 204) return null;
  const type = response.headers.get("Content-Type") ?? "";
  const said = type.includes("json") ? await response.json().catch(() => null) : await response.text();
  if (response.ok) return said;
  const error = said?.error ?? { code: "broken", message: `the service answered ${response.status} without saying why` };
  throw new ApiError(error);
}

/** One request. What the service asks to have repeated within two seconds is repeated here; nobody needs to know. */
export async function request(method, path, body, { signal, patience = PATIENCE_MS } = {}) {
  for (let tried = 1; ; tried += 1) {
    try {
      return await once(method, path, body, signal, patience);
    } catch (error) {
      const soon = error instanceof ApiError && error.retryable && error.retryAfter !== null && error.retryAfter <= 2;
      if (!soon || tried >= TRIES) throw error;
      await new Promise((done) => setTimeout(done, 1000 * error.retryAfter + 100 * tried));
    }
  }
}

const get = (path, options) => request("GET", path, undefined, options);
const post = (path, body, options) => request("POST", path, body ?? {}, options);
const of = (id) => `v1/sessions/${encodeURIComponent(id)}`;

function query(values) {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

/**
 * A backend. Another one (files, for a page without a service) has the same methods and may set:
 * live    false: tasks cannot be drawn and answered freely; only what `samples` tells of is there
 * samples (name) -> [{level, seed, ...}] the tasks that can be shown, where live is false
 */
export const service = {
  live: true,
  keyed: true,
  environments: (options) => get("v1/environments", { ...options, patience: LIST_PATIENCE_MS }).then((all) => all.environments),
  environment: (name, options) => get(`v1/environments/${encodeURIComponent(name)}`, options),
  task: (ask, options) => post("v1/tasks", ask, options),
  score: (items, options) => post("v1/score", { items }, options).then((all) => all.scores),
  open: (ask) => post("v1/sessions", ask),
  look: (id) => get(of(id)),
  close: (id) => request("DELETE", of(id)),
  reset: (id, ask) => post(`${of(id)}/reset`, ask),
  step: (id, response, turn) => post(`${of(id)}/step`, { response, turn }),
  snapshot: (id) => post(`${of(id)}/snapshot`).then((made) => made.snapshot),
  restore: (id, snapshot) => post(`${of(id)}/restore`, { snapshot }),
  drawing: (id) => get(`${of(id)}/render?mode=svg`).then((made) => made.svg),
  oracle: (id) => post(`${of(id)}/oracle`).then((made) => made.response),
  mistake: (id, which) => post(`${of(id)}/mistake`, which === undefined ? {} : { which }),
  hint: (id, tier) => post(`${of(id)}/hint`, { tier }).then((made) => made.hint),
  runs: (options) => get("v1/runs", options).then((all) => all.runs),
  run: (id, ask, options) => get(`v1/runs/${encodeURIComponent(id)}${query(ask)}`, options),
  transcripts: (id, ask, options) => get(`v1/runs/${encodeURIComponent(id)}/transcripts${query(ask)}`, options),
  report: (id) => request("GET", `v1/runs/${encodeURIComponent(id)}/report`),
  // A link carries no key.
  reportHref: (id) => (key.get() ? null : address(`v1/runs/${encodeURIComponent(id)}/report`)),
};
