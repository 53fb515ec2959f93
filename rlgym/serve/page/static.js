// The backend that is files: samples of each environment with what the service once answered about them.
//
// Of each sample there is a tree of positions: `nodes`, the root first. Steps go along it by the recorded responses; any other
// response would need a service.
import { ApiError } from "./errors.js";

const loaded = new Map();

async function read(path) {
  let response;
  try {
    response = await fetch(new URL(path, document.baseURI));
  } catch {
    throw new ApiError({ code: "unreachable", message: "the file does not come", retryable: true });
  }
  if (response.status === 404) throw new ApiError({ code: "unknown", message: "this is not among the environments that were written here" });
  if (!response.ok) throw new ApiError({ code: "broken", message: `the file server answered ${response.status}` });
  return response.json();
}

const once = (path) => {
  if (!loaded.has(path)) loaded.set(path, read(path).catch((error) => (loaded.delete(path), Promise.reject(error))));
  return loaded.get(path);
};

const known = new Map();

async function file(name) {
  const found = await once(`data/env/${encodeURIComponent(name.replaceAll(":", "."))}.json`);
  known.set(name, found);
  return found;
}

const needed = (message) => new ApiError({ code: "needs_service", message });

/** Of the samples the one that is asked for, or else the nearest in level. */
async function sampleOf({ name, level, seed }) {
  const { samples, missing } = await file(name);
  if (!samples.length) throw needed(missing ?? "No sample of this environment was written.");
  const far = (one) => Math.abs(one.level - (level ?? 0)) + (one.seed === seed ? 0 : 1e-6);
  return samples.reduce((best, one) => (far(one) < far(best) ? one : best));
}

const sessions = new Map();
let count = 0;

/** A session: the sample, and the way that was gone through its nodes. */
function session(id) {
  const found = sessions.get(id);
  if (!found) throw new ApiError({ code: "session_expired", message: "this episode is gone" });
  return found;
}

const nodeOf = ({ sample, way }) => sample.nodes[way.at(-1)];

function viewOf(id) {
  const { sample } = session(id);
  return { session: id, ...nodeOf(session(id)).view, tools: sample.task.tools, task: sample.task.task, expires_in: 1e9 };
}

function turned(id, kind) {
  const node = nodeOf(session(id));
  if (node.view.done) throw new ApiError({ code: "episode_over", message: "the episode is over" });
  if (node[kind] === undefined) throw needed(`What comes here was not recorded. ${HOW}`);
  return node[kind];
}

const HOW = "A service of your own judges every answer: pip install 'rlvrgym[serve]', then rlgym serve.";

export const backend = {
  live: false,
  keyed: false,
  samples: (name) => known.get(name)?.samples ?? [],
  environments: () => once("data/environments.json"),
  environment: async (name) => {
    const [all, found] = await Promise.all([once("data/environments.json"), file(name)]);
    const there = new Set(all.map((entry) => entry.name));
    return { ...found.environment, derived: found.environment.derived.filter((other) => there.has(other)), shift: false };
  },
  task: async (ask) => (await sampleOf(ask)).task,
  score: async (items) =>
    Promise.all(items.map(async ({ task, response }) => {
      const { nodes } = await sampleOf(task);
      const next = nodes[0].next?.[response];
      return next === undefined ? { error: needed(HOW) } : nodes[next].view.score;
    })),
  open: async (ask) => {
    const id = `recorded-${(count += 1)}`;
    sessions.set(id, { sample: await sampleOf(ask), way: [0] });
    return viewOf(id);
  },
  look: async (id) => {
    const { sample, way } = session(id);
    return { ...viewOf(id), events: way.flatMap((at) => sample.nodes[at].events ?? []), messages: [] };
  },
  close: async (id) => void sessions.delete(id),
  reset: async (id) => {
    session(id).way = [0];
    return viewOf(id);
  },
  step: async (id, response) => {
    const next = turned(id, "next")[response];
    if (next === undefined) throw needed(`The verdict on this answer was not recorded: here are those on the oracle's answer and on mistakes. ${HOW}`);
    session(id).way = [...session(id).way, next];
    return viewOf(id);
  },
  snapshot: async (id) => session(id).way.join(" "),
  restore: async (id, snapshot) => {
    session(id).way = snapshot.split(" ").map(Number);
    return viewOf(id);
  },
  drawing: async (id) => nodeOf(session(id)).svg ?? session(id).sample.task.svg,
  oracle: async (id) => turned(id, "oracle"),
  mistake: async (id, which = 0) => {
    const all = turned(id, "mistakes");
    return { response: all[which % all.length], of: all.length };
  },
  hint: async (id, tier) => turned(id, "hints")[tier] ?? "There is no such hint here.",
  runs: async () => [],
};
