// The static backend: sample tasks with recorded episodes instead of a running service.
//
// Each sample is a tree of positions: `nodes`, the root first. A step follows a recorded response to the next node; any other response
// would need a service.
import { ApiError } from "./errors.js";

const HELP = "Run your own service to score any answer: pip install 'rlvrgym[serve]', then rlgym serve.";

const responses = new Map(); // path -> promise of its content
const files = new Map(); // environment name -> content of its file
const sessions = new Map(); // session id -> {sample, path}, where path lists the visited nodes
let sessionCount = 0;

async function fetchJson(path) {
  let response;
  try {
    response = await fetch(new URL(path, document.baseURI));
  } catch {
    throw new ApiError({ code: "unreachable", message: "the file could not be loaded", retryable: true });
  }
  if (response.status === 404) throw new ApiError({ code: "not_found", message: "this static copy does not contain this environment" });
  if (!response.ok) throw new ApiError({ code: "internal_error", message: `the file server answered with status ${response.status}` });
  return response.json();
}

/** Fetch a file once; a failed request is not cached. */
function fetchOnce(path) {
  if (!responses.has(path)) responses.set(path, fetchJson(path).catch((error) => (responses.delete(path), Promise.reject(error))));
  return responses.get(path);
}

async function loadEnvironment(name) {
  const file = await fetchOnce(`data/env/${encodeURIComponent(name.replaceAll(":", "."))}.json`);
  files.set(name, file);
  return file;
}

const needsService = (message) => new ApiError({ code: "needs_service", message });

/** The sample with this level and seed, or the one with the nearest level. */
async function findSample({ name, level, seed }) {
  const { samples, missing } = await loadEnvironment(name);
  if (!samples.length) throw needsService(missing ?? "This static copy has no sample of this environment.");
  const distance = (sample) => Math.abs(sample.level - (level ?? 0)) + (sample.seed === seed ? 0 : 1e-6);
  return samples.reduce((best, sample) => (distance(sample) < distance(best) ? sample : best));
}

function getSession(id) {
  const session = sessions.get(id);
  if (!session) throw new ApiError({ code: "session_expired", message: "this session no longer exists" });
  return session;
}

const currentNode = ({ sample, path }) => sample.nodes[path.at(-1)];

function sessionView(id) {
  const { sample } = getSession(id);
  return { session: id, ...currentNode(getSession(id)).view, tools: sample.task.tools, task: sample.task.task, expires_in: 1e9 };
}

/** What was recorded at the current turn under this field. */
function recorded(id, field) {
  const node = currentNode(getSession(id));
  if (node.view.done) throw new ApiError({ code: "episode_over", message: "the episode is over" });
  if (node[field] === undefined) throw needsService(`This was not recorded. ${HELP}`);
  return node[field];
}

export const backend = {
  live: false,
  keyed: false,
  samples: (name) => files.get(name)?.samples ?? [],
  environments: () => fetchOnce("data/environments.json"),
  environment: async (name) => {
    const [entries, file] = await Promise.all([fetchOnce("data/environments.json"), loadEnvironment(name)]);
    const published = new Set(entries.map((entry) => entry.name));
    return { ...file.environment, derived: file.environment.derived.filter((other) => published.has(other)), has_shift: false };
  },
  task: async (query) => (await findSample(query)).task,
  score: async (items) =>
    Promise.all(items.map(async ({ task, response }) => {
      const { nodes } = await findSample(task);
      const next = nodes[0].next?.[response];
      return next === undefined ? { error: needsService(HELP) } : nodes[next].view.score;
    })),
  open: async (query) => {
    const id = `recorded-${(sessionCount += 1)}`;
    sessions.set(id, { sample: await findSample(query), path: [0] });
    return sessionView(id);
  },
  getSession: async (id) => {
    const { sample, path } = getSession(id);
    return { ...sessionView(id), events: path.flatMap((index) => sample.nodes[index].events ?? []), messages: [] };
  },
  close: async (id) => void sessions.delete(id),
  reset: async (id) => {
    getSession(id).path = [0];
    return sessionView(id);
  },
  step: async (id, response) => {
    const next = recorded(id, "next")[response];
    if (next === undefined) throw needsService(`This answer was not recorded: only the oracle's answer and some mistakes were. ${HELP}`);
    getSession(id).path = [...getSession(id).path, next];
    return sessionView(id);
  },
  snapshot: async (id) => getSession(id).path.join(" "),
  restore: async (id, snapshot) => {
    getSession(id).path = snapshot.split(" ").map(Number);
    return sessionView(id);
  },
  drawing: async (id) => currentNode(getSession(id)).svg ?? getSession(id).sample.task.svg,
  oracle: async (id) => recorded(id, "oracle"),
  mistake: async (id, index = 0) => {
    const mistakes = recorded(id, "mistakes");
    return { response: mistakes[index % mistakes.length], count: mistakes.length };
  },
  hint: async (id, tier) => recorded(id, "hints")[tier] ?? "This environment has no hint of this kind.",
  runs: async () => [],
};
