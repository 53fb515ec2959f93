// Which task is meant: the address of an environment's page, as what the service is asked for.
import { read } from "./knobs.js";
import { href } from "./route.js";

export const STYLES = ["tag", "boxed", "fence"];
const LEVEL = 0.3;
const SEEDS = 1_000_000;

export const anySeed = () => Math.floor(Math.random() * SEEDS);

/** The task that an address means, with whatever it leaves out filled in. */
export function askOf(spec, query) {
  const level = Number(query.level ?? LEVEL);
  const seed = Number(query.seed ?? anySeed());
  const knobs = {};
  for (const [name, facts] of Object.entries(spec.knobs)) {
    const value = read(facts, query[`knob.${name}`] ?? "");
    if (value !== undefined) knobs[name] = value;
  }
  return {
    name: spec.name,
    level: level >= 0 && level <= 1 ? level : LEVEL,
    seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : anySeed(),
    knobs,
    split: query.split === "shift" && spec.shift ? "shift" : "main",
    answer_style: STYLES.includes(query.style) ? query.style : "tag",
  };
}

/** Of what is asked for the sample that comes nearest, where only samples can be shown. */
export function sampled(ask, samples) {
  if (!samples?.length) return ask;
  const far = (one) => Math.abs(one.level - ask.level) + (one.seed === ask.seed ? 0 : 1e-6);
  const { level, seed } = samples.reduce((best, one) => (far(one) < far(best) ? one : best));
  return { ...ask, level, seed, knobs: {}, split: "main", answer_style: "tag" };
}

/** The address of a task. */
export function hrefOf({ name, level, seed, knobs, split, answer_style: style }) {
  const set = Object.fromEntries(Object.entries(knobs).map(([knob, value]) => [`knob.${knob}`, value]));
  const rest = { split: split === "main" ? "" : split, style: style === "tag" ? "" : style };
  return href(["env", name], { level, seed, ...rest, ...set });
}
