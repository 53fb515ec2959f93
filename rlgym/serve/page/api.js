// The live backend: each method is one request of the service's HTTP API.
import { ApiError } from "./errors.js";

const STORAGE_NAME = "rlgym-key";
const TIMEOUT_MS = 90_000;
// A newly installed service imports every environment before it can list them.
const LIST_TIMEOUT_MS = 600_000;
const MAX_ATTEMPTS = 4;
const MAX_SILENT_WAIT_SECONDS = 2;

/** The API key of this tab; it is forgotten when the tab closes. */
export const key = {
  get: () => sessionStorage.getItem(STORAGE_NAME) ?? "",
  set: (text) => (text ? sessionStorage.setItem(STORAGE_NAME, text) : sessionStorage.removeItem(STORAGE_NAME)),
};

/** The URL of an API path, relative to the page. */
export const address = (path) => new URL(path, document.baseURI).href;

async function send(method, path, body, signal, timeout) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key.get()) headers.Authorization = `Bearer ${key.get()}`;
  const timeoutSignal = AbortSignal.timeout(timeout);
  const stop = signal && AbortSignal.any ? AbortSignal.any([signal, timeoutSignal]) : signal ?? timeoutSignal;
  let response;
  try {
    response = await fetch(address(path), { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal: stop });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ code: "unreachable", message: "the service does not respond", retryable: true });
  }
  if (response.status === 204) return null;
  const type = response.headers.get("Content-Type") ?? "";
  const content = type.includes("json") ? await response.json().catch(() => null) : await response.text();
  if (response.ok) return content;
  throw new ApiError(content?.error ?? { code: "internal_error", message: `the service answered with status ${response.status}` });
}

/** One request. If the service asks to retry it within two seconds, it is retried silently. */
export async function request(method, path, body, { signal, timeout = TIMEOUT_MS } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(method, path, body, signal, timeout);
    } catch (error) {
      const retry = error instanceof ApiError && error.retryable && error.retryAfter !== null && error.retryAfter <= MAX_SILENT_WAIT_SECONDS;
      if (!retry || attempt >= MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * error.retryAfter + 100 * attempt));
    }
  }
}

const get = (path, options) => request("GET", path, undefined, options);
const post = (path, body, options) => request("POST", path, body ?? {}, options);
const sessionPath = (id) => `v1/sessions/${encodeURIComponent(id)}`;
const runPath = (id) => `v1/runs/${encodeURIComponent(id)}`;

function queryString(values) {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

/**
 * A backend. Another one (static files, for a page without a service) has the same methods and may set:
 * live    false: tasks cannot be generated and answered freely; only the tasks that `samples` lists are available
 * samples (name) -> [{level, seed, ...}], the available tasks if live is false
 */
export const service = {
  live: true,
  keyed: true,
  environments: (options) => get("v1/environments", { ...options, timeout: LIST_TIMEOUT_MS }).then((body) => body.environments),
  environment: (name, options) => get(`v1/environments/${encodeURIComponent(name)}`, options),
  task: (query, options) => post("v1/tasks", query, options),
  score: (items, options) => post("v1/score", { items }, options).then((body) => body.scores),
  open: (query) => post("v1/sessions", query),
  getSession: (id) => get(sessionPath(id)),
  close: (id) => request("DELETE", sessionPath(id)),
  reset: (id, query) => post(`${sessionPath(id)}/reset`, query),
  step: (id, response, turn) => post(`${sessionPath(id)}/step`, { response, turn }),
  snapshot: (id) => post(`${sessionPath(id)}/snapshot`).then((body) => body.snapshot),
  restore: (id, snapshot) => post(`${sessionPath(id)}/restore`, { snapshot }),
  drawing: (id) => get(`${sessionPath(id)}/render?mode=svg`).then((body) => body.svg),
  oracle: (id) => post(`${sessionPath(id)}/oracle`).then((body) => body.response),
  mistake: (id, index) => post(`${sessionPath(id)}/mistake`, index === undefined ? {} : { index }),
  hint: (id, tier) => post(`${sessionPath(id)}/hint`, { tier }).then((body) => body.hint),
  runs: (options) => get("v1/runs", options).then((body) => body.runs),
  run: (id, query, options) => get(`${runPath(id)}${queryString(query)}`, options),
  transcripts: (id, query, options) => get(`${runPath(id)}/transcripts${queryString(query)}`, options),
  report: (id) => request("GET", `${runPath(id)}/report`),
  // A link cannot carry a key.
  reportHref: (id) => (key.get() ? null : address(`${runPath(id)}/report`)),
};
