// The task that the address of an environment's page selects, as a request to the service.
import { read } from "./knobs.js";
import { href } from "./route.js";

export const STYLES = ["tag", "boxed", "fence"];
const DEFAULT_LEVEL = 0.3;
const MAX_SEED = 1_000_000;

export const randomSeed = () => Math.floor(Math.random() * MAX_SEED);

/** The task that an address selects, with defaults for the missing parts. */
export function taskQuery(spec, query) {
  const level = Number(query.level ?? DEFAULT_LEVEL);
  const seed = Number(query.seed ?? randomSeed());
  const knobs = {};
  for (const [name, facts] of Object.entries(spec.knobs)) {
    const value = read(facts, query[`knob.${name}`] ?? "");
    if (value !== undefined) knobs[name] = value;
  }
  return {
    name: spec.name,
    level: level >= 0 && level <= 1 ? level : DEFAULT_LEVEL,
    seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : randomSeed(),
    knobs,
    split: query.split === "shift" && spec.has_shift ? "shift" : "main",
    answer_style: STYLES.includes(query.style) ? query.style : "tag",
  };
}

/** The available sample nearest to the selected task, if only samples are available. */
export function nearestSample(task, samples) {
  if (!samples?.length) return task;
  const distance = (sample) => Math.abs(sample.level - task.level) + (sample.seed === task.seed ? 0 : 1e-6);
  const { level, seed } = samples.reduce((best, sample) => (distance(sample) < distance(best) ? sample : best));
  return { ...task, level, seed, knobs: {}, split: "main", answer_style: "tag" };
}

/** The address that selects a task. */
export function taskHref({ name, level, seed, knobs, split, answer_style: style }) {
  const set = Object.fromEntries(Object.entries(knobs).map(([knob, value]) => [`knob.${knob}`, value]));
  const rest = { split: split === "main" ? "" : split, style: style === "tag" ? "" : style };
  return href(["env", name], { level, seed, ...rest, ...set });
}
